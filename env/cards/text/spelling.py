"""Portuguese spelling of rendered text: prepositions that melt with the word after them, and the start of sentences.

Phrases are put together from words without contractions and melted at the end (`de o alvo` becomes `do alvo`); reading
undoes it first, so that a phrase reads the same after every preposition. Macros and quoted names stay as they are.
"""

from __future__ import annotations

import re

_ARTICLES = ("o", "a", "os", "as")
_POINTERS = (
    "este", "esta", "estes", "estas", "esse", "essa", "esses", "essas", "aquele", "aquela", "aqueles", "aquelas", "isso",
)  # fmt: skip
_PERSONS = ("ele", "ela", "eles", "elas")

MELTED: dict[str, str] = {
    **{f"de {word}": f"d{word}" for word in (*_ARTICLES, *_POINTERS, *_PERSONS)},
    **{f"em {word}": f"n{word}" for word in (*_ARTICLES, *_POINTERS, *_PERSONS)},
    "por o": "pelo", "por a": "pela", "por os": "pelos", "por as": "pelas",
    "a o": "ao", "a a": "à", "a os": "aos", "a as": "às", "a aquele": "àquele", "a aquela": "àquela",
}  # fmt: skip
_APART = {short: long for long, short in MELTED.items()}
_KEPT = r"\{[^{}]*\}|“[^”]*”"
_MELT = re.compile(rf"{_KEPT}|\b(?:{'|'.join(sorted(MELTED, key=len, reverse=True))})\b", re.I)
_PART = re.compile(rf"{_KEPT}|\b(?:{'|'.join(sorted(_APART, key=len, reverse=True))})\b", re.I)


def _changed(table: dict[str, str], text: str) -> str:
    other = table.get(text.lower(), text)
    return other[:1].upper() + other[1:] if text[:1].isupper() and other is not text else other


def contracted(text: str) -> str:
    """Returns a text with its prepositions melted."""
    return _MELT.sub(lambda match: _changed(MELTED, match.group()), text)


def expanded(text: str) -> str:
    """Returns a text with its contractions taken apart."""
    return _PART.sub(lambda match: _changed(_APART, match.group()), text)


def sentence(text: str) -> str:
    """Returns a clause as a sentence."""
    return text[:1].upper() + text[1:] + "."
