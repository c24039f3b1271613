"""Loads card files of either kind into checked cards, collecting every fault with its place.

Everything that reads cards goes through here, so that a card means the same to the command line, to a run and to a
scenario.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from apotheosis.env.cards import json_file, json_text, yaml_file
from apotheosis.env.cards.language.effect import build_models
from apotheosis.env.cards.schema import MODELS, CardBase
from apotheosis.env.cards.validation import Place, clipped, problems, together
from apotheosis.env.cards.yaml_tree import MAX_ENTRIES
from apotheosis.env.errors import InputError, unknown

DATA = Path(__file__).parent / "data"
STARTER = "starter"
"""The name of the bundled card set wherever a path to cards is asked for."""

_SUFFIXES = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}


@dataclass
class CardSet:
    """Cards in file order, with the place of each and the faults that were found."""

    cards: list[CardBase] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    errors: list[InputError] = field(default_factory=list)

    def add(self, card: CardBase, place: str) -> None:
        """Takes a card in, or records that its id is taken."""
        if card.id in self.places:
            self.errors.append(InputError(f"card {card.id}: the id is already used at {self.places[card.id]}", place))
            return
        self.cards.append(card)
        self.places[card.id] = place

    def checked(self) -> list[CardBase]:
        """Returns the cards.

        Raises:
            InputError: a fault was found.
        """
        if self.errors:
            raise together(self.errors)
        return self.cards


def card_files(path: str | Path) -> list[Path]:
    """Returns the card files that a path stands for: the starter set, a file, or all card files of a folder.

    Raises:
        InputError: there is no such file or folder, or the folder holds no card file.
    """
    if str(path) == STARTER:
        return sorted(DATA.glob("starter*.yaml"))
    place = Path(path)
    if not place.is_dir():
        return [place]
    files = sorted(file for file in place.iterdir() if file.suffix in _SUFFIXES)
    if not files:
        raise InputError("the folder holds no card file (.yaml, .yml or .json)", str(path))
    return files


def check_card(value: Any, place: Place) -> tuple[CardBase | None, list[InputError]]:
    """Checks one plain card against the model of its suit.

    Args:
        value: the card as plain values of our card files.
        place: tells the file and line of a path inside the card.

    Returns:
        The card (None where it is faulty) and its faults.
    """
    if not isinstance(value, dict):
        return None, [InputError(f"a card must be a mapping of keys to values, got {str(value)[:40]!r}", place(()))]
    name = value.get("id")
    who = f"card {clipped(name)}" if isinstance(name, str) else ""
    suit = value.get("suit")
    if not isinstance(suit, str) or suit not in MODELS:
        if "suit" not in value:
            return None, [InputError(f"{who}: the key 'suit' is missing" if who else "the key 'suit' is missing", place(()))]
        fault = unknown("suit", str(suit), MODELS)
        return None, [InputError(f"{who}: {fault.message}" if who else fault.message, place(("suit",)))]
    build_models()
    try:
        return MODELS[suit].model_validate(value), []
    except ValidationError as error:
        return None, problems(MODELS[suit], value, error, place, who)
    except RecursionError:
        return None, [InputError(f"{who}: values are nested too deep", place(()))]


def _add_json(found: CardSet, file: Path) -> None:
    entries = json_text.read_json(file)
    if len(entries) > MAX_ENTRIES:
        raise InputError(f"a file holds at most {MAX_ENTRIES} cards, this one has {len(entries)}", str(file))
    for raw, line in entries:
        place = f"{file}:{line}"
        try:
            value = json_file.from_json(raw)
        except json_text.NotMapped as error:
            name = raw.get("Id") if isinstance(raw, dict) else None
            found.errors.append(InputError(f"card {clipped(name)}: {error}" if isinstance(name, str) else str(error), place))
            continue
        card, errors = check_card(value, lambda path, place=place: place)
        if card is not None:
            losses = json_file.keep_losses(value, raw, card)
            if len(losses) > len(value):
                card, errors = check_card(losses, lambda path, place=place: place)
        found.errors += errors
        if card is not None:
            found.add(card, place)


def _add_yaml(found: CardSet, file: Path) -> None:
    tree = yaml_file.read_yaml(file)
    for value, path in yaml_file.card_entries(tree):
        card, errors = check_card(value, lambda inner, path=path: tree.place((*path, *inner)))
        found.errors += errors
        if card is not None:
            found.add(card, tree.place(path))


def read_cards(path: str | Path) -> CardSet:
    """Reads all cards of a file or folder, going on after faulty cards.

    Args:
        path: a card file (our YAML or the game's cards.json), a folder of them, or "starter".

    Returns:
        The cards that are sound and the faults of the others.

    Raises:
        InputError: a file cannot be read at all.
    """
    found = CardSet()
    for file in card_files(path):
        kind = _SUFFIXES.get(file.suffix.lower())
        if kind is None:
            raise InputError(f"card files end in .yaml, .yml or .json, not in {file.suffix or 'nothing'!r}", str(file))
        (_add_json if kind == "json" else _add_yaml)(found, file)
    return found


def load_cards(path: str | Path) -> list[CardBase]:
    """Returns all cards of a file or folder.

    Args:
        path: a card file, a folder of them, or "starter".

    Raises:
        InputError: a file or a card is faulty.
    """
    return read_cards(path).checked()
