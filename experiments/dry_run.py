"""What a run would cost and what it could show, before it is played.

Twenty matches are played for the speed, with seeds and decks of their own, in a folder that is thrown away.
"""

from __future__ import annotations

import statistics
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apotheosis.experiments import door, run, store
from apotheosis.experiments.driver import Tally
from apotheosis.experiments.plan import Plan
from apotheosis.experiments.seeds import Experiment
from apotheosis.experiments.spec import Spec

MATCHES = 20
"""Matches played for the speed."""
TABLES_S = 0.00012
"""Seconds a worker needs for the tables of one match outside the rules: chunks of 400 matches took 0.045 s of CPU on
the machine of docs/benchmarks.md."""
ON_DISK_TWICE = 2
"""Every row lies in its chunk and in the table of the whole run."""
POWER = 0.8
Z_INTERVAL, Z_POWER = 1.959964, 0.841621
"""Normal quantiles of a 95 % interval and of a power of 80 %."""
TARGET = 0.02
"""The effect, as a share, for which the needed number of matches is told."""


@dataclass(frozen=True)
class Estimate:
    """What a run would cost and show.

    Attributes:
        out: where it would be written.
        matches: matches it would play.
        chunks: in so many chunks.
        workers: by so many workers.
        seconds: estimated time.
        matches_per_s: estimated speed of all workers together.
        bytes: estimated size on disk.
        bytes_free: room on that disk.
        power: what it can show, as numbers.
        statement: the same as a sentence.
    """

    out: str
    matches: int
    chunks: int
    workers: int
    seconds: float
    matches_per_s: float
    bytes: int
    bytes_free: int
    power: dict[str, Any]
    statement: str

    def to_json(self) -> dict[str, Any]:
        """Returns the object that `run --dry-run --json` prints."""
        return {
            "out": self.out,
            "planned": self.matches,
            "chunks": self.chunks,
            "workers": self.workers,
            "seconds": round(self.seconds, 1),
            "matches_per_s": round(self.matches_per_s, 1),
            "bytes": self.bytes,
            "bytes_free": self.bytes_free,
            "power": self.power,
            "statement": self.statement,
        }

    def text(self) -> str:
        """Returns the estimate in words."""
        lines = [
            f"{self.matches:,} matches in {_count(self.chunks, 'chunk')}, written to {self.out}",
            f"about {_time(self.seconds)} with {_count(self.workers, 'worker')} "
            f"({self.matches_per_s:,.0f} matches/s, measured on {MATCHES} matches)",
            f"about {_size(self.bytes)} on disk, {_size(self.bytes_free)} free",
            self.statement,
        ]
        if self.bytes > self.bytes_free:
            lines.append("there is not enough room on this disk")
        return "\n".join(lines)


def estimate(spec: Spec) -> Estimate:
    """Plays a few matches and says what the run of a spec would cost and show.

    Args:
        spec: the spec.

    Raises:
        InputError: the spec names cards, decks or bots that do not exist.
    """
    pool = door.load_pool(spec)
    plan = run.make_plan(spec, pool)
    out = run.folder_for(spec)
    playing_s, size = _sample(spec, pool)
    workers = min(run.workers_of(spec), len(plan.chunks))
    speed = workers / (playing_s + TABLES_S)
    power, statement = _power(plan)
    return Estimate(
        out=str(out),
        matches=plan.n_matches,
        chunks=len(plan.chunks),
        workers=workers,
        seconds=plan.n_matches / speed,
        matches_per_s=speed,
        bytes=int(size * plan.n_matches * ON_DISK_TWICE),
        bytes_free=store.room(out.absolute()),
        power=power,
        statement=statement,
    )


def _sample(spec: Spec, pool: Any) -> tuple[float, float]:
    """Returns (seconds inside the rules, bytes of Parquet data) for one match."""
    import pyarrow.parquet as pq

    changes: dict[str, Any] = {
        "pairs": MATCHES // spec.matches_per_pair,
        "matches": None,
        "chunk": MATCHES,
        "workers": 1,
        "backend": "local",
        "address": None,
        "max_time": None,
    }
    small = spec.model_copy(update={"run": spec.run.model_copy(update=changes)})
    plan = run.make_plan(small, pool, Experiment.SPEED)
    tallies: list[Tally] = []
    with tempfile.TemporaryDirectory(prefix="apotheosis-speed-") as name:
        run.play(Path(name), plan, pool, show=tallies.append)
        size = 0
        for path in (Path(name) / store.CHUNKS).glob("*.parquet"):
            file = pq.read_metadata(path)
            groups = (file.row_group(group) for group in range(file.num_row_groups))
            size += sum(g.column(c).total_compressed_size for g in groups for c in range(g.num_columns))
    return tallies[-1].playing_s / plan.n_matches, size / plan.n_matches


def _power(plan: Plan) -> tuple[dict[str, Any], str]:
    from apotheosis.experiments.stats import power

    kind = plan.spec.design.kind
    if kind == "random_decks":
        share = _median_share(plan)
        error = power.random_deck_se(plan.n_matches, share)
        needed = power.cost(TARGET, POWER, share=share).random_decks
        subject = f"a card in {share:.0%} of the decks"
    elif kind == "swap":
        design = plan.spec.design
        compared = {"swap": "head_to_head", "field": "field", "both": "contrast"}[design.pairing]
        error = power.standard_error(plan.n_matches, compared)
        needed = power.fixed_games(TARGET, power=POWER, design=compared)
        subject = f"the card {design.card}"
        if design.partner is not None:
            subject = f"{design.card} with {design.partner}, beyond both alone"
    else:
        cells = plan.schedule.cells() or []
        per_cell = max(plan.n_matches // len(cells), plan.schedule.matches_per_pair)
        error = power.standard_error(per_cell)
        needed = power.fixed_games(TARGET, power=POWER) * len(cells)
        subject = f"one of {len(cells)} pairings ({per_cell} matches each)"
    known, found = Z_INTERVAL * error, (Z_INTERVAL + Z_POWER) * error
    numbers = {"interval_95": round(known, 5), "found_80": round(found, 5), "matches_for_2_points": round(needed)}
    if found >= 0.5:
        return numbers, f"{subject}: so few matches show nothing; for {100 * TARGET:.0f} points it takes about {needed:,}"
    statement = (
        f"{subject}: win rate known to about ±{100 * known:.1f} points (95 %); a difference of {100 * found:.1f} "
        f"points is found 4 times in 5; for {100 * TARGET:.0f} points it takes about {needed:,} matches"
    )
    return numbers, statement


def _median_share(plan: Plan) -> float:
    """Returns the share of sides that hold a card, for the median card that occurs."""
    held: Counter[str] = Counter()
    for side in plan.sides:
        held.update({name for deck in side.decks for name in deck["cards"]})
    share = statistics.median(held.values()) / len(plan.sides)
    return min(max(share, 1 / len(plan.sides)), 1 - 1 / len(plan.sides))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _size(size: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
