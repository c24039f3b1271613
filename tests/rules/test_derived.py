"""Values kept between decisions are those that the whole state gives (R3, R12), and no listener is missed (R8)."""

import numpy as np
import pytest

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Change

KEPT = ("attr", "knowledge", "slots", "slots_used", "hand_limit", "specifiers", "lignum", "max_hp", "hp", "flags", "needs")
MODIFYING = ("active", "modified", "lasting", "ruled", "reads", "derived_by")


@pytest.mark.parametrize(("team_size", "matches", "seed"), [(1, 8, 3), (2, 3, 5), (3, 2, 9)])
def test_kept_values_equal_values_derived_anew(team_size: int, matches: int, seed: int) -> None:
    pool = load_pool("starter")
    rng = np.random.default_rng(seed)
    lineups, seeds = Dealer(pool, ArenaFormat(team_size=team_size)).deal(rng, matches)
    compared = 0
    for lineup, streams in zip(lineups, seeds, strict=True):
        match = Match(pool, lineup, streams)
        while not match.over:
            anew = match.copy()
            anew.state["dirty"] |= Change.CARDS
            anew.rewritten()
            for field in (*KEPT, *MODIFYING):
                assert np.array_equal(match.state[field], anew.state[field]), (
                    field,
                    match.decision,
                    int(match.state["decisions"]),
                )
            for field in ("listening", "heard"):
                missed = np.atleast_1d(anew.state[field] & ~match.state[field])
                assert not missed.any(), (field, int(match.state["decisions"]))
            compared += 1
            match.apply(int(rng.choice(match.legal())))
    assert compared > 100
