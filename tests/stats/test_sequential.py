"""Whole A/B tests on coins of known bias: rulings, prefix, fresh seeds, resumption, exit codes (V16's statistics)."""

import numpy as np
import pandas as pd
import pytest

from apotheosis.env.cards.pool import load_pool
from apotheosis.env.errors import InputError
from apotheosis.experiments import plan as plans
from apotheosis.experiments import sequential, store
from apotheosis.experiments.seeds import Experiment
from apotheosis.experiments.spec import load_spec
from apotheosis.experiments.store import Folder
from apotheosis.experiments.versions import compare_pools, with_settings

CARD = "OakCudgel"


@pytest.fixture(scope="module")
def versions():
    pool = load_pool()
    return compare_pools(pool, with_settings(pool, CARD, {"damage.constant": 9}))


@pytest.fixture(autouse=True)
def same_code(monkeypatch):
    """Keeps the fingerprint of a plan the same when a source file is saved while the tests run."""
    monkeypatch.setattr(plans, "code_version", lambda *_: {"version": "0", "sources": "fixed"})


def _spec(name, **settings):
    base = {"run.name": name, "run.workers": 1, "run.chunk": 64, "decks.n": 8, "run.failed_limit": 1.0}
    return load_spec(settings={**base, **settings})


def _play(folder, versions, coin, name, max_pairs=6000, seed=1, **settings):
    spec = _spec(name, **{"test.max_pairs": max_pairs, "run.seed": seed, **settings})
    plan = sequential.make_plan(versions, spec, None, max_pairs, Experiment.RUN)
    sequential.open_folder(folder, plan, versions)
    seen = []
    ruling, state = sequential.play_until_decided(
        folder, plan, versions, lambda tally, ruling: seen.append(ruling), player=coin.PLAYER
    )
    return spec, plan, ruling, state, seen


@pytest.mark.parametrize(("name", "verdict"), [("coin+0.05", "stronger"), ("coin-0.05", "weaker"), ("coin", "within")])
def test_known_truth_gets_its_verdict(tmp_path, versions, coin, name, verdict):
    _, _, ruling, state, seen = _play(tmp_path, versions, coin, name)
    assert ruling.verdict == verdict
    assert state.finished < state.planned, "a decided test stops"
    assert sum(ruling.counts) == ruling.pairs
    assert seen[-1] is not None
    assert ruling.interval[0] < ruling.estimate < ruling.interval[1]


def test_ruling_rests_on_the_issue_order_prefix_and_repeats(tmp_path, versions, coin):
    _, plan, ruling, _, _ = _play(tmp_path / "one", versions, coin, "coin+0.05")
    _, _, again, _, _ = _play(tmp_path / "two", versions, coin, "coin+0.05", **{"run.workers": 2})
    assert (ruling.pairs, ruling.counts, ruling.llr) == (again.pairs, again.counts, again.llr)
    matches = store.read_table(tmp_path / "one" / "matches.parquet").to_pandas()
    first = matches[matches["pair_id"] < ruling.pairs]
    assert len(first) == 2 * ruling.pairs
    new_a = first["seat_a_deck"].astype(str).str.endswith("/new")
    score = np.where(new_a, first["score_a"], 1 - first["score_a"])
    assert score.mean() - 0.5 == pytest.approx(ruling.estimate)


def test_both_versions_are_played_by_the_same_bot(versions):
    plan = sequential.make_plan(versions, _spec("coin", **{"bots.pool": ["greedy", "random"]}), None, 100, 0)
    rows = plan.schedule.rows(0, 100)
    assert (rows["bot_a"] == rows["bot_b"]).all()
    assert set(rows["bot_a"]) == {0, 1}


def test_unfinished_games_count_against_every_decision(tmp_path, versions, coin):
    _, _, ruling, state, _ = _play(tmp_path, versions, coin, "coin+0.02crash0.2", max_pairs=1500)
    assert state.outcomes["crash"] > 100
    assert ruling.verdict == "undecided"
    assert ruling.unfinished > 100


def test_fresh_seeds_measure_without_inflation(tmp_path, versions, coin):
    spec, plan, ruling, _, _ = _play(tmp_path, versions, coin, "coin+0.05")
    again = sequential.measure_again(tmp_path, versions, spec, None, 1200, lambda tally: None, player=coin.PLAYER)
    assert again["pairs"] == 1200
    assert again["interval"][0] < 0.05 < again["interval"][1]
    confirm = plans.load(tmp_path / sequential.CONFIRM)
    assert confirm.experiment == Experiment.CONFIRM
    assert confirm.decks_hash != plan.decks_hash
    one = store.read_table(tmp_path / "matches.parquet", ["seed"]).column("seed").to_pylist()
    two = store.read_table(tmp_path / sequential.CONFIRM / "matches.parquet", ["seed"]).column("seed").to_pylist()
    assert not set(one) & set(two)


def test_test_that_was_stopped_goes_on(tmp_path, versions, coin):
    _, plan, whole, _, _ = _play(tmp_path / "whole", versions, coin, "coin+0.04")
    _play(tmp_path / "half", versions, coin, "coin+0.04")
    folder = Folder(tmp_path / "half", plan.fingerprint)
    for chunk in range(3, 100):
        folder.remove_chunk(chunk)
    _, _, ruling, _, _ = _play(tmp_path / "half", versions, coin, "coin+0.04")
    assert (ruling.pairs, ruling.counts) == (whole.pairs, whole.counts)


def test_folder_of_another_test_is_refused(tmp_path, versions, coin):
    _play(tmp_path, versions, coin, "coin+0.05", seed=1)
    with pytest.raises(InputError, match="another test or run .its settings are others"):
        _play(tmp_path, versions, coin, "coin+0.05", seed=2)


def _pairs(scores):
    scores = np.asarray(scores, dtype=float)
    return pd.DataFrame({"first": scores, "second": scores, "score": scores, "low": scores, "high": scores})


def test_fixed_number_of_pairs_waits_for_all_of_them():
    question = load_spec(settings={"test.kind": "fixed", "test.max_pairs": 400}).test
    rng = np.random.default_rng(1)
    strong = _pairs(rng.choice([0.5, 1.0], 400))
    assert sequential.rule(strong.iloc[:200], question).verdict == "undecided"
    assert sequential.rule(strong, question).verdict == "stronger"
    assert sequential.rule(_pairs(1 - strong["score"]), question).verdict == "weaker"
    even = _pairs(np.tile([0.25, 0.75, 0.5, 0.5], 100))
    assert sequential.rule(even, question).verdict == "within"


def test_plain_sequential_test_has_its_own_bounds():
    question = load_spec(settings={"test.kind": "sprt", "test.lower": 0.0, "test.upper": 0.04}).test
    rng = np.random.default_rng(2)
    assert sequential.rule(_pairs(rng.choice([0.5, 1.0], 600)), question).verdict == "stronger"
    flat = sequential.rule(_pairs(np.tile([0.25, 0.75, 0.5, 0.5], 300)), question)
    assert flat.verdict == "within"
    assert flat.llr_lower is None
    assert flat.llr <= flat.bounds[0]


def test_course_of_a_long_test_is_thinned_for_plots():
    rng = np.random.default_rng(3)
    scores = (rng.random((2, 30_000)) < 0.52).mean(axis=0)
    question = load_spec(settings={"test.inner": 0.015, "test.outer": 0.0251}).test
    ruling = sequential.rule(_pairs(scores), question)
    assert 10 < len(ruling.path) <= sequential.MAX_SHOWN
    assert ruling.path[-1][0] <= ruling.pairs + 32


@pytest.mark.slow
def test_v16_statistics_of_a_test(tmp_path, versions, coin, measured):
    found = {}
    for truth, verdict in (("coin", "within"), ("coin+0.04", "stronger"), ("coin-0.04", "weaker")):
        rulings = [_play(tmp_path / f"{truth}{seed}", versions, coin, truth, seed=seed)[2] for seed in range(1, 41)]
        found[truth] = np.mean([ruling.verdict == verdict for ruling in rulings])
        measured("V16", f"coins with {truth.removeprefix('coin') or '0'}: share '{verdict}' of 40 tests", found[truth])
    assert min(found.values()) >= 0.9
