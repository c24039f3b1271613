"""Clauses that state a standing bonus or rule; they read as lists of modifiers.

A modifier without a subject counts for the owner of the effect; a named subject becomes its `on`. Which of them become
Permanent and which become part of an activation is decided where sentences are put together.
"""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import SUBJECT, G, substitute
from apotheosis.env.cards.text.grammar import REFUSE, Parse

Mod = dict[str, Any]


def on(mods: list[Mod], who: Any) -> list[Mod]:
    """Return the modifiers applied to a subject; the owner of the effect is left out, as in the language."""
    return [m if who == "self" or "on" in m else {**m, "on": who} for m in mods]


# ------------------------------------------------------------------------------------------------------------------ counts


@G.rule(
    "per",
    "[,] para cada <cards:c> <fromzone:z>",
    "[,] para cada carta <fromzone:z>",
    "[,] para cada item <quals:c> <fromzone:z>",
)
def _per_cards(parse: Parse, z: str, c: dict[str, Any] | None = None) -> dict[str, Any]:
    where = {"zone": z} if z == "scenario" else {"zone": z, "of": "self"}
    return {"count": {"cards": {**where, **(c or {})}}}


@G.rule("per", "[,] para cada <people:p> que [voce] POSSUIR [, exceto <kind:x>]")
def _per_own(parse: Parse, p: dict[str, Any], x: str | None = None) -> Any:
    if "other" in p or "kind" not in p:
        return REFUSE
    return {
        "count": {
            "chars": "own_companions",
            **({} if p["kind"] == "Companion" else p),
            **({"exclude": {"kind": x}} if x else {}),
        }
    }


@G.rule("per", "[,] para cada <manned:g>")
def _per_chars(parse: Parse, g: dict[str, Any]) -> dict[str, Any]:
    return {"count": g}


@G.rule("per", "[,] para cada <counter:c> (nesta | desta | em esta) carta", "[,] para cada <counter:c> que esta carta POSSUIR")
def _per_counter(parse: Parse, c: str) -> str:
    return f"counters(this.{c})"


@G.rule("per", "[,] para cada <counter:c> em suas cartas")
def _per_counters(parse: Parse, c: str) -> dict[str, Any]:
    return {"count": {"counters": c, "of": "self"}}


@G.rule("per", "[,] para cada <cards:c> [,] no seu time [, exceto este carta]")
def _per_team_cards(parse: Parse, c: dict[str, Any]) -> Any:
    """Cards on the sheets and in the support: the ones that a team shows by itself."""
    suits = c.get("suit", ())
    if not suits or not set([suits] if isinstance(suits, str) else suits) <= {"Class", "House", "Entity", "Companion"}:
        return REFUSE
    other = {"not": "this"} if any(token.text == "exceto" for token in parse.here) else {}
    return {"count": {"cards": {"zone": ["sheet", "support"], "of": "team", **c, **other}}}


@G.rule("per", "[,] para cada espaco vazio no [seu] <zonemac:z>")
def _per_empty(parse: Parse, z: str) -> dict[str, Any]:
    return {"count": {"empty_slots": z, "of": "self"}}


@G.rule("per", "[,] para cada copia desta carta no seu time")
def _per_copy(parse: Parse) -> dict[str, Any]:
    return {"count": {"cards": {"zone": "sheet", "of": "team", "same_as": "this"}}}


@G.rule("per", "[,] para cada {ALT} a mais que o alvo")
def _per_altitude(parse: Parse) -> dict[str, Any]:
    return {"altitude_diff": [SUBJECT, "target"]}


@G.rule("per", "[,] para cada [ponto de | nivel de | nivel em] <know:k> [que [voce] POSSUIR]")
def _per_level(parse: Parse, k: str) -> str:
    return f"know(self,{k})"


@G.rule("per", "para cada {KNOWLEDGE} que voce POSSUIR")
def _per_knowledge(parse: Parse) -> dict[str, Any]:
    return {"count": {"knowledges": "self"}}


# ------------------------------------------------------------------------------------------------------- lists and subjects


@G.rule("mods", "<mod:a>")
def _mods_one(parse: Parse, a: list[Mod]) -> list[Mod]:
    return a


@G.rule("mods", "<mod:a> (, | e | , e) <mods:b>")
def _mods_more(parse: Parse, a: list[Mod], b: list[Mod]) -> list[Mod]:
    return [*a, *b]


@G.rule("change", "CAUSAR <plaindamage:m>", "CAUSAR <mods:m>")
def _change(parse: Parse, m: list[Mod]) -> list[Mod]:
    return m


@G.rule("change", "<mods:m>", "<plaindamage:m>")
def _bare_change(parse: Parse, m: list[Mod]) -> Any:
    """Less damage without a verb may be the damage that one suffers."""
    less = any(one["q"] == "damage.dealt" and isinstance(one["add"], int) and one["add"] < 0 for one in m)
    return REFUSE if less else m


@G.rule("change", "(RECEBER | TER | GANHAR) <mods:m>")
def _received(parse: Parse, m: list[Mod]) -> Any:
    """To receive damage is to suffer it; only other quantities can be received as a bonus."""
    return REFUSE if any(one["q"] == "damage.dealt" for one in m) else m


@G.rule("change", "(RECEBER | SOFRER) <taken:m>", "<ignored:m>", "<banned:m>")
def _suffer(parse: Parse, m: list[Mod]) -> Any:
    return m


@G.rule("changes", "<change:a>")
@G.rule("changes", "<change:a> (e | , e) <changes:b>")
def _changes(parse: Parse, a: list[Mod], b: list[Mod] | None = None) -> list[Mod]:
    return [*a, *(b or [])]


@G.rule("stmt", "<changes:m>")
def _stmt_self(parse: Parse, m: list[Mod]) -> Any:
    return m


@G.rule("stmt", "<who:s> [,] <changes:m>", "<changes:m> [,] <towho:s>")
def _stmt_who(parse: Parse, m: list[Mod], s: Any) -> list[Mod]:
    return on(m, s)


@G.rule("stmt", "<who:s> e <who:t> [,] <changes:m>")
@G.rule("stmt", "<changes:m> [,] <towho:s> e <towho:t>")
def _stmt_both(parse: Parse, m: list[Mod], s: Any, t: Any) -> list[Mod]:
    return [*on(m, s), *on(m, t)]


@G.rule("stmt", "<every> [o] {DMG} infligido por <group:g> SER incrementado em uma quantidade igual ao <level:n>",
        q="damage.dealt", sign="{}")  # fmt: skip
@G.rule("stmt", "<every> [o] {DMG} infligido em <group:g> SER reduzido em uma quantidade igual ao <level:n>",
        q="damage.taken", sign="neg({})")  # fmt: skip
def _team_level(parse: Parse, g: dict[str, Any], n: str, q: str, sign: str) -> Any:
    return [{"q": q, "add": sign.format(n), "on": g["chars"]}] if set(g) == {"chars"} else REFUSE


@G.rule("statement", "<stmt:m> [<per:p>] [[,] <dur:d>]", "<per:p> [,] <stmt:m> [[,] <dur:d>]")
def _statement(parse: Parse, m: list[Mod], p: dict[str, Any] | None = None, d: Any = None) -> Any:
    if p is not None:
        m = [{**one, "per": substitute(p, SUBJECT, one.get("on", "self"))} for one in m]
    return {"mods": m, **({} if d is None else {"until": d})}
