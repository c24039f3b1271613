"""Requirements: what must hold, be paid and be selected before an effect runs (DSL section 1, R6.8)."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from apotheosis.env.cards.language import names
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.conditions import Condition
from apotheosis.env.cards.language.modifiers import Duration
from apotheosis.env.cards.language.selection import (
    Bind,
    Cards,
    Characters,
    CountField,
    Open,
    Selected,
    Selector,
    Source,
    one_of,
)
from apotheosis.env.cards.language.step import ONE, Currency, EnergyName, ResourceName
from apotheosis.env.cards.validation import OneOrMany, Strict


class When(Strict):
    """An event pattern: what happens, to whom, with which card, from what, on which side of it."""

    event: Annotated[str, one_of("event", names.EVENTS)] | None = None
    any_of: "list[When] | None" = None
    who: Characters | None = None
    target: Characters | None = None
    attacker: Characters | None = None
    card: Cards | None = None
    by: Source | None = None
    res: ResourceName | None = None
    max: int | None = None
    tile: Annotated[str, one_of("tile", ("linked", "own"), {"linked(this)": "linked"})] | None = None
    phase: Literal["before", "after"] | None = None
    not_caused_by: Literal["this"] | None = None

    @model_validator(mode="after")
    def _one(self) -> "When":
        if (self.event is None) == (self.any_of is None):
            raise ValueError("'when' names an event, or several patterns under any_of")
        return self


class PaidCards(Cards):
    """Cards of a payment: a filter with how many, and the name that keeps them."""

    bind: Bind | None = None

    @classmethod
    def rewrite(cls, value: dict[str, Any]) -> dict[str, Any]:
        """Merges the filter into the cards themselves."""
        inner = value.get("filter")
        if isinstance(inner, dict):
            value = {**inner, **{key: item for key, item in value.items() if key != "filter"}}
        return super().rewrite(value)


class Holder(Selector):
    """Whose counters or markers are paid: this card's, those of the cards of a character, or a character's."""

    WORD_KEY = "chars"

    card: Literal["this"] | None = None
    cards_of: Characters | None = None
    chars: Characters | None = None

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        short = {"this": {"card": "this"}, "team_cards": {"cards_of": "allies"}}
        return short.get(value, value) if isinstance(value, str) else value


PAID = (
    "ap", "hp", "energy", "currency", "counter", "marker", "discard", "bury", "banish", "exhaust", "recover",
    "reveal", "detach", "inventory",
)  # fmt: skip
"""What a cost may pay; `inventory` returns cards to the hand."""


class Payment(Strict):
    """A cost; exactly one kind of thing is paid, `n` of it."""

    ap: Amount | None = None
    hp: Amount | None = None
    energy: Annotated[list[EnergyName], OneOrMany()] | None = None
    currency: Currency | None = None
    counter: Open | None = None
    marker: Open | None = None
    discard: PaidCards | None = None
    bury: PaidCards | None = None
    banish: PaidCards | None = None
    exhaust: PaidCards | None = None
    recover: PaidCards | None = None
    reveal: PaidCards | None = None
    detach: PaidCards | None = None
    inventory: PaidCards | None = None
    n: CountField = ONE
    max: int | None = None
    from_: Holder | None = Field(default=None, alias="from")
    bind: Bind | None = None

    @model_validator(mode="after")
    def _one(self) -> "Payment":
        given = [key for key in PAID if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError(f"a cost pays exactly one of {', '.join(PAID)}; this one has {', '.join(given) or 'none'}")
        return self


class Requirement(Strict):
    """One entry of `requires`: exactly one key."""

    when: When | None = None
    if_: Condition | None = Field(default=None, alias="if")
    while_: Condition | None = Field(default=None, alias="while")
    pay: Payment | None = None
    target: Selected | None = None
    until: Duration | None = None

    @model_validator(mode="after")
    def _one(self) -> "Requirement":
        if len(self.model_fields_set) != 1:
            raise ValueError(f"an entry of 'requires' has exactly one key, this one has {len(self.model_fields_set)}")
        return self
