"""Why an action is not legal, as a sentence with the rule it rests on (ARENA A6).

The kernel answers with a packed reason: its code, the value needed and the value had. This module turns that into
words; it never judges legality itself, so a sentence cannot disagree with the mask.

    >>> explain(match, char=0, kind=Kind.NORMAL_ATTACK, target=1).sentence
    'needs 3 AP, has 2 (R7.4.2)'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apotheosis.env.board_text import char_name
from apotheosis.env.cards.schema import Companion, Item, Resource, Skill
from apotheosis.env.cards.traits import is_ultimatum
from apotheosis.env.rules.codes import Decision, Frame, Kind, Reason, Zone
from apotheosis.env.rules.layout import CARDS, COPIES, HEROES, SIDE
from apotheosis.env.rules.opcodes import COST_WIDTH, Cost, Select
from apotheosis.env.vocabulary import SUMMUS_LEVEL, Knowledge, RangeType, Specifier

if TYPE_CHECKING:
    from apotheosis.env.match import Match

FREE_LEVELS = {1: 1, 2: 4, 3: 6}
"""Hero Level that a Free card of each level needs (R3.6.4)."""


ANY_EFFECT = -2


@dataclass(frozen=True)
class Explanation:
    """The answer to "may this be done?".

    Attributes:
        legal: whether it may.
        rule: the id of the rule that forbids it, empty when legal.
        sentence: why, with the rule id in brackets.
        reason: the kernel's code.
        needed, had: the values given to the test that failed, 0 where it compares none.
    """

    legal: bool
    rule: str
    sentence: str
    reason: Reason
    needed: int = 0
    had: int = 0


@dataclass(frozen=True)
class Case:
    """A refused action with what the words need: the match, the action, the reason's values."""

    match: Match
    char: int
    kind: Kind
    copy: int
    target: int
    effect: int
    needed: int
    had: int
    name: Callable[[int], str] = char_name

    @property
    def actor(self) -> str:
        """The acting character."""
        return self.name(self.char)

    @property
    def aim(self) -> str:
        """The target: a tile of a step, of a piece that enters or of an effect, a card of an effect, else a character."""
        if self.target < 0:
            return "any target"
        select = Select.TILE if self.kind in TO_TILES else self._of_effect("select")
        if select == Select.TILE:
            return f"tile {self.target % SIDE},{self.target // SIDE}"
        if select == Select.CARD:
            ident = int(self.match.state["ident"][self.target]) if self.target < CARDS else -1
            return str(self.match.pool.cards[ident].name) if 0 <= ident < len(self.match.pool.cards) else "that card"
        return self.name(self.target)

    @property
    def card(self) -> Any:
        """The card of the action, None where it has none."""
        if not 0 <= self.copy < CARDS or self.match.state["ident"][self.copy] < 0:
            return None
        return self.match.pool.cards[int(self.match.state["ident"][self.copy])]

    @property
    def card_name(self) -> str:
        """The name of the card."""
        return self.card.name if self.card is not None else "the card"

    @property
    def of_another(self) -> str:
        """The Hero whose card it is, where that is not the acting character's; empty for an own card and for one of nobody."""
        hero = self.copy // COPIES
        if self.card is None or self.copy >= HEROES * COPIES or hero == int(self.match.state["owner"][self.char]):
            return ""
        return self.name(hero)

    @property
    def own_effect(self) -> int:
        """The pool's index of the effect that the words are about; with ANY_EFFECT the card's only one, else -1."""
        if self.kind == Kind.TECHNIQUE or self.card is None:
            return -1
        if self.effect != ANY_EFFECT:
            return self.effect
        row = self.match.pool.record[0]["card"][self.match.state["ident"][self.copy]]
        return int(row["effect_first"]) if row["effect_n"] == 1 else -1

    @property
    def scopes(self) -> int:
        """The scope bits of the effect, 0 where no one effect is meant."""
        return self._of_effect("scopes")

    @property
    def task(self) -> int:
        """The task of the effect, 0 where there is none."""
        return self._of_effect("task")

    def _of_effect(self, name: str) -> int:
        return int(self.match.pool.record[0]["effect"][name][self.own_effect]) if self.own_effect >= 0 else 0


Answer = tuple[str, str]
"""A rule id and a sentence without it."""

SCOPE_OF_KIND = {
    Kind.USE_TABLE: ("R6.6.2", "on the table"),
    Kind.USE_HAND: ("R6.6.3", "in the hand"),
    Kind.USE_SHEET: ("R7.2.2", "on the sheet"),
    Kind.USE_SCENARIO: ("R23.2", "in the scenario"),
    Kind.USE_TEAM: ("R6.6.5", "on a teammate's table"),
    Kind.USE_DISCARD: ("R6.6.4", "in the discard pile"),
    Kind.PLACE: ("R17.2", "in the hand"),
    Kind.WITHDRAW: ("R17.3", "on the table"),
    Kind.AWAKEN: ("R20.2", "on the sheet"),
    Kind.SLEEP: ("R20.4", "on the sheet"),
    Kind.SUMMON: ("R17.8", "on the Support"),
    Kind.UNSUMMON: ("R17.9", "on the Support"),
    Kind.ATTACH: ("R18.4", "in the hand"),
    Kind.DETACH: ("R18.4", "attached to a Companion"),
    Kind.COLLEGIUM: ("R22.4", "in the Extra Zone"),
    Kind.DROP_EXTRA: ("R22.2", "in the Extra Zone"),
    Kind.EVOLVE: ("R19.8", "in the Hero's hand"),
    Kind.LOOT: ("R15.13", "in a Container"),
    Kind.TECHNIQUE: ("R7.2.3", "in play on the board"),
}
"""Rule and place of the card that each kind of action needs."""

OF_OTHERS = (Kind.USE_TEAM, Kind.USE_SCENARIO, Kind.LOOT)
"""Kinds of action that may be about the card of another Hero."""
TO_TILES = (Kind.MOVE, Kind.PLACE, Kind.SUMMON)
"""Kinds of action whose target is a tile."""

SCOPE_RULES = ("R6.6.1", "R6.6.2", "R6.6.3", "R6.6.4", "R6.6.5", "R6.6.6", "R23.2")
"""Rule of each scope, by its bit in `vocabulary.Scope`."""

TASK_RULES = {1: "R6.7.1", 2: "R6.7.2", 3: "R6.7.3", 4: "R6.7.4", 5: "R6.7.5", 6: "R6.7.6"}
"""Rule of each task, by `vocabulary.Task`."""


def wrong_zone(case: Case) -> Answer:
    """The card is somewhere else than the action or the effect's scope asks."""
    zone = Zone(int(case.match.state["zone"][case.copy])).name.lower()
    if case.needed == 4:
        return "R7.2.2", f"{case.card_name} is a Sheet card, activated from the sheet only"
    scopes = case.scopes if Kind.USE_TABLE <= case.kind <= Kind.USE_DISCARD else 0
    if scopes > 0 and scopes & (scopes - 1) == 0:
        return SCOPE_RULES[scopes.bit_length() - 1], f"{case.card_name} cannot be used from where it is ({zone})"
    rule, place = SCOPE_OF_KIND.get(case.kind, ("R6.6", "somewhere else"))
    if case.of_another and case.kind not in OF_OTHERS:
        return rule, f"{case.card_name} is a card of {case.of_another}, not of {case.actor}"
    if place.removeprefix("in the ").replace("discard pile", "discard") == zone:
        return rule, f"{case.card_name} has no effect that works {place}"
    return rule, f"{case.card_name} must be {place}, it is in: {zone}"


def used_up(rule: str, period: str) -> Callable[[Case], Answer]:
    """Returns the answer that a limit is used up: by this copy, or by another one of the same card (R6.5.9)."""

    def answer(case: Case) -> Answer:
        state = case.match.state
        first = case.copy - case.copy % COPIES
        slot = int(state["canon"][case.copy])
        keeper = first + slot
        own = range(first, min(first + COPIES, CARDS))
        copies = [copy for copy in own if state["canon"][copy] == slot and state["ident"][copy] >= 0]
        if case.copy == keeper:
            by_other = any(state["used"][copy] for copy in copies if copy != keeper)
        else:
            by_other = not state["used"][case.copy]
        if by_other:
            return "R6.5.9", f"another copy of {case.card_name} was used this {period}"
        return rule, f"this effect of {case.card_name} was used this {period}"

    return answer


def not_asked(case: Case) -> Answer:
    """Another question waits."""
    state = case.match.state
    top = int(state["frame"]["kind"][state["sp"] - 1]) if state["sp"] > 0 else 0
    in_window = case.match.decision == Decision.REACT or top == Frame.WINDOW
    return ("R8.1" if in_window else "R16.7"), f"{case.actor} is not asked for a turn action now"


def knowledge(case: Case) -> Answer:
    """The Hero lacks the knowledge, or for a Free card the level."""
    card, state = case.card, case.match.state
    if not isinstance(card, Resource):
        return "R3.6.3", f"needs a knowledge of level {case.needed}"
    names = sorted(card.usable_with())
    level = int(state["level"][case.char]) if case.char < 6 else 0
    if is_ultimatum(card) and level < SUMMUS_LEVEL:
        return "R22.1", f"an Ultimatum needs Hero Level {SUMMUS_LEVEL}, has {level}"
    if Knowledge.Free in names:
        return "R3.6.4", f"needs Hero Level {FREE_LEVELS[card.level]}, has {level}"
    known = max((int(state["knowledge"][case.char][name]) for name in names), default=0) if case.char < 6 else 0
    words = " or ".join(Knowledge(name).name for name in names)
    return "R3.6.3", f"needs {words} at level {card.level}, has {known}"


def action_points(case: Case) -> Answer:
    """The AP do not reach; of a step they are the cost of the tile."""
    rule = "R15.8" if case.kind == Kind.MOVE else "R7.4.2"
    return rule, f"needs {case.needed} AP, has {case.had}"


def energy(case: Case) -> Answer:
    """The ready Skills do not cover the cost."""
    card = case.card
    parts = []
    if isinstance(card, Skill):
        amounts = ((card.stamina, "SP"), (card.mana, "MP"), (card.essence, "EP"))
        parts = [f"{amount} {unit}" for amount, unit in amounts if amount]
    cost = " and ".join(parts) if parts else f"{case.needed} energy"
    return "R7.5.1", f"needs {cost} of energy, the ready Skills do not give it"


def requirement(case: Case) -> Answer:
    """A requirement cost cannot be paid; HP and counters have their own rule (R7.6.5)."""
    rule = "R7.6.5" if pays_hp_or_counters(case) else "R7.6.1"
    return rule, f"a cost of {case.needed} must be paid, {case.had} can be"


def pays_hp_or_counters(case: Case) -> bool:
    """Returns whether the cost that fails is one of HP or counters: all costs that could fail are of these kinds."""
    if case.own_effect < 0:
        return False
    record = case.match.pool.record[0]
    at = int(record["effect"]["costs"][case.own_effect])
    kinds = set()
    while at > 0 and record["code"][at] != Cost.END:
        kinds.add(Cost(int(record["code"][at])))
        at += COST_WIDTH
    kinds -= {Cost.AP, Cost.ENERGY}
    if Cost.HP in kinds and case.had == int(case.match.state["hp"][case.char]):
        return True
    return bool(kinds) and kinds <= {Cost.HP, Cost.COUNTER}


def no_target(case: Case) -> Answer:
    """Nobody may be selected."""
    card = case.card
    area = card is not None and getattr(getattr(card, "range", None), "type", None) == RangeType.Area.name
    if area:
        return "R15.20", f"nobody stands within range {case.had}"
    who = "there is no character that may be selected" if case.target < 0 else f"{case.aim} may not be selected"
    return "R7.1.1", who


def direct_range(case: Case) -> Answer:
    """The target is too far away for a Direct attack."""
    rule = "R15.21" if case.had == 0 else "R15.18"
    return rule, f"{case.aim} is {case.needed} tiles away, the range is {case.had}"


def slot(case: Case) -> Answer:
    """The area is full."""
    area = {Item: "Equipment", Skill: "Memento", Companion: "Support"}.get(type(case.card), "table")
    return "R3.7.3", f"needs {case.needed} {area} slots, has {case.had}"


def specifier(case: Case) -> Answer:
    """Another Item of the same specifier is in use."""
    card = case.card
    names = [s.name for s in Specifier if card is not None and getattr(card, s.name.lower(), False)]
    return "R2.5.3", f"another Item with the specifier {' or '.join(names) or 'of this one'} is on the table"


def access(case: Case) -> Answer:
    """No access tile, or the Companion does not stand on one."""
    if case.kind == Kind.WITHDRAW:
        return "R19.3", f"{case.card_name} must stand on an access tile"
    return ("R19.2" if isinstance(case.card, Companion) else "R15.15"), "needs a free access tile"


def article(word: str) -> str:
    """Returns the article of an English word."""
    return "an" if word[:1] in "AEIO" else "a"


def wrong_suit(case: Case) -> Answer:
    """Cards of this suit do not go there."""
    if case.kind == Kind.EVOLVE:
        return "R19.8", f"{case.card_name} is no next form: same type and Path, one level higher"
    if case.kind == Kind.ATTACH or case.kind == Kind.DETACH:
        return "R18.4", f"{case.card_name} cannot be attached"
    suit = case.card.suit_code.name if case.card is not None else "card"
    return (
        "R2.8.3" if suit == "Event" else "R17.2"
    ), f"{case.card_name} is {article(suit)} {suit}, which is not placed on the table"


def not_adjacent(case: Case) -> Answer:
    """The object is not on a neighbouring tile."""
    rules = {Kind.ATTACH: "R17.19", Kind.DETACH: "R17.19", Kind.LOOT: "R17.4", Kind.PUSH: "R17.4", Kind.SUMMON: "R17.8"}
    return rules.get(case.kind, "R15.8"), f"{case.aim} is not adjacent to {case.actor}"


def task(case: Case) -> Answer:
    """The task of the effect cannot be done."""
    return TASK_RULES.get(case.task, "R6.7"), f"the task of {case.card_name} cannot be done"


def fixed(rule: str, words: str) -> Callable[[Case], Answer]:
    """Returns an answer with one rule; `words` may use the names of Case."""

    def answer(case: Case) -> Answer:
        return rule, words.format(actor=case.actor, aim=case.aim, card=case.card_name, needed=case.needed, had=case.had)

    return answer


ANSWERS: dict[Reason, Callable[[Case], Answer]] = {
    Reason.NO_SUCH: fixed("A5.1", "there is no such action, card or character"),
    Reason.NOT_YOUR_TURN: fixed("R16.7", "it is not the Main Phase of {actor}"),
    Reason.NOT_ASKED: not_asked,
    Reason.DEAD: fixed("R14.1", "{actor} is not alive"),
    Reason.WRONG_ZONE: wrong_zone,
    Reason.HIDDEN: fixed("R3.8.4", "{card} is not revealed"),
    Reason.KNOWLEDGE: knowledge,
    Reason.HERO_LEVEL: fixed("R20.1", "needs Hero Level {needed}, has {had}"),
    Reason.ALL_IN_SPOILED: fixed("R6.5.4", "an All-In must be the first action of the own turn"),
    Reason.AP: action_points,
    Reason.DEBT: fixed("R7.4.5", "the AP of the next turn are gone: the debt is {had}, AGI is {needed}"),
    Reason.ENERGY: energy,
    Reason.NO_TARGET: no_target,
    Reason.OWN_AGENT: fixed("R9.1.17", "an attack may not select its own agent"),
    Reason.RANGE_DIRECT: direct_range,
    Reason.RANGE_ARCING: fixed("R15.19", "{aim} is {needed} away, altitude counted; the range is {had}"),
    Reason.TRAJECTORY: fixed("R15.22", "the way to {aim} is blocked"),
    Reason.HEIGHT: fixed("R15.23", "a tile on the way to {aim} is too high"),
    Reason.SLOT: slot,
    Reason.SPECIFIER: specifier,
    Reason.ACCESS: access,
    Reason.HAND_FULL: fixed("R3.8.3", "needs room for {needed} cards in hand, the limit is {had}"),
    Reason.NOT_READY: fixed("R6.7.1", "{card} is exhausted"),
    Reason.INCOMPLETE: fixed("R7.7.1", "the effect of {card} could not be executed completely"),
    Reason.NOT_ADJACENT: not_adjacent,
    Reason.TILE_STATE: fixed("R15.4", "{aim} is blocked or disabled"),
    Reason.TERRAIN: fixed("R15.5", "{aim} is aqua, which {actor} may not enter"),
    Reason.OCCUPIED: fixed("R15.4", "another piece stands on {aim}"),
    Reason.NO_EXIT: fixed("R15.10", "{actor} could not afford to leave {aim}, where a teammate stands"),
    Reason.SHARING: fixed("R15.10", "{actor} stands on a teammate's tile and must move on first"),
    Reason.INERT: fixed("R27.6", "{card} has nothing to activate, or nothing that the engine can run"),
    Reason.WRONG_SUIT: wrong_suit,
    Reason.NOTHING_TO_GAIN: fixed("A5.1", "nothing would change"),
    Reason.SILLY: fixed("R19.2", "{card} may not be placed on the Support"),
    Reason.ONCE_TURN: used_up("R6.5.8", "turn"),
    Reason.ONCE_STINT: used_up("R6.5.2", "stint"),
    Reason.ONCE_BATTLE: used_up("R6.5.3", "battle"),
    Reason.YOUR_TURN_ONLY: fixed("R6.5.1", "this effect of {card} is for the turn of {actor} only"),
    Reason.REQUIREMENT: requirement,
    Reason.CONDITION: fixed("R6.8.5", "a condition of {card} is not met"),
    Reason.LOOKAHEAD: fixed("R6.8.6", "the costs together need {needed}, {had} are there"),
    Reason.TASK: task,
    Reason.ALREADY_AWAKE: fixed("R20.2", "{card} is awake"),
    Reason.ALREADY_ASLEEP: fixed("R20.4", "{card} is asleep"),
    Reason.AWAKE_SLEEP_TURN: fixed("R20.5", "{card} cannot be awakened and put to sleep in the same turn"),
    Reason.ATTACHMENTS_FULL: fixed("R18.4", "a Companion holds at most 5 attachments"),
    Reason.LOCKED: fixed("R19.6", "the attachments do not unlock this technique of {card}"),
    Reason.SUMMON_DIED: fixed("R19.9", "{card} died and cannot be summoned again this battle"),
    Reason.ON_STACK: fixed("R8.2", "this effect of {card} is still being resolved"),
    Reason.FORMAT: fixed("A1", "the format does not allow it"),
    Reason.UNTARGETABLE: fixed("R6.1.3", "a text says that {aim} cannot be selected"),
    Reason.FIXED: fixed("R15.14", "{aim} cannot be moved"),
    Reason.WINDOW: fixed("R6.8.5", "this effect of {card} waits for its moment"),
    Reason.ULTIMATUM: fixed("R22.3", "needs {needed} Ultimate counters, has {had}; one Ultimatum a battle"),
    Reason.RULE: fixed("R6.1.3", "a text in play forbids it to {actor}"),
}
"""How each reason is put into words."""


def explain(
    match: Match,
    char: int,
    kind: Kind,
    card: int = -1,
    target: int = -1,
    effect: int = ANY_EFFECT,
    name: Callable[[int], str] = char_name,
) -> Explanation:
    """Says whether a turn action is legal and, if not, the first reason in the order of ARENA A6.

    Args:
        match: the match; it is not changed.
        char: the acting character.
        kind: the turn action.
        card: its card copy, -1 for actions without one.
        target: the character, or for a move the tile; -1 asks whether any would do.
        effect: index into the pool's effects (of a technique into its card's list), -1 the bare activation bar,
            ANY_EFFECT whichever would do; of a push the tile the Object goes to.
        name: how characters are called.

    Returns:
        The answer with rule id and sentence.
    """
    code, needed, had = match.why_not(char, kind, card, target, effect)
    reason = Reason(code)
    if reason == Reason.LEGAL:
        return Explanation(True, "", "legal", reason)
    rule, words = ANSWERS[reason](Case(match, char, Kind(kind), card, target, effect, needed, had, name))
    return Explanation(False, rule, f"{words} ({rule})", reason, needed, had)
