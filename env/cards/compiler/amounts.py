"""Compiles amounts to values (DSL section 2)."""

from apotheosis.env.cards.compiler.code import CARD_BOUND, COUNT_BOUND, Refusal, Scene, Value, rare
from apotheosis.env.cards.language.amounts import Amount, Call, Tree
from apotheosis.env.cards.scalars import DICE, dice_parts
from apotheosis.env.rules.opcodes import Rare, X
from apotheosis.env.vocabulary import Attribute, Knowledge

ACCESSORS = {
    "last.damage": X.LAST_DAMAGE,
    "last.injury": X.LAST_INJURY,
    "last.hp": X.LAST_HP,
    "event.damage": X.EVENT_DAMAGE,
    "event.injury": X.EVENT_INJURY,
    "event.n": X.EVENT_AMOUNT,
    "event.hp": X.EVENT_AMOUNT,
    "roll.main": X.ROLL_MAIN,
    "roll.total": X.ROLL_TOTAL,
    "roll.total_dice": X.ROLL_TOTAL,
    "round": X.STINT,
    "stint": X.STINT,
}
SLOTS = ("equipment", "memento", "support")
BINARY = {"add": X.ADD, "sub": X.SUB, "mul": X.MUL, "div": X.DIV, "min": X.MIN, "max": X.MAX}


def compile_amount(amount: Amount, scene: Scene) -> Value:
    """Returns the value of an amount.

    Raises:
        Refusal: the kernel has no such number.
    """
    return _tree(amount.tree, scene)


def roll_value(dice: str) -> Value:
    """Returns the value that rolls dice for the card of the effect."""
    count, sides = dice_parts(dice)
    return [(X.DICE, count * 8 + sides)]


def _tree(tree: Tree, scene: Scene) -> Value:
    if isinstance(tree, int):
        return [(X.PUSH, tree)]
    if isinstance(tree, str):
        if tree in ACCESSORS:
            return [(ACCESSORS[tree], 0)]
        if tree == "X":
            return [(X.AMOUNT_X, 0)]
        if tree in DICE:
            return roll_value(tree)
        if tree == "check.level":
            return [rare(Rare.CHECK_LEVEL)]
        if tree == "event.dc":
            return [rare(Rare.DIFFICULTY)]
        if scene.bound and tree in scene.bound:
            return scene.bound[tree]
        raise Refusal(f"the amount '{tree}'")
    return _call(tree, scene)


def _character(word: Tree, scene: Scene) -> Value:
    from apotheosis.env.cards.compiler.subjects import one_character
    from apotheosis.env.cards.language.selection import Characters

    if word == "this":
        return [(X.THIS_CHAR, 0)]
    single = one_character(Characters(chars=str(word)), scene)
    if single is None:
        raise Refusal(f"a number of '{word}'")
    return single


def _card(word: str, scene: Scene) -> Value:
    if word == "this":
        return [(X.THIS, 0)]
    if word in ("event", "event.card"):
        return [(X.EVENT_CARD, 0)]
    return scene.binding(word)


def _tagged(word: str, scene: Scene) -> Value:
    bit = scene.names.tag_bit(word)
    return [(X.PUSH, 0)] if bit < 0 else [(X.IT_CARD, 0), (X.C_TAG, bit)]


def _call(call: Call, scene: Scene) -> Value:
    name, args = call.name, call.args
    if name in BINARY:
        out = _tree(args[0], scene)
        for argument in args[1:]:
            out = [*out, *_tree(argument, scene), (BINARY[name], 0)]
        return out
    if name == "half":
        return [*_tree(args[0], scene), (X.PUSH, 2), (X.DIV, 0)]
    if name == "neg":
        return [*_tree(args[0], scene), (X.NEG, 0)]
    if name == "dice":
        return roll_value(str(args[0]))
    if name == "attr" and args[0] == "this":
        return [(X.THIS, 0), rare(Rare.PRINTED_ATTR, int(Attribute[str(args[1])]))]  # base attributes (R2.7.1)
    if name == "attr":
        return [*_character(args[0], scene), (X.ATTR, int(Attribute[str(args[1])]))]
    if name == "know":
        return [*_character(args[0], scene), (X.KNOW, int(Knowledge[str(args[1])]))]
    if name in ("hp", "hp_max", "ap", "altitude"):
        op = {"hp": X.HP, "hp_max": X.HP_MAX, "ap": X.AP, "altitude": X.ALTITUDE}[name]
        return [*_character(args[0], scene), (op, 0)]
    if name in ("distance", "tiles_between"):
        op = X.DISTANCE if name == "distance" else X.TILE_DISTANCE
        return [*_character(args[0], scene), *_character(args[1], scene), (op, 0)]
    if name == "altitude_diff":
        return [*_character(args[0], scene), (X.ALTITUDE, 0), *_character(args[1], scene), (X.ALTITUDE, 0), (X.SUB, 0)]
    if name == "level":
        if args[0] == "this":
            return [(X.THIS, 0), (X.C_LEVEL, 0)]
        if isinstance(args[0], Call):
            return [*_character(args[0].args[0], scene), rare(Rare.ENTITY_LEVEL)]
        if args[0] == "event.card" or (scene.bound or {}).get(str(args[0])) == CARD_BOUND:
            return [*_card(str(args[0]), scene), (X.C_LEVEL, 0)]
        return [*_character(args[0], scene), (X.CHAR_LEVEL, 0)]
    if name == "value":
        return [*_card(str(args[0]).split(".")[0], scene), (X.C_VALUE, 0)]
    if name == "counters":
        holder, _, counter = str(args[0]).partition(".")
        return [*_card(holder, scene), (X.C_COUNTERS, scene.names.counter(counter))]
    if name == "margin":
        return [(X.MARGIN, 0)]
    if name == "hp_before" and args[0] == "event.attack" and args[1] in ("self", "host_hero"):
        # the attack that has just been resolved had this one target
        return [*_character(args[1], scene), (X.HP, 0), rare(Rare.HURT_BEFORE), (X.ADD, 0)]
    if name == "slots":
        return [*_character(args[0], scene), rare(Rare.SLOTS, SLOTS.index(str(args[1])))]
    if name in ("roll_damage", "roll_damage_times") and args[0] in (scene.bound or {}):
        times = args[1] if name == "roll_damage_times" else 1
        if not isinstance(times, int):
            raise Refusal("dice rolled an amount of times")
        return [*scene.binding(str(args[0])), rare(Rare.CARD_ROLL, times)]
    if name == "roll_damage":
        return [rare(Rare.BAR_ROLL, int(args[0] == "this_technique"))]
    if name == "count" and (scene.bound or {}).get(str(args[0])) == COUNT_BOUND:
        return COUNT_BOUND
    if name == "count" and isinstance(args[0], Call):
        under: Value = [(X.IT_CARD, 0), (X.C_HOST, 0), *_card(str(args[0].args[0]), scene), (X.EQ, 0)]
        for word in args[0].args[1:]:
            under = [*under, *_tagged(str(word), scene), (X.AND, 0)]
        return [(X.COUNT_CARDS, under)]
    raise Refusal(f"the function {name}")
