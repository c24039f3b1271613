"""The zones in which a card can pass a filter, written at the filter's head so that cards elsewhere are passed over."""

from dataclasses import dataclass
from typing import Any

from apotheosis.env.rules.codes import Zone
from apotheosis.env.rules.opcodes import TAKES_ONE, TAKES_TWO, X

ANYWHERE = (1 << len(Zone)) - 1
IS_ZONE = [X.IT_CARD, X.C_ZONE, X.PUSH, X.EQ]


@dataclass
class Part:
    """A part of a filter: its items, the zones in which it may hold, and whether it asks for nothing but the zone."""

    items: list[Any]
    zones: int = ANYWHERE
    plain: bool = False
    skips: bool = False


def _joined(left: Part, right: Part, last: tuple[Any, int], within: int) -> Part:
    """Returns two parts joined by an operation of two values.

    Args:
        last: the operation.
        within: zones outside which the whole filter is known to be 0; what holds in all of them is left out of an AND.
    """
    op = last[0]
    if op == X.AND:
        if left.plain and within & ~left.zones == 0:
            return right
        if right.plain and within & ~right.zones == 0:
            return Part(left.items, left.zones, left.plain)
        skip = [(X.SKIP, len(right.items) + 1)] if left.skips else []
        items = [*left.items, *skip, *right.items, last]
        return Part(items, left.zones & right.zones, left.plain and right.plain)
    items = [*left.items, *right.items, last]
    if op == X.OR:
        return Part(items, left.zones | right.zones, left.plain and right.plain)
    if [item[0] for item in items] == IS_ZONE:
        return Part(items, 1 << items[2][1], True)
    return Part(items)


def _parsed(value: list[Any], within: int) -> Part:
    """Reads a postfix value into one part (see `_joined`)."""
    stack: list[Part] = []
    for op, operand in value:
        if op == X.SKIP:
            stack[-1].skips = True
        elif op in TAKES_ONE or op == X.RARE_ONE:
            stack[-1] = Part([*stack[-1].items, (op, operand)])
        elif op in TAKES_TWO or op == X.RARE_TWO:
            right = stack.pop()
            stack.append(_joined(stack.pop(), right, (op, operand), within))
        else:
            stack.append(Part([(op, operand)]))
    return stack[-1] if stack else Part([])


def guarded(value: list[Any]) -> list[Any]:
    """Returns a value with the zones outside which it is 0 at its head, and without the tests of zone that says already.

    Args:
        value: a filter over card copies; other values come back as they are.
    """
    zones = _parsed(value, ANYWHERE).zones
    if zones == ANYWHERE:
        return value
    part = _parsed(value, zones)
    return [(X.ZONES, zones), *([(X.PUSH, 1)] if part.plain and zones & ~part.zones == 0 else part.items)]
