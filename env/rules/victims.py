"""Whom an attack reaches, and in which order its victims suffer it (R9.1.15, R15.20, R15.25).

Each victim has a hurt frame of its own (see `attack.step_hurt`). Where the order can matter the attacker chooses it: the
frames then stand above the attack, the first one on top, before anybody suffers anything.
"""

from __future__ import annotations

from numba import int64, types, void

from .board import tile_distance
from .codes import Act, Change, CharKind, Decision, Frame, Life
from .companions import technique_reach
from .compiler import inner
from .layout import STACK, M, P
from .opcodes import HURT_EVENTS, WIDTH
from .readings import attack_of
from .registers import A_DAMAGE, A_HIGH, A_LOW, A_STOP, A_TECHNIQUE, A_VICTIM, R_EV, STOP_ATTACK, STOP_DAMAGE
from .stack import ask, push
from .targets import bar_range
from .values import value

# registers and first steps of a hurt frame
H_DAMAGE, H_INJURY, H_HP, H_ATTACK, H_PROGRAM = range(5)
ABOUT_DAMAGE, APPLY_DAMAGE, ABOUT_INJURY, APPLY_INJURY, ABOUT_HP, APPLY_HP, DONE = range(7)
WAITED = 4  # bit of `flags` of a hurt frame: it stood in a chosen order while others suffered
MOST_ORDERED = 12  # victims whose order is asked; more suffer it in the order of the rows
OUT = types.Array(int64, 1, "C")


@inner(int64(M, P, int64))
def attack_range(m, p, at):
    """Returns the range of an attack's card or technique; 1 for a Normal Attack."""
    f = m.frame[at]
    if f.reg[A_TECHNIQUE] > 0:
        return technique_reach(m, p, int(f.char), int(f.reg[A_TECHNIQUE]) - 1)
    return bar_range(m, p, int(f.char), int(f.card), int(f.effect)) if f.card >= 0 else 1


@inner(int64(M, P, int64, int64))
def is_hit(m, p, at, other):
    """Returns 1 if the attack reaches a character: its target or its area, and its blast (R9.1.13, R15.20, R15.25)."""
    f = m.frame[at]
    if m.life[other] != Life.ALIVE or m.tile[other] < 0 or m.kind[other] == 0:
        return 0
    if f.target >= 0:
        if other == f.target:
            return 1
    elif other != f.char and tile_distance(int(m.tile[f.char]), int(m.tile[other])) <= attack_range(m, p, at):
        return 1
    if f.effect < 0 or p.effect[f.effect].blast < 0:
        return 0
    return value(m, p, p.effect[f.effect].blast, at, at, int(f.card), int(f.char), other, -1)


@inner(void(M, P, int64))
def mark_attacked(m, p, at):
    """Notes who is attacked (R9.1.12)."""
    f = m.frame[at]
    f.reg[A_LOW] = 0
    f.reg[A_HIGH] = 0
    for other in range(min(30, int(m.chars))):
        if is_hit(m, p, at, other) != 0:
            k = A_LOW if other < 15 else A_HIGH
            f.reg[k] = int(f.reg[k]) | (1 << (other % 15))


@inner(int64(M, int64, int64, int64, int64, int64))
def start_hurt(m, victim, source, card, cause, step):
    """Opens what a victim is about to suffer, from a step on (ABOUT_DAMAGE, ABOUT_INJURY, ABOUT_HP). Returns the frame."""
    at = push(m, Frame.HURT)
    f = m.frame[at]
    f.char = victim
    f.target = source
    f.card = card
    f.cause = cause
    f.step = step
    return at


@inner(void(M, int64, int64))
def aim(m, hurt, at):
    """Writes into a hurt frame the DMG that its victim is about to suffer from the attack of frame `at`."""
    f = m.frame[at]
    m.frame[hurt].reg[H_DAMAGE] = f.reg[A_DAMAGE] if f.reg[A_STOP] // STOP_DAMAGE - 1 != m.frame[hurt].char else 0


@inner(int64(M, int64, int64))
def strike(m, at, victim):
    """Opens the hurt frame of a victim of the attack of frame `at`. Returns the frame."""
    f = m.frame[at]
    hurt = start_hurt(m, victim, int(f.char), int(f.card), int(f.cause), ABOUT_DAMAGE)
    m.frame[hurt].reg[H_ATTACK] = at + 1
    aim(m, hurt, at)
    return hurt


@inner(int64(M, P, int64))
def next_victim(m, p, at):
    """Opens the hurt frame of the next victim, the target first, then in the order of the rows. Returns 0 after the last."""
    f = m.frame[at]
    for k in range(int(f.reg[A_VICTIM]), int(m.chars) + 1):
        other = int(f.target) if k == 0 else k - 1
        if other >= 0 and (k == 0 or other != f.target) and is_hit(m, p, at, other) != 0:
            f.reg[A_VICTIM] = k + 1
            strike(m, at, other)
            return 1
    return 0


@inner(int64(M, P, int64, int64))
def is_spread_to(m, p, at, other):
    """Returns 1 if a character is one of those whose order the frame `at` asks for, whether or not it has been listed.

    Args:
        at: an attack, whose target comes first without a question; or the death check above a program that spreads DMG.
    """
    f = m.frame[at]
    if f.kind == Frame.ATTACK:
        return is_hit(m, p, at, other) if other != f.target else 0
    if m.life[other] != Life.ALIVE or m.tile[other] < 0 or m.kind[other] == CharKind.NONE:
        return 0
    g = m.frame[at - 1]
    test = int(p.code[g.pc - WIDTH + 1])
    return value(m, p, test, at - 1, int(g.reg[R_EV]) - 1, int(g.card), int(g.char), other, -1)


@inner(int64(M, P, int64, int64))
def next_unlisted(m, p, at, other):
    """Returns the next character from `other` on that has no place in the order of frame `at` yet, -1 none."""
    while other < m.chars:
        if is_spread_to(m, p, at, other) != 0:
            listed = 0
            for k in range(at + 1, int(m.sp)):
                if m.frame[k].char == other:
                    listed = 1
            if listed == 0:
                return other
        other += 1
    return -1


@inner(int64(M, P))
def order_matters(m, p):
    """Returns 1 if the order of several victims can be felt: somebody answers what they suffer, or a text reads HP."""
    if m.listening & HURT_EVENTS != 0:
        return 1
    for row in range(int(m.active)):
        if int(p.effect[m.active_effect[row]].reads) & Change.HP != 0:
            return 1
    for k in range(int(m.mods)):
        if m.modifier[k].mod >= 0 and int(p.standing[m.modifier[k].mod].reads) & Change.HP != 0:
            return 1
    return 0


@inner(int64(M, P, int64))
def is_order_asked(m, p, at):
    """Returns 1 if the attacker chooses the order of the victims of frame `at` (R9.1.15)."""
    count = 0
    for other in range(int(m.chars)):
        count += 1 if is_spread_to(m, p, at, other) != 0 else 0
    if count < 2 or count > MOST_ORDERED or m.sp + count + 1 >= STACK:
        return 0
    return order_matters(m, p)


@inner(void(M, P, int64))
def ask_order(m, p, at):
    """Asks for the next victim of frame `at`; once all are listed, the target of an attack takes its place before them."""
    if next_unlisted(m, p, at, 0) >= 0:
        f = m.frame[at]
        ask(m, Decision.ORDER, int(m.owner[f.char]), at, 0)
    elif m.frame[at].kind == Frame.ATTACK and m.frame[at].target >= 0:
        if is_hit(m, p, at, int(m.frame[at].target)) != 0:
            strike(m, at, int(m.frame[at].target))


@inner(void(M, P, int64))
def take_victim(m, p, victim):
    """Lists the chosen victim behind those chosen before, and asks for the next one."""
    at = int(m.ask_a)
    f = m.frame[at]
    if f.kind == Frame.ATTACK:
        hurt = strike(m, at, victim)
    else:
        hurt = start_hurt(m, victim, int(f.char), int(f.card), int(f.card), ABOUT_DAMAGE)
        attack = attack_of(m, at - 1)
        m.frame[hurt].reg[H_DAMAGE] = m.frame[attack].reg[A_DAMAGE]
    m.frame[hurt].flags = WAITED
    spare = int(m.sp)
    if spare >= STACK:
        return
    # the one chosen first lies on top
    m.frame[spare] = m.frame[hurt]
    for k in range(hurt, at + 1, -1):
        m.frame[k] = m.frame[k - 1]
    m.frame[at + 1] = m.frame[spare]
    ask_order(m, p, at)


@inner(int64(M, P, int64))
def is_spared(m, p, at):
    """Returns 1 if the victim of a hurt frame that has waited for others is reached no more, or the attack is over."""
    f = m.frame[at]
    attack = int(f.reg[H_ATTACK]) - 1
    if attack < 0:
        return 1 if m.life[f.char] != Life.ALIVE or m.tile[f.char] < 0 else 0
    if m.life[f.target] != Life.ALIVE or int(m.frame[attack].reg[A_STOP]) & STOP_ATTACK != 0:
        return 1
    return 1 - is_hit(m, p, attack, int(f.char))


@inner(int64(M, P, OUT))
def order_options(m, p, out):
    """Lists the victims that may come next in the chosen order."""
    n = 0
    other = next_unlisted(m, p, int(m.ask_a), 0)
    while other >= 0:
        out[n] = Act.CHAR + other
        n += 1
        other = next_unlisted(m, p, int(m.ask_a), other + 1)
    return n
