"""Records of the rules kernel: the match, the pool of cards, lineups and result rows.

Everything that decides the future of a match is inside MATCH, so copying a match is one assignment. POOL holds the cards
and, beside them, the two write-only records of the match being played (ledger and log), which decide nothing. Counts that
may exceed 32,767 are wider; everything else is int16.

Card copies are numbered hero * COPIES + slot: slots 0 to 4 are House, three Classes and Entity, slots 5 and up are the deck
list in its written order. Characters 0 to HEROES - 1 are the Heroes (even: team A, odd: team B), later rows are other pieces.
"""

from __future__ import annotations

import numba
import numpy as np

HEROES = 6
COPIES = 66  # card copies of one hero: 5 sheet cards, up to 60 deck cards, 1 created
DECK_SLOT = 5  # first deck slot of a hero
CARDS = HEROES * COPIES + 4  # four ownerless copies for scenario and trading post
CHARS = 48
TILES = 121
UNWRITTEN = -32768  # HP or AP that a written position leaves to the rules
SIDE = 11  # tile = y * SIDE + x on every board size
ATTRIBUTES = 7
KNOWLEDGES = 15
STACK = 64
REGS = 12
MODS = 48  # temporary modifiers at once
FURTHER_DUE = -1  # `acted`: had its turn this stint and will have a further one
FURTHER = 3  # `acted`: has, or had, a further turn
ALL_IN = 2
ACTIVE = 72  # Permanent effects in play at once
COUNTERS = 48
PAY = 12
MUSTER = 6

POOL_CARDS = 2048
POOL_EFFECTS = 4096
POOL_CODE = 131072
POOL_MODS = 4096
LOG_ROWS = 16384
OPTIONS = 512

FRAME = np.dtype(
    [
        ("kind", "i2"),  # codes.Frame
        ("step", "i2"),  # next step of this frame
        ("char", "i2"),  # acting character, -1 none
        ("card", "i2"),  # acting card copy, -1 none
        ("effect", "i2"),  # index into pool.effect, -1 the bare bar
        ("target", "i2"),  # target character, -1 none
        ("tile", "i2"),  # target tile, -1 none
        ("cause", "i2"),  # what caused it: card copy, or CARDS + character
        ("event", "i2"),  # event a window stands for
        ("flags", "i2"),
        ("pc", "i4"),  # position in pool.code
        ("reg", "i2", (REGS,)),  # meaning per frame kind
    ],
    align=True,
)

MOD = np.dtype(
    [
        ("mod", "i2"),  # index into pool.mod
        ("card", "i2"),  # copy that gave it
        ("owner", "i2"),  # hero that owns it
        ("char", "i2"),  # character it applies to, -1 as the modifier says
        ("value", "i2"),  # amount fixed when it was made
        ("until", "i2"),  # kind of end
        ("until_arg", "i2"),  # rounds left, or for the end of a next turn the turn it was made in
        ("until_char", "i2"),
    ],
    align=True,
)

MATCH = np.dtype(
    [
        # dice: one 32-bit key per stream (R0.10)
        ("seed", "i8", (5,)),
        ("listening", "i8"),  # bit per event that some card of the match hears; see also windows.DISCARD_USERS
        ("heard", "i8", (HEROES,)),  # the same of the copies of one Hero outside its deck
        ("passive", "i8"),  # bit per event that some Permanent effect of the match hears
        ("hearers", "i8", (HEROES, 2)),  # bit per copy whose card hears some event
        ("modifiers", "i8", (HEROES, 2)),  # bit per copy whose card has standing modifiers
        # the format, key by key of A1
        ("profile", "i2"),
        ("width", "i2"),
        ("height", "i2"),
        ("team_size", "i2"),
        ("heroes", "i2"),  # 2 * team_size
        ("opening_hand", "i2"),
        ("muster", "i2"),
        ("draw_per_turn", "i2"),
        ("stint_limit", "i2"),
        ("loot", "i2"),
        ("nested_reactions", "i2"),
        ("multi_response", "i2"),
        ("random_initiative", "i2"),
        ("reads", "i2"),  # bits of codes.Change that the modifiers of derived values read
        # time
        ("decisions", "i4"),
        ("actions", "i4"),  # completed turn actions and reactions
        ("options_sum", "i4"),  # legal options over all decisions
        ("stint", "i2"),
        ("turns", "i2"),  # turns begun in the match
        ("phase", "i2"),
        ("turn_char", "i2"),
        ("turn_actions", "i2"),  # turn actions taken this turn (A5.5)
        ("turn_spoiled", "i2"),  # 1 after a non-automatic action this turn (R6.5.4)
        ("order", "i1", (CHARS,)),  # initiative order of this stint
        ("order_n", "i2"),
        ("order_at", "i2"),
        ("first_char", "i2"),  # first in order of stint 1
        ("quiet_stints", "i2"),  # stints in a row without HP lost (A7.4)
        ("hp_lost_stint", "i2"),
        ("removed", "i4", (2,)),  # HP a team removed from enemies (A7.3)
        ("check_result", "i2"),  # of the last check
        ("check_difficulty", "i2"),
        ("final_hp", "i2", (HEROES,)),  # HP at the instant the match ended, before its clean-up
        ("lead", "i2"),  # sign of the last HP lead
        ("lead_changes", "i2"),
        # state of play
        ("outcome", "i2"),
        ("cause", "i2"),
        ("fault", "i2"),
        ("steps", "i4"),  # steps of frames since the last decision
        ("dirty", "i2"),  # bits of codes.Change since values were derived
        ("limited", "i2"),  # bit per Hero, and HEROES for nobody, whose copies may bear limits of a turn or stint
        ("touched", "i2"),  # bit per Hero whose own cards have moved since then (Change.MOVED)
        ("derived_by", "i8"),  # number of the modifiers that the derived values come from (see `derive`)
        ("log_on", "i2"),
        ("ledger_on", "i2"),
        ("mean_dice", "i2"),  # 1 in look-ahead copies: dice show their rounded mean
        ("forced_n", "i2"),  # natural faces still served from `forced` (scenarios)
        ("forced_at", "i2"),
        ("forced", "i1", (48,)),
        # question
        ("pending", "i2"),  # codes.Decision
        ("asked", "i2"),  # character asked
        ("ask_a", "i2"),
        ("ask_b", "i2"),
        # draft of one declaration
        ("d_char", "i2"),  # character that declares
        ("d_event", "i2"),  # window frame of a reaction, -1 in the own turn
        ("d_x", "i2"),  # chosen X, -1 not yet
        ("d_kind", "i2"),
        ("d_card", "i2"),
        ("d_effect", "i2"),
        ("d_target", "i2"),
        ("d_tile", "i2"),
        ("d_technique", "i2"),  # technique of the drafted activation, -1 none
        ("d_pay_n", "i2"),
        ("d_pay", "i2", (PAY,)),
        # resolution stack
        ("sp", "i2"),
        ("frame", FRAME, (STACK,)),
        # board
        ("altitude", "i1", (TILES,)),
        ("terrain", "i1", (TILES,)),
        ("piece", "i1", (TILES,)),  # character that fills the tile, -1 none
        # characters
        ("chars", "i2"),  # rows in use
        ("kind", "i1", (CHARS,)),
        ("team", "i1", (CHARS,)),
        ("owner", "i1", (CHARS,)),  # hero it belongs to
        ("body", "i2", (CHARS,)),  # its card copy, -1 none
        ("tile", "i2", (CHARS,)),  # -1 not on the board
        ("life", "i1", (CHARS,)),
        ("hp", "i2", (CHARS,)),
        ("max_hp", "i2", (CHARS,)),
        ("base_hp", "i2", (CHARS,)),  # maximum before modifiers
        ("ap", "i2", (CHARS,)),
        ("debt", "i2", (CHARS,)),
        ("acted", "i1", (CHARS,)),  # 1: had its turn this stint; see ALL_IN, FURTHER, FURTHER_DUE
        ("deeds", "i2", (CHARS,)),  # bits of this turn: 1 moved, 2 attacked; 4 skips its next turn, 8 fresh, 16 movable Object
        ("attr", "i2", (CHARS, ATTRIBUTES)),  # effective
        ("base_attr", "i2", (CHARS, ATTRIBUTES)),  # printed
        ("markers", "i8", (CHARS,)),  # bit per marker name
        # heroes
        ("level", "i2", (HEROES,)),
        ("salvation", "i2", (HEROES,)),  # bits: 1 Divine Salvation used (R14.5), 2 an Ultimatum activated (R22.3)
        # what the cards of a Hero's sheet and table give before modifiers: attributes, knowledges, slots, hand limit
        ("plain_attr", "i2", (HEROES, ATTRIBUTES)),
        ("plain_knowledge", "i2", (HEROES, KNOWLEDGES)),
        ("plain_slots", "i2", (HEROES, 3)),
        ("plain_limit", "i2", (HEROES,)),
        ("hand_limit", "i2", (HEROES,)),
        ("knowledge", "i2", (HEROES, KNOWLEDGES)),
        ("base_knowledge", "i2", (HEROES, KNOWLEDGES)),  # from outside the cards (positions)
        ("slots", "i2", (HEROES, 3)),  # equipment, memento, support
        ("slots_used", "i2", (HEROES, 3)),
        ("base_slots", "i2", (HEROES, 3)),
        ("needs", "i8", (HEROES,)),  # how it met the requirements of cards when they were last judged (see `derive`)
        ("specifiers", "i2", (HEROES,)),  # mask of specifiers in use
        ("lignum", "i2", (HEROES,)),  # Lignum cards on the table (R21.2)
        ("shuffles", "i2", (HEROES,)),
        # piles: deck from the left (top last), discard pile from the right; hold: hand from the left, table from the right
        ("pile", "i2", (HEROES, COPIES)),
        ("hold", "i2", (HEROES, COPIES)),
        ("deck_n", "i2", (HEROES,)),
        ("discard_n", "i2", (HEROES,)),
        ("hand_n", "i2", (HEROES,)),
        ("table_n", "i2", (HEROES,)),
        ("picked_n", "i2", (HEROES,)),  # muster picks (A3.7)
        ("picked", "i2", (HEROES, MUSTER)),
        ("scenario_n", "i2"),
        ("scenario", "i2", (16,)),  # longest in play first
        # card copies
        ("ident", "i2", (CARDS,)),  # index into pool.card, -1 empty row
        ("zone", "i1", (CARDS,)),
        ("flags", "i2", (CARDS,)),
        ("host", "i2", (CARDS,)),  # copy it is attached to, CARDS + piece it lies in, -1 none
        ("canon", "i1", (CARDS,)),  # slot of the first copy of the same card of this hero (see `zones.keeper_of`)
        ("used", "i2", (CARDS,)),  # limits: 5 effects x (battle, stint, turn)
        ("rolls", "i2", (CARDS + CHARS,)),  # rolls caused this turn, with the turn in the high bits
        # standing changes
        ("active", "i2"),  # Permanent effects in play
        ("active_card", "i2", (ACTIVE,)),
        ("active_effect", "i2", (ACTIVE,)),
        ("active_modifies", "i8", (ACTIVE,)),  # bits of opcodes.Q that each changes
        ("modified", "i8"),  # bit per quantity that some modifier changes
        ("lasting", "i8"),  # bit per quantity that some temporary modifier changes
        ("ruled", "i8"),  # bit per opcodes.Rule that some modifier sets
        ("mods", "i2"),
        ("modifier", MOD, (MODS,)),
        ("counters", "i2"),
        ("counter_card", "i2", (COUNTERS,)),
        ("counter_name", "i2", (COUNTERS,)),
        ("counter_n", "i2", (COUNTERS,)),
        ("unmet", "i2"),  # 1 when a table card may have lost its requirement (R3.7.5)
        ("chain", "i2"),  # effects that have begun since the last decision (R27.1)
    ],
    align=True,
)

CARD = np.dtype(
    [
        # what is asked at nearly every decision stands together
        ("traits", "i4"),  # bits of codes.Trait
        ("suit", "i2"),  # vocabulary.Suit
        ("level", "i2"),
        ("effect_first", "i2"),
        ("effect_n", "i2"),
        ("action", "i2"),  # AP cost of the activation bar
        ("least_ap", "i2"),  # AP that any activation in the own turn costs at least by its print
        ("least_energy", "i2"),  # the same of energy
        ("stamina", "i2"),
        ("mana", "i2"),
        ("essence", "i2"),
        ("colour", "i2"),
        ("has_damage", "i2"),
        ("bar_costs", "i4"),  # position of cost entries of its activation bar (ammunition), 0 none
        ("hears", "i8"),  # bits of opcodes.Ev that any of its effects hears
        ("modifies", "i8"),  # bits of opcodes.Q that any of its Permanent effects changes
        ("knowledges", "i4"),  # bit mask of required knowledges, any of them at `level`; bit Free for Free cards
        ("needs_attr", "i2"),  # attribute that a Hero needs for it, -1 none
        ("needs_value", "i2"),  # how much of it
        ("lignum", "i2"),
        ("afar", "i2"),  # 1: a Permanent effect counts in the hand, the discard pile or everywhere
        ("rarity", "i2"),
        ("value", "i4"),  # PRICE, or XP, WILL, FATE by level (R2.1.8)
        ("score", "i2"),
        ("grants", "i2", (3,)),  # Classes: knowledges that rise by one, -1 none
        ("attributes", "i2", (ATTRIBUTES,)),  # House and Companion base; Class and Entity bonus
        ("bonus", "i2", (ATTRIBUTES,)),  # attribute bonus of Items, Skills, Events
        ("slots", "i2", (3,)),  # equipment, memento, support slots given
        ("inventory", "i2"),  # inventory slots given
        ("damage_attr", "i2"),  # vocabulary.Attribute, -1 none
        ("damage_const", "i2"),
        ("dice_n", "i2"),
        ("dice_sides", "i2"),  # 2, 3, 6
        ("range_type", "i2"),
        ("range_attr", "i2"),  # -1 none
        ("range_const", "i2"),
        ("path", "i2"),
        ("order", "i2"),
        ("companion_type", "i2"),
        ("neutral", "i2"),  # 1 when `Formats` is empty (R2.1.7)
        ("technique_first", "i2"),
        ("technique_n", "i2"),
        ("live", "i2"),  # effects that matter in a battle
        ("inert", "i2"),  # of those, how many the kernel does not run (R27.6)
        ("tags", "i8", (4,)),  # bit per tag of the pool
    ],
    align=True,
)

EFFECT = np.dtype(
    [
        ("card", "i2"),  # index into pool.card
        ("index", "i2"),  # index on its card
        ("activation", "i2"),  # vocabulary.Activation
        ("technique", "i2"),  # index of its technique on the card, -1 none
        ("task", "i2"),  # vocabulary.Task
        ("limits", "i2"),  # bits of vocabulary.Limit
        ("scopes", "i2"),  # bits of vocabulary.Scope, 0 none
        ("optional", "i2"),  # 1: an Auto that the player may decline
        ("select", "i2"),  # opcodes.Select
        ("select_n", "i2"),  # how many are selected
        ("hears", "i8"),  # bits of opcodes.Ev; 0: declared in the own turn
        ("when", "i4"),  # value: does the heard event concern this effect? -1 always
        ("condition", "i4"),  # value: If and While requirements, -1 none
        ("costs", "i4"),  # position of the cost entries, -1 none
        ("x_max", "i4"),  # value: largest X that may be chosen, -1 no X
        ("filter", "i4"),  # value: which candidates may be selected, -1 any
        ("program", "i4"),  # position of the program, -1 none
        ("blast", "i4"),  # value: who stands in the blast of the attack this activation makes (R15.25), -1 none
        ("needs", "i2"),  # bits of opcodes.Need
        ("mod_first", "i2"),  # standing modifiers: of a Permanent, or of the attack this activation makes
        ("mod_n", "i2"),
        ("modifies", "i8"),  # bits of opcodes.Q that these change
        ("reads", "i2"),  # bits of codes.Change that its condition and modifiers read
    ],
    align=True,
)

TECHNIQUE = np.dtype(
    [
        ("card", "i2"),
        ("first", "i2"),  # row of the first technique of its card
        ("action", "i2"),
        ("has_damage", "i2"),
        ("damage_attr", "i2"),
        ("damage_const", "i2"),
        ("dice_n", "i2"),
        ("dice_sides", "i2"),
        ("range_type", "i2"),
        ("range_attr", "i2"),
        ("range_const", "i2"),
        ("requires_n", "i2"),
        ("requires", "i2", (6,)),  # code of a suit, knowledge, tag or material, see cards/pool.py
        ("effect", "i2"),  # index into pool.effect, -1 none
    ],
    align=True,
)

STANDING = np.dtype(
    [
        ("quantity", "i2"),  # opcodes.Q
        ("attribute", "i2"),  # sub-index of the quantity, -1 all
        ("mode", "i2"),  # opcodes.Mode
        ("on", "i4"),  # filter: whom it concerns (IT), or opcodes.Who
        ("by", "i4"),  # filter on the running attack, check or card (X.ATTACK_*, X.CHECK_*; IT_CARD a card), -1 any
        ("against", "i4"),  # filter on the other side (IT), -1 any
        ("condition", "i4"),  # value, -1 always
        ("amount", "i4"),  # value
        ("low", "i2"),  # result not below, -32768 none
        ("high", "i2"),  # result not above, 32767 none
        ("reads", "i2"),  # bits of codes.Change that it reads, a fixed amount left out
        ("keeps", "i4"),  # value: a temporary row of it ends for good once this is false (R6.8.5), -1 none
        ("bound", "i2"),  # 1: a temporary row of it ends when its card leaves play (R6.9.6)
    ],
    align=True,
)

LEDGER = np.dtype(
    [
        ("ident", "i2"),  # index into pool.card
        ("shuffle_position", "i2"),  # before the mulligan, 0 = first drawn; -1 for sheet cards
        ("opening_hand", "i2"),  # before the mulligan
        ("kept", "i2"),  # in hand after the mulligan
        ("drawn", "i2"),
        ("drawn_turn", "i2"),  # -1 never
        ("placed", "i2"),
        ("placed_turn", "i2"),
        ("activated", "i2"),
        ("reacted", "i2"),
        ("discarded_as_cost", "i2"),
        ("dead_in_hand_turns", "i2"),
        ("left_play_turn", "i2"),
        ("usable", "i2"),
        ("damage_caused", "i4"),
        ("hp_removed", "i4"),
        ("hp_healed", "i4"),
    ],
    align=True,
)

LOG = np.dtype([("kind", "i2"), ("arg", "i2", (7,))], align=True)

POOL = np.dtype(
    [
        ("cards", "i4"),
        ("effects", "i4"),
        ("techniques", "i4"),
        ("standings", "i4"),
        ("words", "i4"),
        ("card", CARD, (POOL_CARDS,)),
        ("effect", EFFECT, (POOL_EFFECTS,)),
        ("technique", TECHNIQUE, (POOL_EFFECTS,)),
        ("standing", STANDING, (POOL_MODS,)),
        ("code", "i4", (POOL_CODE,)),
        ("stack", "i8", (64,)),  # scratch of `values.value`; a pool record serves one thread
        ("ledger", LEDGER, (CARDS,)),
        ("tally", "i8", (4, 128)),  # see `tally`
        ("log_n", "i4"),
        ("log", LOG, (LOG_ROWS,)),
    ],
    align=True,
)

LINEUP = np.dtype(
    [
        ("profile", "i2"),
        ("width", "i2"),
        ("height", "i2"),
        ("team_size", "i2"),
        ("opening_hand", "i2"),
        ("muster", "i2"),
        ("draw_per_turn", "i2"),
        ("stint_limit", "i2"),
        ("loot", "i2"),
        ("nested_reactions", "i2"),
        ("multi_response", "i2"),
        ("random_initiative", "i2"),
        ("altitude", "i2", (TILES,)),  # index y * SIDE + x
        ("terrain", "i2", (TILES,)),
        ("cards", "i2", (HEROES, COPIES)),  # pool indices by slot (House, 3 Classes, Entity, deck), -1 empty
    ],
    align=True,
)

RESULT = np.dtype(
    [
        ("outcome", "i2"),  # codes.Outcome
        ("cause", "i2"),  # codes.Cause
        ("fault", "i2"),  # codes.Fault
        ("first_team", "i2"),  # 0 A, 1 B: team of the first turn of stint 1
        ("stints", "i2"),
        ("turns", "i2"),
        ("decisions", "i4"),
        ("actions", "i4"),
        ("hp_margin", "f8"),  # HP share of team A minus that of team B at the end
        ("lead_changes", "i2"),
        ("legal_options_sum", "i4"),
        ("state_hash", "i8"),
    ],
    align=True,
)

M = numba.from_dtype(MATCH)
P = numba.from_dtype(POOL)
L = numba.from_dtype(LINEUP)
MATCHES = numba.types.Array(M, 1, "C")
POOLS = numba.types.Array(P, 1, "C")
LINEUPS = numba.types.Array(L, 1, "C")
RESULTS = numba.types.Array(numba.from_dtype(RESULT), 1, "C")
LEDGERS = numba.types.Array(numba.from_dtype(LEDGER), 2, "C")
