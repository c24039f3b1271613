"""The greedy bot: stronger than random play by a wide margin, decided by what its seat may know."""

from __future__ import annotations

import numpy as np
import pytest

from apotheosis.env.arena import Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.match import BOTS, Match, play_batch
from apotheosis.env.rules.codes import Outcome, Zone
from apotheosis.env.rules.layout import COPIES, HEROES


def pair_scores(pool, pairs, seed):
    """Returns greedy's score against random in mirrored pairs: both matches of a pair, decks and seeds kept by seat."""
    lineups, seeds = Dealer(pool, bank=400).deal(np.random.default_rng(seed), pairs)
    swapped = lineups.copy()
    swapped["cards"][:, :2] = lineups["cards"][:, 1::-1]
    greedy, random = int(BOTS["greedy"]), int(BOTS["random"])
    first = play_batch(pool, lineups, seeds, np.tile([greedy, random], (pairs, 1)), ledger=False).matches["outcome"]
    second = play_batch(pool, swapped, seeds, np.tile([random, greedy], (pairs, 1)), ledger=False).matches["outcome"]
    draws = (first > Outcome.WIN_B).astype(float) + (second > Outcome.WIN_B)
    return ((first == Outcome.WIN_A) + (second == Outcome.WIN_B).astype(float) + draws / 2) / 2


def lower_limit(scores):
    return scores.mean() - 1.96 * scores.std() / len(scores) ** 0.5


def test_greedy_beats_random_on_random_decks_of_the_starter_set():
    assert lower_limit(pair_scores(load_pool(), 300, seed=1)) > 0.85


@pytest.mark.slow
def test_greedy_beats_random_on_random_decks_of_real_cards(shared):
    assert lower_limit(pair_scores(load_pool(shared / "data" / "cards_dev.json"), 2000, seed=2)) > 0.80


def test_greedy_does_not_look_at_hidden_cards_or_coming_dice():
    pool = load_pool()
    dealer = Dealer(pool)
    for seed in range(12):
        rng = np.random.default_rng(seed)
        lineups, seeds = dealer.deal(rng)
        match = Match(pool, lineups, seeds[0])
        for _ in range(60):
            if match.over:
                break
            twin = match.copy()
            state = twin.state
            for copy in range(HEROES * COPIES):
                hidden = state["zone"][copy] in (Zone.DECK, Zone.HAND) and state["team"][copy // COPIES] != match.seat
                if hidden and state["ident"][copy] >= 0:
                    state["ident"][copy] = rng.integers(len(pool))
            for hero in range(2):
                n = int(state["deck_n"][hero])
                state["pile"][hero, :n] = rng.permutation(state["pile"][hero, :n])
            state["seed"] = rng.integers(2**32, size=5)
            choice = match.choose("greedy")
            assert twin.choose("greedy") == choice
            match.apply(choice)
