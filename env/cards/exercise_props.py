"""Cards made up for the positions in which an effect is exercised: what it speaks of, waits for, or is paid with.

Nothing here knows a card of the game. An effect in plain form names suits, tags, levels, knowledges, attributes, markers and
events; for each of them there is a card that has the property or makes the event happen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from apotheosis.env.cards.loader import check_card
from apotheosis.env.cards.pool import craft_and_tag_names
from apotheosis.env.cards.schema import CardBase
from apotheosis.env.cards.traits import folded
from apotheosis.env.vocabulary import LIGNUM_COLOUR, Attribute, Knowledge, Lignum, Suit

PREFIX = "Prop_"
KINDS_OF_COMPANION = ("Human", "Creature", "Summon")
CLUES = (
    "suit", "category", "knowledge", "tag", "any_tag", "craft", "effect_named", "level", "level_le", "level_ge", "value_le",
    "cost", "rarity", "range", "has_damage", "lignum", "path", "order", "specifier", "attr",
)  # fmt: skip
"""Keys of filters that a made-up card can satisfy."""
SUIT_OF_CLUE = {
    "craft": "Item", "specifier": "Item", "value_le": "Item", "lignum": "Skill", "order": "Entity", "path": "Companion",
}  # fmt: skip
SUIT_OF_ZONE = {
    "equipment": "Item", "memento": "Skill", "support": "Companion", "scenario": "Event", "entity_slot": "Entity",
}  # fmt: skip
CHECKS = ("check", "contest", "roll", "crit", "margin", "succeeded", "failed")
"""Beginnings of words of effects that need somebody to make a check."""
COMPARED = ("eq", "ne", "lt", "le", "gt", "ge", "set")
"""Keys of what compares with a number, or sets a bound to one."""
CARDS_OF_ONE = {"zone": ["inventory", "table"], "of": "self", "n": 1}
TABLE_CARD = {"zone": "table", "of": "self", "n": 1}
ANYBODY: list[dict[str, Any]] = [{"target": {"chars": "any"}}]
OTHERS: list[dict[str, Any]] = [{"target": {"chars": "other_on_board"}}]
STIMULI: tuple[tuple[tuple[str, ...], str, list[dict[str, Any]], list[dict[str, Any]]], ...] = (
    (("discard", "exit", "conceal"), "Discard", [], [{"op": "move_card", "cards": CARDS_OF_ONE, "to": "discard"}]),
    (("bury", "exit"), "Bury", [], [{"op": "move_card", "cards": CARDS_OF_ONE, "to": "deck_bottom"}]),
    (("banish",), "Banish", [], [{"op": "move_card", "cards": CARDS_OF_ONE, "to": "banished"}]),
    (
        ("obtain", "exit", "conceal", "inventory"), "Return", [],
        [{"op": "move_card", "cards": {"zone": ["table", "discard"], "of": "self", "n": 1}, "to": "inventory"}],
    ),
    (("exhaust",), "Exhaust", [], [{"op": "exhaust", "cards": TABLE_CARD}]),
    (("recover", "exhaust"), "Recover", [], [{"op": "recover", "cards": TABLE_CARD}]),
    (("reveal", "conceal"), "Reveal", [], [{"op": "reveal", "cards": {"zone": "inventory", "of": "self", "n": 1}}]),
    (("obtain", "draw", "deck"), "Draw", [], [{"op": "draw", "n": 1}]),
    (("heal", "hp", "recover"), "Heal", ANYBODY, [{"op": "heal", "to": "target", "n": 30}]),
    (("hp_loss", "hp", "death", "dead"), "Wound", OTHERS, [{"op": "lose_hp", "who": "target", "n": 20}]),
    (("damage", "attack"), "Blast", ANYBODY, [{"op": "deal_damage", "to": "target", "n": 15}]),
    (("injury", "damage"), "Injure", OTHERS, [{"op": "deal_injury", "to": "target", "n": 2}]),
    (("tile", "walk", "move", "distance"), "Walk", [], [{"op": "move_piece", "who": "self", "mode": "walk", "n": 2}]),
    (("revive", "dead", "corpse"), "Revive", [], [{"op": "revive", "who": {"chars": "dead", "n": 1}, "hp": 20}]),
    (("energy", "recover", "sp", "mp"), "Drain", OTHERS, [{"op": "spend", "who": "target", "energy": "ENERGY", "n": 1}]),
    (("entity", "awake"), "Sleep", ANYBODY, [{"op": "sleep_entity", "who": "target"}]),
)  # fmt: skip
"""Events that effects wait for: beginnings of words that call for one, its name, what it selects and what it does."""


def strings(tree: Any) -> Iterator[str]:
    """Yields all keys and strings of an effect in plain form."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield key
            yield from strings(value)
    elif isinstance(tree, list):
        for part in tree:
            yield from strings(part)
    elif isinstance(tree, str):
        yield tree


def mappings(tree: Any) -> Iterator[dict[str, Any]]:
    """Yields all mappings of an effect in plain form."""
    if isinstance(tree, dict):
        yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from mappings(part)


def several(value: Any) -> list[Any]:
    """Returns a value that may be written alone or as a list as a list."""
    return value if isinstance(value, list) else [] if value is None else [value]


@dataclass
class Prop:
    """A made-up card and where an effect looks for it.

    Args:
        card: the card.
        zones: zones of the filter that it satisfies, none where it may be anywhere.
    """

    card: CardBase
    zones: tuple[str, ...] = ()


@dataclass
class Needs:
    """What the effects of a card speak of.

    Args:
        words: the single words in them, in lower case.
        markers: names of markers.
        counters: names of counters.
        filters: mappings that filter cards, attacks or checks.
        numbers: numbers that conditions compare with.
        paths: Paths of Classes that conditions ask for.
    """

    words: set[str] = field(default_factory=set)
    markers: set[str] = field(default_factory=set)
    counters: set[str] = field(default_factory=set)
    filters: list[dict[str, Any]] = field(default_factory=list)
    numbers: set[int] = field(default_factory=set)
    paths: list[list[str]] = field(default_factory=list)

    @classmethod
    def of(cls, trees: list[Any]) -> Needs:
        """Returns what effects in plain form speak of."""
        needs = cls()
        for text in strings(trees):
            lower = text.lower()
            needs.words.add(lower)
            for sign in "().,":
                lower = lower.replace(sign, " ")
            needs.words.update(lower.split())
        for row in mappings(trees):
            for key, names in (("marker", needs.markers), ("counter", needs.counters)):
                names.update(name for name in several(row.get(key)) if isinstance(name, str) and name.isupper())
            for key, names in (
                ("has_marker", needs.markers),
                ("without_marker", needs.markers),
                ("has_counter", needs.counters),
            ):
                names.update(name for name in several(row.get(key)) if isinstance(name, str) and name.isupper())
            if row.get("q") == "rule.cannot_obtain_marker":
                needs.markers.add(str(row["set"]))
            if any(key in row for key in CLUES) and "op" not in row:
                needs.filters.append(row)
            if "has_class_paths" in row:
                needs.paths.append([str(path) for path in several(row["has_class_paths"])])
            for key in COMPARED:
                needs.numbers.update(value for value in several(row.get(key)) if isinstance(value, int) and value > 0)
        # what is chosen among any counters or markers needs some
        if needs.says("counter") and not needs.counters:
            needs.counters.add("UNIT")
        if needs.says("marker") and not needs.markers:
            needs.markers.add("WET")
        return needs

    def says(self, *beginnings: str) -> bool:
        """Tells whether a word begins with one of these, or has a part after a dot or an underscore that does."""
        parts = {part for word in self.words for part in (word, *word.replace(".", "_").split("_"))}
        return any(part.startswith(beginnings) for part in parts)


def _bar(attribute: Any, kind: Any) -> dict[str, Any]:
    return {
        "damage": {"attribute": attribute if attribute in Attribute.__members__ else "STR", "constant": 4, "dice": "1D6"},
        "range": {"type": kind or "Direct", "constant": 5},
    }


def _suits(row: dict[str, Any]) -> list[str]:
    named = [suit for suit in several(row.get("suit")) if suit in Suit.__members__]
    if named:
        return named
    for key, suit in SUIT_OF_CLUE.items():
        if key in row:
            return [suit]
    zoned = [SUIT_OF_ZONE[zone] for zone in several(row.get("zone")) if zone in SUIT_OF_ZONE]
    return zoned or ["Item", "Skill", "Event"]


def described(row: dict[str, Any], levels: tuple[int, ...] = (1,)) -> Iterator[dict[str, Any]]:
    """Yields cards in plain form that a filter is true of.

    Args:
        row: the filter, or the source of an attack.
        levels: levels of the cards where the filter names none.
    """
    cost: dict[str, Any] = row["cost"] if isinstance(row.get("cost"), dict) else {}
    named = row.get("level", row.get("level_ge"))
    for suit in _suits(row):
        for tag in [row.get("tag"), *several(row.get("any_tag"))[:3]] if "any_tag" in row else [row.get("tag")]:
            if tag is None and "any_tag" in row:
                continue
            for level in (named,) if isinstance(named, int) and 1 <= named <= 3 else levels:
                card: dict[str, Any] = {"suit": suit, "level": level, "rarity": row.get("rarity", "Common")}
                card["tags"] = [word for word in (tag, row.get("effect_named")) if word]
                card["action"] = cost.get("ap_ge", 0 if "ap_le" in cost else 1)
                if suit in ("Item", "Skill", "Companion", "Event"):
                    card["knowledge"] = (several(row.get("knowledge")) or ["Free"])[0]
                if suit in ("Item", "Skill") and row.get("has_damage") is not False:
                    card |= _bar((several(row.get("attr")) or [None])[0], row.get("range"))
                _dress(card, suit, row, cost)
                yield card


def _loss(who: str) -> dict[str, Any]:
    return {"op": "lose_hp", "who": who, "n": 10}


def _dress(card: dict[str, Any], suit: str, row: dict[str, Any], cost: dict[str, Any]) -> None:
    """Gives a card in plain form what only its suit has."""
    if suit == "Item":
        card["price"] = min(10, row["value_le"]) if isinstance(row.get("value_le"), int) else 10
        card["crafts"] = several(row.get("craft"))
        if isinstance(row.get("specifier"), str):
            card[row["specifier"].lower()] = True
    elif suit == "Skill":
        card["stamina"] = cost.get("energy_ge", 1)
        if isinstance(row.get("lignum"), str) and row["lignum"] != "same":
            card |= {"lignum": row["lignum"], "essence": card.pop("stamina")}
    elif suit == "Companion":
        kind = row.get("kind")
        card["companion_type"] = kind if kind in KINDS_OF_COMPANION else KINDS_OF_COMPANION[card["level"] % 2]
        card["attributes"] = dict.fromkeys(Attribute.__members__, 4)
        card |= {"path": row["path"]} if "path" in row else {}
        card["techniques"] = [{"action": 1, **_bar(None, None)}]
    elif suit == "Event":
        card["attributes_bonus"] = {"STR": 1}
        card["effects"] = [
            {"activation": "Activate", "task": "Register", "requires": OTHERS, "do": [_loss("target")]},
            {"activation": "Auto", "timings": ["AllStartPhase"], "scopes": ["Scenario"], "do": [_loss("event.who")]},
        ]
    elif suit == "Entity":
        card["order"] = row.get("order", "Spirit")
    elif suit == "Class":
        card["path"] = row.get("path", "Sun")


def checks(needs: Needs) -> Iterator[dict[str, Any]]:
    """Yields cards in plain form that make somebody check what effects speak of."""
    if not needs.says(*CHECKS):
        return
    attributes = {name for row in needs.filters for name in several(row.get("attr")) if name in Attribute.__members__}
    knowledges = {name for row in needs.filters for name in several(row.get("knowledge")) if name in Knowledge.__members__}
    tests: list[dict[str, Any]] = [{"attr": name} for name in sorted(attributes)]
    tests += [{"attr": "INT", "know": name} for name in sorted(knowledges)]
    for place, test in enumerate((tests or [{"attr": "STR"}, {"attr": "INT", "know": "Arcane"}])[:6]):
        for who, requires in (("self", []), ("target", OTHERS)):
            step = {"op": "check", "by": who, **test, "dc": (8, 14)[place % 2]}
            yield _doing(f"Check{place}{who}", requires, [step])


def _doing(name: str, requires: list[dict[str, Any]], do: list[dict[str, Any]], **further: Any) -> dict[str, Any]:
    """Returns an Item in plain form with one effect that costs nothing."""
    effect = {"activation": "Activate", "requires": requires, "do": do, **further}
    return {"id": PREFIX + name, "suit": "Item", "level": 1, "rarity": "Common", "price": 1, "effects": [effect]}


def stimuli(needs: Needs) -> Iterator[dict[str, Any]]:
    """Yields cards in plain form that make happen what effects wait for."""
    for beginnings, name, requires, do in STIMULI:
        if needs.says(*beginnings):
            yield _doing(name, requires, do)
    for marker in sorted(needs.markers)[:3]:
        yield _doing(f"Mark{marker}", ANYBODY, [{"op": "add_marker", "marker": marker, "to": "target"}])
    if needs.says("no", "negat", "nonegation", "noresponse"):
        step = {"op": "negate", "what": "attack"}
        yield _doing("Negate", [{"if": {"attack_is": {"attack": True}}}], [step], timings=["Selected"])
    if needs.says("scenario", "weather", "register"):
        effect = {"activation": "Activate", "task": "Register", "do": [{"op": "draw", "n": 1}]}
        yield {"id": PREFIX + "Event", "suit": "Event", "level": 1, "rarity": "Common", "effects": [effect]}


def _means(needs: Needs) -> Iterator[dict[str, Any]]:
    """Yields cards in plain form with which everybody fights and pays."""
    for kind in ("Direct", "Area") if needs.says("area", "others", "affected", "splash") else ("Direct",):
        blow = {"suit": "Item", "level": 1, "rarity": "Common", "action": 2, **_bar(None, kind)}
        yield {"id": f"{PREFIX}{kind}", **blow}
    for name, energy in (("Stamina", {"stamina": 2}), ("Mana", {"mana": 2}), ("Little", {"stamina": 1})):
        yield {"id": PREFIX + name, "suit": "Skill", "level": 1, "rarity": "Common", "action": 1, **energy, **_bar("SPT", None)}
    colours = [colour for colour in LIGNUM_COLOUR.values() if colour.name.lower() in needs.words]
    if needs.says("essence") and not colours:
        colours = [LIGNUM_COLOUR[Lignum.Ablyss]]
    for colour in dict.fromkeys(colours):
        lignum = next(name for name, its in LIGNUM_COLOUR.items() if its == colour and name != Lignum.Absent)
        essence = {"lignum": lignum.name, "essence": 2}
        yield {"id": f"{PREFIX}{colour.name}", "suit": "Skill", "level": 1, "rarity": "Common", "action": 0, **essence}
    for suit, currency in (("Skill", "xp"), ("Companion", "will"), ("Event", "fate"), ("Item", "price")):
        if currency in needs.words or (currency == "fate" and needs.says("salvation")):
            card: dict[str, Any] = {"id": PREFIX + currency.upper(), "suit": suit, "level": 3, "rarity": "Common"}
            _dress(card, suit, {}, {})
            yield card


def _allies(needs: Needs) -> Iterator[dict[str, Any]]:
    """Yields Companions and an Entity in plain form."""
    for kind in KINDS_OF_COMPANION:
        if needs.says("companion", "support", "host", kind.lower(), "this_char", "dead", "corpse", "control"):
            card: dict[str, Any] = {"id": PREFIX + kind, "suit": "Companion", "level": 1, "rarity": "Common"}
            _dress(card, "Companion", {"kind": kind}, {})
            yield card
    if needs.says("sheet", "house", "class", "path"):
        yield {"id": PREFIX + "House", "suit": "House", "level": 1, "rarity": "Common"}
        paths = [path for row in needs.paths for path in row]
        for path in dict.fromkeys(paths or ["Sun"]):
            yield {"id": PREFIX + path, "suit": "Class", "level": 2, "rarity": "Common", "path": path, "knowledges": ["Faith"]}
    if needs.says("entity", "awake", "incorporate", "sleep"):
        bonus = {"attributes": {"STR": 2, "SPT": 2}}
        yield {"id": PREFIX + "Spirit", "suit": "Entity", "level": 1, "rarity": "Common", "order": "Spirit", **bonus}


def props_for(needs: Needs, requirements: list[str]) -> list[Prop]:
    """Returns the props of a card's effects.

    Args:
        needs: what they speak of.
        requirements: words of what must be attached for techniques (R19.6): suits, knowledges, tags, crafts.
    """
    levels = (1, 2, 3) if needs.says("level") else (1,)
    made: dict[str, Prop] = {}
    rows: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        (row, ()) for row in (*_means(needs), *checks(needs), *_allies(needs))
    ]
    for word in requirements:
        row = {"suit": word} if word in Suit.__members__ else {"suit": "Item"}
        row |= {"knowledge": word} if word in Knowledge.__members__ else {}
        row |= {"tag": word} if row == {"suit": "Item"} and word != "Item" else {}
        rows += [(card, ("attachments",)) for card in described(row)]
    for row in needs.filters:
        zones = tuple(several(row.get("zone")))
        rows += [(card, zones) for card in described(row, levels)]
    rows += [(row, ()) for row in stimuli(needs)]
    for place, (row, zones) in enumerate(rows):
        key = json.dumps({name: value for name, value in row.items() if name != "id"}, sort_keys=True)
        if key in made:
            made[key].zones += zones
            continue
        card, _ = check_card({"id": f"{PREFIX}{place}", **row}, lambda path: "")
        if card is not None:
            made[key] = Prop(card, zones)
    return list(made.values())


def serves(card: CardBase, word: str) -> bool:
    """Tells whether a card attached to a Companion meets a word of a technique's requirement (R19.6)."""
    if word in Suit.__members__:
        return card.suit_code.name == word
    if word in Knowledge.__members__:
        return getattr(card, "knowledge", None) == Knowledge[word]
    return folded(word) in {folded(name) for name in craft_and_tag_names(card)}
