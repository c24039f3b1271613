"""When something happens: limits, timings, event windows, and who they are about."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, Part, any_of
from apotheosis.env.cards.text.grammar import REFUSE, Parse

# ----------------------------------------------------------------------------------------------------------------- timings

G.table("when", {
    "(no | ao) inicio do seu turno": {"timings": ["YourStartPhase"], "trigger": True},
    "(no | ao) inicio de cada um [de] seu turno": {"timings": ["YourStartPhase"], "trigger": True},
    "(no | ao) inicio de cada turno seu": {"timings": ["YourStartPhase"], "trigger": True},
    "[a] (todo | cada) inicio do seu turno": {"timings": ["YourStartPhase"], "trigger": True},
    "(ao | quando) [voce] (INICIAR | COMECAR) o seu turno": {"timings": ["YourStartPhase"], "trigger": True},
    "quando o seu turno (INICIAR | COMECAR)": {"timings": ["YourStartPhase"], "trigger": True},
    "quando o seu turno (ENCERRAR | terminar | acabar)": {"timings": ["YourEndPhase"], "trigger": True},
    "(ao | quando) [voce] (ENCERRAR | terminar | acabar) o seu turno": {"timings": ["YourEndPhase"], "trigger": True},
    "(no | ao) final de cada turno seu": {"timings": ["YourEndPhase"], "trigger": True},
    "[a] (todo | cada) final do seu turno": {"timings": ["YourEndPhase"], "trigger": True},
    "(no | ao) inicio do turno deste personagem": {"timings": ["ThisCharacterStartPhase"], "trigger": True},
    "(no | ao) final da batalha": {"timings": ["EndOfBattle"], "trigger": True},
    "durante um teste": {"timings": ["Checking"], "trigger": True},
    "(ao | quando) [voce] ATACAR [um alvo]": {"timings": ["Attacking"], "trigger": True},
    "quando esta carta SER adicionada (ao {SUPPORT} | a sua {TABLE})": {"timings": ["OnPlay"], "trigger": True},
    "quando esta carta (entrar em jogo | entrar no [sua] {TABLE})": {"timings": ["OnPlay"], "trigger": True},
    "quando esta carta (SAIR (de jogo | do [sua] {TABLE}) | deixar a [sua] {TABLE})": {"timings": ["OnExit"], "trigger": True},
    # a sheet is laid out in the set-up (R16.2): what waits for that moment is due when the battle starts
    "quando esta carta SER adicionada a [sua] {SHEET}": {"timings": ["OnPlay", "StartOfBattle"], "trigger": True},
    "quando este personagem SER adicionado ao tabuleiro": {"timings": ["OnPlay"], "trigger": True},
})  # fmt: skip


def happening(**event: Any) -> Part:
    """Return the part that waits for an event."""
    return {"requires": [{"when": event}], "trigger": True}


@G.rule(
    "when", "(no | ao) inicio do turno de (um | cada) personagem [<team:t>]", "(no | ao) inicio do turno do personagem <team:t>"
)
def _someones_turn(parse: Parse, t: str | None = None) -> Part:
    return happening(event="turn_start", who=t or "any")


@G.rule("when", "(no | ao) inicio do turno de (outro | um outro) personagem [<team:t>]")
def _anothers_turn(parse: Parse, t: str | None = None) -> Part:
    who = {None: "others", "allies": "other_allies", "enemies": "enemies"}[t]
    return happening(event="turn_start", who=who)


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
    "[voce] SER [selecionado como] alvo de uma acao": {"timings": ["Selected"], "trigger": True},
})  # fmt: skip


@G.rule("happens", "[voce | o usuario] SER [selecionado como] alvo de uma [acao] <rangetype:r>", timing="Selected")
def _ranged_target(parse: Parse, r: str, timing: str) -> Part:
    return {"timings": [timing], "requires": [{"if": {"attack_is": {"range": r}}}], "trigger": True}


@G.rule("happens", "voce SELECIONAR <victim:w> como alvo de um carta")
def _targets(parse: Parse, w: Any) -> Part:
    return happening(event="card_activated", who="self", target=w)


G.table("happens", {
    "(este {ENTITY} | esta carta) DESPERTAR": {"timings": ["OnReveal"], "trigger": True},
    "[o] seu {ENTITY} DESPERTAR": happening(event="card_reveal", card={"zone": "entity_slot", "of": "self"}),
    "[voce] DESPERTAR o [seu] {ENTITY}": happening(event="card_reveal", card={"zone": "entity_slot", "of": "self"}),
    "[o] seu time INICIAR uma batalha": {"timings": ["StartOfBattle"], "trigger": True},
    "fazendo um teste ou atacando": {"timings": ["Checking", "Attacking"], "trigger": True},
    "[voce] [for] ROLAR [um] dado": {"timings": ["Rolling"], "trigger": True},
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


@G.rule("anytime", "sempre que ATACAR um alvo")
def _whenever_subject(parse: Parse) -> Any:
    """The subject of the main clause is meant; only the Hero can be the subject of a gain."""
    hero = any(a.text == "o" and b.text == "heroi" for a, b in zip(parse.tokens, parse.tokens[1:], strict=False))
    return happening(event="attack", who="host_hero") if hero and parse.context.companion else REFUSE


@G.rule("when", "ao ATACAR com esta carta")
def _attacks_with_this(parse: Parse) -> Part:
    return happening(event="attack", who="self", by={"card": "this"})


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


@G.rule("happens", "for realizar um teste [de dificuldade <atmost:d>]")
def _about_to_check(parse: Parse, d: int | None = None) -> Part:
    part = happening(event="check", who="self", phase="before")
    return part if d is None else {**part, "requires": [*part["requires"], {"if": {"le": ["event.dc", d]}}]}


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
