"""The game's real texts: trees written by hand before the compiled ones, a judged sample, and the shares that are read."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from apotheosis.env.cards.text.canonical import same
from apotheosis.env.cards.text.coverage import measure, shares
from apotheosis.env.cards.text.reader import language_fault
from apotheosis.env.cards.text.write import write_effect

HERE = Path(__file__).parent


def _trees():
    found = {}
    for file in sorted(HERE.glob("truth*.yaml")):
        for card, effects in YAML(typ="safe").load(file.read_text(encoding="utf-8")).items():
            assert not set(effects) & set(found.get(card, {})), (file.name, card)
            found.setdefault(card, {}).update(effects)
    return found


TRUTH = _trees()
CASES = [(card, label) for card, effects in TRUTH.items() for label in effects]
SAMPLES = {
    "sample_verdicts.csv": ("4711", 100, 0),
    "sample_verdicts_again.csv": ("20931", 100, 3),
    "sample_verdicts_58217.csv": ("58217", 100, 4),
    "sample_verdicts_90431.csv": ("90431", 100, 3),
    "sample_verdicts_73361.csv": ("73361", 74, 0),
}
"""Judged samples of read effects: the seeds they were drawn with, how many they hold, and how many were read wrongly.

The first two are from all effects and from the part that was written on; the next two, a third of each held out, are from
those that no table of trees held before. The last holds all 74 that were left, 31 of them held out, and leaves none (three
more were worked on that day, and so are not fresh). What was wrong has been mended or is refused.
"""
MOST_WRONG = 3
"""Per hundred of the two newest samples; older ones say what was mended."""

LANGUAGE_GAPS = {("BlueSpeedy", "E0"), ("SmokeStone", "E0")}
"""Hand-written trees that the effect language cannot hold yet: a loss that waits for the end of the battle."""


def test_there_are_two_hundred_hand_written_trees():
    assert len(CASES) >= 200


@pytest.mark.parametrize("card, label", CASES, ids=[f"{card}-{label}" for card, label in CASES])
def test_the_reading_equals_the_tree_written_by_hand(results, card, label):
    result = results[card][label]
    if (card, label) in LANGUAGE_GAPS and result.status == "inert":
        assert "the effect language has no form" in result.reason
        return
    assert result.status == "read", (result.clause, result.reason)
    assert result.tree == TRUTH[card][label]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_judged_sample_says_what_was_wrong(name):
    seed, drawn, wrong = SAMPLES[name]
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["card"], row["effect"]) for row in rows}) == drawn and {row["seed"] for row in rows} == {seed}
    verdicts = Counter(row["verdict"] for row in rows)
    assert set(verdicts) <= {"right", "wrong"} and verdicts["wrong"] == wrong
    assert all(row["note"] for row in rows)


def test_at_most_three_of_a_hundred_of_the_newest_were_wrong():
    newest = list(SAMPLES.values())[-2:]
    assert 100 * sum(wrong for *_, wrong in newest) <= MOST_WRONG * sum(drawn for _, drawn, _ in newest)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_judged_readings_are_still_the_readings_that_were_judged(results, name):
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["verdict"] == "right":
                assert results[row["card"]][row["effect"]].tree == TRUTH[row["card"]][row["effect"]]


def test_the_share_of_live_effects_that_is_read_does_not_fall(corpus):
    rows = measure(corpus.values())
    total = shares(rows)
    assert total["read_percent"] >= 76
    assert total["read"] + total["partial"] + total["inert"] == total["live"]


def test_every_refusal_names_its_clause_and_reason(results):
    for card, effects in results.items():
        for label, result in effects.items():
            if result.status in ("partial", "inert"):
                assert result.clause and result.reason, (card, label)
            if result.status == "read":
                assert result.tree and not result.refused, (card, label)


def test_every_tree_is_well_formed_in_the_language(results):
    faults = {
        (card, label): fault
        for card, effects in results.items()
        for label, result in effects.items()
        for effect in result.tree
        if (fault := language_fault(effect))
    }
    assert not faults


def test_rendered_portuguese_has_sentences_and_reads_back_as_the_same_tree(corpus, results):
    from apotheosis.env.cards.text.reader import effects_of, read_effect

    texts = []
    for card_id, effects in results.items():
        techniques = {label: technique for label, _, technique in effects_of(corpus[card_id])}
        for label, result in effects.items():
            for effect in result.tree if result.status == "read" else ():
                texts.append(write_effect(effect, "pt"))
                back = read_effect({"Text": texts[-1]}, corpus[card_id], techniques[label])
                assert len(back.tree) == 1, (card_id, label, texts[-1])
                assert same({"technique": techniques[label], **effect}, back.tree[0]), (card_id, label, texts[-1])
    assert sum(not text.startswith("«Efeito»") for text in texts) / len(texts) >= 0.98
