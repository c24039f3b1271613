"""What a position is worth to a team, for the bots that look ahead.

For a team, minus the same for the other team:

- 100 points per full HP share of a Hero (a fallen Hero has none), 20 per full share of a Companion, 1,000 for a won
  match;
- 0.3 points per HP of the best threat: what one way of attacking (Normal Attack, a usable table card, with energy ready
  where it costs some) would take from the nearest enemy in one turn;
- 1 point per table card, 0.3 per card in hand, 0.2 per point of ready energy.

Its own threat shrinks by an eighth for each tile that the enemy is out of reach, so that it walks into range; the
enemy's counts as if in reach, since to keep away helps nobody (A7.4). Its own hand counts as a threat too, at seven
tenths. Bots charge a Rest a point for each AP it gives up.
"""

from __future__ import annotations

from numba import int64

from ..vocabulary import Attribute, Suit
from .board import tile_distance
from .codes import CharKind, Flag, Life, Outcome, Zone
from .companions import technique_reach
from .compiler import inner, local_array
from .costs import NEED, can_pay_energy, total_energy
from .damage import injury_hp, injury_of
from .dice import read_face
from .layout import M, P
from .legality import NORMAL_ATTACK_AP
from .prices import energy_need
from .targets import range_value
from .unlocking import is_unlocked
from .zones import hand_card, has_flag, table_card

# weights of the evaluation, in hundredths of a point
WON = 100_000
HERO_HP = 10_000
COMPANION_HP = 2_000
TABLE_CARD = 100
HAND_CARD = 30
ENERGY = 20
THREAT = 30  # per HP
REST_AP = 100  # per AP that a Rest gives up

FAR = 8  # tiles out of reach at which an own threat counts nothing
IN_HAND = 7  # tenths of a threat that a card in hand is worth
EXTRA_DICE = 2  # mean of the extra dice of a natural 6, rounded (R10.3)


@inner(int64(int64, int64))
def mean_dice_tenths(count, sides):
    """Returns ten times the mean of a roll, extra dice of the main die included (R10.9)."""
    if count == 0:
        return 0
    one = 35 if sides == 6 else (20 if sides == 3 else 15)
    return count * one + 4


@inner(int64(M, int64, int64, int64, int64))
def expected_tenths(m, enemy, base, count, sides):
    """Returns ten times the HP that one attack takes from an enemy, on average.

    The main die is averaged over its faces, since Injury moves in steps (R13.3); further dice count with their mean.

    Args:
        base: attribute and constant.
        count, sides: its dice.
    """
    endurance = int(m.attr[enemy, Attribute.END])
    if count == 0:
        hit = max(1, base)
        return 10 * injury_hp(m, injury_of(hit, endurance), hit)
    base += mean_dice_tenths(count - 1, sides) // 10
    total = 0
    for face in range(1, 7):
        hit = max(1, base + read_face(face, sides))
        if face == 6:
            hit += EXTRA_DICE
        total += injury_hp(m, injury_of(hit, endurance), hit)
    return total * 10 // 6


@inner(int64(M, P, int64, int64, int64))
def card_tenths(m, p, char, card, enemy):
    """Returns ten times the HP that one attack with a card (-1: Normal Attack) takes from an enemy, on average."""
    if card < 0:
        return expected_tenths(m, enemy, int(m.attr[char, Attribute.STR]), 1, 2)
    ident = p.card[m.ident[card]]
    base = int(ident.damage_const)
    if ident.damage_attr >= 0:
        base += m.attr[char, ident.damage_attr]
    return expected_tenths(m, enemy, base, int(ident.dice_n), int(ident.dice_sides))


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


@inner(int64(M, P, int64, int64))
def attacks_per_turn(m, p, hero, card):
    """Returns how often a hero could attack with a card (-1: Normal Attack) in one turn with all its AP."""
    agi = int(m.attr[hero, Attribute.AGI])
    if card < 0:
        return agi // NORMAL_ATTACK_AP
    ident = p.card[m.ident[card]]
    if ident.has_damage == 0 or ident.suit == Suit.Companion or has_flag(m, card, Flag.USABLE) == 0:
        return 0
    if ident.action > agi:
        return 0
    if ident.suit == Suit.Skill:
        need = local_array(NEED)
        energy_need(m, p, hero, card, -1, -1, -1, need)
        return can_pay_energy(m, p, hero, need)
    return 1 if m.zone[card] == Zone.HAND else agi // max(1, int(ident.action))


@inner(int64(M, int64, int64, int64, int64))
def nearer(m, char, enemy, reach, threatened):
    """Returns a threat discounted for each tile that the enemy is out of reach."""
    gap = max(0, tile_distance(int(m.tile[char]), int(m.tile[enemy])) - reach)
    return threatened * max(0, FAR - gap) // FAR


@inner(int64(M, P, int64, int64, int64, int64))
def threat(m, p, hero, card, enemy, approach):
    """Returns ten times the HP that a hero threatens to take from an enemy in a turn by one way of attacking.

    Args:
        card: the card to attack with, -1 for Normal Attacks.
        approach: 1 discounts it for each tile that the enemy is out of reach, 0 takes it as if in reach.
    """
    times = attacks_per_turn(m, p, hero, card)
    if times == 0:
        return 0
    worth = card_tenths(m, p, hero, card, enemy) * times
    if approach != 0:
        worth = nearer(m, hero, enemy, range_value(m, p, hero, card) if card >= 0 else 1, worth)
    if card >= 0 and m.zone[card] == Zone.HAND:
        worth = worth * IN_HAND // 10
    return worth


@inner(int64(M, P, int64, int64))
def best_threat(m, p, hero, own):
    """Returns the best threat of a hero to its nearest enemy; the hand and the distance count only if `own`."""
    enemy = nearest_enemy(m, hero)
    if enemy < 0 or m.tile[hero] < 0:
        return 0
    best = threat(m, p, hero, -1, enemy, own)
    for i in range(int(m.table_n[hero])):
        best = max(best, threat(m, p, hero, table_card(m, hero, i), enemy, own))
    if own != 0:
        for i in range(int(m.hand_n[hero])):
            best = max(best, threat(m, p, hero, hand_card(m, hero, i), enemy, own))
    return best


@inner(int64(M, P, int64, int64))
def hero_value(m, p, hero, own):
    """Returns a hero's part of the evaluation, in hundredths of a point."""
    if m.life[hero] != Life.ALIVE:
        return 0
    value = HERO_HP * max(0, int(m.hp[hero])) // int(m.max_hp[hero])
    value += TABLE_CARD * int(m.table_n[hero]) + HAND_CARD * int(m.hand_n[hero])
    return value + ENERGY * total_energy(m, p, hero) + THREAT * best_threat(m, p, hero, own) // 10


@inner(int64(M, P, int64, int64))
def piece_value(m, p, char, own):
    """Returns the part of a Companion or Dummy in the evaluation, in hundredths of a point."""
    value = COMPANION_HP * max(0, int(m.hp[char])) // max(1, int(m.max_hp[char]))
    enemy = nearest_enemy(m, char)
    if enemy < 0 or m.tile[char] < 0:
        return value
    agi = int(m.attr[char, Attribute.AGI])
    best = card_tenths(m, p, char, -1, enemy) * (agi // NORMAL_ATTACK_AP)
    if own != 0:
        best = nearer(m, char, enemy, 1, best)
    if m.body[char] >= 0:
        ident = p.card[m.ident[m.body[char]]]
        for k in range(int(ident.technique_n)):
            row = int(ident.technique_first) + k
            t = p.technique[row]
            if t.has_damage == 0 or t.action > agi or is_unlocked(m, p, int(m.body[char]), row) == 0:
                continue
            base = int(t.damage_const)
            if t.damage_attr >= 0:
                base += m.attr[char, t.damage_attr]
            power = expected_tenths(m, enemy, base, int(t.dice_n), int(t.dice_sides)) * (agi // max(1, int(t.action)))
            if own != 0:
                power = nearer(m, char, enemy, technique_reach(m, p, char, row), power)
            best = max(best, power)
    return value + THREAT * best // 10


@inner(int64(M, P, int64))
def evaluate(m, p, team):
    """Returns the evaluation of a match for a team, in hundredths of a point."""
    if m.outcome != Outcome.RUNNING:
        if m.outcome == Outcome.WIN_A:
            return WON if team == 0 else -WON
        if m.outcome == Outcome.WIN_B:
            return WON if team == 1 else -WON
        return 0
    value = 0
    for hero in range(int(m.heroes)):
        if hero % 2 == team:
            value += hero_value(m, p, hero, 1)
        else:
            value -= hero_value(m, p, hero, 0)
    for char in range(int(m.heroes), int(m.chars)):
        if m.life[char] == Life.ALIVE and (m.kind[char] == CharKind.COMPANION or m.kind[char] == CharKind.DUMMY):
            own = 1 if m.team[char] == team else 0
            piece = piece_value(m, p, char, own)
            value += piece if own != 0 else -piece
    return value
