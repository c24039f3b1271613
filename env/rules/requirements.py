"""Why an activation is not legal: scope, knowledge, limits, costs, conditions, selection, task, completeness (ARENA A6).

The same functions serve the own turn, reactions and automatic effects; `ev` is the window frame an activation answers, -1 in
the own turn. `effect` is an index into the pool's effects, -1 the bare activation bar.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Activation, Limit, RangeType, Scope, Suit, Task
from .codes import BATTLE_LIMITS, BOTTOM, Flag, Frame, Reason, Trait, Zone
from .compiler import inner, local_array
from .completeness import is_incomplete
from .costs import NEED
from .derive import meets_knowledge
from .layout import COPIES, HEROES, M, P
from .opcodes import Ev, Need, Rule, Select
from .prices import ap_cost, energy_need, pack, why_not_ap, why_not_costs, why_not_energy, why_not_together
from .readings import counters_on
from .standing import destination, has_rule, has_rule_for
from .tally import REASONS, note
from .targets import (
    bar_range,
    finds_complete,
    has_bar,
    range_type_of,
    why_no_choice,
    why_not_admitted,
    why_not_choice,
    why_not_selection,
)
from .values import value
from .zones import has_flag, hero_of, is_table, keeper_of

ULTIMATE = 0  # number of the counter of Ultimatums, see env/cards/compiler/code.py
ULTIMATE_NEED = 3  # R22.3
ULTIMATE_USED = 2  # bit of `salvation`


@inner(int64(M, P, int64, int64))
def why_limited(m, p, card, effect):
    """Returns 0 if the limits of an effect admit one more activation (R6.5, R6.5.9)."""
    e = p.effect[effect]
    limits = int(e.limits)
    if limits == 0:
        return 0
    used = int(m.used[keeper_of(m, card)])
    bit = 1 << min(4, int(e.index))
    if limits & (1 << Limit.OncePerTurn) != 0 and used & (bit << 10) != 0:
        return pack(Reason.ONCE_TURN, 1, 1)
    if limits & ((1 << Limit.OncePerStint) | (1 << Limit.OncePerRound)) != 0 and used & (bit << 5) != 0:
        return pack(Reason.ONCE_STINT, 1, 1)
    if limits & (1 << Limit.OncePerBattle) != 0 and used & bit != 0:
        return pack(Reason.ONCE_BATTLE, 1, 1)
    return 0


@inner(void(M, P, int64, int64))
def mark_used(m, p, card, effect):
    """Uses up the limits of an effect (R6.5.10)."""
    if effect < 0 or p.effect[effect].limits == 0:
        return
    limits = int(p.effect[effect].limits)
    bit = 1 << min(4, int(p.effect[effect].index))
    marks = 0
    if limits & (1 << Limit.OncePerTurn) != 0:
        marks = marks | (bit << 10)
    if limits & ((1 << Limit.OncePerStint) | (1 << Limit.OncePerRound)) != 0:
        marks = marks | (bit << 5)
    if limits & (1 << Limit.OncePerBattle) != 0:
        marks = marks | bit
    # the keeper counts for all copies, the copy's own row tells which of them was used
    keeper = keeper_of(m, card)
    m.used[keeper] = int(m.used[keeper]) | marks
    m.used[card] = int(m.used[card]) | marks
    if marks & ~BATTLE_LIMITS != 0:
        m.limited = int(m.limited) | (1 << hero_of(keeper)) | (1 << hero_of(card))


@inner(int64(M, P, int64, int64, int64))
def why_scope(m, p, char, card, effect):
    """Returns 0 if an effect may be used from where its card is (A6 row 3; R6.6, R7.2, R3.8.4)."""
    zone = int(m.zone[card])
    scopes = 0
    auto = 0
    if effect >= 0:
        scopes = int(p.effect[effect].scopes)
        auto = 1 if p.effect[effect].activation != Activation.Activate else 0
    own = hero_of(card) == m.owner[char] or card >= HEROES * COPIES
    if scopes & (1 << Scope.Anywhere) != 0 and zone != Zone.LIMBO and own:
        return 0
    if zone == Zone.SCENARIO:
        return 0 if scopes == 0 or scopes & (1 << Scope.Scenario) != 0 else pack(Reason.WRONG_ZONE, 0, zone)
    if not own and card != m.body[char] and scopes & (1 << Scope.TeamMember) == 0:
        return pack(Reason.WRONG_ZONE, 0, zone)
    if is_table(zone) != 0:
        if has_flag(m, card, Flag.FACE_DOWN) != 0:
            return pack(Reason.HIDDEN, 0, zone)
        if int(p.card[m.ident[card]].traits) & Trait.COLLEGIUM != 0 and has_flag(m, card, Flag.EXHAUSTED) != 0:
            # a Collegium works only while ready (R22.4)
            return pack(Reason.NOT_READY, 1, 0)
        narrow = (1 << Scope.Hand) | (1 << Scope.DiscardPile) | (1 << Scope.Attached) | (1 << Scope.Scenario)
        wide = (1 << Scope.Table) | (1 << Scope.TeamMember)
        return 0 if scopes & wide != 0 or scopes & narrow == 0 else pack(Reason.WRONG_ZONE, 1, zone)
    if zone == Zone.HAND:
        if p.card[m.ident[card]].suit <= Suit.Entity and scopes & (1 << Scope.Hand) == 0 and auto == 0:
            # Sheet cards are activated from the sheet only (R7.2.2)
            return pack(Reason.WRONG_ZONE, 4, zone)
        if scopes & (1 << Scope.Hand) != 0 or (scopes == 0 and auto == 0):
            return 0
        return 0 if scopes == 0 and has_flag(m, card, Flag.REVEALED) != 0 else pack(Reason.WRONG_ZONE, 2, zone)
    if zone == Zone.DISCARD and scopes & (1 << Scope.DiscardPile) != 0:
        return 0
    if zone == Zone.ATTACHED and scopes & (1 << Scope.Attached) != 0:
        return 0
    return pack(Reason.WRONG_ZONE, 3, zone)


@inner(int64(int64))
def place_of_task(task):
    """Returns where a task sends its card (codes.Zone, see `moves`), -1 where it stays."""
    if task == Task.Discard:
        return 0 + Zone.DISCARD
    if task == Task.Bury:
        return BOTTOM + Zone.DECK
    if task == Task.Banish:
        return 0 + Zone.BANISHED
    return 0 + Zone.SCENARIO if task == Task.Register else -1


@inner(int64(M, P, int64, int64))
def why_not_task(m, p, card, effect):
    """Returns 0 if the task of an effect can be done on its card (A6 row 12; R6.7)."""
    task = int(p.effect[effect].task)
    if task == Task.Exhaust and (has_flag(m, card, Flag.EXHAUSTED) != 0 or is_table(int(m.zone[card])) == 0):
        return pack(Reason.NOT_READY, 1, 0)
    if task == Task.Recover and has_flag(m, card, Flag.EXHAUSTED) == 0:
        return pack(Reason.TASK, 1, 0)
    if task >= Task.Discard and p.card[m.ident[card]].suit < Suit.Entity:
        # a Hero keeps its House and its Classes; an Entity may go to a pile (R2.1.11)
        return pack(Reason.TASK, 1, 0)
    place = place_of_task(task)
    return pack(Reason.TASK, 1, 0) if place >= 0 and destination(m, p, card, place) != place else 0


@inner(int64(M, int64, int64))
def is_resolving(m, card, effect):
    """Returns 1 while an effect of a copy is on the resolution stack (R8.2)."""
    for at in range(int(m.sp)):
        f = m.frame[at]
        if (f.kind == Frame.ACTIVATION or f.kind == Frame.PROGRAM) and f.card == card and f.effect == effect:
            return 1
    return 0


@inner(int64(M, P, int64, int64))
def knows(m, p, char, card):
    """Returns 1 if the activator meets the card's knowledge or level (R3.6.3, R3.6.4, R7.2.1)."""
    if p.card[m.ident[card]].suit <= Suit.Entity:
        return 1
    if hero_of(card) == m.owner[char]:
        return has_flag(m, card, Flag.USABLE)
    return meets_knowledge(m, p, int(m.owner[char]), card)


@inner(int64(M, P, int64))
def is_unnegatable(m, p, ev):
    """Returns 1 if the activation or attack that a window belongs to, its payments and parts included, cannot be negated.

    Source: R6.5.6.
    """
    if ev < 0 or m.frame[ev].kind != Frame.WINDOW:
        return 0
    for at in range(ev - 1, -1, -1):
        f = m.frame[at]
        if f.kind == Frame.ATTACK or f.kind == Frame.ACTIVATION:
            if f.effect >= 0 and int(p.effect[f.effect].limits) & (1 << Limit.NoNegation) != 0:
                return 1
            return has_rule(m, p, int(f.char), Rule.NO_NEGATION)
    return 0


@inner(int64(M, int64, int64))
def is_own_move(m, card, ev):
    """Returns 1 for what happened to the card itself: such triggers need no scope, wherever the card went (R6.4.36)."""
    if ev < 0 or m.frame[ev].kind != Frame.WINDOW or m.frame[ev].card != card or m.zone[card] == Zone.LIMBO:
        return 0
    event = int(m.frame[ev].event)
    return 1 if Ev.PLAY <= event <= Ev.DISCARD_BEFORE else 0


@inner(int64(M, P, int64, int64, int64))
def is_ultimate(m, p, card, effect, ev):
    """Returns 1 for an activation that uses up an Ultimatum: in the own turn, or as a reaction of one's own choice (R22.3)."""
    if int(p.card[m.ident[card]].traits) & Trait.ULTIMATUM == 0:
        return 0
    return 1 if ev < 0 or effect >= 0 and p.effect[effect].activation == Activation.Activate else 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def judge_activation(m, p, char, card, effect, ev, x, target):
    """Returns 0 if a character may activate a card with an effect (-1: the bare bar), in the order of ARENA A6.

    Args:
        ev: window frame it answers, -1 in the own turn.
        x: chosen X, -1 not yet chosen.
        target: what is selected, -1 asks whether anything could be.
    """
    why = 0 if is_own_move(m, card, ev) != 0 else why_scope(m, p, char, card, effect)
    if why != 0:
        return why
    if knows(m, p, char, card) == 0:
        return pack(Reason.KNOWLEDGE, int(p.card[m.ident[card]].level), 0)
    if has_rule_for(m, p, char, 0 + Rule.CANNOT_ACTIVATE, card, -1) != 0:
        return pack(Reason.RULE, 0, 0)
    if effect >= 0:
        limits = int(p.effect[effect].limits)
        if limits & (1 << Limit.YourTurnOnly) != 0 and m.turn_char != char:
            return pack(Reason.YOUR_TURN_ONLY, 0, 0)
        why = why_limited(m, p, card, effect)
        if why == 0 and limits & (1 << Limit.AllIn) != 0 and (m.turn_spoiled != 0 or m.turn_char != char):
            why = pack(Reason.ALL_IN_SPOILED, 0, 0)
        if why != 0:
            return why
        if is_resolving(m, card, effect) != 0:
            return pack(Reason.ON_STACK, 0, 0)
    if is_ultimate(m, p, card, effect, ev) != 0:
        have = counters_on(m, card, ULTIMATE)
        if have < ULTIMATE_NEED or int(m.salvation[m.owner[char]]) & ULTIMATE_USED != 0:
            return pack(Reason.ULTIMATUM, ULTIMATE_NEED, have)
    why = why_not_ap(m, char, ap_cost(m, p, char, card, effect, ev, x), ev)
    if why != 0:
        return why
    need = local_array(NEED)
    energy_need(m, p, char, card, effect, ev, x, need)
    why = why_not_energy(m, p, char, card, effect, ev, x, need)
    if why != 0:
        return why
    bar = int(p.card[m.ident[card]].bar_costs) if has_bar(m, p, card, effect) != 0 else 0
    if bar > 0:
        why = why_not_costs(m, p, char, card, -1, bar, ev, x)
        if why != 0:
            return why
    costs = int(p.effect[effect].costs) if effect >= 0 else 0
    if costs > 0:
        why = why_not_costs(m, p, char, card, effect, costs, ev, x)
        if why != 0:
            return why
    why = why_not_together(m, p, char, card, effect, ev, x, 1 if bar > 0 else 0, bar if bar > 0 else costs, -1, -1)
    if why != 0:
        return why
    if effect >= 0:
        e = p.effect[effect]
        if e.condition >= 0 and value(m, p, e.condition, -1, ev, card, char, char, card) == 0:
            return pack(Reason.CONDITION, 0, 0)
    if has_bar(m, p, card, effect) != 0:
        range_type = range_type_of(m, p, char, card)
        reach = bar_range(m, p, char, card, effect)
        why = why_not_selection(m, p, char, target, card, range_type, reach)
        if why == 0 and effect >= 0 and p.effect[effect].select == Select.CHAR:
            why = why_not_admitted(m, p, char, card, effect, ev, target, range_type, reach)
        if why != 0:
            return why
    elif effect >= 0 and p.effect[effect].select != Select.NONE:
        if target >= 0:
            why = why_not_choice(m, p, char, card, effect, ev, target)
        else:
            why = why_no_choice(m, p, char, card, effect, ev)
        if why != 0:
            return why
    if effect >= 0:
        why = why_not_task(m, p, card, effect)
        if why == 0 and is_incomplete(m, p, char, card, effect, ev, target) != 0:
            why = pack(Reason.INCOMPLETE, 1, 0)
        if why == 0 and target < 0 and has_bar(m, p, card, effect) != 0 and int(p.effect[effect].needs) & Need.OF_TARGET != 0:
            # what is declared now must still be complete once its target is selected; an area selects nobody (R15.20)
            range_type = range_type_of(m, p, char, card)
            if range_type != RangeType.Area:
                reach = bar_range(m, p, char, card, effect)
                if finds_complete(m, p, char, card, effect, ev, range_type, reach) == 0:
                    why = pack(Reason.INCOMPLETE, 1, 0)
    return why


@inner(int64(M, P, int64, int64, int64, int64, int64, int64))
def why_not_activate(m, p, char, card, effect, ev, x, target):
    """Returns 0 if a character may activate a card with an effect, see `judge_activation`."""
    why = judge_activation(m, p, char, card, effect, ev, x, target)
    note(p, REASONS, why & 0xFFFF)
    return why


@inner(int64(M, P, int64, int64))
def is_free_activation(m, p, k, technique):
    """Returns 1 if effect `k` may be declared in the own turn: an Activate that waits for no event (R6.3.1)."""
    e = p.effect[k]
    if e.technique != technique or e.hears != 0 or e.program < 0 and e.mod_n == 0:
        return 0
    return 1 if e.activation == Activation.Activate or e.activation == Activation.Temp else 0


@inner(int64(M, P, int64))
def is_team_effect(m, p, k):
    """Returns 1 if effect `k` may be declared by any character of its owner's team (R6.6.5)."""
    return 1 if int(p.effect[k].scopes) & (1 << Scope.TeamMember) != 0 and is_free_activation(m, p, k, -1) != 0 else 0


@inner(int64(M, P, int64, int64, int64, int64))
def why_not_use(m, p, char, card, effect, target):
    """Returns 0 if a card may be activated in the own turn with an effect, -1 the bare bar, -2 any way.

    A card with free Activate effects is activated with exactly one of them (R6.3.5); a card with none needs a bar (R27.6).
    """
    ident = p.card[m.ident[card]]
    if effect >= 0 and is_free_activation(m, p, effect, -1) == 0:
        return pack(Reason.WINDOW if p.effect[effect].hears != 0 else Reason.INERT, 0, 0)
    if effect >= -1:
        return why_not_activate(m, p, char, card, effect, -1, -1, target)
    best = pack(Reason.INERT, 0, 0)
    free = 0
    for k in range(int(ident.effect_first), int(ident.effect_first) + int(ident.effect_n)):
        if is_free_activation(m, p, k, -1) == 0:
            if free == 0 and p.effect[k].activation == Activation.Activate and p.effect[k].hears != 0:
                best = pack(Reason.WINDOW, 0, 0)
            continue
        free = 1
        why = why_not_activate(m, p, char, card, k, -1, -1, target)
        if why == 0:
            return 0
        best = why
    if free == 0 and has_bar(m, p, card, -1) != 0:
        return why_not_activate(m, p, char, card, -1, -1, -1, target)
    return best
