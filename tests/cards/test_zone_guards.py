"""Filters of cards carry the places where a card can pass at their head, and test no place twice."""

from apotheosis.env.cards.compiler.code import both, either, negated, number, same
from apotheosis.env.cards.compiler.reads import reads
from apotheosis.env.cards.compiler.zones import OWNERS, SUITS, ZONES, guarded
from apotheosis.env.rules.codes import Change, Zone
from apotheosis.env.rules.opcodes import OWN_BIT, SUIT_BIT, X, item_word
from apotheosis.env.vocabulary import Suit

IT = [(X.IT_CARD, 0)]
TAGGED = [*IT, (X.C_TAG, 3)]


def zone(place: Zone) -> list:
    return same([*IT, (X.C_ZONE, 0)], number(place))


def bits(*zones: Zone) -> int:
    return OWNERS | SUITS | sum(1 << place for place in zones)


OWN = same([*IT, (X.C_OWNER, 0)], [(X.SELF, 0), (X.OWNER_OF, 0)])
ITEM = same([*IT, (X.C_SUIT, 0)], number(Suit.Item))


def test_a_tested_zone_moves_to_the_head() -> None:
    assert guarded(both(zone(Zone.HAND), TAGGED)) == [(X.ZONES, bits(Zone.HAND)), *TAGGED]
    assert guarded(both(TAGGED, zone(Zone.HAND))) == [(X.ZONES, bits(Zone.HAND)), *TAGGED]


def test_one_of_several_zones_is_a_mask() -> None:
    places = either([zone(Zone.EQUIPMENT), zone(Zone.MEMENTO)])
    assert guarded(both(places, TAGGED)) == [(X.ZONES, bits(Zone.EQUIPMENT, Zone.MEMENTO)), *TAGGED]
    assert guarded(places) == [(X.ZONES, bits(Zone.EQUIPMENT, Zone.MEMENTO)), (X.PUSH, 1)]


def test_a_zone_inside_a_choice_or_a_negation_stays() -> None:
    choice = either([both(zone(Zone.HAND), TAGGED), zone(Zone.DISCARD)])
    found = guarded(choice)
    assert found[0] == (X.ZONES, bits(Zone.HAND, Zone.DISCARD))
    assert found[1:] == choice
    assert guarded(negated(zone(Zone.HAND))) == negated(zone(Zone.HAND))
    assert guarded(TAGGED) == TAGGED


def test_the_jump_over_the_rest_of_an_and_fits_what_is_left() -> None:
    rest = both(TAGGED, both(zone(Zone.HAND), same([*IT, (X.C_LEVEL, 0)], number(4))))
    found = guarded(rest)
    at = next(k for k, (op, _) in enumerate(found) if op == X.SKIP)
    assert found[at + found[at][1]][0] == X.AND
    assert found[at + found[at][1] + 1 :] == []


def test_your_own_and_a_suit_move_to_the_head_too() -> None:
    mine, items = ZONES | 1 << OWN_BIT | SUITS, ZONES | OWNERS | 1 << SUIT_BIT + Suit.Item
    assert guarded(both(OWN, TAGGED)) == [(X.ZONES, mine), *TAGGED]
    assert guarded(both(ITEM, TAGGED)) == [(X.ZONES, items), *TAGGED]
    assert guarded(both(zone(Zone.HAND), both(OWN, ITEM))) == [(X.ZONES, bits(Zone.HAND) & mine & items), (X.PUSH, 1)]


def test_a_choice_between_a_suit_and_a_zone_stays() -> None:
    choice = either([both(OWN, ITEM), both(OWN, zone(Zone.HAND))])
    found = guarded(choice)
    assert found[0] == (X.ZONES, ZONES | 1 << OWN_BIT | SUITS)
    assert [item for item in found if item[0] in (X.C_SUIT, X.C_ZONE)] == [(X.C_SUIT, 0), (X.C_ZONE, 0)]
    assert guarded(negated(OWN)) == negated(OWN)


def test_a_filter_on_the_table_reads_no_hands() -> None:
    def placed(value: list) -> list[int]:
        return [word for op, operand in [*value, (X.END, 0)] for word in (item_word(op), operand)]

    assert reads(placed(guarded(both(zone(Zone.EQUIPMENT), TAGGED))), 0) & Change.HAND == 0
    assert reads(placed(guarded(both(zone(Zone.DISCARD), TAGGED))), 0) & Change.HAND
    assert reads(placed(guarded(both(ITEM, TAGGED))), 0) & Change.HAND == 0
