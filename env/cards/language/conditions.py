"""Conditions: what `if`, `while` and the program's `if` may ask (DSL section 4).

A condition is a mapping with one key, its name, and the arguments as one value or a list. The table `CONDITIONS` says
what each argument is; the checked condition holds models and amounts, no raw values.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError, core_schema

from apotheosis.env.cards.language import names
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.names import wrong
from apotheosis.env.cards.language.selection import Cards, Characters, Source
from apotheosis.env.cards.scalars import PathField
from apotheosis.env.cards.validation import name_error

CONDITIONS: dict[str, tuple[str, ...]] = {
    "eq": ("amount", "amount"),
    "ne": ("amount", "amount"),
    "lt": ("amount", "amount"),
    "le": ("amount", "amount"),
    "gt": ("amount", "amount"),
    "ge": ("amount", "amount"),
    "not": ("condition",),
    "any_of": ("condition", "..."),
    "all_of": ("condition", "..."),
    "has_marker": ("characters", "marker"),
    "has_counter": ("cards", "marker"),
    "none_on_board_with_marker": ("marker",),
    "entity_awake": ("characters",),
    "dead": ("characters",),
    "adjacent": ("characters", "characters"),
    "in_zone": ("cards", "zone"),
    "free_slot": ("slot",),
    "has_class_paths": ("path", "..."),
    "has_card": ("cards",),
    "entered_by": ("cards",),
    "from": ("source", "..."),
    "critical": ("action",),
    "attack_is": ("by",),
    "check_is": ("by",),
    "caused_injury": ("action",),
    "succeeded": ("check",),
    "failed": ("check",),
    "paid_fate": ("check",),
    "margin_ge": ("check", "amount"),
    "first_time_this_turn": ("word",),
    "not_yet": ("word",),
    "moved_this_turn": ("characters",),
    "attacked_this_battle": ("characters",),
    "last_standing": ("characters",),
    "in_turn_of": ("characters",),
    "position": ("characters", "side"),
    "tile_type": ("characters", "terrain"),
    "adjacent_tile_type": ("characters", "terrain"),
    "altitude_diff": ("characters", "characters", "amount"),
    "died_within_rounds": ("characters", "amount"),
    "control_count": ("characters", "amount"),
    "exhausted": ("cards",),
    "summoned": ("cards",),
    "obstructed": ("action",),
}
"""The conditions with the kinds of their arguments; `...` repeats the last kind any number of times."""
ALIASES = {"and": "all_of", "or": "any_of", "from_deck": "from"}

_WORDS = {
    "slot": ("slot", ("equipment", "memento", "support", "entity", "inventory")),
    "zone": ("zone", names.ZONES),
    "source": ("deck or pile", names.SOURCES),
    "action": ("action", ("this_attack", "current", "last", "event.attack")),
    "check": ("check", ("current", "last", "this_check")),
    "side": ("side", ("back", "side", "front", "back_or_side")),
    "terrain": ("terrain", names.TERRAINS),
    "word": ("memory", ("rerolled_this_check", "activated", "attacked", "targeted", "moved", "hit")),
}
_WORD_ALIASES = {
    "slot": {"entity_slot": "entity", **names.ZONE_ALIASES},
    "zone": names.ZONE_ALIASES,
    "source": names.SOURCE_ALIASES,
}
_MODELS: dict[str, TypeAdapter[Any]] = {
    "characters": TypeAdapter(Characters),
    "cards": TypeAdapter(Cards),
    "by": TypeAdapter(Source),
    "path": TypeAdapter(PathField),
}
MAX_DEPTH = 8


@dataclass(frozen=True)
class Condition:
    """A checked condition with its arguments in order."""

    name: str
    args: tuple[Any, ...]

    def parts(self) -> Iterator[Any]:
        """Yields the arguments of this condition and of those inside it."""
        for argument in self.args:
            if isinstance(argument, Condition):
                yield from argument.parts()
            else:
                yield argument

    def plain(self) -> dict[str, Any]:
        """Returns the condition as files write it."""
        args = [_plain(argument) for argument in self.args]
        return {self.name: args[0] if len(args) == 1 and self.name not in ("any_of", "all_of") else args}

    @classmethod
    def read(cls, given: object, depth: int = 0) -> "Condition":
        """Returns the condition that a mapping stands for.

        Raises:
            PydanticCustomError: it is none.
        """
        if isinstance(given, Condition):
            return given
        if not isinstance(given, dict) or len(given) != 1:
            raise wrong("a condition with exactly one key", given)
        if depth > MAX_DEPTH:
            raise PydanticCustomError("condition", "conditions are nested too deep", {})
        ((name, value),) = given.items()
        name = ALIASES.get(str(name), str(name))
        if name not in CONDITIONS:
            raise name_error("condition", name, CONDITIONS)
        kinds = CONDITIONS[name]
        values = value if isinstance(value, list) else [value]
        least = len(kinds) - (kinds[-1] == "...")
        if len(values) < least or (len(values) > least and kinds[-1] != "..."):
            raise PydanticCustomError(
                "condition",
                "the condition {name} takes {needed} argument(s), got {given}",
                {"name": name, "needed": least, "given": len(values)},
            )
        args = tuple(_read(kinds[min(index, least - 1)], item, name, depth) for index, item in enumerate(values))
        return cls(name, args)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls.read,
            serialization=core_schema.plain_serializer_function_ser_schema(lambda condition: condition.plain()),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        keys = {name: {} for name in (*CONDITIONS, *ALIASES)}
        return {
            "type": "object",
            "properties": keys,
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
        }


def _read(kind: str, value: Any, name: str, depth: int) -> Any:
    if kind == "amount":
        return Amount.read(value)
    if kind == "condition":
        return Condition.read(value, depth + 1)
    if kind == "marker":
        if not isinstance(value, str) or not names.OPEN_NAME.match(value):
            raise wrong("the name of a marker or counter in capitals", value)
        return value
    if kind in _MODELS:
        return _inner(_MODELS[kind].validate_python, value, name)
    what, allowed = _WORDS[kind]
    word = _WORD_ALIASES.get(kind, {}).get(value, value) if isinstance(value, str) else value
    if word not in allowed:
        raise name_error(what, value, allowed)
    return word


def _inner(read: Callable[[Any], Any], value: Any, name: str) -> Any:
    try:
        return read(value)
    except ValidationError as error:
        from apotheosis.env.cards.validation import first_sentence

        raise PydanticCustomError("condition", "{text}", {"text": f"in {name}: {first_sentence(error, value)}"}) from None


def _plain(argument: Any) -> Any:
    if isinstance(argument, Condition):
        return argument.plain()
    if isinstance(argument, Amount):
        return argument.tree if isinstance(argument.tree, int) else str(argument)
    if hasattr(argument, "model_dump"):
        return argument.model_dump(by_alias=True, exclude_defaults=True)
    return getattr(argument, "name", argument)
