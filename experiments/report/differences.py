"""What differs between two runs, with intervals: paired match by match where the runs share decks, bots and seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from apotheosis.experiments.report.analysis import Analysis
from apotheosis.experiments.report.reading import POOL_COLUMNS, Run
from apotheosis.experiments.stats.fdr import adjust, p_values
from apotheosis.experiments.stats.intervals import Interval, normal_quantile
from apotheosis.experiments.stats.moments import ClusterMoments

SAME = ("pair_id", "seed", "seat_a_deck", "seat_b_deck", "seat_a_bot", "seat_b_bot")
"""Columns that two matches share when they differ in nothing but the cards or rules."""

MEASURES = ("side", "draws", "stints", "decisions", "unfinished")
READ = ("seed", "score_a", "stints", "decisions")
"""Columns of the match table that are read beside those that every match table has."""

PRINTED = tuple(name for name in POOL_COLUMNS if name not in ("name", "missing"))
"""What of a card is compared between the card lists."""


@dataclass(frozen=True)
class Measure:
    """One number of both runs and its change."""

    name: str
    before: float
    after: float
    change: Interval


@dataclass(frozen=True)
class Differences:
    """What differs between two runs.

    Attributes:
        old, new: the numbers of the runs.
        cards: one row per card of either run: its effects before and after, their difference with interval and q, and
            what was changed in print.
        measures: numbers of the matches.
        shared: matches that both runs played with the same decks, bots and seeds.
        other_end: share of the shared matches that ended differently; nan where none are shared.
        settings: spec keys that differ, as (key, before, after).
    """

    old: Analysis
    new: Analysis
    cards: pd.DataFrame
    measures: list[Measure]
    shared: int
    other_end: float
    settings: list[tuple[str, object, object]]


def differences(old: Analysis, new: Analysis) -> Differences:
    """Compares the numbers of two runs; their match tables are read in pieces."""
    runs = (old.run, new.run)
    both = _Both(*runs)
    return Differences(
        old=old,
        new=new,
        cards=_cards(old, new),
        measures=_measures(runs, both),
        shared=both.count,
        other_end=both.other_end / both.count if both.count else float("nan"),
        settings=_settings(old.run.spec, new.run.spec),
    )


class _Mean:
    """One number per match, added up: its mean, and the mean of the means of pairs with its spread."""

    def __init__(self) -> None:
        self._sum = self._count = 0.0
        self._pairs = ClusterMoments.empty(1, 2)

    def add(self, values: pd.Series, pairs: pd.Series) -> None:
        """Adds the matches that have a value; a pair never comes back."""
        known = values.notna().to_numpy()
        found = values.to_numpy(dtype=float)[known]
        self._sum, self._count = self._sum + found.sum(), self._count + len(found)
        rows = np.stack([found, np.ones(len(found))], axis=1)
        self._pairs = self._pairs + ClusterMoments.of_rows(rows, pairs.to_numpy()[known], means=True)

    @property
    def value(self) -> float:
        """The mean over matches; nan without any."""
        return self._sum / self._count if self._count else float("nan")

    def interval(self) -> Interval:
        """Returns the mean of the means of pairs."""
        return self._pairs.mean()


class _Both:
    """The matches that two runs played alike, added up.

    Attributes:
        count: how many they are.
        other_end: how many of them ended differently.
        changes: the change of each measure, where both tables have it.
    """

    def __init__(self, old: Run, new: Run):
        self.count = self.other_end = 0
        self.changes: dict[str, _Mean] = {}
        keys = [name for name in SAME if name in old.match_columns and name in new.match_columns]
        if "seed" in keys:
            for one, two in _side_by_side(old.match_parts(READ), new.match_parts(READ)):
                self._add(one.merge(two, on=["match_id", *keys], suffixes=("_old", "_new")))

    def _add(self, both: pd.DataFrame) -> None:
        self.count += len(both)
        self.other_end += int((both["outcome_old"] != both["outcome_new"]).sum())
        for name in MEASURES:
            before, after = _values(name, both, "_old"), _values(name, both, "_new")
            if before is not None and after is not None:
                self.changes.setdefault(name, _Mean()).add(after - before, both["pair_id"])


def _side_by_side(old: Iterator[pd.DataFrame], new: Iterator[pd.DataFrame]) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """Yields the pieces of two match tables that reach equally far.

    A piece ends where a piece of one of the tables ends, so a pair that both hold is in one of them whole.
    """
    one, two = next(old, None), next(new, None)
    while one is not None and two is not None:
        last = min(one["match_id"].iloc[-1], two["match_id"].iloc[-1])
        here = tuple(int(np.searchsorted(part["match_id"], last, side="right")) for part in (one, two))
        yield one.iloc[: here[0]], two.iloc[: here[1]]
        one = one.iloc[here[0] :] if here[0] < len(one) else next(old, None)
        two = two.iloc[here[1] :] if here[1] < len(two) else next(new, None)


def _cards(old: Analysis, new: Analysis) -> pd.DataFrame:
    """Returns the joint card table, largest change first."""
    columns = ["card_id", "name", *PRINTED, "effect", "effect_se", "verdict", "games"]
    table = old.cards[columns].merge(new.cards[columns], on="card_id", how="outer", suffixes=("_old", "_new"))
    table["name"] = table["name_new"].fillna(table["name_old"])
    table["change"] = table["effect_new"] - table["effect_old"]
    se = np.hypot(table["effect_se_old"], table["effect_se_new"])
    table["change_low"] = table["change"] - normal_quantile(0.95) * se
    table["change_high"] = table["change"] + normal_quantile(0.95) * se
    table["q"] = adjust(p_values(table["change"], se))
    unlisted = old.run.strangers | new.run.strangers  # no card list says what is printed on them
    table["printed"] = [[] if row["card_id"] in unlisted else _printed(row) for row in table.to_dict("records")]
    order = table["change"].abs().sort_values(ascending=False, na_position="last", kind="stable").index
    return table.reindex(order).reset_index(drop=True)


def _printed(row: dict) -> list[tuple[str, object, object]]:
    """Returns what differs in print between the two versions of a card, as (column, before, after)."""
    if pd.isna(row["name_old"]) or pd.isna(row["name_new"]):
        return []
    found = []
    for name in PRINTED:
        before, after = row[f"{name}_old"], row[f"{name}_new"]
        if not (pd.isna(before) and pd.isna(after)) and before != after:
            found.append((name, before, after))
    return found


def _values(name: str, matches: pd.DataFrame, ending: str = "") -> pd.Series | None:
    """Returns one number per match; missing where a match has no result and the number needs one."""
    score = matches[f"score_a{ending}"]
    if name == "side":
        return score - 0.5
    if name == "unfinished":
        return score.isna().astype(float)
    if name == "draws":
        return (matches[f"outcome{ending}"] == "draw").astype(float).where(score.notna())
    column = f"{name}{ending}"
    return matches[column].astype(float).where(score.notna()) if column in matches else None


def _measures(runs: tuple[Run, Run], both: _Both) -> list[Measure]:
    """Returns the numbers of both runs and their changes, over shared matches where most are shared."""
    means, sizes = [], []
    for run in runs:
        found, size = {name: _Mean() for name in MEASURES}, 0
        for part in run.match_parts(READ):
            size += len(part)
            for name in MEASURES:
                values = _values(name, part)
                if values is not None:
                    found[name].add(values, part["pair_id"])
        means.append(found)
        sizes.append(size)
    rows = []
    for name in MEASURES:
        one, two = (found[name] for found in means)
        if np.isnan(one.value) or np.isnan(two.value):
            continue
        paired = both.count >= min(sizes) / 2
        change = both.changes[name].interval() if paired else _apart(one.interval(), two.interval())
        rows.append(Measure(name, one.value, two.value, change))
    return rows


def _apart(one: Interval, two: Interval) -> Interval:
    """Returns the difference of two independent means."""
    gap, se = float(two.estimate) - float(one.estimate), float(np.hypot(one.se, two.se))
    half = normal_quantile(0.95) * se
    return Interval(gap, gap - half, gap + half, se, one.n + two.n)


def _settings(old: dict, new: dict) -> list[tuple[str, object, object]]:
    """Returns the spec keys whose values differ; how the work was spread is no difference."""
    spread = {"name", "workers", "backend", "address", "max_time", "out", "dry_run", "match_timeout"}
    found = []
    for section in sorted({*old, *new}):
        one, two = old.get(section) or {}, new.get(section) or {}
        for key in sorted({*one, *two}):
            if one.get(key) != two.get(key) and not (section == "run" and key in spread) and section != "report":
                found.append((f"{section}.{key}", one.get(key), two.get(key)))
    return found
