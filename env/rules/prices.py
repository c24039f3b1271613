"""What an activation costs, and why its price cannot be paid: AP, energy, cards, counters (ARENA A6; R7.4 to R7.6).

`effect` is an index into the pool's effects, -1 the bare activation bar; `ev` the window frame that an activation answers, -1
in the own turn; `pc` the position of a cost entry. Entries that take cards away must be payable together: a card pays one of
them, and what is exhausted for energy pays no entry that exhausts.
"""

from __future__ import annotations

from numba import int64, types, void

from ..vocabulary import Activation, Attribute, Suit
from .codes import BOTTOM, Flag, Life, Reason, Zone
from .compiler import inner, local_array
from .costs import (
    ANY,
    COLOUR,
    ENERGY_ARRAY,
    ESSENCE,
    MANA,
    NEED,
    SETS,
    SETS_ARRAY,
    STAMINA,
    can_pay_energy,
    energy_sets,
    energy_total,
)
from .layout import COPIES, DECK_SLOT, HEROES, M, P
from .opcodes import COST_WIDTH, Cost, Q
from .readings import counters_on
from .standing import char_of, counts_as, destination, modify
from .values import value
from .zones import hand_card, has_flag, is_listed_table, is_table, table_card

ENERGY_COSTS = (1 << Q.COST_STAMINA) | (1 << Q.COST_MANA) | (1 << Q.COST_ESSENCE)
FREE_OF_AP = -2  # `d_event` of an activation inside an effect that costs no AP
# entries whose cards are gone once they are paid
TAKING = (
    (1 << Cost.DISCARD) | (1 << Cost.BURY) | (1 << Cost.BANISH) | (1 << Cost.RETURN) | (1 << Cost.ATTACHED)
    | (1 << Cost.TABLE_DISCARD) | (1 << Cost.TABLE_BURY)
)  # fmt: skip
ENTRIES = 4  # entries of one price that are looked at together
ENTRIES_ARRAY = types.Array(int64, 1, "C")


@inner(int64(int64, int64, int64))
def pack(reason, needed, had):
    """Packs a reason with the value needed and the value had (each 0 .. 32,767)."""
    return reason | ((needed & 0x7FFF) << 16) | ((had & 0x7FFF) << 32)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def amount_of(m, p, pc, char, card, ev, x):
    """Returns the amount of a cost entry; an amount of X reads as the chosen X, or 1 before it is chosen."""
    if pc < 0:
        return 1
    if pc == 0:
        return max(1, x)
    return value(m, p, pc, -1, ev, card, char, -1, -1)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def ap_cost(m, p, char, card, effect, ev, x):
    """Returns the AP of an activation: the card's `Action` and the effect's AP costs, modified (R7.4.1, R7.6.8)."""
    ident = p.card[m.ident[card]]
    cost = int(ident.action)
    if effect >= 0 and (p.effect[effect].activation != Activation.Activate or p.effect[effect].technique >= 0):
        cost = 0
    if effect >= 0 and p.effect[effect].costs >= 0:
        pc = int(p.effect[effect].costs)
        while p.code[pc] != Cost.END:
            if p.code[pc] == Cost.AP:
                cost += amount_of(m, p, int(p.code[pc + 1]), char, card, ev, x)
            pc += COST_WIDTH
    if m.d_event == FREE_OF_AP and m.d_card == card:
        return 0
    return max(0, modify(m, p, Q.COST_AP, -1, cost, char, card, -1, -1, -1))


@inner(void(M, P, int64, int64, int64, int64, int64, ENERGY_ARRAY))
def energy_need(m, p, char, card, effect, ev, x, need):
    """Writes the energy an activation costs: the Skill's own print and the effect's energy costs (R2.6.3, R7.5)."""
    ident = p.card[m.ident[card]]
    for k in range(NEED):
        need[k] = 0
    need[COLOUR] = ident.colour
    own = ident.suit == Suit.Skill and (effect < 0 or p.effect[effect].activation == Activation.Activate)
    if own:
        need[STAMINA] = ident.stamina
        need[MANA] = ident.mana
        need[ESSENCE] = ident.essence
    if effect >= 0 and p.effect[effect].costs >= 0:
        pc = int(p.effect[effect].costs)
        while p.code[pc] != Cost.END:
            if p.code[pc] == Cost.ENERGY:
                amount = amount_of(m, p, int(p.code[pc + 1]), char, card, ev, x)
                kinds = int(p.code[pc + 3])
                if kinds == 1:
                    need[STAMINA] += amount
                elif kinds == 2:
                    need[MANA] += amount
                elif kinds == 4:
                    need[ESSENCE] += amount
                elif kinds > 7:
                    need[ESSENCE] += amount
                    need[COLOUR] = kinds // 8 - 1
                else:
                    need[ANY] += amount
            pc += COST_WIDTH
    if m.modified & ENERGY_COSTS == 0:
        return
    need[STAMINA] = max(0, modify(m, p, Q.COST_STAMINA, -1, need[STAMINA], char, card, -1, -1, -1))
    need[MANA] = max(0, modify(m, p, Q.COST_MANA, -1, need[MANA], char, card, -1, -1, -1))
    need[ESSENCE] = max(0, modify(m, p, Q.COST_ESSENCE, -1, need[ESSENCE], char, card, -1, -1, -1))


@inner(int64(M, int64, int64, int64))
def why_not_ap(m, char, cost, ev):
    """Returns 0 if a character can pay AP: from its points in its own turn, else also by debt (R7.4.2 to R7.4.6)."""
    if cost == 0:
        return 0
    if ev < 0 or m.turn_char == char:
        return 0 if m.ap[char] >= cost else pack(Reason.AP, cost, int(m.ap[char]))
    if m.acted[char] <= 0:
        return 0 if m.ap[char] > 0 else pack(Reason.DEBT, 1, 0)
    if m.debt[char] < m.attr[char, Attribute.AGI]:
        return 0
    return pack(Reason.DEBT, int(m.attr[char, Attribute.AGI]), int(m.debt[char]))


@inner(int64(M, P, int64, int64))
def card_value(m, p, hero, card):
    """Returns the PRICE, XP, WILL or FATE that a card is worth to a hero (R2.1.8)."""
    ident = p.card[m.ident[card]]
    return max(0, modify(m, p, Q.VALUE, int(ident.suit), int(ident.value), hero, card, -1, -1, -1))


@inner(int64(M, int64))
def is_ready(m, card):
    """Returns 1 if a table copy can be exhausted (R5.1)."""
    return 1 if is_table(int(m.zone[card])) != 0 and has_flag(m, card, Flag.EXHAUSTED | Flag.FACE_DOWN) == 0 else 0


@inner(int64(M, P, int64, int64, int64, int64, int64))
def breaks_condition(m, p, char, card, effect, ev, other):
    """Returns 1 if giving a copy away as a cost would make the condition of an effect false (R6.8.6).

    What a condition says of the place of the activated card itself is judged where it was declared, like its scope.
    """
    if other == card or effect < 0 or p.effect[effect].condition < 0:
        return 0
    zone = int(m.zone[other])
    m.zone[other] = Zone.DISCARD
    holds = value(m, p, p.effect[effect].condition, -1, ev, card, char, char, card)
    m.zone[other] = zone
    return 1 if holds == 0 else 0


@inner(int64(int64))
def place_of_cost(kind):
    """Returns where the cards of a cost entry go (codes.Zone, see `moves`), -1 where they stay."""
    if kind == Cost.BURY or kind == Cost.TABLE_BURY:
        return BOTTOM + Zone.DECK
    if kind == Cost.BANISH:
        return 0 + Zone.BANISHED
    if kind == Cost.RETURN:
        return 0 + Zone.HAND
    if kind == Cost.EXHAUST or kind == Cost.REVEAL or kind == Cost.COUNTER_OF:
        return -1
    return 0 + Zone.DISCARD


@inner(int64(M, P, int64, int64, int64, int64, int64))
def fits_cost(m, p, char, card, pc, ev, other):
    """Returns 1 if a copy may be given for a cost entry, whether or not the condition of the effect would still hold.

    "A card" is one of the hand or the table; the activated card itself is not given (R2.1.10, R7.7.2).
    """
    kind = int(p.code[pc])
    extra = int(p.code[pc + 3])
    test = int(p.code[pc + 2])
    ident = p.card[m.ident[other]]
    zone = int(m.zone[other])
    if char >= HEROES and kind != Cost.ATTACHED and kind != Cost.COUNTER_OF:
        # a Companion pays what is not demanded from elsewhere with its attachments (R19.7)
        free = kind == Cost.CURRENCY or (extra != 0 and Cost.DISCARD <= kind <= Cost.BANISH)
        fits = free and zone == Zone.ATTACHED and m.body[char] >= 0 and m.host[other] == m.body[char]
        fits = fits and (kind != Cost.CURRENCY or counts_as(m, p, other, extra) != 0)
    elif kind == Cost.EXHAUST:
        fits = is_ready(m, other) != 0
    elif kind == Cost.RETURN or kind == Cost.TABLE_DISCARD or kind == Cost.TABLE_BURY:
        fits = is_listed_table(zone) != 0
    elif kind == Cost.ATTACHED:
        fits = zone == Zone.ATTACHED and m.host[other] == card
    elif kind == Cost.COUNTER_OF:
        fits = is_table(zone) != 0 and counters_on(m, other, extra) > 0
    elif kind == Cost.CURRENCY:
        fits = zone == Zone.HAND and other != card and counts_as(m, p, other, extra) != 0
    else:
        fits = zone == Zone.HAND or (extra != 0 and is_listed_table(zone) != 0)
        fits = fits and other != card and ident.suit > Suit.Entity
    if not fits or (test >= 0 and value(m, p, test, -1, ev, card, char, char, other) == 0):
        return 0
    # what a running effect would send elsewhere pays nothing (R7.6.1)
    place = place_of_cost(kind)
    return 1 if place < 0 or destination(m, p, other, place) == place else 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def payable_worth(m, p, char, card, effect, pc, ev, looking, other):
    """Returns what a copy adds to a cost entry: 0 if it cannot be taken, else 1, or its worth for a currency."""
    kind = int(p.code[pc])
    if fits_cost(m, p, char, card, pc, ev, other) == 0:
        return 0
    if looking != 0 and breaks_condition(m, p, char, card, effect, ev, other) != 0:
        return 0
    return card_value(m, p, int(m.owner[char]), other) if kind == Cost.CURRENCY else 1


@inner(int64(M, P, int64, int64, int64, int64))
def counters_for(m, p, char, card, name, test):
    """Counts the counters of a name on table and sheet cards that pass a filter."""
    total = 0
    for k in range(int(m.counters)):
        other = int(m.counter_card[k])
        if m.counter_name[k] == name and is_table(int(m.zone[other])) != 0:
            if test < 0 or value(m, p, test, -1, -1, card, char, char, other) != 0:
                total += int(m.counter_n[k])
    return total


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def payable_cards(m, p, char, card, effect, pc, ev, looking, enough):
    """Counts the cards a cost entry could take, or for a currency their worth; `looking` regards the condition (R6.8.6).

    The count ends at `enough`.
    """
    kind = int(p.code[pc])
    hero = int(m.owner[char])
    total = 0
    if kind == Cost.ATTACHED or char >= HEROES:
        # a Companion has no hand and no table, only attachments (R19.7)
        for slot in range(COPIES):
            other = hero * COPIES + slot
            if m.ident[other] >= 0 and total < enough:
                total += payable_worth(m, p, char, card, effect, pc, ev, looking, other)
        return total
    on_table = kind == Cost.EXHAUST or kind == Cost.RETURN or kind == Cost.TABLE_DISCARD or kind == Cost.TABLE_BURY
    if not on_table:
        for i in range(int(m.hand_n[hero])):
            if total < enough:
                total += payable_worth(m, p, char, card, effect, pc, ev, looking, hand_card(m, hero, i))
        if kind == Cost.CURRENCY or p.code[pc + 3] == 0:
            return total
    for i in range(int(m.table_n[hero])):
        if total < enough:
            total += payable_worth(m, p, char, card, effect, pc, ev, looking, table_card(m, hero, i))
    if kind == Cost.EXHAUST:
        for slot in range(DECK_SLOT):
            other = hero * COPIES + slot
            if m.ident[other] >= 0 and total < enough:
                total += payable_worth(m, p, char, card, effect, pc, ev, looking, other)
    return total


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def why_not_costs(m, p, char, card, effect, pc, ev, x):
    """Returns 0 if every entry of a list of costs can be paid (A6 row 8; R7.6)."""
    if pc <= 0:
        return 0
    while p.code[pc] != Cost.END:
        kind = int(p.code[pc])
        amount = amount_of(m, p, int(p.code[pc + 1]), char, card, ev, x)
        had = amount
        if kind == Cost.HP:
            had = int(m.hp[char])
        elif kind == Cost.AP_PIECE:
            piece = char_of(m, card)
            if piece < 0 or m.life[piece] != Life.ALIVE:
                return pack(Reason.REQUIREMENT, amount, 0)
            why = why_not_ap(m, piece, amount, 0)
            if why != 0:
                return why
        elif kind == Cost.HP_PIECE:
            piece = char_of(m, card)
            had = int(m.hp[piece]) if piece >= 0 and m.life[piece] == Life.ALIVE else -1
        elif kind == Cost.COUNTER:
            had = counters_on(m, card, int(p.code[pc + 3]))
        elif kind == Cost.THIS_COUNTERS:
            had = counters_on(m, card, int(p.code[pc + 3]))
            amount = 1
        elif kind == Cost.COUNTER_OF:
            had = counters_for(m, p, char, card, int(p.code[pc + 3]), int(p.code[pc + 2]))
        elif kind == Cost.MARKER:
            had = 1 if int(m.markers[char]) & (1 << int(p.code[pc + 3])) != 0 else 0
        elif kind != Cost.AP and kind != Cost.ENERGY:
            had = payable_cards(m, p, char, card, effect, pc, ev, 0, amount)
        if had < amount:
            return pack(Reason.REQUIREMENT, amount, had)
        if TAKING & (1 << kind) != 0 and effect >= 0 and p.effect[effect].condition >= 0:
            had = payable_cards(m, p, char, card, effect, pc, ev, 1, amount)
            if had < amount:
                return pack(Reason.LOOKAHEAD, amount, had)
        pc += COST_WIDTH
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64, ENTRIES_ARRAY, ENTRIES_ARRAY))
def add_entries(m, p, char, card, ev, x, pc, left, n, entries, amounts):
    """Appends the entries of a list of costs that take cards away, and how many each takes; returns how many there are now.

    Args:
        pc: where the list begins. left: how many cards its first entry still takes, -1 all of them.
        n: entries noted so far.
    """
    if pc <= 0:
        return n
    while p.code[pc] != Cost.END:
        if TAKING & (1 << int(p.code[pc])) != 0 and n < ENTRIES:
            entries[n] = pc
            amounts[n] = left if left >= 0 else amount_of(m, p, int(p.code[pc + 1]), char, card, ev, x)
            n += 1
        left = -1
        pc += COST_WIDTH
    return n


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64, int64, int64))
def why_not_together(m, p, char, card, effect, ev, x, bar, pc, left, spent):
    """Returns 0 if the cost entries that take cards away can all be paid, each card paying for one of them (R7.1.3, R6.8.6).

    That is so if for every choice of entries enough cards fit any of them (P. Hall, On representatives of subsets, 1935).

    Args:
        bar: 1 if `pc` is in the costs of the card's bar, which the costs of the effect follow.
        pc: the first entry to be paid. left: how many cards it still takes, -1 all of them.
        spent: a copy that has been given, -1 none.
    """
    entries = local_array(ENTRIES)
    amounts = local_array(ENTRIES)
    n = add_entries(m, p, char, card, ev, x, pc, left, 0, entries, amounts)
    if bar != 0 and effect >= 0:
        n = add_entries(m, p, char, card, ev, x, int(p.effect[effect].costs), -1, n, entries, amounts)
    if n < 2 and spent < 0:
        # one entry is judged by `why_not_costs`
        return 0
    first = int(m.owner[char]) * COPIES
    for some in range(1, 1 << n):
        due = 0
        for k in range(n):
            due += amounts[k] if some & (1 << k) != 0 else 0
        had = 0
        for other in range(first, first + COPIES):
            if m.ident[other] < 0 or other == spent:
                continue
            fits = 0
            for k in range(n):
                if fits == 0 and some & (1 << k) != 0:
                    fits = fits_cost(m, p, char, card, int(entries[k]), ev, other)
            had += fits
        if had < due:
            return pack(Reason.LOOKAHEAD, due, had)
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def leaves_exhaust(m, p, char, card, effect, ev, x, mask):
    """Returns 1 if the entries of an effect that exhaust cards can be paid without the table cards of a mask (R7.5.3)."""
    pc = int(p.effect[effect].costs)
    while pc > 0 and p.code[pc] != Cost.END:
        if p.code[pc] == Cost.EXHAUST:
            due = amount_of(m, p, int(p.code[pc + 1]), char, card, ev, x)
            hero = int(m.owner[char])
            for i in range(int(m.table_n[hero])):
                if mask & (1 << i) == 0:
                    due -= fits_cost(m, p, char, card, pc, ev, table_card(m, hero, i))
            for slot in range(DECK_SLOT):
                if m.ident[hero * COPIES + slot] >= 0:
                    due -= fits_cost(m, p, char, card, pc, ev, hero * COPIES + slot)
            if due > 0:
                return 0
        pc += COST_WIDTH
    return 1


@inner(int64(P, int64))
def exhausts(p, effect):
    """Returns 1 if an effect has a cost entry that exhausts cards."""
    pc = int(p.effect[effect].costs) if effect >= 0 else 0
    while pc > 0 and p.code[pc] != Cost.END:
        if p.code[pc] == Cost.EXHAUST:
            return 1
        pc += COST_WIDTH
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64, ENERGY_ARRAY, SETS_ARRAY))
def payment_sets(m, p, char, card, effect, ev, x, need, out):
    """Lists the sets of Skills that pay an activation's energy and leave its other costs payable; see `costs.energy_sets`."""
    n = energy_sets(m, p, int(m.owner[char]), need, out)
    if exhausts(p, effect) == 0:
        return n
    kept = 0
    for k in range(n):
        if leaves_exhaust(m, p, char, card, effect, ev, x, int(out[k])) != 0:
            out[kept] = out[k]
            kept += 1
    return kept


@inner(int64(M, P, int64, int64, int64, int64, int64, ENERGY_ARRAY))
def why_not_energy(m, p, char, card, effect, ev, x, need):
    """Returns 0 if a character can pay an activation's energy (R7.5); a Companion has none (R3.5.3, R7.5.9)."""
    due = energy_total(need)
    if due == 0:
        return 0
    if char >= HEROES or can_pay_energy(m, p, int(m.owner[char]), need) == 0:
        return pack(Reason.ENERGY, due, 0)
    if exhausts(p, effect) != 0:
        masks = local_array(SETS)
        if payment_sets(m, p, char, card, effect, ev, x, need, masks) == 0:
            return pack(Reason.ENERGY, due, 0)
    return 0
