"""Observational card rates: slow reference, chunking, and the traps with known truth (V7)."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import simulate
from scipy import stats

from apotheosis.experiments.stats import cards, intervals
from apotheosis.experiments.stats.sides import deck_pair, sides


def _small_run(seed=1, games=60):
    matches, table = simulate.frames(simulate.card_world(games // 2, 8, np.zeros(8), seed=seed, deck_size=4))
    rng = np.random.default_rng(seed)
    table["opening_hand"] = table["shuffle_position"] < 2
    table["drawn"] = table["shuffle_position"] < 3
    table["placed"] = table["drawn"] & (rng.random(len(table)) < 0.5)
    table["placed_turn"] = np.where(table["placed"], rng.integers(1, 9, len(table)), np.nan)
    table["activated"] = rng.integers(0, 3, len(table)) * table["placed"]
    table["dead_in_hand_turns"] = rng.integers(0, 4, len(table))
    return matches, table


def _brute(matches, table, card, happened):
    """Computes a rate the slow way: loop over sides, then the linearised cluster interval."""
    sums, counts, clusters = [], [], []
    for match in matches.itertuples():
        for team in (0, 1):
            rows = table[(table["match_id"] == match.match_id) & (table["team"] == team) & (table["card_id"] == card)]
            if len(rows) and happened(rows):
                sums.append(match.score_a if team == 0 else 1 - match.score_a)
                counts.append(1)
                clusters.append(match.pair_id)
    return intervals.cluster_ratio(sums, counts, clusters), len(sums)


@pytest.mark.parametrize(
    ("name", "happened"),
    [
        ("included", lambda rows: True),
        ("opening", lambda rows: rows["opening_hand"].any()),
        ("drawn", lambda rows: rows["drawn"].any()),
        ("placed", lambda rows: rows["placed"].any()),
        ("activated", lambda rows: (rows["activated"] > 0).any()),
    ],
)
def test_rates_equal_a_slow_reference(name, happened):
    matches, table = _small_run()
    ours = cards.metrics(cards.tally(matches, table, window=2)).set_index("card_id").loc["c003"]
    expected, games = _brute(matches, table, "c003", happened)
    assert ours[name] == pytest.approx(expected.estimate)
    assert ours[f"{name}_n"] == games
    assert ours[f"{name}_se"] == pytest.approx(expected.se, rel=0.05)


def test_included_interval_is_exactly_the_cluster_ratio():
    matches, table = _small_run()
    ours = cards.metrics(cards.tally(matches, table)).set_index("card_id").loc["c003"]
    expected, _ = _brute(matches, table, "c003", lambda rows: True)
    assert ours["included_se"] == pytest.approx(expected.se)


@pytest.mark.parametrize("cluster", ["pair_id", "deck_pair"])
@pytest.mark.parametrize("by", [None, "bot"])
def test_chunks_add_up_to_the_whole(cluster, by):
    matches, table = _small_run()
    whole = cards.metrics(cards.tally(matches, table, cluster=cluster, by=by))
    edges = [0, 20, 34, 60]
    parts = [
        cards.tally(
            matches[matches["match_id"].between(low, high - 1)],
            table[table["match_id"].between(low, high - 1)],
            cluster=cluster,
            by=by,
        )
        for low, high in pairwise(edges)
    ]
    keys = ["card_id"] if by is None else ["card_id", by]
    merged = cards.metrics(cards.merge(parts)).sort_values(keys).reset_index(drop=True)
    pd.testing.assert_frame_equal(merged, whole.sort_values(keys).reset_index(drop=True))


def test_clusters_that_return_in_a_later_chunk_count_once():
    matches, table = _small_run()
    matches[["seat_a_deck", "seat_b_deck"]] = ["p", "q"]
    merged = cards.merge(
        cards.tally(matches[matches["match_id"] % 2 == odd], table[table["match_id"] % 2 == odd], cluster="deck_pair")
        for odd in (0, 1)
    )
    assert (cards.metrics(merged)["clusters"] == 1).all()


def test_different_windows_cannot_be_added():
    matches, table = _small_run()
    with pytest.raises(ValueError, match="cannot be added"):
        cards.merge([cards.tally(matches, table, window=2), cards.tally(matches, table, window=3)])


def test_unknown_cluster_and_unknown_match_are_refused():
    matches, table = _small_run()
    with pytest.raises(ValueError, match="pair_id or deck_pair"):
        cards.tally(matches, table, cluster="deck")
    with pytest.raises(ValueError, match="names match"):
        cards.tally(matches.iloc[1:], table)


def test_counts_of_a_hand_made_match():
    matches = pd.DataFrame(
        {
            "match_id": [0, 1],
            "pair_id": [0, 0],
            "seat_a_deck": ["x", "y"],
            "seat_b_deck": ["y", "x"],
            "seat_a_bot": "g",
            "seat_b_bot": "g",
            "score_a": [1.0, None],
        }
    )
    table = pd.DataFrame(
        {
            "match_id": [0, 0, 0, 1],
            "seat": ["a", "a", "b", "a"],
            "team": [0, 0, 1, 0],
            "hero": [0, 0, 1, 0],
            "card_id": ["k", "k", "k", "k"],
            "shuffle_position": [0.0, 5.0, 1.0, None],
            "opening_hand": [True, False, True, False],
            "kept": [True, True, False, False],  # the second copy came in by the mulligan
            "drawn": [True, True, False, False],
            "placed": [True, False, False, False],
            "placed_turn": [4.0, None, None, None],
            "activated": [2, 0, 0, 0],
            "dead_in_hand_turns": [1, 3, 0, 0],
        }
    )
    row = cards.metrics(cards.tally(matches, table, window=1)).iloc[0]
    assert (row["games"], row["included_n"], row["included"]) == (3, 2, 0.5)
    assert (row["opening_n"], row["opening"]) == (2, 0.5)
    assert (row["drawn_n"], row["drawn"]) == (1, 1.0)
    assert (row["placed_turn_mean"], row["dead_turns_mean"], row["kept_rate"]) == (4.0, 2.0, 0.5)
    assert (row["unfinished"], row["bounds_needed"]) == (1 / 3, True)
    assert (row["bound_low"], row["bound_high"]) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert row["play_rate"] == 1.0
    event = table.assign(placed=False)  # used from the hand, and never on the table
    assert cards.metrics(cards.tally(matches, event, window=1)).iloc[0]["play_rate"] == 1.0
    idle = event.assign(activated=0)
    assert cards.metrics(cards.tally(matches, idle, window=1)).iloc[0]["play_rate"] == 0.0


def test_bounds_enclose_what_dropping_would_hide():
    matches, table = simulate.drawing_world(8000, 0.0, seed=3)
    long_ones = np.flatnonzero(matches["turns"] >= 17)
    dropped = matches.copy()
    dropped.loc[long_ones, "score_a"] = np.nan
    row = cards.metrics(cards.tally(dropped, table)).set_index("card_id").loc["x"]
    assert row["included_low"] > 0.5, "dropping long games flatters the card"
    assert row["bound_low"] <= matches["score_a"].mean() < row["included_low"]


def test_sheet_cards_have_no_window_effect():
    matches, table = _small_run()
    table["shuffle_position"] = np.nan
    ours = cards.metrics(cards.tally(matches, table))
    assert ours["window"].isna().all()
    assert (ours["window_n"] == 0).all()


@pytest.mark.parametrize(("copies", "size", "window"), [(1, 30, 9), (3, 30, 9), (2, 20, 5), (3, 6, 5), (1, 4, 9)])
def test_window_probability_is_hypergeometric(copies, size, window):
    ours = cards.window_probability(np.array([copies]), np.array([size]), window)[0]
    assert ours == pytest.approx(stats.hypergeom.sf(0, size, copies, min(window, size)))


def test_standardised_rate_weights_both_seats_equally():
    matches = pd.DataFrame(
        {
            "match_id": range(8),
            "pair_id": range(8),
            "seat_a_deck": ["x"] * 6 + ["y"] * 2,
            "seat_b_deck": ["y"] * 6 + ["x"] * 2,
            "seat_a_bot": "g",
            "seat_b_bot": "g",
            "score_a": [1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0],
        }
    )
    table = pd.DataFrame({"match_id": range(8), "team": [0] * 6 + [1] * 2, "hero": [0] * 6 + [1] * 2, "card_id": "k"}).assign(
        shuffle_position=0.0, opening_hand=True, drawn=True, placed=True, activated=0
    )
    row = cards.metrics(cards.tally(matches, table)).iloc[0]
    assert row["included"] == pytest.approx(5 / 8)
    assert row["standardised"] == pytest.approx((5 / 6 + 0) / 2)


def test_sides_lists_both_teams_and_an_unordered_deck_pair():
    matches, _ = _small_run()
    both = sides(matches)
    assert (both.groupby("match_id")["score"].sum() == 1).all()
    assert (deck_pair(matches).iloc[0::2].to_numpy() == deck_pair(matches).iloc[1::2].to_numpy()).all()


def _window_runs(runs, effect, seed, games=6000, copies=1):
    found = [
        cards.metrics(cards.tally(*simulate.drawing_world(games, effect, seed + run, copies=copies)))
        .set_index("card_id")
        .loc["x"]
        for run in range(runs)
    ]
    return pd.DataFrame(found)


def test_v7_window_effect_is_unbiased_where_the_drawn_rate_lies():
    null = _window_runs(12, 0.0, seed=700)
    assert null["window"].mean() == pytest.approx(0.0, abs=0.01)
    assert null["iwd"].mean() < -0.10
    assert null["iwd_disagrees"].all()
    true = _window_runs(12, 0.086, seed=750)
    assert true["window"].mean() == pytest.approx(0.086, abs=0.01)


def test_iwd_without_a_length_bias_is_not_called_a_disagreement():
    matches, table = simulate.drawing_world(6000, 0.0, seed=5)
    rng = np.random.default_rng(5)
    matches["score_a"] = rng.integers(0, 2, len(matches)).astype(float)
    row = cards.metrics(cards.tally(matches, table)).set_index("card_id").loc["x"]
    assert not row["iwd_disagrees"]


@pytest.mark.slow
@pytest.mark.parametrize("copies", [1, 3])
@pytest.mark.parametrize("effect", [0.0, 0.086])
def test_v7_bias_and_coverage_in_full(copies, effect, measured):
    found = _window_runs(600, effect, seed=7000, games=1500, copies=copies)
    coverage = np.mean((found["window_low"] <= effect) & (effect <= found["window_high"]))
    name = f"{copies} copies, true effect {effect}"
    measured("V7", f"{name}: mean window effect", found["window"].mean())
    measured("V7", f"{name}: coverage", coverage)
    measured("V7", f"{name}: mean improvement when drawn", found["iwd"].mean())
    assert found["window"].mean() == pytest.approx(effect, abs=0.005)
    assert 0.92 <= coverage <= 0.97
