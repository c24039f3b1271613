"""Draws mutants of the rules kernel, runs the tests on each, and writes which of them nothing has noticed.

    python tests/mutation/mutants.py                       # 100 mutants of the default seed (`make mutants`)
    python tests/mutation/mutants.py --seed 2 3 --jobs 2   # others
    python tests/mutation/mutants.py --show KEY            # one mutant: its change and who runs it

A run goes on where it was stopped: a row holds while the statement is the same. `--again` judges the survivors once more, after
tests were added. Mutants that survive and change nothing that anybody could see are explained in `explained.yaml`, by key.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
import time
from pathlib import Path

os.environ["APOTHEOSIS_JIT"] = "0"
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / ".links")]

from judge import Judge  # noqa: E402
from points import ROOT, Point, all_points, draw, place_of, sources  # noqa: E402
from tables import COLUMNS, explanations, row_holds, rows_of, summary, write_page  # noqa: E402

SEED = 1
COUNT = 100


def judged(judge: Judge, point: Point, sign: str) -> dict[str, str]:
    """Judges one mutant; runs in a fork."""
    start = time.monotonic()
    place = place_of(point)
    chosen = judge.chosen(point)
    test, kind, fault = judge.verdict(point)
    verdict = "killed" if test else "survived" if chosen else "not run"
    return {
        "key": point.key, "kind": point.kind, "place": f"{point.module}.py:{point.line}", "before": place.before,
        "after": place.after, "verdict": verdict, "judge": kind, "test": test, "fault": " ".join(fault.split())[:160],
        "tests_run": str(len(chosen)), "seconds": f"{time.monotonic() - start:.1f}", "sources": sign,
    }  # fmt: skip


def forked(judge: Judge, point: Point, sign: str) -> tuple[int, int]:
    """Starts a child that judges a mutant; returns its number and the pipe that its row comes through."""
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        return child, read
    try:
        os.close(read)
        with os.fdopen(write, "w", encoding="utf-8") as pipe:
            json.dump(judged(judge, point, sign), pipe)
    finally:
        os._exit(0)


def run(points: list[Point], judge: Judge, table: Path, jobs: int) -> None:
    """Judges mutants that the table does not hold yet, and adds their rows."""
    sign = sources()
    table.parent.mkdir(parents=True, exist_ok=True)
    left, running = list(points), {}
    with table.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if not file.tell():
            writer.writeheader()
        while left or running:
            while left and len(running) < jobs:
                point = left.pop(0)
                child, pipe = forked(judge, point, sign)
                running[child] = (point, pipe)
            point, pipe = running[next(iter(running))]
            with os.fdopen(pipe, encoding="utf-8") as end:
                text = end.read()
            child = next(iter(running))
            os.waitpid(child, 0)
            del running[child]
            if not text:
                raise SystemExit(f"{point.key}: the process that judged it has died")
            row = json.loads(text)
            if row["test"] and not judge.holds(row["test"]):
                raise SystemExit(f"{row['test']} fails without any mutant: {judge.fault(row['test'])}")
            writer.writerow(row)
            file.flush()
            sys.stderr.write(f"{row['verdict']:9} {row['seconds']:>6} s  {point.key}  {row['test']}\n")


def judge_seed(judge: Judge, drawn: list[Point], table: Path, given: argparse.Namespace) -> None:
    """Judges the mutants of a seed that its table does not hold yet, and prints those that nothing kills."""
    known = rows_of(table)
    explained = explanations()
    keep = {key for key, row in known.items() if row["verdict"] == "killed" or not given.again}
    done = {key for key in keep if row_holds(known[key], drawn)}
    # those with an explanation come last: if it is right they take longest
    left = sorted((point for point in drawn if point.key not in done), key=lambda point: point.key in explained)
    run(left, judge, table, max(1, given.jobs))
    known = rows_of(table)
    rows = [known[point.key] for point in drawn]
    for row in rows:
        if row["verdict"] != "killed":
            word = "equivalent" if row["key"] in explained else row["verdict"]
            sys.stdout.write(f"{word:10} {row['key']} ({row['place']}, run by {row['tests_run']})\n")
            sys.stdout.write(f"  - {row['before']}\n  + {row['after']}\n")
    counts = summary(rows, explained)
    share = 100 * counts["killed"] / max(1, counts["mutants"] - counts["equivalent"])
    sys.stdout.write(f"{counts}; {share:.0f} % of those that are not equivalent are killed\n")


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, nargs="+", default=[SEED])
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--jobs", type=int, default=1, help="mutants judged at the same time")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mutation", help="folder of tables and recorded lines")
    parser.add_argument("--again", action="store_true", help="judge survivors of the table once more")
    parser.add_argument("--show", help="a key: print the mutant and the tests that run it")
    parser.add_argument("--write", action="store_true", help="write docs/mutation.md from the tables of all seeds")
    given = parser.parse_args()
    if given.write:
        write_page(given.work, explanations(), given.count)
        return
    points = all_points()
    judge = Judge(given.work / "lines.json")
    if given.show:
        for point in points:
            if point.key == given.show:
                place = place_of(point)
                sys.stdout.write(f"{point.key}\n{point.module}.py:{point.line}\n- {place.before}\n+ {place.after}\n")
                sys.stdout.write("\n".join(test.name for test in judge.chosen(point)) + "\n")
        return
    for seed in given.seed:
        sys.stdout.write(f"seed {seed}: {given.count} of {len(points)} points, {len(judge.tests)} tests\n")
        judge_seed(judge, draw(points, seed, given.count), given.work / f"seed_{seed}.csv", given)


if __name__ == "__main__":
    main()
