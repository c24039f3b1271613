"""The tuner ends at the value it was asked for, on fresh seeds, and writes nothing that breaks a guardrail (V15)."""

import json

import numpy as np
import pytest
from scipy import special

from apotheosis.env.cards.pool import load_pool
from apotheosis.env.errors import InputError
from apotheosis.experiments import cli, tune
from apotheosis.experiments.spec import load_spec
from apotheosis.experiments.stats.intervals import Interval

NUMBER = tune.Number("Toy", "damage.constant", 0, 12, 10)
QUICK = ["--bots", "random", "--pairs", "12", "--quiet", "--json"]


def toy(best: float, slope: float, pairs: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Returns values and pair scores of a card that is even at `best` and gains `slope` logits for each step."""
    values = np.repeat(NUMBER.grid, pairs)
    games = rng.binomial(2, special.expit(slope * (values - best)))
    return values, games / 2


def test_v15_nine_of_ten_searches_end_within_one_step_of_the_known_value():
    rng = np.random.default_rng(15)
    ends = [(best, tune.choose(*toy(best, 0.06, 700, rng), NUMBER, 0.5)[0]) for best in rng.uniform(2, 10, 200)]
    assert np.mean([abs(end - best) <= 1 for best, end in ends]) >= 0.9


def test_a_number_that_changes_nothing_stays():
    rng = np.random.default_rng(2)
    ends = [tune.choose(*toy(4.0, 0.0, 300, rng), NUMBER, 0.5) for _ in range(60)]
    assert sum(end == (NUMBER.now, None) for end in ends) >= 54


def test_a_target_outside_of_the_range_ends_at_its_border():
    values, scores = toy(30.0, 0.1, 500, np.random.default_rng(3))
    assert tune.choose(values, scores, NUMBER, 0.5)[0] == 12


def test_the_grid_holds_both_ends_and_the_present_value():
    assert NUMBER.grid == [0, 3, 6, 10, 12]
    assert tune.Number("X", "action", 2, 4, 3).grid == [2, 3, 4]


@pytest.mark.parametrize(
    "low, high, verdict",
    [(-0.01, 0.015, "within"), (0.03, 0.05, "too_strong"), (-0.2, -0.1, "too_weak"), (-0.1, 0.1, "undecided")],
)
def test_verdicts_follow_the_interval(low, high, verdict):
    assert tune.judge(Interval((low + high) / 2, low, high, 0.01, 100), 0.0, 0.02) == verdict


@pytest.mark.parametrize(
    "params, words",
    [
        ({}, "names no number"),
        ({"OakCudgl.action": [1, 3]}, "OakCudgel"),
        ({"OakCudgel.damage.dice": [1, 3]}, "has no whole number 'damage.dice'"),
        ({"OakCudgel.action": [3, 3]}, "the lower one first"),
        ({"OakCudgel.action": [1, 3], "OakCudgel.price": [1, 3]}, "one number of a card"),
    ],
)
def test_numbers_that_cannot_be_tuned_are_refused(params, words):
    with pytest.raises(InputError, match=words):
        tune.numbers_of(load_spec(settings={"tune.params": params}), load_pool())


@pytest.mark.parametrize("name", ["MarshHound.techniques[0].action", "MarshHound.techniques.0.action"])
def test_numbers_of_techniques_and_effects_can_be_tuned(name):
    params = {name: [1, 5], "SecondWind.effects[0].do[0].n": [1, 4]}
    found = tune.numbers_of(load_spec(settings={"tune.params": params}), load_pool())
    assert [(number.card, number.now) for number in found] == [("MarshHound", 3), ("SecondWind", 2)]


@pytest.mark.parametrize("field", ["techniques[1].action", "techniques[x].action", "techniques.-1.action"])
def test_a_technique_that_a_card_lacks_is_no_number(field):
    with pytest.raises(InputError, match="has no whole number"):
        tune.numbers_of(load_spec(settings={"tune.params": {f"MarshHound.{field}": [1, 5]}}), load_pool())


def told(arguments, capsys):
    code = cli.main(["tune", *arguments])
    return code, json.loads(capsys.readouterr().out)


def test_a_search_writes_its_result_and_goes_on_to_the_same_end(tmp_path, capsys):
    arguments = ["--param", "OakCudgel.damage.constant=1:9", *QUICK, "--out", str(tmp_path / "tune")]
    code, result = told(arguments, capsys)
    (row,) = result["params"]
    assert (row["card"], row["field"], row["range"]) == ("OakCudgel", "damage.constant", [1, 9])
    assert row["before"]["low"] <= row["before"]["effect"] <= row["before"]["high"]
    assert code == (0 if result["held"] else 2)
    assert json.loads((tmp_path / "tune" / tune.RESULT).read_text(encoding="utf-8")) == result
    assert told(arguments, capsys) == (code, result)


@pytest.mark.parametrize("limit, code", [("[0.0, 1.0]", 0), ("[0.99, 1.0]", 2)], ids=["hold", "fail"])
def test_cards_are_written_only_where_the_guardrails_hold(tmp_path, capsys, monkeypatch, limit, code):
    monkeypatch.setattr(tune, "choose", lambda values, scores, number, wanted: (9, None))
    monkeypatch.setattr(tune.Found, "gain", 1.0)
    monkeypatch.setattr(tune, "judge", lambda effect, wanted, band: "undecided")
    limits = (f"guard.first_player={limit}", "guard.length_change=1.0", "guard.loop_rate=1.0")
    settings = [word for setting in limits for word in ("--set", setting)]
    arguments = ["--param", "OakCudgel.damage.constant=1:9", *QUICK, *settings, "--out", str(tmp_path)]
    found, result = told(arguments, capsys)
    assert found == code and result["changed"] == ["OakCudgel.damage.constant"]
    assert [row["name"] for row in result["guard"]] == ["first_player", "length_change", "loop_rate"]
    if code:
        assert result["cards"] is None and not (tmp_path / tune.CARDS).exists()
    else:
        tuned = load_pool(tmp_path / tune.CARDS)
        assert tuned.plain[tuned.number("OakCudgel")]["damage"]["constant"] == 9


def test_a_search_out_of_time_says_so_and_goes_on_with_the_same_command(tmp_path, capsys):
    arguments = ["--param", "OakCudgel.damage.constant=1:9", *QUICK, "--decks", "random", "--out", str(tmp_path)]
    assert cli.main(["tune", *arguments, "--max-time", "0"]) == 5
    assert f"go on with the same command and --out {tmp_path}" in capsys.readouterr().err
    assert told(arguments, capsys)[0] in (0, 2)


def test_decks_that_break_the_deck_rules_are_refused(tmp_path, capsys):
    arguments = ["--param", "OakCudgel.damage.constant=1:9", *QUICK, "--out", str(tmp_path)]
    decks = tmp_path / "decks.yaml"
    decks.write_text("- {name: empty, level: 7, house: Tarnhollow, classes: [], entity: null, cards: {}}\n", encoding="utf-8")
    assert cli.main(["tune", *arguments, "--decks", str(decks)]) == 1
    assert "deck empty: A2.2" in capsys.readouterr().err


def test_a_range_that_is_none_is_refused(capsys):
    assert cli.main(["tune", "--param", "OakCudgel=3"]) == 1
    assert "CARD.FIELD=LOWEST:HIGHEST" in capsys.readouterr().err
