"""Which side is called A does not matter: with streams that follow the persons, a swapped match is the mirror image."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).with_name("mirrored.py")


@pytest.mark.parametrize(("team_size", "matches", "seed"), [(1, 4, 100), (2, 2, 7), (3, 1, 11)])
def test_swapped_sides_mirror_the_match(team_size: int, matches: int, seed: int) -> None:
    done = subprocess.run(
        [sys.executable, str(TOOL), str(team_size), str(matches), str(seed)],
        capture_output=True, text=True, check=False, env={**os.environ, "APOTHEOSIS_JIT": "0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith(f"{matches} matches"), done.stdout
