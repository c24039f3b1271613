"""Compiles modifiers to standing entries of the pool (DSL section 7)."""

from dataclasses import dataclass

from apotheosis.env.cards.compiler.amounts import compile_amount
from apotheosis.env.cards.compiler.code import Names, Refusal, Scene, Value, both, either, number, rare, same
from apotheosis.env.cards.compiler.conditions import compile_condition, compile_source
from apotheosis.env.cards.compiler.quantities import (
    ANY,
    AREAS,
    CAMPAIGN,
    CARD_QUANTITIES,
    CHECKS,
    CURRENCY_SUIT,
    LENT,
    LENT_TO,
    NUMBERS,
    OF_SOURCES,
    OWN_TRAITS,
    RULES,
    UNTIL,
)
from apotheosis.env.cards.compiler.subjects import (
    count_op,
    filter_cards,
    filter_characters,
    is_all,
    one_character,
    tag_test,
    zone_test,
)
from apotheosis.env.cards.language.modifiers import Duration, Modifier, Per
from apotheosis.env.cards.language.selection import Cards, Source
from apotheosis.env.cards.scalars import DICE, dice_parts
from apotheosis.env.rules.opcodes import Mode, Q, Rare, Rule, Until, X
from apotheosis.env.vocabulary import Attribute, Knowledge, RangeType


@dataclass(frozen=True)
class Entry:
    """One standing entry before it has a place; see `layout.STANDING`."""

    quantity: Q
    attribute: int
    mode: Mode
    amount: Value
    on: Value | None = None
    by: Value | None = None
    against: Value | None = None
    condition: Value | None = None
    low: int = -32768
    high: int = 32767
    keeps: Value | None = None
    bound: bool = False


def is_ammunition(modifier: Modifier) -> bool:
    """Tells whether a modifier demands cards for selecting a target with its own card."""
    return modifier.q == "cost.discard" and modifier.when == "target_selection"


def compile_modifier(modifier: Modifier, scene: Scene) -> list[Entry]:
    """Returns the standing entries of a modifier.

    Raises:
        Refusal: the kernel does not know the quantity, or cannot tell whom it concerns.
    """
    if is_text_trait(modifier, scene) or modifier.q in CAMPAIGN:
        return []
    if modifier.q == "range.ignore":
        return [_in_reach(modifier, scene)]
    if modifier.when == "checking" and modifier.q == "value.multiplier":
        targets: list[tuple[Q, int]] = [(Q.VALUE_IN_CHECKS, ANY)]
        mode, amount = Mode.MUL, _factor(modifier, scene)
    elif modifier.when is not None:
        raise Refusal(f"a modifier at the moment '{modifier.when}'")
    elif modifier.q == "value.multiplier":
        targets, mode, amount = [(Q.VALUE, ANY)], Mode.MUL, _factor(modifier, scene)
    elif modifier.q == "value.as":
        names = modifier.set if isinstance(modifier.set, list) else [modifier.set]
        targets, mode, amount = [(Q.VALUE_AS, int(CURRENCY_SUIT[name])) for name in names], Mode.SET, number(1)
    elif modifier.q == "requirement.knowledge":
        targets, mode, amount = [(Q.REQUIRE_KNOWLEDGE, ANY)], Mode.SET, number(0)
    elif modifier.q == "normal_attack.dice":
        count, sides = dice_parts(str(modifier.set if modifier.add is None else modifier.add))
        if modifier.set is None:
            raise Refusal("further dice of Normal Attacks")
        targets, mode, amount = [(Q.NORMAL_DICE, ANY)], Mode.SET, number(count * 8 + sides)
    elif modifier.q == "damage.attribute":
        targets, mode, amount = [(Q.DAMAGE_ATTR, ANY)], Mode.SET, number(int(Attribute[str(modifier.set)]))
    elif modifier.q == "range.type":
        targets, mode, amount = [(Q.RANGE_TYPE, ANY)], Mode.SET, number(int(RangeType[str(modifier.set)]))
    elif modifier.q == "rule.cannot_obtain_marker":
        targets, mode, amount = [(Q.MARKER_BARRED, scene.names.marker(modifier.set))], Mode.SET, number(1)
    elif modifier.q == "rule.move_to":
        return [_move_to(modifier, scene)]
    elif modifier.q.startswith("rule."):
        targets = [_rule(modifier)]
        mode, amount = Mode.SET, number(1)
    elif modifier.q == "domain.present" and modifier.set is False:
        targets, mode, amount = [(Q.RULE, int(Rule.NO_DOMAIN))], Mode.SET, number(1)
    elif modifier.q == "attr.raised_by_entity":
        targets = [(Q.ENTITY_ATTR, ANY)]
        mode, amount = _change(modifier, scene)
    elif modifier.q == "knowledge" and modifier.by is not None and modifier.by.lacked_knowledge is False:
        if modifier.by.model_dump(exclude_defaults=True).keys() != {"lacked_knowledge"} or modifier.add is None:
            raise Refusal("some of the knowledges that a Hero has")
        targets, mode, amount = [(Q.HELD_KNOWLEDGE, ANY)], Mode.ADD, compile_amount(modifier.add, scene)
    elif modifier.q == "knowledge" and modifier.by is not None:
        targets = [(Q.KNOWLEDGE, int(known)) for known in _only_knowledge(modifier)]
        mode, amount = _change(modifier, scene)
    elif modifier.q in LENT_TO:
        if modifier.mul is not None or (modifier.add is not None and str(modifier.add) not in DICE):
            raise Refusal("lent dice that are no plain dice")
        targets, mode, amount = LENT_TO[modifier.q], Mode.ADD, _dice(modifier)
    elif modifier.q in NUMBERS:
        targets = list(NUMBERS[modifier.q])
        mode, amount = _change(modifier, scene)
    else:
        raise Refusal(f"the quantity {modifier.q}")
    if modifier.per is not None:
        amount = [*amount, *_per(modifier.per, scene), (X.MUL, 0)]
    if modifier.q == "rule.negated":
        about = _whose_cards(modifier, scene), _those_cards(modifier.card or Cards(), scene)
        return [Entry(quantity, attribute, mode, amount, *about) for quantity, attribute in targets]
    condition: Value | None = None
    for part in (modifier.cond, modifier.lasting):
        if part is not None:
            condition = both(condition, compile_condition(part, scene))
    return [
        Entry(
            quantity,
            attribute,
            mode,
            amount,
            _on(modifier, scene),
            _by(modifier, quantity, scene),
            _against(modifier, scene),
            condition,
            -32768 if modifier.floor is None else _plain(modifier.floor.number),
            32767 if modifier.cap is None else _plain(modifier.cap.number),
        )
        for quantity, attribute in targets
    ]


def is_text_trait(modifier: Modifier, scene: Scene) -> bool:
    """Tells whether a modifier is a text that the kernel reads as a trait of the card."""
    if modifier.q == "piece.present":
        return modifier.set is False and (modifier.on is None or modifier.on.chars == "this_char")
    if modifier.q == "rule.unique_keyword":
        return modifier.set in ("Mount", True) and modifier.on is None
    if modifier.q in OWN_TRAITS:
        own = modifier.card is None or modifier.card.card == "this"
        return own and modifier.set is True and modifier.on is None and modifier.per is None
    if modifier.q == "rule.not_in_support":
        return modifier.set is True and modifier.on is None
    if modifier.q in ("requirement.knowledge", "requirement.attr"):
        own = modifier.card is not None and modifier.card.card == "this"
        return own and (modifier.q == "requirement.knowledge" or len(modifier.set) == 1)
    return False


def _in_reach(modifier: Modifier, scene: Scene) -> Entry:
    """The entry by which those a modifier is against may be selected at any distance by whom it is on (R15.18)."""
    if modifier.by is not None or modifier.card is not None or modifier.per is not None:
        raise Refusal("distances that some cards ignore")
    agent = same([(X.IT, 0)], scene.you) if modifier.on is None else filter_characters(modifier.on, scene)
    reached = number(1) if modifier.against is None else filter_characters(modifier.against, scene)
    condition = None if modifier.cond is None else compile_condition(modifier.cond, scene)
    return Entry(Q.RULE, int(Rule.IN_REACH), Mode.SET, number(1), reached, against=agent, condition=condition)


def _only_knowledge(modifier: Modifier) -> list[Knowledge]:
    assert modifier.by is not None
    if modifier.by.model_dump(exclude_defaults=True, by_alias=True).keys() != {"knowledge"}:
        raise Refusal("knowledges told apart by more than their names")
    return list(modifier.by.knowledge or ())


def _factor(modifier: Modifier, scene: Scene) -> Value:
    from apotheosis.env.cards.language.amounts import Amount

    if modifier.mul is not None and not isinstance(modifier.mul, str):
        return compile_amount(modifier.mul, scene)
    if modifier.set is not None:
        return compile_amount(Amount.read(modifier.set), scene)
    raise Refusal("half a value")


def _plain(value: int | None) -> int:
    if value is None:
        raise Refusal("a bound that is no plain number")
    return value


def _move_to(modifier: Modifier, scene: Scene) -> Entry:
    """A running redirection of moves: the place that its cards go to instead of the one named in `card.to`, or any (R7.6.1)."""
    from apotheosis.env.cards.compiler.program import PLACES

    cards = modifier.card or Cards()
    if modifier.set not in PLACES or (cards.to is not None and cards.to not in PLACES):
        raise Refusal(f"moves that go to {modifier.set} instead")
    where = ANY if cards.to is None else PLACES[cards.to]
    return Entry(
        Q.MOVE_TO, where, Mode.SET, number(PLACES[modifier.set]), _whose_cards(modifier, scene), _those_cards(cards, scene)
    )


def _whose_cards(modifier: Modifier, scene: Scene) -> Value | None:
    """The test of the owner of cards that a rule is about: `on`, else what the cards say of it, else you."""
    if modifier.on is None and modifier.card is not None and modifier.card.of is not None:
        return number(1)
    return _on(modifier, scene)


def _those_cards(cards: Cards, scene: Scene) -> Value | None:
    """The test of the cards that a rule is about; their owner is tested apart where they name none."""
    zone = cards.zone or ([cards.from_] if cards.from_ else None)
    plain = cards.model_copy(update={"of": cards.of or "any", "from_": None, "to": None, "zone": zone})
    return filter_cards(plain, scene)


def _rule(modifier: Modifier) -> tuple[Q, int]:
    flag = modifier.q.removeprefix("rule.")
    if flag == "untargetable" and modifier.set == "attack":
        return Q.RULE, int(Rule.UNTARGETABLE_ATTACK)
    if flag == "cannot_target" and modifier.set == "attack":
        return Q.RULE, int(Rule.CANNOT_TARGET_ATTACK)
    if flag not in RULES or modifier.set not in (True, "any_action"):
        raise Refusal(f"the rule {flag}")
    if flag in ("cannot_activate", "cannot_equip") and modifier.card is None:
        raise Refusal(f"the rule {flag} without cards")
    if modifier.by is not None and flag not in OF_SOURCES:
        raise Refusal(f"the rule {flag} for some sources only")
    return Q.RULE, int(RULES[flag])


def _dice(modifier: Modifier) -> Value:
    count, sides = dice_parts(str(modifier.set if modifier.add is None else modifier.add))
    return number(count * LENT[sides])


def _change(modifier: Modifier, scene: Scene) -> tuple[Mode, Value]:
    if modifier.add is not None:
        return Mode.ADD, compile_amount(modifier.add, scene)
    if modifier.mul is not None:
        if isinstance(modifier.mul, str):
            return Mode.DIV, number(2)
        return Mode.MUL, compile_amount(modifier.mul, scene)
    from apotheosis.env.cards.language.amounts import Amount

    mode = Mode.MUL if modifier.q == "value.multiplier" else Mode.SET
    return mode, compile_amount(Amount.read(modifier.set), scene)


def _per(per: Per, scene: Scene) -> Value:
    times: Value = number(1) if per.times is None else compile_amount(per.times, scene)
    if per.cards is not None:
        counted: Value = [(count_op(per.cards), filter_cards(per.cards, scene))]
    elif per.chars is not None:
        counted = [(X.COUNT_CHARS, filter_characters(per.chars, scene))]
    elif per.counter is not None:
        if per.of == "it":
            which = Rare.COUNTERS_NEAR if per.neighbours else Rare.COUNTERS_OF
            counted = [(X.IT, 0), rare(which, scene.names.counter(per.counter))]
        elif per.of not in (None, "this"):
            raise Refusal("counters of other cards")
        else:
            counted = [(X.THIS, 0), (X.C_COUNTERS, scene.names.counter(per.counter))]
    elif per.tiles_between is not None or per.altitude_diff is not None:
        a, b = (one_character(who, scene) for who in (per.tiles_between or per.altitude_diff or ()))
        if a is None or b is None:
            raise Refusal("a distance between sets of characters")
        if per.tiles_between is not None:
            counted = [*a, *b, (X.TILE_DISTANCE, 0)]
        else:
            counted = [*a, (X.ALTITUDE, 0), *b, (X.ALTITUDE, 0), (X.SUB, 0), (X.PUSH, 0), (X.MAX, 0)]
    elif per.empty_slots is not None:
        counted = [(X.HOST, 0), (X.FREE_SLOTS, ("equipment", "memento", "support").index(per.empty_slots))]
    elif per.amount is not None:
        counted = compile_amount(per.amount, scene)
    else:
        raise Refusal("a count of markers")
    return counted if per.times is None else [*counted, *times, (X.MUL, 0)]


def _on(modifier: Modifier, scene: Scene) -> Value | None:
    if modifier.on is None:
        of_piece = modifier.q.startswith("rule.") or (modifier.by is not None and modifier.by.technique == "this")
        if of_piece and scene.companion:
            return [(X.IT, 0), (X.THIS_CHAR, 0), (X.EQ, 0)]
        return None
    if modifier.on.chars == "self" and one_character(modifier.on, scene) is not None and not scene.technique:
        return None
    # what forbids a revival is about the fallen
    return filter_characters(modifier.on, scene, fallen=modifier.q == "rule.no_revive")


def _against(modifier: Modifier, scene: Scene) -> Value | None:
    out = None if modifier.against is None else filter_characters(modifier.against, scene)
    if modifier.q.removeprefix("rule.") not in OF_SOURCES or modifier.by is None:
        return out
    apart: Value = [(X.IT, 0), *([(X.THIS_CHAR, 0)] if scene.technique else scene.you), (X.TILE_DISTANCE, 0)]
    for bound, op in ((modifier.by.distance_ge, X.GE), (modifier.by.distance_le, X.LE)):
        if bound is not None:
            if modifier.on is not None and modifier.on.chars != "self":
                raise Refusal("a distance to somebody else")
            out = both(out, [*apart, (X.PUSH, bound), (op, 0)])
    return out


def _by(modifier: Modifier, quantity: Q, scene: Scene) -> Value | None:
    out: Value | None = None
    if modifier.by is not None and modifier.q.removeprefix("rule.") in OF_SOURCES:
        out = _source_card(modifier.by, scene)
    elif modifier.by is not None and not (modifier.q == "knowledge"):
        if quantity in (Q.DAMAGE_ATTR, Q.RANGE_TYPE):
            out = _source_card(modifier.by, scene)
        else:
            out = compile_source(modifier.by, scene, check=quantity in CHECKS or quantity == Q.CHECK_KNOWLEDGE)
    if modifier.card is not None:
        if quantity not in CARD_QUANTITIES:
            raise Refusal(f"{modifier.q} of some cards")
        cards = modifier.card
        if cards.n is not None and not is_all(cards):
            raise Refusal(f"{modifier.q} of a chosen card")
        if quantity == Q.COST_TABLE:
            out = both(out, _way(cards, scene))
            cards = cards.model_copy(update={"from_": None, "to": None})
        out = both(out, filter_cards(cards, scene))
    return out


def _way(cards: Cards, scene: Scene) -> Value | None:
    """Returns the test of a move between hand and table by where the card (IT_CARD) lies before it."""
    it: Value = [(X.IT_CARD, 0)]
    out: Value | None = None
    if cards.from_ is not None:
        out = zone_test([cards.from_], it)
    if cards.to is None:
        return out
    if cards.to == "inventory":
        return both(out, zone_test(["table"], it))
    out = both(out, zone_test(["inventory"], it))
    if cards.to in AREAS:
        return both(out, same([*it, (X.C_SUIT, 0)], number(AREAS[cards.to])))
    if cards.to == "table":
        return out
    raise Refusal(f"moves to {cards.to}")


def _source_card(source: Source, scene: Scene) -> Value | None:
    """The test whether the card of an action (IT_CARD) is one that a source speaks of; distances are to the agent (IT)."""
    out: Value | None = None
    given = source.model_dump(exclude_defaults=True, by_alias=True)
    if source.any:
        out = either([_source_card(part, scene) or number(1) for part in source.any])
    words = [word for word in (source.tag, *(source.any_tag or ()), source.effect_named) if word]
    if words:
        out = both(out, either([tag_test(word, [(X.IT_CARD, 0)], X.C_TAG, scene.names) for word in words]))
    if source.suit:
        out = both(out, either([[(X.IT_CARD, 0), (X.C_SUIT, 0), (X.PUSH, int(suit)), (X.EQ, 0)] for suit in source.suit]))
    if source.knowledge:
        out = both(out, either([[(X.IT_CARD, 0), (X.C_KNOWLEDGE, int(known))] for known in source.knowledge]))
    if source.level is not None:
        out = both(out, [(X.IT_CARD, 0), (X.C_LEVEL, 0), (X.PUSH, source.level), (X.EQ, 0)])
    if source.attr:
        tests: list[Value] = [[rare(Rare.BAR_ATTR, int(attribute))] for attribute in source.attr]
        out = both(out, either([[(X.IT_CARD, 0), *test] for test in tests]))
    known = {"any", "tag", "any_tag", "effect_named", "suit", "knowledge", "level", "attr", "distance_ge", "distance_le"}
    if set(given) - known:
        raise Refusal(f"cards of actions told apart by {', '.join(sorted(set(given) - known))}")
    return out


def compile_until(duration: Duration | None, names: Names) -> tuple[Until, int]:
    """Returns the end of a modifier and its number of rounds, or the name of the marker or counter that keeps it.

    Raises:
        Refusal: the kernel knows no such end.
    """
    if duration is None:
        return Until.BATTLE, 0
    if duration.at is not None:
        return UNTIL[duration.at], 0
    rounds = duration.rounds or duration.stints
    if rounds is not None:
        return Until.ROUNDS, rounds.number or 0
    if duration.while_this_in_zone is not None:
        return Until.IN_PLAY, 0
    if duration.while_counter is not None:
        return Until.COUNTER, names.counter(duration.while_counter[1])
    if duration.marker_lost is not None:
        return Until.MARKER, names.marker(duration.marker_lost[1])
    if duration.any_of is not None:
        ends = [end for end in duration.any_of if end.at != "end_of_battle"]
        if len(ends) == 1:
            return compile_until(ends[0], names)
        timed = [end for end in ends if end.marker_lost is None]
        if len(timed) == 1 and len(ends) > 1:
            return compile_until(timed[0], names)  # the markers keep it, see `keeping`
        if {end.at for end in ends} == {"this_roll", "end_of_turn"}:
            return Until.CHECK, 0  # those of rolls end with the turn too
    raise Refusal("this end")


def keeping(duration: Duration | None, scene: Scene) -> Value | None:
    """Returns what must stay true for a modifier to last beside its end: the markers that may be lost before it."""
    if duration is None or duration.any_of is None:
        return None
    ends = [end for end in duration.any_of if end.at != "end_of_battle"]
    out: Value | None = None
    if len(ends) > 1:
        for who, marker in (end.marker_lost for end in ends if end.marker_lost is not None):
            single = one_character(who, scene)
            if single is None:
                raise Refusal("the loss of markers of several characters")
            out = both(out, [*single, (X.HAS_MARKER, scene.names.marker(marker))])
    return out
