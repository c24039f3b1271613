"""Turns the kernel's result rows into the tables that the data dictionary describes.

The kernel writes fixed-width integers; tables have names, missing values and shares. All of it is array work: a run of
a hundred thousand matches has millions of card rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.vocabulary import Rarity, Suit
from apotheosis.experiments import dictionary, store

if TYPE_CHECKING:
    import pyarrow as pa


LOOPS_KEPT = 3
"""Endless loops of a chunk that are kept to be watched; a card that loops in every match would fill the disk."""


@dataclass(frozen=True)
class CardFacts:
    """What the tables say about a card whatever happens in a match; arrays by the card's number in the pool.

    Attributes:
        ids: (n,) ids.
        suits: (n,) numbers of `vocabulary.Suit`.
        rarities: (n,) numbers of `vocabulary.Rarity`.
        levels: (n,) int16.
        inert: (n,) bool, True where an effect that matters is not, or only in part, played.
    """

    ids: np.ndarray
    suits: np.ndarray
    rarities: np.ndarray
    levels: np.ndarray
    inert: np.ndarray


@dataclass(frozen=True)
class Played:
    """Matches and what came of them, in issue order.

    Attributes:
        rows: columns of `Schedule.rows`.
        seeds: (n, STREAMS) int64.
        results: (n,) RESULT of the kernel's layout.
        ledgers: (n, heroes * COPIES) LEDGER; rows without a card have `ident` -1.
        turns: columns of the table of turns, or None where it was not asked for.
    """

    rows: dict[str, np.ndarray]
    seeds: np.ndarray
    results: np.ndarray
    ledgers: np.ndarray
    turns: dict[str, np.ndarray] | None = None


def chunk_tables(
    played: Played, chunk: int, format_name: str, sides: Sequence[str], bots: Sequence[str], facts: CardFacts
) -> dict[str, pa.Table]:
    """Returns the tables of a chunk by name.

    Args:
        played: the matches of the chunk.
        chunk: its number.
        format_name: name of the match format.
        sides: names of the sides by number.
        bots: names of the bots by number.
        facts: what is known of the cards.
    """
    cards, inert = _card_columns(played, facts)
    tables = {
        "matches": _table("matches", _match_columns(played, chunk, format_name, sides, bots, inert)),
        "cards": _table("cards", cards),
    }
    if played.turns is not None:
        actor = (played.turns["actor"].astype(np.int64), ["a", "b"])
        tables["turns"] = _table("turns", {**played.turns, "actor": actor})
    return tables


def _table(name: str, columns: dict[str, Any]) -> pa.Table:
    import pyarrow as pa

    schema = dictionary.schema(name)
    arrays = [_array(columns[field.name], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(values: Any, kind: pa.DataType) -> pa.Array:
    """Returns an array of a column's type; (codes, names) pairs become dictionaries, masked arrays get nulls."""
    from apotheosis.experiments import arrow

    if isinstance(values, tuple):
        return arrow.names(*values)
    if isinstance(values, list):
        return arrow.texts(values)
    missing = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    return arrow.numbers(np.ma.getdata(values), kind, missing)


def _match_columns(
    played: Played, chunk: int, format_name: str, sides: Sequence[str], bots: Sequence[str], inert: np.ndarray
) -> dict[str, Any]:
    from apotheosis.env.rules.codes import Cause

    rows, results = played.rows, played.results
    n = len(results)
    names = [name.lower() for name in _by_value(Cause)]
    outcome = results["outcome"].astype(np.int64) - 1  # the kernel's 0 is a match still running
    scores = np.array([dictionary.SCORES.get(name, np.nan) for name in dictionary.OUTCOMES])[outcome]
    decided = results["decisions"] > 0
    finished = ~np.isnan(scores)
    return {
        "match_id": rows["match_id"],
        "pair_id": rows["pair_id"],
        "chunk": np.full(n, chunk),
        "seed": played.seeds[:, 2],
        "format": (np.zeros(n, np.int64), [format_name]),
        "seat_a_deck": (rows["side_a"], sides),
        "seat_b_deck": (rows["side_b"], sides),
        "seat_a_bot": (rows["bot_a"], bots),
        "seat_b_bot": (rows["bot_b"], bots),
        "first_team": (np.where(results["turns"] > 0, results["first_team"], -1), ["a", "b"]),
        "outcome": (outcome, dictionary.OUTCOMES),
        "score_a": np.ma.masked_array(np.where(finished, scores, 0.0), ~finished),
        "cause": (results["cause"], names),
        "stints": results["stints"],
        "turns": results["turns"],
        "decisions": results["decisions"],
        "actions": results["actions"],
        "hp_margin": results["hp_margin"],
        "lead_changes": results["lead_changes"],
        "legal_options_mean": np.ma.masked_array(results["legal_options_sum"] / np.maximum(results["decisions"], 1), ~decided),
        "replay": _replays(rows["match_id"], outcome),
        "state_hash": results["state_hash"],
        "inert_cards_a": inert[:, 0],
        "inert_cards_b": inert[:, 1],
    }


def _replays(match_ids: np.ndarray, outcome: np.ndarray) -> list[str | None]:
    """Returns the files of the matches that the run keeps to be watched: endless loops (R27.1), the first of each chunk."""
    loops = np.flatnonzero(outcome == dictionary.OUTCOMES.index("loop"))[:LOOPS_KEPT]
    names: list[str | None] = [None] * len(match_ids)
    for at in loops:
        names[at] = store.replay_name(int(match_ids[at]))
    return names


def _by_value(codes: Any) -> list[str]:
    """Returns the names of an enumeration by value, with "" in the gaps."""
    names = [""] * (max(codes) + 1)
    for member in codes:
        names[member] = member.name
    return names


def _card_columns(played: Played, facts: CardFacts) -> tuple[dict[str, Any], np.ndarray]:
    """Returns the columns of the card table and, per match and seat, the number of copies with an inert effect."""
    from apotheosis.env.rules.layout import COPIES, DECK_SLOT

    ledgers = played.ledgers
    # The last copy of each Hero is one made during the match; it was in no deck.
    listed = np.arange(ledgers.shape[1]) % COPIES < COPIES - 1
    match, row = np.nonzero((ledgers["ident"] >= 0) & listed)
    ledger = ledgers[match, row]
    ident = ledger["ident"].astype(np.int64)
    hero, slot = row // COPIES, row % COPIES
    team = hero % 2
    inert = np.zeros((len(ledgers), 2), np.int16)
    np.add.at(inert, (match, team), facts.inert[ident].astype(np.int16))

    def turn(name: str) -> np.ma.MaskedArray:
        return np.ma.masked_array(ledger[name], ledger[name] < 0)

    columns = {
        "match_id": played.rows["match_id"][match],
        "seat": (team, ["a", "b"]),
        "team": team,
        "hero": hero,
        "card_id": (ident, facts.ids),
        "copy": _copy_numbers(match, hero, ident),
        "deck_slot": slot - DECK_SLOT,
        "usable": ledger["usable"] != 0,
        "suit": (facts.suits[ident], _by_value(Suit)),
        "level": facts.levels[ident],
        "rarity": (facts.rarities[ident], _by_value(Rarity)),
        "shuffle_position": np.ma.masked_array(
            ledger["shuffle_position"], (ledger["shuffle_position"] < 0) | (slot < DECK_SLOT)
        ),
        "opening_hand": ledger["opening_hand"] != 0,
        "kept": ledger["kept"] != 0,
        "drawn": ledger["drawn"] != 0,
        "drawn_turn": turn("drawn_turn"),
        "placed": ledger["placed"] != 0,
        "placed_turn": turn("placed_turn"),
        "left_play_turn": turn("left_play_turn"),
    }
    for name in ("activated", "reacted", "discarded_as_cost", "dead_in_hand_turns"):
        columns[name] = ledger[name]
    for name in ("damage_caused", "hp_removed", "hp_healed"):
        columns[name] = ledger[name]
    return columns, inert


def _copy_numbers(match: np.ndarray, hero: np.ndarray, ident: np.ndarray) -> np.ndarray:
    """Numbers equal cards of one Hero from 0, in the order of the deck list."""
    order = np.lexsort((np.arange(len(ident)), ident, hero, match))
    keys = np.stack([match[order], hero[order], ident[order]])
    starts = np.ones(len(order), bool)
    starts[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    at = np.arange(len(order))
    numbers = np.empty(len(order), np.int64)
    numbers[order] = at - np.maximum.accumulate(np.where(starts, at, 0))
    return numbers


def join(parts: Sequence[Played]) -> Played:
    """Returns matches played one batch after another as one."""
    turns = None
    if parts and parts[0].turns is not None:
        turns = {name: np.concatenate([part.turns[name] for part in parts]) for name in parts[0].turns}  # type: ignore[index]
    return Played(
        rows={name: np.concatenate([part.rows[name] for part in parts]) for name in parts[0].rows},
        seeds=np.concatenate([part.seeds for part in parts]),
        results=np.concatenate([part.results for part in parts]),
        ledgers=np.concatenate([part.ledgers for part in parts]),
        turns=turns,
    )
