"""Seeded matches on the starter cards, told line by line, stay as they are committed.

After a change of rules or starter cards that is meant: `python tests/golden/regenerate.py`, and read the difference.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from apotheosis.env import rulebook
from apotheosis.env.arena import Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Log, Zone
from apotheosis.env.trace import CAUSE_RULES, KIND_RULES, Teller, trace

FOLDER = Path(__file__).parent
_spec = importlib.util.spec_from_file_location("regenerate", FOLDER / "regenerate.py")
assert _spec is not None
assert _spec.loader is not None
regenerate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(regenerate)


@pytest.fixture(scope="module")
def pool():
    return load_pool()


@pytest.mark.parametrize("name", list(regenerate.CASES))
def test_the_trace_is_as_committed(name, pool):
    committed = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert regenerate.golden(name, pool) == committed, "run: python tests/golden/regenerate.py, and read the difference"


@pytest.mark.parametrize("name", list(regenerate.CASES))
def test_cited_rules_exist(name):
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    cited = set(re.findall(r"\(((?:R|A)\d[\d.]*)\)", text))
    assert cited
    assert all(map(rulebook.exists, cited))


def test_rules_of_actions_and_ends_exist():
    assert all(map(rulebook.exists, [*KIND_RULES.values(), *CAUSE_RULES.values()]))


def test_every_happening_has_words(pool):
    teller = Teller(np.zeros(400, np.int64), pool)
    for kind in Log:
        lines = teller.tell(kind, [1, 1, 1, 1, 0, 0, 0])
        assert lines
        assert all(lines)


def logged(pool, seed):
    rng = np.random.default_rng(seed)
    lineups, seeds = Dealer(pool, bank=0).deal(rng)
    match = Match(pool, lineups, seeds[0], log=True)
    while not match.over:
        match.apply(match.choose("greedy"))
    return match


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_is_not_told_what_the_enemy_draws(pool, seat):
    for seed in range(5):
        match = logged(pool, seed)
        full, told = (trace(match.events(), match.state["ident"], pool, s) for s in (None, seat))
        enemy = "BA"[seat]
        draws = [line for line in full if re.match(rf"   {enemy}1: .*, deck to hand", line)]
        seen = [line for line in told if re.match(rf"   {enemy}1: .*, deck to hand", line)]
        assert len(draws) == len(seen) > 0
        assert all("a card" in line and "[" not in line for line in seen)
        own = [line for line in told if re.match(rf"   {'AB'[seat]}1: .*, deck to hand", line)]
        assert own
        assert all("[" in line for line in own)


def test_mustered_cards_are_told_at_the_reveal(pool):
    for seed in range(20):
        match = logged(pool, seed)
        told = trace(match.events(), match.state["ident"], pool, 1)
        start = next(i for i, line in enumerate(told) if line.startswith("== stint 1 "))
        hidden = [line for line in told[:start] if re.match(r"   A1: a card, hand to (equipment|memento|support)", line)]
        reveals = [line for line in told[:start] if line.startswith("A1 reveals")]
        rows = [row for row in match.events() if row["kind"] == Log.MOVE_CARD]
        summons = sum(
            Teller(match.state["ident"], pool).is_summon(int(row["arg"][0]))
            for row in rows[: len(rows)]
            if row["arg"][0] < 66 and row["arg"][1] == Zone.HAND and row["arg"][2] == Zone.SUPPORT
        )
        if hidden and not summons:
            assert len(reveals) == len(hidden)
            return
    raise AssertionError("no match had a muster")
