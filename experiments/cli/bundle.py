"""A bundle for an internal error: everything needed to see it again, in one zip file.

The user sees one sentence and a path. Whoever repairs the lab gets the command, the versions, the traceback, the spec
and, where a run folder is concerned, its plan, decks and quarantine.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

PACKAGES = ("apotheosis-lab", "numpy", "numba", "llvmlite", "pandas", "pyarrow", "pydantic", "ray", "torch")
LARGEST_BYTES = 5_000_000
"""Larger files named on the command line stay out of the bundle."""
RUN_FILES = ("plan.json", "decks.json")


def write_bundle(error: BaseException, arguments: Sequence[str]) -> Path:
    """Writes the bundle of an unexpected exception into the current folder, or the system's own if that fails.

    Args:
        error: the exception.
        arguments: the command line without the program's name.

    Returns:
        The path of the zip file.
    """
    name = f"apotheosis-bug-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.zip"
    try:
        return _write(Path.cwd() / name, error, arguments)
    except OSError:
        return _write(Path(tempfile.gettempdir()) / name, error, arguments)


def _write(path: Path, error: BaseException, arguments: Sequence[str]) -> Path:
    report = {
        "command": ["apotheosis", *arguments],
        "error": f"{type(error).__name__}: {error}",
        "python": sys.version,
        "platform": platform.platform(),
        "processor": platform.machine(),
        "versions": _versions(),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("report.json", json.dumps(report, indent=1, ensure_ascii=False))
        bundle.writestr("traceback.txt", "".join(traceback.format_exception(error)))
        for number, file in enumerate(_inputs(arguments)):
            with contextlib.suppress(OSError):
                bundle.write(file, f"inputs/{number}-{file.name}")
    return path


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[package] = metadata.version(package)
    return found


def _inputs(arguments: Sequence[str]) -> list[Path]:
    """Returns the files that the command line names, and the plans and quarantine of the run folders it names."""
    found: list[Path] = []
    for argument in arguments:
        for part in argument.partition("=")[2].split(",") + argument.split(","):
            with contextlib.suppress(OSError, ValueError):
                path = Path(part)
                if part and path.is_file():
                    found.append(path)
                elif part and path.is_dir():
                    found += [path / name for name in RUN_FILES if (path / name).is_file()]
                    found += sorted((path / "quarantine").glob("*.json"))
    return [path for path in dict.fromkeys(found) if path.stat().st_size <= LARGEST_BYTES]
