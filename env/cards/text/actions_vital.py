"""Verb phrases about hit points, energy, action points and currencies."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.actions import GROUPS, PATIENT, do, spread, target_needs
from apotheosis.env.cards.text.base import SUBJECT, G, Part, hp
from apotheosis.env.cards.text.grammar import REFUSE, Parse


@G.rule("gains", "<gain:a>")
def _gains_one(parse: Parse, a: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return a


@G.rule("gains", "<gain:a> (, | e | , e) <gains:b>")
def _gains_more(parse: Parse, a: list[Any], b: list[Any]) -> list[Any]:
    return [*a, *b]


@G.rule("gain", "<amt:n> de {HP}", "<signedamt:n> de {HP}")
def _gain_hp(parse: Parse, n: Any) -> list[tuple[Any, Any]]:
    return [("HP", n)]


@G.rule("signedamt", "<signed:n>")
def _signed_amount(parse: Parse, n: int) -> Any:
    return n if n > 0 else REFUSE


@G.rule("gain", "<amt:n> [de] {AP} [deste turno]")
def _gain_ap(parse: Parse, n: Any) -> list[tuple[Any, Any]]:
    return [("AP", n)]


@G.rule("gain", "<amt:n> de <onenergy:e>")
def _gain_energy(parse: Parse, n: Any, e: str) -> list[tuple[Any, Any]]:
    return [(e, n)]


@G.rule("gain", "<amt:n> de <onenergy:a> (e / ou | ou) <onenergy:b>")
def _gain_mixed(parse: Parse, n: Any, a: str, b: str) -> list[tuple[Any, Any]]:
    return [((a, b), n)]


@G.rule("gain", "<amt:n> de {ENERGY}")
def _gain_any_energy(parse: Parse, n: Any) -> list[tuple[Any, Any]]:
    return [("ENERGY", n)]


@G.rule("gain", "<amt:n> de <colour:c>")
def _gain_essence(parse: Parse, n: Any, c: str) -> list[tuple[Any, Any]]:
    return [(c, n)]


@G.rule("gain", "<int:n> de {HP} , {SP} e {MP}")
def _gain_three(parse: Parse, n: int) -> list[tuple[Any, Any]]:
    return [("HP", n), ("SP", n), ("MP", n)]


@G.rule("gain", "(toda | todo) [a | o] [sua] {HP}", what=("HP",))
@G.rule("gain", "(toda | todo) [a | o] [sua] {SP}", what=("SP",))
@G.rule("gain", "(toda | todo) [a | o] [sua] {MP}", what=("MP",))
@G.rule("gain", "(toda | todo) [a | o] [sua] {SP} e [o] {MP}", what=("SP", "MP"))
def _gain_all(parse: Parse, what: tuple[str, ...]) -> list[tuple[Any, Any]]:
    return [(one, "all") for one in what]


def gain_ops(parse: Parse, gains: list[tuple[Any, Any]], to: Any) -> list[dict[str, Any]]:
    """Return the instructions that give amounts of HP, energy or other resources to somebody."""
    ops = []
    for what, n in gains:
        if what == "HP":
            ops.append({"op": "heal", "to": to, "n": hp(parse.context, n)})
        else:
            ops.append({"op": "gain", "to": to, "res": list(what) if isinstance(what, tuple) else what, "n": n})
    return ops


@G.rule("vp", "(CURAR | RECUPERAR | RESTAURAR) <gains:g> [<of_whom:t>]")
def _heal(parse: Parse, g: list[Any], t: tuple[Any, list[Any]] | None = None) -> Any:
    if t is None:
        return do(*gain_ops(parse, g, PATIENT if any(what == "HP" for what, _ in g) else SUBJECT))
    who, needs = t
    if isinstance(who, dict) or who in GROUPS:
        return do({"op": "for_each", "in": who, "do": gain_ops(parse, g, "it")})
    return do(*gain_ops(parse, g, who), requires=needs)


@G.rule("vp", "(CURAR | RECUPERAR | RESTAURAR) <gains:a> [,] e (CURAR | RECUPERAR | RESTAURAR) <gains:b> <thesame:w>")
def _heal_both(parse: Parse, a: list[Any], b: list[Any], w: Any) -> Part:
    return do(*gain_ops(parse, [*a, *b], w))


@G.rule("gains_same", "a mesma quantidade (em | de) {HP}", "uma quantidade igual (em | de) {HP}")
def _same_amount(parse: Parse) -> str:
    return "same"


@G.rule(
    "vp",
    "(CURAR | RECUPERAR) uma quantidade de {HP} igual (a | ao) metade (da | do) {INJURY} causado [por este ataque]",
    n="half(last.hp)",
)
@G.rule("vp", "(CURAR | RECUPERAR) uma quantidade de {HP} igual (a | ao) {INJURY} causado [por este ataque]", n="last.hp")
def _heal_injury(parse: Parse, n: str) -> Part:
    return do({"op": "heal", "to": SUBJECT, "n": n})


@G.rule("vp", "(CURAR | RECUPERAR) <gains_same> [<of_whom:t>]")
def _heal_same(parse: Parse, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Any:
    """As much HP as the injury just named took (R13.11); only where the sentence names one."""
    words = [t.text for t in parse.tokens]
    if "{INJURY}" not in words:
        return REFUSE
    return do(*spread([{"op": "heal", "to": t[0], "n": "last.hp"}], "to"), requires=t[1])


@G.rule(
    "vp",
    "CURAR {HP} <ofwho:to> em uma quantidade igual ao {DMG} causado",
    "CURAR <ofwho:to> uma quantidade de {HP} igual ao {DMG} causado",
)
def _heal_damage(parse: Parse, to: Any) -> Part:
    return do({"op": "heal", "to": to, "n": "last.damage"})


@G.rule("gain", "[um quantidade de] {HP} igual (a | ao) <level:n>")
def _gain_level_hp(parse: Parse, n: str) -> list[tuple[Any, Any]]:
    return [("HP", n)]


@G.rule("gain", "[um quantidade de] (<onenergy:e> | <colour:e>) igual (a | ao) <level:n>")
def _gain_level(parse: Parse, n: str, e: str) -> list[tuple[Any, Any]]:
    return [(e, n)]


@G.rule("vp", "(PERDER | REMOVER) [um quantidade de] {HP} igual (a | ao) <level:n> [<of_whom:t>]")
def _lose_level(parse: Parse, n: str, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "lose_hp", "who": t[0], "n": hp(parse.context, n)}], "who"), requires=t[1])


@G.rule("vp", "CURAR uma quantidade de {HP} igual a <amt:n> [do mesmo]")
def _heal_formula(parse: Parse, n: Any) -> Part:
    return do({"op": "heal", "to": SUBJECT, "n": n})


@G.rule("salvation", "uma <name:n>")
def _salvation(parse: Parse, n: str) -> Any:
    return n if n == "Salvação Divina" else REFUSE


@G.rule("vp", "OBTER <salvation> [de <int:n> de {HP}] [para <that_one:who>]")
def _save(parse: Parse, n: int = 1, who: Any = None) -> Any:
    return do({"op": "save", "who": who or SUBJECT, "hp": 1}) if n == 1 else REFUSE


@G.rule("vp", "(se manter | PERMANECER | FICAR) com <int:n> de {HP}")
def _stay(parse: Parse, n: int) -> Any:
    return do({"op": "save", "who": SUBJECT, "hp": 1}) if n == 1 else REFUSE


@G.rule("vp", "(RECEBER | GANHAR | OBTER) <amt:n> de {AP}")
def _receive_ap(parse: Parse, n: Any) -> Part:
    return do({"op": "gain", "to": SUBJECT, "res": "AP", "n": n})


@G.rule("vp", "(OBTER | RECEBER | GANHAR) <int:n> de <currency:c>", "ADICIONAR <int:n> de <currency:c> ao [seu] {INV}")
def _currency(parse: Parse, n: int, c: str) -> Part:
    return do({"op": "gain_currency", "to": SUBJECT, "cur": c, "n": n})


@G.rule("vp", "(PERDER | REMOVER) <amt:n> de {HP} [adicionalmente] [<of_whom:t>]")
def _lose(parse: Parse, n: Any, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "lose_hp", "who": t[0], "n": hp(parse.context, n)}], "who"), requires=t[1])


@G.rule("vp", "(CONSUMIR | DEITAR | PERDER) <amt:n> de <energies:e> [<of_whom:t>]")
def _spend(parse: Parse, n: Any, e: list[str], t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "spend", "who": t[0], "energy": e, "n": n}], "who"), requires=t[1])


@G.rule("vp", "[entao] (CONSUMIR | DEITAR | PERDER) (toda | todo) [a] [sua] {SP} e {MP}", both=("SP", "MP"))
@G.rule("vp", "(CONSUMIR | DEITAR | PERDER) (toda | todo) [a] [sua] {SP}", both=("SP",))
@G.rule("vp", "(CONSUMIR | DEITAR | PERDER) (toda | todo) [a] [sua] {MP}", both=("MP",))
def _spend_all(parse: Parse, both: tuple[str, ...]) -> Part:
    return do(*({"op": "spend", "who": SUBJECT, "energy": [one], "n": "all"} for one in both))


@G.rule("vp", "(CONSUMIR | PERDER) <int:n> de {ENERGY} [<of_whom:t>]")
def _spend_any(parse: Parse, n: int, t: tuple[Any, list[Any]] = (SUBJECT, [])) -> Part:
    return do(*spread([{"op": "spend", "who": t[0], "energy": ["ENERGY"], "n": n}], "who"), requires=t[1])


@G.rule("vp", "PERDER <amt:n> de {AP}")
def _lose_ap(parse: Parse, n: Any) -> Part:
    return do({"op": "spend", "who": SUBJECT, "res": "AP", "n": n})


@G.rule("vp", "PAGAR <int:n> de {AP}")
def _spend_ap(parse: Parse, n: int) -> Part:
    return do({"op": "spend", "who": SUBJECT, "res": "AP", "n": n})


@G.rule("revived", "[o] alvo")
def _revive_target(parse: Parse) -> Any:
    return "target", []


@G.rule("revived", "[o] mesmo", "-lo")
def _revive_same(parse: Parse) -> Any:
    return "event.who", []


@G.rule("revived", "um <people:p> [morto] [<team:t>] [morto]", "um [dos] seus <people:p> no tabuleiro")
def _revive_one(parse: Parse, p: dict[str, Any], t: str | None = None) -> Any:
    if "other" in p or t == "enemies":
        return REFUSE
    if t is not None:
        return "target", [{"target": {"chars": "dead", "team": "ally", **p}}]
    own = any(t.text == "seu" for t in parse.here)
    return "target", [{"target": {"chars": "dead", **({"of": "self"} if own else {}), **p}}]


@G.rule("vp", "REVIVER <revived:r> (em | com) <int:n> de {HP}")
def _revive(parse: Parse, r: tuple[Any, list[Any]], n: int) -> Part:
    who, needs = r
    return do({"op": "revive", "who": who, "hp": 1 if n == 1 else hp(parse.context, n)}, requires=needs)


@G.rule("vp", "REVIVER todos os herois do seu time (em | com) <int:n> de {HP}")
def _revive_all(parse: Parse, n: int) -> Part:
    return do(
        {
            "op": "for_each",
            "in": {"chars": "dead", "team": "ally", "kind": "Hero"},
            "do": [{"op": "revive", "who": "it", "hp": 1 if n == 1 else hp(parse.context, n)}],
        }
    )


@G.rule("vp", "(CURAR | RECUPERAR | RESTAURAR) [a] metade (de | do) {HP} (maxima | maximo) <ofwho:w>")
@G.rule("vp", "(CURAR | RECUPERAR | RESTAURAR) [a] metade (de | do) seu {HP} (maxima | maximo)")
def _heal_half(parse: Parse, w: Any = SUBJECT) -> Any:
    if not isinstance(w, str) or w in GROUPS:
        return REFUSE
    return do({"op": "heal", "to": w, "n": f"half(hp_max({w}))"})


@G.rule("vp", "CURAR a mesma quantidade [,] de <selected:s>")
def _heal_paid_amount(parse: Parse, s: dict[str, Any]) -> Any:
    """As much HP as was paid; a card in units would have to scale an amount that is chosen (R13.12)."""
    return REFUSE if parse.context.scaled else do({"op": "heal", "to": "target", "n": "X"}, requires=target_needs(s))


_DECK_CURRENCIES = {"market": "PRICE", "academy": "XP", "bestiary": "WILL", "sanctuary": "FATE"}


@G.rule("vp", "OBTER a mesma quantidade da pilha de descarte (do | da) <deckmac:d>")
def _currency_from_pile(parse: Parse, d: str) -> Any:
    if d not in _DECK_CURRENCIES:
        return REFUSE
    return do({"op": "gain_currency", "to": SUBJECT, "cur": _DECK_CURRENCIES[d], "n": "X", "from": "discard"})


@G.rule("vp", "(CURAR | RECUPERAR) uma quantidade de {HP} do alvo igual a {HP} atual do mesmo", n="hp(target)")
@G.rule(
    "vp",
    "(CURAR | RECUPERAR) uma quantidade de {HP} do alvo igual a quantidade de {HP} que este <name> POSSUIR",
    n="hp(this_char)",
)
def _heal_like(parse: Parse, n: str) -> Any:
    return do({"op": "heal", "to": "target", "n": n}) if parse.context.companion else REFUSE


@G.rule(
    "vp",
    "(RECUPERAR | RESTAURAR) [a] metade (desse valor | daquele valor | desta quantidade) (em | de) <colour:e>",
    "(RECUPERAR | RESTAURAR) [a] metade (desse valor | desta quantidade) (em | de) <onenergy:e>",
)
def _gain_half_paid(parse: Parse, e: str) -> Part:
    return do({"op": "gain", "to": SUBJECT, "res": e, "n": "half(X)"})


@G.rule("vp", "(RECUPERAR | CURAR) a mesma quantidade de <onenergy:e>", "(RECUPERAR | CURAR) a mesma quantidade de <colour:e>")
def _gain_paid(parse: Parse, e: str) -> Part:
    return do({"op": "gain", "to": SUBJECT, "res": e, "n": "X"})


@G.rule("vp", "OBTER a mesma quantidade de <currency:c> (da | do) <deckmac:d>")
def _currency_paid(parse: Parse, c: str, d: str) -> Part:
    return do({"op": "gain_currency", "to": SUBJECT, "cur": c, "n": "X", "from": d})


@G.rule("vp", "ADICIONAR a mesma quantidade em <currency:c> ao {INV} de <selected:s>")
def _currency_given(parse: Parse, c: str, s: dict[str, Any]) -> Part:
    return do({"op": "gain_currency", "to": "target", "cur": c, "n": "X"}, requires=target_needs(s))


@G.rule("vp", "CURAR {HP} igual a lp {FATE} descartada ✖ <int:n> rp")
def _heal_paid(parse: Parse, n: int) -> Any:
    return REFUSE if parse.context.scaled else do({"op": "heal", "to": SUBJECT, "n": f"mul({n},X)"})


@G.rule("vp", "REMOVER <int:n> de {HP} de todas as pecas na area desta tecnica , exceto deste personagem")
def _area_loss(parse: Parse, n: int) -> Any:
    if not parse.context.area:
        return REFUSE
    loss = {"op": "lose_hp", "who": "it", "n": hp(parse.context, n)}
    return do({"op": "for_each", "in": {"chars": "all", "in_area": True, "exclude": "this_char"}, "do": [loss]})


@G.rule("vp", "(COMECAR | INICIAR) [o | os] [seu] (proximo turno | proximos turnos) com <signed:n> de {AP}")
def _less_ap(parse: Parse, n: int) -> Part:
    return do({"op": "mod", "q": "ap.start_of_turn", "add": n, "on": SUBJECT, "until": "end_of_target_next_turn"})
