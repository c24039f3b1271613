"""A broken card file gives one clear message that says where, and is refused before anything is built from it."""

import json

import pytest

from apotheosis.env.cards.files import MAX_BYTES
from apotheosis.env.cards.loader import load_cards
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
    "an unclosed macro": (json_bytes(text_effect("+1 de {DMG")), "'{' is not closed"),
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
