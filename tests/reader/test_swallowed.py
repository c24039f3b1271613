"""No word of a sentence is passed over: another number or another macro in its place gives another meaning, or none."""

import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from apotheosis.env.cards.text import lexicon as lex

VARIANTS = YAML(typ="safe").load((Path(__file__).parent / "variants.yaml").read_text(encoding="utf-8"))
CLASSES = (
    list(lex.ATTRIBUTES), list(lex.KNOWLEDGES), ["SUMMON", "HUMAN", "CREATURE"], list(lex.RANGES), sorted(lex.PLAIN_TAGS),
    list(lex.ZONES), list(lex.DECKS), list(lex.CURRENCIES), list(lex.COLOURS), list(lex.ENERGIES), ["ITEM", "SKILL"],
    ["D_1D6", "D_2D6", "D_1D3"], ["MARKER_BURN", "MARKER_HURT"], ["COUNTER_TIME", "COUNTER_UNIT"], ["DMG", "INJURY", "HP"],
)  # fmt: skip
OTHER = {name: names[(place + 1) % len(names)] for names in CLASSES for place, name in enumerate(names)}


def changed(text):
    """Yields the text with one number or macro replaced by another of its class."""
    for found in re.finditer(r"\{(\w+)\}|(?<![\w{])\d+", text):
        name = found.group(1)
        if name is None:
            yield text[: found.start()] + str(int(found.group()) + 1) + text[found.end() :]
        elif name in OTHER:
            yield text[: found.start()] + "{" + OTHER[name] + "}" + text[found.end() :]


@pytest.mark.parametrize("case", VARIANTS[::3], ids=[case["say"] for case in VARIANTS[::3]])
def test_another_number_or_name_means_something_else(result_of, carriers, case):
    for text in changed(case["say"]):
        result = result_of(text, on=carriers[case.get("on", "attack")])
        assert result.status != "read" or result.tree != case["tree"], text


NEGATED = [
    ("Se o alvo possuir o {MARKER_BURN}, ele perde 1 de {AP}.", "Se o alvo não possuir o {MARKER_BURN}, ele perde 1 de {AP}."),
    ("Todos os personagens perdem 5 de {HP}.", "Todos os outros personagens perdem 5 de {HP}."),
    ("Um {COMPANION} perde 5 de {HP}.", "Um {COMPANION} de outro time perde 5 de {HP}."),
    ("Quando um personagem morrer, recupere 1 de {SP}.", "Quando um outro personagem morrer, recupere 1 de {SP}."),
    ("Quando você causar {DMG}, recupere 1 de {SP}.", "Quando você causar {DMG} em um ataque, recupere 1 de {SP}."),
    ("Reviva um personagem do seu time em 10 de {HP}.", "Reviva um {COMPANION} do seu time em 10 de {HP}."),
]


@pytest.mark.parametrize("plain, narrower", NEGATED, ids=[pair[1] for pair in NEGATED])
def test_a_word_that_narrows_is_in_the_tree(tree_of, carriers, plain, narrower):
    assert tree_of(plain, on=carriers["attack"]) != tree_of(narrower, on=carriers["attack"])
