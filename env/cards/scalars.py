"""The scalar field types of card files: names from the closed lists of the rulebook, dice, and words.

They stand apart from the card models because the effect language uses the same ones.
"""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from apotheosis.env.cards.validation import ByName, name_error
from apotheosis.env.vocabulary import (
    Attribute,
    CompanionType,
    Knowledge,
    Lignum,
    Order,
    Path,
    RangeType,
    Rarity,
    Suit,
)

DICE = ("1D2", "2D2", "3D2", "1D3", "2D3", "3D3", "1D6", "2D6", "3D6")
"""The dice that cards may roll (DSL section 2)."""

LIGNUM_SPACED = {"Golden Fire": "GoldenFire", "Silver Ice": "SilverIce"}
"""Spellings of Lignum names in the game's database."""


def dice_text(text: str) -> str:
    """Returns the text if it names dice that cards may roll.

    Raises:
        PydanticCustomError: it does not.
    """
    if text not in DICE:
        raise name_error("dice", text, DICE)
    return text


def dice_parts(text: str) -> tuple[int, int]:
    """Returns the number of dice and their faces of a dice text such as `2D3`."""
    count, faces = re.split("D", text)
    return int(count), int(faces)


AttributeField = Annotated[Attribute, ByName(Attribute, "attribute")]
KnowledgeField = Annotated[Knowledge, ByName(Knowledge, "knowledge")]
SuitField = Annotated[Suit, ByName(Suit, "suit")]
RarityField = Annotated[Rarity, ByName(Rarity, "rarity")]
PathField = Annotated[Path, ByName(Path, "path", aliases={"None": "Absent"})]
OrderField = Annotated[Order, ByName(Order, "order", aliases={"Sprite": "Spirit"}, without=("Absent",))]
CompanionTypeField = Annotated[CompanionType, ByName(CompanionType, "companion type", without=("Absent",))]
RangeTypeField = Annotated[RangeType, ByName(RangeType, "range type")]
LignumField = Annotated[Lignum, ByName(Lignum, "lignum", aliases=LIGNUM_SPACED, without=("Absent",))]
DiceText = Annotated[str, AfterValidator(dice_text)]
Word = Annotated[str, Field(min_length=1, max_length=60)]
