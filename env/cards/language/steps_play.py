"""Instructions about characters and the running action: HP, energy, DMG, responses, dice (DSL section 6)."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from apotheosis.env.cards.language import names
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.modifiers import Duration
from apotheosis.env.cards.language.selection import (
    Bind,
    Cards,
    CardsOrCharacters,
    Characters,
    CountField,
    Open,
    one_of,
)
from apotheosis.env.cards.language.step import (
    ONE,
    SELF,
    Currency,
    ResourceName,
    SomeMarker,
    SourceName,
    Step,
)
from apotheosis.env.cards.scalars import AttributeField, DiceText, KnowledgeField, Word
from apotheosis.env.cards.validation import OneOrMany, Strict


class RemoveMods(Step):
    """Ends modifiers on characters."""

    op: Literal["remove_mods"]
    from_: Characters = Field(alias="from")
    kind: Annotated[str, one_of("kind of modifier", ("temporary", "positive", "negative", "all"))] = "temporary"


class Heal(Step):
    """Raises HP up to the maximum (R5.15)."""

    op: Literal["heal"]
    to: Characters = SELF
    n: Amount
    cap: Amount | None = None


class LoseHp(Step):
    """Lowers HP directly (R5.16)."""

    op: Literal["lose_hp"]
    who: Characters
    n: Amount


class Gain(Step):
    """Restores AP or energy (R5.14, R7.5.7)."""

    op: Literal["gain"]
    to: Characters = SELF
    res: Annotated[list[ResourceName], OneOrMany()]
    n: Amount


class GainCurrency(Step):
    """Obtains cards worth an amount (R2.1.9)."""

    op: Literal["gain_currency"]
    to: Characters = SELF
    cur: Currency
    n: Amount
    from_: SourceName | None = Field(default=None, alias="from")


class DealDamage(Step):
    """Causes DMG outside an attack (R13.9); `raw` skips the target's modifiers."""

    op: Literal["deal_damage"]
    to: Characters
    n: Amount
    tags: list[Word] = Field(default_factory=list)
    raw: bool = False


class DealInjury(Step):
    """Causes Injury without DMG (R13.8)."""

    op: Literal["deal_injury"]
    to: Characters
    n: Amount


class Pieces(Strict):
    """Pieces around a place or on a line, for damage that spreads (R15.25)."""

    pieces: Annotated[str, one_of("set of pieces", ("within", "on_line", "in_area", "with_marker"))]
    n: Amount | None = None
    of: Characters | None = None
    from_: Characters | None = Field(default=None, alias="from")
    through: Characters | None = None
    marker: Open | None = None


def _spread(value: Any) -> str:
    if isinstance(value, Strict):
        return type(value).__name__
    return "Pieces" if isinstance(value, dict) and "pieces" in value else "Characters"


class Splash(Step):
    """Spreads the DMG of this attack to further pieces."""

    op: Literal["splash"]
    damage: Annotated[str, one_of("damage", ("this_attack", "half_of_this_attack"))] = "this_attack"
    to: Annotated[Annotated[Pieces, Tag("Pieces")] | Annotated[Characters, Tag("Characters")], Discriminator(_spread)]
    split: bool = False


class Redirect(Step):
    """Gives an attack or its DMG another target (R9.1.13)."""

    op: Literal["redirect"]
    attack: Literal["current"] | None = None
    damage: Literal["current"] | None = None
    action: Literal["current"] | None = None
    to: Characters


class Negate(Step):
    """Negates what the window is about (R8.8)."""

    op: Literal["negate"]
    what: Annotated[str, one_of("thing to negate", names.NEGATED)]


class Side(Strict):
    """One side of a competition, written as [who, attribute] or [who, attribute, knowledge]; `add` is its bonus."""

    who: Characters
    attr: AttributeField
    know: KnowledgeField | None = None
    add: Amount | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, value: Any) -> Any:
        return dict(zip(("who", "attr", "know"), value, strict=False)) if isinstance(value, list) else value


class Roll(Step):
    """Rolls dice and keeps the result under a name (R10)."""

    op: Literal["roll"]
    dice: DiceText
    random: bool = False
    by: Characters | None = None
    bind: Bind


class Reroll(Step):
    """Rolls the running roll again (R10.8)."""

    op: Literal["reroll"]
    roll: Literal["current"] = "current"
    keep: Annotated[str, one_of("rule of which result stays", ("new", "best", "worst"))] = "new"


class SetDie(Step):
    """Sets a die of the running roll."""

    op: Literal["set_die"]
    roll: Literal["current"] = "current"
    die: Annotated[str, one_of("die", ("main", "chosen", "all"))] | int = "main"
    value: Literal["chosen"] | int


class SetResult(Step):
    """Decides the running check, lifts its result to a floor, doubles it, or makes its failure a simple one (R11.7)."""

    op: Literal["set_result"]
    check: Literal["current"] = "current"
    success: bool | None = None
    floor: Amount | None = None
    double: bool | None = None
    simple_failure: bool | None = None


class AddRoll(Step):
    """Adds to the running roll."""

    op: Literal["add_roll"]
    roll: Literal["current"] = "current"
    n: Amount | None = None
    dice: DiceText | None = None
    attr: AttributeField | None = None


class AddMarker(Step):
    """Puts a marker on characters (R18.2)."""

    op: Literal["add_marker"]
    marker: Open
    to: Characters
    until: Duration | None = None


class RemoveMarker(Step):
    """Takes markers off characters."""

    op: Literal["remove_marker"]
    marker: SomeMarker
    from_: Characters = Field(alias="from")
    n: CountField | None = None


class Awaken(Step):
    """Awakens Entities (R20.2)."""

    op: Literal["awaken"]
    who: Characters = SELF


class SleepEntity(Step):
    """Puts Entities to sleep (R20.4)."""

    op: Literal["sleep_entity"]
    who: Characters = SELF


class Incorporate(Step):
    """Puts an Entity into the Entity slot (R20.1)."""

    op: Literal["incorporate"]
    who: Characters = SELF
    from_: Annotated[list[SourceName], OneOrMany()] = Field(alias="from")
    filter: Cards | None = None


class SkipTurn(Step):
    """Makes characters lose their next turn."""

    op: Literal["skip_turn"]
    who: Characters


class EndTurn(Step):
    """Ends the running turn of a character."""

    op: Literal["end_turn"]
    who: Characters = SELF


class ExtraTurn(Step):
    """Gives a character another turn."""

    op: Literal["extra_turn"]
    who: Characters
    after: Characters | None = None


class Revive(Step):
    """Revives a dead character (R14.6)."""

    op: Literal["revive"]
    who: Characters
    hp: Amount


class Save(Step):
    """Keeps a character that is about to die alive with some HP."""

    op: Literal["save"]
    who: Characters
    hp: Amount = ONE


class ChangeControl(Step):
    """Gives a piece another controller (R19.15)."""

    op: Literal["change_control"]
    who: Characters
    to: Characters = SELF
    until: Duration | None = None


class CopyStats(Step):
    """Replaces printed values of a character by those of a card or character."""

    op: Literal["copy_stats"]
    from_: CardsOrCharacters = Field(alias="from")
    to: Characters = SELF
    what: Annotated[str, one_of("thing to copy", ("attributes", "damage", "techniques"))]
    until: Duration | None = None


class EndBattle(Step):
    """Ends the battle."""

    op: Literal["end_battle"]
    result: Annotated[str, one_of("result", ("draw", "win", "loss"))]


class Let(Step):
    """Keeps an amount under a name."""

    op: Literal["let"]
    bind: Bind
    n: Amount


class Declare(Step):
    """Asks the owner for a name (a knowledge, an attribute, a tag) that the card keeps."""

    op: Literal["declare"]
    what: Annotated[str, one_of("thing to declare", ("knowledge", "attribute", "suit", "number"))]
    n: Amount = ONE
    bind: Bind


class Native(Step):
    """Calls a primitive of the engine by name."""

    op: Literal["native"]
    name: Annotated[str, one_of("primitive", names.NATIVES)]
    args: Any = None
