"""Drives chunks through a backend until the run is complete, stopped or hopeless.

The driver owns the order of issue, retries, quarantine and stopping rules; backends own processes. What it decides
never touches the content of a chunk.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from apotheosis.env.errors import FailedMatches, InternalError
from apotheosis.experiments.backend import Backend, Died, Done, Raised, Result, Task
from apotheosis.experiments.chunk import Report
from apotheosis.experiments.quarantine import Quarantine
from apotheosis.experiments.schedule import Chunk
from apotheosis.experiments.store import Folder, check_room

POLL_S = 0.5
"""How often the driver looks up from waiting, for Ctrl-C, time limits and the progress display."""
PLAIN_DEATHS = 2
"""Workers that may die over a chunk before it is played one match at a time."""
FRUITLESS_DEATHS = 6
"""Deaths over one chunk, played carefully and without a match to blame, after which the run gives up."""
MOST_QUARANTINED = 100
"""Matches set aside by dead workers after which a run gives up: something is wrong with the lab, not with a match."""


class Stopping:
    """Says whether the run should stop: asked by Ctrl-C, by the clock or by a stopping rule.

    Attributes:
        issued_enough: no further chunk begins; those running are finished.
        at_once: running chunks are given up, too.
        reason: `interrupted`, `time` or `decided`, or "".
    """

    def __init__(self, max_time: float | None):
        self.deadline = None if max_time is None else time.monotonic() + max_time
        self.at_once = False
        self.reason = ""

    @property
    def issued_enough(self) -> bool:
        """Whether no further chunk begins."""
        if not self.reason and self.deadline is not None and time.monotonic() >= self.deadline:
            self.reason = "time"
        return bool(self.reason)

    def ask(self, *_: object) -> None:
        """Stops issuing at the first call, gives up running chunks at the second; a signal handler."""
        self.at_once = self.reason == "interrupted"
        self.reason = "interrupted"

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Lets Ctrl-C and termination ask for the stop, in the main thread of a process."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@dataclass
class Tally:
    """What the driver knows of a run in progress.

    Attributes:
        planned: matches of the plan.
        outcomes: finished matches by outcome.
        complete: chunks on disk.
        played: matches played by this driver.
        playing_s: CPU seconds that workers spent inside the kernel.
        working_s: CPU seconds that workers spent on chunks in all.
        began: clock at the start.
    """

    planned: int
    outcomes: Counter[str] = field(default_factory=Counter)
    complete: set[int] = field(default_factory=set)
    played: int = 0
    playing_s: float = 0.0
    working_s: float = 0.0
    began: float = field(default_factory=time.monotonic)

    @property
    def finished(self) -> int:
        """Matches on disk."""
        return sum(self.outcomes.values())

    @property
    def matches_per_s(self) -> float:
        """Matches a second since this driver began."""
        return self.played / max(time.monotonic() - self.began, 1e-9)

    def add(self, report: Report) -> None:
        """Counts a chunk that this driver had played."""
        self.outcomes.update(report.outcomes)
        self.complete.add(report.chunk)
        self.played += sum(report.outcomes.values())
        self.playing_s += report.playing_s
        self.working_s += report.total_s


class Driver:
    """Plays the chunks that are still missing.

    Args:
        folder: the run folder.
        tally: what is on disk already; kept up to date.
        stopping: when to stop.
        show: called with the tally whenever it has changed, and at least every `POLL_S` seconds.
        decide: called with each chunk's number in issue order as soon as it and all before it are complete; returns
            True when the question of the run is decided and no more chunks are needed.
    """

    def __init__(
        self,
        folder: Folder,
        tally: Tally,
        stopping: Stopping,
        show: Callable[[Tally], None],
        decide: Callable[[int], bool] | None = None,
    ):
        self.folder, self.tally, self.stopping, self.show, self.decide = folder, tally, stopping, show, decide
        self._deaths: Counter[int] = Counter()
        self._careful: set[int] = set()
        self._set_aside = 0
        self._prefix = 0

    def run(self, backend: Backend, chunks: Iterable[Chunk]) -> None:
        """Plays chunks, at most the backend's capacity at a time.

        Args:
            backend: where they are played.
            chunks: the missing chunks in issue order.

        Raises:
            LabError: a worker reported one (a full disk, for instance), or the run is hopeless.
        """
        waiting, again = iter(chunks), []
        in_flight = 0
        self._ask_decision()
        while not self.stopping.at_once:
            while in_flight < backend.capacity and not self.stopping.issued_enough:
                chunk = again.pop() if again else next(waiting, None)
                if chunk is None:
                    break
                check_room(self.folder.path)
                backend.submit(Task(chunk, chunk.number in self._careful))
                in_flight += 1
            if not in_flight:
                return
            for result in backend.wait(POLL_S):
                in_flight -= 1
                retry = self._handle(result)
                if retry is not None:
                    again.append(retry)
            self.show(self.tally)

    def _handle(self, result: Result) -> Chunk | None:
        """Counts a result; returns the chunk when it must be played again."""
        chunk = result.task.chunk
        if isinstance(result, Done):
            self._judge(result)
            self.tally.add(result.report)
            self._ask_decision()
            return None
        if isinstance(result, Raised):
            if result.error is not None:
                raise result.error
            if chunk.number in self._careful:
                raise InternalError(f"chunk {chunk.number} cannot be played\n{result.trace}", self.folder.path)
            self._careful.add(chunk.number)
            return chunk
        return self._bury(result)

    def _judge(self, done: Done) -> None:
        report = done.report
        if report.raised and report.raised == sum(report.outcomes.values()):
            raise InternalError(f"every match of chunk {report.chunk} raised an exception\n{report.trace}", self.folder.path)

    def _bury(self, died: Died) -> Chunk:
        """Decides what a worker's death means for its chunk, which is played again in any case."""
        chunk = died.task.chunk
        quarantine = Quarantine(self.folder, chunk.number)
        self._deaths[chunk.number] += 1
        if died.task.careful:
            if quarantine.blame():
                self._deaths[chunk.number] = 0
                self._set_aside += 1
        elif quarantine.stuck() or self._deaths[chunk.number] >= PLAIN_DEATHS:
            quarantine.forget_notes()
            self._deaths[chunk.number] = 0
            self._careful.add(chunk.number)
        if self._set_aside > MOST_QUARANTINED:
            raise FailedMatches(
                f"{self._set_aside} matches hung or killed their worker; the run is stopped and can be resumed",
                self.folder.path,
            )
        if self._deaths[chunk.number] >= FRUITLESS_DEATHS:
            raise FailedMatches(
                f"workers keep dying over chunk {chunk.number} (killed, or out of memory); the run can be resumed",
                self.folder.path,
            )
        return chunk

    def _ask_decision(self) -> None:
        """Shows complete chunks to the stopping rule in issue order: stopping on arrival order would be biased."""
        while self.decide is not None and self._prefix in self.tally.complete:
            number, self._prefix = self._prefix, self._prefix + 1
            if self.decide(number):
                self.stopping.reason = self.stopping.reason or "decided"
                self.decide = None
