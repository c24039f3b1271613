"""Whoever rolls reads a stream of its own, so that no roll depends on those of others (R0.10)."""

from pathlib import Path

import numpy as np
import pytest

from apotheosis.env.rules.dice import ROLLS_KEPT
from apotheosis.env.rules.layout import CARDS
from apotheosis.env.scenario.play import Player
from apotheosis.env.scenario.position import build
from apotheosis.env.scenario.read import read_scenario

FILE = Path(__file__).parents[1] / "scenarios" / "checks" / "competition_won_by_one.yaml"


@pytest.mark.parametrize(("agent", "other"), [("Ana", "Bia"), ("Bia", "Ana")])
def test_both_sides_of_a_competition_roll_for_themselves(tmp_path: Path, agent: str, other: str) -> None:
    text = FILE.read_text(encoding="utf-8").replace("Ana", "Eva").replace("Bia", other).replace("Eva", agent)
    file = tmp_path / "competition.yaml"
    file.write_text(text.replace(f"{agent}: {{team: A", f"{agent}: {{team: {'AB'[agent == 'Bia']}")
                    .replace(f"{other}: {{team: B", f"{other}: {{team: {'AB'[other == 'Bia']}"), encoding="utf-8")  # fmt: skip
    player = Player(build(read_scenario(file)))
    player.match.matches["forced_n"] = -1
    steps = player.scenario.get("steps") or []
    player.run(steps[:1], ("steps",))
    rolls = player.match.state["rolls"]
    assert list(np.flatnonzero(rolls >= 0)) == [CARDS, CARDS + 1]
    assert list(rolls[CARDS : CARDS + 2] % ROLLS_KEPT) == [1, 1]
