"""Event windows: who may react to an atomic action, in which order, and what happens by itself (R8).

A window frame carries its event (see `registers`). Windows nobody in the match listens to are never opened. Phase moments
are not contested: every matching effect happens, in priority order (R8.7). All others admit one reaction (R8.1).
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Activation, Limit
from .codes import Decision, Flag, Frame, Kind, Trait, Zone
from .compiler import inner, local_array
from .hearing import EFFECTS, FOUND, list_reactions, mark_done, rank_hero, reactor
from .lasting import drop_counters
from .layout import HEROES, M, P
from .nobody import next_passive, passive_you, pile_reaction, scenario_reaction, whom_it_answers
from .opcodes import PHASE_EVENTS, Rule
from .readings import margin_of
from .registers import (
    R_EV,
    R_IT,
    R_MARGIN,
    W_AMOUNT,
    W_AT,
    W_ATTACK,
    W_CHECK,
    W_COST,
    W_DAMAGE,
    W_FROM,
    W_GROUP,
    W_INJURY,
    W_PARENT,
    W_TAKEN,
)
from .requirements import mark_used
from .stack import HELD, ask, pop, push
from .standing import has_rule, is_negated
from .tally import EVENTS, note
from .zones import hero_of

DEPTH = 8  # windows within windows (R8.2)
CHAIN_LIMIT = 200  # effects in a row without a decision; more are a loop (R27.1)
ORDERED = 5  # effects of a Hero in one moment of a phase that are told apart; of more their order is not asked
LEAVES = 32  # bit of `flags` of a window: once it is over its card loses its counters
CLOSED = 16  # bit of `flags` of a window in which nobody may react
PASSIVE, CONTEST = range(2)  # steps of a window frame
A_TAKEN_FLAG = 1


@inner(int64(M))
def open_windows(m):
    """Counts the windows on the stack in which something runs; one that still waits for its turn is not among them."""
    count = 0
    for at in range(int(m.sp)):
        f = m.frame[at]
        if f.kind == Frame.WINDOW and (f.step != PASSIVE or f.reg[W_AT] >= 0):
            count += 1
    return count


@inner(int64(M, P))
def is_silenced(m, p):
    """Returns 1 while an activation with No Response, Ultimatums included, is on the stack (R6.5.5, R22.3)."""
    for at in range(int(m.sp)):
        f = m.frame[at]
        if f.kind == Frame.ACTIVATION:
            if f.effect >= 0 and int(p.effect[f.effect].limits) & (1 << Limit.NoResponse) != 0:
                return 1
            if int(p.card[m.ident[f.card]].traits) & Trait.ULTIMATUM != 0 or has_rule(m, p, int(f.char), Rule.NO_RESPONSE) != 0:
                return 1
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64))
def window(m, p, event, who, other, card, cause):
    """Opens the window of an event if anybody in the match listens to it.

    Where no reaction is admitted it opens for Permanent effects only, which are none (R6.2.4, R8.11).

    Args:
        event: opcodes.Ev. who, other: characters of the event (see `opcodes.Ev`). card: card of the event. cause: its cause.

    Returns:
        The index of the window frame, or -1 if none was opened.
    """
    hears = m.listening
    if card >= 0 and m.ident[card] >= 0:
        # what happens to a card is heard by it wherever it was (R6.4.36)
        hears = hears | p.card[m.ident[card]].hears
    if hears & (1 << event) == 0:
        return -1
    closed = 0
    if PHASE_EVENTS & (1 << event) == 0:
        depth = open_windows(m)
        if depth >= DEPTH:
            return -1
        if (m.nested_reactions == 0 and depth > 0) or is_silenced(m, p) != 0:
            if m.passive & (1 << event) == 0:
                return -1
            closed = 0 + CLOSED
    note(p, EVENTS, event)
    at = push(m, Frame.WINDOW)
    f = m.frame[at]
    f.event = event
    f.char = who
    f.target = other
    f.card = card
    f.cause = cause
    f.flags = closed
    f.reg[W_AT] = -1
    return at


@inner(void(M, int64, int64))
def close_windows(m, first, card):
    """Lets nobody react in the windows of a card, -1 any, from frame `first` on; phases are not contested (R6.5.5, R8.7)."""
    for at in range(first, int(m.sp)):
        f = m.frame[at]
        if f.kind == Frame.WINDOW and (card < 0 or f.card == card) and PHASE_EVENTS & (1 << int(f.event)) == 0:
            f.flags = int(f.flags) | CLOSED


@inner(void(M, int64))
def next_group(m, at):
    """Goes on to the next Hero of the priority order."""
    f = m.frame[at]
    f.reg[W_GROUP] += 1
    f.reg[W_AT] = -1
    if PHASE_EVENTS & (1 << int(f.event)) != 0:
        f.reg[W_DAMAGE] = 0
        f.reg[W_INJURY] = 0
        f.reg[W_AMOUNT] = 0
        f.reg[W_COST] = 0
        f.reg[W_FROM] = 0


@inner(void(M, int64, int64, int64))
def set_parts(m, at, first, last):
    """Lets a window that was opened run some parts of its phase; only the first window runs its Permanent effects."""
    if at >= 0:
        m.frame[at].pc = first
        m.frame[at].effect = last
        if first > 0:
            m.frame[at].step = CONTEST


@inner(void(M, int64))
def note_chain(m, card):
    """Counts an effect that begins; the cards of the later half of a long chain are those of a loop (R27.1)."""
    m.chain += 1
    if 2 * m.chain > CHAIN_LIMIT:
        m.flags[card] = int(m.flags[card]) | Flag.LOOPED


@inner(void(M, P, int64, int64, int64, int64))
def begin_reaction(m, p, char, card, effect, at):
    """Starts the declaration of a reaction; `declare` asks for what it still lacks."""
    note_chain(m, card)
    m.d_char = char
    m.d_event = at
    m.d_kind = Kind.REACT
    m.d_card = card
    m.d_effect = effect
    m.d_target = -1
    m.d_tile = -1
    m.d_x = -1
    m.d_pay_n = 0
    f = m.frame[at]
    f.reg[W_TAKEN] = 1
    if effect >= 0:
        mark_done(m, at, card * EFFECTS + effect - int(p.card[m.ident[card]].effect_first))
    parent = int(f.reg[W_PARENT]) - 1
    if parent >= 0:
        m.frame[parent].flags = int(m.frame[parent].flags) | A_TAKEN_FLAG


@inner(void(M, P, int64, int64, int64, int64))
def push_program(m, p, char, card, effect, ev):
    """Puts the program of an effect on the stack."""
    if effect < 0 or p.effect[effect].program < 0:
        return
    at = push(m, Frame.PROGRAM)
    f = m.frame[at]
    f.char = char
    f.card = card
    f.effect = effect
    f.cause = card
    f.pc = p.effect[effect].program
    f.reg[R_EV] = ev + 1
    f.reg[R_IT] = -1
    f.reg[R_MARGIN] = margin_of(m, ev)


@inner(void(M, P))
def step_passive(m, p):
    """Runs the Permanent effects that hear the event, one after the other, then opens the contest."""
    at = int(m.sp) - 1
    f = m.frame[at]
    code = next_passive(m, p, at)
    if code < 0 and int(f.flags) & CLOSED != 0:
        pop(m)
        return
    if code < 0:
        f.step = CONTEST
        f.reg[W_AT] = -1
        return
    f.reg[W_AT] = code
    card = code // EFFECTS
    effect = int(p.card[m.ident[card]].effect_first) + code % EFFECTS
    note_chain(m, card)
    mark_used(m, p, card, effect)
    if is_negated(m, p, card) == 0:
        push_program(m, p, passive_you(m, p, card, effect, at), card, effect, at)


@inner(int64(M, P, int64, int64))
def take_nobodys(m, p, at, code):
    """Lets an effect of the scenario or of a pile without owner (copy * EFFECTS + index) take the window; 0 for none."""
    if code < 0:
        return 0
    card = code // EFFECTS
    m.frame[at].reg[W_AT] = code
    effect = int(p.card[m.ident[card]].effect_first) + code % EFFECTS
    you = whom_it_answers(m, p, card, effect, at)
    if p.effect[effect].optional != 0 or p.effect[effect].activation == Activation.Activate:
        ask(m, Decision.REACT, int(m.owner[you]), code, 0)
    else:
        begin_reaction(m, p, you, card, effect, at)
    return 1


@inner(void(M, P, int64, int64, int64))
def begin_listed(m, p, hero, code, at):
    """Starts the reaction of a Hero with a listed effect (copy * EFFECTS + index)."""
    card = code // EFFECTS
    effect = int(p.card[m.ident[card]].effect_first) + code % EFFECTS
    begin_reaction(m, p, reactor(m, p, hero, card, effect), card, effect, at)


@inner(void(M, P))
def step_contest(m, p):
    """Walks the priority order once: the first Auto that is reached, or option that is accepted, takes the window (R8.4)."""
    at = int(m.sp) - 1
    f = m.frame[at]
    phase = PHASE_EVENTS & (1 << int(f.event)) != 0
    if f.reg[W_TAKEN] != 0 and not phase:
        if m.multi_response == 0:
            pop(m)
            return
        # everybody responds in turn: who has is followed by the next (R8.5)
        f.reg[W_TAKEN] = 0
        if f.reg[W_GROUP] > 0:
            next_group(m, at)
    if f.reg[W_GROUP] == 0:
        if take_nobodys(m, p, at, scenario_reaction(m, p, at)) != 0:
            return
        next_group(m, at)
    found = local_array(FOUND)
    while True:
        hero = rank_hero(m, int(f.reg[W_GROUP]) - 1)
        if hero < 0:
            if take_nobodys(m, p, at, pile_reaction(m, p, at)) != 0:
                return
            if f.pc < f.effect:
                next_group(m, at)
                f.reg[W_GROUP] = 0
                f.pc += 1
            else:
                pop(m)
            return
        n = list_reactions(m, p, hero, at, found)
        musts = 0
        only = -1
        for k in range(n):
            code = found[k] if found[k] >= 0 else -1 - found[k]
            if code <= f.reg[W_AT]:
                continue
            if found[k] < 0:
                musts += 1
            if not phase or only < 0 or (found[k] < 0 and musts == 1):
                only = code
        if only < 0:
            next_group(m, at)
            continue
        if phase:
            # moments of phases: all mandatory effects in the order that the player chooses, then the optional ones
            if n > ORDERED:
                only = found[0] if found[0] >= 0 else -1 - found[0]
                f.reg[W_AT] = only
                musts = 1 if found[0] < 0 else 0
            if 1 < musts and n <= ORDERED:
                ask(m, Decision.REACT, hero, -1, 1)
            elif musts > 0:
                begin_listed(m, p, hero, only, at)
            else:
                ask(m, Decision.REACT, hero, only, 0)
            return
        if n == 1 and musts == 1:
            begin_listed(m, p, hero, only, at)
        else:
            ask(m, Decision.REACT, hero, -1, 1 if musts > 0 else 0)
        return


@inner(void(M, P))
def pass_window(m, p):
    """Declines a window for the asked Hero."""
    if m.ask_a < 0:
        next_group(m, int(m.sp) - 1)
    else:
        mark_done(m, int(m.sp) - 1, int(m.ask_a))


@inner(void(M, P))
def step_window(m, p):
    """Runs a window frame."""
    at = int(m.sp) - 1
    f = m.frame[at]
    f.flags = int(f.flags) & ~HELD
    leaves = int(f.flags) & LEAVES
    card = int(f.card)
    if f.step == PASSIVE:
        step_passive(m, p)
    else:
        step_contest(m, p)
    if leaves != 0 and m.sp == at and (m.zone[card] == Zone.DISCARD or m.zone[card] == Zone.DECK):
        drop_counters(m, card)


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def action_window(m, p, event, who, other, card, cause, parent):
    """Opens a window of an atomic action of frame `parent`: no reactions if one was already made to that action (R8.1)."""
    taken = int(m.frame[parent].flags) & A_TAKEN_FLAG
    if m.listening & (1 << event) == 0 or (taken != 0 and m.passive & (1 << event) == 0):
        return -1
    at = window(m, p, event, who, other, card, cause)
    if at >= 0:
        f = m.frame[at]
        if taken != 0:
            f.flags = int(f.flags) | CLOSED
        f.reg[W_PARENT] = parent + 1
        if m.frame[parent].kind == Frame.ATTACK:
            f.reg[W_ATTACK] = parent + 1
        elif m.frame[parent].kind == Frame.CHECK:
            f.reg[W_CHECK] = parent + 1
        elif m.frame[parent].kind == Frame.DEATH and m.frame[parent - 1].kind == Frame.ATTACK:
            # the death check of an attack's victims
            f.reg[W_ATTACK] = parent
    return at


@inner(void(M, int64))
def next_action(m, at):
    """Starts a new atomic action of a frame: its reaction is free again."""
    m.frame[at].flags = int(m.frame[at].flags) & ~A_TAKEN_FLAG


@inner(int64(M, P, int64, int64, int64))
def movement_window(m, p, event, card, cause):
    """Opens the window of what happens to a card copy (R6.4.1 to R6.4.10)."""
    hero = hero_of(card)
    return window(m, p, event, hero if hero < HEROES else -1, -1, card, cause)
