"""docs/cards.md: its cards and decks load as they stand, and every word of the closed lists is on the page."""

import re
from typing import get_args

import pytest

from apotheosis.env.cards.decks import read_decks, violations
from apotheosis.env.cards.language import names
from apotheosis.env.cards.language.amounts import ACCESSORS
from apotheosis.env.cards.language.conditions import CONDITIONS
from apotheosis.env.cards.language.instructions import Mod
from apotheosis.env.cards.language.modifiers import QUANTITIES
from apotheosis.env.cards.language.requirements import PAID
from apotheosis.env.cards.language.step import Step
from apotheosis.env.cards.loader import load_cards
from apotheosis.env.cards.pool import make_pool
from apotheosis.env.cards.readings import card_status, read_card
from apotheosis.env.vocabulary import Limit, Scope, Task, Timing


def _block(page, kind):
    return re.search(rf"```yaml {kind}\n(.*?)```", page, re.DOTALL).group(1)


def _instructions(kind=Step):
    for model in kind.__subclasses__():
        for name in get_args(model.model_fields["op"].annotation):
            yield name, model
        yield from _instructions(model)


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "cards.md").read_text(encoding="utf-8")


def test_the_cards_of_the_guide_are_played_and_its_decks_are_legal(page, tmp_path):
    cards, decks = tmp_path / "cards.yaml", tmp_path / "decks.yaml"
    cards.write_text(_block(page, "cards"), encoding="utf-8")
    decks.write_text(_block(page, "decks"), encoding="utf-8")
    own = load_cards(cards)
    assert [card_status(read_card(card, {})) for card in own] == ["executable"] * 3
    pool = make_pool([*load_cards("starter"), *own], "guide", {})
    assert [violations(deck, pool) for deck in read_decks(decks)] == [[], []]


@pytest.mark.parametrize(
    "words",
    [
        Timing.__members__, Limit.__members__, Scope.__members__, set(Task.__members__) - {"Absent"}, names.EVENTS, PAID,
        names.CHARACTERS, names.ZONES, names.DURATIONS, ACCESSORS, QUANTITIES,
    ],
)  # fmt: skip
def test_each_word_of_a_closed_list_is_in_the_guide(page, words):
    assert [word for word in words if f"`{word}`" not in page] == []


def test_each_condition_is_in_the_guide_with_its_arguments(page):
    assert [
        name for name, kinds in CONDITIONS.items() if f"`{name}: [{', '.join(kinds)}]`" not in page.replace("\n", " ")
    ] == []


def test_each_instruction_is_in_the_guide_with_its_keys(page):
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page.split("## Instructions")[1], re.MULTILINE))
    assert set(rows) == {"mod", *(name for name, _ in _instructions())}
    for name, model in [*_instructions(), ("mod", Mod)]:
        keys = {field.alias or key for key, field in model.model_fields.items() if key != "op"}
        assert set(re.findall(r"[a-z_]+", rows[name].replace(" or ", " "))) == keys, name
