"""Random decks: legal, reproducible, coherent, and drawn with exactly the probabilities that they claim (A2.9)."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from apotheosis.env.cards.deck_draws import GENERATORS, DeckSampler, _draw_multiset, chances, multisets, random_decks
from apotheosis.env.cards.decks import DeckRules, violations
from apotheosis.env.cards.lineup import drawn_rows
from apotheosis.env.errors import InputError
from apotheosis.env.rules.layout import COPIES

LEVELS = (1, 4, 7, 10)


def all_multisets(single, many, size):
    limits = [1] * single + [3] * many
    return [counts for counts in product(*(range(limit + 1) for limit in limits)) if sum(counts) == size]


@pytest.mark.parametrize(("single", "many", "size"), [(3, 3, 5), (0, 4, 6), (5, 0, 3), (2, 2, 8), (4, 1, 2)])
def test_counts_and_chances_of_multisets_agree_with_listing_them(single, many, size):
    listed = all_multisets(single, many, size)
    assert multisets(single, many, size) == pytest.approx(len(listed))
    one, several = chances(single, many, size)
    if single:
        assert one == pytest.approx(sum(counts[0] > 0 for counts in listed) / len(listed))
    if many:
        assert several == pytest.approx(sum(counts[-1] > 0 for counts in listed) / len(listed))


def test_every_multiset_is_equally_likely():
    listed = all_multisets(2, 3, 4)
    rng = np.random.default_rng(5)
    drawn = Counter()
    for _ in range(8000):
        cards = _draw_multiset(np.arange(2), np.arange(2, 5), 4, rng)
        drawn[tuple(int((cards == number).sum()) for number in range(5))] += 1
    assert set(drawn) == set(listed)
    expected = 8000 / len(listed)
    statistic = sum((drawn[counts] - expected) ** 2 / expected for counts in listed)
    assert statistic < 2 * len(listed)


def test_too_few_cards_are_counted_as_no_multiset():
    assert multisets(2, 1, 6) == 0
    assert chances(2, 1, 6) == (0, 0)


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("level", LEVELS)
def test_drawn_decks_are_legal(starter, generator, level):
    rules = DeckRules(hero_level=level)
    for deck in random_decks(starter, 60, 3, rules, generator):
        assert violations(deck, starter, rules) == []


@pytest.mark.parametrize("generator", GENERATORS)
def test_decks_of_the_database_are_legal(database, generator):
    for deck in random_decks(database, 60, 3, DeckRules(hero_level=4), generator):
        assert violations(deck, database) == []


def test_the_seed_decides_everything(starter):
    assert random_decks(starter, 5, 11) == random_decks(starter, 5, 11)
    assert random_decks(starter, 5, 11) != random_decks(starter, 5, 12)


@pytest.mark.parametrize("level", LEVELS)
def test_a_coherent_hero_can_use_nine_tenths_of_its_deck(starter, level):
    sampler = DeckSampler(starter, DeckRules(hero_level=level))
    for row in sampler.draw_many(40, np.random.default_rng(2)):
        usable = set(sampler.legal[sampler.usable(row[None, 1:4], row[:1])[0]].tolist())
        assert sum(int(number) in usable for number in row[5:]) == 27


def test_usable_means_known_placeable_and_high_enough(starter):
    sampler = DeckSampler(starter, DeckRules(hero_level=4))

    def usable(house, *classes):
        sets = np.array([[*(starter.number(name) for name in classes), *[-1] * (3 - len(classes))]])
        mask = sampler.usable(sets, np.array([starter.number(house)]))[0]
        return {starter.cards[number].id for number in sampler.legal[mask]}

    archer = usable("Vellmere", "LongSight")
    assert {"StormBow", "ReedBow", "GlassStiletto", "Stonecaster", "GoodOmen", "SealedEmber"} <= archer
    assert not {"HorizonBow", "TwinSickles", "TitheCrown", "Sparkthrow", "MarshHound"} & archer
    assert "MarshHound" in usable("Brindlefen", "PackElder")


@pytest.mark.parametrize("generator", GENERATORS)
def test_inclusion_probabilities_are_those_of_the_draws(starter, generator):
    sampler = DeckSampler(starter, DeckRules(hero_level=4), generator)
    claimed = sampler.inclusion()
    draws = 4000
    seen = np.zeros(len(starter))
    for row in sampler.draw_many(draws, np.random.default_rng(8)):
        seen[np.unique(row[row >= 0])] += 1
    error = np.sqrt(claimed * (1 - claimed) / draws)
    assert np.all(np.abs(seen / draws - claimed) <= 4.5 * error + 1e-12)


def test_inclusion_sums_to_the_expected_number_of_different_cards(database):
    sampler = DeckSampler(database, DeckRules(hero_level=4), "uniform")
    claimed = sampler.inclusion()
    assert claimed[sampler.houses].sum() == pytest.approx(1)
    rows = sampler.draw_many(500, np.random.default_rng(4))
    different = np.mean([len(np.unique(row[row >= 0])) for row in rows])
    assert claimed.sum() == pytest.approx(different, abs=0.2)


def test_a_level_that_no_format_has_and_an_unknown_generator_are_refused(starter):
    with pytest.raises(InputError, match="must be 1, 4, 7 or 10, got 5"):
        DeckSampler(starter, DeckRules(hero_level=5))
    with pytest.raises(InputError, match="unknown generator 'coherrent'.*did you mean 'coherent'"):
        DeckSampler(starter, DeckRules(), "coherrent")


def test_rows_for_the_kernel_are_padded(starter):
    sampler = DeckSampler(starter, DeckRules(hero_level=4))
    draws = sampler.draw_many(3, np.random.default_rng(1))
    rows = drawn_rows(draws)
    assert rows.shape == (3, COPIES)
    assert rows[:, :35].tolist() == draws.tolist()
    assert (rows[:, 35:] == -1).all()
