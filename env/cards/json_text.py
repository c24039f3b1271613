"""The text of a cards.json: JSON with the lines of its cards, and one sentence for what is wrong with it."""

import json
import re
from pathlib import Path
from typing import Any

from apotheosis.env.cards.files import read_text
from apotheosis.env.errors import InputError

_HALF = re.compile("[\ud800-\udfff]")
"""Half a character beyond the basic plane, which only an escape can bring into a text."""


class NotMapped(Exception):
    """A value of the database that the mapping cannot carry; the message becomes an `InputError` with its place."""


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotMapped(f"the key {key!r} appears twice in one place")
            seen.add(key)
    return values


def _finite(text: str) -> float:
    if (value := float(text)) in (float("inf"), float("-inf")):
        raise NotMapped(f"{text[:40]} is too large a number")
    return value


def _not_a_number(name: str) -> float:
    raise NotMapped(f"{name} is not a number that JSON allows")


def parse_json(text: str, where: str) -> list[tuple[Any, int]]:
    """Parses the text of a cards.json.

    Args:
        text: the decoded file.
        where: how messages call the file.

    Returns:
        Each card as parsed JSON, with the line on which it starts.

    Raises:
        InputError: the text is not JSON, or no list of cards.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_no_duplicates, parse_constant=_not_a_number, parse_float=_finite)
    try:
        value = decoder.decode(text)
    except json.JSONDecodeError as error:
        end = " (the file seems to be truncated)" if error.pos >= len(text.rstrip()) - 1 else ""
        raise InputError(
            f"this is not JSON: {error.msg.lower()} at column {error.colno}{end}", f"{where}:{error.lineno}"
        ) from None
    except RecursionError:
        raise InputError("this is not a card file: values are nested too deep", where) from None
    except NotMapped as error:
        raise InputError(str(error), where) from None
    except ValueError as error:
        raise InputError(f"this is not a card file: {error}", where) from None
    if not isinstance(value, list):
        raise InputError(f"cards.json holds a list of cards, this file holds {type(value).__name__}", where)
    entries = list(zip(value, _starts(text, len(value)), strict=True))
    if "\\ud" in text or "\\uD" in text:
        for raw, line in entries:
            if _HALF.search(json.dumps(raw, ensure_ascii=False)):
                raise InputError("a text of this card holds half a character: the other half is missing", f"{where}:{line}")
    return entries


def _starts(text: str, count: int) -> list[int]:
    """Returns the line on which each element of the top-level list starts."""
    plain = json.JSONDecoder()
    lines = []
    position = text.index("[") + 1
    line, counted = 1, 0
    for _ in range(count):
        while text[position] in " \t\r\n,":
            position += 1
        line += text.count("\n", counted, position)
        counted = position
        lines.append(line)
        _, position = plain.raw_decode(text, position)
    return lines


def read_json(path: str | Path) -> list[tuple[Any, int]]:
    """Reads a cards.json in UTF-8 or UTF-16.

    Returns:
        Each card as parsed JSON, with the line on which it starts.

    Raises:
        InputError: the file cannot be read as a list of cards.
    """
    return parse_json(read_text(path), str(path))
