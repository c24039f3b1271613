"""Set-up, stints, phases and turns (R16, ARENA A3, A4, A7)."""

from __future__ import annotations

from numba import int64, types, void

from ..vocabulary import Attribute, Profile
from .codes import (
    BATTLE_LIMITS,
    STINT_LIMITS,
    Change,
    CharKind,
    Decision,
    Flag,
    Frame,
    Life,
    Log,
    Phase,
    Reason,
    Stream,
    Trait,
    Zone,
)
from .companions import MOVABLE
from .compiler import inner, local_array
from .costs import ANY, NEED, can_pay_energy
from .derive import level_hp, recompute
from .dice import hash4, random_d6
from .ending import stop_at_limit
from .entities import clear_entity_marks, fall_asleep, upkeep_cost
from .hearing import CLEAN_UP, GAINS, PAYMENTS
from .lasting import end_modifiers
from .layout import ATTRIBUTES, CARDS, CHARS, COPIES, DECK_SLOT, FURTHER, HEROES, M, P
from .legality import agility, why_not_place
from .moves import add_counters, draw_cards, tell_move, tell_shown
from .opcodes import Ev, Q, Until
from .pieces import FRESH
from .rare import LASTING_DEEDS
from .readings import entity_of
from .requirements import ULTIMATE
from .stack import ask, note_lead, pop, push
from .standing import modify
from .windows import set_parts, window
from .zones import draw_card, hand_card, has_flag, log, move_card, shuffle_deck, table_card

TURN_ACTIONS = 60  # A5.5
MUSTER_FILL = 4  # A3.8

PLACE_HEROES, OPEN_HANDS, MULLIGAN, MUSTER, REVEAL, FILL, READY = range(7)  # steps of the set-up frame
BEGIN, DRAW, CLEAN, UPKEEP, START, OPEN, MAIN, END, CLOSE = range(9)  # steps of a turn frame
FORCED_ORDER = 2  # bit of `random_initiative`: the order of the stint to come is written down (scenarios)
SKIPS = 4  # bit of `deeds`: loses its next turn

KEYS = types.Array(int64, 1, "C")


@inner(void(M, P, int64))
def open_hand(m, p, hero):
    """Shuffles a deck, notes where each card lies, and draws the opening hand (A3.5)."""
    shuffle_deck(m, hero)
    if m.ledger_on != 0:
        n = int(m.deck_n[hero])
        for i in range(n):
            row = p.ledger[m.pile[hero, i]]
            row.shuffle_position = n - 1 - i
            row.opening_hand = 1 if n - 1 - i < m.opening_hand else 0
            row.kept = row.opening_hand
    for _ in range(int(m.opening_hand)):
        draw_card(m, p, hero)


@inner(void(M, P, int64))
def mulligan(m, p, hero):
    """Shuffles the whole hand back and draws as many (A3.6)."""
    count = int(m.hand_n[hero])
    for _ in range(count):
        move_card(m, p, hand_card(m, hero, m.hand_n[hero] - 1), Zone.DECK)
    shuffle_deck(m, hero)
    for slot in range(DECK_SLOT, COPIES):
        if m.ledger_on != 0:
            p.ledger[hero * COPIES + slot].kept = 0
    for _ in range(count):
        card = draw_card(m, p, hero)
        if m.ledger_on != 0:
            p.ledger[card].kept = 1
    log(m, p, Log.MULLIGAN, hero, 0, 0, 0)


@inner(int64(M, P, int64))
def can_muster(m, p, hero):
    """Returns 1 if a hero can place one more hand card for free (A3.7)."""
    recompute(m, p)
    for i in range(int(m.hand_n[hero])):
        if why_not_place(m, p, hero, hand_card(m, hero, i), 1, -1) == 0:
            return 1
    return 0


@inner(void(M, P))
def reveal_muster(m, p):
    """Reveals the mustered cards of all heroes together, then they enter play one by one, side A first (A3.7, R6.4.1)."""
    m.dirty = int(m.dirty) | Change.CARDS
    for hero in range(int(m.heroes) - 1, -1, -1):
        for i in range(int(m.table_n[hero]) - 1, -1, -1):
            card = table_card(m, hero, i)
            if has_flag(m, card, Flag.MUSTERED) != 0:
                m.flags[card] = int(m.flags[card]) & ~Flag.MUSTERED
                tell_move(m, p, Ev.PLAY, card, 0, -1, 0 + Zone.HAND)
                tell_shown(m, p, card, 1, 0, -1, 0 + Zone.HAND)


@inner(void(M, P))
def fill_hands(m, p):
    """Fills hands up to four cards (A3.8)."""
    for hero in range(int(m.heroes)):
        while m.hand_n[hero] < MUSTER_FILL:
            if draw_card(m, p, hero) < 0:
                break


@inner(void(M, P))
def step_setup(m, p):
    """Set-up of a match: places, hands, mulligan, muster (A3.4 to A3.9). Register 0 is the hero whose turn it is to choose."""
    f = m.frame[m.sp - 1]
    hero = int(f.reg[0])
    if f.step == OPEN_HANDS:
        for h in range(int(m.heroes)):
            open_hand(m, p, h)
        f.step = MULLIGAN
    elif f.step == REVEAL:
        f.step = FILL
        reveal_muster(m, p)
    elif f.step == FILL:
        f.step = READY
        fill_hands(m, p)
    elif f.step == READY:
        pop(m)
        push(m, Frame.STINT)
        window(m, p, Ev.BATTLE_START, -1, -1, -1, -1)
    elif hero >= m.heroes:
        f.step += 1
        f.reg[0] = 0
    elif f.step == PLACE_HEROES:
        f.reg[0] = hero + 1
        ask(m, Decision.PLACE_HERO, hero, 0, 0)
    elif f.step == MULLIGAN:
        f.reg[0] = hero + 1
        ask(m, Decision.MULLIGAN, hero, 0, 0)
    elif m.picked_n[hero] >= m.muster or can_muster(m, p, hero) == 0:
        f.reg[0] = hero + 1
    else:
        ask(m, Decision.MUSTER, hero, 0, 0)


@inner(int64(M, int64))
def initiative_key(m, char):
    """Returns a number that orders characters by highest attribute, then second highest ... (R16.4; PER for UNITS)."""
    if m.profile == Profile.UNITS:
        return int(m.attr[char, Attribute.PER])
    highest = local_array(ATTRIBUTES)
    for a in range(ATTRIBUTES):
        n = min(255, int(m.attr[char, a]))
        k = a
        while k > 0 and highest[k - 1] < n:
            highest[k] = highest[k - 1]
            k -= 1
        highest[k] = n
    key = 0
    for k in range(ATTRIBUTES):
        key = key * 256 + highest[k]
    return key


@inner(void(M, int64, KEYS, KEYS))
def break_ties(m, n, keys, rolls):
    """Lets tied characters roll random dice until each tie is broken (R16.4): in the order they stand in.

    The sums of successive rolls are kept as digits, so later rolls only separate what earlier ones left equal.
    """
    for _ in range(6):
        tied = 0
        for i in range(n):
            same = 0
            for k in range(n):
                if k != i and keys[k] == keys[i] and rolls[k] == rolls[i]:
                    same = 1
            if same != 0:
                tied = tied | (1 << i)
        if tied == 0:
            return
        for i in range(n):
            rolls[i] = rolls[i] * 64
            if tied & (1 << i) != 0:
                rolls[i] += min(63, random_d6(m, int(m.order[i])))


@inner(void(M))
def set_order(m):
    """Determines the initiative order of the stint, starting from the order of the previous one (R16.3, R16.4)."""
    keys = local_array(CHARS)
    rolls = local_array(CHARS)
    n = int(m.order_n)
    for i in range(n):
        keys[i] = initiative_key(m, int(m.order[i]))
        if m.random_initiative != 0 and m.stint == 1:
            keys[i] = hash4(m.seed[Stream.EFFECT], 7, int(m.order[i]), 0)
    break_ties(m, n, keys, rolls)
    for i in range(1, n):
        char = int(m.order[i])
        key = keys[i]
        rolled = rolls[i]
        k = i
        while k > 0 and (keys[k - 1] < key or (keys[k - 1] == key and rolls[k - 1] < rolled)):
            m.order[k] = m.order[k - 1]
            keys[k] = keys[k - 1]
            rolls[k] = rolls[k - 1]
            k -= 1
        m.order[k] = char
        keys[k] = key
        rolls[k] = rolled


@inner(void(M, P, int64))
def gain_ap(m, p, char):
    """Gives a character its AP less debt (R3.3.1)."""
    agi = max(0, modify(m, p, Q.AP_TURN, -1, agility(m, char), char, -1, -1, -1, -1))
    debt = int(m.debt[char])
    m.ap[char] = max(0, agi - debt)
    m.debt[char] = max(0, debt - agi)


@inner(void(M, int64))
def clear_limits(m, bits):
    """Clears limit marks of all card copies: keeps only the bits in `bits` (R6.5.2, R6.5.8)."""
    left = 0
    for hero in range(HEROES + 1):
        if m.limited >> hero & 1 == 0:
            continue
        for card in range(hero * COPIES, min((hero + 1) * COPIES, CARDS)):
            m.used[card] = int(m.used[card]) & bits
            if int(m.used[card]) & ~BATTLE_LIMITS != 0:
                left |= 1 << hero
    m.limited = left


@inner(void(M, P))
def count_ultimatums(m, p):
    """Gives every Ultimatum on a table its counter (R16.3, R22.3)."""
    for hero in range(int(m.heroes)):
        for i in range(int(m.table_n[hero])):
            card = table_card(m, hero, i)
            if int(p.card[m.ident[card]].traits) & Trait.ULTIMATUM != 0:
                add_counters(m, p, card, ULTIMATE, 1)


@inner(void(M, P))
def reset_phase(m, p):
    """Reset Phase: limits, initiative, AP, counters (R16.3, A3.10)."""
    m.stint += 1
    m.phase = Phase.RESET
    clear_limits(m, BATTLE_LIMITS)
    if int(m.random_initiative) & FORCED_ORDER != 0:
        m.random_initiative = int(m.random_initiative) & ~FORCED_ORDER
    else:
        set_order(m)
    for i in range(int(m.order_n)):
        char = int(m.order[i])
        m.acted[char] = 0
        m.deeds[char] = int(m.deeds[char]) & ~FRESH
        if m.profile != Profile.UNITS:
            gain_ap(m, p, char)
    if m.stint == 1:
        first = int(m.order[0])
        m.first_char = first
        m.ap[first] = max(min(1, int(m.ap[first])), m.ap[first] - 2)
    count_ultimatums(m, p)
    m.hp_lost_stint = 0
    m.order_at = 0
    log(m, p, Log.STINT, int(m.stint), 0, 0, 0)


@inner(void(M, P))
def end_stint(m, p):
    """Ends what lasts until the end of the stint, and the match at its limits (R6.9.1, A7.3, A7.4)."""
    end_modifiers(m, 0 + Until.STINT, -1)
    end_modifiers(m, 0 + Until.ROUNDS, -1)
    m.quiet_stints = 0 if m.hp_lost_stint != 0 else m.quiet_stints + 1
    stop_at_limit(m, p)


@inner(void(M, P))
def step_stint(m, p):
    """Runs stints: Reset Phase, then one turn for each living character in order (R16.1)."""
    f = m.frame[m.sp - 1]
    if f.step == 0:
        reset_phase(m, p)
        f.step = 1
        window(m, p, Ev.RESET_PHASE, -1, -1, -1, -1)
        return
    while m.order_at < m.order_n:
        char = int(m.order[m.order_at])
        m.order_at += 1
        if m.life[char] == Life.ALIVE and m.acted[char] <= 0:
            if int(m.deeds[char]) & SKIPS != 0:
                # a skipped turn has no phases (R16.10)
                m.deeds[char] = int(m.deeds[char]) & ~SKIPS
                m.acted[char] = 1
                m.ap[char] = 0
                continue
            at = push(m, Frame.TURN)
            m.frame[at].char = char
            return
    if f.step == 1:
        f.step = 2
        window(m, p, Ev.ROUND_END, -1, -1, -1, -1)
        return
    f.step = 0
    end_stint(m, p)


@inner(void(M, P, int64))
def begin_turn(m, p, char):
    """Opens a turn: marks, counters of the turn, Draw Phase (A4, R16.5)."""
    m.turn_char = char
    m.turns += 1
    m.dirty = int(m.dirty) | Change.TURN
    for other in range(int(m.chars)):
        m.deeds[other] = int(m.deeds[other]) & (SKIPS | FRESH | MOVABLE | LASTING_DEEDS)
    m.turn_actions = 0
    m.turn_spoiled = 0
    m.acted[char] = FURTHER if m.acted[char] < 0 else 1
    if int(m.deeds[char]) & FRESH != 0:
        m.deeds[char] = int(m.deeds[char]) & ~FRESH
        m.ap[char] = agility(m, char)
    clear_limits(m, BATTLE_LIMITS | STINT_LIMITS)
    clear_entity_marks(m)
    if m.profile == Profile.UNITS:
        gain_ap(m, p, char)
    log(m, p, Log.TURN, char, int(m.ap[char]), int(m.stint), 0)
    if char < HEROES and m.stint > 1:
        m.phase = Phase.DRAW
        draw_cards(m, p, char, int(m.draw_per_turn))


@inner(int64(M, int64))
def crowded_area(m, hero):
    """Returns what a hero holds too much of: 0 nothing, 1 to 3 a table area, 4 the hand (R3.7.4, R3.8.3)."""
    for area in range(3):
        if m.slots_used[hero, area] > m.slots[hero, area]:
            return area + 1
    return 4 if m.hand_n[hero] > m.hand_limit[hero] else 0


@inner(int64(M, int64))
def is_removing(m, hero):
    """Returns 1 while a hero is removing cards: what it has chosen may still wait to be moved."""
    for at in range(int(m.sp)):
        if m.frame[at].kind == Frame.OVERFLOW and m.frame[at].char == hero:
            return 1
    return 0


@inner(void(M))
def check_capacity(m):
    """Opens the removal of cards for every hero over its slots or hand limit (R3.7.4, R3.8.3)."""
    for hero in range(int(m.heroes)):
        if crowded_area(m, hero) != 0 and is_removing(m, hero) == 0:
            at = push(m, Frame.OVERFLOW)
            m.frame[at].char = hero
            return


@inner(void(M))
def step_overflow(m):
    """Asks for cards to remove until slots and hand are within capacity (R3.7.4, R3.8.3)."""
    hero = int(m.frame[m.sp - 1].char)
    area = crowded_area(m, hero)
    if area != 0:
        ask(m, Decision.OVERFLOW, hero, area, 0)
    else:
        pop(m)


@inner(void(M, P, int64))
def note_dead_cards(m, p, hero):
    """Counts, in the ledger, hand cards that could be neither placed nor used had the hero all its AP (data contract)."""
    for i in range(int(m.hand_n[hero])):
        card = hand_card(m, hero, i)
        ident = p.card[m.ident[card]]
        playable = has_flag(m, card, Flag.USABLE)
        if playable != 0 and ident.has_damage == 0:
            reason = why_not_place(m, p, hero, card, 1, -1) & 0xFFFF
            if reason != Reason.LEGAL:
                playable = 0
        if playable == 0:
            p.ledger[card].dead_in_hand_turns += 1


@inner(void(M, P, int64))
def ask_upkeep(m, p, char):
    """Asks whether an awake Entity is kept awake; it falls asleep if that cannot be paid (R20.3, R17.6)."""
    if char >= HEROES:
        return
    card = entity_of(m, char)
    if card < 0 or has_flag(m, card, Flag.FACE_DOWN) != 0:
        return
    need = local_array(NEED)
    need[ANY] = upkeep_cost(m, p, char)
    if can_pay_energy(m, p, char, need) != 0:
        ask(m, Decision.UPKEEP, char, card, need[ANY])
    else:
        fall_asleep(m, p, card)


@inner(void(M, P))
def step_turn(m, p):
    """Runs one turn: Draw, Start, Main, End Phase (R16.5 to R16.8)."""
    f = m.frame[m.sp - 1]
    char = int(f.char)
    alive = m.life[char] == Life.ALIVE
    if f.step == BEGIN:
        begin_turn(m, p, char)
        f.step = DRAW
    elif f.step == DRAW:
        m.phase = Phase.START
        end_modifiers(m, 0 + Until.YOUR_NEXT_START, char)
        end_modifiers(m, 0 + Until.TARGET_NEXT_START, char)
        f.step = CLEAN
    elif f.step == CLEAN:
        f.step = UPKEEP
        if alive:
            set_parts(m, window(m, p, Ev.START_PHASE, char, -1, int(m.body[char]), -1), 0 + CLEAN_UP, 0 + CLEAN_UP)
    elif f.step == UPKEEP:
        f.step = START
        if alive:
            ask_upkeep(m, p, char)
    elif f.step == START:
        f.step = OPEN
        if alive:
            set_parts(m, window(m, p, Ev.START_PHASE, char, -1, int(m.body[char]), -1), 0 + PAYMENTS, 0 + GAINS)
    elif f.step == OPEN:
        m.phase = Phase.MAIN
        f.step = MAIN
        if m.ledger_on != 0 and char < HEROES:
            note_dead_cards(m, p, char)
        if alive:
            window(m, p, Ev.TURN_START, char, -1, int(m.body[char]), -1)
    elif f.step == MAIN:
        if not alive or m.turn_actions >= TURN_ACTIONS:
            f.step = END
        else:
            m.d_kind = -1
            ask(m, Decision.TURN, char, 0, 0)
    elif f.step == END:
        m.phase = Phase.END
        f.step = CLOSE
        if alive:
            set_parts(m, window(m, p, Ev.END_PHASE, char, -1, int(m.body[char]), -1), 0, 1)
    else:
        end_modifiers(m, 0 + Until.TURN, char)
        end_modifiers(m, 0 + Until.CHECK, -1)
        end_modifiers(m, 0 + Until.YOUR_NEXT_END, char)
        end_modifiers(m, 0 + Until.TARGET_NEXT_END, char)
        m.ap[char] = 0
        # between turns, and in the Reset Phase, it is nobody's turn
        m.turn_char = -1
        m.dirty = int(m.dirty) | Change.TURN
        note_lead(m)
        pop(m)


@inner(void(M, int64))
def end_turn(m, char):
    """Marks the running turn for its End Phase (R16.8)."""
    for at in range(int(m.sp) - 1, -1, -1):
        if m.frame[at].kind == Frame.TURN and m.frame[at].char == char:
            if m.frame[at].step < END:
                m.frame[at].step = END
            return


@inner(void(M, int64))
def prepare_hero(m, hero):
    """Gives a hero its level's HP and a full, ready start (A3.9)."""
    m.kind[hero] = CharKind.HERO
    m.team[hero] = hero % 2
    m.owner[hero] = hero
    m.base_hp[hero] = level_hp(m, CharKind.HERO, int(m.level[hero]))
    m.max_hp[hero] = m.base_hp[hero]
    m.hp[hero] = m.base_hp[hero]
    m.life[hero] = Life.ALIVE
