"""Judges mutants with tests: which of them run a line, and whether one fails once the line is changed.

Three kinds of test judge, in this order: the steps of scenarios, rule tests in Python, golden traces (what else is seen of the
match in a scenario, and whole seeded matches). Everything runs uncompiled in one process that forks for each mutant: kernel
functions are plain Python there, so a mutant is put in place by giving the function the code of its changed source, and every
module that has imported it runs the change.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib
import io
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from points import APART, GOLDEN, JUDGES, ROOT, RULE_TEST, RULES, SCENARIO, TEXTS, Point, place_of, replaced, source_of

PACKAGE = "apotheosis.env.rules"
RULE_TESTS = ("rules/test_concession.py", "rules/test_dice_streams.py", "rules/test_shared_tile.py", "rules/test_visibility.py")
"""Tests in Python that take few seconds uncompiled."""
FURTHER = 40
"""Once a golden trace differs, so many more tests are asked whether a step or an assertion fails as well."""
PATIENCE = 20
"""A test that takes so many times what it took line by line, and three seconds more, hangs."""


@dataclass
class Test:
    """A scenario, a file of rule tests, or a course.

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
        sys.path.insert(0, str(ROOT / "tests" / "golden"))
        courses, positions = importlib.import_module("courses"), importlib.import_module("positions")
        self.store = store
        names = [name for name in TEXTS if name not in APART]
        self.modules = {name: importlib.import_module(f"{PACKAGE}.{name}") for name in names}
        self.files: dict[str, Path] = {}
        self.runs: dict[str, Callable[[], tuple[str, str]]] = {}
        self.sound: dict[str, bool] = {}
        self._add_scenarios(positions)
        for name in RULE_TESTS:
            self._add(name, ROOT / "tests" / name, lambda name=name: (_pytest(ROOT / "tests" / name), ""))
        pool = courses.load_pool("starter")
        for name in courses.COURSES:
            file = courses.FOLDER / f"{name}.txt"
            lines = file.read_text(encoding="utf-8").splitlines()
            self._add(f"golden/courses/{name}.txt", file, lambda name=name, lines=lines: ("", courses.fault(name, lines, pool)))
        self.tests = self._recorded()

    def _add(self, name: str, file: Path, run: Callable[[], tuple[str, str]]) -> None:
        self.files[name], self.runs[name] = file, run

    def _add_scenarios(self, positions: Any) -> None:
        """Adds the scenarios; their pools are made once, and what else is seen of them is compared with its golden row."""
        from apotheosis.env.scenario import position
        from apotheosis.env.scenario.read import read_scenario

        pools: dict[Path, Any] = {}
        make = position._pool

        def kept_pool(scenario: Any) -> Any:
            if scenario.path not in pools:
                pools[scenario.path] = make(scenario)
            return pools[scenario.path]

        position._pool = kept_pool
        golden = positions.committed()
        for name, file in positions.files().items():
            scenario = read_scenario(file)
            kept_pool(scenario)

            def run(name: str = name, scenario: Any = scenario) -> tuple[str, str]:
                fault, signs = positions.watched(scenario)
                if fault:
                    return fault.rpartition("): ")[2] or "fails", ""
                other = [part for part, sign in signs.items() if golden.get(name, signs | {"scenario": name})[part] != sign]
                return "", ", ".join(other) + " differ" if other else ""

            self._add(f"{name}.yaml", file, run)

    # ----- running one test

    def fault(self, name: str) -> tuple[str, str]:
        """Runs a test; returns what its steps or assertions find wrong, and what the golden trace finds changed."""
        try:
            return self.runs[name]()
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            return ("", text) if name.startswith("golden") else (text, "")

    def holds(self, name: str) -> bool:
        """Tells whether a test finds nothing in this process, where no mutant is; asked once for each test."""
        if name not in self.sound:
            self.sound[name] = not any(self.fault(name))
        return self.sound[name]

    # ----- which lines each test runs

    def _recorded(self) -> list[Test]:
        """Returns the tests with their lines; those whose file or a module that they run has changed are run again."""
        parts = {module: hashlib.sha256(text.encode()).hexdigest() for module, text in TEXTS.items()}
        common = "".join(part for module, part in parts.items() if module in APART)
        known = json.loads(self.store.read_text(encoding="utf-8")) if self.store.exists() else {}
        tests, rows, fresh = [], {}, 0

        def sign_of(text: bytes, lines: dict[str, list[int]]) -> str:
            run = "".join(parts[module] for module in sorted(lines))
            return hashlib.sha256(f"{common}{run}".encode() + text).hexdigest()

        for name, file in self.files.items():
            text = file.read_bytes()
            row = known.get(name)
            if row is None or row["sign"] != sign_of(text, row["lines"]):
                start = time.process_time()
                try:
                    lines = self._traced(name)
                except Fails as fault:
                    sys.stderr.write(f"{name} fails without any mutant and judges none: {fault}\n")
                    continue
                row = {"sign": sign_of(text, lines), "seconds": round(time.process_time() - start, 3), "lines": lines}
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
        """Runs a test and returns the kernel lines that it ran: of a scenario line by line, of the others by function."""
        by_line = kind_of(name) == SCENARIO
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
            if not by_line:
                lines.update(rest)
                rest.clear()
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
            faults = self.fault(name)
        finally:
            sys.settrace(None)
        if any(faults):
            raise Fails(faults[0] or faults[1])
        return {Path(file).stem: sorted(lines) for file, lines in seen.items() if lines}

    # ----- mutants

    def chosen(self, point: Point) -> list[Test]:
        """Returns the tests that run the line of a mutant: kind after kind, those that run the fewest lines first."""
        if point.function in vars(self.modules[point.module]) and not callable(self._bound(point)):
            chosen = [test for test in self.tests if any(test.runs(module, lines) for module, lines in self._users(point))]
        else:
            chosen = [test for test in self.tests if test.runs(point.module, place_of(point).lines)]
        return sorted(chosen, key=lambda test: (JUDGES.index(kind_of(test.name)), sum(map(len, test.lines.values()))))

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

    def verdict(self, point: Point) -> tuple[str, str, str]:
        """Returns the test that kills a mutant, what kind of test judged, and what it says; empty if the mutant survives.

        A golden trace counts where no step of a scenario and no rule test fails (see FURTHER).
        """
        self.put(point)
        seen, further = ("", "", ""), 0
        for test in self.chosen(point):
            kind = kind_of(test.name)
            if seen[0] and (kind == GOLDEN or further == FURTHER):
                break
            further += bool(seen[0])
            signal.signal(signal.SIGPROF, _too_long)
            signal.setitimer(signal.ITIMER_PROF, 3 + PATIENCE * test.seconds)
            try:
                fault, difference = self.fault(test.name)
            except Hang:
                fault, difference = ("", "hangs") if kind == GOLDEN else ("hangs", "")
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            if fault:
                return test.name, kind, fault
            if difference and not seen[0]:
                seen = (test.name, GOLDEN, difference)
        return seen


def kind_of(name: str) -> str:
    """Returns which kind of test a name stands for."""
    return GOLDEN if name.startswith("golden") else RULE_TEST if name.endswith(".py") else SCENARIO


def _pytest(file: Path) -> str:
    """Runs a file of tests in this process; returns what fails first, empty if nothing does."""
    import pytest

    class Listener:
        fault = ""

        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed and not self.fault:
                crash = getattr(report.longrepr, "reprcrash", None)
                self.fault = f"{report.nodeid.rpartition('::')[2]}: {getattr(crash, 'message', 'fails')}"

    listener = Listener()
    with contextlib.redirect_stdout(io.StringIO()):
        code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", str(file)], plugins=[listener])
    return listener.fault or ("" if code == 0 else f"pytest ends with {code}")


class Fails(Exception):
    """A test fails without any mutant."""


class Hang(BaseException):
    """A test takes far longer than it did; no `except Exception` may swallow it."""


def _too_long(number: int, frame: Any) -> None:
    raise Hang


def plain(value: Any) -> Any:
    """Returns the plain function behind a door, other values as they are."""
    return getattr(value, "py_func", value) if isinstance(value, FunctionType) else value
