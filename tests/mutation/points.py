"""Where a mutant may be made in the rules kernel, and how it is put into the running sources.

A *point* is a comparison, a whole number or a sign in a kernel function, or the number of a module constant whose comment
cites a rule. Each point has one replacement: `<` and `<=`, `>` and `>=`, `==` and `!=`, `+` and `-` change places, a minus
before a name goes away, and a number becomes one more or one less.

Left out, since no rule is written there:

- modules in APART: the compiler of the kernel, its bots, the tables of names and record fields, the doors of environments;
- module constants without a rule id beside them: sizes, bits and numbers of registers, which change nothing but storage as long
  as everybody uses the same ones;
- decorators and docstrings.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "env" / "rules"
APART = {
    "compiler", "kernel_build", "kernel_calls", "kernel_lowering", "kernel_parts", "kernel_store", "machine_code", "shadow",
    "bots", "evaluation", "search", "codes", "layout", "opcodes", "registers", "tokens", "audit", "observe_door",
    "vector_door", "__init__",
}  # fmt: skip
KINDS = ("comparison", "constant", "sign")
SCENARIO, RULE_TEST, GOLDEN = JUDGES = ("scenario", "rule test", "golden trace")
"""Kinds of tests that judge, in their order."""
TEXTS = {file.stem: file.read_text(encoding="utf-8") for file in sorted(RULES.glob("*.py"))}
"""The kernel's sources as this process found them: who edits them meanwhile does not disturb a run."""

COMPARED: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
SIGNED: dict[type, type] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
RULE_VALUE = re.compile(r"^[A-Z_]+ = \d+ +#.*\b[RA]\d")


@dataclass(frozen=True)
class Point:
    """One mutant.

    Attributes:
        key: module, function, kind and number within the function; it outlasts changes elsewhere.
        kind: one of KINDS.
        module: name of the kernel module.
        function: name of the function, or of the module constant.
        path: fields and indices that lead from the function to the node.
        part: which operator of a chained comparison.
        step: what is added to a number.
        line: first line of the place.
    """

    key: str
    kind: str
    module: str
    function: str
    path: tuple[tuple[str, int], ...] = field(repr=False)
    part: int = field(repr=False)
    step: int = field(repr=False)
    line: int


def rank(seed: int, key: str) -> int:
    """Returns the place of a point in the order of a seed."""
    return int.from_bytes(hashlib.sha256(f"{seed} {key}".encode()).digest()[:8], "big")


def walk(node: ast.AST, path: tuple[tuple[str, int], ...] = ()) -> Iterator[tuple[ast.AST, tuple[tuple[str, int], ...]]]:
    """Yields the nodes below a node in the order of the source, with the path that leads to each."""
    for name, value in ast.iter_fields(node):
        if name in ("decorator_list", "returns", "type_comment"):
            continue
        entries = enumerate(value) if isinstance(value, list) else [(-1, value)]
        for index, entry in entries:
            if isinstance(entry, ast.AST):
                here = (*path, (name, index))
                yield entry, here
                yield from walk(entry, here)


def follow(node: ast.AST, path: tuple[tuple[str, int], ...]) -> ast.AST:
    """Returns the node at the end of a path."""
    for name, index in path:
        value = getattr(node, name)
        node = value if index < 0 else value[index]
    return node


def changes(node: ast.AST, parent: ast.AST) -> list[tuple[str, int, int]]:
    """Returns what may be changed at a node: kind, part of a comparison, step of a number (0: its sign of choice)."""
    if isinstance(node, ast.Compare):
        return [("comparison", part, 0) for part, operator in enumerate(node.ops) if type(operator) in COMPARED]
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in SIGNED:
        return [("sign", 0, 0)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        if isinstance(node.operand, ast.Constant):
            return [("constant", 0, 1)]
        return [("sign", 0, 0)]
    if isinstance(node, ast.Constant) and type(node.value) is int:
        negative = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)
        return [] if negative else [("constant", 0, 1)]
    return []


def changed(node: ast.AST, kind: str, part: int, step: int) -> ast.AST:
    """Returns a copy of a node with its change."""
    new = copy.deepcopy(node)
    if isinstance(new, ast.Compare):
        new.ops[part] = COMPARED[type(new.ops[part])]()
    elif isinstance(new, (ast.BinOp, ast.AugAssign)):
        new.op = SIGNED[type(new.op)]()
    elif isinstance(new, ast.UnaryOp):
        if kind == "sign":
            return new.operand
        assert isinstance(new.operand, ast.Constant)
        assert isinstance(new.operand.value, int)
        return ast.copy_location(number(step - new.operand.value), node)
    elif isinstance(new, ast.Constant):
        assert isinstance(new.value, int)
        return ast.copy_location(number(new.value + step), node)
    return new


def number(value: int) -> ast.expr:
    """Returns the source of a whole number."""
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def replaced(root: ast.AST, point: Point) -> ast.AST:
    """Returns a copy of a function or an assignment with a mutant's change in it."""
    new = copy.deepcopy(root)
    *before, (name, index) = point.path
    parent = follow(new, tuple(before))
    old = follow(parent, ((name, index),))
    node = changed(old, point.kind, point.part, point.step)
    if index < 0:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[index] = node
    return ast.fix_missing_locations(new)


def head(root: ast.AST, path: tuple[tuple[str, int], ...]) -> tuple[ast.AST, int]:
    """Returns what of a statement stands around a node: the whole of a simple one, the condition of one with a body."""
    node, found, depth = root, root, 0
    for at, step in enumerate(path):
        node = follow(node, (step,))
        if isinstance(node, ast.stmt):
            found, depth = node, at + 1
    if hasattr(found, "body") and depth < len(path):
        found, depth = follow(found, (path[depth],)), depth + 1
    return found, depth


def line_of(node: ast.AST) -> int:
    """Returns the line that a statement or an expression begins in."""
    return getattr(node, "lineno", 0)


def points_of(module: str, root: ast.stmt, name: str) -> Iterator[Point]:
    """Yields the points of a function, or of the assignment of a module constant."""
    counted = dict.fromkeys(KINDS, 0)
    first = 1 if isinstance(root, ast.FunctionDef) and ast.get_docstring(root) is not None else 0
    for node, path in walk(root):
        if path[0] == ("args", -1) or (first and path[0] == ("body", 0)):
            continue
        for kind, part, step in changes(node, follow(root, path[:-1])):
            counted[kind] += 1
            key = f"{module}.{name} {kind} {counted[kind]}"
            if kind == "constant" and rank(0, key) % 2:
                step = -step
            yield Point(key, kind, module, name, path, part, step, line_of(node))


def all_points() -> list[Point]:
    """Returns every point of the kernel."""
    found = []
    for module, text in TEXTS.items():
        if module in APART:
            continue
        lines = text.splitlines()
        for root in ast.parse(text).body:
            if isinstance(root, ast.FunctionDef):
                found += points_of(module, root, root.name)
            elif isinstance(root, ast.Assign) and RULE_VALUE.match(lines[root.lineno - 1]):
                found += points_of(module, root, ast.unparse(root.targets[0]))
    return found


def draw(points: list[Point], seed: int, count: int) -> list[Point]:
    """Draws mutants, as many of each kind as can be.

    Args:
        points: all of them.
        seed: what decides; a point keeps its place when others come or go.
        count: how many.

    Returns:
        The mutants in the order of the sources.
    """
    drawn = []
    for place, kind in enumerate(KINDS):
        share = (count + len(KINDS) - 1 - place) // len(KINDS)
        drawn += sorted((point for point in points if point.kind == kind), key=lambda point: rank(seed, point.key))[:share]
    return sorted(drawn, key=lambda point: (point.module, point.line, point.key))


@dataclass(frozen=True)
class Place:
    """Where a mutant stands.

    Attributes:
        lines: lines of the simple statement, or of the head of the compound one, that it is in.
        before: their source. after: the same, mutated.
    """

    lines: range
    before: str
    after: str


@cache
def place_of(point: Point) -> Place:
    """Returns the statement that a mutant changes."""
    _, root = source_of(point)
    place, depth = head(root, point.path)
    after = follow(replaced(root, point), point.path[:depth])
    first = line_of(place)
    return Place(range(first, getattr(place, "end_lineno", first) + 1), ast.unparse(place), ast.unparse(after))


def sources() -> str:
    """Returns a short hash of the kernel's sources."""
    return hashlib.sha256("".join(TEXTS.values()).encode()).hexdigest()[:12]


def source_of(point: Point) -> tuple[ast.Module, ast.stmt]:
    """Returns the module of a mutant as a tree, and the function or assignment in it that the mutant changes."""
    tree = ast.parse(TEXTS[point.module])
    for root in tree.body:
        if isinstance(root, ast.FunctionDef) and root.name == point.function:
            return tree, root
        if isinstance(root, ast.Assign) and ast.unparse(root.targets[0]) == point.function:
            return tree, root
    raise LookupError(point.key)
