"""Reads at indices that wrap around, on which a branch depends: a row for each iteration.

Each read once was a join with the whole array, since `%` may trap.
"""

import warnings
from typing import Any

import numpy as np
import pytest

import diablo
from diablo.diagnostics import RunError

LIFE = """
input B: matrix[Int]; var n = B.rows; var m = B.cols; var A = B;
for i = 0, n-1 do for j = 0, m-1 do {
    var s = 0;
    for a = -1, 1 do for b = -1, 1 do if (a != 0 || b != 0) s += B[(i+a+n)%n,(j+b+m)%m];
    A[i,j] = if (s == 3 || (B[i,j] == 1 && s == 2)) 1 else 0;
};
A;
"""
MAJORITY = """
input B: matrix[Int]; var n = B.rows; var m = B.cols; var A = B;
for i = 0, n-1 do for j = 0, m-1 do
    A[i,j] = if (B[(i+1)%n,j] + B[(i+n-1)%n,j] + B[i,(j+1)%m] + B[i,(j+m-1)%m] >= 2) 1 else 0;
A;
"""
PEAKS = """
input V: vector[Int]; var n = V.length;
[ i | i <- 0..n-1, V[i] > V[(i+1)%n], V[i] > V[(i+n-1)%n] ];
"""


def neighbours(board: np.ndarray[Any, Any], diagonal: bool) -> Any:
    steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    return sum(np.roll(board, s, (0, 1)) for s in steps if diagonal or 0 in s)


@pytest.fixture(autouse=True)
def no_warning_of_many_rows():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.sampled(4)
@pytest.mark.parametrize("block_size", [None, 7])
@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (30, 37)])
def test_boards(shape: tuple[int, int], block_size: int | None):
    board = np.random.default_rng(0).integers(0, 2, shape)
    count = neighbours(board, diagonal=True)
    expected = (count == 3) | ((board == 1) & (count == 2))
    program = diablo.compile(LIFE, block_size=block_size)
    np.testing.assert_array_equal(program(B=board).to_numpy(), expected)
    expected = neighbours(board, diagonal=False) >= 2
    program = diablo.compile(MAJORITY, block_size=block_size)
    np.testing.assert_array_equal(program(B=board).to_numpy(), expected)


def test_peaks():
    values = np.random.default_rng(0).integers(0, 100, 5000)
    expected = (values > np.roll(values, 1)) & (values > np.roll(values, -1))
    assert list(diablo.compile(PEAKS)(V=values)) == np.flatnonzero(expected).tolist()


def test_a_remainder_of_zero_is_an_error_where_it_is_reached():
    text = """
        input n: Int;
        var V = tensor(n)[ (i,1) | i <- 0..n-1 ]; var A = tensor(3)[ (i,1) | i <- 0..2 ];
        for i = 0, 2 do A[i] = if (V[(i+1)%n] + V[(i+2)%n] > 1) V[i] else 2;
        A;
    """
    with pytest.raises(RunError, match=r"<program>:4:.*division by zero"):
        diablo.compile(text)(n=0)
    guarded = text.replace("A[i] =", "if (n != 0) A[i] =")
    assert diablo.compile(guarded)(n=0).to_numpy().tolist() == [1, 1, 1]
    assert diablo.compile(text)(n=1).to_numpy().tolist() == [1, 1, 1]


@pytest.mark.parametrize("mode", ["never", "always"])
def test_what_divides_at_no_point_does_not_fail(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same at all points, and computed once for them: here there are none."""
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    made = "tensor*(n,m)[ ((i,j), B[i,j] + A[(3*k+1)%n,j]) | i <- 0..n-1, j <- 0..m-1 ]"
    head = "input n: Int; input m: Int; input k: Int; input A: matrix[Double];"
    once = diablo.compile(f"{head} var B = A; {made}", engine="local")
    loop = f"{head} var B = A; var l = 0; while (l < k) {{ B = {made}; l += 1; }}; B"
    in_loop = diablo.compile(loop.replace("3*k", "3*l"), engine="local")
    for n in (0, 3, 5, 0):
        a = np.arange(4.0 * n).reshape(n, 4)
        rows = [a[7 % n], a[1 % n] + a[4 % n]] if n else [0, 0]
        np.testing.assert_array_equal(np.asarray(once(n=n, m=4, k=2, A=a)), a + rows[0])
        np.testing.assert_array_equal(np.asarray(in_loop(n=n, m=4, k=2, A=a)), a + rows[1])
    with pytest.raises(RunError, match="division by zero"):
        diablo.compile("input n: Int; var k = n-3; tensor*(n)[ (i,7%k) | i <- 0..n-1 ]")(n=3)
