"""From a complete declaration to its frames: payment, change, task, windows, resolution (R7, R17).

A declaration gathers in the draft and is committed at once; nothing is paid before it is complete. The same draft serves the
own turn, reactions and automatic effects.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Activation, CompanionType, Limit, Profile, RangeType, Suit, Task
from .attack import start_attack
from .board import put_piece
from .codes import BOTTOM, Change, Decision, Flag, Frame, Kind, Log, Zone
from .companions import attaching_cost, enter_piece, free_access, has_piece, summon_mana, technique_at, technique_of
from .compiler import inner, local_array
from .costs import ANY, COLOUR, COLOURS, ENERGY_ARRAY, ESSENCE, MANA, NEED, STAMINA, energy_total, is_energy
from .damage import heal, lose_hp, push_death_check
from .entities import ENTITY_ENERGY, fall_asleep, upkeep_cost, wake_up
from .evolution import start_evolution
from .lasting import end_with_marker
from .layout import ALL_IN, COPIES, DECK_SLOT, HEROES, M, P
from .legality import REST_ENERGY, REST_HP, can_recover, normal_attack_cost, table_cost
from .movement import step_cost
from .moves import (
    add_counters,
    attach,
    defer_windows,
    exhaust_card,
    recover_card,
    relocate,
    show_card,
    tell,
    tell_spent,
    tell_step,
)
from .objects import loot, push_object
from .opcodes import COST_WIDTH, Cost, Ev, Select
from .pieces import leave_piece
from .prices import TAKING, amount_of, ap_cost, breaks_condition, card_value, energy_need, fits_cost, why_not_together
from .readings import counters_on
from .registers import R_BOUND, R_EV, R_X
from .requirements import ULTIMATE, ULTIMATE_USED, has_bar, is_lost, is_own_move, is_ultimate, mark_used, range_type_of
from .stack import ask, hold_windows, pop, push, release_windows
from .standing import char_of, is_negated
from .turn import end_turn
from .windows import EFFECTS, action_window, mark_done, next_action, push_program, window
from .zones import has_flag, hero_of, log, move_card, table_card

# steps of an activation frame
COSTS, TASK, ANNOUNCE, RESOLVE, TEXT, FINISH = range(6)
# registers of an activation frame beside R_X and R_EV
V_LEFT, V_WORTH, V_STOP, V_HAND, V_TECHNIQUE, V_BAR, V_KEPT = 2, 4, 5, 6, 7, 8, 9  # V_KEPT: 1 + the card paid last
STOPPED, NO_TEXT = 1, 2  # bits of V_STOP
INSTEAD = 10  # register of a recovery frame: HP healed if nothing is recovered


@inner(int64(M, P))
def draft_bar(m, p):
    """Returns 1 if the drafted activation makes an attack."""
    if m.d_kind == Kind.TECHNIQUE:
        return int(p.technique[technique_of(m, p, int(m.d_char), int(m.d_card), int(m.d_technique))].has_damage)
    return has_bar(m, p, int(m.d_card), int(m.d_effect))


@inner(int64(M, P))
def draft_selects(m, p):
    """Returns what the drafted activation still has to select (opcodes.Select)."""
    if draft_bar(m, p) != 0:
        range_type = 0
        if m.d_kind != Kind.TECHNIQUE:
            range_type = range_type_of(m, p, int(m.d_char), int(m.d_card))
        else:
            range_type = int(p.technique[technique_of(m, p, int(m.d_char), int(m.d_card), int(m.d_technique))].range_type)
        if m.d_target >= 0 or range_type == RangeType.Area:
            return 0
        return 0 + Select.CHAR
    if m.d_effect < 0 or m.d_target >= 0 or m.d_tile >= 0:
        return 0
    return int(p.effect[m.d_effect].select)


@inner(int64(M, P))
def draft_needs_x(m, p):
    """Returns 1 if the drafted effect lets its activator choose an X and has not yet."""
    return 1 if m.d_effect >= 0 and m.d_x < 0 and p.effect[m.d_effect].x_max >= 0 else 0


@inner(void(M, P, ENERGY_ARRAY))
def draft_need(m, p, need):
    """Writes the energy cost of the draft."""
    for k in range(NEED):
        need[k] = 0
    if m.d_kind == Kind.SUMMON:
        need[MANA] = summon_mana(m, p, int(m.d_char), int(m.d_card))
        return
    if m.d_kind == Kind.TECHNIQUE:
        return
    if m.d_kind == Kind.AWAKEN or m.d_kind == Kind.UPKEEP:
        need[ANY] = ENTITY_ENERGY if m.d_kind == Kind.AWAKEN else upkeep_cost(m, p, int(m.d_char))
        return
    energy_need(m, p, int(m.d_char), int(m.d_card), int(m.d_effect), max(-1, int(m.d_event)), int(m.d_x), need)


@inner(int64(M, P))
def draft_energy(m, p):
    """Returns the energy the draft has to pay and has not yet."""
    if m.d_pay_n > 0:
        return 0
    need = local_array(NEED)
    draft_need(m, p, need)
    return energy_total(need)


@inner(void(M, P, int64, int64))
def pay_ap(m, p, char, cost):
    """Takes AP: in the own turn and before it from the points there are, the rest as debt (R7.4.2, R7.4.3)."""
    if m.turn_char == char or m.acted[char] <= 0:
        paid = min(cost, int(m.ap[char]))
        m.ap[char] -= paid
        cost -= paid
    m.debt[char] += cost


@inner(void(M, P, int64))
def pay_energy(m, p, char):
    """Exhausts the drafted Skills and opens the change for what they supply beyond the cost (R7.5.1, R7.5.4, R7.5.5)."""
    if m.d_pay_n == 0:
        return
    need = local_array(NEED)
    draft_need(m, p, need)
    have = local_array(8)
    for i in range(int(m.d_pay_n)):
        card = int(m.d_pay[i])
        ident = p.card[m.ident[card]]
        have[0] += ident.stamina
        have[1] += ident.mana
        have[2 + ident.colour] += ident.essence
    short = max(0, need[STAMINA] - have[0]) + max(0, need[MANA] - have[1])
    mixed = short > 0 and need[STAMINA] > 0 and need[MANA] > 0
    at = push(m, Frame.CHANGE)
    f = m.frame[at]
    f.char = char
    f.step = 1 if mixed else 0
    left = need[ANY]
    spare = max(0, have[0] - need[STAMINA])
    spent = min(left, spare)
    f.reg[0] = spare - spent
    left -= spent
    spare = max(0, have[1] - need[MANA])
    spent = min(left, spare)
    f.reg[1] = spare - spent
    left -= spent
    have[2 + need[COLOUR]] -= need[ESSENCE]
    short += left
    for colour in range(COLOURS):
        spent = min(short, have[2 + colour])
        f.reg[2 + colour] = have[2 + colour] - spent
        short -= spent
    tell_spent(m, p, char, 1, need[STAMINA])
    tell_spent(m, p, char, 2, need[MANA])
    tell_spent(m, p, char, 4, need[ESSENCE])
    tell_spent(m, p, char, 7, need[ANY])
    for i in range(int(m.d_pay_n)):
        exhaust_card(m, p, int(m.d_pay[i]), 1)


@inner(int64(M, int64))
def is_drafted(m, card):
    """Returns 1 if a copy is among the Skills just exhausted."""
    for i in range(int(m.d_pay_n)):
        if m.d_pay[i] == card:
            return 1
    return 0


@inner(int64(M, P, int64))
def is_change(m, p, i):
    """Returns 1 if the i-th table card may be recovered as change now (R7.5.4).

    Cards are taken in table order (register 8 is the next index), so that each set is offered once.
    """
    f = m.frame[m.sp - 1]
    hero = int(f.char)
    card = table_card(m, hero, i)
    if i < f.reg[8] or has_flag(m, card, Flag.EXHAUSTED) == 0 or is_energy(m, p, card) == 0 or is_drafted(m, card) != 0:
        return 0
    ident = p.card[m.ident[card]]
    if ident.essence > f.reg[2 + ident.colour]:
        return 0
    spare = -int(ident.essence)
    for colour in range(COLOURS):
        spare += f.reg[2 + colour]
    short = max(0, int(ident.stamina) - f.reg[0]) + max(0, int(ident.mana) - f.reg[1])
    return 1 if short <= spare else 0


@inner(void(M, P))
def step_change(m, p):
    """Asks which Skills come back as change, if any can."""
    hero = int(m.frame[m.sp - 1].char)
    if m.frame[m.sp - 1].step != 0:
        # essence stood for stamina or mana of a cost in both: no change (R7.5.5)
        pop(m)
        return
    for i in range(int(m.table_n[hero])):
        if is_change(m, p, i) != 0:
            ask(m, Decision.CHANGE, hero, 0, 0)
            return
    pop(m)


@inner(void(M, P, int64))
def take_change(m, p, i):
    """Recovers the i-th table card as change."""
    f = m.frame[m.sp - 1]
    card = table_card(m, int(f.char), i)
    ident = p.card[m.ident[card]]
    short = max(0, int(ident.stamina) - int(f.reg[0])) + max(0, int(ident.mana) - int(f.reg[1]))
    f.reg[0] = max(0, f.reg[0] - ident.stamina)
    f.reg[1] = max(0, f.reg[1] - ident.mana)
    f.reg[2 + ident.colour] -= ident.essence
    for colour in range(COLOURS):
        spent = min(short, int(f.reg[2 + colour]))
        f.reg[2 + colour] -= spent
        short -= spent
    f.reg[8] = i + 1
    recover_card(m, p, card, 1)
    hold_windows(m)


@inner(int64(P, int64, int64))
def energy_of(p, ident, kinds):
    """Returns the energy a card gives in some kinds: mask 1 stamina, 2 mana, 4 essence; 8 * (1 + colour) adds a colour.

    Source: R7.5.7, R7.5.8, R21.3.
    """
    card = p.card[ident]
    if kinds > 7 and card.colour != kinds // 8 - 1:
        return 0
    return card.stamina * (kinds & 1) + card.mana * (kinds >> 1 & 1) + card.essence * (kinds >> 2 & 1)


@inner(int64(M, P, int64))
def is_recoverable(m, p, i):
    """Returns 1 if the i-th table card may be recovered within the amount left (R7.5.8)."""
    f = m.frame[m.sp - 1]
    card = table_card(m, int(f.char), i)
    if i < f.reg[8] or has_flag(m, card, Flag.EXHAUSTED) == 0 or is_energy(m, p, card) == 0:
        return 0
    worth = energy_of(p, int(m.ident[card]), int(f.reg[9]))
    return 1 if 0 < worth <= f.reg[0] else 0


@inner(void(M, P))
def end_recovery(m, p):
    """Takes a recovery off the stack; a rest that chose HP instead of energy heals now (R0.5)."""
    f = m.frame[m.sp - 1]
    pop(m)
    if f.reg[INSTEAD] > 0 and f.reg[8] == 0:
        heal(m, p, int(f.char), int(f.reg[INSTEAD]))


@inner(void(M, P))
def step_recover(m, p):
    """Asks which exhausted Skills to recover within an amount of energy (R7.5.7, R7.5.8)."""
    hero = int(m.frame[m.sp - 1].char)
    for i in range(int(m.table_n[hero])):
        if is_recoverable(m, p, i) != 0:
            ask(m, Decision.RECOVER, hero, int(m.frame[m.sp - 1].reg[0]), 0)
            return
    end_recovery(m, p)


@inner(void(M, P, int64))
def take_recovery(m, p, i):
    """Recovers the i-th table card and lowers the amount left."""
    f = m.frame[m.sp - 1]
    card = table_card(m, int(f.char), i)
    f.reg[0] -= energy_of(p, int(m.ident[card]), int(f.reg[9]))
    f.reg[8] = i + 1
    recover_card(m, p, card, 1)


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
        move_card(m, p, card, Zone.RESOLVING)
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
        if int(f.reg[V_STOP]) & STOPPED != 0 or m.life[f.char] != 0:
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
        if int(f.reg[V_STOP]) == 0 and m.life[f.char] == 0 and is_negated(m, p, card) == 0:
            run_text(m, p, at)
    elif release_windows(m) == 0:
        # the frame goes first: what the finish opens (a discard heard by somebody) runs after it
        char = int(f.char)
        target = int(f.target)
        resolved = int(f.reg[V_STOP]) == 0
        pop(m)
        finish_activation(m, p, at)
        if resolved:
            window(m, p, Ev.RESOLVED, char, target, card, card)


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


@inner(void(M))
def clear_draft(m):
    """Empties the draft."""
    m.d_card = -1
    m.d_effect = -2
    m.d_target = -1
    m.d_tile = -1
    m.d_technique = -1
    m.d_x = -1
    m.d_event = -1
    m.d_pay_n = 0
