"""What section 1 says: what is known with its games, what to do next with a command that works."""

import re
import shlex
import types

import pytest

from apotheosis.env.cards.pool import load_pool
from apotheosis.env.vocabulary import Suit
from apotheosis.experiments.cli import main
from apotheosis.experiments.report.sentences import claim, next_step
from apotheosis.experiments.report.suggest import Advice, setting
from apotheosis.experiments.report.wording import Words
from apotheosis.experiments.versions import with_settings

CARD_BYTES = 5000
"""A page of 900 cards stays below 5 MB, pictures and all."""


@pytest.fixture(scope="module")
def pool():
    return load_pool()


def undecided(low, high, **values):
    effect = (low + high) / 2
    return types.SimpleNamespace(
        status="executable", verdict="undecided", card_id="X", effect=effect, effect_low=low, effect_high=high,
        games=1224, more_games=3456.0, **values,
    )  # fmt: skip


def test_every_suggested_number_is_a_change_that_a_test_accepts(pool):
    suggested = [(card, setting(card, stronger)) for card in pool.cards for stronger in (True, False)]
    known = [(card, text) for card, text in suggested if text is not None]
    assert len(known) > len(suggested) / 2
    for card, text in {type(card).__name__ + str(text): (card, text) for card, text in known[:: len(known) // 12]}.values():
        field, value = text.split("=")
        assert with_settings(pool, card.id, {field: int(value)}).hash != pool.hash


def test_stronger_and_weaker_point_in_opposite_directions(pool):
    cudgel = pool.card("OakCudgel")
    now = cudgel.damage.constant
    assert setting(cudgel, True) == f"damage.constant={now + 1}"
    assert setting(cudgel, False) == f"damage.constant={now - 1}"


def test_a_command_names_cards_and_bots_of_the_run(pool):
    spec = {"cards": {"pool": "my cards.json"}, "bots": {"pool": ["greedy", "random"]}}
    words = shlex.split(Advice(pool, spec).command("OakCudgel", stronger=False))
    assert words[:4] == ["apotheosis", "test", "--card", "OakCudgel"]
    assert words[words.index("--cards-a") + 1] == "my cards.json" and words[words.index("--bots") + 1] == "greedy,random"
    assert "FIELD=VALUE" in Advice(None).command("OakCudgel", stronger=True)


def test_a_card_without_such_a_number_is_played_against_a_plain_one(pool, tmp_path):
    spec = {"run": {"seed": 7}, "bots": {"pool": ["greedy"]}}
    house = next(card for card in pool.cards if card.suit_code == Suit.House)
    strong = types.SimpleNamespace(verdict="too_strong", card_id=house.id)
    step = next_step(strong, 200, 0.02, Words("en"), Advice(pool, spec))
    assert "plain card" in step and "Change one number" not in step
    words = shlex.split(Advice(pool, spec).command(house.id, stronger=False))
    assert words[words.index("--seed") + 1] == "8"
    assert main([*words[1:], "--out", str(tmp_path / "run"), "--dry-run", "--quiet", "--json"]) == 0


@pytest.mark.parametrize("language, games", [("en", "1\u202f224 games"), ("pt", "1\u202f224 partidas")])
def test_an_open_verdict_gives_interval_and_games(language, games):
    text = str(claim(undecided(-0.01, 0.08), Words(language)))
    assert games in text and "95" in text and "3\u202f500" in text


def test_only_an_interval_across_the_edge_is_said_to_cross_it():
    words, advice = Words("en"), Advice(None)
    assert "crosses the edge" in next_step(undecided(-0.01, 0.08), 200, 0.02, words, advice)
    beyond = next_step(undecided(0.023, 0.074), 200, 0.02, words, advice)
    assert "crosses" not in beyond and "among 200 cards some do so by chance" in beyond


def test_a_page_of_all_cards_of_the_game_stays_small(written):
    page = written.page.read_text(encoding="utf-8")
    rows = re.findall(r'<tr data-id=".*?</tr>', page, re.DOTALL)
    articles = re.findall(r"<article.*?</article>", page, re.DOTALL)
    assert len(rows) == len(articles) == written.cards
    assert sum(len(part.encode()) for part in rows + articles) / written.cards < CARD_BYTES


def test_no_attribute_of_a_house_is_moved(pool):
    """They add up to 28 and lie between 2 and 6 (R2.2.1)."""
    houses = [card for card in pool.cards if card.suit_code == Suit.House]
    assert houses
    assert {setting(card, stronger) for card in houses for stronger in (True, False)} == {None}
