"""On what condition: states of the game and outcomes of the running attack."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, Part, hp
from apotheosis.env.cards.text.grammar import REFUSE, Parse


@G.rule("state", "<who:w> POSSUIR [o | um] <marker:m>", "<who:w> TER [o | um] <marker:m>")
def _has_marker(parse: Parse, w: Any, m: str) -> Any:
    return {"has_marker": [w, m]} if isinstance(w, str) else REFUSE


_OTHERS = frozenset({"alvo", "personagem", "personagens", "heroi", "herois", "atacante", "ele", "{COMPANION}"})


def speaks_of_owner(parse: Parse) -> bool:
    """Whether a clause without a subject can only be about the owner: the sentence names nobody else."""
    return not any(token.text in _OTHERS for token in parse.tokens)


@G.rule("state", "POSSUIR [o | um] <marker:m>", "[ESTAR] com [o | um] <marker:m>", has=True)
@G.rule("state", "nao POSSUIR [o | um] <marker:m>", "[ESTAR] sem [o | um] <marker:m>", has=False)
def _own_marker(parse: Parse, m: str, has: bool) -> Any:
    named = {token.text for token in parse.tokens} & _OTHERS
    if parse.context.technique is not None or named - {"alvo"}:
        return REFUSE
    held = {"has_marker": ["target" if named else "self", m]}
    return held if has else {"not": held}


def _bounded_hp(parse: Parse, who: str, bound: tuple[str, int]) -> dict[str, Any]:
    """Thresholds of HP are printed in the scale of the card; a threshold of one point stays one (R13.12)."""
    test, n = bound
    return {test: [f"hp({who})", n if n == 1 else hp(parse.context, n)]}


@G.rule("state", "(ESTAR com | POSSUIR | TER) <bound:b> de {HP}")
def _own_hp_bound(parse: Parse, b: tuple[str, int]) -> Any:
    if not speaks_of_owner(parse) or parse.context.technique is not None:
        return REFUSE
    return _bounded_hp(parse, "self", b)


@G.rule("state", "POSSUIR <some:s>", "TER <some:s>", has=True)
@G.rule("state", "nao POSSUIR <some:s>", "nao TER <some:s>", has=False)
def _own_card(parse: Parse, s: dict[str, Any], has: bool) -> Any:
    if not speaks_of_owner(parse) or "zone" not in s or "of" in s or s["n"] != 1:
        return REFUSE
    held = {"has_card": {"of": "self", **{key: value for key, value in s.items() if key != "n"}}}
    return held if has else {"not": held}


@G.rule("state", "(voce nao POSSUIR | voce nao TER | nao POSSUIR | nao TER) cartas <fromzone:z>")
def _no_cards(parse: Parse, z: str) -> Any:
    return {"not": {"has_card": {"of": "self", "zone": z}}} if speaks_of_owner(parse) else REFUSE


@G.rule("state", "[o] [seu] {ENTITY} (nao ESTAR desperto | ESTAR adormecido)", who="self")
@G.rule("state", "o {ENTITY} do alvo (nao ESTAR desperto | ESTAR adormecido)", who="target")
def _asleep(parse: Parse, who: str) -> dict[str, Any]:
    return {"not": {"entity_awake": who}}


@G.rule("state", "nenhum personagem no tabuleiro POSSUIR o <marker:m>")
def _no_marker(parse: Parse, m: str) -> dict[str, Any]:
    return {"none_on_board_with_marker": m}


@G.rule("state", "(esta carta | ela) POSSUIR <counter:c>", test="gt")
@G.rule("state", "(esta carta | ela) nao POSSUIR <counter:c>", test="eq")
def _has_counter(parse: Parse, c: str, test: str) -> dict[str, Any]:
    return {test: [f"counters(this.{c})", 0]}


@G.rule("state", "[esta carta] [ESTAR] (no | na) [seu] <zonemac:z>")
def _in_zone(parse: Parse, z: str) -> dict[str, Any]:
    return {"in_zone": ["this", z]}


@G.rule("state", "[estiver] no espaco de {ENTITY}")
def _in_entity_slot(parse: Parse) -> dict[str, Any]:
    return {"in_zone": ["this", "entity_slot"]}


@G.rule("state", "[o] [seu] {ENTITY} ESTAR desperto", who="self")
@G.rule("state", "o {ENTITY} do alvo estiver desperto", who="target")
def _awake(parse: Parse, who: str) -> dict[str, Any]:
    return {"entity_awake": who}


@G.rule("state", "voce POSSUIR um {ENTITY}")
def _has_entity(parse: Parse) -> dict[str, Any]:
    return {"has_card": {"zone": "entity_slot", "of": "self"}}


G.table("compared", {
    "(maior | superior) (que | do que | a)": "gt",
    "(menor | inferior) (que | do que | a)": "lt",
    "(maior ou igual | igual ou maior) (que | a)": "ge",
    "(menor ou igual | igual ou menor) (que | a)": "le",
    "igual (a | ao)": "eq",
})  # fmt: skip


@G.rule("quantity", "[seu | a | o] [seu] <attr:a>", "[a | o] <attr:a> <ofwho:w>")
def _attribute_of(parse: Parse, a: str, w: Any = "self") -> Any:
    return f"attr({w},{a})" if isinstance(w, str) and w in ONE else REFUSE


@G.rule("quantity", "[o] seu nivel de <know:k>")
def _level_of(parse: Parse, k: str) -> str:
    return f"know(self,{k})"


@G.rule("state", "<quantity:a> SER [de] <bound:b>")
def _quantity_in(parse: Parse, a: str, b: tuple[str, int]) -> dict[str, Any]:
    return {b[0]: [a, b[1]]}


@G.rule("state", "<quantity:a> SER <compared:test> (<int:b> | <quantity:b>)")
def _quantity_compared(parse: Parse, a: str, test: str, b: Any) -> dict[str, Any]:
    return {test: [a, b]}


@G.rule("state", "<quantity:a> SER <compared:test> (a | o) <ofwho:w>", "<quantity:a> SER <compared:test> [a | o] seu")
def _same_quantity(parse: Parse, a: str, test: str, w: Any = None) -> Any:
    """ "Greater than that of the target": the same quantity of somebody else."""
    other = w or parse.context.this_char
    if not isinstance(other, str) or other not in ONE or not a.startswith("attr("):
        return REFUSE
    owner, attribute = a[5:-1].split(",")
    mine = parse.context.this_char if owner == "self" else owner
    return REFUSE if mine == other else {test: [f"attr({mine},{attribute})", f"attr({other},{attribute})"]}


@G.rule("state", "<who:w> (TER | POSSUIR) [nivel] <bound:b> (de | em) <know:k>")
def _has_known(parse: Parse, w: Any, b: tuple[str, int], k: str) -> Any:
    return {b[0]: [f"know({w},{k})", b[1]]} if isinstance(w, str) and w in ONE else REFUSE


@G.rule("state", "[este personagem | ele] nao ESTAR em uma casa do tipo {AQUA}", negated=True)
@G.rule("state", "[este personagem | ele] em uma casa do tabuleiro do tipo {AQUA}", negated=False)
@G.rule("state", "[este personagem | ele] ESTAR em uma casa [do tabuleiro] do tipo {AQUA}", negated=False)
@G.rule("state", "em uma casa do tabuleiro do tipo {AQUA}", negated=False)
def _on_water(parse: Parse, negated: bool) -> dict[str, Any]:
    there = {"tile_type": [parse.context.this_char, "aqua"]}
    return {"not": there} if negated else there


@G.rule("state", "[este personagem | ele] ESTAR com <int:n> de {HP}")
def _with_hp(parse: Parse, n: int) -> Any:
    return {"eq": [f"hp({parse.context.this_char})", 1]} if n == 1 else REFUSE


ONE = ("self", "this_char", "host_hero", "target", "attacker", "event.who", "event.target", "it")
"""Words for one character, whose numbers can be asked for."""


@G.rule("state", "(voce POSSUIR | voce TER) <some:s>")
@G.rule("state", "(voce POSSUIR | voce TER) <atleast:n> <cards:c> <fromzone:z>")
def _has_card(
    parse: Parse, s: dict[str, Any] | None = None, n: int = 1, c: dict[str, Any] | None = None, z: str | None = None
) -> Any:
    filters = dict(s) if s is not None else {"zone": z, **(c or {}), "n": n}
    if "zone" not in filters or "of" in filters:
        return REFUSE
    count = filters.pop("n")
    if not isinstance(count, int):
        return REFUSE
    return {"has_card": {"of": "self", **filters, **({"n": count} if count > 1 else {})}}


@G.rule("state", "voce (POSSUIR | TER) um <cards:a> e um <cards:b> <fromzone:z>")
def _has_both(parse: Parse, a: dict[str, Any], b: dict[str, Any], z: str) -> dict[str, Any]:
    return {"all_of": [{"has_card": {"zone": z, "of": "self", **one}} for one in (a, b)]}


@G.rule("state", "voce nao (POSSUIR | TER) <some:s>")
def _has_no_card(parse: Parse, s: dict[str, Any]) -> Any:
    filters = {key: value for key, value in s.items() if key != "n"}
    return {"not": {"has_card": {"of": "self", **filters}}} if "zone" in filters and s["n"] == 1 else REFUSE


@G.rule("state", "<who:w> nao (POSSUIR | TER) [o | um] <marker:m>")
def _lacks_marker(parse: Parse, w: Any, m: str) -> Any:
    return {"not": {"has_marker": [w, m]}} if isinstance(w, str) else REFUSE


@G.rule("state", "<who:w> (ESTAR com | TER | POSSUIR) <bound:b> de {HP}")
def _hp_bound(parse: Parse, w: Any, b: tuple[str, int]) -> Any:
    return _bounded_hp(parse, w, b) if isinstance(w, str) and w in ONE else REFUSE


@G.rule("state", "(ESTAR com | TER | POSSUIR) menos (de | do | que) metade (de | do) [seu] {HP} [maximo | maxima]")
def _own_less_than_half(parse: Parse) -> Any:
    if not speaks_of_owner(parse) or parse.context.technique is not None:
        return REFUSE
    return _less_than_half(parse, "self")


@G.rule("state", "<who:w> (ESTAR com | TER | POSSUIR) menos (de | do | que) metade (de | do) [seu] {HP} [maximo | maxima]")
def _less_than_half(parse: Parse, w: Any) -> Any:
    return {"lt": [f"mul(2,hp({w}))", f"hp_max({w})"]} if isinstance(w, str) and w in ONE else REFUSE


@G.rule("state", "<who:w> ESTAR com [todo] [o | a] [seu] {HP} (cheio | cheia | maximo | maxima)", test="eq")
@G.rule("state", "<who:w> ESTAR sem [o | a] [seu] {HP} (cheio | cheia | maximo | maxima)", test="lt")
def _full(parse: Parse, w: Any, test: str) -> Any:
    return {test: [f"hp({w})", f"hp_max({w})"]} if isinstance(w, str) and w in ONE else REFUSE


@G.rule("state", "<who:w> (TER | POSSUIR) <bound:b> de <attr:a>")
def _attr_bound(parse: Parse, w: Any, b: tuple[str, int], a: str) -> Any:
    return {b[0]: [f"attr({w},{a})", b[1]]} if isinstance(w, str) and w in ONE else REFUSE


@G.rule("state", "[o] seu {HP} SER [de] <bound:b>", "(a | o) {HP} <ofwho:w> SER [de] <bound:b>")
def _hp_is(parse: Parse, b: tuple[str, int], w: Any = "self") -> Any:
    return _bounded_hp(parse, w, b) if isinstance(w, str) and w in ONE else REFUSE


@G.rule("state", "[o] seu {HP} SER (menor ou igual | igual ou menor) (a | que) <int:n>", test="le")
@G.rule("state", "[o] seu {HP} SER (maior ou igual | igual ou maior) (a | que) <int:n>", test="ge")
def _own_hp(parse: Parse, n: int, test: str) -> dict[str, Any]:
    return _bounded_hp(parse, "self", (test, n))


@G.rule("happens", "o {DMG} sofrido SER menor que <quantity:q>", test="lt")
@G.rule("happens", "o {DMG} sofrido SER maior que <quantity:q>", test="gt")
def _damage_compared(parse: Parse, q: str, test: str) -> Part:
    needs = [{"when": {"event": "damage_taken", "who": "self", "by": {"attack": True}}}, {"if": {test: ["event.damage", q]}}]
    return {"requires": needs, "trigger": True}


@G.rule("state", "<who:w> [nao] [ter] se (moveu | movido | mover) neste turno", "<who:w> [nao] TER se movido neste turno")
def _moved(parse: Parse, w: Any) -> Any:
    if not isinstance(w, str):
        return REFUSE
    moved = {"moved_this_turn": w}
    return {"not": moved} if any(t.text == "nao" for t in parse.here) else moved


@G.rule("state", "o ataque nao SER [um] acerto critico")
def _not_critical(parse: Parse) -> dict[str, Any]:
    return {"not": {"critical": "current"}}


@G.rule("state", "esta carta ESTAR consumida", ready=False)
@G.rule("state", "esta carta ESTAR recuperada", ready=True)
def _orientation(parse: Parse, ready: bool) -> dict[str, Any]:
    return {"not": {"exhausted": "this"}} if ready else {"exhausted": "this"}


@G.rule(
    "state",
    "<who:w> ESTAR em uma casa adjacente [a este personagem | a voce]",
    "<who:w> ESTAR adjacente [a este personagem | a voce]",
)
def _beside(parse: Parse, w: Any) -> Any:
    if not isinstance(w, str) or w in ("self", parse.context.this_char):
        return REFUSE
    return {"adjacent": [parse.context.this_char, w]}


@G.rule("state", "for [o] seu turno", "durante o seu turno")
def _own_turn(parse: Parse) -> dict[str, Any]:
    return {"in_turn_of": "self"}


@G.rule("state", "pelo menos um <cards:c> ESTAR equipado")
def _equipped(parse: Parse, c: dict[str, Any]) -> dict[str, Any]:
    return {"has_card": {"of": "self", "zone": "equipment", **c}}


@G.rule("room", "pelo menos uma (casa | de suas casas) (adjacente | adjacentes) ESTAR vazia")
def _empty_adjacent(parse: Parse) -> dict[str, Any]:
    """An empty tile must exist: the effect asks for one as its target."""
    return {"target": {"tile": "adjacent_empty", "of": "self"}}


@G.rule("proviso", "<room:need>")
def _proviso_room(parse: Parse, need: dict[str, Any]) -> dict[str, Any]:
    return need


@G.rule("proviso", "<state:s>")
def _proviso(parse: Parse, s: dict[str, Any]) -> dict[str, Any]:
    return {"if": s}


@G.rule("state", "(este {COMPANION} | este personagem) ESTAR em uma casa adjacente [ao heroi]")
@G.rule("state", "(este {COMPANION} | este personagem | ele) ESTAR adjacente ao heroi")
def _beside_hero(parse: Parse) -> Any:
    return {"adjacent": ["this_char", "host_hero"]} if parse.context.companion else REFUSE


@G.rule("state", "uma casa adjacente ESTAR desabilitada")
def _beside_hole(parse: Parse) -> dict[str, Any]:
    return {"adjacent_tile_type": ["self", "disabled"]}


@G.rule("state", "<who:w> ja POSSUIR o <marker:m>")
def _already(parse: Parse, w: Any, m: str) -> Any:
    return {"has_marker": [w, m]} if isinstance(w, str) else REFUSE


@G.rule("state", "esta carta nao estiver no {MARKET} e POSSUIR menos que <int:n> {COUNTER_UNIT}")
def _few_units(parse: Parse, n: int) -> dict[str, Any]:
    return {"lt": ["counters(this.UNIT)", n]}


G.table("while", dict.fromkeys(("enquanto", "quando", "se", "caso"), 0))

# ---------------------------------------------------------------------------------------------------------- attack outcomes

_THIS = "(este ataque | esta carta | este movimento | esta tecnica | este {ITEM} | seu ataque)"


@G.rule("outcome", f"{_THIS} CAUSAR {{INJURY}} [ao alvo]")
def _injured(parse: Parse) -> dict[str, Any]:
    return {"caused_injury": "this_attack"}


@G.rule("outcome", "[o] seu ataque com esta carta CAUSAR <bound:b> [de] {INJURY}")
@G.rule("outcome", f"{_THIS} CAUSAR <bound:b> [de] {{INJURY}} [ao alvo]", "o alvo (SOFRER | sofra) <bound:b> [de] {INJURY}")
def _injured_much(parse: Parse, b: tuple[str, int]) -> dict[str, Any]:
    return {b[0]: ["last.injury", b[1]]}


@G.rule("outcome", f"{_THIS} CAUSAR {{DMG}} [ao alvo]")
def _damaged(parse: Parse) -> dict[str, Any]:
    return {"gt": ["last.damage", 0]}


@G.rule("outcome", f"{_THIS} CAUSAR <bound:b> de {{DMG}} [ao alvo]")
def _damaged_much(parse: Parse, b: tuple[str, int]) -> dict[str, Any]:
    return {b[0]: ["last.damage", b[1]]}


@G.rule("outcome", "em caso de acerto critico", "OBTER um [acerto] critico", "[o ataque | este ataque] SER um acerto critico",
        "(em | com) um acerto critico")  # fmt: skip
def _critical(parse: Parse) -> dict[str, Any]:
    return {"critical": "this_attack"}


@G.rule("outcome", "OBTER <int:n> (na rolagem | no dado) [do dado | principal]")
def _main_die(parse: Parse, n: int) -> dict[str, Any]:
    return {"eq": ["roll.main", n]}


@G.rule("outcome", "o (resultado | valor) do dado [principal] SER <int:n>")
def _main_die_is(parse: Parse, n: int) -> dict[str, Any]:
    return {"eq": ["roll.main", n]}


@G.rule("outcome", "o (resultado | valor) do dado [principal] SER <bound:b>")
def _main_die_bound(parse: Parse, b: tuple[str, int]) -> dict[str, Any]:
    return {b[0]: ["roll.main", b[1]]}


@G.rule("outcome", "este ataque nao CAUSAR {INJURY}", "este carta nao CAUSAR {INJURY}")
def _no_injury(parse: Parse) -> dict[str, Any]:
    return {"not": {"caused_injury": "this_attack"}}


@G.rule("outcome", "este ataque MATAR o alvo", "o alvo MORRER")
def _target_dead(parse: Parse) -> Any:
    return {"dead": "target"} if parse.context.has_bar else REFUSE


@G.rule("outcome", "o (valor | resultado) (do rolagem | do rolagem de dado | do dado deste ataque) SER <bound:b>")
def _rolled(parse: Parse, b: tuple[str, int]) -> dict[str, Any]:
    return {b[0]: ["roll.total_dice", b[1]]}


@G.rule("outcome", f"{_THIS} MATAR um {{COMPANION}}")
def _killed(parse: Parse) -> dict[str, Any]:
    return {"dead": {"chars": "target", "kind": "Companion"}}
