"""Courses: seeded matches of bundled cards with the answer to every question, and what was seen after each.

A file holds the answers, so that playing it again asks no bot. Its lines say after which answer something was first seen to
differ, its end holds the ledger in numbers.

    python tests/golden/courses.py       # plays the courses anew and writes their files, after a change that is meant
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from watching import Watcher

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.pool import Pool, load_pool
from apotheosis.env.errors import InputError
from apotheosis.env.match import Match, result_of, traced
from apotheosis.env.rules.codes import Decision
from apotheosis.env.rules.layout import LEDGER

FOLDER = Path(__file__).parent / "courses"
ASKED_EVERY = 8
"""Of so many answers, one is followed by the question why the rest of the actions is not legal."""


@dataclass(frozen=True)
class Course:
    """How a course is dealt: seed, way of drawing decks, keys of the format."""

    seed: int
    generator: str
    form: dict[str, Any]


COURSES = {
    "duel_tens": Course(11, "coherent", {"stint_limit": 8}),
    "duel_loot": Course(17, "uniform", {"loot": True, "board": (2, 3), "muster": 0}),
    "duel_long": Course(18, "coherent", {"opening_hand": 8, "draw_per_turn": 3, "stint_limit": 12}),
    "pairs_small": Course(19, "uniform", {"team_size": 2, "hero_level": 4, "board": (3, 3), "stint_limit": 6}),
    "duel_units": Course(12, "uniform", {"profile": "UNITS", "hero_level": 4, "loot": True, "stint_limit": 5}),
    "duel_direct": Course(13, "coherent", {"profile": "DIRECT", "multi_response": True, "draw_per_turn": 2, "stint_limit": 4}),
    "pairs_tens": Course(14, "uniform", {"team_size": 2, "initiative": "random", "stint_limit": 3}),
    "pairs_units": Course(15, "coherent", {"team_size": 2, "profile": "UNITS", "board": (4, 4), "stint_limit": 3}),
    "trios_direct": Course(16, "coherent", {"team_size": 3, "profile": "DIRECT", "nested_reactions": False, "stint_limit": 2}),
}


def dealt(course: Course, pool: Pool) -> Match:
    """Returns the match of a course at its first question."""
    lineups, seeds = Dealer(pool, ArenaFormat.of(**course.form), None, course.generator).deal(
        np.random.default_rng(course.seed)
    )
    return Match(pool, lineups, seeds[0], log=True)


def played(match: Match, codes: Iterator[int]) -> list[str]:
    """Plays a match with given answers and returns the lines of its file."""
    watcher = Watcher(match)
    lines, trace = [], 0
    for number, code in enumerate(codes):
        kind = match.decision.name
        trace = traced(trace, code, len(match.legal()))
        match.apply(code)
        if number % ASKED_EVERY == 0:
            watcher.ask_everything()
        lines.append(" ".join([str(code), kind, *watcher.look()]))
    signs = watcher.signs()
    lines += [f"{part}: {signs[part]}" for part in ("events", "refusals")]
    result = result_of(match, trace)
    lines.append("result: " + ", ".join(f"{name} {result[name]:g}" for name in result.dtype.names if name != "state_hash"))
    names = [name for name in (LEDGER.names or ()) if name != "ident"]
    for copy, row in enumerate(watcher.ledger()):
        if row["ident"] >= 0:
            card = match.pool.cards[int(row["ident"])].id
            lines.append(f"{copy} {card}: " + " ".join(str(row[name]) for name in names))
    return lines


def answers(lines: list[str]) -> Iterator[int]:
    """Yields the answers that the lines of a file hold."""
    for line in lines:
        first, _, rest = line.partition(" ")
        if ":" in line:
            return
        assert rest
        yield int(first)


def chosen(match: Match, rng: np.random.Generator) -> Iterator[int]:
    """Yields answers to the questions of a match: half of them those of the greedy bot, half of them random."""
    while not match.over:
        turn = match.decision == Decision.TURN
        rest = match.legal()[1:] if turn and len(match.legal()) > 1 else match.legal()
        yield int(match.choose("greedy")) if rng.random() < 0.5 else int(rng.choice(rest))


def fault(name: str, lines: list[str], pool: Pool) -> str:
    """Plays a course again; returns where it first differs from the lines of its file, empty if it does not."""
    try:
        found = played(dealt(COURSES[name], pool), answers(lines))
    except InputError as error:
        return str(error)
    for number, (one, other) in enumerate(zip_longest(lines, found, fillvalue="nothing"), 1):
        if one != other:
            return f"line {number} is {other}, not {one}"
    return ""


def main() -> None:
    """Writes all files."""
    pool = load_pool("starter")
    for name, course in COURSES.items():
        match = dealt(course, pool)
        lines = played(match, chosen(match, np.random.default_rng(course.seed)))
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
