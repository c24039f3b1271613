"""Wording of what an effect asks for: windows, costs, targets and conditions."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.wording import (
    NoWording,
    Pair,
    cards,
    clause,
    counted,
    need,
    only,
    plain,
    some_cards,
    subject,
    tag,
    to_zone,
)
from apotheosis.env.cards.text.wording_mods import checks


def state(tree: dict[str, Any]) -> Pair:
    """Return a condition that is not about the running attack."""
    need(len(tree) == 1)
    ((name, value),) = tree.items()
    if name == "has_marker":
        who = subject(value[0])
        need(isinstance(value[0], str))
        return f"{who[0]} possuir o {{MARKER_{value[1]}}}", f"{clause(who[1], 'has')} the marker {value[1].title()}"
    if name == "in_zone":
        need(value[0] == "this" and value[1] in ("inventory", "equipment", "memento", "support", "scenario", "entity_slot"))
        if value[1] == "entity_slot":
            return "no espaço de {ENTITY}", "this card is in the Entity slot"
        place = to_zone(value[1])[0].replace("para o ", "no ").replace("para a ", "na ")
        return f"esta carta estiver {place}", f"this card is in {to_zone(value[1])[1].removeprefix('to ')}"
    if name == "entity_awake":
        need(value in ("self", "target"))
        return {"self": ("o seu {ENTITY} estiver desperto", "your Entity is awake"),
                "target": ("o {ENTITY} do alvo estiver desperto", "the target's Entity is awake")}[value]  # fmt: skip
    if name == "from":
        places = {"market": "do {MARKET}", "discard": "da pilha de descarte"}
        need(value in (["market"], ["market", "discard"]))
        return f"esta carta for obtida {' ou '.join(places[one] for one in value)}", "this card is obtained there"
    if name == "exhausted" or name == "not" and set(value) == {"exhausted"}:
        need((value if name == "exhausted" else value["exhausted"]) == "this")
        turned = ("consumida", "exhausted") if name == "exhausted" else ("recuperada", "ready")
        return f"esta carta estiver {turned[0]}", f"this card is {turned[1]}"
    if name == "ge" and isinstance(value[0], str) and value[0].startswith("know(self,"):
        known = value[0][10:-1]
        return f"você possuir {plain(value[1])}✚ de {{{known.upper()}}}", f"you have level {value[1]} of {known}"
    if name in ("gt", "eq") and value[1] == 0 and isinstance(value[0], str) and value[0].startswith("counters(this."):
        counter = value[0][14:-1]
        if name == "gt":
            return f"esta carta possuir {{COUNTER_{counter}}}", f"this card has {counter.title()} counters"
        return f"esta carta não possuir {{COUNTER_{counter}}}", f"this card has no {counter.title()} counter"
    raise NoWording


_HAPPENS: dict[str, Pair] = {
    "damage_taken": ("sofrer {DMG}", "suffers damage"),
    "injury_taken": ("sofrer {INJURY}", "suffers Injury"),
    "death": ("morrer", "dies"),
    "check_failed": ("falhar em um teste", "fails a check"),
    "injury_dealt": ("causar {INJURY}", "causes Injury"),
}
_BEFORE: dict[str, Pair] = {
    "damage_taken": ("for sofrer {DMG}", "is about to suffer damage"),
    "injury_taken": ("for sofrer {INJURY}", "is about to suffer Injury"),
    "death": ("for morrer", "is about to die"),
    "check_failed": ("for falhar em um teste", "is about to fail a check"),
    "check": ("for realizar um teste", "is about to make a check"),
}
_VICTIMS: dict[str, Pair] = {
    "any": ("um personagem", "a character"),
    "allies": ("um personagem do seu time", "a character of your team"),
    "other_allies": ("um outro personagem do seu time", "another character of your team"),
    "enemies": ("um personagem de outro time", "a character of another team"),
}


def _someone(tree: Any) -> Pair:
    if isinstance(tree, str) and tree in _VICTIMS:
        return _VICTIMS[tree]
    if isinstance(tree, dict):
        only(tree, "chars", "adjacent", "of")
        need(tree.get("chars") in _VICTIMS and tree.get("adjacent") is True)
        words = _VICTIMS[tree["chars"]]
        return f"{words[0]} em uma casa adjacente", f"{words[1]} in an adjacent tile"
    need(tree in ("self", "this_char", "host_hero"))
    return subject(tree)


def window(tree: dict[str, Any]) -> Pair:
    """Return the event that an effect answers."""
    event: Any = need(tree.get("event"))
    if event == "card_activated":
        if set(tree) == {"event", "who"} and tree["who"] == "any":
            return "quando uma carta for ativada", "when a card is activated"
        only(tree, "event", "card")
        need(isinstance(tree.get("card"), dict) and tree["card"].get("suit") == "Event")
        other = tree["card"].get("not") == "this"
        kind = cards({key: value for key, value in tree["card"].items() if key != "not" or not other})
        return (
            f"quando {'outro' if other else 'um'} {kind[0]} for ativado",
            f"when {'another' if other else 'one'} of the {kind[1]} is activated",
        )
    if tree == {"event": "card_discard", "card": "this", "phase": "before"}:
        return "quando esta carta for ser descartada", "when this card is about to be discarded"
    if event in ("attack", "attack_resolved") and tree.get("by") == {"card": "this"} and tree.get("who", "self") == "self":
        only(tree, "event", "who", "by")
        need(("who" in tree) == (event == "attack"))
        return {"attack": ("quando você atacar com esta carta", "when you attack with this card"),
                "attack_resolved": ("após atacar com esta carta", "after an attack with this card")}[event]  # fmt: skip
    if tree == {"event": "attack_resolved", "who": "self"}:
        return "após atacar", "after you attack"
    if event == "attack":
        if set(tree) == {"event", "who"}:
            who = _someone(tree["who"])
            return f"quando {who[0]} atacar", f"when {clause(who[1], 'attacks')}"
        only(tree, "event", "target")
        who = _someone(tree["target"])
        return f"quando {who[0]} for alvo de um ataque", f"when {clause(who[1], 'is attacked')}"
    if event == "check" and "by" in tree:
        only(tree, "event", "who", "by", "phase")
        need(tree.get("who") == "self" and tree.get("phase") == "before")
        kind = checks(tree["by"])
        return f"quando você for realizar um teste{kind[0]}", f"when you are about to make a check{kind[1]}"
    only(tree, "event", "who", "phase")
    words = _BEFORE if tree.get("phase") == "before" else _HAPPENS
    need(event in words and tree.get("phase") != "after")
    who = _someone(tree["who"])
    return f"quando {who[0]} {words[event][0]}", f"when {clause(who[1], words[event][1])}"


def cost(tree: dict[str, Any]) -> Pair:
    """Return a payment."""
    n = tree.get("n", 1)
    if "ap" in tree or "hp" in tree:
        key = "ap" if "ap" in tree else "hp"
        only(tree, key)
        need(isinstance(tree[key], int))
        verb = ("pague", "pay") if key == "ap" else ("remova", "lose")
        return f"{verb[0]} {tree[key]} de {{{key.upper()}}}", f"{verb[1]} {tree[key]} {key.upper()}"
    if "energy" in tree:
        only(tree, "energy", "n")
        need(isinstance(n, int) and isinstance(tree["energy"], list))
        words = " e/ou ".join(f"{{{one}}}" for one in tree["energy"])
        need(len(tree["energy"]) == 1 or tree["energy"] in (["SP", "MP"], ["MP", "SP"]))
        return f"consuma {n} de {words}", f"pay {n} {' and/or '.join(tree['energy'])}"
    if "currency" in tree:
        only(tree, "currency", "n")
        amount = "" if n == "X" else f"{n} de "
        need(n == "X" or isinstance(n, int))
        return f"descarte {amount}{{{tree['currency']}}}", f"discard {'any amount' if n == 'X' else n} of {tree['currency']}"
    if "counter" in tree:
        only(tree, "counter", "n", "from")
        need(isinstance(n, int))
        owners = {"self": ("de suas cartas", "your cards"), "allies": ("de cartas do seu time", "cards of your team")}
        if isinstance(tree.get("from"), dict):
            need(set(tree["from"]) == {"cards_of"})
            held = owners[tree["from"]["cards_of"]]
            return (
                f"remova {n} {{COUNTER_{tree['counter']}}} {held[0]}",
                f"remove {counted(n, tree['counter'].title() + ' counter')} from {held[1]}",
            )
        need(tree.get("from") == "this")
        return (
            f"remova {n} {{COUNTER_{tree['counter']}}} desta carta",
            f"remove {counted(n, tree['counter'].title() + ' counter')} from this card",
        )
    if "marker" in tree:
        only(tree, "marker", "from")
        need(tree.get("from") == "self")
        return f"remova o seu {{MARKER_{tree['marker']}}}", f"remove your marker {tree['marker'].title()}"
    for key, words in (("discard", ("descarte", "discard")), ("bury", ("enterre", "bury"))):
        if set(tree) == {key} and isinstance(tree[key], dict):
            only(tree[key], "n", "filter")
            inner = tree[key].get("filter", {})
            need(isinstance(inner, dict) and "category" not in inner)
            chosen = some_cards({**inner, "n": tree[key].get("n", 1)})
            return f"{words[0]} {chosen[0]}", f"{words[1]} {chosen[1]}"
    raise NoWording


_TARGETS: dict[str, Pair] = {**_VICTIMS, "others": ("um outro personagem", "another character")}


def target(tree: Any) -> Pair:
    """Return the selection of a target."""
    need(isinstance(tree, dict))
    only(tree, "chars", "within", "has_marker", "kind", "tag")
    base = tree["chars"]
    if tree.get("kind") in ("Companion", "Hero") and base in ("any", "allies", "enemies") and "has_marker" not in tree:
        return _companion(tree)
    need("tag" not in tree)
    if tree == {"chars": "any"}:
        return "selecione um alvo", "select a target"
    if tree == {"chars": "dead"}:
        return "selecione um personagem morto", "select a dead character"
    if set(tree) == {"chars", "has_marker"} and base == "any":
        return (
            f"selecione 1 personagem com {{MARKER_{tree['has_marker']}}}",
            f"select a character with the marker {tree['has_marker'].title()}",
        )
    words = need(_TARGETS.get(base))
    if "kind" in tree:
        need(base == "any" and tree["kind"] in ("Summon", "Creature", "Human"))
        words = (f"um {{{tree['kind'].upper()}}}", f"a {tree['kind']}")
    need("has_marker" not in tree)
    if "within" in tree:
        return f"selecione {words[0]} a até {plain(tree['within'])} casas", f"select {words[1]} within {tree['within']} tiles"
    return f"selecione {words[0]}", f"select {words[1]}"


_SIDES: dict[str, Pair] = {
    "any": ("", ""),
    "allies": (" do seu time", " of your team"),
    "enemies": (" de outro time", " of another team"),
}


def _companion(tree: dict[str, Any]) -> Pair:
    word = {"Companion": ("{COMPANION}", "Companion"), "Hero": ("Herói", "Hero")}[tree["kind"]]
    side = _SIDES[tree["chars"]]
    name = tag(tree["tag"]) if "tag" in tree else None
    near = f" a até {plain(tree['within'])} casas" if "within" in tree else ""
    return (
        f"selecione um {word[0]}{side[0]}" + (f" com {name[0]}" if name else "") + near,
        f"select a {word[1]}{side[1]}"
        + (f" with {name[1]}" if name else "")
        + (f" within {tree['within']} tiles" if near else ""),
    )


def requirement(tree: dict[str, Any], permanent: bool) -> Pair:
    """Return an entry of `requires`."""
    need(len(tree) == 1)
    ((kind, value),) = tree.items()
    if kind == "when":
        return window(value)
    if kind == "pay":
        return cost(value)
    if kind == "target":
        return target(value)
    if kind == "while" or kind == "if":
        if kind == "while" and value == {"in_turn_of": "self"}:
            return "durante o seu turno", "during your turn"
        need(kind == "while" or not permanent)
        words = state(value)
        if set(value) == {"from"}:
            return f"quando {words[0]}", f"when {words[1]}"
        return (f"enquanto {words[0]}", f"while {words[1]}") if kind == "while" else (f"se {words[0]}", f"if {words[1]}")
    raise NoWording
