"""A wrong scenario file is named in one sentence, with its line and the nearest name."""

from __future__ import annotations

from pathlib import Path

import pytest

from apotheosis.env.errors import InputError
from apotheosis.env.scenario.play import run_scenario
from apotheosis.env.scenario.read import read_scenario

GOOD = """scenario: two injuries from a sword
rules: [R13.3]
format: {board: [3, 4], hero_level: 7}
cards:
  - {id: T_Sword, suit: Item, level: 1, knowledge: Free, rarity: Common, action: 3, damage: {attribute: STR, constant: 7},
     range: {type: Direct, constant: 1}}
characters:
  Ana: {team: A, at: [1, 0], ap: 5, table: [T_Sword]}
  Bia: {team: B, at: [1, 1], attributes: {END: 6}}
initiative: [Ana, Bia]
turn: Ana
dice: []
steps:
  - do: {who: Ana, action: ACT_USE_TABLE, card: T_Sword, target: Bia}
  - expect: {Bia.hp: 80}
"""

WRONG = [
    ("dice: []", "dise: []", 12, "did you mean 'dice'?"),
    ("{END: 6}", "{EMD: 6}", 9, "did you mean 'END'?"),
    ("ap: 5", "ap: five", 8, "'ap' is a whole number from 0 to 9999, not 'five'"),
    ("ap: 5", "level: 11", 8, "'level' is a whole number from 1 to 10, not 11"),
    ("ap: 5", "slots: {equipmnt: 2}", 8, "did you mean 'equipment'?"),
    ("ap: 5", "markers: Slow", 8, "'markers' must be a list, not 'Slow'"),
    ("table: [T_Sword]", "table: [{card: T_Sword, exausted: true}]", 8, "did you mean 'exhausted'?"),
    ("table: [T_Sword]", "table: [{card: T_Sword, counters: 3}]", 8, "'counters' must be a mapping, not 3"),
    ("table: [T_Sword]", "table: [T_Swrd]", 8, "did you mean 'T_Sword'?"),
    ("team: B", "team: C", 9, "the team of Bia is A or B, not 'C'"),
    ("at: [1, 1]", "at: [7, 1]", 9, "the tile [7, 1] is outside the board 3x4"),
    ("board: [3, 4]", "board: [3]", 3, "the board is [width, height]"),
    ("board: [3, 4]", "bord: [3, 4]", 3, "did you mean 'board'?"),
    ("initiative: [Ana, Bia]", "initiative: [Ana, Bja]", 10, "did you mean 'Bia'?"),
    ("initiative: [Ana, Bia]", "initiative: [Ana, Ana]", 10, "Ana stands there twice"),
    ("turn: Ana", "turn: Anna", 11, "did you mean 'Ana'?"),
    ("turn: Ana", "turn: Ana\nacted: [Anna]", 12, "did you mean 'Ana'?"),
    ("turn: Ana", "stint: two", 11, "'stint' is a whole number from 0 to 999, not 'two'"),
    ("turn: Ana", 'tiles: {"1;2": {blocked: true}}', 11, "a tile of the board is written \"x,y\", not '1;2'"),
    ("turn: Ana", 'tiles: {"1,2": {altitud: 2}}', 11, "did you mean 'altitude'?"),
    ("turn: Ana", "objects: {Wall: {hp: 3}}", 11, "'Wall' needs at"),
    ("turn: Ana", "companions: {Rex: {owner: Ana, card: T_Sword}}", 11, "T_Sword#2 is no Companion"),
    ("turn: Ana", "companions: {Rex: {owner: Ana, dummy: {atributes: {END: 3}}}}", 11, "did you mean 'attributes'?"),
    ("turn: Ana", "pool: startr", 11, "did you mean 'starter'?"),
    ("target: Bia", "target: Bea", 14, "did you mean 'Bia'?"),
    ("dice: []", "dice: [7]", 12, "'dice' is a whole number from 1 to 6, not 7"),
    ("expect: {Bia.hp: 80}", "expect: [Bia.hp]", 15, "'expect' is a mapping of paths to values"),
    ("expect: {Bia.hp: 80}", "expect: {}", 15, "'expect' is a mapping of paths to values"),
    ("expect: {Bia.hp: 80}", "expect: {Bia.hpp: 80}", 15, "did you mean 'hp'?"),
    ("expect: {Bia.hp: 80}", "answer: {who: Ana}", 15, "'answer' needs who and choose"),
    ("expect: {Bia.hp: 80}", "pending: {who: Ana, decison: DEC_REACT}", 15, "did you mean 'decision'?"),
    ("expect: {Bia.hp: 80}", "sees: {who: Ana, hiden: [T_Sword]}", 15, "did you mean 'hidden'?"),
    ("expect: {Bia.hp: 80}", "repeat: {times: 2}", 15, "'repeat' needs times and steps"),
]


def said(tmp_path: Path, text: str) -> str:
    file = tmp_path / "wrong.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        run_scenario(read_scenario(file))
    return str(caught.value)


def test_the_file_holds_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "good.yaml"
    file.write_text(GOOD, encoding="utf-8")
    assert run_scenario(read_scenario(file)).holds


@pytest.mark.parametrize(("good", "wrong", "line", "words"), WRONG, ids=[wrong for _, wrong, _, _ in WRONG])
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, good: str, wrong: str, line: int, words: str) -> None:
    assert good in GOOD
    sentence = said(tmp_path, GOOD.replace(good, wrong, 1))
    assert f"wrong.yaml:{line}: " in sentence
    assert words in sentence
    assert "\n" not in sentence
