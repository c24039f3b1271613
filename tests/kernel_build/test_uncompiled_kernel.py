"""The same sources give the same matches compiled and as plain Python, where integers are exact and indices checked."""

import os
import subprocess
import sys

import pytest

PLAY = """
import sys
import zlib
import numpy as np
from apotheosis.env import match
from apotheosis.env.cards.deck_draws import DeckSampler
from apotheosis.env.cards.lineup import drawn_rows
from apotheosis.env.cards.pool import load_pool
from apotheosis.experiments.door import format_row
from apotheosis.experiments.spec import FormatSection

cards, bots, n = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
pool = load_pool(cards) if cards != "starter" else load_pool()
rows = drawn_rows(DeckSampler(pool).draw_many(2 * n, np.random.default_rng(5)))
lineups = np.repeat(format_row(FormatSection()), n)
lineups["cards"][:, 0], lineups["cards"][:, 1] = rows[:n], rows[n:]
seeds = np.random.default_rng(6).integers(0, 2**32, (n, 5))
codes = np.array([[match.bot_code(bots[0]), match.bot_code(bots[1])]] * n)
played = match.play_batch(pool, lineups, seeds, codes, ledger=True, audit=True)
for row, cards_of_row in zip(played.matches, played.cards):
    print(row.tolist(), zlib.crc32(cards_of_row.tobytes()))
"""


def played(cards: str, bots: str, n: int, **environment: str) -> list[str]:
    """Plays n matches in a process of its own; returns one line for each, with its result and the sum of its cards."""
    process = subprocess.run(
        [sys.executable, "-c", PLAY, cards, bots, str(n)],
        env={**os.environ, "APOTHEOSIS_JIT": "1", **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert process.returncode == 0, process.stderr
    lines = process.stdout.splitlines()
    assert len(lines) == n
    return lines


@pytest.mark.slow
def test_bounds_checks_find_nothing(shared):
    cards = str(shared / "data" / "cards_dev.json")
    for bots, n in (("random,random", 2000), ("greedy,greedy", 50)):
        assert played(cards, bots, n) == played(cards, bots, n, APOTHEOSIS_BOUNDSCHECK="1")


@pytest.mark.parametrize(("bots", "n"), [("random,random", 20), ("greedy,random", 3)])
def test_starter_cards(bots, n):
    assert played("starter", bots, n) == played("starter", bots, n, APOTHEOSIS_JIT="0")


def test_real_cards(shared):
    cards = str(shared / "data" / "cards_dev.json")
    assert played(cards, "random,random", 20) == played(cards, "random,random", 20, APOTHEOSIS_JIT="0")
