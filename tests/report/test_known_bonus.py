"""V16 on the rules themselves: the report names the card with a known bonus and the one with a known penalty, no other."""

import json

import pytest

from apotheosis.env.cards.loader import load_cards
from apotheosis.env.cards.yaml_file import flow, plain, write_yaml
from apotheosis.experiments import cli, run
from apotheosis.experiments.report.analysis import analyse
from apotheosis.experiments.report.reading import open_run
from apotheosis.experiments.report.sentences import first_section
from apotheosis.experiments.report.suggest import Advice
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.spec import load_spec

HOUSES, ITEMS = 10, 24
STRONG, WEAK = 3, 6
BONUS = {STRONG: ("damage.taken", -1), WEAK: ("damage.dealt", -1)}
"""One point less of all damage that the House's Hero suffers, or deals: worth four points of the win rate."""
AXE = {
    "suit": "Item",
    "level": 1,
    "rarity": "Common",
    "knowledge": "Free",
    "price": 5,
    "action": 2,
    "damage": {"attribute": "STR", "constant": 2, "dice": "1D6"},
    "range": {"type": "Direct", "constant": 1},
}


def write_cards(path):
    """Writes cards that are all alike but for their names and the change of two Houses, which are always in play."""
    starter = {card.id: card for card in load_cards("starter")}
    house = {key: value for key, value in plain(starter["Tarnhollow"]).items() if not key.startswith("name")}
    cards = []
    for number in range(HOUSES):
        card = {**house, "id": f"House{number}"}
        if number in BONUS:
            quantity, more = BONUS[number]
            card["effects"] = [{"activation": "Permanent", "mods": [{"q": quantity, "add": more}]}]
        cards.append(card)
    cards += [{"id": f"Axe{number:02d}", **AXE} for number in range(ITEMS)]
    classes = [card for card in starter.values() if card.suit_code.name == "Class" and not card.effects]
    path.write_text(write_yaml(classes) + "".join(f"- {flow(card)}\n" for card in cards), encoding="utf-8")
    return path


@pytest.mark.slow
def test_v16_the_report_names_the_strengthened_and_the_weakened_card_first_and_no_other(tmp_path):
    settings = {
        "cards.pool": str(write_cards(tmp_path / "cards.yaml")),
        "decks.generator": "uniform",
        "decks.n": 5000,
        "format.hero_level": 1,
        "run.pairs": 6000,
        "run.seed": 4,
        "bots.pool": "greedy",
    }
    folder, plan, pool = run.start(load_spec(settings=settings), tmp_path / "run")
    run.play(folder, plan, pool).check()
    found = analyse(open_run(folder))
    cards = found.cards.set_index("card_id")
    flagged = cards[cards["verdict"].isin(["too_strong", "too_weak"])]
    assert flagged["verdict"].to_dict() == {f"House{STRONG}": "too_strong", f"House{WEAK}": "too_weak"}
    first = first_section(found.cards, found.band, Words("en"), None, Advice(None))["rows"]
    assert {row["name"] for row in first[:2]} == {f"House{WEAK}", f"House{STRONG}"}
    assert 0.03 < cards.loc[f"House{STRONG}", "effect"] < 0.05
    assert -0.05 < cards.loc[f"House{WEAK}", "effect"] < -0.03
    assert cards["effect"].drop(list(flagged.index)).abs().max() < 0.01


@pytest.mark.slow
def test_v16_a_changed_name_is_within_in_at_least_nine_of_ten_tests(tmp_path, capsys):
    spec = tmp_path / "aa.toml"
    spec.write_text("[design]\ncommon_seeds = false\n", encoding="utf-8")
    verdicts = []
    for seed in range(1, 11):
        options = ["--card", "OakCudgel", "--set", "name=Other", "--bots", "greedy", "--max-pairs", "4000", "--json"]
        code = cli.main(["test", str(spec), *options, "--seed", str(seed), "--out", str(tmp_path / str(seed))])
        verdicts.append(json.loads(capsys.readouterr().out)["verdict"])
        assert (code == 10) == (verdicts[-1] == "within")
    assert verdicts.count("within") >= 9, verdicts
