"""Deck validity: each rule of ARENA A2 is broken once, and named; with it R2.1.7, R2.2.3, R2.3.4 and the limits of R26.2."""

import pytest

from apotheosis.env.cards.decks import Deck, DeckRules, read_decks, violations, write_decks
from apotheosis.env.cards.lineup import deck_row
from apotheosis.env.cards.loader import DATA, check_card
from apotheosis.env.cards.pool import make_pool
from apotheosis.env.errors import InputError

SHEET = [
    {"id": "House", "suit": "House"},
    {"id": "Collegium", "suit": "House", "level": 3},
    {"id": "Sun", "suit": "Class", "level": 3, "path": "Sun"},
    {"id": "Sun2", "suit": "Class", "level": 3, "path": "Sun"},
    {"id": "Moon", "suit": "Class", "level": 3, "path": "Moon"},
    {"id": "Star", "suit": "Class", "level": 1, "path": "Star"},
    {"id": "World", "suit": "Class", "level": 3, "path": "World"},
    {"id": "Spirit", "suit": "Entity", "order": "Spirit"},
    {"id": "God", "suit": "Entity", "level": 3, "order": "God"},
]
RESOURCES = [
    *({"id": f"I{number}", "suit": "Item"} for number in range(10)),
    {"id": "Epic", "suit": "Item", "rarity": "Epic"},
    {"id": "Naval", "suit": "Item", "formats": ["NavalBattle"]},
    {"id": "Banned", "suit": "Item", "collection": "Proibida"},
    {"id": "Travel", "suit": "Event", "tags": ["Encounter"]},
    {"id": "Ambush", "suit": "Event", "effects": [{"text": "<e>COMBATE</> x"}]},
    {"id": "Ultimatum", "suit": "Skill", "level": 3, "action": 9},
    {"id": "Fool", "suit": "Companion", "companion_type": "Human", "tags": ["Silly"]},
]
CARDS = {f"I{number}": 3 for number in range(10)}


@pytest.fixture(scope="module")
def pool():
    found = [check_card({"level": 1, "rarity": "Common", **entry}, lambda path: "here") for entry in [*SHEET, *RESOURCES]]
    assert not any(errors for _, errors in found)
    return make_pool([card for card, _ in found if card is not None])


def deck(**changes):
    return Deck(**{"name": "d", "level": 4, "house": "House", "classes": ["Sun"], "cards": CARDS, **changes})


def ids(pool, rules=None, **changes):
    return [violation.rule for violation in violations(deck(**changes), pool, rules)]


def swap(**copies):
    cards = {name: count for name, count in CARDS.items() if name != "I9"}
    rest = 3 - sum(copies.values())
    return {**cards, **copies, **({"I9": rest} if rest else {})}


def test_a_legal_deck_breaks_nothing(pool):
    assert ids(pool) == []
    assert ids(pool, level=7, classes=["Sun", "Moon"], entity="Spirit") == []
    assert ids(pool, level=1, classes=[]) == []


BROKEN = {
    "no House": (["A2.1"], {"house": "Sun2"}),
    "a Collegium as House": (["A2.1"], {"house": "Collegium"}),
    "a Path twice": (["A2.2"], {"level": 7, "classes": ["Sun", "Sun2"]}),
    "the Path World": (["A2.2"], {"classes": ["World"]}),
    "an Item as Class": (["A2.2"], {"classes": ["Sun", "I0"], "level": 5}),
    "levels that do not add up": (["A2.2"], {"classes": ["Star"]}),
    "four Classes": (["A2.2", "A2.2"], {"level": 8, "classes": ["Sun", "Moon", "Star", "Sun2"]}),
    "a God too early": (["A2.3"], {"entity": "God"}),
    "a House as Entity": (["A2.3"], {"entity": "Collegium"}),
    "29 cards": (["A2.5"], {"cards": {**CARDS, "I9": 2}}),
    "a Class in the deck": (["A2.5"], {"cards": swap(Moon=1)}),
    "a card of another format": (["A2.5"], {"cards": swap(Naval=1)}),
    "a banned collection": (["A2.5"], {"cards": swap(Banned=1)}),
    "a travel Event": (["A2.5"], {"cards": swap(Travel=1)}),
    "a campaign combat": (["A2.5"], {"cards": swap(Ambush=1)}),
    "a Summus below level 8": (["A2.5"], {"cards": swap(Ultimatum=1)}),
    "four copies": (["A2.6"], {"cards": {**CARDS, "I8": 2, "I9": 4}}),
    "two copies of an Epic": (["A2.6"], {"cards": swap(Epic=2)}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_named(pool, name):
    rules, changes = BROKEN[name]
    level = changes.get("level", 4)
    assert (
        ids(pool, DeckRules(hero_level=8 if level == 8 else level if level in (4, 7) else 4), **changes)[: len(rules)] == rules
    )


def test_what_the_rules_allow_is_not_named(pool):
    assert ids(pool, cards=swap(Fool=3)) == []
    assert ids(pool, level=10, classes=["Sun", "Moon", "World"], cards=swap(Ultimatum=1)) == ["A2.2"]


def test_the_level_of_the_format_counts(pool):
    assert ids(pool, DeckRules(hero_level=7)) == ["A2.2"]
    assert ids(pool, DeckRules(hero_level=4, score_cap=36)) == []
    assert ids(pool, DeckRules(hero_level=4, score_cap=35)) == ["A2.5"]


def test_an_unknown_card_is_an_input_error(pool):
    with pytest.raises(InputError, match="deck d: unknown card 'Moom'.*did you mean 'Moon'"):
        ids(pool, classes=["Moom"])


def test_the_bundled_decks_are_legal(starter):
    decks = read_decks(DATA / "decks.yaml")
    assert {entry.level for entry in decks} == {4, 7}
    for entry in decks:
        assert violations(entry, starter) == [], entry.name


def test_written_decks_read_the_same(tmp_path):
    file = tmp_path / "deck.yaml"
    written = [deck(), deck(entity="Spirit", name="Não: é #1")]
    file.write_text(write_decks(written), encoding="utf-8")
    assert read_decks(file) == written


FAULTS = {
    "name: x\nlevl: 4\nhouse: H\ncards: {}\n": "deck x: unknown key 'levl'.*did you mean 'level'",
    "name: x\nlevel: 4\nhouse: H\ncards: {A: 0}\n": "deck x: A must have at least 1 copy, got 0",
    "name: x\nlevel: 4\nhouse: H\ncards: {A: two}\n": "deck x: 'A' must be a whole number, got 'two'",
    "name: x\nlevel: 4\ncards: {A: 1}\n": "deck x: the key 'house' is missing",
    "deks: []\n": "unknown key 'deks'",
    "decks: []\n": "holds no deck",
    "[1]\n": "must be a mapping",
    "- {name: x, level: 1, house: H, cards: {}}\n" * 2: "two decks are called 'x'",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_faulty_deck_file_is_explained(text, tmp_path):
    file = tmp_path / "deck.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=FAULTS[text]):
        read_decks(file)


def test_a_lineup_row_keeps_the_written_order(pool):
    row = deck_row(deck(level=7, classes=["Moon", "Sun"], entity="Spirit", cards={"I5": 1, "I2": 2}), pool)
    names = [pool.cards[number].id if number >= 0 else None for number in row[:9]]
    assert names == ["House", "Moon", "Sun", None, "Spirit", "I5", "I2", "I2", None]
