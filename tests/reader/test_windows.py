"""Optional uses, costs, windows and timings: Appendix C of the rules."""

import pytest

NEGATE = [{"op": "negate", "what": "attack"}]
HEAL = [{"op": "heal", "to": "self", "n": 10}]

EFFECTS = [
    ("Você pode consumir 2 de {MP} para curar 10 de {HP}.",
     {"activation": "Activate", "requires": [{"pay": {"energy": ["MP"], "n": 2}}], "do": HEAL}),
    ("Você pode descartar 3 de {FATE} para curar 10 de {HP}.",
     {"activation": "Activate", "requires": [{"pay": {"currency": "FATE", "n": 3}}], "do": HEAL}),
    ("Você pode descartar uma carta de {VITAL} para curar 10 de {HP}.",
     {"activation": "Activate", "requires": [{"pay": {"discard": {"n": 1, "filter": {"knowledge": "Vital"}}}}], "do": HEAL}),
    ("Você pode sacrificar o seu turno para curar 10 de {HP}.", {"activation": "Activate", "limits": ["AllIn"], "do": HEAL}),
    ("Você pode enterrar esta carta do seu {INV} para curar 10 de {HP}.",
     {"activation": "Activate", "scopes": ["Hand"], "task": "Bury", "do": HEAL}),
    ("Consuma esta carta para curar 10 de {HP}.", {"activation": "Activate", "task": "Exhaust", "do": HEAL}),
    ("Descarte uma carta do {INV} e cure 10 de {HP}.",
     {"activation": "Activate", "requires": [{"pay": {"discard": {"n": 1, "filter": {"zone": "inventory"}}}}], "do": HEAL}),
    ("Uma vez por batalha, você pode remover 20 de {HP} para recuperar 1 de {AP}.",
     {"activation": "Activate", "limits": ["OncePerBattle"], "requires": [{"pay": {"hp": 20}}],
      "do": [{"op": "gain", "to": "self", "res": "AP", "n": 1}]}),
    ("Quando você for alvo de um ataque, você pode descartar 1 de {WILL} para negar o ataque.",
     {"activation": "Activate", "timings": ["Attacked"], "requires": [{"pay": {"currency": "WILL", "n": 1}}], "do": NEGATE}),
    ("Quando você for selecionado como alvo de um ataque, você pode enterrar esta carta para ignorá-lo.",
     {"activation": "Activate", "timings": ["Selected"], "task": "Bury",
       "requires": [{"if": {"attack_is": {"attack": True}}}], "do": NEGATE}),
    ("No início do seu turno, cure 10 de {HP}.", {"activation": "Auto", "timings": ["YourStartPhase"], "do": HEAL}),
    ("Quando você sofrer {INJURY}, cure 10 de {HP}.",
     {"activation": "Auto", "requires": [{"when": {"event": "injury_taken", "who": "self"}}], "do": HEAL}),
    ("Se você falhar em um teste, cure 10 de {HP}.",
     {"activation": "Auto", "requires": [{"when": {"event": "check_failed", "who": "self"}}], "do": HEAL}),
    ("Quando um personagem de outro time morrer, você pode curar 10 de {HP}.",
     {"activation": "Activate", "requires": [{"when": {"event": "death", "who": "enemies"}}], "do": HEAL}),
    ("Quando for realizar um teste de dificuldade 15–, você pode descartar esta carta para ser bem sucedido.",
     {"activation": "Activate", "task": "Discard",
      "requires": [{"when": {"event": "check", "who": "self", "phase": "before"}}, {"if": {"le": ["event.dc", 15]}}],
      "do": [{"op": "set_result", "check": "current", "success": True}]}),
    ("Se você for morrer, descarte esta carta para se manter com 1 de {HP}.",
     {"activation": "Activate", "task": "Discard", "requires": [{"when": {"event": "death", "who": "self", "phase": "before"}}],
      "do": [{"op": "save", "who": "self", "hp": 1}]}),
    ("Esta carta pode ser ativada apenas uma vez por turno. Cure 10 de {HP}.",
     {"activation": "Activate", "limits": ["OncePerTurn"], "do": HEAL}),
]  # fmt: skip


@pytest.mark.parametrize("text, expected", EFFECTS, ids=[text for text, _ in EFFECTS])
def test_the_wording_tells_optional_paid_and_automatic_effects_apart(tree_of, text, expected):
    assert tree_of(text) == [expected]


def test_keyword_tags_decide_over_the_wording(tree_of):
    got = tree_of("Cure 10 de {HP}.", "Activation.Auto Timing.AllStartPhase Limit.OncePerBattle", on=None)
    assert got == [{"activation": "Auto", "timings": ["AllStartPhase"], "limits": ["OncePerBattle"], "do": HEAL}]


def test_requirement_strings_become_typed_requirements(tree_of):
    got = tree_of("Negue a ativação.", "Activation.Activate", ["Quando uma carta for ativada", "Descarte 4 de {XP}"])
    assert got == [
        {
            "activation": "Activate",
            "requires": [{"when": {"event": "card_activated", "who": "any"}}, {"pay": {"currency": "XP", "n": 4}}],
            "do": [{"op": "negate", "what": "activation"}],
        }
    ]


def test_a_while_requirement_of_a_permanent_effect_stays_a_while(tree_of):
    got = tree_of("+1 em testes.", "Activation.Permanent", ["Enquanto o seu {ENTITY} estiver desperto"])
    assert got[0]["requires"] == [{"while": {"entity_awake": "self"}}]


def test_the_victim_of_the_attack_that_opened_a_window_is_named(tree_of, cards):
    got = tree_of("Quando este personagem causar {INJURY}, o alvo perde 10 de {HP}.", on=cards.companion())
    assert got[0]["do"] == [{"op": "lose_hp", "who": "event.target", "n": 10}]


def test_two_windows_are_two_effects(tree_of, cards):
    got = tree_of(
        "No início do seu turno, recupere 1 de {SP}. Quando você sofrer {DMG}, recupere 1 de {MP}.", on=cards.plain("Class")
    )
    assert [effect["activation"] for effect in got] == ["Auto", "Auto"]
