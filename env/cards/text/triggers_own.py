"""Moments without a subject: "on suffering damage", "after attacking"; the owner of the effect is meant."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, any_of
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.triggers import happening


@G.rule("own_deed", "SOFRER {DMG}", event="damage_taken")
@G.rule("own_deed", "SOFRER {INJURY}", event="injury_taken")
@G.rule("own_deed", "CAUSAR {INJURY}", event="injury_dealt")
@G.rule("own_deed", "falhar em um teste [<checks:c>]", event="check_failed")
@G.rule("own_deed", "MORRER", event="death")
def _befalls(parse: Parse, event: str, c: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"event": event, "who": "self", **({"by": c} if c else {})}


@G.rule("own_deed", "SOFRER {DMG} [de um ataque] (de | com) <items:i>", event="damage_taken")
@G.rule("own_deed", "SOFRER {INJURY} [de um ataque] (de | com) <items:i>", event="injury_taken")
def _befalls_from(parse: Parse, event: str, i: list[dict[str, str]]) -> Any:
    if any(set(one) & {"kind", "order", "path"} for one in i):
        return REFUSE
    return {"event": event, "who": "self", "by": any_of(i)}


@G.rule("own_deed", "CAUSAR {DMG}")
def _deals(parse: Parse) -> dict[str, Any]:
    return {"event": "damage_taken", "attacker": "self"}


@G.rule("own_deed", "MATAR <victim:v>")
def _kills(parse: Parse, v: Any) -> dict[str, Any]:
    return {"event": "death", "who": v, "attacker": "self"}


@G.rule("own_deed", "ATIVAR <num> <cards:c>")
def _activates(parse: Parse, c: dict[str, Any]) -> dict[str, Any]:
    return {"event": "card_activated", "who": "self", "card": c}


@G.rule("when", "(ao | apos | depois de) <own_deed:e>")
def _on_deed(parse: Parse, e: dict[str, Any]) -> Any:
    """On a Companion the sentence does not say whether the piece or its Hero is meant."""
    return REFUSE if parse.context.companion else happening(**e)


@G.rule("when", "ao REALIZAR um teste <checks:c>", "ao REALIZAR um teste")
def _on_check(parse: Parse, c: dict[str, Any] | None = None) -> Any:
    return REFUSE if parse.context.companion else happening(event="check", who="self", **({"by": c} if c else {}))


@G.rule("when", "ao (ser | SER) atacado", "ao (ser | SER) [selecionado como] alvo de um ataque")
def _on_attacked(parse: Parse) -> Any:
    return REFUSE if parse.context.companion else {"timings": ["Attacked"], "trigger": True}


@G.rule("when", "(apos | depois de) ATACAR")
def _after_attack(parse: Parse) -> Any:
    return REFUSE if parse.context.companion else happening(event="attack_resolved", who="self")
