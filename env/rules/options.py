"""Which codes of the action space answer the pending question (docs/actions.md).

Candidates are enumerated and judged by `legality`; a question's first option is its canonical answer (A5.3).
"""

from __future__ import annotations

import numpy as np
from numba import int64, types

from ..vocabulary import RangeType, Suit
from .activation import is_change, is_recoverable
from .board import is_access, is_empty, neighbour
from .codes import Act, Decision, Fault, Kind, Life, Trait, Zone
from .compiler import inner
from .costs import SETS, energy_sets
from .damage import can_pay_with
from .layout import COPIES, SIDE, M, P
from .legality import why_not, why_not_place
from .zones import hand_card, table_card

OUT = types.Array(int64, 1, "C")


@inner(int64(OUT, int64, int64))
def add(out, n, code):
    """Appends a code and returns the new count."""
    out[n] = code
    return n + 1


@inner(int64(int64, int64))
def card_code(hero, card):
    """Returns the code of a hero's own card copy: its row is its copy number."""
    return Act.CARD + card - hero * COPIES


@inner(int64(int64, int64))
def coded_card(hero, code):
    """Returns the hero's own card copy that a code names."""
    return hero * COPIES + code - Act.CARD


@inner(int64(M, P, int64, int64))
def has_hand_action(m, p, hero, kind):
    """Returns 1 if some hand card makes a turn action legal."""
    for i in range(int(m.hand_n[hero])):
        if why_not(m, p, hero, kind, hand_card(m, hero, i), -1) == 0:
            return 1
    return 0


@inner(int64(M, P, int64, int64))
def has_table_action(m, p, hero, kind):
    """Returns 1 if some table card makes a turn action legal."""
    for i in range(int(m.table_n[hero])):
        if why_not(m, p, hero, kind, table_card(m, hero, i), -1) == 0:
            return 1
    return 0


@inner(int64(M, P, OUT))
def turn_options(m, p, out):
    """Lists the kinds of turn action that some complete declaration would make legal."""
    char = int(m.asked)
    n = 0
    for kind in (Kind.END_TURN, Kind.MOVE, Kind.NORMAL_ATTACK, Kind.REST):
        if why_not(m, p, char, kind, -1, -1) == 0:
            n = add(out, n, Act.KIND + kind)
    if char < m.heroes:
        if has_table_action(m, p, char, Kind.USE_TABLE) != 0:
            n = add(out, n, Act.KIND + Kind.USE_TABLE)
        if has_hand_action(m, p, char, Kind.USE_HAND) != 0:
            n = add(out, n, Act.KIND + Kind.USE_HAND)
        if has_hand_action(m, p, char, Kind.PLACE) != 0:
            n = add(out, n, Act.KIND + Kind.PLACE)
        if has_table_action(m, p, char, Kind.WITHDRAW) != 0:
            n = add(out, n, Act.KIND + Kind.WITHDRAW)
    return n


@inner(int64(M, P, OUT))
def card_options(m, p, out):
    """Lists the cards that complete the drafted kind of action."""
    hero = int(m.asked)
    kind = int(m.d_kind)
    n = 0
    if kind == Kind.USE_HAND or kind == Kind.PLACE:
        for i in range(int(m.hand_n[hero])):
            card = hand_card(m, hero, i)
            if why_not(m, p, hero, kind, card, -1) == 0:
                n = add(out, n, card_code(hero, card))
    else:
        for i in range(int(m.table_n[hero])):
            card = table_card(m, hero, i)
            if why_not(m, p, hero, kind, card, -1) == 0:
                n = add(out, n, card_code(hero, card))
    return n


@inner(int64(M, P, OUT))
def target_options(m, p, out):
    """Lists the characters that the drafted action may select."""
    n = 0
    for other in range(int(m.chars)):
        if m.life[other] == Life.ALIVE and other != m.asked:
            if why_not(m, p, int(m.asked), int(m.d_kind), int(m.d_card), other) == 0:
                n = add(out, n, Act.CHAR + other)
    return n


@inner(int64(M, P, OUT))
def step_options(m, p, out):
    """Lists the tiles a character may step to."""
    char = int(m.asked)
    n = 0
    for direction in range(4):
        tile = neighbour(m, int(m.tile[char]), direction)
        if tile >= 0 and why_not(m, p, char, Kind.MOVE, -1, tile) == 0:
            n = add(out, n, Act.TILE + tile)
    return n


@inner(int64(M, OUT))
def access_options(m, out):
    """Lists empty access tiles, nearest to the centre of the row first, then left, then right (A3.4)."""
    team = int(m.team[m.asked])
    row = 0 if team == 0 else int(m.height) - 1
    n = 0
    for away in range(2 * m.width):
        for x in range(int(m.width)):
            # twice the distance from the centre, so that even widths stay in integers
            if abs(2 * x - (m.width - 1)) != away:
                continue
            tile = row * SIDE + x
            if is_access(m, team, tile) != 0 and is_empty(m, tile) != 0:
                n = add(out, n, Act.TILE + tile)
    return n


@inner(int64(M, P, int64, OUT))
def sets_of_draft(m, p, hero, out):
    """Lists the energy payments of the drafted card as masks; returns their number."""
    ident = p.card[m.ident[m.d_card]]
    return energy_sets(m, p, hero, int(ident.stamina), int(ident.mana), int(ident.essence), int(ident.colour), out)


@inner(int64(M, P, OUT))
def payment_options(m, p, out):
    """Numbers the payment sets of the drafted card."""
    masks = np.empty(SETS, np.int64)
    count = sets_of_draft(m, p, int(m.asked), masks)
    for k in range(count):
        out[k] = Act.NUMBER + k
    return count


@inner(int64(M, P, OUT))
def table_pick_options(m, p, out):
    """Lists table cards that come back as change or by a recovery; PASS ends the choice."""
    hero = int(m.asked)
    n = add(out, 0, 0 + Act.PASS)
    for i in range(int(m.table_n[hero])):
        fits = is_change(m, p, i) if m.pending == Decision.CHANGE else is_recoverable(m, p, i)
        if fits != 0:
            n = add(out, n, card_code(hero, table_card(m, hero, i)))
    return n


@inner(int64(M, P, OUT))
def crowd_options(m, p, out):
    """Lists the cards of a table area that fill a slot of it (R3.7.4); ask_a is the area plus one."""
    hero = int(m.asked)
    n = 0
    for i in range(int(m.table_n[hero])):
        card = table_card(m, hero, i)
        if m.zone[card] == Zone.EQUIPMENT + m.ask_a - 1 and p.card[m.ident[card]].traits & Trait.ULTIMATUM == 0:
            n = add(out, n, card_code(hero, card))
    return n


@inner(int64(M, P, OUT))
def hand_pick_options(m, p, out):
    """Lists hand cards for a muster, a card payment or a discard down to capacity."""
    hero = int(m.asked)
    n = 0
    if m.pending == Decision.OVERFLOW and m.ask_a < 4:
        return crowd_options(m, p, out)
    if m.pending == Decision.MUSTER:
        n = add(out, n, 0 + Act.PASS)
    for i in range(int(m.hand_n[hero])):
        card = hand_card(m, hero, i)
        fits = 1
        if m.pending == Decision.MUSTER:
            fits = 1 if why_not_place(m, p, hero, card, 0) == 0 else 0
        elif m.pending == Decision.PAY_CARDS:
            fits = can_pay_with(m, p, card, int(m.ask_b), int(m.ask_a), int(m.frame[m.sp - 1].reg[1]))
        if fits != 0:
            n = add(out, n, card_code(hero, card))
    return n


@inner(int64(M, P, OUT))
def options(m, p, out):
    """Writes all legal codes of the pending question to `out` and returns their number.

    Args:
        out: int64 array of at least OPTIONS entries.
    """
    pending = int(m.pending)
    if pending == Decision.TURN:
        return turn_options(m, p, out)
    if pending == Decision.CARD:
        return card_options(m, p, out)
    if pending == Decision.TARGET:
        return target_options(m, p, out)
    if pending == Decision.TILE:
        return step_options(m, p, out)
    if pending == Decision.PAY_ENERGY:
        return payment_options(m, p, out)
    if pending == Decision.CHANGE or pending == Decision.RECOVER:
        return table_pick_options(m, p, out)
    if pending == Decision.MUSTER or pending == Decision.PAY_CARDS or pending == Decision.OVERFLOW:
        return hand_pick_options(m, p, out)
    if pending == Decision.PLACE_HERO:
        return access_options(m, out)
    if pending == Decision.MULLIGAN or pending == Decision.SALVATION:
        out[0] = 0 + (Act.NO if pending == Decision.MULLIGAN else Act.YES)
        out[1] = 0 + (Act.YES if pending == Decision.MULLIGAN else Act.NO)
        return 2
    m.fault = Fault.NO_OPTION
    return 0


@inner(int64(M, P))
def draft_needs_target(m, p):
    """Returns 1 if the drafted card still lacks a selected target."""
    if m.d_target >= 0:
        return 0
    return 1 if p.card[m.ident[m.d_card]].range_type != RangeType.Area else 0


@inner(int64(M, P))
def draft_needs_energy(m, p):
    """Returns 1 if the drafted card still lacks its energy payment."""
    ident = p.card[m.ident[m.d_card]]
    if m.d_pay_n > 0 or ident.suit != Suit.Skill:
        return 0
    return 1 if ident.stamina + ident.mana + ident.essence > 0 else 0
