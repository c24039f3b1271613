"""A replay as one page: board, seats, what is resolved and what happened, step by step.

The list of steps is written into the page, so that it reads, prints and searches without scripts; the script lets a reader
move through it and draws the moment. Data for the script are the changes of each step, nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from apotheosis.env.rulebook import title
from apotheosis.experiments.report.page import render
from apotheosis.experiments.report.replay_board import board_svg
from apotheosis.experiments.report.wording import Words

TERRAINS = ("field", "rock", "swamp", "sand", "ice", "silver_ice", "aqua", "blocked", "disabled")
ZONES = ("table", "hand", "discard", "sheet", "resolving", "limbo", "banished")
"""Zones of a Hero in the order in which the page lists them."""
OPEN_ZONES = ("table", "hand", "discard")
"""Zones that are listed even when they are empty."""
SCRIPT_WORDS = (
    "ap", "debt", "deck", "hidden", "exhausted", "asleep", "stack.none", "play", "pause", "zone.scenario", "stint", "chance_of",
    "stack.activation", "stack.attack", "stack.check", "stack.death", "stack.salvation",
)  # fmt: skip
"""Words that the script needs, by key under `replay.`."""


def replay_page(replay: dict[str, Any], back: str | None = None) -> str:
    """Returns the page of a replay.

    Args:
        replay: the replay as data (see `apotheosis.experiments.replays`).
        back: address of the report that it belongs to, or None.
    """
    words = Words(replay["language"])
    about = replay["about"]
    rules = sorted({step["rule"] for step in replay["steps"] if "rule" in step})
    pictures = list(_pictures(replay["steps"]))
    shown = list(_chances(replay["steps"]))
    return render(
        "replay.html.j2",
        words,
        title=words("replay.title", id=str(about["match"])) if "match" in about else words("replay.untitled"),
        line=words("replay.line", run=about.get("run", ""), format=about["format"], a=about["decks"][0], b=about["decks"][1]),
        result=_result(about, words),
        view=replay["view"],
        views=("all", "A", "B"),
        back=back,
        heroes=[_hero(hero, replay, words) for hero in sorted(replay["heroes"], key=lambda h: h["seat"], reverse=True)],
        zones=ZONES,
        board=board_svg(replay["board"], pictures[0], words, full=True),
        terrains=_terrains(pictures[0]["tiles"]),
        curve="chance" if shown[-1] is not None else "curve",
        steps=[
            _step(step, picture, chance, replay, words)
            for step, picture, chance in zip(replay["steps"], pictures, shown, strict=True)
        ],
        data=_data(replay, rules, words),
    )


def _result(about: dict[str, Any], words: Words) -> Markup:
    outcome, cause = (words.term(group, about[group]) for group in ("outcome", "cause"))
    outcome = outcome[:1].upper() + outcome[1:]
    return words("replay.result", outcome=outcome, cause=cause, stints=about["stints"], turns=about["turns"])


def _pictures(steps: list[dict[str, Any]]) -> Any:
    """Yields the whole picture after each step."""
    picture: dict[str, Any] = {}
    for step in steps:
        picture = {path: value for path, value in {**picture, **step["change"]}.items() if value is not None or ".at" in path}
        yield picture


def _chances(steps: list[dict[str, Any]]) -> Iterator[float | None]:
    """Yields the chance of seat A at each step, None before there is one."""
    chance = None
    for step in steps:
        chance = step.get("chance", chance)
        yield chance


def _terrains(tiles: dict[str, Any]) -> list[str]:
    seen = {terrain for terrain, _ in tiles.values()}
    return [name for name in TERRAINS if name == "field" or name in seen]


def _hero(hero: dict[str, Any], replay: dict[str, Any], words: Words) -> dict[str, Any]:
    names = [replay["cards"][card]["name"] for card in hero["sheet"]]
    return {
        **hero,
        "line": Markup(" · ").join([words("replay.level", n=hero["level"]), hero["deck"], hero["bot"]]),
        "cards": names,
    }


def _step(
    step: dict[str, Any], picture: dict[str, Any], chance: float | None, replay: dict[str, Any], words: Words
) -> dict[str, Any]:
    """Returns a line of the list; a stint also shows the board and what each Hero has."""
    row = {"rule": "", "card": "", "says": "", "seat": "", "told": {}, **step, "still": None}
    special = {"stint": " stint", "turn": " turnline"}.get(step["kind"], "")
    row["cls"] = f"d{step['depth']}{special} {row['seat']}".strip()
    row["silent"] = "".join(seat for seat, text in row["told"].items() if text is None)
    if step["kind"] == "stint":
        row["still"] = {
            "board": board_svg(replay["board"], picture, words, full=False),
            "heroes": [_standing(hero["name"], picture, words) for hero in replay["heroes"]],
            "chance": None if chance is None else words("replay.still_chance", chance=words.percent(chance, 0)),
        }
    return row


def _standing(name: str, picture: dict[str, Any], words: Words) -> Markup:
    values = {zone: len(picture[f"{name}.{zone}"]) for zone in ("hand", "table")}
    return words("replay.still", name=name, hp=picture[f"{name}.hp"], **values)


def _data(replay: dict[str, Any], rules: list[str], words: Words) -> Markup:
    """Returns what the script reads, as JSON that may stand in a page."""
    short = ("seat", "kind", "card", "rule", "says", "chance")
    data = {
        "view": replay["view"],
        "board": replay["board"],
        "heroes": [{"name": hero["name"], "seat": hero["seat"]} for hero in replay["heroes"]],
        "zones": ZONES,
        "open": OPEN_ZONES,
        "cards": replay["cards"],
        "rules": {rule: title(rule) for rule in rules},
        "words": {key: words.plain(f"replay.{key}", n="{n}") for key in SCRIPT_WORDS},
        "steps": [
            {"change": step["change"], "stint": step["stint"], **{name: step[name] for name in short if name in step}}
            for step in replay["steps"]
        ],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028"))
