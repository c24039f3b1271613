"""What opens a window: timing keywords and the patterns of events, as tests of the running event."""

from apotheosis.env.cards.compiler.code import Refusal, Scene, Value, both, either, negated, number, rare, same
from apotheosis.env.cards.compiler.conditions import compile_source
from apotheosis.env.cards.compiler.steps import ENERGY
from apotheosis.env.cards.compiler.subjects import ZONES, filter_cards, filter_characters
from apotheosis.env.cards.language.requirements import When
from apotheosis.env.cards.language.selection import Cards
from apotheosis.env.rules.opcodes import Ev, Rare, X
from apotheosis.env.vocabulary import Timing

WHO: Value = [(X.EVENT_WHO, 0)]
OTHER: Value = [(X.EVENT_OTHER, 0)]
CARD: Value = [(X.EVENT_CARD, 0)]


_OWN_MOVE = {
    Timing.OnPlay: Ev.PLAY,
    Timing.OnExit: Ev.EXIT,
    Timing.OnObtain: Ev.OBTAIN,
    Timing.OnReveal: Ev.REVEAL,
    Timing.OnConceal: Ev.CONCEAL,
    Timing.OnExhaust: Ev.EXHAUST,
    Timing.OnRecover: Ev.RECOVER,
    Timing.OnDiscard: Ev.DISCARD,
    Timing.OnBury: Ev.BURY,
    Timing.OnBanish: Ev.BANISH,
}
_MOMENTS = {
    Timing.StartOfBattle: Ev.BATTLE_START,
    Timing.EndOfBattle: Ev.BATTLE_END,
    Timing.StartOfRound: Ev.RESET_PHASE,
    Timing.ResetPhase: Ev.RESET_PHASE,
    Timing.EndOfRound: Ev.ROUND_END,
}
_START = {
    Timing.YourStartPhase: "first", Timing.TeamMemberStartPhase: "team", Timing.TeammateStartPhase: "mate",
    Timing.OpponentStartPhase: "enemy", Timing.AllStartPhase: "all", Timing.ThisCharacterStartPhase: "this",
    Timing.HostHeroStartPhase: "host",
}  # fmt: skip
_END = {
    Timing.YourEndPhase: "last", Timing.TeamMemberEndPhase: "team", Timing.TeammateEndPhase: "mate",
    Timing.OpponentEndPhase: "enemy", Timing.AllEndPhase: "all", Timing.ThisCharacterEndPhase: "this",
}  # fmt: skip
_EVENTS = {
    "card_activated": Ev.ACTIVATED,
    "attack": Ev.ATTACK,
    "attack_resolved": Ev.ATTACK_END,
    "check": Ev.CHECK_BEFORE,
    "check_failed": Ev.CHECK_AFTER,
    "damage_taken": Ev.DAMAGE_AFTER,
    "injury_dealt": Ev.INJURY_AFTER,
    "injury_taken": Ev.INJURY_AFTER,
    "death": Ev.DEATH_AFTER,
    "card_discard": Ev.DISCARD,
    "card_bury": Ev.BURY,
    "card_banish": Ev.BANISH,
    "card_exhaust": Ev.EXHAUST,
    "card_recover": Ev.RECOVER,
    "counter_removed": Ev.COUNTER_REMOVED,
    "turn_start": Ev.TURN_START,
    "enter_tile": Ev.ENTER_TILE,
    "spend": Ev.SPEND,
    "hp_loss": Ev.HP_AFTER,
    "rest": Ev.REST,
    "salvation": Ev.SALVATION,
    "card_resolved": Ev.RESOLVED,
    "card_reveal": Ev.REVEAL,
}
_BEFORE = {
    "damage_taken": Ev.DAMAGE_BEFORE,
    "injury_dealt": Ev.INJURY_BEFORE,
    "injury_taken": Ev.INJURY_BEFORE,
    "death": Ev.DEATH_BEFORE,
    "check": Ev.CHECK_BEFORE,
    "attack": Ev.ATTACK,
    "card_activated": Ev.ACTIVATED,
    "check_failed": Ev.CHECK_AFTER,
    "card_discard": Ev.DISCARD_BEFORE,
    "hp_loss": Ev.HP_BEFORE,
}


def is_event(event: Ev) -> Value:
    """Returns the test of a kind of event."""
    return [(X.EVENT_IS, int(event))]


def subject_of(scene: Scene) -> Value:
    """The character whose timings a card follows: the Companion itself on Companion cards, else you."""
    return [(X.THIS_CHAR, 0)] if scene.companion else scene.you


def _phase(kind: str, scene: Scene) -> Value:
    if kind == "host":
        return same(WHO, [(X.HOST, 0)])
    if kind in ("first", "last"):
        # the first turn of the stint is no further one, after the last none is due (R6.4.19, R6.4.20)
        other = 1 if kind == "first" else 2
        return [*same(WHO, [(X.HOST, 0)]), *negated(same([*WHO, rare(Rare.FURTHER_TURN)], number(other))), (X.AND, 0)]
    if kind == "this":
        return same(WHO, [(X.THIS_CHAR, 0)])
    if kind == "team":
        return [*WHO, (X.IS_TEAM, 0)]
    if kind == "mate":
        return [*WHO, (X.IS_TEAM, 0), *negated(same(WHO, [(X.HOST, 0)])), (X.AND, 0)]
    return [*WHO, (X.IS_ENEMY, 0)] if kind == "enemy" else number(1)


def moment(timing: Timing, scene: Scene) -> tuple[Ev, Value]:
    """Returns the event that a timing keyword waits for, and its test."""
    subject = subject_of(scene)
    if timing in _OWN_MOVE:
        event = _OWN_MOVE[timing]
        return event, [*is_event(event), *same(CARD, [(X.THIS, 0)]), (X.AND, 0)]
    if timing in _MOMENTS:
        return _MOMENTS[timing], is_event(_MOMENTS[timing])
    if timing in _START or timing in _END:
        event = Ev.START_PHASE if timing in _START else Ev.END_PHASE
        kind = _START.get(timing) or _END[timing]
        return event, [*is_event(event), *_phase(kind, scene), (X.AND, 0)]
    about = {
        Timing.Checking: (Ev.CHECK_BEFORE, WHO),
        Timing.Attacking: (Ev.ATTACK, WHO),
        Timing.Selected: (Ev.SELECTED, WHO),
        Timing.Rolling: (Ev.ROLL_BEFORE, WHO),
    }
    if timing == Timing.Attacked:
        return Ev.ATTACK, [*is_event(Ev.ATTACK), *subject, (X.IS_ATTACKED, 0), (X.AND, 0)]
    if timing in about:
        event, who = about[timing]
        return event, [*is_event(event), *same(who, subject), (X.AND, 0)]
    raise Refusal(f"the timing {timing.name}")


def pattern(when: When, scene: Scene, before: bool) -> list[tuple[Ev, Value]]:
    """Returns the events that a requirement waits for, each with its test.

    Args:
        when: the pattern.
        scene: what its words stand for.
        before: the effect changes what is about to happen.
    """
    if when.any_of:
        return [part for one in when.any_of for part in pattern(one, scene, before)]
    assert when.event is not None
    early = when.phase == "before" or (when.phase is None and before)
    table = _BEFORE if early and when.event in _BEFORE else _EVENTS
    if when.event not in table or (when.phase == "before" and when.event not in _BEFORE):
        raise Refusal(f"the event {when.event}{' before it happens' if early else ''}")
    if when.tile == "own" or (when.res is not None and when.res not in ENERGY):
        raise Refusal(f"an event {when.event} told apart by tile or kind")
    event = table[when.event]
    if when.event == "check" and when.phase == "after":
        event = Ev.CHECK_AFTER
    dealt = when.event == "injury_dealt"
    test: Value | None = is_event(event)
    if when.event == "check_failed":
        test = both(test, [(X.EVENT_AMOUNT, 0)])
    if when.tile == "linked":
        test = both(test, [*WHO, rare(Rare.LINKED)])
    if when.res is not None and when.res != "ENERGY":
        test = both(test, [(X.EVENT_FROM, ENERGY[when.res])])
    if when.max is not None:
        test = both(test, [(X.EVENT_AMOUNT, 0), (X.PUSH, when.max), (X.LE, 0)])
    if when.who is not None:
        test = both(test, filter_characters(when.who, scene, OTHER if dealt else WHO, fallen=True))
    if when.target is not None:
        test = both(test, filter_characters(when.target, scene, WHO if dealt else OTHER, fallen=True))
    if when.attacker is not None:
        # of a death: who caused it, be it by an attack or by an effect
        agent = OTHER if when.event == "death" else [(X.ATTACK_AGENT, 0)]
        test = both(test, filter_characters(when.attacker, scene, agent, fallen=True))
    if when.card is not None:
        card = when.card
        if card.from_ in ZONES:
            test = both(test, either([[(X.EVENT_FROM, int(zone))] for zone in ZONES[card.from_]]))
            card = card.model_copy(update={"from_": None})
        test = both(test, filter_cards(card, scene, CARD))
    if when.by is not None:
        test = both(test, _event_source(when, scene))
    if when.not_caused_by is not None:
        test = both(test, negated(same([(X.EVENT_CAUSE, 0)], [(X.THIS, 0)])))
    assert test is not None
    return [(event, test)]


HARM = ("death", "damage_taken", "injury_dealt", "injury_taken", "hp_loss")
MOVEMENTS = ("card_discard", "card_bury", "card_banish", "card_exhaust", "card_recover")
OF_CARDS = {"suit", "knowledge", "tag", "any_tag", "effect_named", "craft", "range", "lignum"}
"""What a source and a filter of cards call the same."""


def _event_source(when: When, scene: Scene) -> Value:
    assert when.by is not None
    if when.by.cause is not None:
        by_cost: Value = [(X.EVENT_BY_COST, 0)]
        return by_cost if when.by.cause == "cost" else negated(by_cost)
    if when.event in MOVEMENTS:
        # a card that moves is told apart by the card that moves it, be it as its cost: no attack need be running
        told = when.by.model_dump(exclude_none=True)
        if set(told) <= OF_CARDS:
            return filter_cards(Cards.model_validate(told), scene, [(X.EVENT_CAUSE, 0)])
    if when.event in HARM:
        # what is suffered is told by the card that causes it, be it by an attack or by a text
        told = when.by.model_dump(exclude_none=True, exclude={"card"})
        if set(told) <= OF_CARDS:
            cause: Value = [(X.EVENT_CAUSE, 0)]
            out = filter_cards(when.by.card, scene, cause) if when.by.card is not None else None
            return both(out, filter_cards(Cards.model_validate(told), scene, cause) if told else None) or number(1)
    return compile_source(when.by, scene, check=when.event in ("check", "check_failed"))
