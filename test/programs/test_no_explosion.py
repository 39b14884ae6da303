"""Programs whose work is bounded by what they say, counted at n and at 4n: operations and bytes.

Operations are those that the interpreter evaluates of the optimised program, of which nothing is
hidden in a kernel; bytes are what a call holds at most, besides its inputs.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from counted_operations import operations

import diablo
from diablo.runtime.arrays import memory
from diablo.runtime.kernels import compiled_sparse

Inputs = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A program, its inputs of a size, and how both counts may grow where that is four times it."""

    text: str
    inputs: Callable[[int], Inputs]
    grows: float
    """How many times as many operations."""
    bytes_grow: float = 4.0
    size: int = 8
    """At which operations are counted."""
    large: int = 2048
    """At which bytes are."""


def _dense(*names: str, square: bool = True) -> Callable[[int], Inputs]:
    def make(n: int) -> Inputs:
        generator = np.random.default_rng(n)
        shape = (n, n) if square else (n,)
        return {name: generator.random(shape) for name in names}

    return make


def _images(n: int) -> Inputs:
    generator = np.random.default_rng(n)
    return {"X": generator.random((1, 2, n, 8)), "W": generator.random((2, 2, 3, 3)), "n": n}


def _sampled(n: int) -> Inputs:
    generator = np.random.default_rng(n)
    at = np.arange(n, dtype=np.int32), generator.integers(0, n, n).astype(np.int32)
    S = scipy.sparse.csr_array((generator.random(n), at), shape=(n, n))
    return {"S": S, "A": generator.random((n, 4)), "B": generator.random((n, 4))}


def _banded(n: int) -> Inputs:
    band = scipy.sparse.diags_array([1.0, 2.0, 3.0], offsets=[-1, 0, 1], shape=(n, n))
    return {"S": scipy.sparse.csr_array(band), "x": np.ones(n)}


def _words(n: int) -> Inputs:
    names = [f"{chr(97 + k % 7)}{chr(97 + k % 5)}{k}" for k in range(max(n, 16))]
    return {"Q": names[:n], "W": [name[:3] for name in names[:16]]}


def _entries(n: int) -> Inputs:
    rows = [(i, (7 * i) % n, float(i)) for i in range(n)]
    return {"A": rows, "B": [(j, i, v) for i, j, v in rows]}


def _maps(n: int) -> Inputs:
    edges = [(i, (3 * i + k) % n) for i in range(n) for k in range(2)]
    return {"E": edges, "P": dict.fromkeys(range(n), 1.0 / n), "D": dict.fromkeys(range(n), 2)}


def _points(n: int) -> Inputs:
    generator = np.random.default_rng(n)
    return {"P": generator.random((n, 2)), "C": generator.random((6, 2))}


def _rows(n: int) -> Inputs:
    return {"L": [(k % 5, k % 3) for k in range(n)]}


CASES = {
    "convolution": Case(
        "input X: array4[Double]; input W: array4[Double]; input n: Int; "
        "tensor*(1,2,n-2,6)[ ((b,o,i,j), +/[ X[b,c,i+p,j+q]*W[o,c,p,q] "
        "| c <- 0..1, p <- 0..2, q <- 0..2 ]) | b <- 0..0, o <- 0..1, i <- 0..n-3, j <- 0..5 ]",
        _images,
        5.2,  # Of n rows there are n - 2 places.
    ),
    "sampled product": Case(
        "input S: matrix[Double]; input A: matrix[Double]; input B: matrix[Double]; "
        "tensor*()(S.rows,S.cols)[ ((i,j), s * +/[ A[i,k]*B[j,k] | k <- 0..3 ]) | ((i,j),s) <- S ]",
        _sampled,
        4.4,
    ),
    "sampled update": Case(
        "input S: matrix[Double]; input A: matrix[Double]; input B: matrix[Double]; "
        "var R: matrix[Double] = tensor*()(S.rows,S.cols)[]; "
        "for ((i,j),s) in S do for k = 0, 3 do R[i,j] += s*A[i,k]*B[j,k]; R",
        _sampled,
        4.4,
    ),
    "invariant product": Case(
        "input A: matrix[Double]; input B: matrix[Double]; input x: vector[Double]; "
        "var v = x; var k = 0; while (k < 5) { k += 1; var C = A@B; v = C@v; }; v",
        lambda n: {**_dense("A", "B")(n), "x": np.ones(n)},
        70.0,
        16.0,
        4,
        64,
    ),
    "strings": Case(
        "input Q: list[String]; input W: list[String]; "
        "[ (q, +/[ 1 | w <- W, w.startsWith(q.substring(0,2)) ]) | q <- Q ]",
        _words,
        4.4,
    ),
    "window sums": Case(
        "input x: vector[Double]; "
        "tensor*(x.length)[ (i, +/[ x[i+d] | d <- -5..5, i+d >= 0, i+d < x.length ]) "
        "| i <- 0..x.length-1 ]",
        _dense("x", square=False),
        5.0,
        size=16,
    ),
    "join of lists": Case(
        "input A: list[(Int,Int,Double)]; input B: list[(Int,Int,Double)]; "
        "[ ((i,j), +/v) | (i,k,a) <- A, (l,j,b) <- B, k == l, let v = a*b, group by (i,j) ]",
        _entries,
        4.4,
    ),
    "product of maps": Case(
        "input E: list[(Int,Int)]; input P: map[Int,Double]; input D: map[Int,Int]; "
        "map[ (j, +/v) | (i,j) <- E, let v = P[i]/toDouble(D[i]), group by j ]",
        _maps,
        4.4,
    ),
    "nearest": Case(
        "input P: matrix[Double]; input C: matrix[Double]; "
        "[ (i, argmin/[ (j, +/[ (P[i,k]-C[j,k])*(P[i,k]-C[j,k]) | k <- 0..1 ]) "
        "| j <- 0..C.rows-1 ]) | i <- 0..P.rows-1 ]",
        _points,
        4.4,
    ),
    "distinct": Case(
        "input L: list[(Int,Int)]; [ (a,b) | (a,b) <- L, group by (a,b) ]", _rows, 4.4, 4.0, 16
    ),
    "row without diagonal": Case(
        "input A: matrix[Double]; input x: vector[Double]; "
        "tensor*(A.rows)[ (i, +/[ A[i,j]*x[j] | j <- 0..A.cols-1, j != i ]/A[i,i]) "
        "| i <- 0..A.rows-1 ]",
        lambda n: {**_dense("A")(n), "x": np.ones(n)},
        17.0,
        4.4,
        8,
        512,
    ),
    "stored row without diagonal": Case(
        "input S: matrix[Double]; input x: vector[Double]; "
        "tensor*(S.rows)[ (i, +/[ v*x[j] | ((l,j),v) <- S, l == i, j != i ]) | i <- 0..S.rows-1 ]",
        _banded,
        16.5,  # The interpreter asks at each point whether it is stored; kernels do not (below).
    ),
    "sum over one cell": Case(
        "input x: vector[Double]; var y = tensor*(1)[ (0, 0.0) ]; "
        "for i = 0, x.length-1 do y[0] += x[i]; y",
        _dense("x", square=False),
        4.4,
    ),
    "constant key": Case(
        "input x: vector[Double]; [ (k, +/v) | (i,v) <- x, group by k: 0 ]",
        _dense("x", square=False),
        4.4,
    ),
    "region by a predicate": Case(
        "input n: Int; region R = (0..n-1, 0..n-1); region Band = R where (i,j) => abs(i-j) < 2; "
        "+/[ i*j | (i,j) <- Band ]",
        lambda n: {"n": n},
        16.5,  # As above.
    ),
}


def _count(case: Case, n: int) -> int:
    return sum(operations(case.text, case.inputs(n), pipeline="diablo-to-tensor-block").values())


@pytest.mark.parametrize("name", CASES)
def test_operations_are_those_of_what_is_said(name: str) -> None:
    case = CASES[name]
    few, many = _count(case, case.size), _count(case, 4 * case.size)
    assert many <= case.grows * few


def _peak(program: Any, inputs: Inputs) -> int:
    """The bytes that a call holds at most besides its inputs, where all is compiled."""
    program(**inputs)
    memory.clear()
    tracemalloc.start()
    try:
        program(**inputs)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", CASES)
def test_bytes_are_those_of_what_is_said(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    case = CASES[name]
    program = diablo.compile(case.text)
    few, many = (_peak(program, case.inputs(n)) for n in (case.large, 4 * case.large))
    # What a call takes whatever its size is.
    assert many <= 1.1 * case.bytes_grow * few + (1 << 18)


def test_a_kernel_over_stored_elements_goes_through_these(monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES["stored row without diagonal"]
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    seen: list[int] = []
    monkeypatch.setattr(compiled_sparse, "work_seen", _Noted(seen))
    for n in (64, 256):
        diablo.compile(case.text)(**case.inputs(n))
    few, many = seen
    assert few == compiled_sparse.COST * (3 * 64 - 2)
    assert many == compiled_sparse.COST * (3 * 256 - 2)


class _Noted:
    """In the place of what says whether work repays compiling: notes how much it is."""

    def __init__(self, seen: list[int]) -> None:
        self.seen = seen

    def worth_compiling(self, _: object, points: int) -> bool:
        """Note the points; everything is compiled."""
        self.seen.append(points)
        return True
