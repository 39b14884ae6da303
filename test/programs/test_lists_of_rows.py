"""Lists within rows in machine code: groups that collect, loops over them, lists that rows make.

Each program is compared with the interpreter, without machine code, and with it on several threads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from counted_operations import operations

import diablo
from diablo.runtime.rows import collected_lists, compiled_rows
from fuzzing.trial import Trial, Way

NAN = math.nan
THREADS = (1, 2, 3)
WAYS = [
    Way(whole=True, block_sizes=(None, None), threads=THREADS, compile="always"),
    Way(whole=True, block_sizes=(None,), compile="never"),
    Way(block_sizes=(3,)),
]
ROWS = "input L: list[(Int,Double,String)]; "
LISTS = "input L: list[(Int,list[Double])]; "
PAIRS = "input L: list[(Int,list[(Int,Double)])]; "

GROUPS = [
    "[ (k, x) | (k,x,s) <- L, group by k ]",
    "[ (k, x, s) | (k,x,s) <- L, x > 0.0, group by k ]",
    "[ (s, k, x) | (k,x,s) <- L, group by s ]",
    "[ (x, k) | (k,x,s) <- L, group by x ]",
    "[ (a, b, x) | (k,x,s) <- L, group by (a,b): (k%2,s) ]",
    "[ (k, w) | (k,x,s) <- L, let w = (x,s), let y = x*2.0, group by k ]",
    "[ (k, x.length, [ y*y | y <- x, y > 0.0 ]) | (k,x,s) <- L, group by k ]",
    "[ (k, x[0], x[x.length-1]) | (k,x,s) <- L, group by k ]",
    "[ (k, +/[ (y-m)*(y-m) | y <- x ]/x.length) | (k,x,s) <- L, group by k, let m = +/x/x.length ]",
    "[ (k, [ y | y <- x, order by y desc, limit 2 ], [ y | y <- x ]) | (k,x,s) <- L, group by k ]",
    '[ (k, [ t | t <- s, t != "b" ], max/x) | (k,x,s) <- L, group by k ]',
    "[ (k, +/[ y*z | y <- x, z <- x, y < z ]) | (k,x,s) <- L, group by k ]",
    "[ (k, +/[ y*i | y <- x, i <- 1..k ]) | (k,x,s) <- L, group by k ]",
    "[ (k, [ (y, y > 1.0) | y <- x, y < 2.0 ]) | (k,x,s) <- L, group by k ]",
    "[ (k, if (k > 1) +/[ y | y <- x ] else 0.0) | (k,x,s) <- L, group by k ]",
]
NESTED = [
    "[ (k, +/[ x*x | x <- xs, x > 0.0 ]) | (k,xs) <- L ]",
    "[ (k, max/xs, xs.length) | (k,xs) <- L ]",
    "[ (k, x+1.0) | (k,xs) <- L, x <- xs ]",
    "[ (k, x+1.0) | (k,xs) <- L, x <- xs, x > 0.0 ]",
    "[ x | (k,xs) <- L, x <- xs ]",
    "+/[ x | (k,xs) <- L, x <- xs, x > 0.0 ]",
    "[ (k, +/x) | (k,xs) <- L, x <- xs, group by k ]",
    "[ (k, xs, +/[ x | x <- xs, x < 1.0*k ]) | (k,xs) <- L, k > 0 ]",
    "[ (k, [ 1.0/x | x <- xs, x != 0.0 ], [ x | x <- xs, x != 0.0 ]) | (k,xs) <- L, k != 1 ]",
    "[ (k, [ x+y | x <- xs, y <- xs, x < y ]) | (k,xs) <- L ]",
    "[ (k, +/[ +/[ y | y <- xs, y < x ] | x <- xs ]) | (k,xs) <- L ]",
    "[ (k, +/[ +/[ z | (j,zs) <- L, z <- zs, j < k ] | x <- xs ]) | (k,xs) <- L ]",
]
OF_PAIRS = [
    "[ (k, +/[ x | (j,x) <- xs, j == k ]) | (k,xs) <- L ]",
    "[ (k, [ (j+k, x) | (j,x) <- xs, x > 0.0 ]) | (k,xs) <- L ]",
    "[ (j, x) | (k,xs) <- L, (j,x) <- xs, j != k ]",
    "[ (k, max/[ j | (j,x) <- xs ]) | (k,xs) <- L ]",
]


def rows(count: int) -> dict[str, Any]:
    rng = np.random.default_rng(count)
    values = [0.0, -0.0, 1.5, -2.0, 3.0, NAN]
    return {
        "L": [
            (int(k), values[int(x)], "abc"[int(s)])
            for k, x, s in zip(*[rng.integers(0, n, count) for n in (4, 6, 3)], strict=True)
        ]
    }


def lists(count: int, *, pairs: bool = False) -> dict[str, Any]:
    rng = np.random.default_rng(count)

    def row(k: int) -> tuple[int, list[Any]]:
        values = [float(x) / 2 for x in rng.integers(-4, 5, int(rng.integers(0, 6)))]
        return k % 4, [(int(x) % 3, x) for x in values] if pairs else values

    return {"L": [row(k) for k in range(count)]}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("program", GROUPS)
def test_groups_that_collect(program: str) -> None:
    for count in (0, 1, 40):
        outcome = Trial(ROWS + program, rows(count)).run(WAYS)
        assert outcome.verdict == "same", (count, str(outcome))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("program", NESTED)
def test_lists_of_rows(program: str) -> None:
    for count in (0, 1, 30):
        outcome = Trial(LISTS + program, lists(count)).run(WAYS)
        assert outcome.verdict == "same", (count, str(outcome))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("program", OF_PAIRS)
def test_lists_of_pairs(program: str) -> None:
    outcome = Trial(PAIRS + program, lists(30, pairs=True)).run(WAYS)
    assert outcome.verdict == "same", str(outcome)


class Calls:
    """Runs programs with machine code from the first row on; `texts` are what was called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self._patch = monkeypatch
        self.texts: list[str] = []
        run = compiled_rows._run  # pyright: ignore[reportPrivateUsage]

        def noted(signature: Any, *arguments: Any) -> Any:
            self.texts.append(str(signature))
            return run(signature, *arguments)

        monkeypatch.setattr(compiled_rows, "_run", noted)
        monkeypatch.setenv("DIABLO_COMPILE", "always")

    def results(self, program: str, given: Any) -> list[Any]:
        """Return what a program returns, for each number of threads."""
        main = diablo.compile(program)
        results: list[Any] = []
        for threads in THREADS:
            self._patch.setenv("DIABLO_THREADS", str(threads))
            results.append(main(L=given).to_list())
        return results


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    return Calls(monkeypatch)


@pytest.mark.parametrize(
    ("program", "outputs"),
    [
        (ROWS + GROUPS[1], ["keyed_lists(i64;f64,row0.2)"]),
        (ROWS + GROUPS[2], ["keyed_lists(code0;i64,f64)"]),
        (ROWS + GROUPS[3], [" lists(f64;i64)"]),
        (ROWS + GROUPS[5], ["keyed_lists(i64;f64&row0.2)"]),
        (ROWS + GROUPS[6], ["keyed_lists(i64;f64)", "(i64,[f64]) -> placed(i64,i64,[f64])"]),
        (LISTS + NESTED[1], ["(i64,[f64]) -> placed(i64,f64,i64)"]),
        (LISTS + NESTED[2], ["(i64,[f64]) -> rows(i64,f64)"]),
        (LISTS + NESTED[7], ["(i64,[f64],row) -> some(i64,row0.1,f64)"]),
        (LISTS + NESTED[8], ["some(i64,[f64],[f64])"]),
        (PAIRS + OF_PAIRS[3], ["(i64,[i64;-]) -> placed(i64,i64)"]),
    ],
)
def test_machine_code(calls: Calls, program: str, outputs: Sequence[str]) -> None:
    given = rows(40) if program.startswith(ROWS) else lists(30, pairs=program.startswith(PAIRS))
    calls.results(program, given["L"])
    for output in outputs:
        assert any(output in text for text in calls.texts), (output, calls.texts)


@pytest.mark.parametrize("keys", [1, 50, 10**5, 10**12])
def test_many_rows(calls: Calls, keys: int) -> None:
    """Tables of keys that lie close together, hash tables of others, and parts of many keys."""
    rng = np.random.default_rng(keys)
    count = 400_000
    k, x = rng.integers(-keys, keys, count), rng.random(count)
    main = diablo.compile(
        "input L: list[(Int,Double)]; [ (k, x) | (k,x) <- L, x > 0.5, group by k ]"
    )
    kept = x > 0.5
    order = np.argsort(k[kept], kind="stable")
    for threads in THREADS:
        calls._patch.setenv("DIABLO_THREADS", str(threads))  # pyright: ignore[reportPrivateUsage]
        found, groups = main(L=(k, x)).to_numpy()
        by_key = np.argsort(found)
        assert (found[by_key] == np.unique(k[kept])).all()
        values = np.concatenate([groups[g][0] for g in by_key.tolist()])
        assert (values == x[kept][order]).all()
    assert any("keyed_lists(i64;f64)" in text for text in calls.texts)


def test_rows_for_which_there_is_no_room(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns of keys, of groups' rows and of items are enlarged while rows are gone through."""
    monkeypatch.setattr(compiled_rows, "FIRST_GROUPS", 2)
    one = collected_lists.GrowingColumns

    def small(dtypes: Any, room: int) -> collected_lists.GrowingColumns:
        return one(dtypes, 1)

    monkeypatch.setattr(collected_lists, "GrowingColumns", small)
    monkeypatch.setattr(compiled_rows, "GrowingColumns", small)
    given = [(k % 37, float(k), "a") for k in range(300)]
    wanted = {k: [float(v) for v in range(k, 300, 37)] for k in range(37)}
    for found in calls.results(ROWS + GROUPS[0], given):
        assert dict(found) == wanted
    program = LISTS + "[ (k, [ x+1.0 | x <- xs, x > 99.0 ]) | (k,xs) <- L ]"
    for found in calls.results(program, list(wanted.items())):
        assert dict(found) == {k: [x + 1 for x in xs if x > 99] for k, xs in wanted.items()}


@pytest.mark.parametrize(
    "program",
    [
        ROWS + "[ (k, +/[ (y-m)*(y-m) | y <- x ]) | (k,x,s) <- L, group by k, let m = +/x ]",
        ROWS + "[ (k, [ y*y | y <- x, y > 0.0 ]) | (k,x,s) <- L, group by k ]",
    ],
)
def test_four_times_as_many_rows_are_four_times_the_work(program: str) -> None:
    """Each item is looked at once: no rows are numbered, paired or joined."""
    passes = ["convert-diablo-to-comprehension", "expand-reads", "comprehension-normalize"]
    passes += ["convert-comprehension-to-tensor-block", "canonicalize", "cse", "dce"]
    few, many = (operations(program, rows(count), passes) for count in (50, 200))
    for found, count in ((few, 50), (many, 200)):
        assert found["arith.mulf"] <= count
        assert not found["tensor_block.join"]
        assert not found["tensor_block.unnest"]
    assert many.total() <= 5 * few.total()
