"""Plays matches twice, the second time with the sides swapped and the streams following the persons.

Run uncompiled (`APOTHEOSIS_JIT=0`): the dice of the kernel are keyed by copies and characters, whose numbers say on which side
they stand. Here that key is replaced by one that names the person, so that both matches roll the same for the same person.

    APOTHEOSIS_JIT=0 python tests/rules/mirrored.py TEAM_SIZE MATCHES SEED

Each person answers by chance of its own, in the second match what it answered in the first; the options must be the same ones,
and after each answer every person must have the same HP, AP, cards and (mirrored) place.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections import deque
from typing import Any

import numpy as np

from apotheosis.env.arena import ArenaFormat, Dealer
from apotheosis.env.cards.pool import load_pool
from apotheosis.env.match import Match
from apotheosis.env.rules import dice
from apotheosis.env.rules.codes import Act, Kind, Life, Outcome
from apotheosis.env.rules.layout import CARDS, COPIES, HEROES, SIDE
from apotheosis.env.rules.position_door import copy_of_code

MIRRORED = {Outcome.WIN_A: Outcome.WIN_B, Outcome.WIN_B: Outcome.WIN_A}
Key = tuple[Any, ...]


class Swap:
    """Which persons play which heroes now."""

    on = False


def hero_key(hero: int) -> int:
    """Returns the person of a hero: the hero's number in the first match."""
    return hero ^ 1 if Swap.on and hero < HEROES else hero


def copy_key(copy: int) -> int:
    """Returns the number of a copy in the first match."""
    return hero_key(copy // COPIES) * COPIES + copy % COPIES if 0 <= copy < HEROES * COPIES else copy


def cause_key(m: Any, cause: int) -> int:
    """Returns what a roll is keyed by instead of its cause: the person's copy, hero or piece."""
    if cause < CARDS:
        return copy_key(cause)
    char = cause - CARDS
    if char < HEROES:
        return CARDS + hero_key(char)
    return 1000 + copy_key(m.body[char]) if m.body[char] >= 0 else 2000 + hero_key(m.owner[char])


def follow_persons() -> None:
    """Keys the dice of the kernel by persons."""
    source = textwrap.dedent(inspect.getsource(dice.natural))
    source = source[source.index("def natural") :].replace("m.turns, cause, count", "m.turns, cause_key(m, cause), count")
    vars(dice)["cause_key"] = cause_key
    made: dict[str, Any] = {}
    exec(compile(source, dice.__file__, "exec"), vars(dice), made)
    dice.natural.__code__ = made["natural"].__code__


def char_key(match: Match, char: int) -> Key:
    """Returns a character as both matches name it."""
    if char < HEROES:
        return ("hero", hero_key(char))
    body = int(match.state["body"][char])
    return (
        ("card", copy_key(body)) if body >= 0 else ("piece", hero_key(int(match.state["owner"][char])), tile_key(match, char))
    )


def mirrored_tile(match: Match, tile: int) -> int:
    """Returns a tile as the first match names it."""
    return (int(match.state["height"]) - 1 - tile // SIDE) * SIDE + tile % SIDE if Swap.on and tile >= 0 else tile


def tile_key(match: Match, char: int) -> int:
    """Returns where a character stands, as the first match names it."""
    return mirrored_tile(match, int(match.state["tile"][char]))


def option_key(match: Match, code: int) -> Key:
    """Returns an option as both matches name it."""
    if Act.TILE <= code < Act.CHAR:
        return ("tile", mirrored_tile(match, code - Act.TILE))
    if Act.CHAR <= code < Act.NUMBER:
        return char_key(match, code - Act.CHAR)
    if Act.CARD <= code < Act.TILE:
        return ("copy", copy_key(int(copy_of_code(match.matches, 0, code))))
    return ("code", code)


def picture(match: Match) -> dict[Key, Key]:
    """Returns what is known of every person, piece and card."""
    state = match.state
    seen: dict[Key, Key] = {}
    for char in range(int(state["chars"])):
        if state["life"][char] != Life.GONE and state["kind"][char] != 0:
            numbers = [int(state[name][char]) for name in ("hp", "ap", "debt", "life", "markers", "acted")]
            seen[char_key(match, char)] = (tile_key(match, char), *numbers)
    for copy in range(CARDS):
        if state["ident"][copy] >= 0:
            seen["zone", copy_key(copy)] = tuple(int(state[name][copy]) for name in ("ident", "zone", "flags", "used"))
    return seen


def start(pool: Any, lineups: np.ndarray, seeds: np.ndarray, swap: bool) -> Match:
    """Starts a match, or the same one with its sides swapped."""
    Swap.on = swap
    if not swap:
        return Match(pool, lineups, seeds)
    turned = lineups.copy()
    for hero in range(0, HEROES, 2):
        turned["cards"][0, [hero, hero + 1]] = lineups["cards"][0, [hero + 1, hero]]
    return Match(pool, turned, seeds[[1, 0, 2, 4, 3]])


def first_match(pool: Any, lineups: np.ndarray, seeds: np.ndarray, seed: int) -> tuple[Match, dict[int, deque], list]:
    """Plays a match by chance; returns it, each person's questions with the answers, and the picture after each turn."""
    match = start(pool, lineups, seeds, False)
    chance = {hero: np.random.default_rng([seed, hero]) for hero in range(HEROES)}
    asked: dict[int, deque] = {hero: deque() for hero in range(HEROES)}
    pictures = []
    while not match.over:
        hero = int(match.state["owner"][match.asked])
        keys = {option_key(match, int(code)): int(code) for code in match.legal()}
        order = sorted(keys, key=str)
        chosen = order[chance[hero].integers(len(order))]
        asked[hero].append((match.decision, frozenset(keys), chosen))
        match.apply(keys[chosen])
        if chosen == ("code", int(Act.KIND + Kind.END_TURN)):
            pictures.append(picture(match))
    return match, asked, pictures


def check(pool: Any, lineups: np.ndarray, seeds: np.ndarray, seed: int) -> int:
    """Plays a match and its mirror image; returns the number of questions.

    Raises:
        AssertionError: they differ.
    """
    match, asked, pictures = first_match(pool, lineups, seeds, seed)
    count = sum(map(len, asked.values()))
    end = (match.outcome, int(match.state["cause"]), int(match.state["stint"]), picture(match))
    mirror = start(pool, lineups, seeds, True)
    turn = 0
    while not mirror.over:
        hero = hero_key(int(mirror.state["owner"][mirror.asked]))
        assert asked[hero], f"person {hero} is asked {mirror.decision.name}, which it was not in the first match"
        decision, options, chosen = asked[hero].popleft()
        keys = {option_key(mirror, int(code)): int(code) for code in mirror.legal()}
        assert (decision, options) == (mirror.decision, frozenset(keys)), (hero, decision, mirror.decision, options ^ set(keys))
        mirror.apply(keys[chosen])
        if chosen == ("code", int(Act.KIND + Kind.END_TURN)):
            now = picture(mirror)
            assert now == pictures[turn], sorted(set(now.items()) ^ set(pictures[turn].items()), key=str)
            turn += 1
    outcome = MIRRORED.get(mirror.outcome, mirror.outcome)
    assert end == (outcome, int(mirror.state["cause"]), int(mirror.state["stint"]), picture(mirror))
    Swap.on = False
    return count


def main(arguments: list[str]) -> None:
    """Checks some matches and prints how many questions they had."""
    team_size, matches, seed = map(int, arguments)
    follow_persons()
    pool = load_pool("starter")
    lineups, seeds = Dealer(pool, ArenaFormat(team_size=team_size)).deal(np.random.default_rng(seed), matches)
    asked = [check(pool, lineups[row : row + 1], seeds[row], seed + row) for row in range(matches)]
    sys.stdout.write(f"{matches} matches, {sum(asked)} questions\n")


if __name__ == "__main__":
    main(sys.argv[1:])
