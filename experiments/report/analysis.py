"""Everything a report says in numbers: one pass over the run's tables, then the statistics of `experiments.stats`.

Nothing is estimated here. This module feeds the statistics, joins what they return into one table per subject, and
keeps apart what a run cannot tell (None) from what is zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from apotheosis.experiments.report.card_pages import RARITIES, SUITS, anchors
from apotheosis.experiments.report.exchange import Exchange, ExchangeTally
from apotheosis.experiments.report.exchange_of_two import Together, TogetherTally
from apotheosis.experiments.report.game_numbers import GameNumbers, game_numbers
from apotheosis.experiments.report.groups import GroupTally
from apotheosis.experiments.report.match_tally import COLUMNS, MatchTally
from apotheosis.experiments.report.reading import INCOMPLETE, Run
from apotheosis.experiments.report.replays import ReplayIndex
from apotheosis.experiments.report.weighing import Weighed
from apotheosis.experiments.stats import (
    adjusted,
    design,
    price_line,
    rarity,
    shrinkage,
    tiers,
    verdicts,
)
from apotheosis.experiments.stats import cards as card_rates
from apotheosis.experiments.stats.intervals import Interval

BAND, FDR, SHRINK_BY = 0.02, 0.10, ("rarity", "level")
"""How cards are judged where a folder has no spec."""

GROUPS_PER_TERM = 6
"""Independent pairs that a fit needs for each of its terms: with six, null cards are flagged at the nominal 5 %, with
half as many at 10 %, because the error of a fit that follows its own data is taken for too small."""

BY_BOT = ["bot", "card_id", "effect", "se", "effect_low", "effect_high", "games"]
"""Columns of the effects by bot."""

RARITY_COLUMNS = ("rarity", "mean", "low", "high", "n", "played", "played_low", "played_high")
"""Columns of the means by rarity."""

UNKNOWN = "–"
"""Stands for a suit or rarity that neither pool nor card table name."""


@dataclass
class Analysis:
    """The numbers of a report; None stands for what the run cannot tell.

    Attributes:
        run: the run.
        tally: its matches, added up.
        band: half width of the band of balanced effects, a fraction.
        fdr: share of false alarms allowed among flags.
        cards: one row per card, strongest first, the cards without verdict among them.
        reason: key and values of the sentence that says why there are no effects, or None.
        groups: rates of suits, levels and rarities.
        replays: matches that show a card at work, best first.
        game: the numbers of matches.
        rarity_means: `rarity, mean, low, high, n`, and `played, played_low, played_high`, which weight each card by the
            copies played.
        rarity_targets: what the data say about the designer's targets.
        rarity_equivalence: whether all rarities lie within the band of each other.
        rarity_ramp: points per step of rarity.
        price_curve: the fitted price line, `price, effect`.
        by_bot: effects among the matches that a bot played against itself, weakest bot first.
        skill: for each card, whether its effect depends on the bot.
        agreement: rank agreement of effects between bots.
        exchange: what a card, or two together, are worth against what takes their place, for runs that ask this.
        weighed: what there was to decide at a sample of decisions, where it was asked for.
    """

    run: Run
    tally: MatchTally
    band: float
    fdr: float
    cards: pd.DataFrame
    reason: tuple[str, dict] | None
    groups: pd.DataFrame
    replays: pd.DataFrame
    game: GameNumbers
    rarity_means: pd.DataFrame
    rarity_targets: pd.DataFrame | None = None
    rarity_equivalence: rarity.Equivalence | None = None
    rarity_ramp: Interval | None = None
    price_curve: pd.DataFrame | None = None
    by_bot: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=BY_BOT))
    skill: pd.DataFrame | None = None
    agreement: pd.DataFrame | None = None
    exchange: Exchange | Together | None = None
    weighed: Weighed | None = None


def analyse(run: Run) -> Analysis:
    """Computes the numbers of a report in one pass over each table."""
    stats = run.spec.get("stats", {})
    band, limit = stats.get("band", BAND), stats.get("fdr", FDR)
    cluster = {"pair": "pair_id"}.get(stats.get("cluster", "deck_pair"), "deck_pair")
    window = run.spec.get("format", {}).get("opening_hand", 6) + 3
    tally, exchange = _tallied(run, window)
    tallies: list[card_rates.CardTally] = []
    group_tally, replays = GroupTally(run.pool), ReplayIndex()

    def feed() -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        for matches, cards in run.chunks():
            part = card_rates.tally(matches, cards, window=window)
            tallies[:] = [card_rates.merge([*tallies, part])]
            group_tally.add(matches, cards)
            replays.add(cards)
            if exchange is not None:
                exchange.add_cards(cards)
            yield matches, cards

    table = _design(feed(), cluster)
    effects, reason = _effects(table, len(tally.decks))
    if not tallies:
        reason = ("reason.no_cards", {})
    rates = card_rates.metrics(tallies[0]) if tallies else _no_rates()
    cards = _card_table(run, rates, effects, band, limit, stats.get("shrink_by", SHRINK_BY))
    cards, curve = _price_line(cards)
    game = game_numbers(run, tally)
    return Analysis(
        run=run,
        tally=tally,
        band=band,
        fdr=limit,
        cards=cards,
        reason=reason,
        groups=group_tally.rates([*SUITS, *RARITIES]),
        replays=replays.matches(),
        game=game,
        price_curve=curve,
        exchange=None if exchange is None else exchange.result(run.pool["name"], band),
        **_rarities(cards, band),
        **_by_bot(run, tally, game, cards, table, band, limit),
    )


def _tallied(run: Run, window: int) -> tuple[MatchTally, ExchangeTally | TogetherTally | None]:
    """Adds up the matches of a run, and those of two versions of its decks where it is about these."""
    drawn = run.spec.get("format", {}).get("initiative") == "random"
    tally = MatchTally(run.match_columns, drawn, run.plan.get("matches_per_pair", 2) == 2)
    exchange = ExchangeTally.of(run, window)
    for part in run.match_parts(COLUMNS):
        tally.add(part)
        try:
            if exchange is not None:
                exchange.add(part)
        except ValueError:
            exchange = None
    return tally, exchange


def _design(chunks: Iterator[tuple[pd.DataFrame, pd.DataFrame]], cluster: str) -> design.Design | None:
    """Returns the regression table, or None where no match has a result."""
    try:
        return design.build(chunks, cluster)
    except ValueError:
        return None


def _effects(table: design.Design | None, decks: int) -> tuple[pd.DataFrame, tuple[str, dict] | None]:
    """Returns the adjusted effects, or the reason why there are none; `decks` is the number of decks of the run."""
    if table is None:
        return pd.DataFrame(), ("reason.no_results", {})
    cards = int((table.terms["kind"] == "card").sum())
    if not table.x.differ():
        return pd.DataFrame(), ("reason.one_deck", {})
    groups, needed = int(table.clusters.max()) + 1, GROUPS_PER_TERM * table.x.shape[1]
    matches = max(2 * needed, 5 * cards)  # a mirrored pair meets two decks: so many of both go together
    few_decks = ("reason.few_decks", {"decks": decks, "cards": cards, "more": str(5 * cards), "matches": str(matches)})
    if decks < cards:
        return pd.DataFrame(), few_decks
    if groups < needed:
        return pd.DataFrame(), ("reason.too_few", {"n": groups, "cards": cards, "more": 2 * needed})
    effects = adjusted.effects(adjusted.fit(table))
    return (pd.DataFrame(), few_decks) if effects["effect"].isna().all() else (effects, None)


def _no_rates() -> pd.DataFrame:
    """Returns the empty table of rates of a run without card rows."""
    numbers = ["match_id", "pair_id", "score_a"]
    names = ["seat_a_bot", "seat_b_bot", "seat_a_deck", "seat_b_deck"]
    matches = pd.DataFrame({name: pd.Series(dtype=float if name in numbers else object) for name in numbers + names})
    cards = pd.DataFrame({name: pd.Series(dtype=int) for name in ("match_id", "seat", "team", "shuffle_position")})
    return card_rates.metrics(card_rates.tally(matches, cards.assign(card_id=pd.Series(dtype=object))))


def _card_table(
    run: Run, rates: pd.DataFrame, effects: pd.DataFrame, band: float, limit: float, shrink_by: Sequence[str]
) -> pd.DataFrame:
    """Joins pool, rates, effects and verdicts into one row per played card."""
    table = rates[["card_id"]].merge(run.pool.reset_index(names="card_id"), on="card_id", how="left")
    table["status"] = table["status"].fillna("executable")
    for name in ("suit", "rarity"):
        table[name] = table[name].fillna(UNKNOWN).astype(str)
    table["level"] = pd.to_numeric(table["level"], errors="coerce").astype("Int64")
    for name in ("score", "action", "price"):
        table[name] = pd.to_numeric(table[name], errors="coerce").astype(float)
    table = table.merge(rates.drop(columns=["suit", "level", "rarity"], errors="ignore"), on="card_id", how="left")
    if effects.empty:
        table[["logit", "logit_se", "effect", "effect_se", "effect_low", "effect_high"]] = np.nan
        table["identified"], table["separated"] = False, False
    else:
        own = effects.rename(columns={"se": "effect_se", "low": "effect_low", "high": "effect_high"})
        table = table.merge(own.drop(columns=["suit", "level", "sides", "p"]), on="card_id", how="left")
    table = table.merge(run.deck_effects, on="card_id", how="left")
    seed = int(run.spec.get("run", {}).get("seed", 0))
    table = pd.concat([table, _judgement(table, band, limit, shrink_by, seed)], axis=1)
    table = table.sort_values(["effect", "card_id"], ascending=[False, True], na_position="last", ignore_index=True)
    table["anchor"] = anchors(table["card_id"])
    return table


def _judgement(table: pd.DataFrame, band: float, limit: float, shrink_by: Sequence[str], seed: int) -> pd.DataFrame:
    """Returns shrunk effects, ranks and verdicts; cards that are not fully simulated take no part in any of them."""
    blocked = table["status"].isin(INCOMPLETE).to_numpy()
    effect = table["effect"].where(~blocked).to_numpy()
    groups = np.array([" ".join(map(str, row)) for row in table[list(shrink_by)].to_numpy(dtype=object)], dtype=object)
    shrunk = shrinkage.shrink(effect, table["effect_se"].to_numpy(), groups)
    ranks = shrinkage.rank_intervals(shrunk["mean"], shrunk["sd"], seed)
    judged = verdicts.judge(
        effect,
        table["effect_se"].to_numpy(),
        shrunk["mean"],
        shrunk["sd"],
        table["included_n"].to_numpy(),
        band,
        limit,
        blocked=blocked,
    )
    shrunk = shrunk[["mean", "sd", "low", "high"]].set_axis(["shrunk", "shrunk_sd", "shrunk_low", "shrunk_high"], axis=1)
    return pd.concat([judged, shrunk, ranks], axis=1)


def _judged(cards: pd.DataFrame) -> pd.DataFrame:
    """Returns the cards that take part in comparisons of groups and in the price line."""
    return cards[cards["effect"].notna() & ~cards["status"].isin(INCOMPLETE)]


def _rarities(cards: pd.DataFrame, band: float) -> dict:
    """Returns means, targets, equivalence and trend by rarity, for the arguments of `Analysis`."""
    judged = _judged(cards)
    effect, se, names = judged["effect"], judged["effect_se"], judged["rarity"].astype(str)
    if judged["rarity"].nunique() < 2:
        return {"rarity_means": pd.DataFrame(columns=list(RARITY_COLUMNS))}
    order: list[str] = list(RARITIES)
    means = rarity.group_table(effect, se, names, order=order)
    played = judged["games"] * judged["copies_mean"]
    weighted = rarity.group_table(effect, se, names, weights=played, order=order)
    table = means.rename(columns={"group": "rarity", "cards": "n"})[["rarity", "mean", "low", "high", "n"]]
    return {
        "rarity_means": table.assign(
            played=weighted["mean"].to_numpy(), played_low=weighted["low"].to_numpy(), played_high=weighted["high"].to_numpy()
        ),
        "rarity_targets": rarity.targets(effect, se, names, order, margin=band, step=band),
        "rarity_equivalence": rarity.equivalence(effect, names, band),
        "rarity_ramp": rarity.ramp(effect, names.map({name: k for k, name in enumerate(order)})),
    }


def _price_line(cards: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Returns the card table with each card's distance from the price line, and the line, None where none fits."""
    judged = _judged(cards)
    judged = judged[judged["score"].notna()]
    try:
        if judged.empty:
            raise ValueError("no card has both an effect and a Score")
        line = price_line.fit_price_line(judged, "score", se="effect_se")
    except ValueError:
        return cards.assign(price_residual=np.nan, price_low=np.nan, price_high=np.nan, price_worth=np.nan), None
    found = line.cards.reindex(cards.index)
    cards = cards.assign(
        price_residual=found["residual"], price_low=found["low"], price_high=found["high"], price_worth=found["worth"]
    )
    return cards, line.curve.rename(columns={"cost": "price", "power": "effect"})


def _by_bot(
    run: Run, tally: MatchTally, game: GameNumbers, cards: pd.DataFrame, table: design.Design | None, band: float, limit: float
) -> dict:
    """Returns effects by bot and what depends on the bot, for the arguments of `Analysis`.

    A bot's effects come from its matches against itself, so that no other bot's play takes part in them.
    """
    if game.ladder is None or table is None:
        return {}
    order = game.ladder.ratings.sort_values("elo", kind="stable")
    parts = []
    for bot in order["bot"]:
        if tally.own_pairs[bot] < GROUPS_PER_TERM * len(cards):
            continue
        found, _ = _effects(design.among(table, bot), len(tally.decks))
        if len(found):
            parts.append(found.assign(bot=bot))
    if len(parts) < 2:
        return {}
    effects = pd.concat(parts, ignore_index=True).rename(columns={"low": "effect_low", "high": "effect_high"})
    effects["games"] = effects["sides"]
    complete = cards.loc[~cards["status"].isin(INCOMPLETE), "card_id"]
    judged = effects[effects["card_id"].isin(complete)].rename(columns={"bot": "tier"})
    strength = order.set_index("bot").loc[pd.unique(judged["tier"]), "elo"]
    skill = tiers.interaction(judged, strength, band, limit)
    agreement = tiers.agreement(judged, int(run.spec.get("run", {}).get("seed", 0)))
    return {"by_bot": effects[BY_BOT], "skill": skill, "agreement": agreement}
