"""The digest of a package's code and data, for all that must be made anew when the lab itself changes."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from pathlib import Path

SUFFIXES = (".py", ".csv", ".json", ".lark")
"""Kinds of files that decide what the lab does; card files have digests of their own."""


@cache
def digest(*packages: str) -> str:
    """Returns the hash of all code and data of packages of the lab, 32 hexadecimal digits.

    Args:
        packages: their names below `apotheosis`, for instance "env".
    """
    found = hashlib.sha256()
    for package in packages:
        root = Path(str(resources.files(f"apotheosis.{package}")))
        for path in sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES):
            found.update(f"{package}/{path.relative_to(root).as_posix()}\0".encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:32]
