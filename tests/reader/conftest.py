"""The game's own card file, where it lies beside the repository, and stand-in cards for sentences of our own."""

import importlib.util
import json
from pathlib import Path

import pytest

from apotheosis.env.cards.text.reader import read_card, read_effect

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT.parent / "shared" / "data" / "cards_dev.json"


def _module(name):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def maker():
    """Makes effects at random from the rows of the book of sentences."""
    return _module("generated").Maker


@pytest.fixture(scope="session")
def corpus_file():
    """The path of the game's database."""
    if not CORPUS.is_file():
        pytest.skip("the game's card file ../shared/data/cards_dev.json is not here")
    return CORPUS


@pytest.fixture(scope="session")
def corpus(corpus_file):
    """The cards of the game's database by id."""
    return {card["Id"]: card for card in json.loads(corpus_file.read_text(encoding="utf-8-sig"))}


@pytest.fixture(scope="session")
def results(corpus):
    """What the reader made of every effect, by card id and label."""
    return {card_id: read_card(card) for card_id, card in corpus.items()}


class Cards:
    """Makes cards without a text, in the shape of cards.json."""

    NEW = "2026.03.01-00.00.00"
    OLD = "2024.03.01-00.00.00"
    NO_DAMAGE = {"Attribute": "None", "Constant": 0, "Dice": "None"}
    NO_RANGE = {"Type": "Direct", "Attribute": "None", "Constant": 0}
    REACH = {"Type": "Arcing", "Attribute": "None", "Constant": 3}
    AREA = {"Type": "Area", "Attribute": "None", "Constant": 2}
    SWORD = {"Attribute": "Strength", "Constant": 2, "Dice": "D_1D6"}

    def plain(self, suit="Item", old=False, **more):
        return {"Id": "Sample", "Suit": suit, "ModifiedDate": self.OLD if old else self.NEW, "Damage": self.NO_DAMAGE,
                "Range": self.NO_RANGE, **more}  # fmt: skip

    def reaching(self, suit="Skill", **more):
        return self.plain(suit, Range=self.REACH, **more)

    def striking(self, suit="Item", **more):
        return self.plain(suit, Damage=self.SWORD, Range={"Type": "Direct", "Attribute": "None", "Constant": 1}, **more)

    def companion(self, reach=None, damage=None, **more):
        technique = {"Damage": damage or self.NO_DAMAGE, "Range": reach or self.NO_RANGE}
        return self.plain("Companion", Techniques=[technique], **more)

    def effect(self, text, keywords="", requirements=()):
        tags = ",".join(f'(TagName="Apt.Effect.{word}")' for word in keywords.split())
        return {"Name": "", "Keywords": f"(GameplayTags=({tags}))", "Requirements": list(requirements), "Text": text}


@pytest.fixture(scope="session")
def cards():
    return Cards()


@pytest.fixture(scope="session")
def result_of(cards):
    """Reads a sentence on a stand-in card."""

    def read(text, keywords="", requirements=(), on=None, technique=None):
        return read_effect(cards.effect(text, keywords, requirements), on or cards.plain(), technique)

    return read


@pytest.fixture(scope="session")
def tree_of(result_of):
    """Reads a sentence that must be understood completely and returns its tree."""

    def read(*args, **kwargs):
        result = result_of(*args, **kwargs)
        assert result.status == "read", (result.clause, result.reason)
        return result.tree

    return read


@pytest.fixture(scope="session")
def carriers(cards):
    """Stand-in cards by the name that the lists of sentences give them."""
    return {
        "attack": cards.striking("Skill"),
        "reach": cards.reaching("Skill"),
        "area": cards.plain("Skill", Range=cards.AREA),
        "skill": cards.plain("Skill"),
        "item": cards.plain("Item"),
        "companion": cards.companion(reach=cards.REACH, damage=cards.SWORD),
    }
