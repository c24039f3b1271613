"""Options of a question in words, for people at a terminal, positions and replays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from apotheosis.env.board_text import card_text, char_name
from apotheosis.env.observe import Observation, observe
from apotheosis.env.rules.codes import Act, Decision, Flag, Kind
from apotheosis.env.rules.layout import COPIES, SIDE
from apotheosis.env.rules.tokens import MatchField

if TYPE_CHECKING:
    from apotheosis.env.match import Match

KIND_WORDS = {
    Kind.END_TURN: "end the turn", Kind.MOVE: "move one step", Kind.NORMAL_ATTACK: "Normal Attack (3 AP)",
    Kind.USE_TABLE: "use a card of the table", Kind.USE_HAND: "use a card of the hand",
    Kind.USE_SHEET: "use a card of the sheet", Kind.USE_SCENARIO: "use a scenario card",
    Kind.USE_TEAM: "use a teammate's card", Kind.USE_DISCARD: "use a card of the discard pile",
    Kind.TECHNIQUE: "use a technique", Kind.PLACE: "place a card (2 AP)", Kind.WITHDRAW: "take a card back (2 AP)",
    Kind.AWAKEN: "awaken the Entity", Kind.SLEEP: "put the Entity to sleep", Kind.SUMMON: "summon",
    Kind.UNSUMMON: "unsummon", Kind.REST: "rest (All-In)", Kind.ATTACH: "attach a card (2 AP)",
    Kind.DETACH: "take an attachment back (2 AP)", Kind.EVOLVE: "evolve", Kind.LOOT: "take from a Container (2 AP)",
    Kind.PUSH: "push (2 AP)", Kind.COLLEGIUM: "recover the Collegium", Kind.DROP_EXTRA: "discard from the Extra Zone",
    Kind.CONCEDE: "concede",
}  # fmt: skip

QUESTION_WORDS = {
    Decision.TURN: "What now?", Decision.CARD: "Which card?", Decision.EFFECT: "Which effect?",
    Decision.TARGET: "On whom?", Decision.TILE: "To which tile?", Decision.PAY_ENERGY: "Which Skills pay?",
    Decision.CHANGE: "Which Skill comes back as change?", Decision.PAY_CARDS: "Which card pays?",
    Decision.UPKEEP: "Pay the upkeep?", Decision.SALVATION: "Pay for Divine Salvation?",
    Decision.CHECK_XP: "Spend XP on the check?", Decision.CHECK_FATE: "Spend FATE on the check?",
    Decision.CHECK_WILL: "Spend WILL on the check?", Decision.OVERFLOW: "Too many cards: which one goes?",
    Decision.ORDER: "Which comes first?", Decision.MULLIGAN: "Shuffle the hand back and draw anew?",
    Decision.MUSTER: "Which card is mustered?", Decision.PLACE_HERO: "Where does the Hero stand?",
    Decision.NUMBER: "How many?", Decision.MAY: "Do it?", Decision.REACT: "React?",
    Decision.RECOVER: "Which Skill is recovered?", Decision.PICK: "Which card is taken?",
    Decision.CHOOSE: "Which of these?", Decision.WALK: "To which tile next?",
}  # fmt: skip


def question_text(match: Match) -> str:
    """Returns the pending question in words."""
    return QUESTION_WORDS.get(match.decision, match.decision.name.capitalize().replace("_", " ") + "?")


def option_texts(match: Match, name: Callable[[int], str] = char_name) -> list[str]:
    """Returns the legal answers of the pending question in words, in the order of `match.legal()`."""
    seen = observe(match)
    return [option_text(match, int(code), seen, name) for code in match.legal()]


def option_text(match: Match, code: int, seen: Observation | None = None, name: Callable[[int], str] = char_name) -> str:
    """Returns one answer in words.

    Args:
        match: the match.
        code: a legal code.
        seen: the asked seat's observation, where it is at hand.
        name: how characters are called.
    """
    if code < Act.CARD:
        kind = Kind(code - Act.KIND)
        return KIND_WORDS.get(kind, kind.name)
    if code < Act.TILE:
        seen = observe(match) if seen is None else seen
        return card_text(seen["cards"][code - Act.CARD], match.pool)
    if code < Act.CHAR:
        tile = code - Act.TILE
        return f"tile {tile % SIDE},{tile // SIDE}"
    if code < Act.NUMBER:
        return character_text(match, code - Act.CHAR, name)
    if code < Act.OPTION:
        return payment_text(match, code) if match.decision == Decision.PAY_ENERGY else str(code - Act.NUMBER)
    if code < Act.YES:
        return f"option {code - Act.OPTION + 1}"
    return {int(Act.YES): "yes", int(Act.NO): "no", int(Act.PASS): "done"}.get(code, "more")


def character_text(match: Match, char: int, name: Callable[[int], str] = char_name) -> str:
    """Returns a character with its HP."""
    return f"{name(char)} (HP {match.state['hp'][char]}/{match.state['max_hp'][char]})"


def payment_text(match: Match, code: int) -> str:
    """Returns the Skills that a payment exhausts, found by trying it on a copy."""
    hero = int(observe(match)["match"][MatchField.HERO])
    before = match.state["flags"].copy()
    twin = match.copy()
    twin.state["log_on"] = 0
    twin.apply(code)
    turned = np.flatnonzero((twin.state["flags"] & Flag.EXHAUSTED) & ~(before & Flag.EXHAUSTED))
    names = [match.pool.cards[int(match.state["ident"][copy])].name for copy in turned if copy // COPIES == hero]
    return "exhaust " + " and ".join(names) if names else f"payment {code - Act.NUMBER + 1}"
