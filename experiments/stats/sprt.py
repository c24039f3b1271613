"""Sequential test of mirrored pairs: the pentanomial generalised likelihood ratio test.

Most comparisons are clear long before a fixed number of games is played. Wald's test stops as soon as the likelihood
ratio of two hypotheses about the mean pair score passes a bound; the unknown distribution over the five pair scores
is profiled out. All functions are written from the formulas and take many count vectors at once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from apotheosis.experiments.stats.pairs import CELLS, INDEPENDENT_VARIANCE, pentanomial

__all__ = [
    "CHECK_EVERY",
    "SprtResult",
    "elo_from_score",
    "expected_pairs",
    "llr",
    "llr_approx",
    "llr_nelo",
    "llr_nelo_approx",
    "nelo",
    "pairs_quantile",
    "prefix_length",
    "score_from_elo",
    "sprt",
    "stopping_bounds",
]

CHECK_EVERY = 32
"""Pairs of the issue-order prefix between two looks at the likelihood ratio."""

_EMPTY_CELL = 1e-3
_STEPS = 60
_NELO_SCALE = 800 / np.log(10)
_SERIES_TERMS = 60
_OVERSHOOT = 0.583


@dataclass(frozen=True)
class SprtResult:
    """State of a sequential test.

    Attributes:
        decision: "H1", "H0" or None while open.
        pairs: pairs counted when the decision fell, or all pairs of the prefix while open.
        llr: log likelihood ratio at that point.
        lower: bound at which H0 is accepted.
        upper: bound at which H1 is accepted.
        counts: int64 (5,), pentanomial counts at that point.
        score: mean pair score at that point; inflated when the test stopped on it.
        s0: mean pair score under H0.
        s1: mean pair score under H1.
        path: llr at every look, for plots.
    """

    decision: str | None
    pairs: int
    llr: float
    lower: float
    upper: float
    counts: NDArray[np.int64]
    score: float
    s0: float
    s1: float
    path: NDArray[np.float64] = field(repr=False)


def score_from_elo(elo: ArrayLike) -> float | NDArray[np.float64]:
    """Returns the expected score of an Elo difference. Source: s = 1 / (1 + 10^(-elo/400))."""
    return _plain(1 / (1 + 10 ** (-np.asarray(elo, dtype=float) / 400)))


def elo_from_score(score: ArrayLike) -> float | NDArray[np.float64]:
    """Returns the Elo difference of an expected score; infinite at 0 and 1."""
    s = np.asarray(score, dtype=float)
    with np.errstate(divide="ignore"):
        return _plain(400 * np.log10(s / (1 - s)))


def nelo(counts: ArrayLike) -> float | NDArray[np.float64]:
    """Returns normalised Elo, (s - 1/2) / (sqrt(2) sigma_pair) 800 / ln 10.

    Source: Van den Bergh, normalized_elo_practical.pdf.
    """
    p, _ = _frequencies(counts)
    mean = p @ CELLS
    return _plain((mean - 0.5) / np.sqrt(2 * (p @ CELLS**2 - mean**2)) * _NELO_SCALE)


def stopping_bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """Returns the bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha). Source: Wald 1945, eq. 3.17."""
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise ValueError(f"error rates lie between 0 and 0.5; alpha {alpha} and beta {beta} were given")
    return float(np.log(beta / (1 - alpha))), float(np.log((1 - beta) / alpha))


def llr(counts: ArrayLike, s0: float, s1: float) -> float | NDArray[np.float64]:
    """Returns the exact log likelihood ratio of mean score s1 against s0.

    Args:
        counts: (..., 5) pentanomial counts; empty cells count 0.001.
        s0: mean pair score under H0.
        s1: mean pair score under H1.

    Source: Van den Bergh, support_MLE_multinomial.pdf: p_i = phat_i / (1 + x (a_i - s)) with x such that the mean is s.
    """
    p, n = _frequencies(counts)
    return _plain(n * np.sum(p * (_log_tilt(p, CELLS - s0) - _log_tilt(p, CELLS - s1)), axis=-1))


def llr_approx(counts: ArrayLike, s0: float, s1: float) -> float | NDArray[np.float64]:
    """Returns the quadratic approximation N (s1 - s0)(2 s - s0 - s1) / (2 v). Source: GSPRT_approximation.pdf."""
    p, n = _frequencies(counts)
    mean = p @ CELLS
    return _plain(n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * (p @ CELLS**2 - mean**2)))


def llr_nelo(counts: ArrayLike, nelo0: float, nelo1: float) -> float:
    """Returns the exact log likelihood ratio of two normalised Elo values.

    The hypothesis fixes t = (mean - 1/2) / sigma. Setting the derivative of the constrained likelihood to zero gives
    the same tilt as for a fixed mean with a_i - s replaced by a_i - 1/2 - t/2 ((a_i - mean)^2 / sigma + sigma), which
    is iterated.
    """
    p, n = _frequencies(counts)
    tilted = []
    for value in (nelo0, nelo1):
        t, q = value * np.sqrt(2) / _NELO_SCALE, p
        for _ in range(_STEPS):
            mean = q @ CELLS
            sigma = np.sqrt(q @ CELLS**2 - mean**2)
            constraint = CELLS - 0.5 - t / 2 * ((CELLS - mean) ** 2 / sigma + sigma)
            q = p * np.exp(-_log_tilt(p, constraint))
        tilted.append(q)
    return float(n * np.sum(p * np.log(tilted[1] / tilted[0])))


def llr_nelo_approx(counts: ArrayLike, nelo0: float, nelo1: float) -> float:
    """Returns N/2 log((1 + (t - t0)^2) / (1 + (t - t1)^2)), the closed form for normal pair scores."""
    p, n = _frequencies(counts)
    mean = p @ CELLS
    t = (mean - 0.5) / np.sqrt(p @ CELLS**2 - mean**2)
    t0, t1 = (value * np.sqrt(2) / _NELO_SCALE for value in (nelo0, nelo1))
    return float(n / 2 * np.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2)))


def prefix_length(done: ArrayLike) -> int:
    """Returns how many pairs at the start of the issue order are complete; a test may look at these and no others.

    Pairs arrive in the order of their length, so a look at all pairs that happen to be done would favour short games.
    """
    flags = np.asarray(done, dtype=bool)
    return int(flags.size if flags.all() else np.argmin(flags))


def sprt(
    scores: ArrayLike,
    s0: float,
    s1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    every: int = CHECK_EVERY,
    high: ArrayLike | None = None,
) -> SprtResult:
    """Runs the test over pair scores in issue order and stops at the first look that decides.

    Args:
        scores: pair scores of the prefix, unfinished games counted as lost.
        s0: mean pair score under H0.
        s1: mean pair score under H1, above s0.
        alpha: chance of accepting H1 when s0 is true.
        beta: chance of accepting H0 when s1 is true.
        every: pairs between looks.
        high: the same scores with unfinished games counted as won. H1 must hold with the low scores and H0 with the
            high ones, so unfinished games can delay a decision but never make one.

    Source: Wald 1945; METHOD section 2c.
    """
    lower, upper = stopping_bounds(alpha, beta)
    if not 0 < s0 < s1 < 1:
        raise ValueError(f"the hypotheses need 0 < s0 < s1 < 1; {s0} and {s1} were given")
    low = np.asarray(scores, dtype=float)
    looks = np.arange(every, low.size + 1, every)
    counts = _cumulative(low, looks)
    path = np.atleast_1d(llr(counts, s0, s1)) if looks.size else np.zeros(0)
    cautious = path if high is None or not looks.size else np.atleast_1d(llr(_cumulative(high, looks), s0, s1))
    hit = np.flatnonzero((path >= upper) | (cautious <= lower))
    if hit.size:
        at = int(hit[0])
        decided = "H1" if path[at] >= upper else "H0"
        shown = path[at] if decided == "H1" else cautious[at]
        return _result(decided, int(looks[at]), float(shown), (lower, upper), counts[at], (s0, s1), path[: at + 1])
    final = pentanomial(low)
    value = float(llr(final, s0, s1)) if low.size else 0.0
    return _result(None, low.size, value, (lower, upper), final, (s0, s1), path)


def expected_pairs(
    truth: float,
    s0: float,
    s1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    variance: float = INDEPENDENT_VARIANCE,
    every: int = CHECK_EVERY,
) -> tuple[float, float]:
    """Returns the expected number of pairs and the chance of accepting H1 when the mean pair score is `truth`.

    Looks every few pairs overshoot the bounds; `every` = 0 gives Wald's formula for a look after every instant.

    Source: Wald 1945, sections 3.4 and 3.6, for a Brownian likelihood ratio; Siegmund 1985, Sequential Analysis,
        section 10.2: bounds moved out by 0.583 standard deviations of one look's step.
    """
    drift, spread, lower, upper = _walk(truth, (s0, s1), (alpha, beta), variance, every)
    theta = 2 * drift / spread
    if abs(theta * (upper - lower)) < 1e-9:
        return -lower * upper / spread, -lower / (upper - lower)
    pass_rate = float(np.expm1(-theta * lower) / (np.exp(-theta * lower) - np.exp(-theta * upper)))
    return (pass_rate * upper + (1 - pass_rate) * lower) / drift, pass_rate


def pairs_quantile(
    share: float,
    truth: float,
    s0: float,
    s1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    variance: float = INDEPENDENT_VARIANCE,
    every: int = CHECK_EVERY,
) -> float:
    """Returns the number of pairs within which a share of tests has stopped.

    Source: exit time of Brownian motion with drift from an interval, eigenfunction series (Darling and Siegert 1953).
    """
    drift, spread, lower, upper = _walk(truth, (s0, s1), (alpha, beta), variance, every)
    width, start = upper - lower, -lower
    n = np.arange(1, _SERIES_TERMS + 1)
    rate = drift**2 / (2 * spread) + (n * np.pi) ** 2 * spread / (2 * width**2)
    down = np.exp(-drift * start / spread) * np.sin(n * np.pi * start / width)
    up = np.exp(drift * (width - start) / spread) * np.sin(n * np.pi * (width - start) / width)
    weight = np.pi * spread * n / width**2 / rate * (down + up)

    def running(log_pairs: float) -> float:
        return float(weight @ np.exp(-rate * np.exp(log_pairs))) - (1 - share)

    mean, _ = expected_pairs(truth, s0, s1, alpha, beta, variance, every)
    return float(np.exp(optimize.brentq(running, np.log(mean) - 3, np.log(mean) + 4)))


def _walk(
    truth: float, scores: tuple[float, float], errors: tuple[float, float], variance: float, every: int
) -> tuple[float, float, float, float]:
    """Returns drift and variance of the log likelihood ratio per pair, and the bounds it must reach."""
    s0, s1 = scores
    lower, upper = stopping_bounds(*errors)
    spread = (s1 - s0) ** 2 / variance
    beyond = _OVERSHOOT * np.sqrt(spread * every)
    return (s1 - s0) * (2 * truth - s0 - s1) / (2 * variance), spread, lower - beyond, upper + beyond


def _frequencies(counts: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns frequencies and totals, with empty cells filled a little."""
    n = np.asarray(counts, dtype=float)
    if n.shape[-1] != 5:
        raise ValueError(f"pentanomial counts have five cells, {n.shape[-1]} were given")
    n = np.where(n <= 0, _EMPTY_CELL, n)
    total = n.sum(axis=-1)
    return n / total[..., None], total


def _log_tilt(p: NDArray[np.float64], d: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns log(1 + x d) with x such that sum p d / (1 + x d) = 0, by Newton steps kept inside a bracket.

    The sum falls in x from +inf at -1/max(d) to -inf at -1/min(d), so the bracket always holds one root.
    """
    low = np.full(p.shape[:-1], -1 / d.max())
    high = np.full(p.shape[:-1], -1 / d.min())
    x = np.clip((p @ d) / (p @ d**2), 0.9 * low, 0.9 * high)
    for _ in range(_STEPS):
        share = d / (1 + x[..., None] * d)
        value = np.sum(p * share, axis=-1)
        low, high = np.where(value > 0, x, low), np.where(value > 0, high, x)
        step = x + value / np.sum(p * share * share, axis=-1)
        new = np.where((step > low) & (step < high), step, (low + high) / 2)
        if np.all(np.abs(new - x) <= 1e-12 * np.maximum(np.abs(x), 1e-3)):
            break
        x = new
    return np.log1p(x[..., None] * d)


def _cumulative(scores: ArrayLike, looks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns the pentanomial counts after each look."""
    cell = np.rint(np.asarray(scores, dtype=float) * 4).astype(np.int64)
    hot = cell[:, None] == np.arange(5)
    return np.cumsum(hot, axis=0)[looks - 1].astype(float) if looks.size else np.zeros((0, 5))


def _result(decision, pairs, value, bounds, counts, scores, path) -> SprtResult:
    """Packs a result."""
    counts = np.asarray(counts, dtype=np.int64)
    mean = float(counts @ CELLS / counts.sum()) if counts.sum() else np.nan
    return SprtResult(decision, pairs, value, bounds[0], bounds[1], counts, mean, scores[0], scores[1], path)


def _plain(value):
    """Returns a float for a single number, else the array."""
    return float(value) if np.ndim(value) == 0 else value
