"""What a character may do in its turn and why the rest is not legal: every kind of action with every card it could be about.

Legal actions are found by following the questions of their declaration on copies of the match, so that the list is what the
kernel offers; the rest is asked of `explain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apotheosis.env.board_text import char_name
from apotheosis.env.explain import ANY_EFFECT, Explanation, explain
from apotheosis.env.rules.codes import Act, CharKind, Decision, Flag, Kind, Life, Log, Zone
from apotheosis.env.rules.layout import COPIES, HEROES

if TYPE_CHECKING:
    from apotheosis.env.match import Match

BARE = (Kind.END_TURN, Kind.MOVE, Kind.NORMAL_ATTACK, Kind.REST)
"""Actions without a card that everybody could take."""
TABLE = (Zone.EQUIPMENT, Zone.MEMENTO, Zone.SUPPORT, Zone.EXTRA)
CARD_ZONES = {
    Kind.USE_TABLE: TABLE, Kind.USE_HAND: (Zone.HAND,), Kind.USE_SHEET: (Zone.SHEET,), Kind.PLACE: (Zone.HAND,),
    Kind.WITHDRAW: TABLE,
}  # fmt: skip
"""Actions with a card of the own Hero, and where it would be."""


ENTITY_SLOT = 4
"""Slot of a Hero's Entity."""


@dataclass(frozen=True)
class Action:
    """A turn action that is legal.

    Attributes:
        kind: the action.
        card: its card copy, -1 none.
        effect: the chosen effect or technique by its place, -1 none.
        target: the character it is on, -1 none.
        tile: the tile it goes to, -1 none.
    """

    kind: Kind
    card: int = -1
    effect: int = -1
    target: int = -1
    tile: int = -1


@dataclass(frozen=True)
class Refusal:
    """A turn action that is not legal, with the reason."""

    kind: Kind
    why: Explanation
    card: int = -1
    target: int = -1
    effect: int = -1


def legal_actions(match: Match) -> list[Action]:
    """Returns the legal turn actions of the character that is asked, each with its card, effect, target or tile.

    Args:
        match: a match that asks for a turn action; it is not changed.
    """
    found: dict[Action, None] = {}
    for code in match.legal():
        for action in _declared(match, Action(Kind(int(code) - Act.KIND)), int(code)):
            found[action] = None
    return list(found)


def _declared(match: Match, action: Action, code: int) -> Iterator[Action]:
    """Yields the actions that an answer leads to, following the questions about card, effect, target and tile."""
    from apotheosis.env.rules.position_door import copy_of_code

    before = match.decision
    taken = action
    if before == Decision.CARD:
        copy = int(copy_of_code(match.matches, 0, code))
        taken = Action(action.kind, copy)
    elif before == Decision.EFFECT:
        taken = Action(action.kind, action.card, code - Act.OPTION)
    elif before == Decision.TARGET and code >= Act.CHAR:
        yield Action(action.kind, action.card, action.effect, code - Act.CHAR)
        return
    elif before == Decision.TILE and Act.TILE <= code < Act.CHAR:
        yield Action(action.kind, action.card, action.effect, -1, code - Act.TILE)
        return
    twin, told = _tried(match, code)
    asks = (Decision.CARD, Decision.EFFECT, Decision.TARGET, Decision.TILE)
    drafting = not twin.over and twin.asked == match.asked and int(twin.state["d_kind"]) == action.kind
    if drafting and twin.decision in asks:
        chosen = Action(taken.kind, int(twin.state["d_card"]) if taken.card < 0 else taken.card, taken.effect)
        for answer in twin.legal():
            if int(answer) < Act.YES:
                yield from _declared(twin, chosen, int(answer))
    elif drafting:
        # only the payment is open
        yield Action(
            taken.kind, int(twin.state["d_card"]), taken.effect, int(twin.state["d_target"]), int(twin.state["d_tile"])
        )
    else:
        yield _completed(taken, told)


def _tried(match: Match, code: int) -> tuple[Match, list[list[int]]]:
    """Returns a copy of the match with an answer applied, and the happenings that it logged as (kind, *arguments)."""
    record = match.pool.record
    before = int(record["log_n"][0])
    twin = match.copy()
    twin.state["log_on"] = 1
    twin.apply(code)
    rows = [[int(row["kind"]), *map(int, row["arg"])] for row in record["log"][0][before : int(record["log_n"][0])]]
    record["log_n"] = before
    twin.state["log_on"] = 0
    return twin, rows


def _completed(action: Action, told: list[list[int]]) -> Action:
    """Returns an action with the parts that were not asked because there was one choice, from what it logged."""
    card, target, tile = action.card, action.target, action.tile
    for kind, *args in told:
        if kind == Log.ACTION and args[1] == action.kind:
            card, target = max(card, args[2]), max(target, args[3])
        elif kind == Log.MOVE_PIECE and action.kind == Kind.MOVE and tile < 0:
            tile = args[1]
    return Action(action.kind, card, action.effect, target, tile)


def refusals(match: Match, name: Callable[[int], str] = char_name) -> list[Refusal]:
    """Returns the turn actions of the asked character that are not legal, with their reasons.

    Args:
        match: a match that asks for a turn action; it is not changed.
        name: how the reasons call characters.
    """
    char = match.asked
    found = []
    for kind, card, target, effect in _thinkable(match, char):
        if target >= 0 and not explain(match, char, kind, card).legal:
            continue  # said once for all targets
        why = explain(match, char, kind, card, target, ANY_EFFECT if effect < 0 else effect, name)
        if not why.legal:
            found.append(Refusal(kind, why, card, target, effect))
    return found


def _thinkable(match: Match, char: int) -> Iterator[tuple[Kind, int, int, int]]:
    """Yields the actions that a character could think of, as (kind, card, target, technique), -1 where there is none."""
    state = match.state
    for kind in BARE:
        yield kind, -1, -1, -1
    for target in _others(match, char):
        yield Kind.NORMAL_ATTACK, -1, target, -1
    if char >= HEROES:
        body = int(state["body"][char])
        count = int(match.pool.record[0]["card"]["technique_n"][state["ident"][body]]) if body >= 0 else 0
        for place in range(count):
            yield Kind.TECHNIQUE, body, -1, place
        return
    own = [copy for copy in range(char * COPIES, (char + 1) * COPIES) if state["ident"][copy] >= 0]
    for kind, zones in CARD_ZONES.items():
        for copy in own:
            if int(state["zone"][copy]) in zones:
                yield kind, copy, -1, -1
    for copy in own:
        hidden = bool(int(state["flags"][copy]) & Flag.FACE_DOWN)
        if copy % COPIES == ENTITY_SLOT:
            yield (Kind.AWAKEN if hidden else Kind.SLEEP), copy, -1, -1
        elif hidden and int(state["zone"][copy]) == Zone.SUPPORT:
            yield Kind.SUMMON, copy, -1, -1


def _others(match: Match, char: int) -> list[int]:
    """Returns the living characters on the board other than one."""
    state = match.state
    return [
        other
        for other in range(int(state["chars"]))
        if other != char
        and int(state["kind"][other]) != CharKind.NONE
        and int(state["life"][other]) == Life.ALIVE
        and int(state["tile"][other]) >= 0
    ]
