"""`apotheosis tune`: searches numbers of cards for a target within guardrails."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from apotheosis.env.errors import InputError
from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit
from apotheosis.experiments.cli.units import DECKS_HELP, deck_settings

FAILED = 2
"""Exit code when a guardrail does not hold."""


def tune(
    spec: Annotated[Path | None, typer.Argument(help=r"Spec file (TOML); its \[tune] and \[guard] sections apply.")] = None,
    param: Annotated[list[str] | None, typer.Option(help="CARD.FIELD=LOWEST:HIGHEST, repeatable. Key: tune.params")] = None,
    target: Annotated[str | None, typer.Option(help="within, stronger or weaker. Key: tune.target")] = None,
    max_changes: Annotated[int | None, typer.Option(help="Numbers to change at most. Key: tune.max_changes")] = None,
    cards: Annotated[str | None, typer.Option(help="Card file, folder, cards.json, or starter. Key: cards.pool")] = None,
    decks: Annotated[str | None, typer.Option(help=DECKS_HELP)] = None,
    bots: Annotated[str | None, typer.Option(help="Bots with commas. Key: bots.pool")] = None,
    pairs: Annotated[int | None, typer.Option(help="Pairs for each value that is tried. Key: run.pairs")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed. Key: run.seed")] = None,
    workers: Annotated[str | None, typer.Option(help="Worker processes, or auto. Key: run.workers")] = None,
    backend: Annotated[str | None, typer.Option(help="local or ray. Key: run.backend")] = None,
    address: Annotated[str | None, typer.Option(help="Address of a Ray cluster. Key: run.address")] = None,
    max_time: Annotated[
        str | None, typer.Option(help="Stop after this time, e.g. 2h; the same command goes on. Key: run.max_time")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the search; one that exists is continued.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="Any key: section.key=value; repeatable.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> int:
    """Search numbers of cards that bring them to a target, and write the cards if the game stays within its guardrails.

    Exit code 0: done, 2: a guardrail does not hold, 5: out of time, the same command goes on. Example:
    apotheosis tune --param OakCudgel.damage.constant=1:5 --pairs 500
    """
    from apotheosis.experiments import door
    from apotheosis.experiments.progress import Progress
    from apotheosis.experiments.run import folder_for
    from apotheosis.experiments.spec import load_spec, parse_setting
    from apotheosis.experiments.tune import Search

    settings: dict[str, Any] = {
        "tune.params": dict(map(_range, param)) if param else None,
        "tune.target": target,
        "tune.max_changes": max_changes,
        "cards.pool": cards,
        **deck_settings(decks),
        "bots.pool": bots,
        "run.pairs": pairs,
        "run.seed": seed,
        "run.workers": workers,
        "run.backend": backend,
        "run.address": address,
        "run.max_time": max_time,
        "run.name": None if spec else "tune",
    }
    settings.update(parse_setting(setting) for setting in set_ or [])
    checked = load_spec(spec, settings)
    pool = door.load_pool(checked)
    search = Search(checked, pool, folder_for(checked) if out is None else out)
    search.out.mkdir(parents=True, exist_ok=True)
    door.prepare_kernel(quiet)
    with Progress(search.out.name, search.planned, quiet=quiet) as progress:
        result = search.run(lambda done, name: progress.update(done, now=name))
    emit(result, _words(result), json, quiet)
    return 0 if result["held"] else FAILED


def _range(text: str) -> tuple[str, list[float]]:
    """Returns (card.field, [lowest, highest]) of a --param."""
    name, _, limits = text.partition("=")
    low, colon, high = limits.partition(":")
    try:
        if not colon or "." not in name:
            raise ValueError
        return name.strip(), [float(low), float(high)]
    except ValueError:
        example = "CARD.FIELD=LOWEST:HIGHEST, for instance OakCudgel.action=2:4"
        raise InputError(f"is written {example}; got {text!r}", "--param") from None


def _words(result: dict[str, Any]) -> str:
    """Returns the result in words."""
    said = {
        "within": "on target",
        "too_strong": "still above the target",
        "too_weak": "still below the target",
        "undecided": "not decided with so few matches",
    }
    lines = []
    for row in result["params"]:
        name = f"{row['card']}.{row['field']}"
        step = f"{row['now']} -> {row['value']}" if row["value"] != row["now"] else f"stays {row['now']}"
        skipped = " (left as it is)" if row["value"] != row["now"] and not row["changed"] else ""
        lines.append(f"{name}: {step}{skipped}; {_effect(row['before'])} before, {_effect(row['after'])} on fresh seeds")
        lines.append(f"  {said[row['verdict']]}")
    for guard in result["guard"]:
        held = "holds" if guard["held"] else "does not hold"
        lines.append(f"guardrail {guard['name']} {held}: {guard['value']:.4g}, allowed {guard['limit']}")
    lines.append(f"cards: {result['cards']}" if result["cards"] else "no card file was written")
    return "\n".join(lines)


def _effect(row: dict[str, float]) -> str:
    text = f"{100 * row['effect']:+.1f} points ({100 * row['low']:+.1f} to {100 * row['high']:+.1f})"
    return text.replace("-", "\u2212")
