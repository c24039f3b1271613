"""A small run and the help load only what they use: start-up is most of what they cost."""

import subprocess
import sys

import pytest

HEAVY = ("pandas", "matplotlib", "scipy.stats", "statsmodels", "sklearn", "rich", "torch", "ray", "gymnasium", "pettingzoo")
CODE = """
import sys
from apotheosis.experiments.cli import main
code = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""


def loaded(*arguments) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", CODE, *map(str, arguments)], capture_output=True, text=True, check=True, timeout=300
    )
    return set(done.stderr.splitlines()[-1].split())


def test_a_small_run_loads_no_package_of_tables_plots_statistics_or_learning(tmp_path):
    arguments = ("run", "--matches", "2", "--quiet", "--out")
    loaded(*arguments, tmp_path / "warm")  # the pool is in the cache now
    found = loaded(*arguments, tmp_path / "run")
    assert not found & {*HEAVY, "pyarrow.compute", "apotheosis.experiments.backend_ray"}
    assert "apotheosis.experiments.backend_inline" in found


@pytest.mark.parametrize("arguments", [("--help",), ("run", "--help"), ("report", "--help")])
def test_help_loads_neither_the_rules_nor_numpy(arguments):
    assert not loaded(*arguments) & {"numpy", "numba", "pyarrow", "apotheosis.env.match"}
