"""The search bot: by simulations or by time, decided by what its seat may know."""

from __future__ import annotations

import numpy as np
import pytest

from apotheosis.agents.base import Bot, make_bot
from apotheosis.agents.bots.duel import play_pairs
from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.errors import InputError
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Flag, Zone
from apotheosis.env.rules.layout import COPIES, HEROES
from apotheosis.env.vector import VectorArena


@pytest.fixture(scope="module")
def pool():
    return load_pool()


def begun(pool, seed, moves=0, **keys):
    rng = np.random.default_rng(seed)
    lineups, seeds = Dealer(pool, ArenaFormat.of(**keys)).deal(rng)
    match = Match(pool, lineups, seeds[0])
    for _ in range(moves):
        if not match.over:
            match.apply(match.choose("greedy"))
    return match


def test_answers_are_legal_and_the_match_is_not_changed(pool):
    bot = make_bot("search:20")
    assert isinstance(bot, Bot)
    for seed, team in ((1, 1), (2, 2)):
        match = begun(pool, seed, team_size=team)
        for _ in range(25):
            if match.over:
                break
            before = match.matches.copy()
            code = bot.act(match, match.mask(), np.random.default_rng(0))
            assert (match.matches == before).all()
            assert code in match.legal()
            match.apply(code)


def test_the_same_question_gets_the_same_answer_alone_and_among_others(pool):
    arena = VectorArena(6, pool, seed=3)
    bot = make_bot("search:30")
    rows = np.array([1, 4])
    together = bot.act_many(arena, rows, np.random.default_rng(0))
    alone = [bot.act_many(arena, rows[k : k + 1], np.random.default_rng(1))[0] for k in range(2)]
    np.testing.assert_array_equal(together, alone)


def test_hidden_cards_do_not_change_the_answer(pool):
    bot = make_bot("search:40")
    for seed in range(6):
        match = begun(pool, seed, moves=10 + 4 * seed)
        if match.over:
            continue
        twin = match.copy()
        state, rng = twin.state, np.random.default_rng(seed)
        for copy in range(HEROES * COPIES):
            if state["ident"][copy] < 0 or state["team"][copy // COPIES] == match.seat:
                continue
            unseen = state["zone"][copy] in (Zone.DECK, Zone.HAND) and not state["flags"][copy] & Flag.REVEALED
            if unseen:
                state["ident"][copy] = rng.integers(len(pool))
        for stream in (0, 1, 2, 4 - match.seat):
            state["seed"][stream] = rng.integers(2**32)
        answer = bot.act(match, match.mask(), rng)
        assert bot.act(twin, twin.mask(), rng) == answer


def test_search_beats_random_play(pool):
    scores = play_pairs(Dealer(pool, bank=40), make_bot("search:60"), make_bot("random"), 12, seed=4).mean(1)
    assert scores.mean() > 0.75


def test_a_time_limit_is_about_kept(pool):
    bot = make_bot("search:5ms")
    match = begun(pool, 5)
    rng = np.random.default_rng(0)
    for _ in range(5):
        code = bot.act(match, match.mask(), rng)
        assert code in match.legal()
        match.apply(code)


@pytest.mark.parametrize("name", ["search", "search:", "search:0", "search:fast", "search:10s", "search:-5"])
def test_other_arguments_are_refused(name):
    with pytest.raises(InputError, match="search:1000"):
        make_bot(name)
