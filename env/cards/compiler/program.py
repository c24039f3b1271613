"""The program of an effect under construction: placing instructions, loops, picks (DSL section 6)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from apotheosis.env.cards.compiler.amounts import compile_amount
from apotheosis.env.cards.compiler.code import CARD_BOUND, CHAR_BOUND, Code, Refusal, Scene, Value, both, number
from apotheosis.env.cards.compiler.modifiers import Entry
from apotheosis.env.cards.compiler.subjects import filter_cards, filter_characters, is_all, one_card, one_character
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.modifiers import Duration
from apotheosis.env.cards.language.selection import Cards, Characters
from apotheosis.env.rules.codes import BOTTOM, OWN_AREA, Zone
from apotheosis.env.rules.opcodes import Op, X

PLACES = {
    "inventory": int(Zone.HAND),
    "discard": int(Zone.DISCARD),
    "deck": int(Zone.DECK),
    "deck_top": int(Zone.DECK),
    "deck_bottom": BOTTOM + int(Zone.DECK),
    "banished": int(Zone.BANISHED),
    "limbo": int(Zone.LIMBO),
    "scenario": int(Zone.SCENARIO),
    "table": OWN_AREA,
}
AREAS = {
    "equipment": Zone.EQUIPMENT,
    "memento": Zone.MEMENTO,
    "support": Zone.SUPPORT,
    "entity_slot": Zone.EXTRA,
}
"""Areas of the table that cards are placed in; a Skill that acts as an Entity (text META) stands in the Extra Zone."""
CARD_LOOP = 10  # loops over cards and repetitions use one register, loops over characters another: one of each at once
EVERYTHING = 9999
OF_PROGRAM = (
    X.BOUND, X.AMOUNT_X, X.MARGIN, X.DICE, X.ROLL_TOTAL, X.ROLL_MAIN, X.LAST_DAMAGE, X.LAST_INJURY, X.LAST_HP, X.LAST_COUNT,
)  # fmt: skip
"""Items that mean something only while a program runs."""
PASSING = (
    *OF_PROGRAM,
    X.TARGET, X.EVENT_WHO, X.EVENT_OTHER, X.EVENT_CARD, X.EVENT_AMOUNT, X.EVENT_DAMAGE, X.EVENT_INJURY, X.EVENT_FROM,
)  # fmt: skip
"""Items that mean something only while an effect or its event is there: no lasting modifier can go on reading them."""
HANDLERS: "dict[type, Callable[[Program, Any], None]]" = {}
"""The instruction set of compiled effects, filled by the modules `steps`, `steps_cards` and `steps_rare`."""


class Program:
    """The program of one effect under construction.

    Args:
        code: where words go.
        scene: what words mean.
        place: puts a standing entry into the pool and returns its number.
        own_attack: whether the effect belongs to an activation bar, so that "this attack" is the one it makes.
        hears: bits of the events that the effect answers.
    """

    def __init__(self, code: Code, scene: Scene, place: Callable[[Entry], int], own_attack: bool, hears: int = 0):
        self.code = code
        self.scene = replace(scene, bound=dict(scene.bound or {}))
        self.place = place
        self.own_attack = own_attack
        self.hears = hears
        self.ends: Duration | None = None
        self.keeps: Value | None = None
        self.bound = False
        self.of_target = False
        self.later: Callable[[Any, Scene], int] | None = None
        self.shape: list[Entry] = []
        self.blast: Value | None = None
        self.condition: Value | None = None
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
            handler = HANDLERS.get(type(step))
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

    def standing(self, entry: Entry, of_target: bool = False) -> int:
        """Puts the entry of a temporary modifier into the pool, its values jumped over, and returns its number.

        Args:
            entry: the entry.
            of_target: whether the modifier is put on the target, of whom alone a While requirement can go on speaking.
        """
        keeps = both(self.keeps, entry.keeps)
        if keeps is not None and of_target:
            keeps = [(X.IT, 0) if op == X.TARGET else (op, operand) for op, operand in keeps]
        if keeps is not None and any(op in PASSING for op, _ in keeps):
            keeps = None
        jump = self.code.step(Op.JUMP, 0)
        placed = self.place(replace(entry, keeps=keeps, bound=self.bound))
        self.code.patch(jump, 1)
        return placed

    def amount(self, amount: Amount, whole: bool = False) -> Value:
        """Returns the value of an amount; `whole` admits `all`, as much as there is."""
        if whole and amount.tree == "all":
            return number(EVERYTHING)
        value = compile_amount(amount, self.scene)
        if any(op == X.DICE for op, _ in value):
            self.emit(Op.ROLLING)
        return value

    def bind(self, name: str | None, value: Value) -> None:
        """Lets a name stand for a value from here on; what stood for the picked card or character before it is lost."""
        assert self.scene.bound is not None
        self.forget()
        if name is not None:
            self.scene.bound[name] = value

    def forget(self) -> None:
        """Drops the names that stand for what was picked, since the next pick takes its place."""
        assert self.scene.bound is not None
        for known in [known for known, value in self.scene.bound.items() if value in (CARD_BOUND, CHAR_BOUND)]:
            del self.scene.bound[known]

    def place_of(self, word: str) -> Callable[[Value], tuple[Any, ...]]:
        """Returns what moves a card to a place.

        Raises:
            Refusal: the kernel moves no card there.
        """
        if word == "attachments":
            return lambda card: (Op.ATTACH, card, [(X.THIS, 0)])
        if word in AREAS:
            return lambda card: (Op.PLACE, card, int(AREAS[word]))
        if word in PLACES:
            return lambda card: (Op.MOVE, card, PLACES[word])
        raise Refusal(f"moving cards to {word}")

    def each(self, who: Characters, body: Callable[[Value], object]) -> None:
        """Runs a body for the one character a selector names, or for each of its set."""
        if who.n is not None and not is_all(who):
            if who.n != Amount(1):
                raise Refusal("a choice of several characters inside an effect")
            self.pick_char(who.model_copy(update={"n": None}))
            body(CHAR_BOUND)
            return
        single = one_character(who, self.scene)
        if single is not None:
            body(single)
            return
        self.loop_over(filter_characters(who, self.scene), body)

    def loop_over(self, test: Value, body: Callable[[Value], object]) -> None:
        """Runs a body for each character that a filter fits."""
        if self.loops % 10 != 0:
            raise Refusal("a loop inside a loop")
        self.loops += 1
        loop = self.emit(Op.FOR_CHARS, test, 0)
        body([(X.IT, 0)])
        self.code.step(Op.NEXT, loop)
        self.code.patch(loop, 2)
        self.loops -= 1

    def pick_char(self, who: Characters, by: Value | None = None) -> None:
        """Asks for one character of a set."""
        self.pick_of(filter_characters(who, self.scene), by)

    def pick_of(self, test: Value, by: Value | None = None) -> None:
        """Asks for one character that a filter fits."""
        self.forget()
        self.emit(Op.PICK_CHAR, test, by, 0)

    def cards(self, cards: Cards, body: Callable[[Value], object], optional: bool = False, by: Value | None = None) -> None:
        """Runs a body for the card a selector names, for each chosen one, or for all its filter fits."""
        single = one_card(cards, self.scene)
        if single is not None and is_all(cards):
            body(single)
            return
        test = filter_cards(cards, self.scene)
        if is_all(cards):
            if self.loops >= CARD_LOOP:
                raise Refusal("a loop inside a loop")
            self.loops += CARD_LOOP
            self.forget()
            loop = self.emit(Op.FOR_CARDS, test, 0)
            body([(X.BOUND, 0)])
            self.code.step(Op.NEXT, loop)
            self.code.patch(loop, 2)
            self.loops -= CARD_LOOP
            return
        least, most = (cards.n, cards.n) if isinstance(cards.n, Amount) else (cards.n[0], cards.n[1])  # type: ignore[index]
        many = most.number
        if many is None or least.number is None:
            self.repeat(self.amount(most), lambda: self.pick(test, body, optional, by))
            return
        for index in range(many):
            self.pick(test, body, optional or index >= least.number, by, least.number - index)

    def repeat(self, count: Value, body: Callable[[], object]) -> None:
        if self.loops >= CARD_LOOP:
            raise Refusal("a repetition inside a loop over cards")
        self.loops += CARD_LOOP
        loop = self.emit(Op.REPEAT, count, 0)
        body()
        self.loops -= CARD_LOOP
        self.code.step(Op.NEXT, loop)
        self.code.patch(loop, 2)

    def pick(self, test: Value, body: Callable[[Value], object], optional: bool, by: Value | None, due: int = 1) -> None:
        """Asks for one card; `due`: how many picks of this kind must follow, this one included."""
        self.forget()
        later = any(op in (X.BOUND, X.LAST_COUNT) for op, _ in test)
        self.of_target = self.of_target or (not optional and any(op == X.TARGET for op, _ in test))
        pick = self.emit(Op.PICK, test, by, 1 if optional else 0, -1, int(later), due)
        if optional:
            body([(X.BOUND, 0)])
            self.code.patch(pick, 4)
            return
        body([(X.BOUND, 0)])
