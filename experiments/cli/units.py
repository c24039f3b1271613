"""Values as people write them on the command line: effects (`2pt`, `0.02`, `14elo`) and decks (`random`, files)."""

from __future__ import annotations

import re
from typing import Any

from apotheosis.env.errors import InputError

DECKS_HELP = "random, starter, or deck files with commas. Keys: decks.source, decks.files"
_UNITS = {"": 1.0, "pt": 0.01, "pts": 0.01, "%": 0.01, "points": 0.01}


def parse_effect(text: str, flag: str) -> float:
    """Returns an effect as a share.

    Args:
        text: a number with the unit pt (win-rate points), elo, or none (a share such as 0.02).
        flag: name of the flag, for the message.

    Raises:
        InputError: it is not an effect, or lies outside -50 to 50 points.

    Source: Elo: s = 1 / (1 + 10^(-elo/400)).
    """
    match = re.fullmatch(r"\s*([+-]?\d+(?:\.\d+)?|[+-]?\.\d+)\s*([a-z%]*)\s*", text.lower())
    if match is None or match[2] not in (*_UNITS, "elo"):
        raise InputError(f"{text!r} is no effect; write for instance 2pt, 0.02 or 14elo", flag)
    number = float(match[1])
    share = 1 / (1 + 10 ** (-number / 400)) - 0.5 if match[2] == "elo" else number * _UNITS[match[2]]
    if not -0.5 < share < 0.5:
        raise InputError(f"{text!r} is beyond 50 points; write 2pt for two points", flag)
    return share


def deck_settings(value: str | None) -> dict[str, Any]:
    """Returns the settings of a `--decks`: `random`, `starter` or deck files with commas; none where it is not given."""
    if value is None:
        return {}
    if value in ("random", "starter"):
        return {"decks.source": value, "decks.files": []}
    return {"decks.source": "files", "decks.files": value}


def numbered(number: int, noun: str) -> str:
    """Returns a number with its noun: `1 match`, `60 matches`."""
    plural = noun + ("es" if noun.endswith(("ch", "s")) else "s")
    return f"{number} {noun if number == 1 else plural}"
