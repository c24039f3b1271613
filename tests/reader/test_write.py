"""Rules text out: what is rendered in Portuguese reads back as the same tree."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from apotheosis.env.cards.text import notation
from apotheosis.env.cards.text.header import KEYWORDS
from apotheosis.env.cards.text.reader import language_fault, read_effect
from apotheosis.env.cards.text.write import write_effect

STARTER = sorted((Path(__file__).resolve().parents[2] / "env" / "cards" / "data").glob("starter_*.yaml"))

leaves = st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=12) | st.sampled_from(sorted(notation.WORDS))
keys = st.sampled_from(sorted(notation.WORDS)) | st.text(max_size=6)
plain_trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=12
)


@given(plain_trees, st.sampled_from(["pt", "en"]))
def test_the_plain_notation_loses_nothing(tree, language):
    assert notation.read(notation.write(tree, language), language) == tree


@pytest.mark.parametrize("text", ["(", "[1; 2", "(a b)", "(a: )", "“open", "1 2", "(a: 1) x", ""])
def test_a_broken_plain_notation_is_an_error(text):
    with pytest.raises(ValueError):
        notation.read(text, "pt")


def test_no_two_words_of_the_notation_are_the_same():
    assert len(set(notation.WORDS.values())) == len(notation.WORDS)
    assert len({pt for pt, _ in KEYWORDS.values()}) == len(KEYWORDS)


numbers = st.integers(1, 9)
signed = st.integers(-9, 9).filter(bool)
attributes = st.sampled_from(["END", "STR", "AGI", "PER", "INT", "CHA", "SPT"])
knowledges = st.sampled_from(["Faith", "Arcane", "Vital", "Mental", "Art", "Cunning"])
tags = st.sampled_from(["Cut", "Blunt", "Magic", "Silver Ice", "Fire", "Dark"])
groups = st.sampled_from(["allies", "enemies", "other_allies", "all"])
members = st.one_of(
    tags.map(lambda t: {"tag": t}),
    knowledges.map(lambda k: {"knowledge": k}),
    st.lists(tags, min_size=2, max_size=3, unique=True).map(lambda t: {"any_tag": t}),
)
modifiers = st.one_of(
    st.builds(lambda n, by: {"q": "damage.dealt", "add": n, "by": by}, signed, members),
    st.builds(lambda n, by: {"q": "damage.taken", "add": n, "by": by}, signed, members),
    st.builds(lambda n, a: {"q": "check.bonus", "add": n, "by": {"attr": a}}, signed, attributes),
    st.builds(lambda n, a, on: {"q": f"attr.{a}", "add": n, "on": on}, signed, attributes, groups),
    st.builds(lambda n, k: {"q": "knowledge", "add": n, "by": {"knowledge": k}}, numbers, knowledges),
    st.builds(lambda on: {"q": "rule.no_revive", "set": True, "on": on}, groups),
)
costs = st.one_of(
    st.builds(lambda n: {"pay": {"ap": n}}, numbers),
    st.builds(lambda n: {"pay": {"hp": n}}, numbers),
    st.builds(lambda n, e: {"pay": {"energy": [e], "n": n}}, numbers, st.sampled_from(["SP", "MP"])),
    st.builds(lambda n, c: {"pay": {"currency": c, "n": n}}, numbers, st.sampled_from(["FATE", "XP", "WILL"])),
    st.builds(lambda k: {"pay": {"discard": {"n": 1, "filter": {"knowledge": k}}}}, knowledges),
)
operations = st.one_of(
    st.builds(lambda n: {"op": "heal", "to": "self", "n": n}, numbers),
    st.builds(lambda n, r: {"op": "gain", "to": "self", "res": r, "n": n}, numbers, st.sampled_from(["SP", "MP", "AP", "RED"])),
    st.builds(lambda n: {"op": "lose_hp", "who": "self", "n": n}, numbers),
    st.builds(lambda m: {"op": "remove_marker", "marker": m, "from": "self"}, st.sampled_from(["HURT", "SLEEP"])),
    st.builds(
        lambda c, n: {"op": "add_counter", "counter": c, "to": "this", "n": n}, st.sampled_from(["UNIT", "TIME"]), numbers
    ),
    st.builds(lambda a, n: {"op": "mod", "q": f"attr.{a}", "add": n, "until": "end_of_battle"}, attributes, signed),
    st.builds(lambda n: {"op": "move_piece", "who": "self", "mode": "walk", "n": [0, n], "unit": "tiles"}, numbers),
    st.just({"op": "recover", "cards": "this"}),
    st.just({"op": "draw", "deck": "deck", "n": 2}),
    st.just({"op": "skip_turn", "who": "enemies"}),
)
windows = st.sampled_from(
    [
        [],
        [{"when": {"event": "damage_taken", "who": "self"}}],
        [{"when": {"event": "death", "who": "allies"}}],
        [{"when": {"event": "card_activated", "who": "any"}}],
        [{"if": {"in_zone": ["this", "equipment"]}}],
        [{"if": {"has_marker": ["self", "STEALTH"]}}],
    ]
)


@st.composite
def effects(draw):
    """Well-formed effects of the common shapes, and some without rulebook wording."""
    if draw(st.booleans()):
        return {"activation": "Permanent", "mods": draw(st.lists(modifiers, min_size=1, max_size=2))}
    effect = {"activation": "Activate"}
    timings = draw(st.lists(st.sampled_from(["Attacking", "YourStartPhase", "OnPlay"]), max_size=1))
    if timings:
        effect["timings"] = timings
    limits = draw(st.lists(st.sampled_from(["OncePerStint", "AllIn"]), max_size=2, unique=True))
    if limits:
        effect["limits"] = limits
    requires = [*draw(windows), *draw(st.lists(costs, max_size=1))]
    if requires:
        effect["requires"] = requires
    effect["do"] = draw(st.lists(operations, min_size=1, max_size=3))
    return effect


@given(effects())
def test_rendered_portuguese_reads_back_as_the_same_effect(cards, effect):
    assert not language_fault(effect)
    text = write_effect(effect, "pt", cards.plain())
    back = read_effect({"Text": text}, cards.plain())
    assert back.status == "read", (text, back.reason)
    assert back.tree == [effect], text


@given(effects())
def test_english_is_rendered_for_every_effect(cards, effect):
    text = write_effect(effect, "en", cards.plain())
    assert text.startswith("«") and "{" not in text.replace("{D_", "")


def test_the_wording_is_that_of_the_rulebook():
    effect = {
        "activation": "Activate",
        "limits": ["OncePerStint"],
        "requires": [{"when": {"event": "damage_taken", "who": "self"}}, {"pay": {"currency": "FATE", "n": 2}}],
        "do": [{"op": "negate", "what": "damage"}],
    }
    assert (
        write_effect(effect, "pt")
        == "«Ativar; Uma vez por Ciclo» 【Quando você sofrer {DMG}】【Descarte 2 de {FATE}】Negue o {DMG}."
    )
    assert (
        write_effect(effect, "en")
        == "«Activate; Once per Stint» 【When you suffer damage】【Discard 2 of FATE】Negate the damage."
    )


def test_every_shipped_starter_effect_reads_back():
    from apotheosis.env.cards.schema import CardBase  # noqa: F401

    found = 0
    for file in STARTER:
        for card in YAML(typ="safe").load(file.read_text(encoding="utf-8")) or []:
            for effect in card.get("effects", []):
                if "text" in effect or effect.get("campaign"):
                    continue
                carrier = {
                    "Id": card["id"],
                    "Suit": card["suit"],
                    "ModifiedDate": "2026.01.01-00.00.00",
                    "Techniques": [{}] * 8,
                }
                text = write_effect(effect, "pt", carrier)
                assert read_effect({"Text": text}, carrier, effect.get("technique")).tree == [effect], text
                found += 1
    if not found:
        pytest.skip("the starter cards have no typed effects yet")
