"""Instructions of few cards: exchanging cards, created pieces, tiles, further turns (opcodes.Op)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Attribute, Suit
from .board import is_empty
from .codes import Change, CharKind, Flag, Frame, Kind, Life, Zone
from .companions import attachments_of, why_not_recruit
from .compiler import inner
from .declarations import place_card
from .derive import meets_knowledge
from .entities import entity_level
from .instructions import do_attach
from .lasting import ALTITUDE, CONTROL, TERRAIN, add_modifier
from .layout import ALL_IN, ATTRIBUTES, COPIES, FURTHER_DUE, HEROES, MODS, M, P
from .legality import why_no_room_in
from .moves import add_counters, relocate, tell_move, tell_obtained, tell_shown
from .objects import change_owner, free_copy
from .opcodes import Ev, Until
from .pieces import FRESH, act_next, has_free_row, place_object, spawn
from .prices import FREE_OF_AP
from .rare import DELAYED, SPAWNED, TIE, is_slot_free
from .readings import counters_on
from .registers import C_DIFFICULTY, C_FORCED, C_RESULT
from .requirements import knows, why_not_use
from .standing import char_of, is_immune
from .unlocking import ATTACHMENTS
from .zones import has_flag, hero_of, is_hidden, is_table, move_card


@inner(void(M, P, int64, int64, int64))
def do_place(m, p, at, card, zone):
    """Puts a copy into a named area of its owner's table where knowledge and room allow (R5.7, R2.1.12, R3.7.3, R20.1)."""
    if card < 0 or m.ident[card] < 0 or m.zone[card] == Zone.LIMBO or m.zone[card] == zone:
        return
    hero = hero_of(card)
    suit = int(p.card[m.ident[card]].suit)
    if zone == Zone.SHEET:
        if suit == Suit.Entity and is_slot_free(m, p, hero) != 0 and entity_level(m, p, hero, card) == 0:
            move_card(m, p, card, zone)
            m.flags[card] = int(m.flags[card]) | Flag.FACE_DOWN
        return
    if suit < Suit.Item or knows(m, p, hero, card) == 0:
        return
    if zone == Zone.EXTRA:
        relocate(m, p, card, zone, 0, int(m.frame[at].card))
        return
    if why_no_room_in(m, p, hero, card, zone - Zone.EQUIPMENT) != 0:
        return
    if suit == Suit.Companion:
        if zone == Zone.SUPPORT and why_not_recruit(m, p, hero, card) == 0:
            place_card(m, p, card, -1)
        return
    relocate(m, p, card, zone, 0, int(m.frame[at].card))


@inner(void(M, P, int64, int64))
def take_body(m, p, char, card):
    """Gives a piece another card: it keeps HP, AP, markers, its place in the order and its tile (R5.11)."""
    ident = p.card[m.ident[card]]
    m.body[char] = card
    for a in range(ATTRIBUTES):
        m.base_attr[char, a] = ident.attributes[a]
    m.flags[card] = int(m.flags[card]) | Flag.SUMMONED


@inner(void(M, P, int64, int64, int64))
def do_swap_card(m, p, at, a, b):
    """Lets a copy take the place of another of its suit, with its attachments and counters (R5.11)."""
    if a < 0 or b < 0 or a == b or m.ident[a] < 0 or m.ident[b] < 0 or hero_of(a) != hero_of(b):
        return
    zone = int(m.zone[a])
    source = int(m.zone[b])
    hero = hero_of(a)
    if zone < Zone.EQUIPMENT or zone > Zone.SUPPORT or is_table(source) != 0 or knows(m, p, hero, b) == 0:
        return
    if p.card[m.ident[a]].suit != p.card[m.ident[b]].suit:
        return
    cause = int(m.frame[at].card)
    char = char_of(m, a)
    hidden = int(m.flags[a]) & Flag.FACE_DOWN
    before = is_hidden(m, b)
    move_card(m, p, b, zone)
    m.flags[b] = int(m.flags[b]) | hidden
    for other in range(hero * COPIES, (hero + 1) * COPIES):
        if m.zone[other] == Zone.ATTACHED and m.host[other] == a:
            m.host[other] = b
    for k in range(int(m.counters)):
        if m.counter_card[k] == a:
            m.counter_card[k] = b
    if char >= 0:
        take_body(m, p, char, b)
        m.flags[a] = int(m.flags[a]) & ~Flag.SUMMONED
    relocate(m, p, a, source, 0, cause)
    tell_move(m, p, Ev.PLAY, b, 0, cause, source)
    tell_shown(m, p, b, before, 0, cause, source)


@inner(int64(M, int64, int64))
def deck_card(m, hero, k):
    """Returns the k-th copy of a Hero's deck from the top, -1 none."""
    if hero < 0 or hero >= HEROES or k >= m.deck_n[hero]:
        return -1
    return int(m.pile[hero, m.deck_n[hero] - 1 - k])


@inner(void(M, P, int64, int64, int64))
def do_spawn(m, p, at, sheet, tile):
    """Creates a piece on an empty tile and binds it (R19.16)."""
    f = m.frame[at]
    if tile < 0 or is_empty(m, tile) == 0 or has_free_row(m) == 0:
        return
    char = spawn(m, p, int(m.owner[f.char]), sheet, tile)
    add_modifier(m, p, SPAWNED, int(f.card), int(f.char), char, 0, 0 + Until.BATTLE, 0)


@inner(void(M, P, int64, int64, int64, int64, int64))
def do_altitude(m, p, at, tile, amount, until, rounds):
    """Changes the altitude of a tile until an end (R15.6)."""
    if tile < 0:
        return
    before = int(m.altitude[tile])
    m.altitude[tile] = max(0, before + amount)
    m.dirty = int(m.dirty) | Change.CARDS
    if until != Until.BATTLE:
        change = int(m.altitude[tile]) - before
        add_modifier(m, p, ALTITUDE, int(m.frame[at].card), int(m.frame[at].char), tile, change, until, rounds)


@inner(void(M, P, int64, int64, int64, int64, int64))
def do_terrain(m, p, at, tile, terrain, until, rounds):
    """Changes the terrain of a tile until an end (R15.4, R15.5)."""
    if tile < 0:
        return
    if until != Until.BATTLE:
        add_modifier(m, p, TERRAIN, int(m.frame[at].card), int(m.frame[at].char), tile, int(m.terrain[tile]), until, rounds)
    m.terrain[tile] = terrain
    m.dirty = int(m.dirty) | Change.CARDS


@inner(void(M, P, int64, int64, int64, int64))
def do_tie(m, p, at, tile, until, rounds):
    """Ties this card to a tile until an end."""
    if tile >= 0:
        add_modifier(m, p, TIE, int(m.frame[at].card), int(m.frame[at].char), -1, tile, until, rounds)


@inner(void(M, P, int64, int64, int64, int64, int64))
def do_delay(m, p, at, who, number, until, rounds):
    """Lets a later effect of this card await a character."""
    if who >= 0:
        add_modifier(m, p, DELAYED, int(m.frame[at].card), int(m.frame[at].char), who, number, until, rounds)


@inner(void(M, P, int64, int64, int64))
def do_use_card(m, p, at, card, free):
    """Begins the activation of a card by its owner inside an effect, without its AP if `free`, if it may be activated."""
    char = int(m.frame[at].char)
    if card < 0 or m.ident[card] < 0 or m.d_kind >= 0 or m.life[char] != 0:
        return
    m.d_kind = Kind.REACT
    m.d_event = FREE_OF_AP if free != 0 else -1
    m.d_char = char
    m.d_card = card
    m.d_effect = -2
    m.d_target = -1
    m.d_tile = -1
    m.d_x = -1
    m.d_pay_n = 0
    if why_not_use(m, p, char, card, -2, -1) != 0:
        m.d_kind = -1
        m.d_event = -1


@inner(int64(M, P, int64, int64, int64, int64))
def can_be_given(m, p, card, hero, zone, this):
    """Returns 1 if a copy may become a card of a Hero in its hand or an area of its table, or attached to card `this`."""
    if card < 0 or hero < 0 or hero >= HEROES or m.ident[card] < 0:
        return 0
    before = int(m.zone[card])
    if before == Zone.LIMBO or before == Zone.NONE or before == Zone.SHEET:
        return 0
    if hero_of(card) != hero and free_copy(m, hero) < 0:
        return 0
    char = char_of(m, card)
    if char >= 0 and m.life[char] == Life.ALIVE:
        return 0
    if zone == Zone.HAND:
        return 1
    if zone == Zone.ATTACHED:
        return 1 if attachments_of(m, this) < ATTACHMENTS else 0
    known = has_flag(m, card, Flag.USABLE) if hero_of(card) == hero else meets_knowledge(m, p, hero, card)
    if known == 0 or why_no_room_in(m, p, hero, card, zone - Zone.EQUIPMENT) != 0:
        return 0
    return 1 if p.card[m.ident[card]].suit != Suit.Companion or why_not_recruit(m, p, hero, card) == 0 else 0


@inner(int64(M, P, int64, int64, int64, int64))
def do_give(m, p, at, card, hero, zone):
    """Makes a copy a card of a Hero in its hand, on its table, or attached to the card of the effect; -1 if it cannot be.

    Source: R3.7.9, R18.4.
    """
    this = int(m.frame[at].card)
    if can_be_given(m, p, card, hero, zone, this) == 0:
        return -1
    before = int(m.zone[card])
    taken = hero_of(card) != hero
    if taken:
        died = int(m.flags[card]) & Flag.DIED
        card = change_owner(m, p, card, hero)
        m.flags[card] = int(m.flags[card]) | died
    if zone == Zone.ATTACHED:
        do_attach(m, p, card, this)
    elif zone == Zone.HAND:
        relocate(m, p, card, zone, 0, this)
    else:
        do_place(m, p, at, card, zone)
    if taken:
        # it comes under another control from wherever it was (R6.4.3)
        tell_obtained(m, p, card, 0, this, before)
    return card


@inner(void(M, P, int64, int64, int64, int64, int64))
def do_control(m, p, at, who, hero, until, rounds):
    """Lets a Hero control a piece until an end: it changes team and keeps its stats and its card (R19.15)."""
    if who < 0 or hero < 0 or m.kind[who] == CharKind.NONE or is_immune(m, p, who, int(m.frame[at].card)) != 0:
        return
    hero = int(m.owner[hero])
    before = int(m.team[who]) if who < HEROES else int(m.owner[who])
    if who >= HEROES:
        m.owner[who] = hero
    m.team[who] = m.team[hero]
    m.dirty = int(m.dirty) | Change.CARDS
    if until != Until.BATTLE:
        add_modifier(m, p, CONTROL, int(m.frame[at].card), int(m.frame[at].char), who, before, until, rounds)


@inner(void(M, P, int64, int64, int64))
def do_object(m, p, at, hp, tile):
    """Places an Object of this card on a tile (R15.14), while there is room for one more piece."""
    f = m.frame[at]
    if has_free_row(m) == 0 or m.mods >= MODS:
        return
    char = place_object(m, int(m.owner[f.char]), max(1, min(hp, 30_000)), tile)
    add_modifier(m, p, SPAWNED, int(f.card), int(f.char), char, 0, 0 + Until.BATTLE, 0)


@inner(void(M, P, int64))
def do_extra_turn(m, p, who):
    """Lets a character act next: a further turn with the AP of its AGI if it has had its turn this stint."""
    if who < 0 or m.life[who] != 0 or m.acted[who] == ALL_IN:
        # an All-In leaves no further turn in its stint (R6.5.4)
        return
    act_next(m, who)
    if m.acted[who] > 0:
        m.acted[who] = FURTHER_DUE
        if m.turn_char == who:
            # the AP of the running turn end with it (R3.3.3)
            m.deeds[who] = int(m.deeds[who]) | FRESH
        else:
            m.ap[who] = int(m.attr[who, Attribute.AGI])


@inner(void(M, P, int64, int64, int64, int64))
def do_move_counter(m, p, a, b, name, amount):
    """Moves counters of a name from one copy to another (R18.3)."""
    if a < 0 or b < 0 or a == b:
        return
    many = min(amount, counters_on(m, a, name))
    if many > 0:
        add_counters(m, p, a, name, -many)
        add_counters(m, p, b, name, many)


@inner(void(M, int64, int64))
def do_set_result(m, check, how):
    """Decides a check: 1 success, 0 failure, 2 twice the result, 3 no failure beyond the first level (R11.2, R11.7)."""
    if check < 0 or m.frame[check].kind != Frame.CHECK:
        return
    f = m.frame[check]
    if how == 2:
        f.reg[C_RESULT] = int(f.reg[C_RESULT]) * 2
    elif how == 3:
        if f.reg[C_RESULT] < f.reg[C_DIFFICULTY]:
            f.reg[C_RESULT] = max(int(f.reg[C_RESULT]), int(f.reg[C_DIFFICULTY]) // 2 + 1)
    else:
        m.frame[check].reg[C_FORCED] = 1 if how == 1 else -1


@inner(int64(M, int64, int64))
def nth_marker(m, who, k):
    """Returns the k-th marker of a character, -1 none."""
    seen = 0
    for marker in range(62):
        if int(m.markers[who]) & (1 << marker) != 0:
            if seen == k:
                return marker
            seen += 1
    return -1


@inner(int64(M, int64, int64))
def nth_counter(m, card, k):
    """Returns the name of the k-th kind of counter on a copy, -1 none."""
    seen = 0
    for row in range(int(m.counters)):
        if m.counter_card[row] == card:
            if seen == k:
                return int(m.counter_name[row])
            seen += 1
    return -1
