"""Matches told to people: every sentence in both languages, every rule real, cards in words."""

import re
import string

import numpy as np
import pytest

from apotheosis.env import narration_words
from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.card_words import MACRO, CardWords, bar_text
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.match import Match
from apotheosis.env.narration import Narrator, timing_rules
from apotheosis.env.narration_words import ACTIONS, CAUSES, LIVES, NEGATED, RESULTS, SENTENCES
from apotheosis.env.picture import Labels
from apotheosis.env.recording import Recorder, record
from apotheosis.env.rulebook import exists
from apotheosis.env.rules.codes import Cause, Kind, Life, Log, Outcome
from apotheosis.env.rules.opcodes import Negate

TABLES = (SENTENCES, ACTIONS, LIVES, NEGATED, RESULTS, CAUSES, narration_words.QUESTIONS)


@pytest.fixture(scope="module")
def pool():
    return load_pool()


def dealt(pool, seed, **form):
    lineups, seeds = Dealer(pool, ArenaFormat(**form)).deal(np.random.default_rng(seed))
    return Match(pool, lineups, seeds[0], log=True)


def greedy(match):
    return match.choose("greedy")


def test_both_languages_fill_the_same_places():
    for table in TABLES:
        for key, pair in table.items():
            english, portuguese = ({name for _, name, _, _ in string.Formatter().parse(text) if name} for text in pair)
            assert english == portuguese, key


def test_every_member_of_the_engines_lists_has_words(pool):
    assert set(ACTIONS) == {kind for kind in Kind if kind <= Kind.CONCEDE and kind != Kind.MOVE}
    assert set(Narrator(CardWords(pool), Labels(2))._tellers) == set(Log)
    assert set(LIVES) == set(Life) and set(NEGATED) == set(Negate)
    assert set(RESULTS) == set(Outcome) and set(CAUSES) == set(Cause)


def test_timings_cite_the_rules_of_their_keywords():
    rules = timing_rules()
    assert rules["Attacked"] == "R6.4.13" and rules["OnPlay"] == "R6.4.1" and rules["EndOfRound"] == "R6.4.31"
    assert all(map(exists, rules.values())) and len(rules) >= 32


def test_portuguese_card_texts_have_no_macros_left(pool):
    words = CardWords(pool, "pt")
    lines = [line for number in range(len(pool)) for line in words.lines(number)]
    assert lines and not any(MACRO.search(line) for line in lines)
    assert any("PA" in line and "DANO" in line for line in lines)


def test_a_bar_says_cost_damage_and_range(pool):
    spear, lance, stone = (pool.card(name) for name in ("FordSpear", "HailLance", "Stonecaster"))
    assert bar_text(spear, "en") == "3 AP · DMG STR + 1 + 1D6 · Direct, range 2"
    assert bar_text(lance, "pt") == "3 PA · 2 PM · DANO ESP + 2 + 1D6 · Direto, alcance 4"
    assert bar_text(stone, "en") == "5 AP · DMG 8 + 1D6 · Arcing, range STR"


@pytest.mark.parametrize("form", [{}, {"team_size": 2, "stint_limit": 4}, {"team_size": 3, "stint_limit": 2}])
def test_matches_of_every_team_size_are_told_to_their_end_in_both_languages(pool, form):
    told = []
    for language in ("en", "pt"):
        recording = record(dealt(pool, 11, **form), greedy, CardWords(pool, language), None, (None, 0, 1))
        steps = [step.sentences[None] for step in recording.steps if None in step.sentences]
        assert steps[-1].kind == "end"
        assert all(step.rule == "" or exists(step.rule) for step in steps)
        assert not any(re.search(r"[{}]", step.text) for step in steps)
        told.append([(step.kind, step.rule, step.seat, step.card) for step in steps])
    assert told[0] == told[1]


def test_the_same_match_is_told_the_same_way_when_an_answer_was_taken_back(pool):
    straight = Recorder(dealt(pool, 3), CardWords(pool), None, (None, 0, 1))
    straight.start()
    for _ in range(30):
        straight.apply(greedy(straight.match))
    twisted = Recorder(dealt(pool, 3), CardWords(pool), None, (None, 0, 1))
    twisted.start()
    for _ in range(12):
        twisted.apply(greedy(twisted.match))
    mark = twisted.mark()
    for _ in range(9):
        twisted.apply(int(twisted.match.legal()[-1]))
    twisted.back(mark)
    for _ in range(18):
        twisted.apply(greedy(twisted.match))
    assert twisted.recording.codes == straight.recording.codes
    assert [s.sentences for s in twisted.recording.steps] == [s.sentences for s in straight.recording.steps]
    assert [s.picture for s in twisted.recording.steps] == [s.picture for s in straight.recording.steps]
