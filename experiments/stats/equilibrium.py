"""What a field of decks would settle on: equilibrium mixes and their certainty.

A win-rate list rewards decks that beat weak decks. The equilibrium mix asks which decks survive when everybody
adapts; since cells are noisy, each deck comes with the share of resampled matrices in which it takes part.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from apotheosis.experiments.stats.matchups import MatchupMatrix

__all__ = ["alpha_rank", "alpha_sweep", "effective_decks", "inclusion", "nash"]

_TINY = 1e-9
_POPULATION = 50
_SLACK = 1e-7


def nash(payoff: ArrayLike, entropy: bool = True) -> NDArray[np.float64]:
    """Returns a symmetric equilibrium mix of a symmetric zero-sum game.

    Args:
        payoff: (decks, decks), antisymmetric: win chance minus one half of the row deck.
        entropy: the mix of largest entropy, which is unique and gives equal decks equal shares; else any vertex.

    Raises:
        ValueError: the payoff is not antisymmetric.

    Source: max v subject to p'A >= v (linear programme); Balduzzi et al. 2018, "Re-evaluating Evaluation", theorem 1
        for the maximum-entropy equilibrium, found here through its convex dual, p proportional to exp(A lambda) over
        the decks that occur in any equilibrium.
    """
    a = np.asarray(payoff, dtype=float)
    if a.ndim != 2 or a.shape[0] != a.shape[1] or not np.allclose(a, -a.T, atol=1e-9):
        raise ValueError("the payoff of a symmetric game must be antisymmetric: win chances minus one half")
    vertex = _vertex(a, None)
    if not entropy or a.shape[0] == 1:
        return vertex
    largest = np.array([_vertex(a, i)[i] for i in range(a.shape[0])])
    if np.abs(largest - vertex).max() < _SLACK:
        return vertex
    return _max_entropy(a, np.flatnonzero(largest > _TINY))


def alpha_rank(payoff: ArrayLike, alpha: float, population: int = _POPULATION) -> NDArray[np.float64]:
    """Returns the long-run shares of decks in a finite population under imitation.

    Args:
        payoff: (decks, decks), payoff of the row deck against the column deck.
        alpha: intensity of selection; large values let the fitter deck take over almost surely.
        population: size of the population.

    Source: Omidshafiei et al. 2019, eqs. 5 to 7: a mutant r takes over a population of s with probability
        (1 - exp(-u)) / (1 - exp(-m u)), u = alpha (payoff_rs - payoff_sr) / 2 for the constant-sum game; stationary
        distribution of the chain over monomorphic populations.
    """
    a = np.asarray(payoff, dtype=float)
    size = a.shape[0]
    if size == 1:
        return np.ones(1)
    u = alpha * population / (population - 1) * (a - a.T) / 2
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        takeover = np.where(
            np.abs(u) < 1e-12,
            1 / population,
            np.where(
                u > 0,
                np.expm1(-u) / np.expm1(-population * u),
                np.exp((population - 1) * u) * np.expm1(u) / np.expm1(population * u),
            ),
        )
    move = np.maximum(takeover.T, 1e-300) / (size - 1)
    np.fill_diagonal(move, 0.0)
    return _stationary(move)


def alpha_sweep(payoff: ArrayLike, alphas: ArrayLike = (0.1, 1, 10, 100), population: int = _POPULATION) -> pd.DataFrame:
    """Returns the shares for several intensities, one column per deck; ranks that need one alpha are not robust."""
    values = np.asarray(alphas, dtype=float)
    shares = np.stack([alpha_rank(payoff, float(value), population) for value in values])
    return pd.DataFrame(shares, index=pd.Index(values, name="alpha"))


def inclusion(found: MatchupMatrix, seed: int, draws: int = 200, level: float = 0.95) -> pd.DataFrame:
    """Returns each deck's equilibrium share and how sure its place is.

    Args:
        found: the matchup matrix.
        seed: seed of the resampled cells.
        draws: resampled matrices.
        level: coverage of the interval of the share.

    Returns:
        deck, share (maximum-entropy equilibrium of the shrunk matrix), mean_share, low, high and included (share of
        resampled matrices in which the deck takes part).

    Source: METHOD section 4; cells are drawn from their posteriors, seats and decks keep p_ij + p_ji = 1.
    """
    rng = np.random.default_rng(seed)
    size = len(found.decks)
    i, j = np.triu_indices(size, 1)
    shares = np.empty((draws, size))
    for draw in range(draws):
        a = np.zeros((size, size))
        cells = found.shrunk[i, j] - 0.5 + found.shrunk_sd[i, j] * rng.standard_normal(i.size)
        a[i, j] = np.clip(cells, -0.5, 0.5)
        shares[draw] = nash(a - a.T, entropy=False)
    tail = 50 * (1 - level)
    low, high = np.percentile(shares, [tail, 100 - tail], axis=0)
    return pd.DataFrame(
        {
            "deck": found.decks,
            "share": nash(found.shrunk - found.shrunk.T) if size else [],
            "mean_share": shares.mean(axis=0),
            "low": low,
            "high": high,
            "included": (shares > 1e-6).mean(axis=0),
        }
    )


def effective_decks(shares: ArrayLike) -> float:
    """Returns e to the entropy of the shares: the number of equally common decks with the same diversity.

    Source: Hill 1973, the number of order 1.
    """
    p = np.asarray(shares, dtype=float)
    p = p[p > 0] / p.sum()
    return float(np.exp(-np.sum(p * np.log(p))))


def _vertex(a: NDArray[np.float64], favour: int | None) -> NDArray[np.float64]:
    """Returns an equilibrium; the one with the largest share of deck `favour` if given (the value of the game is 0)."""
    size = a.shape[0]
    cost = np.zeros(size + 1)
    cost[size if favour is None else favour] = -1
    bounds = [(0, 1)] * size + [(None, None) if favour is None else (-_SLACK * 1e-2, None)]
    solved = optimize.linprog(
        cost,
        A_ub=np.c_[-a.T, np.ones(size)],
        b_ub=np.zeros(size),
        A_eq=np.r_[np.ones(size), 0][None, :],
        b_eq=[1.0],
        bounds=bounds,
        method="highs",
    )
    p = np.maximum(solved.x[:size], 0.0)
    p[p < _TINY] = 0.0
    return p / p.sum()


def _max_entropy(a: NDArray[np.float64], inside: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns the equilibrium of largest entropy on the decks that occur in any equilibrium."""
    block = a[inside]
    scale = max(float(np.abs(a).max()), 1e-12)
    block = block / scale

    def dual(weight: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = block @ weight
        top = z.max()
        p = np.exp(z - top)
        total = p.sum()
        return float(np.log(total) + top + _SLACK * weight.sum()), block.T @ (p / total) + _SLACK

    start = np.zeros(a.shape[0])
    solved = optimize.minimize(
        dual,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * start.size,
        options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-10},
    )
    z = block @ solved.x
    p = np.zeros(a.shape[0])
    p[inside] = np.exp(z - z.max())
    return p / p.sum()


def _stationary(move: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the stationary distribution of a chain from its off-diagonal rates, without cancellation.

    Source: Grassmann, Taksar and Heyman 1985 (state reduction; only sums and ratios of positive numbers).
    """
    rates = move.copy()
    size = rates.shape[0]
    for state in range(size - 1, 0, -1):
        rates[:state, state] /= rates[state, :state].sum()
        rates[:state, :state] += np.outer(rates[:state, state], rates[state, :state])
    share = np.zeros(size)
    share[0] = 1.0
    for state in range(1, size):
        share[state] = share[:state] @ rates[:state, state]
    return share / share.sum()
