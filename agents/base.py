"""What a bot is, and how names become bots.

A bot answers one question at a time. It is given the match, but looks at it only through what its seat may know: kernel
bots by their own rules, learned ones through the observation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from apotheosis.env.errors import InputError, unknown

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool
    from apotheosis.env.match import Match
    from apotheosis.env.vector import VectorArena


@runtime_checkable
class Bot(Protocol):
    """A player.

    Attributes:
        name: the name it was made with.
        repeatable: whether the same match gets the same answer, wherever and whenever it is asked.
    """

    name: str
    repeatable: bool

    def act(self, match: Match, mask: np.ndarray, rng: np.random.Generator) -> int:
        """Returns the code that answers the pending question.

        Args:
            match: the match; it is not changed.
            mask: int8 (Act.SIZE,), the legal codes.
            rng: the only source of chance outside the match.
        """
        ...

    def act_many(self, arena: VectorArena, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Returns the answers in several matches of a vectorised arena.

        Args:
            arena: the matches.
            rows: int (k,), the matches to answer in.
            rng: the only source of chance outside the matches.

        Returns:
            int64 (k,) codes.
        """
        ...


def _kernel_bot(name: str, argument: str, pool: Pool | None) -> Bot:
    from apotheosis.agents.bots.kernel import KernelBot

    if argument:
        raise InputError(f"bot {name!r} takes no argument, got {argument!r}")
    return KernelBot(name)


def _search_bot(name: str, argument: str, pool: Pool | None) -> Bot:
    from apotheosis.agents.bots.search import make_search

    return make_search(argument)


def _policy_bot(name: str, argument: str, pool: Pool | None) -> Bot:
    from apotheosis.agents.policy.policy_file import load_policy

    if not argument:
        raise InputError("bot 'ppo' needs the path of a trained policy: ppo:PATH")
    return load_policy(argument, pool)


MAKERS: dict[str, Callable[[str, str, Pool | None], Bot]] = {
    "random": _kernel_bot,
    "greedy": _kernel_bot,
    "search": _search_bot,
    "ppo": _policy_bot,
}
"""How the bots of each family are made: (family, what follows the colon, pool) -> bot."""


def make_bot(name: str, pool: Pool | None = None) -> Bot:
    """Returns the bot with a name.

    Args:
        name: `random`, `greedy`, `search:1000`, `search:200ms` or `ppo:PATH`.
        pool: the cards it will play with; a policy recognises the cards that it learned with.

    Raises:
        InputError: no bot has this name, or its file does not fit.
    """
    family, _, argument = name.partition(":")
    if family not in MAKERS:
        raise unknown("bot", name, MAKERS)
    return MAKERS[family](family, argument, pool)


def file_of(name: str) -> str | None:
    """Returns the path of the file that a bot is made from, None where it is made of code alone."""
    family, _, argument = name.partition(":")
    return argument if family == "ppo" and argument else None


def is_kernel_bot(name: str) -> bool:
    """Returns whether a bot plays inside compiled code, where whole batches run without Python."""
    from apotheosis.env.match import kernel_code

    return kernel_code(name) is not None
