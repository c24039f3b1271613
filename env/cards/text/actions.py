"""Clauses that do something: the subject slot of verb phrases, and the ways a text says whom they concern.

A verb phrase (`vp`) is read without its subject; `$S` marks where the subject belongs. An imperative has the owner of the
effect as its subject, except that an imperative on a card that selects a target by its range must name whom it helps.
"""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import SUBJECT, G, Part, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse

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


@G.rule("selected", "[a] um alvo", "um personagem")
def _anyone(parse: Parse) -> dict[str, Any]:
    return {"chars": "any"}


@G.rule("selected", "um heroi <team:t> [<where:w>]")
def _selected_hero(parse: Parse, t: str, w: dict[str, Any] | None = None) -> Any:
    return merged({"chars": t, "kind": "Hero"}, w)


@G.rule("selected", "um <kind:k> [<team:t>] [<where:w>]", "um {COMPANION} [<team:t>] [com <tag:g>] [<where:w>]")
def _selected_kind(
    parse: Parse, k: str = "Companion", t: str | None = None, g: str | None = None, w: dict[str, Any] | None = None
) -> Any:
    if any(x.text == "outro" for x in parse.tokens):
        return REFUSE
    return merged({"chars": t or "any", "kind": k}, {"tag": g} if g else None, w)


@G.rule("selected", "um outro {COMPANION} a ate <int:n> de <rangetype:r>", kind="Companion")
@G.rule("selected", "um outro personagem a ate <int:n> de <rangetype:r>", kind=None)
def _selected_range(parse: Parse, n: int, r: str, kind: str | None) -> Any:
    """Within a range that needs no clear line; the language cannot ask for a line."""
    return REFUSE if r == "Direct" else {"chars": "others", **({"kind": kind} if kind else {}), "within": n}


@G.rule("selected", "um outro personagem <where:w> , que nao SER o atacante")
def _selected_not_attacker(parse: Parse, w: dict[str, Any]) -> dict[str, Any]:
    return {"chars": "others", **w, "exclude": "attacker"}


@G.rule("selected", "um (personagem | alvo) com [o | um] <marker:m> [<team:t>] [<where:w>]")
def _selected_marked(parse: Parse, m: str, t: str | None = None, w: dict[str, Any] | None = None) -> Any:
    return merged({"chars": t or "any", "has_marker": m}, w)


@G.rule("selected", "um heroi")
def _selected_any_hero(parse: Parse) -> dict[str, Any]:
    return {"chars": "any", "kind": "Hero"}


@G.rule("selected", "um outro personagem [<where:w>]")
def _selected_other(parse: Parse, w: dict[str, Any] | None = None) -> Any:
    return merged({"chars": "others"}, w)


@G.rule("selected", "(um | um outro) personagem <team:t> [<where:w>]", "um heroi <where:w>", "um personagem <where:w>")
def _selected(parse: Parse, t: str | None = None, w: dict[str, Any] | None = None) -> Any:
    base: dict[str, Any] = {"chars": t or "any"}
    if any(x.text == "heroi" for x in parse.tokens) and t is None and w is not None and "adjacent" in w:
        base["kind"] = "Hero"
    if any(x.text == "outro" for x in parse.tokens) and t == "allies":
        base["chars"] = "other_allies"
    return merged(base, w)


def target_needs(selector: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the requirement to select a target."""
    return [{"target": selector}]


@G.rule("of_whom", "<ofwho:w>")
@G.rule("to_whom", "<towho:w>", "em <inwho:w>")
def _named(parse: Parse, w: Any) -> tuple[Any, list[Any]]:
    return w, []


G.table("inwho", {"voce": "self"})


G.rule("inwho", "o alvo")(lambda parse: "target")


G.rule("inwho", "<group:g> [<where:w>]")(
    lambda parse, g, w=None: REFUSE if merged(g, w) is REFUSE else plain_selector(merged(g, w))
)


def plain_selector(both: dict[str, Any]) -> Any:
    """Return a selector, as a word where nothing narrows it."""
    base = both.pop("chars")
    return base if not both else {"chars": base, **both}


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
