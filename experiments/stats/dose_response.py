"""Dose and response: which value of one number of a card makes it even.

A grid of values is played, the win chance is fitted as logit P = a + b x, and the value at which it crosses the
target is read off with an interval. This costs far fewer games than a search by trial.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from apotheosis.experiments.stats.grouping import codes
from apotheosis.experiments.stats.intervals import Interval, normal_quantile

__all__ = ["Dose", "fit_dose"]

_STEPS = 100


@dataclass(frozen=True)
class Dose:
    """A fitted dose-response line.

    Attributes:
        target: value at which the mean score is the wanted one, with the delta-method interval.
        fieller_low: lower limit of Fieller's interval.
        fieller_high: upper limit of Fieller's interval; both are infinite where the slope may be zero.
        intercept: a, logit of the score at value 0.
        slope: b, logits per unit.
        covariance: (2, 2) cluster-robust covariance of a and b.
        p_slope: p-value of no slope; with a large one the target means nothing.
        misfit_p: p-value of a straight line against the means of the single values; nan with two values.
    """

    target: Interval
    fieller_low: float
    fieller_high: float
    intercept: float
    slope: float
    covariance: np.ndarray
    p_slope: float
    misfit_p: float

    def predict(self, x: ArrayLike, level: float = 0.95) -> Interval:
        """Returns the mean score at given values with its interval."""
        at = np.asarray(x, dtype=float)
        rows = np.stack([np.ones_like(at), at], axis=-1)
        eta = rows @ np.array([self.intercept, self.slope])
        half = normal_quantile(level) * np.sqrt(np.einsum("...i,ij,...j->...", rows, self.covariance, rows))
        score = special.expit(eta)
        return Interval(score, special.expit(eta - half), special.expit(eta + half), score * (1 - score) * half, at.size, level)


def fit_dose(
    x: ArrayLike, scores: ArrayLike, clusters: ArrayLike | None = None, wanted: float = 0.5, level: float = 0.95
) -> Dose:
    """Fits the line and returns the value at which the mean score is the wanted one.

    Args:
        x: value of the number in each pair (or game).
        scores: pair scores (or game scores) of the card's side.
        clusters: cluster of each score; every score its own without it.
        wanted: mean score to reach.
        level: coverage.

    Raises:
        ValueError: all values are equal, or one side wins everything, so there is no line.

    Source: METHOD section 6.1; quasi-binomial logit with cluster-robust covariance (Liang and Zeger 1986); Fieller
        1954 for the ratio -a / b.
    """
    dose, y = np.asarray(x, dtype=float), np.asarray(scores, dtype=float)
    done = np.isfinite(dose) & np.isfinite(y)
    dose, y = dose[done], y[done]
    if np.unique(dose).size < 2:
        raise ValueError("a dose-response line needs at least two different values")
    if y.mean() <= 0 or y.mean() >= 1:
        raise ValueError("one side won everything, so no value of the number can be read off")
    rows = np.stack([np.ones(dose.size), dose - dose.mean()], axis=1)
    beta = _logit_line(rows, y)
    mean = special.expit(rows @ beta)
    bread = np.linalg.inv((rows * (mean * (1 - mean))[:, None]).T @ rows)
    code = codes(None if clusters is None else np.asarray(clusters)[done], dose.size)
    if clusters is None:
        code = np.arange(dose.size)
    groups = int(code.max()) + 1
    sums = np.stack([np.bincount(code, weights=rows[:, k] * (y - mean)) for k in (0, 1)], axis=1)
    centred = bread @ (sums.T @ sums) @ bread * groups / (groups - 1)
    shift = np.array([[1.0, -dose.mean()], [0.0, 1.0]])
    a, b = shift @ beta
    covariance = shift @ centred @ shift.T
    a = a - special.logit(wanted)
    z = normal_quantile(level)
    target = -a / b
    se = float(np.sqrt(covariance[0, 0] + 2 * target * covariance[0, 1] + target**2 * covariance[1, 1]) / abs(b))
    low, high = _fieller(a, b, covariance, z)
    return Dose(
        target=Interval(float(target), float(target - z * se), float(target + z * se), se, groups, level),
        fieller_low=low,
        fieller_high=high,
        intercept=float(a + special.logit(wanted)),
        slope=float(b),
        covariance=covariance,
        p_slope=float(2 * stats.norm.sf(abs(b) / np.sqrt(covariance[1, 1]))),
        misfit_p=_misfit(dose, y, mean, code),
    )


def _logit_line(rows: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Returns intercept and slope by Newton steps with halving."""
    beta = np.array([special.logit(y.mean()), 0.0])

    def loss(at: np.ndarray) -> float:
        eta = rows @ at
        return float(np.sum(np.logaddexp(0, eta) - y * eta))

    for _ in range(_STEPS):
        mean = special.expit(rows @ beta)
        information = (rows * np.maximum(mean * (1 - mean), 1e-12)[:, None]).T @ rows
        step = np.linalg.solve(information, rows.T @ (y - mean))
        while loss(beta + step) > loss(beta) + 1e-12 and np.abs(step).max() > 1e-12:
            step = step / 2
        beta = beta + step
        if np.abs(step).max() < 1e-10:
            break
    return beta


def _fieller(a: float, b: float, covariance: np.ndarray, z: float) -> tuple[float, float]:
    """Returns the values x with (a + b x)^2 <= z^2 Var(a + b x); infinite if the slope may be zero."""
    square = b * b - z * z * covariance[1, 1]
    if square <= 0:
        return -np.inf, np.inf
    linear = 2 * (a * b - z * z * covariance[0, 1])
    constant = a * a - z * z * covariance[0, 0]
    root = np.sqrt(max(linear * linear - 4 * square * constant, 0.0))
    return float((-linear - root) / (2 * square)), float((-linear + root) / (2 * square))


def _misfit(dose: np.ndarray, y: np.ndarray, mean: np.ndarray, code: np.ndarray) -> float:
    """Returns the p-value of the residual means of the single values, clusters nested in values."""
    values = np.unique(dose)
    if values.size < 3:
        return np.nan
    statistic = 0.0
    for value in values:
        residual = (y - mean)[dose == value]
        sums = np.bincount(np.unique(code[dose == value], return_inverse=True)[1], weights=residual)
        spread = float(np.sum((sums - sums.mean()) ** 2)) * sums.size / max(sums.size - 1, 1)
        statistic += float(residual.sum()) ** 2 / spread if spread > 0 else 0.0
    return float(stats.chi2.sf(statistic, values.size - 2))
