"""Why a card is not played in full, in the language of a report.

The reasons are made in English where cards are read and translated, and stand in the pool table as `clause (reason)`, with
semicolons between them. Here is the one place that says them in Portuguese; the clause is the card's own text and stays.
"""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from importlib.resources import files

KERNEL = "the rules kernel does not run {}"
PLACE = "{} at '{}'"


@lru_cache(maxsize=1)
def phrases() -> list[tuple[re.Pattern[str], str]]:
    """Returns the English phrases as patterns with their Portuguese forms, the most definite first."""
    text = files("apotheosis.experiments.report").joinpath("reasons.csv").read_text(encoding="utf-8")
    rows = [(row["en"], row["pt"]) for row in csv.DictReader(text.splitlines(), delimiter="|")]
    rows.sort(key=lambda row: (row[0].count("{}"), -len(row[0])))
    return [(re.compile("(.+)".join(map(re.escape, english.split("{}")))), other) for english, other in rows]


def reason(text: str) -> str | None:
    """Returns a reason in Portuguese, None where it is not known."""
    for pattern, other in phrases():
        found = pattern.fullmatch(text)
        if found is None:
            continue
        if other.startswith("{}"):  # a reason and the place where reading stopped, or a value of some cards
            inner = reason(found[1])
            if inner is None and pattern.pattern.endswith("'"):
                continue
            return other.format(inner or found[1], *found.groups()[1:])
        last = found.groups()
        if pattern.pattern == re.escape(KERNEL[:-2]) + "(.+)":
            last = (reason(last[0]) or last[0],)
        return other.format(*last)
    return None


def clauses(text: str, language: str) -> str:
    """Returns the entry `missing` of the pool table in a language.

    Args:
        text: clauses and reasons in English.
        language: `en` or `pt`.
    """
    return text if language == "en" else "; ".join(map(_clause, text.split("; ")))


def _clause(text: str) -> str:
    whole = reason(text)
    if whole is not None:
        return whole
    for opening in re.finditer(r" \(", text):  # a clause may hold brackets of its own
        inner = reason(text[opening.end() : -1]) if text.endswith(")") else None
        if inner is not None:
            return f"{text[: opening.start()]} ({inner})"
    return text
