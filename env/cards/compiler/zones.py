"""The places where a card can pass a filter, written at the filter's head so that cards elsewhere are passed over.

A place is a zone, an owner (your Hero or another) and a suit; a mask has a bit for each of them (`opcodes.OWN_BIT`).
"""

from dataclasses import dataclass
from typing import Any

from apotheosis.env.rules.codes import Zone
from apotheosis.env.rules.opcodes import EVERYWHERE, OTHER_BIT, OWN_BIT, SUIT_BIT, TAKES_ONE, TAKES_TWO, X
from apotheosis.env.vocabulary import Suit

ZONES = (1 << len(Zone)) - 1
OWNERS = (1 << OWN_BIT) | (1 << OTHER_BIT)
SUITS = EVERYWHERE & ~ZONES & ~OWNERS
IS_ZONE = [X.IT_CARD, X.C_ZONE, X.PUSH, X.EQ]
IS_SUIT = [X.IT_CARD, X.C_SUIT, X.PUSH, X.EQ]
IS_OWN = [X.IT_CARD, X.C_OWNER, X.SELF, X.OWNER_OF, X.EQ]


@dataclass
class Part:
    """A part of a filter: its items, the places where it may hold, and whether it asks for nothing but the place."""

    items: list[Any]
    places: int = EVERYWHERE
    plain: bool = False
    skips: bool = False


def _joined(left: Part, right: Part, last: tuple[Any, int], within: int) -> Part:
    """Returns two parts joined by an operation of two values.

    Args:
        last: the operation.
        within: places outside which the whole filter is known to be 0; what holds in all of them is left out of an AND.
    """
    op = last[0]
    if op == X.AND:
        if left.plain and within & ~left.places == 0:
            return right
        if right.plain and within & ~right.places == 0:
            return Part(left.items, left.places, left.plain)
        skip = [(X.SKIP, len(right.items) + 1)] if left.skips else []
        items = [*left.items, *skip, *right.items, last]
        return Part(items, left.places & right.places, left.plain and right.plain)
    items = [*left.items, *right.items, last]
    if op == X.OR:
        # a choice between a zone and a suit is no mask
        alike = sum(left.places & group != right.places & group for group in (ZONES, OWNERS, SUITS)) <= 1
        return Part(items, left.places | right.places, left.plain and right.plain and alike)
    ops = [item[0] for item in items]
    if ops == IS_ZONE:
        return Part(items, (EVERYWHERE & ~ZONES) | 1 << items[2][1], True)
    if ops == IS_SUIT and items[2][1] in list(Suit):
        return Part(items, (EVERYWHERE & ~SUITS) | 1 << SUIT_BIT + items[2][1], True)
    if ops == IS_OWN:
        return Part(items, EVERYWHERE & ~(1 << OTHER_BIT), True)
    return Part(items)


def _parsed(value: list[Any], within: int) -> Part:
    """Reads a postfix value into one part (see `_joined`)."""
    stack: list[Part] = []
    for op, operand in value:
        if op == X.SKIP:
            stack[-1].skips = True
        elif op in TAKES_ONE or op == X.RARE_ONE:
            stack[-1] = Part([*stack[-1].items, (op, operand)])
        elif op in TAKES_TWO:
            right = stack.pop()
            stack.append(_joined(stack.pop(), right, (op, operand), within))
        else:
            stack.append(Part([(op, operand)]))
    return stack[-1] if stack else Part([])


def guarded(value: list[Any]) -> list[Any]:
    """Returns a value with the places outside which it is 0 at its head, and without the tests which that does already.

    Args:
        value: a filter over card copies; other values come back as they are.
    """
    places = _parsed(value, EVERYWHERE).places
    if places == EVERYWHERE:
        return value
    part = _parsed(value, places)
    return [(X.ZONES, places), *([(X.PUSH, 1)] if part.plain and places & ~part.places == 0 else part.items)]
