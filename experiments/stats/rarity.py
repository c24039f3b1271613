"""Power by rarity (or any ordered group): equal, equivalent, rising, bounded.

What "balanced" means across rarities is the designer's choice, so each target has its own test. A test that does not
find a difference has not shown equality; equivalence is shown by two one-sided tests against a margin in points.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from apotheosis.experiments.stats.intervals import Interval, normal_quantile
from apotheosis.experiments.stats.shrinkage import paule_mandel

__all__ = [
    "Equality",
    "Equivalence",
    "Trend",
    "equality",
    "equivalence",
    "group_table",
    "ramp",
    "shape",
    "targets",
    "trend",
]


@dataclass(frozen=True)
class Equality:
    """Tests that all group means are equal; a large p does not show that they are.

    Attributes:
        statistic: Welch's F.
        p: its p-value.
        alexander_govern_p: p-value of the Alexander-Govern test.
        groups: number of groups with at least two cards.
    """

    statistic: float
    p: float
    alexander_govern_p: float
    groups: int


@dataclass(frozen=True)
class Equivalence:
    """Whether all group means lie within a margin of each other.

    Attributes:
        margin: largest acceptable difference in points.
        p: p-value of "some two groups differ by at least the margin"; small shows equivalence.
        largest: largest difference of two group means, in points.
        pair: the two groups it belongs to.
        wellek_p: p-value of Wellek's overall test at the effect size that the margin stands for.
    """

    margin: float
    p: float
    largest: float
    pair: tuple[str, str]
    wellek_p: float


@dataclass(frozen=True)
class Trend:
    """Whether power rises with the order of the groups.

    Attributes:
        somers_d: Somers' D of power given the group, -1 to 1.
        p: two-sided p-value (Jonckheere's test is the same question).
    """

    somers_d: float
    p: float


def group_table(
    effect: ArrayLike,
    se: ArrayLike,
    groups: ArrayLike,
    weights: ArrayLike | None = None,
    order: list[str] | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Returns one row per group: cards, mean with interval, true spread, percentiles.

    Args:
        effect: effect of each card in points; nan rows are left out.
        se: standard errors of the effects.
        groups: rarity (or level) of each card.
        weights: copies played of each card; equal weights without it.
        order: order of the groups; alphabetical without it.
        level: coverage.

    Returns:
        group, cards, mean, se, low, high, spread (standard deviation of true effects, noise taken out), p10, p90. The
        interval of a mean is about the cards of the group, noise of their estimates included.
    """
    b, s, names, w = _clean(effect, se, groups, weights)
    rows = []
    for name in _order(names, order):
        inside = names == name
        mean, mean_se = _weighted_mean(b[inside], w[inside])
        half = float(stats.t.ppf(0.5 + level / 2, max(inside.sum() - 1, 1))) * mean_se
        spread = np.sqrt(paule_mandel(b[inside], s[inside])) if inside.sum() > 1 else np.nan
        p10, p90 = np.percentile(b[inside], [10, 90])
        rows.append((name, int(inside.sum()), mean, mean_se, mean - half, mean + half, spread, p10, p90))
    return pd.DataFrame(rows, columns=["group", "cards", "mean", "se", "low", "high", "spread", "p10", "p90"])


def equality(effect: ArrayLike, groups: ArrayLike, weights: ArrayLike | None = None) -> Equality:
    """Tests equal group means without assuming equal variances.

    With weights the test compares weighted means by their linearised standard errors (chi-square over groups - 1).

    Source: Welch 1951 (`statsmodels` anova_oneway), Alexander and Govern 1994 (`scipy`).
    """
    from statsmodels.stats.oneway import anova_oneway

    b, _, names, w = _clean(effect, np.ones(np.asarray(effect).size), groups, weights)
    samples = [(b[names == name], w[names == name]) for name in _order(names, None)]
    samples = [(x, v) for x, v in samples if x.size >= 2 and x.var() > 0]
    if len(samples) < 2:
        return Equality(np.nan, np.nan, np.nan, len(samples))
    if weights is None:
        welch = anova_oneway([x for x, _ in samples], use_var="unequal", welch_correction=True)
        other = stats.alexandergovern(*[x for x, _ in samples])
        return Equality(float(welch.statistic), float(welch.pvalue), float(other.pvalue), len(samples))
    means, ses = np.array([_weighted_mean(x, v) for x, v in samples]).T
    centre = np.average(means, weights=1 / ses**2)
    statistic = float(np.sum((means - centre) ** 2 / ses**2))
    return Equality(statistic, float(stats.chi2.sf(statistic, len(samples) - 1)), np.nan, len(samples))


def equivalence(effect: ArrayLike, groups: ArrayLike, margin: float) -> Equivalence:
    """Tests that no two group means differ by the margin or more.

    All pairs must pass two one-sided Welch tests; as every one of them must reject, the largest p-value needs no
    correction.

    Source: Schuirmann 1987; Berger 1982 (intersection-union); Wellek 2010, section 7.2 (`statsmodels`
        equivalence_oneway), with f^2 = (margin / sigma)^2 / (2 k), the smallest effect size of k groups of which two
        are a margin apart.
    """
    from statsmodels.stats.oneway import equivalence_oneway

    b, _, names, _ = _clean(effect, np.ones(np.asarray(effect).size), groups, None)
    samples = {str(name): b[names == name] for name in _order(names, None)}
    samples = {name: x for name, x in samples.items() if x.size >= 2 and x.var() > 0}
    if len(samples) < 2:
        return Equivalence(margin, np.nan, np.nan, ("", ""), np.nan)
    worst, largest, pair = 0.0, -1.0, ("", "")
    for one, two in combinations(samples, 2):
        difference, se, freedom = _welch(samples[one], samples[two])
        worst = max(worst, float(stats.t.sf((margin - abs(difference)) / se, freedom)))
        if abs(difference) > largest:
            largest, pair = abs(difference), (one, two)
    pooled = np.sqrt(np.mean([x.var(ddof=1) for x in samples.values()]))
    size = (margin / pooled) ** 2 / (2 * len(samples))
    wellek = equivalence_oneway(list(samples.values()), size, use_var="unequal", margin_type="f2")
    return Equivalence(margin, worst, largest, pair, float(np.ravel(wellek.pvalue)[0]))


def trend(effect: ArrayLike, rank: ArrayLike) -> Trend:
    """Tests whether power rises with an ordered group, for instance rarity 0 to 4.

    Source: Somers 1962 (`scipy.stats.somersd`); the question of Jonckheere 1954.
    """
    b, order = np.asarray(effect, dtype=float), np.asarray(rank, dtype=float)
    known = np.isfinite(b) & np.isfinite(order)
    if np.unique(order[known]).size < 2 or known.sum() < 3:
        return Trend(np.nan, np.nan)
    found = stats.somersd(order[known], b[known])
    return Trend(float(found.statistic), float(found.pvalue))


def ramp(effect: ArrayLike, rank: ArrayLike, weights: ArrayLike | None = None, level: float = 0.95) -> Interval:
    """Returns the slope of power over the ordered groups in points per step, weighted by copies played if given.

    Source: weighted least squares with the HC3 covariance (MacKinnon and White 1985).
    """
    b, order = np.asarray(effect, dtype=float), np.asarray(rank, dtype=float)
    w = np.ones(b.size) if weights is None else np.asarray(weights, dtype=float)
    known = np.isfinite(b) & np.isfinite(order) & (w > 0)
    b, order, w = b[known], order[known], w[known]
    if np.unique(order).size < 2 or b.size < 3:
        return Interval(np.nan, np.nan, np.nan, np.nan, b.size, level)
    x = np.stack([np.ones(b.size), order], axis=1)
    bread = np.linalg.inv(x.T @ (w[:, None] * x))
    beta = bread @ (x.T @ (w * b))
    leverage = np.einsum("ij,jk,ik->i", x, bread, x) * w
    residual = w * (b - x @ beta) / np.maximum(1 - leverage, 1e-9)
    se = float(np.sqrt((bread @ ((x * residual[:, None] ** 2).T @ x) @ bread)[1, 1]))
    half = float(stats.t.ppf(0.5 + level / 2, b.size - 2)) * se
    return Interval(float(beta[1]), float(beta[1]) - half, float(beta[1]) + half, se, b.size, level)


def shape(effect: ArrayLike, rank: ArrayLike, weights: ArrayLike | None = None) -> pd.DataFrame:
    """Returns group means beside the best non-decreasing curve: rank, cards, mean, rising, violation (points below it).

    Source: isotonic regression, Barlow et al. 1972 (`sklearn.isotonic`).
    """
    from sklearn.isotonic import IsotonicRegression

    b, order = np.asarray(effect, dtype=float), np.asarray(rank, dtype=float)
    w = np.ones(b.size) if weights is None else np.asarray(weights, dtype=float)
    known = np.isfinite(b) & np.isfinite(order) & (w > 0)
    ranks = np.unique(order[known])
    means = np.array([np.average(b[known & (order == r)], weights=w[known & (order == r)]) for r in ranks])
    totals = np.array([w[known & (order == r)].sum() for r in ranks])
    rising = IsotonicRegression().fit_transform(ranks, means, sample_weight=totals)
    cards = [int((known & (order == r)).sum()) for r in ranks]
    return pd.DataFrame({"rank": ranks, "cards": cards, "mean": means, "rising": rising, "violation": np.abs(means - rising)})


def targets(
    effect: ArrayLike,
    se: ArrayLike,
    groups: ArrayLike,
    order: list[str],
    margin: float = 0.02,
    step: float = 0.02,
    weights: ArrayLike | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Returns the designer's targets with what the data say: target, state, value, limit, where.

    States are "holds", "fails" and "open". Equal power: all means within the margin. Gentle ramp: every step from one
    group to the next is between 0 and `step`. Bounded spread: no card is surely above the 90th percentile of the next
    group. A state is decided only when the interval is wholly on one side.
    """
    table = group_table(effect, se, groups, weights, order, level)
    b, s, names, _ = _clean(effect, se, groups, None)
    z = normal_quantile(level)
    gaps, steps, beyond = [], [], []
    for (_, one), (_, two) in combinations(table.iterrows(), 2):
        gaps.append((two["mean"] - one["mean"], np.hypot(one["se"], two["se"]), f"{one['group']} / {two['group']}"))
    for (_, one), (_, two) in zip(table.iloc[:-1].iterrows(), table.iloc[1:].iterrows(), strict=True):
        steps.append((two["mean"] - one["mean"], np.hypot(one["se"], two["se"]), f"{one['group']} / {two['group']}"))
        surely = b[names == one["group"]] - z * s[names == one["group"]]
        beyond.append((int((surely > two["p90"]).sum()), f"{one['group']} / {two['group']}"))
    rows = []
    if gaps:
        value, _, where = max(gaps, key=lambda gap: abs(gap[0]))
        state = _state([(abs(d) - z * e, abs(d) + z * e) for d, e, _ in gaps], 0.0, margin, floor=False)
        rows.append(("equal_power", state, abs(value), margin, where))
        value, _, where = max(steps, key=lambda gap: abs(gap[0] - step / 2))
        rows.append(("gentle_ramp", _state([(d - z * e, d + z * e) for d, e, _ in steps], 0.0, step), value, step, where))
        count, where = max(beyond)
        rows.append(("bounded_spread", "fails" if count else "holds", count, 0, where if count else ""))
    return pd.DataFrame(rows, columns=["target", "state", "value", "limit", "where"])


def _state(ranges: list[tuple[float, float]], low: float, high: float, floor: bool = True) -> str:
    """Returns "holds" when all ranges lie inside, "fails" when one lies wholly outside, else "open"."""
    if any(bottom > high or (floor and top < low) for bottom, top in ranges):
        return "fails"
    if all(top <= high and (not floor or bottom >= low) for bottom, top in ranges):
        return "holds"
    return "open"


def _clean(effect, se, groups, weights):
    """Returns effects, errors, group names and weights of the cards that have all of them."""
    b, s, names = np.asarray(effect, dtype=float), np.asarray(se, dtype=float), np.asarray(groups).astype(str)
    w = np.ones(b.size) if weights is None else np.asarray(weights, dtype=float)
    known = np.isfinite(b) & np.isfinite(s) & np.isfinite(w) & (w > 0)
    return b[known], s[known], names[known], w[known]


def _order(names: NDArray, order: list[str] | None) -> list[str]:
    """Returns the groups that occur, in the given or in alphabetical order."""
    found = sorted({str(name) for name in names})
    return found if order is None else [name for name in order if name in found]


def _weighted_mean(x: NDArray[np.float64], w: NDArray[np.float64]) -> tuple[float, float]:
    """Returns a weighted mean and its linearised standard error (s / sqrt(n) for equal weights)."""
    mean = float(np.average(x, weights=w))
    if x.size < 2:
        return mean, np.nan
    share = w / w.sum()
    return mean, float(np.sqrt(x.size / (x.size - 1) * np.sum((share * (x - mean)) ** 2)))


def _welch(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float, float]:
    """Returns difference of means, its standard error and Welch's degrees of freedom."""
    u, v = x.var(ddof=1) / x.size, y.var(ddof=1) / y.size
    return (
        float(x.mean() - y.mean()),
        float(np.sqrt(u + v)),
        float((u + v) ** 2 / (u**2 / (x.size - 1) + v**2 / (y.size - 1))),
    )
