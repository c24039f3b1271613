"""The vectorised arena plays the same matches as single ones, many per call."""

from __future__ import annotations

import numpy as np
import pytest

from apotheosis.env import observe
from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.errors import InputError
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Outcome
from apotheosis.env.vector import BANK, VectorArena


def random_codes(arena, rng):
    return (rng.random(arena.masks.shape) * arena.masks).argmax(1)


def test_matches_equal_those_stepped_one_by_one(pool):
    arena = VectorArena(8, pool, seed=1)
    rng = np.random.default_rng(1)
    lineups, seeds = Dealer(pool, ArenaFormat(), bank=BANK).deal(rng, 8)
    singles = [Match(pool, lineups[i : i + 1], seeds[i]) for i in range(8)]
    random = np.random.default_rng(2)
    running = np.ones(8, bool)
    for _ in range(80):
        for i in np.flatnonzero(running):
            np.testing.assert_array_equal(arena.masks[i], singles[i].mask())
            assert arena.seats[i] == singles[i].seat
        codes = random_codes(arena, random)
        for i in np.flatnonzero(running):
            singles[i].apply(int(codes[i]))
        running &= ~arena.step(codes).done
        if not running.any():
            break


def test_ended_matches_bring_their_result_and_are_dealt_anew(pool):
    arena = VectorArena(32, pool, seed=3)
    rng = np.random.default_rng(4)
    ended = 0
    for _ in range(300):
        step = arena.step(random_codes(arena, rng))
        won = (step.results["outcome"] == Outcome.WIN_A).astype(float) - (step.results["outcome"] == Outcome.WIN_B)
        np.testing.assert_array_equal(step.rewards[step.done, 0], won[step.done])
        np.testing.assert_array_equal(step.rewards[:, 1], -step.rewards[:, 0])
        assert (step.rewards[~step.done] == 0).all()
        assert (arena.seats >= 0).all()
        assert (arena.masks.sum(1) >= 2).all()
        ended += int(step.done.sum())
    assert ended > 32


@pytest.mark.parametrize("bots", [("external", "greedy"), ("random", "external")])
def test_seats_of_kernel_bots_are_never_asked(pool, bots):
    arena = VectorArena(16, pool, bots=bots, seed=5)
    rng = np.random.default_rng(6)
    for _ in range(100):
        assert (arena.seats == bots.index("external")).all()
        arena.step(random_codes(arena, rng))


def test_an_illegal_code_changes_no_match(pool):
    arena = VectorArena(4, pool, seed=7)
    before = arena.matches.copy()
    codes = random_codes(arena, np.random.default_rng(8))
    codes[2] = int(np.flatnonzero(arena.masks[2] == 0)[0])
    with pytest.raises(InputError, match="match 2"):
        arena.step(codes)
    assert (arena.matches == before).all()


def test_a_match_can_be_left_alone(pool):
    arena = VectorArena(4, pool, seed=9)
    codes = random_codes(arena, np.random.default_rng(10))
    codes[1] = -1
    before = arena.matches[1].copy()
    arena.step(codes)
    assert arena.matches[1] == before


def test_an_arena_without_an_external_seat_is_refused(pool):
    with pytest.raises(InputError, match="external"):
        VectorArena(2, pool, bots=("greedy", "random"))


def test_observations_are_those_of_the_asked_seats(pool):
    arena = VectorArena(8, pool, seed=11)
    rng = np.random.default_rng(12)
    for _ in range(20):
        arena.step(random_codes(arena, rng))
    batch = arena.observe()
    again = observe.observe_many(arena.matches, pool, arena.seats)
    for name in observe.SHAPES:
        np.testing.assert_array_equal(batch[name], again[name])


def test_kernel_bots_choose_for_listed_matches(pool):
    arena = VectorArena(6, pool, seed=13)
    rows = np.array([0, 3, 5])
    codes = arena.choose("greedy", rows)
    assert (arena.masks[rows, codes] == 1).all()


def test_the_seed_decides_everything(pool):
    def results():
        arena = VectorArena(8, pool, bots=("external", "random"), seed=14)
        rng = np.random.default_rng(15)
        return [arena.step(random_codes(arena, rng)).rewards.tobytes() for _ in range(150)]

    assert results() == results()


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        (np.zeros(3, np.int64), "codes must be 4 whole numbers in one row, not int64 of shape \\(3,\\)"),
        (np.zeros(5, np.int64), "codes must be 4 whole numbers"),
        (np.zeros((4, 1), np.int64), "codes must be 4 whole numbers"),
        (np.full(4, 1.5), "not float64"),
        (np.array([-1, -1, -2, -1]), "codes\\[2\\] must be from -1"),
    ],
)
def test_codes_that_the_kernel_would_misread_change_nothing(pool, codes, message):
    arena = VectorArena(4, pool, seed=7)
    before = arena.matches.copy()
    with pytest.raises(InputError, match=message):
        arena.step(codes)
    assert (arena.matches == before).all()


def test_seats_and_rows_outside_the_arena_are_refused(pool):
    arena = VectorArena(4, pool, seed=7)
    for seats in (np.zeros(1, np.int64), np.full(4, 2), np.full(4, -2)):
        with pytest.raises(InputError, match="seats"):
            arena.observe(seats)
    for rows in (np.array([4]), np.array([-1]), np.array([0.5])):
        with pytest.raises(InputError, match="rows"):
            arena.choose("greedy", rows)
    assert arena.choose("greedy", np.array([])).size == 0


@pytest.mark.parametrize("n", [0, -1, 1.5, "a"])
def test_an_arena_needs_a_whole_number_of_matches(pool, n):
    with pytest.raises(InputError, match="at least 1 match"):
        VectorArena(n, pool)


def test_an_arena_needs_two_names_of_bots(pool):
    with pytest.raises(InputError, match="two names, not 1"):
        VectorArena(2, pool, bots=("external",))
