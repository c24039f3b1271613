"""Pairs of cards that are worth more (or less) together than apart.

A run has far more pairs of cards than games; pairs are screened in a random-deck run and the few that stand out are
confirmed by a 2 x 2 exchange on shared seeds: both cards, each with a plain card instead of the other, both plain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, stats

from apotheosis.experiments.stats.fdr import adjust
from apotheosis.experiments.stats.grouping import cluster_blocks, codes, group_means
from apotheosis.experiments.stats.intervals import Interval, cluster_mean
from apotheosis.experiments.stats.random_decks import surprises

__all__ = ["MINIMUM_DECKS", "PairEffect", "contrast", "pair_effect", "screen_pairs"]

MINIMUM_DECKS = 30
"""Decks that must hold both cards of a pair before it is looked at."""


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


@dataclass(frozen=True)
class PairEffect:
    """What two cards are worth in a deck, in points, by the 2 x 2 exchange.

    Attributes:
        together: what both add beyond the sum of each alone (the interaction).
        first: the first card beside a plain one, against two plain ones.
        second: the second card beside a plain one, against two plain ones.
        both: both cards, against two plain ones.
        units: seeds with all eight matches.
        unfinished: seeds without all results, left out of the effects.
        low_bound: `together` with unfinished matches counted against it.
        high_bound: `together` with unfinished matches counted for it.
        p: two-sided p-value of no interaction.
    """

    together: Interval
    first: Interval
    second: Interval
    both: Interval
    units: int
    unfinished: int
    low_bound: float
    high_bound: float
    p: float


def pair_effect(arms: Sequence[pd.DataFrame], level: float = 0.95) -> PairEffect:
    """Returns what two cards are worth together and alone, from four versions of decks on shared seeds.

    Args:
        arms: rows of `pairs.pair_scores` of the versions with both cards, with the first, with the second and with
            neither, each against the same opponents; row i has the same opponent and seeds in all four.
        level: coverage.

    Raises:
        ValueError: the arms differ in length, so they do not share seeds.

    Source: METHOD section 2d; see `contrast`.
    """
    scores = [arm["score"].to_numpy(dtype=float) for arm in arms]
    together = contrast(*scores, level=level)
    done = ~np.isnan(np.stack(scores)).any(axis=0)
    both, first, second, neither = (values[done] for values in scores)
    low, high = ([arm[end].to_numpy(dtype=float).mean() for arm in arms] for end in ("low", "high"))
    units = np.arange(int(done.sum()))
    t = abs(float(together.estimate)) / float(together.se) if float(together.se) > 0 else np.nan
    return PairEffect(
        together=together,
        first=cluster_mean(first - neither, units, level),
        second=cluster_mean(second - neither, units, level),
        both=cluster_mean(both - neither, units, level),
        units=units.size,
        unfinished=int((~done).sum()),
        low_bound=float(low[0] - high[1] - high[2] + low[3]),
        high_bound=float(high[0] - low[1] - low[2] + high[3]),
        p=float(2 * stats.t.sf(t, max(units.size - 1, 1))),
    )


def screen_pairs(
    scores: ArrayLike,
    inclusion: sparse.csr_matrix,
    card_ids: list[str],
    decks: ArrayLike,
    strata: ArrayLike | None = None,
    probabilities: ArrayLike | None = None,
    minimum: int = MINIMUM_DECKS,
) -> pd.DataFrame:
    """Ranks pairs of cards by their interaction in a random-deck run.

    Args:
        scores: score of each side.
        inclusion: 0/1 (decks, cards).
        card_ids: names of the columns.
        decks: row of `inclusion` of each side. The scores of a deck are averaged: what its matches have in common is
            not counted as many times as it played.
        strata: group of each deck within which decks are compared.
        probabilities: (decks, cards) chances of the generator, given the Hero; the shares within strata without it.
        minimum: decks that must hold both cards.

    Returns:
        first, second, decks, effect (extra points when both are held), se, p, q; strongest evidence first. It is a
        screen: an effect from its top is inflated until `contrast` has confirmed it.

    Source: Ilyas et al. 2022, Datamodels, section 2 (linear surrogate), extended by products of centred inclusions
        after the single-card terms are taken out.
    """
    y, row = np.asarray(scores, dtype=float), np.asarray(decks, dtype=np.int64)
    done = ~np.isnan(y)
    played = np.unique(row[done])
    y, held = group_means(y[done], codes(row[done], 0)), sparse.csr_matrix(inclusion)[played]
    stratum = codes(None if strata is None else np.asarray(strata)[played], played.size)
    if probabilities is None:
        collect = sparse.csr_matrix((np.ones(played.size), (stratum, np.arange(played.size))))
        chance = np.asarray((collect @ held).todense()) / np.asarray(collect.sum(axis=1))
        residual, chance_row = y - group_means(y, stratum)[stratum], stratum
    else:
        chance = np.asarray(probabilities, dtype=float)[played]
        residual, chance_row = y - y.mean(), np.arange(played.size)
    residual = residual - _main_effects(held, chance, chance_row, residual)
    width = held.shape[1]
    top, bottom, square = (np.zeros((width, width)) for _ in range(3))
    for rows in cluster_blocks(np.arange(played.size)):
        w, _ = surprises(held, rows, chance, chance_row[rows])
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
            "decks": together[i, j].astype(np.int64),
            "effect": effect,
            "se": se,
            "p": p,
            "q": adjust(p),
        }
    )
    return table.sort_values(["p", "first", "second"], ignore_index=True)


def _main_effects(
    held: sparse.csr_matrix, chance: NDArray[np.float64], chance_row: NDArray[np.int64], residual: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns the part of each deck's score that single cards explain (least squares on centred inclusions)."""
    width = held.shape[1]
    numbers = np.arange(residual.size)
    gram, right = np.zeros((width, width)), np.zeros(width)
    for rows in cluster_blocks(numbers):
        w, _ = surprises(held, rows, chance, chance_row[rows])
        gram += w.T @ w
        right += w.T @ residual[rows]
    beta = np.linalg.lstsq(gram, right, rcond=1e-10)[0]
    fitted = np.empty(residual.size)
    for rows in cluster_blocks(numbers):
        fitted[rows] = surprises(held, rows, chance, chance_row[rows])[0] @ beta
    return fitted
