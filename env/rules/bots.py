"""Bots that play inside compiled code: uniformly random, greedy with one action of look-ahead, and search.

Greedy weighs positions by `evaluation`. It tries an action to its end: what its declaration asks is searched (of
payments only the canonical one), every later question gets PASS where there is one, else the canonical answer. The
look-ahead holds nothing that the seat may not know: dice show their rounded mean, the own deck is shuffled anew, the
enemies' hands and decks are blank.
"""

from __future__ import annotations

import numpy as np
from numba import int64, void

from .card_codes import OUT
from .codes import Act, Bot, Decision, Flag, Kind, Phase, Stream, Zone
from .compiler import inner
from .dice import below, hash4
from .evaluation import REST_AP, WON, evaluate
from .layout import COPIES, DECK_SLOT, MATCHES, OPTIONS, M, P
from .match import play
from .search import choose_search
from .zones import hand_card, has_flag, shuffle_deck

DEPTH = 7  # questions of one declaration: kind, card, effect, X, target, payment, and the state after it
SCRATCH = DEPTH + 1  # match records a greedy choice needs
ACTION_ANSWERS = 24  # answers given in a look-ahead until an action is done
BOT_BITS = 4  # bits of a bot's code that name the bot
KEEP_USABLE = 3  # usable cards that make a hand worth keeping


@inner(int64(M, OUT, int64))
def choose_random(m, out, n):
    """Chooses uniformly among the options, from the seat's own stream."""
    seat = int(m.team[m.asked])
    return out[below(hash4(m.seed[Stream.BOT_A + seat], int(m.decisions), 1, 2), n)]


@inner(int64(M, P))
def keeps_hand(m, p):
    """Returns 1 if the asked hero's hand has enough usable cards to keep."""
    hero = int(m.asked)
    usable = 0
    for i in range(int(m.hand_n[hero])):
        usable += has_flag(m, hand_card(m, hero, i), Flag.USABLE)
    return 1 if usable >= KEEP_USABLE else 0


@inner(void(M, int64))
def start_lookahead(copy, team):
    """Turns a copied match into a look-ahead of a team, in which nothing hidden can show.

    Dice show their mean; own decks are in another order; the enemies' hands and decks hold only copies of their House,
    which can do nothing there.
    """
    copy.mean_dice = 1
    copy.forced_n = -1
    copy.ledger_on = 0
    copy.log_on = 0
    for stream in range(5):
        copy.seed[stream] = hash4(int(copy.decisions), stream, 3, 4)
    for hero in range(int(copy.heroes)):
        if copy.team[hero] == team:
            shuffle_deck(copy, hero)
            continue
        for slot in range(DECK_SLOT, COPIES):
            card = hero * COPIES + slot
            zone = int(copy.zone[card])
            if zone == Zone.DECK or (zone == Zone.HAND and has_flag(copy, card, Flag.REVEALED) == 0):
                copy.ident[card] = copy.ident[hero * COPIES]


@inner(int64(M, OUT, int64))
def default_answer(m, out, n):
    """Returns the answer that a look-ahead gives to what it does not search: PASS where there is one, else the canonical."""
    for k in range(n):
        if out[k] == Act.PASS:
            return out[k]
    return out[0]


@inner(int64(M, P, int64, OUT))
def finish_action(m, p, n, out):
    """Runs a look-ahead to the end of the action it is in: to the next turn question, or the match's end.

    Reactions are passed, since the enemy's hand is unknown. Returns the number of options of that question.
    """
    for _ in range(ACTION_ANSWERS):
        if n == 0 or m.pending == Decision.TURN or m.phase == Phase.SETUP:
            break
        n = play(m, p, default_answer(m, out, n), out)
    return n


@inner(int64(M, P, int64, int64))
def worth(m, p, team, rest):
    """Returns the evaluation of a look-ahead, less what a Rest gives up; a faulty one is worth nothing."""
    if m.fault != 0:
        return -2 * WON
    return evaluate(m, p, team) - rest


@inner(int64(M, OUT, int64))
def narrowed(m, out, n):
    """Keeps of a long list of amounts or payments only what is worth a look: the first, and of amounts the last."""
    if m.pending == Decision.PAY_ENERGY:
        return 1
    if m.pending == Decision.NUMBER and n > 2:
        out[1] = out[n - 1]
        return 2
    return n


@inner(int64(MATCHES, M, P, OUT, int64))
def choose_greedy(scratch, m, p, out, n):
    """Chooses the option that leads to the best evaluation after the action it belongs to.

    Args:
        scratch: SCRATCH match records to try actions in.
        out: the options of the pending question.
    """
    if m.pending == Decision.MULLIGAN:
        return Act.NO if keeps_hand(m, p) != 0 else Act.YES
    team = int(m.team[m.asked])
    asked = int(m.asked)
    rest = REST_AP * int(m.ap[asked])
    codes = np.empty((DEPTH + 1, OPTIONS), np.int64)
    count = np.zeros(DEPTH + 1, np.int64)
    at = np.zeros(DEPTH + 1, np.int64)
    for k in range(n):
        codes[0, k] = out[k]
    count[0] = narrowed(m, codes[0], n)
    if count[0] == 1:
        return codes[0, 0]
    scratch[0] = m
    start_lookahead(scratch[0], team)
    best = -1_000_000_000
    choice = out[0]
    root = out[0]
    depth = 0
    while depth >= 0:
        if at[depth] >= count[depth]:
            depth -= 1
            continue
        code = codes[depth, at[depth]]
        at[depth] += 1
        if depth == 0:
            root = code
        in_turn = m.pending == Decision.TURN
        if in_turn and root == Act.KIND + Kind.END_TURN:
            value = evaluate(m, p, team)
        else:
            scratch[depth + 1] = scratch[depth]
            tried = scratch[depth + 1]
            left = play(tried, p, code, codes[depth + 1])
            if left > 0 and tried.d_kind >= 0 and tried.team[tried.asked] == team and depth + 2 <= DEPTH:
                depth += 1
                count[depth] = narrowed(tried, codes[depth], left)
                at[depth] = 0
                continue
            finish_action(tried, p, left, codes[depth + 1])
            value = worth(tried, p, team, rest if in_turn and root == Act.KIND + Kind.REST else 0)
        if value > best:
            best = value
            choice = root
    return choice


@inner(int64(MATCHES, M, P, int64, OUT, int64))
def choose(scratch, m, p, bot, out, n):
    """Returns the choice of a kernel bot among `n` options.

    Args:
        bot: codes.Bot; for SEARCH with the number of simulations above the lowest BOT_BITS bits.
    """
    kind = bot & ((1 << BOT_BITS) - 1)
    if kind == Bot.GREEDY:
        return choose_greedy(scratch, m, p, out, n)
    if kind == Bot.SEARCH:
        return choose_search(scratch, m, p, out, n, bot >> BOT_BITS)
    return choose_random(m, out, n)
