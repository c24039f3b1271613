"""Checks and contests with what follows from their result."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.actions import GROUPS, do, target_needs
from apotheosis.env.cards.text.base import SUBJECT, G, Part, add_parts
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.sentence import with_subject


@G.rule("checked", "<attr:a>")
@G.rule("checked", "<know:k> + <attr:a>")
def _checked(parse: Parse, a: str, k: str | None = None) -> dict[str, Any]:
    return {"attr": a} if k is None else {"attr": a, "know": k}


@G.rule("thecheck", "um teste [de] [<name>] lp <checked:c> ➜ <int:dc> rp", "um teste de <checked:c> [➜] <int:dc>")
@G.rule(
    "thecheck", "um teste de <checked:c> (com | de) dificuldade <int:dc>", "um teste de dificuldade <int:dc> de <checked:c>"
)
def _the_check(parse: Parse, c: dict[str, Any], dc: int) -> dict[str, Any]:
    return {**c, "dc": dc}


_RESULTS = {
    "failing": ("falhar", "fracassar", "nao passar", "nao SER bem sucedido"),
    "passing": ("bem sucedido", "SER bem sucedido", "passar", "OBTER sucesso", "TER sucesso"),
}
for _name, _words in _RESULTS.items():
    G.table(_name, {f"(se | caso) [ele | o alvo] {one}": 0 for one in _words})
G.table("failing", dict.fromkeys(("em caso de falha", "caso falhe", "caso fracasse", "se falhar nele"), 0))
G.table("passing", dict.fromkeys(("em caso de sucesso", "caso passe"), 0))


@G.rule("testing", "(REALIZAR | FAZER) <thecheck:c> (, | .) <failing> [,] <acts:a>", key="fail")
@G.rule("testing", "(REALIZAR | FAZER) <thecheck:c> (, | .) <passing> [,] <acts:a>", key="ok")
def _check(parse: Parse, c: dict[str, Any], a: Part, key: str) -> Any:
    if set(a) != {"do"}:
        return REFUSE
    return do({"op": "check", "by": SUBJECT, **c, key: a["do"]})


@G.rule(
    "testing",
    "(REALIZAR | FAZER) <thecheck:c> (, | .) <passing> [,] <acts:a> (, | .) <failing> [,] <acts:b>",
    first="ok",
    second="fail",
)
@G.rule(
    "testing",
    "(REALIZAR | FAZER) <thecheck:c> (, | .) <failing> [,] <acts:a> (, | .) <passing> [,] <acts:b>",
    first="fail",
    second="ok",
)
def _check_both(parse: Parse, c: dict[str, Any], a: Part, b: Part, first: str, second: str) -> Any:
    if set(a) != {"do"} or set(b) != {"do"}:
        return REFUSE
    return do({"op": "check", "by": SUBJECT, **c, first: a["do"], second: b["do"]})


@G.rule("acts", "<clause:a> [,] se nao SER possivel [,] <acts:b>")
def _otherwise(parse: Parse, a: Part, b: Part) -> Any:
    if set(a) != {"do"} or set(b) != {"do"} or len(a["do"]) != 1:
        return REFUSE
    op = a["do"][0]
    if op["op"] == "spend":
        return do({**op, "else": b["do"]})
    if op["op"] == "remove_marker" and op["marker"].isupper():
        return do({"op": "if", "cond": {"has_marker": [op["from"], op["marker"]]}, "then": [op], "else": b["do"]})
    return REFUSE


G.table(
    "winning",
    dict.fromkeys(("se vitorioso", "se VENCER", "se voce VENCER", "caso VENCER", "se SER vitorioso", "em caso de vitoria"), 0),
)


_AGAINST = "lp <attr:a> ✖ <attr:b> [(+ <int:n> | <signed:n>)] rp"


@G.rule(
    "testing",
    f"(REALIZAR | FAZER) uma competicao de [<name>] {_AGAINST} [contra o alvo] (, | .) <winning> [,] <acts:x>",
    f"SELECIONAR um alvo para uma competicao de {_AGAINST} (, | .) <winning> [,] <acts:x>",
)
def _contest(parse: Parse, a: str, b: str, x: Part, n: int | None = None) -> Any:
    chosen = any("SELECIONAR" in t.verbs for t in parse.here)
    if set(x) != {"do"} or not (chosen or parse.context.has_range):
        return REFUSE
    other = ["target", b] if n is None else {"who": "target", "attr": b, "add": n}
    part = do({"op": "contest", "a": [SUBJECT, a], "b": other, "win": x["do"]})
    return {**part, "requires": [{"target": {"chars": "any"}}]} if chosen else part


@G.rule("acts", "<selected:s> [DEVER] <testing:t>")
def _acts_chosen_testing(parse: Parse, s: dict[str, Any], t: Part) -> Any:
    return do(*with_subject(t, "target")["do"], requires=target_needs(s)) if set(t) == {"do"} else REFUSE


@G.rule("acts", "<testing:t>")
@G.rule("acts", "<who:w> [DEVER] <testing:t>")
@G.rule(
    "acts", "<clause:before> (, | e | . | . entao [,]) <testing:t>", "<clause:before> (, | e | .) <who:w> DEVER <testing:t>"
)
def _acts_testing(parse: Parse, t: Part, w: Any = None, before: Part | None = None) -> Any:
    """A check or contest takes the rest of the sentence as its consequence, so nothing can follow it."""
    if w is not None and (isinstance(w, dict) or w in GROUPS):
        if set(t) != {"do"}:
            return REFUSE
        t = do({"op": "for_each", "in": w, "do": with_subject(t, "it")["do"]})
        w = None
    both = add_parts(before or {}, t if w is None else with_subject(t, w))
    return REFUSE if both.get("conflict") else both


@G.rule("testing", "ROLAR <dice:d> . se o resultado SER <bound:b> [,] <acts:a>")
def _rolled_in(parse: Parse, d: str, b: tuple[str, int], a: Part) -> Any:
    return _rolled(parse, d, b[1], a, b[0])


@G.rule("testing", "ROLAR <dice:d> . se o resultado SER <int:n> [,] <acts:a>", test="eq")
def _rolled(parse: Parse, d: str, n: int, a: Part, test: str) -> Any:
    if set(a) != {"do"}:
        return REFUSE
    return do({"op": "roll", "dice": d[5:-1], "bind": "r"}, {"op": "if", "cond": {test: ["r", n]}, "then": a["do"]})
