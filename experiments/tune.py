"""Searches numbers of cards for a target within guardrails.

For each number a grid of values is played as a swap: the same decks with the card and with the plain card of its suit
and level. A line through the results says which value brings the card to its target; that value is then played on
fresh seeds. Whole matches before and after the changes say whether the game as a whole stayed what it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from apotheosis.env.errors import InputError, Interrupted
from apotheosis.experiments import run, store
from apotheosis.experiments.seeds import Experiment

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool
    from apotheosis.experiments.spec import Spec
    from apotheosis.experiments.stats.intervals import Interval

GRID = 5
"""Values of a number that are played, its present one among them."""
CONFIRM = 2
"""Times as many pairs for the chosen value, on fresh seeds."""
GUARD_RUNS = 2
"""Runs of random decks for the guardrails: before and after."""
CARDS, RESULT = "tuned.yaml", "tune.json"
"""What a search writes: all cards with the changes, and what it found."""

Show = Callable[[int, str], None]


@dataclass(frozen=True)
class Number:
    """A number of a card that may change.

    Attributes:
        card: id of the card.
        field: the field, its parts written with dots.
        low, high: smallest and largest value.
        now: the present value.
    """

    card: str
    field: str
    low: int
    high: int
    now: int

    @property
    def grid(self) -> list[int]:
        """The values that are played: evenly spaced, with the present one in place of its nearest."""
        values = sorted({round(value) for value in np.linspace(self.low, self.high, GRID)})
        nearest = min(values, key=lambda value: (abs(value - self.now), value))
        return sorted({self.now if value == nearest else value for value in values})


@dataclass(frozen=True)
class Found:
    """What a search says about one number.

    Attributes:
        number: the number.
        value: the value that comes nearest to the target; the present one where it will do.
        before: effect of the card with its present value, against the plain card, in win-rate shares.
        after: the same with the value found, on fresh seeds.
        ideal: the value at which the line reaches the target, with its interval; None without a line.
        verdict: `within`, `too_strong`, `too_weak` or `undecided`, of `after` against the target and the band.
    """

    number: Number
    value: int
    before: Interval
    after: Interval
    ideal: Interval | None
    verdict: str

    @property
    def gain(self) -> float:
        """How much nearer to an even match the change brings the card."""
        return abs(float(self.before.estimate)) - abs(float(self.after.estimate))


def numbers_of(spec: Spec, pool: Pool) -> list[Number]:
    """Returns the numbers that a spec lets change.

    Raises:
        InputError: there is none, a card or a number does not exist, or a card has two.
    """
    from apotheosis.experiments.versions import field_path, with_settings

    if not spec.tune.params:
        raise InputError("names no number to tune; give for instance --param OakCudgel.damage.constant=1:5", "tune.params")
    found = []
    for name, (low, high) in spec.tune.params.items():
        card, _, field = name.partition(".")
        now: Any = pool.cards[pool.number(card, "tune.params")].model_dump(mode="json", by_alias=True)
        for part in field_path(field):
            if isinstance(now, list):
                now = now[int(part)] if part.isdigit() and int(part) < len(now) else None
            else:
                now = now.get(part) if isinstance(now, dict) else None
        if not isinstance(now, int) or isinstance(now, bool):
            raise InputError(f"{card} has no whole number {field!r}", "tune.params")
        if low != int(low) or high != int(high) or not low < high:
            raise InputError(f"{name} needs two whole numbers, the lower one first; got {low} and {high}", "tune.params")
        if any(number.card == card for number in found):
            raise InputError(f"{card} is there twice; one number of a card is tuned at a time", "tune.params")
        for value in (low, high):
            with_settings(pool, card, {field: int(value)})  # a value that no card may have is refused before any match
        found.append(Number(card, field, int(low), int(high), now))
    return found


def choose(values: ArrayLike, scores: ArrayLike, number: Number, wanted: float) -> tuple[int, Interval | None]:
    """Returns the whole value whose mean score lies nearest to the wanted one by a line through the scores.

    Args:
        values: value of the number in each pair.
        scores: pair scores of the card's side.
        number: its range.
        wanted: the mean score to reach.

    Returns:
        The value, and where the line reaches the wanted score; the present value and None where no line can be drawn
        or it is as good as flat.

    Source: METHOD section 6.1.
    """
    from apotheosis.experiments.stats.dose_response import fit_dose

    try:
        line = fit_dose(values, scores, wanted=wanted)
    except ValueError:
        return number.now, None
    if not line.p_slope < 0.05:
        return number.now, None
    return int(np.clip(round(float(line.target.estimate)), number.low, number.high)), line.target


def judge(effect: Interval, wanted: float, band: float) -> str:
    """Returns where an effect lies: `within` the band around what is wanted, outside of it, or `undecided`."""
    low, high = float(effect.low) - wanted, float(effect.high) - wanted
    if -band <= low and high <= band:
        return "within"
    if low > band or high < -band:
        return "too_strong" if low > band else "too_weak"
    return "undecided"


class Search:
    """A search in its folder; the same search in the same folder goes on where it was stopped.

    Args:
        spec: the spec; `tune`, `guard`, `stats.band` and the pairs of each measurement are read from it.
        pool: its cards.
        out: the folder.
    """

    def __init__(self, spec: Spec, pool: Pool, out: Path):
        self.spec, self.pool, self.out = spec, pool, out
        self.numbers = numbers_of(spec, pool)
        self._show: Show = lambda played, part: None
        self._played = 0
        limit = spec.run.max_time
        self._deadline = None if limit is None else time.monotonic() + limit
        self.wanted = {"within": 0.0, "stronger": spec.stats.band, "weaker": -spec.stats.band}[spec.tune.target]

    @property
    def planned(self) -> int:
        """Matches of the whole search, where something changes."""
        parts = sum(len(number.grid) + CONFIRM for number in self.numbers)
        return 2 * (parts + GUARD_RUNS) * self.spec.pairs

    def run(self, show: Show | None = None) -> dict[str, Any]:
        """Plays everything, writes the result, and the cards where all guardrails hold.

        Args:
            show: told how many matches are played and which part is being played.

        Returns:
            out, params (one object per number), changed, guard, held, cards (the file, or None).
        """
        from apotheosis.env.cards.yaml_file import write_yaml

        self._show = show or self._show
        found = [self.search(number) for number in self.numbers]
        better = [each for each in found if each.value != each.number.now and each.gain > 0]
        changed = sorted(better, key=lambda each: -each.gain)[: self.spec.tune.max_changes]
        tuned = self.pool
        for each in changed:
            tuned = _changed(tuned, each.number, each.value)
        guard = self.guard(tuned) if changed else []
        held = all(row["held"] for row in guard)
        if changed and held:
            store.write_bytes(self.out / CARDS, write_yaml(list(tuned.cards)).encode())
        result = {
            "out": str(self.out),
            "target": self.spec.tune.target,
            "params": [_row(each, each in changed) for each in found],
            "changed": [f"{each.number.card}.{each.number.field}" for each in changed],
            "guard": guard,
            "held": held,
            "cards": str(self.out / CARDS) if changed and held else None,
        }
        store.write_json(self.out / RESULT, result)
        return result

    def search(self, number: Number) -> Found:
        """Measures the grid of a number, chooses a value and measures it again on fresh seeds."""
        parts = {value: self._scores(number, value, Experiment.RUN, 1) for value in number.grid}
        values = np.concatenate([np.full(len(scores), value) for value, scores in parts.items()])
        value, ideal = choose(values, np.concatenate(list(parts.values())), number, 0.5 + self.wanted)
        before = _effect(parts[number.now])
        if judge(before, self.wanted, self.spec.stats.band) == "within":
            value = number.now
        after = _effect(self._scores(number, value, Experiment.CONFIRM, CONFIRM))
        return Found(number, value, before, after, ideal, judge(after, self.wanted, self.spec.stats.band))

    def _scores(self, number: Number, value: int, experiment: Experiment, times: int) -> np.ndarray:
        """Plays a value against the plain card and returns the pair scores of the card's side."""
        from apotheosis.env.cards.pool import make_pool
        from apotheosis.experiments.baseline import plain_card
        from apotheosis.experiments.stats.pairs import pair_scores

        plain = plain_card(self.pool, self.pool.card(number.card))  # the same one for all values
        both = make_pool([*_changed(self.pool, number, value).cards, plain], self.pool.source, self.pool.overrides)
        design = {"kind": "swap", "mirror": True, "card": number.card, "baseline": plain.id}
        name = f"{number.card}.{number.field}={value}{' confirmed' if experiment == Experiment.CONFIRM else ''}"
        folder, sides = self._play(name, both, {"design": design, "bots": {"crossing": "same"}}, experiment, times)
        matches = store.read_table(folder / "matches.parquet").to_pandas()
        scores = pair_scores(matches, {side for side in sides if side.endswith("/card")})["score"].to_numpy(dtype=float)
        return scores[~np.isnan(scores)]

    def guard(self, tuned: Pool) -> list[dict[str, Any]]:
        """Plays random decks with the cards as they were and as they are tuned; returns the guardrails with their limits."""
        import pandas as pd

        from apotheosis.experiments.stats.pace import first_mover, length

        frames: list[pd.DataFrame] = []
        for name, pool in (("before", self.pool), ("after", tuned)):
            changes = {"design": {"kind": "random_decks"}, "format": {"initiative": "random"}, "decks": _RANDOM}
            folder, _ = self._play(name, pool, changes, Experiment.RUN, 1)
            frames.append(store.read_table(folder / "matches.parquet").to_pandas())
        old, new = (length(frame).median for frame in frames)
        first = first_mover(frames[1], True)
        share = 0.5 if first is None else 0.5 + float(first.estimate)
        loops = float((frames[1]["outcome"].astype(str) == "loop").mean())
        limits = self.spec.guard
        low, high = limits.first_player
        return [
            {"name": "first_player", "value": share, "limit": [low, high], "held": low <= share <= high},
            {
                "name": "length_change",
                "value": new / old - 1,
                "limit": limits.length_change,
                "held": abs(new / old - 1) <= limits.length_change,
            },
            {"name": "loop_rate", "value": loops, "limit": limits.loop_rate, "held": loops <= limits.loop_rate},
        ]

    def _play(
        self, name: str, pool: Pool, changes: dict[str, Any], experiment: Experiment, times: int
    ) -> tuple[Path, list[str]]:
        """Plays what is missing of a part of the search; returns its folder and the names of its sides."""
        from apotheosis.experiments import plan as plans
        from apotheosis.experiments.spec import spec_from

        data = self.spec.model_dump(mode="json")
        left = None if self._deadline is None else max(self._deadline - time.monotonic(), 0.0)
        data["run"] |= {"pairs": times * self.spec.pairs, "matches": None, "name": name, "max_time": left}
        for section, values in changes.items():
            data[section] |= values
        plan = run.make_plan(spec_from(data, "tune"), pool, experiment)
        folder = self.out / name.replace(" ", "-")
        plans.save(folder, plan)
        state = run.play(folder, plan, pool, show=lambda tally: self._show(self._played + tally.finished, name))
        self._played += state.finished
        if state.finished < plan.n_matches:
            why = "out of time" if state.stopped == "time" else "stopped"
            raise Interrupted(f"{why} after {self._played} matches; go on with the same command and --out {self.out}")
        state.check()
        return folder, [side.name for side in plan.sides]


_RANDOM = {"source": "random", "files": []}


def _changed(pool: Pool, number: Number, value: int) -> Pool:
    from apotheosis.experiments.versions import with_settings

    return pool if value == number.now else with_settings(pool, number.card, {number.field: value})


def _effect(scores: np.ndarray) -> Interval:
    from apotheosis.experiments.stats.intervals import cluster_share

    return cluster_share(scores, np.arange(scores.size)).shifted(-0.5)


def _row(found: Found, changed: bool) -> dict[str, Any]:
    """Returns what is told of one number, effects in win-rate shares."""
    number, ideal = found.number, found.ideal

    def told(interval: Interval) -> dict[str, float]:
        return {"effect": float(interval.estimate), "low": float(interval.low), "high": float(interval.high)}

    return {
        "card": number.card,
        "field": number.field,
        "range": [number.low, number.high],
        "now": number.now,
        "value": found.value,
        "changed": changed,
        "before": told(found.before),
        "after": told(found.after),
        "ideal": None if ideal is None else [float(ideal.estimate), float(ideal.low), float(ideal.high)],
        "verdict": found.verdict,
    }
