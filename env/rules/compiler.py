"""The only place that decides how kernel functions are compiled.

Kernel modules write `@inner(signature)` on what stays inside the kernel and `@door(signature)` on the few functions that
Python calls. What these decorators do depends on the process:

- *loading* (the normal case): inner functions stay plain Python and are never compiled; a door is loaded from the kernel
  cache on its first call. If the cache has no folder for these sources, a child process builds it first.
- *building* (that child, or `python -m apotheosis.env.rules.compiler`): everything is compiled eagerly with explicit
  signatures, callees first, with progress, and the doors are stored.
- *uncompiled* (`APOTHEOSIS_JIT=0`): the same sources run as plain Python on shadows (see `shadow`).

`APOTHEOSIS_BOUNDSCHECK=1` compiles with bounds checks, into a folder of its own. `APOTHEOSIS_QUIET=1` prints no progress.
"""

from __future__ import annotations

import ast
import atexit
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..errors import InternalError
from . import kernel_store as store
from .shadow import uncompiled_door

RULES_FOLDER = Path(__file__).resolve().parent
PACKAGE = __name__.rpartition(".")[0]

BUILD_VARIABLE = "APOTHEOSIS_KERNEL_BUILD"
"""Set by `build_in_child` for its child alone: the folder to fill."""

NUMBA_VARIABLES = (
    "NUMBA_OPT",
    "NUMBA_BOUNDSCHECK",
    "NUMBA_CPU_NAME",
    "NUMBA_CPU_FEATURES",
    "NUMBA_LOOP_VECTORIZE",
    "NUMBA_SLP_VECTORIZE",
    "NUMBA_DEBUGINFO",
)
"""The settings of Numba that change machine code; they belong to the folder's key."""

REPORT_EVERY_S = 10.0
"""Seconds between two lines of progress where stderr is no terminal."""

UNCOMPILED = os.environ.get("APOTHEOSIS_JIT", "1") == "0" or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
BUILDING = None if UNCOMPILED else os.environ.get(BUILD_VARIABLE)
SOURCES = store.source_digest(RULES_FOLDER)
"""The hash of the sources when this process read them."""

_lock = threading.RLock()
_progress: Progress | None = None
_memory_folder: Path | None = None


def options() -> dict[str, Any]:
    """Returns the compiler options shared by all kernel functions."""
    return {
        "nopython": True,
        "nogil": True,
        "error_model": "numpy",
        "boundscheck": os.environ.get("APOTHEOSIS_BOUNDSCHECK", "0") == "1",
    }


def quiet() -> bool:
    """Returns whether progress and notices are left out."""
    return os.environ.get("APOTHEOSIS_QUIET", "0") == "1"


def inner(signature: Any) -> Callable[[Callable], Any]:
    """Marks a function that only kernel functions call.

    Args:
        signature: the Numba signature, an object such as `int64(M, P, int64)` or its text.

    Returns:
        A decorator. It compiles the function while the kernel is being built and returns it unchanged otherwise.
    """

    def decorate(function: Callable) -> Any:
        if not BUILDING:
            return function
        import numba

        with _report(function):
            return numba.jit(signature, no_cpython_wrapper=True, no_cfunc_wrapper=True, **options())(function)

    return decorate


def door(signature: Any) -> Callable[[Callable], Any]:
    """Marks a function that Python calls; it takes arrays and numbers.

    Args:
        signature: the Numba signature, an object such as `void(MATCHES, POOL_ARRAY, int64)` or its text.

    Returns:
        A decorator. The door keeps the plain function as `py_func`. It is loaded from the kernel cache on its first
        call; uncompiled, it turns record arrays into shadows and writes them back.
    """

    def decorate(function: Callable) -> Any:
        if UNCOMPILED:
            return uncompiled_door(function)
        dispatcher = _door_class()(function, signature)
        if BUILDING:
            with _report(function):
                dispatcher.build(Path(BUILDING))
        return dispatcher

    return decorate


_door_classes: list[type] = []


def _door_class() -> type:
    """Returns the dispatcher class of doors; it is made late because Numba is imported late."""
    if _door_classes:
        return _door_classes[0]
    from numba.core.registry import CPUDispatcher

    class Door(CPUDispatcher):
        """A dispatcher of one signature that gets its machine code from the kernel cache on its first call."""

        def __init__(self, function: Callable, signature: Any):
            super().__init__(function, {}, options())
            self.declared = signature
            self.loaded = False

        def build(self, folder: Path) -> None:
            """Compiles the door and stores it in the folder."""
            from numba.core.serialize import dumps

            self.compile(self.declared)
            self.disable_compile()
            (result,) = self.overloads.values()
            (folder / door_file(self.py_func)).write_bytes(dumps(result._reduce()))
            self.loaded = True

        def load(self) -> None:
            """Loads the door's machine code; builds the kernel first where that is needed."""
            with _lock:
                if self.loaded:
                    return
                data = stored_door(door_file(self.py_func))
                self.admit(data)
                self.disable_compile()
                self.loaded = True

        def admit(self, data: bytes) -> None:
            """Registers stored machine code as the door's only overload."""
            import pickle

            from numba.core.compiler import CompileResult

            self.targetctx.refresh()
            result = CompileResult._rebuild(self.targetctx, *pickle.loads(data))
            self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
            self.add_overload(result)

        def _compile_for_args(self, *arguments: Any, **names: Any) -> Any:
            """Returns the machine code for a first call; Numba asks for it while no overload fits the arguments.

            Raises:
                TypeError: the arguments are not what the door takes.
            """
            from numba.core.types import Number

            self.load()
            ((types, entry_point),) = [(key, result.entry_point) for key, result in self.overloads.items()]
            given = tuple(self.typeof_pyval(argument) for argument in arguments)
            for mine, yours in zip(types, given, strict=True):
                if mine != yours and not (isinstance(mine, Number) and isinstance(yours, Number)):
                    raise TypeError(f"{self.__name__} takes {types}, not {given}")
            return entry_point

        def __reduce__(self) -> str:
            """Pickles the door as the name of a global, so that every process loads its own."""
            return self.py_func.__qualname__

    _door_classes.append(Door)
    return Door


def door_file(function: Callable) -> str:
    """Returns the name of the file that stores a door."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}{store.DOOR_SUFFIX}"


def stored_door(name: str) -> bytes:
    """Returns the stored bytes of a door, building the kernel where no intact folder holds it.

    Args:
        name: the door's file name.

    Raises:
        InternalError: a freshly built folder lacks the door.
    """
    folder = warm_up()
    data = store.read_door(folder, name)
    if data is None:
        store.discard(folder)
        folder = warm_up()
        data = store.read_door(folder, name)
    if data is None:
        raise InternalError(f"the kernel cache lacks {name} right after it was built", where=folder)
    return data


def kernel_folder(root: Path) -> Path:
    """Returns the folder of this kernel under a cache root."""
    return root / store.folder_key(SOURCES, environment())


def environment() -> dict[str, object]:
    """Returns everything outside the sources that decides the machine code."""
    import llvmlite
    import numba
    import numpy as np
    from llvmlite import binding

    features = binding.get_host_cpu_features().flatten()
    return {
        "python": sys.version,
        "platform": sys.platform,
        "numpy": np.__version__,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "processor": binding.get_host_cpu_name(),
        "features": features,
        "options": options(),
        "numba_variables": {name: os.environ.get(name) for name in NUMBA_VARIABLES},
    }


def warm_up() -> Path:
    """Makes sure that the compiled kernel of these sources exists, compiling it in a child process if need be.

    Returns:
        The folder that holds it.

    Raises:
        InternalError: the kernel does not compile.
    """
    global _memory_folder
    with _lock:
        if _memory_folder is not None and store.is_complete(_memory_folder):
            return _memory_folder
        root = store.writable_root()
        if root is None:
            readable = kernel_folder(store.cache_root())
            if store.is_complete(readable):
                return readable
            _notice(f"The kernel cache {store.cache_root()} cannot be written; this process compiles for itself.")
            root = Path(tempfile.mkdtemp(prefix="apotheosis-kernel-"))
            atexit.register(shutil.rmtree, root, ignore_errors=True)
            _memory_folder = kernel_folder(root)
        folder = kernel_folder(root)
        if not store.is_complete(folder):
            with store.locked(folder, quiet()) as descriptor:
                if not store.is_complete(folder):
                    build_in_child(folder, descriptor)
            store.prune(root, folder)
        store.touch(folder)
        return folder


def build_in_child(folder: Path, lock: int | None) -> None:
    """Compiles the kernel in a child process, which keeps this process small and free of half-declared functions.

    Args:
        folder: the kernel folder to create.
        lock: the descriptor of the held lock, inherited by the child so that an orphan still holds it.

    Raises:
        InternalError: the child failed; its messages stand on stderr.
    """
    building = folder.with_name(f"{folder.name}.building-{os.getpid()}")
    if building.exists():
        store.discard(building)
    building.mkdir(parents=True)
    paths = [entry or os.getcwd() for entry in sys.path]
    child_environment = {
        **os.environ,
        BUILD_VARIABLE: str(building),
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
    }
    command = [sys.executable, "-c", f"from {PACKAGE}.compiler import build; build({str(folder)!r}, {SOURCES!r})"]
    try:
        outcome = subprocess.run(
            command, env=child_environment, stdout=sys.stderr.fileno(), pass_fds=() if lock is None else (lock,)
        )
    finally:
        if not store.is_complete(folder):
            store.discard(building)
    if outcome.returncode or not store.is_complete(folder):
        raise InternalError("the rules kernel could not be compiled; the reason stands above")


def build(folder: str, expected_sources: str) -> None:
    """Compiles all kernel modules and gives the filled folder its final name; runs in the child process.

    Args:
        folder: the kernel folder to create.
        expected_sources: the hash of the sources that the parent read.
    """
    global _progress
    started = time.perf_counter(), time.process_time()
    modules = dict(kernel_modules())
    total = sum(modules.values())
    _progress = Progress(total)
    for name in sorted(modules):
        importlib.import_module(f"{PACKAGE}.{name}")
    _progress.end()
    if not expected_sources == SOURCES == store.source_digest(RULES_FOLDER):
        sys.exit("The rules sources changed while they were being compiled; start again.")
    notes = {
        "functions": total,
        "seconds": round(time.perf_counter() - started[0], 2),
        "cpu_seconds": round(time.process_time() - started[1], 2),
    }
    store.finish(Path(str(BUILDING)), Path(folder), notes)


def kernel_modules() -> Iterator[tuple[str, int]]:
    """Yields the name of each kernel module and how many functions it declares, from the sources alone."""
    for file in sorted(RULES_FOLDER.glob("*.py")):
        count = 0
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") in ("inner", "door"):
                        count += 1
        if count:
            yield file.stem, count


class Progress:
    """Shows how far the compilation is: a rewritten line on a terminal, one line every ten seconds elsewhere.

    Args:
        total: how many functions there are.
    """

    def __init__(self, total: int):
        self.total = total
        self.done = 0
        self.started = self.reported = time.perf_counter()
        self.on_terminal = sys.stderr.isatty()
        self.quiet = quiet()
        self._print(f"Compiling the rules kernel: {total} functions, once for this version and machine.")

    def step(self, name: str) -> None:
        """Counts one compiled function and reports when it is time."""
        self.done += 1
        now = time.perf_counter()
        if self.quiet or not (self.on_terminal or now - self.reported > REPORT_EVERY_S):
            return
        self.reported = now
        left = (now - self.started) / self.done * max(self.total - self.done, 0)
        text = f"{100 * self.done // max(self.total, 1):3d} %  {self.done}/{self.total}  about {left:.0f} s left  {name}"
        if self.on_terminal:
            sys.stderr.write(f"\r\033[K{text[:100]}")
            sys.stderr.flush()
        else:
            self._print(text)

    def end(self) -> None:
        """Closes the line."""
        if self.on_terminal and not self.quiet:
            sys.stderr.write("\r\033[K")
        self._print(f"Compiled {self.done} functions in {time.perf_counter() - self.started:.0f} s.")

    def _print(self, text: str) -> None:
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)


class _report:  # noqa: N801  (used as a statement)
    """Counts a function as compiled when its compilation ends, and names it when it fails."""

    def __init__(self, function: Callable):
        self.function = function

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> None:
        if error is not None:
            code = self.function.__code__
            print(f"{code.co_filename}:{code.co_firstlineno}: {self.function.__name__} failed", file=sys.stderr)
        elif _progress is not None:
            _progress.step(self.function.__name__)


def _notice(text: str) -> None:
    """Prints one line on stderr unless the process is quiet."""
    if not quiet():
        print(text, file=sys.stderr, flush=True)


def status() -> dict[str, object]:
    """Returns the state of the compiled kernel for `doctor`.

    Returns:
        mode ("compiled" or "uncompiled"), state ("ready", "to be compiled", "uncompiled"), folder, writable, functions,
        doors, size in bytes and the seconds that the compilation took, as far as they are known.
    """
    root = store.cache_root()
    known: dict[str, object] = {"mode": "uncompiled" if UNCOMPILED else "compiled", "writable": bool(store.writable_root())}
    if UNCOMPILED:
        return {**known, "state": "uncompiled"}
    folder = kernel_folder(root)
    marker = store.read_marker(folder)
    if marker is None:
        return {**known, "state": "to be compiled", "folder": str(folder)}
    return {
        **known,
        "state": "ready",
        "folder": str(folder),
        "functions": marker.get("functions"),
        "doors": len(marker["doors"]),
        "bytes": sum(size for size, _ in marker["doors"].values()),
        "compile_seconds": marker.get("seconds"),
        "compile_cpu_seconds": marker.get("cpu_seconds"),
    }


def main() -> None:
    """Compiles the kernel where that has not been done; the command `python -m apotheosis.env.rules.compiler`."""
    if UNCOMPILED:
        sys.exit("APOTHEOSIS_JIT=0 is set: nothing is compiled.")
    try:
        folder = warm_up()
    except InternalError as error:
        sys.exit(str(error))
    print(f"The compiled rules kernel is ready in {folder}.")


if __name__ == "__main__":
    importlib.import_module(f"{__package__}.compiler").main()
