"""Aggregates for each row or index of arrays against the interpreter, on both engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import diablo
from diablo.runtime.rows import compiled_rows
from fuzzing.trial import Trial, Way

DECLARED = """
input A: matrix[Double]; input B: matrix[Double]; input S: matrix[Double];
input x: vector[Double]; input k: vector[Int]; input n: Int;
"""
PROGRAMS = {
    "beside the diagonal": """tensor*(5)[ (i, +/[ A[i,j]*x[j] | j <- 0..4, j != i ]/(A[i,i]+9.0))
        | i <- 0..4 ]""",
    "a variable of its own": """var y = tensor*(5)[ (i,0.0) | i <- 0..4 ];
        for i = 0, 4 do { var s = 0.0; for j = 0, 4 do if (j != i) s += A[i,j]*x[j];
                          y[i] = s/(A[i,i]+9.0) }; y""",
    "up to": "tensor*(x.length)[ (i, +/[ a | (j,a) <- x, j <= i ]) | i <- 0..x.length-1 ]",
    "an element": "[ (i, max/[ a*b | (j,b) <- x, b != a ]) | (i,a) <- x ]",
    "few": "tensor*(9)[ (i, min/[ a+b | (j,b) <- x, j < n ]) | (i,a) <- x, a > 0.3 ]",
    "several": """tensor*(5,5)[ ((i,j), +/[ A[i,l]*B[j,l] | l <- 0..4, l != i, l < n ]
        - min/[ abs(A[i,l]-B[j,l]) | l <- 0..4 ]) | i <- 0..4, j <- 0..4 ]""",
    "twice": "tensor*(5)[ (i, +/[ A[i,i]*A[i,j] | j <- i..4 ]) | i <- 0..4 ]",
    "sampled": "tensor*()(5,5)[ ((i,j), s * +/[ A[i,l]*B[j,l] | l <- 0..4 ]) | ((i,j),s) <- S ]",
    "sampled updates": """var R = S; for ((i,j),s) in S do for l = 0, n do
        R[i,j] += s*A[i,l]*B[j,l];
        for ((i,j),s) in S do if (s > 0.0) for l = 0, 4 do if (l != i) R[i,j] max= A[l,l]+s; R""",
    "sampled rows": "[ (i, j, count/[ l | l <- 0..4, A[i,l] < B[j,l] ]) | ((i,j),s) <- S ]",
    "of keys": "[ (j, +/[ A[c,l] | l <- 0..4 ]) | (j,c) <- k, j != 2 ]",
    "pairs that end": "+/[ if (a < b) a else b | (i,a) <- x, i < n, (j,b) <- x, j < 3 ]",
    "of sums": """var y = A; for i = 0, 4 do { var m = -9.0; for j = 0, 4 do m = max(m, A[i,j]);
        var s = 0.0; for j = 0, 4 do s += exp(A[i,j]-m);
        for j = 0, 4 do y[i,j] = exp(A[i,j]-m)/s }; y""",
    "in each other": """tensor*(5,5)[ ((i,j), (A[i,j] - +/[ A[i,l]*x[i] | l <- 0..4 ])
        / +/[ exp(A[i,l] - min/[ A[i,m] | m <- 0..n ]) | l <- 0..4 ]) | i <- 0..4, j <- 0..4 ]""",
    "for pairs": """tensor*(5,5)[ ((i,d), +/[ (A[j,d] - A[i,d])/(0.1 + +/[ (A[j,e]-A[i,e])*A[i,e]
        | e <- 0..4 ]) | j <- 0..4 ]) | i <- 0..4, d <- 0..4 ]""",
    "of what is folded": """tensor*(5)[ (i, +/[ A[i,j]*sqrt(+/[ B[j,l] | l <- 0..n ]) | j <- 0..n ])
        | i <- 0..4 ]""",
    "of a fold's fold": """tensor*(5)[ (i, +/[ A[i,j]*exp(+/[ B[j,l]*max/[ A[l,m] | m <- 0..4 ]
        | l <- 0..4 ]) | j <- 0..4 ]) | i <- 0..4 ]""",
    "of a part": """tensor*(5)[ (i, +/[ A[i,j]*(+/[ B[j,l] | l <- 0..4, l != j ] - x[i])
        | j <- 1..n-1 ]) | i <- 0..4 ]""",
    "the nearest's": """tensor*(5)[ (i, k[argmin/[ (j, +/[ (A[i,d]-B[j,d])*(A[i,d]-B[j,d])
        | d <- -1..n+3 ]) | j <- 0..4 ]]) | i <- -1..4 ]""",
    "windows of rows": """tensor*(5,3)[ ((i,j), +/[ A[l,i+d-1]*B[l,d]*x[j+d] | l <- 0..n,
        d <- 0..3 ]) | i <- 0..4, j <- 0..2 ]""",
    "windows of all": """tensor*(5)[ (i, +/[ a*b | ((l,m),a) <- A, ((k,d),b) <- B, l == k,
        m == i+d ]) | i <- 0..4 ]""",
    "segments": "tensor*(4)[ (i, +/[ x[j] | j <- k[i]..k[i+1]-1 ]) | i <- 0..3 ]",
    "segments of columns": """var y = tensor*(5)[ (i,0.0) | i <- 0..4 ];
        for i = 0, 3 do for p = k[i], k[i+1] do y[i] += x[p]*A[i,k[p]]; y""",
    "nothing": "+/[ a | (i,a) <- x, i < n-50 ]",
}
MACHINE_CODE = compiled_rows.machine_code
WAYS = [
    Way(block_sizes=(None, 2), compile="always"),
    Way(block_sizes=(None, 2), compile="never"),
]


def inputs() -> dict[str, Any]:
    rng = np.random.default_rng(7)
    entries = sp.random_array((5, 5), density=0.4, format="csr", rng=rng)
    A, B, x = rng.random((5, 5)), rng.random((5, 5)), rng.random(9)
    return {"A": A, "B": B, "S": entries, "x": x, "k": np.array([1, 4, 0, 1, 1]), "n": 4}


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_the_interpreter_says(name: str) -> None:
    outcome = Trial(DECLARED + PROGRAMS[name], inputs()).run(WAYS)
    assert outcome.verdict == "same", outcome


@pytest.mark.spark
def test_on_spark() -> None:
    ways = [Way(block_sizes=(3,), engine="spark", master="local[2]")]
    for name in (
        "beside the diagonal",
        "several",
        "sampled",
        "sampled updates",
        "for pairs",
        "pairs that end",
    ):
        outcome = Trial(DECLARED + PROGRAMS[name], inputs()).run(ways)
        assert outcome.verdict == "same", (name, outcome)


def test_no_pairs_of_rows_are_made() -> None:
    """Memory for a row, or an element, is all that there is."""
    size = 1500
    A = np.random.default_rng(1).random((size, size)) + 1.0
    for name in ("beside the diagonal", "a variable of its own"):
        text = PROGRAMS[name].replace("+9.0", "").replace("0..4", f"0..{size - 1}")
        text = text.replace("0, 4", f"0, {size - 1}").replace("(5)", f"({size})")
        program = diablo.compile(DECLARED + text, memory="80m", strict=True)
        result = program(A=A, B=A[:1], S=A[:1], x=A[0], k=np.array([0]), n=0)
        wanted = (A @ A[0] - np.diag(A) * A[0]) / np.diag(A)
        np.testing.assert_allclose(result, wanted, rtol=1e-9)


GUARDS = {"+": ["j != n", "j != n-i"], "max": ["j >= i", "j < 3*i"]}


def test_rows_that_leave_out_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four rows are folded side by side, as far as they have the same."""
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    asked = [(monoid, guard) for monoid, guards in GUARDS.items() for guard in guards]
    folds = ", ".join(
        f"tensor*(r)[ (i, {monoid}/[ A[i,j] | j <- 0..c-1, {guard} ]) | i <- 0..r-1 ]"
        for monoid, guard in asked
    )
    program = diablo.compile(
        f"input A: matrix[Double]; input n: Int; var r = A.rows; var c = A.cols; ({folds})"
    )
    A = np.random.default_rng(3).integers(-9, 9, (30, 23)) * 0.5
    rows, columns = np.indices(A.shape)
    for threads, n in (("1", 2**63 - 1), ("3", 16)):
        monkeypatch.setenv("DIABLO_THREADS", threads)
        for (monoid, guard), result in zip(asked, program(A=A, n=n), strict=True):
            kept = eval(guard, {"i": rows, "j": columns, "n": np.int64(n)})
            if monoid == "+":
                wanted = np.where(kept, A, 0).sum(1)
            else:
                wanted = np.where(kept, A, -np.inf).max(1)
            np.testing.assert_array_equal(result, wanted, f"{guard} {n}")


@pytest.mark.parametrize(
    "text",
    [
        """tensor()(S.rows,S.cols)[ ((i,j), s * +/[ A[i,l]*B[j,l] | l <- 0..A.cols-1 ])
            | ((i,j),s) <- S ]""",
        """var R: matrix[Double] = tensor()(S.rows,S.cols)[];
            for ((i,j),s) in S do for l = 0, A.cols-1 do R[i,j] += s*A[i,l]*B[j,l]; R""",
    ],
)
def test_a_sampled_product_makes_what_is_stored(text: str) -> None:
    size, rng = 3000, np.random.default_rng(2)
    entries = sp.random_array((size, size), density=0.002, format="csr", rng=rng)
    A = rng.random((size, 32))
    program = diablo.compile(DECLARED + text, memory="60m")
    result = program(A=A, B=A, S=entries, x=A[0], k=np.array([0]), n=0)
    rows, columns = entries.nonzero()
    assert "tensor_block.join" not in program.ir()
    wanted = (A[rows] * A[columns]).sum(1) * entries[rows, columns]
    np.testing.assert_allclose(result.to_scipy().tocsr()[rows, columns], wanted, rtol=1e-9)


@pytest.mark.parametrize("mode", ["always", "never"])
def test_ranges_end_in_their_array_however_far_their_ends_are(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a range is no number behind the greatest, and its length wraps around nowhere."""
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    program = diablo.compile(
        "input L: list[(Int,Double)]; input x: vector[Double]; input high: Int;"
        " [ (+/[ x[j]*w | j <- k..k+3, x[j] > w ], +/[ x[j]*w | j <- 0..k+3, x[j] > w ],"
        " +/[ x[j]*w | j <- 0..high, x[j] > w ]) | (k,w) <- L ]"
    )
    greatest = 2**63 - 1
    rows = [(greatest, -1.0), (greatest - 3, -1.0), (-greatest - 1, -1.0), (1, -1.0)]
    found = program(L=rows, x=np.arange(1.0, 5.0), high=greatest)
    # What is added to the greatest number is the least again.
    assert list(found) == [
        (0.0, 0.0, -10.0),
        (0.0, -10.0, -10.0),
        (0.0, 0.0, -10.0),
        (-9.0, -10.0, -10.0),
    ]


def test_few_rows_of_long_loops_are_worth_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def machine_code(identity: str, text: Callable[[], str]) -> Any:
        made.append(identity)
        return MACHINE_CODE(identity, text)

    monkeypatch.setattr(compiled_rows, "machine_code", machine_code)
    program = diablo.compile(
        "input X: matrix[Double]; input Q: matrix[Double]; input n: Int;"
        " [ argmin/[ (j, +/[ abs(X[j,d]-Q[i,d]) | d <- 0..3 ]) | j <- 0..n-1 ] | i <- 0..1 ]"
    )
    X = np.random.default_rng(4).random((400_000, 4))
    found = program(X=X, Q=X[[7, 300_000]], n=len(X))
    assert list(found) == [7, 300_000]
    assert made
