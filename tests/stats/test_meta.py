"""Matchups, equilibria and cycles: closed forms, OpenSpiel, known truth (V12)."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from apotheosis.experiments.stats import cycles, equilibrium, matchups

ROCK_PAPER_SCISSORS = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) * 0.2
DOMINATED = np.array([[0, 0.2, -0.2, 0.3], [-0.2, 0, 0.2, 0.3], [0.2, -0.2, 0, 0.3], [-0.3, -0.3, -0.3, 0]])


def _matches(p, pairs, seed, side=0.0):
    """Simulates a round robin of mirrored pairs from a matrix of win chances."""
    rng = np.random.default_rng(seed)
    rows, pair = [], 0
    for i in range(len(p)):
        for j in range(i + 1, len(p)):
            for _ in range(pairs):
                rows.append((pair, f"d{i}", f"d{j}", float(rng.random() < p[i, j] + side)))
                rows.append((pair, f"d{j}", f"d{i}", float(rng.random() < p[j, i] + side)))
                pair += 1
    return pd.DataFrame(rows, columns=["pair_id", "seat_a_deck", "seat_b_deck", "score_a"])


def test_cells_are_seat_standardised_with_pair_intervals():
    table = matchups.cell_table(_matches(0.5 + ROCK_PAPER_SCISSORS, 800, seed=1, side=0.1))
    assert table[["first", "second"]].to_numpy().tolist() == [["d0", "d1"], ["d0", "d2"], ["d1", "d2"]]
    truth = np.array([0.7, 0.3, 0.7])
    assert ((table["low"] < truth) & (truth < table["high"])).all()
    assert (table["games"] == 1600).all()


def test_unequal_seats_do_not_move_a_cell():
    matches = _matches(0.5 + ROCK_PAPER_SCISSORS, 400, seed=2, side=0.2)
    few = matches[(matches["seat_a_deck"] == "d0") | (matches.index % 8 < 2)]
    cell = matchups.cell_table(few).set_index(["first", "second"]).loc[("d0", "d1")]
    assert cell["low"] < 0.7 < cell["high"]


def test_mirror_matches_and_unfinished_ones_have_no_cell():
    matches = _matches(0.5 + ROCK_PAPER_SCISSORS, 20, seed=3)
    extra = pd.DataFrame({"pair_id": [999, 999], "seat_a_deck": "d0", "seat_b_deck": "d0", "score_a": [1.0, 0.0]})
    gap = pd.DataFrame({"pair_id": [1000], "seat_a_deck": "d0", "seat_b_deck": "d1", "score_a": [np.nan]})
    both = pd.concat([matches, extra, gap], ignore_index=True)
    pd.testing.assert_frame_equal(matchups.cell_table(both), matchups.cell_table(matches))


def _random_matrix(rng, size, spread, noise):
    rating = rng.normal(0, spread, size)
    extra = rng.normal(0, noise, (size, size))
    return 0.5 + np.clip(rating[:, None] - rating[None, :] + np.triu(extra, 1) - np.triu(extra, 1).T, -0.45, 0.45)


def test_matrix_is_antisymmetric_and_shrinking_helps():
    rng = np.random.default_rng(4)
    raw, shrunk, covered = [], [], []
    for seed in range(5):
        truth = _random_matrix(rng, 8, 0.05, 0.03)
        found = matchups.matrix(_matches(truth, 25, seed=40 + seed))
        assert found.shrunk == pytest.approx(1 - found.shrunk.T)
        i, j = np.triu_indices(8, 1)
        raw.append(np.mean((found.p[i, j] - truth[i, j]) ** 2))
        shrunk.append(np.mean((found.shrunk[i, j] - truth[i, j]) ** 2))
        low, high = matchups.interval(found)
        covered.append((low[i, j] <= truth[i, j]) & (truth[i, j] <= high[i, j]))
    assert np.mean(shrunk) < 0.6 * np.mean(raw)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.06)


def test_cell_without_pairs_is_predicted_from_strengths():
    truth = _random_matrix(np.random.default_rng(5), 6, 0.08, 0.0)
    matches = _matches(truth, 200, seed=6)
    missing = ~(matches["seat_a_deck"].isin(["d0", "d5"]) & matches["seat_b_deck"].isin(["d0", "d5"]))
    found = matchups.matrix(matches[missing])
    assert np.isnan(found.p[0, 5])
    assert found.pairs[0, 5] == 0
    assert found.shrunk[0, 5] == pytest.approx(truth[0, 5], abs=0.08)
    assert found.shrunk_sd[0, 5] > 0


def test_cells_that_all_ended_alike_keep_an_error():
    p = np.array([[0.5, 1.0, 1.0], [0.0, 0.5, 0.5], [0.0, 0.5, 0.5]])
    found = matchups.matrix(_matches(p, 12, seed=7))
    assert found.se[0, 1] > 0.03


def test_v12_rock_paper_scissors_with_a_dominated_deck():
    assert equilibrium.nash(DOMINATED) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-4)
    assert equilibrium.nash(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_equal_decks_share_equally_where_a_vertex_would_not():
    copies = np.zeros((4, 4))
    copies[:3, :3] = ROCK_PAPER_SCISSORS
    copies[3, :3], copies[:3, 3] = ROCK_PAPER_SCISSORS[2], -ROCK_PAPER_SCISSORS[2]
    assert equilibrium.nash(copies) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-4)
    assert equilibrium.nash(np.zeros((5, 5))) == pytest.approx([0.2] * 5, abs=1e-6)


def test_one_best_deck_takes_all():
    a = np.array([[0, 0.1, 0.2], [-0.1, 0, 0.3], [-0.2, -0.3, 0]])
    assert equilibrium.nash(a) == pytest.approx([1, 0, 0], abs=1e-4)
    assert equilibrium.nash(np.zeros((1, 1))).tolist() == [1.0]


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 9))
def test_no_deck_beats_the_equilibrium(seed, size):
    a = np.random.default_rng(seed).normal(0, 0.1, (size, size))
    a = np.triu(a, 1) - np.triu(a, 1).T
    for entropy in (True, False):
        p = equilibrium.nash(a, entropy=entropy)
        assert p.sum() == pytest.approx(1)
        assert (p @ a).min() >= -2e-4


def test_payoff_that_is_not_antisymmetric_is_refused():
    with pytest.raises(ValueError, match="antisymmetric"):
        equilibrium.nash([[0, 0.2], [0.2, 0]])


def test_alpha_rank_of_rock_paper_scissors_with_a_dominated_deck():
    assert equilibrium.alpha_rank(DOMINATED, 10) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)
    assert equilibrium.alpha_rank(DOMINATED, 1e-9) == pytest.approx([0.25] * 4, abs=1e-6)
    assert equilibrium.alpha_rank(np.zeros((1, 1)), 1).tolist() == [1.0]


OPENSPIEL = {
    0.1: [0.081760476465, 0.369813118867, 0.205311368448, 0.128109544845, 0.215005491375],
    1.0: [1.275778e-05, 0.998168250337, 0.00096378095, 0.000272017826, 0.000583193107],
    5.0: [0.0, 1.0, 0.0, 0.0, 0.0],
}
"""`open_spiel.python.egt.alpharank.compute([a], m=50, alpha=alpha, use_local_selection_model=False)` of version 2.0.2."""


def _random_payoff(seed, size, spread=0.15):
    a = np.random.default_rng(seed).normal(0, spread, (size, size))
    return np.triu(a, 1) - np.triu(a, 1).T


@pytest.mark.parametrize("alpha", OPENSPIEL)
def test_alpha_rank_equals_the_figures_of_openspiel(alpha):
    assert equilibrium.alpha_rank(_random_payoff(8, 5), alpha) == pytest.approx(OPENSPIEL[alpha], abs=1e-10)


@pytest.mark.parametrize("alpha", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("population", [10, 50])
@pytest.mark.parametrize("seed", range(5))
def test_alpha_rank_is_the_stationary_distribution_of_its_chain(alpha, population, seed):
    """Derived anew: the birth-death walk of the mutants' number solved step by step, then the chain's left eigenvector."""
    size = 3 + seed
    a = _random_payoff(seed, size)
    chain = np.zeros((size, size))
    for resident in range(size):
        for mutant in range(size):
            if mutant == resident:
                continue
            gain = alpha * (population * a[mutant, resident] / (population - 1))
            ratio = np.exp(-gain)  # of losing a mutant to winning one, the same at every number of mutants
            chance = 1 / sum(ratio**k for k in range(population))
            chain[resident, mutant] = chance / (size - 1)
        chain[resident, resident] = 1 - chain[resident].sum()
    values, vectors = np.linalg.eig(chain.T)
    stationary = np.real(vectors[:, np.argmax(np.real(values))])
    found = equilibrium.alpha_rank(a, alpha, population)
    assert found == pytest.approx(stationary / stationary.sum(), abs=1e-6)
    assert found @ chain == pytest.approx(found, abs=1e-12)


def _equilibria(a):
    """Returns all equilibria of a symmetric zero-sum game with a unique one on each support, by trying every support."""
    found = []
    for count in range(1, len(a) + 1):
        for support in itertools.combinations(range(len(a)), count):
            block = np.vstack([a[np.ix_(support, support)].T, np.ones(count)])
            right = np.append(np.zeros(count), 1.0)
            p, _, rank, _ = np.linalg.lstsq(block, right, rcond=None)
            if rank < count or np.abs(block @ p - right).max() > 1e-9 or p.min() < 1e-9:
                continue
            full = np.zeros(len(a))
            full[list(support)] = p
            if (full @ a).min() > -1e-9:
                found.append(full)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_nash_is_the_one_equilibrium_that_trying_every_support_finds(seed):
    a = _random_payoff(seed, 3 + seed % 5)
    found = _equilibria(a)
    assert len(found) == 1, "a payoff without ties has one equilibrium"
    for entropy in (True, False):
        assert equilibrium.nash(a, entropy=entropy) == pytest.approx(found[0], abs=1e-4)


def test_alpha_sweep_has_one_row_per_intensity():
    table = equilibrium.alpha_sweep(DOMINATED)
    assert table.index.tolist() == [0.1, 1, 10, 100]
    assert table.sum(axis=1).to_numpy() == pytest.approx(np.ones(4))


def test_effective_decks_counts_equal_shares():
    assert equilibrium.effective_decks([0.25] * 4 + [0.0]) == pytest.approx(4)
    assert equilibrium.effective_decks([1.0, 0.0]) == pytest.approx(1)


def test_inclusion_is_sure_where_the_matrix_is():
    p = np.full((4, 4), 0.5) + DOMINATED
    found = matchups.matrix(_matches(p, 150, seed=9))
    table = equilibrium.inclusion(found, seed=1).set_index("deck")
    assert (table["included"].iloc[:3] > 0.95).all()
    assert table["included"].iloc[3] < 0.05
    assert table["share"].to_numpy() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=0.12)
    assert equilibrium.inclusion(found, seed=1).equals(equilibrium.inclusion(found, seed=1))


def _cells(rng, logit, games):
    p = special.expit(logit)
    upper = np.triu(rng.binomial(games, p), 1)
    return upper + np.tril(games - upper.T, -1), np.full(p.shape, games)


def test_v12_corrected_cyclic_share(measured):
    rng = np.random.default_rng(12)
    naive, corrected, pure, half = [], [], [], []
    for _ in range(300):
        rating = rng.normal(0, 0.35, 12)
        additive = rating[:, None] - rating[None, :]
        found = cycles.cyclic_share(*_cells(rng, additive, 100))
        naive.append(found.naive)
        corrected.append(found.share)
        noise = np.triu(rng.normal(0, 0.5, (12, 12)), 1)
        pure.append(cycles.cyclic_share(*_cells(rng, noise - noise.T, 400)).share)
        cycle = np.zeros((12, 12))
        for i in range(12):
            for j in range(i + 1, 12):
                cycle[i, j] = 0.49 * (-1 if (j - i) % 2 else 1)
        half.append(cycles.cyclic_share(*_cells(rng, cycle - cycle.T, 100)).share)
    measured("V12", "cyclic share, truth 0, 100 games per cell: naive", np.mean(naive))
    measured("V12", "cyclic share, truth 0, 100 games per cell: corrected", np.mean(corrected))
    assert np.mean(naive) > 0.08
    assert np.mean(corrected) == pytest.approx(0.0, abs=0.02)
    assert np.mean(pure) == pytest.approx(10 / 12, abs=0.03)
    truth = _cyclic_truth(cycle - cycle.T)
    assert np.mean(half) == pytest.approx(truth, abs=0.03)


def _cyclic_truth(logit):
    rating = logit.mean(axis=1)
    return np.sum((logit - rating[:, None] + rating[None, :]) ** 2) / np.sum(logit**2)


def test_cyclic_share_needs_every_cell():
    with pytest.raises(ValueError, match="every cell"):
        cycles.cyclic_share(np.zeros((2, 2)), np.ones((2, 2)))
    with pytest.raises(ValueError, match="every cell"):
        cycles.cyclic_share(np.ones((3, 3)), np.diag([1, 1, 1]) + np.zeros((3, 3)))
