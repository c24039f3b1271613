"""How much of a set of cards is played, by suit, rarity and verb, so that a designer sees what a balance run covers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from apotheosis.env.cards.readings import EXECUTABLE, NOTHING, STATUSES, Reading
from apotheosis.env.cards.schema import CardBase

GROUPS = ("suit", "rarity", "verb")
STANDING = "standing modifier"
"""The verb of what holds without any instruction."""


def verbs(reading: Reading) -> set[str]:
    """Returns the instructions that occur in what was read of an effect, those within others too."""
    found = set()
    for effect in reading.effects:
        written = effect.written()
        found |= set(_instructions(written))
        if written.get("mods"):
            found.add(STANDING)
    return found


def _instructions(part: Any) -> Iterator[str]:
    """Yields the instructions of a plain tree."""
    if isinstance(part, Mapping):
        if isinstance(part.get("op"), str):
            yield part["op"]
        for value in part.values():
            yield from _instructions(value)
    elif isinstance(part, list):
        for value in part:
            yield from _instructions(value)


def breakdown(cards: Iterable[CardBase], readings: Mapping[str, tuple[Reading, ...]]) -> dict[str, dict[str, dict[str, int]]]:
    """Counts effects by what becomes of them.

    Args:
        cards: the cards.
        readings: what was read of each, by card id.

    Returns:
        For `suit`, `rarity` and `verb`, for each member: effects, and how many are executable, partial, inert, nothing_to_do.
        An effect counts once for each verb that was read of it; one of which nothing was read has no verb.
    """
    found: dict[str, dict[str, Counter[str]]] = {group: {} for group in GROUPS}
    for card in cards:
        for reading in readings[card.id]:
            members = {"suit": {card.suit_code.name}, "rarity": {card.rarity.name}, "verb": verbs(reading)}
            for group, names in members.items():
                for name in names:
                    found[group].setdefault(name, Counter())[reading.status] += 1
    return {group: {name: _row(counts) for name, counts in sorted(rows.items(), key=_largest)} for group, rows in found.items()}


def _largest(row: tuple[str, Counter[str]]) -> tuple[int, str]:
    return -row[1].total(), row[0]


def _row(counts: Counter[str]) -> dict[str, int]:
    return {"effects": counts.total(), **{status: counts[status] for status in STATUSES}}


def share(row: Mapping[str, int]) -> float | None:
    """Returns the part of the effects that can matter in a battle which are executable, None where there are none."""
    live = row["effects"] - row[NOTHING]
    return row[EXECUTABLE] / live if live else None
