"""Scores of mirrored pairs: the unit of observation of every causal comparison.

Two matches with the same seeds and exchanged seats are correlated, so the pair, not the match, is one observation.
Its score takes the five values 0, 1/4, 1/2, 3/4 and 1 (METHOD section 0).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from apotheosis.experiments.stats.intervals import Interval, cluster_share

__all__ = ["CELLS", "INDEPENDENT_VARIANCE", "PairSummary", "pair_scores", "pentanomial", "summarise"]

CELLS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""Possible scores of a pair."""

INDEPENDENT_VARIANCE = 0.125
"""Variance of the pair score of two independent even games without draws: 0.25 / 2."""


@dataclass(frozen=True)
class PairSummary:
    """What a set of mirrored pairs says.

    Attributes:
        score: mean pair score with its interval over pairs.
        counts: int64 (5,), pairs with score 0, 1/4, 1/2, 3/4, 1.
        variance: variance of the pair score.
        rho: correlation of the two games of a pair; negative when seats or decks decide games. A pair score's variance
            is (1 + rho) times that of independent games.
        games_saved: 1 - variance / 0.125, the share of games saved against independent even games.
        unfinished: pairs left out of the mean because a game has no result.
    """

    score: Interval
    counts: NDArray[np.int64]
    variance: float
    rho: float
    games_saved: float
    unfinished: int


def pair_scores(matches: pd.DataFrame, candidate: Collection[str] | None = None) -> pd.DataFrame:
    """Returns one row per mirrored pair, in issue order.

    Args:
        matches: the `matches` frame; needs match_id, pair_id, seat_a_deck, seat_b_deck, seat_a_bot, seat_b_bot,
            score_a.
        candidate: names of the decks whose side is scored; without it the side that holds seat A in the first match.

    Returns:
        pair_id, first and second (scores of the candidate's side in the two matches, nan if unfinished), score (their
        mean, nan if either is unfinished), low and high (score with unfinished games counted as lost and as won).

    Raises:
        ValueError: a pair does not consist of two matches with exchanged sides, or both or neither of its sides are
            candidates.
    """
    ordered = matches.sort_values(["pair_id", "match_id"], kind="stable")
    ids = ordered["pair_id"].to_numpy()
    if ids.size % 2 or (ids[0::2] != ids[1::2]).any() or np.unique(ids).size * 2 != ids.size:
        counts = pd.Series(ids).value_counts()
        odd = counts.index[counts != 2][0] if (counts != 2).any() else ids[0]
        raise ValueError(f"pair {odd} does not have exactly two matches")
    one, two = ordered.iloc[0::2], ordered.iloc[1::2]
    for side, other in (("a", "b"), ("b", "a")):
        for what in ("deck", "bot"):
            same = one[f"seat_{side}_{what}"].to_numpy() == two[f"seat_{other}_{what}"].to_numpy()
            if not same.all():
                raise ValueError(f"the two matches of pair {ids[0::2][~same][0]} do not exchange their {what}s")
    in_a = np.ones(len(one), dtype=bool)
    if candidate is not None:
        in_a = one["seat_a_deck"].isin(candidate).to_numpy()
        in_b = one["seat_b_deck"].isin(candidate).to_numpy()
        if (in_a == in_b).any():
            raise ValueError(f"pair {ids[0::2][in_a == in_b][0]} does not have the candidate on exactly one side")
    score_one = one["score_a"].to_numpy(dtype=float)
    score_two = two["score_a"].to_numpy(dtype=float)
    first = np.where(in_a, score_one, 1 - score_one)
    second = np.where(in_a, 1 - score_two, score_two)
    return pd.DataFrame(
        {
            "pair_id": ids[0::2],
            "first": first,
            "second": second,
            "score": (first + second) / 2,
            "low": (np.nan_to_num(first, nan=0.0) + np.nan_to_num(second, nan=0.0)) / 2,
            "high": (np.nan_to_num(first, nan=1.0) + np.nan_to_num(second, nan=1.0)) / 2,
        }
    )


def pentanomial(scores: ArrayLike) -> NDArray[np.int64]:
    """Counts the pairs with score 0, 1/4, 1/2, 3/4 and 1; nan scores are skipped.

    Raises:
        ValueError: a score is none of the five.
    """
    values = np.asarray(scores, dtype=float)
    values = values[~np.isnan(values)]
    cell = np.rint(values * 4).astype(np.int64)
    wrong = np.abs(values * 4 - cell) > 1e-9
    if wrong.any() or (cell < 0).any() or (cell > 4).any():
        raise ValueError("pair scores are 0, 1/4, 1/2, 3/4 or 1")
    return np.bincount(cell, minlength=5)


def summarise(frame: pd.DataFrame, level: float = 0.95) -> PairSummary:
    """Returns mean, variance and correlation of the pairs of `pair_scores`."""
    done = frame.dropna(subset=["score"])
    first, second = done["first"].to_numpy(), done["second"].to_numpy()
    scores = done["score"].to_numpy()
    varies = scores.size > 2 and first.std() > 0 and second.std() > 0
    variance = float(scores.var(ddof=1)) if scores.size > 1 else np.nan
    return PairSummary(
        score=cluster_share(scores, np.arange(scores.size), level),
        counts=pentanomial(scores),
        variance=variance,
        rho=float(np.corrcoef(first, second)[0, 1]) if varies else np.nan,
        games_saved=1 - variance / INDEPENDENT_VARIANCE,
        unfinished=len(frame) - len(done),
    )
