"""The swap design: the same deck with a card, or two, and with a plain card of its suit and level in the same slot.

What a card is worth is what changes when it is exchanged and nothing else is. The card it is exchanged for is another
card of the pool, or a plain one made here: no text, and the typical numbers of its suit and level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product
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
DRAWS_PER_DECK, DRAWS_PER_DECK_OF_TWO, PATIENCE = 400, 1_000, 20
"""Random decks drawn at most for one that holds the card, or both cards, on average; and how many decks may be late."""
KEY = "design.card"
ARMS = ("both", "first", "second", "neither")
"""How the names of the four versions of a deck end when two cards are exchanged: which of them are in it."""
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


def exchanges(spec: Spec) -> list[tuple[str, str]]:
    """Returns what a swap exchanges: each card with the card that takes its place, the measured card first."""
    partner = spec.design.partner
    both = [(str(spec.design.card), baseline_of(spec))]
    return both if partner is None else [*both, (partner, f"{PREFIX}{partner}")]


def with_baseline(pool: Pool, spec: Spec) -> Pool:
    """Returns the pool with the plain cards that a swap needs; other designs, and swaps of two cards, need none.

    Raises:
        InputError: the pool does not have the card or its baseline, or they are of different suits.
    """
    if spec.design.kind != "swap":
        return pool
    made = []
    for name, other in exchanges(spec):
        card = pool.card(name)
        if other == spec.design.baseline:
            _check_suits(card, pool.card(other))
        else:
            made.append(plain_card(pool, card))
    return make_pool([*pool.cards, *made], pool.source, pool.overrides) if made else pool


def _check_suits(card: CardBase, other: CardBase) -> None:
    """Refuses a baseline of another suit."""
    if other.suit_code != card.suit_code:
        raise InputError(
            f"{card.id} is a {card.suit_code.name}, {other.id} a {other.suit_code.name}; only cards of one suit can be "
            "exchanged for each other",
            "design.baseline",
        )


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
    """Returns the versions of each deck as sides, with their baseline in the same slot where a card is exchanged.

    Args:
        spec: a spec of the design swap.
        pool: the cards, with the baselines.
        listed: the decks to use, or None to draw random ones that hold the card, or both cards.
        experiment: random decks of another experiment are other decks.

    Returns:
        With the card and with its baseline, for each deck; of two cards with both, with the first, the second, neither.

    Raises:
        InputError: no deck holds what is exchanged, teams are larger than one, or the exchange breaks a copy limit.
    """
    if spec.format.team_size != 1:
        raise InputError("the design swap exchanges a card in one deck; it needs format.team_size = 1")
    swaps = exchanges(spec)
    wanted = {card for card, _ in swaps}
    decks = _holding(spec, pool, experiment) if listed is None else [deck for deck in listed if wanted <= set(deck.ids())]
    if not decks:
        raise InputError(f"none of the {len(listed or ())} decks holds {' and '.join(card for card, _ in swaps)}", KEY)
    names = ("card", "baseline") if len(swaps) == 1 else ARMS
    sides = []
    for deck in decks:
        for name, kept in zip(names, product((True, False), repeat=len(swaps)), strict=True):
            version = deck
            for (card, other), stays in zip(swaps, kept, strict=True):
                version = version if stays else exchanged(version, card, other)
            sides.append(Side(f"{deck.name}/{name}", (version.model_dump(mode="json"),)))
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
    """Draws random decks until enough of them hold what is exchanged; the plain cards are in none of them."""
    swaps = exchanges(spec)
    made = {other for card, other in swaps if other not in (card, spec.design.baseline)}
    known = [each for each in pool.cards if each.id not in made]
    sampler = DeckSampler(make_pool(known, pool.source), spec.format, spec.decks.generator)
    wanted = [sampler.pool.number(card) for card, _ in swaps]
    unwanted = [sampler.pool.number(other) for card, other in swaps if other != card and other not in made]
    rng = generator(spec.run.seed, experiment, 0, Purpose.DECK)
    n = spec.n_random_decks(len(known))
    per_deck = DRAWS_PER_DECK if len(swaps) == 1 else DRAWS_PER_DECK_OF_TWO
    decks: list[Deck] = []
    drawn = 0
    while len(decks) < n:
        row, drawn = sampler.draw(rng), drawn + 1
        if all(number in row for number in wanted) and not any(number in row for number in unwanted):
            decks.append(sampler.deck(row, f"random-{len(decks) + 1:0{len(str(n))}d}"))
        elif drawn >= per_deck * (len(decks) + PATIENCE):
            held = " and ".join(card for card, _ in swaps)
            raise InputError(f"of {drawn:,} random decks only {len(decks)} hold {held}; name decks that do with --decks", KEY)
    return decks
