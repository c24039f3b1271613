"""What every test may use: the data beside the checkout, the browser, and deterministic settings."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent

os.environ.setdefault("MPLBACKEND", "Agg")
# Started under `uv run`, Ray would otherwise copy the project for each worker.
os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")

settings.register_profile("lab", derandomize=True, deadline=None, database=None)
settings.load_profile("lab")


@pytest.fixture(scope="session")
def root() -> Path:
    """Returns the folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Returns the folder `shared` beside the checkout; skips the test where there is none."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs the folder ../shared beside the checkout, which is not there")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """Returns the path of a Chromium; skips the test where there is none."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("needs Chromium on PATH, which is not installed")
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps all Ray tests on one worker, and skips them where Ray is not installed."""
    missing = importlib.util.find_spec("ray") is None
    for item in items:
        if item.get_closest_marker("ray"):
            item.add_marker(pytest.mark.xdist_group("ray"))
            if missing:
                item.add_marker(pytest.mark.skip(reason="needs the extra `ray`, which is not installed"))
