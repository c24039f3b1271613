"""Rulings of the starter cards: a scenario for every card with an effect, evaluated by hand, and played uncompiled.

The files lie in `rulings/`, named by the card; a further word tells several rulings on one card apart.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from apotheosis.env.cards.yaml_file import write_yaml

FOLDER = Path(__file__).parent / "rulings"
FILES = sorted(FOLDER.glob("*.yaml"))
UNCOMPILED = {**os.environ, "APOTHEOSIS_JIT": "0"}


NEGATIVE = {"MountainStance_moved", "VenomNeedle_missed"}
"""Rulings that say when an effect does not apply; they hold without it too."""


def play(*files):
    """What the command says about files; in a process of its own, since uncompiled and compiled kernels do not mix."""
    code = "import sys; from apotheosis.experiments.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "scenario", *map(str, files), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=UNCOMPILED, check=False)
    assert done.returncode in (0, 2), done.stderr
    return {Path(row["file"]).stem: row for row in json.loads(done.stdout)["scenarios"]}


@pytest.fixture(scope="module")
def verdicts():
    return play(FOLDER)


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


@pytest.mark.slow
def test_every_ruling_fails_without_the_effect_that_it_is_about(starter, tmp_path):
    bare = [card.model_copy(update={"effects": []}) for card in starter.cards]
    (tmp_path / "bare.cards.yaml").write_text(write_yaml(bare), encoding="utf-8")
    copies = []
    for file in FILES:
        copies.append(tmp_path / file.name)
        text = file.read_text(encoding="utf-8").replace("pool: starter", "pool: bare.cards.yaml")
        copies[-1].write_text(text, encoding="utf-8")
    holds = {name for name, row in play(*copies).items() if row["status"] == "holds"}
    assert holds == NEGATIVE
