"""The arena for one agent, as a Gymnasium environment `apotheosis/Arena-v0`; a bot plays the other seat.

    import gymnasium
    env = gymnasium.make("apotheosis.env.gym_env:apotheosis/Arena-v0", opponent="greedy")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

Observation: a dictionary of four int16 arrays that hold what the seat may know (docs/observations.md).

Action: `Discrete(414)`; the legal codes are in `info["action_mask"]` and, for MaskablePPO, in `env.action_masks()`
(docs/actions.md). An illegal code loses the match: reward -1, terminated, `info["illegal"]` true.

Reward: 1 for a win, -1 for a loss, 0 for a draw, at the end (A7.6). With `shaping` above 0 each step also brings
`shaping` times the change of the HP margin (own share of HP minus the enemy's); over a match these add up to at most
`shaping`. There is no truncation: the rules end every match.

Arguments: `opponent` (a kernel bot's name, or a callable (observation, mask, rng) -> code), `seat` ("a", "b", or
"random" for a new one each match), `cards`, `decks`, `generator`, `format` as in `aec`, `shaping`.

Versions: v0, the battle rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from apotheosis.env import observe
from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.errors import InputError, unknown
from apotheosis.env.match import Match, bot_code
from apotheosis.env.rules.codes import Act, Cause, Outcome

if TYPE_CHECKING:
    from apotheosis.env.cards.decks import Deck

Opponent = Callable[[observe.Observation, np.ndarray, np.random.Generator], int]
"""Answers for the other seat: (observation, mask, rng) -> a legal code."""

ENV_ID = "apotheosis/Arena-v0"
SEAT_NAMES = ("a", "b", "random")


class ArenaEnv(gymnasium.Env):
    """The environment.

    Args:
        opponent: a kernel bot's name, or a callable that answers for the other seat.
        seat: "a", "b" or "random".
        cards: a card file, a folder of card files, or "starter".
        decks: decks to play with; None draws random decks.
        generator: "coherent" or "uniform", for random decks.
        format: keys of ARENA A1.
        shaping: weight of the HP margin's change in each step's reward.
        render_mode: "ansi" or None.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        opponent: str | Opponent = "greedy",
        seat: str = "random",
        cards: str = "starter",
        decks: Sequence[Deck] | None = None,
        generator: str = "coherent",
        format: Mapping[str, Any] | None = None,
        shaping: float = 0.0,
        render_mode: str | None = None,
    ):
        from apotheosis.env.cards.pool import load_pool

        if seat not in SEAT_NAMES:
            raise unknown("seat", seat, SEAT_NAMES)
        if isinstance(opponent, str):
            bot_code(opponent)
        self.opponent = opponent
        self.seat_wanted = seat
        self.shaping = shaping
        self.render_mode = render_mode
        self.pool = load_pool(cards)
        self.dealer = Dealer(self.pool, ArenaFormat.of(**(format or {})), decks, generator)
        self.observation_space = observe.space()
        self.action_space = spaces.Discrete(int(Act.SIZE))
        self.seat = 0
        self._match: Match | None = None
        self._margin = 0.0
        self._lost = False

    def reset(self, *, seed: int | None = None, options: dict | None = None) -> tuple[observe.Observation, dict]:
        """Deals a new match and returns the first observation in which the agent is asked."""
        super().reset(seed=seed)
        self._lost = False
        if self.seat_wanted == "random":
            self.seat = int(self.np_random.integers(2))
        else:
            self.seat = SEAT_NAMES.index(self.seat_wanted)
        while True:
            lineups, seeds = self.dealer.deal(self.np_random)
            self._match = Match(self.pool, lineups, seeds[0])
            self._answer_opponent(self.match)
            if not self.match.over:
                break
        self._margin = hp_margin(self.match, self.seat)
        return observe.observe(self.match, self.seat), self._info(self.match)

    def step(self, action: int) -> tuple[observe.Observation, float, bool, bool, dict]:
        """Answers the pending question, lets the opponent answer its own, and returns what the agent sees then.

        Raises:
            ResetNeeded: the match has ended, by its result or by a code that was not legal.
        """
        match = self.match
        if match.over or self._lost:
            raise ResetNeeded("the match has ended; call reset() before the next step")
        try:
            match.apply(int(action))
        except InputError:
            self._lost = True
            return observe.observe(match, self.seat), -1.0, True, False, {**self._info(match), "illegal": True}
        self._answer_opponent(match)
        margin = hp_margin(match, self.seat)
        reward = self.shaping * (margin - self._margin)
        self._margin = margin
        if match.over:
            won = Outcome.WIN_A if self.seat == 0 else Outcome.WIN_B
            decided = match.outcome in (Outcome.WIN_A, Outcome.WIN_B)
            reward += 0.0 if not decided else (1.0 if match.outcome == won else -1.0)
        return observe.observe(match, self.seat), float(reward), match.over, False, self._info(match)

    def action_masks(self) -> np.ndarray:
        """Returns the legal codes as a bool mask, in the form that MaskablePPO asks for."""
        return self.match.mask().astype(bool)

    def render(self) -> str | None:
        """Returns the match as the agent sees it, where the render mode is "ansi"."""
        if self.render_mode != "ansi":
            return None
        from apotheosis.env.board_text import describe

        return describe(self.match, self.seat)

    @property
    def match(self) -> Match:
        """The match being played."""
        if self._match is None:
            raise RuntimeError("call reset() before stepping")
        return self._match

    def _answer_opponent(self, match: Match) -> None:
        while not match.over and match.seat != self.seat:
            if isinstance(self.opponent, str):
                match.apply(match.choose(self.opponent))
            else:
                seen = observe.observe(match, match.seat)
                match.apply(self.opponent(seen, match.mask(), self.np_random))

    def _info(self, match: Match) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": match.mask()}
        if match.over:
            info["outcome"] = match.outcome.name.lower()
            info["cause"] = Cause(int(match.state["cause"])).name.lower()
        return info


def hp_margin(match: Match, seat: int) -> float:
    """Returns a seat's mean share of HP minus the other's, from -1 to 1."""
    heroes = int(match.state["heroes"])
    hp = np.maximum(match.state["hp"][:heroes], 0) / np.maximum(match.state["max_hp"][:heroes], 1)
    mine = hp[seat::2].sum() - hp[1 - seat :: 2].sum()
    return float(mine) / (heroes // 2)


gymnasium.register(id=ENV_ID, entry_point="apotheosis.env.gym_env:ArenaEnv")
