"""Plays an A/B test: pairs in issue order until the question is decided, then fresh pairs for a number to publish.

The run itself is an ordinary one (plan, chunks, resume). What stands here is the referee that reads each complete
chunk of the prefix, and the second measurement: a test that stopped because its numbers looked good shows inflated
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from apotheosis.env.cards.decks import Deck
from apotheosis.env.errors import InputError, Interrupted
from apotheosis.experiments import plan as plans
from apotheosis.experiments import run, store
from apotheosis.experiments.driver import Tally
from apotheosis.experiments.plan import Plan
from apotheosis.experiments.seeds import Experiment
from apotheosis.experiments.spec import Spec
from apotheosis.experiments.spec import TestSection as Question
from apotheosis.experiments.store import Folder
from apotheosis.experiments.versions import NEW, Versions, located, version_sides, write

RESULT = "test.json"
CONFIRM = "confirm"
"""Folder, inside the test's, of the matches that measure the effect again."""
LEAST_CONFIRM = 500
MAX_SHOWN = 400

STRONGER, WEAKER, WITHIN, UNDECIDED = "stronger", "weaker", "within", "undecided"


@dataclass(frozen=True)
class Ruling:
    """What the pairs of the prefix say.

    Attributes:
        verdict: "stronger", "weaker" or "within" (of the new version), "undecided" while open.
        pairs: pairs that the ruling rests on.
        llr: log likelihood ratio that decided, or the one nearest to a bound.
        llr_upper: the test for "stronger"; None for a fixed number of pairs.
        llr_lower: the test for "weaker"; None where there is none.
        bounds: bounds of the log likelihood ratio.
        counts: pairs with score 0, 1/4, 1/2, 3/4, 1.
        estimate: mean pair score minus one half, in shares.
        interval: band that holds at every moment at once.
        unfinished: pairs with a game without result.
        variance: variance of the pair score.
        rho: correlation of the two games of a pair.
        path: (pairs, llr_upper, llr_lower) at the looks, thinned out.
    """

    verdict: str
    pairs: int
    llr: float
    llr_upper: float | None
    llr_lower: float | None
    bounds: tuple[float, float]
    counts: list[int]
    estimate: float
    interval: tuple[float, float]
    unfinished: int
    variance: float
    rho: float
    path: list[tuple[int, float, float | None]] = field(repr=False)


class Referee:
    """Reads complete chunks in issue order and rules on all pairs so far.

    Args:
        folder: the run folder.
        candidate: names of the sides with the new version.
        question: what is asked.
    """

    def __init__(self, folder: Folder, candidate: set[str], question: Question):
        self.folder, self.candidate, self.question = folder, candidate, question
        self._parts: list[Any] = []
        self.ruling: Ruling | None = None

    def __call__(self, chunk: int) -> bool:
        """Takes the next chunk in; returns True when no more are needed."""
        from apotheosis.experiments.stats.pairs import pair_scores

        columns = [
            "match_id", "pair_id", "seat_a_deck", "seat_b_deck", "seat_a_bot", "seat_b_bot", "score_a",
        ]  # fmt: skip
        matches = store.read_table(self.folder.chunk_file(chunk, "matches"), columns).to_pandas()
        self._parts.append(pair_scores(matches, self.candidate))
        self.ruling = rule(self.pairs(), self.question)
        return self.ruling.verdict != UNDECIDED

    def pairs(self) -> Any:
        """Returns the pair scores so far, in issue order."""
        import pandas as pd

        return pd.concat(self._parts, ignore_index=True)


def rule(pairs: Any, question: Question) -> Ruling:
    """Rules on pairs in issue order.

    Args:
        pairs: rows of `stats.pairs.pair_scores`.
        question: kind, margins and error rates.

    Source: METHOD section 2c; unfinished games count against every decision.
    """
    low, high = pairs["low"].to_numpy(), pairs["high"].to_numpy()
    if question.kind == "fixed":
        return _fixed(pairs, question)
    if question.kind == "sprt":
        from apotheosis.experiments.stats.sprt import sprt

        found = sprt(low, 0.5 + question.lower, 0.5 + question.upper, question.alpha, question.beta, high=high)
        verdict = {"H1": STRONGER, "H0": WITHIN, None: UNDECIDED}[found.decision]
        return _ruling(pairs, verdict, found.pairs, found, None, question)
    from apotheosis.experiments.stats.three_way import three_way

    both = three_way(low, question.inner, question.outer, question.alpha, question.beta, high=high)
    return _ruling(pairs, both.verdict or UNDECIDED, both.pairs, both.upper, both.lower, question)


def _ruling(pairs: Any, verdict: str, used: int, upper: Any, lower: Any, question: Question) -> Ruling:
    from apotheosis.experiments.stats.confidence_sequence import sequence
    from apotheosis.experiments.stats.pairs import summarise

    seen = pairs.iloc[:used]
    summary = summarise(seen)
    band = sequence(seen["score"].dropna(), question.alpha)
    low, high = (0.0, 1.0) if band.empty else band.iloc[-1][["low", "high"]]
    shown = lower if lower is not None and verdict == WEAKER else upper
    if lower is not None and verdict == UNDECIDED and lower.llr > upper.llr:
        shown = lower
    return Ruling(
        verdict=verdict,
        pairs=used,
        llr=shown.llr,
        llr_upper=upper.llr,
        llr_lower=None if lower is None else lower.llr,
        bounds=(shown.lower, shown.upper),
        counts=[int(count) for count in summary.counts],
        estimate=float(summary.score.estimate) - 0.5,
        interval=(float(low) - 0.5, float(high) - 0.5),
        unfinished=summary.unfinished,
        variance=summary.variance,
        rho=summary.rho,
        path=_path(upper, lower),
    )


def _fixed(pairs: Any, question: Question) -> Ruling:
    """Rules after a fixed number of pairs: the interval must lie beyond the inner margin or inside the outer one."""
    from apotheosis.experiments.stats.pairs import summarise

    summary = summarise(pairs, 1 - question.alpha)
    found = summary.score.shifted(-0.5)
    low, high = float(found.low), float(found.high)
    verdict = UNDECIDED
    if len(pairs) >= question.max_pairs:
        if low > question.inner:
            verdict = STRONGER
        elif high < -question.inner:
            verdict = WEAKER
        elif -question.outer < low and high < question.outer:
            verdict = WITHIN
    return Ruling(
        verdict, len(pairs), 0.0, None, None, (0.0, 0.0), [int(count) for count in summary.counts],
        float(found.estimate), (low, high), summary.unfinished, summary.variance, summary.rho, [],
    )  # fmt: skip


def _path(upper: Any, lower: Any) -> list[tuple[int, float, float | None]]:
    """Returns the course of the test for plots, at most MAX_SHOWN points."""
    from apotheosis.experiments.stats.sprt import CHECK_EVERY

    looks = max(len(upper.path), 0 if lower is None else len(lower.path))
    points = []
    for look in np.unique(np.linspace(0, looks - 1, min(looks, MAX_SHOWN)).astype(int)) if looks else []:
        other = None if lower is None else float(lower.path[min(look, len(lower.path) - 1)])
        points.append((int((look + 1) * CHECK_EVERY), float(upper.path[min(look, len(upper.path) - 1)]), other))
    return points


def listed_decks(spec: Spec, versions: Versions) -> list[Deck] | None:
    """Returns the decks that the spec names, checked against the old cards; None where they are random.

    Raises:
        InputError: a deck file is faulty, or a deck breaks a rule of ARENA A2.
    """
    from apotheosis.experiments import door

    if spec.decks.source == "random":
        return None
    named = spec.model_copy(update={"design": spec.design.model_copy(update={"kind": "round_robin"})})
    return [Deck(**side.decks[0]) for side in door.sides(named, versions.old, Experiment.RUN)]


def make_plan(versions: Versions, spec: Spec, listed: Sequence[Deck] | None, pairs: int, experiment: int) -> Plan:
    """Returns the plan of a test: pairs of both versions of each deck, both played by the same bot.

    Args:
        versions: the versions.
        spec: the spec.
        listed: decks to use, or None for random ones.
        pairs: pairs to play at most.
        experiment: first entry of all spawn keys.
    """
    from apotheosis.experiments import door

    spec = spec.model_copy(
        update={
            "run": spec.run.model_copy(update={"pairs": pairs, "matches": None}),
            "design": spec.design.model_copy(update={"kind": "pairs", "mirror": True, "card": None, "baseline": None}),
            "bots": spec.bots.model_copy(update={"crossing": "same"}),
        }
    )
    sides = plans.unique_names(version_sides(versions, spec, listed, experiment))
    door.check_bots(spec.bots.pool)
    code = plans.code_version(door.bot_files(spec.bots.pool))
    found = Plan(spec, sides, versions.both.hash, code, experiment)
    found.schedule.check()
    return found


def open_folder(out: Path, plan: Plan, versions: Versions) -> None:
    """Makes the folder of a plan with the cards it needs, or makes sure that it holds the same plan.

    Raises:
        InputError: the folder holds another run.
    """
    from apotheosis.experiments import door

    if (out / store.PLAN).exists():
        stored = plans.load(out)
        if stored.fingerprint != plan.fingerprint:
            changed = "; ".join(plans.drift(stored, plan.cards_hash, plan.code)) or "its settings are others"
            raise InputError(f"holds another test or run ({changed}); choose another --out", out)
        return
    write(out, versions)
    plans.save(out, plan)
    door.write_pool(out / store.POOL, versions.both)


def play_until_decided(
    out: Path,
    plan: Plan,
    versions: Versions,
    show: Callable[[Tally, Ruling | None], None],
    player: str = run.PLAYER,
) -> tuple[Ruling, run.State]:
    """Plays chunks until the referee rules or all pairs are played.

    Args:
        out: the run folder, made by `open_folder`.
        plan: the plan.
        versions: the versions.
        show: called with the progress and the ruling so far.
        player: `module:class` of what plays the matches.

    Raises:
        Interrupted: the work was stopped before a ruling; the same command goes on.
    """
    candidate = {side.name for side in plan.sides if side.name.endswith(f"/{NEW}")}
    referee = Referee(Folder(out, plan.fingerprint), candidate, plan.spec.test)
    state = run.play(out, plan, versions.both, show=lambda tally: show(tally, referee.ruling), decide=referee, player=player)
    ruling = referee.ruling
    open_ = ruling is None or ruling.verdict == UNDECIDED
    if open_ and state.stopped in ("interrupted", "time") and state.finished < state.planned:
        raise Interrupted(
            f"stopped after {state.finished // 2} pairs without a ruling; the same command with --out {out} goes on"
        )
    assert ruling is not None
    return ruling, state


def confirm_pairs(ruling: Ruling, question: Question) -> int:
    """Returns how many fresh pairs measure a found effect: as many as it took, and enough for half the outer margin."""
    from apotheosis.experiments.stats.intervals import normal_quantile

    wanted = (normal_quantile(0.95) / (question.outer / 2)) ** 2 * max(ruling.variance, 1e-3)
    return int(min(max(ruling.pairs, wanted, LEAST_CONFIRM), question.max_pairs))


def measure_again(
    out: Path,
    versions: Versions,
    spec: Spec,
    listed: Sequence[Deck] | None,
    pairs: int,
    show: Callable[[Tally], None],
    player: str = run.PLAYER,
) -> dict[str, Any]:
    """Plays a fixed number of pairs on fresh seeds (and fresh random decks) and returns the effect they show.

    Args:
        out: the test's folder; the matches go into its folder CONFIRM.
        versions: the versions.
        spec: the spec of the test.
        listed: the decks of the test, or None for random ones.
        pairs: pairs to play.
        show: called with the progress.
        player: `module:class` of what plays the matches.

    Returns:
        estimate, interval, pairs, counts, p and matches of the second measurement.
    """
    from apotheosis.experiments.stats.pairs import pair_scores, summarise
    from apotheosis.experiments.stats.swap import head_to_head

    folder = out / CONFIRM
    plan = make_plan(versions, located(folder, versions, spec), listed, pairs, Experiment.CONFIRM)
    open_folder(folder, plan, versions)
    state = run.play(folder, plan, versions.both, show=show, player=player)
    state.check()
    candidate = {side.name for side in plan.sides if side.name.endswith(f"/{NEW}")}
    matches = store.read_table(folder / "matches.parquet").to_pandas()
    scores = pair_scores(matches, candidate)
    found, summary = head_to_head(scores), summarise(scores)
    return {
        "estimate": float(found.effect.estimate),
        "interval": [float(found.effect.low), float(found.effect.high)],
        "pairs": found.units,
        "counts": [int(count) for count in summary.counts],
        "p": found.p,
        "bounds_unfinished": [found.low_bound, found.high_bound],
    }
