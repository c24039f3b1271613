"""Runs of two versions: what a swap or a test has shown is said first, and section 8 shows what it rests on."""

import json

import numpy as np
import pandas as pd
import pytest

from apotheosis.experiments.report.analysis import analyse
from apotheosis.experiments.report.builder import write_report
from apotheosis.experiments.report.exchange import Exchange, ExchangeTally, changes_section, stored_test
from apotheosis.experiments.report.reading import Run, open_run
from apotheosis.experiments.report.wording import Words

PAIRS, DECKS, EDGE, WINDOW = 2000, 40, 0.05, 9


@pytest.fixture(scope="module")
def swap_folder(tmp_path_factory):
    """A swap run whose card is worth five points: its side wins 55 % of the matches."""
    folder = tmp_path_factory.mktemp("swap")
    rng = np.random.default_rng(5)
    pair, second = np.repeat(np.arange(PAIRS), 2), np.tile([False, True], PAIRS)
    deck = pair % DECKS
    versions = ["card", "baseline"]
    sides = [[f"deck-{d}/{versions[int(s) ^ k]}" for d, s in zip(deck, second, strict=True)] for k in (0, 1)]
    won = rng.random(2 * PAIRS) < 0.5 + EDGE
    first = np.where(second, ~won, won)
    matches = pd.DataFrame(
        {
            "match_id": np.arange(2 * PAIRS),
            "pair_id": pair,
            "seat_a_deck": sides[0],
            "seat_b_deck": sides[1],
            "seat_a_bot": "greedy",
            "seat_b_bot": "greedy",
            "outcome": np.where(first, "win_a", "win_b"),
        }
    )
    position = rng.integers(0, 30, (2 * PAIRS, 2))
    rows = {
        "match_id": np.repeat(np.arange(2 * PAIRS), 2),
        "seat": np.tile(["a", "b"], 2 * PAIRS),
        "card_id": np.stack([np.where(second, "Plain_X", "X"), np.where(second, "X", "Plain_X")], axis=1).ravel(),
        "shuffle_position": position.ravel(),
    }
    cards = pd.DataFrame(rows).assign(opening_hand=False, drawn=True, placed=True, activated=1)
    matches.to_parquet(folder / "matches.parquet")
    cards.to_parquet(folder / "cards.parquet")
    pd.DataFrame({"card_id": ["X", "Plain_X"], "name": ["Ember Fox", "Plain Item"]}).to_parquet(folder / "pool.parquet")
    plan = {"matches_per_pair": 2, "spec": {"design": {"kind": "swap", "card": "X", "baseline": None}}}
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    early = position[np.arange(2 * PAIRS), np.where(second, 0, 1)] < WINDOW
    return folder, won, early


def test_a_swap_gives_the_worth_of_the_card_by_slot_and_by_draw(swap_folder):
    folder, won, early = swap_folder
    found = analyse(open_run(folder)).exchange
    assert isinstance(found, Exchange) and (found.card, found.baseline) == ("Ember Fox", "Plain Item")
    assert found.found.effect.estimate == pytest.approx(won.mean() - 0.5)
    assert found.found.effect.covers(EDGE)
    assert sum(found.counts) == found.found.units == PAIRS
    assert found.seen.estimate == pytest.approx(early.mean())
    assert found.found.per_draw.estimate == pytest.approx((won.mean() - 0.5) / early.mean())
    assert found.verdict == "too_strong" and found.more is None


def test_an_open_question_says_how_many_games_it_needs(swap_folder):
    folder, *_ = swap_folder
    run = open_run(folder)
    tally = ExchangeTally.of(run, WINDOW)
    tally.add(next(iter(run.match_parts())).head(400))
    found = tally.result(run.pool["name"], 0.05)
    assert isinstance(found, Exchange) and found.verdict == "undecided" and found.more is not None and found.more > 0
    assert found.seen is None and found.found.per_draw is None


def test_against_the_field_both_versions_are_compared_on_the_same_seeds(tmp_path):
    """The card wins 5 % of the matches that its baseline loses, and nothing else differs."""
    units, rng = 1500, np.random.default_rng(9)
    pair, second = np.repeat(np.arange(2 * units), 2), np.tile([False, True], 2 * units)
    with_card = pair % 2 == 0
    base = np.tile((rng.random((units, 2)) < 0.45)[:, None, :], (1, 2, 1)).ravel()
    helped = np.repeat(rng.random((units, 2)) < EDGE, 2, axis=0).reshape(-1)
    won = base | (helped & with_card)
    own = [f"deck-{u // 2 % 7}/{'card' if c else 'baseline'}" for u, c in zip(pair, with_card, strict=True)]
    other = [f"deck-{(u // 2 + 1) % 7}/baseline" for u in pair]
    matches = pd.DataFrame(
        {
            "match_id": np.arange(4 * units),
            "pair_id": pair,
            "seat_a_deck": np.where(second, other, own),
            "seat_b_deck": np.where(second, own, other),
            "seat_a_bot": "greedy",
            "seat_b_bot": "greedy",
            "score_a": np.where(second, ~won, won).astype(float),
        }
    )
    tally = ExchangeTally("X", "Plain_X", WINDOW, on_field=True)
    for start in range(0, 4 * units, 602):  # whole pairs, not whole units
        tally.add(matches.iloc[start : start + 602])
    found = tally.result(pd.Series(dtype=object), 0.02)
    assert found is not None and found.on_field and found.counts is None
    assert found.found.effect.estimate == pytest.approx(won[with_card].mean() - won[~with_card].mean())
    assert found.found.units == units and found.found.rho > 0.8
    assert 0 < found.found.effect.low < EDGE and found.found.effect.se < 0.004
    section = changes_section(found, None, Words("en"))
    assert "Against the same opponents" in section["answer"] and len(section["tables"]) == 1


SAID = {"en": "the same decks with Plain Item in its place", "pt": "mesmos baralhos com Plain Item no lugar"}


@pytest.mark.parametrize("language, said", SAID.items())
def test_a_report_of_a_swap_begins_with_its_answer(swap_folder, tmp_path, read_page, language, said):
    written = write_report(swap_folder[0], language, tmp_path)
    page = written.page.read_text(encoding="utf-8")
    document = read_page(page)
    assert document.errors == []
    head = page[page.index('<section id="first">') : page.index('<section id="trust">')]
    assert said in head and "too_strong" in head
    changes = page[page.index('<section id="changes">') : page.index('<section id="method">')]
    assert said in changes and "<table>" in changes


def test_a_foreign_run_and_one_without_pairs_have_no_exchange(swap_folder, tmp_path):
    plain = Run(tmp_path, {}, pd.DataFrame(), [])
    unmirrored = Run(tmp_path, {"matches_per_pair": 1, "spec": {"design": {"kind": "swap", "card": "X"}}}, pd.DataFrame(), [])
    assert ExchangeTally.of(plain, WINDOW) is None and ExchangeTally.of(unmirrored, WINDOW) is None
    section = changes_section(None, None, Words("en"))
    assert section["answer"] is None and "apotheosis compare" in section["says"][0]


def stored(verdict, **values):
    return {
        "verdict": verdict,
        "llr": 3.1,
        "bounds": [-2.94, 2.94],
        "pairs": 960,
        "counts": [20, 0, 700, 0, 240],
        "estimate": 0.115,
        "interval": [0.08, 0.15],
        "variance": 0.05,
        "rho": -0.4,
        "remeasured": {"estimate": 0.09, "interval": [0.07, 0.11], "pairs": 1031},
        "changes": [{"id": "X", "field": "damage.constant", "old": None, "new": 6}],
        "path": [[32, 1.2, -1.3], [64, 2.2, -2.5], [96, 3.1, -3.6]],
        "question": {
            "kind": "three_way", "lower": 0, "upper": 0.02, "inner": 0.01, "outer": 0.03,
            "alpha": 0.05, "beta": 0.05, "max_pairs": 4000,
        },
        **values,
    }  # fmt: skip


@pytest.mark.parametrize("verdict, said", [("stronger", "is stronger"), ("weaker", "is weaker"), ("within", "equal within")])
def test_a_stopped_test_says_that_it_flatters_and_what_fresh_pairs_showed(verdict, said):
    section = changes_section(None, stored(verdict), Words("en"))
    text = " ".join(section["says"])
    assert said in section["answer"] and "+11.5 points" in section["answer"] and "960 pairs" in section["answer"]
    assert ("which flatters it" in text) == (verdict != "within") and "1\u202f031 fresh pairs: +9.0 points" in text
    assert section["course"] is not None
    shown = {str(row[0]): row[1] for row in section["tables"][2][0].rows}
    assert "±1.0 points" in shown["Question"] and "5\u00a0%" in shown["Chances of error"]
    counts = section["tables"][1][0].rows[0]
    assert counts[1:] == ["20", "0", "700", "0", "240"]


def test_a_plain_sequential_test_that_fails_is_not_called_equal():
    asked = stored("within")["question"] | {"kind": "sprt"}
    section = changes_section(None, stored("within", question=asked, remeasured=None), Words("en"))
    assert "not better than the lower bound" in section["answer"]


@pytest.mark.parametrize("text", ["{", "[]", '{"verdict": "within"}'])
def test_a_result_that_is_none_is_left_alone(tmp_path, text):
    (tmp_path / "test.json").write_text(text, encoding="utf-8")
    assert stored_test(Run(tmp_path, {}, pd.DataFrame(), [])) is None
