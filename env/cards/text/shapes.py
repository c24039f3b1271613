"""Shapes of trees: patterns with slots, which a tree fills and from which one is built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Slots = dict[str, Any]
LIFTED = ("chars", "card", "deck")
"""Keys of selectors that are written as one word where they say no more."""

_SLOT = re.compile(r"\$(?:(?P<name>\w+):)?(?P<rule>\w+)(?P<optional>\?)?(?:=(?P<default>.+))?\Z")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of a shape that a tree fills, by a rule."""

    name: str
    rule: str
    optional: bool = False
    default: Any = None


@dataclass(frozen=True, slots=True)
class _Same:
    value: Any


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def shape_of(pattern: Any, name: str = "") -> Any:
    """Returns a pattern with its slots found."""
    if isinstance(pattern, str) and pattern.startswith("$"):
        found = _SLOT.match(pattern)
        assert found is not None, pattern
        default = None if found["default"] is None else _value(found["default"])
        return Slot(found["name"] or name, found["rule"], bool(found["optional"]), default)
    if isinstance(pattern, str) and pattern.startswith("="):
        return _Same(_value(pattern[1:]))
    if isinstance(pattern, dict):
        return {key: shape_of(inner, key) for key, inner in pattern.items()}
    if isinstance(pattern, (list, tuple)):
        return type(pattern)(shape_of(inner, name) for inner in pattern)
    return pattern


def slots_of(shape: Any) -> Iterator[Slot]:
    """Yields the slots of a shape."""
    if isinstance(shape, Slot):
        yield shape
    for inner in shape.values() if isinstance(shape, dict) else shape if isinstance(shape, (list, tuple)) else ():
        yield from slots_of(inner)


def fits(shape: Any, tree: Any, slots: Slots) -> bool:
    """Tells whether a tree has a shape, and fills its slots."""
    if isinstance(shape, Slot):
        slots[shape.name] = tree
        return True
    if isinstance(shape, _Same):
        return type(tree) is type(shape.value) and tree == shape.value
    if isinstance(shape, dict):
        if isinstance(tree, str):
            key = next((key for key in LIFTED if key in shape), None)
            tree = {key: tree} if key else tree
        if not isinstance(tree, dict) or not tree.keys() <= shape.keys():
            return False
        for key, inner in shape.items():
            if key in tree:
                if not fits(inner, tree[key], slots):
                    return False
            elif isinstance(inner, Slot) and inner.default is not None:
                slots[inner.name] = inner.default
            elif not isinstance(inner, _Same) and not (isinstance(inner, Slot) and inner.optional):
                return False
        return True
    if isinstance(shape, (list, tuple)):
        alike = isinstance(tree, (list, tuple)) and len(tree) == len(shape)
        return alike and all(fits(inner, part, slots) for inner, part in zip(shape, tree, strict=True))
    return type(tree) is type(shape) and tree == shape


def built(shape: Any, slots: Slots) -> Any:
    """Returns the tree of a shape with its slots filled."""
    if isinstance(shape, Slot):
        return slots[shape.name]
    if isinstance(shape, dict):
        return {
            key: built(inner, slots)
            for key, inner in shape.items()
            if not isinstance(inner, _Same) and not (isinstance(inner, Slot) and _left_out(inner, slots))
        }
    if isinstance(shape, (list, tuple)):
        return type(shape)(built(inner, slots) for inner in shape)
    return shape


def _left_out(slot: Slot, slots: Slots) -> bool:
    """Tells whether a key is not written: it is missing, or has the value that it has where it is missing."""
    value = slots.get(slot.name)
    return slot.name not in slots or (slot.default is not None and type(value) is type(slot.default) and value == slot.default)
