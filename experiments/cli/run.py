"""`apotheosis run`: plays a new run from a spec file, flags, or both."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit
from apotheosis.experiments.cli.units import DECKS_HELP, deck_settings


def run(
    spec: Annotated[Path | None, typer.Argument(help="Spec file (TOML); without one all settings have defaults.")] = None,
    cards: Annotated[str | None, typer.Option(help="Card file, folder, cards.json, or starter. Key: cards.pool")] = None,
    decks: Annotated[str | None, typer.Option(help=DECKS_HELP)] = None,
    bots: Annotated[str | None, typer.Option(help="Bots with commas, e.g. greedy,random. Key: bots.pool")] = None,
    matches: Annotated[int | None, typer.Option(help="Matches to play. Key: run.matches")] = None,
    pairs: Annotated[int | None, typer.Option(help="Mirrored pairs to play. Key: run.pairs")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the run. Key: run.seed")] = None,
    workers: Annotated[str | None, typer.Option(help="Worker processes, or auto. Key: run.workers")] = None,
    backend: Annotated[str | None, typer.Option(help="local or ray. Key: run.backend")] = None,
    address: Annotated[str | None, typer.Option(help="Address of a Ray cluster. Key: run.address")] = None,
    out: Annotated[str | None, typer.Option(help="Run folder. Key: run.out")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say cost and power. Key: run.dry_run")] = False,
    max_time: Annotated[str | None, typer.Option(help="Stop after this time, e.g. 2h. Key: run.max_time")] = None,
    turns: Annotated[bool, typer.Option("--turns", help="Also write the table of turns. Key: run.turns")] = False,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Any key: section.key=value; repeatable.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Play matches by plan into a run folder.

    Example: apotheosis run --cards cards.json --bots greedy,random --matches 5000 --out runs/first
    """
    from apotheosis.experiments.spec import load_spec, parse_setting

    settings: dict[str, Any] = {
        "cards.pool": cards,
        **deck_settings(decks),
        "bots.pool": bots,
        "run.matches": matches,
        "run.pairs": pairs,
        "run.seed": seed,
        "run.workers": workers,
        "run.backend": backend,
        "run.address": address,
        "run.out": out,
        "run.dry_run": dry_run or None,
        "run.max_time": max_time,
        "run.turns": turns or None,
    }
    settings.update(parse_setting(setting) for setting in set_ or [])
    checked = load_spec(spec, settings)
    if checked.run.dry_run:
        from apotheosis.experiments.dry_run import estimate

        found = estimate(checked)
        emit(found.to_json(), found.text(), json, quiet)
        return
    from apotheosis.experiments.run import start

    folder, plan, pool = start(checked)
    play_and_tell(folder, plan, pool, json, quiet)


def play_and_tell(folder: Path, plan: Any, pool: Any, json: bool, quiet: bool) -> None:
    """Plays what is missing in a run folder, with progress, prints the result, and raises when it ended badly.

    Args:
        folder: the run folder.
        plan: its plan.
        pool: its card pool.
        json: print the result as JSON.
        quiet: print no progress and no text.

    Raises:
        LabError: the run was interrupted, failed too often, or could not go on.
    """
    from apotheosis.experiments.door import prepare_kernel
    from apotheosis.experiments.progress import Progress
    from apotheosis.experiments.run import play

    prepare_kernel(quiet)
    with Progress(folder.name, plan.n_matches, quiet=quiet) as progress:
        state = play(folder, plan, pool, show=lambda tally: progress.update(tally.finished, **dict(tally.outcomes)))
    emit(state.to_json(), describe(state), json, quiet)
    state.check()


def describe(state: Any) -> str:
    """Returns the state of a run in words."""
    counts = ", ".join(f"{count} {name}" for name, count in state.outcomes.items()) or "none"
    lines = [f"{state.out}: {state.finished} of {state.planned} matches ({counts})"]
    if state.matches_per_s:
        share = "" if state.kernel_share is None else f", {state.kernel_share:.0%} of the workers' time inside the rules"
        lines.append(f"{state.matches_per_s:,.0f} matches/s{share}")
    if state.quarantined:
        folder = state.out / "quarantine"
        lines.append(f"{state.quarantined} matches set aside, see {folder}; their cards are in suspects.json there")
    for chunk, fault in state.broken_chunks.items():
        lines.append(f"chunk {chunk} is broken: {fault}")
    if state.missing_chunks or state.broken_chunks:
        n = len(state.missing_chunks)
        missing = f"{n} {'chunk' if n == 1 else 'chunks'} missing; " if n else ""
        lines.append(f"{missing}finish with: apotheosis resume {state.out}")
    elif state.finished:
        lines.append(f"report: apotheosis report {state.out}")
    return "\n".join(lines)
