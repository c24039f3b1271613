"""Who shares a tile with a teammate fills it once the teammate leaves (R15.3, R15.10)."""

import numpy as np

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Act, Decision, Kind


def test_a_tile_stays_filled_when_one_of_two_teammates_leaves_it() -> None:
    pool = load_pool("starter")
    lineups, seeds = Dealer(pool, ArenaFormat(team_size=2)).deal(np.random.default_rng(3), 1)
    match = Match(pool, lineups, seeds[0])
    while match.decision != Decision.TURN or Act.KIND + Kind.MOVE not in match.legal():
        match.apply(int(match.legal()[0]))
    record = match.matches[0].copy()
    mover = match.asked
    mate = (mover + 2) % 4
    tile = int(record["tile"][mover])
    record["piece"][record["tile"][mate]] = -1
    record["tile"][mate] = tile
    match = Match.from_record(pool, record)
    match.apply(int(Act.KIND + Kind.MOVE))
    if match.decision == Decision.TILE:
        match.apply(int(match.legal()[0]))
    assert match.state["tile"][mover] != tile
    assert match.state["piece"][tile] == mate
