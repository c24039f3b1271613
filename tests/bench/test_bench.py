"""`bench` reports every rate of the contract, from contestants that really play."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from apotheosis.env.errors import InputError
from apotheosis.experiments import bench, bench_peers

COMMAND = [sys.executable, "-c", "import sys; from apotheosis.experiments.cli import main; sys.exit(main())", "bench"]

KEYS = (
    "decisions_per_s matches_per_s decisions_per_match copies_per_s steps_per_s vector_steps_per_s "
    "search_simulations_per_s cold_compile_s warm_start_s probe peers"
).split()


def test_json_has_the_keys_of_the_contract():
    process = subprocess.run([*COMMAND, "--seconds", "0.05", "--runs", "1", "--json", "--quiet"],
                             capture_output=True, text=True, timeout=300)  # fmt: skip
    assert process.returncode == 0, process.stderr
    found = json.loads(process.stdout)
    assert set(KEYS) <= set(found) and found["peers"] == []
    for key in (
        "decisions_per_s",
        "copies_per_s",
        "steps_per_s",
        "vector_steps_per_s",
        "search_simulations_per_s",
        "warm_start_s",
        "probe",
    ):
        assert found[key] > 0
    assert found["actions_per_s"] < found["decisions_per_s"]
    assert found["decisions_per_match"] == pytest.approx(found["decisions_per_s"] / found["matches_per_s"])


def test_the_text_says_what_was_measured_and_how_peers_compare():
    rates = dict.fromkeys((key for key, _, _ in bench.ROWS), 1000.0)
    found = rates | {
        "cards": "starter",
        "core": 1,
        "runs": 3,
        "seconds": 2.0,
        "profile": [{"function": "dice.mix", "share": 0.25}],
    }
    found["peers"] = [
        {"peer": "fast", "decisions_per_s": 500.0, "games_per_s": 5.0, "probe": 1.0},
        {"peer": "absent", "error": "not installed (absent)"},
    ]
    text = bench.as_text(found)
    assert "the kernel makes 2.0 times as many" in text
    assert "absent" in text and "not measured: not installed" in text
    assert "25.0 %  dice.mix" in text
    assert "median of 3 rounds of 2 CPU s" in text


def test_the_tables_for_the_docs_hold_the_same_numbers():
    found = dict.fromkeys((key for key, _, _ in bench.ROWS), 1000.0)
    found["peers"] = [
        {"peer": "fast", "decisions_per_s": 500.0, "games_per_s": 5.0, "probe": 1.0},
        {"peer": "absent", "error": "not installed (absent)"},
    ]
    found["profile"] = [{"function": "dice.mix", "share": 0.25}]
    lines = bench.as_markdown(found).splitlines()
    assert "| fast | 500 | 5.00 | 2.0 |" in lines
    assert "| absent | not installed (absent) | | |" in lines
    assert "| `dice.mix` | 25.0 % |" in lines


def test_a_peer_that_is_not_installed_is_reported(monkeypatch):
    monkeypatch.setitem(sys.modules, "rlcard", None)
    monkeypatch.setattr(
        bench_peers, "PEERS", {"rlcard uno (Python)": bench_peers.PEERS["rlcard uno (Python)"], "broken": lambda: 1 / 0}
    )
    playing, failed = bench.entrants("starter", 1, peers=True)
    assert set(playing) == set(bench.OWN)
    assert failed["rlcard uno (Python)"] == "not installed (rlcard)"
    assert failed["broken"] == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize("name", bench_peers.PEERS)
def test_an_installed_peer_plays_whole_games(name):
    try:
        play = bench_peers.PEERS[name]()
    except ModuleNotFoundError as error:
        pytest.skip(f"{error.name} is not installed")
    assert play() >= 1


def test_contestants_take_turns_and_the_median_counts(monkeypatch):
    speeds = {"a": iter([1.0, 100.0, 7.0]), "b": iter([2.0, 2.0, 3.0])}
    order: list[str] = []

    def rates(play, seconds):
        name = "ab"[play().actions]
        order.append(name)
        return np.array([next(speeds[name]), 1.0, 0.0])

    monkeypatch.setattr(bench, "rates", rates)
    monkeypatch.setattr(bench, "probe", lambda: 5.0)
    shown: list[int] = []
    contestants = {name: lambda at=at: bench.Count(0, 0, at) for at, name in enumerate("ab")}
    found = bench.race(contestants, seconds=1.0, runs=3, show=shown.append)
    assert order == ["a", "b"] * 3 and shown == [1, 2, 3, 4, 5, 6]
    assert (found["a"]["decisions_per_s"], found["b"]["decisions_per_s"], found["a"]["probe"]) == (7.0, 2.0, 5.0)


def test_a_round_counts_all_calls_within_its_time():
    calls = 0

    def play() -> bench.Count:
        nonlocal calls
        calls += 1
        return bench.Count(3, 1, 2)

    decisions, matches, actions = bench.rates(play, 0.05)
    assert decisions == pytest.approx(3 * matches) and actions == pytest.approx(2 * matches)
    assert calls > 10 and matches > calls


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot pin a process")
def test_pinning_is_undone_and_refuses_other_cores():
    before = os.sched_getaffinity(0)
    with bench.pinned(None) as core:
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before
    with pytest.raises(InputError, match="core 9999 is not usable"), bench.pinned(9999):
        pass


def test_the_same_seed_plays_the_same_matches():
    from apotheosis.env.cards.pool import load_pool

    pool = load_pool()
    once, again, other = (bench.kernel_play(pool, seed)() for seed in (1, 1, 2))
    assert once == again != other
    assert np.all(np.array(once) > 0)
