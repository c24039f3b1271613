"""The words that compiled effects consist of, and the names they use (see `apotheosis.env.rules.opcodes`)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from apotheosis.env.cards.compiler.zones import guarded
from apotheosis.env.rules.opcodes import OPERAND, WIDTH, Op, Rare, X, item_word

Value = list[Any]
"""A value before it has a place: items of opcode and operand, the operand of a count being a value itself."""

MAX_MARKERS = 62
"""Markers are bits of one number."""


RARE_OF_ONE = (
    Rare.ON_LINE, Rare.SLOT_FREE, Rare.ENTITY_LEVEL, Rare.NEAR_TERRAIN, Rare.FOUGHT, Rare.FLAG, Rare.RARITY,
    Rare.COUNTERS_OF, Rare.STINTS_DEAD, Rare.DEED, Rare.FURTHER_TURN, Rare.AWAITED, Rare.CONNECTED, Rare.PRINTED_ATTR,
    Rare.ANY_COUNTER, Rare.ANY_MARKER, Rare.BAR_ATTR, Rare.LINKED, Rare.TILE_OF, Rare.CARD_ROLL, Rare.DEPTH, Rare.SLOTS,
    Rare.FREE_AROUND, Rare.MADE, Rare.IN_SIGHT, Rare.LIGNUM_OF, Rare.COUNTERS_NEAR, Rare.TEAM_COPY,
)  # fmt: skip
CARD_BOUND: Value = [(X.BOUND, 0)]
CHAR_BOUND: Value = [(X.BOUND, 1)]
COUNT_BOUND: Value = [(X.LAST_COUNT, 1)]
"""What a bound name stands for; the kernel does not tell them apart, the compiler does."""


class Refusal(Exception):
    """An effect, or a part of it, that the kernel does not run; its text says what."""


@dataclass
class Names:
    """Numbers for the open names of a pool.

    Args:
        tag_bit: the bit of a tag, -1 where no card has it.
        markers, counters: numbers given so far, in order of first use; the kernel itself counts the counters of
            Ultimatums, which are number 0 (R22.3).
        first_sheet: number of the pool card that the first sheet of a created piece becomes.
        sheets: those sheets.
    """

    tag_bit: Callable[[str], int]
    markers: dict[str, int] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=lambda: {"ULTIMATE": 0})
    first_sheet: int = 0
    sheets: list[Any] = field(default_factory=list)

    def marker(self, name: str) -> int:
        """Returns the number of a marker.

        Raises:
            Refusal: there are more markers than the kernel tells apart.
        """
        number = self.markers.setdefault(name, len(self.markers))
        if number >= MAX_MARKERS:
            raise Refusal(f"more than {MAX_MARKERS} markers")
        return number

    def sheet(self, sheet: Any) -> int:
        """Returns the number of the pool card that holds the sheet of a created piece."""
        if sheet not in self.sheets:
            self.sheets.append(sheet)
        return self.first_sheet + self.sheets.index(sheet)

    def counter(self, name: str) -> int:
        """Returns the number of a counter."""
        return self.counters.setdefault(name, len(self.counters))


@dataclass
class Scene:
    """What words mean where they stand.

    Args:
        names: numbers of tags, markers, counters.
        technique: whether the effect belongs to a technique, whose agent is the Companion.
        companion: whether it stands on a Companion card.
        bound: names that the program has bound, with the value they stand for.
        number: of the technique on its card.
        dealt: whether the effect answers Injury by who deals it, for whom the kernel tells the event; None where only
            some of its events are such.
    """

    names: Names
    technique: bool = False
    companion: bool = False
    bound: dict[str, Value] | None = None
    number: int | None = None
    dealt: bool | None = False

    def binding(self, name: str) -> Value:
        """Returns what a bound name stands for.

        Raises:
            Refusal: nothing was bound under it, or it stands for more than one thing.
        """
        if self.bound is None or name not in self.bound:
            raise Refusal(f"'{name}' is not bound to one thing here")
        return self.bound[name]

    @property
    def you(self) -> Value:
        """The Hero that the card calls you (R0.9)."""
        return [(X.HOST, 0)] if self.technique else [(X.SELF, 0)]

    @property
    def hero(self) -> Value:
        """The Hero of whom the card calls you: of its activator, of whom the scenario concerns (R6.6.5, R23.4)."""
        return [(X.HOST, 0)] if self.technique else [(X.SELF, 0), (X.OWNER_OF, 0)]

    @property
    def here(self) -> Value:
        """The character that distances are measured from."""
        return [(X.THIS_CHAR, 0)] if self.technique else self.you


@dataclass
class Code:
    """Words under construction; word 0 stands for the chosen X of a cost."""

    words: list[int] = field(default_factory=lambda: [0, 0])

    def value(self, value: Value | None) -> int:
        """Places a value and returns its position, -1 for none."""
        if value is None:
            return -1
        value = guarded(value)
        placed = [(op, self.value(operand) if isinstance(operand, list) else operand) for op, operand in value]
        start = len(self.words)
        for op, operand in placed:
            self.words += [item_word(op), int(operand)]
        self.words += [int(X.END), 0]
        return start

    def step(self, op: Op, *operands: int) -> int:
        """Places an instruction and returns its position; operands left out are -1."""
        start = len(self.words)
        filled = [int(op), *operands, *[-1] * (WIDTH - 1 - len(operands))]
        self.words += filled
        return start

    def patch(self, position: int, operand: int, target: int | None = None) -> None:
        """Sets an operand of a placed instruction to a position, by default to the end of the words."""
        self.words[position + operand] = len(self.words) if target is None else target


def rare(what: Rare, operand: int = 0) -> tuple[X, int]:
    """Returns an item that reads what few cards ask."""
    op = X.RARE_ONE if what in RARE_OF_ONE else X.RARE
    return op, int(what) + OPERAND * operand


def number(n: int) -> Value:
    """Returns the value of a number."""
    return [(X.PUSH, n)]


def both(a: Value | None, b: Value | None) -> Value | None:
    """Returns a AND b, where None is always true."""
    if a is None or b is None:
        return b if a is None else a
    return [*a, (X.SKIP, len(b) + 1), *b, (X.AND, 0)]


def either(parts: list[Value]) -> Value:
    """Returns the OR of at least one value."""
    out = list(parts[0])
    for part in parts[1:]:
        out += [*part, (X.OR, 0)]
    return out


def negated(a: Value) -> Value:
    """Returns NOT a."""
    return [*a, (X.NOT, 0)]


def same(a: Value, b: Value) -> Value:
    """Returns a = b."""
    return [*a, *b, (X.EQ, 0)]
