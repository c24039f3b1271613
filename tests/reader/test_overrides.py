"""The shipped overrides: they fit the game's cards, and say nothing that the reader says by itself."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from apotheosis.env.cards.loader import read_cards
from apotheosis.env.cards.overrides_file import bundled_overrides
from apotheosis.env.cards.readings import effects_of


@pytest.fixture(scope="module")
def overrides():
    return bundled_overrides()


def test_there_are_overrides_for_many_cards(overrides):
    assert len({card for card, _ in overrides}) > 100


def test_every_override_was_written_for_the_text_that_the_card_has(corpus_file, overrides):
    texts = {(card.id, label): effect for card in read_cards(corpus_file).cards for label, _, effect in effects_of(card)}
    assert [key for key, override in overrides.items() if override.text is None or not override.fits(texts[key])] == []


def test_no_override_repeats_what_the_reader_reads_anyway(results, overrides):
    assert [key for key in overrides if results[key[0]][key[1]].status == "read"] == []


def test_with_overrides_nineteen_of_twenty_live_effects_have_a_meaning(results, overrides):
    counts: Counter[str] = Counter()
    for card, found in results.items():
        for label, result in found.items():
            override = overrides.get((card, label))
            if override is not None:
                counts["partial" if override.lacks else "read" if override.effects else "nothing_to_do"] += 1
            else:
                counts[result.status] += 1
    assert counts["read"] / (counts.total() - counts["nothing_to_do"]) >= 0.95


def test_a_judged_sample_of_overrides_says_what_was_wrong(overrides):
    with Path(__file__).with_name("sample_overrides_60119.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["card"], row["effect"]) for row in rows}) == 30
    assert Counter(row["verdict"] for row in rows) == {"right": 23, "wrong": 7}
    for row in rows:
        override = overrides[row["card"], row["effect"]]
        assert ("partial" in row["note"]) == bool(override.lacks)


def test_every_override_has_been_judged_and_what_was_wrong_is_mended_or_named(overrides):
    with Path(__file__).with_name("override_verdicts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with Path(__file__).with_name("sample_overrides_60119.csv").open(encoding="utf-8", newline="") as file:
        sampled = {(row["card"], row["effect"]) for row in csv.DictReader(file)}
    judged = [(row["card"], row["effect"]) for row in rows]
    assert len(judged) == len(set(judged))
    assert set(judged) == set(overrides) - sampled
    assert Counter(row["verdict"] for row in rows) == {"right": 103, "wrong": 50, "partial": 9}
    for row in rows:
        override = overrides[row["card"], row["effect"]]
        named = "partial afterwards" in row["done"] or "says what it leaves out" in row["done"]
        assert named == bool(override.lacks), row
        assert ("nothing to do afterwards" in row["done"]) <= (not override.effects), row
