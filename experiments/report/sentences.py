"""The plain sentences of a report: what is claimed of a card, of the run, and what to do next.

Effect, interval, games, then the verdict in three words (METHOD section 8). An undecided card is said to be undecided,
a card that is not fully simulated gets no verdict, and no sentence calls anything statistically significant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.report.reading import INCOMPLETE
from apotheosis.experiments.report.suggest import Advice
from apotheosis.experiments.report.wording import Words

FIRST_LINES = 10
"""Lines of section 1 (METHOD section 8)."""
OPEN_LINES = 3
"""Undecided cards among them."""
JUDGED = ("too_strong", "too_weak", "within", "undecided")


def claim(card: Any, words: Words, reason: Markup | None = None) -> Markup:
    """Returns the sentence about one card.

    Args:
        card: a row of the report's card table.
        words: the language.
        reason: why no effect could be estimated, where that is so for the whole run.
    """
    t = words
    if card.status in INCOMPLETE:
        return t("claim.none")
    if not np.isfinite(card.effect):
        return t("claim.no_effect", reason=reason or t("reason.never_differs" if card.identified else "reason.not_apart"))
    if card.verdict == "undecided":
        values = {"low": t.points(card.effect_low), "high": t.points(card.effect_high), "games": int(card.games)}
        if pd.isna(card.more_games):
            return t("claim.undecided_unknown", **values)
        return t("claim.undecided", more=rounded(card.more_games), **values)
    less = card.effect < 0
    low, high = (-card.effect_high, -card.effect_low) if less else (card.effect_low, card.effect_high)
    return t(
        "claim.less" if less else "claim.more",
        name=card.name,
        points=t.points(abs(card.effect), sign=False),
        low=t.points(low, sign=False),
        high=t.points(high, sign=False),
        games=int(card.games),
        verdict=t(f"claim.{card.verdict}"),
    )


def rounded(games: float) -> int:
    """Returns a number of games with two leading digits: more would pretend to know the future."""
    scale = 10 ** max(0, int(np.floor(np.log10(max(games, 1)))) - 1)
    return int(np.ceil(games / scale) * scale)


def next_step(card: Any, judged: int, band: float, words: Words, advice: Advice) -> Markup:
    """Returns what to do about a card of section 1."""
    t = words
    if card.verdict == "undecided":
        beyond = card.effect_low > band or card.effect_high < -band
        return t("next.collect_beyond", n=judged) if beyond else t("next.collect")
    weak = card.verdict == "too_weak"
    key = "next.swap" if advice.change(card.card_id, stronger=weak) is None else "next.confirm"
    text = t(key, n=judged, command=advice.command(card.card_id, stronger=weak))
    worth = getattr(card, "price_worth", float("nan"))
    if np.isfinite(worth) and not pd.isna(card.score):
        text = (
            t("next.worth", axis=t("column.score"), worth=t.number(worth), printed=t.number(float(card.score), 0))
            + Markup("<br>")
            + text
        )
    return text


def first_section(cards: pd.DataFrame, band: float, words: Words, reason: Markup | None, advice: Advice) -> dict:
    """Returns section 1: the flagged cards by size of effect, then the undecided ones that are furthest out.

    Both are ordered by the shrunk effect, which trusts few games less.
    """
    judged = cards[cards["verdict"].isin(JUDGED) & cards["effect"].notna()]
    flagged = judged[judged["verdict"].isin(["too_strong", "too_weak"])]
    flagged = flagged.reindex(flagged["shrunk"].abs().sort_values(ascending=False, kind="stable").index)
    undecided = judged[(judged["verdict"] == "undecided") & (judged["effect"].abs() > band)]
    undecided = undecided.reindex(undecided["shrunk"].abs().sort_values(ascending=False, kind="stable").index)
    room = FIRST_LINES - min(len(undecided), OPEN_LINES)
    lines = pd.concat([flagged.head(room), undecided.head(OPEN_LINES)])
    rows = [
        {
            "id": card.anchor,
            "name": card.name,
            "verdict": card.verdict,
            "points": words.points(card.effect),
            "claim": claim(card, words),
            "next": next_step(card, len(judged), band, words, advice),
        }
        for card in lines.itertuples(index=False)
    ]
    return {"rows": rows, "empty": _nothing(judged, band, words, reason)}


def _nothing(judged: pd.DataFrame, band: float, words: Words, reason: Markup | None) -> Markup:
    """Returns the sentence that stands in place of an empty list."""
    t = words
    if reason is not None or judged.empty:
        return t("first.no_effects", reason=reason or t("reason.no_cards"))
    still = judged[judged["verdict"] == "undecided"]
    if len(still) > len(judged) / 2 and still["more_games"].notna().any():
        return t("first.thin", open=len(still), judged=len(judged), more=rounded(float(still["more_games"].min())))
    return t("first.quiet", band=t.band(band))


def lede(cards: pd.DataFrame, band: float, words: Words, reason: Markup | None) -> Markup:
    """Returns the one paragraph under the title."""
    t = words
    if reason is not None:
        return t("lede.thin", reason=reason)
    n = cards["verdict"].value_counts()
    strong, weak = int(n.get("too_strong", 0)), int(n.get("too_weak", 0))
    values = {"within": int(n.get("within", 0)), "all": len(cards), "band": t.band(band)}
    parts = [
        t("lede.flags", strong=t("n_cards", n=strong), weak=t("n_cards", n=weak), **values)
        if strong + weak
        else t("lede.quiet", **values)
    ]
    incomplete = cards["status"].isin(INCOMPLETE)
    rest = {
        "undecided": int(n.get("undecided", 0)),
        "none": int(incomplete.sum()),
        "unknown": int((cards["effect"].isna() & ~incomplete).sum()),
    }
    parts += [t(f"lede.{key}", n=count) for key, count in rest.items() if count]
    return Markup(" ").join(parts)
