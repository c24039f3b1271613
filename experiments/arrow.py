"""Arrow arrays straight from memory, without the detour that makes Arrow import pandas.

`pyarrow.array` looks for pandas objects and imports pandas to do so, in every worker and every command, which costs
more than playing a thousand matches. Arrays of numbers, flags and names are laid out here instead.

Source: Arrow columnar format, fixed-size primitive, boolean, variable-size binary and dictionary layouts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np
import pyarrow as pa


def numbers(values: np.ndarray, kind: pa.DataType, missing: np.ndarray | None = None) -> pa.Array:
    """Returns an array of numbers or flags.

    Args:
        values: (n,) values; those of missing entries do not matter.
        kind: a fixed-size number type or bool.
        missing: (n,) bool, True where the value is missing, or None.
    """
    values = np.asarray(values)
    if pa.types.is_boolean(kind):
        data = np.packbits(values.astype(bool), bitorder="little")
    else:
        data = np.ascontiguousarray(values, kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(values), [_validity(missing), pa.py_buffer(data)], _count(missing))


def texts(values: Iterable[str | None]) -> pa.Array:
    """Returns an array of text; None is missing."""
    entries = list(values)
    encoded = [b"" if entry is None else str(entry).encode() for entry in entries]
    offsets = np.fromiter(accumulate(map(len, encoded), initial=0), np.int32, len(encoded) + 1)
    missing = np.array([entry is None for entry in entries], bool) if None in entries else None
    buffers = [_validity(missing), pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(entries), buffers, _count(missing))


def names(codes: np.ndarray, names: Sequence[str]) -> pa.Array:
    """Returns a dictionary array with only the names that occur, in the order of their codes.

    Args:
        codes: (n,) numbers of names; -1 is missing.
        names: all names.
    """
    codes = np.asarray(codes, np.int64)
    used = np.flatnonzero(np.bincount(codes + 1, minlength=len(names) + 1)[1:])
    place = np.zeros(len(names) + 1, np.int32)
    place[used] = np.arange(len(used))
    missing = codes < 0
    indices = numbers(place[codes], pa.int32(), missing if missing.any() else None)
    return pa.DictionaryArray.from_arrays(indices, texts(names[code] for code in used.tolist()))


def named(values: Iterable[str | None]) -> pa.Array:
    """Returns a dictionary array of names in the order of their first use; None is missing."""
    entries = list(values)
    order = {name: code for code, name in enumerate(dict.fromkeys(entry for entry in entries if entry is not None))}
    return names(np.array([-1 if entry is None else order[entry] for entry in entries], np.int64), list(order))


def _validity(missing: np.ndarray | None) -> pa.Buffer | None:
    return None if missing is None else pa.py_buffer(np.packbits(~missing, bitorder="little"))


def _count(missing: np.ndarray | None) -> int:
    return 0 if missing is None else int(missing.sum())
