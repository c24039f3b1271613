"""The files of a run folder: written whole or not at all, and never trusted before they are checked.

Everything a run leaves on disk goes through `Atomic`: bytes go to a temporary name in the target folder, are forced
to the disk and renamed. A crash, a kill or a full disk therefore leaves either the finished file or none. Chunk files
carry the plan's fingerprint and page checksums, so that a truncated, damaged or foreign file is found and played again.
"""

from __future__ import annotations

import errno
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apotheosis.env.errors import InputError, OutOfResources
from apotheosis.experiments import dictionary

if TYPE_CHECKING:
    import pyarrow as pa

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""Errors of the operating system that mean: no room left."""
RESERVE_BYTES = 32 * 2**20
"""A run stops when less than this is free."""
TEMPORARY = ".tmp"
COMPRESSION = "zstd"
PLAN, DECKS, POOL, EFFECTS = "plan.json", "decks.json", "pool.parquet", "effects.parquet"
WRITE_BITS = 0o222
"""Of the mode of a file: anybody may write it. The administrator may without them, too, but should not."""
CHUNKS, QUARANTINE, REPLAYS = "chunks", "quarantine", "replays"


class Atomic:
    """A file being written under a temporary name; a minimal writable binary file, also for Parquet writers.

    Use `open_atomic`, which finishes or removes it.
    """

    def __init__(self, path: Path):
        self.path = path
        self.temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}{TEMPORARY}")
        self.closed = False
        self._position = 0
        try:
            self._descriptor = os.open(self.temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except OSError as error:
            error.filename = str(path)  # nobody knows the temporary name
            raise

    def write(self, data: Any) -> int:
        """Writes all bytes; the only place of the lab that puts run data on a disk."""
        view = memoryview(data).cast("B")
        done = 0
        while done < len(view):
            done += os.write(self._descriptor, view[done:])
        self._position += done
        return done

    def tell(self) -> int:
        """Returns the number of bytes written."""
        return self._position

    def flush(self) -> None:
        """Does nothing: nothing is held back."""

    def close(self) -> None:
        """Does nothing: the file is finished by `open_atomic`, which also decides whether it may stay."""

    def readable(self) -> bool:
        """Returns False."""
        return False

    def writable(self) -> bool:
        """Returns True."""
        return True

    def seekable(self) -> bool:
        """Returns False."""
        return False

    def commit(self) -> None:
        """Forces the bytes to the disk and gives the file its name."""
        os.fsync(self._descriptor)
        os.close(self._descriptor)
        self.closed = True
        os.replace(self.temporary, self.path)
        _sync_folder(self.path.parent)

    def discard(self) -> None:
        """Removes what was written."""
        if not self.closed:
            os.close(self._descriptor)
            self.closed = True
        self.temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Forces the entry of a renamed file to the disk, where the system allows folders to be opened."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def open_atomic(path: Path) -> Iterator[Atomic]:
    """Opens a file that appears complete under its name when the block ends well, and not at all otherwise.

    Raises:
        OutOfResources: the disk is full; nothing half-written stays.
    """
    file = None
    try:
        file = Atomic(path)
        yield file
        file.commit()
    except BaseException as error:
        if file is not None:
            file.discard()
        if isinstance(error, OSError) and error.errno in FULL:
            raise OutOfResources("there is no room left on the disk; nothing half-written was kept", path) from error
        raise


def replay_name(match_id: int) -> str:
    """Returns the place of a match's replay file in its run folder, as the table of matches names it."""
    return f"{REPLAYS}/{match_id:06d}.json"


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a whole file atomically."""
    with open_atomic(path) as file:
        file.write(data)


def write_out(path: Path, data: bytes) -> None:
    """Writes a file whose name a user gave: whole or not at all, through links, and never over what is protected.

    Raises:
        OSError: it names a folder, a file that may not be written, or a place where none can be.
        OutOfResources: the disk is full.
    """
    target = _writable(path)
    if target.exists() and not target.is_file():
        target.write_bytes(data)  # a pipe or a device is written to, not replaced
    else:
        write_bytes(target, data)


def check_out(path: Path) -> None:
    """Finds out before long work whether `write_out` will be able to write a file.

    Raises:
        OSError: it will not.
    """
    target = _writable(path)
    if not target.exists() or target.is_file():
        Atomic(target).discard()


def _writable(path: Path) -> Path:
    """Returns the file behind a name, its folder made; raises an OSError where it may not be written."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.is_file() and not (target.stat().st_mode & WRITE_BITS and os.access(target, os.W_OK)):
        raise PermissionError(errno.EACCES, "is write-protected", str(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def write_json(path: Path, value: Any) -> None:
    """Writes a value as readable JSON, keys in the order given."""
    write_bytes(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def read_json(path: Path) -> Any:
    """Reads a JSON file.

    Raises:
        InputError: it is missing or not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError("this file of the run is missing", path) from error
    except ValueError as error:
        raise InputError(f"is not readable as JSON: {error}", path) from error


def write_table(path: Path, tables: Iterable[pa.Table], schema: pa.Schema) -> int:
    """Writes tables one after another, each as one row group, into one Parquet file, holding one at a time.

    Args:
        path: the target.
        tables: tables of this schema; an empty iterable gives an empty table.
        schema: schema with the metadata of the file.

    Returns:
        Rows written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 0
    named = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    options = {"compression": COMPRESSION, "write_page_checksum": True, "store_schema": True, "use_dictionary": named}
    with open_atomic(path) as file, pq.ParquetWriter(file, schema, **options) as writer:
        for table in tables:
            if table.num_rows:
                writer.write_table(_fitted(table, schema), row_group_size=table.num_rows)
                rows += table.num_rows
    return rows


def _fitted(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Returns a table with a schema's types and metadata; a cast, which loads all of Arrow's functions, only if needed."""
    same = table.schema.equals(schema, check_metadata=False)
    return table.replace_schema_metadata(schema.metadata) if same else table.cast(schema)


def read_table(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Reads a Parquet file with its page checksums verified.

    Raises:
        OSError, pyarrow.ArrowException: the file is missing, truncated or damaged.
    """
    import pyarrow.parquet as pq

    # One thread: a worker may use one core, and the files are small.
    return pq.ParquetFile(path, page_checksum_verification=True).read(columns=columns, use_threads=False)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns what a missing or damaged file raises into the sentence for whoever asked for it.

    Raises:
        InputError: the file is not there, or cannot be read.
    """
    import pyarrow as pa

    try:
        yield
    except FileNotFoundError as error:
        raise InputError(f"has no {path.name} yet; finish the run first (apotheosis resume)", path.parent) from error
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"cannot be read as {path.suffix[1:]}: {reason}", path) from error


def run_table(folder: Path, name: str, columns: list[str] | None = None) -> pa.Table:
    """Reads a table of a run folder, checksums verified.

    Raises:
        InputError: the table is not there, or damaged.
    """
    path = folder / f"{name}.parquet"
    with reading(path):
        return read_table(path, columns)


def read_groups(path: Path, columns: list[str]) -> Iterator[pa.Table]:
    """Yields a Parquet file row group by row group (a chunk each, in the tables of a run), checksums verified.

    Raises:
        InputError: the file is not there, or damaged.
    """
    import pyarrow.parquet as pq

    with reading(path), pq.ParquetFile(path, page_checksum_verification=True) as file:
        for group in range(file.num_row_groups):
            yield file.read_row_group(group, columns=columns, use_threads=False)


class Folder:
    """The run folder: names of its files, the state of its chunks, and the tables built from them.

    Args:
        path: the folder.
        fingerprint: hash of the plan, which every chunk file of this run carries.
    """

    def __init__(self, path: Path, fingerprint: str):
        self.path, self.fingerprint = Path(path), fingerprint

    def chunk_file(self, chunk: int, table: str) -> Path:
        """Returns the path of a chunk's table (`matches`, `cards` or `turns`)."""
        return self.path / CHUNKS / f"{chunk:06d}.{table}.parquet"

    def quarantine_file(self, chunk: int) -> Path:
        """Returns the path of the list of a chunk's matches that must not be played again."""
        return self.path / QUARANTINE / f"{chunk:06d}.json"

    def write_chunk(self, chunk: int, tables: dict[str, pa.Table]) -> None:
        """Writes a chunk's tables; `matches` comes last, so that its presence says the others are there."""
        (self.path / CHUNKS).mkdir(parents=True, exist_ok=True)
        for name in sorted(tables, key=lambda name: name == "matches"):
            metadata = {"apotheosis.plan": self.fingerprint, "apotheosis.chunk": str(chunk)}
            write_table(self.chunk_file(chunk, name), [tables[name]], dictionary.schema(name, metadata))

    def chunk_fault(self, chunk: int, n_matches: int, names: Iterable[str]) -> str | None:
        """Returns what is wrong with a chunk: None when it is complete, `missing`, or the reason it is broken.

        Args:
            chunk: number of the chunk.
            n_matches: matches the plan gives it.
            names: tables it must have.
        """
        import pyarrow as pa

        if not self.chunk_file(chunk, "matches").exists():
            return "missing"
        for name in names:
            path = self.chunk_file(chunk, name)
            try:
                table = read_table(path)
            except (OSError, pa.ArrowException) as error:
                return f"{path.name} cannot be read ({str(error).splitlines()[0][:120]})"
            metadata = table.schema.metadata or {}
            if metadata.get(b"apotheosis.plan", b"").decode() != self.fingerprint:
                return f"{path.name} belongs to another plan"
            if metadata.get(b"apotheosis.chunk", b"").decode() != str(chunk):
                return f"{path.name} holds another chunk"
            if table.column_names != dictionary.columns(name):
                return f"{path.name} has other columns than documented"
            if name == "matches" and table.num_rows != n_matches:
                return f"{path.name} has {table.num_rows} matches instead of {n_matches}"
        return None

    def outcomes(self, chunk: int) -> dict[str, int]:
        """Returns the number of matches of a complete chunk by outcome."""
        column = read_table(self.chunk_file(chunk, "matches"), ["outcome"]).column("outcome")
        counts = Counter(column.to_pylist())
        return {name: counts[name] for name in dictionary.OUTCOMES if name in counts}

    def build_table(self, name: str, chunks: Iterable[int]) -> int:
        """Writes the table of the whole run from its chunks, one in memory at a time; returns its rows."""
        schema = dictionary.schema(name, {"apotheosis.plan": self.fingerprint})
        tables = (read_table(self.chunk_file(chunk, name)) for chunk in chunks)
        return write_table(self.path / f"{name}.parquet", tables, schema)

    def remove_temporaries(self) -> None:
        """Removes what killed writers left behind."""
        for folder in (self.path, self.path / CHUNKS, self.path / QUARANTINE):
            for path in folder.glob(f".*{TEMPORARY}"):
                path.unlink(missing_ok=True)

    def remove_empty(self) -> None:
        """Removes the quarantine's folder when nothing is in it."""
        folder = self.path / QUARANTINE
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()

    def remove_chunk(self, chunk: int) -> None:
        """Removes the files of a broken chunk."""
        for path in (self.path / CHUNKS).glob(f"{chunk:06d}.*.parquet"):
            path.unlink(missing_ok=True)


@contextmanager
def only_driver(path: Path) -> Iterator[None]:
    """Keeps a second driver out of a run folder; the lock ends with the process, however it ends.

    Raises:
        InputError: another process plays this run.
    """
    try:
        import fcntl
    except ImportError:  # Windows: a second driver would do the same work twice, with the same bytes
        yield
        return
    with (path / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError("another process is playing this run; wait for it or stop it", path) from error
        yield


def check_room(path: Path) -> None:
    """Refuses to go on when the disk is nearly full, while there is still room for an orderly end.

    Raises:
        OutOfResources: less than `RESERVE_BYTES` are free.
    """
    free = room(path)
    if free < RESERVE_BYTES:
        raise OutOfResources(f"only {free // 2**20} MB are free on this disk; make room, then resume", path)


def room(path: Path) -> int:
    """Returns the free bytes on the disk that a folder, or its nearest existing parent, lies on."""
    import shutil

    while not path.exists() and path != path.parent:
        path = path.parent
    return shutil.disk_usage(path).free
