"""Rows of the table of turns: the state of a match as each turn's first decision is asked.

The compiled batch keeps no history. For this optional table every match is played once more from Python, decision by
decision, with the same seeds and the same bots, which gives the same match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Decision, Kind, Zone
from apotheosis.env.rules.layout import COPIES

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool

IN_PLAY = (Zone.EQUIPMENT, Zone.MEMENTO, Zone.SUPPORT, Zone.EXTRA)
"""Zones that count as in play; Sheet cards do not."""
USES = ((Zone.HAND, Kind.USE_HAND), (Zone.HAND, Kind.PLACE), *((zone, Kind.USE_TABLE) for zone in IN_PLAY))
"""Where a card must be to be used or placed in a way."""
COLUMNS = ("stint", "turn", "actor", "hp_a", "hp_b", "hand_a", "hand_b", "board_a", "board_b", "options", "playable")


def turn_rows(
    pool: Pool, lineup: np.ndarray, seeds: np.ndarray, choosers: Sequence[Callable[[Match], int]]
) -> dict[str, np.ndarray]:
    """Plays a match and returns a row for each of its turns in which somebody had a choice.

    Args:
        pool: the cards (an object with `record` will do).
        lineup: one LINEUP row, shape (1,).
        seeds: (5,) keys of the streams.
        choosers: for seats A and B what answers a question of the match.

    Returns:
        Columns of the table of turns without the match; `actor` is 0 for seat A, 1 for seat B.
    """
    match = Match(pool, lineup, seeds)
    rows: list[tuple[float, ...]] = []
    last = 0
    while not match.over:
        state = match.state
        if match.decision == Decision.TURN and state["turns"] != last:
            last = int(state["turns"])
            rows.append(_row(match, last))
        match.apply(choosers[match.seat](match))
    table = np.array(rows, np.float64).reshape(-1, len(COLUMNS))
    return {name: table[:, at] for at, name in enumerate(COLUMNS)}


def _row(match: Match, turn: int) -> tuple[float, ...]:
    state = match.state
    heroes = int(state["heroes"])
    zones = state["zone"][: heroes * COPIES].reshape(heroes, COPIES)
    idents = state["ident"][: heroes * COPIES].reshape(heroes, COPIES)
    in_play = (np.isin(zones, IN_PLAY) & (idents >= 0)).sum(axis=1)
    share = np.maximum(state["hp"][:heroes], 0) / np.maximum(state["max_hp"][:heroes], 1)
    hands = state["hand_n"][:heroes]
    return (
        float(state["stint"]),
        float(turn),
        float(match.seat),
        *(float(share[team::2].mean()) for team in (0, 1)),
        *(float(hands[team::2].sum()) for team in (0, 1)),
        *(float(in_play[team::2].sum()) for team in (0, 1)),
        float(len(match.legal())),
        float(_playable(match, state)),
    )


def _playable(match: Match, state: Any) -> int:
    """Counts the cards in hand and in play that the character whose turn it is may use or place now."""
    char = match.asked
    if char >= int(state["heroes"]):
        return 0
    found: set[int] = set()
    for zone, kind in USES:
        copies = np.flatnonzero(state["zone"][char * COPIES : (char + 1) * COPIES] == zone) + char * COPIES
        found.update(int(copy) for copy in copies if match.why_not(char, kind, int(copy))[0] == 0)
    return len(found)
