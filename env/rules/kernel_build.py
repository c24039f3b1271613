"""Compiles the whole kernel; runs in a child process of the program that needs it.

A child, because compilation takes much memory and leaves Numba in a state in which nothing can be called. All modules
that declare kernel functions are imported, which lowers their functions in order of the imports, callees first; then
the parts are linked, optimised and assembled, and the result is stored.
"""

from __future__ import annotations

import ast
import importlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from apotheosis.env.rules import compiler, kernel_calls, kernel_lowering, kernel_store
from apotheosis.env.rules.kernel_parts import PartStore

REPORT_EVERY_S = 10.0
"""Seconds between two lines of progress where stderr is no terminal."""

ASSEMBLY_SHARE = 0.35
"""Time for linking, optimising and assembling as a part of the time for lowering, to estimate what is left."""


def kernel_modules(folder: Path) -> Iterator[tuple[str, int]]:
    """Yields the name of each kernel module and how many functions it declares, from the sources alone.

    Args:
        folder: the package folder of the kernel.
    """
    for file in sorted(folder.glob("*.py")):
        count = 0
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                marks = [mark.func for mark in node.decorator_list if isinstance(mark, ast.Call)]
                count += any(isinstance(mark, ast.Name) and mark.id in ("inner", "door") for mark in marks)
        if count:
            yield file.stem, count


class Progress:
    """Shows how far the compilation is: a rewritten line on a terminal, one line every ten seconds elsewhere.

    Args:
        total: how many functions there are.
        quiet: whether to show nothing.
    """

    def __init__(self, total: int, quiet: bool):
        self.total = total
        self.quiet = quiet
        self.done = 0
        self.started = self.reported = time.perf_counter()
        self.on_terminal = sys.stderr.isatty()
        self.line(f"Compiling the rules kernel: {total} functions, once for this version and machine.")

    def step(self, name: str) -> None:
        """Counts one lowered function and reports when it is time."""
        self.done += 1
        elapsed = time.perf_counter() - self.started
        lowering = elapsed / self.done * max(self.total, self.done)
        self.report(100 * elapsed / (lowering * (1 + ASSEMBLY_SHARE)), lowering * (1 + ASSEMBLY_SHARE) - elapsed, name)

    def assembling(self) -> None:
        """Reports that all functions are lowered and the last stage begins."""
        elapsed = time.perf_counter() - self.started
        self.reported = 0.0
        self.report(100 / (1 + ASSEMBLY_SHARE), elapsed * ASSEMBLY_SHARE, "linking and optimising")

    def report(self, percent: float, left: float, what: str) -> None:
        """Prints one state of progress, unless a line was printed a short while ago."""
        now = time.perf_counter()
        if self.quiet or not (self.on_terminal or now - self.reported > REPORT_EVERY_S):
            return
        self.reported = now
        text = f"{percent:3.0f} %, about {left:.0f} s left: {what}"
        if self.on_terminal:
            sys.stderr.write(f"\r\033[K{text[:78]}")
            sys.stderr.flush()
        else:
            self.line(text)

    def end(self) -> None:
        """Says how long it took."""
        if self.on_terminal and not self.quiet:
            sys.stderr.write("\r\033[K")
        self.line(f"The rules kernel is compiled ({time.perf_counter() - self.started:.0f} s).")

    def line(self, text: str) -> None:
        """Prints a line on stderr unless the program is quiet."""
        if not self.quiet:
            sys.stderr.write(text + "\n")
            sys.stderr.flush()


class Build:
    """What the decorators do while the kernel is being compiled.

    Args:
        progress: told about every lowered function.
        store: keeps lowered functions for the next build.
    """

    def __init__(self, progress: Progress, store: PartStore):
        self.progress = progress
        self.store = store
        self.doors: list[Any] = []
        self.inner: list[Any] = []
        self.lowered = 0
        kernel_lowering.begin_collecting(compiler.options()["boundscheck"])

    def lower(self, function: Callable, signature: Any, is_door: bool) -> Any:
        """Lowers one declared function and returns what takes its place in its module."""
        try:
            dispatcher, anew = kernel_lowering.lower(function, signature, compiler.options(), is_door, self.store)
        except Exception as error:
            place = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
            sys.exit(f"{place}: {function.__name__} does not compile: {type(error).__name__}: {error}")
        self.lowered += anew
        (self.doors if is_door else self.inner).append(dispatcher)
        self.progress.step(function.__name__)
        return dispatcher

    def assemble(self) -> tuple[bytes, int]:
        """Makes the machine code of everything that was lowered; see `kernel_lowering.assemble`."""
        self.progress.assembling()
        return kernel_lowering.assemble(self.doors, self.inner, compiler.profiled(), compiler.counting_branches())


def circumstances() -> str:
    """Returns what decides how every function is lowered: versions, processor, options, and how it is done here."""
    files = [compiler.RULES_FOLDER / f"{name}.py" for name in ("kernel_calls", "kernel_lowering", "kernel_parts")]
    how = [ast.dump(ast.parse(file.read_text(encoding="utf-8"))) for file in files]  # comments and layout aside
    later = ("profiled", "counting_branches")  # what is done to lowered functions
    everywhere = {name: value for name, value in compiler.environment().items() if name not in later}
    return repr((everywhere, how))


def build(folder: str, expected_sources: str) -> None:
    """Compiles all kernel modules into a new kernel folder.

    Args:
        folder: the kernel folder to create.
        expected_sources: the hash of the sources that the parent process read.
    """
    # Numba would look for SciPy's linear algebra, which the kernel never uses and which may be half installed.
    sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]
    wall, cpu = time.perf_counter(), time.process_time()
    modules = dict(kernel_modules(compiler.RULES_FOLDER))
    progress = Progress(sum(modules.values()), compiler.quiet())
    store = PartStore(Path(folder).parent / "parts", circumstances())
    compiler.current_build = Build(progress, store)
    compiler.local_array = kernel_calls.local_array
    compiler.lowest_bit = kernel_calls.lowest_bit
    for name in modules:
        importlib.import_module(f"{compiler.PACKAGE}.{name}")
    code, weighed = compiler.current_build.assemble()
    if not expected_sources == compiler.SOURCES == kernel_store.source_digest(compiler.RULES_FOLDER):
        sys.exit("The rules sources changed while they were being compiled; start again.")
    notes: dict[str, object] = {
        "functions": progress.done,
        "lowered": compiler.current_build.lowered,
        "doors": len(compiler.current_build.doors),
        "weighed": weighed,
        "seconds": round(time.perf_counter() - wall, 2),
        "cpu_seconds": round(time.process_time() - cpu, 2),
    }
    kernel_store.write_folder(Path(folder), code, notes)
    store.prune()
    progress.end()
