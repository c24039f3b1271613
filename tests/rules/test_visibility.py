"""Which zones everybody sees (A3.3, R4.1, R4.2, R4.3, R4.4, R4.5, R4.6, R4.7, R4.8); activated cards are shown (R7.1.2)."""

from pathlib import Path

import pytest

from apotheosis.env.rules.codes import Zone
from apotheosis.env.rules.shadow import uncompiled_door
from apotheosis.env.rules.tokens import Sight
from apotheosis.env.rules.view import sight
from apotheosis.env.scenario.play import Player
from apotheosis.env.scenario.position import build
from apotheosis.env.scenario.read import read_scenario

POSITION = """
scenario: every zone holds a card
format: {board: [3, 4], hero_level: 7, draw_per_turn: 0}
cards:
  - {id: T_Home, suit: House, level: 1, rarity: Common, attributes: {END: 4, STR: 4, AGI: 4, PER: 4, INT: 4, CHA: 4, SPT: 4}}
  - {id: T_Order, suit: Class, level: 1, rarity: Common, path: Sun}
  - {id: T_Spirit, suit: Entity, level: 1, order: Spirit, rarity: Common}
  - {id: T_Stone, suit: Item, level: 1, knowledge: Free, rarity: Common}
  - {id: T_Fog, suit: Event, level: 1, knowledge: Free, rarity: Common}
  - id: T_Plan
    suit: Event
    level: 1
    knowledge: Free
    rarity: Common
    action: 0
    effects: [{activation: Activate, do: [{op: may, do: [{op: heal, to: self, n: 10}]}]}]
characters:
  Ana:
    team: A
    at: [1, 0]
    level: 7
    house: T_Home
    classes: [T_Order]
    entity: T_Spirit
    slots: {equipment: 3}
    table: [{card: T_Stone, attachments: [T_Stone]}]
    hand: [T_Stone, {card: T_Stone, revealed: true}, T_Plan]
    deck: [T_Stone]
    discard: [T_Stone]
    limbo: [T_Stone]
    banished: [T_Stone]
  Bia: {team: B, at: [1, 3]}
scenario_zone: [T_Fog]
initiative: [Ana, Bia]
turn: Ana
steps: []
"""
SEEN = {
    Zone.EQUIPMENT: Sight.KNOWN, Zone.ATTACHED: Sight.KNOWN, Zone.DISCARD: Sight.KNOWN, Zone.LIMBO: Sight.KNOWN,
    Zone.BANISHED: Sight.KNOWN, Zone.SCENARIO: Sight.KNOWN, Zone.DECK: Sight.UNSEEN, Zone.RESOLVING: Sight.KNOWN,
}  # fmt: skip


@uncompiled_door
def sight_of(matches, team, card):
    return sight(matches[0], team, card)


@pytest.fixture
def player(tmp_path: Path) -> Player:
    file = tmp_path / "zones.yaml"
    file.write_text(POSITION, encoding="utf-8")
    return Player(build(read_scenario(file)))


def test_the_opponent_sees_what_the_zone_says(player: Player) -> None:
    match = player.match
    for name, copy in player.position.copies.items():
        zone = Zone(int(match.state["zone"][copy]))
        if zone in SEEN:
            assert sight_of(match.matches, 1, copy) == SEEN[zone], name
            assert name == "T_Fog" or sight_of(match.matches, 0, copy) == Sight.KNOWN, name


def test_sheets_are_public_and_a_sleeping_entity_is_present_only(player: Player) -> None:
    copies, matches = player.position.copies, player.match.matches
    assert sight_of(matches, 1, copies["T_Home"]) == Sight.KNOWN
    assert sight_of(matches, 1, copies["T_Order"]) == Sight.KNOWN
    assert sight_of(matches, 1, copies["T_Spirit"]) == Sight.PRESENT
    assert sight_of(matches, 0, copies["T_Spirit"]) == Sight.KNOWN


def test_of_a_hand_only_revealed_cards_are_known(player: Player) -> None:
    copies, match = player.position.copies, player.match
    hand = [copy for copy in copies.values() if match.state["zone"][copy] == Zone.HAND]
    assert [sight_of(match.matches, 1, copy) for copy in hand] == [Sight.UNSEEN, Sight.KNOWN, Sight.UNSEEN]


def test_an_activated_card_of_the_hand_is_known_while_it_resolves(player: Player) -> None:
    plan = player.position.copies["T_Plan"]
    assert sight_of(player.match.matches, 1, plan) == Sight.UNSEEN
    player.run([{"do": {"who": "Ana", "action": "ACT_USE_HAND", "card": "T_Plan"}}], ("steps",))
    assert player.match.state["zone"][plan] == Zone.RESOLVING
    assert sight_of(player.match.matches, 1, plan) == Sight.KNOWN
