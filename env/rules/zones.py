"""Zones of card copies and the one way to move a copy between them (R4, R5, R24).

A hero's deck and discard pile grow from the two ends of `pile`, its hand and table from the two ends of `hold`. Sheet cards
and copies attached, resolving, in limbo or banished stand in no list; their zone says where they are.
"""

from __future__ import annotations

from numba import int64, void

from .codes import Change, Fault, Flag, Log, Stream, Trait, Zone
from .compiler import inner, local_array
from .dice import hash4
from .layout import COPIES, HEROES, LOG_ROWS, SIDE, TILES, M, P

HEROES_PER_COPY = (1 << 16) // COPIES + 1  # in 65,536ths, rounded up: exact for all copies, and cheaper than dividing


@inner(void(M, P, int64, int64, int64, int64, int64))
def log(m, p, kind, a, b, c, d):
    """Writes one happening to the event log, if the log is on."""
    if m.log_on == 0:
        return
    n = int(p.log_n)
    if n < LOG_ROWS:
        p.log[n].kind = kind
        p.log[n].arg[0] = a
        p.log[n].arg[1] = b
        p.log[n].arg[2] = c
        p.log[n].arg[3] = d
        p.log_n = n + 1


@inner(int64(int64))
def hero_of(card):
    """Returns the hero that owns a card copy: HEROES for those of nobody, -1 for no copy."""
    return (card * HEROES_PER_COPY) >> 16


@inner(int64(M, int64, int64))
def hand_card(m, hero, i):
    """Returns the i-th copy in a hero's hand."""
    return int(m.hold[hero, i])


@inner(int64(M, int64, int64))
def table_card(m, hero, i):
    """Returns the i-th copy on a hero's table, sheet cards left out."""
    return int(m.hold[hero, COPIES - 1 - i])


@inner(int64(M, int64, int64))
def discard_card(m, hero, i):
    """Returns the i-th copy in a hero's discard pile, oldest first."""
    return int(m.pile[hero, COPIES - 1 - i])


@inner(int64(int64))
def is_table(zone):
    """Returns 1 for the areas of the table, the sheet included (R3.7.1)."""
    return 1 if Zone.EQUIPMENT <= zone <= Zone.SHEET else 0


@inner(int64(int64))
def is_listed_table(zone):
    """Returns 1 for the table areas kept in `hold`."""
    return 1 if Zone.EQUIPMENT <= zone <= Zone.EXTRA else 0


@inner(void(M, int64, int64, int64))
def cut_left(m, hero, card, deck):
    """Takes a copy out of a left-growing list: the deck if `deck`, else the hand."""
    n = int(m.deck_n[hero]) if deck != 0 else int(m.hand_n[hero])
    found = 0
    for i in range(n):
        here = int(m.pile[hero, i]) if deck != 0 else int(m.hold[hero, i])
        if here == card:
            found = 1
        elif found != 0:
            if deck != 0:
                m.pile[hero, i - 1] = here
            else:
                m.hold[hero, i - 1] = here
    if deck != 0:
        m.deck_n[hero] = n - found
    else:
        m.hand_n[hero] = n - found


@inner(void(M, int64, int64, int64))
def cut_right(m, hero, card, discard):
    """Takes a copy out of a right-growing list: the discard pile if `discard`, else the table."""
    n = int(m.discard_n[hero]) if discard != 0 else int(m.table_n[hero])
    found = 0
    for i in range(n):
        at = COPIES - 1 - i
        here = int(m.pile[hero, at]) if discard != 0 else int(m.hold[hero, at])
        if here == card:
            found = 1
        elif found != 0:
            if discard != 0:
                m.pile[hero, at + 1] = here
            else:
                m.hold[hero, at + 1] = here
    if discard != 0:
        m.discard_n[hero] = n - found
    else:
        m.table_n[hero] = n - found


@inner(void(M, int64))
def cut_scenario(m, card):
    """Takes a copy out of the scenario list."""
    n = 0
    for i in range(int(m.scenario_n)):
        if m.scenario[i] != card:
            m.scenario[n] = m.scenario[i]
            n += 1
    m.scenario_n = n


@inner(void(M, P, int64))
def lift(m, p, card):
    """Takes a copy out of its zone; its state there is lost (R4.13, R5.20)."""
    hero = hero_of(card)
    zone = int(m.zone[card])
    if card >= HEROES * COPIES:
        # what belongs to nobody stands in no list of a Hero
        if zone == Zone.SCENARIO:
            cut_scenario(m, card)
    elif zone == Zone.HAND:
        cut_left(m, hero, card, 0)
    elif zone == Zone.DECK:
        cut_left(m, hero, card, 1)
    elif zone == Zone.DISCARD:
        cut_right(m, hero, card, 1)
    elif zone == Zone.SCENARIO:
        cut_scenario(m, card)
    elif is_listed_table(zone) != 0:
        cut_right(m, hero, card, 0)
    if is_table(zone) != 0 and m.ledger_on != 0:
        p.ledger[card].left_play_turn = m.turns
    m.zone[card] = Zone.NONE
    m.host[card] = -1


@inner(void(M, P, int64, int64, int64))
def note_arrival(m, p, card, zone, before):
    """Counts draws and placements of a copy in the ledger."""
    if m.ledger_on == 0:
        return
    row = p.ledger[card]
    if zone == Zone.HAND and before == Zone.DECK and row.drawn == 0:
        row.drawn = 1
        row.drawn_turn = m.turns
    if is_table(zone) != 0 and is_table(before) == 0 and row.placed == 0:
        row.placed = 1
        row.placed_turn = m.turns


@inner(int64(int64))
def is_laid(zone):
    """Returns 1 for the zones whose cards count by lying there: the table, the scenario, attachments."""
    return 1 if is_table(zone) != 0 or zone == Zone.SCENARIO or zone == Zone.ATTACHED else 0


@inner(int64(int64))
def is_private(zone):
    """Returns 1 for the zones whose cards count for nobody but their Hero, unless a modifier says more."""
    return 1 if zone <= Zone.MEMENTO or zone == Zone.DISCARD or zone == Zone.RESOLVING else 0


@inner(void(M, P, int64, int64, int64))
def note_move(m, p, card, before, zone):
    """Notes what a movement changes for derived values and for the events that are heard."""
    ident = p.card[m.ident[card]]
    shown = before == Zone.HAND and int(m.flags[card]) & Flag.REVEALED != 0
    if is_laid(before) == 0 and is_laid(zone) == 0 and not shown and ident.afar == 0:
        m.dirty = int(m.dirty) | Change.HAND
    elif card < HEROES * COPIES and is_private(before) != 0 and is_private(zone) != 0:
        m.dirty = int(m.dirty) | Change.MOVED | (Change.EFFECTS if ident.modifies | ident.hears != 0 else 0)
        m.touched = int(m.touched) | (1 << hero_of(card))
    else:
        m.dirty = int(m.dirty) | Change.CARDS
    if zone != Zone.DECK and ident.hears != 0:
        m.listening = m.listening | ident.hears
        if card < HEROES * COPIES:
            m.heard[hero_of(card)] = m.heard[hero_of(card)] | ident.hears


@inner(void(M, P, int64, int64))
def move_card(m, p, card, zone):
    """Moves a copy to a zone: top of deck, discard pile or table list, end of the hand (R5).

    A bury is `bury_card`. The copy arrives ready and hidden or shown as its new zone says (R5.23).
    """
    hero = hero_of(card)
    before = int(m.zone[card])
    note_move(m, p, card, before, zone)
    lift(m, p, card)
    m.flags[card] = int(m.flags[card]) & (Flag.USABLE | Flag.DIED | Flag.LOOPED)
    if card >= HEROES * COPIES and Zone.NONE < zone <= Zone.DISCARD:
        # nobody's hand, deck and table are nowhere: the pile without owner is left (R4.14)
        zone = 0 + Zone.DISCARD
    elif zone == Zone.HAND:
        m.hold[hero, m.hand_n[hero]] = card
        m.hand_n[hero] += 1
    elif zone == Zone.DECK:
        m.pile[hero, m.deck_n[hero]] = card
        m.deck_n[hero] += 1
    elif zone == Zone.DISCARD:
        m.discard_n[hero] += 1
        m.pile[hero, COPIES - m.discard_n[hero]] = card
    elif zone == Zone.SCENARIO:
        if m.scenario_n >= 16:
            m.fault = Fault.ZONE_FULL
            return
        m.scenario[m.scenario_n] = card
        m.scenario_n += 1
    elif is_listed_table(zone) != 0:
        m.table_n[hero] += 1
        m.hold[hero, COPIES - m.table_n[hero]] = card
    m.zone[card] = zone
    note_arrival(m, p, card, zone, before)
    log(m, p, Log.MOVE_CARD, card, before, zone, 0)


@inner(void(M, P, int64))
def bury_card(m, p, card):
    """Moves a copy to the bottom of its owner's deck (R5.4, A9.2)."""
    hero = hero_of(card)
    move_card(m, p, card, Zone.DECK)
    if hero >= HEROES:
        return
    for i in range(int(m.deck_n[hero]) - 1, 0, -1):
        m.pile[hero, i] = m.pile[hero, i - 1]
    m.pile[hero, 0] = card


@inner(void(M, int64))
def shuffle_deck(m, hero):
    """Shuffles a deck by slot priority: each slot's key depends on the seat's stream, the count of shuffles and the slot.

    Replacing the card in one slot leaves every other card where it was (R0.10).
    """
    key = m.seed[Stream.SHUFFLE_A + hero % 2]
    count = int(m.shuffles[hero])
    m.shuffles[hero] = count + 1
    n = int(m.deck_n[hero])
    priority = local_array(COPIES)
    for i in range(n):
        card = int(m.pile[hero, i])
        mine = hash4(key, hero // 2, count, card % COPIES)
        k = i
        while k > 0 and priority[k - 1] > mine:
            priority[k] = priority[k - 1]
            m.pile[hero, k] = m.pile[hero, k - 1]
            k -= 1
        priority[k] = mine
        m.pile[hero, k] = card


@inner(int64(M, P, int64))
def refill_deck(m, p, hero):
    """Shuffles the discard pile into a new deck if the deck is empty (R24.2, R24.3). Returns 0 if there is still no card."""
    if m.deck_n[hero] == 0 and m.discard_n[hero] > 0:
        while m.discard_n[hero] > 0:
            move_card(m, p, discard_card(m, hero, m.discard_n[hero] - 1), Zone.DECK)
        shuffle_deck(m, hero)
    return 1 if m.deck_n[hero] > 0 else 0


@inner(int64(M, P, int64))
def draw_card(m, p, hero):
    """Draws the top card; an empty deck is first refilled from the discard pile (R24.3). Returns the copy or -1."""
    if refill_deck(m, p, hero) == 0:
        return -1
    card = int(m.pile[hero, m.deck_n[hero] - 1])
    move_card(m, p, card, Zone.HAND)
    return card


@inner(void(M, P, int64, int64))
def set_exhausted(m, p, card, value):
    """Turns a copy sideways or upright (R5.1, R5.2)."""
    # a Collegium counts only while ready (R22.4)
    felt = int(p.card[m.ident[card]].traits) & Trait.COLLEGIUM != 0
    m.dirty = int(m.dirty) | (Change.CARDS if felt else Change.READY)
    if value != 0:
        m.flags[card] = int(m.flags[card]) | Flag.EXHAUSTED
        log(m, p, Log.EXHAUST, card, 0, 0, 0)
    else:
        m.flags[card] = int(m.flags[card]) & ~Flag.EXHAUSTED
        log(m, p, Log.RECOVER, card, 0, 0, 0)


@inner(int64(M, int64, int64))
def has_flag(m, card, flag):
    """Returns 1 if a copy has a flag."""
    return 1 if int(m.flags[card]) & flag != 0 else 0


@inner(int64(M, int64))
def is_hidden(m, card):
    """Returns 1 for a copy whose face not everybody sees: in a deck, hidden in a hand, face down on a table (R4.1 to R4.3)."""
    zone = int(m.zone[card])
    if zone == Zone.HAND:
        return 1 - has_flag(m, card, Flag.REVEALED)
    return 1 if zone == Zone.DECK or has_flag(m, card, Flag.FACE_DOWN) != 0 else 0


@inner(int64(M, int64))
def keeper_of(m, card):
    """Returns the first copy of the same card of this hero, which keeps the hard limits for all of them (R6.5.9)."""
    return card - card % COPIES + m.canon[card]


@inner(int64(M, int64))
def body_of(m, card):
    """Returns the card whose piece "this character" is: the host of an attached card, which is part of it (R18.4)."""
    return int(m.host[card]) if card >= 0 and m.zone[card] == Zone.ATTACHED else card


@inner(void(M))
def clear_board(m):
    """Empties the piece map."""
    for y in range(int(m.height)):
        for x in range(int(m.width)):
            m.piece[y * SIDE + x] = -1
    for tile in range(TILES):
        if tile % SIDE >= m.width or tile // SIDE >= m.height:
            m.piece[tile] = -1
