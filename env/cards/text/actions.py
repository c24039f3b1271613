"""Clauses that do something: the subject slot of verb phrases, and the ways a text says whom they concern.

A verb phrase (`vp`) is read without its subject; `$S` marks where the subject belongs. An imperative has the owner of the
effect as its subject, except that an imperative on a card that selects a target by its range must name whom it helps.
"""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import SUBJECT, G, Part
from apotheosis.env.cards.text.grammar import Parse
from apotheosis.env.cards.text.phrases_who import one_word

NAMED = "$N"

"""A subject that the text must name; an imperative leaves it open and is refused."""


PATIENT = "$P"

"""The one an imperative without a named patient helps or harms; not always the subject."""


GROUPS = ("all", "allies", "enemies", "other_allies", "others")


def spread(ops: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    """Return instructions for one character each where they name a group."""
    out = []
    for op in ops:
        who = op[key]
        if isinstance(who, dict) or who in GROUPS:
            op = {"op": "for_each", "in": who, "do": [{**op, key: "it"}]}
        out.append(op)
    return out


def do(*ops: dict[str, Any], **more: Any) -> Part:
    """Return a part made of instructions."""
    return {"do": list(ops), **{key: value for key, value in more.items() if value != []}}


def target_needs(selector: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the requirement to select a target."""
    return [{"target": selector}]


@G.rule("of_whom", "<ofwho:w>")
@G.rule("to_whom", "<towho:w>", "em <inwho:w>")
def _named(parse: Parse, w: Any) -> tuple[Any, list[Any]]:
    return w, []


G.table("inwho", {"voce": "self"})


G.rule("inwho", "o alvo")(lambda parse: "target")


G.rule("inwho", "<group:g>")(lambda parse, g: one_word(g))


@G.rule("of_whom", "de <selected:s>")
@G.rule("to_whom", "(a | ao | em | para) <selected:s>", "<selected_bare:s>")
def _chosen(parse: Parse, s: dict[str, Any]) -> tuple[Any, list[Any]]:
    return "target", target_needs(s)


@G.rule("selected_bare", "a um alvo")
def _bare_target(parse: Parse) -> dict[str, Any]:
    return {"chars": "any"}


def chosen_by(op: dict[str, Any]) -> dict[str, Any]:
    """Mark who chooses: the one told to act."""
    return {**op, "by": SUBJECT}


@G.rule("vp", "(SELECIONAR | ESCOLHER) <selected:s>")
def _select(parse: Parse, s: dict[str, Any]) -> Part:
    return {"requires": target_needs(s)}
