"""R13.12: HP amounts of cards from before September 2025 are worth ten each, everything else is literal."""

import pytest


@pytest.mark.parametrize(
    "text, key, old, new",
    [
        ("Cure 3 de {HP}.", "n", 30, 3),
        ("Cure {D_1D3} de {HP}.", "n", "mul(10,dice(1D3))", "dice(1D3)"),
        ("Cure ( 2 + {D_1D3} ) de {HP}.", "n", "mul(10,add(2,dice(1D3)))", "add(2,dice(1D3))"),
        ("Cure toda a sua {HP}.", "n", "all", "all"),
    ],
)
def test_amounts_of_hp_follow_the_date_of_the_card(tree_of, cards, text, key, old, new):
    assert tree_of(text, on=cards.plain(old=True))[0]["do"][0][key] == old
    assert tree_of(text, on=cards.plain())[0]["do"][0][key] == new


def test_a_price_in_hp_is_scaled(tree_of, cards):
    text = "Você pode remover 2 de {HP} para recuperar 1 de {MP}."
    assert tree_of(text, on=cards.plain(old=True))[0]["requires"] == [{"pay": {"hp": 20}}]


def test_to_be_revived_with_one_point_stays_one_point(tree_of, cards):
    old = cards.reaching(old=True)
    assert tree_of("Reviva o alvo em 1 de {HP}.", on=old)[0]["do"] == [{"op": "revive", "who": "target", "hp": 1}]
    assert tree_of("Reviva o alvo em 2 de {HP}.", on=old)[0]["do"] == [{"op": "revive", "who": "target", "hp": 20}]


def test_injury_energy_and_points_are_never_scaled(tree_of, cards):
    text = "Cause 2 de {INJURY} ao alvo. Recupere 2 de {SP}."
    do = tree_of(text, on=cards.reaching(old=True))[0]["do"]
    assert [op["n"] for op in do] == [2, 2]


def test_the_placeholder_year_counts_as_old(tree_of, cards):
    card = {**cards.plain(), "ModifiedDate": "0001.01.01-00.00.00"}
    assert tree_of("Cure 1 de {HP}.", on=card)[0]["do"][0]["n"] == 10
