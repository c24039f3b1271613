"""Which turn actions some complete declaration would make legal, and which cards complete them (ARENA A5.1)."""

from __future__ import annotations

from numba import int64

from ..vocabulary import Suit
from .card_codes import OUT, add, card_code
from .codes import Act, Flag, Kind, Trait, Zone
from .compiler import inner
from .costs import total_energy
from .layout import CARDS, COPIES, DECK_SLOT, HEROES, M, P
from .legality import TABLE_AP, why_not, why_not_act, why_not_kind
from .objects import is_lootable
from .opcodes import Q
from .prices import ENERGY_COSTS
from .standing import DISCARD_USERS, TEAM_USERS
from .zones import discard_card, hand_card, has_flag, table_card

UNKNOWN_ENERGY = 32000


@inner(int64(M, int64))
def is_table_closed(m, hero):
    """Returns 1 if a hero has too few AP to move any card between hand and table (R17.2, R17.3)."""
    return 1 if m.ap[hero] < TABLE_AP and m.modified & (1 << Q.COST_TABLE) == 0 else 0


@inner(int64(M, P, int64))
def energy_for_prints(m, p, hero):
    """Returns the energy that a hero has for what cards print; more than any print if modifiers change what is due."""
    return UNKNOWN_ENERGY if m.modified & ENERGY_COSTS != 0 else total_energy(m, p, hero)


@inner(int64(M, P, int64, int64, int64))
def is_out(m, p, hero, card, energy):
    """Returns 1 if `why_not` would refuse to activate a copy for the commonest reasons.

    No use, no knowledge, too few AP, too little energy: this only spares the long way; a copy that passes is judged by
    `why_not`.

    Args:
        energy: see `energy_for_prints`.
    """
    ident = p.card[m.ident[card]]
    if ident.traits & Trait.ACTIVATABLE == 0 or (has_flag(m, card, Flag.USABLE) == 0 and ident.suit >= Suit.Item):
        return 1
    if ident.least_energy > energy:
        return 1
    return 1 if m.ap[hero] < ident.least_ap and m.modified & (1 << Q.COST_AP) == 0 else 0


@inner(int64(M, P, int64, int64, int64))
def has_hand_action(m, p, hero, kind, energy):
    """Returns 1 if some hand card makes a turn action legal; `energy` is that of `energy_for_prints`."""
    if kind == Kind.PLACE and is_table_closed(m, hero) != 0:
        return 0
    for i in range(int(m.hand_n[hero])):
        card = hand_card(m, hero, i)
        if kind == Kind.USE_HAND and is_out(m, p, hero, card, energy) != 0:
            continue
        if why_not_kind(m, p, hero, kind, card, -2, -1) == 0:
            return 1
    return 0


@inner(int64(M, P, int64, int64, int64))
def has_table_action(m, p, hero, kind, energy):
    """Returns 1 if some table card makes a turn action legal; `energy` is that of `energy_for_prints`."""
    if kind == Kind.WITHDRAW and is_table_closed(m, hero) != 0:
        return 0
    for i in range(int(m.table_n[hero])):
        card = table_card(m, hero, i)
        if kind == Kind.USE_TABLE and is_out(m, p, hero, card, energy) != 0:
            continue
        if kind >= Kind.COLLEGIUM and m.zone[card] != Zone.EXTRA:
            continue
        if why_not_kind(m, p, hero, kind, card, -2, -1) == 0:
            return 1
    return 0


@inner(int64(M, P, int64, int64))
def has_other_action(m, p, hero, kind):
    """Returns 1 if some discarded or scenario card makes a turn action legal."""
    if kind == Kind.USE_DISCARD:
        if m.listening & DISCARD_USERS == 0:
            return 0
        for i in range(int(m.discard_n[hero])):
            card = discard_card(m, hero, i)
            if p.card[m.ident[card]].traits & Trait.FROM_DISCARD != 0 and why_not_kind(m, p, hero, kind, card, -2, -1) == 0:
                return 1
        for card in range(HEROES * COPIES, CARDS):
            # a pile without owner (R4.14)
            if m.ident[card] >= 0 and why_not_kind(m, p, hero, kind, card, -2, -1) == 0:
                return 1
        return 0
    for i in range(int(m.scenario_n)):
        if why_not_kind(m, p, hero, kind, int(m.scenario[i]), -2, -1) == 0:
            return 1
    return 0


@inner(int64(M, P, int64))
def has_team_action(m, p, char):
    """Returns 1 if some card of a teammate, or of a Companion's Hero, makes USE_TEAM legal."""
    if m.listening & TEAM_USERS == 0:
        return 0
    for hero in range(int(m.heroes)):
        if hero == char or m.team[hero] != m.team[char]:
            continue
        for card in range(hero * COPIES, (hero + 1) * COPIES):
            if m.ident[card] >= 0 and p.card[m.ident[card]].traits & Trait.FROM_TEAM != 0:
                if why_not_kind(m, p, char, Kind.USE_TEAM, card, -2, -1) == 0:
                    return 1
    return 0


@inner(int64(M, P, int64, OUT, int64))
def rare_options(m, p, char, out, n):
    """Appends the kinds that only some cards, pieces or formats make possible, for Heroes and others; returns the count."""
    if has_team_action(m, p, char) != 0:
        n = add(out, n, Act.KIND + Kind.USE_TEAM)
    if m.scenario_n > 0 and has_other_action(m, p, char, 0 + Kind.USE_SCENARIO) != 0:
        n = add(out, n, Act.KIND + Kind.USE_SCENARIO)
    if is_lootable(m) != 0 and why_not_kind(m, p, char, Kind.LOOT, -1, -2, -1) == 0:
        n = add(out, n, Act.KIND + Kind.LOOT)
    if m.chars > HEROES and why_not_kind(m, p, char, Kind.PUSH, -1, -2, -1) == 0:
        n = add(out, n, Act.KIND + Kind.PUSH)
    return n


@inner(int64(M, P, int64))
def has_attached(m, p, hero):
    """Returns 1 if some attachment of a hero may be taken back to its hand."""
    for slot in range(DECK_SLOT, COPIES):
        card = hero * COPIES + slot
        if m.ident[card] >= 0 and m.zone[card] == Zone.ATTACHED and why_not_kind(m, p, hero, Kind.DETACH, card, -2, -1) == 0:
            return 1
    return 0


@inner(int64(M, P, OUT))
def turn_options(m, p, out):
    """Lists the kinds of turn action that some complete declaration would make legal."""
    char = int(m.asked)
    n = 0
    if why_not_act(m, p, char, 0 + Kind.END_TURN) != 0:
        return add(out, n, Act.KIND + Kind.MOVE) if why_not(m, p, char, Kind.MOVE, -1, -2, -1) == 0 else 0
    for kind in (Kind.END_TURN, Kind.MOVE, Kind.NORMAL_ATTACK, Kind.REST, Kind.AWAKEN, Kind.SLEEP):
        if why_not_kind(m, p, char, kind, -1, -2, -1) == 0:
            n = add(out, n, Act.KIND + kind)
    if char < m.heroes:
        energy = energy_for_prints(m, p, char)
        if has_table_action(m, p, char, Kind.USE_TABLE, energy) != 0:
            n = add(out, n, Act.KIND + Kind.USE_TABLE)
        if has_hand_action(m, p, char, Kind.USE_HAND, energy) != 0:
            n = add(out, n, Act.KIND + Kind.USE_HAND)
        if has_hand_action(m, p, char, Kind.PLACE, energy) != 0:
            n = add(out, n, Act.KIND + Kind.PLACE)
        if has_table_action(m, p, char, Kind.WITHDRAW, energy) != 0:
            n = add(out, n, Act.KIND + Kind.WITHDRAW)
        for slot in range(DECK_SLOT):
            card = char * COPIES + slot
            if m.ident[card] >= 0 and is_out(m, p, char, card, energy) == 0:
                if why_not_kind(m, p, char, Kind.USE_SHEET, card, -2, -1) == 0:
                    n = add(out, n, Act.KIND + Kind.USE_SHEET)
                    break
        if m.slots_used[char, 2] > 0:
            for kind in (Kind.SUMMON, Kind.UNSUMMON):
                if has_table_action(m, p, char, kind, energy) != 0:
                    n = add(out, n, Act.KIND + kind)
            if m.chars > HEROES and has_hand_action(m, p, char, Kind.ATTACH, energy) != 0:
                n = add(out, n, Act.KIND + Kind.ATTACH)
            if has_attached(m, p, char) != 0:
                n = add(out, n, Act.KIND + Kind.DETACH)
        if has_other_action(m, p, char, 0 + Kind.USE_DISCARD) != 0:
            n = add(out, n, Act.KIND + Kind.USE_DISCARD)
        for kind in (Kind.COLLEGIUM, Kind.DROP_EXTRA):
            if has_table_action(m, p, char, kind, energy) != 0:
                n = add(out, n, Act.KIND + kind)
    else:
        if why_not_kind(m, p, char, Kind.TECHNIQUE, -1, -2, -1) == 0:
            n = add(out, n, Act.KIND + Kind.TECHNIQUE)
        if why_not_kind(m, p, char, Kind.EVOLVE, -1, -2, -1) == 0:
            n = add(out, n, Act.KIND + Kind.EVOLVE)
    return rare_options(m, p, char, out, n)


@inner(int64(M, int64))
def next_in_scenario(m, card):
    """Returns the copy in the scenario that follows a copy by number, any for -1; -1 after the last."""
    found = -1
    for i in range(int(m.scenario_n)):
        other = int(m.scenario[i])
        if other > card and (found < 0 or other < found):
            found = other
    return found


@inner(int64(M, P, OUT))
def card_options(m, p, out):
    """Lists the cards that complete the drafted kind of action."""
    hero = int(m.asked)
    char = int(m.d_char)
    kind = int(m.d_kind)
    n = 0
    if why_not_act(m, p, char, kind) != 0:
        return 0
    if kind == Kind.USE_HAND or kind == Kind.PLACE or kind == Kind.ATTACH or kind == Kind.EVOLVE:
        energy = energy_for_prints(m, p, hero) if kind == Kind.USE_HAND else 0
        for i in range(int(m.hand_n[hero])):
            card = hand_card(m, hero, i)
            if kind == Kind.USE_HAND and is_out(m, p, hero, card, energy) != 0:
                continue
            if why_not_kind(m, p, char, kind, card, -2, -1) == 0:
                n = add(out, n, card_code(m, hero, card))
    elif kind == Kind.USE_SCENARIO:
        card = next_in_scenario(m, -1)
        while card >= 0:
            if why_not_kind(m, p, char, kind, card, -2, -1) == 0:
                n = add(out, n, card_code(m, hero, card))
            card = next_in_scenario(m, card)
    elif kind == Kind.USE_TEAM or kind == Kind.LOOT:
        for card in range(CARDS):
            if m.ident[card] >= 0 and why_not_kind(m, p, char, kind, card, -2, -1) == 0:
                n = add(out, n, card_code(m, hero, card))
    elif kind == Kind.DETACH or kind == Kind.USE_SHEET or kind == Kind.USE_DISCARD:
        zone = Zone.SHEET if kind == Kind.USE_SHEET else (Zone.DISCARD if kind == Kind.USE_DISCARD else Zone.ATTACHED)
        slots = DECK_SLOT if kind == Kind.USE_SHEET else COPIES
        for card in range(hero * COPIES, hero * COPIES + slots):
            if m.ident[card] >= 0 and m.zone[card] == zone and why_not_kind(m, p, hero, kind, card, -2, -1) == 0:
                n = add(out, n, card_code(m, hero, card))
        for card in range(HEROES * COPIES, CARDS if kind == Kind.USE_DISCARD else 0):
            if m.ident[card] >= 0 and why_not_kind(m, p, hero, kind, card, -2, -1) == 0:
                n = add(out, n, card_code(m, hero, card))
    else:
        energy = energy_for_prints(m, p, hero) if kind == Kind.USE_TABLE else 0
        for i in range(int(m.table_n[hero])):
            card = table_card(m, hero, i)
            if kind == Kind.USE_TABLE and is_out(m, p, hero, card, energy) != 0:
                continue
            if why_not_kind(m, p, hero, kind, card, -2, -1) == 0:
                n = add(out, n, card_code(m, hero, card))
    return n
