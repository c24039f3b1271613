"""Fires effects in generated matches, to see that what is called executable really does something.

An effect is proved by difference: two matches with the same decks, seeds and choices are played side by side, one with the
effect and one in which it is hollow (it is heard, paid and activated, but its program and its modifiers are empty). As long
as the effect does nothing, both are equal byte by byte; the first difference in the state or in what is legal is its work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.cards.exercise_decks import Casting, Ints
from apotheosis.env.cards.loader import load_cards
from apotheosis.env.cards.pool import Pool, make_pool
from apotheosis.env.errors import InputError
from apotheosis.env.vocabulary import Scope

if TYPE_CHECKING:
    from apotheosis.env.match import Match

MATCHES = 60
"""Matches that an effect is given to fire in."""
DECISIONS = 400
"""Decisions of one of these matches."""
BIAS = 0.5
"""Share of the choices of a turn that are made for the card's sake."""
STREAMS = 5
HURT = 0.5
"""Share of the matches in which everybody has lost some HP."""
UNUSED = {
    "frame": "sp", "modifier": "mods", "counter_card": "counters", "counter_name": "counters", "counter_n": "counters",
    "order": "order_n",
}  # fmt: skip
"""Rows of a match record with the field that counts those in use."""
KEPT = (
    "steps", "active", "active_card", "active_effect", "active_modifies", "modified", "lasting", "ruled", "reads", "dirty",
    "listening",
)  # fmt: skip
"""Fields with which the kernel keeps its books: a standing modifier that nobody has read shows only there."""


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


def _lose_hp(match: Match, shares: Ints) -> None:
    """Leaves the living a share of their HP, in percent."""
    from apotheosis.env.rules.codes import Change

    hp = match.state["hp"]
    hp[:] = np.where(hp > 0, np.maximum(1, hp * shares // 100), hp)
    match.state["dirty"] |= Change.HP
    match.rewritten()


def seen(matches: Any) -> bytes:
    """Returns the bytes of a match record without rows that are not in use and without the books that the kernel keeps."""
    data = bytearray(matches.tobytes())  # a copy of the array would leave its padding to chance
    record = np.frombuffer(data, matches.dtype)[0]
    for name in KEPT:
        record[name] = 0
    for rows, used in UNUSED.items():
        record[rows][int(record[used]) :] = 0
    return bytes(data)


class Exerciser:
    """Exercises the effects of a pool's cards.

    Args:
        pool: the cards; it must have Houses and Classes (see `with_sheets`).
        seed: decides all decks, dice and choices.
    """

    def __init__(self, pool: Pool, seed: int = 1):
        self.pool = pool
        self.seed = seed
        self.casting = Casting(pool)
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
        helpers = self.casting.helpers(number)
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
        from apotheosis.env.rules.codes import Trait

        if activated:
            return f"activated {activated} times in {MATCHES} matches without any change"
        card = self.pool.record[0]["card"][number]
        if int(card["traits"]) & Trait.SILLY:
            return "its card is never on the Support (text TOLO)"
        if "encounter" in self.casting.said(number):
            return "waits for cards that no deck of a battle holds (ARENA A2.5)"
        rows = self.pool.record[0]["effect"]
        own = rows[card["effect_first"] : card["effect_first"] + card["effect_n"]]
        if (own["scopes"] == 1 << Scope.Scenario).all():
            return "works in the scenario, where only another card could put it (R23.3)"
        return f"not activated and without any change in {MATCHES} matches"

    def _match(self, number: int, effect: int, hollow: _Stage, helpers: list[Ints], rng: np.random.Generator) -> _Pair:
        """Plays one pair of matches."""
        from apotheosis.env.match import Match
        from apotheosis.env.rules.codes import Decision, Fault, Log

        lineup = self.casting.lineup(number, helpers, rng)
        seeds = rng.integers(0, 2**31, STREAMS)
        full = Match(self._full, lineup, seeds, log=True)  # pyright: ignore[reportArgumentType]
        other = Match(hollow, lineup, seeds, log=True)  # pyright: ignore[reportArgumentType]
        hurt = rng.integers(1, 100, full.state["hp"].shape) if rng.random() < HURT else None
        step = 0
        for step in range(DECISIONS):
            faulty = next((match.fault for match in (full, other) if match.fault), None)
            if faulty is not None:
                return _Pair(fault=f"decision {step}: {faulty.name if isinstance(faulty, Fault) else faulty}")
            if hurt is not None and full.decision == Decision.TURN:
                for match in (full, other):
                    _lose_hp(match, hurt)
                hurt = None
            if not np.array_equal(full.legal(), other.legal()):
                return _Pair(f"decision {step}: other options", 1)
            if seen(full.matches) != seen(other.matches):
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
