"""Mirrored pairs: their scores, their counts, their correlation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apotheosis.experiments.stats import pairs


def _matches(rows):
    names = ["match_id", "pair_id", "seat_a_deck", "seat_b_deck", "seat_a_bot", "seat_b_bot", "score_a"]
    return pd.DataFrame(rows, columns=names)


def test_score_belongs_to_the_side_that_begins_at_seat_a():
    frame = pairs.pair_scores(_matches([(0, 7, "x", "y", "g", "r", 1.0), (1, 7, "y", "x", "r", "g", 0.5)]))
    assert frame.loc[0, ["pair_id", "first", "second", "score"]].tolist() == [7, 1.0, 0.5, 0.75]


def test_candidate_may_begin_at_seat_b():
    rows = [(0, 0, "y", "x", "g", "g", 1.0), (1, 0, "x", "y", "g", "g", 1.0)]
    assert pairs.pair_scores(_matches(rows), candidate={"x"})["score"].tolist() == [0.5]
    rows[0] = (0, 0, "y", "x", "g", "g", 0.0)
    assert pairs.pair_scores(_matches(rows), candidate={"x"})["score"].tolist() == [1.0]


def test_unfinished_game_leaves_bounds_and_no_score():
    frame = pairs.pair_scores(_matches([(0, 0, "x", "y", "g", "g", 1.0), (1, 0, "y", "x", "g", "g", None)]))
    assert np.isnan(frame.loc[0, "score"])
    assert frame.loc[0, ["low", "high"]].tolist() == [0.5, 1.0]
    assert pairs.summarise(pd.concat([frame] * 3)).unfinished == 3


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(0, 0, "x", "y", "g", "g", 1.0)], "two matches"),
        ([(0, 0, "x", "y", "g", "g", 1.0), (1, 0, "x", "y", "g", "g", 1.0)], "exchange their decks"),
        ([(0, 0, "x", "y", "g", "r", 1.0), (1, 0, "y", "x", "g", "r", 1.0)], "exchange their bots"),
    ],
)
def test_what_is_no_mirrored_pair_is_refused(rows, message):
    with pytest.raises(ValueError, match=message):
        pairs.pair_scores(_matches(rows))


def test_candidate_on_both_sides_is_refused():
    rows = [(0, 0, "x", "x", "g", "g", 1.0), (1, 0, "x", "x", "g", "g", 1.0)]
    with pytest.raises(ValueError, match="exactly one side"):
        pairs.pair_scores(_matches(rows), candidate={"x"})


def test_rows_in_any_order_give_issue_order():
    rows = [(3, 1, "y", "x", "g", "g", 0.0), (0, 0, "x", "y", "g", "g", 0.0)]
    rows += [(2, 1, "x", "y", "g", "g", 1.0), (1, 0, "y", "x", "g", "g", 1.0)]
    assert pairs.pair_scores(_matches(rows))["score"].tolist() == [0.0, 1.0]


@given(st.lists(st.integers(0, 4), min_size=3, max_size=40))
def test_pentanomial_counts_every_score_once(cells):
    counts = pairs.pentanomial(np.array(cells) / 4)
    assert counts.tolist() == [cells.count(cell) for cell in range(5)]


def test_scores_between_the_cells_are_refused():
    with pytest.raises(ValueError, match="0, 1/4"):
        pairs.pentanomial([0.3])


def test_seats_that_decide_games_save_games():
    rng = np.random.default_rng(2)
    n = 4000
    seat = rng.random(n) < 0.8
    first = np.where(seat, 1.0, rng.integers(0, 2, n))
    second = np.where(seat, 0.0, rng.integers(0, 2, n))
    frame = pd.DataFrame({"pair_id": np.arange(n), "first": first, "second": second, "score": (first + second) / 2})
    summary = pairs.summarise(frame)
    assert summary.rho == pytest.approx(np.corrcoef(first, second)[0, 1])
    assert summary.variance == pytest.approx(0.2 * 0.125, rel=0.1)
    assert summary.games_saved == pytest.approx(0.8, abs=0.02)


def test_independent_even_games_save_nothing():
    rng = np.random.default_rng(3)
    games = rng.integers(0, 2, size=(2, 20000)).astype(float)
    frame = pd.DataFrame({"pair_id": np.arange(20000), "first": games[0], "second": games[1], "score": games.mean(axis=0)})
    assert pairs.summarise(frame).games_saved == pytest.approx(0.0, abs=0.02)
