"""A person at a terminal against a bot: what is asked, what may be answered, undo, hints, and why something is not offered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from apotheosis.env import action_text
from apotheosis.env.board_text import describe
from apotheosis.env.explain import explain
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Act, Decision, Kind, Outcome
from apotheosis.env.trace import Teller, trace

if TYPE_CHECKING:
    from apotheosis.agents.base import Bot

HELP = (
    "Answer with a number. Also: h hint, u undo, b board, t the match so far, y why an action is not offered, "
    "c concede, q quit."
)

NO_CARD = (Kind.END_TURN, Kind.MOVE, Kind.NORMAL_ATTACK, Kind.REST)
WITH_CARD = (Kind.USE_TABLE, Kind.USE_HAND, Kind.PLACE, Kind.WITHDRAW)


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
        self.match, self.seat, self.bot, self.adviser = match, seat, bot, adviser
        self.read, self.write = read, write
        self._rng = np.random.default_rng(seed)
        self._past: list[tuple[Match, int, np.ndarray]] = []
        self._told = 0
        self._conceded = False

    def play(self) -> str:
        """Plays to the end or until the person leaves.

        Returns:
            "won", "lost", "drawn" or "left".
        """
        self.write(HELP)
        try:
            while not self.match.over and not self._conceded:
                if self.match.seat == self.seat:
                    self._tell()
                    self._ask()
                else:
                    self.match.apply(self.bot.act(self.match, self.match.mask(), self._rng))
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
        lines = trace(self.match.events(), self.match.state["ident"], self.match.pool, self.seat)
        for line in lines[self._told :]:
            self.write(line)
        self._told = len(lines)

    def _ask(self) -> None:
        if self.match.decision == Decision.TURN:
            self.write(describe(self.match, self.seat))
        codes, texts = self.match.legal(), action_text.option_texts(self.match)
        self.write(action_text.question_text(self.match))
        for number, text in enumerate(texts, 1):
            self.write(f"  {number:>2}  {text}")
        while True:
            word = self.read("> ").strip().lower()
            if word.isdecimal() and 1 <= int(word) <= len(codes):
                self._keep()
                self.match.apply(int(codes[int(word) - 1]))
                return
            if self._command(word):
                return

    def _keep(self) -> None:
        self._past.append((self.match.copy(), self._told, self._log_length()))

    def _log_length(self) -> np.ndarray:
        return self.match.pool.record["log_n"].copy()

    def _command(self, word: str) -> bool:
        """Carries out a command; returns whether the question must be asked again from the start."""
        if word == "q":
            raise Quit
        if word == "c":
            self.match.apply(int(Act.KIND) + int(Kind.CONCEDE))
            self._conceded = True
            return True
        if word == "u":
            return self._undo()
        if word == "h":
            code = self.adviser.act(self.match, self.match.mask(), self._rng)
            self.write(f"{self.adviser.name} would choose: {action_text.option_text(self.match, code)}")
        elif word == "b":
            self.write(describe(self.match, self.seat))
        elif word == "t":
            self.write("\n".join(trace(self.match.events(), self.match.state["ident"], self.match.pool, self.seat)))
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
        self.match, self._told, length = self._past.pop()
        self.match.pool.record["log_n"] = length
        self.write("Taken back.")
        return True

    def reasons(self) -> list[str]:
        """Returns why turn actions that are not offered are not legal, one line each."""
        match, hero = self.match, self.match.asked
        if match.decision != Decision.TURN:
            return ["Reasons are given for turn actions; answer the question first."]
        offered = {int(code) - Act.KIND for code in match.legal()}
        lines = []
        for kind in NO_CARD:
            if kind not in offered:
                lines.append(f"{action_text.KIND_WORDS[kind]}: {explain(match, hero, kind).sentence}")
        names = Teller(match.state["ident"], match.pool, self.seat)
        for kind in WITH_CARD:
            for copy in self._cards(hero, kind):
                answer = explain(match, hero, kind, copy)
                if not answer.legal:
                    lines.append(f"{action_text.KIND_WORDS[kind]}, {names.card(copy)}: {answer.sentence}")
        return lines

    def _cards(self, hero: int, kind: Kind) -> list[int]:
        """Returns the hero's cards that a kind of action could be about: its hand or its table."""
        hold, count = self.match.state["hold"][hero], self.match.state
        if kind in (Kind.USE_HAND, Kind.PLACE):
            return [int(copy) for copy in hold[: int(count["hand_n"][hero])]]
        n = int(count["table_n"][hero])
        return [int(copy) for copy in hold[len(hold) - n :]]
