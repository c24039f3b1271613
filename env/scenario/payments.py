"""What pays for an action in a scenario: the sets of Skills on offer, and why a named payment is none (R7.5.3, R7.6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Decision, Flag
from apotheosis.env.rules.layout import COPIES, OPTIONS
from apotheosis.env.vocabulary import Suit

Name = Callable[[int], str]


def table_of(state: Any, hero: int) -> list[int]:
    """Returns the copies on a Hero's table, in the order that payment masks count them."""
    return [int(state["hold"][hero][COPIES - 1 - index]) for index in range(int(state["table_n"][hero]))]


def offers(match: Match) -> list[list[int]]:
    """Returns the sets of Skill copies that pay for the drafted action, in the order of the options."""
    from apotheosis.env.rules.position_door import payments

    masks = np.zeros(OPTIONS, np.int64)
    count = int(payments(match.matches, 0, match.pool.record, masks))
    table = table_of(match.state, match.asked)
    return [[copy for index, copy in enumerate(table) if int(mask) >> index & 1] for mask in masks[:count]]


def kinds(match: Match, copies: Sequence[int]) -> Counter[int]:
    """Returns which cards some copies are: equal cards stand for each other, and sets of equal cards are offered once."""
    return Counter(int(match.state["ident"][copy]) for copy in copies)


def number_of(match: Match, wanted: Sequence[int]) -> int:
    """Returns the number of the offer that a set of copies is, by the copies or else by their cards; -1 none."""
    sets = offers(match)
    for number, offer in enumerate(sets):
        if set(offer) == set(wanted):
            return number
    for number, offer in enumerate(sets):
        if kinds(match, offer) == kinds(match, wanted):
            return number
    return -1


def turned(match: Match, before: Any) -> list[int]:
    """Returns the copies that have been exhausted since an earlier state."""
    now, then = match.state["flags"], before["flags"]
    return [copy for copy in range(len(now)) if int(now[copy]) & ~int(then[copy]) & int(Flag.EXHAUSTED)]


def skills_turned(match: Match, before: Any) -> list[int]:
    """Returns the Skills that have been exhausted since an earlier state."""
    suits = match.pool.record[0]["card"]["suit"]
    return [copy for copy in turned(match, before) if suits[int(match.state["ident"][copy])] == Suit.Skill]


def skills_among(match: Match, wanted: Sequence[int], sets: Sequence[Sequence[int]]) -> list[int]:
    """Returns those of some copies that are meant to pay energy: the Skills that some offer holds, or a ready Skill."""
    offered = {copy for offer in sets for copy in offer}
    ready = ready_skills(match, wanted)
    return [copy for copy in wanted if copy in offered or copy in ready]


def ready_skills(match: Match, copies: Sequence[int]) -> list[int]:
    """Returns those of some copies that are ready Skills on the table of who pays."""
    state = match.state
    suits = match.pool.record[0]["card"]["suit"]
    table = {copy for hero in range(int(state["heroes"])) for copy in table_of(state, hero)}
    return [
        copy
        for copy in copies
        if copy in table and suits[int(state["ident"][copy])] == Suit.Skill and not int(state["flags"][copy]) & Flag.EXHAUSTED
    ]


def energy_fault(match: Match, wanted: Sequence[int], sets: Sequence[Sequence[int]], name: Name) -> tuple[str, str]:
    """Says why a set of Skills is no payment of energy, given the sets that are.

    Returns:
        The rule and a sentence; both empty where it is one.
    """
    given = kinds(match, wanted)
    words = " + ".join(name(copy) for copy in wanted)
    if any(kinds(match, offer) == given for offer in sets):
        return "", ""
    if any(not kinds(match, offer) - given for offer in sets):
        return "R7.5.3", f"{words} holds a card that the cost does not need"
    return "R7.5.1", f"{words} does not cover the cost"


def asks_for_cards(match: Match) -> bool:
    """Tells whether the pending question is which cards pay a requirement cost."""
    return not match.over and match.decision == Decision.PAY_CARDS


def asks_for_energy(match: Match) -> bool:
    """Tells whether the pending question is which Skills pay."""
    return not match.over and match.decision == Decision.PAY_ENERGY
