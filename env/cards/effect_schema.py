"""The models of an effect: typed in the effect language, or kept as the raw text of the game's database.

A typed effect is what the compiler runs. A text effect is carried along unread until the text reader or an override
gives it a typed tree; until then its card is inert for that effect (R27.6).
"""

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag, model_validator

from apotheosis.env.cards.validation import ByName, Strict
from apotheosis.env.vocabulary import Activation, Limit, Scope, Task, Timing

ActivationField = Annotated[Activation, ByName(Activation, "activation")]
TimingField = Annotated[Timing, ByName(Timing, "timing", aliases={"Recover": "OnRecover", "Exhaust": "OnExhaust"})]
LimitField = Annotated[Limit, ByName(Limit, "limit")]
ScopeField = Annotated[Scope, ByName(Scope, "scope")]
TaskField = Annotated[Task, ByName(Task, "task", without=("Absent",))]


class TypedEffect(Strict):
    """An effect in the effect language (DSL section 1)."""

    activation: ActivationField = Activation.Activate
    timings: list[TimingField] = Field(default_factory=list)
    limits: list[LimitField] = Field(default_factory=list)
    scopes: list[ScopeField] = Field(default_factory=list)
    task: TaskField = Task.Absent
    technique: int | None = Field(None, ge=0, le=7)
    requires: list[dict[str, Any]] = Field(default_factory=list)
    do: list[dict[str, Any]] = Field(default_factory=list)
    mods: list[dict[str, Any]] = Field(default_factory=list)
    campaign: bool = False
    name: str | None = None


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


_PAIRS = {"{": "}", "❰": "❱"}


def markup_fault(text: str) -> str | None:
    """Says what is unbalanced in the markup of a text (`<b>..</>`, `{MACRO}`, `❰name❱`), or None where all is well."""
    open_tags = 0
    position = 0
    while (position := text.find("<", position)) != -1:
        end = text.find(">", position)
        if end == -1:
            return f"the markup '{text[position : position + 12]}' is never closed"
        if text[position + 1] == "/":
            open_tags -= 1
            if open_tags < 0:
                return "the markup '</>' closes nothing"
        else:
            open_tags += 1
        position = end
    if open_tags:
        return f"{open_tags} markup tag(s) are not closed with '</>'"
    for opener, closer in _PAIRS.items():
        depth = 0
        for character in text:
            depth += (character == opener) - (character == closer)
            if depth not in (0, 1):
                return f"'{opener}' and '{closer}' are not balanced"
        if depth:
            return f"'{opener}' is not closed with '{closer}'"
    return None


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "text" if "text" in value else "typed"
    return "text" if isinstance(value, TextEffect) else "typed"


Effect = Annotated[
    Annotated[TypedEffect, Tag("typed")] | Annotated[TextEffect, Tag("text")],
    Discriminator(_kind),
]
"""An effect of a card: typed, or text where it has the key `text`."""
