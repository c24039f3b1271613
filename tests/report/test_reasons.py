"""Why a card is not played in full is said in the language of the report, whatever the reason."""

import ast

import pytest

from apotheosis.experiments.report.reasons import clauses, reason

RAISED = ("Refusal", "Unreadable")


def raised(root):
    """Returns the sentences of all refusals in the card packages, with X for what is filled in."""
    found = set()
    for path in (root / "env/cards").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) in RAISED and node.args:
                text = node.args[0]
                if isinstance(text, ast.Constant):
                    found.add(str(text.value))
                elif isinstance(text, ast.JoinedStr):
                    found.add("".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in text.values))
    return found


def test_every_refusal_has_a_portuguese_sentence(root):
    sentences = raised(root)
    assert len(sentences) > 150
    assert sorted(text for text in sentences if reason(text) is None) == []


@pytest.mark.parametrize(
    ("english", "portuguese"),
    [
        ("the rules kernel does not run several targets", "o motor das regras não executa vários alvos"),
        (
            "a loop; the rules kernel does not run the event spend before it happens",
            "a loop; o motor das regras não executa o evento spend antes de acontecer",
        ),
        (
            "Você pode (às vezes) {SP} (no clause of the grammar fits at 'como {MP}')",
            "Você pode (às vezes) {SP} (nenhuma frase da gramática serve em 'como {MP}')",
        ),
        (
            "the rules kernel does not run value.PRICE of a chosen card",
            "o motor das regras não executa value.PRICE de uma carta escolhida",
        ),
        ("something new", "something new"),
    ],
)
def test_clauses_stay_and_reasons_are_translated(english, portuguese):
    assert clauses(english, "pt") == portuguese
    assert clauses(english, "en") == english
