"""Rules text out: what is rendered in Portuguese reads back as the same tree."""

import random
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from apotheosis.env.cards.text import notation
from apotheosis.env.cards.text.canonical import same
from apotheosis.env.cards.text.header import KEYWORDS
from apotheosis.env.cards.text.reader import read_effect
from apotheosis.env.cards.text.write import write_effect

STARTER = sorted((Path(__file__).resolve().parents[2] / "env" / "cards" / "data").glob("starter_*.yaml"))

leaves = st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=12) | st.sampled_from(sorted(notation.WORDS))
keys = st.sampled_from(sorted(notation.WORDS)) | st.text(max_size=6)
plain_trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=12
)


@given(plain_trees, st.sampled_from(["pt", "en"]))
def test_the_plain_notation_loses_nothing(tree, language):
    assert notation.read(notation.write(tree, language), language) == tree


@pytest.mark.parametrize("text", ["(", "[1; 2", "(a b)", "(a: )", "“open", "1 2", "(a: 1) x", ""])
def test_a_broken_plain_notation_is_an_error(text):
    with pytest.raises(ValueError):
        notation.read(text, "pt")


def test_no_two_words_of_the_notation_are_the_same():
    assert len(set(notation.WORDS.values())) == len(notation.WORDS)
    assert len({pt for pt, _ in KEYWORDS.values()}) == len(KEYWORDS)


@settings(deadline=None, max_examples=60)
@given(st.randoms(use_true_random=False))
def test_rendered_portuguese_of_any_effect_reads_back_as_the_same_effect(cards, maker, chance):
    effect = maker(chance).effect()
    assume(effect is not None)
    text = write_effect(effect, "pt")
    back = read_effect({"Text": text}, cards.plain())
    assert back.status == "read", (text, back.reason)
    assert len(back.tree) == 1 and same(back.tree[0], effect), text


def test_most_effects_made_at_random_have_sentences(maker):
    made = [effect for seed in range(120) if (effect := maker(random.Random(seed), depth=3).effect()) is not None]
    plain = [effect for effect in made if write_effect(effect, "pt").startswith("«Efeito»")]
    assert len(made) > 40 and len(plain) < len(made) / 4


@settings(deadline=None, max_examples=30)
@given(st.randoms(use_true_random=False))
def test_english_has_no_words_of_the_portuguese(maker, chance):
    effect = maker(chance).effect()
    assume(effect is not None)
    text = write_effect(effect, "en")
    assert text.startswith("«") and "{" not in text


@pytest.mark.parametrize(
    "pt, en",
    [
        ("«Ativar; Uma vez por Ciclo» 【Quando você sofrer {DMG}】【Descarte 2 de {FATE}】 Negue o {DMG}.",
         "«Activate; Once per Stint» 【When you suffer damage】【Discard 2 of FATE】 Negate the damage."),
        ("«Ativar» 【Selecione um personagem do seu time a até 3 casas】 Cure {HP} do alvo em quantidade igual a 30 + "
         "(2 ✖ o seu valor de {SPT}).",
         "«Activate» 【Select a character of your team within 3 tiles】 Restore HP to the target equal to 30 + "
         "(2 × your SPT)."),
        ("«Permanente» Personagens do seu time em casas adjacentes causam +1 de {DMG} com {CUT} ou {BLUNT}.",
         "«Permanent» Characters of your team in adjacent tiles deal +1 damage with Cut or Blunt."),
        ("«Ativar» Se este ataque causar {INJURY}, puxe 2 cartas; você pode: desperte o seu {ENTITY}.",
         "«Activate» If this attack causes Injury, draw 2 cards; you may: awaken your Entity."),
        ("«Ativar» (Nada)", ""),
    ],
)  # fmt: skip
def test_the_words_are_the_same_in_both_languages(result_of, pt, en):
    result = result_of(pt)
    assert bool(en) == (result.status == "read")
    if en:
        assert write_effect(result.tree[0], "pt") == pt and write_effect(result.tree[0], "en") == en


@pytest.mark.parametrize(
    "text, tree",
    [
        ("Para cada {HUMAN} de outro time a até 2 casas: remova o {MARKER_HURT} dele; (se houver {COUNTER_TIME} nesta carta, "
         "puxe 1 carta); recupere esta carta.",
         [{"op": "for_each", "in": {"chars": "enemies", "within": 2, "kind": "Human"},
           "do": [{"op": "remove_marker", "marker": "HURT", "from": "it"},
                  {"op": "if", "cond": {"gt": ["counters(this.TIME)", 0]}, "then": [{"op": "draw"}]},
                  {"op": "recover", "cards": "this"}]}]),
        ("Procure uma carta de {ITEM} com {CUT} de até nível 2 no {MARKET} e envie para o {INV}.",
         [{"op": "search", "from": "market", "filter": {"suit": "Item", "tag": "Cut", "level_le": 2}}]),
        ("O alvo deve realizar um teste ({FAITH} + {INT} ➜ 12); se for bem-sucedido, nada acontece; se falhar, o alvo perde "
         "o próximo turno.",
         [{"op": "check", "by": "target", "attr": "INT", "know": "Faith", "dc": 12,
           "fail": [{"op": "skip_turn", "who": "target"}]}]),
        ("Descarte uma carta do {INV} do alvo. Metade do {DMG} sofrido neste ataque.",
         [{"op": "move_card", "cards": {"zone": "inventory", "of": "target", "n": 1}, "to": "discard"},
          {"op": "mod", "q": "damage.taken", "mul": "half", "until": "this_attack"}]),
    ],
)  # fmt: skip
def test_sentences_mean_what_they_say(result_of, text, tree):
    result = result_of(f"«Ativar» {text}")
    assert result.status == "read", result.reason
    assert same(result.tree[0], {"activation": "Activate", "do": tree})


def _starter_effects():
    for file in STARTER:
        for card in YAML(typ="safe").load(file.read_text(encoding="utf-8")) or []:
            yield from (effect for effect in card.get("effects", []) if "text" not in effect)


def test_every_shipped_starter_effect_has_sentences_that_read_back(cards):
    found = list(_starter_effects())
    for effect in found:
        text = write_effect(effect, "pt")
        back = read_effect({"Text": text}, cards.plain(), effect.get("technique"))
        assert not text.startswith("«Efeito»"), text
        assert len(back.tree) == 1 and same(back.tree[0], effect), text
    assert len(found) >= 100
