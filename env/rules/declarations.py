"""A complete declaration is carried out: what each first action does (ARENA A5.1)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Activation, CompanionType, Suit
from .activation import all_in, pay_ap, push_activation, rest
from .attack import start_attack
from .board import put_piece
from .codes import Change, Flag, Kind, Log, Zone
from .companions import attaching_cost, enter_piece, free_access, has_piece, technique_of
from .compiler import inner
from .energy import pay_energy
from .entities import fall_asleep, wake_up
from .evolution import start_evolution
from .hearing import EFFECTS, mark_done
from .layout import M, P
from .legality import normal_attack_cost, table_cost
from .movement import step_cost
from .moves import attach, recover_card, relocate, tell, tell_step
from .objects import loot, push_object
from .opcodes import Ev
from .pieces import leave_piece
from .standing import char_of
from .zones import hero_of, log


@inner(int64(M, P, int64))
def table_zone(m, p, card):
    """Returns the table area of a Resource card (R3.7.1)."""
    suit = int(p.card[m.ident[card]].suit)
    if suit == Suit.Item:
        return 0 + Zone.EQUIPMENT
    if suit == Suit.Event:
        return 0 + Zone.EXTRA
    return 0 + Zone.MEMENTO if suit == Suit.Skill else 0 + Zone.SUPPORT


@inner(void(M, P, int64, int64))
def enter_table(m, p, card, tile):
    """Lets the piece of a placed Human or Creature enter the board, and turns a Summon face down (R19.2)."""
    if p.card[m.ident[card]].suit != Suit.Companion:
        return
    if has_piece(m, p, card) != 0:
        enter_piece(m, p, card, tile if tile >= 0 else free_access(m, int(m.team[hero_of(card)])))
    elif p.card[m.ident[card]].companion_type == CompanionType.Summon:
        m.flags[card] = int(m.flags[card]) | Flag.FACE_DOWN
        m.dirty = int(m.dirty) | Change.CARDS


@inner(void(M, P, int64, int64))
def place_card(m, p, card, tile):
    """Puts a card on its table (R5.7)."""
    relocate(m, p, card, table_zone(m, p, card), 0, -1)
    enter_table(m, p, card, tile)


@inner(void(M, P))
def commit(m, p):
    """Carries out the drafted action: pays it and pushes what follows."""
    char = int(m.d_char)
    kind = int(m.d_kind)
    card = int(m.d_card)
    if kind == Kind.UPKEEP:
        pay_energy(m, p, char)
        m.d_kind = -1
        return
    m.actions += 1
    if kind == Kind.REACT:
        if m.d_event >= 0 and m.turn_char == char and p.effect[m.d_effect].activation == Activation.Activate:
            # a reaction of one's own choice in the own turn is an action of that turn (R6.5.4, R6.5.11)
            m.turn_spoiled = 1
        if m.d_event >= 0:
            mark_done(m, int(m.d_event), card * EFFECTS + int(m.d_effect) - int(p.card[m.ident[card]].effect_first))
        push_activation(m, p, char, max(-1, int(m.d_event)))
        m.d_kind = -1
        m.d_event = -1
        return
    m.turn_spoiled = 1
    m.turn_actions += 1
    log(m, p, Log.ACTION, char, kind, card, int(m.d_target))
    if kind == Kind.MOVE:
        tile = int(m.d_tile)
        m.ap[char] -= step_cost(m, p, char, int(m.tile[char]), tile)
        m.deeds[char] = int(m.deeds[char]) | 1
        put_piece(m, char, tile)
        log(m, p, Log.MOVE_PIECE, char, tile, 0, 0)
        tell_step(m, p, char, tile, -1)
    elif kind == Kind.TECHNIQUE and card < 0:
        row = technique_of(m, p, char, -1, int(m.d_technique))
        pay_ap(m, p, char, int(p.technique[row].action))
        start_attack(m, p, char, -1, -1, int(m.d_target), row + 1)
    elif kind == Kind.NORMAL_ATTACK:
        m.ap[char] -= normal_attack_cost(m, p, char)
        start_attack(m, p, char, -1, -1, int(m.d_target), 0)
    elif kind == Kind.PLACE:
        m.ap[char] -= table_cost(m, p, char, card)
        place_card(m, p, card, int(m.d_tile))
    elif kind == Kind.SUMMON:
        pay_energy(m, p, char)
        m.flags[card] = int(m.flags[card]) & ~Flag.FACE_DOWN
        enter_piece(m, p, card, int(m.d_tile))
        tell(m, p, Ev.REVEAL, card, 0, -1)
    elif kind == Kind.UNSUMMON:
        leave_piece(m, char_of(m, card))
        m.flags[card] = int(m.flags[card]) | Flag.FACE_DOWN
        m.dirty = int(m.dirty) | Change.CARDS
        tell(m, p, Ev.CONCEAL, card, 0, -1)
    elif kind == Kind.ATTACH:
        m.ap[char] -= attaching_cost(m, p, int(m.body[m.d_target]))
        attach(m, p, card, int(m.body[m.d_target]), -1)
    elif kind == Kind.DETACH:
        m.ap[char] -= attaching_cost(m, p, int(m.host[card]))
        relocate(m, p, card, 0 + Zone.HAND, 0, -1)
    elif kind == Kind.WITHDRAW:
        m.ap[char] -= table_cost(m, p, char, card)
        relocate(m, p, card, 0 + Zone.HAND, 0, -1)
    elif kind == Kind.REST:
        rest(m, p, char)
    elif kind == Kind.AWAKEN:
        pay_energy(m, p, char)
        wake_up(m, p, card)
    elif kind == Kind.SLEEP:
        fall_asleep(m, p, card)
    elif kind == Kind.EVOLVE:
        all_in(m, char)
        start_evolution(m, char, card)
    elif kind == Kind.LOOT:
        loot(m, p, char, card)
    elif kind == Kind.PUSH:
        push_object(m, p, char, int(m.d_target), int(m.d_tile))
    elif kind == Kind.COLLEGIUM:
        m.ap[char] -= p.card[m.ident[card]].action
        recover_card(m, p, card, 0)
    elif kind == Kind.DROP_EXTRA:
        all_in(m, char)
        relocate(m, p, card, 0 + Zone.DISCARD, 0, -1)
    else:
        push_activation(m, p, char, -1)
    m.d_kind = -1
