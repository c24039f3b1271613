"""Every "no" comes with a sentence and a rule that exists, and agrees with the mask (ARENA A6)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apotheosis.env import rulebook
from apotheosis.env.explain import ANSWERS, SCOPE_OF_KIND, SCOPE_RULES, TASK_RULES, Case, explain
from apotheosis.env.rules.codes import Act, Decision, Kind, Life, Phase, Reason, Zone
from apotheosis.env.rules.layout import COPIES
from apotheosis.env.vocabulary import Terrain

KINDS = (Kind.END_TURN, Kind.MOVE, Kind.NORMAL_ATTACK, Kind.REST)
CARD_KINDS = (Kind.USE_TABLE, Kind.USE_HAND, Kind.PLACE, Kind.WITHDRAW)


@pytest.fixture
def turn(deal):
    """Returns a function (seed) -> a match that asks a Hero for a turn action after the first stint began."""

    def found(seed=0):
        for moves in range(20, 200):
            match = deal(seed, moves)
            if not match.over and match.decision == Decision.TURN:
                return match
        raise AssertionError("no turn was reached")

    return found


def test_every_reason_but_legal_has_an_answer():
    assert set(ANSWERS) == set(Reason) - {Reason.LEGAL}


@pytest.mark.parametrize("reason", list(ANSWERS), ids=lambda reason: reason.name)
def test_every_answer_cites_a_rule_that_exists_in_plain_words(turn, reason):
    match = turn()
    hero = match.asked
    for kind in Kind:
        rule, words = ANSWERS[reason](Case(match, hero, kind, hero * COPIES + 5, 1 - hero, -1, 3, 2))
        assert rulebook.exists(rule)
        assert words
        assert "{" not in words


def test_rules_of_zones_scopes_and_tasks_exist():
    rules = [rule for rule, _ in SCOPE_OF_KIND.values()] + list(SCOPE_RULES) + list(TASK_RULES.values())
    assert all(map(rulebook.exists, rules))


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), moves=st.integers(10, 150))
def test_the_mask_and_the_explanation_agree(deal, seed, moves):
    match = deal(seed, moves)
    if match.over or match.decision != Decision.TURN:
        return
    hero = match.asked
    offered = {Kind(code - Act.KIND) for code in match.legal() if code < Act.CARD}
    for kind in KINDS:
        assert explain(match, hero, kind).legal == (kind in offered)
    for kind in CARD_KINDS:
        copies = [c for c in range(hero * COPIES, (hero + 1) * COPIES) if match.state["ident"][c] >= 0]
        assert any(explain(match, hero, kind, copy).legal for copy in copies) == (kind in offered)


def test_nothing_is_changed_by_asking(turn):
    match = turn()
    before = match.matches.copy()
    for kind in Kind:
        explain(match, match.asked, kind, match.asked * COPIES + 6, 1 - match.asked)
    assert (match.matches == before).all()


def test_too_few_action_points_are_named_with_both_values(turn):
    match = turn()
    match.state["ap"][match.asked] = 2
    answer = explain(match, match.asked, Kind.NORMAL_ATTACK, target=1 - match.asked)
    assert answer.sentence == "needs 3 AP, has 2 (R7.4.2)"
    assert (answer.needed, answer.had, answer.reason) == (3, 2, Reason.AP)


def test_a_step_without_points_cites_the_rule_of_steps(turn):
    match = turn()
    hero = match.asked
    match.state["ap"][hero] = 0
    tile = int(match.state["tile"][hero])
    near = tile + 1 if tile % 11 + 1 < match.state["width"] else tile - 1
    if match.state["piece"][near] < 0:
        assert explain(match, hero, Kind.MOVE, target=near).rule == "R15.8"


def test_a_step_far_away_and_into_water(turn):
    match = turn()
    hero = match.asked
    tile = int(match.state["tile"][hero])
    assert explain(match, hero, Kind.MOVE, target=120).rule == "R15.8"
    near = tile + 1 if tile % 11 + 1 < match.state["width"] else tile - 1
    match.state["terrain"][near] = Terrain.aqua
    assert explain(match, hero, Kind.MOVE, target=near).rule == "R15.5"
    match.state["terrain"][near] = Terrain.blocked
    assert explain(match, hero, Kind.MOVE, target=near).rule == "R15.4"


def test_the_other_side_is_told_that_it_is_not_its_turn(turn):
    match = turn()
    assert explain(match, 1 - match.asked, Kind.END_TURN).rule == "R16.7"


def test_the_dead_do_not_act(turn):
    match = turn()
    match.state["life"][match.asked] = Life.DEAD
    assert explain(match, match.asked, Kind.END_TURN).rule == "R14.1"


def test_a_card_in_the_wrong_zone_is_named_with_its_zone(turn):
    match = turn()
    hero = match.asked
    copy = next(c for c in range(hero * COPIES + 5, (hero + 1) * COPIES) if match.state["zone"][c] == Zone.DECK)
    answer = explain(match, hero, Kind.PLACE, copy)
    assert answer.rule == "R17.2"
    assert answer.sentence.endswith("must be in the hand, it is in: deck (R17.2)")
    assert explain(match, hero, Kind.USE_HAND, copy).rule == "R6.6.3"


def test_a_missing_knowledge_is_named_with_its_level(deal):
    told = set()
    for seed in range(30):
        match = deal(seed, 40)
        if match.over or match.decision != Decision.TURN:
            continue
        hero = match.asked
        for i in range(int(match.state["hand_n"][hero])):
            answer = explain(match, hero, Kind.PLACE, int(match.state["hold"][hero, i]))
            if answer.reason == Reason.KNOWLEDGE:
                told.add(answer.rule)
                assert "at level" in answer.sentence or "Hero Level" in answer.sentence
    assert "R3.6.3" in told


def test_an_all_in_after_an_action_is_refused(turn):
    match = turn()
    match.state["turn_spoiled"] = 1
    assert explain(match, match.asked, Kind.REST).rule == "R6.5.4"


def test_a_far_target_is_named_with_distance_and_range(turn):
    match = turn()
    hero = match.asked
    match.state["ap"][hero] = 9
    match.state["tile"][hero], match.state["tile"][1 - hero] = 0, 24
    answer = explain(match, hero, Kind.NORMAL_ATTACK, target=1 - hero)
    assert (answer.rule, answer.needed, answer.had) == ("R15.18", 4, 1)


def test_before_the_main_phase_nobody_acts(deal):
    match = deal(1)
    assert match.state["phase"] == Phase.SETUP
    rules = {explain(match, 0, kind).rule for kind in KINDS}
    assert rules == {"R16.7"}
