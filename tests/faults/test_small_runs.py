"""Small runs are played without worker processes, with the same tables and the same care."""

import threading

import pytest

from apotheosis.experiments import backend_local, run


@pytest.fixture
def inline(fake, monkeypatch):
    """Lets the player of these tests be played in this process, as the rules' own player is."""
    monkeypatch.setattr(run, "PLAYER", fake.PLAYER)
    started = []
    start = backend_local.LocalBackend._start
    monkeypatch.setattr(backend_local.LocalBackend, "_start", lambda self: started.append(1) or start(self))
    return started


def small(fake, **settings):
    return fake.fake_plan(pairs=12, **{"run.workers": "auto", **settings})


def test_a_small_run_starts_no_process_and_writes_the_same_bytes(fake, inline, tmp_path):
    fake.play_fake(tmp_path / "inline", small(fake)).check()
    assert not inline
    fake.play_fake(tmp_path / "process", small(fake, **{"run.workers": 1})).check()
    assert inline
    assert fake.content(tmp_path / "inline") == fake.content(tmp_path / "process")


@pytest.mark.parametrize(
    "settings", [{"run.workers": 1}, {"bots.pool": ["search:100"]}, {"run.pairs": 51}], ids=["asked for", "slow", "large"]
)
def test_other_runs_have_worker_processes(fake, inline, tmp_path, settings):
    plan = fake.fake_plan(**{"pairs": 12, "run.workers": "auto", **settings})
    fake.play_fake(tmp_path, plan).check()
    assert inline


def test_a_match_that_hangs_goes_to_a_process_and_ends_as_timeout(fake, inline, tmp_path):
    plan = small(fake, **{"run.match_timeout": 1, "run.failed_limit": 0.5})
    state = fake.play_fake(tmp_path / "hang", plan, fake.FakePool(hang=(9,)))
    state.check()
    assert state.outcomes["timeout"] == 1 and state.finished == 24 and state.quarantined == 1
    assert inline


def test_a_match_that_raises_ends_as_crash(fake, inline, tmp_path):
    plan = small(fake, **{"run.failed_limit": 0.5})
    state = fake.play_fake(tmp_path, plan, fake.FakePool(raise_=(9,)))
    state.check()
    assert state.outcomes["crash"] == 1 and state.finished == 24
    assert not inline


def test_memory_that_runs_out_sends_the_chunk_to_a_process(fake, inline, tmp_path, monkeypatch):
    here, play = threading.main_thread().ident, fake.FakePlayer.play

    def out_of_memory(self, rows, seeds):
        assert threading.get_ident() != here
        raise MemoryError

    monkeypatch.setattr(fake.FakePlayer, "play", out_of_memory)
    state = fake.play_fake(tmp_path, small(fake))
    state.check()
    assert inline and state.finished == 24
    assert fake.FakePlayer.play is not play
