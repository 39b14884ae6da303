"""Zeros of sparse arrays times infinity and NaN: zero, wherever and however that is computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import diablo
from fuzzing.comparison import difference, plain
from fuzzing.trial import Trial

INFINITY, NAN = np.inf, np.nan
S = np.array([[0, 2.0, 0, 0], [0, 0, 0, 3.0], [1.0, 0, 0, 0]])
D = np.array([[INFINITY, 1, NAN, 4], [1, -INFINITY, 2, INFINITY], [3, NAN, INFINITY, 1]])
V = np.array([INFINITY, 1.0, NAN, 2.0])
PRODUCT = np.array([[0, 2.0, 0, 0], [0, 0, 0, INFINITY], [3.0, 0, 0, 0]])
INPUTS = "input S: matrix[Double]; input D: matrix[Double]; input v: vector[Double];"
BOTH = "((i,j),s) <= S, ((k,l),d) <= D, k == i, l == j"
STORED = BOTH.replace("<= S", "<- S")
ALL = "i <- 0..2, j <- 0..3"

PROGRAMS: dict[str, tuple[str, Any]] = {
    "a product": ("S*D", PRODUCT),
    "a product from the right": ("D*S", PRODUCT),
    "infinity": ("S*(1.0/0.0)", np.where(S == 0, 0, INFINITY)),
    "an infinite variable": ("S*v[0]", np.where(S == 0, 0, INFINITY)),
    "stored elements": (f"tensor*()(3,4)[ ((i,j),s*d) | {STORED} ]", PRODUCT),
    "every element": (f"tensor*(3,4)[ ((i,j),s*d) | {BOTH} ]", PRODUCT),
    "products that are added to": (
        f"tensor*(3,4)[ ((i,j),S[i,j]*D[i,j]+1.0) | {ALL} ]",
        PRODUCT + 1,
    ),
    "products of three": (f"tensor*(3,4)[ ((i,j),D[i,j]*S[i,j]*v[j]+1.0) | {ALL} ]", None),
    "in a branch": (
        f"tensor*(3,4)[ ((i,j),if (i > 0) S[i,j]*D[i,j]+1.0 else 2.0) | {ALL} ]",
        np.where([[0], [1], [1]], PRODUCT + 1, 2.0),
    ),
    "in a condition": (
        f"tensor*(3,4)[ ((i,j),if (S[i,j]*D[i,j] == 0.0) 1.0 else 2.0) | {ALL} ]",
        np.where(PRODUCT == 0, 1.0, 2.0),
    ),
    "a difference": (f"tensor*(3,4)[ ((i,j),S[i,j]*D[i,j]-D[j%3,i]) | {ALL} ]", None),
    "a list": (
        f"[ (i,j,S[i,j]*D[i,j]) | {ALL} ]",
        [(i, j, PRODUCT[i, j]) for i in range(3) for j in range(4)],
    ),
    "a matrix and a vector": ("S @ v", np.array([2.0, 6.0, INFINITY])),
    "two matrices": ("D @ S.t", None),
    "a loop": (
        "var w = tensor*(3)[ (i,0.0) | i <- 0..2 ];"
        "for i = 0, 2 do for j = 0, 3 do w[i] += S[i,j]*v[j]; w",
        np.array([2.0, 6.0, INFINITY]),
    ),
    "groups": (
        f"tensor*(3)[ (i,max/x) | {BOTH}, let x = s*d, group by i ]",
        np.array([2.0, INFINITY, 3.0]),
    ),
    "sums in a list": (
        "[ (i,+/[ S[i,j]*v[j] | j <- 0..3 ]) | i <- 0..2 ]",
        [(0, 2.0), (1, 6.0), (2, INFINITY)],
    ),
    "a total": (f"+/[ s*d | {BOTH} ]", INFINITY),
    "a greatest one": (f"max/[ s*d | {BOTH} ]", INFINITY),
    "a total in a loop": (
        "var t = 0.0; for i = 0, 2 do for j = 0, 3 do t += S[i,j]*D[i,j]; t",
        INFINITY,
    ),
    "an update with products": (
        "var A = D; for i = 0, 2 do for j = 0, 3 do A[i,j] += S[i,j]*D[i,j]; A",
        D + PRODUCT,
    ),
    "an update by factors": (
        "var A = D; for i = 0, 2 do for j = 0, 3 do A[i,j] *= S[i,j]; A",
        PRODUCT,
    ),
    "an update of a sparse array": (
        "var A = S; for i = 0, 2 do for j = 0, 3 do A[i,j] *= D[i,j]; A",
        PRODUCT,
    ),
    "one element": ("S[0,0]*D[0,0]", 0.0),
    "a division by zero": ("S/0.0", np.where(S == 0, 0, INFINITY)),
    "functions of zeros": ("sqrt(S)*v[2]", np.where(S == 0, 0, NAN)),
}


E = np.array([[INFINITY, 0, 2.0, 0], [0, NAN, 0, 4.0], [-INFINITY, 0, 0, 5.0]])
F = np.array([[0, INFINITY, 3.0, 0], [0, 0, NAN, 2.0], [1.0, 0, NAN, 0]])
ELEMENTS = np.array([[0, 0, 6.0, 0], [0, 0, 0, 8.0], [-INFINITY, 0, 0, 0]])
TWO = "input E: matrix[Double]; input F: matrix[Double];"
PAIRS = "((i,j),e) <- E, ((k,l),f) <- F, k == i, l == j"

PRODUCTS: dict[str, tuple[str, Any]] = {
    "elements": ("E*F", ELEMENTS),
    "elements of both": (f"tensor*()(3,4)[ ((i,j),e*f) | {PAIRS} ]", ELEMENTS),
    "elements and a factor": ("2.0*E*F", 2 * ELEMENTS),
    "three": ("E*F*E", None),
    "a total": (f"+/[ e*f | {PAIRS} ]", -INFINITY),
    "a greatest one": (f"max/[ e*f | {PAIRS} ]", None),
    "rows": (
        f"tensor*(3)[ (i,+/x) | {PAIRS}, let x = e*f, group by i ]",
        np.array([6.0, 8.0, -INFINITY]),
    ),
    "columns": (f"tensor*(4)[ (j,+/x) | {PAIRS}, let x = e*f, group by j ]", None),
    "beside the point": ("+/[ e*f | ((i,j),e) <- E, ((k,l),f) <- F, k == i+1, l == j ]", None),
    "a loop": (
        "var t = 0.0; for i = 0, 2 do for j = 0, 3 do t += E[i,j]*F[i,j]; t",
        -INFINITY,
    ),
    "a product of matrices": ("E @ F.t", None),
    "a transposed one": ("+/[ e*f | ((i,j),e) <- E, ((j2,i2),f) <- F.t, i2 == i, j2 == j ]", None),
}
"""Of two sparse arrays, which store infinities where the other one stores nothing."""


def inputs(text: str) -> dict[str, Any]:
    given = {"S": sparse.csr_array(S), "D": D, "v": V}
    given |= {"E": sparse.csr_array(E), "F": sparse.csr_array(F)}
    return {name: value for name, value in given.items() if f"input {name}:" in text}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", PROGRAMS)
def test_zero_times_anything_is_zero(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, wanted = PROGRAMS[name]
    compare(INPUTS + text, wanted, monkeypatch)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", PRODUCTS)
def test_what_two_sparse_arrays_do_not_both_store_is_zero(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, wanted = PRODUCTS[name]
    compare(TWO + text, wanted, monkeypatch)


def compare(text: str, wanted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare the interpreter, block sizes, layouts and machine code, and what is wanted."""
    interpreted = Trial(text, inputs(text)).expected()
    if wanted is not None:
        assert difference(interpreted, plain((wanted,))) is None

    def check(**options: Any) -> None:
        found = diablo.compile(text, **options)(**inputs(text))
        assert difference(plain((found,)), interpreted) is None, options

    for block in (None, 1, 3, 7):
        check(block_size=block)
    for form in ("compressed", "coordinates", "band", "bitmap", "full"):
        check(layout=f"form = {form}")
    for mode in ("always", "never"):
        monkeypatch.setenv("DIABLO_COMPILE", mode)
        check()
