"""Entities: awakening, sleeping, upkeep (R20)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Suit
from .codes import Change, Flag
from .compiler import inner
from .layout import COPIES, M, P
from .moves import tell
from .opcodes import Ev, Q
from .standing import modify

ENTITY_ENERGY = 2  # R17.5, R17.6
ORDER_LEVEL = 3  # Hero Level that each order needs more than the one before (R20.1)


@inner(int64(M, P, int64))
def upkeep_cost(m, p, hero):
    """Returns the energy that keeps a Hero's Entity awake (R17.6)."""
    return max(0, modify(m, p, Q.COST_UPKEEP, -1, ENTITY_ENERGY, hero, -1, -1, -1, -1))


@inner(int64(M, P, int64, int64))
def is_entity_allowed(m, p, hero, card):
    """Returns 1 if a Hero has the level for an Entity of its order: 3, 6 or 9 (R20.1)."""
    ident = p.card[m.ident[card]]
    return 1 if ident.suit != Suit.Entity or m.level[hero] >= ORDER_LEVEL * ident.order else 0


@inner(void(M, P, int64))
def wake_up(m, p, card):
    """Reveals an Entity: bonuses and effects count (R20.2)."""
    m.flags[card] = (int(m.flags[card]) & ~Flag.FACE_DOWN) | Flag.LIMIT_AWAKENED
    m.dirty = int(m.dirty) | Change.CARDS
    tell(m, p, Ev.REVEAL, card, 0, -1)


@inner(void(M, P, int64))
def fall_asleep(m, p, card):
    """Conceals an Entity (R20.4); sleeping also counts against awakening in the same turn (R20.5)."""
    m.flags[card] = int(m.flags[card]) | Flag.FACE_DOWN | Flag.LIMIT_SLEPT
    m.dirty = int(m.dirty) | Change.CARDS
    tell(m, p, Ev.CONCEAL, card, 0, -1)


@inner(void(M))
def clear_entity_marks(m):
    """Forgets which Entities woke or fell asleep: the marks last one turn (R20.5)."""
    for hero in range(int(m.heroes)):
        card = hero * COPIES + 4
        m.flags[card] = int(m.flags[card]) & ~(Flag.LIMIT_AWAKENED | Flag.LIMIT_SLEPT)
