"""The JSON Schema of card files, for editors that complete and check them."""

from typing import Any

from pydantic import TypeAdapter

from apotheosis.env.cards.schema import AnyCard


def card_file_schema() -> dict[str, Any]:
    """Returns the JSON Schema of a card file: a list of cards, or a mapping with the key `cards`."""
    cards = TypeAdapter(list[AnyCard]).json_schema(by_alias=True, ref_template="#/$defs/{model}")
    definitions = cards.pop("$defs")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Cards",
        "$defs": definitions,
        "anyOf": [
            cards,
            {"type": "object", "properties": {"cards": cards}, "required": ["cards"], "additionalProperties": False},
        ],
    }
