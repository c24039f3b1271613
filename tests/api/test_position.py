"""`apotheosis position`: a position with all that is legal, a reason for the rest, a bot's choice."""

import json

import numpy as np
import pytest

from apotheosis.env.arena import Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.explain import explain
from apotheosis.env.match import Match
from apotheosis.env.playouts import play_on
from apotheosis.env.refusals import legal_actions, refusals
from apotheosis.env.rulebook import exists
from apotheosis.env.rules.codes import Act, Decision, Kind
from apotheosis.experiments.cli import main

FILE = """\
scenario: a bow, a club and an exhausted Skill
rules: [R7.4.2]
format: {board: [3, 4], hero_level: 7, draw_per_turn: 0}
cards:
  - {id: T_Bow, suit: Item, level: 1, knowledge: Free, rarity: Common, action: 3,
     damage: {attribute: PER, dice: 1D6}, range: {type: Direct, constant: 4}}
  - {id: T_Club, suit: Item, level: 1, knowledge: Free, rarity: Common, action: 5,
     damage: {attribute: STR}, range: {type: Direct, constant: 1}}
  - {id: T_Omen, suit: Event, level: 1, knowledge: Free, rarity: Common,
     effects: [{activation: Activate, do: [{op: heal, to: self, n: 10}]}]}
characters:
  Ana: {team: A, at: [1, 0], ap: 4, hp: 90, table: [T_Bow], hand: [T_Club, T_Omen], deck: [T_Bow]}
  Bia: {team: B, at: [1, 3], hand: [T_Omen]}
tiles: {"0,1": {terrain: swamp}, "2,1": {altitude: 2}}
initiative: [Ana, Bia]
turn: Ana
steps:
  - do: {who: Ana, action: ACT_MOVE, to: [1, 1]}
  - do: {who: Ana, action: ACT_USE_HAND, card: T_Omen}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "position.yaml"
    path.write_text(FILE, encoding="utf-8")
    return path


def shown(capsys, *arguments):
    assert main(["position", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_legal_actions_have_the_keys_of_steps(file, capsys):
    data = shown(capsys, file, "--playouts", "20")
    legal = data["legal"]
    assert {"who": "Ana", "action": "ACT_USE_TABLE", "card": "T_Bow", "target": "Bia"} in legal
    assert {"who": "Ana", "action": "ACT_USE_HAND", "card": "T_Omen"} in legal
    assert {"who": "Ana", "action": "ACT_PLACE", "card": "T_Club"} in legal
    assert sorted(step["to"] for step in legal if step["action"] == "ACT_MOVE") == [[0, 0], [1, 1], [2, 0]]
    assert {"who": "Ana", "action": "ACT_END_TURN"} in legal


def test_each_legal_action_can_be_done_and_each_illegal_one_is_refused_for_its_reason(file, capsys, tmp_path):
    data = shown(capsys, file, "--playouts", "0")
    start = FILE[: FILE.index("steps:")].replace("turn: Ana\n", "turn: Ana\ndice: [3]\n")
    for step in data["legal"]:
        dice = start if step["action"] == "ACT_USE_TABLE" else start.replace("dice: [3]\n", "")
        again = tmp_path / "legal.yaml"
        again.write_text(f"{dice}steps:\n  - do: {json.dumps(step)}\n", encoding="utf-8")
        assert main(["scenario", str(again), "--quiet"]) == 0, step
    lines = [{key: step[key] for key in step if key != "reason"} for step in data["illegal"]]
    again.write_text(
        start.replace("dice: [3]\n", "") + "steps:\n" + "".join(f"  - illegal: {json.dumps(one)}\n" for one in lines)
    )
    assert main(["scenario", str(again), "--quiet"]) == 0
    assert {"who": "Ana", "action": "ACT_USE_HAND", "card": "T_Club", "because": "R7.4.2"} in lines


def test_both_hands_are_shown_and_the_board_as_it_lies(file, capsys):
    data = shown(capsys, file, "--playouts", "0")
    assert data["characters"]["Bia"]["hand"] == ["T_Omen"] and data["characters"]["Ana"]["deck"] == 1
    assert data["board"] == {"width": 3, "height": 4, "tiles": {"0,1": ["swamp", 0], "2,1": ["field", 2]}}
    assert main(["position", str(file), "--playouts", "0"]) == 0
    text = capsys.readouterr().out
    assert "use a card of the table: T_Bow on Bia" in text
    assert "use a card of the hand: T_Club: needs 5 AP, has 4 (R7.4.2)" in text
    assert "Bia (B) at 1,3: HP 110/110" in text


def test_steps_and_a_bot_can_go_on_first(file, capsys):
    data = shown(capsys, file, "--playouts", "0", "--steps", "2")
    assert data["characters"]["Ana"]["at"] == [1, 1] and data["characters"]["Ana"]["hp"] == 100
    played = shown(capsys, file, "--playouts", "0", "--play", "1", "--bot", "greedy")
    chosen = shown(capsys, file, "--playouts", "0")["bot"]["choice"]
    assert chosen[0].startswith("ACT_")
    assert chosen[0].removeprefix("ACT_") in played["trace"][0]


def test_the_estimate_counts_every_playout_and_repeats_with_its_seed(file, capsys):
    first, again = (shown(capsys, file, "--playouts", "60", "--seed", "4")["estimate"] for _ in range(2))
    assert first == again and first["seat"] == "A" and first["playouts"] == 60
    assert first["won_a"] + first["won_b"] + first["undecided"] == 60
    assert first["low"] < first["win"] == (first["won_a"] + 0.5 * first["undecided"]) / 60 < first["high"] or first["win"] in (
        0,
        1,
    )


def test_mistakes_are_answered_in_a_sentence(file, capsys, tmp_path):
    for arguments, message in (
        ([str(tmp_path / "none.yaml")], "there is no such file"),
        ([str(file), "--steps", "9"], "has 2 steps, not 9"),
        ([str(file), "--bot", "gredy"], "did you mean 'greedy'?"),
    ):
        assert main(["position", *arguments]) == 1
        said = capsys.readouterr().err
        assert message in said and "Traceback" not in said


def test_legal_actions_and_refusals_agree_with_the_kernel_along_whole_matches():
    pool = load_pool()
    reasons = set()
    for seed in range(3):
        lineups, seeds = Dealer(pool).deal(np.random.default_rng(seed))
        match = Match(pool, lineups, seeds[0], log=True)
        while not match.over:
            if match.decision == Decision.TURN:
                before, told = match.matches.copy(), len(match.events())
                legal, refused = legal_actions(match), refusals(match)
                assert (match.matches == before).all() and len(match.events()) == told
                assert {action.kind for action in legal} == {Kind(int(code) - Act.KIND) for code in match.legal()}
                done = {(action.kind, action.card) for action in legal}
                assert not done & {(one.kind, one.card) for one in refused if one.target < 0 and one.effect < 0}
                for action in legal:
                    if action.target >= 0 and action.effect < 0:
                        assert explain(match, match.asked, action.kind, action.card, action.target).legal
                reasons |= {one.why.rule for one in refused}
            match.apply(match.choose("greedy"))
    assert len(reasons) > 5 and all(map(exists, reasons))


def test_playing_on_leaves_the_position_alone_and_ends_every_match():
    pool = load_pool()
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(8))
    match = Match(pool, lineups, seeds[0])
    before = match.matches.copy()
    ended = play_on(match, int(match.legal()[0]), "random", 30, 1)
    assert sum(ended.values()) == 30 and ended["a"] and ended["b"]
    assert (match.matches == before).all()
