"""As many standing effects count at once as six full tables can hold."""

from pathlib import Path

import pytest

from apotheosis.env.scenario.play import run_scenario
from apotheosis.env.scenario.read import read_scenario

NAMES = ("Ana", "Bia", "Cal", "Dea", "Eva", "Fil")


@pytest.mark.parametrize("each", [1, 8, 11])
def test_every_standing_effect_counts(tmp_path: Path, each: int) -> None:
    table = ", ".join(["T_Band"] * each)
    places = [(k // 2, 3 * (k % 2)) for k in range(len(NAMES))]
    heroes = "\n".join(
        f"  {name}: {{team: {'AB'[k % 2]}, attributes: {{STR: 3}}, at: [{x}, {y}], table: [{table}]}}"
        for k, (name, (x, y)) in enumerate(zip(NAMES, places, strict=True))
    )
    file = tmp_path / "bands.yaml"
    file.write_text(
        f"""
scenario: every band gives 1 STR
rules: [R6.2.1, R12.3]
format: {{board: [3, 4], hero_level: 7, team_size: 3, draw_per_turn: 0}}
cards:
  - {{id: T_Band, suit: Item, level: 1, knowledge: Free, rarity: Common,
     effects: [{{activation: Permanent, mods: [{{q: attr.STR, add: 1, on: self}}]}}]}}
characters:
{heroes}
initiative: [{", ".join(NAMES)}]
turn: Ana
steps:
  - expect: {{{", ".join(f"{name}.attr.STR: {3 + each}" for name in NAMES)}}}
""",
        encoding="utf-8",
    )
    verdict = run_scenario(read_scenario(file))
    assert verdict.holds, verdict.message
