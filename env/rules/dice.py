"""Counter-based dice: every outcome is a hash of its stream, its cause and its count (R0.10).

No outcome depends on how often another stream was read, so two runs that differ in one card stay in step elsewhere. All
arithmetic is on 32-bit values held in int64, the one place where wide products occur.
"""

from __future__ import annotations

from numba import int64

from .codes import Fault, Stream
from .compiler import inner
from .layout import CARDS, M

MASK = 0xFFFFFFFF
TURNS_KEPT = 500  # turns are told apart modulo this in `rolls`
ROLLS_KEPT = 64  # rolls of one cause in one turn


@inner(int64(int64))
def mix(x):
    """Scrambles a 32-bit value (an xorshift-multiply finaliser)."""
    x = x & MASK
    x = x ^ (x >> 16)
    x = (x * 569420461) & MASK
    x = x ^ (x >> 15)
    x = (x * 1935289751) & MASK
    return x ^ (x >> 15)


@inner(int64(int64, int64, int64, int64))
def hash4(key, a, b, c):
    """Hashes a key and three counters to 32 bits."""
    return mix(mix(mix(key + 0x9E3779B9 * (a + 1)) + 0x85EBCA6B * (b + 1)) + 0xC2B2AE35 * (c + 1))


@inner(int64(int64, int64))
def below(bits, n):
    """Maps 32 random bits to 0 .. n - 1."""
    return (bits * n) >> 32


@inner(int64(M, int64))
def natural(m, cause):
    """Rolls one six-sided die for a cause and returns its natural face 1 to 6 (R10.1).

    The key is (turn, cause, count in this turn). A position with listed dice serves those instead, in order.
    """
    if m.forced_n >= 0:
        if m.forced_at >= m.forced_n:
            m.fault = Fault.DICE_RAN_OUT
            return 1
        m.forced_at += 1
        return int(m.forced[m.forced_at - 1])
    if m.mean_dice != 0:
        return 4
    stamp = m.turns % TURNS_KEPT
    seen = int(m.rolls[cause])
    count = 0
    if seen // ROLLS_KEPT == stamp:
        count = seen % ROLLS_KEPT
    m.rolls[cause] = stamp * ROLLS_KEPT + (count + 1) % ROLLS_KEPT
    return 1 + below(hash4(m.seed[Stream.EFFECT], m.turns, cause, count), 6)


@inner(int64(int64, int64))
def read_face(face, sides):
    """Reads a natural face as D6, D3 or D2 (R10.1)."""
    if sides == 6:
        return face
    if sides == 3:
        return (face + 1) // 2
    return 1 if face <= 3 else 2


@inner(int64(M, int64))
def extra_dice(m, cause):
    """Rolls the extra D3 of a perfect roll, and further ones while they show natural 6 (R10.3)."""
    total = 0
    face = 6
    while face == 6 and m.fault == 0:
        face = natural(m, cause)
        total += read_face(face, 3)
    return total


@inner(int64(M, int64, int64))
def lent_dice(m, code, cause):
    """Rolls dice that cards lend to a roll: modifiers, so none of them is the main die or perfect (R10.7).

    Args:
        code: D6 + 64 * D3 + 4096 * D2.
    """
    total = 0
    for kind in range(3):
        sides = 6 if kind == 0 else (3 if kind == 1 else 2)
        for _ in range(code % 64):
            total += read_face(natural(m, cause), sides)
        code = code // 64
    return total


@inner(int64(M, int64, int64, int64))
def roll(m, cause, count, sides):
    """Rolls `count` dice, the first being the main die, with extra dice on a natural 6 (R10.2, R10.3)."""
    total = 0
    critical = 0
    for k in range(count):
        face = natural(m, cause)
        if k == 0 and face == 6:
            critical = 1
        total += read_face(face, sides)
    if critical != 0:
        total += extra_dice(m, cause)
    return total


@inner(int64(M, int64))
def random_d6(m, character):
    """Rolls a random D6 for a character, extra dice counted (R10.5, R16.4)."""
    return roll(m, CARDS + character, 1, 6)
