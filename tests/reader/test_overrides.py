"""Overrides: trees by card id, checked before they count."""

from collections import Counter
from pathlib import Path

import pytest

from apotheosis.env.cards.text.overrides import load_overrides, override_files, read_with_overrides
from apotheosis.env.errors import InputError

FOLDER = Path(__file__).resolve().parents[2] / "overrides"


@pytest.fixture(scope="module")
def overrides():
    return load_overrides(override_files(FOLDER))


def test_every_shipped_override_is_well_formed(overrides):
    assert len(overrides) > 100


def test_overrides_name_cards_and_effects_of_the_game(corpus, overrides):
    assert set(overrides) <= set(corpus)
    for card_id in overrides:
        read_with_overrides(corpus[card_id], overrides)


def test_no_override_repeats_what_the_reader_reads_anyway(results, overrides):
    repeated = [(c, label) for c, trees in overrides.items() for label in trees if results[c][label].status == "read"]
    assert not repeated


def test_with_overrides_nineteen_of_twenty_live_effects_are_executable(corpus, overrides):
    counts = Counter(r.status for card in corpus.values() for r in read_with_overrides(card, overrides).values())
    live = sum(counts.values()) - counts["nothing_to_do"]
    assert (counts["read"] + counts["override"]) / live >= 0.95


BROKEN = [
    ("a: [", "not readable YAML"),
    ("a: 1", "list of entries"),
    ("- {id: X}", "with 'id' and 'effects'"),
    ("- {id: X, effects: {E0: 3}}", "list of effects"),
    ("- {id: X, effects: {E0: [{activation: Activate, do: [{op: dance}]}]}}", "dance"),
    ("- {id: X, effects: {E0: []}}\n- {id: X, effects: {E0: []}}", "two overrides"),
]


@pytest.mark.parametrize("text, message", BROKEN, ids=[message for _, message in BROKEN])
def test_a_broken_override_is_one_clear_error(tmp_path, text, message):
    file = tmp_path / "broken.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_overrides([file])


def test_an_override_for_an_effect_that_is_not_there_is_an_error(tmp_path, cards):
    file = tmp_path / "one.yaml"
    file.write_text("- {id: Sample, effects: {E3: []}}", encoding="utf-8")
    with pytest.raises(InputError, match="no effect E3"):
        read_with_overrides(cards.plain(Effects=[cards.effect("+1 de {STR}.")]), load_overrides([file]))
