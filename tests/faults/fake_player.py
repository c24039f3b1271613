"""A player without rules, for tests of what happens around matches: results follow from the seeds alone.

It stands in for the kernel where a test kills processes or needs a match that hangs, which no real match does when
asked to.
"""

import errno
import os
import signal
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from apotheosis.env.errors import LabError
from apotheosis.env.rules.layout import COPIES, DECK_SLOT, HEROES, LEDGER, RESULT
from apotheosis.experiments import plan as plans
from apotheosis.experiments import run, store
from apotheosis.experiments.plan import Plan, Side
from apotheosis.experiments.spec import load_spec
from apotheosis.experiments.tables import CardFacts, Played

N_CARDS = 40
DECK = 10
PLAYER = "fake_player:FakePlayer"


@dataclass(frozen=True)
class FakePool:
    """Says which matches misbehave; the names are those of what they do."""

    hang: tuple[int, ...] = ()
    die: tuple[int, ...] = ()
    raise_: tuple[int, ...] = ()
    die_once: tuple[int, str] = (-1, "")
    disk_full: tuple[int, ...] = ()
    sleep_s: float = 0.0
    ballast: bytes = b""
    hash: str = field(default="fake")


def leave(pipe) -> None:
    """Stands in for a worker that is killed before it hears what to do."""
    os._exit(9)


def no_room_left(self, data) -> int:
    """Stands in for the one write function: the first half of the data fits."""
    os.write(self._descriptor, memoryview(data).cast("B")[: len(data) // 2])
    raise OSError(errno.ENOSPC, "No space left on device")


class FakePlayer:
    def __init__(self, pool: FakePool):
        self.pool = pool
        numbers = np.arange(N_CARDS)
        self.facts = CardFacts(
            ids=np.array([f"F{number:02d}" for number in numbers]),
            suits=3 + numbers % 4,
            rarities=numbers % 5,
            levels=(1 + numbers % 3).astype(np.int16),
            inert=numbers % 7 == 0,
        )

    @classmethod
    def prepare(cls, plan: Plan, pool: FakePool) -> FakePool:
        return pool

    def play(self, rows, seeds) -> Played:
        for match in rows["match_id"].tolist():
            if match in self.pool.hang:
                time.sleep(3600)
            if match in self.pool.die:
                os._exit(9)
            if match == self.pool.die_once[0] and not Path(self.pool.die_once[1]).exists():
                Path(self.pool.die_once[1]).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            if match in self.pool.disk_full:
                store.Atomic.write = no_room_left
            if match in self.pool.raise_:
                raise ZeroDivisionError(f"match {match}")
            time.sleep(self.pool.sleep_s)
        return self._rows(rows, seeds, seeds[:, 2] % 3 + 1)

    def unplayed(self, rows, seeds, outcome: str) -> Played:
        return self._rows(rows, seeds, {"timeout": 6, "crash": 7}[outcome])

    def _rows(self, rows, seeds, outcomes) -> Played:
        n = len(seeds)
        results, ledgers = np.zeros(n, RESULT), np.zeros((n, HEROES * COPIES), LEDGER)
        results["outcome"] = outcomes
        results["turns"], results["decisions"] = 1 + seeds[:, 0] % 30, 1 + seeds[:, 1] % 300
        results["state_hash"], results["legal_options_sum"] = seeds[:, 0] ^ seeds[:, 1], 7 * results["decisions"]
        ledgers["ident"] = -1
        for hero, side in enumerate(("side_a", "side_b")):
            first = hero * COPIES + DECK_SLOT
            drawn = seeds[:, hero, None] % 97 + np.arange(DECK)
            ledgers["ident"][:, first : first + DECK] = (rows[side][:, None] + np.arange(DECK) // 2) % N_CARDS
            ledgers["shuffle_position"][:, first : first + DECK] = drawn % DECK
            ledgers["drawn"][:, first : first + DECK] = drawn % 3 == 0
        return Played(rows, seeds, results, ledgers)


def fake_plan(pairs: int = 40, chunk: int = 4, **settings) -> Plan:
    """Returns a plan with sides that have names only."""
    spec = load_spec(settings={"run.pairs": pairs, "run.chunk": chunk, "run.workers": 1, **settings})
    sides = tuple(Side(f"deck-{number}", ({"name": f"deck-{number}"},)) for number in range(6))
    return Plan(spec, sides, "fake", {"version": "0", "sources": "fake"})


def play_fake(folder: Path, plan: Plan, pool: FakePool | None = None, **options):
    """Saves a plan, if its folder has none yet, and plays it."""
    if not (folder / "plan.json").exists():
        plans.save(folder, plan)
    return run.play(folder, plan, pool or FakePool(), player=PLAYER, **options)


def content(folder: Path, tables: Iterable[str] = ("matches", "cards")) -> dict[str, bytes]:
    """Returns the bytes of every table and chunk of a run folder by name."""
    paths = [folder / f"{name}.parquet" for name in tables] + sorted((folder / "chunks").iterdir())
    return {path.name: path.read_bytes() for path in paths}


if __name__ == "__main__":
    # A driver for tests that kill it or press Ctrl-C: fake_player.py FOLDER WORKERS SLEEP
    plan = fake_plan(**{"run.workers": int(sys.argv[2])})
    try:
        play_fake(Path(sys.argv[1]), plan, FakePool(sleep_s=float(sys.argv[3]))).check()
    except LabError as error:
        sys.exit(error.exit_code)
