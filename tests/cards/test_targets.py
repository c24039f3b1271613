"""Targets of effects: those that a program speaks of are selected, or the effect is refused."""

import pytest

from apotheosis.env.cards.compile_effects import refusal
from apotheosis.env.cards.language.effect import TypedEffect


def refused(attacks=False, **tree):
    return refusal(TypedEffect.model_validate({"activation": "Activate", **tree}), attacks=attacks)


def test_a_declared_effect_selects_the_target_that_it_speaks_of():
    assert refused(do=[{"op": "lose_hp", "who": "target", "n": 50}]) is None
    assert refused(do=[{"op": "move_piece", "who": "self", "mode": "place", "to": {"tile": "target"}}]) is None


@pytest.mark.parametrize("timing", ["Attacking", "YourStartPhase"])
def test_an_answer_to_an_event_has_no_target_of_its_own(timing):
    reason = refused(activation="Auto", timings=[timing], do=[{"op": "lose_hp", "who": "target", "n": 50}])
    assert reason == "the rules kernel does not run a target that nothing selects"


def test_a_character_and_a_tile_are_not_both_the_target():
    move = {"op": "move_piece", "who": "self", "mode": "place", "to": {"tile": "target"}}
    reason = refused(do=[{"op": "heal", "to": "target", "n": 10}, move])
    assert reason == "the rules kernel does not run a target that nothing selects"


def test_an_attack_has_no_second_target():
    tile = {"target": {"tile": "adjacent_to"}}
    assert "beside the target" in str(refused(attacks=True, requires=[tile], do=[{"op": "draw"}]))


BONUS = {"op": "mod", "q": "attack.damage", "add": 2, "until": "this_attack"}


def test_a_bonus_to_the_own_attack_may_depend_on_a_condition_but_not_on_a_choice():
    assert refused(attacks=True, do=[{"op": "if", "cond": {"eq": ["roll.main", 1]}, "then": [BONUS]}]) is None
    chosen = refused(attacks=True, do=[{"op": "choose", "of": [[BONUS], [{"op": "draw"}]]}])
    assert chosen == "the rules kernel does not run a change of the own attack that is chosen"


def test_a_bonus_to_the_own_attack_does_not_depend_on_what_comes_of_it():
    late = refused(attacks=True, do=[{"op": "if", "cond": {"caused_injury": "this_attack"}, "then": [BONUS]}])
    assert late == "the rules kernel does not run a change of the own attack that depends on its outcome"


def test_houses_and_classes_of_discard_piles_have_nothing_to_do():
    from apotheosis.env.cards.compile_effects import idle

    effect = TypedEffect.model_validate({"activation": "Activate", "do": [{"op": "native", "name": "swap_house"}]})
    assert "R24.4" in (idle(effect) or "")
