"""Clauses about damage received, costs and the Normal Attack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text.base import G
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.lexicon import COLOURS
from apotheosis.env.cards.text.phrases import token_at
from apotheosis.env.cards.text.statements import Mod, on

# -------------------------------------------------------------------------------------------------------- damage received


@G.reader("blows", "<attacks>")
def _blows(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
    """Kinds of attacks that one suffers; "with fire" and "for fire" name one's own."""
    token = token_at(parse, place)
    if token is not None and token.text not in ("com", "para"):
        yield from parse.all("attacks", place)


@G.rule("taken", "<bonus:n> de {DMG} [<blows:a>]")
def _taken(parse: Parse, n: int, a: Mod | None = None) -> Any:
    if a and ("on" in a or "against" in a):
        return REFUSE
    return [{"q": "damage.taken", "add": n, **(a or {})}]


@G.rule("taken", "metade do {DMG} [<attacks:a>]")
def _taken_half(parse: Parse, a: Mod | None = None) -> Any:
    a = a or {}
    return REFUSE if "on" in a or "against" in a else [{"q": "damage.taken", "mul": "half", **a}]


@G.rule("ignored", "IGNORAR [o] {DMG} <attacks:a>")
def _taken_none(parse: Parse, a: Mod) -> Any:
    return REFUSE if "on" in a or "against" in a else [{"q": "damage.taken", "mul": 0, **a}]


@G.rule("taken", "[o] dobro (de | do) {DMG} [<attacks:a>]")
def _taken_double(parse: Parse, a: Mod | None = None) -> Any:
    a = a or {}
    return REFUSE if "on" in a or "against" in a else [{"q": "damage.taken", "mul": 2, **a}]


@G.rule("ignored", "nao (SOFRER | RECEBER) {DMG} <attacks:a>")
def _not_taken(parse: Parse, a: Mod) -> Any:
    return REFUSE if "on" in a or "against" in a else [{"q": "damage.taken", "mul": 0, **a}]


@G.rule("stmt", "<bonus:n> de {DMG} (sofrido | recebido) [<attacks:a>]")
def _taken_named(parse: Parse, n: Any, a: Mod | None = None) -> Any:
    return REFUSE if a and ("on" in a or "against" in a) else [{"q": "damage.taken", "add": n, **(a or {})}]


@G.rule("stmt", "REDUZIR [o] {DMG} (sofrido | recebido) <attacks:a> em <int:n>")
@G.rule("stmt", "REDUZIR em <int:n> [o] {DMG} (sofrido | recebido) <attacks:a>")
def _taken_reduced(parse: Parse, n: int, a: Mod) -> Any:
    return REFUSE if "on" in a or "against" in a else [{"q": "damage.taken", "add": -n, **a}]


# ------------------------------------------------------------------------------------------------------------------ costs

G.table("costname", {"{AP}": "cost.ap", "{SP}": "cost.sp", "{MP}": "cost.mp", **{f"{{{c}}}": "cost.essence" for c in COLOURS}})


@G.rule("mod", "<bonus:n> [de] <costname:q> de custo [de ativacao] (para | em) <cards:c>",
        "<bonus:n> de custo (em | de) <costname:q> (para | em) <cards:c>")  # fmt: skip
def _mod_cost(parse: Parse, n: int, q: str, c: dict[str, Any]) -> list[Mod]:
    return [{"q": q, "add": n, "card": c}]


@G.rule("stmt", "[o] [todo] [o] [seu] <cards:c> CUSTAR <bonus:n> de <costname:q>")
@G.rule("stmt", "ATIVAR cartas de <item:c> CUSTAR <bonus:n> de <costname:q>")
def _costs(parse: Parse, n: int, q: str, c: dict[str, Any]) -> list[Mod]:
    return [{"q": q, "add": n, "card": c}]


@G.rule("stmt", "para SELECIONAR um alvo para esta carta , DESCARTAR <num:n> <cards:c>")
def _ammunition(parse: Parse, n: int, c: dict[str, Any]) -> list[Mod]:
    return [{"q": "cost.discard", "set": {"n": n, "filter": c}, "card": "this", "when": "target_selection"}]


@G.rule("mod", "<bonus:n> [de] {AP} de custo para ENVIAR uma carta do {INV} para [o] <zonemac:z>")
def _mod_from_inventory(parse: Parse, n: int, z: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "add": n, "card": {"from": "inventory", "to": z}}]


@G.rule("mod", "<bonus:n> de custo (de | em) {AP} para (COLOCAR | ADICIONAR) uma carta no <zonemac:z>")  # fmt: skip
def _mod_zone_in(parse: Parse, n: int, z: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "add": n, "card": {"to": z}}]


@G.rule("mod", "<bonus:n> de custo (de | em) {AP} para (retirar | REMOVER) uma carta do <zonemac:z>")
def _mod_zone_out(parse: Parse, n: int, z: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "add": n, "card": {"from": z}}]


@G.rule("stmt", "ADICIONAR uma carta ao <zonemac:z> CUSTAR <int:n> de {AP}", way="to")
@G.rule("stmt", "REMOVER uma carta do <zonemac:z> CUSTAR <int:n> de {AP}", way="from")
def _zone_cost(parse: Parse, z: str, n: int, way: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "set": n, "card": {way: z}}]


@G.rule("stmt", "ENVIAR cartas de <suit:s> do {INV} para a {TABLE} nao TER custo em {AP}")
def _zone_free(parse: Parse, s: str) -> list[Mod]:
    return [{"q": "cost.zone_move", "set": 0, "card": {"suit": s, "from": "inventory", "to": "table"}}]


@G.rule("mod", "<bonus:n> de custo (de | em) <energies:e> para manter o {ENTITY} desperto")
def _mod_upkeep(parse: Parse, n: int, e: list[str]) -> list[Mod]:
    return [{"q": "cost.entity_upkeep", "add": n}]


@G.rule("mod", "<bonus:n> de custo (de | em) {AP} para [se] mover")
def _mod_move(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "cost.move", "add": n}]


@G.rule("mod", "<bonus:n> de custo (de | em) {AP} para [o] [seu] ataque normal")
def _mod_normal(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "normal_attack.ap", "add": n}]


@G.rule("stmt", "todo custo (de | em) (<energies:e> | <bothenergies:e>) SER dobrado")
def _doubled(parse: Parse, e: list[str]) -> list[Mod]:
    return [{"q": f"cost.{one.lower()}", "mul": 2} for one in e]


@G.rule("stmt", "<cards:c> [,] nao PAGAR custos em <onenergy:e>")
def _not_paid(parse: Parse, c: dict[str, Any], e: str) -> list[Mod]:
    return [{"q": f"cost.{e.lower()}", "set": 0, "card": c}]


@G.rule("stmt", "voce nao PAGAR o custo em {MP} para EVOCAR uma {SUMMON}")
def _free_summon(parse: Parse) -> list[Mod]:
    return [{"q": "cost.summon", "set": 0}]


# ---------------------------------------------------------------------------------------------------------- normal attack


@G.rule("stmt", "o {DMG} do (ataque normal | <name>) deste personagem SER [:] <formula:f>")
def _normal_formula(parse: Parse, f: dict[str, Any]) -> list[Mod]:
    return on(
        [{"q": "normal_attack.damage", "set": f["n"]}, {"q": "normal_attack.dice", "set": f["dice"]}], parse.context.this_char
    )


@G.rule("formula", "lp <term:n> + <dice:d> rp", "lp <term:n> <plusdice:d> rp")
def _formula(parse: Parse, n: Any, d: str) -> Any:
    return {"n": n, "dice": d[5:-1]} if isinstance(n, int) else REFUSE


@G.rule("formula", "lp <attr:a> + <dice:d> rp", "lp <attr:a> <plusdice:d> rp")
def _formula_attr(parse: Parse, a: str, d: str) -> dict[str, Any]:
    return {"n": f"attr({parse.context.this_char},{a})", "dice": d[5:-1]}


@G.rule("stmt", "voce nao PAGAR ([o] custo | custos) (de | em) {AP} para [se] mover")
def _free_move(parse: Parse) -> list[Mod]:
    return [{"q": "cost.move", "set": 0}]


@G.rule("stmt", "voce nao PAGAR ([o] custo | custos) (de | em) <costname:q> (de | para | para ATIVAR) <cards:c>")
def _free_cards(parse: Parse, q: str, c: dict[str, Any]) -> list[Mod]:
    return [{"q": q, "set": 0, "card": c}]


@G.rule("stmt", "[o] custo (de | em) <costname:q> (de | do) [suas] <cards:c> SER (reduzido | diminuido) em <int:n>")
@G.rule("stmt", "REDUZIR em <int:n> [o] custo (de | em) <costname:q> (de | do) [suas] <cards:c>")
@G.rule("stmt", "REDUZIR [o] custo (de | em) <costname:q> (de | do) [suas] <cards:c> em <int:n>")
def _lower_cost(parse: Parse, q: str, c: dict[str, Any], n: int) -> list[Mod]:
    return [{"q": q, "add": -n, "card": c}]


@G.rule("stmt", "<group:g> PAGAR <bonus:n> de <costname:q> para (ATIVAR | USAR) <cards:c>")
def _dearer(parse: Parse, g: dict[str, Any], n: int, q: str, c: dict[str, Any]) -> Any:
    return [{"q": q, "add": n, "card": c, "on": g["chars"]}] if set(g) == {"chars"} else REFUSE


@G.rule("stmt", "<group:g> PAGAR <bonus:n> de {AP} para [se] mover")
def _dearer_move(parse: Parse, g: dict[str, Any], n: int) -> Any:
    return [{"q": "cost.move", "add": n, "on": g["chars"]}] if set(g) == {"chars"} else REFUSE


@G.rule("stmt", "<who:w> [,] PAGAR apenas [a] metade dos custos (de | em) <onenergy:e>")
def _half_cost(parse: Parse, w: Any, e: str) -> list[Mod]:
    return on([{"q": f"cost.{e.lower()}", "mul": "half"}], w)
