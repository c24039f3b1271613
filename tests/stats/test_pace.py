"""Side, first mover, length and outcomes."""

import numpy as np
import pandas as pd
import pytest

from apotheosis.experiments.stats import pace


def _matches(pairs=2000, seed=1, side=0.0, first=0.0, random_order=True):
    rng = np.random.default_rng(seed)
    n = 2 * pairs
    quick = rng.random(pairs)
    a_first = rng.random(n) < (0.5 if random_order else np.tile([0.8, 0.2], pairs))
    p = 0.5 + side + first * np.where(a_first, 1, -1) + 0.1 * np.tile([1, -1], pairs) * np.repeat(quick - 0.5, 2)
    score = (rng.random(n) < p).astype(float)
    return pd.DataFrame(
        {
            "match_id": np.arange(n),
            "pair_id": np.repeat(np.arange(pairs), 2),
            "seat_a_deck": np.tile(["x", "y"], pairs),
            "seat_b_deck": np.tile(["y", "x"], pairs),
            "first_team": np.where(a_first, "a", "b"),
            "score_a": score,
            "turns": rng.integers(4, 30, n),
            "outcome": np.where(score == 1, "win_a", "win_b"),
        }
    )


def test_side_advantage_is_recovered():
    found = pace.side_advantage(_matches(side=0.04, pairs=6000))
    assert found.low < 0.04 < found.high
    assert found.n == 6000


def test_side_per_matchup_uses_unordered_pairs():
    table = pace.side_by_matchup(_matches(side=0.04))
    assert table["deck_pair"].tolist() == ["x|y"]
    assert table["games"].tolist() == [4000]


def test_first_mover_is_identified_only_where_chance_decided():
    matches = _matches(first=0.05, side=0.1, pairs=5000)
    found = pace.first_mover(matches, True)
    assert found.low < 0.05 < found.high
    assert pace.first_mover(matches, False) is None
    only = (matches["first_team"] == "a").to_numpy()
    assert pace.first_mover(matches, only) is None
    tied = np.random.default_rng(2).random(len(matches)) < 0.3
    part = pace.first_mover(matches, tied)
    assert part.high - part.low > found.high - found.low


def test_first_mover_covers_its_truth():
    covered = [pace.first_mover(_matches(300, seed, 0.05, 0.03), True).covers(0.03) for seed in range(200)]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.035)


def test_length_gives_percentiles_of_finished_matches():
    matches = _matches(50)
    matches["turns"] = np.arange(100)
    matches.loc[99, "score_a"] = np.nan
    found = pace.length(matches)
    assert (found.matches, found.median) == (99, 49.0)
    assert found.p05 == pytest.approx(np.percentile(np.arange(99), 5))
    assert pace.length(matches.iloc[:0]).matches == 0


def test_outcomes_add_up_to_the_matches_issued():
    matches = _matches(50)
    matches.loc[0, "outcome"] = "timeout"
    table = pace.outcomes(matches).set_index("outcome")
    assert table["matches"].sum() == 100
    assert table.loc["timeout", "share"] == 0.01
    assert table.loc["crash", "matches"] == 0
    matches.loc[1, "outcome"] = "lost"
    with pytest.raises(ValueError, match="lost is no outcome"):
        pace.outcomes(matches)


def test_bounds_count_unfinished_both_ways():
    matches = _matches(50)
    matches["score_a"] = np.r_[np.ones(60), np.zeros(30), np.full(10, np.nan)]
    assert pace.bounds(matches) == pytest.approx((0.10, 0.60, 0.70))
