"""`doctor` tells the state of machine and kernel, and names what is in the way."""

import json
import os
import socket
import subprocess
import sys

import pytest

from apotheosis.experiments import doctor

COMMAND = [sys.executable, "-c", "import sys; from apotheosis.experiments.cli import main; sys.exit(main())", "doctor"]


def run(*flags: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([*COMMAND, *flags], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120)


def test_json_is_one_object_with_every_part():
    process = run("--json")
    assert process.returncode == 0 and process.stderr == ""
    found = json.loads(process.stdout)
    assert set(found) == {"versions", "machine", "disk", "kernel", "threads", "ray", "problems"}
    assert found["versions"]["numba"] and found["machine"]["cores"] >= found["machine"]["cores_usable"] >= 1
    assert found["machine"]["memory_bytes"] >= found["machine"]["memory_available_bytes"] > 0


def test_an_empty_cache_is_to_be_compiled_and_a_blocked_one_is_a_problem(tmp_path):
    empty = json.loads(run("--json", XDG_CACHE_HOME=str(tmp_path)).stdout)
    assert empty["kernel"]["state"] == "to be compiled" and empty["problems"] == []
    blocked = tmp_path / "file"
    blocked.touch()
    found = json.loads(run("--json", XDG_CACHE_HOME=str(blocked)).stdout)
    assert [problem for problem in found["problems"] if str(blocked) in problem]


def test_text_names_problems_and_switched_off_compilation():
    process = run(APOTHEOSIS_JIT="0", OMP_NUM_THREADS="3")
    assert process.returncode == 0
    assert "APOTHEOSIS_JIT=0" in process.stdout and "OMP_NUM_THREADS=3" in process.stdout
    assert "problem" in process.stdout


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_ray_is_reachable_where_something_listens(listener, monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", listener)
    assert doctor.ray_state()["reachable"]
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    assert doctor.ray_state() | {"installed": None} == {"installed": None, "address": "127.0.0.1:1", "reachable": False}
    assert not doctor.answers("nonsense")


def test_a_missing_library_and_little_room_are_problems():
    found = doctor.examine()
    found["versions"]["numba"] = None
    found["machine"]["memory_available_bytes"] = 100 << 20
    found["disk"]["free_bytes"] = 0
    texts = list(doctor.problems(found))
    assert any("numba" in text for text in texts)
    assert any("0.1 GiB of memory" in text for text in texts)
    assert any("free in" in text for text in texts)
