"""Seeded matches and scenarios are seen as they were: questions, state, log, ledger and reasons.

After a change that is meant: `python tests/golden/regenerate.py`, and read the difference.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from courses import COURSES, FOLDER, fault
from positions import committed, files, watched

from apotheosis.env.cards.pool import Pool, load_pool
from apotheosis.env.scenario.read import read_scenario

FILES = files()


@pytest.fixture(scope="module")
def pool() -> Pool:
    return load_pool("starter")


@pytest.mark.parametrize("name", list(COURSES))
def test_a_course_goes_as_committed(name: str, pool: Pool) -> None:
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert fault(name, lines, pool) == ""


def test_another_answer_is_another_course(pool: Pool) -> None:
    lines = (FOLDER / "duel_tens.txt").read_text(encoding="utf-8").splitlines()
    assert fault("duel_tens", ["1 " + lines[0].split(" ", 1)[1], *lines[1:]], pool) != ""
    assert fault("duel_tens", lines[:-1], pool) == f"line {len(lines)} is {lines[-1]}, not nothing"


@pytest.fixture(scope="module")
def rows() -> dict[str, dict[str, str]]:
    return committed()


def test_every_scenario_has_a_row(rows: dict[str, dict[str, str]]) -> None:
    assert list(rows) == list(FILES), "run: python tests/golden/positions.py"


@pytest.mark.parametrize("name", list(FILES))
def test_a_scenario_is_seen_as_committed(name: str, rows: dict[str, dict[str, str]]) -> None:
    held, signs = watched(read_scenario(FILES[name]))
    assert held == ""
    assert {"scenario": name, **signs} == rows[name], "run: python tests/golden/regenerate.py, and read the difference"
