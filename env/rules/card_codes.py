"""Codes of cards in the action space: own copies by copy number, then what is public of others (docs/actions.md)."""

from __future__ import annotations

from numba import int64, types

from .codes import Act, Flag, Zone
from .compiler import inner
from .layout import CARDS, COPIES, HEROES, M
from .zones import has_flag, hero_of, is_table

ROWS = 160  # card rows of the action space
OUT = types.Array(int64, 1, "C")


@inner(int64(OUT, int64, int64))
def add(out, n, code):
    """Appends a code and returns the new count."""
    out[n] = code
    return n + 1


@inner(int64(int64, int64, int64))
def only_set(n, least, surplus):
    """Returns how many of n cards are offered: one if all of them are needed, a single set that is taken silently (A5.4).

    Args:
        least: value of the least of them. surplus: value of all of them less what is due.
    """
    return min(n, 1) if surplus < least else n


@inner(int64(M, int64, int64))
def is_public(m, card, hero):
    """Returns 1 for a copy that is not this hero's and that everybody sees."""
    if m.ident[card] < 0 or (card < HEROES * COPIES and hero_of(card) == hero):
        return 0
    zone = int(m.zone[card])
    if is_table(zone) != 0:
        return 1 if has_flag(m, card, Flag.FACE_DOWN | Flag.MUSTERED) == 0 else 0
    if zone == Zone.HAND:
        return has_flag(m, card, Flag.REVEALED)
    return 1 if zone == Zone.DISCARD or zone == Zone.SCENARIO or zone == Zone.ATTACHED else 0


@inner(int64(M, int64, int64))
def card_code(m, hero, card):
    """Returns the code of a copy for a hero: own copies by copy number, then what is public of others, in record order.

    Row 0 stands for what has no row left (never offered as an own copy, since it is the House).
    """
    if card < HEROES * COPIES and hero_of(card) == hero:
        return Act.CARD + card - hero * COPIES
    row = COPIES
    for other in range(CARDS):
        if other == card:
            return Act.CARD + row if row < ROWS else 0 + Act.CARD
        row += is_public(m, other, hero)
    return 0 + Act.CARD


@inner(int64(M, int64, int64))
def coded_card(m, hero, code):
    """Returns the copy that a code names for a hero, -1 none."""
    row = code - Act.CARD
    if row < COPIES:
        return hero * COPIES + row
    at = COPIES
    for other in range(CARDS):
        if is_public(m, other, hero) != 0:
            if at == row:
                return other
            at += 1
    return -1
