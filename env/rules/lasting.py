"""Temporary modifiers: how they are made, and what ends them (R6.9, R12.5)."""

from __future__ import annotations

from numba import int64, void

from .codes import Change, CharKind, Fault
from .compiler import inner
from .layout import HEROES, MODS, M, P
from .opcodes import Mode, Until
from .pieces import leave_piece
from .rare import SPAWNED
from .standing import note_lasting
from .values import value

MARK, ALTITUDE, TERRAIN, CONTROL = -1, -3, -4, -5  # `mod` of rows that are changes of the state; see `rare` too
ENDED = 99  # `until` of a row that ends now


@inner(void(M, int64))
def undo(m, k):
    """Undoes what a modifier row that is no modifier stands for, when it ends."""
    entry = m.modifier[k]
    if entry.mod == MARK:
        m.markers[entry.char] = int(m.markers[entry.char]) & ~(1 << int(entry.value))
    elif entry.mod == ALTITUDE:
        m.altitude[entry.char] = max(0, int(m.altitude[entry.char]) - int(entry.value))
    elif entry.mod == TERRAIN:
        m.terrain[entry.char] = entry.value
    elif entry.mod == CONTROL:
        if entry.char < HEROES:
            m.team[entry.char] = entry.value
        else:
            m.owner[entry.char] = entry.value
            m.team[entry.char] = m.team[entry.value]
    elif entry.mod == SPAWNED and (m.kind[entry.char] == CharKind.DUMMY or m.kind[entry.char] == CharKind.OBJECT):
        leave_piece(m, int(entry.char))


@inner(void(M))
def end_rows(m):
    """Ends the modifiers of the rows that are marked by `until` = ENDED."""
    kept = 0
    for k in range(int(m.mods)):
        if m.modifier[k].until == ENDED:
            m.dirty = int(m.dirty) | (Change.EFFECTS if m.modifier[k].mod >= 0 else Change.CARDS)
            undo(m, k)
            continue
        m.modifier[kept] = m.modifier[k]
        kept += 1
    m.mods = kept


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def joins_row(m, p, k, this, you, char, amount, until):
    """Joins a modifier with the row of the same entry, card, owner, character and end; returns 1 if no row is needed.

    Bonuses are summed in one row. A value that is set again makes the earlier row pointless: it goes, and the new one
    stands behind all others, as the latest does (R12.4).
    """
    mode = p.standing[k].mode
    if mode != Mode.ADD and mode != Mode.SET:
        return 0
    for row in range(int(m.mods)):
        same = m.modifier[row]
        if same.mod == k and same.card == this and same.char == char and same.until == until and same.owner == you:
            if mode == Mode.ADD:
                same.value += amount
                m.dirty = int(m.dirty) | Change.EFFECTS
                return 1
            same.until = ENDED
            end_rows(m)
            return 0
    return 0


@inner(void(M, P, int64, int64, int64, int64, int64, int64, int64))
def add_modifier(m, p, k, this, you, char, amount, until, rounds):
    """Makes a temporary modifier of standing entry `k` with an amount fixed now (R6.9, R12.5, R12.6)."""
    plain = until <= Until.STINT or until == Until.ATTACK or until == Until.CHECK or until == Until.IN_PLAY
    if k >= 0 and plain and joins_row(m, p, k, this, you, char, amount, until) != 0:
        return
    if m.mods >= MODS:
        m.fault = Fault.ZONE_FULL
        return
    entry = m.modifier[m.mods]
    entry.mod = k  # below 0: a change of the state that ends with it, see `undo`
    entry.card = this
    entry.owner = you
    entry.char = char
    entry.value = amount
    entry.until = until
    entry.until_arg = m.turns if until == Until.YOUR_NEXT_END or until == Until.TARGET_NEXT_END else rounds
    on_target = until == Until.TARGET_NEXT_START or until == Until.TARGET_NEXT_END or until == Until.MARKER
    entry.until_char = char if on_target else you
    m.mods += 1
    if k >= 0:
        note_lasting(m, p, k)
    m.dirty = int(m.dirty) | (Change.EFFECTS if k >= 0 else Change.CARDS)


@inner(void(M, int64, int64))
def end_with_marker(m, char, marker):
    """Ends what lasts while a character has a marker, any for -1."""
    for k in range(int(m.mods)):
        entry = m.modifier[k]
        if entry.until == Until.MARKER and entry.until_char == char and (marker < 0 or entry.until_arg == marker):
            entry.until = ENDED
    end_rows(m)


@inner(void(M, int64, int64))
def end_with_counters(m, card, name):
    """Ends what lasts while a copy has counters of a name, any for -1."""
    for k in range(int(m.mods)):
        entry = m.modifier[k]
        if entry.until == Until.COUNTER and entry.card == card and (name < 0 or entry.until_arg == name):
            entry.until = ENDED
    end_rows(m)


@inner(void(M, int64))
def end_spawned(m, card):
    """Takes the pieces that a card has created off the board (texts TRAZER and ANIMAR)."""
    for k in range(int(m.mods)):
        if m.modifier[k].mod == SPAWNED and m.modifier[k].card == card:
            m.modifier[k].until = ENDED
    end_rows(m)


@inner(void(M, int64))
def end_object(m, char):
    """Takes an Object that a card has placed off the board for good once it is destroyed (R14.11)."""
    for k in range(int(m.mods)):
        if m.modifier[k].mod == SPAWNED and m.modifier[k].char == char:
            m.modifier[k].until = ENDED
    end_rows(m)


@inner(void(M, int64))
def end_all_on(m, char):
    """Ends all temporary modifiers on a character."""
    for k in range(int(m.mods)):
        if m.modifier[k].mod >= 0 and m.modifier[k].char == char:
            m.modifier[k].until = ENDED
    end_rows(m)


@inner(void(M, int64, int64))
def end_modifiers(m, until, char):
    """Ends the temporary modifiers of one kind of end, of one character's phases for the ends that name one."""
    for k in range(int(m.mods)):
        entry = m.modifier[k]
        ends = 1 if entry.until == until else 0
        if Until.YOUR_NEXT_START <= until <= Until.TARGET_NEXT_END and entry.until_char != char:
            ends = 0
        if (until == Until.YOUR_NEXT_END or until == Until.TARGET_NEXT_END) and entry.until_arg == m.turns:
            # made in the turn that ends: it lasts over the next one (R6.9.1)
            ends = 0
        if ends != 0 and until == Until.ROUNDS:
            entry.until_arg -= 1
            ends = 1 if entry.until_arg <= 0 else 0
        if ends != 0:
            entry.until = ENDED
    end_rows(m)


@inner(void(M, P, int64))
def end_modifiers_of(m, p, card):
    """Ends the modifiers that last while their card is in play: those made without Lingering (R6.5.7, R6.9.6)."""
    for k in range(int(m.mods)):
        entry = m.modifier[k]
        if entry.card == card and (entry.until == Until.IN_PLAY or (entry.mod >= 0 and p.standing[entry.mod].bound != 0)):
            entry.until = ENDED
    end_rows(m)


@inner(void(M, P))
def end_broken(m, p):
    """Ends the modifiers whose While requirement holds no more; its coming back changes nothing (R6.8.5)."""
    ended = 0
    for k in range(int(m.mods)):
        entry = m.modifier[k]
        if entry.mod < 0 or p.standing[entry.mod].keeps < 0:
            continue
        card = int(entry.card)
        if value(m, p, p.standing[entry.mod].keeps, -1, -1, card, int(entry.owner), int(entry.char), card) == 0:
            entry.until = ENDED
            ended = 1
    if ended != 0:
        end_rows(m)


@inner(void(M, int64))
def drop_counters(m, card):
    """Removes all counters of a card (R18.3)."""
    kept = 0
    for k in range(int(m.counters)):
        if m.counter_card[k] == card:
            m.dirty = int(m.dirty) | Change.COUNTERS
            end_with_counters(m, card, int(m.counter_name[k]))
            continue
        m.counter_card[kept] = m.counter_card[k]
        m.counter_name[kept] = m.counter_name[k]
        m.counter_n[kept] = m.counter_n[k]
        kept += 1
    m.counters = kept
