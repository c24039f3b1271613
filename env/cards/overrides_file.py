"""Overrides: effects written by hand, in the effect language, for texts of the game's database that the reader cannot
read.

An override names a card, the number of the effect on it and the digest of the text that it was written for. When a
designer rewrites the text, the override no longer applies and the effect is inert until somebody looks at it again.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from apotheosis.env.cards.language.effect import TextEffect, TypedEffect
from apotheosis.env.cards.validation import Strict, check
from apotheosis.env.cards.yaml_file import read_yaml
from apotheosis.env.errors import InputError

BUNDLED = Path(__file__).parent / "overrides"
"""The folder of the overrides that come with the lab."""


class Override(Strict):
    """The meaning of one text effect; `nothing_to_do` says why an effect has no part in a battle."""

    id: str
    effect: int = Field(ge=0)
    text: str = Field(pattern="^[0-9a-f]{8}$")
    effects: list[TypedEffect] = Field(default_factory=list)
    nothing_to_do: str | None = None

    @model_validator(mode="after")
    def _one(self) -> "Override":
        if bool(self.effects) == (self.nothing_to_do is not None):
            raise ValueError("an override has either 'effects' or 'nothing_to_do'")
        return self


def text_digest(effect: TextEffect) -> str:
    """Returns the digest that an override gives for the text of an effect, 8 hexadecimal digits."""
    text = "\x1f".join((effect.text, *effect.requirements, *effect.keywords))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def read_overrides(paths: Iterable[str | Path]) -> dict[tuple[str, int], Override]:
    """Reads override files; a later file wins over an earlier one.

    Args:
        paths: YAML files, each a list of overrides, or folders of them.

    Returns:
        The overrides by card id and number of the effect.

    Raises:
        InputError: a file is faulty, or overrides one effect twice.
    """
    found: dict[tuple[str, int], Override] = {}
    for path in paths:
        place = Path(path)
        for file in sorted(place.glob("*.yaml")) if place.is_dir() else [place]:
            found.update(_read_file(file))
    return found


def bundled_overrides() -> dict[tuple[str, int], Override]:
    """Returns the overrides that come with the lab, by card id and number of the effect."""
    return read_overrides(sorted(BUNDLED.glob("*.yaml")))


def _read_file(file: Path) -> dict[tuple[str, int], Override]:
    tree = read_yaml(file)
    if not isinstance(tree.value, list):
        raise InputError("an override file holds a list of overrides", tree.place(()))
    found: dict[tuple[str, int], Override] = {}
    for index, value in enumerate(tree.value):
        name: Any = value.get("id") if isinstance(value, dict) else None
        who = f"override of {name}" if isinstance(name, str) else ""
        entry = check(Override, value, lambda path, index=index: tree.place((index, *path)), who)
        key = (entry.id, entry.effect)
        if key in found:
            raise InputError(f"{who}: effect {entry.effect} is overridden twice", tree.place((index,)))
        found[key] = entry
    return found
