"""Compiling, caching and loading, shown on a kernel of two modules that each test may change."""

import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from apotheosis.env import errors
from apotheosis.env.rules import compiler, kernel_store

LAYOUT = """
import numba
import numpy as np

PART = np.dtype([("kind", "i2"), ("reg", "i4", (4,))], align=True)
MATCH = np.dtype([("turn", "i4"), ("grid", "i2", (3, 5)), ("part", PART, (8,))], align=True)
M = numba.from_dtype(MATCH)
MATCHES = M[::1]
LIMIT = 0
"""

LOW = """
from enum import IntEnum
from numba import int64, void
from apotheosis.env.rules.compiler import inner
from apotheosis.env.rules.layout import LIMIT, M

class Step(IntEnum):
    FIRST = 1
    LATER = 2

@inner(int64(int64))
def scale(x):
    return x * 3

@inner(int64(int64))
def depth(n):
    return 0 if n <= LIMIT else depth(n - Step.FIRST) + min(n, 1)

@inner(void(M, int64))
def push(m, i):
    part = m.part[i]
    part.kind += 1
    part.reg[2] = scale(part.kind + i) + depth(i)
    m.part[i + 1] = part
    m.grid[1, i] = part.reg[2]
"""

TOP = """
from numba import int64
from apotheosis.env.rules.compiler import door
from apotheosis.env.rules.layout import MATCHES
from apotheosis.env.rules.low import push

@door(int64(MATCHES, int64))
def play(matches, n):
    total = 0
    for j in range(len(matches)):
        m = matches[j]
        for i in range(n):
            push(m, i % 5)
            m.turn += 1
            total += m.grid[1, i % 5]
    matches[0] = matches[1]
    return total

@door(int64(MATCHES, int64))
def reg(matches, i):
    return matches[0].part[1].reg[i]
"""

USE = """
import json, pickle, zlib
import numba.core.event as event
import numpy as np
from apotheosis.env.rules import compiler, layout, top

matches = np.zeros(3, layout.MATCH)
with event.install_recorder("numba:compile") as compilations:
    total = top.play(matches, 7)
    assert top.play(matches, np.int64(2)) > 0
print(json.dumps({
    "total": int(total),
    "checksum": zlib.crc32(matches.tobytes()),
    "compilations": len(compilations.buffer),
    "same_door": pickle.loads(pickle.dumps(top.play)) is top.play,
    "folder": compiler.status()["folder"],
    "state": compiler.status()["state"],
}))
"""

COPIED = (
    *(
        "compiler",
        "kernel_build",
        "kernel_calls",
        "kernel_lowering",
        "kernel_parts",
        "kernel_weights",
        "kernel_store",
        "machine_code",
    ),
    "shadow",
)


class Kernel:
    """A small kernel in a folder of its own, with a cache of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.rules = folder / "apotheosis" / "env" / "rules"
        self.rules.mkdir(parents=True)
        for package in (self.rules, self.rules.parent, self.rules.parent.parent):
            (package / "__init__.py").touch()
        shutil.copy(errors.__file__, self.rules.parent)
        for name in COPIED:
            shutil.copy(compiler.RULES_FOLDER / f"{name}.py", self.rules)
        for name, source in (("layout", LAYOUT), ("low", LOW), ("top", TOP)):
            (self.rules / f"{name}.py").write_text(source)
        self.cache = folder / "cache"

    def change(self, module: str, old: str, new: str) -> None:
        file = self.rules / f"{module}.py"
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    def start(self, code: str = USE, **environment: str) -> subprocess.Popen:
        settings = {
            **{name: value for name, value in os.environ.items() if not name.startswith("APOTHEOSIS_")},
            "PYTHONPATH": str(self.folder),
            "XDG_CACHE_HOME": str(self.cache),
            **environment,
        }
        return subprocess.Popen(
            [sys.executable, "-c", code], env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def use(self, code: str = USE, **environment: str) -> tuple[dict, str]:
        """Runs a program that prints one JSON object; returns the object and what stood on stderr."""
        process = self.start(code, **environment)
        out, err = process.communicate(timeout=600)
        assert process.returncode == 0, err
        return json.loads(out), err

    def folders(self) -> list[Path]:
        kernels = self.cache / "apotheosis" / "kernels"
        return sorted(entry for entry in kernels.iterdir() if entry.is_dir() and entry.name != "parts")

    def parts(self) -> set[str]:
        return {entry.name for entry in (self.cache / "apotheosis" / "kernels" / "parts").iterdir()}

    def marker(self, used: dict) -> dict:
        return json.loads((Path(used["folder"]) / "complete.json").read_text())

    def instructions(self, used: dict) -> bytes:
        """Returns the section of instructions of the kernel's ELF object; names of constants may differ elsewhere."""
        stored = (Path(used["folder"]) / "machine_code.bin").read_bytes()
        code = stored[stored.index(b"\x7fELF") :]
        (sections_at,) = struct.unpack_from("<Q", code, 0x28)
        size, count = struct.unpack_from("<HH", code, 0x3A)
        sections = [struct.unpack_from("<IIQQQQ", code, sections_at + i * size) for i in range(count)]
        return b"".join(code[at : at + length] for _, kind, flags, _, at, length in sections if kind == 1 and flags & 4)


@pytest.fixture
def kernel(tmp_path) -> Kernel:
    return Kernel(tmp_path)


def test_the_first_start_compiles_and_the_second_only_loads(kernel):
    first, progress = kernel.use()
    second, silence = kernel.use()
    assert "5 functions" in progress and silence == ""
    assert first == second
    assert second["compilations"] == 0
    assert second["same_door"] and second["state"] == "ready"


def test_uncompiled_code_gives_the_same_result_and_no_cache(kernel):
    compiled, _ = kernel.use()
    shutil.rmtree(kernel.cache)
    uncompiled, silence = kernel.use(APOTHEOSIS_JIT="0")
    assert silence == "" and kernel.folders() == []
    assert uncompiled["state"] == "uncompiled"
    assert {key: uncompiled[key] for key in ("total", "checksum")} == {key: compiled[key] for key in ("total", "checksum")}


def test_a_changed_callee_in_another_file_is_compiled_anew(kernel):
    before, _ = kernel.use()
    kernel.change("low", "return x * 3", "return x * 5")
    after, progress = kernel.use()
    assert "Compiling" in progress
    assert after["total"] > before["total"]
    assert after["folder"] != before["folder"]
    assert after["checksum"] == kernel.use(APOTHEOSIS_JIT="0")[0]["checksum"]


CHANGES = (
    ("low", "return x * 3", "return x * 5", 1),
    ("low", "    return x * 5", "    # a comment\n    return x * 5", 0),
    ("low", "FIRST = 1", "FIRST = 2", 1),
    ("layout", "LIMIT = 0", "LIMIT = 1", 1),
    ("layout", '("turn", "i4")', '("turn", "i8")', 3),
)
"""Changes of the small kernel, and how many functions each of them reaches."""


def test_only_what_a_change_reaches_is_lowered_again(kernel):
    used, _ = kernel.use()
    assert kernel.marker(used)["lowered"] == kernel.marker(used)["functions"] == 5
    for module, old, new, reached in CHANGES:
        before = kernel.parts()
        kernel.change(module, old, new)
        used, _ = kernel.use()
        assert len(kernel.parts() - before) == kernel.marker(used)["lowered"] == reached, new
    assert used["checksum"] == kernel.use(APOTHEOSIS_JIT="0")[0]["checksum"]
    incremental = kernel.instructions(used)
    shutil.rmtree(kernel.cache)
    assert len(incremental) > 500
    assert kernel.instructions(kernel.use()[0]) == incremental


def test_a_damaged_part_is_lowered_again(kernel):
    kernel.use()
    before = {file.name: file.read_bytes() for file in (kernel.cache / "apotheosis" / "kernels" / "parts").iterdir()}
    for name, data in before.items():
        (kernel.cache / "apotheosis" / "kernels" / "parts" / name).write_bytes(data[:-1])
    kernel.change("low", "return x * 3", "return x * 5")
    after, _ = kernel.use()
    assert after["checksum"] == kernel.use(APOTHEOSIS_JIT="0")[0]["checksum"]


def test_two_processes_that_start_together_compile_once(kernel):
    processes = [kernel.start() for _ in range(2)]
    outputs = [process.communicate(timeout=600) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert outputs[0][0] == outputs[1][0]
    assert sum("Compiling" in err for _, err in outputs) == 1
    assert len(kernel.folders()) == 1


def test_a_damaged_folder_is_built_again(kernel):
    before, _ = kernel.use()
    code = Path(before["folder"]) / "machine_code.bin"
    data = code.read_bytes()
    for damage in (
        lambda: code.write_bytes(data[:1000]),
        lambda: code.write_bytes(data[:500] + b"?" + data[501:]),
        lambda: code.unlink(),
        lambda: code.with_name("complete.json").unlink(),
    ):
        damage()
        after, progress = kernel.use()
        assert "Compiling" in progress
        assert after == before


def test_a_cache_that_cannot_be_written_is_named_and_done_without(kernel):
    blocked = kernel.folder / "file"
    blocked.touch()
    result, notice = kernel.use(XDG_CACHE_HOME=str(blocked), TMPDIR=str(kernel.folder))
    assert f"{blocked}/apotheosis/kernels cannot be written" in notice
    assert result["total"] == kernel.use()[0]["total"]
    assert list(kernel.folder.glob("apotheosis-kernel-*")) == []


def test_pruning_keeps_the_folder_in_use_and_the_last_used(tmp_path):
    kept = kernel_store.KEPT_FOLDERS
    for age in range(kept + 2):
        folder = tmp_path / f"kernel{age}"
        kernel_store.write_folder(folder, b"code", {})
        (tmp_path / f"kernel{age}.lock").touch()
        os.utime(folder / kernel_store.MARKER, (1e9 - age, 1e9 - age))
    killed, running = tmp_path / "old.building-1", tmp_path / "new.building-2"
    for folder in (killed, running):
        folder.mkdir()
    os.utime(killed, (1e9, 1e9))
    kernel_store.prune(tmp_path, keep=tmp_path / f"kernel{kept + 1}")
    left = {entry.name for entry in tmp_path.iterdir() if entry.is_dir()}
    last_used = {f"kernel{age}" for age in (*range(kept - 1), kept + 1)}
    assert left == {*last_used, running.name}
    assert {entry.stem for entry in tmp_path.glob("*.lock")} == last_used


def test_a_function_that_does_not_compile_is_named_with_its_place(kernel):
    kernel.change("low", "part.kind += 1", "part.knid += 1")
    process = kernel.start()
    _, err = process.communicate(timeout=600)
    assert process.returncode != 0
    line = 1 + LOW.splitlines().index("@inner(void(M, int64))")
    assert f"{kernel.rules / 'low.py'}:{line}: push does not compile" in err
    assert kernel.folders() == []


def test_sources_that_change_during_compilation_are_refused(kernel):
    folder = str(kernel.cache / "unused" / "kernel")
    process = kernel.start(f"from apotheosis.env.rules.kernel_build import build; build({folder!r}, 'another hash')")
    _, err = process.communicate(timeout=600)
    assert process.returncode == 1
    assert "changed while they were being compiled" in err


def test_the_module_compiles_ahead_of_the_first_use(kernel):
    process = kernel.start("import runpy; runpy.run_module('apotheosis.env.rules.compiler', run_name='__main__')")
    out, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    assert str(kernel.folders()[0]) in out
    assert kernel.use()[1] == ""


def test_quiet_compilation_prints_nothing(kernel):
    assert kernel.use(APOTHEOSIS_QUIET="1")[1] == ""


BOUNDS = """
import json
import numpy as np
from apotheosis.env.rules import layout, top
try:
    top.reg(np.zeros(1, layout.MATCH), 9)
except IndexError:
    print(json.dumps("IndexError"))
"""


def test_bounds_checks_are_another_kernel(kernel):
    kernel.use()
    assert kernel.use(BOUNDS, APOTHEOSIS_BOUNDSCHECK="1")[0] == "IndexError"
    assert len(kernel.folders()) == 2


WRONG = """
import json
import numpy as np
from apotheosis.env.rules import layout, top
matches = np.zeros(2, layout.MATCH)
found = []
for arguments in ((np.zeros(2, layout.PART), 1), (matches,), (matches[0], 1), (matches, "x")) * 2:
    try:
        top.play(*arguments)
    except TypeError as error:
        found.append(str(error))
    top.play(matches, 1) if len(found) == 4 else None
print(json.dumps(found))
"""


def test_wrong_arguments_are_refused_before_and_after_the_first_call(kernel):
    found, _ = kernel.use(WRONG)
    assert len(found) == 8
