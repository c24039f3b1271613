"""Paragraph keywords: each paragraph is read for what it says, whatever its keyword is called."""

DISCARD = {"op": "move_card", "cards": "this", "to": "discard"}


def test_a_consumable_is_discarded_at_the_end(tree_of):
    got = tree_of("<e>CONSUMÍVEL</> Descarte esta carta após resolvê-la.\r\n\r\nCure 20 de {HP}.")
    assert got == [{"activation": "Activate", "do": [{"op": "heal", "to": "self", "n": 20}, DISCARD]}]


def test_ammunition_is_a_cost_of_selecting_a_target(tree_of, cards):
    text = "<e>PROJÉTIL</> Para selecionar um alvo para esta carta, descarte 2 {ITEM} com a propriedade {STONE}."
    assert tree_of(text, on=cards.striking())[0]["mods"] == [
        {
            "q": "cost.discard",
            "set": {"n": 2, "filter": {"suit": "Item", "tag": "Stone"}},
            "card": "this",
            "when": "target_selection",
        }
    ]


def test_a_duration_gates_its_own_activation(tree_of, cards):
    text = (
        "<e>DURAÇÃO</> Adicione 4 {COUNTER_TIME} a esta carta. Remova 1 {COUNTER_TIME} desta carta no início do seu turno. "
        "Você não pode ativar esta carta enquanto ela possuir {COUNTER_TIME}.\r\n\r\n"
        "Enquanto esta carta possuir {COUNTER_TIME}, o alvo recebe -2 de {STR}."
    )
    main, tick = tree_of(text, on=cards.reaching())
    assert main["requires"] == [{"if": {"eq": ["counters(this.TIME)", 0]}}]
    assert main["do"][1] == {
        "op": "mod",
        "q": "attr.STR",
        "add": -2,
        "on": "target",
        "until": {"while_counter": ["this", "TIME"]},
    }
    assert tick["timings"] == ["YourStartPhase"]


def test_an_ambient_counts_from_the_scenario_for_everybody(tree_of, cards):
    text = (
        "<e>Ambiente</> Envie esta carta para o {SCENARIO}. Ao final da batalha, se esta carta estiver no "
        "{SCENARIO}, descarte-a.\r\n\r\n"
        "-1 em testes."
    )
    goes, leaves, counts = tree_of(text, on=cards.plain("Event"))
    assert goes["do"] == [{"op": "move_card", "cards": "this", "to": "scenario"}]
    assert leaves["scopes"] == ["Scenario"] and leaves["timings"] == ["EndOfBattle"]
    assert counts == {"activation": "Permanent", "scopes": ["Scenario"], "mods": [{"q": "check.bonus", "add": -1, "on": "all"}]}


def test_a_mount_gives_its_list_to_the_hero(tree_of, cards):
    text = (
        "<e>MONTARIA</> Você não pode ter mais de uma carta com este efeito. Quando no {SUPPORT} de um Herói, "
        "este personagem não possui "
        "peça no tabuleiro. Aplique o seguinte efeito ao Herói.\r\n● +2 de {PER}.\r\n● +1 em testes de {CHA}."
    )
    (effect,) = tree_of(text, on=cards.companion())
    assert effect["mods"][2:] == [
        {"q": "attr.PER", "add": 2, "on": "host_hero"},
        {"q": "check.bonus", "add": 1, "by": {"attr": "CHA"}, "on": "host_hero"},
    ]


def test_a_created_piece_carries_its_sheet(tree_of, cards):
    text = (
        "<e>TRAZER</> Uma vez por batalha, você pode consumir esta carta para adicionar uma peça em uma casa "
        "adjacente, para o seguinte "
        "personagem. Se esta carta for recuperada ou removida da sua {TABLE}, remova esta peça do tabuleiro.\r\n\r\n"
        "➥ <i>Golem</>( {SUMMON} ➜ 1 )\r\n{END} 7 ❙ {STR} 6 ❙ {AGI} 5 ❙ {PER} 4 ❙ {INT} 3 ❙ {CHA} 2 ❙ {SPT} 1\r\n"
        "✱ {DMG} ➜ ( {STR} + 3 + {D_1D6} ) ❙ {DIRECT} ➜ 1 ❙ {AP} ➜ 3"
    )
    summon, gone = tree_of(text, on=cards.plain("Skill"))
    assert summon["do"][0]["sheet"] == {
        "name": "Golem", "kind": "Summon", "level": 1, "attrs": [7, 6, 5, 4, 3, 2, 1],
        "techniques": [{"damage": ["STR", 3, "1D6"], "range": ["Direct", 1], "ap": 3}],
    }  # fmt: skip
    assert gone["timings"] == ["OnRecover", "OnExit"]


def test_a_keyword_that_says_something_new_is_read_for_what_it_says(tree_of):
    assert tree_of("<e>PROTEÇÃO</> Cure 10 de {HP}.") == [
        {"activation": "Activate", "do": [{"op": "heal", "to": "self", "n": 10}]}
    ]
