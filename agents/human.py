"""A person at a terminal against a bot: what is asked, what may be answered, undo, hints, and why something is not offered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env import action_text
from apotheosis.env.board_text import describe
from apotheosis.env.card_words import CardWords
from apotheosis.env.match import Match
from apotheosis.env.observe import observe
from apotheosis.env.recording import Recorder
from apotheosis.env.refusals import refusals
from apotheosis.env.rules.codes import Act, Decision, Kind, Outcome, Zone
from apotheosis.env.rules.tokens import CardField, Sight

if TYPE_CHECKING:
    from apotheosis.agents.base import Bot

HELP = (
    "Answer with a number. Also: h hint, u undo, b board, i what the cards in sight do, t the match so far, "
    "y why an action is not offered, c concede, q quit."
)


class Quit(Exception):
    """The person leaves the table."""


class Session:
    """One match of a person against a bot.

    Args:
        match: the match, with its log on.
        seat: the person's seat, 0 or 1.
        bot: plays the other seat.
        adviser: gives the hints.
        read: asks for a line of text; raises EOFError where there is none.
        write: shows text.
        seed: of the bots' chance outside the match.
    """

    def __init__(
        self,
        match: Match,
        seat: int,
        bot: Bot,
        adviser: Bot,
        read: Callable[[str], str],
        write: Callable[[str], None],
        seed: int = 0,
    ):
        self.seat, self.bot, self.adviser = seat, bot, adviser
        self.read, self.write = read, write
        self.words = CardWords(match.pool)
        self.recorder = Recorder(match, self.words, None, (None, 0, 1))
        self._rng = np.random.default_rng(seed)
        self._past: list[tuple[tuple[Any, ...], int]] = []
        self._told = 0
        self._conceded = False

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self.recorder.match

    def name(self, char: int) -> str:
        """Returns how a character is called."""
        return self.recorder.labels.of(self.match.state, char)

    def play(self) -> str:
        """Plays to the end or until the person leaves.

        Returns:
            "won", "lost", "drawn" or "left".
        """
        self.write(HELP)
        self.write(
            f"You are seat {'AB'[self.seat]}; {'the bottom' if self.seat == 0 else 'the top'} row of the board is yours."
        )
        self.recorder.start()
        try:
            while not self.match.over and not self._conceded:
                if self.match.seat == self.seat:
                    self._tell()
                    self._ask()
                else:
                    self.recorder.apply(self.bot.act(self.match, self.match.mask(), self._rng))
        except (Quit, EOFError):
            return "left"
        self._tell()
        return "lost" if self._conceded else self._result()

    def _result(self) -> str:
        if self.match.outcome not in (Outcome.WIN_A, Outcome.WIN_B):
            return "drawn"
        return "won" if self.match.outcome == (Outcome.WIN_A, Outcome.WIN_B)[self.seat] else "lost"

    def _tell(self) -> None:
        """Shows what has happened since the last time, as the person may know it."""
        for line in self._story(self._told):
            self.write(line)
        self._told = len(self.recorder.recording.steps)

    def _story(self, first: int = 0) -> list[str]:
        """Returns the steps from one on as lines, as the person may know them."""
        lines = []
        for step in self.recorder.recording.steps[first:]:
            told = step.sentences.get(self.seat)
            if told is None:
                continue
            indent = "   " * told.depth
            head = "== " if told.kind in ("stint", "end") else "-- " if told.kind == "turn" else ""
            lines.append(f"{head}{indent}{told.text}" + (f" ({told.rule})" if told.rule else ""))
            if told.says and told.kind in ("auto", "react"):
                lines.append(f"{indent}      {told.says}")
        return lines

    def _ask(self) -> None:
        if self.match.decision == Decision.TURN:
            self.write(describe(self.match, self.seat, self.name))
        codes, texts = self.match.legal(), action_text.option_texts(self.match, self.name)
        self.write(action_text.question_text(self.match))
        for number, text in enumerate(texts, 1):
            self.write(f"  {number:>2}  {text}")
        while True:
            word = self.read("> ").strip().lower()
            if word.isdecimal() and 1 <= int(word) <= len(codes):
                self._past.append((self.recorder.mark(), self._told))
                self.recorder.apply(int(codes[int(word) - 1]))
                return
            if self._command(word):
                return

    def _command(self, word: str) -> bool:
        """Carries out a command; returns whether the question must be asked again from the start."""
        if word == "q":
            raise Quit
        if word == "c":
            self.recorder.apply(int(Act.KIND) + int(Kind.CONCEDE))
            self._conceded = True
            return True
        if word == "u":
            return self._undo()
        if word == "h":
            code = self.adviser.act(self.match, self.match.mask(), self._rng)
            self.write(f"{self.adviser.name} would choose: {action_text.option_text(self.match, code, None, self.name)}")
        elif word == "b":
            self.write(describe(self.match, self.seat, self.name))
        elif word == "i":
            self.write("\n".join(self.cards_in_sight()))
        elif word == "t":
            self.write("\n".join(self._story()))
        elif word == "y":
            self.write("\n".join(self.reasons()) or "Everything that exists is offered.")
        else:
            self.write(HELP)
        return False

    def _undo(self) -> bool:
        """Takes back the person's last answer and all that followed."""
        if not self._past:
            self.write("There is nothing to undo.")
            return False
        mark, self._told = self._past.pop()
        self.recorder.back(mark)
        self.write("Taken back.")
        return True

    def reasons(self) -> list[str]:
        """Returns why turn actions that are not offered are not legal, one line each."""
        if self.match.decision != Decision.TURN:
            return ["Reasons are given for turn actions; answer the question first."]
        lines = []
        for refusal in refusals(self.match, self.name):
            what = action_text.KIND_WORDS[refusal.kind]
            if refusal.card >= 0:
                what += f", {self.words.name(int(self.match.state['ident'][refusal.card]))}"
            if refusal.effect >= 0:
                what += f", number {refusal.effect + 1}"
            if refusal.target >= 0:
                what += f" on {self.name(refusal.target)}"
            lines.append(f"{what}: {refusal.why.sentence}")
        return lines

    def cards_in_sight(self) -> list[str]:
        """Returns what each card that the person sees does, decks and discard piles left out; a name and its lines."""
        seen = observe(self.match, self.seat)["cards"]
        numbers = dict.fromkeys(
            int(row[CardField.CARD])
            for row in seen
            if row[CardField.SIGHT] == Sight.KNOWN and row[CardField.ZONE] not in (Zone.DECK, Zone.DISCARD, Zone.NONE)
        )
        lines = []
        for number in numbers:
            says = self.words.lines(number) or ["counts while it is there"]
            lines += [self.words.name(number), *(f"   {line}" for line in says)]
        return lines
