"""A match as plain text, as one seat sees it: board, characters, cards. Made from the observation, so it cannot tell
more than the seat may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from apotheosis.env.observe import Observation, observe
from apotheosis.env.rules.codes import CharKind, Decision, Life, Phase, Zone
from apotheosis.env.rules.layout import SIDE
from apotheosis.env.rules.tokens import CardField, CharField, MatchField, Sight, TileField
from apotheosis.env.vocabulary import Attribute, Terrain

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool
    from apotheosis.env.match import Match

TERRAIN_MARKS = {
    Terrain.field: ".", Terrain.rock: ":", Terrain.swamp: "~", Terrain.sand: ",", Terrain.ice: "=",
    Terrain.silver_ice: "-", Terrain.aqua: "w", Terrain.blocked: "#", Terrain.disabled: " ",
}  # fmt: skip


def char_name(char: int) -> str:
    """Returns how text names a character: A1, B1, A2 ... for Heroes, a number for other pieces."""
    return f"{'AB'[char % 2]}{char // 2 + 1}" if char < 6 else f"#{char}"


def describe(match: Match, seat: int | None = None, name: Callable[[int], str] = char_name) -> str:
    """Returns a match as text.

    Args:
        match: the match.
        seat: who looks, 0 for A, 1 for B; None for the asked seat.
        name: how characters are called.
    """
    seen = observe(match, seat)
    parts = [headline(seen, name), board(seen, name), *char_lines(seen, match.pool, name), *card_lines(seen, match.pool, name)]
    return "\n".join(parts)


def headline(seen: Observation, name: Callable[[int], str] = char_name) -> str:
    """Returns time and question in one line."""
    row = seen["match"]
    phase = Phase(int(row[MatchField.PHASE])).name.capitalize()
    text = f"Stint {row[MatchField.STINT]} of {row[MatchField.STINT_LIMIT]}, {phase}"
    if row[MatchField.TURN_CHAR] >= 0:
        text += f", turn of {name(int(row[MatchField.TURN_CHAR]))}"
    if row[MatchField.DECISION]:
        asked = name(int(row[MatchField.ASKED]))
        text += f"; {asked} is asked {Decision(int(row[MatchField.DECISION])).name}"
    return text


def board(seen: Observation, name: Callable[[int], str] = char_name) -> str:
    """Returns the board, north at the top: pieces by name, empty tiles by terrain, altitude behind it where not 0.

    Args:
        seen: what a seat sees.
        name: how characters are called.
    """
    width, height = int(seen["match"][MatchField.WIDTH]), int(seen["match"][MatchField.HEIGHT])
    rows = []
    for y in range(height - 1, -1, -1):
        cells = []
        for x in range(width):
            tile = seen["tiles"][y * SIDE + x]
            char = int(tile[TileField.CHAR])
            cell = name(char) if char >= 0 else TERRAIN_MARKS[Terrain(int(tile[TileField.TERRAIN]))]
            if tile[TileField.ALTITUDE]:
                cell += f"^{tile[TileField.ALTITUDE]}"
            cells.append(cell)
        rows.append((f"{y:>2}", cells))
    rows.append(("  ", [str(x) for x in range(width)]))
    wide = max(5, 1 + max(len(cell) for _, cells in rows for cell in cells))
    return "\n".join(head + "".join(f"{cell:>{wide}}" for cell in cells) for head, cells in rows)


def char_lines(seen: Observation, pool: Pool, name: Callable[[int], str] = char_name) -> list[str]:
    """Returns one line per character."""
    lines = []
    for char, row in enumerate(seen["chars"]):
        if not row[CharField.KIND]:
            continue
        kind = CharKind(int(row[CharField.KIND]))
        called = name(char) if kind == CharKind.HERO else f"{name(char)} {kind.name.lower()}"
        if row[CharField.CARD] >= 0:
            called += f" {pool.cards[int(row[CharField.CARD])].name}"
        life = Life(int(row[CharField.LIFE]))
        text = f"{called}: HP {row[CharField.HP]}/{row[CharField.MAX_HP]}, AP {row[CharField.AP]}"
        if row[CharField.DEBT]:
            text += f" (debt {row[CharField.DEBT]})"
        if life != Life.ALIVE:
            text += f", {life.name.lower()}"
        text += ", " + " ".join(f"{a.name} {row[CharField.ATTRIBUTES + a]}" for a in Attribute)
        if kind == CharKind.HERO:
            text += (
                f", energy {row[CharField.ENERGY]}, hand {row[CharField.HAND]}, deck {row[CharField.DECK]},"
                f" discard {row[CharField.DISCARD]}"
            )
        lines.append(text)
    return lines


def card_text(row: np.ndarray, pool: Pool) -> str:
    """Returns a card of the card table in a few words."""
    if row[CardField.SIGHT] == Sight.PRESENT:
        return "a face-down card"
    card = pool.cards[int(row[CardField.CARD])]
    marks = []
    if row[CardField.HAS_DAMAGE]:
        marks.append(f"{row[CardField.ACTION]} AP, about {row[CardField.DAMAGE]} DMG, range {row[CardField.RANGE]}")
    energy = [(row[CardField.STAMINA], "SP"), (row[CardField.MANA], "MP"), (row[CardField.ESSENCE], "EP")]
    marks += [f"{amount} {unit}" for amount, unit in energy if amount]
    marks += [word for field, word in ((CardField.EXHAUSTED, "exhausted"), (CardField.FACE_DOWN, "asleep")) if row[field]]
    if not row[CardField.USABLE] and row[CardField.ZONE] not in (Zone.SHEET, Zone.DISCARD):
        marks.append("not usable")
    return card.name + (f" ({', '.join(marks)})" if marks else "")


def card_lines(seen: Observation, pool: Pool, name: Callable[[int], str] = char_name) -> list[str]:
    """Returns the cards in sight, one line per owner and zone; the own deck is left out."""
    groups: dict[tuple[int, int], list[str]] = {}
    for row in seen["cards"]:
        zone = int(row[CardField.ZONE])
        if row[CardField.SIGHT] == Sight.UNSEEN or zone in (Zone.DECK, Zone.NONE):
            continue
        groups.setdefault((int(row[CardField.HERO]), zone), []).append(card_text(row, pool))
    lines = []
    for (hero, zone), texts in sorted(groups.items()):
        owner = name(hero) if hero >= 0 else "nobody"
        lines.append(f"{owner} {Zone(zone).name.lower()}: {'; '.join(texts)}")
    return lines
