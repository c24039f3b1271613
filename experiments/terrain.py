"""Reads a map file: terrain and altitude of single tiles, in the notation of position files.

    tiles: {"1,2": {altitude: 2}, "0,1": {terrain: swamp}, "2,2": {blocked: true}, "2,3": {disabled: true}}

Tiles that the file does not name are field at altitude 0.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from apotheosis.env.cards.yaml_file import read_yaml
from apotheosis.env.errors import InputError, unknown
from apotheosis.env.vocabulary import Terrain

SIDE = 11
"""Tiles are numbered y * SIDE + x on every board size."""
MAX_ALTITUDE = 99
KEYS = ("altitude", "terrain", "blocked", "disabled")


def read_map(path: str | Path, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns (altitude, terrain) of all tiles of a map file.

    Args:
        path: the file.
        width: tiles of the board from west to east.
        height: tiles from south to north.

    Returns:
        Two int16 arrays of SIDE * SIDE tiles.

    Raises:
        InputError: the file is faulty or names a tile off the board; the message names file and line.
    """
    tree = read_yaml(path)
    altitude, terrain = np.zeros(SIDE * SIDE, np.int16), np.zeros(SIDE * SIDE, np.int16)
    if not isinstance(tree.value, dict) or not isinstance(tree.value.get("tiles"), dict):
        raise InputError("a map file is a mapping with the key 'tiles'", tree.place(()))
    for key in tree.value:
        if key != "tiles":
            raise unknown("key", str(key), ["tiles"], tree.place((key,)))
    for name, values in tree.value["tiles"].items():
        place = tree.place(("tiles", name))
        tile = _tile(str(name), width, height, place)
        altitude[tile], terrain[tile] = _values(values, place)
    return altitude, terrain


def _tile(name: str, width: int, height: int, place: str) -> int:
    match = re.fullmatch(r"\s*(\d+)\s*,\s*(\d+)\s*", name)
    if match is None:
        raise InputError(f'a tile is written "x,y", got {name!r}', place)
    x, y = int(match[1]), int(match[2])
    if x >= width or y >= height:
        raise InputError(f"tile {x},{y} is not on the board, which goes from 0,0 to {width - 1},{height - 1}", place)
    return y * SIDE + x


def _values(values: Any, place: str) -> tuple[int, int]:
    if not isinstance(values, dict):
        raise InputError(f"a tile is described by {', '.join(KEYS)}", place)
    for key in values:
        if key not in KEYS:
            raise unknown("key", str(key), KEYS, place)
    altitude, name = values.get("altitude", 0), values.get("terrain", Terrain.field.name)
    if not isinstance(altitude, int) or not -MAX_ALTITUDE <= altitude <= MAX_ALTITUDE:
        raise InputError(f"altitude is a whole number from -{MAX_ALTITUDE} to {MAX_ALTITUDE}, got {altitude!r}", place)
    if name not in Terrain.__members__:
        raise unknown("terrain", str(name), Terrain.__members__, place)
    if values.get("disabled"):
        return altitude, Terrain.disabled
    return altitude, Terrain.blocked if values.get("blocked") else Terrain[name]
