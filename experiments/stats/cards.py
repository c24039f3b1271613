"""Observational card rates of a run, in constant memory and with cluster-robust intervals.

The `cards` frame has one row per card copy and match, far too many to hold. `tally` reduces a chunk of it to cluster
moments per card, `merge` adds chunks, `metrics` turns the sums into rates. All rates but the window effect are
context, not effects: which decks hold a card, which bot plays it and how long a match lasts all move them (METHOD
section 1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln

from apotheosis.experiments.stats.intervals import Interval
from apotheosis.experiments.stats.moments import ClusterMoments
from apotheosis.experiments.stats.sides import deck_pair, side_scores

__all__ = ["EVENTS", "UNFINISHED_LIMIT", "CardTally", "merge", "metrics", "tally", "window_probability"]

EVENTS = ("opening", "drawn", "placed", "activated")
"""What may happen to a card that is in the deck; each has its own rate."""

UNFINISHED_LIMIT = 0.001
"""Share of unfinished matches above which bounds are printed (METHOD section 0, rule 6)."""

_COUNTED = ("deck_a", "deck_b", *EVENTS)
_COLUMNS = tuple(f"{kind}_{what}" for what in _COUNTED for kind in ("n", "s", "u"))
_EXTRA = (
    "w_y", "w_z", "w_q", "copies", "opening_copies", "kept", "drawn_copies", "dead_turns", "placed_copies", "placed_turns",
    "used",
)  # fmt: skip
_AT = {name: position for position, name in enumerate((*_COLUMNS, *_EXTRA))}
_LABELS = ("suit", "level", "rarity")


@dataclass(frozen=True)
class CardTally:
    """Sums of card events; add tallies of chunks with `merge`.

    Attributes:
        keys: one row per card (and value of `by`): card_id, suit, level, rarity where the frame has them.
        moments: cluster moments in the order of the rows of `keys`, for clusters that are complete.
        pending: sums per key and cluster of clusters that may return in another chunk; None when clusters are pairs.
        window: number of positions that count as "seen early".
        by: name of the extra key, or None.
    """

    keys: pd.DataFrame
    moments: ClusterMoments
    pending: pd.DataFrame | None
    window: int
    by: str | None


def window_probability(copies: NDArray[np.int64], deck_size: NDArray[np.int64], window: int) -> NDArray[np.float64]:
    """Returns the chance that at least one of several copies is among the first cards of a shuffled deck.

    Args:
        copies: copies in the deck.
        deck_size: cards in the deck.
        window: number of first cards, at most the deck size.

    Source: hypergeometric, 1 - C(N - m, k) / C(N, k).
    """
    m, n = np.asarray(copies, dtype=float), np.asarray(deck_size, dtype=float)
    k = np.minimum(float(window), n)
    rest = n - m - k
    safe = np.maximum(rest, 0.0)
    missed = np.exp(gammaln(n - m + 1) - gammaln(safe + 1) - gammaln(n + 1) + gammaln(n - k + 1))
    return np.where(rest < 0, 1.0, 1.0 - missed)


def tally(
    matches: pd.DataFrame, cards: pd.DataFrame, window: int = 9, cluster: str = "pair_id", by: str | None = None
) -> CardTally:
    """Reduces one chunk of a run to sums per card.

    Args:
        matches: the chunk's `matches` frame.
        cards: the `cards` rows of exactly these matches.
        window: positions of the initial shuffle that count as seen early; opening hand plus three draws by default.
        cluster: "pair_id", whose matches never span two chunks, or "deck_pair" for runs that repeat deck pairs.
        by: a further key, "bot" or "deck" of the card's side.
    """
    if cluster not in ("pair_id", "deck_pair"):
        raise ValueError(f"clusters are pair_id or deck_pair, {cluster!r} was given")
    seen, numbers = _per_seat(matches, cards, window)
    cluster_of = (deck_pair(matches) if cluster == "deck_pair" else matches["pair_id"]).to_numpy()
    cluster_code, clusters = pd.factorize(cluster_of)
    card_code, card_ids = pd.factorize(seen["card_id"], sort=True)
    code, names = card_code.astype(np.int64), {"card_id": np.asarray(card_ids, dtype=object)}
    if by is not None:
        by_code, values = pd.factorize(seen[by], sort=True)
        code = code * len(values) + by_code
        names = {"card_id": np.repeat(names["card_id"], len(values)), by: np.tile(np.asarray(values), len(card_ids))}
    key_names = list(names)
    cell, place = np.unique(code * max(len(clusters), 1) + cluster_code[seen["row"]], return_inverse=True)
    sums = sparse.csr_matrix((np.ones(len(place)), (place, np.arange(len(place)))), shape=(len(cell), len(place))) @ numbers
    found, key = np.unique(cell // max(len(clusters), 1), return_inverse=True)
    keys = pd.DataFrame({name: values[found] for name, values in names.items()})
    labels = [name for name in _LABELS if name in cards.columns]
    if labels:
        own = cards[["card_id", *labels]].drop_duplicates("card_id")
        keys = keys.merge(own.astype(dict.fromkeys(own.columns, object)), on="card_id", how="left")
    if cluster == "deck_pair":
        cells = keys[key_names].iloc[key].assign(cluster=clusters[cell % len(clusters)]).reset_index(drop=True)
        cells = pd.concat([cells, pd.DataFrame(sums, columns=list(_AT))], axis=1)
        return CardTally(keys, ClusterMoments.empty(len(keys), len(_AT)), cells, window, by)
    return CardTally(keys, ClusterMoments.from_cells(key, sums, len(keys)), None, window, by)


def merge(tallies: Iterable[CardTally]) -> CardTally:
    """Adds the tallies of chunks.

    Raises:
        ValueError: there is nothing to add, or the tallies were made with different settings.
    """
    total: CardTally | None = None
    for part in tallies:
        total = part if total is None else _add(total, part)
    if total is None:
        raise ValueError("there is no tally to merge")
    return total


def metrics(tallied: CardTally, level: float = 0.95) -> pd.DataFrame:
    """Returns one row per card with its rates, their intervals and plain counts.

    Each rate `x` of included, standardised, opening, drawn, placed, activated comes as x, x_se, x_low, x_high and
    x_n (sides); differences iwd (drawn minus not drawn, disjoint groups) and window (seen early minus late, the
    randomised one) likewise. `iwd_disagrees` marks cards whose drawn improvement excludes the window effect: match
    length, not the card, made it. `unfinished` is the share of sides without result; `bound_low` and `bound_high`
    count them as lost and as won.
    """
    moments = tallied.moments
    key_names = ["card_id"] if tallied.by is None else ["card_id", tallied.by]
    if tallied.pending is not None:
        moments = moments + _moments(tallied.pending, key_names, tallied.keys)
    moments = _with_sums(moments)
    total = {name: moments.totals[:, position] for name, position in _WIDE.items()}
    table = tallied.keys.copy()
    table["games"] = (total["n_deck"] + total["u_deck"]).astype(np.int64)
    table["clusters"] = moments.clusters.astype(np.int64)
    _write(table, "included", moments.ratio(_WIDE["s_deck"], _WIDE["n_deck"], level), total["n_deck"])
    both = moments.ratio_mean((_WIDE["s_deck_a"], _WIDE["n_deck_a"]), (_WIDE["s_deck_b"], _WIDE["n_deck_b"]), level)
    _write(table, "standardised", both, total["n_deck"])
    for event in EVENTS:
        _write(table, event, moments.ratio(_WIDE[f"s_{event}"], _WIDE[f"n_{event}"], level), total[f"n_{event}"])
    undrawn = (_WIDE["s_undrawn"], _WIDE["n_undrawn"])
    iwd = moments.ratio_difference((_WIDE["s_drawn"], _WIDE["n_drawn"]), undrawn, level)
    _write(table, "iwd", iwd, np.minimum(total["n_drawn"], total["n_undrawn"]))
    window = _window_effect(moments, level)
    _write(table, "window", window, np.where(total["w_q"] > 0, total["n_deck"], 0))
    known = np.isfinite(table["iwd"]) & np.isfinite(table["window"])
    gap = np.hypot(table["iwd_high"] - table["iwd_low"], table["window_high"] - table["window_low"]) / 2
    table["iwd_disagrees"] = known & (np.abs(table["iwd"] - table["window"]) > gap)
    return _describe(table, total)


def _per_seat(matches: pd.DataFrame, cards: pd.DataFrame, window: int) -> tuple[dict[str, NDArray], NDArray[np.float64]]:
    """Returns for each match, hero and card what it is (row of the match, card_id, bot, deck) and the columns of a cell."""
    row = pd.Index(matches["match_id"]).get_indexer(cards["match_id"])
    if (row < 0).any():
        missing = cards["match_id"].to_numpy()[row < 0][0]
        raise ValueError(f"the card table names match {missing}, which the match table does not have")
    name, card_ids = pd.factorize(cards["card_id"])
    seat = cards["hero" if "hero" in cards.columns else "team"].to_numpy(dtype=np.int64)
    seats = int(seat.max()) + 1 if seat.size else 1
    in_b = cards["team"].to_numpy(dtype=np.int64)
    group, first, code = np.unique((row * seats + seat) * max(len(card_ids), 1) + name, return_index=True, return_inverse=True)

    def count(*columns: str) -> NDArray[np.float64]:
        if not set(columns) <= set(cards.columns):
            return np.zeros(group.size)
        values = np.ones(len(cards))
        for column in columns:
            values *= np.nan_to_num(cards[column].to_numpy(dtype=float, na_value=np.nan))
        return np.bincount(code, weights=values, minlength=group.size).astype(float)

    side_row, side_b = row[first], in_b[first]
    score, bot, deck = side_scores(matches, side_row, side_b)
    finished, won = ~np.isnan(score), np.nan_to_num(score)
    counted = {column: count(column) for column in ("opening_hand", "drawn", "placed", "activated", "reacted")}
    happened = {
        "deck_a": side_b == 0,
        "deck_b": side_b == 1,
        "opening": counted["opening_hand"] > 0,
        "drawn": counted["drawn"] > 0,
        "placed": counted["placed"] > 0,
        "activated": counted["activated"] > 0,
    }
    numbers = np.zeros((group.size, len(_AT)))
    for what, flag in happened.items():
        numbers[:, _AT[f"n_{what}"]] = flag & finished
        numbers[:, _AT[f"s_{what}"]] = flag * won
        numbers[:, _AT[f"u_{what}"]] = flag & ~finished
    position = cards["shuffle_position"].to_numpy(dtype=float, na_value=np.nan)
    shuffled = ~np.isnan(position)
    copies = np.bincount(code, weights=shuffled, minlength=group.size)
    early = np.bincount(code, weights=shuffled & (np.nan_to_num(position, nan=np.inf) < window), minlength=group.size)
    deck_size = np.bincount(row * seats + seat, weights=shuffled)[(row * seats + seat)[first]]
    surprise = np.where(copies > 0, (early > 0) - window_probability(copies, np.maximum(deck_size, 1), window), 0.0)
    numbers[:, _AT["w_y"]] = surprise * won * finished
    numbers[:, _AT["w_z"]] = surprise * finished
    numbers[:, _AT["w_q"]] = surprise * surprise * finished
    numbers[:, _AT["copies"]] = np.bincount(code, minlength=group.size)
    numbers[:, _AT["opening_copies"]] = counted["opening_hand"]
    numbers[:, _AT["kept"]] = count("kept", "opening_hand")
    numbers[:, _AT["drawn_copies"]], numbers[:, _AT["dead_turns"]] = counted["drawn"], count("dead_in_hand_turns")
    used = counted["placed"] + counted["activated"] + counted["reacted"] > 0  # an Event is used without being placed
    numbers[:, _AT["used"]] = used & happened["drawn"] & finished
    numbers[:, _AT["placed_copies"]], numbers[:, _AT["placed_turns"]] = counted["placed"], count("placed_turn")
    return {"row": side_row, "card_id": np.asarray(card_ids)[name[first]], "bot": bot, "deck": deck}, numbers


_SUMS = {
    "n_deck": ("n_deck_a", "n_deck_b", 1.0),
    "s_deck": ("s_deck_a", "s_deck_b", 1.0),
    "u_deck": ("u_deck_a", "u_deck_b", 1.0),
    "n_undrawn": ("n_deck", "n_drawn", -1.0),
    "s_undrawn": ("s_deck", "s_drawn", -1.0),
}
_WIDE = {**_AT, **{name: len(_AT) + position for position, name in enumerate(_SUMS)}}


def _with_sums(moments: ClusterMoments) -> ClusterMoments:
    """Appends the columns that are sums or differences of others (in deck, not drawn)."""
    mix = np.zeros((len(_AT), len(_WIDE)))
    mix[:, : len(_AT)] = np.eye(len(_AT))
    for name, (left, right, sign) in _SUMS.items():
        mix[:, _WIDE[name]] = mix[:, _WIDE[left]] + sign * mix[:, _WIDE[right]]
    return ClusterMoments(moments.totals @ mix, mix.T @ moments.outer @ mix, moments.clusters)


def _window_effect(moments: ClusterMoments, level: float) -> Interval:
    """Returns the effect of being among the first cards, with each deck weighted by n p (1 - p).

    The known chance p of the shuffle is subtracted from the indicator, so decks that are played once count too:
    E[(w - p) y] = p (1 - p) (E[y | early] - E[y | late]).

    Source: METHOD section 1, window effect; Rosenbaum 2002, section 2.5, known assignment probabilities.
    """
    total = moments.totals
    gradient = np.zeros_like(total)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total[:, _WIDE["s_deck"]] / total[:, _WIDE["n_deck"]]
        weight = np.where(total[:, _WIDE["w_q"]] > 0, total[:, _WIDE["w_q"]], np.nan)
        effect = (total[:, _WIDE["w_y"]] - mean * total[:, _WIDE["w_z"]]) / weight
        gradient[:, _WIDE["w_y"]] = 1 / weight
        gradient[:, _WIDE["w_z"]] = -mean / weight
        gradient[:, _WIDE["w_q"]] = -effect / weight
    return moments.smooth(effect, gradient, None, level)


def _moments(cells: pd.DataFrame, key_names: list[str], keys: pd.DataFrame) -> ClusterMoments:
    """Returns the moments of cells in the order of `keys`."""
    order = pd.MultiIndex.from_frame(keys[key_names])
    codes = order.get_indexer(pd.MultiIndex.from_frame(cells[key_names]))
    return ClusterMoments.from_cells(np.asarray(codes, dtype=np.int64), cells[list(_AT)].to_numpy(float), len(keys))


def _add(left: CardTally, right: CardTally) -> CardTally:
    """Adds two tallies."""
    if (left.window, left.by, left.pending is None) != (right.window, right.by, right.pending is None):
        raise ValueError("tallies with different windows, keys or clusters cannot be added")
    key_names = ["card_id"] if left.by is None else ["card_id", left.by]
    keys = pd.concat([left.keys, right.keys], ignore_index=True).drop_duplicates(key_names, ignore_index=True)
    order = pd.MultiIndex.from_frame(keys[key_names])
    moments = ClusterMoments.empty(len(keys), len(_AT))
    for part in (left, right):
        moments = moments + part.moments.placed(
            np.asarray(order.get_indexer(pd.MultiIndex.from_frame(part.keys[key_names])), dtype=np.int64), len(keys)
        )
    pending = None
    if left.pending is not None and right.pending is not None:
        pending = pd.concat([left.pending, right.pending], ignore_index=True)
        pending = pending.groupby([*key_names, "cluster"], sort=True, observed=True).sum().reset_index()
    return CardTally(keys, moments, pending, left.window, left.by)


def _write(table: pd.DataFrame, name: str, interval: Interval, n: NDArray[np.float64]) -> None:
    """Adds the five columns of one rate."""
    table[name], table[f"{name}_se"] = interval.estimate, interval.se
    table[f"{name}_low"], table[f"{name}_high"] = interval.low, interval.high
    table[f"{name}_n"] = np.asarray(n).astype(np.int64)


def _describe(table: pd.DataFrame, total: dict[str, NDArray[np.float64]]) -> pd.DataFrame:
    """Adds bounds for unfinished matches and the plain descriptive columns."""
    issued = total["n_deck"] + total["u_deck"]
    with np.errstate(divide="ignore", invalid="ignore"):
        table["unfinished"] = total["u_deck"] / issued
        table["bound_low"] = total["s_deck"] / issued
        table["bound_high"] = (total["s_deck"] + total["u_deck"]) / issued
        table["copies_mean"] = total["copies"] / issued
        table["play_rate"] = total["used"] / total["n_drawn"]
        table["kept_rate"] = total["kept"] / total["opening_copies"]
        table["dead_turns_mean"] = total["dead_turns"] / total["drawn_copies"]
        table["placed_turn_mean"] = total["placed_turns"] / total["placed_copies"]
    table["bounds_needed"] = table["unfinished"] > UNFINISHED_LIMIT
    return table
