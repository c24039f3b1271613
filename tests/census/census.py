"""Plays many random matches with audits and counts which instructions, reasons, events and questions occur in them.

    python tests/census/census.py --matches 1000000 --cards cards.json    # goes on where it was stopped
    python tests/census/census.py --report                                # sums, and what occurs less than 100 times

Chunks go through 1v1, 2v2 and 3v3, with the bundled cards and, where --cards names a file, every other chunk with those. Each
chunk is one line of `census.jsonl` and depends on its number alone, so lines of several processes may be put together
(--first, --step). A kernel that counts is compiled once (`APOTHEOSIS_TALLY=1`). The report runs the scenarios too, uncompiled,
and names for whatever is rare in the matches one that reaches it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
os.environ["APOTHEOSIS_TALLY"] = "1"
sys.path.insert(0, str(ROOT / ".links"))

import numpy as np  # noqa: E402

from apotheosis.env.arena import ArenaFormat, Dealer  # noqa: E402
from apotheosis.env.cards.pool import Pool, load_pool  # noqa: E402
from apotheosis.env.match import play_batch  # noqa: E402
from apotheosis.env.rules.codes import Bot, Decision, Outcome, Reason  # noqa: E402
from apotheosis.env.rules.opcodes import Ev, Op  # noqa: E402

ROWS = {"instruction": Op, "reason": Reason, "event": Ev, "question": Decision}
"""The rows of the kernel's tally, in its order."""
TEAMS = (1, 2, 3)
RARE = 100
NEVER = ("END", "NONE")
"""The end of a program and no question, which are nothing that happens."""
SCENARIOS = (ROOT / "tests" / "scenarios", ROOT / "tests" / "cards" / "rulings")


def tally_of(pool: Pool) -> dict[str, dict[str, int]]:
    """Returns the counts that stand in a pool record, by kind and name, and sets them to zero."""
    found = {}
    for row, (kind, names) in enumerate(ROWS.items()):
        counts = pool.record["tally"][0][row]
        found[kind] = {
            names(code).name: int(counts[code]) for code in np.flatnonzero(counts) if code in names._value2member_map_
        }
        counts[:] = 0
    return found


def play(number: int, pool: Pool, name: str, matches: int, dealers: dict[tuple[str, int], Dealer]) -> dict[str, Any]:
    """Plays one chunk and returns its line."""
    team_size = TEAMS[number % len(TEAMS)]
    dealer = dealers.setdefault((name, team_size), Dealer(pool, ArenaFormat(team_size=team_size)))
    start = time.monotonic()
    lineups, seeds = dealer.deal(np.random.default_rng([20261201, number]), matches)
    bots = np.full((matches, 2), int(Bot.RANDOM))
    result = play_batch(pool, lineups, seeds, bots, ledger=False, audit=True)
    rows = result.matches
    faults = [{"match": int(k), "fault": int(rows["fault"][k])} for k in np.flatnonzero(rows["fault"])]
    return {
        "chunk": number, "pool": name, "team_size": team_size, "matches": matches, "decisions": result.decisions,
        "seconds": round(time.monotonic() - start, 1),
        "outcomes": dict(Counter(Outcome(int(code)).name for code in rows["outcome"])), "faults": faults, **tally_of(pool),
    }  # fmt: skip


def run(given: argparse.Namespace) -> None:
    """Plays chunks until all matches are played."""
    pools = {"starter": load_pool("starter")}
    if given.cards is not None:
        pools["cards"] = load_pool(str(given.cards))
    names = list(pools)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    done = {line["chunk"] for line in lines_of(given.out)}
    dealers: dict[tuple[str, int], Dealer] = {}
    chunks = -(-given.matches // given.chunk)
    with given.out.open("a", encoding="utf-8") as file:
        for number in range(given.first, chunks, given.step):
            if number in done:
                continue
            name = names[number // len(TEAMS) % len(names)]
            line = play(number, pools[name], name, given.chunk, dealers)
            file.write(json.dumps(line) + "\n")
            file.flush()
            speed = line["matches"] / max(line["seconds"], 0.1)
            sys.stderr.write(f"chunk {number + 1} of {chunks}: {name}, {speed:.0f} matches/s, {len(line['faults'])} faults\n")


def lines_of(file: Path) -> list[dict[str, Any]]:
    """Returns the chunks that have been played; a line that was cut off is left out."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def reached_by_scenarios() -> dict[str, dict[str, str]]:
    """Returns for each kind and name the first scenario that reaches it; runs in a process of its own, uncompiled."""
    done = subprocess.run(
        [sys.executable, __file__, "--scenarios"],
        capture_output=True, text=True, check=True, env={**os.environ, "APOTHEOSIS_JIT": "0"},
    )  # fmt: skip
    return json.loads(done.stdout)


def run_scenarios() -> dict[str, dict[str, str]]:
    """Runs all scenarios in this process and returns what they reach."""
    from apotheosis.env.scenario.play import Player
    from apotheosis.env.scenario.position import build
    from apotheosis.env.scenario.read import read_scenario

    found: dict[str, dict[str, str]] = {kind: {} for kind in ROWS}
    for folder in SCENARIOS:
        for file in sorted(folder.rglob("*.yaml")):
            scenario = read_scenario(file)
            position = build(scenario)
            Player(position).run(scenario.get("steps") or [], ("steps",))
            for kind, counts in tally_of(position.pool).items():
                for name in counts:
                    found[kind].setdefault(name, str(file.relative_to(ROOT / "tests")))
    return found


def say(text: str) -> None:
    """Prints a line."""
    sys.stdout.write(text + "\n")


def report(file: Path) -> None:
    """Prints the sums, and the names that occur less often than RARE with a scenario that reaches them."""
    lines = lines_of(file)
    outcomes: Counter[str] = Counter()
    totals = {kind: Counter({member.name: 0 for member in names if member.name not in NEVER}) for kind, names in ROWS.items()}
    for line in lines:
        outcomes.update(line["outcomes"])
        for kind in ROWS:
            totals[kind].update(line[kind])
    faults = [(line["chunk"], fault) for line in lines for fault in line["faults"]]
    matches = sum(line["matches"] for line in lines)
    say(f"{matches} matches in {len(lines)} chunks: {dict(outcomes)}, {len(faults)} faults")
    for chunk, fault in faults[:20]:
        say(f"  fault {fault['fault']} in match {fault['match']} of chunk {chunk}")
    shown = reached_by_scenarios()
    for kind, counts in totals.items():
        rare = [name for name in counts if counts[name] < RARE]
        say(f"\n{kind}: {len(counts) - len(rare)} of {len(counts)} occur at least {RARE} times; the others:")
        for name in rare:
            say(f"  {name}: {counts[name]} times; {shown[kind].get(name, 'shown by no scenario')}")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=20_000, help="in all chunks together")
    parser.add_argument("--chunk", type=int, default=2_000, help="matches of a chunk")
    parser.add_argument("--first", type=int, default=0, help="number of the first chunk, for several processes")
    parser.add_argument("--step", type=int, default=1, help="play every such chunk, for several processes")
    parser.add_argument("--cards", type=Path, help="a card file for every other round of chunks, beside the bundled cards")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "census.jsonl")
    parser.add_argument("--report", action="store_true", help="sum up what was played")
    parser.add_argument("--scenarios", action="store_true", help="print as JSON what each scenario reaches (uncompiled)")
    given = parser.parse_args()
    if given.scenarios:
        json.dump(run_scenarios(), sys.stdout)
    elif given.report:
        report(given.out)
    else:
        run(given)


if __name__ == "__main__":
    main()
