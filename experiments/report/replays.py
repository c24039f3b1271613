"""Which stored matches show a card at work, so that one click leads from a card to a match to watch."""

from __future__ import annotations

import pandas as pd

from apotheosis.experiments.report.wording import Words

SHOWN = 5
"""Matches that a card's page lists."""


class ReplayIndex:
    """Collects, while the card table passes by, what each card did in matches that have a replay.

    Args:
        matches: the run's match table.
    """

    def __init__(self, matches: pd.DataFrame):
        stored = matches[matches["replay"].notna()] if "replay" in matches else matches.iloc[:0]
        self._stored = stored.set_index("match_id")
        self._parts: list[pd.DataFrame] = []

    def add(self, cards: pd.DataFrame) -> None:
        """Adds a piece of the card table."""
        rows = cards[cards["match_id"].isin(self._stored.index)] if len(self._stored) else cards.iloc[:0]
        if len(rows):
            self._parts.append(rows.groupby(["card_id", "match_id"], as_index=False)[["activated", "placed"]].sum())

    def matches(self) -> pd.DataFrame:
        """Returns `card_id, match_id, activated, placed`, for each card the matches in which it did most."""
        if not self._parts:
            return pd.DataFrame(columns=["card_id", "match_id", "activated", "placed"])
        rows = pd.concat(self._parts, ignore_index=True)
        rows = rows.sort_values(
            ["card_id", "activated", "placed", "match_id"], ascending=[True, False, False, True], kind="stable"
        )
        return rows[rows["activated"] + rows["placed"] > 0].groupby("card_id").head(SHOWN)


def replay_links(used: pd.DataFrame, matches: pd.DataFrame, words: Words) -> dict[str, list[dict]]:
    """Returns the links on each card's page.

    Args:
        used: the table of `ReplayIndex.matches`.
        matches: the run's match table.
        words: the language.
    """
    t, found = words, {}
    known = matches.set_index("match_id")
    for row in used.itertuples():
        match = known.loc[row.match_id]
        found.setdefault(row.card_id, []).append(
            {
                "href": f"../{match['replay']}",
                "title": t("pages.match", id=str(row.match_id)),
                "what": t("pages.replay_use", activated=int(row.activated), placed=int(row.placed)),
                "result": t.term("outcome", match["outcome"]),
            }
        )
    return found
