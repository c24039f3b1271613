"""Plays one chunk and writes its files: the piece of work that every backend hands to its workers.

A worker may die in the middle (killed, out of memory, a match that hangs). What it leaves is enough to go on: complete
files or none, and, when a chunk is played carefully, a note of the match being played. The watchdog lives in the worker
itself and needs no help from the interpreter, so that a match that hangs inside compiled code ends too.
"""

from __future__ import annotations

import faulthandler
import importlib
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from apotheosis.env.errors import LabError
from apotheosis.experiments.quarantine import Quarantine
from apotheosis.experiments.schedule import Chunk, Schedule
from apotheosis.experiments.seeds import match_seeds
from apotheosis.experiments.store import Folder
from apotheosis.experiments.tables import Played, chunk_tables, join

SLICE_SECONDS = 0.5
"""Matches are handed to the kernel in slices of about this time, so that the watchdog can tell slow from stuck."""


@dataclass(frozen=True)
class Job:
    """What a worker must know of a run; light, so that workers start fast.

    Attributes:
        folder: the run folder.
        fingerprint: the plan's fingerprint.
        schedule: who meets whom.
        common_seeds: whether both matches of a pair read the same seeds.
        format_name: name of the match format.
        sides: names of the sides by number.
        match_timeout: seconds after which a match is given up, None for never.
        player: `module:class` of what plays matches; made from `deal`, it has `facts`, `play(rows, seeds)` and
            `unplayed(rows, seeds, outcome)`, both of which return `Played`.
        deal: what the player was given to play with.
        watch: whether the watchdog may end the process (in workers, not in the driver).
    """

    folder: Path
    fingerprint: str
    schedule: Schedule
    common_seeds: bool
    format_name: str
    sides: tuple[str, ...]
    match_timeout: float | None
    player: str
    deal: Any
    watch: bool = True


def load_player(name: str) -> Any:
    """Returns the class that a `module:class` names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


@dataclass(frozen=True)
class Report:
    """What a worker says about a chunk it has written.

    Attributes:
        chunk: number of the chunk.
        outcomes: matches by outcome.
        playing_s: CPU seconds inside the kernel.
        total_s: CPU seconds for the whole chunk.
        raised: matches that ended with an exception of the lab itself.
        trace: the first of those exceptions as text, or "".
    """

    chunk: int
    outcomes: dict[str, int]
    playing_s: float
    total_s: float
    raised: int = 0
    trace: str = ""


@dataclass
class Worker:
    """Plays chunks of one job; kept between chunks, so that the kernel is loaded once for each process.

    Attributes:
        job: the run.
        busy_since: clock when the slice being played began, None between slices; for those who watch from outside.
    """

    job: Job
    busy_since: float | None = None
    _player: Any = field(default=None, repr=False)
    _slice: int = 1

    @property
    def player(self) -> Any:
        """The player, made at the first use."""
        if self._player is None:
            self._player = load_player(self.job.player)(self.job.deal)
        return self._player

    def play(self, chunk: Chunk, careful: bool = False) -> Report:
        """Plays a chunk and writes its files.

        Args:
            chunk: what to play.
            careful: one match at a time, each noted before it begins; matches in quarantine are not played, and one
                that raises an exception ends as a crash.

        Raises:
            LabError: the disk is full, or the player refuses to play.
            Exception: a match raised it, and the chunk is not played carefully.
        """
        started = time.process_time()
        job, player, schedule = self.job, self.player, self.job.schedule
        folder = Folder(job.folder, job.fingerprint)
        rows = schedule.rows(chunk.first_pair, chunk.pairs)
        seeds = match_seeds(schedule.run_seed, schedule.experiment, rows["seed_pair"], rows["second"], job.common_seeds)
        quarantine = Quarantine(folder, chunk.number)
        began = time.process_time()
        if careful or quarantine.path.exists():
            played, raised, trace = self._play_singly(rows, seeds, quarantine)
        else:
            played, raised, trace = self._play_in_slices(rows, seeds, quarantine), 0, ""
        playing = time.process_time() - began
        tables = chunk_tables(played, chunk.number, job.format_name, job.sides, schedule.bots, player.facts)
        folder.write_chunk(chunk.number, tables)
        quarantine.forget_notes()
        outcomes = folder.outcomes(chunk.number)
        return Report(chunk.number, outcomes, playing, time.process_time() - started, raised, trace)

    def _play_in_slices(self, rows: dict[str, np.ndarray], seeds: np.ndarray, quarantine: Quarantine) -> Played:
        parts, at, n = [], 0, len(seeds)
        while at < n:
            end = min(n, at + self._slice)
            began = time.perf_counter()
            with self._watched(quarantine):
                parts.append(self._play(rows, seeds, slice(at, end)))
            took = time.perf_counter() - began
            if end - at == self._slice:
                # Longer or shorter slices change nothing in the tables: matches do not know of each other.
                self._slice = max(1, min(4 * self._slice, int(self._slice * SLICE_SECONDS / max(took, 1e-6))))
            at = end
        return join(parts)

    def _play_singly(self, rows: dict[str, np.ndarray], seeds: np.ndarray, quarantine: Quarantine) -> tuple[Played, int, str]:
        parts, raised, first_trace = [], 0, ""
        known = quarantine.read()
        for at in range(len(seeds)):
            here = slice(at, at + 1)
            if at in known:
                parts.append(self._unplayed(rows, seeds, here, known[at]["outcome"]))
                continue
            quarantine.note(at)
            try:
                with self._watched(quarantine):
                    parts.append(self._play(rows, seeds, here))
            except LabError:
                raise
            except Exception:
                raised, trace = raised + 1, traceback.format_exc()
                first_trace = first_trace or trace
                quarantine.add(at, "crash", trace)
                parts.append(self._unplayed(rows, seeds, here, "crash"))
        return join(parts), raised, first_trace

    def _play(self, rows: dict[str, np.ndarray], seeds: np.ndarray, here: slice) -> Played:
        return self.player.play({name: column[here] for name, column in rows.items()}, seeds[here])

    def _unplayed(self, rows: dict[str, np.ndarray], seeds: np.ndarray, here: slice, outcome: str) -> Played:
        return self.player.unplayed({name: column[here] for name, column in rows.items()}, seeds[here], outcome)

    @contextmanager
    def _watched(self, quarantine: Quarantine) -> Iterator[None]:
        """Ends this process when the block takes longer than a match may, and leaves the traceback as evidence."""
        limit = self.job.match_timeout
        self.busy_since = time.monotonic()
        try:
            if not self.job.watch or limit is None:
                yield
                return
            with quarantine.evidence() as file:
                faulthandler.dump_traceback_later(limit, exit=True, file=file)
                try:
                    yield
                finally:
                    faulthandler.cancel_dump_traceback_later()
        finally:
            self.busy_since = None
