"""Plain tables of a page: columns with titles, rows of written cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True)
class Column:
    """A column of a plain table; `number` aligns to the right, `text` may wrap."""

    title: str
    number: bool = False
    text: bool = False


@dataclass(frozen=True)
class Grid:
    """A table that is written as it stands."""

    columns: list[Column]
    rows: list[list[object]]


def grid(
    titles: Sequence[str], rows: Iterable[Iterable[object]], numbers: Iterable[int] = (), texts: Iterable[int] = ()
) -> Grid:
    """Returns a table.

    Args:
        titles: the column titles.
        rows: written cells.
        numbers: places of the columns with numbers.
        texts: places of the columns whose text may wrap.
    """
    numbers, texts = set(numbers), set(texts)
    return Grid([Column(title, k in numbers, k in texts) for k, title in enumerate(titles)], [list(row) for row in rows])


def share_bar(fraction: float, most: float) -> Markup:
    """Returns a bar as long as a fraction, the longest one of the table filling the cell."""
    width = 0.0 if most <= 0 else 100 * fraction / most
    return Markup('<span class="share" aria-hidden="true"><i style="width:{:.1f}%"></i></span>').format(width)
