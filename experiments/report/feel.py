"""The section on game feel: advantage of a side, length, swings, choices, and what ended the matches."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from markupsafe import Markup

from apotheosis.experiments.report import game_figures
from apotheosis.experiments.report.analysis import Analysis
from apotheosis.experiments.report.game_numbers import TURN_MATCHES
from apotheosis.experiments.report.grids import Grid, grid, share_bar
from apotheosis.experiments.report.weighing import Weighed
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.stats.pace import percentiles


def feel_section(found: Analysis, words: Words) -> dict:
    """Returns section 6."""
    t, game, tally = words, found.game, found.tally
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
    draws = tally.draws.share()
    note = t("feel.draws_note", span=t.percent_span(draws.low, draws.high))
    facts.append(fact(t("feel.draws"), t.percent(draws.estimate, 2), note))
    facts += _choices(found, t) + _weighed(found.weighed, found.run.plan, t) + _swings(found, t)
    if game.fan is not None:
        section["fan"] = game_figures.fan(game.fan, t)
        if tally.issued > TURN_MATCHES:
            section["says"].append(t("feel.first_matches", n=TURN_MATCHES))
    elif found.run.turn_file is None:
        section["says"].append(t("feel.no_turns"))
    if tally.counts["cause"]:
        section["tables"].append((_causes(tally.counts["cause"], t), t("feel.causes")))
    return {"facts": facts, **section}


def fact(label: Markup, value: object, note: Markup) -> dict:
    """Returns one fact: what it is, its value, what the value means."""
    return {"label": label, "value": value, "note": note}


def _span(interval, t: Words) -> str:
    return t.span(interval.low, interval.high)


def _choices(found: Analysis, t: Words) -> list[dict]:
    """Returns the facts on decisions, from turns where they were kept, else from means over matches."""
    facts, game, counts = [], found.game, found.tally.counts
    if counts["decisions"]:
        low, middle, high = percentiles(counts["decisions"], [5, 50, 95])
        note = t("feel.decisions_note", low=t.number(low, 0), high=t.number(high, 0))
        facts.append(fact(t("feel.decisions"), t.number(middle, 0), note))
    if game.options is not None and np.isfinite(game.options.median):
        note = t("feel.turn_options_note", p90=t.number(game.options.p90, 0))
        facts.append(fact(t("feel.turn_options"), t.number(game.options.median, 0), note))
    elif counts["legal_options_mean"]:
        options = counts["legal_options_mean"]
        low, high = percentiles(options, [5, 95])
        mean = sum(value * n for value, n in options.items()) / options.total()
        note = t("feel.options_note", low=t.number(low), high=t.number(high))
        facts.append(fact(t("feel.options"), t.number(mean), note))
    if game.dead_hands is not None and np.isfinite(game.dead_hands.estimate):
        note = t("feel.dead_note", span=t.percent_span(game.dead_hands.low, game.dead_hands.high))
        facts.append(fact(t("feel.dead"), t.percent(game.dead_hands.estimate), note))
    return facts


def _weighed(weighed: Weighed | None, plan: Mapping, t: Words) -> list[dict]:
    """Returns the facts on options that are really weighed, or how they can be had."""
    if weighed is None:
        note = t("feel.weigh_how" if plan else "feel.weigh_foreign")
        return [fact(t(f"feel.{name}"), t("not_measured"), note) for name in ("real", "gap")]
    values = {"n": len(weighed.table), "bot": weighed.bot, "legal": t.number(weighed.legal.estimate)}
    span = t.plain("span", low=t.number(weighed.real.low), high=t.number(weighed.real.high))
    facts = [fact(t("feel.real"), t.number(weighed.real.estimate), t("feel.real_note", span=span, **values))]
    if weighed.gap is not None:
        note = t("feel.gap_note", span=t.span(weighed.gap.low, weighed.gap.high), n=int(weighed.gap.n))
        facts.append(fact(t("feel.gap"), t.points(weighed.gap.estimate), note))
    return facts


def _swings(found: Analysis, t: Words) -> list[dict]:
    """Returns the facts on comebacks and decisive turns, or the plain number of lead changes."""
    swings, leads = found.game.swings, found.tally.leads
    if swings is not None:
        back = swings.comeback
        note = t("feel.comeback_note", span=t.percent_span(back.low, back.high))
        early = t("feel.decisive_note", early=t.percent(swings.decided_early, 0))
        return [
            fact(t("feel.comeback"), t.percent(back.estimate), note),
            fact(t("feel.decisive"), t.percent(swings.decisive, 0), early),
        ]
    if leads.clusters[0]:
        mean = leads.mean()
        span = t.plain("span", low=t.number(mean.low, 2), high=t.number(mean.high, 2))
        return [fact(t("feel.lead"), t.number(mean.estimate, 2), t("feel.lead_note", span=span))]
    return []


def _causes(causes: Mapping[str, int], t: Words) -> Grid:
    """Returns what ended the finished matches, most frequent first."""
    total, most = sum(causes.values()), max(causes.values())
    rows = [
        [t.term("cause", name), t.count(n), t.number(100 * n / total, 2), share_bar(n / total, most / total)]
        for name, n in sorted(causes.items(), key=lambda each: -each[1])
    ]
    return grid([t("feel.causes"), t("column.matches"), "%", ""], rows, numbers=(1, 2))
