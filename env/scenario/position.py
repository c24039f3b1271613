"""Builds the position of a scenario: a match record written field by field."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from apotheosis.env.arena import ArenaFormat
from apotheosis.env.cards.pool import Pool, load_pool, make_pool
from apotheosis.env.errors import InputError, nearest, unknown
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import CharKind, Flag, Phase, Zone
from apotheosis.env.rules.companions import MOVABLE
from apotheosis.env.rules.layout import CARDS, COPIES, DECK_SLOT, HEROES, LINEUP, MATCH, SIDE, UNWRITTEN
from apotheosis.env.scenario.read import Scenario
from apotheosis.env.vocabulary import Attribute, CompanionType, Knowledge, Limit, Profile, Suit, Terrain

PHASE_STEPS = {"main": (0, 6), "start": (0, 2), "end": (0, 7), "reset": (1, 0), "setup": (2, 0)}
"""Frame and turn step of each phase, see `position_door.arrange` and the turn steps of the kernel."""
TABLE_ZONE = {Suit.Item: Zone.EQUIPMENT, Suit.Skill: Zone.MEMENTO, Suit.Companion: Zone.SUPPORT, Suit.Event: Zone.EXTRA}
ZONE_KEYS = ("table", "hand", "deck", "discard", "extra", "limbo", "banished")
TURNED = (CharKind.HERO, CharKind.COMPANION, CharKind.DUMMY)
"""Kinds of characters that have turns."""
HAND_KEYS = {"extra": Zone.EXTRA, "limbo": Zone.LIMBO, "banished": Zone.BANISHED}


@dataclass
class Position:
    """A position with the names its file gives to things.

    Attributes:
        match: the match, run to its first question.
        chars: row of each character by name.
        copies: card copy by the name of the file (`T_Sword`, `T_Sword#2`).
    """

    scenario: Scenario
    pool: Pool
    match: Match
    chars: dict[str, int] = field(default_factory=dict)
    copies: dict[str, int] = field(default_factory=dict)

    def char(self, name: Any, *at: str | int) -> int:
        """Returns the row of a named character.

        Raises:
            InputError: nobody has that name.
        """
        if name in self.chars:
            return self.chars[name]
        made = self.made()
        if name not in made:
            raise self.scenario.fault(unknown("character", str(name), {**self.chars, **made}).message, *at)
        return made[name]

    def made(self) -> dict[str, int]:
        """Returns the pieces that have come in play, by the card that they stand for or that has created them."""
        from apotheosis.env.rules.rare import SPAWNED

        state = self.match.state
        made = {}
        for row in state["modifier"][: int(state["mods"])]:
            if row["mod"] == SPAWNED:
                made[_numbered(self.copy_name(int(row["card"])), made)] = int(row["char"])
        for char in range(int(state["chars"])):
            if state["body"][char] >= 0 and char not in self.chars.values():
                made[_numbered(self.copy_name(int(state["body"][char])), made)] = char
        return made

    def piece_of(self, copy: int) -> int:
        """Returns the piece of a card copy, or the one that it has created; -1 none."""
        for char in range(int(self.match.state["chars"])):
            if self.match.state["body"][char] == copy:
                return char
        return self.made().get(self.copy_name(copy), -1)

    def copy(self, name: Any, *at: str | int) -> int:
        """Returns a named card copy.

        Raises:
            InputError: no copy has that name.
        """
        if name not in self.copies:
            raise self.scenario.fault(unknown("card", str(name), self.copies).message, *at)
        return self.copies[name]

    def copy_name(self, copy: int) -> str:
        """Returns the name of a copy; the first of its card has the card's id."""
        for name, number in self.copies.items():
            if number == copy:
                return name
        return self.match.card_id(copy)

    def char_name(self, char: int) -> str:
        """Returns the name of a character."""
        for name, number in {**self.made(), **self.chars}.items():
            if number == char:
                return name
        return f"piece {char}"


def _numbered(name: str, taken: dict[str, int]) -> str:
    """Returns a name for one more piece of a card: the second one is `T_Wall#2`."""
    number = 1
    while (name if number == 1 else f"{name}#{number}") in taken:
        number += 1
    return name if number == 1 else f"{name}#{number}"


class Builder:
    """Writes one scenario into a match record.

    Args:
        scenario: the scenario.
        pool: the cards that it speaks of; by default those that it names and lists.
        seeds: five keys of the streams by which dice fall; by default only the listed dice are rolled.
    """

    def __init__(self, scenario: Scenario, pool: Pool | None = None, seeds: Any = None):
        self.scenario = scenario
        self.pool = _pool(scenario) if pool is None else pool
        self.seeds = seeds
        keys = dict(scenario.get("format") or {})
        terrain = keys.pop("terrain", None)
        if terrain is not None:
            raise scenario.fault("the terrain of a position stands under tiles", "format", "terrain")
        heroes = list((scenario.get("characters") or {}).values())
        size = max(1, sum(row.get("team") == "A" for row in heroes), sum(row.get("team") == "B" for row in heroes))
        keys.setdefault("team_size", size)
        if "board" in keys:
            board = keys["board"]
            if not isinstance(board, list) or len(board) != 2 or not all(isinstance(part, int) for part in board):
                raise scenario.fault("the board is [width, height]", "format", "board")
            keys["board"] = tuple(board)
        for key, value in keys.items():
            known = key in ArenaFormat.__dataclass_fields__ and key not in ("board", "profile", "initiative")
            if known and value is not None and not isinstance(value, int):
                raise scenario.fault(f"'{key}' of the format is a whole number or true or false, not {value!r}", "format", key)
        try:
            self.form = ArenaFormat.of(**keys)
        except InputError as error:
            raise scenario.fault(error.message, "format") from None
        self.record = np.zeros(1, MATCH)
        self.chars: dict[str, int] = {}
        self.copies: dict[str, int] = {}
        self.counts: dict[str, int] = {}
        self.free: dict[int, int] = {}

    def build(self) -> Position:
        """Returns the position, run to its first question.

        Raises:
            InputError: something in the file is wrong.
        """
        from apotheosis.env.rules import position_door

        self._format()
        m = self.record[0]
        self._heroes(m)
        self._companions(m)
        self._scenario_zone(m)
        self._board(m)
        self._time(m)
        dice = self.scenario.get("dice")
        if dice is not None:
            if len(dice) > len(m["forced"]) or any(not isinstance(face, int) or not 1 <= face <= 6 for face in dice):
                raise self.scenario.fault(f"dice are up to {len(m['forced'])} faces from 1 to 6", "dice")
            m["forced"][: len(dice)] = dice
        m["forced_n"] = len(dice or [])
        if self.seeds is not None:
            m["seed"], m["forced_n"] = self.seeds, -1
        frame, step = PHASE_STEPS[self.scenario.get("phase", default="main")]
        # the order of a set-up is determined by its first Reset Phase (A3.9)
        keep = int(self.scenario.get("initiative") is not None)
        listed = dice is None and self.seeds is None and self.scenario.get("phase") != "setup"
        if listed and not keep and frame:
            keep = position_door.ORDER_NOW
        if listed:
            # nothing is rolled: characters that are tied in a stint under way come in the order of the file
            m["forced_n"], m["mean_dice"] = -1, 1
        position_door.arrange(self.record, 0, self.pool.record, frame, step, keep)
        if listed:
            m["forced_n"] = m["mean_dice"] = 0
        match = Match.from_record(self.pool, self.record, log=True)
        return Position(self.scenario, self.pool, match, self.chars, self.copies)

    def _format(self) -> None:
        from apotheosis.env.rules import position_door

        lineup = np.zeros(1, LINEUP)
        for name in (
            "team_size", "opening_hand", "muster", "draw_per_turn", "stint_limit", "loot", "nested_reactions", "multi_response",
        ):  # fmt: skip
            lineup[name] = int(getattr(self.form, name))
        lineup["profile"] = Profile[self.form.profile]
        lineup["width"], lineup["height"] = self.form.size
        lineup["random_initiative"] = int(self.form.initiative == "random")
        lineup["cards"] = -1
        position_door.blank(self.record, 0, lineup, 0)

    # ----- characters

    def _heroes(self, m: Any) -> None:
        seats = {"A": 0, "B": 1}
        for name, row in (self.scenario.get("characters") or {}).items():
            at = ("characters", name)
            if row.get("team") not in seats:
                raise self.scenario.fault(f"the team of {name} is A or B, not {row.get('team')!r}", *at)
            hero = seats[row["team"]]
            seats[row["team"]] += 2
            if hero >= int(m["heroes"]):
                raise self.scenario.fault(f"team {row['team']} has more than {self.form.team_size} Heroes", *at)
            self.chars[name] = hero
            self._hero(m, name, hero, row)
        for hero in range(int(m["heroes"])):
            if m["kind"][hero] == CharKind.NONE:
                raise self.scenario.fault("each side needs the same number of Heroes", "characters")

    def _hero(self, m: Any, name: str, hero: int, row: dict[str, Any]) -> None:
        at = ("characters", name)
        m["kind"][hero], m["team"][hero], m["owner"][hero] = CharKind.HERO, hero % 2, hero
        self.free[hero] = DECK_SLOT
        level = self._sheet(m, name, hero, row)
        m["level"][hero] = row.get("level", level if row.get("classes") else self.form.hero_level)
        if row.get("house") is None:
            for attribute in Attribute:
                m["base_attr"][hero][attribute] = (row.get("attributes") or {}).get(attribute.name, 4)
            m["base_slots"][hero] = [3, 3, 0]
        for word, value in (row.get("attributes") or {}).items():
            if word not in Attribute.__members__:
                raise self.scenario.fault(unknown("attribute", str(word), Attribute.__members__).message, *at, "attributes")
            m["base_attr"][hero][Attribute[word]] = value
        for word, value in (row.get("knowledge") or {}).items():
            if word not in Knowledge.__members__:
                raise self.scenario.fault(unknown("knowledge", str(word), Knowledge.__members__).message, *at, "knowledge")
            m["base_knowledge"][hero][Knowledge[word]] = value
        for index, word in enumerate(("equipment", "memento", "support")):
            if word in (row.get("slots") or {}):
                m["base_slots"][hero][index] = row["slots"][word]
        scale = 1 if self.form.profile == "UNITS" else 10
        m["base_hp"][hero] = m["max_hp"][hero] = scale * (4 + int(m["level"][hero]))
        for key in ZONE_KEYS:
            for index, entry in enumerate(row.get(key) or []):
                self._card(m, hero, key, entry, (*at, key, index))
        deck = int(m["deck_n"][hero])
        m["pile"][hero][:deck] = m["pile"][hero][:deck][::-1].copy()
        self._used(m, hero, row, at)
        self._state(m, hero, row, at)

    def _sheet(self, m: Any, name: str, hero: int, row: dict[str, Any]) -> int:
        level = 1
        at = ("characters", name)
        places = [("house", row.get("house")), *(("classes", entry) for entry in row.get("classes") or [])]
        for slot, (key, entry) in enumerate(places[:4]):
            if entry is None:
                continue
            copy = hero * COPIES + slot
            self._written(m, hero, copy, entry if isinstance(entry, dict) else {"card": entry}, (*at, key))
            m["zone"][copy] = Zone.SHEET
            ident = self.pool.record["card"][0][int(m["ident"][copy])]
            if slot > 0:
                level += int(ident["level"])
            else:
                m["base_attr"][hero] = ident["attributes"]
                m["base_slots"][hero] = ident["slots"]
        entity = row.get("entity")
        if entity is not None:
            copy = hero * COPIES + 4
            written = entity if isinstance(entity, dict) else {"card": entity}
            self._written(m, hero, copy, {"face_down": True, **written}, (*at, "entity"))
            m["zone"][copy] = Zone.SHEET
        return level

    def _used(self, m: Any, hero: int, row: dict[str, Any], at: tuple[str, ...]) -> None:
        for word in row.get("used") or []:
            if word == "SALVATION":
                m["salvation"][hero] = 1
                continue
            number = self.pool.number(word, self.scenario.tree.place((*at, "used")))
            ident = self.pool.record["card"][0][number]
            for copy in range(hero * COPIES, (hero + 1) * COPIES):
                if m["ident"][copy] == number:
                    for index in range(int(ident["effect_n"])):
                        effect = self.pool.record["effect"][0][int(ident["effect_first"]) + index]
                        if int(effect["limits"]) & (1 << Limit.OncePerBattle):
                            m["used"][copy] |= 1 << min(4, index)
                    break

    def _state(self, m: Any, char: int, row: dict[str, Any], at: tuple[str, ...]) -> None:
        m["hp"][char] = row.get("hp", UNWRITTEN)
        m["debt"][char] = row.get("debt", 0)
        m["ap"][char] = row.get("ap", UNWRITTEN)
        where = row.get("at")
        m["tile"][char] = -1 if where is None else self._tile(where, (*at, "at"))
        for marker in row.get("markers") or []:
            m["markers"][char] |= 1 << self.pool.marker(marker)

    def _companions(self, m: Any) -> None:
        char = HEROES
        for name, row in (self.scenario.get("companions") or {}).items():
            at = ("companions", name)
            if row.get("owner") not in self.chars:
                raise self.scenario.fault(unknown("owner", str(row.get("owner")), self.chars).message, *at, "owner")
            hero = self.chars[row["owner"]]
            self.chars[name] = char
            m["chars"] = char + 1
            m["owner"][char], m["team"][char] = hero, hero % 2
            if "card" in row:
                copy = self._card(m, hero, "table", row["card"], (*at, "card"))
                ident = self.pool.record["card"][0][int(m["ident"][copy])]
                if ident["suit"] != Suit.Companion:
                    raise self.scenario.fault(f"{self.copy_name_of(copy)} is no Companion", *at, "card")
                m["kind"][char], m["body"][char] = CharKind.COMPANION, copy
                m["flags"][copy] = int(m["flags"][copy]) & ~Flag.FACE_DOWN | Flag.SUMMONED
                m["base_attr"][char] = ident["attributes"]
                top = (1 if self.form.profile == "UNITS" else 10) * 5 * int(ident["level"])
                for index, entry in enumerate(row.get("attachments") or []):
                    under = self._card(m, hero, "attached", entry, (*at, "attachments", index))
                    m["host"][under] = copy
            else:
                dummy = row.get("dummy") or {}
                m["kind"][char], m["body"][char] = CharKind.DUMMY, -1
                if dummy.get("techniques"):
                    # its techniques stand on a sheet of the pool, as those of a piece that a card creates (R19.16)
                    m["body"][char] = -2 - self.pool.number(_sheet_id(name), self.scenario.tree.place(at))
                for attribute in Attribute:
                    m["base_attr"][char][attribute] = (dummy.get("attributes") or {}).get(attribute.name, 1)
                top = dummy.get("hp", 10)
            m["base_hp"][char] = m["max_hp"][char] = top
            self._state(m, char, row, at)
            char += 1

    # ----- cards

    def copy_name_of(self, copy: int) -> str:
        """Returns the name that the file has for a copy."""
        return next(name for name, number in self.copies.items() if number == copy)

    def _name(self, card: str, copy: int) -> None:
        count = self.counts.get(card, 0) + 1
        self.counts[card] = count
        self.copies[card if count == 1 else f"{card}#{count}"] = copy

    def _card(self, m: Any, hero: int, key: str, entry: Any, at: tuple[str | int, ...]) -> int:
        row = entry if isinstance(entry, dict) else {"card": entry}
        slot = self.free[hero]
        if slot >= COPIES:
            raise self.scenario.fault(f"a Hero has at most {COPIES - DECK_SLOT} cards beside its sheet", *at)
        self.free[hero] = slot + 1
        copy = hero * COPIES + slot
        self._written(m, hero, copy, row, at)
        self._place(m, hero, copy, key)
        # a Summon without a piece lies face down (R19.2)
        card = self.pool.record["card"][0][int(m["ident"][copy])]
        unsummoned = key == "table" and card["suit"] == Suit.Companion and card["companion_type"] == CompanionType.Summon
        if unsummoned and "face_down" not in row:
            m["flags"][copy] |= Flag.FACE_DOWN
        return copy

    def _written(self, m: Any, hero: int, copy: int, row: dict[str, Any], at: tuple[str | int, ...]) -> None:
        """Writes which card a copy is, its state, its counters and what is attached to it."""
        if "card" not in row:
            raise self.scenario.fault("a card is its id, or a mapping with the key card", *at)
        m["ident"][copy] = self.pool.number(row["card"], self.scenario.tree.place(at))
        self._name(row["card"], copy)
        for word, flag in (("exhausted", Flag.EXHAUSTED), ("face_down", Flag.FACE_DOWN), ("revealed", Flag.REVEALED)):
            if row.get(word):
                m["flags"][copy] |= flag
        for name, many in (row.get("counters") or {}).items():
            n = int(m["counters"])
            m["counter_card"][n], m["counter_name"][n], m["counter_n"][n] = copy, self.pool.counter(name), many
            m["counters"] = n + 1
        for index, under in enumerate(row.get("attachments") or []):
            child = self._card(m, hero, "attached", under, (*at, "attachments", index))
            m["host"][child] = copy

    def _place(self, m: Any, hero: int, copy: int, key: str) -> None:
        if key == "table" or key == "extra":
            suit = Suit(int(self.pool.record["card"][0][int(m["ident"][copy])]["suit"]))
            m["table_n"][hero] += 1
            m["hold"][hero][COPIES - int(m["table_n"][hero])] = copy
            m["zone"][copy] = TABLE_ZONE.get(suit, Zone.EXTRA) if key == "table" else Zone.EXTRA
        elif key == "hand":
            m["hold"][hero][int(m["hand_n"][hero])] = copy
            m["hand_n"][hero] += 1
            m["zone"][copy] = Zone.HAND
        elif key == "deck":
            m["pile"][hero][int(m["deck_n"][hero])] = copy
            m["deck_n"][hero] += 1
            m["zone"][copy] = Zone.DECK
        elif key == "discard":
            m["discard_n"][hero] += 1
            m["pile"][hero][COPIES - int(m["discard_n"][hero])] = copy
            m["zone"][copy] = Zone.DISCARD
        elif key == "attached":
            m["zone"][copy] = Zone.ATTACHED
        else:
            m["zone"][copy] = HAND_KEYS[key]

    def _scenario_zone(self, m: Any) -> None:
        for index, entry in enumerate(self.scenario.get("scenario_zone") or []):
            row = entry if isinstance(entry, dict) else {"card": entry}
            copy = HEROES * COPIES + index
            if "owner" in row:
                hero = self.chars.get(row["owner"], 0)
                copy = hero * COPIES + self.free[hero]
                self.free[hero] += 1
            if copy >= CARDS:
                raise self.scenario.fault("at most four ownerless scenario cards", "scenario_zone", index)
            self._written(m, copy // COPIES, copy, row, ("scenario_zone", index))
            m["zone"][copy] = Zone.SCENARIO
            m["scenario"][index] = copy
            m["scenario_n"] = index + 1
        for index, entry in enumerate(self.scenario.get("trading_post") or []):
            copy = next((copy for copy in range(HEROES * COPIES, CARDS) if m["ident"][copy] < 0), None)
            if copy is None:
                raise self.scenario.fault(f"at most {CARDS - HEROES * COPIES} cards belong to nobody", "trading_post", index)
            self._written(m, HEROES, copy, entry if isinstance(entry, dict) else {"card": entry}, ("trading_post", index))
            m["zone"][copy] = Zone.DISCARD
        if (self.scenario.get("gm") or {}).get("hand"):
            raise self.scenario.fault("a Game Master is not part of the Arena (A9.5)")

    # ----- board and time

    def _tile(self, where: Any, at: tuple[str | int, ...]) -> int:
        width, height = self.form.size
        if not (isinstance(where, list) and len(where) == 2 and all(isinstance(part, int) for part in where)):
            raise self.scenario.fault("a tile is [x, y]", *at)
        if not (0 <= where[0] < width and 0 <= where[1] < height):
            raise self.scenario.fault(f"the tile {where} is outside the board {width}x{height}", *at)
        return where[1] * SIDE + where[0]

    def _board(self, m: Any) -> None:
        for word, row in (self.scenario.get("tiles") or {}).items():
            tile = self._tile([int(part) for part in str(word).split(",")], ("tiles", word))
            m["altitude"][tile] = row.get("altitude", 0)
            terrain = row.get("terrain", "blocked" if row.get("blocked") else "disabled" if row.get("disabled") else "field")
            if terrain not in Terrain.__members__:
                raise self.scenario.fault(unknown("terrain", str(terrain), Terrain.__members__).message, "tiles", word)
            m["terrain"][tile] = Terrain[terrain]
        for name, row in (self.scenario.get("objects") or {}).items():
            char = max(HEROES, int(m["chars"]))
            m["chars"] = char + 1
            m["kind"][char] = CharKind.CONTAINER if row.get("container") is not None else CharKind.OBJECT
            if row.get("movable", "container" in row):
                m["deeds"][char] = MOVABLE
            for index, card in enumerate(row.get("container") or []):
                self._content(m, char, card, ("objects", name, "container", index))
            m["team"][char] = 2
            m["body"][char] = -1
            m["tile"][char] = self._tile(row["at"], ("objects", name, "at"))
            m["hp"][char] = m["base_hp"][char] = m["max_hp"][char] = row.get("hp", 10)
            m["base_attr"][char] = 1
            self.chars[name] = char

    def _content(self, m: Any, char: int, card: str, at: tuple[str | int, ...]) -> None:
        """Puts an ownerless card into a Container."""
        copy = next((copy for copy in range(HEROES * COPIES, CARDS) if m["ident"][copy] < 0), None)
        if copy is None:
            raise self.scenario.fault(f"at most {CARDS - HEROES * COPIES} cards belong to nobody", *at)
        m["ident"][copy] = self.pool.number(card, self.scenario.tree.place(at))
        m["zone"][copy], m["host"][copy] = Zone.ATTACHED, CARDS + char
        self._name(card, copy)

    def _time(self, m: Any) -> None:
        phase = self.scenario.get("phase", default="main")
        # the Reset Phase to come counts its stint itself
        m["stint"] = self.scenario.get("stint", default=1) - (phase in ("reset", "setup"))
        m["phase"] = Phase.SETUP if phase == "setup" else Phase.MAIN
        order = self.scenario.get("initiative") or [name for name, char in self.chars.items() if m["kind"][char] in TURNED]
        for index, name in enumerate(order):
            if name not in self.chars:
                raise self.scenario.fault(unknown("character", str(name), self.chars).message, "initiative")
            m["order"][index] = self.chars[name]
        rest = [char for name, char in self.chars.items() if m["kind"][char] in TURNED and name not in order]
        for index, char in enumerate(rest):
            # who is left out has no turn in this stint, unless it is dead and revived (R14.6)
            m["order"][len(order) + index] = char
            m["acted"][char] = int(m["hp"][char] == UNWRITTEN or m["hp"][char] > 0)
        m["order_n"] = len(order) + len(rest)
        turn = self.scenario.get("turn", default=order[0] if order else None)
        m["turn_char"] = self.chars.get(turn, 0)
        m["first_char"] = int(m["order"][0])
        m["d_kind"] = -1
        if phase == "setup":
            m["turn_char"] = m["first_char"] = -1
            return
        m["turns"] = 1
        acted = self.scenario.get("acted")
        if acted is None:
            acted = order[: order.index(turn)] if turn in order else []
        for name in [*acted, turn]:
            if name in self.chars:
                m["acted"][self.chars[name]] = 1
        for name, row in (self.scenario.get("companions") or {}).items():
            if "acted" in row:
                m["acted"][self.chars[name]] = int(bool(row["acted"]))


def _sheet_id(name: str) -> str:
    """Returns the id of the pool card that a Dummy's techniques stand on."""
    return "Dummy_" + "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in str(name))


def _sheets(scenario: Scenario) -> list[dict[str, Any]]:
    """Returns the Dummies with techniques as written Companion cards.

    Raises:
        InputError: a technique has a text; a piece without a card has none to run it on (R19.17).
    """
    sheets = []
    for name, row in (scenario.get("companions") or {}).items():
        techniques = (row.get("dummy") or {}).get("techniques") or []
        for index, technique in enumerate(techniques):
            if isinstance(technique, dict) and technique.get("effects"):
                at = ("companions", name, "dummy", "techniques", index, "effects")
                raise scenario.fault(f"{name} has no card: its techniques are attacks without a text (R19.17)", *at)
        if techniques:
            sheet = {"id": _sheet_id(name), "suit": "Companion", "level": 1, "rarity": "Common", "knowledge": "Free"}
            sheets.append({**sheet, "companion_type": "Creature", "techniques": techniques})
    return sheets


def _pool(scenario: Scenario) -> Pool:
    from apotheosis.env.cards.loader import check_card

    cards = []
    named = scenario.get("pool")
    if named is not None:
        if named != "starter" and not (scenario.path.parent / named).exists():
            hint = nearest(named, ["starter"])
            sentence = f"there are no cards at {named!r} beside the file; the bundled ones are called starter"
            raise scenario.fault(sentence + (f"; {hint}" if hint else ""), "pool")
        base = named if named == "starter" else str((scenario.path.parent / str(named)).resolve())
        cards += list(load_pool(base).cards)
    inline = []
    for index, value in enumerate(scenario.get("cards") or []):
        card, errors = check_card(value, lambda path, index=index: scenario.tree.place(("cards", index, *path)))
        if errors:
            raise errors[0]
        assert card is not None
        inline.append(card)
    for value in _sheets(scenario):
        card, errors = check_card(value, lambda path: scenario.tree.place(("companions",)))
        if errors:
            raise errors[0]
        assert card is not None
        inline.append(card)
    taken = {card.id for card in inline}
    return make_pool([card for card in cards if card.id not in taken] + inline, str(scenario.path))


def build(scenario: Scenario) -> Position:
    """Returns the position of a scenario, run to its first question."""
    return Builder(scenario).build()
