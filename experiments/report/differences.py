"""What differs between two runs, with intervals: paired match by match where the runs share decks, bots and seeds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from apotheosis.experiments.report.analysis import Analysis
from apotheosis.experiments.report.reading import POOL_COLUMNS
from apotheosis.experiments.stats.fdr import adjust, p_values
from apotheosis.experiments.stats.intervals import Interval, cluster_mean, normal_quantile

SAME = ("pair_id", "seed", "seat_a_deck", "seat_b_deck", "seat_a_bot", "seat_b_bot")
"""Columns that two matches share when they differ in nothing but the cards or rules."""

MEASURES = ("side", "draws", "stints", "decisions", "unfinished")
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
    """Compares the numbers of two runs."""
    matches = (old.run.matches, new.run.matches)
    shared = _shared(*matches)
    other = (shared["outcome_old"] != shared["outcome_new"]).mean() if len(shared) else float("nan")
    return Differences(
        old=old,
        new=new,
        cards=_cards(old, new),
        measures=[m for name in MEASURES if (m := _measure(name, *matches, shared)) is not None],
        shared=len(shared),
        other_end=float(other),
        settings=_settings(old.run.spec, new.run.spec),
    )


def _shared(old: pd.DataFrame, new: pd.DataFrame) -> pd.DataFrame:
    """Returns the matches that both runs played alike, with the columns of both."""
    keys = [name for name in SAME if name in old and name in new]
    if "seed" not in keys:
        return pd.DataFrame()
    both = old.merge(new, on=["match_id", *keys], suffixes=("_old", "_new"))
    return both.reset_index(drop=True)


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
    table["printed"] = [_printed(row) for row in table.to_dict("records")]
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


def _measure(name: str, old: pd.DataFrame, new: pd.DataFrame, shared: pd.DataFrame) -> Measure | None:
    """Returns one number of both runs and its change, over shared matches where most are shared."""
    one, two = _values(name, old), _values(name, new)
    if one is None or two is None or one.notna().sum() == 0 or two.notna().sum() == 0:
        return None
    smaller = min(len(one), len(two))
    if len(shared) >= smaller / 2:
        first, second = _values(name, shared, "_old"), _values(name, shared, "_new")
        assert first is not None and second is not None
        gap = (second - first).dropna()
        change = cluster_mean(gap, shared.loc[gap.index, "pair_id"])
    else:
        parts = [cluster_mean(x.dropna(), matches.loc[x.dropna().index, "pair_id"]) for x, matches in ((one, old), (two, new))]
        gap, se = parts[1].estimate - parts[0].estimate, float(np.hypot(parts[0].se, parts[1].se))
        half = normal_quantile(0.95) * se
        change = Interval(gap, gap - half, gap + half, se, parts[0].n + parts[1].n)
    return Measure(name, float(one.mean()), float(two.mean()), change)


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
