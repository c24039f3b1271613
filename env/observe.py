"""Observations: what a seat may know of a match, as arrays of fixed shape (ARENA A8).

An observation is a dictionary of int16 arrays:

    cards   (160, 43)  row k is the card that action Act.CARD + k names: own copies by copy number, then what is seen of
                       the other heroes' cards (`rules/view.py`)
    chars   (48, 53)   row k is character k
    tiles   (121, 9)   row k is tile k (y * 11 + x)
    match   (32,)      time, format, the pending question and the draft

The columns are the enumerations of `rules/tokens.py`, explained in docs/observations.md. Two matches that differ only
in what the seat may not know give equal observations.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.errors import InputError
from apotheosis.env.rules.codes import Act, Decision, Kind
from apotheosis.env.rules.layout import CHARS, MATCH, TILES
from apotheosis.env.rules.tokens import CARD_ROWS, CardField, CharField, MatchField, TileField

if TYPE_CHECKING:
    from gymnasium import spaces
    from numpy.typing import ArrayLike

    from apotheosis.env.cards.pool import Pool
    from apotheosis.env.match import Match

SHAPES: dict[str, tuple[int, ...]] = {
    "cards": (CARD_ROWS, int(CardField.SIZE)),
    "chars": (CHARS, int(CharField.SIZE)),
    "tiles": (TILES, int(TileField.SIZE)),
    "match": (int(MatchField.SIZE),),
}
"""Shape of each array of an observation."""

Observation = dict[str, np.ndarray]


def empty(count: int) -> Observation:
    """Returns zeroed arrays for the observations of several matches, each with a leading axis of `count`."""
    return {name: np.zeros((count, *shape), np.int16) for name, shape in SHAPES.items()}


def observe_many(
    matches: np.ndarray, pool: Pool, seats: np.ndarray | None = None, out: Observation | None = None
) -> Observation:
    """Returns the observations of several matches.

    Args:
        matches: MATCH records, shape (n,).
        pool: their cards.
        seats: int64 (n,), the seat that looks at each match, 0 or 1; None for the asked one.
        out: arrays of `empty(n)` to write to; None makes new ones.

    Returns:
        Arrays with a leading axis of n.
    """
    from apotheosis.env.rules.observe_door import observe as door

    n = len(matches)
    out = empty(n) if out is None else out
    looking = np.full(n, -1, np.int64) if seats is None else whole_numbers(seats, "seats", n, -1, 2)
    scratch = np.zeros(1, MATCH)
    door(matches, 0, n, scratch, pool.record, looking, out["cards"], out["chars"], out["tiles"], out["match"])
    return out


def whole_numbers(given: ArrayLike, name: str, n: int | None, low: int, high: int) -> np.ndarray:
    """Returns numbers for the kernel, which reads as many as there are matches and looks at no limit itself.

    Args:
        given: int (n,).
        name: what they are, for the message.
        n: how many there must be; None for any number.
        low, high: the least that is allowed, and the first above it that is not.

    Raises:
        InputError: they are not whole numbers, too few or too many, or one lies outside.
    """
    found = np.asarray(given)
    if not found.size and not n:
        return np.zeros(0, np.int64)
    if found.ndim != 1 or (n is not None and len(found) != n) or not np.issubdtype(found.dtype, np.integer):
        wanted = f"{'' if n is None else f'{n} '}whole numbers in one row"
        raise InputError(f"{name} must be {wanted}, not {found.dtype} of shape {found.shape}")
    outside = np.flatnonzero((found < low) | (found >= high))
    if len(outside):
        at = int(outside[0])
        raise InputError(f"{name}[{at}] must be from {low} to {high - 1}, not {int(found[at])}")
    return np.ascontiguousarray(found, np.int64)


def observe(match: Match, seat: int | None = None) -> Observation:
    """Returns what a seat may know of a match.

    Args:
        match: the match.
        seat: 0 for A, 1 for B; None for the asked one (A once the match is over).
    """
    seats = None if seat is None else np.array([seat], np.int64)
    return {name: array[0] for name, array in observe_many(match.matches, match.pool, seats).items()}


def space() -> spaces.Dict:
    """Returns the Gymnasium space of an observation."""
    from gymnasium import spaces

    limit = np.iinfo(np.int16)
    return spaces.Dict({name: spaces.Box(limit.min, limit.max, shape, np.int16) for name, shape in SHAPES.items()})


@cache
def schema() -> dict[str, Any]:
    """Returns the names and numbers that observations and actions are made of."""
    columns = {"cards": CardField, "chars": CharField, "tiles": TileField, "match": MatchField}
    return {
        "shapes": {name: list(shape) for name, shape in SHAPES.items()},
        "columns": {name: {field.name: int(field) for field in fields} for name, fields in columns.items()},
        "actions": {block.name: int(block) for block in Act},
        "kinds": {kind.name: int(kind) for kind in Kind},
        "questions": {question.name: int(question) for question in Decision},
    }


@cache
def schema_hash() -> str:
    """Returns a digest of the schema, 16 hexadecimal digits; a policy is only valid for the schema it learned with."""
    text = json.dumps(schema(), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
