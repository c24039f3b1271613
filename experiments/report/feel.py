"""The section on game feel: advantage of a side, length, swings, choices, and what ended the matches."""

from __future__ import annotations

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.report import game_figures
from apotheosis.experiments.report.analysis import Analysis
from apotheosis.experiments.report.game_numbers import TURN_MATCHES
from apotheosis.experiments.report.grids import Grid, grid, share_bar
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.stats.intervals import cluster_mean, cluster_ratio


def feel_section(found: Analysis, words: Words) -> dict:
    """Returns section 6."""
    t, game, matches = words, found.game, found.run.matches
    finished = matches[matches["score_a"].notna()]
    facts = [fact(t("feel.side"), t.points(game.side.estimate), t("feel.side_note", span=_span(game.side, t)))]
    if game.first_mover is None:
        facts.append(fact(t("feel.first"), t("not_identified"), t("feel.first_none")))
    else:
        first = game.first_mover
        facts.append(fact(t("feel.first"), t.points(first.estimate), t("feel.first_note", span=_span(first, t))))
    section: dict = {"lengths": None, "fan": None, "tables": [], "says": []}
    if game.length is not None and game.quantiles is not None:
        low, median, high = (t.number(q, 0) for q in (game.quantiles.p05, game.quantiles.median, game.quantiles.p95))
        value, note = t("feel.length_value", median=median), t("feel.length_note", low=low, high=high)
        facts.append(fact(t("feel.length"), value, note))
        section["lengths"] = game_figures.lengths(game.length, game.quantiles, t)
    drawn = (finished["outcome"] == "draw").to_numpy(dtype=float)
    draws = cluster_ratio(drawn, np.ones(len(drawn)), finished["pair_id"])
    note = t("feel.draws_note", span=t.percent_span(draws.low, draws.high))
    facts.append(fact(t("feel.draws"), t.percent(draws.estimate, 2), note))
    facts += _choices(found, finished, t) + _swings(found, t)
    if game.fan is not None:
        section["fan"] = game_figures.fan(game.fan, t)
        if len(matches) > TURN_MATCHES:
            section["says"].append(t("feel.first_matches", n=TURN_MATCHES))
    elif found.run.turn_file is None:
        section["says"].append(t("feel.no_turns"))
    if "cause" in matches:
        section["tables"].append((_causes(finished, t), t("feel.causes")))
    return {"facts": facts, **section}


def fact(label: Markup, value: object, note: Markup) -> dict:
    """Returns one fact: what it is, its value, what the value means."""
    return {"label": label, "value": value, "note": note}


def _span(interval, t: Words) -> str:
    return t.span(interval.low, interval.high)


def _choices(found: Analysis, finished: pd.DataFrame, t: Words) -> list[dict]:
    """Returns the facts on decisions, from turns where they were kept, else from means over matches."""
    facts, game = [], found.game
    if "decisions" in finished and len(finished):
        low, middle, high = finished["decisions"].astype(float).quantile([0.05, 0.5, 0.95])
        note = t("feel.decisions_note", low=t.number(low, 0), high=t.number(high, 0))
        facts.append(fact(t("feel.decisions"), t.number(middle, 0), note))
    if game.options is not None and np.isfinite(game.options.median):
        note = t("feel.turn_options_note", p90=t.number(game.options.p90, 0))
        facts.append(fact(t("feel.turn_options"), t.number(game.options.median, 0), note))
    elif "legal_options_mean" in finished and finished["legal_options_mean"].notna().any():
        values = finished["legal_options_mean"].dropna().astype(float)
        low, high = values.quantile([0.05, 0.95])
        note = t("feel.options_note", low=t.number(low), high=t.number(high))
        facts.append(fact(t("feel.options"), t.number(float(values.mean())), note))
    if game.dead_hands is not None and np.isfinite(game.dead_hands.estimate):
        note = t("feel.dead_note", span=t.percent_span(game.dead_hands.low, game.dead_hands.high))
        facts.append(fact(t("feel.dead"), t.percent(game.dead_hands.estimate), note))
    return facts


def _swings(found: Analysis, t: Words) -> list[dict]:
    """Returns the facts on comebacks and decisive turns, or the plain number of lead changes."""
    swings, matches = found.game.swings, found.run.matches
    if swings is not None:
        back = swings.comeback
        note = t("feel.comeback_note", span=t.percent_span(back.low, back.high))
        early = t("feel.decisive_note", early=t.percent(swings.decided_early, 0))
        return [
            fact(t("feel.comeback"), t.percent(back.estimate), note),
            fact(t("feel.decisive"), t.percent(swings.decisive, 0), early),
        ]
    if "lead_changes" in matches and matches["lead_changes"].notna().any():
        counted = matches[matches["lead_changes"].notna()]
        mean = cluster_mean(counted["lead_changes"], counted["pair_id"])
        span = t.plain("span", low=t.number(mean.low, 2), high=t.number(mean.high, 2))
        return [fact(t("feel.lead"), t.number(mean.estimate, 2), t("feel.lead_note", span=span))]
    return []


def _causes(finished: pd.DataFrame, t: Words) -> Grid:
    """Returns what ended the finished matches, most frequent first."""
    shares = finished["cause"].astype(str).value_counts(normalize=True)
    counts = finished["cause"].astype(str).value_counts()
    rows = [
        [t.term("cause", name), t.count(counts[name]), t.number(100 * share, 2), share_bar(share, shares.max())]
        for name, share in shares.items()
    ]
    return grid([t("feel.causes"), t("column.matches"), "%", ""], rows, numbers=(1, 2))
