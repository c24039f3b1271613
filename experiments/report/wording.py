"""Words and numbers of the reports in English and Portuguese, from one catalogue.

Every sentence a report shows stands in `messages.yaml`, once per language, so that a translation can be read as a whole
and a missing one is found by a test. Numbers are written here: true minus sign, narrow space in thousands, decimal
comma in Portuguese, and no rounding to a negative zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import SupportsFloat, TypeGuard

from markupsafe import Markup

from apotheosis.env.errors import InputError

LANGUAGES = ("en", "pt")
MINUS = "\u2212"
NARROW_SPACE = "\u202f"
NO_BREAK_SPACE = "\u00a0"
NOTHING = "–"
"""Stands where a number does not exist (a rate of no games)."""


@lru_cache(maxsize=1)
def catalogue() -> dict[str, dict]:
    """Returns the catalogue: per key a text for each language, or `one` and `other` where a count decides."""
    from ruamel.yaml import YAML

    return YAML(typ="safe").load(files("apotheosis.experiments.report").joinpath("messages.yaml").read_text(encoding="utf-8"))


class Words:
    """The catalogue and the number format of one language.

    Args:
        language: `en` or `pt`.

    Raises:
        InputError: for any other language.
    """

    def __init__(self, language: str = "en"):
        if language not in LANGUAGES:
            raise InputError(f"language {language!r} is not available; allowed are {', '.join(LANGUAGES)}", "--language")
        self.language = language

    def __call__(self, key: str, **values: object) -> Markup:
        """Returns the text of a key with its placeholders filled; plain values are escaped, `n` chooses the plural."""
        text = catalogue()[key][self.language]
        if isinstance(text, dict):
            text = text["one" if values["n"] == 1 else "other"]
        shown = {name: self.count(value) if isinstance(value, int) else value for name, value in values.items()}
        return Markup(text).format(**shown)

    def has(self, key: str) -> bool:
        """Tells whether the catalogue has a text under this key."""
        return key in catalogue()

    def plain(self, key: str, **values: object) -> str:
        """Returns the text of a key without markup, for figures, attributes and terminals."""
        return self(key, **values).striptags().replace(NO_BREAK_SPACE, " ")

    def term(self, group: str, name: object) -> Markup:
        """Returns the word for a member of a closed list (suit, rarity, outcome); an unknown one stays as it is."""
        key = f"{group}.{name}"
        return self(key) if key in catalogue() else Markup.escape(str(name))

    def number(self, value: SupportsFloat | None, digits: int = 1, sign: bool = False) -> str:
        """Returns a number with the given decimals; with `sign` a plus is written before positive ones."""
        if not known(value):
            return NOTHING
        text = f"{abs(float(value)):.{digits}f}"
        zero = float(text) == 0
        if self.language == "pt":
            text = text.replace(".", ",")
        mark = MINUS if float(value) < 0 and not zero else "+" if sign and not zero else ""
        return mark + text

    def points(self, fraction: SupportsFloat | None, digits: int = 1, sign: bool = True) -> str:
        """Returns a win-rate difference given as a fraction in points."""
        return self.number(100 * float(fraction), digits, sign) if known(fraction) else NOTHING

    def band(self, fraction: float) -> str:
        """Returns the half width of a band in points, without a decimal that says nothing: `2`, `1.5`."""
        whole = math.isclose(100 * fraction, round(100 * fraction), abs_tol=1e-9)
        return self.points(fraction, 0 if whole else 1, sign=False)

    def percent(self, fraction: SupportsFloat | None, digits: int = 1) -> str:
        """Returns a fraction as a percentage."""
        return f"{self.points(fraction, digits, sign=False)}{NO_BREAK_SPACE}%" if known(fraction) else NOTHING

    def count(self, value: SupportsFloat | None) -> str:
        """Returns a whole number with a narrow space between thousands."""
        if not known(value):
            return NOTHING
        return f"{round(float(value)):,}".replace(",", NARROW_SPACE).replace("-", MINUS)

    def span(self, low: SupportsFloat | None, high: SupportsFloat | None, sign: bool = True) -> str:
        """Returns an interval of points: `+2.0 to +4.2`."""
        if not (known(low) and known(high)):
            return NOTHING
        return self.plain("span", low=self.points(low, sign=sign), high=self.points(high, sign=sign))

    def percent_span(self, low: SupportsFloat | None, high: SupportsFloat | None) -> str:
        """Returns an interval of percentages: `47.1 to 52.9 %`."""
        if not (known(low) and known(high)):
            return NOTHING
        return self.plain("span", low=self.points(low, sign=False), high=self.percent(high))

    def listing(self, items: Iterable[str]) -> Markup:
        """Returns `a, b and c`."""
        parts = [Markup.escape(item) for item in items]
        if len(parts) < 2:
            return Markup("").join(parts)
        return Markup(", ").join(parts[:-1]) + self("and") + parts[-1]


def known(value: SupportsFloat | None) -> TypeGuard[SupportsFloat]:
    """Tells whether a number exists: neither None nor nan nor infinite."""
    return value is not None and math.isfinite(float(value))
