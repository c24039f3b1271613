"""Columns of an observation; docs/observations.md explains each one.

They are enumerations so that compiled code, the environments and the networks name a column instead of counting it. A
new column goes to the end of its table; any change gives observations another schema hash (`observe.schema_hash`).
"""

from __future__ import annotations

from enum import IntEnum

CARD_ROWS = 160
"""Rows of the card table, as many as the action space has card codes."""


class Sight(IntEnum):
    """How much a seat knows of a card copy (ARENA A8)."""

    UNSEEN = 0
    PRESENT = 1  # it lies there face down
    KNOWN = 2


class Side(IntEnum):
    """Whose something is, as the observing hero sees it."""

    SELF = 0
    TEAM = 1
    ENEMY = 2
    NOBODY = 3


class CardField(IntEnum):
    """Columns of the card table. From SUIT on they are the card's own values."""

    SIGHT = 0
    SIDE = 1
    HERO = 2
    CARD = 3
    ZONE = 4
    EXHAUSTED = 5
    FACE_DOWN = 6
    USABLE = 7
    SUMMONED = 8
    HOST = 9
    DRAFTED = 10
    USED = 11
    COUNTERS = 12
    SUIT = 13
    LEVEL = 14
    RARITY = 15
    ACTION = 16
    VALUE = 17
    SPECIFIERS = 18
    HAS_DAMAGE = 19
    DAMAGE_ATTRIBUTE = 20
    DAMAGE_CONSTANT = 21
    DICE = 22
    SIDES = 23
    DAMAGE = 24
    RANGE_TYPE = 25
    RANGE = 26
    STAMINA = 27
    MANA = 28
    ESSENCE = 29
    COLOUR = 30
    LIGNUM = 31
    EFFECTS = 32
    BONUS = 33  # seven columns, in the order of `vocabulary.Attribute`
    SLOTS = 40  # three columns: equipment, memento, support
    SIZE = 43


class CharField(IntEnum):
    """Columns of the character table."""

    SIDE = 0
    KIND = 1
    HERO = 2
    CARD = 3
    LIFE = 4
    HP = 5
    MAX_HP = 6
    AP = 7
    DEBT = 8
    ACTED = 9
    TURN = 10
    ORDER = 11
    X = 12
    Y = 13
    DISTANCE = 14
    LEVEL = 15
    HAND = 16
    DECK = 17
    DISCARD = 18
    TABLE = 19
    HAND_LIMIT = 20
    ENERGY = 21
    SAVED = 22
    FREE_SLOTS = 23  # three columns: equipment, memento, support
    ATTRIBUTES = 26  # seven columns
    KNOWLEDGES = 33  # fifteen columns
    MARKERS = 48  # five columns of thirteen bits
    SIZE = 53


class TileField(IntEnum):
    """Columns of the tile table."""

    OPEN = 0
    X = 1
    Y = 2
    TERRAIN = 3
    ALTITUDE = 4
    CHAR = 5
    SIDE = 6
    ACCESS = 7
    DISTANCE = 8
    SIZE = 9


class MatchField(IntEnum):
    """Entries of the match row."""

    HERO = 0
    TEAM = 1
    DECISION = 2
    ASKED = 3
    ASK_A = 4
    ASK_B = 5
    DRAFT_KIND = 6
    DRAFT_CARD = 7
    DRAFT_EFFECT = 8
    DRAFT_TARGET = 9
    DRAFT_TILE = 10
    DRAFT_PAID = 11
    PHASE = 12
    STINT = 13
    STINT_LIMIT = 14
    QUIET_STINTS = 15
    TURN_CHAR = 16
    TURN_ACTIONS = 17
    TURN_SPOILED = 18
    FIRST_CHAR = 19
    PROFILE = 20
    WIDTH = 21
    HEIGHT = 22
    TEAM_SIZE = 23
    REMOVED_OWN = 24
    REMOVED_ENEMY = 25
    OUTCOME = 26
    FRAME = 27
    FRAME_CHAR = 28
    FRAME_CARD = 29
    FRAME_TARGET = 30
    FRAME_EVENT = 31
    SIZE = 32
