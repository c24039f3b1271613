"""A side may give up at any question; the code is never among the options (A5.1, A7.5)."""

import numpy as np

from apotheosis.env.arena import Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Act, Cause, Kind, Outcome

CONCEDE = int(Act.KIND) + int(Kind.CONCEDE)


def test_the_side_that_is_asked_may_concede_whatever_the_question() -> None:
    pool = load_pool("starter")
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(3), 1)
    match = Match(pool, lineups, seeds[0])
    for _ in range(40):
        assert CONCEDE not in match.legal()
        twin = match.copy()
        loser = twin.seat
        twin.apply(CONCEDE)
        assert twin.over
        assert twin.outcome == (Outcome.WIN_B, Outcome.WIN_A)[loser]
        assert Cause(int(twin.state["cause"])) == Cause.CONCESSION
        match.apply(int(match.legal()[0]))
        if match.over:
            break
