"""`apotheosis scenario`: runs scenario files and says which hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit


def scenario(
    files: Annotated[list[Path], typer.Argument(help="Scenario files, or folders of them.")],
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> int:
    """Play scenario files and judge what they state.

    Ends with code 0 when all hold, 2 when at least one does not, 1 when a file is wrong. Example:
    apotheosis scenario tests/scenarios
    """
    from apotheosis.env.errors import InputError
    from apotheosis.env.scenario.play import run_scenario
    from apotheosis.env.scenario.read import read_scenario

    rows: list[dict[str, Any]] = []
    lines: list[str] = []
    for file in scenario_files(files):
        try:
            verdict = run_scenario(read_scenario(file))
        except InputError as error:
            rows.append({"file": str(file), "status": "wrong", "message": str(error)})
            lines.append(f"wrong  {error}")
            continue
        status = "holds" if verdict.holds else "fails"
        rows.append({"file": str(file), "status": status, "message": verdict.message, "trace": list(verdict.trace)})
        if not verdict.holds:
            lines += [f"fails  {verdict.message}", *(f"    {line}" for line in verdict.trace)]
    counts = {status: sum(row["status"] == status for row in rows) for status in ("holds", "fails", "wrong")}
    lines.append(f"{counts['holds']} hold, {counts['fails']} fail, {counts['wrong']} wrong files")
    emit({**counts, "scenarios": rows}, "\n".join(lines), json, quiet)
    return 1 if counts["wrong"] else 2 if counts["fails"] else 0


def scenario_files(paths: list[Path]) -> list[Path]:
    """Returns the scenario files that paths stand for, folders with everything below them.

    Raises:
        InputError: a path does not exist.
    """
    from apotheosis.env.errors import InputError

    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(file for file in path.rglob("*.yaml"))
        elif path.exists():
            found.append(path)
        else:
            raise InputError("there is no such file or folder", str(path))
    return found
