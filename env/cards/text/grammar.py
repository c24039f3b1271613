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
from functools import partial
from typing import Any

from apotheosis.env.cards.text.lexicon import FILLERS, normal
from apotheosis.env.cards.text.tokens import Token

Bindings = dict[str, Any]
Builder = Callable[..., Any]
REFUSE = object()
"""What a builder returns when its words match but the meaning does not hold together."""


@dataclass(slots=True)
class Node:
    """A piece of a compiled pattern."""

    kind: str
    value: str = ""
    slot: str = ""
    parts: list[list[Node]] = field(default_factory=list)


@dataclass(slots=True)
class Production:
    """One alternative of a rule: its pattern, its meaning and the literals it may begin with (None: anything)."""

    nodes: list[Node]
    build: Builder
    firsts: frozenset[str] | None
    text: str


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
                nodes.append(Node("verb" if verb else "word", word if verb else normal(word)))
        return nodes

    return sequence()


class Grammar:
    """A set of rules, each a list of productions.

    A rule may also be a *reader*: a function (parse, position) -> iterator of (end, value), for what patterns cannot say.
    """

    def __init__(self) -> None:
        self.productions: dict[str, list[Production]] = {}
        self.readers: dict[str, Callable[[Parse, int], Iterator[tuple[int, Any]]]] = {}

    def rule(self, name: str, *patterns: str, **constants: Any) -> Callable[[Builder], Builder]:
        """Return a decorator that registers a builder for patterns of a rule; constants are passed on to it."""

        def register(build: Builder) -> Builder:
            for pattern in patterns:
                nodes = _compile(pattern)
                meaning = partial(build, **constants) if constants else build
                self.productions.setdefault(name, []).append(Production(nodes, meaning, self._firsts(nodes), pattern))
            return build

        return register

    def table(self, name: str, rows: dict[str, Any]) -> None:
        """Register patterns whose meaning is a constant."""
        for pattern, value in rows.items():
            self.rule(name, pattern)(_constant(value))

    def reader(self, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Return a decorator that registers a function as a rule."""

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.readers[name] = function
            return function

        return register

    def _firsts(self, nodes: list[Node]) -> frozenset[str] | None:
        found: set[str] = set()
        for node in nodes:
            if node.kind in {"word", "verb"}:
                return frozenset(found | {node.value})
            if node.kind == "rule":
                return None
            for branch in node.parts:
                inner = self._firsts(branch)
                if inner is None or not branch:
                    return None
                found |= inner
            if node.kind == "choice":
                return frozenset(found)
        return None


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
        self._keys = [frozenset((t.text,)) | t.verbs for t in tokens]

    def all(self, rule: str, place: int = 0) -> list[tuple[int, Any]]:
        """Return every (end, value) that a rule reads from a place."""
        key = (rule, place)
        known = self._memo.get(key)
        if known is not None:
            return known
        self._memo[key] = []
        results: list[tuple[int, Any]] = []
        reader = self.grammar.readers.get(rule)
        if reader is not None:
            results.extend(reader(self, place))
        productions = self.grammar.productions.get(rule)
        if productions is None and reader is None:
            raise KeyError(f"grammar rule {rule!r} has no production")
        here = self._keys[place] if place < len(self.tokens) else frozenset()
        for production in productions or ():
            if production.firsts is not None and not (production.firsts & here):
                continue
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
        self.furthest = max(self.furthest, place)
        if index == len(nodes):
            yield place, slots
            return
        node = nodes[index]
        if node.kind in {"word", "verb"}:
            if place < len(self.tokens) and node.value in self._keys[place]:
                yield from self._sequence(nodes, index + 1, place + 1, slots)
            elif (
                index
                and place + 1 < len(self.tokens)
                and self.tokens[place].text == ","
                and node.value in self._keys[place + 1]
            ):
                yield from self._sequence(nodes, index + 1, place + 2, slots)
        elif node.kind == "rule":
            for end, value in self.all(node.value, place):
                bound = {**slots, node.slot: value} if node.slot else slots
                yield from self._sequence(nodes, index + 1, end, bound)
        else:
            for branch in node.parts:
                for end, bound in self._sequence(branch, 0, place, slots):
                    yield from self._sequence(nodes, index + 1, end, bound)
            if node.kind == "optional":
                yield from self._sequence(nodes, index + 1, place, slots)
