"""What this machine offers the lab: versions, processors, memory, disk, the compiled kernel, threads and Ray.

It imports none of the libraries it reports on, so that it also works where one of them is broken.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import sys
import tempfile
import textwrap
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

LAB = "apotheosis-lab"
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV",
)
KERNEL_VARIABLES = ("APOTHEOSIS_JIT", "APOTHEOSIS_BOUNDSCHECK", "APOTHEOSIS_QUIET", "NUMBA_DISABLE_JIT")

LOW_MEMORY = 1 << 30
LOW_DISK = 1 << 30
"""Bytes below which memory and disk are reported as a problem."""

RAY_PORT = 6379
RAY_WAIT_S = 1.0


def examine(folder: Path | None = None) -> dict[str, Any]:
    """Returns everything that `apotheosis doctor` shows.

    Args:
        folder: where runs would be written; the current folder where left out.

    Returns:
        versions, machine, disk, kernel, threads, ray, and `problems`: one sentence each.
    """
    from apotheosis.env.rules import compiler

    found: dict[str, Any] = {
        "versions": versions(),
        "machine": machine(),
        "disk": disk(Path.cwd() if folder is None else folder),
        "kernel": compiler.status(),
        "threads": {name: os.environ.get(name) for name in (*THREAD_VARIABLES, *KERNEL_VARIABLES)},
        "ray": ray_state(),
    }
    found["problems"] = list(problems(found))
    return found


def versions() -> dict[str, str | None]:
    """Returns the versions of Python, the lab and the libraries it names; None for what is not installed."""
    required, optional = libraries()
    names = (LAB, "numpy", "numba", "llvmlite", *required, *optional)
    return {"python": platform.python_version()} | {name: version(name) for name in names}


def version(name: str) -> str | None:
    """Returns the version of an installed distribution, or None."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def libraries() -> tuple[list[str], list[str]]:
    """Returns the names of the libraries that the lab requires, and of those that its extras `train` and `ray` add."""
    required, optional = [], []
    for line in (metadata.requires(LAB) or []) if version(LAB) else []:
        name = re.match(r"[\w.-]+", line)
        if name and "extra ==" not in line:
            required.append(name[0])
        elif name and re.search("extra == .(train|ray)", line):
            optional.append(name[0])
    return required, optional


def machine() -> dict[str, Any]:
    """Returns system, processor, cores and memory in bytes; `cores_usable` is what this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    total, available = memory()
    return {
        "system": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "cores_usable": usable,
        "memory_bytes": total,
        "memory_available_bytes": available,
    }


def processor() -> str:
    """Returns the processor's name as far as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def memory() -> tuple[int | None, int | None]:
    """Returns total and available memory in bytes, within the limit of a container; None where unknown."""
    fields: dict[str, int] = {}
    try:
        for line in Path("/proc/meminfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            fields[name] = int(value.split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        return None, None
    total, available = fields.get("MemTotal"), fields.get("MemAvailable")
    limit, used = _number("/sys/fs/cgroup/memory.max"), _number("/sys/fs/cgroup/memory.current")
    if limit is not None and used is not None and total is not None and available is not None:
        total, available = min(total, limit), min(available, max(limit - used, 0))
    return total, available


def _number(path: str) -> int | None:
    try:
        return int(Path(path).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def disk(folder: Path) -> dict[str, Any]:
    """Returns free and total bytes where runs would be written."""
    existing = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    usage = shutil.disk_usage(existing)
    return {"folder": str(existing), "free_bytes": usage.free, "total_bytes": usage.total}


def ray_state() -> dict[str, Any]:
    """Returns whether Ray is installed, the address a run would use, and whether something answers there."""
    address = ray_address()
    return {"installed": version("ray"), "address": address, "reachable": answers(address)}


def ray_address() -> str:
    """Returns the address of the Ray cluster that a program on this machine would find first."""
    for text in (os.environ.get("RAY_ADDRESS", ""), _first_line(Path(tempfile.gettempdir(), "ray", "ray_current_cluster"))):
        if text and text not in ("auto", "local"):
            return text.removeprefix("ray://")
    return f"127.0.0.1:{RAY_PORT}"


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").partition("\n")[0].strip()
    except OSError:
        return ""


def answers(address: str) -> bool:
    """Returns whether a connection to `host:port` can be opened."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host, int(port)), timeout=RAY_WAIT_S):
            return True
    except (OSError, ValueError):
        return False


def problems(found: dict[str, Any]) -> Iterable[str]:
    """Yields one sentence for each thing that will get in the way.

    Args:
        found: the parts of `examine`.
    """
    missing = [name for name in libraries()[0] if found["versions"][name] is None]
    if missing:
        yield f"not installed: {', '.join(missing)}"
    if not (3, 11) <= sys.version_info[:2] < (3, 14):
        yield f"Python {found['versions']['python']} is outside 3.11 to 3.13"
    kernel = found["kernel"]
    if not kernel["writable"]:
        yield f"the kernel cache {Path(kernel['folder']).parent} cannot be written: every process compiles for itself"
    if kernel["state"] == "uncompiled":
        yield "APOTHEOSIS_JIT=0 or NUMBA_DISABLE_JIT=1 switches compilation off: matches take hundreds of times longer"
    available = found["machine"]["memory_available_bytes"]
    if available is not None and available < LOW_MEMORY:
        yield f"only {gib(available)} of memory are available"
    if found["disk"]["free_bytes"] < LOW_DISK:
        yield f"only {gib(found['disk']['free_bytes'])} are free in {found['disk']['folder']}"


def gib(size: int | None) -> str:
    """Returns a size in GiB, or "unknown"."""
    return "unknown" if size is None else f"{size / (1 << 30):.1f} GiB"


def as_text(found: dict[str, Any]) -> str:
    """Returns the findings as lines for people."""
    computer, disk_, kernel, ray = found["machine"], found["disk"], found["kernel"], found["ray"]
    named = [f"{name} {number or 'not installed'}" for name, number in found["versions"].items()]
    answer = "reachable" if ray["reachable"] else "nothing answers"
    settings = [f"{name}={value}" for name, value in found["threads"].items() if value]
    rows = [
        ("versions", ", ".join(named)),
        ("system", computer["system"]),
        ("cores", f"{computer['cores_usable']} of {computer['cores']} usable, {computer['processor']}"),
        ("memory", f"{gib(computer['memory_available_bytes'])} of {gib(computer['memory_bytes'])} available"),
        ("disk", f"{gib(disk_['free_bytes'])} of {gib(disk_['total_bytes'])} free in {disk_['folder']}"),
        ("kernel", f"{kernel_text(kernel)}; {kernel['folder']}"),
        ("threads", ", ".join(settings) or "nothing set"),
        ("ray", f"{ray['installed'] or 'not installed'}, {answer} at {ray['address']}"),
        *(("problem", problem) for problem in found["problems"]),
    ]
    return "\n".join(wrapped for label, text in rows for wrapped in paragraph(label, text))


def paragraph(label: str, text: str) -> list[str]:
    """Returns a text as lines with its label in front of the first."""
    return textwrap.wrap(
        text,
        100,
        initial_indent=f"{label:<10}",
        subsequent_indent=" " * 10,
        break_long_words=False,
        break_on_hyphens=False,
    )


def kernel_text(kernel: dict[str, Any]) -> str:
    """Returns the state of the kernel as a phrase."""
    if kernel["state"] != "ready":
        hint = "; `apotheosis doctor --warmup` compiles it" if kernel["state"] == "to be compiled" else ""
        return kernel["state"] + hint
    return (
        f"ready: {kernel['functions']} functions, {kernel['doors']} doors, {kernel['bytes'] / 1024:.0f} KiB, "
        f"compiled in {kernel['cpu_seconds']:.0f} CPU seconds ({kernel['lowered']} functions anew)"
    )
