"""The pattern grammar: leaving out what cannot begin at a word saves time and never a reading."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from apotheosis.env.cards.text.clauses import G
from apotheosis.env.cards.text.grammar import Grammar, Parse
from apotheosis.env.cards.text.tokens import tokenize

VARIANTS = YAML(typ="safe").load((Path(__file__).parent / "variants.yaml").read_text(encoding="utf-8"))


def read(grammar, text, rule="top"):
    return Parse(grammar, tokenize(text), None).all(rule)


def test_productions_that_cannot_begin_with_a_word_cost_no_reading(monkeypatch, carriers):
    from apotheosis.env.cards.text.reader import read_effect

    def readings():
        return [read_effect({"Text": case["say"]}, carriers[case.get("on", "attack")]) for case in VARIANTS]

    quick = readings()
    monkeypatch.setattr(
        Grammar, "candidates", lambda self, rule, keys: (self.readers.get(rule), self.productions.get(rule, []))
    )
    assert readings() == quick


def test_few_productions_are_tried_at_a_word():
    tried = {rule: len(G.candidates(rule, frozenset({"alvo"}))[1]) for rule in G.productions}
    assert sum(tried.values()) < sum(map(len, G.productions.values())) / 2


def test_a_comma_may_stand_before_a_word_behind_a_rule_that_may_be_left_out():
    grammar = Grammar()
    grammar.table("perhaps", {"[grande]": 0})
    grammar.rule("top", "<perhaps> alvo")(lambda parse: "seen")
    assert read(grammar, "grande alvo") == [(2, "seen")]
    assert read(grammar, ", alvo") == [(2, "seen")]
    assert read(grammar, "dado alvo") == []


def test_a_reader_that_says_nothing_of_its_beginning_is_always_asked():
    grammar = Grammar()
    grammar.reader("any")(lambda parse, place: [(place + 1, parse.tokens[place].text)])
    grammar.rule("top", "<any:word> alvo")(lambda parse, word: word)
    assert read(grammar, "zebra alvo") == [(2, "zebra")]


def test_rules_that_refer_to_each_other_have_a_beginning():
    grammar = Grammar()
    grammar.rule("top", "<other>", "fim")(lambda parse: "end")
    grammar.rule("other", "<top>", "alvo")(lambda parse: "target")
    assert read(grammar, "fim") == [(1, "end")]
    assert read(grammar, "alvo") == [(1, "end")]


def test_a_rule_without_productions_is_named():
    grammar = Grammar()
    grammar.rule("top", "<missing>")(lambda parse: None)
    with pytest.raises(KeyError, match="'missing' has no production"):
        read(grammar, "alvo")
