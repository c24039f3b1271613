"""Bots that play inside compiled code: uniformly random, and greedy with one action of look-ahead.

Greedy's evaluation, in hundredths of a point for its team minus the same for the other team:

- 100 points per full HP share of a Hero (a fallen Hero has none), and 1,000 for a won match;
- 0.3 points per HP that the best weapon on the table would take from the nearest enemy in one turn;
- 1 point per table card, 0.3 per card in hand, 0.2 per point of ready energy;
- minus 0.5 points per tile between the Hero and its nearest enemy beyond its best weapon's range.

It looks at what its seat may know: it never simulates the other side's turn, a draw or a shuffle, and in its look-ahead dice
show their rounded mean instead of what they will show.
"""

from __future__ import annotations

import numpy as np
from numba import int64, void

from ..vocabulary import Attribute, Suit
from .board import tile_distance
from .codes import Act, Bot, Decision, Flag, Kind, Life, Outcome, Stream
from .compiler import inner
from .costs import total_energy
from .damage import injury_hp, injury_of
from .dice import below, hash4
from .layout import MATCHES, OPTIONS, M, P
from .legality import NORMAL_ATTACK_AP, range_value
from .match import play
from .options import OUT
from .zones import hand_card, has_flag, table_card

DEPTH = 5  # questions of one declaration: kind, card, payment, target, and the state after it
SCRATCH = DEPTH + 1  # match records a greedy choice needs
KEEP_USABLE = 3  # usable cards that make a hand worth keeping


@inner(int64(int64, int64))
def mean_dice_tenths(count, sides):
    """Returns ten times the mean of a roll, extra dice of the main die included (R10.9)."""
    if count == 0:
        return 0
    one = 35 if sides == 6 else (20 if sides == 3 else 15)
    return count * one + 4


@inner(int64(M, P, int64, int64, int64))
def expected_hp(m, p, hero, card, enemy):
    """Returns the HP that one attack with a card (-1: Normal Attack) takes from an enemy at mean dice."""
    if card < 0:
        damage = int(m.attr[hero, Attribute.STR]) + 2
    else:
        ident = p.card[m.ident[card]]
        damage = int(ident.damage_const) + mean_dice_tenths(int(ident.dice_n), int(ident.dice_sides)) // 10
        if ident.damage_attr >= 0:
            damage += m.attr[hero, ident.damage_attr]
    return injury_hp(m, injury_of(damage, int(m.attr[enemy, Attribute.END])), damage)


@inner(int64(M, int64))
def nearest_enemy(m, hero):
    """Returns the nearest living enemy on the board, -1 if none."""
    best = -1
    for other in range(int(m.chars)):
        if m.team[other] == m.team[hero] or m.life[other] != Life.ALIVE or m.tile[other] < 0:
            continue
        if best < 0 or tile_distance(m.tile[hero], m.tile[other]) < tile_distance(m.tile[hero], m.tile[best]):
            best = other
    return best


@inner(int64(M, P, int64))
def hero_value(m, p, hero):
    """Returns a hero's part of the evaluation, in hundredths of a point."""
    if m.life[hero] != Life.ALIVE:
        return 0
    value = 10_000 * max(0, int(m.hp[hero])) // int(m.max_hp[hero])
    value += 100 * int(m.table_n[hero]) + 30 * int(m.hand_n[hero]) + 20 * total_energy(m, p, hero)
    enemy = nearest_enemy(m, hero)
    if enemy < 0 or m.tile[hero] < 0:
        return value
    agi = int(m.attr[hero, Attribute.AGI])
    best = expected_hp(m, p, hero, -1, enemy) * (agi // NORMAL_ATTACK_AP)
    reach = 1
    for i in range(int(m.table_n[hero])):
        card = table_card(m, hero, i)
        ident = p.card[m.ident[card]]
        if ident.has_damage == 0 or has_flag(m, card, Flag.USABLE) == 0 or ident.action > agi:
            continue
        times = 1 if ident.suit == Suit.Skill else agi // max(1, int(ident.action))
        power = expected_hp(m, p, hero, card, enemy) * times
        if power > best:
            best = power
            reach = max(1, range_value(m, p, hero, card))
    away = tile_distance(int(m.tile[hero]), int(m.tile[enemy]))
    return value + 30 * best - 50 * max(0, away - reach)


@inner(int64(M, P, int64))
def evaluate(m, p, team):
    """Returns the evaluation of a match for a team, in hundredths of a point."""
    if m.outcome != Outcome.RUNNING:
        if m.outcome == Outcome.WIN_A:
            return 100_000 if team == 0 else -100_000
        if m.outcome == Outcome.WIN_B:
            return 100_000 if team == 1 else -100_000
        return 0
    value = 0
    for hero in range(int(m.heroes)):
        if hero % 2 == team:
            value += hero_value(m, p, hero)
        else:
            value -= hero_value(m, p, hero)
    return value


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


@inner(void(M, M))
def start_lookahead(copy, m):
    """Turns a copied match into a look-ahead: mean dice, no log, no ledger."""
    copy.mean_dice = 1
    copy.ledger_on = 0
    copy.log_on = 0


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
    codes = np.empty((DEPTH + 1, OPTIONS), np.int64)
    count = np.zeros(DEPTH + 1, np.int64)
    at = np.zeros(DEPTH + 1, np.int64)
    for k in range(n):
        codes[0, k] = out[k]
    count[0] = n
    scratch[0] = m
    start_lookahead(scratch[0], m)
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
        if m.pending == Decision.TURN and root == Act.KIND + Kind.END_TURN:
            value = evaluate(m, p, team)
        else:
            scratch[depth + 1] = scratch[depth]
            left = play(scratch[depth + 1], p, code, codes[depth + 1])
            tried = scratch[depth + 1]
            if left > 0 and tried.d_kind >= 0 and tried.asked == asked and depth + 2 <= DEPTH:
                depth += 1
                count[depth] = left
                at[depth] = 0
                continue
            value = evaluate(tried, p, team)
        if value > best:
            best = value
            choice = root
    return choice


@inner(int64(MATCHES, M, P, int64, OUT, int64))
def choose(scratch, m, p, bot, out, n):
    """Returns the choice of a kernel bot among `n` options."""
    if bot == Bot.GREEDY:
        return choose_greedy(scratch, m, p, out, n)
    return choose_random(m, out, n)
