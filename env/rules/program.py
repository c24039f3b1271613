"""Runs the programs of effects: control flow, questions, and one call per instruction (opcodes.Op)."""

from __future__ import annotations

from numba import int64, void

from .board import put_piece
from .checks import contest, start_check
from .codes import Cause, Decision, Fault, Kind, Life, Log, Outcome
from .compiler import inner
from .damage import push_death_check
from .ending import conclude
from .instructions import (
    OWES_DEATHS,
    do_attach,
    do_draw,
    do_entity,
    do_heal,
    do_hurt,
    do_marker,
    do_modifier,
    do_move,
    do_negate,
    do_push,
    do_put,
    do_recover_energy,
    do_redirect,
    do_revive,
    do_spend_energy,
    do_splash,
    do_swap,
    do_unmark,
    missing_energy,
    operand,
)
from .instructions_dice import ABOUT_TO_ROLL, ROLLED, check_of, do_add_roll, do_reroll, do_roll, do_set_face
from .lasting import end_all_on, end_spawned
from .layout import CARDS, HEROES, SIDE, M, P
from .movement import climb_cost
from .moves import add_counters, exhaust_card, recover_card, show_card, tell_step
from .opcodes import WIDTH, Ev, Op
from .operations import (
    do_altitude,
    do_control,
    do_delay,
    do_extra_turn,
    do_give,
    do_move_counter,
    do_object,
    do_place,
    do_set_result,
    do_spawn,
    do_swap_card,
    do_terrain,
    do_tie,
    do_use_card,
    nth_counter,
    nth_marker,
)
from .picks import (
    OPEN_TURNS,
    next_pickable,
    run_choice_of_names,
    run_find_top,
    run_object,
    run_pick_char,
    run_pick_tile,
    run_put,
    run_walk,
)
from .readings import counters_on
from .registers import R_BOUND, R_COUNT, R_EV, R_IT, R_MARGIN, R_REPEAT
from .stack import ask, pop
from .tally import OPCODES, note
from .turn import end_turn
from .values import next_within, places_of, value
from .windows import action_window, next_action, window
from .zones import log, refill_deck, shuffle_deck

STEP_LIMIT = 20_000  # steps between two decisions; far above any real chain


@inner(int64(M, P, int64))
def loop_chars(m, p, at):
    """Moves a FOR_CHARS on to its next character; returns 1 while there is one."""
    f = m.frame[at]
    test = int(p.code[f.pc + 1])
    for char in range(int(f.reg[R_IT]) + 1, int(m.chars)):
        if m.kind[char] == 0:
            continue
        if value(m, p, test, at, int(f.reg[R_EV]) - 1, int(f.card), int(f.char), char, -1) != 0:
            f.reg[R_IT] = char
            return 1
    f.reg[R_IT] = -1
    if int(f.flags) & OWES_DEATHS != 0:
        f.flags = int(f.flags) & ~OWES_DEATHS
        push_death_check(m, int(f.char), int(f.card))
    return 0


@inner(int64(M, P, int64))
def loop_cards(m, p, at):
    """Moves a FOR_CARDS on to its next copy; returns 1 while there is one. Register R_BOUND is the copy, R_REPEAT the place."""
    f = m.frame[at]
    test = int(p.code[f.pc + 1])
    places = places_of(p, test)
    card = int(f.reg[R_REPEAT]) - 1
    while True:
        card = next_within(m, p, card + 1, CARDS, places, int(f.char))
        if card < 0:
            f.reg[R_REPEAT] = 0
            return 0
        if value(m, p, test, at, int(f.reg[R_EV]) - 1, int(f.card), int(f.char), int(f.reg[R_IT]), card) != 0:
            f.reg[R_BOUND] = card
            f.reg[R_REPEAT] = card + 1
            return 1


@inner(void(M, P, int64))
def run_check(m, p, at):
    """Opens a check and, once it is over, goes on by its result."""
    f = m.frame[at]
    pc = int(f.pc)
    if f.step == 0:
        who = operand(m, p, at, int(p.code[pc + 1]))
        if who < 0 or m.life[who] != Life.ALIVE:
            f.pc = pc + WIDTH
            return
        f.step = 1
        difficulty = operand(m, p, at, int(p.code[pc + 4]))
        cause = int(f.card) if f.card >= 0 else CARDS + who
        start_check(m, who, int(p.code[pc + 2]), int(p.code[pc + 3]), difficulty, int(f.card), at, cause)
        return
    f.step = 0
    f.pc = p.code[pc + 5] if f.reg[R_MARGIN] < 0 else pc + WIDTH


@inner(void(M, P, int64))
def run_roll(m, p, at):
    """Lets the roll of an effect be answered before and after, random dice excepted (R6.4.15, R9.1.4, R10.4)."""
    f = m.frame[at]
    pc = int(f.pc)
    random = int(p.code[pc + 3])
    if f.step == 0 and random == 0:
        f.step = 0 + ABOUT_TO_ROLL
        next_action(m, at)
        action_window(m, p, 0 + Ev.ROLL_BEFORE, int(f.char), -1, int(f.card), int(f.card), at)
        return
    if f.step != ROLLED:
        do_roll(m, p, at, int(p.code[pc + 1]), int(p.code[pc + 2]), random)
        if random == 0:
            f.step = 0 + ROLLED
            action_window(m, p, 0 + Ev.ROLL_AFTER, int(f.char), -1, int(f.card), int(f.card), at)
            return
    f.step = 0
    f.pc = pc + WIDTH


@inner(int64(M, P, int64))
def run_flow(m, p, at):
    """Runs one control instruction; returns 1 if the instruction was one."""
    f = m.frame[at]
    pc = int(f.pc)
    op = int(p.code[pc])
    if op == Op.JUMP or op == Op.NEXT:
        f.pc = p.code[pc + 1]
    elif op == Op.JUMP_IF_NOT:
        f.pc = pc + WIDTH if operand(m, p, at, int(p.code[pc + 1])) != 0 else p.code[pc + 2]
    elif op == Op.MAY:
        who = operand(m, p, at, int(p.code[pc + 2]))
        ask(m, Decision.MAY, int(m.owner[who if who >= 0 else f.char]), 0, 0)
    elif op == Op.CHOOSE:
        who = operand(m, p, at, int(p.code[pc + 3]))
        ask(m, Decision.CHOOSE, int(m.owner[who if who >= 0 else f.char]), int(p.code[pc + 1]), 0)
    elif op == Op.FOR_CHARS:
        f.pc = pc + WIDTH if loop_chars(m, p, at) != 0 else p.code[pc + 2]
    elif op == Op.FOR_CARDS:
        f.pc = pc + WIDTH if loop_cards(m, p, at) != 0 else p.code[pc + 2]
    elif op == Op.REPEAT:
        if f.reg[R_REPEAT] == 0:
            f.reg[R_REPEAT] = 1 + max(0, min(60, operand(m, p, at, int(p.code[pc + 1]))))
        f.reg[R_REPEAT] -= 1
        f.pc = pc + WIDTH if f.reg[R_REPEAT] > 0 else p.code[pc + 2]
    elif op == Op.PICK:
        if next_pickable(m, p, at, 0) >= 0:
            who = operand(m, p, at, int(p.code[pc + 2]))
            ask(m, Decision.PICK, int(m.owner[who if who >= 0 else f.char]), 0, 0)
        else:
            f.reg[R_BOUND] = -1
            f.pc = p.code[pc + 4] if p.code[pc + 4] >= 0 else pc + WIDTH
    elif op == Op.WALK:
        run_walk(m, p, at)
    elif op == Op.PUT_CHOSEN:
        run_put(m, p, at)
    elif op == Op.OBJECT:
        run_object(m, p, at)
    elif op == Op.PICK_TILE:
        run_pick_tile(m, p, at)
    elif op == Op.FIND_TOP:
        run_find_top(m, p, at)
    elif op == Op.PICK_CHAR:
        run_pick_char(m, p, at)
    elif op == Op.MARKER_CHOOSE or op == Op.COUNTER_CHOOSE:
        run_choice_of_names(m, p, at)
    elif op == Op.CHECK:
        run_check(m, p, at)
    elif op == Op.ROLL:
        run_roll(m, p, at)
    else:
        return 0
    return 1


@inner(int64(M, P, int64, int64, int64, int64))
def run_amount(m, p, at, op, who, amount):
    """Runs an instruction of a character and an amount; returns 1 if the instruction was one."""
    if op == Op.HEAL:
        do_heal(m, p, at, who, amount)
    elif op == Op.LOSE_HP or op == Op.DAMAGE or op == Op.INJURY:
        do_hurt(m, p, at, op, who, amount)
    elif op == Op.GAIN_AP:
        if who >= 0:
            m.ap[who] += max(0, amount)
    elif op == Op.LOSE_AP:
        if who >= 0:
            m.ap[who] = max(0, int(m.ap[who]) - max(0, amount))
    elif op == Op.DRAW:
        do_draw(m, p, who, amount)
    elif op == Op.PUSH:
        do_push(m, p, at, who, -amount if p.code[m.frame[at].pc - WIDTH + 3] != 0 else amount)
    elif op == Op.SWAP:
        do_swap(m, p, at, who, amount)
    elif op == Op.REVIVE:
        do_revive(m, p, who, amount)
    elif op == Op.SAVE:
        if who >= 0 and m.life[who] == Life.ALIVE:
            m.hp[who] = max(1, min(amount, int(m.max_hp[who])))
    elif op == Op.PUT:
        do_put(m, p, at, who, amount)
    else:
        return 0
    return 1


@inner(int64(M, P, int64, int64, int64, int64))
def run_card(m, p, at, op, card, pc):
    """Runs an instruction about a card copy; returns 1 if the instruction was one."""
    f = m.frame[at]
    if op == Op.MOVE:
        do_move(m, p, at, card, int(p.code[pc + 2]))
    elif op == Op.EXHAUST:
        if card >= 0:
            exhaust_card(m, p, card, 0)
    elif op == Op.RECOVER:
        if card >= 0:
            recover_card(m, p, card, 0)
    elif op == Op.REVEAL:
        if card >= 0:
            show_card(m, p, card, 0, -1)
    elif op == Op.PLACE:
        do_place(m, p, at, card, int(p.code[pc + 2]))
    elif op == Op.SWAP_CARD:
        do_swap_card(m, p, at, card, operand(m, p, at, int(p.code[pc + 2])))
    elif op == Op.GIVE:
        f.reg[R_BOUND] = do_give(m, p, at, card, operand(m, p, at, int(p.code[pc + 2])), int(p.code[pc + 3]))
    elif op == Op.MOVE_COUNTER:
        amount = operand(m, p, at, int(p.code[pc + 4]))
        do_move_counter(m, p, card, operand(m, p, at, int(p.code[pc + 2])), int(p.code[pc + 3]), amount)
    elif op == Op.ATTACH:
        do_attach(m, p, card, operand(m, p, at, int(p.code[pc + 2])))
    elif op == Op.COUNTER_ADD:
        if card >= 0:
            f.reg[R_COUNT] = add_counters(m, p, card, int(p.code[pc + 2]), max(0, operand(m, p, at, int(p.code[pc + 3]))))
    elif op == Op.COUNTER_REMOVE:
        if card >= 0:
            name = int(p.code[pc + 2])
            many = counters_on(m, card, name)
            if p.code[pc + 3] >= 0:
                many = min(many, max(0, operand(m, p, at, int(p.code[pc + 3]))))
            f.reg[R_COUNT] = add_counters(m, p, card, name, -many)
    else:
        return 0
    return 1


@inner(int64(M, P, int64, int64, int64, int64))
def run_other(m, p, at, op, who, pc):
    """Runs the remaining instructions; returns 0 for an unknown one."""
    f = m.frame[at]
    if op == Op.MOD:
        until = int(p.code[pc + 3])
        on = operand(m, p, at, int(p.code[pc + 2]))
        rounds = int(p.code[pc + 4]) if p.code[pc + 5] < 0 else operand(m, p, at, int(p.code[pc + 5]))
        this = int(f.card) if p.code[pc + 6] < 0 else operand(m, p, at, int(p.code[pc + 6]))
        if (on >= 0 or p.code[pc + 2] < 0) and (this >= 0 or p.code[pc + 6] < 0):
            do_modifier(m, p, at, int(p.code[pc + 1]), this, on, until, rounds)
    elif op == Op.MARKER_ADD:
        do_marker(m, p, at, who, int(p.code[pc + 2]), int(p.code[pc + 3]), int(p.code[pc + 4]))
    elif op == Op.MARKER_REMOVE:
        do_unmark(m, p, who, int(p.code[pc + 2]))
    elif op == Op.RECOVER_ENERGY:
        do_recover_energy(m, p, who, operand(m, p, at, int(p.code[pc + 2])), int(p.code[pc + 3]))
    elif op == Op.SPEND_ENERGY:
        amount = operand(m, p, at, int(p.code[pc + 2]))
        if p.code[pc + 5] == 1:
            f.reg[R_COUNT] = missing_energy(m, p, who, amount)
        paid = do_spend_energy(m, p, who, amount, int(p.code[pc + 3]))
        if paid == 0 and p.code[pc + 4] >= 0:
            f.pc = p.code[pc + 4]
    elif op == Op.SPLASH:
        do_splash(m, p, at, int(p.code[pc + 1]))
    elif op == Op.SHUFFLE:
        if 0 <= who < HEROES:
            shuffle_deck(m, who)
    elif op == Op.REFILL:
        if 0 <= who < HEROES:
            refill_deck(m, p, who)
    elif op == Op.CONTEST:
        other = operand(m, p, at, int(p.code[pc + 3]))
        if who >= 0 and other >= 0:
            bonus = operand(m, p, at, int(p.code[pc + 6])) if p.code[pc + 6] >= 0 else 0
            f.reg[R_MARGIN] = bonus + contest(m, p, who, int(p.code[pc + 2]), other, int(p.code[pc + 4]), int(f.card))
            if f.reg[R_MARGIN] <= 0:
                f.pc = p.code[pc + 5]
    elif op == Op.ROLLING:
        window(m, p, 0 + Ev.ROLL_BEFORE, who if p.code[pc + 1] >= 0 else int(f.char), -1, int(f.card), int(f.card))
    elif op == Op.REROLL:
        do_reroll(m, p, at, max(0, int(p.code[pc + 1])))
    elif op == Op.ADD_ROLL:
        do_add_roll(m, p, at, who)
    elif op == Op.NEGATE:
        do_negate(m, p, at, int(p.code[pc + 1]))
    elif op == Op.REDIRECT:
        do_redirect(m, p, at, who)
    elif op == Op.AWAKEN or op == Op.SLEEP:
        do_entity(m, p, who, 1 if op == Op.AWAKEN else 0)
    elif op == Op.SKIP_TURN:
        if who >= 0:
            m.deeds[who] = int(m.deeds[who]) | OPEN_TURNS
    elif op == Op.END_TURN:
        if who >= 0:
            end_turn(m, who)
    elif op == Op.REMOVE_PIECE:
        if who >= 0:
            put_piece(m, who, -1)
    elif op == Op.TILE_ALTITUDE:
        do_altitude(m, p, at, who, operand(m, p, at, int(p.code[pc + 2])), int(p.code[pc + 3]), int(p.code[pc + 4]))
    elif op == Op.TILE_TERRAIN:
        do_terrain(m, p, at, who, int(p.code[pc + 2]), int(p.code[pc + 3]), int(p.code[pc + 4]))
    elif op == Op.KEEP:
        f.reg[R_COUNT] = who
    elif op == Op.SET_RESULT:
        do_set_result(m, check_of(m, at), int(p.code[pc + 1]))
    elif op == Op.REMOVE_MODS:
        if who >= 0:
            end_all_on(m, who)
    elif op == Op.REMOVE_SPAWNED:
        end_spawned(m, int(f.card))
    elif op == Op.DELAY:
        do_delay(m, p, at, who, int(p.code[pc + 2]), int(p.code[pc + 3]), int(p.code[pc + 4]))
    elif op == Op.USE_CARD:
        do_use_card(m, p, at, who, int(p.code[pc + 2]))
    elif op == Op.EXTRA_TURN:
        do_extra_turn(m, p, who)
    elif op == Op.HOLD:
        do_tie(m, p, at, who, int(p.code[pc + 2]), int(p.code[pc + 3]))
    elif op == Op.CONTROL:
        do_control(m, p, at, who, operand(m, p, at, int(p.code[pc + 2])), int(p.code[pc + 3]), int(p.code[pc + 4]))
    elif op == Op.SET_FACE:
        do_set_face(m, at, int(p.code[pc + 1]))
    elif op == Op.SUMMON_PIECE:
        do_spawn(m, p, at, int(p.code[pc + 1]), operand(m, p, at, int(p.code[pc + 2])))
    elif op == Op.END_BATTLE:
        outcome = Outcome.DRAW if who == 2 else (Outcome.WIN_A if who == 0 else Outcome.WIN_B)
        conclude(m, p, 0 + outcome, 0 + Cause.EFFECT)
    else:
        return 0
    return 1


@inner(int64(int64))
def immediate_first(op):
    """Returns 1 for instructions whose first operand is no value."""
    if op == Op.SET_RESULT or op == Op.SUMMON_PIECE or op == Op.SET_FACE:
        return 1
    return 1 if op == Op.MOD or op == Op.SPLASH or op == Op.REROLL or op == Op.NEGATE else 0


@inner(void(M, P))
def step_program(m, p):
    """Runs a program until it ends, asks, or opens something that must happen first."""
    at = int(m.sp) - 1
    f = m.frame[at]
    while m.sp == at + 1 and m.pending == 0 and m.fault == 0 and m.outcome == 0 and m.d_kind != Kind.REACT:
        pc = int(f.pc)
        op = int(p.code[pc])
        if op == Op.END:
            pop(m)
            return
        m.steps += 1
        if m.steps > STEP_LIMIT:
            return
        note(p, OPCODES, op)
        if run_flow(m, p, at) != 0:
            continue
        f.pc = pc + WIDTH
        first = -1 if immediate_first(op) != 0 else operand(m, p, at, int(p.code[pc + 1]))
        if Op.HEAL <= op <= Op.LOSE_AP or op == Op.DAMAGE or op == Op.INJURY or op == Op.DRAW or op == Op.PUSH:
            run_amount(m, p, at, op, first, operand(m, p, at, int(p.code[pc + 2])))
        elif op == Op.SWAP or op == Op.REVIVE or op == Op.SAVE or op == Op.PUT:
            run_amount(m, p, at, op, first, operand(m, p, at, int(p.code[pc + 2])))
        elif run_card(m, p, at, op, first, pc) == 0 and run_other(m, p, at, op, first, pc) == 0:
            m.fault = Fault.UNKNOWN_OPCODE


@inner(void(M, P, int64))
def answer_may(m, p, yes):
    """Goes on after a MAY."""
    f = m.frame[m.sp - 1]
    f.pc = f.pc + WIDTH if yes != 0 else p.code[f.pc + 1]


@inner(void(M, P, int64))
def answer_choose(m, p, option):
    """Goes on with the chosen option of a CHOOSE."""
    f = m.frame[m.sp - 1]
    pc = int(f.pc)
    if p.code[pc] == Op.CHOOSE:
        f.pc = p.code[p.code[pc + 2] + option]
        return
    subject = operand(m, p, int(m.sp) - 1, int(p.code[pc + 1]))
    f.pc = pc + WIDTH
    if p.code[pc] == Op.MARKER_CHOOSE:
        do_unmark(m, p, subject, nth_marker(m, subject, option))
    else:
        add_counters(m, p, subject, nth_counter(m, subject, option), -1)


@inner(void(M, P, int64))
def answer_pick(m, p, card):
    """Binds the picked copy, -1 for none, and goes on."""
    f = m.frame[m.sp - 1]
    f.reg[R_BOUND] = card
    f.pc = p.code[f.pc + 4] if card < 0 and p.code[f.pc + 4] >= 0 else f.pc + WIDTH


@inner(void(M, P, int64))
def answer_walk(m, p, tile):
    """Takes one step of a walk, or ends it for -1."""
    f = m.frame[m.sp - 1]
    who = int(m.ask_a)
    if tile < 0:
        f.reg[R_REPEAT] = 0
        return
    if p.code[f.pc] == Op.PICK_TILE:
        f.reg[R_BOUND] = tile
        f.pc += WIDTH
        return
    if p.code[f.pc] == Op.OBJECT:
        do_object(m, p, int(m.sp) - 1, operand(m, p, int(m.sp) - 1, int(p.code[f.pc + 1])), tile)
        f.pc += WIDTH
        return
    if p.code[f.pc] == Op.PUT_CHOSEN:
        f.pc += WIDTH
        put_piece(m, who, tile)
        log(m, p, Log.MOVE_PIECE, who, tile, 2, 0)
        return
    if p.code[f.pc + 6] > 0:
        f.flags = tile - int(m.tile[who]) + SIDE + 1
    f.reg[R_REPEAT] -= 1 if p.code[f.pc + 3] != 0 else 1 + climb_cost(m, p, who, int(m.tile[who]), tile)
    put_piece(m, who, tile)
    log(m, p, Log.MOVE_PIECE, who, tile, 4, 0)
    m.deeds[who] = int(m.deeds[who]) | 1
    tell_step(m, p, who, tile, int(f.card))
