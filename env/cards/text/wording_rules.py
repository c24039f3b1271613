"""Wording of modifiers that are rules rather than amounts: requirements, costs of places, uniqueness, immunity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apotheosis.env.cards.text.wording import (
    DECK_MACROS,
    FEMININE_DECKS,
    Pair,
    cards,
    clause,
    items,
    listing,
    need,
    oration,
    plain,
    signed,
    subject,
    tag,
)

Mod = dict[str, Any]

_PLACES = {"memento": "{MEM}", "equipment": "{EQUIP}", "support": "{SUPPORT}"}


def _only(mod: Mod, *keys: str) -> None:
    need(set(mod) <= {"q", *keys})


def _ammunition(mod: Mod) -> Pair:
    _only(mod, "set", "card", "when")
    n, kind = mod["set"]["n"], cards(mod["set"]["filter"])
    need(mod["card"] == "this" and mod["when"] == "target_selection" and set(mod["set"]) == {"n", "filter"})
    return (
        f"para selecionar um alvo para esta carta, descarte {plain(n)} {kind[0]}",
        f"to select a target for this card, discard {n} of the {kind[1]}",
    )


def _unique(mod: Mod) -> Pair:
    _only(mod, "set")
    name = tag(mod["set"])
    return f"você pode ter apenas uma carta com {name[0]} na sua {{TABLE}}", f"you may have only one {name[1]} on your table"


def _knowledge(mod: Mod) -> Pair:
    _only(mod, "set", "card")
    need(mod["set"] == "waived")
    kind = ("esta carta", "this card") if mod["card"] == "this" else cards(mod["card"])
    return f"você pode usar {kind[0]} sem ter o {{KNOWLEDGE}}", f"you may use {kind[1]} without the knowledge"


def _attribute(mod: Mod) -> Pair:
    _only(mod, "set", "card")
    need(mod["card"] == "this" and len(mod["set"]) == 1)
    ((name, n),) = mod["set"].items()
    return f"você precisa ter {n}✚ de {{{name}}} para equipar esta carta", f"you need {n} {name} to equip this card"


def _an(deck: str) -> str:
    return "uma" if deck in FEMININE_DECKS else "um"


def _place(mod: Mod) -> Pair:
    _only(mod, "set", "card")
    need(mod["card"] == "this" and len(mod["set"]) == 1)
    ((deck, n),) = mod["set"].items()
    return (
        f"você precisa estar em {_an(deck)} {DECK_MACROS[deck]} nível {n}✚ para adicionar esta carta ao {{EQUIP}}",
        f"you must be in a {deck} of level {n} or more to equip this card",
    )


def _zone_move(mod: Mod) -> Pair:
    _only(mod, "set", "card")
    n, where = need(isinstance(mod["set"], int)) and mod["set"], mod["card"]
    if set(where) == {"to"}:
        return f"adicionar uma carta ao {_PLACES[where['to']]} custa {n} de {{AP}}", f"putting a card there costs {n} AP"
    need(set(where) == {"from"})
    return f"remover uma carta do {_PLACES[where['from']]} custa {n} de {{AP}}", f"removing a card from there costs {n} AP"


def _immune(mod: Mod) -> Pair:
    _only(mod, "set", "by")
    need(mod["set"] is True and set(mod["by"]) <= {"tag", "any_tag"})
    names = listing(items(mod["by"]))
    return f"ignore o efeito de cartas com {names[0]}", f"ignore the effect of cards with {names[1]}"


def _floor(mod: Mod) -> Pair:
    _only(mod, "set", "on")
    who, n = subject(mod.get("on", "self")), plain(mod["set"])
    return (
        f"se {who[0]} obtiver menos de {n} em um teste, considere como {n}",
        f"if {clause(who[1], 'rolls')} less than {n} in a check, it counts as {n}",
    )


def _attack_bonus(mod: Mod) -> Pair:
    _only(mod, "add", "by")
    names = listing(items(mod["by"])) if "by" in mod else None
    return (
        f"{signed(mod['add'])} em ataques" + (f" de {names[0]}" if names else ""),
        f"{signed(mod['add'])} to attack rolls" + (f" with {names[1]}" if names else ""),
    )


def _ignored(mod: Mod) -> Pair:
    _only(mod, "mul", "by", "on")
    need(mod.get("mul") == 0)
    who, names = subject(mod.get("on", "self")), listing(items(mod["by"]))
    return oration(
        mod.get("on", "self"), f"ignora o {{DMG}} de {names[0]}"
    ), f"{clause(who[1], 'ignores')} damage from {names[1]}"


def _not_in_support(mod: Mod) -> Pair:
    _only(mod, "set", "card")
    need(mod["set"] is True and mod["card"] == "this")
    return "esta carta não pode ser adicionada ao {SUPPORT}", "this card cannot be put into the support"


_RULES: dict[str, Callable[[Mod], Pair]] = {
    "cost.discard": _ammunition,
    "rule.unique_keyword": _unique,
    "requirement.knowledge": _knowledge,
    "requirement.attr": _attribute,
    "requirement.place": _place,
    "cost.zone_move": _zone_move,
    "rule.immune": _immune,
    "rule.not_in_support": _not_in_support,
    "check.result_floor": _floor,
    "attack.bonus": _attack_bonus,
}


def rule(mod: Mod) -> Pair | None:
    """Return a rule as a sentence without its full stop, None where the modifier is worded as an amount or a flag."""
    if mod["q"] == "damage.taken" and mod.get("mul") == 0:
        return _ignored(mod)
    return _RULES[mod["q"]](mod) if mod["q"] in _RULES else None
