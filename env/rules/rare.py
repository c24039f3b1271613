"""What few cards ask of the match (`opcodes.Rare`), apart from the values that most effects read."""

from __future__ import annotations

from numba import int64

from ..vocabulary import Suit
from .board import is_empty, neighbour, tile_distance
from .codes import CharKind, Frame, Life, Zone
from .compiler import inner, local_array
from .dice import roll
from .layout import CARDS, CHARS, COPIES, FURTHER, FURTHER_DUE, HEROES, SIDE, TILES, M, P
from .levels import success_level
from .opcodes import OPERAND, Rare
from .registers import A_HP, A_TECHNIQUE, C_DIFFICULTY, C_KNOW, C_RESULT, W_CHECK
from .unlocking import is_unlocked
from .zones import has_flag, is_table

REROLLED = 2  # bit of the flags of a check frame: rolled again
FOUGHT = 32  # bit of `deeds`: has attacked in this battle
TARGETED = 64  # was attacked in this battle
HURT = 128  # suffered Injury of an attack in this turn
REVIVED = 256  # was revived in this battle
DEATH_STINT = 512  # unit of the stint in which it died
LASTING_DEEDS = FOUGHT | TARGETED | REVIVED | 63 * DEATH_STINT
NOWHERE = 999  # depth of a copy that is in no deck
SPAWNED = -6  # `mod` of a modifier row: the piece `char` was created by the card
TIE = -2  # `mod` of a modifier row that ties a card to the tile in `value`
DELAYED = -7  # of one that lets a later effect, numbered by `value`, await a character


@inner(int64(M, P, int64, int64, int64, int64))
def reach_of(m, p, fr, attack, this, you):
    """Returns the range of the running attack, else of the technique or card of a program, without modifiers (R15.17)."""
    if you < 0:
        return 0
    row = -1
    card = this
    if attack >= 0:
        row = int(m.frame[attack].reg[A_TECHNIQUE]) - 1
        card = int(m.frame[attack].card)
        if row < 0 and card < 0:
            return 1
    elif fr >= 0 and m.frame[fr].effect >= 0 and p.effect[m.frame[fr].effect].technique >= 0:
        row = int(p.card[m.ident[this]].technique_first) + int(p.effect[m.frame[fr].effect].technique)
    if row >= 0:
        reach = int(p.technique[row].range_const)
        attribute = int(p.technique[row].range_attr)
    else:
        if card < 0:
            return 0
        reach = int(p.card[m.ident[card]].range_const)
        attribute = int(p.card[m.ident[card]].range_attr)
    if attribute >= 0:
        reach += m.attr[you, attribute]
    return reach


@inner(int64(M, int64, int64, int64, int64))
def is_on_line(m, origin, target, tile, reach):
    """Returns 1 for a tile within reach in the direction from one tile to another, the dominant axis deciding (R15.24)."""
    if origin < 0 or target < 0 or tile < 0 or tile == origin or tile_distance(origin, tile) > reach:
        return 0
    dx = target % SIDE - origin % SIDE
    dy = target // SIDE - origin // SIDE
    x = tile % SIDE - origin % SIDE
    y = tile // SIDE - origin // SIDE
    if x * dx < 0 or y * dy < 0:
        return 0
    # the ray passes through the tile when its centre is nearer than half the tile's width across the ray
    return 1 if 2 * abs(x * dy - y * dx) < abs(dx) + abs(dy) else 0


@inner(int64(M, int64))
def is_obstructed(m, attack):
    """Returns 1 if a piece stands between the agent of an attack and its target (R15.22)."""
    agent = int(m.frame[attack].char)
    target = int(m.frame[attack].target)
    if target < 0 or m.tile[agent] < 0 or m.tile[target] < 0:
        return 0
    reach = tile_distance(int(m.tile[agent]), int(m.tile[target])) - 1
    for char in range(int(m.chars)):
        if char != target and m.tile[char] >= 0 and m.piece[m.tile[char]] == char:
            if is_on_line(m, int(m.tile[agent]), int(m.tile[target]), int(m.tile[char]), reach) != 0:
                return 1
    return 0


@inner(int64(M, int64))
def entity_slot_card(m, hero):
    """Returns the copy in a Hero's Entity slot: its Entity, or a Skill that acts as one (text META); -1 none."""
    card = hero * COPIES + 4
    if m.ident[card] >= 0 and m.zone[card] == Zone.SHEET:
        return card
    return -1


@inner(int64(M, P, int64))
def is_slot_free(m, p, hero):
    """Returns 1 if nothing is in a Hero's Entity slot; a Skill that acts as an Entity stands in the Extra Zone (R3.7.1)."""
    if hero < 0 or hero >= HEROES or entity_slot_card(m, hero) >= 0:
        return 0
    for i in range(int(m.table_n[hero])):
        card = int(m.hold[hero, COPIES - 1 - i])
        if m.zone[card] == Zone.EXTRA and p.card[m.ident[card]].suit == Suit.Skill:
            return 0
    return 1


@inner(int64(M, int64, int64))
def is_tied(m, card, tile):
    """Returns 1 if a card is tied to a tile."""
    for k in range(int(m.mods)):
        if m.modifier[k].mod == TIE and m.modifier[k].card == card and m.modifier[k].value == tile:
            return 1
    return 0


@inner(int64(M, int64, int64, int64))
def is_awaited(m, card, char, number):
    """Returns 1 if a later effect of a card awaits a character."""
    for k in range(int(m.mods)):
        entry = m.modifier[k]
        if entry.mod == DELAYED and entry.card == card and entry.char == char and entry.value == number:
            return 1
    return 0


@inner(int64(M, int64, int64))
def is_connected(m, first, last):
    """Returns 1 if pieces on adjacent tiles form a chain from one character to another."""
    if first < 0 or m.tile[first] < 0 or m.tile[last] < 0:
        return 0
    reached = local_array(TILES)
    queue = local_array(TILES)
    queue[0] = int(m.tile[first])
    reached[queue[0]] = 1
    n = 1
    k = 0
    while k < n:
        for direction in range(4):
            near = neighbour(m, queue[k], direction)
            if near >= 0 and reached[near] == 0 and m.piece[near] >= 0:
                reached[near] = 1
                queue[n] = near
                n += 1
        k += 1
    return reached[int(m.tile[last])]


@inner(int64(M, int64, int64))
def is_near(m, tile, terrain):
    """Returns 1 if a tile next to `tile` has a terrain."""
    for direction in range(4):
        near = neighbour(m, tile, direction)
        if near >= 0 and m.terrain[near] == terrain:
            return 1
    return 0


@inner(int64(M, int64, int64))
def is_free_around(m, char, but):
    """Returns 1 if every tile next to a character is empty, one tile left out (-1 none)."""
    if m.tile[char] < 0:
        return 0
    for direction in range(4):
        near = neighbour(m, int(m.tile[char]), direction)
        if near >= 0 and near != but and is_empty(m, near) == 0:
            return 0
    return 1


@inner(int64(M, int64, int64))
def is_made_by(m, card, char):
    """Returns 1 if a character is an object on the board that a card has placed."""
    if m.kind[char] != CharKind.OBJECT or m.life[char] != Life.ALIVE or m.tile[char] < 0:
        return 0
    for k in range(int(m.mods)):
        if m.modifier[k].mod == SPAWNED and m.modifier[k].card == card and m.modifier[k].char == char:
            return 1
    return 0


@inner(int64(M, int64))
def depth_of(m, card):
    """Returns how many cards lie above a copy in its deck, NOWHERE for one that is in none."""
    hero = card // COPIES
    if m.zone[card] != Zone.DECK or hero >= HEROES:
        return NOWHERE
    for k in range(int(m.deck_n[hero])):
        if m.pile[hero, m.deck_n[hero] - 1 - k] == card:
            return k
    return NOWHERE


@inner(int64(M, P, int64, int64, int64, int64, int64))
def roll_bar(m, p, fr, this, you, technique, times):
    """Rolls the DMG of a card's bar or of the technique of the running effect: attribute, constant and dice (R13.1).

    Args:
        times: how often each of its dice is rolled.
    """
    if this < 0 or you < 0:
        return 0
    row = -1
    if technique != 0 and fr >= 0 and m.frame[fr].effect >= 0:
        row = int(p.card[m.ident[this]].technique_first) + int(p.effect[m.frame[fr].effect].technique)
    if row >= 0:
        attribute = int(p.technique[row].damage_attr)
        total = int(p.technique[row].damage_const)
        count = int(p.technique[row].dice_n)
        sides = int(p.technique[row].dice_sides)
    else:
        attribute = int(p.card[m.ident[this]].damage_attr)
        total = int(p.card[m.ident[this]].damage_const)
        count = int(p.card[m.ident[this]].dice_n)
        sides = int(p.card[m.ident[this]].dice_sides)
    if attribute >= 0:
        total += m.attr[you, attribute]
    if count > 0:
        total += roll(m, this, count * times, sides)
    return max(1, total)


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def read_rare_char(m, p, what, operand, a, fr, attack, this, you):
    """Reads what is asked about a character; 0 for none."""
    if a < 0 or a >= CHARS:
        return 0
    if what == Rare.ON_LINE:
        agent = you
        target = int(m.frame[fr].target) if fr >= 0 else -1
        if attack >= 0:
            agent = int(m.frame[attack].char)
            target = int(m.frame[attack].target)
        if agent < 0 or target < 0:
            return 0
        reach = reach_of(m, p, fr, attack, this, agent)
        return is_on_line(m, int(m.tile[agent]), int(m.tile[target]), int(m.tile[a]), reach)
    if what == Rare.SLOT_FREE:
        return is_slot_free(m, p, int(m.owner[a]))
    if what == Rare.ENTITY_LEVEL:
        card = entity_slot_card(m, a) if a < HEROES else -1
        return int(p.card[m.ident[card]].order) if card >= 0 else 0
    if what == Rare.NEAR_TERRAIN:
        return is_near(m, int(m.tile[a]), operand) if m.tile[a] >= 0 else 0
    if what == Rare.FOUGHT:
        return 1 if int(m.deeds[a]) & FOUGHT != 0 else 0
    if what == Rare.FURTHER_TURN:
        return 1 if m.acted[a] == FURTHER else (2 if m.acted[a] == FURTHER_DUE else 0)
    if what == Rare.ANY_MARKER:
        return 1 if m.markers[a] != 0 else 0
    if what == Rare.TILE_OF:
        return int(m.tile[a])
    if what == Rare.COUNTERS_OF:
        total = 0
        for k in range(int(m.counters)):
            card = int(m.counter_card[k])
            if m.counter_name[k] == operand and card // COPIES == m.owner[a] and is_table(int(m.zone[card])) != 0:
                total += int(m.counter_n[k])
        return total
    if what == Rare.STINTS_DEAD:
        return int(m.stint) - int(m.deeds[a]) // DEATH_STINT
    if what == Rare.DEED:
        return 1 if int(m.deeds[a]) & (1 << operand) != 0 else 0
    if what == Rare.AWAITED:
        return is_awaited(m, this, a, operand)
    if what == Rare.CONNECTED:
        return is_connected(m, int(m.frame[attack].target) if attack >= 0 else int(m.frame[fr].target) if fr >= 0 else -1, a)
    if what == Rare.LINKED:
        return is_tied(m, this, int(m.tile[a])) if m.tile[a] >= 0 else 0
    if what == Rare.SLOTS:
        return int(m.slots[a, operand]) if a < HEROES else 0
    if what == Rare.FREE_AROUND:
        return is_free_around(m, a, int(m.tile[you]) if operand != 0 and you >= 0 else -1)
    if what == Rare.MADE:
        return is_made_by(m, this, a)
    return 0


@inner(int64(M, P, int64, int64, int64))
def read_rare_card(m, p, what, operand, a):
    """Reads what is asked about a card copy; 0 for none."""
    if a < 0 or a >= CARDS or m.ident[a] < 0:
        return 0
    if what == Rare.FLAG:
        return has_flag(m, a, operand)
    if what == Rare.PRINTED_ATTR:
        return int(p.card[m.ident[a]].attributes[operand])
    if what == Rare.BAR_ATTR:
        return 1 if p.card[m.ident[a]].has_damage != 0 and p.card[m.ident[a]].damage_attr == operand else 0
    if what == Rare.DEPTH:
        return depth_of(m, a)
    if what == Rare.RARITY:
        return int(p.card[m.ident[a]].rarity)
    if what == Rare.ANY_COUNTER:
        for k in range(int(m.counters)):
            if m.counter_card[k] == a and m.counter_n[k] > 0:
                return 1
    return 0


@inner(int64(M, P, int64, int64, int64, int64, int64, int64, int64))
def read_rare(m, p, arg, a, fr, ev, attack, this, you):
    """Reads an item X.RARE or X.RARE_ONE.

    Args:
        arg: opcodes.Rare + OPERAND * its operand. a: what it takes from the stack.
        fr, ev, this, you: the context, see `values`. attack: the running attack frame, -1 none.
    """
    what = arg % OPERAND
    operand = arg // OPERAND
    if what == Rare.REACH:
        return reach_of(m, p, fr, attack, this, you)
    if what == Rare.UNLOCKED:
        if this < 0 or operand >= p.card[m.ident[this]].technique_n:
            return 0
        return is_unlocked(m, p, this, int(p.card[m.ident[this]].technique_first) + operand)
    if what == Rare.OBSTRUCTED:
        return is_obstructed(m, attack) if attack >= 0 else 0
    if what == Rare.CREATED:
        for k in range(int(m.mods)):
            if m.modifier[k].mod == SPAWNED and m.modifier[k].card == this and m.tile[m.modifier[k].char] >= 0:
                return int(m.modifier[k].char)
        return -1
    if what == Rare.TECHNIQUE_AP:
        if this < 0 or operand >= p.card[m.ident[this]].technique_n:
            return 0
        return int(p.technique[p.card[m.ident[this]].technique_first + operand].action)
    if what == Rare.BAR_ROLL:
        return roll_bar(m, p, fr, this, you, operand, 1)
    if what == Rare.CARD_ROLL:
        return roll_bar(m, p, -1, a, you, 0, operand) if 0 <= a < CARDS and m.ident[a] >= 0 else 0
    if what == Rare.HURT_BEFORE:
        return int(m.frame[attack].reg[A_HP]) if attack >= 0 else 0
    if what == Rare.LACKED or what == Rare.DIFFICULTY or what == Rare.NOT_REROLLED or what == Rare.CHECK_LEVEL:
        at = ev
        if at >= 0 and m.frame[at].kind == Frame.WINDOW:
            at = int(m.frame[at].reg[W_CHECK]) - 1
        if at < 0 or m.frame[at].kind != Frame.CHECK:
            # in what follows the check its result stands
            return success_level(int(m.check_result), int(m.check_difficulty)) if what == Rare.CHECK_LEVEL else 0
        if what == Rare.CHECK_LEVEL:
            return success_level(int(m.frame[at].reg[C_RESULT]), int(m.frame[at].reg[C_DIFFICULTY]))
        if what == Rare.DIFFICULTY:
            return int(m.frame[at].reg[C_DIFFICULTY])
        if what == Rare.NOT_REROLLED:
            return 1 if int(m.frame[at].flags) & REROLLED == 0 else 0
        know = int(m.frame[at].reg[C_KNOW])
        char = int(m.frame[at].char)
        return 1 if know >= 0 and (char >= HEROES or m.knowledge[char, know] == 0) else 0
    if what == Rare.FLAG or what == Rare.RARITY or what == Rare.ANY_COUNTER or Rare.BAR_ATTR <= what < Rare.SLOTS:
        return read_rare_card(m, p, what, operand, a)
    return read_rare_char(m, p, what, operand, a, fr, attack, this, you)
