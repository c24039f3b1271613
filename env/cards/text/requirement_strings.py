"""Requirement strings in brackets: moments, costs, targets and conditions before an effect."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, Part
from apotheosis.env.cards.text.grammar import REFUSE, Parse


@G.rule("requirement", "<when:p>", "<costs:p>", "<limits:p>")
def _req_part(parse: Parse, p: Part) -> Part:
    return p


@G.rule("requirement", "voce PODER <costs:p>")
def _req_may(parse: Parse, p: Part) -> Part:
    return p


@G.rule("requirement", "enquanto <state:s>", kind="while")
@G.rule("requirement", "(se | quando) <state:s>", kind="if")
def _req_state(parse: Parse, s: dict[str, Any], kind: str) -> Part:
    return {"cond": s, "cond_kind": kind}


@G.rule("requirement", "(se | quando) <outcome:s>")
def _req_outcome(parse: Parse, s: dict[str, Any]) -> Any:
    """What an attack did is known when its text resolves (R9.1.10): only an attack of this card is meant."""
    return {"outcome": s} if parse.context.has_bar else REFUSE


@G.rule("requirement", "durante o seu turno")
def _req_turn(parse: Parse) -> Part:
    return {"cond": {"in_turn_of": "self"}, "cond_kind": "while"}


@G.rule("requirement", "<stmt:m>")
def _req_mods(parse: Parse, m: list[dict[str, Any]]) -> Any:
    return {"extra": m} if [one["q"] for one in m] == ["requirement.attr"] else REFUSE


@G.rule("requirement", "SELECIONAR <num:n> (personagem | personagens) com <marker:m>")
def _req_marked(parse: Parse, n: int, m: str) -> Part:
    return {"requires": [{"target": {"chars": "any", "has_marker": m, **({"n": n} if n > 1 else {})}}]}


@G.rule("requirement", "SELECIONAR <selected:s>")
def _req_target(parse: Parse, s: dict[str, Any]) -> Part:
    return {"requires": [{"target": s}]}


@G.rule("requirement", "o alvo DEVER TER morrido nesta rodada ou na anterior")
def _req_died(parse: Parse) -> Part:
    return {"requires": [{"target": {"chars": "dead"}}, {"if": {"died_within_rounds": ["target", 1]}}]}


@G.rule("requirement", "esta carta PODER SELECIONAR apenas <people:p> <team:t> como alvo")
def _req_only(parse: Parse, p: dict[str, Any], t: str) -> Any:
    return REFUSE if "other" in p else {"requires": [{"target": {"chars": t, **p}}]}


@G.rule("requirement", "SELECIONAR um personagem morto")
def _req_dead(parse: Parse) -> Part:
    return {"requires": [{"target": {"chars": "dead"}}]}


@G.rule("requirement", "SELECIONAR um <people:p> morto <team:t>")
def _req_dead_mate(parse: Parse, p: dict[str, Any], t: str) -> Any:
    return REFUSE if "other" in p else {"requires": [{"target": {"chars": "dead", **p, "team": _SIDES[t]}}]}


_SIDES = {"allies": "ally", "enemies": "enemy"}


@G.rule("requirement", "SELECIONAR um casa adjacente vazio", near=True)
@G.rule("requirement", "SELECIONAR um casa vazio [do tabuleiro] [<distance:n>]", near=False)
def _req_tile(parse: Parse, near: bool, n: int | None = None) -> Part:
    tile = {"tile": "adjacent_empty", "of": parse.context.this_char} if near else {"tile": "any", "empty": True}
    return {"requires": [{"target": {**tile, **({} if n is None else {"within": n})}}]}


@G.rule("requirement", "<dur:d>")
def _req_until(parse: Parse, d: Any) -> Part:
    return {"until": d}


@G.rule("requirement", "<name> deste personagem")
def _req_all_in(parse: Parse) -> Any:
    named = str(parse.here[0].value)
    return {"limits": ["AllIn"], "agent": "this_char"} if named == "Ação Total" else REFUSE
