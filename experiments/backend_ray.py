"""Ray workers, on this machine or on a cluster: the only file that knows Ray.

A task writes its chunk into the run folder, which all machines must see under the same path, and returns counts. No
table travels through Ray's object store, and never more than twice as many tasks as workers are in flight.
"""

from __future__ import annotations

import os
import socket
import traceback
from typing import Any

from apotheosis.env.errors import InputError, LabError
from apotheosis.experiments.backend import THREADS, Died, Done, Raised, Result, Task
from apotheosis.experiments.chunk import Job, Worker

MEMORY_BYTES = 300 * 2**20
"""What a task tells Ray's scheduler that it needs."""
IN_FLIGHT_PER_WORKER = 2
ANSWER_S = 5.0
"""Seconds within which a cluster's address must take a connection."""

_workers: dict[str, Worker] = {}
"""In a Ray worker process: the player of the last run, kept between tasks."""


def play(job: Job, task: Task) -> Result:
    """Plays one task in a Ray worker; the kernel is loaded once for each process.

    Args:
        job: the run.
        task: the chunk.
    """
    key = job.fingerprint + str(job.folder)
    if key not in _workers:
        _workers.clear()
        _workers[key] = Worker(job)
    try:
        return Done(task, _workers[key].play(task.chunk, task.careful))
    except LabError as error:
        return Raised(task, error)
    except Exception:
        return Raised(task, None, traceback.format_exc())


class RayBackend:
    """Plays tasks as Ray tasks.

    Args:
        job: the run.
        workers: tasks that run at the same time.
        address: address of a running cluster, or None to start Ray on this machine.

    Raises:
        InputError: Ray is not installed or the cluster cannot be reached.
    """

    def __init__(self, job: Job, workers: int, address: str | None = None):
        # Under `uv run` Ray would otherwise start its workers in a copy of the project.
        os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
        try:
            import ray
        except ImportError as error:
            raise InputError("backend ray needs the extra `ray`: pip install 'apotheosis-lab[ray]'") from error
        self._ray, self.workers = ray, workers
        self._owned = not ray.is_initialized()
        if self._owned:
            self._connect(address)
        self._job = ray.put(job)
        options = {"num_cpus": 1, "memory": MEMORY_BYTES, "max_retries": 0, "runtime_env": {"env_vars": dict(THREADS)}}
        self._remote = ray.remote(play).options(**options)
        self._tasks: dict[Any, Task] = {}

    def _connect(self, address: str | None) -> None:
        if address is not None:
            check_listens(address)
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "error", "configure_logging": True}
        if address is None:
            settings.update(num_cpus=self.workers, include_dashboard=False)
        try:
            self._ray.init(address=address, **settings)
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(f"Ray cannot be reached: {reason}", f"address {address or 'of this machine'}") from error

    @property
    def capacity(self) -> int:
        """Tasks that may be in flight."""
        return IN_FLIGHT_PER_WORKER * self.workers

    def submit(self, task: Task) -> None:
        """Sends a task."""
        self._tasks[self._remote.remote(self._job, task)] = task

    def wait(self, timeout_s: float) -> list[Result]:
        """Returns what has ended since, waiting for at most a time.

        Args:
            timeout_s: seconds to wait for the first result.
        """
        if not self._tasks:
            return []
        ready, _ = self._ray.wait(list(self._tasks), num_returns=1, timeout=timeout_s)
        return [self._result(reference) for reference in ready]

    def _result(self, reference: Any) -> Result:
        task = self._tasks.pop(reference)
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            return Raised(task, None, str(error))
        except self._ray.exceptions.RayError:
            return Died(task)

    def close(self, now: bool = False) -> None:
        """Frees the workers; with `now` without waiting for what they are doing."""
        for reference in self._tasks:
            self._ray.cancel(reference, force=now)
        self._tasks.clear()
        if self._owned:
            self._ray.shutdown()


def check_listens(address: str) -> None:
    """Refuses an address at which nothing listens: Ray itself would try for minutes, and then end the process.

    Raises:
        InputError: there is no such machine, or nothing answers there.
    """
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return  # `auto`, which Ray looks up
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_S).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"Ray cannot be reached: {reason}", f"address {address}") from error
