"""The bots that play inside the kernel, behind the common protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from apotheosis.env.match import bot_code

if TYPE_CHECKING:
    from apotheosis.env.match import Match
    from apotheosis.env.vector import VectorArena


@dataclass
class KernelBot:
    """A bot of the kernel. Its chance comes from the match's own streams, so it needs no generator.

    Args:
        name: "random" or "greedy".

    Raises:
        InputError: the kernel has no such bot.
    """

    name: str
    repeatable: bool = True

    def __post_init__(self) -> None:
        bot_code(self.name)

    def act(self, match: Match, mask: np.ndarray, rng: np.random.Generator) -> int:
        """Returns the code that answers the pending question."""
        return match.choose(self.name)

    def act_many(self, arena: VectorArena, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns the answers in several matches."""
        return arena.choose(self.name, rows)
