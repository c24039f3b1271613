"""Positions of the exercise: they hold what an effect speaks of, can be played, and silence is explained."""

from collections import Counter

import numpy as np
import pytest

from apotheosis.env.cards.exercise_props import Needs, props_for, serves
from apotheosis.env.cards.exercise_scenes import Scenes
from apotheosis.env.cards.exercise_silence import reason
from apotheosis.env.cards.language.effect import TypedEffect
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.cards.traits import has_tag
from apotheosis.env.vocabulary import Suit


def needs_of(**effect):
    return Needs.of([effect])


def props_of(needs, requirements=()):
    return [prop.card for prop in props_for(needs, list(requirements))]


def test_a_prop_has_what_a_filter_asks_for():
    needs = needs_of(mods=[{"q": "cost.ap", "add": -1, "card": {"suit": "Item", "tag": "Archery", "cost": {"ap_ge": 4}}}])
    fitting = [card for card in props_of(needs) if has_tag(card, "Archery")]
    assert [(card.suit_code, card.action) for card in fitting] == [(Suit.Item, 4)]


def test_a_prop_lies_where_its_filter_looks():
    needs = needs_of(mods=[{"q": "attr.END", "add": 1, "per": {"cards": {"zone": "scenario", "suit": "Event", "tag": "Rain"}}}])
    (prop,) = [prop for prop in props_for(needs, []) if has_tag(prop.card, "Rain")]
    assert prop.zones == ("scenario",)


def test_a_bonus_to_checks_gets_a_check_of_its_attribute():
    needs = needs_of(mods=[{"q": "check.bonus", "add": 3, "by": {"attr": "INT"}}])
    effects = [effect for card in props_of(needs) for effect in card.effects if isinstance(effect, TypedEffect)]
    steps = [step for effect in effects for step in effect.written()["do"]]
    assert {step["attr"] for step in steps if step["op"] == "check"} == {"INT"}
    assert not [card for card in props_of(needs_of(do=[{"op": "draw", "n": 1}])) if "Check" in card.id]


def test_markers_counters_and_bounds_are_found_wherever_they_stand():
    needs = needs_of(
        requires=[{"pay": {"counter": "BONES", "n": 1}}, {"if": {"ge": ["last.damage", 35]}}],
        do=[{"op": "remove_marker", "marker": "CRIMSON", "from": "self"}],
    )
    assert (needs.counters, needs.markers, needs.numbers) == ({"BONES"}, {"CRIMSON"}, {35})


@pytest.mark.parametrize("word", ["Skill", "Arcane", "Forge", "Arrow"])
def test_a_requirement_of_a_technique_is_served(word):
    assert any(serves(card, word) for card in props_of(needs_of(), [word]))


@pytest.mark.parametrize("suit", [suit for suit in Suit if suit.name != "Absent"])
def test_positions_of_every_suit_can_be_played(suit):
    pool = load_pool("starter")
    number = next(k for k, card in enumerate(pool.cards) if card.suit_code == suit and pool.readings[k])
    scenes = Scenes(pool, number)
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(6):
        match = scenes.position(scenes.pool, scenes.draw(rng), range(5))
        held += int((match.state["ident"] == 0).sum())
        for _ in range(10):
            if match.over:
                break
            match.apply(int(rng.choice(match.legal())))
        assert not match.fault
    assert held > 0


def test_in_the_set_up_the_heroes_find_room_in_their_rows(monkeypatch):
    monkeypatch.setattr(Scenes, "_phase", lambda self, rng: "setup")
    pool = load_pool("starter")
    number = next(k for k, card in enumerate(pool.cards) if card.suit_code == Suit.Companion and pool.readings[k])
    scenes = Scenes(pool, number)
    rng = np.random.default_rng(1)
    for _ in range(40):
        scene = scenes.draw(rng)
        standing = Counter(piece["at"][1] for part in ("companions", "objects") for piece in scene.get(part, {}).values())
        room = 4 - scene["format"]["team_size"]
        assert standing[0] <= room and standing[3] <= room
        assert not {0, 3} & {int(tile.split(",")[1]) for tile in scene.get("tiles", {})}


def test_a_drawn_position_is_the_same_for_the_same_seed():
    pool = load_pool("starter")
    scenes = Scenes(pool, 0)
    assert scenes.draw(np.random.default_rng(4)) == scenes.draw(np.random.default_rng(4))


def test_silence_is_told_apart():
    tree = {"activation": "Activate", "requires": [{"if": {"dead": "target"}}], "do": []}
    assert reason(tree, 3, 9, Counter(), False) == "activated 3 times without any change; it depends on {dead: target}"
    assert reason(tree, 0, 9, Counter(), True) == "its condition was never true when it mattered: {dead: target}"
    assert reason(tree, 0, 9, Counter(LEGAL=2), False).startswith("allowed 2 times")
    assert reason(tree, 0, 0, Counter(ENERGY=5, AP=1), False) == "never allowed: too little energy (R7.5.1), 5 of 6 times"
    heard = {"activation": "Auto", "timings": ["OnExit"]}
    assert reason(heard, 0, 0, Counter(), False).endswith("it could not be paid then: OnExit")
    stands = {"activation": "Permanent", "mods": [{"q": "hp.max", "add": 1}]}
    assert reason(stands, 0, 0, Counter(), False).endswith("hp.max")
