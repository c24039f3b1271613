"""Entities: awakening, sleeping, upkeep (R20)."""

from __future__ import annotations

from numba import int64, void

from .codes import Change, Flag
from .compiler import inner
from .derive import ENTITY_LEVELS
from .layout import COPIES, M, P
from .moves import tell
from .opcodes import Ev, Q
from .standing import modify
from .zones import hero_of

ENTITY_ENERGY = 2  # R17.5, R17.6


@inner(int64(M, P, int64, int64))
def entity_level(m, p, hero, card):
    """Returns the Hero Level that a Hero lacks for an Entity, 0 if it has it (R20.1)."""
    needed = ENTITY_LEVELS * int(p.card[m.ident[card]].order)
    return needed if m.level[hero] < needed else 0


@inner(int64(M, P, int64))
def upkeep_cost(m, p, hero):
    """Returns the energy that keeps a Hero's Entity awake (R17.6)."""
    return max(0, modify(m, p, Q.COST_UPKEEP, -1, ENTITY_ENERGY, hero, -1, -1, -1, -1))


@inner(void(M, int64))
def touch_sheet(m, card):
    """Notes that what a Hero's own sheet gives has changed, standing effects included."""
    m.dirty = int(m.dirty) | Change.MOVED | Change.EFFECTS
    m.touched = int(m.touched) | (1 << hero_of(card))


@inner(void(M, P, int64))
def wake_up(m, p, card):
    """Reveals an Entity: bonuses and effects count (R20.2)."""
    m.flags[card] = (int(m.flags[card]) & ~Flag.FACE_DOWN) | Flag.LIMIT_AWAKENED
    touch_sheet(m, card)
    tell(m, p, Ev.REVEAL, card, 0, -1)


@inner(void(M, P, int64))
def fall_asleep(m, p, card):
    """Conceals an Entity (R20.4); sleeping also counts against awakening in the same turn (R20.5)."""
    m.flags[card] = int(m.flags[card]) | Flag.FACE_DOWN | Flag.LIMIT_SLEPT
    touch_sheet(m, card)
    tell(m, p, Ev.CONCEAL, card, 0, -1)


@inner(void(M))
def clear_entity_marks(m):
    """Forgets which Entities woke or fell asleep: the marks last one turn (R20.5)."""
    for hero in range(int(m.heroes)):
        card = hero * COPIES + 4
        m.flags[card] = int(m.flags[card]) & ~(Flag.LIMIT_AWAKENED | Flag.LIMIT_SLEPT)
