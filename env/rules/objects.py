"""Objects and Containers: pushing them, taking cards from them (R15.13, R15.14, R14.7, R17.4).

A Container is a piece that holds cards, a dead Hero with the Items of its table, or a dead Companion with the Items that
were attached to it. What lies in a piece is attached to it: its `host` is CARDS + the row of the piece.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Suit
from .board import is_empty, neighbour, put_piece, tile_distance
from .codes import CharKind, Life, Log, Reason, Zone
from .companions import MOVABLE, attachments_of
from .compiler import inner
from .derive import mark_usable
from .hearing import listen
from .layout import CARDS, COPIES, DECK_SLOT, HEROES, M, P
from .moves import drop_attachments, relocate, tell_move, tell_obtained, tell_step
from .opcodes import Ev
from .pieces import leave_piece
from .prices import pack
from .standing import char_of
from .unlocking import ATTACHMENTS
from .zones import hero_of, is_listed_table, lift, log, move_card

INTERACT_AP = 2  # R17.4


@inner(int64(M, int64, int64))
def why_not_push_to(m, target, tile):
    """Returns 0 if an Object may be pushed to a tile, for -1 to any: empty and next to it (R15.14)."""
    if tile >= 0:
        if tile_distance(int(m.tile[target]), tile) != 1:
            return pack(Reason.NOT_ADJACENT, 0, 0)
        return 0 if is_empty(m, tile) != 0 else pack(Reason.OCCUPIED, 0, 0)
    for direction in range(4):
        near = neighbour(m, int(m.tile[target]), direction)
        if near >= 0 and is_empty(m, near) != 0:
            return 0
    return pack(Reason.OCCUPIED, 0, 0)


@inner(int64(M, int64, int64, int64))
def why_not_push(m, char, target, tile):
    """Returns 0 if a character may push an Object or Container, -1 any, to a tile, negative any (ACT_PUSH; R15.14)."""
    if m.ap[char] < INTERACT_AP:
        return pack(Reason.AP, INTERACT_AP, int(m.ap[char]))
    worst = pack(Reason.NO_TARGET, 0, 0)
    for row in range(HEROES, int(m.chars)):
        if (target >= 0 and row != target) or m.kind[row] < CharKind.OBJECT or m.tile[row] < 0 or m.life[row] != Life.ALIVE:
            continue
        if int(m.deeds[row]) & MOVABLE == 0:
            why = pack(Reason.FIXED, 0, 0)
        elif m.tile[char] < 0 or tile_distance(int(m.tile[char]), int(m.tile[row])) != 1:
            why = pack(Reason.NOT_ADJACENT, 0, 0)
        else:
            why = why_not_push_to(m, row, tile)
        if why == 0:
            return 0
        worst = why
    return worst


@inner(void(M, P, int64, int64, int64))
def push_object(m, p, char, target, tile):
    """Pushes an Object or Container one tile."""
    m.ap[char] -= INTERACT_AP
    put_piece(m, target, tile)
    log(m, p, Log.MOVE_PIECE, target, tile, 1, 0)
    tell_step(m, p, target, tile, -1)


@inner(int64(M, P, int64))
def holder_of(m, p, card):
    """Returns the piece from which a copy may be taken, -1 none (R14.7, R15.13, R19.9)."""
    if m.zone[card] == Zone.ATTACHED and m.host[card] >= CARDS:
        row = int(m.host[card]) - CARDS
        if m.loot == 0 and m.kind[row] != CharKind.CONTAINER:
            return -1
        return row if m.tile[row] >= 0 and m.life[row] != Life.GONE else -1
    if m.loot == 0 or card >= HEROES * COPIES or is_listed_table(int(m.zone[card])) == 0:
        return -1
    hero = hero_of(card)
    if m.life[hero] == Life.ALIVE or m.tile[hero] < 0 or p.card[m.ident[card]].suit != Suit.Item:
        return -1
    return hero


@inner(int64(M, int64))
def free_copy(m, hero):
    """Returns an unused copy row of a hero, -1 none."""
    for slot in range(COPIES - 1, DECK_SLOT - 1, -1):
        if m.ident[hero * COPIES + slot] < 0:
            return hero * COPIES + slot
    return -1


@inner(int64(M))
def is_lootable(m):
    """Returns 1 if there may be something to take from a Container."""
    if m.loot != 0:
        return 1
    for row in range(HEROES, int(m.chars)):
        if m.kind[row] == CharKind.CONTAINER:
            return 1
    return 0


@inner(int64(M, int64, int64))
def why_no_hold(m, char, card):
    """Returns 0 if a character has room for a taken copy: its hand, or a Companion's attachments (R3.8.3, R19.7)."""
    hero = int(m.owner[char])
    if char < HEROES:
        if m.hand_n[char] >= m.hand_limit[char]:
            return pack(Reason.HAND_FULL, int(m.hand_n[char]) + 1, int(m.hand_limit[char]))
    elif m.body[char] < 0 or attachments_of(m, int(m.body[char])) >= ATTACHMENTS:
        return pack(Reason.ATTACHMENTS_FULL, ATTACHMENTS + 1, ATTACHMENTS)
    if hero_of(card) != hero and free_copy(m, hero) < 0:
        return pack(Reason.HAND_FULL, COPIES + 1, COPIES)
    return 0


@inner(int64(M, P, int64, int64))
def why_not_loot(m, p, char, card):
    """Returns 0 if a character may take a copy, -1 any, from a Container at distance 0 or 1 (ACT_LOOT; R15.13, R17.4)."""
    if m.ap[char] < INTERACT_AP:
        return pack(Reason.AP, INTERACT_AP, int(m.ap[char]))
    if is_lootable(m) == 0:
        return pack(Reason.FORMAT, 0, 0)
    worst = pack(Reason.WRONG_ZONE, 0, 0) if card >= 0 else pack(Reason.NO_TARGET, 0, 0)
    for copy in range(CARDS):
        if (card >= 0 and copy != card) or m.ident[copy] < 0:
            continue
        row = holder_of(m, p, copy)
        if row < 0:
            continue
        if m.tile[char] < 0 or tile_distance(int(m.tile[char]), int(m.tile[row])) > 1:
            worst = pack(Reason.NOT_ADJACENT, 0, 0)
            continue
        worst = why_no_hold(m, char, copy)
        if worst == 0:
            return 0
    return worst


@inner(int64(M, P, int64, int64))
def change_owner(m, p, card, hero):
    """Makes a copy a hero's own: it goes on as one of the hero's unused copies, which is returned."""
    copy = free_copy(m, hero)
    m.ident[copy] = m.ident[card]
    m.zone[copy] = Zone.NONE
    m.flags[copy] = 0
    m.host[copy] = -1
    m.used[copy] = 0
    m.canon[copy] = copy % COPIES
    for other in range(hero * COPIES, (hero + 1) * COPIES):
        if other != copy and m.ident[other] == m.ident[copy]:
            m.canon[copy] = m.canon[other]
            break
    for k in range(int(m.counters)):
        if m.counter_card[k] == card:
            m.counter_card[k] = copy
    drop_attachments(m, p, card)
    lift(m, p, card)
    for at in range(int(m.sp)):
        # what is going on with it, an activation or attack that is being answered, goes on with the new copy
        if m.frame[at].card == card:
            m.frame[at].card = copy
        if m.frame[at].cause == card:
            m.frame[at].cause = copy
    for k in range(int(m.mods)):
        if m.modifier[k].card == card:
            m.modifier[k].card = copy
    body = char_of(m, card)
    if body >= 0:
        # a card has one piece: the body of a dead one leaves the board
        leave_piece(m, body)
    m.ident[card] = -1
    listen(m, p)
    mark_usable(m, p, hero)
    return copy


@inner(void(M, P, int64, int64))
def loot(m, p, char, card):
    """Takes a copy from a Container: to a Hero's hand, or under a Companion's card (R15.13, R19.7)."""
    m.ap[char] -= INTERACT_AP
    hero = int(m.owner[char])
    if hero_of(card) != hero:
        card = change_owner(m, p, card, hero)
    if char < HEROES:
        relocate(m, p, card, 0 + Zone.HAND, 0, -1)
    else:
        move_card(m, p, card, Zone.ATTACHED)
        m.host[card] = m.body[char]
        tell_move(m, p, Ev.PLAY, card, 0, -1, 0 + Zone.ATTACHED)
    tell_obtained(m, p, card, 0, -1, 0 + Zone.ATTACHED)
