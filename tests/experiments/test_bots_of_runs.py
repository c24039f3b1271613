"""Runs are played by every bot that gives the same answer to the same question, inside the kernel or outside."""

import pandas as pd
import pyarrow.parquet as pq
import pytest

from apotheosis.agents.base import make_bot
from apotheosis.env.errors import InputError
from apotheosis.env.match import play_batch, play_driven
from apotheosis.experiments import cli, player, run
from apotheosis.experiments.report.reading import Run
from apotheosis.experiments.spec import load_spec

QUICK = {"run.pairs": 4, "run.chunk": 2, "decks.n": 4, "run.seed": 3}


@pytest.fixture(scope="module")
def policy(tmp_path_factory):
    """Returns the file of a policy that has not learned anything."""
    pytest.importorskip("torch")
    from apotheosis.agents.policy.network import ArenaNetwork
    from apotheosis.agents.policy.policy_file import PolicyFile, save_policy

    def saved(path):
        network = ArenaNetwork()
        save_policy(path, PolicyFile(network.state_dict(), vars(network.size), "other cards"))
        return path

    return saved(tmp_path_factory.mktemp("policy") / "bot.pt")


def play(folder, **settings):
    out, plan, pool = run.start(load_spec(settings={**QUICK, "run.workers": 1, **settings}), folder)
    state = run.play(out, plan, pool)
    state.check()
    return plan, pool


def content(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


@pytest.mark.parametrize("kernel_bot", ["greedy", "random", "search:4"])
def test_matches_driven_from_python_have_the_results_and_ledgers_of_the_kernel(tmp_path, kernel_bot):
    _, plan, pool = run.start(load_spec(settings={**QUICK, "bots.pool": [kernel_bot]}), tmp_path)
    made = player.Player(player.Player.prepare(plan, pool))
    rows = plan.schedule.rows(0, 4)
    from apotheosis.experiments.seeds import match_seeds

    seeds = match_seeds(3, plan.experiment, rows["pair_id"], rows["second"], True)
    lineups = made.lineups(rows)
    inside = play_batch(pool, lineups, seeds, made._codes[[[0, 0]] * 8])
    outside = play_driven(pool, lineups, seeds, [lambda match: match.choose(kernel_bot)] * 2)
    assert (outside.matches == inside.matches).all()
    assert (outside.cards == inside.cards).all()
    assert outside.decisions == inside.decisions


def test_a_learned_bot_plays_the_same_matches_with_one_and_two_workers(policy, tmp_path):
    for workers in (1, 2):
        play(tmp_path / str(workers), **{"bots.pool": ["greedy", f"ppo:{policy}"], "run.workers": workers, "run.turns": True})
    assert content(tmp_path / "1") == content(tmp_path / "2")
    matches = pq.read_table(tmp_path / "1" / "matches.parquet").to_pandas()
    assert set(matches["seat_a_bot"]) == {"greedy", f"ppo:{policy}"}
    assert matches["score_a"].notna().all()


def test_a_run_from_a_spec_finds_its_bot_from_any_folder_and_its_report_calls_it_short(policy, tmp_path, monkeypatch, capsys):
    home, away = tmp_path / "home", tmp_path / "away"
    for folder in (home, away):
        folder.mkdir()
    (home / "mine.pt").write_bytes(policy.read_bytes())
    spec = "[run]\nmatches = 4\nout = 'out'\n[bots]\npool = ['ppo:mine.pt']\n[decks]\nn = 4\n"
    (home / "spec.toml").write_text(spec, encoding="utf-8")
    monkeypatch.chdir(away)
    assert cli.main(["run", str(home / "spec.toml"), "--quiet"]) == 0
    assert cli.main(["resume", str(home / "out"), "--quiet"]) == 0
    assert cli.main(["report", str(home / "out"), "--replays", "0", "--quiet"]) == 0
    page = (home / "out" / "report" / "report.html").read_text(encoding="utf-8")
    trust = page[page.index('<section id="trust">') : page.index('<section id="cards-section">')]
    assert "ppo:mine.pt" in trust and str(home) not in trust
    (home / "mine.pt").unlink()
    assert cli.main(["run", str(home / "spec.toml"), "--out", str(away / "other")]) == 1
    assert f"{home / 'mine.pt'}" in capsys.readouterr().err


def test_two_bots_with_files_of_one_name_keep_what_tells_them_apart(tmp_path):
    pool = ["ppo:/a/x/bot.pt", "ppo:/a/y/bot.pt", "ppo:/a/z.pt", "greedy"]
    found = Run(tmp_path, {"spec": {"bots": {"pool": pool}}}, pd.DataFrame(), []).bot_labels
    assert list(found.values()) == ["ppo:x/bot.pt", "ppo:y/bot.pt", "ppo:z.pt"]


def test_search_plays_the_same_matches_with_one_and_two_workers(tmp_path):
    for workers in (1, 2):
        play(tmp_path / str(workers), **{"bots.pool": ["search:8", "random"], "run.workers": workers})
    assert content(tmp_path / "1") == content(tmp_path / "2")


def test_another_policy_under_the_same_name_is_another_run(policy, tmp_path):
    copy = tmp_path / "bot.pt"
    copy.write_bytes(policy.read_bytes())
    play(tmp_path / "run", **{"bots.pool": [f"ppo:{copy}"], "run.pairs": 2})
    run.load_for_resume(tmp_path / "run")
    from apotheosis.agents.policy.policy_file import read_policy, save_policy

    other = read_policy(copy)
    other.notes["trained"] = "a little more"
    save_policy(copy, other)
    with pytest.raises(InputError, match="learned bots have changed"):
        run.load_for_resume(tmp_path / "run")


@pytest.mark.parametrize(
    "bot, words",
    [
        ("search:200ms", "by the clock"),
        ("search", "search:1000"),
        ("serch:100", "did you mean"),
        ("ppo:missing.pt", "no such policy file"),
    ],
)
def test_a_bot_that_cannot_play_is_refused_in_one_sentence(tmp_path, capsys, bot, words):
    assert cli.main(["run", "--bots", bot, "--matches", "2", "--out", str(tmp_path / "run")]) == 1
    told = capsys.readouterr().err
    assert words in told and "Traceback" not in told
    assert not (tmp_path / "run").exists()


def test_bots_say_whether_they_are_repeatable():
    assert make_bot("greedy").repeatable and make_bot("search:5").repeatable
    assert not make_bot("search:5ms").repeatable
