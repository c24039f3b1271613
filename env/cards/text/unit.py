"""The unit that card text is cut into."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """One unit of card text.

    Args:
        text: folded word, `{MACRO}`, punctuation, or a class mark: `#` number, `±` signed number, `#+` at least, `#-` at
            most, `<name>` emphasised name, `<kw>` paragraph keyword, `<tech>` technique name.
        verbs: verbs (capital infinitives) the word may be a form of.
        value: number of a numeric token, words of a name.
        start: offset in the source text.
        end: offset behind the token in the source text.
        first: whether the source word begins with a capital letter.
    """

    text: str
    verbs: frozenset[str]
    value: int | str | None
    start: int
    end: int
    first: bool = False
