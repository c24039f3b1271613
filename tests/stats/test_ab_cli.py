"""The commands test and power from the outside: exit codes, JSON, sentences. Matches are played by the real rules."""

import json

import pytest

from apotheosis.env.cards.pool import load_pool
from apotheosis.env.cards.yaml_file import write_yaml
from apotheosis.experiments.cli import main
from apotheosis.experiments.cli.units import parse_effect
from apotheosis.experiments.sequential import CONFIRM, RESULT
from apotheosis.experiments.versions import with_settings

CARD = "OakCudgel"
QUICK = ["--bots", "greedy", "--workers", "1", "--seed", "3"]


def _test(capsys, *arguments):
    code = main(["test", *arguments, *QUICK, "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else None


def test_a_change_that_matters_is_confirmed_and_measured_again(capsys, tmp_path):
    out = tmp_path / "test"
    change = ["--card", CARD, "--set", "damage.constant=20", "--max-pairs", "1280", "--remeasure", "64"]
    code, result = _test(capsys, *change, "--out", str(out))
    assert code == 0
    assert result["verdict"] == "stronger"
    assert result["estimate"] > 0.03
    assert sum(result["counts"]) == result["pairs"]
    assert result["interval"][0] <= result["estimate"] <= result["interval"][1]
    assert result["llr"] >= result["bounds"][1]
    assert result["remeasured"]["pairs"] == 64
    assert [row["field"] for row in result["changes"]] == ["damage.constant"]
    assert json.loads((out / RESULT).read_text())["path"]
    assert (out / CONFIRM / "matches.parquet").exists()
    again, same = _test(capsys, *change, "--out", str(out))
    assert (again, same["llr"]) == (0, result["llr"]), "a finished test is read again, not played again"


def test_two_files_that_play_alike_show_no_difference(capsys, tmp_path):
    pool = load_pool()
    new = tmp_path / "new.yaml"
    new.write_text(write_yaml(list(with_settings(pool, CARD, {"name": "Another Name"}).cards)), encoding="utf-8")
    code, result = _test(capsys, "--cards-b", str(new), "--max-pairs", "640", "--out", str(tmp_path / "aa"))
    assert code == 10
    assert result["verdict"] == "within"
    assert result["remeasured"] is None


def test_too_few_pairs_leave_the_question_open(capsys, tmp_path):
    arguments = ["--card", CARD, "--set", "price=3", "--max-pairs", "16", "--out", str(tmp_path / "open")]
    assert _test(capsys, *arguments)[0] == 11


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "either --cards-b FILE, or --card"),
        (["--card", CARD], "at least one --set"),
        (["--card", "OakCudgl", "--set", "action=1"], "did you mean 'OakCudgel'"),
        (["--card", CARD, "--set", "actoin=1"], "did you mean 'action'"),
        (["--card", CARD, "--set", f"action={load_pool().card(CARD).action}"], "no card that differs"),
        (["--cards-b", "starter", "--set", "action=1"], "named by --card"),
        (["--card", CARD, "--set", "action=1", "--inner", "many"], "no effect"),
        (["--card", CARD, "--set", "action=1", "--inner", "4pt", "--outer", "2pt"], "must be below outer"),
        (["--card", CARD, "--set", "action=1", "--bots", "gready"], "greedy"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_no_traceback(capsys, tmp_path, arguments, message):
    assert main(["test", *arguments, "--out", str(tmp_path / "t")]) == 1
    assert not (tmp_path / "t").exists(), "nothing is written before everything is checked"
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_power_prints_games_by_design(capsys):
    assert main(["power", "--effect", "2pt", "--power", "0.8", "--games", "10000", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["games"]["head_to_head"] == 4906
    assert result["games"]["field"] == 19_623
    assert result["planned"]["head_to_head"]["interval"] == pytest.approx(0.0098, abs=1e-4)
    assert main(["power"]) == 0
    assert "games" in capsys.readouterr().out


def test_power_reads_variance_and_speed_of_a_run(capsys, tmp_path):
    out = str(tmp_path / "run")
    assert main(["run", "--matches", "160", "--bots", "greedy", "--workers", "1", "--out", out, "--quiet"]) == 0
    assert main(["power", "--from", out, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["matches_per_s"] > 0
    assert 0 < result["variance"] < 0.2
    assert 0 < result["share"] < 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--effect", "0pt"], "effect of zero"),
        (["--power", "0.3"], "between 0.5 and 1"),
        (["--games", "2"], "show nothing"),
        (["--from", "nowhere"], "holds no run"),
    ],
)
def test_power_refuses_what_makes_no_sense(capsys, arguments, message):
    assert main(["power", *arguments]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("text", "share"), [("2pt", 0.02), ("0.02", 0.02), ("-1.5%", -0.015), ("14elo", 0.02014)])
def test_effects_are_read_in_every_unit(text, share):
    assert parse_effect(text, "--x") == pytest.approx(share, abs=1e-4)
