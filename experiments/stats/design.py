"""Difference-coded designs: one row per match, seat A minus seat B.

The same match must not appear as two "independent" rows, and two decks of one size make the card columns sum to zero
in every row. Both facts are settled here once, so that the regression in `adjusted` only sees a matrix and a list of
terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from apotheosis.experiments.stats.sides import deck_pair

__all__ = ["Design", "assemble", "build"]


@dataclass(frozen=True)
class Design:
    """The regression table of a run.

    Attributes:
        x: int8 CSR (rows, terms); column 0 is the side term (all ones).
        y: float64 (rows,), score of side A.
        clusters: int64 (rows,), cluster codes 0..n-1.
        terms: one row per column of x: kind ("side", "card", "bot", "archetype"), name, suit, level, sides (number of
            sides of finished matches that hold the card or bot).
        unfinished: matches left out because they have no result.
        decks: int64 (rows, 2), codes of the decks of both sides, or None where a deck plays in one cluster only.
    """

    x: sparse.csr_matrix
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
    if sides is None:
        sides = np.asarray(abs(cards).sign().sum(axis=0)).ravel().astype(np.int64)
    blocks, names = (
        [sparse.csr_matrix(np.ones((cards.shape[0], 1), dtype=np.int8)), cards],
        [("side", "side A", len(y))],
    )
    names += [("card", str(card), int(n)) for card, n in zip(card_ids, sides, strict=True)]
    if bots is not None:
        pools = sorted({str(name) for name in (*np.unique(bots[0].astype(str)), *np.unique(bots[1].astype(str)))})
        if len(pools) > 1:
            blocks.append(_differences(bots[0], bots[1], pools[1:]))
            names += [("bot", name, int((bots[0] == name).sum() + (bots[1] == name).sum())) for name in pools[1:]]
    terms = pd.DataFrame(names, columns=["kind", "name", "sides"])
    for label in ("suit", "level"):
        known = labels is not None and label in labels.columns
        terms[label] = terms["name"].map(labels[label]) if known and labels is not None else None
    _, codes = np.unique(np.asarray(clusters), return_inverse=True)
    x = sparse.csr_matrix(sparse.hstack(blocks, format="csr", dtype=np.int8))
    return Design(x, np.asarray(y, dtype=float), codes.astype(np.int64), terms)


def build(
    chunks: Iterable[tuple[pd.DataFrame, pd.DataFrame]],
    cluster: str = "deck_pair",
    bots: bool = True,
    archetypes: Mapping[str, str] | None = None,
) -> Design:
    """Builds the design of a run, chunk by chunk; it keeps about one byte and one index per card and match.

    Args:
        chunks: pairs of a `matches` frame and the `cards` rows of exactly these matches.
        cluster: "deck_pair" or "pair_id". With "deck_pair" the decks are kept too, so that the fit can allow for what a
            deck's matches against different opponents have in common.
        bots: whether bots get a term; leave it on unless the bots of a run are all the same.
        archetypes: archetype of each deck name, for an optional term per archetype.

    Raises:
        ValueError: no match of the run has a result.
    """
    order: dict[str, int] = {}
    parts, kept, labels, unfinished = [], [], {}, 0
    for matches, cards in chunks:
        finished = matches[matches["score_a"].notna()].reset_index(drop=True)
        unfinished += len(matches) - len(finished)
        if len(finished) == 0:
            continue
        parts.append(_counts(finished, cards, order, labels))
        kept.append(finished[["pair_id", "seat_a_deck", "seat_b_deck", "seat_a_bot", "seat_b_bot", "score_a"]])
    if not kept:
        raise ValueError("no match of the run has a result, so no effect can be estimated")
    rows = pd.concat(kept, ignore_index=True)
    width = len(order)
    for part, _ in parts:
        part.resize((part.shape[0], width))
    sides = np.zeros(width, dtype=np.int64)
    for _, held in parts:
        sides[: held.size] += held
    names = sorted(order)
    columns = [order[name] for name in names]
    counts = sparse.csr_matrix(sparse.vstack([part for part, _ in parts], format="csr")[:, columns])
    clusters = deck_pair(rows) if cluster == "deck_pair" else rows["pair_id"]
    pools = (rows["seat_a_bot"].to_numpy(dtype=object), rows["seat_b_bot"].to_numpy(dtype=object)) if bots else None
    frame = pd.DataFrame.from_dict(labels, orient="index", columns=["suit", "level"])
    design = assemble(counts, rows["score_a"].to_numpy(dtype=float), clusters.to_numpy(), names, pools, frame, sides[columns])
    if archetypes is not None:
        design = _with_archetypes(design, rows, archetypes)
    decks = _deck_codes(rows) if cluster == "deck_pair" else None
    return Design(design.x, design.y, design.clusters, design.terms, unfinished, decks)


def _deck_codes(rows: pd.DataFrame) -> NDArray[np.int64]:
    """Returns the deck numbers of both sides of each match."""
    names = np.concatenate([rows["seat_a_deck"].astype(str), rows["seat_b_deck"].astype(str)])
    return np.asarray(pd.factorize(names, sort=True)[0], dtype=np.int64).reshape(2, -1).T


def _differences(at_a: NDArray, at_b: NDArray, names: list[str]) -> sparse.csr_matrix:
    """Returns one column per name: +1 where side A has it, -1 where side B has it, 0 where both or none."""
    columns = [(at_a == name).astype(np.int8) - (at_b == name).astype(np.int8) for name in names]
    return sparse.csr_matrix(np.stack(columns, axis=1))


def _counts(
    matches: pd.DataFrame, cards: pd.DataFrame, order: dict[str, int], labels: dict[str, tuple]
) -> tuple[sparse.csr_matrix, NDArray[np.int64]]:
    """Returns the count differences of one chunk and the sides that hold each card; extends the column order."""
    row = pd.Index(matches["match_id"]).get_indexer(cards["match_id"])
    inside = row >= 0
    code, names = pd.factorize(cards["card_id"])
    has = [label in cards.columns for label in ("suit", "level")]
    first = cards.drop_duplicates("card_id").set_index("card_id")
    for name in names:
        if name not in order:
            order[name] = len(order)
            suit, level = (
                first.at[name, label] if there else None for label, there in zip(("suit", "level"), has, strict=True)
            )
            labels[name] = (suit, level)
    column = np.array([order[name] for name in names], dtype=np.int64)[code][inside]
    row, in_b = row[inside].astype(np.int64), cards["team"].to_numpy(dtype=np.int64)[inside]
    width = len(order)
    held = np.unique((row * 2 + in_b) * width + column)
    sides = np.bincount(held % width, minlength=width)
    values = np.where(in_b == 1, -1, 1).astype(np.int8)
    counts = sparse.csr_matrix(sparse.coo_matrix((values, (row, column)), shape=(len(matches), width)))
    counts.eliminate_zeros()
    return counts, sides


def _with_archetypes(design: Design, rows: pd.DataFrame, archetypes: Mapping[str, str]) -> Design:
    """Appends difference-coded archetype terms, the first in alphabetical order being the reference."""
    at_a = rows["seat_a_deck"].map(archetypes).to_numpy(dtype=object)
    at_b = rows["seat_b_deck"].map(archetypes).to_numpy(dtype=object)
    names = sorted({str(name) for name in (*at_a, *at_b)})[1:]
    if not names:
        return design
    x = sparse.csr_matrix(sparse.hstack([design.x, _differences(at_a, at_b, names)], format="csr", dtype=np.int8))
    extra = pd.DataFrame(
        {
            "kind": "archetype",
            "name": names,
            "sides": [int((at_a == name).sum() + (at_b == name).sum()) for name in names],
        }
    )
    return Design(x, design.y, design.clusters, pd.concat([design.terms, extra], ignore_index=True), design.unfinished)
