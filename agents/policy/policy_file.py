"""Learned bots as files: one file holds the network, the schema it is valid for, and how it was trained.

A policy only means something for the observation and action schema it learned with, so a file carries the schema's hash
and is refused where that differs. Torch is imported here and nowhere above, since playing with scripted bots does not
need it.
"""

from __future__ import annotations

import io
import os
import pickle
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from apotheosis.env import observe
from apotheosis.env.errors import InputError
from apotheosis.env.rules.tokens import CardField

if TYPE_CHECKING:
    from apotheosis.agents.policy.network import ArenaNetwork
    from apotheosis.env.cards.pool import Pool
    from apotheosis.env.match import Match
    from apotheosis.env.vector import VectorArena

FORMAT = 1
"""Version of the file's own form."""


@dataclass
class PolicyFile:
    """What a policy file holds.

    Attributes:
        network: the weights, a state dictionary.
        size: widths of the network.
        pool_hash: digest of the cards it learned with.
        notes: how it was trained, for people.
        optimizer: state of the optimizer, to go on training; empty where it was left out.
        schema: hash of the observation and action schema.
    """

    network: dict[str, Any]
    size: dict[str, int]
    pool_hash: str
    notes: dict[str, Any] = field(default_factory=dict)
    optimizer: dict[str, Any] = field(default_factory=dict)
    schema: str = field(default_factory=observe.schema_hash)


@cache
def _torch() -> Any:
    """Returns torch, set to one thread: the network is so small that more threads only wait for each other."""
    try:
        import torch
    except ImportError:
        raise InputError("learned bots need torch; install the extra: pip install 'apotheosis-lab[train]'") from None
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)
    return torch


def save_policy(path: str | Path, policy: PolicyFile) -> None:
    """Writes a policy file; a file of this name is replaced only once the new one is complete."""
    torch = _torch()
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    content = io.BytesIO()
    torch.save({"format": FORMAT, **vars(policy)}, content)
    partial = target.with_name(target.name + ".part")
    try:
        partial.write_bytes(content.getvalue())
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def read_policy(path: str | Path) -> PolicyFile:
    """Reads a policy file.

    Raises:
        InputError: there is no such file, it is no policy, or it learned with another schema.
    """
    torch = _torch()
    if not Path(path).is_file():
        raise InputError("there is no such policy file", str(path))
    try:
        data = torch.load(path, map_location="cpu", weights_only=True)
        version = data.pop("format")
        policy = PolicyFile(**data)
    except (pickle.UnpicklingError, RuntimeError, EOFError, KeyError, TypeError, AttributeError, ValueError):
        raise InputError("this is not a policy file of the lab", str(path)) from None
    if version != FORMAT or policy.schema != observe.schema_hash():
        raise InputError(
            f"the policy learned with another schema of observations and actions ({policy.schema}, now "
            f"{observe.schema_hash()}); train it again",
            str(path),
        )
    return policy


def load_policy(path: str | Path, pool: Pool | None = None, sample: bool = False) -> PolicyBot:
    """Returns the bot of a policy file.

    Args:
        path: the file.
        pool: the cards it will play with; cards it did not learn with are told apart by their numbers only.
        sample: draw actions by their probability instead of taking the best.
    """
    from apotheosis.agents.policy.network import ArenaNetwork, NetworkSize

    policy = read_policy(path)
    network = ArenaNetwork(NetworkSize(**policy.size))
    network.load_state_dict(policy.network)
    return PolicyBot(f"ppo:{path}", network, knows_cards=pool is None or pool.hash == policy.pool_hash, sample=sample)


class PolicyBot:
    """A network as a bot.

    Args:
        name: its name.
        network: the network.
        knows_cards: whether card numbers mean the cards it learned with; otherwise they are hidden from it.
        sample: draw actions by their probability instead of taking the best.
    """

    def __init__(self, name: str, network: ArenaNetwork, knows_cards: bool = True, sample: bool = False):
        self.name = name
        self.network = network.eval()
        self.knows_cards = knows_cards
        self.sample = sample
        self.repeatable = not sample

    def scores(self, seen: observe.Observation) -> np.ndarray:
        """Returns the scores of all codes for observations with a leading batch axis, float32 (batch, Act.SIZE)."""
        torch = _torch()
        tensors = {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in seen.items()}
        if not self.knows_cards:
            tensors["cards"] = tensors["cards"].clone()
            tensors["cards"][..., int(CardField.CARD)] = -1
        with torch.inference_mode():
            return self.network(tensors)[0].numpy()

    def answers(self, seen: observe.Observation, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns one legal code per observation, int64 (batch,)."""
        scores = np.where(masks.astype(bool), self.scores(seen), -np.inf)
        if self.sample:
            scores = scores + rng.gumbel(size=scores.shape)
        return scores.argmax(1)

    def answer(self, seen: observe.Observation, mask: np.ndarray, rng: np.random.Generator) -> int:
        """Returns a legal code for one observation, in the form that `gym_env` asks of an opponent."""
        return int(self.answers({name: array[None] for name, array in seen.items()}, mask[None], rng)[0])

    def act(self, match: Match, mask: np.ndarray, rng: np.random.Generator) -> int:
        """Returns the code that answers the pending question."""
        return self.answer(observe.observe(match), mask, rng)

    def act_many(self, arena: VectorArena, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns the answers in several matches."""
        seen = observe.observe_many(arena.matches[rows], arena.pool, arena.seats[rows])
        return self.answers(seen, arena.masks[rows], rng)
