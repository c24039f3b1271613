"""The board of a replay as SVG: tiles with terrain and altitude, pieces with their HP.

The page's script draws the pieces of the step shown; the same drawing with its pieces stands in the list at every stint, for
print and for readers without scripts.
"""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from apotheosis.experiments.report.wording import Words

TILE, GAP = 120, 4
"""Width and height of a tile, and the space between tiles, in units of the drawing."""
MARKS = {
    "rock": "M{x} {y}m14 92l30 -44l22 26l16 -20l24 38",
    "sand": "",
    "swamp": "M{x} {y}m14 74q11 -9 23 0t23 0t23 0t23 0m-92 18q11 -9 23 0t23 0t23 0t23 0",
    "ice": "M{x} {y}m22 96l26 -38m14 38l26 -38m-52 6l14 -20",
    "silver_ice": "M{x} {y}m22 96l26 -38m14 38l26 -38m-52 6l14 -20m30 4l10 -14",
    "aqua": "M{x} {y}m12 52q12 -10 24 0t24 0t24 0t24 0m-96 22q12 -10 24 0t24 0t24 0t24 0m-96 22q12 -10 24 0t24 0t24 0t24 0",
    "blocked": "M{x} {y}m30 40l60 60m0 -60l-60 60",
    "disabled": "",
}
"""A line drawing for each terrain, so that none is told by colour alone."""


def pieces_of(picture: dict[str, Any]) -> list[str]:
    """Returns the names of the pieces and Heroes of a picture, Heroes last so that they are drawn on top."""
    names = [path.removesuffix(".at") for path in picture if path.endswith(".at")]
    return sorted(names, key=lambda name: (f"{name}.hand" in picture, name))


def board_svg(board: dict[str, int], picture: dict[str, Any], words: Words, full: bool) -> Markup:
    """Returns the board of a moment.

    Args:
        board: width and height in tiles.
        picture: the moment, by path.
        words: the language.
        full: the board of the page, whose pieces its script draws; else a small one with its pieces.
    """
    width, height = board["width"], board["height"]
    parts = [_tile(x, y, height, picture["tiles"], words, full) for y in range(height) for x in range(width)]
    pieces = Markup("") if full else Markup("").join(_piece(name, picture, height) for name in pieces_of(picture))
    size = f"-2 -4 {width * (TILE + GAP)} {height * (TILE + GAP) + 8}"
    label = words.plain("replay.board", width=width, height=height)
    group = Markup('<g id="pieces"></g><g id="marks"></g>') if full else pieces
    return Markup('<svg class="board"{0} style="--tiles:{5}" viewBox="{1}" role="img" aria-label="{2}">{3}{4}</svg>').format(
        Markup(' id="board"') if full else "", size, label, Markup("").join(parts), group, width
    )


def _tile(x: int, y: int, height: int, tiles: dict[str, Any], words: Words, full: bool) -> Markup:
    terrain, altitude = tiles.get(f"{x},{y}", ("field", 0))
    left, top = x * (TILE + GAP), (height - 1 - y) * (TILE + GAP)
    lift = min(3, max(0, altitude)) * 3
    parts = []
    if lift:
        parts.append(f'<rect class="side" x="{left + 1}" y="{top + 5}" width="{TILE - 2}" height="{TILE - 3}" rx="8"/>')
    parts.append(f'<rect class="tile t-{terrain}" x="{left}" y="{top - lift}" width="{TILE}" height="{TILE}" rx="8"/>')
    if MARKS.get(terrain):
        parts.append(f'<path class="mark" d="{MARKS[terrain].format(x=left, y=top - lift)}"/>')
    if terrain == "sand":
        spots = [(24, 60), (52, 84), (80, 62), (98, 96), (34, 100), (66, 50)]
        parts += [f'<circle class="dots" cx="{left + a}" cy="{top - lift + b}" r="2"/>' for a, b in spots]
    if full:
        parts.append(f'<text x="{left + 8}" y="{top - lift + 17}">{x}, {y}</text>')
        if terrain != "field":
            parts.append(f'<text x="{left + 8}" y="{top - lift + 112}">{words.term("terrain", terrain)}</text>')
    if altitude:
        parts.append(f'<text class="alt" x="{left + 112}" y="{top - lift + 17}" text-anchor="end">▲{altitude}</text>')
    return Markup("").join(Markup(part) for part in parts)


def _piece(name: str, picture: dict[str, Any], height: int) -> Markup:
    at = picture[f"{name}.at"]
    hero = f"{name}.hand" in picture
    if at is None or (not hero and not picture[f"{name}.alive"]):
        return Markup("")
    x, y = at[0] * (TILE + GAP) + TILE / 2, (height - 1 - at[1]) * (TILE + GAP) + TILE / 2 - 4
    seat = {"a": "A", "b": "B"}.get(name[0].lower(), "none")
    if hero:
        shape = (
            '<circle class="token of-A" r="25"/>'
            if seat == "A"
            else '<rect class="token of-B" x="-23" y="-23" width="46" height="46" rx="7"/>'
        )
    else:
        shape = f'<path class="token of-{seat}" d="M0 -25L25 0L0 25L-25 0Z"/>'
    down = "" if picture[f"{name}.alive"] else " down"
    return Markup(
        f'<g class="piece{down}" transform="translate({x:g} {y:g})">{shape}<text y="6">{name}</text>'
        f'<text class="hpn" y="46">{picture[f"{name}.hp"]}</text></g>'
    )
