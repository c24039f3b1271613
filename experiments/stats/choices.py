"""How much there is to decide: legal options, real options, hands without a play."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from apotheosis.experiments.stats.intervals import Interval, cluster_ratio

__all__ = ["Options", "dead_hand_share", "options", "real_options", "sampled_options", "value_gaps"]


@dataclass(frozen=True)
class Options:
    """Number of legal options at a decision.

    Attributes:
        median: median.
        p90: 90th percentile.
        mean: mean.
        count: observations (turns, or matches where only match means are stored).
    """

    median: float
    p90: float
    mean: float
    count: int


def options(values: ArrayLike) -> Options:
    """Returns the distribution of legal options: `turns.options`, or `matches.legal_options_mean` where turns are not
    kept."""
    x = np.asarray(values, dtype=float)
    x = x[np.isfinite(x)]
    if x.size == 0:
        return Options(np.nan, np.nan, np.nan, 0)
    return Options(float(np.median(x)), float(np.percentile(x, 90)), float(x.mean()), x.size)


def dead_hand_share(turns: pd.DataFrame, matches: pd.DataFrame, level: float = 0.95) -> Interval:
    """Returns the share of turns at which the actor holds cards and can use or place none, clustered by pair."""
    frame = turns.merge(matches[["match_id", "pair_id"]], on="match_id", how="inner")
    hand = np.where(frame["actor"].astype(str) == "a", frame["hand_a"], frame["hand_b"])
    frame = frame[hand > 0]
    dead = (frame["playable"].to_numpy(dtype=float) == 0).astype(float)
    return cluster_ratio(dead, np.ones(len(frame)), frame["pair_id"].to_numpy(), level)


def real_options(policies: ArrayLike) -> NDArray[np.float64]:
    """Returns e to the entropy of each policy: the number of options that a good player really weighs.

    Args:
        policies: (decisions, actions) probabilities of the best bot; illegal actions are zero.
    """
    p = np.asarray(policies, dtype=float)
    p = p / p.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.nansum(np.where(p > 0, p * np.log(p), 0.0), axis=1)
    return np.exp(entropy)


def sampled_options(counts: ArrayLike) -> NDArray[np.float64]:
    """Returns the same from a bot's answers to each question, asked several times with fresh chance.

    Args:
        counts: (decisions, actions) how often the bot gave each answer.

    Source: METHOD section 4; entropy of a sample by Miller and Madow (1955): plus (answers that occur - 1) / (2 n).
    """
    n = np.asarray(counts, dtype=float)
    correction = ((n > 0).sum(axis=1) - 1) / (2 * n.sum(axis=1))
    return real_options(n) * np.exp(correction)


def value_gaps(values: ArrayLike) -> NDArray[np.float64]:
    """Returns the value of the best option minus that of the second best per decision; nan with a single option.

    Args:
        values: (decisions, actions) win chances by a bot; nan for illegal actions.
    """
    x = np.asarray(values, dtype=float)
    ordered = -np.sort(-np.where(np.isnan(x), -np.inf, x), axis=1)
    if x.shape[1] < 2:
        return np.full(x.shape[0], np.nan)
    gap = ordered[:, 0] - ordered[:, 1]
    return np.where(np.isfinite(ordered[:, 1]), gap, np.nan)
