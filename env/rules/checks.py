"""Checks and contests (R11)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import Knowledge, Suit
from .codes import Decision, Frame, Log, Zone
from .compiler import inner
from .dice import extra_dice, lent_dice, natural, read_face
from .lasting import end_modifiers
from .layout import CARDS, COPIES, HEROES, M, P
from .moves import relocate
from .opcodes import Ev, Q, Until
from .prices import card_value
from .rare import FATE_PAID
from .registers import (
    C_ATTR,
    C_BASE,
    C_BONUS,
    C_DIFFICULTY,
    C_FACE,
    C_FAIL,
    C_FORCED,
    C_KEPT,
    C_KNOW,
    C_MAIN,
    C_PAID,
    C_PARENT,
    C_RESULT,
    R_MARGIN,
    W_AMOUNT,
)
from .stack import ask, pop, push
from .standing import counts_as, modify
from .windows import action_window, next_action
from .zones import hero_of, log

BEFORE, XP, FATE, ROLL, THROW, WILL, AFTER, RESULT = range(8)  # steps of a check frame


@inner(int64(int64))
def knowledge_bonus(level):
    """Returns the bonus of a knowledge level in checks (R11.3)."""
    if level <= 0:
        return 0
    if level == 1:
        return 1
    return 5 if level == 2 else 10 * (level - 2)


@inner(int64(M, P, int64, int64, int64, int64))
def check_roll(m, p, at, char, know, cause):
    """Rolls the die of a check: 1D6, or 1D3 for a knowledge the character lacks (R11.2, R11.4); keeps its face."""
    face = int(m.frame[at].reg[C_FACE]) if at >= 0 else 0
    if face == 0:
        face = natural(m, cause)
    perfect = modify(m, p, Q.CRITICAL, -1, 6, char, -1, at, -1, -1)
    lacking = know >= 0 and (char >= HEROES or m.knowledge[char, know] == 0)
    total = read_face(face, 3 if lacking else 6)
    total += lent_dice(m, modify(m, p, Q.CHECK_DICE, -1, 0, char, -1, at, -1, -1), cause)
    if at >= 0:
        m.frame[at].reg[C_MAIN] = face
    if face >= perfect:
        total += extra_dice(m, cause)
    return total


@inner(int64(M, P, int64, int64, int64, int64))
def check_base(m, p, char, attribute, know, ev):
    """Returns knowledge bonus + attribute + modifiers of a check (R11.2)."""
    base = 0
    if attribute >= 0:
        base += m.attr[char, attribute]
    if know >= 0 and char < HEROES:
        base += knowledge_bonus(modify(m, p, Q.CHECK_KNOWLEDGE, know, int(m.knowledge[char, know]), char, -1, ev, -1, -1))
    return modify(m, p, Q.CHECK_BONUS, -1, base, char, -1, ev, -1, -1)


@inner(void(M, int64, int64, int64, int64, int64, int64, int64))
def start_check(m, char, attribute, know, difficulty, card, program, cause):
    """Opens a check of a character for a program frame."""
    at = push(m, Frame.CHECK)
    f = m.frame[at]
    f.char = char
    f.card = card
    f.cause = cause
    f.reg[C_ATTR] = attribute
    f.reg[C_KNOW] = know
    f.reg[C_DIFFICULTY] = difficulty
    f.reg[C_PARENT] = program + 1


@inner(int64(M, P, int64, int64))
def is_spendable(m, p, card, suit):
    """Returns 1 if the checker may spend a card of a suit: a Hero from its hand, a Companion from its attachments (R11.9)."""
    f = m.frame[m.sp - 1]
    if m.ident[card] < 0 or counts_as(m, p, card, suit) == 0 or card_value(m, p, hero_of(card), card) <= 0:
        return 0
    char = int(f.char)
    if char < HEROES:
        return 1 if m.zone[card] == Zone.HAND and hero_of(card) == char else 0
    return 1 if m.zone[card] == Zone.ATTACHED and m.host[card] == m.body[char] else 0


@inner(int64(M, P, int64))
def check_worth(m, p, card):
    """Returns what a card is worth in the running check: double when it is of the check's knowledge (R11.9)."""
    f = m.frame[m.sp - 1]
    ident = p.card[m.ident[card]]
    know = int(f.reg[C_KNOW]) if f.reg[C_KNOW] >= 0 else 0 + Knowledge.Free
    worth = card_value(m, p, int(m.owner[f.char]), card)
    if m.modified & (1 << Q.VALUE_IN_CHECKS) != 0:
        worth = max(0, modify(m, p, Q.VALUE_IN_CHECKS, -1, worth, int(f.char), card, -1, -1, -1))
    return worth * (2 if int(ident.knowledges) & (1 << know) != 0 else 1)


@inner(int64(M, P, int64))
def spendable_worth(m, p, suit):
    """Returns the worth of all cards of a suit that the checker could spend."""
    total = 0
    hero = int(m.owner[m.frame[m.sp - 1].char])
    for card in range(hero * COPIES, (hero + 1) * COPIES):
        if is_spendable(m, p, card, suit) != 0:
            total += check_worth(m, p, card)
    return total


@inner(int64(int64))
def spent_suit(decision):
    """Returns the suit that pays for a decision of a check: Skills are XP, Events FATE, Companions WILL (R2.1.8)."""
    if decision == Decision.CHECK_XP:
        return 0 + Suit.Skill
    return 0 + Suit.Event if decision == Decision.CHECK_FATE else 0 + Suit.Companion


@inner(int64(M, P, int64, int64))
def ask_spending(m, p, decision, least):
    """Asks the checker for cards if it could spend at least a worth; returns 1 if it was asked."""
    if spendable_worth(m, p, spent_suit(decision)) < max(1, least):
        return 0
    ask(m, decision, int(m.owner[m.frame[m.sp - 1].char]), 0, 0)
    return 1


@inner(void(M, P, int64))
def spend_card(m, p, card):
    """Spends a card in the running check (R11.9.1 to R11.9.3)."""
    f = m.frame[m.sp - 1]
    worth = check_worth(m, p, card)
    suit = 0 + Suit.Skill if f.step <= FATE else (0 + Suit.Event if f.step == ROLL else 0 + Suit.Companion)
    if suit == Suit.Event:
        f.flags = int(f.flags) | FATE_PAID
        f.reg[C_DIFFICULTY] = max(1, f.reg[C_DIFFICULTY] - worth)
    elif suit == Suit.Companion:
        f.reg[C_RESULT] += worth
    else:
        f.reg[C_PAID] += worth
    if m.ledger_on != 0:
        p.ledger[card].discarded_as_cost += 1
    relocate(m, p, card, 0 + Zone.DISCARD, 1, int(f.card))


@inner(void(M, P))
def step_check(m, p):
    """Runs a check: before, roll with its own window, after, result (R6.4.15, R9.2.3, R11.2)."""
    at = int(m.sp) - 1
    f = m.frame[at]
    char = int(f.char)
    while m.sp == at + 1:
        step = int(f.step)
        f.step += 1
        if step == BEFORE:
            next_action(m, at)
            action_window(m, p, Ev.CHECK_BEFORE, char, -1, int(f.card), int(f.cause), at)
        elif step == XP:
            difficulty = modify(m, p, Q.CHECK_DIFFICULTY, -1, int(f.reg[C_DIFFICULTY]), char, -1, at, -1, -1)
            f.reg[C_DIFFICULTY] = max(1, difficulty)
            if ask_spending(m, p, 0 + Decision.CHECK_XP, int(f.reg[C_DIFFICULTY])) != 0:
                return
        elif step == FATE:
            left = int(f.reg[C_DIFFICULTY]) - int(f.reg[C_PAID])
            if left <= 0:
                f.reg[C_RESULT] = f.reg[C_DIFFICULTY]
                f.step = AFTER
                continue
            if f.reg[C_PAID] > 0 and ask_spending(m, p, 0 + Decision.CHECK_XP, left) != 0:
                # the price is paid card by card until it is covered (R11.9.1)
                f.step = FATE
                m.ask_a = 1
                return
            # what can no longer be covered is lost, since cards have left the hand meanwhile, and the check is rolled
            f.reg[C_PAID] = 0
            if f.reg[C_DIFFICULTY] > 1 and ask_spending(m, p, 0 + Decision.CHECK_FATE, 1) != 0:
                return
        elif step == WILL:
            if ask_spending(m, p, 0 + Decision.CHECK_WILL, 1) != 0:
                return
        elif step == ROLL:
            next_action(m, at)
            action_window(m, p, Ev.ROLL_BEFORE, char, -1, int(f.card), int(f.cause), at)
        elif step == THROW:
            base = check_base(m, p, char, int(f.reg[C_ATTR]), int(f.reg[C_KNOW]), at)
            rolled = check_roll(m, p, at, char, int(f.reg[C_KNOW]), int(f.cause))
            f.reg[C_BASE] = base
            f.reg[C_RESULT] = max(1, base + rolled + f.reg[C_BONUS], int(f.reg[C_KEPT]))
            f.reg[C_RESULT] = max(int(f.reg[C_RESULT]), modify(m, p, Q.CHECK_FLOOR, -1, 0, char, -1, at, -1, -1))
            action_window(m, p, Ev.ROLL_AFTER, char, -1, int(f.card), int(f.cause), at)
        elif step == AFTER:
            f.reg[C_FAIL] = 1 if f.reg[C_RESULT] < f.reg[C_DIFFICULTY] else 0
            next_action(m, at)
            w = action_window(m, p, Ev.CHECK_AFTER, char, -1, int(f.card), int(f.cause), at)
            if w >= 0:
                m.frame[w].reg[W_AMOUNT] = f.reg[C_FAIL]
        else:
            if f.reg[C_PAID] == 0:
                # what was changed after the roll counts too (R9.2.3)
                late = check_base(m, p, char, int(f.reg[C_ATTR]), int(f.reg[C_KNOW]), at) - int(f.reg[C_BASE])
                f.reg[C_RESULT] = max(1, int(f.reg[C_RESULT]) + late)
            margin = int(f.reg[C_RESULT]) - int(f.reg[C_DIFFICULTY])
            if f.reg[C_FORCED] != 0:
                margin = max(0, margin) if f.reg[C_FORCED] > 0 else min(-1, margin)
            log(m, p, Log.CHECK, char, int(f.reg[C_RESULT]), int(f.reg[C_DIFFICULTY]), int(f.card))
            m.check_result = f.reg[C_RESULT]
            m.check_difficulty = f.reg[C_DIFFICULTY]
            program = int(f.reg[C_PARENT]) - 1
            if program >= 0:
                m.frame[program].reg[R_MARGIN] = margin
            end_modifiers(m, 0 + Until.CHECK, -1)
            pop(m)
            return


@inner(int64(M, P, int64, int64, int64, int64, int64))
def contest(m, p, a, attribute_a, b, attribute_b, cause):
    """Rolls a competition of two characters; returns result a - result b (R11.14)."""
    result_a = check_base(m, p, a, attribute_a, -1, -1) + check_roll(m, p, -1, a, -1, CARDS + a)
    result_b = check_base(m, p, b, attribute_b, -1, -1) + check_roll(m, p, -1, b, -1, CARDS + b)
    result_a = modify(m, p, Q.CONTEST_BONUS, -1, result_a, a, -1, -1, b, -1)
    result_b = modify(m, p, Q.CONTEST_BONUS, -1, result_b, b, -1, -1, a, -1)
    log(m, p, Log.CHECK, a, result_a, result_b, cause)
    return result_a - result_b
