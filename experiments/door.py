"""The one place where experiments meet the rules: card pools, decks and the kernel's batch door.

Everything else in this package works with names, plans and tables. What the kernel is called with, and what its rows
mean, is known here and in `tables`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.errors import InputError, unknown
from apotheosis.experiments import dictionary, store
from apotheosis.experiments.seeds import Purpose, spawned
from apotheosis.experiments.tables import CardFacts, Played

if TYPE_CHECKING:
    # Workers import this module: what only the driver needs stays out, so that they start fast.
    from apotheosis.env.cards.decks import Deck
    from apotheosis.env.cards.pool import Pool
    from apotheosis.experiments.plan import Plan, Side
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
        n = spec.n_random_decks
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
    """Refuses bots that do not exist, and those that do not play inside compiled code.

    Raises:
        InputError: names the bot and the nearest one.
    """
    from apotheosis.agents.base import MAKERS, is_kernel_bot

    kernel = [name for name in MAKERS if is_kernel_bot(name)]
    for name in names:
        if name.partition(":")[0] not in MAKERS:
            raise unknown("bot", name, MAKERS)
        if not is_kernel_bot(name):
            raise InputError(f"runs are played by {' or '.join(kernel)}; {name} is for play, train and ladder", "bots.pool")


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
        "effects": [_typed(card) for card in pool.cards],
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


def _typed(card: Any) -> str | None:
    """Returns a card's effects in the card language as JSON, None where it has none."""
    from apotheosis.env.cards.language.effect import TypedEffect
    from apotheosis.env.cards.readings import effects_of
    from apotheosis.env.cards.yaml_file import plain

    if not any(isinstance(effect, TypedEffect) for _, _, effect in effects_of(card)):
        return None
    return json.dumps(plain(card).get("effects", []), ensure_ascii=False)


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


@dataclass(frozen=True)
class Deal:
    """All that the kernel needs to play the matches of a plan, as arrays.

    Attributes:
        record: the pool as an array of one POOL.
        facts: what the tables say about each card.
        form: one LINEUP with the format and no cards.
        sides: (sides, heroes of a team, COPIES) int16 pool numbers by slot.
        bots: (bots,) codes.
        turns: names of the bots when the table of turns is wanted, else empty.
    """

    record: np.ndarray
    facts: CardFacts
    form: np.ndarray
    sides: np.ndarray
    bots: np.ndarray
    turns: tuple[str, ...] = ()


class Player:
    """Plays matches in the kernel.

    Args:
        deal: what to play with, made by `prepare`.
    """

    def __init__(self, deal: Deal):
        from apotheosis.env.rules import compiler

        if not compiler.UNCOMPILED:
            compiler.loaded_kernel()  # here, where no match's time is being watched
        # The kernel keeps its ledger in the pool's record, and Ray hands out memory that may not be written.
        self.deal, self.facts = replace(deal, record=deal.record.copy()), deal.facts
        self._pool: Any = self.deal  # the kernel looks at a pool's record alone

    @classmethod
    def prepare(cls, plan: Plan, pool: Pool) -> Deal:
        """Returns what workers need to play a plan.

        Args:
            plan: the plan.
            pool: the card pool it was made with.
        """
        from apotheosis.env.cards.decks import Deck
        from apotheosis.env.cards.lineup import deck_row
        from apotheosis.env.match import bot_code

        rows = [[deck_row(Deck(**deck), pool) for deck in side.decks] for side in plan.sides]
        bots = np.array([bot_code(name) for name in plan.spec.bots.pool], np.int64)
        return Deal(
            record=pool.record,
            facts=card_facts(pool),
            form=format_row(plan.spec.format),
            sides=np.array(rows, np.int16),
            bots=bots,
            turns=tuple(plan.spec.bots.pool) if plan.spec.run.turns else (),
        )

    @property
    def _copies(self) -> int:
        """Rows of a match's ledger that belong to a Hero of the format."""
        from apotheosis.env.rules.layout import COPIES

        return 2 * self.deal.sides.shape[1] * COPIES

    def lineups(self, rows: dict[str, np.ndarray]) -> np.ndarray:
        """Returns the kernel's lineups for rows of the schedule."""
        lineups = np.repeat(self.deal.form, len(rows["match_id"]))
        team = self.deal.sides.shape[1]
        lineups["cards"][:, 0 : 2 * team : 2] = self.deal.sides[rows["side_a"]]
        lineups["cards"][:, 1 : 2 * team : 2] = self.deal.sides[rows["side_b"]]
        return lineups

    def play(self, rows: dict[str, np.ndarray], seeds: np.ndarray) -> Played:
        """Plays matches.

        Args:
            rows: columns of `Schedule.rows`.
            seeds: (n, STREAMS) int64.
        """
        from apotheosis.env.match import play_batch

        bots = np.stack([self.deal.bots[rows["bot_a"]], self.deal.bots[rows["bot_b"]]], axis=1)
        lineups = self.lineups(rows)
        result = play_batch(self._pool, lineups, seeds, bots)
        assert result.cards is not None
        turns = self._turns(rows, lineups, seeds) if self.deal.turns else None
        return Played(rows, seeds, result.matches, result.cards[:, : self._copies], turns)

    def _turns(self, rows: dict[str, np.ndarray], lineups: np.ndarray, seeds: np.ndarray) -> dict[str, np.ndarray]:
        from apotheosis.experiments.turn_rows import COLUMNS, turn_rows

        parts = []
        for at in range(len(seeds)):
            bots = [self.deal.turns[rows[name][at]] for name in ("bot_a", "bot_b")]
            part = turn_rows(self._pool, lineups[at : at + 1], seeds[at], bots)
            parts.append({"match_id": np.full(len(part["turn"]), rows["match_id"][at]), **part})
        return {name: np.concatenate([part[name] for part in parts]) for name in ("match_id", *COLUMNS)}

    def unplayed(self, rows: dict[str, np.ndarray], seeds: np.ndarray, outcome: str) -> Played:
        """Returns the rows of matches that ended without being played to the end.

        Args:
            rows: columns of `Schedule.rows`.
            seeds: (n, STREAMS) int64.
            outcome: `timeout` or `crash`.
        """
        from apotheosis.env.rules.codes import Cause, Outcome
        from apotheosis.env.rules.layout import LEDGER, RESULT

        n = len(seeds)
        results, ledgers = np.zeros(n, RESULT), np.zeros((n, self._copies), LEDGER)
        results["outcome"], results["cause"] = Outcome[outcome.upper()], Cause.ERROR
        for name in ("shuffle_position", "drawn_turn", "placed_turn", "left_play_turn"):
            ledgers[name] = -1
        ledgers["ident"] = self.lineups(rows)["cards"].reshape(n, -1)[:, : self._copies]
        turns = None
        if self.deal.turns:
            from apotheosis.experiments.turn_rows import COLUMNS

            turns = {name: np.empty(0) for name in ("match_id", *COLUMNS)}
        return Played(rows, seeds, results, ledgers, turns)
