"""Options that are really weighed, and what the best is worth: at decisions drawn from stored matches."""

import json
import shutil
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from apotheosis.env.errors import InputError
from apotheosis.env.match import Match
from apotheosis.experiments import cli, run
from apotheosis.experiments.replays import StoredRun
from apotheosis.experiments.report import weighing
from apotheosis.experiments.spec import load_spec
from apotheosis.experiments.stats.choices import sampled_options


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A small run of random bots, whose matches cost little to play on."""
    out = tmp_path_factory.mktemp("weighed")
    given = {"run.pairs": 20, "run.workers": 1, "run.seed": 3, "bots.pool": ["random"], "decks.n": 8}
    out, plan, pool = run.start(load_spec(settings=given), out)
    run.play(out, plan, pool).check()
    return out


@pytest.mark.parametrize("chances", [[0.25, 0.25, 0.25, 0.25], [0.7, 0.2, 0.1], [1.0]])
def test_options_of_a_sampled_policy_are_those_of_the_policy(chances):
    p = np.array(chances)
    truth = np.exp(-(p * np.log(p)).sum())
    counts = np.random.default_rng(1).multinomial(weighing.ANSWERS, p, 4000)
    assert sampled_options(counts).mean() == pytest.approx(truth, rel=0.02)


def test_every_decision_of_finished_matches_is_drawn_and_no_other(tmp_path):
    table = pd.DataFrame({"match_id": [4, 5, 6, 7], "decisions": [3, 2, 1, 4], "score_a": [1.0, None, 0.5, 0.0]})
    table.to_parquet(tmp_path / "matches.parquet", row_group_size=2)
    everything = [(4, 0), (4, 1), (4, 2), (6, 0), (7, 0), (7, 1), (7, 2), (7, 3)]
    assert list(weighing.drawn(tmp_path, 100, 1)) == everything
    drawn = Counter(place for seed in range(800) for place in weighing.drawn(tmp_path, 2, seed))
    assert set(drawn) == set(everything) and max(drawn.values()) < 1.35 * min(drawn.values())


def test_matches_without_result_have_nothing_to_weigh(tmp_path):
    with pytest.raises(InputError, match="finish the run"):
        list(weighing.drawn(tmp_path, 5, 1))
    table = pd.DataFrame({"match_id": [0], "decisions": [3], "score_a": [np.nan]})
    table.to_parquet(tmp_path / "matches.parquet")
    with pytest.raises(InputError, match="no finished match"):
        list(weighing.drawn(tmp_path, 5, 1))


class Question:
    """A question with known win chances; its answers are codes."""

    def __init__(self, codes):
        self.seat, self._codes = 0, codes

    def legal(self):
        return np.array(self._codes)


@pytest.mark.parametrize("chances", [[0.5, 0.5, 0.5, 0.5], [0.8, 0.6, 0.1], [0.9, 0.9]])
def test_the_best_option_is_not_flattered(monkeypatch, chances):
    """The better of equals is the luckier one; values from fresh matches do not show its luck."""

    def play_on(match, code, bot, count, seed):
        won = int(np.random.default_rng([seed, code]).binomial(count, chances[code]))
        return {"a": won, "b": count - won, "none": 0}

    monkeypatch.setattr("apotheosis.env.playouts.play_on", play_on)
    monkeypatch.setattr("apotheosis.env.playouts.answers_of", lambda match, bot, count, seed: np.zeros(count, np.int64))
    question = Question(range(len(chances)))
    found = np.array([weighing._weighed(question, "search:1", 10 * seed) for seed in range(3000)], dtype=float)
    truth = sorted(chances)[-1] - sorted(chances)[-2]
    assert found[:, 4].mean() == pytest.approx(truth, abs=0.01)
    assert (found[:, 0] == len(chances)).all() and (found[:, 1] == 1).all()
    assert found[:, 4] == pytest.approx(found[:, 2] - found[:, 3])


def test_a_single_option_is_no_choice():
    legal, real, best, second, gap = weighing._weighed(Question([3]), "search:1", 1)
    assert (legal, real) == (1, 1.0) and np.isnan([best, second, gap]).all()


def test_decisions_of_a_run_are_weighed_in_their_own_positions(folder):
    found = weighing.weigh(folder, 6)
    again = weighing.weigh(folder, 6)
    pd.testing.assert_frame_equal(found.table, again.table)
    assert found.bot == weighing.PLAYER and len(found.table) == 6
    stored = StoredRun(folder)
    for row in found.table.itertuples():
        source = stored.source(row.match_id)
        match = Match(source.pool, source.lineup, source.seeds)
        for _ in range(row.decision):
            match.apply(source.choose(match))
        assert len(match.legal()) == row.legal and "ab"[match.seat] == row.seat
        assert 1 <= row.real <= row.legal and int(match.state["decisions"]) == row.decision
    for interval, name in ((found.real, "real"), (found.legal, "legal"), (found.gap, "gap")):
        assert interval is not None and interval.estimate == pytest.approx(found.table[name].mean())
        assert interval.low < interval.estimate < interval.high


def test_matches_that_would_go_another_way_now_are_not_weighed(folder, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    table = pq.read_table(other / "matches.parquet")
    at = table.column_names.index("state_hash")
    changed = table.set_column(at, table.schema.field(at), pa.array([7] * len(table), pa.int64()))
    pq.write_table(changed, other / "matches.parquet")
    with pytest.raises(InputError, match="would go another way now"):
        weighing.weigh(other, 1)


def test_the_run_s_own_searching_bot_is_asked():
    assert weighing.searching(["greedy", "search:50", "search:400"]) == "search:400"
    assert weighing.searching(["greedy", "ppo:x.pt"]) == weighing.PLAYER


def test_a_report_says_what_was_weighed_and_otherwise_how_to_have_it(folder, capsys):
    assert cli.main(["report", str(folder), "--replays", "0", "--choices", "4", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["choices"]["decisions"] == 4 and {"choices.csv", "choices.parquet"} <= set(said["files"])
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert "Options really weighed" in page and "not measured" not in page
    assert cli.main(["report", str(folder), "--replays", "0", "--quiet", "--language", "pt"]) == 0
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert "não medido" in page and "--choices 100" in page


def test_a_folder_of_foreign_tables_cannot_be_weighed(folder, tmp_path, capsys):
    for name in ("matches", "cards"):
        pd.read_parquet(folder / f"{name}.parquet").to_csv(tmp_path / f"{name}.csv", index=False)
    assert cli.main(["report", str(tmp_path), "--choices", "3"]) == 1
    assert "plan.json" in capsys.readouterr().err
    assert cli.main(["report", str(tmp_path), "--quiet"]) == 0
    assert "whose matches can be played again" in (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
