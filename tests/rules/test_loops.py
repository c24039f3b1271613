"""Chains that no player can end are stopped, also where each of their steps asks for a choice (R27.1)."""

from pathlib import Path

import numpy as np

from apotheosis.env.rules.codes import Decision, Log
from apotheosis.env.scenario.position import build
from apotheosis.env.scenario.read import read_scenario

HAND_LIMIT = 10 + 7  # R3.8.1: of a Hero of level 7


def well(hand: int) -> str:
    """Returns a position in which every card discarded down to the hand limit draws another one."""
    return f"""
scenario: each card that is discarded draws one
rules: [R27.1, R24.3]
format: {{board: [3, 4], hero_level: 7, draw_per_turn: 0, multi_response: true}}
cards:
  - {{id: T_Pail, suit: Item, level: 1, knowledge: Free, rarity: Common}}
  - {{id: T_Well, suit: Item, level: 1, knowledge: Free, rarity: Common,
     effects: [{{activation: Auto, requires: [{{when: {{event: card_discard}}}}], do: [{{op: draw, n: 1}}]}}]}}
characters:
  Ana: {{team: A, at: [1, 0], table: [T_Well], hand: [{", ".join(["T_Pail"] * hand)}], deck: [T_Pail, T_Pail]}}
  Bia: {{team: B, at: [1, 3]}}
initiative: [Ana, Bia]
turn: Ana
steps: []
"""


def play(tmp_path: Path, hand: int) -> tuple[int, list[str]]:
    """Answers at random while cards have to be discarded; returns how often, and the events by name."""
    file = tmp_path / "well.yaml"
    file.write_text(well(hand), encoding="utf-8")
    match = build(read_scenario(file)).match
    rng = np.random.default_rng(1)
    asked = 0
    while match.decision == Decision.OVERFLOW and asked < 1000:
        match.apply(int(rng.choice(match.legal())))
        asked += 1
    return asked, [Log(int(event["kind"])).name for event in match.events()]


def test_a_loop_through_choices_that_must_be_made_is_stopped(tmp_path: Path) -> None:
    asked, events = play(tmp_path, HAND_LIMIT + 1)
    assert 200 <= asked <= 210
    assert events.count("LOOP") == 1


def test_a_hand_at_its_limit_asks_nothing(tmp_path: Path) -> None:
    asked, events = play(tmp_path, HAND_LIMIT)
    assert asked == 0
    assert "LOOP" not in events
