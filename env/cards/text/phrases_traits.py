"""Characters by a noun and what describes them: one that is selected or acts, or all of a kind.

A noun and any number of traits in any order make a filter; the same filter serves targets, subjects of events and groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text.base import G, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse

# ------------------------------------------------------------------------------------------------------------------- nouns

G.table("noun", {"(personagem | personagens)": {}, "(heroi | herois)": {"kind": "Hero"}, "{COMPANION}": {"kind": "Companion"}})
G.table("manynoun", {"personagens": {}, "herois": {"kind": "Hero"}, "{COMPANION}": {"kind": "Companion"}})


@G.rule("noun", "<kind:k>")
@G.rule("manynoun", "<kind:k>")
def _noun_kind(parse: Parse, k: str) -> dict[str, Any]:
    return {"kind": k}


# ------------------------------------------------------------------------------------------------------------------ traits


@G.rule("trait", "<where:w>")
def _trait_place(parse: Parse, w: dict[str, Any]) -> dict[str, Any]:
    return w


@G.rule("trait", "[,] <team:t> [,]")
def _trait_team(parse: Parse, t: str) -> dict[str, Any]:
    return {"chars": t}


_WITH = "[,] (com | que POSSUIR | que TER | que ESTAR com)"


@G.rule("trait", f"{_WITH} [o | um] <marker:m> [,]", key="has_marker")
@G.rule("trait", "[,] (sem | que nao POSSUIR | que nao TER) [o | um] <marker:m> [,]", key="without_marker")
def _trait_marker(parse: Parse, m: str, key: str) -> dict[str, Any]:
    return {key: m}


@G.rule("trait", f"{_WITH} [a propriedade] <tag:t> [,]")
def _trait_tag(parse: Parse, t: str) -> dict[str, Any]:
    return {"tag": t}


@G.rule("trait", "[,] (sem | que nao POSSUIR | que nao TER) [a propriedade] <items:i> [,]")
def _trait_without(parse: Parse, i: list[dict[str, str]]) -> Any:
    return {"not_tag": [one["tag"] for one in i]} if all(set(one) == {"tag"} for one in i) else REFUSE


@G.rule("trait", "[,] (com | que TER | que ESTAR com) o {ENTITY} desperto [,]")
def _trait_awake(parse: Parse) -> dict[str, Any]:
    return {"entity_awake": True}


@G.rule("trait", "[,] de [ate] nivel <num:n> [ou menos] [,]", "[,] de nivel <atmost:n> [,]")
def _trait_level(parse: Parse, n: int) -> Any:
    """A bound on the level; the language has no exact one."""
    bounded = any(t.text in ("ate", "menos", "#-") for t in parse.here)
    return {"level_le": n} if bounded else REFUSE


@G.rule(
    "trait",
    "[que ESTAR] a um (extensao | distancia) [de adjacencia] (igual ou menor | menor ou igual) (que | a | ao) <level:n>",
    "[que ESTAR] a um (extensao | distancia) [de adjacencia] de ate <level:n>",
)
def _trait_reach(parse: Parse, n: str) -> dict[str, Any]:
    return {"within": n}


@G.rule("trait", "[,] (do lignum <lignum:l> | deste lignum) [,]")
def _trait_lignum(parse: Parse, l: str | None = None) -> Any:  # noqa: E741
    family = l or parse.context.lignum
    return REFUSE if family is None else {"lignum": family}


@G.rule("trait", ", que nao SER o atacante [,]", ", exceto o atacante [,]")
def _trait_not_attacker(parse: Parse) -> dict[str, Any]:
    return {"exclude": "attacker"}


@G.rule("trait", "[,] exceto (voce | este personagem) [,]")
def _trait_not_this(parse: Parse) -> dict[str, Any]:
    return {"exclude": parse.context.this_char}


@G.rule("traits", "<trait:a>")
@G.rule("traits", "<trait:a> [e] <traits:b>")
def _traits(parse: Parse, a: dict[str, Any], b: dict[str, Any] | None = None) -> Any:
    return merged(a, b)


# ----------------------------------------------------------------------------------------------------------- one character

_BASES = {
    (None, False): "any",
    (None, True): "others",
    ("allies", False): "allies",
    ("allies", True): "other_allies",
    ("enemies", False): "enemies",
    ("enemies", True): "enemies",
}
"""Team and whether the owner is left out -> the set that one character is taken from."""


@G.rule("onechar", "(um | qualquer) <noun:p> [<traits:t>]", other=False)
@G.rule("onechar", "(um outro | outro | qualquer outro) <noun:p> [<traits:t>]", other=True)
@G.rule("onechar", "um alvo <traits:t>", other=False)
def _one(parse: Parse, other: bool, p: dict[str, Any] | None = None, t: dict[str, Any] | None = None) -> Any:
    rest = dict(t or {})
    base = _BASES[(rest.pop("chars", None), other)]
    both = merged(p, rest)
    return REFUSE if both is REFUSE else {"chars": base, **both}


@G.rule("selected", "<onechar:s>")
def _selected(parse: Parse, s: dict[str, Any]) -> Any:
    return s


@G.rule("selected", "[a] um alvo")
def _selected_anyone(parse: Parse) -> dict[str, Any]:
    return {"chars": "any"}


@G.rule("victim", "<onechar:s>")
def _victim(parse: Parse, s: dict[str, Any]) -> Any:
    return s["chars"] if set(s) == {"chars"} else s


@G.rule("victim", "um dos seus {COMPANION}", "um {COMPANION} seu")
def _victim_own(parse: Parse) -> str:
    return "own_companions"


# ----------------------------------------------------------------------------------------------------------------- several


@G.reader("bare", empty=True)
def _bare(parse: Parse, place: int) -> Iterator[tuple[int, None]]:
    """Holds where a noun stands without an article: a singular there means all of its kind."""
    if place == 0 or parse.tokens[place - 1].text in (",", ".", "e"):
        yield place, None


@G.rule("group", "[<every>] <manynoun:p> [<traits:t>]", "<every> <noun:p> [<traits:t>]", other=False)
@G.rule("group", "[<every>] [o] outro <manynoun:p> [<traits:t>]", "<every> [o] outro <noun:p> [<traits:t>]", other=True)
@G.rule("group", "o <manynoun:p> <traits:t>", "<bare> <noun:p> <traits:t>", other=False)
@G.rule("manned", "<noun:p> [<traits:t>]", other=False)
@G.rule("manned", "outro <noun:p> [<traits:t>]", other=True)
def _group(parse: Parse, p: dict[str, Any], other: bool, t: dict[str, Any] | None = None) -> Any:
    rest = dict(t or {})
    team = rest.pop("chars", None)
    base = "all" if team is None and not other else _BASES[(team, other)]
    both = merged(p, rest)
    return REFUSE if both is REFUSE else {"chars": base, **both}


@G.rule("group", "<team:t> [<every>] <noun:p>")
def _team_first(parse: Parse, t: str, p: dict[str, Any]) -> dict[str, Any]:
    return {"chars": t, **p}


@G.rule("group", "o (personagens | herois)", "todo [<traits:t>]")
def _all_present(parse: Parse, t: dict[str, Any] | None = None) -> Any:
    hero = {"kind": "Hero"} if any(t.text == "herois" for t in parse.here) else {}
    return merged({"chars": "all"}, hero, t)
