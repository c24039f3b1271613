"""The zones in which a card can pass a filter, written at the filter's head so that cards elsewhere are passed over."""

from typing import Any

from apotheosis.env.rules.codes import Zone
from apotheosis.env.rules.opcodes import TAKES_ONE, TAKES_TWO, X

ANYWHERE = (1 << len(Zone)) - 1
IS_ZONE = [X.IT_CARD, X.C_ZONE, X.PUSH, X.EQ]


def zones_of(value: list[Any]) -> int:
    """Returns a bit for each zone in which the candidate card may be where the value is not 0.

    Args:
        value: a filter over card copies; other values give ANYWHERE.
    """
    stack: list[int] = []
    for at, (op, _) in enumerate(value):
        if op == X.SKIP:
            continue
        if op in TAKES_ONE or op == X.RARE_ONE:
            stack[-1] = ANYWHERE
        elif op not in TAKES_TWO and op != X.RARE_TWO:
            stack.append(ANYWHERE)
        else:
            right, left = stack.pop(), stack.pop()
            if op == X.AND:
                stack.append(left & right)
            elif op == X.OR:
                stack.append(left | right)
            elif at >= 3 and [item[0] for item in value[at - 3 : at + 1]] == IS_ZONE:
                stack.append(1 << value[at - 1][1])
            else:
                stack.append(ANYWHERE)
    return stack[-1] if stack else ANYWHERE
