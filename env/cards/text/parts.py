"""What a reading starts from and how it fails: keyword tags and the error of an unreadable clause."""

from __future__ import annotations

from dataclasses import dataclass, field

from apotheosis.env.cards.text.tokens import Token


class Unreadable(Exception):
    """A clause has no certain meaning; `tokens` is where the reading stopped."""

    def __init__(self, reason: str, tokens: tuple[Token, ...] = ()):
        super().__init__(reason)
        self.reason = reason
        self.tokens = tokens


@dataclass(frozen=True, slots=True)
class Keywords:
    """The keyword tags of an effect."""

    activation: str | None = None
    timings: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    scopes: list[str] = field(default_factory=list)
    task: str | None = None

    @property
    def any(self) -> bool:
        """Whether the effect carries a tag at all."""
        return bool(self.activation or self.timings or self.limits or self.scopes or self.task)
