"""Fires effects in generated matches, to see that what is called executable really does something.

An effect is proved by difference: two matches with the same decks, seeds and choices are played side by side, one with the
effect and one in which it is hollow (it is heard, paid and activated, but its program and its modifiers are empty). As long
as the effect does nothing, both are equal byte by byte; the first difference in the state or in what is legal is its work.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.cards.exercise_decks import Casting, Ints
from apotheosis.env.cards.exercise_scenes import Scenes, with_sheets
from apotheosis.env.cards.exercise_silence import reason, refusals
from apotheosis.env.cards.pool import Pool
from apotheosis.env.errors import InputError

if TYPE_CHECKING:
    from apotheosis.env.match import Match

SCENES = 40
"""Positions arranged for an effect that it is given to fire in."""
MOMENTS = 60
"""Decisions played from one of them."""
MATCHES = 8
"""Drawn matches that an effect is given after that."""
DECISIONS = 400
"""Decisions of one of these matches."""
DIAGNOSES = 4
"""Positions played to find out why an effect was not seen."""
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
        offers: how often the card was among the options.
        fault: the error of the kernel that ended one of them, "" none.
    """

    parted: str = ""
    uses: int = 0
    offers: int = 0
    fault: str = ""


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

    twin = record.copy()
    row = twin["effect"][0][effect]
    if row["program"] >= 0:
        row["program"] = end
    elif not row["mod_n"] and row["blast"] < 0:
        card = twin["card"][0][row["card"]]
        card["bar_costs"] = 0
        card["traits"] &= ~(Trait.MOUNT | Trait.SILLY | Trait.NO_PIECE | Trait.SIMPLE)
        card["traits"] &= ~(Trait.UNIQUE_COPY | Trait.NO_DETACH | Trait.FREE_ATTACH)
        card["needs_attr"] = -1
    row["mod_n"], row["blast"] = 0, -1
    return twin


def _lose_hp(match: Match, shares: Ints) -> None:
    """Leaves the living a share of their HP, in percent."""
    from apotheosis.env.rules.codes import Change

    hp = match.state["hp"]
    hp[:] = np.where(hp > 0, np.maximum(1, hp * shares // 100), hp)
    match.state["dirty"] |= Change.HP
    match.rewritten()


def _mark(rows: Any) -> None:
    """Sets every bit of every field of an array of records."""
    for name in rows.dtype.names:
        if rows[name].dtype.names:
            _mark(rows[name])
        else:
            rows[name] = -1


@cache
def _fields() -> Any:
    """Returns a mask over the bytes of a match record that is zero on its padding, which copies leave to chance."""
    from apotheosis.env.rules.layout import MATCH

    full = np.zeros(1, MATCH)
    _mark(full)
    return np.frombuffer(full.tobytes(), np.uint8)


def seen(matches: Any) -> bytes:
    """Returns the bytes of a match record without rows that are not in use and without the books that the kernel keeps."""
    data = np.frombuffer(matches.tobytes(), np.uint8) & _fields()
    record = data.view(matches.dtype)[0]
    for name in KEPT:
        record[name] = 0
    for rows, used in UNUSED.items():
        record[rows][int(record[used]) :] = 0
    return data.tobytes()


class Exerciser:
    """Exercises the effects of a pool's cards.

    Args:
        pool: the cards; it must have Houses and Classes (see `with_sheets`).
        seed: decides all positions, decks, dice and choices.
    """

    def __init__(self, pool: Pool, seed: int = 1):
        self.pool = pool
        self.seed = seed
        self.casting = Casting(pool)

    def card(self, number: int) -> list[Exercise]:
        """Exercises every effect of a card that runs.

        Args:
            number: the card's number in the pool.
        """
        scenes = Scenes(self.pool, number)
        found = []
        first = 0
        for reading in self.pool.readings[number]:
            parts = [self._effect(number, reading.index, first + place, scenes) for place in range(len(reading.effects))]
            first += len(parts)
            if parts:
                fault = next((part.fault for part in parts if part.fault), None)
                place = next((place for place, part in enumerate(parts) if not part.fired), 0)
                part_of = f"part {place + 1} of {len(parts)}: " if len(parts) > 1 and not parts[place].fired else ""
                found.append(Exercise(reading.index, parts[place].fired, part_of + parts[place].evidence, fault))
        return found

    def _effect(self, number: int, index: int, part: int, scenes: Scenes) -> Exercise:
        """Plays pairs of matches until one shows an effect at work: first in arranged positions, then with drawn decks."""
        rng = np.random.default_rng((self.seed, number, part))
        sum_up, fault = _Pair(), None
        for what, pair in self._pairs(number, part, scenes, rng):
            sum_up.uses += pair.uses
            sum_up.offers += pair.offers
            if pair.fault and fault is None:
                fault = f"{what}, {pair.fault}"
            if pair.parted:
                return Exercise(index, True, f"{what}, {pair.parted}", fault)
        return Exercise(index, False, self._silence(part, scenes, sum_up, rng), fault)

    def _silence(self, part: int, scenes: Scenes, sum_up: _Pair, rng: np.random.Generator) -> str:
        """Says why an effect was not seen at work."""
        effect = int(scenes.pool.record[0]["card"][0]["effect_first"]) + part
        hollow = _hollow(scenes.pool, effect)
        refused: Counter[str] = Counter()
        freed = False
        if not sum_up.uses:
            for _ in range(DIAGNOSES):
                self._play(_begin(scenes, rng, scenes.pool, scenes.pool), 0, effect, MOMENTS, rng, None, refused)
                pair = self._play(_begin(scenes, rng, _unconditioned(scenes.pool, effect), hollow), 0, effect, MOMENTS, rng)
                freed = freed or bool(pair.parted)
        return reason(scenes.trees[part], sum_up.uses, sum_up.offers, refused, freed)

    def _pairs(self, number: int, part: int, scenes: Scenes, rng: np.random.Generator) -> Iterator[tuple[str, _Pair]]:
        """Yields what came of pairs of matches, each with its name."""
        from apotheosis.env.match import Match

        effect = int(scenes.pool.record[0]["card"][0]["effect_first"]) + part
        hollow = _hollow(scenes.pool, effect)
        for scene in range(1, SCENES + 1):
            yield f"position {scene}", self._play(_begin(scenes, rng, scenes.pool, hollow), 0, effect, MOMENTS, rng)
        effect = int(self.pool.record[0]["card"][number]["effect_first"]) + part
        hollow = _hollow(self.pool, effect)
        helpers = self.casting.helpers(number)
        for match in range(1, MATCHES + 1):
            lineup, seeds = self.casting.lineup(number, helpers, rng), rng.integers(0, 2**31, STREAMS)
            pair = [Match(pool, lineup, seeds, log=True) for pool in (self.pool, hollow)]
            hurt = rng.integers(1, 100, pair[0].state["hp"].shape) if rng.random() < HURT else None
            yield f"match {match}", self._play(pair, number, effect, DECISIONS, rng, hurt)

    def _play(
        self,
        matches: Sequence[Match],
        card: int,
        effect: int,
        decisions: int,
        rng: np.random.Generator,
        hurt: Ints | None = None,
        refused: Counter[str] | None = None,
    ) -> _Pair:
        """Plays one pair of matches until they part.

        Args:
            matches: one in which the effect works, and one in which it is hollow.
            card: the number of its card.
            effect: its row.
            decisions: how many are made at most.
            rng: decides them.
            hurt: HP that everybody keeps once turns begin, in percent; None all of them.
            refused: counts why the effect was not legal.
        """
        from apotheosis.env.rules.codes import Decision, Fault, Log

        full, other = matches
        pair = _Pair()
        for step in range(decisions):
            faulty = next((match.fault for match in (full, other) if match.fault), None)
            if faulty is not None:
                pair.fault = f"decision {step}: {faulty.name if isinstance(faulty, Fault) else faulty}"
                break
            if hurt is not None and full.decision == Decision.TURN:
                for match in (full, other):
                    _lose_hp(match, hurt)
                hurt = None
            if not np.array_equal(full.legal(), other.legal()):
                pair.parted = f"decision {step}: other options"
                break
            if full.matches.tobytes() != other.matches.tobytes() and seen(full.matches) != seen(other.matches):
                pair.parted = f"decision {step}: another state"
                break
            if full.over:
                break
            if refused is not None and full.decision == Decision.TURN:
                refused.update(refusals(full, card, effect))
            code = self._choose(full, card, pair, rng)
            full.apply(code)
            other.apply(code)
        events = full.events()
        pair.uses = int(((events["kind"] == Log.ACTIVATE) & (events["arg"][:, 2] == effect)).sum())
        return pair

    def _choose(self, match: Match, number: int, pair: _Pair, rng: np.random.Generator) -> int:
        """Chooses at random, but half of the time only things done with cards, and copies of the card among these."""
        from apotheosis.env.rules.codes import Act, Decision, Kind
        from apotheosis.env.rules.layout import COPIES

        options = match.legal()
        liked = np.zeros(len(options), bool)
        if match.decision == Decision.TURN and rng.random() < BIAS:
            plain = (Kind.END_TURN, Kind.MOVE, Kind.NORMAL_ATTACK, Kind.WITHDRAW, Kind.SLEEP, Kind.UNSUMMON, Kind.REST)
            liked = ~np.isin(options - Act.KIND, plain)
        elif match.decision in (Decision.CARD, Decision.REACT):
            rows = options - Act.CARD  # own copies by number, then those of others
            own = (rows >= 0) & (rows < COPIES)
            copies = int(match.state["owner"][match.asked]) * COPIES + np.where(own, rows, 0)
            liked = own & (match.state["ident"][copies] == number)
            pair.offers += int(liked.any())
            liked &= rng.random() < BIAS
        if liked.any():
            options = options[liked]
        return int(options[rng.integers(len(options))])


def _begin(scenes: Scenes, rng: np.random.Generator, *pools: Pool) -> list[Match]:
    """Returns the same drawn position in several pools, with padding that tells nothing."""
    position, seeds = scenes.draw(rng), rng.integers(0, 2**31, STREAMS)
    matches = [scenes.position(pool, position, seeds) for pool in pools]
    for match in matches:
        data = np.frombuffer(match.matches.tobytes(), np.uint8) & _fields()
        match.matches = data.view(match.matches.dtype)
    return matches


def _with_record(pool: Pool, record: Any) -> Pool:
    """Returns a pool with another record."""
    twin = copy.copy(pool)
    twin.__dict__["record"] = record
    return twin


def _unconditioned(pool: Pool, effect: int) -> Pool:
    """Returns a pool in which the conditions of one effect and of its modifiers are taken away."""
    record = pool.record.copy()
    row = record["effect"][0][effect]
    row["condition"] = row["when"] = -1
    record["standing"][0]["condition"][row["mod_first"] : row["mod_first"] + row["mod_n"]] = -1
    return _with_record(pool, record)


def _hollow(pool: Pool, effect: int) -> Pool:
    """Returns a pool in which one effect does nothing."""
    record = pool.record
    end = int(record["words"][0])
    if end >= record["code"].shape[1]:
        raise InputError("the effects leave no room for the end of an empty program", pool.source)
    return _with_record(pool, hollowed(record, effect, end))


def exercise(pool: Pool, seed: int = 1) -> dict[str, list[Exercise]]:
    """Exercises the effects of all cards of a pool.

    Args:
        pool: the cards.
        seed: decides all positions, decks, dice and choices.

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
