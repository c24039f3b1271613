"""Many ways to say the same things: sentences of our own with the trees that they mean."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

VARIANTS = YAML(typ="safe").load((Path(__file__).parent / "variants.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", VARIANTS, ids=[case["say"] for case in VARIANTS])
def test_a_sentence_means_its_tree(result_of, carriers, case):
    result = result_of(case["say"], on=carriers[case.get("on", "attack")])
    assert result.status == "read", f"{result.clause}: {result.reason}"
    assert result.tree == case["tree"]


HALF_UNDERSTOOD = [
    # "their turn" and "your turn" are the same words
    "Personagens com o {MARKER_BURN} perdem 5 de {HP} no início do seu turno.",
    # who is saved, the owner or the one that dies?
    "Quando um personagem do seu time for morrer, você pode descartar esta carta para obter uma <i>Salvação Divina</>.",
    # no window opens when a state begins
    "Quando esta carta não possuir {COUNTER_TIME}, descarte-a.",
    # a state of the target cannot stand outside its attack
    "Enquanto o alvo possuir o {MARKER_BURN}, você recebe +2 de {AGI}.",
    # two of each, or two in all?
    "O alvo perde 2 de {SP} e {MP}.",
    # the one who kills or the one who dies?
    "Quando um personagem matar outro personagem, ele recupera 1 de {SP}.",
    # less damage dealt or less damage suffered?
    "-2 de {DMG}.",
    # one's own attacks with fire, or fire that one suffers?
    "Este personagem recebe +2 de {DMG} com {FIRE}.",
    # two cards at once open no window
    "Quando você ativar 2 cartas de {FIRE}, recupere 1 de {SP}.",
    # how long the window stays open, or how long the bonus lasts?
    "Até o final do turno, quando você atacar, você recebe +2 de {STR}.",
    # whose turn, that of this character or that of the target?
    "Este personagem e o alvo não podem se mover até o final do próximo turno dele.",
    # the marker of the target, or the owner's?
    "Adicione o {MARKER_BURN} ao alvo. No início do seu turno, remova o {MARKER_BURN}.",
    # the damage of which window?
    "Quando você for atacado, cause o {DMG} sofrido ao atacante.",
    # the attack or the activation?
    "Quando uma {SKILL} for ativada em um ataque, você pode descartar esta carta para negá-lo.",
]


@pytest.mark.parametrize("text", HALF_UNDERSTOOD)
def test_a_sentence_with_two_meanings_is_refused(result_of, carriers, text):
    assert result_of(text, on=carriers["attack"]).status == "inert"


def test_on_a_companion_you_is_the_hero_and_an_unnamed_subject_is_refused(result_of, carriers):
    for text in ("Ao sofrer {INJURY}, recupere 1 de {SP}.", "Quando for alvo de um ataque, recupere 1 de {SP}."):
        assert result_of(text, on=carriers["companion"]).status == "inert"
        assert result_of(text, on=carriers["skill"]).status == "read"
