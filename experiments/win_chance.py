"""The chance that seat A wins, from what everybody sees: HP, cards in hand, cards in play, and whose turn it is.

A logistic model, fitted once to matches of greedy bots with the bundled cards; its weights, and the matches behind them,
stand in `win_chance.csv` (`docs/win_chance.py` writes it). It is the same for every match: a guide to how a match swung, not
what a player of that match would have known of the cards to come.

Source: METHOD section 4 (snowball), Brier 1950 for its check.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from apotheosis.experiments.dictionary import SCORES

FEATURES = ("hp", "hp_share", "hand", "board", "turn", "turn_low")
"""HP as a share of the maximum, its difference as a share of both, cards in hand, cards in play: A minus B; whose turn it is
(1 A, -1 B, 0 nobody), and that again times the HP that the weaker side lacks."""
LEAST = 0.05
"""Shares of HP below this count as this where they divide."""


def features(hp_a: ArrayLike, hp_b: ArrayLike, hand: ArrayLike, board: ArrayLike, turn: ArrayLike) -> NDArray[np.float64]:
    """Returns the features, (n, 6).

    Args:
        hp_a, hp_b: mean HP of each side's Heroes as a share of their maximum.
        hand, board: cards in hand and in play, A minus B.
        turn: 1 on a turn of A, -1 of B, 0 in between.
    """
    a, b, turned = (np.asarray(value, dtype=float) for value in (hp_a, hp_b, turn))
    share = (a - b) / np.maximum(a + b, LEAST)
    low = 1 - np.minimum(a, b)
    columns = [a - b, share, np.asarray(hand, float), np.asarray(board, float), turned, turned * low]
    return np.stack(np.broadcast_arrays(*columns), axis=-1)


@cache
def weights() -> NDArray[np.float64]:
    """Returns the weights of `FEATURES`, in their order."""
    text = files("apotheosis.experiments").joinpath("win_chance.csv").read_text(encoding="utf-8")
    found = {row["feature"]: float(row["weight"]) for row in csv.DictReader(io.StringIO(text))}
    return np.array([found[name] for name in FEATURES])


def chances(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the chance that seat A wins for rows of `features`."""
    return 1 / (1 + np.exp(-(np.asarray(x, dtype=float) @ weights())))


def chance_of(picture: Mapping[str, Any], heroes: Sequence[tuple[str, str]]) -> float | None:
    """Returns the chance that seat A wins at a moment of a replay, None during the set-up.

    Args:
        picture: the moment by path, as a replay holds it.
        heroes: name and seat (A or B) of each Hero.
    """
    if int(picture.get("stint") or 0) < 1:
        return None
    sums = {seat: np.zeros(4) for seat in "AB"}
    for name, seat in heroes:
        hp = max(0, picture[f"{name}.hp"]) / max(1, picture[f"{name}.max"])
        sums[seat] += [1, hp, len(picture[f"{name}.hand"]), len(picture[f"{name}.table"])]
    a, b = sums["A"], sums["B"]
    turn = {"A": 1, "B": -1}.get(str(picture.get("turn") or "")[:1].upper(), 0)
    return float(chances(features(a[1] / a[0], b[1] / b[0], a[2] - b[2], a[3] - b[3], turn)))


def add_chances(steps: Sequence[dict[str, Any]], heroes: Sequence[tuple[str, str]], outcome: str) -> None:
    """Adds to the steps of a replay the chance that seat A wins, where it is another than before; the last has the result.

    Args:
        steps: the steps; each `change` is laid over those before it.
        heroes: name and seat (A or B) of each Hero.
        outcome: of the match.
    """
    picture: dict[str, Any] = {}
    before = None
    for step in steps:
        picture.update(step["change"])
        found = chance_of(picture, heroes)
        if step is steps[-1] and before is not None:
            found = SCORES.get(outcome, found)
        found = None if found is None else round(found, 3)
        if found is not None and found != before:
            step["chance"] = before = found


def fit(x: ArrayLike, won: ArrayLike) -> NDArray[np.float64]:
    """Returns the weights that make the results of seat A (1 or 0) most likely, by Newton's method; no intercept."""
    rows, y = np.asarray(x, dtype=float), np.asarray(won, dtype=float)
    beta = np.zeros(rows.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-(rows @ beta)))
        step = np.linalg.solve((rows * (p * (1 - p))[:, None]).T @ rows, rows.T @ (y - p))
        beta = beta + step
        if math.sqrt(float(step @ step)) < 1e-9:
            break
    return beta
