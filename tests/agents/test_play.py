"""A person at the terminal: plays by numbers, takes answers back, gets hints and reasons."""

from __future__ import annotations

import json

import numpy as np
import pytest

from apotheosis.agents.base import make_bot
from apotheosis.agents.human import Session
from apotheosis.env import action_text
from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Act, Decision, Zone
from apotheosis.experiments.cli import main


@pytest.fixture(scope="module")
def pool():
    return load_pool()


def seated(pool, words, seed=1, seat=0, bot="greedy"):
    """Returns a session whose person says `words` one after the other, and what is shown."""
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(seed))
    said, shown = iter(words), []

    def read(prompt):
        try:
            return next(said)
        except StopIteration:
            raise EOFError from None

    match = Match(pool, lineups, seeds[0], log=True)
    return Session(match, seat, make_bot(bot), make_bot("greedy"), read, shown.append, seed), shown


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_is_played_to_its_end_by_numbers(pool, seat):
    session, shown = seated(pool, ["1"] * 2000, seat=seat)
    assert session.play() in ("won", "lost", "drawn")
    assert session.match.over
    text = "\n".join(shown)
    assert "== Seat" in text or "== Draw" in text
    assert "== Stint 1 begins (R16.3)" in text


def test_leaving_ends_the_session(pool):
    session, _ = seated(pool, ["q"])
    assert session.play() == "left"
    session, _ = seated(pool, [])
    assert session.play() == "left"


def test_conceding_loses(pool):
    session, _ = seated(pool, ["1", "c"])
    assert session.play() == "lost"


def test_an_answer_taken_back_leaves_no_trace(pool):
    straight, _ = seated(pool, ["1", "2", "1", "q"])
    straight.play()
    twisted, shown = seated(pool, ["1", "1", "u", "2", "1", "q"])
    twisted.play()
    assert "Taken back." in shown
    assert (straight.match.matches == twisted.match.matches).all()


def test_there_is_nothing_to_take_back_at_the_start(pool):
    session, shown = seated(pool, ["u", "q"])
    session.play()
    assert "There is nothing to undo." in shown


def test_the_log_is_taken_back_too(pool):
    session, _ = seated(pool, ["1", "2", "q"])
    session.play()
    before = len(session.match.events())
    session, _ = seated(pool, ["1", "2", "1", "1", "u", "u", "q"])
    session.play()
    assert len(session.match.events()) == before


def test_a_hint_names_what_the_adviser_would_choose(pool):
    session, shown = seated(pool, ["h", "q"])
    session.play()
    code = session.match.choose("greedy")
    assert f"greedy would choose: {action_text.option_text(session.match, code)}" in shown


def test_reasons_cite_rules_for_what_is_not_offered(pool):
    words = ["1"] * 4
    for _ in range(10):
        session, shown = seated(pool, [*words, "y", "q"])
        session.play()
        if session.match.decision == Decision.TURN:
            break
        words.append("1")
    assert session.match.decision == Decision.TURN
    reasons = session.reasons()
    assert reasons
    assert all(line.endswith(")") and "(" in line for line in reasons)
    assert "\n".join(reasons) in shown


def test_the_enemys_draws_are_not_told(pool):
    session, shown = seated(pool, ["1"] * 2000)
    session.play()
    draws = [line for line in shown if line.startswith("   B draws")]
    assert draws
    assert set(draws) == {"   B draws a card (R5.8)"}


def test_the_cards_in_sight_are_explained_but_no_hidden_one(pool):
    session, shown = seated(pool, ["1"] * 3 + ["i", "q"])
    session.play()
    text = "\n".join(session.cards_in_sight())
    assert text in shown
    state = session.match.state
    own = [pool.cards[int(state["ident"][copy])].name for copy in range(66) if state["zone"][copy] == Zone.HAND]
    assert own and all(name in text for name in own)
    enemy = {pool.cards[int(state["ident"][copy])].name for copy in range(66, 132) if state["zone"][copy] == Zone.HAND}
    assert not any(line in enemy - set(own) for line in text.splitlines())


def test_a_match_that_was_played_can_be_kept_and_shown(monkeypatch, capsys, tmp_path):
    import io

    kept = tmp_path / "match.json"
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\nu\n2\n1\nq\n"))
    assert main(["play", "--seed", "5", "--out", str(kept), "--quiet"]) == 0
    capsys.readouterr()
    assert main(["replay", str(kept)]) == 0
    english = capsys.readouterr().out
    assert "running" in english.splitlines()[0] and "A begins on (1, 0)" in english
    assert main(["replay", str(kept), "--view", "B", "--language", "pt"]) == 0
    assert "A compra uma carta" in capsys.readouterr().out


def test_wrong_answers_bring_the_help(pool):
    session, shown = seated(pool, ["0", "99", "what", "q"])
    session.play()
    assert shown.count(shown[0]) == 4


def test_every_option_has_words_of_its_own(pool):
    questions = set()
    for seed in range(25):
        rng = np.random.default_rng(seed)
        lineups, seeds = Dealer(pool, ArenaFormat(team_size=1 + seed % 2)).deal(rng)
        match = Match(pool, lineups, seeds[0])
        for _ in range(120):
            if match.over:
                break
            questions.add(match.decision)
            texts = action_text.option_texts(match)
            assert len(texts) == len(match.legal())
            assert all(texts)
            if match.decision in (Decision.TURN, Decision.TILE, Decision.TARGET):
                assert len(set(texts)) == len(texts)
            if match.decision == Decision.PAY_ENERGY:
                assert all(text.startswith("exhaust ") for text in texts)
            match.apply(int(rng.choice(match.legal())))
    assert {Decision.TURN, Decision.CARD, Decision.TARGET, Decision.MUSTER} <= questions


def test_a_card_option_shows_the_card_of_its_row(pool):
    lineups, seeds = Dealer(pool).deal(np.random.default_rng(3))
    match = Match(pool, lineups, seeds[0])
    while match.decision != Decision.MUSTER:
        match.apply(int(match.legal()[0]))
    code = int(match.legal()[1])
    copy = match.asked * 66 + code - Act.CARD
    assert action_text.option_text(match, code).startswith(pool.cards[int(match.state["ident"][copy])].name)


def test_the_command_plays_with_standard_input(monkeypatch, capsys):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\nq\n"))
    assert main(["play", "--bot", "random", "--seat", "B", "--seed", "5", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer == {"result": "left", "seed": 5, "bot": "random", "seat": "B"}


def test_the_command_refuses_a_third_seat(capsys):
    assert main(["play", "--seat", "C"]) == 1
    assert "'C'" in capsys.readouterr().err
