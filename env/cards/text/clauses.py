"""The whole grammar: importing this module has every module of clauses add its rules to it."""

from apotheosis.env.cards.text import (
    actions_attack,
    actions_board,
    actions_cards,
    actions_marks,
    actions_vital,
    contests,
    costs,
    limits,
    paragraphs,
    phrases,
    phrases_cards,
    phrases_traits,
    phrases_who,
    predicates,
    requirement_strings,
    sentence,
    statements_bonus,
    statements_costs,
    statements_kinds,
    statements_needs,
    statements_rules,
    triggers,
    triggers_cards,
    triggers_deeds,
)
from apotheosis.env.cards.text.base import G

MODULES = (
    actions_attack,
    actions_board,
    actions_cards,
    actions_marks,
    actions_vital,
    contests,
    costs,
    limits,
    paragraphs,
    phrases,
    phrases_cards,
    phrases_traits,
    phrases_who,
    predicates,
    requirement_strings,
    sentence,
    statements_bonus,
    statements_costs,
    statements_kinds,
    statements_needs,
    statements_rules,
    triggers,
    triggers_cards,
    triggers_deeds,
)
"""The modules that hold the clauses."""

__all__ = ["G", "MODULES"]
