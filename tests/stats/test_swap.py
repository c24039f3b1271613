"""Exchange of one card: effects, their precision, per-slot and per-draw scales, synergy contrast."""

import numpy as np
import pandas as pd
import pytest
import simulate
from hypothesis import given
from hypothesis import strategies as st

from apotheosis.experiments.stats import power, swap, synergy
from apotheosis.experiments.stats.intervals import Interval


def _pairs(first, second):
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    return pd.DataFrame(
        {
            "pair_id": np.arange(first.size),
            "first": first,
            "second": second,
            "score": (first + second) / 2,
            "low": (np.nan_to_num(first) + np.nan_to_num(second)) / 2,
            "high": (np.nan_to_num(first, nan=1.0) + np.nan_to_num(second, nan=1.0)) / 2,
        }
    )


def _head_to_head(rng, pairs, effect):
    games = (rng.random((2, pairs)) < 0.5 + effect).astype(float)
    return _pairs(games[0], games[1])


def test_head_to_head_covers_its_truth_and_has_the_stated_precision(measured):
    rng = np.random.default_rng(1)
    found = [swap.head_to_head(_head_to_head(rng, 5000, 0.02)) for _ in range(300)]
    coverage = np.mean([f.effect.covers(0.02) for f in found])
    se = np.mean([f.effect.se for f in found])
    measured("swap", "head to head, 10,000 games: standard error", se)
    measured("swap", "head to head: coverage", coverage)
    assert coverage == pytest.approx(0.95, abs=0.035)
    assert se == pytest.approx(0.0050, abs=2e-4)
    assert se == pytest.approx(power.standard_error(10_000), rel=0.02)


def test_two_copies_are_worth_twice_one_slot():
    found = swap.head_to_head(_head_to_head(np.random.default_rng(2), 500, 0.1), copies=2)
    assert found.per_slot.estimate == pytest.approx(found.effect.estimate / 2)
    assert found.per_slot.high - found.per_slot.low == pytest.approx((found.effect.high - found.effect.low) / 2)
    assert found.per_draw is None


def test_unfinished_games_give_bounds():
    found = swap.head_to_head(_pairs([1, 1, np.nan, 0], [1, 0, 1, 0]))
    assert found.unfinished == 1
    assert found.low_bound == pytest.approx((1 + 0.5 + 0.5 + 0) / 4 - 0.5)
    assert found.high_bound == pytest.approx((1 + 0.5 + 1.0 + 0) / 4 - 0.5)


def _field(rng, units, effect, in_step):
    """Simulates both versions against the same opponents; a share of games runs in step on the shared seeds."""
    luck = rng.random((2, units))
    other = np.where(rng.random((2, units)) < in_step, luck, rng.random((2, units)))
    plain, card = (luck < 0.5).astype(float), (other < 0.5 + effect).astype(float)
    return _pairs(card[0], card[1]), _pairs(plain[0], plain[1])


@pytest.mark.parametrize(("in_step", "published"), [(0.0, 0.0096), (0.9, 0.0034)])
def test_field_has_the_stated_precision(in_step, published, measured):
    rng = np.random.default_rng(3)
    found = [swap.field(*_field(rng, 2500, 0.02, in_step)) for _ in range(300)]
    coverage = np.mean([f.effect.covers(0.02) for f in found])
    se = np.mean([f.effect.se for f in found])
    measured("swap", f"field, 10,000 games, {in_step:.0%} of games in step: standard error", se)
    assert coverage == pytest.approx(0.95, abs=0.035)
    assert se == pytest.approx(published, rel=0.10)
    rho = np.mean([f.rho for f in found])
    assert rho == pytest.approx(in_step, abs=0.05)
    assert se == pytest.approx(power.standard_error(10_000, "field", rho=rho), rel=0.05)
    assert np.mean([f.games_saved for f in found]) == pytest.approx(in_step, abs=0.05)


def test_field_needs_the_same_seeds():
    one = _pairs([1, 0], [1, 0])
    with pytest.raises(ValueError, match="same seeds"):
        swap.field(one, one.iloc[:1])


def test_per_draw_is_the_effect_over_the_share_of_matches_that_saw_the_card():
    effect = Interval(0.02, 0.01, 0.03, 0.005, 5000)
    known = swap.per_draw(effect, 0.4)
    assert known.estimate == pytest.approx(0.05)
    assert known.se == pytest.approx(0.005 / 0.4)
    estimated = swap.per_draw(effect, Interval(0.4, 0.38, 0.42, 0.01, 5000))
    assert estimated.se > known.se


def test_per_draw_covers_its_truth():
    rng = np.random.default_rng(4)
    covered = []
    for _ in range(300):
        seen = rng.random(4000) < 0.3
        games = (rng.random((2, 4000)) < 0.5 + 0.10 * seen).astype(float)
        control = rng.random(4000) < 0.3
        share = Interval(control.mean(), 0, 1, control.std() / np.sqrt(4000), 4000)
        covered.append(swap.head_to_head(_pairs(games[0], games[1]), seen=share).per_draw.covers(0.10))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.035)


def test_seen_share_reads_the_fixed_window():
    _, cards = simulate.drawing_world(4000, 0.0, seed=5)
    found = swap.seen_share(cards, "x", window=9)
    assert found.low < 0.3 < found.high


def test_p_value_belongs_to_the_interval():
    found = swap.head_to_head(_head_to_head(np.random.default_rng(6), 800, 0.035))
    assert (found.p < 0.05) == (found.effect.low > 0)


@given(st.integers(0, 1000))
def test_interaction_is_zero_for_additive_cards(seed):
    rng = np.random.default_rng(seed)
    base, a, b = rng.random(30), rng.normal(size=30), rng.normal(size=30)
    found = synergy.contrast(base + a + b, base + a, base + b, base)
    assert found.estimate == pytest.approx(0.0, abs=1e-12)


def test_interaction_covers_its_truth():
    rng = np.random.default_rng(7)
    covered = []
    for _ in range(300):
        luck = rng.random(2000)
        arms = [(luck < p).astype(float) for p in (0.5 + 0.02 + 0.03 + 0.06, 0.52, 0.53, 0.5)]
        covered.append(synergy.contrast(*arms).covers(0.06))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.035)


def test_arms_of_different_length_are_refused():
    with pytest.raises(ValueError, match="same seeds"):
        synergy.contrast([1], [1], [1, 0], [0])
