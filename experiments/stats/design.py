"""Difference-coded designs: one row per match, seat A minus seat B.

The same match must not appear as two "independent" rows, and two decks of one size make the card columns sum to zero
in every row. Both facts are settled here once, so that the regression in `adjusted` only sees a matrix and a list of
terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["Design", "Rows", "among", "assemble", "build"]

_BLOCK = 16_384
"""Rows that are gone through at a time."""


@dataclass(frozen=True)
class Rows:
    """The rows of a design, made when they are asked for.

    A side is stored once however often it plays, so that a match costs a few bytes and not one for each of its cards.

    Attributes:
        sides: int8 CSR (sides, cards), copies of each card on a side.
        at: int32 (rows, 2), number of the side at A and of that at B.
        others: int8 (rows, other terms), the columns that are no cards; the first is the side term.
    """

    sides: sparse.csr_matrix
    at: NDArray[np.int32]
    others: NDArray[np.int8]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.at), self.sides.shape[1] + self.others.shape[1]

    def __getitem__(self, rows: slice | NDArray[np.int64]) -> sparse.csr_matrix:
        """Returns some rows as int8 CSR: the side term, the cards of A minus those of B, the other terms."""
        at, others = self.at[rows], self.others[rows]
        cards = self.sides[at[:, 0]] - self.sides[at[:, 1]]
        return sparse.csr_matrix(sparse.hstack([others[:, :1], cards, others[:, 1:]], format="csr", dtype=np.int8))

    def blocks(self) -> Iterator[slice]:
        """Yields slices of rows small enough to be gone through at a time."""
        for start in range(0, len(self.at), _BLOCK):
            yield slice(start, min(start + _BLOCK, len(self.at)))

    def differ(self) -> bool:
        """Returns whether the sides of any match differ in a card."""
        return any(
            (self.sides[at[:, 0]] - self.sides[at[:, 1]]).count_nonzero() for at in map(self.at.__getitem__, self.blocks())
        )

    def meetings(self, rows: slice | NDArray[np.int64]) -> tuple[sparse.csr_matrix, NDArray[np.int64], NDArray[np.int8]]:
        """Returns what some rows have in common: mirrored and repeated matches of two sides are one meeting.

        Returns:
            The cards of one side minus those of the other, int8 CSR (meetings, cards); the meeting of each row; and for
            each row 1 where the former side sits at A, -1 where it sits at B.
        """
        at = self.at[rows].astype(np.int64)
        turned = at[:, 0] > at[:, 1]
        low, high = np.where(turned, at[:, 1], at[:, 0]), np.where(turned, at[:, 0], at[:, 1])
        keys, meeting = np.unique(low * self.sides.shape[0] + high, return_inverse=True)
        cards = self.sides[keys // self.sides.shape[0]] - self.sides[keys % self.sides.shape[0]]
        return sparse.csr_matrix(cards), meeting, np.where(turned, -1, 1).astype(np.int8)

    def columns(self, cards: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns values of cards and of other terms, along the last axis, in the order of the columns."""
        return np.concatenate([others[..., :1], cards, others[..., 1:]], axis=-1)

    def parts(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the values of the cards and of the other terms from those of all columns, of one dimension."""
        stop = 1 + self.sides.shape[1]
        return values[1:stop], np.concatenate([values[:1], values[stop:]])


@dataclass(frozen=True)
class Design:
    """The regression table of a run.

    Attributes:
        x: (rows, terms), column 0 is the side term (all ones).
        y: float32 (rows,), score of side A.
        clusters: int32 (rows,), cluster codes 0..n-1.
        terms: one row per column of x: kind ("side", "card", "bot", "archetype"), name, suit, level, sides (number of
            sides of finished matches that hold the card or bot).
        unfinished: matches left out because they have no result.
        decks: int32 (rows, 2), codes of the decks of both sides, or None where a deck plays in one cluster only.
        bots: int16 (rows, 2), numbers of the bots of both sides, or None where the bots have no part in the design.
        bot_names: their names, sorted.
        times: float64 (rows,), how often a cluster with these rows occurred, or None where each did once.
    """

    x: Rows
    y: NDArray[np.float32]
    clusters: NDArray[np.int32]
    terms: pd.DataFrame
    unfinished: int = 0
    decks: NDArray[np.int32] | None = None
    bots: NDArray[np.int16] | None = None
    bot_names: tuple[str, ...] = ()
    times: NDArray[np.float64] | None = None


def assemble(
    counts: sparse.spmatrix,
    y: NDArray[np.float64],
    clusters: NDArray,
    card_ids: list[str],
    bots: tuple[NDArray, NDArray] | None = None,
    labels: pd.DataFrame | None = None,
    sides: NDArray[np.int64] | None = None,
) -> Design:
    """Builds a design from card count differences.

    Args:
        counts: (rows, cards), copies at side A minus copies at side B.
        y: score of side A per row.
        clusters: cluster of each row, any hashable values.
        card_ids: names of the columns.
        bots: names of the bots at side A and at side B per row; no bot terms without them or with a single bot.
        labels: suit and level of the cards, indexed by card id.
        sides: number of sides that hold each card; counted from non-zero differences if absent.
    """
    cards = sparse.csr_matrix(counts, dtype=np.int8)
    n = cards.shape[0]
    if sides is None:
        sides = np.asarray(abs(cards).sign().sum(axis=0)).ravel().astype(np.int64)
    against_nothing = sparse.csr_matrix(sparse.vstack([cards, sparse.csr_matrix((1, cards.shape[1]), dtype=np.int8)]))
    at = np.stack([np.arange(n), np.full(n, n)], axis=1).astype(np.int32)
    pools = None
    if bots is not None:
        names, code = np.unique(np.stack([np.asarray(part).astype(str) for part in bots], axis=1), return_inverse=True)
        pools = (code.reshape(-1, 2).astype(np.int16), [str(name) for name in names])
    return _design(against_nothing, at, np.asarray(y, np.float32), clusters, card_ids, pools, labels, sides)


def _design(
    held: sparse.csr_matrix,
    at: NDArray[np.int32],
    y: NDArray[np.float32],
    clusters: NDArray,
    card_ids: list[str],
    bots: tuple[NDArray[np.int16], list[str]] | None,
    labels: pd.DataFrame | None,
    sides: NDArray[np.int64],
) -> Design:
    """Builds a design from the cards of each side and the sides of each match; arguments as of `assemble` and `Rows`.

    Args:
        bots: numbers of the bots of both sides per row, and the names, sorted.
    """
    others = [np.ones((len(y), 1), dtype=np.int8)]
    names = [("side", "side A", len(y))]
    names += [("card", str(card), int(n)) for card, n in zip(card_ids, sides, strict=True)]
    if bots is not None and len(bots[1]) > 1:
        others.append(_differences(bots[0], range(1, len(bots[1]))))
        names += [("bot", name, int((bots[0] == k).sum())) for k, name in enumerate(bots[1]) if k]
    terms = pd.DataFrame(names, columns=["kind", "name", "sides"])
    for label in ("suit", "level"):
        known = labels is not None and label in labels.columns
        terms[label] = terms["name"].map(labels[label]) if known and labels is not None else None
    _, codes = np.unique(np.asarray(clusters), return_inverse=True)
    x = Rows(held, at, np.concatenate(others, axis=1))
    own = (None, ()) if bots is None else (bots[0], tuple(bots[1]))
    return Design(x, np.asarray(y, np.float32), codes.astype(np.int32), terms, bots=own[0], bot_names=own[1])


def build(
    chunks: Iterable[tuple[pd.DataFrame, pd.DataFrame]],
    cluster: str = "deck_pair",
    bots: bool = True,
    archetypes: Mapping[str, str] | None = None,
) -> Design:
    """Builds the design of a run, chunk by chunk; it keeps each side's cards once and 26 bytes for each match.

    Args:
        chunks: pairs of a `matches` frame and the `cards` rows of exactly these matches.
        cluster: "deck_pair" or "pair_id". With "deck_pair" the decks are kept too, so that the fit can allow for what a
            deck's matches against different opponents have in common.
        bots: whether bots get a term; leave it on unless the bots of a run are all the same.
        archetypes: archetype of each deck name, for an optional term per archetype.

    Raises:
        ValueError: no match of the run has a result.
    """
    held, decks, pools = _Sides(), _Names(), _Names()
    kept: dict[str, list[NDArray]] = {name: [] for name in ("at", "y", "pair", "deck", "bot")}
    unfinished = 0
    for matches, cards in chunks:
        finished = matches[matches["score_a"].notna()].reset_index(drop=True)
        unfinished += len(matches) - len(finished)
        if len(finished):
            kept["at"].append(held.add(finished, cards))
            kept["y"].append(finished["score_a"].to_numpy(dtype=np.float32))
            kept["pair"].append(finished["pair_id"].to_numpy())
            kept["deck"].append(decks.both(finished, "deck").astype(np.int32))
            kept["bot"].append(pools.both(finished, "bot").astype(np.int16))
    if not kept["at"]:
        raise ValueError("no match of the run has a result, so no effect can be estimated")
    at, y, pair, deck, bot = (np.concatenate(kept.pop(name)) for name in list(kept))
    deck_names, deck = decks.ordered(deck)
    bot_names, bot = pools.ordered(bot)
    names, counts, sides = held.table()
    frame = pd.DataFrame.from_dict(held.labels, orient="index", columns=["suit", "level"])
    clusters = pair if cluster == "pair_id" else _unordered(deck, len(deck_names))
    design = _design(counts, at, y, clusters, names, (bot, bot_names) if bots else None, frame, sides)
    if archetypes is not None:
        design = _with_archetypes(design, deck, [archetypes[name] for name in deck_names])
    return replace(design, unfinished=unfinished, decks=None if cluster == "pair_id" else deck)


def among(design: Design, bot: str) -> Design | None:
    """Returns the part of a design that a bot played against itself, with the cards that were played in it.

    Args:
        design: made by `build` with bots.
        bot: name of the bot.

    Returns:
        The part, None where the bot never played against itself. Decks are numbered anew.
    """
    if design.bots is None or bot not in design.bot_names:
        return None
    rows = np.flatnonzero((design.bots == design.bot_names.index(bot)).all(axis=1))
    if not rows.size:
        return None
    played = np.bincount(design.x.at[rows].ravel(), minlength=design.x.sides.shape[0])
    held = np.asarray(design.x.sides.astype(bool).T @ played).ravel()
    cards = np.flatnonzero(held)
    terms = design.terms.iloc[np.concatenate([[0], 1 + cards])].reset_index(drop=True)
    terms["sides"] = np.concatenate([[rows.size], held[cards]])
    x = Rows(sparse.csr_matrix(design.x.sides[:, cards]), design.x.at[rows], design.x.others[rows, :1])
    decks = None if design.decks is None else np.unique(design.decks[rows], return_inverse=True)[1].reshape(-1, 2)
    return Design(
        x=x,
        y=design.y[rows],
        clusters=np.unique(design.clusters[rows], return_inverse=True)[1].astype(np.int32),
        terms=terms,
        decks=None if decks is None else decks.astype(np.int32),
    )


class _Names:
    """Numbers names in the order in which they come."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}

    def both(self, matches: pd.DataFrame, what: str) -> NDArray[np.int64]:
        """Returns the numbers of what sits at A and at B, (matches, 2)."""
        columns = []
        for side in "ab":
            code, names = pd.factorize(matches[f"seat_{side}_{what}"])
            numbers = [self._number.setdefault(str(name), len(self._number)) for name in names]
            columns.append(np.array(numbers, dtype=np.int64)[code])
        return np.stack(columns, axis=1)

    def ordered(self, codes: NDArray) -> tuple[list[str], NDArray]:
        """Returns the names, sorted, and codes in their order, in the type of the given ones."""
        names = sorted(self._number)
        place = np.empty(len(names), dtype=codes.dtype)
        place[[self._number[name] for name in names]] = np.arange(len(names))
        return names, place[codes]


def _unordered(codes: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    """Returns one number for each pair of codes, whichever comes first."""
    return codes.min(axis=1).astype(np.int64) * count + codes.max(axis=1)


class _Sides:
    """The sides of a run, each with its cards once; it tells sides apart by their cards, not by the names of decks.

    Attributes:
        labels: suit and level of each card.
    """

    def __init__(self) -> None:
        self.labels: dict[str, tuple] = {}
        self._order: dict[str, int] = {}
        self._number: dict[bytes, int] = {}
        self._cards: list[NDArray[np.int32]] = []
        self._copies: list[NDArray[np.int8]] = []
        self._played: list[int] = []

    def add(self, matches: pd.DataFrame, cards: pd.DataFrame) -> NDArray[np.int32]:
        """Adds one chunk; returns the numbers of the sides at A and at B of each match."""
        row = pd.Index(matches["match_id"]).get_indexer(cards["match_id"])
        column, inside = self._columns(cards), row >= 0
        seat = 2 * row[inside].astype(np.int64) + cards["team"].to_numpy(dtype=np.int64)[inside]
        shape = (2 * len(matches), len(self._order))
        ones = np.ones(len(seat), dtype=np.int8)
        counts = sparse.csr_matrix(sparse.coo_matrix((ones, (seat, column[inside])), shape=shape))
        counts.sort_indices()
        found = np.empty(shape[0], dtype=np.int32)
        for place, (start, stop) in enumerate(pairwise(counts.indptr)):
            found[place] = self._known(counts.indices[start:stop], counts.data[start:stop])
        return found.reshape(-1, 2)

    def table(self) -> tuple[list[str], sparse.csr_matrix, NDArray[np.int64]]:
        """Returns the cards in order, the copies of each on each side, and the sides of matches that held each."""
        names = sorted(self._order)
        place = np.empty(len(names), dtype=np.int32)
        place[[self._order[name] for name in names]] = np.arange(len(names))
        ends = np.concatenate([[0], np.cumsum([len(part) for part in self._cards])])
        columns = place[np.concatenate(self._cards)] if ends[-1] else np.empty(0, dtype=np.int32)
        counts = sparse.csr_matrix((np.concatenate(self._copies), columns, ends), shape=(len(self._cards), len(names)))
        counts.sort_indices()
        held = np.bincount(columns, weights=np.repeat(self._played, np.diff(ends)), minlength=len(names))
        return names, counts, held.astype(np.int64)

    def _columns(self, cards: pd.DataFrame) -> NDArray[np.int64]:
        """Returns the number of each row's card; new cards get the next numbers."""
        code, names = pd.factorize(cards["card_id"])
        first = cards.drop_duplicates("card_id").set_index("card_id")
        for name in names:
            if name not in self._order:
                self._order[name] = len(self._order)
                self.labels[name] = tuple(first.at[name, label] if label in first else None for label in ("suit", "level"))
        return np.array([self._order[name] for name in names], dtype=np.int64)[code]

    def _known(self, cards: NDArray[np.int32], copies: NDArray[np.int8]) -> int:
        """Returns the number of a side and counts its match."""
        key = cards.tobytes() + copies.tobytes()
        number = self._number.get(key)
        if number is None:
            number = self._number[key] = len(self._cards)
            self._cards.append(cards.astype(np.int32))
            self._copies.append(copies.copy())
            self._played.append(0)
        self._played[number] += 1
        return number


def _differences(codes: NDArray, numbers: Iterable[int]) -> NDArray[np.int8]:
    """Returns one column per number: +1 where side A has it, -1 where side B has it, 0 where both or none."""
    columns = [(codes[:, 0] == k).astype(np.int8) - (codes[:, 1] == k).astype(np.int8) for k in numbers]
    return np.stack(columns, axis=1)


def _with_archetypes(design: Design, decks: NDArray[np.int32], kinds: list[str]) -> Design:
    """Appends difference-coded archetype terms, the first in alphabetical order being the reference.

    Args:
        design: the design.
        decks: numbers of the decks of both sides per row.
        kinds: archetype of each deck.
    """
    names, code = np.unique(np.array(kinds, dtype=str), return_inverse=True)
    if len(names) < 2:
        return design
    at = code[decks]
    others = np.concatenate([design.x.others, _differences(at, range(1, len(names)))], axis=1)
    sides = [int((at == k).sum()) for k in range(1, len(names))]
    extra = pd.DataFrame({"kind": "archetype", "name": [str(name) for name in names[1:]], "sides": sides})
    return replace(design, x=replace(design.x, others=others), terms=pd.concat([design.terms, extra], ignore_index=True))
