"""What a report says of matches, added up piece by piece: nothing kept here grows with the number of matches."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from apotheosis.experiments.stats import pace
from apotheosis.experiments.stats.ladder import BotTally
from apotheosis.experiments.stats.matchups import Meetings
from apotheosis.experiments.stats.moments import ClusterMoments, KeyedMoments
from apotheosis.experiments.stats.pairs import pair_scores

MOST_DECKS = 60
"""Decks above which no matchup matrix is made."""

COUNTED = ("stints", "decisions", "legal_options_mean", "cause")
"""Columns of finished matches of which the number of matches with each value is kept."""

COLUMNS = (*COUNTED, "first_team", "chunk", "lead_changes", "state_hash", "inert_cards_a", "inert_cards_b")
"""Columns of the match table that are read beside those that every match table has."""


class MatchTally:
    """Sums over the matches of a run; feed it whole pairs, then read it.

    Args:
        columns: columns of the match table.
        drawn: whether the order of a match was drawn at random.
        mirrored: whether pairs are two matches with exchanged sides.

    Attributes:
        issued, unfinished, pairs: matches, those without result, and pairs.
        outcomes: matches by outcome.
        bots: matches by the bots at A and B.
        own_pairs: pairs that a bot played against itself, by bot.
        chunks: numbers of the chunks.
        decks: names of the decks.
        incomplete_decks: those with a card that is not fully simulated.
        counts: for each column of `COUNTED`, finished matches by value; options are rounded to hundredths.
        side, first, draws, leads: moments of side A's score, of the first mover, of draws, and of changes of the lead.
        by_deck: score and games of each deck against others.
        met: how every two decks did, None where there are more than `MOST_DECKS`.
        ladder: how bots did against each other.
        wrong_pair: why the matches are no mirrored pairs, or None.
        twins: pairs whose matches ended in the same state.
        products: sums over finished pairs of 1, both scores, their squares and their product.
    """

    def __init__(self, columns: list[str], drawn: bool, mirrored: bool):
        self.columns, self._drawn, self._mirrored = columns, drawn, mirrored
        self.issued = self.unfinished = self.pairs = self.twins = 0
        self.outcomes: Counter[str] = Counter()
        self.bots: Counter[tuple[str, str]] = Counter()
        self.own_pairs: Counter[str] = Counter()
        self.counts: dict[str, Counter] = {name: Counter() for name in COUNTED}
        self.chunks: set[int] = set()
        self.decks: set[str] = set()
        self.incomplete_decks: set[str] = set()
        self.side, self.first = ClusterMoments.empty(1, 2), ClusterMoments.empty(1, 4)
        self.draws, self.leads = ClusterMoments.empty(1, 2), ClusterMoments.empty(1, 2)
        self.by_deck = KeyedMoments(2)
        self.met: Meetings | None = Meetings()
        self.ladder = BotTally()
        self.wrong_pair: str | None = None
        self.products = np.zeros(6)

    @property
    def finished(self) -> int:
        """Matches with a result."""
        return self.issued - self.unfinished

    def add(self, matches: pd.DataFrame) -> None:
        """Adds whole pairs of the match table."""
        self.issued, self.pairs = self.issued + len(matches), self.pairs + matches["pair_id"].nunique()
        self.unfinished += int(matches["score_a"].isna().sum())
        self.outcomes.update(matches["outcome"].value_counts().to_dict())
        bots = matches[["seat_a_bot", "seat_b_bot"]].astype(str)
        self.bots.update(bots.value_counts().to_dict())
        own = (bots["seat_a_bot"] == bots["seat_b_bot"]).to_numpy()
        self.own_pairs.update(matches[own].groupby(bots["seat_a_bot"][own])["pair_id"].nunique().to_dict())
        if "chunk" in matches:
            self.chunks.update(matches["chunk"].unique().tolist())
        self._add_pairs(matches)
        self._add_decks(matches)
        self._add_finished(matches[matches["score_a"].notna()])
        self.side = self.side + pace.side_moments(matches)
        if "first_team" in matches:
            self.first = self.first + pace.first_moments(matches, self._drawn)
        if "lead_changes" in matches:
            counted = matches[matches["lead_changes"].notna()]
            self.leads = self.leads + _moments(counted["lead_changes"].to_numpy(dtype=float), counted["pair_id"], means=True)

    def _add_finished(self, finished: pd.DataFrame) -> None:
        for name in COUNTED:
            if name in finished:
                values = finished[name].dropna()
                if name == "legal_options_mean":
                    values = values.astype(float).round(2)
                self.counts[name].update((values.astype(str) if name == "cause" else values).value_counts().to_dict())
        self.draws = self.draws + _moments((finished["outcome"] == "draw").to_numpy(dtype=float), finished["pair_id"])
        self.ladder.add(finished)
        a, b = (finished[f"seat_{side}_deck"].astype(str).to_numpy(dtype=object) for side in "ab")
        other = a != b
        score, pair = finished["score_a"].to_numpy(dtype=float)[other], finished["pair_id"].to_numpy()[other]
        code, names = pd.factorize(np.concatenate([a[other], b[other]]))
        values = np.stack([np.concatenate([score, 1 - score]), np.ones(2 * len(score))], axis=1)
        self.by_deck.add(names.tolist(), code, np.concatenate([pair, pair]), values)
        if len(self.by_deck.keys) > MOST_DECKS:
            self.met = None
        elif self.met is not None:
            self.met.add(finished)

    def _add_decks(self, matches: pd.DataFrame) -> None:
        for side in "ab":
            decks = matches[f"seat_{side}_deck"].astype(str)
            self.decks.update(decks.unique().tolist())
            if f"inert_cards_{side}" in matches:
                self.incomplete_decks.update(decks[matches[f"inert_cards_{side}"] > 0].unique().tolist())

    def _add_pairs(self, matches: pd.DataFrame) -> None:
        if "state_hash" in matches:
            state = matches["state_hash"].groupby(matches["pair_id"].to_numpy()).agg(["size", "nunique"])
            self.twins += int(((state["size"] == 2) & (state["nunique"] == 1)).sum())
        if self.wrong_pair is not None or not self._mirrored:
            return
        try:
            scores = pair_scores(matches).dropna(subset=["score"])
        except ValueError as error:
            self.wrong_pair = str(error)
            return
        one, two = scores["first"].to_numpy(), scores["second"].to_numpy()
        self.products += [len(one), one.sum(), two.sum(), one @ one, two @ two, one @ two]

    def pairing(self) -> float:
        """Returns the correlation of the two games of a pair, nan where the matches are no mirrored pairs or all alike."""
        n, one, two, one_one, two_two, one_two = self.products
        if self.wrong_pair is not None or n <= 2:
            return float("nan")
        spread = (one_one - one * one / n) * (two_two - two * two / n)
        return float((one_two - one * two / n) / np.sqrt(spread)) if spread > 1e-9 else float("nan")


def _moments(values: np.ndarray, clusters: Any, means: bool = False) -> ClusterMoments:
    """Returns the moments of values beside ones."""
    return ClusterMoments.of_rows(np.stack([values, np.ones(len(values))], axis=1), np.asarray(clusters), means)
