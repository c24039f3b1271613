"""Whatever interrupts a run, resuming it gives the content of an undisturbed run: no match lost, none doubled."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from apotheosis.env.errors import InputError, Interrupted, OutOfResources
from apotheosis.experiments import plan as plans
from apotheosis.experiments import run, store
from apotheosis.experiments.chunk import Job, Worker

PATIENCE_S = 120


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    import fake_player

    folder = tmp_path_factory.mktemp("undisturbed")
    fake_player.play_fake(folder, fake_player.fake_plan())
    return fake_player.content(folder)


def start_driver(folder: Path, workers: int, sleep_s: float) -> subprocess.Popen:
    script = Path(__file__).with_name("fake_player.py")
    return subprocess.Popen([sys.executable, str(script), str(folder), str(workers), str(sleep_s)])


def wait_for_chunks(folder: Path, count: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while len(list((folder / "chunks").glob("*.matches.parquet"))) < count:
        assert time.monotonic() < deadline, "the driver makes no progress"
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    """Returns the worker processes of a driver (the resource tracker of multiprocessing is none)."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(each) for each in listed if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


def gone(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"


def kill_at_a_random_moment(fake, folder: Path, undisturbed: dict, number: int) -> None:
    luck = random.Random(number)
    driver = start_driver(folder, workers=1 + number % 2, sleep_s=0.02)
    wait_for_chunks(folder, luck.randrange(0, 9))
    time.sleep(luck.random() * 0.3)
    workers = children(driver.pid)
    if number % 3 == 0 and workers:
        os.kill(luck.choice(workers), signal.SIGKILL)
        assert driver.wait(PATIENCE_S) == 0
    else:
        driver.kill()
        driver.wait(PATIENCE_S)
        fake.play_fake(folder, fake.fake_plan()).check()
        deadline = time.monotonic() + PATIENCE_S
        while not all(gone(worker) for worker in workers):
            assert time.monotonic() < deadline, "a worker outlives its driver"
            time.sleep(0.05)
    assert fake.content(folder) == undisturbed


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds worker processes through /proc")
@pytest.mark.parametrize("number", range(3))
def test_killing_driver_or_worker_loses_and_doubles_nothing(fake, tmp_path, undisturbed, number):
    kill_at_a_random_moment(fake, tmp_path, undisturbed, number)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds worker processes through /proc")
@pytest.mark.parametrize("number", range(3, 23))
def test_killing_driver_or_worker_twenty_times(fake, tmp_path, undisturbed, number):
    kill_at_a_random_moment(fake, tmp_path, undisturbed, number)


def test_ctrl_c_once_finishes_running_chunks_and_ends_with_5(fake, tmp_path, undisturbed):
    driver = start_driver(tmp_path, workers=2, sleep_s=0.02)
    wait_for_chunks(tmp_path, 2)
    driver.send_signal(signal.SIGINT)
    assert driver.wait(PATIENCE_S) == Interrupted.exit_code
    state = run.inspect(tmp_path)
    assert not state.broken_chunks and 0 < state.finished < state.planned
    assert pq.read_metadata(tmp_path / "matches.parquet").num_rows == state.finished
    fake.play_fake(tmp_path, fake.fake_plan()).check()
    assert fake.content(tmp_path) == undisturbed


def test_a_time_limit_stops_issuing_and_the_run_can_be_resumed(fake, tmp_path, undisturbed):
    plan = fake.fake_plan(**{"run.max_time": 0})
    state = fake.play_fake(tmp_path, plan)
    assert state.finished == 0 and state.stopped == "time"
    with pytest.raises(Interrupted, match="apotheosis resume"):
        state.check()
    fake.play_fake(tmp_path, run.respread(plans.load(tmp_path), {"workers": 2})).check()
    assert fake.content(tmp_path) == undisturbed


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def flip_a_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[200] ^= 16
    path.write_bytes(data)


def swap_in_another(path: Path) -> None:
    path.write_bytes(path.with_name(path.name.replace("000003", "000004")).read_bytes())


@pytest.mark.parametrize("table", ["matches", "cards"])
@pytest.mark.parametrize("damage", [truncate, flip_a_bit, swap_in_another])
def test_a_damaged_chunk_is_named_and_only_it_is_played_again(fake, tmp_path, undisturbed, damage, table):
    fake.play_fake(tmp_path, fake.fake_plan())
    damage(tmp_path / "chunks" / f"000003.{table}.parquet")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "chunks").iterdir()}
    state = run.inspect(tmp_path)
    assert list(state.broken_chunks) == [3] and not state.missing_chunks and state.finished == 72
    assert table in state.broken_chunks[3]
    fake.play_fake(tmp_path, fake.fake_plan())
    assert fake.content(tmp_path) == undisturbed
    rewritten = {path.name[:6] for path, when in before.items() if path.stat().st_mtime_ns != when}
    assert rewritten == {"000003"}


def test_a_missing_cards_file_is_a_broken_chunk(fake, tmp_path, undisturbed):
    fake.play_fake(tmp_path, fake.fake_plan())
    (tmp_path / "chunks" / "000002.cards.parquet").unlink()
    assert list(run.inspect(tmp_path).broken_chunks) == [2]
    fake.play_fake(tmp_path, fake.fake_plan())
    assert fake.content(tmp_path) == undisturbed


def test_a_full_disk_ends_with_4_leaves_nothing_half_written_and_can_be_resumed(fake, tmp_path, undisturbed):
    with pytest.raises(OutOfResources, match="no room left"):
        fake.play_fake(tmp_path, fake.fake_plan(), fake.FakePool(disk_full=(29,)))
    assert OutOfResources.exit_code == 4
    state = run.inspect(tmp_path)
    assert not state.broken_chunks and state.finished == 3 * 8
    assert not list(tmp_path.rglob("*.tmp")) and not list(tmp_path.rglob(".*.tmp"))
    fake.play_fake(tmp_path, fake.fake_plan()).check()
    assert fake.content(tmp_path) == undisturbed


@pytest.mark.parametrize("writes", range(6))
def test_a_disk_that_fills_up_at_any_write_leaves_no_file_of_the_chunk_half_written(fake, tmp_path, monkeypatch, writes):
    plan = fake.fake_plan()
    plans.save(tmp_path, plan)
    left, real = [writes], store.Atomic.write

    def write(self, data):
        left[0] -= 1
        return real(self, data) if left[0] >= 0 else fake.no_room_left(self, data)

    monkeypatch.setattr(store.Atomic, "write", write)
    sides = tuple(side.name for side in plan.sides)
    job = Job(tmp_path, plan.fingerprint, plan.schedule, True, "f", sides, None, fake.PLAYER, fake.FakePool(), False)
    with pytest.raises(OutOfResources):
        Worker(job).play(plan.chunks[0])
    monkeypatch.undo()
    assert run.inspect(tmp_path).missing_chunks[0] == 0
    for path in (tmp_path / "chunks").iterdir():
        assert pq.read_table(path).num_rows > 0
        assert path.suffix == ".parquet"


@pytest.mark.ray
def test_a_lost_ray_worker_changes_nothing(fake, tmp_path, undisturbed):
    plan = fake.fake_plan(**{"run.workers": 2, "run.backend": "ray"})
    state = fake.play_fake(tmp_path / "run", plan, fake.FakePool(die_once=(21, str(tmp_path / "died"))))
    state.check()
    assert (tmp_path / "died").exists() and not state.quarantined
    assert fake.content(tmp_path / "run") == undisturbed


def test_a_second_driver_is_kept_out(fake, tmp_path):
    driver = start_driver(tmp_path, workers=1, sleep_s=0.05)
    wait_for_chunks(tmp_path, 1)
    with pytest.raises(InputError, match="another process is playing this run"):
        fake.play_fake(tmp_path, fake.fake_plan())
    driver.kill()
    driver.wait(PATIENCE_S)


def test_a_plan_that_was_edited_is_refused(fake, tmp_path):
    plans.save(tmp_path, fake.fake_plan())
    path = tmp_path / "plan.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"seed": 1', '"seed": 2'), encoding="utf-8")
    with pytest.raises(InputError, match=r"plan\.json: was changed after the run began"):
        plans.load(tmp_path)


def test_decks_that_were_edited_are_refused(fake, tmp_path):
    plans.save(tmp_path, fake.fake_plan())
    path = tmp_path / "decks.json"
    path.write_text(path.read_text(encoding="utf-8").replace("deck-3", "deck-9"), encoding="utf-8")
    with pytest.raises(InputError, match=r"decks\.json: was changed"):
        plans.load(tmp_path)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds worker processes through /proc")
def test_ctrl_c_twice_gives_up_running_chunks_and_the_run_can_be_resumed(fake, tmp_path, undisturbed):
    driver = start_driver(tmp_path, workers=2, sleep_s=1.0)
    deadline = time.monotonic() + PATIENCE_S
    while len(children(driver.pid)) < 2:
        assert time.monotonic() < deadline, "the driver starts no workers"
        time.sleep(0.05)
    workers = children(driver.pid)
    for _ in range(2):
        driver.send_signal(signal.SIGINT)
        time.sleep(0.6)
    assert driver.wait(PATIENCE_S) == Interrupted.exit_code
    assert all(gone(worker) for worker in workers)
    assert not list(tmp_path.rglob(".*.tmp"))
    fake.play_fake(tmp_path, fake.fake_plan()).check()
    assert fake.content(tmp_path) == undisturbed
