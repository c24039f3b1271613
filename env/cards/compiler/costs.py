"""Compiles what a cost is paid with (R6.8.1, R7.6)."""

from typing import Any

from apotheosis.env.cards.compiler.code import Refusal, Scene, Value, number, same
from apotheosis.env.cards.compiler.quantities import AREAS, CURRENCY_SUIT
from apotheosis.env.cards.compiler.steps import energy_mask
from apotheosis.env.cards.compiler.subjects import one_character
from apotheosis.env.cards.language.requirements import Payment
from apotheosis.env.rules.opcodes import Cost, X
from apotheosis.env.vocabulary import CompanionType


def pays_itself(payment: Payment) -> bool:
    """Tells whether a Companion can pay a cost of its technique: AP, counters, its attachments (R19.7)."""
    if payment.counter is not None or payment.ap is not None:
        return True
    cards = payment.discard
    return cards is not None and cards.zone == ["attachments"]


def holders(payment: Payment, scene: Scene) -> Value:
    """The test whether a card is one whose counters a cost may take."""
    holder = payment.from_
    if holder is None or holder.cards_of is None:
        raise Refusal("counters of characters as a cost")
    owner: Value = [(X.IT_CARD, 0), (X.C_OWNER, 0)]
    who = one_character(holder.cards_of, scene)
    if who is not None:
        return same(owner, [*who, (X.OWNER_OF, 0)])
    plain = holder.cards_of.model_dump(exclude_defaults=True)
    if plain in ("allies", {"chars": "allies"}):
        return [*owner, (X.IS_TEAM, 0)]
    if plain == {"chars": "allies", "kind": "Human"}:
        human = same([(X.IT_CARD, 0), (X.C_TYPE, 0)], number(CompanionType.Human))
        return [*owner, (X.IS_TEAM, 0), *human, (X.AND, 0)]
    raise Refusal("counters of some characters' cards as a cost")


def payment_kind(payment: Payment, scene: Scene) -> tuple[Cost, Any, int]:
    """Returns the kind of a cost entry, the cards that pay it, and its extra word (`opcodes.Cost`).

    Raises:
        Refusal: the kernel has no such cost.
    """
    if payment.ap is not None:
        return Cost.AP, None, 0
    if payment.hp is not None:
        who = None if payment.from_ is None else payment.from_.chars
        if who is None or who.chars in ("self", "host_hero"):
            return Cost.HP, None, 0
        if who.chars == "this_char":
            return Cost.HP_PIECE, None, 0
        raise Refusal("HP of others as a cost")
    if payment.from_ is not None and payment.counter is None and payment.marker is None:
        raise Refusal("a cost of somebody else")
    if payment.energy is not None:
        return Cost.ENERGY, None, energy_mask(set(payment.energy))
    if payment.currency is not None:
        return Cost.CURRENCY, None, int(CURRENCY_SUIT[payment.currency])
    if payment.counter is not None:
        kind = Cost.COUNTER if payment.from_ is None or payment.from_.card == "this" else Cost.COUNTER_OF
        return kind, None, scene.names.counter(payment.counter)
    if payment.marker is not None:
        if payment.from_ is not None and (payment.from_.chars is None or payment.from_.chars.chars != "self"):
            raise Refusal("markers of others as a cost")
        return Cost.MARKER, None, scene.names.marker(payment.marker)
    kinds = {"discard": Cost.DISCARD, "bury": Cost.BURY, "banish": Cost.BANISH, "reveal": Cost.REVEAL}
    for key, kind in {**kinds, "exhaust": Cost.EXHAUST, "inventory": Cost.RETURN}.items():
        cards = getattr(payment, key)
        if cards is None:
            continue
        if key == "inventory" and cards.card == "this":
            return kind, cards, 0
        if cards.zone == ["attachments"] and cards.of in (None, "this_char") and key == "discard":
            return Cost.ATTACHED, cards, 0
        area = None if cards.zone is None or len(cards.zone) != 1 else AREAS.get(cards.zone[0])
        if area is not None and key in ("discard", "bury") and cards.of in (None, "self", "host_hero"):
            if cards.suit not in (None, [area]):
                raise Refusal(f"a cost of cards elsewhere than usual ({key})")
            held = cards.model_copy(update={"suit": [area]})
            return Cost.TABLE_DISCARD if key == "discard" else Cost.TABLE_BURY, held, 0
        own = cards.zone is None or cards.zone == (["inventory"] if key in kinds else cards.zone)
        if not own or cards.of not in (None, "self", "host_hero"):
            raise Refusal(f"a cost of cards elsewhere than usual ({key})")
        if cards.card is not None and key in kinds:
            raise Refusal("this card as its own cost")
        # "a card" without a place is one of the hand or the table (R2.1.10)
        return kind, cards, int(cards.zone is None and kind in (Cost.DISCARD, Cost.BURY, Cost.BANISH))
    raise Refusal("this kind of cost")
