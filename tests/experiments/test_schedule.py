"""Who meets whom follows from the number of a pair alone, and is balanced over seats, decks and bots."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apotheosis.env.errors import InputError
from apotheosis.experiments.schedule import Schedule

ALONE = ["random_decks", "round_robin", "gauntlet", "pairs", "swap"]
"""Designs whose pairs have seeds of their own, and which may be played without mirroring."""
KINDS = [*ALONE, "field"]


def schedule(kind="random_decks", n_sides=6, bots=("greedy", "random"), crossing="balanced", mirror=True, seed=3):
    return Schedule(n_sides, tuple(bots), kind, crossing, mirror, seed, 0)


def as_tuples(rows) -> list[tuple]:
    names = ("match_id", "pair_id", "second", "side_a", "side_b", "bot_a", "bot_b")
    return list(zip(*(rows[name].tolist() for name in names), strict=True))


@given(
    kind=st.sampled_from(KINDS),
    crossing=st.sampled_from(["balanced", "same", "pairs"]),
    mirror=st.booleans(),
    cuts=st.lists(st.integers(1, 59), max_size=4),
)
def test_any_cutting_into_chunks_gives_the_same_matches(kind, crossing, mirror, cuts):
    plan = schedule(kind, crossing=crossing, mirror=mirror)
    edges = sorted({0, 60, *cuts})
    parts = [as_tuples(plan.rows(start, end - start)) for start, end in zip(edges, edges[1:], strict=False)]
    assert sum(parts, []) == as_tuples(plan.rows(0, 60))


@given(kind=st.sampled_from(KINDS), crossing=st.sampled_from(["balanced", "same", "pairs"]), first=st.integers(0, 10**6))
def test_in_the_second_match_decks_and_bots_change_seats_together(kind, crossing, first):
    rows = schedule(kind, crossing=crossing).rows(first, 20)
    for at in range(0, 40, 2):
        assert rows["pair_id"][at] == rows["pair_id"][at + 1] == first + at // 2
        assert (rows["second"][at], rows["second"][at + 1]) == (False, True)
        for what in ("side", "bot"):
            assert rows[f"{what}_a"][at] == rows[f"{what}_b"][at + 1]
            assert rows[f"{what}_b"][at] == rows[f"{what}_a"][at + 1]
    assert rows["match_id"].tolist() == list(range(2 * first, 2 * first + 40))


def test_random_decks_meet_another_deck_and_play_equally_often():
    rows = schedule(n_sides=10).rows(0, 50)
    assert (rows["side_a"] != rows["side_b"]).all()
    assert set(Counter(rows["side_a"].tolist()).values()) == {10}
    pairs = {frozenset(pair) for pair in zip(rows["side_a"].tolist(), rows["side_b"].tolist(), strict=True)}
    assert len(pairs) > 25, "each round pairs the decks anew"


@pytest.mark.parametrize("crossing", ["balanced", "same"])
def test_against_the_field_both_versions_meet_the_same_opponent_on_the_same_seeds(crossing):
    rows = schedule("field", n_sides=8, crossing=crossing).rows(0, 96)
    first = {name: column[::2].reshape(-1, 2) for name, column in rows.items()}
    assert (first["side_a"] % 2 == [0, 1]).all() and (first["side_a"][:, 0] + 1 == first["side_a"][:, 1]).all()
    for same in ("side_b", "bot_a", "bot_b", "seed_pair"):
        assert (first[same][:, 0] == first[same][:, 1]).all()
    assert len(set(first["seed_pair"][:, 0])) == 48
    met = Counter(zip((first["side_a"][:, 0] // 2).tolist(), (first["side_b"][:, 0] // 2).tolist(), strict=True))
    assert len(met) == 12 and set(met.values()) == {4} and all(deck != other for deck, other in met)


@pytest.mark.parametrize("kind", ALONE)
def test_every_other_pair_has_seeds_of_its_own(kind):
    rows = schedule(kind).rows(5, 20)
    assert (rows["seed_pair"] == rows["pair_id"]).all()


def test_an_odd_number_of_random_decks_leaves_another_one_out_each_round():
    rows = schedule(n_sides=5).rows(0, 400)
    counts = Counter(rows["side_a"].tolist())
    assert set(counts) == set(range(5)) and max(counts.values()) < 1.3 * min(counts.values())


@pytest.mark.parametrize(
    ("crossing", "expected"),
    [("balanced", {(0, 0), (0, 1), (1, 0), (1, 1)}), ("same", {(0, 0), (1, 1)}), ("pairs", {(0, 1), (1, 0)})],
)
@pytest.mark.parametrize("kind", ["random_decks", "round_robin"])
def test_bots_are_crossed_evenly(kind, crossing, expected):
    rows = schedule(kind, crossing=crossing).rows(0, 120)
    counts = Counter(zip(rows["bot_a"].tolist(), rows["bot_b"].tolist(), strict=True))
    assert set(counts) == expected and len(set(counts.values())) == 1


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("round_robin", {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}),
        ("gauntlet", {(0, 1), (0, 2), (0, 3)}),
        ("pairs", {(0, 1), (2, 3)}),
        ("swap", {(0, 1), (2, 3)}),
    ],
)
def test_repeated_pairings_meet_equally_often_with_every_pair_of_bots(kind, cells):
    rows = schedule(kind, n_sides=4).rows(0, 4 * len(cells))
    first = ~rows["second"]
    columns = [rows[name][first].tolist() for name in ("side_a", "side_b", "bot_a", "bot_b")]
    counts = Counter(zip(*columns, strict=True))
    assert {key[:2] for key in counts} == cells
    assert len(counts) == 4 * len(cells) and set(counts.values()) == {1}


def test_four_versions_of_a_deck_meet_the_same_opponent_on_the_same_seeds():
    """Sides 0 to 3 are the versions of the first deck, 4 to 7 of the second, 8 to 11 of the third; the last is plainest."""
    rows = schedule("both", n_sides=12).rows(0, 240)
    first = ~rows["second"]
    a, b, bots = rows["side_a"][first], rows["side_b"][first], np.stack([rows["bot_a"], rows["bot_b"]], axis=1)[first]
    units = np.arange(240) // 4
    assert (a % 4 == np.arange(240) % 4).all() and (b % 4 == 3).all() and (a // 4 != b // 4).all()
    for values in (a // 4, b, rows["seed_pair"][first], *bots.T):
        assert (values == values[4 * units]).all(), "only the version differs within four pairs"
    assert np.unique(rows["seed_pair"]).tolist() == list(range(0, 240, 4))
    meetings = Counter(zip((a // 4).tolist(), (b // 4).tolist(), strict=True))
    assert len(meetings) == 6 and len(set(meetings.values())) == 1
    two, one = (rows[name][rows["second"]] for name in ("side_a", "side_b"))
    assert (two == b).all() and (one == a).all(), "the second match of a pair exchanges the seats"


@pytest.mark.parametrize("kind", ALONE)
def test_unmirrored_designs_balance_the_seats(kind):
    rows = schedule(kind, n_sides=4, mirror=False, bots=("greedy",)).rows(0, 240)
    assert len(rows["match_id"]) == 240 and not rows["second"].any()
    in_a, in_b = (np.bincount(rows[f"side_{seat}"], minlength=4) for seat in "ab")
    assert (np.abs(in_a - in_b) <= 40).all() if kind == "random_decks" else (in_a == in_b).all()


def test_another_seed_pairs_the_decks_in_another_way():
    assert as_tuples(schedule(seed=3).rows(0, 20)) != as_tuples(schedule(seed=4).rows(0, 20))


@pytest.mark.parametrize(("kind", "n_sides"), [("round_robin", 1), ("pairs", 3), ("swap", 5), ("random_decks", 0)])
def test_a_number_of_decks_that_cannot_be_paired_is_refused(kind, n_sides):
    with pytest.raises(InputError, match=kind):
        schedule(kind, n_sides=n_sides).check()
