"""Effect of one card by exchanging it: the same deck with the card and with a plain card of its suit and level.

Everything else is held equal (deck, bots, seats, seeds), so the difference is caused by the card. Head to head both
decks meet each other, which costs a quarter of the games; on the field both meet the same opponents, which is what a
change will look like to players. Screen head to head, confirm on the field.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from apotheosis.experiments.stats.intervals import Interval, cluster_mean, cluster_share
from apotheosis.experiments.stats.pairs import summarise

__all__ = ["SwapEffect", "field", "head_to_head", "per_draw", "seen_share"]

_FIELD_VARIANCE = 0.25


@dataclass(frozen=True)
class SwapEffect:
    """Effect of the exchanged card in points.

    Attributes:
        effect: the whole exchange, all copies together.
        per_slot: one exchanged copy.
        per_draw: per match in which a copy was seen, or None where nothing is known about draws.
        rho: correlation that the shared seeds give: of the two games of a pair (head to head), or of both versions'
            scores against the same opponent (field).
        games_saved: share of games saved against independent games at even strength.
        units: pairs (head to head) or seeds with all four games (field).
        unfinished: units without a result, left out of the effect.
        low_bound: effect with unfinished games counted against the card.
        high_bound: effect with unfinished games counted for the card.
        p: two-sided p-value of no effect.
    """

    effect: Interval
    per_slot: Interval
    per_draw: Interval | None
    rho: float
    games_saved: float
    units: int
    unfinished: int
    low_bound: float
    high_bound: float
    p: float


def head_to_head(frame: pd.DataFrame, copies: int = 1, seen: Interval | float | None = None, level: float = 0.95) -> SwapEffect:
    """Returns the effect from matches of the two versions against each other.

    Args:
        frame: rows of `pairs.pair_scores` with the card's version as candidate.
        copies: number of exchanged copies.
        seen: share of matches in which at least one copy was seen (`seen_share`, or a known probability).
        level: coverage.

    Source: METHOD section 2a: mean pair score minus one half, in points per deck slot.
    """
    found = summarise(frame, level)
    effect = found.score.shifted(-0.5)
    return SwapEffect(
        effect=effect,
        per_slot=effect.scaled(1 / copies),
        per_draw=None if seen is None else per_draw(effect, seen),
        rho=found.rho,
        games_saved=found.games_saved,
        units=int(found.score.n),
        unfinished=found.unfinished,
        low_bound=float(frame["low"].mean()) - 0.5,
        high_bound=float(frame["high"].mean()) - 0.5,
        p=_p(effect),
    )


def field(
    with_card: pd.DataFrame,
    with_plain: pd.DataFrame,
    copies: int = 1,
    seen: Interval | float | None = None,
    level: float = 0.95,
) -> SwapEffect:
    """Returns the effect from matches of both versions against the same opponents on the same seeds.

    Args:
        with_card: rows of `pairs.pair_scores` of the card's version against the opponents, one per seed.
        with_plain: the same of the plain version; row i has the opponent and seeds of row i of `with_card`.
        copies: number of exchanged copies.
        seen: share of matches in which at least one copy was seen.
        level: coverage.

    Raises:
        ValueError: the two tables differ in length, so they do not share seeds.

    Source: METHOD section 2b: d = y_card - y_plain, variance 2 sigma^2 (1 - rho) / 2n.
    """
    if len(with_card) != len(with_plain):
        raise ValueError(f"the versions played {len(with_card)} and {len(with_plain)} seeds; they must be the same seeds")
    one, two = with_card["score"].to_numpy(dtype=float), with_plain["score"].to_numpy(dtype=float)
    done = ~np.isnan(one) & ~np.isnan(two)
    difference = one[done] - two[done]
    effect = cluster_mean(difference, np.arange(difference.size), level)
    varies = difference.size > 2 and one[done].std() > 0 and two[done].std() > 0
    return SwapEffect(
        effect=effect,
        per_slot=effect.scaled(1 / copies),
        per_draw=None if seen is None else per_draw(effect, seen),
        rho=float(np.corrcoef(one[done], two[done])[0, 1]) if varies else np.nan,
        games_saved=1 - float(difference.var(ddof=1)) / _FIELD_VARIANCE if difference.size > 1 else np.nan,
        units=difference.size,
        unfinished=int((~done).sum()),
        low_bound=float((with_card["low"].to_numpy() - with_plain["high"].to_numpy()).mean()),
        high_bound=float((with_card["high"].to_numpy() - with_plain["low"].to_numpy()).mean()),
        p=_p(effect),
    )


def seen_share(cards: pd.DataFrame, card_id: str, window: int, level: float = 0.95) -> Interval:
    """Returns the share of a card's matches in which a copy lay among the first cards of its deck.

    Args:
        cards: `cards` rows of the control arm, restricted to the side that holds the plain card.
        card_id: the plain card.
        window: number of first cards that count as seen, fixed before the match (not the turn of the last draw).
        level: coverage.
    """
    own = cards[cards["card_id"] == card_id]
    first = own.groupby("match_id", sort=True)["shuffle_position"].min()
    early = (first.to_numpy(dtype=float) < window).astype(float)
    return cluster_share(early, first.index.to_numpy(), level)


def per_draw(effect: Interval, seen: Interval | float) -> Interval:
    """Returns the effect per match in which the card was seen.

    The exchange is the instrument: it can only matter where a copy was seen, so the whole effect is carried by that
    share.

    Source: Wald 1940, the ratio of both arms' differences; delta method, with the share estimated apart from the
        effect.
    """
    share = seen.estimate if isinstance(seen, Interval) else seen
    share_se = seen.se if isinstance(seen, Interval) else 0.0
    estimate = float(effect.estimate) / float(share)
    se = float(np.hypot(float(effect.se), estimate * float(share_se)) / float(share))
    half = se * _quantile(effect)
    return Interval(estimate, estimate - half, estimate + half, se, effect.n, effect.level)


def _quantile(effect: Interval) -> float:
    """Returns the t quantile of an interval over its units."""
    return float(stats.t.ppf(0.5 + effect.level / 2, max(float(effect.n) - 1, 1)))


def _p(effect: Interval) -> float:
    """Returns the two-sided p-value of a mean over units."""
    if not float(effect.se) > 0:
        return np.nan
    return float(2 * stats.t.sf(abs(float(effect.estimate)) / float(effect.se), max(float(effect.n) - 1, 1)))
