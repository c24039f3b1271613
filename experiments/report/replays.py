"""Matches that show a card at work: which ones, their pages beside the report, and the links on the cards' pages.

A report shows few matches and covers many cards with them: first the best ones of the cards that are named first, then, one
after the other, the match in which most of the cards not yet shown are at work. The same tables give the same choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from apotheosis.env.errors import InputError
from apotheosis.experiments.report.wording import Words

if TYPE_CHECKING:
    from apotheosis.env.card_words import CardWords
    from apotheosis.experiments.replays import StoredRun
    from apotheosis.experiments.report.reading import Run

FOLDER = "replays"
"""Folder of the pages, beside the report."""
KEPT = 40
"""Matches that are remembered for each card."""
SHOWN = 3
"""Matches that a card's page lists at most."""
FIRST = 2
"""Matches written for each card that is named first."""
USES = ["activated", "reacted", "placed"]


class ReplayIndex:
    """Collects, while the card table passes by, the matches in which each card did most."""

    def __init__(self) -> None:
        self._best: pd.DataFrame | None = None

    def add(self, cards: pd.DataFrame) -> None:
        """Adds a piece of the card table."""
        if not len(cards):
            return
        card, ids = pd.factorize(cards["card_id"])
        match, matches = pd.factorize(cards["match_id"])
        code, place = np.unique(card.astype(np.int64) * len(matches) + match, return_inverse=True)
        found = {"card_id": np.asarray(ids, dtype=object)[code // len(matches)], "match_id": matches[code % len(matches)]}
        for name in USES:
            given = cards[name].to_numpy(dtype=float, na_value=0) if name in cards else np.zeros(len(cards))
            found[name] = np.bincount(place, weights=given, minlength=len(code)).astype(np.int64)
        best = _ranked(pd.DataFrame(found))
        self._best = best if self._best is None else _ranked(pd.concat([self._best, best], ignore_index=True))

    def matches(self) -> pd.DataFrame:
        """Returns `card_id, match_id, activated, reacted, placed`, for each card the matches in which it did most.

        A card that only counts (a House, a Permanent effect) is at work wherever it is in a deck.
        """
        return pd.DataFrame(columns=["card_id", "match_id", *USES]) if self._best is None else self._best


def _ranked(rows: pd.DataFrame) -> pd.DataFrame:
    """Returns for each card the matches in which it did most, best first."""
    card = pd.factorize(rows["card_id"], sort=True)[0]
    used = (rows["activated"] + rows["reacted"]).to_numpy(dtype=np.int64)
    order = np.lexsort((rows["match_id"].to_numpy(dtype=np.int64), -rows["placed"].to_numpy(dtype=np.int64), -used, card))
    starts = np.searchsorted(card[order], card[order])
    return rows.iloc[order[np.arange(len(order)) - starts < KEPT]].reset_index(drop=True)


def choose(best: pd.DataFrame, first: Sequence[str], limit: int) -> list[int]:
    """Returns the matches to show, at most `limit`.

    Args:
        best: the table of `ReplayIndex.matches`.
        first: ids of the cards that the report names first.
        limit: how many matches.
    """
    of_card = {str(card): [int(match) for match in rows["match_id"]] for card, rows in best.groupby("card_id")}
    chosen: list[int] = []
    for place in range(FIRST):
        for card in first:
            chosen += [match for match in of_card.get(card, [])[place : place + 1] if match not in chosen]
    chosen = chosen[:limit]
    while len(chosen) < limit:
        shows: dict[int, int] = {}
        for matches in of_card.values():
            if not set(matches) & set(chosen):
                for match in matches:
                    shows[match] = shows.get(match, 0) + 1
        if not shows:
            break
        chosen.append(min(shows, key=lambda match: (-shows[match], match)))
    return chosen


@dataclass
class Shown:
    """The matches that a report shows.

    Attributes:
        links: what a card's page lists, by card id.
        files: the pages, relative to the report folder.
        why: why there are none, empty where there are.
    """

    links: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    why: str = ""


@dataclass
class Table:
    """A run's cards and matches where they can be had again.

    Attributes:
        stored: the run, None where its cards are not there any more.
        cards: its cards in the report's language, None likewise.
        why: why not, empty where they are there.
    """

    stored: StoredRun | None
    cards: CardWords | None
    why: str = ""

    @classmethod
    def of(cls, folder: Path, words: Words) -> Table:
        """Returns the cards and matches of a run folder."""
        from apotheosis.env.card_words import CardWords
        from apotheosis.experiments.replays import StoredRun

        try:
            stored = StoredRun(folder)
        except InputError as error:
            return cls(None, None, error.message)
        return cls(stored, CardWords(stored.pool, words.language))

    def texts(self, card_ids: Sequence[str]) -> dict[str, str]:
        """Returns what cards say, as the engine understands them, a line each effect."""
        if self.cards is None:
            return {}
        index = self.cards.pool.index
        return {card: "\n".join(self.cards.lines(index[card])) for card in card_ids if card in index}


def show_matches(
    run: Run, table: Table, best: pd.DataFrame, first: Sequence[str], target: Path, words: Words, limit: int
) -> Shown:
    """Plays the chosen matches again, writes their pages and returns the links to them.

    Args:
        run: the run.
        table: its cards and matches.
        best: the table of `ReplayIndex.matches`.
        first: ids of the cards that the report names first.
        target: the report folder.
        words: the language.
        limit: matches at most.
    """
    from apotheosis.experiments.report.replay_page import replay_page
    from apotheosis.experiments.store import write_bytes

    chosen = choose(best, first, limit)
    if not chosen or table.stored is None or table.cards is None:
        return Shown(why=table.why if chosen else "")
    steps: dict[int, dict[str, int]] = {}
    shown = Shown()
    _clear(target / FOLDER)
    try:
        for match in chosen:
            replay = table.stored.replay(match, table.cards)
            name = f"{FOLDER}/{match:06d}.html"
            write_bytes(target / name, replay_page(replay, back="../report.html").encode())
            shown.files.append(name)
            steps[match] = steps_of_cards(replay)
    except InputError as error:
        shown.why = error.message
    shown.links = _links(best, _outcomes(run, set(steps)), steps, words)
    return shown


def _clear(folder: Path) -> None:
    """Makes the folder of pages and removes those of an earlier report."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in folder.glob("[0-9][0-9][0-9][0-9][0-9][0-9]*.html"):
        page.unlink()


def steps_of_cards(replay: dict[str, Any]) -> dict[str, int]:
    """Returns for each card the step that shows it at work: where it acts first, else where it is first named."""
    acts: dict[str, int] = {}
    named: dict[str, int] = {}
    for step in replay["steps"]:
        card = step.get("card")
        if card:
            named.setdefault(card, step["n"])
            if step["kind"] in ("activate", "activate_on", "auto", "react") or step["kind"].startswith("action."):
                acts.setdefault(card, step["n"])
    return {**named, **acts}


def _outcomes(run: Run, wanted: set[int]) -> dict[int, str]:
    """Returns the outcomes of some matches."""
    found = {}
    for part in run.match_parts(()):
        rows = part[part["match_id"].isin(wanted)]
        found.update(zip(rows["match_id"].tolist(), rows["outcome"], strict=True))
    return found


def _links(
    best: pd.DataFrame, outcome: dict[int, str], steps: dict[int, dict[str, int]], words: Words
) -> dict[str, list[dict]]:
    t, found = words, {}
    for row in best[best["match_id"].isin(list(steps))].itertuples():
        listed = found.setdefault(str(row.card_id), [])
        if len(listed) == SHOWN:
            continue
        step = steps[int(row.match_id)].get(str(row.card_id), 1)
        listed.append(
            {
                "href": f"{FOLDER}/{int(row.match_id):06d}.html?card={row.card_id}#step-{step}",
                "title": t("pages.match", id=str(row.match_id)),
                "what": _what(row, t),
                "result": t.term("outcome", outcome[int(row.match_id)]),
            }
        )
    return found


def _what(row: Any, t: Words) -> Markup:
    """Returns what a card does in a match; one that only counts is there all the time."""
    did = [t(f"pages.replay_use.{name}", n=int(getattr(row, name))) for name in USES if getattr(row, name)]
    return Markup(", ").join(did) if did else t("pages.replay_there")
