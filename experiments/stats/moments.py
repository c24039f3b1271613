"""Mergeable cluster sums: the one mechanism behind every cluster-robust rate, difference and contrast.

A statistic of a run is a smooth function of totals (wins, games, ...). If the sums within each cluster are kept as
first and second moments, totals and their covariance follow for any number of matches in constant memory, chunk by
chunk, and every rate or difference of rates gets its standard error by the delta method.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse, stats

from apotheosis.experiments.stats.intervals import Interval, rate_interval

__all__ = ["ClusterMoments", "KeyedMoments"]


@dataclass(frozen=True)
class ClusterMoments:
    """First and second moments of cluster sums, for many keys (cards) at once.

    Attributes:
        totals: float64 (keys, columns), sum over clusters of the cluster's column sums.
        outer: float64 (keys, columns, columns), sum over clusters of the outer product of the column sums.
        clusters: float64 (keys,), number of clusters.
    """

    totals: NDArray[np.float64]
    outer: NDArray[np.float64]
    clusters: NDArray[np.float64]

    @classmethod
    def empty(cls, keys: int, columns: int) -> ClusterMoments:
        """Returns moments of no cluster at all."""
        return cls(np.zeros((keys, columns)), np.zeros((keys, columns, columns)), np.zeros(keys))

    @classmethod
    def from_cells(cls, codes: NDArray[np.int64], cells: NDArray[np.float64], keys: int) -> ClusterMoments:
        """Returns the moments of finished cluster sums.

        Args:
            codes: int64 (cells,), the key of each row, 0 <= code < keys.
            cells: float64 (cells, columns), the sums of one cluster for that key; a cluster appears once per key.
            keys: number of keys.
        """
        moments = cls.empty(keys, cells.shape[1])
        order = np.argsort(codes, kind="stable")
        ordered = cells[order]
        starts = np.searchsorted(codes[order], np.arange(keys + 1))
        for key in range(keys):
            block = ordered[starts[key] : starts[key + 1]]
            if block.shape[0]:
                moments.totals[key] = block.sum(axis=0)
                moments.outer[key] = block.T @ block
        moments.clusters[:] = np.diff(starts)
        return moments

    @classmethod
    def of_rows(cls, values: NDArray[np.float64], clusters: NDArray, means: bool = False) -> ClusterMoments:
        """Returns the moments of rows, for a single key.

        Args:
            values: float64 (rows, columns).
            clusters: cluster of each row; none of them may return in other rows.
            means: count each cluster once, with the mean of its rows.
        """
        code, found = pd.factorize(clusters)
        sums = _summed(code, values, len(found))
        if means:
            sums = sums / np.bincount(code, minlength=len(found))[:, None]
        return cls.from_cells(np.zeros(len(found), dtype=np.int64), sums, 1)

    def placed(self, positions: NDArray[np.int64], keys: int) -> ClusterMoments:
        """Returns the same moments with key i moved to row positions[i] of a larger table."""
        wide = ClusterMoments.empty(keys, self.totals.shape[1])
        wide.totals[positions] = self.totals
        wide.outer[positions] = self.outer
        wide.clusters[positions] = self.clusters
        return wide

    def __add__(self, other: ClusterMoments) -> ClusterMoments:
        return ClusterMoments(self.totals + other.totals, self.outer + other.outer, self.clusters + other.clusters)

    def smooth(
        self,
        estimate: NDArray[np.float64],
        gradient: NDArray[np.float64],
        units: NDArray[np.float64] | None = None,
        level: float = 0.95,
    ) -> Interval:
        """Returns the interval of a smooth function of the totals.

        Args:
            estimate: float64 (keys,), the function's value at the totals.
            gradient: float64 (keys, columns), its gradient there.
            units: number of clusters that carry the function, for the t quantile; all clusters if absent.
            level: coverage.

        Source: delta method on cluster totals; Var(T) = G/(G-1) (sum v v' - T T'/G).
        """
        se, t = self._spread(gradient, units, level)
        return Interval(estimate, estimate - t * se, estimate + t * se, se, self.clusters, level)

    def _spread(
        self, gradient: NDArray[np.float64], units: NDArray[np.float64] | None, level: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns standard errors and t quantiles for `smooth`."""
        groups = self.clusters
        with np.errstate(divide="ignore", invalid="ignore"):
            centred = np.einsum("kc,kcd,kd->k", gradient, self.outer, gradient)
            centred = centred - np.einsum("kc,kc->k", gradient, self.totals) ** 2 / groups
            variance = np.maximum(centred, 0.0) * groups / (groups - 1)
            se = np.where(groups > 1, np.sqrt(variance), np.nan)
            freedom = np.maximum((groups if units is None else units) - 1, 1)
        return se, stats.t.ppf(0.5 + level / 2, freedom)

    def ratio(self, top: int, bottom: int, level: float = 0.95) -> Interval:
        """Returns total[top] / total[bottom] of every key, for instance a win rate."""
        rate, gradient = self._ratio(top, bottom)
        units = self._units(bottom)
        se, t = self._spread(gradient, units, level)
        return replace(rate_interval(rate, se, units, t, level), n=self.clusters)

    def share(self, key: int = 0, top: int = 0, bottom: int = 1, level: float = 0.95) -> Interval:
        """Returns total[top] / total[bottom] of one key in plain numbers, a rate between 0 and 1, with t over clusters.

        With the score of each match at `top` and ones at `bottom` it is `intervals.cluster_ratio`, made of mergeable sums.
        """
        rate, gradient = self._ratio(top, bottom)
        se, t = self._spread(gradient, None, level)
        groups = int(self.clusters[key])
        return rate_interval(float(rate[key]), float(se[key]), groups, float(t[key]), level)

    def mean(self, key: int = 0, level: float = 0.95) -> Interval:
        """Returns total[0] / total[1] of one key in plain numbers, which need not be a rate, as `intervals.cluster_mean`."""
        rate, gradient = self._ratio(0, 1)
        found = self.smooth(rate, gradient, None, level)
        estimate, low, high, se = (float(np.ravel(part)[key]) for part in (found.estimate, found.low, found.high, found.se))
        return Interval(estimate, low, high, se, int(self.clusters[key]), level)

    def ratio_difference(self, first: tuple[int, int], second: tuple[int, int], level: float = 0.95) -> Interval:
        """Returns the difference of two rates of the same key, with their covariance taken into account."""
        rate, gradient = self._ratio(*first)
        other, other_gradient = self._ratio(*second)
        return self.smooth(rate - other, gradient - other_gradient, None, level)

    def ratio_mean(self, first: tuple[int, int], second: tuple[int, int], level: float = 0.95) -> Interval:
        """Returns the mean of two rates of the same key, for instance of both seats."""
        rate, gradient = self._ratio(*first)
        other, other_gradient = self._ratio(*second)
        se, t = self._spread((gradient + other_gradient) / 2, None, level)
        return rate_interval((rate + other) / 2, se, self.clusters, t, level)

    def _ratio(self, top: int, bottom: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns rates and their gradients; nan where nothing was counted."""
        gradient = np.zeros_like(self.totals)
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.where(self.totals[:, bottom] > 0, self.totals[:, top] / self.totals[:, bottom], np.nan)
            gradient[:, top] = 1 / self.totals[:, bottom]
            gradient[:, bottom] = -rate / self.totals[:, bottom]
        return rate, gradient

    def _units(self, column: int) -> NDArray[np.float64]:
        """Returns the effective number of clusters that contribute to a count column (Kish 1965)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            kish = self.totals[:, column] ** 2 / self.outer[:, column, column]
        return np.where(np.isfinite(kish), np.minimum(kish, self.clusters), 1.0)


class KeyedMoments:
    """Moments of keys (decks, pairings) that become known piece by piece.

    Args:
        columns: columns of each row of values.

    Attributes:
        keys: the keys in the order in which they came.
        moments: their moments, in this order.
    """

    def __init__(self, columns: int):
        self._number: dict[Hashable, int] = {}
        self.moments = ClusterMoments.empty(0, columns)

    @property
    def keys(self) -> list[Any]:
        """The keys in the order in which they came."""
        return list(self._number)

    def add(
        self, keys: Sequence[Hashable], code: NDArray[np.int64], clusters: NDArray, values: NDArray, means: bool = False
    ) -> None:
        """Adds rows.

        Args:
            keys: keys of these rows.
            code: int64 (rows,), number of each row's key among them.
            clusters: cluster of each row; a cluster of a key never returns in other rows.
            values: float64 (rows, columns).
            means: count each cluster once, with the mean of its rows.
        """
        cluster, found = pd.factorize(clusters)
        cell, place = np.unique(np.asarray(code, np.int64) * max(len(found), 1) + cluster, return_inverse=True)
        sums = _summed(place, values, len(cell))
        if means:
            sums = sums / np.bincount(place, minlength=len(cell))[:, None]
        here = np.array([self._number.setdefault(key, len(self._number)) for key in keys], dtype=np.int64)
        size = len(self._number)
        part = ClusterMoments.from_cells(here[cell // max(len(found), 1)], sums, size)
        self.moments = self.moments.placed(np.arange(len(self.moments.clusters)), size) + part


def _summed(place: NDArray[np.int64], values: NDArray, count: int) -> NDArray[np.float64]:
    """Returns the sums of the rows of values that share a place."""
    collect = sparse.csr_matrix((np.ones(len(place)), (place, np.arange(len(place)))), shape=(count, len(place)))
    return collect @ np.asarray(values, dtype=float)
