"""The rule ids that code, tests, scenarios and docs cite exist, and the shipped index matches the rule texts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from apotheosis.env import rulebook
from apotheosis.env.errors import InputError

FOLDERS = ("env", "agents", "experiments", "tests", "notebooks", "docs")
SUFFIXES = {".py", ".yaml", ".toml", ".md", ".csv", ".json", ".j2", ".html", ".ipynb"}
RESERVED = "R99"
"""No rule has this id or one below it, now or later: tests of refusals cite it."""


def cited_text(path: Path) -> str:
    """Returns the part of a file in which people write: the sources of a notebook, lines that are not embedded data."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".ipynb":
        return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return "\n".join(line for line in text.splitlines() if len(line) < 2000)


def sources(root: Path) -> list[Path]:
    """Returns the files of the checkout whose citations are checked."""
    found = (path for folder in FOLDERS for path in sorted((root / folder).rglob("*")) if path.suffix in SUFFIXES)
    return [path for path in (*found, *root.glob("*.md")) if "__pycache__" not in path.parts]


def missing(text: str) -> set[str]:
    """Returns the ids that a text cites and the rulebook does not have."""
    return {
        rule
        for rule in rulebook.citations(text)
        if not rulebook.exists(rule) and rule != RESERVED and not rule.startswith(f"{RESERVED}.")
    }


def test_every_cited_rule_exists(root):
    files = sources(root)
    assert len(files) > 20
    wrong = {str(path.relative_to(root)): bad for path in files if (bad := sorted(missing(cited_text(path))))}
    assert wrong == {}


def test_a_wrong_citation_would_be_found():
    assert missing("Source: R13.3, R" + "44.1 and A" + "2.77 (C." + "9)") == {"R" + "44.1", "A" + "2.77", "C." + "9"}


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("10 HP (R13.4).", {"R13.4"}),
        ("R8.3.1 to R8.3.6, R7.4.5-6, R13.3/R13.4", {"R8.3.1", "R8.3.6", "R7.4.5", "R13.3", "R13.4"}),
        ("violates A2.10; see C.2 and R2", {"A2.10", "C.2", "R2"}),
        ("R[3] R2(x) R1=4 VAR2.1 x.R3 R2.1x #R5", set()),
    ],
)
def test_citations_are_told_from_names_of_variables(text, cited):
    assert rulebook.citations(text) == cited


def test_the_index_matches_the_rule_texts(root):
    tool = root / "docs" / "rules" / "build_index.py"
    done = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_id_that_the_rule_texts_cite_is_indexed(root):
    for name in ("RULES.md", "ARENA.md", "KEYWORDS.csv"):
        assert missing((root / "docs" / "rules" / name).read_text(encoding="utf-8")) == set()


def test_every_rule_has_a_title_that_fits_on_a_line():
    assert len(rulebook.rule_ids()) == len(set(rulebook.rule_ids())) > 600
    for rule in rulebook.rule_ids():
        assert 2 <= len(rulebook.title(rule)) <= 100, rule


@pytest.mark.parametrize(
    ("rule", "title"),
    [
        ("R6", "Effects"),
        ("R13.3", "Injury"),
        ("R9.1.4", "Roll"),
        ("R6.5.3", "Once per Battle"),
        ("R17.10", "Rest"),
        ("A5.1", "Turn actions"),
        ("A7.2", "Both eliminated by the same action: draw"),
    ],
)
def test_titles_come_from_headings_statements_and_tables(rule, title):
    assert rulebook.title(rule) == title


def test_an_unknown_rule_is_refused_with_the_nearest_one():
    assert not rulebook.exists("R99.1")
    with pytest.raises(InputError, match="unknown rule 'R99.33'.*did you mean"):
        rulebook.title("R99.33")
