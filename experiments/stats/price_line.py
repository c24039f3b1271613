"""The price line: how much power a cost buys, and which cards give more or less than they cost.

A strong card may be fair because it is expensive. The line is the power that cards of a cost have on average; the
residual is a card's efficiency, and moving along the line until the power fits says what the card would be worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from apotheosis.experiments.stats.intervals import normal_quantile
from apotheosis.experiments.stats.shrinkage import excess_variance

__all__ = ["PriceLine", "fit_price_line"]

_SPLINE_FROM = 6
_SPLINE_DF = 3
_CARDS_PER_COLUMN = 8
_GRID = 101


@dataclass(frozen=True)
class PriceLine:
    """A fitted price line.

    Attributes:
        curve: cost, power, low, high on a grid, other columns at their means.
        cards: one row per row of the input (same index): fitted, residual, residual_se, low, high, efficiency
            (residual shrunk by its own noise), efficiency_sd, worth (the cost at which the line has the card's power;
            nan where the line is flat or the power lies beyond it).
        coefficients: name, estimate, se of the linear columns.
        tau: standard deviation of true residuals in points.
        explained: share of the variance of true effects that the line explains.
        spline: whether the cost enters as a spline (at least six different costs) or as a straight line.
    """

    curve: pd.DataFrame
    cards: pd.DataFrame
    coefficients: pd.DataFrame
    tau: float
    explained: float
    spline: bool


def fit_price_line(
    table: pd.DataFrame,
    cost: str,
    covariates: Sequence[str] = (),
    effect: str = "effect",
    se: str = "se",
    weights: str | None = None,
    level: float = 0.95,
) -> PriceLine:
    """Fits power on cost and further columns, each card weighted by its precision.

    Args:
        table: one row per card; rows that lack a value get nan results.
        cost: column on the x axis, for instance the energy or AP of the card.
        covariates: numeric columns that enter linearly, for instance Score, AP and price.
        effect: column of effects in points.
        se: column of their standard errors.
        weights: column of copies played, multiplied into the weights; unweighted without it.
        level: coverage.

    Raises:
        ValueError: fewer cards with all columns than the line has parameters plus two.

    Source: METHOD section 3: weights 1 / (s^2 + tau^2), tau^2 by Paule and Mandel, natural cubic spline by patsy `cr`.
    """
    b_all = table[effect].to_numpy(dtype=float)
    columns = [cost, *covariates]
    values = table[columns].to_numpy(dtype=float)
    s_all = table[se].to_numpy(dtype=float)
    extra = np.ones(len(table)) if weights is None else table[weights].to_numpy(dtype=float)
    known = np.isfinite(b_all) & np.isfinite(s_all) & np.isfinite(values).all(axis=1) & (extra > 0)
    b, s2, values, extra = b_all[known], s_all[known] ** 2, values[known], extra[known]
    spline = np.unique(values[:, 0]).size >= _SPLINE_FROM and b.size >= _CARDS_PER_COLUMN * (_SPLINE_DF + len(columns))
    basis = _Basis(values, spline)
    x = basis(values)
    if b.size < x.shape[1] + 2:
        raise ValueError(f"the price line needs {x.shape[1] + 2} cards with {', '.join(columns)}; {b.size} have them")

    def fitted(weight: NDArray[np.float64]) -> NDArray[np.float64]:
        return x @ _solve(x, weight * extra, b)

    rank = int(np.linalg.matrix_rank(x))
    tau2 = excess_variance(b, s2, fitted, b.size - rank)
    weight = extra / (s2 + tau2)
    beta = _solve(x, weight, b)
    bread = np.linalg.pinv(x.T @ (weight[:, None] * x))
    covariance = bread @ ((x * (weight**2 * (s2 + tau2))[:, None]).T @ x) @ bread
    line_var = np.einsum("ij,jk,ik->i", x, covariance, x)
    residual = b - x @ beta
    keep = tau2 / (tau2 + s2)
    z = normal_quantile(level)
    spread = np.sqrt(s2 + line_var)
    cards = pd.DataFrame(
        {
            "fitted": x @ beta,
            "residual": residual,
            "residual_se": spread,
            "low": residual - z * spread,
            "high": residual + z * spread,
            "efficiency": keep * residual,
            "efficiency_sd": np.sqrt(keep * s2 + (1 - keep) ** 2 * line_var),
        },
        index=table.index[known],
    )
    curve = _curve(basis, values, beta, covariance, z)
    cards["worth"] = _worth(curve, values[:, 0], cards["fitted"].to_numpy(), cards["efficiency"].to_numpy())
    whole = excess_variance(b, s2, lambda w: np.full(b.size, np.average(b, weights=w * extra)), b.size - 1)
    names = [*covariates] if spline else [cost, *covariates]
    at = range(x.shape[1] - len(names), x.shape[1])
    linear = pd.DataFrame({"name": names, "estimate": beta[list(at)], "se": np.sqrt(np.diag(covariance))[list(at)]})
    explained = 1 - tau2 / whole if whole > 0 else np.nan
    return PriceLine(curve, cards.reindex(table.index), linear, float(np.sqrt(tau2)), float(explained), spline)


class _Basis:
    """Columns of the regression: intercept, cost as line or spline, centred covariates."""

    def __init__(self, values: NDArray[np.float64], spline: bool):
        self.spline = spline
        self.means = values.mean(axis=0)
        self.scale = np.where(values.std(axis=0) > 0, 1.0, 0.0)
        if spline:
            from patsy import build_design_matrices, dmatrix

            self._build = build_design_matrices
            made = dmatrix(f"cr(cost, df={_SPLINE_DF}, constraints='center') - 1", {"cost": values[:, 0]})
            self._info = made.design_info

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        ones = np.ones((values.shape[0], 1))
        rest = (values[:, 1:] - self.means[1:]) * self.scale[1:]
        if self.spline:
            cost = np.asarray(self._build([self._info], {"cost": values[:, 0]})[0])
        else:
            cost = values[:, :1] - self.means[0]
        return np.concatenate([ones, cost, rest], axis=1)


def _solve(x: NDArray[np.float64], weight: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns weighted least-squares coefficients (minimum norm where columns are collinear)."""
    root = np.sqrt(weight)
    return np.asarray(np.linalg.lstsq(x * root[:, None], b * root, rcond=1e-10)[0], dtype=np.float64)


def _curve(basis: _Basis, values, beta, covariance, z: float) -> pd.DataFrame:
    """Returns the line over the observed costs with the other columns at their means."""
    grid = np.linspace(values[:, 0].min(), values[:, 0].max(), _GRID)
    points = np.tile(basis.means, (_GRID, 1))
    points[:, 0] = grid
    x = basis(points)
    power, half = x @ beta, z * np.sqrt(np.einsum("ij,jk,ik->i", x, covariance, x))
    return pd.DataFrame({"cost": grid, "power": power, "low": power - half, "high": power + half})


def _worth(curve: pd.DataFrame, costs, fitted, efficiency) -> NDArray[np.float64]:
    """Returns the cost at which the line reaches the card's power, covariates held at the card's own values."""
    power, grid = curve["power"].to_numpy(), curve["cost"].to_numpy()
    worth = np.full(costs.size, np.nan)
    rising = np.maximum.accumulate(power)
    if power[-1] - power[0] <= 0 or np.abs(rising - power).max() > 0.25 * (power[-1] - power[0]):
        return worth
    step = np.diff(rising).clip(min=1e-12)
    rising = np.concatenate([[rising[0]], rising[0] + np.cumsum(step)])
    target = np.interp(costs, grid, power) + efficiency
    inside = (target >= rising[0]) & (target <= rising[-1])
    worth[inside] = np.interp(target[inside], rising, grid)
    return worth
