"""The command line: quick and complete help, one sentence for every mistake, the contract's exit codes."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from apotheosis.env.errors import CheckFailed, FailedMatches, InputError, InternalError, Interrupted, OutOfResources
from apotheosis.experiments import cli


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    code = cli.main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def plain(text: str) -> str:
    return " ".join(text.split())


def test_help_lists_exactly_the_commands_whose_modules_are_there(capsys):
    code, out, _ = call(capsys, "--help")
    assert code == 0
    folder = Path(cli.__file__).parent
    for name, (module, summary) in cli.COMMANDS.items():
        listed = re.search(rf"^\W*{name}\s+{summary.split()[0]}", out, re.MULTILINE) is not None
        assert listed == (folder / f"{module}.py").exists(), name


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from apotheosis.experiments.cli import main; main(['--help']);"
        "sys.exit(bool({'numpy', 'numba', 'pandas', 'pyarrow', 'pydantic', 'matplotlib', 'ray'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False).returncode == 0


@pytest.mark.parametrize("command", sorted(cli.available()))
def test_every_command_explains_itself(capsys, command):
    code, out, _ = call(capsys, command, "--help")
    assert code == 0 and f"apotheosis {command}" in out
    if "COMMAND" not in out:
        assert "--json" in out and "--quiet" in out and "Example: apotheosis" in plain(out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rn"], "No such command 'rn'. Did you mean 'run'?"),
        (["run", "--sed", "3"], "No such option: --sed"),
        (["run", "--seed", "three"], "--seed"),
        (["status"], "Missing argument 'folder'"),
        (["run", "no.toml"], "no.toml: there is no such spec file"),
        (["run", "--set", "run.sed=3"], "did you mean 'seed'?"),
        (["run", "--backend", "rai"], "did you mean 'ray'?"),
        (["run", "--matches", "3"], "give an even number"),
        (["run", "--bots", "gready"], "did you mean 'greedy'?"),
        (["run", "--decks", "no.yaml"], "no.yaml"),
        (["run", "--cards", "no.yaml"], "no.yaml"),
        (["status", "."], "holds no run"),
        (["resume", "."], "holds no run"),
    ],
)
def test_a_mistake_of_the_user_is_one_sentence_and_code_1(capsys, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = call(capsys, *arguments)
    assert code == 1 and not out
    assert err.startswith("Error: ") and message in plain(err) and "Traceback" not in err
    assert not list(tmp_path.iterdir()), "nothing is written"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (InputError("x"), 1),
        (CheckFailed("x"), 2),
        (FailedMatches("x"), 3),
        (OutOfResources("x"), 4),
        (MemoryError(), 4),
        (Interrupted("x"), 5),
        (KeyboardInterrupt(), 5),
    ],
)
def test_every_kind_of_error_has_its_exit_code(capsys, tmp_path, monkeypatch, error, expected):
    def fail(*_):
        raise error

    monkeypatch.setattr("apotheosis.experiments.run.inspect", fail)
    code, _, err = call(capsys, "status", str(tmp_path))
    assert code == expected and err.startswith("Error: ")


@pytest.mark.parametrize("error", [ZeroDivisionError("oops"), InternalError("oops")])
def test_an_error_of_the_lab_itself_leaves_a_bundle_and_ends_with_70(capsys, tmp_path, monkeypatch, error):
    def fail(*_):
        raise error

    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "plan.json").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("apotheosis.experiments.run.inspect", fail)
    code, out, err = call(capsys, "status", "run")
    bundle = next(tmp_path.glob("apotheosis-bug-*.zip"))
    assert code == 70 and not out and str(bundle) in err and "Traceback" not in err
    with zipfile.ZipFile(bundle) as parts:
        assert "oops" in parts.read("traceback.txt").decode()
        assert json.loads(parts.read("report.json"))["command"] == ["apotheosis", "status", "run"]
        assert parts.read("inputs/0-plan.json") == b"{}"


def test_without_a_command_the_help_is_shown_and_the_code_says_that_one_is_missing(capsys):
    code, out, _ = call(capsys)
    assert code == 1 and "Usage: apotheosis" in out


def test_the_version_is_that_of_the_package(capsys):
    from importlib import metadata

    assert call(capsys, "--version") == (0, metadata.version("apotheosis-lab") + "\n", "")
