"""How often each branch of the kernel is taken, and what the optimiser is told of it.

A kernel of some hundred functions does not fit the first cache, so what is merged into its callers and what stands beside
what decides its speed. LLVM decides that well when it knows how often functions are called and which way their branches go
(metadata `function_entry_count`, `branch_weights` and `ProfileSummary`; LLVM Language Reference). Here the counts are taken
(`count_branches`, a special build) and given (`weigh`, every other build). They stand in branch_weights.csv, made by
`make weights`. They decide speed only: a function that has changed since is built without them, never wrongly.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from apotheosis.env.rules.machine_code import COUNTS

WEIGHTS = Path(__file__).with_name("branch_weights.csv")
MOST = (1 << 31) - 1
"""The largest branch weight."""

CUTOFFS = (10_000, *range(100_000, 1_000_000, 100_000), 950_000, 990_000, 999_000, 999_900, 999_990, 999_999)
"""Shares of all counts, in millionths, for which the summary says from which count on they are reached."""

FIRST_NUMBER = 10_000_000
"""The first number of the metadata added here, far above those of the module."""

FUNCTION = re.compile(r'^define .*?@"?([^"(]+)"?\(')
BRANCH = re.compile(r"^  br i1 ([^,]+), label [^,]+, label [^,]+")


class Weights(NamedTuple):
    """What is known of one function: how often it was called, and how often each branch was (taken, not taken)."""

    calls: int
    branches: tuple[tuple[int, int], ...]


class Line(NamedTuple):
    """A line of a module; a branch has its number within its function and its condition, a first line the number -1."""

    text: str
    function: str = ""
    number: int = -2
    condition: str = ""


def lines_of(module: Any, names: Mapping[str, str]) -> Iterator[Line]:
    """Yields the lines of a module; only those that count or can be weighed name their function.

    Args:
        module: LLVM's module.
        names: the names that functions have in the table, by symbol; others are passed over.
    """
    function, number = "", 0
    for text in str(module).split("\n"):
        if text.startswith("define"):
            found = FUNCTION.match(text)
            function, number = names.get(found[1] if found else "", ""), 0
            yield Line(text, function, -1) if function else Line(text)
        elif function and (branch := BRANCH.match(text)):
            yield Line(text, function, number, branch[1])
            number += 1
        else:
            yield Line(text)


def count_branches(module: Any, names: Mapping[str, str]) -> tuple[Any, list[tuple[str, int]]]:
    """Makes a module count its calls and branches.

    Args:
        module: the linked kernel before it is optimised.
        names: the functions to count in, by symbol.

    Returns:
        The module, and what each pair of counts stands for: the function, and its branch or -1 for its calls.
    """
    places: list[tuple[str, int]] = []
    written: list[str] = []
    entered = ""
    array = "[{size} x i64]"
    for line in lines_of(module, names):
        if line.number == -1:
            entered = line.function
        elif entered and line.text.startswith("  "):
            # the first instruction of the function, which may be a branch too
            written += counter(len(places), array, "")
            places.append((entered, -1))
            entered = ""
        if line.number >= 0:
            written += counter(len(places), array, line.condition)
            places.append((line.function, line.number))
        written.append(line.text)
    written.append(f"@{COUNTS} = global {array} zeroinitializer")
    text = "\n".join(written).replace(array, f"[{2 * len(places)} x i64]")
    return llvm.parse_assembly(text), places


def counter(k: int, array: str, condition: str) -> list[str]:
    """Returns the instructions that raise one count of pair k: the first, or the second where the condition is true."""
    index = f"{2 * k}"
    found = []
    if condition:
        index = f"%count.at.{k}"
        found = [f"  %count.bit.{k} = zext i1 {condition} to i64", f"  {index} = add i64 %count.bit.{k}, {2 * k}"]
    return [
        *found,
        f"  %count.place.{k} = getelementptr {array}, ptr @{COUNTS}, i64 0, i64 {index}",
        f"  %count.old.{k} = load i64, ptr %count.place.{k}",
        f"  %count.new.{k} = add i64 %count.old.{k}, 1",
        f"  store i64 %count.new.{k}, ptr %count.place.{k}",
    ]


class Metadata:
    """Numbered metadata nodes, each one once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def node(self, *parts: str) -> str:
        """Returns the reference to a node of these parts."""
        return f"!{self.numbers.setdefault(', '.join(parts), FIRST_NUMBER + len(self.numbers))}"

    def lines(self) -> list[str]:
        """Returns the definitions of all nodes."""
        return [f"!{number} = !{{{parts}}}" for parts, number in self.numbers.items()]


def weigh(module: Any, names: Mapping[str, str], weights: Mapping[str, Weights]) -> tuple[Any, int]:
    """Tells a module how often its functions are called and its branches taken, and puts what is called most first.

    Args:
        module: the linked kernel before it is optimised.
        names: names in the table by symbol.
        weights: the table; functions with another number of branches than there are pass without.

    Returns:
        The module, and how many functions have got their weights.
    """
    branches: dict[str, int] = {}
    for line in lines_of(module, names):
        if line.function:
            branches[line.function] = line.number + 1
    fitting = {name: weights[name] for name, n in branches.items() if name in weights and len(weights[name].branches) == n}
    if not fitting:
        return module, 0
    metadata = Metadata()
    bodies: list[list[str]] = [[]]
    calls: list[int] = [0]
    for line in lines_of(module, names):
        known = fitting.get(line.function)
        text = line.text
        if text.startswith("define"):
            bodies.append([])
            calls.append(known.calls if known else 0)
        if known and line.number == -1:
            count = metadata.node('!"function_entry_count"', f"i64 {known.calls}")
            text = f"{text.rstrip().removesuffix('{')}!prof {count} {{"
        elif known and any(known.branches[line.number]):
            taken, not_taken = scaled(*known.branches[line.number])
            count = metadata.node('!"branch_weights"', f"i32 {taken}", f"i32 {not_taken}")
            text = f"{text.partition(', !prof')[0]}, !prof {count}"
        bodies[-1].append(text)
        if text == "}":
            # what stands between functions, such as declarations, is nobody's body
            bodies.append([])
            calls.append(0)
    order = sorted(range(1, len(bodies)), key=lambda k: -calls[k])
    flag = summary(fitting, metadata)
    ordered = [text for k in (0, *order) for text in bodies[k]]
    return llvm.parse_assembly("\n".join([*ordered, *metadata.lines(), f"!llvm.module.flags = !{{{flag}}}"])), len(fitting)


def scaled(taken: int, not_taken: int) -> tuple[int, int]:
    """Returns two weights in the same proportion, as large as LLVM takes them at most."""
    over = max(1, -(-max(taken, not_taken) // MOST))
    return taken // over, not_taken // over


def summary(weights: Mapping[str, Weights], metadata: Metadata) -> str:
    """Returns the reference to the summary from which LLVM learns what counts as hot and as cold.

    Args:
        weights: the counts that the module carries.
        metadata: takes the nodes.
    """
    counts = sorted((n for w in weights.values() for n in (w.calls, *(k for pair in w.branches for k in pair))), reverse=True)
    sums = list(accumulate(counts))
    details = []
    for cutoff in CUTOFFS:
        number = next(k for k, reached in enumerate(sums) if reached * 1_000_000 >= sums[-1] * cutoff)
        details.append(metadata.node(f"i32 {cutoff}", f"i64 {counts[number]}", f"i32 {number + 1}"))
    totals = {
        "TotalCount": sums[-1],
        "MaxCount": counts[0],
        "MaxInternalCount": counts[0],
        "MaxFunctionCount": max(w.calls for w in weights.values()),
        "NumCounts": len(counts),
        "NumFunctions": len(weights),
    }
    parts = [metadata.node('!"ProfileFormat"', '!"InstrProf"')]
    parts += [metadata.node(f'!"{name}"', f"i64 {number}") for name, number in totals.items()]
    parts.append(metadata.node('!"DetailedSummary"', metadata.node(*details)))
    return metadata.node("i32 1", '!"ProfileSummary"', metadata.node(*parts))


def read_weights(file: Path = WEIGHTS) -> dict[str, Weights]:
    """Reads the table; nothing where it is missing."""
    if not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        return {
            row["function"]: Weights(int(row["calls"]), tuple(pair_of(text) for text in row["branches"].split()))
            for row in csv.DictReader(lines)
        }


def pair_of(text: str) -> tuple[int, int]:
    """Reads a branch of the table, `taken/not taken`, or `-` for one that was never reached."""
    taken, _, not_taken = text.partition("/")
    return (0, 0) if text == "-" else (int(taken), int(not_taken))


def table_of(places: list[tuple[str, int]], counts: list[int]) -> dict[str, Weights]:
    """Puts the counts of a counting kernel together by function.

    Args:
        places: what `count_branches` returned.
        counts: the array COUNTS.
    """
    calls: dict[str, int] = {}
    branches: dict[str, list[tuple[int, int]]] = {}
    for k, (function, number) in enumerate(places):
        if number < 0:
            calls[function] = counts[2 * k]
        else:
            branches.setdefault(function, []).append((counts[2 * k + 1], counts[2 * k]))
    return {name: Weights(n, tuple(branches.get(name, ()))) for name, n in calls.items()}


def write_weights(table: Mapping[str, Weights], file: Path = WEIGHTS) -> None:
    """Writes the table, one function a row."""
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(("function", "calls", "branches"))
        for name, weights in sorted(table.items()):
            texts = (f"{taken}/{not_taken}" if taken or not_taken else "-" for taken, not_taken in weights.branches)
            writer.writerow((name, weights.calls, " ".join(texts)))
