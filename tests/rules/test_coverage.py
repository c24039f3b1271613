"""The table of rule coverage says what the scenarios and tests say (docs/rules/coverage.md)."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "docs" / "rules" / "build_coverage.py"))
VECTORS = [f"E{number}" for number in range(1, 36) if number != 6]
"""Appendix E of the rules; E6 speaks of the text of printed cards, which the text reader's tests show."""


def test_the_table_is_up_to_date() -> None:
    assert TOOL["main"](["--check"]) == 0


def test_every_test_vector_is_a_scenario() -> None:
    evidence = TOOL["evidence"]()
    missing = [vector for vector in VECTORS if not any(name.endswith(".yaml") for name in evidence.get(vector, []))]
    assert missing == []


def test_a_scenario_counts_for_its_rules_and_reasons(tmp_path: Path) -> None:
    file = tmp_path / "some.yaml"
    file.write_text(
        "scenario: some\nrules: [R6.5.4, A7.1]\nsteps:\n  - illegal: {who: Ana, action: ACT_REST, because: R14.1}\n"
        "# R9.1 in a comment is no evidence\n",
        encoding="utf-8",
    )
    assert TOOL["cited_in"](file) == {"R6.5.4", "A7.1", "R14.1"}
