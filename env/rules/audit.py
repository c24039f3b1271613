"""Invariants of a match record, checked by tests and long random runs at every decision."""

from __future__ import annotations

from numba import int64

from .codes import CharKind, Life, Zone
from .compiler import inner
from .layout import CARDS, COPIES, M
from .zones import discard_card, hand_card, is_listed_table, table_card

SOUND, DECK, HAND, TABLE, DISCARD, LISTED, PIECE, NUMBERS, PENDING = range(9)


@inner(int64(M, int64))
def audit_lists(m, hero):
    """Returns 0 if every listed copy of a hero stands in the zone of its list."""
    for i in range(int(m.deck_n[hero])):
        if m.zone[m.pile[hero, i]] != Zone.DECK:
            return DECK
    for i in range(int(m.hand_n[hero])):
        if m.zone[hand_card(m, hero, i)] != Zone.HAND:
            return HAND
    for i in range(int(m.table_n[hero])):
        if is_listed_table(int(m.zone[table_card(m, hero, i)])) == 0:
            return TABLE
    for i in range(int(m.discard_n[hero])):
        if m.zone[discard_card(m, hero, i)] != Zone.DISCARD:
            return DISCARD
    return SOUND


@inner(int64(M, int64))
def audit_copies(m, hero):
    """Returns 0 if the copies of a hero are conserved: each in one zone, and the lists hold exactly theirs."""
    listed = 0
    for slot in range(COPIES):
        card = hero * COPIES + slot
        if m.ident[card] < 0:
            continue
        zone = int(m.zone[card])
        if zone == Zone.NONE:
            return LISTED
        if zone == Zone.DECK or zone == Zone.HAND or zone == Zone.DISCARD or is_listed_table(zone) != 0:
            listed += 1
    counted = int(m.deck_n[hero]) + int(m.hand_n[hero]) + int(m.table_n[hero]) + int(m.discard_n[hero])
    return SOUND if listed == counted else LISTED


@inner(int64(M))
def audit(m):
    """Returns 0 if a match record is sound, else the number of the first broken invariant."""
    for hero in range(int(m.heroes)):
        broken = audit_lists(m, hero)
        if broken == SOUND:
            broken = audit_copies(m, hero)
        if broken != SOUND:
            return broken
    for char in range(int(m.chars)):
        tile = int(m.tile[char])
        if tile >= 0 and m.life[char] == Life.ALIVE and m.piece[tile] < 0 and m.kind[char] != CharKind.CONTAINER:
            return PIECE
        if m.ap[char] < 0 or m.debt[char] < 0 or m.hp[char] > m.max_hp[char]:
            return NUMBERS
    if m.outcome == 0 and (m.pending == 0 or m.sp <= 0):
        return PENDING
    for card in range(CARDS):
        if m.zone[card] == Zone.RESOLVING and m.sp <= 1:
            return LISTED
    return SOUND
