"""The effect language: what its schema accepts, what it refuses and how it says so."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from apotheosis.env.cards.language.amounts import Amount
from apotheosis.env.cards.language.conditions import Condition
from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.cards.language.instructions import OPCODES
from apotheosis.env.cards.language.modifiers import QUANTITIES, Modifier
from apotheosis.env.cards.language.selection import Cards, Characters
from apotheosis.env.cards.loader import check_card
from apotheosis.env.cards.validation import problems
from apotheosis.env.cards.yaml_file import read_yaml


def faults(effect):
    with pytest.raises(ValidationError) as caught:
        TypedEffect.model_validate(effect)
    return " / ".join(found.message for found in problems(TypedEffect, effect, caught.value, lambda path: "here", ""))


def of_card(**fields):
    _, errors = check_card({"id": "C", "level": 1, "rarity": "Common", **fields}, lambda path: "here")
    return " / ".join(error.message for error in errors)


def do(*steps, **fields):
    return {"activation": "Activate", "do": list(steps), **fields}


# ---------- the whole surface


def test_the_worked_examples_are_in_the_language(shared):
    tree = read_yaml(shared / "cards" / "DSL_examples.yaml")
    count = 0
    for entry in tree.value:
        for effect in entry["effects"]:
            read = TypedEffect.model_validate(effect)
            assert TypedEffect.model_validate(read.written()) == read, entry["id"]
            assert TypedEffect.model_validate(read.model_dump(by_alias=True, exclude_defaults=True)) == read
            count += 1
    assert count == 130


def test_every_opcode_and_quantity_of_the_description_exists():
    named = """mod remove_mods heal lose_hp gain spend gain_currency deal_damage deal_injury splash redirect negate check
    contest roll reroll set_die set_result add_roll move_card draw search look reveal reorder shuffle exhaust recover attach
    detach swap_card activate_card add_marker remove_marker add_counter remove_counter move_counter move_piece swap_pieces
    summon_piece place_object remove_piece tile_mod tile_rule link_tile awaken sleep_entity incorporate skip_turn end_turn
    extra_turn revive save change_control copy_stats end_battle if switch choose may for_each repeat let declare delayed
    native"""
    assert set(named.split()) == set(OPCODES)
    for quantity in ("attr.END", "attr.all", "hp.max", "cost.zone_move", "rule.flying", "slots.attachment", "value.as"):
        assert quantity in QUANTITIES


def test_one_word_and_the_mapping_mean_the_same():
    word = TypeAdapter(Characters)
    assert word.validate_python("allies") == word.validate_python({"chars": "allies"})
    assert word.validate_python("all_on_board") == word.validate_python("all")
    marked = word.validate_python({"heroes_with_marker": "SICK"})
    assert marked == word.validate_python({"chars": "heroes", "has_marker": "SICK"})
    assert word.validate_python({"chars": "adjacent"}) == word.validate_python({"chars": "others", "adjacent": True})
    cards = TypeAdapter(Cards)
    assert cards.validate_python({"suit": "Item"}) == cards.validate_python({"suit": ["Item"]})
    assert cards.validate_python("this").card == "this"


# ---------- amounts


@pytest.mark.parametrize(
    "text",
    [
        "half(attr(target,END))",
        "add(know(self,Faith),30,dice(3D3))",
        "mul(4,X)",
        "sub(hp_before(event.attack,self),hp(self))",
        "count(attachments(this,Firearm))",
        "level(entity(target))",
        "value(c.WILL)",
        "counters(this.TIME)",
        "event.damage",
        "1D6",
        "all",
    ],
)
def test_amounts_read_and_write_the_same(text):
    assert str(Amount.read(text)) == text
    assert Amount.read(str(Amount.read(text))) == Amount.read(text)


AMOUNT_FAULTS = {
    "halff(3)": "did you mean 'half'?",
    "half(attr(target,STRENGTH))": "unknown attribute 'STRENGTH'",
    "half(attr(targt,END))": None,
    "half(3": "ends too early",
    "half()": "unknown amount '\\)'",
    "sub(1,2,3)": "gives sub 3 argument",
    "add(1)": "gives add 1 argument",
    "1D8": "unknown dice '1D8'",
    "3 4": "goes on after its end",
    "event.harm": "unknown amount 'event.harm'",
    "counters(this.time)": "names no counter",
    "half": "without its arguments",
    "2 %": "is no amount",
    "2+round": "a number, or a call such as add",
}


@pytest.mark.parametrize("text", AMOUNT_FAULTS)
def test_a_wrong_amount_is_explained(text):
    expected = AMOUNT_FAULTS[text]
    if expected is None:
        assert "nothing binds the name 'targt'" in faults(do({"op": "heal", "n": text}))
        return
    from pydantic_core import PydanticCustomError

    with pytest.raises(PydanticCustomError, match=expected):
        Amount.read(text)


@given(st.text(alphabet="abcXD(),.0123456789 -half", max_size=24))
def test_no_text_breaks_the_amount_parser(text):
    from pydantic_core import PydanticCustomError

    try:
        read = Amount.read(text)
    except PydanticCustomError:
        return
    assert Amount.read(str(read)) == read


# ---------- conditions and modifiers


def test_conditions_keep_their_arguments():
    read = Condition.read({"and": [{"lt": ["event.damage", "attr(self,AGI)"]}, {"not": {"has_marker": ["target", "HURT"]}}]})
    assert read.plain() == {"all_of": [{"lt": ["event.damage", "attr(self,AGI)"]}, {"not": {"has_marker": ["target", "HURT"]}}]}
    assert Condition.read(read.plain()) == read


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ({"hass_marker": ["self", "A"]}, "did you mean 'has_marker'?"),
        ({"lt": [1]}, "takes 2 argument(s), got 1"),
        ({"lt": [1, 2], "gt": [1, 2]}, "exactly one key"),
        ({"has_marker": ["self", "hurt"]}, "in capitals"),
        ({"in_zone": ["this", "mementoo"]}, "did you mean 'memento'?"),
        ({"attack_is": {"rnge": "Direct"}}, "unknown key 'rnge'"),
    ],
)
def test_a_wrong_condition_is_explained(condition, message):
    assert message in faults(do({"op": "if", "cond": condition, "then": []}))


@pytest.mark.parametrize(
    ("modifier", "message"),
    [
        ({"q": "atr.STR", "add": 1}, "did you mean 'attr.STR'?"),
        ({"q": "attr.STR"}, "exactly one of add, mul and set, this one has none"),
        ({"q": "attr.STR", "add": 1, "mul": 2}, "this one has add, mul"),
        ({"q": "rule.flying", "add": 1}, "can only be set"),
        ({"q": "rule.flying", "set": 3}, "expected true or false"),
        ({"q": "range.type", "set": "Arced"}, "did you mean 'Area'?"),
        ({"q": "attr.STR", "add": 1, "until": "end_of_tur"}, "did you mean 'end_of_turn'?"),
        ({"q": "attr.STR", "add": 1, "per": {"counter": "A", "cards": "this"}}, "counts exactly one of"),
    ],
)
def test_a_wrong_modifier_is_explained(modifier, message):
    assert message in faults({"activation": "Permanent", "mods": [modifier]})


def test_half_is_a_multiplier():
    assert Modifier.model_validate({"q": "damage.taken", "mul": "half"}).mul == "half"


# ---------- effects


EFFECT_FAULTS = [
    ({"activation": "Permanant", "mods": []}, "did you mean 'Permanent'?"),
    ({"activation": "Permanent"}, "needs 'mods'"),
    (do({"op": "heal", "n": 1}, mods=[{"q": "attr.STR", "add": 1}]), "'mods' belong to Permanent effects"),
    ({"activation": "Auto", "do": [{"op": "heal", "n": 1}]}, "an Auto effect needs a timing or a 'when'"),
    ({"activation": "Permanent", "limits": ["AllIn"], "mods": [{"q": "attr.STR", "add": 1}]}, "cannot be AllIn"),
    (do(), "the effect does nothing"),
    (do({"op": "hael", "n": 1}), "unknown op 'hael'; allowed: "),
    (do({"op": "hael", "n": 2}), "; did you mean 'heal'?"),
    (do({"op": "heal", "m": 1, "n": 2}), "unknown key 'm'; allowed: cap, n, op, to"),
    (do({"op": "heal"}), "the key 'n' is missing"),
    (do({"op": "negate", "what": "attack"}), "answers something"),
    (do({"op": "reroll"}), "changes a running roll"),
    (do({"op": "heal", "n": "X"}), "no 'pay' chooses it"),
    (do({"op": "move_card", "cards": "k", "to": "discard"}), "nothing binds the name 'k'"),
    (do({"op": "heal", "n": 1}, timings=["OnPlya"]), "did you mean 'OnPlay'?"),
    (do({"op": "heal", "n": 1}, requires=[{"wen": {}}]), "unknown key 'wen'"),
    (do({"op": "heal", "n": 1}, requires=[{"pay": {"ap": 1, "hp": 1}}]), "pays exactly one of"),
    (do({"op": "heal", "n": 1}, requires=[{"pay": {"ap": 1}, "if": {"dead": "self"}}]), "has exactly one key"),
    (do({"op": "heal", "n": 1}, requires=[{"when": {"event": "atack"}}]), "did you mean 'attack'?"),
    (
        do({"op": "heal", "n": 1}, requires=[{"when": {"event": "attack"}}, {"when": {"event": "death"}}]),
        "at most one 'when'",
    ),
    (
        do({"op": "heal", "n": 1}, limits=["YourTurnOnly"], timings=["OpponentStartPhase"]),
        "the effect can never run",
    ),
    ({"activation": "Activate", "campaign": True, "do": [{"op": "heal", "n": 1}]}, "nothing to do in a battle"),
    (do({"op": "choose"}), "exactly one of of (lists), cards and chars"),
]


@pytest.mark.parametrize(("effect", "message"), EFFECT_FAULTS, ids=[message for _, message in EFFECT_FAULTS])
def test_a_wrong_effect_is_explained(effect, message):
    assert message in faults(effect)


def test_faults_that_depend_on_the_card():
    to_target = do({"op": "heal", "to": "target", "n": 1})
    assert "nothing selects one" in of_card(suit="Item", effects=[to_target])
    assert of_card(suit="Item", effects=[to_target], range={"type": "Direct", "constant": 2}) == ""
    assert of_card(suit="Item", effects=[{**to_target, "requires": [{"target": "allies"}]}]) == ""
    own = {"activation": "Auto", "timings": ["ThisCharacterStartPhase"], "do": [{"op": "heal", "n": 1}]}
    assert "only Companions have it" in of_card(suit="Item", effects=[own])
    technique = do({"op": "heal", "n": 1}, technique=0)
    assert "so there is no technique 0" in of_card(suit="Companion", companion_type="Human", effects=[technique])


def test_programs_may_use_what_they_bind():
    effect = do(
        {"op": "roll", "dice": "1D6", "bind": "r"},
        {"op": "heal", "n": "mul(10,r)"},
        {"op": "move_card", "cards": {"zone": "inventory", "n": 1}, "to": "discard", "bind": "c"},
        {"op": "move_card", "cards": "c", "to": "inventory"},
        requires=[{"pay": {"energy": ["SP", "MP"], "n": "X"}}],
    )
    read = TypedEffect.model_validate(effect)
    assert read.written() == effect


def test_no_effect_of_a_reader_is_too_deep_to_refuse():
    deep: dict[str, object] = {"op": "heal", "n": 1}
    for _ in range(200):
        deep = {"op": "may", "do": [deep]}
    with pytest.raises((ValidationError, RecursionError)):
        TypedEffect.model_validate({"activation": "Activate", "do": [deep], "mods": 3})


def test_the_written_form_is_plain_json(starter):
    for card in starter.cards:
        for effect in card.effects:
            assert isinstance(effect, TypedEffect)
            assert json.loads(json.dumps(effect.written())) == effect.written()
