"""The swap design: the same deck with a card and with a plain card of its suit and level in the same slot.

What a card is worth is what changes when it is exchanged and nothing else is. The card it is exchanged for is another
card of the pool, or a plain one made here: no text, and the typical numbers of its suit and level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import median_low
from typing import Any

from apotheosis.env.cards.deck_draws import DeckSampler
from apotheosis.env.cards.decks import Deck
from apotheosis.env.cards.pool import Pool, make_pool
from apotheosis.env.cards.schema import MODELS, CardBase
from apotheosis.env.cards.yaml_file import plain
from apotheosis.env.errors import InputError
from apotheosis.env.vocabulary import Suit
from apotheosis.experiments.plan import Side
from apotheosis.experiments.seeds import Purpose, generator
from apotheosis.experiments.spec import Spec

PREFIX = "Plain_"
"""How the id of a plain card begins; the id of the card that it stands against follows."""
DRAWS_PER_DECK = 400
"""Random decks drawn at most for one that holds the card."""
KEPT = (
    "suit", "level", "rarity", "action", "knowledge", "knowledges", "path", "order", "companion_type", "lignum",
    "headpiece", "vest", "feet", "accessory", "utility", "attachment_slots",
)  # fmt: skip
"""What decides where a card fits: a plain card has it from the card it stands against."""
ENERGIES = ("stamina", "mana", "essence")
COUNTS = ("equipment_slots", "memento_slots", "support_slots", "price", "score")


def baseline_of(spec: Spec) -> str:
    """Returns the id of the card that the measured card is exchanged for."""
    return spec.design.baseline or f"{PREFIX}{spec.design.card}"


def with_baseline(pool: Pool, spec: Spec) -> Pool:
    """Returns the pool with the plain card that a swap needs; other designs, and swaps of two cards, need none.

    Raises:
        InputError: the pool does not have the card or its baseline, or they are of different suits.
    """
    if spec.design.kind != "swap":
        return pool
    card = pool.card(str(spec.design.card))
    if spec.design.baseline is None:
        return make_pool([*pool.cards, plain_card(pool, card)], pool.source, pool.overrides)
    other = pool.card(spec.design.baseline)
    if other.suit_code != card.suit_code:
        raise InputError(
            f"{card.id} is a {card.suit_code.name}, {other.id} a {other.suit_code.name}; only cards of one suit can be "
            "exchanged for each other",
            "design.baseline",
        )
    return pool


def plain_card(pool: Pool, card: CardBase) -> CardBase:
    """Makes the plain card that stands against a card: same suit, level, cost and place, typical numbers, no text.

    Each number is the median over the other cards of the suit and level that have such a number; a card has only the
    kinds of numbers (damage, bonus, energy) that the card it stands against has.

    Args:
        pool: the cards that say what is typical.
        card: the card to stand against.

    Source: METHOD 2a.
    """
    own = plain(card)
    peers = [plain(other) for other in pool.cards if _alike(other, card)] or [own]
    values: dict[str, Any] = {key: own[key] for key in KEPT if key in own}
    values["id"] = f"{PREFIX}{card.id}"
    values["name"] = f"Plain {card.suit_code.name} of level {card.level}"
    if card.suit_code in (Suit.House, Suit.Class):
        values.update({key: own[key] for key in ("knowledges",) if key in own})
    for key in COUNTS:
        if own.get(key):
            values[key] = _typical(peers, lambda peer, key=key: peer.get(key), own[key])
    for key in ("attributes", "attributes_bonus"):
        if key in own:
            values[key] = _attributes(peers, key, own[key])
    _add_energy(values, own, peers)
    _add_bar(values, own, peers)
    return MODELS[card.suit_code.name].model_validate(values)


def _alike(other: CardBase, card: CardBase) -> bool:
    same = other.suit_code == card.suit_code and other.level == card.level and other.id != card.id
    return same and getattr(other, "companion_type", None) == getattr(card, "companion_type", None)


def _typical(peers: Iterable[dict[str, Any]], number: Callable[[dict[str, Any]], Any], default: Any) -> Any:
    found = [value for value in map(number, peers) if value]
    return median_low(found) if found else default


def _attributes(peers: Sequence[dict[str, Any]], key: str, own: dict[str, int]) -> dict[str, int]:
    return {name: _typical(peers, lambda peer, name=name: peer.get(key, {}).get(name), own[name]) for name in own}


def _add_energy(values: dict[str, Any], own: dict[str, Any], peers: Sequence[dict[str, Any]]) -> None:
    kinds = [kind for kind in ENERGIES if own.get(kind)]
    if kinds:
        total = _typical(peers, lambda peer: sum(peer.get(kind, 0) for kind in ENERGIES), own[kinds[0]])
        values[max(kinds, key=lambda kind: own[kind])] = total


def _add_bar(values: dict[str, Any], own: dict[str, Any], peers: Sequence[dict[str, Any]]) -> None:
    """Gives damage and range to the plain version of a card that has them."""
    damage, span = own.get("damage"), own.get("range")
    if damage is not None:
        values["damage"] = {
            **damage,
            "constant": _typical(peers, lambda peer: peer.get("damage", {}).get("constant"), 0),
        }
        dice = Counter(peer["damage"]["dice"] for peer in peers if peer.get("damage", {}).get("dice"))
        if dice:
            values["damage"]["dice"] = min(dice, key=lambda name: (-dice[name], name))
    if span is not None:
        same = [peer for peer in peers if peer.get("range", {}).get("type") == span["type"]]
        typical = _typical(same, lambda peer: peer["range"].get("constant"), span.get("constant", 0))
        values["range"] = {**span, "constant": typical}


def swap_sides(spec: Spec, pool: Pool, listed: Sequence[Deck] | None, experiment: int) -> list[Side]:
    """Returns pairs of sides: each deck with the card, then the same deck with its baseline in the same slot.

    Args:
        spec: a spec of the design swap.
        pool: the cards, with the baseline.
        listed: the decks to use, or None to draw random ones that hold the card.
        experiment: random decks of another experiment are other decks.

    Raises:
        InputError: no deck holds the card, teams are larger than one, or the exchange breaks a copy limit.
    """
    if spec.format.team_size != 1:
        raise InputError("the design swap exchanges a card in one deck; it needs format.team_size = 1")
    card, other = str(spec.design.card), baseline_of(spec)
    decks = _holding(spec, pool, experiment) if listed is None else [deck for deck in listed if card in deck.ids()]
    if not decks:
        raise InputError(f"none of the {len(listed or ())} decks holds {card}", "design.card")
    sides = []
    for deck in decks:
        sides.append(Side(f"{deck.name}/card", (deck.model_dump(mode="json"),)))
        sides.append(Side(f"{deck.name}/baseline", (exchanged(deck, card, other).model_dump(mode="json"),)))
    return sides


def exchanged(deck: Deck, card: str, other: str) -> Deck:
    """Returns a deck with one copy of a card exchanged for another card, in the same slot; all others stay in theirs.

    Args:
        deck: a deck that holds the card.
        card: the card that leaves: its last copy, or the Sheet card itself.
        other: the card that takes its place.
    """
    if card not in deck.cards:
        sheet = {
            "house": other if deck.house == card else deck.house,
            "classes": [other if name == card else name for name in deck.classes],
            "entity": other if deck.entity == card else deck.entity,
        }
        return deck.model_copy(update=sheet)
    if other in deck.cards and other != card:
        raise InputError(f"holds {other} already, so that {card} cannot be exchanged for it", f"deck {deck.name}")
    cards: dict[str, int] = {}
    for name, copies in deck.cards.items():
        kept = copies - (name == card)
        if kept:
            cards[name] = kept
        if name == card:
            cards[other] = cards.get(other, 0) + 1
    return deck.model_copy(update={"cards": cards})


def _holding(spec: Spec, pool: Pool, experiment: int) -> list[Deck]:
    """Draws random decks until enough of them hold the card; the plain card is in none of them."""
    card, other = str(spec.design.card), baseline_of(spec)
    known = [each for each in pool.cards if each.id != other or other == card or spec.design.baseline is not None]
    sampler = DeckSampler(make_pool(known, pool.source), spec.format, spec.decks.generator)
    wanted, unwanted = sampler.pool.number(card), sampler.pool.index.get(other, -1)
    rng = generator(spec.run.seed, experiment, 0, Purpose.DECK)
    n = spec.n_random_decks(len(known))
    decks: list[Deck] = []
    for _ in range(n * DRAWS_PER_DECK):
        row = sampler.draw(rng)
        if wanted in row and (other == card or unwanted < 0 or unwanted not in row):
            decks.append(sampler.deck(row, f"random-{len(decks) + 1:0{len(str(n))}d}"))
            if len(decks) == n:
                return decks
    raise InputError(f"of {n * DRAWS_PER_DECK} random decks only {len(decks)} hold {card}", "design.card")
