"""Cases of the suite written by hand for PySpark and NumPy, as an expert writes them.

    call = by_hand["add"](sc, work.inputs)     # caches the inputs, as blocks
    call()                                     # what is timed

Each worker has one block of rows of an array, which is cached; arrays of the same blocks are
zipped. What is small, as sums, factors and ranks, is with the driver, and goes to the workers
with the tasks of one job for each step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import pairwise
from operator import add, matmul
from typing import Any

import numpy as np
from answers import Table
from case_table import Call
from scipy import sparse
from sparse_cases import conjugate_gradient

Inputs = Mapping[str, Any]
by_hand: dict[str, Callable[[Any, Inputs], Call]] = {}
"""The ways by the names of their cases."""

_DAMPING, _STEPS = 0.85, 10
Written = Callable[[Any, Inputs], Call]


def _case(name: str) -> Callable[[Written], Written]:
    def register(make: Written) -> Written:
        by_hand[name] = make
        return make

    return register


def _cached(sc: Any, blocks: Iterable[Any]) -> Any:
    """An RDD with a partition for each of the blocks, which Spark holds."""
    blocks = list(blocks)
    rdd = sc.parallelize(blocks, len(blocks)).cache()
    rdd.count()
    return rdd


def _cuts(sc: Any, count: int) -> list[slice]:
    parts = min(int(sc.defaultParallelism), max(1, count))
    ends = [count * k // parts for k in range(parts + 1)]
    return [slice(a, b) for a, b in pairwise(ends)]


def _rows(sc: Any, *arrays: Any) -> Any:
    """Blocks of rows of an array, or of several side by side."""
    cuts = _cuts(sc, arrays[0].shape[0])
    if len(arrays) == 1:
        return _cached(sc, [arrays[0][cut].copy() for cut in cuts])
    return _cached(sc, [tuple([a[cut].copy() for a in arrays]) for cut in cuts])


@_case("add")
@_case("sparse + sparse")
def _add(sc: Any, inputs: Inputs) -> Call:
    a, b = _rows(sc, inputs["A"]), _rows(sc, inputs["B"])
    return lambda: a.zip(b).map(lambda pair: pair[0] + pair[1])


def _fused(blocks: tuple[tuple[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    (a, b), c = blocks
    result = np.empty_like(a)
    for i in range(0, len(a), 16):  # What stays in the processor's cache.
        x, y, z = (block[i : i + 16] for block in (a, b, c))
        result[i : i + 16] = (x * y + z) / (1.0 + x * x) - y
    return result


@_case("fused expression")
def _fused_expression(sc: Any, inputs: Inputs) -> Call:
    a, b, c = (_rows(sc, inputs[name]) for name in "ABC")
    return lambda: a.zip(b).zip(c).map(_fused)


@_case("matrix product")
def _product(sc: Any, inputs: Inputs) -> Call:
    a, b = _rows(sc, inputs["A"]), _rows(sc, inputs["B"])

    def call() -> Any:
        whole = sc.broadcast(np.concatenate(b.collect()))
        return a.map(lambda block: block @ whole.value)

    return call


@_case("row sums")
def _row_sums(sc: Any, inputs: Inputs) -> Call:
    a = _rows(sc, inputs["A"])
    return lambda: np.concatenate(a.map(lambda block: block.sum(axis=1)).collect())


@_case("conditional sum, vector")
def _sum_of_vector(sc: Any, inputs: Inputs) -> Call:
    v = _rows(sc, inputs["V"])
    return lambda: v.map(lambda block: np.square(block[block > 0.5]).sum()).sum()


@_case("conditional sum, list")
def _sum_of_list(sc: Any, inputs: Inputs) -> Call:
    return _sum_of_vector(sc, {"V": inputs["L"]})


@_case("factorization")
def _factorization(sc: Any, inputs: Inputs) -> Call:
    r, n, rate, penalty = _rows(sc, inputs["R"]), inputs["n"], inputs["a"], inputs["b"]
    cuts = _cuts(sc, n)

    def call() -> Any:
        p, q = inputs["P"], inputs["Q"]
        for _ in range(inputs["steps"]):
            parts = sc.parallelize([p[cut] for cut in cuts], len(cuts))
            factor = sc.broadcast(q)

            def step(blocks: tuple[np.ndarray, np.ndarray], factor: Any = factor) -> Any:
                block, one = blocks
                other = factor.value
                error = block - one @ other
                one = one + rate * (2 * error @ other.T - n * penalty * one)
                return one, one.T @ error

            found = r.zip(parts).map(step).collect()
            p = np.concatenate([one for one, _ in found])
            q = q + rate * (2 * sum(part for _, part in found) - n * penalty * q)
        return p, q

    return call


@_case("regression, operators")
def _regression(sc: Any, inputs: Inputs) -> Call:
    points, columns = inputs["X"].shape
    data = _rows(sc, inputs["X"], inputs["y"])

    def call() -> Any:
        w = np.zeros(columns)
        for _ in range(inputs["steps"]):
            slopes = data.map(lambda d, w=w: d[0].T @ (d[0] @ w - d[1])).collect()
            w = w - 0.1 / points * sum(slopes)
        return w

    return call


@_case("regression, loops")
def _regression_by_loops(sc: Any, inputs: Inputs) -> Call:
    return _regression(sc, inputs)


@_case("k-means, monoid")
def _kmeans(sc: Any, inputs: Inputs) -> Call:
    points, centres = _rows(sc, *inputs["P"]), inputs["K"]

    def call() -> Any:
        _, cx, cy = inputs["C"]
        for _ in range(inputs["steps"]):

            def step(block: tuple[np.ndarray, np.ndarray], cx: Any = cx, cy: Any = cy) -> Any:
                sums = np.zeros((3, centres))
                for i in range(0, len(block[0]), 4096):
                    x, y = block[0][i : i + 4096], block[1][i : i + 4096]
                    near = ((x[:, None] - cx) ** 2 + (y[:, None] - cy) ** 2).argmin(1)
                    sums[0] += np.bincount(near, x, centres)
                    sums[1] += np.bincount(near, y, centres)
                    sums[2] += np.bincount(near, minlength=centres)
                return sums

            x, y, count = reduce(add, points.map(step).collect())
            cx, cy = x / count, y / count
        return cx, cy

    return call


def _ranked(products: Callable[[np.ndarray], np.ndarray], nodes: int) -> np.ndarray:
    ranks = np.full(nodes, 1.0 / nodes)
    for _ in range(_STEPS):
        ranks = (1 - _DAMPING) / nodes + _DAMPING * products(ranks)
    return ranks


@_case("PageRank, matrix")
def _pagerank(sc: Any, inputs: Inputs) -> Call:
    nodes, matrix = inputs["N"], inputs["E"].T.tocsr()
    links = _cached(sc, [matrix[cut] for cut in _cuts(sc, nodes)])

    def products(ranks: np.ndarray) -> np.ndarray:
        given = sc.broadcast(ranks)
        return np.concatenate(links.map(lambda block: block @ given.value).collect())

    return lambda: _ranked(products, nodes)


@_case("PageRank, edges")
def _pagerank_of_edges(sc: Any, inputs: Inputs) -> Call:
    nodes, edges = inputs["N"], _rows(sc, *inputs["G"])

    def call() -> Any:
        counts = reduce(add, edges.map(lambda e: np.bincount(e[0], minlength=nodes)).collect())
        degrees = sc.broadcast(counts)

        def links_of(block: tuple[np.ndarray, np.ndarray]) -> Any:
            start, end = block
            weights = 1.0 / degrees.value[start]
            return sparse.csr_array((weights, (end, start)), shape=(nodes, nodes))

        links = edges.map(links_of).cache()

        def products(ranks: np.ndarray) -> np.ndarray:
            given = sc.broadcast(ranks)
            return reduce(add, links.map(lambda block: matmul(block, given.value)).collect())

        try:
            return _ranked(products, nodes)
        finally:
            links.unpersist()

    return call


def _sums(keys: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    found, places = np.unique(keys, return_inverse=True)
    return found, np.bincount(places, values)


@_case("group by, sum")
def _group_sum(sc: Any, inputs: Inputs) -> Call:
    rows = _rows(sc, *map(np.asarray, inputs["L"]))

    def call() -> Any:
        found = rows.map(lambda block: _sums(*block)).collect()
        keys, sums = zip(*found, strict=True)
        return Table(_sums(np.concatenate(keys), np.concatenate(sums)))

    return call


@_case("word count, map")
def _word_count(sc: Any, inputs: Inputs) -> Call:
    given = inputs["W"]
    words = given.to_pylist() if hasattr(given, "to_pylist") else list(given)
    lines = _cached(sc, [words[cut] for cut in _cuts(sc, len(words))])

    def counted(blocks: Iterator[Any]) -> Iterator[Any]:
        yield from (Counter(block) for block in blocks)

    return lambda: dict(reduce(add, lines.mapPartitions(counted).collect()))


def _to_all(sc: Any, blocks: Any, join: Callable[[Any], Any] = np.concatenate) -> Any:
    """The whole of an array, of which Spark has the blocks, for all workers."""
    return sc.broadcast(join(blocks.collect()))


@_case("sparse A x")
def _sparse_vector(sc: Any, inputs: Inputs) -> Call:
    a, x = _rows(sc, inputs["A"]), inputs["x"]

    def call() -> Any:
        given = sc.broadcast(x)
        return np.concatenate(a.map(lambda block: block @ given.value).collect())

    return call


@_case("sparse x dense")
def _sparse_dense(sc: Any, inputs: Inputs) -> Call:
    a, b = _rows(sc, inputs["A"]), _rows(sc, inputs["B"])

    def call() -> Any:
        whole = _to_all(sc, b)
        return a.map(lambda block: block @ whole.value)

    return call


@_case("sparse x sparse")
def _sparse_sparse(sc: Any, inputs: Inputs) -> Call:
    a, b = _rows(sc, inputs["A"]), _rows(sc, inputs["B"])

    def call() -> Any:
        whole = _to_all(sc, b, sparse.vstack)
        return a.map(lambda block: block @ whole.value)

    return call


@_case("conjugate gradients")
def _conjugate_gradients(sc: Any, inputs: Inputs) -> Call:
    a, b, steps = _rows(sc, inputs["A"]), inputs["b"], inputs["steps"]

    def product(p: np.ndarray) -> np.ndarray:
        given = sc.broadcast(p)
        return np.concatenate(a.map(lambda block: block @ given.value).collect())

    return lambda: conjugate_gradient(product, b, steps)


def _smooth(padded: np.ndarray, counts: np.ndarray) -> np.ndarray:
    along = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
    return (along[:-2] + along[1:-1] + along[2:]) / counts


@_case("smoothing, comprehension")
def _smoothing(sc: Any, inputs: Inputs) -> Call:
    n, cuts = inputs["n"], _cuts(sc, inputs["n"])
    a = _cached(sc, [(cut, inputs["M"][cut].copy()) for cut in cuts])
    near = np.full(n, 3.0)
    near[[0, -1]] = 2.0

    def call() -> Any:
        # Of its neighbours a block needs one row each.
        ends = a.flatMap(lambda b: [(b[0].start, b[1][0]), (b[0].stop - 1, b[1][-1])])
        borders = dict(ends.collect())

        def smoothed(block: tuple[slice, np.ndarray]) -> np.ndarray:
            cut, rows = block
            padded = np.zeros((len(rows) + 2, n + 2))
            padded[1:-1, 1:-1] = rows
            for place, row in ((0, cut.start - 1), (-1, cut.stop)):
                if row in borders:
                    padded[place, 1:-1] = borders[row]
            return _smooth(padded, near[cut, None] * near)

        return a.map(smoothed)

    return call


@_case("smoothing, group-by")
def _smoothing_by_groups(sc: Any, inputs: Inputs) -> Call:
    return _smoothing(sc, inputs)


@_case("smoothing, guarded loop")
def _smoothing_by_loop(sc: Any, inputs: Inputs) -> Call:
    return _smoothing(sc, inputs)


def _places(sc: Any, table: tuple[np.ndarray, np.ndarray]) -> Any:
    """For all workers: where a key is in a table, and its values."""
    keys, values = table
    places = np.full(keys.max() + 1, -1)
    places[keys] = np.arange(len(keys))
    return sc.broadcast((places, values))


def _matches(table: Any, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which keys are in a table that was broadcast, and the values that it has for them."""
    places, values = table.value
    place = places[keys]
    there = place >= 0
    return there, values[place[there]]


def _tables(sc: Any, inputs: Inputs) -> tuple[Any, Any]:
    """The blocks of the longer table, and the shorter one, in one block."""
    rows, other = (tuple(map(np.asarray, inputs[name])) for name in "LM")
    return _rows(sc, *rows), _cached(sc, [other])


@_case("join, sum of products")
def _join_sum(sc: Any, inputs: Inputs) -> Call:
    rows, small = _tables(sc, inputs)

    def call() -> Any:
        found = _places(sc, small.first())

        def product(block: tuple[np.ndarray, np.ndarray]) -> float:
            keys, values = block
            there, prices = _matches(found, keys)
            return float(values[there] @ prices)

        return rows.map(product).sum()

    return call


@_case("join, rows")
def _join_rows(sc: Any, inputs: Inputs) -> Call:
    rows, small = _tables(sc, inputs)

    def call() -> Any:
        found = _places(sc, small.first())

        def pairs(block: tuple[np.ndarray, np.ndarray]) -> Any:
            keys, values = block
            there, prices = _matches(found, keys)
            return keys[there], values[there], prices

        return rows.map(pairs)

    return call


@_case("group by, many keys")
def _group_many(sc: Any, inputs: Inputs) -> Call:
    rows = _rows(sc, *map(np.asarray, inputs["L"]))
    parts = rows.getNumPartitions()

    def cut(block: tuple[np.ndarray, np.ndarray]) -> Any:
        keys, sums = _sums(*block)
        for part in range(parts):
            here = keys % parts == part
            yield part, (keys[here], sums[here])

    def together(found: Iterable[Any]) -> Any:
        keys, sums = zip(*found, strict=True)
        return _sums(np.concatenate(keys), np.concatenate(sums))

    return lambda: rows.flatMap(cut).groupByKey(parts).mapValues(together).values()
