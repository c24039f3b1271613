"""From a complete declaration to its frames: payment, change, activation, placing, resting (R7, R17).

A declaration gathers in the draft and is committed at once; nothing is paid before it is complete.
"""

from __future__ import annotations

import numpy as np
from numba import int64, void

from ..vocabulary import Profile, Suit
from .attack import start_attack
from .board import put_piece, step_cost
from .codes import Decision, Flag, Frame, Kind, Log, Zone
from .compiler import inner
from .costs import COLOURS, is_energy
from .damage import heal
from .layout import CARDS, HEROES, M, P
from .legality import NORMAL_ATTACK_AP, REST_ENERGY, REST_HP, TABLE_AP, can_recover
from .stack import ask, pop, push
from .turn import end_turn
from .zones import has_flag, log, move_card, set_exhausted, table_card

REVEAL, RESOLVE, FINISH = range(3)  # steps of an activation frame


@inner(void(M, P, int64))
def pay_energy(m, p, char):
    """Exhausts the drafted Skills and opens the change for what they supply beyond the cost (R7.5.1, R7.5.4, R7.5.5)."""
    if m.d_pay_n == 0:
        return
    cost = p.card[m.ident[m.d_card]]
    have = np.zeros(8, np.int64)
    for i in range(int(m.d_pay_n)):
        card = int(m.d_pay[i])
        ident = p.card[m.ident[card]]
        have[0] += ident.stamina
        have[1] += ident.mana
        have[2 + ident.colour] += ident.essence
        set_exhausted(m, p, card, 1)
    short = max(0, int(cost.stamina) - have[0]) + max(0, int(cost.mana) - have[1])
    if short > 0 and cost.stamina > 0 and cost.mana > 0:
        return
    at = push(m, Frame.CHANGE)
    f = m.frame[at]
    f.char = char
    f.reg[0] = max(0, have[0] - int(cost.stamina))
    f.reg[1] = max(0, have[1] - int(cost.mana))
    have[2 + cost.colour] -= cost.essence
    for colour in range(COLOURS):
        spent = min(short, have[2 + colour])
        f.reg[2 + colour] = have[2 + colour] - spent
        short -= spent


@inner(int64(M, int64))
def is_drafted(m, card):
    """Returns 1 if a copy is among the Skills just exhausted."""
    for i in range(int(m.d_pay_n)):
        if m.d_pay[i] == card:
            return 1
    return 0


@inner(int64(M, P, int64))
def is_change(m, p, i):
    """Returns 1 if the i-th table card may be recovered as change now (R7.5.4).

    Cards are taken in table order (register 8 is the next index), so that each set is offered once.
    """
    f = m.frame[m.sp - 1]
    hero = int(f.char)
    card = table_card(m, hero, i)
    if i < f.reg[8] or has_flag(m, card, Flag.EXHAUSTED) == 0 or is_energy(m, p, card) == 0 or is_drafted(m, card) != 0:
        return 0
    ident = p.card[m.ident[card]]
    if ident.essence > f.reg[2 + ident.colour]:
        return 0
    spare = -int(ident.essence)
    for colour in range(COLOURS):
        spare += f.reg[2 + colour]
    short = max(0, int(ident.stamina) - f.reg[0]) + max(0, int(ident.mana) - f.reg[1])
    return 1 if short <= spare else 0


@inner(void(M, P))
def step_change(m, p):
    """Asks which Skills come back as change, if any can."""
    hero = int(m.frame[m.sp - 1].char)
    for i in range(int(m.table_n[hero])):
        if is_change(m, p, i) != 0:
            ask(m, Decision.CHANGE, hero, 0, 0)
            return
    pop(m)


@inner(void(M, P, int64))
def take_change(m, p, i):
    """Recovers the i-th table card as change."""
    f = m.frame[m.sp - 1]
    card = table_card(m, int(f.char), i)
    ident = p.card[m.ident[card]]
    short = max(0, int(ident.stamina) - int(f.reg[0])) + max(0, int(ident.mana) - int(f.reg[1]))
    f.reg[0] = max(0, f.reg[0] - ident.stamina)
    f.reg[1] = max(0, f.reg[1] - ident.mana)
    f.reg[2 + ident.colour] -= ident.essence
    for colour in range(COLOURS):
        spent = min(short, int(f.reg[2 + colour]))
        f.reg[2 + colour] -= spent
        short -= spent
    f.reg[8] = i + 1
    set_exhausted(m, p, card, 0)


@inner(int64(M, P, int64))
def is_recoverable(m, p, i):
    """Returns 1 if the i-th table card may be recovered within the amount left (R7.5.8)."""
    f = m.frame[m.sp - 1]
    card = table_card(m, int(f.char), i)
    if i < f.reg[8] or has_flag(m, card, Flag.EXHAUSTED) == 0 or is_energy(m, p, card) == 0:
        return 0
    ident = p.card[m.ident[card]]
    return 1 if ident.stamina + ident.mana + ident.essence <= f.reg[0] else 0


@inner(void(M, P))
def step_recover(m, p):
    """Asks which exhausted Skills to recover within an amount of energy (R7.5.7, R7.5.8)."""
    hero = int(m.frame[m.sp - 1].char)
    for i in range(int(m.table_n[hero])):
        if is_recoverable(m, p, i) != 0:
            ask(m, Decision.RECOVER, hero, int(m.frame[m.sp - 1].reg[0]), 0)
            return
    pop(m)


@inner(void(M, P, int64))
def take_recovery(m, p, i):
    """Recovers the i-th table card and lowers the amount left."""
    f = m.frame[m.sp - 1]
    card = table_card(m, int(f.char), i)
    ident = p.card[m.ident[card]]
    f.reg[0] -= ident.stamina + ident.mana + ident.essence
    f.reg[8] = i + 1
    set_exhausted(m, p, card, 0)


@inner(void(M, P))
def step_activation(m, p):
    """Runs an activation: reveal, resolve the bar, finish (R7.1.2, R7.1.6, R7.1.8)."""
    f = m.frame[m.sp - 1]
    card = int(f.card)
    if f.step == REVEAL:
        f.step = RESOLVE
        if m.zone[card] == Zone.HAND:
            move_card(m, p, card, Zone.RESOLVING)
        if m.ledger_on != 0:
            p.ledger[card].activated += 1
    elif f.step == RESOLVE:
        f.step = FINISH
        start_attack(m, p, int(f.char), card, int(f.target))
    else:
        if m.zone[card] == Zone.RESOLVING:
            move_card(m, p, card, Zone.DISCARD)
        pop(m)


@inner(void(M, P, int64))
def rest(m, p, char):
    """Rests: an All-In that heals and recovers energy (R17.10, R6.5.4)."""
    heal(m, p, char, 1 if m.profile == Profile.UNITS else REST_HP)
    m.ap[char] = 0
    end_turn(m, char)
    if char < HEROES and can_recover(m, p, char, REST_ENERGY) != 0:
        at = push(m, Frame.RECOVER)
        m.frame[at].char = char
        m.frame[at].reg[0] = REST_ENERGY


@inner(int64(M, P, int64))
def table_zone(m, p, card):
    """Returns the table area of a Resource card (R3.7.1)."""
    suit = int(p.card[m.ident[card]].suit)
    if suit == Suit.Item:
        return 0 + Zone.EQUIPMENT
    return 0 + Zone.MEMENTO if suit == Suit.Skill else 0 + Zone.SUPPORT


@inner(void(M, P))
def commit(m, p):
    """Carries out the drafted turn action: pays it and pushes what follows."""
    char = int(m.turn_char)
    kind = int(m.d_kind)
    card = int(m.d_card)
    m.turn_spoiled = 1
    m.turn_actions += 1
    m.actions += 1
    log(m, p, Log.ACTION, char, kind, card, int(m.d_target))
    if kind == Kind.MOVE:
        tile = int(m.d_tile)
        m.ap[char] -= step_cost(m, char, int(m.tile[char]), tile)
        put_piece(m, char, tile)
        log(m, p, Log.MOVE_PIECE, char, tile, 0, 0)
    elif kind == Kind.NORMAL_ATTACK:
        m.ap[char] -= NORMAL_ATTACK_AP
        start_attack(m, p, char, -1, int(m.d_target))
    elif kind == Kind.USE_TABLE or kind == Kind.USE_HAND:
        m.ap[char] -= p.card[m.ident[card]].action
        at = push(m, Frame.ACTIVATION)
        f = m.frame[at]
        f.char = char
        f.card = card
        f.target = m.d_target
        f.cause = card
        pay_energy(m, p, char)
    elif kind == Kind.PLACE:
        m.ap[char] -= TABLE_AP
        move_card(m, p, card, table_zone(m, p, card))
    elif kind == Kind.WITHDRAW:
        m.ap[char] -= TABLE_AP
        move_card(m, p, card, Zone.HAND)
    elif kind == Kind.REST:
        rest(m, p, char)
    m.d_kind = -1


@inner(void(M))
def clear_draft(m):
    """Empties the draft."""
    m.d_card = -1
    m.d_effect = -1
    m.d_target = -1
    m.d_tile = -1
    m.d_pay_n = 0
