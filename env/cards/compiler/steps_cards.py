"""Compiles the instructions about cards, counters and pieces on the board (DSL section 6)."""

from collections.abc import Callable
from typing import Any

from apotheosis.env.cards.compiler.code import CARD_BOUND, CHAR_BOUND, COUNT_BOUND, Refusal, Scene, Value, number, rare, same
from apotheosis.env.cards.compiler.program import AREAS, PLACES, Program
from apotheosis.env.cards.compiler.subjects import filter_cards, filter_tiles, made_by_this, one_character
from apotheosis.env.cards.language import instructions as steps
from apotheosis.env.cards.language import steps_table
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.selection import Cards, Characters, Objects
from apotheosis.env.rules.codes import Zone
from apotheosis.env.rules.opcodes import Op, Rare, X

GIVEN = {
    "inventory": int(Zone.HAND),
    "attachments": int(Zone.ATTACHED),
    **{area: int(AREAS[area]) for area in ("equipment", "memento", "support")},
}
"""Places where a card may become one of another Hero."""


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
    if step.counter == "chosen":
        _remove_any_counters(p, step)
        return
    if step.counter == "all" or isinstance(step.n, list):
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


def _remove_any_counters(p: Program, step: steps.RemoveCounter) -> None:
    """Removes counters one by one, each from a card and of a kind that is chosen."""
    if not isinstance(step.from_, Cards) or step.bind is not None or step.if_none:
        raise Refusal("removing some counters")
    least, most = (step.n, step.n) if isinstance(step.n, Amount) else (step.n[0], step.n[1])
    test = [*filter_cards(step.from_, p.scene), (X.IT_CARD, 0), rare(Rare.ANY_COUNTER), (X.AND, 0)]
    optional = least.number == 0
    body: Callable[[Value], object] = lambda card: p.emit(Op.COUNTER_CHOOSE, card)  # noqa: E731
    p.repeat(p.amount(most), lambda: p.pick(test, body, optional, None))


def _move_card(p: Program, step: steps_table.MoveCard) -> None:
    if step.cards.zone == ["deck_top"]:
        _move_top(p, step)
        return
    if step.owner is not None and step.to in GIVEN and not _stays_with_owner(step, p.scene):
        _give(p, step)
        return
    if step.bind is not None and isinstance(step.cards.n, list):
        _move_counted(p, step)
        return
    if step.owner is not None and not _stays_with_owner(step, p.scene):
        raise Refusal(f"moving cards to the {step.to} of somebody else")
    if step.to in AREAS or step.to == "attachments":
        _place(p, step)
        return
    if step.to not in PLACES:
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


def _move_top(p: Program, step: steps_table.MoveCard) -> None:
    """Moves the top cards of a deck; an empty one is refilled before a card is discarded or taken from it (R24.2, R24.3)."""
    cards = step.cards
    who = one_character(Characters(chars=cards.of or "self"), p.scene)
    many = cards.n.number if isinstance(cards.n, Amount) else None
    if who is None or many is None or step.to not in PLACES or step.owner is not None or step.by is not None:
        raise Refusal("moving the top cards of several decks, or a number of them that is not fixed")
    hero: Value = [*who, (X.OWNER_OF, 0)]
    test = filter_cards(cards.model_copy(update={"zone": None, "of": None, "n": None, "bind": None}), p.scene)
    for _ in range(many):
        if step.to in ("discard", "inventory"):
            p.emit(Op.REFILL, hero)
        p.forget()
        found = p.emit(Op.FIND_TOP, test, hero, 0)
        if step.reveal:
            p.emit(Op.REVEAL, [(X.BOUND, 0)])
        p.emit(Op.MOVE, [(X.BOUND, 0)], PLACES[step.to])
        p.code.patch(found, 3)
    if step.bind is not None:
        p.bind(step.bind, CARD_BOUND)


def _draw(p: Program, step: steps_table.Draw) -> None:
    if step.deck not in ("deck", "own_chosen"):
        raise Refusal(f"drawing from {step.deck}")
    p.each(step.who, lambda who: p.emit(Op.DRAW, who, p.amount(step.n)) and None)


def _give(p: Program, step: steps_table.MoveCard) -> None:
    """Makes cards those of another Hero, in his hand, on his table, or attached to this card (R3.7.9, R18.4)."""
    owner = step.owner
    assert owner is not None
    to = one_character(owner, p.scene)
    chosen = owner.n == Amount(1)
    if to is None and not chosen:
        raise Refusal("giving cards to several characters")

    def body(card: Value) -> None:
        if to is None:
            # each card to one that is chosen for it
            p.emit(Op.KEEP, card)
            p.pick_char(owner.model_copy(update={"n": None}))
            p.emit(Op.GIVE, [(X.LAST_COUNT, 0)], [*CHAR_BOUND, (X.OWNER_OF, 0)], GIVEN[step.to])
        else:
            p.emit(Op.GIVE, card, [*to, (X.OWNER_OF, 0)], GIVEN[step.to])

    p.cards(step.cards, body, by=None if step.by is None else one_character(step.by, p.scene))
    if step.bind is not None:
        p.bind(step.bind, CARD_BOUND)


def _move_counted(p: Program, step: steps_table.MoveCard) -> None:
    """Moves some cards and counts them."""
    place = p.place_of(step.to)
    p.emit(Op.KEEP, number(0))

    def body(card: Value) -> None:
        p.emit(*place(card))
        p.emit(Op.KEEP, [(X.LAST_COUNT, 0), (X.PUSH, 1), (X.ADD, 0)])

    p.cards(step.cards, body, by=None if step.by is None else one_character(step.by, p.scene))
    p.bind(step.bind, COUNT_BOUND)


def _stays_with_owner(step: Any, scene: Scene) -> bool:
    """Tells whether cards move to a place of the Hero that owns them anyway."""
    to = one_character(step.owner, scene)
    of = step.cards.of if step.cards.card is None else None
    if step.owner.chars == "this_char":
        return of in ("self", "host_hero") or step.cards.card == "this"
    return of is not None and to is not None and to == one_character(Characters(chars=of), scene)


def _place(p: Program, step: steps_table.MoveCard) -> None:
    by = None if step.by is None else one_character(step.by, p.scene)

    def body(card: Value) -> None:
        if step.to == "attachments":
            p.emit(Op.ATTACH, card, [(X.THIS, 0)])
        else:
            p.emit(Op.PLACE, card, int(AREAS[step.to]))

    p.cards(step.cards, body, by=by)
    if step.bind is not None:
        p.bind(step.bind, CARD_BOUND)


SUITS_OF = {"market": "Item", "academy": "Skill", "bestiary": "Companion", "sanctuary": "Event"}


def _search(p: Program, step: steps_table.Search) -> None:
    who = one_character(step.who, p.scene)
    if who is None or step.to not in (*PLACES, *AREAS, "attachments") or isinstance(step.n, list):
        raise Refusal("this search")
    wanted = step.filter or Cards()
    zone = "discard" if step.from_ == "discard" else "deck"
    if step.from_ not in ("deck", "discard", "own_chosen", *SUITS_OF):
        raise Refusal(f"searching {step.from_}")
    update: dict[str, Any] = {"zone": [zone], "of": step.who.chars, "n": step.n}
    if step.from_ in SUITS_OF and not wanted.suit:
        from apotheosis.env.vocabulary import Suit

        update["suit"] = [Suit[SUITS_OF[step.from_]]]

    def body(card: Value) -> None:
        if step.to == "attachments":
            p.emit(Op.ATTACH, card, [(X.THIS, 0)])
        elif step.to in AREAS:
            p.emit(Op.PLACE, card, int(AREAS[step.to]))
        else:
            p.emit(Op.MOVE, card, PLACES[step.to])

    p.cards(wanted.model_copy(update=update), body)
    p.bind(step.bind, CARD_BOUND)
    if zone == "deck" and step.shuffle:
        p.emit(Op.SHUFFLE, who)


def _card_step(op: Op) -> Callable[[Program, Any], None]:
    down = op == Op.RECOVER

    def run(p: Program, step: Any) -> None:
        cards = step.cards
        if cards.card is None and cards.exhausted is None:
            # only a ready card can be exhausted, only an exhausted one recovered (R5.1, R5.2)
            cards = cards.model_copy(update={"exhausted": down})
        p.cards(cards, lambda card: p.emit(op, card) and None)

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
    if step.dir == "chosen" and many is not None and step.mode == "push":
        least = step.n[0] if isinstance(step.n, list) else step.n
        must = 0 if isinstance(step.n, list) and least is not None and least.number == 0 else 1
        p.emit(Op.WALK, who, p.amount(many), 1, p.scene.you, must, 1)
    elif step.mode == "push" and step.dir in (None, "action_direction", "away", "towards") and many is not None:
        p.emit(Op.PUSH, who, p.amount(many), 1 if step.dir == "towards" else 0)
    elif step.mode == "walk" and step.to is None and many is not None:
        p.emit(Op.WALK, who, p.amount(many), 1 if step.unit == "tiles" else 0)
    elif step.mode == "place" and step.to is not None and step.to.tile == "target":
        p.emit(Op.PUT, who, [(X.TARGET, 0)])
    elif step.mode == "place" and step.to is not None:
        p.emit(Op.PUT_CHOSEN, who, filter_tiles(step.to, p.scene), p.scene.you)
    else:
        raise Refusal(f"this movement ({step.mode})")


def _swap_pieces(p: Program, step: steps_table.SwapPieces) -> None:
    a = one_character(step.a, p.scene)
    if isinstance(step.b, Objects):
        p.pick_of(made_by_this(step.b))
        b: Value | None = CHAR_BOUND
    else:
        b = one_character(step.b, p.scene)
    if a is None or b is None:
        raise Refusal("swapping several pieces")
    p.emit(Op.SWAP, a, b)


CARD_HANDLERS: dict[type, Callable[[Program, Any], None]] = {
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
}
