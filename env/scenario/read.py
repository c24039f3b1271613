"""Reads scenario files and checks their shape; every fault names file and line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apotheosis.env.cards.yaml_file import read_yaml
from apotheosis.env.cards.yaml_tree import Tree
from apotheosis.env.errors import InputError, unknown

Key = tuple[str | int, ...]

TOP = (
    "scenario", "rules", "format", "pool", "cards", "characters", "initiative", "turn", "acted", "stint", "phase", "dice",
    "tiles", "objects", "companions", "scenario_zone", "trading_post", "gm", "steps",
)  # fmt: skip
HERO = (
    "team", "at", "attributes", "knowledge", "level", "hp", "ap", "debt", "markers", "house", "classes", "entity", "slots",
    "table", "hand", "deck", "discard", "extra", "limbo", "banished", "used",
)  # fmt: skip
COMPANION = ("owner", "card", "dummy", "at", "hp", "ap", "debt", "markers", "attachments", "acted")
DUMMY = ("attributes", "hp", "techniques", "level")
CARD = ("card", "exhausted", "counters", "attachments", "face_down", "revealed", "owner")
STEPS = ("do", "answer", "legal", "illegal", "pending", "end_turn", "sees", "repeat", "expect")
DO = ("who", "action", "card", "effect", "target", "to", "pay")
ILLEGAL = (*DO, "because")
PHASES = ("main", "start", "end", "reset", "setup")


@dataclass(frozen=True)
class Scenario:
    """A scenario file whose keys have been checked.

    Attributes:
        tree: the document with its lines.
        path: the file.
    """

    tree: Tree
    path: Path

    @property
    def value(self) -> dict[str, Any]:
        """The document."""
        return self.tree.value

    @property
    def name(self) -> str:
        """What the scenario is called."""
        return str(self.value.get("scenario", self.path.stem))

    def fault(self, message: str, *key: str | int) -> InputError:
        """Returns an error at the line of a key."""
        return InputError(message, self.tree.place(key))

    def get(self, *key: str | int, default: Any = None) -> Any:
        """Returns the value at a path of keys."""
        value: Any = self.value
        for part in key:
            if isinstance(value, dict) and part in value:
                value = value[part]
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                return default
        return value


def read_scenario(path: str | Path) -> Scenario:
    """Reads one scenario file.

    Raises:
        InputError: the file cannot be read, or a key is unknown or of the wrong kind.
    """
    scenario = Scenario(read_yaml(path), Path(path))
    if not isinstance(scenario.value, dict):
        raise InputError("a scenario is a mapping of keys to values", str(path))
    _keys(scenario, TOP, "key of a scenario")
    for key, kind in (("characters", dict), ("cards", list), ("steps", list), ("rules", list), ("format", dict)):
        if key in scenario.value and not isinstance(scenario.value[key], kind):
            raise scenario.fault(f"'{key}' must be {'a mapping' if kind is dict else 'a list'}", key)
    for group, allowed in (("characters", HERO), ("companions", COMPANION)):
        for name, row in (scenario.get(group) or {}).items():
            if not isinstance(row, dict):
                raise scenario.fault(f"the character {name} must be a mapping", group, name)
            _keys(scenario, allowed, "key of a character", group, name)
    if scenario.get("phase", default="main") not in PHASES:
        raise scenario.fault(unknown("phase", str(scenario.get("phase")), PHASES).message, "phase")
    _check_rules(scenario)
    _check_steps(scenario, scenario.get("steps") or [], ("steps",))
    return scenario


def _keys(scenario: Scenario, allowed: tuple[str, ...], what: str, *at: str | int) -> None:
    for key in scenario.get(*at) if at else scenario.value:
        if key not in allowed:
            raise scenario.fault(unknown(what, str(key), allowed).message, *at, key)


def _check_rules(scenario: Scenario) -> None:
    from apotheosis.env.rulebook import exists

    for index, rule in enumerate(scenario.get("rules") or []):
        if not exists(str(rule)):
            raise scenario.fault(f"there is no rule {rule}", "rules", index)


def _check_steps(scenario: Scenario, steps: Any, at: Key) -> None:
    if not isinstance(steps, list):
        raise scenario.fault("steps are a list", *at)
    for index, step in enumerate(steps):
        here = (*at, index)
        if not isinstance(step, dict) or len(step) != 1:
            raise scenario.fault("a step is a mapping with exactly one key", *here)
        ((kind, body),) = step.items()
        if kind not in STEPS:
            raise scenario.fault(unknown("step", str(kind), STEPS).message, *here)
        if kind in ("do", "legal", "illegal"):
            if not isinstance(body, dict) or "who" not in body or "action" not in body:
                raise scenario.fault(f"'{kind}' needs who and action", *here, kind)
            _keys(scenario, ILLEGAL if kind == "illegal" else DO, f"key of '{kind}'", *here, kind)
        if kind == "repeat":
            if not isinstance(body, dict) or set(body) != {"times", "steps"}:
                raise scenario.fault("'repeat' has the keys times and steps", *here, kind)
            _check_steps(scenario, body["steps"], (*here, kind, "steps"))
