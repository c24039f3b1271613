"""The two commands of the README: which Python they take, what they say without one, and that CI runs the same."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make on PATH, which is not installed")


def make(root: Path, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs make in the checkout, with another PATH where one is given."""
    clean = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "PYTHON", "OUT")}
    if path is not None:
        clean["PATH"] = path
    command = [str(shutil.which("make")), "--no-print-directory", *arguments]
    return subprocess.run(command, cwd=root, env=clean, text=True, capture_output=True, check=False, timeout=60)


@pytest.fixture
def tools(tmp_path) -> Path:
    """Returns a folder with the few programs that finding a Python needs, and no Python."""
    for name in ("sh", "date", "getconf", "echo"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    return tmp_path


def fake(folder: Path, name: str, line: str) -> None:
    """Puts a shell script of one line into a folder."""
    script = folder / name
    script.write_text(f"#!/bin/sh\n{line}\n")
    script.chmod(0o755)


PRINT = ("--eval", "show: ; @echo $(PYTHON)", "show")


def test_a_python_that_does_not_start_is_passed_over(root, tools):
    fake(tools, "python3.13", "exit 127")
    fake(tools, "python3", f'exec {sys.executable} "$@"')
    assert make(root, *PRINT, path=str(tools)).stdout.strip() == str(tools / "python3")


def test_a_python_without_environments_or_of_another_version_is_passed_over(root, tools):
    fake(tools, "python3.12", f"exec {sys.executable} -c 'import no_such_module'")
    fake(tools, "python3", "exit 1")
    assert make(root, *PRINT, path=str(tools)).stdout.strip() == ""


def test_without_a_python_one_sentence_says_what_is_needed(root, tools):
    done = make(root, "VENV=does-not-exist", "lab", path=str(tools))
    assert done.returncode != 0
    assert "No Python 3.11, 3.12 or 3.13" in done.stdout


def test_help_lists_every_target_that_people_call(root):
    listed = {line.split()[1] for line in make(root, "help").stdout.splitlines()}
    assert listed >= {"lab", "test", "test-slow", "check", "bench", "help"}


def test_run_and_report_of_the_lab_use_one_folder(root):
    lines = make(root, "--dry-run", "lab").stdout.splitlines()
    (played,) = (line.split("--out ")[1].split()[0] for line in lines if "apotheosis run" in line)
    (reported,) = (line.split("apotheosis report ")[1].split()[0] for line in lines if "apotheosis report" in line)
    assert played == reported
    assert int(next(line for line in lines if "--matches" in line).split("--matches ")[1].split()[0]) >= 2000


def test_ci_runs_what_developers_run(root):
    script = root / ".ci" / "run"
    assert os.access(script, os.X_OK)
    commands = [line for line in script.read_text().splitlines() if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]


def test_the_engine_is_not_ignored_as_a_virtual_environment(root):
    if shutil.which("git") is None or not (root / ".git").exists():
        pytest.skip("needs a git checkout")
    ignored = subprocess.run(["git", "check-ignore", "env/new_module.py"], cwd=root, capture_output=True, check=False)
    assert ignored.returncode == 1


def test_the_installation_names_each_package_once(root, capsys):
    spec = importlib.util.spec_from_file_location("install", root / ".ci" / "install.py")
    assert spec and spec.loader
    install = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(install)
    lines = [
        "Collecting numba==0.68.1",
        "  Downloading numba-0.68.1.whl (3.0 MB)",
        "Processing ./wheels/torch-2.13.0.whl",
        "Installing collected packages: numba, torch",
    ]
    assert install.report(lines) == 2
    printed = capsys.readouterr().out
    assert "1: numba==0.68.1" in printed
    assert "2: torch-2.13.0.whl" in printed
