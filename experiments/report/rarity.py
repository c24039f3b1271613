"""The section on rarity and cost: means and tests by rarity, the price line, and rates of groups of cards."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.report import figures
from apotheosis.experiments.report.analysis import Analysis
from apotheosis.experiments.report.grids import Grid, grid
from apotheosis.experiments.report.groups import EVENTS, GROUPS
from apotheosis.experiments.report.wording import Words

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
    tables = (
        [
            (_group_table(found.groups, group, words), words("rarity.by", group=words(f"column.{group}").lower()))
            for group in GROUPS
        ]
        if len(found.groups)
        else []
    )
    return {"says": says, "strips": strips, "price": price, "tables": tables}


def _says(found: Analysis, words: Words) -> list[Markup]:
    """Returns the sentences on equality and trend."""
    t, means = words, found.rarity_means
    if len(means) < 2:
        return [t("rarity.thin")]
    parts = [
        t("rarity.mean_part", rarity=t.term("rarity", r.rarity), mean=t.points(r.mean), n=int(r.n))
        for r in means.itertuples()
    ]
    says = [t("rarity.means", parts=t.listing(parts))]
    if found.rarity_tests is not None:
        tests = found.rarity_tests
        if tests.get("equivalence_p") is not None:
            p = tests["equivalence_p"]
            says.append(t(f"rarity.equal.{'yes' if p < 0.05 else 'no'}", band=t.band(found.band), p=t.number(p, 3)))
        if tests.get("trend") is not None:
            trend = tests["trend"]
            says.append(
                t(
                    "rarity.trend",
                    d=t.number(trend.estimate, 2, True),
                    low=t.number(trend.low, 2, True),
                    high=t.number(trend.high, 2, True),
                )
            )
    return says


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
