"""Choices inside programs: cards, characters, tiles and walks that a step asks for."""

from __future__ import annotations

from numba import int64, void

from .board import is_empty, is_open, tile_distance
from .codes import Decision, Life, Zone
from .compiler import inner
from .instructions import operand
from .layout import CARDS, SIDE, TILES, M, P
from .movement import can_stand, climb_cost
from .opcodes import WIDTH, Op, Rule
from .operations import deck_card, do_object, nth_counter, nth_marker
from .registers import R_BOUND, R_EV, R_IT, R_REPEAT
from .stack import ask
from .standing import has_rule
from .values import next_within, places_of, value

OPEN_TURNS = 4  # bit of `deeds`: loses its next turn


@inner(int64(M, P, int64, int64))
def is_pickable(m, p, at, card):
    """Returns 1 if the PICK of a program frame may take a copy."""
    f = m.frame[at]
    if m.zone[card] == Zone.RESOLVING or m.zone[card] == Zone.LIMBO:
        return 0
    test = int(p.code[f.pc + 1])
    return 1 if value(m, p, test, at, int(f.reg[R_EV]) - 1, int(f.card), int(f.char), int(f.reg[R_IT]), card) != 0 else 0


@inner(int64(M, P, int64, int64, int64))
def is_walkable(m, p, at, char, tile):
    """Returns 1 if a piece may be walked one step to a tile by an effect (R15.11)."""
    origin = int(m.tile[char])
    f = m.frame[at]
    op = int(p.code[f.pc])
    if op == Op.PUT_CHOSEN or op == Op.OBJECT or op == Op.PICK_TILE:
        if (op == Op.OBJECT and is_empty(m, tile) == 0) or (op == Op.PUT_CHOSEN and can_stand(m, p, char, tile) == 0):
            return 0
        test = int(p.code[f.pc + (1 if op == Op.PICK_TILE else 2)])
        ev = int(f.reg[R_EV]) - 1
        return 1 if value(m, p, test, at, ev, int(f.card), int(f.char), tile, int(f.reg[R_BOUND])) != 0 else 0
    if origin < 0 or tile_distance(origin, tile) != 1 or can_stand(m, p, char, tile) == 0:
        return 0
    if p.code[f.pc + 6] > 0 and f.flags != 0 and f.flags != tile - origin + SIDE + 1:
        return 0
    if p.code[m.frame[at].pc + 3] != 0:
        return 1
    return 1 if climb_cost(m, p, char, origin, tile) < m.frame[at].reg[R_REPEAT] else 0


@inner(int64(M, P, int64, int64))
def next_pickable(m, p, at, card):
    """Returns the next copy from `card` on that the PICK of a program frame may take, -1 when there are no more."""
    places = places_of(p, int(p.code[m.frame[at].pc + 1]))
    you = int(m.frame[at].char)
    while True:
        card = next_within(m, p, card, CARDS, places, you)
        if card < 0 or is_pickable(m, p, at, card) != 0:
            return card
        card += 1


@inner(int64(M, P, int64, int64, int64))
def next_walkable(m, p, at, who, tile):
    """Returns the next tile from `tile` on that the step of a program frame admits for a piece, -1 none."""
    while tile < int(m.height) * SIDE:
        if tile % SIDE < m.width and is_walkable(m, p, at, who, tile) != 0:
            return tile
        tile += 1
    return -1


@inner(int64(M, P, int64))
def can_walk(m, p, at):
    """Returns 1 if the WALK of a program frame has a next tile."""
    who = operand(m, p, at, int(p.code[m.frame[at].pc + 1]))
    if who < 0 or m.tile[who] < 0 or m.life[who] != Life.ALIVE or has_rule(m, p, who, Rule.CANNOT_MOVE) != 0:
        return 0
    for tile in range(TILES):
        if is_open(m, tile) != 0 and tile % SIDE < m.width and tile // SIDE < m.height:
            if is_walkable(m, p, at, who, tile) != 0:
                return 1
    return 0


@inner(void(M, P, int64))
def run_walk(m, p, at):
    """Asks for the next tile of a walk, or ends it."""
    f = m.frame[at]
    pc = int(f.pc)
    if f.step == 0:
        f.step = 1
        f.reg[R_REPEAT] = max(0, operand(m, p, at, int(p.code[pc + 2])))
    if f.reg[R_REPEAT] > 0 and can_walk(m, p, at) != 0:
        who = operand(m, p, at, int(p.code[pc + 1]))
        decider = operand(m, p, at, int(p.code[pc + 4]))
        ask(m, Decision.WALK, int(m.owner[decider if decider >= 0 else f.char]), who, 1 if p.code[pc + 5] > 0 else 0)
        return
    f.reg[R_REPEAT] = 0
    f.step = 0
    f.flags = 0
    f.pc = pc + WIDTH


@inner(void(M, P, int64))
def run_put(m, p, at):
    """Asks for the tile that a piece is put on, or goes on if none fits."""
    f = m.frame[at]
    pc = int(f.pc)
    who = operand(m, p, at, int(p.code[pc + 1]))
    if who >= 0 and m.life[who] == Life.ALIVE:
        if next_walkable(m, p, at, who, 0) >= 0:
            decider = operand(m, p, at, int(p.code[pc + 3]))
            ask(m, Decision.WALK, int(m.owner[decider if decider >= 0 else f.char]), who, 1)
            return
    f.pc = pc + WIDTH


@inner(void(M, P, int64))
def run_pick_tile(m, p, at):
    """Asks for a tile that passes a filter, or goes on with none."""
    f = m.frame[at]
    pc = int(f.pc)
    if next_walkable(m, p, at, int(f.char), 0) >= 0:
        who = operand(m, p, at, int(p.code[pc + 2]))
        ask(m, Decision.WALK, int(m.owner[who if who >= 0 else f.char]), int(f.char), 1)
        return
    f.reg[R_BOUND] = -1
    f.pc = pc + WIDTH


@inner(void(M, P, int64))
def run_object(m, p, at):
    """Places an Object on each tile that fits, or asks for one of them (R15.14)."""
    f = m.frame[at]
    pc = int(f.pc)
    hp = operand(m, p, at, int(p.code[pc + 1]))
    tile = next_walkable(m, p, at, int(f.char), 0)
    while tile >= 0:
        if p.code[pc + 3] == 0:
            ask(m, Decision.WALK, int(m.owner[f.char]), int(f.char), 1)
            return
        do_object(m, p, at, hp, tile)
        tile = next_walkable(m, p, at, int(f.char), tile + 1)
    f.pc = pc + WIDTH


@inner(void(M, P, int64))
def run_find_top(m, p, at):
    """Binds the copy nearest to the top of a deck that passes a filter (R2.1.9)."""
    f = m.frame[at]
    pc = int(f.pc)
    hero = operand(m, p, at, int(p.code[pc + 2]))
    test = int(p.code[pc + 1])
    k = 0
    while True:
        card = deck_card(m, hero, k)
        if card < 0:
            break
        if value(m, p, test, at, int(f.reg[R_EV]) - 1, int(f.card), int(f.char), int(f.reg[R_IT]), card) != 0:
            f.reg[R_BOUND] = card
            f.pc = pc + WIDTH
            return
        k += 1
    f.reg[R_BOUND] = -1
    f.pc = p.code[pc + 3] if p.code[pc + 3] >= 0 else pc + WIDTH


@inner(int64(M, P, int64, int64))
def is_char_pickable(m, p, at, char):
    """Returns 1 if the PICK_CHAR of a program frame may take a character."""
    f = m.frame[at]
    test = int(p.code[f.pc + 1])
    if m.kind[char] == 0:
        return 0
    return 1 if value(m, p, test, at, int(f.reg[R_EV]) - 1, int(f.card), int(f.char), char, -1) != 0 else 0


@inner(void(M, P, int64))
def run_pick_char(m, p, at):
    """Asks for a character that passes a filter, or goes on with none."""
    f = m.frame[at]
    pc = int(f.pc)
    for char in range(int(m.chars)):
        if is_char_pickable(m, p, at, char) != 0:
            who = operand(m, p, at, int(p.code[pc + 2]))
            ask(m, Decision.PICK, int(m.owner[who if who >= 0 else f.char]), 1, 0)
            return
    f.reg[R_BOUND] = -1
    f.pc = pc + WIDTH


@inner(void(M, P, int64))
def run_choice_of_names(m, p, at):
    """Asks which marker of a character, or which kind of counter of a card, is removed."""
    f = m.frame[at]
    pc = int(f.pc)
    subject = operand(m, p, at, int(p.code[pc + 1]))
    count = 0
    if subject >= 0:
        while count < 16:
            found = nth_marker(m, subject, count) if p.code[pc] == Op.MARKER_CHOOSE else nth_counter(m, subject, count)
            if found < 0:
                break
            count += 1
    if count == 0:
        f.pc = pc + WIDTH
        return
    who = operand(m, p, at, int(p.code[pc + 2]))
    ask(m, Decision.CHOOSE, int(m.owner[who if who >= 0 else f.char]), count, 0)
