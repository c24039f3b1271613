"""What the statistical tests share: the simulators of known truth, and a list of what was measured."""

import csv
import os
import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).resolve().parent)
sys.path.insert(0, HERE)

MEASURED: list[tuple[str, str, str]] = []


@pytest.fixture(scope="session")
def coin():
    """Makes `coin_player` importable in worker processes and returns it."""
    import coin_player

    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = HERE if before is None else os.pathsep.join([HERE, before])
    yield coin_player
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture
def measured():
    """Returns a function that notes a measured result; the notes are printed after the tests.

    With the environment variable APOTHEOSIS_MEASURED set to a file name they are also appended there as CSV, which is
    how the table of docs/validation.md is filled.
    """

    def note(name: str, what: str, value: float | str) -> None:
        MEASURED.append((name, what, value if isinstance(value, str) else f"{value:.4g}"))

    return note


def pytest_terminal_summary(terminalreporter):
    """Prints what the tests measured."""
    if not MEASURED:
        return
    terminalreporter.write_sep("-", "measured")
    for name, what, value in MEASURED:
        terminalreporter.write_line(f"{name}: {what} {value}")
    target = os.environ.get("APOTHEOSIS_MEASURED")
    if target:
        with open(target, "a", newline="", encoding="utf8") as file:
            csv.writer(file).writerows(MEASURED)
