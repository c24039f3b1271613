"""The swap design exchanges one copy of one card in its slot, for another card or for a plain one made for it."""

import pyarrow.parquet as pq
import pytest

from apotheosis.env.card_words import CardWords
from apotheosis.env.cards.decks import Deck, starter_decks, violations, write_decks
from apotheosis.env.cards.lineup import deck_row
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.cards.yaml_file import plain
from apotheosis.env.errors import InputError
from apotheosis.env.vocabulary import Suit
from apotheosis.experiments import door, run
from apotheosis.experiments.baseline import exchanged, plain_card
from apotheosis.experiments.replays import StoredRun
from apotheosis.experiments.spec import load_spec


@pytest.fixture(scope="module")
def pool():
    return load_pool()


def swap_spec(card: str, **settings):
    return load_spec(settings={"design.kind": "swap", "design.card": card, "run.pairs": 6, **settings})


def of_suit(pool, suit: Suit) -> list[str]:
    return [card.id for card in pool.cards if card.suit_code == suit]


def test_a_plain_card_exists_for_every_card_and_has_its_place_and_cost_but_no_text(pool):
    for card in pool.cards:
        made = plain_card(pool, card)
        assert (made.suit_code, made.level, made.rarity, made.action) == (
            card.suit_code, card.level, card.rarity, card.action,
        )  # fmt: skip
        assert made.id == f"Plain_{card.id}" and not made.effects and not made.tags
        assert not getattr(made, "techniques", []), "a plain Companion has no technique"
        for name in ("knowledge", "knowledges", "path", "vest", "companion_type"):
            assert getattr(made, name, None) == getattr(card, name, None), card.id
        kinds = {"damage", "range", "attributes_bonus", "stamina", "mana", "essence"}
        assert kinds & set(plain(made)) <= kinds & set(plain(card)), "no kind of number that the card lacks"


def test_a_plain_weapon_has_typical_numbers_and_not_its_own(pool):
    weapons = [card for card in pool.cards if card.suit_code == Suit.Item and card.level == 1 and card.damage]
    strongest = max(weapons, key=lambda card: card.damage.constant)
    constants = sorted(card.damage.constant for card in weapons if card is not strongest and card.damage.constant)
    assert constants[0] <= plain(plain_card(pool, strongest))["damage"]["constant"] <= constants[-1]


DECK = Deck(name="d", level=1, house="H", classes=["C"], entity="E", cards={"A": 2, "X": 2, "B": 1})


def test_the_last_copy_is_exchanged_and_every_other_copy_keeps_its_slot():
    assert list(exchanged(DECK, "X", "V").cards.items()) == [("A", 2), ("X", 1), ("V", 1), ("B", 1)]
    assert list(exchanged(DECK, "B", "V").cards.items()) == [("A", 2), ("X", 2), ("V", 1)]
    assert exchanged(DECK, "X", "X") == DECK, "an A/A test exchanges a card for itself"


def test_sheet_cards_are_exchanged_on_the_sheet():
    assert exchanged(DECK, "H", "V").house == "V" and exchanged(DECK, "E", "V").entity == "V"
    assert exchanged(DECK, "C", "V").classes == ["V"]


def test_a_baseline_that_is_in_the_deck_already_is_refused():
    with pytest.raises(InputError, match="holds B already"):
        exchanged(DECK, "X", "B")


@pytest.mark.parametrize("suit", [Suit.Item, Suit.Skill, Suit.Class, Suit.House])
def test_random_decks_hold_the_card_are_legal_in_both_versions_and_differ_in_one_slot(pool, suit):
    card = of_suit(pool, suit)[0]
    spec = swap_spec(card)
    wider = door.load_pool(spec)
    sides = door.sides(spec, wider, 0)
    assert len(sides) == 12 and wider.hash != pool.hash
    for with_card, without in zip(sides[0::2], sides[1::2], strict=True):
        one, two = Deck(**with_card.decks[0]), Deck(**without.decks[0])
        assert card in one.ids() and f"Plain_{card}" not in one.ids() and f"Plain_{card}" in two.ids()
        assert not violations(one, wider, spec.format) and not violations(two, wider, spec.format)
        differs = deck_row(one, wider) != deck_row(two, wider)
        assert differs.sum() == 1 and deck_row(one, wider)[differs][0] == wider.number(card)
        assert with_card.name.endswith("/card") and without.name.endswith("/baseline")


def test_two_cards_are_exchanged_alone_and_together(pool):
    card, partner = (of_suit(pool, suit)[0] for suit in (Suit.Item, Suit.Skill))
    spec = swap_spec(card, **{"design.partner": partner, "run.pairs": 12})
    wider = door.load_pool(spec)
    sides = door.sides(spec, wider, 0)
    assert len(sides) == 12, "four versions of three decks"
    for at in range(0, 12, 4):
        arms = [Deck(**side.decks[0]) for side in sides[at : at + 4]]
        assert [side.name.partition("/")[2] for side in sides[at : at + 4]] == ["both", "first", "second", "neither"]
        assert [card in arm.ids() for arm in arms][:2] == [True, True] and partner in arms[0].ids()
        rows = [deck_row(arm, wider) for arm in arms]
        one, two = rows[0] != rows[2], rows[0] != rows[1]
        assert one.sum() == two.sum() == 1 and not (one & two).any(), "each exchange fills one slot of its own"
        assert ((rows[0] != rows[3]) == (one | two)).all()
        assert rows[3][one][0] == wider.number(f"Plain_{card}") and rows[3][two][0] == wider.number(f"Plain_{partner}")
        assert not any(violations(arm, wider, spec.format) for arm in arms)


def test_a_pair_that_no_deck_holds_is_refused_soon(pool, tmp_path):
    one, two = of_suit(pool, Suit.House)[:2]
    spec = swap_spec(one, **{"design.partner": two})
    with pytest.raises(InputError, match=rf"random decks only 0 hold {one} and {two}; name decks that do"):
        door.sides(spec, door.load_pool(spec), 0)
    deck = next(deck for deck in starter_decks() if deck.level == 7)
    path = tmp_path / "deck.yaml"
    path.write_text(write_decks([deck]), encoding="utf-8")
    first, second = list(deck.cards)[:2]
    listed = {"decks.source": "files", "decks.files": [str(path)]}
    with pytest.raises(InputError, match="at least 2 decks that hold both cards"):
        run.start(swap_spec(first, **{"design.partner": second, **listed}), tmp_path / "run")


def test_four_versions_play_on_the_same_seeds_and_can_be_told_again(pool, tmp_path):
    """An exchange of the first card for itself leaves the arms in pairs that are the same, match by match."""
    card, partner = (of_suit(pool, suit)[0] for suit in (Suit.Item, Suit.Skill))
    settings = {"design.partner": partner, "design.baseline": card, "run.workers": 1, "bots.pool": ["random"], "run.pairs": 16}
    out, plan, wider = run.start(swap_spec(card, **settings), tmp_path)
    run.play(out, plan, wider).check()
    matches = pq.read_table(tmp_path / "matches.parquet").to_pandas()
    course = matches["state_hash"].to_numpy().reshape(4, 4, 2)
    assert (course[:, 0] == course[:, 2]).all() and (course[:, 1] == course[:, 3]).all()
    assert (course[:, 0] != course[:, 1]).any(), "the partner makes a difference"
    again, same_pool = run.load_for_resume(tmp_path)
    assert again.fingerprint == plan.fingerprint and same_pool.hash == wider.hash
    stored = StoredRun(tmp_path)
    for number in (1, 5, 6):
        assert stored.replay(number, CardWords(stored.pool, "en"))["about"]["turns"] == matches["turns"][number]


def test_listed_decks_are_used_where_they_hold_the_card(pool):
    spec = swap_spec("absent", **{"decks.source": "starter"})
    with pytest.raises(InputError, match="unknown card 'absent'"):
        door.load_pool(spec)
    deck = door.sides(load_spec(settings={"decks.source": "starter"}), pool, 0)[0].decks[0]
    card = next(iter(deck["cards"]))
    sides = door.sides(spec := swap_spec(card, **{"decks.source": "starter"}), door.load_pool(spec), 0)
    assert f"{deck['name']}/card" in [side.name for side in sides]


def test_cards_of_different_suits_are_not_exchanged(pool):
    item, skill = of_suit(pool, Suit.Item)[0], of_suit(pool, Suit.Skill)[0]
    with pytest.raises(InputError, match="only cards of one suit"):
        door.load_pool(swap_spec(item, **{"design.baseline": skill}))


def test_teams_are_refused(pool):
    spec = swap_spec(of_suit(pool, Suit.Item)[0], **{"format.team_size": 2})
    with pytest.raises(InputError, match="team_size = 1"):
        door.sides(spec, door.load_pool(spec), 0)


def test_against_the_field_a_stored_match_can_be_told_again(pool, tmp_path):
    """The teller of matches draws the seeds anew, and refuses a match that would go another way."""
    spec = swap_spec(of_suit(pool, Suit.Item)[0], **{"run.workers": 1, "bots.pool": ["random"], "design.against": "field"})
    out, plan, wider = run.start(spec, tmp_path)
    run.play(out, plan, wider).check()
    matches = pq.read_table(tmp_path / "matches.parquet").to_pandas()
    units = matches["pair_id"] // 2
    assert (matches["seed"].groupby(units).nunique() == 1).all() and matches["seed"].nunique() == units.nunique()
    stored = StoredRun(tmp_path)
    words = CardWords(stored.pool, "en")
    for number in (1, 2, 3):
        assert stored.replay(number, words)["about"]["turns"] == matches["turns"][number]


def test_the_field_needs_a_swap_in_mirrored_pairs_and_two_decks(pool, tmp_path):
    field = {"design.against": "field"}
    card = of_suit(pool, Suit.Item)[0]
    for settings in (field, {"design.kind": "swap", "design.card": card, "design.mirror": False, **field}):
        with pytest.raises(InputError, match="is for design.kind"):
            load_spec(settings=settings)
    deck = next(deck for deck in starter_decks() if deck.level == 7)
    path = tmp_path / "deck.yaml"
    path.write_text(write_decks([deck]), encoding="utf-8")
    spec = swap_spec(next(iter(deck.cards)), **{"decks.source": "files", "decks.files": [str(path)], **field})
    with pytest.raises(InputError, match="at least 2 decks"):
        run.start(spec, tmp_path / "run")


def test_a_swap_run_plays_the_two_versions_against_each_other(pool, tmp_path):
    spec = swap_spec(of_suit(pool, Suit.Item)[0], **{"run.workers": 1, "bots.pool": ["random"]})
    out, plan, wider = run.start(spec, tmp_path)
    run.play(out, plan, wider).check()
    matches = pq.read_table(tmp_path / "matches.parquet", columns=["seat_a_deck", "seat_b_deck"]).to_pylist()
    for match in matches:
        names = sorted(match.values())
        assert names[0].replace("/baseline", "/card") == names[1]
    again, same_pool = run.load_for_resume(tmp_path)
    assert again.fingerprint == plan.fingerprint and same_pool.hash == wider.hash
