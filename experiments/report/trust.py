"""The section that answers whether a run may be believed: what was issued, how it ended, and which checks hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.experiments.dictionary import FAILED, OUTCOMES
from apotheosis.experiments.report.exchange import plays_twins, stored_test
from apotheosis.experiments.report.grids import grid, share_bar
from apotheosis.experiments.report.match_tally import MatchTally
from apotheosis.experiments.report.reading import INCOMPLETE, Run
from apotheosis.experiments.report.reasons import clauses
from apotheosis.experiments.report.wording import Words

FAILED_LIMIT = 0.001
"""Share of matches without result above which bounds are printed, where the run's spec names none."""

COMPANY_LIMIT = 0.5
"""Share of decks with an incomplete card above which no effect can be called that of the whole game."""

INERT_LISTED = 12
"""Incomplete cards that the section lists."""

TWINS_LIMIT = 0.01
"""Share of pairs with equal final states above which the two matches look like copies of each other."""


def outcome_counts(tally: MatchTally) -> pd.DataFrame:
    """Returns `outcome, matches, share`, every documented outcome first, in the order of the dictionary."""
    names = [*OUTCOMES, *undocumented_outcomes(tally)]
    found = np.array([tally.outcomes[name] for name in names])
    return pd.DataFrame({"outcome": names, "matches": found, "share": found / max(tally.issued, 1)})


def undocumented_outcomes(tally: MatchTally) -> list[str]:
    """Returns outcomes that the data dictionary does not name."""
    return sorted(set(tally.outcomes) - set(OUTCOMES))


def trust_section(run: Run, tally: MatchTally, cards: pd.DataFrame, words: Words, replayed: int = 0) -> dict:
    """Returns what the template needs for section 2.

    Args:
        run: the run.
        tally: its matches, added up.
        cards: the card table of the report (`name, status, missing, games`).
        words: the language.
        replayed: matches that were played again for this report, and ended in the stored state.
    """
    t = words
    outcomes = outcome_counts(tally)
    issued, failed = tally.issued, tally.unfinished
    incomplete = cards[cards["status"].isin(INCOMPLETE)]
    checks = _checks(run, tally, outcomes, t)
    if replayed:
        checks.append((True, t("check.replayed.good", n=replayed)))
    wrong = sum(not good for good, _ in checks)
    draws, held = tally.outcomes["draw"], _deck_share(tally)
    listed = outcomes[(outcomes["matches"] > 0) | outcomes["outcome"].isin(["win_a", "win_b", "draw"])]
    return {
        "answer": t("trust.yes") if wrong == 0 else t("trust.care", n=wrong),
        "issued": issued,
        "finished": issued - failed,
        "failed": failed,
        "incomplete": len(incomplete),
        "issued_note": t("trust.issued_note", n=tally.pairs),
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
        "facts": _facts(run, tally, t),
        "inert_more": t("trust.inert_more", n=INERT_LISTED) if len(incomplete) > INERT_LISTED else "",
        "inert": None if incomplete.empty else _incomplete(incomplete, t),
    }


def _deck_share(tally: MatchTally) -> float:
    """Returns the share of the decks that hold a card which is not fully simulated."""
    if "inert_cards_a" not in tally.columns:
        return float("nan")
    return len(tally.incomplete_decks) / max(len(tally.decks), 1)


def _checks(run: Run, tally: MatchTally, outcomes: pd.DataFrame, t: Words) -> list[tuple[bool, Markup]]:
    """Returns (holds, sentence) for every check that the tables allow."""
    found: list[tuple[bool, Markup]] = []

    def check(name: str, good: bool, **values: object) -> None:
        found.append((good, t(f"check.{name}.{'good' if good else 'bad'}", **values)))

    issued = tally.issued
    planned = run.plan.get("matches")
    if planned is not None and issued < planned and stored_test(run) is not None:
        found.append((True, t("check.planned.stopped", planned=int(planned), issued=issued)))
    elif planned is not None:
        check("planned", issued == planned, planned=int(planned), issued=issued)
    strange = undocumented_outcomes(tally)
    if strange:
        check("unknown", False, n=sum(tally.outcomes[name] for name in strange), names=t.listing(strange))
    total = int(outcomes.loc[outcomes["outcome"].isin(["win_a", "win_b", "draw", *FAILED]), "matches"].sum())
    check("sum", total == issued, sum=total, issued=issued)
    if run.plan.get("matches_per_pair", 2) == 2:
        check("pairs", tally.wrong_pair is None, **({} if tally.wrong_pair is None else {"reason": tally.wrong_pair}))
    copies = tally.twins / max(tally.pairs, 1)
    if "state_hash" in tally.columns and plays_twins(run):
        found.append((True, t("check.twins.step", share=t.percent(copies, 1))))
    elif "state_hash" in tally.columns:
        good = copies <= TWINS_LIMIT
        check("twins", good, share=t.percent(1 - copies if good else copies, 1))
    share = tally.unfinished / max(issued, 1)
    limit = run.spec.get("run", {}).get("failed_limit", FAILED_LIMIT)
    check("unfinished", share <= limit, share=t.percent(share, 2), limit=t.percent(limit, 1))
    held = _deck_share(tally)
    if held > 0:
        check("company", held <= COMPANY_LIMIT, share=t.percent(held, 0))
    bots = bot_names(tally)
    check("bots", len(bots) > 1, bot=bots[0])
    if run.card_file is not None and len(run.pool) > len(run.strangers):
        check("cards", not run.strangers, n=len(run.strangers), example=min(run.strangers, default=""))
    return found


def bot_names(tally: MatchTally) -> list[str]:
    """Returns the names of the bots that played, sorted."""
    return sorted({bot for both in tally.bots for bot in both})


def _facts(run: Run, tally: MatchTally, t: Words) -> list[tuple[Markup, object]]:
    """Returns the labelled facts below the checks."""
    spec, plan = run.spec, run.plan
    facts: list[tuple[Markup, object]] = []
    seed = spec.get("run", {}).get("seed")
    if seed is not None:
        facts.append((t("fact.seed"), t("fact.seed_value", seed=str(seed))))
    bots, met = bot_names(tally), tally.bots.values()
    facts.append(
        (
            t("fact.bots"),
            t(
                "fact.bots_even" if min(met) == max(met) else "fact.bots_crossed",
                bots=t.listing(bots),
                pairings=len(met),
                possible=len(bots) ** 2,
                least=min(met),
                most=max(met),
            ),
        )
    )
    source = spec.get("decks", {}).get("source")
    if source is not None:
        origin = t(f"fact.decks.{source}", generator=spec["decks"].get("generator", ""))
        facts.append((t("fact.decks"), t("fact.decks_value", n=len(tally.decks), source=origin)))
    rho = tally.pairing()
    if np.isfinite(rho):
        facts.append((t("fact.pairing"), t("fact.pairing_value", rho=t.number(rho, 2))))
    facts.append((t("fact.same"), t("fact.same_value")))
    if "chunks" in plan and tally.chunks:
        facts.append(
            (
                t("fact.chunks"),
                t("fact.chunks_value", done=len(tally.chunks), planned=len(plan["chunks"])),
            )
        )
    form = spec.get("format", {})
    if form:
        shown = ", ".join(f"{key} {value}" for key, value in form.items() if value is not None)
        facts.append((t("fact.format"), Markup("<code>{}</code>").format(shown)))
    prints = [
        (t(f"fact.hashes.{name}"), plan[key])
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
                clauses(r.missing, t.language) if isinstance(r.missing, str) else t("clause.unknown"),
            ]
            for r in rows.rename(columns={"name": "name_"}).itertuples()
        ],
        numbers=(2,),
        texts=(3,),
    )
