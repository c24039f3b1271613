"""Plain Python objects behind the field names of a record, for running the kernel uncompiled.

Compiled code reads `match.field[i]` from a numpy record. Python can run the same sources for breakpoints, coverage and the
comparison of both, but numpy scalars would wrap around silently and be slow. A shadow offers the same names over Python
ints and lists: numbers are exact, a bad index raises IndexError, and a value that its field cannot hold raises
OverflowError when the shadow is written back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any

import numpy as np


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


class Records:
    """An array of records in one dimension; an element becomes a shadow when it is first asked for."""

    __slots__ = ("source", "made")

    def __init__(self, source: np.ndarray):
        self.source = source
        self.made: list[Any] = [None] * len(source)

    def __len__(self) -> int:
        return len(self.made)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self.made)))

    @property
    def shape(self) -> tuple[int]:
        """The length in a tuple, as a numpy array has it."""
        return (len(self.made),)

    def __getitem__(self, index: int) -> Any:
        """Returns the shadow of one element; every request gives the same object."""
        shadow = self.made[index]
        if shadow is None:
            shadow = self.made[index] = shadow_of(self.source[index])
        return shadow

    def __setitem__(self, index: int, value: Any) -> None:
        """Copies a record into one element, as an assignment of records does in compiled code."""
        copy_into(self[index], value)


@cache
def shadow_class(dtype: np.dtype) -> type:
    """Returns the class whose attributes are the fields of a record type."""
    return type("Shadow", (), {"__slots__": (*(dtype.names or ()), "__weakref__"), "dtype": dtype})


def shadow_of(record: np.void | np.ndarray) -> Any:
    """Builds the shadow of one record.

    Args:
        record: a record, or an array of no dimension.

    Returns:
        An object with the record's field names: int, float or bool for scalars, nested lists for arrays, shadows for
        records, `Records` for arrays of records. Elements of `Records` are read later, so the record must not change
        behind the shadow.
    """
    dtype = record.dtype
    shadow = shadow_class(dtype)()
    for name in dtype.names:
        value, field = record[name], dtype[name]
        base, rank = field.base, len(field.shape)
        if base.names and rank > 1:
            raise TypeError(f"field {name!r}: arrays of records have one dimension here")
        if base.names:
            setattr(shadow, name, Records(value) if rank else shadow_of(value))
        else:
            plain = value.tolist()
            setattr(shadow, name, Grid(plain) if rank > 1 else plain)
    return shadow


def blank(dtype: np.dtype) -> Any:
    """Builds the shadow of a record full of zeros.

    Args:
        dtype: the record type.
    """
    return shadow_of(np.zeros((), dtype))


def copy_into(target: Any, origin: Any) -> None:
    """Copies all fields of one shadow into another of the same type, in place.

    Args:
        target: the shadow that changes.
        origin: a shadow, or a numpy record.
    """
    if isinstance(origin, (np.void, np.ndarray)):
        origin = shadow_of(origin)
    if target is origin:
        return
    for name in type(target).__slots__[:-1]:
        value = getattr(origin, name)
        if isinstance(value, Records):
            own = getattr(target, name)
            for i in range(len(value)):
                own[i] = value[i]
        elif hasattr(type(value), "dtype"):
            copy_into(getattr(target, name), value)
        elif isinstance(value, list):
            copy_list(getattr(target, name), value)
        else:
            setattr(target, name, value)


def copy_list(target: list, origin: list) -> None:
    """Copies nested lists element by element, so that rows which are held elsewhere stay the rows of the target."""
    for i, value in enumerate(origin):
        if isinstance(value, list):
            copy_list(target[i], value)
        else:
            list.__setitem__(target, i, value)


def write_back(shadow: Any, record: np.void | np.ndarray) -> None:
    """Writes a shadow into a record of its type.

    Args:
        shadow: what to write; elements of `Records` that nobody asked for are left as they are.
        record: the record that changes.

    Raises:
        OverflowError: a value does not fit its field.
    """
    for name in record.dtype.names:
        value = getattr(shadow, name)
        if isinstance(value, Records):
            write_records(value, record[name])
        elif hasattr(type(value), "dtype"):
            write_back(value, record[name])
        else:
            record[name] = value


def write_records(records: Records, array: np.ndarray) -> None:
    """Writes the elements of `records` that were asked for into the array."""
    for i, shadow in enumerate(records.made):
        if shadow is not None:
            write_back(shadow, array[i])


def uncompiled_door(function: Callable) -> Callable:
    """Makes a kernel function that takes arrays callable with numpy arrays while it runs uncompiled.

    Args:
        function: the plain function.

    Returns:
        A function of the same arguments: arrays of records go in as shadows and are written back when the function
        returns, records likewise; numpy scalars go in as Python numbers. An exception leaves every record as it was.
    """

    @wraps(function)
    def call(*arguments: Any) -> Any:
        pairs, passed = [], []
        for argument in arguments:
            value = argument
            if isinstance(argument, np.ndarray) and argument.dtype.names and argument.ndim:
                value = Records(argument)
                pairs.append((value, argument))
            elif isinstance(argument, (np.void, np.ndarray)) and argument.dtype.names:
                value = shadow_of(argument)
                pairs.append((value, argument))
            elif isinstance(argument, np.generic):
                value = argument.item()
            passed.append(value)
        result = function(*passed)
        for value, argument in pairs:
            if isinstance(value, Records):
                write_records(value, argument)
            else:
                write_back(value, argument)
        return result

    call.py_func = function  # type: ignore[attr-defined]
    return call
