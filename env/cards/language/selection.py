"""Selectors: which characters, cards, tiles and objects a part of an effect speaks of, with their filters (DSL
section 3).

A selector that needs no filter is written as one word. Both forms become the same model, so that nothing behind the
schema has to know which one a file used.
"""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_serializer, model_validator

from apotheosis.env.cards.language import names
from apotheosis.env.cards.language.amounts import WHOLE, Amount
from apotheosis.env.cards.language.names import is_bound_name, wrong
from apotheosis.env.cards.scalars import (
    LIGNUM_SPACED,
    AttributeField,
    CompanionTypeField,
    KnowledgeField,
    OrderField,
    PathField,
    RangeTypeField,
    RarityField,
    SuitField,
    Word,
)
from apotheosis.env.cards.validation import OneOrMany, Strict, name_error
from apotheosis.env.vocabulary import CompanionType, Lignum, Specifier

KINDS = ("Hero", "Companion", "Dummy", "Object", *(name for name in CompanionType.__members__ if name != "Absent"))


def one_of(kind: str, allowed: Iterable[str], aliases: dict[str, str] | None = None, bound: bool = False) -> Any:
    """Returns a validator for a word from a closed list.

    Args:
        kind: what the word is called in messages.
        allowed: the list.
        aliases: further spellings with the word they stand for.
        bound: names that programs bind are allowed too.
    """
    words = tuple(allowed)
    other = aliases or {}

    def check(given: str) -> str:
        word = other.get(given, given)
        if word in words or (bound and is_bound_name(word)):
            return word
        raise name_error(kind, given, words)

    return AfterValidator(check)


Zone = Annotated[str, one_of("zone", names.ZONES, names.ZONE_ALIASES)]
Kind = Annotated[str, one_of("kind of character", KINDS)]
SpecifierName = Annotated[str, one_of("specifier", Specifier.__members__)]
Open = Annotated[str, Field(pattern=names.OPEN_NAME.pattern)]
LignumName = Annotated[str, one_of("lignum", ("same", *Lignum.__members__), LIGNUM_SPACED)]
Bind = Annotated[str, one_of("name to bind (lower case)", (), bound=True)]


class Selector(Strict):
    """The base of selectors that may be written as one word.

    `WORD_KEY` is the field that the word fills; `SHORT` says whether writing uses the word.
    """

    WORD_KEY: ClassVar[str]
    SHORT: ClassVar[bool] = True

    @classmethod
    def rewrite(cls, value: dict[str, Any]) -> dict[str, Any]:
        """Returns the mapping with older spellings replaced."""
        return value

    @model_validator(mode="before")
    @classmethod
    def _from_word(cls, value: Any) -> Any:
        if isinstance(value, str):
            value = {cls.WORD_KEY: value}
        if isinstance(value, dict):
            return cls.rewrite(value)
        return value

    @model_serializer(mode="wrap")
    def _to_word(self, handler: Callable[[Self], dict[str, Any]]) -> Any:
        values = handler(self)
        return values[self.WORD_KEY] if self.SHORT and list(values) == [self.WORD_KEY] else values


Count = Amount | list[Amount]
"""How many: an amount, or the least and the most as a list of two."""


def check_count(value: Any) -> Any:
    """Returns a count as amounts.

    Raises:
        PydanticCustomError: it is neither an amount nor a list of two.
    """
    if isinstance(value, list):
        if len(value) != 2:
            raise wrong("an amount, or [least, most]", value)
        return [Amount.read(part) for part in value]
    return Amount.read(value)


class _CountValidator:
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            check_count, serialization=core_schema.plain_serializer_function_ser_schema(_plain_count)
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        amount = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
        return {"anyOf": [*amount["anyOf"], {"type": "array", "items": amount, "minItems": 2, "maxItems": 2}]}


def _plain_count(value: Count) -> Any:
    parts = [part.tree if isinstance(part.tree, int) else str(part) for part in (value if isinstance(value, list) else [value])]
    return parts if isinstance(value, list) else parts[0]


CountField = Annotated[Count, _CountValidator]


class Characters(Selector):
    """Characters: a base set with filters; `n` of them are chosen where it is given.

    `free_around` asks that all tiles next to the character are empty, or all others than yours; `direct` asks for a
    direct range (R15.22); `on_linked` that the character stands on the tile that this card is tied to.
    """

    WORD_KEY = "chars"

    chars: Annotated[str, one_of("character", names.CHARACTERS, names.CHARACTER_ALIASES, bound=True)]
    of: "Characters | None" = None
    within: Amount | None = None
    adjacent: bool | None = None
    in_area: bool | None = None
    on_line: bool | None = None
    kind: Kind | None = None
    tag: Word | None = None
    not_tag: Annotated[list[Word], OneOrMany()] | None = None
    has_marker: Open | None = None
    without_marker: Open | None = None
    entity_awake: bool | None = None
    path: PathField | None = None
    no_knowledge: KnowledgeField | None = None
    level_le: int | None = None
    per_le: int | None = None
    hp_below_max: bool | None = None
    free_around: Annotated[str, one_of("free tiles", ("all", "others"))] | None = None
    direct: Amount | None = None
    lignum: LignumName | None = None
    on_linked: bool | None = None
    team: Annotated[str, one_of("team", ("ally", "enemy"))] | None = None
    owner: Annotated[str, one_of("owner", ("self", "not_self", "target"))] | None = None
    exclude: "Characters | None" = None
    n: CountField | None = None

    @classmethod
    def rewrite(cls, value: dict[str, Any]) -> dict[str, Any]:
        """Turns the short forms for marked and adjacent characters into a base with a filter."""
        value = {"chars": "all", **value}
        if value["chars"] == "adjacent":
            value = {**value, "chars": "others", "adjacent": True}
        for key, base in (("heroes_with_marker", "heroes"), ("chars_with_marker", "all")):
            if key in value:
                rest = {name: item for name, item in value.items() if name not in (key, "chars")}
                return {"chars": base, "has_marker": value[key], **rest}
        if value.get("chars") in ("with_marker", "others_with_marker") and "marker" in value:
            rest = {name: item for name, item in value.items() if name not in ("chars", "marker")}
            return {
                "chars": "others" if value["chars"] == "others_with_marker" else "all",
                "has_marker": value["marker"],
                **rest,
            }
        return value


class CardCost(Strict):
    """Bounds on what a card costs."""

    ap_le: int | None = None
    ap_ge: int | None = None
    energy_le: int | None = None
    energy_ge: int | None = None
    sp_le: int | None = None
    sp_ge: int | None = None


class Cards(Selector):
    """Cards: this one, one that the program has bound, or all that a filter fits; `n` of them are chosen where it is
    given. `event.body` is the card of the character that an event happened to; `top` are the first cards of a deck;
    `usable` cards are those whose knowledge or level their owner has, `copy_of` those that others have a copy of."""

    WORD_KEY = "card"

    card: Annotated[str, one_of("card", ("this", "event.card", "event.body", "target"), bound=True)] | None = None
    zone: Annotated[list[Zone], OneOrMany()] | None = None
    of: Annotated[str, one_of("owner", (*names.CHARACTERS, "team"), bound=True)] | None = None
    suit: Annotated[list[SuitField], OneOrMany()] | None = None
    category: Annotated[str, one_of("category", ("resource", "sheet"))] | None = None
    knowledge: Annotated[list[KnowledgeField], OneOrMany()] | None = None
    tag: Word | None = None
    any_tag: Annotated[list[Word], OneOrMany()] | None = None
    craft: Word | None = None
    effect_named: Word | None = None
    level: Amount | None = None
    level_le: Amount | None = None
    level_ge: Amount | None = None
    value_le: Amount | None = None
    cost: CardCost | None = None
    rarity: RarityField | None = None
    range: RangeTypeField | None = None
    has_damage: bool | None = None
    lignum: LignumName | None = None
    path: PathField | None = None
    kind: CompanionTypeField | None = None
    order: OrderField | None = None
    specifier: SpecifierName | None = None
    summus: Word | None = None
    top: Annotated[int, Field(ge=1, le=60)] | None = None
    exhausted: bool | None = None
    face_down: bool | None = None
    usable: bool | None = None
    copy_of: Annotated[str, one_of("owner", ("other_allies",))] | None = None
    has_counter: Open | None = None
    from_: Zone | None = Field(default=None, alias="from")
    to: Zone | None = None
    same_as: Annotated[str, one_of("card", ("this",))] | None = None
    exclude: Annotated[str, one_of("card", ("this",), bound=True)] | None = Field(default=None, alias="not")
    n: CountField | None = None

    @classmethod
    def rewrite(cls, value: dict[str, Any]) -> dict[str, Any]:
        """Turns `cards_of` into the table of a character, its sheet included (R3.7.1)."""
        if value.get("card") in ("ally_card", "other_ally_card"):
            value = {**{key: item for key, item in value.items() if key != "card"}, "zone": "table", "of": "allies"}
        if "cards_of" in value:
            rest = {key: item for key, item in value.items() if key != "cards_of"}
            value = {"zone": ["table", "sheet"], "of": value["cards_of"], **rest}
        return value


class Tiles(Selector):
    """Tiles: by their place relative to a character, with filters; `n` of them are chosen."""

    WORD_KEY = "tile"
    SHORT = False

    tile: Annotated[str, one_of("tile", names.TILES, bound=True)]
    of: Characters | None = None
    within: Amount | None = None
    type: Annotated[str, one_of("terrain", names.TERRAINS)] | None = None
    empty: bool | None = None
    altitude: int | None = None
    n: CountField | None = None

    @classmethod
    def rewrite(cls, value: dict[str, Any]) -> dict[str, Any]:
        """Reads `tiles: 2` as the count of any tiles."""
        if "tiles" in value:
            rest = {key: item for key, item in value.items() if key != "tiles"}
            value = {"n" if isinstance(value["tiles"], int) else "tile": value["tiles"], **rest}
        return {"tile": "any", **value}


class Objects(Strict):
    """Objects that a card has placed, by name."""

    objects: Word
    owner: Annotated[str, one_of("owner", ("self", "any"))] | None = None
    n: CountField | None = None


class Source(Strict):
    """What damage, a check or a roll comes from (DSL section 3, `by`)."""

    attack: bool | None = None
    normal_attack: bool | None = None
    card: Cards | None = None
    technique: Annotated[str, one_of("technique", ("this",))] | bool | None = None
    suit: Annotated[list[SuitField], OneOrMany()] | None = None
    knowledge: Annotated[list[KnowledgeField], OneOrMany()] | None = None
    lacked_knowledge: bool | None = None
    attr: Annotated[list[AttributeField], OneOrMany()] | None = None
    tag: Word | None = None
    any_tag: Annotated[list[Word], OneOrMany()] | None = None
    effect_named: Word | None = None
    craft: Word | None = None
    range: RangeTypeField | None = None
    lignum: LignumName | None = None
    level: int | None = None
    from_back: bool | None = None
    from_back_or_side: bool | None = None
    distance_ge: int | None = None
    distance_le: int | None = None
    cause: Annotated[str, one_of("cause", ("effect", "cost"))] | None = None
    any: Annotated["list[Source]", OneOrMany()] | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_short(cls, value: Any) -> Any:
        if value == "this":
            return {"card": "this"}
        if value in ("effect", "cost"):
            return {"cause": value}
        return value


def _thing(value: Any) -> str:
    """Tells which selector a value is written for."""
    if isinstance(value, Strict):
        return type(value).__name__
    if isinstance(value, str):
        return "Characters" if value in names.CHARACTERS or value in names.CHARACTER_ALIASES else "Cards"
    keys = set(value) if isinstance(value, dict) else set()
    if "objects" in keys:
        return "Objects"
    if keys & {"tile", "tiles"}:
        return "Tiles"
    return "Cards" if keys & (_CARD_KEYS - _CHARACTER_KEYS) else "Characters"


_CHARACTER_KEYS = {*Characters.model_fields, "heroes_with_marker", "chars_with_marker"}
_CARD_KEYS = {field.alias or name for name, field in Cards.model_fields.items()} | {"cards_of"}
_AnyCards = Annotated[Cards, Tag("Cards")]
_AnyCharacters = Annotated[Characters, Tag("Characters")]
_AnyObjects = Annotated[Objects, Tag("Objects")]
_AnyTiles = Annotated[Tiles, Tag("Tiles")]
CardsOrCharacters = Annotated[_AnyCards | _AnyCharacters, Discriminator(_thing)]
CharactersOrObjects = Annotated[_AnyCharacters | _AnyObjects, Discriminator(_thing)]
Selected = Annotated[_AnyCards | _AnyCharacters | _AnyObjects | _AnyTiles, Discriminator(_thing)]
"""Anything that an effect may select as its target."""


def whole(count: Count | None) -> bool:
    """Tells whether a count means all there are."""
    return isinstance(count, Amount) and count.tree == WHOLE
