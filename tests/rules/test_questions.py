"""What holds of every question that the engine asks, and of the streams behind the dice: A5.2 to A5.4, A3.1, R0.10, A2.8."""

import numpy as np
import pytest

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.decks import starter_decks, violations
from apotheosis.env.cards.pool import Pool, load_pool
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Decision, Zone
from apotheosis.env.rules.layout import COPIES


@pytest.fixture(scope="module")
def pool() -> Pool:
    return load_pool("starter")


def matches(pool: Pool, team_size: int, count: int, seed: int) -> list[Match]:
    lineups, seeds = Dealer(pool, ArenaFormat(team_size=team_size)).deal(np.random.default_rng(seed), count)
    return [Match(pool, lineups[row : row + 1], seeds[row]) for row in range(count)]


@pytest.mark.parametrize("team_size", [1, 2])
def test_no_question_has_a_single_answer(pool: Pool, team_size: int) -> None:
    rng = np.random.default_rng(team_size)
    for match in matches(pool, team_size, 6, 3):
        asked = set()
        while not match.over:
            asked.add(match.decision)
            assert len(match.legal()) > 1, match.decision
            assert len(set(match.legal())) == len(match.legal())
            match.apply(int(rng.choice(match.legal())))
        assert Decision.TURN in asked
        assert Decision.NONE not in asked


def test_the_canonical_answer_is_the_first_and_ends_a_match(pool: Pool) -> None:
    def played(match: Match) -> list[int]:
        codes = []
        while not match.over:
            codes.append(int(match.legal()[0]))
            match.apply(codes[-1])
        assert not match.fault
        return codes

    one, two = matches(pool, 1, 1, 4)[0], matches(pool, 1, 1, 4)[0]
    assert played(one) == played(two)


def test_other_dice_leave_the_shuffles_as_they_are(pool: Pool) -> None:
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(5), 1)
    changed = seeds[0].copy()
    changed[2:] += 1
    one, two = Match(pool, lineups, seeds[0]), Match(pool, lineups, changed)
    assert np.array_equal(one.state["pile"], two.state["pile"])
    changed[0] += 1
    other = Match(pool, lineups, changed)
    while one.state["deck_n"][0] == 0:
        for match in (one, other):
            match.apply(int(match.legal()[0]))
    assert not np.array_equal(one.state["pile"][0], other.state["pile"][0])
    assert np.array_equal(one.state["pile"][1], other.state["pile"][1])


def test_one_card_replaced_leaves_the_order_of_the_others(pool: Pool) -> None:
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(6), 1)
    changed = lineups.copy()
    changed["cards"][0, 0, 20] = changed["cards"][0, 0, 21]
    order = []
    for rows in (lineups, changed):
        match = Match(pool, rows, seeds[0])
        while match.decision != Decision.MULLIGAN:
            match.apply(int(match.legal()[0]))
        deck = [int(copy) for copy in match.state["pile"][0][: match.state["deck_n"][0]]]
        order.append(deck)
        assert all(match.state["zone"][copy] == Zone.DECK for copy in deck)
        assert all(copy < COPIES for copy in deck)
    assert order[0] == order[1]


def test_copy_limits_are_for_each_hero_of_a_team(pool: Pool) -> None:
    deck = next(deck for deck in starter_decks() if deck.level == 7)
    assert violations(deck, pool, ArenaFormat(team_size=2)) == []
    lineups, _ = Dealer(pool, ArenaFormat(team_size=2), [deck] * 4).deal(np.random.default_rng(1))
    assert (lineups["cards"][0, 0] == lineups["cards"][0, 2]).all()
