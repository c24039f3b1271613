"""Worlds with known truth: small simulators that every statistical method is tried on before it sees a match."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse, special

from apotheosis.experiments.stats.design import Design, assemble


@dataclass(frozen=True)
class CardWorld:
    """Matches between decks of a fixed size, drawn from cards with known logit effects."""

    counts_a: NDArray[np.int64]
    counts_b: NDArray[np.int64]
    bots_a: NDArray
    bots_b: NDArray
    y: NDArray[np.float64]
    pair: NDArray[np.int64]
    beta: NDArray[np.float64]
    probability: NDArray[np.float64]

    def design(self, bots: bool = True) -> Design:
        """Returns the difference-coded design of the world."""
        names = [f"c{card:03d}" for card in range(self.counts_a.shape[1])]
        pools = (self.bots_a, self.bots_b) if bots else None
        return assemble(sparse.csr_matrix(self.counts_a - self.counts_b), self.y, self.pair, names, pools)

    def true_points(self) -> NDArray[np.float64]:
        """Returns the effect in points of each centred card: mean over matches and sides."""
        eta = special.logit(self.probability)
        centred = self.beta - self.beta.mean()
        return np.array([0.5 * np.mean(special.expit(eta + b) - special.expit(eta - b)) for b in centred])


def card_world(
    pairs: int,
    cards: int,
    beta: NDArray[np.float64],
    seed: int,
    deck_size: int = 10,
    side: float = 0.1,
    bot_strength: tuple[float, ...] = (0.0, 0.8),
    confounding: float = 0.0,
) -> CardWorld:
    """Simulates mirrored pairs of random decks.

    Args:
        pairs: mirrored pairs; each gives two matches with exchanged decks and bots.
        cards: number of cards.
        beta: (cards,), true logits per copy.
        seed: seed of the world.
        deck_size: different cards per deck.
        side: logit advantage of seat A.
        bot_strength: logit strength of each bot.
        confounding: how strongly the better bot prefers the first cards; 0 is no preference.
    """
    rng = np.random.default_rng(seed)
    taste = np.linspace(1.0, -1.0, cards)
    strength = np.asarray(bot_strength)
    bots = rng.integers(strength.size, size=(2, pairs))
    keys = rng.gumbel(size=(2, pairs, cards)) + confounding * (bots / max(strength.size - 1, 1))[..., None] * taste
    decks = np.zeros((2, pairs, cards), dtype=np.int64)
    chosen = np.argpartition(-keys, deck_size - 1, axis=2)[..., :deck_size]
    np.put_along_axis(decks, chosen, 1, axis=2)
    power = decks @ beta + strength[bots]
    eta = np.stack([side + power[0] - power[1], side + power[1] - power[0]], axis=1).ravel()
    probability = special.expit(eta)
    names = np.array([f"bot{index}" for index in range(strength.size)], dtype=object)
    return CardWorld(
        counts_a=np.stack([decks[0], decks[1]], axis=1).reshape(2 * pairs, cards),
        counts_b=np.stack([decks[1], decks[0]], axis=1).reshape(2 * pairs, cards),
        bots_a=names[np.stack([bots[0], bots[1]], axis=1).ravel()],
        bots_b=names[np.stack([bots[1], bots[0]], axis=1).ravel()],
        y=(rng.random(2 * pairs) < probability).astype(float),
        pair=np.repeat(np.arange(pairs), 2),
        beta=np.asarray(beta, dtype=float),
        probability=probability,
    )


def frames(world: CardWorld) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Returns the `matches` and `cards` frames of a world, one deck name per deck of a pair."""
    games = world.y.size
    match = np.arange(games)
    swapped = match % 2
    deck = np.array([[f"d{p}x", f"d{p}y"] for p in world.pair], dtype=object)
    matches = pd.DataFrame(
        {
            "match_id": match,
            "pair_id": world.pair,
            "seat_a_deck": deck[match, swapped],
            "seat_b_deck": deck[match, 1 - swapped],
            "seat_a_bot": world.bots_a,
            "seat_b_bot": world.bots_b,
            "score_a": world.y,
        }
    )
    parts = []
    for team, counts in enumerate((world.counts_a, world.counts_b)):
        row, card = np.nonzero(counts)
        copies = counts[row, card]
        parts.append(
            pd.DataFrame(
                {
                    "match_id": np.repeat(row, copies),
                    "seat": "ab"[team],
                    "team": team,
                    "hero": team,
                    "card": np.repeat(card, copies),
                }
            )
        )
    cards = pd.concat(parts, ignore_index=True)
    cards["card_id"] = "c" + cards.pop("card").astype(str).str.zfill(3)
    cards["suit"], cards["level"] = "Item", 1
    rng = np.random.default_rng(games)
    cards = cards.sample(frac=1.0, random_state=rng).sort_values(["match_id", "team"], kind="stable", ignore_index=True)
    cards["shuffle_position"] = cards.groupby(["match_id", "team"]).cumcount().astype(float)
    return matches, cards


def drawing_world(
    games: int, effect: float, seed: int, deck_size: int = 30, hand: int = 6, window: int = 9, copies: int = 1
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Simulates one card in matches whose length depends on who wins, the trap of drawn win rates.

    Seat A's deck holds the card `x` in `copies` copies, seat B's deck only fillers. Being among the first `window`
    cards adds `effect` to the win rate; wins are quick, so a card that does nothing is drawn more often in lost games.
    """
    rng = np.random.default_rng(seed)
    order = np.argsort(rng.random((games, deck_size)), axis=1)
    positions = np.argsort(order, axis=1)
    early = (positions[:, :copies] < window).any(axis=1)
    base = 0.5 + 0.2 * (rng.random(games) - 0.5)
    share = early.mean()
    y = (rng.random(games) < base + effect * (early - share)).astype(float)
    turns = np.where(y == 1, rng.integers(2, 9, games), rng.integers(6, 19, games))
    drawn = positions[:, :copies] < (hand + turns)[:, None]
    matches = pd.DataFrame(
        {
            "match_id": np.arange(games),
            "pair_id": np.arange(games) // 2,
            "seat_a_deck": "with",
            "seat_b_deck": "without",
            "seat_a_bot": "b",
            "seat_b_bot": "b",
            "score_a": y,
            "turns": turns,
        }
    )
    special_cards = pd.DataFrame(
        {
            "match_id": np.repeat(np.arange(games), copies),
            "seat": "a",
            "team": 0,
            "hero": 0,
            "card_id": "x",
            "shuffle_position": positions[:, :copies].ravel().astype(float),
            "opening_hand": (positions[:, :copies] < hand).ravel(),
            "drawn": drawn.ravel(),
            "placed": drawn.ravel() & (rng.random(games * copies) < 0.7),
            "activated": 0,
        }
    )
    rest = deck_size - copies
    filler = pd.DataFrame(
        {
            "match_id": np.repeat(np.arange(games), rest),
            "seat": "a",
            "team": 0,
            "hero": 0,
            "card_id": "filler",
            "shuffle_position": positions[:, copies:].ravel().astype(float),
            "opening_hand": False,
            "drawn": False,
            "placed": False,
            "activated": 0,
        }
    )
    return matches, pd.concat([special_cards, filler], ignore_index=True)


def pair_stream(rng: np.random.Generator, runs: int, pairs: int, score: float, variance: float = 0.125) -> NDArray[np.float64]:
    """Returns pair scores (runs, pairs) of independent games with the given mean score.

    A variance below 0.125 mixes in decided pairs that score one half, as happens when seats decide games.
    """
    calm = 1 - variance / 0.125
    games = (rng.random((2, runs, pairs), dtype=np.float32) < (score - 0.5 * calm) / (1 - calm)).mean(axis=0)
    return np.where(rng.random((runs, pairs), dtype=np.float32) < calm, 0.5, games)
