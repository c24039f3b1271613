"""`apotheosis report`: writes the report of a run from its folder alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit


def report(
    folder: Annotated[Path, typer.Argument(help="Run folder, or a folder with tables of the documented columns.")],
    language: Annotated[str | None, typer.Option(help="en or pt; by default what the run's spec says, else en.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write; by default FOLDER/report.")] = None,
    replays: Annotated[
        int | None, typer.Option(min=0, help="Matches to watch that are written beside it, at most; by default 12.")
    ] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Write the report of a run: one HTML page, its figures as PNG, its tables as CSV and Parquet.

    Beside it lie pages of matches that show the cards at work, which the cards' pages link to (apotheosis replay writes more).
    Only the folder is read: plan.json, matches, cards, pool, as Parquet or CSV. Example: apotheosis report runs/first
    """
    from apotheosis.experiments.report.builder import write_report
    from apotheosis.experiments.report.wording import Words

    written = write_report(folder, language, out, None, replays)
    words = Words("en")
    counts = ", ".join(f"{words.plain(f'verdict.{name}')} {n}" for name, n in written.verdicts.items() if n)
    place = written.page or written.folder
    data = {
        "page": None if written.page is None else str(written.page),
        "folder": str(written.folder),
        "files": written.files,
        "matches": written.matches,
        "cards": written.cards,
        "verdicts": written.verdicts,
    }
    emit(
        data,
        f"{written.matches} matches, {written.cards} cards: {counts or 'no verdicts'}\nReport: {place}",
        json,
        quiet,
    )
