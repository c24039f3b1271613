"""Evaluates the values of compiled effects (see `opcodes.X`).

A value is read in a context of seven numbers: `fr` the frame of the effect that runs (-1 for modifiers, -2 - target for what is
about to select a target), `ev` the frame that holds the event or attack it looks at (-1 none), `this` its card copy, `you`
the character it calls you, `it` and `cit` the candidate character or tile and candidate card copy.
"""

from __future__ import annotations

from numba import int64

from .board import distance, tile_distance
from .codes import Zone
from .compiler import inner
from .layout import CARDS, CHARS, COPIES, HEROES, M, P
from .opcodes import ARITY_BIT, EVERYWHERE, OTHER_BIT, OWN_BIT, SUIT_BIT, X
from .rare_reads import read_rare
from .readings import attack_of, read_one, read_plain
from .zones import hero_of

EVERY_ZONE = (1 << 14) - 1
DEEP = 24  # values on the stack at once
COUNTS = 3  # counts within counts


@inner(int64(int64, int64, int64))
def combine(op, a, b):
    """Applies an operation of two values."""
    if op == X.ADD:
        return a + b
    if op == X.SUB:
        return a - b
    if op == X.MUL:
        return a * b
    if op == X.DIV:
        return a // b if b != 0 else 0
    if op == X.MIN:
        return min(a, b)
    if op == X.MAX:
        return max(a, b)
    if op == X.EQ:
        return 1 if a == b else 0
    if op == X.NE:
        return 1 if a != b else 0
    if op == X.LT:
        return 1 if a < b else 0
    if op == X.LE:
        return 1 if a <= b else 0
    if op == X.GT:
        return 1 if a > b else 0
    if op == X.GE:
        return 1 if a >= b else 0
    if op == X.AND:
        return 1 if a != 0 and b != 0 else 0
    return 1 if a != 0 or b != 0 else 0


@inner(int64(M, int64, int64, int64))
def between(m, op, a, b):
    """Returns the distance or adjacency of two characters; far apart when one is off the board."""
    if op == X.FROM_TILE:
        return tile_distance(a, m.tile[b]) if a >= 0 and 0 <= b < CHARS and m.tile[b] >= 0 else 999
    if a < 0 or b < 0 or a >= CHARS or b >= CHARS or m.tile[a] < 0 or m.tile[b] < 0:
        return 0 if op == X.ADJACENT else 999
    if op == X.DISTANCE:
        return distance(m, m.tile[a], m.tile[b])
    if op == X.TILE_DISTANCE:
        return tile_distance(m.tile[a], m.tile[b])
    return 1 if tile_distance(m.tile[a], m.tile[b]) == 1 else 0


@inner(int64(P, int64))
def places_of(p, pc):
    """Returns the places where a card may pass a filter (see `opcodes.OWN_BIT`)."""
    return int(p.code[pc + 1]) if p.code[pc] == X.ZONES else EVERYWHERE


@inner(int64(P, int64))
def zones_of(p, pc):
    """Returns a bit for each zone in which a card may pass a filter."""
    return places_of(p, pc) & EVERY_ZONE


@inner(int64(M, int64))
def hero_of_you(m, you):
    """Returns the Hero of whom an effect calls you."""
    return int(m.owner[you]) if 0 <= you < CHARS else 0


@inner(int64(M, P, int64, int64, int64))
def is_within(m, p, card, places, you):
    """Returns 1 if a copy is in one of the places of a mask."""
    if card < 0 or places >> m.zone[card] & 1 == 0:
        return 0
    if places | EVERY_ZONE == EVERYWHERE:
        return 1
    if m.ident[card] < 0 or places >> (SUIT_BIT + int(p.card[m.ident[card]].suit)) & 1 == 0:
        return 0
    return places >> (OWN_BIT if hero_of(card) == hero_of_you(m, you) else OTHER_BIT) & 1


@inner(int64(M, P, int64, int64, int64, int64))
def next_within(m, p, card, end, places, you):
    """Returns the next copy from `card` to before `end` that is in one of the places, -1 when there are no more."""
    if places >> OTHER_BIT & 1 == 0:
        own = hero_of_you(m, you) * COPIES
        card = max(card, own)
        end = min(end, own + COPIES)
    last = int(m.heroes) * COPIES
    while card < end:
        if card == last:
            # what belongs to nobody comes behind the rows of the Heroes that there could be
            card = HEROES * COPIES
        if places >> m.zone[card] & 1 != 0 and m.ident[card] >= 0 and is_within(m, p, card, places, you) != 0:
            return card
        card += 1
    return -1


@inner(int64(M, P, int64, int64, int64, int64))
def next_candidate(m, p, op, k, places, you):
    """Returns the next character or card copy from `k` on that a count looks at, -1 when there are no more."""
    if op == X.COUNT_CHARS:
        for char in range(k, int(m.chars)):
            if m.kind[char] > 0:
                return char
        return -1
    if op != X.COUNT_ALL:
        places = places & ~(1 << Zone.DECK)
    return next_within(m, p, k, CARDS, places, you)


# a count under way, behind the stack
L_RETURN, L_FILTER, L_AT, L_FOUND, L_OP, L_IT, L_CIT, L_BASE, L_PLACES = range(9)
LOOP = 9


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def value(m, p, pc, fr, ev, this, you, it, cit):
    """Evaluates a value in its context.

    A count runs its filter once per candidate; counts may stand in filters of counts. What a count has to come back to
    stands behind the stack of values.
    """
    if p.code[pc] == X.ZONES:
        if is_within(m, p, cit, int(p.code[pc + 1]), you) == 0:
            return 0
        pc += 2
    if p.code[pc] == X.PUSH and p.code[pc + 2] == X.END:
        return int(p.code[pc + 1])
    stack = p.stack
    n = 0
    depth = 0
    while n < DEEP - 1:
        word = int(p.code[pc])
        op = word & 255
        taken = word >> ARITY_BIT
        arg = int(p.code[pc + 1])
        pc += 2
        if taken == 2:
            n -= 1
            if op == X.FROM_TILE or op == X.DISTANCE or op == X.TILE_DISTANCE or op == X.ADJACENT:
                stack[n - 1] = between(m, op, stack[n - 1], stack[n])
            else:
                stack[n - 1] = combine(op, stack[n - 1], stack[n])
        elif taken == 1:
            attack = attack_of(m, ev if ev >= 0 else fr) if op == X.IS_ATTACKED else -1
            stack[n - 1] = read_one(m, p, op, arg, stack[n - 1], attack, you)
        elif op == X.PUSH:
            stack[n] = arg
            n += 1
        elif op == X.SKIP:
            if stack[n - 1] == 0:
                pc += 2 * arg
        elif op == X.END:
            if depth == 0:
                return stack[n - 1] if n > 0 else 0
            loop = DEEP + (depth - 1) * LOOP
            if stack[n - 1] != 0:
                k = stack[loop + L_AT]
                stack[loop + L_FOUND] += int(p.card[m.ident[k]].value) if stack[loop + L_OP] == X.SUM_VALUE else 1
            n = stack[loop + L_BASE]
            k = next_candidate(m, p, stack[loop + L_OP], stack[loop + L_AT] + 1, stack[loop + L_PLACES], you)
            stack[loop + L_AT] = k
            if k >= 0:
                pc = stack[loop + L_FILTER]
                if stack[loop + L_OP] == X.COUNT_CHARS:
                    it = k
                else:
                    cit = k
            else:
                pc = stack[loop + L_RETURN]
                it = stack[loop + L_IT]
                cit = stack[loop + L_CIT]
                stack[n] = stack[loop + L_FOUND]
                n += 1
                depth -= 1
        elif op >= X.COUNT_CHARS:
            places = places_of(p, arg)
            if p.code[arg] == X.ZONES:
                arg += 2
            k = next_candidate(m, p, op, 0, places, you)
            if k < 0 or depth >= COUNTS:
                stack[n] = 0
                n += 1
                continue
            loop = DEEP + depth * LOOP
            stack[loop + L_RETURN] = pc
            stack[loop + L_FILTER] = arg
            stack[loop + L_AT] = k
            stack[loop + L_FOUND] = 0
            stack[loop + L_OP] = op
            stack[loop + L_IT] = it
            stack[loop + L_CIT] = cit
            stack[loop + L_BASE] = n
            stack[loop + L_PLACES] = places
            depth += 1
            pc = arg
            if op == X.COUNT_CHARS:
                it = k
            else:
                cit = k
        elif X.RARE <= op <= X.RARE_ONE:
            n -= op - X.RARE
            attack = attack_of(m, ev if ev >= 0 else fr)
            stack[n] = read_rare(m, p, arg, stack[n], fr, ev, attack, this, you)
            n += 1
        else:
            stack[n] = read_plain(m, p, op, arg, fr, ev, this, you, it, cit)
            n += 1
    return 0
