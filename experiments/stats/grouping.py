"""Small helpers for grouped arrays: group numbers, group means, and rows in blocks of whole clusters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

__all__ = ["cluster_blocks", "codes", "group_means"]

_BLOCK = 4096


def codes(labels: ArrayLike | None, size: int) -> NDArray[np.int64]:
    """Returns group numbers from 0, in sorted order of the labels; one group for all rows without labels."""
    if labels is None:
        return np.zeros(size, dtype=np.int64)
    return np.asarray(pd.factorize(np.asarray(labels), sort=True)[0], dtype=np.int64)


def group_means(
    values: NDArray[np.float64], code: NDArray[np.int64], weight: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Returns the (weighted) mean of each group."""
    if weight is None:
        return np.bincount(code, weights=values) / np.bincount(code)
    return np.bincount(code, weights=weight * values) / np.bincount(code, weights=weight)


def cluster_blocks(cluster: NDArray[np.int32] | NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yields the row numbers of whole clusters, some thousand rows at a time, sorted by cluster."""
    order = np.argsort(cluster, kind="stable")
    ordered = cluster[order]
    start = 0
    while start < order.size:
        stop = int(np.searchsorted(ordered, ordered[min(start + _BLOCK, order.size) - 1], side="right"))
        yield order[start:stop]
        start = stop
