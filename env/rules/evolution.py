"""Evolving a Companion: what may replace it, the price, the replacement (R19.8, R5.11)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Path, Suit
from .codes import Change, CharKind, Decision, Flag, Frame, Life, Reason, Zone
from .compiler import inner
from .damage import payable_below
from .derive import level_hp
from .layout import ATTRIBUTES, CARDS, HEROES, M, P
from .moves import relocate
from .prices import pack
from .stack import ask, pop, push
from .zones import hand_card, has_flag, hero_of

EVOLUTION_XP = 3  # R19.8


@inner(int64(M, P, int64, int64))
def is_next_form(m, p, char, card):
    """Returns 1 if a hand card is of the type and Path of a Companion and one level higher (R19.8)."""
    old = p.card[m.ident[m.body[char]]]
    new = p.card[m.ident[card]]
    if new.suit != Suit.Companion or new.companion_type != old.companion_type or new.level != old.level + 1:
        return 0
    return 1 if new.path == old.path and old.path != Path.Absent else 0


@inner(int64(M, P, int64, int64))
def why_not_evolve(m, p, char, card):
    """Returns 0 if a Companion may evolve to a card of its Hero's hand, to any for -1 (ACT_EVOLVE; R19.8)."""
    if char < HEROES or m.kind[char] != CharKind.COMPANION or m.body[char] < 0:
        return pack(Reason.NO_SUCH, 0, 0)
    hero = int(m.owner[char])
    worst = pack(Reason.NO_TARGET, 0, 0)
    if card >= 0:
        if m.ident[card] < 0 or hero_of(card) != hero or m.zone[card] != Zone.HAND:
            return pack(Reason.WRONG_ZONE, 0, 0)
        worst = pack(Reason.WRONG_SUIT, 0, 0)
    for i in range(int(m.hand_n[hero])):
        new = hand_card(m, hero, i)
        if (card >= 0 and new != card) or is_next_form(m, p, char, new) == 0:
            continue
        worst = 0
        if has_flag(m, new, Flag.USABLE) != 0:
            break
        worst = pack(Reason.KNOWLEDGE, int(p.card[m.ident[new]].level), 0)
    if worst != 0:
        return worst
    if m.turn_spoiled != 0:
        return pack(Reason.ALL_IN_SPOILED, 0, 0)
    have = payable_below(m, p, hero, 32000, 0 + Suit.Skill) if m.life[hero] == Life.ALIVE else 0
    return 0 if have >= EVOLUTION_XP else pack(Reason.REQUIREMENT, EVOLUTION_XP, have)


@inner(void(M, int64, int64))
def start_evolution(m, char, card):
    """Opens the payment of an evolution (R19.8)."""
    at = push(m, Frame.EVOLVE)
    f = m.frame[at]
    f.char = char
    f.card = card
    f.reg[0] = EVOLUTION_XP
    f.reg[1] = 32000
    f.reg[2] = Suit.Skill


@inner(void(M, P, int64, int64))
def evolve(m, p, char, new):
    """Replaces a Companion's card: counters, attachments and damage stay, the old card lies beneath (R5.11, R19.8)."""
    old = int(m.body[char])
    for k in range(int(m.counters)):
        if m.counter_card[k] == old:
            m.counter_card[k] = new
    for card in range(CARDS):
        if m.ident[card] >= 0 and m.zone[card] == Zone.ATTACHED and m.host[card] == old:
            m.host[card] = new
    m.body[char] = new
    relocate(m, p, old, 0 + Zone.ATTACHED, 1, -1)
    m.host[old] = new
    m.flags[old] = int(m.flags[old]) | Flag.BENEATH
    relocate(m, p, new, 0 + Zone.SUPPORT, 1, -1)
    m.flags[new] = int(m.flags[new]) | Flag.SUMMONED | Flag.EVOLVED
    lost = int(m.max_hp[char]) - int(m.hp[char])
    m.max_hp[char] += level_hp(m, CharKind.COMPANION, int(p.card[m.ident[new]].level)) - m.base_hp[char]
    m.base_hp[char] = level_hp(m, CharKind.COMPANION, int(p.card[m.ident[new]].level))
    m.hp[char] = max(1, m.max_hp[char] - lost)
    for a in range(ATTRIBUTES):
        m.base_attr[char, a] = p.card[m.ident[new]].attributes[a]
    m.dirty = int(m.dirty) | Change.CARDS


@inner(void(M, P))
def step_evolve(m, p):
    """Asks the Hero for Skills until the price is paid; then the Companion is replaced."""
    f = m.frame[m.sp - 1]
    char = int(f.char)
    card = int(f.card)
    if f.reg[0] > 0:
        ask(m, Decision.PAY_CARDS, int(m.owner[char]), int(f.reg[0]), 0)
        return
    pop(m)
    evolve(m, p, char, card)
