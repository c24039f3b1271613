"""Other card and board engines, driven as their own users drive them: uniformly random legal play in one process.

Nothing here is needed by the lab, so peers are imported by name when they are played; one that is not installed is
reported as such. A decision is one call that applies an action chosen among the legal ones, whoever makes it; a game is
one run from start to end.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module

Play = Callable[[], int]
"""Plays one game and returns the decisions it took."""


def gin_or_hanabi(name: str) -> Play:
    """Returns a game of OpenSpiel, chance included, through its Python binding.

    Args:
        name: the game's short name in OpenSpiel.
    """
    game, chooser = import_module("pyspiel").load_game(name), random.Random(1)

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chooser.choices(outcomes, weights)[0])
            else:
                state.apply_action(chooser.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def rlcard_game(name: str) -> Play:
    """Returns a game of RLCard.

    Args:
        name: the environment's name in RLCard.
    """
    table, chooser = import_module("rlcard").make(name, config={"seed": 1}), random.Random(1)

    def play() -> int:
        state = table.reset()[0]
        decisions = 0
        while not table.is_over():
            state = table.step(chooser.choice(list(state["legal_actions"])))[0]
            decisions += 1
        return decisions

    return play


def essence_wars(own_loop: bool) -> Play:
    """Returns a game of Essence Wars, a card engine in Rust with a Python binding.

    Args:
        own_loop: lets the engine draw each action itself; else the mask goes to Python and the action back.
    """
    import numpy as np

    game, chooser, seed = import_module("essence_wars._core").PyGame(), random.Random(1), 0

    def play() -> int:
        nonlocal seed
        seed += 1
        game.reset(seed)
        decisions = 0
        while not game.is_done():
            action = game.random_action() if own_loop else int(chooser.choice(np.flatnonzero(game.action_mask())))
            game.step(action)
            decisions += 1
        return decisions

    return play


def connect_four() -> Play:
    """Returns PettingZoo's connect four in the agent-environment cycle that its documentation shows."""
    import numpy as np
    from pettingzoo.classic import connect_four_v3

    table, chooser = connect_four_v3.env(), random.Random(1)

    def play() -> int:
        table.reset(seed=chooser.randrange(1 << 30))
        decisions = 0
        for _ in table.agent_iter():
            observation, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.step(None)
                continue
            table.step(int(chooser.choice(np.flatnonzero(observation["action_mask"]))))
            decisions += 1
        return decisions

    return play


RUST_LOOP = "essence_wars, its own random loop (Rust core)"
GIN_RUMMY = "open_spiel gin_rummy (C++ core, Python loop)"

PEERS: dict[str, Callable[[], Play]] = {
    GIN_RUMMY: lambda: gin_or_hanabi("gin_rummy"),
    "open_spiel hanabi (C++ core, Python loop)": lambda: gin_or_hanabi("hanabi"),
    "rlcard uno (Python)": lambda: rlcard_game("uno"),
    "rlcard gin-rummy (Python)": lambda: rlcard_game("gin-rummy"),
    RUST_LOOP: lambda: essence_wars(own_loop=True),
    "essence_wars, mask and step from Python (Rust core)": lambda: essence_wars(own_loop=False),
    "pettingzoo connect_four AEC (Python)": connect_four,
}
