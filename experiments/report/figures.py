"""The figures of a balance report; each takes tables and the words of a language and returns one picture.

A figure shows at most `FOREST_ROWS` cards by name: the table of the report holds all of them, the picture those that
matter.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from apotheosis.experiments.report.canvas import (
    AMBER,
    BAND,
    BLUE,
    GREEN,
    GRID,
    HALF,
    INK,
    LINE,
    ORANGE,
    SOFT,
    Canvas,
    Picture,
    picture,
)
from apotheosis.experiments.report.wording import Words

FOREST_ROWS = 36
"""Cards that the forest names: all where they are no more than this, else the strongest and the weakest half."""

HEAT_DECKS = 12
"""Decks that a heat map can hold with a readable number in each cell."""

VERDICT_MARK = {"too_strong": "^", "too_weak": "v", "within": "o", "undecided": "D", "none": "x"}
VERDICT_COLOUR = {"too_strong": ORANGE, "too_weak": BLUE, "within": GREEN, "undecided": SOFT, "none": SOFT}
SUIT_MARK = {"House": "p", "Class": "h", "Entity": "*", "Item": "s", "Skill": "^", "Companion": "o", "Event": "D"}
RARITY_ORDER = ("Common", "Uncommon", "Rare", "Epic", "Legendary")


def _mark(axes, x: float, y: float, verdict: str, size: float = 6.5):
    colour = VERDICT_COLOUR[verdict]
    hollow = verdict == "undecided"
    axes.plot(
        [x],
        [y],
        VERDICT_MARK[verdict],
        ms=size - (1.2 if hollow else 0),
        mfc="white" if hollow else colour,
        mec=colour,
        mew=1.6 if verdict in ("undecided", "none") else 0.5,
        zorder=4,
        clip_on=False,
    )


def reach_of(ends: np.ndarray, flagged: np.ndarray, band: float) -> float:
    """Returns the half width of a symmetric effect axis: flagged cards and nearly all interval ends fit."""
    ends, flagged = np.abs(ends[np.isfinite(ends)]), np.abs(flagged[np.isfinite(flagged)])
    widest = [1.6 * band, *flagged * 1.06, *([1.08 * np.quantile(ends, 0.97)] if len(ends) else [])]
    return float(max(widest))


def _point_axis(axes, words: Words, reach: float, band: float):
    """Draws the zero line, the band and a labelled grid for an axis of points."""
    axes.set_xlim(-reach, reach)
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50) if reach / s <= 5)
    ticks = np.arange(-np.floor(reach / step), np.floor(reach / step) + 1) * step
    axes.set_xticks(ticks, [words.number(t, 0 if step >= 1 else 1, sign=True) for t in ticks])
    axes.axvspan(-band, band, color=BAND, zorder=0, lw=0)
    axes.grid(axis="x", color=GRID, lw=1)
    axes.axvline(0, color=SOFT, lw=1, zorder=1)


def forest_rows(cards: pd.DataFrame) -> pd.DataFrame:
    """Returns the cards that the forest names, strongest first."""
    ordered = cards[cards["effect"].notna()].sort_values("effect", ascending=False, kind="stable")
    if len(ordered) <= FOREST_ROWS:
        return ordered
    return pd.concat([ordered.head(FOREST_ROWS // 2), ordered.tail(FOREST_ROWS // 2)])


def forest(cards: pd.DataFrame, words: Words, band: float) -> Picture | None:
    """Draws the adjusted effects with their intervals, strongest on top, the band shaded.

    Args:
        cards: one row per card with `card_id, name, effect, effect_low, effect_high, verdict` (effects as fractions).
        words: the language.
        band: half width of the band as a fraction.
    """
    rows = forest_rows(cards)
    if rows.empty:
        return None
    flagged = 100 * rows.loc[rows["verdict"].isin(["too_strong", "too_weak"]), "effect"].to_numpy()
    reach, band = (
        reach_of(100 * rows[["effect_low", "effect_high"]].to_numpy().ravel(), flagged, 100 * band),
        100 * band,
    )
    cut = len(rows) // 2 if len(rows) < cards["effect"].notna().sum() else 0

    def paint(width: int) -> Canvas:
        small = width < 500
        step, top = (38, 34) if small else (24, 30)
        gap = 18 if cut else 0
        canvas = Canvas(width, top + step * len(rows) + gap + 34)
        axes = canvas.axes(8 if small else 250, top - 4, 8 if small else 150, 38)
        height = step * len(rows) + gap
        axes.set_ylim(height, 0)
        axes.set_yticks([])
        _point_axis(axes, words, reach, band)
        canvas.text(*_above(canvas, axes), words.plain("verdict.within"), size=11, colour=SOFT, align="center")
        for k, row in enumerate(rows.itertuples()):
            y = step * k + (gap if cut and k >= cut else 0) + (26 if small else 12)
            left, right = max(-reach, 100 * row.effect_low), min(reach, 100 * row.effect_high)
            axes.plot(
                [left, right],
                [y, y],
                color=VERDICT_COLOUR[row.verdict],
                lw=1.6,
                zorder=3,
                ls=(0, (2, 1.5)) if row.verdict == "none" else "-",
            )
            _mark(axes, float(np.clip(100 * row.effect, -reach, reach)), y, row.verdict)
            at = top - 4 + y
            if small:
                canvas.text(4, at - 15, _short(row.name, 38), size=11.5)
                canvas.text(width - 4, at - 15, words.points(row.effect), size=11.5, bold=True, align="right")
            else:
                canvas.text(240, at, _short(row.name, 36), align="right")
                canvas.text(width - 108, at, words.points(row.effect), bold=True, align="right")
                canvas.text(
                    width - 4, at, words.span(row.effect_low, row.effect_high), size=11, colour=SOFT, align="right"
                )
            canvas.link(0, at - (24 if small else 12), width, step, row.card_id, str(row.name))
        if cut:
            canvas.text(_above(canvas, axes)[0], top - 4 + step * cut + gap / 2, "· · ·", colour=SOFT, align="center")
        return canvas

    first, last = rows.iloc[0], rows.iloc[-1]
    alt = words.plain(
        "alt.forest",
        n=len(rows),
        band=words.number(band),
        first=first["name"],
        first_effect=words.points(first["effect"]),
        last=last["name"],
        last_effect=words.points(last["effect"]),
    )
    return picture("forest", alt, paint)


def _above(canvas: Canvas, axes) -> tuple[float, float]:
    x, _ = canvas.pixel(axes, 0, 0)
    return x, 12


def _short(name: str, limit: int) -> str:
    return name if len(name) <= limit else name[: limit - 1].rstrip() + "…"


def strips(cards: pd.DataFrame, means: pd.DataFrame, words: Words, band: float) -> Picture | None:
    """Draws one mark per card in a strip for each rarity, with the mean of the rarity as a tall tick.

    Args:
        cards: as for `forest`, with `rarity`.
        means: `rarity, mean, n` (mean as a fraction), the means that the text speaks of.
        words: the language.
        band: half width of the band as a fraction.
    """
    shown = cards[cards["effect"].notna()]
    order = [r for r in RARITY_ORDER if (shown["rarity"] == r).any()]
    if not order:
        return None
    flagged = 100 * shown.loc[shown["verdict"].isin(["too_strong", "too_weak"]), "effect"].to_numpy()
    reach, band = reach_of(100 * shown["effect"].to_numpy(), flagged, 100 * band), 100 * band
    mean_of = means.set_index("rarity")

    def paint(width: int) -> Canvas:
        step = 58
        canvas = Canvas(width, 30 + step * len(order) + 30)
        axes = canvas.axes(92, 26, 44, 34)
        axes.set_ylim(step * len(order), 0)
        axes.set_yticks([])
        _point_axis(axes, words, reach, band)
        canvas.text(width - 2, 12, words.plain("figure.mean"), size=11, colour=SOFT, align="right")
        for k, rarity in enumerate(order):
            rows = shown[shown["rarity"] == rarity].sort_values("effect", kind="stable")
            middle = step * (k + 0.5)
            canvas.text(78, 26 + middle - 8, words.plain(f"rarity.{rarity}"), align="right")
            canvas.text(78, 26 + middle + 9, words.plain("n_cards", n=len(rows)), size=10.5, colour=SOFT, align="right")
            for j, row in enumerate(rows.itertuples()):
                x, y = float(np.clip(100 * row.effect, -reach, reach)), middle + (-11, 0, 11)[j % 3]
                _mark(axes, x, y, row.verdict, 5.5)
                px, py = canvas.pixel(axes, x, y)
                canvas.link(px - 6, py - 6, 12, 12, row.card_id, f"{row.name} {words.points(row.effect)}")
            if rarity in mean_of.index:
                mean = 100 * mean_of.loc[rarity, "mean"]
                axes.plot([mean, mean], [middle - 22, middle + 22], color=INK, lw=2, zorder=5)
                canvas.text(width - 2, 26 + middle, words.number(mean, sign=True), bold=True, align="right")
        return canvas

    parts = [
        words.plain("alt.strip", rarity=words.plain(f"rarity.{r}"), mean=words.points(mean_of.loc[r, "mean"]))
        for r in order
        if r in mean_of.index
    ]
    return picture("rarity", words.plain("alt.strips", parts="; ".join(parts)), paint, HALF)


def price(cards: pd.DataFrame, curve: pd.DataFrame, words: Words, band: float, axis: str = "score") -> Picture | None:
    """Draws effect against price with the fitted price line; cards off the line by more than the band are solid.

    Args:
        cards: as for `forest`, with `suit`, the price column `axis` and `price_residual` (fraction).
        curve: the fitted line, `price, effect` (fraction).
        words: the language.
        band: half width of the band around the line as a fraction.
        axis: the column on the horizontal axis.
    """
    shown = cards[cards["effect"].notna() & cards[axis].notna() & cards["price_residual"].notna()]
    if len(shown) < 3 or curve.empty:
        return None
    ends = 100 * np.concatenate(
        [shown["effect"].to_numpy(), curve["effect"].to_numpy() - band, curve["effect"].to_numpy() + band]
    )
    farthest = shown.reindex(shown["price_residual"].abs().sort_values(ascending=False, kind="stable").index).head(4)

    def paint(width: int) -> Canvas:
        canvas = Canvas(width, 340)
        axes = canvas.axes(36, 14, 14, 44)
        line = 100 * curve["effect"]
        axes.fill_between(curve["price"], line - 100 * band, line + 100 * band, color=BAND, lw=0)
        axes.plot(curve["price"], line, color=INK, lw=1.6)
        axes.set_ylim(ends.min() - 0.6, ends.max() + 0.6)
        axes.grid(axis="y", color=GRID, lw=1)
        axes.yaxis.set_major_formatter(lambda v, _: words.number(v, 0 if v == round(v) else 1, sign=True))
        axes.xaxis.set_major_formatter(lambda v, _: words.number(v, 0 if v == round(v) else 1))
        axes.locator_params(axis="x", nbins=7, integer=True)
        canvas.text((width + 22) / 2, 330, words.plain(f"figure.{axis}"), size=11, colour=SOFT, align="center")
        for row in shown.itertuples():
            x, y = float(getattr(row, axis)), 100 * row.effect
            off = abs(row.price_residual) > band
            axes.plot(
                [x],
                [y],
                SUIT_MARK.get(row.suit, "o"),
                ms=6.5,
                mfc=INK if off else "white",
                mec=INK if off else SOFT,
                mew=1.1,
                zorder=4,
            )
            px, py = canvas.pixel(axes, x, y)
            canvas.link(px - 7, py - 7, 14, 14, row.card_id, f"{row.name} {words.points(row.price_residual)}")
        for row in farthest.itertuples():
            x, y = float(getattr(row, axis)), 100 * row.effect
            px, _ = canvas.pixel(axes, x, y)
            axes.annotate(
                _short(row.name, 20),
                (x, y),
                (8 if px < width / 2 else -8, 5),
                textcoords="offset points",
                fontsize=8.2,
                ha="left" if px < width / 2 else "right",
                color=INK,
                zorder=6,
            )
        return canvas

    return picture(
        "price",
        words.plain(
            "alt.price",
            cards=words.listing(f"{r.name} {words.points(r.price_residual)}" for r in farthest.itertuples()),
        ),
        paint,
        HALF,
    )


def heat(name: str, rates: pd.DataFrame, words: Words, alt: str) -> Picture:
    """Draws a matrix of win rates: blue below even, orange above, a number in each cell, bold beyond five points.

    Args:
        name: name of the picture file.
        rates: square frame of fractions, missing where a pair never met; the index names the rows.
        words: the language.
        alt: the text alternative.
    """
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("blue_orange", ["#4a9bc9", "#ffffff", AMBER])
    n = len(rates)

    def paint(width: int) -> Canvas:
        small = width < 500
        left, top, cell = (84 if small else 150), 52, (34 if small else 40)
        canvas = Canvas(width, top + cell * n + 6)
        side = min((width - left - 2) / n, 150)
        axes = canvas.axes(left, top, width - left - side * n, 6)
        axes.set_xlim(0, n)
        axes.set_ylim(n, 0)
        axes.set_xticks([])
        axes.set_yticks([])
        canvas.text(left, 10, words.plain("figure.opponent"), size=11, colour=SOFT)
        size = 10 if small and n > 6 else 11.5
        for i, row in enumerate(rates.index):
            canvas.text(
                left - 10,
                top + cell * (i + 0.5),
                f"{_short(str(row), 10 if small else 19)}  {i + 1}",
                size=size,
                align="right",
            )
            canvas.text(left + side * (i + 0.5), 36, str(i + 1), size=size, colour=SOFT, align="center")
            for j, column in enumerate(rates.columns):
                rate = rates.loc[row, column]
                known = i != j and np.isfinite(rate)
                face = colours(np.clip(0.5 + (rate - 0.5) / 0.3, 0, 1)) if known else GRID
                axes.add_patch(_tile(j, i, face))
                bold = known and abs(rate - 0.5) > 0.05
                axes.text(
                    j + 0.5,
                    i + 0.5,
                    words.number(100 * rate, 0 if small else 1) if known else "–",
                    ha="center",
                    va="center",
                    fontsize=(9.5 if small else 12) * 0.75,
                    fontweight="bold" if bold else "normal",
                    color=INK if known else SOFT,
                )
        return canvas

    return picture(name, alt, paint)


def _tile(x: float, y: float, face):
    from matplotlib.patches import Rectangle

    return Rectangle((x + 0.01, y + 0.02), 0.98, 0.96, facecolor=face, edgecolor="none")


def lengths(counts: pd.Series, low: float, median: float, high: float, words: Words) -> Picture:
    """Draws how many stints matches take: bars with shares, the median bar blue, the middle nine tenths shaded.

    Args:
        counts: matches by number of stints.
        low, median, high: the quantiles 5, 50 and 95 % in stints.
        words: the language.
    """
    share = 100 * counts / counts.sum()

    def paint(width: int) -> Canvas:
        canvas = Canvas(width, 300)
        axes = canvas.axes(10, 30, 10, 44)
        axes.axvspan(low - 0.5, high + 0.5, color=BAND, lw=0)
        axes.bar(
            share.index,
            share,
            width=0.82,
            color=["#0072b2" if s == round(median) else "#a9b0b7" for s in share.index],
            zorder=2,
        )
        axes.set_ylim(0, share.max() * 1.12)
        axes.set_yticks([])
        axes.set_xlim(share.index.min() - 0.7, share.index.max() + 0.7)
        axes.xaxis.set_major_locator(_whole_numbers())
        for stint, value in share.items():
            if value >= (0.5 if len(share) < 16 else 3):
                axes.text(
                    stint,
                    value + share.max() * 0.015,
                    words.number(value, 0),
                    ha="center",
                    va="bottom",
                    fontsize=8,
                    color=SOFT,
                )
        middle, _ = canvas.pixel(axes, (low + high) / 2, 0)
        canvas.text(middle, 14, words.plain("figure.middle90"), size=11, colour=SOFT, align="center")
        canvas.text(width / 2, 290, words.plain("figure.stints"), size=11, colour=SOFT, align="center")
        return canvas

    alt = words.plain(
        "alt.lengths", median=words.number(median, 0), low=words.number(low, 0), high=words.number(high, 0)
    )
    return picture("lengths", alt, paint, HALF)


def _whole_numbers():
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=12, integer=True)


def fan(quantiles: pd.DataFrame, words: Words) -> Picture:
    """Draws how the win chance of the eventual winner develops: median and the middle 50 and 90 % of matches.

    Args:
        quantiles: index = share of the match played (0 to 1), columns `p05, p25, p50, p75, p95` (fractions).
        words: the language.
    """

    def paint(width: int) -> Canvas:
        canvas = Canvas(width, 300)
        axes = canvas.axes(34, 14, 12, 44)
        x = 100 * quantiles.index.to_numpy()
        q = 100 * quantiles
        axes.fill_between(x, q["p05"], q["p95"], color="#0072b2", alpha=0.14, lw=0)
        axes.fill_between(x, q["p25"], q["p75"], color="#0072b2", alpha=0.24, lw=0)
        axes.plot(x, q["p50"], color=INK, lw=1.8)
        axes.axhline(50, color=LINE, lw=1)
        axes.set_ylim(0, 102)
        axes.set_yticks([0, 25, 50, 75, 100])
        axes.grid(axis="y", color=GRID, lw=1)
        axes.set_xlim(x.min(), x.max())
        canvas.text((width + 22) / 2, 290, words.plain("figure.progress"), size=11, colour=SOFT, align="center")
        return canvas

    half = quantiles.iloc[(np.abs(quantiles.index.to_numpy() - 0.5)).argmin()]["p50"]
    return picture("win_chance", words.plain("alt.fan", half=words.percent(half, 0)), paint, HALF)


def ladder(ratings: pd.DataFrame, words: Words) -> Picture:
    """Draws the bots' ratings with intervals, best on top.

    Args:
        ratings: `bot, elo, low, high`.
        words: the language.
    """
    rows = ratings.sort_values("elo", ascending=False, kind="stable")

    def paint(width: int) -> Canvas:
        small = width < 500
        step = 34
        canvas = Canvas(width, 8 + step * len(rows) + 30)
        left = 100 if small else 190
        axes = canvas.axes(left, 8, 70 if small else 130, 30)
        axes.set_ylim(len(rows), 0)
        axes.set_yticks([])
        low, high = rows["low"].min(), rows["high"].max()
        pad = max(20.0, 0.05 * (high - low))
        axes.set_xlim(low - pad, high + pad)
        axes.grid(axis="x", color=GRID, lw=1)
        axes.locator_params(axis="x", nbins=4 if small else 8)
        axes.xaxis.set_major_formatter(lambda v, _: words.number(v, 0))
        for k, row in enumerate(rows.itertuples()):
            axes.plot([row.low, row.high], [k + 0.5, k + 0.5], color=INK, lw=1.8)
            axes.plot([row.elo], [k + 0.5], "o", color=INK, ms=6)
            canvas.text(left - 12, 8 + step * (k + 0.5), _short(row.bot, 13 if small else 24), align="right")
            half = (row.high - row.low) / 2
            rating = (
                words.plain("figure.rating", elo=words.number(row.elo, 0), half=words.number(half, 0))
                if half > 0
                else words.number(row.elo, 0)
            )
            canvas.text(width - 4, 8 + step * (k + 0.5), rating, align="right", size=11.5)
        return canvas

    alt = words.plain("alt.ladder", parts="; ".join(f"{r.bot} {words.number(r.elo, 0)}" for r in rows.itertuples()))
    return picture("ladder", alt, paint)
