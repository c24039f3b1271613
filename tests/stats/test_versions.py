"""Two versions of cards in one pool: what is compared, which decks meet, and what is refused."""

import pytest

from apotheosis.env.cards.decks import Deck, starter_decks, violations
from apotheosis.env.cards.pool import load_pool, make_pool
from apotheosis.env.cards.yaml_file import plain
from apotheosis.env.errors import InputError
from apotheosis.experiments import versions
from apotheosis.experiments.spec import load_spec
from apotheosis.experiments.versions import compare_pools, renewed, version_sides, with_settings

CARD = "OakCudgel"


@pytest.fixture(scope="module")
def pool():
    return load_pool()


@pytest.fixture(scope="module")
def stronger(pool):
    return compare_pools(pool, with_settings(pool, CARD, {"damage.constant": 9}))


def test_one_changed_number_is_one_changed_card(pool, stronger):
    assert dict(stronger.new_ids) == {CARD: f"{CARD}_v2"}
    assert [(row["id"], row["field"], row["new"]) for row in stronger.changes] == [(CARD, "damage.constant", 9)]
    assert len(stronger.both) == len(pool) + 1
    assert stronger.both.card(f"{CARD}_v2").damage.constant == 9
    assert stronger.both.card(CARD) == pool.card(CARD)
    assert stronger.both.card(f"{CARD}_v2").name.endswith("(v2)")


def test_cards_of_one_file_only_are_named_not_compared(pool):
    added = pool.card(CARD).model_copy(update={"id": "Newcomer"})
    other = make_pool([*[card for card in with_settings(pool, CARD, {"action": 9}).cards], added])
    found = compare_pools(pool, other)
    assert list(found.new_ids) == [CARD]
    assert found.ignored == ("Newcomer",)


def test_equal_pools_leave_nothing_to_test(pool):
    with pytest.raises(InputError, match="no card that differs"):
        compare_pools(pool, load_pool())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"damge.constant": 3}, "did you mean 'damage'"),
        ({"level": 9}, "level"),
        ({"damage.constant": "many"}, "damage.constant"),
        ({"action.more": 1}, "has no parts"),
        ({"tags.7": "x"}, "no number from 0 to"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_one_sentence(pool, settings, message):
    with pytest.raises(InputError, match=message):
        with_settings(pool, CARD, settings)


def test_unknown_card_is_refused_with_the_nearest_name(pool):
    with pytest.raises(InputError, match="did you mean 'OakCudgel'"):
        with_settings(pool, "OakCudgl", {"action": 1})


def test_fields_that_the_card_does_not_have_yet_can_be_given(pool):
    changed = with_settings(pool, CARD, {"attributes_bonus.STR": 2}).card(CARD)
    assert plain(changed)["attributes_bonus"] == {"STR": 2}


def test_every_copy_is_renewed_in_its_slot():
    deck = Deck(name="d", level=1, house="H", classes=["C", "K"], entity="E", cards={"A": 2, "X": 3, "B": 1})
    new = renewed(deck, {"X": "X_v2", "K": "K_v2", "H": "H_v2"})
    assert list(new.cards.items()) == [("A", 2), ("X_v2", 3), ("B", 1)]
    assert (new.house, new.classes, new.entity) == ("H_v2", ["C", "K_v2"], "E")


def test_random_decks_all_hold_a_changed_card_and_differ_in_nothing_else(stronger):
    spec = load_spec(settings={"decks.n": 6, "run.pairs": 50})
    sides = version_sides(stronger, spec, None, 0)
    assert len(sides) == 12
    for new, old in zip(sides[::2], sides[1::2], strict=True):
        assert (new.name.removesuffix("/new"), new.name) == (old.name.removesuffix("/old"), f"{old.name[:-3]}new")
        before, after = Deck(**old.decks[0]), Deck(**new.decks[0])
        assert CARD in before.cards
        assert after == renewed(before, stronger.new_ids)
        assert not violations(after, stronger.both, spec.format)
    assert version_sides(stronger, spec, None, 0) == sides
    assert version_sides(stronger, spec, None, 1) != sides, "fresh seeds bring fresh decks"


def test_listed_decks_without_a_changed_card_are_left_out(stronger):
    spec = load_spec(settings={"decks.source": "starter"})
    decks = [deck for deck in starter_decks() if deck.level == 7]
    held = [deck for deck in decks if CARD in deck.ids()]
    if held:
        assert len(version_sides(stronger, spec, decks, 0)) == 2 * len(held)
    without = [deck.model_copy(update={"cards": {k: v for k, v in deck.cards.items() if k != CARD}}) for deck in decks]
    with pytest.raises(InputError, match="holds a changed card"):
        version_sides(stronger, spec, without, 0)


def test_change_that_makes_a_listed_deck_illegal_is_refused(pool):
    spec = load_spec(settings={})
    sampler_decks = version_sides(
        compare_pools(pool, with_settings(pool, CARD, {"action": 9})), load_spec(settings={"decks.n": 30}), None, 0
    )
    decks = [Deck(**side.decks[0]) for side in sampler_decks[1::2]]
    several = [deck for deck in decks if deck.cards.get(CARD, 0) > 1]
    assert several
    epic = compare_pools(pool, with_settings(pool, CARD, {"rarity": "Epic"}))
    with pytest.raises(InputError, match="A2.6"):
        version_sides(epic, spec, several, 0)


def test_teams_are_refused(stronger):
    with pytest.raises(InputError, match="team_size = 1"):
        version_sides(stronger, load_spec(settings={"format.team_size": 2}), None, 0)


def test_saved_versions_load_as_the_same_pool(stronger, tmp_path):
    spec = versions.located(tmp_path, stronger, load_spec())
    versions.write(tmp_path, stronger)
    assert load_pool(spec.cards.pool, spec.cards.overrides).hash == stronger.both.hash


def test_real_cards_keep_their_overrides_in_both_versions(shared, tmp_path):
    real = load_pool(shared / "data" / "cards_dev.json")
    if not real.overrides:
        pytest.skip("no card of the database needs an override")
    name = next(key[0] for key in real.overrides)
    pool = make_pool([card for card in real.cards if card.id == name or card in real.cards[:9]], "some", real.overrides)
    changed = with_settings(pool, name, {"score": pool.card(name).score + 1})
    found = compare_pools(pool, changed)
    new_id = found.new_ids[name]
    assert {key[1] for key in found.both.overrides if key[0] == new_id} == {key[1] for key in pool.overrides if key[0] == name}
    statuses = [[reading.status for reading in found.both.readings[found.both.number(each)]] for each in (name, new_id)]
    assert statuses[0] == statuses[1]
    spec = versions.located(tmp_path, found, load_spec())
    versions.write(tmp_path, found)
    assert load_pool(spec.cards.pool, spec.cards.overrides).hash == found.both.hash


def test_clauses_that_are_not_played_are_named(shared):
    pool = load_pool(shared / "data" / "cards_dev.json")
    status = {card.id: [r.status for r in readings] for card, readings in zip(pool.cards, pool.readings, strict=True)}
    partial = next((name for name, found in status.items() if "inert" in found or "partial" in found), None)
    if partial is None:
        pytest.skip("every effect of the cards is played in full")
    found = compare_pools(pool, with_settings(pool, partial, {"score": pool.card(partial).score + 1}))
    assert set(found.unsimulated) == {partial, found.new_ids[partial]}


@pytest.mark.parametrize("key", ["techniques[0].damage.constant", "techniques.0.damage.constant"])
def test_a_number_in_a_list_is_set_by_its_printed_name(pool, key):
    changed = with_settings(pool, "MarshHound", {key: 4})
    rows = compare_pools(pool, changed).changes
    assert [(row["field"], row["new"]) for row in rows] == [("techniques[0].damage.constant", 4)]
