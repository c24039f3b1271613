"""Rulings of the starter cards: a scenario for every card with an effect, evaluated by hand, and played uncompiled.

The files lie in `rulings/`, named by the card; a further word tells several rulings on one card apart.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "rulings"
FILES = sorted(FOLDER.glob("*.yaml"))
UNCOMPILED = {**os.environ, "APOTHEOSIS_JIT": "0"}


@pytest.fixture(scope="module")
def verdicts():
    """What the command says about all files; one process, since uncompiled and compiled kernels do not mix."""
    code = "import sys; from apotheosis.experiments.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "scenario", str(FOLDER), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=UNCOMPILED, check=False)
    assert done.returncode in (0, 2), done.stderr
    return {Path(row["file"]).stem: row for row in json.loads(done.stdout)["scenarios"]}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_ruling_holds(verdicts, file):
    row = verdicts[file.stem]
    assert row["status"] == "holds", "\n".join([row["message"], *row.get("trace", ())])


def test_every_card_with_an_effect_has_a_ruling(starter):
    ruled = {file.stem.split("_")[0] for file in FILES}
    with_effects = {card.id for card in starter.cards if card.effects}
    assert with_effects <= ruled
    assert ruled <= with_effects


def test_rulings_are_short():
    for file in FILES:
        assert len(file.read_text(encoding="utf-8").splitlines()) < 40, file.name
