"""Infinite loops of automatic effects, which R27.1 stops.

`windows.note_chain` counts the effects that begin without a decision that could end them, and marks the cards of the later
half.
"""

from __future__ import annotations

from numba import int64, void

from .codes import Decision, Flag, Log, Zone
from .compiler import inner
from .damage import push_death_check
from .lasting import drop_counters, end_modifiers_of
from .layout import CARDS, M, P
from .moves import drop_attachments
from .pieces import leave_piece
from .standing import char_of
from .windows import CHAIN_LIMIT
from .zones import has_flag, log, move_card


@inner(int64(M))
def is_way_out(m):
    """Returns 1 if the pending question lets its player stop a chain of effects; 0 if it only asks how it goes on."""
    pending = int(m.pending)
    if pending == Decision.REACT:
        return 1 if m.ask_b == 0 else 0
    return 1 if pending == Decision.TURN or pending == Decision.MAY or pending == Decision.UPKEEP else 0


@inner(void(M))
def end_chain(m):
    """Begins to count anew where a player could have stopped the chain, or at a turn action (R27.1)."""
    if 2 * m.chain > CHAIN_LIMIT:
        for card in range(CARDS):
            m.flags[card] = int(m.flags[card]) & ~Flag.LOOPED
    m.chain = 0


@inner(void(M, P))
def stop_loop(m, p):
    """Stops a loop: its effects leave the stack, its cards are banished, and nothing may answer that (R27.1)."""
    log(m, p, Log.LOOP, 0, 0, 0, 0)
    for at in range(int(m.sp)):
        card = int(m.frame[at].card)
        if card >= 0 and card < CARDS and has_flag(m, card, Flag.LOOPED) != 0:
            m.sp = at
            break
    top = int(m.sp)
    for card in range(CARDS):
        if has_flag(m, card, Flag.LOOPED) != 0:
            char = char_of(m, card)
            if char >= 0:
                leave_piece(m, char)
            drop_counters(m, card)
            drop_attachments(m, p, card)
            end_modifiers_of(m, p, card)
            move_card(m, p, card, Zone.BANISHED)
    m.sp = top
    end_chain(m)
    # what the loop has done to HP counts
    push_death_check(m, -1, -1)
