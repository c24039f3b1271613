"""Costs in AP and energy: what is affordable, which sets of Skills pay, what change comes back (R7.4, R7.5)."""

from __future__ import annotations

from numba import int64, types, void

from ..vocabulary import Suit
from .codes import Flag
from .compiler import inner, local_array
from .layout import M, P
from .zones import has_flag, table_card

COLOURS = 6
SETS = 32  # payment sets offered at most; numbers 0 .. 31 of the action space
WIDEST = 10  # ready Skills looked at when sets are listed
RANKS = SETS + 1

STAMINA, MANA, ESSENCE, COLOUR, ANY = range(5)
NEED = 5  # entries of a cost: stamina, mana, essence, its colour, and energy of any kind (R7.5.2)

SETS_ARRAY = types.Array(int64, 1, "C")
ENERGY_ARRAY = types.Array(int64, 1, "C")


@inner(int64(M, P, int64))
def is_energy(m, p, card):
    """Returns 1 for a table Skill that prints energy (R3.5.1, R7.5.11)."""
    ident = p.card[m.ident[card]]
    return 1 if ident.suit == Suit.Skill and ident.stamina + ident.mana + ident.essence > 0 else 0


@inner(void(M, P, int64, int64, ENERGY_ARRAY))
def supply(m, p, hero, mask, out):
    """Sums the energy of the ready table Skills in `mask` (bit per table index; -1 for all).

    `out` has 8 entries: stamina, mana, then essence by colour 0 to 5.
    """
    for k in range(8):
        out[k] = 0
    for i in range(int(m.table_n[hero])):
        if mask >= 0 and mask & (1 << i) == 0:
            continue
        card = table_card(m, hero, i)
        if has_flag(m, card, Flag.EXHAUSTED) != 0 or is_energy(m, p, card) == 0:
            continue
        ident = p.card[m.ident[card]]
        out[0] += ident.stamina
        out[1] += ident.mana
        out[2 + ident.colour] += ident.essence


@inner(int64(ENERGY_ARRAY, ENERGY_ARRAY))
def covers(have, need):
    """Returns 1 if energy covers a cost; essence may stand for stamina and mana, not the reverse (R7.5.1, R7.5.2)."""
    if have[2 + need[COLOUR]] < need[ESSENCE]:
        return 0
    spare = -need[ESSENCE]
    for k in range(COLOURS):
        spare += have[2 + k]
    short = max(0, need[STAMINA] - have[0]) + max(0, need[MANA] - have[1])
    if short > spare:
        return 0
    rest = max(0, have[0] - need[STAMINA]) + max(0, have[1] - need[MANA]) + spare - short
    return 1 if rest >= need[ANY] else 0


@inner(int64(ENERGY_ARRAY))
def energy_total(need):
    """Returns the energy of a cost, all kinds added."""
    return need[STAMINA] + need[MANA] + need[ESSENCE] + need[ANY]


@inner(int64(M, P, int64, ENERGY_ARRAY))
def can_pay_energy(m, p, hero, need):
    """Returns 1 if all ready Skills together cover a cost."""
    if energy_total(need) == 0:
        return 1
    have = local_array(8)
    supply(m, p, hero, -1, have)
    return covers(have, need)


@inner(int64(M, P, int64))
def total_energy(m, p, hero):
    """Returns stamina + mana + essence of all ready Skills."""
    have = local_array(8)
    supply(m, p, hero, -1, have)
    total = 0
    for k in range(8):
        total += have[k]
    return total


@inner(int64(M, P, int64, int64, ENERGY_ARRAY))
def is_minimal(m, p, hero, mask, need):
    """Returns 1 if a set covers the cost and no card of it could be left out (R7.5.3)."""
    have = local_array(8)
    supply(m, p, hero, mask, have)
    if covers(have, need) == 0:
        return 0
    for i in range(int(m.table_n[hero])):
        if mask & (1 << i) != 0:
            supply(m, p, hero, mask & ~(1 << i), have)
            if covers(have, need) != 0:
                return 0
    return 1


@inner(int64(M, P, int64, int64))
def twin_before(m, p, hero, mask):
    """Returns 1 if a set takes a card and leaves an equal ready card of lower index: such sets are not offered twice."""
    for i in range(int(m.table_n[hero])):
        if mask & (1 << i) == 0:
            continue
        card = table_card(m, hero, i)
        for k in range(i):
            other = table_card(m, hero, k)
            if mask & (1 << k) == 0 and m.ident[other] == m.ident[card] and has_flag(m, other, Flag.EXHAUSTED) == 0:
                return 1
    return 0


@inner(int64(M, P, int64, int64))
def set_rank(m, p, hero, mask):
    """Orders payment sets: fewest cards first, then least energy (ARENA A5.2, DEC_PAY_ENERGY)."""
    have = local_array(8)
    supply(m, p, hero, mask, have)
    count = 0
    total = 0
    for i in range(int(m.table_n[hero])):
        if mask & (1 << i) != 0:
            count += 1
    for k in range(8):
        total += have[k]
    return count * 1000 + total


@inner(int64(M, P, int64, ENERGY_ARRAY, SETS_ARRAY))
def energy_sets(m, p, hero, need, out):
    """Lists the minimal sets that pay an energy cost, canonical first, as masks over table indices.

    Args:
        need: the cost (see NEED).
        out: int64 array of SETS entries.

    Returns:
        The number of sets written. Sets beyond SETS or over more than WIDEST ready Skills are left out.
    """
    ready = local_array(WIDEST)
    ranks = local_array(RANKS)
    width = 0
    for i in range(int(m.table_n[hero])):
        card = table_card(m, hero, i)
        if width < WIDEST and has_flag(m, card, Flag.EXHAUSTED) == 0 and is_energy(m, p, card) != 0:
            ready[width] = i
            width += 1
    n = 0
    for chosen in range(1, 1 << width):
        mask = 0
        for k in range(width):
            if chosen & (1 << k) != 0:
                mask = mask | (1 << ready[k])
        if is_minimal(m, p, hero, mask, need) == 0 or twin_before(m, p, hero, mask) != 0:
            continue
        rank = set_rank(m, p, hero, mask)
        if n == SETS and ranks[n - 1] <= rank:
            continue
        k = n if n < SETS else SETS - 1
        while k > 0 and ranks[k - 1] > rank:
            ranks[k] = ranks[k - 1]
            out[k] = out[k - 1]
            k -= 1
        ranks[k] = rank
        out[k] = mask
        n = min(n + 1, SETS)
    return n
