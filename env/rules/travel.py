"""Steps of a piece: what they cost and where they may lead, rules of cards included (R15.4, R15.5, R15.8 to R15.10).

Where no modifier touches movement, these are the plain functions of `board`.
"""

from __future__ import annotations

from numba import int64

from ..vocabulary import Profile, Terrain
from .board import domains, is_empty, is_open, step_cost
from .codes import CharKind
from .compiler import inner
from .layout import M, P
from .opcodes import Q, Rule
from .standing import has_rule, has_rule_for, modify

MOVES = (1 << Q.RULE) | (1 << Q.COST_MOVE) | (1 << Q.COST_DOMAIN) | (1 << Q.COST_ALTITUDE)


@inner(int64(M, P, int64))
def may_float(m, p, char):
    """Returns 1 for a character that enters any terrain without surcharge (text VOADOR)."""
    return has_rule_for(m, p, char, 0 + Rule.FLYING, -1, -1)


@inner(int64(M, P, int64, int64, int64))
def move_cost(m, p, char, origin, tile):
    """Returns the AP of one step of a character (R15.8), modified."""
    if m.modified & MOVES == 0:
        return step_cost(m, char, origin, tile)
    floats = may_float(m, p, char)
    cost = 2 if m.terrain[tile] == Terrain.swamp and floats == 0 else 1
    if floats == 0:
        climb = abs(int(m.altitude[origin]) - int(m.altitude[tile]))
        cost += max(0, modify(m, p, Q.COST_ALTITUDE, -1, climb, char, -1, -1, -1, -1))
    if has_rule(m, p, char, Rule.IGNORE_DOMAIN) == 0:
        near = domains(m, tile if m.profile == Profile.UNITS else origin, int(m.team[char]))
        if near > 0:
            cost += max(0, modify(m, p, Q.COST_DOMAIN, -1, near, char, -1, -1, -1, -1))
    return max(0, modify(m, p, Q.COST_MOVE, -1, cost, char, -1, -1, -1, -1))


@inner(int64(M, P, int64, int64))
def may_enter(m, p, char, tile):
    """Returns 1 if the terrain of an open tile lets a character in (R15.5)."""
    wet = m.terrain[tile] == Terrain.aqua
    if m.modified & MOVES == 0:
        return 0 if wet else 1
    if wet:
        if may_float(m, p, char) != 0 or has_rule(m, p, char, Rule.AMPHIBIOUS) != 0:
            return 1
        return has_rule(m, p, char, Rule.AQUATIC)
    return 1 - has_rule(m, p, char, Rule.AQUATIC)


@inner(int64(M, P, int64, int64))
def may_share(m, p, char, tile):
    """Returns 1 if a character may stay on a tile that a teammate fills (R15.3, unless a card says so)."""
    other = int(m.piece[tile])
    if other < 0 or m.team[other] != m.team[char] or m.kind[other] > CharKind.DUMMY:
        return 0
    return has_rule_for(m, p, char, 0 + Rule.SHARE_TILE, -1, other)


@inner(int64(M, P, int64, int64))
def may_stand(m, p, char, tile):
    """Returns 1 if a step of a character may end on a tile."""
    if is_open(m, tile) == 0 or may_enter(m, p, char, tile) == 0:
        return 0
    return 1 if m.piece[tile] < 0 or is_empty(m, tile) != 0 else may_share(m, p, char, tile)
