"""Why an action is not legal: the one source of masks and explanations (ARENA A6).

`why_not` checks a turn action in the order of ARENA A6 and packs the first failing reason with the value needed and the value
had; 0 means legal. Masks enumerate candidates and call it, `explain` decodes an action and calls it.
"""

from __future__ import annotations

from numba import int64

from ..vocabulary import Attribute, RangeType, Suit
from .board import is_access, is_empty, is_sharing
from .codes import Decision, Flag, Kind, Life, Phase, Reason, Trait, Zone
from .companions import (
    has_piece,
    technique_of,
    why_not_attach,
    why_not_bar,
    why_not_detach,
    why_not_dismiss,
    why_not_recruit,
    why_not_summon,
    why_not_unsummon,
)
from .compiler import inner, local_array
from .completeness import is_incomplete, needs_slot
from .costs import ANY, NEED, can_pay_energy, is_energy
from .entities import ENTITY_ENERGY, entity_level
from .evolution import why_not_evolve
from .layout import COPIES, HEROES, M, P
from .movement import may_share, why_not_move
from .objects import why_not_loot, why_not_push
from .opcodes import Need, Q, Rule, Select
from .pieces import sheet_of
from .prices import pack
from .readings import entity_of
from .requirements import is_team_effect, why_not_activate, why_not_use
from .standing import has_rule, has_rule_for, modify
from .tally import REASONS, note
from .targets import why_not_selection
from .values import value
from .zones import has_flag, hero_of, is_listed_table, is_table, table_card

NORMAL_ATTACK_AP = 3  # R17.18
TABLE_AP = 2  # R17.2, R17.3
REST_HP = 10  # R17.10
REST_ENERGY = 2
OPTION_ROWS = 15  # effects or techniques told apart by the OPTION codes


@inner(int64(M, P, int64, int64))
def table_cost(m, p, hero, card):
    """Returns the AP that moves a card between hand and table (R17.2, R17.3, R7.6.8)."""
    return max(0, modify(m, p, Q.COST_TABLE, -1, TABLE_AP, hero, card, -1, -1, -1))


@inner(int64(M, P, int64, int64, int64))
def why_no_room_in(m, p, hero, card, area):
    """Returns 0 if a table area (0 Equipment, 1 Memento, 2 Support) has room for a card: slot, then specifier (A6 row 11)."""
    ident = p.card[m.ident[card]]
    if ident.suit == Suit.Event:
        # the Extra Zone has no slots (R2.8.3)
        return 0
    if needs_slot(m, p, hero, card) != 0 and m.slots_used[hero, area] >= m.slots[hero, area]:
        return pack(Reason.SLOT, int(m.slots_used[hero, area]) + 1, int(m.slots[hero, area]))
    if ident.suit == Suit.Item and int(m.specifiers[hero]) & int(ident.traits) & 31 != 0:
        return pack(Reason.SPECIFIER, 1, 0)
    if ident.traits & Trait.MOUNT != 0:
        # one Mount per Hero (R19.13)
        for i in range(int(m.table_n[hero])):
            if p.card[m.ident[table_card(m, hero, i)]].traits & Trait.MOUNT != 0:
                return pack(Reason.RULE, 0, 0)
    if ident.traits & Trait.UNIQUE_COPY != 0:
        for i in range(int(m.table_n[hero])):
            if m.ident[table_card(m, hero, i)] == m.ident[card] and table_card(m, hero, i) != card:
                return pack(Reason.RULE, 0, 0)
    return pack(Reason.RULE, 0, 0) if has_rule_for(m, p, hero, 0 + Rule.CANNOT_EQUIP, card, -1) != 0 else 0


@inner(int64(M, P, int64, int64))
def why_no_room(m, p, hero, card):
    """Returns 0 if the table has room for a card in the area of its suit."""
    return why_no_room_in(m, p, hero, card, int(p.card[m.ident[card]].suit) - Suit.Item)


@inner(int64(M, P, int64, int64, int64, int64))
def why_not_place(m, p, char, card, free, tile):
    """Returns 0 if a hero may put a hand card on its table (ACT_PLACE), for no AP if `free` (A3.7).

    Args:
        tile: where the piece of a Human or Creature enters, -1 anywhere.
    """
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    if hero_of(card) != char or m.zone[card] != Zone.HAND:
        return pack(Reason.WRONG_ZONE, 0, 0)
    suit = int(p.card[m.ident[card]].suit)
    if suit < Suit.Item or (suit == Suit.Event and int(p.card[m.ident[card]].traits) & Trait.FROM_TABLE == 0):
        return pack(Reason.WRONG_SUIT, 0, 0)
    if has_flag(m, card, Flag.USABLE) == 0:
        return pack(Reason.KNOWLEDGE, int(p.card[m.ident[card]].level), 0)
    cost = table_cost(m, p, char, card) if free == 0 else 0
    if m.ap[char] < cost:
        return pack(Reason.AP, cost, int(m.ap[char]))
    why = why_no_room(m, p, char, card)
    if why == 0 and suit == Suit.Companion:
        why = why_not_recruit(m, p, char, card)
        if why == 0 and tile >= 0 and has_piece(m, p, card) != 0:
            if is_access(m, int(m.team[char]), tile) == 0 or is_empty(m, tile) == 0:
                return pack(Reason.ACCESS, 0, 0)
    return why


@inner(int64(M, P, int64, int64))
def why_not_withdraw(m, p, char, card):
    """Returns 0 if a hero may take a table card back to its hand (ACT_WITHDRAW)."""
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    if hero_of(card) != char or is_listed_table(int(m.zone[card])) == 0:
        return pack(Reason.WRONG_ZONE, 0, 0)
    cost = table_cost(m, p, char, card)
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
    needed = entity_level(m, p, char, card)
    if needed != 0:
        return pack(Reason.HERO_LEVEL, needed, int(m.level[char]))
    if has_rule(m, p, char, Rule.CANNOT_AWAKEN) != 0:
        return pack(Reason.RULE, 0, 0)
    need = local_array(NEED)
    need[ANY] = ENTITY_ENERGY
    return 0 if can_pay_energy(m, p, char, need) != 0 else pack(Reason.ENERGY, ENTITY_ENERGY, 0)


@inner(int64(M, P, int64))
def normal_attack_cost(m, p, char):
    """Returns the AP of a Normal Attack (R17.18, R7.6.8)."""
    return max(0, modify(m, p, Q.NORMAL_AP, -1, NORMAL_ATTACK_AP, char, -1, -1, -1, -1))


@inner(int64(M, P, int64, int64))
def why_not_normal_attack(m, p, char, target):
    """Returns 0 if a character may make a Normal Attack (ACT_NORMAL_ATTACK; R17.18)."""
    cost = normal_attack_cost(m, p, char)
    if m.ap[char] < cost:
        return pack(Reason.AP, cost, int(m.ap[char]))
    return why_not_selection(m, p, char, target, -1, RangeType.Direct, 1)


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
    if card < 0 or m.ident[card] < 0 or (char >= HEROES and zone != Zone.SCENARIO):
        return pack(Reason.NO_SUCH, 0, 0)
    if m.zone[card] != zone or (zone != Zone.SCENARIO and hero_of(card) != char and card < HEROES * COPIES):
        return pack(Reason.WRONG_ZONE, 0, 0)
    return why_not_use(m, p, char, card, effect, target)


@inner(int64(M, P, int64, int64, int64, int64))
def why_not_team_use(m, p, char, card, effect, target):
    """Returns 0 if a character may activate a From Team Member card of its team, not its own (ACT_USE_TEAM; R6.6.5)."""
    if card < 0 or m.ident[card] < 0 or card >= HEROES * COPIES:
        return pack(Reason.NO_SUCH, 0, 0)
    hero = hero_of(card)
    if hero == char or m.team[hero] != m.team[char] or m.life[hero] != Life.ALIVE or is_table(int(m.zone[card])) == 0:
        return pack(Reason.WRONG_ZONE, 0, 0)
    ident = p.card[m.ident[card]]
    best = pack(Reason.WRONG_ZONE, 0, 0)
    for k in range(int(ident.effect_first), int(ident.effect_first) + int(ident.effect_n)):
        if (effect >= 0 and k != effect) or is_team_effect(m, p, k) == 0:
            continue
        best = why_not_activate(m, p, char, card, k, -1, -1, target)
        if best == 0:
            return 0
    return best


@inner(int64(M, P, int64, int64, int64, int64))
def why_not_strike(m, p, char, technique, effect, target):
    """Returns 0 if what the effect of a technique's attack asks, of the target too, holds (R6.8.5, R7.1.1, R7.7.1)."""
    e = p.effect[effect]
    card = int(m.body[char])
    if e.condition >= 0 and value(m, p, e.condition, -1, -1, card, char, char, card) == 0:
        return pack(Reason.CONDITION, 0, 0)
    test = int(e.filter) if e.select == Select.CHAR else -1
    if test < 0 and (int(e.needs) & Need.OF_TARGET == 0 or p.technique[technique].range_type == RangeType.Area):
        return pack(Reason.INCOMPLETE, 1, 0) if is_incomplete(m, p, char, card, effect, -1, -1) != 0 else 0
    best = pack(Reason.NO_TARGET, 0, 0)
    for other in range(int(m.chars)):
        if target >= 0 and other != target or test >= 0 and value(m, p, test, -1, -1, card, char, other, -1) == 0:
            continue
        if why_not_bar(m, p, char, technique, other) == 0:
            if is_incomplete(m, p, char, card, effect, -1, other) == 0:
                return 0
            best = pack(Reason.INCOMPLETE, 1, 0)
    return best


@inner(int64(M, P, int64, int64, int64))
def why_not_technique(m, p, char, technique, target):
    """Returns 0 if a Companion may use a technique of its card, any for -2 (ACT_TECHNIQUE; R19.6, R7.2.3)."""
    if char < HEROES or sheet_of(m, char) < 0:
        return pack(Reason.NO_SUCH, 0, 0)
    best = pack(Reason.NO_SUCH, 0, 0)
    for k in range(OPTION_ROWS):
        row = technique_of(m, p, char, max(-1, int(m.body[char])), k)
        if row < 0:
            break
        if technique >= 0 and k != technique:
            continue
        why = why_not_bar(m, p, char, row, target)
        effect = int(p.technique[row].effect)
        if why == 0 and p.technique[row].has_damage != 0 and effect >= 0:
            why = why_not_strike(m, p, char, row, effect, target)
        if why == 0 and p.technique[row].has_damage == 0:
            why = pack(Reason.INERT, 0, 0) if effect < 0 else 0
            if why == 0:
                why = why_not_activate(m, p, char, int(m.body[char]), effect, -1, -1, target)
        if why == 0:
            return 0
        best = why
    return best


@inner(int64(M, P, int64, int64, int64))
def why_not_extra(m, p, char, kind, card):
    """Returns 0 if a hero may recover a Collegium, or discard a Sheet card of its Extra Zone (R22.4, R3.7.8)."""
    if card < 0 or m.ident[card] < 0 or char >= HEROES:
        return pack(Reason.NO_SUCH, 0, 0)
    ident = p.card[m.ident[card]]
    if hero_of(card) != char or m.zone[card] != Zone.EXTRA or ident.suit > Suit.Entity:
        return pack(Reason.WRONG_ZONE, 0, 0)
    if kind == Kind.DROP_EXTRA:
        return pack(Reason.ALL_IN_SPOILED, 0, 0) if m.turn_spoiled != 0 else 0
    if int(ident.traits) & Trait.COLLEGIUM == 0:
        return pack(Reason.WRONG_SUIT, 0, 0)
    if m.ap[char] < ident.action:
        return pack(Reason.AP, int(ident.action), int(m.ap[char]))
    return 0 if has_flag(m, card, Flag.EXHAUSTED) != 0 else pack(Reason.NOTHING_TO_GAIN, 0, 0)


@inner(int64(M, P, int64, int64))
def why_not_act(m, p, char, kind):
    """Returns 0 if a character may declare turn actions of a kind now (A6 rows 1 and 2; R15.10)."""
    if kind == Kind.CONCEDE:
        # at any time (A5.1, A7.5); never among the options of a question
        return 0
    if m.phase != Phase.MAIN or m.turn_char != char:
        return pack(Reason.NOT_YOUR_TURN, 0, 0)
    if m.pending != Decision.TURN and (m.d_kind < 0 or m.d_kind >= Kind.REACT):
        return pack(Reason.NOT_ASKED, 0, 0)
    if m.life[char] != Life.ALIVE:
        # a death ends the turn (R16.8): only a constructed position has this
        return pack(Reason.DEAD, 0, 0)
    if kind != Kind.MOVE and is_sharing(m, char) != 0 and may_share(m, p, char, int(m.tile[char])) == 0:
        return pack(Reason.SHARING, 0, 0)
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64))
def judge_kind(m, p, char, kind, card, effect, target):
    """Judges a turn action of a character that may act (see `why_not`, `why_not_act`)."""
    if kind == Kind.CONCEDE:
        return 0
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
    if kind == Kind.USE_TEAM:
        return why_not_team_use(m, p, char, card, effect, target)
    if kind == Kind.PLACE:
        return why_not_place(m, p, char, card, 0, target)
    if kind == Kind.WITHDRAW:
        return why_not_withdraw(m, p, char, card)
    if kind == Kind.SUMMON:
        return why_not_summon(m, p, char, card, target)
    if kind == Kind.UNSUMMON:
        return why_not_unsummon(m, char, card)
    if kind == Kind.ATTACH:
        return why_not_attach(m, p, char, card, target)
    if kind == Kind.DETACH:
        return why_not_detach(m, p, char, card)
    if kind == Kind.TECHNIQUE:
        return why_not_technique(m, p, char, effect, target)
    if kind == Kind.AWAKEN or kind == Kind.SLEEP:
        return why_not_entity(m, p, char, kind)
    if kind == Kind.REST:
        return why_not_rest(m, p, char)
    if kind == Kind.EVOLVE:
        return why_not_evolve(m, p, char, card)
    if kind == Kind.LOOT:
        return why_not_loot(m, p, char, card)
    if kind == Kind.PUSH:
        return why_not_push(m, char, target, effect)
    if kind == Kind.COLLEGIUM or kind == Kind.DROP_EXTRA:
        return why_not_extra(m, p, char, kind, card)
    return pack(Reason.NO_SUCH, 0, 0)


@inner(int64(M, P, int64, int64, int64, int64, int64))
def why_not_kind(m, p, char, kind, card, effect, target):
    """Returns 0 if a turn action is legal for a character that may act, see `judge_kind`."""
    why = judge_kind(m, p, char, kind, card, effect, target)
    note(p, REASONS, why & 0xFFFF)
    return why


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
    why = why_not_act(m, p, char, kind)
    if why == 0:
        return why_not_kind(m, p, char, kind, card, effect, target)
    note(p, REASONS, why & 0xFFFF)
    return why


@inner(int64(M, int64))
def agility(m, char):
    """Returns the AGI that sets a character's AP (R3.3.1)."""
    return int(m.attr[char, Attribute.AGI])
