"""Instructions: what an activation does, and who it is done to."""

import pytest

ONE_OPERATION = [
    ("Recupere 3 de {MP}.", {"op": "gain", "to": "self", "res": "MP", "n": 3}),
    ("Recupere 3 de {SP} e/ou {MP}.", {"op": "gain", "to": "self", "res": ["SP", "MP"], "n": 3}),
    ("Recupere 2 de {YELLOW}.", {"op": "gain", "to": "self", "res": "YELLOW", "n": 2}),
    ("Cure 30 de {HP}.", {"op": "heal", "to": "self", "n": 30}),
    ("Cure ( 10 + {D_1D6} ) de {HP}.", {"op": "heal", "to": "self", "n": "add(10,dice(1D6))"}),
    ("Cure toda a sua {HP}.", {"op": "heal", "to": "self", "n": "all"}),
    ("Remova o {MARKER_SLEEP}.", {"op": "remove_marker", "marker": "SLEEP", "from": "self"}),
    ("Remova todos os {MARKER} deste personagem.", {"op": "remove_marker", "marker": "all", "from": "self"}),
    ("Adicione 2 {COUNTER_UNIT} a esta carta.", {"op": "add_counter", "counter": "UNIT", "to": "this", "n": 2}),
    ("Mova até 2 casas.", {"op": "move_piece", "who": "self", "mode": "walk", "n": [0, 2], "unit": "tiles"}),
    ("Mova 3– de distância.", {"op": "move_piece", "who": "self", "mode": "walk", "n": [0, 3], "unit": "distance"}),
    ("Descarte 2 cartas do {INV}.", {"op": "move_card", "cards": {"zone": "inventory", "of": "self", "n": 2}, "to": "discard"}),
    ("+2 de {INT} até o final da batalha.", {"op": "mod", "q": "attr.INT", "add": 2, "until": "end_of_battle"}),
    ("Adicione uma carta de nível 2, da {ACADEMY}, ao {INV}.",
     {"op": "search", "from": "academy", "filter": {"level": 2}, "n": 1, "to": "inventory"}),
]  # fmt: skip


@pytest.mark.parametrize("text, op", ONE_OPERATION, ids=[text for text, _ in ONE_OPERATION])
def test_a_command_on_an_item_is_its_activation(tree_of, text, op):
    assert tree_of(text) == [{"activation": "Activate", "do": [op]}]


ON_THE_TARGET = [
    ("Cure 20 de {HP} do alvo.", [{"op": "heal", "to": "target", "n": 20}]),
    ("O alvo perde 20 de {HP}.", [{"op": "lose_hp", "who": "target", "n": 20}]),
    ("O alvo perde 20 de {HP} e deve consumir 1 de {SP}.",
     [{"op": "lose_hp", "who": "target", "n": 20}, {"op": "spend", "who": "target", "energy": ["SP"], "n": 1}]),
    ("O alvo deve enviar uma carta do {EQUIP} para o {INV}.",
     [{"op": "move_card", "cards": {"zone": "equipment", "of": "target", "n": 1}, "to": "inventory", "by": "target"}]),
    ("O alvo recebe o {MARKER_HURT} até o final da "
     "batalha.", [{"op": "add_marker", "marker": "HURT", "to": "target", "until": "end_of_battle"}]),
    ("O alvo perde o seu próximo turno.", [{"op": "skip_turn", "who": "target"}]),
    ("O alvo deve realizar um teste de ( {SPT} ➜ 11 ), se falhar, ele perde 10 de {HP}.",
     [{"op": "check", "by": "target", "attr": "SPT", "dc": 11, "fail": [{"op": "lose_hp", "who": "target", "n": 10}]}]),
    ("Realize uma competição de ( {STR} ✖ {END} ). Se vencer, mova o alvo para uma casa adjacente.",
     [{"op": "contest", "a": ["self", "STR"], "b": ["target", "END"],
       "win": [{"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "chosen"}]}]),
    ("Remova o {MARKER_SICK} do alvo, se não for possível, o alvo cura 10 de {HP}.",
     [{"op": "if", "cond": {"has_marker": ["target", "SICK"]},
        "then": [{"op": "remove_marker", "marker": "SICK", "from": "target"}],
       "else": [{"op": "heal", "to": "target", "n": 10}]}]),
]  # fmt: skip


@pytest.mark.parametrize("text, do", ON_THE_TARGET, ids=[text for text, _ in ON_THE_TARGET])
def test_the_target_is_the_one_that_the_range_selects(tree_of, cards, text, do):
    assert tree_of(text, on=cards.reaching()) == [{"activation": "Activate", "do": do}]


RIDERS = [
    ("Se este ataque causar {INJURY}, o alvo deve descartar uma carta.", {"caused_injury": "this_attack"}),
    ("Se este ataque causar 3✚ de {INJURY}, o alvo deve descartar uma carta.", {"ge": ["last.injury", 3]}),
    ("Se esta carta causar 12✚ de {DMG}, o alvo deve descartar uma carta.", {"ge": ["last.damage", 12]}),
    ("Em caso de acerto crítico, o alvo deve descartar uma carta.", {"critical": "this_attack"}),
]


@pytest.mark.parametrize("text, cond", RIDERS, ids=[text for text, _ in RIDERS])
def test_a_rider_on_an_attack_belongs_to_the_activation(tree_of, cards, text, cond):
    discard = {"op": "move_card", "cards": {"of": "target", "n": 1}, "to": "discard", "by": "target"}
    assert tree_of(text, on=cards.striking()) == [
        {"activation": "Activate", "do": [{"op": "if", "cond": cond, "then": [discard]}]}
    ]


def test_a_selection_in_the_text_is_a_requirement(tree_of):
    assert tree_of("Cause 2 de {INJURY} a um personagem de outro time.") == [
        {
            "activation": "Activate",
            "requires": [{"target": {"chars": "enemies"}}],
            "do": [{"op": "deal_injury", "to": "target", "n": 2}],
        }
    ]


def test_a_group_is_helped_one_by_one(tree_of):
    assert tree_of("Cure 10 de {HP} de cada personagem do seu time.")[0]["do"] == [
        {"op": "for_each", "in": "allies", "do": [{"op": "heal", "to": "it", "n": 10}]}
    ]


def test_a_technique_without_range_helps_its_own_character(tree_of, cards):
    assert tree_of("Recupere 20 de {HP}.", on=cards.companion(), technique=0) == [
        {"activation": "Activate", "technique": 0, "do": [{"op": "heal", "to": "this_char", "n": 20}]}
    ]
