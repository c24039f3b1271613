"""Sentences whose condition or moment comes last, and what a battle begins with."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.actions import do
from apotheosis.env.cards.text.base import G, Part
from apotheosis.env.cards.text.grammar import REFUSE, Parse

# ------------------------------------------------------------------------------------------------------------- conditions


@G.rule("sentence", "<statement:s> [apenas | somente] (durante o | no) seu turno")
def _sentence_own_turn(parse: Parse, s: Part) -> Any:
    return REFUSE if "until" in s else {**s, "cond": {"in_turn_of": "self"}}


@G.rule("sentence", "<statement:s> <while> <state:c>")
def _sentence_while(parse: Parse, s: Part, c: dict[str, Any]) -> Any:
    return REFUSE if "until" in s else {**s, "cond": c}


@G.rule("sentence", "<statement:s> fora do seu turno")
def _sentence_other_turns(parse: Parse, s: Part) -> Any:
    return REFUSE if "until" in s else {**s, "cond": {"not": {"in_turn_of": "self"}}}


@G.rule("sentence", "<statement:s> <unless> <state:c>", "<unless> <state:c> [,] <statement:s>")
def _sentence_unless(parse: Parse, s: Part, c: dict[str, Any]) -> Any:
    return REFUSE if "until" in s else {**s, "cond": c["not"] if set(c) == {"not"} else {"not": c}}


@G.rule("body", "<acts:a> <unless> <state:c>")
def _body_unless(parse: Parse, a: Part, c: dict[str, Any]) -> Any:
    """What is done unless something holds."""
    cond = c["not"] if set(c) == {"not"} else {"not": c}
    return do({"op": "if", "cond": cond, "then": a["do"]}) if set(a) == {"do"} else REFUSE


@G.rule("unless", "[,] a menos que", "[,] a nao ser que", "[,] (exceto | salvo) se")
def _unless(parse: Parse) -> None:
    return None


# --------------------------------------------------------------------------------------------------------------- beginnings


@G.rule("sentence", "[voce] COMECAR a batalha com [o | um] <marker:m>")
def _starts_marked(parse: Parse, m: str) -> Any:
    if parse.context.companion:
        return REFUSE
    return {**do({"op": "add_marker", "marker": m, "to": "self"}), "timings": ["StartOfBattle"], "trigger": True}


@G.rule("sentence", "[voce] COMECAR a batalha com (<int:n> | <signed:n>) de <currency:c> [a mais]")
def _starts_rich(parse: Parse, n: int, c: str) -> Any:
    if parse.context.companion or n < 1:
        return REFUSE
    return {**do({"op": "gain_currency", "to": "self", "cur": c, "n": n}), "timings": ["StartOfBattle"], "trigger": True}
