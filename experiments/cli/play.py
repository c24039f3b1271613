"""`apotheosis play`: a person against a bot in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit

if TYPE_CHECKING:
    import numpy as np

    from apotheosis.agents.human import Session
    from apotheosis.env.cards.pool import Pool


def play(
    bot: Annotated[str, typer.Option(help="Opponent: random, greedy, search:1000, search:200ms or ppo:PATH.")] = "greedy",
    seat: Annotated[str, typer.Option(help="Your seat: A or B.")] = "A",
    deck: Annotated[Path | None, typer.Option(help="Deck file: your deck, and the bot's if it holds two.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of decks and dice; a new one each time without it.")] = None,
    cards: Annotated[str, typer.Option(help="Card file, folder, cards.json, or starter.")] = "starter",
    out: Annotated[Path | None, typer.Option(help="Keep the match as a replay file, for apotheosis replay FILE.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Play a match against a bot. Answers are numbers; h gives a hint, i says what cards do, u undoes, y says why not.

    Example: apotheosis play --bot greedy --seat B --out match.json
    """
    import sys

    import numpy as np
    from rich.console import Console

    from apotheosis.agents.base import make_bot
    from apotheosis.agents.human import Session
    from apotheosis.env.arena import Dealer
    from apotheosis.env.cards.pool import load_pool
    from apotheosis.env.errors import unknown
    from apotheosis.env.match import Match

    side = seat.strip().upper()
    if side not in ("A", "B"):
        raise unknown("seat", seat, ("A", "B"), "--seat")
    person = "AB".index(side)
    if out is not None:
        from apotheosis.experiments.store import check_out

        check_out(out)  # a match that was played should not be lost for a wrong name
    pool = load_pool(cards)
    opponent, adviser = make_bot(bot, pool), make_bot("greedy", pool)
    number = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(number))
    if deck is not None:
        lineups = _with_decks(lineups, deck, pool, person)
    console = Console(stderr=json, highlight=True)

    def ask(prompt: str) -> str:
        console.print(prompt, end="")
        line = sys.stdin.readline() if sys.stdin else ""  # nobody can answer where the input stream is closed
        if not line:
            raise EOFError
        return line

    session = Session(
        Match(pool, lineups, seeds[0], log=True), person, opponent, adviser, ask,
        lambda text: console.print(text, markup=False, soft_wrap=True), number,
    )  # fmt: skip
    result = session.play()
    data = {"result": result, "seed": number, "bot": bot, "seat": side}
    if out is not None:
        names = [bot, "person"] if person else ["person", bot]
        _keep(out, session, lineups, seeds[0], names, cards)
        data["out"] = str(out)
    emit(data, f"You {result if result != 'drawn' else 'drew'}. The same match again: --seed {number}", json, quiet)


def _keep(out: Path, session: Session, lineups: np.ndarray, seeds: np.ndarray, names: list[str], cards: str) -> None:
    """Writes the match that was played as a replay file."""
    import os
    from json import dumps

    from apotheosis.env.cards.loader import STARTER
    from apotheosis.experiments.replays import Source, lineup_data, replay_data
    from apotheosis.experiments.store import write_out

    pool = session.match.pool
    about = {"run": "play", "format": "arena-1v1", "decks": ["A", "B"], "bots": names}
    place = cards if cards == STARTER else os.path.abspath(cards)
    origin = {
        "cards": place, "overrides": [], "cards_hash": pool.hash, "lineup": lineup_data(lineups, pool),
        "seeds": [int(seed) for seed in seeds],
    }  # fmt: skip
    source = Source(pool, lineups, seeds, lambda match: -1, about, origin)
    write_out(out, (dumps(replay_data(source, session.recorder.recording, session.words), ensure_ascii=False) + "\n").encode())


def _with_decks(lineups: np.ndarray, path: Path, pool: Pool, person: int) -> np.ndarray:
    """Returns lineups with the decks of a file: the person's, and the bot's where there are two."""
    from apotheosis.env.cards.decks import read_decks, violations
    from apotheosis.env.cards.lineup import deck_row
    from apotheosis.env.errors import InputError

    lineups = lineups.copy()
    for place, given in zip((person, 1 - person), read_decks(path), strict=False):
        broken = violations(given, pool)
        if broken:
            raise InputError("; ".join(map(str, broken)), f"deck {given.name}")
        lineups["cards"][:, place] = deck_row(given, pool)
    return lineups
