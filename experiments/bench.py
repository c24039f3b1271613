"""Speed of the lab on this machine, beside other engines measured in the same run.

Everything runs on one core, and time is the processor time of this process. All contestants take turns, several rounds
of them, and the median counts: a shared machine changes its speed within seconds, so only numbers of the same run may
be compared. `probe` says how fast the machine was.

A decision is a question with at least two legal answers whose full list was computed. Completed actions (entries of
ARENA A5.1 and reactions, sub-steps left out) stand beside it, since a finer split of actions would raise the former.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from apotheosis.env.cards.pool import Pool

BATCH = 500
"""Matches in one call of the kernel."""
BANK = 4000
"""Matches dealt beforehand, each with decks of its own; later rounds play them with fresh dice."""
VECTOR = 256
"""Matches side by side in the vectorised environment."""
SEARCHED = 8
"""Matches in which the search bot answers."""
SIMULATIONS = 200
"""Simulations of an answer of the search bot."""
COPIES = 16
"""Records copied in one call, few enough to stay in the processor's cache."""
PROBE_S = 0.2
SHOWN = 30
"""Functions of a profile that are printed."""


class Count(NamedTuple):
    """What one call of a contestant did."""

    decisions: int
    matches: int = 0
    actions: int = 0


Contestant = Callable[[], Count]


def probe() -> float:
    """Returns empty loop turns of plain Python per second: how fast the machine is at this moment."""
    start, turns = time.process_time(), 0
    while (elapsed := time.process_time() - start) < PROBE_S:
        for _ in range(10_000):
            pass
        turns += 10_000
    return turns / elapsed


@contextlib.contextmanager
def pinned(core: int | None) -> Iterator[int | None]:
    """Keeps this process on one core.

    Args:
        core: its number; the last usable one where None.

    Yields:
        The core, or None where the system cannot pin.

    Raises:
        InputError: the process may not use that core.
    """
    from apotheosis.env.errors import InputError

    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    usable = os.sched_getaffinity(0)
    chosen = max(usable) if core is None else core
    if chosen not in usable:
        raise InputError(f"core {core} is not usable here; usable are {', '.join(map(str, sorted(usable)))}", "--core")
    os.sched_setaffinity(0, {chosen})
    try:
        yield chosen
    finally:
        os.sched_setaffinity(0, usable)


def rates(play: Contestant, seconds: float) -> np.ndarray:
    """Returns decisions, matches and actions per second of one contestant in one round."""
    total = np.zeros(3)
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        total += play()
    return total / elapsed


def kernel_play(pool: Pool, seed: int) -> Contestant:
    """Returns random 1v1 matches inside the kernel, whole rules, coherent random decks."""
    from apotheosis.env.arena import Dealer
    from apotheosis.env.match import bot_code, play_batch

    rng = np.random.default_rng(seed)
    lineups, _ = Dealer(pool).deal(rng, BANK)
    bots = np.full((BATCH, 2), bot_code("random"))
    at = 0

    def play() -> Count:
        nonlocal at
        some = lineups[at : at + BATCH]
        at = (at + BATCH) % BANK
        seeds = rng.integers(0, 2**32, (BATCH, 5))
        result = play_batch(pool, some, seeds, bots, ledger=False)
        return Count(result.decisions, BATCH, int(result.matches["actions"].sum()))

    return play


def python_play(pool: Pool, seed: int) -> Contestant:
    """Returns random matches driven from Python: one call lists the legal answers and applies one."""
    from apotheosis.env.arena import Dealer
    from apotheosis.env.match import Match

    rng, dealer = np.random.default_rng(seed), Dealer(pool, bank=VECTOR)

    def play() -> Count:
        lineups, seeds = dealer.deal(rng)
        match, decisions = Match(pool, lineups, seeds[0]), 0
        draws = rng.random(2000).tolist()
        while not match.over:
            legal = match.legal()
            match.apply(legal[int(draws[decisions % 2000] * len(legal))])
            decisions += 1
        return Count(decisions, 1)

    return play


def aec_play(cards: str, seed: int) -> Contestant:
    """Returns random matches in the PettingZoo environment, observation and mask included."""
    from apotheosis.env.aec import env

    table, rng = env(cards=cards), np.random.default_rng(seed)

    def play() -> Count:
        table.reset(seed=int(rng.integers(1 << 30)))
        decisions = 0
        for _ in table.agent_iter():
            observation, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.step(None)
                continue
            table.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            decisions += 1
        return Count(decisions, 1)

    return play


def vector_play(pool: Pool, seed: int) -> Contestant:
    """Returns random play in the vectorised environment, observations included; one call steps all matches once."""
    from apotheosis.env.vector import VectorArena

    arena, rng = VectorArena(VECTOR, pool, seed=seed), np.random.default_rng(seed)

    def play() -> Count:
        arena.observe()
        choice = rng.random(arena.masks.shape, np.float32)
        step = arena.step((choice * arena.masks).argmax(1))
        return Count(VECTOR, int(step.done.sum()))

    return play


def search_play(pool: Pool, seed: int) -> Contestant:
    """Returns the search bot answering for both sides of several matches; its simulations count as decisions."""
    from apotheosis.agents.bots.search import SearchBot
    from apotheosis.env.vector import VectorArena

    arena, rng = VectorArena(SEARCHED, pool, seed=seed), np.random.default_rng(seed)
    bot, rows = SearchBot(f"search:{SIMULATIONS}", SIMULATIONS), np.arange(SEARCHED)

    def play() -> Count:
        step = arena.step(bot.act_many(arena, rows, rng))
        return Count(SEARCHED * SIMULATIONS, int(step.done.sum()))

    return play


def copying() -> Contestant:
    """Returns copies of match records by assignment; they count as decisions."""
    from apotheosis.env.rules.layout import MATCH

    one = np.zeros(1, MATCH).view(f"V{MATCH.itemsize}")
    many = np.zeros(COPIES, MATCH).view(f"V{MATCH.itemsize}")

    def play() -> Count:
        for _ in range(20):
            many[:] = one
        return Count(20 * COPIES)

    return play


def start_seconds(runs: int) -> float:
    """Returns the CPU seconds of a warm start: import of the kernel and first call, beyond the import of Numba."""
    code = (
        "import time, numpy as np, numba; start = time.process_time()\n"
        "from apotheosis.env.rules import doors, layout\n"
        "doors.check(np.zeros(1, layout.MATCH), 0); print(time.process_time() - start)"
    )
    command = [sys.executable, "-c", code]
    found = [float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(max(runs, 3))]
    return statistics.median(found)


def compile_seconds(anew: bool, quiet: bool) -> tuple[float | None, float | None]:
    """Returns CPU and wall seconds of the kernel's compilation on this machine; None where it reused earlier work.

    Args:
        anew: compile once more into a temporary cache; else the figures of the compilation that made the cache.
        quiet: hide the progress of a compilation.
    """
    from apotheosis.env.rules import compiler

    if not anew:
        state = compiler.status()
        if state["lowered"] != state["functions"]:
            return None, None
        return float(state["cpu_seconds"]), float(state["seconds"])  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as cache:
        settings = {**os.environ, "XDG_CACHE_HOME": cache, "APOTHEOSIS_QUIET": "1" if quiet else "0"}
        code = "import json; from apotheosis.env.rules import compiler as c; c.warm_up(); print(json.dumps(c.status()))"
        child = subprocess.run([sys.executable, "-c", code], env=settings, check=True, stdout=subprocess.PIPE, text=True)
        state = json.loads(child.stdout)
    return float(state["cpu_seconds"]), float(state["seconds"])


def entrants(cards: str, seed: int, peers: bool) -> tuple[dict[str, Contestant], dict[str, str]]:
    """Makes all contestants.

    Args:
        cards: a card file, a folder, or "starter".
        seed: decides decks and dice.
        peers: whether to add the other engines.

    Returns:
        The contestants by name, and for each peer that cannot play the reason.
    """
    from apotheosis.env.cards.pool import load_pool
    from apotheosis.experiments.bench_peers import PEERS

    pool = load_pool(cards)
    found: dict[str, Contestant] = {
        "kernel": kernel_play(pool, seed),
        "python": python_play(pool, seed),
        "steps": aec_play(cards, seed),
        "vector_steps": vector_play(pool, seed),
        "search": search_play(pool, seed),
        "copies": copying(),
    }
    failed = {}
    for name, make in PEERS.items() if peers else ():
        try:
            play = make()
            play()
        except ModuleNotFoundError as error:
            failed[name] = f"not installed ({error.name})"
        except Exception as error:  # another project's fault must not end the measurement; it is reported
            failed[name] = f"{type(error).__name__}: {error}"[:120]
        else:
            found[name] = lambda play=play: Count(play(), 1)
    return found, failed


def race(
    contestants: dict[str, Contestant], seconds: float, runs: int, show: Callable[[int], None]
) -> dict[str, dict[str, float]]:
    """Lets all contestants take turns.

    Args:
        contestants: what to measure.
        seconds: processor time of each turn.
        runs: rounds.
        show: told after each turn how many are done.

    Returns:
        By name the medians decisions_per_s, matches_per_s, actions_per_s and the median probe before its turns.
    """
    measured: dict[str, list[np.ndarray]] = {name: [] for name in contestants}
    done = 0
    for play in contestants.values():
        play()
    for _ in range(runs):
        for name, play in contestants.items():
            measured[name].append(np.append(rates(play, seconds), probe()))
            done += 1
            show(done)
    keys = ("decisions_per_s", "matches_per_s", "actions_per_s", "probe")
    return {name: dict(zip(keys, np.median(rows, axis=0).tolist(), strict=True)) for name, rows in measured.items()}


def bench(
    cards: str = "starter",
    peers: bool = False,
    seconds: float = 2.0,
    runs: int = 3,
    core: int | None = None,
    seed: int = 1,
    cold: bool = False,
    profile: bool = False,
    quiet: bool = False,
) -> dict[str, Any]:
    """Measures this machine.

    Args:
        cards: a card file, a folder, or "starter".
        peers: whether to measure the other engines too.
        seconds: processor time of one turn of one contestant.
        runs: rounds; the median counts.
        core: the core to stay on, the last usable one where None.
        seed: decides decks and dice.
        cold: compile the kernel once more to measure it.
        profile: sample where the kernel spends its time.
        quiet: show no progress.

    Returns:
        The keys of `apotheosis bench --json`. None are `profile` where none was asked for, and the seconds of a cold
        compilation where the kernel in use was compiled with parts of an earlier one and `cold` is off.
    """
    from apotheosis.experiments.door import prepare_kernel
    from apotheosis.experiments.progress import Progress

    prepare_kernel(quiet)
    with pinned(core) as chosen:
        compile_cpu, compile_wall = compile_seconds(cold, quiet)
        warm = start_seconds(runs)
        contestants, failed = entrants(cards, seed, peers)
        with Progress("bench", runs * len(contestants), "turns", quiet) as progress:
            found = race(contestants, seconds, runs, progress.update)
    own = found["kernel"]
    rows = [{"peer": name, **rate(found[name])} for name in found if name not in OWN]
    return {
        "decisions_per_s": own["decisions_per_s"],
        "actions_per_s": own["actions_per_s"],
        "matches_per_s": own["matches_per_s"],
        "decisions_per_match": own["decisions_per_s"] / own["matches_per_s"],
        "python_decisions_per_s": found["python"]["decisions_per_s"],
        "copies_per_s": found["copies"]["decisions_per_s"],
        "steps_per_s": found["steps"]["decisions_per_s"],
        "vector_steps_per_s": found["vector_steps"]["decisions_per_s"],
        "search_simulations_per_s": found["search"]["decisions_per_s"],
        "cold_compile_s": compile_cpu,
        "cold_compile_wall_s": compile_wall,
        "warm_start_s": warm,
        "probe": own["probe"],
        "cards": cards,
        "seed": seed,
        "core": chosen,
        "seconds": seconds,
        "runs": runs,
        "profile": sampled(cards, seconds * runs, seed) if profile else None,
        "peers": rows + [{"peer": name, "error": reason} for name, reason in failed.items()],
    }


def sampled(cards: str, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Returns the kernel's functions with their share of its time, the most expensive first."""
    from apotheosis.experiments.bench_profile import profile

    return [share._asdict() for share in profile(cards, seconds, seed)]


OWN = ("kernel", "python", "steps", "vector_steps", "search", "copies")
"""Names of the lab's own contestants."""


def rate(medians: dict[str, float]) -> dict[str, float]:
    """Returns what the list of peers says about one of them."""
    return {
        "decisions_per_s": medians["decisions_per_s"],
        "games_per_s": medians["matches_per_s"],
        "probe": medians["probe"],
    }


ROWS = (
    ("decisions_per_s", "random decisions in the kernel", "/s"),
    ("actions_per_s", "completed actions in the kernel", "/s"),
    ("matches_per_s", "random matches in the kernel", "/s"),
    ("decisions_per_match", "decisions in a match", ""),
    ("python_decisions_per_s", "decisions driven from Python", "/s"),
    ("steps_per_s", "steps of the PettingZoo environment", "/s"),
    ("vector_steps_per_s", "steps of the vectorised environment", "/s"),
    ("search_simulations_per_s", "simulations of the search bot", "/s"),
    ("copies_per_s", "copies of a match record", "/s"),
    ("cold_compile_s", "compilation of the kernel", " CPU s"),
    ("warm_start_s", "warm start of the kernel", " CPU s"),
    ("probe", "probe (empty Python loop)", "/s"),
)


def as_text(found: dict[str, Any]) -> str:
    """Returns the measurement as a table for people."""
    lines = [f"{name:<55} {number(found[key]):>12}{unit}" for key, name, unit in ROWS if found[key] is not None]
    for row in found["peers"]:
        if "error" in row:
            lines.append(f"{row['peer']:<55} not measured: {row['error']}")
        else:
            ratio = found["decisions_per_s"] / row["decisions_per_s"]
            lines.append(
                f"{row['peer']:<55} {number(row['decisions_per_s']):>12}/s decisions, "
                f"{number(row['games_per_s'])} games/s; the kernel makes {ratio:.1f} times as many decisions"
            )
    for row in (found["profile"] or ())[:SHOWN]:
        lines.append(f"  {100 * row['share']:5.1f} %  {row['function']}")
    place = "no pinning" if found["core"] is None else f"core {found['core']}"
    lines.append(f"cards {found['cards']}, {place}, median of {found['runs']} rounds of {found['seconds']:g} CPU s")
    return "\n".join(lines)


def as_markdown(found: dict[str, Any]) -> str:
    """Returns the measurement as the tables of docs/benchmarks.md."""
    lines = ["| what | value |", "|---|---|"]
    lines += [f"| {name} | {number(found[key])}{unit} |" for key, name, unit in ROWS if found[key] is not None]
    if found["peers"]:
        lines += ["", "| peer | decisions/s | games/s | kernel decisions for each of its decisions |", "|---|---|---|---|"]
    for row in found["peers"]:
        if "error" in row:
            lines.append(f"| {row['peer']} | {row['error']} | | |")
        else:
            ratio = found["decisions_per_s"] / row["decisions_per_s"]
            rates_of_peer = f"{number(row['decisions_per_s'])} | {number(row['games_per_s'])}"
            lines.append(f"| {row['peer']} | {rates_of_peer} | {ratio:.1f} |")
    if found["profile"]:
        lines += ["", "| kernel function | share of the time |", "|---|---|"]
        lines += [f"| `{row['function']}` | {100 * row['share']:.1f} % |" for row in found["profile"][:SHOWN]]
    return "\n".join(lines)


def number(value: float) -> str:
    """Returns a number with as many decimals as matter."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
