"""Plays the matches of a plan: in compiled code where both bots live there, otherwise answer by answer from Python.

Workers import this module: what only the driver needs stays out, so that they start fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.experiments.tables import CardFacts, Played

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool
    from apotheosis.experiments.plan import Plan


@dataclass(frozen=True)
class Deal:
    """All that the kernel needs to play the matches of a plan, as arrays.

    Attributes:
        record: the pool as an array of one POOL.
        facts: what the tables say about each card.
        form: one LINEUP with the format and no cards.
        sides: (sides, heroes of a team, COPIES) int16 pool numbers by slot.
        bots: names of the bots.
        hash: digest of the cards.
        turns: whether the table of turns is wanted.
    """

    record: np.ndarray
    facts: CardFacts
    form: np.ndarray
    sides: np.ndarray
    bots: tuple[str, ...]
    hash: str
    turns: bool = False


class Player:
    """Plays matches in the kernel.

    Args:
        deal: what to play with, made by `prepare`.
    """

    def __init__(self, deal: Deal):
        from apotheosis.env.match import kernel_code
        from apotheosis.env.rules import compiler

        if not compiler.UNCOMPILED:
            compiler.loaded_kernel()  # here, where no match's time is being watched
        # The kernel keeps its ledger in the pool's record, and Ray hands out memory that may not be written.
        self.deal, self.facts = replace(deal, record=deal.record.copy()), deal.facts
        self._pool: Any = self.deal  # the kernel looks at a pool's record alone, a learned bot at its hash
        self._choosers = [chooser(name, self._pool) for name in self.deal.bots]
        codes = [kernel_code(name) for name in self.deal.bots]
        self._codes = np.array([-1 if code is None else code for code in codes], np.int64)

    @classmethod
    def prepare(cls, plan: Plan, pool: Pool) -> Deal:
        """Returns what workers need to play a plan.

        Args:
            plan: the plan.
            pool: the card pool it was made with.
        """
        from apotheosis.env.cards.decks import Deck
        from apotheosis.env.cards.lineup import deck_row
        from apotheosis.experiments import door

        rows = [[deck_row(Deck(**deck), pool) for deck in side.decks] for side in plan.sides]
        return Deal(
            record=pool.record,
            facts=door.card_facts(pool),
            form=door.format_row(plan.spec.format),
            sides=np.array(rows, np.int16),
            bots=tuple(plan.spec.bots.pool),
            hash=pool.hash,
            turns=plan.spec.run.turns,
        )

    @property
    def _copies(self) -> int:
        """Rows of a match's ledger that belong to a Hero of the format."""
        from apotheosis.env.rules.layout import COPIES

        return 2 * self.deal.sides.shape[1] * COPIES

    def lineups(self, rows: dict[str, np.ndarray]) -> np.ndarray:
        """Returns the kernel's lineups for rows of the schedule."""
        lineups = np.repeat(self.deal.form, len(rows["match_id"]))
        team = self.deal.sides.shape[1]
        lineups["cards"][:, 0 : 2 * team : 2] = self.deal.sides[rows["side_a"]]
        lineups["cards"][:, 1 : 2 * team : 2] = self.deal.sides[rows["side_b"]]
        return lineups

    def play(self, rows: dict[str, np.ndarray], seeds: np.ndarray) -> Played:
        """Plays matches.

        Args:
            rows: columns of `Schedule.rows`.
            seeds: (n, STREAMS) int64.
        """
        lineups = self.lineups(rows)
        results, ledgers = self._played(rows, lineups, seeds)
        turns = self._turns(rows, lineups, seeds) if self.deal.turns else None
        return Played(rows, seeds, results, ledgers[:, : self._copies], turns)

    def _played(self, rows: dict[str, np.ndarray], lineups: np.ndarray, seeds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns results and ledgers; matches in which every bot is the kernel's are played as one batch."""
        from apotheosis.env.match import play_batch, play_driven
        from apotheosis.env.rules.layout import COPIES, HEROES, LEDGER, RESULT

        bots = np.stack([self._codes[rows["bot_a"]], self._codes[rows["bot_b"]]], axis=1)
        inside = (bots >= 0).all(axis=1)
        results, ledgers = np.zeros(len(seeds), RESULT), np.zeros((len(seeds), HEROES * COPIES), LEDGER)
        if inside.any():
            batch = play_batch(self._pool, lineups[inside], seeds[inside], bots[inside])
            results[inside], ledgers[inside] = batch.matches, batch.cards
        for at in np.flatnonzero(~inside):
            driven = play_driven(self._pool, lineups[at : at + 1], seeds[at : at + 1], self._players(rows, int(at)))
            results[at : at + 1], ledgers[at : at + 1] = driven.matches, driven.cards
        return results, ledgers

    def _players(self, rows: dict[str, np.ndarray], at: int) -> list[Any]:
        return [self._choosers[rows[name][at]] for name in ("bot_a", "bot_b")]

    def _turns(self, rows: dict[str, np.ndarray], lineups: np.ndarray, seeds: np.ndarray) -> dict[str, np.ndarray]:
        from apotheosis.experiments.turn_rows import COLUMNS, turn_rows

        parts = []
        for at in range(len(seeds)):
            part = turn_rows(self._pool, lineups[at : at + 1], seeds[at], self._players(rows, at))
            parts.append({"match_id": np.full(len(part["turn"]), rows["match_id"][at]), **part})
        return {name: np.concatenate([part[name] for part in parts]) for name in ("match_id", *COLUMNS)}

    def unplayed(self, rows: dict[str, np.ndarray], seeds: np.ndarray, outcome: str) -> Played:
        """Returns the rows of matches that ended without being played to the end.

        Args:
            rows: columns of `Schedule.rows`.
            seeds: (n, STREAMS) int64.
            outcome: `timeout` or `crash`.
        """
        from apotheosis.env.rules.codes import Cause, Outcome
        from apotheosis.env.rules.layout import LEDGER, RESULT

        n = len(seeds)
        results, ledgers = np.zeros(n, RESULT), np.zeros((n, self._copies), LEDGER)
        results["outcome"], results["cause"] = Outcome[outcome.upper()], Cause.ERROR
        for name in ("shuffle_position", "drawn_turn", "placed_turn", "left_play_turn"):
            ledgers[name] = -1
        ledgers["ident"] = self.lineups(rows)["cards"].reshape(n, -1)[:, : self._copies]
        turns = None
        if self.deal.turns:
            from apotheosis.experiments.turn_rows import COLUMNS

            turns = {name: np.empty(0) for name in ("match_id", *COLUMNS)}
        return Played(rows, seeds, results, ledgers, turns)


def chooser(name: str, pool: Any) -> Callable[[Any], int]:
    """Returns what a bot answers to the pending question of a match; one match at a time, so that company changes nothing."""
    from apotheosis.agents.base import is_kernel_bot, make_bot

    if is_kernel_bot(name):
        return lambda match: match.choose(name)
    bot = make_bot(name, pool)
    # A repeatable bot draws nothing, or the same at every question.
    return lambda match: bot.act(match, match.mask(), np.random.default_rng(0))
