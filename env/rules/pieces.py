"""Pieces that come and go: a row of the character table, the place in the order, leaving the board (R19.4, R19.5, R19.16)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Profile
from .board import put_piece
from .codes import Change, CharKind, Fault, Flag, Life
from .compiler import inner
from .layout import ATTRIBUTES, CHARS, HEROES, M, P

FRESH = 8  # bit of `deeds`: entered this stint, gets its AP when its turn begins (R19.4, R19.5)
NO_BODY = -1
SPAWNED_HP = 10  # of a piece that a card creates without stated HP (R19.10)


@inner(int64(M, int64))
def is_row_free(m, char):
    """Returns 1 if a row of the character table may be given to a new piece."""
    return 1 if m.kind[char] == CharKind.NONE or (m.life[char] == Life.GONE and m.tile[char] < 0) else 0


@inner(int64(M))
def has_free_row(m):
    """Returns 1 if there is room for a new piece."""
    for char in range(HEROES, CHARS):
        if is_row_free(m, char) != 0:
            return 1
    return 0


@inner(int64(M))
def free_row(m):
    """Returns a row for a new piece; a full table is a fault."""
    for char in range(HEROES, CHARS):
        if is_row_free(m, char) != 0:
            if char >= m.chars:
                m.chars = char + 1
            return char
    m.fault = Fault.ZONE_FULL
    return CHARS - 1


@inner(void(M, int64))
def leave_order(m, char):
    """Takes a character out of this stint's order."""
    n = 0
    for i in range(int(m.order_n)):
        if m.order[i] == char:
            if i < m.order_at:
                m.order_at -= 1
            continue
        m.order[n] = m.order[i]
        n += 1
    m.order_n = n


@inner(void(M, int64))
def act_last(m, char):
    """Puts a character at the end of this stint's order (R19.4, R19.5, R14.6)."""
    leave_order(m, char)
    m.order[m.order_n] = char
    m.order_n += 1


@inner(void(M, int64))
def act_next(m, char):
    """Puts a character next in this stint's order."""
    leave_order(m, char)
    for i in range(int(m.order_n), int(m.order_at), -1):
        m.order[i] = m.order[i - 1]
    m.order[m.order_at] = char
    m.order_n += 1


@inner(void(M, int64))
def leave_piece(m, char):
    """Takes a living piece off the board for good: dismissed or unsummoned (R19.3, R19.4)."""
    card = int(m.body[char])
    if card >= 0:
        m.flags[card] = int(m.flags[card]) & ~Flag.SUMMONED
    m.life[char] = Life.GONE
    put_piece(m, char, -1)
    m.body[char] = -1
    m.kind[char] = CharKind.NONE
    m.dirty = int(m.dirty) | Change.CARDS
    leave_order(m, char)


@inner(int64(M, int64))
def sheet_of(m, char):
    """Returns the pool card that a piece's techniques stand on: of its card, or of the card that created it; -1 none."""
    if m.body[char] >= 0:
        return int(m.ident[m.body[char]])
    return -2 - int(m.body[char]) if m.body[char] < NO_BODY else -1


@inner(int64(M, int64, int64, int64, int64))
def take_row(m, hero, kind, body, hp):
    """Gives a new piece of a Hero its row, with full HP, no attributes and no tile. Returns the row."""
    char = free_row(m)
    m.kind[char] = kind
    m.body[char] = body
    m.owner[char] = hero
    m.team[char] = m.team[hero]
    m.life[char] = Life.ALIVE
    m.base_hp[char] = hp
    m.max_hp[char] = hp
    m.hp[char] = hp
    m.ap[char] = 0
    m.debt[char] = 0
    m.acted[char] = 0
    m.deeds[char] = 0
    m.markers[char] = 0
    for a in range(ATTRIBUTES):
        m.base_attr[char, a] = 0
        m.attr[char, a] = 0
    m.dirty = int(m.dirty) | Change.CARDS
    return char


@inner(int64(M, int64, int64, int64))
def place_object(m, hero, hp, tile):
    """Puts an Object of a Hero on a tile: it has HP and no turn, and cannot be moved (R15.14). Returns its row."""
    char = take_row(m, hero, CharKind.OBJECT, NO_BODY, hp)
    put_piece(m, char, tile)
    return char


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def enter(m, p, hero, kind, body, sheet, hp, tile):
    """Puts a new piece of a Hero on a tile with full HP; it acts last in this stint (R19.4, R19.5). Returns its row.

    Args:
        kind: codes.CharKind. body: its copy, or what stands for it. sheet: pool card with its attributes.
    """
    char = take_row(m, hero, kind, body, hp)
    m.deeds[char] = FRESH
    for a in range(ATTRIBUTES):
        m.base_attr[char, a] = p.card[sheet].attributes[a]
        m.attr[char, a] = p.card[sheet].attributes[a]
    put_piece(m, char, tile)
    act_last(m, char)
    return char


@inner(int64(M, P, int64, int64, int64))
def spawn(m, p, hero, sheet, tile):
    """Creates a Dummy of a Hero from a sheet (R19.16, R19.10). Returns its row."""
    hp = int(p.card[sheet].value)
    if hp == 0:
        hp = 1 if m.profile == Profile.UNITS else SPAWNED_HP
    return enter(m, p, hero, CharKind.DUMMY, -2 - sheet, sheet, hp, tile)
