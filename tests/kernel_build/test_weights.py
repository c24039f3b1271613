"""Counts of calls and branches: taken right, told to the optimiser right, and fitting the sources."""

import ctypes
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from apotheosis.env.rules import compiler, kernel_store
from apotheosis.env.rules.kernel_weights import (
    MOST,
    Weights,
    count_branches,
    read_weights,
    scaled,
    table_of,
    weigh,
    write_weights,
)
from apotheosis.env.rules.machine_code import COUNTS, processor

MODULE = """
declare i64 @far(i64)

define i64 @half(i64 %n) {
entry:
  br label %loop
loop:
  %k = phi i64 [0, %entry], [%next, %more]
  %done = icmp sge i64 %k, %n
  br i1 %done, label %out, label %more
more:
  %next = add i64 %k, 2
  br label %loop
out:
  ret i64 %k
}

define i64 @"twice.half"(i64 %n) {
  %a = call i64 @half(i64 %n)
  %b = call i64 @half(i64 %a)
  ret i64 %b
}

define i64 @foreign(i1 %c) {
  br i1 %c, label %one, label %two
one:
  ret i64 1
two:
  ret i64 2
}
"""
NAMES = {"half": "arith.half", "twice.half": "arith.twice"}


def counted(*arguments: int) -> dict[str, Weights]:
    """Calls `twice.half` in a module that counts and returns its table."""
    module, places = count_branches(llvm.parse_assembly(MODULE.replace("declare i64 @far(i64)", "")), NAMES)
    module.verify()
    engine = llvm.create_mcjit_compiler(module, processor())
    engine.finalize_object()
    twice = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(engine.get_function_address("twice.half"))
    for n in arguments:
        assert twice(n) == n + n % 2
    address = engine.get_global_value_address(COUNTS)
    return table_of(places, list((ctypes.c_uint64 * (2 * len(places))).from_address(address)))


def test_calls_and_ways_are_counted() -> None:
    # half(6) and half(6), half(5) and half(6): each leaves its loop once and goes round 3 times
    assert counted(6, 5) == {"arith.half": Weights(4, ((4, 12),)), "arith.twice": Weights(2, ())}


def test_what_was_never_called_counts_nothing() -> None:
    assert counted() == {"arith.half": Weights(0, ((0, 0),)), "arith.twice": Weights(0, ())}


def test_the_optimiser_is_told() -> None:
    table = {"arith.half": Weights(4, ((4, 12),)), "arith.twice": Weights(9, ())}
    module, fitting = weigh(llvm.parse_assembly(MODULE), NAMES, table)
    module.verify()
    text = str(module)
    assert fitting == 2
    assert '!{!"branch_weights", i32 4, i32 12}' in text
    assert '!{!"function_entry_count", i64 9}' in text
    assert '!{!"TotalCount", i64 29}' in text
    assert text.index('@"twice.half"' if '@"twice.half"' in text else "@twice.half") < text.index("define i64 @half")
    assert "declare i64 @far(i64)" in text
    assert "!prof" not in text[text.index("@foreign") :].split("}")[0]


def test_a_function_that_changed_is_built_without_weights() -> None:
    table = {"arith.half": Weights(4, ((4, 12), (1, 1))), "arith.twice": Weights(9, ())}
    module, fitting = weigh(llvm.parse_assembly(MODULE), NAMES, table)
    assert fitting == 1
    assert "branch_weights" not in str(module)


def test_no_table_changes_nothing() -> None:
    module = llvm.parse_assembly(MODULE)
    before = str(module)
    same, fitting = weigh(module, NAMES, {})
    assert (str(same), fitting) == (before, 0)


def test_large_counts_keep_their_proportion() -> None:
    taken, not_taken = scaled(10**12, 10**10)
    assert max(taken, not_taken) <= MOST
    assert taken / not_taken == pytest.approx(100, rel=1e-6)


def test_the_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = {"a.b": Weights(3, ((1, 2), (0, 0), (5, 0))), "a.c": Weights(0, ())}
    write_weights(table, tmp_path / "w.csv")
    assert read_weights(tmp_path / "w.csv") == table
    assert read_weights(tmp_path / "none.csv") == {}


def test_most_functions_have_their_weights() -> None:
    """After many changes of the rules the table is old; `make weights` counts again."""
    marker = kernel_store.read_marker(compiler.warm_up())
    assert marker["weighed"] >= 0.8 * (marker["functions"] - marker["doors"])


def test_the_table_belongs_to_the_sources(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    table = tmp_path / "rules" / "branch_weights.csv"
    table.write_text("function,calls,branches\n", encoding="utf-8")
    before = kernel_store.source_digest(tmp_path / "rules")
    table.write_text("function,calls,branches\na.b,1,\n", encoding="utf-8")
    assert kernel_store.source_digest(tmp_path / "rules") != before
