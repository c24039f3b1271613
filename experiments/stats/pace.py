"""How matches run: advantage of a side and of the first mover, length, and outcomes that add up.

In mirrored pairs both sides hold each deck once, so the mean score of side A is the side's advantage and nothing
else. Who moves first is decided by initiative and thus by the decks; its advantage is estimated only where a random
draw decided it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from apotheosis.experiments.stats.intervals import Interval, cluster_ratio, wilson
from apotheosis.experiments.stats.moments import ClusterMoments
from apotheosis.experiments.stats.sides import deck_pair

__all__ = ["OUTCOMES", "Length", "bounds", "first_mover", "length", "outcomes", "side_advantage", "side_by_matchup"]

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


def side_advantage(matches: pd.DataFrame, level: float = 0.95) -> Interval:
    """Returns side A's mean score minus one half, clustered by pair; 0.01 is one point."""
    done = matches[matches["score_a"].notna()]
    scores = done["score_a"].to_numpy(dtype=float)
    return cluster_ratio(scores, np.ones(len(done)), done["pair_id"].to_numpy(), level).shifted(-0.5)


def side_by_matchup(matches: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Returns side A's advantage per unordered deck pair: deck_pair, advantage, low, high, games."""
    done = matches[matches["score_a"].notna()]
    rows = []
    for name, part in done.groupby(deck_pair(done), sort=True):
        found = side_advantage(part, level)
        rows.append((name, found.estimate, found.low, found.high, len(part)))
    return pd.DataFrame(rows, columns=["deck_pair", "advantage", "low", "high", "games"])


def first_mover(matches: pd.DataFrame, randomised: ArrayLike, level: float = 0.95) -> Interval | None:
    """Returns the first mover's mean score minus one half, or None where it is not identified.

    Args:
        matches: the `matches` frame; first_team is "a", "b" or missing.
        randomised: one truth value, or one per match: the order of that match was drawn at random (`initiative:
            random`, or tied initiative). Other matches say nothing about the first mover, because their decks decided
            it.
        level: coverage.

    The two sides are weighted equally, so a side advantage does not leak in. Source: METHOD section 1, adjusted effect.
    """
    usable = np.broadcast_to(np.asarray(randomised, dtype=bool), (len(matches),))
    usable = usable & matches["score_a"].notna().to_numpy() & matches["first_team"].isin(["a", "b"]).to_numpy()
    done = matches[usable]
    a_first = (done["first_team"] == "a").to_numpy()
    if a_first.sum() == 0 or (~a_first).sum() == 0:
        return None
    score = done["score_a"].to_numpy(dtype=float)
    cells = pd.DataFrame({"n1": a_first * 1.0, "s1": a_first * score, "n2": ~a_first * 1.0, "s2": ~a_first * (1 - score)})
    sums = cells.groupby(done["pair_id"].to_numpy()).sum().to_numpy()
    moments = ClusterMoments.from_cells(np.zeros(len(sums), dtype=np.int64), sums, 1)
    both = moments.ratio_mean((1, 0), (3, 2), level)
    estimate, low, high, se = (float(np.ravel(part)[0]) for part in (both.estimate, both.low, both.high, both.se))
    first = Interval(estimate, low, high, se, len(sums), level)
    return first.shifted(-0.5)


def length(matches: pd.DataFrame, measure: str = "turns") -> Length:
    """Returns quantiles of the length of finished matches."""
    values = matches.loc[matches["score_a"].notna(), measure].to_numpy(dtype=float)
    if values.size == 0:
        return Length(measure, np.nan, np.nan, np.nan, np.nan, 0)
    low, middle, high = np.percentile(values, [5, 50, 95])
    return Length(measure, float(middle), float(low), float(high), float(values.mean()), values.size)


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
