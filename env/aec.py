"""The arena as a PettingZoo AEC environment, `arena_v0`.

Two agents, `seat_a` and `seat_b`, play one match of the arena (docs/rules/ARENA.md). An agent is a side: with teams of
two or three Heroes it answers for all of them.

    from apotheosis.env import aec
    env = aec.env()
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        done = terminated or truncated
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

Observation: `{"observation": {"cards", "chars", "tiles", "match"}, "action_mask"}`; int16 arrays of fixed shape that
hold what the seat may know (docs/observations.md), and an int8 mask of 414 codes, all zero for the agent that is not
asked.

Action: one code of `Discrete(414)`; one declaration takes several codes: kind, card, payment, target (docs/actions.md).
`env()` ends the match with -1 for a side that answers illegally; `raw_env()` raises InputError and changes nothing.

Reward: 1 for a win, -1 for a loss, 0 for a draw, at the end (A7.6); `infos` then hold the outcome and its
cause. There is no truncation: the rules end every match.

Arguments: `cards` (a card file, folder or "starter"), `decks` (a list of decks; None for random ones), `generator`
("coherent" or "uniform"), `format` (keys of ARENA A1). `reset(seed=...)` decides decks and dice; without a seed the
next match follows from the one before.

Versions: v0, the battle rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from apotheosis.env import observe
from apotheosis.env.arena import SEATS, ArenaFormat, Dealer
from apotheosis.env.match import Match
from apotheosis.env.rules.codes import Act, Cause, Outcome

if TYPE_CHECKING:
    from apotheosis.env.cards.decks import Deck


def env(**arguments: Any) -> wrappers.OrderEnforcingWrapper:
    """Returns the environment with PettingZoo's usual guards; the arguments are those of `raw_env`."""
    guarded = wrappers.TerminateIllegalWrapper(raw_env(**arguments), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class raw_env(AECEnv):  # the name is PettingZoo's convention
    """The environment without guards.

    Args:
        cards: a card file, a folder of card files, or "starter".
        decks: decks to play with; None draws random decks.
        generator: "coherent" or "uniform", for random decks.
        format: keys of ARENA A1.
        render_mode: "ansi" or None.
    """

    metadata = {"name": "arena_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        cards: str = "starter",
        decks: Sequence[Deck] | None = None,
        generator: str = "coherent",
        format: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ):
        super().__init__()
        from apotheosis.env.cards.pool import load_pool

        self.render_mode = render_mode
        self.pool = load_pool(cards)
        self.dealer = Dealer(self.pool, ArenaFormat.of(**(format or {})), decks, generator)
        self.possible_agents: list[str] = list(SEATS)
        size = int(Act.SIZE)
        self._spaces: dict[str, spaces.Space] = {
            agent: spaces.Dict({"observation": observe.space(), "action_mask": spaces.Box(0, 1, (size,), np.int8)})
            for agent in SEATS
        }
        self._actions: dict[str, spaces.Space] = {agent: spaces.Discrete(size) for agent in SEATS}
        self._rng = np.random.default_rng(0)
        self._match: Match | None = None

    def observation_space(self, agent: str) -> spaces.Space:
        """Returns the space of an agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """Returns the space of an agent's actions."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Deals a new match.

        Args:
            seed: decides decks and dice of this match and of those that follow without a seed.
            options: none.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        lineups, seeds = self.dealer.deal(self._rng)
        self._match = Match(self.pool, lineups, seeds[0])
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = SEATS[self.match.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what an agent may know, and the mask of its legal codes."""
        match = self.match
        seat = SEATS.index(agent)
        mask = match.mask() if match.seat == seat else np.zeros(int(Act.SIZE), np.int8)
        return {"observation": observe.observe(match, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Answers the pending question of the selected agent.

        Raises:
            InputError: the code is not legal now; nothing is changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        match = self.match
        match.apply(-1 if action is None else int(action))
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if match.over:
            self._end(match)
        else:
            self.agent_selection = SEATS[match.seat]
        self._accumulate_rewards()

    @property
    def match(self) -> Match:
        """The match being played."""
        if self._match is None:
            raise RuntimeError("call reset() before observing or stepping")
        return self._match

    def _end(self, match: Match) -> None:
        value = {Outcome.WIN_A: 1, Outcome.WIN_B: -1}.get(match.outcome, 0)
        cause = Cause(int(match.state["cause"])).name.lower()
        for seat, agent in enumerate(SEATS):
            self.rewards[agent] = value if seat == 0 else -value
            self.terminations[agent] = True
            self.infos[agent] = {"outcome": match.outcome.name.lower(), "cause": cause}

    def render(self) -> str | None:
        """Returns the match as text where the render mode is "ansi"."""
        if self.render_mode != "ansi":
            return None
        from apotheosis.env.board_text import describe

        return describe(self.match, seat=None)

    def close(self) -> None:
        """Forgets the match."""
        self._match = None
