"""The arena as environments set it up: the format of ARENA A1, and matches dealt from decks and a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from apotheosis.env.errors import InputError, unknown

if TYPE_CHECKING:
    from apotheosis.env.cards.decks import Deck
    from apotheosis.env.cards.pool import Pool

BOARDS = {1: (3, 4), 2: (5, 5), 3: (8, 8)}
"""Width and height by team size where the format names no board (A1)."""

PROFILES = ("TENS", "UNITS", "DIRECT")
STREAMS = 5
"""Dice streams that a match reads: shuffle A, shuffle B, effects, bot A, bot B."""

SEATS = ("seat_a", "seat_b")
"""The names of the two sides as agents."""


@dataclass(frozen=True)
class ArenaFormat:
    """The parameters of ARENA A1 with its defaults; terrain is all field."""

    profile: str = "TENS"
    team_size: int = 1
    board: tuple[int, int] | None = None
    hero_level: int = 7
    deck_size: int = 30
    opening_hand: int = 6
    muster: int = 3
    draw_per_turn: int = 1
    stint_limit: int = 20
    loot: bool = False
    nested_reactions: bool = True
    multi_response: bool = False
    score_cap: int | None = None
    initiative: str = "rule"

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise unknown("profile", self.profile, PROFILES)
        if self.initiative not in ("rule", "random"):
            raise unknown("initiative", self.initiative, ("rule", "random"))
        if self.team_size not in BOARDS:
            raise InputError(f"a team has 1 to 3 Heroes, not {self.team_size}")
        width, height = self.size
        if not (self.team_size <= width <= 11 and 2 <= height <= 11):
            raise InputError(f"board {width}x{height} does not fit: the width is {self.team_size} to 11, the height 2 to 11")

    @property
    def size(self) -> tuple[int, int]:
        """The board's width and height in tiles."""
        return self.board or BOARDS[self.team_size]

    @classmethod
    def of(cls, **keys: object) -> ArenaFormat:
        """Returns a format from keys of A1.

        Raises:
            InputError: a key is unknown.
        """
        allowed = [field.name for field in fields(cls)]
        for key in keys:
            if key not in allowed:
                raise unknown("key of the format", key, allowed)
        return cls(**keys)  # type: ignore[arg-type]


class Dealer:
    """Deals matches: which decks meet, and the keys of their dice.

    Args:
        pool: the cards.
        form: the format.
        decks: decks to play with; None draws random decks. As many decks as a match has Heroes are dealt in their order
            (side A, side B, side A, ...); of more decks each Hero gets one at random.
        generator: "coherent" or "uniform", for random decks.
        bank: draw only this many random decks and deal from them, for fast dealing; 0 draws fresh decks every time.

    Raises:
        InputError: a deck breaks a rule of ARENA A2 or there are too few.
    """

    def __init__(
        self,
        pool: Pool,
        form: ArenaFormat | None = None,
        decks: Sequence[Deck] | None = None,
        generator: str = "coherent",
        bank: int = 0,
    ):
        self.pool = pool
        self.form = form or ArenaFormat()
        self.heroes = 2 * self.form.team_size
        self.generator = generator
        self._bank = bank
        self._rows: np.ndarray | None = None
        self._sampler = None
        self._template = self._make_template()
        if decks is not None:
            self._rows = self._checked(decks)

    def _make_template(self) -> np.ndarray:
        from apotheosis.env.cards.lineup import fill_lineup
        from apotheosis.env.rules.layout import COPIES, LINEUP

        template = np.zeros(1, LINEUP)
        fill_lineup(template[0], self.form, np.empty((0, COPIES), np.int16))
        return template

    def _checked(self, decks: Sequence[Deck]) -> np.ndarray:
        from apotheosis.env.cards.decks import violations
        from apotheosis.env.cards.lineup import deck_row

        if len(decks) < self.heroes:
            raise InputError(f"a match needs {self.heroes} decks, {len(decks)} are given")
        for deck in decks:
            broken = violations(deck, self.pool, self.form)
            if broken:
                raise InputError("; ".join(map(str, broken)), f"deck {deck.name}")
        return np.stack([deck_row(deck, self.pool) for deck in decks])

    def _draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        from apotheosis.env.cards.deck_draws import DeckSampler
        from apotheosis.env.cards.lineup import drawn_rows

        if self._sampler is None:
            self._sampler = DeckSampler(self.pool, self.form, self.generator)
        return drawn_rows(self._sampler.draw_many(count, rng))

    def deal(self, rng: np.random.Generator, count: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Deals matches.

        Args:
            rng: a seeded generator; nothing else decides.
            count: how many.

        Returns:
            LINEUP rows, shape (count,), and the keys of the dice, int64 of shape (count, STREAMS).
        """
        lineups = np.repeat(self._template, count)
        if self._rows is None and self._bank:
            self._rows = self._draw(max(self._bank, self.heroes), rng)
        if self._rows is None:
            rows = self._draw(count * self.heroes, rng).reshape(count, self.heroes, -1)
        elif len(self._rows) == self.heroes:
            rows = np.broadcast_to(self._rows, (count, *self._rows.shape))
        else:
            rows = self._rows[rng.integers(len(self._rows), size=(count, self.heroes))]
        lineups["cards"][:, : self.heroes] = rows
        return lineups, rng.integers(0, 2**32, size=(count, STREAMS), dtype=np.int64)
