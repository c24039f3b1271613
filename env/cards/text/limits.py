"""How often and when a card may be activated at all."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, Part
from apotheosis.env.cards.text.grammar import REFUSE, Parse

G.table("limits", {
    "[apenas] uma vez por turno [,]": {"limits": ["OncePerTurn"]},
    "[apenas] uma vez por rodada [,]": {"limits": ["OncePerRound"]},
    "[apenas] uma vez por ciclo [,]": {"limits": ["OncePerStint"]},
    "[apenas] uma vez por batalha [,]": {"limits": ["OncePerBattle"]},
})  # fmt: skip

G.table("only", {
    "esta carta PODER SER ativada apenas uma vez por (rodada | ciclo)": {"limits": ["OncePerStint"]},
    "voce PODER ATIVAR esta carta apenas uma vez por (rodada | ciclo)": {"limits": ["OncePerStint"]},
    "(esta carta PODER SER ativada | voce PODER ATIVAR esta carta) apenas uma vez por "
    "batalha": {"limits": ["OncePerBattle"]},
    "esta carta PODER SER ativada apenas (no | durante o) seu turno": {"limits": ["YourTurnOnly"]},
    "esta carta apenas PODER SER ativada uma vez por turno": {"limits": ["OncePerTurn"]},
    "esta carta apenas PODER SER ativada uma vez por (rodada | ciclo)": {"limits": ["OncePerStint"]},
    "esta carta apenas PODER SER ativada uma vez por batalha": {"limits": ["OncePerBattle"]},
    "voce PODER ATIVAR esta carta apenas (no | em | durante o) seu turno": {"limits": ["YourTurnOnly"]},
    "(este ataque | este tecnica | esta acao) nao PODER SER negado": {"limits": ["NoNegation"]},
    "(este ataque | este tecnica | esta acao) nao PODER SER respondido": {"limits": ["NoResponse"]},
    "esta carta apenas PODER SER ativada (no | em) seu turno": {"limits": ["YourTurnOnly"]},
    "esta carta nao PODER SER negada": {"limits": ["NoNegation"]},
    "esta carta nao PODER SER respondida": {"limits": ["NoResponse"]},
    "esta carta PODER SER ativada apenas uma vez por turno": {"limits": ["OncePerTurn"]},
    "voce PODER ATIVAR esta carta apenas (uma | 1) vez por turno": {"limits": ["OncePerTurn"]},
    "nenhuma carta PODER SER ativada como reacao a esta carta": {"limits": ["NoResponse"]},
})  # fmt: skip


@G.rule("only", "(esta carta | este movimento) PODER SER ativada (somente | apenas) <ifwhen> <proviso:s> e <happens:h>")
@G.rule("only", "voce PODER ATIVAR esta carta (apenas | somente) <ifwhen> <proviso:s> e <happens:h>")
@G.rule("only", "voce PODER ATIVAR esta carta (apenas | somente) <ifwhen> <happens:h> e <proviso:s>")
def _only_if(parse: Parse, s: dict[str, Any], h: Part) -> Any:
    return {**h, "requires": [*h.get("requires", []), s]} if h.get("trigger") else REFUSE


@G.rule("only", "(esta carta PODER SER ativada apenas | esta carta apenas PODER SER ativada) <ifwhen> <proviso:s>")
@G.rule("only", "(voce PODER ATIVAR esta carta apenas | voce apenas PODER ATIVAR esta carta) <ifwhen> <proviso:s>")
def _only_in_state(parse: Parse, s: dict[str, Any]) -> Part:
    return {"requires": [s]}


@G.rule("only", "(esta carta nao PODER SER ativada | voce nao PODER ATIVAR esta carta) <ifwhen> <state:s>")
def _only_outside(parse: Parse, s: dict[str, Any]) -> Part:
    return {"requires": [{"if": s["not"] if set(s) == {"not"} else {"not": s}}]}


@G.rule("only", "para ATIVAR esta carta , ela nao PODER POSSUIR <counter:c>")
@G.rule("only", "(esta carta nao PODER SER ativada | voce nao PODER ATIVAR esta carta) enquanto [ela] POSSUIR <counter:c>")
@G.rule("only", "enquanto esta carta POSSUIR <counter:c> [,] ela nao PODER SER ativada")
def _only_without(parse: Parse, c: str) -> Part:
    return {"requires": [{"if": {"eq": [f"counters(this.{c})", 0]}}]}


@G.rule(
    "only",
    "apenas um <people:p> PODER ser alvo desta carta",
    "esta carta PODER SELECIONAR apenas <people:p> <team:t> como alvo",
)
def _only_target(parse: Parse, p: dict[str, Any], t: str | None = None) -> Any:
    return REFUSE if "other" in p else {"requires": [{"target": {"chars": t or "any", **p}}]}


@G.rule(
    "only",
    "voce PODER ATIVAR esta carta apenas <num:n> vez por turno",
    "esta carta PODER SER ativada apenas <int:n> vez por turno",
)
def _once(parse: Parse, n: int) -> Any:
    return {"limits": ["OncePerTurn"]} if n == 1 else REFUSE


@G.rule(
    "only",
    "(esta carta | este movimento) (PODER SER ativada apenas | apenas PODER SER ativada | PODER SER ativada somente) <when:w>",
)
@G.rule("only", "ATIVAR este carta apenas <when:w>")
@G.rule("only", "voce PODER ATIVAR esta carta [(apenas | somente)] <when:w>")
def _only_when(parse: Parse, w: Part) -> Any:
    return w if w.get("trigger") else REFUSE
