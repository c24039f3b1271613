"""The figures on decks, match length, win chances and bots; each returns one picture."""

from __future__ import annotations

import numpy as np
import pandas as pd

from apotheosis.experiments.report.canvas import (
    AMBER,
    BAND,
    BLUE,
    GRID,
    HALF,
    INK,
    LINE,
    ORANGE,
    SOFT,
    Canvas,
    Picture,
    picture,
    short,
)
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.stats.pace import Length

HEAT_DECKS = 12
"""Decks that a heat map can hold with a readable number in each cell."""


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
    reach = float(np.clip(np.nanmax(np.abs(rates.to_numpy() - 0.5)), 0.1, 0.4))

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
                f"{short(str(row), 10 if small else 19)}  {i + 1}",
                size=size,
                align="right",
            )
            canvas.text(left + side * (i + 0.5), 36, str(i + 1), size=size, colour=SOFT, align="center")
            for j, column in enumerate(rates.columns):
                rate = rates.loc[row, column]
                known = i != j and np.isfinite(rate)
                face = colours(np.clip(0.5 + (rate - 0.5) / (2 * reach), 0, 1)) if known else GRID
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


def lengths(counts: pd.Series, quantiles: Length, words: Words) -> Picture:
    """Draws how many stints matches take: bars with shares, the median bar blue, the middle nine tenths shaded.

    Args:
        counts: matches by number of stints.
        quantiles: quantiles of the same.
        words: the language.
    """
    low, median, high = quantiles.p05, quantiles.median, quantiles.p95
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

    alt = words.plain("alt.lengths", median=words.number(median, 0), low=words.number(low, 0), high=words.number(high, 0))
    return picture("lengths", alt, paint, HALF)


def _whole_numbers():
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=12, integer=True)


def fan(quantiles: pd.DataFrame, words: Words) -> Picture:
    """Draws how the win chance of the eventual winner develops: median and the middle 50 and 90 % of matches.

    Args:
        quantiles: `turn, p5, p25, p50, p75, p95` (fractions).
        words: the language.
    """
    turns, chance = quantiles["turn"].to_numpy(), 100 * quantiles[["p5", "p25", "p50", "p75", "p95"]]

    def paint(width: int) -> Canvas:
        canvas = Canvas(width, 300)
        axes = canvas.axes(34, 14, 12, 44)
        axes.fill_between(turns, chance["p5"], chance["p95"], color="#0072b2", alpha=0.14, lw=0)
        axes.fill_between(turns, chance["p25"], chance["p75"], color="#0072b2", alpha=0.24, lw=0)
        axes.plot(turns, chance["p50"], color=INK, lw=1.8)
        axes.axhline(50, color=LINE, lw=1)
        axes.set_ylim(0, 102)
        axes.set_yticks([0, 25, 50, 75, 100])
        axes.grid(axis="y", color=GRID, lw=1)
        axes.set_xlim(turns.min(), max(turns.max(), turns.min() + 1))
        axes.xaxis.set_major_locator(_whole_numbers())
        canvas.text((width + 22) / 2, 290, words.plain("figure.turn"), size=11, colour=SOFT, align="center")
        return canvas

    middle = quantiles.iloc[len(quantiles) // 2]
    alt = words.plain("alt.fan", turn=words.number(middle["turn"], 0), half=words.percent(middle["p50"], 0))
    return picture("win_chance", alt, paint, HALF)


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
            canvas.text(left - 12, 8 + step * (k + 0.5), short(row.bot, 13 if small else 24), align="right")
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


def course(path: list, bounds: tuple[float, float], words: Words) -> Picture:
    """Draws how a sequential test went: its log likelihood ratios at each look, and the bounds that end it.

    Args:
        path: (pairs, ratio for "stronger", ratio for "weaker" or None) at the looks.
        bounds: lower and upper bound of the ratios.
        words: the language.
    """
    pairs = [point[0] for point in path]
    lines = [([point[1] for point in path], ORANGE, "-", words.plain("figure.stronger"))]
    if path[0][2] is not None:
        lines.append(([point[2] for point in path], BLUE, "--", words.plain("figure.weaker")))
    reach = max(abs(value) for values, *_ in lines for value in (*values, *bounds)) * 1.15

    def paint(width: int) -> Canvas:
        canvas = Canvas(width, 280)
        axes = canvas.axes(34, 14, 110 if width > 500 else 84, 44)
        axes.axhspan(*bounds, color=BAND, lw=0)
        axes.axhline(0, color=LINE, lw=1)
        axes.set_ylim(-reach, reach)
        axes.set_xlim(0, max(pairs))
        axes.yaxis.set_major_formatter(lambda v, _: words.number(v, 0))
        axes.xaxis.set_major_formatter(lambda v, _: words.count(v))
        axes.locator_params(axis="x", nbins=4 if width < 500 else 8)
        taken = -np.inf
        for values, colour, kind, name in sorted(lines, key=lambda line: -line[0][-1]):
            axes.plot(pairs, values, kind, color=colour, lw=1.8)
            right, down = canvas.pixel(axes, pairs[-1], values[-1])
            taken = max(down, taken + 15)
            canvas.text(right + 8, taken, name, size=11.5, colour=colour)
        for bound, name in zip(bounds, ("figure.no", "figure.yes"), strict=True):
            axes.text(0, bound, " " + words.plain(name), fontsize=8.5, color=SOFT, va="bottom" if bound > 0 else "top")
        canvas.text(width / 2, 270, words.plain("figure.pairs"), size=11, colour=SOFT, align="center")
        return canvas

    alt = words.plain("alt.course", pairs=words.count(pairs[-1]), up=words.number(path[-1][1], 2))
    return picture("test_course", alt, paint)
