"""`apotheosis status`: says how far a run is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit


def status(
    folder: Annotated[Path, typer.Argument(help="Run folder.")], json: JsonFlag = False, quiet: QuietFlag = False
) -> None:
    """Say how far a run is, and which chunks miss or are broken.

    Every chunk file is read and its checksums are verified. Example: apotheosis status runs/first
    """
    from apotheosis.experiments.cli.run import describe
    from apotheosis.experiments.run import inspect

    state = inspect(folder)
    emit(state.to_json(), describe(state), json, quiet)
