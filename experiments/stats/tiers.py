"""Do card effects agree between weak and strong bots?

A claim about balance that holds for one bot only is a claim about that bot. Effects per tier are compared as a whole
(rank agreement) and card by card; a card whose effect depends on skill is labelled instead of judged.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from apotheosis.experiments.stats.fdr import adjust

__all__ = ["LABELS", "agreement", "interaction"]

LABELS = ("stable", "expert card", "beginner trap", "unclear")
"""What a card's dependence on skill is called."""


def agreement(effects: pd.DataFrame, seed: int, draws: int = 400, level: float = 0.95) -> pd.DataFrame:
    """Returns Kendall's tau of card effects between every two tiers with a bootstrap interval.

    Args:
        effects: tier, card_id, effect, se; tiers from weakest to strongest bot in order of appearance.
        seed: seed of the bootstrap over cards.
        draws: resamples.
        level: coverage.

    Returns:
        low_tier, high_tier, tau, low, high, cards. Noise of the effects pulls tau towards 0, so it is a lower guide.
    """
    rng = np.random.default_rng(seed)
    wide = effects.pivot(index="card_id", columns="tier", values="effect")
    rows = []
    for one, two in combinations(pd.unique(effects["tier"]), 2):
        both = wide[[one, two]].dropna().to_numpy()
        tau = float(stats.kendalltau(both[:, 0], both[:, 1]).statistic) if len(both) > 2 else np.nan
        picks = rng.integers(0, len(both), size=(draws, len(both))) if len(both) > 2 else np.zeros((0, 0), dtype=int)
        resampled = [stats.kendalltau(both[pick, 0], both[pick, 1]).statistic for pick in picks]
        tail = 50 * (1 - level)
        low, high = np.nanpercentile(resampled, [tail, 100 - tail]) if resampled else (np.nan, np.nan)
        rows.append((one, two, tau, float(low), float(high), len(both)))
    return pd.DataFrame(rows, columns=["low_tier", "high_tier", "tau", "low", "high", "cards"])


def interaction(
    effects: pd.DataFrame, strength: ArrayLike | None = None, band: float = 0.02, fdr: float = 0.10
) -> pd.DataFrame:
    """Tests for each card whether its effect differs between tiers, and labels it.

    Args:
        effects: tier, card_id, effect, se; tiers from weakest to strongest bot in order of appearance.
        strength: rating of each tier, for the direction; 0, 1, 2, ... without it.
        band: change from the weakest to the strongest tier, in points, below which a card is stable.
        fdr: false-discovery rate of the differences.

    Returns:
        card_id, tiers, p, q, change (weakest to strongest along the weighted line), change_se, label: "expert card"
        rises with skill, "beginner trap" falls, "stable" changes by less than the band for sure, "unclear" is none of
        these.

    Source: METHOD section 5: Wald test of card x tier, sum (b_t - b)^2 / s_t^2 on tiers - 1 degrees of freedom, with
        BH.
    """
    order = list(pd.unique(effects["tier"]))
    level = dict(zip(order, np.arange(len(order)) if strength is None else np.asarray(strength, dtype=float), strict=True))
    rows = []
    for card, part in effects.dropna(subset=["effect", "se"]).groupby("card_id", sort=True, observed=True):
        b, w = part["effect"].to_numpy(dtype=float), 1 / part["se"].to_numpy(dtype=float) ** 2
        x = np.array([level[tier] for tier in part["tier"]], dtype=float)
        if b.size < 2:
            rows.append((card, b.size, np.nan, np.nan, np.nan))
            continue
        statistic = float(np.sum(w * (b - np.average(b, weights=w)) ** 2))
        centred = x - np.average(x, weights=w)
        span, room = x.max() - x.min(), float(np.sum(w * centred**2))
        slope = float(np.sum(w * centred * b)) / room
        rows.append((card, b.size, float(stats.chi2.sf(statistic, b.size - 1)), slope * span, span / np.sqrt(room)))
    table = pd.DataFrame(rows, columns=["card_id", "tiers", "p", "change", "change_se"])
    table["q"] = adjust(table["p"])
    surely = np.abs(table["change"]) + 1.645 * table["change_se"] < band
    differs = table["q"] <= fdr
    table["label"] = np.select(
        [differs & (table["change"] > 0), differs & (table["change"] < 0), surely & ~differs],
        ["expert card", "beginner trap", "stable"],
        "unclear",
    )
    return table[["card_id", "tiers", "p", "q", "change", "change_se", "label"]]
