"""Compiles a whole effect: what it hears, what it costs, what it selects, what it does."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from apotheosis.env.cards.compiler.amounts import compile_amount
from apotheosis.env.cards.compiler.code import (
    CARD_BOUND,
    Code,
    Names,
    Refusal,
    Scene,
    Value,
    both,
    either,
    negated,
    number,
    rare,
    same,
)
from apotheosis.env.cards.compiler.conditions import compile_condition, compile_source
from apotheosis.env.cards.compiler.costs import holders, payment_kind, pays_itself
from apotheosis.env.cards.compiler.modifiers import Entry, compile_modifier, is_ammunition
from apotheosis.env.cards.compiler.program import Program
from apotheosis.env.cards.compiler.rewriting import answering_permanent, check_ends, own_cost, plain_temporary
from apotheosis.env.cards.compiler.steps import ENERGY
from apotheosis.env.cards.compiler.subjects import ZONES, filter_cards, filter_characters, filter_tiles, is_all
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.cards.language.instructions import May
from apotheosis.env.cards.language.modifiers import Discard
from apotheosis.env.cards.language.requirements import Payment, When
from apotheosis.env.cards.language.selection import Cards, Characters, Tiles
from apotheosis.env.rules.opcodes import Cost, Ev, Need, Rare, Select, X
from apotheosis.env.vocabulary import Activation, Limit, Scope, Task, Timing

MOST_X = 31
TARGET = re.compile(r"(?<![.\w])target\b(?!_)")
WHO: Value = [(X.EVENT_WHO, 0)]
OTHER: Value = [(X.EVENT_OTHER, 0)]
CARD: Value = [(X.EVENT_CARD, 0)]


@dataclass
class Compiled:
    """A compiled effect before it has a row; fields as `layout.EFFECT`."""

    activation: Activation
    task: Task
    limits: int
    scopes: int
    optional: int = 0
    technique: int = -1
    select: Select = Select.NONE
    hears: int = 0
    when: int = -1
    condition: int = -1
    costs: int = -1
    x_max: int = -1
    filter: int = -1
    program: int = -1
    blast: int = -1
    needs: int = 0
    bar_costs: int = 0
    standings: list[Entry] = field(default_factory=list)
    later: "list[Compiled]" = field(default_factory=list)


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


def _is(event: Ev) -> Value:
    return [(X.EVENT_IS, int(event))]


def _subject(scene: Scene) -> Value:
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


def _timing(timing: Timing, scene: Scene) -> tuple[Ev, Value]:
    subject = _subject(scene)
    if timing in _OWN_MOVE:
        event = _OWN_MOVE[timing]
        return event, [*_is(event), *same(CARD, [(X.THIS, 0)]), (X.AND, 0)]
    if timing in _MOMENTS:
        return _MOMENTS[timing], _is(_MOMENTS[timing])
    if timing in _START or timing in _END:
        event = Ev.START_PHASE if timing in _START else Ev.END_PHASE
        kind = _START.get(timing) or _END[timing]
        return event, [*_is(event), *_phase(kind, scene), (X.AND, 0)]
    about = {
        Timing.Checking: (Ev.CHECK_BEFORE, WHO),
        Timing.Attacking: (Ev.ATTACK, WHO),
        Timing.Selected: (Ev.SELECTED, WHO),
        Timing.Rolling: (Ev.ROLL_BEFORE, WHO),
    }
    if timing == Timing.Attacked:
        return Ev.ATTACK, [*_is(Ev.ATTACK), *subject, (X.IS_ATTACKED, 0), (X.AND, 0)]
    if timing in about:
        event, who = about[timing]
        return event, [*_is(event), *same(who, subject), (X.AND, 0)]
    raise Refusal(f"the timing {timing.name}")


def _changes_course(program: list[Any]) -> bool:
    return any(step.op in ("negate", "redirect", "save") for step in program)


def _pattern(when: When, scene: Scene, before: bool) -> list[tuple[Ev, Value]]:
    if when.any_of:
        return [part for pattern in when.any_of for part in _pattern(pattern, scene, before)]
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
    test: Value | None = _is(event)
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


COUNTING = {X.COUNT_CHARS, X.COUNT_CARDS, X.COUNT_ALL}


def speaks_of_target(test: Value) -> bool:
    """Tells whether a condition can be asked of each candidate for the target: it names the target, outside any count."""
    ops = {op for op, _ in test}
    return X.TARGET in ops and not ops & COUNTING


def _dealt(effect: TypedEffect) -> bool | None:
    """Tells whether an effect answers Injury by who deals it; None where it answers other events too."""
    whens = [entry.when for entry in effect.requires if entry.when is not None]
    found = {part.event == "injury_dealt" for when in whens for part in when.any_of or [when]} | {False for _ in effect.timings}
    return None if len(found) > 1 else True in found


class EffectCompiler:
    """Compiles effects into one pool's code.

    Args:
        code: the words of the pool.
        names: the open names of the pool.
        place: puts a standing entry into the pool and returns its number.
    """

    def __init__(self, code: Code, names: Names, place: Any):
        self.code, self.names, self.place = code, names, place
        self.laters = 0
        self.delayed: list[Compiled] = []

    def compile(self, effect: TypedEffect, companion: bool = False, attacks: bool = False, lingering: bool = False) -> Compiled:
        """Compiles one effect.

        Args:
            effect: the effect.
            companion: whether it stands on a Companion card.
            attacks: whether its activation makes an attack, by the bar of its card or of its technique.
            lingering: whether it goes on without its card though it has no Lingering (R6.9.6: texts without keywords).

        Raises:
            Refusal: the kernel does not run it.
        """
        effect = plain_temporary(answering_permanent(own_cost(effect)))
        scene = Scene(self.names, effect.technique is not None, companion, {}, effect.technique, _dealt(effect))
        if effect.technique is not None and effect.task != Task.Absent:
            raise Refusal("techniques with a task")
        activation = effect.activation
        chosen = any(entry.target is not None or entry.pay is not None for entry in effect.requires)
        if activation == Activation.Temp and (effect.task != Task.Absent or chosen):
            activation = Activation.Activate  # with effects that go on (R6.3.4)
        out = Compiled(
            activation,
            effect.task,
            sum(1 << int(limit) for limit in set(effect.limits)),
            sum(1 << int(scope) for scope in set(effect.scopes)),
        )
        self._requirements(effect, scene, out, attacks)
        if effect.technique is not None and (out.hears or effect.activation != Activation.Activate):
            # what stands, happens by itself or answers an event does so while the technique is unlocked (R19.6)
            out.technique = -1
        if effect.mods and effect.do:
            raise Refusal("modifiers beside a program")
        if effect.mods and (effect.activation != Activation.Permanent or out.hears):
            raise Refusal("standing modifiers that are not Permanent")
        if effect.mods:
            for modifier in effect.mods:
                if is_ammunition(modifier):
                    out.bar_costs = self._ammunition(modifier, scene)
                else:
                    out.standings += compile_modifier(modifier, scene)
        else:
            declared = effect.activation == Activation.Activate and not out.hears
            own_attack = attacks and declared
            if own_attack and out.select in (Select.TILE, Select.CARD):
                raise Refusal("a selection beside the target of the effect's own attack")
            if not out.select and not own_attack:
                self._silent_target(effect, declared, scene, out)
            program = Program(self.code, scene, self.place, own_attack, out.hears)
            program.later = self._later
            passes = effect.activation != Activation.Temp and Limit.Lingering not in effect.limits and not lingering
            program.bound = passes
            program.keeps = self._while(effect, scene)
            program.ends = next((entry.until for entry in effect.requires if entry.until is not None), None)
            self.delayed = out.later
            steps = effect.do
            only = steps[0] if len(steps) == 1 else None
            if effect.activation == Activation.Auto and isinstance(only, May) and only.by is None and not only.pay:
                # its whole text may be declined: it is asked for in its window, which it takes only then (R6.3.2, R8.4)
                out.optional = 1
                steps = only.do
            out.program = program.compile(steps)
            out.standings = program.shape
            out.blast = self.code.value(program.blast)
            out.needs = _needs(effect.do) | _part(effect) | (Need.OF_TARGET if program.of_target else 0)
        if activation == Activation.Temp:
            raise Refusal("the activation Temp")
        if effect.activation == Activation.Auto and not out.hears:
            raise Refusal("an Auto that waits for nothing")
        if effect.activation == Activation.Permanent and not effect.mods and not out.hears:
            raise Refusal("a Permanent program that waits for nothing")
        return out

    def _silent_target(self, effect: TypedEffect, declared: bool, scene: Scene, out: Compiled) -> None:
        """Lets an effect select the target that its program speaks of, within the range of its card or technique (R15.21)."""
        spoken = targets(effect.written().get("do", []))
        if not spoken:
            return
        if not declared or len(spoken) > 1:
            raise Refusal("a target that nothing selects")
        if spoken == {"tile"}:
            self._target(Tiles(tile="in_range"), scene, out)
        else:
            revives = any(step.op == "revive" for step in effect.do)
            self._target(Characters(chars="dead" if revives else "all"), scene, out)

    def _while(self, effect: TypedEffect, scene: Scene) -> Value | None:
        """The While requirements of an effect, which its modifiers go on following (R6.8.5)."""
        test: Value | None = None
        for requirement in effect.requires:
            if requirement.while_ is not None:
                test = both(test, compile_condition(requirement.while_, scene))
        return test

    def _later(self, step: Any, scene: Scene) -> int:
        """Compiles what happens at a later event to whom it awaits, and returns its number on the card."""
        if step.when.who is None or step.when.any_of or step.once:
            raise Refusal("a later effect that awaits nobody")
        number_ = self.laters
        self.laters += 1
        # whom it awaits is who the event happens to; nothing else of the running effect is known then
        inside = Scene(self.names, scene.technique, scene.companion, {"target": WHO, "it": WHO}, scene.number)
        when = step.when.model_copy(update={"who": None})
        out = Compiled(Activation.Auto, Task.Absent, 0, 1 << int(Scope.Anywhere))
        test: Value | None = None
        for event, part in _pattern(when, inside, False):
            out.hears |= 1 << int(event)
            test = part if test is None else either([test, part])
        out.when = self.code.value(both(test, [*WHO, rare(Rare.AWAITED, number_)]))
        program = Program(self.code, inside, self.place, False, out.hears)
        out.program = program.compile(step.do)
        out.standings = program.shape
        self.delayed.append(out)
        return number_

    def _requirements(self, effect: TypedEffect, scene: Scene, out: Compiled, attacks: bool) -> None:
        # From Team Member already lets every member of the team activate it in its own turn (R6.6.5)
        own_turns = Scope.TeamMember in effect.scopes
        heard = [_timing(timing, scene) for timing in effect.timings if not (own_turns and timing == Timing.AllyTurn)]
        condition: Value | None = None
        about: Value | None = None
        admitted: Value | None = None
        payments: list[Payment] = []
        for requirement in effect.requires:
            if requirement.when is not None:
                heard += _pattern(requirement.when, scene, _changes_course(effect.do))
            elif requirement.if_ is not None or requirement.while_ is not None:
                test = requirement.if_ or requirement.while_
                assert test is not None
                asked = compile_condition(test, scene)
                if speaks_of_target(asked):
                    about = both(about, asked)
                else:
                    condition = both(condition, asked)
            elif requirement.pay is not None:
                payments.append(requirement.pay)
            elif requirement.target is not None:
                admitted = self._target(requirement.target, scene, out)
            else:
                assert requirement.until is not None
                check_ends(effect, requirement.until)
        strikes = attacks or effect.technique is not None
        if about is not None and strikes and out.select == Select.NONE and not heard:
            out.select = Select.CHAR
        if about is not None and out.select == Select.CHAR:
            # what is asked of the target decides who may be selected (R6.8.5, R7.1.1)
            admitted = both(admitted, [(X.IT, 0) if op == X.TARGET else (op, operand) for op, operand in about])
        else:
            condition = both(condition, about)
        out.filter = self.code.value(admitted)
        if effect.technique is not None and (heard or effect.activation != Activation.Activate):
            condition = both(condition, [rare(Rare.UNLOCKED, effect.technique)])
            if heard and effect.activation == Activation.Activate:
                condition = both(condition, [(X.THIS_CHAR, 0), (X.ALIVE, 0), (X.THIS_CHAR, 0), (X.ON_BOARD, 0), (X.AND, 0)])
        if Timing.Rolling in effect.timings and _looks_at_dice(effect, condition):
            # what is done to dice that lie there comes after the roll (R6.4.15, R9.1.4)
            after = [*_is(Ev.ROLL_AFTER), *same(WHO, _subject(scene)), (X.AND, 0)]
            heard = [(Ev.ROLL_AFTER, after) if event == Ev.ROLL_BEFORE else (event, test) for event, test in heard]
        for event, _ in heard:
            out.hears |= 1 << int(event)
        if heard:
            out.when = self.code.value(either([test for _, test in heard]))
        out.condition = self.code.value(condition)
        if effect.technique is not None:
            out.technique = effect.technique
            if any(not pays_itself(payment) for payment in payments):
                raise Refusal("techniques with costs of the Hero")
        reacts = effect.technique is not None and bool(heard) and effect.activation == Activation.Activate
        if payments or reacts:
            self._costs(payments, scene, out, effect.technique if reacts else None)

    def _target(self, target: Any, scene: Scene, out: Compiled) -> Value | None:
        """Notes what is selected, and returns the test of candidates."""
        if out.select != Select.NONE:
            raise Refusal("two selections")
        if isinstance(target, Characters):
            if not is_all(target) and target.n != Amount(1):
                raise Refusal("several targets")
            out.select = Select.CHAR
            return filter_characters(target, scene)
        if isinstance(target, Cards):
            if not is_all(target) and target.n != Amount(1):
                raise Refusal("several target cards")
            out.select = Select.CARD
            return filter_cards(target, scene)
        if isinstance(target, Tiles):
            if target.n is not None and target.n != Amount(1):
                raise Refusal("several target tiles")
            out.select = Select.TILE
            return filter_tiles(target, scene)
        raise Refusal("the selection of an object")

    def _ammunition(self, modifier: Any, scene: Scene) -> int:
        """Places the cost that a card's own attacks demand, and returns its position (text PROJETIL)."""
        if modifier.set is None or modifier.card is None or modifier.card.card != "this":
            raise Refusal("ammunition of other cards")
        demand = Discard.model_validate(modifier.set)
        wanted = (demand.filter or Cards()).model_copy(update={"zone": None, "of": None, "n": None})
        test = self.code.value(filter_cards(wanted, scene))
        amount = self.code.value(compile_amount(demand.n, scene))
        start = len(self.code.words)
        self.code.words += [int(Cost.DISCARD), amount, test, 0, int(Cost.END), 0, 0, 0]
        return start

    def _costs(self, payments: list[Payment], scene: Scene, out: Compiled, technique: int | None = None) -> None:
        entries: list[tuple[Cost, int, int, int]] = []
        most: Value | None = None
        if technique is not None:
            entries.append((Cost.AP_PIECE, self.code.value([rare(Rare.TECHNIQUE_AP, technique)]), -1, 0))
        for payment in payments:
            kind, cards, extra = payment_kind(payment, scene)
            count: Any = payment.n
            if kind in (Cost.AP, Cost.HP):
                count = payment.ap if kind == Cost.AP else payment.hp
            elif cards is not None and cards.n is not None:
                count = cards.n
            if not isinstance(count, Amount):
                raise Refusal("a cost with a range")
            bind = payment.bind or (None if cards is None else getattr(cards, "bind", None))
            assert scene.bound is not None
            if kind == Cost.COUNTER and count.tree == "all":
                kind, count = Cost.THIS_COUNTERS, Amount(1)
                if bind:
                    scene.bound[bind] = [(X.AMOUNT_X, 0)]
            elif bind:
                if count != Amount(1) or any(value == CARD_BOUND for value in scene.bound.values()):
                    raise Refusal("a cost of which several cards are kept")
                scene.bound[bind] = CARD_BOUND
            if count.tree == "X":
                amount = 0
                most = number(min(MOST_X, payment.max or MOST_X))
            elif count.tree == "all":
                raise Refusal("a cost of everything")
            else:
                amount = self.code.value(compile_amount(count, scene))
            test = -1
            if cards is not None:
                places = cards.zone if kind in (Cost.EXHAUST, Cost.RETURN) else None
                plain = cards.model_copy(update={"n": None, "zone": places, "of": None, "bind": None})
                written = plain.model_dump(exclude_defaults=True, by_alias=True)
                if written != {}:
                    test = self.code.value(filter_cards(Cards.model_validate(written), scene))
            if kind == Cost.COUNTER_OF:
                test = self.code.value(holders(payment, scene))
            entries.append((kind, amount, test, extra))
        out.costs = len(self.code.words)
        for entry in entries:
            self.code.words += [int(part) for part in entry]
        self.code.words += [int(Cost.END), 0, 0, 0]
        out.x_max = self.code.value(most)


def targets(tree: Any) -> set[str]:
    """Returns what a program means by its target: "character", "tile"."""
    if isinstance(tree, dict):
        found = {"tile"} if tree.get("tile") == "target" or tree.get("tiles") == "target" else set()
        rest = [part for key, part in tree.items() if key not in ("tile", "tiles") or part != "target"]
        return found.union(*map(targets, rest))
    if isinstance(tree, list):
        return set().union(*map(targets, tree))
    return {"character"} if isinstance(tree, str) and TARGET.search(tree) else set()


TIDYING = ("add_marker", "remove_marker", "add_counter", "remove_counter", "move_counter", "remove_mods")
"""Instructions of the clean-up of a phase (R16.6)."""


def _part(effect: TypedEffect) -> int:
    """Tells in which part of a phase an effect happens, as bits of `opcodes.Need` (R16.6, R16.8)."""
    written = effect.written()
    ops = list(_ops(written.get("do", [])))
    if any(entry.pay is not None for entry in effect.requires) or "spend" in ops or _demands(written.get("do", [])):
        return int(Need.PAYS)
    return int(Need.CLEANS) if ops and all(op in (*TIDYING, "if", "may", "for_each") for op in ops) else 0


def _ops(tree: Any) -> Iterator[str]:
    """Yields the names of all instructions in a written program."""
    if isinstance(tree, dict):
        if isinstance(tree.get("op"), str):
            yield tree["op"]
        for part in tree.values():
            yield from _ops(part)
    elif isinstance(tree, list):
        for part in tree:
            yield from _ops(part)


def _demands(tree: Any) -> bool:
    """Tells whether a written program holds a payment."""
    if isinstance(tree, dict):
        return "pay" in tree or any(map(_demands, tree.values()))
    return isinstance(tree, list) and any(map(_demands, tree))


def _looks_at_dice(effect: TypedEffect, condition: Value | None) -> bool:
    """Tells whether an effect of the time of rolling can only follow the roll: it rerolls, or asks what was rolled."""
    asked = {op for op, _ in condition or ()}
    return "reroll" in _ops(effect.written().get("do", [])) or not asked.isdisjoint((X.ATTACK_CRITICAL, X.ROLL_MAIN))


YOURS = ("draw", "search", "gain_currency")
"""Instructions that are about you without a word of it."""


def _speaks_of_you(program: list[Any]) -> bool:
    """Tells whether a written program speaks of you."""
    return bool(re.search(r"\bself\b", str(program))) or any(op in YOURS for op in _ops(program))


def _needs(program: list[Any]) -> int:
    """What a program needs beside its requirements: bits of `opcodes.Need`."""
    bits = 0
    if _speaks_of_you([step.model_dump(exclude_none=True) for step in program]):
        bits |= Need.OF_YOU
    if any(step.op == "revive" and step.who == Characters(chars="target") for step in program):
        bits |= Need.REVIVABLE
    if program and all(step.op == "negate" and step.what in ("activation", "attack", "action", "effect") for step in program):
        bits |= Need.NEGATABLE
    return bits
