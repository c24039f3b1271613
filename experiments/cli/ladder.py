"""`apotheosis ladder`: rates bots jointly, with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit

if TYPE_CHECKING:
    from apotheosis.env.arena import Dealer

TABLES = ("ratings.csv", "pairs.csv", "matches.csv")
"""What is written to --out."""


def ladder(
    bots: Annotated[str, typer.Option(help="Bots with commas, e.g. random,greedy,ppo:mybot.pt")] = "random,greedy",
    decks: Annotated[str, typer.Option(help="random, starter, or deck files with commas.")] = "random",
    pairs: Annotated[int, typer.Option(help="Mirrored pairs for each two bots.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of decks and dice.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder for ratings.csv, pairs.csv and matches.csv.")] = None,
    cards: Annotated[str, typer.Option(help="Card file, folder, cards.json, or starter.")] = "starter",
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Rate bots jointly: each two meet in mirrored pairs, one model is fitted to all results.

    Example: apotheosis ladder --bots random,greedy,ppo:mybot.pt --pairs 500
    """
    import pandas as pd

    from apotheosis.agents.ladder import match_columns, play_ladder
    from apotheosis.experiments.progress import Progress
    from apotheosis.experiments.stats.ladder import rate
    from apotheosis.experiments.store import check_out, write_out

    names = [name.strip() for name in bots.split(",") if name.strip()]
    total = 2 * pairs * (len(names) * (len(names) - 1) // 2)
    if out is not None:
        for name in TABLES:
            check_out(out / name)
    with Progress("ladder", max(total, 1), quiet=quiet) as progress:
        meetings = play_ladder(_dealer(cards, decks), names, pairs, seed, lambda done, who: progress.update(done, now=who))
        progress.update(total)
    matches = pd.DataFrame(match_columns(meetings))
    found = rate(matches, seed=seed)
    if out is not None:
        for name, table in zip(TABLES, (found.ratings, found.pairs, matches), strict=True):
            write_out(out / name, table.to_csv(index=False).encode())
    emit(_plain(found), _text(found), json, quiet)


def _dealer(cards: str, decks: str) -> Dealer:
    from apotheosis.env.arena import ArenaFormat, Dealer
    from apotheosis.env.cards.decks import read_decks, starter_decks
    from apotheosis.env.cards.pool import load_pool

    form = ArenaFormat()
    pool = load_pool(cards)
    if decks == "random":
        return Dealer(pool, form)
    if decks == "starter":
        given = [deck for deck in starter_decks() if deck.level == form.hero_level]
    else:
        given = [deck for path in decks.split(",") for deck in read_decks(path)]
    return Dealer(pool, form, given)


def _plain(found: Any) -> dict[str, Any]:
    """Returns ratings and pairs in the shape of the contract."""
    return {
        "ratings": found.ratings.to_dict("records"),
        "pairs": found.pairs.to_dict("records"),
        "seat_elo": found.seat_elo,
        "separated": found.separated,
    }


def _text(found: Any) -> str:
    lines = ["Elo, 95 % intervals that hold together; the anchor has 0:"]
    lines += [f"  {row.bot:<24} {row.elo:>7.0f}   {row.low:.0f} to {row.high:.0f}" for row in found.ratings.itertuples()]
    lines.append("Mean pair score of the first against the second:")
    for row in found.pairs.itertuples():
        lines.append(f"  {row.a} - {row.b}: {row.score_a:.3f} ({row.low:.3f} to {row.high:.3f}, {row.n_pairs} pairs)")
    lines.append(f"Side A is worth {round(found.seat_elo) or 0:+d} Elo.")
    if found.separated:
        lines.append(f"Won or lost everything, so the rating is only a bound: {', '.join(found.separated)}")
    return "\n".join(lines)
