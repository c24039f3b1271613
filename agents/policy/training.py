"""Self-play training of a learned bot with MaskablePPO (Schulman et al. 2017, with invalid actions masked out).

The learner meets the scripted bots and its own past selves (`self_play`). After every few updates a copy of the network
joins the pool. The result is one policy file.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from apotheosis.agents.base import make_bot
from apotheosis.agents.policy.network import ArenaNetwork, NetworkSize
from apotheosis.agents.policy.policy_file import PolicyBot, PolicyFile, read_policy, save_policy
from apotheosis.agents.policy.self_play import SelfPlayEnv
from apotheosis.env.errors import InputError
from apotheosis.env.rules.codes import Act

if TYPE_CHECKING:
    from apotheosis.env.arena import ArenaFormat
    from apotheosis.env.cards.decks import Deck
    from apotheosis.env.cards.pool import Pool

UNBOUNDED = 10**12
"""Steps that no training reaches; the time limit ends it."""


@dataclass(frozen=True)
class TrainingSettings:
    """What decides a training beside cards and format.

    Attributes:
        minutes: stop after this time; None for no limit.
        steps: stop after this many answers of the learner; None for no limit.
        seed: decides everything but where a time limit falls.
        opponents: scripted bots and policies in the pool from the start.
        matches: played side by side.
        horizon: answers per match and update.
        batch: answers per gradient step.
        epochs: passes over the answers of an update.
        learning_rate: of Adam.
        entropy: weight of the entropy bonus.
        discount: of later rewards.
        shaping: weight of the HP margin's change in the reward.
        self_every: updates between two copies of the learner for the pool.
        selves: past selves kept.
    """

    minutes: float | None = 1.0
    steps: int | None = None
    seed: int = 0
    opponents: tuple[str, ...] = ("random", "greedy")
    matches: int = 32
    horizon: int = 64
    batch: int = 512
    epochs: int = 4
    learning_rate: float = 5e-4
    entropy: float = 0.01
    discount: float = 0.995
    shaping: float = 0.5
    self_every: int = 10
    selves: int = 6

    def __post_init__(self) -> None:
        if self.minutes is None and self.steps is None:
            raise InputError("a training needs a limit: minutes, steps, or both")
        for name in ("minutes", "steps"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise InputError(f"{name} must be above 0 and finite, got {value}")


@dataclass(frozen=True)
class TrainingState:
    """How far a training is.

    Attributes:
        steps: answers of the learner so far.
        seconds: time so far.
        updates: updates so far.
        scores: the learner's recent score against each opponent of the pool, past selves together as "self".
    """

    steps: int
    seconds: float
    updates: int
    scores: dict[str, float]


class NetworkFeatures(BaseFeaturesExtractor):
    """The network's scores and value as one vector, so that the policy only has to take it apart again."""

    def __init__(self, observation_space: Any, size: NetworkSize):
        super().__init__(observation_space, int(Act.SIZE) + 1)
        self.network = ArenaNetwork(size)

    def forward(self, observations: dict[str, torch.Tensor]) -> torch.Tensor:
        """Returns scores and value, (batch, Act.SIZE + 1)."""
        return torch.cat(self.network(observations), -1)


class Part(nn.Module):
    """Takes a range of columns."""

    def __init__(self, start: int, stop: int):
        super().__init__()
        self.start, self.stop = start, stop

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Returns the columns."""
        return x[:, self.start : self.stop]


class ArenaPolicy(MaskableMultiInputActorCriticPolicy):
    """The network as a policy of MaskablePPO: its own scores and value, nothing behind them."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = Part(0, int(Act.SIZE))
        self.value_net = Part(int(Act.SIZE), int(Act.SIZE) + 1)
        make: Any = self.optimizer_class
        self.optimizer = make(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    @property
    def network(self) -> ArenaNetwork:
        """The network."""
        assert isinstance(self.features_extractor, NetworkFeatures)
        return self.features_extractor.network


def network_of(model: Any) -> ArenaNetwork:
    """Returns the network of a MaskablePPO that was made with ArenaPolicy."""
    return model.policy.network


class _Watch(BaseCallback):
    """Stops at the limits, reports, and adds past selves to the pool."""

    def __init__(self, settings: TrainingSettings, show: Callable[[TrainingState], None] | None):
        super().__init__()
        self.settings, self.show = settings, show
        self.began = time.monotonic()
        self.updates = 0
        self.steps = 0

    @property
    def matches(self) -> SelfPlayEnv:
        """The learner's matches."""
        assert isinstance(self.training_env, SelfPlayEnv)
        return self.training_env

    def _on_step(self) -> bool:
        self.steps += self.training_env.num_envs
        limits = self.settings
        if limits.steps is not None and self.steps >= limits.steps:
            return False
        return limits.minutes is None or time.monotonic() - self.began < 60 * limits.minutes

    def _on_rollout_end(self) -> None:
        env = self.matches
        self.updates += 1
        if self.updates % self.settings.self_every == 0:
            env.add_opponent(copy_of(network_of(self.model), self.settings, f"self-{self.updates}"))
            env.drop_weakest(self.settings.selves)
        if self.show is not None:
            self.show(self.state())

    def state(self) -> TrainingState:
        """Returns how far the training is."""
        scores: dict[str, list[float]] = {}
        for opponent in self.matches.opponents:
            name = "self" if opponent.bot.name.startswith("self-") else opponent.bot.name
            scores.setdefault(name, []).append(opponent.score)
        means = {name: sum(values) / len(values) for name, values in scores.items()}
        return TrainingState(self.steps, time.monotonic() - self.began, self.updates, means)


def copy_of(network: ArenaNetwork, settings: TrainingSettings, name: str) -> PolicyBot:
    """Returns a frozen copy of a network as a bot that samples its answers."""
    twin = ArenaNetwork(network.size)
    twin.load_state_dict(network.state_dict())
    return PolicyBot(name, twin, sample=True)


def train(
    out: str | Path,
    settings: TrainingSettings,
    pool: Pool,
    form: ArenaFormat | None = None,
    decks: Sequence[Deck] | None = None,
    resume: str | Path | None = None,
    show: Callable[[TrainingState], None] | None = None,
) -> TrainingState:
    """Trains a policy and saves it.

    Args:
        out: the policy file to write.
        settings: limits and settings.
        pool: the cards.
        form: the format.
        decks: decks to play with; None draws random decks.
        resume: a policy file to go on from.
        show: told about the state after every update.

    Returns:
        The state at the end.

    Raises:
        InputError: the file to go on from does not fit, or a setting is wrong.
    """
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)  # more threads only wait for each other on a network of this size
    before = None if resume is None else read_policy(resume)
    if before is not None and before.pool_hash != pool.hash:
        raise InputError("the policy learned with other cards; train it with those, or anew", str(resume))
    bots = [make_bot(name, pool) for name in settings.opponents]
    env = SelfPlayEnv(settings.matches, bots, pool, form, decks, settings.shaping, settings.seed)
    size = NetworkSize() if before is None else NetworkSize(**before.size)
    model = MaskablePPO(
        ArenaPolicy,
        env,
        learning_rate=settings.learning_rate,
        n_steps=settings.horizon,
        batch_size=settings.batch,
        n_epochs=settings.epochs,
        gamma=settings.discount,
        ent_coef=settings.entropy,
        seed=settings.seed,
        device="cpu",
        policy_kwargs={
            "net_arch": [],
            "ortho_init": False,
            "features_extractor_class": NetworkFeatures,
            "features_extractor_kwargs": {"size": size},
        },
    )
    if before is not None:
        network_of(model).load_state_dict(before.network)
        model.policy.optimizer.load_state_dict(before.optimizer)
    model.set_logger(Logger(folder=None, output_formats=[]))  # the default one leaves a folder behind
    watch = _Watch(settings, show)
    model.learn(total_timesteps=settings.steps or UNBOUNDED, callback=watch)
    state = watch.state()
    save_policy(out, _file_of(model, size, pool, settings, state, before))
    return state


def _file_of(
    model: MaskablePPO,
    size: NetworkSize,
    pool: Pool,
    settings: TrainingSettings,
    state: TrainingState,
    before: PolicyFile | None,
) -> PolicyFile:
    earlier = 0 if before is None else int(before.notes.get("steps", 0))
    notes = {
        "steps": earlier + state.steps,
        "seconds": round(state.seconds, 1),
        "scores": state.scores,
        "cards": pool.source,
        "settings": {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(settings).items()},
    }
    optimizer = model.policy.optimizer.state_dict()
    return PolicyFile(network_of(model).state_dict(), size.plain(), pool.hash, notes, optimizer)
