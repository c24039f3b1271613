"""A profile names kernel functions and gives each its share of the kernel's own time."""

import shutil
import sys

import llvmlite.binding as llvm
import pytest

from apotheosis.env.errors import InputError
from apotheosis.experiments import bench_profile

REPORT = """
# Samples  Symbol
     4000  [.] _PyEval_EvalFrameDefault
     1500  [.] kernel:legality.why_not
      500  [.] kernel:dice.mix
"""


def test_shares_are_of_the_kernel_alone():
    assert bench_profile.shares(REPORT) == [("legality.why_not", 0.75), ("dice.mix", 0.25)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other object files")
def test_functions_of_an_object_file_are_found():
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    source = """
    define i64 @one(i64 %x) { ret i64 %x }
    define internal i64 @two(i64 %x) noinline { %y = mul i64 %x, %x ret i64 %y }
    define i64 @three(i64 %x) { %y = call i64 @two(i64 %x) ret i64 %y }
    """
    machine = llvm.Target.from_default_triple().create_target_machine()
    found = bench_profile.elf_functions(machine.emit_object(llvm.parse_assembly(source)))
    assert {name for name, _, _ in found} == {"one", "two", "three"}
    places = sorted((offset, size) for _, offset, size in found)
    assert all(a + size <= b for (a, size), (b, _) in zip(places, places[1:], strict=False))


def test_without_perf_the_error_says_what_is_needed(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(InputError, match="needs the program `perf`"):
        bench_profile.profile("starter", 0.1, 1)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("perf") is None, reason="needs perf on PATH, which is not installed")
def test_a_profile_of_real_matches():
    found = bench_profile.profile("starter", 0.5, 1)
    assert sum(share for _, share in found) == pytest.approx(1)
    assert any(function.startswith("legality.") for function, _ in found[:20])
