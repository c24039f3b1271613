"""Words and numbers: complete in both languages, written as the house writes them."""

import ast
import re
import string
from pathlib import Path

import pytest

from apotheosis.env.errors import InputError
from apotheosis.experiments.report.page import template_text
from apotheosis.experiments.report.wording import LANGUAGES, MINUS, NARROW_SPACE, Words, catalogue


def forms(text) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [text]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_text_exists_in_every_language():
    assert [key for key, texts in catalogue().items() if set(texts) != set(LANGUAGES)] == []


def test_translations_use_the_same_placeholders_and_tags():
    for key, texts in catalogue().items():
        english, portuguese = (forms(texts[language]) for language in LANGUAGES)
        assert len(english) == len(portuguese), key
        for one, other in zip(english, portuguese, strict=True):
            assert placeholders(one) == placeholders(other), key
            assert sorted(re.findall(r"</?\w+", one)) == sorted(re.findall(r"</?\w+", other)), key


def test_nothing_is_called_significant():
    words = " ".join(form for texts in catalogue().values() for text in texts.values() for form in forms(text))
    assert not re.search(r"\bsignificant|\bsignificativ", words, re.IGNORECASE)


def test_every_key_that_code_and_templates_name_exists_and_none_is_left_over(root):
    folder = root / "experiments" / "report"
    named, prefixes = set(), set()
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named.add(node.value)
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                prefixes.add(str(node.values[0].value))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "term":
                prefixes.add(f"{getattr(node.args[0], 'value', '')}.")
    templates = "\n".join(template_text(path.name) for path in (folder / "templates").glob("*.j2"))
    called = set(re.findall(r"t\('([\w.-]+)'", templates))
    assert {key for key in called if not key.endswith(".")} - set(catalogue()) == set()
    prefixes |= set(re.findall(r"t\('([\w.-]+\.)' ~", templates)) | {"suit.", "rarity.", "verdict."}
    prefixes = {p for p in prefixes if p.endswith(".") and len(p) > 2}
    unused = [k for k in catalogue() if k not in named | called and not any(k.startswith(p) for p in prefixes)]
    assert unused == []


@pytest.mark.parametrize(
    ("language", "value", "digits", "sign", "text"),
    [
        ("en", 3.14159, 1, True, "+3.1"),
        ("pt", 3.14159, 1, True, "+3,1"),
        ("en", -0.04, 1, True, "0.0"),
        ("en", -2.0, 0, False, f"{MINUS}2"),
        ("en", float("nan"), 1, False, "–"),
        ("pt", None, 1, False, "–"),
    ],
)
def test_numbers_have_a_true_minus_and_no_negative_zero(language, value, digits, sign, text):
    assert Words(language).number(value, digits, sign) == text


def test_thousands_are_kept_together_by_a_narrow_space():
    assert Words("en").count(1234567) == f"1{NARROW_SPACE}234{NARROW_SPACE}567"


def test_fractions_are_shown_as_points_and_percent():
    assert Words("en").points(0.0312) == "+3.1"
    assert Words("pt").percent(0.5, 2) == "50,00\u00a0%"
    assert Words("pt").span(-0.01, 0.02) == f"{MINUS}1,0 a +2,0"
    assert [Words("en").band(b) for b in (0.02, 0.015)] == ["2", "1.5"]


def test_the_plural_follows_the_count():
    assert Words("en")("n_cards", n=1) == "1 card"
    assert Words("pt")("n_cards", n=2) == "2 cartas"


def test_names_are_escaped_in_sentences():
    text = Words("en")("claim.more", name="<b>&", points="1", low="0", high="2", games=9, verdict="")
    assert "<em>&lt;b&gt;&amp;</em>" in text


def test_an_unknown_language_is_refused_with_what_is_allowed():
    with pytest.raises(InputError, match="en, pt"):
        Words("fr")


def test_catalogue_and_columns_are_packaged(root):
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    assert all(pattern in text for pattern in ('"*.yaml"', '"*.csv"', '"templates/*"'))
    assert Path(root / "experiments" / "report" / "messages.yaml").is_file()
