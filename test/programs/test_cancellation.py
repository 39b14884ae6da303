"""Float arithmetic against exact rational numbers, on data that are shifted by 1e8.

The differences of such data are small and exact, but their products are large and rounded: what
multiplies `(x-c)*(x-c)` out is off by more than the result. An error may be as large as that of
the sum in another order: each term that the program writes is rounded, and so is each addition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo

BLOCKS = [None, 1, 3, 7]
SHIFT = 1e8
N, M, K = 9, 4, 3
EPSILON = Fraction(1, 2**52)

Terms = Iterable[Fraction]
Exact = Callable[..., list[Terms]]


def exact(array: Any) -> Any:
    """The numbers of an array as fractions, in nested lists."""
    if np.ndim(array) == 0:
        return Fraction(float(array))
    return [exact(row) for row in array]


def data() -> dict[str, Any]:
    random = np.random.default_rng(7)
    near = sparse.random_array((N, M), density=0.4, rng=random, format="csr")
    stored = near.copy()
    stored.data += SHIFT
    return {
        "X": random.random((N, M)) + SHIFT,
        "C": random.random((K, M)) + SHIFT,
        "x": random.random(N) + SHIFT,
        "y": random.random(N) - SHIFT,
        "w": random.random(N) - 0.5,
        "S": near,
        "V": stored,
        "c": SHIFT + 0.25,
        "n": N,
        "m": M,
        "k": K,
    }


@dataclass(frozen=True)
class Case:
    """A program with one result, and the terms that are added up for each of its elements."""

    name: str
    inputs: str
    text: str
    terms: Exact


def _grouped(values: Sequence[Sequence[Terms]]) -> list[Terms]:
    return [terms for row in values for terms in row]


MATRICES = "input X: matrix[Double]; input C: matrix[Double]; input n: Int; input k: Int;"
VECTORS = "input x: vector[Double]; input y: vector[Double]; input w: vector[Double];"
NUMBERS = "input c: Double; input n: Int;"
SPARSE = "input X: matrix[Double]; input V: matrix[Double]; input S: matrix[Double];"
SIZES = "input n: Int; input m: Int;"


def _stencil(x: Sequence[Fraction], i: int) -> Terms:
    if 0 < i < N - 1:
        return [x[i - 1] - x[i], x[i + 1] - x[i]]
    return []


def _products(row: Sequence[Fraction], other: Sequence[Fraction], weight: Fraction) -> Terms:
    products = [a * b for a, b in zip(row, other, strict=True)]
    return [Fraction(0.3) * term for product in products for term in (product, -(10**16) * weight)]


CASES = [
    Case(
        "distances",
        MATRICES,
        """tensor*(n,k)[ ((i,l),+/d) | ((i,j),x) <- X, ((l,jj),c) <- C, jj == j,
                                       let d = (x-c)*(x-c), group by (i,l) ]""",
        lambda X, C, **_: _grouped(
            [[[(a - b) ** 2 for a, b in zip(r, s, strict=True)] for s in C] for r in X]
        ),
    ),
    Case(
        "distances in a loop",
        MATRICES + "input m: Int;",
        """var D = tensor*(n,k)[ ((i,l),0.0) | i <- 0..n-1, l <- 0..k-1 ];
           for i = 0, n-1 do for l = 0, k-1 do for j = 0, m-1 do
             D[i,l] += (X[i,j]-C[l,j])*(X[i,j]-C[l,j]);
           D""",
        lambda X, C, **_: _grouped(
            [[[(a - b) ** 2 for a, b in zip(r, s, strict=True)] for s in C] for r in X]
        ),
    ),
    Case(
        "weighted distances to a row",
        MATRICES + "input w: vector[Double];",
        """tensor*(n,k)[ ((i,l),+/d) | ((i,j),x) <- X, ((l,jj),c) <- C, jj == j, (ii,v) <- w,
                                       ii == j, let d = v*(x-c)*(x-c), group by (i,l) ]""",
        lambda X, C, w, **_: _grouped(
            [[[v * (a - b) ** 2 for v, a, b in zip(w, r, s, strict=False)] for s in C] for r in X]
        ),
    ),
    Case(
        "differences of products",
        MATRICES + "input w: vector[Double];",
        """tensor*(n,k)[ ((i,l),+/d) | ((i,j),x) <- X, ((l,jj),c) <- C, jj == j, (ii,v) <- w,
                                       ii == l, let d = 0.3*(x*c - 1e16*v), group by (i,l) ]""",
        # A product rounds as it is written, whatever is subtracted from it.
        lambda X, C, w, **_: _grouped(
            [[_products(r, s, v) for s, v in zip(C, w, strict=False)] for r in X]
        ),
    ),
    Case(
        "deviations",
        VECTORS + NUMBERS,
        "+/[ (v-c)*(v-c) | (i,v) <- x ]",
        lambda x, c, **_: [[(v - c) ** 2 for v in x]],
    ),
    Case(
        "a sum of differences",
        VECTORS + NUMBERS,
        "+/[ v-c | (i,v) <- x ]",
        lambda x, c, **_: [[v - c for v in x]],
    ),
    Case(
        "a sum of sums",
        VECTORS + NUMBERS,
        "+/[ v+u | (i,v) <- x, (j,u) <- y, j == i ]",
        lambda x, y, **_: [[v + u for v, u in zip(x, y, strict=True)]],
    ),
    Case(
        "multiples of differences",
        VECTORS + NUMBERS,
        "+/[ 0.3*u*(v-c) | (i,v) <- x, (j,u) <- w, j == i ]",
        lambda x, w, c, **_: [[Fraction(0.3) * u * (v - c) for v, u in zip(x, w, strict=True)]],
    ),
    Case(
        "a covariance",
        VECTORS + NUMBERS,
        "+/[ (v-c)*(u+c) | (i,v) <- x, (j,u) <- y, j == i ]",
        lambda x, y, c, **_: [[(v - c) * (u + c) for v, u in zip(x, y, strict=True)]],
    ),
    Case(
        "a list",
        "input L: list[Double];" + NUMBERS,
        "+/[ (v-c)*(v-c) | v <- L ]",
        lambda L, c, **_: [[(v - c) ** 2 for v in L]],
    ),
    Case(
        "sums over all pairs",
        VECTORS + NUMBERS,
        "tensor*(n)[ (i,+/d) | (i,v) <- x, (j,u) <- x, let d = v-u, group by i ]",
        lambda x, **_: [[v - u for u in x] for v in x],
    ),
    Case(
        "sums that are nested in rows",
        VECTORS + NUMBERS,
        "tensor*(n)[ (i, +/[ v-u | (j,u) <- x, j <= i ]) | (i,v) <- x ]",
        lambda x, **_: [[v - u for u in x[: i + 1]] for i, v in enumerate(x)],
    ),
    Case(
        "an array of sums, read in rows",
        MATRICES,
        """tensor*(n)[ (i, +/[ (v-X[0,0])*(v-X[0,0]) | ((ii,j),v) <- X, ii == i ])
                       | i <- 0..n-1 ]""",
        lambda X, **_: [[(v - X[0][0]) ** 2 for v in row] for row in X],
    ),
    Case(
        "a sparse factor",
        SPARSE + NUMBERS,
        "+/[ s*(a-c) | ((i,j),s) <- S, ((ii,jj),a) <- X, ii == i, jj == j ]",
        lambda X, S, c, **_: [
            [s * (a - c) for p, q in zip(S, X, strict=True) for s, a in zip(p, q, strict=True)]
        ],
    ),
    Case(
        "a sparse factor of differences in a loop",
        "input S: matrix[Double]; input x: vector[Double]; input c: Double;" + SIZES,
        """var P = tensor*(m)[ (j,0.0) | j <- 0..m-1 ];
           for i = 0, n-1 do for j = 0, m-1 do P[j] += S[i,j]*(x[i]-c);
           P""",
        lambda S, x, c, **_: [[S[i][j] * (x[i] - c) for i in range(N)] for j in range(M)],
    ),
    Case(
        "a sparse minuend with a factor",
        SPARSE + SIZES,
        "tensor*(n,m)[ ((i,j), 0.3*(V[i,j]-X[i,j])) | i <- 0..n-1, j <- 0..m-1 ]",
        lambda X, V, **_: _grouped(
            [
                [[Fraction(0.3) * (v - a)] for v, a in zip(p, q, strict=True)]
                for p, q in zip(V, X, strict=True)
            ]
        ),
    ),
    Case(
        "a sparse minuend that is added to",
        SPARSE + "input w: vector[Double];" + SIZES,
        "tensor*(n,m)[ ((i,j), w[i] + (V[i,j]-X[i,j])) | i <- 0..n-1, j <- 0..m-1 ]",
        lambda X, V, w, **_: _grouped(
            [
                [[u, v - a] for v, a in zip(p, q, strict=True)]
                for u, p, q in zip(w, V, X, strict=True)
            ]
        ),
    ),
    Case(
        "a sparse minuend in an update",
        SPARSE + SIZES,
        """var R = tensor*(n,m)[ ((i,j),0.3) | i <- 0..n-1, j <- 0..m-1 ];
           for i = 0, n-1 do for j = 0, m-1 do R[i,j] += V[i,j]-X[i,j];
           R""",
        lambda X, V, **_: _grouped(
            [
                [[Fraction(0.3), v - a] for v, a in zip(p, q, strict=True)]
                for p, q in zip(V, X, strict=True)
            ]
        ),
    ),
    Case(
        "a fill value",
        VECTORS + NUMBERS,
        """region R = 0..n-1;
           region E = R where (i) => i % 2 == 0;
           var A: vector[Double] over E fill c = c + 0.5;
           tensor*(n)[ (i, 0.3*(A[i]-v)) | (i,v) <- x ]""",
        lambda x, c, **_: [
            [Fraction(0.3) * (c + (Fraction(0) if i % 2 else Fraction(1, 2)) - v)]
            for i, v in enumerate(x)
        ],
    ),
    Case(
        "a window of differences",
        VECTORS + NUMBERS,
        """tensor*(n)[ (i, +/[ 0.3*(x[(i+d+n)%n]-v) | d <- (-1)..1 ]) | (i,v) <- x ]""",
        lambda x, **_: [
            [Fraction(0.3) * (x[(i + d) % N] - v) for d in (-1, 0, 1)] for i, v in enumerate(x)
        ],
    ),
    Case(
        "a stencil of differences",
        VECTORS + NUMBERS,
        """var B = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
           for i = 1, n-2 do B[i] = (x[i-1]-x[i]) + (x[i+1]-x[i]);
           B""",
        lambda x, **_: [_stencil(x, i) for i in range(N)],
    ),
    Case(
        "a stencil whose sums recur along a row",
        MATRICES + "input m: Int;",
        """var B = tensor*(n,m)[ ((i,j),0.0) | i <- 0..n-1, j <- 0..m-1 ];
           for i = 1, n-2 do for j = 1, m-2 do
             B[i,j] = 0.3*((X[i-1,j-1]+X[i-1,j]+X[i-1,j+1]+X[i+1,j-1]+X[i+1,j]+X[i+1,j+1])
                           - 6.0*X[i,j]) + (X[i,j-1]-X[i,j]) + (X[i,j+1]-X[i,j]);
           B""",
        lambda X, **_: [
            [
                *(Fraction(0.3) * X[i + d][j + e] for d in (-1, 1) for e in (-1, 0, 1)),
                -6 * Fraction(0.3) * X[i][j],
                X[i][j - 1] - X[i][j],
                X[i][j + 1] - X[i][j],
            ]
            if 0 < i < N - 1 and 0 < j < M - 1
            else []
            for i in range(N)
            for j in range(M)
        ],
    ),
]


def run(case: Case, block: int | None, *, fast_math: bool = False) -> Any:
    program = diablo.compile(case.inputs + case.text, block_size=block, fast_math=fast_math)
    given = {name: value for name, value in data().items() if name in program.inputs}
    if "L" in program.inputs:
        given["L"] = list(data()["x"])
    return program(**given)


def errors(case: Case, result: Any) -> list[tuple[Fraction, Fraction]]:
    """Return how far each element is from the exact one, and how far it may be."""
    given = {
        name: exact(value.toarray() if sparse.issparse(value) else value)
        for name, value in data().items()
    }
    given["L"] = given["x"]
    wanted = [list(terms) for terms in case.terms(**given)]
    found = np.atleast_1d(result.to_numpy() if hasattr(result, "to_numpy") else result).ravel()
    return [
        (
            abs(Fraction(float(value)) - sum(terms, Fraction(0))),
            (len(terms) + 8) * EPSILON * sum(map(abs, terms), Fraction(0)),
        )
        for value, terms in zip(found, wanted, strict=True)
    ]


@pytest.mark.sampled(16)
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_errors_are_those_of_a_sum(case: Case, block: int | None) -> None:
    for error, allowed in errors(case, run(case, block)):
        assert error <= allowed


@pytest.mark.sampled(6)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_errors_of_machine_code(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    for error, allowed in errors(case, run(case, None)):
        assert error <= allowed


@pytest.mark.parametrize("case", CASES[:2], ids=lambda case: case.name)
def test_fast_math_multiplies_out(case: Case) -> None:
    found = errors(case, run(case, None, fast_math=True))
    assert any(error > allowed for error, allowed in found)
