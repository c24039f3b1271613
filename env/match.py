"""The door of the engine for Python: one match object, and whole batches in compiled code.

Everything outside the rules (environments, bots, runs, replays) uses this module; nothing else calls the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .errors import InputError
from .rules import doors
from .rules.bots import BOT_BITS, SCRATCH
from .rules.codes import Act, Bot, Decision, Fault, Kind, Outcome
from .rules.dice import mix
from .rules.layout import CARDS, COPIES, HEROES, LEDGER, MATCH, OPTIONS, RESULT
from .rules.shadow import uncompiled_door

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .cards.pool import Pool

BOTS = {"random": Bot.RANDOM, "greedy": Bot.GREEDY}
"""Names of the bots that play inside the kernel without an argument."""
SEARCH = "search"
"""Name of the search bot; it plays inside the kernel where a number of simulations follows: `search:1000`."""


@dataclass(frozen=True)
class BatchResult:
    """Tables of a batch of matches.

    Attributes:
        matches: one RESULT row per match.
        cards: one LEDGER row per match and card copy, shape (n, HEROES * COPIES); rows of empty copies have ident -1.
            None if the ledger was off.
        decisions: decisions made in all.
    """

    matches: np.ndarray
    cards: np.ndarray | None
    decisions: int


def kernel_code(name: str) -> int | None:
    """Returns the kernel's code of a bot, None where the bot does not play inside compiled code.

    Args:
        name: `random`, `greedy`, or `search:1000` with its number of simulations.
    """
    family, _, argument = name.partition(":")
    if family == SEARCH and argument.isdecimal() and int(argument) > 0:
        return int(Bot.SEARCH) | int(argument) << BOT_BITS
    return int(BOTS[name]) if name in BOTS else None


def bot_code(name: str) -> int:
    """Returns the kernel's code of a bot that plays inside compiled code.

    Raises:
        InputError: if the name is none of them.
    """
    code = kernel_code(name)
    if code is None:
        known = ", ".join([*BOTS, f"{SEARCH}:1000"])
        raise InputError(f"'{name}' does not play inside the kernel; the bots that do are {known}")
    return code


def play_batch(
    pool: Pool,
    lineups: np.ndarray,
    seeds: np.ndarray,
    bots: np.ndarray,
    *,
    ledger: bool = True,
    audit: bool = False,
) -> BatchResult:
    """Plays one match per lineup from start to end in compiled code.

    Args:
        pool: the cards.
        lineups: LINEUP rows, shape (n,).
        seeds: int64 (n, 5): keys of the streams shuffle A, shuffle B, effects, bot A, bot B (32 bits are used).
        bots: int64 (n, 2) codes of the bots of sides A and B.
        ledger: whether to return card rows.
        audit: whether to check the match record at every decision (slow; a broken invariant is reported as crash).

    Returns:
        The tables of the batch, in the order of `lineups`.
    """
    n = len(lineups)
    work = np.zeros(SCRATCH + 1, MATCH)
    results = np.zeros(n, RESULT)
    cards = np.zeros((n if ledger else 1, HEROES * COPIES), LEDGER)
    seeds = np.ascontiguousarray(seeds, dtype=np.int64)
    bots = np.ascontiguousarray(bots, dtype=np.int64)
    lineups = np.ascontiguousarray(lineups)
    total = doors.play_many(work, pool.record, lineups, seeds, bots, results, cards, int(ledger), int(audit))
    return BatchResult(results, cards if ledger else None, int(total))


def play_driven(pool: Pool, lineups: np.ndarray, seeds: np.ndarray, choosers: Sequence[Callable[[Match], int]]) -> BatchResult:
    """Plays matches whose choices are made in Python; the same choices give the same tables as `play_batch`.

    Args:
        pool: the cards.
        lineups: LINEUP rows, shape (n,).
        seeds: int64 (n, 5) keys of the streams.
        choosers: for side A and side B what answers a question of the match with a legal code.

    Raises:
        InputError: an answer is not legal, or the board is only one tile wide.
    """
    n, decisions = len(lineups), 0
    results = np.zeros(n, RESULT)
    cards = np.zeros((n, HEROES * COPIES), LEDGER)
    for row in range(n):
        match = Match(pool, lineups[row : row + 1], seeds[row])
        if not match.over and match.decision != Decision.PLACE_HERO:  # hands are dealt, and the ledger has missed it
            raise InputError("on a board one tile wide, where no place can be chosen, only bots of the kernel play")
        match.matches["ledger_on"] = 1
        trace = 0
        while not match.over:
            code = choosers[match.seat](match)
            trace = traced(trace, code, len(match.legal()))
            match.apply(code)
        results[row] = result_of(match, trace)
        decisions += int(match.state["decisions"])
        cards[row] = pool.record["ledger"][0, : HEROES * COPIES]
    return BatchResult(results, cards, decisions)


def traced(trace: int, code: int, options: int) -> int:
    """Returns the running hash of a match's decisions after one more: a code chosen among so many options; it begins at 0."""
    return mix(trace * 31 + int(code) * 512 + options)


def result_of(match: Match, trace: int) -> np.ndarray:
    """Returns the RESULT row of a match that is over, from the hash of its decisions (see `traced`)."""
    results = np.zeros(1, RESULT)
    _write_result(match.matches, results, 0, trace)
    return results[0]


@uncompiled_door
def _write_result(matches, results, row, trace):
    doors.write_result(matches[0], results[row], trace)


class Match:
    """One match, stepped from Python.

    Args:
        pool: the cards.
        lineup: one LINEUP row, shape (1,).
        seeds: five integers, the keys of the streams.
        log: whether the kernel writes its event log.
    """

    def __init__(self, pool: Pool, lineup: np.ndarray, seeds: np.ndarray, *, log: bool = False) -> None:
        self.pool = pool
        self.matches = np.zeros(1, MATCH)
        self._out = np.zeros(OPTIONS, np.int64)
        keys = np.asarray(seeds, dtype=np.int64).reshape(1, 5)
        self.pool.record["log_n"] = 0
        self._log = log
        count = doors.start(self.matches, 0, pool.record, np.atleast_1d(lineup), 0, keys, 0, int(log), self._out)
        self._options = self._out[:count].copy()

    @classmethod
    def from_record(cls, pool: Pool, record: np.ndarray, *, log: bool = False) -> Match:
        """Wraps a constructed record (a position) and runs it to its first choice."""
        match = cls.__new__(cls)
        match.pool = pool
        match.matches = np.array(record, dtype=MATCH).reshape(1)
        match.matches["log_on"] = int(log)
        match._log = log
        match._out = np.zeros(OPTIONS, np.int64)
        pool.record["log_n"] = 0
        match.rewritten()
        return match

    def rewritten(self) -> None:
        """Derives values and choices anew after the record was written to, and runs to the next choice."""
        count = doors.resume(self.matches, 0, self.pool.record, self._out)
        self._options = self._out[:count].copy()

    @property
    def state(self) -> np.void:
        """The match record (a view)."""
        return self.matches[0]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return int(self.state["outcome"]) != Outcome.RUNNING

    @property
    def outcome(self) -> Outcome:
        """The outcome so far."""
        return Outcome(int(self.state["outcome"]))

    @property
    def decision(self) -> Decision:
        """The pending question."""
        return Decision(int(self.state["pending"]))

    @property
    def asked(self) -> int:
        """The character whose player is asked, -1 when the match is over."""
        return -1 if self.over else int(self.state["asked"])

    @property
    def seat(self) -> int:
        """The side asked: 0 for A, 1 for B, -1 when the match is over."""
        return -1 if self.over else int(self.state["team"][self.asked])

    def legal(self) -> np.ndarray:
        """Returns the legal codes of the pending question, canonical first, int64."""
        return self._options

    def mask(self) -> np.ndarray:
        """Returns the legal codes as a mask, int8 of shape (Act.SIZE,)."""
        mask = np.zeros(int(Act.SIZE), np.int8)
        mask[self._options] = 1
        return mask

    def apply(self, code: int) -> None:
        """Applies one legal code and runs to the next choice.

        Raises:
            InputError: if the code is not legal now; nothing is changed.
        """
        count = doors.apply(self.matches, 0, self.pool.record, int(code), self._out)
        if count < 0:
            raise InputError(f"action {int(code)} is not legal now; legal are {sorted(int(c) for c in self._options)}")
        self._options = self._out[:count].copy()

    def why_not(self, char: int, kind: Kind, card: int = -1, target: int = -1, effect: int = -2) -> tuple[int, int, int]:
        """Returns (reason, needed, had) of a turn action; reason 0 means legal. Effect -2 is any, -1 the bare bar."""
        packed = int(doors.why(self.matches, 0, self.pool.record, char, int(kind), card, effect, target))
        return packed & 0xFFFF, (packed >> 16) & 0xFFFF, (packed >> 32) & 0xFFFF

    def choose(self, bot: str) -> int:
        """Returns the code a kernel bot would choose now."""
        scratch = np.zeros(SCRATCH, MATCH)
        return int(doors.decide(scratch, self.matches, 0, self.pool.record, bot_code(bot), self._out))

    def copy(self) -> Match:
        """Returns an independent copy of the match."""
        twin = Match.__new__(Match)
        twin.pool = self.pool
        twin.matches = self.matches.copy()
        twin._log = self._log
        twin._out = np.zeros(OPTIONS, np.int64)
        twin._options = self._options.copy()
        return twin

    def events(self) -> np.ndarray:
        """Returns the rows of the event log written so far; empty if the log is off."""
        return self.pool.record["log"][0][: int(self.pool.record["log_n"][0])]

    @property
    def fault(self) -> Fault | int:
        """The kernel's error code; 0 in every sound match."""
        code = int(self.state["fault"])
        return Fault(code) if code in Fault._value2member_map_ else code

    def card_id(self, copy: int) -> str:
        """Returns the id of the card of a copy."""
        if not 0 <= copy < CARDS or self.state["ident"][copy] < 0:
            raise InputError(f"there is no card copy {copy}")
        return self.pool.cards[int(self.state["ident"][copy])].id
