"""Hundreds of matches per call: the vectorised arena.

    arena = VectorArena(256, seed=1)             # both seats are asked
    arena = VectorArena(256, bots=("external", "greedy"))
    while training:
        observation = arena.observe()            # arrays with a leading axis of 256, each as the asked seat sees it
        codes = policy(observation, arena.masks) # one legal code per match
        step = arena.step(codes)                 # step.done, step.rewards (A, B), step.results

A match that ends is dealt anew in the same call; `step.done` marks it, `step.rewards` holds its result and
`arena.masks`, `arena.seats` already belong to the next match. Seats played by a kernel bot are never asked. Everything
follows from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from apotheosis.env import observe
from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.errors import InputError
from apotheosis.env.match import bot_code
from apotheosis.env.observe import whole_numbers
from apotheosis.env.rules.bots import SCRATCH
from apotheosis.env.rules.codes import Act, Bot, Outcome
from apotheosis.env.rules.layout import MATCH, OPTIONS, RESULT

if TYPE_CHECKING:
    from apotheosis.env.cards.decks import Deck
    from apotheosis.env.cards.pool import Pool

EXTERNAL = "external"
"""The name of a seat that the caller answers for."""

BANK = 512
"""Random decks that a vectorised arena deals from."""


@dataclass(frozen=True)
class Step:
    """What a call of `step` brought.

    Attributes:
        done: bool (n,), the matches that ended.
        rewards: float32 (n, 2), 1, 0 or -1 for sides A and B of the matches that ended, else 0.
        results: RESULT rows (n,), meaningful where done.
    """

    done: np.ndarray
    rewards: np.ndarray
    results: np.ndarray


class VectorArena:
    """Many matches side by side.

    Args:
        n: how many.
        pool: the cards; None loads the starter set.
        form: the format.
        decks: decks to play with; None draws random decks.
        generator: "coherent" or "uniform", for random decks.
        bots: who plays sides A and B: "external" or a kernel bot.
        seed: decides everything.
        on_deal: called with the arena and the rows that are dealt next, before they are; it may change their row of
            `arena.bots`.
    """

    def __init__(
        self,
        n: int,
        pool: Pool | None = None,
        form: ArenaFormat | None = None,
        decks: Sequence[Deck] | None = None,
        generator: str = "coherent",
        bots: tuple[str, str] = (EXTERNAL, EXTERNAL),
        seed: int = 0,
        on_deal: Callable[[VectorArena, np.ndarray], None] | None = None,
    ):
        from apotheosis.env.cards.pool import load_pool

        if not isinstance(n, (int, np.integer)) or n < 1:
            raise InputError(f"a vectorised arena holds at least 1 match, not {n!r}")
        dealer = Dealer(pool or load_pool(), form, decks, generator, bank=BANK)
        self._rng = np.random.default_rng(seed)
        self._set_up(dealer, *dealer.deal(self._rng, n), bots)
        self.restart, self.on_deal = True, on_deal
        self._start(np.arange(n))

    @classmethod
    def of_lineups(
        cls, dealer: Dealer, lineups: np.ndarray, seeds: np.ndarray, bots: tuple[str, str] = (EXTERNAL, EXTERNAL)
    ) -> VectorArena:
        """Returns an arena that plays given matches once; a match that is over asks seat -1 and takes the code -1.

        Args:
            dealer: its pool belongs to the lineups.
            lineups: LINEUP rows (n,).
            seeds: int64 (n, STREAMS).
            bots: as for the arena.
        """
        arena = cls.__new__(cls)
        arena._rng = np.random.default_rng(0)
        arena._set_up(dealer, lineups, seeds, bots)
        arena.restart, arena.on_deal = False, None
        arena._start(np.arange(len(lineups)))
        return arena

    def _set_up(self, dealer: Dealer, lineups: np.ndarray, seeds: np.ndarray, bots: tuple[str, str]) -> None:
        if len(bots) != 2:
            raise InputError(f"bots names who plays sides A and B: two names, not {len(bots)}")
        self.dealer, self.pool, self.n = dealer, dealer.pool, len(lineups)
        self.matches = np.zeros(self.n, MATCH)
        self.masks = np.zeros((self.n, int(Act.SIZE)), np.int8)
        self.seats = np.full(self.n, -1, np.int64)
        self.bots = np.tile(np.array([seat_code(name) for name in bots], np.int64), (self.n, 1))
        self._scratch = np.zeros(SCRATCH, MATCH)
        self._results = np.zeros(self.n, RESULT)
        self._out = np.zeros(OPTIONS, np.int64)
        self._lineups = np.ascontiguousarray(lineups)
        self._seeds = np.ascontiguousarray(seeds, np.int64)
        self._observation = observe.empty(self.n)

    def _call(self, codes: np.ndarray) -> None:
        from apotheosis.env.rules.vector_door import step_many

        bad = step_many(
            self.matches, self.pool.record, self._lineups, self._seeds, self.bots, codes, self._scratch,
            self._results, self.masks, self.seats, self._out,
        )  # fmt: skip
        if bad >= 0:
            raise InputError(f"action {int(codes[bad])} is not legal now; nothing was changed", f"match {int(bad)}")

    def _start(self, rows: np.ndarray) -> None:
        """Deals matches; with `restart` until each of them asks an external seat."""
        from apotheosis.env.rules.vector_door import FRESH, LEAVE

        while len(rows):
            if self.on_deal is not None:
                self.on_deal(self, rows)
            if not (self.bots[rows] == Bot.EXTERNAL).any(axis=1).all():
                raise InputError("at least one seat of each match must be external")
            codes = np.full(self.n, LEAVE, np.int64)
            codes[rows] = FRESH
            self._call(codes)
            if not self.restart:
                return
            self._lineups[rows], self._seeds[rows] = self.dealer.deal(self._rng, len(rows))
            rows = rows[self.seats[rows] < 0]

    def step(self, codes: np.ndarray) -> Step:
        """Answers the pending question of each match.

        Args:
            codes: int (n,), legal codes; -1 leaves a match as it is.

        Raises:
            InputError: a code is not legal, or it is not one whole number for each match; nothing is changed.
        """
        codes = whole_numbers(codes, "codes", self.n, -1, int(Act.SIZE))
        self._call(codes)
        done = (self.seats < 0) & (codes >= 0)
        results = self._results.copy()
        rewards = np.zeros((self.n, 2), np.float32)
        rewards[done, 0] = outcome_values(results["outcome"][done])
        rewards[done, 1] = -rewards[done, 0]
        if self.restart and done.any():
            self._start(np.flatnonzero(done))
        return Step(done, rewards, results)

    def observe(self, seats: np.ndarray | None = None) -> observe.Observation:
        """Returns the observations of all matches; the arrays are overwritten by the next call.

        Args:
            seats: int (n,), who looks; None for the asked seats.
        """
        return observe.observe_many(self.matches, self.pool, seats, self._observation)

    def choose(self, bot: str, rows: np.ndarray) -> np.ndarray:
        """Returns what a kernel bot would answer in some of the matches.

        Args:
            bot: its name.
            rows: int (k,), the matches.

        Returns:
            int64 (k,).
        """
        from apotheosis.env.rules.vector_door import choose_many

        codes = np.full(self.n, -1, np.int64)
        rows = whole_numbers(rows, "rows", None, 0, self.n)
        choose_many(self._scratch, self.matches, self.pool.record, bot_code(bot), rows, codes, self._out)
        return codes[rows]


def seat_code(name: str) -> int:
    """Returns the kernel's code of who plays a seat: "external" or a kernel bot."""
    return int(Bot.EXTERNAL) if name == EXTERNAL else bot_code(name)


def outcome_values(outcomes: np.ndarray) -> np.ndarray:
    """Returns 1 where side A won, -1 where side B won, else 0; float32."""
    return (outcomes == Outcome.WIN_A).astype(np.float32) - (outcomes == Outcome.WIN_B).astype(np.float32)
