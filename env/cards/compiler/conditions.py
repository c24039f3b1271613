"""Compiles conditions and damage sources to values (DSL sections 3 and 4)."""

from typing import Any

from apotheosis.env.cards.compiler.amounts import compile_amount
from apotheosis.env.cards.compiler.code import Refusal, Scene, Value, both, either, negated, number, rare, same
from apotheosis.env.cards.compiler.subjects import (
    count_op,
    filter_cards,
    filter_characters,
    is_all,
    one_card,
    one_character,
    tag_test,
    zone_test,
)
from apotheosis.env.cards.language.conditions import Condition
from apotheosis.env.cards.language.names import TERRAINS
from apotheosis.env.cards.language.selection import Cards, Characters, Source
from apotheosis.env.rules.codes import Zone
from apotheosis.env.rules.opcodes import Rare, X

COMPARE = {"eq": X.EQ, "ne": X.NE, "lt": X.LT, "le": X.LE, "gt": X.GT, "ge": X.GE}
SLOTS = ("equipment", "memento", "support")
TARGETED, HURT = 64, 128  # bits of what a character has suffered, see `rules.rare`
ATTACK_CARD: Value = [(X.ATTACK_CARD, 0)]


def compile_condition(condition: Condition, scene: Scene) -> Value:
    """Returns the value of a condition.

    Raises:
        Refusal: the kernel cannot tell.
    """
    name, args = condition.name, condition.args
    if name in COMPARE:
        return [*compile_amount(args[0], scene), *compile_amount(args[1], scene), (COMPARE[name], 0)]
    if name == "not":
        return negated(compile_condition(args[0], scene))
    if name == "any_of":
        return either([compile_condition(part, scene) for part in args])
    if name == "all_of":
        out: Value | None = None
        for part in args:
            out = both(out, compile_condition(part, scene))
        return number(1) if out is None else out
    if name in ("has_marker", "entity_awake", "dead", "moved_this_turn", "in_turn_of", "tile_type"):
        return _about_character(name, args, scene)
    if name == "last_standing":
        others: Value = [(X.IT, 0), (X.ALIVE, 0), (X.IT, 0), (X.IS_TEAM, 0), (X.AND, 0)]
        return same([(X.COUNT_CHARS, [*others, *negated(same([(X.IT, 0)], _single(args[0], scene))), (X.AND, 0)])], number(0))
    if name == "control_count":
        return [(X.COUNT_CHARS, filter_characters(args[0], scene)), *compile_amount(args[1], scene), (X.GE, 0)]
    if name == "adjacent_tile_type":
        return [*_single(args[0], scene), rare(Rare.NEAR_TERRAIN, TERRAINS.index(args[1]))]
    if name == "died_within_rounds":
        return [*_single(args[0], scene), rare(Rare.STINTS_DEAD), *compile_amount(args[1], scene), (X.LE, 0)]
    if name == "attacked_this_battle":
        return [*_single(args[0], scene), rare(Rare.FOUGHT)]
    if name == "adjacent":
        return [*_single(args[0], scene), *_single(args[1], scene), (X.ADJACENT, 0)]
    if name == "altitude_diff":
        high: Value = [*_single(args[0], scene), (X.ALTITUDE, 0)]
        low: Value = [*_single(args[1], scene), (X.ALTITUDE, 0)]
        return [*high, *low, (X.SUB, 0), *compile_amount(args[2], scene), (X.GE, 0)]
    if name == "none_on_board_with_marker":
        marked: Value = [(X.IT, 0), (X.HAS_MARKER, scene.names.marker(args[0])), (X.IT, 0), (X.ON_BOARD, 0), (X.AND, 0)]
        return same([(X.COUNT_CHARS, marked)], number(0))
    return _about_cards(name, args, scene)


def _single(who: Characters, scene: Scene) -> Value:
    value = one_character(who, scene)
    if value is None:
        raise Refusal(f"a condition on '{who.chars}' as one character")
    return value


def _about_character(name: str, args: tuple[Any, ...], scene: Scene) -> Value:
    single = one_character(args[0], scene)
    subject: Value = [(X.IT, 0)] if single is None else single
    if name == "has_marker":
        test: Value = [*subject, (X.HAS_MARKER, scene.names.marker(args[1]))]
    elif name == "tile_type":
        test = same([*subject, (X.TERRAIN, 0)], number(TERRAINS.index(args[1])))
    else:
        op = {"entity_awake": X.ENTITY_AWAKE, "dead": X.DEAD, "moved_this_turn": X.MOVED, "in_turn_of": X.IN_TURN}[name]
        test = [*subject, (op, 0)]
    if single is not None:
        return test
    among = [*filter_characters(args[0], scene), *test, (X.AND, 0)]
    return [(X.COUNT_CHARS, among), (X.PUSH, 0), (X.GT, 0)]


def _about_cards(name: str, args: tuple[Any, ...], scene: Scene) -> Value:
    if name == "in_zone":
        card = _one(args[0], scene)
        return zone_test([args[1]], card)
    if name == "exhausted":
        return [*_one(args[0], scene), (X.C_EXHAUSTED, 0)]
    if name == "has_counter":
        return [*_one(args[0], scene), (X.C_COUNTERS, scene.names.counter(args[1])), (X.PUSH, 0), (X.GT, 0)]
    if name == "has_card":
        least = 1 if args[0].n is None else getattr(args[0].n, "number", None)
        if least is None:
            raise Refusal("a condition on a number of cards that is not fixed")
        return [(count_op(args[0]), filter_cards(args[0], scene)), (X.PUSH, least), (X.GE, 0)]
    if name == "free_slot" and args[0] == "entity":
        return [*scene.hero, rare(Rare.SLOT_FREE)]
    if name == "not_yet" and args[0] == "attacked":
        return negated([*scene.you, rare(Rare.DEED, TARGETED.bit_length() - 1)])
    if name == "first_time_this_turn" and args[0] == "hit":
        return negated([*scene.you, rare(Rare.DEED, HURT.bit_length() - 1)])
    if name == "not_yet" and args[0] == "rerolled_this_check":
        return [rare(Rare.NOT_REROLLED)]
    if name == "free_slot" and args[0] in SLOTS:
        return [*scene.hero, (X.FREE_SLOTS, SLOTS.index(args[0])), (X.PUSH, 0), (X.GT, 0)]
    if name == "has_class_paths":
        out: Value | None = None
        for path in args:
            out = both(out, [*scene.hero, (X.HAS_PATH, int(path))])
        return number(1) if out is None else out
    if name == "from":
        return either([_origin(source) for source in args])
    if name == "obstructed":
        return [rare(Rare.OBSTRUCTED)]
    if name == "critical":
        return [(X.ATTACK_CRITICAL, 0)]
    if name == "attack_is":
        return compile_source(args[0], scene)
    if name == "check_is":
        return compile_source(args[0], scene, check=True)
    if name == "caused_injury":
        return [(X.LAST_INJURY, 0), (X.PUSH, 0), (X.GT, 0)]
    if name == "paid_fate":
        return [rare(Rare.PAID_FATE)]
    if name in ("succeeded", "failed"):
        return [(X.MARGIN, 0), (X.PUSH, 0), (X.GE if name == "succeeded" else X.LT, 0)]
    if name == "margin_ge":
        return [(X.MARGIN, 0), *compile_amount(args[1], scene), (X.GE, 0)]
    raise Refusal(f"the condition {name}")


def _origin(source: str) -> Value:
    """The test whether the card of the event came from a pile; a named deck is the personal deck (R24.4)."""
    if source == "discard":
        return [(X.EVENT_FROM, int(Zone.DISCARD))]
    if source == "inventory":
        return [(X.EVENT_FROM, int(Zone.HAND))]
    if source in ("deck", "market", "academy", "bestiary", "sanctuary"):
        return [(X.EVENT_FROM, int(Zone.DECK))]
    raise Refusal(f"where a card came from ({source})")


def _one(cards: Cards, scene: Scene) -> Value:
    card = one_card(cards, scene)
    if card is None or not is_all(cards):
        raise Refusal("a condition on a card that is not one certain card")
    return card


def compile_source(source: Source, scene: Scene, check: bool = False) -> Value:
    """Returns the test whether the running attack (or check) comes from a source.

    Args:
        source: the filter.
        scene: what its words mean.
        check: it is about a check or roll, whose knowledge and attribute are meant.

    Raises:
        Refusal: the kernel cannot tell.
    """
    if source.cause is not None:
        raise Refusal("sources told apart by 'cause'")
    out: Value | None = None
    if source.lacked_knowledge is not None:
        if not check:
            raise Refusal("sources told apart by 'lacked_knowledge'")
        lacked: Value = [rare(Rare.LACKED)]
        out = both(out, lacked if source.lacked_knowledge else negated(lacked))
    if source.from_back or source.from_back_or_side:
        out = both(out, number(0))  # there is no facing (R15.9)
    if source.level is not None:
        out = both(out, same([*ATTACK_CARD, (X.C_LEVEL, 0)], number(source.level)))
    if source.attack is not None:
        real: Value = [(X.ATTACK_AGENT, 0), (X.PUSH, 0), (X.GE, 0)]
        out = both(out, real if source.attack else negated(real))
    if source.normal_attack is not None:
        normal: Value = [(X.ATTACK_NORMAL, 0)]
        out = both(out, normal if source.normal_attack else negated(normal))
    if source.technique is not None:
        this = source.technique == "this"
        if this and scene.number is None:
            raise Refusal("this technique, where there is none")
        out = both(out, [(X.ATTACK_TECHNIQUE, 1 + (scene.number or 0) if this else 0)])
        if this:
            out = both(out, same(ATTACK_CARD, [(X.THIS, 0)]))
    if source.card is not None:
        single = one_card(source.card, scene)
        held = same(ATTACK_CARD, single) if single is not None else filter_cards(source.card, scene, ATTACK_CARD)
        out = both(out, held)
    if source.suit:
        out = both(out, either([same([(X.ATTACK_SUIT, 0)], number(suit)) for suit in source.suit]))
    if source.knowledge:
        op = X.CHECK_KNOWLEDGE if check else X.ATTACK_KNOWLEDGE
        out = both(out, either([[(op, int(known))] for known in source.knowledge]))
    if source.attr:
        if check:
            out = both(out, either([[(X.CHECK_ATTR, int(attribute))] for attribute in source.attr]))
        else:
            out = both(out, either([same([(X.ATTACK_ATTR, 0)], number(attribute)) for attribute in source.attr]))
    words = ([source.tag] if source.tag is not None else []) + list(source.any_tag or ())
    for several in (words, [source.craft] if source.craft else [], [source.effect_named] if source.effect_named else []):
        if several:
            out = both(out, either([tag_test(word, [], X.ATTACK_TAG, scene.names) for word in several]))
    if source.range is not None:
        out = both(out, same([(X.ATTACK_RANGE, 0)], number(source.range)))
    if source.lignum is not None:
        out = both(out, filter_cards(Cards(lignum=source.lignum), scene, ATTACK_CARD))
    apart: Value = [(X.ATTACK_AGENT, 0), (X.ATTACK_TARGET, 0), (X.DISTANCE, 0)]
    if source.distance_ge is not None:
        out = both(out, [*apart, (X.PUSH, source.distance_ge), (X.GE, 0)])
    if source.distance_le is not None:
        out = both(out, [*apart, (X.PUSH, source.distance_le), (X.LE, 0)])
    if source.any:
        out = both(out, either([compile_source(part, scene, check) for part in source.any]))
    return number(1) if out is None else out
