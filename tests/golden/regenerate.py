"""Writes the golden traces anew, after a change of rules or starter cards that is meant.

    python tests/golden/regenerate.py

Look at the difference in git before committing it: each changed line is a changed rule.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.decks import starter_decks
from apotheosis.env.cards.pool import Pool, load_pool
from apotheosis.env.match import Match
from apotheosis.env.trace import trace

FOLDER = Path(__file__).parent

CASES = {
    "greedy_level_7": ((4, 5), ("greedy", "greedy"), {}),
    "greedy_level_4": ((0, 3), ("greedy", "greedy"), {"hero_level": 4}),
    "greedy_against_random": ((6, 7), ("greedy", "random"), {"board": (5, 5)}),
    "random_level_4": ((1, 2), ("random", "random"), {"hero_level": 4, "stint_limit": 5}),
}
"""By name: two starter decks (by position), the bots of sides A and B, keys of the format."""


def golden(name: str, pool: Pool) -> str:
    """Returns the trace of a case as it stands in its file."""
    numbers, bots, keys = CASES[name]
    decks = starter_decks()
    chosen = [decks[number] for number in numbers]
    lineups, seeds = Dealer(pool, ArenaFormat.of(**keys), chosen).deal(np.random.default_rng(sum(map(ord, name))))
    match = Match(pool, lineups, seeds[0], log=True)
    while not match.over:
        match.apply(match.choose(bots[match.seat]))
    head = f"{chosen[0].name} ({bots[0]}) against {chosen[1].name} ({bots[1]}), {keys or 'default format'}"
    return "\n".join([head, *trace(match.events(), match.state["ident"], pool)]) + "\n"


def main() -> None:
    """Writes all files."""
    pool = load_pool()
    for name in CASES:
        (FOLDER / f"{name}.txt").write_text(golden(name, pool), encoding="utf-8")


if __name__ == "__main__":
    main()
