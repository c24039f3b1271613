"""Positions in which the effects of one card are exercised: the card everywhere it may be, among what its effects need."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.cards.exercise_props import Needs, Prop, props_for, serves
from apotheosis.env.cards.loader import load_cards
from apotheosis.env.cards.pool import Pool, make_pool
from apotheosis.env.cards.readings import read_card
from apotheosis.env.cards.schema import CardBase, Class, Companion, Entity, Event, House
from apotheosis.env.cards.traits import is_ultimatum
from apotheosis.env.vocabulary import Attribute, CompanionType, Knowledge

if TYPE_CHECKING:
    from apotheosis.env.match import Match

WIDTH, HEIGHT = 4, 4
LEVEL = 10
MOST_CARDS = 52
"""Cards of one Hero beside its sheet."""
ATTRIBUTES = (1, 4, 4, 6, 9, 14)
HIGHEST = 60
"""Numbers of conditions up to which attributes are raised."""
AGILITIES = (6, 9, 12, 12)
HIT_POINTS = (10, 20, 50, 100)
HOLDERS = 2
"""Heroes that have the card, from the first one on."""
DEATHS = ("dead", "corpse", "revive", "died", "death", "save")
"""Beginnings of words of effects that need somebody dead."""
OTHERS = (*DEATHS, "allies", "other", "nearest", "team", "teammate", "splash", "pieces", "chain", "affected", "area")
"""Beginnings of words of effects that need a teammate, or somebody whose death does not end the match."""
GROUNDS = ("field", "field", "rock", "swamp", "sand", "ice", "aqua")
ZONE_OF = {
    "inventory": "hand", "equipment": "table", "memento": "table", "support": "table", "table": "table", "extra": "extra",
    "discard": "discard", "deck": "deck", "deck_top": "deck", "deck_bottom": "deck", "scenario": "scenario",
    "attachments": "attached",
}  # fmt: skip
SPREAD = (("hand", 0.7), ("table", 0.4), ("deck", 0.4), ("discard", 0.3))
"""Where a prop lies that nothing is said of, with how likely."""


class Scenes:
    """Draws positions for the card of a pool.

    Args:
        pool: the pool of the card.
        number: the card's number in it.
    """

    def __init__(self, pool: Pool, number: int):
        self.card: CardBase = pool.cards[number]
        self.trees = [effect.written() for reading in pool.readings[number] for effect in reading.effects]
        self.needs = Needs.of(self.trees)
        self.required = [
            list(technique.requirement) for technique in (self.card.techniques if isinstance(self.card, Companion) else [])
        ]
        self.props: list[Prop] = props_for(self.needs, sorted({word for words in self.required for word in words}))
        self.pool = widened(pool, range(number, number + 1), [prop.card for prop in self.props])

    @cached_property
    def scoped(self) -> set[str]:
        """The scopes that effects of the card name."""
        return {str(scope) for tree in self.trees for scope in tree.get("scopes", [])}

    def position(self, pool: Any, scene: dict[str, Any], seeds: Any) -> Match:
        """Returns the match that a drawn position begins.

        Args:
            pool: the pool of these scenes, or one with another record.
            scene: the position, as scenario files write it.
            seeds: five keys of the streams.
        """
        from apotheosis.env.cards.yaml_tree import Tree
        from apotheosis.env.scenario.position import Builder
        from apotheosis.env.scenario.read import Scenario

        return Builder(Scenario(Tree(scene, {}, self.card.id), Path(self.card.id)), pool, seeds).build().match

    def draw(self, rng: np.random.Generator) -> dict[str, Any]:
        """Draws a position, as scenario files write it."""
        size = 2 if self.needs.says(*OTHERS) or rng.random() < 0.25 else 1
        names = [f"{team}{place}" for place in range(1, size + 1) for team in "AB"]
        places = [[int(tile) % WIDTH, int(tile) // WIDTH] for tile in rng.permutation(WIDTH * HEIGHT)]
        if rng.random() < 0.6:
            places.sort(key=lambda place: place[0] + place[1])  # close together
        heroes: dict[str, Any] = {}
        companions: dict[str, Any] = {}
        scenario: list[Any] = []
        for row, name in enumerate(names):
            heroes[name] = self._hero(rng, name, row < HOLDERS, companions, scenario)
            heroes[name]["at"] = places.pop(0)
        if size == 2 and self.needs.says(*DEATHS) and rng.random() < 0.6:
            heroes[names[int(rng.integers(4))]]["hp"] = 0
        companions = dict(list(companions.items())[: len(places) - 2])
        for companion in companions.values():
            companion["at"] = places.pop(0)
        order = [str(name) for name in rng.permutation([*heroes, *companions])]
        living = [name for name in order if {**heroes, **companions}[name].get("hp", 1) > 0]
        scene: dict[str, Any] = {
            "format": {"board": [WIDTH, HEIGHT], "hero_level": LEVEL, "team_size": size},
            "characters": heroes,
            "companions": companions,
            "scenario_zone": scenario[:3],
            "initiative": order,
            "turn": living[0],
            "phase": self._phase(rng),
        }
        if self.needs.says("tile", "aqua", "swamp", "altitude", "terrain", "aquatic") or rng.random() < 0.15:
            scene["tiles"] = {
                f"{x},{y}": {"altitude": int(rng.integers(3)), "terrain": str(rng.choice(GROUNDS))}
                for x in range(WIDTH)
                for y in range(HEIGHT)
            }
        if self.needs.says("object", "pieces") or rng.random() < 0.1:
            scene["objects"] = {"Wall": {"at": places.pop(0), "hp": 20, "movable": True}}
        if scene["phase"] == "setup":
            _free_starts(scene)
        return scene

    def _phase(self, rng: np.random.Generator) -> str:
        if self.needs.says("startofbattle") and rng.random() < 0.5:
            return "setup"
        return str(rng.choice(["main", "start", "end", "reset"], p=[0.6, 0.2, 0.1, 0.1]))

    def _hero(
        self, rng: np.random.Generator, name: str, holds: bool, companions: dict[str, Any], scenario: list[Any]
    ) -> dict[str, Any]:
        """Draws a Hero with its cards; its Companions and scenario cards are added to those given."""
        hero: dict[str, Any] = {
            "team": name[0],
            "attributes": self._attributes(rng),
            "knowledge": {knowledge.name: 3 for knowledge in Knowledge if knowledge != Knowledge.Free},
            "level": LEVEL,
            "slots": {"equipment": 20, "memento": 20, "support": 6},
            "markers": [marker for marker in sorted(self.needs.markers) if rng.random() < 0.5],
            "table": [], "hand": [], "deck": [], "discard": [], "extra": [],
        }  # fmt: skip
        if rng.random() < 0.6:
            hero["hp"] = int(rng.choice(HIT_POINTS))
        attached: list[Any] = []
        for prop in self.props:
            self._lay(rng, prop, name, hero, companions, scenario, attached)
        if holds:
            self._deal(rng, name, hero, companions, scenario, attached)
        room = MOST_CARDS - 5
        for zone in ("table", "hand", "deck", "discard"):
            hero[zone] = hero[zone][:room]
            room -= len(hero[zone])
        return hero

    def _attributes(self, rng: np.random.Generator) -> dict[str, int]:
        bounds = [number + 1 for number in self.needs.numbers if number < HIGHEST]
        values = {attribute.name: int(rng.choice([*ATTRIBUTES, *bounds])) for attribute in Attribute}
        return {**values, "AGI": int(rng.choice(AGILITIES))}

    def _copy(self, rng: np.random.Generator, card: CardBase, **further: Any) -> dict[str, Any]:
        """Returns a copy of a card with some of the counters that the effects speak of."""
        chance = 0.6 if card is self.card else 0.2
        counters = {name: int(rng.integers(1, 5)) for name in sorted(self.needs.counters) if rng.random() < chance}
        if is_ultimatum(card):
            counters["ULTIMATE"] = 3  # R22.3
        return {"card": card.id, **further, **({"counters": counters} if counters else {})}

    def _lay(
        self,
        rng: np.random.Generator,
        prop: Prop,
        name: str,
        hero: dict[str, Any],
        companions: dict[str, Any],
        scenario: list[Any],
        attached: list[Any],
    ) -> None:
        """Gives a Hero copies of a prop in some of the zones where an effect may look for it."""
        card = prop.card
        if isinstance(card, House):
            hero["house"] = card.id
            return
        if isinstance(card, Class):
            hero["classes"] = [*hero.get("classes", []), card.id][:3]
            return
        if isinstance(card, Entity):
            if self.needs.says("free") and rng.random() < 0.7:
                return
            hero["entity"] = {"card": card.id, "face_down": bool(rng.random() < 0.4)}
            return
        zones = [ZONE_OF[zone] for zone in prop.zones if zone in ZONE_OF]
        wanted = [zone for zone in zones if rng.random() < 0.8] or [zone for zone, chance in SPREAD if rng.random() < chance]
        if isinstance(card, Event) and "scenario" not in wanted and rng.random() < 0.25:
            wanted.append("scenario")
        for zone in wanted:
            if zone == "scenario":
                scenario.append({"card": card.id, "owner": name})
            elif zone == "attached":
                attached.append(card.id)
            elif zone == "table" and isinstance(card, Companion):
                if card.companion_type == CompanionType.Summon and rng.random() < 0.3:
                    hero["table"].append({"card": card.id})
                elif len([other for other in companions if other.startswith(name)]) < 3:
                    self._stand(rng, name, card, [], companions)
            elif zone == "table" and isinstance(card, Event):
                hero["hand"].append(card.id)
            else:
                further = {"exhausted": True} if zone == "table" and rng.random() < 0.2 else {}
                hero[zone] += [self._copy(rng, card, **further)]

    def _stand(
        self, rng: np.random.Generator, owner: str, card: CardBase, attachments: list[Any], companions: dict[str, Any]
    ) -> None:
        """Puts a Companion on the board."""
        piece: dict[str, Any] = {"owner": owner, "card": self._copy(rng, card), "attachments": attachments}
        piece["ap"] = 9
        if rng.random() < 0.3:
            piece["hp"] = 10
        if card is not self.card and self.needs.says(*DEATHS) and rng.random() < 0.4:
            piece["hp"] = 0
        piece["markers"] = [marker for marker in sorted(self.needs.markers) if rng.random() < 0.4]
        companions[f"{owner}c{len(companions)}"] = piece

    def _deal(
        self,
        rng: np.random.Generator,
        name: str,
        hero: dict[str, Any],
        companions: dict[str, Any],
        scenario: list[Any],
        attached: list[Any],
    ) -> None:
        """Gives a Hero the card itself wherever it may be."""
        card = self.card
        if isinstance(card, House):
            hero["house"] = card.id
            return
        if isinstance(card, Class):
            hero["classes"] = [self._copy(rng, card), *hero.get("classes", [])][:3]
            return
        if isinstance(card, Entity):
            hero["entity"] = self._copy(rng, card, face_down=bool(rng.random() < 0.2))
            return
        for zone, copies in (("hand", 2), ("deck", 1), ("discard", 1)):
            hero[zone] = [*[card.id] * copies, *hero[zone]]
        if isinstance(card, Companion):
            fitting = self._attachments(rng, attached)
            first = {key: companions.pop(key) for key in list(companions)}
            self._stand(rng, name, card, fitting, companions)
            companions.update(first)
        elif isinstance(card, Event):
            if "Table" in str(self.scoped) or rng.random() < 0.2:
                hero["extra"].append(self._copy(rng, card))
            if self.needs.says("scenario") or "Scenario" in str(self.scoped) or rng.random() < 0.2:
                scenario.insert(0, self._copy(rng, card, owner=name))
        else:
            further = {"exhausted": True} if rng.random() < 0.2 else {}
            hero["table"] = [self._copy(rng, card, **further), *hero["table"]]

    def _attachments(self, rng: np.random.Generator, attached: list[Any]) -> list[Any]:
        """Returns attachments of the card that unlock one of its techniques, and others that its effects speak of."""
        chosen: list[Any] = []
        if self.required:
            for word in self.required[int(rng.integers(len(self.required)))]:
                fits = [prop.card.id for prop in self.props if serves(prop.card, word)]
                chosen += [str(rng.choice(fits))] if fits else []
        return [*chosen, *attached][:4]


def _free_starts(scene: dict[str, Any]) -> None:
    """Takes terrain and pieces out of the rows where the Heroes are still to be placed (A3.2)."""
    starts = (0, HEIGHT - 1)
    heroes = scene["characters"].values()
    pieces = [*scene["companions"].values(), *scene.get("objects", {}).values()]
    used = [piece["at"] for piece in (*heroes, *pieces)]
    free = [[x, y] for y in range(HEIGHT) for x in range(WIDTH) if y not in starts and [x, y] not in used]
    for piece in pieces:
        if piece["at"][1] in starts:
            hero = next((one for one in heroes if one["at"][1] not in starts), None)
            if free:
                piece["at"] = free.pop()
            elif hero is not None:
                piece["at"], hero["at"] = hero["at"], piece["at"]
    if "tiles" in scene:
        scene["tiles"] = {tile: look for tile, look in scene["tiles"].items() if int(tile.split(",")[1]) not in starts}


def widened(pool: Pool, numbers: range, further: list[CardBase]) -> Pool:
    """Returns a pool of some of a pool's cards and further ones, in which no text is read a second time.

    Args:
        pool: a pool whose texts have been read.
        numbers: the numbers of its cards that stay.
        further: cards whose effects are in the language.
    """
    made = make_pool([*(pool.cards[number] for number in numbers), *further], pool.source, pool.overrides)
    read = [*(pool.readings[number] for number in numbers), *(read_card(card, {}) for card in further)]
    made.__dict__["readings"] = tuple(read)
    return made


def with_sheets(pool: Pool) -> Pool:
    """Returns a pool with the cards of the starter set added, so that Heroes can be built around any cards."""
    known = {card.id for card in pool.cards}
    return widened(pool, range(len(pool)), [card for card in load_cards("starter") if card.id not in known])
