"""Shrinkage of effects: statsmodels, calibration, and the spread of true effects (V9)."""

import numpy as np
import pytest
import simulate
from statsmodels.stats.meta_analysis import combine_effects

from apotheosis.experiments.stats import adjusted, shrinkage


def test_paule_mandel_equals_statsmodels():
    rng = np.random.default_rng(1)
    se = rng.uniform(0.05, 0.3, 80)
    effect = rng.normal(0, 0.2, 80) + se * rng.standard_normal(80)
    reference = combine_effects(effect, se**2, method_re="iterated", atol=1e-12, maxiter=500)
    assert shrinkage.paule_mandel(effect, se) == pytest.approx(reference.tau2, rel=1e-6)


def test_no_spread_beyond_noise_gives_zero():
    assert shrinkage.paule_mandel([0.01, -0.01, 0.0], [0.1, 0.1, 0.1]) == 0.0
    assert shrinkage.paule_mandel([0.3], [0.1]) == 0.0


def test_noise_pulls_towards_the_group_mean():
    effect = np.array([0.10, 0.10, 0.0, 0.02, -0.08, -0.10])
    table = shrinkage.shrink(effect, [0.01, 0.10, 0.01, 0.02, 0.02, 0.02])
    assert abs(table["mean"][0] - 0.10) < 0.01
    assert abs(table["mean"][1] - table["group_mean"][1]) < abs(table["mean"][0] - table["group_mean"][0])
    assert (table["weight"].between(0, 1)).all()


def test_posterior_follows_its_formula():
    effect, se = np.array([0.05, -0.02, 0.01, -0.06, 0.04]), np.array([0.02, 0.01, 0.02, 0.03, 0.01])
    table = shrinkage.shrink(effect, se)
    tau2 = shrinkage.paule_mandel(effect, se)
    weight = tau2 / (tau2 + se**2)
    mu = np.sum(effect / (se**2 + tau2)) / np.sum(1 / (se**2 + tau2))
    assert table["mean"].to_numpy() == pytest.approx(weight * effect + (1 - weight) * mu)
    spread = weight * se**2 + (1 - weight) ** 2 / np.sum(1 / (se**2 + tau2))
    assert table["sd"].to_numpy() == pytest.approx(np.sqrt(spread))


def test_groups_have_their_own_mean_and_small_groups_share_one():
    rng = np.random.default_rng(2)
    groups = np.array(["rare"] * 40 + ["common"] * 40 + ["odd"] * 2 + ["even"] * 1)
    effect = np.where(groups == "rare", 0.05, -0.05) + rng.normal(0, 0.01, groups.size)
    table = shrinkage.shrink(effect, np.full(groups.size, 0.01), groups)
    assert table["group_mean"][0] == pytest.approx(0.05, abs=0.01)
    assert table["group_mean"][50] == pytest.approx(-0.05, abs=0.01)
    assert table["group_mean"][80] == table["group_mean"][82]


def test_cards_without_estimate_stay_without():
    table = shrinkage.shrink([0.1, np.nan, 0.0, -0.1, 0.05], [0.02, np.nan, 0.02, 0.02, 0.02])
    assert table.loc[1].isna().all()
    assert table["mean"].notna().sum() == 4


def test_rank_interval_of_clear_and_of_equal_cards():
    clear = shrinkage.rank_intervals([0.3, 0.0, -0.3, np.nan], [0.01, 0.01, 0.01, np.nan], seed=1)
    assert clear["rank"].tolist()[:3] == [1, 2, 3]
    assert clear["rank_low"].tolist()[:3] == clear["rank_high"].tolist()[:3] == [1, 2, 3]
    assert np.isnan(clear["rank"][3])
    equal = shrinkage.rank_intervals(np.zeros(20), np.full(20, 0.1), seed=1)
    assert (equal["rank_low"] <= 2).all()
    assert (equal["rank_high"] >= 19).all()


def test_rank_intervals_repeat_with_their_seed():
    one = shrinkage.rank_intervals([0.1, 0.0], [0.1, 0.1], seed=5)
    assert one.equals(shrinkage.rank_intervals([0.1, 0.0], [0.1, 0.1], seed=5))


def test_posterior_intervals_cover_true_effects():
    rng = np.random.default_rng(3)
    covered = []
    for _ in range(60):
        truth = rng.normal(0, 0.02, 100)
        se = rng.uniform(0.005, 0.04, 100)
        table = shrinkage.shrink(truth + se * rng.standard_normal(100), se)
        covered.append((table["low"] <= truth) & (truth <= table["high"]))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.015)


def test_v9_spread_of_true_effects_is_recovered(measured):
    rng = np.random.default_rng(9)
    ratio = []
    for run in range(12):
        beta = rng.normal(0, 0.15, 60)
        table = adjusted.effects(adjusted.fit(simulate.card_world(2500, 60, beta, seed=900 + run, deck_size=15).design()))
        ratio.append(np.sqrt(shrinkage.paule_mandel(table["logit"], table["logit_se"])) / np.std(beta, ddof=1))
    measured("V9", "estimated over true spread of effects, mean of 12 runs", np.mean(ratio))
    assert 0.9 <= np.mean(ratio) <= 1.1
