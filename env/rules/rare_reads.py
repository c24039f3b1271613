"""What few cards ask of the match (`opcodes.Rare`): the dispatch of the items X.RARE and X.RARE_ONE."""

from __future__ import annotations

from numba import int64

from .codes import Frame
from .compiler import inner
from .layout import CARDS, CHARS, FURTHER, FURTHER_DUE, HEROES, M, P
from .levels import success_level
from .opcodes import OPERAND, Rare
from .rare import (
    DEATH_STINT,
    FATE_PAID,
    FOUGHT,
    REROLLED,
    SPAWNED,
    counters_near,
    counters_of,
    depth_of,
    entity_slot_card,
    has_team_copy,
    is_awaited,
    is_connected,
    is_free_around,
    is_in_sight,
    is_made_by,
    is_near,
    is_obstructed,
    is_on_line,
    is_slot_free,
    is_tied,
    lignum_of,
    piece_of,
    reach_of,
    roll_bar,
)
from .registers import A_HP, C_DIFFICULTY, C_KNOW, C_RESULT, W_CHECK
from .unlocking import is_unlocked
from .zones import has_flag


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def read_rare_char(m, p, what, operand, a, fr, attack, this, you):
    """Reads what is asked about a character; 0 for none."""
    if a < 0 or a >= CHARS:
        return 0
    if what == Rare.ON_LINE:
        agent = you
        target = int(m.frame[fr].target) if fr >= 0 else -1
        if attack >= 0:
            agent = int(m.frame[attack].char)
            target = int(m.frame[attack].target)
        if agent < 0 or target < 0:
            return 0
        reach = reach_of(m, p, fr, attack, this, agent)
        return is_on_line(m, int(m.tile[agent]), int(m.tile[target]), int(m.tile[a]), reach)
    if what == Rare.SLOT_FREE:
        return is_slot_free(m, p, int(m.owner[a]))
    if what == Rare.ENTITY_LEVEL:
        card = entity_slot_card(m, a) if a < HEROES else -1
        return int(p.card[m.ident[card]].order) if card >= 0 else 0
    if what == Rare.NEAR_TERRAIN:
        return is_near(m, int(m.tile[a]), operand) if m.tile[a] >= 0 else 0
    if what == Rare.FOUGHT:
        return 1 if int(m.deeds[a]) & FOUGHT != 0 else 0
    if what == Rare.FURTHER_TURN:
        return 1 if m.acted[a] == FURTHER else (2 if m.acted[a] == FURTHER_DUE else 0)
    if what == Rare.ANY_MARKER:
        return 1 if m.markers[a] != 0 else 0
    if what == Rare.TILE_OF:
        return int(m.tile[a])
    if what == Rare.COUNTERS_OF:
        return counters_of(m, a, operand)
    if what == Rare.COUNTERS_NEAR:
        return counters_near(m, a, operand)
    if what == Rare.IN_SIGHT:
        return is_in_sight(m, piece_of(m, this, you) if operand != 0 else you, a)
    if what == Rare.LIGNUM_OF:
        return lignum_of(m, p, a)
    if what == Rare.STINTS_DEAD:
        return int(m.stint) - int(m.deeds[a]) // DEATH_STINT
    if what == Rare.DEED:
        return 1 if int(m.deeds[a]) & (1 << operand) != 0 else 0
    if what == Rare.AWAITED:
        return is_awaited(m, this, a, operand)
    if what == Rare.CONNECTED:
        return is_connected(m, int(m.frame[attack].target) if attack >= 0 else int(m.frame[fr].target) if fr >= 0 else -1, a)
    if what == Rare.LINKED:
        return is_tied(m, this, int(m.tile[a])) if m.tile[a] >= 0 else 0
    if what == Rare.SLOTS:
        return int(m.slots[a, operand]) if a < HEROES else 0
    if what == Rare.FREE_AROUND:
        return is_free_around(m, a, int(m.tile[you]) if operand != 0 and you >= 0 else -1)
    if what == Rare.MADE:
        return is_made_by(m, this, a)
    return 0


@inner(int64(M, P, int64, int64, int64, int64))
def read_rare_card(m, p, what, operand, a, you):
    """Reads what is asked about a card copy; 0 for none."""
    if a < 0 or a >= CARDS or m.ident[a] < 0:
        return 0
    if what == Rare.FLAG:
        return has_flag(m, a, operand)
    if what == Rare.PRINTED_ATTR:
        return int(p.card[m.ident[a]].attributes[operand])
    if what == Rare.BAR_ATTR:
        return 1 if p.card[m.ident[a]].has_damage != 0 and p.card[m.ident[a]].damage_attr == operand else 0
    if what == Rare.DEPTH:
        return depth_of(m, a)
    if what == Rare.TEAM_COPY:
        return has_team_copy(m, a, you)
    if what == Rare.RARITY:
        return int(p.card[m.ident[a]].rarity)
    if what == Rare.ANY_COUNTER:
        for k in range(int(m.counters)):
            if m.counter_card[k] == a and m.counter_n[k] > 0:
                return 1
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def read_rare(m, p, arg, a, fr, ev, attack, this, you):
    """Reads an item X.RARE or X.RARE_ONE.

    Args:
        arg: opcodes.Rare + OPERAND * its operand. a: what it takes from the stack.
        fr, ev, this, you: the context, see `values`. attack: the running attack frame, -1 none.
    """
    what = arg % OPERAND
    operand = arg // OPERAND
    if what == Rare.REACH:
        return reach_of(m, p, fr, attack, this, you)
    if what == Rare.UNLOCKED:
        if this < 0 or operand >= p.card[m.ident[this]].technique_n:
            return 0
        return is_unlocked(m, p, this, int(p.card[m.ident[this]].technique_first) + operand)
    if what == Rare.OBSTRUCTED:
        return is_obstructed(m, attack) if attack >= 0 else 0
    if what == Rare.CREATED:
        for k in range(int(m.mods)):
            if m.modifier[k].mod == SPAWNED and m.modifier[k].card == this and m.tile[m.modifier[k].char] >= 0:
                return int(m.modifier[k].char)
        return -1
    if what == Rare.TECHNIQUE_AP:
        if this < 0 or operand >= p.card[m.ident[this]].technique_n:
            return 0
        return int(p.technique[p.card[m.ident[this]].technique_first + operand].action)
    if what == Rare.BAR_ROLL:
        return roll_bar(m, p, fr, this, you, operand, 1)
    if what == Rare.CARD_ROLL:
        return roll_bar(m, p, -1, a, you, 0, operand) if 0 <= a < CARDS and m.ident[a] >= 0 else 0
    if what == Rare.HURT_BEFORE:
        return int(m.frame[attack].reg[A_HP]) if attack >= 0 else 0
    of_check = what == Rare.LACKED or what == Rare.DIFFICULTY or what == Rare.NOT_REROLLED or what == Rare.PAID_FATE
    if of_check or what == Rare.CHECK_LEVEL:
        at = ev
        if at >= 0 and m.frame[at].kind == Frame.WINDOW:
            at = int(m.frame[at].reg[W_CHECK]) - 1
        if at < 0 or m.frame[at].kind != Frame.CHECK:
            # in what follows the check its result stands
            return success_level(int(m.check_result), int(m.check_difficulty)) if what == Rare.CHECK_LEVEL else 0
        if what == Rare.CHECK_LEVEL:
            return success_level(int(m.frame[at].reg[C_RESULT]), int(m.frame[at].reg[C_DIFFICULTY]))
        if what == Rare.DIFFICULTY:
            return int(m.frame[at].reg[C_DIFFICULTY])
        if what == Rare.NOT_REROLLED:
            return 1 if int(m.frame[at].flags) & REROLLED == 0 else 0
        if what == Rare.PAID_FATE:
            return 1 if int(m.frame[at].flags) & FATE_PAID != 0 else 0
        know = int(m.frame[at].reg[C_KNOW])
        char = int(m.frame[at].char)
        return 1 if know >= 0 and (char >= HEROES or m.knowledge[char, know] == 0) else 0
    of_card = what == Rare.FLAG or what == Rare.RARITY or what == Rare.ANY_COUNTER or what == Rare.TEAM_COPY
    if of_card or Rare.BAR_ATTR <= what < Rare.SLOTS:
        return read_rare_card(m, p, what, operand, a, you)
    return read_rare_char(m, p, what, operand, a, fr, attack, this, you)
