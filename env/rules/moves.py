"""What happens to cards, with everybody told: moves, exhausting, counters (R5, R6.4.1 to R6.4.10, R18)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Suit
from .codes import Fault, Flag, Log, Zone
from .compiler import inner
from .layout import COPIES, COUNTERS, DECK_SLOT, HEROES, M, P
from .opcodes import Ev
from .registers import W_AMOUNT, W_COST, W_FROM
from .standing import end_modifiers_of, end_with_counters
from .values import value
from .windows import movement_window, push_program
from .zones import bury_card, has_flag, hero_of, is_table, log, move_card, set_exhausted

BOTTOM = 100  # added to Zone.DECK: the bottom of the deck
SHEET_LIMIT = 5  # counters of one name on a Sheet card (R18.3)
RESOURCE_LIMIT = 25


@inner(void(M, P, int64, int64, int64, int64, int64))
def tell_move(m, p, event, card, by_cost, cause, origin):
    """Opens the window of a movement and notes whether it was a cost or task, and where from (R5.24, R7.6.3)."""
    at = movement_window(m, p, event, card, cause)
    if at >= 0:
        m.frame[at].reg[W_COST] = by_cost
        m.frame[at].reg[W_FROM] = origin


@inner(void(M, P, int64, int64, int64, int64))
def tell(m, p, event, card, by_cost, cause):
    """Opens the window of something that happens to a card where it is."""
    tell_move(m, p, event, card, by_cost, cause, int(m.zone[card]))


@inner(void(M, int64))
def drop_counters(m, card):
    """Removes all counters of a card (R18.3)."""
    kept = 0
    for k in range(int(m.counters)):
        if m.counter_card[k] == card:
            m.dirty = 1
            end_with_counters(m, card, int(m.counter_name[k]))
            continue
        m.counter_card[kept] = m.counter_card[k]
        m.counter_name[kept] = m.counter_name[k]
        m.counter_n[kept] = m.counter_n[k]
        kept += 1
    m.counters = kept


@inner(void(M, P, int64))
def drop_attachments(m, p, host):
    """Discards the cards attached to a host that goes to a pile (R18.4)."""
    for card in range(int(m.heroes) * COPIES):
        if m.ident[card] >= 0 and m.zone[card] == Zone.ATTACHED and m.host[card] == host:
            move_card(m, p, card, Zone.DISCARD)


@inner(int64(M, P, int64))
def is_replaced(m, p, card):
    """Runs what a card does instead of being discarded, as a cost too (R7.6.1, text CONTAVEL); 0 if it is discarded."""
    ident = p.card[m.ident[card]]
    hero = hero_of(card)
    for effect in range(int(ident.effect_first), int(ident.effect_first) + int(ident.effect_n)):
        e = p.effect[effect]
        if int(e.hears) & (1 << Ev.DISCARD_BEFORE) == 0:
            continue
        if e.condition >= 0 and value(m, p, e.condition, -1, -1, card, hero, hero, card) == 0:
            continue
        push_program(m, p, hero, card, effect, -1)
        return 1
    return 0


@inner(void(M, P, int64, int64, int64, int64))
def relocate(m, p, card, zone, by_cost, cause):
    """Moves a copy and tells everybody who listens.

    Args:
        zone: codes.Zone, or BOTTOM + Zone.DECK.
        by_cost: 1 for costs and tasks. cause: copy whose effect moves it, -1 none.
    """
    before = int(m.zone[card])
    if before == zone:
        return
    if zone == Zone.DISCARD and int(p.card[m.ident[card]].hears) & (1 << Ev.DISCARD_BEFORE) != 0:
        if is_replaced(m, p, card) != 0:
            return
    sheet = p.card[m.ident[card]].suit <= Suit.Entity
    if sheet and zone != Zone.BANISHED and zone != Zone.LIMBO and zone != Zone.SHEET:
        # Sheet cards stand only in sheet, piles, hands and attachments; anything else discards them (R2.1.11)
        zone = 0 + Zone.DISCARD
    if zone == BOTTOM + Zone.DECK:
        bury_card(m, p, card)
    else:
        move_card(m, p, card, zone)
    if zone >= BOTTOM or zone == Zone.DECK or zone == Zone.DISCARD:
        drop_counters(m, card)
        drop_attachments(m, p, card)
    left = is_table(before) != 0 or before == Zone.SCENARIO
    if left:
        end_modifiers_of(m, card)
        if is_table(zone) == 0:
            tell_move(m, p, Ev.EXIT, card, by_cost, cause, before)
    if zone == Zone.DISCARD:
        tell_move(m, p, Ev.DISCARD, card, by_cost, cause, before)
    elif zone >= BOTTOM:
        tell_move(m, p, Ev.BURY, card, by_cost, cause, before)
    elif zone == Zone.BANISHED:
        tell_move(m, p, Ev.BANISH, card, by_cost, cause, before)
    elif (is_table(zone) != 0 and not left) or zone == Zone.SCENARIO:
        tell_move(m, p, Ev.PLAY, card, by_cost, cause, before)
    if zone == Zone.HAND and (before == Zone.DECK or before == Zone.DISCARD or before == Zone.BANISHED):
        tell_move(m, p, Ev.OBTAIN, card, by_cost, cause, before)


@inner(void(M, P, int64, int64))
def exhaust_card(m, p, card, by_cost):
    """Turns a ready copy sideways (R5.1)."""
    if has_flag(m, card, Flag.EXHAUSTED) != 0:
        return
    set_exhausted(m, p, card, 1)
    tell(m, p, Ev.EXHAUST, card, by_cost, -1)


@inner(void(M, P, int64, int64))
def recover_card(m, p, card, by_cost):
    """Turns an exhausted copy upright (R5.2)."""
    if has_flag(m, card, Flag.EXHAUSTED) == 0:
        return
    set_exhausted(m, p, card, 0)
    tell(m, p, Ev.RECOVER, card, by_cost, -1)


@inner(int64(M, int64, int64, int64))
def change_counters(m, card, name, amount):
    """Changes the counters of a name on a copy by an amount, never below 0; returns how many were added or removed."""
    limit = SHEET_LIMIT if card % COPIES < DECK_SLOT and card < HEROES * COPIES else RESOURCE_LIMIT
    for k in range(int(m.counters)):
        if m.counter_card[k] == card and m.counter_name[k] == name:
            before = int(m.counter_n[k])
            after = max(0, min(limit, before + amount))
            m.counter_n[k] = after
            if after == 0:
                m.counters -= 1
                m.counter_card[k] = m.counter_card[m.counters]
                m.counter_name[k] = m.counter_name[m.counters]
                m.counter_n[k] = m.counter_n[m.counters]
            m.dirty = 1
            if after == 0:
                end_with_counters(m, card, name)
            return abs(after - before)
    if amount <= 0:
        return 0
    if m.counters >= COUNTERS:
        m.fault = Fault.ZONE_FULL
        return 0
    m.counter_card[m.counters] = card
    m.counter_name[m.counters] = name
    m.counter_n[m.counters] = min(limit, amount)
    m.counters += 1
    m.dirty = 1
    return min(limit, amount)


@inner(int64(M, P, int64, int64, int64))
def add_counters(m, p, card, name, amount):
    """Adds or removes counters and tells of a removal (R9.2.4, R18.3). Returns how many."""
    moved = change_counters(m, card, name, amount)
    log(m, p, Log.COUNTER, card, name, amount, moved)
    if moved > 0 and m.zone[card] == Zone.HAND:
        m.flags[card] = int(m.flags[card]) | Flag.REVEALED
    if moved > 0 and amount < 0:
        at = movement_window(m, p, Ev.COUNTER_REMOVED, card, card)
        if at >= 0:
            m.frame[at].reg[W_AMOUNT] = moved
    return moved
