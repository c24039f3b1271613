"""What the reader does not understand it names and leaves out; it never guesses."""

import pytest

from apotheosis.env.cards.text.reader import read_effect

REFUSED = [
    ("Conte uma piada para o oponente.", "no clause of the grammar fits"),
    ("+2 de {DMG} para {PINEAPPLE}.", "no clause of the grammar fits"),
    ("<e>ABACAXI</> Cure 10 de {HP}.", "unknown paragraph keyword"),
    ("Você recebe +2 de {DMG}. Este personagem dança.", "no clause of the grammar fits"),
]


@pytest.mark.parametrize("text, reason", REFUSED, ids=[text for text, _ in REFUSED])
def test_an_unknown_clause_is_named_with_the_reason(result_of, text, reason):
    result = result_of(text)
    assert result.status in ("inert", "partial")
    assert result.clause and reason in result.reason
    assert all(effect["activation"] == "Permanent" for effect in result.tree)


def test_a_heal_on_a_card_that_selects_a_target_must_name_the_patient(result_of, cards):
    assert result_of("Cure 20 de {HP}.", on=cards.reaching()).status == "inert"


def test_a_pronoun_with_two_possible_meanings_is_refused(result_of, cards):
    result = result_of(
        "Este personagem perde 10 de {HP} e o alvo perde 10 de {HP}, ele cura 5 de {HP}.", on=cards.reaching("Companion")
    )
    assert result.status == "inert"


def test_a_command_without_a_moment_on_a_class_is_refused(result_of, cards):
    assert result_of("Cure 20 de {HP}.", on=cards.plain("Class")).status == "inert"


def test_a_refused_sentence_takes_the_activation_with_it_but_not_the_standing_bonus(result_of, cards):
    result = result_of("+1 de {STR}.\r\n\r\nCure 10 de {HP}.\r\n\r\nDance com o alvo.", on=cards.plain("Item"))
    assert result.status == "partial"
    assert result.tree == [{"activation": "Permanent", "mods": [{"q": "attr.STR", "add": 1}]}]
    assert [clause for clause, _ in result.refused] == ["Dance com o alvo"]


def test_a_refused_requirement_blocks_the_whole_effect(result_of):
    result = result_of("Cure 10 de {HP}.", "Activation.Activate", ["Quando a lua estiver cheia"])
    assert result.status == "inert" and result.tree == []


def test_a_second_window_inside_a_tagged_activation_is_refused(result_of):
    result = result_of("Cure 10 de {HP}. Quando você sofrer {DMG}, recupere 1 de {MP}.", "Activation.Activate")
    assert result.status == "inert"


def test_travel_and_crafting_have_nothing_to_do(result_of, cards):
    assert result_of("Quando viajando, cure 10 de {HP}.").status == "nothing_to_do"
    assert result_of("<e>MATÉRIA-PRIMA</> Este {ITEM} não pode ser fabricado.").status == "nothing_to_do"
    encounter = cards.plain("Event", Effects=[cards.effect("<e>ENCONTRO</> Se você não estiver viajando, ignore esta carta.")])
    assert result_of("Cure 10 de {HP}.", on=encounter).status == "nothing_to_do"


@pytest.mark.parametrize(
    "text", ["", "   ", "(", "{", "<b>", "<e></>", "●", "➥ ( ➜ )", "+", "❰", "1" * 400, "se " * 300, "\r\n\r\n"]
)
def test_rubbish_never_crashes(cards, text):
    assert read_effect(cards.effect(text), cards.plain()).status in ("inert", "partial", "read", "nothing_to_do")


def test_a_keyword_of_an_unknown_kind_is_named_and_never_passed_over(cards):
    effect = {"Keywords": '(GameplayTags=((TagName="Apt.Effect.Limt.OncePerTurn")))', "Text": "Cure 10 de {HP}."}
    result = read_effect(effect, cards.plain("Item"))
    assert result.status == "inert" and not result.tree
    assert "'Limt'" in result.reason and "'Limit'" in result.reason
