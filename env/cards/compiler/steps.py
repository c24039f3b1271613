"""Compiles the instructions of an effect to its program (DSL section 6)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from apotheosis.env.cards.compiler.amounts import compile_amount
from apotheosis.env.cards.compiler.code import Code, Refusal, Scene, Value, both, negated, number, same
from apotheosis.env.cards.compiler.conditions import compile_condition
from apotheosis.env.cards.compiler.modifiers import Entry, compile_modifier, compile_until
from apotheosis.env.cards.compiler.subjects import (
    filter_cards,
    filter_characters,
    is_all,
    one_card,
    one_character,
)
from apotheosis.env.cards.language import instructions as steps
from apotheosis.env.cards.language import steps_play, steps_table
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.selection import Cards, Characters
from apotheosis.env.cards.scalars import dice_parts
from apotheosis.env.rules.codes import Zone
from apotheosis.env.rules.opcodes import Negate, Op, X

BOTTOM = 100
TABLE = 50
PLACES = {
    "inventory": int(Zone.HAND),
    "discard": int(Zone.DISCARD),
    "deck": int(Zone.DECK),
    "deck_top": int(Zone.DECK),
    "deck_bottom": BOTTOM + int(Zone.DECK),
    "banished": int(Zone.BANISHED),
    "limbo": int(Zone.LIMBO),
    "scenario": int(Zone.SCENARIO),
    "equipment": TABLE,
    "memento": TABLE,
    "table": TABLE,
}
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
LOOPS_AT_ONCE = 1
OF_PROGRAM = (
    X.BOUND, X.AMOUNT_X, X.MARGIN, X.DICE, X.ROLL_TOTAL, X.ROLL_MAIN, X.LAST_DAMAGE, X.LAST_INJURY, X.LAST_HP, X.LAST_COUNT,
)  # fmt: skip
"""Items that mean something only while a program runs."""


class Program:
    """The program of one effect under construction.

    Args:
        code: where words go.
        scene: what words mean.
        place: puts a standing entry into the pool and returns its number.
        own_attack: whether the effect belongs to an activation bar, so that "this attack" is the one it makes.
    """

    def __init__(self, code: Code, scene: Scene, place: Callable[[Entry], int], own_attack: bool):
        self.code = code
        self.scene = replace(scene, bound=dict(scene.bound or {}))
        self.place = place
        self.own_attack = own_attack
        self.shape: list[Entry] = []
        self.blast: Value | None = None
        self.loops = 0
        self.depth = 0

    def compile(self, program: list[Any]) -> int:
        """Places a program and returns its position.

        Raises:
            Refusal: the kernel does not run one of its steps.
        """
        start = self.code.step(Op.JUMP, 0)
        # values are placed between instructions, so the program starts with a jump to its own first instruction
        self.code.patch(start, 1)
        self.run(program)
        self.code.step(Op.END)
        return start

    def run(self, program: list[Any]) -> None:
        """Places a list of steps."""
        self.depth += 1
        for step in program:
            handler = _HANDLERS.get(type(step))
            if handler is None:
                raise Refusal(f"the instruction {step.op}")
            handler(self, step)
        self.depth -= 1

    # ----- placing

    def emit(self, op: Op, *operands: "int | Value | None") -> int:
        """Places an instruction whose operands are immediates (int) or values; values go before it, jumped over."""
        values = [operand for operand in operands if isinstance(operand, list)]
        if not values:
            return self.code.step(op, *[-1 if operand is None else operand for operand in operands])  # type: ignore[misc]
        jump = self.code.step(Op.JUMP, 0)
        placed = [self.code.value(operand) if isinstance(operand, list) else operand for operand in operands]
        self.code.patch(jump, 1)
        return self.code.step(op, *[-1 if operand is None else operand for operand in placed])

    def standing(self, entry: Entry) -> int:
        """Puts a standing entry into the pool, its values jumped over, and returns its number."""
        jump = self.code.step(Op.JUMP, 0)
        placed = self.place(entry)
        self.code.patch(jump, 1)
        return placed

    def amount(self, amount: Amount) -> Value:
        """Returns the value of an amount."""
        return compile_amount(amount, self.scene)

    def each(self, who: Characters, body: Callable[[Value], object]) -> None:
        """Runs a body for the one character a selector names, or for each of its set."""
        if who.n is not None and not is_all(who):
            raise Refusal("a choice of characters inside an effect")
        single = one_character(who, self.scene)
        if single is not None:
            body(single)
            return
        if self.loops >= LOOPS_AT_ONCE:
            raise Refusal("a loop inside a loop")
        self.loops += 1
        loop = self.emit(Op.FOR_CHARS, filter_characters(who, self.scene), 0)
        body([(X.IT, 0)])
        self.code.step(Op.NEXT, loop)
        self.code.patch(loop, 2)
        self.loops -= 1

    def cards(self, cards: Cards, body: Callable[[Value], object], optional: bool = False, by: Value | None = None) -> None:
        """Runs a body for the card a selector names, for each chosen one, or for all its filter fits."""
        single = one_card(cards, self.scene)
        if single is not None and is_all(cards):
            body(single)
            return
        test = filter_cards(cards, self.scene)
        if is_all(cards):
            if self.loops >= LOOPS_AT_ONCE:
                raise Refusal("a loop inside a loop")
            self.loops += 1
            loop = self.emit(Op.FOR_CARDS, test, 0)
            body([(X.BOUND, 0)])
            self.code.step(Op.NEXT, loop)
            self.code.patch(loop, 2)
            self.loops -= 1
            return
        least, most = (cards.n, cards.n) if isinstance(cards.n, Amount) else (cards.n[0], cards.n[1])  # type: ignore[index]
        many = most.number
        if many is None or least.number is None:
            self._repeat(self.amount(most), lambda: self._pick(test, body, optional, by))
            return
        for index in range(many):
            self._pick(test, body, optional or index >= least.number, by)

    def _repeat(self, count: Value, body: Callable[[], None]) -> None:
        loop = self.emit(Op.REPEAT, count, 0)
        body()
        self.code.step(Op.NEXT, loop)
        self.code.patch(loop, 2)

    def _pick(self, test: Value, body: Callable[[Value], object], optional: bool, by: Value | None) -> None:
        pick = self.emit(Op.PICK, test, by, 1 if optional else 0, -1)
        if optional:
            body([(X.BOUND, 0)])
            self.code.patch(pick, 4)
            return
        body([(X.BOUND, 0)])


def _heal(p: Program, step: steps_play.Heal) -> None:
    if step.cap is not None:
        raise Refusal("healing up to a bound")
    p.each(step.to, lambda who: p.emit(Op.HEAL, who, p.amount(step.n)) and None)


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
    if not kinds <= set(ENERGY):
        raise Refusal(f"gaining {', '.join(step.res)}")
    mask = 0
    for kind in kinds:
        mask |= ENERGY[kind]
    p.each(step.to, lambda who: p.emit(Op.RECOVER_ENERGY, who, p.amount(step.n), mask) and None)


def _spend(p: Program, step: steps.Spend) -> None:
    if step.res == "AP" and not step.else_:
        p.each(step.who, lambda who: p.emit(Op.LOSE_AP, who, p.amount(step.n)) and None)
        return
    kinds = set(step.energy or ([step.res] if step.res in ENERGY else []))
    if not kinds or not kinds <= set(ENERGY):
        raise Refusal("spending this")
    mask = 0
    for kind in kinds:
        mask |= ENERGY[str(kind)]

    def body(who: Value) -> None:
        spend = p.emit(Op.SPEND_ENERGY, who, p.amount(step.n), mask, -1)
        if step.else_:
            jump = p.code.step(Op.JUMP, 0)
            p.code.patch(spend, 4)
            p.run(step.else_)
            p.code.patch(jump, 1)

    p.each(step.who, body)


def _mod(p: Program, step: steps.Mod) -> None:
    entries = compile_modifier(step, p.scene)
    until, rounds = compile_until(step.until)
    if p.own_attack and step.q in SHAPES_ATTACK and step.until is not None and step.until.at in ("this_attack", "this_roll"):
        # text that changes the activation's own attack shapes it while it is computed (R9.1.14)
        p.shape += [entry for entry in entries if entry.quantity.name.startswith(("ATTACK", "DAMAGE"))]
        return
    for entry in entries:
        single = None if step.on is None else one_character(step.on, p.scene)
        if step.on is None:
            single = p.scene.you
        if single is not None:
            number_ = p.standing(replace(entry, on=None))
            p.emit(Op.MOD, number_, single, int(until), rounds)
        else:
            assert step.on is not None
            number_ = p.standing(replace(entry, on=None))
            p.each(step.on, lambda who, number_=number_: p.emit(Op.MOD, number_, who, int(until), rounds) and None)


def _if(p: Program, step: steps.If) -> None:
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
    if step.cards or step.chars or step.by or step.n or not 2 <= len(step.of) <= 6:
        raise Refusal("this choice")
    choose = p.code.step(Op.CHOOSE, len(step.of))
    jumps = []
    for index, option in enumerate(step.of):
        p.code.patch(choose, 2 + index)
        p.run(option)
        jumps.append(p.code.step(Op.JUMP, 0))
    for jump in jumps:
        p.code.patch(jump, 1)


def _for_each(p: Program, step: steps.ForEach) -> None:
    if not isinstance(step.in_, Characters):
        raise Refusal("a loop over objects")
    p.each(step.in_, lambda who: p.run(step.do))


def _repeat(p: Program, step: steps.Repeat) -> None:
    p._repeat(p.amount(step.n), lambda: p.run(step.do))


def _check(p: Program, step: steps.Check) -> None:
    def body(who: Value) -> None:
        know = -1 if step.know is None else int(step.know)
        check = p.emit(Op.CHECK, who, int(step.attr), know, p.amount(step.dc), 0)
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
    contest = p.emit(Op.CONTEST, a, int(step.a.attr), b, int(step.b.attr), 0)
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
    if step.keep != "new":
        raise Refusal("rerolls that keep the better result")
    p.emit(Op.REROLL, 0)


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
    until, _ = compile_until(step.until)
    marker = p.scene.names.marker(step.marker)
    p.each(step.to, lambda who: p.emit(Op.MARKER_ADD, who, marker, int(until)) and None)


def _remove_marker(p: Program, step: steps_play.RemoveMarker) -> None:
    if step.n is not None or step.marker == "chosen":
        raise Refusal("removing some markers")
    marker = -1 if step.marker == "all" else p.scene.names.marker(step.marker)
    p.each(step.from_, lambda who: p.emit(Op.MARKER_REMOVE, who, marker) and None)


def _counter_cards(p: Program, holder: Cards | Characters, body: Callable[[Value], object]) -> None:
    if isinstance(holder, Cards):
        p.cards(holder, body)
        return
    if holder.chars == "this_char":
        body([(X.THIS, 0)])
        return
    p.each(holder, lambda who: body([*who, (X.BODY, 0)]))


def _add_counter(p: Program, step: steps_table.AddCounter) -> None:
    name = p.scene.names.counter(step.counter)
    _counter_cards(p, step.to, lambda card: p.emit(Op.COUNTER_ADD, card, name, p.amount(step.n)) and None)


def _remove_counter(p: Program, step: steps.RemoveCounter) -> None:
    if step.counter in ("all", "chosen") or isinstance(step.n, list):
        raise Refusal("removing some counters")
    name = p.scene.names.counter(step.counter)
    many = None if step.n.tree == "all" else p.amount(step.n)
    _counter_cards(p, step.from_, lambda card: p.emit(Op.COUNTER_REMOVE, card, name, many) and None)
    if step.bind is not None:
        assert p.scene.bound is not None
        p.scene.bound[step.bind] = [(X.LAST_COUNT, 0)]
    if step.if_none:
        test = p.emit(Op.JUMP_IF_NOT, same([(X.LAST_COUNT, 0)], number(0)), 0)
        p.run(step.if_none)
        p.code.patch(test, 2)


def _move_card(p: Program, step: steps_table.MoveCard) -> None:
    if step.to not in PLACES or step.owner is not None:
        raise Refusal(f"moving cards to {step.to}")
    by = None if step.by is None else one_character(step.by, p.scene)
    place = PLACES[step.to]

    def body(card: Value) -> None:
        if step.reveal:
            p.emit(Op.REVEAL, card)
        p.emit(Op.MOVE, card, place)

    p.cards(step.cards, body, by=by)
    if step.bind is not None:
        assert p.scene.bound is not None
        p.scene.bound[step.bind] = [(X.BOUND, 0)]


def _draw(p: Program, step: steps_table.Draw) -> None:
    if step.deck != "deck":
        raise Refusal(f"drawing from {step.deck}")
    p.each(step.who, lambda who: p.emit(Op.DRAW, who, p.amount(step.n)) and None)


SUITS_OF = {"market": "Item", "academy": "Skill", "bestiary": "Companion", "sanctuary": "Event"}


def _search(p: Program, step: steps_table.Search) -> None:
    who = one_character(step.who, p.scene)
    if who is None or step.to not in PLACES or isinstance(step.n, list):
        raise Refusal("this search")
    wanted = step.filter or Cards()
    zone = "discard" if step.from_ == "discard" else "deck"
    if step.from_ not in ("deck", "discard", *SUITS_OF):
        raise Refusal(f"searching {step.from_}")
    update: dict[str, Any] = {"zone": [zone], "of": step.who.chars, "n": step.n}
    if step.from_ in SUITS_OF and not wanted.suit:
        from apotheosis.env.vocabulary import Suit

        update["suit"] = [Suit[SUITS_OF[step.from_]]]
    p.cards(wanted.model_copy(update=update), lambda card: p.emit(Op.MOVE, card, PLACES[step.to]) and None)
    if zone == "deck" and step.shuffle:
        p.emit(Op.SHUFFLE, who)


def _card_step(op: Op) -> Callable[[Program, Any], None]:
    def run(p: Program, step: Any) -> None:
        p.cards(step.cards, lambda card: p.emit(op, card) and None)

    return run


def _reveal(p: Program, step: steps_table.Reveal) -> None:
    if step.cards is None:
        raise Refusal("revealing from a deck")
    p.cards(step.cards, lambda card: p.emit(Op.REVEAL, card) and None)


def _move_piece(p: Program, step: steps_table.MovePiece) -> None:
    who = one_character(step.who, p.scene)
    if who is None:
        raise Refusal("moving several pieces")
    many = step.n[1] if isinstance(step.n, list) else step.n
    if step.mode == "push" and step.dir in (None, "action_direction", "away", "towards") and many is not None:
        p.emit(Op.PUSH, who, p.amount(many), 1 if step.dir == "towards" else 0)
    elif step.mode == "walk" and step.to is None and many is not None:
        p.emit(Op.WALK, who, p.amount(many), 1 if step.unit == "tiles" else 0)
    elif step.mode == "place" and step.to is not None and step.to.tile == "target":
        p.emit(Op.PUT, who, [(X.TARGET, 0)])
    else:
        raise Refusal(f"this movement ({step.mode})")


def _swap_pieces(p: Program, step: steps_table.SwapPieces) -> None:
    a, b = one_character(step.a, p.scene), one_character(step.b, p.scene)
    if a is None or b is None:
        raise Refusal("swapping several pieces")
    p.emit(Op.SWAP, a, b)


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


_HANDLERS: dict[type, Callable[[Program, Any], None]] = {
    steps_play.Heal: _heal,
    steps_play.LoseHp: _simple(Op.LOSE_HP, "who", "n"),
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
    steps_table.AddCounter: _add_counter,
    steps.RemoveCounter: _remove_counter,
    steps_table.MoveCard: _move_card,
    steps_table.Draw: _draw,
    steps_table.Search: _search,
    steps_table.Exhaust: _card_step(Op.EXHAUST),
    steps_table.Recover: _card_step(Op.RECOVER),
    steps_table.Reveal: _reveal,
    steps_table.MovePiece: _move_piece,
    steps_table.SwapPieces: _swap_pieces,
    steps_play.Awaken: _who_step(Op.AWAKEN),
    steps_play.SleepEntity: _who_step(Op.SLEEP),
    steps_play.SkipTurn: _who_step(Op.SKIP_TURN),
    steps_play.EndTurn: _who_step(Op.END_TURN),
    steps_play.Revive: _simple(Op.REVIVE, "who", "hp"),
    steps_play.Save: _simple(Op.SAVE, "who", "hp"),
    steps_play.Let: _let,
}
