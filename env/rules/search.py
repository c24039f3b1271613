"""Search in compiled code: information-set Monte Carlo tree search with one guess of the hidden cards per simulation.

Each simulation copies the match, replaces what the seat may not know by a guess (ARENA A8), walks down one tree of the
codes chosen so far, adds one code, plays on at random for a few turns and weighs the position by `evaluation`. The tree
is shared by all guesses; a code counts as available only in the simulations in which it was legal (Cowling, Powley and
Whitehouse 2012, single-observer IS-MCTS). The most visited code is played.

Enemy cards that are unseen are guessed from the pool: Resource cards that their Hero can use, Entities for a sleeping
Entity, Summons for a face-down Summon. Own decks are shuffled anew, dice streams replaced.
"""

from __future__ import annotations

import numpy as np
from numba import float64, int64, types, void

from ..vocabulary import CompanionType, Suit
from .card_codes import OUT
from .codes import Act, Decision, Flag, Kind, Outcome, Zone
from .compiler import inner
from .derive import mark_usable, meets_knowledge
from .dice import below, hash4
from .evaluation import evaluate
from .hearing import listen
from .layout import COPIES, DECK_SLOT, MATCHES, OPTIONS, M, P
from .match import play
from .view import hides_muster, undo_muster
from .zones import has_flag, shuffle_deck

EXPLORATION = 0.6  # weight of the uncertainty of a code's value
TURNS_AHEAD = 2  # turns that a playout lasts
PLAYOUT = 80  # answers of a playout at most
TREE_DEPTH = 60  # codes along one path of the tree
HALF = 3_000.0  # lead of the evaluation that counts as half of a win
TRIES = 60  # cards looked at to guess one; SHEET_TRIES where few cards fit
SHEET_TRIES = 400

INTS = types.Array(int64, 1, "C")


@inner(int64(M, P, int64, int64, int64))
def guess(m, p, hero, card, key):
    """Returns a pool number for an unseen card of a hero; its House, which can do nothing there, if none is found."""
    entity = card % COPIES == DECK_SLOT - 1
    summon = not entity and m.zone[card] == Zone.SUPPORT
    before = int(m.ident[card])
    for k in range(SHEET_TRIES if entity or summon else TRIES):
        ident = below(hash4(key, card, k, 5), int(p.cards))
        c = p.card[ident]
        if entity:
            if c.suit == Suit.Entity and c.neutral != 0:
                return ident
        elif summon:
            if c.companion_type == CompanionType.Summon:
                return ident
        elif Suit.Item <= c.suit <= Suit.Event and c.neutral != 0:
            m.ident[card] = ident
            fits = meets_knowledge(m, p, hero, card)
            m.ident[card] = before
            if fits != 0:
                return ident
    return before if entity or summon else int(m.ident[hero * COPIES])


@inner(int64(M, int64))
def is_unseen(m, card):
    """Returns 1 for an enemy's copy whose identity is hidden (A8)."""
    if m.ident[card] < 0:
        return 0
    if m.zone[card] == Zone.DECK:
        return 1
    if m.zone[card] == Zone.HAND:
        return 1 if has_flag(m, card, Flag.REVEALED) == 0 else 0
    return has_flag(m, card, Flag.FACE_DOWN)


@inner(void(M, P, int64, int64))
def determinize(m, p, team, key):
    """Replaces everything that a team may not know by a guess drawn from `key` (A8)."""
    m.ledger_on = 0
    m.log_on = 0
    m.forced_n = -1
    for stream in range(5):
        m.seed[stream] = hash4(key, stream, 0, 7)
    for hero in range(int(m.heroes)):
        if m.team[hero] == team:
            shuffle_deck(m, hero)
            continue
        for slot in range(DECK_SLOT - 1, COPIES):
            card = hero * COPIES + slot
            if is_unseen(m, card) != 0:
                m.ident[card] = guess(m, p, hero, card, key)
                m.canon[card] = slot
        mark_usable(m, p, hero)
    listen(m, p)


@inner(float64(M, P))
def standing_of(m, p):
    """Returns how well team A stands, 0 to 1."""
    if m.fault != 0:
        return 0.5
    if m.outcome != Outcome.RUNNING:
        return 1.0 if m.outcome == Outcome.WIN_A else (0.0 if m.outcome == Outcome.WIN_B else 0.5)
    lead = (evaluate(m, p, 0) - evaluate(m, p, 1)) / 2.0
    return 0.5 + 0.5 * lead / (abs(lead) + HALF)


@inner(int64(int64))
def kind_weight(kind):
    """Returns how often a playout takes a kind of turn action, as a weight: what attacks or builds before what passes."""
    if kind == Kind.NORMAL_ATTACK or kind == Kind.TECHNIQUE or Kind.USE_TABLE <= kind <= Kind.USE_DISCARD:
        return 12
    if kind == Kind.PLACE or kind == Kind.SUMMON or kind == Kind.AWAKEN:
        return 6
    if kind == Kind.MOVE or kind == Kind.ATTACH:
        return 3
    return 0 if kind == Kind.WITHDRAW or kind == Kind.DETACH or kind == Kind.UNSUMMON else 1


@inner(int64(OUT, int64, int64))
def playout_code(out, n, key):
    """Returns a playout's answer: uniform, but for kinds of turn action, which are weighted."""
    if out[0] >= Act.CARD:
        return out[below(key, n)]
    total = 0
    for k in range(n):
        total += kind_weight(out[k] - Act.KIND)
    if total == 0:
        return out[0]
    left = below(key, total)
    for k in range(n):
        left -= kind_weight(out[k] - Act.KIND)
        if left < 0:
            return out[k]
    return out[0]


@inner(float64(M, P, int64, OUT, int64))
def playout(m, p, n, out, key):
    """Plays on at random for TURNS_AHEAD turns and returns how well team A stands."""
    until = int(m.turns) + TURNS_AHEAD
    for k in range(PLAYOUT):
        if n == 0 or (m.turns >= until and m.pending == Decision.TURN):
            break
        n = play(m, p, playout_code(out, n, hash4(key, k, 1, 9)), out)
    return standing_of(m, p)


@inner(int64(INTS, INTS, INTS, int64, int64))
def child_of(first, following, codes, node, code):
    """Returns the child of a node with a code, -1 none."""
    child = first[node]
    while child >= 0 and codes[child] != code:
        child = following[child]
    return child


@inner(int64(MATCHES, M, P, OUT, int64, int64))
def choose_search(scratch, m, p, out, n, simulations):
    """Returns the most visited code of a search.

    Args:
        scratch: two match records to work in.
        out: the options of the pending question.
        simulations: how many; at least one.
    """
    size = max(1, simulations) + 1
    first = np.full(size, -1, np.int64)
    following = np.full(size, -1, np.int64)
    codes = np.full(size, -1, np.int64)
    visits = np.zeros(size, np.int64)
    offered = np.zeros(size, np.int64)
    total = np.zeros(size, np.float64)
    path = np.zeros(TREE_DEPTH + 1, np.int64)
    buffer = np.empty(OPTIONS, np.int64)
    team = int(m.team[m.asked])
    base = hash4(m.seed[3 + team], int(m.decisions), 3, 11)
    scratch[0] = m
    if hides_muster(m, team) != 0:
        undo_muster(scratch[0], p, team)
    used = 1
    for simulation in range(size - 1):
        key = hash4(base, simulation, 0, 13)
        scratch[1] = scratch[0]
        work = scratch[1]
        determinize(work, p, team, key)
        count = n
        for k in range(n):
            buffer[k] = out[k]
        node = 0
        depth = 0
        path[0] = 0
        grown = 0
        while count > 0 and depth < TREE_DEPTH and grown == 0:
            mine = int(work.team[work.asked])
            fresh = 0
            best = -1.0
            chosen = -1
            code = buffer[0]
            for k in range(count):
                child = child_of(first, following, codes, node, buffer[k])
                if child < 0:
                    fresh += 1
                    if below(hash4(key, depth, fresh, 15), fresh) == 0:
                        code = buffer[k]
                    continue
                offered[child] += 1
                mean = total[child] / visits[child]
                if mine == 1:
                    mean = 1.0 - mean
                bound = mean + EXPLORATION * np.sqrt(np.log(offered[child]) / visits[child])
                if bound > best:
                    best = bound
                    chosen = child
            if fresh > 0:
                chosen = used
                used += 1
                codes[chosen] = code
                following[chosen] = first[node]
                first[node] = chosen
                offered[chosen] = 1
                grown = 1
            node = chosen
            depth += 1
            path[depth] = node
            count = play(work, p, codes[node], buffer)
        value = playout(work, p, count, buffer, key)
        for k in range(depth + 1):
            visits[path[k]] += 1
            total[path[k]] += value
    choice = first[0]
    child = first[0]
    while child >= 0:
        if visits[child] > visits[choice]:
            choice = child
        child = following[child]
    return codes[choice]
