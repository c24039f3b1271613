"""Sentences: clauses with subjects, heads (when, while, if, once per ...) and bodies, summed into parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apotheosis.env.cards.text.actions import GROUPS, NAMED, PATIENT, do, target_needs
from apotheosis.env.cards.text.base import SUBJECT, G, Part, add_parts, substitute
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.lexicon import INDICATIVE
from apotheosis.env.cards.text.phrases_who import antecedent

# ---------------------------------------------------------------------------------------------------- subjects and clauses


def with_subject(part: Part, who: Any) -> Part:
    """Return a part with its subject, and the patient of an unmarked verb, filled in.

    A subject other than the owner that the instructions have no place for would be lost; such a part is a conflict.
    """
    if who != "self" and part.get("do") and not any(slot in repr(part["do"]) for slot in (SUBJECT, PATIENT, NAMED)):
        return {"conflict": True}
    return substitute(substitute(substitute(part, SUBJECT, who), PATIENT, who), NAMED, who)


@G.reader("command", empty=True)
def _command(parse: Parse, place: int) -> Iterator[tuple[int, None]]:
    """Holds before a verb that is a command: after "and", a present form goes on with the subject before it."""
    if place >= len(parse.tokens) or place and parse.tokens[place - 1].text == "e" and parse.tokens[place].text in INDICATIVE:
        return
    yield place, None


@G.reader("goes_on", empty=True)
def _goes_on(parse: Parse, place: int) -> Iterator[tuple[int, None]]:
    if place < len(parse.tokens) and parse.tokens[place].text in INDICATIVE:
        yield place, None


@G.rule("clause", "<command> <vp:v>")
def _imperative(parse: Parse, v: Part) -> Part:
    return v


@G.rule("vps", "<vp:a>")
@G.rule("vps", "<vp:a> e <goes_on> [DEVER] <vps:b>")
def _vps(parse: Parse, a: Part, b: Part | None = None) -> Any:
    both = add_parts(a, b or {})
    return REFUSE if both.get("conflict") else both


@G.rule("clause", "<who:w> [,] [DEVER] <vps:v>")
def _subject(parse: Parse, w: Any, v: Part) -> Part:
    if isinstance(w, str) and w not in GROUPS:
        return with_subject(v, w)
    each = with_subject(v, "it")
    return do({"op": "for_each", "in": w, "do": each["do"]}) if set(each) == {"do"} else {"conflict": True}


@G.rule("clause", "<who:a> e <who:b> [DEVER] <vps:v>")
def _two_subjects(parse: Parse, a: Any, b: Any, v: Part) -> Any:
    parts = [with_subject(v, who if isinstance(who, str) and who not in GROUPS else "it") for who in (a, b)]
    if a == b or any(set(part) != {"do"} for part in parts):
        return REFUSE
    each = [
        part["do"] if isinstance(who, str) and who not in GROUPS else [{"op": "for_each", "in": who, "do": part["do"]}]
        for who, part in zip((a, b), parts, strict=True)
    ]
    return do(*each[0], *each[1])


@G.rule("clause", "<selected:s> [DEVER] <vps:v>")
def _chosen_subject(parse: Parse, s: dict[str, Any], v: Part) -> Any:
    """ "An adjacent character loses ...": the character is selected."""
    part = with_subject(v, "target")
    return do(*part["do"], requires=target_needs(s)) if set(part) == {"do"} else REFUSE


@G.rule("clause", "<selected:s> [,] <changes:m> [,] <dur:d>")
def _chosen_changed(parse: Parse, s: dict[str, Any], m: list[dict[str, Any]], d: Any) -> Any:
    """ "An adjacent character receives +2 until ...": the character is selected."""
    if any("on" in one for one in m):
        return REFUSE
    return do(*({"op": "mod", **one, "on": "target", "until": d} for one in m), requires=target_needs(s))


@G.rule("clause", "<statement:s>")
def _timed(parse: Parse, s: Part) -> Any:
    if "until" not in s:
        return REFUSE
    return do(*({"op": "mod", **m, "until": s["until"]} for m in s["mods"]))


@G.rule(
    "body",
    "<acts:a> apos APLICAR o {DMG} [a todos os alvos]",
    "<acts:a> apos o [seu] uso",
    "<acts:a> apos (RESOLVER | ATIVAR | USAR) (o ataque | -la | este carta | este ataque | este tecnica)",
)
def _body_at_last(parse: Parse, a: Part) -> Part:
    return a


@G.rule("body", "pagando <int:n> de {AP} , [voce PODER] <acts:a>")
@G.rule("body", "ao custo de <int:n> de {AP} [,] [<limits:l>] [,] voce PODER <acts:a>")
def _body_at_a_price(parse: Parse, n: int, a: Part, l: Part | None = None) -> Any:  # noqa: E741
    both = add_parts(l or {}, {"requires": [{"pay": {"ap": n}}]}, a)
    return REFUSE if both.get("conflict") else {**both, "may": True, "paid": True}


@G.rule("body", "<acts:a> [,] <limits:l>", "<option:a> [,] <limits:l>")
def _body_limited(parse: Parse, a: Part, l: Part) -> Any:  # noqa: E741
    both = add_parts(a, l)
    return REFUSE if both.get("conflict") else both


@G.rule("vps", "<vp:v> <dur:d>")
@G.rule("clause", "<command> <vp:v> <dur:d>", "<who:w> <vp:v> [,] <dur:d>")
def _vp_until(parse: Parse, v: Part, d: Any, w: Any = None) -> Any:
    ops = v.get("do", [])
    inner = ops[0]["do"] if len(ops) == 1 and ops[0]["op"] == "for_each" else ops
    if len(inner) == 1 and inner is not ops and inner[0]["op"] == "add_marker" and w is None:
        return {**v, "do": [{**ops[0], "do": [{**inner[0], "until": d}]}]}
    if len(ops) != 1 or ops[0]["op"] not in ("add_marker",) or w is not None and not isinstance(w, str):
        return REFUSE
    part = {**v, "do": [{**ops[0], "until": d}]}
    return part if w is None else with_subject(part, w)


_SOMEBODY = frozenset({"alvo", "personagem", "personagens", "heroi", "herois", "atacante", "ele", "{COMPANION}"})


_PHASES = frozenset(
    "YourStartPhase YourEndPhase ThisCharacterStartPhase ThisCharacterEndPhase AllStartPhase HostHeroStartPhase ResetPhase "
    "StartOfBattle EndOfBattle StartOfRound EndOfRound".split()
)


@G.rule("body", "<acts:a> <when:w>", "<option:a> [,] <when:w>")
def _phase_after(parse: Parse, a: Part, w: Part) -> Any:
    """ "Do this at the start of your turn": a timing may follow the verb."""
    if "requires" in w or not set(w.get("timings", ["?"])) <= _PHASES:
        return REFUSE
    if w["timings"][0] in ("YourStartPhase", "YourEndPhase") and any(token.text in _SOMEBODY for token in parse.tokens):
        return REFUSE  # "their turn" and "your turn" are the same words
    both = add_parts(a, w)
    return REFUSE if both.get("conflict") else {**both, "trailing": True}


@G.rule("acts", "<clause:a>")
def _acts_one(parse: Parse, a: Part) -> Any:
    return REFUSE if a.get("conflict") else a


_THEN = "((, | .) [(feito (isto | isso) | entao | em seguida | depois disso) [,]] | e [entao | depois | em seguida] | , e)"


@G.rule("acts", f"<clause:a> {_THEN} <acts:b>")
def _acts_more(parse: Parse, a: Part, b: Part) -> Any:
    if PATIENT in repr(a) and any(token.text == "mesmo" for token in parse.here):
        return REFUSE  # "heal 5 HP and restore 1 SP of the same": the one who is named at the end is meant twice
    both = add_parts(a, b)
    return REFUSE if both.get("conflict") else both


@G.rule("acts", "<clause:a> (, | e | , e | .) [e] <guarded:b>")
def _acts_guarded(parse: Parse, a: Part, b: Part) -> Any:
    both = add_parts(a, b)
    return REFUSE if both.get("conflict") else both


@G.rule("guarded", "se <state:s> [,] <acts:a>")
@G.rule("guarded", "se <outcome:s> [,] <acts:a>", "<outcome:s> [,] <acts:a>")
def _guarded(parse: Parse, s: dict[str, Any], a: Part) -> Any:
    if set(a) - {"do"}:
        return REFUSE
    return do({"op": "if", "cond": s, "then": a["do"]})


# --------------------------------------------------------------------------------------------------------- heads and bodies


@G.rule("head_part", "<limits:p> [,]")
@G.rule("head_part", "<when:p> [,]")
def _head_plain(parse: Parse, p: Part) -> Part:
    return p


@G.rule("head_part", "<while> <state:s> [,]")
def _head_state(parse: Parse, s: dict[str, Any]) -> Part:
    return {"cond": s}


@G.rule("head_part", "durante o seu turno [,]", "no seu turno ,", own=True)
@G.rule("head_part", "fora do seu turno [,]", own=False)
def _head_own_turn(parse: Parse, own: bool) -> Part:
    return {"cond": {"in_turn_of": "self"} if own else {"not": {"in_turn_of": "self"}}}


@G.rule("head_part", "(se | quando | caso | sempre que | toda vez que | cada vez que) <outcome:s> [,]", "<outcome:s> [,]")
def _head_outcome(parse: Parse, s: dict[str, Any]) -> Part:
    return {"outcome": s}


@G.rule("head_part", "apos APLICAR o {DMG} ,", "apos resolver o ataque ,", "apos (o | este) ataque ,")
def _head_order(parse: Parse) -> Any:
    """The text of an attack resolves after its damage anyway (R9.1.10)."""
    return {} if parse.context.has_bar else REFUSE


@G.rule(
    "head_part", "apos (RESOLVER | ATIVAR | USAR) este carta ,", "apos (o | a) [seu] (uso | ativacao | resolucao) ,", ends=True
)
@G.rule("head_part", "(quando | ao) [voce] ATIVAR este carta ,", ends=False)
def _head_activated(parse: Parse, ends: bool) -> Any:
    """The text of a card that is activated happens then anyway; with an attack it follows it (R9.1.10)."""
    uses = parse.context.suit in ("Item", "Skill", "Event") and parse.context.technique is None
    return {} if uses and (ends or not parse.context.has_bar) else REFUSE


@G.rule("head_part", "<dur:d> ,")
def _head_until(parse: Parse, d: Any) -> Part:
    return {"until": d}


@G.rule("heads", "<head_part:a>")
@G.rule("heads", "<head_part:a> [e] <heads:b>")
def _heads(parse: Parse, a: Part, b: Part | None = None) -> Any:
    """An end before a window says how long the window stays open, which is more than an instruction can hold."""
    if "until" in a and b is not None and b.get("trigger"):
        return REFUSE
    both = add_parts(a, b or {})
    return REFUSE if both.get("conflict") else both


@G.rule("body", "<acts:a>")
def _body_acts(parse: Parse, a: Part) -> Any:
    """In "A and B" a leading A that the player must give up is a cost (Appendix C.2) and read by the rule below."""
    ops = a.get("do", [])
    return REFUSE if len(ops) > 1 and _gives_up(ops[0]) else a


def _gives_up(op: dict[str, Any]) -> bool:
    if op["op"] == "exhaust":
        return op["cards"] == "this"
    if op["op"] == "move_card":
        own = op["cards"] == "this" or isinstance(op["cards"], dict) and op["cards"].get("of") == SUBJECT
        return own and op["to"] in ("discard", "deck_bottom", "banished")
    return op["op"] in ("spend", "lose_hp") and op.get("who") == SUBJECT


@G.rule("body", "<option:o>")
def _body_option(parse: Parse, o: Part) -> Part:
    return o


@G.reader("you", "voce", empty=True)
def _you(parse: Parse, place: int) -> Iterator[tuple[int, None]]:
    """ "You", or nothing where the sentence has named nobody else before."""
    words = [token.text for token in parse.tokens[:place]]
    if place < len(parse.tokens) and parse.tokens[place].text == "voce":
        yield place + 1, None
    elif place and not set(words) & _SOMEBODY and words[-1] == ",":
        yield place, None


@G.rule("option", "<you> PODER <acts:a>")
def _body_may(parse: Parse, a: Part) -> Part:
    return {**a, "may": True}


@G.rule("agent", "este personagem")
def _agent(parse: Parse) -> Any:
    return parse.context.this_char


@G.reader("agent", "ele")
def _agent_it(parse: Parse, place: int) -> Iterator[tuple[int, Any]]:
    if place < len(parse.tokens) and parse.tokens[place].text == "ele":
        named = antecedent(parse, place) if place else None
        if named in (None, parse.context.this_char):
            yield place + 1, parse.context.this_char


@G.rule("agent", "o heroi")
def _agent_hero(parse: Parse) -> Any:
    return "host_hero" if parse.context.companion else REFUSE


@G.rule("body", "este personagem PODER PERDER (esse | essa) {HP} ao inves")
def _body_loses_instead(parse: Parse) -> Any:
    return (
        {**do({"op": "redirect", "damage": "current", "to": "this_char"}), "may": True} if parse.context.companion else REFUSE
    )


@G.rule("sentence", "enquanto o alvo POSSUIR [o | um] <marker:m> , no inicio do turno dele , <acts:a>")
def _each_turn_of_target(parse: Parse, m: str, a: Part) -> Any:
    if set(a) != {"do"} or not parse.context.has_range:
        return REFUSE
    marked = {"op": "if", "cond": {"has_marker": ["target", m]}, "then": a["do"]}
    return do({"op": "delayed", "when": {"event": "turn_start", "who": "target"}, "do": [marked]})


@G.rule("sentence", "se voce for CONSUMIR ate <int:n> de <onenergy:e> , voce PODER CONSUMIR esta carta ao inves")
def _spend_this_instead(parse: Parse, n: int, e: str) -> Part:
    event = {"event": "spend", "res": e, "max": n, "who": "self", "phase": "before"}
    return {
        "requires": [{"when": event}],
        "task": "Exhaust",
        **do({"op": "negate", "what": "payment"}),
        "trigger": True,
        "may": True,
    }


@G.rule("body", "se HAVER outro <people:p> no [seu] {SUPPORT} , DESCARTAR (-os | -as)")
def _discard_others(parse: Parse, p: dict[str, Any]) -> Any:
    if "other" in p or p.get("kind") in (None, "Hero", "Companion"):
        return REFUSE
    others = {"zone": "support", "of": "self", **p, "not": "this", "n": "all"}
    return do({"op": "move_card", "cards": others, "to": "discard"})


@G.rule("sentence", "se voce ATACAR um alvo , <acts:a> apos o ataque resolver")
def _after_attacking(parse: Parse, a: Part) -> Any:
    event = {"requires": [{"when": {"event": "attack_resolved", "who": "self"}}], "trigger": True}
    both = add_parts(event, a)
    return REFUSE if both.get("conflict") else both


@G.rule("option", "<who:w> PODER <acts:a>")
def _body_other_may(parse: Parse, w: Any, a: Part) -> Any:
    """Somebody else is asked whether it happens."""
    told = with_subject(a, w) if any(slot in repr(a) for slot in (SUBJECT, PATIENT, NAMED)) else a
    if w not in ("event.who", "event.target", "target", "attacker") or set(told) != {"do"}:
        return REFUSE
    return do({"op": "may", "by": w, "do": told["do"]})


@G.rule("option", "<agent:w> PODER <acts:a>")
def _body_who_may(parse: Parse, w: Any, a: Part) -> Any:
    told = with_subject(a, w)
    return REFUSE if told.get("conflict") else {**told, "may": True}


@G.rule("option", "<you> PODER <costs:c> [,] (para | e) <acts:a>", "<you> PODER <limits:l> <costs:c> para <acts:a>", told=False)
@G.rule("option", "<costs:c> ([,] (para | e) | ,) <acts:a>", told=True)
def _body_cost(parse: Parse, c: Part, a: Part, told: bool, l: Part | None = None) -> Any:  # noqa: E741
    if any(need.get("pay", {}).get("bind") == "k" for need in c.get("requires", [])):
        a = substitute(a, "X", "k")
    both = add_parts(l or {}, c, a)
    return REFUSE if both.get("conflict") else {**both, "may": True, "paid": True, **({"told": True} if told else {})}


@G.rule("option", "[<you> PODER] <costs:c> . (se | caso) (fizer isso | fizer isto | o fizer | faca isso) [,] <acts:a>")
def _body_cost_done(parse: Parse, c: Part, a: Part) -> Any:
    both = add_parts(c, a)
    return REFUSE if both.get("conflict") else {**both, "may": True, "paid": True}


@G.rule("option", "<agent:w> PODER <costs:c> [,] para <acts:a>")
def _body_who_cost(parse: Parse, w: Any, c: Part, a: Part) -> Any:
    both = add_parts(c, with_subject(a, w))
    if both.get("conflict") or w == "host_hero":
        return REFUSE
    return {**both, "may": True, "paid": True, **({"agent": w} if w != "self" else {})}


@G.rule("body", "<statement:s>")
def _body_statement(parse: Parse, s: Part) -> Any:
    return REFUSE if "until" in s else s


@G.rule("body", "<acts:a> [,] <ifwhen> <happens:h>", "<acts:a> <anytime:h>")
@G.rule("body", "<option:a> [,] <ifwhen> <happens:h>")
def _body_whenever(parse: Parse, a: Part, h: Part) -> Any:
    both = add_parts(h, a)
    return REFUSE if both.get("conflict") else both


@G.rule("body", "<acts:a> (se | caso) <outcome:s>", "<acts:a> (se | caso) <state:s>")
def _body_provided(parse: Parse, a: Part, s: dict[str, Any]) -> Any:
    return do({"op": "if", "cond": s, "then": a["do"]}) if set(a) == {"do"} else REFUSE


@G.rule("body", "<only:o>")
def _body_only(parse: Parse, o: Part) -> Part:
    return {**o, "only": True}


@G.rule("sentence", "<body:b>")
@G.rule("sentence", "<heads:h> <body:b>")
def _sentence(parse: Parse, b: Part, h: Part | None = None) -> Any:
    both = add_parts(h or {}, b)
    if both.get("conflict") or (b.get("only") and h):
        return REFUSE
    if "do" in b and h is not None and set(h) == {"cond"} and not both.get("may") and parse.tokens[0].text == "quando":
        return REFUSE  # an instruction at the moment when a state begins: no window opens there
    return _guard(both) if "do" in both else both


def _guard(part: Part) -> Part:
    """Fold a condition at the head into the instructions, unless a window or an option makes it a requirement."""
    if part.get("may") or part.get("trigger") or part.get("inside"):
        return part
    ops = part["do"]
    for key in ("cond", "outcome"):
        if key in part:
            ops = [{"op": "if", "cond": part[key], "then": ops}]
    return {**{k: v for k, v in part.items() if k not in ("cond", "outcome")}, "do": ops}
