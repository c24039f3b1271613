"""Instructions about cards, counters, pieces and tiles (DSL section 6)."""

from typing import Annotated, Literal

from pydantic import Field

from apotheosis.env.cards.language import names
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.modifiers import Duration
from apotheosis.env.cards.language.selection import (
    Bind,
    Cards,
    CardsOrCharacters,
    Characters,
    CharactersOrObjects,
    CountField,
    Open,
    Selector,
    Tiles,
    one_of,
)
from apotheosis.env.cards.language.step import ONE, SELF, Direction, Place, SourceName, Step
from apotheosis.env.cards.scalars import CompanionTypeField, Word
from apotheosis.env.cards.validation import Strict


class MoveCard(Step):
    """Moves cards to a zone (R5.3 to R5.8)."""

    op: Literal["move_card"]
    cards: Cards
    to: Place
    by: Characters | None = None
    owner: Characters | None = None
    reveal: bool = False
    bind: Bind | None = None


class Draw(Step):
    """Draws from the top of a deck (R5.8)."""

    op: Literal["draw"]
    who: Characters = SELF
    deck: SourceName = "deck"
    n: Amount = ONE


class Search(Step):
    """Searches a deck or pile by criteria (R5.10)."""

    op: Literal["search"]
    who: Characters = SELF
    from_: SourceName = Field(default="deck", alias="from")
    filter: Cards | None = None
    n: CountField = ONE
    to: Place = "inventory"
    shuffle: bool = True
    bind: Bind | None = None


class DeckPart(Selector):
    """The top of a deck, or a whole pile."""

    WORD_KEY = "deck"

    deck: SourceName = "deck"
    of: Characters = SELF


class Look(Step):
    """Looks at cards without showing them; R24.7: the top of a deck is not shuffled afterwards."""

    op: Literal["look"]
    from_: DeckPart = Field(alias="from")
    n: Amount = ONE
    keep_order: bool = True
    bind: Bind | None = None


class Reveal(Step):
    """Shows cards (R5.9)."""

    op: Literal["reveal"]
    cards: Cards | None = None
    from_: SourceName | None = Field(default=None, alias="from")
    n: Amount = ONE
    to: Characters | None = None
    bind: Bind | None = None


class Reorder(Step):
    """Puts the top cards of a deck back in any order."""

    op: Literal["reorder"]
    deck: SourceName = "deck"
    n: Amount


class Shuffle(Step):
    """Shuffles a deck."""

    op: Literal["shuffle"]
    deck: SourceName = "deck"


class Exhaust(Step):
    """Exhausts cards (R5.1)."""

    op: Literal["exhaust"]
    cards: Cards


class Recover(Step):
    """Recovers cards (R5.2)."""

    op: Literal["recover"]
    cards: Cards


class Attach(Step):
    """Attaches a card to a Companion (R18.4)."""

    op: Literal["attach"]
    card: Cards
    to: Characters


class Detach(Step):
    """Takes attachments off (R18.4); `owner` is the character whose cards they become."""

    op: Literal["detach"]
    from_: CardsOrCharacters = Field(alias="from")
    filter: Cards | None = None
    n: Amount = ONE
    to: Place = "inventory"
    owner: Characters | None = None


class SwapCard(Step):
    """Replaces one card by another in its slot (R5.11)."""

    op: Literal["swap_card"]
    a: Cards
    b: Cards
    keep: list[Annotated[str, one_of("thing to keep", ("attachments", "counters", "markers", "hp"))]] = Field(
        default_factory=list
    )
    revert_at: Duration | None = None


class ActivateCard(Step):
    """Activates another card inside this effect."""

    op: Literal["activate_card"]
    cards: Cards
    free: bool = False
    as_own: bool = False


class AddCounter(Step):
    """Puts counters on cards (R18.3)."""

    op: Literal["add_counter"]
    counter: Open
    to: CardsOrCharacters
    n: Amount = ONE


class MoveCounter(Step):
    """Moves counters from one card to another."""

    op: Literal["move_counter"]
    counter: Open
    from_: CardsOrCharacters = Field(alias="from")
    to: CardsOrCharacters
    n: Amount = ONE


class MovePiece(Step):
    """Walks, pushes or places a piece (R15.11, R15.12)."""

    op: Literal["move_piece"]
    who: Characters
    mode: Annotated[str, one_of("mode of movement", names.MODES)]
    n: CountField | None = None
    dir: Direction | None = None
    to: Tiles | None = None
    unit: Annotated[str, one_of("unit", ("tiles", "distance"))] = "tiles"
    free: bool = True
    if_possible: bool = False


class SwapPieces(Step):
    """Lets two pieces change places."""

    op: Literal["swap_pieces"]
    a: Characters
    b: CharactersOrObjects


class SheetTechnique(Strict):
    """A technique of a created piece: DMG as [attribute, constant, dice], range as [type, distance]."""

    damage: list[str | int | None] = Field(min_length=3, max_length=3)
    range: list[str | int] = Field(min_length=2, max_length=2)
    ap: int = Field(ge=0, le=20)


class PieceSheet(Strict):
    """The character sheet of a created piece (R19.16); attributes in the order END STR AGI PER INT CHA SPT."""

    name: Word
    kind: CompanionTypeField | None = None
    level: int = Field(1, ge=1, le=3)
    hp: Amount | None = None
    attrs: list[int] = Field(default_factory=lambda: [1] * 7, min_length=7, max_length=7)
    techniques: list[SheetTechnique] = Field(default_factory=list)


class SummonPiece(Step):
    """Creates a piece of its own (R19.16)."""

    op: Literal["summon_piece"]
    sheet: PieceSheet
    at: Tiles


class PlaceObject(Step):
    """Puts objects on tiles (R15.13)."""

    op: Literal["place_object"]
    name: Word
    at: Tiles
    n: Amount = ONE
    hp: Amount | None = None
    movable: bool = False


class RemovePiece(Step):
    """Takes pieces off the board."""

    op: Literal["remove_piece"]
    who: CharactersOrObjects


class TileMod(Step):
    """Changes the altitude of tiles."""

    op: Literal["tile_mod"]
    tiles: Tiles
    q: Literal["alt"]
    add: Amount | None = None
    set: Amount | None = None
    until: Duration | None = None


class TileRule(Step):
    """Changes the terrain of tiles."""

    op: Literal["tile_rule"]
    tiles: Tiles
    rule: Annotated[str, one_of("terrain", names.TERRAINS)]
    until: Duration | None = None


class LinkTile(Step):
    """Ties a card to a tile (traps)."""

    op: Literal["link_tile"]
    card: Cards
    tile: Tiles
    until: Duration | None = None
