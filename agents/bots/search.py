"""The search bot behind the common protocol: `search:1000` by simulations, `search:200ms` by time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from apotheosis.env.errors import InputError
from apotheosis.env.rules.bots import BOT_BITS, SCRATCH
from apotheosis.env.rules.codes import Bot as KernelCode
from apotheosis.env.rules.layout import MATCH, OPTIONS

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool
    from apotheosis.env.match import Match
    from apotheosis.env.vector import VectorArena

FIRST_TRY = 32
"""Simulations by which the speed is measured before the first answer of a bot with a time limit."""


class SearchBot:
    """Search in the kernel (`env/rules/search.py`).

    With a number of simulations it is decided by the match's streams alone. With a time it measures its own speed, so
    that the same match may go another way on another machine.

    Args:
        name: the name it was made with.
        simulations: per answer; 0 where the time decides.
        milliseconds: time per answer; 0 where the number of simulations decides.
    """

    def __init__(self, name: str, simulations: int = 0, milliseconds: int = 0):
        if (simulations > 0) == (milliseconds > 0):
            raise InputError("a search has either a number of simulations or a time")
        self.name = name
        self.simulations, self.milliseconds = simulations, milliseconds
        self.repeatable = simulations > 0
        self._per_ms = 0.0
        self._scratch = np.zeros(SCRATCH, MATCH)
        self._out = np.zeros(OPTIONS, np.int64)

    def act(self, match: Match, mask: np.ndarray, rng: np.random.Generator) -> int:
        """Returns the code that answers the pending question."""
        return int(self._answers(match.matches, match.pool, np.zeros(1, np.int64))[0])

    def act_many(self, arena: VectorArena, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns the answers in several matches."""
        return self._answers(arena.matches, arena.pool, np.ascontiguousarray(rows, np.int64))

    def _answers(self, matches: np.ndarray, pool: Pool, rows: np.ndarray) -> np.ndarray:
        if self.simulations:
            return self._search(matches, pool, rows, self.simulations)
        if not self._per_ms:
            self._timed(matches, pool, rows[:1], FIRST_TRY)
        codes = np.empty(len(rows), np.int64)
        for k in range(len(rows)):
            codes[k] = self._timed(matches, pool, rows[k : k + 1], max(1, int(self.milliseconds * self._per_ms)))[0]
        return codes

    def _timed(self, matches: np.ndarray, pool: Pool, rows: np.ndarray, simulations: int) -> np.ndarray:
        began = time.perf_counter()
        codes = self._search(matches, pool, rows, simulations)
        speed = simulations / max(1e-6, 1000 * (time.perf_counter() - began))
        self._per_ms = speed if not self._per_ms else 0.5 * (self._per_ms + speed)
        return codes

    def _search(self, matches: np.ndarray, pool: Pool, rows: np.ndarray, simulations: int) -> np.ndarray:
        from apotheosis.env.rules.vector_door import choose_many

        codes = np.zeros(len(matches), np.int64)
        bot = int(KernelCode.SEARCH) | simulations << BOT_BITS
        choose_many(self._scratch, matches, pool.record, bot, rows, codes, self._out)
        return codes[rows]


def make_search(argument: str) -> SearchBot:
    """Returns the search bot with what follows `search:` in its name.

    Args:
        argument: a number of simulations, or a time such as "200ms".

    Raises:
        InputError: it is neither.
    """
    digits = argument.removesuffix("ms")
    if not digits.isdecimal() or int(digits) == 0:
        raise InputError(f"a search is written search:1000 (simulations) or search:200ms (time), got 'search:{argument}'")
    number = int(digits)
    timed = argument.endswith("ms")
    return SearchBot(f"search:{argument}", 0 if timed else number, number if timed else 0)
