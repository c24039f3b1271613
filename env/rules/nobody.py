"""Cards of nobody that answer events: those of the scenario, and those of a discard pile without owner (R23, R8.3.1, R8.3.5).

"You" in them is each character concerned (R23.4). In the moment of a phase that is nobody's turn these are all of them: the
registers W_FROM and W_COST of its window say at which place of the scenario it is, and how many characters were served.
"""

from __future__ import annotations

from numba import int64

from ..vocabulary import Activation
from .codes import Life, Zone
from .compiler import inner
from .hearing import EFFECTS, is_away, is_heard, next_hearer, why_not_react
from .layout import CARDS, COPIES, HEROES, M, P
from .opcodes import PHASE_EVENTS, Ev, Need
from .readings import attack_of, is_attacked
from .registers import W_AT, W_COST, W_FROM
from .requirements import why_not_activate
from .standing import is_of_the_living
from .zones import hero_of


@inner(int64(M, int64, int64))
def concerned(m, at, k):
    """Returns the k-th character that the event of a window concerns, -1 when there are no more (R23.4).

    Whom it happens to, then the other side, of an attack everybody it is against; all by initiative where it is nobody's.
    """
    f = m.frame[at]
    phase = PHASE_EVENTS & (1 << int(f.event)) != 0
    if not phase and f.event != Ev.ATTACK or k == 0 and (f.char >= 0 or not phase):
        return max(0, int(f.char)) if k == 0 else (int(f.target) if k == 1 else -1)
    if phase and f.char >= 0:
        return -1
    attack = attack_of(m, at)
    for i in range(int(m.order_n)):
        other = int(m.order[i])
        if m.life[other] == Life.ALIVE and (phase or other != f.char and is_attacked(m, attack, other) != 0):
            if k == (0 if phase else 1):
                return other
            k -= 1
    return -1


@inner(int64(M, P, int64, int64, int64, int64))
def may_answer(m, p, card, effect, at, you):
    """Returns 1 if an effect of nobody's copy may take a window for a character: an Auto, or a choice in its turn (R23.2)."""
    e = p.effect[effect]
    if e.activation != Activation.Auto and (e.activation != Activation.Activate or you != m.turn_char):
        return 0
    return 1 if why_not_react(m, p, you, card, effect, at) == 0 else 0


@inner(int64(M, P, int64, int64, int64, int64))
def next_concerned(m, p, card, effect, at, k):
    """Returns from which of the characters concerned on, from the k-th, an effect may take a window; -1 of none."""
    f = m.frame[at]
    everybody = f.char < 0 and PHASE_EVENTS & (1 << int(f.event)) != 0
    while concerned(m, at, k) >= 0:
        if everybody and k > 0 and int(p.effect[effect].needs) & Need.OF_YOU == 0:
            # what does not speak of you happens once
            return -1
        if may_answer(m, p, card, effect, at, concerned(m, at, k)) != 0:
            return k
        k += 1
    return -1


@inner(int64(M, P, int64))
def scenario_reaction(m, p, at):
    """Returns the next scenario effect that takes a window as copy * EFFECTS + index, -1 none (R8.3.1, R23.1)."""
    f = m.frame[at]
    event = int(f.event)
    phase = PHASE_EVENTS & (1 << event) != 0
    place = 0
    first = 0
    served = 0
    if f.reg[W_AT] >= 0:
        place = int(m.scenario_n)
        for i in range(int(m.scenario_n)):
            if m.scenario[i] == f.reg[W_AT] // EFFECTS:
                place = i
                first = int(f.reg[W_AT]) % EFFECTS + (0 if phase else 1)
                served = int(f.reg[W_COST]) if phase else 0
        if place == m.scenario_n and phase:
            # it has left: the next one has its place
            place = int(f.reg[W_FROM])
    for i in range(place, int(m.scenario_n)):
        card = int(m.scenario[i])
        ident = p.card[m.ident[card]]
        if int(ident.hears) & (1 << event) == 0:
            continue
        for index in range(first if i == place else 0, int(ident.effect_n)):
            k = next_concerned(m, p, card, int(ident.effect_first) + index, at, served if i == place and index == first else 0)
            if k >= 0:
                if phase:
                    f.reg[W_FROM] = i
                    f.reg[W_COST] = k + 1
                return card * EFFECTS + index
    return -1


@inner(int64(M, P, int64))
def pile_reaction(m, p, at):
    """Returns the next effect of a discard pile without owner that takes a window, topmost first, -1 none (R8.3.5, R4.14)."""
    event = int(m.frame[at].event)
    last = int(m.frame[at].reg[W_AT])
    for card in range(CARDS - 1, HEROES * COPIES - 1, -1):
        if m.ident[card] < 0 or m.zone[card] != Zone.DISCARD or last >= 0 and card > last // EFFECTS:
            continue
        ident = p.card[m.ident[card]]
        if int(ident.hears) & (1 << event) == 0:
            continue
        for index in range(last % EFFECTS + 1 if card == last // EFFECTS else 0, int(ident.effect_n)):
            if next_concerned(m, p, card, int(ident.effect_first) + index, at, 0) >= 0:
                return card * EFFECTS + index
    return -1


@inner(int64(M, P, int64, int64, int64))
def whom_it_answers(m, p, card, effect, at):
    """Returns for whom an effect of nobody's copy takes a window."""
    f = m.frame[at]
    if m.zone[card] == Zone.SCENARIO and PHASE_EVENTS & (1 << int(f.event)) != 0:
        return concerned(m, at, int(f.reg[W_COST]) - 1)
    return concerned(m, at, max(0, next_concerned(m, p, card, effect, at, 0)))


@inner(int64(M, P, int64, int64, int64))
def passive_you(m, p, card, effect, at):
    """Returns whom a Permanent effect that hears a window calls you: its Hero, in the scenario whom it concerns (R23.4)."""
    if m.zone[card] != Zone.SCENARIO:
        return hero_of(card)
    k = 0
    while concerned(m, at, k) >= 0:
        if is_heard(m, p, card, effect, at, concerned(m, at, k)) != 0:
            return concerned(m, at, k)
        k += 1
    return concerned(m, at, 0)


@inner(int64(M, int64))
def next_passive_copy(m, card):
    """Returns the next copy from `card` on that may hear events, those of nobody in the scenario last; CARDS at the end."""
    if card < m.heroes * COPIES:
        card = next_hearer(m, card)
        if card < m.heroes * COPIES:
            return card
    card = max(card, HEROES * COPIES)
    while card < CARDS and m.zone[card] != Zone.SCENARIO:
        card += 1
    return card


@inner(int64(M, P, int64))
def next_passive(m, p, at):
    """Returns the next Permanent effect that hears the event, as copy * EFFECTS + index, -1 none (R6.2.4)."""
    f = m.frame[at]
    if m.passive & (1 << int(f.event)) == 0:
        return -1
    card = max(0, int(f.reg[W_AT]) // EFFECTS) - 1
    while True:
        card = next_passive_copy(m, card + 1)
        if card >= CARDS:
            return -1
        if is_away(m, p, card) != 0 and card != f.card:
            continue
        ident = p.card[m.ident[card]]
        if int(ident.hears) & (1 << int(f.event)) == 0:
            continue
        for index in range(int(ident.effect_n)):
            effect = int(ident.effect_first) + index
            if p.effect[effect].activation != Activation.Permanent or card * EFFECTS + index <= f.reg[W_AT]:
                continue
            you = passive_you(m, p, card, effect, at)
            if is_of_the_living(m, you, card) == 0 or is_heard(m, p, card, effect, at, you) == 0:
                continue
            if why_not_activate(m, p, you, card, effect, at, -1, -1) == 0:
                return card * EFFECTS + index
