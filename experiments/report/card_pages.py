"""The card section: one table row and one page per card, with all its evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.report.figures import RARITY_ORDER as RARITIES
from apotheosis.experiments.report.figures import reach_of
from apotheosis.experiments.report.reading import INCOMPLETE
from apotheosis.experiments.report.reasons import clauses
from apotheosis.experiments.report.sentences import claim
from apotheosis.experiments.report.wording import NOTHING, Words

SUITS = ("House", "Class", "Entity", "Item", "Skill", "Companion", "Event")
VERDICTS = ("too_strong", "too_weak", "within", "undecided", "none")
SHEET = SUITS[:3]
"""Suits that lie on the table from the start; being placed says nothing about them."""
RATES = ("standardised", "opening", "drawn", "placed", "activated")


@dataclass(frozen=True)
class TableColumn:
    """A column of the card table."""

    key: str
    title: str
    hint: str
    number: bool
    shown: bool
    sorts: bool = True


@dataclass(frozen=True)
class Cell:
    """A cell: `raw` is sorted by and copied, `shown` is read."""

    raw: object
    shown: object
    cls: str = ""


_COLUMNS = (  # key, number, shown
    ("name", False, True),
    ("suit", False, True),
    ("level", True, True),
    ("rarity", False, True),
    ("verdict", False, True),
    ("effect", True, True),
    ("picture", False, True),
    ("span", True, True),
    ("games", True, True),
    ("more_games", True, False),
    ("shrunk", True, False),
    ("rank", True, False),
    ("q", True, False),
    ("score", True, False),
    ("action", True, False),
    ("price", True, False),
    ("price_residual", True, False),
    ("window", True, False),
    ("standardised", True, False),
    ("opening", True, False),
    ("drawn", True, False),
    ("placed", True, False),
    ("activated", True, False),
    ("iwd", True, False),
    ("play_rate", True, False),
    ("dead", True, False),
    ("turn", True, False),
    ("status", False, False),
)
_POINTS = {"effect": "effect", "shrunk": "shrunk", "price_residual": "price_residual", "window": "window", "iwd": "iwd"}
_PERCENT = {**{rate: rate for rate in RATES}, "play_rate": "play_rate"}
_DECIMALS = {
    "dead": "dead_turns_mean",
    "turn": "placed_turn_mean",
    "score": "score",
    "action": "action",
    "price": "price",
}


def anchors(card_ids: pd.Series) -> list[str]:
    """Returns an address for each card that is valid in HTML and a URL: its id where that is plain, else its place."""
    return [str(c) if re.fullmatch(r"[A-Za-z0-9_.-]+", str(c)) else f"no-{place}" for place, c in enumerate(card_ids)]


def table_columns(words: Words) -> list[TableColumn]:
    """Returns the columns of the card table in order."""
    hint = lambda key: words.plain(f"hint.{key}") if words.has(f"hint.{key}") else ""  # noqa: E731
    return [
        TableColumn(key, words.plain(f"column.{key}"), hint(key), number, shown, key != "picture")
        for key, number, shown in _COLUMNS
    ]


def column_styles(columns: list[TableColumn], reach: float, band: float) -> dict[str, Markup]:
    """Returns what the cells of a column share, so that no cell has to say it again.

    Args:
        columns: the columns of the card table.
        reach: half width, a fraction, of the axis of the small pictures of intervals.
        band: half width of the band, a fraction.

    Returns:
        `style`, the sides of columns and the width of the band, and `hidden`, which columns are not shown at first.
    """
    place = lambda chosen: ", ".join(f"{chosen[0]}:nth-child({k})" for k in chosen[1])  # noqa: E731
    numbers = [k for k, column in enumerate(columns, 1) if column.number]
    off = [k for k, column in enumerate(columns, 1) if not column.shown]
    zone = f".iv {{ --zone: {min(100 * band / reach, 100):.1f}% }}"
    style = zone + (f" {place(('#cards td', numbers))} {{ text-align: right }}" if numbers else "")
    hidden = f"{place(('.js #cards tr > ', off))} {{ display: none }}" if off else ""
    return {"style": Markup(style), "hidden": Markup(hidden)}


def interval_picture(low: float, at: float, high: float, reach: float) -> dict | None:
    """Returns the places of an interval in a table cell, in percent of the cell; None where there is no interval."""
    if not np.isfinite([low, at, high]).all():
        return None
    place = lambda value: float(np.clip(50 + 50 * value / reach, 0, 100))  # noqa: E731
    left, right = place(low), place(high)
    return {"left": f"{left:.1f}", "width": f"{max(right - left, 0.8):.1f}", "at": f"{np.clip(place(at), 3, 97):.1f}"}


def cell_reach(cards: pd.DataFrame, band: float) -> float:
    """Returns the half width, a fraction, of the axis that the small pictures of all cards share."""
    flagged = cards.loc[cards["verdict"].isin(["too_strong", "too_weak"]), "effect"].to_numpy(dtype=float)
    return reach_of(cards[["effect_low", "effect_high"]].to_numpy(dtype=float).ravel(), flagged, band)


def table_rows(cards: pd.DataFrame, band: float, words: Words, draw: Any) -> list[dict]:
    """Returns the rows of the card table, strongest first.

    Args:
        cards: the report's card table in display order.
        band: half width of the band.
        words: the language.
        draw: the template's macros for verdicts, suits and intervals.
    """
    reach = cell_reach(cards, band)
    return [
        {
            "id": c.anchor,
            "suit": c.suit,
            "rarity": c.rarity,
            "verdict": c.verdict,
            "cells": _cells(c, reach, words, draw),
        }
        for c in cards.itertuples(index=False)
    ]


def _cells(card: Any, reach: float, words: Words, draw: Any) -> list[Cell]:
    judged = "bold" if card.verdict != "none" else "soft"
    styles = {"effect": judged, "span": "soft"}
    return [Cell(*_content(card, key, reach, words, draw), styles.get(key, "")) for key, _, _ in _COLUMNS]


def _content(card: Any, key: str, reach: float, t: Words, draw: Any) -> tuple[object, object]:
    """Returns what a cell sorts by and what it shows."""
    if key in _POINTS:
        value = _number(getattr(card, _POINTS[key]))
        return _raw(value, 5), t.points(value)
    if key in _PERCENT:
        value = _number(getattr(card, _PERCENT[key]))
        return _raw(value, 5), t.number(100 * value)
    if key in _DECIMALS:
        value = _number(getattr(card, _DECIMALS[key]))
        return _raw(value, 3), t.number(value, 0 if key in ("score", "action", "price") else 1)
    if key in ("games", "more_games"):
        value = _number(getattr(card, key))
        return _raw(value, 0), t.count(value)
    if key == "suit":
        return card.suit, draw.suit_icon(card.suit) + " " + t.term("suit", card.suit)
    if key == "rarity":
        return RARITIES.index(card.rarity) if card.rarity in RARITIES else "", t.term("rarity", card.rarity)
    if key == "verdict":
        return VERDICTS.index(card.verdict), draw.verdict(card.verdict)
    if key == "picture":
        return "", draw.interval(interval_picture(card.effect_low, card.effect, card.effect_high, reach), card.verdict)
    if key == "span":
        return _raw(_number(card.effect_low), 5), t.span(card.effect_low, card.effect_high)
    if key == "rank":
        known = np.isfinite(_number(card.rank_low))
        return _raw(_number(card.rank_low), 0), f"{card.rank_low:.0f}–{card.rank_high:.0f}" if known else NOTHING
    if key == "q":
        value = _number(card.q)
        return _raw(value, 6), ("< " + t.number(0.001, 3)) if value < 0.001 else t.number(value, 3)
    if key == "status":
        return card.status, t.term("status", card.status)
    value = getattr(card, key)
    return ("", NOTHING) if pd.isna(value) else (value, value)


def _number(value: object) -> float:
    return float("nan") if value is None or pd.isna(value) else float(value)  # type: ignore[arg-type]


def _raw(value: float, digits: int) -> str:
    return "" if not np.isfinite(value) else f"{value:.{digits}f}" if digits else str(round(value))


def pages(
    cards: pd.DataFrame,
    by_bot: pd.DataFrame,
    replays: dict[str, list[dict]],
    band: float,
    words: Words,
    reason: Markup | None,
    more: dict[str, list[int]],
) -> list[dict]:
    """Returns one page per card, in the order of the table.

    Args:
        cards: the report's card table in display order.
        by_bot: `bot, card_id, effect, effect_low, effect_high, games` of fits to single bots; may be empty.
        replays: links to matches that show a card, by card id.
        more: further matches that show a card, by card id.
        band: half width of the band.
        words: the language.
        reason: why no effects exist, or None.
    """
    reach = cell_reach(cards, band)
    bots: dict[str, list] = {}
    for row in by_bot.itertuples():
        bots.setdefault(str(row.card_id), []).append(row)
    found = []
    for card in cards.itertuples(index=False):
        found.append(
            {
                "id": card.anchor,
                "name": card.name,
                "suit": card.suit,
                "verdict": card.verdict,
                "flag": card.verdict in ("too_strong", "too_weak"),
                "meta": _meta(card, words),
                "text": card.text if isinstance(card.text, str) else "",
                "clause": _clause(card, words),
                "claim": claim(card, words, reason),
                "evidence": _evidence(card, bots.get(card.card_id, []), reach, words) if np.isfinite(card.effect) else [],
                "notes": _notes(card, int(cards["rank_low"].notna().sum()), words),
                "rates": _rates(card, words),
                "use": _use(card, words),
                "replays": replays.get(card.card_id, []),
                "more": _more(more.get(card.card_id, []), words),
            }
        )
    return found


def _more(matches: list[int], words: Words) -> Markup | None:
    return words("pages.replay_more", matches=", ".join(map(str, matches))) if matches else None


def _meta(card: Any, t: Words) -> Markup:
    parts = [
        t(
            "pages.meta",
            suit=t.term("suit", card.suit),
            level=NOTHING if pd.isna(card.level) else str(card.level),
            rarity=t.term("rarity", card.rarity),
        )
    ]
    for key in ("score", "action", "price"):
        if np.isfinite(_number(getattr(card, key))):
            parts.append(Markup("{} {}").format(t(f"column.{key}"), t.number(_number(getattr(card, key)), 0)))
    parts.append(Markup("<code>{}</code>").format(card.card_id))
    return Markup(" · ").join(parts)


def _clause(card: Any, t: Words) -> Markup | None:
    if card.status not in INCOMPLETE:
        return None
    return t("clause", clause=clauses(card.missing, t.language) if isinstance(card.missing, str) else t("clause.unknown"))


def _evidence(card: Any, bots: list, reach: float, t: Words) -> list[dict]:
    """Returns the rows of the evidence table, the headline first."""
    rows = [(t("pages.adjusted"), card.effect_low, card.effect, card.effect_high, card.games)]
    rows.append((t("pages.shrunk"), card.shrunk_low, card.shrunk, card.shrunk_high, card.games))
    rows.append((t("pages.window"), card.window_low, card.window, card.window_high, card.window_n))
    rows += [(t("pages.bot", bot=b.bot), b.effect_low, b.effect, b.effect_high, b.games) for b in bots]
    rows.append((t("pages.iwd"), card.iwd_low, card.iwd, card.iwd_high, card.iwd_n))
    return [
        {
            "source": source,
            "drawn": interval_picture(low, at, high, reach),
            "points": t.points(at),
            "span": t.span(low, high),
            "games": t.count(n),
        }
        for source, low, at, high, n in rows
        if np.isfinite(_number(at))
    ]


def _notes(card: Any, ranked: int, t: Words) -> Markup:
    notes = []
    if np.isfinite(_number(card.rank_low)):
        notes.append(t("pages.rank", low=int(card.rank_low), high=int(card.rank_high), n=ranked))
    if np.isfinite(_number(card.q)) and card.verdict != "none":
        notes.append(t("pages.q", q=f"q < {t.number(0.001, 3)}" if card.q < 0.001 else f"q = {t.number(card.q, 3)}"))
    if card.separated is True or card.separated == 1:
        notes.append(t("pages.separated"))
    if card.iwd_disagrees is True or card.iwd_disagrees == 1:
        notes.append(t("pages.iwd_note"))
    if card.bounds_needed is True or card.bounds_needed == 1:
        notes.append(t("pages.bounds", low=t.percent(card.bound_low), high=t.percent(card.bound_high)))
    return Markup(" ").join(notes)


def _rates(card: Any, t: Words) -> list[dict]:
    found = []
    for rate in RATES:
        n = _number(getattr(card, f"{rate}_n"))
        if n > 0 and not (rate == "placed" and card.suit in SHEET):
            low, high = getattr(card, f"{rate}_low"), getattr(card, f"{rate}_high")
            found.append(
                {
                    "when": t(f"pages.rate.{rate}"),
                    "rate": t.percent(getattr(card, rate)),
                    "span": t.percent_span(low, high),
                    "games": t.count(n),
                }
            )
    return found


def _use(card: Any, t: Words) -> list[tuple[Markup, str]]:
    found = [(t("use.games"), t.count(_number(card.games))), (t("use.copies"), t.number(_number(card.copies_mean), 2))]
    for key, column, write in (
        ("kept", "kept_rate", t.percent),
        ("played", "play_rate", t.percent),
        ("dead", "dead_turns_mean", t.number),
        ("turn", "placed_turn_mean", t.number),
    ):
        value = _number(getattr(card, column))
        if np.isfinite(value):
            found.append((t(f"use.{key}"), write(value)))
    return found
