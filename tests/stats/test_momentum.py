"""Momentum and choices against simulated matches whose true win chances are known."""

import numpy as np
import pandas as pd
import pytest

from apotheosis.experiments.stats import choices, momentum


def _run(games=600, length=12, seed=1, noise=0.12):
    """Simulates a lead that wanders; whoever is ahead at the end wins."""
    rng = np.random.default_rng(seed)
    lead = np.cumsum(rng.normal(0, noise, (games, length)), axis=1)
    rows = pd.DataFrame(
        {
            "match_id": np.repeat(np.arange(games), length),
            "turn": np.tile(np.arange(1, length + 1), games),
            "actor": np.where(np.tile(np.arange(length), games) % 2 == 0, "a", "b"),
            "hp_a": 0.5 + lead.ravel() / 2,
            "hp_b": 0.5 - lead.ravel() / 2,
            "hand_a": rng.integers(0, 6, games * length),
            "hand_b": rng.integers(0, 6, games * length),
            "board_a": 3,
            "board_b": 3,
            "options": rng.integers(2, 30, games * length),
            "playable": rng.integers(0, 4, games * length),
        }
    )
    final = lead[:, -1] + rng.normal(0, noise, games)
    matches = pd.DataFrame(
        {"match_id": np.arange(games), "pair_id": np.arange(games) // 2, "score_a": (final > 0).astype(float)}
    )
    return rows, matches, lead


def test_chances_come_out_of_fold_and_sharpen_with_time():
    turns, matches, _ = _run()
    found = momentum.swings(turns, matches)
    auc = found.turns.set_index("turn")["auc"]
    assert auc.loc[12] > 0.9 > auc.loc[1]
    assert auc.loc[1] < 0.75
    assert found.turns.set_index("turn").loc[12, "ahead_wins"] > 0.85


def test_pure_noise_is_not_called_a_snowball():
    turns, matches, _ = _run(seed=2)
    matches["score_a"] = np.random.default_rng(3).integers(0, 2, len(matches)).astype(float)
    found = momentum.swings(turns, matches)
    assert found.turns["auc"].mean() == pytest.approx(0.5, abs=0.04)


def test_chances_are_calibrated():
    turns, matches, lead = _run(games=3000, seed=4)
    chances = momentum.win_chances(turns, matches)
    middle = chances[chances["turn"] == 8]
    for low, high in ((0.1, 0.3), (0.4, 0.6), (0.7, 0.9)):
        part = middle[middle["p"].between(low, high)]
        assert part["y"].mean() == pytest.approx(part["p"].mean(), abs=0.07)


def test_comeback_and_decisive_turn_follow_their_definitions():
    chances = {"early": [0.95] * 8, "late": [0.5] * 7 + [0.95], "comeback": [0.1, 0.1, 0.5, 0.6, 0.7, 0.8, 0.95, 0.97]}
    assert momentum._decisive_share(np.array(chances["early"])) == 0.0
    assert momentum._decisive_share(np.array(chances["late"])) == pytest.approx(7 / 8)
    assert momentum._decisive_share(1 - np.array(chances["late"])) == pytest.approx(7 / 8)
    assert momentum._decisive_share(np.array(chances["comeback"])) == pytest.approx(6 / 8)
    assert momentum._decisive_share(np.array([0.95, 0.5])) == 1.0


def test_comebacks_are_rare_where_leads_last():
    wild = momentum.swings(*_run(seed=5)[:2])
    calm_turns, calm_matches, lead = _run(seed=5)
    calm_matches["score_a"] = (lead[:, 2] > 0).astype(float)
    calm = momentum.swings(calm_turns[calm_turns["turn"] >= 3], calm_matches)
    assert 0.02 < wild.comeback.estimate < 0.45
    assert wild.lead_changes > 0.5
    assert wild.comeback.low <= wild.comeback.estimate <= wild.comeback.high
    assert calm.turns["auc"].iloc[0] > 0.95


def test_fan_rises_for_the_winner():
    chances = momentum.win_chances(*_run(seed=6)[:2])
    table = momentum.fan(chances).set_index("turn")
    assert table.loc[12, "p50"] > table.loc[2, "p50"]
    assert (table["p5"] <= table["p95"]).all()


def test_few_matches_give_an_empty_answer():
    found = momentum.swings(*_run(games=30, seed=7)[:2])
    assert len(found.turns) == 0
    assert np.isnan(found.decisive)


def test_options_are_percentiles_of_what_is_known():
    found = choices.options([1, 2, 3, np.nan, 10])
    assert (found.median, found.count) == (2.5, 4)
    assert found.p90 == pytest.approx(np.percentile([1, 2, 3, 10], 90))
    assert choices.options([np.nan]).count == 0


def test_dead_hands_count_turns_with_cards_but_no_play():
    turns = pd.DataFrame(
        {
            "match_id": [0, 0, 1, 1],
            "actor": ["a", "b", "a", "b"],
            "hand_a": [3, 3, 0, 0],
            "hand_b": [2, 2, 2, 1],
            "playable": [0, 2, 0, 0],
        }
    )
    matches = pd.DataFrame({"match_id": [0, 1], "pair_id": [0, 1]})
    found = choices.dead_hand_share(turns, matches)
    assert found.estimate == pytest.approx(2 / 3)


def test_real_options_count_what_is_weighed():
    assert choices.real_options([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]) == pytest.approx([2.0, 1.0])


def test_value_gap_needs_two_options():
    gaps = choices.value_gaps([[0.6, 0.5, np.nan], [0.6, np.nan, np.nan]])
    assert gaps[0] == pytest.approx(0.1)
    assert np.isnan(gaps[1])
