"""How many games a question costs, and what a planned number of games can and cannot show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from apotheosis.experiments.stats.pairs import INDEPENDENT_VARIANCE
from apotheosis.experiments.stats.sprt import expected_pairs, pairs_quantile

__all__ = [
    "FIELD_GAMES",
    "GAME_VARIANCE",
    "PAIR_GAMES",
    "Cost",
    "cost",
    "detectable",
    "fixed_games",
    "fixed_power",
    "random_deck_se",
    "sequential_games",
    "standard_error",
    "tost_pairs",
    "tost_power",
]

GAME_VARIANCE = 0.25
"""Variance of the score of one even game without draws."""

PAIR_GAMES = 2
"""Games of one head-to-head unit: a mirrored pair."""

FIELD_GAMES = 4
"""Games of one field unit: both decks against the same opponent in both seats."""

CONTRAST_GAMES = 8
"""Games of one exchange of two cards: four versions of a deck against the same opponent in both seats."""


@dataclass(frozen=True)
class Cost:
    """Games that an effect costs, by design.

    Attributes:
        effect: effect in points.
        power: chance of finding it.
        head_to_head: games with a fixed number, mirrored pairs of both versions against each other.
        field: games with a fixed number, both versions against the same opponents.
        sequential: expected games of the three-way test if the effect is real.
        sequential_p95: games within which 95 % of these tests stop.
        random_decks: games of a random-deck run that give every card this precision.
    """

    effect: float
    power: float
    head_to_head: int
    field: int
    sequential: int
    sequential_p95: int
    random_decks: int


def fixed_games(
    effect: float,
    alpha: float = 0.05,
    power: float = 0.8,
    design: str = "head_to_head",
    variance: float = INDEPENDENT_VARIANCE,
    rho: float = 0.0,
) -> int:
    """Returns the games of a test with a fixed number of games (two-sided).

    Args:
        effect: effect in points.
        alpha: two-sided error rate.
        power: chance of finding the effect.
        design: "head_to_head", "field", or "contrast" (the exchange of two cards).
        variance: variance of a pair score (head to head), 0.125 for independent even games.
        rho: correlation of two versions' scores on the same seeds (field, contrast).

    Source: METHOD section 2, n = ((z(1-alpha/2) + z(power)) sigma / effect)^2 units.
    """
    unit, games = _unit(design, variance, rho)
    z = float(special.ndtri(1 - alpha / 2) + special.ndtri(power))
    return int(np.ceil(z * z * unit / effect**2 * games))


def fixed_power(
    effect: float,
    games: int,
    alpha: float = 0.05,
    design: str = "head_to_head",
    variance: float = INDEPENDENT_VARIANCE,
    rho: float = 0.0,
) -> float:
    """Returns the chance that a fixed number of games finds an effect (two-sided)."""
    shift = effect / standard_error(games, design, variance, rho)
    z = special.ndtri(1 - alpha / 2)
    return float(special.ndtr(shift - z) + special.ndtr(-shift - z))


def detectable(
    games: int,
    alpha: float = 0.05,
    power: float = 0.8,
    design: str = "head_to_head",
    variance: float = INDEPENDENT_VARIANCE,
    rho: float = 0.0,
) -> float:
    """Returns the smallest effect in points that a number of games finds with the given power."""
    quantiles = special.ndtri(1 - alpha / 2) + special.ndtri(power)
    return float(quantiles * standard_error(games, design, variance, rho))


def standard_error(games: int, design: str = "head_to_head", variance: float = INDEPENDENT_VARIANCE, rho: float = 0.0) -> float:
    """Returns the standard error in points that a number of games gives."""
    unit, per = _unit(design, variance, rho)
    return float(np.sqrt(unit / (games / per)))


def tost_pairs(margin: float, alpha: float = 0.05, power: float = 0.9, variance: float = INDEPENDENT_VARIANCE) -> int:
    """Returns the pairs after which two equal versions are shown to be equal within a margin.

    Source: Schuirmann 1987; pairs = ((z(1-alpha) + z(1-beta/2)) sigma / margin)^2.
    """
    z = float(special.ndtri(1 - alpha) + special.ndtri(1 - (1 - power) / 2))
    return int(np.ceil(z * z * variance / margin**2))


def tost_power(
    pairs: int, margin: float, effect: float = 0.0, alpha: float = 0.05, variance: float = INDEPENDENT_VARIANCE
) -> float:
    """Returns the chance that both one-sided tests reject, so that versions are called equal within the margin."""
    se = np.sqrt(variance / pairs)
    edge = margin / se - special.ndtri(1 - alpha)
    shift = effect / se
    return float(max(special.ndtr(edge - shift) - special.ndtr(-edge - shift), 0.0))


def sequential_games(
    effect: float,
    inner: float = 0.01,
    outer: float = 0.03,
    alpha: float = 0.05,
    beta: float = 0.05,
    variance: float = INDEPENDENT_VARIANCE,
) -> tuple[float, float]:
    """Returns expected games, and games within which 95 % of tests stop, of the decisive half of a three-way test.

    For an effect beyond the middle of both margins that half is the test of its own direction; nearer to zero both
    halves must accept, and the one on the effect's own side is the slower.
    """
    truth, s0, s1 = 0.5 + abs(effect), 0.5 + inner, 0.5 + outer
    mean, _ = expected_pairs(truth, s0, s1, alpha, beta, variance)
    return PAIR_GAMES * mean, PAIR_GAMES * pairs_quantile(0.95, truth, s0, s1, alpha, beta, variance)


def random_deck_se(matches: int, share: float, variance: float = GAME_VARIANCE) -> float:
    """Returns the standard error of a card's effect in a random-deck run.

    Args:
        matches: matches played.
        share: share of decks that hold the card.
        variance: variance of a match score.

    Source: METHOD section 2d, sqrt(0.25 / (M q (1 - q))).
    """
    return float(np.sqrt(variance / (matches * share * (1 - share))))


def cost(
    effect: float,
    power: float = 0.8,
    alpha: float = 0.05,
    variance: float = INDEPENDENT_VARIANCE,
    rho: float = 0.0,
    share: float = 0.3,
    inner: float = 0.01,
    outer: float = 0.03,
) -> Cost:
    """Returns what an effect costs by each design."""
    mean, late = sequential_games(effect, inner, outer, alpha, 1 - power if power > 0.5 else alpha, variance)
    z = float(special.ndtri(1 - alpha / 2) + special.ndtri(power))
    return Cost(
        effect=effect,
        power=power,
        head_to_head=fixed_games(effect, alpha, power, "head_to_head", variance),
        field=fixed_games(effect, alpha, power, "field", rho=rho),
        sequential=int(np.ceil(mean)),
        sequential_p95=int(np.ceil(late)),
        random_decks=int(np.ceil(z * z * GAME_VARIANCE / (effect**2 * share * (1 - share)))),
    )


def _unit(design: str, variance: float, rho: float) -> tuple[float, int]:
    """Returns the variance of one unit's effect and the games of a unit."""
    if design == "head_to_head":
        return variance, PAIR_GAMES
    if design == "field":
        return 2 * GAME_VARIANCE * (1 - rho) / 2, FIELD_GAMES
    if design == "contrast":
        return 4 * GAME_VARIANCE * (1 - rho) / 2, CONTRAST_GAMES
    raise ValueError(f"designs are head_to_head, field and contrast, {design!r} was given")
