"""The plan of a run: what will be played, fixed before the first match, and the fingerprint that says two runs are one.

`plan.json` holds the resolved spec, the hashes of cards, decks and code, the seeds and the list of chunks. Everything
that decides a table goes into the fingerprint; how the work is spread (workers, backend, time limit) does not, so that
a run may be resumed elsewhere and still gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

from apotheosis.env import sources
from apotheosis.env.errors import InputError
from apotheosis.experiments import store
from apotheosis.experiments.schedule import Chunk, Schedule
from apotheosis.experiments.seeds import STREAMS, Experiment
from apotheosis.experiments.spec import Spec, spec_from

FORMAT = 1
"""Version of the layout of `plan.json`."""

SPREADING = {"name", "workers", "backend", "address", "max_time", "out", "dry_run", "match_timeout", "failed_limit"}
"""Keys of [run] that change how and where a run is played, but not its tables."""
DECIDING = ("run", "format", "cards", "decks", "bots", "design")
"""Sections that decide the tables; the others say how they are judged and shown."""
LATER = (("design", "against", "twin"), ("design", "partner", None))
"""Keys that came after the first layout, with the value that runs without them have: section, key, value.

At this value a key is no part of the fingerprint, so that runs from before it can still be read and resumed.
"""
SOURCES = ("env", "agents")
"""Packages whose code and data decide what happens in a match."""


@dataclass(frozen=True)
class Side:
    """What one team brings: a name and one deck for each Hero, in the form of a deck file's entry."""

    name: str
    decks: tuple[dict[str, Any], ...]

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON form."""
        return {"name": self.name, "decks": list(self.decks)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Side:
        """Rebuilds a side from its JSON form."""
        return cls(data["name"], tuple(data["decks"]))


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run.

    Attributes:
        spec: the resolved spec.
        sides: the decks that meet, in order.
        cards_hash: hash of the card pool.
        code: version of the lab and hash of the code and data that decide a match.
        experiment: first entry of all spawn keys.
    """

    spec: Spec
    sides: tuple[Side, ...]
    cards_hash: str
    code: dict[str, str]
    experiment: int = Experiment.RUN

    @cached_property
    def schedule(self) -> Schedule:
        """Who meets whom."""
        design, bots = self.spec.design, self.spec.bots
        return Schedule(
            n_sides=len(self.sides),
            bots=tuple(bots.pool),
            kind=design.pairing,
            crossing=bots.crossing,
            mirror=design.mirror,
            run_seed=self.spec.run.seed,
            experiment=int(self.experiment),
        )

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks in issue order."""
        size, total = self.spec.chunk, self.spec.pairs
        starts = range(0, total, size)
        return tuple(Chunk(number, start, min(size, total - start)) for number, start in enumerate(starts))

    @property
    def n_matches(self) -> int:
        """Matches that the plan issues."""
        return self.spec.pairs * self.schedule.matches_per_pair

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables that each chunk writes."""
        return ("cards", "matches", "turns") if self.spec.run.turns else ("cards", "matches")

    @property
    def format_name(self) -> str:
        """Name of the match format in the tables, for instance `arena-1v1-level7`."""
        team = self.spec.format.team_size
        return f"arena-{team}v{team}-level{self.spec.format.hero_level}"

    def chunk_matches(self, chunk: Chunk) -> int:
        """Returns the number of matches in a chunk."""
        return chunk.pairs * self.schedule.matches_per_pair

    @cached_property
    def decks_hash(self) -> str:
        """Hash of the decks."""
        return digest([side.to_json() for side in self.sides])

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything that decides the tables."""
        spec = self.spec.model_dump(mode="json", include=set(DECIDING))
        for key in SPREADING:
            spec["run"].pop(key)
        for section, key, before in LATER:
            if spec[section][key] == before:
                del spec[section][key]
        del spec["cards"]  # a path may change; the content may not
        del spec["decks"]
        parts = [FORMAT, spec, int(self.experiment), self.cards_hash, self.decks_hash, self.code]
        return digest(parts)

    def to_json(self) -> dict[str, Any]:
        """Returns the content of `plan.json`; the decks stand in their own file."""
        return {
            "format": FORMAT,
            "fingerprint": self.fingerprint,
            "spec": self.spec.model_dump(mode="json"),
            "cards_hash": self.cards_hash,
            "decks_hash": self.decks_hash,
            "code": self.code,
            "seeds": {
                "entropy": self.spec.run.seed,
                "experiment": int(self.experiment),
                "streams": ["shuffle_a", "shuffle_b", "effects", "bot_a", "bot_b"],
                "common": self.spec.design.common_seeds,
            },
            "pairs": self.spec.pairs,
            "matches": self.n_matches,
            "matches_per_pair": self.schedule.matches_per_pair,
            "tables": list(self.tables),
            "chunks": [self._chunk_json(chunk) for chunk in self.chunks],
        }

    def _chunk_json(self, chunk: Chunk) -> dict[str, Any]:
        """Returns a chunk with the spawn keys (experiment, pair, stream) of its first and last seed."""
        experiment, last = int(self.experiment), chunk.first_pair + chunk.pairs - 1
        return {
            "chunk": chunk.number,
            "first_pair": chunk.first_pair,
            "pairs": chunk.pairs,
            "spawn_keys": [[experiment, chunk.first_pair, 0], [experiment, last, STREAMS - 1]],
        }


def digest(value: Any) -> str:
    """Returns a short hash of a JSON value; equal values give equal hashes whatever the order of keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=int)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def code_version(bots: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns the lab's version and the hash of all code and data that decide what happens in a match.

    Args:
        bots: digests of the files of learned bots, by bot.
    """
    learned = {"bots": digest(dict(bots))} if bots else {}
    return {"version": metadata.version("apotheosis-lab"), "sources": sources.digest(*SOURCES), **learned}


def save(folder: Path, plan: Plan) -> None:
    """Writes the decks and the plan; the plan comes last, so that a folder with a plan is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    store.write_json(folder / store.DECKS, [side.to_json() for side in plan.sides])
    store.write_json(folder / store.PLAN, plan.to_json())


def load(folder: Path) -> Plan:
    """Reads the plan of a run folder.

    Raises:
        InputError: the folder holds no run, or its files were changed after the run began.
    """
    if not (folder / store.PLAN).is_file():
        raise InputError("holds no run (there is no plan.json)", folder)
    data = store.read_json(folder / store.PLAN)
    try:
        if data["format"] != FORMAT:
            raise InputError(f"has layout {data['format']}, this version reads {FORMAT}", folder / store.PLAN)
        plan = Plan(
            spec=spec_from(data["spec"]),
            sides=tuple(Side.from_json(side) for side in store.read_json(folder / store.DECKS)),
            cards_hash=data["cards_hash"],
            code=data["code"],
            experiment=data["seeds"]["experiment"],
        )
    except KeyError as error:
        raise InputError(f"is not a plan: {error} is missing", folder / store.PLAN) from error
    except (AttributeError, TypeError) as error:
        raise InputError("is not a plan: it is not made of the sections that a plan has", folder / store.PLAN) from error
    if plan.fingerprint != data.get("fingerprint"):
        changed = store.DECKS if plan.decks_hash != data["decks_hash"] else store.PLAN
        raise InputError("was changed after the run began; start a new run instead", folder / changed)
    return plan


def drift(plan: Plan, cards_hash: str, code: dict[str, str]) -> list[str]:
    """Returns what has changed since the plan was made, as phrases; empty when nothing has.

    Args:
        plan: the stored plan.
        cards_hash: hash of the card pool as it loads now.
        code: version of the code as it is now.
    """
    found = []
    if cards_hash != plan.cards_hash:
        found.append(f"the cards ({plan.spec.cards.pool}) have changed")
    if code["version"] != plan.code["version"]:
        found.append(f"the lab is version {code['version']}, the run began with {plan.code['version']}")
    elif code["sources"] != plan.code["sources"]:
        found.append("the lab's rules, cards or bots have changed")
    if code.get("bots") != plan.code.get("bots"):
        found.append("the files of the learned bots have changed")
    return found


def unique_names(sides: Sequence[Side]) -> tuple[Side, ...]:
    """Returns the sides, or refuses two with the same name.

    Raises:
        InputError: names the deck that occurs twice.
    """
    seen = set()
    for side in sides:
        if side.name in seen:
            raise InputError(f"two decks are called {side.name!r}; results are stored by name, so each needs its own")
        seen.add(side.name)
    return tuple(sides)
