"""Plays a match and keeps every step of it: the sentence, the rule, and what changed on the table.

The kernel stops only at questions; what happens between two of them is known from its event log. A step's picture is the
state before the answer with the happenings so far applied, and at each question it is the kernel's own state again. Values
that the log does not name (AP, debt, markers) change with the first happening of the answer that changed them, or with the
turn that begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env.errors import InputError
from apotheosis.env.narration import Moment, Narrator, Sentence
from apotheosis.env.narration_words import QUESTIONS
from apotheosis.env.picture import TABLE, Labels, Painter, Picture, frames, plain
from apotheosis.env.rules.codes import Act, Decision, Flag, Frame, Kind, Life, Log, Phase, Zone
from apotheosis.env.rules.layout import CARDS, COPIES, HEROES

if TYPE_CHECKING:
    from apotheosis.env.card_words import CardWords
    from apotheosis.env.match import Match

LOGGED = ("hp", "tile", "life", "zone", "turn_char", "stint", "phase", "host", "deck_n")
"""Fields whose changes the event log tells, one after the other."""
QUESTION_RULES = {
    Decision.MAY: "R7.3.3", Decision.UPKEEP: "R20.3", Decision.SALVATION: "R14.5", Decision.CHECK_XP: "R11.9.1",
    Decision.CHECK_FATE: "R11.9.2", Decision.CHECK_WILL: "R11.9.3",
}  # fmt: skip
"""Rules of the questions that are told."""
OF_A_TURN = ("ap", "debt", "acted", "markers")
"""Fields that a new turn changes, after what the old one still did."""


@dataclass
class Step:
    """One step of a recorded match.

    Attributes:
        sentences: what each listener is told, by seat (None: everything); a listener that is told nothing is not in it.
        picture: what the viewer sees after it.
        stint: the stint.
    """

    sentences: dict[int | None, Sentence]
    picture: Picture
    stint: int


@dataclass
class Recording:
    """A recorded match.

    Attributes:
        match: the match at its end.
        steps: what happened.
        codes: the answers given, in order.
    """

    match: Match
    steps: list[Step] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)


def _copied(state: Any) -> Any:
    """Returns a copy of a match record; numpy's own copy of one record goes field by field and is slow."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)[0]


def record(
    match: Match, choose: Callable[[Match], int], words: CardWords, viewer: int | None, listeners: tuple[int | None, ...]
) -> Recording:
    """Plays a match from its first question to its end.

    Args:
        match: a fresh match with its log on.
        choose: gives the answer to each pending question.
        words: its cards in the wanted language.
        viewer: whose pictures are made: None sees everything, 0 is seat A, 1 seat B.
        listeners: for whom sentences are made.
    """
    return Recorder(match, words, viewer, listeners).play(choose)


class Recorder:
    """Records one match."""

    def __init__(self, match: Match, words: CardWords, viewer: int | None, listeners: tuple[int | None, ...]):
        self.match, self.words, self.viewer = match, words, viewer
        self.labels = Labels(int(match.state["heroes"]))
        self.painter = Painter(match.pool, self.labels, viewer)
        self.narrators = {seat: Narrator(words, self.labels, seat) for seat in listeners}
        self.recording = Recording(match)
        self._order = [0] * CARDS
        self._moves = 0
        self._stack: list[tuple[Frame, int, int, int]] = []
        self._told = 0

    def play(self, choose: Callable[[Match], int]) -> Recording:
        """Records until the match is over or nothing is chosen any more (-1)."""
        self.start()
        while not self.match.over:
            code = choose(self.match)
            if code < 0:
                break
            self.apply(code)
        return self.recording

    def start(self) -> None:
        """Records what happened before the first question."""
        start = _copied(self.match.state)
        self._add({seat: Sentence("setup", n.say("setup"), "A3", depth=0) for seat, n in self.narrators.items()}, start, start)
        self._answer(start, start)

    def apply(self, code: int) -> None:
        """Answers the pending question and records what comes of it.

        Raises:
            InputError: the code is not legal; nothing is recorded.
        """
        before = _copied(self.match.state)
        steps = len(self.recording.steps)
        self._note(before, code)
        try:
            self.match.apply(code)
        except InputError:
            del self.recording.steps[steps:]
            raise
        self.recording.codes.append(int(code))
        self._answer(before, _copied(self.match.state))

    def mark(self) -> tuple[Any, ...]:
        """Returns what `back` needs to forget everything recorded after this moment."""
        last = self.recording.steps[-1].picture
        actions = {seat: narrator.action for seat, narrator in self.narrators.items()}
        counts = (len(self.recording.steps), len(self.recording.codes), self._told, self._moves)
        return self.match.copy(), last, actions, counts, list(self._order), list(self._stack)

    def back(self, mark: tuple[Any, ...]) -> None:
        """Goes back to a moment that was marked."""
        self.match, last, actions, (steps, codes, self._told, self._moves), self._order, self._stack = mark
        self.recording.match = self.match
        del self.recording.steps[steps:], self.recording.codes[codes:]
        self.recording.steps[-1].picture = last
        for seat, narrator in self.narrators.items():
            narrator.action = actions[seat]
        self.match.pool.record["log_n"] = self._told

    def _rows(self) -> list[tuple[Log, list[int]]]:
        """Returns the happenings written to the log since the last time."""
        rows = self.match.events()[self._told :]
        self._told += len(rows)
        return [(Log(int(row["kind"])), [int(value) for value in row["arg"]]) for row in rows]

    # ----- what is asked

    def _note(self, before: Any, code: int) -> None:
        """Adds a step for an answer that no happening will tell: a reaction passed up, a yes or no."""
        decision, asked = self.match.decision, self.match.asked
        team = int(before["team"][asked])
        moment = Moment([asked], before, before, before)
        told: dict[int | None, Sentence] = {}
        for seat, narrator in self.narrators.items():
            who = narrator.who(moment, asked)
            if decision == Decision.REACT and code == Act.PASS and seat in (None, team):
                names = narrator.listing(dict.fromkeys(narrator.card(moment, copy) for copy in self._offered()))
                told[seat] = Sentence("pass", narrator.say("pass", who=who, cards=names), "R8.1", team)
            elif decision == Decision.MULLIGAN and code == Act.NO:
                told[seat] = Sentence("keep", narrator.say("keep", who=who), "A3.6", team)
            elif decision.name in QUESTIONS and code in (Act.YES, Act.NO):
                question = narrator.word(QUESTIONS[decision.name])
                key = "answer_yes" if code == Act.YES else "answer_no"
                told[seat] = Sentence(key, narrator.say(key, who=who, question=question), QUESTION_RULES[decision], team)
            elif decision == Decision.CHOOSE:
                told[seat] = Sentence("choose", narrator.say("answer_option", who=who, n=code - Act.OPTION + 1), "R7.1.6", team)
        if told:
            self._stack = frames(before)
            self._add(told, before, before)

    def _offered(self) -> list[int]:
        """Returns the card copies that the pending question offers."""
        from apotheosis.env.rules.position_door import copy_of_code

        codes = [int(code) for code in self.match.legal() if Act.CARD <= code < Act.TILE]
        return [int(copy_of_code(self.match.matches, 0, code)) for code in codes]

    # ----- what happens

    def _answer(self, before: Any, after: Any) -> None:
        """Adds the steps of one answer."""
        rows = self._rows()
        shadow = self._shadow(before, after, any(kind in (Log.TURN, Log.STINT) for kind, _ in rows))
        self._stack = frames(before)
        shown = self._unveiled(before, after)
        shadow["flags"][shown] |= int(Flag.MUSTERED)
        last = len(rows) - 1
        for at, (kind, args) in enumerate(rows):
            if shown and kind == Log.MOVE_CARD and args[1] == Zone.HAND and args[2] in TABLE:
                shadow["flags"][args[0]] |= int(Flag.MUSTERED)
                shown.append(args[0])
            elif shown:
                shadow["flags"][shown] &= ~int(Flag.MUSTERED)
                self._reveal(shown, shadow)
                shown = []
            was = _copied(shadow)
            self._apply(kind, args, shadow, after)
            if at == last:
                shadow = after
                self._stack = frames(after)
            moment = Moment(args, was, shadow, after, int(was["phase"]) == Phase.SETUP, kind == Log.ACTION)
            told = {seat: narrator.tell(kind, moment) for seat, narrator in self.narrators.items()}
            heard = {seat: sentence for seat, sentence in told.items() if sentence is not None}
            if heard:
                self._add(heard, was, shadow)
            elif at == last and self.recording.steps:
                self._repaint(after)
        if shown:
            self._reveal(shown, after)
        if not rows and self.recording.steps:
            self._repaint(after)

    def _shadow(self, before: Any, after: Any, turns: bool) -> Any:
        """Returns the state after an answer with everything that the log will tell set back to before it."""
        shadow = _copied(after)
        for name in (*LOGGED, *(OF_A_TURN if turns else ())):
            shadow[name] = before[name]
        exhausted = int(Flag.EXHAUSTED)
        shadow["flags"] = (after["flags"] & ~exhausted) | (before["flags"] & exhausted)
        fresh = np.flatnonzero((before["kind"] == 0) | (before["body"] != after["body"]))
        shadow["tile"][fresh] = -1
        shadow["hp"][fresh] = after["hp"][fresh]
        shadow["life"][fresh] = after["life"][fresh]
        return shadow

    def _apply(self, kind: Log, args: list[int], shadow: Any, after: Any) -> None:
        """Applies one happening to the shadow of the state."""
        if kind == Log.HP:
            shadow["hp"][args[0]] = args[2]
        elif kind == Log.MOVE_PIECE:
            if args[2] == 3:
                shadow["tile"][args[3]] = shadow["tile"][args[0]]
            shadow["tile"][args[0]] = args[1]
        elif kind == Log.MOVE_CARD:
            self._move_card(args, shadow, after)
        elif kind in (Log.EXHAUST, Log.RECOVER):
            bit = int(Flag.EXHAUSTED)
            flags = int(shadow["flags"][args[0]])
            shadow["flags"][args[0]] = flags | bit if kind == Log.EXHAUST else flags & ~bit
        elif kind == Log.DEATH:
            shadow["life"][args[0]] = args[1]
            if Life(args[1]) == Life.GONE:
                shadow["tile"][args[0]] = -1
        elif kind in (Log.TURN, Log.STINT):
            for name in OF_A_TURN:
                shadow[name] = after[name]
            shadow["phase"] = Phase.MAIN if kind == Log.TURN else Phase.RESET
            shadow["turn_char"] = args[0] if kind == Log.TURN else -1
            shadow["stint"] = args[2] if kind == Log.TURN else args[0]
            self._stack = []
        self._restack(kind, args)
        if kind == Log.ACTION and args[1] in (Kind.SUMMON, Kind.UNSUMMON):
            self._enter(args[2], shadow, after)

    def _move_card(self, args: list[int], shadow: Any, after: Any) -> None:
        copy, before, zone = args[0], args[1], args[2]
        self._moves += 1
        self._order[copy] = self._moves
        shadow["zone"][copy] = zone
        if copy < HEROES * COPIES:
            shadow["deck_n"][copy // COPIES] += int(zone == Zone.DECK) - int(before == Zone.DECK)
        shadow["host"][copy] = after["host"][copy] if zone == Zone.ATTACHED else -1
        self._enter(copy, shadow, after)

    @staticmethod
    def _enter(copy: int, shadow: Any, after: Any) -> None:
        """Puts the piece of a card where it is after the answer."""
        for char in np.flatnonzero((after["body"] == copy) & (after["kind"] > 0)):
            shadow["tile"][char] = after["tile"][char]

    def _restack(self, kind: Log, args: list[int]) -> None:
        """Keeps the list of what is being resolved: a new activation or attack comes on top, what acts is the top."""
        if kind == Log.ACTION:
            self._stack = []
        elif kind == Log.ACTIVATE:
            self._stack = [*self._stack, (Frame.ACTIVATION, args[0], args[1], args[3])]
        elif kind == Log.ATTACK:
            self._stack = [*self._stack, (Frame.ATTACK, args[0], args[1], args[2])]
        elif kind == Log.MOVE_CARD and args[1] == Zone.RESOLVING:
            self._stack = [row for row in self._stack if row[2] != args[0]]
        elif kind in (Log.ROLL, Log.DAMAGE, Log.CHECK) and args[3] < CARDS:
            at = [place for place, row in enumerate(self._stack) if row[2] == args[3]]
            self._stack = self._stack[: at[-1] + 1] if at else self._stack

    def _unveiled(self, before: Any, after: Any) -> list[int]:
        """Returns the mustered cards that an answer shows to everybody (A3.7)."""
        bit = int(Flag.MUSTERED)
        flags, now = before["flags"], after["flags"]
        turned = np.flatnonzero((flags & bit).astype(bool) & ~(now & bit).astype(bool))
        return [int(copy) for copy in turned]

    def _reveal(self, copies: list[int], state: Any) -> None:
        for hero in dict.fromkeys(copy // COPIES for copy in copies):
            told = {}
            for seat, narrator in self.narrators.items():
                moment = Moment([hero], state, state, state)
                names = narrator.listing(narrator.card(moment, copy) for copy in copies if copy // COPIES == hero)
                text = narrator.say("reveal_muster", who=narrator.who(moment, hero), cards=names)
                told[seat] = Sentence("reveal_muster", text, "A3.7", hero % 2)
            self._add(told, state, state)

    # ----- steps

    def _add(self, told: dict[int | None, Sentence], before: Any, state: Any) -> None:
        self.recording.steps.append(Step(dict(told), self._picture(state), int(state["stint"])))

    def _repaint(self, state: Any) -> None:
        """Lets the last step show a state that no happening told."""
        self._stack = frames(state)
        self.recording.steps[-1].picture = self._picture(state)

    def _picture(self, state: Any) -> Picture:
        return self.painter.paint(plain(state), self._order, list(self._shown_stack(state)))

    def _shown_stack(self, state: Any) -> Iterator[dict[str, Any]]:
        narrator = self.narrators[self.viewer]
        moment = Moment([], state, state, state)
        for frame, char, copy, target in self._stack:
            yield {
                "what": frame.name.lower(),
                "seat": "AB"[int(state["team"][char])] if char >= 0 and int(state["team"][char]) in (0, 1) else None,
                "who": narrator.who(moment, char) if char >= 0 else "",
                "card": narrator.card(moment, copy) if copy >= 0 else "",
                "target": narrator.who(moment, target) if target >= 0 else "",
            }
