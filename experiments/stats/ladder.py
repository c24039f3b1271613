"""Joint rating of bots: Bradley-Terry with a seat term, draws as half wins, simultaneous intervals.

Ratings are fitted to all pairings together, so a bot is not judged by its last opponent. Online Elo depends on the
order of matches and is never used in a report.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from apotheosis.experiments.stats.adjusted import AdjustedFit, fit
from apotheosis.experiments.stats.design import Design, assemble
from apotheosis.experiments.stats.moments import KeyedMoments

__all__ = ["ELO_PER_LOGIT", "BotTally", "Ladder", "rate", "rate_tally"]

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


class BotTally:
    """Adds up, piece by piece, how bots did against each other: the different courses of a pair, and how often each was."""

    def __init__(self) -> None:
        self._courses: Counter[tuple[tuple[str, str, float], ...]] = Counter()
        self._meetings = KeyedMoments(2)

    @property
    def bots(self) -> list[str]:
        """The bots that finished a match, sorted."""
        return sorted({bot for course in self._courses for a, b, _ in course for bot in (a, b)})

    def add(self, matches: pd.DataFrame) -> None:
        """Adds whole pairs of the `matches` frame."""
        done = matches[matches["score_a"].notna()]
        names, code = np.unique(done[["seat_a_bot", "seat_b_bot"]].to_numpy(dtype=str), return_inverse=True)
        a, b = code.reshape(-1, 2).T
        scores, score = np.unique(done["score_a"].to_numpy(dtype=float), return_inverse=True)
        pair, row = done["pair_id"].to_numpy(), (a * len(names) + b) * max(len(scores), 1) + score
        order = np.lexsort((row, pair))
        starts = np.flatnonzero(np.diff(pair[order], prepend=np.nan))
        for course, n in Counter(tuple(each.tolist()) for each in np.split(row[order], starts[1:]) if each.size).items():
            games = [divmod(number, len(scores)) for number in course]
            key = [(str(names[sides // len(names)]), str(names[sides % len(names)]), float(scores[s])) for sides, s in games]
            self._courses[tuple(sorted(key))] += n
        self._add_meetings(names, a, b, done["score_a"].to_numpy(dtype=float), pair)

    def _add_meetings(self, names: NDArray, a: NDArray, b: NDArray, score: NDArray[np.float64], pair: NDArray) -> None:
        other = a != b
        cells, cell = np.unique((np.minimum(a, b) * max(len(names), 1) + np.maximum(a, b))[other], return_inverse=True)
        keys = [(str(names[key // len(names)]), str(names[key % len(names)])) for key in cells.tolist()]
        own = np.where(a < b, score, 1 - score)[other]
        self._meetings.add(keys, cell, pair[other], np.stack([own, np.ones(len(own))], axis=1), means=True)

    def design(self) -> Design:
        """Returns the regression table, in which each course of a pair stands once."""
        games = [(*game, number) for number, course in enumerate(self._courses) for game in course]
        a, b, score, cluster = (np.array(part) for part in zip(*games, strict=True))
        none = sparse.csr_matrix((len(games), 0), dtype=np.int8)
        times = np.array(list(self._courses.values()), dtype=float)[cluster]
        return replace(assemble(none, score, cluster, [], (a, b)), times=times)

    def games(self, bot: str) -> int:
        """Returns how often a bot played; a match against itself counts twice."""
        return sum(n * sum((a == bot) + (b == bot) for a, b, _ in course) for course, n in self._courses.items())

    def pairings(self, level: float = 0.95) -> pd.DataFrame:
        """Returns the mean score of every two bots against each other, by mirrored pairs."""
        rows = []
        for number, (bot, other) in enumerate(self._meetings.keys):
            found = self._meetings.moments.share(number, level=level)
            rows.append((bot, other, found.estimate, found.low, found.high, int(found.n)))
        table = pd.DataFrame(rows, columns=["a", "b", "score_a", "low", "high", "n_pairs"])
        return table.sort_values(["a", "b"], ignore_index=True)


def rate(matches: pd.DataFrame, anchor: str = "random", level: float = 0.95, seed: int = 0) -> Ladder:
    """Rates the bots of a run.

    Args:
        matches: the `matches` frame; matches of a bot against itself only inform the seat term.
        anchor: bot whose rating is 0; the first bot in alphabetical order where it did not play.
        level: joint coverage of all intervals.
        seed: seed of the simulated quantile.

    Raises:
        ValueError: fewer than two bots played.
    """
    tally = BotTally()
    tally.add(matches)
    return rate_tally(tally, anchor, level, seed)


def rate_tally(tally: BotTally, anchor: str = "random", level: float = 0.95, seed: int = 0) -> Ladder:
    """Rates bots whose matches were added up; arguments and errors as of `rate`.

    Source: Bradley and Terry 1952; METHOD section 5, Elo = beta 400 / ln 10; Hothorn, Bretz and Westfall 2008 for the
        quantile of the largest of correlated estimates; log-F(1,1) prior on each difference.
    """
    bots = tally.bots
    if len(bots) < 2:
        raise ValueError(f"a ladder needs at least two bots; the run has {', '.join(bots) or 'none'}")
    zero = anchor if anchor in bots else bots[0]
    found = fit(tally.design())
    contrast = _contrast(found, bots, zero)
    elo = contrast @ found.coefficients * ELO_PER_LOGIT
    covariance = contrast @ found.covariance @ contrast.T * ELO_PER_LOGIT**2
    quantile = _largest_quantile(covariance, level, seed)
    se = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    games = [tally.games(bot) for bot in bots]
    ratings = pd.DataFrame(
        {"bot": bots, "elo": elo, "se": se, "low": elo - quantile * se, "high": elo + quantile * se, "games": games}
    )
    names = found.design.terms["name"].to_numpy()
    lost = [str(name) for name, flag in zip(names, found.separated, strict=True) if flag]
    return Ladder(
        ratings=ratings.sort_values(["elo", "bot"], ascending=[False, True], ignore_index=True),
        pairs=tally.pairings(level),
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
