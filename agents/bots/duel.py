"""Mirrored pairs between any two bots.

Kernel bots play whole batches in compiled code; where a learned bot takes part, many matches are stepped side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from apotheosis.agents.base import Bot, is_kernel_bot
from apotheosis.env.rules.codes import Outcome
from apotheosis.env.vector import EXTERNAL, VectorArena, outcome_values

if TYPE_CHECKING:
    from apotheosis.env.arena import Dealer

SIDE_BY_SIDE = 256
"""Matches stepped at once."""


def mirrored(lineups: np.ndarray) -> np.ndarray:
    """Returns lineups with the decks of the two sides exchanged; even Heroes are side A, odd ones side B."""
    swapped = lineups.copy()
    swapped["cards"][:, 0::2] = lineups["cards"][:, 1::2]
    swapped["cards"][:, 1::2] = lineups["cards"][:, 0::2]
    return swapped


def play_pairs(dealer: Dealer, first: Bot, second: Bot, pairs: int, seed: int) -> np.ndarray:
    """Plays mirrored pairs: in the second match of a pair bots and decks have changed sides, the seeds have not.

    Args:
        dealer: deals decks and seeds.
        first: the bot whose score is returned.
        second: its opponent.
        pairs: how many.
        seed: decides everything.

    Returns:
        Results of `first` in the two matches of each pair, float64 (pairs, 2): 1, 0.5 or 0. It plays side A in the
        first match and side B in the second; the mean of both is the pair score.
    """
    rng = np.random.default_rng(seed)
    lineups, seeds = dealer.deal(rng, pairs)
    as_a = play_all(dealer, lineups, seeds, (first, second), rng)
    as_b = play_all(dealer, mirrored(lineups), seeds, (second, first), rng)
    return np.stack([(1 + as_a) / 2, (1 - as_b) / 2], axis=1)


def play_all(
    dealer: Dealer, lineups: np.ndarray, seeds: np.ndarray, bots: tuple[Bot, Bot], rng: np.random.Generator
) -> np.ndarray:
    """Plays given matches to their end.

    Args:
        dealer: its pool and format are those of the lineups.
        lineups: LINEUP rows (n,). seeds: int64 (n, 5).
        bots: who plays sides A and B.
        rng: chance of the bots outside the kernel.

    Returns:
        float64 (n,): 1 where A won, -1 where B won, else 0.
    """
    from apotheosis.env.match import bot_code, play_batch

    if all(is_kernel_bot(bot.name) for bot in bots):
        codes = np.tile([bot_code(bot.name) for bot in bots], (len(lineups), 1))
        outcomes = play_batch(dealer.pool, lineups, seeds, codes, ledger=False).matches["outcome"]
        return outcome_values(outcomes).astype(np.float64)
    values = np.zeros(len(lineups))
    for start in range(0, len(lineups), SIDE_BY_SIDE):
        part = slice(start, start + SIDE_BY_SIDE)
        values[part] = _side_by_side(dealer, lineups[part], seeds[part], bots, rng)
    return values


def _side_by_side(
    dealer: Dealer, lineups: np.ndarray, seeds: np.ndarray, bots: tuple[Bot, Bot], rng: np.random.Generator
) -> np.ndarray:
    names = [bot.name if is_kernel_bot(bot.name) else EXTERNAL for bot in bots]
    arena = VectorArena.of_lineups(dealer, lineups, seeds, (names[0], names[1]))
    running = arena.seats >= 0
    while running.any():
        codes = np.full(arena.n, -1, np.int64)
        for seat, bot in enumerate(bots):
            rows = np.flatnonzero(running & (arena.seats == seat))
            if len(rows):
                codes[rows] = bot.act_many(arena, rows, rng)
        arena.step(codes)
        running = arena.seats >= 0
    outcomes = arena.matches["outcome"]
    assert (outcomes != Outcome.RUNNING).all()
    return outcome_values(outcomes).astype(np.float64)
