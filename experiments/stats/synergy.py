"""Pairs of cards that are worth more (or less) together than apart.

A run has far more pairs of cards than games; pairs are screened in a random-deck run and the few that stand out are
confirmed by a 2 x 2 exchange on shared seeds: both cards, each with a plain card instead of the other, both plain.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, stats

from apotheosis.experiments.stats.fdr import adjust
from apotheosis.experiments.stats.grouping import cluster_blocks, codes, group_means
from apotheosis.experiments.stats.intervals import Interval, cluster_mean
from apotheosis.experiments.stats.random_decks import surprises

__all__ = ["contrast", "screen_pairs"]


def contrast(
    both: ArrayLike, only_first: ArrayLike, only_second: ArrayLike, neither: ArrayLike, level: float = 0.95
) -> Interval:
    """Returns the interaction (A,B) - (A,V) - (V,B) + (V,V) in points.

    Args:
        both: scores of the deck with both cards, one per seed against the same opponent.
        only_first: scores on the same seeds with the second card replaced by a plain one.
        only_second: scores with the first card replaced.
        neither: scores with both replaced.
        level: coverage.

    Raises:
        ValueError: the arms differ in length, so they do not share seeds.

    Source: METHOD section 2d; the contrast is taken seed by seed, so what the seeds share cancels.
    """
    arms = [np.asarray(arm, dtype=float) for arm in (both, only_first, only_second, neither)]
    if len({arm.size for arm in arms}) != 1:
        raise ValueError(f"the four arms have {[arm.size for arm in arms]} seeds; they must be the same seeds")
    value = arms[0] - arms[1] - arms[2] + arms[3]
    value = value[~np.isnan(value)]
    return cluster_mean(value, np.arange(value.size), level)


def screen_pairs(
    scores: ArrayLike,
    inclusion: sparse.csr_matrix,
    units: ArrayLike,
    card_ids: list[str],
    strata: ArrayLike | None = None,
    minimum: int = 200,
) -> pd.DataFrame:
    """Ranks pairs of cards by their interaction in a random-deck run.

    Args:
        scores: score of each side.
        inclusion: 0/1 (sides, cards).
        units: label of each side that is equal for sides with the same deck and the same opponent (pair id and deck).
            Their
            scores are averaged, because the opponent's strength is common to them.
        card_ids: names of the columns.
        strata: group of each side within which decks are compared.
        minimum: units that must hold both cards.

    Returns:
        first, second, units, effect (extra points when both are held), se, p, q; strongest evidence first. It is a
        screen that takes sides as independent, and an effect from its top is inflated until `contrast` has confirmed
        it.

    Source: Ilyas et al. 2022, Datamodels, section 2 (linear surrogate), extended by products of centred inclusions
        after the
        single-card terms are taken out.
    """
    y = np.asarray(scores, dtype=float)
    done = np.flatnonzero(~np.isnan(y))
    unit = codes(np.asarray(units)[done], done.size)
    first = done[np.unique(unit, return_index=True)[1]]
    y, held = group_means(y[done], unit), sparse.csr_matrix(inclusion)[first]
    stratum = codes(None if strata is None else np.asarray(strata)[first], first.size)
    rows_of = np.arange(first.size)
    collect = sparse.csr_matrix((np.ones(first.size), (stratum, rows_of)))
    chance = np.asarray((collect @ held).todense()) / np.asarray(collect.sum(axis=1))
    residual = y - group_means(y, stratum)[stratum]
    residual = residual - _main_effects(held, chance, stratum, residual)
    width = held.shape[1]
    top, bottom, square = (np.zeros((width, width)) for _ in range(3))
    for rows in cluster_blocks(rows_of):
        w, _ = surprises(held, rows, chance, stratum[rows])
        top += (w * residual[rows][:, None]).T @ w
        bottom += (w * w).T @ (w * w)
        square += (w * w * residual[rows][:, None] ** 2).T @ (w * w)
    together = np.asarray((held.T @ held).todense())
    i, j = np.triu_indices(width, 1)
    enough = (together[i, j] >= minimum) & (bottom[i, j] > 0)
    i, j = i[enough], j[enough]
    effect, se = top[i, j] / bottom[i, j], np.sqrt(square[i, j]) / bottom[i, j]
    p = 2 * stats.norm.sf(np.abs(effect) / se)
    names = np.asarray(card_ids, dtype=object)
    table = pd.DataFrame(
        {
            "first": names[i],
            "second": names[j],
            "units": together[i, j].astype(np.int64),
            "effect": effect,
            "se": se,
            "p": p,
            "q": adjust(p),
        }
    )
    return table.sort_values(["p", "first", "second"], ignore_index=True)


def _main_effects(
    held: sparse.csr_matrix, chance: NDArray[np.float64], stratum: NDArray[np.int64], residual: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns the part of each unit's score that single cards explain (least squares on centred inclusions)."""
    width = held.shape[1]
    units = np.arange(residual.size)
    gram, right = np.zeros((width, width)), np.zeros(width)
    for rows in cluster_blocks(units):
        w, _ = surprises(held, rows, chance, stratum[rows])
        gram += w.T @ w
        right += w.T @ residual[rows]
    beta = np.linalg.lstsq(gram, right, rcond=1e-10)[0]
    fitted = np.empty(residual.size)
    for rows in cluster_blocks(units):
        fitted[rows] = surprises(held, rows, chance, stratum[rows])[0] @ beta
    return fitted
