"""Matches played again: from a run folder by their number, or from a replay file.

A run stores no moves. Its plan holds decks, bots and seeds, from which every one of its matches can be played again; the
result must be the stored one, or the replay is refused. A replay file holds the moves themselves, so that a match with a
person or a learned bot can be shown too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.card_words import LANGUAGES, CardWords
from apotheosis.env.errors import InputError, unknown
from apotheosis.env.picture import changes
from apotheosis.experiments import plan as plans
from apotheosis.experiments import store
from apotheosis.experiments.spec_sections import RunSection

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool
    from apotheosis.env.match import Match
    from apotheosis.env.recording import Recording

KIND = "apotheosis-replay"
"""What a replay file says it is."""
VERSION = 1
VIEWS = {"all": None, "A": 0, "B": 1}
"""Views by name: everything, or what one seat may know."""

CHANGED = "its match cannot be played again: the rules have changed"

Replay = dict[str, Any]
"""A replay as data, the content of a replay file."""


@dataclass(frozen=True)
class Source:
    """A match to be played again.

    Attributes:
        pool: its cards.
        lineup: one LINEUP row, shape (1,).
        seeds: keys of the streams, int64 (5,).
        choose: gives the answer to each pending question.
        about: what is known of it: match, decks, bots and the like.
        origin: what a replay file needs to play it again, without the answers; None where it cannot.
    """

    pool: Pool
    lineup: np.ndarray
    seeds: np.ndarray
    choose: Callable[[Match], int]
    about: dict[str, Any]
    origin: dict[str, Any] | None


class StoredRun:
    """The matches of a run folder, ready to be played again.

    Args:
        folder: the run folder.

    Raises:
        InputError: the folder holds no run, or its cards have changed since.
    """

    def __init__(self, folder: Path):
        from apotheosis.experiments import door

        self.folder = folder
        self.plan = plans.load(folder)
        self.pool = door.load_pool(self.plan.spec)
        if self.pool.hash != self.plan.cards_hash:
            raise InputError(f"its matches cannot be shown again: the cards ({self.plan.spec.cards.pool}) have changed", folder)
        self._form = door.format_row(self.plan.spec.format)
        self._choosers: dict[str, Callable[[Match], int]] = {}

    @property
    def name(self) -> str:
        """What the spec calls the run; where it is called nothing in particular, the folder."""
        given = self.plan.spec.run.name
        return given if given != RunSection.model_fields["name"].default else self.folder.resolve().name

    @cached_property
    def results(self) -> dict[str, np.ndarray]:
        """The columns of the run's match table that a replay must agree with."""
        names = ["match_id", "state_hash"]
        table = store.run_table(self.folder, "matches", names)
        return {name: table.column(name).to_numpy(zero_copy_only=False) for name in names}

    def source(self, match_id: int) -> Source:
        """Returns a match by its number.

        Raises:
            InputError: the run has no such match.
        """
        from apotheosis.env.cards.decks import Deck
        from apotheosis.env.cards.lineup import deck_row
        from apotheosis.experiments.seeds import match_seeds

        total = self.plan.n_matches
        if not 0 <= match_id < total:
            raise InputError(f"there is no match {match_id}; the run has the matches 0 to {total - 1}", self.folder)
        pair, place = divmod(match_id, self.plan.schedule.matches_per_pair)
        rows = self.plan.schedule.rows(pair, 1)
        row = {name: column[place] for name, column in rows.items()}
        spec = self.plan.spec
        seeds = match_seeds(
            spec.run.seed,
            int(self.plan.experiment),
            np.array([row["seed_pair"]]),
            np.array([row["second"]]),
            spec.design.common_seeds,
        )[0]
        sides = [self.plan.sides[int(row[name])] for name in ("side_a", "side_b")]
        bots = [spec.bots.pool[int(row[name])] for name in ("bot_a", "bot_b")]
        lineup = self._form.copy()
        for team, side in enumerate(sides):
            for index, deck in enumerate(side.decks):
                lineup["cards"][0, 2 * index + team] = deck_row(Deck(**deck), self.pool)
        about = {
            "run": self.name, "match": match_id, "pair": pair, "format": self.plan.format_name,
            "decks": [side.name for side in sides], "bots": bots,
        }  # fmt: skip
        # the plain card of a swap is made for its run, so that a file could not name the cards it was played with
        origin = None if spec.design.kind == "swap" else {
            "cards": spec.cards.pool, "overrides": list(spec.cards.overrides), "cards_hash": self.plan.cards_hash,
            "lineup": lineup_data(lineup, self.pool), "seeds": [int(seed) for seed in seeds],
        }  # fmt: skip
        choosers = [self._chooser(name) for name in bots]
        return Source(self.pool, lineup, seeds, lambda match: choosers[match.seat](match), about, origin)

    def _chooser(self, bot: str) -> Callable[[Match], int]:
        from apotheosis.experiments.player import chooser

        if bot not in self._choosers:
            self._choosers[bot] = chooser(bot, self.pool)
        return self._choosers[bot]

    def check(self, match_id: int, trace: int, match: Match) -> None:
        """Refuses a match that is not the stored one: the hash over all its decisions must be the same.

        Raises:
            InputError: the rules or bots have changed since the run, or the match was never finished.
        """
        from apotheosis.env.match import result_of

        at = np.flatnonzero(self.results["match_id"] == match_id)
        if not len(at):
            raise InputError(f"match {match_id} is not in matches.parquet; finish the run first", self.folder)
        if int(result_of(match, trace)["state_hash"]) != int(self.results["state_hash"][int(at[0])]):
            raise InputError(f"match {match_id} would go another way now: the rules or bots have changed since", self.folder)

    def replay(self, match_id: int, words: CardWords, view: str = "all") -> Replay:
        """Returns a match of the run as data.

        Raises:
            InputError: there is no such match, or playing it again gives another result.
        """
        from apotheosis.env.match import traced

        source, trace = self.source(match_id), 0

        def choose(match: Match) -> int:
            nonlocal trace
            code = source.choose(match)
            trace = traced(trace, code, len(match.legal()))
            return code

        recording = _record(replace(source, choose=choose), words, view)
        self.check(match_id, trace, recording.match)
        return replay_data(source, recording, words, view)


def write_named(folder: Path) -> None:
    """Writes the replay files that the match table of a run names and that are not there yet.

    A match that would go another way now, because a run went on with other rules than it began with, has none.

    Args:
        folder: the run folder.
    """
    table = store.read_table(folder / "matches.parquet", ["match_id", "replay"])
    named = table.filter(table.column("replay").is_valid()).to_pylist()
    missing = [row for row in named if not (folder / row["replay"]).is_file()]
    if not missing:
        return
    stored = StoredRun(folder)
    words = CardWords(stored.pool, "en")
    (folder / store.REPLAYS).mkdir(exist_ok=True)
    for row in missing:
        try:
            replay = stored.replay(row["match_id"], words)
        except InputError:
            continue
        store.write_json(folder / row["replay"], replay)


def _record(source: Source, words: CardWords, view: str) -> Recording:
    from apotheosis.env.match import Match
    from apotheosis.env.recording import record

    match = Match(source.pool, source.lineup, source.seeds, log=True)
    listeners = (None, 0, 1) if view == "all" else (VIEWS[view],)
    return record(match, source.choose, words, VIEWS[view], listeners)


def load_replay(path: Path, view: str | None = None, language: str | None = None) -> Replay:
    """Returns the replay of a replay file, played again where its view or language is another one than wanted.

    Args:
        path: the file.
        view: `all`, `A` or `B`; None for the file's own.
        language: `en` or `pt`; None for the file's own.

    Raises:
        InputError: the file is no replay, or is one seat's and another view or language is wanted.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", path) from None
    except ValueError as error:
        raise InputError(f"is not readable as JSON: {error}", path) from None
    if not isinstance(data, dict) or data.get("kind") != KIND or data.get("version") != VERSION:
        raise InputError(f"is not a replay file of this lab (kind {KIND!r}, version {VERSION})", path)
    view, language = view or data["view"], language or data["language"]
    if (view, language) == (data["view"], data["language"]):
        return data
    if "origin" not in data:
        raise InputError(f"can only be shown as it is, with --view {data['view']} --language {data['language']}", path)
    source = _file_source(data, path)
    words = CardWords(source.pool, language)
    try:
        recording = _record(source, words, view)
    except InputError:
        raise InputError(CHANGED, path) from None
    if recording.match.outcome.name.lower() != data["about"]["outcome"]:
        raise InputError(CHANGED, path)
    return replay_data(source, recording, words, view)


def _file_source(data: Replay, path: Path) -> Source:
    from apotheosis.env.cards.pool import load_pool

    origin = data["origin"]
    pool = load_pool(origin["cards"], origin["overrides"])
    if pool.hash != origin["cards_hash"]:
        raise InputError(f"its match cannot be played again: the cards ({origin['cards']}) have changed", path)
    answers = iter(origin["answers"])

    lineup = lineup_from(origin["lineup"], pool)
    return Source(pool, lineup, np.array(origin["seeds"], np.int64), lambda match: next(answers, -1), data["about"], origin)


def lineup_data(lineup: np.ndarray, pool: Pool) -> dict[str, Any]:
    """Returns a LINEUP row as plain data, cards by id."""
    row = lineup[0]
    names = [name for name in (lineup.dtype.names or ()) if name not in ("cards", "altitude", "terrain")]
    tiles = {name: {str(tile): int(row[name][tile]) for tile in np.flatnonzero(row[name])} for name in ("altitude", "terrain")}
    cards = [[pool.cards[int(number)].id if number >= 0 else None for number in hero] for hero in row["cards"]]
    return {**{name: int(row[name]) for name in names}, **tiles, "cards": cards}


def lineup_from(data: dict[str, Any], pool: Pool) -> np.ndarray:
    """Returns the LINEUP row of `lineup_data`."""
    from apotheosis.env.rules.layout import LINEUP

    lineup = np.zeros(1, LINEUP)
    for name, value in data.items():
        if name in ("altitude", "terrain"):
            for tile, one in value.items():
                lineup[name][0, int(tile)] = one
        elif name == "cards":
            lineup["cards"][0] = [[-1 if card is None else pool.number(card) for card in hero] for hero in value]
        else:
            lineup[name] = value
    return lineup


def replay_data(source: Source, recording: Recording, words: CardWords, view: str = "all") -> Replay:
    """Returns a recorded match as data.

    Args:
        source: the match.
        recording: its steps, seen and told by `view`, and told by both seats where the view is `all`.
        words: the cards in the language of the recording.
        view: `all`, `A` or `B`.
    """
    from apotheosis.env.rules.codes import Cause
    from apotheosis.experiments.win_chance import add_chances

    state, pool = recording.match.state, source.pool
    seat = VIEWS[view]
    steps, named = _steps(recording, seat)
    heroes = [_hero(source, state, hero, seat) for hero in range(int(state["heroes"]))]
    add_chances(steps, [(hero["name"], hero["seat"]) for hero in heroes], recording.match.outcome.name.lower())
    named |= {card for hero in heroes for card in hero["sheet"] if card}
    replay: Replay = {
        "kind": KIND,
        "version": VERSION,
        "language": words.language,
        "view": view,
        "about": {
            **source.about,
            "outcome": recording.match.outcome.name.lower(),
            "cause": Cause(int(state["cause"])).name.lower(),
            "stints": int(state["stint"]),
            "turns": int(state["turns"]),
            "decisions": int(state["decisions"]),
        },
        "board": {"width": int(state["width"]), "height": int(state["height"])},
        "heroes": heroes,
        "cards": {card: words.describe(pool.number(card)) for card in sorted(named)},
        "steps": steps,
    }
    if view == "all" and source.origin is not None:
        replay["origin"] = {**source.origin, "answers": recording.codes}
    return replay


def _hero(source: Source, state: Any, hero: int, seat: int | None) -> dict[str, Any]:
    """Returns a Hero: name, seat, deck, bot and the Sheet cards that the viewer knows (Entities sleep at first)."""
    team, row = hero % 2, source.lineup[0]["cards"][hero]
    sheet = [source.pool.cards[int(number)].id for number in row[:4] if number >= 0]
    if seat in (None, team) and row[4] >= 0:
        sheet.append(source.pool.cards[int(row[4])].id)
    label = "AB"[team] + (str(hero // 2 + 1) if int(state["heroes"]) > 2 else "")
    return {
        "name": label, "seat": "AB"[team], "deck": source.about["decks"][team], "bot": source.about["bots"][team],
        "level": int(state["level"][hero]), "sheet": sheet,
    }  # fmt: skip


def _steps(recording: Recording, seat: int | None) -> tuple[list[dict[str, Any]], set[str]]:
    """Returns the steps with what each changes, and the ids of all cards they name."""
    steps: list[dict[str, Any]] = []
    named: set[str] = set()
    shown: dict[str, Any] = {}
    for one in recording.steps:
        told = one.sentences.get(seat)
        changed = changes(shown, one.picture)
        _collect(changed, named)
        shown = one.picture
        if told is None:
            # happened unseen: what it changes comes with the next step that the seat is told
            if steps:
                steps[-1]["change"].update(changed)
            continue
        step = {"n": len(steps) + 1, "kind": told.kind, "depth": told.depth, "stint": one.stint, "text": told.text}
        for name, value in (("rule", told.rule), ("card", told.card), ("says", told.says)):
            if value:
                step[name] = value
        if told.seat is not None:
            step["seat"] = "AB"[told.seat]
        if told.card:
            named.add(told.card)
        for name, listener in (("A", 0), ("B", 1)) if seat is None else ():
            heard = one.sentences.get(listener)
            if heard is None or heard.text != told.text:
                step.setdefault("told", {})[name] = None if heard is None else heard.text
        step["change"] = changed
        steps.append(step)
    return steps, named


def _collect(value: Any, named: set[str]) -> None:
    """Adds the ids of the cards in zones of a picture."""
    for path, cards in value.items():
        if path.endswith(".card") and cards:
            named.add(cards)
        if isinstance(cards, list) and (path == "scenario" or path.partition(".")[2] in ZONES):
            for card in cards:
                _collect_card(card, named)


ZONES = ("hand", "table", "sheet", "discard", "resolving", "limbo", "banished")


def _collect_card(card: Any, named: set[str]) -> None:
    if isinstance(card, str):
        named.add(card)
    elif isinstance(card, dict):
        named.add(card["card"])
        for under in card.get("attachments", ()):
            _collect_card(under, named)


def text_lines(replay: Replay) -> list[str]:
    """Returns a replay as readable text: the sides, then a line a step with its rule, and what the acting effect says."""
    about, heroes = replay["about"], replay["heroes"]
    lines = [_headline(about)]
    for hero in heroes:
        sheet = ", ".join(replay["cards"][card]["name"] for card in hero["sheet"])
        lines.append(f"{hero['name']}: {hero['deck']} ({hero['bot']}): {sheet}")
    for step in replay["steps"]:
        if step["kind"] == "stint":
            lines.append("")
        indent = "    " * step["depth"]
        rule = f" ({step['rule']})" if "rule" in step else ""
        lines.append(f"{step['n']:>4}  {indent}{step['text']}{rule}")
        if "says" in step:
            lines.append(f"      {indent}    {step['says']}")
    return lines


def _headline(about: dict[str, Any]) -> str:
    named = f"match {about['match']} of {about['run']}" if "match" in about else "match"
    return f"{named}, {about['format']}: {about['outcome']}, {about['cause']}"


def check_choice(given: str | None, allowed: Any, kind: str, where: str) -> None:
    """Refuses a word that is not among those allowed.

    Raises:
        InputError: names the nearest one.
    """
    if given is not None and given not in allowed:
        raise unknown(kind, given, tuple(allowed), where)


__all__ = ["LANGUAGES", "VIEWS", "Replay", "StoredRun", "check_choice", "load_replay", "replay_data", "text_lines"]
