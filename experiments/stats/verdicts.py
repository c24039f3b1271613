"""Three-way verdicts on cards, and how many more games an open one needs.

A card is called too strong or too weak only when three conditions hold together (false-discovery rate, posterior
beyond the band, enough games), and within the band only when the posterior lies inside it. Everything else is open
and says for how long. A card whose effect the engine does not play in full gets no verdict at all.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from apotheosis.experiments.stats.fdr import adjust, p_values
from apotheosis.experiments.stats.intervals import Interval

__all__ = ["BAND", "CERTAINTY", "FDR", "MINIMUM_GAMES", "Verdict", "judge", "more_games", "placed"]

BAND = 0.02
"""Half width of the band of acceptable effects, in win-rate points (METHOD section 1)."""

CERTAINTY = 0.95
"""Posterior probability that a verdict needs."""

FDR = 0.10
"""False-discovery rate among the cards called too strong or too weak."""

MINIMUM_GAMES = 200
"""Sides that must have played the card before it is judged."""

_POWER = 0.80
_NEAREST = 0.25


class Verdict(StrEnum):
    """What can be said about a card."""

    TOO_STRONG = "too_strong"
    TOO_WEAK = "too_weak"
    WITHIN = "within"
    UNDECIDED = "undecided"
    NONE = "none"


def judge(
    effect: ArrayLike,
    se: ArrayLike,
    mean: ArrayLike,
    sd: ArrayLike,
    games: ArrayLike,
    band: float = BAND,
    fdr: float = FDR,
    minimum: int = MINIMUM_GAMES,
    blocked: ArrayLike | None = None,
) -> pd.DataFrame:
    """Judges cards.

    Args:
        effect: estimates in points; nan where a card could not be estimated.
        se: their standard errors.
        mean: posterior means (`shrinkage.shrink`).
        sd: posterior standard deviations.
        games: sides that played the card.
        band: half width of the acceptable band in points.
        fdr: false-discovery rate of the cards called too strong or too weak.
        minimum: smallest number of sides for a verdict.
        blocked: True for cards with a partial or inert effect; they get no verdict and do not enter the correction.

    Returns:
        verdict (a Verdict), p, q, p_strong, p_weak, p_within (posterior probabilities), more_games (nan unless
        undecided).
    """
    b, s, centre, spread = (np.asarray(part, dtype=float) for part in (effect, se, mean, sd))
    played = np.asarray(games, dtype=float)
    held = np.zeros(b.size, dtype=bool) if blocked is None else np.asarray(blocked, dtype=bool)
    open_to = np.isfinite(b) & np.isfinite(s) & np.isfinite(centre) & np.isfinite(spread) & ~held
    p = np.where(open_to, p_values(b, s), np.nan)
    q = adjust(p)
    with np.errstate(divide="ignore", invalid="ignore"):
        above = special.ndtr((centre - band) / spread)
        below = special.ndtr((-band - centre) / spread)
    above, below = np.where(open_to, above, np.nan), np.where(open_to, below, np.nan)
    inside = 1 - above - below
    enough = open_to & (played >= minimum)
    listed = enough & (q <= fdr)
    verdict = np.full(b.size, str(Verdict.UNDECIDED), dtype=object)
    verdict[~open_to] = str(Verdict.NONE)
    verdict[enough & (inside >= CERTAINTY)] = str(Verdict.WITHIN)
    verdict[listed & (above >= CERTAINTY)] = str(Verdict.TOO_STRONG)
    verdict[listed & (below >= CERTAINTY)] = str(Verdict.TOO_WEAK)
    needed = np.maximum(more_games(centre, s, played, band), minimum - played)
    return pd.DataFrame(
        {
            "verdict": verdict,
            "p": p,
            "q": q,
            "p_strong": above,
            "p_weak": below,
            "p_within": inside,
            "more_games": np.where(verdict == str(Verdict.UNDECIDED), needed, np.nan),
        }
    )


def more_games(mean: ArrayLike, se: ArrayLike, games: ArrayLike, band: float = BAND) -> NDArray[np.float64]:
    """Returns about how many more games would settle an open card, to two significant digits.

    If the truth is at the posterior mean, the card is settled with probability 0.8 once the standard error has fallen
    to the distance between mean and the nearer edge of the band divided by z(0.95) + z(0.80). A card on the edge
    itself would never be settled; there the distance counts as a quarter of the band.

    Args:
        mean: posterior means in points.
        se: standard errors at the games played so far.
        games: games (sides) so far.
        band: half width of the band.
    """
    centre, s, n = (np.asarray(part, dtype=float) for part in (mean, se, games))
    distance = np.maximum(np.abs(np.abs(centre) - band), _NEAREST * band)
    target = distance / (special.ndtri(CERTAINTY) + special.ndtri(_POWER))
    missing = n * np.maximum((s / target) ** 2 - 1, 0.1)
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = 10.0 ** np.maximum(np.floor(np.log10(missing)) - 1, 0)
    return np.where(missing > 0, np.ceil(missing / unit) * unit, np.nan)


def placed(effect: Interval, games: int, band: float = BAND) -> tuple[str, int | None]:
    """Returns where the interval of one answered question lies beside the band, and the games that an open one needs.

    Args:
        effect: the effect in points.
        games: games played so far.
        band: half width of the band.
    """
    if effect.low > band:
        return str(Verdict.TOO_STRONG), None
    if effect.high < -band:
        return str(Verdict.TOO_WEAK), None
    if -band < effect.low and effect.high < band:
        return str(Verdict.WITHIN), None
    more = float(more_games(effect.estimate, effect.se, games, band))
    return str(Verdict.UNDECIDED), int(more) if np.isfinite(more) else None
