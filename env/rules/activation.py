"""From a complete declaration to its frames: payment, change, task, windows, resolution (R7, R17).

A declaration gathers in the draft and is committed at once; nothing is paid before it is complete. The same draft serves the
own turn, reactions and automatic effects.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Limit, Profile, Task
from .attack import start_attack
from .codes import BOTTOM, Change, Decision, Frame, Kind, Log, Zone
from .companions import technique_at
from .compiler import inner
from .damage import heal, lose_hp, push_death_check
from .energy import INSTEAD, pay_energy
from .lasting import end_with_marker
from .layout import ALL_IN, COPIES, DECK_SLOT, HEROES, M, P
from .legality import REST_ENERGY, REST_HP, can_recover
from .moves import add_counters, defer_windows, exhaust_card, recover_card, relocate, show_card, tell
from .opcodes import COST_WIDTH, Cost, Ev, Select
from .prices import TAKING, amount_of, ap_cost, breaks_condition, card_value, fits_cost, why_not_together
from .readings import counters_on
from .registers import R_BOUND, R_EV, R_X
from .requirements import ULTIMATE, ULTIMATE_USED, is_own_move, is_ultimate, mark_used
from .stack import ask, hold_windows, pop, push, release_windows
from .standing import char_of, is_negated, is_of_the_living
from .targets import has_bar, is_lost
from .turn import end_turn
from .windows import action_window, close_windows, is_silenced, next_action, push_program, window
from .zones import hero_of, is_hidden, log, move_card

# steps of an activation frame
COSTS, TASK, ANNOUNCE, RESOLVE, TEXT, FINISH = range(6)
# registers of an activation frame beside R_X and R_EV
V_LEFT, V_WORTH, V_STOP, V_HAND, V_TECHNIQUE, V_BAR, V_KEPT = 2, 4, 5, 6, 7, 8, 9  # V_KEPT: 1 + the card paid last
STOPPED, NO_TEXT = 1, 2  # bits of V_STOP


@inner(void(M, P, int64, int64))
def pay_ap(m, p, char, cost):
    """Takes AP: in the own turn and before it from the points there are, the rest as debt (R7.4.2, R7.4.3)."""
    if m.turn_char == char or m.acted[char] <= 0:
        paid = min(cost, int(m.ap[char]))
        m.ap[char] -= paid
        cost -= paid
    m.debt[char] += cost


@inner(void(M, P, int64, int64))
def push_activation(m, p, char, event):
    """Pays AP and energy of the drafted activation and puts it on the stack (R7.1.2, R7.1.3)."""
    card = int(m.d_card)
    effect = int(m.d_effect)
    at = push(m, Frame.ACTIVATION)
    f = m.frame[at]
    f.char = char
    f.card = card
    f.effect = effect
    f.target = m.d_target
    f.tile = m.d_tile
    f.cause = card
    f.event = m.d_kind
    f.reg[R_X] = max(0, int(m.d_x))
    f.reg[R_EV] = event + 1
    f.pc = p.effect[effect].costs if effect >= 0 else -1
    if has_bar(m, p, card, effect) != 0 and p.card[m.ident[card]].bar_costs > 0:
        f.reg[V_BAR] = 1
        f.pc = p.card[m.ident[card]].bar_costs
    f.reg[V_LEFT] = -1
    if m.d_kind == Kind.TECHNIQUE:
        f.reg[V_TECHNIQUE] = technique_at(m, p, card, int(m.d_technique)) + 1
        pay_ap(m, p, char, int(p.technique[f.reg[V_TECHNIQUE] - 1].action))
    else:
        pay_ap(m, p, char, ap_cost(m, p, char, card, effect, event, int(m.d_x)))
    if m.zone[card] == Zone.HAND and is_own_move(m, card, event) == 0:
        # a trigger of its own movement leaves the card where it went (R6.4.36)
        f.reg[V_HAND] = 1
        hidden = is_hidden(m, card)
        move_card(m, p, card, Zone.RESOLVING)
        if hidden != 0:
            # shown before it is paid for, heard once it is (R7.1.2, R7.1.4)
            tell(m, p, Ev.REVEAL, card, 0, card)
            hold_windows(m)
    mark_used(m, p, card, effect)
    if is_ultimate(m, p, card, effect, event) != 0:
        m.salvation[m.owner[char]] = int(m.salvation[m.owner[char]]) | ULTIMATE_USED
        add_counters(m, p, card, ULTIMATE, -counters_on(m, card, ULTIMATE))
        hold_windows(m)
    log(m, p, Log.ACTIVATE, char, card, effect, int(m.d_target))
    if m.ledger_on != 0:
        if event >= 0:
            p.ledger[card].reacted += 1
        else:
            p.ledger[card].activated += 1
    pay_energy(m, p, char)
    hold_windows(m)


@inner(int64(M, P, int64))
def is_payable(m, p, card):
    """Returns 1 if a copy may be taken for the cost entry that the top activation frame is paying (R7.6)."""
    f = m.frame[m.sp - 1]
    kind = int(p.code[f.pc])
    char = int(f.char)
    this = int(f.card)
    effect = -1 if f.reg[V_BAR] != 0 else int(f.effect)
    ev = int(f.reg[R_EV]) - 1
    if m.ident[card] < 0 or (hero_of(card) != m.owner[char] and kind != Cost.COUNTER_OF):
        return 0
    if fits_cost(m, p, char, this, int(f.pc), ev, card) == 0:
        return 0
    if kind == Cost.COUNTER_OF:
        return 1
    if kind == Cost.CURRENCY:
        worth = card_value(m, p, char, card)
        if worth <= 0 or worth > f.reg[V_WORTH]:
            return 0
        # falling order of value keeps sets minimal; what is worth no more must be able to finish the price
        rest = 0
        for slot in range(DECK_SLOT, COPIES):
            other = hero_of(card) * COPIES + slot
            if m.ident[other] >= 0 and fits_cost(m, p, char, this, int(f.pc), ev, other) != 0:
                value_of_other = card_value(m, p, char, other)
                if value_of_other <= worth:
                    rest += value_of_other
        return 1 if rest >= f.reg[V_LEFT] else 0
    if TAKING & (1 << kind) == 0:
        return 1
    if breaks_condition(m, p, char, this, effect, ev, card) != 0:
        return 0
    bar, x, left = int(f.reg[V_BAR]), int(f.reg[R_X]), int(f.reg[V_LEFT]) - 1
    return 1 if why_not_together(m, p, char, this, int(f.effect), ev, x, bar, int(f.pc), left, card) == 0 else 0


@inner(void(M, P, int64))
def take_cost_card(m, p, card):
    """Pays with a chosen copy."""
    f = m.frame[m.sp - 1]
    kind = int(p.code[f.pc])
    if kind == Cost.CURRENCY:
        f.reg[V_WORTH] = card_value(m, p, int(f.char), card)
        f.reg[V_LEFT] = max(0, int(f.reg[V_LEFT]) - int(f.reg[V_WORTH]))
    else:
        f.reg[V_LEFT] -= 1
    if m.ledger_on != 0 and kind != Cost.EXHAUST and kind != Cost.REVEAL and kind != Cost.COUNTER_OF:
        p.ledger[card].discarded_as_cost += 1
    m.frame[m.sp - 1].reg[V_KEPT] = card + 1
    if kind == Cost.EXHAUST:
        exhaust_card(m, p, card, 1)
    elif kind == Cost.COUNTER_OF:
        add_counters(m, p, card, int(p.code[f.pc + 3]), -1)
    elif kind == Cost.BURY or kind == Cost.TABLE_BURY:
        relocate(m, p, card, BOTTOM + Zone.DECK, 1, int(f.card))
    elif kind == Cost.BANISH:
        relocate(m, p, card, 0 + Zone.BANISHED, 1, int(f.card))
    elif kind == Cost.RETURN:
        relocate(m, p, card, 0 + Zone.HAND, 1, int(f.card))
    elif kind == Cost.REVEAL:
        show_card(m, p, card, 1, int(f.card))
    else:
        relocate(m, p, card, 0 + Zone.DISCARD, 1, int(f.card))
    hold_windows(m)


@inner(int64(int64))
def is_chosen(kind):
    """Returns 1 for kinds of costs that are paid by choosing cards."""
    if kind < Cost.DISCARD or kind == Cost.COUNTER or kind == Cost.MARKER:
        return 0
    return 0 if kind == Cost.HP_PIECE or kind == Cost.THIS_COUNTERS or kind == Cost.AP_PIECE else 1


@inner(void(M, P))
def step_costs(m, p):
    """Pays the requirement costs of an activation in order, asking which cards (R7.1.3, R7.6.1)."""
    f = m.frame[m.sp - 1]
    char = int(f.char)
    if f.reg[V_BAR] != 0 and p.code[f.pc] == Cost.END:
        # ammunition first, then the costs of the effect
        f.reg[V_BAR] = 0
        f.pc = p.effect[f.effect].costs if f.effect >= 0 else -1
    if f.pc < 0 or p.code[f.pc] == Cost.END:
        f.step = TASK
        return
    kind = int(p.code[f.pc])
    extra = int(p.code[f.pc + 3])
    if f.reg[V_LEFT] < 0:
        f.reg[V_LEFT] = amount_of(m, p, int(p.code[f.pc + 1]), char, int(f.card), int(f.reg[R_EV]) - 1, int(f.reg[R_X]))
        f.reg[V_WORTH] = 32000
    amount = int(f.reg[V_LEFT])
    if is_chosen(kind) != 0 and amount > 0:
        ask(m, Decision.PAY_CARDS, int(m.owner[char]), amount, 1)
        return
    f.pc += COST_WIDTH
    f.reg[V_LEFT] = -1
    if kind == Cost.HP:
        lose_hp(m, p, char, amount, -1, -1)
        push_death_check(m, char, int(f.card))
    elif kind == Cost.AP_PIECE:
        pay_ap(m, p, char_of(m, int(f.card)), amount)
    elif kind == Cost.HP_PIECE:
        piece = char_of(m, int(f.card))
        lose_hp(m, p, piece, amount, -1, -1)
        push_death_check(m, piece, int(f.card))
    elif kind == Cost.THIS_COUNTERS:
        many = counters_on(m, int(f.card), extra)
        f.reg[R_X] = many
        add_counters(m, p, int(f.card), extra, -many)
        hold_windows(m)
    elif kind == Cost.COUNTER:
        add_counters(m, p, int(f.card), extra, -amount)
        hold_windows(m)
    elif kind == Cost.MARKER:
        m.markers[char] = int(m.markers[char]) & ~(1 << extra)
        m.dirty = int(m.dirty) | Change.MARKERS
        end_with_marker(m, char, extra)


@inner(void(M, P))
def step_task(m, p):
    """Performs the task on the activated card, the last step of paying (R6.7)."""
    f = m.frame[m.sp - 1]
    f.step = ANNOUNCE
    if f.effect < 0:
        return
    task = int(p.effect[f.effect].task)
    card = int(f.card)
    top = int(m.sp)
    if task == Task.Exhaust:
        exhaust_card(m, p, card, 1)
        defer_windows(m, card, top)
    elif task == Task.Recover:
        recover_card(m, p, card, 1)
        defer_windows(m, card, top)
    elif task == Task.Discard:
        relocate(m, p, card, 0 + Zone.DISCARD, 1, card)
    elif task == Task.Bury:
        relocate(m, p, card, BOTTOM + Zone.DECK, 1, card)
    elif task == Task.Banish:
        relocate(m, p, card, 0 + Zone.BANISHED, 1, card)
    elif task == Task.Register:
        relocate(m, p, card, 0 + Zone.SCENARIO, 1, card)


@inner(void(M, int64))
def all_in(m, char):
    """Ends a character's turn and its part in this stint: AP become 0, no further turn follows (R6.5.4)."""
    m.ap[char] = 0
    m.acted[char] = ALL_IN
    end_turn(m, char)


@inner(void(M, P, int64))
def finish_activation(m, p, at):
    """Ends the activation of a frame just taken off: a hand card is discarded, an All-In ends the turn (R7.1.8, R6.5.4)."""
    f = m.frame[at]
    card = int(f.card)
    char = int(f.char)
    effect = int(f.effect)
    if m.zone[card] == Zone.RESOLVING and f.reg[V_HAND] != 0:
        relocate(m, p, card, 0 + Zone.DISCARD, 1, card)
    if effect >= 0 and int(p.effect[effect].limits) & (1 << Limit.AllIn) != 0:
        all_in(m, char)


@inner(void(M, P, int64))
def run_text(m, p, at):
    """Puts the description of an activation on the stack with its choices (R7.1.6)."""
    f = m.frame[at]
    before = int(m.sp)
    push_program(m, p, int(f.char), int(f.card), int(f.effect), int(f.reg[R_EV]) - 1)
    if m.sp > before:
        t = m.frame[before]
        t.target = f.target
        t.tile = f.tile
        t.reg[R_X] = f.reg[R_X]
        t.reg[R_BOUND] = int(f.reg[V_KEPT]) - 1


@inner(int64(M, P, int64))
def makes_attack(m, p, at):
    """Returns 1 if the activation of a frame makes an attack: by the card's bar, or by the technique's."""
    f = m.frame[at]
    if f.reg[V_TECHNIQUE] > 0:
        return int(p.technique[f.reg[V_TECHNIQUE] - 1].has_damage)
    return has_bar(m, p, int(f.card), int(f.effect))


@inner(void(M, P))
def step_activation(m, p):
    """Runs an activation: costs, task, windows, bar, text, finish (R7.1)."""
    at = int(m.sp) - 1
    f = m.frame[at]
    card = int(f.card)
    if f.step == COSTS:
        step_costs(m, p)
    elif f.step == TASK:
        step_task(m, p)
    elif f.step == ANNOUNCE:
        f.step = RESOLVE
        if makes_attack(m, p, at) == 0:
            action_window(m, p, Ev.ACTIVATED, int(f.char), int(f.target), card, card, at)
    elif f.step == RESOLVE:
        if makes_attack(m, p, at) == 0 and release_windows(m) != 0:
            # after the window of the activation those of its payments open (R7.1.4); an attack opens them itself
            return
        f.step = TEXT
        if int(f.reg[V_STOP]) & STOPPED != 0 or is_of_the_living(m, int(f.char), card) == 0:
            f.step = FINISH
        elif makes_attack(m, p, at) != 0:
            f.step = FINISH
            effect = -1 if is_negated(m, p, card) != 0 else int(f.effect)
            start_attack(m, p, int(f.char), card, effect, int(f.target), int(f.reg[V_TECHNIQUE]))
            m.frame[at + 1].pc = f.reg[R_X]
            m.frame[at + 1].tile = int(f.reg[V_KEPT]) - 1
        elif f.effect >= 0 and is_lost(m, p, int(f.char), card, int(f.effect), int(f.reg[R_EV]) - 1, int(f.target)) != 0:
            # the parts about the target are skipped (R7.7.5)
            f.target = -1
        elif f.target >= 0 and f.effect >= 0 and p.effect[f.effect].select == Select.CHAR:
            next_action(m, at)
            action_window(m, p, Ev.SELECTED, int(f.target), int(f.char), card, card, at)
    elif f.step == TEXT:
        f.step = FINISH
        if int(f.reg[V_STOP]) == 0 and is_of_the_living(m, int(f.char), card) != 0 and is_negated(m, p, card) == 0:
            run_text(m, p, at)
    elif release_windows(m) == 0:
        # the frame goes first: what the finish opens (a discard heard by somebody) runs after it
        char = int(f.char)
        target = int(f.target)
        resolved = int(f.reg[V_STOP]) == 0
        silenced = is_silenced(m, p) != 0
        pop(m)
        finish_activation(m, p, at)
        if resolved:
            window(m, p, Ev.RESOLVED, char, target, card, card)
        if silenced:
            # that it has resolved and leaves the hand are its last parts (R6.5.5, R7.1.8)
            close_windows(m, at, -1)


@inner(void(M, P, int64))
def rest(m, p, char):
    """Rests: an All-In that heals and recovers energy (R17.10, R6.5.4)."""
    recovers = char < HEROES and can_recover(m, p, char, REST_ENERGY) != 0
    units = m.profile == Profile.UNITS
    if not units or not recovers:
        heal(m, p, char, 1 if units else REST_HP)
    all_in(m, char)
    window(m, p, Ev.REST, char, -1, -1, -1)
    if recovers:
        at = push(m, Frame.RECOVER)
        m.frame[at].char = char
        m.frame[at].reg[0] = REST_ENERGY
        m.frame[at].reg[9] = 3 if units else 7
        # in UNITS a rest gives 1 HP or energy (R0.5)
        m.frame[at].reg[INSTEAD] = 1 if units and m.hp[char] < m.max_hp[char] else 0
