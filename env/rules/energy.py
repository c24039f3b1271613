"""Energy: how it is paid, given back as change, and recovered (R7.5)."""

from __future__ import annotations

from numba import int64, void

from .codes import Decision, Flag, Frame
from .compiler import inner, local_array
from .costs import ANY, COLOUR, COLOURS, ESSENCE, MANA, NEED, STAMINA, is_energy
from .damage import heal
from .drafts import draft_need, is_drafted
from .layout import M, P
from .moves import exhaust_card, recover_card, tell_spent
from .stack import ask, hold_windows, pop, push
from .zones import has_flag, table_card

INSTEAD = 10  # register of a recovery frame: HP healed if nothing is recovered


@inner(void(M, P, int64))
def pay_energy(m, p, char):
    """Exhausts the drafted Skills and opens the change for what they supply beyond the cost (R7.5.1, R7.5.4, R7.5.5)."""
    if m.d_pay_n == 0:
        return
    need = local_array(NEED)
    draft_need(m, p, need)
    have = local_array(8)
    for i in range(int(m.d_pay_n)):
        card = int(m.d_pay[i])
        ident = p.card[m.ident[card]]
        have[0] += ident.stamina
        have[1] += ident.mana
        have[2 + ident.colour] += ident.essence
    short = max(0, need[STAMINA] - have[0]) + max(0, need[MANA] - have[1])
    mixed = short > 0 and need[STAMINA] > 0 and need[MANA] > 0
    at = push(m, Frame.CHANGE)
    f = m.frame[at]
    f.char = char
    f.step = 1 if mixed else 0
    left = need[ANY]
    spare = max(0, have[0] - need[STAMINA])
    spent = min(left, spare)
    f.reg[0] = spare - spent
    left -= spent
    spare = max(0, have[1] - need[MANA])
    spent = min(left, spare)
    f.reg[1] = spare - spent
    left -= spent
    have[2 + need[COLOUR]] -= need[ESSENCE]
    short += left
    for colour in range(COLOURS):
        spent = min(short, have[2 + colour])
        f.reg[2 + colour] = have[2 + colour] - spent
        short -= spent
    tell_spent(m, p, char, 1, need[STAMINA])
    tell_spent(m, p, char, 2, need[MANA])
    tell_spent(m, p, char, 4, need[ESSENCE])
    tell_spent(m, p, char, 7, need[ANY])
    for i in range(int(m.d_pay_n)):
        exhaust_card(m, p, int(m.d_pay[i]), 1)


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
    if m.frame[m.sp - 1].step != 0:
        # essence stood for stamina or mana of a cost in both: no change (R7.5.5)
        pop(m)
        return
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
    recover_card(m, p, card, 1)
    hold_windows(m)


@inner(int64(P, int64, int64))
def energy_of(p, ident, kinds):
    """Returns the energy a card gives in some kinds: mask 1 stamina, 2 mana, 4 essence; 8 * (1 + colour) adds a colour.

    Source: R7.5.7, R7.5.8, R21.3.
    """
    card = p.card[ident]
    if kinds > 7 and card.colour != kinds // 8 - 1:
        return 0
    return card.stamina * (kinds & 1) + card.mana * (kinds >> 1 & 1) + card.essence * (kinds >> 2 & 1)


@inner(int64(M, P, int64))
def is_recoverable(m, p, i):
    """Returns 1 if the i-th table card may be recovered within the amount left (R7.5.8)."""
    f = m.frame[m.sp - 1]
    card = table_card(m, int(f.char), i)
    if i < f.reg[8] or has_flag(m, card, Flag.EXHAUSTED) == 0 or is_energy(m, p, card) == 0:
        return 0
    worth = energy_of(p, int(m.ident[card]), int(f.reg[9]))
    return 1 if 0 < worth <= f.reg[0] else 0


@inner(void(M, P))
def end_recovery(m, p):
    """Takes a recovery off the stack; a rest that chose HP instead of energy heals now (R0.5)."""
    f = m.frame[m.sp - 1]
    pop(m)
    if f.reg[INSTEAD] > 0 and f.reg[8] == 0:
        heal(m, p, int(f.char), int(f.reg[INSTEAD]))


@inner(void(M, P))
def step_recover(m, p):
    """Asks which exhausted Skills to recover within an amount of energy (R7.5.7, R7.5.8)."""
    hero = int(m.frame[m.sp - 1].char)
    for i in range(int(m.table_n[hero])):
        if is_recoverable(m, p, i) != 0:
            ask(m, Decision.RECOVER, hero, int(m.frame[m.sp - 1].reg[0]), 0)
            return
    end_recovery(m, p)


@inner(void(M, P, int64))
def take_recovery(m, p, i):
    """Recovers the i-th table card and lowers the amount left."""
    f = m.frame[m.sp - 1]
    card = table_card(m, int(f.char), i)
    f.reg[0] -= energy_of(p, int(m.ident[card]), int(f.reg[9]))
    f.reg[8] = i + 1
    recover_card(m, p, card, 1)
