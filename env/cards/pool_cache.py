"""Keeps checked and compiled pools in the user's cache folder, so that the same files are not parsed at every start.

An entry's name is a hash of all that decides the pool: the card and override files, the code of the lab, and the
versions of what stores it. An entry appears complete or not at all, and begins with the checksum of its content: one
that is damaged, or that cannot be read for any other reason, is made anew without a word.
"""

import contextlib
import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pydantic

from apotheosis.env import sources
from apotheosis.env.errors import InputError
from apotheosis.env.rules.kernel_store import cache_root

KEPT_ENTRIES = 12
"""How many pools pruning leaves, the last used first."""
CHECKSUM_BYTES = 32


def cache_folder() -> Path:
    """Returns the folder of the stored pools: `apotheosis/pools` in the user's cache folder."""
    return cache_root().with_name("pools")


def cached(source: str, files: Iterable[Path], read: Callable[[], Any]) -> Any:
    """Returns a pool from the cache, or reads it and stores it there.

    Args:
        source: how messages and reports call the pool.
        files: every file that the pool is read from.
        read: reads the pool.

    Returns:
        A `Pool`.

    Raises:
        InputError: `read` found a fault; a faulty pool is never stored.
    """
    files = list(files)
    try:
        key = _key(source, files)
    except OSError:  # a file cannot be read: reading the cards says so in full
        return read()
    entry = cache_folder() / f"{key}.pool"
    pool = _load(entry)
    if pool is None:
        pool = read()
        with contextlib.suppress(InputError, OSError):  # too large for the kernel: whoever needs the record is told
            _complete(pool)
            if _key(source, files) == key:  # nobody wrote to the files meanwhile
                _store(entry, pool)
    return pool


def _key(source: str, files: Iterable[Path]) -> str:
    versions = [sys.version, np.__version__, pydantic.VERSION, sources.digest("env")]
    found = hashlib.sha256("\0".join([source, *versions]).encode())
    for file in files:
        found.update(f"\0{file.name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:32]


def _complete(pool: Any) -> None:
    """Computes what is computed late, so that it is stored as well."""
    _ = pool.plain, pool.hash, pool.readings, pool.record


def _load(entry: Path) -> Any:
    """Returns a stored pool, or None where there is none or it is damaged."""
    try:
        data = entry.read_bytes()
        content = memoryview(data)[CHECKSUM_BYTES:]
        if hashlib.sha256(content).digest() != data[:CHECKSUM_BYTES]:
            return None
        pool = pickle.loads(content)
        _ = pool.record
        os.utime(entry)  # pruning spares what is in use
        return pool
    except Exception:  # whatever an entry is spoilt by, the files are still there
        return None


def _store(entry: Path, pool: Any) -> None:
    """Writes an entry where the cache can be written, and removes the oldest ones."""
    content = pickle.dumps(pool, protocol=pickle.HIGHEST_PROTOCOL)
    temporary = entry.with_name(f"{entry.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    entry.parent.mkdir(parents=True, exist_ok=True)
    try:
        temporary.write_bytes(hashlib.sha256(content).digest() + content)
        os.replace(temporary, entry)
    finally:
        temporary.unlink(missing_ok=True)
    _prune(entry.parent)


def _prune(folder: Path) -> None:
    entries = sorted(folder.glob("*.pool"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in entries[KEPT_ENTRIES:]:
        path.unlink(missing_ok=True)
