"""The comparison of two runs as one page: what a change of cards or rules did."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.report.analysis import analyse
from apotheosis.experiments.report.card_pages import Cell, TableColumn, column_styles, interval_picture
from apotheosis.experiments.report.differences import Differences, Measure, differences
from apotheosis.experiments.report.figures import reach_of
from apotheosis.experiments.report.grids import Grid, grid
from apotheosis.experiments.report.page import macros, render
from apotheosis.experiments.report.reading import Run, open_run
from apotheosis.experiments.report.tables import dictionary_grid, write_table
from apotheosis.experiments.report.wording import NOTHING, Words
from apotheosis.experiments.store import write_bytes

SECTIONS = ("changed", "comparable", "cards-section", "matches", "data")
LISTED = 10
"""Lines of the first section."""
COLUMNS = (  # key, number, shown
    ("name", False, True),
    ("printed", False, True),
    ("before", True, True),
    ("after", True, True),
    ("change", True, True),
    ("picture", False, True),
    ("span", True, True),
    ("q", True, True),
    ("verdict_old", False, False),
    ("verdict_new", False, True),
)


WRITTEN = (
    "card_id",
    "name",
    "printed",
    "effect_old",
    "effect_new",
    "change",
    "change_low",
    "change_high",
    "q",
    "verdict_old",
    "verdict_new",
)
"""Columns of the table that a comparison writes."""


@dataclass(frozen=True)
class Compared:
    """What a comparison wrote.

    Attributes:
        page: the HTML page.
        files: all files, relative to the folder of the page.
        changed: ids of cards whose effect was shown to have changed.
        shared: matches that both runs played alike.
    """

    page: Path
    files: list[str]
    changed: list[str]
    shared: int


def write_comparison(old: Path, new: Path, language: str = "en", out: Path | None = None) -> Compared:
    """Writes the comparison of two run folders.

    Args:
        old: the run before the change.
        new: the run after it.
        language: `en` or `pt`.
        out: where to write, `compare` inside the newer run's folder by default.

    Raises:
        InputError: a folder holds no readable tables, or the language does not exist.
    """
    words = Words(language)
    found = differences(analyse(open_run(old)), analyse(open_run(new)))
    target = out or new / "compare"
    target.mkdir(parents=True, exist_ok=True)
    changed = found.cards[found.cards["q"] <= found.new.fdr]
    table = found.cards.assign(printed=[_printed_plain(row, words) for row in found.cards["printed"]])
    files = write_table(target, "changes", table[list(WRITTEN)], ("csv", "parquet"))
    page = target / "compare.html"
    write_bytes(page, _render(found, changed, files, words).encode())
    return Compared(page, [*files, page.name], [str(card) for card in changed["card_id"]], found.shared)


def _render(found: Differences, changed: pd.DataFrame, files: list[str], words: Words) -> str:
    t = words
    names = [_name(run.run) for run in (found.old, found.new)]
    if names[0] == names[1]:
        names = [run.run.folder.resolve().name for run in (found.old, found.new)]
    listed = pd.concat([changed, found.cards[found.cards["printed"].map(bool)]]).drop_duplicates("card_id")
    rows = [_line(row, t) for row in listed.head(LISTED).itertuples()]
    return render(
        "compare.html.j2",
        words,
        old=names[0],
        new=names[1],
        sections=SECTIONS,
        first=rows,
        empty=t("compare.none", n=int(found.cards["change"].notna().sum())),
        lede=_lede(found, changed, t),
        comparable=_comparable(found, t),
        settings=_settings(found, t),
        columns=_columns(t),
        **column_styles(_columns(t), _reach(found), found.new.band),
        rows=_rows(found, t),
        measures=_measures(found.measures, t),
        files=files,
        dictionary=dictionary_grid("changes", list(WRITTEN), words),
    )


def _name(run: Run) -> str:
    return run.name


def _lede(found: Differences, changed: pd.DataFrame, t: Words) -> Markup:
    """Returns the paragraph under the title."""
    printed = int(found.cards["printed"].map(bool).sum())
    parts = [t("compare.lede", n=len(changed)), t("compare.lede_printed", n=printed)]
    if found.shared:
        parts.append(t("compare.lede_shared", n=found.shared, share=t.percent(found.other_end, 1)))
    return Markup(" ").join(parts)


def _printed(changes: list, t: Words) -> Markup:
    """Returns what was changed in print: `AP 3 → 4`; of a text it is only said that it changed."""
    parts = []
    for name, before, after in changes:
        title = t.term("column", name)
        if name == "text":
            parts.append(t("compare.text"))
        else:
            parts.append(Markup("{} {} → {}").format(title, _plain(before), _plain(after)))
    return Markup("; ").join(parts)


def _plain(value: Any) -> str:
    """Returns a printed value; whole numbers without decimals."""
    if pd.isna(value):
        return NOTHING
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def _printed_plain(changes: list, t: Words) -> str:
    return str(_printed(changes, t).striptags())


def _line(row: Any, t: Words) -> dict:
    """Returns one line of the first section."""
    printed = _printed(row.printed, t)
    values = {
        "name": row.name, "before": t.points(row.effect_old), "after": t.points(row.effect_new),
        "change": t.points(row.change), "span": t.span(row.change_low, row.change_high),
    }  # fmt: skip
    known = np.isfinite(row.change)
    verdicts = [v if isinstance(v, str) else "none" for v in (row.verdict_old, row.verdict_new)]
    return {
        "name": row.name,
        "points": t.points(row.change),
        "verdict": verdicts[1],
        "claim": t("compare.claim", **values) if known else t("compare.unknown", name=row.name),
        "verdicts": t("compare.verdicts", old=t.term("verdict", verdicts[0]), new=t.term("verdict", verdicts[1])),
        "printed": printed or t("compare.same_print"),
    }


def _comparable(found: Differences, t: Words) -> Markup:
    """Returns whether the runs differ in the cards alone."""
    total = max(found.old.tally.issued, found.new.tally.issued)
    says = t("compare.paired", n=found.shared, all=total) if found.shared else t("compare.apart")
    codes = [_print(run.run.plan.get("code")) for run in (found.old, found.new)]
    if codes[0] != codes[1] and NOTHING not in codes:
        says = t("compare.other_code") + Markup(" ") + says
    return says


def _settings(found: Differences, t: Words) -> Grid:
    """Returns what differs in the plans."""
    rows = [[Markup("<code>{}</code>").format(key), str(one), str(two)] for key, one, two in found.settings]
    for name, key in (("cards", "cards_hash"), ("decks", "decks_hash"), ("code", "code")):
        one, two = (_print(run.run.plan.get(key)) for run in (found.old, found.new))
        state = t("compare.equal") if one == two else ""
        rows.append([t(f"compare.{name}"), one, Markup("{} {}").format(two, state)])
    return grid([t("compare.setting"), t("compare.before"), t("compare.after")], rows, texts=(1, 2))


def _print(value: Any) -> str:
    """Returns the first digits of a fingerprint, or of the sources of the code."""
    if isinstance(value, dict):
        value = value.get("sources")
    return NOTHING if value is None else str(value)[:12]


def _measures(measures: list[Measure], t: Words) -> Grid:
    """Returns the numbers of the matches before and after."""
    rows = []
    for m in measures:
        count = m.name in ("stints", "decisions")
        write = t.number if count else t.points
        digits, sign = (1, False) if count else (2, m.name == "side")
        shown = [write(m.before, digits, sign), write(m.after, digits, sign), write(m.change.estimate, digits, True)]
        span = t.plain("span", low=write(m.change.low, 2, True), high=write(m.change.high, 2, True))
        rows.append([t(f"compare.measure.{m.name}"), *shown, span])
    titles = [t("compare.measure"), t("compare.before"), t("compare.after"), t("compare.change"), "95 %"]
    return grid(titles, rows, numbers=range(1, 5))


def _columns(t: Words) -> list[TableColumn]:
    own = ("printed", "before", "after", "change", "verdict_old", "verdict_new")
    titles = {key: f"compare.{key}" for key in own}
    return [
        TableColumn(key, t.plain(titles.get(key, f"column.{key}")), "", number, shown, key != "picture")
        for key, number, shown in COLUMNS
    ]


def _reach(found: Differences) -> float:
    """Returns the half width, a fraction, of the axis of the small pictures."""
    ends = found.cards[["change_low", "change_high"]].to_numpy(dtype=float).ravel()
    return reach_of(ends, found.cards["change"].to_numpy(dtype=float), found.new.band)


def _rows(found: Differences, t: Words) -> list[dict]:
    """Returns the rows of the card table, largest change first."""
    draw, table, reach = macros(t), found.cards, _reach(found)
    rows = []
    for row in table.itertuples():
        texts = {
            "name": (row.name, row.name),
            "printed": (_printed_plain(row.printed, t), _printed(row.printed, t) or NOTHING),
            "before": _points(row.effect_old, t),
            "after": _points(row.effect_new, t),
            "change": _points(row.change, t),
            "picture": ("", draw.interval(interval_picture(row.change_low, row.change, row.change_high, reach))),
            "span": (_raw(row.change_low), t.span(row.change_low, row.change_high)),
            "q": (_raw(row.q), t.number(row.q, 3)),
            "verdict_old": _verdict(row.verdict_old, draw),
            "verdict_new": _verdict(row.verdict_new, draw),
        }
        rows.append({"id": row.card_id, "cells": [Cell(*texts[key]) for key, _, _ in COLUMNS]})
    return rows


def _points(value: float, t: Words) -> tuple[str, str]:
    return _raw(value), t.points(value)


def _raw(value: float) -> str:
    return f"{value:.5f}" if np.isfinite(value) else ""


def _verdict(name: object, draw: Any) -> tuple[str, object]:
    return (name, draw.verdict(name)) if isinstance(name, str) else ("", NOTHING)
