"""`apotheosis compare`: says what changed between two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit


def compare(
    old: Annotated[Path, typer.Argument(help="Run folder before the change.")],
    new: Annotated[Path, typer.Argument(help="Run folder after the change.")],
    language: Annotated[str, typer.Option(help="en or pt.")] = "en",
    out: Annotated[Path | None, typer.Option(help="Where to write; by default compare in the newer folder.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Compare two runs: effects of cards before and after, and how matches changed.

    Runs with the same seed, decks and bots are compared match by match. Example: apotheosis compare runs/old runs/new
    """
    from apotheosis.experiments.report.compare import write_comparison

    done = write_comparison(old, new, language, out)
    data = {"page": str(done.page), "files": done.files, "changed": done.changed, "shared_matches": done.shared}
    text = f"{len(done.changed)} cards with a changed effect, {done.shared} matches shared\nComparison: {done.page}"
    emit(data, text, json, quiet)
