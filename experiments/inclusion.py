"""Chances of the random-deck generator, deck by deck, and the treatment effects of all cards that follow from them.

The coherent generator prefers cards that the Hero's Classes can use, so a card keeps company with certain Classes.
The generator's exact chances, given the House and Classes of each deck, take that out of the comparison (METHOD
section 13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from apotheosis.env.cards.deck_draws import DeckSampler, chances
from apotheosis.env.cards.decks import MAX_CLASSES, Deck
from apotheosis.env.cards.pool import Pool
from apotheosis.env.errors import InputError
from apotheosis.experiments import arrow, dictionary, store
from apotheosis.experiments.plan import Plan
from apotheosis.experiments.spec import Spec

NEEDED = ("match_id", "pair_id", "seat_a_deck", "seat_b_deck", "seat_a_bot", "seat_b_bot", "score_a")
"""Columns of the match table that the effects are computed from."""
OFTEN = 4
"""Matches of an average deck from which on decks, not pairs, are the clusters."""


def deck_chances(pool: Pool, spec: Spec, decks: Sequence[Deck]) -> np.ndarray:
    """Returns the chance of every card of the pool to be in each deck, given the deck's House and Classes.

    Args:
        pool: the cards that the decks were drawn from.
        spec: format and generator.
        decks: decks drawn with them.

    Returns:
        (decks, cards of the pool) float64; Sheet cards have their chance over all Heroes.

    Source: ARENA A2.9; `deck_draws.chances` for the exact ratio of counts of decks.
    """
    sampler = DeckSampler(pool, spec.format, spec.decks.generator)
    found = np.tile(sampler.inclusion(), (len(decks), 1))
    if spec.decks.generator == "uniform":
        return found
    sets = np.array([_class_row(pool, deck) for deck in decks], np.int64)
    houses = np.array([pool.number(deck.house) for deck in decks], np.int64)
    inside = sampler.usable(sets, houses)
    core = sampler.rules.deck_size - sampler.outsiders
    for row, usable in enumerate(inside):
        found[row, sampler.legal] = np.where(usable, _among(sampler, usable, core), _among(sampler, ~usable, sampler.outsiders))
    return found


def random_deck_effects(plan: Plan, pool: Pool, matches: Iterable[pd.DataFrame], level: float = 0.95) -> pd.DataFrame:
    """Returns the treatment effect of every card of a random-deck run, weighted by the generator's chances.

    Args:
        plan: plan of the run; its decks were drawn at random.
        pool: the cards it was planned with.
        matches: its `matches` frame in pieces.
        level: coverage.

    Returns:
        The rows of `stats.random_decks.treatment_effects`.

    Raises:
        InputError: the run does not have random decks of one Hero.
    """
    from apotheosis.experiments.stats.random_decks import treatment_effects

    found = _played(plan, matches, "treatment effects need")
    if found.few is None:
        own = np.arange(len(found.decks))
        scores, clusters, decks, weights = found.means(), own, own, found.games
    else:
        few = found.few
        scores, clusters, decks, weights = few["score"].to_numpy(dtype=float), few["pair_id"].to_numpy(), few["row"], None
    return treatment_effects(
        scores,
        _held(pool, found.decks),
        clusters,
        [card.id for card in pool.cards],
        probabilities=deck_chances(pool, plan.spec, found.decks),
        decks=decks,
        level=level,
        weights=weights,
    )


def write_effects(out: Path, plan: Plan, pool: Pool) -> None:
    """Writes the table of treatment effects of a run folder whose tables are built.

    Args:
        out: the run folder.
        plan: its plan.
        pool: the cards it was planned with.

    Raises:
        InputError: the run does not have random decks of one Hero.
    """
    found = random_deck_effects(plan, pool, stored_matches(out))
    schema, arrays = dictionary.schema("effects"), []
    for field in schema:
        values = found[field.name]
        if field.name == "card_id":
            arrays.append(arrow.texts(values))
        else:
            missing = values.isna().to_numpy()
            arrays.append(arrow.numbers(values.fillna(0).to_numpy(), field.type, missing if missing.any() else None))
    store.write_table(out / store.EFFECTS, [pa.Table.from_arrays(arrays, schema=schema)], schema)


def stored_matches(out: Path) -> Iterator[pd.DataFrame]:
    """Yields what effects of cards need of a run's match table, piece by piece."""
    return (part.to_pandas() for part in store.read_groups(out / "matches.parquet", list(NEEDED)))


def has_effects(plan: Plan) -> bool:
    """Returns whether a run shows the effect of holding each card: random decks of one Hero, paired at random."""
    spec = plan.spec
    return spec.decks.source == "random" and spec.design.kind == "random_decks" and spec.format.team_size == 1


def synergies(plan: Plan, pool: Pool, matches: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Returns the pairs of cards of a random-deck run by the evidence that they are worth more (or less) together.

    Args:
        plan: plan of the run; its decks were drawn at random.
        pool: the cards it was planned with.
        matches: its `matches` frame in pieces.

    Returns:
        The rows of `stats.synergy.screen_pairs`; pairs of a Sheet card and a card are among them.

    Raises:
        InputError: the run does not have random decks of one Hero.
    """
    from apotheosis.experiments.stats.synergy import screen_pairs

    found = _played(plan, matches, "pairs of cards are screened in runs with")
    return screen_pairs(
        found.means(),
        _held(pool, found.decks),
        [card.id for card in pool.cards],
        np.arange(len(found.decks)),
        probabilities=deck_chances(pool, plan.spec, found.decks),
    )


@dataclass
class DeckScores:
    """How the decks of a random-deck run did, added up piece by piece.

    Attributes:
        decks: the decks.
        sums, games: score and finished matches of each deck.
        few: score, deck (`row`) and `pair_id` of all sides while decks have played less than `OFTEN` times on average.
    """

    decks: list[Deck]
    sums: np.ndarray
    games: np.ndarray
    few: pd.DataFrame | None

    def means(self) -> np.ndarray:
        """Returns the mean score of each deck, nan for one without a finished match."""
        with np.errstate(invalid="ignore"):
            return self.sums / self.games


def _played(plan: Plan, matches: Iterable[pd.DataFrame], need: str) -> DeckScores:
    """Returns how the decks of a random-deck run did; only what does not grow with the number of matches is kept.

    Raises:
        InputError: the run does not have random decks of one Hero.
    """
    from apotheosis.experiments.stats.sides import sides

    if not has_effects(plan):
        raise InputError(f'{need} random decks of one Hero (decks.source = "random", design.kind = "random_decks")')
    decks = [Deck(**side.decks[0]) for side in plan.sides]
    names = pd.Index([side.name for side in plan.sides])
    found = DeckScores(decks, np.zeros(len(decks)), np.zeros(len(decks)), None)
    few: list[pd.DataFrame] = []
    played = 0
    for part in matches:
        both = sides(part)
        row, score = names.get_indexer(both["deck"].astype(str)), both["score"].to_numpy(dtype=float)
        done = ~np.isnan(score)
        found.sums += np.bincount(row[done], score[done], len(decks))
        found.games += np.bincount(row[done], minlength=len(decks))
        played += len(both)
        if played < OFTEN * len(decks):
            few.append(both[["score", "pair_id"]].assign(row=row))
    if played < OFTEN * len(decks) and few:
        found.few = pd.concat(few, ignore_index=True)
    return found


def _held(pool: Pool, decks: Sequence[Deck]) -> Any:
    """Returns which cards each deck holds, Sheet cards included, as a sparse 0/1 matrix."""
    from scipy import sparse

    at = [(row, pool.number(name)) for row, deck in enumerate(decks) for name in set(deck.ids())]
    rows, columns = np.array(at, np.int64).T
    return sparse.csr_matrix((np.ones(len(at)), (rows, columns)), shape=(len(decks), len(pool)))


def _class_row(pool: Pool, deck: Deck) -> list[int]:
    """Returns the numbers of a deck's Classes, filled up with -1."""
    numbers = [pool.number(name) for name in deck.classes]
    return numbers + [-1] * (MAX_CLASSES - len(numbers))


def _among(sampler: DeckSampler, among: np.ndarray, size: int) -> np.ndarray:
    """Returns the chance of each legal card to be in a uniform multiset of some of them."""
    one, several = chances(int((among & sampler.single).sum()), int((among & ~sampler.single).sum()), size)
    return np.where(sampler.single, one, several)
