"""The starter set: every card keeps to the guide values of RULES R2, runs completely, and the set covers the game's lists."""

from collections import Counter

import pytest

from apotheosis.env.cards.decks import starter_decks
from apotheosis.env.cards.language.consistency import steps, walk
from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.cards.schema import Barred, Class, Companion, Entity, House, Item, Resource, Skill, usual_score
from apotheosis.env.vocabulary import Attribute, CompanionType, Knowledge, Path, RangeType, Rarity, Suit

CARDS = load_pool().cards
CLASS_KNOWLEDGES = {1: 2, 2: 2, 3: 3}
"""Knowledges that a Class of each level lists (R2.3.2)."""
AVERAGE_DICE = {"1D2": 1.9, "1D3": 2.4, "1D6": 3.9, "2D3": 4.4, "2D6": 7.4, "3D3": 6.4}
"""Mean of the dice, extra dice included (R10.9)."""
MOST_DAMAGE_PER_AP = {1: 2.4, 2: 3.0, 3: 4.6}
"""Mean DMG beside the attribute that one AP may buy, by level."""


def ids(card):
    return card.id


@pytest.mark.parametrize("card", CARDS, ids=ids)
def test_a_card_keeps_to_the_guide_values(card):
    assert card.name and card.name_pt, "names in both languages"
    assert card.score == usual_score(card.level, card.rarity)
    if isinstance(card, House):
        values = card.attributes.row()
        assert sum(values) == 28 and min(values) >= 2 and max(values) <= 6
        assert (card.equipment_slots, card.memento_slots, card.support_slots) == (3, 3, 0)
    elif isinstance(card, Class):
        assert sum(card.attributes.row()) == 2 * card.level
        assert len(card.knowledges) == CLASS_KNOWLEDGES[card.level]
        assert card.equipment_slots + card.memento_slots + card.support_slots == card.level + 1
        assert card.path not in (Path.Absent, Path.World)
    elif isinstance(card, Entity):
        values = card.attributes.row()
        assert sum(values) == 7 * card.level == 7 * card.order
        assert min(values) >= -3 and max(values) <= 4 * card.level
    elif isinstance(card, Companion):
        assert all(1 <= value <= 16 for value in card.attributes.row())
        assert card.techniques


@pytest.mark.parametrize("card", [card for card in CARDS if isinstance(card, Barred) and card.damage], ids=ids)
def test_damage_is_paid_for_in_action_points(card):
    dice = AVERAGE_DICE[card.damage.dice]
    attribute = 0 if card.damage.attribute is not None else 5
    assert card.range is not None
    assert 3 <= card.action <= 5
    assert (card.damage.constant + dice - attribute) / card.action <= MOST_DAMAGE_PER_AP[card.level]


@pytest.mark.parametrize("card", [card for card in CARDS if isinstance(card, Item)], ids=ids)
def test_an_item_has_a_price_and_materials(card):
    assert 1 <= card.price <= 16
    assert card.crafts
    assert 2 * card.level - 1 <= card.price or card.level == 1


@pytest.mark.parametrize("card", [card for card in CARDS if isinstance(card, Skill)], ids=ids)
def test_a_skill_supplies_energy_and_its_cost_grows_with_its_level(card):
    energy = card.stamina + card.mana + card.essence
    assert 1 <= energy <= 4
    assert not (card.essence and card.lignum is None)


def test_every_effect_of_the_set_runs(starter):
    for card, readings in zip(starter.cards, starter.readings, strict=True):
        for reading in readings:
            assert reading.status == "executable", (card.id, reading.index, reading.reason)


def test_the_set_covers_suits_levels_and_rarities():
    assert len(CARDS) >= 160
    assert {card.suit_code for card in CARDS} == set(Suit)
    assert {card.rarity for card in CARDS} == set(Rarity)
    for suit in (Suit.Class, Suit.Entity, Suit.Item, Suit.Skill, Suit.Companion, Suit.Event):
        assert {card.level for card in CARDS if card.suit_code == suit} == {1, 2, 3}
    assert {card.companion_type for card in CARDS if isinstance(card, Companion)} >= set(CompanionType) - {
        CompanionType.Absent,
        CompanionType.Watcher,
    }
    assert {card.range.type for card in CARDS if isinstance(card, Barred) and card.range} == set(RangeType)
    damage = {card.damage.attribute for card in CARDS if isinstance(card, Barred) and card.damage}
    assert {Attribute.STR, Attribute.AGI, Attribute.PER, Attribute.INT, Attribute.SPT} <= damage


def test_every_knowledge_of_a_class_has_cards_of_every_level_that_it_reaches():
    known = Counter((card.knowledge, card.level) for card in CARDS if isinstance(card, Resource))
    taught = {knowledge for card in CARDS if isinstance(card, Class) for knowledge in card.knowledges}
    assert len(taught) == 13
    for knowledge in taught:
        assert known[knowledge, 1] >= 2, Knowledge(knowledge).name
        assert known[knowledge, 2] >= 1, Knowledge(knowledge).name


def test_the_set_uses_much_of_the_language():
    effects = [effect for card in CARDS for effect in card.effects if isinstance(effect, TypedEffect)]
    opcodes = {step.op for effect in effects for step in steps(effect)}
    assert len(opcodes) >= 25
    assert {effect.activation.name for effect in effects} >= {"Activate", "Auto", "Permanent"}
    assert len({timing for effect in effects for timing in effect.timings}) >= 7
    assert len({limit for effect in effects for limit in effect.limits}) >= 4
    assert len({scope for effect in effects for scope in effect.scopes}) >= 3
    assert len({effect.task for effect in effects}) >= 5
    quantities = {part.q for effect in effects for part in walk([effect.mods, effect.do]) if hasattr(part, "q")}
    assert len(quantities) >= 15


def test_there_are_eight_plans_at_two_levels():
    decks = starter_decks()
    assert Counter(deck.level for deck in decks) == {4: 8, 7: 8}
    plans = {deck.name.rsplit(" ", 1)[0] for deck in decks}
    assert len(plans) == 8
    for level in (4, 7):
        houses = {(deck.house, *deck.classes) for deck in decks if deck.level == level}
        assert len(houses) == 8


def test_most_cards_are_in_a_ready_deck():
    used = {name for deck in starter_decks() for name in deck.ids()}
    assert len(used) >= 0.8 * len(CARDS)
