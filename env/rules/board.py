"""Geometry of the board: neighbours, tiles, distance, trajectory (R15).

Adjacency and distance are read through these functions only, so that cards which bend them have one place to
hook into.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Terrain
from .codes import Change, CharKind, Life
from .compiler import inner
from .layout import SIDE, M


@inner(int64(M, int64, int64))
def neighbour(m, tile, direction):
    """Returns the tile next to `tile` (0 east, 1 west, 2 north, 3 south), or -1 outside the board."""
    x = tile % SIDE
    y = tile // SIDE
    if direction == 0:
        return tile + 1 if x + 1 < m.width else -1
    if direction == 1:
        return tile - 1 if x > 0 else -1
    if direction == 2:
        return tile + SIDE if y + 1 < m.height else -1
    return tile - SIDE if y > 0 else -1


@inner(int64(int64, int64))
def tile_distance(a, b):
    """Returns |dx| + |dy| (R15.16)."""
    return abs(a % SIDE - b % SIDE) + abs(a // SIDE - b // SIDE)


@inner(int64(M, int64, int64))
def distance(m, a, b):
    """Returns the distance of card texts: tile distance plus altitude difference (R15.16)."""
    return tile_distance(a, b) + abs(int(m.altitude[a]) - int(m.altitude[b]))


@inner(void(M, int64, int64))
def put_piece(m, char, tile):
    """Moves a character's piece to a tile, or off the board for -1; Containers fill no tile (R15.13)."""
    m.dirty = int(m.dirty) | Change.PIECES
    old = int(m.tile[char])
    if old >= 0 and m.piece[old] == char:
        m.piece[old] = -1
    m.tile[char] = tile
    if tile >= 0 and m.piece[tile] < 0 and m.life[char] == Life.ALIVE and m.kind[char] != CharKind.CONTAINER:
        m.piece[tile] = char


@inner(int64(M, int64))
def is_sharing(m, char):
    """Returns 1 while a character stands on a tile that a teammate fills (A5.1 ACT_MOVE)."""
    tile = int(m.tile[char])
    return 1 if tile >= 0 and m.piece[tile] >= 0 and m.piece[tile] != char else 0


@inner(int64(M, int64))
def is_open(m, tile):
    """Returns 1 if a tile exists and is no permanent obstacle (R15.4)."""
    return 1 if m.terrain[tile] != Terrain.blocked and m.terrain[tile] != Terrain.disabled else 0


@inner(int64(M, int64))
def is_empty(m, tile):
    """Returns 1 if a piece may be put on a tile: open, no aqua, nobody there (R15.3 to R15.5)."""
    return 1 if is_open(m, tile) != 0 and m.terrain[tile] != Terrain.aqua and m.piece[tile] < 0 else 0


@inner(int64(M, int64, int64))
def is_access(m, team, tile):
    """Returns 1 for an access tile of a team: any tile of its starting row (A3.2, R15.15)."""
    row = 0 if team == 0 else int(m.height) - 1
    return 1 if tile // SIDE == row and is_open(m, tile) != 0 else 0


@inner(int64(M, int64, int64))
def blocks_shot(m, tile, team):
    """Returns 1 if a tile stops a direct shot of a team: obstacle, enemy or Object (R15.22)."""
    if is_open(m, tile) == 0:
        return 1
    other = int(m.piece[tile])
    if other < 0:
        return 0
    if m.kind[other] == CharKind.OBJECT:
        return 1
    return 1 if m.kind[other] != CharKind.CONTAINER and m.team[other] != team else 0


@inner(int64(M, int64, int64, int64))
def corner_blocks(m, origin, target, team):
    """Returns 1 if the segment passes exactly through a corner whose two outer tiles both block (R15.22)."""
    dx = target % SIDE - origin % SIDE
    dy = target // SIDE - origin // SIDE
    sx = 1 if dx > 0 else -1
    sy = SIDE if dy > 0 else -SIDE
    for i in range(abs(dx)):
        for j in range(abs(dy)):
            if (2 * i + 1) * abs(dy) == (2 * j + 1) * abs(dx):
                here = origin + i * sx + j * sy
                if blocks_shot(m, here + sx, team) != 0 and blocks_shot(m, here + sy, team) != 0:
                    return 1
    return 0


CLEAR, BLOCKED, TOO_HIGH = 0, 1, 2


@inner(int64(M, int64, int64, int64))
def trajectory(m, origin, target, team):
    """Tells whether a direct shot is free: CLEAR, BLOCKED (R15.22) or TOO_HIGH (R15.23)."""
    dx = target % SIDE - origin % SIDE
    dy = target // SIDE - origin // SIDE
    reach = abs(dx) + abs(dy)
    if reach <= 1:
        return CLEAR
    top = max(int(m.altitude[origin]), int(m.altitude[target]))
    sx = 1 if dx > 0 else -1
    sy = 1 if dy > 0 else -1
    for i in range(abs(dx) + 1):
        for j in range(abs(dy) + 1):
            if (i == 0 and j == 0) or (i == abs(dx) and j == abs(dy)):
                continue
            # the segment enters a tile's interior when its centre is nearer than half the tile's width across the segment
            if 2 * abs(i * abs(dy) - j * abs(dx)) >= reach:
                continue
            tile = origin + i * sx + j * sy * SIDE
            if blocks_shot(m, tile, team) != 0:
                return BLOCKED
            if m.altitude[tile] > top:
                return TOO_HIGH
    return BLOCKED if dx != 0 and dy != 0 and corner_blocks(m, origin, target, team) != 0 else CLEAR
