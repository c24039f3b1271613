"""Whether every commanded step of an effect could be carried out now (ARENA A6 row 13; R7.7.1, R7.7.2)."""

from __future__ import annotations

from numba import int64, types

from ..vocabulary import Suit, Task
from .codes import BOTTOM, OWN_AREA, Flag, Trait, Zone
from .compiler import inner, local_array
from .layout import CARDS, M, P
from .opcodes import COST_WIDTH, WIDTH, Cost, Need, Op, X
from .values import EVERY_ZONE, next_within, places_of, value, zones_of
from .zones import has_flag, hero_of, is_table

MOST_PICKS = 8  # picks of one program that must find different cards
PICKED = types.Array(int64, 1, "C")


@inner(int64(M, P, int64, int64))
def needs_slot(m, p, hero, card):
    """Returns 1 unless a card goes on the table without a slot (R21.2, R22.2)."""
    ident = p.card[m.ident[card]]
    if ident.traits & Trait.ULTIMATUM != 0:
        return 0
    return 0 if ident.lignum != 0 and m.lignum[hero] < m.level[hero] else 1


@inner(int64(M, P, int64, int64))
def has_room(m, p, card, zone):
    """Returns 1 if a copy has, or needs no, free slot in an area of its owner's table (R3.7.3)."""
    if zone > Zone.SUPPORT or m.zone[card] == zone or p.card[m.ident[card]].suit == Suit.Event:
        return 1
    hero = hero_of(card)
    area = zone - Zone.EQUIPMENT
    return 1 if needs_slot(m, p, hero, card) == 0 or m.slots_used[hero, area] < m.slots[hero, area] else 0


@inner(int64(P, int64))
def turns_itself(p, effect):
    """Returns 1 if paying for an effect may turn its own card: its orientation now says nothing (R7.7.2)."""
    task = int(p.effect[effect].task)
    if task == Task.Exhaust or task == Task.Recover:
        return 1
    pc = int(p.effect[effect].costs)
    while pc >= 0 and p.code[pc] != Cost.END:
        if p.code[pc] == Cost.EXHAUST or p.code[pc] == Cost.ENERGY:
            return 1
        pc += COST_WIDTH
    return 1 if p.card[p.effect[effect].card].suit == Suit.Skill else 0


@inner(int64(M, P, int64, int64, int64, int64, int64, PICKED, int64))
def find_pick(m, p, test, char, card, ev, fr, taken, picks):
    """Returns a copy that a pick could take beside those taken before, -1 none; never the activated card of a hand."""
    places = places_of(p, test)
    end = 0 + CARDS
    other = -1
    while True:
        other = next_within(m, p, other + 1, end, places, char)
        if other < 0:
            return -1
        if other == card and m.zone[card] == Zone.HAND:
            continue
        free = 1
        for k in range(picks):
            if taken[k] == other:
                free = 0
        if free != 0 and value(m, p, test, fr, ev, card, char, -1, other) != 0:
            return other


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def finds_place(m, p, subject, zone, test, card, char, ev):
    """Returns 1 if what a step places has room: its own card, or some card that the pick before it could take."""
    op = int(p.code[subject])
    if p.code[subject + 2] != X.END or (op != X.THIS and (op != X.BOUND or test < 0)):
        return 1
    if op == X.THIS:
        return has_room(m, p, card, zone)
    places = places_of(p, test)
    end = 0 + CARDS
    other = -1
    while True:
        other = next_within(m, p, other + 1, end, places, char)
        if other < 0:
            return 0
        if other != card and has_room(m, p, other, zone) != 0 and value(m, p, test, -1, ev, card, char, -1, other) != 0:
            return 1


@inner(int64(M, P, int64, int64, int64, int64, int64))
def lacks_step(m, p, char, card, effect, ev, fr):
    """Returns 1 if a commanded step finds no card, or no slot; `fr` names the target as in `values`, -1 none.

    Steps behind an If, a May, a choice or a loop are taken as possible; so is what comes from cards gained before.
    """
    pc = int(p.effect[effect].program)
    taken = local_array(MOST_PICKS)
    picks = 0
    tops = 0  # cards due from decks
    gained = 0  # bit per zone that earlier steps bring cards to
    test = -1  # filter of the latest pick
    while p.code[pc] != Op.END:
        op = int(p.code[pc])
        if op == Op.JUMP:
            # values stand between instructions and are jumped over; a jump back closes a loop
            if p.code[pc + 1] <= pc:
                return 0
            pc = int(p.code[pc + 1])
            continue
        if op == Op.JUMP_IF_NOT or op == Op.MAY or op == Op.CHOOSE or Op.FOR_CHARS <= op <= Op.REPEAT:
            return 0
        if op == Op.PICK and p.code[pc + 3] == 0 and p.code[pc + 4] < 0 and p.code[pc + 5] <= 0:
            test = int(p.code[pc + 1])
            if zones_of(p, test) & gained == 0 or zones_of(p, test) == EVERY_ZONE:
                found = find_pick(m, p, test, char, card, ev, fr, taken, picks)
                if found < 0:
                    return 1
                if picks < MOST_PICKS:
                    taken[picks] = found
                    picks += 1
        elif op == Op.PLACE and gained == 0:
            if finds_place(m, p, int(p.code[pc + 1]), int(p.code[pc + 2]), test, card, char, ev) == 0:
                return 1
        elif op == Op.EXHAUST or op == Op.RECOVER:
            subject = int(p.code[pc + 1])
            if p.code[subject] == X.THIS and p.code[subject + 2] == X.END and turns_itself(p, effect) == 0:
                down = has_flag(m, card, Flag.EXHAUSTED)
                if is_table(int(m.zone[card])) == 0 or down == (1 if op == Op.EXHAUST else 0):
                    return 1
        elif op == Op.REFILL:
            # one more card of the deck is due, what lies in the pile refills it (R24.2)
            hero = value(m, p, int(p.code[pc + 1]), fr, ev, card, char, -1, -1)
            if hero < 0 or hero >= m.heroes or m.deck_n[hero] + m.discard_n[hero] <= tops:
                return 1
            tops += 1
        elif op == Op.DRAW:
            gained = gained | (1 << Zone.HAND)
        elif op == Op.MOVE:
            gained = gained | (1 << (int(p.code[pc + 2]) % BOTTOM % OWN_AREA))
        pc += WIDTH
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64))
def is_incomplete(m, p, char, card, effect, ev, target):
    """Returns 1 if an effect could not be executed completely now, with a selected target (-1: not selected yet)."""
    if p.effect[effect].program < 0:
        return 0
    if int(p.effect[effect].needs) & Need.OF_TARGET == 0:
        return lacks_step(m, p, char, card, effect, ev, -1)
    if target < 0:
        return 0
    return lacks_step(m, p, char, card, effect, ev, -2 - target)
