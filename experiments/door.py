"""The one place where experiments meet the rules: card pools, decks and the kernel's batch door.

Everything else in this package works with names, plans and tables. What the kernel is called with, and what its rows
mean, is known here and in `tables`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.errors import InputError
from apotheosis.experiments import dictionary, store
from apotheosis.experiments.seeds import Purpose, spawned
from apotheosis.experiments.tables import CardFacts

if TYPE_CHECKING:
    from apotheosis.env.cards.decks import Deck
    from apotheosis.env.cards.pool import Pool
    from apotheosis.experiments.plan import Side
    from apotheosis.experiments.spec import FormatSection, Spec


def load_pool(spec: Spec) -> Pool:
    """Loads the cards of a spec.

    Raises:
        InputError: a card file is missing or faulty.
    """
    from apotheosis.env.cards.pool import load_pool as load

    pool = load(spec.cards.pool, spec.cards.overrides)
    if spec.design.kind != "swap":
        return pool
    from apotheosis.experiments.baseline import with_baseline

    return with_baseline(pool, spec)


def sides(spec: Spec, pool: Pool, experiment: int) -> list[Side]:
    """Returns the decks of a spec, as many to a side as a team has Heroes.

    Args:
        spec: the spec.
        pool: its cards.
        experiment: random decks of another experiment are other decks.

    Raises:
        InputError: a deck file is faulty, or a deck breaks a rule of ARENA A2.
    """
    from apotheosis.experiments.plan import Side

    if spec.design.kind == "swap":
        from apotheosis.experiments.baseline import swap_sides

        return swap_sides(spec, pool, None if spec.decks.source == "random" else _listed(spec, pool), experiment)
    team = spec.format.team_size
    if spec.decks.source == "random":
        n = spec.n_random_decks(len(pool))
        decks = _random(spec, pool, experiment, team * n)
        names = [f"random-{number:0{len(str(n))}d}" for number in range(1, n + 1)]
    else:
        decks = _listed(spec, pool)
        if len(decks) % team:
            raise InputError(f"teams have {team} Heroes each, but there are {len(decks)} decks; give a multiple of {team}")
        names = ["+".join(deck.name for deck in decks[at : at + team]) for at in range(0, len(decks), team)]
    groups = [decks[at : at + team] for at in range(0, len(decks), team)]
    return [
        Side(name, tuple(deck.model_dump(mode="json") for deck in group)) for name, group in zip(names, groups, strict=True)
    ]


def _random(spec: Spec, pool: Pool, experiment: int, count: int) -> list[Deck]:
    from apotheosis.env.cards.deck_draws import random_decks

    seed = int(spawned(spec.run.seed, experiment, np.array([0]), np.array([Purpose.DECK]))[0, 0])
    return random_decks(pool, count, seed, spec.format, spec.decks.generator)


def _listed(spec: Spec, pool: Pool) -> list[Deck]:
    from apotheosis.env.cards.decks import read_decks, violations

    if spec.decks.source == "starter":
        from apotheosis.env.cards.decks import starter_decks

        decks = [deck for deck in starter_decks() if deck.level == spec.format.hero_level]
        if not decks:
            raise InputError(f"there are no starter decks of level {spec.format.hero_level}")
    else:
        decks = [deck for path in spec.decks.files for deck in read_decks(path)]
    for deck in decks:
        broken = violations(deck, pool, spec.format)
        if broken:
            raise InputError("; ".join(map(str, broken)), f"deck {deck.name}")
    return decks


def check_bots(names: Sequence[str]) -> None:
    """Refuses bots that do not exist, cannot be loaded, or play another match on another machine.

    Raises:
        InputError: names the bot, and the nearest one or what is wrong with it.
    """
    from apotheosis.agents.base import is_kernel_bot, make_bot

    for name in names:
        if is_kernel_bot(name):
            continue
        bot = make_bot(name)
        if not bot.repeatable:
            raise InputError(
                f"{name} thinks by the clock, so that the same run would differ from machine to machine; "
                "give it simulations, for instance search:1000",
                "bots.pool",
            )


def all_fast(names: Sequence[str]) -> bool:
    """Returns whether none of the bots searches or evaluates a network, so that a match takes milliseconds."""
    from apotheosis.env.match import BOTS

    return all(name in BOTS for name in names)


def bot_files(names: Sequence[str]) -> dict[str, str]:
    """Returns the digests of the files that bots are made from, by name; they decide the tables like code does."""
    from apotheosis.agents.base import file_of

    files = {name: file_of(name) for name in names}
    return {name: hashlib.sha256(Path(file).read_bytes()).hexdigest()[:32] for name, file in files.items() if file}


def write_pool(path: Path, pool: Pool) -> None:
    """Writes the table of cards that the report needs beside the matches."""
    import pyarrow as pa

    from apotheosis.env.cards.readings import card_status
    from apotheosis.experiments import arrow

    live = [[reading for reading in readings if reading.live] for readings in pool.readings]
    faults = [[reading for reading in readings if reading.status != "executable"] for readings in live]
    values: dict[str, list[Any]] = {
        "card_id": [card.id for card in pool.cards],
        "name": [card.name for card in pool.cards],
        "suit": [card.suit_code.name for card in pool.cards],
        "level": [card.level for card in pool.cards],
        "rarity": [card.rarity.name for card in pool.cards],
        "path": [_path_name(card) for card in pool.cards],
        "action": [card.action for card in pool.cards],
        **{name: [getattr(card, name, None) for card in pool.cards] for name in ("stamina", "mana", "essence", "price")},
        "score": [card.score for card in pool.cards],
        "text": [_printed(card) for card in pool.cards],
        "effects": list(map(_typed, pool.cards, pool.plain)),
        "live_effects": list(map(len, live)),
        "inert_effects": list(map(len, faults)),
        "status": [card_status(readings) for readings in pool.readings],
        "missing": ["; ".join(map(_clause, readings)) or None for readings in faults],
    }
    schema, arrays = dictionary.schema("pool"), []
    for column, field in zip(dictionary.tables()["pool"], schema, strict=True):
        cells = values[column.name]
        if column.dtype in ("text", "name"):
            arrays.append(arrow.texts(cells) if column.dtype == "text" else arrow.named(cells))
        else:
            missing = np.array([cell is None for cell in cells])
            numbers = np.array([0 if cell is None else cell for cell in cells])
            arrays.append(arrow.numbers(numbers, field.type, missing if missing.any() else None))
    store.write_table(path, [pa.Table.from_arrays(arrays, schema=schema)], schema)


def _path_name(card: Any) -> str | None:
    path = getattr(card, "path", None)
    return path.name if path else None


def _printed(card: Any) -> str | None:
    """Returns the printed text of a card's effects, None where its file gives them in the card language."""
    from apotheosis.env.cards.language.effect import TextEffect
    from apotheosis.env.cards.readings import effects_of

    return "\n".join(effect.text for _, _, effect in effects_of(card) if isinstance(effect, TextEffect)) or None


def _typed(card: Any, plain: dict[str, Any]) -> str | None:
    """Returns a card's effects in the card language as JSON, None where it has none."""
    from apotheosis.env.cards.language.effect import TypedEffect
    from apotheosis.env.cards.readings import effects_of

    if not any(isinstance(effect, TypedEffect) for _, _, effect in effects_of(card)):
        return None
    return json.dumps(plain.get("effects", []), ensure_ascii=False)


def _clause(reading: Any) -> str:
    return (
        f"{reading.clause} ({reading.reason})" if reading.clause and reading.reason else reading.clause or reading.reason or ""
    )


def card_facts(pool: Pool) -> CardFacts:
    """Returns what the tables say about each card of a pool."""
    record = pool.record[0]["card"][: len(pool)]
    return CardFacts(
        ids=np.array([card.id for card in pool.cards]),
        suits=record["suit"].astype(np.int64),
        rarities=record["rarity"].astype(np.int64),
        levels=record["level"].astype(np.int16),
        inert=record["inert"] > 0,
    )


def format_row(form: FormatSection) -> np.ndarray:
    """Returns a lineup of one row with the format filled in and no cards."""
    from apotheosis.env.cards.lineup import fill_lineup
    from apotheosis.env.rules.layout import COPIES, LINEUP

    row = np.zeros(1, LINEUP)
    fill_lineup(row[0], form, np.empty((0, COPIES), np.int16))
    if form.terrain is not None:
        from apotheosis.experiments.terrain import read_map

        row["altitude"], row["terrain"] = read_map(form.terrain, *form.size)
    return row


def prepare_kernel(quiet: bool = False) -> None:
    """Makes sure that the rules are compiled before workers start, so that they do not wait for each other.

    Args:
        quiet: show no progress.
    """
    if quiet:
        os.environ["APOTHEOSIS_QUIET"] = "1"
    from apotheosis.env.rules import compiler

    if not compiler.UNCOMPILED:
        compiler.warm_up()
