"""The sides of a match: whose score, bot and deck a row of the `cards` frame belongs to.

One place knows that team 0 sits at side A and team 1 at side B, and that `score_a` is side A's score.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

__all__ = ["deck_pair", "side_scores", "sides"]


def side_scores(
    matches: pd.DataFrame, row: NDArray[np.int64], in_b: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray, NDArray]:
    """Returns score, bot and deck of the given sides.

    Args:
        matches: the `matches` frame.
        row: position of the match in the frame.
        in_b: 0 for side A, 1 for side B.

    Returns:
        score (nan where the match has no result), bot name, deck name, each in the order of `row`.
    """
    score_a = matches["score_a"].to_numpy(dtype=float, na_value=np.nan)[row]
    score = np.where(in_b == 1, 1 - score_a, score_a)
    names = []
    for what in ("bot", "deck"):
        side_a = matches[f"seat_a_{what}"].to_numpy()[row]
        side_b = matches[f"seat_b_{what}"].to_numpy()[row]
        names.append(np.where(in_b == 1, side_b, side_a))
    return score, names[0], names[1]


def sides(matches: pd.DataFrame) -> pd.DataFrame:
    """Returns two rows per match: match_id, pair_id, team, score, bot, deck, deck_pair; side A first."""
    rows = np.repeat(np.arange(len(matches)), 2)
    in_b = np.tile(np.array([0, 1]), len(matches))
    score, bot, deck = side_scores(matches, rows, in_b)
    return pd.DataFrame(
        {
            "match_id": matches["match_id"].to_numpy()[rows],
            "pair_id": matches["pair_id"].to_numpy()[rows],
            "team": in_b,
            "score": score,
            "bot": bot,
            "deck": deck,
            "deck_pair": deck_pair(matches).to_numpy()[rows],
        }
    )


def deck_pair(matches: pd.DataFrame) -> pd.Series:
    """Returns the unordered pair of deck names of each match, the cluster of repeated games."""
    a, b = matches["seat_a_deck"].astype(str), matches["seat_b_deck"].astype(str)
    first = a.where(a <= b, b)
    second = b.where(a <= b, a)
    return first + "|" + second
