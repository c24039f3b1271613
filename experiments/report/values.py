"""Looks at the values of tables from elsewhere: what a column may not hold is named with its row, never guessed around.

The tables of a run pass as they are; those of a CSV file, or of another program, may hold words where numbers belong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_float_dtype, is_integer_dtype, is_numeric_dtype

from apotheosis.env.errors import InputError, nearest
from apotheosis.experiments import dictionary

KEYS = (
    "match_id", "pair_id", "card_id", "outcome", "seat_a_deck", "seat_b_deck", "seat_a_bot", "seat_b_bot",
)  # fmt: skip
"""Columns without whose value a row says nothing."""
TRUTH = {"true": True, "1": True, "1.0": True, "yes": True, "false": False, "0": False, "0.0": False, "no": False}
CHOICES = {"seat": ("a", "b", "A", "B", "0", "1"), "actor": ("a", "b", "A", "B", "0", "1")}
"""Columns of names of which there are only some; an outcome of another name is counted, and said, as no result."""


@cache
def _kinds(table: str) -> dict[str, str]:
    return {column.name: column.dtype for column in dictionary.tables()[table]}


def checked(part: pd.DataFrame, table: str, path: Path) -> pd.DataFrame:
    """Returns rows of a table with its numbers as numbers.

    Args:
        part: the rows, changed in place.
        table: `matches`, `cards` or `turns`.
        path: the file, for messages.

    Raises:
        InputError: a value is missing where a row needs it, or is none of those that its column may have.
    """
    for name in part.columns:
        kind, values = _kinds(table).get(name), part[name]
        if kind is None:
            continue
        if name in KEYS and values.isna().any():
            raise InputError(f"{_row(part, values.isna())} has no {name}", path)
        if name == "seat" and "team" in part:
            continue  # then the team says whose row it is
        if name in CHOICES:
            _check_choice(part, values, CHOICES[name], path)
        elif kind == "bool" and not (is_bool_dtype(values) or is_numeric_dtype(values)):
            part[name] = _as_truth(part, values, path)
        elif kind not in ("bool", "name", "text"):
            part[name] = _as_number(part, values, name in KEYS, path)
    return part


def _row(part: pd.DataFrame, wrong: pd.Series) -> str:
    """Returns what to call the first row that is wrong: by its match where it has one."""
    place = int(np.flatnonzero(wrong.to_numpy(dtype=bool))[0])
    match = part["match_id"].iloc[place] if "match_id" in part else None
    return "a row" if match is None or pd.isna(match) else f"a row of match {match}"


def _check_choice(part: pd.DataFrame, values: pd.Series, allowed: Sequence[str], path: Path) -> None:
    found = values.dropna()
    known = set(found.unique().tolist()) if not is_numeric_dtype(found) else {str(int(value)) for value in found.unique()}
    for word in sorted(map(str, known)):
        if word not in allowed:
            where = _row(part, values.astype(str) == word) if not is_numeric_dtype(found) else "a row"
            hint = nearest(word, allowed)
            listed = ", ".join(allowed)
            raise InputError(f"{where} has the {values.name} {word!r}; allowed: {listed}{'; ' if hint else ''}{hint}", path)


def _as_truth(part: pd.DataFrame, values: pd.Series, path: Path) -> pd.Series:
    given = values.map(lambda value: value if pd.isna(value) else TRUTH.get(str(value).strip().lower(), "?"))
    wrong = given.map(lambda value: isinstance(value, str))
    if wrong.any():
        raise InputError(f"{_row(part, wrong)} has {_value(values, wrong)} as {values.name}; write true or false", path)
    return given if given.isna().any() else given.astype(bool)


def _as_number(part: pd.DataFrame, values: pd.Series, whole: bool, path: Path) -> pd.Series:
    numbers = values
    if not is_numeric_dtype(values):
        numbers = pd.to_numeric(values.astype(object), errors="coerce")
        wrong = numbers.isna() & values.notna()
        if wrong.any():
            raise InputError(f"{_row(part, wrong)} has {_value(values, wrong)} as {values.name}; a number is needed", path)
    if whole and not is_integer_dtype(numbers) and is_float_dtype(numbers):
        wrong = numbers % 1 != 0
        if wrong.any():
            raise InputError(
                f"{_row(part, wrong)} has {_value(values, wrong)} as {values.name}; a whole number is needed", path
            )
        numbers = numbers.astype(np.int64)
    return numbers


def _value(values: pd.Series, wrong: pd.Series) -> str:
    return repr(str(values[wrong].iloc[0]))
