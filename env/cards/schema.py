"""The card models: what a card file may say about each of the seven suits, field by field.

The stat fields carry the names of RULES R2 in snake_case, so that a rule text and a card file read alike. Fields of
the game's database without a rules meaning (artist, dates, trivia) are kept so that a card survives the way from
cards.json to our YAML and back.
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from apotheosis.env.cards.language.consistency import card_faults
from apotheosis.env.cards.language.effect import Effect
from apotheosis.env.cards.scalars import (
    AttributeField,
    CompanionTypeField,
    DiceText,
    KnowledgeField,
    LignumField,
    OrderField,
    PathField,
    RangeTypeField,
    RarityField,
    Word,
)
from apotheosis.env.cards.validation import Strict, name_error
from apotheosis.env.vocabulary import Attribute, Knowledge, Path, Rarity, Specifier, Suit

MAX_LEVEL = 3
MAX_CLASS_KNOWLEDGES = 3
CRAFTS = (
    "Alchemy", "Amber", "Charm", "Cook", "Dressmaking", "Drink", "Forge", "Gunsmith", "Handicraft", "Herbalism",
    "Jewelry", "Mechanics", "Orichalcum",
)  # fmt: skip
"""Craft materials of Items (R2.5.1)."""
FORMATS = ("FieldBattle", "NavalBattle")
"""Formats that a card may be restricted to (R2.1.7)."""


def usual_score(level: int, rarity: Rarity) -> int:
    """Returns the Score that cards of a level and rarity have where a card file does not say otherwise."""
    return 2 * level - 1 + 2 * rarity


class Damage(Strict):
    """The damage line of an activation bar (R13.1); without dice it rolls nothing."""

    attribute: AttributeField | None = None
    constant: int = Field(0, ge=-999, le=999)
    dice: DiceText | None = None


class Range(Strict):
    """The range of an activation bar (R15.18 to R15.20)."""

    type: RangeTypeField
    attribute: AttributeField | None = None
    constant: int = Field(0, ge=0, le=99)


class AttributeValues(Strict):
    """A value for each attribute, 0 where it is left out."""

    END: int = Field(default=0, ge=-999, le=999)
    STR: int = Field(default=0, ge=-999, le=999)
    AGI: int = Field(default=0, ge=-999, le=999)
    PER: int = Field(default=0, ge=-999, le=999)
    INT: int = Field(default=0, ge=-999, le=999)
    CHA: int = Field(default=0, ge=-999, le=999)
    SPT: int = Field(default=0, ge=-999, le=999)

    def row(self) -> list[int]:
        """Returns the values in the order of `Attribute`."""
        return [getattr(self, attribute.name) for attribute in Attribute]


class Technique(Strict):
    """A technique of a Companion (R19.6)."""

    requirement: list[Word] = Field(default_factory=list)
    action: int = Field(0, ge=0, le=99)
    damage: Damage | None = None
    range: Range | None = None
    effects: list[Effect] = Field(default_factory=list)


class CardBase(Strict):
    """What every card has (R2.1.1), with the database fields that mean nothing to the rules."""

    suit_of_model: ClassVar[Suit]

    id: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=80)
    name: str = ""
    name_pt: str | None = None
    level: int = Field(ge=1, le=MAX_LEVEL)
    action: int = Field(0, ge=0, le=99)
    rarity: RarityField
    score: int = Field(0, ge=0, le=999)
    tags: list[Word] = Field(default_factory=list)
    formats: list[Word] = Field(default_factory=list)
    collection: str | None = None
    modified_date: str | None = None
    effects: list[Effect] = Field(default_factory=list)

    artist: str | None = None
    tokenable: bool | None = None
    trivia: list[str] | None = None
    creation_date: str | None = None
    reviewed: bool | None = None
    coded: bool | None = None
    full_art: bool | None = None
    opacity: float | None = None
    collection_index: int | None = None
    flavor_text: str | None = None
    json_extra: dict[str, Any] | None = None
    json_absent: list[str] | None = None

    @field_validator("formats")
    @classmethod
    def _known_formats(cls, formats: list[str]) -> list[str]:
        for name in formats:
            if name not in FORMATS:
                raise name_error("format", name, FORMATS)
        return formats

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        filled = {}
        if "name" not in value and "id" in value:
            filled["name"] = value["id"]
        if "score" not in value and isinstance(value.get("level"), int) and str(value.get("rarity")) in Rarity.__members__:
            filled["score"] = usual_score(value["level"], Rarity[value["rarity"]])
        return {**value, **filled} if filled else value

    @model_validator(mode="after")
    def _effects_fit(self) -> "CardBase":
        for index, fault in card_faults(self):
            raise ValueError(f"effect {index}: {fault}")
        return self

    @property
    def suit_code(self) -> Suit:
        """The suit as the kernel's number."""
        return self.suit_of_model


class Slotted(CardBase):
    """A Sheet card that grants slots (R3.7.2)."""

    attributes: AttributeValues = AttributeValues()
    equipment_slots: int = Field(0, ge=-99, le=99)
    memento_slots: int = Field(0, ge=-99, le=99)
    support_slots: int = Field(0, ge=-99, le=99)


class House(Slotted):
    """R2.2."""

    suit_of_model = Suit.House
    TAG: ClassVar[str] = "House"
    suit: Literal["House"]
    equipment_slots: int = Field(3, ge=-99, le=99)
    memento_slots: int = Field(3, ge=-99, le=99)


class Class(Slotted):
    """R2.3; each knowledge listed gives one level in it."""

    suit_of_model = Suit.Class
    TAG: ClassVar[str] = "Class"
    suit: Literal["Class"]
    path: PathField = Path.Absent
    knowledges: list[KnowledgeField] = Field(default_factory=list, max_length=MAX_CLASS_KNOWLEDGES)


class Entity(CardBase):
    """R2.4."""

    suit_of_model = Suit.Entity
    TAG: ClassVar[str] = "Entity"
    suit: Literal["Entity"]
    order: OrderField
    attributes: AttributeValues = AttributeValues()


class Resource(CardBase):
    """A Resource card: it needs knowledge (R3.6.3 to R3.6.5); `knowledges` lists them where any of several will do."""

    knowledge: KnowledgeField = Knowledge.Free
    knowledges: list[KnowledgeField] | None = None

    def usable_with(self) -> list[Knowledge]:
        """Returns the knowledges of which any one makes the card usable."""
        return list(dict.fromkeys([self.knowledge, *(self.knowledges or [])]))


class Barred(Resource):
    """A Resource card with an activation bar and bonuses while it is in play."""

    damage: Damage | None = None
    range: Range | None = None
    attributes_bonus: AttributeValues = AttributeValues()
    equipment_slots_bonus: int = Field(0, ge=-99, le=99)
    memento_slots_bonus: int = Field(0, ge=-99, le=99)
    support_slots_bonus: int = Field(0, ge=-99, le=99)
    inventory_slots_bonus: int = Field(0, ge=-99, le=99)


class Item(Barred):
    """R2.5."""

    suit_of_model = Suit.Item
    TAG: ClassVar[str] = "Item"
    suit: Literal["Item"]
    price: int = Field(0, ge=0, le=9999)
    crafts: list[Word] = Field(default_factory=list)
    headpiece: bool = False
    vest: bool = False
    feet: bool = False
    accessory: bool = False
    utility: bool = False

    @field_validator("crafts")
    @classmethod
    def _known_crafts(cls, crafts: list[str]) -> list[str]:
        for name in crafts:
            if name not in CRAFTS:
                raise name_error("craft", name, CRAFTS)
        return crafts

    def specifier_bits(self) -> int:
        """Returns the specifiers as a mask of `Specifier` values."""
        return sum(specifier.value for specifier in Specifier if getattr(self, specifier.name.lower()))


class Skill(Barred):
    """R2.6."""

    suit_of_model = Suit.Skill
    TAG: ClassVar[str] = "Skill"
    suit: Literal["Skill"]
    stamina: int = Field(0, ge=0, le=99)
    mana: int = Field(0, ge=0, le=99)
    essence: int = Field(0, ge=0, le=99)
    lignum: LignumField | None = None


class Companion(Resource):
    """R2.7."""

    suit_of_model = Suit.Companion
    TAG: ClassVar[str] = "Companion"
    suit: Literal["Companion"]
    companion_type: CompanionTypeField
    path: PathField = Path.Absent
    attributes: AttributeValues = AttributeValues()
    attachment_slots: list[Word] = Field(default_factory=list)
    techniques: list[Technique] = Field(default_factory=list, max_length=8)


class Event(Resource):
    """R2.8; its attribute bonuses apply to everybody while it is in the scenario."""

    suit_of_model = Suit.Event
    TAG: ClassVar[str] = "Event"
    suit: Literal["Event"]
    attributes_bonus: AttributeValues = AttributeValues()


MODELS: dict[str, type[CardBase]] = {
    model.suit_of_model.name: model for model in (House, Class, Entity, Item, Skill, Companion, Event)
}


def _suit_of(value: Any) -> str | None:
    return value.get("suit") if isinstance(value, dict) else getattr(value, "suit", None)


AnyCard = Annotated[
    Annotated[House, Tag("House")]
    | Annotated[Class, Tag("Class")]
    | Annotated[Entity, Tag("Entity")]
    | Annotated[Item, Tag("Item")]
    | Annotated[Skill, Tag("Skill")]
    | Annotated[Companion, Tag("Companion")]
    | Annotated[Event, Tag("Event")],
    Discriminator(_suit_of),
]
"""A card of any suit."""
