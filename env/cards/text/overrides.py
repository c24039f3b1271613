"""Overrides: effect trees by card id for wording that is one of a kind, and the reading of a card with them applied.

A file is a YAML list of `{id, effects}`; `effects` maps labels (`E0` for the first effect of the card, `T1.0` for the first of
its second technique) to lists of effects in the language. An empty list says that there is nothing to do in a battle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from apotheosis.env.cards.text.reader import ReadResult, language_fault, read_card
from apotheosis.env.errors import InputError

Overrides = dict[str, dict[str, list[dict[str, Any]]]]
OVERRIDE = "override"
"""Status of an effect whose tree comes from an override."""


def override_files(folder: Path) -> list[Path]:
    """Return the override files of a folder in the order of their names."""
    return sorted(folder.glob("*.yaml"))


def load_overrides(files: Iterable[Path]) -> Overrides:
    """Return the trees of override files by card id and effect label.

    Args:
        files: YAML files.

    Raises:
        InputError: a file is not a list of overrides, names an effect twice, or holds a tree outside the language.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    found: Overrides = {}
    for file in files:
        try:
            entries = YAML(typ="safe").load(file.read_text(encoding="utf-8")) or []
        except (YAMLError, UnicodeDecodeError) as error:
            raise InputError(f"the overrides are not readable YAML: {str(error).splitlines()[0]}", file) from None
        if not isinstance(entries, list):
            raise InputError("overrides are a list of entries with 'id' and 'effects'", file)
        for entry in entries:
            _add(found, entry, file)
    return found


def _add(found: Overrides, entry: Any, file: Path) -> None:
    if not isinstance(entry, dict) or set(entry) != {"id", "effects"} or not isinstance(entry["effects"], dict):
        raise InputError(f"an override is a mapping with 'id' and 'effects', got {str(entry)[:60]!r}", file)
    trees = found.setdefault(str(entry["id"]), {})
    for label, effects in entry["effects"].items():
        where = f"{file}: {entry['id']} {label}"
        if label in trees:
            raise InputError("this effect has two overrides", where)
        if not isinstance(effects, list):
            raise InputError(f"expected a list of effects, got {str(effects)[:60]!r}", where)
        for effect in effects:
            fault = language_fault(effect)
            if fault:
                raise InputError(fault, where)
        trees[str(label)] = effects


def read_with_overrides(card: Mapping[str, Any], overrides: Overrides) -> dict[str, ReadResult]:
    """Read every effect of a card; an override wins over what the text says.

    Args:
        card: a card as in cards.json.
        overrides: trees by card id and effect label.

    Raises:
        InputError: an override names an effect that the card does not have.
    """
    results = read_card(card)
    for label, effects in overrides.get(str(card["Id"]), {}).items():
        if label not in results:
            raise InputError(f"the card has no effect {label}; it has: {', '.join(results) or 'none'}", str(card["Id"]))
        results[label] = ReadResult(OVERRIDE if effects else "nothing_to_do", effects)
    return results
