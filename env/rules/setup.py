"""A fresh match from a lineup and five seeds (ARENA A1 to A3)."""

from __future__ import annotations

from numba import int64, types, void

from ..vocabulary import Path, Suit
from .codes import Change, Flag, Frame, Phase, Zone
from .compiler import inner, local_array
from .derive import mark_usable, recompute
from .hearing import listen
from .layout import ATTRIBUTES, CARDS, CHARS, COPIES, DECK_SLOT, HEROES, KNOWLEDGES, POOL_CARDS, TILES, L, M, P
from .stack import push
from .turn import prepare_hero
from .zones import clear_board, has_flag

SEEDS = types.Array(int64, 2, "C")
SEEN = POOL_CARDS // 32  # words with a bit per pool card


@inner(void(M, L))
def copy_format(m, lineup):
    """Copies the format of a lineup into a match (A1)."""
    m.profile = lineup.profile
    m.width = lineup.width
    m.height = lineup.height
    m.team_size = lineup.team_size
    m.heroes = 2 * lineup.team_size
    m.opening_hand = lineup.opening_hand
    m.muster = lineup.muster
    m.draw_per_turn = lineup.draw_per_turn
    m.stint_limit = lineup.stint_limit
    m.loot = lineup.loot
    m.nested_reactions = lineup.nested_reactions
    m.multi_response = lineup.multi_response
    m.random_initiative = lineup.random_initiative
    for tile in range(TILES):
        m.altitude[tile] = lineup.altitude[tile]
        m.terrain[tile] = lineup.terrain[tile]


@inner(void(M))
def clear_match(m):
    """Resets everything but the format and seeds to the state before set-up."""
    m.listening = 0
    m.decisions = 0
    m.actions = 0
    m.options_sum = 0
    m.stint = 0
    m.turns = 0
    m.phase = Phase.SETUP
    m.turn_char = -1
    m.turn_actions = 0
    m.turn_spoiled = 0
    m.order_n = 0
    m.order_at = 0
    m.first_char = -1
    m.quiet_stints = 0
    m.hp_lost_stint = 0
    m.removed[0] = 0
    m.removed[1] = 0
    m.lead = 0
    m.lead_changes = 0
    m.outcome = 0
    m.cause = 0
    m.fault = 0
    m.steps = 0
    m.dirty = int(m.dirty) | Change.CARDS
    m.log_on = 0
    m.ledger_on = 0
    m.mean_dice = 0
    m.forced_n = -1
    m.forced_at = 0
    m.pending = 0
    m.asked = -1
    m.d_kind = -1
    m.d_event = -1
    m.active = 0
    m.modified = 0
    m.lasting = 0
    m.ruled = 0
    m.check_result = 0
    m.check_difficulty = 0
    m.d_pay_n = 0
    m.sp = 0
    m.scenario_n = 0
    m.mods = 0
    m.counters = 0
    m.unmet = 0
    clear_board(m)


@inner(void(M))
def clear_rows(m):
    """Empties the tables of characters, heroes and card copies."""
    m.chars = m.heroes
    for char in range(CHARS):
        m.kind[char] = 0
        m.body[char] = -1
        m.tile[char] = -1
        m.life[char] = 0
        m.hp[char] = 0
        m.ap[char] = 0
        m.debt[char] = 0
        m.acted[char] = 0
        m.deeds[char] = 0
        m.base_hp[char] = 0
        m.max_hp[char] = 0
        m.owner[char] = 0
        m.team[char] = 0
        m.markers[char] = 0
    for hero in range(HEROES):
        m.salvation[hero] = 0
        m.shuffles[hero] = 0
        m.deck_n[hero] = 0
        m.discard_n[hero] = 0
        m.hand_n[hero] = 0
        m.table_n[hero] = 0
        m.picked_n[hero] = 0
        m.final_hp[hero] = 0
        for k in range(KNOWLEDGES):
            m.knowledge[hero, k] = 0
            m.base_knowledge[hero, k] = 0
    m.limited = 0
    for row in range(CARDS + CHARS):
        m.rolls[row] = -1
    for card in range(CARDS):
        m.ident[card] = -1
        m.zone[card] = 0
        m.flags[card] = 0
        m.host[card] = -1
        m.canon[card] = card % COPIES
        m.used[card] = 0


@inner(void(M, P, int64, int64))
def seat_sheet_card(m, p, hero, card):
    """Puts a House, Class or Entity on the sheet and takes over its base values (A2.1 to A2.3, A3.3)."""
    ident = p.card[m.ident[card]]
    m.zone[card] = Zone.SHEET
    if ident.suit == Suit.Class and ident.path != Path.World:
        m.level[hero] += ident.level
    if ident.suit == Suit.Entity:
        m.flags[card] = Flag.FACE_DOWN
    if ident.suit == Suit.House:
        for a in range(ATTRIBUTES):
            m.base_attr[hero, a] = ident.attributes[a]
        for k in range(3):
            m.base_slots[hero, k] = ident.slots[k]


@inner(void(M, P, L, int64))
def seat_hero(m, p, lineup, hero):
    """Deals one hero of a lineup into a match."""
    m.level[hero] = 1
    seen = local_array(SEEN)  # few copies have an earlier one that must be looked for
    for slot in range(COPIES):
        card = hero * COPIES + slot
        m.ident[card] = lineup.cards[hero, slot]
        if m.ident[card] < 0:
            continue
        if slot < DECK_SLOT:
            seat_sheet_card(m, p, hero, card)
        else:
            m.zone[card] = Zone.DECK
            m.pile[hero, m.deck_n[hero]] = card
            m.deck_n[hero] += 1
        ident = int(m.ident[card])
        if seen[ident // 32] >> ident % 32 & 1 != 0:
            for other in range(slot):
                if m.ident[hero * COPIES + other] == ident:
                    m.canon[card] = other
                    break
        seen[ident // 32] = seen[ident // 32] | 1 << ident % 32
    prepare_hero(m, hero)
    m.order[m.order_n] = hero
    m.order_n += 1


@inner(void(P, M))
def clear_ledger(p, m):
    """Empties the ledger rows of the heroes of a match."""
    for card in range(int(m.heroes) * COPIES):
        row = p.ledger[card]
        row.ident = m.ident[card]
        row.shuffle_position = -1
        row.opening_hand = 0
        row.kept = 0
        row.drawn = 0
        row.drawn_turn = -1
        row.placed = 0
        row.placed_turn = -1
        row.activated = 0
        row.reacted = 0
        row.discarded_as_cost = 0
        row.dead_in_hand_turns = 0
        row.left_play_turn = -1
        row.usable = 0
        row.damage_caused = 0
        row.hp_removed = 0
        row.hp_healed = 0


@inner(void(M, P, L, SEEDS, int64))
def begin(m, p, lineup, seeds, row):
    """Deals a lineup into a match and opens its set-up.

    Args:
        seeds: int64 array (n, 5) of 32-bit keys: shuffle of seat A, of seat B, effects, bot A, bot B.
        row: row of `seeds` to use.
    """
    copy_format(m, lineup)
    clear_match(m)
    clear_rows(m)
    for k in range(5):
        m.seed[k] = seeds[row, k] & 0xFFFFFFFF
    for hero in range(int(m.heroes)):
        seat_hero(m, p, lineup, hero)
    m.log_on = 0
    p.log_n = 0
    clear_ledger(p, m)
    listen(m, p)
    push(m, Frame.SETUP)
    recompute(m, p)
    for hero in range(int(m.heroes)):
        mark_usable(m, p, hero)
        for card in range(hero * COPIES + DECK_SLOT, (hero + 1) * COPIES):
            p.ledger[card].usable = has_flag(m, card, Flag.USABLE)
