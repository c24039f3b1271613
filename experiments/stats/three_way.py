"""Three-way sequential test: stronger, weaker, or the same within a margin.

A plain test that accepts "no improvement" does not say that two versions are equal. Two tests run side by side on the
same pairs do: one asks whether the score is beyond the outer margin above one half, the other below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from apotheosis.experiments.stats.sprt import CHECK_EVERY, SprtResult, sprt

__all__ = ["ThreeWay", "three_way"]


@dataclass(frozen=True)
class ThreeWay:
    """State of a three-way test.

    Attributes:
        verdict: "stronger", "weaker", "within" or None while open.
        pairs: pairs counted when the verdict fell, or all pairs of the prefix.
        upper: the test of "at most +inner" against "at least +outer".
        lower: the mirrored test, run on one minus the scores.
    """

    verdict: str | None
    pairs: int
    upper: SprtResult
    lower: SprtResult


def three_way(
    scores: ArrayLike,
    inner: float = 0.01,
    outer: float = 0.03,
    alpha: float = 0.05,
    beta: float = 0.05,
    every: int = CHECK_EVERY,
    high: ArrayLike | None = None,
) -> ThreeWay:
    """Runs both tests over pair scores in issue order.

    Args:
        scores: pair scores of the prefix, unfinished games counted as lost.
        inner: effect in points up to which versions count as equal.
        outer: effect in points from which on they count as different; between the two either answer is right.
        alpha: chance of calling a difference when the effect is `inner`.
        beta: chance of missing one when the effect is `outer`.
        every: pairs between looks.
        high: scores with unfinished games counted as won.

    Source: Sobel and Wald 1949 (three hypotheses by two sequential tests); METHOD section 2c.
    """
    if not 0 <= inner < outer < 0.5:
        raise ValueError(f"the margins need 0 <= inner < outer < 0.5; {inner} and {outer} were given")
    low = np.asarray(scores, dtype=float)
    top = low if high is None else np.asarray(high, dtype=float)
    up = sprt(low, 0.5 + inner, 0.5 + outer, alpha, beta, every, high=top)
    down = sprt(1 - top, 0.5 + inner, 0.5 + outer, alpha, beta, every, high=1 - low)
    stops = []
    if up.decision == "H1":
        stops.append((up.pairs, "stronger"))
    if down.decision == "H1":
        stops.append((down.pairs, "weaker"))
    if up.decision == "H0" and down.decision == "H0":
        stops.append((max(up.pairs, down.pairs), "within"))
    if not stops:
        return ThreeWay(None, low.size, up, down)
    pairs, verdict = min(stops)
    return ThreeWay(verdict, pairs, up, down)
