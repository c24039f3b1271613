"""Many matches of a learner against a pool of opponents, in the form that Stable-Baselines3 trains on.

Opponents are scripted bots and past selves of the learner. For each match one is drawn, more often the less the learner
scores against it; the learner's seat is drawn too. Each step brings the learner to its next question in every match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from apotheosis.agents.base import Bot, is_kernel_bot
from apotheosis.env import observe
from apotheosis.env.match import bot_code
from apotheosis.env.rules.codes import Act
from apotheosis.env.rules.codes import Bot as KernelCode
from apotheosis.env.vector import VectorArena

if TYPE_CHECKING:
    from apotheosis.env.arena import ArenaFormat
    from apotheosis.env.cards.decks import Deck
    from apotheosis.env.cards.pool import Pool

MEMORY = 0.98
"""Weight of the old score when an opponent's score is updated by one match."""

FLOOR = 0.05
"""Least weight of an opponent, so that none is forgotten."""


@dataclass
class Opponent:
    """A member of the pool.

    Attributes:
        bot: who it is.
        score: the learner's recent score against it, 0 to 1.
        matches: matches played against it.
    """

    bot: Bot
    score: float = 0.5
    matches: int = 0

    def note(self, value: float) -> None:
        """Counts a match's result for the learner, -1 to 1."""
        self.matches += 1
        rate = max(1 - MEMORY, 1 / (1 + self.matches))
        self.score += rate * ((1 + value) / 2 - self.score)


class SelfPlayEnv(VecEnv):
    """The learner's matches.

    Args:
        n: matches side by side.
        opponents: the pool at the start.
        pool: the cards.
        form: the format.
        decks: decks to play with; None draws random decks.
        shaping: weight of the HP margin's change in each step's reward.
        seed: decides decks, dice, opponents and seats.
    """

    def __init__(
        self,
        n: int,
        opponents: Sequence[Bot],
        pool: Pool,
        form: ArenaFormat | None = None,
        decks: Sequence[Deck] | None = None,
        shaping: float = 0.5,
        seed: int = 0,
    ):
        super().__init__(n, observe.space(), spaces.Discrete(int(Act.SIZE)))
        self.opponents = [Opponent(bot) for bot in opponents]
        self.shaping = shaping
        self._rng = np.random.default_rng([seed, 1])
        self.learner = np.zeros(n, np.int64)
        self._against = np.zeros(n, np.int64)
        self._next_learner, self._next_against = self.learner.copy(), self._against.copy()
        self.arena = VectorArena(n, pool, form, decks, seed=seed, on_deal=self._assign)
        self._codes = np.zeros(n, np.int64)
        self._take_over(np.arange(n))
        self._answer_opponents(np.zeros(n), np.zeros(n, bool))
        self._margins = self._hp_margins()

    def add_opponent(self, bot: Bot) -> None:
        """Adds a past self to the pool."""
        self.opponents.append(Opponent(bot))

    def drop_weakest(self, keep: int) -> None:
        """Takes the past selves that the learner beats most out of the pool until at most `keep` are left."""
        selves = [i for i, opponent in enumerate(self.opponents) if not is_kernel_bot(opponent.bot.name)]
        in_use = set(self._against.tolist()) | set(self._next_against.tolist())
        for i in sorted(selves, key=lambda i: -self.opponents[i].score)[: max(0, len(selves) - keep)]:
            if i not in in_use:
                self.opponents[i].matches = -1
        kept = [i for i, opponent in enumerate(self.opponents) if opponent.matches >= 0]
        place = {old: new for new, old in enumerate(kept)}
        self.opponents = [self.opponents[i] for i in kept]
        self._against = np.array([place[i] for i in self._against.tolist()], np.int64)
        self._next_against = np.array([place[i] for i in self._next_against.tolist()], np.int64)

    def _assign(self, arena: VectorArena, rows: np.ndarray) -> None:
        """Draws opponent and seat for the matches that are dealt next."""
        weights = np.array([max(FLOOR, 1 - opponent.score) for opponent in self.opponents])
        self._next_against[rows] = self._rng.choice(len(weights), size=len(rows), p=weights / weights.sum())
        self._next_learner[rows] = self._rng.integers(2, size=len(rows))
        for row in rows:
            name = self.opponents[self._next_against[row]].bot.name
            code = bot_code(name) if is_kernel_bot(name) else KernelCode.EXTERNAL
            arena.bots[row, self._next_learner[row]] = KernelCode.EXTERNAL
            arena.bots[row, 1 - self._next_learner[row]] = code

    def _take_over(self, rows: np.ndarray) -> None:
        self.learner[rows] = self._next_learner[rows]
        self._against[rows] = self._next_against[rows]

    def _note_ends(self, step: Any, rewards: np.ndarray, done: np.ndarray) -> None:
        for row in np.flatnonzero(step.done):
            value = float(step.rewards[row, self.learner[row]])
            rewards[row] += value
            done[row] = True
            self.opponents[self._against[row]].note(value)
        self._take_over(np.flatnonzero(step.done))

    def _answer_opponents(self, rewards: np.ndarray, done: np.ndarray) -> None:
        """Lets past selves answer until every match asks the learner."""
        while True:
            waiting = np.flatnonzero(self.arena.seats != self.learner)
            if not len(waiting):
                return
            codes = np.full(self.num_envs, -1, np.int64)
            for number in np.unique(self._against[waiting]):
                rows = waiting[self._against[waiting] == number]
                codes[rows] = self.opponents[number].bot.act_many(self.arena, rows, self._rng)
            self._note_ends(self.arena.step(codes), rewards, done)

    def _hp_margins(self) -> np.ndarray:
        """Returns the learner's mean share of HP minus the enemy's in each match, float64 (n,)."""
        heroes = int(self.arena.matches["heroes"][0])
        hp = np.maximum(self.arena.matches["hp"][:, :heroes], 0)
        share = hp / np.maximum(self.arena.matches["max_hp"][:, :heroes], 1)
        margin = (share[:, 0::2].sum(1) - share[:, 1::2].sum(1)) / (heroes // 2)
        return np.where(self.learner == 0, margin, -margin)

    def reset(self) -> observe.Observation:
        """Returns the learner's observations; matches under way go on."""
        return self._seen()

    def _seen(self) -> observe.Observation:
        return {name: array.copy() for name, array in self.arena.observe(self.learner).items()}

    def step_async(self, actions: np.ndarray) -> None:
        """Takes the learner's answers."""
        self._codes = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[observe.Observation, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Plays to the learner's next questions."""
        rewards, done = np.zeros(self.num_envs), np.zeros(self.num_envs, bool)
        self._note_ends(self.arena.step(self._codes), rewards, done)
        self._answer_opponents(rewards, done)
        margins = self._hp_margins()
        rewards += self.shaping * np.where(done, 0.0, margins - self._margins)
        self._margins = margins
        return self._seen(), rewards.astype(np.float32), done, [{} for _ in range(self.num_envs)]

    def action_masks(self) -> np.ndarray:
        """Returns the legal codes of all matches, bool (n, Act.SIZE)."""
        return self.arena.masks.astype(bool)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Answers for the single matches that Stable-Baselines3 believes in: their masks."""
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return list(self.action_masks())

    def has_attr(self, attr_name: str) -> bool:
        """Returns whether the matches have an attribute."""
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute once per match."""
        if attr_name == "render_mode":
            return [None] * self.num_envs
        raise AttributeError(attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuses: the matches have no attributes to set."""
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Returns that no match is wrapped."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Has nothing to close."""
