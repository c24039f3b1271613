"""A match as readable text: one line per happening of the event log, with names and rule ids.

Used by golden tests, replays and people. A trace for one seat leaves out what that seat may not know (ARENA A8): which
cards the enemy draws, shuffles back or musters before the reveal, and which Summons it places face down.

    match = Match(pool, lineup, seeds, log=True)
    ...
    print("\\n".join(trace(match.events(), match.state["ident"], pool)))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.board_text import char_name
from apotheosis.env.cards.schema import Companion
from apotheosis.env.rules.codes import Cause, Kind, Life, Log, Outcome, Zone
from apotheosis.env.rules.layout import CARDS, COPIES, HEROES, SIDE

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool

KIND_RULES = {
    Kind.END_TURN: "R17.21", Kind.MOVE: "R15.8", Kind.NORMAL_ATTACK: "R17.18", Kind.USE_TABLE: "R17.1",
    Kind.USE_HAND: "R17.1", Kind.USE_SHEET: "R17.1", Kind.USE_SCENARIO: "R23.2", Kind.USE_TEAM: "R6.6.5",
    Kind.USE_DISCARD: "R6.6.4", Kind.TECHNIQUE: "R19.6", Kind.PLACE: "R17.2", Kind.WITHDRAW: "R17.3",
    Kind.AWAKEN: "R17.5", Kind.SLEEP: "R17.7", Kind.SUMMON: "R17.8", Kind.UNSUMMON: "R17.9", Kind.REST: "R17.10",
    Kind.ATTACH: "R17.19", Kind.DETACH: "R17.19", Kind.EVOLVE: "R17.20", Kind.LOOT: "R17.4", Kind.PUSH: "R17.4",
    Kind.COLLEGIUM: "R22.4", Kind.DROP_EXTRA: "R22.4", Kind.CONCEDE: "A7.5",
}  # fmt: skip
"""The rule of each kind of turn action."""

ZONE_WORDS = {
    Zone.NONE: "nowhere", Zone.DECK: "deck", Zone.HAND: "hand", Zone.EQUIPMENT: "equipment", Zone.MEMENTO: "memento",
    Zone.SUPPORT: "support", Zone.EXTRA: "extra zone", Zone.SHEET: "sheet", Zone.DISCARD: "discard pile",
    Zone.SCENARIO: "scenario", Zone.ATTACHED: "attached", Zone.LIMBO: "limbo", Zone.BANISHED: "banished",
    Zone.RESOLVING: "resolving",
}  # fmt: skip

STEPS = {0: "moves to", 1: "is pushed to", 2: "is put on", 3: "swaps places, now on", 4: "walks to"}
"""How a piece moves, by the third value of a MOVE_PIECE happening."""

CAUSE_RULES = {
    Cause.ELIMINATION: "A7.1", Cause.STINT_LIMIT: "A7.3", Cause.NO_PROGRESS: "A7.4", Cause.CONCESSION: "A7.5",
    Cause.LOOP: "R27.1", Cause.EFFECT: "R16.11",
}  # fmt: skip


def trace(events: np.ndarray, ident: np.ndarray, pool: Pool, seat: int | None = None) -> list[str]:
    """Returns a match as lines of text.

    Args:
        events: LOG rows in order.
        ident: number in the pool of each card copy, int (CARDS,), -1 empty.
        pool: the cards.
        seat: leave out what this seat may not know; None tells all.
    """
    teller = Teller(ident, pool, seat)
    return [line for kind, args in _rows(events) for line in teller.tell(kind, args)]


def _rows(events: np.ndarray) -> Iterable[tuple[Log, list[int]]]:
    for row in events:
        yield Log(int(row["kind"])), [int(value) for value in row["arg"]]


class Teller:
    """Puts happenings into words, one after the other.

    Args:
        ident: number in the pool of each card copy.
        pool: the cards.
        seat: the seat that is told, None for everything.
    """

    def __init__(self, ident: np.ndarray, pool: Pool, seat: int | None = None):
        self.ident, self.pool, self.seat = ident, pool, seat
        self.setting_up = True
        self.mustered: list[int] = []
        self._words: dict[Log, Callable[[list[int]], str]] = {
            Log.TURN: lambda a: f"-- turn of {char_name(a[0])}, {a[1]} AP (R16.5)",
            Log.ACTION: self._action,
            Log.MOVE_PIECE: self._move_piece,
            Log.ATTACK: self._attack,
            Log.ROLL: lambda a: f"   {char_name(a[0])} rolls {a[1]} (R10.2)",
            Log.DAMAGE: lambda a: f"   {char_name(a[0])} suffers {a[1]} DMG, Injury {a[2]} (R13.3)",
            Log.HP: self._hp,
            Log.DEATH: lambda a: f"   {char_name(a[0])} falls: {Life(a[1]).name.lower()} (R14.1)",
            Log.SALVATION: lambda a: f"   {char_name(a[0])} is saved with 1 HP (R14.5)",
            Log.EXHAUST: lambda a: f"   {self.card(a[0])} is exhausted (R5.1)",
            Log.RECOVER: lambda a: f"   {self.card(a[0])} is recovered (R5.2)",
            Log.MARKER: self._marker,
            Log.COUNTER: lambda a: f"   {self.card(a[0])}: counters {a[3]:+d} (R18.3)",
            Log.CHECK: lambda a: f"   {char_name(a[0])} checks: {a[1]} against {a[2]} (R11.1)",
            Log.LOOP: lambda a: "   LOOP (R27.1)",
            Log.MULLIGAN: lambda a: f"{char_name(a[0])} shuffles its hand back and draws again (A3.6)",
            Log.ACTIVATE: self._activate,
            Log.NEGATED: lambda a: f"   {char_name(a[0])} negates (R8.8)",
            Log.END: self._end,
        }

    def tell(self, kind: Log, args: list[int]) -> list[str]:
        """Returns the lines for one happening; none where the seat may not know of it."""
        if kind == Log.STINT:
            return self._stint(args)
        if kind == Log.MOVE_CARD:
            return self._move_card(args)
        return [self._words[kind](args)]

    def card(self, copy: int) -> str:
        """Returns name and id of a card copy, or the character where the number stands for one."""
        if copy >= CARDS:
            return char_name(copy - CARDS)
        if copy < 0 or self.ident[copy] < 0:
            return "no card"
        card = self.pool.cards[int(self.ident[copy])]
        return f"{card.name} [{card.id}]"

    def is_enemys(self, copy: int) -> bool:
        """Returns whether a copy belongs to the other side of the seat that is told."""
        return self.seat is not None and copy // COPIES < HEROES and copy // COPIES % 2 != self.seat

    def is_hidden(self, copy: int, before: Zone, after: Zone) -> bool:
        """Returns whether the seat may not know which card moves."""
        if not self.is_enemys(copy):
            return False
        secret = (Zone.DECK, Zone.HAND, Zone.NONE)
        if before in secret and after in secret:
            return True
        return before in secret and (self.setting_up or (after == Zone.SUPPORT and self.is_summon(copy)))

    def is_summon(self, copy: int) -> bool:
        """Returns whether a copy is a Summon, which is placed face down (R19.2)."""
        card: Any = self.pool.cards[int(self.ident[copy])]
        return isinstance(card, Companion) and card.companion_type == "Summon"

    def _stint(self, args: list[int]) -> list[str]:
        self.setting_up = False
        shown = [copy for copy in self.mustered if not self.is_summon(copy)]
        self.mustered = []
        reveal = [f"{char_name(copy // COPIES)} reveals {self.card(copy)} (A3.7)" for copy in shown]
        return [*reveal, f"== stint {args[0]} (R16.3)"]

    def _move_card(self, args: list[int]) -> list[str]:
        copy, before, after = args[0], Zone(args[1]), Zone(args[2])
        hidden = self.is_hidden(copy, before, after)
        if hidden and self.setting_up and after not in (Zone.DECK, Zone.HAND):
            self.mustered.append(copy)
        name = "a card" if hidden else self.card(copy)
        owner = char_name(copy // COPIES) if copy // COPIES < HEROES else "nobody"
        return [f"   {owner}: {name}, {ZONE_WORDS[before]} to {ZONE_WORDS[after]}"]

    def _action(self, args: list[int]) -> str:
        char, kind, copy, target = args[0], Kind(args[1]), args[2], args[3]
        text = f"{char_name(char)} {kind.name}"
        if copy >= 0:
            unseen = self.is_enemys(copy) and kind == Kind.PLACE and self.is_summon(copy)
            text += " a card face down" if unseen else f" {self.card(copy)}"
        if target >= 0 and kind != Kind.MOVE:
            text += f" on {char_name(target)}"
        return f"{text} ({KIND_RULES.get(kind, 'A5.1')})"

    def _activate(self, args: list[int]) -> str:
        char, copy, effect, target = args[:4]
        what = "its bar"
        if effect >= 0:
            what = f"effect {int(self.pool.record[0]['effect']['index'][effect])}"
        aim = f" on {char_name(target)}" if target >= 0 else ""
        return f"   {char_name(char)} activates {self.card(copy)}, {what}{aim} (R7.1.1)"

    def _move_piece(self, args: list[int]) -> str:
        char, tile, how = args[0], args[1], args[2]
        where = f"{tile % SIDE},{tile // SIDE}" if tile >= 0 else "no tile"
        other = f" with {char_name(args[3])}" if how == 3 else ""
        rule = "A3.4" if self.setting_up else ("R15.8" if how == 0 else "R15.12")
        return f"   {char_name(char)} {STEPS.get(how, 'moves to')} {where}{other} ({rule})"

    def _hp(self, args: list[int]) -> str:
        change = "loses" if args[1] < 0 else "gains"
        return f"   {char_name(args[0])} {change} {abs(args[1])} HP, now {args[2]} (R13.4)"

    def _attack(self, args: list[int]) -> str:
        char, copy, target = args[0], args[1], args[2]
        weapon = f" with {self.card(copy)}" if copy >= 0 else ""
        aim = char_name(target) if target >= 0 else "everyone in its area"
        return f"   {char_name(char)} attacks {aim}{weapon} (R9.1)"

    def _marker(self, args: list[int]) -> str:
        change = "has a new marker" if args[2] else "loses a marker"
        return f"   {char_name(args[0])} {change}: number {args[1]} (R18.1)"

    def _end(self, args: list[int]) -> str:
        cause = Cause(args[1])
        rule = CAUSE_RULES.get(cause)
        return f"** {Outcome(args[0]).name.lower()}, {cause.name.lower()}" + (f" ({rule})" if rule else "")
