"""`apotheosis power`: how many games an effect costs, and what a number of games can and cannot show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apotheosis.env.errors import InputError
from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit
from apotheosis.experiments.cli.units import parse_effect

if TYPE_CHECKING:
    import pandas as pd

SHARE = 0.3
"""Share of decks that hold a card, where no run says otherwise."""
ENOUGH_PAIRS = 50
"""Pairs of a run below which its variance says too little."""


def power(
    effect: Annotated[str, typer.Option(help="Effect to find: 2pt, 0.02 or 14elo.")] = "2pt",
    power: Annotated[float, typer.Option(help="Chance of finding it.")] = 0.9,
    alpha: Annotated[float, typer.Option(help="Two-sided error rate.")] = 0.05,
    games: Annotated[int | None, typer.Option(help="Also say what this number of games can show.")] = None,
    from_: Annotated[
        Path | None, typer.Option("--from", help="Run folder whose variance, card shares and speed are used.")
    ] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Say how many games an effect needs, by design, and how long they take at the measured speed.

    Example: apotheosis power --effect 2pt --power 0.9 --from runs/first
    """
    from apotheosis.experiments.stats import power as costs
    from apotheosis.experiments.stats.pairs import INDEPENDENT_VARIANCE

    share = abs(parse_effect(effect, "--effect"))
    if share == 0:
        raise InputError("an effect of zero cannot be found; write for instance 2pt", "--effect")
    if not 0.5 < power < 1 or not 0 < alpha < 0.5:
        raise InputError(f"--power lies between 0.5 and 1 and --alpha between 0 and 0.5; got {power} and {alpha}")
    if games is not None and games < costs.FIELD_GAMES:
        raise InputError(f"{games} games show nothing; give at least {costs.FIELD_GAMES}", "--games")
    known: dict[str, Any] = {"variance": INDEPENDENT_VARIANCE, "rho": 0.0, "share": SHARE, "matches_per_s": None}
    if from_ is not None:
        known |= _measured(from_)
    cost = costs.cost(share, power, alpha, known["variance"], share=known["share"])
    result: dict[str, Any] = {
        "effect": share,
        "power": power,
        "alpha": alpha,
        **known,
        "games": {
            "head_to_head": cost.head_to_head,
            "field": cost.field,
            "sequential": cost.sequential,
            "sequential_95": cost.sequential_p95,
            "random_decks": cost.random_decks,
        },
        "planned": None if games is None else _planned(games, share, power, alpha, known),
    }
    emit(result, _words(result), json, quiet)


def _measured(folder: Path) -> dict[str, Any]:
    """Returns variance and correlation of pairs, the median share of a card, and the speed, of a run folder.

    Raises:
        InputError: the folder holds no finished pairs.
    """
    from apotheosis.experiments import dry_run, store
    from apotheosis.experiments import plan as plans
    from apotheosis.experiments.stats.pairs import pair_scores, summarise

    plan = plans.load(folder)
    if not plan.spec.design.mirror:
        raise InputError("was played without mirrored pairs, so it does not say how much pairs vary", folder)
    matches = _whole_pairs(store.run_table(folder, "matches").to_pandas())
    found = summarise(pair_scores(matches))
    if found.score.n < ENOUGH_PAIRS:
        raise InputError(f"has {int(found.score.n)} finished pairs; at least {ENOUGH_PAIRS} are needed", folder)
    spec = plan.spec.model_copy(update={"run": plan.spec.run.model_copy(update={"out": None})})
    estimate = dry_run.estimate(spec)
    known = {"variance": found.variance, "rho": found.rho, "matches_per_s": estimate.matches_per_s}
    return known | {"share": _median_share([set(deck["cards"]) for side in plan.sides for deck in side.decks])}


def _median_share(decks: list[set[str]]) -> float:
    """Returns the share of decks that hold a card, for the median card that occurs in some and not in all."""
    from collections import Counter
    from statistics import median

    held = Counter(card for deck in decks for card in deck)
    shares = [count / len(decks) for count in held.values() if count < len(decks)]
    return median(shares) if shares else SHARE


def _whole_pairs(matches: pd.DataFrame) -> pd.DataFrame:
    """Returns the matches whose pair is complete."""
    return matches[matches.groupby("pair_id")["match_id"].transform("size") == 2]


def _planned(games: int, effect: float, power: float, alpha: float, known: dict[str, Any]) -> dict[str, Any]:
    """Returns what a number of games can show by each design."""
    from apotheosis.experiments.stats import power as costs
    from apotheosis.experiments.stats.intervals import normal_quantile

    found: dict[str, Any] = {"games": games}
    for design in ("head_to_head", "field"):
        settings: dict[str, Any] = {"design": design, "variance": known["variance"]}
        found[design] = {
            "interval": normal_quantile(1 - alpha) * costs.standard_error(games, **settings),
            "found_with_power": costs.detectable(games, alpha, power, **settings),
            "power_for_effect": costs.fixed_power(effect, games, alpha, **settings),
        }
    margin = normal_quantile(1 - alpha) * costs.random_deck_se(games, known["share"])
    found["random_decks"] = {"interval": margin}
    return found


def _words(result: dict[str, Any]) -> str:
    """Returns the result in words."""
    from apotheosis.experiments.stats.pairs import INDEPENDENT_VARIANCE

    speed = result["matches_per_s"]
    names = {
        "head_to_head": "both versions against each other, fixed number",
        "field": "both versions against the same opponents, fixed number",
        "sequential": "three-way sequential test, on average",
        "sequential_95": "three-way sequential test, 19 times in 20 within",
        "random_decks": f"random decks, all cards at once (a card in {result['share']:.0%} of the decks)",
    }
    lines = [f"To find {100 * result['effect']:.2f} points with a chance of {result['power']:.0%}:"]
    for key, name in names.items():
        games = result["games"][key]
        lines.append(f"  {games:>10,} games  {name}" + ("" if speed is None else f" ({_time(games / speed)})"))
    if speed is not None:
        ratio = result["variance"] / INDEPENDENT_VARIANCE
        effect = f"save {1 - ratio:.0%}" if ratio <= 1 else f"need {ratio - 1:.0%} more"
        lines.append(
            f"measured: {speed:,.0f} matches/s; mirrored pairs of such decks {effect} of the games of independent matches"
        )
    if result["planned"] is not None:
        planned = result["planned"]
        lines.append(f"With {planned['games']:,} games:")
        for key in ("head_to_head", "field"):
            part = planned[key]
            lines.append(
                f"  {names[key].rpartition(',')[0]}: known to ±{100 * part['interval']:.2f} points; finds "
                f"{100 * part['found_with_power']:.2f} points with {result['power']:.0%}, and "
                f"{100 * result['effect']:.2f} points with {part['power_for_effect']:.0%}"
            )
        lines.append(f"  random decks: each card known to ±{100 * planned['random_decks']['interval']:.2f} points")
    return "\n".join(lines)


def _time(seconds: float) -> str:
    """Returns a duration for people."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
