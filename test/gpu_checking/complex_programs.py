"""Programs with complex numbers for each way in which a device computes with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gpu_checking.random_inputs import (
    EXTENTS,
    SHAPES,
    Inputs,
    Named,
    bins_of,
    complex_numbers,
    sparse_matrices,
)


def complex_programs() -> Iterator[Named]:
    """A program for each way in which complex numbers are dealt out to threads."""
    for type, dtype in (("Complex128", np.complex128), ("Complex64", np.complex64)):
        vectors = [{"x": complex_numbers(dtype, n)} for n in EXTENTS]
        matrices = [{"A": complex_numbers(dtype, *shape)} for shape in SHAPES]
        vector = f"input x: vector[{type}]; var n = x.length;"
        matrix = f"input A: matrix[{type}]; var n = A.rows; var m = A.cols;"
        for name, body in {
            "points": "w*conj(w)/(w+2.5)-w",
            "magnitudes": "abs(w)+arg(w)",
            "roots and logarithms": "sqrt(w)+log(w+3)",
            "waves": "exp(w)*sin(w)+cosh(w)/tanh(w)",
            "angles": "asin(w)+acos(w)*atan(w)",
            "hyperbolic angles": "asinh(w)+acosh(w)*atanh(w)",
            "powers": "pow(w,w/(abs(w)+1.0))+exp2(w)",
            "differences from one": "expm1(w)*log1p(w)",
        }.items():
            text = f"{vector} tensor*(n)[ (i,{body}) | (i,w) <- x ];"
            yield f"{name} of {type}", text, vectors
        numbers = (
            "(+/[ w*w | (i,w) <- x ], +/[ abs(w) | (i,w) <- x ], */[ w/abs(w) | (i,w) <- x ]);"
        )
        yield f"folds of {type}", f"{vector} {numbers}", vectors[1:]
        normed = "var s = +/[ w*w | (i,w) <- x ]; tensor*(n)[ (i,w/s+s) | (i,w) <- x ];"
        yield f"a number of {type} that stays", f"{vector} {normed}", vectors[1:]
        bins = "input k: vector[Long]; input n: Int; tensor*(n)[ (j,+/w) | (i,j) <- k, (l,w) <- x,"
        given = [bins_of(m, n) for m in EXTENTS for n in (1, 7, 3000)]
        parts = [{**case, "x": (case["x"] * (1 - 2j)).astype(dtype)} for case in given]
        text = f"input x: vector[{type}]; {bins} l == i, group by j ];"
        yield f"bins of {type}", text, parts
        for name, text in {
            "sums of rows": "tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];",
            "sums of columns": "tensor*(m)[ (j,+/a) | ((i,j),a) <- A, group by j ];",
            "stencil": "tensor*(n,m)[ ((i,j),A[(i+1)%n,j]*a-A[i,(j-1+m)%m]) | ((i,j),a) <- A ];",
            "products": "A @ A.t;",
        }.items():
            yield f"{name} of {type}", f"{matrix} {text}", matrices
        sums = "tensor*(n)[ (i,+/[ w | (j,w) <- x, j <= i ]) | i <- 0..n-1 ];"
        yield f"running sums of {type}", f"{vector} {sums}", vectors
        yield from _rows(type, dtype)
        yield from _sparse(type, dtype)


def _rows(type: str, dtype: Any) -> Iterator[Named]:
    table = f"input V: list[(Int,{type})];"
    numbers = [(n, complex_numbers(dtype, n)) for n in EXTENTS[1:]]
    given = [{"V": (np.arange(n) * 7 % 13, values)} for n, values in numbers]
    for name, text in {
        "filter of rows": "[ (k,v*v) | (k,v) <- V, abs(v) > 1.0 ];",
        "groups": "[ (k,+/w,count/w) | (k,v) <- V, let w = v*conj(v), group by k ];",
        "groups by far keys": "[ (l,+/v) | (k,v) <- V, let l = k*1000000007, group by l ];",
        "fold of rows": "+/[ v*exp(v) | (k,v) <- V, k%3 != 0 ];",
    }.items():
        yield f"{name} of {type}", f"{table} {text}", given


def _sparse(type: str, dtype: Any) -> Iterator[Named]:
    given: list[Inputs] = []
    for case in sparse_matrices():
        matrix = case["A"].astype(dtype)
        matrix.data *= dtype(1 - 2j)
        given.append({"A": matrix, "x": complex_numbers(dtype, matrix.shape[1])})
    head = f"input A: matrix[{type}]; input x: vector[{type}]; var n = A.rows; var m = A.cols;"
    for name, text in {
        "sparse matrix and vector": "A @ x;",
        "sum of a sparse matrix": "+/[ a*a+1.0 | ((i,j),a) <- A ];",
        "points of a sparse matrix": "tensor(n)(m)[ ((i,j),exp(a)*x[j]) | ((i,j),a) <- A ];",
    }.items():
        yield f"{name} of {type}", f"{head} {text}", given
