"""What the ledger counts for whom."""

from pathlib import Path

import numpy as np

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.match import play_batch
from apotheosis.env.rules.codes import Bot
from apotheosis.env.rules.layout import CARDS, COPIES, DECK_SLOT
from apotheosis.env.scenario.play import Player
from apotheosis.env.scenario.position import build
from apotheosis.env.scenario.read import read_scenario


def test_what_a_companion_does_by_itself_is_counted_for_its_card(root: Path) -> None:
    scenario = read_scenario(root / "tests" / "scenarios" / "companions" / "moves_with_its_own_ap.yaml")
    position = build(scenario)
    position.match.matches["ledger_on"] = 1
    Player(position).run(scenario.get("steps"), ("steps",))
    rex = int(position.match.state["body"][position.char("Rex")])
    ledger = position.pool.record["ledger"][0]
    assert (ledger["damage_caused"][rex], ledger["hp_removed"][rex]) == (8, 20)
    assert ledger["damage_caused"][:CARDS].sum() == 8


def test_whose_requirement_was_met_at_some_time_is_usable() -> None:
    pool = load_pool("starter")
    lineups, seeds = Dealer(pool, ArenaFormat()).deal(np.random.default_rng(3), 60)
    played = play_batch(pool, lineups, seeds, np.full((60, 2), int(Bot.RANDOM)), ledger=True)
    assert played.cards is not None
    ledger = played.cards[:, : 2 * COPIES]  # one Hero a side
    of_deck = (ledger["ident"] >= 0) & (np.arange(ledger.shape[1]) % COPIES >= DECK_SLOT)
    acted = of_deck & ((ledger["placed"] > 0) | (ledger["activated"] > 0))
    assert acted.sum() > 300
    assert (ledger["usable"][acted] != 0).mean() > 0.99  # what another card plays needs no knowledge
    drawn = of_deck & (ledger["drawn_turn"] >= 0)
    assert 0 < (ledger["usable"][drawn] == 0).sum() < drawn.sum() / 2
