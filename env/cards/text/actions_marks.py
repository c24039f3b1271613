"""Verb phrases about markers, counters, Entities and turns."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.actions import do, spread, target_needs
from apotheosis.env.cards.text.base import SUBJECT, G, Part, merged
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.lexicon import KNOWLEDGES


@G.rule("vp", "(ADICIONAR | COLOCAR | APLICAR | INFLIGIR) [o | um] <marker:m> <to_whom:t> [desta carta]")
def _add_marker(parse: Parse, m: str, t: tuple[Any, list[Any]]) -> Part:
    return do(*spread([{"op": "add_marker", "marker": m, "to": t[0]}], "to"), requires=t[1])


@G.rule("vp", "(OBTER | RECEBER | GANHAR) [o | um] <marker:m>", "FICAR com [o | um] <marker:m>")
def _get_marker(parse: Parse, m: str) -> Part:
    return do({"op": "add_marker", "marker": m, "to": SUBJECT})


@G.rule("vp", "(REMOVER | PERDER) [o | um | os | todos os] [seu] <marker:m> [<of_whom:t>]")
def _remove_marker(parse: Parse, m: str, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "remove_marker", "marker": m, "from": t[0]}], "from"), requires=t[1])


@G.rule("vp", "REMOVER todos os <marker:m> do tabuleiro")
def _remove_everywhere(parse: Parse, m: str) -> Part:
    return do({"op": "remove_marker", "marker": m, "from": "all"})


@G.rule("vp", "REMOVER <num:n> {COUNTER} de cartas do alvo")
def _remove_any_counter(parse: Parse, n: int) -> Part:
    return do({"op": "remove_counter", "counter": "chosen", "from": {"cards_of": "target"}, "n": n})


@G.rule("vp", "REMOVER <atmost:n> {COUNTER} de uma de suas cartas")
def _remove_counters_of_one(parse: Parse, n: int) -> Part:
    chosen = {"op": "choose", "cards": {"cards_of": "self"}, "n": 1, "bind": "k"}
    return do(chosen, {"op": "remove_counter", "counter": "chosen", "from": "k", "n": [0, n]})


@G.rule("vp", "REMOVER todos os {MARKER} [<of_whom:t>]")
def _remove_all_markers(parse: Parse, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "remove_marker", "marker": "all", "from": t[0]}], "from"), requires=t[1])


@G.rule("vp", "REMOVER <num:n> {MARKER} [<of_whom:t>]")
def _remove_some(parse: Parse, n: int, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do({"op": "remove_marker", "marker": "chosen", "from": t[0], "n": n}, requires=t[1])


@G.rule(
    "vp",
    "(ADICIONAR | COLOCAR) <num:n> <counter:c> (a | em | neste | nesta) [esta] (carta | ela)",
    "ADICIONAR <num:n> <counter:c>",
)
def _add_counter(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "add_counter", "counter": c, "to": "this", "n": n})


@G.rule("vp", "REMOVER <num:n> <counter:c> desta carta")
def _remove_counter(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "remove_counter", "counter": c, "from": "this", "n": n})


@G.rule("vp", "REMOVER todos os <counter:c> desta carta")
def _remove_counters(parse: Parse, c: str) -> Part:
    return do({"op": "remove_counter", "counter": c, "from": "this", "n": "all"})


@G.rule(
    "vp",
    "(ADICIONAR | COLOCAR) <num:n> <counter:c> (em | no | a | na) (carta | um carta) de <suit:z> de <selected:s>",
    "(ADICIONAR | COLOCAR) <num:n> <counter:c> (em | no | a | na) (carta | um carta) de <suit:z> <ofwho:w>",
)
def _add_counter_to_card(parse: Parse, n: int, c: str, z: str, s: dict[str, Any] | None = None, w: Any = None) -> Any:
    if z not in ("House", "Class", "Entity"):
        return REFUSE
    who, needs = (w, []) if s is None else ("target", target_needs(s))
    return do({"op": "add_counter", "counter": c, "to": {"zone": "sheet", "suit": z, "of": who}, "n": n}, requires=needs)


@G.rule(
    "vp",
    "ADICIONAR <num:n> <counter:c> a <selected:s> [com <tag:t>]",
    "ADICIONAR <num:n> <counter:c> a um {COMPANION} com <tag:t> no seu time",
)
def _add_counter_selected(parse: Parse, n: int, c: str, s: dict[str, Any] | None = None, t: str | None = None) -> Any:
    both = merged(s or {"chars": "allies", "kind": "Companion"}, {"tag": t} if t else None)
    return (
        REFUSE
        if both is REFUSE
        else do({"op": "add_counter", "counter": c, "to": "target", "n": n}, requires=target_needs(both))
    )


@G.rule("vp", "ADORMECER todos os {ENTITY} a ate <num:n> casas do alvo")
def _sleep_around(parse: Parse, n: int) -> Part:
    near = {"chars": "all", "within": n, "of": "target", "entity_awake": True}
    return do({"op": "for_each", "in": near, "do": [{"op": "sleep_entity", "who": "it"}]})


@G.rule("vp", "ADORMECER todos os {ENTITY} na {AREA}")
def _sleep_area(parse: Parse) -> Any:
    if not parse.context.area:
        return REFUSE
    near = {"chars": "all", "in_area": True, "entity_awake": True}
    return do({"op": "for_each", "in": near, "do": [{"op": "sleep_entity", "who": "it"}]})


@G.rule("vp", "DESPERTAR [o] [seu] {ENTITY}")
def _awaken(parse: Parse) -> Part:
    return do({"op": "awaken", "who": SUBJECT})


@G.rule("vp", "ADORMECER [o] [seu] {ENTITY}")
def _fall_asleep(parse: Parse) -> Part:
    return do({"op": "sleep_entity", "who": SUBJECT})


@G.rule("vp", "(GANHAR | RECEBER | TER) um turno extra [apos este]")
def _extra_turn(parse: Parse) -> Part:
    return do({"op": "extra_turn", "who": SUBJECT})


@G.rule("vp", "pular [o] [seu] proximo turno <ofwho:w>", "pular o proximo turno <ofwho:w>")
def _skips(parse: Parse, w: Any) -> Any:
    return do({"op": "skip_turn", "who": w}) if isinstance(w, str) else REFUSE


@G.rule("vp", "ADICIONAR o <marker:m> ao alvo e <num:n> <counter:c> a esta carta")
def _marker_and_counter(parse: Parse, m: str, n: int, c: str) -> Part:
    return do({"op": "add_marker", "marker": m, "to": "target"}, {"op": "add_counter", "counter": c, "to": "this", "n": n})


@G.rule("vp", "REMOVER um {MARKER} ou <num:n> {COUNTER} do alvo")
def _remove_either(parse: Parse, n: int) -> Part:
    marker = {"op": "remove_marker", "marker": "chosen", "from": "target", "n": 1}
    counter = {"op": "remove_counter", "counter": "chosen", "from": {"cards_of": "target"}, "n": n}
    return do({"op": "choose", "of": [[marker], [counter]]})


@G.rule("vp", "REMOVER <num:n> <counter:c> desta carta ao inves")
def _instead_of_discard(parse: Parse, n: int, c: str) -> Part:
    """Instead of the discard that opened the window; only a card that has the counter can lose it."""
    needs = [{"if": {"gt": [f"counters(this.{c})", 0]}}]
    return do(
        {"op": "negate", "what": "discard"}, {"op": "remove_counter", "counter": c, "from": "this", "n": n}, requires=needs
    )


@G.rule("vp", "ADICIONAR <num:n> <counter:c> aquele {COMPANION}")
def _counter_event(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "add_counter", "counter": c, "to": "event.card", "n": n})


@G.rule("vp", "(encerrar | encerre) seu turno", "(encerrar | encerre) o seu turno")
def _end_turn(parse: Parse) -> Part:
    return do({"op": "end_turn", "who": "self"})


@G.rule("vp", "(encerrar | encerre) o turno [dele | daquele personagem]")
def _end_that_turn(parse: Parse) -> Any:
    """Whose turn it is must be said by the window."""
    words = [t.text for t in parse.tokens]
    told = any(words[i : i + 4] == ["turno", "de", "um", "personagem"] for i in range(len(words)))
    return do({"op": "end_turn", "who": "event.who"}) if told else REFUSE


@G.rule("vp", "PERDER o [seu] proximo turno", "PERDER seu proximo turno")
def _skip(parse: Parse) -> Part:
    return do({"op": "skip_turn", "who": SUBJECT})


@G.rule(
    "vp",
    "DECLARAR <int:n> {KNOWLEDGE} , podendo repeticoes , para RECEBER <bonus:b> em cada enquanto esta carta "
    "PERMANECER na {SHEET}",
)
def _declare(parse: Parse, n: int, b: int) -> Part:
    """One knowledge after another is chosen, so that one may be chosen again; Free is none (R3.6.1)."""
    raised = {"op": "mod", "q": "knowledge", "add": b, "until": "while_this_in_zone"}
    options = [[{**raised, "by": {"knowledge": one}}] for one in KNOWLEDGES.values() if one != "Free"]
    return do({"op": "repeat", "n": n, "do": [{"op": "choose", "of": options}]})


@G.rule("vp", "DESPERTAR o {ENTITY} <of_whom:t>", op="awaken")
@G.rule("vp", "ADORMECER o {ENTITY} <of_whom:t>", op="sleep_entity")
def _turn_entity(parse: Parse, t: tuple[Any, list[Any]], op: str) -> Any:
    return do({"op": op, "who": t[0]}, requires=t[1]) if t[0] != "target" or t[1] or op == "awaken" else REFUSE


@G.rule("vp", "ADORMECER o {ENTITY} do alvo")
def _sleep(parse: Parse) -> Part:
    return do({"op": "sleep_entity", "who": "target"})
