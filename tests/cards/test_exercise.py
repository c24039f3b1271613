"""Exercise of effects: what works is seen at work, what cannot work is not."""

import numpy as np
import pytest

from apotheosis.env.cards.exercise import exercise, hollowed, seen, with_sheets
from apotheosis.env.cards.loader import load_cards
from apotheosis.env.cards.pool import make_pool
from apotheosis.env.rules.codes import Fault, Trait
from apotheosis.env.rules.layout import MATCH


def pool_of(tmp_path, effect, bar=""):
    file = tmp_path / "cards.yaml"
    file.write_text(f"- {{id: T_Card, suit: Item, level: 1, knowledge: Free, rarity: Common, {bar}effects: [{effect}]}}\n")
    return make_pool(load_cards(file))


@pytest.mark.slow
def test_an_effect_is_seen_by_what_it_changes(tmp_path):
    pool = pool_of(tmp_path, "{activation: Permanent, mods: [{q: attr.STR, add: 2}]}")
    (found,) = exercise(pool)["T_Card"]
    assert found.fired
    assert found.evidence.startswith("position ")


@pytest.mark.slow
def test_an_effect_whose_condition_never_holds_is_not_seen(tmp_path):
    pool = pool_of(tmp_path, "{activation: Activate, requires: [{if: {gt: [stint, 999]}}], do: [{op: heal, to: self, n: 10}]}")
    (found,) = exercise(pool)["T_Card"]
    assert not found.fired
    assert found.evidence == "its condition was never true when it mattered: {gt: [stint, 999]}"


def test_a_hollow_effect_keeps_its_row_and_loses_what_it_does(tmp_path):
    waived = "{activation: Permanent, mods: [{q: requirement.knowledge, set: waived, card: this}]}"
    pool = with_sheets(pool_of(tmp_path, waived))
    record = pool.record
    number = pool.number("T_Card")
    row = int(record["card"][0][number]["effect_first"])
    assert record["card"][0][number]["traits"] & Trait.SIMPLE
    hollow = hollowed(record, row, int(record["words"][0]))
    assert not hollow["card"][0][number]["traits"] & Trait.SIMPLE
    assert np.array_equal(hollow["card"][0][:number], record["card"][0][:number])


def test_a_hollow_attack_reaches_nobody_further(tmp_path):
    splash = "{activation: Activate, do: [{op: splash, to: {pieces: within, n: 1, of: target}}]}"
    pool = pool_of(tmp_path, splash, "action: 1, damage: {attribute: STR}, range: {type: Direct, constant: 2}, ")
    row = int(pool.record["card"][0][0]["effect_first"])
    assert pool.record["effect"][0][row]["blast"] >= 0
    assert hollowed(pool.record, row, int(pool.record["words"][0]))["effect"][0][row]["blast"] == -1


def test_an_error_of_the_kernel_is_no_work_of_an_effect(tmp_path, monkeypatch):
    monkeypatch.setattr("apotheosis.env.cards.exercise.SCENES", 1)
    monkeypatch.setattr("apotheosis.env.cards.exercise.MATCHES", 0)
    monkeypatch.setattr("apotheosis.env.match.Match.fault", Fault.ZONE_FULL)
    pool = pool_of(tmp_path, "{activation: Permanent, mods: [{q: attr.STR, add: 2}]}")
    (found,) = exercise(pool)["T_Card"]
    assert not found.fired
    assert found.fault == "position 1, decision 0: ZONE_FULL"


def test_what_the_kernel_keeps_for_itself_is_no_work_of_an_effect():
    matches, other = np.zeros(1, MATCH), np.zeros(1, MATCH)
    other["steps"], other["active"], other["sp"] = 7, 2, 0
    other["frame"][0, 0]["card"] = 5
    assert seen(matches) == seen(other)
    other["hp"][0, 0] = 1
    assert seen(matches) != seen(other)
