"""The cache folders of compiled kernels: where they lie, what their name depends on, how they are locked and pruned.

Numba's own file cache does not notice that a callee in another file changed, so a folder's name is a hash of all that
decides the machine code: the rules sources, the table of branch weights, the vocabulary, the versions of Python, NumPy,
Numba and LLVM, the processor and the compiler options. A folder appears complete or not at all: it is filled under another
name and then renamed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # no advisory locks on this platform: two processes may compile at once, and the rename still holds
    fcntl = None

KEPT_FOLDERS = 12
"""How many complete folders pruning leaves, the last used first."""

STALE_AFTER_S = 24 * 3600.0
"""Age in seconds from which an unfinished folder is taken for the remains of a killed process."""

MARKER = "complete.json"
CODE = "machine_code.bin"


def cache_root() -> Path:
    """Returns the folder that holds the kernel folders: `apotheosis/kernels` in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "apotheosis" / "kernels"


def writable(root: Path) -> bool:
    """Returns whether folders can be made in the cache root; makes the root itself."""
    probe = root / f"probe-{os.getpid()}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        probe.mkdir()
        probe.rmdir()
    except OSError:
        return False
    return True


def source_digest(rules_folder: Path) -> str:
    """Returns the hash of the sources that compiled code is made of.

    Args:
        rules_folder: the package folder of the kernel; the vocabulary beside it belongs to the sources.
    """
    digest = hashlib.sha256()
    vocabulary = rules_folder.parent / "vocabulary.py"
    read = [*sorted(rules_folder.rglob("*.py")), *sorted(rules_folder.rglob("*.csv"))]
    for file in [*read, *([vocabulary] if vocabulary.exists() else [])]:
        digest.update(file.relative_to(rules_folder.parent).as_posix().encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


def folder_name(sources: str, environment: dict[str, object]) -> str:
    """Returns the name of the kernel folder for these sources in this environment (20 hexadecimal digits)."""
    text = json.dumps([sources, environment], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def is_complete(folder: Path) -> bool:
    """Returns whether the folder was finished; its file is checked when it is read."""
    return (folder / MARKER).is_file()


def read_marker(folder: Path) -> dict:
    """Returns what the folder's marker records, or {} where it is missing or unreadable."""
    try:
        marker = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return marker if isinstance(marker, dict) else {}


def read_code(folder: Path) -> bytes | None:
    """Returns the stored machine code, or None where the folder does not hold it intact."""
    marker = read_marker(folder)
    try:
        data = (folder / CODE).read_bytes()
    except OSError:
        return None
    return data if [len(data), zlib.crc32(data)] == [marker.get("bytes"), marker.get("checksum")] else None


def write_folder(folder: Path, code: bytes, notes: dict[str, object]) -> None:
    """Creates a complete kernel folder; a broken one of the same name is replaced.

    Args:
        folder: the folder to create.
        code: the machine code.
        notes: what else the marker records.
    """
    building = folder.with_name(f"{folder.name}.building-{os.getpid()}")
    building.mkdir(parents=True, exist_ok=True)
    try:
        (building / CODE).write_bytes(code)
        marker = {"bytes": len(code), "checksum": zlib.crc32(code), **notes}
        (building / MARKER).write_text(json.dumps(marker, indent=1), encoding="utf-8")
        discard(folder)
        os.replace(building, folder)
    finally:
        discard(building)


def discard(folder: Path) -> None:
    """Removes a kernel folder; the marker goes first, so that nobody takes the rest for complete."""
    with contextlib.suppress(OSError):
        (folder / MARKER).unlink()
    shutil.rmtree(folder, ignore_errors=True)


def touch(folder: Path) -> None:
    """Notes that the folder is in use, so that pruning spares it."""
    with contextlib.suppress(OSError):
        os.utime(folder / MARKER)


def prune(root: Path, keep: Path) -> None:
    """Removes old kernel folders with their locks, and the remains of killed compilations.

    Args:
        root: the folder of the kernel folders.
        keep: the folder in use; it is never removed.
    """
    others = []
    for entry in root.iterdir():
        with contextlib.suppress(OSError):
            if is_complete(entry):
                others.append(((entry / MARKER).stat().st_mtime, entry))
            elif entry.is_dir() and time.time() - entry.stat().st_mtime > STALE_AFTER_S:
                discard(entry)
    others = sorted((pair for pair in others if pair[1] != keep), reverse=True)
    for _, folder in others[KEPT_FOLDERS - 1 :]:
        discard(folder)
        with contextlib.suppress(OSError):
            folder.with_suffix(".lock").unlink()


@contextlib.contextmanager
def locked(folder: Path, on_wait: Callable[[], None]) -> Iterator[int | None]:
    """Holds the lock of a kernel folder.

    Args:
        folder: the kernel folder; the lock file stands beside it.
        on_wait: called once if another process holds the lock.

    Yields:
        The descriptor of the lock file (a child that inherits it keeps the lock), None where there are no locks.
    """
    if fcntl is None:
        yield None
        return
    descriptor = os.open(folder.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)
