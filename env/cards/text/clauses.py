"""The whole grammar: importing this module has every module of clauses add its rules to it."""

from apotheosis.env.cards.text import (
    actions_attack,
    actions_board,
    actions_cards,
    actions_marks,
    actions_vital,
    costs,
    paragraphs,
    phrases,
    phrases_cards,
    phrases_who,
    predicates,
    sentence,
    statements_bonus,
    statements_costs,
    statements_rules,
    triggers,
)
from apotheosis.env.cards.text.base import G

MODULES = (
    actions_attack,
    actions_board,
    actions_cards,
    actions_marks,
    actions_vital,
    costs,
    paragraphs,
    phrases,
    phrases_cards,
    phrases_who,
    predicates,
    sentence,
    statements_bonus,
    statements_costs,
    statements_rules,
    triggers,
)
"""The modules that hold the clauses."""

__all__ = ["G", "MODULES"]
