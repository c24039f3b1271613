"""A drawing surface measured in the pixels of the page, so that the figures of a report share one look.

Each figure is painted twice, for wide and for narrow windows, at double density: text is never scaled. Marks that stand
for a card carry a link, kept beside the image as a fraction of its size and laid over it by the page.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDE, HALF, NARROW = 872, 388, 326
"""Widths of a figure across the page, of two side by side, and on a phone, in pixels."""

INK, SOFT, LINE, GRID, BAND = "#1c2126", "#59626c", "#c9c5bb", "#edebe4", "#e6f0ec"
ORANGE, BLUE, GREEN, AMBER = "#b04600", "#0069a5", "#00745a", "#e69f00"
"""Okabe and Ito's vermilion, blue, green and orange; the first three darkened until they carry text on white."""

DENSITY = 2
COLOURS = 64
_FAMILIES = ("Segoe UI", "Helvetica Neue", "Arial", "Liberation Sans", "DejaVu Sans")


@lru_cache(maxsize=1)
def families() -> list[str]:
    """Returns the installed font families in order of preference; the last comes with matplotlib."""
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return [name for name in _FAMILIES if name in installed]


@dataclass(frozen=True)
class Spot:
    """A link over a part of an image; position and size are fractions of the image."""

    left: float
    top: float
    width: float
    height: float
    card: object
    title: str


@dataclass(frozen=True)
class Panel:
    """One painted version of a figure."""

    png: bytes
    width: int
    height: int
    spots: list[Spot] = field(default_factory=list)


@dataclass(frozen=True)
class Picture:
    """A figure of the report: its file name, its text alternative and its versions."""

    name: str
    alt: str
    wide: Panel
    narrow: Panel


class Canvas:
    """A white figure of a given size whose axes and texts are placed in pixels from the top left corner."""

    def __init__(self, width: int, height: int):
        self.width, self.height = width, height
        self.figure = Figure(figsize=(width / 96, height / 96), dpi=96, facecolor="white")
        self.spots: list[Spot] = []

    def axes(self, left: float, top: float, right: float, bottom: float) -> Axes:
        """Returns frameless axes that fill the canvas up to these margins."""
        w, h = self.width, self.height
        axes = self.figure.add_axes((left / w, bottom / h, (w - left - right) / w, (h - top - bottom) / h))
        axes.set_frame_on(False)
        axes.tick_params(length=0, labelsize=9, labelcolor=SOFT, pad=5)
        axes.set_axisbelow(True)
        return axes

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 12,
        colour: str = INK,
        bold: bool = False,
        align: str = "left",
    ):
        """Writes words at pixel (x, y), y being their middle."""
        self.figure.text(
            x / self.width,
            1 - y / self.height,
            words,
            fontsize=size * 0.75,
            color=colour,
            fontweight="bold" if bold else "normal",
            ha=align,
            va="center",
        )

    def link(self, left: float, top: float, width: float, height: float, card: object, title: str):
        """Lays a link to a card's page over a rectangle given in pixels."""
        left, top = max(0.0, left), max(0.0, top)
        self.spots.append(Spot(left / self.width, top / self.height, width / self.width, height / self.height, card, title))

    def pixel(self, axes: Axes, x: float, y: float) -> tuple[float, float]:
        """Returns the pixel of a data point, from the top left corner."""
        right, up = axes.transData.transform((x, y))
        return right, self.height - up

    def panel(self) -> Panel:
        """Renders the canvas as a PNG with a small palette, spread so that rare colours keep their hue too."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from PIL import Image

        FigureCanvasAgg(self.figure)
        raw = io.BytesIO()
        self.figure.savefig(raw, format="png", dpi=96 * DENSITY)
        image = Image.open(raw).convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        packed = io.BytesIO()
        image.save(packed, format="png", optimize=True)
        return Panel(packed.getvalue(), self.width, self.height, self.spots)


def picture(name: str, alt: str, paint: Callable[[int], Canvas], wide: int = WIDE) -> Picture:
    """Paints a figure for wide and for narrow windows with the lab's font and colours."""
    import matplotlib

    with matplotlib.rc_context({"font.family": families(), "axes.unicode_minus": True, "text.color": INK}):
        return Picture(name, alt, paint(wide).panel(), paint(NARROW).panel())


def short(name: str, limit: int) -> str:
    """Returns a name cut to a number of characters."""
    return name if len(name) <= limit else name[: limit - 1].rstrip() + "…"
