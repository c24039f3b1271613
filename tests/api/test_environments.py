"""The environments pass the checkers of their ecosystems and agree with the match they wrap."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from apotheosis.env import aec, gym_env
from apotheosis.env.cards.deck_draws import random_decks
from apotheosis.env.errors import InputError
from apotheosis.env.rules.codes import Act


def play(env, rng, steps=10_000):
    """Plays random legal codes to the end; returns the rewards by agent."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(steps):
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        done = terminated or truncated
        env.step(None if done else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return total


def test_the_aec_environment_passes_the_api_test():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(aec.env(), num_cycles=500)


def test_the_aec_environment_passes_the_seed_test():
    seed_test(aec.env, num_cycles=300)


def test_rewards_of_both_seats_add_up_to_zero():
    env = aec.env()
    rng = np.random.default_rng(2)
    outcomes = set()
    for seed in range(12):
        env.reset(seed=seed)
        total = play(env, rng)
        assert sum(total.values()) == 0
        outcomes.add(total["seat_a"])
    assert {1.0, -1.0} <= outcomes


def test_only_the_asked_seat_has_a_mask():
    env = aec.env()
    env.reset(seed=3)
    asked = env.agent_selection
    (other,) = set(env.possible_agents) - {asked}
    assert env.observe(asked)["action_mask"].any()
    assert not env.observe(other)["action_mask"].any()


def test_an_illegal_code_loses_with_guards_and_is_refused_without():
    env = aec.env()
    env.reset(seed=4)
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])
    env.step(illegal)
    assert env.rewards[agent] == -1
    assert env.terminations[agent]

    bare = aec.raw_env()
    bare.reset(seed=4)
    before = bare.match.matches.copy()
    with pytest.raises(InputError, match="not legal"):
        bare.step(illegal)
    assert (bare.match.matches == before).all()


def test_given_decks_and_formats_are_played(pool):
    decks = random_decks(pool, 2, seed=5)
    env = aec.raw_env(decks=decks, format={"board": (5, 5), "muster": 0})
    env.reset(seed=6)
    assert env.match.state["width"] == 5
    houses = [pool.cards[int(env.match.state["ident"][copy])].id for copy in (0, 66)]
    assert houses == [deck.house for deck in decks]


def test_an_unknown_format_key_is_an_error_with_the_nearest_name():
    with pytest.raises(InputError, match="hero_level"):
        aec.env(format={"herolevel": 4})


def test_a_rendered_match_names_the_asked_hero():
    env = aec.env(render_mode="ansi")
    env.reset(seed=7)
    assert "is asked" in env.render()


def test_the_gymnasium_environment_passes_the_checker():
    env = gymnasium.make("apotheosis.env.gym_env:apotheosis/Arena-v0").unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("seat", ["a", "b", "random"])
def test_a_match_against_a_bot_ends_with_its_result(seat):
    env = gym_env.ArenaEnv(opponent="random", seat=seat)
    rng = np.random.default_rng(8)
    for seed in range(4):
        _, info = env.reset(seed=seed)
        terminated, total = False, 0.0
        while not terminated:
            assert (info["action_mask"].astype(bool) == env.action_masks()).all()
            _, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            total += reward
            assert not truncated
        won = {"win_a": 1.0, "win_b": -1.0}.get(info["outcome"], 0.0)
        assert total == (won if env.seat == 0 else -won)


def test_shaping_adds_the_change_of_the_hp_margin():
    rng = np.random.default_rng(9)
    env = gym_env.ArenaEnv(opponent="random", shaping=0.5)
    _, info = env.reset(seed=1)
    terminated, total = False, 0.0
    while not terminated:
        _, reward, terminated, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        total += reward
    won = {"win_a": 1.0, "win_b": -1.0}.get(info["outcome"], 0.0) * (1 if env.seat == 0 else -1)
    assert total == pytest.approx(won + 0.5 * gym_env.hp_margin(env.match, env.seat))


def test_an_illegal_code_ends_a_gymnasium_match_as_lost():
    env = gym_env.ArenaEnv(opponent="random")
    _, info = env.reset(seed=2)
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(ResetNeeded):
        env.step(int(np.flatnonzero(info["action_mask"])[0]))
    _, info = env.reset(seed=2)
    assert not env.step(int(np.flatnonzero(info["action_mask"])[0]))[2]


def test_a_gymnasium_match_that_is_over_takes_no_step():
    env = gym_env.ArenaEnv(opponent="random")
    _, info = env.reset(seed=3)
    over = False
    while not over:
        _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)


def test_a_callable_opponent_gets_what_its_seat_sees():
    asked = []

    def first(observation, mask, rng):
        asked.append(observation["match"].copy())
        assert mask.shape == (int(Act.SIZE),)
        return int(np.flatnonzero(mask)[0])

    env = gym_env.ArenaEnv(opponent=first, seat="b")
    _, info = env.reset(seed=3)
    for _ in range(20):
        _, _, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        if terminated:
            break
    assert asked
    assert all(row[1] == 0 for row in asked)


def test_the_same_seed_gives_the_same_match():
    def trace():
        env = gym_env.ArenaEnv(opponent="greedy")
        rng = np.random.default_rng(10)
        observation, info = env.reset(seed=11)
        rows = [observation["chars"].copy()]
        for _ in range(60):
            observation, _, terminated, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            rows.append(observation["chars"].copy())
            if terminated:
                break
        return rows

    for one, other in zip(trace(), trace(), strict=True):
        np.testing.assert_array_equal(one, other)
