"""The section that answers whether a run may be believed: what was issued, how it ended, and which checks hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.dictionary import FAILED, OUTCOMES
from apotheosis.experiments.report.grids import grid, share_bar
from apotheosis.experiments.report.reading import INCOMPLETE, Run, undocumented_outcomes
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.stats.pairs import pair_scores, summarise

FAILED_LIMIT = 0.001
"""Share of matches without result above which bounds are printed, where the run's spec names none."""

COMPANY_LIMIT = 0.5
"""Share of decks with an incomplete card above which no effect can be called that of the whole game."""

INERT_LISTED = 12
"""Incomplete cards that the section lists."""

TWINS_LIMIT = 0.01
"""Share of pairs with equal final states above which the two matches look like copies of each other."""


def outcome_counts(matches: pd.DataFrame) -> pd.DataFrame:
    """Returns `outcome, matches, share`, every documented outcome first, in the order of the dictionary."""
    counts = matches["outcome"].value_counts()
    names = [*OUTCOMES, *undocumented_outcomes(matches)]
    found = np.array([int(counts.get(name, 0)) for name in names])
    return pd.DataFrame({"outcome": names, "matches": found, "share": found / max(len(matches), 1)})


def trust_section(run: Run, cards: pd.DataFrame, words: Words) -> dict:
    """Returns what the template needs for section 2.

    Args:
        run: the run.
        cards: the card table of the report (`name, status, missing, games`).
        words: the language.
    """
    t, matches = words, run.matches
    outcomes = outcome_counts(matches)
    issued, failed = len(matches), int(matches["score_a"].isna().sum())
    incomplete = cards[cards["status"].isin(INCOMPLETE)]
    checks = _checks(run, outcomes, t)
    wrong = sum(not good for good, _ in checks)
    draws = int((matches["outcome"] == "draw").sum())
    held = _deck_share(matches)
    listed = outcomes[(outcomes["matches"] > 0) | outcomes["outcome"].isin(["win_a", "win_b", "draw"])]
    return {
        "answer": t("trust.yes") if wrong == 0 else t("trust.care", n=wrong),
        "issued": issued,
        "finished": issued - failed,
        "failed": failed,
        "incomplete": len(incomplete),
        "issued_note": t("trust.issued_note", n=int(matches["pair_id"].nunique())),
        "finished_note": t("trust.finished_note", share=t.percent((issued - failed) / max(issued, 1), 2), draws=t.count(draws)),
        "failed_note": t("trust.failed_none") if failed == 0 else t("trust.failed_some", share=t.percent(failed / issued, 2)),
        "incomplete_note": t("trust.incomplete_none")
        if incomplete.empty
        else t("trust.incomplete_note", share=t.percent(held, 0)),
        "checks": checks,
        "outcomes": grid(
            [t("trust.outcomes"), t("column.matches"), "%", ""],
            [
                [
                    t.term("outcome", r.outcome),
                    t.count(r.matches),
                    t.number(100 * r.share, 2),
                    share_bar(r.share, listed["share"].max()),
                ]
                for r in listed.itertuples()
            ],
            numbers=(1, 2),
        ),
        "facts": _facts(run, t),
        "inert_more": t("trust.inert_more", n=INERT_LISTED) if len(incomplete) > INERT_LISTED else "",
        "inert": None if incomplete.empty else _incomplete(incomplete, t),
    }


def _deck_share(matches: pd.DataFrame) -> float:
    """Returns the share of the decks that hold a card which is not fully simulated."""
    if "inert_cards_a" not in matches:
        return float("nan")
    a = matches[["seat_a_deck", "inert_cards_a"]].set_axis(["deck", "inert"], axis=1)
    b = matches[["seat_b_deck", "inert_cards_b"]].set_axis(["deck", "inert"], axis=1)
    return float((pd.concat([a, b]).groupby("deck")["inert"].max() > 0).mean())


def _checks(run: Run, outcomes: pd.DataFrame, t: Words) -> list[tuple[bool, Markup]]:
    """Returns (holds, sentence) for every check that the tables allow."""
    matches, found = run.matches, []

    def check(name: str, good: bool, **values: object) -> None:
        found.append((good, t(f"check.{name}.{'good' if good else 'bad'}", **values)))

    issued = len(matches)
    planned = run.plan.get("matches")
    if planned is not None:
        check("planned", issued == planned, planned=int(planned), issued=issued)
    strange = undocumented_outcomes(matches)
    if strange:
        n = int(outcomes.set_index("outcome")["matches"].reindex(strange).sum())
        check("unknown", False, n=n, names=t.listing(strange))
    total = int(outcomes.loc[outcomes["outcome"].isin(["win_a", "win_b", "draw", *FAILED]), "matches"].sum())
    check("sum", total == issued, sum=total, issued=issued)
    if run.plan.get("matches_per_pair", 2) == 2:
        try:
            pair_scores(matches)
            check("pairs", True)
        except ValueError as error:
            check("pairs", False, reason=str(error))
    if "state_hash" in matches:
        same = matches.groupby("pair_id")["state_hash"].agg(lambda h: len(h) == 2 and h.iloc[0] == h.iloc[1])
        copies = float(same.mean())
        good = copies <= TWINS_LIMIT
        check("twins", good, share=t.percent(1 - copies if good else copies, 1))
    share = float(matches["score_a"].isna().mean())
    limit = run.spec.get("run", {}).get("failed_limit", FAILED_LIMIT)
    check("unfinished", share <= limit, share=t.percent(share, 2), limit=t.percent(limit, 1))
    held = _deck_share(matches)
    if held > 0:
        check("company", held <= COMPANY_LIMIT, share=t.percent(held, 0))
    bots = bot_names(matches)
    check("bots", len(bots) > 1, bot=bots[0])
    if run.card_file is not None and len(run.pool) > len(run.strangers):
        check("cards", not run.strangers, n=len(run.strangers), example=min(run.strangers, default=""))
    return found


def bot_names(matches: pd.DataFrame) -> list[str]:
    """Returns the names of the bots that played, sorted."""
    return sorted(set(matches["seat_a_bot"].astype(str)) | set(matches["seat_b_bot"].astype(str)))


def _facts(run: Run, t: Words) -> list[tuple[Markup, object]]:
    """Returns the labelled facts below the checks."""
    matches, spec, plan = run.matches, run.spec, run.plan
    facts: list[tuple[Markup, object]] = []
    seed = spec.get("run", {}).get("seed")
    if seed is not None:
        facts.append((t("fact.seed"), t("fact.seed_value", seed=str(seed))))
    bots = bot_names(matches)
    met = matches.groupby([matches["seat_a_bot"].astype(str), matches["seat_b_bot"].astype(str)]).size()
    facts.append(
        (
            t("fact.bots"),
            t(
                "fact.bots_even" if met.min() == met.max() else "fact.bots_crossed",
                bots=t.listing(bots),
                pairings=len(met),
                possible=len(bots) ** 2,
                least=int(met.min()),
                most=int(met.max()),
            ),
        )
    )
    decks = pd.concat([matches["seat_a_deck"], matches["seat_b_deck"]]).nunique()
    source = spec.get("decks", {}).get("source")
    if source is not None:
        origin = t(f"fact.decks.{source}", generator=spec["decks"].get("generator", ""))
        facts.append((t("fact.decks"), t("fact.decks_value", n=int(decks), source=origin)))
    rho = pairing(matches)
    if np.isfinite(rho):
        facts.append((t("fact.pairing"), t("fact.pairing_value", rho=t.number(rho, 2))))
    if "chunks" in plan and "chunk" in matches:
        facts.append(
            (
                t("fact.chunks"),
                t("fact.chunks_value", done=int(matches["chunk"].nunique()), planned=len(plan["chunks"])),
            )
        )
    form = spec.get("format", {})
    if form:
        shown = ", ".join(f"{key} {value}" for key, value in form.items() if value is not None)
        facts.append((t("fact.format"), Markup("<code>{}</code>").format(shown)))
    prints = [
        (name, plan[key])
        for name, key in (("plan", "fingerprint"), ("cards", "cards_hash"), ("decks", "decks_hash"))
        if key in plan
    ]
    if prints:
        facts.append(
            (
                t("fact.hashes"),
                Markup(" · ").join(Markup("{} <code>{}</code>").format(n, str(h)[:12]) for n, h in prints),
            )
        )
    code = plan.get("code", {})
    if code:
        facts.append(
            (
                t("fact.version"),
                Markup("apotheosis-lab {} <code>{}</code>").format(code.get("version", ""), str(code.get("sources", ""))[:12]),
            )
        )
    return facts


def pairing(matches: pd.DataFrame) -> float:
    """Returns the correlation of the two games of a pair, nan where the matches are no mirrored pairs."""
    try:
        return summarise(pair_scores(matches)).rho
    except ValueError:
        return float("nan")


def _incomplete(cards: pd.DataFrame, t: Words):
    """Returns the table of cards that are not fully simulated, most played first."""
    rows = cards.sort_values("games", ascending=False, kind="stable").head(INERT_LISTED)
    return grid(
        [t("column.name"), t("column.status"), t("column.games"), t("column.missing")],
        [
            [
                r.name_,
                t.term("status", r.status),
                t.count(r.games),
                r.missing if isinstance(r.missing, str) else t("clause.unknown"),
            ]
            for r in rows.rename(columns={"name": "name_"}).itertuples()
        ],
        numbers=(2,),
        texts=(3,),
    )
