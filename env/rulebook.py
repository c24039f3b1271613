"""The ids and titles of the rules, for all that names a rule: reasons, replays, reports, scenario files and tests.

The full texts stand in `docs/rules` of the checkout. What ships with the package is an index made from them by
`docs/rules/build_index.py`, so that an installed lab can name a rule without the texts.
"""

import csv
import re
from functools import cache
from importlib.resources import files

from apotheosis.env.errors import unknown

CITATION = re.compile(r"(?<![\w.#&+-])(?:R\d{1,2}(?:\.\d+)*|A\d(?:\.\d+)+|C\.\d+)(?![\w(=\[]|\.\d)")
"""What a cited rule looks like in a text: R13.3, A2.10 or C.2 (appendix C of RULES.md)."""


@cache
def _titles() -> dict[str, str]:
    text = files("apotheosis.env").joinpath("rules_index.csv").read_text(encoding="utf-8")
    return {row["id"]: row["title"] for row in csv.DictReader(text.splitlines())}


def exists(rule_id: str) -> bool:
    """Returns whether the rulebook has a rule with this id.

    Args:
        rule_id: an id such as "R13.3", "A2.10", "C.2" or, for a test vector of appendix E, "E7".
    """
    return rule_id in _titles()


def title(rule_id: str) -> str:
    """Returns the title of a rule, or its first sentence where the rulebook gives it no title.

    Args:
        rule_id: an id such as "R13.3" or "A2.10".

    Raises:
        InputError: no rule has this id.
    """
    try:
        return _titles()[rule_id]
    except KeyError:
        raise unknown("rule", rule_id, _titles()) from None


def rule_ids() -> tuple[str, ...]:
    """Returns all rule ids in the order of the rulebook."""
    return tuple(_titles())


def citations(text: str) -> set[str]:
    """Returns the rule ids that a text cites, whether they exist or not.

    Args:
        text: source code, a scenario file or prose.
    """
    return set(CITATION.findall(text))
