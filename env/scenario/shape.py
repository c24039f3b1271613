"""What a scenario file may hold: each key with the kind of its value, checked before anything is built.

A shape is a function of the scenario, a value and its path of keys; it raises an error at the line of what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from apotheosis.env.errors import InputError, unknown
from apotheosis.env.vocabulary import Attribute, Knowledge, Terrain

Key = tuple[str | int, ...]


class Located(Protocol):
    """A file that knows the lines of its keys."""

    def fault(self, message: str, *key: str | int) -> InputError:
        """Returns an error at the line of a key."""
        ...


Shape = Callable[[Located, Any, Key], None]

LARGEST = 9999
"""The largest number that a position may write."""
PHASES = ("main", "start", "end", "reset", "setup")
STEPS = ("do", "answer", "legal", "illegal", "pending", "end_turn", "sees", "repeat", "expect")


def shown(value: Any) -> str:
    """Returns a value as a message quotes it."""
    if isinstance(value, (dict, list)):
        return "a mapping" if isinstance(value, dict) else "a list"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    return repr(value)


def key_of(at: Key) -> str:
    """Returns the key that a path ends in, whose list it is for an item of a list."""
    return next((part for part in reversed(at) if isinstance(part, str)), "the file")


def number(low: int = -LARGEST, high: int = LARGEST) -> Shape:
    """Returns the shape of a whole number within bounds."""

    def check(scenario: Located, value: Any, at: Key) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise scenario.fault(f"'{key_of(at)}' is a whole number from {low} to {high}, not {shown(value)}", *at)

    return check


def text(scenario: Located, value: Any, at: Key) -> None:
    """The shape of a name; numbers and words that YAML reads as values are written in quotes."""
    if not isinstance(value, str):
        raise scenario.fault(f"'{key_of(at)}' is a name, not {shown(value)}", *at)


def flag(scenario: Located, value: Any, at: Key) -> None:
    """The shape of true or false."""
    if not isinstance(value, bool):
        raise scenario.fault(f"'{key_of(at)}' is true or false, not {shown(value)}", *at)


def anything(scenario: Located, value: Any, at: Key) -> None:
    """The shape of what is checked elsewhere."""


def optional(shape: Shape) -> Shape:
    """Returns the shape of a value that may be left empty."""
    return lambda scenario, value, at: None if value is None else shape(scenario, value, at)


def word(kind: str, allowed: Iterable[str]) -> Shape:
    """Returns the shape of one of some words."""
    words = tuple(allowed)

    def check(scenario: Located, value: Any, at: Key) -> None:
        if value not in words:
            raise scenario.fault(unknown(kind, str(value), words).message, *at)

    return check


def sequence(shape: Shape) -> Shape:
    """Returns the shape of a list."""

    def check(scenario: Located, value: Any, at: Key) -> None:
        if not isinstance(value, list):
            raise scenario.fault(f"'{key_of(at)}' must be a list, not {shown(value)}", *at)
        for index, item in enumerate(value):
            shape(scenario, item, (*at, index))

    return check


def mapping(shape: Shape, kind: str = "", allowed: Iterable[str] = ()) -> Shape:
    """Returns the shape of a mapping of names, of any or of those allowed, to values of one shape."""
    words = tuple(allowed)

    def check(scenario: Located, value: Any, at: Key) -> None:
        if not isinstance(value, dict):
            raise scenario.fault(f"'{key_of(at)}' must be a mapping, not {shown(value)}", *at)
        for key, item in value.items():
            if words and key not in words:
                raise scenario.fault(unknown(kind, str(key), words).message, *at, key)
            shape(scenario, item, (*at, key))

    return check


def fields(kind: str, shapes: dict[str, Shape], required: tuple[str, ...] = ()) -> Shape:
    """Returns the shape of a mapping with known keys."""

    def check(scenario: Located, value: Any, at: Key) -> None:
        if not isinstance(value, dict):
            raise scenario.fault(
                f"'{key_of(at)}' must be a mapping, not {shown(value)}" if at else "a scenario is a mapping", *at
            )
        for key in value:
            if key not in shapes:
                raise scenario.fault(unknown(kind, str(key), shapes).message, *at, key)
        for key in required:
            if key not in value:
                raise scenario.fault(f"'{key_of(at)}' needs {' and '.join(required)}", *at)
        for key, item in value.items():
            shapes[key](scenario, item, (*at, key))

    return check


def tile(scenario: Located, value: Any, at: Key) -> None:
    """The shape of a tile."""
    plain = isinstance(value, list) and len(value) == 2
    if not plain or any(isinstance(part, bool) or not isinstance(part, int) for part in value):
        raise scenario.fault("a tile is [x, y]", *at)


def target(scenario: Located, value: Any, at: Key) -> None:
    """The shape of a name or a tile."""
    (tile if isinstance(value, list) else text)(scenario, value, at)


def card(scenario: Located, value: Any, at: Key) -> None:
    """The shape of a card: its id, or a mapping with its state."""
    if isinstance(value, dict):
        CARD(scenario, value, at)
    elif not isinstance(value, str):
        raise scenario.fault("a card is its id, or a mapping with the key card", *at)


def tiles(scenario: Located, value: Any, at: Key) -> None:
    """The shape of the tiles of a board: mappings by \"x,y\"."""
    mapping(TILE)(scenario, value, at)
    for key in value:
        parts = str(key).split(",")
        if len(parts) != 2 or not all(part.strip().isdigit() for part in parts):
            raise scenario.fault(f'a tile of the board is written "x,y", not {key!r}', *at, key)


def step(scenario: Located, value: Any, at: Key) -> None:
    """The shape of a step: a mapping with exactly one key."""
    if not isinstance(value, dict) or len(value) != 1:
        raise scenario.fault("a step is a mapping with exactly one key", *at)
    ((kind, body),) = value.items()
    if kind not in STEPS:
        raise scenario.fault(unknown("step", str(kind), STEPS).message, *at)
    BODIES[kind](scenario, body, (*at, kind))


def expectations(scenario: Located, value: Any, at: Key) -> None:
    """The shape of what is expected: values by path."""
    if not isinstance(value, dict) or not value:
        raise scenario.fault("'expect' is a mapping of paths to values", *at)


ATTRIBUTES = mapping(number(-LARGEST), "attribute", Attribute.__members__)
CARD = fields(
    "key of a card",
    {
        "card": text, "exhausted": flag, "counters": mapping(number(0)), "attachments": sequence(card), "face_down": flag,
        "revealed": flag, "owner": text,
    },
)  # fmt: skip
CARDS = optional(sequence(card))
HERO = fields(
    "key of a character",
    {
        "team": anything, "at": optional(anything), "attributes": ATTRIBUTES,
        "knowledge": mapping(number(0, 99), "knowledge", Knowledge.__members__),
        "level": number(1, 10), "hp": number(), "ap": number(0), "debt": number(0), "markers": sequence(text),
        "house": optional(card), "classes": optional(sequence(card)), "entity": optional(card),
        "slots": mapping(number(0, 99), "slot", ("equipment", "memento", "support")),
        "table": CARDS, "hand": CARDS, "deck": CARDS, "discard": CARDS, "extra": CARDS, "limbo": CARDS, "banished": CARDS,
        "used": sequence(text),
    },
)  # fmt: skip
DUMMY = fields(
    "key of a dummy",
    {"attributes": ATTRIBUTES, "hp": number(), "techniques": optional(sequence(anything)), "level": number(1, 10)},
)
COMPANION = fields(
    "key of a character",
    {
        "owner": text, "card": card, "dummy": optional(DUMMY), "at": optional(anything), "hp": number(), "ap": number(0),
        "debt": number(0), "markers": sequence(text), "attachments": CARDS, "acted": flag,
    },
    ("owner",),
)  # fmt: skip
TILE = fields(
    "key of a tile",
    {"altitude": number(0, 99), "terrain": word("terrain", Terrain.__members__), "blocked": flag, "disabled": flag},
)
OBJECT = fields(
    "key of an object", {"at": tile, "hp": number(), "movable": flag, "container": optional(sequence(text))}, ("at",)
)  # fmt: skip
ACTION: dict[str, Shape] = {
    "who": text, "action": text, "card": text, "effect": number(0, 99), "target": optional(target), "to": optional(tile),
    "pay": sequence(text),
}  # fmt: skip
BODIES: dict[str, Shape] = {
    "do": fields("key of 'do'", ACTION, ("who", "action")),
    "legal": fields("key of 'legal'", ACTION, ("who", "action")),
    "illegal": fields("key of 'illegal'", {**ACTION, "because": anything}, ("who", "action")),
    "answer": fields("key of 'answer'", {"who": text, "choose": anything}, ("who", "choose")),
    "pending": fields("key of 'pending'", {"who": text, "decision": text, "options": sequence(anything)}, ("who", "decision")),
    "end_turn": text,
    "sees": fields("key of 'sees'", {"who": text, "count": mapping(number(0)), "hidden": sequence(text)}, ("who",)),
    "repeat": fields("key of 'repeat'", {"times": number(0), "steps": sequence(step)}, ("times", "steps")),
    "expect": expectations,
}
SCENARIO = fields(
    "key of a scenario",
    {
        "scenario": anything, "rules": optional(sequence(anything)), "format": optional(mapping(anything)),
        "pool": optional(text),
        "cards": optional(sequence(anything)), "characters": mapping(HERO), "companions": optional(mapping(COMPANION)),
        "initiative": optional(sequence(text)), "turn": optional(text), "acted": optional(sequence(text)),
        "stint": number(0, 999), "phase": word("phase", PHASES), "dice": optional(sequence(number(1, 6))),
        "tiles": optional(tiles), "objects": optional(mapping(OBJECT)), "scenario_zone": optional(sequence(card)),
        "trading_post": optional(sequence(card)), "gm": optional(mapping(anything)), "steps": optional(sequence(step)),
    },
)  # fmt: skip
"""The whole file."""
