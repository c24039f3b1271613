"""Makes `fake_player` importable here, in worker processes and in Ray workers."""

import os
import sys
from pathlib import Path

import pytest

HERE = str(Path(__file__).resolve().parent)


@pytest.fixture(autouse=True, scope="session")
def importable_fake_player():
    sys.path.insert(0, HERE)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = HERE if before is None else os.pathsep.join([HERE, before])
    yield
    sys.path.remove(HERE)
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture
def fake():
    import fake_player

    return fake_player
