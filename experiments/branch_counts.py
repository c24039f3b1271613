"""Takes the counts from which the optimiser learns what in the kernel is hot: the table branch_weights.csv beside the rules.

    python -m apotheosis.experiments.branch_counts [--cards cards.json] [--scale 1.0]

Matches of random and greedy bots are played in a kernel that counts, with the bundled cards and those of the file. The
table decides speed and nothing else; see `env/rules/kernel_weights.py`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

SHARES = {("random", 1): 12_000, ("random", 2): 600, ("random", 3): 300, ("greedy", 1): 60}
"""Matches of each bot and team size for each set of cards."""

BATCH = 300
SEED = 1


def play_counted(card_files: list[str], scale: float) -> str:
    """Plays, and writes the table; runs in a process whose kernel counts.

    Args:
        card_files: card files, folders, or "starter".
        scale: how many times SHARES are played.

    Returns:
        A sentence of what was counted.
    """
    import numpy as np

    from apotheosis.env.arena import ArenaFormat, Dealer
    from apotheosis.env.cards.pool import load_pool
    from apotheosis.env.match import bot_code, play_batch
    from apotheosis.env.rules.compiler import loaded_kernel
    from apotheosis.env.rules.kernel_weights import WEIGHTS, table_of, write_weights

    rng = np.random.default_rng(SEED)
    decisions = 0
    for cards in card_files:
        pool = load_pool(cards)
        for (bot, team_size), matches in SHARES.items():
            dealer = Dealer(pool, ArenaFormat(team_size=team_size))
            left = round(matches * scale)
            while left > 0:
                size = min(BATCH, left)
                lineups, _ = dealer.deal(rng, size)
                seeds = rng.integers(0, 2**32, (size, 5))
                played = play_batch(pool, lineups, seeds, np.full((size, 2), bot_code(bot)), ledger=False)
                decisions += int(played.matches["decisions"].sum())
                left -= size
    kernel = loaded_kernel()
    table = table_of(kernel.places, kernel.branch_counts())
    write_weights(table)
    reached = sum(weights.calls > 0 for weights in table.values())
    return f"{WEIGHTS.name}: {reached} of {len(table)} functions reached in {decisions:,} decisions."


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cards", action="append", default=[], help="a card file that is played beside the bundled cards")
    parser.add_argument("--scale", type=float, default=1.0, help="how many times the usual number of matches")
    options = parser.parse_args()
    card_files = ["starter", *options.cards]
    code = f"from {__spec__.name} import play_counted; print(play_counted({card_files!r}, {options.scale!r}))"
    settings = {**os.environ, "APOTHEOSIS_COUNT_BRANCHES": "1"}
    sys.exit(subprocess.run([sys.executable, "-c", code], env=settings).returncode)


if __name__ == "__main__":
    main()
