"""The rulebook's closed lists as integer enumerations, shared by the card language and the rules kernel.

One place for each list: card files, the reader, the kernel and the reports all use these names. A member's value is what
the kernel stores; its name is what card files and reports print. Compiled code uses the members directly.
"""

from __future__ import annotations

from enum import IntEnum

SUMMUS_LEVEL = 8
"""Hero Level from which Summus cards are allowed (R22.1)."""


class Suit(IntEnum):
    """The seven suits (R1.1); the first three are Sheet cards, the others Resource cards."""

    House = 0
    Class = 1
    Entity = 2
    Item = 3
    Skill = 4
    Companion = 5
    Event = 6


class Rarity(IntEnum):
    """R2.1.4."""

    Common = 0
    Uncommon = 1
    Rare = 2
    Epic = 3
    Legendary = 4


class Attribute(IntEnum):
    """The seven attributes (R3.4.1)."""

    END = 0
    STR = 1
    AGI = 2
    PER = 3
    INT = 4
    CHA = 5
    SPT = 6


class Knowledge(IntEnum):
    """The fourteen knowledges and Free, which is none (R3.6.1)."""

    Faith = 0
    Arcane = 1
    Cooperation = 2
    Defense = 3
    Athletics = 4
    Practice = 5
    Art = 6
    Instruction = 7
    Cunning = 8
    Elemental = 9
    Transmutation = 10
    Vital = 11
    Mental = 12
    Dimensional = 13
    Free = 14


class Path(IntEnum):
    """Paths of Classes and Companions (R2.3.3); Absent where a card has none."""

    Absent = 0
    Magician = 1
    Priestess = 2
    Empress = 3
    Emperor = 4
    Priest = 5
    Lovers = 6
    Chariot = 7
    Force = 8
    Hermit = 9
    Wheel = 10
    Justice = 11
    Hanged = 12
    Death = 13
    Temperance = 14
    Devil = 15
    Tower = 16
    Star = 17
    Moon = 18
    Sun = 19
    Judgment = 20
    World = 21


class Order(IntEnum):
    """Orders of Entities (R2.4.1)."""

    Absent = 0
    Spirit = 1
    Deity = 2
    God = 3


class CompanionType(IntEnum):
    """R2.7.1; Watcher is one data entry, a Human without a board piece."""

    Absent = 0
    Human = 1
    Creature = 2
    Summon = 3
    Watcher = 4


class RangeType(IntEnum):
    """R15.18 to R15.20."""

    Direct = 0
    Arcing = 1
    Area = 2


class Specifier(IntEnum):
    """Item specifiers (R2.5.3); the value is the bit in a card's specifier mask."""

    Headpiece = 1
    Vest = 2
    Feet = 4
    Accessory = 8
    Utility = 16


class Colour(IntEnum):
    """Essence colours (R21.3)."""

    Absent = 0
    Yellow = 1
    Red = 2
    Blue = 3
    White = 4
    Black = 5


class Lignum(IntEnum):
    """Families of Skill cards (R21.1)."""

    Absent = 0
    Talaria = 1
    Crimson = 2
    GoldenFire = 3
    Magfelt = 4
    Magicircle = 5
    Ablyss = 6
    Super = 7
    Stellar = 8
    SilverIce = 9
    Avalon = 10
    Anima = 11
    Ethelum = 12


LIGNUM_COLOUR = {
    Lignum.Absent: Colour.Absent,
    Lignum.Talaria: Colour.Yellow,
    Lignum.Crimson: Colour.Red,
    Lignum.GoldenFire: Colour.Red,
    Lignum.Magfelt: Colour.Blue,
    Lignum.Magicircle: Colour.White,
    Lignum.Ablyss: Colour.Black,
    Lignum.Super: Colour.Red,
    Lignum.Stellar: Colour.Blue,
    Lignum.SilverIce: Colour.Blue,
    Lignum.Avalon: Colour.White,
    Lignum.Anima: Colour.White,
    Lignum.Ethelum: Colour.Yellow,
}
"""Colour of each Lignum (R21.4)."""


class Profile(IntEnum):
    """Rule profiles (R0.5)."""

    TENS = 0
    UNITS = 1
    DIRECT = 2


class Terrain(IntEnum):
    """R15.5."""

    field = 0
    rock = 1
    swamp = 2
    sand = 3
    ice = 4
    silver_ice = 5
    aqua = 6
    blocked = 7
    disabled = 8


class Activation(IntEnum):
    """Activation keywords (R6.3)."""

    Activate = 0
    Auto = 1
    Permanent = 2
    Temp = 3


class Task(IntEnum):
    """Task keywords (R6.7); Absent where an effect has none."""

    Absent = 0
    Exhaust = 1
    Recover = 2
    Discard = 3
    Bury = 4
    Banish = 5
    Register = 6


class Limit(IntEnum):
    """Limit keywords (R6.5) as bit numbers."""

    YourTurnOnly = 0
    OncePerTurn = 1
    OncePerRound = 2
    OncePerStint = 3
    OncePerBattle = 4
    AllIn = 5
    NoResponse = 6
    NoNegation = 7
    Lingering = 8


class Scope(IntEnum):
    """Scope keywords (R6.6) as bit numbers; Scenario stands for registered effects."""

    Anywhere = 0
    Table = 1
    Hand = 2
    DiscardPile = 3
    TeamMember = 4
    Attached = 5
    Scenario = 6


class Timing(IntEnum):
    """Timing keywords (R6.4) as bit numbers, plus the two that real texts need."""

    OnPlay = 0
    OnExit = 1
    OnObtain = 2
    OnReveal = 3
    OnConceal = 4
    OnExhaust = 5
    OnRecover = 6
    OnDiscard = 7
    OnBury = 8
    OnBanish = 9
    Checking = 10
    Attacking = 11
    Attacked = 12
    Selected = 13
    Rolling = 14
    StartOfBattle = 15
    EndOfBattle = 16
    StartOfRound = 17
    EndOfRound = 18
    ResetPhase = 19
    YourStartPhase = 20
    YourEndPhase = 21
    TeamMemberStartPhase = 22
    TeamMemberEndPhase = 23
    TeammateStartPhase = 24
    TeammateEndPhase = 25
    OpponentStartPhase = 26
    OpponentEndPhase = 27
    AllStartPhase = 28
    AllEndPhase = 29
    ThisCharacterStartPhase = 30
    ThisCharacterEndPhase = 31
    HostHeroStartPhase = 32
    AllyTurn = 33


class Event(IntEnum):
    """Event names that a `when` requirement can hook (DSL section 1)."""

    card_activated = 0
    attack = 1
    attack_resolved = 2
    check = 3
    check_failed = 4
    damage_taken = 5
    injury_dealt = 6
    injury_taken = 7
    death = 8
    spend = 9
    card_discard = 10
    card_bury = 11
    card_banish = 12
    card_exhaust = 13
    counter_removed = 14
    enter_tile = 15
    turn_start = 16
