"""Compiles modifiers to standing entries of the pool (DSL section 7)."""

from dataclasses import dataclass

from apotheosis.env.cards.compiler.amounts import compile_amount
from apotheosis.env.cards.compiler.code import Refusal, Scene, Value, both, number, same
from apotheosis.env.cards.compiler.conditions import compile_condition, compile_source
from apotheosis.env.cards.compiler.subjects import count_op, filter_cards, filter_characters, one_character, zone_test
from apotheosis.env.cards.language.modifiers import Duration, Modifier, Per
from apotheosis.env.cards.language.selection import Cards
from apotheosis.env.cards.scalars import dice_parts
from apotheosis.env.rules.opcodes import Mode, Q, Rule, Until, X
from apotheosis.env.vocabulary import Attribute, Knowledge, Suit

ANY = -1
CURRENCY_SUIT = {"PRICE": Suit.Item, "XP": Suit.Skill, "WILL": Suit.Companion, "FATE": Suit.Event}
NUMBERS: dict[str, tuple[tuple[Q, int], ...]] = {
    **{f"attr.{attribute.name}": ((Q.ATTR, int(attribute)),) for attribute in Attribute},
    "attr.all": ((Q.ATTR, ANY),),
    **{f"knowledge.{known.name}": ((Q.KNOWLEDGE, int(known)),) for known in Knowledge if known.name != "Free"},
    "knowledge": ((Q.KNOWLEDGE, ANY),),
    "hp.max": ((Q.HP_MAX, ANY),),
    "damage.dealt": ((Q.DAMAGE_DEALT, ANY),),
    "attack.bonus": ((Q.ATTACK_BONUS, ANY),),
    "attack.damage": ((Q.ATTACK_BONUS, ANY),),
    "attack.multiplier": ((Q.ATTACK_MULTIPLIER, ANY),),
    "damage.taken": ((Q.DAMAGE_TAKEN, ANY),),
    "injury.dealt": ((Q.INJURY_DEALT, ANY),),
    "injury.taken": ((Q.INJURY_TAKEN, ANY),),
    "check.bonus": ((Q.CHECK_BONUS, ANY),),
    "check.difficulty": ((Q.CHECK_DIFFICULTY, ANY),),
    "check.result_floor": ((Q.CHECK_FLOOR, ANY),),
    "contest.bonus": ((Q.CONTEST_BONUS, ANY),),
    "roll.bonus": ((Q.CHECK_BONUS, ANY), (Q.ATTACK_BONUS, ANY)),
    "crit.threshold": ((Q.CRITICAL, ANY),),
    "heal.done": ((Q.HEAL_DONE, ANY),),
    "heal.received": ((Q.HEAL_RECEIVED, ANY),),
    "recover.amount": ((Q.RECOVER_AMOUNT, ANY),),
    "range.value": ((Q.RANGE, ANY),),
    "cost.ap": ((Q.COST_AP, ANY),),
    "cost.sp": ((Q.COST_STAMINA, ANY),),
    "cost.mp": ((Q.COST_MANA, ANY),),
    "cost.essence": ((Q.COST_ESSENCE, ANY),),
    "cost.entity_upkeep": ((Q.COST_UPKEEP, ANY),),
    "ap.start_of_turn": ((Q.AP_TURN, ANY),),
    "slots.equipment": ((Q.SLOTS, 0),),
    "slots.memento": ((Q.SLOTS, 1),),
    "slots.support": ((Q.SLOTS, 2),),
    "slots.inventory": ((Q.SLOTS, 3),),
    "normal_attack.damage": ((Q.NORMAL_DAMAGE, ANY),),
    "normal_attack.ap": ((Q.NORMAL_AP, ANY),),
    "injury.cap": ((Q.INJURY_CAP, ANY),),
    "cost.zone_move": ((Q.COST_TABLE, ANY),),
    "cost.move": ((Q.COST_MOVE, ANY),),
    "cost.altitude": ((Q.COST_ALTITUDE, ANY),),
    "cost.domain": ((Q.COST_DOMAIN, ANY),),
    "cost.summon": ((Q.COST_SUMMON, ANY),),
    "cost.salvation": ((Q.SALVATION, ANY),),
    "value.multiplier": ((Q.VALUE, ANY),),
    **{f"value.{currency}": ((Q.VALUE, int(suit)),) for currency, suit in CURRENCY_SUIT.items()},
}
"""Quantities of the language and the kernel's quantities that they are."""

RULES = {
    "untargetable": Rule.UNTARGETABLE,
    "cannot_awaken": Rule.CANNOT_AWAKEN,
    "flying": Rule.FLYING,
    "amphibious": Rule.AMPHIBIOUS,
    "cannot_move": Rule.CANNOT_MOVE,
    "ignore_domain": Rule.IGNORE_DOMAIN,
    "no_revive": Rule.NO_REVIVE,
    "no_salvation": Rule.NO_SALVATION,
    "no_response": Rule.NO_RESPONSE,
    "no_negation": Rule.NO_NEGATION,
}
CHECKS = (Q.CHECK_BONUS, Q.CHECK_DIFFICULTY, Q.CHECK_FLOOR, Q.CONTEST_BONUS)
CARD_QUANTITIES = (
    Q.COST_AP, Q.COST_STAMINA, Q.COST_MANA, Q.COST_ESSENCE, Q.RANGE, Q.COST_TABLE, Q.COST_SUMMON, Q.REQUIRE_KNOWLEDGE, Q.VALUE,
)  # fmt: skip
TABLE_SUITS = {"equipment": Suit.Item, "memento": Suit.Skill, "support": Suit.Companion}

UNTIL = {
    "this_roll": Until.CHECK,
    "this_check": Until.CHECK,
    "this_attack": Until.ATTACK,
    "end_of_turn": Until.TURN,
    "end_of_round": Until.STINT,
    "start_of_your_next_turn": Until.YOUR_NEXT_START,
    "end_of_next_turn": Until.YOUR_NEXT_END,
    "start_of_target_next_turn": Until.TARGET_NEXT_START,
    "end_of_target_next_turn": Until.TARGET_NEXT_END,
    "end_of_battle": Until.BATTLE,
    "while_this_in_zone": Until.IN_PLAY,
}


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


def is_ammunition(modifier: Modifier) -> bool:
    """Tells whether a modifier demands cards for selecting a target with its own card."""
    return modifier.q == "cost.discard" and modifier.when == "target_selection"


TEXT_TRAITS = ("rule.unique_keyword", "rule.not_in_support", "piece.present")
"""Quantities that the kernel reads as traits of the card (Mount, Silly)."""


def compile_modifier(modifier: Modifier, scene: Scene) -> list[Entry]:
    """Returns the standing entries of a modifier.

    Raises:
        Refusal: the kernel does not know the quantity, or cannot tell whom it concerns.
    """
    if modifier.q in TEXT_TRAITS and modifier.set in ("Mount", True, False) and modifier.on is None:
        return []
    if modifier.when is not None:
        raise Refusal(f"a modifier at the moment '{modifier.when}'")
    if modifier.q.startswith("rule."):
        targets = [_rule(modifier)]
        mode, amount = Mode.SET, number(1)
    elif modifier.q == "domain.present" and modifier.set is False:
        targets, mode, amount = [(Q.RULE, int(Rule.NO_DOMAIN))], Mode.SET, number(1)
    elif modifier.q == "requirement.knowledge":
        targets, mode, amount = [(Q.REQUIRE_KNOWLEDGE, ANY)], Mode.SET, number(0)
    elif modifier.q == "attack.dice":
        targets, mode, amount = [(Q.ATTACK_DICE, ANY)], Mode.ADD, _dice(modifier)
    elif modifier.q in NUMBERS:
        targets = list(NUMBERS[modifier.q])
        mode, amount = _change(modifier, scene)
    else:
        raise Refusal(f"the quantity {modifier.q}")
    if modifier.per is not None:
        amount = [*amount, *_per(modifier.per, scene), (X.MUL, 0)]
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
            None if modifier.against is None else filter_characters(modifier.against, scene),
            condition,
            -32768 if modifier.floor is None else _plain(modifier.floor.number),
            32767 if modifier.cap is None else _plain(modifier.cap.number),
        )
        for quantity, attribute in targets
    ]


def _plain(value: int | None) -> int:
    if value is None:
        raise Refusal("a bound that is no plain number")
    return value


def _rule(modifier: Modifier) -> tuple[Q, int]:
    flag = modifier.q.removeprefix("rule.")
    if flag not in RULES or modifier.set not in (True, "any_action"):
        raise Refusal(f"the rule {flag}")
    if modifier.by is not None:
        raise Refusal(f"the rule {flag} for some sources only")
    return Q.RULE, int(RULES[flag])


def _dice(modifier: Modifier) -> Value:
    count, sides = dice_parts(str(modifier.set if modifier.add is None else modifier.add))
    if sides != 6:
        raise Refusal("extra attack dice other than D6")
    return number(count)


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
        if per.of not in (None, "this"):
            raise Refusal("counters of other cards")
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
        if modifier.q.startswith("rule.") and scene.companion:
            return [(X.IT, 0), (X.THIS_CHAR, 0), (X.EQ, 0)]
        return None
    if modifier.on.chars == "self" and one_character(modifier.on, scene) is not None and not scene.technique:
        return None
    # what forbids a revival is about the fallen
    return filter_characters(modifier.on, scene, fallen=modifier.q == "rule.no_revive")


def _by(modifier: Modifier, quantity: Q, scene: Scene) -> Value | None:
    out: Value | None = None
    if modifier.by is not None:
        out = compile_source(modifier.by, scene, check=quantity in CHECKS)
    if modifier.card is not None:
        if quantity not in CARD_QUANTITIES:
            raise Refusal(f"{modifier.q} of some cards")
        cards = modifier.card
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
    if cards.to in TABLE_SUITS:
        return both(out, same([*it, (X.C_SUIT, 0)], number(TABLE_SUITS[cards.to])))
    if cards.to == "table":
        return out
    raise Refusal(f"moves to {cards.to}")


def compile_until(duration: Duration | None) -> tuple[Until, int]:
    """Returns the end of a modifier and its number of rounds.

    Raises:
        Refusal: the kernel knows no such end.
    """
    if duration is None:
        return Until.BATTLE, 0
    if duration.at is not None:
        return UNTIL[duration.at], 0
    rounds = duration.rounds or duration.stints
    if rounds is not None and rounds.number is not None:
        return Until.ROUNDS, rounds.number
    if duration.while_this_in_zone is not None:
        return Until.IN_PLAY, 0
    raise Refusal("an end by a counter or a lost marker")
