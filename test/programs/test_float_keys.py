"""Floats as keys: every NaN is one key, -0.0 is 0.0, and `==` joins neither NaN with anything."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import diablo
from fuzzing.comparison import difference, plain
from fuzzing.trial import Trial, Way

NAN = math.nan
OTHER_NAN = np.array([0xFFF8000000000007], np.uint64).view(np.float64)[0]
"""A NaN with other bits than NumPy's."""
L = [(NAN, 1.0), (0.0, 2.0), (-0.0, 3.0), (OTHER_NAN, 4.0), (1.0, 5.0), (-NAN, 6.0)]
R = [(NAN, 10.0), (0.0, 20.0), (-0.0, 30.0), (1.0, 50.0)]
LIST, LISTS = (
    "input L: list[(Double,Double)];",
    "input L: list[(Double,Double)]; input R: list[(Double,Double)];",
)
SUMS = "var M: map[Double,Double] = map(); for (k,v) in L do M[k] += v;"

PROGRAMS: dict[str, tuple[str, Any]] = {
    "groups": (
        LIST + "[ (k,+/v,v.length) | (k,v) <- L, group by k ]",
        [(0.0, 5.0, 2), (1.0, 5.0, 1), (NAN, 11.0, 3)],
    ),
    "groups by several keys": (
        LIST + "[ (k,j,+/v) | (k,v) <- L, let j = 1, group by (k,j) ]",
        [(0.0, 1, 5.0), (1.0, 1, 5.0), (NAN, 1, 11.0)],
    ),
    "groups as lists": (
        LIST + "[ (k,[ x | x <- v ].length) | (k,v) <- L, group by k ]",
        [(0.0, 2), (1.0, 1), (NAN, 3)],
    ),
    "groups of groups": (
        LIST + "[ (j,[ k | (k,w) <- g, group by k ].length) "
        "| (k,v) <- L, let g = (k,v), let j = 1, group by j ]",
        [(1, 3)],
    ),
    "groups of narrow floats": (
        "input x: vector[Float]; [ (k,v.length) | (i,k) <- x, let v = i, group by k ]",
        [(0.0, 2), (1.0, 1), (NAN, 3)],
    ),
    "a map": (
        LIST + SUMS + "(M.length, [ (k,v) | (k,v) <- M ])",
        (3, [(0.0, 5.0), (1.0, 5.0), (NAN, 11.0)]),
    ),
    "a map of tuples": (
        LIST + "var M: map[(Double,Int),Double] = map(); for (k,v) in L do M[(k,1)] += v;"
        "[ (k,v) | (k,v) <- M ]",
        [(0.0, 1, 5.0), (1.0, 1, 5.0), (NAN, 1, 11.0)],
    ),
    "writing to a map": (
        LIST + SUMS + "var z = 0.0; M[0.0/z] = 7.0; M[-z] = 9.0; M[0.0/z] += 1.0;"
        "[ (k,v) | (k,v) <- M ]",
        [(0.0, 9.0), (1.0, 5.0), (NAN, 8.0)],
    ),
    "reading a map": (
        LIST + SUMS + "[ (v,M[k]) | (k,v) <- L ]",
        [(2.0, 5.0), (3.0, 5.0), (5.0, 5.0)],
    ),
    "a join": (
        LISTS + "[ (v,w) | (k,v) <- L, (kk,w) <- R, kk == k ]",
        [(2.0, 20.0), (2.0, 30.0), (3.0, 20.0), (3.0, 30.0), (5.0, 50.0)],
    ),
    "a join of groups": (
        LISTS + "[ (k,+/v,+/w) | (k,v) <- L, (kk,w) <- R, kk == k, group by k ]",
        [(0.0, 10.0, 100.0), (1.0, 5.0, 50.0)],
    ),
    "a join of a map with itself": (
        LIST + SUMS + "[ (k,v,w) | (k,v) <- M, (kk,w) <- M, kk == k ]",
        [(0.0, 5.0, 5.0), (1.0, 5.0, 5.0)],
    ),
    "a nested sum": (
        LISTS + "[ (v,+/[ w | (kk,w) <- R, kk == k ]) | (k,v) <- L ]",
        [(1.0, 0.0), (2.0, 50.0), (3.0, 50.0), (4.0, 0.0), (5.0, 50.0), (6.0, 0.0)],
    ),
}

EQUAL = [
    "[ (1.0/k,1.0/kk,v,w) | (k,v) <- L, (kk,w) <- R, k == kk ]",
    "[ (v,[ (1.0/kk,w) | (kk,w) <- R, kk == k ]) | (k,v) <- L ]",
    "[ (v,+/[ 1.0/kk | (kk,w) <- R, kk == k ]) | (k,v) <- L ]",
    "[ (v,w) | (k,v) <- L, (kk,w) <- R, k == kk+1.0, v < w ]",
    "[ (v,w) | (k,v) <- L, (kk,w) <- R, (k,v) == (kk,w/10.0) ]",
    "[ (1.0/k,+/v,+/w) | (k,v) <- L, (kk,w) <- R, k == kk, group by k ]",
    SUMS + "[ (1.0/k,m,w) | (kk,w) <- R, (k,m) <- M, k == kk ]",
]
"""Joins in which each side keeps its own zero."""


@pytest.mark.sampled(16)
@pytest.mark.parametrize("query", EQUAL)
def test_joins_are_the_interpreters(query: str) -> None:
    text = LISTS + query
    ways = [
        Way(block_sizes=(None, 1, 3, 7), compile=mode, threads=(1, 2))
        for mode in ("auto", "always")
    ]
    outcome = Trial(text, inputs(text)).run(ways)
    assert outcome.verdict == "same", outcome


@pytest.mark.parametrize("block", [None, 512])
def test_rows_of_nan_are_not_paired(block: int | None) -> None:
    keys = np.full(5000, np.nan)
    keys[[7, 11]] = 1.0, 2.0
    rows = list(zip(keys.tolist(), range(5000), strict=True))
    text = "input L: list[(Double,Int)]; [ (v,w) | (k,v) <- L, (kk,w) <- L, k == kk ]"
    program = diablo.compile(text, block_size=block, memory="100m")
    assert sorted(program(L=rows)) == [(7, 7), (11, 11)]


def test_equal_floats_are_joined_by_their_keys() -> None:
    program = diablo.compile(LISTS + EQUAL[0])
    program(**inputs(LISTS))
    assert "%L[0], %R[0]" in program.ir("tensor_block")


def inputs(text: str) -> dict[str, Any]:
    given = {"L": L, "R": R, "x": np.array([key for key, _ in L], np.float32)}
    return {name: value for name, value in given.items() if f"input {name}:" in text}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_keys(name: str) -> None:
    text, wanted = PROGRAMS[name]
    results = [Trial(text, inputs(text)).expected()]
    for block in (None, 1, 3, 7):
        result = diablo.compile(text, block_size=block)(**inputs(text))
        results.append(plain(result if isinstance(result, tuple) else (result,)))
    for result in results:
        parts = wanted if isinstance(wanted, tuple) else (wanted,)
        assert difference(result, plain(parts)) is None


@pytest.mark.parametrize("block", [None, 1, 3])
def test_zero_as_a_key_has_no_sign(block: int | None) -> None:
    text = LIST + "[ (k,v.length) | (k,v) <- L, group by k ]"
    rows = diablo.compile(text, block_size=block)(L=[(-0.0, 1.0), (-0.0, 2.0)])
    assert [math.copysign(1.0, key) for key, _ in rows] == [1.0]


@pytest.mark.parametrize("block", [None, 3])
def test_no_map_is_read_at_nan(block: int | None) -> None:
    text = LIST + SUMS + "var z = 0.0; M[0.0/z]"
    with pytest.raises(diablo.RunError, match="the map has no such key"):
        diablo.compile(text, block_size=block)(L=L)


def test_a_map_of_the_caller() -> None:
    program = diablo.compile("input M: map[Double,Int]; [ (k,v) | (k,v) <- M ]")
    found = program(M={-0.0: 1, NAN: 2, float("nan"): 3}).to_list()
    assert difference(plain(found), plain([(0.0, 1), (NAN, 3)])) is None
