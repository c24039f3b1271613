"""When something happens to cards: obtained, revealed, consumed, discarded, activated."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, Part
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.triggers import happening


@G.rule("happens", "uma carta SER ativada", "uma carta for SER ativada")
def _any_activation(parse: Parse) -> Part:
    return happening(event="card_activated", who="any")


@G.rule("happens", "um {EVENT} [<quals:q>] (SER | for SER) ativado", "outro {EVENT} [<quals:q>] (SER | for SER) ativado")
def _event_activation(parse: Parse, q: dict[str, Any] | None = None) -> Any:
    other = {"not": "this"} if any(t.text == "outro" for t in parse.here) else {}
    return happening(event="card_activated", card={"suit": "Event", **(q or {}), **other})


@G.rule("happens", "esta carta SER descartada para o efeito projetil de outro {ITEM}")
def _spent_as_ammunition(parse: Parse) -> Part:
    return happening(event="card_discard", card="this", by={"effect_named": "Projectile"})


@G.rule("happens", "esta carta SER obtida do {MARKET}", sources=["market"])
@G.rule("happens", "esta carta SER obtida do {MARKET} ou da pilha de descarte", sources=["market", "discard"])
def _obtained(parse: Parse, sources: list[str]) -> Part:
    return {"timings": ["OnObtain"], "requires": [{"if": {"from": sources}}], "trigger": True}


@G.rule(
    "happens",
    "esta carta SER (enviada | adicionada | colocada) para (o | a) [seu] <zonemac:z>",
    "esta carta SER (adicionada | colocada | enviada) (ao | a | no) [seu] <zonemac:z>",
)
def _sent(parse: Parse, z: str) -> Any:
    if z == "inventory":
        return {"timings": ["OnObtain"], "trigger": True}
    if z == "table":
        return {"timings": ["OnPlay"], "trigger": True}
    if z not in ("memento", "equipment"):
        return REFUSE
    return {"timings": ["OnPlay"], "requires": [{"if": {"in_zone": ["this", z]}}], "trigger": True}


G.table("happens", {
    "esta carta SER consumida": {"timings": ["OnExhaust"], "trigger": True},
    "esta carta SER recuperada": {"timings": ["OnRecover"], "trigger": True},
    "esta carta SER descartada": {"timings": ["OnDiscard"], "trigger": True},
    "esta carta SER enterrada": {"timings": ["OnBury"], "trigger": True},
    "esta carta SER banida": {"timings": ["OnBanish"], "trigger": True},
    "esta carta SER revelada": {"timings": ["OnReveal"], "trigger": True},
    "esta carta SER obtida": {"timings": ["OnObtain"], "trigger": True},
    "esta carta SER removida da [sua] {TABLE}": {"timings": ["OnExit"], "trigger": True},
})  # fmt: skip


@G.rule("happens", "um <cards:c> SER consumido", event="card_exhaust")
@G.rule("happens", "um <cards:c> SER descartado", event="card_discard")
@G.rule("happens", "um <cards:c> SER enterrado", event="card_bury")
def _card_turned(parse: Parse, c: dict[str, Any], event: str) -> Part:
    return happening(event=event, card=c)


@G.rule("happens", "um <cards:c> SER ativado")
def _card_activated(parse: Parse, c: dict[str, Any]) -> Any:
    return REFUSE if c == {"suit": "Event"} or "Event" in str(c.get("suit")) else happening(event="card_activated", card=c)


@G.rule("when", "apos ATACAR com esta carta")
def _after_attack(parse: Parse) -> Part:
    return happening(event="attack_resolved", by={"card": "this"})


@G.rule("when", "apos este personagem ATACAR")
def _after_own_attack(parse: Parse) -> Part:
    return happening(event="attack_resolved", who=parse.context.this_char)
