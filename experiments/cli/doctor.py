"""`apotheosis doctor`: says what this machine offers the lab, and compiles the kernel on request."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit


def doctor(
    warmup: Annotated[bool, typer.Option("--warmup", help="Compile the rules kernel now if need be.")] = False,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Show versions, cores, memory, disk, the state of the kernel, thread settings and Ray.

    Example: apotheosis doctor --warmup
    """
    from apotheosis.experiments.doctor import as_text, examine

    if quiet:
        os.environ["APOTHEOSIS_QUIET"] = "1"
    if warmup:
        from apotheosis.env.rules import compiler

        if not compiler.UNCOMPILED:
            compiler.warm_up()
    found = examine()
    emit(found, as_text(found), json, quiet)
