"""Amounts: the arithmetic of the effect language, from plain numbers to `half(attr(target,END))`.

An amount is written as a number, dice, a name or a call, and kept as a small tree, so that the compiler, the renderer
and the checks all walk the same thing. What a call may be given is listed once, in `FUNCTIONS`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

from apotheosis.env.cards.language.names import CHARACTERS, CURRENCIES, is_bound_name, wrong
from apotheosis.env.cards.scalars import DICE
from apotheosis.env.cards.validation import clipped, name_error
from apotheosis.env.vocabulary import Attribute, Knowledge

MAX_NUMBER = 9999

FUNCTIONS: dict[str, tuple[str, ...]] = {
    "add": ("amount", "amount", "..."),
    "sub": ("amount", "amount"),
    "mul": ("amount", "amount"),
    "div": ("amount", "amount"),
    "half": ("amount",),
    "min": ("amount", "amount", "..."),
    "max": ("amount", "amount", "..."),
    "neg": ("amount",),
    "dice": ("dice",),
    "attr": ("bearer", "attribute"),
    "know": ("who", "knowledge"),
    "hp": ("who",),
    "hp_max": ("who",),
    "hp_before": ("event", "who"),
    "ap": ("who",),
    "level": ("thing",),
    "value": ("value",),
    "counters": ("counters",),
    "count": ("set",),
    "distance": ("who", "who"),
    "tiles_between": ("who", "who"),
    "altitude": ("who",),
    "altitude_diff": ("who", "who"),
    "margin": ("check",),
    "roll_damage": ("bar",),
    "roll_damage_times": ("bar", "amount"),
    "slots": ("who", "slot"),
}
"""The functions of amounts with the kinds of their arguments; `...` repeats the last kind."""

ACCESSORS = (
    "last.damage", "last.injury", "last.hp", "event.damage", "event.injury", "event.hp", "event.dc", "event.n", "check.level",
    "roll.main", "roll.total", "roll.total_dice", "round", "stint", "turn",
)  # fmt: skip
"""Names that stand for a number of the running action."""
WHOLE = "all"
"""The amount that means as much as there is."""
CHOSEN = "X"
"""The amount that the payer of a cost chooses."""
EVENTS = ("event", "event.attack", "this_attack")
CHECKS = ("current", "last")
BARS = ("this", "this_technique", "target_card")
SLOTS = ("equipment", "memento", "support")

_TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?|\d+D\d+|-?\d+|[(),])")


@dataclass(frozen=True)
class Call:
    """A function with its arguments; arguments that are no amounts stay text."""

    name: str
    args: tuple["Tree", ...]

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(str, self.args))})"


Tree = int | str | Call
"""An amount as a tree: a number, a name or dice as text, or a call."""


@dataclass(frozen=True)
class Amount:
    """A checked amount."""

    tree: Tree

    def __str__(self) -> str:
        return str(self.tree)

    @property
    def number(self) -> int | None:
        """The value, where it is a plain number."""
        return self.tree if isinstance(self.tree, int) else None

    def names(self) -> Iterator[str]:
        """Yields the names in the amount that programs may have bound."""
        yield from _names(self.tree)

    @classmethod
    def read(cls, given: object) -> "Amount":
        """Returns the amount that a number or a text stands for.

        Raises:
            PydanticCustomError: it is none.
        """
        if isinstance(given, Amount):
            return given
        if isinstance(given, bool) or not isinstance(given, (int, str)):
            raise wrong("an amount (a number, dice, a name or a call)", given)
        if isinstance(given, int):
            return cls(_number(given))
        return cls(_Parser(given).amount_only())

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls.read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda amount: amount.tree if isinstance(amount.tree, int) else str(amount.tree)
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"anyOf": [{"type": "integer"}, {"type": "string"}], "description": "a number, dice, a name or a call"}


def _names(tree: Tree) -> Iterator[str]:
    if isinstance(tree, Call):
        for argument in tree.args:
            yield from _names(argument)
    elif isinstance(tree, str):
        head = tree.split(".")[0]
        if is_bound_name(head) and tree not in ACCESSORS and tree not in CHARACTERS:
            yield head


def _number(value: int) -> int:
    if abs(value) > MAX_NUMBER:
        raise PydanticCustomError("amount", "numbers go up to {most}, got {given}", {"most": MAX_NUMBER, "given": value})
    return value


class _Parser:
    """Reads one amount from text; a `bearer` is a character, or this card for the values printed on it."""

    def __init__(self, text: str):
        self.text = text
        self.tokens: list[str] = []
        position = 0
        while position < len(text.rstrip()):
            found = _TOKEN.match(text, position)
            if found is None or len(self.tokens) > 200:
                raise self._fault("is no amount: a number, or a call such as add(2,attr(self,STR))")
            self.tokens.append(found.group(1))
            position = found.end()
        self.at = 0

    def _fault(self, what: str) -> PydanticCustomError:
        return PydanticCustomError("amount", "{given} {what}", {"given": repr(clipped(self.text)), "what": what})

    def _next(self) -> str:
        if self.at == len(self.tokens):
            raise self._fault("ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def amount_only(self) -> Tree:
        tree = self._amount()
        if self.at != len(self.tokens):
            raise self._fault("goes on after its end")
        return tree

    def _amount(self) -> Tree:
        token = self._next()
        if re.fullmatch(r"-?\d+", token):
            return _number(int(token))
        if token in DICE or token in ACCESSORS or token in (WHOLE, CHOSEN):
            return token
        if re.fullmatch(r"\d+D\d+", token):
            raise name_error("dice", token, DICE)
        if self.at < len(self.tokens) and self.tokens[self.at] == "(":
            if token not in FUNCTIONS:
                raise name_error("function", token, FUNCTIONS)
            return self._call(token)
        if token in FUNCTIONS:
            raise self._fault(f"names the function {token} without its arguments")
        if "." not in token and is_bound_name(token):
            return token
        raise name_error("amount", token, (*FUNCTIONS, *ACCESSORS, WHOLE, CHOSEN, *DICE))

    def _call(self, name: str) -> Call:
        self._next()
        kinds = FUNCTIONS[name]
        least = len(kinds) - (kinds[-1] == "...")
        args: list[Tree] = []
        while True:
            kind = kinds[min(len(args), least - 1)]
            args.append(self._argument(kind))
            token = self._next()
            if token == ")":
                break
            if token != ",":
                raise self._fault(f"has {token!r} where ',' or ')' is expected")
        if len(args) < least or (len(args) > least and kinds[-1] != "..."):
            raise self._fault(f"gives {name} {len(args)} argument(s) instead of {least}")
        return Call(name, tuple(args))

    def _argument(self, kind: str) -> Tree:
        if kind == "amount":
            return self._amount()
        token = self._next()
        if kind == "thing" and token == "entity" and self.at < len(self.tokens) and self.tokens[self.at] == "(":
            self._next()
            inner = self._word(self._next(), "who")
            if self._next() != ")":
                raise self._fault("lacks a ')'")
            return Call("entity", (inner,))
        if kind == "set" and token == "attachments":
            return self._attachments()
        return self._word(token, kind)

    def _attachments(self) -> Call:
        self._next()
        args = [self._word(self._next(), "card")]
        token = self._next()
        if token == ",":
            args.append(self._next())
            token = self._next()
        if token != ")":
            raise self._fault("lacks a ')'")
        return Call("attachments", tuple(args))

    def _word(self, token: str, kind: str) -> str:
        head, _, tail = token.partition(".")
        if kind == "attribute":
            return _member(token, Attribute.__members__, "attribute")
        if kind == "knowledge":
            return _member(token, Knowledge.__members__, "knowledge")
        if kind == "dice":
            return _member(token, DICE, "dice")
        if kind == "event":
            return _member(token, EVENTS, "event")
        if kind == "check":
            return _member(token, CHECKS, "check")
        if kind == "bar" and not is_bound_name(token):
            return _member(token, BARS, "activation bar")
        if kind == "slot":
            return _member(token, SLOTS, "slot")
        if kind == "value":
            _member(tail, CURRENCIES, "currency")
            return token
        if kind == "counters":
            if not tail.isupper():
                raise self._fault("names no counter (write counters(this.UNIT))")
            return token
        if kind == "bearer" and token == "this":
            return token
        if kind in ("who", "bearer") and token in CHARACTERS:
            return token
        if kind in ("card", "thing") and (token in ("this", "event.card") or token in CHARACTERS):
            return token
        if not tail and is_bound_name(head):
            return token
        raise name_error("character" if kind in ("who", "bearer") else kind, token, CHARACTERS)


def _member(token: str, allowed: Any, kind: str) -> str:
    if token not in allowed:
        raise name_error(kind, token, allowed)
    return token
