"""The sections on decks, game feel and bots: written tables and facts from match-level statistics."""

from __future__ import annotations

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.report import figures
from apotheosis.experiments.report.analysis import Analysis
from apotheosis.experiments.report.grids import grid, share_bar
from apotheosis.experiments.report.trust import bot_names
from apotheosis.experiments.report.wording import Words

DECKS_LISTED = 5
"""Decks at each end of the table of decks."""


def feel_section(found: Analysis, words: Words) -> dict:
    """Returns section 6: sides, first mover, length, choices, and what ended the matches."""
    t, matches = words, found.run.matches
    finished = matches[matches["score_a"].notna()]
    facts = [
        _fact(
            t("feel.side"),
            t.points(found.side.estimate),
            t("feel.side_note", span=t.span(found.side.low, found.side.high)),
        )
    ]
    if found.first_mover is None:
        facts.append(_fact(t("feel.first"), t("not_identified"), t("feel.first_none")))
    else:
        first = found.first_mover
        facts.append(
            _fact(t("feel.first"), t.points(first.estimate), t("feel.first_note", span=t.span(first.low, first.high)))
        )
    pictures: dict = {"lengths": None, "lengths_note": "", "fan": None}
    if found.length is not None:
        length = found.length
        facts.append(
            _fact(
                t("feel.length"),
                t("feel.length_value", median=t.number(length["median"], 0)),
                t("feel.length_note", low=t.number(length["low"], 0), high=t.number(length["high"], 0)),
            )
        )
        pictures["lengths"] = figures.lengths(length["counts"], length["low"], length["median"], length["high"], t)
        pictures["lengths_note"] = t("lengths.reading")
    facts.append(
        _fact(t("feel.draws"), t.percent(float((finished["outcome"] == "draw").mean()), 2), t("feel.draws_note"))
    )
    facts += _choices(finished, t)
    tables = []
    if "cause" in matches:
        causes = finished["cause"].astype(str).value_counts()
        rows = [
            [
                cause,
                t.count(n),
                t.number(100 * n / len(finished), 2),
                share_bar(n / len(finished), causes.max() / len(finished)),
            ]
            for cause, n in causes.items()
        ]
        tables.append((grid([t("feel.causes"), t("column.matches"), "%", ""], rows, numbers=(1, 2)), t("feel.causes")))
    says = [] if found.run.turn_file is not None else [t("feel.no_turns")]
    return {"facts": facts, **pictures, "tables": tables, "says": says}


def _fact(label: Markup, value: object, note: Markup) -> dict:
    return {"label": label, "value": value, "note": note}


def _choices(finished: pd.DataFrame, t: Words) -> list[dict]:
    """Returns the facts on decisions that the match table has columns for."""
    facts = []
    for key, column, middle, digits in (
        ("decisions", "decisions", "median", 0),
        ("options", "legal_options_mean", "mean", 1),
    ):
        values = finished[column].dropna().astype(float) if column in finished else pd.Series(dtype=float)
        if len(values):
            low, high = values.quantile([0.05, 0.95])
            centre = float(values.median() if middle == "median" else values.mean())
            facts.append(
                _fact(
                    t(f"feel.{key}"),
                    t.number(centre, digits),
                    t(f"feel.{key}_note", low=t.number(low, digits), high=t.number(high, digits)),
                )
            )
    if "lead_changes" in finished and finished["lead_changes"].notna().any():
        facts.append(_fact(t("feel.lead"), t.number(float(finished["lead_changes"].mean())), t("feel.lead_note")))
    return facts


def decks_section(found: Analysis, words: Words) -> dict:
    """Returns section 5: a matchup map where decks met often enough, else the ends of the table of decks."""
    t, decks = words, found.decks
    met = found.meetings
    section: dict = {"says": [], "heat": None, "heat_note": "", "tables": []}
    if found.matrix is None:
        section["says"].append(t("decks.random", n=len(decks), least=int(met.min()), most=int(met.max())))
    else:
        rates = found.matrix
        section["says"].append(t("decks.met", n=len(rates)))
        section["says"] += _field(found, t)
        off = rates.where(~np.eye(len(rates), dtype=bool)).stack()
        row, column = off.idxmax()
        alt = t.plain("alt.heat", n=len(rates), high_row=row, high_column=column, high=t.percent(off.max()))
        section["heat"] = figures.heat("matchups", rates, t, alt)
        section["heat_note"] = t("heat.reading", least=int(met.min()), most=int(met.max()))
    shown = decks if len(decks) <= 2 * DECKS_LISTED else pd.concat([decks.head(DECKS_LISTED), decks.tail(DECKS_LISTED)])
    rows = [[r.deck, t.percent(r.rate), t.percent_span(r.low, r.high), t.count(r.games)] for r in shown.itertuples()]
    section["tables"].append(
        (
            grid([t("decks.deck"), t("bots.score"), "95 %", t("column.games")], rows, numbers=(1, 2, 3)),
            t("decks.extremes"),
        )
    )
    if len(shown) < len(decks):
        section["says"].append(t("decks.extremes_note"))
    return section


def _field(found: Analysis, t: Words) -> list[Markup]:
    """Returns what equilibrium and cycles say about the matchups."""
    says = []
    if found.field is not None:
        played = found.field[found.field > 0.005].sort_values(ascending=False)
        says.append(
            t(
                "decks.field",
                n=len(played),
                all=len(found.field),
                names=t.listing(played.index),
                effective=t.number(found.effective_decks),
            )
        )
    if found.cyclic is not None:
        says.append(t("decks.cyclic", share=t.percent(found.cyclic, 0)))
    return says


def bots_section(found: Analysis, words: Words) -> dict:
    """Returns section 7: how the bots did against each other, and which cards depend on who plays them."""
    t = words
    bots = bot_names(found.run.matches)
    section: dict = {"says": [], "ladder": None, "tables": []}
    if len(bots) == 1:
        section["says"].append(t("bots.one", bot=bots[0]))
        return section
    section["says"].append(t("bots.many", n=len(bots), bots=t.listing(bots)))
    if found.ladder is not None:
        section["ladder"] = figures.ladder(found.ladder, t)
    rows = [
        [r.bot, r.opponent, t.percent(r.rate), t.percent_span(r.low, r.high), t.count(r.games)]
        for r in found.bot_scores.itertuples()
    ]
    section["tables"].append(
        (
            grid(
                [t("bots.bot"), t("bots.opponent"), t("bots.score"), "95 %", t("column.games")], rows, numbers=(2, 3, 4)
            ),
            t("bots.pairings"),
        )
    )
    return section
