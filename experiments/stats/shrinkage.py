"""Empirical-Bayes shrinkage of card effects towards the mean of their group.

Hundreds of noisy estimates cannot be ranked as they stand: the extreme ones are extreme by luck. Shrinking each
towards its rarity and level by its own noise gives estimates that may be compared, and ranks that come with
intervals.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from apotheosis.experiments.stats.grouping import codes, group_means
from apotheosis.experiments.stats.intervals import normal_quantile

__all__ = ["SMALLEST_GROUP", "excess_variance", "paule_mandel", "rank_intervals", "shrink"]

SMALLEST_GROUP = 4
"""Groups with fewer cards have no mean of their own; they share the overall one."""


def excess_variance(
    b: NDArray[np.float64], s2: NDArray[np.float64], fitted: Callable[[NDArray[np.float64]], NDArray], freedom: int
) -> float:
    """Returns the variance beyond the standard errors around any weighted fit.

    Args:
        b: estimates.
        s2: their squared standard errors.
        fitted: returns the fitted values for given weights (group means, a regression line).
        freedom: number of estimates minus the number of fitted parameters.

    Source: Paule and Mandel 1982: the tau^2 at which sum (b - fit)^2 / (s^2 + tau^2) equals its degrees of freedom; for
        regressions DerSimonian and Kacker 2007, section 2.
    """
    if freedom < 1:
        return 0.0

    def excess(tau2: float) -> float:
        weight = 1 / (s2 + tau2)
        return float(np.sum(weight * (b - fitted(weight)) ** 2)) - freedom

    if excess(0.0) <= 0:
        return 0.0
    top = float(np.var(b)) * 4 + float(s2.max())
    while excess(top) > 0:
        top *= 4
    return float(optimize.brentq(excess, 0.0, top, xtol=1e-14, rtol=1e-12))


def paule_mandel(effect: ArrayLike, se: ArrayLike, groups: ArrayLike | None = None) -> float:
    """Returns the variance of true effects around their group means (one common mean without groups)."""
    b, s2 = np.asarray(effect, dtype=float), np.square(np.asarray(se, dtype=float))
    code = codes(groups, b.size)
    freedom = b.size - (int(code.max()) + 1 if b.size else 0)
    return excess_variance(b, s2, lambda weight: group_means(b, code, weight)[code], freedom)


def shrink(effect: ArrayLike, se: ArrayLike, groups: ArrayLike | None = None, level: float = 0.95) -> pd.DataFrame:
    """Returns the posterior of each effect under b ~ N(beta, s^2), beta ~ N(mu_group, tau^2).

    Args:
        effect: estimates; nan where a card has none.
        se: standard errors.
        groups: group of each card, for instance rarity and level; groups below SMALLEST_GROUP share one mean.
        level: coverage of low and high.

    Returns:
        mean, sd, low, high, weight (1 keeps the estimate, 0 replaces it by the group mean), group_mean, tau2; nan
        rows for cards without estimate.

    Source: METHOD section 1 (posterior mean w b + (1-w) mu, variance w s^2); Morris 1983, eq. 1.17, adds (1-w)^2
        Var(mu).
    """
    b, s = np.asarray(effect, dtype=float), np.asarray(se, dtype=float)
    known = np.isfinite(b) & np.isfinite(s) & (s > 0)
    names = np.zeros(b.size, dtype=object) if groups is None else np.asarray(groups, dtype=object)
    out = {name: np.full(b.size, np.nan) for name in ("mean", "sd", "low", "high", "weight", "group_mean", "tau2")}
    if known.any():
        b, s2 = b[known], np.square(s[known])
        code = _merged_codes(names[known])
        tau2 = paule_mandel(b, np.sqrt(s2), code)
        precision = 1 / (s2 + tau2)
        mean_var = 1 / np.bincount(code, weights=precision)
        prior = group_means(b, code, precision)[code]
        weight = tau2 / (tau2 + s2)
        mean = weight * b + (1 - weight) * prior
        sd = np.sqrt(weight * s2 + (1 - weight) ** 2 * mean_var[code])
        half = normal_quantile(level) * sd
        for name, values in zip(out, (mean, sd, mean - half, mean + half, weight, prior), strict=False):
            out[name][known] = values
        out["tau2"][known] = tau2
    return pd.DataFrame(out)


def rank_intervals(mean: ArrayLike, sd: ArrayLike, seed: int, draws: int = 4000, level: float = 0.95) -> pd.DataFrame:
    """Returns the rank of each card by posterior mean (1 is the strongest) and the interval of its rank.

    Args:
        mean: posterior means; nan rows get no rank.
        sd: posterior standard deviations.
        seed: seed of the simulated posteriors.
        draws: simulated posteriors.
        level: coverage.

    Returns:
        rank, rank_low, rank_high as floats (nan without an estimate).
    """
    centre, spread = np.asarray(mean, dtype=float), np.asarray(sd, dtype=float)
    known = np.flatnonzero(np.isfinite(centre) & np.isfinite(spread))
    table = pd.DataFrame(np.nan, index=range(centre.size), columns=["rank", "rank_low", "rank_high"])
    if known.size == 0:
        return table
    rng = np.random.default_rng(seed)
    sample = centre[known] + spread[known] * rng.standard_normal((draws, known.size))
    ranks = _ranks(sample)
    tail = 50 * (1 - level)
    low, high = np.percentile(ranks, [tail, 100 - tail], axis=0, method="inverted_cdf")
    table.loc[known, "rank"] = _ranks(centre[known][None, :])[0]
    table.loc[known, "rank_low"], table.loc[known, "rank_high"] = low, high
    return table


def _ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Returns ranks within each row, 1 for the largest."""
    order = np.argsort(-values, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, values.shape[1] + 1)[None, :], axis=1)
    return ranks


def _merged_codes(names: NDArray) -> NDArray[np.int64]:
    """Returns group numbers in which all groups that are too small form one group."""
    code = codes(names.astype(str), names.size)
    counts = np.bincount(code)
    code = np.where(counts[code] < SMALLEST_GROUP, counts.size, code)
    return np.unique(code, return_inverse=True)[1].astype(np.int64)
