"""Words for instructions that hold further instructions, and for lists of instructions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text.prose import Book, Leaf, NoPhrase, Reading, Said
from apotheosis.env.cards.text.prose_words import Either
from apotheosis.env.cards.text.spelling import sentence

_HOLDING = ("if", "may", "for_each", "repeat", "check", "contest", "switch", "delayed")
"""Instructions whose words end with those of others, so that whatever follows would seem to belong to them."""


def _holds(step: dict[str, Any]) -> bool:
    return step["op"] in _HOLDING or any(step.get(key) for key in ("of", "else", "if_none"))


class Block(Leaf):
    """Instructions inside another one. One that holds others is put in brackets, unless it is the last."""

    def write(self, book: Book, tree: Any) -> Said:
        texts = []
        for index, step in enumerate(tree):
            said = book.said("step", step)
            if _holds(step) and (index < len(tree) - 1 or book.careful):
                said = Said(f"({said.pt})", f"({said.en})")
            texts.append(said)
        if not texts:
            return Said("nada acontece", "nothing happens")
        return Said("; ".join(said.pt for said in texts), "; ".join(said.en for said in texts))

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        if reading.starts("nada acontece", place):
            yield place + len("nada acontece"), []
        yield from self._more(reading, place)

    def _more(self, reading: Reading, place: int) -> Iterator[tuple[int, list[Any]]]:
        items: list[tuple[int, Any, bool]] = [(end, step, _holds(step)) for end, step in reading.all("step", place)]
        if reading.starts("(", place):
            inside = reading.all("step", place + 1)
            items += [(end + 1, step, False) for end, step in inside if _holds(step) and reading.starts(")", end)]
        for end, step, last in items:
            yield end, [step]
            if not last and reading.starts("; ", end):
                for stop, rest in self._more(reading, end + 2):
                    yield stop, [step, *rest]


class Sentences(Leaf):
    """A list of clauses, each a sentence."""

    def __init__(self, item: str):
        self.item = item

    def write(self, book: Book, tree: Any) -> Said:
        said = [book.said(self.item, one) for one in tree]
        if not said:
            raise NoPhrase(tree)
        return Said(" ".join(sentence(one.pt) for one in said), " ".join(sentence(one.en) for one in said))

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        for end, one in reading.all(self.item, place):
            if not reading.starts(".", end):
                continue
            yield end + 1, [one]
            if reading.starts(". ", end):
                for stop, rest in self.read(reading, end + 2):
                    yield stop, [one, *rest]


class Bullets(Leaf):
    """Several things of one rule, each after a bullet."""

    def __init__(self, item: str):
        self.item = item

    def write(self, book: Book, tree: Any) -> Said:
        said = [book.said(self.item, one) for one in tree]
        return Said(" ".join(f"• {one.pt}" for one in said), " ".join(f"• {one.en}" for one in said))

    def read(self, reading: Reading, place: int) -> Iterator[tuple[int, Any]]:
        if not reading.starts("• ", place):
            return
        for end, one in reading.all(self.item, place + 2):
            yield end, [one]
            if reading.starts(" ", end):
                for stop, rest in self.read(reading, end + 1):
                    yield stop, [one, *rest]


def add_steps(book: Book) -> None:
    """Adds the instructions of flow to a book."""
    book.leaves["block"], book.leaves["options"] = Block(), Bullets("block")
    book.leaves["steps"], book.leaves["modifiers"] = Sentences("step"), Sentences("modifier")
    book.leaves["step"] = Either("act", "step_mod")
    _flow(book)


def _flow(book: Book) -> None:
    by = {"by": "$another"}
    book.add(
        "act",
        (
            {"op": "if", "cond": "$condition", "then": "$block", "else": "$block?"},
            "se {cond}, {then}[; caso contrário, {else}]",
            "if {cond}, {then}[; otherwise, {else}]",
        ),
        ({"op": "may", "do": "$block"}, "você pode: {do}", "you may: {do}"),
        ({"op": "may", "pay": "$costs", "do": "$block"}, "você pode pagar ({pay}): {do}", "you may pay ({pay}): {do}"),
        ({"op": "may", "by": "self", "do": "$block"}, "você mesmo pode: {do}", "you yourself may: {do}"),
        ({"op": "may", **by, "do": "$block"}, "{by} pode<|m>: {do}", "{by} may: {do}"),
        (
            {"op": "may", **by, "pay": "$costs", "do": "$block"},
            "{by} pode<|m> pagar ({pay}): {do}",
            "{by} may pay ({pay}): {do}",
        ),
        ({"op": "choose", "of": "$options"}, "escolha: {of}", "choose one: {of}"),
        ({"op": "choose", "of": "$options", "n": "$count"}, "escolha {n}: {of}", "choose {n}: {of}"),
        ({"op": "choose", "by": "$who", "of": "$options"}, "{by} escolhe<|m>: {of}", "{by} <chooses|choose> one: {of}"),
        (
            {"op": "choose", "cards": "$cards", "bind": "$bound?", "n": "$count?"},
            "escolha {cards}[, quantidade {n}][ (chame de {bind})]",
            "choose {cards}[, as many as {n}][ (call it {bind})]",
        ),
        (
            {"op": "choose", "by": "$who", "cards": "$cards", "bind": "$bound?", "n": "$count?"},
            "{by} escolhe<|m> {cards}[, quantidade {n}][ (chame de {bind})]",
            "{by} <chooses|choose> {cards}[, as many as {n}][ (call it {bind})]",
        ),
        (
            {"op": "choose", "chars": "$one", "bind": "$bound?", "n": "$count?"},
            "escolha {chars}[, quantidade {n}][ (chame de {bind})]",
            "choose {chars}[, as many as {n}][ (call it {bind})]",
        ),
        (
            {"op": "choose", "by": "$who", "chars": "$one", "bind": "$bound?", "n": "$count?"},
            "{by} escolhe<|m> {chars}[, quantidade {n}][ (chame de {bind})]",
            "{by} <chooses|choose> {chars}[, as many as {n}][ (call it {bind})]",
        ),
        ({"op": "for_each", "in": "$each", "do": "$block"}, "para cada {in}: {do}", "for each {in}: {do}"),
        ({"op": "for_each", "in": "$objects", "do": "$block"}, "para cada um de {in}: {do}", "for each of {in}: {do}"),
        ({"op": "repeat", "n": "$num", "do": "$block"}, "{n} vezes: {do}", "{n} times: {do}"),
        ({"op": "repeat", "n": "$amount", "do": "$block"}, "tantas vezes quanto {n}: {do}", "as many times as {n}: {do}"),
        (
            {"op": "delayed", "when": "EndOfBattle", "do": "$block", "once": "$once?"},
            "no final da batalha[, {once}]: {do}",
            "at the end of the battle[, {once}]: {do}",
        ),
        (
            {"op": "delayed", "when": "$when", "do": "$block", "once": "$once?"},
            "depois, quando {when}[, {once}]: {do}",
            "later, when {when}[, {once}]: {do}",
        ),
    )
    book.add("once", (True, "uma única vez", "only once"))
    _tests(book)


def _tests(book: Book) -> None:
    for by, pt, en in (({"by": "=self"}, "realize", "make"), ({"by": "$who"}, "{by} deve<|m> realizar", "{by} must make")):
        for test, words in (
            ({"attr": "$attr"}, "{attr}"),
            ({"know": "$know"}, "{know}"),
            ({"know": "$know", "attr": "$attr"}, "{know} + {attr}"),
            ({}, ""),
        ):
            head = f"{pt} um teste[ de {{name}}] ({words} ➜ {{dc}})[ (chame de {{bind}})]"
            english = f"{en} a check[ of {{name}}] ({words} against {{dc}})[ (call it {{bind}})]"
            shape = {"op": "check", **by, **test, "name": "$name?", "dc": "$amount", "bind": "$bound?"}
            for ends, pt_end, en_end in (
                ({"ok": "$block"}, "; se for bem-sucedido, {ok}", "; on a success, {ok}"),
                ({"fail": "$block"}, "; se falhar, {fail}", "; on a failure, {fail}"),
                ({"ok": "$block", "fail": "$block"}, "; se for bem-sucedido, {ok}; se falhar, {fail}",
                 "; on a success, {ok}; on a failure, {fail}"),
                ({}, "", ""),
            ):  # fmt: skip
                book.add("act", ({**shape, **ends}, head + pt_end, english + en_end))
    book.add(
        "party",
        (
            {"who": "$who", "attr": "$attr", "know": "$know?", "add": "$bonus?"},
            "{who} (com [{know} + ]{attr}[ {add}])",
            "{who} (with [{know} + ]{attr}[ {add}])",
        ),
    )
    book.add(
        "act",
        (
            {"op": "contest", "a": "$party", "b": "$party", "win": "$block?", "lose": "$block?", "tie": "$block?"},
            "faça uma competição entre {a} e {b}[; se o primeiro vencer, {win}][; se o primeiro perder, {lose}]"
            "[; em caso de empate, {tie}]",
            "hold a competition between {a} and {b}[; if the first wins, {win}][; if the first loses, {lose}]"
            "[; on a tie, {tie}]",
        ),
    )
    book.add(
        "act", ({"op": "switch", "on": "$amount", "cases": "$cases"}, "conforme {on}: {cases}", "depending on {on}: {cases}")
    )
    book.leaves["cases"] = Bullets("case")
    book.add(
        "case",
        ({"ge": "$int", "le": "$int", "do": "$block"}, "de {ge} a {le}, {do}", "from {ge} to {le}, {do}"),
        ({"ge": "$int", "do": "$block"}, "{ge} ou mais, {do}", "{ge} or more, {do}"),
        ({"le": "$int", "do": "$block"}, "{le} ou menos, {do}", "{le} or less, {do}"),
        ({"do": "$block"}, "nos outros casos, {do}", "in all other cases, {do}"),
    )
