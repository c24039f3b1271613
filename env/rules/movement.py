"""Steps on the board: which tile a character may enter, what the step costs, why it may not (R15.3 to R15.10).

The geometry is in `board`; here the texts in play are read, which bend it for single characters.
"""

from __future__ import annotations

from numba import int64

from ..vocabulary import Profile, Terrain
from .board import is_open, neighbour, tile_distance
from .codes import CharKind, Reason
from .compiler import inner
from .layout import M, P
from .opcodes import Q, Rule
from .prices import pack
from .standing import has_rule, has_rule_for, modify


@inner(int64(M, P, int64, int64))
def is_passable(m, p, char, tile):
    """Returns 1 if a character can be on a tile: open, and no aqua for who neither flies nor swims (R15.4, R15.5)."""
    if is_open(m, tile) == 0:
        return 0
    if m.terrain[tile] != Terrain.aqua:
        return 1 - has_rule(m, p, char, Rule.AQUATIC)
    if has_rule(m, p, char, Rule.FLYING) != 0 or has_rule(m, p, char, Rule.AQUATIC) != 0:
        return 1
    return has_rule(m, p, char, Rule.AMPHIBIOUS)


@inner(int64(M, P, int64, int64))
def can_stand(m, p, char, tile):
    """Returns 1 if a character's piece can be put on a tile: passable for it, nobody there (R15.3)."""
    return 1 if m.piece[tile] < 0 and is_passable(m, p, char, tile) != 0 else 0


@inner(int64(M, P, int64, int64))
def domains(m, p, tile, team):
    """Counts enemies of `team` whose domain area contains a tile (R15.9)."""
    count = 0
    for direction in range(4):
        near = neighbour(m, tile, direction)
        if near >= 0:
            other = int(m.piece[near])
            if other >= 0 and m.team[other] != team and m.kind[other] <= CharKind.DUMMY:
                if has_rule(m, p, other, Rule.NO_DOMAIN) == 0:
                    count += 1
    return count


@inner(int64(M, P, int64, int64, int64))
def climb_cost(m, p, char, origin, tile):
    """Returns what the altitude difference of a step costs (R15.8)."""
    climb = abs(int(m.altitude[origin]) - int(m.altitude[tile]))
    if climb == 0 or has_rule(m, p, char, Rule.FLYING) != 0:
        return 0
    return max(0, modify(m, p, Q.COST_ALTITUDE, -1, climb, char, -1, -1, -1, -1))


@inner(int64(M, P, int64, int64))
def entry_toll(m, p, char, tile):
    """Returns the AP that cards of others demand for a step into their domain areas (R15.9)."""
    toll = 0
    for direction in range(4):
        near = neighbour(m, tile, direction)
        other = int(m.piece[near]) if near >= 0 else -1
        if other >= 0 and m.team[other] != m.team[char] and m.kind[other] <= CharKind.DUMMY:
            if has_rule(m, p, other, Rule.NO_DOMAIN) == 0:
                toll += max(0, modify(m, p, Q.COST_ENTER, -1, 0, other, -1, -1, char, -1))
    return toll


@inner(int64(M, P, int64, int64, int64))
def step_cost(m, p, char, origin, tile):
    """Returns the AP of one step: terrain, altitude difference, domains (R15.5, R15.8, R7.6.8; R0.5 for UNITS)."""
    swamp = m.terrain[tile] == Terrain.swamp and has_rule(m, p, char, Rule.FLYING) == 0
    cost = (2 if swamp else 1) + climb_cost(m, p, char, origin, tile)
    held = domains(m, p, tile if m.profile == Profile.UNITS else origin, int(m.team[char]))
    if held > 0 and has_rule(m, p, char, Rule.IGNORE_DOMAIN) == 0:
        cost += max(0, modify(m, p, Q.COST_DOMAIN, -1, held, char, -1, -1, -1, -1))
    if m.modified & (1 << Q.COST_ENTER) != 0 and has_rule(m, p, char, Rule.IGNORE_DOMAIN) == 0:
        cost += entry_toll(m, p, char, tile)
    return max(0, modify(m, p, Q.COST_MOVE, -1, cost, char, -1, -1, -1, -1))


@inner(int64(M, P, int64, int64, int64))
def has_exit(m, p, char, tile, ap):
    """Returns 1 if a character on a teammate's tile could afford a step to an empty tile (ACT_MOVE)."""
    for direction in range(4):
        near = neighbour(m, tile, direction)
        if near >= 0 and can_stand(m, p, char, near) != 0 and step_cost(m, p, char, tile, near) <= ap:
            return 1
    return 0


@inner(int64(M, P, int64, int64))
def may_share(m, p, char, tile):
    """Returns 1 if a character may stay on a tile that a teammate fills (R15.3, unless a card says so)."""
    other = int(m.piece[tile])
    if other < 0 or m.team[other] != m.team[char] or m.kind[other] > CharKind.DUMMY:
        return 0
    return has_rule_for(m, p, char, 0 + Rule.SHARE_TILE, -1, other)


@inner(int64(M, P, int64, int64))
def why_not_step(m, p, char, tile):
    """Returns 0 if a character may step to a tile (A6 row 14; R15.4, R15.5, R15.8, R15.10)."""
    origin = int(m.tile[char])
    if origin < 0 or tile < 0 or tile_distance(origin, tile) != 1:
        return pack(Reason.NOT_ADJACENT, 0, 0)
    if is_open(m, tile) == 0:
        return pack(Reason.TILE_STATE, 0, 0)
    if is_passable(m, p, char, tile) == 0:
        return pack(Reason.TERRAIN, 0, 0)
    other = int(m.piece[tile])
    if other >= 0 and (m.team[other] != m.team[char] or m.kind[other] > CharKind.DUMMY):
        if has_rule(m, p, char, Rule.PASS_OVER) == 0:
            return pack(Reason.OCCUPIED, 0, 0)
    cost = step_cost(m, p, char, origin, tile)
    if m.ap[char] < cost:
        return pack(Reason.AP, cost, int(m.ap[char]))
    if other >= 0 and may_share(m, p, char, tile) == 0 and has_exit(m, p, char, tile, int(m.ap[char]) - cost) == 0:
        return pack(Reason.NO_EXIT, 0, 0)
    return 0


@inner(int64(M, P, int64, int64))
def why_not_move(m, p, char, tile):
    """Returns 0 if a character may step to `tile`, or for -1 to any tile (ACT_MOVE)."""
    if has_rule(m, p, char, Rule.CANNOT_MOVE) != 0:
        return pack(Reason.RULE, 0, 0)
    if tile >= 0:
        return why_not_step(m, p, char, tile)
    worst = pack(Reason.NOT_ADJACENT, 0, 0)
    if m.tile[char] < 0:
        return worst
    for direction in range(4):
        near = neighbour(m, int(m.tile[char]), direction)
        if near >= 0:
            why = why_not_step(m, p, char, near)
            if why == 0:
                return 0
            worst = why
    return worst
