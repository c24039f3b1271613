"""Deeds that open a window: who does or suffers what, with what, and against whom.

A deed is read without the one who does it (`$A`); a subject, or none where the owner is meant, is put in afterwards. The
infinitive after "is about to" opens the window before the deed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text.base import G, Part, any_of, merged, substitute
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.tokens import verbs_of
from apotheosis.env.cards.text.triggers import happening

ACTOR = "$A"
"""Stands for the one who does the deed."""

_NO_SOURCE = frozenset({"kind", "order", "path"})

# ----------------------------------------------------------------------------------------------------------------- sources


@G.rule("blow", "(de | em | com) um ataque", "por meio de um ataque", "(de | em) um unico ataque")
def _any_attack(parse: Parse) -> dict[str, Any]:
    return {"attack": True}


@G.rule("blow", "(de | em | com) um ataque [de | com] <items:i>", "(de | com) <items:i>")
def _attack_of(parse: Parse, i: list[dict[str, str]]) -> Any:
    return REFUSE if any(set(one) & _NO_SOURCE for one in i) else any_of(i)


@G.rule("blow", "(de | com) [um] <suit:s> [<quals:q>]")
def _attack_by_suit(parse: Parse, s: str, q: dict[str, Any] | None = None) -> Any:
    return merged({"suit": s}, q) if s in ("Item", "Skill") else REFUSE


@G.rule("blow", "(de | com) um carta <quals:q>")
def _attack_by_card(parse: Parse, q: dict[str, Any]) -> dict[str, Any]:
    return q


@G.rule("blow", "com esta carta")
def _attack_by_this(parse: Parse) -> dict[str, Any]:
    return {"card": "this"}


@G.rule("source", "<blow:b>")
@G.rule("source", "<blow:b> a <atleast:far> (de distancia | casa)", "<blow:b> a <int:far> de distancia ou mais")
@G.rule("source", "<blow:b> a <atmost:near> (de distancia | casa)", "<blow:b> a <int:near> de distancia ou menos")
def _source(parse: Parse, b: dict[str, Any], far: int | None = None, near: int | None = None) -> dict[str, Any]:
    return {
        **b,
        **({} if far is None else {"distance_ge": far}),
        **({} if near is None else {"distance_le": near}),
    }


@G.rule("source", "<blow:b> vindo de um casa adjacente")
def _source_near(parse: Parse, b: dict[str, Any]) -> dict[str, Any]:
    return {**b, "distance_le": 1}


def _by(source: dict[str, Any] | None) -> dict[str, Any]:
    return {"by": source} if source else {}


def _waits(event: dict[str, Any], quantity: str, bound: tuple[str, int] | None) -> Part:
    part = happening(**event)
    if bound is None:
        return part
    return {**part, "requires": [*part["requires"], {"if": {bound[0]: [quantity, bound[1]]}}]}


# ------------------------------------------------------------------------------------------------------------------- deeds


@G.rule("deed", "(SOFRER | RECEBER) [<bound:n> de] {DMG} [<source:s>]", event="damage_taken", quantity="event.damage")
@G.rule("deed", "(SOFRER | RECEBER) [<bound:n> de] {INJURY} [<source:s>]", event="injury_taken", quantity="event.injury")
def _suffers(
    parse: Parse, event: str, quantity: str, n: tuple[str, int] | None = None, s: dict[str, Any] | None = None
) -> Part:
    return _waits({"event": event, "who": ACTOR, **_by(s)}, quantity, n)


@G.rule("deed", "CAUSAR [<bound:n> de | um quantidade de] {INJURY} [<source:s>] [(a | em) <victim:v>] [<source:s>]")
def _injures(parse: Parse, n: Any = None, s: dict[str, Any] | None = None, v: Any = None) -> Part:
    harmed = {} if v in (None, "others") else {"target": v}
    return _waits({"event": "injury_dealt", "who": ACTOR, **harmed, **_by(s)}, "event.injury", n)


@G.rule("deed", "CAUSAR [<bound:n> de] {DMG} [<source:s>] [(a | em) <victim:v>] [<source:s>]")
@G.rule("deed", "CAUSAR {DMG} <rangetype:r>")
def _damages(parse: Parse, n: Any = None, s: dict[str, Any] | None = None, v: Any = None, r: str | None = None) -> Part:
    harmed = {} if v in (None, "others") else {"who": v}
    return _waits({"event": "damage_taken", **harmed, "attacker": ACTOR, **_by({"range": r} if r else s)}, "event.damage", n)


@G.rule("deed", "MATAR <victim:v> [<source:s>]")
def _kills(parse: Parse, v: Any, s: dict[str, Any] | None = None) -> Part:
    return happening(event="death", who=v, attacker=ACTOR, **_by(s))


@G.rule("deed", "MORRER")
def _dies(parse: Parse) -> Part:
    return happening(event="death", who=ACTOR)


@G.rule("deed", "(REALIZAR | FAZER) um teste [<checks:c>]", event="check")
@G.rule("deed", "(falhar | fracassar) em um teste [<checks:c>]", event="check_failed")
@G.rule("deed", "nao passar em um teste [<checks:c>]", event="check_failed")
def _checks(parse: Parse, event: str, c: dict[str, Any] | None = None) -> Part:
    return happening(event=event, who=ACTOR, **_by(c))


@G.rule("deed", "(SER | for SER) bem sucedido em um teste [<checks:c>]", "passar em um teste [<checks:c>]")
@G.rule("deed", "bem sucedido em um teste [<checks:c>]", "(OBTER | TER) sucesso em um teste [<checks:c>]")
def _succeeds(parse: Parse, c: dict[str, Any] | None = None) -> Part:
    event = {"event": "check", "who": ACTOR, **_by(c), "phase": "after"}
    return {"requires": [{"when": event}, {"if": {"succeeded": "current"}}], "trigger": True}


@G.rule("deed", "ATACAR [um alvo] [<source:s>]", "(REALIZAR | FAZER) um ataque")
@G.rule("deed", "(REALIZAR | FAZER) um ataque [de | com] <items:i>")
def _attacks(parse: Parse, s: dict[str, Any] | None = None, i: list[dict[str, str]] | None = None) -> Any:
    if i and any(set(one) & _NO_SOURCE for one in i):
        return REFUSE
    return happening(event="attack", who=ACTOR, **_by(any_of(i) if i else s))


@G.rule("deed", "ATACAR <victim:v> [<source:s>]")
def _attacks_whom(parse: Parse, v: Any, s: dict[str, Any] | None = None) -> Part:
    return happening(event="attack", who=ACTOR, target=v, **_by(s))


@G.rule("deed", "SER atacado [por <victim:v>] [<source:s>]", "SER [selecionado (como | com)] alvo de um ataque [de <victim:v>]")
@G.rule("deed", "SER [selecionado (como | com)] alvo <source:s>")
def _attacked(parse: Parse, v: Any = None, s: dict[str, Any] | None = None) -> Any:
    """Being chosen by an attack; a plain "target of something" may be of any action."""
    if s is not None and not any(token.text in ("ataque", "atacado") for token in parse.here):
        return REFUSE
    source = {key: value for key, value in (s or {}).items() if key != "attack" or len(s or {}) > 1}
    return happening(event="attack", **({} if v is None else {"who": v}), target=ACTOR, **_by(source))


@G.rule("deed", "(SOFRER | RECEBER) um ataque [de <victim:v>]")
@G.rule("deed", "(SOFRER | RECEBER) um ataque [de | com] <items:i>")
def _under_attack(parse: Parse, v: Any = None, i: list[dict[str, str]] | None = None) -> Any:
    if i and any(set(one) & _NO_SOURCE for one in i):
        return REFUSE
    return happening(event="attack", **({} if v is None else {"who": v}), target=ACTOR, **_by(any_of(i) if i else None))


@G.rule("deed", "(ATIVAR | USAR | UTILIZAR) um <cards:c>")
def _activates(parse: Parse, c: dict[str, Any]) -> Part:
    return happening(event="card_activated", who=ACTOR, card=c)


@G.rule("deed", "SER [selecionado como] alvo de um <cards:c>")
def _target_of_card(parse: Parse, c: dict[str, Any]) -> Any:
    return happening(event="card_activated", card=c, target=ACTOR) if "suit" in c or "tag" in c else REFUSE


@G.rule("deed", "[se] mover [-se]")
def _moves(parse: Parse) -> Part:
    return happening(event="enter_tile", who=ACTOR)


@G.rule("deed", "OBTER <salvation>")
def _saved(parse: Parse) -> Part:
    return happening(event="salvation", who=ACTOR)


@G.rule("deed", "DESCANSAR", "<resting>")
def _rests(parse: Parse) -> Part:
    return happening(event="rest", who=ACTOR)


@G.reader("resting", "<name>")
def _resting(parse: Parse, place: int) -> Iterator[tuple[int, None]]:
    token = parse.tokens[place] if place < len(parse.tokens) else None
    if token is not None and token.text == "<name>" and "DESCANSAR" in verbs_of(str(token.value)):
        yield place + 1, None


@G.rule("deed", "CONSUMIR <onenergy:e>")
def _spends(parse: Parse, e: str) -> Part:
    return happening(event="spend", who=ACTOR, res=e)


# ---------------------------------------------------------------------------------------------------------------- subjects


@G.reader("actor", "<who>", "<victim>", empty=True)
def _actor(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
    """Who does a deed: a character, somebody, or nobody named, which is the owner where "you" cannot be a Companion's Hero."""
    yield from parse.all("who", place)
    yield from parse.all("victim", place)
    before = parse.tokens[place - 1].text if place else ""
    if before in ("quando", "se", "caso", "que") and not parse.context.companion:
        yield place, "self"


@G.rule("happens", "<actor:w> <deed:d>", "<actor:w> (for | deveria) <deed:d>")
def _done(parse: Parse, w: Any, d: Part) -> Any:
    event = d["requires"][0]["when"]
    if (
        w == "self"
        and event["event"] != "card_activated"
        and event.get("target") == ACTOR
        and any(token.text == "selecionado" for token in parse.here)
    ):
        if set(event) - {"event", "target", "by"} or event["event"] != "attack":
            return REFUSE
        return {
            "timings": ["Selected"],
            "requires": [{"if": {"attack_is": event.get("by", {"attack": True})}}],
            "trigger": True,
        }
    return _meant(w, d, "before" if _about_to(parse) and event["event"] != "attack" else None)


@G.rule("happens", "<actor:w> ([se] mover [-se] para | entrar em) um casa adjacente [<tothis:of>]")
def _moves_near(parse: Parse, w: Any, of: Any = None) -> Any:
    centre = of or parse.context.this_char
    near = {"adjacent": True, **({} if centre == "self" else {"of": centre})}
    if w in ("self", parse.context.this_char):
        return REFUSE
    mover = merged(w if isinstance(w, dict) else {"chars": w}, near)
    return REFUSE if mover is REFUSE else happening(event="enter_tile", who=mover)


@G.rule("happens", "um ataque <ofwho:w> <deed:d>", "[um] seu ataque <deed:d>", kind="attack")
@G.rule("happens", "o ataque normal <ofwho:w> <deed:d>", "[o] seu ataque normal <deed:d>", kind="normal_attack")
def _attack_done(parse: Parse, d: Part, kind: str, w: Any = "self") -> Any:
    event = d["requires"][0]["when"]
    if event["event"] not in ("injury_dealt", "damage_taken") or ACTOR not in (event.get("attacker"), event.get("who")):
        return REFUSE
    if event["event"] == "damage_taken" and event.get("attacker") != ACTOR:
        return REFUSE
    by = {kind: True} if set(event.get("by", {})) <= {"attack"} else event["by"]
    return _meant(w, {**d, "requires": [{"when": {**event, "by": by}}, *d["requires"][1:]]}, None)


def _about_to(parse: Parse) -> bool:
    """Whether "for" stands before an infinitive: "for atacado" is a passive."""
    words = [token.text for token in parse.here]
    return any(a in ("for", "deveria") and b.endswith(("ar", "er", "ir")) for a, b in zip(words, words[1:], strict=False))


def _meant(who: Any, deed: Part, phase: str | None) -> Any:
    """Return the window of a deed; the owner's own attacks and attacks on the owner have timings of their own."""
    part = substitute(deed, ACTOR, who)
    event = part["requires"][0]["when"]
    if who == "target" and event["event"] in ("damage_taken", "injury_taken", "death", "check", "check_failed"):
        return REFUSE
    if phase is not None:
        part = {**part, "requires": [{"when": {**event, "phase": phase}}, *part["requires"][1:]]}
    if who != "self" or event["event"] != "attack" or len(part["requires"]) > 1:
        return part
    if event == {"event": "attack", "who": "self"}:
        return {"timings": ["Attacking"], "trigger": True}
    if event == {"event": "attack", "target": "self"}:
        return {"timings": ["Attacked"], "trigger": True}
    if set(event) == {"event", "target", "by"} and event["target"] == "self":
        return {"timings": ["Attacked"], "requires": [{"if": {"attack_is": event["by"]}}], "trigger": True}
    return part


@G.rule("when", "(ao | apos [voce] | depois de [voce]) <deed:d>")
def _on_deed(parse: Parse, d: Part) -> Any:
    """On a Companion the sentence does not say whether the piece or its Hero is meant."""
    if parse.context.companion:
        return REFUSE
    event = d["requires"][0]["when"]
    if parse.here[0].text != "ao" and event["event"] == "attack" and event.get("who") == ACTOR:
        resolved = {**event, "event": "attack_resolved", "who": "self"}
        return REFUSE if event.get("by") == {"card": "this"} else happening(**resolved)
    return _meant("self", d, None)
