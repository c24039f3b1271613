"""The section on decks: who beats whom, which field would remain, and the best and worst decks."""

from __future__ import annotations

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.report import game_figures
from apotheosis.experiments.report.analysis import Analysis
from apotheosis.experiments.report.game_numbers import GameNumbers
from apotheosis.experiments.report.grids import Grid, grid
from apotheosis.experiments.report.wording import Words

LISTED = 5
"""Decks at each end of the table of decks."""

PRESENT = 0.005
"""Share of the field below which a deck is not named as part of it."""


def decks_section(found: Analysis, words: Words) -> dict:
    """Returns section 5: a matchup map where decks met often enough, else the ends of the table of decks."""
    t, game = words, found.game
    decks = game.decks
    section: dict = {"says": [], "heat": None, "heat_note": "", "tables": []}
    if decks.empty:
        section["says"].append(t("decks.one"))
        return section
    if game.matchups is None:
        drawn = found.run.spec.get("decks", {}).get("source") == "random"
        key = "decks.random" if drawn else "decks.few"
        section["says"].append(t(key, n=len(decks), mean=t.count(round(float(decks["games"].mean())))))
    else:
        section["says"] += [t("decks.met", n=len(decks)), *_field(game, t)]
        section["tables"].append((_equilibrium(game, t), t("decks.equilibrium")))
        section.update(_heat(game, t))
    ends = len(decks) > 2 * LISTED
    shown = pd.concat([decks.head(LISTED), decks.tail(LISTED)]) if ends else decks
    rows = [[r.deck, t.percent(r.rate), t.percent_span(r.low, r.high), t.count(r.games)] for r in shown.itertuples()]
    titles = [t("decks.deck"), t("bots.score"), "95 %", t("column.games")]
    section["tables"].append((grid(titles, rows, numbers=(1, 2, 3)), t("decks.extremes" if ends else "decks.rates")))
    if ends:
        section["says"].append(t("decks.extremes_note"))
    return section


def _heat(game: GameNumbers, t: Words) -> dict:
    """Returns the matchup map, strongest decks first, or nothing where it would be too large to read."""
    matrix = game.matchups
    assert matrix is not None
    if len(matrix.decks) > game_figures.HEAT_DECKS:
        return {}
    order = np.argsort(-matrix.strength, kind="stable")
    names = [matrix.decks[k] for k in order]
    rates = pd.DataFrame(matrix.p[np.ix_(order, order)], index=names, columns=names)
    row, column = np.unravel_index(np.nanargmax(rates.to_numpy()), rates.shape)
    high = t.percent(rates.iloc[row, column])
    alt = t.plain("alt.heat", n=len(names), high_row=names[row], high_column=names[column], high=high)
    note = t("heat.reading", least=int(game.cells["games"].min()), most=int(game.cells["games"].max()))
    return {"heat": game_figures.heat("matchups", rates, t, alt), "heat_note": note}


def _field(game: GameNumbers, t: Words) -> list[Markup]:
    """Returns what equilibrium and cycles say about the matchups."""
    assert game.equilibrium is not None and game.effective_decks is not None
    played = game.equilibrium[game.equilibrium["share"] > PRESENT].sort_values("share", ascending=False)
    names, varied = t.listing(played["deck"]), t.number(game.effective_decks)
    says = [t("decks.field", n=len(played), all=len(game.decks), names=names, effective=varied)]
    if game.cyclic is not None and np.isfinite(game.cyclic):
        says.append(t("decks.cyclic", share=t.percent(game.cyclic, 0)))
    return says


def _equilibrium(game: GameNumbers, t: Words) -> Grid:
    """Returns each deck's share of the field that no deck beats, and how sure it is to belong there."""
    assert game.equilibrium is not None
    ordered = game.equilibrium.sort_values(["share", "included"], ascending=False, kind="stable")
    rows = [
        [r.deck, t.percent(r.share, 0), t.percent_span(r.low, r.high), t.percent(r.included, 0)] for r in ordered.itertuples()
    ]
    return grid([t("decks.deck"), t("decks.share"), "95 %", t("decks.included")], rows, numbers=(1, 2, 3))
