"""Worker processes on this machine: one kernel load each, no shared state, started by spawn on every system.

A worker waits on a pipe. When the driver ends, however it ends, the pipe closes and the worker goes; when a worker
ends, the driver sees its process and plays the chunk again elsewhere.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from apotheosis.experiments.backend import THREADS, Died, Result, Task, attempt
from apotheosis.experiments.chunk import Job, Worker

PATIENCE_S = 5.0
"""How long a worker may take to leave before it is ended."""


def serve(pipe: Connection) -> None:
    """Plays the chunks that come through a pipe until it closes; the main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the driver's business
    try:
        worker = Worker(pipe.recv())
    except EOFError:
        return
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(attempt(worker, task))
        except MemoryError:
            os._exit(1)
        except BrokenPipeError:
            return


@contextmanager
def _worker_environment() -> Iterator[None]:
    """Sets what a child inherits: one thread for each numeric library, and no reaction to Ctrl-C while it starts."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(THREADS)
    try:
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread: the child sets it itself a moment later
        handler = None
    try:
        yield
    finally:
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@dataclass
class _Process:
    process: Any
    pipe: Connection
    task: Task | None = None


class LocalBackend:
    """Plays tasks in worker processes.

    Args:
        job: the run.
        workers: number of processes, each started when it is first needed.
    """

    def __init__(self, job: Job, workers: int):
        self.job, self.workers = job, workers
        self._context = multiprocessing.get_context("spawn")
        self._processes: list[_Process] = []
        self._stillborn: list[Task] = []

    @property
    def capacity(self) -> int:
        """Tasks that may be in flight."""
        return self.workers

    def pids(self) -> list[int]:
        """Returns the process numbers of the workers."""
        return [each.process.pid for each in self._processes]

    def submit(self, task: Task) -> None:
        """Hands a task to an idle worker, starting one if there is none."""
        idle = next((each for each in self._processes if each.task is None and each.process.is_alive()), None)
        if idle is not None:
            try:
                idle.pipe.send(task)
            except OSError:  # it died while idle
                self._drop(idle)
                idle = None
        if idle is None:
            idle = self._start()
            try:
                # Not as an argument of the process: one that dies before it reads its arguments would leave us waiting.
                idle.pipe.send(self.job)
                idle.pipe.send(task)
            except OSError:  # it died while starting
                self._drop(idle)
                self._stillborn.append(task)
                return
        idle.task = task

    def wait(self, timeout_s: float) -> list[Result]:
        """Returns what has ended since, waiting for at most a time.

        Args:
            timeout_s: seconds to wait for the first result.
        """
        if self._stillborn:
            died, self._stillborn = [Died(task) for task in self._stillborn], []
            return list(died)
        busy = [each for each in self._processes if each.task is not None]
        by_handle: dict[Any, _Process] = {}
        for each in busy:
            by_handle[each.pipe] = each
            by_handle[each.process.sentinel] = each
        ended = {id(by_handle[handle]): by_handle[handle] for handle in wait(list(by_handle), timeout_s)}
        return [self._result(each) for each in ended.values()]

    def _result(self, each: _Process) -> Result:
        task = each.task
        assert task is not None
        try:
            result = each.pipe.recv() if each.pipe.poll() else None
        except (EOFError, OSError):
            result = None
        each.task = None
        if result is None:
            self._drop(each)
            return Died(task)
        return result

    def close(self, now: bool = False) -> None:
        """Ends the workers; with `now` without waiting for what they are doing."""
        for each in self._processes:
            each.pipe.close()
            if now:
                each.process.kill()
        for each in self._processes:
            each.process.join(PATIENCE_S)
            if each.process.is_alive():
                each.process.kill()
                each.process.join()
        self._processes.clear()

    def _start(self) -> _Process:
        here, there = self._context.Pipe()
        process = self._context.Process(target=serve, args=(there,), daemon=True)
        with _worker_environment():
            process.start()
        there.close()
        started = _Process(process, here)
        self._processes.append(started)
        return started

    def _drop(self, each: _Process) -> None:
        each.pipe.close()
        each.process.join(PATIENCE_S)
        if each.process.is_alive():
            each.process.kill()
            each.process.join()
        self._processes.remove(each)
