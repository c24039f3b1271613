"""`apotheosis deck`: checks deck files and draws random legal decks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from apotheosis.experiments.cli.console import JsonFlag, QuietFlag, emit

app = typer.Typer(no_args_is_help=True, help="Check deck files, draw random legal decks.")

CardsOption = Annotated[str, typer.Option("--cards", help="Card file, folder or cards.json, or starter for the bundled set.")]
SizeOption = Annotated[int, typer.Option(min=20, max=60, help="Cards of a deck.")]


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="Deck file; it may hold several decks.")],
    cards: CardsOption = "starter",
    hero_level: Annotated[int | None, typer.Option(help="Level that the format asks for; by default the deck's.")] = None,
    deck_size: SizeOption = 30,
    score_cap: Annotated[int | None, typer.Option(help="Largest sum of Score over all cards.")] = None,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> int:
    """Say which rules of ARENA A2 each deck of a file breaks.

    Ends with code 2 when a deck breaks one. Example: apotheosis deck check mydeck.yaml
    """
    from apotheosis.env.cards.decks import DeckRules, read_decks, violations
    from apotheosis.env.cards.pool import load_pool

    pool = load_pool(cards)
    rows: list[dict[str, Any]] = []
    lines = []
    for deck in read_decks(file):
        rules = DeckRules(deck.level if hero_level is None else hero_level, deck_size, score_cap)
        found = violations(deck, pool, rules)
        rows.append(
            {
                "name": deck.name,
                "legal": not found,
                "violations": [violation.rule for violation in found],
                "details": [{"rule": violation.rule, "message": violation.sentence} for violation in found],
            }
        )
        count = f"{len(found)} {'violation' if len(found) == 1 else 'violations'}"
        lines.append(f"{deck.name}: {count if found else 'legal'}")
        lines += [f"  {violation}" for violation in found]
    legal = all(row["legal"] for row in rows)
    emit({"legal": legal, "decks": rows}, "\n".join(lines), json, quiet)
    return 0 if legal else 2


@app.command("random")
def random(
    count: Annotated[int, typer.Option("--n", min=1, max=100_000, help="How many decks.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Decides the decks.")] = 1,
    generator: Annotated[
        str, typer.Option(help="coherent: the Hero can use most of its deck; uniform: any legal deck.")
    ] = "coherent",
    level: Annotated[int, typer.Option(help="Hero Level: 1, 4, 7 or 10.")] = 7,
    deck_size: SizeOption = 30,
    cards: CardsOption = "starter",
    out: Annotated[Path | None, typer.Option(help="Deck file to write; by default the decks are printed.")] = None,
    inclusion: Annotated[
        bool, typer.Option("--inclusion", help="Also give each card's probability of being in a deck.")
    ] = False,
    json: JsonFlag = False,
    quiet: QuietFlag = False,
) -> None:
    """Draw random legal decks; the same seed draws the same decks.

    Example: apotheosis deck random --n 10 --level 4 --out decks.yaml
    """
    from apotheosis.env.cards.deck_draws import DeckSampler, random_decks
    from apotheosis.env.cards.decks import DeckRules, write_decks
    from apotheosis.env.cards.pool import load_pool

    pool = load_pool(cards)
    rules = DeckRules(level, deck_size)
    decks = random_decks(pool, count, seed, rules, generator)
    data: dict[str, Any] = {"decks": [deck.model_dump() for deck in decks]}
    text = write_decks(decks)
    if inclusion:
        chances = DeckSampler(pool, rules, generator).inclusion()
        data["inclusion"] = {card.id: float(p) for card, p in zip(pool.cards, chances, strict=True)}
        text += "\n".join(f"# {name}: {p:.4f}" for name, p in data["inclusion"].items()) + "\n"
    if out is not None:
        from apotheosis.experiments.store import write_out

        write_out(out, text.encode())
        data["out"] = str(out)
        text = f"{len(decks)} decks written to {out}"
    emit(data, text.rstrip("\n"), json, quiet)
