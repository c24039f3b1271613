"""Error control over many cards: p-values and their false-discovery adjustment.

With five hundred cards, twenty-five null cards fall below 0.05 by luck; a list of cards to change needs the share of
false ones among the listed to be held, not the share among all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

__all__ = ["adjust", "p_values"]


def p_values(effect: ArrayLike, se: ArrayLike) -> NDArray[np.float64]:
    """Returns two-sided normal p-values of no effect; nan where there is no estimate."""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.abs(np.asarray(effect, dtype=float) / np.asarray(se, dtype=float))
    return 2 * special.ndtr(-z)


def adjust(p: ArrayLike, method: str = "bh") -> NDArray[np.float64]:
    """Returns q-values: the lowest false-discovery rate at which each card is listed.

    Args:
        p: p-values; nan entries (cards without verdict) are not counted and stay nan.
        method: "bh" (independent or positively dependent tests) or "by" (any dependence).

    Source: Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001.
    """
    values = np.asarray(p, dtype=float)
    known = np.isfinite(values)
    q = np.full(values.shape, np.nan)
    if known.any():
        q[known] = stats.false_discovery_control(values[known], method=method)
    return q
