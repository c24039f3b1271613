"""A position shown: board, characters, cards, what is legal and why the rest is not.

Names are those of the scenario file, and legal and illegal actions have the keys of its steps, so that they can be copied
into one.
"""

from __future__ import annotations

from typing import Any

from apotheosis.env.action_text import KIND_WORDS, question_text
from apotheosis.env.board_text import board
from apotheosis.env.observe import observe
from apotheosis.env.picture import HERO_ZONES, Painter, plain
from apotheosis.env.refusals import Action, legal_actions, refusals
from apotheosis.env.rules.codes import Decision, Kind
from apotheosis.env.rules.layout import CARDS, SIDE
from apotheosis.env.scenario.play import Player
from apotheosis.env.vocabulary import Attribute


class _Names:
    """The labels of a scenario's characters, as a painter asks for them."""

    def __init__(self, player: Player):
        self._name = player.position.char_name

    def of(self, state: Any, char: int) -> str:
        """Returns the name of a character."""
        return self._name(char) if char >= 0 else ""


def position_data(player: Player) -> dict[str, Any]:
    """Returns a position as data: time, pending question, characters with their cards, legal and illegal actions."""
    match, state = player.match, player.match.state
    painter = Painter(match.pool, _Names(player))  # type: ignore[arg-type]
    picture = painter.paint(plain(state), [0] * CARDS, [])
    people: dict[str, dict[str, Any]] = {}
    for path, value in picture.items():
        name, dot, word = path.rpartition(".")
        if dot:
            people.setdefault(name, {})[word] = value
    for name, char in player.position.chars.items():
        if name in people:
            people[name]["team"] = "AB"[int(state["team"][char])] if int(state["team"][char]) in (0, 1) else None
            people[name]["attributes"] = {a.name: int(state["attr"][char][a]) for a in Attribute}
    data: dict[str, Any] = {
        "scenario": player.scenario.name,
        "file": str(player.scenario.path),
        "stint": picture["stint"],
        "phase": picture["phase"],
        "turn": picture["turn"],
        "board": {"width": int(state["width"]), "height": int(state["height"]), "tiles": picture["tiles"]},
        "characters": people,
        "scenario_zone": picture["scenario"],
        "outcome": None if not match.over else match.outcome.name.lower(),
        "pending": None,
        "legal": [],
        "illegal": [],
    }
    if not match.over:
        who = player.position.char_name(match.asked)
        data["pending"] = {"who": who, "decision": player.question(), "options": list(player.options())}
        if match.decision == Decision.TURN:
            data["legal"] = [_step(player, who, action) for action in legal_actions(match)]
            data["illegal"] = [
                {
                    **_step(player, who, Action(one.kind, one.card, one.effect, one.target)),
                    "because": one.why.rule,
                    "reason": one.why.sentence,
                }
                for one in refusals(match, player.position.char_name)
            ]
    return data


def _step(player: Player, who: str, action: Action) -> dict[str, Any]:
    """Returns an action with the keys of a scenario's `do` step."""
    step: dict[str, Any] = {"who": who, "action": f"ACT_{action.kind.name}"}
    if action.card >= 0:
        step["card"] = player.position.copy_name(action.card)
    if action.effect >= 0:
        step["effect"] = action.effect
    if action.target >= 0:
        step["target"] = player.position.char_name(action.target)
    if action.tile >= 0:
        step["to"] = [action.tile % SIDE, action.tile // SIDE]
    return step


def position_lines(player: Player, data: dict[str, Any]) -> list[str]:
    """Returns a position as text."""
    match = player.match
    head = f"{data['scenario']}: stint {data['stint']}, {data['phase']}"
    head += f", turn of {data['turn']}" if data["turn"] else ""
    lines = [head, board(observe(match, 0), player.position.char_name)]
    lines += [line for name, row in data["characters"].items() for line in _character(name, row)]
    if data["scenario_zone"]:
        lines.append(f"scenario: {', '.join(map(_card, data['scenario_zone']))}")
    if match.over:
        return [*lines, f"The match is over: {data['outcome']}"]
    pending = data["pending"]
    lines += ["", f"{pending['who']} is asked {pending['decision']}: {question_text(match)}"]
    if match.decision != Decision.TURN:
        return [*lines, *(f"  {option}" for option in pending["options"])]
    lines += ["legal", *(f"  {_action(step)}" for step in data["legal"])]
    lines += ["not legal", *(f"  {_action(step)}: {step['reason']}" for step in data["illegal"])]
    return lines


def _character(name: str, row: dict[str, Any]) -> list[str]:
    where = "off the board" if row["at"] is None else f"at {row['at'][0]},{row['at'][1]}"
    card = f", {row['card']}" if row.get("card") else ""
    parts = [f"{name} ({row.get('team') or 'nobody'}{card}) {where}: HP {row['hp']}/{row['max']}, AP {row['ap']}"]
    if row["debt"]:
        parts.append(f"debt {row['debt']}")
    if not row["alive"]:
        parts.append("not alive")
    if row["markers"]:
        parts.append(f"markers {', '.join(row['markers'])}")
    parts.append(" ".join(f"{attribute} {value}" for attribute, value in row.get("attributes", {}).items()))
    lines = [", ".join(parts)]
    for zone in HERO_ZONES:
        if row.get(zone):
            lines.append(f"    {zone}: {', '.join(map(_card, row[zone]))}")
    if row.get("deck"):
        lines.append(f"    deck: {row['deck']} cards")
    return lines


def _card(card: Any) -> str:
    if isinstance(card, str):
        return card
    notes = [word.replace("_", " ") for word in ("exhausted", "face_down", "revealed") if card.get(word)]
    notes += [f"{name} {count}" for name, count in card.get("counters", {}).items()]
    notes += [f"with {_card(under)}" for under in card.get("attachments", ())]
    return f"{card['card']} ({', '.join(notes)})"


def _action(step: dict[str, Any]) -> str:
    text = str(KIND_WORDS.get(Kind[step["action"].removeprefix("ACT_")], step["action"]))
    if "card" in step:
        text += f": {step['card']}"
    if "effect" in step:
        text += f", effect {step['effect']}"
    if "target" in step:
        text += f" on {step['target']}"
    if "to" in step:
        text += f" to {step['to'][0]},{step['to'][1]}"
    return text
