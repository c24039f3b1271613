"""`apotheosis position`: a position of a scenario file, what is legal in it and what a bot would do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit

if TYPE_CHECKING:
    from apotheosis.env.scenario.play import Player

MOST_PLAYOUTS = 100_000
"""More would need gigabytes, for an estimate that is known to a third of a point already."""


def position(
    file: Annotated[Path, typer.Argument(help="Scenario file.")],
    steps: Annotated[int, typer.Option(min=0, help="Play so many of the file's steps first.")] = 0,
    play: Annotated[int, typer.Option(min=0, help="Then let the bot take so many actions.")] = 0,
    bot: Annotated[
        str, typer.Option(help="Bot that is asked: random, greedy, search:1000, search:200ms or ppo:PATH.")
    ] = "greedy",
    playouts: Annotated[
        int | None,
        typer.Option(
            min=0, max=MOST_PLAYOUTS, help="Matches played on from here for the win estimate; 200 with the compiled kernel."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of dice and bots beyond the file's own dice.")] = 1,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Show a position: board, cards, legal actions, why the rest is not legal, a bot's choice and its chance to win.

    The win estimate is the share of matches that seat wins when greedy bots play on from the choice, a draw as half. Example:
    apotheosis position tests/scenarios/attack/after_the_attack.yaml
    """
    import numpy as np

    from apotheosis.agents.base import make_bot
    from apotheosis.env.board_text import char_name
    from apotheosis.env.errors import InputError
    from apotheosis.env.rules.compiler import UNCOMPILED
    from apotheosis.env.scenario.play import Failed, Player
    from apotheosis.env.scenario.position import build
    from apotheosis.env.scenario.read import read_scenario
    from apotheosis.env.scenario.show import position_data, position_lines

    scenario = read_scenario(file)
    player = Player(build(scenario))
    listed = scenario.get("steps") or []
    if steps > len(listed):
        raise InputError(f"has {len(listed)} steps, not {steps}", file)
    try:
        player.run(listed[:steps], ("steps",))
    except Failed as failure:
        raise InputError(str(failure)) from None
    match, rng = player.match, np.random.default_rng(seed)
    match.state["forced_n"] = -1
    match.state["seed"] = rng.integers(0, 2**32, len(match.state["seed"]))
    adviser = make_bot(bot, player.position.pool)
    for _ in range(play):
        _answer(player, lambda: int(adviser.act(match, match.mask(), rng)))
    data = position_data(player)
    data["trace"] = player.trace()
    called = ", ".join(f"{char_name(char)} is {name}" for name, char in player.position.chars.items())
    lines = [*([*data["trace"], f"({called})", ""] if data["trace"] else []), *position_lines(player, data)]
    if not match.over:
        code = int(adviser.act(match, match.mask(), rng))
        twin = Player(replace(player.position, match=match.copy()))
        twin.match.state["log_on"] = 0
        choice = _answer(twin, lambda: int(adviser.act(twin.match, twin.match.mask(), rng)), code)
        data["bot"] = {"name": bot, "choice": choice}
        lines += ["", f"{bot} would choose: {', '.join(choice)}"]
        count = (0 if UNCOMPILED else 200) if playouts is None else playouts
        data["estimate"] = _estimate(player, code, count, seed)
        lines.append(_estimate_line(data["estimate"]))
    emit(data, "\n".join(lines), json, quiet)


def _answer(player: Player, choose: Callable[[], int], code: int | None = None) -> list[str]:
    """Lets a bot answer the pending question and all that its declaration asks; returns the answers by name."""
    from apotheosis.env.scenario.play import DRAFT

    match, answers = player.match, []
    while not match.over:
        asked = match.asked
        code = choose() if code is None else code
        answers.append(player.option_name(code))
        match.apply(code)
        code = None
        if match.over or match.asked != asked or match.decision not in DRAFT or int(match.state["d_kind"]) < 0:
            break
    return answers


def _estimate(player: Player, code: int, count: int, seed: int) -> dict[str, Any] | None:
    """Returns how often the asked seat wins when greedy bots play on from an answer, with a 95 % interval; None for none."""
    if count == 0:
        return None
    from apotheosis.env.playouts import play_on
    from apotheosis.experiments.stats.intervals import wilson

    seat = player.match.seat
    ended = play_on(player.match, code, "greedy", count, seed)
    score = ended["ab"[seat]] + 0.5 * ended["none"]
    bounds = wilson(score, count)
    return {
        "seat": "AB"[seat],
        "win": score / count,
        "low": float(bounds.low),
        "high": float(bounds.high),
        "playouts": count,
        "won_a": ended["a"],
        "won_b": ended["b"],
        "undecided": ended["none"],
    }


def _estimate_line(estimate: dict[str, Any] | None) -> str:
    if estimate is None:
        return "No win estimate: it is played with the compiled kernel, or with --playouts."
    low, high = 100 * estimate["low"], 100 * estimate["high"]
    return (
        f"Win estimate of seat {estimate['seat']}: {100 * estimate['win']:.0f} % (95 %: {low:.0f} to {high:.0f}), "
        f"{estimate['playouts']} matches played on by greedy"
    )
