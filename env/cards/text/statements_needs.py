"""Requirements that a text sets or waives: knowledge, attributes, places, slots, copies."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.base import G, any_of
from apotheosis.env.cards.text.grammar import Parse
from apotheosis.env.cards.text.statements import Mod


@G.rule("stmt", "voce PODER (USAR | ATIVAR | EQUIPAR) esta carta sem (TER | POSSUIR) o {KNOWLEDGE}")
def _waived(parse: Parse) -> list[Mod]:
    return [{"q": "requirement.knowledge", "set": "waived", "card": "this"}]


@G.rule("stmt", "voce PODER (USAR | ATIVAR | EQUIPAR) <cards:c> sem [TER | POSSUIR] o {KNOWLEDGE}")
def _waived_cards(parse: Parse, c: dict[str, Any]) -> list[Mod]:
    return [{"q": "requirement.knowledge", "set": "waived", "card": c}]


@G.rule("stmt", "(este personagem | esta carta) nao PODER SER adicionado ao {SUPPORT}")
def _not_in_support(parse: Parse) -> list[Mod]:
    return [{"q": "rule.not_in_support", "set": True, "card": "this"}]


@G.rule("stmt", "esta carta nao ocupa [nenhum] espaco [no {EQUIP}]")
def _weightless(parse: Parse) -> list[Mod]:
    return [{"q": "slot.weight", "set": 0, "card": "this"}]


@G.rule("stmt", "esta carta ocupa <num:n> espaco [no {EQUIP}]")
def _weight(parse: Parse, n: int) -> list[Mod]:
    return [{"q": "slot.weight", "set": n, "card": "this"}]


@G.rule("stmt", "voce PODER USAR <items:i> de qualquer conhecimento")
def _waived_for(parse: Parse, i: list[dict[str, str]]) -> list[Mod]:
    return [{"q": "requirement.knowledge", "set": "waived", "card": any_of(i)}]


@G.rule("stmt", "voce nao PRECISAR do requerimento de {KNOWLEDGE} para ADICIONAR uma <kind:k> ao {SUPPORT}")
def _waived_kind(parse: Parse, k: str) -> list[Mod]:
    return [{"q": "requirement.knowledge", "set": "waived", "card": {"suit": "Companion", "kind": k}}]


@G.rule(
    "stmt",
    "voce PRECISAR (TER | de) [pelo menos | no minimo] (<atleast:n> | <int:n>) de <attr:a> para (EQUIPAR esta carta | "
    "USAR esta carta | ENVIAR esta carta para [o] [seu] {EQUIP})",
)
def _needs_attr(parse: Parse, n: int, a: str) -> list[Mod]:
    return [{"q": "requirement.attr", "set": {a: n}, "card": "this"}]


@G.rule("stmt", "voce nao PODER TER mais de uma carta com este efeito")
def _unique(parse: Parse) -> list[Mod]:
    return [{"q": "rule.unique_keyword", "set": "this_keyword"}]


@G.rule("stmt", "voce PODER TER apenas uma carta com <tag:t> na [sua] {TABLE}")
def _unique_tag(parse: Parse, t: str) -> list[Mod]:
    return [{"q": "rule.unique_keyword", "set": t}]
