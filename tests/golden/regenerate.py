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
    "greedy_level_7": (("Wall", "Far"), ("greedy", "greedy"), {}),
    "greedy_level_4": (("Hail", "Herd"), ("greedy", "greedy"), {"hero_level": 4}),
    "greedy_against_random": (("Herd", "Hail"), ("greedy", "random"), {"board": (5, 5)}),
    "random_level_4": (("Far", "Wall"), ("random", "random"), {"hero_level": 4, "stint_limit": 6}),
    "greedy_teams": (("Wall", "Far", "Hail", "Herd"), ("greedy", "greedy"), {"team_size": 2, "stint_limit": 5}),
}
"""By name: the first words of the Heroes' starter decks, the bots of sides A and B, keys of the format."""


def golden(name: str, pool: Pool) -> str:
    """Returns the trace of a case as it stands in its file."""
    words, bots, keys = CASES[name]
    form = ArenaFormat.of(**keys)
    decks = [deck for deck in starter_decks() if deck.level == form.hero_level]
    chosen = [next(deck for deck in decks if deck.name.startswith(word)) for word in words]
    lineups, seeds = Dealer(pool, form, chosen).deal(np.random.default_rng(sum(map(ord, name))))
    match = Match(pool, lineups, seeds[0], log=True)
    while not match.over:
        match.apply(match.choose(bots[match.seat]))
    sides = [" and ".join(deck.name for deck in chosen[side::2]) + f" ({bots[side]})" for side in (0, 1)]
    head = f"{sides[0]} against {sides[1]}, {keys or 'default format'}"
    return "\n".join([head, *trace(match.events(), match.state["ident"], pool)]) + "\n"


def main() -> None:
    """Writes all files: the traces, the courses, what is seen in each scenario."""
    import courses
    import positions

    pool = load_pool()
    for name in CASES:
        (FOLDER / f"{name}.txt").write_text(golden(name, pool), encoding="utf-8")
    courses.main()
    positions.main()


if __name__ == "__main__":
    main()
