"""Observations say what a seat may know, and nothing else (ARENA A8)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apotheosis.env import observe
from apotheosis.env.rules.codes import Act, Decision, Flag, Phase, Zone
from apotheosis.env.rules.layout import COPIES, DECK_SLOT, HEROES
from apotheosis.env.rules.tokens import CARD_ROWS, CardField, CharField, MatchField, Sight, TileField
from apotheosis.env.vocabulary import Attribute

seeds = st.integers(0, 2**32 - 1)
moves = st.integers(0, 120)


def assert_equal(one, other):
    for name in observe.SHAPES:
        np.testing.assert_array_equal(one[name], other[name], name)


def unseen(match, seat):
    """Returns copies of the other side that the seat may not know: deck, hand, face-down cards, muster."""
    state = match.state
    copies = []
    for copy in range(HEROES * COPIES):
        if state["ident"][copy] < 0 or state["team"][copy // COPIES] == seat:
            continue
        zone, flags = state["zone"][copy], int(state["flags"][copy])
        hidden_hand = zone == Zone.HAND and not flags & Flag.REVEALED
        if zone == Zone.DECK or hidden_hand or flags & (Flag.FACE_DOWN | Flag.MUSTERED):
            copies.append(copy)
    return copies


def test_arrays_have_the_documented_shapes(deal):
    match = deal(1, 40)
    seen = observe.observe(match)
    assert {name: array.shape for name, array in seen.items()} == observe.SHAPES
    assert all(array.dtype == np.int16 for array in seen.values())
    assert observe.space().contains(seen)


@settings(max_examples=60)
@given(seed=seeds, moves=moves, seat=st.integers(0, 1), other=seeds)
def test_hidden_identities_and_orders_do_not_show(deal, seed, moves, seat, other):
    match = deal(seed, moves)
    twin = match.copy()
    rng = np.random.default_rng(other)
    state = twin.state
    cards = match.pool.record[0]["card"][: len(match.pool)]
    for copy in unseen(twin, seat):
        now, zone = cards[state["ident"][copy]], state["zone"][copy]
        if state["flags"][copy] & Flag.MUSTERED:
            continue
        same = (cards["suit"] == now["suit"]) & (cards["companion_type"] == now["companion_type"])
        choice = np.arange(len(cards)) if zone in (Zone.DECK, Zone.HAND) else np.flatnonzero(same)
        state["ident"][copy] = rng.choice(choice)
    for hero in range(int(state["heroes"])):
        n = int(state["deck_n"][hero])
        state["pile"][hero, :n] = rng.permutation(state["pile"][hero, :n])
    state["seed"] = rng.integers(2**32, size=5)
    assert_equal(observe.observe(match, seat), observe.observe(twin, seat))


@settings(max_examples=40)
@given(seed=seeds, picks=st.integers(0, 3), other=st.integers(0, 3))
def test_muster_choices_do_not_show_before_the_reveal(deal, seed, picks, other):
    def mustered(count):
        match = deal(seed)
        while not match.over and match.state["phase"] == Phase.SETUP:
            if match.decision == Decision.MUSTER and match.seat == 1:
                return match
            if match.decision == Decision.MUSTER and count:
                count -= 1
                match.apply(int(match.legal()[-1]))
            elif match.decision == Decision.MUSTER:
                match.apply(int(Act.PASS))
            else:
                match.apply(int(match.legal()[0]))
        return None

    one, two = mustered(picks), mustered(other)
    if one is None or two is None or one.state["deck_n"][0] != two.state["deck_n"][0]:
        return  # an effect of a mustered card has drawn cards, which everybody sees
    assert_equal(observe.observe(one, 1), observe.observe(two, 1))
    if one.state["table_n"][0] != two.state["table_n"][0]:
        assert not np.array_equal(observe.observe(one, 0)["cards"], observe.observe(two, 0)["cards"])


@settings(max_examples=40)
@given(seed=seeds, moves=moves)
def test_a_question_shows_to_the_asked_seat_alone(deal, seed, moves):
    match = deal(seed, moves)
    if match.over:
        return
    mine, theirs = observe.observe(match, match.seat)["match"], observe.observe(match, 1 - match.seat)["match"]
    assert mine[MatchField.DECISION] == match.decision
    assert mine[MatchField.ASKED] == match.asked
    assert theirs[MatchField.DECISION] == 0
    assert theirs[MatchField.ASKED] == -1
    assert (theirs[MatchField.DRAFT_KIND : MatchField.DRAFT_PAID] == -1).all()
    assert theirs[MatchField.FRAME] == 0


@settings(max_examples=40)
@given(seed=seeds, moves=moves)
def test_legal_card_codes_point_at_seen_rows_of_the_table(deal, seed, moves):
    match = deal(seed, moves)
    seen = observe.observe(match)
    for code in match.legal():
        if Act.CARD <= code < Act.TILE:
            assert seen["cards"][code - Act.CARD, CardField.SIGHT] != Sight.UNSEEN
        elif Act.TILE <= code < Act.CHAR:
            assert seen["tiles"][code - Act.TILE, TileField.OPEN] == 1
        elif Act.CHAR <= code < Act.NUMBER:
            assert seen["chars"][code - Act.CHAR, CharField.KIND] != 0


@settings(max_examples=30)
@given(seed=seeds, moves=moves, seat=st.integers(0, 1))
def test_every_own_card_has_its_row_and_its_identity(deal, seed, moves, seat):
    match = deal(seed, moves)
    state, rows = match.state, observe.observe(match, seat)["cards"]
    own = state["ident"][seat * COPIES : (seat + 1) * COPIES]
    np.testing.assert_array_equal(rows[:COPIES, CardField.CARD], own)
    np.testing.assert_array_equal(rows[:COPIES, CardField.ZONE][own >= 0], state["zone"][seat * COPIES :][:COPIES][own >= 0])


@settings(max_examples=30)
@given(seed=seeds, moves=moves, seat=st.integers(0, 1))
def test_public_cards_of_the_enemy_are_listed_once(deal, seed, moves, seat):
    match = deal(seed, moves)
    state, rows = match.state, observe.observe(match, seat)["cards"][COPIES:]
    enemy = 1 - seat
    public = [int(state["ident"][c]) for c in range(enemy * COPIES, (enemy + 1) * COPIES)
              if state["zone"][c] in (Zone.EQUIPMENT, Zone.MEMENTO, Zone.SUPPORT, Zone.DISCARD)
              and not int(state["flags"][c]) & (Flag.FACE_DOWN | Flag.MUSTERED)]  # fmt: skip
    zones = (Zone.EQUIPMENT, Zone.MEMENTO, Zone.SUPPORT, Zone.DISCARD)
    listed = rows[np.isin(rows[:, CardField.ZONE], zones) & (rows[:, CardField.SIGHT] == Sight.KNOWN)]
    assert sorted(listed[:, CardField.CARD]) == sorted(public)


def test_a_sleeping_entity_shows_its_presence_only(deal):
    copy = COPIES + DECK_SLOT - 1
    match = next(m for m in (deal(seed, 30) for seed in range(40)) if not m.over and m.state["ident"][copy] >= 0)
    assert match.state["flags"][copy] & Flag.FACE_DOWN
    own = observe.observe(match, 1)["cards"]
    theirs = observe.observe(match, 0)["cards"][COPIES:]
    assert own[DECK_SLOT - 1, CardField.CARD] == match.state["ident"][copy]
    hidden = theirs[(theirs[:, CardField.SIGHT] == Sight.PRESENT) & (theirs[:, CardField.ZONE] == Zone.SHEET)]
    assert len(hidden) == 1
    assert (hidden[0, CardField.SUIT :] == 0).all()
    assert hidden[0, CardField.CARD] == -1


def test_public_numbers_of_both_sides_show(deal):
    match = deal(5, 60)
    state = match.state
    for seat in (0, 1):
        chars = observe.observe(match, seat)["chars"]
        for hero in (0, 1):
            assert chars[hero, CharField.HP] == state["hp"][hero]
            assert chars[hero, CharField.AP] == state["ap"][hero]
            assert chars[hero, CharField.HAND] == state["hand_n"][hero]
            assert chars[hero, CharField.DECK] == state["deck_n"][hero]
            first = int(CharField.ATTRIBUTES)
            np.testing.assert_array_equal(chars[hero, first : first + len(Attribute)], state["attr"][hero])


@pytest.mark.parametrize("team_size", [2, 3])
def test_team_matches_fit_the_rows(deal, team_size):
    match = deal(3, 150, team_size=team_size)
    seen = observe.observe(match)
    hero = int(seen["match"][MatchField.HERO])
    assert seen["match"][MatchField.TEAM_SIZE] == team_size
    np.testing.assert_array_equal(
        seen["cards"][:COPIES, CardField.CARD], match.state["ident"][hero * COPIES : (hero + 1) * COPIES]
    )
    assert len(seen["cards"]) == CARD_ROWS


def test_many_observations_equal_single_ones(deal, pool):
    matches = [deal(seed, 50) for seed in range(6)]
    records = np.concatenate([match.matches for match in matches])
    seats = np.array([0, 1, 0, 1, 0, 1])
    batch = observe.observe_many(records, pool, seats)
    for i, match in enumerate(matches):
        assert_equal({name: array[i] for name, array in batch.items()}, observe.observe(match, int(seats[i])))


def test_the_schema_hash_is_stable_within_a_process_and_has_sixteen_digits():
    assert len(observe.schema_hash()) == 16
    assert int(observe.schema_hash(), 16) >= 0
    assert observe.schema()["actions"]["SIZE"] == Act.SIZE
