"""What has changed between two sets of cards, field by field."""

from typing import Any

from apotheosis.env.cards.schema import CardBase
from apotheosis.env.cards.yaml_file import plain


def _differences(old: Any, new: Any, path: str) -> list[tuple[str, Any, Any]]:
    if old == new:
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            found
            for key in dict.fromkeys((*old, *new))
            for found in _differences(old.get(key), new.get(key), f"{path}.{key}" if path else str(key))
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            found
            for index, (before, after) in enumerate(zip(old, new, strict=True))
            for found in _differences(before, after, f"{path}[{index}]")
        ]
    return [(path, old, new)]


def changes(old: list[CardBase], new: list[CardBase]) -> list[dict[str, Any]]:
    """Lists what differs between two sets of cards.

    Args:
        old: the earlier cards.
        new: the later cards.

    Returns:
        One row per difference, in the order of the later cards, removed ones last: id and change (added, removed,
        changed), with field, old and new where a field has changed; None stands for a field that is left out.
    """
    before = {card.id: card for card in old}
    after = {card.id: card for card in new}
    rows: list[dict[str, Any]] = []
    for name, card in after.items():
        if name not in before:
            rows.append({"id": name, "change": "added"})
            continue
        for field, was, now in _differences(plain(before[name]), plain(card), ""):
            rows.append({"id": name, "change": "changed", "field": field, "old": was, "new": now})
    rows += [{"id": name, "change": "removed"} for name in before if name not in after]
    return rows
