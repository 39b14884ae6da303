"""Kernels that scan vectors: how threads share them, and what small calls of them do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.parser import Parser

from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.registry import new_context
from diablo.runtime.arrays import memory
from diablo.runtime.kernels import compiled as compiled_calls
from diablo.runtime.kernels import direct_calls
from diablo.runtime.kernels.compiled import CompiledKernel, compiled
from diablo.runtime.native.thread_team import share

SCANS = """
func.func private @scans(%n: index, %x: tensor<?xTYPE>) -> (tensor<?xTYPE>, tensor<?xTYPE>, TYPE) {
  %y = tensor_block.map parallel(d0 < %n) ins(%x[d0] : tensor<?xTYPE>) -> tensor<?xTYPE> {
  ^bb0(%i: index, %e: TYPE):
    %d = ADD %e, %e : TYPE
    tensor_block.yield %d : TYPE
  }
  %s = tensor_block.scan add %y along 0 dims(%n) : tensor<?xTYPE>
  %m = tensor_block.scan max OF along 0 dims(%n) : tensor<?xTYPE>
  %z = tensor_block.map parallel(d0 < %n)
      ins(%s[d0] : tensor<?xTYPE>, %m[d0] : tensor<?xTYPE>) -> tensor<?xTYPE> {
  ^bb0(%i: index, %e: TYPE, %f: TYPE):
    %d = ADD %e, %f : TYPE
    tensor_block.yield %d : TYPE
  }
  %least = tensor_block.reduce min reduced(d0 < %n) ins(%s[d0] : tensor<?xTYPE>) -> TYPE {
  ^bb0(%i: index, %e: TYPE):
    tensor_block.yield %e : TYPE
  }
  func.return %m, %z, %least : tensor<?xTYPE>, tensor<?xTYPE>, TYPE
}
"""
OWN = """
comprehension.monoid @farther : f64 identity 0.0 : f64 {
^bb0(%a: f64, %b: f64):
  %c = math.absf %a : f64
  %d = math.absf %b : f64
  %less = arith.cmpf olt, %c, %d : f64
  %r = arith.select %less, %b, %a : f64
  comprehension.yield %r
}
func.func private @farthest(%n: index, %x: tensor<?xf64>) -> (tensor<?xf64>, f64) {
  %s = tensor_block.scan add %x along 0 dims(%n) : tensor<?xf64>
  %f = tensor_block.reduce @farther reduced(d0 < %n) ins(%s[d0] : tensor<?xf64>) -> f64 {
  ^bb0(%i: index, %e: f64):
    tensor_block.yield %e : f64
  }
  func.return %s, %f : tensor<?xf64>, f64
}
"""


def must_not_run(*_: Any) -> Any:
    raise AssertionError("fell back to NumPy")


def at_once(*_: Any) -> bool:
    return True


def kernel(text: str) -> CompiledKernel:
    """The kernel of a text, as a printed program has it."""
    parsed = Parser(new_context(), text).parse_module()
    native = compile_kernel(next(op for op in parsed.ops if isinstance(op, func.FuncOp)))
    run = compiled(must_not_run, native.write(), str(native.signature))
    assert isinstance(run, CompiledKernel)
    return run


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", "1")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of how many calls each round of a kernel is, of which there are some."""
    made: list[int] = []

    def counted(entry: Any, calls: Any, points: int) -> None:
        made.extend([len(calls)] if calls else [])
        share(entry, calls, points)

    for module in (compiled_calls, direct_calls):
        monkeypatch.setattr(module, "share", counted)
    return made


def sums(of: str, type: str, add: str, way: int) -> CompiledKernel:
    text = SCANS.replace("TYPE", type).replace("ADD", add).replace("OF", of)
    return kernel(text if way > 0 else text.replace("along 0", "along 0 reverse"))


@pytest.mark.parametrize(
    ("threads", "of", "shares"), [("1", "%x", []), ("3", "%x", [2, 3]), ("3", "%s", [])]
)
@pytest.mark.parametrize("way", [1, -1])
def test_threads_fold_their_pieces_before_they_scan_them(
    threads: str,
    of: str,
    shares: list[int],
    way: int,
    monkeypatch: pytest.MonkeyPatch,
    calls: list[int],
):
    """One alone goes through once, and so it does where what is scanned is scanned again."""
    monkeypatch.setenv("DIABLO_THREADS", threads)
    for type, add, dtype in (("i64", "arith.addi", np.int64), ("f64", "arith.addf", np.float64)):
        run = sums(of, type, add, way)
        values = np.random.default_rng(5).integers(-9, 9, 1000).astype(dtype)
        wanted = np.cumsum(2 * values[::way])[::way]
        maxima = np.maximum.accumulate((values if of == "%x" else wanted)[::way])[::way]
        for given in (values, np.repeat(values, 2)[::2]):
            calls.clear()
            found, both, least = run(1000, given)
            # One piece needs no team.
            assert calls == shares if shares else set(calls) <= {1}
            np.testing.assert_array_equal(found, maxima)
            np.testing.assert_array_equal(both, wanted + maxima)
            assert least == wanted.min()
        none, nothing, greatest = run(0, values)
        assert len(none) == len(nothing) == 0
        assert greatest == (np.inf if type == "f64" else np.iinfo(np.int64).max)


def test_the_signature_says_where_pieces_leave_what_they_come_to():
    assert (
        str(sums("%x", "f64", "arith.addf", 1).signature)
        == "i64 f64[0] -> f64[0] f64[0] f64(min) ~f64(add) ~f64(max) rows 0 reads 4"
    )
    # What a scan of a scan comes to shows once those before it are done.
    assert str(sums("%s", "f64", "arith.addf", 1).signature).endswith("f64() whole 0 reads 4")


def test_a_fold_by_a_monoid_of_the_programs_own_keeps_it_in_one_piece(
    monkeypatch: pytest.MonkeyPatch, calls: list[int]
):
    monkeypatch.setenv("DIABLO_THREADS", "3")
    values = np.random.default_rng(6).integers(-9, 9, 1000).astype(np.float64)
    found, farthest = kernel(OWN)(1000, values)
    np.testing.assert_array_equal(found, np.cumsum(values))
    assert abs(farthest) == abs(np.cumsum(values)).max()
    assert not calls


def test_small_calls_are_a_builtin_function(monkeypatch: pytest.MonkeyPatch, calls: list[int]):
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    monkeypatch.setattr(compiled_calls, "WORTH_BUILDING", 2)
    monkeypatch.setattr(compiled_calls, "worth_compiling", at_once)
    run = sums("%x", "f64", "arith.addf", -1)
    values = np.arange(9.0)
    for _ in range(5):
        found, both, least = run(9, values)
        np.testing.assert_array_equal(found, [8.0] * 9)
        np.testing.assert_array_equal(both, np.cumsum(2 * values[::-1])[::-1] + 8.0)
        assert least == 16.0
    assert run.builtin is not None
    assert not calls


@pytest.mark.parametrize("threads", ["1", "3"])
def test_calls_are_planned_with_what_is_done_before(threads: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_THREADS", threads)
    run = sums("%x", "i64", "arith.addi", 1)
    values = np.arange(100)
    planned = run.plan([100, values], memory.empty)
    assert planned is not None
    assert (len(planned.ahead), len(planned.calls)) == ((2, 3) if threads == "3" else (0, 1))
    for _ in range(2):
        for call in (*planned.ahead, *planned.calls):
            planned.entry(*call)
        np.testing.assert_array_equal(planned.outputs[0][0], values)
        np.testing.assert_array_equal(planned.outputs[1][0], 2 * np.cumsum(values) + values)
    assert run.plan([-1, values], memory.empty) is None
