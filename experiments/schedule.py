"""Who meets whom: the decks and bots of every pair, as a function of its number alone.

A schedule is never stored. Any worker computes the rows of any range of pairs, so that chunks can be played in any
order, anywhere, and again. In the second match of a mirrored pair decks and bots change seats together; the seeds stay
with the seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from apotheosis.env.errors import InputError
from apotheosis.experiments.seeds import Purpose, spawned
from apotheosis.experiments.spec import VERSIONS


@dataclass(frozen=True)
class Chunk:
    """A range of pairs: the unit of work, of storage and of resuming."""

    number: int
    first_pair: int
    pairs: int


@dataclass(frozen=True)
class Schedule:
    """The pairings of a run.

    Attributes:
        n_sides: number of sides (a side is the decks of one team).
        bots: names of the bots.
        kind: design: `random_decks`, `round_robin`, `gauntlet`, `pairs`, `swap`, `field`, the swap in which both
            versions of a deck meet the same opponents on the same seeds, or `both`, the same with four versions.
        crossing: `balanced` (every ordered pair of bots), `same` (a bot meets itself) or `pairs` (two different bots).
        mirror: whether each pair is two matches with exchanged seats.
        run_seed: seed of the run.
        experiment: first entry of the spawn keys.
    """

    n_sides: int
    bots: tuple[str, ...]
    kind: str
    crossing: str
    mirror: bool
    run_seed: int
    experiment: int

    @property
    def matches_per_pair(self) -> int:
        """2 where mirrored, 1 otherwise."""
        return 2 if self.mirror else 1

    def cells(self) -> list[tuple[int, int]] | None:
        """Returns the pairings of sides that repeat, or None where each round has new ones."""
        if self.kind == "random_decks" or self.kind in VERSIONS:
            return None
        if self.kind == "round_robin":
            return list(combinations(range(self.n_sides), 2))
        if self.kind == "gauntlet":
            return [(0, other) for other in range(1, self.n_sides)]
        return [(first, first + 1) for first in range(0, self.n_sides, 2)]

    def bot_pairs(self) -> list[tuple[int, int]]:
        """Returns the ordered pairs of bots that meet."""
        numbers = range(len(self.bots))
        if self.crossing == "same":
            return [(bot, bot) for bot in numbers]
        pairs = product(numbers, numbers)
        return [(one, two) for one, two in pairs if self.crossing == "balanced" or self.bots[one] != self.bots[two]]

    def check(self) -> None:
        """Refuses a number of decks that the design cannot pair.

        Raises:
            InputError: too few sides, or an odd number where they come in pairs.
        """
        if self.n_sides < 2:
            raise InputError(f"the design {self.kind} needs at least 2 decks (for each team), got {self.n_sides}")
        if self.kind in VERSIONS and self.n_sides < 2 * VERSIONS[self.kind]:
            needed, key = ("both cards", "design.partner") if self.kind == "both" else ("the card", "design.against")
            raise InputError(f"a swap against the field needs at least 2 decks that hold {needed}", key)
        if self.kind in ("pairs", "swap") and self.n_sides % 2:
            raise InputError(f"the design {self.kind} pairs decks 1-2, 3-4, ...; got an odd number, {self.n_sides}")

    def rows(self, first_pair: int, n_pairs: int) -> dict[str, np.ndarray]:
        """Returns the matches of a range of pairs, in issue order.

        Args:
            first_pair: first pair of the range.
            n_pairs: pairs in the range.

        Returns:
            Columns of length n_pairs * matches_per_pair: match_id and pair_id (int64), seed_pair (int64: the pair whose
            seeds are used, the first of those that share them), second (bool: seats exchanged), side_a, side_b, bot_a,
            bot_b (int64 numbers of sides and bots).
        """
        pairs = np.arange(first_pair, first_pair + n_pairs, dtype=np.int64)
        cells = self.cells()
        versions = VERSIONS.get(self.kind, 1)
        if versions > 1:
            sides, bots = self._against_field(pairs)
        elif cells is None:
            sides = self._drawn(pairs, self.n_sides, Purpose.DECK_ORDER)
            bots = np.array(self.bot_pairs())[self._shuffled(pairs, len(self.bot_pairs()), Purpose.BOT_ORDER)]
        else:
            sides, bots = self._repeated(pairs, cells)
        repeat, second = np.repeat(pairs, self.matches_per_pair), np.tile([False, True], n_pairs)
        if not self.mirror:
            second = np.zeros(n_pairs, bool)
        sides, bots = np.repeat(sides, self.matches_per_pair, 0), np.repeat(bots, self.matches_per_pair, 0)
        first_match = first_pair * self.matches_per_pair
        a, b = np.where(second, 1, 0), np.where(second, 0, 1)
        at = np.arange(len(repeat))
        return {
            "match_id": first_match + at,
            "pair_id": repeat,
            "seed_pair": repeat - repeat % versions,
            "second": second,
            "side_a": sides[at, a],
            "side_b": sides[at, b],
            "bot_a": bots[at, a],
            "bot_b": bots[at, b],
        }

    def _repeated(self, pairs: np.ndarray, cells: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
        """Runs through the cells again and again; bots shift by one each time, so that every cell meets all of them."""
        bot_pairs = self.bot_pairs()
        number, round_ = pairs % len(cells), pairs // len(cells)
        sides = np.array(cells)[number]
        bots = np.array(bot_pairs)[(number + round_) % len(bot_pairs)]
        if not self.mirror:
            turned = ((number + round_ // len(bot_pairs)) % 2 == 1)[:, None]
            sides, bots = np.where(turned, sides[:, ::-1], sides), np.where(turned, bots[:, ::-1], bots)
        return sides, bots

    def _against_field(self, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lets the versions of a deck follow each other, each against the plainest version of another deck.

        Sides are the versions of each deck, the plainest last: with the card and with its baseline, or with both cards,
        with the first, with the second and with neither. Every deck meets all others in turn.
        """
        versions = VERSIONS[self.kind]
        bot_pairs, decks = self.bot_pairs(), self.n_sides // versions
        number, round_ = (pairs // versions) % decks, pairs // versions // decks
        other = (number + 1 + round_ % (decks - 1)) % decks
        sides = np.stack([versions * number + pairs % versions, versions * other + versions - 1], axis=1)
        return sides, np.array(bot_pairs)[(number + round_) % len(bot_pairs)]

    def _drawn(self, pairs: np.ndarray, n: int, purpose: Purpose) -> np.ndarray:
        """Pairs all n sides at random, again in each round, so that every side plays equally often."""
        per_round = n // 2
        slots = np.stack([2 * (pairs % per_round), 2 * (pairs % per_round) + 1], axis=1)
        return self._permuted(slots, pairs // per_round, n, purpose)

    def _shuffled(self, pairs: np.ndarray, n: int, purpose: Purpose) -> np.ndarray:
        """Runs through n numbers in a new random order in each round."""
        return self._permuted((pairs % n)[:, None], pairs // n, n, purpose)[:, 0]

    def _permuted(self, slots: np.ndarray, rounds: np.ndarray, n: int, purpose: Purpose) -> np.ndarray:
        """Returns the entries of random orders of n numbers, one order for each round: the ranks of n hashed keys."""
        rounds, at = np.unique(rounds, return_inverse=True)
        keys = spawned(self.run_seed, self.experiment, rounds, int(purpose) + np.arange(n))
        return np.argsort(keys, axis=1, kind="stable")[at[:, None], slots]
