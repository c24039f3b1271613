"""What few cards ask of the match (`opcodes.Rare`), apart from the values that most effects read: one function for each."""

from __future__ import annotations

from numba import int64

from ..vocabulary import Suit
from .board import CLEAR, is_empty, neighbour, tile_distance, trajectory
from .codes import CharKind, Life, Zone
from .compiler import inner, local_array
from .dice import roll
from .layout import COPIES, HEROES, SIDE, TILES, M, P
from .registers import A_TECHNIQUE
from .zones import body_of, hero_of, is_table

REROLLED = 2  # bit of the flags of a check frame: rolled again
FATE_PAID = 4  # FATE was discarded in it
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


@inner(int64(M, int64, int64))
def counters_of(m, char, name):
    """Returns the counters of a name on a Hero's table and sheet cards, or on the card of a Companion and under it (R19.9)."""
    total = 0
    for k in range(int(m.counters)):
        card = int(m.counter_card[k])
        if m.counter_name[k] != name:
            continue
        if char < HEROES:
            own = card // COPIES == char and is_table(int(m.zone[card])) != 0
        else:
            body = int(m.body[char])
            own = body >= 0 and (card == body or (m.zone[card] == Zone.ATTACHED and m.host[card] == body))
        if own:
            total += int(m.counter_n[k])
    return total


@inner(int64(M, int64, int64))
def counters_near(m, char, name):
    """Returns the counters of a name that a character and its teammates on adjacent tiles have."""
    total = counters_of(m, char, name)
    for other in range(int(m.chars)):
        near = m.tile[other] >= 0 and m.tile[char] >= 0 and tile_distance(int(m.tile[char]), int(m.tile[other])) == 1
        if near and m.life[other] == Life.ALIVE and m.team[other] == m.team[char]:
            total += counters_of(m, other, name)
    return total


@inner(int64(M, int64, int64))
def piece_of(m, card, char):
    """Returns the character whose piece the card of a Companion has, else `char`."""
    body = body_of(m, card)
    for other in range(HEROES, int(m.chars)):
        if body >= 0 and m.body[other] == body:
            return other
    return char


@inner(int64(M, int64, int64))
def is_in_sight(m, origin, char):
    """Returns 1 if nothing stops a direct shot of one character at another (R15.22, R15.23)."""
    if origin < 0 or m.tile[origin] < 0 or m.tile[char] < 0:
        return 0
    return 1 if trajectory(m, int(m.tile[origin]), int(m.tile[char]), int(m.team[origin])) == CLEAR else 0


@inner(int64(M, P, int64))
def lignum_of(m, p, char):
    """Returns the lignum of a Companion's card, or of the card that created a piece; -1 none."""
    if char >= HEROES and m.body[char] >= 0:
        return int(p.card[m.ident[m.body[char]]].lignum)
    for k in range(int(m.mods)):
        if m.modifier[k].mod == SPAWNED and m.modifier[k].char == char and m.modifier[k].card >= 0:
            return int(p.card[m.ident[m.modifier[k].card]].lignum)
    return -1


@inner(int64(M, int64, int64))
def has_team_copy(m, card, you):
    """Returns 1 if another Hero of a character's team has a copy of a card in its hand or on its table."""
    if you < 0:
        return 0
    for other in range(HEROES * COPIES):
        if m.ident[other] == m.ident[card] and hero_of(other) != m.owner[you] and m.team[hero_of(other)] == m.team[you]:
            if m.zone[other] == Zone.HAND or is_table(int(m.zone[other])) != 0:
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
