"""What a match looks like at one moment, as plain values by path: the pictures that a replay is made of.

Paths are those of scenario files where these have one: `A.hp`, `A.ap`, `A.at`, `A.hand`, `a1.hp`, `turn`, `stint`. A zone is a
list; a card in it is its id, or an object with the id and what is special about it. For a seat, a card that it may not know
(ARENA A8) is None, and what only an enemy knows is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.rules.codes import CharKind, Flag, Frame, Life, Phase, Zone
from apotheosis.env.rules.layout import CARDS, COPIES, HEROES, SIDE
from apotheosis.env.vocabulary import Terrain

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool

Picture = dict[str, Any]

TABLE = (Zone.EQUIPMENT, Zone.MEMENTO, Zone.SUPPORT, Zone.EXTRA)
HERO_ZONES = {
    "hand": (Zone.HAND,), "table": TABLE, "sheet": (Zone.SHEET,), "discard": (Zone.DISCARD,), "resolving": (Zone.RESOLVING,),
    "limbo": (Zone.LIMBO,), "banished": (Zone.BANISHED,),
}  # fmt: skip
"""Zones of a Hero that a picture lists, by name."""


def knows(state: Any, copy: int, seat: int | None) -> bool:
    """Tells whether a seat knows which card a copy is, where it lies now (R4, ARENA A8).

    Args:
        state: the match record.
        copy: a card copy.
        seat: 0 for A, 1 for B, None for somebody who sees everything.
    """
    if seat is None:
        return True
    zone = Zone(int(state["zone"][copy]))
    if copy < HEROES * COPIES and copy // COPIES % 2 == seat:
        return True
    if zone == Zone.DECK:
        return False
    flags = int(state["flags"][copy])
    if zone == Zone.HAND:
        return bool(flags & Flag.REVEALED)
    return not flags & (Flag.FACE_DOWN | Flag.MUSTERED)


FIELDS = (
    "stint", "phase", "turn_char", "heroes", "chars", "kind", "team", "owner", "body", "tile", "life", "hp", "max_hp",
    "ap", "debt", "markers", "zone", "flags", "ident", "host", "deck_n", "counters",
    "counter_card", "counter_name", "counter_n", "altitude", "terrain", "width", "height",
)  # fmt: skip


def plain(state: Any) -> dict[str, Any]:
    """Returns the fields of a match record that pictures read, as plain numbers and lists (quick to index)."""
    flat = {name: state[name].tolist() for name in FIELDS}
    flat["attached"] = attached = {}
    for copy in np.flatnonzero(state["zone"] == Zone.ATTACHED).tolist():
        attached.setdefault(flat["host"][copy], []).append(copy)
    flat["in_scenario"] = np.flatnonzero(state["zone"] == Zone.SCENARIO).tolist()
    return flat


class Labels:
    """Short names of characters: A and B (A1, B2 in teams) for Heroes, a1, b2 for the other pieces in order of entry.

    Args:
        heroes: number of Heroes in the match.
    """

    def __init__(self, heroes: int):
        self.heroes = heroes
        self._pieces: dict[tuple[int, int], str] = {}
        self._counts = {"a": 0, "b": 0, "o": 0}

    def of(self, state: Any, char: int) -> str:
        """Returns the label of a character."""
        if char < 0:
            return ""
        if char < HEROES:
            return "AB"[char % 2] + (str(char // 2 + 1) if self.heroes > 2 else "")
        key = (char, int(state["body"][char]))
        if key not in self._pieces:
            team = int(state["team"][char])
            letter = "abo"[team] if 0 <= team <= 1 and state["kind"][char] in (CharKind.COMPANION, CharKind.DUMMY) else "o"
            self._counts[letter] += 1
            self._pieces[key] = f"{letter}{self._counts[letter]}"
        return self._pieces[key]


class Painter:
    """Makes pictures of one match.

    Args:
        pool: its cards.
        labels: names of the characters.
        seat: who looks; None sees everything.
    """

    def __init__(self, pool: Pool, labels: Labels, seat: int | None = None):
        self.pool, self.labels, self.seat = pool, labels, seat
        self._markers = {bit: name for name, bit in pool.effect_names.markers.items()}
        self._counters = {number: name for name, number in pool.effect_names.counters.items()}

    def paint(self, state: Any, order: Sequence[int], stack: list[dict[str, Any]]) -> Picture:
        """Returns the picture of a moment.

        Args:
            state: the match record, as `plain` gives it.
            order: for each card copy when it last moved; zones are listed in this order.
            stack: what is being resolved, oldest first.
        """
        picture: Picture = {
            "stint": int(state["stint"]),
            "phase": Phase(int(state["phase"])).name.lower(),
            "turn": self.labels.of(state, int(state["turn_char"])) or None,
            "stack": stack,
        }
        for hero in range(int(state["heroes"])):
            self._hero(picture, state, hero, order)
        for char in range(int(state["chars"])):
            if int(state["kind"][char]) != CharKind.NONE:
                self._char(picture, state, char)
        scenario = sorted(state["in_scenario"], key=lambda copy: (order[copy], copy))
        picture["scenario"] = [self.card(state, copy) for copy in scenario]
        picture["tiles"] = {
            f"{x},{y}": [Terrain(state["terrain"][y * SIDE + x]).name, state["altitude"][y * SIDE + x]]
            for y in range(state["height"])
            for x in range(state["width"])
            if state["terrain"][y * SIDE + x] or state["altitude"][y * SIDE + x]
        }
        return picture

    def card(self, state: Any, copy: int) -> Any:
        """Returns a card copy as a picture shows it."""
        if not knows(state, copy, self.seat):
            return None
        flags = int(state["flags"][copy])
        card = self.pool.cards[int(state["ident"][copy])].id
        more: dict[str, Any] = {}
        for name, flag in (("exhausted", Flag.EXHAUSTED), ("face_down", Flag.FACE_DOWN | Flag.MUSTERED)):
            if flags & flag:
                more[name] = True
        if flags & Flag.REVEALED and int(state["zone"][copy]) == Zone.HAND:
            more["revealed"] = True
        counters = {
            self._counters[state["counter_name"][row]]: state["counter_n"][row]
            for row in range(state["counters"])
            if state["counter_card"][row] == copy and state["counter_n"][row]
        }
        if counters:
            more["counters"] = counters
        under = state["attached"].get(copy)
        if under:
            more["attachments"] = [self.card(state, one) for one in under]
        return {"card": card, **more} if more else card

    def _hero(self, picture: Picture, state: Any, hero: int, order: Sequence[int]) -> None:
        label = self.labels.of(state, hero)
        first = hero * COPIES
        own = [copy for copy in range(first, first + COPIES) if state["ident"][copy] >= 0]
        mustered = [copy for copy in own if state["flags"][copy] & Flag.MUSTERED]
        secret = [] if self.seat is None or hero % 2 == self.seat else mustered
        lying: dict[int, list[int]] = {}
        for copy in own:
            if copy not in secret:
                lying.setdefault(state["zone"][copy], []).append(copy)
        for name, wanted in HERO_ZONES.items():
            listed = sorted((copy for zone in wanted for copy in lying.get(zone, ())), key=lambda copy: (order[copy], copy))
            if name == "hand":
                # what an enemy has mustered in secret still counts as its hand (A3.7)
                listed += secret
            picture[f"{label}.{name}"] = [self.card(state, copy) for copy in listed]
        picture[f"{label}.deck"] = int(state["deck_n"][hero])

    def _char(self, picture: Picture, state: Any, char: int) -> None:
        body = int(state["body"][char])
        if body >= 0 and not knows(state, body, self.seat):
            return
        label, tile = self.labels.of(state, char), int(state["tile"][char])
        gone = Life(int(state["life"][char])) == Life.GONE
        row = {
            "at": None if tile < 0 or gone else [tile % SIDE, tile // SIDE],
            "hp": int(state["hp"][char]),
            "max": int(state["max_hp"][char]),
            "ap": int(state["ap"][char]),
            "debt": int(state["debt"][char]),
            "alive": Life(int(state["life"][char])) == Life.ALIVE,
            "markers": [name for bit, name in self._markers.items() if int(state["markers"][char]) >> bit & 1],
        }
        if char >= HEROES:
            row["kind"] = CharKind(int(state["kind"][char])).name.lower()
            row["owner"] = self.labels.of(state, int(state["owner"][char])) if state["team"][char] in (0, 1) else None
            row["card"] = self.pool.cards[int(state["ident"][body])].id if body >= 0 else None
        for name, value in row.items():
            picture[f"{label}.{name}"] = value


STACKED = (Frame.ACTIVATION, Frame.ATTACK, Frame.CHECK, Frame.DEATH, Frame.SALVATION)
"""Frames of the kernel's stack that people are shown."""


def frames(state: Any) -> list[tuple[Frame, int, int, int]]:
    """Returns what is being resolved, oldest first, as (frame, character, card copy, target)."""
    found = []
    for at in range(int(state["sp"])):
        row = state["frame"][at]
        if int(row["kind"]) in STACKED:
            card = int(row["card"]) if int(row["card"]) < CARDS else -1
            found.append((Frame(int(row["kind"])), int(row["char"]), card, int(row["target"])))
    return found


def changes(before: Picture, after: Picture) -> Picture:
    """Returns the values of a picture that differ from the one before; None for paths that are gone."""
    changed = {path: value for path, value in after.items() if path not in before or before[path] != value}
    return {**changed, **{path: None for path in before if path not in after}}
