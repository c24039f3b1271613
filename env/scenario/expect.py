"""The paths that `expect` reads, and what a seat sees."""

from __future__ import annotations

from typing import Any

from apotheosis.env.errors import unknown
from apotheosis.env.rules.codes import Flag, Life, Log, Outcome, Zone
from apotheosis.env.rules.layout import COPIES, HEROES, SIDE
from apotheosis.env.scenario.position import Position
from apotheosis.env.vocabulary import Attribute, Knowledge

Key = tuple[str | int, ...]

NUMBERS = {"hp": "hp", "ap": "ap", "debt": "debt"}
OUTCOMES = {Outcome.RUNNING: None, Outcome.WIN_A: "A", Outcome.WIN_B: "B", Outcome.DRAW: "draw"}
ZONE_NAMES = {
    Zone.HAND: "hand",
    Zone.EQUIPMENT: "equipment",
    Zone.MEMENTO: "memento",
    Zone.SUPPORT: "support",
    Zone.EXTRA: "extra",
    Zone.SHEET: "sheet",
    Zone.DISCARD: "discard",
    Zone.SCENARIO: "scenario",
    Zone.ATTACHED: "attached",
    Zone.LIMBO: "limbo",
    Zone.BANISHED: "banished",
    Zone.RESOLVING: "resolving",
}
FLAGS = {"exhausted": Flag.EXHAUSTED, "face_down": Flag.FACE_DOWN, "revealed": Flag.REVEALED}
PIECE_WORDS = (*NUMBERS, "at", "alive", "markers", "initiative", "attr")
OFF_BOARD = {"at": None, "alive": False}
"""What holds for a card without a piece."""
CHAR_WORDS = (*NUMBERS, "at", "markers", "alive", "initiative", "attr", "knowledge", "zone", "count")


def expect(position: Position, path: str, at: Key) -> Any:
    """Returns what a path names in the position.

    Raises:
        InputError: the path names nothing.
    """
    state = position.match.state
    if path == "turn":
        turn = int(state["turn_char"])
        return position.char_name(turn) if turn >= 0 else None
    if path == "stint":
        return int(state["stint"])
    if path == "outcome":
        outcome = Outcome(int(state["outcome"]))
        return OUTCOMES.get(outcome, outcome.name)
    head, _, tail = path.partition(".")
    if head == "log":
        kinds = {Log(int(kind)).name for kind in position.match.events()["kind"]}
        return "LOOP" if "LOOP" in kinds else None
    if head == "check":
        return _check(position, tail, at)
    if head in position.chars:
        return _character(position, position.chars[head], tail, at)
    made = position.made()
    if tail.partition(".")[0] in PIECE_WORDS and (head in made or head in position.copies):
        char = made[head] if head in made else position.piece_of(position.copies[head])
        if char >= 0:
            return _character(position, char, tail, at)
        if tail in OFF_BOARD:
            return OFF_BOARD[tail]
    if head in position.copies:
        return _card(position, position.copies[head], tail, at)
    made = position.made()  # a further piece of the same card is named T_Wall#2
    if head in made:
        return _character(position, made[head], tail, at)
    words = ["turn", "stint", "outcome", *position.chars, *position.copies, *made]
    raise position.scenario.fault(unknown("path", path, words).message, *at)


def _check(position: Position, word: str, at: Key) -> int:
    from apotheosis.env.rules.levels import success_level

    result, difficulty = int(position.match.state["check_result"]), int(position.match.state["check_difficulty"])
    if word == "result":
        return result
    if word == "difficulty":
        return difficulty
    if word == "level":
        level = int(_plain(success_level)(result, difficulty))
        return level if level >= 0 else level + 1 if level < -1 else -0
    raise position.scenario.fault(
        unknown("path", f"check.{word}", ("check.result", "check.difficulty", "check.level")).message, *at
    )


def _plain(function: Any) -> Any:
    """Returns the Python function behind a kernel function."""
    return getattr(function, "py_func", function)


def _character(position: Position, char: int, path: str, at: Key) -> Any:
    state = position.match.state
    word, _, tail = path.partition(".")
    on_board = int(state["tile"][char]) >= 0
    if word in NUMBERS:
        return int(state[NUMBERS[word]][char])
    if word == "at":
        tile = int(state["tile"][char])
        return [tile % SIDE, tile // SIDE] if on_board and int(state["life"][char]) != Life.GONE else None
    if word == "alive":
        return int(state["life"][char]) == Life.ALIVE and on_board
    if word == "markers":
        return [name for name, bit in position.pool.effect_names.markers.items() if int(state["markers"][char]) >> bit & 1]
    if word == "initiative":
        return 1 + [int(row) for row in state["order"][: int(state["order_n"])]].index(char)
    if word == "attr" and tail in Attribute.__members__:
        return int(state["attr"][char][Attribute[tail]])
    if word == "knowledge" and tail in Knowledge.__members__ and char < HEROES:
        return int(state["knowledge"][char][Knowledge[tail]])
    if word == "zone":
        return _zone(position, position.copy(tail, *at))
    if word == "count":
        return _count(position, char, tail, at)
    raise position.scenario.fault(unknown("path of a character", path, CHAR_WORDS).message, *at)


class DeckPlace(str):
    """Where a card lies in a deck; equal to each of its names: one deck card alone is top, bottom and in the deck."""

    names: frozenset[str]

    def __new__(cls, *names: str) -> DeckPlace:
        """Returns the place with these names, written as the first of them."""
        place = super().__new__(cls, names[0])
        place.names = frozenset(names)
        return place

    def __eq__(self, other: object) -> bool:
        return other in self.names if isinstance(other, str) else False

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


def _zone(position: Position, copy: int) -> str | None:
    state = position.match.state
    zone = Zone(int(state["zone"][copy]))
    if zone == Zone.DECK:
        hero = copy // COPIES
        deck = [int(card) for card in state["pile"][hero][: int(state["deck_n"][hero])]]
        ends = [name for name, card in (("deck_top", deck[-1]), ("deck_bottom", deck[0])) if card == copy]
        return DeckPlace(*ends, "deck")
    return ZONE_NAMES.get(zone)


def _count(position: Position, char: int, word: str, at: Key) -> int:
    state = position.match.state
    names = {name: zone for zone, name in ZONE_NAMES.items()}
    zones = [Zone.DECK] if word == "deck" else [names[word]] if word in names else []
    if word == "table":
        zones = [Zone.EQUIPMENT, Zone.MEMENTO, Zone.SUPPORT, Zone.EXTRA]
    if not zones or char >= HEROES:
        raise position.scenario.fault(unknown("zone", word, [*names, "deck", "table"]).message, *at)
    rows = range(char * COPIES, (char + 1) * COPIES)
    return sum(int(state["ident"][copy]) >= 0 and int(state["zone"][copy]) in zones for copy in rows)


def _card(position: Position, copy: int, path: str, at: Key) -> Any:
    state = position.match.state
    word, _, tail = path.partition(".")
    if word in FLAGS:
        return bool(int(state["flags"][copy]) & FLAGS[word])
    if word == "counters":
        number = position.pool.counter(tail)
        for row in range(int(state["counters"])):
            if int(state["counter_card"][row]) == copy and int(state["counter_name"][row]) == number:
                return int(state["counter_n"][row])
        return 0
    if word == "zone":
        return _zone(position, copy)
    raise position.scenario.fault(unknown("path of a card", path, (*FLAGS, "counters", "zone")).message, *at)


def sees(position: Position, body: dict[str, Any], at: Key) -> str:
    """Returns what is wrong about a claim of what a seat sees, or an empty text (A8).

    Args:
        body: who, with `count` (paths like Ana.hand and numbers) and `hidden` (cards it must not see).
    """
    state = position.match.state
    viewer = position.char(body["who"], *at, "who")
    team = int(state["team"][viewer])
    for path, wanted in (body.get("count") or {}).items():
        name, _, zone = str(path).partition(".")
        found = _count(position, position.char(name, *at), zone, at)
        if found != wanted:
            return f"{path}: expected the count {wanted}, found {found}"
    for card in body.get("hidden") or []:
        copy = position.copy(card, *at, "hidden")
        if is_visible(state, copy, team):
            return f"{card} should be hidden from {body['who']}, but is seen in {_zone(position, copy)}"
    return ""


def is_visible(state: Any, copy: int, team: int) -> bool:
    """Tells whether a side knows which card a copy is, where it lies now (R4, A8)."""
    zone = Zone(int(state["zone"][copy]))
    if zone == Zone.DECK:
        return False
    if copy < HEROES * COPIES and copy // COPIES % 2 == team:
        return True
    flags = int(state["flags"][copy])
    if zone == Zone.HAND:
        return bool(flags & Flag.REVEALED)
    return not flags & (Flag.FACE_DOWN | Flag.MUSTERED)
