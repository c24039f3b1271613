"""The observation of a seat in compiled code: cards, characters, tiles and the match as rows of numbers.

`env/observe.py` is its door for Python and docs/observations.md its manual. Nothing here reads a deck's order, dice
streams, or the identity of a card that the seat may not know; a question and its draft are shown to the asked seat
alone.
"""

from __future__ import annotations

import numpy as np
from numba import int16, int64, types, void

from ..vocabulary import Terrain
from .board import is_access, is_open, tile_distance
from .codes import Outcome
from .compiler import door, inner
from .costs import total_energy
from .damage import SAVED
from .evaluation import mean_dice_tenths
from .layout import ATTRIBUTES, CARDS, CHARS, KNOWLEDGES, MATCHES, POOLS, SIDE, TILES, M, P
from .tokens import CARD_ROWS, CardField, CharField, MatchField, Side, Sight, TileField
from .view import ROWS, fill_rows, hides_muster, invert_rows, side_of, sight, undo_muster, viewer
from .zones import hero_of, keeper_of

TOKEN_TABLES = types.Array(int16, 3, "C")
TOKEN_TABLE = types.Array(int16, 2, "C")
TOKEN_ROW = types.Array(int16, 1, "C")
SEATS = types.Array(int64, 1, "C")

TOP = 32_767
MARKER_BITS = 13


@inner(int64(int64))
def clipped(value):
    """Returns a value within what a token can hold."""
    return max(-TOP, min(TOP, value))


@inner(int64(M, int64))
def card_owner_char(m, card):
    """Returns the hero a copy belongs to, -1 for ownerless copies."""
    hero = hero_of(card)
    return hero if hero < m.heroes else -1


@inner(void(P, int64, TOKEN_ROW))
def write_printed(p, ident, out):
    """Writes what a card prints."""
    c = p.card[ident]
    out[CardField.CARD] = ident
    out[CardField.SUIT] = c.suit
    out[CardField.LEVEL] = c.level
    out[CardField.RARITY] = c.rarity
    out[CardField.ACTION] = c.action
    out[CardField.VALUE] = clipped(int(c.value))
    out[CardField.SPECIFIERS] = int(c.traits) & 31
    out[CardField.HAS_DAMAGE] = c.has_damage
    out[CardField.DAMAGE_ATTRIBUTE] = c.damage_attr
    out[CardField.DAMAGE_CONSTANT] = c.damage_const
    out[CardField.DICE] = c.dice_n
    out[CardField.SIDES] = c.dice_sides
    out[CardField.RANGE_TYPE] = c.range_type
    out[CardField.STAMINA] = c.stamina
    out[CardField.MANA] = c.mana
    out[CardField.ESSENCE] = c.essence
    out[CardField.COLOUR] = c.colour
    out[CardField.LIGNUM] = c.lignum
    out[CardField.EFFECTS] = int(c.live) - int(c.inert)
    for k in range(ATTRIBUTES):
        out[CardField.BONUS + k] = int(c.attributes[k]) + int(c.bonus[k])
    for k in range(3):
        out[CardField.SLOTS + k] = c.slots[k]


@inner(void(M, P, int64, int64, TOKEN_ROW))
def write_reach(m, p, card, hero, out):
    """Writes mean DMG and range of a card in the hands of its hero."""
    c = p.card[m.ident[card]]
    if c.has_damage == 0:
        return
    damage = int(c.damage_const) + mean_dice_tenths(int(c.dice_n), int(c.dice_sides)) // 10
    reach = int(c.range_const)
    if hero >= 0 and c.damage_attr >= 0:
        damage += m.attr[hero, c.damage_attr]
    if hero >= 0 and c.range_attr >= 0:
        reach += m.attr[hero, c.range_attr]
    out[CardField.DAMAGE] = clipped(damage)
    out[CardField.RANGE] = clipped(max(0, reach))


@inner(int64(M, int64))
def drafted(m, card):
    """Returns 1 for the card of the draft, 2 for a card that the draft pays with."""
    if m.d_kind < 0:
        return 0
    if m.d_card == card:
        return 1
    for i in range(int(m.d_pay_n)):
        if m.d_pay[i] == card:
            return 2
    return 0


@inner(void(M, P, int64, int64, ROWS, ROWS, TOKEN_TABLE))
def write_cards(m, p, hero, asked, rows, places, out):
    """Writes the card table: one row per card row of the hero."""
    team = int(m.team[hero])
    for k in range(CARD_ROWS):
        row = out[k]
        for f in range(0 + CardField.SIZE):
            row[f] = 0
        row[CardField.HERO] = -1
        row[CardField.CARD] = -1
        row[CardField.HOST] = -1
        card = rows[k]
        if card < 0:
            continue
        seen = sight(m, team, card)
        row[CardField.SIGHT] = seen
        if seen == Sight.UNSEEN:
            continue
        owner = card_owner_char(m, card)
        row[CardField.HERO] = owner
        row[CardField.SIDE] = side_of(m, hero, owner)
        row[CardField.ZONE] = m.zone[card]
        flags = int(m.flags[card])
        row[CardField.EXHAUSTED] = flags & 1
        row[CardField.FACE_DOWN] = (flags >> 1) & 1
        if m.host[card] >= 0:
            row[CardField.HOST] = places[m.host[card]]
        if seen == Sight.PRESENT:
            continue
        row[CardField.USABLE] = (flags >> 3) & 1
        row[CardField.SUMMONED] = (flags >> 5) & 1
        row[CardField.USED] = m.used[keeper_of(m, card)]
        if asked != 0:
            row[CardField.DRAFTED] = drafted(m, card)
        write_printed(p, int(m.ident[card]), row)
        write_reach(m, p, card, owner, row)
    for i in range(int(m.counters)):
        card = int(m.counter_card[i])
        if 0 <= card < CARDS and places[card] >= 0:
            cell = out[places[card]]
            cell[CardField.COUNTERS] = clipped(int(cell[CardField.COUNTERS]) + int(m.counter_n[i]))


@inner(void(M, P, int64, int64, TOKEN_ROW))
def write_hero(m, p, char, owner, row):
    """Writes what only heroes have."""
    row[CharField.LEVEL] = m.level[char]
    row[CharField.HAND] = m.hand_n[char]
    row[CharField.DECK] = m.deck_n[char]
    row[CharField.DISCARD] = m.discard_n[char]
    row[CharField.TABLE] = m.table_n[char]
    row[CharField.HAND_LIMIT] = m.hand_limit[char]
    row[CharField.ENERGY] = clipped(total_energy(m, p, char))
    row[CharField.SAVED] = int(m.salvation[char]) & SAVED
    for k in range(3):
        row[CharField.FREE_SLOTS + k] = int(m.slots[char, k]) - int(m.slots_used[char, k])
    for k in range(KNOWLEDGES):
        row[CharField.KNOWLEDGES + k] = m.knowledge[char, k]


@inner(void(M, P, int64, TOKEN_TABLE))
def write_chars(m, p, hero, out):
    """Writes the character table: row k is character k of the action space."""
    home = int(m.tile[hero])
    for char in range(CHARS):
        row = out[char]
        for f in range(0 + CharField.SIZE):
            row[f] = 0
        for f in (CharField.HERO, CharField.CARD, CharField.ORDER, CharField.X, CharField.Y, CharField.DISTANCE):
            row[f] = -1
        row[CharField.SIDE] = Side.NOBODY
        if char >= m.chars or m.kind[char] == 0:
            continue
        row[CharField.SIDE] = side_of(m, hero, char)
        row[CharField.KIND] = m.kind[char]
        row[CharField.HERO] = m.owner[char]
        body = int(m.body[char])
        if body >= 0 and sight(m, int(m.team[hero]), body) == Sight.KNOWN:
            row[CharField.CARD] = m.ident[body]
        row[CharField.LIFE] = m.life[char]
        row[CharField.HP] = m.hp[char]
        row[CharField.MAX_HP] = m.max_hp[char]
        row[CharField.AP] = m.ap[char]
        row[CharField.DEBT] = m.debt[char]
        row[CharField.ACTED] = 1 if m.acted[char] > 0 else 0
        row[CharField.TURN] = 1 if m.turn_char == char else 0
        tile = int(m.tile[char])
        if tile >= 0:
            row[CharField.X] = tile % SIDE
            row[CharField.Y] = tile // SIDE
            if home >= 0:
                row[CharField.DISTANCE] = tile_distance(home, tile)
        for k in range(ATTRIBUTES):
            row[CharField.ATTRIBUTES + k] = m.attr[char, k]
        for k in range(5):
            row[CharField.MARKERS + k] = (int(m.markers[char]) >> (MARKER_BITS * k)) & ((1 << MARKER_BITS) - 1)
        if char < m.heroes:
            write_hero(m, p, char, hero, row)
    for i in range(int(m.order_n)):
        out[m.order[i], CharField.ORDER] = i


@inner(void(M, int64, TOKEN_TABLE))
def write_tiles(m, hero, out):
    """Writes the tile table: row k is tile k of the action space."""
    team = int(m.team[hero])
    home = int(m.tile[hero])
    for tile in range(TILES):
        row = out[tile]
        for f in range(0 + TileField.SIZE):
            row[f] = 0
        row[TileField.CHAR] = -1
        row[TileField.SIDE] = Side.NOBODY
        row[TileField.DISTANCE] = -1
        if tile % SIDE >= m.width or tile // SIDE >= m.height or m.terrain[tile] == Terrain.disabled:
            continue
        row[TileField.OPEN] = is_open(m, tile)
        row[TileField.X] = tile % SIDE
        row[TileField.Y] = tile // SIDE
        row[TileField.TERRAIN] = m.terrain[tile]
        row[TileField.ALTITUDE] = m.altitude[tile]
        if m.piece[tile] >= 0:
            row[TileField.CHAR] = m.piece[tile]
            row[TileField.SIDE] = side_of(m, hero, int(m.piece[tile]))
        row[TileField.ACCESS] = 1 if is_access(m, team, tile) != 0 else (2 if is_access(m, 1 - team, tile) != 0 else 0)
        if home >= 0:
            row[TileField.DISTANCE] = tile_distance(home, tile)


@inner(void(M, ROWS, TOKEN_ROW))
def write_question(m, places, row):
    """Writes the pending question and the draft, which only the asked seat sees."""
    row[MatchField.DECISION] = m.pending
    row[MatchField.ASKED] = m.asked
    row[MatchField.ASK_A] = m.ask_a
    row[MatchField.ASK_B] = m.ask_b
    row[MatchField.DRAFT_KIND] = m.d_kind
    if m.d_kind < 0:
        return
    row[MatchField.DRAFT_CARD] = places[m.d_card] if m.d_card >= 0 else -1
    row[MatchField.DRAFT_EFFECT] = m.d_effect
    row[MatchField.DRAFT_TARGET] = m.d_target
    row[MatchField.DRAFT_TILE] = m.d_tile
    row[MatchField.DRAFT_PAID] = m.d_pay_n


@inner(void(M, ROWS, TOKEN_ROW))
def write_frame(m, places, row):
    """Writes what the question is about: the top frame of the resolution stack."""
    frame = m.frame[m.sp - 1]
    row[MatchField.FRAME] = frame.kind
    row[MatchField.FRAME_CHAR] = frame.char
    row[MatchField.FRAME_CARD] = places[frame.card] if 0 <= frame.card < CARDS else -1
    row[MatchField.FRAME_TARGET] = frame.target
    row[MatchField.FRAME_EVENT] = frame.event


@inner(void(M, int64, int64, ROWS, TOKEN_ROW))
def write_match(m, hero, asked, places, row):
    """Writes the match row."""
    team = int(m.team[hero])
    for f in range(0 + MatchField.SIZE):
        row[f] = 0
    row[MatchField.ASKED] = -1
    for f in range(0 + MatchField.DRAFT_KIND, 0 + MatchField.DRAFT_PAID):
        row[f] = -1
    row[MatchField.HERO] = hero
    row[MatchField.TEAM] = team
    if asked != 0:
        write_question(m, places, row)
    row[MatchField.PHASE] = m.phase
    row[MatchField.STINT] = m.stint
    row[MatchField.STINT_LIMIT] = m.stint_limit
    row[MatchField.QUIET_STINTS] = m.quiet_stints
    row[MatchField.TURN_CHAR] = m.turn_char
    row[MatchField.TURN_ACTIONS] = m.turn_actions
    row[MatchField.TURN_SPOILED] = m.turn_spoiled
    row[MatchField.FIRST_CHAR] = m.first_char
    row[MatchField.PROFILE] = m.profile
    row[MatchField.WIDTH] = m.width
    row[MatchField.HEIGHT] = m.height
    row[MatchField.TEAM_SIZE] = m.team_size
    row[MatchField.REMOVED_OWN] = clipped(int(m.removed[team]))
    row[MatchField.REMOVED_ENEMY] = clipped(int(m.removed[1 - team]))
    won = Outcome.WIN_A if team == 0 else Outcome.WIN_B
    if m.outcome != Outcome.RUNNING:
        row[MatchField.OUTCOME] = 1 if m.outcome == won else (2 if m.outcome <= Outcome.WIN_B else 3)
    for f in range(0 + MatchField.FRAME_CHAR, 0 + MatchField.SIZE):
        row[f] = -1
    if asked != 0 and m.sp > 0:
        write_frame(m, places, row)


@door(void(MATCHES, int64, int64, MATCHES, POOLS, SEATS, TOKEN_TABLES, TOKEN_TABLES, TOKEN_TABLES, TOKEN_TABLE))
def observe(matches, first, count, scratch, pools, seats, cards, chars, tiles, rows):
    """Writes what seats may know of matches `first` to `first + count - 1`.

    Args:
        scratch: one match record to look at instead where something must be hidden.
        seats: the seat that looks at each match, 0 or 1; -1 for the asked one (seat 0 where none is asked).
        cards, chars, tiles: int16 tables of `count` matches. rows: int16, one match row each.
    """
    p = pools[0]
    of_row = np.empty(CARD_ROWS, np.int64)
    of_card = np.empty(CARDS, np.int64)
    for i in range(count):
        m = matches[first + i]
        team = seats[i]
        if team < 0:
            team = int(m.team[m.asked]) if m.pending != 0 and m.asked >= 0 else 0
        if hides_muster(m, team) != 0:
            scratch[0] = m
            m = scratch[0]
            undo_muster(m, p, team)
        hero = viewer(m, team)
        asked = 1 if m.pending != 0 and m.asked >= 0 and m.team[m.asked] == team else 0
        fill_rows(m, hero, of_row)
        invert_rows(of_row, of_card)
        write_cards(m, p, hero, asked, of_row, of_card, cards[i])
        write_chars(m, p, hero, chars[i])
        write_tiles(m, hero, tiles[i])
        write_match(m, hero, asked, of_card, rows[i])
