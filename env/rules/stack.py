"""The resolution stack: frames, questions, the end of a match (ARCHITECTURE: recursion goes through the state)."""

from __future__ import annotations

from numba import int64, void

from .board import put_piece
from .codes import Fault, Frame, Life, Log, Outcome, Phase, Zone
from .compiler import inner
from .layout import COPIES, REGS, STACK, M, P
from .zones import log, move_card

HELD = 8  # bit of `flags` of a window of a payment: it waits under the activation that is being paid (R7.1.4)
PAYING = 1  # last step of an activation frame that is being paid, see `activation`


@inner(int64(M, int64))
def first_held(m, at):
    """Returns the lowest of the windows held under an activation frame; `at` itself if there are none."""
    while at > 0 and m.frame[at - 1].kind == Frame.WINDOW and int(m.frame[at - 1].flags) & HELD != 0:
        at -= 1
    return at


@inner(void(M))
def hold_windows(m):
    """Puts the windows that a payment has just opened under its activation: nobody answers during payment (R7.1.3, R7.1.4)."""
    if m.frame[m.sp - 1].kind != Frame.WINDOW or m.sp >= STACK:
        return
    at = int(m.sp) - 1
    while at >= 0 and (m.frame[at].kind == Frame.WINDOW or m.frame[at].kind == Frame.CHANGE):
        at -= 1
    if at < 0 or m.frame[at].kind != Frame.ACTIVATION or m.frame[at].step > PAYING:
        return
    base = first_held(m, at)
    spare = int(m.sp)
    top = spare - 1
    while top > at:
        if m.frame[top].kind != Frame.WINDOW:
            top -= 1
            continue
        # under those held before: the windows open in the order of the payments
        m.frame[spare] = m.frame[top]
        m.frame[spare].flags = int(m.frame[spare].flags) | HELD
        for k in range(top, base, -1):
            m.frame[k] = m.frame[k - 1]
        m.frame[base] = m.frame[spare]
        at += 1


@inner(int64(M))
def release_windows(m):
    """Opens the windows held under the activation on top, or under the one whose attack is on top; returns how many."""
    at = int(m.sp) - 1
    if at > 0 and m.frame[at].kind == Frame.ATTACK:
        at -= 1
    base = first_held(m, at)
    if base == at or m.frame[at].kind != Frame.ACTIVATION or m.sp >= STACK:
        return 0
    spare = int(m.sp)
    for _ in range(at - base):
        m.frame[spare] = m.frame[base]
        for k in range(base, spare):
            m.frame[k] = m.frame[k + 1]
    return at - base


@inner(int64(M, int64))
def push(m, kind):
    """Puts a fresh frame on the stack and returns its index; a full stack is a fault."""
    at = int(m.sp)
    if at >= STACK:
        m.fault = Fault.STACK_OVERFLOW
        return STACK - 1
    f = m.frame[at]
    f.kind = kind
    f.step = 0
    f.char = -1
    f.card = -1
    f.effect = -1
    f.target = -1
    f.tile = -1
    f.cause = -1
    f.event = -1
    f.flags = 0
    f.pc = 0
    for k in range(REGS):
        f.reg[k] = 0
    m.sp = at + 1
    return at


@inner(void(M))
def pop(m):
    """Takes the top frame off."""
    m.sp -= 1


@inner(void(M, int64, int64, int64, int64))
def ask(m, decision, char, a, b):
    """Stops the kernel with a question to the player of a character."""
    m.pending = decision
    m.asked = char
    m.ask_a = a
    m.ask_b = b


@inner(void(M, P, int64, int64))
def finish(m, p, outcome, cause):
    """Ends the match and does the clean-up that can be seen: Heroes stand up from a KO, the scenario empties (R16.11)."""
    for hero in range(int(m.heroes)):
        m.final_hp[hero] = max(0, int(m.hp[hero])) if m.life[hero] == Life.ALIVE else 0
        if m.life[hero] == Life.KO:
            m.life[hero] = Life.ALIVE
            m.hp[hero] = 1
            put_piece(m, hero, int(m.tile[hero]))
    for card in range(int(m.heroes) * COPIES):
        if m.zone[card] == Zone.RESOLVING or m.zone[card] == Zone.SCENARIO:
            move_card(m, p, card, Zone.DISCARD)
    m.outcome = outcome
    m.cause = cause
    m.phase = Phase.OVER
    m.pending = 0
    m.sp = 0
    log(m, p, Log.END, outcome, cause, 0, 0)


@inner(int64(M, int64))
def living_heroes(m, team):
    """Counts a team's living Heroes."""
    count = 0
    for hero in range(team, int(m.heroes), 2):
        if m.life[hero] == Life.ALIVE:
            count += 1
    return count


@inner(int64(M, int64))
def hp_shares(m, team):
    """Returns the sum of HP shares of a team over one common denominator (A7.3)."""
    total = 0
    for hero in range(team, int(m.heroes), 2):
        if m.life[hero] != Life.ALIVE:
            continue
        share = int(m.hp[hero])
        for other in range(int(m.heroes)):
            if other != hero:
                share *= int(m.max_hp[other])
        total += share
    return total


@inner(int64(M))
def compare_teams(m):
    """Decides a match that ran out: living Heroes, HP shares, Companions, HP removed, else draw (A7.3)."""
    lead = living_heroes(m, 0) - living_heroes(m, 1)
    if lead == 0:
        lead = hp_shares(m, 0) - hp_shares(m, 1)
    if lead == 0:
        for char in range(int(m.heroes), int(m.chars)):
            if m.life[char] == Life.ALIVE and m.body[char] >= 0:
                lead += 1 if m.team[char] == 0 else -1
    if lead == 0:
        lead = int(m.removed[0]) - int(m.removed[1])
    if lead == 0:
        return Outcome.DRAW
    return Outcome.WIN_A if lead > 0 else Outcome.WIN_B


@inner(void(M))
def note_lead(m):
    """Counts a change of the HP lead."""
    lead = hp_shares(m, 0) - hp_shares(m, 1)
    sign = 1 if lead > 0 else (-1 if lead < 0 else 0)
    if sign != 0:
        if m.lead != 0 and m.lead != sign:
            m.lead_changes += 1
        m.lead = sign
