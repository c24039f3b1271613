"""The doors of the kernel: start, legal, apply, explain, and whole matches in compiled code.

`settle` runs a match to its next real choice: frames are stepped until one asks, and a question with one answer is answered
silently (A5.4). Everything Python needs goes through the doors at the end of this module.
"""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Activation, Suit
from .activation import step_activation, take_cost_card
from .attack import step_attack, step_hurt
from .board import put_piece
from .card_codes import OUT, coded_card
from .checks import spend_card, step_check
from .codes import Act, Cause, Decision, Fault, Flag, Frame, Kind, Log, Outcome, Zone
from .companions import has_piece, technique_of
from .compiler import inner, local_array
from .costs import SETS
from .damage import pay_with_card, start_salvation, step_death, step_salvation
from .declarations import commit, enter_table, table_zone
from .derive import refresh
from .drafts import clear_draft, draft_energy, draft_needs_x, draft_selects
from .ending import conclude, step_finale
from .energy import end_recovery, step_change, step_recover, take_change, take_recovery
from .entities import fall_asleep
from .evolution import step_evolve
from .hearing import is_nobodys, reactor, why_not_react
from .layout import M, P
from .loops import end_chain, is_way_out, stop_loop
from .moves import relocate, send_back, step_moving
from .nobody import whom_it_answers
from .opcodes import Select
from .options import options, sets_of_draft
from .program import STEP_LIMIT, answer_choose, answer_may, answer_pick, answer_walk, step_program
from .readings import entity_of
from .registers import C_PAID
from .stack import ask, finish, pop
from .tally import QUESTIONS, note
from .turn import check_capacity, end_turn, mulligan, step_overflow, step_setup, step_stint, step_turn
from .victims import take_victim
from .windows import CHAIN_LIMIT, begin_reaction, pass_window, step_window
from .zones import log, move_card, table_card

DECISION_CAP = 20_000  # decisions of a match; the rules end it long before


@inner(int64(M, P))
def is_companion(m, p):
    """Returns 1 if the drafted card is a Companion."""
    return 1 if p.card[m.ident[m.d_card]].suit == Suit.Companion else 0


@inner(void(M, P))
def next_draft_step(m, p):
    """Asks for what the draft still lacks, or commits it: effect, X, selection, energy."""
    kind = int(m.d_kind)
    asked = int(m.owner[m.d_char])
    if kind == Kind.PLACE and m.d_tile < 0 and has_piece(m, p, int(m.d_card)) != 0 and is_companion(m, p) != 0:
        ask(m, Decision.TILE, asked, 0, 0)
        return
    if kind == Kind.SUMMON and m.d_tile < 0:
        ask(m, Decision.TILE, asked, 0, 0)
        return
    if (kind == Kind.ATTACH or kind == Kind.PUSH) and m.d_target < 0:
        ask(m, Decision.TARGET, asked, 1, 0)
        return
    if kind == Kind.PUSH and m.d_tile < 0:
        ask(m, Decision.TILE, asked, 0, 0)
        return
    if Kind.USE_TABLE <= kind <= Kind.TECHNIQUE or kind == Kind.REACT:
        if m.d_effect < -1:
            ask(m, Decision.EFFECT, asked, 0, 0)
            return
        if draft_needs_x(m, p) != 0:
            ask(m, Decision.NUMBER, asked, 0, 0)
            return
        select = draft_selects(m, p)
        if select != Select.NONE:
            ask(m, Decision.TARGET, asked, select, 0)
            return
    spends = Kind.USE_TABLE <= kind <= Kind.TECHNIQUE or kind == Kind.AWAKEN or kind == Kind.SUMMON or kind >= Kind.REACT
    if spends and draft_energy(m, p) > 0:
        ask(m, Decision.PAY_ENERGY, asked, 0, 0)
        return
    commit(m, p)


@inner(void(M, P))
def step(m, p):
    """Runs the top frame one step."""
    kind = int(m.frame[m.sp - 1].kind)
    if kind == Frame.TURN:
        step_turn(m, p)
    elif kind == Frame.ATTACK:
        step_attack(m, p)
    elif kind == Frame.ACTIVATION:
        step_activation(m, p)
    elif kind == Frame.WINDOW:
        step_window(m, p)
        if m.d_kind == Kind.REACT:
            next_draft_step(m, p)
    elif kind == Frame.PROGRAM:
        step_program(m, p)
        if m.d_kind == Kind.REACT:
            next_draft_step(m, p)
    elif kind == Frame.HURT:
        step_hurt(m, p)
    elif kind == Frame.CHECK:
        step_check(m, p)
    elif kind == Frame.DEATH:
        step_death(m, p)
    elif kind == Frame.STINT:
        step_stint(m, p)
    elif kind == Frame.CHANGE:
        step_change(m, p)
    elif kind == Frame.RECOVER:
        step_recover(m, p)
    elif kind == Frame.SALVATION:
        step_salvation(m, p)
    elif kind == Frame.OVERFLOW:
        step_overflow(m)
    elif kind == Frame.EVOLVE:
        step_evolve(m, p)
    elif kind == Frame.MOVING:
        step_moving(m, p)
    elif kind == Frame.FINALE:
        step_finale(m, p)
    elif kind == Frame.SETUP:
        step_setup(m, p)
    else:
        m.fault = Fault.UNKNOWN_FRAME


@inner(void(M, P, int64))
def choose_kind(m, p, kind):
    """Starts a draft with the chosen kind of turn action."""
    char = int(m.turn_char)
    clear_draft(m)
    m.d_char = char
    m.d_kind = kind
    if kind == Kind.END_TURN:
        log(m, p, Log.ACTION, char, kind, -1, -1)
        end_turn(m, char)
        m.d_kind = -1
    elif kind == Kind.MOVE:
        ask(m, Decision.TILE, char, 0, 0)
    elif kind == Kind.NORMAL_ATTACK:
        ask(m, Decision.TARGET, char, 1, 0)
    elif kind == Kind.REST:
        commit(m, p)
    elif kind == Kind.TECHNIQUE:
        m.d_card = max(-1, int(m.body[char]))
        next_draft_step(m, p)
    elif kind == Kind.AWAKEN or kind == Kind.SLEEP:
        m.d_card = entity_of(m, char)
        next_draft_step(m, p)
    elif kind == Kind.PUSH:
        next_draft_step(m, p)
    else:
        ask(m, Decision.CARD, int(m.owner[char]), 0, 0)


@inner(void(M, P, int64, int64))
def choose_payment(m, p, hero, number):
    """Takes the numbered payment set into the draft."""
    masks = local_array(SETS)
    sets_of_draft(m, p, hero, masks)
    m.d_pay_n = 0
    for i in range(int(m.table_n[hero])):
        if masks[number] & (1 << i) != 0:
            m.d_pay[m.d_pay_n] = table_card(m, hero, i)
            m.d_pay_n += 1
    next_draft_step(m, p)


@inner(int64(M, int64, int64))
def table_index(m, hero, card):
    """Returns the index of a copy on its hero's table."""
    for i in range(int(m.table_n[hero])):
        if table_card(m, hero, i) == card:
            return i
    return -1


@inner(void(M, P, int64, int64))
def muster(m, p, hero, card):
    """Places a hand card for free, unseen until all have chosen (A3.7): nobody is told yet."""
    move_card(m, p, card, table_zone(m, p, card))
    enter_table(m, p, card, -1)
    m.flags[card] = int(m.flags[card]) | Flag.MUSTERED
    m.picked_n[hero] += 1


@inner(void(M, P, int64))
def answer_draft(m, p, code):
    """Applies an answer to a question of a declaration."""
    pending = int(m.pending)
    asked = int(m.asked)
    m.pending = 0
    if pending == Decision.TURN:
        choose_kind(m, p, code - Act.KIND)
    elif pending == Decision.CARD:
        m.d_card = coded_card(m, asked, code)
        next_draft_step(m, p)
    elif pending == Decision.EFFECT:
        index = code - Act.OPTION
        if m.d_kind == Kind.TECHNIQUE:
            m.d_technique = index
            m.d_effect = p.technique[technique_of(m, p, int(m.d_char), int(m.d_card), index)].effect
            next_draft_step(m, p)
            return
        m.d_effect = -1 if index == 15 else p.card[m.ident[m.d_card]].effect_first + index
        next_draft_step(m, p)
    elif pending == Decision.NUMBER:
        m.d_x = code - Act.NUMBER
        next_draft_step(m, p)
    elif pending == Decision.TARGET:
        if code >= Act.CHAR:
            m.d_target = code - Act.CHAR
        elif code >= Act.TILE:
            m.d_tile = code - Act.TILE
        else:
            m.d_target = coded_card(m, asked, code)
        next_draft_step(m, p)
    elif pending == Decision.TILE:
        m.d_tile = code - Act.TILE
        next_draft_step(m, p)
    else:
        choose_payment(m, p, asked, code - Act.NUMBER)


@inner(void(M, P, int64))
def spend_in_check(m, p, card):
    """Spends a card in the running check and lets it ask for more (R11.9)."""
    at = int(m.sp) - 1
    again = int(m.frame[at].step) - 1
    spend_card(m, p, card)
    if m.frame[at].reg[C_PAID] == 0:
        m.frame[at].step = again


@inner(void(M, P, int64))
def answer_card(m, p, code):
    """Applies an answer that picks one card, or PASS, for the top frame."""
    pending = int(m.pending)
    asked = int(m.asked)
    m.pending = 0
    if code == Act.PASS:
        if pending == Decision.MUSTER:
            m.frame[m.sp - 1].reg[0] = asked + 1
        elif pending == Decision.PICK:
            answer_pick(m, p, -1)
        elif Decision.CHECK_XP <= pending <= Decision.CHECK_WILL:
            m.ask_a = 0
        elif pending == Decision.RECOVER:
            end_recovery(m, p)
        else:
            pop(m)
        return
    if pending == Decision.PICK and code >= Act.CHAR:
        answer_pick(m, p, code - Act.CHAR)
        return
    card = coded_card(m, asked, code)
    if pending == Decision.MUSTER:
        muster(m, p, asked, card)
    elif pending == Decision.PICK:
        answer_pick(m, p, card)
    elif Decision.CHECK_XP <= pending <= Decision.CHECK_WILL:
        spend_in_check(m, p, card)
    elif pending == Decision.PAY_CARDS:
        if m.ask_b != 0:
            take_cost_card(m, p, card)
        else:
            pay_with_card(m, p, card)
    elif pending == Decision.OVERFLOW:
        relocate(m, p, card, Zone.DISCARD if m.zone[card] == Zone.HAND else Zone.HAND, 0, -1)
    elif pending == Decision.CHANGE:
        take_change(m, p, table_index(m, asked, card))
    else:
        take_recovery(m, p, table_index(m, asked, card))


@inner(void(M, P, int64))
def answer_react(m, p, code):
    """Applies an answer to an open window: PASS, or the card to react with (R8.4)."""
    at = int(m.sp) - 1
    hero = int(m.asked)
    m.pending = 0
    if code == Act.PASS:
        pass_window(m, p)
        return
    card = coded_card(m, hero, code)
    char = hero
    first = int(p.card[m.ident[card]].effect_first)
    effect = -2
    count = 0
    for index in range(int(p.card[m.ident[card]].effect_n)):
        if p.effect[first + index].activation != Activation.Permanent:
            # an effect of nobody's card speaks of whom the event concerns (R23.4)
            whose = is_nobodys(m, card) != 0
            who = whom_it_answers(m, p, card, first + index, at) if whose else reactor(m, p, hero, card, first + index)
            if who >= 0 and why_not_react(m, p, who, card, first + index, at) == 0:
                char = who
                effect = first + index
                count += 1
    begin_reaction(m, p, char, card, effect if count == 1 else -2, at)
    next_draft_step(m, p)


@inner(void(M, P, int64))
def answer(m, p, code):
    """Applies one legal code to the pending question."""
    pending = int(m.pending)
    asked = int(m.asked)
    if Decision.TURN <= pending <= Decision.PAY_ENERGY or pending == Decision.NUMBER:
        answer_draft(m, p, code)
    elif pending == Decision.REACT:
        answer_react(m, p, code)
    elif pending == Decision.MAY:
        m.pending = 0
        answer_may(m, p, 1 if code == Act.YES else 0)
    elif pending == Decision.UPKEEP:
        m.pending = 0
        if code == Act.YES:
            clear_draft(m)
            m.d_char = asked
            m.d_card = m.ask_a
            m.d_kind = Kind.UPKEEP
            next_draft_step(m, p)
        else:
            fall_asleep(m, p, int(m.ask_a))
    elif pending == Decision.CHOOSE:
        m.pending = 0
        answer_choose(m, p, code - Act.OPTION)
    elif pending == Decision.ORDER:
        m.pending = 0
        take_victim(m, p, code - Act.CHAR)
    elif pending == Decision.WALK:
        m.pending = 0
        answer_walk(m, p, -1 if code == Act.PASS else code - Act.TILE)
    elif pending == Decision.MULLIGAN:
        m.pending = 0
        if code == Act.YES:
            mulligan(m, p, asked)
    elif pending == Decision.SALVATION:
        m.pending = 0
        if code == Act.YES:
            start_salvation(m, p, asked)
    elif pending == Decision.PLACE_HERO:
        m.pending = 0
        put_piece(m, asked, code - Act.TILE)
        log(m, p, Log.MOVE_PIECE, asked, code - Act.TILE, 0, 0)
    else:
        answer_card(m, p, code)


@inner(int64(M, P, OUT))
def settle(m, p, out):
    """Runs a match to its next real choice and lists its options.

    Returns:
        The number of options written to `out`; 0 when the match is over.
    """
    m.steps = 0
    unchecked = 1  # capacity is checked again after every change
    while m.outcome == Outcome.RUNNING:
        m.steps += 1
        if m.steps > STEP_LIMIT:
            # what R27.1 cannot free
            log(m, p, Log.LOOP, 0, 0, 0, 0)
            finish(m, p, Outcome.LOOP, Cause.LOOP)
            return 0
        if m.fault != 0:
            finish(m, p, Outcome.CRASH, Cause.ERROR)
            return 0
        if m.dirty != 0:
            refresh(m, p)
            unchecked = 1
        if m.pending == 0:
            if m.chain > CHAIN_LIMIT:
                stop_loop(m, p)
                continue
            if m.unmet != 0:
                send_back(m, p)
                continue
            if unchecked != 0 and m.frame[m.sp - 1].kind != Frame.OVERFLOW:
                check_capacity(m)
                unchecked = 0
            step(m, p)
            continue
        n = options(m, p, out)
        if n == 1 and (m.pending != Decision.TURN or m.forced_n < 0):
            # written positions declare every end of a turn (R16.8); elsewhere one option is taken silently (A5.4)
            if m.pending == Decision.TURN:
                end_chain(m)
            answer(m, p, out[0])
        elif n == 0:
            m.fault = Fault.NO_OPTION
        else:
            if m.decisions >= DECISION_CAP:
                finish(m, p, Outcome.CAP, Cause.DECISION_CAP)
                return 0
            m.options_sum += n
            note(p, QUESTIONS, int(m.pending))
            return n
    return 0


@inner(int64(M, P, int64, OUT))
def play(m, p, code, out):
    """Applies a legal code and runs the match to its next choice; returns the number of options listed in `out`."""
    m.decisions += 1
    if is_way_out(m) != 0:
        end_chain(m)
    answer(m, p, code)
    return settle(m, p, out)


@inner(int64(M, P, OUT))
def concede(m, p, out):
    """Lets the side that is asked give up (ACT_CONCEDE, A7.5); returns the number of options listed in `out`."""
    m.decisions += 1
    log(m, p, Log.ACTION, int(m.asked), Kind.CONCEDE, -1, -1)
    conclude(m, p, 0 + (Outcome.WIN_B if m.team[m.asked] == 0 else Outcome.WIN_A), 0 + Cause.CONCESSION)
    return settle(m, p, out)
