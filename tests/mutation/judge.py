"""Judges mutants with the scenarios: which of them run a line, and whether one fails once the line is changed.

Everything runs uncompiled in one process that forks for each mutant: kernel functions are plain Python there, so a mutant is
put in place by giving the function the code of its changed source, and every module that has imported it runs the change.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from points import APART, ROOT, RULES, TEXTS, Point, place_of, replaced, source_of, sources

PACKAGE = "apotheosis.env.rules"
FOLDERS = (ROOT / "tests" / "scenarios", ROOT / "tests" / "cards" / "rulings")
PATIENCE = 20
"""A test that takes so many times what it took line by line, and three seconds more, hangs."""


@dataclass
class Test:
    """A scenario file.

    Attributes:
        name: its path under `tests`.
        lines: kernel lines that it runs, by module.
        seconds: how long it took line by line.
    """

    name: str
    lines: dict[str, set[int]]
    seconds: float

    def runs(self, module: str, lines: range) -> bool:
        """Tells whether the test runs one of some lines."""
        return not self.lines.get(module, set()).isdisjoint(lines)


class Judge:
    """Runs tests, in this process or in a fork of it.

    Args:
        store: where the lines that each test runs are kept between calls.
    """

    def __init__(self, store: Path):
        from apotheosis.env.scenario import position
        from apotheosis.env.scenario.read import read_scenario

        self.store = store
        names = [name for name in TEXTS if name not in APART]
        self.modules = {name: importlib.import_module(f"{PACKAGE}.{name}") for name in names}
        files = [file for folder in FOLDERS for file in sorted(folder.rglob("*.yaml"))]
        self.scenarios = {str(file.relative_to(ROOT / "tests")): read_scenario(file) for file in files}
        self.pools: dict[Path, Any] = {}
        make = position._pool

        def kept_pool(scenario: Any) -> Any:
            if scenario.path not in self.pools:
                self.pools[scenario.path] = make(scenario)
            return self.pools[scenario.path]

        position._pool = kept_pool
        for scenario in self.scenarios.values():
            kept_pool(scenario)
        self.tests = self._recorded()

    # ----- running one test

    def fault(self, name: str) -> str:
        """Runs a test and returns what is wrong, empty if it holds."""
        from apotheosis.env.scenario.play import run_scenario

        try:
            verdict = run_scenario(self.scenarios[name])
            return "" if verdict.holds else verdict.message.rpartition("): ")[2] or "fails"
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    # ----- which lines each test runs

    def _recorded(self) -> list[Test]:
        """Returns the tests with their lines; those whose file or kernel has changed are run again."""
        kernel = sources()
        known = json.loads(self.store.read_text(encoding="utf-8")) if self.store.exists() else {}
        tests, rows, fresh = [], {}, 0
        for name in self.scenarios:
            text = (ROOT / "tests" / name).read_bytes()
            sign = hashlib.sha256(kernel.encode() + text).hexdigest()
            row = known.get(name)
            if row is None or row["sign"] != sign:
                start = time.process_time()
                try:
                    lines = self._traced(name)
                except Fails as fault:
                    sys.stderr.write(f"{name} fails without any mutant and judges none: {fault}\n")
                    continue
                row = {"sign": sign, "seconds": round(time.process_time() - start, 3), "lines": lines}
                fresh += 1
                if fresh % 50 == 0:
                    self._keep({**known, **rows, name: row})
            rows[name] = row
            tests.append(Test(name, {module: set(lines) for module, lines in row["lines"].items()}, row["seconds"]))
        self._keep(rows)
        return tests

    def _keep(self, rows: dict[str, Any]) -> None:
        self.store.parent.mkdir(parents=True, exist_ok=True)
        self.store.write_text(json.dumps(rows), encoding="utf-8")

    def _traced(self, name: str) -> dict[str, list[int]]:
        """Runs a test line by line and returns the kernel lines that it ran."""
        seen: dict[str, set[int]] = {str(RULES / f"{module}.py"): set() for module in self.modules}
        by_file = {os.path.realpath(file): lines for file, lines in seen.items()}
        left: dict[CodeType, set[int]] = {}
        own: dict[str, set[int] | None] = {}

        def enter(frame: Any, event: str, argument: Any) -> Any:
            code = frame.f_code
            file = code.co_filename
            if file not in own:
                own[file] = by_file.get(os.path.realpath(file))
            lines = own[file]
            if lines is None:
                return None
            if code not in left:
                left[code] = {line for _, _, line in code.co_lines() if line is not None} - {code.co_firstlineno}
            rest = left[code]
            if not rest:
                return None

            def line(frame: Any, event: str, argument: Any) -> Any:
                if event == "line":
                    lines.add(frame.f_lineno)
                    rest.discard(frame.f_lineno)
                return line if rest else None

            return line

        sys.settrace(enter)
        try:
            fault = self.fault(name)
        finally:
            sys.settrace(None)
        if fault:
            raise Fails(fault)
        return {Path(file).stem: sorted(lines) for file, lines in seen.items() if lines}

    # ----- mutants

    def chosen(self, point: Point) -> list[Test]:
        """Returns the tests that run the line of a mutant, those that run the fewest lines first."""
        if point.function in vars(self.modules[point.module]) and not callable(self._bound(point)):
            chosen = [test for test in self.tests if any(test.runs(module, lines) for module, lines in self._users(point))]
        else:
            chosen = [test for test in self.tests if test.runs(point.module, place_of(point).lines)]
        return sorted(chosen, key=lambda test: sum(map(len, test.lines.values())))

    def _bound(self, point: Point) -> Any:
        return vars(self.modules[point.module])[point.function]

    def _users(self, point: Point) -> list[tuple[str, range]]:
        """Returns the functions that use a module constant, as module and lines."""
        users = []
        for name, module in self.modules.items():
            if point.function not in vars(module):
                continue
            for value in vars(module).values():
                code = getattr(plain(value), "__code__", None)
                if code is not None and point.function in code.co_names:
                    lines = [line for _, _, line in code.co_lines() if line is not None and line > code.co_firstlineno]
                    users.append((name, range(min(lines), max(lines) + 1)))
        return users

    def put(self, point: Point) -> None:
        """Puts a mutant into the kernel of this process."""
        tree, root = source_of(point)
        new = replaced(root, point)
        tree.body[tree.body.index(root)] = new
        old = self._bound(point)
        if isinstance(new, ast.Assign):
            value = ast.literal_eval(new.value)
            for module in self.modules.values():
                if vars(module).get(point.function) == old:
                    setattr(module, point.function, value)
            return
        code = compile(tree, str(RULES / f"{point.module}.py"), "exec", dont_inherit=True)
        function = plain(old)
        function.__code__ = next(
            part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == point.function
        )

    def verdict(self, point: Point) -> tuple[str, str]:
        """Returns the test that kills a mutant and what it says; the name is empty if the mutant survives."""
        self.put(point)
        for test in self.chosen(point):
            signal.signal(signal.SIGALRM, _too_long)
            signal.setitimer(signal.ITIMER_REAL, 3 + PATIENCE * test.seconds)
            try:
                fault = self.fault(test.name)
            except Hang:
                fault = "hangs"
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            if fault:
                return test.name, fault
        return "", ""


class Fails(Exception):
    """A test fails without any mutant."""


class Hang(BaseException):
    """A test takes far longer than it did; no `except Exception` may swallow it."""


def _too_long(number: int, frame: Any) -> None:
    raise Hang


def plain(value: Any) -> Any:
    """Returns the plain function behind a door, other values as they are."""
    return getattr(value, "py_func", value) if isinstance(value, FunctionType) else value
