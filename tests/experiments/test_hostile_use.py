"""Wrong values, closed streams, protected files and moved folders: one sentence and the right exit code each."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from apotheosis.env.errors import InputError
from apotheosis.experiments import cli, progress, store
from apotheosis.experiments.run import folder_for
from apotheosis.experiments.spec import load_spec


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    code = cli.main(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def process(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess:
    """Runs a shell command in which `$APO` is the program, in a folder."""
    program = f'"{sys.executable}" -c "from apotheosis.experiments.cli import main; raise SystemExit(main())"'
    return subprocess.run(
        ["sh", "-c", command.replace("$APO", program)], cwd=folder, capture_output=True, check=False,
        env=os.environ | {"PYTHONPATH": str(Path(cli.__file__).parents[3])} | environment,
    )  # fmt: skip


@pytest.mark.parametrize(("command", "words"), [("test", ["its [test] section"]), ("tune", ["its [tune] and [guard]"])])
def test_help_keeps_words_in_brackets(capsys, command, words):
    code, out, _ = call(capsys, command, "--help")
    flat = " ".join(out.replace("│", " ").split())
    assert code == 0 and all(word in flat for word in words), flat


@pytest.mark.parametrize("command", ["play", "train", "ladder", "position nowhere.yaml"])
def test_a_seed_below_zero_is_refused_before_anything_is_done(capsys, command):
    code, out, err = call(capsys, *command.split(), "--seed", "-1")
    assert (code, out) == (1, "") and "--seed" in err


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("run.out=", "run.out: is empty"),
        ("cards.pool=", "cards.pool: is empty"),
        ("run.pairs=true", "run.pairs: true is not allowed"),
        ("stats.band=false", "stats.band: false is not allowed"),
        ("run.max_time=banana", "run.max_time: 'banana' is not a duration"),
        ("format.board=abc", "format.board: 'abc' is not a board"),
        ("guard.first_player=[0.6, 0.4]", "guard.first_player: the lower share comes first; got 0.6 and 0.4"),
    ],
)
def test_a_setting_is_refused_with_what_was_given(capsys, setting, message):
    code, out, err = call(capsys, "run", "--dry-run", "--set", setting)
    assert (code, out) == (1, "") and message in err


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../up", "a\\b", "turned\u202eround"])
def test_a_name_that_is_no_folder_is_refused(name):
    with pytest.raises(InputError, match="cannot be the name of a folder"):
        folder_for(load_spec(None, {"run.name": name}))


def test_settings_keep_paths_in_full_and_the_run_folder_as_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = {"cards.pool": "mine/cards", "decks.source": "files", "decks.files": "a.yaml,b.yaml", "run.out": "runs/x"}
    spec = load_spec(None, given)
    assert spec.cards.pool == str(tmp_path / "mine/cards") and spec.run.out == "runs/x"
    assert spec.decks.files == [str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml")]
    assert load_spec(None, {"cards.pool": "starter"}).cards.pool == "starter"


def test_a_spec_with_a_byte_order_mark_is_read(tmp_path):
    file = tmp_path / "spec.toml"
    file.write_bytes(b"\xef\xbb\xbf[run]\r\npairs = 7\r\n")
    assert load_spec(file).pairs == 7


def test_a_number_to_tune_may_not_leave_what_a_card_may_have(capsys, tmp_path):
    out = tmp_path / "search"
    code, _, err = call(
        capsys, "tune", "--param", "OakCudgel.damage.constant=1:1000000", "--pairs", "4", "--out", str(out)
    )  # fmt: skip
    assert code == 1 and "must be at most 999, got 1000000" in err and not out.exists()


def test_conversion_never_writes_over_its_source(capsys, tmp_path):
    code, _, _ = call(capsys, "deck", "random", "--out", str(tmp_path / "decks.yaml"))
    assert code == 0
    cards = tmp_path / "cards.yaml"
    cards.write_text("- {id: Twig, name: Twig, suit: Skill, level: 1, rarity: Common, score: 1, knowledge: Free}\n")
    before = cards.read_bytes()
    (tmp_path / "link.yaml").symlink_to(cards)
    for target in (cards, tmp_path / "link.yaml"):
        code, _, err = call(capsys, "cards", "convert", str(cards), str(target))
        assert code == 1 and "is the file that is read" in err
    assert cards.read_bytes() == before


def test_what_is_write_protected_stays(tmp_path, capsys):
    file = tmp_path / "kept.yaml"
    file.write_text("kept")
    file.chmod(0o444)
    code, _, err = call(capsys, "deck", "random", "--out", str(file))
    assert code == 1 and "kept.yaml: is write-protected" in err and file.read_text() == "kept"


def test_output_goes_through_links_and_into_devices(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    store.write_out(link, b"new")
    assert link.is_symlink() and real.read_text() == "new"
    store.write_out(Path(os.devnull), b"lost")
    assert not Path(os.devnull).is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "real.txt"]


@pytest.mark.parametrize("command", ["play", "train --steps 1", "ladder --pairs 1"])
def test_an_impossible_output_is_found_before_the_work(capsys, tmp_path, command, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    place = tmp_path / "file" / "out"
    code, out, err = call(capsys, *command.split(), "--out", str(place), "--quiet")
    assert (code, out) == (1, "") and "file" in err and "tmp" not in err.rpartition("/")[2] and "internal" not in err


def test_progress_is_silent_where_the_error_stream_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with progress.Progress("x", 2) as shown:
        shown.update(1)
    cli.complain("nobody reads this")


def test_a_reader_that_leaves_and_a_full_output_are_no_faults_of_the_lab(tmp_path):
    left = process("{ $APO cards list; echo $? >code; } | :", tmp_path)
    assert (tmp_path / "code").read_text().strip() == "0" and left.stderr == b""
    full = process("$APO cards list >/dev/full", tmp_path)
    assert full.returncode == 4 and b"no room left on the disk" in full.stderr and b"Exception" not in full.stderr
    assert process("$APO doctor 2>&-", tmp_path).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["code"]


def test_letters_that_the_output_lacks_end_no_command(tmp_path):
    shown = process(
        "$APO cards show Dawnblade", tmp_path, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", LC_ALL="C", PYTHONIOENCODING=""
    )  # fmt: skip
    assert shown.returncode == 0 and b"L?mina da Aurora" in shown.stdout


def test_a_closed_input_stream_leaves_the_match(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    code, out, _ = call(capsys, "play", "--seed", "3")
    assert code == 0 and "You left" in out


def test_a_run_is_replayed_and_resumed_from_another_folder(capsys, tmp_path, monkeypatch):
    from apotheosis.env.cards.loader import card_files

    here, there = tmp_path / "here", tmp_path / "there"
    (here / "cards").mkdir(parents=True)
    there.mkdir()
    for file in card_files("starter"):
        (here / "cards" / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(here)
    assert call(capsys, "run", "--cards", "cards", "--matches", "4", "--workers", "1", "--out", "played", "--quiet")[0] == 0
    monkeypatch.chdir(there)
    code, out, err = call(capsys, "replay", "1", "--run", "../here/played")
    assert code == 0 and out.startswith("match 1 of played,"), err
    (here / "played/chunks/000000.matches.parquet").unlink()
    code, out, err = call(capsys, "resume", "../here/played", "--quiet", "--json")
    assert code == 0 and '"finished": 4' in out, err


def test_a_policy_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    from apotheosis.agents.policy import policy_file

    policy = policy_file.PolicyFile({"w": torch.zeros(1)}, {"hidden": 1}, "some cards")
    policy_file.save_policy(tmp_path / "a.pt", policy)
    before = (tmp_path / "a.pt").read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        policy_file.save_policy(tmp_path / "a.pt", policy)
    assert (tmp_path / "a.pt").read_bytes() == before and [path.name for path in tmp_path.iterdir()] == ["a.pt"]


def test_pairs_that_cost_games_are_said_to_cost_them():
    from apotheosis.experiments.cli.power import _words

    games = {"head_to_head": 1, "field": 1, "sequential": 1, "sequential_95": 1, "random_decks": 1}
    result = {"effect": 0.02, "power": 0.9, "share": 0.1, "matches_per_s": 10.0, "games": games, "planned": None}
    assert "need 52% more of the games" in _words(result | {"variance": 0.19})
    assert "save 20% of the games" in _words(result | {"variance": 0.10})


@pytest.mark.parametrize("content", ["[]", '"plan"', '{"format": 1}', '{"format": 1, "spec": {}, "seeds": []}'])
def test_a_plan_file_of_another_shape_is_one_sentence(capsys, tmp_path, content):
    (tmp_path / "plan.json").write_text(content)
    (tmp_path / "decks.json").write_text("[]")
    code, _, err = call(capsys, "status", str(tmp_path))
    assert code == 1 and "is not a plan" in err and "str" not in err


def test_more_playouts_than_memory_holds_are_refused(capsys):
    code, _, err = call(capsys, "position", "any.yaml", "--playouts", "1000000000")
    assert code == 1 and "--playouts" in err


@pytest.mark.parametrize("address", ["127.0.0.1:1", "no.such.machine.invalid:6379", "127.0.0.1:99999999"])
def test_a_cluster_that_does_not_answer_is_refused_at_once_and_leaves_no_folder(capsys, tmp_path, address):
    run = ["run", "--bots", "random", "--matches", "4", "--out", str(tmp_path / "run"), "--backend", "ray"]
    code, _, error = call(capsys, *run, "--address", address)
    assert code == 1 and "Ray cannot be reached" in error and address in error and "Traceback" not in error
    assert not (tmp_path / "run").exists()
