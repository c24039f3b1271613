"""Tables as files, Parquet or CSV: where they lie, which columns they have, and their rows in pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from apotheosis.env.errors import InputError, nearest
from apotheosis.experiments.store import reading

NAMES = {
    "card_id": "str",
    "seat": "str",
    "suit": "str",
    "rarity": "str",
    "seat_a_deck": "str",
    "seat_b_deck": "str",
    "seat_a_bot": "str",
    "seat_b_bot": "str",
    "outcome": "str",
    "first_team": "str",
}
"""Columns that stay text even where a CSV file holds digits."""

PIECE_ROWS = 200_000
"""Rows of the card table that are held at a time, about."""
MATCH_ROWS = 10_000
"""Rows of the match table that are held at a time, about."""


def find_table(folder: Path, name: str) -> Path | None:
    """Returns the Parquet or CSV file of a table, or None."""
    return next((path for suffix in ("parquet", "csv") if (path := folder / f"{name}.{suffix}").is_file()), None)


def column_names(path: Path) -> list[str]:
    """Returns the column names of a Parquet or CSV file.

    Raises:
        InputError: the file cannot be read as what its name says.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        if path.suffix == ".parquet":
            return pq.read_schema(path).names
        return list(pd.read_csv(path, nrows=0).columns)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"cannot be read as {path.suffix[1:]}: {str(error).splitlines()[0]}", path) from error


def need(columns: Iterable[str], given: list[str], table: str, path: Path) -> None:
    """Raises InputError for the first needed column that a file lacks, naming a similar one where there is one."""
    for name in columns:
        if name not in given:
            hint = nearest(name, given)
            raise InputError(f"the table {table} needs a column {name!r}, which is missing{'; ' if hint else ''}{hint}", path)


def read_parts(path: Path, columns: list[str], rows: int | None = None) -> Iterator[pd.DataFrame]:
    """Yields the rows of a Parquet or CSV file in pieces.

    Args:
        path: the file.
        columns: what to read.
        rows: rows of a piece, about; `PIECE_ROWS` without it.

    Raises:
        InputError: the file cannot be read to its end.
    """
    import pyarrow.parquet as pq

    rows = rows or PIECE_ROWS
    if path.suffix == ".csv":
        kinds = {name: kind for name, kind in NAMES.items() if name in columns}
        try:
            yield from pd.read_csv(path, usecols=columns, dtype=kinds, chunksize=rows)
        except (pd.errors.ParserError, UnicodeDecodeError) as error:
            raise InputError(f"cannot be read as csv: {str(error).splitlines()[0]}", path) from error
        return
    with reading(path), pq.ParquetFile(path) as file:
        for groups in _row_groups(file, rows):
            if len(groups) > 1:
                yield file.read_row_groups(groups, columns=columns).to_pandas()
            else:
                for batch in file.iter_batches(batch_size=rows, row_groups=groups, columns=columns):
                    yield batch.to_pandas()


def _row_groups(file: Any, rows: int) -> Iterator[list[int]]:
    """Yields row groups of a Parquet file that follow each other, together of at most so many rows or a single one."""
    groups, size = [], 0
    for group in range(file.num_row_groups):
        more = file.metadata.row_group(group).num_rows
        if groups and size + more > rows:
            yield groups
            groups, size = [], 0
        groups.append(group)
        size += more
    if groups:
        yield groups
