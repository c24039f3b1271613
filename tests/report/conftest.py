"""Simulated runs and the pages made from them, built once for all tests of reports."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent


def load(name: str) -> ModuleType:
    """Returns a module that lies beside the tests."""
    full = f"report_tests_{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, HERE / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = module
        spec.loader.exec_module(module)
    return sys.modules[full]


@pytest.fixture(scope="session")
def simulate() -> ModuleType:
    """Returns the simulation of run folders."""
    return load("simulate_run")


@pytest.fixture(scope="session")
def run_folder(simulate, tmp_path_factory) -> Path:
    """Returns a simulated run with one card that is too strong, one too weak and two that are not fully simulated."""
    folder = tmp_path_factory.mktemp("run")
    simulate.write_run(folder, pairs=1200, decks=240)
    return folder


@pytest.fixture(scope="session")
def written(run_folder):
    """Returns what the English report of the simulated run wrote."""
    from apotheosis.experiments.report.builder import write_report

    return write_report(run_folder, "en")


@pytest.fixture(scope="session")
def written_pt(run_folder, tmp_path_factory):
    """Returns what the Portuguese report of the same run wrote, elsewhere."""
    from apotheosis.experiments.report.builder import write_report

    return write_report(run_folder, "pt", tmp_path_factory.mktemp("pt"))


@pytest.fixture(scope="session")
def played_run(tmp_path_factory) -> Path:
    """Returns a run that the engine has played."""
    from apotheosis.experiments.cli import main

    folder = tmp_path_factory.mktemp("played") / "run"
    code = main(
        ["run", "--matches", "12", "--set", "decks.n=8", "--workers", "1", "--seed", "3", "--out", str(folder), "--quiet"]
    )
    assert code == 0
    return folder


@pytest.fixture(scope="session")
def stored(played_run):
    """Returns the matches of the played run, ready to be played again."""
    from apotheosis.experiments.replays import StoredRun

    return StoredRun(played_run)


@pytest.fixture(scope="session")
def card_words(stored):
    """Returns the cards of the played run in both languages."""
    from apotheosis.env.card_words import CardWords

    return {language: CardWords(stored.pool, language) for language in ("en", "pt")}


@pytest.fixture(scope="session")
def played_report(played_run):
    """Returns what the report of the played run wrote, with four matches to watch."""
    from apotheosis.experiments.report.builder import write_report

    return write_report(played_run, "en", replays=4)


@pytest.fixture(scope="session")
def read_page():
    """Returns the parser of pages."""
    return load("markup").Document


@pytest.fixture(scope="session")
def document(read_page, written):
    """Returns the parsed English page."""
    return read_page(written.page.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def browser(chromium, tmp_path_factory) -> Iterator:
    """Returns a running headless Chromium."""
    with load("browser").Browser(chromium, tmp_path_factory.mktemp("profile")) as running:
        yield running
