"""Compiles the instructions that few effects use: currencies, exchanges, created pieces, tiles, turns (DSL section 6)."""

from collections.abc import Callable
from typing import Any

from apotheosis.env.cards.compiler.code import CARD_BOUND, CHAR_BOUND, Refusal, Value, both, number, rare, same
from apotheosis.env.cards.compiler.modifiers import Entry, compile_until
from apotheosis.env.cards.compiler.program import Program
from apotheosis.env.cards.compiler.quantities import CURRENCY_SUIT
from apotheosis.env.cards.compiler.steps_cards import GIVEN, SUITS_OF
from apotheosis.env.cards.compiler.subjects import filter_cards, filter_tiles, is_all, made_by_this, one_card, one_character
from apotheosis.env.cards.language import instructions, steps_play, steps_table
from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.names import TERRAINS
from apotheosis.env.cards.language.selection import Cards, Objects, Tiles, whole
from apotheosis.env.rules.codes import Zone
from apotheosis.env.rules.opcodes import Ev, Mode, Op, Q, Rare, Rule, Until, X
from apotheosis.env.vocabulary import Attribute, Suit

KEPT: Value = [(X.LAST_COUNT, 0)]
DECKS = ("market", "academy", "bestiary", "sanctuary", "deck", "own_chosen")
"""In a battle all of them are the personal deck (R24.4)."""
OUTCOMES = {"draw": 2}
SIMPLE_FAILURE = 3
FACES = range(1, 7)


def gain_currency(p: Program, step: steps_play.GainCurrency) -> None:
    """Cards of a suit worth at most what is left, from the discard pile, else the first of the deck (R2.1.9)."""
    if step.from_ not in (None, "discard", *DECKS):
        raise Refusal(f"obtaining cards from {step.from_}")
    suit = CURRENCY_SUIT[step.cur]

    def body(who: Value) -> None:
        p.emit(Op.KEEP, p.amount(step.n))
        p.forget()
        test: Value = [(X.IT_CARD, 0), (X.C_SUIT, 0), (X.PUSH, int(suit)), (X.EQ, 0)]
        worth: Value = [(X.IT_CARD, 0), (X.C_VALUE, 0), *KEPT, (X.LE, 0)]
        some: Value = [(X.IT_CARD, 0), (X.C_VALUE, 0), (X.PUSH, 0), (X.GT, 0)]
        fits = both(both(test, worth), some)
        owned: Value = [(X.IT_CARD, 0), (X.C_OWNER, 0), *who, (X.OWNER_OF, 0), (X.EQ, 0)]
        ends: list[int] = []
        if step.from_ in (None, "discard"):
            pile: Value = [(X.IT_CARD, 0), (X.C_ZONE, 0), (X.PUSH, int(Zone.DISCARD)), (X.EQ, 0)]
            ends.append(_take(p, lambda: p.emit(Op.PICK, both(both(pile, owned), fits), who, 0, 0), 4))
        if step.from_ != "discard":
            ends.append(_take(p, lambda: p.emit(Op.FIND_TOP, fits, [*who, (X.OWNER_OF, 0)], 0), 3))
        assert ends

    single = one_character(step.to, p.scene)
    if single is None:
        raise Refusal("currency for several characters")
    body(single)


def _take(p: Program, find: Callable[[], int], operand: int) -> int:
    """Places a loop that finds a card, takes its worth from what is left and gives it to the hand, until none is found."""
    start = len(p.code.words)
    found = find()
    p.emit(Op.KEEP, [*KEPT, *CARD_BOUND, (X.C_VALUE, 0), (X.SUB, 0)])
    p.emit(Op.MOVE, CARD_BOUND, int(Zone.HAND))
    p.code.step(Op.JUMP, start)
    p.code.patch(found, operand)
    return found


def swap_card(p: Program, step: steps_table.SwapCard) -> None:
    """One card takes the place of another of its suit (R5.11)."""
    if step.revert_at is not None:
        raise Refusal("an exchange of cards that is undone")
    for side in (step.a, step.b):
        if "entity_slot" in (side.zone or ()) or "attachments" in (side.zone or ()):
            raise Refusal("an exchange of Entities or attachments")
    if "deck" in (step.b.zone or ()):
        shuffle = True
    else:
        shuffle = False
    a = one_card(step.a, p.scene)
    if a == CARD_BOUND:
        # the next pick takes the place of the bound card, so it is kept by its number
        p.emit(Op.KEEP, a)
        assert p.scene.bound is not None and step.a.card is not None
        p.scene.bound[step.a.card] = a = KEPT
    b = step.b if step.b.n is not None and not is_all(step.b) else step.b.model_copy(update={"n": Amount(1)})
    if a is not None:
        p.cards(b, lambda card: p.emit(Op.SWAP_CARD, a, card))
    else:
        wanted = step.a if step.a.n is not None and not is_all(step.a) else step.a.model_copy(update={"n": Amount(1)})
        # two picks: the first card is kept by its number while the second is chosen
        p.cards(wanted, lambda card: p.emit(Op.KEEP, card))
        p.cards(b, lambda card: p.emit(Op.SWAP_CARD, KEPT, card))
    if shuffle:
        p.emit(Op.SHUFFLE, p.scene.you)


def set_result(p: Program, step: steps_play.SetResult) -> None:
    """Decides or doubles the running check."""
    if step.floor is not None:
        raise Refusal("a floor of a check that is made")
    if step.simple_failure:
        p.emit(Op.SET_RESULT, SIMPLE_FAILURE)
        return
    p.emit(Op.SET_RESULT, 2 if step.double else int(bool(step.success)))


def look(p: Program, step: steps_table.Look) -> None:
    """Binds the top card of the own deck (R24.7)."""
    if step.bind is None or step.n != Amount(1) or step.from_.deck not in DECKS:
        raise Refusal("looking at cards without doing anything with them")
    p.forget()
    suit = _deck_suit(step.from_.deck)
    test = number(1) if suit is None else [(X.IT_CARD, 0), (X.C_SUIT, 0), (X.PUSH, suit), (X.EQ, 0)]
    who = one_character(step.from_.of, p.scene)
    if who is None:
        raise Refusal("the decks of several characters")
    p.emit(Op.FIND_TOP, test, [*who, (X.OWNER_OF, 0)], -1)
    p.bind(step.bind, CARD_BOUND)


def _deck_suit(deck: str) -> int | None:
    return int(Suit[SUITS_OF[deck]]) if deck in SUITS_OF else None


def shuffle(p: Program, step: steps_table.Shuffle) -> None:
    """Shuffles the personal deck."""
    if step.deck not in DECKS:
        raise Refusal(f"shuffling {step.deck}")
    p.emit(Op.SHUFFLE, p.scene.you)


def detach(p: Program, step: steps_table.Detach) -> None:
    """Takes attachments of this card to a place (R18.4)."""
    if not isinstance(step.from_, Cards) or step.from_.card != "this":
        raise Refusal("detaching from other cards")
    wanted = (step.filter or Cards()).model_copy(update={"zone": ["attachments"], "of": "host_hero", "n": None})
    under: Value = [(X.IT_CARD, 0), (X.C_HOST, 0), (X.THIS, 0), (X.EQ, 0)]
    test = both(filter_cards(wanted, p.scene), under)
    assert test is not None
    place = p.place_of(step.to)
    to = None if step.owner is None else one_character(step.owner, p.scene)
    if step.owner is not None and (to is None or step.to not in GIVEN):
        raise Refusal("giving attachments to several characters")

    def body(card: Value) -> None:
        if to is None:
            p.emit(*place(card))
        else:
            p.emit(Op.GIVE, card, [*to, (X.OWNER_OF, 0)], GIVEN[step.to])

    p.repeat(p.amount(step.n), lambda: p.pick(test, body, False, None))


def move_counter(p: Program, step: steps_table.MoveCounter) -> None:
    """Moves counters between two chosen cards (R18.3)."""
    if not isinstance(step.from_, Cards) or not isinstance(step.to, Cards):
        raise Refusal("moving counters of characters")
    name = p.scene.names.counter(step.counter)
    some: Value = [(X.IT_CARD, 0), (X.C_COUNTERS, name), (X.PUSH, 0), (X.GT, 0)]
    source = both(filter_cards(step.from_, p.scene), some)
    assert source is not None
    p.pick(source, lambda card: p.emit(Op.KEEP, card), True, None)
    target = [*filter_cards(step.to, p.scene), (X.IT_CARD, 0), *KEPT, (X.NE, 0), (X.AND, 0)]
    p.pick(target, lambda card: p.emit(Op.MOVE_COUNTER, KEPT, card, name, p.amount(step.n)), True, None)


def remove_mods(p: Program, step: steps_play.RemoveMods) -> None:
    """Ends the temporary modifiers on characters."""
    if step.kind not in ("temporary", "all"):
        raise Refusal(f"ending {step.kind} modifiers")
    p.each(step.from_, lambda who: p.emit(Op.REMOVE_MODS, who) and None)


def extra_turn(p: Program, step: steps_play.ExtraTurn) -> None:
    """Lets a character act next."""
    who = one_character(step.who, p.scene)
    if who is None or (step.after is not None and step.after.chars not in ("self", "host_hero")):
        raise Refusal("a further turn at another time")
    p.emit(Op.EXTRA_TURN, who)


def remove_piece(p: Program, step: steps_table.RemovePiece) -> None:
    """Takes pieces off the board."""
    if isinstance(step.who, Objects):
        made_by_this(step.who)
    if isinstance(step.who, Objects) or step.who.chars == "summoned":
        p.emit(Op.REMOVE_SPAWNED)
        return
    p.each(step.who, lambda who: p.emit(Op.REMOVE_PIECE, who) and None)


def summon_piece(p: Program, step: steps_table.SummonPiece) -> None:
    """Creates a piece on the selected tile (R19.16)."""
    if step.at.tile != "target":
        raise Refusal("creating a piece on a tile that is not selected")
    if step.sheet.hp is not None and step.sheet.hp.number is None:
        raise Refusal("a created piece whose HP are computed")
    p.emit(Op.SUMMON_PIECE, p.scene.names.sheet(step.sheet), [(X.TARGET, 0)])


def _tile(p: Program, tiles: Tiles) -> Value:
    if tiles.tile == "target":
        return [(X.TARGET, 0)]
    if tiles.tile in ("any", "own") and tiles.within is None and tiles.n is None:
        who = p.scene.here if tiles.of is None else one_character(tiles.of, p.scene)
        if who is not None:
            return [*who, rare(Rare.TILE_OF)]
    if tiles.n == Amount(1) and tiles.empty is None:
        p.forget()
        p.emit(Op.PICK_TILE, filter_tiles(tiles, p.scene), None)
        return CARD_BOUND
    raise Refusal(f"changing the tiles '{tiles.tile}'")


def tile_mod(p: Program, step: steps_table.TileMod) -> None:
    """Changes the altitude of a tile."""
    if step.add is None:
        raise Refusal("an altitude that is set")
    until, rounds = compile_until(step.until, p.scene.names)
    p.emit(Op.TILE_ALTITUDE, _tile(p, step.tiles), p.amount(step.add), int(until), rounds)


def tile_rule(p: Program, step: steps_table.TileRule) -> None:
    """Changes the terrain of a tile."""
    until, rounds = compile_until(step.until, p.scene.names)
    p.emit(Op.TILE_TERRAIN, _tile(p, step.tiles), TERRAINS.index(step.rule), int(until), rounds)


def link_tile(p: Program, step: steps_table.LinkTile) -> None:
    """Ties this card to a tile (traps)."""
    if step.card.card != "this":
        raise Refusal("tying other cards to tiles")
    until, rounds = (Until.IN_PLAY, 0) if step.until is None else compile_until(step.until, p.scene.names)
    p.emit(Op.HOLD, _tile(p, step.tile), int(until), rounds)


def attach(p: Program, step: steps_table.Attach) -> None:
    """Attaches cards to a Companion, or to one of a set that is chosen first (R18.4, R18.6)."""
    host = one_character(step.to, p.scene)
    if host is None:
        if one_card(step.card, p.scene) == CARD_BOUND:
            raise Refusal("attaching a bound card to a chosen character")
        p.pick_char(step.to.model_copy(update={"n": None}))
        p.emit(Op.KEEP, CHAR_BOUND)
        host = KEPT
    p.cards(step.card, lambda card: p.emit(Op.ATTACH, card, [*host, (X.BODY, 0)]))


def end_battle(p: Program, step: steps_play.EndBattle) -> None:
    """Ends the battle as a draw."""
    if step.result not in OUTCOMES:
        raise Refusal(f"a battle that ends as a {step.result}")
    p.emit(Op.END_BATTLE, number(OUTCOMES[step.result]))


def delayed(p: Program, step: Any) -> None:
    """Lets a later effect of this card await a character until the end that markers and durations give it."""
    if step.when == "EndOfBattle":
        return  # a match is decided before End of Battle effects (ARENA A7.1, A7.3)
    awaited = step.when.who
    who = None if awaited is None else one_character(awaited, p.scene)
    if awaited is None or who is None or p.later is None or awaited.chars not in ("target", "self", "it"):
        raise Refusal("a later effect that awaits nobody")
    over = p.code.step(Op.JUMP, 0)
    number_ = p.later(step, p.scene)
    p.code.patch(over, 1)
    until, rounds = compile_until(p.ends, p.scene.names)
    p.emit(Op.DELAY, who, number_, int(until), rounds)


def incorporate(p: Program, step: steps_play.Incorporate) -> None:
    """Puts an own Entity of the discard pile into the free slot (R20.1); decks of sheet cards are empty (R24.4)."""
    if step.who.chars != "self" or "discard" not in step.from_:
        raise Refusal("incorporating an Entity from elsewhere")
    place: dict[str, Any] = {"zone": ["discard"], "of": "self", "suit": [Suit.Entity], "n": Amount(1)}
    wanted = (step.filter or Cards()).model_copy(update=place)
    p.cards(wanted, lambda card: p.emit(Op.PLACE, card, int(Zone.SHEET)))


def activate_card(p: Program, step: steps_table.ActivateCard) -> None:
    """Activates an own card inside this effect (R7.1)."""
    single = one_card(step.cards, p.scene)
    if single is None:
        if step.cards.zone is not None or step.cards.of is not None or step.as_own or not is_chosen(step.cards):
            raise Refusal("activating cards of others or of piles")
        wanted = step.cards.model_copy(update={"zone": ["table", "inventory"], "of": "self"})
        p.cards(wanted, lambda card: p.emit(Op.USE_CARD, card, int(step.free)))
        return
    p.emit(Op.USE_CARD, single, int(step.free))


def is_chosen(cards: Cards) -> bool:
    """Tells whether a selector means one chosen card that is told apart by what it is."""
    told = cards.model_dump(exclude_defaults=True)
    return cards.n == Amount(1) and len(told) > 1 and cards.effect_named is None


def copy_stats(p: Program, step: steps_play.CopyStats) -> None:
    """Sets all attributes of a character to those that a card prints."""
    if step.what != "attributes" or not isinstance(step.from_, Cards):
        raise Refusal(f"copying {step.what}")
    card, who = one_card(step.from_, p.scene), one_character(step.to, p.scene)
    if card is None or who is None:
        raise Refusal("copying several cards")
    until, rounds = compile_until(step.until, p.scene.names)
    for attribute in Attribute:
        amount = [*card, rare(Rare.PRINTED_ATTR, int(attribute))]
        p.emit(Op.MOD, p.standing(Entry(Q.ATTR, int(attribute), Mode.SET, amount)), who, int(until), rounds)


def change_control(p: Program, step: steps_play.ChangeControl) -> None:
    """Gives a piece another controller (R19.15)."""
    to = one_character(step.to, p.scene)
    if to is None:
        raise Refusal("control by several characters")
    until, rounds = compile_until(step.until, p.scene.names)
    p.each(step.who, lambda who: p.emit(Op.CONTROL, who, to, int(until), rounds) and None)


def place_object(p: Program, step: steps_table.PlaceObject) -> None:
    """Puts Objects of this card on tiles that are chosen one by one, or on all of them (R15.14)."""
    if step.movable or step.hp is None:
        raise Refusal("objects that can be moved, or without HP")
    if step.at.tile == "target":
        fits = same([(X.IT, 0)], [(X.TARGET, 0)])
    else:
        fits = filter_tiles(step.at.model_copy(update={"empty": None, "n": None}), p.scene)
    every = step.at.n is not None and whole(step.at.n)
    hp = p.amount(step.hp)
    if every:
        p.emit(Op.OBJECT, hp, fits, 1)
        return
    p.repeat(p.amount(step.n), lambda: p.emit(Op.OBJECT, hp, fits, 0) and None)


def set_die(p: Program, step: steps_play.SetDie) -> None:
    """Chooses the face of the main die of a roll that is about to be made: never a worse choice than another die (R10.3)."""
    if step.die not in ("main", "chosen") or not p.hears & (1 << int(Ev.ROLL_BEFORE)):
        raise Refusal("setting these dice")
    if isinstance(step.value, int):
        if step.value not in FACES:
            raise Refusal(f"a face {step.value} of a die")
        p.emit(Op.SET_FACE, step.value)
        return
    p.run([instructions.Choose(op="choose", of=[[step.model_copy(update={"value": face})] for face in FACES])])


def reorder(p: Program, step: steps_table.Reorder) -> None:
    """Puts the first cards of the own deck back in a chosen order: one after the other on top, the last one chosen first."""
    if step.n.number is None or step.deck not in DECKS:
        raise Refusal("putting back in order an amount of cards")
    for above in range(step.n.number - 1):
        among = filter_cards(Cards(zone=["deck"], of="self", top=step.n.number), p.scene)
        test = among if above == 0 else [*among, (X.IT_CARD, 0), rare(Rare.DEPTH), (X.PUSH, above), (X.GE, 0), (X.AND, 0)]
        p.pick(test, lambda card: p.emit(Op.MOVE, card, int(Zone.DECK)), False, None)


def native(p: Program, step: steps_play.Native) -> None:
    """Primitives of the engine that few cards share."""
    if step.name == "chain_damage":
        it: Value = [(X.IT, 0)]
        p.emit(Op.SPLASH, [*it, rare(Rare.CONNECTED), *it, (X.TARGET, 0), (X.NE, 0), (X.AND, 0)])
    elif step.name == "ignore_distance":
        you: Value = [(X.IT, 0), (X.SELF, 0), (X.EQ, 0)]
        entry = Entry(Q.RULE, int(Rule.IN_REACH), Mode.SET, number(1), against=you)
        p.emit(Op.MOD, p.standing(entry), [(X.TARGET, 0)], int(Until.TURN), 0)
    else:
        raise Refusal(f"the primitive {step.name}")


RARE_HANDLERS: dict[type, Callable[[Program, Any], None]] = {
    steps_play.GainCurrency: gain_currency,
    steps_table.SwapCard: swap_card,
    steps_play.SetResult: set_result,
    steps_table.Look: look,
    steps_table.Shuffle: shuffle,
    steps_table.Detach: detach,
    steps_table.MoveCounter: move_counter,
    steps_play.RemoveMods: remove_mods,
    steps_play.ExtraTurn: extra_turn,
    steps_table.RemovePiece: remove_piece,
    steps_table.SummonPiece: summon_piece,
    steps_table.TileMod: tile_mod,
    steps_table.TileRule: tile_rule,
    steps_table.LinkTile: link_tile,
    steps_table.Attach: attach,
    steps_play.EndBattle: end_battle,
    instructions.Delayed: delayed,
    steps_play.Incorporate: incorporate,
    steps_table.ActivateCard: activate_card,
    steps_play.CopyStats: copy_stats,
    steps_play.Native: native,
    steps_play.ChangeControl: change_control,
    steps_table.PlaceObject: place_object,
    steps_play.SetDie: set_die,
    steps_table.Reorder: reorder,
}
