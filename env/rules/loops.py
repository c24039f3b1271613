"""Chains of effects that never end are stopped (R27.1)."""

from __future__ import annotations

from numba import int64, void

from .codes import Flag, Frame, Life, Log, Zone
from .compiler import inner
from .damage import push_death_check
from .layout import CARDS, M, P
from .opcodes import PHASE_EVENTS
from .pieces import leave_piece
from .stack import pop
from .standing import char_of, end_modifiers_of
from .zones import has_flag, log, move_card

CHAIN_LIMIT = 200  # R27.1


@inner(int64(M, int64))
def is_link(m, at):
    """Returns 1 if a frame is part of the chain: the effects of its cards, and what they have opened."""
    f = m.frame[at]
    kind = int(f.kind)
    if kind == Frame.WINDOW:
        return 1 if PHASE_EVENTS & (1 << int(f.event)) == 0 else 0
    if kind == Frame.TURN or kind == Frame.STINT or kind == Frame.SETUP or kind == Frame.FINALE:
        return 0
    return 1 if f.card < 0 or has_flag(m, int(f.card), 0 + Flag.LOOPED) != 0 else 0


@inner(void(M, P))
def break_loop(m, p):
    """Stops a chain of more than 200 automatic activations and banishes its cards; nobody may respond (R27.1)."""
    m.chain = 0
    m.d_kind = -1
    while m.sp > 0 and is_link(m, int(m.sp) - 1) != 0:
        pop(m)
    log(m, p, Log.LOOP, 0, 0, 0, 0)
    for card in range(CARDS):
        if has_flag(m, card, 0 + Flag.LOOPED) == 0:
            continue
        if m.zone[card] == Zone.SUPPORT:
            char = char_of(m, card)
            if char >= 0 and m.life[char] == Life.ALIVE:
                leave_piece(m, char)
        end_modifiers_of(m, p, card)
        move_card(m, p, card, Zone.BANISHED)
        m.flags[card] = int(m.flags[card]) & ~Flag.LOOPED
    push_death_check(m, -1, -1)
