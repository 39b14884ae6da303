"""Joins as machine code, against the interpreter and against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo
from fuzzing.trial import Trial, Way

WAYS = [
    Way(block_sizes=(None,), compile="always", threads=(1,), whole=True),
    Way(block_sizes=(None,), compile="always", threads=(3,), whole=True),
    Way(block_sizes=(None, 3), compile="always", threads=(2,)),
]
PROGRAMS = [
    "+/[ x*y | (k,x) <- L, (j,y) <- M, j == k ]",
    "[ (k,x,y) | (k,x) <- L, (j,y) <- M, j == k, x > y ]",
    "[ (k, +/x, y.length) | (k,x) <- L, (j,y) <- M, j == k, group by k ]",
    "[ (k, x, +/[ y | (j,y) <- M, j == k ]) | (k,x) <- L ]",
    "[ (k, x, +/[ y | (j,y) <- M, j == k ], max/[ y | (j,y) <- M, j == k ]) | (k,x) <- L ]",
    "[ (x,y,z) | (k,x) <- L, (j,y) <- M, j == k, (i,z) <- M, i == j ]",
    "[ (x,y) | (k,x) <- L, (j,y) <- M, j == k, y == x ]",
    "[ (x, y) | (k,x) <- L, (j,y) <- M, j == -k ]",
]


def _inputs(left: int, right: int, keys: int, dtype: str) -> dict[str, Any]:
    draw = np.random.default_rng(left + right)

    def rows(count: int) -> list[tuple[Any, float]]:
        drawn = draw.integers(-keys, keys, count).astype(dtype).tolist()
        return list(zip(drawn, (draw.integers(0, 4, count) * 0.5).tolist(), strict=True))

    return {"L": rows(left), "M": rows(right)}


@pytest.mark.sampled(12)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(("name", "dtype"), [("Int", "int64"), ("Int8", "int8"), ("Float", "f4")])
def test_as_the_interpreter_says(program: str, name: str, dtype: str) -> None:
    text = f"input L: list[({name},Double)]; input M: list[({name},Double)]; {program}"
    for left, right, keys in [(0, 0, 1), (0, 5, 2), (5, 0, 2), (1, 1, 1), (40, 30, 5), (9, 30, 99)]:
        inputs = _inputs(left, right, keys, dtype)
        outcome = Trial(text, inputs).run(WAYS)
        assert outcome.verdict == "same", (inputs, outcome)


def test_nan_matches_nothing_and_zeros_match() -> None:
    keys = np.array([np.nan, 0.0, -0.0, 1.0, np.inf, -np.inf])
    text = """input L: list[(Double,Int)]; input M: list[(Double,Int)];
              [ (x,y) | (k,x) <- L, (j,y) <- M, j == k ]"""
    rows = list(zip(keys.tolist(), range(6), strict=True))
    inputs = {"L": rows, "M": rows}
    outcome = Trial(text, inputs).run(WAYS)
    assert outcome.verdict == "same", outcome


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize(("rows", "keys"), [(30_000, 7), (3_000, 1), (50_000, 10**6)])
def test_many_matches(rows: int, keys: int, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    draw = np.random.default_rng(3)
    k, j = draw.integers(0, keys, rows), draw.integers(0, keys, 200)
    x, y = np.arange(rows), np.arange(200)
    program = diablo.compile(
        """input L: list[(Int,Int)]; input M: list[(Int,Int)];
           ([ (x,y) | (k,x) <- L, (j,y) <- M, j == k ],
            +/[ x*y | (k,x) <- L, (j,y) <- M, j == k ])"""
    )
    pairs, total = program(L=(k, x), M=(j, y))
    left, right = pairs.to_numpy()
    order = np.lexsort((right, left))
    wanted = np.nonzero(k[:, None] == j[None, :]) if rows < 40_000 else _matches(k, j)
    np.testing.assert_array_equal(left[order], wanted[0])
    np.testing.assert_array_equal(right[order], wanted[1])
    assert total == (wanted[0] * wanted[1]).sum()


def _matches(left: Any, right: Any) -> tuple[Any, Any]:
    found = [(n, m) for m, key in enumerate(right) for n in np.flatnonzero(left == key)]
    pairs = np.array(sorted(found), np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


@pytest.mark.sampled(24)
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize(
    ("name", "dtype", "keys"),
    [
        ("Int", "i8", [5, -3, 0, 5, 2]),  # A place for each key,
        ("Int", "i8", [-(2**63), 2**63 - 1, 0, -1]),  # too far apart,
        ("Int", "i8", [-(2**63), 2 - 2**63, -(2**63)]),
        ("Int8", "i1", [-128, 127, 0, 127]),
        ("UInt64", "u8", [2**64 - 1, 2**64 - 3, 2**64 - 1]),
        ("UInt64", "u8", [2**64 - 1, 0]),
        ("Boolean", "?", [True, True]),
    ],
)
def test_integers_wherever_they_lie(
    name: str, dtype: str, keys: list[int], threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    right = np.array(keys, dtype)
    beside = [right.dtype.type(0)] if dtype == "?" else [right - 1, right + 1, right * 2]
    left = np.concatenate([right, *[np.atleast_1d(each) for each in beside]])
    x, y = np.arange(len(left)), np.arange(len(right))
    program = diablo.compile(
        f"""input L: list[({name},Int)]; input M: list[({name},Int)];
            ([ (x,y) | (k,x) <- L, (j,y) <- M, j == k ],
             [ (x, +/[ y+1 | (j,y) <- M, j == k ]) | (k,x) <- L ])"""
    )
    pairs, sums = program(L=(left, x), M=(right, y))
    equal = left[:, None] == right[None, :]
    assert sorted(pairs.to_list()) == list(zip(*np.nonzero(equal), strict=True))
    assert sorted(sums.to_list()) == list(enumerate((equal * (y + 1)).sum(axis=1).tolist()))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("factor", [1, 2**40 + 1])
def test_what_is_far_is_asked_for_and_found(
    factor: int, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys that lie close together, and keys with hashes; few of the rows on the left match."""
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    monkeypatch.setenv("DIABLO_THREADS", threads)
    draw = np.random.default_rng(8)
    right = draw.permutation(150_000)[:140_000]
    right[:3] = right[3]
    left = np.concatenate([draw.integers(-100, 200_000, 40_000), right[:4]])
    x, y = np.arange(len(left)), draw.integers(0, 100, len(right))
    program = diablo.compile(
        """input L: list[(Int,Int)]; input M: list[(Int,Int)];
           ([ (x,y) | (k,x) <- L, (j,y) <- M, j == k ],
            +/[ x*y | (k,x) <- L, x % 3 == 0, (j,y) <- M, j == k ],
            [ (x, +/[ y | (j,y) <- M, j == k ]) | (k,x) <- L ])"""
    )
    pairs, total, sums = program(L=(left * factor, x), M=(right * factor, y))
    found: dict[int, list[int]] = {}
    for key, value in zip(right.tolist(), y.tolist(), strict=True):
        found.setdefault(key, []).append(value)
    wanted = [(n, v) for n, key in enumerate(left.tolist()) for v in found.get(key, [])]
    assert sorted(pairs.to_list()) == sorted(wanted)
    assert total == sum(n * v for n, v in wanted if n % 3 == 0)
    assert sorted(sums.to_list()) == [
        (n, sum(found.get(k, []))) for n, k in enumerate(left.tolist())
    ]
