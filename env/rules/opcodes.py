"""The instruction set of compiled effects: values, programs, costs, events, quantities.

`env/cards/compile_effects.py` writes it, the kernel runs it. Everything lives in `pool.code`, an int32 array.

*Values* are postfix code of two words per item, ended by (X.END, 0); the result is the top of the stack. The first word is
the item's X with the number of values it takes in the bits from ARITY_BIT on, the second its operand.
Characters, card copies and tiles are numbers; -1 is none. Truth is 0 or 1. A *filter* is a value that is read once per
candidate, with IT (a character or tile) or IT_CARD (a card copy) as the candidate.

*Programs* are instructions of WIDTH words: (Op, a, b, c, d, e, f, g). An operand is the position of a value in `pool.code`
(-1: absent) unless the table says `immediate`. Jumps are positions in `pool.code`.
"""

from __future__ import annotations

from enum import IntEnum

WIDTH = 8  # words of an instruction
ARITY_BIT = 8  # first bit of an item's word that tells how many values it takes
OWN_BIT = 14  # places of a card: a bit per zone, then one for cards of your Hero, one for others, and one per suit
OTHER_BIT = 15
SUIT_BIT = 16
EVERYWHERE = (1 << 23) - 1
COST_WIDTH = 4  # words of a cost entry: kind, amount, filter, extra


class X(IntEnum):
    """Items of a value. Operand in brackets; `pops` says how many values it takes from the stack."""

    END = 0
    PUSH = 1  # [number]
    ADD = 2  # pops 2
    SUB = 3
    MUL = 4
    DIV = 5  # floors
    MIN = 6
    MAX = 7
    NEG = 8  # pops 1
    EQ = 9  # pops 2
    NE = 10
    LT = 11
    LE = 12
    GT = 13
    GE = 14
    AND = 15
    OR = 16
    NOT = 17  # pops 1
    SKIP = 18  # [items] if the top is 0, leaves it and passes over so many items: the rest of an AND
    ZONES = 19  # [places, see OWN_BIT] at the head of a value only: 0 unless the candidate card is in one of the places
    # characters
    SELF = 20  # "you": the owner Hero, or the activator of a From Team Member or scenario card
    HOST = 21  # the Hero that owns the card
    THIS_CHAR = 22  # the Companion whose card this is
    TARGET = 23  # the character selected by this activation
    IT = 24  # the candidate of a filter, or the character of a for_each
    EVENT_WHO = 25  # the character the event happened to or by: attacker, activator, victim, checker, mover
    EVENT_OTHER = 26  # its counterpart: defender of an attack, source of damage
    TURN_CHAR = 27
    NEAREST_ALLY = 28
    OWNER_OF = 29  # pops a character, gives its Hero
    # about a character (pops 1 unless said)
    ATTR = 30  # [attribute]
    KNOW = 31  # [knowledge]
    HP = 32
    HP_MAX = 33
    AP = 34
    CHAR_LEVEL = 35
    IS_ENEMY = 36  # of you
    IS_TEAM = 37  # of your team, you included
    IS_HERO = 38
    IS_COMPANION = 39
    COMPANION_TYPE = 40  # vocabulary.CompanionType, 0 for Heroes
    ALIVE = 41
    DEAD = 42
    ON_BOARD = 43
    HAS_MARKER = 44  # [marker]
    CHAR_TAG = 45  # [tag bit] Hero tags (R3.7.10) or the Companion card's
    ENTITY_AWAKE = 46
    HAS_PATH = 47  # [path] of a Hero's Classes or the Companion
    HAND_COUNT = 48
    DISTANCE = 49  # pops 2: R15.16
    TILE_DISTANCE = 50  # pops 2
    ALTITUDE = 51
    TERRAIN = 52
    MOVED = 53  # moved this turn
    ATTACKED = 54  # made an attack this turn
    IN_TURN = 55  # 1 if it is this character's turn
    FREE_SLOTS = 56  # [area 0 equipment, 1 memento, 2 support]
    ADJACENT = 59  # pops 2 characters
    IS_ATTACKED = 85  # pops a character: the running attack is against it, areas included
    FROM_TILE = 86  # pops a tile and a character: tile distance between them
    # cards
    THIS = 60  # the card of the effect
    IT_CARD = 61
    EVENT_CARD = 62
    BOUND = 63  # the card bound by the last PICK
    BODY = 64  # pops a character, gives its card
    C_SUIT = 65  # pops a card
    C_LEVEL = 66
    C_VALUE = 67
    C_ACTION = 68
    C_COUNTERS = 69  # [counter name]
    C_TAG = 70  # [tag bit]
    C_KNOWLEDGE = 71  # [knowledge]
    C_ZONE = 72
    C_EXHAUSTED = 73
    C_OWNER = 74
    C_IDENT = 75
    C_LIGNUM = 76
    C_PATH = 77
    C_HAS_DAMAGE = 78
    C_TYPE = 79  # companion type
    C_TRAIT = 80  # [mask]
    C_RANGE = 81  # range type
    C_HOST = 82
    C_ORDER = 83
    C_ENERGY = 84  # [mask 1 stamina, 2 mana, 4 essence]
    # events, attacks, results
    EVENT_FROM = 89  # [zone] the card of the event came from that zone
    EVENT_IS = 90  # [Ev] 1 if the event is of that kind
    EVENT_DAMAGE = 91
    EVENT_INJURY = 92
    EVENT_AMOUNT = 93
    EVENT_BY_COST = 94  # the movement was a cost or task
    EVENT_CAUSE = 95  # card copy that caused it
    ATTACK_TAG = 96  # [tag bit] of the running attack (its card's tags)
    ATTACK_NORMAL = 97
    ATTACK_SUIT = 98  # suit of its card, -1 Normal Attack
    ATTACK_KNOWLEDGE = 99  # [knowledge]
    ATTACK_ATTR = 100  # damage attribute of its card
    ATTACK_RANGE = 101  # range type
    ATTACK_CARD = 102
    ATTACK_CRITICAL = 103
    ATTACK_TECHNIQUE = 104  # [1 + technique of its card, 0 any]
    ATTACK_AGENT = 105
    ATTACK_TARGET = 106
    ROLL_TOTAL = 107
    ROLL_MAIN = 108  # natural face of the main die
    LAST_DAMAGE = 109
    LAST_INJURY = 110
    LAST_HP = 111
    LAST_COUNT = 112  # cards or counters the last instruction moved
    AMOUNT_X = 113  # the chosen X
    MARGIN = 114  # result minus difficulty of the last check
    STINT = 115
    DICE = 116  # [count * 8 + sides] rolls dice for this card
    CHECK_KNOWLEDGE = 117  # [knowledge] the running check names it
    CHECK_ATTR = 118  # [attribute]
    RARE = 120  # [Rare + operand * 64] what few cards ask, see `rare_reads.read_rare`
    RARE_ONE = 121  # pops a character or card
    # counts
    COUNT_CHARS = 130  # [filter position]
    COUNT_CARDS = 131  # [filter position] over the copies outside decks; combine C_ZONE and C_OWNER in the filter
    SUM_VALUE = 132  # [filter position] sum of card values
    COUNT_ALL = 133  # [filter position] over all copies, decks included


TAKES_TWO = (
    *range(X.ADD, X.NEG), *range(X.EQ, X.NOT), X.DISTANCE, X.TILE_DISTANCE, X.ADJACENT, X.FROM_TILE,
)  # fmt: skip
TAKES_ONE = (
    X.NEG, X.NOT, X.OWNER_OF, *(op for op in range(X.ATTR, X.FREE_SLOTS + 1) if op not in TAKES_TWO),
    *range(X.BODY, X.FROM_TILE),
)  # fmt: skip


class Rare(IntEnum):
    """What X.RARE and X.RARE_ONE read. Operand in brackets."""

    REACH = 0  # range of the running attack, else of the technique or card of the effect
    ON_LINE = 1  # one: the character stands in the direction from this agent to the target, within reach
    LACKED = 2  # the running check names a knowledge that the checker lacks
    DIFFICULTY = 3  # of the running check
    NOT_REROLLED = 4  # the running check was not rolled again yet
    UNLOCKED = 5  # [technique] a technique of this card is unlocked
    SLOT_FREE = 6  # one: nothing in the Hero's Entity slot
    ENTITY_LEVEL = 7  # one: level of the Hero's Entity, 0 none
    NEAR_TERRAIN = 8  # one, [terrain]: a tile next to the character has the terrain
    FOUGHT = 9  # one: the character has attacked in this battle
    FLAG = 10  # one, [codes.Flag]: the copy has the flag
    RARITY = 11  # one: of a card
    ANY_COUNTER = 14  # one: the copy has some counter
    ANY_MARKER = 15  # one: the character has some marker
    TECHNIQUE_AP = 16  # [technique] AP of a technique of this card
    AWAITED = 17  # one, [number]: a later effect of this card awaits the character
    CONNECTED = 18  # one: a chain of adjacent pieces leads from the target to the character
    TILE_OF = 19  # one: the tile of a character
    LINKED = 20  # one: this card is tied to the tile where the character is
    BAR_ROLL = 21  # rolls the DMG of this card in the hands of the agent
    HURT_BEFORE = 22  # HP that the victim of this event lost in the running attack
    CREATED = 23  # the first piece on the board that this card has created
    STINTS_DEAD = 24  # one: stints since the death of a character
    DEED = 25  # one, [bit of `deeds`]
    CHECK_LEVEL = 26  # level of the running check, else of the last (R11.6, R11.7)
    OBSTRUCTED = 27  # a piece stands between the agent of the running attack and its target
    COUNTERS_OF = 28  # one, [counter]: counters on the table and sheet cards of a Hero, on the card of a Companion
    BAR_ATTR = 30  # one, [attribute]: the DMG of a card's bar is of the attribute
    PRINTED_ATTR = 31  # one, [attribute]: what a card prints
    CARD_ROLL = 32  # one, [times its dice]: rolls the DMG of a card in the hands of the agent
    DEPTH = 33  # one: how many cards lie above a copy in its deck, 999 for one that is in none
    SLOTS = 34  # one, [area 0 equipment, 1 memento, 2 support]: slots of a Hero
    FREE_AROUND = 35  # one, [1: the tile where you stand left out]: every tile next to the character is empty
    FURTHER_TURN = 37  # one: 1 in a further turn of the stint, 2 if a further one is due (R6.4.19, R6.4.20)
    MADE = 36  # one: the character is an object on the board that this card has placed
    IN_SIGHT = 38  # one, [1: from the Companion whose card this is]: nothing stops a direct shot at the character (R15.22)
    LIGNUM_OF = 39  # one: lignum of the card of a Companion, or of the card that created the piece
    COUNTERS_NEAR = 40  # one, [counter]: as COUNTERS_OF, those of teammates on adjacent tiles added
    TEAM_COPY = 41  # one: another Hero of your team has a copy of the card in its hand or on its table
    PAID_FATE = 42  # FATE was discarded in the running check


OPERAND = 64  # unit of an operand of X.RARE


def item_word(op: int) -> int:
    """Returns the first word of a value's item."""
    return int(op) | (2 if op in TAKES_TWO else 1 if op in TAKES_ONE else 0) << ARITY_BIT


class Ev(IntEnum):
    """Events that effects hear; bit numbers of `effect.hears`."""

    ATTACK = 0  # declared: who = agent, other = intended target
    ACTIVATED = 1  # a card was activated and paid: who = activator, card
    SELECTED = 2  # formally selected: who = target, other = agent
    ROLL_BEFORE = 3
    ROLL_AFTER = 4
    DAMAGE_BEFORE = 5  # who = victim, other = source
    DAMAGE_AFTER = 6
    INJURY_BEFORE = 7
    INJURY_AFTER = 8
    HP_BEFORE = 9
    HP_AFTER = 10
    DEATH_BEFORE = 11
    DEATH_AFTER = 12
    ATTACK_END = 13  # who = agent, other = target
    CHECK_BEFORE = 14  # who = checker
    CHECK_AFTER = 15
    TURN_START = 16
    START_PHASE = 17  # moments of phases: not contested (R8.7)
    END_PHASE = 18
    RESET_PHASE = 19
    BATTLE_START = 20
    BATTLE_END = 21
    ROUND_END = 22
    ENTER_TILE = 23
    SPEND = 24
    COUNTER_REMOVED = 25
    PLAY = 26  # movements of the card itself or of event card
    EXIT = 27
    OBTAIN = 28
    REVEAL = 29
    CONCEAL = 30
    EXHAUST = 31
    RECOVER = 32
    DISCARD = 33
    BURY = 34
    BANISH = 35
    DISCARD_BEFORE = 36
    REST = 37  # who = the one that rested
    SALVATION = 38  # who = the Hero that was saved
    RESOLVED = 39  # an activation has resolved: who = activator, other = target, card


HURT_EVENTS = 63 << Ev.DAMAGE_BEFORE  # what a victim suffers, from DAMAGE_BEFORE to HP_AFTER
OWN_MOVES = ((1 << (Ev.DISCARD_BEFORE - Ev.PLAY)) - 1) << Ev.PLAY  # what a card hears of its own movements
PHASE_EVENTS = (1 << 17) | (1 << 18) | (1 << 19) | (1 << 20) | (1 << 21) | (1 << 22)


class Op(IntEnum):
    """Instructions. a .. g are operands; characters and cards are values."""

    END = 0
    JUMP = 1  # a position (immediate)
    JUMP_IF_NOT = 2  # a condition, b position (immediate)
    MAY = 3  # a position to go to on no (immediate), b who decides (-1 you)
    CHOOSE = 4  # a number of options (immediate, 2 to 16), b position of a list of their positions (immediate), c who decides
    FOR_CHARS = 5  # a filter, b position after the loop (immediate): runs the body once for each, IT = character
    FOR_CARDS = 6  # a filter, b position after the loop (immediate): BOUND = card
    NEXT = 7  # a position of its FOR_ or REPEAT (immediate)
    REPEAT = 8  # a count, b position after the loop (immediate)
    HEAL = 10  # a who, b amount, c cap in HP
    LOSE_HP = 11  # a who, b amount
    GAIN_AP = 12  # a who, b amount
    LOSE_AP = 13  # a who, b amount
    RECOVER_ENERGY = 14  # a hero, b amount, c mask 1 stamina 2 mana 4 essence, 8 * (1 + colour) + 4 of one colour (immediate)
    SPEND_ENERGY = 15  # a hero, b amount, c mask, d position if it cannot (-1: takes what there is), e 1 counts what is missing
    DAMAGE = 16  # a who, b amount (R13.9)
    INJURY = 17  # a who, b amount (R13.8)
    SPLASH = 18  # a filter: the running attack's DMG to each character that passes, IT = candidate
    MARKER_ADD = 20  # a who, b marker (immediate), c Until (immediate), d its rounds (immediate)
    MARKER_REMOVE = 21  # a who, b marker (immediate, -1 all)
    COUNTER_ADD = 22  # a card, b name (immediate), c amount
    COUNTER_REMOVE = 23  # a card, b name (immediate), c amount (-1: all)
    MOVE = 24  # a card, b zone (immediate; see `codes.BOTTOM`)
    PICK = 25  # a filter of copies, b who chooses; immediates: c optional, d position if none, e after a pick, f due
    DRAW = 26  # a hero, b amount
    SHUFFLE = 27  # a hero
    EXHAUST = 28  # a card
    RECOVER = 29  # a card
    ATTACH = 30  # a card, b host card
    REVEAL = 31  # a card
    MOD = 35  # a standing modifier (immediate), b who (-1: as its `on` says), c Until, d rounds (immediate) or e, f its card
    CHECK = 40  # a who, b attribute (immediate, -1), c knowledge (immediate, -1), d difficulty, e position on failure
    CONTEST = 41  # a who, b attribute (immediate), c other, d its attribute (immediate), e position unless a wins, f bonus of a
    ROLLING = 45  # a who (-1 you): is about to roll for this effect (R6.4.15)
    ROLL = 42  # a count (immediate), b sides (immediate), c random (immediate)
    REROLL = 43  # the running roll again; a 1 the better result stays (immediate)
    ADD_ROLL = 44  # a amount added to the running roll, check or attack
    NEGATE = 50  # a Negate (immediate)
    REDIRECT = 51  # a new target of the running attack or damage
    WALK = 55  # a who, b steps at most, c 1 free of altitude (immediate), d who decides, e 1 must (immediate), f 1 straight on
    PUSH = 56  # a who, b tiles, c 1 pull (immediate)
    PUT = 57  # a who, b tile value
    PUT_CHOSEN = 85  # a who, b filter over empty tiles (IT), c who decides
    SWAP = 58  # a who, b who
    REMOVE_PIECE = 59  # a who
    SUMMON_PIECE = 60  # a sheet: number of a pool card that stands in no deck (immediate), b tile
    AWAKEN = 61  # a hero
    SLEEP = 62  # a hero
    SKIP_TURN = 63  # a who
    END_TURN = 64  # a who
    REVIVE = 65  # a who, b HP
    SAVE = 66  # a who, b HP: instead of dying
    END_BATTLE = 68  # a winner team value, 2 draw
    USE_CARD = 69  # a card, b 1 without its AP (immediate): its owner activates it now, if it may
    TILE_ALTITUDE = 70  # a tile value, b amount
    TILE_TERRAIN = 71  # a tile value, b terrain (immediate), c Until (immediate), d rounds (immediate)
    KEEP = 72  # a amount, kept in the register of counts
    FIND_TOP = 73  # a filter over copies, b hero, c position if none (immediate): binds the copy nearest to the deck's top
    SWAP_CARD = 74  # a card, b the card that takes its place, c 1 keeps attachments and counters (immediate)
    PICK_CHAR = 75  # a filter over characters, b who chooses (-1 you), c optional (immediate)
    MARKER_CHOOSE = 76  # a who, b who chooses (-1 you): removes one marker of his choice
    COUNTER_CHOOSE = 77  # a card, b who chooses (-1 you): removes one counter of a name of his choice
    SET_RESULT = 78  # a 1 success, 0 failure, 2 double, 3 a failure of the first level (immediate)
    REMOVE_MODS = 79  # a who: ends the temporary modifiers on him
    EXTRA_TURN = 80  # a who: acts next, once more if it has had its turn
    PLACE = 81  # a card, b zone code (immediate): onto the table in a named area, a Companion with its piece
    HOLD = 82  # a tile, b Until, c rounds (immediate): ties this card to it
    REMOVE_SPAWNED = 86  # the pieces that this card has created
    DELAY = 87  # a who, b number of a later effect (immediate), c Until (immediate), d rounds (immediate): it awaits him
    GIVE = 88  # a card, b hero, c zone (immediate): it becomes a card of his there, and is bound
    CONTROL = 89  # a who, b hero, c Until (immediate), d rounds (immediate): it is controlled by the hero
    OBJECT = 90  # a HP, b filter over empty tiles (IT), c 1 on each of them, 0 on one that you choose (immediate)
    PICK_TILE = 92  # a filter over tiles (IT), b who chooses (-1 you): binds the tile
    SET_FACE = 91  # a natural face (immediate) that the main die of the running roll is going to show
    MOVE_COUNTER = 84  # a card, b card, c name (immediate), d amount
    REFILL = 93  # a hero: its empty deck is refilled from its discard pile, before a card of the deck is discarded (R24.2)


class Negate(IntEnum):
    """What NEGATE stops (R8.8)."""

    ACTIVATION = 0
    ATTACK = 1
    DAMAGE = 2
    INJURY = 3
    EFFECT = 4
    MOVE = 5


class Need(IntEnum):
    """Bits of `effect.needs`: what an effect needs beside its requirements."""

    REVIVABLE = 1  # its target can be revived (R14.6)
    NEGATABLE = 2  # what it answers can be negated: it does nothing else (R6.5.6)
    OF_TARGET = 4  # it picks among the cards of its target (R7.7.1)
    CLEANS = 16  # in a phase it only adds or removes markers and counters (R16.6)
    PAYS = 32  # in a phase it demands a payment (R16.6, R16.8)
    OF_YOU = 64  # it speaks of you: in the scenario of each character concerned (R23.4)
    NO_ATTACK = 8  # its card has DMG without a range, and its text selects nobody to attack (R15.21)


class Cost(IntEnum):
    """Kinds of cost entries (R6.8.1): (kind, amount, filter, extra)."""

    END = 0
    AP = 1
    HP = 2
    ENERGY = 3  # extra: mask 1 stamina, 2 mana, 4 essence
    DISCARD = 4  # amount hand cards passing the filter (IT_CARD); extra: 1 table cards too
    BURY = 5
    BANISH = 6
    CURRENCY = 7  # extra: suit
    COUNTER = 8  # extra: name, from this card
    EXHAUST = 9  # amount ready cards passing the filter
    MARKER = 10  # extra: marker of yours that is removed
    REVEAL = 11
    RETURN = 12  # table cards passing the filter go to the hand
    ATTACHED = 13  # cards attached to this card and passing the filter are discarded
    COUNTER_OF = 14  # extra: name, one by one from cards passing the filter
    HP_PIECE = 15  # HP of the Companion whose card this is
    TABLE_DISCARD = 16  # table cards passing the filter are discarded
    TABLE_BURY = 17  # table cards passing the filter are buried
    AP_PIECE = 19  # AP of the Companion whose card this is
    THIS_COUNTERS = 18  # extra: name, all of them from this card; X is how many


class Select(IntEnum):
    """What an effect selects."""

    NONE = 0
    CHAR = 1
    TILE = 2
    CARD = 3


class Until(IntEnum):
    """Ends of temporary modifiers and markers (R6.9)."""

    BATTLE = 0
    TURN = 1  # end of the running turn
    STINT = 2
    YOUR_NEXT_START = 3
    YOUR_NEXT_END = 4
    TARGET_NEXT_START = 5
    TARGET_NEXT_END = 6
    ATTACK = 7  # the running attack
    CHECK = 8  # the running check or roll
    ROUNDS = 9  # counted Reset Phases
    IN_PLAY = 10  # while the card is in play
    MARKER = 11  # while the character has the marker in `until_arg`
    COUNTER = 12  # while the card has counters of the name in `until_arg`


class Who(IntEnum):
    """Whom a standing modifier concerns where `on` is no filter: the commonest ones need none."""

    YOU = -1
    HOST = -2  # the Hero that owns the card
    THIS_CHAR = -3  # the Companion whose card this is


class Mode(IntEnum):
    """How a modifier changes a quantity (R12.4)."""

    SET = 0
    ADD = 1
    MUL = 2
    DIV = 3


class Q(IntEnum):
    """Quantities (DSL section 7); `attribute` of a modifier is the sub-index."""

    ATTR = 0  # attribute, -1 all
    KNOWLEDGE = 1
    HP_MAX = 2
    SLOTS = 3  # 0 equipment, 1 memento, 2 support, 3 inventory, 4 attachment
    ATTACK_BONUS = 4  # DMG of attacks, attacker's side
    ATTACK_MULTIPLIER = 5
    ATTACK_DICE = 6  # dice lent to attacks, see `dice.lent_dice`
    DAMAGE_TAKEN = 7
    INJURY_DEALT = 8
    INJURY_TAKEN = 9
    INJURY_CAP = 10
    CHECK_BONUS = 11
    CHECK_DIFFICULTY = 12
    CHECK_FLOOR = 13
    ROLL_BONUS = 14  # of rolls that effects make outside checks and attacks
    HEAL_DONE = 15
    HEAL_RECEIVED = 16
    RECOVER_AMOUNT = 17
    RANGE = 18
    COST_AP = 19  # of a card
    COST_STAMINA = 20
    COST_MANA = 21
    COST_ESSENCE = 22
    COST_TABLE = 23  # placing and withdrawing
    COST_MOVE = 24
    COST_ALTITUDE = 25
    COST_DOMAIN = 26
    COST_SUMMON = 27
    COST_UPKEEP = 28
    AP_TURN = 29  # AP gained in the Reset Phase
    REQUIRE_KNOWLEDGE = 30  # level needed of a card; SET 0 waives
    VALUE = 31  # card value
    NORMAL_DAMAGE = 32
    NORMAL_AP = 33
    RULE = 34  # attribute: Rule
    CONTEST_BONUS = 35
    DAMAGE_DEALT = 36  # DMG of attacks and of effects
    SALVATION = 37
    CRITICAL = 38  # natural face from which a roll is perfect
    NORMAL_DICE = 39  # dice of Normal Attacks: count * 8 + sides
    VALUE_AS = 40  # attribute: suit as whose currency a card counts too
    LEAST_ATTR = 41  # every attribute is at least this
    BEST_ATTR = 42  # added to the highest attributes
    ENTITY_ATTR = 43  # added to the attributes that an awake Entity raises
    DAMAGE_ATTR = 44  # attribute of an attack's DMG
    RANGE_TYPE = 45  # of a card
    CHECK_KNOWLEDGE = 46  # knowledge level that counts in a check
    HELD_KNOWLEDGE = 48  # added to each knowledge that a Hero has
    VALUE_IN_CHECKS = 47  # value of a card spent in a check
    MOVE_TO = 49  # where a card goes instead (attribute: the place it would go to, see `moves`)
    CHECK_DICE = 50  # dice lent to checks
    MARKER_BARRED = 51  # attribute: marker; 1 while a character cannot get it
    COST_ENTER = 52  # AP that characters of other teams pay to step into the domain area of a character


class Rule(IntEnum):
    """Sub-indices of Q.RULE: flags that a character or card has."""

    FLYING = 0
    AMPHIBIOUS = 1
    AQUATIC = 2
    CANNOT_MOVE = 3
    UNTARGETABLE = 4
    PASS_OVER = 5  # may step through tiles of characters of other teams and of Objects
    IMMUNE = 6
    IGNORE_DOMAIN = 7
    CANNOT_ACTIVATE = 8
    CANNOT_AWAKEN = 9
    NO_REVIVE = 11
    NO_SALVATION = 12
    NO_DOMAIN = 15
    SHARE_TILE = 18
    KNOCKED_OUT = 19
    DIE_AT_OVERKILL = 20
    NO_RESPONSE = 22
    NO_NEGATION = 23
    UNTARGETABLE_ATTACK = 24  # by attacks only
    CANNOT_TARGET = 25  # of an agent: whom it may not select is the other side
    CANNOT_EQUIP = 26
    IN_REACH = 27  # the other side may select the character at any distance
    REVIVE_ONCE = 29
    CANNOT_TARGET_ATTACK = 28  # as CANNOT_TARGET, by attacks only
    NEGATED = 30  # of a card: its effects do nothing (R7.6.9)
