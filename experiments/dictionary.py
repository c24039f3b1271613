"""The data dictionary: every column of every table a run writes, in one place.

The writer builds its Parquet schemas from it, the report prints it, `report` checks foreign tables against it, and the
tests hold the three together. The columns are the rows of `dictionary.csv`; one that is not there does not exist.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from apotheosis.env.errors import InputError, nearest

if TYPE_CHECKING:
    import pyarrow as pa

OUTCOMES = ("win_a", "win_b", "draw", "loop", "cap", "timeout", "crash")
"""The named ends of a match; every issued match has exactly one."""

SCORES = {"win_a": 1.0, "draw": 0.5, "win_b": 0.0}
"""Score of seat A by outcome; the outcomes not listed are unfinished and have none."""

FAILED = tuple(outcome for outcome in OUTCOMES if outcome not in SCORES)
"""Outcomes without a result."""


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes:
        name: as in the Parquet and CSV files.
        dtype: `int16`, `int32`, `int64`, `float32`, `bool`, `text` (free text) or `name` (text from a small set, stored
            dictionary-encoded, read by pandas as a category).
        unit: what one unit is, or "" for names.
        meaning: one phrase, English.
        meaning_pt: the same in Portuguese.
        source: where the value comes from: `plan`, `deck`, `pool`, `kernel` (with the rule id), or a formula.
        nullable: whether the value may be missing.
    """

    name: str
    dtype: str
    unit: str
    meaning: str
    meaning_pt: str
    source: str
    nullable: bool = False


@cache
def tables() -> dict[str, tuple[Column, ...]]:
    """Returns the columns of each table (`matches`, `cards`, `turns`, `pool`, `effects`), in file order."""
    found: dict[str, list[Column]] = {}
    text = files("apotheosis.experiments").joinpath("dictionary.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        table, nullable = row.pop("table"), row.pop("nullable") == "1"
        found.setdefault(table, []).append(Column(nullable=nullable, **row))
    return {table: tuple(columns) for table, columns in found.items()}


def columns(table: str) -> list[str]:
    """Returns the column names of a table, in file order."""
    return [column.name for column in tables()[table]]


def schema(table: str, metadata: dict[str, str] | None = None) -> pa.Schema:
    """Returns the Parquet schema of a table.

    Args:
        table: `matches`, `cards`, `turns`, `pool` or `effects`.
        metadata: key-value metadata of the file.
    """
    import pyarrow as pa

    kinds = {
        "int16": pa.int16(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float32": pa.float32(),
        "bool": pa.bool_(),
        "text": pa.string(),
        "name": pa.dictionary(pa.int32(), pa.string()),
    }
    fields = [pa.field(column.name, kinds[column.dtype], column.nullable) for column in tables()[table]]
    return pa.schema(fields, metadata or None)


def as_markdown() -> str:
    """Returns the data dictionary as a page of documentation."""
    lines = ["# Data dictionary", ""]
    lines += ["Every column of the tables that a run writes. Built from `experiments/dictionary.csv`; a test keeps it"]
    lines += ["current. `name` is text from a small set, stored once and read by pandas as a category; `?` marks columns"]
    lines += ["whose values may be missing.", ""]
    for table, found in tables().items():
        lines += [f"## {table}", "", "| column | type | unit | meaning | source |", "|---|---|---|---|---|"]
        for column in found:
            kind = column.dtype + ("?" if column.nullable else "")
            lines.append(f"| {column.name} | {kind} | {column.unit} | {column.meaning} | {column.source} |")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def check_columns(table: str, given: Iterable[str], where: str) -> None:
    """Refuses a foreign table that lacks documented columns or calls them by another name.

    Args:
        table: `matches`, `cards`, `turns` or `pool`.
        given: the column names found.
        where: the file, for the message.

    Raises:
        InputError: a column is missing; a similar name that was found is pointed out.
    """
    given = list(given)
    for name in columns(table):
        if name not in given:
            strangers = [other for other in given if other not in columns(table)]
            hint = nearest(name, strangers).removesuffix("?").replace("did you mean", "the nearest is")
            raise InputError(f"the table {table} lacks the column {name!r}" + (f"; {hint}" if hint else ""), where)
