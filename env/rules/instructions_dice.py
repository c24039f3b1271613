"""Instructions on dice of checks, attacks and effects (R10, R11)."""

from __future__ import annotations

from numba import int64, void

from .attack import throw_dice
from .checks import THROW as CHECK_ROLL
from .codes import Frame
from .compiler import inner
from .dice import extra_dice, natural, read_face
from .lasting import end_modifiers
from .layout import CARDS, M, P
from .opcodes import Q, Until
from .rare import REROLLED
from .readings import attack_of
from .registers import A_BONUS, A_FACE, C_BONUS, C_FACE, C_KEPT, C_RESULT, R_EV, R_MAIN, R_TOTAL, W_CHECK, W_PARENT
from .standing import modify

ABOUT_TO_ROLL, ROLLED = 1, 2  # steps of a program frame at an instruction that rolls


@inner(int64(M, int64))
def check_of(m, at):
    """Returns the check frame a program answers, -1 none."""
    ev = int(m.frame[at].reg[R_EV]) - 1
    if ev < 0:
        return -1
    if m.frame[ev].kind == Frame.CHECK:
        return ev
    return int(m.frame[ev].reg[W_CHECK]) - 1 if m.frame[ev].kind == Frame.WINDOW else -1


@inner(void(M, P, int64, int64))
def do_add_roll(m, p, at, amount):
    """Adds to the running check or attack roll."""
    check = check_of(m, at)
    if check >= 0:
        m.frame[check].reg[C_BONUS] += amount
        m.frame[check].reg[C_RESULT] += amount
        return
    attack = attack_of(m, at)
    if attack >= 0:
        m.frame[attack].reg[A_BONUS] += amount


@inner(void(M, P, int64, int64))
def do_reroll(m, p, at, keep):
    """Rolls the running check or attack again; the new result replaces the old (R10.8), the better one stays if `keep`."""
    check = check_of(m, at)
    if check >= 0:
        f = m.frame[check]
        f.reg[C_KEPT] = f.reg[C_RESULT] if keep != 0 else 0
        f.reg[C_FACE] = 0
        f.flags = int(f.flags) | REROLLED
        f.step = CHECK_ROLL
        return
    attack = attack_of(m, at)
    if attack >= 0:
        throw_dice(m, p, attack)
        return
    ev = int(m.frame[at].reg[R_EV]) - 1
    if ev >= 0 and m.frame[ev].kind == Frame.WINDOW and m.frame[ev].reg[W_PARENT] > 0:
        g = m.frame[m.frame[ev].reg[W_PARENT] - 1]
        if g.kind == Frame.PROGRAM and g.step == ROLLED:
            g.step = 0 + ABOUT_TO_ROLL


@inner(void(M, int64))
def end_roll(m, at):
    """Ends the modifiers of a roll of its own; those of a check or attack around it go on."""
    for below in range(at):
        if m.frame[below].kind == Frame.CHECK or m.frame[below].kind == Frame.ATTACK:
            return
    end_modifiers(m, 0 + Until.CHECK, -1)


@inner(void(M, int64, int64))
def do_set_face(m, at, face):
    """Chooses the natural face of the main die of a check or attack that is about to be rolled (R10.1, R10.2)."""
    check = check_of(m, at)
    attack = attack_of(m, at)
    if check >= 0:
        m.frame[check].reg[C_FACE] = face
    elif attack >= 0:
        m.frame[attack].reg[A_FACE] = face


@inner(void(M, P, int64, int64, int64, int64))
def do_roll(m, p, at, count, sides, plain):
    """Rolls dice for an effect and keeps total and main face; random dice count extra dice too (R10.5)."""
    f = m.frame[at]
    cause = int(f.card) if f.card >= 0 else CARDS + int(f.char)
    total = 0
    f.reg[R_MAIN] = 0
    for k in range(count):
        face = natural(m, cause)
        if k == 0:
            f.reg[R_MAIN] = face
        total += read_face(face, sides)
    perfect = 6
    if plain == 0:
        perfect = modify(m, p, Q.CRITICAL, -1, perfect, int(f.char), int(f.card), -1, -1, -1)
    if f.reg[R_MAIN] >= perfect:
        total += extra_dice(m, cause)
    if plain == 0:
        total = max(1, modify(m, p, Q.ROLL_BONUS, -1, total, int(f.char), int(f.card), -1, -1, -1))
        end_roll(m, at)
    f.reg[R_TOTAL] = total
