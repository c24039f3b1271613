"""Compiles a whole effect: what it hears, what it costs, what it selects, what it does."""

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
    number,
    rare,
    same,
)
from apotheosis.env.cards.compiler.conditions import compile_condition
from apotheosis.env.cards.compiler.costs import holders, payment_kind, pays_itself
from apotheosis.env.cards.compiler.demands import (
    answers_dealt,
    changes_course,
    looks_at_dice,
    needs_of,
    part_of_phase,
    speaks_of_target,
    targets,
)
from apotheosis.env.cards.compiler.modifiers import Entry, compile_modifier, is_ammunition
from apotheosis.env.cards.compiler.program import Program
from apotheosis.env.cards.compiler.rewriting import answering_permanent, check_ends, own_cost, plain_temporary
from apotheosis.env.cards.compiler.subjects import filter_cards, filter_characters, filter_tiles, is_all
from apotheosis.env.cards.compiler.windows import WHO, is_event, moment, pattern, subject_of
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.cards.language.instructions import May
from apotheosis.env.cards.language.modifiers import Discard
from apotheosis.env.cards.language.requirements import Payment
from apotheosis.env.cards.language.selection import Cards, Characters, Tiles
from apotheosis.env.rules.opcodes import Cost, Ev, Need, Rare, Select, X
from apotheosis.env.vocabulary import Activation, Limit, Scope, Task, Timing

MOST_X = 31


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
        scene = Scene(self.names, effect.technique is not None, companion, {}, effect.technique, answers_dealt(effect))
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
            out.needs = needs_of(effect.do) | part_of_phase(effect) | (Need.OF_TARGET if program.of_target else 0)
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
        for event, part in pattern(when, inside, False):
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
        heard = [moment(timing, scene) for timing in effect.timings if not (own_turns and timing == Timing.AllyTurn)]
        condition: Value | None = None
        about: Value | None = None
        admitted: Value | None = None
        payments: list[Payment] = []
        for requirement in effect.requires:
            if requirement.when is not None:
                heard += pattern(requirement.when, scene, changes_course(effect.do))
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
        if Timing.Rolling in effect.timings and looks_at_dice(effect, condition):
            # what is done to dice that lie there comes after the roll (R6.4.15, R9.1.4)
            after = [*is_event(Ev.ROLL_AFTER), *same(WHO, subject_of(scene)), (X.AND, 0)]
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
