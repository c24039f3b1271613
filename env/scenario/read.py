"""Reads scenario files and checks their shape; every fault names file and line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apotheosis.env.cards.yaml_file import read_yaml
from apotheosis.env.cards.yaml_tree import Tree
from apotheosis.env.errors import InputError, unknown
from apotheosis.env.scenario.shape import SCENARIO


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
    SCENARIO(scenario, scenario.value, ())
    _check_rules(scenario)
    _check_names(scenario)
    return scenario


def _check_rules(scenario: Scenario) -> None:
    from apotheosis.env.rulebook import exists

    for index, rule in enumerate(scenario.get("rules") or []):
        if not exists(str(rule)):
            raise scenario.fault(f"there is no rule {rule}", "rules", index)


def _check_names(scenario: Scenario) -> None:
    """Checks that whose moment it is says who is there, and nobody twice."""
    heroes, others = scenario.get("characters") or {}, scenario.get("companions") or {}
    people = [*heroes, *others]
    for name in others:
        if name in heroes:
            raise scenario.fault(f"{name} is a Hero and a Companion", "companions", name)
    for key in ("initiative", "acted"):
        listed = scenario.get(key) or []
        for index, name in enumerate(listed):
            if name not in people:
                raise scenario.fault(unknown("character", str(name), people).message, key, index)
            if name in listed[:index]:
                raise scenario.fault(f"{name} stands there twice", key, index)
    turn = scenario.get("turn")
    if turn is not None and turn not in people:
        raise scenario.fault(unknown("character", str(turn), people).message, "turn")
