"""Every two bots of a list against each other in mirrored pairs, as the table of matches that a joint rating needs.

It plays and tabulates; the rating itself is a statistical method and lives with the experiments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from apotheosis.agents.base import make_bot
from apotheosis.agents.bots.duel import play_pairs
from apotheosis.env.errors import InputError

if TYPE_CHECKING:
    from apotheosis.env.arena import Dealer


@dataclass(frozen=True)
class Meeting:
    """The mirrored pairs of two bots.

    Attributes:
        a, b: their names.
        values: float64 (pairs, 2), the result of `a` in the two matches of each pair: 1, 0.5 or 0. It plays side A in
        the
            first and side B in the second.
    """

    a: str
    b: str
    values: np.ndarray


def play_ladder(
    dealer: Dealer,
    names: Sequence[str],
    pairs: int,
    seed: int,
    show: Callable[[int, str], None] | None = None,
) -> list[Meeting]:
    """Plays a round robin of bots. Every two bots meet on the same decks and seeds.

    Args:
        dealer: deals decks and seeds.
        names: the bots, two or more, each once.
        pairs: mirrored pairs for each two bots.
        seed: decides everything.
        show: told the matches played so far and who plays next.

    Raises:
        InputError: fewer than two bots, one twice, one unknown, or no pairs.
    """
    if len(names) < 2:
        raise InputError("a ladder needs at least two bots", "--bots")
    if len(set(names)) < len(names):
        raise InputError("a bot is listed twice", "--bots")
    if pairs < 1:
        raise InputError(f"a ladder needs at least one pair for each two bots, not {pairs}", "--pairs")
    bots = {name: make_bot(name, dealer.pool) for name in names}
    meetings = []
    for done, (a, b) in enumerate(combinations(names, 2)):
        if show is not None:
            show(2 * pairs * done, f"{a} against {b}")
        meetings.append(Meeting(a, b, play_pairs(dealer, bots[a], bots[b], pairs, seed)))
    return meetings


def match_columns(meetings: Sequence[Meeting]) -> dict[str, np.ndarray]:
    """Returns the matches of meetings as columns of the data contract.

    The pair is the deal, which all meetings share: results on the same decks and dice are one cluster.

    Returns:
        match_id, pair_id, seat_a_bot, seat_b_bot, seat_a_deck, seat_b_deck, score_a.
    """
    parts: dict[str, list[np.ndarray]] = {}
    for meeting in meetings:
        deal = np.arange(len(meeting.values))
        one, two = (np.array([f"deal {number}, deck {side}" for number in deal], object) for side in "12")
        a, b = np.full(len(deal), meeting.a, object), np.full(len(deal), meeting.b, object)
        first = (meeting.values[:, 0], (a, b), (one, two))
        second = (1 - meeting.values[:, 1], (b, a), (two, one))
        for score, bots, decks in (first, second):
            row = {
                "pair_id": deal, "seat_a_bot": bots[0], "seat_b_bot": bots[1],
                "seat_a_deck": decks[0], "seat_b_deck": decks[1], "score_a": score,
            }  # fmt: skip
            for name, column in row.items():
                parts.setdefault(name, []).append(column)
    columns = {name: np.concatenate(pieces) for name, pieces in parts.items()}
    return {"match_id": np.arange(len(columns["pair_id"])), **columns}
