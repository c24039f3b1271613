"""Plain Python objects behind the field names of a record, for running the kernel uncompiled.

Compiled code reads `match.field[i]` from a numpy record. Python can run the same sources for breakpoints, coverage and
the comparison of both, but numpy scalars would wrap around silently and be slow. A shadow offers the same names over
Python numbers and lists: integers are exact, a bad index raises IndexError, and a value that its field cannot hold
raises OverflowError when it reaches the record.

A shadow reads a field from its record when the field is first used and keeps it; `write_back` brings it home.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any

import numpy as np

COPIED_AT_MOST = 2048
"""Elements of a field up to which it is copied to lists; longer fields are read and written in place."""


class Row(list):
    """A field of one dimension: a list that takes no negative index, since compiled code does not count from the end."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        """Returns one element."""
        if type(index) is not slice and index < 0:
            raise IndexError(f"negative index {index}")
        return list.__getitem__(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Sets one element."""
        if type(index) is not slice and index < 0:
            raise IndexError(f"negative index {index}")
        list.__setitem__(self, index, value)


class Grid(list):
    """A field of two or more dimensions: nested lists that also take `grid[i, j]`, and no negative index there."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        """Returns one element or, for fewer indices than dimensions, the row, which is shared and not copied."""
        if type(index) is not tuple:
            return list.__getitem__(self, index)
        cell: Any = self
        for i in index:
            if i < 0:
                raise IndexError(f"negative index in {index}")
            cell = list.__getitem__(cell, i)
        return cell

    def __setitem__(self, index: Any, value: Any) -> None:
        """Sets one element."""
        if type(index) is not tuple:
            list.__setitem__(self, index, value)
            return
        if index[-1] < 0:
            raise IndexError(f"negative index in {index}")
        list.__setitem__(self[index[:-1]], index[-1], value)


class Window:
    """A long field, read and written in place, one exact number at a time."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray):
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, index: Any) -> Any:
        """Returns one element as a Python number."""
        if type(index) is not slice and type(index) is not tuple and index < 0:
            raise IndexError(f"negative index {index}")
        return self.array[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        """Sets one element; a value that does not fit raises OverflowError."""
        if type(index) is not slice and type(index) is not tuple and index < 0:
            raise IndexError(f"negative index {index}")
        self.array[index] = value


class Records:
    """An array of records; an element becomes a shadow when it is first asked for."""

    __slots__ = ("array", "made")

    def __init__(self, array: np.ndarray):
        self.array = array
        self.made: list[Any] = [None] * len(array)

    def __len__(self) -> int:
        return len(self.made)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self.made)))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        return self.array.shape

    def __getitem__(self, index: Any) -> Any:
        """Returns the shadow of one element; for a slice or too few indices, records that share their elements."""
        if type(index) is slice:
            part = Records(self.array[index])
            part.made = [self[i] for i in range(*index.indices(len(self.made)))]
            return part
        if type(index) is tuple:
            first, *rest = index
            return self[first] if not rest else self[first][tuple(rest)]
        if index < 0:
            raise IndexError(f"negative index {index}")
        element = self.made[index]
        if element is None:
            part = self.array[index, ...]  # a view of no dimension, where plain indexing would give a scalar
            element = self.made[index] = Records(part) if part.ndim else shadow_of(part)
        return element

    def __setitem__(self, index: Any, value: Any) -> None:
        """Copies a record into one element, as an assignment of records does in compiled code."""
        assign(self[index], value)


class Shadow:
    """Base of the classes that `shadow_class` makes, one for each record type."""

    __slots__ = ("_record",)

    def __getattr__(self, name: str) -> Any:
        """Reads a field from the record; Python asks for it while the field has no value here."""
        record = self._record
        if name not in record.dtype.names:
            raise AttributeError(f"a record has no field {name!r}")
        value, base = record[name], record.dtype[name].base
        if base.names:
            kept = Records(value) if value.ndim else shadow_of(value)
        elif value.ndim and value.size > COPIED_AT_MOST:
            kept = Window(value)
        elif value.ndim:
            kept = Grid(value.tolist()) if value.ndim > 1 else Row(value.tolist())
        else:
            kept = value.tolist()
        setattr(self, name, kept)
        return kept


@cache
def shadow_class(dtype: np.dtype) -> type[Shadow]:
    """Returns the shadow class of a record type; its attributes are the fields and nothing else."""
    return type("Shadow", (Shadow,), {"__slots__": dtype.names})


def shadow_of(record: np.void | np.ndarray) -> Any:
    """Makes the shadow of one record.

    Args:
        record: an element of a record array, or an array of no dimension; it belongs to the shadow until it is written
            back, since fields are read late.

    Returns:
        An object with the record's field names: numbers for scalars, nested lists for arrays, shadows for records,
        `Records` for arrays of records.
    """
    shadow = shadow_class(record.dtype)()
    shadow._record = record
    return shadow


def kept_fields(shadow: Shadow) -> Iterator[tuple[str, Any]]:
    """Yields name and value of the fields that the shadow has read or been given."""
    for name in type(shadow).__slots__:
        try:
            yield name, object.__getattribute__(shadow, name)
        except AttributeError:
            continue


def write_back(shadow: Any, record: Any = None) -> None:
    """Writes what a shadow keeps into a record.

    Args:
        shadow: a shadow or `Records`.
        record: where to write, of the same type; the shadow's own record or array where left out.

    Raises:
        OverflowError: a value does not fit its field.
    """
    if isinstance(shadow, Records):
        array = shadow.array if record is None else record
        for i, element in enumerate(shadow.made):
            if element is not None:
                write_back(element, array[i, ...])
        return
    record = shadow._record if record is None else record
    for name, value in kept_fields(shadow):
        if isinstance(value, (Shadow, Records)):
            write_back(value, record[name])
        elif isinstance(value, Window):
            if record is not shadow._record:
                record[name] = value.array
        else:
            record[name] = value


def forget(shadow: Any) -> None:
    """Makes a shadow read its fields anew; shadows inside it stay the same objects."""
    if isinstance(shadow, Records):
        for element in shadow.made:
            if element is not None:
                forget(element)
        return
    for name, value in list(kept_fields(shadow)):
        if isinstance(value, (Shadow, Records)):
            forget(value)
        elif not isinstance(value, Window):
            delattr(shadow, name)


def assign(target: Any, origin: Any) -> None:
    """Copies a record into another of the same type.

    Args:
        target: the shadow that changes, and its record with it.
        origin: a shadow or a numpy record.
    """
    if target is origin:
        return
    record = origin._record if isinstance(origin, Shadow) else origin
    for name in record.dtype.names:
        target._record[name] = record[name]
    if isinstance(origin, Shadow):
        write_back(origin, target._record)
    forget(target)


def uncompiled_door(function: Callable) -> Callable:
    """Makes a kernel function that takes arrays callable with numpy arrays while it runs uncompiled.

    Args:
        function: the plain function.

    Returns:
        A function of the same arguments: records and arrays of records go in as shadows and are written back when it
        returns; numpy scalars go in as Python numbers.
    """

    @wraps(function)
    def call(*arguments: Any) -> Any:
        shadows, passed = [], []
        for argument in arguments:
            value: Any = argument
            if isinstance(argument, np.ndarray) and argument.dtype.names and argument.ndim:
                value = Records(argument)
                shadows.append(value)
            elif isinstance(argument, (np.void, np.ndarray)) and argument.dtype.names:
                value = shadow_of(argument)
                shadows.append(value)
            elif isinstance(argument, np.generic):
                value = argument.item()
            passed.append(value)
        result = function(*passed)
        for value in shadows:
            write_back(value)
        return result

    call.py_func = function  # type: ignore[attr-defined]
    return call
