"""Adjusted card effects: a Bradley-Terry model with cards, the headline number of every card.

logit P(side A wins) = side + sum_c beta_c (copies at A - copies at B) + bot at A - bot at B. Cards are thus compared
at equal company and equal bots. Nothing decided after the deal (length, cards drawn) is adjusted for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import linalg, sparse, special, stats

from apotheosis.experiments.stats.design import Design, Rows
from apotheosis.experiments.stats.grouping import cluster_blocks

__all__ = ["AdjustedFit", "effects", "fit", "terms"]

_MAX_STEPS = 60
_LONGEST_STEP = 4.0
_DIVERGED = 20.0
_FEW_CLUSTERS = 30
"""Clusters (or decks) that carry a term below which the model's own error is a lower limit."""
_BINS = 512
_MOST_INFLATION = 10.0


@dataclass(frozen=True)
class AdjustedFit:
    """A fitted design.

    Attributes:
        coefficients: float64 (terms,), logits per copy; cards are centred within the directions that constant deck
            sizes leave open, so 0 is the average card.
        covariance: float64 (terms, terms), cluster-robust.
        model_covariance: float64 (terms, terms), inverse information, the larger one of both is used for thin cards.
        identified: bool (terms,), False where the run cannot tell the term from others (for instance two cards that
            always come together).
        separated: bool (terms,), card or bot whose side won (or lost) every match in which sides differ in it.
        effective_clusters: float64 (terms,), Kish number of clusters that carry the term.
        linear: float64 (rows,), fitted logit of each match.
        steps: Newton steps taken.
        clusters: number of clusters; of decks where they are fewer and their common part is allowed for.
        design: the design.
    """

    coefficients: NDArray[np.float64]
    covariance: NDArray[np.float64]
    model_covariance: NDArray[np.float64]
    identified: NDArray[np.bool_]
    separated: NDArray[np.bool_]
    effective_clusters: NDArray[np.float64]
    linear: NDArray[np.float64]
    steps: int
    clusters: int
    design: Design

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """Standard errors of the coefficients; never below the model's where few clusters carry a term."""
        robust = np.diag(self.covariance)
        thin = self.separated | (self.effective_clusters < _FEW_CLUSTERS)
        return np.sqrt(np.where(thin, np.maximum(robust, np.diag(self.model_covariance)), robust))


def fit(design: Design, prior: bool = True, tolerance: float = 1e-9) -> AdjustedFit:
    """Fits the model by Newton steps on sparse blocks of rows.

    Args:
        design: the difference-coded table.
        prior: adds the log-F(1,1) prior to every card, bot and archetype (not to the side term), which keeps a card
            that won all its games finite.
        tolerance: largest change of a coefficient at which the fit counts as converged.

    Raises:
        ValueError: the fit does not converge (without the prior this is what separation looks like).

    Decks that meet many opponents make their matches dependent beyond the deck pair: what a deck has and the sum of its
    cards has not (synergies) is in all of them. With at least 30 decks the covariance allows for that, too; the part
    beyond the pairs is scaled by decks / (decks - terms), because the terms have taken up some of it.

    Source: Bradley and Terry 1952; Greenland and Mansournia 2015, section 3 (log-F(1,1) as two half rows per
        coefficient); Liang and Zeger 1986 for the cluster-robust covariance, with the correction G/(G-1) (n-1)/(n-k);
        Aronow, Samii and Assenova 2015, eq. 4, for decks: the sum over decks of score products minus that over pairs.
    """
    x, y = design.x, design.y
    times = np.ones(len(y)) if design.times is None else design.times
    width = x.shape[1]
    ridge = np.where((design.terms["kind"] != "side").to_numpy(), float(prior), 0.0)
    null = _null_directions(_sums(x, lambda rows: (np.ones(len(y[rows])), np.zeros(len(y[rows]))))[0])
    pinned = null[:, :0] if prior else null
    beta, steps = _newton(x, y, times, ridge, pinned, tolerance)
    linear = np.concatenate([_times(x, beta, rows) for rows in x.blocks()])
    residual = y - special.expit(linear)
    bread = _solve(_moments(x, y, times, ridge, beta)[0], np.eye(width), pinned)
    meat, groups, effective = _meat(design.x, design.clusters, residual, times)
    n = float(times.sum())
    scale = (n - 1) / max(n - (width - null.shape[1]), 1)
    covariance = bread @ meat @ bread * scale * groups / max(groups - 1, 1)
    if design.decks is not None and design.decks.max() >= _FEW_CLUSTERS:
        shared, decks, by_deck = _deck_meat(design, residual)
        known = decks / max(decks - (width - null.shape[1]), decks / _MOST_INFLATION)
        shared = bread @ (meat + (shared - 2 * meat) * known) @ bread * scale
        covariance = _at_least(covariance, np.diag(shared))
        groups, effective = min(groups, decks), np.minimum(effective, by_deck)
    expected = _expected_directions(design, null)
    centre = np.eye(width) - expected @ expected.T
    leftover = _beyond(null, expected)
    return AdjustedFit(
        coefficients=centre @ beta,
        covariance=centre @ covariance @ centre,
        model_covariance=centre @ bread @ centre,
        identified=np.linalg.norm(leftover, axis=1) < 1e-6,
        separated=_separated(design),
        effective_clusters=effective,
        linear=linear,
        steps=steps,
        clusters=groups,
        design=design,
    )


def effects(fitted: AdjustedFit, level: float = 0.95) -> pd.DataFrame:
    """Returns one row per card: its effect in win-rate points for one more copy than the opponent.

    The rows of the design are single matches (`Design.times` is None).

    Columns: card_id, suit, level, sides, logit, logit_se, effect, se, low, high, p, identified, separated. Effects
        of cards
    that are not identified are nan.

    Source: METHOD section 1: mean over matches of expit(eta + beta) - expit(eta), here for both sides; delta method
        over all terms.
    """
    cards = np.flatnonzero((fitted.design.terms["kind"] == "card").to_numpy())
    beta, ses = fitted.coefficients, fitted.standard_errors
    centres, weights, rows = _bins(fitted)
    points, point_ses = np.empty(cards.size), np.empty(cards.size)
    for place, term in enumerate(cards):
        up, down = special.expit(centres + beta[term]), special.expit(centres - beta[term])
        slope_up, slope_down = up * (1 - up), down * (1 - down)
        points[place] = 0.5 * float(weights @ (up - down))
        gradient = rows.T @ (0.5 * (slope_up - slope_down))
        own = 0.5 * float(weights @ (slope_up + slope_down))
        gradient[term] += own
        variance = float(gradient @ fitted.covariance @ gradient)
        extra = ses[term] ** 2 - fitted.covariance[term, term]
        point_ses[place] = np.sqrt(max(variance + own * own * extra, 0.0))
    half = float(stats.t.ppf(0.5 + level / 2, max(fitted.clusters - 1, 1))) * point_ses
    listed = fitted.design.terms.iloc[cards]
    known = fitted.identified[cards]
    table = pd.DataFrame(
        {
            "card_id": listed["name"].to_numpy(),
            "suit": listed["suit"].to_numpy(),
            "level": listed["level"].to_numpy(),
            "sides": listed["sides"].to_numpy(),
            "logit": beta[cards],
            "logit_se": ses[cards],
            "effect": points,
            "se": point_ses,
            "low": points - half,
            "high": points + half,
            "p": 2 * stats.norm.sf(np.abs(beta[cards]) / np.maximum(ses[cards], 1e-300)),
        }
    )
    table.loc[~known, ["logit", "logit_se", "effect", "se", "low", "high", "p"]] = np.nan
    table["identified"], table["separated"] = known, fitted.separated[cards]
    return table


def terms(fitted: AdjustedFit, level: float = 0.95) -> pd.DataFrame:
    """Returns the side, bot and archetype terms in logits with intervals; the side term is seat A's advantage."""
    other = np.flatnonzero((fitted.design.terms["kind"] != "card").to_numpy())
    ses = fitted.standard_errors[other]
    half = float(stats.t.ppf(0.5 + level / 2, max(fitted.clusters - 1, 1))) * ses
    table = fitted.design.terms.iloc[other][["kind", "name", "sides"]].reset_index(drop=True)
    table["logit"], table["se"] = fitted.coefficients[other], ses
    table["low"], table["high"] = table["logit"] - half, table["logit"] + half
    table["identified"] = fitted.identified[other]
    return table


def _newton(
    x: Rows,
    y: NDArray[np.float32],
    times: NDArray[np.float64],
    ridge: NDArray[np.float64],
    pinned: NDArray[np.float64],
    tolerance: float,
) -> tuple[NDArray[np.float64], int]:
    """Returns the maximum of the penalised likelihood and the number of steps it took."""
    beta = np.zeros(x.shape[1])
    for step_number in range(1, _MAX_STEPS + 1):
        information, gradient = _moments(x, y, times, ridge, beta)
        step = _solve(information, gradient, pinned)
        step *= min(1.0, _LONGEST_STEP / max(float(np.abs(step).max()), 1e-300))
        beta += step
        if np.abs(step).max() < tolerance:
            return beta, step_number
        if np.abs(beta).max() > _DIVERGED:
            raise ValueError("a term separates wins from losses; fit with the log-F prior")
    raise ValueError(f"the regression did not converge in {_MAX_STEPS} steps")


def _moments(
    x: Rows, y: NDArray[np.float32], times: NDArray[np.float64], ridge: NDArray[np.float64], beta: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns information and gradient of the matches plus those of the prior's half rows."""

    def at(rows: slice) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        mean = special.expit(_times(x, beta, rows))
        return times[rows] * mean * (1 - mean), times[rows] * (y[rows] - mean)

    information, gradient = _sums(x, at)
    shrunk = special.expit(beta)
    information[np.diag_indices(beta.size)] += ridge * shrunk * (1 - shrunk)
    return information, gradient + ridge * (0.5 - shrunk)


def _sums(
    x: Rows, at: Callable[[slice], tuple[NDArray[np.float64], NDArray[np.float64]]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns x' diag(w) x and x' r in one pass.

    Args:
        x: the rows.
        at: returns the weights w and the values r of a slice of rows.

    A row is one side minus another, so with the sides' cards S the products are S' L S and S' d: L is the Laplacian of
    the graph whose edges are the matches, with weights w, and d sums r over the matches of each side. No row is made.
    """
    count, width = x.sides.shape[0], x.others.shape[1]
    edges, degree, pull = sparse.csr_matrix((count, count)), np.zeros(count), np.zeros(count)
    lean, inner, pulled = np.zeros((count, width)), np.zeros((width, width)), np.zeros(width)
    for rows in x.blocks():
        weight, value = at(rows)
        (a, b), others = x.at[rows].T, x.others[rows].astype(np.float64)
        edges = edges + sparse.csr_matrix((weight, (a, b)), shape=(count, count))
        degree += np.bincount(a, weight, count) + np.bincount(b, weight, count)
        pull += np.bincount(a, value, count) - np.bincount(b, value, count)
        for column, other in enumerate((others * weight[:, None]).T):
            lean[:, column] += np.bincount(a, other, count) - np.bincount(b, other, count)
        inner += (others * weight[:, None]).T @ others
        pulled += others.T @ value
    sides = x.sides.astype(np.float64)
    laplacian = sparse.diags_array(degree, format="csr") - edges - edges.T
    cards = (sides.T @ (laplacian @ sides)).toarray()
    cross = sides.T @ lean
    upper = x.columns(cards, cross)
    lower = x.columns(cross.T, inner)
    return x.columns(upper.T, lower.T).T, x.columns(sides.T @ pull, pulled)


def _times(x: Rows, vector: NDArray[np.float64], rows: slice) -> NDArray[np.float64]:
    """Returns x @ vector of some rows."""
    cards, others = x.parts(vector)
    sides = x.sides @ cards
    return sides[x.at[rows, 0]] - sides[x.at[rows, 1]] + x.others[rows] @ others


def _null_directions(gram: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns an orthonormal basis of the directions in which the design cannot see a change."""
    norms = np.sqrt(np.maximum(np.diag(gram), 0.0))
    scale = np.where(norms > 0, norms, 1.0)
    values, vectors = linalg.eigh(gram / np.outer(scale, scale))
    flat = vectors[:, values < 1e-9 * max(float(values.max()), 1.0)] / scale[:, None]
    return np.linalg.qr(flat)[0] if flat.shape[1] else flat


def _expected_directions(design: Design, null: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the null directions that constant deck sizes explain: equal shifts per suit, deck or level weight."""
    terms = design.terms
    card = (terms["kind"] == "card").to_numpy()
    suits = terms["suit"].astype(object).fillna("").astype(str).to_numpy()
    levels = pd.to_numeric(terms["level"], errors="coerce").fillna(0).to_numpy(dtype=float)
    groups = [card & (suits == suit) for suit in np.unique(suits[card])]
    sheet = np.isin(np.char.lower(suits.astype(str)), ["house", "class", "entity"])
    groups += [card & ~sheet, card]
    kept: list[NDArray[np.float64]] = []
    for group in groups:
        for weights in (np.ones(len(terms)), levels):
            direction = np.where(group, weights, 0.0)
            size = np.linalg.norm(direction)
            if size == 0:
                continue
            direction = direction / size
            if np.linalg.norm(null.T @ direction) > 1 - 1e-8:
                kept.append(direction)
    if not kept:
        return np.zeros((len(terms), 0))
    return linalg.orth(np.stack(kept, axis=1), rcond=1e-8)


def _beyond(null: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns what is left of the null directions once the expected ones are taken out."""
    rest = null - expected @ (expected.T @ null)
    rest[np.abs(rest) < 1e-7] = 0.0
    return rest


def _solve(matrix: NDArray[np.float64], right: NDArray[np.float64], null: NDArray[np.float64]) -> NDArray[np.float64]:
    """Solves a symmetric system, with the minimum-norm solution along the null directions."""
    if null.shape[1]:
        matrix = matrix + null @ null.T * float(np.trace(matrix) / len(matrix))
        right = right - null @ (null.T @ right)
    solution = linalg.solve(matrix, right, assume_a="pos")
    return solution - null @ (null.T @ solution) if null.shape[1] else solution


def _meat(
    x: Rows, clusters: NDArray[np.int32], residual: NDArray[np.float64], times: NDArray[np.float64]
) -> tuple[NDArray[np.float64], int, NDArray[np.float64]]:
    """Returns the sum over clusters of score outer products, the number of clusters, and Kish clusters per term.

    Args:
        x: the rows.
        clusters: cluster of each row; longer where each row counts in several clusters, the first ones of all rows first.
        residual: residual of each row.
        times: how often each row's cluster occurred.
    """
    width, groups = x.shape[1], 0.0
    meat, one, two = np.zeros((width, width)), np.zeros(width), np.zeros(width)
    held = x.sides.astype(np.float64)
    for places in cluster_blocks(clusters):
        rows = places % len(residual)
        local = np.unique(clusters[places], return_inverse=True)[1]
        here, value = int(local.max()) + 1, residual[rows]
        often = np.empty(here)
        often[local] = times[rows]
        groups += often.sum()
        (a, b), others = x.at[rows].T, x.others[rows].astype(np.float64)
        pull = sparse.csr_matrix(
            (np.concatenate([value, -value]), (np.concatenate([local, local]), np.concatenate([a, b]))),
            shape=(here, held.shape[0]),
        )
        collect = sparse.csr_matrix((np.ones(rows.size), (local, np.arange(rows.size))))
        scores = x.columns((pull @ held).toarray(), collect @ (others * value[:, None]))
        meat += (scores * often[:, None]).T @ scores
        cards, meeting, _ = x.meetings(rows)
        count = sparse.csr_matrix((np.ones(rows.size), (local, meeting)), shape=(here, cards.shape[0]))
        touched = x.columns((count @ abs(cards).astype(np.float64)).toarray(), collect @ abs(others))
        one += often @ touched
        two += often @ (touched * touched)
    return meat, int(groups), np.divide(one * one, two, out=np.zeros(width), where=two > 0)


def _deck_meat(design: Design, residual: NDArray[np.float64]) -> tuple[NDArray[np.float64], int, NDArray[np.float64]]:
    """Returns the sum over decks of score outer products; each match counts for both of its decks."""
    assert design.decks is not None
    return _meat(design.x, design.decks.T.ravel(), residual, np.ones(len(residual)))


def _at_least(covariance: NDArray[np.float64], variances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the covariance scaled up where a variance is larger, so that it stays a covariance."""
    own = np.diag(covariance)
    factor = np.sqrt(np.maximum(np.divide(variances, own, out=np.ones_like(own), where=own > 0), 1.0))
    return covariance * np.outer(factor, factor)


def _separated(design: Design) -> NDArray[np.bool_]:
    """Tells for each card and bot whether its side has only wins or only losses."""
    x = design.x
    decided, balance = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for rows in x.blocks():
        lean = np.sign(design.y[rows].astype(np.float64) - 0.5)
        cards, meeting, turned = x.meetings(rows)
        sign, others = cards.sign().astype(np.float64), np.sign(x.others[rows]).astype(np.float64)
        won, count = np.bincount(meeting, turned * lean), np.bincount(meeting, np.abs(lean))
        decided += x.columns(abs(sign).T @ count, abs(others).T @ np.abs(lean))
        balance += x.columns(sign.T @ won, others.T @ lean)
    flags = (decided > 0) & (np.abs(balance) == decided)
    flags[(design.terms["kind"] == "side").to_numpy()] = False
    return flags


def _bins(fitted: AdjustedFit) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Groups matches by fitted logit: bin centres, shares, and the mean design row times the share."""
    x, eta = fitted.design.x, fitted.linear
    count, sides = min(_BINS, eta.size), x.sides.shape[0]
    code = np.empty(eta.size, dtype=np.int32)
    code[np.argsort(eta, kind="stable")] = np.arange(eta.size) * count // eta.size
    weights = np.bincount(code, minlength=count) / eta.size
    centres = np.bincount(code, weights=eta, minlength=count) / (weights * eta.size)
    rows = np.zeros((count, x.shape[1]))
    for part in x.blocks():
        local, (a, b) = code[part], x.at[part].T
        ones = np.ones(local.size)
        both = (np.concatenate([ones, -ones]), (np.concatenate([local, local]), np.concatenate([a, b])))
        cards = (sparse.csr_matrix(both, shape=(count, sides)) @ x.sides.astype(np.float64)).toarray()
        pick = sparse.csr_matrix((ones, (local, np.arange(local.size))), shape=(count, local.size))
        rows += x.columns(cards, pick @ x.others[part].astype(np.float64))
    return centres, weights, rows / eta.size
