"""How much of the matchups is rock-paper-scissors: the cyclic share, with the noise taken out.

Random errors of cells look like cycles, so the naive share is above zero even when strengths explain everything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["CyclicShare", "cyclic_share"]


@dataclass(frozen=True)
class CyclicShare:
    """Share of the squared log odds that strengths do not explain.

    Attributes:
        share: with the noise taken out; about 0 when strengths explain all, 1 for pure rock-paper-scissors.
        naive: without the correction.
        decks: decks compared; the share needs every cell between them.
    """

    share: float
    naive: float
    decks: int


def cyclic_share(wins: ArrayLike, games: ArrayLike) -> CyclicShare:
    """Returns the cyclic share of a complete matchup matrix.

    Args:
        wins: (decks, decks), score of the row deck (draws count one half); the diagonal is ignored.
        games: (decks, decks), effective games of each cell; `2 * pairs * 0.125 / pair variance` for mirrored pairs.

    Raises:
        ValueError: a cell off the diagonal has no games.

    Source: METHOD section 4: L = logit P, r_i = mean_j L_ij, C = L - (r_i - r_j),
        share = (|C|^2 - (K-2)/K sum V) / (|L|^2 - sum V); Balduzzi et al. 2018 for the Hodge split. Half a win is
        added on both sides of a cell (Haldane 1956), which keeps logits finite.
    """
    w, n = np.asarray(wins, dtype=float), np.asarray(games, dtype=float)
    size = w.shape[0]
    off = ~np.eye(size, dtype=bool)
    if size < 3 or (n[off] <= 0).any():
        raise ValueError("the cyclic share needs at least three decks and games in every cell between them")
    logit = np.where(off, np.log((w + 0.5) / (n - w + 0.5)), 0.0)
    noise = np.where(off, 1 / (w + 0.5) + 1 / (n - w + 0.5), 0.0)
    rating = logit.mean(axis=1)
    cycle = np.where(off, logit - (rating[:, None] - rating[None, :]), 0.0)
    total, curl, spread = np.sum(logit**2) / 2, np.sum(cycle**2) / 2, np.sum(noise) / 2
    corrected = (curl - (size - 2) / size * spread) / (total - spread) if total > spread else np.nan
    return CyclicShare(float(corrected), float(curl / total) if total > 0 else np.nan, size)
