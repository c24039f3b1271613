"""The data dictionary describes the tables of the contract completely."""

import pytest

from apotheosis.env.errors import InputError
from apotheosis.experiments import dictionary

CONTRACT = {
    "matches": "match_id, pair_id, chunk, seed, format, seat_a_deck, seat_b_deck, seat_a_bot, seat_b_bot, first_team, "
    "outcome, score_a, cause, stints, turns, decisions, hp_margin, lead_changes, legal_options_mean, replay, "
    "state_hash, inert_cards_a, inert_cards_b",
    "cards": "match_id, seat, team, hero, card_id, copy, deck_slot, usable, suit, level, rarity, shuffle_position, "
    "opening_hand, kept, drawn, drawn_turn, placed, placed_turn, activated, reacted, discarded_as_cost, "
    "dead_in_hand_turns, left_play_turn, damage_caused, hp_removed, hp_healed",
}


@pytest.mark.parametrize("table", CONTRACT)
def test_every_column_of_the_contract_is_there_in_order(table):
    wanted = CONTRACT[table].replace("\n", " ").split(", ")
    assert [name for name in dictionary.columns(table) if name in wanted] == wanted


@pytest.mark.parametrize("table", ["matches", "cards", "turns", "pool", "effects"])
def test_every_column_is_explained_in_both_languages(table):
    for column in dictionary.tables()[table]:
        assert column.meaning and column.meaning_pt and column.source and column.meaning != column.meaning_pt, column
        assert column.unit or column.dtype in ("name", "text", "bool"), column
    assert len(set(dictionary.columns(table))) == len(dictionary.columns(table))


@pytest.mark.parametrize("table", ["matches", "cards", "turns", "pool", "effects"])
def test_the_schema_follows_the_dictionary(table):
    schema = dictionary.schema(table)
    assert schema.names == dictionary.columns(table)
    assert [field.nullable for field in schema] == [column.nullable for column in dictionary.tables()[table]]


def test_a_foreign_table_without_a_column_is_refused_with_the_nearest_name():
    names = [name for name in dictionary.columns("matches") if name != "outcome"]
    with pytest.raises(InputError, match="lacks the column 'outcome'; the nearest is 'outcomes'"):
        dictionary.check_columns("matches", [*names, "outcomes"], "x.csv")
    dictionary.check_columns("matches", [*names, "outcome", "more"], "x.csv")


def test_the_page_of_documentation_is_current(root):
    page = root / "docs" / "data.md"
    assert page.read_text(encoding="utf-8") == dictionary.as_markdown(), "rebuild docs/data.md from dictionary.as_markdown()"
