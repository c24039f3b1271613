"""Sentences that are written and read by the same rows: each row pairs a shape of the effect language with its words.

A row is a pattern of a tree with slots, and a template in Portuguese and one in English with the same slots. Writing
finds the first row whose pattern fits and words its slots by their rules; reading goes the other way, follows every row
whose words fit, and builds the trees they stand for. So whatever has words can be read back, and a row is all that a new
part of the language needs.

Patterns: `$rule` a slot, `$rule?` one that may be missing, `$rule=value` one that stands for a value where it is missing,
`=value` a value that is left out; in lists slots have names, `$name:rule`. Templates: `{slot}`; `{slot's:noun}` the noun
as something of the slot; `[...]` words that go with an optional slot; `<a|b>` one form for a single subject and one for
several; a closing `^` says that the phrase is plural.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from apotheosis.env.cards.text.shapes import Slots, built, fits, shape_of, slots_of
from apotheosis.env.cards.text.spelling import contracted, expanded

SELECTORS = ("who", "one", "each", "cards", "card", "kind", "chosen")
"""Rules of selectors, which are one word where they say no more."""
_OWN = {"o": "o seu", "a": "a sua", "os": "os seus", "as": "as suas"}


class NoPhrase(Exception):
    """A tree has no words."""


@dataclass(frozen=True, slots=True)
class Said:
    """A phrase in both languages; `many` tells by language whether its verb is a plural, None for no subject."""

    pt: str
    en: str
    many: tuple[bool, bool] | None = None


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    text: str = ""
    other: str = ""
    parts: tuple[_Piece, ...] = ()


_PIECE = re.compile(
    r"\{(?P<slot>[a-z_]+)\}|\{(?P<owner>[a-z_]+)'s:(?P<noun>(?:[^{}]|\{[^{}]*\})+)\}|<(?P<one>[^|<>]*)\|(?P<two>[^<>]*)>"
    r"|(?P<open>\[)|(?P<close>\])|(?P<many>\^\Z)|(?P<text>(?:[^\[\]{}<^]|\{[A-Z][^{}]*\})+)"
)


@cache
def _pieces(template: str) -> tuple[_Piece, ...]:
    stack: list[list[_Piece]] = [[]]
    place = 0
    for found in _PIECE.finditer(template):
        assert found.start() == place, template
        place = found.end()
        if found["slot"]:
            stack[-1].append(_Piece("slot", found["slot"]))
        elif found["owner"]:
            article, _, noun = found["noun"].partition(" ") if found["noun"].split(" ")[0] in _OWN else ("", "", found["noun"])
            stack[-1].append(_Piece("owned", found["owner"], article, _pieces(noun)))
        elif found["two"] is not None:
            stack[-1].append(_Piece("form", found["one"], found["two"]))
        elif found["open"]:
            stack.append([])
        elif found["close"]:
            inner = tuple(stack.pop())
            stack[-1].append(_Piece("maybe", parts=inner))
        elif found["text"]:
            stack[-1].append(_Piece("text", found["text"]))
    assert len(stack) == 1 and place == len(template), template
    return tuple(stack[0])


def _names(pieces: tuple[_Piece, ...], inside: bool = False) -> Iterator[str]:
    for piece in pieces:
        if piece.kind in ("slot", "owned"):
            yield piece.text
            yield from _names(piece.parts, inside)
        elif piece.kind == "maybe" and inside:
            yield from _names(piece.parts, inside)


@dataclass(slots=True)
class Row:
    """A shape of a tree and its words."""

    shape: Any
    pt: tuple[_Piece, ...]
    en: tuple[_Piece, ...]
    many: tuple[bool, bool]
    start: str = ""
    rules: dict[str, str] = field(default_factory=dict)


class Leaf(ABC):
    """A rule that patterns cannot say: names, numbers, lists."""

    @abstractmethod
    def write(self, book: Book, tree: Any) -> Said:
        """Returns the words of a tree, or raises `NoPhrase`."""

    @abstractmethod
    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        """Yields every (end, tree) that can be read from a place."""


class Book:
    """All rows and leaves, by the name of their rule."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {}
        self.leaves: dict[str, Leaf] = {}
        self.subjects: set[str] = set()
        self.careful = False

    def add(self, rule: str, *rows: tuple[Any, str, str]) -> None:
        """Adds rows to a rule: pattern, Portuguese, English. `(+a|-b)` makes a row and one for its negation."""
        for pattern, pt, en in rows:
            pt, en = pt.replace("%não ", "(+|-não )"), _english_verbs(en)
            if "(+" in pt:
                self._add(rule, pattern, _half(pt, 0), _half(en, 0))
                self._add(rule, {"not": pattern}, _half(pt, 1), _half(en, 1))
            else:
                self._add(rule, pattern, pt, en)

    def _add(self, rule: str, pattern: Any, pt: str, en: str) -> None:
        shape = shape_of(pattern)
        row = Row(shape, _pieces(expanded(pt)), _pieces(en), (pt.endswith("^"), en.endswith("^")))
        row.start = row.pt[0].text.lower() if row.pt[0].kind == "text" else ""
        row.rules = {slot.name: slot.rule for slot in slots_of(shape)}
        assert set(_names(row.pt, True)) == set(_names(row.en, True)) == set(row.rules), (pattern, pt, en)
        self.rows.setdefault(rule, []).append(row)

    def subject(self, *rules: str) -> None:
        """Names rules whose phrases verbs agree with."""
        self.subjects.update(rules)

    def said(self, rule: str, tree: Any) -> Said:
        """Returns the words of a tree by a rule.

        Raises:
            NoPhrase: it has none.
        """
        leaf = self.leaves.get(rule)
        if leaf is not None:
            return leaf.write(self, tree)
        for row in self.rows[rule]:
            slots: Slots = {}
            if not fits(row.shape, tree, slots):
                continue
            try:
                return self._row(rule, row, slots)
            except NoPhrase:
                continue
        raise NoPhrase(rule, tree)

    def _row(self, rule: str, row: Row, slots: Slots) -> Said:
        said = {name: self.said(row.rules[name], value) for name, value in slots.items()}
        texts = []
        for side, pieces in enumerate((row.pt, row.en)):
            used: set[str] = set()
            texts.append(_rendered(pieces, said, slots, side, used, None)[0])
            if used != set(slots):
                raise NoPhrase(rule, slots)
        first = said.get(row.pt[0].text) if row.pt and row.pt[0].kind == "slot" else None
        many = row.many if rule in self.subjects else None
        if many is not None and first is not None and first.many is not None:
            many = (many[0] or first.many[0], many[1] or first.many[1])
        return Said(texts[0], texts[1], many)

    def write(self, rule: str, tree: Any, careful: bool = False) -> tuple[str, str]:
        """Returns a tree in Portuguese and in English.

        Args:
            rule: the rule of the whole.
            tree: the tree.
            careful: whether nested blocks are put in brackets even where they need none.

        Raises:
            NoPhrase: a part of it has no words.
        """
        self.careful = careful
        said = self.said(rule, tree)
        return contracted(said.pt), said.en

    def read(self, rule: str, text: str) -> list[Any]:
        """Returns every tree that a Portuguese text can stand for."""
        reading = Reading(self, expanded(text))
        return [tree for end, tree in reading.all(rule, 0) if end == len(reading.text)]


def _english_verbs(text: str) -> str:
    text = text.replace("%is ", "(+<is|are>|-<is not|are not>) ")
    return text.replace("%has ", "(+<has|have>|-<does not have|do not have>) ")


_POLAR = re.compile(r"\(\+((?:<[^<>]*>|[^|<>])*)\|-((?:<[^<>]*>|[^|<>)])*)\)")


def _half(text: str, side: int) -> str:
    return _POLAR.sub(lambda match: match.group(side + 1), text)


_LONG = re.compile(r"\b(of|in|within|with|without|that|who|from|on|whose|adjacent|at|except)\b|,")


def _owned(article: str, noun: str, said: Said, owner: Any, side: int) -> str:
    if side == 0:
        return f"{_OWN[article]} {noun}" if owner == "self" else f"{article} {noun} de {said.pt}"
    if owner in ("self", "it"):
        return f"{'your' if owner == 'self' else 'its'} {noun}"
    if _LONG.search(said.en):
        return f"the {noun} of {said.en}"
    return f"{said.en}{chr(39) if said.en.endswith('s') else chr(39) + 's'} {noun}"


def _rendered(
    pieces: tuple[_Piece, ...], said: dict[str, Said], slots: Slots, side: int, used: set[str], many: Any
) -> tuple[str, Any]:
    out = ""
    for piece in pieces:
        if piece.kind == "text":
            out += piece.text
        elif piece.kind == "form":
            out += piece.other if many is not None and many[side] else piece.text
        elif piece.kind == "maybe":
            if all(name in said for name in _names(piece.parts)) and not any(name in used for name in _names(piece.parts)):
                inner, many = _rendered(piece.parts, said, slots, side, used, many)
                out += inner
        else:
            one = said[piece.text]
            used.add(piece.text)
            if one.many is not None:
                many = one.many
            if piece.kind == "owned":
                noun = _rendered(piece.parts, said, slots, side, used, None)[0]
                out += _owned(piece.other, noun, one, slots[piece.text], side)
            else:
                out += (one.pt, one.en)[side]
    return out, many


def _shortened(rule: str, tree: Any) -> Any:
    if isinstance(tree, dict) and len(tree) == 1 and rule in SELECTORS:
        return tree.get("chars", tree.get("card", tree))
    return tree


class Reading:
    """One attempt to read a text; positions are places in its spelling without contractions."""

    def __init__(self, book: Book, text: str):
        self.book = book
        self.text = text
        low = text.lower()
        self.low = low if len(low) == len(text) else text
        self._memo: dict[tuple[str, int], list[tuple[int, Any]]] = {}

    def all(self, rule: str, place: int) -> list[tuple[int, Any]]:
        """Returns every (end, tree) that a rule reads from a place."""
        key = (rule, place)
        if key in self._memo:
            return self._memo[key]
        self._memo[key] = found = []
        leaf = self.book.leaves.get(rule)
        if leaf is not None:
            found.extend(leaf.read(self, place))
            return found
        for row in self.book.rows[rule]:
            if not self.low.startswith(row.start, place):
                continue
            for end, slots in self._sequence(row.pt, 0, place, {}, row.rules):
                if end == place or any(slot.name not in slots and not slot.optional for slot in slots_of(row.shape)):
                    continue
                tree = _shortened(rule, built(row.shape, slots))
                if not (isinstance(tree, dict) and {} in tree.values()) and (end, tree) not in found:
                    found.append((end, tree))
        return found

    def starts(self, text: str, place: int) -> bool:
        """Tells whether a text stands at a place, in whatever case."""
        return self.low.startswith(text.lower(), place)

    def _sequence(
        self, pieces: tuple[_Piece, ...], index: int, place: int, slots: Slots, rules: dict[str, str]
    ) -> Iterator[tuple[int, Slots]]:
        if index == len(pieces):
            yield place, slots
            return
        piece = pieces[index]
        if piece.kind == "text":
            if self.starts(piece.text, place):
                yield from self._sequence(pieces, index + 1, place + len(piece.text), slots, rules)
        elif piece.kind == "form":
            for form in (piece.text, piece.other):
                if self.starts(form, place):
                    yield from self._sequence(pieces, index + 1, place + len(form), slots, rules)
        elif piece.kind == "maybe":
            for end, inner in self._sequence(piece.parts, 0, place, slots, rules):
                yield from self._sequence(pieces, index + 1, end, inner, rules)
            yield from self._sequence(pieces, index + 1, place, slots, rules)
        elif piece.kind == "owned":
            yield from self._owned(pieces, index, place, slots, rules)
        else:
            for end, tree in self.all(rules[piece.text], place):
                if piece.text not in slots or slots[piece.text] == tree:
                    yield from self._sequence(pieces, index + 1, end, {**slots, piece.text: tree}, rules)

    def _owned(
        self, pieces: tuple[_Piece, ...], index: int, place: int, slots: Slots, rules: dict[str, str]
    ) -> Iterator[tuple[int, Slots]]:
        piece = pieces[index]
        for article, yours in ((_OWN[piece.other], True), (piece.other, False)):
            if not self.starts(article + " ", place):
                continue
            for end, inner in self._sequence(piece.parts, 0, place + len(article) + 1, slots, rules):
                if yours:
                    yield from self._sequence(pieces, index + 1, end, {**inner, piece.text: "self"}, rules)
                elif self.starts(" de ", end):
                    for stop, tree in self.all(rules[piece.text], end + 4):
                        if tree != "self":
                            yield from self._sequence(pieces, index + 1, stop, {**inner, piece.text: tree}, rules)
