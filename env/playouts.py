"""What kernel bots make of a position, many times with fresh chance: how it ends, and how they answer its question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from apotheosis.env.match import bot_code
from apotheosis.env.rules.bots import SCRATCH
from apotheosis.env.rules.codes import Act, Outcome
from apotheosis.env.rules.layout import LINEUP, MATCH, OPTIONS, RESULT

if TYPE_CHECKING:
    from apotheosis.env.match import Match

FIRST_BOT_STREAM = 3
"""Streams of a match: two shuffles, effects, then a bot's on each side."""


def play_on(match: Match, code: int, bot: str, count: int, seed: int) -> dict[str, int]:
    """Answers the pending question and lets a bot play both sides to the end, `count` times.

    Decks stay in the order they lie in; dice and the bot's chance are fresh each time.

    Args:
        match: the position; it is not changed.
        code: a legal answer.
        bot: a kernel bot.
        count: how many times.
        seed: of dice and bots.

    Returns:
        Matches by outcome: `a`, `b`, `none`.
    """
    from apotheosis.env.rules.vector_door import step_many

    rng = np.random.default_rng(seed)
    matches = np.repeat(np.asarray(match.matches, MATCH), count)
    matches["log_on"], matches["ledger_on"], matches["forced_n"] = 0, 0, -1
    matches["seed"] = rng.integers(0, 2**32, matches["seed"].shape)
    masks = np.zeros((count, int(Act.SIZE)), np.int8)
    masks[:, code] = 1
    step_many(
        matches, match.pool.record, np.zeros(count, LINEUP), np.zeros((count, 5), np.int64),
        np.full((count, 2), bot_code(bot), np.int64), np.full(count, code, np.int64), np.zeros(SCRATCH, MATCH),
        np.zeros(count, RESULT), masks, np.zeros(count, np.int64), np.zeros(OPTIONS, np.int64),
    )  # fmt: skip
    outcomes = matches["outcome"]
    won = {"a": int((outcomes == Outcome.WIN_A).sum()), "b": int((outcomes == Outcome.WIN_B).sum())}
    return {**won, "none": count - won["a"] - won["b"]}


def answers_of(match: Match, bot: str, count: int, seed: int) -> np.ndarray:
    """Returns what a bot answers to the pending question, `count` times, each with its own chance.

    Args:
        match: the position; it is not changed.
        bot: a kernel bot; one that draws nothing answers the same each time.
        count: how many times.
        seed: of the bot's streams.

    Returns:
        int64 (count,) codes.
    """
    from apotheosis.env.rules.vector_door import choose_many

    rng = np.random.default_rng(seed)
    matches = np.repeat(np.asarray(match.matches, MATCH), count)
    matches["log_on"], matches["ledger_on"] = 0, 0
    matches["seed"][:, FIRST_BOT_STREAM:] = rng.integers(0, 2**32, matches["seed"][:, FIRST_BOT_STREAM:].shape)
    codes = np.zeros(count, np.int64)
    choose_many(
        np.zeros(SCRATCH, MATCH), matches, match.pool.record, bot_code(bot), np.arange(count), codes,
        np.zeros(OPTIONS, np.int64),
    )  # fmt: skip
    return codes
