"""`apotheosis bench`: measures the speed on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit


def bench(
    cards: Annotated[str, typer.Option(help="Card file, folder, cards.json, or starter.")] = "starter",
    peers: Annotated[bool, typer.Option("--peers", help="Measure other installed engines in the same run.")] = False,
    seconds: Annotated[float, typer.Option(min=0.01, help="Seconds of one turn.")] = 2.0,
    runs: Annotated[int, typer.Option(min=1, help="Rounds; the median counts.")] = 3,
    core: Annotated[int | None, typer.Option(min=0, help="Core to stay on; the last one by default.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of decks and dice.")] = 1,
    cold: Annotated[bool, typer.Option("--cold", help="Compile the kernel once more to measure it.")] = False,
    profile: Annotated[bool, typer.Option("--profile", help="Sample where the kernel spends its time (needs perf).")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the tables of docs/benchmarks.md.")] = False,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Measure speed on this machine: random 1v1 matches, whole rules, coherent random decks, one core.

    Example: apotheosis bench --peers --cards cards.json
    """
    from apotheosis.experiments.bench import as_markdown, as_text
    from apotheosis.experiments.bench import bench as measure

    found = measure(cards, peers, seconds, runs, core, seed, cold, profile, quiet)
    emit(found, as_markdown(found) if markdown else as_text(found), json, quiet and not markdown)
