"""`apotheosis train`: trains a bot by self-play and saves it as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit

MINUTES = 10.0
"""Length of a training for which no limit is given."""


def train(
    out: Annotated[Path, typer.Option(help="Policy file to write; play with it as ppo:FILE.")] = Path("policy.pt"),
    minutes: Annotated[float | None, typer.Option(help="Stop after this time (10 where no limit is given).")] = None,
    steps: Annotated[int | None, typer.Option(help="Stop after this many answers of the learner.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the training.")] = 0,
    opponents: Annotated[
        str, typer.Option(help="Opponents from the start, with commas; past selves join them.")
    ] = "random,greedy",
    resume: Annotated[Path | None, typer.Option(help="Policy file to go on from.")] = None,
    cards: Annotated[str, typer.Option(help="Card file, folder, cards.json, or starter.")] = "starter",
    decks: Annotated[str | None, typer.Option(help="Deck files with commas; without them random decks.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Train a bot by self-play against scripted bots and its own past selves.

    Example: apotheosis train --out mybot.pt --minutes 10
    """
    import importlib.util

    from apotheosis.env.errors import InputError

    if any(importlib.util.find_spec(name) is None for name in ("torch", "sb3_contrib")):
        raise InputError("training needs torch and sb3-contrib; install them: pip install 'apotheosis-lab[train]'")
    from apotheosis.agents.policy.training import TrainingSettings, TrainingState
    from apotheosis.agents.policy.training import train as run_training
    from apotheosis.env.cards.decks import read_decks
    from apotheosis.env.cards.pool import load_pool
    from apotheosis.experiments.progress import Progress
    from apotheosis.experiments.store import check_out

    names = tuple(name.strip() for name in opponents.split(",") if name.strip())
    if not names:
        raise InputError("name at least one opponent, e.g. random,greedy", "--opponents")
    check_out(out)
    limit = MINUTES if minutes is None and steps is None else minutes
    settings = TrainingSettings(minutes=limit, steps=steps, seed=seed, opponents=names)
    pool = load_pool(cards)
    given = None if decks is None else [deck for path in decks.split(",") for deck in read_decks(path)]
    total, unit = (steps, "steps") if limit is None else (round(60 * limit), "seconds")
    assert total is not None
    with Progress(out.name, total, unit=unit, quiet=quiet) as progress:

        def show(state: TrainingState) -> None:
            done = state.steps if limit is None else int(state.seconds)
            scores = {f"vs {name}": round(score, 2) for name, score in state.scores.items()}
            progress.update(min(done, total), steps=state.steps, scores=scores)

        state = run_training(out, settings, pool, decks=given, resume=resume, show=show)
    scores = ", ".join(f"{score:.2f} against {name}" for name, score in state.scores.items())
    text = (
        f"{out}: {state.steps:,} answers in {state.seconds:.0f} s; score in training {scores}\n"
        f"play against it: apotheosis play --bot ppo:{out}"
    )
    data = {"out": str(out), "steps": state.steps, "seconds": round(state.seconds, 1), "scores": state.scores}
    emit(data, text, json, quiet)
