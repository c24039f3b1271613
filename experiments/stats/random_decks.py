"""Effects of all cards at once from random decks.

When decks are drawn at random with known probabilities, holding a card is randomised, and the difference between
decks with and without it is its effect averaged over the company it may have (a semivalue of the Banzhaf family). The
generator of coherent decks makes inclusion depend on the Classes of the Hero; the comparison then stays within Class
strata or is weighted by the generator's probabilities, else a card would be credited with the Classes that may use
it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, stats

from apotheosis.experiments.stats.grouping import cluster_blocks, codes, group_means

__all__ = ["inclusion_table", "surprises", "treatment_effects"]


def inclusion_table(cards: pd.DataFrame) -> tuple[pd.DataFrame, sparse.csr_matrix, list[str]]:
    """Returns which card each side holds.

    Args:
        cards: `cards` rows; needs match_id, team, card_id.

    Returns:
        the sides (match_id, team) in the order of rows, the 0/1 matrix (sides, cards), the card ids of its columns.
    """
    keys = cards[["match_id", "team", "card_id"]].drop_duplicates()
    side = keys.groupby(["match_id", "team"], sort=True, observed=True).ngroup().to_numpy()
    column, names = pd.factorize(keys["card_id"], sort=True)
    order = keys[["match_id", "team"]].drop_duplicates().sort_values(["match_id", "team"], ignore_index=True)
    held = sparse.csr_matrix((np.ones(len(keys)), (side, column)), shape=(len(order), len(names)))
    return order, held, [str(name) for name in names]


def treatment_effects(
    scores: ArrayLike,
    inclusion: sparse.csr_matrix,
    clusters: ArrayLike,
    card_ids: list[str],
    strata: ArrayLike | None = None,
    probabilities: ArrayLike | None = None,
    decks: ArrayLike | None = None,
    level: float = 0.95,
    weights: ArrayLike | None = None,
) -> pd.DataFrame:
    """Returns the average effect of holding each card, E[y | held] - E[y | not held].

    Args:
        scores: score of each side; sides without result are left out.
        inclusion: 0/1 (decks, cards).
        clusters: cluster of each side: the pair where every pair has its own decks, the deck where decks play again and
            again (what a deck has beyond its cards is common to all of its matches).
        card_ids: names of the columns.
        strata: group of each deck within which decks are compared, for instance the Classes of its Hero.
        probabilities: (decks, cards) chance that the generator puts the card into that deck, given its Hero; the share
            within the stratum is used without it.
        decks: row of `inclusion` of each side; row i is side i without it.
        level: coverage.
        weights: matches that each score is the mean of, where those of a deck are one row; 1 without it.

    Returns:
        card_id, effect, se, low, high, p, held (sides), share (of sides, among those that may hold it), estimable.
        Strata are weighted by n q (1 - q), which is the precision each of them has.

    Source: METHOD section 2d; Wang and Jia 2023, eq. 4 (Banzhaf value as a difference of means); Imbens and Rubin 2015,
        section 9.5 for the weights of strata.
    """
    y = np.asarray(scores, dtype=float)
    done = np.flatnonzero(~np.isnan(y))
    y, held = y[done], sparse.csr_matrix(inclusion)
    row = (np.arange(len(held.indptr) - 1) if decks is None else np.asarray(decks, dtype=np.int64))[done]
    stratum = codes(strata, held.shape[0])
    cluster = codes(np.asarray(clusters)[done], done.size)
    n = np.ones(done.size) if weights is None else np.asarray(weights, dtype=float)[done]
    chance = _shares(held, stratum, row, n) if probabilities is None else np.asarray(probabilities, dtype=float)
    chance_row = stratum if probabilities is None else np.arange(held.shape[0])
    group = np.zeros(done.size, np.int64) if probabilities is not None else stratum[row]
    residual = y - group_means(y, group, n)[group]
    groups = int(cluster.max()) + 1
    width = held.shape[1]
    top, bottom, count = np.zeros(width), np.zeros(width), np.zeros(width)
    square, cross, fourth, room = np.zeros(width), np.zeros(width), np.zeros(width), np.zeros(width)
    for sides in cluster_blocks(cluster):
        at = row[sides]
        surprise, open_ = surprises(held, at, chance, chance_row[at])
        local = np.unique(cluster[sides], return_inverse=True)[1]
        collect = sparse.csr_matrix((n[sides], (local, np.arange(sides.size))))
        a = collect @ (surprise * residual[sides][:, None])
        b = collect @ (surprise * surprise)
        top += a.sum(axis=0)
        bottom += b.sum(axis=0)
        square += (a * a).sum(axis=0)
        cross += (a * b).sum(axis=0)
        fourth += (b * b).sum(axis=0)
        room += n[sides] @ open_
        count += np.asarray(held[at].T @ n[sides]).ravel()
    estimable = bottom > 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where(estimable, top / bottom, np.nan)
        meat = np.maximum(square - 2 * effect * cross + effect**2 * fourth, 0.0)
        se = np.sqrt(meat * groups / max(groups - 1, 1)) / bottom
        share = np.where(room > 0, count / room, np.nan)
        p = 2 * stats.norm.sf(np.abs(effect) / se)
    half = float(stats.t.ppf(0.5 + level / 2, max(groups - 1, 1))) * se
    return pd.DataFrame(
        {
            "card_id": card_ids,
            "effect": effect,
            "se": np.where(estimable, se, np.nan),
            "low": effect - half,
            "high": effect + half,
            "p": p,
            "held": np.rint(count).astype(np.int64),
            "share": share,
            "estimable": estimable,
        }
    )


def surprises(
    held: sparse.csr_matrix, rows: NDArray[np.int64], chance: NDArray[np.float64], chance_rows: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Returns inclusion minus its chance for some decks, and whether inclusion was open (neither sure nor impossible).

    Args:
        held: 0/1 (decks, cards).
        rows: decks to return.
        chance: (strata, cards) chances.
        chance_rows: row of `chance` of each deck that is returned.
    """
    p = chance[chance_rows]
    open_ = (p > 0) & (p < 1)
    return np.where(open_, held[rows].toarray() - p, 0.0), open_


def _shares(
    held: sparse.csr_matrix, stratum: NDArray[np.int64], row: NDArray[np.int64], n: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns the share of sides of each stratum that hold each card, (strata, cards); `n` are the sides of each row."""
    weight = np.bincount(row, n, minlength=held.shape[0])
    collect = sparse.csr_matrix((weight, (stratum, np.arange(stratum.size))))
    return np.asarray((collect @ held).todense()) / np.maximum(np.asarray(collect.sum(axis=1)), 1)
