"""Win rates of groups of cards (suits, levels, rarities), per copy and in constant memory.

A group's rate counts every copy of its cards once per match, so that it answers "how does a side fare for each copy of
such a card that it drew". Like the rates of single cards these are context: they depend on who plays the cards.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

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
        sums = {}
        for event in EVENTS:
            flag = finished if event == "included" else finished & (cards[_FLAGS[event]].to_numpy(dtype=float, na_value=0) > 0)
            sums[f"n_{event}"], sums[f"s_{event}"] = flag.astype(float), flag * won
        cells = pd.DataFrame(sums)
        cells["pair"] = matches["pair_id"].to_numpy()[row]
        cells["card_id"] = cards["card_id"].to_numpy()
        for group in GROUPS:
            cells["value"] = cells["card_id"].map(self._labels[group])
            known = cells[cells["value"].notna()]
            self._add_group(group, known.assign(value=known["value"].astype(str)))

    def _add_group(self, group: str, cells: pd.DataFrame) -> None:
        by_pair = cells.groupby(["value", "pair"], observed=True)[_COLUMNS].sum()
        for value, block in by_pair.groupby(level="value", observed=True):
            key = (group, str(value))
            part = ClusterMoments.from_cells(np.zeros(len(block), dtype=np.int64), block.to_numpy(), 1)
            self._moments[key] = self._moments[key] + part if key in self._moments else part
        for value, cards in cells.groupby("value", observed=True)["card_id"].unique().items():
            self._cards.setdefault((group, str(value)), set()).update(cards)

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
