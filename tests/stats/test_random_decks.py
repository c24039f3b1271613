"""Random-deck effects: closed forms, strata, known probabilities, synergies (V10)."""

import numpy as np
import pandas as pd
import pytest
import simulate
from scipy import sparse, special

from apotheosis.experiments.stats import random_decks, synergy


def _world(pairs, cards, beta, seed, deck_size=12, pair_bonus=None):
    """Simulates mirrored pairs of random decks with optional synergies; returns sides, truth by enumeration of
    decks."""
    rng = np.random.default_rng(seed)
    decks = np.zeros((2, pairs, cards))
    picks = np.argsort(rng.random((2, pairs, cards)), axis=2)[..., :deck_size]
    np.put_along_axis(decks, picks, 1.0, axis=2)

    def strength(deck):
        total = deck @ beta
        for (i, j), bonus in (pair_bonus or {}).items():
            total = total + bonus * deck[..., i] * deck[..., j]
        return total

    power = strength(decks)
    p = special.expit(power[0] - power[1])
    games = (rng.random((2, pairs)) < np.stack([p, p])).astype(float)
    scores = np.concatenate([games[0], 1 - games[0], games[1], 1 - games[1]])
    held = np.concatenate([decks[0], decks[1], decks[0], decks[1]])
    return scores, sparse.csr_matrix(held), np.tile(np.arange(pairs), 4), strength


def _true_effects(strength, cards, deck_size, seed, draws):
    """Computes E[y | held] - E[y | not held] by many decks with known win chances."""
    rng = np.random.default_rng(seed)
    won, held_sum, lost = np.zeros(cards), np.zeros(cards), np.zeros(cards)
    for _ in range(draws // 20_000):
        decks = np.zeros((2, 20_000, cards))
        picks = np.argpartition(rng.random((2, 20_000, cards)), deck_size, axis=2)[..., :deck_size]
        np.put_along_axis(decks, picks, 1.0, axis=2)
        power = strength(decks)
        p, held = special.expit(power[0] - power[1]), decks[0]
        won, lost, held_sum = won + p @ held, lost + p @ (1 - held), held_sum + held.sum(axis=0)
    total = draws // 20_000 * 20_000
    return won / held_sum - lost / (total - held_sum)


def _names(count):
    return [f"c{i}" for i in range(count)]


def _once(held, clusters):
    """Lists every deck of a world once: sides come as both decks of the first game, then both of the second."""
    pairs = clusters.size // 4
    return held[: 2 * pairs], np.tile(np.arange(2 * pairs), 2)


def test_without_strata_it_is_the_difference_in_means():
    scores, held, clusters, _ = _world(300, 8, np.linspace(-0.3, 0.3, 8), seed=1, deck_size=3)
    table = random_decks.treatment_effects(scores, held, clusters, _names(8))
    dense = held.toarray()[:, 2] == 1
    assert table["effect"][2] == pytest.approx(scores[dense].mean() - scores[~dense].mean())
    assert table["held"][2] == dense.sum()


def test_tables_turn_into_an_inclusion_matrix():
    matches, cards = simulate.frames(simulate.card_world(20, 6, np.zeros(6), seed=2, deck_size=3))
    order, held, names = random_decks.inclusion_table(cards)
    assert held.shape == (2 * len(matches), 6)
    assert (np.asarray(held.sum(axis=1)).ravel() == 3).all()
    row = order[(order["match_id"] == 7) & (order["team"] == 1)].index[0]
    listed = {names[i] for i in held[row].indices}
    assert listed == set(cards[(cards["match_id"] == 7) & (cards["team"] == 1)]["card_id"])


def _class_world(sides, seed):
    """Decks of two Classes: the strong Class uses card 0 often, the weak Class rarely; card 0 itself does nothing."""
    rng = np.random.default_rng(seed)
    strong = rng.random(sides) < 0.5
    chance = np.where(strong, 0.7, 0.2)
    held = (rng.random(sides) < chance).astype(float)
    other = (rng.random(sides) < 0.5).astype(float)
    scores = (rng.random(sides) < 0.4 + 0.2 * strong + 0.05 * other).astype(float)
    table = np.stack([held, other, strong.astype(float)], axis=1)
    return scores, sparse.csr_matrix(table), strong, np.stack([chance, np.full(sides, 0.5), strong * 1.0], axis=1)


def test_strata_and_probabilities_both_remove_the_classes():
    scores, held, strong, chance = _class_world(20_000, seed=3)
    clusters, names = np.arange(scores.size), ["class card", "other", "sure"]
    naive = random_decks.treatment_effects(scores, held, clusters, names)
    assert naive["effect"][0] > 0.05
    for table in (
        random_decks.treatment_effects(scores, held, clusters, names, strata=strong),
        random_decks.treatment_effects(scores, held, clusters, names, probabilities=chance),
    ):
        assert table["low"][0] < 0.0 < table["high"][0]
        assert table["low"][1] < 0.05 < table["high"][1]
        assert not table["estimable"][2], "a card that a Class always holds cannot be told from the Class"


def test_intervals_with_known_probabilities_cover():
    covered = []
    for seed in range(150):
        scores, held, _, chance = _class_world(2000, seed=100 + seed)
        table = random_decks.treatment_effects(scores, held, np.arange(2000), ["a", "b", "c"], probabilities=chance)
        covered.append([table["low"][0] < 0 < table["high"][0], table["low"][1] < 0.05 < table["high"][1]])
    assert np.mean(covered) == pytest.approx(0.95, abs=0.03)


def test_sides_without_result_are_left_out():
    scores, held, clusters, _ = _world(200, 6, np.zeros(6), seed=4, deck_size=2)
    gap = scores.copy()
    gap[:50] = np.nan
    table = random_decks.treatment_effects(gap, held, clusters, _names(6))
    again = random_decks.treatment_effects(scores[50:], held[50:], clusters[50:], _names(6))
    pd.testing.assert_frame_equal(table, again)


def test_decks_may_be_listed_once_for_all_their_matches():
    scores, held, clusters, _ = _world(300, 8, np.linspace(-0.3, 0.3, 8), seed=7, deck_size=3)
    once, row = np.unique(held.toarray(), axis=0, return_inverse=True)
    expanded = random_decks.treatment_effects(scores, held, clusters, _names(8))
    compact = random_decks.treatment_effects(scores, sparse.csr_matrix(once), clusters, _names(8), decks=row)
    pd.testing.assert_frame_equal(compact, expanded)


def test_decks_that_play_again_and_again_are_the_clusters():
    rng = np.random.default_rng(8)
    covered = {"pair": [], "deck": []}
    for _ in range(60):
        held = np.zeros((80, 20))
        np.put_along_axis(held, np.argsort(rng.random((80, 20)), axis=1)[:, :6], 1.0, axis=1)
        own = rng.normal(0, 0.5, 80)
        a, b = rng.integers(0, 80, (2, 2000))
        won = (rng.random(2000) < special.expit(own[a] - own[b])).astype(float)
        scores, row, pair = np.r_[won, 1 - won], np.r_[a, b], np.tile(np.arange(2000), 2)
        for name, clusters in (("pair", pair), ("deck", row)):
            table = random_decks.treatment_effects(scores, sparse.csr_matrix(held), clusters, _names(20), decks=row)
            covered[name].append((table["low"] < 0) & (table["high"] > 0))
    assert np.mean(covered["pair"]) < 0.75
    assert np.mean(covered["deck"]) == pytest.approx(0.95, abs=0.04)


def _v10(runs, pairs, seed, draws):
    rng = np.random.default_rng(seed)
    bonus = {(0, 1): 0.5, (2, 3): -0.4, (10, 20): 0.4}
    coverage, correlation = [], []
    for run in range(runs):
        beta = rng.normal(0, 0.25, 40)
        scores, held, clusters, strength = _world(pairs, 40, beta, seed + run, pair_bonus=bonus)
        truth = _true_effects(strength, 40, 12, seed + 500 + run, draws)
        table = random_decks.treatment_effects(scores, held, clusters, _names(40))
        coverage.append((table["low"] <= truth) & (truth <= table["high"]))
        correlation.append(np.corrcoef(truth, table["effect"])[0, 1])
    return float(np.mean(coverage)), float(np.mean(correlation))


def test_v10_effects_with_synergies_are_recovered():
    coverage, correlation = _v10(3, 6000, seed=1000, draws=60_000)
    assert correlation >= 0.97
    assert coverage >= 0.88


@pytest.mark.slow
def test_v10_in_full(measured):
    coverage, correlation = _v10(10, 50_000, seed=10_000, draws=600_000)
    measured("V10", "100,000 matches, 40 cards with synergies: correlation with the truth", correlation)
    measured("V10", "coverage of 95 % intervals", coverage)
    assert correlation >= 0.99
    assert 0.90 <= coverage <= 0.98


def test_screen_puts_the_true_pairs_first_and_flags_no_null():
    beta = np.random.default_rng(5).normal(0, 0.2, 20)
    scores, held, clusters, _ = _world(12_000, 20, beta, seed=6, deck_size=8, pair_bonus={(0, 1): 0.6, (2, 3): -0.6})
    once, row = _once(held, clusters)
    table = synergy.screen_pairs(scores, once, _names(20), row)
    assert {tuple(row) for row in table[["first", "second"]].head(2).to_numpy()} == {("c0", "c1"), ("c2", "c3")}
    assert (table["q"].iloc[2:] > 0.01).all()
    signs = table.set_index(["first", "second"])["effect"]
    assert signs["c0", "c1"] > 0 > signs["c2", "c3"]


def test_screen_of_a_world_without_synergies_finds_nothing():
    flagged = 0
    for seed in range(8):
        beta = np.random.default_rng(seed).normal(0, 0.3, 15)
        scores, held, clusters, _ = _world(4000, 15, beta, seed=50 + seed, deck_size=6)
        once, row = _once(held, clusters)
        flagged += int((synergy.screen_pairs(scores, once, _names(15), row)["q"] <= 0.05).any())
    assert flagged <= 2


@pytest.mark.parametrize("known", [True, False])
def test_means_of_decks_weighted_by_matches_give_the_effects_of_all_their_matches(known):
    """What lets a run of any length be judged from two numbers a deck."""
    rng = np.random.default_rng(4)
    decks, cards = 60, 7
    held = sparse.csr_matrix(rng.random((decks, cards)) < 0.4)
    chances = np.full((decks, cards), 0.4) if known else None
    strata = None if known else rng.integers(0, 3, decks)
    row = rng.integers(0, decks, 900)
    score = np.where(rng.random(900) < 0.02, np.nan, rng.integers(0, 2, 900))
    names = [f"c{card}" for card in range(cards)]
    whole = random_decks.treatment_effects(score, held, row, names, strata=strata, probabilities=chances, decks=row)
    done = ~np.isnan(score)
    games = np.bincount(row[done], minlength=decks)
    mean = np.bincount(row[done], score[done], decks) / np.where(games > 0, games, np.nan)
    own = np.arange(decks)
    short = random_decks.treatment_effects(
        mean, held, own, names, strata=strata, probabilities=chances, decks=own, weights=games
    )
    pd.testing.assert_frame_equal(whole, short, rtol=1e-9)
