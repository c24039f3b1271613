"""The numbers of a report that come from matches, not cards: sides, length, decks, bots, how a match swings."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from apotheosis.experiments.report.files import column_names, read_parts
from apotheosis.experiments.report.match_tally import MOST_DECKS, MatchTally
from apotheosis.experiments.report.reading import Run
from apotheosis.experiments.report.values import checked
from apotheosis.experiments.stats import choices, cycles, equilibrium, ladder, matchups, momentum, pace
from apotheosis.experiments.stats.intervals import Interval

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


def game_numbers(run: Run, tally: MatchTally) -> GameNumbers:
    """Computes the numbers of a run's matches.

    Args:
        run: the run.
        tally: all its matches, added up.
    """
    seed = int(run.spec.get("run", {}).get("seed", 0))
    decks = _decks(tally)
    found = GameNumbers(
        side=tally.side.share().shifted(-0.5),
        first_mover=pace.first_of(tally.first),
        length=None,
        quantiles=None,
        decks=decks,
    )
    stints: dict[float, int] = {int(value): n for value, n in tally.counts["stints"].items()}
    if stints:
        found.length = pd.Series(stints, dtype=np.int64).sort_index()
        found.quantiles = pace.length_of(stints, "stints")
    if len(tally.ladder.bots) > 1:
        found.ladder = ladder.rate_tally(tally.ladder, seed=seed)
    _add_field(found, tally, seed)
    _add_turns(found, run, seed)
    return found


def _decks(tally: MatchTally) -> pd.DataFrame:
    """Returns win rates of decks, best first."""
    rows = []
    for number, deck in enumerate(tally.by_deck.keys):
        rate = tally.by_deck.moments.share(number)
        rows.append((deck, rate.estimate, rate.low, rate.high, int(tally.by_deck.moments.totals[number, 1])))
    table = pd.DataFrame(rows, columns=["deck", "rate", "low", "high", "games"])
    return table.sort_values(["rate", "deck"], ascending=[False, True], ignore_index=True)


def _add_field(found: GameNumbers, tally: MatchTally, seed: int) -> None:
    """Adds matchups, equilibrium and cycles where every two decks met often enough."""
    size = len(found.decks)
    if tally.met is None or not 2 <= size <= MOST_DECKS:
        return
    if (tally.met.games() >= 2 * matchups.MINIMUM_PAIRS).sum() < size * (size - 1) // 2:
        return
    cells = tally.met.table()
    matrix = matchups.matrix_from(cells)
    shares = equilibrium.inclusion(matrix, seed)
    found.matchups, found.cells, found.equilibrium = matrix, cells, shares
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
    first = _first_matches(run)
    wanted = [name for name in (*TURN_COLUMNS, "options", "playable") if name in given]
    parts, last = [], int(first["match_id"].max())
    for part in read_parts(run.turn_file, wanted):
        part = checked(part, "turns", run.turn_file)
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


def _first_matches(run: Run) -> pd.DataFrame:
    """Returns the first `TURN_MATCHES` matches, or all where there are fewer."""
    parts, count = [], 0
    for part in run.match_parts(()):
        parts.append(part.head(TURN_MATCHES - count))
        count += len(parts[-1])
        if count == TURN_MATCHES:
            break
    return pd.concat(parts, ignore_index=True)
