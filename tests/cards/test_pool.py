"""The pool gives names their numbers and the kernel its record."""

import numpy as np
import pytest

from apotheosis.env.cards.loader import check_card
from apotheosis.env.cards.pool import REQUIRE_KNOWLEDGE, REQUIRE_SUIT, REQUIRE_TAG, make_pool, requirement_code
from apotheosis.env.cards.schema import Companion
from apotheosis.env.errors import InputError
from apotheosis.env.rules.codes import Trait
from apotheosis.env.vocabulary import Colour, Knowledge, Lignum, Path, RangeType, Rarity, Suit


def card(**fields):
    built, errors = check_card({"level": 1, "rarity": "Common", **fields}, lambda path: "here")
    assert built is not None, errors
    return built


HAIR_RAISED = {"q": "attr.AGI", "add": 1}


def row_of(*cards, index=0):
    return make_pool(list(cards)).record[0]["card"][index]


def test_stats_of_a_weapon():
    row = row_of(
        card(
            id="Axe",
            suit="Item",
            level=2,
            rarity="Rare",
            knowledge="Athletics",
            action=3,
            price=12,
            vest=True,
            feet=True,
            damage={"attribute": "STR", "constant": 4, "dice": "2D3"},
            range={"type": "Arcing", "attribute": "PER", "constant": 1},
            attributes_bonus={"AGI": -1},
            equipment_slots_bonus=1,
            inventory_slots_bonus=2,
        )
    )
    assert (row["suit"], row["level"], row["rarity"], row["action"]) == (Suit.Item, 2, Rarity.Rare, 3)
    assert (row["value"], row["score"]) == (12, 7)
    assert row["knowledges"] == 1 << Knowledge.Athletics
    assert (row["has_damage"], row["damage_attr"], row["damage_const"]) == (1, 1, 4)
    assert (row["dice_n"], row["dice_sides"]) == (2, 3)
    assert (row["range_type"], row["range_attr"], row["range_const"]) == (RangeType.Arcing, 3, 1)
    assert row["bonus"].tolist() == [0, 0, -1, 0, 0, 0, 0]
    assert (row["slots"].tolist(), row["inventory"]) == ([1, 0, 0], 2)
    assert row["traits"] & 31 == Trait.VEST | Trait.FEET


def test_a_card_without_an_activation_bar_has_no_damage_and_no_attributes():
    row = row_of(card(id="Coat", suit="Item"))
    assert (row["has_damage"], row["damage_attr"], row["range_attr"]) == (0, -1, -1)
    assert row["knowledges"] == 1 << Knowledge.Free


def test_knowledges_of_a_class_are_grants_and_free_is_none():
    row = row_of(card(id="Sage", suit="Class", path="Moon", knowledges=["Faith", "Free", "Faith"], memento_slots=2))
    assert row["grants"].tolist() == [Knowledge.Faith, -1, Knowledge.Faith]
    assert row["path"] == Path.Moon
    assert row["slots"].tolist() == [0, 2, 0]
    assert row["knowledges"] == 0


def test_any_of_several_knowledges_will_do():
    row = row_of(card(id="Hymn", suit="Skill", knowledge="Faith", knowledges=["Faith", "Art"]))
    assert row["knowledges"] == 1 << Knowledge.Faith | 1 << Knowledge.Art


def test_essence_takes_the_colour_of_its_lignum():
    row = row_of(card(id="Ice", suit="Skill", essence=2, lignum="SilverIce"))
    assert (row["essence"], row["lignum"], row["colour"]) == (2, Lignum.SilverIce, Colour.Blue)


def test_value_follows_the_level_where_no_price_is_printed():
    cards = [card(id=f"E{level}", suit="Event", level=level) for level in (1, 2, 3)]
    record = make_pool(cards).record[0]
    assert [int(row["value"]) for row in record["card"][:3]] == [1, 5, 10]


def test_ultimatum_collegium_and_placeable_events_are_known_by_their_traits():
    ultimatum = card(id="U", suit="Skill", level=3, action=9)
    collegium = card(id="C", suit="House", level=3)
    event = card(id="E", suit="Event", effects=[{"text": "x", "keywords": ["Scope.Table"]}])
    typed = card(id="F", suit="Event", effects=[{"activation": "Permanent", "scopes": ["Table"], "mods": [HAIR_RAISED]}])
    plain = card(id="G", suit="Event")
    rows = make_pool([ultimatum, collegium, event, typed, plain]).record[0]["card"]
    expected = [Trait.ULTIMATUM, Trait.COLLEGIUM, Trait.FROM_TABLE, Trait.FROM_TABLE, 0]
    assert [int(row["traits"]) for row in rows[:5]] == expected


def test_paragraph_keywords_count_as_tags_and_traits():
    mount = card(id="M", suit="Companion", companion_type="Creature", effects=[{"text": "<e>MONTARIA</> x. <e>VOADOR</> y."}])
    pool = make_pool([mount, card(id="F", suit="Item", tags=["Flying"])])
    rows = pool.record[0]["card"]
    assert rows[0]["traits"] == Trait.MOUNT
    assert pool.tag_bit("Flying") >= 0
    assert rows[0]["tags"][0] & rows[1]["tags"][0] & (1 << pool.tag_bit("Flying"))


def test_a_tag_has_one_bit_in_all_its_spellings():
    cards = [card(id=f"I{n}", suit="Item", tags=[tag]) for n, tag in enumerate(["Trevas", "Dark", "Silver Ice"])]
    pool = make_pool(cards)
    assert pool.tag_bit("TREVAS") == pool.tag_bit("dark") >= 0
    assert pool.tag_bit("SilverIce") == pool.tag_bit("Silver Ice") >= 0
    assert pool.tag_bit("NeverSeen") == -1
    rows = pool.record[0]["card"]
    assert rows[0]["tags"].tolist() == rows[1]["tags"].tolist() != rows[2]["tags"].tolist()


def test_tag_bits_beyond_the_first_word_are_stored():
    cards = [card(id=f"I{n}", suit="Item", tags=[f"T{n}"]) for n in range(200)]
    pool = make_pool(cards)
    for number in range(200):
        bit = pool.tag_bit(f"T{number}")
        words = pool.record[0]["card"][number]["tags"]
        assert words[bit >> 6] >> (bit & 63) & 1
        assert sum(int(word).bit_count() for word in words.view(np.uint64)) == 1


def test_technique_rows_carry_requirements_as_codes():
    knight = card(
        id="K",
        suit="Companion",
        companion_type="Human",
        techniques=[
            {"action": 2, "requirement": ["Event", "Faith", "Forge"], "damage": {"attribute": "AGI", "dice": "1D6"}},
            {"action": 0},
        ],
    )
    pool = make_pool([card(id="A", suit="Item"), knight])
    record = pool.record[0]
    assert (record["card"][1]["technique_first"], record["card"][1]["technique_n"]) == (0, 2)
    first, second = record["technique"][:2]
    assert (first["card"], first["action"], first["requires_n"], first["damage_attr"]) == (1, 2, 3, 2)
    expected = [REQUIRE_SUIT + Suit.Event, REQUIRE_KNOWLEDGE + Knowledge.Faith, REQUIRE_TAG + pool.tag_bit("Forge")]
    assert first["requires"].tolist() == [*expected, -1, -1, -1]
    assert (second["requires_n"], second["has_damage"], second["effect"]) == (0, 0, -1)
    assert requirement_code(pool, "NoSuchTag") == -1


def test_an_unknown_card_is_named_with_the_nearest_id(starter):
    with pytest.raises(InputError, match="did you mean 'OakCudgel'"):
        starter.card("OakCudgle")


def test_an_id_twice_is_refused():
    with pytest.raises(InputError, match="card A: the id appears twice"):
        make_pool([card(id="A", suit="Item"), card(id="A", suit="Event")])


def test_the_hash_depends_on_what_the_cards_say_and_on_nothing_else(starter):
    same = make_pool(list(starter.cards), "elsewhere")
    first = starter.cards[0]
    changed = make_pool([first.model_copy(update={"level": 2}), *starter.cards[1:]])
    assert same.hash == starter.hash != changed.hash


def test_the_database_fills_the_record(database):
    record = database.record[0]
    assert record["cards"] == len(database) == 895
    printed = sum(len(card.techniques) for card in database.cards if isinstance(card, Companion))
    # behind the printed ones: what Companions do in their own turn, and those of created pieces
    assert record["techniques"] >= printed == 155
    houses = [number for number, entry in enumerate(database.cards) if entry.suit_code == Suit.House]
    for number in houses:
        assert record["card"][number]["attributes"].tolist() == database.cards[number].attributes.row()
