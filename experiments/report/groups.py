"""Win rates of groups of cards (suits, levels, rarities), per copy and in constant memory.

A group's rate counts every copy of its cards once per match, so that it answers "how does a side fare for each copy of
such a card that it drew". Like the rates of single cards these are context: they depend on who plays the cards.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy import sparse

from apotheosis.experiments.stats.moments import ClusterMoments
from apotheosis.experiments.stats.sides import side_scores

GROUPS = ("suit", "level", "rarity")
EVENTS = ("included", "opening", "drawn", "placed", "activated")
_FLAGS = {"opening": "opening_hand", "drawn": "drawn", "placed": "placed", "activated": "activated"}
_COLUMNS = [f"{kind}_{event}" for event in EVENTS for kind in ("n", "s")]


class GroupTally:
    """Adds up pieces of a run; `rates` gives the table.

    Args:
        labels: pool table indexed by card id, with the columns of `GROUPS`.
    """

    def __init__(self, labels: pd.DataFrame):
        self._labels = labels
        self._moments: dict[tuple[str, str], ClusterMoments] = {}
        self._cards: dict[tuple[str, str], set[str]] = {}

    def add(self, matches: pd.DataFrame, cards: pd.DataFrame) -> None:
        """Adds the card rows of whole pairs."""
        row = pd.Index(matches["match_id"]).get_indexer(cards["match_id"])
        score, _, _ = side_scores(matches, row, cards["team"].to_numpy())
        finished = ~np.isnan(score)
        won = np.nan_to_num(score)
        cells = np.empty((len(cards), len(_COLUMNS)))
        for place, event in enumerate(EVENTS):
            flag = finished if event == "included" else finished & (cards[_FLAGS[event]].to_numpy(dtype=float, na_value=0) > 0)
            cells[:, 2 * place], cells[:, 2 * place + 1] = flag, flag * won
        pair = pd.factorize(matches["pair_id"])[0][row]
        card, ids = pd.factorize(cards["card_id"])
        by_card = self._labels.reindex(np.asarray(ids, dtype=object))
        # A card of a pair first: the cards are few, so that the groups are sums of little.
        code, place = np.unique(pair.astype(np.int64) * len(ids) + card, return_inverse=True)
        cells = _collected(place, len(code)) @ cells
        for group in GROUPS:
            known = by_card[group].notna().to_numpy()
            value, values = pd.factorize(by_card[group].astype(str).where(known), use_na_sentinel=True)
            self._add_group(group, value[code % len(ids)], code // len(ids), cells, [str(each) for each in values])
            for each, number in zip(ids[known], value[known], strict=True):
                self._cards.setdefault((group, str(values[number])), set()).add(str(each))

    def _add_group(self, group: str, value: np.ndarray, pair: np.ndarray, cells: np.ndarray, values: list[str]) -> None:
        for number, name in enumerate(values):
            own = np.flatnonzero(value == number)
            pairs, place = np.unique(pair[own], return_inverse=True)
            sums = _collected(place, len(pairs)) @ cells[own]
            part = ClusterMoments.from_cells(np.zeros(len(pairs), dtype=np.int64), sums, 1)
            key = (group, name)
            self._moments[key] = self._moments[key] + part if key in self._moments else part

    def rates(self, order: Iterable[str] = ()) -> pd.DataFrame:
        """Returns one row per group with its cards and, for each event, rate, low, high and copies counted.

        Args:
            order: values in the order they should come in, for instance the rarities; others follow sorted.
        """
        rank = {value: place for place, value in enumerate(order)}
        rows = []
        for (group, value), moments in self._moments.items():
            row: dict[str, object] = {"group": group, "value": value, "cards": len(self._cards[group, value])}
            for place, event in enumerate(EVENTS):
                rate = moments.ratio(2 * place + 1, 2 * place)
                row[event], row[f"{event}_low"], row[f"{event}_high"] = (
                    float(np.ravel(x)[0]) for x in (rate.estimate, rate.low, rate.high)
                )
                row[f"{event}_n"] = int(moments.totals[0, 2 * place])
            rows.append(row)
        rows.sort(key=lambda r: (GROUPS.index(str(r["group"])), rank.get(str(r["value"]), len(rank)), str(r["value"])))
        return pd.DataFrame(rows)


def _collected(place: np.ndarray, count: int) -> sparse.csr_matrix:
    """Returns the matrix that adds up rows with the same place."""
    return sparse.csr_matrix((np.ones(len(place)), (place, np.arange(len(place)))), shape=(count, len(place)))
