"""Intervals of rates and means, so that every module states uncertainty in the same shape.

Independent games use Wilson or Jeffreys; mirrored or repeated games use cluster means, because four games of one
cluster carry less information than four independent games (METHOD section 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

__all__ = [
    "Interval",
    "cluster_mean",
    "cluster_ratio",
    "cluster_share",
    "jeffreys",
    "normal_quantile",
    "rate_interval",
    "seat_standardised",
    "wilson",
]

Number = float | NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval.

    Attributes:
        estimate: point estimate (a float, or an array when many cells are computed at once).
        low: lower limit.
        high: upper limit.
        se: standard error; nan where the interval is not built from one.
        n: number of independent units behind it (games or clusters).
        level: coverage of the interval, 0.95 unless asked otherwise.
    """

    estimate: Number
    low: Number
    high: Number
    se: Number
    n: Number
    level: float = 0.95

    def covers(self, truth: float) -> bool | NDArray[np.bool_]:
        """Tells whether the interval contains a value."""
        return (self.low <= truth) & (truth <= self.high)

    def shifted(self, by: float) -> Interval:
        """Returns the interval moved along the axis."""
        return Interval(self.estimate + by, self.low + by, self.high + by, self.se, self.n, self.level)

    def scaled(self, by: float) -> Interval:
        """Returns the interval in another unit; `by` is positive."""
        return Interval(self.estimate * by, self.low * by, self.high * by, self.se * by, self.n, self.level)


def normal_quantile(level: float) -> float:
    """Returns the two-sided normal quantile of a coverage, 1.96 for 0.95."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"the level of an interval lies between 0 and 1, {level} was given")
    return float(special.ndtri(0.5 + level / 2.0))


def wilson(successes: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Returns Wilson's score interval of a proportion of independent games.

    Args:
        successes: wins, scalar or array; halves are allowed for draws.
        n: games, same shape; zero games give nan.
        level: coverage.

    Source: Wilson 1927; Brown, Cai, DasGupta 2001, eq. 4.
    """
    x = np.asarray(successes, dtype=float)
    games = np.asarray(n, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = x / games
        se = np.sqrt(p * (1 - p) / games)
    return _interval(p, *_score_limits(p, games, normal_quantile(level)), se, games, level)


def rate_interval(rate: ArrayLike, se: ArrayLike, units: ArrayLike, quantile: ArrayLike, level: float = 0.95) -> Interval:
    """Returns the interval of a rate whose standard error is known, always within 0 and 1.

    It is Wilson's interval for as many independent games as would have this standard error. A rate of 0 or 1 has no
    standard error of its own; there every unit counts as one game.

    Args:
        rate: the rates, scalar or array.
        se: their standard errors, for instance robust to clusters; nan gives nan limits.
        units: clusters behind each.
        quantile: quantile of the t or normal distribution for this coverage.
        level: coverage.

    Source: Dean and Pagano 2015, Journal of Survey Statistics and Methodology 3, 484-503 (Wilson with the effective
    sample size); Kott and Carr 1997.
    """
    p, error, groups, t = (np.asarray(part, dtype=float) for part in (rate, se, units, quantile))
    with np.errstate(divide="ignore", invalid="ignore"):
        games = np.where((p <= 0) | (p >= 1), groups, p * (1 - p) / np.square(error))
        low, high = _score_limits(p, games, t)
    low, high = (np.where(np.isnan(error), np.nan, np.where(np.isinf(games), p, limit)) for limit in (low, high))
    return _interval(p, low, high, error, groups, level)


def _score_limits(
    p: NDArray[np.float64], games: NDArray[np.float64], z: float | NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the roots of (p - limit)^2 = z^2 limit (1 - limit) / games."""
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = (p + z * z / (2 * games)) / (1 + z * z / games)
        half = z * np.sqrt(p * (1 - p) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def jeffreys(successes: ArrayLike, n: ArrayLike, level: float = 0.95) -> Interval:
    """Returns the Jeffreys interval, with the limit 0 at no success and 1 at no failure.

    Source: Brown, Cai, DasGupta 2001, section 3.1.3 (the modified limits at x = 0 and x = n).
    """
    x = np.asarray(successes, dtype=float)
    games = np.asarray(n, dtype=float)
    tail = (1 - level) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        p = x / games
        low = np.where(x <= 0, 0.0, special.betaincinv(x + 0.5, games - x + 0.5, tail))
        high = np.where(x >= games, 1.0, special.betaincinv(x + 0.5, games - x + 0.5, 1 - tail))
        se = np.sqrt(p * (1 - p) / games)
    empty = games <= 0
    return _interval(p, np.where(empty, np.nan, low), np.where(empty, np.nan, high), se, games, level)


def cluster_mean(values: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Interval:
    """Returns the mean of cluster means with a t interval over clusters; of differences, too, which have no bounds.

    Args:
        values: one score per game.
        clusters: the cluster of each game (pair id or deck pair).
        level: coverage.

    Source: METHOD section 1, m +- t(G-1) s / sqrt(G).
    """
    scores = np.asarray(values, dtype=float)
    _, code = np.unique(np.asarray(clusters), return_inverse=True)
    means = np.bincount(code, weights=scores) / np.bincount(code)
    groups = means.size
    if groups < 2:
        return Interval(float(means.mean()) if groups else np.nan, np.nan, np.nan, np.nan, groups, level)
    se = float(means.std(ddof=1) / np.sqrt(groups))
    half = float(stats.t.ppf(0.5 + level / 2, groups - 1)) * se
    centre = float(means.mean())
    return Interval(centre, centre - half, centre + half, se, groups, level)


def cluster_share(values: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Interval:
    """Returns the mean of cluster means of scores between 0 and 1, with an interval that stays between them.

    Args:
        values: one score per game.
        clusters: the cluster of each game (pair id or deck pair).
        level: coverage.

    Source: as `cluster_mean` and `rate_interval`.
    """
    found = cluster_mean(values, clusters, level)
    t = stats.t.ppf(0.5 + level / 2, max(float(found.n) - 1, 1))
    return rate_interval(found.estimate, found.se, found.n, t, level)


def cluster_ratio(sums: ArrayLike, counts: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Interval:
    """Returns the rate sum(sums) / sum(counts) with a linearised cluster-robust interval between 0 and 1.

    Unlike the mean of cluster means it weights every game equally, so clusters may differ in size.

    Args:
        sums: numerator of each row.
        counts: denominator of each row.
        clusters: cluster of each row.
        level: coverage.

    Source: Cochran 1977, Sampling Techniques, eq. 6.13, with clusters as primary units.
    """
    _, code = np.unique(np.asarray(clusters), return_inverse=True)
    top = np.bincount(code, weights=np.asarray(sums, dtype=float))
    bottom = np.bincount(code, weights=np.asarray(counts, dtype=float))
    groups, total = top.size, float(bottom.sum())
    if total == 0:
        return Interval(np.nan, np.nan, np.nan, np.nan, groups, level)
    rate = float(top.sum()) / total
    if groups < 2:
        return Interval(rate, np.nan, np.nan, np.nan, groups, level)
    residual = top - rate * bottom
    se = float(np.sqrt(groups / (groups - 1) * (residual @ residual)) / total)
    return rate_interval(rate, se, groups, stats.t.ppf(0.5 + level / 2, groups - 1), level)


def seat_standardised(rate_a: Interval, rate_b: Interval) -> Interval:
    """Returns the rate with both seats weighted equally, whatever their numbers of games.

    Args:
        rate_a: rate in seat A with its standard error.
        rate_b: rate in seat B, independent of the first.

    Source: METHOD section 1, (WR1 + WR2) / 2 with variance (V1 + V2) / 4.
    """
    level = rate_a.level
    rate = (np.asarray(rate_a.estimate) + np.asarray(rate_b.estimate)) / 2
    se = np.sqrt(np.square(rate_a.se) + np.square(rate_b.se)) / 2
    return rate_interval(rate, se, np.asarray(rate_a.n) + np.asarray(rate_b.n), normal_quantile(level), level)


def _interval(estimate, low, high, se, n, level: float) -> Interval:
    """Packs arrays, as plain floats where they hold one number."""
    parts = [float(part) if np.ndim(part) == 0 else np.asarray(part) for part in (estimate, low, high, se, n)]
    return Interval(*parts, level=level)
