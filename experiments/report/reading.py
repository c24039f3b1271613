"""Reads a run folder, or any folder with tables of the documented columns, a piece at a time.

The card table of a run has a row per copy, seat and match and does not fit into memory, so it is handed on in pieces
that hold whole pairs. Foreign tables are welcome: Parquet or CSV, with or without plan and card list.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from apotheosis.env.errors import InputError, nearest
from apotheosis.experiments.dictionary import OUTCOMES, SCORES

NEEDED = {
    "matches": ("match_id", "pair_id", "seat_a_deck", "seat_b_deck", "seat_a_bot", "seat_b_bot", "outcome"),
    "cards": ("match_id", "card_id", "shuffle_position", "opening_hand", "drawn", "placed", "activated"),
}
"""Columns without which there is nothing to report; the other documented ones are used where they exist."""

USED = (
    "match_id",
    "seat",
    "team",
    "hero",
    "card_id",
    "suit",
    "level",
    "rarity",
    "shuffle_position",
    "opening_hand",
    "kept",
    "drawn",
    "placed",
    "placed_turn",
    "activated",
    "reacted",
    "dead_in_hand_turns",
)
"""Columns of the card table that a report reads."""

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

POOL_COLUMNS = (
    "name",
    "suit",
    "level",
    "rarity",
    "score",
    "action",
    "stamina",
    "mana",
    "essence",
    "price",
    "text",
    "status",
    "missing",
)
"""What is kept of the card list."""

CSV_ROWS = 200_000
INCOMPLETE = ("partial", "inert")
"""States of a card in the pool that forbid a verdict."""


@dataclass
class Run:
    """The content of a run folder.

    Attributes:
        folder: the folder.
        plan: content of plan.json, empty where there is none.
        matches: one row per match, sorted by match; score_a follows from the outcome where it is missing.
        pool: one row per card that the pool lists, indexed by card id, with the columns of `POOL_COLUMNS`; grows
            by cards that only the matches know once the card table was read.
    """

    folder: Path
    plan: dict
    matches: pd.DataFrame
    pool: pd.DataFrame
    strangers: set[str] = field(default_factory=set)

    @property
    def spec(self) -> dict:
        """The run's spec, empty where the folder has no plan."""
        return self.plan.get("spec", {})

    @cached_property
    def card_file(self) -> Path | None:
        """The card table, or None."""
        return find_table(self.folder, "cards")

    @cached_property
    def deck_effects(self) -> pd.DataFrame:
        """Treatment effects of the cards where the decks were random: card_id, deck_effect, deck_effect_low and _high."""
        path = find_table(self.folder, "effects")
        names = {"card_id": "card_id", "effect": "deck_effect", "low": "deck_effect_low", "high": "deck_effect_high"}
        if path is None:
            return pd.DataFrame({name: pd.Series(dtype=object if name == "card_id" else float) for name in names.values()})
        need(names, column_names(path), "effects", path)
        found = pd.concat(list(read_parts(path, list(names))), ignore_index=True).rename(columns=names)
        return found.astype({"card_id": str, **dict.fromkeys(list(names.values())[1:], float)})

    @cached_property
    def turn_file(self) -> Path | None:
        """The table of turns, or None."""
        return find_table(self.folder, "turns")

    def chunks(self) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        """Yields pieces of the match table with exactly the card rows of these matches; a pair is never split.

        Raises:
            InputError: the card table lacks a needed column or names a match that the match table does not have.
        """
        if self.card_file is None:
            return
        ids = pd.Index(self.matches["match_id"])
        pair_of = self.matches["pair_id"].to_numpy()
        held: pd.DataFrame | None = None
        done: set[int] = set()
        for part in self._parts():
            row = ids.get_indexer(part["match_id"])
            if (row < 0).any():
                raise InputError(
                    f"names match {part['match_id'].to_numpy()[row < 0][0]}, which the match table does not have",
                    self.card_file,
                )
            part = part.assign(pair=pair_of[row])
            if held is not None:
                part = pd.concat([held, part], ignore_index=True)
            last = part["pair"].iloc[-1]
            held, whole = part[part["pair"] == last], part[part["pair"] != last]
            if len(whole):
                yield self._piece(whole, done)
        if held is not None:
            yield self._piece(held, done)

    def _piece(self, cards: pd.DataFrame, done: set[int]) -> tuple[pd.DataFrame, pd.DataFrame]:
        pairs = set(cards["pair"].unique().tolist())
        again = pairs & done
        if again:
            raise InputError(f"the rows of pair {min(again)} are not together; sort the card table by match_id", self.card_file)
        done |= pairs
        known = cards.drop_duplicates("card_id").set_index("card_id")
        for card in known.index.difference(self.pool.index):
            self.strangers.add(str(card))
            self.pool.loc[card, ["name", *known.columns.intersection(["suit", "level", "rarity"])]] = [
                card,
                *known.loc[card, known.columns.intersection(["suit", "level", "rarity"])],
            ]
        matches = self.matches[self.matches["pair_id"].isin(pairs)].reset_index(drop=True)
        return matches, cards.drop(columns="pair").reset_index(drop=True)

    def _parts(self) -> Iterator[pd.DataFrame]:
        """Yields the card table as it lies in the file, one row group or block of lines at a time."""
        path = self.card_file
        assert path is not None
        given = column_names(path)
        need(NEEDED["cards"], given, "cards", path)
        if not {"team", "seat"} & set(given):
            raise InputError("the table cards needs a column 'team' or 'seat', which is missing", path)
        for part in read_parts(path, [name for name in USED if name in given]):
            if len(part):
                yield _side_numbers(part)


def _side_numbers(cards: pd.DataFrame) -> pd.DataFrame:
    """Adds `team` (0 for side A) and turns `seat` into the number of the hero, as the statistics expect."""
    if "team" not in cards:
        cards["team"] = cards["seat"].astype(str).str.lower().map({"a": 0, "b": 1, "0": 0, "1": 1})
    cards["seat"] = cards["hero"] if "hero" in cards and cards["hero"].nunique() > 1 else cards["team"]
    for name in ("team", "seat"):
        cards[name] = cards[name].astype(np.int64)
    for name in ("card_id", "suit", "rarity"):
        if name in cards:
            cards[name] = cards[name].astype(object)
    return cards


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


def read_parts(path: Path, columns: list[str]) -> Iterator[pd.DataFrame]:
    """Yields the rows of a Parquet or CSV file a piece at a time."""
    import pyarrow.parquet as pq

    if path.suffix == ".csv":
        kinds = {name: kind for name, kind in NAMES.items() if name in columns}
        yield from pd.read_csv(path, usecols=columns, dtype=kinds, chunksize=CSV_ROWS)
        return
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=CSV_ROWS, columns=columns):
            yield batch.to_pandas()


def open_run(folder: Path) -> Run:
    """Opens a run folder.

    Raises:
        InputError: there is no folder, no match table, or a needed column is missing.
    """
    if not folder.is_dir():
        raise InputError("there is no such run folder", folder)
    path = find_table(folder, "matches")
    if path is None:
        raise InputError("holds no matches.parquet or matches.csv; a report needs one", folder)
    given = column_names(path)
    need(NEEDED["matches"], given, "matches", path)
    parts = list(read_parts(path, given))
    if not sum(map(len, parts)):
        raise InputError("holds no finished match yet; play some first (apotheosis resume)", path)
    matches = pd.concat(parts, ignore_index=True).sort_values("match_id", kind="stable", ignore_index=True)
    if matches["match_id"].duplicated().any():
        raise InputError(f"match {matches['match_id'][matches['match_id'].duplicated()].iloc[0]} stands there twice", path)
    for name in matches.columns.intersection(list(NAMES)):
        matches[name] = _shared(matches[name])
    matches["score_a"] = matches["outcome"].map(SCORES).astype(float)
    return Run(folder, _read_plan(folder / "plan.json"), matches, _read_pool(folder))


def _shared(texts: pd.Series) -> pd.Series:
    """Returns a column of texts in which equal texts are one object, so that a row costs a pointer."""
    codes, distinct = pd.factorize(texts, use_na_sentinel=True)
    values = np.append(np.asarray(distinct, dtype=object), np.nan)
    return pd.Series(values[codes], index=texts.index, name=texts.name, dtype=object)


def undocumented_outcomes(matches: pd.DataFrame) -> list[str]:
    """Returns outcomes that the data dictionary does not name."""
    return sorted({str(name) for name in matches["outcome"].unique()} - set(OUTCOMES))


def _read_plan(path: Path) -> dict:
    if not path.is_file():
        return {}
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"is not readable as JSON: {error}", path) from error
    if not isinstance(plan, dict):
        raise InputError("does not hold a plan (a JSON object)", path)
    return plan


def _read_pool(folder: Path) -> pd.DataFrame:
    """Reads the card list of the run; without one the table is empty and cards are known by their id."""
    path = find_table(folder, "pool") or find_table(folder, "cards_meta")
    if path is None:
        return pd.DataFrame(columns=list(POOL_COLUMNS), index=pd.Index([], name="card_id", dtype=object))
    need(("card_id",), column_names(path), "pool", path)
    pool = pd.concat(list(read_parts(path, column_names(path))), ignore_index=True).rename(
        columns={"missing_clause": "missing"}
    )
    pool["card_id"] = pool["card_id"].astype(str)
    pool = pool.drop_duplicates("card_id").set_index("card_id")
    pool = pool.reindex(columns=list(POOL_COLUMNS)).astype(object)
    pool["name"] = pool["name"].fillna(pd.Series(pool.index, index=pool.index))
    return pool
