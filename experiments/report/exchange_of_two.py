"""Two cards exchanged alone and together (`design.partner`): what they are worth beyond each alone.

The four versions of a deck follow each other in the pairs of a run: both cards, the first, the second, neither. All
four meet the same opponent on the same seeds, so a unit of evidence is four pairs, eight matches.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from apotheosis.experiments.baseline import ARMS
from apotheosis.experiments.report.grids import grid
from apotheosis.experiments.report.reading import Run
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.stats.intervals import Interval
from apotheosis.experiments.stats.pairs import pair_scores
from apotheosis.experiments.stats.power import CONTRAST_GAMES
from apotheosis.experiments.stats.synergy import PairEffect, pair_effect
from apotheosis.experiments.stats.verdicts import placed


@dataclass(frozen=True)
class Together:
    """What two cards are worth together.

    Attributes:
        card, partner: names of both cards.
        found: the effects.
        verdict: what the interaction means for the band; `too_strong` stands for more together, `too_weak` for less.
        more: games that would settle an open verdict, None elsewhere.
    """

    card: str
    partner: str
    found: PairEffect
    verdict: str
    more: int | None


@dataclass
class TogetherTally:
    """Pair scores of a run that exchanges two cards; feed it whole pairs in issue order.

    Args:
        card, partner: ids of both cards.
    """

    card: str
    partner: str
    _scores: list[pd.DataFrame] = field(default_factory=list)

    @classmethod
    def of(cls, run: Run) -> TogetherTally | None:
        """Returns the tally of a run that exchanges two cards, None for any other."""
        design = run.spec.get("design", {})
        if design.get("kind") != "swap" or design.get("partner") is None or run.plan.get("matches_per_pair", 2) != 2:
            return None
        return cls(str(design["card"]), str(design["partner"]))

    def add(self, matches: pd.DataFrame) -> None:
        """Adds whole pairs of the match table.

        Raises:
            ValueError: they are no mirrored pairs.
        """
        self._scores.append(pair_scores(matches))

    def add_cards(self, cards: pd.DataFrame) -> None:
        """Leaves the card rows alone: the question is one of decks."""

    def result(self, names: pd.Series, band: float) -> Together | None:
        """Returns the effects, None where fewer than two comparisons are finished.

        Args:
            names: printed name of each card id.
            band: half width of the band of balanced effects.
        """
        scores = pd.concat(self._scores, ignore_index=True)
        unit, arm = scores["pair_id"] // len(ARMS), (scores["pair_id"] % len(ARMS)).to_numpy()
        whole = (unit.map(unit.value_counts()) == len(ARMS)).to_numpy()
        arms = [scores[whole & (arm == number)] for number in range(len(ARMS))]
        done = np.stack([part["score"].notna().to_numpy() for part in arms]).all(axis=0)
        if done.sum() < 2:
            return None
        found = pair_effect(arms)
        verdict, more = placed(found.together, CONTRAST_GAMES * found.units, band)
        return Together(str(names.get(self.card, self.card)), str(names.get(self.partner, self.partner)), found, verdict, more)


def together_section(result: Together, t: Words) -> dict:
    """Returns section 8 of a run that exchanges two cards."""
    found = result.found
    values = {"card": result.card, "partner": result.partner, "units": found.units, "points": t.points(found.together.estimate)}
    says = [t("together.answer", span=_span(found.together, t), said=t(f"together.{result.verdict}"), **values)]
    if not float(found.together.se) > 0:
        says = [t("together.still", card=result.card, partner=result.partner, units=found.units)]
    if result.more is not None:
        says.append(t("swap.more", more=result.more))
    rows = [
        [t(f"together.row.{name}", card=result.card, partner=result.partner), t.points(effect.estimate), _span(effect, t)]
        for name, effect in (
            ("first", found.first), ("second", found.second), ("both", found.both), ("beyond", found.together)
        )
    ]  # fmt: skip
    titles = [t("together.version"), t("together.points"), t("together.interval")]
    tables = [(grid(titles, rows, numbers=(1, 2)), t("together.table"))]
    if np.isfinite(found.p):
        says.append(t("together.p", p=t.number(found.p, 3)))
    if found.unfinished:
        facts = [(t("together.bounds", n=found.unfinished), t.span(found.low_bound, found.high_bound))]
        tables.append((grid([t("versions.fact"), t("versions.value")], facts, texts=(1,)), t("versions.facts")))
    return {"answer": says[0], "verdict": None, "says": says, "tables": tables, "course": None}


def _span(effect: Interval, t: Words) -> str:
    return t.span(float(effect.low), float(effect.high))
