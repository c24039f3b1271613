"""`apotheosis report`: writes the report of a run from its folder alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit
from apotheosis.experiments.cli.units import numbered

if TYPE_CHECKING:
    from apotheosis.experiments.report.weighing import Weighed


def report(
    folder: Annotated[Path, typer.Argument(help="Run folder, or a folder with tables of the documented columns.")],
    language: Annotated[str | None, typer.Option(help="en or pt; by default what the run's spec says, else en.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write; by default FOLDER/report.")] = None,
    replays: Annotated[
        int | None, typer.Option(min=0, help="Matches to watch that are written beside it, at most; by default 12.")
    ] = None,
    synergies: Annotated[
        int, typer.Option(min=0, help="Pairs of cards written to synergies.csv, those with the strongest evidence first.")
    ] = 0,
    choices: Annotated[
        int, typer.Option(min=0, help="Decisions drawn from the matches at which real options and their worth are weighed.")
    ] = 0,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Write the report of a run: one HTML page, its figures as PNG, its tables as CSV and Parquet.

    Beside it lie pages of matches that show the cards at work, which the cards' pages link to (apotheosis replay writes more).
    Only the folder is read: plan.json, matches, cards, pool, as Parquet or CSV. Example: apotheosis report runs/first
    """
    from apotheosis.experiments.report.builder import write_report
    from apotheosis.experiments.report.synergies import NAME, confirmation, screened
    from apotheosis.experiments.report.tables import write_table
    from apotheosis.experiments.report.wording import Words

    found = screened(folder, synergies) if synergies else None
    weighed = _weighed(folder, choices, quiet) if choices else None
    written = write_report(folder, language, out, None, replays, weighed)
    if found is not None:
        written.files.extend(write_table(written.folder, NAME, found, ("csv", "parquet")))
    pairs = [] if found is None else found.to_dict("records")
    command = confirmation(folder, pairs[0]) if pairs else None
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
    if found is not None:
        data["synergies"] = pairs
        data["next"] = command
    if weighed is not None:
        data["choices"] = {
            "bot": weighed.bot,
            "decisions": len(weighed.table),
            "legal": weighed.legal.estimate,
            "real": weighed.real.estimate,
            "gap": None if weighed.gap is None else weighed.gap.estimate,
        }
    played = f"{numbered(written.matches, 'match')}, {numbered(written.cards, 'card')}"
    emit(
        data,
        f"{played}: {counts or 'no verdicts'}\n{_said(pairs, command)}Report: {place}",
        json,
        quiet,
    )


def _weighed(folder: Path, wanted: int, quiet: bool) -> Weighed:
    """Weighs decisions of the run, with progress."""
    from apotheosis.experiments.door import prepare_kernel
    from apotheosis.experiments.progress import Progress
    from apotheosis.experiments.report.weighing import weigh

    prepare_kernel(quiet)
    with Progress("decisions weighed", wanted, unit="decisions", quiet=quiet) as progress:
        return weigh(folder, wanted, progress.update)


def _said(pairs: list[dict], command: str | None) -> str:
    """Returns a line for each of the first pairs, and what confirms the first, as text for people."""
    lines = [
        f"  {pair['first']} with {pair['second']}: {100 * pair['effect']:+.1f} points beyond both alone "
        f"(±{196 * pair['se']:.1f}, {pair['decks']} decks; chance findings among such: {100 * pair['q']:.0f} %)"
        for pair in pairs[:10]
    ]
    if not lines:
        return ""
    head = "Pairs of cards, a screen that an exchange of both must confirm:"
    return "\n".join([head, *lines, f"  confirm the first: {command}", ""])
