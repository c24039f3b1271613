"""Where the kernel spends its time: samples of random matches by `perf`, counted by kernel function.

The sampled kernel is a special one in which no function is merged into its callers; it is about half as fast, and small
functions weigh more in it than they do otherwise. Needs Linux on a 64-bit machine with `perf` on PATH.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from apotheosis.env.errors import InputError

SAMPLES_PER_S = 1999
ATTACH_S = 1.0
"""Seconds that perf is given to attach itself."""


class Share(NamedTuple):
    """The part of the kernel's time that one function takes without its callees."""

    function: str
    share: float


def profile(cards: str, seconds: float, seed: int) -> list[Share]:
    """Samples random matches in a child process.

    Args:
        cards: a card file, a folder, or "starter".
        seconds: processor time to sample.
        seed: decides decks and dice.

    Returns:
        The functions of the kernel, the most expensive first; shares add up to 1.

    Raises:
        InputError: `perf` is missing or not permitted.
    """
    if shutil.which("perf") is None:
        raise InputError("a profile needs the program `perf` on PATH", "--profile")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "perf.data"
        code = (
            "from apotheosis.experiments.bench_profile import play_sampled; "
            f"play_sampled({cards!r}, {seconds!r}, {seed!r}, {str(data)!r})"
        )
        settings = {**os.environ, "APOTHEOSIS_PROFILE": "1"}
        child = subprocess.run([sys.executable, "-c", code], env=settings, stderr=subprocess.PIPE, text=True)
        if child.returncode:
            raise InputError(f"the profile failed: {child.stderr.strip().splitlines()[-1]}", "--profile")
        report = data.with_suffix(".txt").read_text(encoding="utf-8")
    return shares(report)


def shares(report: str) -> list[Share]:
    """Reads perf's report and keeps the kernel's functions.

    Args:
        report: lines of a number of samples and a symbol, such as `813  [.] kernel:legality.why_not`.
    """
    found = [(match[2], int(match[1])) for match in re.finditer(r"^\s*(\d+)\s+\[\.\]\s+kernel:(\S+)", report, re.MULTILINE)]
    total = sum(samples for _, samples in found)
    return [Share(name, samples / total) for name, samples in sorted(found, key=lambda pair: -pair[1])]


def play_sampled(cards: str, seconds: float, seed: int, data: str) -> None:
    """Plays while perf takes samples; runs in the child process.

    Args:
        cards, seconds, seed: as in `profile`.
        data: where the samples go; the report goes beside it, with the ending .txt.
    """
    from apotheosis.env.cards.pool import load_pool
    from apotheosis.experiments.bench import kernel_play

    play = kernel_play(load_pool(cards), seed)
    play()
    addresses = write_addresses()
    try:
        command = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(SAMPLES_PER_S), "-o", data]
        with subprocess.Popen([*command, "-p", str(os.getpid())]) as sampler:
            time.sleep(ATTACH_S)
            start = time.process_time()
            while time.process_time() - start < seconds:
                play()
            sampler.send_signal(signal.SIGINT)
        command = ["perf", "report", "-i", data, "--stdio", "-F", "sample,symbol", "-w", "8,200"]
        report = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        Path(data).with_suffix(".txt").write_text(report, encoding="utf-8")
    finally:
        addresses.unlink()


def write_addresses() -> Path:
    """Tells perf the addresses of the kernel's functions in this process; returns the file."""
    from apotheosis.env.rules import compiler

    kernel = compiler.loaded_kernel()
    known, address = kernel.anchor
    functions = {name: (offset, size) for name, offset, size in elf_functions(kernel.object_code)}
    base = address - functions[known][0]
    lines = [
        f"{base + offset:x} {size:x} kernel:{kernel.symbols[name].partition('.rules.')[2]}"
        for name, (offset, size) in functions.items()
        if name in kernel.symbols
    ]
    table = Path(os.sep, "tmp", f"perf-{os.getpid()}.map")  # perf looks here and nowhere else, whatever TMPDIR says
    table.write_text("\n".join(lines) + "\n", encoding="ascii")
    return table


def elf_functions(code: bytes) -> list[tuple[str, int, int]]:
    """Returns name, offset and size of the functions in a 64-bit little-endian ELF object file.

    Source: System V ABI, chapter 4 (object files): file header, section header, symbol table.
    """
    (sections_at,) = struct.unpack_from("<Q", code, 0x28)
    size, count = struct.unpack_from("<HH", code, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, sections_at + i * size) for i in range(count)]
    found = []
    for _, kind, _, _, at, length, link, *_ in sections:
        if kind != 2:  # not a symbol table
            continue
        names_at = sections[link][4]
        for entry in range(at, at + length, 24):
            name, info, _, _, value, extent = struct.unpack_from("<IBBHQQ", code, entry)
            if info & 0xF == 2:  # a function
                begin = names_at + name
                found.append((code[begin : code.index(b"\0", begin)].decode("ascii"), value, extent))
    return found
