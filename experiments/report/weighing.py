"""How much there is to decide, measured at decisions drawn from the stored matches of a run.

The options that a good player really weighs are those that a searching bot takes when it is asked the same question again
and again; what the best is worth beyond the second best is told by matches that are played on from both. Neither is in the
tables of a run: the matches are played again up to the decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from apotheosis.env.errors import InputError
from apotheosis.experiments import store
from apotheosis.experiments.stats.choices import sampled_options
from apotheosis.experiments.stats.intervals import Interval
from apotheosis.experiments.stats.moments import ClusterMoments

if TYPE_CHECKING:
    from apotheosis.env.match import Match
    from apotheosis.experiments.replays import StoredRun

PLAYER = "search:100"
"""Who is asked where no searching bot took part in the run."""
ANSWERS = 32
"""How often the bot is asked the same question."""
FIRST, ORDER, AGAIN = 16, 48, 64
"""Matches played on from each option to find the best two, then from these two to tell which is better, then to value them."""
ROLLOUT = "greedy"
"""Who plays on."""
COLUMNS = ["match_id", "decision", "seat", "legal", "real", "best", "second", "gap"]


@dataclass(frozen=True)
class Weighed:
    """What was found at a sample of decisions.

    Attributes:
        table: a row for each decision: match_id, decision (its number in the match), seat, legal (options), real (options
            that the bot weighs), best and second (win chances of the two best options for the seat), gap.
        bot: the bot that was asked.
        legal, real, gap: their means; `gap` over the decisions with more than one option, None without any.
    """

    table: pd.DataFrame
    bot: str
    legal: Interval
    real: Interval
    gap: Interval | None


def weigh(folder: Path, wanted: int, show: Callable[[int], None] = lambda done: None) -> Weighed:
    """Weighs decisions of a run that are drawn at random, each as likely as any other.

    Args:
        folder: run folder, whose cards and rules have not changed since.
        wanted: decisions.
        show: called with the number of decisions done.

    Raises:
        InputError: the folder holds no run, no finished match, or its matches would go another way now.
    """
    from apotheosis.experiments.replays import StoredRun

    stored = StoredRun(folder)
    seed = int(stored.plan.spec.run.seed)
    bot, rows = searching(stored.plan.spec.bots.pool), []
    for match_id, number in drawn(folder, wanted, seed):
        match = _at(stored, match_id, number)
        rows.append((match_id, number, "ab"[match.seat], *_weighed(match, bot, seed + 1000 * match_id + number)))
        show(len(rows))
    table = pd.DataFrame(rows, columns=COLUMNS)
    match, gap = table["match_id"].to_numpy(), table["gap"].to_numpy(dtype=float)
    open_ = ~np.isnan(gap)
    return Weighed(
        table=table,
        bot=bot,
        legal=_mean(table["legal"], match),
        real=_mean(table["real"], match),
        gap=_mean(gap[open_], match[open_]) if open_.any() else None,
    )


def _mean(values: ArrayLike, matches: np.ndarray) -> Interval:
    """Returns the mean over decisions, clustered by match."""
    x = np.asarray(values, dtype=float)
    return ClusterMoments.of_rows(np.stack([x, np.ones(len(x))], axis=1), matches).mean()


def searching(bots: Sequence[str]) -> str:
    """Returns the searching bot of a run that looks furthest, else `PLAYER`."""
    simulations = {name: int(name.partition(":")[2]) for name in bots if name.startswith("search:")}
    return max(simulations, key=lambda name: simulations[name]) if simulations else PLAYER


def drawn(folder: Path, wanted: int, seed: int) -> Iterator[tuple[int, int]]:
    """Yields (match, number of the decision in it) of decisions drawn from all of a run's, in order of matches.

    Raises:
        InputError: the run has no finished match.
    """
    path = folder / "matches.parquet"

    def decisions() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for part in store.read_groups(path, ["match_id", "decisions", "score_a"]):
            frame = part.to_pandas()
            frame = frame[frame["score_a"].notna()]
            yield frame["match_id"].to_numpy(), frame["decisions"].to_numpy(dtype=np.int64)

    total = sum(int(counts.sum()) for _, counts in decisions())
    if total == 0:
        raise InputError("has no finished match whose decisions could be weighed", folder)
    places = np.sort(np.random.default_rng(seed).choice(total, min(wanted, total), replace=False))
    start = 0
    for ids, counts in decisions():
        ends = start + np.cumsum(counts)
        for place in places[(places >= start) & (places < ends[-1])] if len(ends) else ():
            at = int(np.searchsorted(ends, place, side="right"))
            yield int(ids[at]), int(place - (ends[at] - counts[at]))
        start = int(ends[-1]) if len(ends) else start


def _at(stored: StoredRun, match_id: int, number: int) -> Match:
    """Returns a stored match as its decision of that number is asked; it is played to its end to see that it is the same.

    Raises:
        InputError: it would go another way now.
    """
    from apotheosis.env.match import Match, traced

    source = stored.source(match_id)
    match, found, trace, count = Match(source.pool, source.lineup, source.seeds), None, 0, 0
    while not match.over:
        if count == number:
            found = match.copy()
        code = source.choose(match)
        trace = traced(trace, code, len(match.legal()))
        match.apply(code)
        count += 1
    stored.check(match_id, trace, match)
    assert found is not None, "a match of the same course has the decision"
    return found


def _weighed(match: Match, bot: str, seed: int) -> tuple[int, float, float, float, float]:
    """Returns options, real options, the win chances of the best and the second best, and their difference.

    The two are found and ordered with some matches and valued with others, or the better of two equals would look better
    than it is. Two that are nearly equal may stand in the wrong order: the difference is rather too small than too large.
    """
    from apotheosis.env.playouts import answers_of

    legal = [int(code) for code in match.legal()]
    if len(legal) == 1:
        return 1, 1.0, np.nan, np.nan, np.nan
    taken = Counter(answers_of(match, bot, ANSWERS, seed).tolist())
    real = float(sampled_options([list(taken.values())])[0])
    found = {code: _value(match, code, FIRST, seed + 1) for code in legal}
    two = sorted(legal, key=lambda code: (-found[code], -taken[code], code))[:2]
    known = {code: FIRST * found[code] + ORDER * _value(match, code, ORDER, seed + 2) for code in two}
    best, second = (_value(match, code, AGAIN, seed + 3) for code in sorted(two, key=lambda code: -known[code]))
    return len(legal), min(real, float(len(legal))), best, second, best - second


def _value(match: Match, code: int, count: int, seed: int) -> float:
    """Returns the win chance of the seat that is asked after an answer, a draw as half."""
    from apotheosis.env.playouts import play_on

    ended = play_on(match, code, ROLLOUT, count, seed)
    return (ended["ab"[match.seat]] + 0.5 * ended["none"]) / count
