"""An attack, step by step (R9.1): declare, select, roll, compute, apply, injury, HP loss, death check, end.

Frame registers: 0 DMG rolled and computed, 1 Injury caused in all, 2 next victim to handle.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Attribute, RangeType
from .board import tile_distance
from .codes import Frame, Life, Log
from .compiler import inner
from .damage import push_death_check, suffer
from .dice import roll
from .layout import CARDS, M, P
from .legality import range_value, why_not_target
from .stack import pop, push
from .zones import log

DAMAGE, INJURY = 0, 1  # registers


@inner(void(M, P, int64, int64, int64))
def start_attack(m, p, char, card, target):
    """Opens the attack of a character with a card (-1: Normal Attack) on a target (-1: area)."""
    at = push(m, Frame.ATTACK)
    f = m.frame[at]
    f.char = char
    f.card = card
    f.target = target
    f.cause = card if card >= 0 else CARDS + char
    log(m, p, Log.ATTACK, char, card, target, 0)


@inner(int64(M, P, int64))
def attack_damage(m, p, at):
    """Rolls and computes the DMG of an attack: attribute + constant + dice, at least 1 (R9.1.4, R9.1.5, R13.1)."""
    f = m.frame[at]
    char = int(f.char)
    if f.card < 0:
        base = int(m.attr[char, Attribute.STR])
        dice = roll(m, int(f.cause), 1, 2)
    else:
        ident = p.card[m.ident[f.card]]
        base = int(ident.damage_const)
        if ident.damage_attr >= 0:
            base += m.attr[char, ident.damage_attr]
        dice = roll(m, int(f.cause), int(ident.dice_n), int(ident.dice_sides))
    log(m, p, Log.ROLL, char, dice, base, int(f.card))
    return max(1, base + dice)


@inner(int64(M, P, int64, int64))
def is_hit(m, p, at, other):
    """Returns 1 if the attack reaches a character: its target, or anybody in an area (R9.1.13, R15.20)."""
    f = m.frame[at]
    if m.life[other] != Life.ALIVE or m.tile[other] < 0:
        return 0
    if f.target >= 0:
        return 1 if other == f.target else 0
    if other == f.char:
        return 0
    reach = range_value(m, p, int(f.char), int(f.card))
    return 1 if tile_distance(int(m.tile[f.char]), int(m.tile[other])) <= reach else 0


@inner(int64(M, P, int64))
def is_still_legal(m, p, at):
    """Returns 1 if range and trajectory still hold when the target is formally selected (R9.1.3)."""
    f = m.frame[at]
    if f.target < 0:
        return 1
    reach = 1
    range_type = 0 + RangeType.Direct
    if f.card >= 0:
        range_type = int(p.card[m.ident[f.card]].range_type)
        reach = range_value(m, p, int(f.char), int(f.card))
    return 1 if why_not_target(m, int(f.char), int(f.target), range_type, reach) == 0 else 0


@inner(void(M, P))
def step_attack(m, p):
    """Runs an attack; the death check of all victims is one action (A7.1)."""
    at = int(m.sp) - 1
    f = m.frame[at]
    if f.step == 0:
        f.step = 1
        if m.life[f.char] != Life.ALIVE or is_still_legal(m, p, at) == 0:
            pop(m)
            return
        f.reg[DAMAGE] = attack_damage(m, p, at)
        for other in range(int(m.chars)):
            if is_hit(m, p, at, other) != 0:
                f.reg[INJURY] += suffer(m, p, other, int(f.reg[DAMAGE]), int(f.char), int(f.card))
        push_death_check(m, int(f.char), int(f.card))
    else:
        pop(m)
