"""Every question that the engine asks (A5.2, A5.3, A5.4), the streams behind the dice (A3.1, R0.10), decks (A2.8, A2.10)."""

import numpy as np
import pytest

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.decks import starter_decks, violations
from apotheosis.env.cards.pool import Pool, load_pool
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Decision
from apotheosis.env.rules.layout import COPIES, DECK_SLOT


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


def opened(pool: Pool, lineups: np.ndarray, seeds: np.ndarray) -> list[list[int]]:
    """Returns the decks of both sides, as they lie once the opening hands are drawn."""
    match = Match(pool, lineups, seeds)
    while match.decision != Decision.MULLIGAN:
        match.apply(int(match.legal()[0]))
    return [[int(copy) for copy in match.state["pile"][hero][: match.state["deck_n"][hero]]] for hero in range(2)]


def test_a_shuffle_depends_on_its_own_stream_alone(pool: Pool) -> None:
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(5), 1)
    other_dice, other_shuffle = seeds[0].copy(), seeds[0].copy()
    other_dice[2:] += 1
    other_shuffle[0] += 1
    decks = opened(pool, lineups, seeds[0])
    assert opened(pool, lineups, other_dice) == decks
    changed = opened(pool, lineups, other_shuffle)
    assert changed[0] != decks[0]
    assert changed[1] == decks[1]


def test_one_card_replaced_leaves_the_order_of_the_others(pool: Pool) -> None:
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(6), 1)
    replaced = lineups.copy()
    slots = range(DECK_SLOT, COPIES)
    one, two = next((i, k) for i in slots for k in slots if lineups["cards"][0, 0, i] != lineups["cards"][0, 0, k])
    replaced["cards"][0, 0, one] = lineups["cards"][0, 0, two]
    assert opened(pool, replaced, seeds[0]) == opened(pool, lineups, seeds[0])


def test_copy_limits_are_for_each_hero_of_a_team(pool: Pool) -> None:
    deck = next(deck for deck in starter_decks() if deck.level == 7)
    before = deck.model_dump()
    assert violations(deck, pool, ArenaFormat(team_size=2)) == []
    assert violations(deck, pool, ArenaFormat(hero_level=4)) == violations(deck, pool, ArenaFormat(hero_level=4)) != []
    assert deck.model_dump() == before
    lineups, _ = Dealer(pool, ArenaFormat(team_size=2), [deck] * 4).deal(np.random.default_rng(1))
    assert (lineups["cards"][0, 0] == lineups["cards"][0, 2]).all()
