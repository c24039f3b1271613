"""What the ledger counts for whom."""

from pathlib import Path

from apotheosis.env.rules.layout import CARDS
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
