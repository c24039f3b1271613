"""A small pattern grammar over card tokens: productions are written as text patterns with a builder for the meaning.

The corpus is regular in its clauses and wild in its sentences, so the reader is a table of clause productions that
combine. Parsing is memoised and follows every alternative; when two readings of a sentence differ in meaning the reader
refuses the sentence, because a wrong reading is worse than none.

Pattern syntax: `word` a folded word or mark; `VERB` any form of that verb; `{HP}` a macro; `<rule>` or `<rule:slot>`
another rule; `[ ... ]` optional; `( a | b )` alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import or_
from typing import Any

from apotheosis.env.cards.text.lexicon import FILLERS, normal
from apotheosis.env.cards.text.tokens import Token

Bindings = dict[str, Any]
Builder = Callable[..., Any]
TOKEN_CLASSES = frozenset(("<name>", "<tech>", "<kw>"))
"""Marks of tokens that look like rules."""
REFUSE = object()
"""What a builder returns when its words match but the meaning does not hold together."""


@dataclass(slots=True)
class Node:
    """A piece of a compiled pattern."""

    kind: str
    value: str = ""
    slot: str = ""
    parts: list[list[Node]] = field(default_factory=list)
    literal: bool = False


@dataclass(slots=True)
class Production:
    """One alternative of a rule: its pattern and its meaning."""

    nodes: list[Node]
    build: Builder
    text: str


@dataclass(frozen=True, slots=True)
class Opening:
    """What something may begin with: words, verbs and marks (None: anything), and whether it may be empty."""

    keys: frozenset[str] | None = frozenset()
    empty: bool = False

    def fits(self, keys: frozenset[str]) -> bool:
        """Tell whether it may be read where a token with these keys stands."""
        return self.keys is None or self.empty or not self.keys.isdisjoint(keys)

    def __or__(self, other: Opening) -> Opening:
        keys = None if self.keys is None or other.keys is None else self.keys | other.keys
        return Opening(keys, self.empty or other.empty)


ANYTHING = Opening(None, True)


def _constant(value: Any) -> Builder:
    return lambda parse: value


_PIECE = re.compile(r"<(?P<rule>\w+)(?::(?P<slot>\w+))?>|(?P<open>[\[(])|(?P<close>[\])])|(?P<bar>\|)|(?P<word>[^\s\[\]()|]+)")


def _compile(pattern: str) -> list[Node]:
    pieces = list(_PIECE.finditer(pattern))
    place = 0

    def sequence() -> list[Node]:
        nonlocal place
        nodes: list[Node] = []
        while place < len(pieces):
            piece = pieces[place]
            if piece.group("close") or piece.group("bar"):
                return nodes
            place += 1
            if piece.group("rule"):
                nodes.append(Node("rule", piece.group("rule"), piece.group("slot") or ""))
            elif piece.group("open"):
                opener = piece.group("open")
                branches = [sequence()]
                while pieces[place].group("bar"):
                    place += 1
                    branches.append(sequence())
                place += 1
                nodes.append(Node("optional" if opener == "[" else "choice", parts=branches))
            else:
                word = piece.group("word")
                if word in FILLERS:
                    continue
                verb = word.isupper() and word.isalpha()
                nodes.append(Node("verb" if verb else "word", word if verb else normal(word), literal=True))
        return nodes

    return sequence()


def _plain(nodes: list[Node]) -> bool:
    """Tell whether a row begins with one of its own words, whatever of it is left out."""
    for node in nodes:
        if node.literal or node.kind == "rule":
            return node.literal
        if not all(branch and _plain(branch) for branch in node.parts):
            return False
        if node.kind == "choice":
            return True
    return False


class Grammar:
    """A set of rules, each a list of productions.

    A rule may also be a *reader*: a function (parse, position) -> iterator of (end, value), for what patterns cannot say.
    """

    def __init__(self) -> None:
        self.productions: dict[str, list[Production]] = {}
        self.readers: dict[str, Callable[[Parse, int], Iterator[tuple[int, Any]]]] = {}
        self._begins: dict[str, tuple[tuple[str, ...], bool]] = {}
        self._starts: dict[str, tuple[Opening, list[tuple[Opening, Production]]]] = {}
        self._candidates: dict[tuple[str, frozenset[str]], tuple[Any, list[Production]]] = {}

    def rule(self, name: str, *patterns: str, **constants: Any) -> Callable[[Builder], Builder]:
        """Return a decorator that registers a builder for patterns of a rule; constants are passed on to it."""

        def register(build: Builder) -> Builder:
            for pattern in patterns:
                nodes = _compile(pattern)
                meaning = partial(build, **constants) if constants else build
                self.productions.setdefault(name, []).append(Production(nodes, meaning, pattern))
            self._starts, self._candidates = {}, {}
            return build

        return register

    def table(self, name: str, rows: dict[str, Any]) -> None:
        """Register patterns whose meaning is a constant."""
        for pattern, value in rows.items():
            self.rule(name, pattern)(_constant(value))

    def reader(self, name: str, *begins: str, empty: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Return a decorator that registers a function as a rule.

        Args:
            name: the rule.
            begins: words, marks and `<rules>` that it may begin with; none where that cannot be said. `{` is any macro.
            empty: whether it may hold without reading a token.
        """

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.readers[name] = function
            if begins or empty:
                self._begins[name] = begins, empty
            self._starts, self._candidates = {}, {}
            return function

        return register

    def candidates(self, rule: str, keys: frozenset[str]) -> tuple[Any, list[Production]]:
        """Return the reader and the productions of a rule that may fit where a token with these keys stands."""
        known = self._candidates.get((rule, keys))
        if known is not None:
            return known
        starts = self._starts or self._find_starts()
        if rule not in starts:
            raise KeyError(f"grammar rule {rule!r} has no production")
        of_reader, of_productions = starts[rule]
        fit = [production for opening, production in of_productions if opening.fits(keys)]
        self._candidates[rule, keys] = found = self.readers.get(rule) if of_reader.fits(keys) else None, fit
        return found

    def _find_starts(self) -> dict[str, tuple[Opening, list[tuple[Opening, Production]]]]:
        """Find what each rule may begin with: rules refer to each other, so until nothing is added any more."""
        openings = dict.fromkeys([*self.productions, *self.readers], Opening())
        before = None
        while openings != before:
            before = dict(openings)
            for rule in openings:
                opening, productions = self._of_reader(rule, openings), self.productions.get(rule, ())
                ways = [(self._of_sequence(one.nodes, openings, not _plain(one.nodes)), one) for one in productions]
                self._starts[rule] = opening, ways
                openings[rule] = reduce(or_, (way for way, _ in ways), opening)
        return self._starts

    def _of_reader(self, rule: str, openings: dict[str, Opening]) -> Opening:
        if rule not in self.readers:
            return Opening()
        if rule not in self._begins:
            return ANYTHING
        begins, empty = self._begins[rule]
        opening = Opening(frozenset(one for one in begins if not one.startswith("<") or one in TOKEN_CLASSES), empty)
        for one in begins:
            if one.startswith("<") and one not in TOKEN_CLASSES:
                opening |= openings.get(one[1:-1], ANYTHING)
        return opening

    def _of_sequence(self, nodes: list[Node], openings: dict[str, Opening], commas: bool) -> Opening:
        """Return what a row of nodes may begin with; with commas, one may stand before a word that is not its first."""
        keys: frozenset[str] | None = frozenset()
        for index, node in enumerate(nodes):
            if node.literal:
                here = Opening(frozenset((node.value, ",")) if index and commas else frozenset((node.value,)))
            elif node.kind == "rule":
                here = openings.get(node.value, ANYTHING)
            else:
                here = Opening(empty=node.kind == "optional")
                for branch in node.parts:
                    here |= self._of_sequence(branch, openings, commas)
            keys = None if keys is None or here.keys is None else keys | here.keys
            if not here.empty:
                return Opening(keys, False)
        return Opening(keys, True)


_NOTHING: frozenset[str] = frozenset()


def _keys(token: Token) -> frozenset[str]:
    """Return what patterns may call a token: its word, its verbs, and `{` where it is a macro."""
    return frozenset((token.text, "{")) | token.verbs if token.text.startswith("{") else frozenset((token.text,)) | token.verbs


class Parse:
    """One attempt to read a span of tokens.

    Args:
        grammar: the rules.
        tokens: what to read.
        context: what builders may ask about the card (a `Context` of the reader).

    While a meaning is built, `here` holds the words of its own phrase and `tokens` those of the whole sentence.
    """

    def __init__(self, grammar: Grammar, tokens: tuple[Token, ...], context: Any):
        self.grammar = grammar
        self.tokens = tokens
        self.context = context
        self.furthest = 0
        self.here: tuple[Token, ...] = ()
        self._memo: dict[tuple[str, int], list[tuple[int, Any]]] = {}
        self._keys = [_keys(token) for token in tokens]

    def all(self, rule: str, place: int = 0) -> list[tuple[int, Any]]:
        """Return every (end, value) that a rule reads from a place."""
        key = (rule, place)
        known = self._memo.get(key)
        if known is not None:
            return known
        reader, productions = self.grammar.candidates(rule, self._keys[place] if place < len(self.tokens) else _NOTHING)
        if reader is None and not productions:
            self._memo[key] = none = []
            return none
        self._memo[key] = []
        results: list[tuple[int, Any]] = []
        if reader is not None:
            results.extend(reader(self, place))
        for production in productions:
            for end, slots in self._sequence(production.nodes, 0, place, {}):
                self.here = self.tokens[place:end]
                value = production.build(self, **slots)
                if value is not REFUSE and (end, value) not in results:
                    results.append((end, value))
        self._memo[key] = results
        return results

    def whole(self, rule: str) -> list[Any]:
        """Return the values of the readings of a rule that use up all tokens."""
        return [value for end, value in self.all(rule) if end == len(self.tokens)]

    def _sequence(self, nodes: list[Node], index: int, place: int, slots: Bindings) -> Iterator[tuple[int, Bindings]]:
        tokens, keys = self.tokens, self._keys
        while True:
            self.furthest = max(self.furthest, place)
            if index == len(nodes):
                yield place, slots
                return
            node = nodes[index]
            if not node.literal:
                break
            if place < len(tokens) and node.value in keys[place]:
                place += 1
            elif index and place + 1 < len(tokens) and tokens[place].text == "," and node.value in keys[place + 1]:
                place += 2
            else:
                return
            index += 1
        if node.kind == "rule":
            for end, value in self.all(node.value, place):
                bound = {**slots, node.slot: value} if node.slot else slots
                yield from self._sequence(nodes, index + 1, end, bound)
            return
        here = keys[place] if place < len(tokens) else _NOTHING
        for branch in node.parts:
            if branch and branch[0].literal and branch[0].value not in here:
                continue
            for end, bound in self._sequence(branch, 0, place, slots):
                yield from self._sequence(nodes, index + 1, end, bound)
        if node.kind == "optional":
            yield from self._sequence(nodes, index + 1, place, slots)
