"""Compiles the instructions of an effect to its program (DSL section 6)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from apotheosis.env.cards.compiler.code import (
    CARD_BOUND,
    CHAR_BOUND,
    Refusal,
    Value,
    both,
    negated,
    number,
    rare,
    same,
)
from apotheosis.env.cards.compiler.conditions import compile_condition
from apotheosis.env.cards.compiler.modifiers import compile_modifier, compile_until, keeping
from apotheosis.env.cards.compiler.program import HANDLERS, OF_PROGRAM, Program
from apotheosis.env.cards.compiler.steps_cards import CARD_HANDLERS
from apotheosis.env.cards.compiler.steps_rare import RARE_HANDLERS
from apotheosis.env.cards.compiler.subjects import filter_characters, is_all, made_by_this, one_card, one_character
from apotheosis.env.cards.language import instructions as steps
from apotheosis.env.cards.language import steps_play
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.selection import Cards, Characters, Objects
from apotheosis.env.cards.scalars import dice_parts
from apotheosis.env.rules.opcodes import Ev, Negate, Op, Rare, X
from apotheosis.env.vocabulary import Colour

NEGATED = {
    "activation": Negate.ACTIVATION,
    "attack": Negate.ATTACK,
    "action": Negate.ACTIVATION,
    "damage": Negate.DAMAGE,
    "injury": Negate.INJURY,
    "effect": Negate.EFFECT,
    "discard": Negate.MOVE,
}
ENERGY = {"SP": 1, "MP": 2, "ESSENCE": 4, "ENERGY": 7}
SHAPES_ATTACK = ("attack.bonus", "attack.damage", "damage.dealt", "attack.multiplier", "attack.dice", "roll.bonus")
MOST_OPTIONS = 16
COLOURS = {colour.name.upper(): int(colour) for colour in Colour if colour.name != "Absent"}


def _heal(p: Program, step: steps_play.Heal) -> None:
    if step.cap is not None:
        raise Refusal("healing up to a bound")
    p.each(step.to, lambda who: p.emit(Op.HEAL, who, _hp(p, step.n)) and None)


def _hp(p: Program, amount: Amount) -> Value:
    """An amount of HP; one equal to the Injury caused is the HP really lost (R13.11)."""
    value = p.amount(amount, whole=True)
    return [(X.LAST_HP, 0)] if value == [(X.LAST_INJURY, 0)] else value


def _lose_hp(p: Program, step: steps_play.LoseHp) -> None:
    p.each(step.who, lambda who: p.emit(Op.LOSE_HP, who, _hp(p, step.n)) and None)


def _simple(op: Op, subject: str, amount: str) -> Callable[[Program, Any], None]:
    def run(p: Program, step: Any) -> None:
        p.each(getattr(step, subject), lambda who: p.emit(op, who, p.amount(getattr(step, amount))) and None)

    return run


def _deal_damage(p: Program, step: steps_play.DealDamage) -> None:
    if step.raw or step.tags:
        raise Refusal("damage with tags of its own or past all modifiers")
    p.each(step.to, lambda who: p.emit(Op.DAMAGE, who, p.amount(step.n)) and None)


def _gain(p: Program, step: steps_play.Gain) -> None:
    kinds = set(step.res)
    if kinds == {"AP"}:
        p.each(step.to, lambda who: p.emit(Op.GAIN_AP, who, p.amount(step.n)) and None)
        return
    p.each(step.to, lambda who: p.emit(Op.RECOVER_ENERGY, who, p.amount(step.n, whole=True), energy_mask(kinds)) and None)


def energy_mask(kinds: set[str]) -> int:
    """Returns the kernel's mask of kinds of energy: bits, or essence of one colour.

    Raises:
        Refusal: it has none for them.
    """
    if kinds <= set(ENERGY):
        mask = 0
        for kind in kinds:
            mask |= ENERGY[kind]
        return mask
    if len(kinds) == 1 and next(iter(kinds)) in COLOURS:
        return 8 * (1 + COLOURS[next(iter(kinds))]) + 4
    raise Refusal(f"energy of the kinds {', '.join(sorted(kinds))} together")


def _spend(p: Program, step: steps.Spend) -> None:
    if step.res == "AP" and not step.else_:
        p.each(step.who, lambda who: p.emit(Op.LOSE_AP, who, p.amount(step.n)) and None)
        return
    kinds = {str(kind) for kind in step.energy or ([step.res] if step.res in ENERGY else [])}
    if not kinds or not kinds <= set(ENERGY):
        raise Refusal("spending this")
    mask = energy_mask(kinds)

    def body(who: Value) -> None:
        counts = 0 if step.missing is None else 1
        spend = p.emit(Op.SPEND_ENERGY, who, p.amount(step.n, whole=True), mask, -1, counts)
        if step.missing is not None:
            if mask != 7 or step.else_:
                raise Refusal("what is missing of some kinds of energy")
            p.bind(step.missing, [(X.LAST_COUNT, 0)])
        if step.else_:
            jump = p.code.step(Op.JUMP, 0)
            p.code.patch(spend, 4)
            p.run(step.else_)
            p.code.patch(jump, 1)

    p.each(step.who, body)


def _chosen_card(p: Program, cards: Cards | None) -> Value | None:
    """Asks for the card that a modifier is about, where it is about a chosen or bound one."""
    if cards is None or cards.card in ("this", "event.card"):
        return None
    if cards.card is not None:
        return one_card(cards, p.scene)
    if is_all(cards):
        return None
    if cards.n != Amount(1):
        raise Refusal("a modifier of several chosen cards")
    p.cards(cards, lambda card: None)
    return CARD_BOUND


def _mod(p: Program, step: steps.Mod) -> None:
    if p.hears == 1 << int(Ev.CHECK_AFTER) and step.q == "check.bonus" and step.add is not None and step.by is None:
        # the roll is made: what is added now changes its result (R9.2.3)
        p.emit(Op.ADD_ROLL, p.amount(step.add))
        return
    card = _chosen_card(p, step.card)
    if card is not None:
        # the modifier calls the chosen card this card
        step = step.model_copy(update={"card": Cards(card="this")})
    entries = compile_modifier(step, p.scene)
    until, rounds = compile_until(step.until, p.scene.names)
    if _shapes(p, step):
        # text that changes the activation's own attack shapes it while it is computed (R9.1.14)
        if p.depth > 1 and p.condition is None:
            raise Refusal("a change of the own attack that is chosen")
        shaping = [entry for entry in entries if entry.quantity.name.startswith(("ATTACK", "DAMAGE"))]
        p.shape += [replace(entry, condition=both(p.condition, entry.condition)) for entry in shaping]
        return
    if p.own_attack and step.until is not None and step.until.at == "this_attack":
        # its text follows when the attack has done its work (R9.1.10)
        raise Refusal("a change of something else than DMG for the own attack")
    if step.q == "range.ignore":
        if step.against is None:
            raise Refusal("a distance that is ignored for a time to everybody")
        number_ = p.standing(replace(entries[0], on=None))
        p.each(step.against, lambda who: p.emit(Op.MOD, number_, who, int(until), rounds) and None)
        return
    counted = None if step.until is None else step.until.rounds or step.until.stints
    many = None if counted is None or counted.number is not None else p.amount(counted)
    lasting = None if step.lasting is None else compile_condition(step.lasting, p.scene)
    lasting = both(lasting, keeping(step.until, p.scene))
    for entry in entries:
        if step.on is not None and step.on.on_linked:
            # whoever stands there while it lasts
            p.emit(Op.MOD, p.standing(replace(entry, keeps=lasting)), None, int(until), rounds, many, card)
            continue
        single = None if step.on is None else one_character(step.on, p.scene)
        if step.on is None:
            single = p.scene.you
        entry = replace(entry, keeps=lasting)
        if single is not None:
            number_ = p.standing(replace(entry, on=None), single == [(X.TARGET, 0)])
            p.emit(Op.MOD, number_, single, int(until), rounds, many, card)
        else:
            assert step.on is not None
            number_ = p.standing(replace(entry, on=None))
            p.each(step.on, lambda who, number_=number_: p.emit(Op.MOD, number_, who, int(until), rounds, many, card) and None)


def _shapes(p: Program, step: Any) -> bool:
    """Tells whether a step changes the activation's own attack while it is computed."""
    if not isinstance(step, steps.Mod) or step.until is None:
        return False
    return p.own_attack and step.q in SHAPES_ATTACK and step.until.at in ("this_attack", "this_roll")


def _if(p: Program, step: steps.If) -> None:
    if p.depth == 1 and not step.else_ and step.then and all(_shapes(p, inner) for inner in step.then):
        p.condition = compile_condition(step.cond, p.scene)
        if any(op in OF_PROGRAM and op != X.ROLL_MAIN for op, _ in p.condition):
            raise Refusal("a change of the own attack that depends on its outcome")
        p.run(step.then)
        p.condition = None
        return
    test = p.emit(Op.JUMP_IF_NOT, compile_condition(step.cond, p.scene), 0)
    p.run(step.then)
    if step.else_:
        jump = p.code.step(Op.JUMP, 0)
        p.code.patch(test, 2)
        p.run(step.else_)
        p.code.patch(jump, 1)
    else:
        p.code.patch(test, 2)


def _may(p: Program, step: steps.May) -> None:
    if step.pay:
        raise Refusal("a payment inside an effect")
    by = None if step.by is None else one_character(step.by, p.scene)
    may = p.emit(Op.MAY, 0, by)
    p.run(step.do)
    p.code.patch(may, 1)


def _choose(p: Program, step: steps.Choose) -> None:
    by = None if step.by is None else one_character(step.by, p.scene)
    if step.by is not None and by is None:
        raise Refusal("a choice by several characters")
    if step.cards is not None or step.chars is not None:
        if step.n is not None and step.n != Amount(1):
            raise Refusal("a choice of several")
        if step.cards is not None:
            chosen = step.cards.model_copy(update={"n": Amount(1)})
            p.cards(chosen, lambda card: None, by=by)
            p.bind(step.bind, CARD_BOUND)
        elif step.chars is not None:
            p.pick_char(step.chars.model_copy(update={"n": None}), by)
            p.bind(step.bind, CHAR_BOUND)
        return
    if step.n is not None or not 2 <= len(step.of) <= MOST_OPTIONS:
        raise Refusal("this choice")
    over = p.code.step(Op.JUMP, 0)
    places = len(p.code.words)
    p.code.words += [0] * len(step.of)
    who = None if by is None else p.code.value(by)
    p.code.patch(over, 1)
    p.code.step(Op.CHOOSE, len(step.of), places, -1 if who is None else who)
    jumps = []
    for index, option in enumerate(step.of):
        p.code.words[places + index] = len(p.code.words)
        p.run(option)
        jumps.append(p.code.step(Op.JUMP, 0))
    for jump in jumps:
        p.code.patch(jump, 1)


def _for_each(p: Program, step: steps.ForEach) -> None:
    if isinstance(step.in_, Objects):
        p.loop_over(made_by_this(step.in_), lambda who: p.run(step.do))
        return
    p.each(step.in_, lambda who: p.run(step.do))


def _repeat(p: Program, step: steps.Repeat) -> None:
    p.repeat(p.amount(step.n), lambda: p.run(step.do))


def _check(p: Program, step: steps.Check) -> None:
    def body(who: Value) -> None:
        know = -1 if step.know is None else int(step.know)
        attribute = -1 if step.attr is None else int(step.attr)
        check = p.emit(Op.CHECK, who, attribute, know, p.amount(step.dc), 0)
        p.run(step.ok)
        jump = p.code.step(Op.JUMP, 0)
        p.code.patch(check, 5)
        p.run(step.fail)
        p.code.patch(jump, 1)

    p.each(step.by, body)


def _contest(p: Program, step: steps.Contest) -> None:
    if step.tie or step.a.know is not None or step.b.know is not None:
        raise Refusal("a competition with knowledges or ties")
    a, b = one_character(step.a.who, p.scene), one_character(step.b.who, p.scene)
    if a is None or b is None:
        raise Refusal("a competition of several characters")
    p.emit(Op.ROLLING, a)
    p.emit(Op.ROLLING, b)
    bonus: Value | None = None if step.a.add is None else p.amount(step.a.add)
    if step.b.add is not None:
        bonus = [*(bonus or number(0)), *p.amount(step.b.add), (X.SUB, 0)]
    contest = p.emit(Op.CONTEST, a, int(step.a.attr), b, int(step.b.attr), 0, bonus)
    p.run(step.win)
    jump = p.code.step(Op.JUMP, 0)
    p.code.patch(contest, 5)
    p.run(step.lose)
    p.code.patch(jump, 1)


def _splash(p: Program, step: steps_play.Splash) -> None:
    if step.split or step.damage != "this_attack":
        raise Refusal("split or halved splash")
    it: Value = [(X.IT, 0)]
    target: Value = [(X.TARGET, 0)]
    alive: Value = [*it, (X.ALIVE, 0), *it, (X.ON_BOARD, 0), (X.AND, 0)]
    if isinstance(step.to, Characters):
        test = filter_characters(step.to, p.scene)
    elif step.to.pieces == "on_line":
        test = [*alive, *it, rare(Rare.ON_LINE), (X.AND, 0)]
    elif step.to.pieces == "in_area":
        test = [*alive, *it, *p.scene.here, (X.TILE_DISTANCE, 0), rare(Rare.REACH), (X.LE, 0), (X.AND, 0)]
    elif step.to.pieces == "with_marker" and step.to.marker is not None:
        test = [*alive, *it, (X.HAS_MARKER, p.scene.names.marker(step.to.marker)), (X.AND, 0)]
    elif step.to.pieces == "within" and step.to.n is not None:
        centre = target if step.to.of is None else one_character(step.to.of, p.scene)
        if centre is None:
            raise Refusal("a splash around several characters")
        test = [*alive, *it, *centre, (X.TILE_DISTANCE, 0), *p.amount(step.to.n), (X.LE, 0), (X.AND, 0)]
    else:
        raise Refusal(f"a splash to pieces '{step.to.pieces}'")
    spread = both(test, negated(same(it, target)))
    assert spread is not None
    if p.own_attack and p.depth == 1 and p.blast is None and not any(op in OF_PROGRAM for op, _ in spread):
        # text that adds targets to the activation's own attack belongs to it (R9.1.14)
        p.blast = spread
        return
    p.emit(Op.SPLASH, spread)


def _redirect(p: Program, step: steps_play.Redirect) -> None:
    single = one_character(step.to, p.scene)
    if single is None:
        raise Refusal("a redirection to several characters")
    p.emit(Op.REDIRECT, single)


def _negate(p: Program, step: steps_play.Negate) -> None:
    if step.what not in NEGATED:
        raise Refusal(f"negating a {step.what}")
    p.emit(Op.NEGATE, int(NEGATED[step.what]))


def _roll(p: Program, step: steps_play.Roll) -> None:
    count, sides = dice_parts(step.dice)
    p.emit(Op.ROLL, count, sides, int(step.random))
    assert p.scene.bound is not None
    p.scene.bound[step.bind] = [(X.ROLL_TOTAL, 0)]


def _reroll(p: Program, step: steps_play.Reroll) -> None:
    if step.keep == "worst":
        raise Refusal("rerolls that keep the worse result")
    p.emit(Op.REROLL, 1 if step.keep == "best" else 0)


def _add_roll(p: Program, step: steps_play.AddRoll) -> None:
    if step.n is not None:
        amount = p.amount(step.n)
    elif step.dice is not None:
        count, sides = dice_parts(step.dice)
        amount: Value = [(X.DICE, count * 8 + sides)]
    elif step.attr is not None:
        amount = [*p.scene.you, (X.ATTR, int(step.attr))]
    else:
        raise Refusal("adding nothing to a roll")
    p.emit(Op.ADD_ROLL, amount)


def _add_marker(p: Program, step: steps_play.AddMarker) -> None:
    until, rounds = compile_until(step.until, p.scene.names)
    marker = p.scene.names.marker(step.marker)
    p.each(step.to, lambda who: p.emit(Op.MARKER_ADD, who, marker, int(until), rounds) and None)


def _remove_marker(p: Program, step: steps_play.RemoveMarker) -> None:
    if step.marker == "chosen":
        if isinstance(step.n, list):
            raise Refusal("removing some markers")
        count = p.amount(step.n or Amount(1))
        p.each(step.from_, lambda who: p.repeat(count, lambda: p.emit(Op.MARKER_CHOOSE, who) and None))
        return
    if step.n is not None and step.n != Amount(1):
        raise Refusal("removing some markers")
    marker = -1 if step.marker == "all" else p.scene.names.marker(step.marker)
    p.each(step.from_, lambda who: p.emit(Op.MARKER_REMOVE, who, marker) and None)


def _who_step(op: Op) -> Callable[[Program, Any], None]:
    def run(p: Program, step: Any) -> None:
        p.each(step.who, lambda who: p.emit(op, who) and None)

    return run


def _let(p: Program, step: steps_play.Let) -> None:
    assert p.scene.bound is not None
    value = p.amount(step.n)
    if any(op == X.DICE for op, _ in value):
        raise Refusal("keeping a roll under a name")
    p.scene.bound[step.bind] = value


_STEPS: dict[type, Callable[[Program, Any], None]] = {
    steps_play.Heal: _heal,
    steps_play.LoseHp: _lose_hp,
    steps_play.DealInjury: _simple(Op.INJURY, "to", "n"),
    steps_play.DealDamage: _deal_damage,
    steps_play.Gain: _gain,
    steps.Spend: _spend,
    steps.Mod: _mod,
    steps.If: _if,
    steps.May: _may,
    steps.Choose: _choose,
    steps.ForEach: _for_each,
    steps.Repeat: _repeat,
    steps.Check: _check,
    steps.Contest: _contest,
    steps_play.Splash: _splash,
    steps_play.Redirect: _redirect,
    steps_play.Negate: _negate,
    steps_play.Roll: _roll,
    steps_play.Reroll: _reroll,
    steps_play.AddRoll: _add_roll,
    steps_play.AddMarker: _add_marker,
    steps_play.RemoveMarker: _remove_marker,
    steps_play.Awaken: _who_step(Op.AWAKEN),
    steps_play.SleepEntity: _who_step(Op.SLEEP),
    steps_play.SkipTurn: _who_step(Op.SKIP_TURN),
    steps_play.EndTurn: _who_step(Op.END_TURN),
    steps_play.Revive: _simple(Op.REVIVE, "who", "hp"),
    steps_play.Save: _simple(Op.SAVE, "who", "hp"),
    steps_play.Let: _let,
}

HANDLERS.update({**_STEPS, **CARD_HANDLERS, **RARE_HANDLERS})
