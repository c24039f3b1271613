"""Lowered functions kept between builds, so that a change of one rule lowers one function again and not all of them.

A lowered function refers to its callees by name and takes nothing from their bodies. So its code depends on its own
bytecode and signature, on the names and signatures of its callees, on the values of the constants it reads, and on the
versions, processor and options that hold for the whole kernel. All of that goes into its key. A function that reads
anything else has no key and is lowered in every build.
"""

from __future__ import annotations

import contextlib
import dis
import enum
import hashlib
import os
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic
from numba.core.itanium_mangler import mangle_args
from numba.core.sigutils import normalize_signature

KEPT_PARTS = 12000
"""How many lowered functions pruning leaves, the last used first."""

SUFFIX = ".part"

FOREIGN = ("math", "numpy", "numba")
"""Modules whose content follows from the versions."""


class NoKey(Exception):
    """A function reads something whose value cannot be written down."""


def part_key(function: Callable, signature: Any, circumstances: str) -> str | None:
    """Returns the key of a lowered function, or None where it cannot be kept.

    Args:
        function: the plain function; what it calls has been lowered before.
        signature: its Numba signature or the text of it.
        circumstances: everything that holds for all functions.
    """
    code = function.__code__
    if code.co_freevars or function.__defaults__ or function.__kwdefaults__:
        return None
    arguments, result = normalize_signature(signature)
    try:
        facts = [
            circumstances,
            stable_name(function),
            mangle_args(arguments),
            *map(repr, (*arguments, result)),
            *code_facts(code),
            *global_facts(code, function.__globals__),
        ]
    except NoKey:
        return None
    return hashlib.sha256("\0".join(facts).encode()).hexdigest()


def stable_name(function: Callable) -> str:
    """Returns the name of a function that does not change with its body."""
    return f"{function.__module__}.{function.__qualname__}"


def code_facts(code: types.CodeType) -> Iterator[str]:
    """Yields what a function does, without the lines and the file where it stands."""
    yield repr((code.co_code, code.co_names, code.co_varnames, code.co_argcount, code.co_flags, code.co_exceptiontable))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_facts(constant)
        else:
            yield repr(constant)


def global_facts(code: types.CodeType, names: dict[str, Any]) -> Iterator[str]:
    """Yields name and value of each global that a function reads; built-in names mean what they always mean."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME") and instruction.argval in names:
            yield f"{instruction.argval}={fact(names[instruction.argval])}"
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from global_facts(constant, names)


def fact(value: Any) -> str:
    """Returns a text that changes when a constant's value does.

    Raises:
        NoKey: this kind of value is not known here.
    """
    if isinstance(value, enum.EnumMeta):
        return f"{value.__qualname__} {[(name, repr(member)) for name, member in value.__members__.items()]}"
    if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic)):
        return f"{type(value).__qualname__} {value!r}"
    if isinstance(value, tuple):
        return f"({', '.join(map(fact, value))})"
    if isinstance(value, Dispatcher):
        return repr([(result.fndesc.mangled_name, result.signature) for result in value.overloads.values()])
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return f"{value.dtype!r} {value.shape} {value.strides} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, np.dtype):
        return f"{value!r} {value.fields!r} {value.itemsize}"
    if isinstance(value, numba.types.Type):
        return repr(value)
    if isinstance(value, _Intrinsic):
        return f"intrinsic {stable_name(value._defn)}"
    if isinstance(value, types.ModuleType) and value.__name__ in FOREIGN:
        return value.__name__
    raise NoKey


class PartStore:
    """Files of lowered functions in one folder.

    Args:
        folder: the folder; it is made when the first part is written.
        circumstances: everything outside the functions that decides how they are lowered.
    """

    def __init__(self, folder: Path, circumstances: str):
        self.folder = folder
        self.circumstances = circumstances

    def key(self, function: Callable, signature: Any, is_door: bool) -> str | None:
        """Returns the key of a function, or None where it cannot be kept."""
        return part_key(function, signature, f"{self.circumstances} {is_door}")

    def read(self, key: str) -> bytes | None:
        """Returns what was kept under a key, or None; notes that it is in use."""
        file = self.folder / f"{key}{SUFFIX}"
        try:
            os.utime(file)
            checksum, data = file.read_bytes().split(b"\n", 1)
        except (OSError, ValueError):
            return None
        return data if checksum == checksum_of(data) else None

    def write(self, key: str, data: bytes) -> None:
        """Keeps a lowered function; a folder that cannot be written only costs time later."""
        file = self.folder / f"{key}{SUFFIX}"
        unfinished = file.with_name(f"{file.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(checksum_of(data) + b"\n" + data)
            os.replace(unfinished, file)

    def prune(self) -> None:
        """Removes the files that were not used for longest."""
        with contextlib.suppress(OSError):
            files = sorted(self.folder.iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)
            for file in files[KEPT_PARTS:]:
                file.unlink(missing_ok=True)


def checksum_of(data: bytes) -> bytes:
    """Returns a checksum in one line."""
    return hashlib.sha256(data).hexdigest().encode()
