"""Instructions that hold further instructions, and the union of all of them (DSL section 6).

`may` is the only source of optional behaviour and `choose` the only source of branching; both ask the owner unless
`by` says otherwise.
"""

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.conditions import Condition
from apotheosis.env.cards.language.modifiers import Modifier
from apotheosis.env.cards.language.requirements import Payment, When
from apotheosis.env.cards.language.selection import (
    Bind,
    Cards,
    CardsOrCharacters,
    Characters,
    CharactersOrObjects,
    CountField,
)
from apotheosis.env.cards.language.step import ONE, SELF, EnergyName, ResourceName, SomeMarker, Step
from apotheosis.env.cards.language.steps_play import (
    AddMarker,
    AddRoll,
    Awaken,
    ChangeControl,
    CopyStats,
    DealDamage,
    DealInjury,
    Declare,
    EndBattle,
    EndTurn,
    ExtraTurn,
    Gain,
    GainCurrency,
    Heal,
    Incorporate,
    Let,
    LoseHp,
    Native,
    Negate,
    Redirect,
    RemoveMarker,
    RemoveMods,
    Reroll,
    Revive,
    Roll,
    Save,
    SetDie,
    SetResult,
    Side,
    SkipTurn,
    SleepEntity,
    Splash,
)
from apotheosis.env.cards.language.steps_table import (
    ActivateCard,
    AddCounter,
    Attach,
    Detach,
    Draw,
    Exhaust,
    LinkTile,
    Look,
    MoveCard,
    MoveCounter,
    MovePiece,
    PlaceObject,
    Recover,
    RemovePiece,
    Reorder,
    Reveal,
    Search,
    Shuffle,
    SummonPiece,
    SwapCard,
    SwapPieces,
    TileMod,
    TileRule,
)
from apotheosis.env.cards.scalars import AttributeField, KnowledgeField, Word
from apotheosis.env.cards.validation import OneOrMany, Strict


class Mod(Modifier):
    """Makes a modifier that lasts until its end."""

    op: Literal["mod"]


class Spend(Step):
    """Makes a character pay energy or AP; what happens if it cannot is in `else` (R7.5.6).

    Without `else` it pays what it has; `missing` names what was lacking.
    """

    op: Literal["spend"]
    who: Characters = SELF
    energy: Annotated[list[EnergyName], OneOrMany()] | None = None
    res: ResourceName | None = None
    n: Amount
    missing: Bind | None = None
    else_: "list[Instruction]" = Field(default_factory=list, alias="else")


class Check(Step):
    """Asks characters for a check (R11)."""

    op: Literal["check"]
    by: Characters = SELF
    name: Word | None = None
    attr: AttributeField | None = None
    know: KnowledgeField | None = None
    dc: Amount
    ok: "list[Instruction]" = Field(default_factory=list)
    fail: "list[Instruction]" = Field(default_factory=list)
    bind: Bind | None = None


class Contest(Step):
    """A competition of two characters (R11.14)."""

    op: Literal["contest"]
    a: Side
    b: Side
    win: "list[Instruction]" = Field(default_factory=list)
    lose: "list[Instruction]" = Field(default_factory=list)
    tie: "list[Instruction]" = Field(default_factory=list)


class RemoveCounter(Step):
    """Takes counters off cards; `if_none` runs when the card has none left."""

    op: Literal["remove_counter"]
    counter: SomeMarker
    from_: CardsOrCharacters = Field(alias="from")
    n: CountField = ONE
    bind: Bind | None = None
    if_none: "list[Instruction]" = Field(default_factory=list)


class If(Step):
    """Runs one of two lists."""

    op: Literal["if"]
    cond: Condition
    then: "list[Instruction]"
    else_: "list[Instruction]" = Field(default_factory=list, alias="else")


class Case(Strict):
    """One case of a switch: the list that runs when the value lies within the bounds."""

    ge: int | None = None
    le: int | None = None
    do: "list[Instruction]"


class Switch(Step):
    """Runs the list of the first case that a value fits."""

    op: Literal["switch"]
    on: Amount
    cases: list[Case] = Field(min_length=1)


class Choose(Step):
    """Asks for one of several lists, or for cards, characters, a knowledge or a number to bind."""

    op: Literal["choose"]
    by: Characters | None = None
    of: "list[list[Instruction]]" = Field(default_factory=list)
    cards: Cards | None = None
    chars: Characters | None = None
    bind: Bind | None = None
    n: CountField | None = None

    @model_validator(mode="after")
    def _one(self) -> "Choose":
        if sum((bool(self.of), self.cards is not None, self.chars is not None)) != 1:
            raise ValueError("'choose' takes exactly one of of (lists), cards and chars")
        return self


class May(Step):
    """Lets the owner leave the list out; `pay` is paid if it runs."""

    op: Literal["may"]
    by: Characters | None = None
    pay: Annotated[list[Payment], OneOrMany()] = Field(default_factory=list)
    do: "list[Instruction]"


class ForEach(Step):
    """Runs the list once for each of a set; the current one is `it`."""

    op: Literal["for_each"]
    in_: CharactersOrObjects = Field(alias="in")
    do: "list[Instruction]"


class Repeat(Step):
    """Runs the list several times."""

    op: Literal["repeat"]
    n: Amount
    do: "list[Instruction]"


class Delayed(Step):
    """Runs the list later: at each matching event until the end that the effect states."""

    op: Literal["delayed"]
    when: When | Literal["EndOfBattle"]
    once: bool = False
    do: "list[Instruction]"


Instruction = Annotated[
    Mod
    | Spend
    | Check
    | Contest
    | RemoveCounter
    | If
    | Switch
    | Choose
    | May
    | ForEach
    | Repeat
    | Delayed
    | RemoveMods
    | Heal
    | LoseHp
    | Gain
    | GainCurrency
    | DealDamage
    | DealInjury
    | Splash
    | Redirect
    | Negate
    | Roll
    | Reroll
    | SetDie
    | SetResult
    | AddRoll
    | AddMarker
    | RemoveMarker
    | Awaken
    | SleepEntity
    | Incorporate
    | SkipTurn
    | EndTurn
    | ExtraTurn
    | Revive
    | Save
    | ChangeControl
    | CopyStats
    | EndBattle
    | Let
    | Declare
    | Native
    | MoveCard
    | Draw
    | Search
    | Look
    | Reveal
    | Reorder
    | Shuffle
    | Exhaust
    | Recover
    | Attach
    | Detach
    | SwapCard
    | ActivateCard
    | AddCounter
    | MoveCounter
    | MovePiece
    | SwapPieces
    | SummonPiece
    | PlaceObject
    | RemovePiece
    | TileMod
    | TileRule
    | LinkTile,
    Field(discriminator="op"),
]
"""One step of a program."""

OPCODES = tuple(sorted(get_args(step.model_fields["op"].annotation)[0] for step in get_args(get_args(Instruction)[0])))
"""The names of all opcodes."""
