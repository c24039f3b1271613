"""A broken card file gives one clear message that says where, and is refused before anything is built from it."""

import json
import os
import random

import pytest

from apotheosis.env.cards.files import MAX_BYTES
from apotheosis.env.cards.json_file import NotMapped, from_json, to_json
from apotheosis.env.cards.loader import check_card, load_cards
from apotheosis.env.cards.yaml_file import authored
from apotheosis.env.errors import InputError

CARD = {"Id": "A", "Name": "A", "Suit": "Item", "Level": 1, "Rarity": "Common"}
GOOD = "- {id: A, suit: Item, level: 1, rarity: Common}\n"


def text_effect(text: str) -> dict[str, object]:
    return {**CARD, "Effects": [{"Name": "", "Keywords": "(GameplayTags=)", "Requirements": [], "Text": text}]}


def json_bytes(*cards: object) -> bytes:
    return json.dumps(list(cards), ensure_ascii=False).encode()


BROKEN_JSON = {
    "truncated": (json_bytes(CARD)[:-12], "truncated"),
    "truncated in a word": (json_bytes(CARD)[:20], "this is not JSON"),
    "UTF-16 cut in half a character": (b"\xff\xfe" + "[]".encode("utf-16-le")[:-1], "truncated"),
    "UTF-16 without a mark": (json_bytes(CARD).decode().encode("utf-16-le"), "zero bytes"),
    "Latin-1": (json_bytes({**CARD, "Name": "Ação"}).decode().encode("latin-1"), "cannot be read as UTF-8"),
    "empty": (b"", "the file is empty"),
    "only a mark": (b"\xef\xbb\xbf", "the file is empty"),
    "random bytes": (bytes(range(128, 256)) * 100, "cannot be read as UTF-8"),
    "an object instead of a list": (b"{}", "holds a list of cards"),
    "a list of numbers": (b"[1, 2]", "a card must be a mapping"),
    "nested without end": (b"[" * 200_000, "nested too deep"),
    "an endless number": (b'[{"Id": 1' + b"0" * 5000 + b"}]", "not a card file"),
    "not a number": (json_bytes(CARD).replace(b'"Level": 1', b'"Level": NaN'), "NaN is not a number"),
    "duplicate ids": (json_bytes(CARD, CARD), "card A: the id is already used at"),
    "a key twice": (b'[{"Id": "A", "Id": "B"}]', "the key 'Id' appears twice"),
    "negative level": (json_bytes({**CARD, "Level": -1}), "'level' must be at least 1, got -1"),
    "level 4": (json_bytes({**CARD, "Level": 4}), "'level' must be at most 3, got 4"),
    "level as text": (json_bytes({**CARD, "Level": "2"}), "'level' must be a whole number, got '2'"),
    "unknown rarity": (json_bytes({**CARD, "Rarity": "Comon"}), "unknown rarity 'Comon'; allowed: Common"),
    "unknown suit": (json_bytes({**CARD, "Suit": "Itm"}), "'Suit' must be one of House"),
    "unknown knowledge": (json_bytes({**CARD, "Knowledge": "Arcana"}), "did you mean 'Arcane'?"),
    "unknown dice": (
        json_bytes({**CARD, "Damage": {"Attribute": "None", "Constant": 0, "Dice": "D_1D8"}}),
        "unknown dice '1D8'",
    ),
    "a missing id": (json_bytes({"Suit": "Item", "Level": 1, "Rarity": "Common"}), "the key 'id' is missing"),
    "an id with spaces": (json_bytes({**CARD, "Id": "two words"}), "'id' must match"),
    "unclosed markup": (json_bytes(text_effect("<b>bold")), "markup tag(s) are not closed"),
    "markup closed twice": (json_bytes(text_effect("<b>bold</></>")), "closes nothing"),
    "markup closed by a name": (json_bytes(text_effect("<b>bold</b>")), "spans end with '</>'"),
    "an unclosed macro": (json_bytes(text_effect("+1 de {DMG")), "'{' is not closed"),
    "half a character": (b'[{"Id": "A\\ud800"}]', "holds half a character"),
    "an endless fraction": (json_bytes(CARD).replace(b'"Level": 1', b'"Level": 1e999'), "1e999 is too large a number"),
    "a suit in a list": (json_bytes({**CARD, "Suit": ["Item"]}), "card A: 'Suit' must be one of House"),
    "a rarity in a list": (json_bytes({**CARD, "Rarity": ["Common"]}), "expected the name of a rarity, got ['Common']"),
    "a damage of wrong types": (
        json_bytes({**CARD, "Damage": {"Attribute": ["x"], "Constant": "1", "Dice": 5}}),
        "expected the name of a attribute, got ['x']",
    ),
    "a range of wrong types": (
        json_bytes({**CARD, "Range": {"Type": {}, "Attribute": [], "Constant": {}}}),
        "expected the name of a range type, got {}",
    ),
    "an effect that is nothing": (json_bytes({**CARD, "Effects": [None]}), "effect 0 must be a mapping, got 'None'"),
    "a text that is a number": (json_bytes({**CARD, "Effects": [{"Text": 5}]}), "'text' must be text, got 5"),
    "markup without end": (json_bytes(text_effect("<b>" * 200_000)), "200000 markup tag(s) are not closed"),
    "two marks": (b"\xef\xbb\xbf\xef\xbb\xbf[]", "this is not JSON"),
    "UTF-32": ("[]".encode("utf-32"), "zero bytes"),
    "a zero byte far in": (json_bytes({**CARD, "Name": "x" * 5000 + "\0"}).replace(b"\\u0000", b"\0"), "this is not JSON"),
    "cards without end": (b"[" + b"{}," * 5000 + b"{}]", "a file holds at most 4096 cards, this one has 5001"),
    "keywords in another form": (
        json_bytes({**CARD, "Effects": [{"Keywords": "Auto", "Text": "x"}]}),
        "'Keywords' must look like",
    ),
}

BROKEN_YAML = {
    "unknown key": (GOOD.replace("level", "levle"), "f.yaml:1: card A: "),
    "anchors that refer to each other": ("- &a {id: A, effects: *a}\n", "anchors are not allowed"),
    "aliases that multiply": ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "anchors are not allowed"),
    "a Python object": ("- !!python/object:os.system {}\n", "tags are not allowed"),
    "a key twice": ("- {id: A, suit: Item, level: 1, level: 2, rarity: Common}\n", "the key 'level' appears twice"),
    "an open bracket": ("- {id: A, suit: Item\n", "this is not YAML"),
    "nested without end": ("[" * 5000, "nested more than"),
    "two documents": ("--- []\n--- []\n", "a second one starts"),
    "a lone word": ("cards\n", "a card file holds a list of cards"),
    "a wrong top key": ("card: []\n", "unknown key 'card'; allowed: cards"),
    "duplicate ids": (GOOD + GOOD, "f.yaml:2: card A: the id is already used at"),
    "control characters": ("- \x01\n", "this is not YAML"),
    "a tab": ("- id: A\n\tsuit: Item\n", "f.yaml:2: this is not YAML"),
    "a House's slots on an Item": (GOOD.replace("}", ", memento_slots: 1}"), "did you mean 'memento_slots_bonus'?"),
    "a fraction": (GOOD.replace("1", "1.5"), "'level' must be a whole number, got 1.5"),
    "half a character": ('- {id: A, name: "A\\ud800"}\n', "f.yaml:1: a text holds half a character"),
    "a suit in a list": ("- {id: A, suit: [Item], level: 1, rarity: Common}\n", "card A: unknown suit \"['Item']\""),
    "a key that is a number": (GOOD.replace("}", ", 5: x}"), "f.yaml:1: card A: the key 5 must be a word"),
    "a key that is a list": ("- {id: A, ? [1, 2] : 3}\n", "f.yaml:1: a key must be a word or a number"),
    "a key twice deep in an effect": (
        GOOD.replace("}", ", effects: [{activation: Permanent, mods: [{q: attr.STR, add: 1, add: 2}]}]}"),
        "f.yaml:1: the key 'add' appears twice",
    ),
    "a mapping for an amount": (
        GOOD.replace("}", ", effects: [{activation: Activate, do: [{op: heal, to: self, n: {a: b}}]}]}"),
        "f.yaml:1: card A: 'n': expected an amount",
    ),
    "an amount without end": (
        GOOD.replace("}", ", effects: [{activation: Activate, do: [{op: heal, to: self, n: " + "half(" * 9000 + "}]}]}"),
        "f.yaml:1: card A: 'n': 'half(",
    ),
    "a zero byte": (GOOD + " " * 5000 + "# \0\n", "f.yaml:2: this is not YAML"),
    "another version": ("%YAML 9.9\n---\n- {}\n", "f.yaml:1: this is not YAML"),
    "merged cards": ("- &a {id: A}\n- {<<: *a}\n", "anchors are not allowed"),
    "a card without a list": ("id: A\nsuit: Item\n", "f.yaml:1: a card file is a list: the first line of each card begins"),
    "an effect as text": (GOOD.replace("}", ", effects: [draw a card]}"), "f.yaml:1: card A: an effect is a mapping with"),
    "a list for a card": ("- [id, A]\n", "a card must be a mapping"),
    "only a comment": ("# nothing\n", "the document is empty"),
    "cards without end": ("- {}\n" * 100_000, "f.yaml:4097: a list has at most 4096 entries"),
    "keys without end": ("- id: A\n" + "".join(f"  k{n}: 1\n" for n in range(90_000)), "f.yaml:4097: one entry has more than"),
    "a tab in place of spaces": ("- id: A\n\tsuit: Item\n", "never with tabs"),
    "a line too far in": ("- id: A\n    suit: Item\n", "is the line indented like its neighbours"),
    "a line too far out": ("- id: A\n  suit: Item\n level: 1\n", "is the line indented like its neighbours"),
    "an unknown operation": (
        GOOD.replace("}", ", effects: [{activation: Activate, do: [{op: explode, to: self}]}]}"),
        "f.yaml:1: card A: unknown op 'explode'; allowed: ",
    ),
    "a fault of an effect further down": (
        "- id: A\n  suit: Item\n  level: 1\n  rarity: Common\n  effects:\n  - activation: Activate\n    do: []\n",
        "f.yaml:6: card A: ",
    ),
    "a missing suit": ("- {id: A, level: 1}\n", "card A: the key 'suit' is missing"),
}


@pytest.mark.parametrize("name", BROKEN_JSON)
def test_broken_database_is_refused_with_one_message(name, tmp_path):
    data, message = BROKEN_JSON[name]
    file = tmp_path / "cards.json"
    file.write_bytes(data)
    with pytest.raises(InputError) as error:
        load_cards(file)
    assert message in error.value.message
    assert str(error.value).startswith(str(file))


@pytest.mark.parametrize("name", BROKEN_YAML)
def test_broken_card_file_is_refused_with_one_message(name, tmp_path, monkeypatch):
    text, message = BROKEN_YAML[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_cards("f.yaml")
    assert message in str(error.value)
    assert str(error.value).startswith("f.yaml")


def test_fifty_megabytes_are_refused_unread(tmp_path):
    file = tmp_path / "cards.json"
    with file.open("wb") as stream:
        stream.truncate(50 * 1024 * 1024)
    with pytest.raises(InputError, match=f"at most {MAX_BYTES} are read"):
        load_cards(file)


def test_a_missing_file_a_folder_without_cards_and_another_suffix_are_named(tmp_path):
    with pytest.raises(InputError, match="there is no such file"):
        load_cards(tmp_path / "none.yaml")
    with pytest.raises(InputError, match="the folder holds no card file"):
        load_cards(tmp_path)
    (tmp_path / "cards.csv").write_text("id\n")
    with pytest.raises(InputError, match=r"card files end in \.yaml"):
        load_cards(tmp_path / "cards.csv")


def test_further_faults_are_counted(tmp_path):
    file = tmp_path / "cards.yaml"
    file.write_text("- {id: A, suit: Item, level: 0, rarity: Comon}\n- {id: B, suit: Item, level: 9, rarity: Common}\n")
    with pytest.raises(InputError, match=r"card A: 'level' must be at least 1, got 0 \(and 2 more faults\)"):
        load_cards(file)


def test_messages_point_at_the_line_of_the_value(tmp_path):
    file = tmp_path / "cards.yaml"
    file.write_text("- id: A\n  suit: Item\n  level: 1\n  rarity: Common\n  damage:\n    attribute: STRENGTH\n")
    with pytest.raises(InputError, match=r"cards\.yaml:6: card A: .*unknown attribute 'STRENGTH'"):
        load_cards(file)


def test_messages_point_at_the_line_of_the_card_in_the_database(tmp_path):
    file = tmp_path / "cards.json"
    file.write_text(json.dumps([CARD, {**CARD, "Id": "B", "Level": 7}], indent="\t"))
    with pytest.raises(InputError, match=r"cards\.json:9: card B: 'level' must be at most 3"):
        load_cards(file)


def test_an_id_without_end_is_shortened_in_the_message(tmp_path):
    file = tmp_path / "cards.yaml"
    file.write_text("- {id: " + "A" * 500_000 + "}\n")
    with pytest.raises(InputError, match=r"card A{30}\.\.\.A{30}: the key 'suit' is missing") as error:
        load_cards(file)
    assert len(str(error.value)) < 300 + len(str(file))


def test_what_is_no_plain_file_is_refused(tmp_path):
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    for name, message in (("loop.yaml", "cannot be read"), ("pipe.yaml", "this is a pipe or a device")):
        with pytest.raises(InputError, match=message):
            load_cards(tmp_path / name)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner.yaml").mkdir()
    with pytest.raises(InputError, match="this is a folder"):
        load_cards(tmp_path / "folder")


JUNK = [
    [], {}, None, 5, -1, True, "x", "", 1.5, [[]], [None], {"a": 1}, {"op": "heal"}, ["STR"], {"chars": []}, 10**30, ["self"],
    {"any": [{}]}, {"1": 2}, [{}], {"eq": [1]}, {"count": {"cards": []}},
]  # fmt: skip


def places(value, path=()):
    yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], (*path, key))


def spoilt(value, path, junk):
    """A copy of a plain value in which one place holds something else."""
    if not path:
        return junk
    inner = spoilt(value[path[0]], path[1:], junk)
    return {**value, path[0]: inner} if isinstance(value, dict) else [*value[: path[0]], inner, *value[path[0] + 1 :]]


def test_no_value_in_a_wrong_place_is_more_than_a_fault(starter):
    chance = random.Random(8)
    cards = [authored(card) for card in starter.cards]
    for _ in range(1500):
        card = chance.choice(cards)
        wrong = spoilt(card, chance.choice(list(places(card))), chance.choice(JUNK))
        assert all(len(fault.message) < 900 for fault in check_card(wrong, lambda path: "f")[1])


def test_no_value_in_a_wrong_place_of_the_database_is_more_than_a_fault(starter):
    chance = random.Random(9)
    bare = [to_json(card.model_copy(update={"effects": []})) for card in starter.cards]
    cards = [{**card, "Effects": text_effect("+1")["Effects"]} for card in bare]
    for _ in range(1500):
        card = chance.choice(cards)
        try:
            plain = from_json(spoilt(card, chance.choice(list(places(card))), chance.choice(JUNK)))
        except NotMapped:
            continue
        check_card(plain, lambda path: "f")
