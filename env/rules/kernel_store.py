"""The folder of compiled doors: where it lies, what its name depends on, how it is locked, filled and pruned.

Numba's own file cache does not notice that a callee in another file changed, so the folder's name is a hash of everything
that decides the machine code: all rules sources, the vocabulary, the versions of Python, NumPy, Numba and LLVM, the
processor and the compiler options. A folder appears complete or not at all (it is filled under another name and renamed).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

from ..errors import InternalError

try:
    import fcntl
except ImportError:  # no advisory locks on this platform: two processes may compile at once, and the rename still holds
    fcntl = None  # type: ignore[assignment]

KEPT_FOLDERS = 3
"""How many complete folders pruning leaves, newest use first."""

STALE_AFTER_S = 24 * 3600.0
"""Age in seconds from which an unfinished folder is taken for the remains of a killed process."""

MARKER = "complete.json"
"""The file that lists a folder's doors with size and checksum; written last."""

DOOR_SUFFIX = ".door"


def cache_root() -> Path:
    """Returns the folder that holds the kernel folders: `apotheosis/kernels` in the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "apotheosis" / "kernels"


def source_digest(rules_folder: Path) -> str:
    """Returns the hash of the sources that compiled code is made of.

    Args:
        rules_folder: the package folder of the kernel; the vocabulary beside it belongs to the sources.
    """
    digest = hashlib.sha256()
    files = sorted(rules_folder.rglob("*.py"))
    vocabulary = rules_folder.parent / "vocabulary.py"
    for file in [*files, *([vocabulary] if vocabulary.exists() else [])]:
        digest.update(file.relative_to(rules_folder.parent).as_posix().encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


def folder_key(sources: str, environment: dict[str, object]) -> str:
    """Returns the name of the kernel folder for these sources in this environment (20 hexadecimal digits)."""
    text = json.dumps([sources, environment], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def is_complete(folder: Path) -> bool:
    """Returns whether the folder was finished; its files are checked when they are read."""
    return (folder / MARKER).is_file()


def read_marker(folder: Path) -> dict | None:
    """Returns the folder's marker, or None where it is missing or unreadable."""
    try:
        marker = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return marker if isinstance(marker, dict) and "doors" in marker else None


def finish(building: Path, folder: Path, notes: dict[str, object]) -> None:
    """Writes the marker of a filled folder and gives the folder its final name.

    Args:
        building: the filled folder.
        folder: its final name; a broken folder of that name is replaced.
        notes: what else the marker records (functions, seconds).
    """
    doors = {}
    for file in sorted(building.glob(f"*{DOOR_SUFFIX}")):
        data = file.read_bytes()
        doors[file.name] = [len(data), zlib.crc32(data)]
    marker = {"doors": doors, **notes}
    (building / MARKER).write_text(json.dumps(marker, indent=1), encoding="utf-8")
    if folder.exists():
        discard(folder)
    os.replace(building, folder)


def read_door(folder: Path, name: str) -> bytes | None:
    """Returns a door's stored bytes, or None where the folder does not hold them intact.

    Args:
        folder: a complete kernel folder.
        name: the door's file name.
    """
    marker = read_marker(folder)
    entry = None if marker is None else marker["doors"].get(name)
    if entry is None:
        return None
    try:
        data = (folder / name).read_bytes()
    except OSError:
        return None
    return data if [len(data), zlib.crc32(data)] == entry else None


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
    """Removes old kernel folders, the remains of killed compilations and unused locks.

    Args:
        root: the folder of the kernel folders.
        keep: the folder in use; it is never removed.
    """
    complete, now = [], time.time()
    for entry in root.iterdir():
        with contextlib.suppress(OSError):
            if is_complete(entry):
                complete.append(((entry / MARKER).stat().st_mtime, entry))
            elif entry.is_dir() and now - entry.stat().st_mtime > STALE_AFTER_S:
                discard(entry)
    others = sorted((pair for pair in complete if pair[1] != keep), reverse=True)
    for _, folder in others[KEPT_FOLDERS - 1 :]:
        discard(folder)
        with contextlib.suppress(OSError):
            folder.with_suffix(".lock").unlink()


def writable_root() -> Path | None:
    """Returns the cache root after making sure that it can be written, or None where it cannot."""
    root = cache_root()
    probe = root / f"probe-{os.getpid()}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        probe.mkdir()
        probe.rmdir()
    except OSError:
        return None
    return root


@contextlib.contextmanager
def locked(folder: Path, quiet: bool) -> Iterator[int | None]:
    """Holds the lock of a kernel folder; says so when another process holds it.

    Args:
        folder: the kernel folder; the lock file stands beside it.
        quiet: leaves the message out.

    Yields:
        The descriptor of the lock file (a child that inherits it keeps the lock), None where there are no locks.
    """
    if fcntl is None:
        yield None
        return
    try:
        descriptor = os.open(folder.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise InternalError(f"the lock of the kernel cache cannot be opened: {error}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not quiet:
                print("The rules kernel is being compiled by another process; waiting for it.", file=sys.stderr, flush=True)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)
