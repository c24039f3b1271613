"""The matchup matrix: how often each deck beats each other one, seats weighted equally, noise shrunk.

Cells with few games would otherwise look like counters. Each cell is shrunk towards what the overall strengths of
both decks predict; what data show beyond that stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from apotheosis.experiments.stats.moments import KeyedMoments
from apotheosis.experiments.stats.shrinkage import excess_variance

__all__ = ["MINIMUM_PAIRS", "MatchupMatrix", "Meetings", "cell_table", "interval", "matrix", "matrix_from", "matrix_of"]

MINIMUM_PAIRS = 10
"""Pairs that a cell needs to be shown as played; cells below it are predicted from both decks' strengths."""


@dataclass(frozen=True)
class MatchupMatrix:
    """Win chances between decks.

    Attributes:
        decks: names, in the order of rows and columns.
        p: float64 (decks, decks), seat-standardised mean score of the row deck; nan where too few pairs were played.
        se: standard errors of p.
        pairs: mirrored pairs behind each cell.
        shrunk: posterior means; every cell has one, the diagonal is one half.
        shrunk_sd: posterior standard deviations.
        tau: standard deviation of true cells around what strengths predict.
        strength: mean score of each deck against an average opponent, minus one half.
    """

    decks: list[str]
    p: NDArray[np.float64]
    se: NDArray[np.float64]
    pairs: NDArray[np.int64]
    shrunk: NDArray[np.float64]
    shrunk_sd: NDArray[np.float64]
    tau: float
    strength: NDArray[np.float64]


class Meetings:
    """Adds up, piece by piece, how every two decks did against each other."""

    def __init__(self) -> None:
        self._cells = KeyedMoments(4)

    def add(self, matches: pd.DataFrame) -> None:
        """Adds whole pairs of the `matches` frame."""
        done = matches[matches["score_a"].notna() & (matches["seat_a_deck"] != matches["seat_b_deck"])]
        names, code = np.unique(done[["seat_a_deck", "seat_b_deck"]].to_numpy(dtype=str), return_inverse=True)
        a, b = code.reshape(-1, 2).T
        score, at_a = done["score_a"].to_numpy(dtype=float), a < b
        values = np.stack([at_a * 1.0, at_a * score, ~at_a * 1.0, ~at_a * (1 - score)], axis=1)
        cells, cell = np.unique(np.minimum(a, b) * max(len(names), 1) + np.maximum(a, b), return_inverse=True)
        keys = [(str(names[key // len(names)]), str(names[key % len(names)])) for key in cells.tolist()]
        self._cells.add(keys, cell, done["pair_id"].to_numpy(), values)

    def games(self) -> NDArray[np.int64]:
        """Returns the finished matches of each two decks that met, in no order."""
        return (self._cells.moments.totals[:, 0] + self._cells.moments.totals[:, 2]).astype(np.int64)

    def table(self, level: float = 0.95) -> pd.DataFrame:
        """Returns the rows of `cell_table`."""
        moments = self._cells.moments
        n_a, n_b = moments.totals[:, 0], moments.totals[:, 2]
        both, at_a, at_b = moments.ratio_mean((1, 0), (3, 2), level), moments.ratio(1, 0, level), moments.ratio(3, 2, level)
        pick = [(n_a > 0) & (n_b > 0), n_a > 0]
        columns = {
            name: np.select(pick, [np.ravel(getattr(found, part)) for found in (both, at_a)], np.ravel(getattr(at_b, part)))
            for name, part in (("p", "estimate"), ("se", "se"), ("low", "low"), ("high", "high"))
        }
        keys = np.array(self._cells.keys, dtype=object).reshape(-1, 2)
        table = pd.DataFrame({"first": keys[:, 0], "second": keys[:, 1], **columns})
        table["pairs"], table["games"] = moments.clusters.astype(np.int64), self.games()
        return table.sort_values(["first", "second"], ignore_index=True)


def cell_table(matches: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Returns one row per two decks that met: first, second (alphabetical), p, se, low, high, pairs, games.

    p is the mean score of `first`, with both seats weighted equally where it played both.
    """
    met = Meetings()
    met.add(matches)
    return met.table(level)


def matrix(matches: pd.DataFrame, minimum: int = MINIMUM_PAIRS) -> MatchupMatrix:
    """Returns the matchup matrix of a run."""
    return matrix_from(cell_table(matches), minimum)


def matrix_from(cells: pd.DataFrame, minimum: int = MINIMUM_PAIRS) -> MatchupMatrix:
    """Returns the matchup matrix of the rows of `cell_table`."""
    decks = sorted({*cells["first"], *cells["second"]})
    at = {name: index for index, name in enumerate(decks)}
    size = len(decks)
    p, se, pairs = np.full((size, size), np.nan), np.full((size, size), np.nan), np.zeros((size, size), dtype=np.int64)
    for row in cells.itertuples():
        i, j = at[str(row.first)], at[str(row.second)]
        p[i, j], p[j, i], se[i, j], se[j, i] = row.p, 1 - row.p, row.se, row.se
        pairs[i, j] = pairs[j, i] = row.pairs
    return matrix_of(decks, p, se, pairs, minimum)


def matrix_of(
    decks: list[str],
    p: NDArray[np.float64],
    se: NDArray[np.float64],
    pairs: NDArray[np.int64],
    minimum: int = MINIMUM_PAIRS,
) -> MatchupMatrix:
    """Returns the matrix of given cells, shrunk towards p_ij = 1/2 + strength_i - strength_j.

    A cell whose pairs all ended alike has no spread of its own; it gets the error of half a game more (Agresti and
    Coull 1998).

    Source: METHOD section 4; Paule and Mandel 1982 for the spread of cells around the additive fit.
    """
    size = len(decks)
    floor = np.sqrt(0.25 / np.maximum(2 * pairs + 4, 1)) / 2
    p, se = p.copy(), np.maximum(se, floor)
    few = pairs < minimum
    p[few], se[few] = np.nan, np.nan
    i, j = np.triu_indices(size, 1)
    known = np.isfinite(p[i, j]) & np.isfinite(se[i, j])
    i, j = i[known], j[known]
    y, s2 = p[i, j] - 0.5, se[i, j] ** 2
    x = np.zeros((y.size, size))
    x[np.arange(y.size), i] += 1
    x[np.arange(y.size), j] -= 1

    def strengths(weight: NDArray[np.float64]) -> NDArray[np.float64]:
        root = np.sqrt(weight)
        found = np.linalg.lstsq(x * root[:, None], y * root, rcond=1e-10)[0]
        return found - found.mean()

    rank = int(np.linalg.matrix_rank(x)) if y.size else 0
    tau2 = excess_variance(y, s2, lambda weight: x @ strengths(weight), y.size - rank) if y.size else 0.0
    strength = strengths(1 / (s2 + tau2)) if y.size else np.zeros(size)
    information = np.linalg.pinv((x / (s2 + tau2)[:, None]).T @ x) if y.size else np.zeros((size, size))
    fit = 0.5 + strength[:, None] - strength[None, :]
    fit_var = np.diag(information)[:, None] + np.diag(information)[None, :] - 2 * information
    keep = np.zeros((size, size))
    keep[i, j] = keep[j, i] = tau2 / (tau2 + s2)
    noise = np.nan_to_num(se**2)
    shrunk = keep * np.nan_to_num(p) + (1 - keep) * fit
    variance = np.where(keep > 0, keep * noise, tau2) + (1 - keep) ** 2 * np.maximum(fit_var, 0.0)
    np.fill_diagonal(shrunk, 0.5)
    np.fill_diagonal(variance, 0.0)
    return MatchupMatrix(decks, p, se, pairs, np.clip(shrunk, 0.0, 1.0), np.sqrt(variance), float(np.sqrt(tau2)), strength)


def interval(found: MatchupMatrix, level: float = 0.95) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns lower and upper limits of the shrunk cells."""
    half = float(stats.norm.ppf(0.5 + level / 2)) * found.shrunk_sd
    return np.clip(found.shrunk - half, 0, 1), np.clip(found.shrunk + half, 0, 1)
