"""Two versions of a deck against each other: a card against a plain one (`design.kind = "swap"`), or a test of a change.

Such a run answers one question, so its answer is said first, and section 8 shows what it rests on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.baseline import PREFIX
from apotheosis.experiments.report import game_figures
from apotheosis.experiments.report.exchange_of_two import Together, TogetherTally, together_section
from apotheosis.experiments.report.grids import Grid, grid
from apotheosis.experiments.report.reading import Run
from apotheosis.experiments.report.wording import NOTHING, Words
from apotheosis.experiments.sequential import RESULT, STRONGER, WEAKER
from apotheosis.experiments.stats import swap
from apotheosis.experiments.stats.intervals import Interval
from apotheosis.experiments.stats.moments import ClusterMoments
from apotheosis.experiments.stats.pairs import INDEPENDENT_VARIANCE, pair_scores, summarise
from apotheosis.experiments.stats.verdicts import placed

CARD = "/card"
"""How names of the decks with the measured card end."""
SHOWN_CHANGES = 8


@dataclass(frozen=True)
class Exchange:
    """What a card is worth against the one that takes its place.

    Attributes:
        card, baseline: names of both cards.
        found: the effect.
        counts: pairs with score 0, 1/4, 1/2, 3/4, 1.
        window: number of first cards that count as seen.
        seen: share of matches in which the exchanged copy lay among them; None for cards outside the deck.
        verdict: what that means for the band.
        more: games that would settle an open verdict, None elsewhere.
        on_field: whether both versions met the same other decks instead of each other; counts are None then.
    """

    card: str
    baseline: str
    found: swap.SwapEffect
    counts: list[int] | None
    window: int
    seen: Interval | None
    verdict: str
    more: int | None
    on_field: bool = False


@dataclass
class ExchangeTally:
    """Pair scores of a swap run, and how often its card was seen early; feed it whole pairs.

    Args:
        card, baseline: ids of the cards.
        window: number of first cards that count as seen.
        on_field: whether both versions met the same other decks, one pair after the other.
    """

    card: str
    baseline: str
    window: int
    on_field: bool = False
    _scores: list[pd.DataFrame] = field(default_factory=list)
    _early: ClusterMoments = field(default_factory=lambda: ClusterMoments.empty(1, 2))

    @classmethod
    def of(cls, run: Run, window: int) -> ExchangeTally | TogetherTally | None:
        """Returns the tally of a swap run, that of two cards where it exchanges two, None for any other run."""
        design = run.spec.get("design", {})
        if design.get("partner") is not None:
            return TogetherTally.of(run)
        if design.get("kind") != "swap" or run.plan.get("matches_per_pair", 2) != 2:
            return None
        card = str(design["card"])
        return cls(card, design.get("baseline") or f"{PREFIX}{card}", window, design.get("against") == "field")

    def add(self, matches: pd.DataFrame) -> None:
        """Adds whole pairs of the match table.

        Raises:
            ValueError: they are no pairs of the two versions.
        """
        if self.on_field:
            # the deck in question holds seat A in the first match of each pair; its opponent may be a baseline too
            self._scores.append(pair_scores(matches))
            return
        decks = np.unique(matches[["seat_a_deck", "seat_b_deck"]].to_numpy(dtype=object).astype(str))
        self._scores.append(pair_scores(matches, {name for name in decks if name.endswith(CARD)}))

    def add_cards(self, cards: pd.DataFrame) -> None:
        """Adds the card rows of whole pairs; what counts is where the baseline lay in its decks."""
        own = cards[(cards["card_id"] == self.baseline) & cards["shuffle_position"].notna()]
        first = own.groupby(["match_id", "team"], sort=True)["shuffle_position"].min()
        rows = np.stack([first.to_numpy(dtype=float) < self.window, np.ones(len(first))], axis=1)
        self._early = self._early + ClusterMoments.of_rows(rows, first.index.get_level_values("match_id").to_numpy())

    def result(self, names: pd.Series, band: float) -> Exchange | None:
        """Returns the effect, None where no pair is finished.

        Args:
            names: printed name of each card id.
            band: half width of the band of balanced effects.
        """
        scores = pd.concat(self._scores, ignore_index=True)
        seen = self._early.share() if self._early.clusters[0] > 1 and self._early.totals[0, 0] > 0 else None
        found = self._effect(scores, seen)
        if found is None:
            return None
        verdict, more = placed(found.effect, (4 if self.on_field else 2) * found.units, band)
        return Exchange(
            card=str(names.get(self.card, self.card)),
            baseline=str(names.get(self.baseline, self.baseline)),
            found=found,
            counts=None if self.on_field else [int(n) for n in summarise(scores).counts],
            window=self.window,
            seen=seen,
            verdict=verdict,
            more=more,
            on_field=self.on_field,
        )

    def _effect(self, scores: pd.DataFrame, seen: Interval | None) -> swap.SwapEffect | None:
        """Returns the effect, None where fewer than two comparisons are finished."""
        if not self.on_field:
            return swap.head_to_head(scores, seen=seen) if scores["score"].notna().sum() > 1 else None
        unit, second = scores["pair_id"] // 2, scores["pair_id"] % 2 == 1
        whole = unit.map(unit.value_counts()) == 2
        one, two = scores[whole & ~second], scores[whole & second]
        done = one["score"].notna().to_numpy() & two["score"].notna().to_numpy()
        return swap.field(one, two, seen=seen) if done.sum() > 1 else None


def stored_test(run: Run) -> dict[str, Any] | None:
    """Returns what `apotheosis test` has stored in its folder, None for any other run."""
    path = run.folder / RESULT
    if not path.is_file():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None
    return found if isinstance(found, dict) and {"verdict", "counts", "question", "path"} <= set(found) else None


def plays_twins(run: Run) -> bool:
    """Tells whether a run plays versions of a deck against each other, whose two matches may take the same course."""
    design = run.spec.get("design", {})
    return (design.get("kind") == "swap" and design.get("against") != "field" and design.get("partner") is None) or stored_test(
        run
    ) is not None


def changes_section(exchange: Exchange | Together | None, test: dict[str, Any] | None, words: Words) -> dict:
    """Returns section 8; `answer` is what the first section says of it, None for runs that ask no such question."""
    if test is not None:
        return _test_section(test, words)
    if isinstance(exchange, Together):
        return together_section(exchange, words)
    if exchange is not None:
        return _swap_section(exchange, words)
    return {"answer": None, "verdict": None, "says": [words("changes.single")], "tables": [], "course": None}


def _swap_section(exchange: Exchange, t: Words) -> dict:
    found = exchange.found
    values = {"card": exchange.card, "baseline": exchange.baseline, "pairs": found.units}
    rate = t.percent(0.5 + float(found.effect.estimate), 1)
    values |= {"points": t.points(found.effect.estimate), "span": _span(found.effect, t)}
    answer = t("swap.field", **values) if exchange.on_field else t("swap.answer", rate=rate, **values)
    says = [answer]
    if exchange.more is not None:
        says.append(t("swap.more", more=exchange.more))
    if found.per_draw is not None and exchange.seen is not None:
        share = t.percent(float(exchange.seen.estimate), 0)
        draw = found.per_draw
        says.append(
            t("swap.per_draw", window=exchange.window, share=share, points=t.points(draw.estimate), span=_span(draw, t))
        )
    rho = t("versions.rho_field" if exchange.on_field else "versions.rho")
    facts = [(rho, t.number(found.rho, 2)), (t("versions.saved"), t.percent(found.games_saved, 0))]
    if found.unfinished:
        facts.append((t("versions.bounds", n=found.unfinished), t.span(found.low_bound, found.high_bound)))
    tables = [(_facts(facts, t), t("versions.facts"))]
    if exchange.counts is not None:
        tables.insert(0, (_counts(exchange.counts, t), t("versions.counts")))
    return {"answer": answer, "verdict": exchange.verdict, "says": says, "tables": tables, "course": None}


def _test_section(test: dict[str, Any], t: Words) -> dict:
    asked = test["question"]
    answer = t(
        f"test.{test['verdict']}" if asked["kind"] != "sprt" or test["verdict"] != "within" else "test.not_better",
        points=t.points(test["estimate"]),
        span=t.span(*test["interval"]),
        pairs=int(test["pairs"]),
    )
    says = [answer]
    if asked["kind"] != "fixed" and test["verdict"] in (STRONGER, WEAKER):
        says.append(t("test.stopped"))
    again = test.get("remeasured")
    if again:
        says.append(
            t("test.again", points=t.points(again["estimate"]), span=t.span(*again["interval"]), pairs=int(again["pairs"]))
        )
    tables = [
        (_printed(test.get("changes", []), t), t("test.changes")),
        (_counts(test["counts"], t), t("versions.counts")),
        (_facts(_asked(test, t), t), t("versions.facts")),
    ]
    path = test["path"]
    course = game_figures.course(path, tuple(test["bounds"]), t) if len(path) > 1 else None
    return {"answer": answer, "verdict": None, "says": says, "tables": tables, "course": course}


def _asked(test: dict[str, Any], t: Words) -> list[tuple[Markup, object]]:
    """Returns what the test asked, with which chances of error, and what its pairs were worth."""
    asked = test["question"]
    ends = ("lower", "upper") if asked["kind"] == "sprt" else ("inner", "outer")
    low, high = (t.points(asked[key], 1, sign=False) for key in ends)
    facts = [
        (t("test.question"), t(f"test.question.{asked['kind']}", low=low, high=high)),
        (t("test.errors"), t("test.errors_value", alpha=t.percent(asked["alpha"], 0), beta=t.percent(asked["beta"], 0))),
        (t("test.most"), t.count(asked["max_pairs"])),
    ]
    if asked["kind"] != "fixed":
        bounds = t.plain("span", low=t.number(test["bounds"][0], 2), high=t.number(test["bounds"][1], 2))
        facts.append((t("test.llr"), t("test.llr_value", llr=t.number(test["llr"], 2), bounds=bounds)))
    saved = t.percent(1 - test["variance"] / INDEPENDENT_VARIANCE, 0)
    return [*facts, (t("versions.rho"), t.number(test["rho"], 2)), (t("versions.saved"), saved)]


def _printed(changes: list[dict], t: Words) -> Grid:
    rows = [
        [change["id"], Markup("<code>{}</code>").format(change["field"]), *(_plain(change[key]) for key in ("old", "new"))]
        for change in changes[:SHOWN_CHANGES]
    ]
    if len(changes) > SHOWN_CHANGES:
        rows.append([t("test.more_changes", n=len(changes) - SHOWN_CHANGES), "", "", ""])
    return grid([t("column.name"), t("compare.printed"), t("compare.before"), t("compare.after")], rows, texts=(2, 3))


def _plain(value: Any) -> str:
    if value is None:
        return NOTHING
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _counts(counts: list[int], t: Words) -> Grid:
    """Returns how many pairs ended with each score."""
    titles = [t("versions.score"), *(t.number(score, 2 if score % 0.5 else 1) for score in (0, 0.25, 0.5, 0.75, 1))]
    total = max(sum(counts), 1)
    shares = [t("versions.share"), *(t.percent(n / total, 1) for n in counts)]
    return grid(titles, [[t("versions.pairs"), *map(t.count, counts)], shares], numbers=range(1, 6))


def _facts(facts: Sequence[tuple[Markup, object]], t: Words) -> Grid:
    return grid([t("versions.fact"), t("versions.value")], facts, texts=(1,))


def _span(interval: Interval, t: Words) -> str:
    return t.span(float(interval.low), float(interval.high))
