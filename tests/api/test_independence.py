"""What users of simulators run into: columns that never change, shared dice, resets that change the settings."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from apotheosis.env import aec, gym_env, observe
from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.deck_draws import random_decks
from apotheosis.env.match import BOTS, Match, play_batch
from apotheosis.env.rules.layout import DECK_SLOT

UNSEEN = {
    ("tiles", "TERRAIN"), ("tiles", "ALTITUDE"),  # of an arena with a map; without one it is all field
    ("match", "DRAFT_TILE"), ("match", "DRAFT_PAID"),  # of drafts that ask for more than bundled cards do
}  # fmt: skip
"""Columns that stay the same in the matches below."""
FORMATS = [{}, {"team_size": 2, "stint_limit": 4}, {"profile": "UNITS", "hero_level": 4}, {"profile": "DIRECT"}]


def test_every_column_of_an_observation_takes_several_values_but_those_listed(pool):
    low: dict[str, np.ndarray] = {}
    high: dict[str, np.ndarray] = {}
    for keys in FORMATS:
        dealer = Dealer(pool, ArenaFormat.of(**keys))
        for seed in range(40):
            rng = np.random.default_rng(seed)
            lineups, seeds = dealer.deal(rng)
            match = observe_along(pool, lineups, seeds[0], rng, low, high)
            assert match.over
    constant = {
        (name, column)
        for name, columns in observe.schema()["columns"].items()
        for column, at in columns.items()
        if at < len(low[name]) and low[name][at] == high[name][at]
    }
    assert constant == UNSEEN


def observe_along(pool, lineups, seeds, rng, low, high):
    """Plays a random match and widens the ranges of the columns by what is seen on the way."""
    match = Match(pool, lineups, seeds)
    while True:
        for name, array in observe.observe(match, 0 if match.over else None).items():
            rows = array.reshape(-1, array.shape[-1])
            low[name] = np.minimum(low.get(name, rows[0]), rows.min(0))
            high[name] = np.maximum(high.get(name, rows[0]), rows.max(0))
        if match.over:
            return match
        match.apply(int(rng.choice(match.legal())))


def walk(env, rng, steps):
    """Yields the board as seen after each of some random steps."""
    observation, info = env.reset(seed=21)
    for _ in range(steps):
        observation, _, terminated, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        yield observation["chars"].copy()
        if terminated:
            observation, info = env.reset()


def test_two_environments_stepped_in_turns_change_nothing_for_each_other():
    alone = list(walk(gym_env.ArenaEnv(opponent="greedy"), np.random.default_rng(1), 80))
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    one, two = (walk(gym_env.ArenaEnv(opponent="greedy"), np.random.default_rng(seed), 80) for seed in (1, 2))
    together = [seen for seen, _ in zip(one, two, strict=True)]
    np.testing.assert_array_equal(alone, together)
    np.testing.assert_array_equal(state, np.random.get_state()[1])  # noqa: NPY002


@pytest.mark.parametrize("seed", [None, 3, 4])
def test_a_reset_leaves_format_and_settings_as_they_are(seed):
    form = {"board": (5, 5), "hero_level": 4, "stint_limit": 7}
    env, single = aec.raw_env(format=form), gym_env.ArenaEnv(format=form, shaping=0.5, seat="b")
    for _ in range(3):
        env.reset(seed=seed)
        single.reset(seed=seed)
        for match in (env.match, single.match):
            assert [int(match.state[key]) for key in ("width", "height", "stint_limit")] == [5, 5, 7]
        assert single.seat == 1 and single.shaping == 0.5


def test_every_place_of_a_shuffle_is_equally_likely_and_shuffles_do_not_repeat(pool):
    """Over many matches of the same two decks, dealt one after another."""
    dealer, count = Dealer(pool, ArenaFormat(), decks=random_decks(pool, 2, seed=5)), 3000
    lineups, seeds = dealer.deal(np.random.default_rng(8), count)
    ledgers = play_batch(pool, lineups, seeds, np.full((count, 2), int(BOTS["random"]))).cards
    places = ledgers["shuffle_position"][:, DECK_SLOT : DECK_SLOT + 30]
    assert len(np.unique(places, axis=0)) == count
    for slot in (0, 14, 29):
        seen = np.bincount(places[:, slot], minlength=30)
        assert seen.size == 30 and chisquare(seen).pvalue > 1e-4
    # Neighbours in the deck list do not stay together.
    assert abs(np.corrcoef(places[:, 0], places[:, 1])[0, 1] + 1 / 29) < 0.08
    assert abs(np.corrcoef(places[:-1, 0], places[1:, 0])[0, 1]) < 0.08
