"""Runs, resumes and inspects a run folder: the door through which commands, tests and notebooks play matches.

`start` makes the folder and its plan, `play` plays whatever is missing in it, `inspect` says how far it is. The same
folder results whatever the number of workers, the backend, and the number of times the work was interrupted.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from apotheosis.env.errors import FailedMatches, InputError, Interrupted
from apotheosis.experiments import door, store
from apotheosis.experiments import plan as plans
from apotheosis.experiments.backend import Backend
from apotheosis.experiments.chunk import Job, load_player
from apotheosis.experiments.dictionary import FAILED, OUTCOMES
from apotheosis.experiments.driver import Driver, Stopping, Tally
from apotheosis.experiments.plan import Plan
from apotheosis.experiments.quarantine import SUSPECTS, all_quarantined, suspects
from apotheosis.experiments.schedule import Chunk
from apotheosis.experiments.seeds import Experiment
from apotheosis.experiments.spec import Spec, spec_from
from apotheosis.experiments.store import Folder

PLAYER = "apotheosis.experiments.player:Player"
"""What plays matches."""
INLINE_MATCHES = 100
"""So many matches of bots without search take less time than the start of a worker process (about a second)."""
EFFECTS_FROM = 400
"""Matches from which on a run of random decks says anything about single cards."""
RUNS = "runs"
"""Folder of run folders that are not given a place."""


@dataclass(frozen=True)
class State:
    """How far a run is.

    Attributes:
        out: the run folder.
        planned: matches that the plan issues.
        outcomes: finished matches by outcome.
        missing_chunks: chunks not yet played.
        broken_chunks: chunks whose files are damaged, with what is wrong.
        matches_per_s: speed of the driver that reports, None for a mere look.
        kernel_share: share of the workers' CPU time inside the kernel, None for a mere look.
        quarantined: matches set aside because they hung or killed their worker.
        stopped: why the run ended early: `interrupted`, `time`, `decided`, or "".
        failed_limit: share of failed matches that is accepted.
    """

    out: Path
    planned: int
    outcomes: dict[str, int]
    missing_chunks: list[int]
    broken_chunks: dict[int, str]
    matches_per_s: float | None = None
    kernel_share: float | None = None
    quarantined: int = 0
    stopped: str = ""
    failed_limit: float = 1.0

    @property
    def finished(self) -> int:
        """Matches on disk."""
        return sum(self.outcomes.values())

    @property
    def failed(self) -> int:
        """Finished matches without a result."""
        return sum(self.outcomes.get(outcome, 0) for outcome in FAILED)

    def to_json(self) -> dict[str, Any]:
        """Returns the object that `run`, `status` and `resume` print with `--json`."""
        rounded = {
            "matches_per_s": None if self.matches_per_s is None else round(self.matches_per_s, 2),
            "kernel_share": None if self.kernel_share is None else round(self.kernel_share, 4),
        }
        return {
            "out": str(self.out),
            "planned": self.planned,
            "finished": self.finished,
            "outcomes": self.outcomes,
            "failed": self.failed,
            "missing_chunks": self.missing_chunks,
            "broken_chunks": [{"chunk": chunk, "fault": fault} for chunk, fault in self.broken_chunks.items()],
            **rounded,
            "quarantined": self.quarantined,
            "stopped": self.stopped,
        }

    def check(self) -> None:
        """Raises the error whose exit code tells how the run ended, if it did not end well.

        Raises:
            Interrupted: matches are missing.
            FailedMatches: more matches failed than the limit allows.
        """
        if self.stopped in ("interrupted", "time") and self.finished < self.planned:
            why = "stopped" if self.stopped == "interrupted" else "out of time"
            raise Interrupted(
                f"{why} after {self.finished} of {self.planned} matches; finish with: apotheosis resume {self.out}"
            )
        if self.failed > self.failed_limit * max(self.finished, 1):
            names = ", ".join(f"{self.outcomes[name]} {name}" for name in FAILED if self.outcomes.get(name))
            raise FailedMatches(
                f"{self.failed} of {self.finished} matches have no result ({names}); the limit is {self.failed_limit:.2%}",
                self.out,
            )


def workers_of(spec: Spec) -> int:
    """Returns the number of workers, one for each core that this process may use where the spec says `auto`."""
    if spec.run.workers != "auto":
        return spec.run.workers
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def folder_for(spec: Spec) -> Path:
    """Returns the run folder of a spec: `run.out`, or the first free `runs/NAME`, `runs/NAME-2`, ...

    Raises:
        InputError: `run.out` holds a run already, or `run.name` is no name of a folder.
    """
    if spec.run.out is not None:
        out = Path(spec.run.out)
        if (out / store.PLAN).exists():
            raise InputError("holds a run already; continue it with `apotheosis resume`, or choose another --out", out)
        if out.exists() and not out.is_dir():
            raise InputError("is a file, not a folder", out)
        return out
    name = spec.run.name
    if not name.isprintable() or name in ("", ".", "..") or any(sign in name for sign in "/\\"):
        raise InputError(f"{name!r} cannot be the name of a folder; give another name, or say where with --out", "run.name")
    number, out = 1, Path(RUNS) / name
    while out.exists():
        number += 1
        out = Path(RUNS) / f"{spec.run.name}-{number}"
    return out


def make_plan(spec: Spec, pool: Any, experiment: int = Experiment.RUN) -> Plan:
    """Fixes everything that decides a run.

    Args:
        spec: the spec.
        pool: the card pool it names.
        experiment: first entry of all spawn keys; another number gives fresh seeds and fresh random decks.

    Raises:
        InputError: decks cannot be read or built, or the design cannot pair them.
    """
    sides = plans.unique_names(door.sides(spec, pool, int(experiment)))
    door.check_bots(spec.bots.pool)
    plan = Plan(spec, sides, pool.hash, plans.code_version(door.bot_files(spec.bots.pool)), experiment)
    plan.schedule.check()
    return plan


def start(spec: Spec, out: Path | None = None, pool: Any = None) -> tuple[Path, Plan, Any]:
    """Makes a run folder with its plan, ready to be played.

    Args:
        spec: the spec.
        out: the folder; by default the one the spec names.
        pool: the card pool, if it is loaded already.

    Returns:
        The folder, the plan and the card pool.
    """
    pool = door.load_pool(spec) if pool is None else pool
    plan = make_plan(spec, pool)
    out = folder_for(spec) if out is None else out
    if spec.run.backend == "ray" and spec.run.address is not None:
        from apotheosis.experiments.backend_ray import check_listens

        check_listens(spec.run.address)
    plans.save(out, plan)
    door.write_pool(out / store.POOL, pool)
    return out, plan, pool


def inspect(out: Path) -> State:
    """Looks at every chunk of a run folder and says how far the run is.

    Raises:
        InputError: the folder holds no run.
    """
    plan = plans.load(out)
    return _state(Folder(out, plan.fingerprint), plan)


def _state(folder: Folder, plan: Plan) -> State:
    outcomes: Counter[str] = Counter()
    missing, broken = [], {}
    for chunk in plan.chunks:
        fault = folder.chunk_fault(chunk.number, plan.chunk_matches(chunk), plan.tables)
        if fault is None:
            outcomes.update(folder.outcomes(chunk.number))
        elif fault == "missing":
            missing.append(chunk.number)
        else:
            broken[chunk.number] = fault
    return State(
        out=folder.path,
        planned=plan.n_matches,
        outcomes=_ordered(outcomes),
        missing_chunks=missing,
        broken_chunks=broken,
        quarantined=sum(len(matches) for matches in all_quarantined(folder).values()),
        failed_limit=plan.spec.run.failed_limit,
    )


def _ordered(outcomes: Counter[str]) -> dict[str, int]:
    return {name: outcomes[name] for name in OUTCOMES if outcomes[name]}


def load_for_resume(out: Path, allow_drift: bool = False) -> tuple[Plan, Any]:
    """Reads the plan and the cards of a run folder, and refuses to go on when they no longer fit.

    Args:
        out: the run folder.
        allow_drift: go on all the same, and record what has changed in `plan.json`.

    Raises:
        InputError: cards, decks or code are not those the run began with.
    """
    plan = plans.load(out)
    pool = door.load_pool(plan.spec)
    door.check_bots(plan.spec.bots.pool)
    changes = plans.drift(plan, pool.hash, plans.code_version(door.bot_files(plan.spec.bots.pool)))
    if changes and not allow_drift:
        raise InputError(
            f"{'; '.join(changes)} since this run began, so that its parts would not fit together; start a new run, "
            "or resume with --allow-drift, which records it",
            out,
        )
    if changes:
        data = store.read_json(out / store.PLAN)
        data["drift"] = data.get("drift", []) + changes
        store.write_json(out / store.PLAN, data)
    return plan, pool


def respread(plan: Plan, changes: dict[str, Any]) -> Plan:
    """Returns the plan with other workers, backend or time limit, none of which changes a table.

    Args:
        plan: a plan.
        changes: new values by key of [run]; None keeps the plan's own. The time limit of the first attempt is not kept.

    Raises:
        InputError: a value is not allowed.
    """
    data = plan.spec.model_dump(mode="json")
    data["run"]["max_time"] = None
    if changes.get("backend") == "local":
        data["run"]["address"] = None
    data["run"].update({key: value for key, value in changes.items() if value is not None})
    return replace(plan, spec=spec_from(data, "resume"))


def play(
    out: Path,
    plan: Plan,
    pool: Any,
    *,
    show: Callable[[Tally], None] = lambda tally: None,
    decide: Callable[[int], bool] | None = None,
    player: str = PLAYER,
) -> State:
    """Plays every chunk of a run folder that is missing or broken, and builds the tables.

    Args:
        out: the run folder, made by `start`.
        plan: its plan; `plan.spec.run` says with which workers and where.
        pool: the card pool.
        show: called with the progress.
        decide: a stopping rule; see `Driver`.
        player: `module:class` of what plays the matches; its `prepare(plan, pool)` returns what workers are given.

    Returns:
        How far the run is; `State.check` turns it into an exit code.

    Raises:
        InputError: another process plays this run.
        OutOfResources: the disk is full.
    """
    folder = Folder(out, plan.fingerprint)
    with store.only_driver(out):
        folder.remove_temporaries()
        before = _state(folder, plan)
        for chunk in before.broken_chunks:
            folder.remove_chunk(chunk)
        todo = set(before.missing_chunks) | set(before.broken_chunks)
        tally = Tally(plan.n_matches, Counter(before.outcomes), {c.number for c in plan.chunks} - todo)
        stopping = Stopping(plan.spec.run.max_time)
        driver = Driver(folder, tally, stopping, show, decide)
        if todo or decide is not None:
            job = _job(out, plan, player, load_player(player).prepare(plan, pool))
            chunks = [chunk for chunk in plan.chunks if chunk.number in todo]
            backend = _backend(plan, job, chunks)
            try:
                _drive(driver, backend, chunks, stopping)
            finally:
                folder.remove_temporaries()
        if not stopping.at_once:
            _build_tables(folder, plan, tally)
            if player == PLAYER and tally.finished == plan.n_matches >= EFFECTS_FROM:
                _write_effects(folder, plan, pool)
            if player == PLAYER and tally.outcomes["loop"]:
                _write_replays(folder)
        folder.remove_empty()
        todo -= tally.complete
        if (out / store.QUARANTINE).is_dir():
            store.write_json(out / store.QUARANTINE / SUSPECTS, suspects(folder, plan))
    return State(
        out=out,
        planned=plan.n_matches,
        outcomes=_ordered(tally.outcomes),
        missing_chunks=sorted(todo),
        broken_chunks={},
        quarantined=sum(len(matches) for matches in all_quarantined(folder).values()),
        failed_limit=plan.spec.run.failed_limit,
        matches_per_s=tally.matches_per_s,
        kernel_share=tally.playing_s / tally.working_s if tally.working_s else None,
        stopped=stopping.reason,
    )


def _job(out: Path, plan: Plan, player: str, deal: Any) -> Job:
    return Job(
        folder=out,
        fingerprint=plan.fingerprint,
        schedule=plan.schedule,
        common_seeds=plan.spec.design.common_seeds,
        format_name=plan.format_name,
        sides=tuple(side.name for side in plan.sides),
        match_timeout=plan.spec.run.match_timeout,
        player=player,
        deal=deal,
    )


def _backend(plan: Plan, job: Job, chunks: list[Chunk]) -> Backend:
    settings, workers = plan.spec.run, min(workers_of(plan.spec), max(len(chunks), 1))
    if settings.backend == "ray":
        from apotheosis.experiments.backend_ray import RayBackend

        return RayBackend(job, workers, settings.address)
    if _is_small(plan, job, chunks):
        from apotheosis.experiments.backend_inline import InlineBackend

        return InlineBackend(job)
    from apotheosis.experiments.backend_local import LocalBackend

    return LocalBackend(job, workers)


def _is_small(plan: Plan, job: Job, chunks: list[Chunk]) -> bool:
    """Returns whether starting a worker would take longer than playing; asked only where the run may choose."""
    matches = sum(plan.chunk_matches(chunk) for chunk in chunks)
    mine = plan.spec.run.workers == "auto" and job.player == PLAYER
    return mine and 0 < matches <= INLINE_MATCHES and door.all_fast(plan.spec.bots.pool)


def _drive(driver: Driver, backend: Backend, chunks: list[Chunk], stopping: Stopping) -> None:
    now = True
    try:
        with stopping.listening():
            driver.run(backend, chunks)
        now = stopping.at_once
    finally:
        backend.close(now=now)


def _write_effects(folder: Folder, plan: Plan, pool: Any) -> None:
    """Writes what a run of random decks says about each card: that takes the cards, which a report does not have."""
    from apotheosis.experiments.inclusion import has_effects, write_effects

    if has_effects(plan):
        write_effects(folder.path, plan, pool)


def _write_replays(folder: Folder) -> None:
    """Writes the replays that the match table names."""
    from apotheosis.experiments.replays import write_named

    write_named(folder.path)


def _build_tables(folder: Folder, plan: Plan, tally: Tally) -> None:
    for name in plan.tables:
        folder.build_table(name, sorted(tally.complete))
