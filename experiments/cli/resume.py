"""`apotheosis resume`: plays exactly what is missing or broken in a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag


def resume(
    folder: Annotated[Path, typer.Argument(help="Run folder.")],
    workers: Annotated[str | None, typer.Option(help="Worker processes, or auto; default as the run began.")] = None,
    backend: Annotated[str | None, typer.Option(help="local or ray; default as the run began.")] = None,
    address: Annotated[str | None, typer.Option(help="Address of a Ray cluster.")] = None,
    max_time: Annotated[str | None, typer.Option(help="Stop after this time, e.g. 2h.")] = None,
    allow_drift: Annotated[
        bool, typer.Option("--allow-drift", help="Go on although cards or code have changed; plan.json records it.")
    ] = False,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Play exactly the chunks that are missing or broken, and build the tables.

    Example: apotheosis resume runs/first --workers 4
    """
    from apotheosis.experiments.cli.run import play_and_tell
    from apotheosis.experiments.run import load_for_resume, respread

    plan, pool = load_for_resume(folder, allow_drift)
    changes: dict[str, Any] = {"workers": workers, "backend": backend, "address": address, "max_time": max_time}
    play_and_tell(folder, respread(plan, changes), pool, json, quiet)
