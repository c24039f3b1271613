"""The commands `apotheosis cards` and `apotheosis deck`: their output for machines and people, and their exit codes."""

import json

import pytest

from apotheosis.env.cards.loader import load_cards
from apotheosis.experiments.cli import main

CARD = "- {id: A, suit: Item, level: 1, rarity: Common, price: 3}\n"


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def run_json(capsys, *arguments):
    code, out, _ = run(capsys, *arguments, "--json")
    return code, json.loads(out)


def test_check_counts_effects_and_names_what_does_not_run(capsys, tmp_path):
    file = tmp_path / "cards.json"
    effect = {"Name": "", "Keywords": "(GameplayTags=)", "Requirements": [], "Text": "Blablablar {DMG}."}
    file.write_text(json.dumps([{"Id": "A", "Suit": "Item", "Level": 1, "Rarity": "Common", "Effects": [effect]}]))
    code, data = run_json(capsys, "cards", "check", file)
    assert code == 0
    totals = {"cards": 1, "effects": 1, "live_effects": 1, "read": 0, "executable": 0, "partial": 0, "inert": 1}
    assert data["totals"] == {**totals, "nothing_to_do": 0}
    (card,) = data["cards"]
    assert (card["id"], card["status"]) == ("A", "inert")
    assert card["effects"][0]["clause"]
    assert (card["effects"][0]["index"], card["effects"][0]["status"]) == (0, "inert")


def test_check_lists_every_fault_and_ends_with_code_1(capsys, tmp_path):
    file = tmp_path / "cards.yaml"
    file.write_text(CARD + "- {id: B, suit: Item, level: 9, rarity: Comon}\n")
    code, data = run_json(capsys, "cards", "check", file, tmp_path / "none.yaml")
    assert code == 1
    assert [card["id"] for card in data["cards"]] == ["A"]
    places = [(error["where"].removeprefix(str(tmp_path)), error["message"].split(";")[0]) for error in data["errors"]]
    assert places[0] == ("/cards.yaml:2", "card B: 'level' must be at most 3, got 9")
    assert places[2] == ("/none.yaml", "there is no such file")
    assert len(places) == 3


def test_check_against_an_older_file_lists_the_changes(capsys, tmp_path):
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(CARD + CARD.replace("A", "B"))
    new.write_text(CARD.replace("price: 3", "price: 4") + CARD.replace("A", "C"))
    code, data = run_json(capsys, "cards", "check", new, "--against", old)
    assert code == 0
    assert data["changes"] == [
        {"id": "A", "change": "changed", "field": "price", "old": 3, "new": 4},
        {"id": "C", "change": "added"},
        {"id": "B", "change": "removed"},
    ]
    _, out, _ = run(capsys, "cards", "check", new, "--against", old)
    assert "A: price: 3 -> 4" in out


def test_check_of_the_database_names_every_effect_that_does_not_run(capsys, database_file):
    code, data = run_json(capsys, "cards", "check", database_file)
    assert code == 0
    totals = data["totals"]
    assert (totals["cards"], totals["effects"]) == (895, 910)
    assert totals["executable"] + totals["partial"] + totals["inert"] == totals["live_effects"]
    for card in data["cards"]:
        for effect in card["effects"]:
            assert effect["reason"] or effect["status"] in ("executable", "nothing_to_do")


def test_show_prints_a_card_as_its_file_writes_it(capsys):
    code, out, _ = run(capsys, "cards", "show", "Dawnblade")
    assert code == 0
    assert "name_pt: Lâmina da Aurora" in out
    assert "damage: {attribute: STR, constant: 4, dice: 1D6}" in out
    _, data = run_json(capsys, "cards", "show", "Dawnblade")
    assert data["card"]["damage"] == {"attribute": "STR", "constant": 4, "dice": "1D6"}


def test_an_unknown_card_ends_with_code_1_and_the_nearest_name(capsys):
    code, out, err = run(capsys, "cards", "show", "Dawnblad")
    assert (code, out) == (1, "")
    assert "did you mean 'Dawnblade'?" in err


def test_list_filters(capsys):
    _, data = run_json(capsys, "cards", "list", "--suit", "Item", "--knowledge", "Practice", "--tag", "archery")
    assert {card["id"] for card in data["cards"]} >= {"ReedBow", "StormBow", "HorizonBow"}
    assert {card["suit"] for card in data["cards"]} == {"Item"}
    code, _, err = run(capsys, "cards", "list", "--suit", "Itme")
    assert code == 1
    assert "did you mean 'Item'?" in err


def test_convert_and_back_loses_nothing(capsys, database_file, tmp_path):
    yaml, back, published = tmp_path / "c.yaml", tmp_path / "c.json", tmp_path / "p.json"
    assert run_json(capsys, "cards", "convert", database_file, yaml)[1] == {"cards": 895, "out": str(yaml)}
    run(capsys, "cards", "convert", yaml, back)
    run(capsys, "cards", "convert", "--utf16", database_file, published)
    assert back.read_bytes() == database_file.read_bytes()
    assert published.read_bytes()[:2] == b"\xff\xfe"
    assert load_cards(published) == load_cards(back)


def test_effects_in_the_language_cannot_be_written_as_cards_json(capsys, tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text(CARD.replace("}", ", effects: [{activation: Activate, do: [{op: heal, n: 5}]}]}"))
    code, _, err = run(capsys, "cards", "convert", file, tmp_path / "c.json")
    assert code == 1
    assert "card A: an effect in the effect language has no counterpart in cards.json" in err


def test_the_schema_accepts_what_the_loader_accepts(capsys, starter):
    _, out, _ = run(capsys, "cards", "schema")
    schema = json.loads(out)
    definitions = schema["$defs"]
    assert {"Item", "House", "TypedEffect", "Heal"} <= set(definitions)
    assert definitions["Item"]["additionalProperties"] is False
    assert "Athletics" in definitions["Item"]["properties"]["knowledge"]["enum"]


def test_deck_check_reports_rules_and_ends_with_code_2(capsys, tmp_path):
    file = tmp_path / "deck.yaml"
    file.write_text("{name: x, level: 4, house: Tarnhollow, classes: [LongSight], cards: {OakCudgel: 30}}\n")
    code, data = run_json(capsys, "deck", "check", file)
    assert code == 2
    (deck,) = data["decks"]
    assert (data["legal"], deck["legal"], deck["violations"]) == (False, False, ["A2.6"])
    code, out, _ = run(capsys, "deck", "check", file, "--hero-level", 7)
    assert code == 2
    assert "A2.2: 1 + the levels of the Classes must be 7, it is 4" in out


@pytest.mark.parametrize("generator", ["coherent", "uniform"])
def test_random_decks_are_legal_and_repeatable(capsys, tmp_path, generator):
    file = tmp_path / "decks.yaml"
    options = ("--n", 5, "--level", 4, "--seed", 9, "--generator", generator)
    code, data = run_json(capsys, "deck", "random", *options, "--out", file)
    assert (code, len(data["decks"])) == (0, 5)
    assert run(capsys, "deck", "check", file)[0] == 0
    assert run_json(capsys, "deck", "random", *options)[1]["decks"] == data["decks"]


def test_random_decks_come_with_inclusion_probabilities_on_request(capsys, starter):
    _, data = run_json(capsys, "deck", "random", "--level", 4, "--inclusion")
    assert set(data["inclusion"]) == {card.id for card in starter.cards}
    assert sum(data["inclusion"][card.id] for card in starter.cards if card.suit == "House") == pytest.approx(1)


def test_quiet_prints_nothing(capsys):
    assert run(capsys, "cards", "list", "--quiet") == (0, "", "")
