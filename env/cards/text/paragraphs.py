"""Paragraph keywords: the older texts open a paragraph with a word in small capitals and spell out what it means.

The gloss is read, not trusted: a keyword whose paragraph says something else than expected is refused. What a paragraph
contributes is a *piece* with some of the keys `effects` (complete effects), `before` and `after` (instructions of the
activation of the card), `gate` (a requirement of that activation), `scenario` (the rest of the text counts from the
scenario), `host` (the lines below are modifiers of the hosting Hero), `slot` (the lines below count in the Entity slot),
`piece` (the lines below describe a piece) and `nothing` (campaign only).
"""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, hp
from apotheosis.env.cards.text.grammar import REFUSE, Parse

Piece = dict[str, Any]


def move(to: str) -> dict[str, Any]:
    """Return the instruction that moves the card itself."""
    return {"op": "move_card", "cards": "this", "to": to}


def counters(name: str) -> str:
    """Return the accessor of a counter on the card itself."""
    return f"counters(this.{name})"


def auto(do: list[Any], **more: Any) -> dict[str, Any]:
    """Return an Auto effect."""
    return {"activation": "Auto", **more, "do": do}


def permanent(*mods: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a Permanent effect."""
    return {"activation": "Permanent", **more, "mods": list(mods)}


# --------------------------------------------------------------------------------------------------- after the activation

G.table("kw_CONSUMIVEL", {"DESCARTAR esta carta apos resolve -la": {"after": [move("discard")]}})
G.table("kw_ESCASSO", {"ENTERRAR esta carta apos resolve -la": {"after": [move("deck_bottom")]}})


@G.rule("kw_EXPLOSIVO", "APLICAR o {DMG} desta carta a todas as pecas a ate <int:n> (casa | casas) do alvo")
def _explosive(parse: Parse, n: int) -> Piece:
    return {"before": [{"op": "splash", "damage": "this_attack", "to": {"pieces": "within", "n": n, "of": "target"}}]}


@G.rule("kw_PROJETIL", "para selecionar um alvo para esta carta , DESCARTAR <num:n> {ITEM} com a propriedade <tag:t>")
def _projectile(parse: Parse, n: int, t: str) -> Piece:
    cost = {"n": n, "filter": {"suit": "Item", "tag": t}}
    return {"effects": [permanent({"q": "cost.discard", "set": cost, "card": "this", "when": "target_selection"})]}


@G.rule("kw_PROJETIL", "apos ATACAR com esta carta , DESCARTAR -a")
def _thrown(parse: Parse) -> Piece:
    return {"effects": [auto([move("discard")], requires=[{"when": {"event": "attack_resolved", "by": {"card": "this"}}}])]}


@G.rule("kw_PROJETIL", "se voce ATACAR com esta carta a mais de <int:n> de {RANGE} , apos o ataque , DESCARTAR -a")
def _thrown_far(parse: Parse, n: int) -> Piece:
    event = {"event": "attack_resolved", "by": {"card": "this", "distance_ge": n + 1}}
    return {"effects": [auto([move("discard")], requires=[{"when": event}])]}


# ------------------------------------------------------------------------------------------------------------ counters


@G.rule("worth", ". se esta carta nao estiver no {MARKET} e POSSUIR menos que <int:n> {COUNTER_UNIT} , o seu valor SER <int:z>")
def _worth(parse: Parse, n: int, z: int) -> Any:
    return n if z == 0 else REFUSE


@G.rule("kw_CONTAVEL", "quando esta carta SER obtida do {MARKET} , ADICIONAR <int:n> {COUNTER_UNIT} a ela . se "
                       "esta carta for SER "
        "descartada , REMOVER um {COUNTER_UNIT} ao inves [<worth:w>]")  # fmt: skip
def _countable(parse: Parse, n: int, w: int | None = None) -> Any:
    if w not in (None, n):
        return REFUSE
    unit = counters("UNIT")
    effects = [
        auto(
            [{"op": "add_counter", "counter": "UNIT", "to": "this", "n": n}],
            timings=["OnObtain"],
            requires=[{"if": {"from": ["market"]}}],
        ),
        countable_discard(),
    ]
    if w is not None:
        effects.append(permanent({"q": "value.PRICE", "set": 0, "card": "this"}, requires=[{"while": {"lt": [unit, n]}}]))
    return {"effects": effects}


def countable_discard() -> dict[str, Any]:
    """Return the effect that pays a Unit counter in place of the discard of the card itself."""
    return auto(
        [{"op": "negate", "what": "discard"}, {"op": "remove_counter", "counter": "UNIT", "from": "this", "n": 1}],
        requires=[
            {"when": {"event": "card_discard", "card": "this", "phase": "before"}},
            {"if": {"gt": [counters("UNIT"), 0]}},
        ],
    )


@G.rule("kw_DURACAO", "ADICIONAR <int:n> {COUNTER_TIME} a esta carta . REMOVER <one> {COUNTER_TIME} desta carta "
                      "no inicio do seu turno . "
        "voce nao PODER ATIVAR esta carta enquanto ela POSSUIR {COUNTER_TIME}")  # fmt: skip
def _duration(parse: Parse, n: int) -> Piece:
    return {
        "gate": [{"if": {"eq": [counters("TIME"), 0]}}],
        "before": [{"op": "add_counter", "counter": "TIME", "to": "this", "n": n}],
        "effects": [auto([{"op": "remove_counter", "counter": "TIME", "from": "this", "n": 1}], timings=["YourStartPhase"])],
    }


@G.reader("one", "<num>")
def _one(parse: Parse, place: int) -> Any:
    for end, n in parse.all("num", place):
        if n == 1:
            yield end, 1


@G.rule("kw_DURACAO", "REMOVER <one> {COUNTER_TIME} desta carta no inicio do turno deste personagem")
def _duration_left(parse: Parse) -> Any:
    if not parse.context.companion:
        return REFUSE
    op = {"op": "remove_counter", "counter": "TIME", "from": "this", "n": 1}
    return {"effects": [auto([op], timings=["ThisCharacterStartPhase"])]}


# -------------------------------------------------------------------------------------------------------- damage received


@G.rule("kw_PROTECAO", "[voce] (RECEBER | SOFRER) <taken:m>", sign=-1)
@G.rule("kw_FRAQUEZA", "[voce] (RECEBER | SOFRER) <taken:m>", sign=1)
def _protection(parse: Parse, m: list[dict[str, Any]], sign: int) -> Any:
    good = all(isinstance(one.get("add"), int) and one["add"] * sign > 0 and "by" in one for one in m)
    return {"effects": [permanent(*m)]} if good else REFUSE


@G.rule("kw_BLINDAGEM", "[voce] (RECEBER | SOFRER) <taken:m>")
def _plating(parse: Parse, m: list[dict[str, Any]]) -> Any:
    return {"effects": [permanent(*m)]} if all("mul" in one for one in m) else REFUSE


@G.rule("kw_IMUNIDADE", "<ignored:m>")
def _immunity(parse: Parse, m: list[dict[str, Any]]) -> Piece:
    return {"effects": [permanent(*m)]}


# ------------------------------------------------------------------------------------------------------- ways of moving


def _walker(parse: Parse, m: list[dict[str, Any]]) -> list[dict[str, Any]]:
    who = parse.context.this_char
    return m if who == "self" else [{**one, "on": who} for one in m]


@G.rule("kw_VOADOR", "(este personagem | voce) <banned:m>", flag="rule.flying")
@G.rule("kw_ANFIBIO", "este personagem <banned:m>", flag="rule.amphibious")
def _mode(parse: Parse, m: list[dict[str, Any]], flag: str) -> Any:
    return {"effects": [permanent(*_walker(parse, m))]} if [one["q"] for one in m] == [flag] else REFUSE


@G.rule("kw_AQUATICO", "este personagem PODER mover apenas em casas do tipo {AQUA} . no inicio do turno deste "
                       "personagem , se ele nao "
        "estiver em uma casa do tipo {AQUA} , REMOVER <int:n> de {HP} dele")  # fmt: skip
def _aquatic(parse: Parse, n: int) -> Any:
    if not parse.context.companion:
        return REFUSE
    dry = [{"if": {"not": {"tile_type": ["this_char", "aqua"]}}}]
    loss = {"op": "lose_hp", "who": "this_char", "n": hp(parse.context, n)}
    return {
        "effects": [
            permanent({"q": "rule.aquatic_only", "set": True, "on": "this_char"}),
            auto([loss], timings=["ThisCharacterStartPhase"], requires=dry),
        ]
    }


# ------------------------------------------------------------------------------------------------------------- companions


@G.rule("kw_MONTARIA", "voce nao PODER TER mais de uma carta com este efeito")
def _ridden(parse: Parse) -> Any:
    return REFUSE if parse.context.companion else {"effects": [permanent({"q": "rule.unique_keyword", "set": "Mount"})]}


@G.rule("kw_MONTARIA", "voce nao PODER TER mais de uma carta com este efeito . quando no {SUPPORT} de um heroi "
                       ", este personagem nao POSSUIR "
        "peca no tabuleiro . APLICAR o seguinte efeito ao heroi")  # fmt: skip
def _mount(parse: Parse) -> Any:
    if not parse.context.companion:
        return REFUSE
    mods = [{"q": "rule.unique_keyword", "set": "Mount"}, {"q": "piece.present", "set": False}]
    return {"effects": [permanent(*mods)], "host": True}


@G.rule("kw_DOMAR", "ao ADICIONAR esta carta a sua {TABLE} , FAZER um teste de <name> lp <attr:a> ➜ <int:dc> rp . se falhar , "
        "ENVIAR esta carta para o {INV}")  # fmt: skip
def _tame(parse: Parse, a: str, dc: int) -> Piece:
    check = {"op": "check", "by": "host_hero", "attr": a, "dc": dc, "fail": [move("inventory")]}
    return {"effects": [auto([check], timings=["OnPlay"])]}


@G.rule("kw_TOLO", "este personagem nao PODER SER adicionado ao {SUPPORT}")
def _silly(parse: Parse) -> Piece:
    return {"effects": [permanent({"q": "rule.not_in_support", "set": True, "card": "this"})]}


@G.rule("kw_UNICA", "quando este personagem MORRER , BANIR esta carta")
def _unique(parse: Parse) -> Piece:
    death = {"when": {"event": "death", "who": parse.context.this_char}}
    return {"effects": [auto([move("banished")], requires=[death])]}


@G.rule("kw_SACRIFICIO", "voce PODER ENTERRAR <some:s> para <acts:a>")
def _sacrifice(parse: Parse, s: dict[str, Any], a: dict[str, Any]) -> Any:
    filters = {key: value for key, value in s.items() if key != "n"}
    if filters.get("suit") != "Companion" or set(a) - {"do", "requires"}:
        return REFUSE
    price = {"pay": {"bury": {"n": s["n"], "filter": filters}}}
    return {"effects": [{"activation": "Activate", "requires": [price, *a.get("requires", [])], "do": a["do"]}]}


# --------------------------------------------------------------------------------------------------------------- equipment


@G.rule("kw_MOBILIZADO", "no inicio do seu turno , CONSUMIR <int:n> de <energies:e> , ou ENVIAR esta carta para o {INV}")
def _powered(parse: Parse, n: int, e: list[str]) -> Piece:
    choice = {"op": "choose", "of": [[{"op": "spend", "energy": e, "n": n}], [move("inventory")]]}
    return {"effects": [auto([choice], timings=["YourStartPhase"])]}


G.rule("kw_SIMPLES", "<stmt:m>")(
    lambda parse, m: {"effects": [permanent(*m)]} if [one["q"] for one in m] == ["requirement.knowledge"] else REFUSE
)

# ---------------------------------------------------------------------------------------------------------------- scenario


@G.rule(
    "kw_AMBIENTE",
    "ENVIAR esta carta para o {SCENARIO} . ao final da batalha , se esta carta estiver no {SCENARIO} , DESCARTAR -a",
)
def _ambient(parse: Parse) -> Piece:
    return {
        "scenario": True,
        "before": [move("scenario")],
        "effects": [auto([move("discard")], scopes=["Scenario"], timings=["EndOfBattle"])],
    }


@G.rule("kw_CLIMA", "ENVIAR esta carta para o {SCENARIO} . ENVIAR esta carta para o {SANCTUARY} caso outro "
                    "{EVENT} com o efeito <effect:e> "
        "seja ativado ou ao inicio de um novo dia")  # fmt: skip
def _climate(parse: Parse, e: str) -> Any:
    if e != "Weather":
        return REFUSE
    other = {"when": {"event": "card_activated", "card": {"suit": "Event", "effect_named": "Weather", "not": "this"}}}
    return {
        "scenario": True,
        "before": [move("scenario")],
        "effects": [auto([move("deck_bottom")], scopes=["Scenario"], requires=[other])],
    }


@G.rule("kw_CALOR", "<stmt:m>")
@G.rule("kw_UMIDADE", "<stmt:m>")
def _energy_weather(parse: Parse, m: list[dict[str, Any]]) -> Any:
    if not all(one["q"] in ("cost.sp", "cost.mp") for one in m):
        return REFUSE
    return {"effects": [permanent(*({**one, "on": "all"} for one in m), scopes=["Scenario"])]}


# ----------------------------------------------------------------------------------------------------- pieces, entity slot


@G.rule("kw_TRAZER", "uma vez por batalha , voce PODER CONSUMIR esta carta para ADICIONAR uma peca em uma casa "
                     "adjacente , para o seguinte "
        "personagem . se esta carta SER recuperada ou removida da sua {TABLE} , REMOVER esta peca do tabuleiro")  # fmt: skip
def _bring(parse: Parse) -> Piece:
    return {"piece": {"task": "Exhaust", "timings": ["OnRecover", "OnExit"]}}


@G.rule("kw_ANIMAR", "uma vez por batalha , ADICIONAR uma peca em uma casa adjacente , para o seguinte "
                     "personagem . se esta carta SER "
        "removida da {TABLE} , REMOVER esta peca do tabuleiro")  # fmt: skip
def _animate(parse: Parse) -> Piece:
    return {"piece": {"timings": ["OnExit"]}}


@G.rule("kw_META", "voce PODER ENVIAR esta carta para o seu espaco vazio de {ENTITY} para RECEBER os seguintes "
                   "bonus de atributo e efeito . "
        "se esta carta no espaco de {ENTITY} SER consumida , ENVIAR -a para o {INV}")  # fmt: skip
def _meta(parse: Parse) -> Piece:
    inside = {"in_zone": ["this", "entity_slot"]}
    return {
        "effects": [
            {"activation": "Activate", "requires": [{"if": {"free_slot": "entity"}}], "do": [move("entity_slot")]},
            auto([move("inventory")], timings=["OnExhaust"], requires=[{"if": inside}]),
        ],
        "slot": inside,
    }


@G.rule("stats", "<attr:a> <int:n> [❙ <stats:more>]")
def _stats(parse: Parse, a: str, n: int, more: list[tuple[str, int]] | None = None) -> list[tuple[str, int]]:
    return [(a, n), *(more or [])]


@G.rule("pieceline", "➥ <name:name> lp <kind:k> ➜ <int:level> rp")
def _piece_head(parse: Parse, name: str, k: str, level: int) -> dict[str, Any]:
    return {"name": name, "kind": k, "level": level}


@G.rule("pieceline", "<stats:s>")
def _piece_stats(parse: Parse, s: list[tuple[str, int]]) -> Any:
    order = ["END", "STR", "AGI", "PER", "INT", "CHA", "SPT"]
    return {"attrs": [n for _, n in s]} if [a for a, _ in s] == order else REFUSE


@G.rule(
    "hit",
    "<attr:a> + <int:n> + <dice:d>",
    "<attr:a> <signed:n> + <dice:d>",
    "<attr:a> + <dice:d>",
    "<attr:a> + <int:n> <plusdice:d>",
)
def _hit(parse: Parse, a: str, d: str, n: int = 0) -> list[Any]:
    return [a, n, d[5:-1]]


@G.rule("pieceline", "✱ {DMG} ➜ lp <hit:h> rp ❙ <rangetype:r> ➜ <int:far> ❙ {AP} ➜ <int:ap>")
def _piece_technique(parse: Parse, h: list[Any], r: str, far: int, ap: int) -> dict[str, Any]:
    return {"technique": {"damage": h, "range": [r, far], "ap": ap}}


@G.rule("slotline", "➥ <order> ➜ <stats:s>", "➥ {SPIRIT} ➜ <stats:s>")
def _slot_stats(parse: Parse, s: list[tuple[str, int]]) -> list[dict[str, Any]]:
    return [{"q": f"attr.{a}", "add": n} for a, n in s]
