"""The only place that decides how kernel functions are compiled.

Kernel modules write `@inner(signature)` on what stays inside the kernel and `@door(signature)` on the few functions
that Python calls. What these decorators do depends on the process:

- *loading* (the normal case): inner functions stay plain Python and are never compiled; the first call of a door loads
  the kernel's machine code from the cache. If the cache lacks it, a child process compiles the kernel first.
- *building* (that child): every function is compiled eagerly with its explicit signature, callees first.
- *uncompiled* (`APOTHEOSIS_JIT=0`): the same sources run as plain Python on shadows (module `shadow`).

`python -m apotheosis.env.rules.compiler` compiles ahead of the first use and needs only NumPy and Numba.
`APOTHEOSIS_BOUNDSCHECK=1` compiles with bounds checks, `APOTHEOSIS_PROFILE=1` keeps all functions apart for a profiler,
`APOTHEOSIS_TALLY=1` counts what is reached; each has a folder of its own. `APOTHEOSIS_QUIET=1` hides progress.
"""

from __future__ import annotations

import atexit
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite
import numba
import numpy as np
from llvmlite import binding

from apotheosis.env.errors import InternalError
from apotheosis.env.rules import kernel_store
from apotheosis.env.rules.shadow import uncompiled_door

if TYPE_CHECKING:
    from apotheosis.env.rules.kernel_build import Build
    from apotheosis.env.rules.machine_code import LoadedKernel

RULES_FOLDER = Path(__file__).resolve().parent
PACKAGE = __name__.rpartition(".")[0]

NUMBA_VARIABLES = (
    "NUMBA_OPT",
    "NUMBA_BOUNDSCHECK",
    "NUMBA_CPU_NAME",
    "NUMBA_CPU_FEATURES",
    "NUMBA_ENABLE_AVX",
    "NUMBA_LOOP_VECTORIZE",
    "NUMBA_SLP_VECTORIZE",
    "NUMBA_DEBUGINFO",
)
"""The settings of Numba that change machine code; they belong to the name of the kernel folder."""

UNCOMPILED = os.environ.get("APOTHEOSIS_JIT", "1") == "0" or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
SOURCES = kernel_store.source_digest(RULES_FOLDER)
"""The hash of the sources when this process read them."""

MARKED = ("functions", "lowered", "doors", "weighed", "bytes", "seconds", "cpu_seconds")
"""What the marker of a kernel folder tells `status`."""

current_build: Build | None = None
"""Set in the child process that compiles the kernel."""

_lock = threading.RLock()
_loaded: LoadedKernel | None = None
_private_root: Path | None = None


def options() -> dict[str, Any]:
    """Returns the compiler options shared by all kernel functions."""
    checked = os.environ.get("APOTHEOSIS_BOUNDSCHECK", "0") == "1"
    return {"nogil": True, "error_model": "numpy", "boundscheck": checked}


def quiet() -> bool:
    """Returns whether progress and notices are left out."""
    return os.environ.get("APOTHEOSIS_QUIET", "0") == "1"


def counting() -> bool:
    """Returns whether the kernel counts what it reaches (see `tally`)."""
    return os.environ.get("APOTHEOSIS_TALLY", "0") == "1"


def counting_branches() -> bool:
    """Returns whether the kernel counts calls and branches, for `kernel_weights` (a third of the speed)."""
    return os.environ.get("APOTHEOSIS_COUNT_BRANCHES", "0") == "1"


def profiled() -> bool:
    """Returns whether functions are kept apart, so that a profiler can tell them apart (half as fast)."""
    return os.environ.get("APOTHEOSIS_PROFILE", "0") == "1"


def inner(signature: Any) -> Callable[[Callable], Any]:
    """Marks a function that only kernel functions call.

    Args:
        signature: the Numba signature, an object such as `int64(M, P, int64)` or its text.

    Returns:
        A decorator that compiles the function while the kernel is being built and returns it unchanged otherwise.
    """

    def decorate(function: Callable) -> Any:
        return function if current_build is None else current_build.lower(function, signature, is_door=False)

    return decorate


def door(signature: Any) -> Callable[[Callable], Any]:
    """Marks a function that Python calls; it takes arrays and numbers.

    Args:
        signature: the Numba signature, an object such as `void(MATCHES, POOL_ARRAY, int64)` or its text.

    Returns:
        A decorator. The door keeps the plain function as `py_func`. Compiled, it is loaded on its first call;
        uncompiled, it turns record arrays into shadows and writes them back.
    """

    def decorate(function: Callable) -> Any:
        if UNCOMPILED:
            return uncompiled_door(function)
        if current_build is not None:
            return current_build.lower(function, signature, is_door=True)
        from apotheosis.env.rules.machine_code import Door

        return Door(function, signature, options(), loaded_kernel)

    return decorate


def local_array(size: int) -> np.ndarray:
    """Returns an int64 array of zeros to work in; it must not leave the function that asks for it.

    Compiled kernels have it on the stack, where no allocation costs time (`kernel_calls.local_array`).

    Args:
        size: how many; a constant.
    """
    return np.zeros(size, np.int64)


def lowest_bit(word: int) -> int:
    """Returns the number of the lowest bit that is set in a word other than 0; one instruction in compiled kernels."""
    return (word & -word).bit_length() - 1


def loaded_kernel() -> LoadedKernel:
    """Returns the kernel's machine code, loaded once for each process and compiled before if need be.

    Raises:
        InternalError: the kernel does not compile, or its folder is broken again right after it was compiled.
    """
    global _loaded
    from apotheosis.env.rules.machine_code import LoadedKernel

    with _lock:
        if _loaded is None:
            folder = warm_up()
            data = kernel_store.read_code(folder)
            if data is None:
                kernel_store.discard(folder)
                data = kernel_store.read_code(warm_up())
            if data is None:
                raise InternalError("the kernel cache is broken right after the kernel was compiled", where=folder)
            _loaded = LoadedKernel(data)
        return _loaded


def environment() -> dict[str, object]:
    """Returns everything outside the sources that decides the machine code."""
    return {
        "python": sys.version,
        "platform": sys.platform,
        "numpy": np.__version__,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "processor": binding.get_host_cpu_name(),
        "features": binding.get_host_cpu_features().flatten(),
        "options": options(),
        "profiled": profiled(),
        "counting": counting(),
        "counting_branches": counting_branches(),
        "numba_variables": {name: os.environ.get(name) for name in NUMBA_VARIABLES},
    }


def kernel_folder(root: Path) -> Path:
    """Returns the folder of this kernel under a cache root."""
    return root / kernel_store.folder_name(SOURCES, environment())


def warm_up() -> Path:
    """Makes sure that the machine code of these sources exists, compiling it in a child process if need be.

    Returns:
        The kernel folder. Where the user's cache cannot be written it is a temporary one of this process.

    Raises:
        InternalError: the kernel does not compile.
    """
    with _lock:
        root = kernel_store.cache_root()
        folder = kernel_folder(root)
        if not kernel_store.is_complete(folder):
            if not kernel_store.writable(root):
                root = private_root()
                folder = kernel_folder(root)
            with kernel_store.locked(folder, _say_waiting) as descriptor:
                if not kernel_store.is_complete(folder):
                    build_in_child(folder, descriptor)
            kernel_store.prune(root, folder)
        kernel_store.touch(folder)
        return folder


def private_root() -> Path:
    """Returns a temporary cache root that goes with this process, and says so once."""
    global _private_root
    if _private_root is None:
        _notice(f"The kernel cache {kernel_store.cache_root()} cannot be written; compiling for this process alone.")
        _private_root = Path(tempfile.mkdtemp(prefix="apotheosis-kernel-"))
        atexit.register(shutil.rmtree, _private_root, ignore_errors=True)
    return _private_root


def build_in_child(folder: Path, lock: int | None) -> None:
    """Compiles the kernel in a child process.

    Args:
        folder: the kernel folder to create.
        lock: the descriptor of the held lock; the child inherits it, so that it stays locked if this process dies.

    Raises:
        InternalError: the child failed; its message stands on stderr.
    """
    paths = [entry or os.getcwd() for entry in sys.path]
    child = subprocess.run(
        [sys.executable, "-c", f"from {PACKAGE}.kernel_build import build; build({str(folder)!r}, {SOURCES!r})"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=() if lock is None else (lock,),
    )
    if child.returncode or not kernel_store.is_complete(folder):
        raise InternalError("the rules kernel could not be compiled; the reason stands above")


def status() -> dict[str, object]:
    """Returns the state of the compiled kernel.

    Returns:
        state ("ready", "to be compiled" or "uncompiled"), folder, whether the cache is writable, and for a ready kernel
        its functions, how many of them were lowered anew, its doors, size in bytes and the wall and CPU seconds that
        its compilation took.
    """
    root = kernel_store.cache_root()
    folder = kernel_folder(root)
    marker = kernel_store.read_marker(folder)
    state = "uncompiled" if UNCOMPILED else "ready" if marker else "to be compiled"
    known: dict[str, object] = {"state": state, "folder": str(folder), "writable": kernel_store.writable(root)}
    return known | {key: marker[key] for key in MARKED if key in marker}


def _notice(text: str) -> None:
    if not quiet():
        print(text, file=sys.stderr, flush=True)


def _say_waiting() -> None:
    _notice("The rules kernel is being compiled by another process; waiting for it.")


def main() -> None:
    """Compiles the kernel where that has not been done."""
    if UNCOMPILED:
        sys.exit("APOTHEOSIS_JIT=0 or NUMBA_DISABLE_JIT=1 is set: nothing is compiled.")
    try:
        folder = warm_up()
    except InternalError as error:
        sys.exit(str(error))
    print(f"The rules kernel is ready in {folder}.")


if __name__ == "__main__":
    # the module under its own name, since this one is called __main__ and the kernel imports the other
    importlib.import_module(f"{__spec__.name}").main()
