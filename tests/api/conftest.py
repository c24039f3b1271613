"""What the tests of the environments share: the starter pool and matches on their way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.pool import Pool, load_pool
from apotheosis.env.match import Match


@pytest.fixture(scope="session")
def pool() -> Pool:
    return load_pool()


@pytest.fixture(scope="session")
def deal(pool: Pool) -> Callable[..., Match]:
    """Returns a function (seed, moves, **format) -> a match after some random moves, running unless it ended before."""
    dealers: dict[ArenaFormat, Dealer] = {}

    def dealt(seed: int, moves: int = 0, log: bool = False, **keys: object) -> Match:
        form = ArenaFormat.of(**keys)
        dealer = dealers.setdefault(form, Dealer(pool, form))
        rng = np.random.default_rng(seed)
        lineups, seeds = dealer.deal(rng)
        match = Match(pool, lineups, seeds[0], log=log)
        for _ in range(moves):
            if match.over:
                break
            match.apply(int(rng.choice(match.legal())))
        return match

    return dealt
