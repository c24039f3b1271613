"""Checks plain values against the card models and words what is wrong for the person who wrote the file.

Pydantic finds the faults; this module turns each of them into one sentence that names the value given, what is
allowed, the nearest allowed name, the file and line, and the card.
"""

import re
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic_core import PydanticCustomError, core_schema

from apotheosis.env.errors import InputError, nearest, unknown

Place = Callable[[tuple[str | int, ...]], str]
"""Tells the file and line of a path inside the value under check."""

ModelT = TypeVar("ModelT", bound=BaseModel)


class Strict(BaseModel):
    """The base of every model of a card file: unknown keys and loose types are errors, values never change after
    loading."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True, defer_build=True)


def name_error(kind: str, given: object, allowed: Iterable[str]) -> PydanticCustomError:
    """Builds the validation error for a name outside a closed list, with what is allowed and the nearest match."""
    if not isinstance(given, str):
        return PydanticCustomError(
            "expected_name", "expected the name of a {kind}, got {given}", {"kind": kind, "given": repr(given)}
        )
    return PydanticCustomError("unknown_name", "{text}", {"text": unknown(kind, given, allowed).message})


class ByName:
    """Lets a field hold a member of an IntEnum that files write by its name.

    Args:
        members: the enumeration.
        kind: what a member is called in messages.
        aliases: further spellings, each with the member's name.
        without: names of members that files may not use.
    """

    def __init__(self, members: type[IntEnum], kind: str, aliases: dict[str, str] | None = None, without: tuple[str, ...] = ()):
        self.members = members
        self.kind = kind
        self.aliases = aliases or {}
        self.names = [name for name in members.__members__ if name not in without]

    def _read(self, given: object) -> IntEnum:
        if isinstance(given, self.members):
            return given
        name = self.aliases.get(given, given) if isinstance(given, str) else given
        if not isinstance(name, str) or name not in self.names:
            raise name_error(self.kind, given, self.names)
        return self.members[name]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._read, serialization=core_schema.plain_serializer_function_ser_schema(lambda member: member.name)
        )

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "enum": [*self.names, *self.aliases]}


class OneOrMany:
    """Lets a list field be written as its single entry; lists of one entry are written that way too."""

    @staticmethod
    def _listed(given: object) -> object:
        return given if isinstance(given, list) else [given]

    @staticmethod
    def _unlisted(values: list[Any], handler: Any) -> Any:
        written = handler(values)
        return written[0] if len(written) == 1 else written

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_before_validator_function(
            self._listed,
            handler(source),
            serialization=core_schema.wrap_serializer_function_ser_schema(self._unlisted, schema=handler(source)),
        )

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        many = handler(schema)
        return {"anyOf": [many["items"], many]} if "items" in many else many


_EXPECTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "model_attributes_type": "a mapping of keys to values",
    "none_required": "nothing",
}
_BOUNDS = {"greater_than_equal": ("at least", "ge"), "less_than_equal": ("at most", "le")}


_EFFECT = re.compile(r"Value error, effect (\d+): ")
"""What a card says that is wrong with one of its effects."""
LONGEST = 600
"""Characters of a sentence; only what somebody's file repeats makes one longer."""


def clipped(text: str, length: int = 60) -> str:
    """Returns a text, or its beginning and its end with dots between where it is long."""
    half = length // 2
    return text if len(text) <= length else f"{text[:half]}...{text[-half:]}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _keys_of(model: type[BaseModel] | None) -> list[str]:
    return sorted(field.alias or name for name, field in model.model_fields.items()) if model is not None else []


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]


def _tags(model: type[BaseModel]) -> tuple[Any, ...]:
    """Returns the names by which unions tell a model apart: its class, its suit, its opcode."""
    opcode = model.model_fields.get("op")
    return (model.__name__, getattr(model, "TAG", None), *(get_args(opcode.annotation) if opcode is not None else ()))


def _model_at(model: type[BaseModel] | None, loc: tuple[str | int, ...]) -> type[BaseModel] | None:
    """Follows a pydantic location from a model to the model that holds its last step, by field names and union tags."""
    options = [model] if model is not None else []
    for step in loc:
        if isinstance(step, int):
            continue
        found: list[type[BaseModel]] = []
        for option in options:
            by_alias = {field.alias or name: field for name, field in option.model_fields.items()}
            if step in by_alias:
                found += _models_in(by_alias[step].annotation)
        if found:
            options = found
            continue
        tagged = [option for option in options if step in _tags(option)]
        if tagged:
            options = tagged
    return options[0] if len(options) == 1 else None


def _path_in(value: Any, loc: tuple[str | int, ...]) -> tuple[tuple[str | int, ...], Any]:
    """Drops from a pydantic location what is no key of the value (names of union branches)."""
    path: list[str | int] = []
    for step in loc:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            continue
        path.append(step)
    return tuple(path), value


def _sentence(error: Any, model: type[BaseModel] | None, value: Any, path: tuple[str | int, ...] = ()) -> str:
    kind, loc = error["type"], error["loc"]
    key = next((str(step) for step in reversed(loc) if isinstance(step, str)), "")
    if kind == "extra_forbidden":
        allowed = _keys_of(_model_at(model, loc[:-1]))
        if not allowed:
            return f"unknown key {loc[-1]!r}"
        hint = nearest(str(loc[-1]), allowed)
        return f"unknown key {loc[-1]!r}; allowed: {', '.join(allowed)}" + (f"; {hint}" if hint else "")
    if kind == "invalid_key":
        return f"the key {_shown(loc[-1])} must be a word"
    if kind == "missing":
        return f"the key {loc[-1]!r} is missing"
    if kind in _EXPECTED:
        return f"{key!r} must be {_EXPECTED[kind]}, got {_shown(error['input'])}"
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return f"{key!r} must be {words} {error['ctx'][bound]}, got {_shown(error['input'])}"
    if kind == "too_long":
        return f"{key!r} may hold at most {error['ctx']['max_length']} entries, got {error['ctx']['actual_length']}"
    if kind in ("too_short", "string_too_short"):
        return f"{key!r} must not be empty"
    if kind == "string_pattern_mismatch":
        return f"{key!r} must match {error['ctx']['pattern']}, got {_shown(error['input'])}"
    if kind == "literal_error":
        return f"{key!r} must be {error['ctx']['expected']}, got {_shown(error['input'])}"
    if kind == "union_tag_invalid":
        if {"TypedEffect", "TextEffect"} <= set(re.findall(r"\w+", error["ctx"]["expected_tags"])):
            shape = "an effect is a mapping with keys such as activation, requires and do, or with the key text"
            return f"{shape}; got {_shown(error['input'])}"
        given, allowed = str(error["ctx"]["tag"]), error["ctx"]["expected_tags"].strip("'").split("', '")
        kind = error["ctx"]["discriminator"].strip("'")
        return unknown(kind if kind.isidentifier() else key or "kind", given, allowed).message
    if kind == "union_tag_not_found":
        return f"the key {error['ctx']['discriminator']} is missing"
    text = error["msg"]
    key = next((str(step) for step in reversed(path) if isinstance(step, str)), key)  # as the file has it
    text = text.removeprefix("Value error, ")
    return text if not key or kind in ("value_error",) else f"{key!r}: {text}"


def problems(model: type[BaseModel], value: Any, error: ValidationError, place: Place, who: str) -> list[InputError]:
    """Words the faults that pydantic found.

    Args:
        model: what the value was checked against.
        value: the value.
        error: what pydantic raised.
        place: tells the file and line of a path inside the value.
        who: the card or deck concerned ("card X"), "" where it has no name.

    Returns:
        One error per fault; unknown keys come first, since a misspelled key often explains a missing one.
    """
    found = []
    faults = error.errors(include_url=False)
    for fault in sorted(faults, key=lambda fault: fault["type"] != "extra_forbidden"):
        loc = tuple(step for step in fault["loc"])
        path, inside = _path_in(value, loc)
        named = _EFFECT.match(fault["msg"])
        if named is not None:
            path = (*path, *_path_in(inside, ("effects", int(named.group(1))))[0])
        sentence = clipped(_sentence(fault, model, value, path), LONGEST)
        found.append(InputError(f"{who}: {sentence}" if who else sentence, place(path)))
    return found


def first_sentence(error: ValidationError, value: Any) -> str:
    """Words the first fault that pydantic found in a value that stands inside another."""
    fault = min(error.errors(include_url=False), key=lambda fault: fault["type"] != "extra_forbidden")
    return _sentence(fault, None, value)


def check(model: type[ModelT], value: Any, place: Place, who: str = "") -> ModelT:
    """Returns the value as a model.

    Args:
        model: the model to build.
        value: plain dicts, lists and scalars.
        place: tells the file and line of a path inside the value.
        who: the card or deck concerned, for messages.

    Raises:
        InputError: the value does not fit; the message is about the first fault and counts the others.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise together(problems(model, value, error, place, who)) from None


def together(errors: list[InputError]) -> InputError:
    """Returns one error for several: the first, with the number of the others."""
    first = errors[0]
    if len(errors) == 1:
        return first
    more = len(errors) - 1
    return InputError(f"{first.message} (and {more} more {'fault' if more == 1 else 'faults'})", first.where)
