"""Writes the tables of a report as CSV and Parquet beside the page, and describes their columns."""

from __future__ import annotations

import csv
import io
from functools import cache
from importlib.resources import files
from pathlib import Path

import pandas as pd
from markupsafe import Markup

from apotheosis.experiments import dictionary
from apotheosis.experiments.report.grids import Grid, grid
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.store import write_bytes

ENDINGS = {
    "low": ("lower end of its 95 % interval", "limite inferior do seu intervalo de 95 %"),
    "high": ("upper end of its 95 % interval", "limite superior do seu intervalo de 95 %"),
    "se": ("its standard error", "seu erro padrão"),
    "n": ("sides, copies or games behind it", "lados, cópias ou partidas por trás"),
}
"""Endings of the columns that accompany an estimate."""


@cache
def described() -> dict[str, dict[str, dict[str, str]]]:
    """Returns the documented columns of the report's own tables: table -> column -> unit, meaning, meaning_pt."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    text = files("apotheosis.experiments.report").joinpath("columns.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(io.StringIO(text)):
        found.setdefault(row["table"], {})[row["name"]] = row
    return found


def description(table: str, column: str, language: str) -> tuple[str, str]:
    """Returns (meaning, unit) of a column of a report table.

    Raises:
        KeyError: the column is not documented.
    """
    known = described()[table]
    key = "meaning_pt" if language == "pt" else "meaning"
    if column in known:
        return known[column][key], known[column]["unit"]
    base, _, ending = column.rpartition("_")
    base = base or "rate"
    return f"{base}: {ENDINGS[ending][language == 'pt']}", known[base]["unit"] if ending != "n" else ""


def write_table(folder: Path, name: str, table: pd.DataFrame, formats: tuple[str, ...]) -> list[str]:
    """Writes a table and returns the names of its files."""
    names = []
    if "csv" in formats:
        write_bytes(folder / f"{name}.csv", table.to_csv(index=False, float_format="%.6g").encode())
        names.append(f"{name}.csv")
    if "parquet" in formats:
        buffer = io.BytesIO()
        table.to_parquet(buffer, index=False)
        write_bytes(folder / f"{name}.parquet", buffer.getvalue())
        names.append(f"{name}.parquet")
    return names


def dictionary_grid(table: str, columns: list[str], words: Words) -> Grid:
    """Returns the dictionary of a report table; interval and count columns stand beside the one they belong to."""
    t, rows = words, []
    endings = {f"{column}_{ending}": (column, ending) for column in columns for ending in ENDINGS}
    for column in columns:
        if column in endings:
            continue
        beside = [f"_{ending}" for ending in ENDINGS if f"{column}_{ending}" in columns]
        name = Markup("<code>{}</code>").format(column)
        if beside:
            name += Markup(' <span class="soft small">{}</span>').format(" ".join(beside))
        meaning, unit = description(table, column, t.language)
        rows.append([name, meaning, t.term("unit", unit)])
    return grid([t("data.column"), t("data.meaning"), t("data.unit")], rows, texts=(1,))


def run_dictionary_grid(table: str, words: Words) -> Grid:
    """Returns the dictionary of a table of the run itself."""
    t = words
    meaning = "meaning_pt" if t.language == "pt" else "meaning"
    rows = [
        [Markup("<code>{}</code>").format(column.name), getattr(column, meaning), t.term("unit", column.unit)]
        for column in dictionary.tables()[table]
    ]
    return grid([t("data.column"), t("data.meaning"), t("data.unit")], rows, texts=(1,))
