"""Pairs of cards that are worth more together are screened on request."""

import json

import pandas as pd

from apotheosis.experiments import cli, inclusion, run
from apotheosis.experiments.spec import load_spec


def play(folder, **settings):
    given = {"run.pairs": 300, "run.workers": 1, "run.seed": 5, "bots.pool": ["random"], "decks.n": 300, **settings}
    out, plan, pool = run.start(load_spec(settings=given), folder)
    run.play(out, plan, pool).check()
    return plan, pool


def test_the_pairs_with_the_strongest_evidence_are_written(tmp_path, capsys):
    plan, pool = play(tmp_path)
    assert cli.main(["report", str(tmp_path), "--synergies", "7", "--replays", "0", "--json"]) == 0
    everything = inclusion.synergies(plan, pool, [pd.read_parquet(tmp_path / "matches.parquet")])
    found = pd.read_parquet(tmp_path / "report" / "synergies.parquet")
    assert len(found) == 7 < len(everything)
    assert found["p"].tolist() == sorted(everything["p"])[:7]
    assert (found["decks"] >= 30).all()
    said = json.loads(capsys.readouterr().out)
    assert [pair["first"] for pair in said["synergies"]] == found["first"].tolist()
    assert {"synergies.csv", "synergies.parquet"} <= set(said["files"])


def test_decks_that_were_not_drawn_at_random_show_no_pairs(tmp_path, capsys):
    play(tmp_path, **{"run.pairs": 4, "decks.source": "starter", "decks.n": 8})
    assert cli.main(["report", str(tmp_path), "--synergies", "7"]) == 1
    assert "random decks" in capsys.readouterr().err
    assert not (tmp_path / "report").exists()
