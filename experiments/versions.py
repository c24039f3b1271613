"""Two versions of cards in one pool: what an A/B test plays with.

Both versions of a changed card stand side by side, the new one under its own id, and each deck comes twice: as it is,
and with every copy of a changed card in its new version. Nothing else differs, so the result is the effect of the
change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apotheosis.env.cards.changes import changes
from apotheosis.env.cards.deck_draws import DeckSampler
from apotheosis.env.cards.decks import Deck, violations
from apotheosis.env.cards.loader import check_card
from apotheosis.env.cards.pool import Pool, make_pool
from apotheosis.env.cards.readings import INERT, PARTIAL
from apotheosis.env.cards.schema import CardBase
from apotheosis.env.cards.yaml_file import plain, write_yaml
from apotheosis.env.errors import InputError, closest
from apotheosis.experiments import store
from apotheosis.experiments.plan import Side
from apotheosis.experiments.seeds import Purpose, generator
from apotheosis.experiments.spec import DECKS_PER_CARD, Spec

NEW = "new"
OLD = "old"
"""Ends of the names of the two sides of a deck."""
DRAWS_PER_DECK = 400
"""Random decks drawn at most for one that holds a changed card."""
CARDS, OVERRIDES = "cards.yaml", "overrides.yaml"
"""Files of the test's folder that hold both versions."""


@dataclass(frozen=True)
class Versions:
    """Two versions of cards.

    Attributes:
        old: the pool as it was; random decks are drawn from it.
        both: the same with the new versions added under their own ids.
        new_ids: id of the new version by id of the card.
        changes: rows of `env.cards.changes` for the cards that are compared.
        ignored: ids of cards that only one of two card files has; they cannot be compared.
    """

    old: Pool
    both: Pool
    new_ids: Mapping[str, str]
    changes: list[dict[str, Any]]
    ignored: tuple[str, ...]

    @property
    def unsimulated(self) -> dict[str, str]:
        """Clauses that the lab does not play, by id of a compared card (R27.6)."""
        found: dict[str, str] = {}
        for card in (*self.new_ids, *self.new_ids.values()):
            readings = self.both.readings[self.both.number(card)]
            missing = [reading for reading in readings if reading.status in (PARTIAL, INERT)]
            if missing:
                found[card] = "; ".join(reading.clause or reading.reason or "" for reading in missing)
        return found


def compare_pools(old: Pool, new: Pool) -> Versions:
    """Returns the versions of all cards that both pools have and that differ.

    Raises:
        InputError: no card differs.
    """
    rows = changes(list(old.cards), list(new.cards))
    changed = list(dict.fromkeys(row["id"] for row in rows if row["change"] == "changed"))
    changed += [name for name in _reread(old, new) if name not in changed]
    ignored = tuple(row["id"] for row in rows if row["change"] != "changed")
    if not changed:
        extra = f" ({len(ignored)} cards are only in one of them)" if ignored else ""
        raise InputError(f"{old.source} and {new.source} have no card that differs{extra}")
    new_ids = {name: _free_id(name, old, new) for name in changed}
    cards = [_renamed(new.card(name), new_ids[name]) for name in changed]
    overrides = dict(old.overrides)
    for (name, label), entry in new.overrides.items():
        if name in new_ids:
            overrides[new_ids[name], label] = entry.model_copy(update={"id": new_ids[name]})
    both = make_pool([*old.cards, *cards], old.source, overrides)
    kept = [row for row in rows if row["change"] == "changed"]
    return Versions(old, both, new_ids, kept, ignored)


def field_path(key: str) -> list[str]:
    """Returns the parts of a field; the numbers of list entries may stand in brackets, as `cards check --against` prints
    them, or behind dots."""
    return re.sub(r"\[(\d+)\]", r".\1", key).split(".")


def with_settings(pool: Pool, card_id: str, settings: Mapping[str, Any]) -> Pool:
    """Returns the pool with some fields of one card changed.

    Args:
        pool: the cards.
        card_id: the card.
        settings: new values by field; parts of a field are written with dots, entries of a list by number, for
            instance `damage.constant`, `techniques[0].action` or `techniques.0.action`.

    Raises:
        InputError: the card or a field does not exist, or a value is not allowed.
    """
    card = pool.card(card_id)
    values = card.model_dump(mode="json", by_alias=True) | plain(card)
    for key, value in settings.items():
        _set(values, field_path(key), value, f"card {card_id}", key)
    changed, faults = check_card(values, lambda path: "--set " + ".".join(map(str, path)))
    if changed is None or faults:
        raise faults[0]
    cards = [changed if each.id == card_id else each for each in pool.cards]
    return make_pool(cards, f"{pool.source} with {card_id} changed", pool.overrides)


def version_sides(versions: Versions, spec: Spec, listed: Sequence[Deck] | None, experiment: int) -> list[Side]:
    """Returns pairs of sides: each deck with the new version of the changed cards, then the deck as it was.

    Args:
        versions: the versions.
        spec: says how many random decks are drawn, and how.
        listed: decks to use instead; those without a changed card are left out.
        experiment: random decks of another experiment are other decks.

    Raises:
        InputError: no deck holds a changed card, teams are larger than one, or the new version makes a deck illegal.
    """
    if spec.format.team_size != 1:
        raise InputError("a test of card versions needs format.team_size = 1")
    decks = _drawn(versions, spec, experiment) if listed is None else _holding(versions, spec, listed)
    sides = []
    for deck in decks:
        for name, each in ((NEW, renewed(deck, versions.new_ids)), (OLD, deck)):
            sides.append(Side(f"{deck.name}/{name}", (each.model_dump(mode="json"),)))
    return sides


def renewed(deck: Deck, new_ids: Mapping[str, str]) -> Deck:
    """Returns a deck with every changed card in its new version, each copy in its old slot."""
    return deck.model_copy(
        update={
            "house": new_ids.get(deck.house, deck.house),
            "classes": [new_ids.get(name, name) for name in deck.classes],
            "entity": None if deck.entity is None else new_ids.get(deck.entity, deck.entity),
            "cards": {new_ids.get(name, name): copies for name, copies in deck.cards.items()},
        }
    )


def located(folder: Path, versions: Versions, spec: Spec) -> Spec:
    """Returns the spec that plays both versions from the files that `write` puts into the test's folder."""
    overrides = [str(folder / OVERRIDES)] if versions.both.overrides else []
    paths = {"pool": str(folder / CARDS), "overrides": overrides}
    return spec.model_copy(update={"cards": spec.cards.model_copy(update=paths)})


def write(folder: Path, versions: Versions) -> None:
    """Writes both versions into the test's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    store.write_bytes(folder / CARDS, write_yaml(list(versions.both.cards)).encode())
    entries: dict[str, dict[str, Any]] = {}
    for name, label in sorted(versions.both.overrides):
        said = versions.both.overrides[name, label]
        entry = entries.setdefault(name, {"id": name, "effects": {}, "texts": {}, "lacks": {}})
        entry["effects"][label] = [effect.model_dump(by_alias=True, exclude_defaults=True) for effect in said.effects]
        if said.text is not None:
            entry["texts"][label] = said.text
        if said.lacks is not None:
            entry["lacks"][label] = said.lacks
    store.write_json(folder / OVERRIDES, list(entries.values()))


def _reread(old: Pool, new: Pool) -> list[str]:
    """Returns the cards whose overrides differ although their files say the same."""
    keys = {key for key in {*old.overrides, *new.overrides} if old.overrides.get(key) != new.overrides.get(key)}
    return sorted({name for name, _ in keys if name in old.index and name in new.index})


def _free_id(name: str, *pools: Pool) -> str:
    """Returns an id for the new version of a card that no card of the pools has."""
    number, found = 2, f"{name}_v2"
    while any(found in pool.index for pool in pools):
        number += 1
        found = f"{name}_v{number}"
    return found


def _renamed(card: CardBase, new_id: str) -> CardBase:
    """Returns a card under another id, its name marked as the new version."""
    mark = new_id.rpartition("_")[2]
    names: dict[str, Any] = {"id": new_id, "name": f"{card.name} ({mark})"}
    if card.name_pt:
        names["name_pt"] = f"{card.name_pt} ({mark})"
    return card.model_copy(update=names)


def _set(values: Any, path: Sequence[str], value: Any, where: str, key: str) -> None:
    """Lays one value into a card's plain values, in place.

    Raises:
        InputError: a part of the path does not exist.
    """
    for step, part in enumerate(path):
        last = step == len(path) - 1
        if isinstance(values, list):
            if not part.isdigit() or int(part) >= len(values):
                raise InputError(f"--set {key}: {part!r} is no number from 0 to {len(values) - 1}", where)
            index: Any = int(part)
        elif isinstance(values, dict):
            index = part
            if part not in values and (step == 0 or not last):
                hint = closest(part, values)
                raise InputError(
                    f"--set {key}: there is no field {part!r}" + (f"; did you mean {hint!r}?" if hint else ""), where
                )
        else:
            raise InputError(f"--set {key}: {'.'.join(path[:step])} has no parts", where)
        if last:
            values[index] = value
            return
        if values[index] is None:
            values[index] = {}
        values = values[index]


def _holding(versions: Versions, spec: Spec, listed: Sequence[Deck]) -> list[Deck]:
    """Returns the decks that hold a changed card.

    Raises:
        InputError: there is none, or a new version makes one illegal.
    """
    decks = [deck for deck in listed if not versions.new_ids.keys().isdisjoint(deck.ids())]
    if not decks:
        names = ", ".join(list(versions.new_ids)[:3])
        raise InputError(f"none of the {len(listed)} decks holds a changed card ({names})")
    for deck in decks:
        broken = violations(renewed(deck, versions.new_ids), versions.both, spec.format)
        if broken:
            raise InputError(f"{'; '.join(map(str, broken))} (with the new version)", f"deck {deck.name}")
    return decks


def _drawn(versions: Versions, spec: Spec, experiment: int) -> list[Deck]:
    """Draws random decks of the old cards until enough of them hold a changed one and stay legal with the new version.

    Raises:
        InputError: too few of the random decks do.
    """
    sampler = DeckSampler(versions.old, spec.format, spec.decks.generator)
    rng = generator(spec.run.seed, experiment, 0, Purpose.DECK)
    changed = versions.new_ids.keys()
    numbers = {versions.old.number(name) for name in changed}
    n = min(spec.decks.n or DECKS_PER_CARD * len(versions.old), spec.pairs)
    decks: list[Deck] = []
    for _ in range(n * DRAWS_PER_DECK):
        row = sampler.draw(rng)
        if numbers.isdisjoint(row.tolist()):
            continue
        deck = sampler.deck(row, f"random-{len(decks) + 1:0{len(str(n))}d}")
        if violations(renewed(deck, versions.new_ids), versions.both, spec.format):
            continue
        decks.append(deck)
        if len(decks) == n:
            return decks
    names = ", ".join(list(changed)[:3])
    raise InputError(
        f"of {n * DRAWS_PER_DECK} random decks only {len(decks)} hold a changed card ({names}) and are legal with its "
        "new version; give decks that hold it with --decks"
    )
