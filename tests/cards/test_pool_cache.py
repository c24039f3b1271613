"""Stored pools are what the files say, follow every change, and heal when they are damaged."""

import pickle

import numpy as np
import pytest

from apotheosis.env.cards import pool_cache
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.errors import InputError

CARDS = """
- {id: Axe, suit: Item, level: 1, rarity: Common, action: 3, price: 5, damage: {attribute: STR, constant: %d, dice: 1D6}}
- {id: Coat, suit: Item, level: 1, rarity: Common, price: 4, vest: true}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def file(folder):
    path = folder / "cards.yaml"
    path.write_text(CARDS % 1, encoding="utf-8")
    return path


def entries():
    return sorted(pool_cache.cache_folder().glob("*"))


def assert_same(first, second):
    assert (first.cards, first.tags, first.index, first.hash) == (second.cards, second.tags, second.index, second.hash)
    assert first.readings == second.readings
    assert np.array_equal(first.record, second.record)


def test_a_stored_pool_is_the_one_that_was_read(file, monkeypatch):
    read = load_pool(file)
    monkeypatch.setattr(pool_cache, "_complete", None)  # a pool that is read again would call it
    stored = load_pool(file)
    assert stored is not read
    assert_same(stored, read)
    assert stored.marker("BURN") == read.marker("BURN")


def test_two_loads_do_not_share_a_record(file):
    load_pool(file).record["log_n"] = 7
    assert load_pool(file).record["log_n"][0] == 0


def test_a_changed_file_is_read_again(file):
    before = load_pool(file)
    file.write_text(CARDS % 2, encoding="utf-8")
    after = load_pool(file)
    assert after.hash != before.hash
    assert len(entries()) == 2


def test_changed_code_reads_again(file, monkeypatch):
    load_pool(file)
    monkeypatch.setattr(pool_cache.sources, "digest", lambda *packages: "other")
    load_pool(file)
    assert len(entries()) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
        lambda data: pool_cache.hashlib.sha256(b"no pickle").digest() + b"no pickle",
        lambda data: pool_cache.hashlib.sha256(pickle.dumps(3)).digest() + pickle.dumps(3),
    ],
    ids=["empty", "truncated", "one bit", "not a pool at all", "something else"],
)
def test_a_damaged_entry_is_made_anew_without_a_word(file, damage, capfd):
    read = load_pool(file)
    (entry,) = entries()
    sound = entry.read_bytes()
    entry.write_bytes(damage(sound))
    assert_same(load_pool(file), read)
    assert len(entry.read_bytes()) == len(sound)
    assert_same(load_pool(file), read)
    assert capfd.readouterr() == ("", "")


def test_a_faulty_file_is_not_stored(file):
    file.write_text("- {id: Axe, suit: Sword}", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(InputError, match="Sword"):
            load_pool(file)
    assert not pool_cache.cache_folder().exists()


def test_a_cache_that_cannot_be_written_is_done_without(file, folder):
    (folder / "cache").write_text("a file, not a folder")
    assert_same(load_pool(file), load_pool(file))


def test_old_entries_go(file, monkeypatch):
    monkeypatch.setattr(pool_cache, "KEPT_ENTRIES", 2)
    for number in range(4):
        file.write_text(CARDS % number, encoding="utf-8")
        load_pool(file)
    assert len(entries()) == 2
