"""What all instructions share: their base and the words that several of them use."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from apotheosis.env.cards.language import names
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.selection import Characters, one_of
from apotheosis.env.cards.validation import Strict

ResourceName = Annotated[str, one_of("resource", names.RESOURCES)]
EnergyName = Annotated[str, one_of("energy", names.ENERGIES)]
Currency = Annotated[str, one_of("currency", names.CURRENCIES)]
SourceName = Annotated[
    str,
    BeforeValidator(lambda given: "deck" if isinstance(given, str) and given.endswith(".deck") else given),
    one_of("deck or pile", names.SOURCES, names.SOURCE_ALIASES),
]
"""A deck or pile; the deck of a bound card (`k.deck`) is the personal deck, the only one in a battle (R24.4)."""
Direction = Annotated[str, one_of("direction", names.DIRECTIONS)]
Place = Annotated[str, one_of("zone", names.ZONES, names.ZONE_ALIASES)]
SomeMarker = Annotated[str, Field(pattern=r"^([A-Z][A-Z0-9_]{0,39}|all|chosen)$")]
SELF = Characters(chars="self")
ONE = Amount(1)


class Step(Strict):
    """The base of instructions."""

    op: str
