"""Why an action is not legal: the one source of masks and explanations (ARENA A6).

`why_not` checks a turn action in the order of ARENA A6 and packs the first failing reason with the value needed and the value
had; 0 means legal. Masks enumerate candidates and call it, `explain` decodes an action and calls it.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from ..vocabulary import Attribute, RangeType, Suit
from .board import is_open, is_sharing, neighbour, tile_distance
from .codes import CharKind, Decision, Flag, Kind, Life, Phase, Reason, Trait, Zone
from .companions import (
    why_not_attach,
    why_not_bar,
    why_not_detach,
    why_not_dismiss,
    why_not_recruit,
    why_not_summon,
    why_not_unsummon,
)
from .compiler import inner
from .costs import ANY, NEED, can_pay_energy, is_energy
from .entities import ENTITY_ENERGY
from .layout import HEROES, M, P
from .opcodes import Q, Rule
from .pieces import sheet_of
from .requirements import pack, why_not_activate, why_not_selection, why_not_use
from .standing import has_rule, has_rule_for, modify
from .travel import may_enter, may_share, may_stand, move_cost
from .values import entity_of
from .zones import has_flag, hero_of, is_listed_table, table_card

NORMAL_ATTACK_AP = 3  # R17.18
TABLE_AP = 2  # R17.2, R17.3
REST_HP = 10  # R17.10
REST_ENERGY = 2


@inner(int64(M, P, int64, int64))
def needs_slot(m, p, hero, card):
    """Returns 1 unless a card goes on the table without a slot (R21.2, R22.2)."""
    ident = p.card[m.ident[card]]
    if ident.traits & Trait.ULTIMATUM != 0:
        return 0
    return 0 if ident.lignum != 0 and m.lignum[hero] < m.level[hero] else 1


@inner(int64(M, P, int64))
def normal_attack_ap(m, p, char):
    """Returns the AP of a Normal Attack (R17.18), modified."""
    return max(0, modify(m, p, Q.NORMAL_AP, -1, NORMAL_ATTACK_AP, char, -1, -1, -1, -1))


PLACING, WITHDRAWING = range(2)  # sub-indices of Q.COST_TABLE


@inner(int64(M, P, int64, int64, int64))
def table_ap(m, p, hero, card, way):
    """Returns the AP of placing or withdrawing a card (R17.2, R17.3), modified."""
    return max(0, modify(m, p, Q.COST_TABLE, way, TABLE_AP, hero, card, -1, -1, -1))


@inner(int64(M, P, int64, int64, int64))
def why_no_room_in(m, p, hero, card, area):
    """Returns 0 if a table area (0 Equipment, 1 Memento, 2 Support) has room for a card: slot, then specifier (A6 row 11)."""
    ident = p.card[m.ident[card]]
    if needs_slot(m, p, hero, card) != 0 and m.slots_used[hero, area] >= m.slots[hero, area]:
        return pack(Reason.SLOT, int(m.slots_used[hero, area]) + 1, int(m.slots[hero, area]))
    if ident.suit == Suit.Item and int(m.specifiers[hero]) & int(ident.traits) & 31 != 0:
        return pack(Reason.SPECIFIER, 1, 0)
    if ident.traits & Trait.MOUNT != 0:
        # one Mount per Hero (R19.13)
        for i in range(int(m.table_n[hero])):
            if p.card[m.ident[table_card(m, hero, i)]].traits & Trait.MOUNT != 0:
                return pack(Reason.RULE, 0, 0)
    return pack(Reason.RULE, 0, 0) if has_rule_for(m, p, hero, 0 + Rule.CANNOT_EQUIP, card, -1) != 0 else 0


@inner(int64(M, P, int64, int64))
def why_no_room(m, p, hero, card):
    """Returns 0 if the table has room for a card in the area of its suit."""
    return why_no_room_in(m, p, hero, card, int(p.card[m.ident[card]].suit) - Suit.Item)


@inner(int64(M, P, int64, int64, int64))
def why_not_place(m, p, char, card, cost):
    """Returns 0 if a hero may put a hand card on its table for `cost` AP (ACT_PLACE, A3.7)."""
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    if hero_of(card) != char or m.zone[card] != Zone.HAND:
        return pack(Reason.WRONG_ZONE, 0, 0)
    suit = int(p.card[m.ident[card]].suit)
    if suit < Suit.Item or suit > Suit.Companion:
        return pack(Reason.WRONG_SUIT, 0, 0)
    if has_flag(m, card, Flag.USABLE) == 0:
        return pack(Reason.KNOWLEDGE, int(p.card[m.ident[card]].level), 0)
    if m.ap[char] < cost:
        return pack(Reason.AP, cost, int(m.ap[char]))
    why = why_no_room(m, p, char, card)
    return why_not_recruit(m, p, char, card) if why == 0 and suit == Suit.Companion else why


@inner(int64(M, P, int64, int64))
def why_not_withdraw(m, p, char, card):
    """Returns 0 if a hero may take a table card back to its hand (ACT_WITHDRAW)."""
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    if hero_of(card) != char or is_listed_table(int(m.zone[card])) == 0:
        return pack(Reason.WRONG_ZONE, 0, 0)
    cost = table_ap(m, p, char, card, WITHDRAWING)
    if m.ap[char] < cost:
        return pack(Reason.AP, cost, int(m.ap[char]))
    if m.hand_n[char] >= m.hand_limit[char]:
        return pack(Reason.HAND_FULL, int(m.hand_n[char]) + 1, int(m.hand_limit[char]))
    return why_not_dismiss(m, p, card) if m.zone[card] == Zone.SUPPORT else 0


@inner(int64(M, P, int64, int64))
def can_recover(m, p, hero, amount):
    """Returns 1 if an exhausted table Skill gives at most `amount` energy (R7.5.8)."""
    for i in range(int(m.table_n[hero])):
        card = table_card(m, hero, i)
        if has_flag(m, card, Flag.EXHAUSTED) != 0 and is_energy(m, p, card) != 0:
            ident = p.card[m.ident[card]]
            if ident.stamina + ident.mana + ident.essence <= amount:
                return 1
    return 0


@inner(int64(M, P, int64))
def why_not_rest(m, p, char):
    """Returns 0 if a character may rest (ACT_REST; R6.5.4, R17.10)."""
    if m.turn_spoiled != 0:
        return pack(Reason.ALL_IN_SPOILED, 0, 0)
    if m.hp[char] >= m.max_hp[char] and (char >= HEROES or can_recover(m, p, char, REST_ENERGY) == 0):
        return pack(Reason.NOTHING_TO_GAIN, 0, 0)
    return 0


@inner(int64(M, P, int64, int64))
def why_not_entity(m, p, char, kind):
    """Returns 0 if a hero may awaken its Entity or put it to sleep (ACT_AWAKEN, ACT_SLEEP; R20.2, R20.4, R20.5)."""
    card = entity_of(m, char) if char < HEROES else -1
    if card < 0:
        return pack(Reason.NO_SUCH, 0, 0)
    asleep = has_flag(m, card, Flag.FACE_DOWN)
    if kind == Kind.SLEEP:
        if asleep != 0:
            return pack(Reason.ALREADY_ASLEEP, 0, 0)
        return pack(Reason.AWAKE_SLEEP_TURN, 0, 0) if has_flag(m, card, Flag.LIMIT_AWAKENED) != 0 else 0
    if asleep == 0:
        return pack(Reason.ALREADY_AWAKE, 0, 0)
    if has_flag(m, card, Flag.LIMIT_SLEPT) != 0:
        return pack(Reason.AWAKE_SLEEP_TURN, 0, 0)
    if has_rule(m, p, char, Rule.CANNOT_AWAKEN) != 0:
        return pack(Reason.RULE, 0, 0)
    need = np.zeros(NEED, np.int64)
    need[ANY] = ENTITY_ENERGY
    return 0 if can_pay_energy(m, p, char, need) != 0 else pack(Reason.ENERGY, ENTITY_ENERGY, 0)


@inner(int64(M, P, int64, int64, int64))
def has_exit(m, p, char, tile, ap):
    """Returns 1 if a character on a teammate's tile could afford a step to an empty tile (ACT_MOVE)."""
    for direction in range(4):
        near = neighbour(m, tile, direction)
        if near >= 0 and may_stand(m, p, char, near) != 0 and move_cost(m, p, char, tile, near) <= ap:
            return 1
    return 0


@inner(int64(M, P, int64, int64))
def why_not_step(m, p, char, tile):
    """Returns 0 if a character may step to a tile (A6 row 14; R15.4, R15.5, R15.8, R15.10)."""
    origin = int(m.tile[char])
    if origin < 0 or tile < 0 or tile_distance(origin, tile) != 1:
        return pack(Reason.NOT_ADJACENT, 0, 0)
    if is_open(m, tile) == 0:
        return pack(Reason.TILE_STATE, 0, 0)
    if may_enter(m, p, char, tile) == 0:
        return pack(Reason.TERRAIN, 0, 0)
    other = int(m.piece[tile])
    if other >= 0 and (m.team[other] != m.team[char] or m.kind[other] > CharKind.DUMMY):
        return pack(Reason.OCCUPIED, 0, 0)
    cost = move_cost(m, p, char, origin, tile)
    if m.ap[char] < cost:
        return pack(Reason.AP, cost, int(m.ap[char]))
    if other >= 0 and may_share(m, p, char, tile) == 0 and has_exit(m, p, char, tile, int(m.ap[char]) - cost) == 0:
        return pack(Reason.NO_EXIT, 0, 0)
    return 0


@inner(int64(M, P, int64, int64))
def why_not_move(m, p, char, tile):
    """Returns 0 if a character may step to `tile`, or for -1 to any tile (ACT_MOVE)."""
    if has_rule(m, p, char, Rule.CANNOT_MOVE) != 0:
        return pack(Reason.RULE, 0, 0)
    if tile >= 0:
        return why_not_step(m, p, char, tile)
    worst = pack(Reason.NOT_ADJACENT, 0, 0)
    if m.tile[char] < 0:
        return worst
    for direction in range(4):
        near = neighbour(m, int(m.tile[char]), direction)
        if near >= 0:
            why = why_not_step(m, p, char, near)
            if why == 0:
                return 0
            worst = why
    return worst


@inner(int64(M, P, int64, int64))
def why_not_normal_attack(m, p, char, target):
    """Returns 0 if a character may make a Normal Attack (ACT_NORMAL_ATTACK; R17.18)."""
    if has_rule(m, p, char, Rule.CANNOT_ATTACK) != 0:
        return pack(Reason.RULE, 0, 0)
    cost = normal_attack_ap(m, p, char)
    if m.ap[char] < cost:
        return pack(Reason.AP, cost, int(m.ap[char]))
    return why_not_selection(m, p, char, target, RangeType.Direct, 1)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def why_not_card_use(m, p, char, card, effect, target, hand):
    """Returns 0 if a hero may activate a table card, or a hand card if `hand` (ACT_USE_TABLE, ACT_USE_HAND)."""
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    zone = int(m.zone[card])
    if hero_of(card) != char or (zone != Zone.HAND if hand != 0 else is_listed_table(zone) == 0):
        return pack(Reason.WRONG_ZONE, 0, 0)
    return why_not_use(m, p, char, card, effect, target)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def why_not_zone_use(m, p, char, card, effect, target, zone):
    """Returns 0 if a hero may activate a card of its sheet or discard pile, or one in the scenario (ACT_USE_SHEET, ...)."""
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    if m.zone[card] != zone or (zone != Zone.SCENARIO and hero_of(card) != char):
        return pack(Reason.WRONG_ZONE, 0, 0)
    return why_not_use(m, p, char, card, effect, target)


@inner(int64(M, P, int64, int64, int64))
def why_not_technique(m, p, char, technique, target):
    """Returns 0 if a Companion may use a technique of its card, any for -2 (ACT_TECHNIQUE; R19.6, R7.2.3)."""
    if char < HEROES or sheet_of(m, char) < 0:
        return pack(Reason.NO_SUCH, 0, 0)
    ident = p.card[sheet_of(m, char)]
    best = pack(Reason.NO_SUCH, 0, 0)
    for k in range(int(ident.technique_n)):
        if technique >= 0 and k != technique:
            continue
        row = int(ident.technique_first) + k
        why = why_not_bar(m, p, char, row, target)
        effect = int(p.technique[row].effect)
        if why == 0 and p.technique[row].has_damage == 0:
            why = pack(Reason.INERT, 0, 0) if effect < 0 else 0
            if why == 0:
                why = why_not_activate(m, p, char, int(m.body[char]), effect, -1, -1, target)
        if why == 0:
            return 0
        best = why
    return best


@inner(int64(M, int64))
def why_not_actor(m, char):
    """Returns 0 if a character may declare turn actions now (A6 rows 1 and 2)."""
    if m.phase != Phase.MAIN or m.turn_char != char:
        return pack(Reason.NOT_YOUR_TURN, 0, 0)
    if m.pending != Decision.TURN and m.d_kind < 0:
        return pack(Reason.NOT_ASKED, 0, 0)
    if m.life[char] != Life.ALIVE:
        return pack(Reason.DEAD, 0, 0)
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64))
def why_not(m, p, char, kind, card, effect, target):
    """Returns 0 if a turn action is legal, else its packed reason (ARENA A6).

    Args:
        char: acting character.
        kind: codes.Kind.
        card: card copy, or -1 for actions without one.
        effect: index into the pool's effects, -1 the bare bar, -2 any effect of the card.
        target: character, or tile for a move; -1 asks whether any would do.
    """
    why = why_not_actor(m, char)
    if why != 0:
        return why
    if kind != Kind.MOVE and is_sharing(m, char) != 0 and may_share(m, p, char, int(m.tile[char])) == 0:
        return pack(Reason.SHARING, 0, 0)
    if kind == Kind.END_TURN:
        return 0
    if kind == Kind.MOVE:
        return why_not_move(m, p, char, target)
    if kind == Kind.NORMAL_ATTACK:
        return why_not_normal_attack(m, p, char, target)
    if kind == Kind.USE_TABLE:
        return why_not_card_use(m, p, char, card, effect, target, 0)
    if kind == Kind.USE_HAND:
        return why_not_card_use(m, p, char, card, effect, target, 1)
    if kind == Kind.USE_SHEET:
        return why_not_zone_use(m, p, char, card, effect, target, 0 + Zone.SHEET)
    if kind == Kind.USE_DISCARD:
        return why_not_zone_use(m, p, char, card, effect, target, 0 + Zone.DISCARD)
    if kind == Kind.USE_SCENARIO:
        return why_not_zone_use(m, p, char, card, effect, target, 0 + Zone.SCENARIO)
    if kind == Kind.PLACE:
        if card < 0 or m.ident[card] < 0 or char >= HEROES:
            return pack(Reason.NO_SUCH, 0, 0)
        return why_not_place(m, p, char, card, table_ap(m, p, char, card, PLACING))
    if kind == Kind.WITHDRAW:
        return why_not_withdraw(m, p, char, card)
    if kind == Kind.SUMMON:
        return why_not_summon(m, p, char, card, target)
    if kind == Kind.UNSUMMON:
        return why_not_unsummon(m, char, card)
    if kind == Kind.ATTACH:
        return why_not_attach(m, char, card, target)
    if kind == Kind.DETACH:
        return why_not_detach(m, char, card)
    if kind == Kind.TECHNIQUE:
        return why_not_technique(m, p, char, effect, target)
    if kind == Kind.AWAKEN or kind == Kind.SLEEP:
        return why_not_entity(m, p, char, kind)
    if kind == Kind.REST:
        return why_not_rest(m, p, char)
    return pack(Reason.NO_SUCH, 0, 0)


@inner(int64(M, int64))
def agility(m, char):
    """Returns the AGI that sets a character's AP (R3.3.1)."""
    return int(m.attr[char, Attribute.AGI])
