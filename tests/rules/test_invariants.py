"""Random matches keep the record sound at every decision and end in a named outcome."""

import numpy as np
import pytest

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.pool import Pool, load_pool
from apotheosis.env.match import Match, play_batch
from apotheosis.env.rules.codes import Bot, Cause, Outcome
from apotheosis.env.rules.layout import CARDS, COPIES
from apotheosis.env.rules.zones import hero_of


@pytest.fixture(scope="module")
def pool() -> Pool:
    return load_pool("starter")


@pytest.mark.parametrize("profile", ["TENS", "UNITS", "DIRECT"])
@pytest.mark.parametrize("team_size", [1, 2, 3])
def test_random_matches_keep_the_record_sound(pool: Pool, profile: str, team_size: int) -> None:
    dealer = Dealer(pool, ArenaFormat(profile=profile, team_size=team_size))
    lineups, seeds = dealer.deal(np.random.default_rng(team_size), 150)
    bots = np.full((len(lineups), 2), int(Bot.RANDOM))
    result = play_batch(pool, lineups, seeds, bots, ledger=False, audit=True).matches
    assert set(result["fault"]) == {0}
    assert set(result["outcome"]) <= {Outcome.WIN_A, Outcome.WIN_B, Outcome.DRAW}
    assert set(result["cause"]) <= {Cause.ELIMINATION, Cause.STINT_LIMIT, Cause.NO_PROGRESS}
    assert (result["stints"] <= 20).all()


def test_same_seeds_same_matches(pool: Pool) -> None:
    dealer = Dealer(pool)
    lineups, seeds = dealer.deal(np.random.default_rng(5), 60)
    bots = np.tile([int(Bot.GREEDY), int(Bot.RANDOM)], (60, 1))
    first = play_batch(pool, lineups, seeds, bots).matches
    again = play_batch(pool, lineups[::-1], seeds[::-1], bots[::-1]).matches[::-1]
    for name in first.dtype.names:
        assert np.array_equal(first[name], again[name]), name


def test_the_two_matches_of_a_pair_differ(pool: Pool) -> None:
    dealer = Dealer(pool)
    lineups, seeds = dealer.deal(np.random.default_rng(6), 40)
    mirrored = lineups.copy()
    mirrored["cards"][:, 0], mirrored["cards"][:, 1] = lineups["cards"][:, 1], lineups["cards"][:, 0]
    bots = np.full((40, 2), int(Bot.RANDOM))
    one = play_batch(pool, lineups, seeds, bots, ledger=False).matches
    two = play_batch(pool, mirrored, seeds, bots, ledger=False).matches
    assert (one["state_hash"] != two["state_hash"]).sum() >= 39


def test_an_illegal_code_changes_no_byte(pool: Pool) -> None:
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(7), 1)
    match = Match(pool, lineups, seeds[0])
    rng = np.random.default_rng(8)
    for _ in range(60):
        if match.over:
            break
        legal = match.legal()
        before = match.matches.tobytes()
        for code in range(0, 414, 7):
            if code not in legal:
                with pytest.raises(Exception, match="not legal"):
                    match.apply(code)
        assert match.matches.tobytes() == before
        match.apply(int(rng.choice(legal)))


def test_every_copy_knows_its_hero() -> None:
    assert [hero_of(card) for card in range(-1, CARDS)] == [card // COPIES for card in range(-1, CARDS)]
