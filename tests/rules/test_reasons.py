"""Reasons speak of what they are about: tiles as tiles, cards of others as theirs, and numbers only where some are compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from apotheosis.env.explain import explain
from apotheosis.env.rules.codes import CharKind, Kind, Reason
from apotheosis.env.rules.layout import SIDE
from apotheosis.env.scenario.position import Position, build
from apotheosis.env.scenario.read import read_scenario

POSITION = """
cards:
  - {id: T_Imp, suit: Companion, level: 1, knowledge: Free, rarity: Common, companion_type: Summon, attributes: {END: 3}}
  - {id: T_M, suit: Skill, level: 1, knowledge: Free, rarity: Common, mana: 2}
  - {id: T_Stone, name: Stone, suit: Item, level: 1, knowledge: Free, rarity: Common}
  - {id: T_Hex, suit: Item, level: 1, knowledge: Free, rarity: Common, effects: [{activation: Activate,
     requires: [{target: {chars: enemies}}], do: [{op: add_marker, marker: HEX, to: target}]}]}
characters:
  Ana: {team: A, at: [1, 0], slots: {support: 1}, table: [T_Imp, T_M, T_Hex]}
  Bia: {team: B, at: [0, 0], hand: [T_Stone]}
initiative: [Ana, Bia]
turn: Ana
"""


@pytest.fixture
def position(tmp_path: Path) -> Position:
    file = tmp_path / "position.yaml"
    file.write_text(POSITION, encoding="utf-8")
    return build(read_scenario(file))


def test_a_tile_is_called_a_tile(position: Position) -> None:
    tile = 2 + 2 * SIDE
    answer = explain(position.match, 0, Kind.SUMMON, position.copies["T_Imp"], tile)
    assert answer.sentence == "tile 2,2 is not adjacent to A1 (R17.8)"


def test_the_card_of_another_hero_is_called_one(position: Position) -> None:
    answer = explain(position.match, 0, Kind.PLACE, position.copies["T_Stone"], name=position.char_name)
    assert answer.sentence == "Stone is a card of Bia, not of Ana (R17.2)"


def test_a_reason_that_compares_nothing_has_no_numbers(position: Position) -> None:
    position.match.state["kind"][1] = CharKind.NONE
    answer = explain(position.match, 0, Kind.USE_TABLE, position.copies["T_Hex"], target=1)
    assert (answer.reason, answer.needed, answer.had) == (Reason.NO_TARGET, 0, 0)
