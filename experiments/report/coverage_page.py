"""What of each card is played, as one page: totals by suit, rarity and verb, and every effect with its clause and reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from apotheosis.env.cards.coverage import share
from apotheosis.env.cards.readings import NOTHING, STATUSES
from apotheosis.env.cards.schema import CardBase
from apotheosis.env.vocabulary import Rarity
from apotheosis.experiments.report.card_pages import Cell, TableColumn, column_styles
from apotheosis.experiments.report.grids import grid, share_bar
from apotheosis.experiments.report.page import render
from apotheosis.experiments.report.reasons import reason
from apotheosis.experiments.report.wording import Words

SECTIONS = ("totals", "effects")
COLUMNS = ("name", "suit", "rarity", "number", "becomes", "by", "clause", "why")
"""Columns of the table of effects."""
NUMBERS = ("number",)
DASH = "–"


def coverage_page(source: str, cards: Iterable[CardBase], data: Mapping[str, Any], language: str = "en") -> str:
    """Returns a self-contained HTML page of what `cards check` has found.

    Args:
        source: what was checked, as the user named it.
        cards: the cards.
        data: the object that `cards check --json` prints.
        language: "en" or "pt".

    Raises:
        InputError: the language is another one.
    """
    t = Words(language)
    totals, by_id = data["totals"], {card.id: card for card in cards}
    exercised = any("evidence" in effect for card in data["cards"] for effect in card["effects"])
    keys = COLUMNS + (("evidence",) if exercised else ())
    columns = [TableColumn(key, t.plain(f"coverage.{key}"), "", key in NUMBERS, True) for key in keys]
    live = totals["live_effects"]
    return render(
        "coverage.html.j2",
        t,
        source=source,
        sections=SECTIONS,
        lede=t(
            "coverage.lede",
            cards=t.count(totals["cards"]),
            live=t.count(live),
            executable=t.count(totals["executable"]),
            share=t.percent(totals["executable"] / live if live else None),
            partial=t.count(totals["partial"]),
            inert=t.count(totals["inert"]),
            nothing=t.count(totals[NOTHING]),
        ),
        groups=[_group(group, rows, t) for group, rows in data["groups"].items()],
        columns=columns,
        choices=_choices(t),
        rows=[_line(by_id[card["id"]], effect, keys, t) for card in data["cards"] for effect in card["effects"]],
        **column_styles(columns, 1.0, 0.0),
    )


def _group(group: str, rows: Mapping[str, Mapping[str, int]], t: Words) -> dict[str, Any]:
    """Returns one table of totals."""
    titles = [t.plain(f"coverage.{group}"), t.plain("coverage.effects"), *(t.plain(f"becomes.{status}") for status in STATUSES)]
    titles.append(t.plain("coverage.share"))
    lines = []
    for name, row in rows.items():
        part = share(row)
        bar = Markup("") if part is None else share_bar(part, 1.0)
        shown = Markup("{} {}").format(bar, t.percent(part))
        word = Markup("<code>{}</code>").format(name) if group == "verb" else t.term(group, name)
        lines.append([word, *(t.count(row[key]) for key in ("effects", *STATUSES)), shown])
    return {"title": titles[0], "grid": grid(titles, lines, numbers=range(1, len(STATUSES) + 2))}


def _choices(t: Words) -> list[dict[str, Any]]:
    """Returns the lists that the table can be narrowed by."""
    rarities = [(rarity.name, t.plain(f"rarity.{rarity.name}")) for rarity in Rarity]
    statuses = [(status, t.plain(f"becomes.{status}")) for status in STATUSES]
    title = lambda key: t.plain("table.any", column=t.plain(f"coverage.{key}"))  # noqa: E731
    return [
        {"key": "rarity", "title": title("rarity"), "options": rarities},
        {"key": "verdict", "title": title("becomes"), "options": statuses},
    ]


def _line(card: CardBase, effect: Mapping[str, Any], keys: Iterable[str], t: Words) -> dict[str, Any]:
    """Returns one row of the table of effects."""
    why = effect["reason"] or ""
    if why and t.language == "pt":
        why = reason(why) or why
    name = (card.name_pt or card.name) if t.language == "pt" else card.name
    texts = {
        "name": (name, Markup("{} <code>{}</code>").format(name, card.id)),
        "suit": (card.suit_code.name, t.term("suit", card.suit_code.name)),
        "rarity": (int(card.rarity), t.term("rarity", card.rarity.name)),
        "number": (effect["index"], effect["index"]),
        "becomes": (effect["status"], t.term("becomes", effect["status"])),
        "by": (effect["by"] or "", t.term("read_by", effect["by"]) if effect["by"] else DASH),
        "clause": (effect["clause"] or "", effect["clause"] or DASH),
        "why": (why, why or DASH),
        "evidence": (effect.get("evidence") or "", effect.get("evidence") or DASH),
    }
    wide = ("clause", "why", "evidence")
    cells = [Cell(*texts[key], cls="text" if key in wide else "") for key in keys]
    return {"id": card.id, "rarity": card.rarity.name, "verdict": effect["status"], "cells": cells}
