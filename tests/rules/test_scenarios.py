"""Every scenario file holds: rules as positions that are played (docs/rules)."""

from pathlib import Path

import pytest

from apotheosis.env.scenario.play import run_scenario
from apotheosis.env.scenario.read import read_scenario

HERE = Path(__file__).parents[1] / "scenarios"
SHARED = Path(__file__).parents[2].parent / "shared" / "design" / "scenarios"
OWN = sorted(HERE.rglob("*.yaml"))
GIVEN = sorted(SHARED.glob("*.yaml"))


@pytest.mark.parametrize("path", OWN, ids=[str(path.relative_to(HERE)) for path in OWN])
def test_scenario_holds(path: Path) -> None:
    verdict = run_scenario(read_scenario(path))
    assert verdict.holds, "\n".join([verdict.message, *verdict.trace])


@pytest.mark.skipif(not GIVEN, reason="../shared is absent")
@pytest.mark.parametrize("path", GIVEN, ids=[path.stem for path in GIVEN])
def test_given_example_holds(path: Path) -> None:
    verdict = run_scenario(read_scenario(path))
    assert verdict.holds, "\n".join([verdict.message, *verdict.trace])


@pytest.mark.parametrize("path", OWN, ids=[str(path.relative_to(HERE)) for path in OWN])
def test_scenario_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 40


def test_a_wrong_expectation_fails(tmp_path: Path) -> None:
    text = (HERE / "damage" / "injury_one_at_half.yaml").read_text(encoding="utf-8")
    file = tmp_path / "wrong.yaml"
    file.write_text(text.replace("Bia.hp: 100", "Bia.hp: 101"), encoding="utf-8")
    verdict = run_scenario(read_scenario(file))
    assert not verdict.holds
    assert "Bia.hp: expected 101, found 100" in verdict.message
    assert f"{file}:14" in verdict.message


def test_left_over_dice_fail(tmp_path: Path) -> None:
    text = (HERE / "damage" / "critical_adds_extra_dice.yaml").read_text(encoding="utf-8")
    file = tmp_path / "dice.yaml"
    file.write_text(text.replace("dice: [6, 6, 3]", "dice: [6, 6, 3, 1]"), encoding="utf-8")
    assert "1 of the listed dice were not rolled" in run_scenario(read_scenario(file)).message
    file.write_text(text.replace("dice: [6, 6, 3]", "dice: [6, 6]"), encoding="utf-8")
    assert "DICE_RAN_OUT" in run_scenario(read_scenario(file)).message
