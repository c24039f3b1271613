"""An attack and what a victim suffers, step by step (R9.1).

The attack frame runs declaration, selection, roll and computation, then one hurt frame per victim; a hurt frame turns DMG
into DMG suffered, Injury and HP loss with their windows. Effects that cause DMG, Injury or HP loss use hurt frames too.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Attribute, RangeType
from .codes import Change, Frame, Life, Log
from .compiler import inner
from .damage import credited, injury_hp, injury_of, lose_hp, push_death_check
from .dice import extra_dice, lent_dice, natural, read_face
from .lasting import end_modifiers
from .layout import CARDS, M, P
from .opcodes import Ev, Q, Until
from .rare import FOUGHT, HURT, TARGETED
from .readings import is_attacked
from .registers import (
    A_BONUS,
    A_CRITICAL,
    A_DAMAGE,
    A_DICE,
    A_FACE,
    A_HP,
    A_INJURY,
    A_MAIN,
    A_STOP,
    A_TECHNIQUE,
    A_VICTIM,
    R_BOUND,
    R_DAMAGE,
    R_HP,
    R_INJURY,
    R_X,
    STOP_ATTACK,
    STOP_TEXT,
    W_AMOUNT,
    W_ATTACK,
    W_DAMAGE,
    W_INJURY,
)
from .stack import pop, push, release_windows
from .standing import is_immune, modify
from .targets import range_type_of, why_not_target
from .victims import (
    ABOUT_DAMAGE,
    ABOUT_HP,
    ABOUT_INJURY,
    APPLY_DAMAGE,
    APPLY_HP,
    APPLY_INJURY,
    H_ATTACK,
    H_DAMAGE,
    H_HP,
    H_INJURY,
    H_PROGRAM,
    WAITED,
    ask_order,
    attack_range,
    is_order_asked,
    is_spared,
    mark_attacked,
    next_victim,
)
from .windows import action_window, next_action, push_program
from .zones import log

# steps of an attack frame
DECLARE, ANNOUNCE, SELECT, ROLL, THROW, COMPUTE, VICTIMS, DEATHS, TEXT, LAST = range(10)
NORMAL_DICE = 8 + 2  # 1D2 (R17.18)


@inner(int64(M, P, int64))
def own_dice(m, p, at):
    """Returns the dice of an attack's activation bar, or of a Normal Attack, as count * 8 + sides (R17.18)."""
    f = m.frame[at]
    if f.reg[A_TECHNIQUE] > 0:
        technique = p.technique[f.reg[A_TECHNIQUE] - 1]
        return 8 * int(technique.dice_n) + int(technique.dice_sides)
    if f.card >= 0:
        return 8 * int(p.card[m.ident[f.card]].dice_n) + int(p.card[m.ident[f.card]].dice_sides)
    return modify(m, p, Q.NORMAL_DICE, -1, NORMAL_DICE, int(f.char), -1, at, int(f.target), -1)


@inner(int64(M, P, int64))
def lent_to(m, p, at):
    """Returns the dice that cards lend to an attack, see `lent_dice`."""
    f = m.frame[at]
    return modify(m, p, Q.ATTACK_DICE, -1, 0, int(f.char), int(f.card), at, int(f.target), int(f.effect))


@inner(void(M, P, int64))
def throw_dice(m, p, at):
    """Rolls the DMG dice of an attack: main die, secondary dice, extra dice (R9.1.4, R10.2, R10.3)."""
    f = m.frame[at]
    dice = own_dice(m, p, at)
    count = dice // 8
    sides = dice % 8
    total = 0
    perfect = modify(m, p, Q.CRITICAL, -1, 6, int(f.char), int(f.card), at, int(f.target), int(f.effect))
    f.reg[A_CRITICAL] = 0
    for k in range(count):
        face = 0
        if k == 0 and f.step <= COMPUTE:
            face = int(f.reg[A_FACE])
            f.reg[A_FACE] = 0
        if face == 0:
            face = natural(m, int(f.cause))
        if k == 0:
            f.reg[A_MAIN] = face
            f.reg[A_CRITICAL] = 1 if face >= perfect else 0
        total += read_face(face, sides)
    total += lent_dice(m, lent_to(m, p, at), int(f.cause))
    if f.reg[A_CRITICAL] != 0:
        total += extra_dice(m, int(f.cause))
    f.reg[A_DICE] = total
    log(m, p, Log.ROLL, int(f.char), total, int(f.reg[A_MAIN]), int(f.card))


@inner(int64(M, P, int64))
def compute_damage(m, p, at):
    """Returns the DMG of an attack: attribute + constant + dice + modifiers of the attacker, at least 1 (R9.1.5, R13.1)."""
    f = m.frame[at]
    char = int(f.char)
    card = int(f.card)
    if f.reg[A_TECHNIQUE] > 0:
        technique = p.technique[f.reg[A_TECHNIQUE] - 1]
        attribute = int(technique.damage_attr)
        base = int(technique.damage_const)
    elif card >= 0:
        attribute = int(p.card[m.ident[card]].damage_attr)
        base = int(p.card[m.ident[card]].damage_const)
    else:
        attribute = 0 + Attribute.STR
        base = modify(m, p, Q.NORMAL_DAMAGE, -1, 0, char, -1, at, int(f.target), -1)
    attribute = modify(m, p, Q.DAMAGE_ATTR, -1, attribute, char, card, at, int(f.target), -1)
    if attribute >= 0:
        base += m.attr[char, attribute]
    base += f.reg[A_DICE] + f.reg[A_BONUS]
    base = modify(m, p, Q.ATTACK_BONUS, -1, base, char, card, at, int(f.target), int(f.effect))
    base = modify(m, p, Q.DAMAGE_DEALT, -1, base, char, card, at, int(f.target), int(f.effect))
    base = modify(m, p, Q.ATTACK_MULTIPLIER, -1, base, char, card, at, int(f.target), int(f.effect))
    return max(1, min(base, 30_000))


@inner(void(M, P, int64, int64, int64, int64, int64))
def start_attack(m, p, char, card, effect, target, technique):
    """Opens the attack of a character with a card (-1: Normal Attack) on a target (-1: area).

    Args:
        effect: effect activated with the card, whose modifiers shape this attack and whose text follows it; -1 none.
        technique: 1 + the technique that attacks, 0 for cards and Normal Attacks.
    """
    at = push(m, Frame.ATTACK)
    f = m.frame[at]
    f.char = char
    f.card = card
    f.effect = effect
    f.target = target
    f.cause = card if card >= 0 else CARDS + char
    f.reg[A_TECHNIQUE] = technique
    m.deeds[char] = int(m.deeds[char]) | 2 | FOUGHT
    m.dirty = int(m.dirty) | Change.TURN
    mark_attacked(m, p, at)
    log(m, p, Log.ATTACK, char, card, target, 0)


@inner(int64(M, P, int64))
def is_still_legal(m, p, at):
    """Returns 1 if range and trajectory still hold when the target is formally selected (R9.1.3)."""
    f = m.frame[at]
    if f.target < 0:
        return 1
    range_type = 0 + RangeType.Direct
    if f.reg[A_TECHNIQUE] > 0:
        range_type = int(p.technique[f.reg[A_TECHNIQUE] - 1].range_type)
    elif f.card >= 0:
        range_type = range_type_of(m, p, int(f.char), int(f.card))
    why = why_not_target(m, p, int(f.char), int(f.target), int(f.card), range_type, attack_range(m, p, at))
    return 1 if why == 0 else 0


@inner(void(M))
def close_attack(m):
    """Takes an attack off the stack; what was made for this attack or its roll ends with it (R6.9.1)."""
    at = int(m.sp) - 1
    for other in range(min(30, int(m.chars))):
        if is_attacked(m, at, other) != 0:
            m.deeds[other] = int(m.deeds[other]) | TARGETED
    end_modifiers(m, 0 + Until.ATTACK, -1)
    end_modifiers(m, 0 + Until.CHECK, -1)
    pop(m)


@inner(void(M, P))
def step_attack(m, p):
    """Runs an attack; the death check of all victims is one action (A7.1). Steps nobody listens to pass at once."""
    at = int(m.sp) - 1
    f = m.frame[at]
    char = int(f.char)
    card = int(f.card)
    while m.sp == at + 1:
        if f.step < DEATHS:
            begun = f.step == VICTIMS and f.reg[A_VICTIM] != 0
            if m.life[char] != Life.ALIVE and not begun:
                close_attack(m)
                return
            if m.life[char] != Life.ALIVE or int(f.reg[A_STOP]) & STOP_ATTACK != 0:
                # who has suffered it already may have fallen; else what is left is the text that needs no attack (R8.8)
                f.step = 0 + (DEATHS if begun else TEXT)
        if (f.step == SELECT or f.step == TEXT) and release_windows(m) != 0:
            # after the windows of attack and activation those of the payments open (R9.1.2.1)
            return
        next_action(m, at)
        step = int(f.step)
        f.step += 1
        if step == DECLARE:
            action_window(m, p, Ev.ATTACK, char, int(f.target), card, int(f.cause), at)
        elif step == ANNOUNCE:
            if card >= 0:
                action_window(m, p, Ev.ACTIVATED, char, int(f.target), card, card, at)
        elif step == SELECT:
            if f.flags & 2 == 0 and is_still_legal(m, p, at) == 0:
                # the parts about the target are skipped (R7.7.5)
                f.reg[A_STOP] = int(f.reg[A_STOP]) | STOP_ATTACK
            elif f.target >= 0:
                action_window(m, p, Ev.SELECTED, int(f.target), char, card, int(f.cause), at)
        elif step == ROLL:
            if own_dice(m, p, at) >= 8 or lent_to(m, p, at) > 0:
                action_window(m, p, Ev.ROLL_BEFORE, char, int(f.target), card, int(f.cause), at)
        elif step == THROW:
            throw_dice(m, p, at)
            action_window(m, p, Ev.ROLL_AFTER, char, int(f.target), card, int(f.cause), at)
        elif step == COMPUTE:
            f.reg[A_DAMAGE] = compute_damage(m, p, at)
        elif step == VICTIMS:
            if f.reg[A_VICTIM] == 0 and is_order_asked(m, p, at) != 0:
                ask_order(m, p, at)
                return
            elif next_victim(m, p, at) != 0:
                f.step = VICTIMS
        elif step == DEATHS:
            push_death_check(m, char, card)
        elif step == TEXT:
            if int(f.reg[A_STOP]) & STOP_TEXT == 0 and m.life[char] == Life.ALIVE:
                push_program(m, p, char, card, int(f.effect), at)
                if m.sp > at + 1:
                    t = m.frame[at + 1]
                    t.target = f.target if int(f.reg[A_STOP]) & STOP_ATTACK == 0 else -1
                    t.reg[R_X] = f.pc
                    t.reg[R_BOUND] = f.tile
                    t.reg[R_DAMAGE] = f.reg[A_DAMAGE]
                    t.reg[R_INJURY] = f.reg[A_INJURY]
                    t.reg[R_HP] = f.reg[A_HP]
        elif step == LAST and int(f.reg[A_STOP]) & STOP_ATTACK == 0:
            action_window(m, p, Ev.ATTACK_END, char, int(f.target), card, int(f.cause), at)
        else:
            close_attack(m)
            return


@inner(void(M, P, int64, int64))
def hurt_window(m, p, at, event):
    """Opens a window of a hurt frame with what is about to be suffered."""
    f = m.frame[at]
    w = action_window(m, p, event, int(f.char), int(f.target), int(f.card), int(f.cause), at)
    if w >= 0:
        m.frame[w].reg[W_DAMAGE] = f.reg[H_DAMAGE]
        m.frame[w].reg[W_INJURY] = f.reg[H_INJURY]
        m.frame[w].reg[W_AMOUNT] = f.reg[H_HP]
        m.frame[w].reg[W_ATTACK] = f.reg[H_ATTACK]


@inner(void(M, P, int64))
def apply_damage(m, p, at):
    """Turns DMG into DMG suffered: the victim's reductions and weaknesses, not below 0 (R9.1.6, R13.2)."""
    f = m.frame[at]
    ev = int(f.reg[H_ATTACK]) - 1
    if is_immune(m, p, int(f.char), int(f.card)) != 0:
        f.reg[H_DAMAGE] = 0
    if f.reg[H_DAMAGE] > 0:
        base = int(f.reg[H_DAMAGE])
        suffered = modify(m, p, Q.DAMAGE_TAKEN, -1, base, int(f.char), int(f.card), ev, int(f.target), -1)
        f.reg[H_DAMAGE] = max(0, min(suffered, 30_000))
    if m.ledger_on != 0 and credited(m, int(f.card), int(f.target)) >= 0:
        p.ledger[credited(m, int(f.card), int(f.target))].damage_caused += f.reg[H_DAMAGE]


@inner(void(M, P, int64))
def apply_injury(m, p, at):
    """Turns Injury into HP about to be lost, Injury modifiers included (R9.1.7, R13.3, R13.4, R13.8)."""
    f = m.frame[at]
    ev = int(f.reg[H_ATTACK]) - 1
    injury = int(f.reg[H_INJURY])
    if injury > 0:
        injury = modify(m, p, Q.INJURY_DEALT, -1, injury, int(f.target), int(f.card), ev, int(f.char), -1)
        injury = modify(m, p, Q.INJURY_TAKEN, -1, injury, int(f.char), int(f.card), ev, int(f.target), -1)
        injury = max(0, min(injury, modify(m, p, Q.INJURY_CAP, -1, 30_000, int(f.char), int(f.card), ev, int(f.target), -1)))
    f.reg[H_INJURY] = injury
    damage = int(f.reg[H_DAMAGE])
    f.reg[H_HP] = min(30_000, injury_hp(m, injury, damage if damage > 0 else 10 * injury))
    log(m, p, Log.DAMAGE, int(f.char), damage, injury, int(f.card))


@inner(void(M, int64))
def report_hurt(m, at):
    """Hands what a victim suffered to the attack or program that caused it."""
    f = m.frame[at]
    attack = int(f.reg[H_ATTACK]) - 1
    if attack >= 0:
        if f.reg[H_INJURY] > 0:
            m.deeds[f.char] = int(m.deeds[f.char]) | HURT
            m.dirty = int(m.dirty) | Change.TURN
        m.frame[attack].reg[A_INJURY] += f.reg[H_INJURY]
        m.frame[attack].reg[A_HP] += f.reg[H_HP]
    program = int(f.reg[H_PROGRAM]) - 1
    if program >= 0:
        m.frame[program].reg[R_DAMAGE] = f.reg[H_DAMAGE]
        m.frame[program].reg[R_INJURY] = f.reg[H_INJURY]
        m.frame[program].reg[R_HP] = f.reg[H_HP]


@inner(void(M, P))
def step_hurt(m, p):
    """Runs what a victim suffers: DMG, Injury, HP loss, each an action with a window before and after (R9.1.6 to R9.1.8)."""
    at = int(m.sp) - 1
    f = m.frame[at]
    char = int(f.char)
    while m.sp == at + 1:
        step = int(f.step)
        f.step += 1
        if step == ABOUT_DAMAGE:
            if int(f.flags) & WAITED != 0 and is_spared(m, p, at) != 0:
                pop(m)
                return
            next_action(m, at)
            hurt_window(m, p, at, 0 + Ev.DAMAGE_BEFORE)
        elif step == APPLY_DAMAGE:
            apply_damage(m, p, at)
            f.reg[H_INJURY] = injury_of(int(f.reg[H_DAMAGE]), int(m.attr[char, Attribute.END]))
            if f.reg[H_DAMAGE] > 0:
                hurt_window(m, p, at, 0 + Ev.DAMAGE_AFTER)
        elif step == ABOUT_INJURY:
            next_action(m, at)
            if f.reg[H_INJURY] > 0:
                hurt_window(m, p, at, 0 + Ev.INJURY_BEFORE)
        elif step == APPLY_INJURY:
            apply_injury(m, p, at)
            if f.reg[H_INJURY] > 0:
                hurt_window(m, p, at, 0 + Ev.INJURY_AFTER)
        elif step == ABOUT_HP:
            next_action(m, at)
            if f.reg[H_HP] > 0:
                hurt_window(m, p, at, 0 + Ev.HP_BEFORE)
        elif step == APPLY_HP:
            if f.reg[H_HP] > 0:
                lose_hp(m, p, char, int(f.reg[H_HP]), int(f.target), int(f.card))
                hurt_window(m, p, at, 0 + Ev.HP_AFTER)
        else:
            report_hurt(m, at)
            pop(m)
            return
