"""The markup of the game's texts: `<b>..</>` spans, `{MACRO}` names and `❰name❱` brackets."""

_PAIRS = {"{": "}", "❰": "❱"}


def markup_fault(text: str) -> str | None:
    """Says what is unbalanced in the markup of a text, or None where all is well."""
    open_tags = 0
    position = 0
    while (position := text.find("<", position)) != -1:
        end = text.find(">", position)
        if end == -1:
            return f"the markup '{text[position : position + 12]}' is never closed"
        if text[position + 1] == "/":
            if end != position + 2:
                return f"the markup '{text[position : end + 1]}' closes nothing: spans end with '</>'"
            open_tags -= 1
            if open_tags < 0:
                return "the markup '</>' closes nothing"
        else:
            open_tags += 1
        position = end
    if open_tags:
        return f"{open_tags} markup tag(s) are not closed with '</>'"
    for opener, closer in _PAIRS.items():
        depth = 0
        for character in text:
            depth += (character == opener) - (character == closer)
            if depth not in (0, 1):
                return f"'{opener}' and '{closer}' are not balanced"
        if depth:
            return f"'{opener}' is not closed with '{closer}'"
    return None
