"""Overrides: effects written by hand, in the effect language, for texts of the game's database that the reader cannot
read.

A file is a list of entries `{id, effects}`; `effects` maps labels (`E0` for the first effect of the card, `T1.0` for
the first of its second technique) to lists of effects, an empty list meaning that there is nothing to do in a battle.
An entry names what its effects leave out of a text (`lacks`): such an effect is partial, and not played.
An entry may also give the digest of each text (`texts`): when a designer then rewrites the text, the override no
longer applies and the effect is inert until somebody looks at it again.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from apotheosis.env.cards.language.effect import TextEffect, TypedEffect, build_models
from apotheosis.env.cards.validation import Strict, check
from apotheosis.env.cards.yaml_file import read_yaml
from apotheosis.env.errors import InputError

FOLDER = Path(__file__).parent / "overrides"
"""Where the overrides of the lab lie."""

Label = Annotated[str, Field(pattern=r"^(E|T[0-9]+\.)[0-9]+$")]


class OverrideEntry(Strict):
    """What an override file says about one card."""

    id: str
    effects: dict[Label, list[TypedEffect]] = Field(min_length=1)
    texts: dict[Label, str] = Field(default_factory=dict)
    lacks: dict[Label, str] = Field(default_factory=dict)


class Override(Strict):
    """The meaning of one text effect.

    Args:
        id: the card.
        label: the effect on it (`E0`, `T1.0`).
        effects: what it means; none where it has nothing to do in a battle.
        text: the digest of the text that it was written for, or None.
        lacks: what of the text the effects do not say, or None.
    """

    id: str
    label: str
    effects: tuple[TypedEffect, ...]
    text: str | None = None
    lacks: str | None = None

    def plain(self) -> list[Any]:
        """Returns what the override says as plain values."""
        effects = [effect.model_dump(by_alias=True, exclude_defaults=True) for effect in self.effects]
        return [self.id, self.label, effects, self.text, *([self.lacks] if self.lacks else [])]

    def fits(self, effect: TextEffect) -> bool:
        """Tells whether the override was written for the text that an effect has."""
        return self.text is None or self.text == text_digest(effect)


Overrides = dict[tuple[str, str], Override]
"""Overrides by card id and label of the effect."""


def text_digest(effect: TextEffect) -> str:
    """Returns the digest that an override gives for the text of an effect, 8 hexadecimal digits."""
    text = "\x1f".join((effect.text, *effect.requirements, *effect.keywords))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def override_files(paths: Iterable[str | Path]) -> list[Path]:
    """Returns the override files that paths stand for: files, or all override files of folders."""
    return [file for path in map(Path, paths) for file in (sorted(path.glob("*.yaml")) if path.is_dir() else [path])]


def bundled_files() -> list[Path]:
    """Returns the override files that come with the lab."""
    return override_files([FOLDER])


def read_overrides(paths: Iterable[str | Path]) -> Overrides:
    """Reads override files; a later file wins over an earlier one.

    Args:
        paths: override files, or folders of them.

    Raises:
        InputError: a file is faulty, or overrides one effect twice.
    """
    found: Overrides = {}
    for file in override_files(paths):
        found.update(_read_file(file))
    return found


def bundled_overrides() -> Overrides:
    """Returns the overrides that come with the lab, by card id and label of the effect."""
    return read_overrides(bundled_files())


def _read_file(file: Path) -> Overrides:
    build_models()
    tree = read_yaml(file)
    if not isinstance(tree.value, list):
        raise InputError("an override file holds a list of entries with 'id' and 'effects'", tree.place(()))
    found: Overrides = {}
    for index, value in enumerate(tree.value):
        name: Any = value.get("id") if isinstance(value, dict) else None
        who = f"override of {name}" if isinstance(name, str) else ""
        entry = check(OverrideEntry, value, lambda path, index=index: tree.place((index, *path)), who)
        for key, labels in (("texts", entry.texts), ("lacks", entry.lacks)):
            for label in labels:
                if label not in entry.effects:
                    place = tree.place((index, key, label))
                    raise InputError(f"{who}: {key!r} speaks of effect {label}, which the entry does not override", place)
        for label, effects in entry.effects.items():
            if (entry.id, label) in found:
                raise InputError(f"{who}: effect {label} is overridden twice", tree.place((index, "effects", label)))
            text = entry.texts.get(label)
            found[entry.id, label] = Override(
                id=entry.id, label=label, effects=tuple(effects), text=text, lacks=entry.lacks.get(label)
            )
    return found
