"""Enumerations of the rules kernel: zones, phases, questions, frames, reasons, outcomes.

Values are stored in match records; names are what traces, explanations and tables print. Names that face users follow
ARENA.md (ACT_*, DEC_*) and the data contract (outcomes).
"""

from __future__ import annotations

from enum import IntEnum


class Zone(IntEnum):
    """Where a card copy is (R4). EQUIPMENT to SHEET together are the table."""

    NONE = 0
    DECK = 1
    HAND = 2
    EQUIPMENT = 3
    MEMENTO = 4
    SUPPORT = 5
    EXTRA = 6
    SHEET = 7
    DISCARD = 8
    SCENARIO = 9
    ATTACHED = 10
    LIMBO = 11
    BANISHED = 12
    RESOLVING = 13  # a hand card between its reveal and its discard (R7.1.2, R6.7.7)


BOTTOM = 100
"""Added to Zone.DECK where a card is sent: the bottom of the deck."""

OWN_AREA = 50
"""In place of a zone where a card is sent: the table area of its suit (R5.7)."""


BATTLE_LIMITS = (1 << 5) - 1
"""Bits of `used` that hold for the battle, one for each effect of a card; those of the stint and of the turn follow."""
STINT_LIMITS = BATTLE_LIMITS << 5


class Flag(IntEnum):
    """Bits of `flags` of a card copy."""

    EXHAUSTED = 1
    FACE_DOWN = 2
    REVEALED = 4
    USABLE = 8  # its owner meets its knowledge or level requirement now (R3.6.3 to R3.6.5)
    MUSTERED = 16  # chosen in secret during the muster, not yet shown (A3.7)
    SUMMONED = 32
    DIED = 64  # its piece may not return this battle (R14.4, R19.9)
    LIMIT_AWAKENED = 128  # awakened this turn (R20.5)
    LIMIT_SLEPT = 256  # put to sleep this turn (R20.5)
    BENEATH = 512  # lies under the card it evolved to (R19.8)
    EVOLVED = 1024  # has such a card beneath it
    LOOPED = 2048  # was activated by itself late in a long chain (R27.1)


class Change(IntEnum):
    """What has changed since values were last derived: bits of `dirty`, and what modifiers of derived values read (R12)."""

    CARDS = 1  # the sheet, the scenario, attachments, pieces, who lives: always felt, by everybody
    HAND = 2  # hands, decks and discard piles
    READY = 4  # cards exhausted or recovered
    HP = 8
    PIECES = 16  # where pieces stand
    MARKERS = 32
    COUNTERS = 64
    TURN = 128  # whose turn it is, and what was done in it
    MOVED = 256  # cards on the tables of the Heroes in `touched`: always felt by them
    EFFECTS = 512  # which standing effects and modifiers there are, and which events are heard


class Trait(IntEnum):
    """Bits of `traits` of a pool card: specifiers first (same values as `Specifier`), then texts the kernel must know."""

    HEADPIECE = 1
    VEST = 2
    FEET = 4
    ACCESSORY = 8
    UTILITY = 16
    SIMPLE = 32  # text SIMPLES: no knowledge needed
    SILLY = 64  # text TOLO: not on the Support
    MOUNT = 128  # text MONTARIA (R19.13)
    FROM_TABLE = 256  # an Event that may be placed (R2.8.3)
    ULTIMATUM = 512  # Skills with Action 9 (R22.9)
    COLLEGIUM = 1024  # level-3 Houses (R22.9)
    META = 2048  # text META
    ACTIVATABLE = 4096  # its bar has DMG, or an effect may be declared in the own turn
    ANYWHERE = 8192  # an effect counts or may be used in every zone (R6.6.1)
    FROM_DISCARD = 16384  # an effect may be used from a discard pile (R6.6.4, R6.6.1)
    FROM_TEAM = 32768  # an effect may be used by the owner's team (R6.6.5)
    NO_PIECE = 65536  # a Companion without a piece
    WEATHER = 131072  # text CLIMA, tag Weather (R23.5)
    UNIQUE_COPY = 262144  # a Hero has one of it on the table
    NO_DETACH = 524288  # cannot be detached
    FREE_ATTACH = 1048576  # attaching to it and detaching cost no AP


class CharKind(IntEnum):
    """What a row of the character table is."""

    NONE = 0
    HERO = 1
    COMPANION = 2
    DUMMY = 3
    OBJECT = 4
    CONTAINER = 5


class Life(IntEnum):
    """Life state of a character (R14)."""

    ALIVE = 0
    DEAD = 1
    KO = 2
    OVERKILL = 3
    GONE = 4  # piece removed from the board


class Phase(IntEnum):
    """Phases of a match (A3, R16)."""

    SETUP = 0
    RESET = 1
    DRAW = 2
    START = 3
    MAIN = 4
    END = 5
    OVER = 6


class Kind(IntEnum):
    """Turn actions; names are the ids of ARENA A5.1 without the prefix ACT_."""

    END_TURN = 0
    MOVE = 1
    NORMAL_ATTACK = 2
    USE_TABLE = 3
    USE_HAND = 4
    USE_SHEET = 5
    USE_SCENARIO = 6
    USE_TEAM = 7
    USE_DISCARD = 8
    TECHNIQUE = 9
    PLACE = 10
    WITHDRAW = 11
    AWAKEN = 12
    SLEEP = 13
    SUMMON = 14
    UNSUMMON = 15
    REST = 16
    ATTACH = 17
    DETACH = 18
    EVOLVE = 19
    LOOT = 20
    PUSH = 21
    COLLEGIUM = 22
    DROP_EXTRA = 23
    CONCEDE = 24
    REACT = 25  # a reaction or automatic effect; never a turn action
    UPKEEP = 26  # the upkeep of an Entity; never a turn action


class Decision(IntEnum):
    """Questions the kernel asks; TURN, CARD are the steps of a turn action, the rest are DEC_* of ARENA A5.2."""

    NONE = 0
    TURN = 1
    CARD = 2
    EFFECT = 3
    TARGET = 4
    TILE = 5
    PAY_ENERGY = 6
    CHANGE = 7
    PAY_CARDS = 8
    UPKEEP = 9
    SALVATION = 10
    CHECK_XP = 11
    CHECK_FATE = 12
    CHECK_WILL = 13
    OVERFLOW = 14
    ORDER = 15
    MULLIGAN = 16
    MUSTER = 17
    PLACE_HERO = 18
    NUMBER = 19
    MAY = 20
    REACT = 21
    RECOVER = 22  # which exhausted Skills to recover (R7.5.7)
    PICK = 23  # a card for a step of an effect (DEC_TARGET of cards)
    CHOOSE = 24  # one option of a list (DEC_EFFECT)
    WALK = 25  # the next tile of a movement (DEC_TILE)


class Act(IntEnum):
    """First code of each block of the action space; see docs/actions.md."""

    KIND = 0
    CARD = 32
    TILE = 192
    CHAR = 313
    NUMBER = 361
    OPTION = 394
    YES = 410
    NO = 411
    PASS = 412
    PAGE = 413
    SIZE = 414


class Frame(IntEnum):
    """Kinds of frames on the resolution stack."""

    NONE = 0
    SETUP = 1
    STINT = 2
    TURN = 3
    ACTIVATION = 4
    ATTACK = 5
    DEATH = 6
    OVERFLOW = 7
    SALVATION = 8
    RECOVER = 9
    WINDOW = 10
    PROGRAM = 11
    PAY = 12
    CHANGE = 13
    CHECK = 14
    HURT = 15
    FINALE = 16  # the battle is over, End of Battle effects run
    MOVING = 17  # a card is about to be discarded
    EVOLVE = 18


class Reason(IntEnum):
    """Why an action is not legal, in the order of ARENA A6; the sentence and rule id are in `env/explain.py`."""

    LEGAL = 0
    NO_SUCH = 1  # no such object, or an action this build does not know
    NOT_YOUR_TURN = 2
    NOT_ASKED = 3
    DEAD = 4
    WRONG_ZONE = 5
    HIDDEN = 6
    KNOWLEDGE = 7
    HERO_LEVEL = 8
    ALL_IN_SPOILED = 9
    AP = 10
    DEBT = 11
    ENERGY = 12
    NO_TARGET = 13
    OWN_AGENT = 14
    RANGE_DIRECT = 15
    RANGE_ARCING = 16
    TRAJECTORY = 17
    HEIGHT = 18
    SLOT = 19
    SPECIFIER = 20
    ACCESS = 21
    HAND_FULL = 22
    NOT_READY = 23
    INCOMPLETE = 24
    NOT_ADJACENT = 25
    TILE_STATE = 26
    TERRAIN = 27
    OCCUPIED = 28
    NO_EXIT = 29
    SHARING = 30
    INERT = 32
    WRONG_SUIT = 33
    NOTHING_TO_GAIN = 34
    SILLY = 35
    ONCE_TURN = 36
    ONCE_STINT = 37
    ONCE_BATTLE = 38
    YOUR_TURN_ONLY = 39
    REQUIREMENT = 40
    CONDITION = 41
    LOOKAHEAD = 42
    TASK = 43
    ALREADY_AWAKE = 44
    ALREADY_ASLEEP = 45
    AWAKE_SLEEP_TURN = 46
    ATTACHMENTS_FULL = 47
    LOCKED = 48
    SUMMON_DIED = 49
    ON_STACK = 50
    FORMAT = 51
    UNTARGETABLE = 52
    RULE = 53
    WINDOW = 54
    ULTIMATUM = 55
    FIXED = 56


class Outcome(IntEnum):
    """Result of a match (data contract)."""

    RUNNING = 0
    WIN_A = 1
    WIN_B = 2
    DRAW = 3
    LOOP = 4
    CAP = 5
    TIMEOUT = 6
    CRASH = 7


class Cause(IntEnum):
    """What ended the match (A7)."""

    NONE = 0
    ELIMINATION = 1
    STINT_LIMIT = 2
    NO_PROGRESS = 3
    CONCESSION = 4
    LOOP = 5
    DECISION_CAP = 6
    ERROR = 7
    EFFECT = 8


class Fault(IntEnum):
    """Error codes a kernel sets in the match; a match with one is over and reported as crash."""

    NONE = 0
    STACK_OVERFLOW = 1
    UNKNOWN_FRAME = 2
    UNKNOWN_OPCODE = 3
    ZONE_FULL = 4
    ILLEGAL_ACTION = 5
    NO_OPTION = 6
    DICE_RAN_OUT = 8


class Stream(IntEnum):
    """Purposes of the dice streams (R0.10); shuffle and bot streams belong to the seat."""

    SHUFFLE_A = 0
    SHUFFLE_B = 1
    EFFECT = 2
    BOT_A = 3
    BOT_B = 4


class Bot(IntEnum):
    """Bots that play inside the kernel."""

    EXTERNAL = 0
    RANDOM = 1
    GREEDY = 2
    SEARCH = 3


class Log(IntEnum):
    """Public and private happenings written to the event log."""

    STINT = 0
    TURN = 1
    ACTION = 2
    MOVE_PIECE = 3
    MOVE_CARD = 4
    ATTACK = 5
    ROLL = 6
    DAMAGE = 7
    HP = 8
    DEATH = 9
    SALVATION = 10
    EXHAUST = 11
    RECOVER = 12
    END = 13
    MARKER = 15
    COUNTER = 16
    CHECK = 17
    LOOP = 18
    MULLIGAN = 19
    ACTIVATE = 20
    NEGATED = 21
