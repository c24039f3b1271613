"""The figures on cards; each takes tables and the words of a language and returns one picture.

A figure shows at most `FOREST_ROWS` cards by name: the table of the report holds all of them, the picture those that
matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from apotheosis.experiments.report.canvas import (
    BAND,
    BLUE,
    GREEN,
    GRID,
    HALF,
    INK,
    ORANGE,
    SOFT,
    Canvas,
    Picture,
    picture,
    short,
)
from apotheosis.experiments.report.wording import Words

LETTER, LINE = 7.0, 13
"""Width of a letter and height of a line of the labels of the price figure, in pixels, rather too large than too small."""
LIFTS = (5, -11, 16)
"""Where such a label may stand beside its mark, in points above it."""
FOREST_ROWS = 30
"""Cards that the forest names: all where they are no more than this, else the strongest and the weakest half."""

VERDICT_MARK = {"too_strong": "^", "too_weak": "v", "within": "o", "undecided": "D", "none": "x"}
VERDICT_COLOUR = {"too_strong": ORANGE, "too_weak": BLUE, "within": GREEN, "undecided": SOFT, "none": SOFT}
SUIT_MARK = {"House": "p", "Class": "h", "Entity": "*", "Item": "s", "Skill": "^", "Companion": "o", "Event": "D"}
LABEL = 34
"""Pixels that a label of an axis of points needs."""
RARITY_ORDER = ("Common", "Uncommon", "Rare", "Epic", "Legendary")


def _marks(axes, x, y, verdicts: Sequence[str], size: float = 6.5) -> None:
    """Draws one mark per card, colour and shape by verdict; cards without verdict lie below the others."""
    x, y, kinds = np.asarray(x, dtype=float), np.asarray(y, dtype=float), np.asarray(verdicts)
    for verdict in set(verdicts):
        chosen, colour, hollow = kinds == verdict, VERDICT_COLOUR[verdict], verdict == "undecided"
        axes.plot(
            x[chosen],
            y[chosen],
            VERDICT_MARK[verdict],
            ms=size - (1.2 if hollow else 0),
            mfc="white" if hollow else colour,
            mec=colour,
            mew=1.6 if verdict in ("undecided", "none") else 0.5,
            zorder=3.5 if verdict == "none" else 4,
            clip_on=False,
        )


def reach_of(ends: np.ndarray, flagged: np.ndarray, band: float) -> float:
    """Returns the half width of a symmetric effect axis: flagged cards and nearly all interval ends fit."""
    ends, flagged = np.abs(ends[np.isfinite(ends)]), np.abs(flagged[np.isfinite(flagged)])
    widest = [1.6 * band, *flagged * 1.06, *([1.08 * np.quantile(ends, 0.97)] if len(ends) else [])]
    return float(max(widest))


def _point_axis(canvas: Canvas, axes, words: Words, reach: float, band: float):
    """Draws the zero line, the band and a labelled grid, as dense as its labels allow, for an axis of points."""
    axes.set_xlim(-reach, reach)
    most = min(5, axes.get_position().width * canvas.width / 2 / LABEL)
    step = next(s for s in (0.5, 1, 2, 5, 10, 20, 50, 100) if reach / s <= most)
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
        axes = canvas.axes(8 if small else 250, top - 4, 14 if small else 168, 38)
        height = step * len(rows) + gap
        axes.set_ylim(height, 0)
        axes.set_yticks([])
        _point_axis(canvas, axes, words, reach, band)
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
            _marks(axes, [np.clip(100 * row.effect, -reach, reach)], [y], [row.verdict])
            if abs(100 * row.effect) > reach:  # the mark stands at the end of the axis, an arrow says that it belongs beyond
                right = row.effect > 0
                at_end = canvas.pixel(axes, np.copysign(reach, row.effect), y)
                canvas.text(at_end[0] + (10 if right else -10), at_end[1], "›" if right else "‹", colour=SOFT, align="center")
            at = top - 4 + y
            if small:
                canvas.text(4, at - 15, short(row.name, 38), size=11.5)
                canvas.text(width - 4, at - 15, words.points(row.effect), size=11.5, bold=True, align="right")
            else:
                canvas.text(240, at, short(row.name, 36), align="right")
                canvas.text(width - 108, at, words.points(row.effect), bold=True, align="right")
                canvas.text(width - 4, at, words.span(row.effect_low, row.effect_high), size=11, colour=SOFT, align="right")
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
        _point_axis(canvas, axes, words, reach, band)
        canvas.text(width - 2, 12, words.plain("figure.mean"), size=11, colour=SOFT, align="right")
        for k, rarity in enumerate(order):
            rows = shown[shown["rarity"] == rarity].sort_values("effect", kind="stable")
            middle = step * (k + 0.5)
            canvas.text(78, 26 + middle - 8, words.plain(f"rarity.{rarity}"), align="right")
            canvas.text(78, 26 + middle + 9, words.plain("n_cards", n=len(rows)), size=10.5, colour=SOFT, align="right")
            x = np.clip(100 * rows["effect"].to_numpy(), -reach, reach)
            y = middle + np.array((-11, 0, 11))[np.arange(len(rows)) % 3]
            _marks(axes, x, y, rows["verdict"].tolist(), 5.5)
            for row, at, level in zip(rows.itertuples(), x, y, strict=True):
                if row.verdict != "none":
                    px, py = canvas.pixel(axes, at, level)
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
        taken: list[tuple[float, float, float]] = []
        for row in farthest.itertuples():
            x, y = float(getattr(row, axis)), 100 * row.effect
            px, py = canvas.pixel(axes, x, y)
            name, left = short(row.name, 20), px < width / 2
            start = px + 8 if left else px - 8 - LETTER * len(name)
            lift = next((lift for lift in LIFTS if _free(taken, start, start + LETTER * len(name), py - lift)), None)
            if lift is None:
                continue  # its mark still leads to its page
            taken.append((start, start + LETTER * len(name), py - lift))
            axes.annotate(
                name,
                (x, y),
                (8 if left else -8, lift),
                textcoords="offset points",
                fontsize=8.2,
                ha="left" if left else "right",
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


def _free(taken: list[tuple[float, float, float]], start: float, end: float, height: float) -> bool:
    """Returns whether a label may stand there; `taken` are left, right and height of those that stand already."""
    return all(end < left or start > right or abs(height - y) >= LINE for left, right, y in taken)
