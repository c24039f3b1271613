"""The models of an effect: typed in the effect language, or kept as the raw text of the game's database.

A typed effect is what the compiler runs. A text effect is carried along unread until the text reader or an override
gives it a typed tree; until then its card is inert for that effect (R27.6).
"""

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, model_validator

from apotheosis.env.cards.language.consistency import effect_faults
from apotheosis.env.cards.language.instructions import Instruction
from apotheosis.env.cards.language.modifiers import Modifier
from apotheosis.env.cards.language.requirements import Requirement
from apotheosis.env.cards.markup import markup_fault
from apotheosis.env.cards.validation import ByName, Strict
from apotheosis.env.vocabulary import Activation, Limit, Scope, Task, Timing

MAX_STEPS = 64
"""Instructions in one list."""

ActivationField = Annotated[Activation, ByName(Activation, "activation")]
TimingField = Annotated[Timing, ByName(Timing, "timing", aliases={"Recover": "OnRecover", "Exhaust": "OnExhaust"})]
LimitField = Annotated[Limit, ByName(Limit, "limit")]
ScopeField = Annotated[Scope, ByName(Scope, "scope")]
TaskField = Annotated[Task, ByName(Task, "task", without=("Absent",))]


class TypedEffect(Strict):
    """An effect in the effect language (DSL section 1)."""

    name: str | None = None
    activation: ActivationField = Activation.Activate
    timings: list[TimingField] = Field(default_factory=list)
    limits: list[LimitField] = Field(default_factory=list)
    scopes: list[ScopeField] = Field(default_factory=list)
    task: TaskField = Task.Absent
    technique: int | None = Field(None, ge=0, le=7)
    requires: list[Requirement] = Field(default_factory=list, max_length=16)
    do: list[Instruction] = Field(default_factory=list, max_length=MAX_STEPS)
    mods: list[Modifier] = Field(default_factory=list, max_length=MAX_STEPS)
    campaign: bool = False

    def written(self) -> dict[str, Any]:
        """Returns the effect as plain values, the way it was written."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    @model_validator(mode="after")
    def _consistent(self) -> "TypedEffect":
        for fault in effect_faults(self):
            raise ValueError(fault)
        return self


class TextEffect(Strict):
    """An effect as the game's database has it: tagged keywords, requirement strings and a text."""

    text: str
    keywords: list[str] = Field(default_factory=list)
    requirements: list[str] = Field(default_factory=list)
    name: str = ""
    line_break_after_keywords: bool = False
    line_break_after_requirement: bool = False

    @model_validator(mode="after")
    def _balanced(self) -> "TextEffect":
        for text in (self.text, *self.requirements):
            fault = markup_fault(text)
            if fault is not None:
                raise ValueError(fault)
        return self


def build_models() -> None:
    """Builds the validators of effects, which each kind of card then takes over; otherwise each would build its own."""
    TypedEffect.model_rebuild()
    TextEffect.model_rebuild()


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "TextEffect" if "text" in value else "TypedEffect"
    return type(value).__name__


Effect = Annotated[
    Annotated[TypedEffect, Tag("TypedEffect")] | Annotated[TextEffect, Tag("TextEffect")],
    Discriminator(_kind),
]
"""An effect of a card: typed, or text where it has the key `text`."""
