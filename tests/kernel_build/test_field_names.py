"""Every field that the kernel uses exists, since compiled code reports a wrong one as a bare KeyError at best."""

import ast
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.np.numpy_support import as_dtype

from apotheosis.env.rules import compiler, layout

MODULES = [file for file in sorted(compiler.RULES_FOLDER.glob("*.py")) if "@inner(" in file.read_text(encoding="utf-8")]


@dataclass(frozen=True)
class Kind:
    """What an expression is: a record or number type, and how many indices it still takes."""

    base: np.dtype
    rank: int = 0


def kinds_of_names() -> dict[str, Kind]:
    """Returns what the type names of the layout module mean in signatures."""
    known = {}
    for name, value in vars(layout).items():
        if isinstance(value, numba.types.Record):
            known[name] = Kind(as_dtype(value))
        elif isinstance(value, numba.types.Array) and isinstance(value.dtype, numba.types.Record):
            known[name] = Kind(as_dtype(value.dtype), value.ndim)
    return known


class Checker(ast.NodeVisitor):
    """Follows records through one function and notes every misuse of a field."""

    def __init__(self, function: ast.FunctionDef, known: dict[str, Kind]):
        self.faults: list[str] = []
        self.names: dict[str, Kind] = {}
        for mark in function.decorator_list:
            if isinstance(mark, ast.Call) and mark.args and isinstance(mark.args[0], ast.Call):
                for parameter, given in zip(function.args.args, mark.args[0].args, strict=True):
                    if isinstance(given, ast.Name) and given.id in known:
                        self.names[parameter.arg] = known[given.id]
        for statement in function.body:
            self.visit(statement)

    def fault(self, node: ast.expr, text: str) -> None:
        found = f"line {node.lineno}: {ast.unparse(node)}: {text}"
        if found not in self.faults:  # an assigned expression is looked at twice
            self.faults.append(found)

    def kind(self, node: ast.expr) -> Kind | None:
        """Returns what an expression is, None where that is not followed, and notes faults on the way."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Attribute):
            return self.kind_of_field(node)
        if isinstance(node, ast.Subscript):
            return self.kind_of_element(node)
        return None

    def kind_of_field(self, node: ast.Attribute) -> Kind | None:
        owner = self.kind(node.value)
        if owner is None:
            return None
        if owner.rank:
            if node.attr != "shape":
                self.fault(node, "an array has no fields")
            return None
        if node.attr not in (owner.base.names or ()):
            self.fault(node, "no such field")
            return None
        field = owner.base[node.attr]
        return Kind(field.base, len(field.shape))

    def kind_of_element(self, node: ast.Subscript) -> Kind | None:
        owner = self.kind(node.value)
        if owner is None:
            return None
        indices = len(node.slice.elts) if isinstance(node.slice, ast.Tuple) else 1
        if indices > owner.rank:
            self.fault(node, f"{indices} indices on {owner.rank} dimensions")
            return None
        return Kind(owner.base, owner.rank - indices)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        found = self.kind(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.bind(target.id, found)

    def visit_For(self, node: ast.For) -> None:
        found = self.kind(node.iter)
        if isinstance(node.target, ast.Name):
            self.bind(node.target.id, Kind(found.base, found.rank - 1) if found and found.rank else None)
        self.generic_visit(node)

    def bind(self, name: str, found: Kind | None) -> None:
        if found is None:
            self.names.pop(name, None)
        else:
            self.names[name] = found

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.kind(node)
        self.visit_indices(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.kind(node)
        self.visit_indices(node)

    def visit_indices(self, node: ast.expr) -> None:
        """Goes on with the indices along a chain such as m.card[i].attr[j]; the chain itself has been followed."""
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            if isinstance(node, ast.Subscript):
                self.visit(node.slice)
            node = node.value
        if not isinstance(node, ast.Name):
            self.visit(node)


def faults_in(source: str, known: dict[str, Kind]) -> list[str]:
    return [
        fault
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
        for fault in Checker(node, known).faults
    ]


@pytest.mark.parametrize("file", MODULES, ids=[file.stem for file in MODULES])
def test_the_kernel_uses_fields_that_exist(file: Path):
    assert faults_in(file.read_text(encoding="utf-8"), kinds_of_names()) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("m.outcom = 1", "no such field"),
        ("x = m.frame[m.sp].pc + m.frame[0].rge[1]", "no such field"),
        ("f = m.frame[0]\n    f.stpe = 2", "no such field"),
        ("m.attr[0, 1, 2] = 3", "3 indices on 2 dimensions"),
        ("m.hp[m.tiel[0]] = 3", "no such field"),
        ("y = m.frame.kind", "an array has no fields"),
        ("return m.turns[0]", "1 indices on 0 dimensions"),
        ("for c in p.card:\n        c.leevl = 1", "no such field"),
    ],
)
def test_the_check_finds_misuse(body, expected):
    (fault,) = faults_in(f"@inner(int64(M, P))\ndef f(m, p):\n    {body}\n", kinds_of_names())
    assert expected in fault


def test_the_check_accepts_what_is_right():
    body = ["f = m.frame[m.sp - 1]", "f.reg[2] = m.attr[0, 1] + p.card[m.ident[3]].attributes[4]", "f = 3", "return f"]
    source = "@inner(int64(M, P))\ndef f(m, p):\n    " + "\n    ".join(body)
    assert faults_in(source, kinds_of_names()) == []
