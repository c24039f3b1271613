"""Files are written whole or not at all, and are checked before they are trusted."""

import errno
import os

import pytest

from apotheosis.env.errors import InputError, OutOfResources
from apotheosis.experiments import store


def test_a_file_appears_whole_under_its_name(tmp_path):
    store.write_json(tmp_path / "a.json", {"é": 1})
    assert store.read_json(tmp_path / "a.json") == {"é": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path):
    store.write_bytes(tmp_path / "a", b"old")
    with pytest.raises(KeyboardInterrupt), store.open_atomic(tmp_path / "a") as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert (tmp_path / "a").read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 1


def test_short_writes_of_the_system_are_continued(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(store.os, "write", lambda descriptor, data: real(descriptor, data[:3]))
    store.write_bytes(tmp_path / "a", b"0123456789")
    monkeypatch.undo()
    assert (tmp_path / "a").read_bytes() == b"0123456789"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("call", ["write", "fsync", "open"])
def test_a_full_disk_is_an_error_of_its_own(tmp_path, monkeypatch, code, call):
    def full(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(store.os, call, full)
    with pytest.raises(OutOfResources, match="no room left"):
        store.write_bytes(tmp_path / "a", b"data")
    monkeypatch.undo()
    assert not list(tmp_path.iterdir())


def test_other_errors_of_the_system_stay_what_they_are(tmp_path):
    with pytest.raises(FileNotFoundError):
        store.write_bytes(tmp_path / "absent" / "a", b"data")


def test_a_nearly_full_disk_is_refused_before_it_is_full(tmp_path, monkeypatch):
    store.check_room(tmp_path / "not" / "there" / "yet")
    monkeypatch.setattr(store, "RESERVE_BYTES", 2**62)
    with pytest.raises(OutOfResources, match="make room, then resume"):
        store.check_room(tmp_path)


def test_a_missing_or_broken_json_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"a\.json.*missing"):
        store.read_json(tmp_path / "a.json")
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.json.*not readable as JSON"):
        store.read_json(tmp_path / "a.json")
