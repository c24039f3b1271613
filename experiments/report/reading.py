"""Reads a run folder, or any folder with tables of the documented columns, a piece at a time.

The tables of a run do not fit into memory, so they are handed on in pieces that hold whole pairs. Foreign tables are
welcome: Parquet or CSV, with or without plan and card list.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

from apotheosis.env.errors import InputError
from apotheosis.experiments.dictionary import SCORES
from apotheosis.experiments.report.files import MATCH_ROWS, NAMES, column_names, find_table, need, read_parts
from apotheosis.experiments.report.values import checked

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

CHUNK_COLUMNS = ("score_a",)
"""What the statistics of cards need of the match table beside `NEEDED`."""
INCOMPLETE = ("partial", "inert")
"""States of a card in the pool that forbid a verdict."""


@dataclass
class Run:
    """The content of a run folder.

    Attributes:
        folder: the folder.
        plan: content of plan.json, empty where there is none.
        pool: one row per card that the pool lists, indexed by card id, with the columns of `POOL_COLUMNS`; grows
            by cards that only the matches know once the card table was read.
        match_columns: columns of the match table.
        sorted_matches: the match table, sorted by match, where the file does not hold it so with pairs together.
    """

    folder: Path
    plan: dict
    pool: pd.DataFrame
    match_columns: list[str]
    sorted_matches: pd.DataFrame | None = None
    strangers: set[str] = field(default_factory=set)

    @property
    def spec(self) -> dict:
        """The run's spec, empty where the folder has no plan."""
        return self.plan.get("spec", {})

    @property
    def name(self) -> str:
        """What the spec calls the run; where it is called nothing in particular, the folder."""
        given = self.spec.get("run", {}).get("name")
        return str(given) if given not in (None, "run") else self.folder.resolve().name

    @cached_property
    def bot_labels(self) -> dict[str, str]:
        """What bots of the spec are called in a report, where it is not their name: those from a file lose its folders."""
        names = [name for name in self.spec.get("bots", {}).get("pool", []) if "/" in name or "\\" in name]
        found = {}
        for name in names:
            family, _, path = name.partition(":")
            parts = PurePath(path).parts
            endings = (f"{family}:{'/'.join(parts[-count:])}" for count in range(1, len(parts) + 1))
            found[name] = next(label for label in endings if sum(_ends(other, label) for other in names) == 1)
        return found

    @property
    def matches(self) -> pd.DataFrame:
        """The whole match table, read anew, for small runs looked at by hand; the lab itself reads it by `match_parts`."""
        return pd.concat(list(self.match_parts()), ignore_index=True)

    def match_parts(self, columns: Sequence[str] | None = None) -> Iterator[pd.DataFrame]:
        """Yields the match table in pieces sorted by match; a pair is never split. `score_a` follows from the outcome.

        Args:
            columns: what is wanted beside the columns of `NEEDED`; everything without it.
        """
        names = [name for name in self.match_columns if columns is None or name in {*columns, *NEEDED["matches"]}]
        if self.sorted_matches is not None:
            yield self.sorted_matches[list(dict.fromkeys([*names, "score_a"]))]
            return
        path, held = find_table(self.folder, "matches"), None
        assert path is not None
        for part in read_parts(path, names, MATCH_ROWS):
            part = _with_scores(checked(part, "matches", path), self.bot_labels)
            part = part if held is None else pd.concat([held, part], ignore_index=True)
            open_ = part["pair_id"].to_numpy() == part["pair_id"].iloc[-1]
            held = part[open_]
            if not open_.all():
                yield part[~open_].reset_index(drop=True)
        if held is not None:
            yield held.reset_index(drop=True)

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
            InputError: the card table lacks a needed column, names a match that the match table does not have, or has the
                rows of a pair in several places.
        """
        if self.card_file is None:
            return
        ahead, held = _Ahead(self.match_parts(CHUNK_COLUMNS)), None
        for part in self._card_parts():
            part = part if held is None else _joined(held, part)
            place = ahead.places(part["match_id"].to_numpy(), self.card_file)
            whole = int(np.searchsorted(place, place[-1]))
            held = part.iloc[whole:]
            if whole:
                yield self._piece(part.iloc[:whole], ahead.take(place[:whole]))
        if held is not None:
            yield self._piece(held, ahead.take(ahead.places(held["match_id"].to_numpy(), self.card_file)))

    def _piece(self, cards: pd.DataFrame, matches: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Returns one piece; cards that the pool does not list are added to it."""
        known = cards.drop_duplicates("card_id")
        for row in known[~known["card_id"].isin(self.pool.index)].to_dict("records"):
            labels = {name: row[name] for name in ("suit", "level", "rarity") if name in row}
            self.strangers.add(str(row["card_id"]))
            self.pool.loc[row["card_id"], ["name", *labels]] = [row["card_id"], *labels.values()]
        return matches, cards.reset_index(drop=True)

    def _card_parts(self) -> Iterator[pd.DataFrame]:
        """Yields the card table as it lies in the file, some row groups or a block of lines at a time."""
        path = self.card_file
        assert path is not None
        given = column_names(path)
        need(NEEDED["cards"], given, "cards", path)
        if not {"team", "seat"} & set(given):
            raise InputError("the table cards needs a column 'team' or 'seat', which is missing", path)
        for part in read_parts(path, [name for name in USED if name in given]):
            if len(part):
                yield _side_numbers(checked(part, "cards", path))


class _Ahead:
    """The match table, read as far as the card table has come.

    Args:
        parts: the table in pieces, sorted by match.
    """

    def __init__(self, parts: Iterator[pd.DataFrame]):
        self._parts = parts
        self._rows = next(parts)
        self._place = pd.factorize(self._rows["pair_id"])[0]
        self._done = self._rows["match_id"].iloc[0] - 1

    def places(self, ids: np.ndarray, path: Path) -> np.ndarray:
        """Returns numbers of the pairs of matches, which do not fall.

        Args:
            ids: match of each card row.
            path: the card table, for messages.

        Raises:
            InputError: a match is not in the table, or the rows of a pair are in several places.
        """
        while self._rows.empty or self._rows["match_id"].iloc[-1] < ids.max():
            more = next(self._parts, None)
            if more is None:
                break
            self._rows = pd.concat([self._rows, more], ignore_index=True)
            self._place = pd.factorize(self._rows["pair_id"])[0]
        row = pd.Index(self._rows["match_id"]).get_indexer(ids)
        unknown = (row < 0) & (ids > self._done)
        if unknown.any():
            raise InputError(f"names match {ids[unknown][0]}, which the match table does not have", path)
        place = np.where(row < 0, -1, self._place[row])
        back = np.flatnonzero(np.diff(place, prepend=0) < 0)
        if back.size:
            raise InputError(
                f"the rows of the pair of match {ids[back[0]]} are not together; sort the card table by match_id", path
            )
        return place

    def take(self, place: np.ndarray) -> pd.DataFrame:
        """Returns the matches of some pairs, and forgets them and those before them."""
        taken, rows = np.isin(self._place, place), self._rows
        left = self._place > place[-1]
        self._done = max(self._done, rows["match_id"].to_numpy()[~left].max())
        self._rows = rows[left].reset_index(drop=True)
        self._place = pd.factorize(self._rows["pair_id"])[0]
        return rows[taken].reset_index(drop=True)


def _joined(one: pd.DataFrame, two: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows of two tables; names stay categories."""
    both = pd.concat([one, two], ignore_index=True)
    for name in both:
        if isinstance(one[name].dtype, pd.CategoricalDtype):
            both[name] = union_categoricals([one[name], two[name]])
    return both


def _side_numbers(cards: pd.DataFrame) -> pd.DataFrame:
    """Adds `team` (0 for side A) and turns `seat` into the number of the hero, as the statistics expect."""
    if "team" not in cards:
        cards["team"] = cards["seat"].astype(str).str.lower().map({"a": 0, "b": 1, "0": 0, "1": 1})
    cards["seat"] = cards["hero"] if "hero" in cards and cards["hero"].nunique() > 1 else cards["team"]
    for name in ("team", "seat"):
        cards[name] = cards[name].astype(np.int64)
    for name in ("card_id", "suit", "rarity"):
        if name in cards:
            cards[name] = cards[name].astype("category")
    return cards


def _ends(name: str, label: str) -> bool:
    """Tells whether a label, `family:end of a path`, could stand for a bot."""
    family, _, path = name.partition(":")
    other, _, ending = label.partition(":")
    count = len(PurePath(ending).parts)
    return family == other and PurePath(path).parts[-count:] == PurePath(ending).parts


def _with_scores(matches: pd.DataFrame, bots: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Returns matches with names as plain texts, each one object, and the score that follows from the outcome.

    Args:
        matches: rows of a match table.
        bots: what bots are called instead.
    """
    for name in matches.columns.intersection(list(NAMES)):
        codes, distinct = pd.factorize(matches[name], use_na_sentinel=True)
        if bots and name.endswith("_bot"):
            distinct = [bots.get(str(one), one) for one in distinct]
        values = np.append(np.asarray(distinct, dtype=object), np.nan)
        matches[name] = pd.Series(values[codes], index=matches.index, dtype=object)
    matches["score_a"] = matches["outcome"].map(SCORES).astype(float)
    return matches


def open_run(folder: Path) -> Run:
    """Opens a run folder.

    Raises:
        InputError: there is no folder, no match table, or a needed column is missing.
    """
    if not folder.is_dir():
        raise InputError("there is no such run folder", folder)
    path = find_table(folder, "matches")
    if path is None:
        begun = (folder / "plan.json").is_file()
        advice = f"; wait for the run, or finish it: apotheosis resume {folder}" if begun else ""
        raise InputError(f"holds no matches.parquet or matches.csv; a report needs one{advice}", folder)
    given = column_names(path)
    need(NEEDED["matches"], given, "matches", path)
    matches, last = None, (-np.inf, -np.inf)
    for part in read_parts(path, ["match_id", "pair_id"], MATCH_ROWS):
        if part.empty:  # a CSV table of nothing but its head
            continue
        part = checked(part, "matches", path)
        rises = all(
            np.diff(part[name], prepend=before).min(initial=1) >= least
            for name, before, least in zip(("match_id", "pair_id"), last, (1, 0), strict=True)
        )
        if not rises:
            matches = _sorted_matches(path, given)
            break
        last = (part["match_id"].iloc[-1], part["pair_id"].iloc[-1])
    if last[0] == -np.inf and matches is None:
        raise InputError("holds no finished match yet; play some first (apotheosis resume)", path)
    return Run(folder, _read_plan(folder / "plan.json"), _read_pool(folder), given, matches)


def _sorted_matches(path: Path, columns: list[str]) -> pd.DataFrame:
    """Returns a match table whose file is not sorted, sorted by match.

    Raises:
        InputError: a match stands there twice.
    """
    parts = [checked(part, "matches", path) for part in read_parts(path, columns, MATCH_ROWS)]
    matches = pd.concat(parts, ignore_index=True)
    matches = matches.sort_values("match_id", kind="stable", ignore_index=True)
    if matches["match_id"].duplicated().any():
        raise InputError(f"match {matches['match_id'][matches['match_id'].duplicated()].iloc[0]} stands there twice", path)
    return _with_scores(matches)


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
