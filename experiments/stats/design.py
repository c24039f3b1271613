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

from apotheosis.experiments.stats.sides import deck_pair

__all__ = ["Design", "Rows", "assemble", "build"]

_BLOCK = 4096
"""Rows that are made at a time where all are gone through."""


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
        """Yields slices of rows small enough to be made dense."""
        for start in range(0, len(self.at), _BLOCK):
            yield slice(start, min(start + _BLOCK, len(self.at)))

    def differ(self) -> bool:
        """Returns whether the sides of any match differ in a card."""
        width = self.sides.shape[1]
        return any(self[rows][:, 1 : width + 1].count_nonzero() for rows in self.blocks())


@dataclass(frozen=True)
class Design:
    """The regression table of a run.

    Attributes:
        x: (rows, terms), column 0 is the side term (all ones).
        y: float64 (rows,), score of side A.
        clusters: int64 (rows,), cluster codes 0..n-1.
        terms: one row per column of x: kind ("side", "card", "bot", "archetype"), name, suit, level, sides (number of
            sides of finished matches that hold the card or bot).
        unfinished: matches left out because they have no result.
        decks: int64 (rows, 2), codes of the decks of both sides, or None where a deck plays in one cluster only.
    """

    x: Rows
    y: NDArray[np.float64]
    clusters: NDArray[np.int64]
    terms: pd.DataFrame
    unfinished: int = 0
    decks: NDArray[np.int64] | None = None


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
    return _design(against_nothing, at, y, clusters, card_ids, bots, labels, sides)


def _design(
    held: sparse.csr_matrix,
    at: NDArray[np.int32],
    y: NDArray[np.float64],
    clusters: NDArray,
    card_ids: list[str],
    bots: tuple[NDArray, NDArray] | None,
    labels: pd.DataFrame | None,
    sides: NDArray[np.int64],
) -> Design:
    """Builds a design from the cards of each side and the sides of each match; arguments as of `assemble` and `Rows`."""
    others = [np.ones((len(y), 1), dtype=np.int8)]
    names = [("side", "side A", len(y))]
    names += [("card", str(card), int(n)) for card, n in zip(card_ids, sides, strict=True)]
    if bots is not None:
        pools = sorted({str(name) for name in (*np.unique(bots[0].astype(str)), *np.unique(bots[1].astype(str)))})
        if len(pools) > 1:
            others.append(_differences(bots[0], bots[1], pools[1:]))
            names += [("bot", name, int((bots[0] == name).sum() + (bots[1] == name).sum())) for name in pools[1:]]
    terms = pd.DataFrame(names, columns=["kind", "name", "sides"])
    for label in ("suit", "level"):
        known = labels is not None and label in labels.columns
        terms[label] = terms["name"].map(labels[label]) if known and labels is not None else None
    _, codes = np.unique(np.asarray(clusters), return_inverse=True)
    x = Rows(held, at, np.concatenate(others, axis=1))
    return Design(x, np.asarray(y, dtype=float), codes.astype(np.int64), terms)


def build(
    chunks: Iterable[tuple[pd.DataFrame, pd.DataFrame]],
    cluster: str = "deck_pair",
    bots: bool = True,
    archetypes: Mapping[str, str] | None = None,
) -> Design:
    """Builds the design of a run, chunk by chunk; it keeps each side's cards once and a few numbers for each match.

    Args:
        chunks: pairs of a `matches` frame and the `cards` rows of exactly these matches.
        cluster: "deck_pair" or "pair_id". With "deck_pair" the decks are kept too, so that the fit can allow for what a
            deck's matches against different opponents have in common.
        bots: whether bots get a term; leave it on unless the bots of a run are all the same.
        archetypes: archetype of each deck name, for an optional term per archetype.

    Raises:
        ValueError: no match of the run has a result.
    """
    held, kept, places, unfinished = _Sides(), [], [], 0
    for matches, cards in chunks:
        finished = matches[matches["score_a"].notna()].reset_index(drop=True)
        unfinished += len(matches) - len(finished)
        if len(finished) == 0:
            continue
        places.append(held.add(finished, cards))
        kept.append(finished[["pair_id", "seat_a_deck", "seat_b_deck", "seat_a_bot", "seat_b_bot", "score_a"]])
    if not kept:
        raise ValueError("no match of the run has a result, so no effect can be estimated")
    rows = pd.concat(kept, ignore_index=True)
    names, counts, sides = held.table()
    clusters = deck_pair(rows) if cluster == "deck_pair" else rows["pair_id"]
    pools = (rows["seat_a_bot"].to_numpy(dtype=object), rows["seat_b_bot"].to_numpy(dtype=object)) if bots else None
    frame = pd.DataFrame.from_dict(held.labels, orient="index", columns=["suit", "level"])
    score = rows["score_a"].to_numpy(dtype=float)
    design = _design(counts, np.concatenate(places), score, clusters.to_numpy(), names, pools, frame, sides)
    if archetypes is not None:
        design = _with_archetypes(design, rows, archetypes)
    decks = _deck_codes(rows) if cluster == "deck_pair" else None
    return replace(design, unfinished=unfinished, decks=decks)


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


def _deck_codes(rows: pd.DataFrame) -> NDArray[np.int64]:
    """Returns the deck numbers of both sides of each match."""
    names = np.concatenate([rows["seat_a_deck"].astype(str), rows["seat_b_deck"].astype(str)])
    return np.asarray(pd.factorize(names, sort=True)[0], dtype=np.int64).reshape(2, -1).T


def _differences(at_a: NDArray, at_b: NDArray, names: list[str]) -> NDArray[np.int8]:
    """Returns one column per name: +1 where side A has it, -1 where side B has it, 0 where both or none."""
    columns = [(at_a == name).astype(np.int8) - (at_b == name).astype(np.int8) for name in names]
    return np.stack(columns, axis=1)


def _with_archetypes(design: Design, rows: pd.DataFrame, archetypes: Mapping[str, str]) -> Design:
    """Appends difference-coded archetype terms, the first in alphabetical order being the reference."""
    at_a = rows["seat_a_deck"].map(archetypes).to_numpy(dtype=object)
    at_b = rows["seat_b_deck"].map(archetypes).to_numpy(dtype=object)
    names = sorted({str(name) for name in (*at_a, *at_b)})[1:]
    if not names:
        return design
    x = replace(design.x, others=np.concatenate([design.x.others, _differences(at_a, at_b, names)], axis=1))
    extra = pd.DataFrame(
        {
            "kind": "archetype",
            "name": names,
            "sides": [int((at_a == name).sum() + (at_b == name).sum()) for name in names],
        }
    )
    return replace(design, x=x, terms=pd.concat([design.terms, extra], ignore_index=True))
