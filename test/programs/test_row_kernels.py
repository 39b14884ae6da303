"""Programs over rows whose kernels are machine code: as NumPy computes, on one thread and more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

import diablo
from diablo.runtime.rows import compiled_rows
from diablo.scalar_table import BY_NAME, SCALARS

THREADS = (1, 2, 3)
INTEGERS = [row.name for row in SCALARS if row.is_integer]
PAIRS = "input L: list[(Int,Double)];"
NAN = math.nan

Columns = Sequence[Any]


class Runs:
    """Runs programs with machine code from the first row on; `signatures` are what was called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self._patch = monkeypatch
        self.signatures: list[str] = []
        run = compiled_rows._run  # pyright: ignore[reportPrivateUsage]

        def noted(signature: Any, *arguments: Any) -> Any:
            self.signatures.append(str(signature))
            return run(signature, *arguments)

        monkeypatch.setattr(compiled_rows, "_run", noted)
        monkeypatch.setenv("DIABLO_COMPILE", "always")

    def results(self, program: str, **inputs: Any) -> list[Any]:
        """Return what a program returns, for each number of threads."""
        main = diablo.compile(program)
        results: list[Any] = []
        for threads in THREADS:
            self._patch.setenv("DIABLO_THREADS", str(threads))
            results.append(main(**inputs))
            columns = getattr(results[-1], "to_numpy", None)
            if columns is not None:
                columns()  # Now, with so many threads.
        return results

    def check(self, program: str, wanted: Any, *outputs: str, **inputs: Any) -> None:
        """Compare the result with what NumPy says; some kernel makes each of the outputs."""
        self.signatures.clear()
        for found in self.results(program, **inputs):
            same(found, wanted)
        made = [signature.partition("->")[2] for signature in self.signatures]
        for output in outputs:
            assert any(output in text for text in made), (output, self.signatures)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(monkeypatch)


def same(found: Any, wanted: Any) -> None:
    """Check a number, an array, or columns of rows, whose order counts for nothing."""
    if isinstance(wanted, tuple):
        columns, others = in_order(found.to_numpy()), in_order(cast("Columns", wanted))
        for column, other in zip(columns, others, strict=True):
            assert column.dtype == other.dtype
            close(column, other)
    else:
        close(np.asarray(found), np.asarray(wanted))


def close(found: Any, wanted: Any) -> None:
    """Check integers exactly, and floats as far as sums in another order differ."""
    assert found.shape == wanted.shape
    if wanted.dtype.kind == "f":
        np.testing.assert_allclose(found, wanted, rtol=1e-6 if wanted.dtype.itemsize < 8 else 1e-9)
    else:
        assert (found == wanted).all()


def in_order(columns: Columns) -> list[Any]:
    """Columns by their rows in ascending order, NaN last."""
    arrays = [np.asarray(column) for column in columns]
    order = np.lexsort(arrays[::-1])
    return [array[order] for array in arrays]


def pairs(count: int, keys: int, seed: int = 3) -> tuple[Any, Any]:
    """So many keys with numbers from -1 to 1."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, keys, count), rng.random(count) * 2 - 1


def grouped(keys: Any, values: Any, fold: np.ufunc = np.add) -> tuple[Any, Any]:
    """The distinct keys, and the values of each folded."""
    distinct, codes = np.unique(keys, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(len(distinct)))
    dtype = np.asarray(values).dtype
    if not len(distinct):
        return distinct, np.zeros(0, dtype)
    return distinct, fold.reduceat(np.asarray(values)[order], starts, dtype=dtype)


SIZES = (0, 1, 2, 7, 1000)


@pytest.mark.parametrize("count", SIZES)
def test_filters(runs: Runs, count: int) -> None:
    k, x = pairs(count, 9)
    for condition, kept in (
        ("x > 0.0", x > 0),
        ("x > 5.0", x > 5),
        ("x < 5.0", x < 5),
        ("k % 2 == 0, x*x > 0.25", (k % 2 == 0) & (x * x > 0.25)),
        ("k < 3 || !(x > 0.5)", (k < 3) | ~(x > 0.5)),
    ):
        program = f"{PAIRS} [ (k,x) | (k,x) <- L, {condition} ]"
        runs.check(program, (k[kept], x[kept]), "some(i64,f64)", L=(k, x))


def test_filters_keep_the_order(runs: Runs) -> None:
    k, x = pairs(5000, 9)
    for found in runs.results(f"{PAIRS} [ (x,k+1) | (k,x) <- L, x > 0.0 ]", L=(k, x)):
        values, keys = found.to_numpy()
        np.testing.assert_array_equal(values, x[x > 0])
        np.testing.assert_array_equal(keys, k[x > 0] + 1)


@pytest.mark.parametrize("count", SIZES)
def test_rows_computed_of_rows(runs: Runs, count: int) -> None:
    k, x = pairs(count, 9)
    program = f"{PAIRS} [ (x*2.0, k, k+k, sqrt(abs(x))) | (k,x) <- L ]"
    wanted = x * 2.0, k, k + k, np.sqrt(abs(x))
    runs.check(program, wanted, "placed(", L=(k, x))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("count", SIZES)
def test_folds(runs: Runs, count: int) -> None:
    k, x = pairs(count, 9)
    kept = x > 0
    for term, fold, wanted in (
        ("x", "+", x[kept].sum()),
        ("k", "+", k[kept].sum()),
        ("x", "max", x[kept].max(initial=-math.inf)),
        ("x", "min", x[kept].min(initial=math.inf)),
        ("k", "max", k[kept].max(initial=-(2**63))),
        ("k+1", "*", np.multiply.reduce(k[kept] + 1)),
        ("k == 3", "||", (k[kept] == 3).any()),
        ("k < 9", "&&", (k[kept] < 9).all()),
    ):
        program = f"{PAIRS} {fold}/[ {term} | (k,x) <- L, x > 0.0 ]"
        runs.check(program, wanted, "(", L=(k, x))
    runs.check(f"{PAIRS} [ x | (k,x) <- L, x > 0.0 ].length", kept.sum(), "i64(add)", L=(k, x))


def test_nan_is_the_greatest_and_the_least(runs: Runs) -> None:
    x = np.array([1.0, NAN, -3.0, math.inf, -0.0, NAN] * 50)
    k = np.arange(300) % 3
    for fold, ufunc in (("max", np.maximum), ("min", np.minimum)):
        runs.check(f"{PAIRS} {fold}/[ x | (k,x) <- L ]", ufunc.reduce(x), "f64(m", L=(k, x))
        program = f"{PAIRS} [ (k,{fold}/x) | (k,x) <- L, group by k ]"
        runs.check(program, grouped(k, x, ufunc), "keyed(", L=(k, x))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", INTEGERS)
def test_groups_by_integers(runs: Runs, name: str) -> None:
    dtype = np.dtype(BY_NAME[name].dtype)
    limits, rng = np.iinfo(dtype), np.random.default_rng(7)
    program = f"input L: list[({name},Int)]; [ (k,+/x) | (k,x) <- L, group by k ]"
    x = rng.integers(-100, 100, 600)
    for low, high in (
        (limits.min, limits.max),
        (limits.max - 5, limits.max),
        (limits.min, limits.min + 5),
    ):
        k = rng.integers(low, high, 600, dtype, endpoint=True)
        runs.check(program, grouped(k, x), "keyed(", L=(k, x))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", INTEGERS)
def test_values_of_integers_wrap_around(runs: Runs, name: str) -> None:
    dtype = np.dtype(BY_NAME[name].dtype)
    limits, rng = np.iinfo(dtype), np.random.default_rng(8)
    k = rng.integers(0, 5, 400)
    x = rng.integers(limits.min, limits.max, 400, dtype, endpoint=True)
    declared = f"input L: list[(Int,{name})];"
    sums, most = grouped(k, x), grouped(k, x, np.maximum)
    least, products = grouped(k, x, np.minimum), grouped(k, x, np.multiply)
    program = declared + "[ (k,+/x,max/x,min/x,*/x) | (k,x) <- L, group by k ]"
    wanted = (*sums, most[1], least[1], products[1])
    runs.check(program, wanted, "keyed(", L=(k, x))
    total = np.add.reduce(x, dtype=dtype)
    runs.check(declared + "+/[ x | (k,x) <- L ]", total, "(add)", L=(k, x))


@pytest.mark.parametrize("name", ["Float", "Double"])
def test_groups_by_floats(runs: Runs, name: str) -> None:
    dtype = np.dtype(BY_NAME[name].dtype)
    special = np.array([NAN, -NAN, 0.0, -0.0, math.inf, -math.inf, 1.5, -2.25, 1e-40], dtype)
    rng = np.random.default_rng(9)
    k = rng.choice(special, 700)
    x = rng.integers(0, 9, 700)
    program = f"input L: list[({name},Int)]; [ (k,+/x) | (k,x) <- L, group by k ]"
    runs.check(program, grouped(k + dtype.type(0), x), "groups(", L=(k, x))


def test_groups_by_booleans(runs: Runs) -> None:
    k, x = pairs(300, 2)
    program = "input L: list[(Boolean,Double)]; [ (k,+/x) | (k,x) <- L, group by k ]"
    runs.check(program, grouped(k > 0, x), "keyed(i1;", L=(k > 0, x))


def test_groups_by_several_keys(runs: Runs) -> None:
    rng = np.random.default_rng(10)
    a, b = rng.integers(-3, 3, 900), rng.choice([NAN, 0.0, -0.0, 2.0], 900)
    c, x = rng.integers(0, 2, 900) > 0, rng.integers(0, 100, 900)
    declared = "input L: list[(Int,Double,Boolean,Int)];"
    clean = np.nan_to_num(b, nan=9.0) + 0.0
    for keys, columns, output in (
        (("a", "b"), (a, clean), "groups(i64,f64;"),
        (("b", "a", "c"), (clean, a, c), "groups(f64,i64,i1;"),
        (("c", "a"), (c, a), "keyed(i1,i64;"),
    ):
        names = ",".join(keys)
        program = f"{declared} [ ({names},+/x,x.length) | (a,b,c,x) <- L, group by ({names}) ]"
        table = np.stack([column.astype(float) for column in columns])
        distinct, codes = np.unique(table, axis=1, return_inverse=True)
        sums = np.bincount(codes.ravel(), x, distinct.shape[1]).astype(int)
        counts = np.bincount(codes.ravel(), minlength=distinct.shape[1])
        wanted = [
            np.where(row == 9.0, NAN, row) if name == "b" else row.astype(column.dtype)
            for name, row, column in zip(keys, distinct, columns, strict=True)
        ]
        runs.check(program, (*wanted, sums, counts), output, L=(a, b, c, x))


@pytest.mark.parametrize(("name", "keys"), [("String", ["a", "bc", ""]), ("Char", ["a", "b"])])
def test_groups_by_text(runs: Runs, name: str, keys: list[str]) -> None:
    program = f"input L: list[({name},Int)]; [ (k,+/x) | (k,x) <- L, group by k ]"
    rows = [(keys[n % len(keys)], n) for n in range(20)]
    wanted = sorted((k, sum(x for key, x in rows if key == k)) for k in keys)
    for found in runs.results(program, L=rows):
        assert sorted(found.to_list()) == wanted
    assert runs.signatures


def test_every_monoid_of_groups(runs: Runs) -> None:
    rng = np.random.default_rng(11)
    k, i = rng.integers(0, 40, 800), rng.integers(-50, 50, 800)
    b = rng.random(800) < 0.8
    program = (
        "input L: list[(Int,Int,Boolean)];"
        "[ (k,+/i,*/i,max/i,min/i,&&/b,||/b,i.length) | (k,i,b) <- L, group by k ]"
    )
    folds = (np.add, np.multiply, np.maximum, np.minimum)
    wanted = [grouped(k, i, fold) for fold in folds]
    either = [grouped(k, b, fold)[1] for fold in (np.logical_and, np.logical_or)]
    count = grouped(k, np.ones_like(k))[1]
    runs.check(
        program,
        (wanted[0][0], *[values for _, values in wanted], *either, count),
        "keyed(i64;i64:add",
        L=(k, i, b),
    )


def test_the_last_row_of_a_key_counts(runs: Runs) -> None:
    k, x = pairs(2000, 50)
    program = f"{PAIRS} var M: map[Int,Double] = map(); for (k,x) in L do M[k] = x; M"
    wanted = dict(zip(k.tolist(), x.tolist(), strict=True))
    for found in runs.results(program, L=(k, x)):
        assert found.to_dict() == wanted


def test_a_reduction_of_the_programs_own(runs: Runs) -> None:
    k, x = pairs(700, 50)
    program = (
        PAIRS + "monoid farther(Double) = (0.0, (a,b) => if (abs(a) >= abs(b)) a else b);"
        "(farther/[ x | (k,x) <- L, k < 25 ])"
    )
    kept = x[k < 25]
    runs.check(program, kept[np.argmax(abs(kept))], "f64()", L=(k, x))


@pytest.mark.parametrize("few", [10, 70_000])
def test_many_rows(runs: Runs, few: int) -> None:
    k, x = pairs(400_000, few)
    program = f"{PAIRS} [ (k,+/x,x.length) | (k,x) <- L, x > -0.5, group by k ]"
    kept = x > -0.5
    sums, counts = grouped(k[kept], x[kept]), grouped(k[kept], np.ones_like(k[kept]))
    runs.check(program, (*sums, counts[1]), "keyed(", L=(k, x))


def test_many_keys_of_any_size(runs: Runs) -> None:
    """The first rows have few keys, so that there is a table, and later ones any."""
    rng = np.random.default_rng(12)
    k = rng.integers(-(2**62), 2**62, 400_000)
    k[: compiled_rows.SAMPLE] %= 10
    k[-10:] = [2**63 - 1, -(2**63), 9, 10, -1, 0, 2**63 - 1, -1, 10, 9]
    x = rng.integers(0, 9, len(k))
    program = "input L: list[(Int,Int)]; [ (k,+/x) | (k,x) <- L, group by k ]"
    runs.check(program, grouped(k, x), "keyed(", L=(k, x))
    k = rng.permutation(400_000) * 1_000_003
    runs.check(program, grouped(k, x), "keyed(", L=(k, x))


def test_ranges_of_each_row(runs: Runs) -> None:
    """Their sums are one loop; rows of which each has its own number are NumPy's."""
    i, n = np.arange(60), np.arange(60)[::-1] % 7 - 2
    declared = "input L: list[(Int,Int)];"
    each = [(a, j) for a, m in zip(i.tolist(), n.tolist(), strict=True) for j in range(m + 1)]
    wanted = sum(a * j for a, j in each)
    runs.check(declared + "+/[ i*j | (i,n) <- L, j <- 0..n ]", wanted, "i64(add)", L=(i, n))
    even = sum(a * j for a, j in each if j % 2 == 0)
    program = declared + "+/[ i*j | (i,n) <- L, j <- 0..n by 2 ]"
    runs.check(program, even, "i64(add)", L=(i, n))
    rows = tuple(np.array(each).T)
    runs.check(declared + "[ (i,j) | (i,n) <- L, j <- 0..n ]", rows, L=(i, n))
    odd = tuple(column[rows[1] % 2 == 1] for column in rows)
    runs.check(declared + "[ (i,j) | (i,n) <- L, j <- 0..n, j % 2 == 1 ]", odd, L=(i, n))


def test_ranges_alone(runs: Runs) -> None:
    for n in (0, 1, 100):
        j = np.arange(n)
        program = "input n: Int; [ (j,j*j) | j <- 0..n-1, j % 3 == 1 ]"
        kept = j[j % 3 == 1]
        runs.check(program, (kept, kept * kept), n=n)


def test_elements_of_arrays(runs: Runs) -> None:
    rng = np.random.default_rng(13)
    i, j, x = rng.integers(-3, 9, 500), rng.integers(-3, 9, 500), rng.random(500)
    V, M = rng.random(6), rng.random((6, 4))
    inside = (i >= 0) & (i < 6)
    declared = "input L: list[(Int,Int,Double)]; input V: vector[Double]; input M: matrix[Double];"
    inputs = {"L": (i, j, x), "V": V, "M": M}
    program = declared + "+/[ x*v | (i,j,x) <- L, (k,v) <- V, k == i ]"
    runs.check(program, (x[inside] * V[i[inside]]).sum(), "f64(add)", **inputs)
    program = declared + "[ (j,x*v) | (i,j,x) <- L, (k,v) <- V, k == i ]"
    runs.check(program, (j[inside], x[inside] * V[i[inside]]), "some(", **inputs)
    both = inside & (j >= 0) & (j < 4)
    program = declared + "+/[ x*m | (i,j,x) <- L, ((a,b),m) <- M, a == i, b == j ]"
    runs.check(program, (x[both] * M[i[both], j[both]]).sum(), "f64(add)", **inputs)
    program = (
        declared + "[ (i,+/y) | (i,j,x) <- L, ((a,b),m) <- M, a == i, b == j,"
        " let y = x*m, group by i ]"
    )
    wanted = grouped(i[both], x[both] * M[i[both], j[both]])
    runs.check(program, wanted, "keyed(", **inputs)


def test_rows_that_read_outside_go_away(runs: Runs) -> None:
    k, x = pairs(300, 9)
    kept, V = k < 5, np.arange(5.0)
    program = PAIRS + "input V: vector[Double]; +/[ x*V[k] | (k,x) <- L ]"
    runs.check(program, (x[kept] * V[k[kept]]).sum(), "f64(add)", L=(k, x), V=V)


@pytest.mark.parametrize(("left", "right"), [(0, 3), (3, 0), (1, 1), (200, 30)])
def test_pairs_of_rows(runs: Runs, left: int, right: int) -> None:
    k, x = pairs(left, 7, 1)
    m, y = pairs(right, 7, 2)
    declared = f"{PAIRS} input R: list[(Int,Double)];"
    inputs = {"L": (k, x), "R": (m, y)}
    products = x[:, None] * y
    program = declared + "+/[ x*y | (k,x) <- L, (m,y) <- R ]"
    runs.check(program, products.sum(), "f64(add)", **inputs)
    program = declared + "max/[ x-y | (k,x) <- L, (m,y) <- R, k < m ]"
    differences = (x[:, None] - y)[k[:, None] < m]
    runs.check(program, differences.max(initial=-math.inf), "f64(max)", **inputs)
    program = declared + "[ (k,+/z) | (k,x) <- L, (m,y) <- R, let z = x*y, group by k ]"
    wanted = grouped(np.repeat(k, right), products.ravel())
    runs.check(program, wanted, "keyed(", **inputs)
    program = declared + "[ (k,m,x+y) | (k,x) <- L, (m,y) <- R, x > y ]"
    a, b = np.nonzero(x[:, None] > y)
    runs.check(program, (k[a], m[b], x[a] + y[b]), "rows(", **inputs)


def test_the_least_of_pairs_for_each_row(runs: Runs) -> None:
    """A reduction for each row by a monoid of tuples, and sums by what it found."""
    rng = np.random.default_rng(14)
    x, c = rng.random(500), np.sort(rng.random(7))
    program = (
        "input P: list[Double]; input C: list[(Int,Double)];"
        "monoid nearer((Int,Double)) = ((-1,1.0e9), (a,b) => if (a._2 <= b._2) a else b);"
        "[ (k, +/x, x.length) | x <- P,"
        "  let k = (nearer/[ (i, abs(x-y)) | (i,y) <- C ])._1, group by k ]"
    )
    nearest = np.argmin(abs(x[:, None] - c), axis=1)
    sums, counts = grouped(nearest, x), grouped(nearest, np.ones_like(nearest))
    runs.check(program, (*sums, counts[1]), P=x, C=(np.arange(7), c))


def test_results_that_are_used_further(runs: Runs) -> None:
    k, x = pairs(3000, 30)
    sums, counts = grouped(k, x), grouped(k, np.ones_like(k))
    program = (
        PAIRS + "var G = [ (k,+/x,x.length) | (k,x) <- L, group by k ];"
        "[ (n,+/s) | (k,s,n) <- G, s > 0.0, group by n ]"
    )
    kept = sums[1] > 0
    runs.check(program, grouped(counts[1][kept], sums[1][kept]), "f64:add)", L=(k, x))
    program = (
        PAIRS + "var V = tensor*(30)[ (k,+/x) | (k,x) <- L, group by k ]; +/[ v*v | (i,v) <- V ]"
    )
    runs.check(program, (sums[1] ** 2).sum(), L=(k, x))


def test_several_results(runs: Runs) -> None:
    k, x = pairs(3000, 30)
    program = (
        PAIRS + "var P = [ (k,x*2.0) | (k,x) <- L, x > 0.0 ];"
        "(+/[ y | (k,y) <- P ], [ (k,max/y) | (k,y) <- P, group by k ], P.length)"
    )
    kept = x > 0
    for total, groups, count in runs.results(program, L=(k, x)):
        assert count == kept.sum()
        close(np.asarray(total), np.asarray(2 * x[kept].sum()))
        same(groups, grouped(k[kept], 2 * x[kept], np.maximum))


def test_an_integer_that_may_be_divided_by_is_checked(runs: Runs) -> None:
    k, x = pairs(100, 5)
    program = PAIRS + "[ (7/k,x) | (k,x) <- L, k != 0 ]"
    kept = k != 0
    runs.check(program, (7 // k[kept], x[kept]), L=(k, x))
    with pytest.raises(diablo.RunError, match="zero"):
        runs.results(PAIRS + "[ (7/k,x) | (k,x) <- L ]", L=(k, x))
