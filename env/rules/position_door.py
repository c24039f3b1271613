"""Doors for positions that are written down instead of played up to (scenarios)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Attribute
from .card_codes import OUT, coded_card
from .codes import CharKind, Frame, Life
from .compiler import door, inner
from .damage import after_death, forget_summon, has_fallen, kill
from .derive import mark_usable, recompute
from .hearing import listen
from .layout import CARDS, COPIES, LINEUPS, MATCHES, POOLS, UNWRITTEN, M, P
from .options import sets_of_draft
from .setup import clear_ledger, clear_match, clear_rows, copy_format
from .stack import push
from .turn import FORCED_ORDER, set_order

ORDER_NOW = 2
IN_TURN = 1  # step of a stint frame whose Reset Phase is over


@door(void(MATCHES, int64, LINEUPS, int64))
def blank(matches, i, lineups, j):
    """Empties match i to the format of lineup j; everything else is for the caller to write."""
    copy_format(matches[i], lineups[j])
    clear_match(matches[i])
    clear_rows(matches[i])


@inner(void(M, P))
def set_pieces(m, p):
    """Gives every character what its position leaves out: maximum HP, AP equal to AGI, its place in the piece map."""
    for char in range(int(m.chars)):
        if m.hp[char] == UNWRITTEN:
            m.hp[char] = m.max_hp[char]
        if m.ap[char] == UNWRITTEN:
            m.ap[char] = m.attr[char, Attribute.AGI]
        tile = int(m.tile[char])
        if tile >= 0 and m.life[char] == Life.ALIVE and 0 < m.kind[char] < CharKind.CONTAINER:
            m.piece[tile] = char


@inner(void(M, P))
def lay_out_dead(m, p):
    """Gives the characters without HP their state of death (R14.1)."""
    for char in range(int(m.chars)):
        if 0 < m.kind[char] <= CharKind.OBJECT and has_fallen(m, p, char) != 0:
            kill(m, p, char)
            after_death(m, p, char, 0)
            forget_summon(m, p, char)


@door(void(MATCHES, int64, POOLS, int64, int64, int64))
def arrange(matches, i, pools, frame, turn_step, keep_order):
    """Makes a written position playable: keepers of limits, derived values, who listens, the frames of its moment.

    Args:
        frame: 0 a turn of `turn_char` at `turn_step`, 1 a Reset Phase to come, 2 a set-up to come.
        keep_order: 1 keeps the written initiative order, in the Reset Phase to come too; 0 determines it (R16.4), ORDER_NOW
            already before a Reset Phase to come.
    """
    m = matches[i]
    p = pools[0]
    for card in range(CARDS):
        if m.ident[card] >= 0:
            for other in range(card - card % COPIES, card):
                if m.ident[other] == m.ident[card]:
                    m.canon[card] = other % COPIES
                    break
    listen(m, p)
    clear_ledger(p, m)
    recompute(m, p)
    for hero in range(int(m.heroes)):
        mark_usable(m, p, hero)
    set_pieces(m, p)
    if keep_order == ORDER_NOW or (keep_order == 0 and frame == 0):
        # a Reset Phase to come determines it itself
        set_order(m)
    if frame > 0 and keep_order != 0:
        m.random_initiative = int(m.random_initiative) | FORCED_ORDER
    if frame == 2:
        push(m, Frame.SETUP)
        return
    at = push(m, Frame.STINT)
    if frame == 1:
        lay_out_dead(m, p)
        return
    m.frame[at].step = IN_TURN
    for k in range(int(m.order_n)):
        if m.order[k] == m.turn_char:
            m.order_at = k + 1
    at = push(m, Frame.TURN)
    m.frame[at].char = m.turn_char
    m.frame[at].step = turn_step
    lay_out_dead(m, p)


@door(int64(MATCHES, int64, POOLS, OUT))
def payments(matches, i, pools, out):
    """Lists the energy payments of the pending draft as masks over the payer's table; returns their number."""
    return sets_of_draft(matches[i], pools[0], int(matches[i].asked), out)


@door(int64(MATCHES, int64, int64))
def copy_of_code(matches, i, code):
    """Returns the card copy that a card code names to the character asked in match i, -1 none."""
    return coded_card(matches[i], int(matches[i].owner[matches[i].asked]), code)
