"""How matches run: advantage of a side and of the first mover, length, and outcomes that add up.

In mirrored pairs both sides hold each deck once, so the mean score of side A is the side's advantage and nothing
else. Who moves first is decided by initiative and thus by the decks; its advantage is estimated only where a random
draw decided it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from apotheosis.experiments.stats.intervals import Interval, wilson
from apotheosis.experiments.stats.moments import ClusterMoments
from apotheosis.experiments.stats.sides import deck_pair

__all__ = [
    "OUTCOMES",
    "Length",
    "bounds",
    "first_moments",
    "first_mover",
    "first_of",
    "length",
    "length_of",
    "outcomes",
    "percentiles",
    "side_advantage",
    "side_by_matchup",
    "side_moments",
]

OUTCOMES = ("win_a", "win_b", "draw", "loop", "cap", "timeout", "crash")
"""The only ways a match may end in the tables."""


@dataclass(frozen=True)
class Length:
    """Quantiles of one measure of match length.

    Attributes:
        measure: column name: turns, stints or decisions.
        median: 50th percentile.
        p05: 5th percentile.
        p95: 95th percentile.
        mean: mean.
        matches: finished matches.
    """

    measure: str
    median: float
    p05: float
    p95: float
    mean: float
    matches: int


def side_moments(matches: pd.DataFrame) -> ClusterMoments:
    """Returns score and number of finished matches at side A, clustered by pair; those of other pieces can be added."""
    done = matches[matches["score_a"].notna()]
    scores = done["score_a"].to_numpy(dtype=float)
    return ClusterMoments.of_rows(np.stack([scores, np.ones(len(done))], axis=1), done["pair_id"].to_numpy())


def side_advantage(matches: pd.DataFrame, level: float = 0.95) -> Interval:
    """Returns side A's mean score minus one half, clustered by pair; 0.01 is one point."""
    return side_moments(matches).share(level=level).shifted(-0.5)


def side_by_matchup(matches: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Returns side A's advantage per unordered deck pair: deck_pair, advantage, low, high, games."""
    done = matches[matches["score_a"].notna()]
    rows = []
    for name, part in done.groupby(deck_pair(done), sort=True):
        found = side_advantage(part, level)
        rows.append((name, found.estimate, found.low, found.high, len(part)))
    return pd.DataFrame(rows, columns=["deck_pair", "advantage", "low", "high", "games"])


def first_moments(matches: pd.DataFrame, randomised: ArrayLike) -> ClusterMoments:
    """Returns games and scores of the first mover at side A and at side B; arguments as of `first_mover`."""
    usable = np.broadcast_to(np.asarray(randomised, dtype=bool), (len(matches),))
    usable = usable & matches["score_a"].notna().to_numpy() & matches["first_team"].isin(["a", "b"]).to_numpy()
    done = matches[usable]
    a_first = (done["first_team"] == "a").to_numpy()
    score = done["score_a"].to_numpy(dtype=float)
    cells = np.stack([a_first * 1.0, a_first * score, ~a_first * 1.0, ~a_first * (1 - score)], axis=1)
    return ClusterMoments.of_rows(cells, done["pair_id"].to_numpy())


def first_of(moments: ClusterMoments, level: float = 0.95) -> Interval | None:
    """Returns the first mover's mean score minus one half from `first_moments`, or None where it is not identified.

    The two sides are weighted equally, so a side advantage does not leak in. Source: METHOD section 1, adjusted effect.
    """
    if moments.totals[0, 0] == 0 or moments.totals[0, 2] == 0:
        return None
    both = moments.ratio_mean((1, 0), (3, 2), level)
    estimate, low, high, se = (float(np.ravel(part)[0]) for part in (both.estimate, both.low, both.high, both.se))
    return Interval(estimate, low, high, se, int(moments.clusters[0]), level).shifted(-0.5)


def first_mover(matches: pd.DataFrame, randomised: ArrayLike, level: float = 0.95) -> Interval | None:
    """Returns the first mover's mean score minus one half, or None where it is not identified.

    Args:
        matches: the `matches` frame; first_team is "a", "b" or missing.
        randomised: one truth value, or one per match: the order of that match was drawn at random (`initiative:
            random`, or tied initiative). Other matches say nothing about the first mover, because their decks decided
            it.
        level: coverage.
    """
    return first_of(first_moments(matches, randomised), level)


def percentiles(counts: Mapping[float, int], shares: Sequence[float]) -> list[float]:
    """Returns percentiles, as `numpy.percentile` does, of values that were counted.

    Args:
        counts: how often each value occurred.
        shares: the percentiles, 0 to 100.
    """
    values = np.array(sorted(counts), dtype=float)
    ends = np.cumsum([counts[value] for value in sorted(counts)])
    found = []
    for share in shares:
        at = (ends[-1] - 1) * share / 100
        low, high = (values[np.searchsorted(ends, place, side="right")] for place in (np.floor(at), np.ceil(at)))
        found.append(float(low + (high - low) * (at - np.floor(at))))
    return found


def length_of(counts: Mapping[float, int], measure: str) -> Length:
    """Returns quantiles of the length of finished matches from the number of matches of each length."""
    matches = sum(counts.values())
    if matches == 0:
        return Length(measure, np.nan, np.nan, np.nan, np.nan, 0)
    low, middle, high = percentiles(counts, [5, 50, 95])
    mean = sum(value * n for value, n in counts.items()) / matches
    return Length(measure, middle, low, high, float(mean), matches)


def length(matches: pd.DataFrame, measure: str = "turns") -> Length:
    """Returns quantiles of the length of finished matches."""
    return length_of(matches.loc[matches["score_a"].notna(), measure].value_counts().to_dict(), measure)


def outcomes(matches: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Returns outcome, matches, share, low and high for every named outcome, zero counts included.

    Raises:
        ValueError: a match ended in an outcome without a name, so the counts would not add up to the matches issued.
    """
    counts = matches["outcome"].astype(str).value_counts()
    unknown = sorted(set(counts.index) - set(OUTCOMES))
    if unknown:
        raise ValueError(f"{unknown[0]} is no outcome of a match; outcomes are {', '.join(OUTCOMES)}")
    n = np.array([int(counts.get(name, 0)) for name in OUTCOMES])
    share = wilson(n, np.full(n.size, max(len(matches), 1)), level)
    return pd.DataFrame({"outcome": OUTCOMES, "matches": n, "share": share.estimate, "low": share.low, "high": share.high})


def bounds(matches: pd.DataFrame) -> tuple[float, float, float]:
    """Returns the share of unfinished matches and side A's mean score with them counted as lost and as won."""
    scores = matches["score_a"].to_numpy(dtype=float, na_value=np.nan)
    if scores.size == 0:
        return np.nan, np.nan, np.nan
    missing = np.isnan(scores)
    return (
        float(missing.mean()),
        float(np.nansum(scores) / scores.size),
        float((np.nansum(scores) + missing.sum()) / scores.size),
    )
