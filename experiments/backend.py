"""What the driver and its backends say to each other: tasks out, results back, and nothing else.

A backend takes tasks and tells how each ended. It knows nothing of plans, retries or quarantine; the driver knows
nothing of processes or clusters. Both backends therefore give the same tables.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import Protocol

from apotheosis.env.errors import LabError
from apotheosis.experiments.chunk import Report, Worker
from apotheosis.experiments.schedule import Chunk

THREADS: dict[str, str] = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
}
"""Environment of every worker: a worker is one core's work."""


@dataclass(frozen=True)
class Task:
    """A chunk to play; `careful` means one match at a time."""

    chunk: Chunk
    careful: bool = False


@dataclass(frozen=True)
class Done:
    """The chunk is on disk."""

    task: Task
    report: Report


@dataclass(frozen=True)
class Raised:
    """An exception ended the task: an error of the lab's own kinds, or the traceback of another."""

    task: Task
    error: LabError | None
    trace: str = ""


@dataclass(frozen=True)
class Died:
    """The worker ended without a word, or its machine was lost."""

    task: Task


Result = Done | Raised | Died


def attempt(worker: Worker, task: Task) -> Done | Raised:
    """Plays a task and says how it ended.

    Raises:
        MemoryError: nothing can be trusted now; a fresh process plays the chunk again.
    """
    try:
        return Done(task, worker.play(task.chunk, task.careful))
    except LabError as error:
        return Raised(task, error)
    except MemoryError:
        raise
    except Exception:
        return Raised(task, None, traceback.format_exc())


class Backend(Protocol):
    """Plays tasks somewhere."""

    @property
    def capacity(self) -> int:
        """Tasks that may be in flight."""
        ...

    def submit(self, task: Task) -> None:
        """Begins a task; the driver never has more than `capacity` in flight."""
        ...

    def wait(self, timeout_s: float) -> list[Result]:
        """Returns the tasks that have ended, waiting at most `timeout_s` seconds for the first."""
        ...

    def close(self, now: bool = False) -> None:
        """Frees the workers; with `now` without waiting for what they are doing."""
        ...
