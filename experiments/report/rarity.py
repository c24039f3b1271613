"""The section on rarity and cost: means and tests by rarity, the price line, and rates of groups of cards."""

from __future__ import annotations

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.report import figures
from apotheosis.experiments.report.analysis import Analysis
from apotheosis.experiments.report.grids import Grid, grid
from apotheosis.experiments.report.groups import EVENTS, GROUPS
from apotheosis.experiments.report.wording import Words

LEVEL = 0.05
"""Error rate of the equivalence test."""

TITLES = {
    "included": "standardised",
    "opening": "opening",
    "drawn": "drawn",
    "placed": "placed",
    "activated": "activated",
}


def rarity_section(found: Analysis, words: Words) -> dict:
    """Returns section 4."""
    judged = found.cards[found.cards["verdict"] != "none"]
    says = _says(found, words)
    means = found.rarity_means
    strips = figures.strips(found.cards, means, words, found.band) if len(means) else None
    line = found.price_curve
    price = figures.price(judged, line, words, found.band) if line is not None else None
    tables = []
    if len(means):
        tables.append((_means_table(found, words), words("rarity.means_title")))
    if found.rarity_targets is not None:
        tables.append((_targets_table(found, words), words("target.title")))
    if len(found.groups):
        tables += [
            (_group_table(found.groups, group, words), words("rarity.by", group=words(f"column.{group}").lower()))
            for group in GROUPS
        ]
    return {"says": says, "strips": strips, "price": price, "tables": tables}


def _says(found: Analysis, words: Words) -> list[Markup]:
    """Returns the sentences on equality and trend."""
    t, means = words, found.rarity_means
    if len(means) < 2:
        return [t("rarity.thin")]
    parts = [
        t("rarity.mean_part", rarity=t.term("rarity", r.rarity), mean=t.points(r.mean), n=int(r.n)) for r in means.itertuples()
    ]
    says = [t("rarity.means", parts=t.listing(parts))]
    equal, ramp = found.rarity_equivalence, found.rarity_ramp
    if equal is not None and np.isfinite(equal.p):
        state = "yes" if equal.p < LEVEL else "no"
        pair = t.listing(t.term("rarity", name) for name in equal.pair)
        says.append(
            t(
                f"rarity.equal.{state}",
                band=t.band(found.band),
                p=t.number(equal.p, 3),
                pair=pair,
                largest=t.points(equal.largest, sign=False),
            )
        )
    if ramp is not None and np.isfinite(ramp.estimate):
        says.append(t("rarity.ramp", step=t.points(ramp.estimate), span=t.span(ramp.low, ramp.high)))
    return says


def _means_table(found: Analysis, words: Words) -> Grid:
    """Returns the mean effect of each rarity, plain and weighted by the copies played."""
    t = words
    rows = [
        [
            t.term("rarity", r.rarity),
            t.count(r.n),
            t.points(r.mean),
            t.span(r.low, r.high),
            t.points(r.played),
            t.span(r.played_low, r.played_high),
        ]
        for r in found.rarity_means.itertuples()
    ]
    titles = [t("column.rarity"), t("group.cards"), t("rarity.mean"), "95 %", t("rarity.played"), "95 %"]
    return grid(titles, rows, numbers=range(1, 6))


def _targets_table(found: Analysis, words: Words) -> Grid:
    """Returns what the data say about each target that a designer may choose."""
    t, rows = words, []
    assert found.rarity_targets is not None
    for target in found.rarity_targets.itertuples():
        points = target.target != "bounded_spread"
        value = t.points(target.value) if points else t.count(target.value)
        limit = t.points(target.limit, sign=False) if points else t.count(target.limit)
        where = " / ".join(t.plain(f"rarity.{name}") for name in str(target.where).split(" / ") if name)
        rows.append([t(f"target.{target.target}"), t(f"target.{target.state}"), value, limit, where])
    titles = [t("target.title"), t("target.state"), t("target.value"), t("target.limit"), t("target.where")]
    return grid(titles, rows, numbers=(2, 3))


def _group_table(groups: pd.DataFrame, group: str, words: Words) -> Grid:
    """Returns the rates of one way to group cards; each cell holds the rate and its interval."""
    t = words
    rows = []
    for row in groups[groups["group"] == group].to_dict("records"):
        cells = [
            Markup('{}<br><span class="soft small">{}</span>').format(
                t.number(100 * row[e]),
                t.plain("span", low=t.number(100 * row[f"{e}_low"]), high=t.number(100 * row[f"{e}_high"])),
            )
            if row[f"{e}_n"]
            else "–"
            for e in EVENTS
        ]
        rows.append([t.term(group, row["value"]), t.count(row["cards"]), *cells])
    titles = [t(f"column.{group}"), t("group.cards"), *(t(f"column.{TITLES[e]}") for e in EVENTS)]
    return grid(titles, rows, numbers=range(1, len(titles)))
