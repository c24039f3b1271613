"""Why an action is not legal: the one source of masks and explanations (ARENA A6).

`why_not` checks a turn action in the order of ARENA A6 and packs the first failing reason with the value needed and the value
had; 0 means legal. Masks enumerate candidates and call it, `explain` decodes an action and calls it.
"""

from __future__ import annotations

from numba import int64

from ..vocabulary import Attribute, RangeType, Suit, Terrain
from .board import (
    BLOCKED,
    TOO_HIGH,
    is_empty,
    is_open,
    is_sharing,
    neighbour,
    step_cost,
    tile_distance,
    trajectory,
)
from .codes import CharKind, Decision, Flag, Kind, Life, Phase, Reason, Trait, Zone
from .compiler import inner
from .costs import can_pay_energy, is_energy
from .layout import HEROES, M, P
from .zones import has_flag, hero_of, is_listed_table, table_card

NORMAL_ATTACK_AP = 3  # R17.18
TABLE_AP = 2  # R17.2, R17.3
REST_HP = 10  # R17.10
REST_ENERGY = 2


@inner(int64(int64, int64, int64))
def pack(reason, needed, had):
    """Packs a reason with the value needed and the value had (each 0 .. 32,767)."""
    return reason | ((needed & 0x7FFF) << 16) | ((had & 0x7FFF) << 32)


@inner(int64(M, P, int64, int64))
def range_value(m, p, char, card):
    """Returns the range of a card in the hands of a character (R15.17)."""
    ident = p.card[m.ident[card]]
    value = int(ident.range_const)
    if ident.range_attr >= 0:
        value += m.attr[char, ident.range_attr]
    return max(0, value)


@inner(int64(M, int64, int64, int64, int64))
def why_not_target(m, char, target, range_type, reach):
    """Returns 0 if a character may be selected by an attack with this range (R9.1.17, R15.18 to R15.23)."""
    if target == char:
        return pack(Reason.OWN_AGENT, 0, 0)
    if target < 0 or target >= m.chars or m.life[target] != Life.ALIVE or m.tile[target] < 0:
        return pack(Reason.NO_TARGET, 0, 0)
    origin = int(m.tile[char])
    tile = int(m.tile[target])
    away = tile_distance(origin, tile)
    if range_type == RangeType.Arcing:
        away = max(1, away + int(m.altitude[tile]) - int(m.altitude[origin]))
        return 0 if away <= reach else pack(Reason.RANGE_ARCING, away, reach)
    if away > reach:
        return pack(Reason.RANGE_DIRECT, away, reach)
    shot = trajectory(m, origin, tile, int(m.team[char]))
    if shot == BLOCKED:
        return pack(Reason.TRAJECTORY, 0, 0)
    if shot == TOO_HIGH:
        return pack(Reason.HEIGHT, 0, 0)
    return 0


@inner(int64(M, int64, int64))
def why_not_area(m, char, reach):
    """Returns 0 if an area attack would affect a piece (R15.20)."""
    for other in range(int(m.chars)):
        if other != char and m.life[other] == Life.ALIVE and m.tile[other] >= 0:
            if tile_distance(int(m.tile[char]), int(m.tile[other])) <= reach:
                return 0
    return pack(Reason.NO_TARGET, 0, reach)


@inner(int64(M, int64, int64, int64, int64))
def why_not_selection(m, char, target, range_type, reach):
    """Returns 0 if `target` may be selected, or for target -1 if anybody may (A6 rows 9 and 10)."""
    if m.tile[char] < 0:
        return pack(Reason.NO_TARGET, 0, 0)
    if range_type == RangeType.Area:
        return why_not_area(m, char, reach)
    if target >= 0:
        return why_not_target(m, char, target, range_type, reach)
    worst = pack(Reason.NO_TARGET, 0, 0)
    for other in range(int(m.chars)):
        if other == char or m.life[other] != Life.ALIVE:
            continue
        why = why_not_target(m, char, other, range_type, reach)
        if why == 0:
            return 0
        if why & 0xFFFF > worst & 0xFFFF:
            worst = why
    return worst


@inner(int64(M, P, int64, int64, int64, int64))
def why_not_use(m, p, char, card, target, hand):
    """Returns 0 if a hero may activate the bar of a table card, or of a hand card if `hand` (ACT_USE_TABLE, ACT_USE_HAND)."""
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    zone = int(m.zone[card])
    if hero_of(card) != char or (zone != Zone.HAND if hand != 0 else is_listed_table(zone) == 0):
        return pack(Reason.WRONG_ZONE, 0, 0)
    if has_flag(m, card, Flag.FACE_DOWN) != 0:
        return pack(Reason.HIDDEN, 0, 0)
    ident = p.card[m.ident[card]]
    if has_flag(m, card, Flag.USABLE) == 0:
        return pack(Reason.KNOWLEDGE, int(ident.level), 0)
    if ident.has_damage == 0 or ident.suit == Suit.Companion:
        return pack(Reason.INERT, 0, 0)
    if m.ap[char] < ident.action:
        return pack(Reason.AP, int(ident.action), int(m.ap[char]))
    if ident.suit == Suit.Skill:
        stamina, mana, essence = int(ident.stamina), int(ident.mana), int(ident.essence)
        if can_pay_energy(m, p, char, stamina, mana, essence, int(ident.colour)) == 0:
            return pack(Reason.ENERGY, stamina + mana + essence, 0)
    return why_not_selection(m, char, target, int(ident.range_type), range_value(m, p, char, card))


@inner(int64(M, P, int64, int64))
def needs_slot(m, p, hero, card):
    """Returns 1 unless a card goes on the table without a slot (R21.2, R22.2)."""
    ident = p.card[m.ident[card]]
    if ident.traits & Trait.ULTIMATUM != 0:
        return 0
    return 0 if ident.lignum != 0 and m.lignum[hero] < m.level[hero] else 1


@inner(int64(M, P, int64, int64))
def why_no_room(m, p, hero, card):
    """Returns 0 if the table has room for a card: slot, then specifier (A6 row 11)."""
    ident = p.card[m.ident[card]]
    area = int(ident.suit) - Suit.Item
    if needs_slot(m, p, hero, card) != 0 and m.slots_used[hero, area] >= m.slots[hero, area]:
        return pack(Reason.SLOT, int(m.slots_used[hero, area]) + 1, int(m.slots[hero, area]))
    if ident.suit == Suit.Item and int(m.specifiers[hero]) & int(ident.traits) & 31 != 0:
        return pack(Reason.SPECIFIER, 1, 0)
    return 0


@inner(int64(M, P, int64, int64, int64))
def why_not_place(m, p, char, card, cost):
    """Returns 0 if a hero may put a hand card on its table for `cost` AP (ACT_PLACE, A3.7)."""
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    if hero_of(card) != char or m.zone[card] != Zone.HAND:
        return pack(Reason.WRONG_ZONE, 0, 0)
    suit = int(p.card[m.ident[card]].suit)
    if suit != Suit.Item and suit != Suit.Skill:
        return pack(Reason.WRONG_SUIT, 0, 0)
    if has_flag(m, card, Flag.USABLE) == 0:
        return pack(Reason.KNOWLEDGE, int(p.card[m.ident[card]].level), 0)
    if m.ap[char] < cost:
        return pack(Reason.AP, cost, int(m.ap[char]))
    return why_no_room(m, p, char, card)


@inner(int64(M, int64, int64))
def why_not_withdraw(m, char, card):
    """Returns 0 if a hero may take a table card back to its hand (ACT_WITHDRAW)."""
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    if hero_of(card) != char or is_listed_table(int(m.zone[card])) == 0:
        return pack(Reason.WRONG_ZONE, 0, 0)
    if m.ap[char] < TABLE_AP:
        return pack(Reason.AP, TABLE_AP, int(m.ap[char]))
    if m.hand_n[char] >= m.hand_limit[char]:
        return pack(Reason.HAND_FULL, int(m.hand_n[char]) + 1, int(m.hand_limit[char]))
    return 0


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


@inner(int64(M, int64, int64, int64))
def has_exit(m, char, tile, ap):
    """Returns 1 if a character on a teammate's tile could afford a step to an empty tile (ACT_MOVE)."""
    for direction in range(4):
        near = neighbour(m, tile, direction)
        if near >= 0 and is_empty(m, near) != 0 and step_cost(m, char, tile, near) <= ap:
            return 1
    return 0


@inner(int64(M, int64, int64))
def why_not_step(m, char, tile):
    """Returns 0 if a character may step to a tile (A6 row 14; R15.4, R15.5, R15.8, R15.10)."""
    origin = int(m.tile[char])
    if origin < 0 or tile < 0 or tile_distance(origin, tile) != 1:
        return pack(Reason.NOT_ADJACENT, 0, 0)
    if is_open(m, tile) == 0:
        return pack(Reason.TILE_STATE, 0, 0)
    if m.terrain[tile] == Terrain.aqua:
        return pack(Reason.TERRAIN, 0, 0)
    other = int(m.piece[tile])
    if other >= 0 and (m.team[other] != m.team[char] or m.kind[other] > CharKind.DUMMY):
        return pack(Reason.OCCUPIED, 0, 0)
    cost = step_cost(m, char, origin, tile)
    if m.ap[char] < cost:
        return pack(Reason.AP, cost, int(m.ap[char]))
    if other >= 0 and has_exit(m, char, tile, int(m.ap[char]) - cost) == 0:
        return pack(Reason.NO_EXIT, 0, 0)
    return 0


@inner(int64(M, int64, int64))
def why_not_move(m, char, tile):
    """Returns 0 if a character may step to `tile`, or for -1 to any tile (ACT_MOVE)."""
    if tile >= 0:
        return why_not_step(m, char, tile)
    worst = pack(Reason.NOT_ADJACENT, 0, 0)
    if m.tile[char] < 0:
        return worst
    for direction in range(4):
        near = neighbour(m, int(m.tile[char]), direction)
        if near >= 0:
            why = why_not_step(m, char, near)
            if why == 0:
                return 0
            worst = why
    return worst


@inner(int64(M, int64, int64))
def why_not_normal_attack(m, char, target):
    """Returns 0 if a character may make a Normal Attack (ACT_NORMAL_ATTACK; R17.18)."""
    if m.ap[char] < NORMAL_ATTACK_AP:
        return pack(Reason.AP, NORMAL_ATTACK_AP, int(m.ap[char]))
    return why_not_selection(m, char, target, RangeType.Direct, 1)


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


@inner(int64(M, P, int64, int64, int64, int64))
def why_not(m, p, char, kind, card, target):
    """Returns 0 if a turn action is legal, else its packed reason (ARENA A6).

    Args:
        char: acting character.
        kind: codes.Kind.
        card: card copy, or -1 for actions without one.
        target: character, or tile for a move; -1 asks whether any would do.
    """
    why = why_not_actor(m, char)
    if why != 0:
        return why
    if is_sharing(m, char) != 0 and kind != Kind.MOVE:
        return pack(Reason.SHARING, 0, 0)
    if kind == Kind.END_TURN:
        return 0
    if kind == Kind.MOVE:
        return why_not_move(m, char, target)
    if kind == Kind.NORMAL_ATTACK:
        return why_not_normal_attack(m, char, target)
    if kind == Kind.USE_TABLE:
        return why_not_use(m, p, char, card, target, 0)
    if kind == Kind.USE_HAND:
        return why_not_use(m, p, char, card, target, 1)
    if kind == Kind.PLACE:
        return why_not_place(m, p, char, card, TABLE_AP)
    if kind == Kind.WITHDRAW:
        return why_not_withdraw(m, char, card)
    if kind == Kind.REST:
        return why_not_rest(m, p, char)
    return pack(Reason.NO_SUCH, 0, 0)


@inner(int64(M, int64))
def agility(m, char):
    """Returns the AGI that sets a character's AP (R3.3.1)."""
    return int(m.attr[char, Attribute.AGI])
