"""What a seat may know (ARENA A8): sight of card copies, the card rows of a hero, and hiding the muster.

The card rows of the action space and of an observation are the same list, so that a policy can point at what it sees.
"""

from __future__ import annotations

from numba import int64, types, void

from .card_codes import is_public
from .codes import Change, Flag, Phase, Zone
from .compiler import inner
from .derive import recompute
from .layout import CARDS, COPIES, M, P
from .pieces import leave_piece
from .standing import char_of
from .tokens import CARD_ROWS, Side, Sight
from .zones import has_flag, hero_of, is_listed_table, move_card

ROWS = types.Array(int64, 1, "C")


@inner(int64(M, int64))
def viewer(m, team):
    """Returns the hero through whose eyes a team looks: the asked one, else the team's first."""
    if m.pending != 0 and m.asked >= 0 and m.team[m.asked] == team:
        return int(m.owner[m.asked])
    return team


@inner(int64(M, int64, int64))
def side_of(m, hero, other):
    """Returns whose a character is as a hero sees it."""
    if other < 0 or other >= m.chars:
        return 0 + Side.NOBODY
    if m.owner[other] == hero and m.team[other] == m.team[hero]:
        return 0 + Side.SELF
    return 0 + (Side.TEAM if m.team[other] == m.team[hero] else Side.ENEMY)


@inner(int64(M, int64, int64))
def sight(m, team, card):
    """Returns how much a team knows of a card copy (A8); a deck is known as a list, its order to nobody."""
    zone = int(m.zone[card])
    if m.ident[card] < 0 or zone == Zone.NONE:
        return 0 + Sight.UNSEEN
    hero = hero_of(card)
    if hero < m.heroes and m.team[hero] == team:
        return 0 + Sight.KNOWN
    if zone == Zone.DECK:
        return 0 + Sight.UNSEEN
    if zone == Zone.HAND:
        return 0 + (Sight.KNOWN if has_flag(m, card, Flag.REVEALED) != 0 else Sight.UNSEEN)
    return 0 + (Sight.PRESENT if has_flag(m, card, Flag.FACE_DOWN) != 0 else Sight.KNOWN)


@inner(int64(ROWS, int64, int64))
def add_row(rows, n, card):
    """Appends a copy to the rows while there is room; returns the count."""
    if n >= CARD_ROWS:
        return n
    rows[n] = card
    return n + 1


@inner(int64(M, int64, int64, ROWS, int64))
def add_other_rows(m, team, other, rows, n):
    """Appends what else is seen of a hero's cards: face down, resolving, in limbo or banished, or in a teammate's hand."""
    for slot in range(COPIES):
        card = other * COPIES + slot
        zone = int(m.zone[card])
        if zone == Zone.DECK or is_public(m, card, -1) != 0:
            continue
        if sight(m, team, card) != Sight.UNSEEN:
            n = add_row(rows, n, card)
    return n


@inner(int64(M, int64, ROWS))
def fill_rows(m, hero, rows):
    """Lists the card copies that the card rows of a hero stand for.

    Rows 0 to COPIES - 1 are the hero's own copies by copy number. Then follow the public cards of others in record
    order, as `card_codes.card_code` counts them, then what else is seen. Copies beyond CARD_ROWS have no row.

    Args:
        rows: int64 array of CARD_ROWS entries; -1 is written where there is no copy.

    Returns:
        The number of rows in use.
    """
    for k in range(CARD_ROWS):
        rows[k] = -1
    for k in range(COPIES):
        if m.ident[hero * COPIES + k] >= 0:
            rows[k] = hero * COPIES + k
    n = 0 + COPIES
    for card in range(CARDS):
        if is_public(m, card, hero) != 0:
            n = add_row(rows, n, card)
    for other in range(int(m.heroes)):
        if other != hero:
            n = add_other_rows(m, int(m.team[hero]), other, rows, n)
    return n


@inner(int64(M, int64))
def hides_muster(m, team):
    """Returns 1 while enemies of a team have mustered cards that it may not see yet (A3.7)."""
    if m.phase != Phase.SETUP:
        return 0
    for hero in range(int(m.heroes)):
        if m.team[hero] != team and m.picked_n[hero] > 0:
            return 1
    return 0


@inner(void(M, P, int64))
def undo_muster(m, p, team):
    """Takes the unseen mustered cards of a team's enemies, with their pieces, back to their hands.

    `m` is a copy for looking at.
    """
    m.log_on = 0
    m.ledger_on = 0
    for card in range(int(m.heroes) * COPIES):
        if m.team[hero_of(card)] == team or has_flag(m, card, Flag.MUSTERED) == 0:
            continue
        char = char_of(m, card)
        if char >= 0:
            leave_piece(m, char)
        if is_listed_table(int(m.zone[card])) != 0:
            move_card(m, p, card, Zone.HAND)
    m.dirty = int(m.dirty) | Change.CARDS
    recompute(m, p)


@inner(void(ROWS, ROWS))
def invert_rows(rows, places):
    """Writes each copy's row to `places` (CARDS entries, -1 without a row)."""
    for card in range(CARDS):
        places[card] = -1
    for k in range(CARD_ROWS):
        if rows[k] >= 0:
            places[rows[k]] = k
