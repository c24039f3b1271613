"""`apotheosis replay`: a stored match played again, as text, JSON or a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit

FORMATS = ("text", "json", "html")


def replay(
    match: Annotated[str, typer.Argument(metavar="FILE|MATCH_ID", help="Replay file, or number of a match of --run.")],
    run: Annotated[Path | None, typer.Option(help="Run folder that the match belongs to.")] = None,
    form: Annotated[str, typer.Option("--format", help="text, json or html.")] = "text",
    out: Annotated[Path | None, typer.Option(help="Where to write; a page without it goes to RUN/replays.")] = None,
    view: Annotated[
        str | None, typer.Option(help="all (everything), A or B (only what that seat may know); default all.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="en or pt; default en.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Play a stored match again from its seeds and show every step of it.

    The page works without a network and without scripts; --view A makes a file that leaves out what seat A may not know.
    Example: apotheosis replay 17 --run runs/first --format html
    """
    from apotheosis.env.errors import InputError
    from apotheosis.experiments.replays import LANGUAGES, VIEWS, check_choice, load_replay, text_lines

    check_choice(form, FORMATS, "format", "--format")
    check_choice(view, VIEWS, "view", "--view")
    check_choice(language, LANGUAGES, "language", "--language")
    if run is not None:
        if not match.isdecimal():
            raise InputError(f"with --run a match is given by its number (match_id of its table), not {match!r}")
        from apotheosis.env.card_words import CardWords
        from apotheosis.experiments.replays import StoredRun

        stored = StoredRun(run)
        data = stored.replay(int(match), CardWords(stored.pool, language or "en"), view or "all")
        place = run / "replays" / f"{int(match):06d}.html"
    else:
        if match.isdecimal() and not Path(match).exists():
            raise InputError(f"match {match} of which run? add --run DIR, or give a replay file")
        data = load_replay(Path(match), view, language)
        place = Path(match).with_suffix(".html")
    if json and out is None and form != "html":
        emit(data, "", True)
        return
    if form == "html":
        from apotheosis.experiments.report.replay_page import replay_page

        text, out = replay_page(data), out or place
    elif form == "json":
        from json import dumps

        text = dumps(data, ensure_ascii=False)
    else:
        text = "\n".join(text_lines(data))
    if out is None:
        emit({}, text, quiet=quiet)
        return
    from apotheosis.experiments.store import write_out

    write_out(out, (text + "\n").encode())
    emit({"out": str(out), "steps": len(data["steps"]), **data["about"]}, f"{len(data['steps'])} steps: {out}", json, quiet)
