"""What a compiled value reads of a match, so that derived values are computed again only after a change they can feel."""

from collections.abc import Iterator

from apotheosis.env.rules.codes import Change, Zone
from apotheosis.env.rules.opcodes import TAKES_TWO, X

READS: dict[X, int] = {
    **dict.fromkeys((X.RARE, X.RARE_ONE), sum(Change)),
    **dict.fromkeys((X.HP,), Change.HP),
    **dict.fromkeys((X.HAND_COUNT, X.COUNT_ALL), Change.HAND),
    **dict.fromkeys((X.C_EXHAUSTED,), Change.READY),
    **dict.fromkeys((X.HAS_MARKER,), Change.MARKERS),
    **dict.fromkeys((X.C_COUNTERS,), Change.COUNTERS),
    **dict.fromkeys((X.TURN_CHAR, X.IN_TURN, X.STINT, X.MOVED, X.ATTACKED), Change.TURN),
    **dict.fromkeys(
        (
            *(X.ON_BOARD, X.ALTITUDE, X.TERRAIN, X.NEAREST_ALLY),
            *(X.DISTANCE, X.TILE_DISTANCE, X.ADJACENT, X.FROM_TILE),
        ),
        Change.PIECES,
    ),
}
"""What an item reads beside the cards on the table, which are always felt."""

STEADY = {
    *(X.PUSH, X.SKIP, X.ZONES, X.SELF, X.HOST, X.IT, X.OWNER_OF, X.THIS, X.IT_CARD),
    *(op for op in TAKES_TWO if op <= X.OR),
    *(X.NEG, X.NOT, X.IS_ENEMY, X.IS_TEAM, X.IS_HERO, X.IS_COMPANION, X.CHAR_LEVEL),
    *(X.C_SUIT, X.C_LEVEL, X.C_ACTION, X.C_TAG, X.C_KNOWLEDGE, X.C_OWNER, X.C_IDENT, X.C_LIGNUM, X.C_PATH),
    *(X.C_HAS_DAMAGE, X.C_TYPE, X.C_TRAIT, X.C_RANGE, X.C_ORDER, X.C_ENERGY),
}
"""Items that read nothing that changes in a match; all others but those above read cards on the table."""

COUNTS = (X.COUNT_CARDS, X.SUM_VALUE)
OUT = (*range(Zone.EQUIPMENT, Zone.SHEET + 1), Zone.SCENARIO, Zone.ATTACHED)
"""Zones whose changes are always felt."""


def items(words: list[int], position: int) -> Iterator[tuple[int, int]]:
    """Yields the items of a placed value, without those of its counts' filters."""
    while words[position] & 255 != X.END:
        yield words[position] & 255, words[position + 1]
        position += 2


def _zones(words: list[int], position: int) -> list[int]:
    """Returns the zones in which a value looks for cards, or that it compares a card's zone with."""
    found, asked = [], False
    for op, operand in items(words, position):
        if op == X.ZONES and any(not operand >> zone & 1 for zone in Zone):
            found += [zone for zone in Zone if operand >> zone & 1]
        elif op == X.PUSH and asked:
            found.append(operand)
        asked = op == X.C_ZONE
    return found


def reads(words: list[int], position: int) -> int:
    """Returns the bits of `codes.Change` that a value reads.

    Args:
        words: all words of the pool.
        position: where the value stands, -1 for none.
    """
    if position < 0:
        return 0
    bits = 0
    for op, operand in items(words, position):
        bits |= READS.get(X(op), 0 if op in STEADY else Change.CARDS)
        if op >= X.COUNT_CHARS:
            bits |= reads(words, operand)
        if op in COUNTS and not _zones(words, operand):
            bits |= Change.HAND
    if any(zone not in OUT for zone in _zones(words, position)):
        bits |= Change.HAND
    return bits
