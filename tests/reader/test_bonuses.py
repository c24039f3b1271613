"""Standing bonuses, protections, restrictions and costs."""

import pytest

PERMANENT = [
    ("+3 de {DMG} para {BLUNT}.",
      [{"q": "damage.dealt", "add": 3, "by": {"tag": "Blunt"}}]),
    ("+3 de {DMG} para {BLUNT}, {TOSS} e/ou {FIRE}.",
      [{"q": "damage.dealt", "add": 3, "by": {"any_tag": ["Blunt", "Toss", "Fire"]}}]),
    ("+{D_1D6} de {DMG} para ataques de {VITAL}.", [{"q": "damage.dealt", "add": "dice(1D6)", "by": {"knowledge": "Vital"}}]),
    ("+2 de {DMG} contra {SHIELD}.", [{"q": "damage.dealt", "add": 2, "against": {"tag": "Shield"}}]),
    ("+4 de {DMG} para {SILVERICE}.", [{"q": "damage.dealt", "add": 4, "by": {"tag": "Silver Ice"}}]),
    ("Você sofre -6 de {DMG} de {MAGIC} ou {ELECTRIC}.",
      [{"q": "damage.taken", "add": -6, "by": {"any_tag": ["Magic", "Electric"]}}]),
    ("Você sofre -6 de {DMG} de ataques.",
      [{"q": "damage.taken", "add": -6, "by": {"attack": True}}]),
    ("+3 em testes de {PER}, {CUNNING} ou {ART}.",
     [{"q": "check.bonus", "add": 3, "by": {"any": [{"attr": "PER"}, {"knowledge": "Cunning"}, {"knowledge": "Art"}]}}]),
    ("+1 em testes de {VITAL}, cujo Atributo Base seja "
     "{SPT}.", [{"q": "check.bonus", "add": 1, "by": {"knowledge": "Vital", "attr": "SPT"}}]),
    ("+7 em testes e ataques.", [{"q": "check.bonus", "add": 7}, {"q": "attack.bonus", "add": 7}]),
    ("+1 em rolagens de dados de {STR}.", [{"q": "roll.bonus", "add": 1, "by": {"attr": "STR"}}]),
    ("+2 de {STR} até um máximo de 9.", [{"q": "attr.STR", "add": 2, "cap": 9}]),
    ("+1 de {STR}, {PER} e {INT}.", [{"q": "attr.STR", "add": 1}, {"q": "attr.PER", "add": 1}, {"q": "attr.INT", "add": 1}]),
    ("+2 de {DIMENSIONAL}.", [{"q": "knowledge", "add": 2, "by": {"knowledge": "Dimensional"}}]),
    ("Outros personagens do seu time recebem +2 de {PER}.", [{"q": "attr.PER", "add": 2, "on": "other_allies"}]),
    ("Aliados recebem +2 de {PER}.", [{"q": "attr.PER", "add": 2, "on": "allies"}]),
    ("Personagens com o {MARKER_BURN} recebem -1 de "
     "{END}.", [{"q": "attr.END", "add": -1, "on": {"chars": "all", "has_marker": "BURN"}}]),
    ("+2 de {RANGE} para {ARCHERY}.", [{"q": "range.value", "add": 2, "by": {"tag": "Archery"}}]),
    ("{ITEM} de {CUNNING} custam -1 de {AP}.", [{"q": "cost.ap", "add": -1, "card": {"suit": "Item", "knowledge": "Cunning"}}]),
    ("-1 de custo de {AP} para colocar uma carta no "
     "{EQUIP}.", [{"q": "cost.zone_move", "add": -1, "card": {"to": "equipment"}}]),
    ("Você não pode equipar {FEET}.", [{"q": "rule.cannot_equip", "set": True, "card": {"specifier": "Feet"}}]),
    ("Adicione o seu nível de {ART} em testes.", [{"q": "check.bonus", "add": "know(self,Art)"}]),
    ("Todos os seus atributos com valor inferior a 4 passam a ter valor 4.", [{"q": "attr.min", "set": 4}]),
    ("+1 em testes, para cada carta com {MUSIC} em sua {TABLE}.",
     [{"q": "check.bonus", "add": 1, "per": {"count": {"cards": {"zone": "table", "of": "self", "tag": "Music"}}}}]),
]  # fmt: skip


@pytest.mark.parametrize("text, mods", PERMANENT, ids=[text for text, _ in PERMANENT])
def test_a_bonus_without_a_moment_is_permanent(tree_of, cards, text, mods):
    assert tree_of(text, on=cards.plain("Class")) == [{"activation": "Permanent", "mods": mods}]


def test_two_sentences_of_bonuses_count_together(tree_of, cards):
    assert tree_of("+1 de {STR}. +2 em testes.", on=cards.plain("Class")) == [
        {"activation": "Permanent", "mods": [{"q": "attr.STR", "add": 1}, {"q": "check.bonus", "add": 2}]}
    ]


def test_while_turns_a_bonus_on_and_off(tree_of, cards):
    assert tree_of("Enquanto o seu {ENTITY} estiver desperto, +3 em testes.", on=cards.plain("Class")) == [
        {"activation": "Permanent", "requires": [{"while": {"entity_awake": "self"}}], "mods": [{"q": "check.bonus", "add": 3}]}
    ]


def test_this_character_is_the_companion_on_companions_and_the_hero_elsewhere(tree_of, cards):
    text = "Este personagem causa +2 de {DMG}."
    assert tree_of(text, on=cards.companion())[0]["mods"] == [{"q": "damage.dealt", "add": 2, "on": "this_char"}]
    assert tree_of(text, on=cards.plain("Entity"))[0]["mods"] == [{"q": "damage.dealt", "add": 2}]


def test_to_receive_negative_damage_is_a_protection(tree_of):
    assert tree_of("Você recebe -2 de {DMG} de {CUT}.")[0]["mods"] == [{"q": "damage.taken", "add": -2, "by": {"tag": "Cut"}}]


def test_agreement_commas_and_slips_do_not_matter(tree_of):
    right = tree_of("Personagens do seu time, em casas adjacentes, recebem +1 de {AGI}.")
    assert tree_of("Personages do seu time em casas adjacentes recebem +1 de {AGI}") == right
