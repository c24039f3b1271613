"""The section on bots: their ratings, how they did against each other, and which cards depend on who plays them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from apotheosis.experiments.report import game_figures
from apotheosis.experiments.report.analysis import Analysis
from apotheosis.experiments.report.grids import Grid, grid
from apotheosis.experiments.report.trust import bot_names
from apotheosis.experiments.report.wording import Words

DEPENDENT = ("expert card", "beginner trap")
"""Labels of cards whose effect depends on the bot."""


def bots_section(found: Analysis, words: Words) -> dict:
    """Returns section 7."""
    t, ladder = words, found.game.ladder
    bots = bot_names(found.tally)
    section: dict = {"says": [], "ladder": None, "tables": []}
    if len(bots) == 1 or ladder is None:
        section["says"].append(t("bots.one", bot=bots[0]))
        return section
    section["says"].append(t("bots.many", n=len(bots), bots=t.listing(bots)))
    section["ladder"] = game_figures.ladder(ladder.ratings, t)
    if ladder.separated:
        section["says"].append(t("bots.separated", bots=t.listing(ladder.separated)))
    rows = [
        [r.a, r.b, t.percent(r.score_a), t.percent_span(r.low, r.high), t.count(r.n_pairs)] for r in ladder.pairs.itertuples()
    ]
    titles = [t("bots.bot"), t("bots.opponent"), t("bots.score"), "95 %", t("bots.pairs")]
    section["tables"].append((grid(titles, rows, numbers=(2, 3, 4)), t("bots.pairings")))
    _add_skill(section, found, t)
    return section


def _add_skill(section: dict, found: Analysis, t: Words) -> None:
    """Adds how far the bots agree on cards, and the cards on which they do not."""
    if found.skill is None or found.agreement is None:
        section["says"].append(t("bots.no_tiers"))
        return
    for row in found.agreement.itertuples():
        if np.isfinite(row.tau):
            span = t.plain("span", low=t.number(row.low, 2), high=t.number(row.high, 2))
            section["says"].append(
                t("bots.agreement", one=row.low_tier, two=row.high_tier, tau=t.number(row.tau, 2), span=span)
            )
    dependent = found.skill[found.skill["label"].isin(DEPENDENT)]
    if dependent.empty:
        section["says"].append(t("bots.stable"))
    else:
        section["tables"].append((_dependent(dependent, found.cards, t), t("bots.tiers")))


def _dependent(dependent: pd.DataFrame, cards: pd.DataFrame, t: Words) -> Grid:
    """Returns the cards whose effect depends on the bot, largest change first."""
    names = cards.set_index("card_id")["name"]
    ordered = dependent.reindex(dependent["change"].abs().sort_values(ascending=False, kind="stable").index)
    rows = [[names[r.card_id], t.term("skill", r.label), t.points(r.change), t.number(r.q, 3)] for r in ordered.itertuples()]
    return grid([t("column.name"), t("bots.kind"), t("bots.change"), "q"], rows, numbers=(2, 3))
