"""Shared material of the card tests: the starter pool, and the game's database where it lies beside the repository."""

from pathlib import Path

import pytest

from apotheosis.env.cards.pool import Pool, load_pool

DATABASE = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "cards_dev.json"


@pytest.fixture(scope="session")
def starter() -> Pool:
    return load_pool()


@pytest.fixture(scope="session")
def database_file() -> Path:
    if not DATABASE.exists():
        pytest.skip("the game's card database is not beside the repository (../shared/data/cards_dev.json)")
    return DATABASE


@pytest.fixture(scope="session")
def database(database_file: Path) -> Pool:
    return load_pool(database_file)
