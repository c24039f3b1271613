"""When something happens: limits, timings, event windows, and who they are about."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, Part, any_of
from apotheosis.env.cards.text.grammar import REFUSE, Parse

# ----------------------------------------------------------------------------------------------------------------- timings

G.table("when", {
    "(no | ao) inicio do seu turno": {"timings": ["YourStartPhase"], "trigger": True},
    "(no | ao) inicio do turno deste personagem": {"timings": ["ThisCharacterStartPhase"], "trigger": True},
    "(no | ao) final da batalha": {"timings": ["EndOfBattle"], "trigger": True},
    "durante um teste": {"timings": ["Checking"], "trigger": True},
    "(ao | quando) [voce] ATACAR [um alvo]": {"timings": ["Attacking"], "trigger": True},
    "quando esta carta SER adicionada (ao {SUPPORT} | a {SHEET} | a sua {TABLE})": {"timings": ["OnPlay"], "trigger": True},
    "quando este personagem SER adicionado ao tabuleiro": {"timings": ["OnPlay"], "trigger": True},
})  # fmt: skip


def happening(**event: Any) -> Part:
    """Return the part that waits for an event."""
    return {"requires": [{"when": event}], "trigger": True}


@G.rule("when", "(no | ao) inicio do turno de um personagem [<team:t>]")
def _someones_turn(parse: Parse, t: str | None = None) -> Part:
    return happening(event="turn_start", who=t or "any")


@G.rule(
    "when",
    "(no | ao) inicio do turno de (um | cada) personagem com [o | um] <marker:m>",
    "(no | ao) inicio do turno de personagens com [o | um] <marker:m>",
)
def _turn_of_marked(parse: Parse, m: str) -> Part:
    return {"timings": ["AllStartPhase"], "requires": [{"if": {"has_marker": ["event.who", m]}}], "trigger": True}


G.table("ifwhen", dict.fromkeys(("quando", "se", "caso", "sempre que", "toda vez que", "cada vez que", "assim que"), 0))


@G.rule("when", "<ifwhen> <happens:h>")
def _if_when(parse: Parse, h: Part) -> Part:
    return h


G.table("happens", {
    "[voce] SER selecionado (como | com) alvo de um ataque": {
        "timings": ["Selected"], "requires": [{"if": {"attack_is": {"attack": True}}}], "trigger": True},
    "[voce] SER alvo de um ataque": {"timings": ["Attacked"], "trigger": True},
    "[voce] SER [selecionado como] alvo de uma acao": {"timings": ["Selected"], "trigger": True},
    "[voce] SOFRER um ataque": {"timings": ["Attacked"], "trigger": True},
    "[voce] SER atacado": {"timings": ["Attacked"], "trigger": True},
    "[voce] RECEBER um ataque": {"timings": ["Attacked"], "trigger": True},
    "[voce] for RECEBER um ataque": {"timings": ["Attacked"], "trigger": True},
})  # fmt: skip


@G.rule("happens", "[voce | o usuario] SER [selecionado como] alvo de uma [acao] <rangetype:r>", timing="Selected")
@G.rule("happens", "[voce] SER alvo de um ataque <rangetype:r>", timing="Attacked")
def _ranged_target(parse: Parse, r: str, timing: str) -> Part:
    return {"timings": [timing], "requires": [{"if": {"attack_is": {"range": r}}}], "trigger": True}


@G.rule("happens", "<who:w> REALIZAR um teste <checks:c>", "<victim:w> REALIZAR um teste <checks:c>", phase=None)
@G.rule(
    "happens",
    "<who:w> for REALIZAR um teste <checks:c>",
    "REALIZAR um teste <checks:c>",
    "for REALIZAR um teste <checks:c>",
    phase="before",
)
def _checks(parse: Parse, c: dict[str, Any], phase: str | None, w: Any = "self") -> Part:
    return happening(event="check", who=w, by=c, **({} if phase is None else {"phase": phase}))


@G.rule("happens", "<who:w> falhar em um teste <checks:c>", "falhar em um teste <checks:c>", phase=None)
@G.rule("happens", "<who:w> for falhar em um teste <checks:c>", "for falhar em um teste <checks:c>", phase="before")
def _fails_check(parse: Parse, c: dict[str, Any], phase: str | None, w: Any = "self") -> Part:
    return happening(event="check_failed", who=w, by=c, **({} if phase is None else {"phase": phase}))


@G.rule("happens", "<who:w> ATACAR com <num> <cards:c>", "ATACAR com <num> <cards:c>")
def _attacks_with(parse: Parse, c: dict[str, Any], w: Any = "self") -> Part:
    return happening(event="attack", who=w, by=c)


@G.rule("happens", "voce SELECIONAR <victim:w> como alvo de um carta")
def _targets(parse: Parse, w: Any) -> Part:
    return happening(event="card_activated", who="self", target=w)


@G.rule("happens", "<who:w> ATIVAR <num> <cards:c>", "ATIVAR <num> <cards:c>", "<victim:w> ATIVAR <num> <cards:c>")
def _activates(parse: Parse, c: dict[str, Any], w: Any = "self") -> Part:
    return happening(event="card_activated", who=w, card=c)


@G.rule("happens", "<who:w> ATACAR", "<victim:w> ATACAR")
def _attacks(parse: Parse, w: Any) -> Part:
    if w == "self":
        return {"timings": ["Attacking"], "trigger": True}
    return happening(event="attack", who=w)


G.table("happens", {
    "este {ENTITY} DESPERTAR": {"timings": ["OnReveal"], "trigger": True},
    "[o] seu time INICIAR uma batalha": {"timings": ["StartOfBattle"], "trigger": True},
    "fazendo um teste ou atacando": {"timings": ["Checking", "Attacking"], "trigger": True},
    "voce for ROLAR um dado": {"timings": ["Rolling"], "trigger": True},
    "ROLAR um teste": {"timings": ["Checking"], "trigger": True},
})  # fmt: skip

G.table("when", {
    "(no | ao) inicio do turno de cada personagem": {"timings": ["AllStartPhase"], "trigger": True},
    "(no | ao) inicio de todos os turnos": {"timings": ["AllStartPhase"], "trigger": True},
    "(no | ao) inicio do turno do heroi": {"timings": ["HostHeroStartPhase"], "trigger": True},
    "(no | ao) inicio (do ciclo | da fase de recomposicao)": {"timings": ["ResetPhase"], "trigger": True},
    "durante um ataque": {"timings": ["Attacking"], "trigger": True},
    "(no | ao) inicio da batalha": {"timings": ["StartOfBattle"], "trigger": True},
    "(no | ao) final do seu turno": {"timings": ["YourEndPhase"], "trigger": True},
    "(no | ao) final do turno deste personagem": {"timings": ["ThisCharacterEndPhase"], "trigger": True},
    "(no | ao) final (do | de cada) rodada": {"timings": ["EndOfRound"], "trigger": True},
    "(no | ao) inicio (do | de cada) rodada": {"timings": ["StartOfRound"], "trigger": True},
})  # fmt: skip


@G.rule("anytime", "sempre que <who:w> ATACAR [um alvo]")
def _whenever(parse: Parse, w: Any) -> Part:
    return happening(event="attack", who=w)


@G.rule("anytime", "sempre que ATACAR um alvo")
def _whenever_subject(parse: Parse) -> Any:
    """The subject of the main clause is meant; only the Hero can be the subject of a gain."""
    hero = any(a.text == "o" and b.text == "heroi" for a, b in zip(parse.tokens, parse.tokens[1:], strict=False))
    return happening(event="attack", who="host_hero") if hero and parse.context.companion else REFUSE


@G.rule("happens", "<who:w> REALIZAR um ataque")
def _makes_attack(parse: Parse, w: Any) -> Part:
    return happening(event="attack", who=w)


@G.rule("when", "ao ATACAR com esta carta")
@G.rule("happens", "[voce] ATACAR com esta carta a <int:n> de distancia ou menos")
@G.rule("happens", "[voce] ATACAR com esta carta")
def _attacks_with_this(parse: Parse, n: int | None = None) -> Part:
    return happening(event="attack", who="self", by={"card": "this", **({} if n is None else {"distance_le": n})})


@G.rule("happens", "<who:w> SER atacado", "<victim:w> SER atacado")
def _attacked(parse: Parse, w: Any) -> Any:
    return REFUSE if w == "self" else happening(event="attack", target=w)


@G.rule("happens", "<who:w> SER [selecionado como] alvo de um ataque", "<victim:w> SER [selecionado como] alvo de um ataque")
def _target_of(parse: Parse, w: Any) -> Any:
    return REFUSE if w == "self" else happening(event="attack", target=w)


@G.rule("happens", "voce SER alvo de um ataque <items:i> a <atleast:n> de distancia")
def _attacked_from_afar(parse: Parse, i: list[dict[str, str]], n: int) -> Part:
    return {"timings": ["Attacked"], "requires": [{"if": {"attack_is": {**any_of(i), "distance_ge": n}}}], "trigger": True}


@G.rule("happens", "<who:w> SER alvo de um ataque de <items:i> a <atmost:n> casas")
def _attacked_near(parse: Parse, w: Any, i: list[dict[str, str]], n: int) -> Any:
    return REFUSE if w == "self" else happening(event="attack", target=w, by={**any_of(i), "distance_le": n})


@G.rule("happens", "<victim:w> for PERDER {HP}")
def _about_to_lose(parse: Parse, w: Any) -> Part:
    return happening(event="hp_loss", who=w, phase="before")


@G.rule("happens", "esta carta for SER descartada")
def _about_to_discard(parse: Parse) -> Part:
    return happening(event="card_discard", card="this", phase="before")


@G.rule("when", "se no inicio do turno deste personagem ele ESTAR com <int:n> de {HP}")
def _start_with_hp(parse: Parse, n: int) -> Any:
    if n != 1 or not parse.context.companion:
        return REFUSE
    return {"timings": ["ThisCharacterStartPhase"], "requires": [{"if": {"eq": ["hp(this_char)", 1]}}], "trigger": True}


@G.rule("happens", "<who:w> SOFRER {DMG}", "<victim:w> SOFRER {DMG}", event="damage_taken")
@G.rule("happens", "<who:w> SOFRER {INJURY}", "<victim:w> SOFRER {INJURY}", event="injury_taken")
@G.rule("happens", "<who:w> MORRER", "<victim:w> MORRER", event="death")
@G.rule("happens", "<who:w> falhar em um teste", "<victim:w> falhar em um teste", event="check_failed")
@G.rule("happens", "<who:w> REALIZAR um teste", "<victim:w> REALIZAR um teste", event="check")
def _befalls(parse: Parse, w: Any, event: str) -> Any:
    return REFUSE if w == "target" else happening(event=event, who=w)


@G.rule("happens", "REALIZAR um teste")
def _makes_check(parse: Parse) -> Part:
    return happening(event="check", who="self")


@G.rule("happens", "falhar em um teste")
def _fails(parse: Parse) -> Part:
    return happening(event="check_failed", who="self")


@G.rule("happens", "<who:w> (for | deveria) MORRER", "<victim:w> (for | deveria) MORRER", event="death")
@G.rule("happens", "<who:w> for falhar em um teste", "<victim:w> for falhar em um teste", event="check_failed")
@G.rule("happens", "<who:w> for REALIZAR um teste", "<victim:w> for REALIZAR um teste", event="check")
@G.rule("happens", "<who:w> for SOFRER {DMG}", "<victim:w> for SOFRER {DMG}", event="damage_taken")
@G.rule("happens", "<who:w> for SOFRER {INJURY}", "<victim:w> for SOFRER {INJURY}", event="injury_taken")
def _about_to(parse: Parse, w: Any, event: str) -> Part:
    return happening(event=event, who=w, phase="before")


@G.rule("happens", "for realizar um teste [de dificuldade <atmost:d>]")
def _about_to_check(parse: Parse, d: int | None = None) -> Part:
    part = happening(event="check", who="self", phase="before")
    return part if d is None else {**part, "requires": [*part["requires"], {"if": {"le": ["event.dc", d]}}]}


@G.rule("happens", "<victim:w> CAUSAR {INJURY}")
@G.rule("happens", "<who:w> CAUSAR {INJURY}", "[se] um ataque <ofwho:w> CAUSAR {INJURY}")
def _injures(parse: Parse, w: Any) -> Part:
    return happening(event="injury_dealt", who=w)


@G.rule("happens", "um ataque <ofwho:w> CAUSAR <atleast:n> de {INJURY}", "<who:w> CAUSAR <atleast:n> de {INJURY}")
def _injures_much(parse: Parse, w: Any, n: int) -> Part:
    return {"requires": [{"when": {"event": "injury_dealt", "who": w}}, {"if": {"ge": ["event.injury", n]}}], "trigger": True}


@G.rule("happens", "voce CAUSAR {INJURY} a outro personagem por meio de um ataque")
def _injures_by_attack(parse: Parse) -> Part:
    return happening(event="injury_dealt", who="self", by={"attack": True})


@G.rule("happens", "<who:w> CAUSAR {DMG} <rangetype:r>")
def _damages_range(parse: Parse, w: Any, r: str) -> Part:
    return happening(event="damage_taken", attacker=w, by={"range": r})


@G.rule("happens", "seu ataque CAUSAR <atleast:n> de {DMG}")
def _damages_much(parse: Parse, n: int) -> Part:
    needs = [
        {"when": {"event": "damage_taken", "attacker": "self", "by": {"attack": True}}},
        {"if": {"ge": ["event.damage", n]}},
    ]
    return {"requires": needs, "trigger": True}


@G.rule("happens", "<who:w> SOFRER ate <int:n> de {INJURY}", "<victim:w> SOFRER ate <int:n> de {INJURY}", test="le")
@G.rule("happens", "<who:w> SOFRER <atmost:n> de {INJURY}", test="le")
@G.rule(
    "happens",
    "<who:w> SOFRER <atleast:n> de {INJURY} [de um unico ataque]",
    "<victim:w> SOFRER <atleast:n> de {INJURY}",
    test="ge",
)
def _injured_bound(parse: Parse, w: Any, n: int, test: str) -> Any:
    if w == "target":
        return REFUSE
    return {"requires": [{"when": {"event": "injury_taken", "who": w}}, {"if": {test: ["event.injury", n]}}], "trigger": True}


@G.rule("happens", "<who:w> SOFRER <atmost:n> de {INJURY} de um ataque vindo de uma casa adjacente")
def _injured_near(parse: Parse, w: Any, n: int) -> Part:
    event = {"event": "injury_taken", "who": w, "by": {"attack": True, "distance_le": 1}}
    return {"requires": [{"when": event}, {"if": {"le": ["event.injury", n]}}], "trigger": True}


@G.rule("happens", "falhar em um teste obtendo <atmost:n> do que o valor necessario", phase="after")
@G.rule("happens", "for falhar em um teste por <atmost:n>", phase="before")
def _narrow_failure(parse: Parse, n: int, phase: str) -> Part:
    event = {"event": "check_failed", "who": "self", "phase": phase}
    return {"requires": [{"when": event}, {"if": {"margin_ge": ["current", -n]}}], "trigger": True}


@G.rule("when", "antes de ROLAR um teste [de dificuldade <atmost:d>] [, cujo [o] atributo base seja <attrlist:a>]")
def _before_roll(parse: Parse, d: int | None = None, a: list[str] | None = None) -> Part:
    event: dict[str, Any] = {"event": "check", "who": "self", "phase": "before"}
    if a:
        event["by"] = any_of([{"attr": one} for one in a])
    part = happening(**event)
    return part if d is None else {**part, "requires": [*part["requires"], {"if": {"le": ["event.dc", d]}}]}


@G.rule("attrlist", "<attr:one>")
@G.rule("attrlist", "<attr:one> (, | ou) <attrlist:more>")
def _attr_list(parse: Parse, one: str, more: list[str] | None = None) -> list[str]:
    return [one, *(more or [])]


@G.rule("happens", "(USAR | UTILIZAR | voce USAR | voce UTILIZAR) um <cards:c>")
def _uses(parse: Parse, c: dict[str, Any]) -> Part:
    return happening(event="card_activated", who="self", card=c)


@G.rule("happens", "<victim:w> CONSUMIR <onenergy:e>")
def _spends(parse: Parse, w: Any, e: str) -> Part:
    return happening(event="spend", who=w, res=e)


@G.rule("happens", "<who:w> CAUSAR {DMG}")
def _damages(parse: Parse, w: Any) -> Part:
    return happening(event="damage_taken", attacker=w)


@G.rule("happens", "<who:w> [se] mover", "<victim:w> [se] mover")
def _moves(parse: Parse, w: Any) -> Part:
    return happening(event="enter_tile", who=w)


@G.rule("happens", "<who:w> SOFRER {DMG} [de um ataque] (de | com) <items:i>", event="damage_taken")
@G.rule("happens", "<who:w> SOFRER {INJURY} [de um ataque] (de | com) <items:i>", event="injury_taken")
@G.rule("happens", "<who:w> SOFRER {DMG} de um ataque <rangetype:r>", event="damage_taken")
@G.rule("happens", "<who:w> SOFRER {DMG} de um ataque", event="damage_taken")
@G.rule("happens", "<who:w> SOFRER {INJURY} de um ataque", event="injury_taken")
def _befalls_from(parse: Parse, w: Any, event: str, i: list[dict[str, str]] | None = None, r: str | None = None) -> Any:
    if w == "target" or i and any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    return happening(event=event, who=w, by=any_of(i) if i else {"range": r} if r else {"attack": True})


@G.rule("happens", "<who:w> CAUSAR {DMG} (com | de) <items:i>")
def _deals_with(parse: Parse, w: Any, i: list[dict[str, str]]) -> Any:
    if any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    return happening(event="damage_taken", attacker=w, by=any_of(i))


@G.rule("happens", "<who:w> CAUSAR {DMG} em um ataque")
def _deals_attacking(parse: Parse, w: Any) -> Part:
    return happening(event="damage_taken", attacker=w, by={"attack": True})


@G.rule("happens", "<who:w> ATACAR (com | de) <items:i>", "ATACAR com <items:i>")
def _attacks_by(parse: Parse, i: list[dict[str, str]], w: Any = "self") -> Any:
    if any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    return happening(event="attack", who=w, by=any_of(i))


@G.rule("happens", "<who:w> ATACAR (com | de) <suit:s>", "ATACAR com <suit:s>")
def _attacks_by_suit(parse: Parse, s: str, w: Any = "self") -> Any:
    return happening(event="attack", who=w, by={"suit": s}) if s in ("Item", "Skill") else REFUSE


@G.rule("happens", "<who:w> ATACAR (um alvo | um personagem) com [o | um] <marker:m>")
def _attacks_marked(parse: Parse, w: Any, m: str) -> Part:
    return happening(event="attack", who=w, target={"chars": "any", "has_marker": m})


@G.rule("happens", "[voce] SER alvo de um ataque [de | com] <items:i>")
def _attacked_with(parse: Parse, i: list[dict[str, str]]) -> Any:
    if any(set(one) & {"kind", "order", "path", "range"} for one in i):
        return REFUSE
    return {"timings": ["Attacked"], "requires": [{"if": {"attack_is": any_of(i)}}], "trigger": True}


@G.rule(
    "happens", "<who:w> SER [selecionado como] alvo de um <cards:c>", "<victim:w> SER [selecionado como] alvo de um <cards:c>"
)
def _target_of_card(parse: Parse, w: Any, c: dict[str, Any]) -> Any:
    return happening(event="card_activated", card=c, target=w) if "suit" in c or "tag" in c else REFUSE
