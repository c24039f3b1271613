"""What a text asks to be paid: costs before a "to ...", costs in requirement brackets, and tasks on the card itself."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, Part, add_parts, any_of, hp
from apotheosis.env.cards.text.grammar import REFUSE, Parse


def pay(**what: Any) -> Part:
    """Return a part with one payment."""
    return {"requires": [{"pay": what}]}


_PLACES = {"inventory": "Hand", "support": "Table", "memento": "Table", "equipment": "Table", "table": "Table"}


@G.rule("cost", "DESCARTAR <itself:c> [<fromzone:z>]", task="Discard")
@G.rule("cost", "ENTERRAR <itself:c> [<fromzone:z>]", task="Bury")
@G.rule("cost", "BANIR <itself:c> [<fromzone:z>]", task="Banish")
@G.rule("cost", "CONSUMIR <itself:c> [<fromzone:z>]", task="Exhaust")
def _task(parse: Parse, c: str, task: str, z: str | None = None) -> Any:
    if z is not None and z not in _PLACES:
        return REFUSE
    return {"task": task, **({} if z is None else {"scopes": [_PLACES[z]]})}


@G.rule("cost", "DESCARTAR <int:n> de <currency:c>")
def _currency(parse: Parse, n: int, c: str) -> Part:
    return pay(currency=c, n=n)


@G.rule("cost", "DESCARTAR [uma quantidade de] <currency:c>")
def _currency_x(parse: Parse, c: str) -> Part:
    return pay(currency=c, n="X")


def _discard(verb: str, n: int, filters: dict[str, Any]) -> Part:
    return pay(**{verb: {"n": n, **({"filter": filters} if filters else {})}})


@G.rule("cost", "DESCARTAR <some:s>", verb="discard")
@G.rule("cost", "ENTERRAR <some:s>", verb="bury")
@G.rule("cost", "BANIR <some:s>", verb="banish")
@G.rule("cost", "REVELAR <some:s>", verb="reveal")
@G.rule("cost", "CONSUMIR <some:s>", verb="exhaust")
def _cards(parse: Parse, s: dict[str, Any], verb: str) -> Any:
    rest = {key: value for key, value in s.items() if key != "n"}
    return REFUSE if "of" in rest else _discard(verb, s["n"], rest)


@G.rule("cost", "DESCARTAR um recurso")
def _resource(parse: Parse) -> Part:
    return _discard("discard", 1, {"category": "resource"})


@G.rule("cost", "(CONSUMIR | PAGAR | DEITAR | GASTAR) <int:n> de <energies:e>")
def _energy(parse: Parse, n: int, e: list[str]) -> Part:
    return pay(energy=e, n=n)


@G.rule("cost", "CONSUMIR [uma quantidade de] <energies:e>")
def _energy_x(parse: Parse, e: list[str]) -> Part:
    return pay(energy=e, n="X")


@G.rule("cost", "(CONSUMIR | DEITAR | PAGAR | GASTAR) <int:n> de <colour:c>")
def _essence(parse: Parse, n: int, c: str) -> Part:
    return pay(energy=[c], n=n)


@G.rule("cost", "(CONSUMIR | DEITAR | PAGAR | GASTAR) <int:n> de (energia | {ENERGY})")
def _any_energy(parse: Parse, n: int) -> Part:
    return pay(energy=["SP", "MP", "ESSENCE"], n=n)


@G.rule("cost", "CONSUMIR uma quantidade de (energia | {ENERGY})")
def _any_energy_x(parse: Parse) -> Part:
    return pay(energy=["SP", "MP", "ESSENCE"], n="X")


@G.rule("cost", "PAGAR <int:n> de {AP}")
def _ap(parse: Parse, n: int) -> Part:
    return pay(ap=n)


@G.rule("cost", "(REMOVER | PAGAR | PERDER) <int:n> de {HP}")
def _hp(parse: Parse, n: int) -> Part:
    return pay(hp=hp(parse.context, n))


@G.rule("cost", "(REMOVER | PAGAR | PERDER) <int:n> de {HP} deste personagem")
def _hp_here(parse: Parse, n: int) -> Part:
    return pay(hp=hp(parse.context, n), **{"from": parse.context.this_char})


@G.rule("cost", "DESCARTAR um anexo [de <items:i>] desta carta")
def _attachment(parse: Parse, i: list[dict[str, str]] | None = None) -> Part:
    return _discard("discard", 1, {"zone": "attachments", "of": parse.context.this_char, **(any_of(i) if i else {})})


@G.rule("cost", "REMOVER todos os <counter:c> desta carta")
def _all_counters(parse: Parse, c: str) -> Part:
    return pay(counter=c, **{"from": "this"}, n="all", bind="k")


@G.rule("cost", "ENVIAR <itself:c> para o {INV}")
def _return(parse: Parse, c: str) -> Part:
    return pay(inventory=c)


@G.rule("cost", "REMOVER uma quantidade de {HP}", "REMOVER uma quantidade da sua {HP}")
def _hp_x(parse: Parse) -> Any:
    return REFUSE if parse.context.scaled else pay(hp="X")


@G.rule("cost", "REMOVER <num:n> <counter:c> [desta carta]")
def _counter(parse: Parse, n: int, c: str) -> Part:
    return pay(counter=c, **{"from": "this"}, n=n)


@G.rule("cost", "REMOVER uma quantidade de <counter:c> desta carta")
def _counter_x(parse: Parse, c: str) -> Part:
    return pay(counter=c, **{"from": "this"}, n="X")


@G.rule("cost", "REMOVER <num:n> <counter:c> de suas cartas")
def _counter_own(parse: Parse, n: int, c: str) -> Part:
    return pay(counter=c, **{"from": {"cards_of": "self"}}, n=n)


@G.rule("cost", "REMOVER <num:n> <counter:c> de cartas do seu time")
def _counter_team(parse: Parse, n: int, c: str) -> Part:
    return pay(counter=c, **{"from": {"cards_of": "allies"}}, n=n)


@G.rule("cost", "REMOVER o seu <marker:m>", "REMOVER o <marker:m> de voce")
def _marker(parse: Parse, m: str) -> Part:
    return pay(marker=m, **{"from": "self"})


@G.rule("cost", "REMOVER o <marker:m> do alvo")
def _marker_target(parse: Parse, m: str) -> Part:
    return pay(marker=m, **{"from": "target"})


@G.rule("cost", "REMOVER o <marker:m> daquele alvo")
def _marker_event(parse: Parse, m: str) -> Part:
    return pay(marker=m, **{"from": "event.who"})


@G.rule("cost", "ADORMECER o [seu] {ENTITY}")
def _sleep(parse: Parse) -> Part:
    return {"requires": [{"if": {"entity_awake": "self"}}], "do": [{"op": "sleep_entity", "who": "self"}]}


@G.rule("cost", "SACRIFICAR o [seu] turno [dele]")
def _all_in(parse: Parse) -> Part:
    return {"limits": ["AllIn"]}


@G.rule("cost", "ENTERRAR <itself:c> e <some:s>", verb="bury", task="Bury")
@G.rule("cost", "DESCARTAR <itself:c> e <some:s>", verb="discard", task="Discard")
def _itself_and(parse: Parse, c: str, s: dict[str, Any], verb: str, task: str) -> Any:
    rest = {key: value for key, value in s.items() if key != "n"}
    return REFUSE if "of" in rest else {"task": task, **_discard(verb, s["n"], rest)}


@G.rule("cost", "PAGAR <int:n> de {HP} [,] e <int:m> de <energies:e>")
def _hp_and_energy(parse: Parse, n: int, m: int, e: list[str]) -> Part:
    return add_parts(pay(hp=hp(parse.context, n)), pay(energy=e, n=m))


@G.rule("costs", "<cost:a>")
def _one(parse: Parse, a: Part) -> Part:
    return a


@G.rule("costs", "<cost:a> (, | e | , e) <costs:b>")
def _several(parse: Parse, a: Part, b: Part) -> Any:
    both = add_parts(a, b)
    return REFUSE if both.get("conflict") else both
