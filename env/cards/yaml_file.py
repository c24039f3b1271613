"""Our card files: YAML 1.2 with one entry per card, read with lines and written compactly.

Writing is done here rather than by a YAML library: the files are flat (one block per card, flow style inside), and
plain text assembly writes the whole database in a fraction of a second.
"""

import json
import re
from pathlib import Path
from typing import Any

from apotheosis.env.cards.files import read_text
from apotheosis.env.cards.language.effect import TextEffect, TypedEffect
from apotheosis.env.cards.schema import CardBase
from apotheosis.env.cards.yaml_tree import Tree, parse_yaml, scalar
from apotheosis.env.errors import InputError, unknown

_PLAIN = re.compile(r"\w[\w ./()+*-]*\Z")
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
LINE_WIDTH = 120


def read_yaml(path: str | Path) -> Tree:
    """Reads a YAML file into plain values with lines.

    Raises:
        InputError: the file cannot be read as YAML.
    """
    return parse_yaml(read_text(path), str(path))


def card_entries(tree: Tree) -> list[tuple[Any, tuple[str | int, ...]]]:
    """Returns the entries of a card file with their paths: a list of cards, or a mapping whose key `cards` holds one.

    Raises:
        InputError: the document is neither.
    """
    value, prefix = tree.value, ()
    if isinstance(value, dict):
        if "id" in value and "suit" in value:
            raise InputError("a card file is a list: the first line of each card begins with '- '", tree.place(()))
        for key in value:
            if key != "cards":
                raise unknown("key", str(key), ["cards"], tree.place((key,)))
        value, prefix = value.get("cards"), ("cards",)
    if not isinstance(value, list):
        raise InputError("a card file holds a list of cards, or a mapping with the key 'cards'", tree.place(prefix))
    return [(entry, (*prefix, index)) for index, entry in enumerate(value)]


def plain(card: CardBase) -> dict[str, Any]:
    """Returns a card as the plain values of a card file, without what equals its default."""
    values = card.model_dump(by_alias=True, exclude_defaults=True)
    if values.get("name") == values["id"]:
        del values["name"]
    first = {key: values.pop(key) for key in ("id", "name", "name_pt", "suit", "level", "rarity") if key in values}
    return {**first, **values}


def authored(card: CardBase) -> dict[str, Any]:
    """Returns a card like `plain`, with its effects the way they were written."""
    values = plain(card)
    if card.effects:
        values["effects"] = [_effect(effect) for effect in card.effects]
    return values


def _effect(effect: TypedEffect | TextEffect) -> dict[str, Any]:
    if isinstance(effect, TypedEffect):
        return effect.written()
    return effect.model_dump(exclude_defaults=True)


def _text(value: str) -> str:
    if _PLAIN.match(value) and value.isprintable() and not value.endswith(" ") and scalar(value) == value:
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)


def flow(value: Any) -> str:
    """Returns a plain value in YAML flow style, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(str(key))}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if isinstance(value, str):
        return _text(value)
    return json.dumps(value)


def _field(key: str, value: Any) -> list[str]:
    line = f"  {key}: {flow(value)}"
    if isinstance(value, list) and value and (len(line) > LINE_WIDTH or isinstance(value[0], dict)):
        return [f"  {key}:", *(f"    - {flow(item)}" for item in value)]
    return [line]


def write_yaml(cards: list[CardBase]) -> str:
    """Returns cards as the text of one of our card files."""
    blocks = []
    for card in cards:
        lines = [line for key, value in authored(card).items() for line in _field(key, value)]
        lines[0] = "- " + lines[0].lstrip()
        blocks.append("\n".join(lines))
    return "\n".join(blocks) + "\n" if blocks else "[]\n"
