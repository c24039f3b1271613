"""Joint rating of bots: Bradley-Terry with a seat term, draws as half wins, simultaneous intervals.

Ratings are fitted to all pairings together, so a bot is not judged by its last opponent. Online Elo depends on the
order of matches and is never used in a report.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from apotheosis.experiments.stats.adjusted import AdjustedFit, fit
from apotheosis.experiments.stats.design import assemble
from apotheosis.experiments.stats.intervals import cluster_share
from apotheosis.experiments.stats.sides import sides

__all__ = ["ELO_PER_LOGIT", "Ladder", "rate"]

ELO_PER_LOGIT = 400 / np.log(10)
"""Elo points of one logit."""

_DRAWS = 20_000


@dataclass(frozen=True)
class Ladder:
    """Ratings of bots.

    Attributes:
        ratings: bot, elo, se, low, high (simultaneous over all bots), games; strongest first, the anchor has 0.
        pairs: a, b, score_a (mean pair score of a), low, high, n_pairs.
        seat_elo: advantage of seat A in Elo.
        seat_se: its standard error.
        quantile: critical value of the simultaneous intervals.
        separated: bots that won or lost all their games; their rating is held by the prior.
    """

    ratings: pd.DataFrame
    pairs: pd.DataFrame
    seat_elo: float
    seat_se: float
    quantile: float
    separated: list[str]


def rate(matches: pd.DataFrame, anchor: str = "random", level: float = 0.95, seed: int = 0) -> Ladder:
    """Rates the bots of a run.

    Args:
        matches: the `matches` frame; matches of a bot against itself only inform the seat term.
        anchor: bot whose rating is 0; the first bot in alphabetical order where it did not play.
        level: joint coverage of all intervals.
        seed: seed of the simulated quantile.

    Raises:
        ValueError: fewer than two bots played.

    Source: Bradley and Terry 1952; METHOD section 5, Elo = beta 400 / ln 10; Hothorn, Bretz and Westfall 2008 for the
        quantile of the largest of correlated estimates; log-F(1,1) prior on each difference.
    """
    done = matches[matches["score_a"].notna()]
    a, b = done["seat_a_bot"].astype(str).to_numpy(dtype=object), done["seat_b_bot"].astype(str).to_numpy(dtype=object)
    bots = sorted({*a, *b})
    if len(bots) < 2:
        raise ValueError(f"a ladder needs at least two bots; the run has {', '.join(bots) or 'none'}")
    zero = anchor if anchor in bots else bots[0]
    none = sparse.csr_matrix((len(done), 0), dtype=np.int8)
    design = assemble(none, done["score_a"].to_numpy(dtype=float), done["pair_id"].to_numpy(), [], (a, b))
    found = fit(design)
    contrast = _contrast(found, bots, zero)
    elo = contrast @ found.coefficients * ELO_PER_LOGIT
    covariance = contrast @ found.covariance @ contrast.T * ELO_PER_LOGIT**2
    quantile = _largest_quantile(covariance, level, seed)
    se = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    games = [int((a == bot).sum() + (b == bot).sum()) for bot in bots]
    ratings = pd.DataFrame(
        {"bot": bots, "elo": elo, "se": se, "low": elo - quantile * se, "high": elo + quantile * se, "games": games}
    )
    names = found.design.terms["name"].to_numpy()
    lost = [str(name) for name, flag in zip(names, found.separated, strict=True) if flag]
    return Ladder(
        ratings=ratings.sort_values(["elo", "bot"], ascending=[False, True], ignore_index=True),
        pairs=_pair_table(done, level),
        seat_elo=float(found.coefficients[0] * ELO_PER_LOGIT),
        seat_se=float(found.standard_errors[0] * ELO_PER_LOGIT),
        quantile=quantile,
        separated=lost,
    )


def _contrast(found: AdjustedFit, bots: list[str], zero: str) -> np.ndarray:
    """Returns the rows that turn coefficients into ratings relative to the anchor."""
    names = found.design.terms["name"].tolist()
    rows = np.zeros((len(bots), len(names)))
    for row, bot in enumerate(bots):
        if bot in names[1:]:
            rows[row, names.index(bot, 1)] += 1
        if zero in names[1:]:
            rows[row, names.index(zero, 1)] -= 1
    return rows


def _largest_quantile(covariance: np.ndarray, level: float, seed: int) -> float:
    """Returns the quantile of the largest absolute standardised estimate under their joint normal law."""
    se = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    free = se > 0
    if not free.any():
        return float("nan")
    correlation = covariance[np.ix_(free, free)] / np.outer(se[free], se[free])
    values, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    draws = np.random.default_rng(seed).standard_normal((_DRAWS, int(free.sum()))) @ root.T
    return float(np.quantile(np.abs(draws).max(axis=1), level))


def _pair_table(done: pd.DataFrame, level: float) -> pd.DataFrame:
    """Returns the mean score of every two bots against each other, by mirrored pairs."""
    own = sides(done)
    own["other"] = own["bot"].to_numpy().reshape(-1, 2)[:, ::-1].ravel()
    own = own[own["bot"].astype(str) < own["other"].astype(str)]
    rows = []
    for (bot, other), part in own.groupby(["bot", "other"], sort=True, observed=True):
        found = cluster_share(part["score"], part["pair_id"], level)
        rows.append((str(bot), str(other), found.estimate, found.low, found.high, int(found.n)))
    return pd.DataFrame(rows, columns=["a", "b", "score_a", "low", "high", "n_pairs"])
