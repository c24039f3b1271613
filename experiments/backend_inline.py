"""Plays a small run in this process, where starting a worker would take longer than playing.

A thread plays: the kernel leaves the interpreter's lock alone, so that the driver hears Ctrl-C and sees a match that
takes too long. A thread cannot be ended, but it can be left behind: its chunk and all that follow then go to a worker
process, where the watchdog and the quarantine do their work.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import replace

from apotheosis.experiments.backend import Result, Task, attempt
from apotheosis.experiments.backend_local import LocalBackend
from apotheosis.experiments.chunk import Job, Worker


class InlineBackend:
    """Plays one task at a time in a thread of this process.

    Args:
        job: the run.
    """

    capacity = 1

    def __init__(self, job: Job):
        self.job = job
        self._worker = Worker(replace(job, watch=False))
        self._results: queue.SimpleQueue[Result | None] = queue.SimpleQueue()
        self._task: Task | None = None
        self._processes: LocalBackend | None = None

    def submit(self, task: Task) -> None:
        """Begins a task."""
        if self._processes is not None:
            self._processes.submit(task)
            return
        self._task = task
        threading.Thread(target=self._play, args=(task,), daemon=True).start()

    def wait(self, timeout_s: float) -> list[Result]:
        """Returns the task's result, waiting for at most a time.

        Args:
            timeout_s: seconds to wait.
        """
        if self._processes is not None:
            return self._processes.wait(timeout_s)
        try:
            result = self._results.get(timeout=timeout_s)
        except queue.Empty:
            if not self._stuck():
                return []
            result = None
        if result is None:
            return self._leave_behind()
        return [result]

    def close(self, now: bool = False) -> None:
        """Ends the workers that were needed after all; a thread that still plays ends with this process."""
        if self._processes is not None:
            self._processes.close(now)

    def _play(self, task: Task) -> None:
        try:
            self._results.put(attempt(self._worker, task))
        except MemoryError:
            self._results.put(None)

    def _stuck(self) -> bool:
        since, limit = self._worker.busy_since, self.job.match_timeout
        return since is not None and limit is not None and time.monotonic() - since > limit

    def _leave_behind(self) -> list[Result]:
        assert self._task is not None
        self._processes = LocalBackend(self.job, 1)
        self._processes.submit(self._task)
        return []
