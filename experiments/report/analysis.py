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
from apotheosis.experiments.report.groups import GroupTally
from apotheosis.experiments.report.reading import INCOMPLETE, Run
from apotheosis.experiments.report.replays import ReplayIndex
from apotheosis.experiments.stats import adjusted, design, pace, shrinkage, verdicts
from apotheosis.experiments.stats import cards as card_rates
from apotheosis.experiments.stats.intervals import Interval, cluster_ratio
from apotheosis.experiments.stats.sides import deck_pair, sides

BAND, FDR, SHRINK_BY = 0.02, 0.10, ("rarity", "level")
"""How cards are judged where a folder has no spec."""

MEETINGS = 30
"""Games that each two decks must have played before a matchup table is shown."""


@dataclass
class Analysis:
    """The numbers of a report; None stands for what the run cannot tell.

    Attributes:
        run: the run.
        band: half width of the band of balanced effects, a fraction.
        fdr: share of false alarms allowed among flags.
        cards: one row per card, strongest first, the cards without verdict among them.
        reason: key and values of the sentence that says why there are no effects, or None.
        by_bot: effects of cards in the hands of one bot.
        groups: rates of suits, levels and rarities.
        replays: stored matches that show a card at work.
        side: advantage of seat A over even.
        first_mover: advantage of acting first, None where it is not identified.
        length: counts of finished matches by stints, with the quantiles low, median and high.
        decks: `deck, rate, low, high, games`, best first.
        meetings: games by unordered pair of decks.
        bot_scores: `bot, opponent, rate, low, high, games`.
        rarity_means: `rarity, mean, n`.
        rarity_tests: equivalence_p and trend, None where there is too little to test.
        price_curve: the fitted price line, `price, effect`.
        matrix: win rates of decks against each other.
        field: weights of an undominated field of decks.
        effective_decks: its diversity.
        cyclic: share of the matchups that is rock-paper-scissors.
        ladder: `bot, elo, low, high`.
    """

    run: Run
    band: float
    fdr: float
    cards: pd.DataFrame
    reason: tuple[str, dict] | None
    groups: pd.DataFrame
    replays: pd.DataFrame
    side: Interval
    first_mover: Interval | None
    length: dict | None
    decks: pd.DataFrame
    meetings: pd.Series
    bot_scores: pd.DataFrame
    rarity_means: pd.DataFrame
    rarity_tests: dict | None = None
    price_curve: pd.DataFrame | None = None
    by_bot: pd.DataFrame = field(default_factory=pd.DataFrame)
    matrix: pd.DataFrame | None = None
    field: pd.Series | None = None
    effective_decks: float | None = None
    cyclic: float | None = None
    ladder: pd.DataFrame | None = None


def analyse(run: Run) -> Analysis:
    """Computes the numbers of a report in one pass over the card table."""
    stats = run.spec.get("stats", {})
    band, limit = stats.get("band", BAND), stats.get("fdr", FDR)
    cluster = {"pair": "pair_id"}.get(stats.get("cluster", "deck_pair"), "deck_pair")
    window = run.spec.get("format", {}).get("opening_hand", 6) + 3
    tallies: list[card_rates.CardTally] = []
    group_tally, replays = GroupTally(run.pool), ReplayIndex(run.matches)

    def feed() -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
        for matches, cards in run.chunks():
            part = card_rates.tally(matches, cards, window=window)
            tallies[:] = [card_rates.merge([*tallies, part])]
            group_tally.add(matches, cards)
            replays.add(cards)
            yield matches, cards

    effects, reason = _effects(feed(), cluster)
    if not tallies:
        reason = ("reason.no_cards", {})
    rates = card_rates.metrics(tallies[0]) if tallies else _no_rates()
    cards = _card_table(run, rates, effects, band, limit, stats.get("shrink_by", SHRINK_BY))
    decks, meetings = _decks(run.matches)
    return Analysis(
        run=run,
        band=band,
        fdr=limit,
        cards=cards,
        reason=reason,
        groups=group_tally.rates([*SUITS, *RARITIES]),
        replays=replays.matches(),
        side=pace.side_advantage(run.matches),
        first_mover=_first_mover(run),
        length=_length(run.matches),
        decks=decks,
        meetings=meetings,
        bot_scores=_bot_scores(run.matches),
        rarity_means=_rarity_means(cards),
    )


def _effects(
    chunks: Iterator[tuple[pd.DataFrame, pd.DataFrame]], cluster: str
) -> tuple[pd.DataFrame, tuple[str, dict] | None]:
    """Returns the adjusted effects, or the reason why there are none."""
    try:
        table = design.build(chunks, cluster)
    except ValueError:
        return pd.DataFrame(), ("reason.no_results", {})
    cards = int((table.terms["kind"] == "card").sum())
    if abs(table.x[:, 1 : cards + 1]).sum() == 0:
        return pd.DataFrame(), ("reason.one_deck", {})
    if len(table.y) < 2 * table.x.shape[1]:
        return pd.DataFrame(), ("reason.too_few", {"n": len(table.y), "cards": cards})
    return adjusted.effects(adjusted.fit(table)), None


def _no_rates() -> pd.DataFrame:
    """Returns the empty table of rates of a run without card rows."""
    matches = pd.DataFrame(
        {
            "match_id": [],
            "pair_id": [],
            "score_a": [],
            "seat_a_bot": [],
            "seat_b_bot": [],
            "seat_a_deck": [],
            "seat_b_deck": [],
        }
    )
    cards = pd.DataFrame({"match_id": [], "card_id": [], "seat": [], "team": [], "shuffle_position": []})
    return card_rates.metrics(card_rates.tally(matches, cards))


def _card_table(
    run: Run, rates: pd.DataFrame, effects: pd.DataFrame, band: float, limit: float, shrink_by: Sequence[str]
) -> pd.DataFrame:
    """Joins pool, rates, effects and verdicts into one row per played card."""
    table = rates[["card_id"]].merge(run.pool.reset_index(names="card_id"), on="card_id", how="left")
    table["status"] = table["status"].fillna("executable")
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
    seed = int(run.spec.get("run", {}).get("seed", 0))
    table = pd.concat([table, _judgement(table, band, limit, shrink_by, seed)], axis=1)
    table["price_residual"], table["price_worth"] = np.nan, np.nan
    table = table.sort_values(["effect", "card_id"], ascending=[False, True], na_position="last", ignore_index=True)
    table["anchor"] = anchors(table["card_id"])
    return table


def _judgement(table: pd.DataFrame, band: float, limit: float, shrink_by: Sequence[str], seed: int) -> pd.DataFrame:
    """Returns shrunk effects, ranks and verdicts; cards that are not fully simulated take no part in any of them."""
    blocked = table["status"].isin(INCOMPLETE).to_numpy()
    effect = table["effect"].where(~blocked).to_numpy()
    groups = table[list(shrink_by)].astype(str).agg(" ".join, axis=1).to_numpy()
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
    shrunk = shrunk[["mean", "sd", "low", "high"]].set_axis(
        ["shrunk", "shrunk_sd", "shrunk_low", "shrunk_high"], axis=1
    )
    return pd.concat([judged, shrunk, ranks], axis=1)


def _length(matches: pd.DataFrame) -> dict | None:
    """Returns the counts of finished matches by stints and their quantiles, None where stints are not recorded."""
    if "stints" not in matches or matches["score_a"].notna().sum() == 0:
        return None
    counts = matches.loc[matches["score_a"].notna(), "stints"].astype(int).value_counts().sort_index()
    found = pace.length(matches, "stints")
    return {"counts": counts, "low": found.p05, "median": found.median, "high": found.p95}


def _first_mover(run: Run) -> Interval | None:
    """Returns the first mover's advantage where the order of stint 1 was drawn at random, else None."""
    if "first_team" not in run.matches:
        return None
    return pace.first_mover(run.matches, run.spec.get("format", {}).get("initiative") == "random")


def _rarity_means(cards: pd.DataFrame) -> pd.DataFrame:
    """Returns the plain mean effect of each rarity over cards that may be judged: `rarity, mean, n`, rarest last."""
    judged = cards[cards["effect"].notna() & ~cards["status"].isin(INCOMPLETE)]
    means = judged.groupby("rarity")["effect"].agg(mean="mean", n="size")
    return means.reindex([r for r in RARITIES if r in means.index]).rename_axis("rarity").reset_index()


def _decks(matches: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Returns win rates of decks, best first, and the number of games of each two that met."""
    finished = matches[matches["score_a"].notna()]
    meetings = deck_pair(finished).value_counts()
    own = sides(finished)
    own = own[own["deck_pair"].map(lambda pair: pair.partition("|")[0] != pair.partition("|")[2])]
    rows = []
    for deck, games in own.groupby("deck", sort=True):
        rate = cluster_ratio(games["score"], np.ones(len(games)), games["pair_id"])
        rows.append((deck, rate.estimate, rate.low, rate.high, len(games)))
    table = pd.DataFrame(rows, columns=["deck", "rate", "low", "high", "games"])
    return table.sort_values(["rate", "deck"], ascending=[False, True], ignore_index=True), meetings


def _bot_scores(matches: pd.DataFrame) -> pd.DataFrame:
    """Returns the score of each bot against each other one, clustered by pair."""
    own = sides(matches[matches["score_a"].notna()])
    own["opponent"] = own["bot"].to_numpy().reshape(-1, 2)[:, ::-1].ravel()
    rows = []
    for (bot, opponent), games in own[own["bot"] != own["opponent"]].groupby(["bot", "opponent"], sort=True):
        rate = cluster_ratio(games["score"], np.ones(len(games)), games["pair_id"])
        rows.append((bot, opponent, rate.estimate, rate.low, rate.high, len(games)))
    return pd.DataFrame(rows, columns=["bot", "opponent", "rate", "low", "high", "games"])
