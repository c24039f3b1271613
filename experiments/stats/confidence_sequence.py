"""A band that may be looked at after every pair: the asymptotic confidence sequence.

A 95 % interval that is recomputed and looked at again and again misses the truth at some time far more often than 5 %
of runs. A confidence sequence covers it at all times at once, so a live display may show it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from apotheosis.experiments.stats.pairs import INDEPENDENT_VARIANCE

__all__ = ["radius", "sequence"]

_FIRST_PAIRS = 10


def radius(sd: ArrayLike, n: ArrayLike, alpha: float = 0.05, n_star: int = 1000):
    """Returns the half width of the band.

    Args:
        sd: standard deviation of the pair scores so far.
        n: pairs so far.
        alpha: chance that the band ever misses the mean.
        n_star: number of pairs at which the band is to be tightest.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2021, eq. 9 with the tuning of Howard et al. 2021, section 3.5:
        sigma sqrt(2 (n rho^2 + 1) / (n^2 rho^2) log(sqrt(n rho^2 + 1) / alpha)).
    """
    pairs = np.asarray(n, dtype=float)
    rho2 = (-2 * np.log(alpha) + np.log(-2 * np.log(alpha) + 1)) / n_star
    grown = pairs * rho2 + 1
    return np.asarray(sd) * np.sqrt(2 * grown / (pairs**2 * rho2) * np.log(np.sqrt(grown) / alpha))


def sequence(scores: ArrayLike, alpha: float = 0.05, n_star: int = 1000) -> pd.DataFrame:
    """Returns the band after every pair from the tenth on: pairs, mean, low, high.

    One pair of full variance is added to the spread, so that pairs that all ended alike do not give a band without
    width.

    Args:
        scores: pair scores in issue order.
        alpha: chance that the band ever misses the mean.
        n_star: number of pairs at which the band is to be tightest.
    """
    x = np.asarray(scores, dtype=float)
    n = np.arange(1, x.size + 1)
    mean = np.cumsum(x) / n
    spread = np.maximum(np.cumsum(x * x) - n * mean**2, 0.0)
    variance = (spread + INDEPENDENT_VARIANCE) / n
    half = radius(np.sqrt(variance), n, alpha, n_star)
    table = pd.DataFrame({"pairs": n, "mean": mean, "low": mean - half, "high": mean + half})
    return table.iloc[_FIRST_PAIRS - 1 :].reset_index(drop=True)
