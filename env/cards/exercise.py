"""Fires effects in generated matches, to see that what is called executable really does something.

An effect is proved by difference: two matches with the same decks, seeds and choices are played side by side, one with the
effect and one in which it is hollow (it is heard, paid and activated, but its program and its modifiers are empty). As long
as the effect does nothing, both are equal byte by byte; the first difference in the state or in what is legal is its work.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.cards.deck_draws import DeckSampler
from apotheosis.env.cards.decks import DeckRules
from apotheosis.env.cards.loader import load_cards
from apotheosis.env.cards.pool import Pool, make_pool
from apotheosis.env.cards.schema import CardBase, Class, Companion, Entity, House
from apotheosis.env.cards.traits import folded, tags_of
from apotheosis.env.errors import InputError
from apotheosis.env.vocabulary import Path, Scope

if TYPE_CHECKING:
    from apotheosis.env.match import Match

Ints = np.ndarray[Any, np.dtype[np.int64]]

MATCHES = 60
"""Matches that an effect is given to fire in."""
DECISIONS = 400
"""Decisions of one of these matches."""
COPIES_OF_CARD = 9
"""Copies of the card in each of the two decks."""
HELPERS_IN_DECK = 6
"""Copies in each deck of cards of a kind that the effect speaks of (its tags, types of Companions)."""
BIAS = 0.5
"""Share of the choices of a turn that are made for the card's sake."""
HERO_LEVELS = (7, 4, 10)
"""Levels of the Heroes that play it: the first one at which some Hero can use and place the card."""
DRAWS = 100
"""Heroes drawn of each level until one can."""
STREAMS = 5
ALLIES = {"otherallies", "nearestally", "teammember"}
"""Words of effects that need a teammate."""
ROUGH = 0.5
"""Share of the matches on uneven ground."""
SIDE = 11
GROUNDS = (0, 0, 0, 1, 2, 6, 8)
"""Terrains of uneven ground: field, rock, swamp, aqua, disabled tiles."""


@dataclass(frozen=True)
class Exercise:
    """What came of exercising one effect of a card.

    Args:
        index: number of the effect, as that of its `Reading`.
        fired: whether all that was read of it was seen at work.
        evidence: where the two matches parted, or why they did not.
        fault: the error of the rules kernel that ended one of the matches, with the number of the match, or None.
    """

    index: int
    fired: bool
    evidence: str
    fault: str | None = None


@dataclass
class _Pair:
    """What came of one pair of matches.

    Args:
        parted: where the two matches parted, "" nowhere.
        uses: how often the effect was activated.
        fault: the error of the kernel that ended one of them, "" none.
    """

    parted: str = ""
    uses: int = 0
    fault: str = ""


class _Stage:
    """A pool record that matches can be played with."""

    def __init__(self, pool: Pool, record: Any):
        self.cards = pool.cards
        self.record = record


def with_sheets(pool: Pool) -> Pool:
    """Returns a pool with the cards of the starter set added, so that Heroes can be built around any cards."""
    known = {card.id for card in pool.cards}
    extra = [card for card in load_cards("starter") if card.id not in known]
    return make_pool([*pool.cards, *extra], pool.source, pool.overrides)


def hollowed(record: Any, effect: int, end: int) -> Any:
    """Returns a copy of a pool record in which one effect is paid and activated but does nothing.

    An effect without a program and without modifiers is one that the kernel reads from the card itself: cards to discard for a
    target, a Mount, a Companion that is not placed or has no piece, what the card requires. There the card loses it.

    Args:
        record: an array of one POOL.
        effect: the row of the effect.
        end: a position in the code that holds the end of a program.
    """
    from apotheosis.env.rules.codes import Trait

    copy = record.copy()
    row = copy["effect"][0][effect]
    if row["program"] >= 0:
        row["program"] = end
    elif not row["mod_n"]:
        card = copy["card"][0][row["card"]]
        card["bar_costs"] = 0
        card["traits"] &= ~(Trait.MOUNT | Trait.SILLY | Trait.NO_PIECE | Trait.SIMPLE)
        card["traits"] &= ~(Trait.UNIQUE_COPY | Trait.NO_DETACH | Trait.FREE_ATTACH)
        card["needs_attr"] = -1
    row["mod_n"] = 0
    return copy


def _words(tree: Any) -> set[str]:
    """Returns all strings of an effect in plain form."""
    if isinstance(tree, dict):
        return {word for value in tree.values() for word in _words(value)}
    if isinstance(tree, list):
        return {word for value in tree for word in _words(value)}
    return {folded(tree)} if isinstance(tree, str) else set()


class Exerciser:
    """Exercises the effects of a pool's cards.

    Args:
        pool: the cards; it must have Houses and Classes (see `with_sheets`).
        seed: decides all decks, dice and choices.
    """

    def __init__(self, pool: Pool, seed: int = 1):
        self.pool = pool
        self.seed = seed
        self._words: dict[int, set[str]] = {}
        self.samplers = [DeckSampler(pool, DeckRules(level)) for level in HERO_LEVELS]
        record = pool.record
        end = int(record["words"][0])
        if end >= record["code"].shape[1]:
            raise InputError("the effects leave no room for the end of an empty program", pool.source)
        self._end = end
        self._full = _Stage(pool, record)

    def card(self, number: int) -> list[Exercise]:
        """Exercises every effect of a card that runs.

        Args:
            number: the card's number in the pool.
        """
        row = int(self.pool.record[0]["card"][number]["effect_first"])
        found = []
        for reading in self.pool.readings[number]:
            parts = [self._effect(number, reading.index, row + part) for part in range(len(reading.effects))]
            row += len(parts)
            if parts:
                fault = next((part.fault for part in parts if part.fault), None)
                worst = next((part for part in parts if not part.fired), parts[0])
                found.append(Exercise(reading.index, worst.fired, worst.evidence, fault))
        return found

    def _effect(self, number: int, index: int, effect: int) -> Exercise:
        hollow = _Stage(self.pool, hollowed(self._full.record, effect, self._end))
        helpers = self._helpers(number)
        rng = np.random.default_rng((self.seed, number, effect))
        activated, fault = 0, None
        for match in range(1, MATCHES + 1):
            pair = self._match(number, effect, hollow, helpers, rng)
            activated += pair.uses
            if pair.fault and fault is None:
                fault = f"match {match}, {pair.fault}"
            if pair.parted:
                return Exercise(index, True, f"match {match}, {pair.parted}", fault)
        return Exercise(index, False, self._silence(number, effect, activated), fault)

    def _silence(self, number: int, effect: int, activated: int) -> str:
        """Says why an effect was not seen at work."""
        if activated:
            return f"activated {activated} times in {MATCHES} matches without any change"
        card = self.pool.record[0]["card"][number]
        rows = self.pool.record[0]["effect"]
        own = rows[card["effect_first"] : card["effect_first"] + card["effect_n"]]
        if (own["scopes"] == 1 << Scope.Scenario).all():
            return "works in the scenario, where only another card could put it (R23.3)"
        return f"not activated and without any change in {MATCHES} matches"

    def _helpers(self, number: int) -> Ints:
        """Returns other cards for the decks, of kinds that the card's effects and techniques speak of."""
        card = self.pool.cards[number]
        words = set(self._said(number))
        if isinstance(card, Companion):
            words.update(*(_words(technique.requirement) for technique in card.techniques))
        found = [other for other in self.samplers[0].legal if other != number and words & self._kinds[other]]
        return np.array(found, np.int64)

    @cached_property
    def _kinds(self) -> list[set[str]]:
        """Per card, the names of its tags and of its type of Companion."""
        return [
            {folded(name) for name in (*tags_of(card), *([card.companion_type.name] if isinstance(card, Companion) else ()))}
            for card in self.pool.cards
        ]

    def _match(self, number: int, effect: int, hollow: _Stage, helpers: Ints, rng: np.random.Generator) -> _Pair:
        """Plays one pair of matches."""
        from apotheosis.env.match import Match
        from apotheosis.env.rules.codes import Fault, Log

        lineup = self._lineup(number, helpers, rng)
        seeds = rng.integers(0, 2**31, STREAMS)
        full = Match(self._full, lineup, seeds, log=True)  # pyright: ignore[reportArgumentType]
        other = Match(hollow, lineup, seeds, log=True)  # pyright: ignore[reportArgumentType]
        step = 0
        for step in range(DECISIONS):
            faulty = next((match.fault for match in (full, other) if match.fault), None)
            if faulty is not None:
                return _Pair(fault=f"decision {step}: {faulty.name if isinstance(faulty, Fault) else faulty}")
            if not np.array_equal(full.legal(), other.legal()):
                return _Pair(f"decision {step}: other options", 1)
            if full.matches.tobytes() != other.matches.tobytes():
                return _Pair(f"decision {step}: another state", 1)
            if full.over:
                break
            code = self._choose(full, number, rng)
            full.apply(code)
            other.apply(code)
        events = full.events()
        uses = int(((events["kind"] == Log.ACTIVATE) & (events["arg"][:, 2] == effect)).sum())
        return _Pair(uses=uses)

    def _choose(self, match: Match, number: int, rng: np.random.Generator) -> int:
        """Chooses at random, but half of the time only things done with cards, and copies of the card among these."""
        from apotheosis.env.rules.codes import Act, Decision, Kind
        from apotheosis.env.rules.layout import COPIES

        options = match.legal()
        liked = np.zeros(len(options), bool)
        if match.decision == Decision.TURN and rng.random() < BIAS:
            plain = (Kind.END_TURN, Kind.MOVE, Kind.NORMAL_ATTACK, Kind.WITHDRAW, Kind.SLEEP, Kind.UNSUMMON, Kind.REST)
            liked = ~np.isin(options - Act.KIND, plain)
        elif match.decision == Decision.CARD and rng.random() < BIAS:
            rows = options - Act.CARD  # own copies by number, then those of others
            own = (rows >= 0) & (rows < COPIES)
            copies = int(match.state["owner"][match.asked]) * COPIES + np.where(own, rows, 0)
            liked = own & (match.state["ident"][copies] == number)
        if liked.any():
            options = options[liked]
        return int(options[rng.integers(len(options))])

    def _lineup(self, number: int, helpers: Ints, rng: np.random.Generator) -> Any:
        """Returns a lineup of two Heroes built around the card, with many copies of it."""
        from apotheosis.env.rules.layout import LINEUP

        lineup = np.zeros(1, LINEUP)
        for name, value in (
            ("width", 3), ("height", 4), ("team_size", 1), ("opening_hand", 6), ("muster", 3), ("draw_per_turn", 1),
            ("stint_limit", 20), ("nested_reactions", 1),
        ):  # fmt: skip
            lineup[name] = value
        words = self._said(number)
        heroes = 4 if words & ALLIES else 2
        lineup["team_size"] = heroes // 2
        if rng.random() < ROUGH:
            # altitudes and every kind of ground that a piece may be on, where no Hero begins
            for tile in range(SIDE, SIDE * 3):
                lineup["altitude"][0, tile] = rng.integers(3)
                lineup["terrain"][0, tile] = rng.choice(GROUNDS)
        lineup["cards"] = -1
        for hero in range(heroes):
            row = self._hero(number, helpers, rng)
            if "entityslot" in words and not isinstance(self.pool.cards[number], Entity):
                row[4] = -1
            lineup["cards"][0, hero, : len(row)] = row
        return lineup

    def _said(self, number: int) -> set[str]:
        """Returns the words of a card's effects in plain form."""
        if number not in self._words:
            effects = [effect for reading in self.pool.readings[number] for effect in reading.effects]
            self._words[number] = set().union(*(_words(effect.written()) for effect in effects))
        return self._words[number]

    def _hero(self, number: int, helpers: Ints, rng: np.random.Generator) -> Any:
        card = self.pool.cards[number]
        if isinstance(card, (House, Class, Entity)):
            row = self.samplers[0].draw(rng)
            self._seat(card, number, row)
        else:
            row = self._user(number, rng)
            row[5 : 5 + COPIES_OF_CARD] = number
        if len(helpers):
            row[-HELPERS_IN_DECK:] = rng.choice(helpers, HELPERS_IN_DECK)
        row[5:] = rng.permutation(row[5:])
        return row

    def _user(self, number: int, rng: np.random.Generator) -> Any:
        """Draws a Hero that can use and place a card of the deck; any Hero if none is found."""
        for sampler in self.samplers:
            place = np.flatnonzero(sampler.legal == number)
            if len(place):
                for _ in range(DRAWS):
                    row = sampler.draw(rng)
                    if sampler.usable(row[None, 1:4], row[:1])[0, place[0]]:
                        return row
        return self.samplers[0].draw(rng)

    def _seat(self, card: CardBase, number: int, row: Any) -> None:
        """Puts a card of the sheet on it."""
        if isinstance(card, House):
            row[0] = number
        elif isinstance(card, Entity):
            row[4] = number
        elif isinstance(card, Class) and card.path not in (Path.World, Path.Absent):
            row[1] = number


def exercise(pool: Pool, seed: int = 1) -> dict[str, list[Exercise]]:
    """Exercises the effects of all cards of a pool.

    Args:
        pool: the cards.
        seed: decides all decks, dice and choices.

    Returns:
        For each card with effects that run, one entry for each of them.
    """
    whole = with_sheets(pool)
    exerciser = Exerciser(whole, seed)
    found = {}
    for card in pool.cards:
        number = whole.number(card.id)
        if any(reading.effects for reading in whole.readings[number]):
            found[card.id] = exerciser.card(number)
    return found
