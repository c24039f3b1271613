"""What happens to cards and pieces, with everybody told: moves, exhausting, counters, steps (R5, R6.4.1 to R6.4.10, R18)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import CompanionType, Suit
from .codes import BOTTOM, Change, CharKind, Fault, Flag, Frame, Life, Log, Trait, Zone
from .compiler import inner
from .derive import ENTITY_SLOT, exceeds_level, level_hp
from .lasting import drop_counters, end_modifiers_of, end_with_counters
from .layout import COPIES, COUNTERS, DECK_SLOT, HEROES, STACK, M, P
from .opcodes import OWN_MOVES, PHASE_EVENTS, Ev
from .pieces import leave_piece
from .registers import R_EV, W_AMOUNT, W_COST, W_FROM, W_PARENT, W_TAKEN
from .stack import first_held, hold_windows, pop, push
from .standing import char_of, destination
from .windows import A_TAKEN_FLAG, LEAVES, close_windows, movement_window, window
from .zones import (
    bury_card,
    draw_card,
    hand_card,
    has_flag,
    hero_of,
    is_hidden,
    is_listed_table,
    is_table,
    log,
    move_card,
    set_exhausted,
    table_card,
)

SHEET_LIMIT = 5  # counters of one name on a Sheet card (R18.3)
RESOURCE_LIMIT = 25
STOPPED = 1  # register of a frame of a card about to be discarded


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


@inner(void(M, P, int64, int64, int64))
def show_card(m, p, card, by_cost, cause):
    """Reveals a copy that is hidden in a hand or lies face down (R5.9, R6.4.4)."""
    hidden = is_hidden(m, card)
    m.flags[card] = int(m.flags[card]) | Flag.REVEALED
    m.dirty = int(m.dirty) | Change.CARDS
    if hidden != 0:
        tell(m, p, Ev.REVEAL, card, by_cost, cause)


@inner(int64(M, int64))
def has_counters(m, card):
    """Returns 1 if a card holds counters: it stays revealed in a hand (R18.3)."""
    for k in range(int(m.counters)):
        if m.counter_card[k] == card:
            return 1
    return 0


@inner(void(M, P, int64))
def drop_attachments(m, p, host):
    """Discards the cards attached to a host that goes to a pile, and tells of it (R18.4, R6.4.8)."""
    for card in range(int(m.heroes) * COPIES):
        if m.ident[card] >= 0 and m.zone[card] == Zone.ATTACHED and m.host[card] == host:
            move_card(m, p, card, Zone.DISCARD)
            end_modifiers_of(m, p, card)
            tell_move(m, p, Ev.DISCARD, card, 0, -1, 0 + Zone.ATTACHED)


@inner(void(M, P, int64))
def return_attachments(m, p, host):
    """Returns the cards attached to a card that is attached itself to their owners' hands (R18.4)."""
    for card in range(int(m.heroes) * COPIES):
        if m.ident[card] >= 0 and m.zone[card] == Zone.ATTACHED and m.host[card] == host:
            move_card(m, p, card, Zone.HAND)


@inner(int64(M, int64))
def is_spent(m, at):
    """Returns 1 for a window that has had its one reaction (R8.1)."""
    f = m.frame[at]
    if f.kind != Frame.WINDOW or m.multi_response != 0 or PHASE_EVENTS & (1 << int(f.event)) != 0:
        return 0
    return 1 if f.reg[W_TAKEN] != 0 else 0


@inner(void(M, int64, int64))
def defer_windows(m, card, top):
    """Puts the windows above `top` under the activation of their own card: they wait until it has resolved (R6.4.35)."""
    opened = int(m.sp) - top
    if opened <= 0:
        return
    base = top - 1
    while base >= 0 and m.frame[base].card == card and m.frame[base].kind != Frame.ACTIVATION:
        if m.frame[base].kind != Frame.PROGRAM and m.frame[base].kind != Frame.ATTACK:
            return
        base -= 1
    if base < 0 or m.frame[base].card != card or m.sp >= STACK:
        return
    base = first_held(m, base)
    if base > 0 and is_spent(m, base - 1) != 0:
        # what waits is no reaction to a reaction: it is not counted as one (R8.2)
        base -= 1
    for _ in range(opened):
        spare = int(m.sp)
        m.frame[spare] = m.frame[spare - 1]
        for at in range(spare - 1, base, -1):
            m.frame[at] = m.frame[at - 1]
        m.frame[base] = m.frame[spare]
    for at in range(base + opened, int(m.sp)):
        f = m.frame[at]
        if f.kind != Frame.ATTACK and f.kind != Frame.WINDOW and f.reg[R_EV] > base:
            f.reg[R_EV] += opened


@inner(void(M, P, int64))
def clear_weather(m, p, card):
    """Sends the weather that a new one ends to the bottom of its deck (R23.5)."""
    if int(p.card[m.ident[card]].traits) & Trait.WEATHER == 0:
        return
    for i in range(int(m.scenario_n) - 1, -1, -1):
        old = int(m.scenario[i])
        if old != card and int(p.card[m.ident[old]].traits) & Trait.WEATHER != 0:
            bury_card(m, p, old)
            drop_counters(m, old)
            drop_attachments(m, p, old)
            end_modifiers_of(m, p, old)
            tell_move(m, p, Ev.EXIT, old, 0, card, 0 + Zone.SCENARIO)
            tell_move(m, p, Ev.BURY, old, 0, card, 0 + Zone.SCENARIO)


@inner(int64(int64))
def is_outside(zone):
    """Returns 1 for the zones from which a card that comes to a hand, a table or an attachment is obtained (R6.4.3)."""
    if zone == Zone.DECK or zone == Zone.DISCARD or zone == Zone.BANISHED:
        return 1
    return 1 if zone == Zone.SCENARIO else 0


@inner(void(M, P, int64, int64, int64, int64))
def tell_obtained(m, p, card, by_cost, cause, origin):
    """Tells a copy that it was obtained, which nobody else hears (R6.4.3)."""
    if int(p.card[m.ident[card]].hears) & (1 << Ev.OBTAIN) != 0:
        tell_move(m, p, Ev.OBTAIN, card, by_cost, cause, origin)


@inner(int64(M, P, int64))
def lies_face_down(m, p, card):
    """Returns 1 for a Summon that has come to the Support: it lies face down until it is summoned (R19.2)."""
    if m.zone[card] != Zone.SUPPORT or has_flag(m, card, Flag.SUMMONED) != 0:
        return 0
    return 1 if p.card[m.ident[card]].companion_type == CompanionType.Summon and char_of(m, card) < 0 else 0


@inner(void(M, P, int64, int64, int64, int64, int64))
def tell_shown(m, p, card, was_hidden, by_cost, cause, origin):
    """Tells of a copy that a movement has shown or hidden; attachments and limbo know neither (R6.4.4, R6.4.5, R18.7)."""
    zone = int(m.zone[card])
    if origin == Zone.ATTACHED or origin == Zone.LIMBO or zone == Zone.ATTACHED or zone == Zone.LIMBO:
        return
    hidden = max(is_hidden(m, card), lies_face_down(m, p, card))
    if was_hidden != hidden:
        tell_move(m, p, 0 + (Ev.CONCEAL if hidden != 0 else Ev.REVEAL), card, by_cost, cause, origin)


@inner(void(M, P, int64, int64))
def lose_counters(m, p, card, top):
    """Drops the counters of a copy that has come to a pile: at once, or once it has heard of the movement (R18.3, R6.4.36).

    Args:
        top: first frame of the windows of the movement.
    """
    if m.sp > top and int(p.card[m.ident[card]].hears) & OWN_MOVES != 0:
        m.frame[top].flags = int(m.frame[top].flags) | LEAVES
    else:
        drop_counters(m, card)


@inner(void(M, P, int64, int64))
def draw_cards(m, p, hero, amount):
    """Draws cards and tells of each that it was obtained, the first one first (R5.8, R6.4.3)."""
    drawn = 0
    while drawn < amount and draw_card(m, p, hero) >= 0:
        drawn += 1
    for k in range(drawn):
        # the window of the first one lies on top
        tell_obtained(m, p, hand_card(m, hero, int(m.hand_n[hero]) - 1 - k), 0, -1, 0 + Zone.DECK)


@inner(void(M, P, int64, int64, int64, int64))
def carry_out(m, p, card, zone, by_cost, cause):
    """Moves a copy as `relocate` says."""
    before = int(m.zone[card])
    hidden = is_hidden(m, card)
    top = int(m.sp)
    if before == Zone.SUPPORT:
        char = char_of(m, card)
        if char >= 0 and m.life[char] == Life.ALIVE:
            leave_piece(m, char)
    if p.card[m.ident[card]].suit <= Suit.Entity and (zone == Zone.SCENARIO or is_listed_table(zone) != 0):
        # Sheet cards stand only in sheet, decks, piles, hands and attachments; anything else discards them (R2.1.11)
        zone = 0 + Zone.DISCARD
    if before == Zone.SHEET and p.card[m.ident[card]].suit == Suit.Class:
        # the Hero Level is the sum of the Classes (R3.1.1)
        hero = hero_of(card)
        m.level[hero] = max(1, int(m.level[hero]) - int(p.card[m.ident[card]].level))
        m.base_hp[hero] = level_hp(m, CharKind.HERO, int(m.level[hero]))
    if zone == BOTTOM + Zone.DECK:
        bury_card(m, p, card)
    else:
        move_card(m, p, card, zone)
    if zone == Zone.SCENARIO:
        clear_weather(m, p, card)
    loses = zone >= BOTTOM or zone == Zone.DECK or zone == Zone.DISCARD
    if loses:
        drop_attachments(m, p, card)
    elif zone == Zone.ATTACHED:
        drop_counters(m, card)
        return_attachments(m, p, card)
    elif zone == Zone.HAND and has_counters(m, card) != 0:
        m.flags[card] = int(m.flags[card]) | Flag.REVEALED
    left = is_table(before) != 0 or before == Zone.SCENARIO
    if left or before == Zone.ATTACHED:
        end_modifiers_of(m, p, card)
    if left:
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
    if is_outside(before) != 0 and (is_table(zone) != 0 or zone == Zone.HAND or zone == Zone.ATTACHED):
        tell_obtained(m, p, card, by_cost, cause, before)
    tell_shown(m, p, card, hidden, by_cost, cause, before)
    if loses and has_counters(m, card) != 0:
        lose_counters(m, p, card, top)
    defer_windows(m, card, top)


@inner(int64(M, P, int64, int64, int64))
def waits_for_discard(m, p, card, by_cost, cause):
    """Returns 1 if somebody may stop the discard of a copy: it is carried out when its window is over (R7.6.1)."""
    if m.listening & (1 << Ev.DISCARD_BEFORE) == 0:
        return 0
    if by_cost != 0 and int(p.card[m.ident[card]].hears) & (1 << Ev.DISCARD_BEFORE) == 0:
        # a cost is not negated; only what a card says of its own discard replaces one (R7.6.1, R7.6.2)
        return 0
    at = push(m, Frame.MOVING)
    opened = movement_window(m, p, 0 + Ev.DISCARD_BEFORE, card, cause)
    if opened < 0:
        pop(m)
        return 0
    m.frame[at].card = card
    m.frame[at].cause = cause
    m.frame[at].reg[0] = by_cost
    m.frame[opened].reg[W_PARENT] = at + 1
    m.frame[opened].reg[W_COST] = by_cost
    m.frame[opened].reg[W_FROM] = m.zone[card]
    return 1


@inner(void(M, P, int64, int64, int64, int64))
def relocate(m, p, card, zone, by_cost, cause):
    """Moves a copy and tells everybody who listens.

    Args:
        zone: codes.Zone, or BOTTOM + Zone.DECK.
        by_cost: 1 for costs and tasks. cause: copy whose effect moves it, -1 none.
    """
    zone = destination(m, p, card, zone)
    if m.zone[card] != zone and (zone != Zone.DISCARD or waits_for_discard(m, p, card, by_cost, cause) == 0):
        carry_out(m, p, card, zone, by_cost, cause)


@inner(void(M, P, int64, int64, int64))
def attach(m, p, card, host, cause):
    """Puts a copy under a host; `cause`: copy whose effect does it, -1 none (R18.4)."""
    relocate(m, p, card, 0 + Zone.ATTACHED, 0, cause)
    m.host[card] = host
    m.dirty = int(m.dirty) | Change.CARDS
    tell(m, p, Ev.PLAY, card, 0, cause)


@inner(void(M, P))
def step_moving(m, p):
    """Discards the copy whose discard nobody stopped; a stopped one of the hand goes back there."""
    f = m.frame[m.sp - 1]
    card = int(f.card)
    cause = int(f.cause)
    by_cost = int(f.reg[0])
    stopped = int(f.reg[STOPPED])
    taken = int(f.flags) & A_TAKEN_FLAG
    top = int(m.sp) - 1
    pop(m)
    if stopped == 0:
        carry_out(m, p, card, 0 + Zone.DISCARD, by_cost, cause)
        if taken != 0:
            # the movement has had its one reaction (R8.1, R8.7)
            close_windows(m, top, card)
    elif m.zone[card] == Zone.RESOLVING:
        carry_out(m, p, card, 0 + Zone.HAND, by_cost, cause)
    if by_cost != 0:
        hold_windows(m)


@inner(void(M, P))
def send_back(m, p):
    """Returns table cards whose requirement is met no longer to the hands of their owners (R3.7.5, R2.1.12, R20.1)."""
    m.unmet = 0
    for hero in range(int(m.heroes)):
        if exceeds_level(m, p, hero) != 0:
            relocate(m, p, hero * COPIES + ENTITY_SLOT, 0 + Zone.HAND, 0, -1)
        for i in range(int(m.table_n[hero]) - 1, -1, -1):
            card = table_card(m, hero, i)
            if p.card[m.ident[card]].suit >= Suit.Item and has_flag(m, card, Flag.USABLE) == 0:
                relocate(m, p, card, 0 + Zone.HAND, 0, -1)


@inner(void(M, P, int64, int64))
def exhaust_card(m, p, card, by_cost):
    """Turns a ready copy sideways (R5.1)."""
    if has_flag(m, card, Flag.EXHAUSTED) != 0 or m.zone[card] == Zone.ATTACHED:
        # an attached card is neither ready nor exhausted (R18.7)
        return
    top = int(m.sp)
    set_exhausted(m, p, card, 1)
    tell(m, p, Ev.EXHAUST, card, by_cost, -1)
    if by_cost == 0:
        defer_windows(m, card, top)


@inner(void(M, P, int64, int64))
def recover_card(m, p, card, by_cost):
    """Turns an exhausted copy upright (R5.2)."""
    if has_flag(m, card, Flag.EXHAUSTED) == 0:
        return
    top = int(m.sp)
    set_exhausted(m, p, card, 0)
    tell(m, p, Ev.RECOVER, card, by_cost, -1)
    if by_cost == 0:
        defer_windows(m, card, top)


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
            m.dirty = int(m.dirty) | Change.COUNTERS
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
    m.dirty = int(m.dirty) | Change.COUNTERS
    return min(limit, amount)


@inner(int64(M, P, int64, int64, int64))
def add_counters(m, p, card, name, amount):
    """Adds or removes counters and tells of a removal (R9.2.4, R18.3). Returns how many."""
    moved = change_counters(m, card, name, amount)
    log(m, p, Log.COUNTER, card, name, amount, moved if amount > 0 else -moved)
    if moved > 0 and m.zone[card] == Zone.HAND:
        m.flags[card] = int(m.flags[card]) | Flag.REVEALED
        m.dirty = int(m.dirty) | Change.CARDS
    if moved > 0 and amount < 0:
        at = movement_window(m, p, Ev.COUNTER_REMOVED, card, card)
        if at >= 0:
            m.frame[at].reg[W_AMOUNT] = moved
    return moved


@inner(void(M, P, int64, int64, int64))
def tell_step(m, p, char, tile, cause):
    """Opens the window of a piece that entered a tile (R9.2.2, R15.7); `cause`: copy whose effect moved it, -1 none."""
    at = window(m, p, Ev.ENTER_TILE, char, -1, -1, cause)
    if at >= 0:
        m.frame[at].tile = tile


@inner(void(M, P, int64, int64, int64))
def tell_spent(m, p, char, kinds, amount):
    """Opens the window of energy spent: kinds 1 stamina, 2 mana, 4 essence, 7 any."""
    if amount <= 0:
        return
    at = window(m, p, Ev.SPEND, char, -1, -1, -1)
    if at >= 0:
        m.frame[at].reg[W_AMOUNT] = amount
        m.frame[at].reg[W_FROM] = kinds
