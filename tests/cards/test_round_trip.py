"""A card survives every way between cards.json, our YAML and the models."""

import json
import string

from hypothesis import given
from hypothesis import strategies as st

from apotheosis.env.cards.json_file import write_json
from apotheosis.env.cards.loader import load_cards
from apotheosis.env.cards.yaml_file import flow, plain, write_yaml
from apotheosis.env.cards.yaml_tree import parse_yaml

ITEM = {
    "Id": "Spade",
    "Name": "Pá",
    "Suit": "Item",
    "Level": 2,
    "Rarity": "Rare",
    "Tags": ["Silver Ice"],
    "Range": {"Type": "Direct", "Attribute": "None", "Constant": 2},
}


def through_yaml(cards, tmp_path):
    file = tmp_path / "cards.yaml"
    file.write_text(write_yaml(cards), encoding="utf-8", newline="")
    return load_cards(file)


def from_json_text(text, tmp_path, encoding="utf-8"):
    file = tmp_path / "cards.json"
    file.write_bytes(text.encode(encoding))
    return load_cards(file)


def test_the_whole_database_comes_back_byte_for_byte(database_file, tmp_path):
    text = database_file.read_bytes().decode("utf-8-sig")
    cards = load_cards(database_file)
    assert write_json(cards) == text
    assert write_json(through_yaml(cards, tmp_path)) == text


def test_the_database_reads_the_same_in_every_encoding(database_file, database, tmp_path):
    text = database_file.read_bytes().decode("utf-8-sig")
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert from_json_text(text, tmp_path, encoding) == list(database.cards)
    assert from_json_text("\ufeff" + text, tmp_path, "utf-16-be") == list(database.cards)


def test_keys_that_are_unknown_or_missing_come_back_as_they_were(tmp_path):
    raw = {**ITEM, "NewField": {"a": [1, None]}, "Opacity": 0.30000001192092896, "Knowledges": ["Faith", "Vital"]}
    cards = from_json_text(json.dumps([raw]), tmp_path)
    assert json.loads(write_json(cards)) == [raw]
    assert json.loads(write_json(through_yaml(cards, tmp_path))) == [raw]


def test_odd_spellings_of_the_database_come_back_as_they_were(tmp_path):
    entity = {"Id": "E", "Suit": "Entity", "Level": 1, "Rarity": "Common", "Order": "Spirit"}
    skill = {"Id": "S", "Suit": "Skill", "Level": 1, "Rarity": "Common", "Lignum": "GoldenFire"}
    no_dice = {**ITEM, "Damage": {"Attribute": "None", "Constant": 0, "Dice": "None"}}
    cards = from_json_text(json.dumps([entity, skill, no_dice]), tmp_path)
    assert json.loads(write_json(cards)) == [entity, skill, no_dice]


def test_the_starter_set_survives_writing(starter, tmp_path):
    assert through_yaml(list(starter.cards), tmp_path) == list(starter.cards)


def test_what_equals_its_default_is_not_written(tmp_path):
    (card,) = from_json_text(json.dumps([ITEM]), tmp_path)
    written = plain(card)
    assert written["range"] == {"type": "Direct", "constant": 2}
    assert "attributes_bonus" not in written
    assert "damage" not in written


words = st.one_of(
    st.text(max_size=12),
    st.text(string.printable, max_size=12),
    st.sampled_from(["null", "true", "on", "1", "1.5", "-", "- a", "a: b", "#x", "1D6", "~", "é ", " x", "0x1F", ".5"]),
)
values = st.recursive(
    st.one_of(words, st.integers(-(10**9), 10**9), st.booleans(), st.none(), st.floats(allow_nan=False, width=32)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(words, inner, max_size=4)),
    max_leaves=12,
)


@given(values)
def test_any_plain_value_survives_flow_style(value):
    text = "- " + flow(value) + "\n"
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    assert parse_yaml(text, "f").value == [value]
