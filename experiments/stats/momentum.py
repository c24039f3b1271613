"""How a match swings: snowball, comebacks, decisive turns.

A win chance is fitted turn by turn from what both players can see (HP, cards in hand, cards in play) and always
predicted for matches that were not used in the fit; else a small run would look decided from the first turn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from apotheosis.experiments.stats.intervals import Interval, cluster_share

__all__ = ["BEHIND", "DECIDED", "Swings", "fan", "swings", "win_chances"]

BEHIND = 0.25
"""Win chance below which a side counts as behind (METHOD section 4, comeback)."""

DECIDED = 0.9
"""Win chance above which a match counts as decided, if it stays there to the end."""

MARGINS = ("hp", "hand", "board")
"""Public quantities of both sides whose difference enters the win chance."""

_FOLDS = 5
_MINIMUM = 60
_FAN = (5, 25, 50, 75, 95)


@dataclass(frozen=True)
class Swings:
    """Momentum of a run.

    Attributes:
        turns: one row per turn: turn, matches, auc (out of fold), ahead_wins (share of matches won by the side ahead
            in HP), ahead_low, ahead_high.
        comeback: share of matches won by a side that was behind at some turn, among matches in which a side was behind.
        decisive: turn after which the win chance stays decided, as a share of the length: median over matches; 1 for
            matches that are open to the last turn.
        decided_early: share of matches that are decided before half of their length.
        lead_changes: mean number of times the fitted favourite changed.
    """

    turns: pd.DataFrame
    comeback: Interval
    decisive: float
    decided_early: float
    lead_changes: float


def win_chances(turns: pd.DataFrame, matches: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Returns side A's win chance before each turn, predicted out of fold.

    Args:
        turns: the `turns` frame.
        matches: the `matches` frame.
        seed: seed of the split into folds; the matches of a pair stay together.

    Returns:
        match_id, turn, p (win chance of side A), y (score of side A), pair_id; turns that fewer than 60 matches
        reach, or at which one side has won all of them, are left out.

    Source: METHOD section 4; a logistic regression per turn (`sklearn`), grouped k-fold prediction.
    """
    from sklearn.linear_model import LogisticRegression

    done = matches[matches["score_a"].isin([0.0, 1.0])]
    frame = turns.merge(done[["match_id", "pair_id", "score_a"]], on="match_id", how="inner")
    pairs = frame["pair_id"].unique()
    fold_of = pd.Series(np.random.default_rng(seed).permutation(pairs.size) % _FOLDS, index=pairs)
    parts = []
    for turn, part in frame.groupby("turn", sort=True):
        y = part["score_a"].to_numpy(dtype=int)
        if len(part) < _MINIMUM or min(y.sum(), len(y) - y.sum()) < _FOLDS:
            continue
        x = _margins(part)
        fold = fold_of.loc[part["pair_id"]].to_numpy()
        p = np.full(len(part), np.nan)
        for held in range(_FOLDS):
            train, test = fold != held, fold == held
            if test.any() and 0 < y[train].sum() < train.sum():
                centre, spread = x[train].mean(axis=0), x[train].std(axis=0)
                scaled = (x - centre) / np.where(spread > 1e-9, spread, 1.0)
                model = LogisticRegression(C=10.0, max_iter=500).fit(scaled[train], y[train])
                p[test] = model.predict_proba(scaled[test])[:, 1]
        parts.append(
            pd.DataFrame(
                {
                    "match_id": part["match_id"].to_numpy(),
                    "pair_id": part["pair_id"].to_numpy(),
                    "turn": turn,
                    "p": p,
                    "y": y.astype(float),
                    "ahead": np.sign(part["hp_a"].to_numpy(dtype=float) - part["hp_b"].to_numpy(dtype=float)),
                }
            )
        )
    if not parts:
        return pd.DataFrame({name: [] for name in ("match_id", "pair_id", "turn", "p", "y", "ahead")})
    return pd.concat(parts, ignore_index=True).dropna(subset=["p"])


def swings(turns: pd.DataFrame, matches: pd.DataFrame, seed: int = 0, level: float = 0.95) -> Swings:
    """Returns the momentum of a run from its `turns` and `matches` frames."""
    chances = win_chances(turns, matches, seed)
    rows = [_turn_row(turn, part, level) for turn, part in chances.groupby("turn", sort=True)]
    table = pd.DataFrame(rows, columns=["turn", "matches", "auc", "ahead_wins", "ahead_low", "ahead_high"])
    ordered = chances.sort_values(["match_id", "turn"], kind="stable")
    grouped = ordered.groupby("match_id", sort=True)
    low, high, y = grouped["p"].min(), grouped["p"].max(), grouped["y"].first()
    pair = grouped["pair_id"].first()
    behind = (low < BEHIND) | (high > 1 - BEHIND)
    back = ((low < BEHIND) & (y == 1)) | ((high > 1 - BEHIND) & (y == 0))
    comeback = cluster_share(back[behind].astype(float), pair[behind], level)
    share = grouped["p"].agg(lambda p: _decisive_share(p.to_numpy()))
    changes = grouped["p"].agg(lambda p: int((np.diff(p.to_numpy() > 0.5)).sum()))
    return Swings(
        turns=table,
        comeback=comeback,
        decisive=float(share.median()) if len(share) else np.nan,
        decided_early=float((share < 0.5).mean()) if len(share) else np.nan,
        lead_changes=float(changes.mean()) if len(changes) else np.nan,
    )


def fan(chances: pd.DataFrame) -> pd.DataFrame:
    """Returns percentiles of the eventual winner's win chance per turn: turn, matches, p5, p25, p50, p75, p95."""
    winner = np.where(chances["y"] == 1, chances["p"], 1 - chances["p"])
    rows = []
    for turn, part in pd.Series(winner).groupby(chances["turn"].to_numpy(), sort=True):
        rows.append((turn, len(part), *np.percentile(part, _FAN)))
    return pd.DataFrame(rows, columns=["turn", "matches", *[f"p{share}" for share in _FAN]])


def _margins(part: pd.DataFrame) -> NDArray[np.float64]:
    """Returns the differences of the public quantities, side A minus side B, and who acts."""
    columns = [part[f"{name}_a"].to_numpy(dtype=float) - part[f"{name}_b"].to_numpy(dtype=float) for name in MARGINS]
    columns.append(np.where(part["actor"].astype(str) == "a", 1.0, -1.0))
    return np.stack(columns, axis=1)


def _turn_row(turn, part: pd.DataFrame, level: float) -> tuple:
    """Returns the row of one turn."""
    from sklearn.metrics import roc_auc_score

    y = part["y"].to_numpy()
    auc = float(roc_auc_score(y, part["p"])) if 0 < y.sum() < y.size else np.nan
    led = part[part["ahead"] != 0]
    won = np.where(led["ahead"] > 0, led["y"], 1 - led["y"])
    share = cluster_share(won, led["pair_id"], level) if len(led) else Interval(np.nan, np.nan, np.nan, np.nan, 0)
    return turn, len(part), auc, share.estimate, share.low, share.high


def _decisive_share(p: NDArray[np.float64]) -> float:
    """Returns the share of the match after which the final favourite's chance stays above the bound."""
    favourite = p if p[-1] > 0.5 else 1 - p
    open_turns = np.flatnonzero(favourite <= DECIDED)
    return 0.0 if open_turns.size == 0 else float((open_turns[-1] + 1) / p.size)
