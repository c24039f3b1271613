"""One form for each effect of the language: two files that say the same with other words have the same tree."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_DICE = re.compile(r"dice\((\d+D\d+)\)")


def canonical(effect: Mapping[str, Any]) -> dict[str, Any]:
    """Returns an effect without what goes without saying: defaults, aliases, lists of one, the longer form of selectors.

    Args:
        effect: an effect in the language, with plain values.

    Raises:
        pydantic.ValidationError: it is none.
    """
    from apotheosis.env.cards.language.effect import TypedEffect

    dumped = TypedEffect.model_validate(effect).model_dump(by_alias=True, exclude_defaults=True)
    return json.loads(json.dumps(dumped))


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tells whether two effects are the same in the language; dice may be written with or without their function."""
    return _bare(canonical(one)) == _bare(canonical(other))


def _bare(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _bare(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_bare(value) for value in tree]
    return _DICE.sub(r"\1", tree) if isinstance(tree, str) else tree
