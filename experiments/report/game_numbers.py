"""The numbers of a report that come from matches, not cards: sides, length, decks, bots, how a match swings."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from apotheosis.experiments.report.reading import Run, column_names, read_parts
from apotheosis.experiments.stats import choices, cycles, equilibrium, ladder, matchups, momentum, pace
from apotheosis.experiments.stats.intervals import Interval, cluster_ratio
from apotheosis.experiments.stats.sides import deck_pair, sides

MOST_DECKS = 60
"""Decks above which no matchup matrix is made."""

TURN_MATCHES = 40_000
"""Matches, first in issue order, whose turns are read: enough for any curve, and bounded in memory."""

TURN_COLUMNS = ("match_id", "turn", "actor", "hp_a", "hp_b", "hand_a", "hand_b", "board_a", "board_b")
"""Columns of the table of turns without which nothing is said about how matches swing."""


@dataclass
class GameNumbers:
    """Numbers of matches; None stands for what the run cannot tell.

    Attributes:
        side: advantage of seat A over even.
        first_mover: advantage of acting first, None where the decks decide it.
        length: finished matches by number of stints.
        quantiles: median, p05 and p95 of the same.
        decks: `deck, rate, low, high, games`, best first; games of a deck against itself left out.
        meetings: games of each two decks that met.
        matchups: win rates of decks against each other, None where decks met too rarely.
        cells: the same as rows, with intervals.
        equilibrium: share of each deck in the field that no deck beats, and how sure its place is.
        effective_decks: diversity of that field.
        cyclic: share of the matchups that is rock-paper-scissors.
        ladder: ratings of the bots, None where one bot played.
        swings: comebacks, decisive turns, from the table of turns.
        fan: percentiles of the eventual winner's win chance by turn.
        options: legal options at the first decision of a turn.
        dead_hands: share of turns at which a hand held nothing to use or place.
    """

    side: Interval
    first_mover: Interval | None
    length: pd.Series | None
    quantiles: pace.Length | None
    decks: pd.DataFrame
    meetings: pd.Series
    matchups: matchups.MatchupMatrix | None = None
    cells: pd.DataFrame = field(default_factory=pd.DataFrame)
    equilibrium: pd.DataFrame | None = None
    effective_decks: float | None = None
    cyclic: float | None = None
    ladder: ladder.Ladder | None = None
    swings: momentum.Swings | None = None
    fan: pd.DataFrame | None = None
    options: choices.Options | None = None
    dead_hands: Interval | None = None


def game_numbers(run: Run) -> GameNumbers:
    """Computes the numbers of a run's matches."""
    matches = run.matches
    seed = int(run.spec.get("run", {}).get("seed", 0))
    drawn = run.spec.get("format", {}).get("initiative") == "random"
    decks, meetings = _decks(matches)
    found = GameNumbers(
        side=pace.side_advantage(matches),
        first_mover=pace.first_mover(matches, drawn) if "first_team" in matches else None,
        length=None,
        quantiles=None,
        decks=decks,
        meetings=meetings,
    )
    finished = matches[matches["score_a"].notna()]
    if "stints" in matches and len(finished):
        found.length = finished["stints"].astype(int).value_counts().sort_index()
        found.quantiles = pace.length(matches, "stints")
    if len(set(finished["seat_a_bot"]) | set(finished["seat_b_bot"])) > 1:
        found.ladder = ladder.rate(matches, seed=seed)
    _add_field(found, finished, seed)
    _add_turns(found, run, seed)
    return found


def _decks(matches: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Returns win rates of decks, best first, and the number of games of each two that met."""
    finished = matches[matches["score_a"].notna()]
    own = sides(finished)
    own = own[own["deck"] != own["deck"].to_numpy().reshape(-1, 2)[:, ::-1].ravel()]
    rows = []
    for deck, games in own.groupby("deck", sort=True):
        rate = cluster_ratio(games["score"], np.ones(len(games)), games["pair_id"])
        rows.append((deck, rate.estimate, rate.low, rate.high, len(games)))
    table = pd.DataFrame(rows, columns=["deck", "rate", "low", "high", "games"])
    met = finished[finished["seat_a_deck"] != finished["seat_b_deck"]]
    table = table.sort_values(["rate", "deck"], ascending=[False, True], ignore_index=True)
    return table, deck_pair(met).value_counts()


def _add_field(found: GameNumbers, finished: pd.DataFrame, seed: int) -> None:
    """Adds matchups, equilibrium and cycles where every two decks met often enough."""
    size = len(found.decks)
    often = int((found.meetings >= 2 * matchups.MINIMUM_PAIRS).sum())
    if not 2 <= size <= MOST_DECKS or often < size * (size - 1) // 2:
        return
    matrix = matchups.matrix(finished)
    shares = equilibrium.inclusion(matrix, seed)
    found.matchups, found.cells, found.equilibrium = matrix, matchups.cell_table(finished), shares
    found.effective_decks = equilibrium.effective_decks(shares["share"])
    off = ~np.eye(size, dtype=bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        # Games that would give an independent cell the error that this one has; half a game keeps sure cells finite.
        rate = np.clip(matrix.p, 0.25 / matrix.pairs, 1 - 0.25 / matrix.pairs)
        games = np.where(off & (matrix.se > 0), rate * (1 - rate) / matrix.se**2, 0.0)
    if size >= 3 and (games[off] > 0).all():
        found.cyclic = cycles.cyclic_share(np.where(off, matrix.p * games, 0.0), games).share


def _add_turns(found: GameNumbers, run: Run, seed: int) -> None:
    """Adds what the table of turns tells, read for the first matches only."""
    if run.turn_file is None:
        return
    given = column_names(run.turn_file)
    if not set(TURN_COLUMNS) <= set(given):
        return
    first = run.matches.head(TURN_MATCHES)
    wanted = [name for name in (*TURN_COLUMNS, "options", "playable") if name in given]
    parts, last = [], int(first["match_id"].max())
    for part in read_parts(run.turn_file, wanted):
        parts.append(part[part["match_id"] <= last])
        if (part["match_id"] > last).any():
            break
    turns = pd.concat(parts, ignore_index=True)
    chances = momentum.win_chances(turns, first, seed)
    if len(chances):
        found.swings, found.fan = momentum.swings(turns, first, seed), momentum.fan(chances)
    if "options" in turns:
        found.options = choices.options(turns["options"])
    if "playable" in turns:
        found.dead_hands = choices.dead_hand_share(turns, first)
