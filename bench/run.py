"""Programs against the same computation by hand in NumPy and SciPy, in one run.

    python bench/run.py [--repeats 9] [--graph EDGES.csv.gz] [NAME …]

For each case: the shortest time of either side over the repeats, which take turns, and
their ratio (above 1: the program is faster). Results are compared before anything is timed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse

import diablo
from diablo.runtime.io.inputs import WantedRows, load

ROOT = Path(__file__).parents[1]
GRAPHS = (
    ROOT.parent / "shared" / "data" / "debian_deps.csv.gz",
    ROOT / "examples" / "data" / "debian_subgraph.csv.gz",
)


@dataclass
class Case:
    """A program, its inputs, and the same by hand."""

    name: str
    source: str | Path
    inputs: dict[str, Any]
    by_hand: Callable[[], Any]
    stored: Callable[[Any], Any] | None = None
    """What is taken of a sparse result, of SciPy's too; otherwise all of its elements are."""


def pagerank(graph: Path) -> Case:
    edges = load(graph, WantedRows(("i64", "i64")))
    source, target = edges
    nodes = int(max(source.max(), target.max())) + 1

    def by_hand() -> np.ndarray:
        degrees = np.bincount(source, minlength=nodes)
        weights = 1.0 / degrees[source]
        # The program keeps one entry for an edge that is listed twice.
        matrix = sparse.coo_array((weights, (source, target)), shape=(nodes, nodes)).tocsr()
        transposed = matrix.T.tocsr()
        ranks = np.full(nodes, 1.0 / nodes)
        for _ in range(10):
            ranks = 0.15 / nodes + 0.85 * (transposed @ ranks)
        return ranks

    program = ROOT / "examples" / "pagerank.diablo"
    return Case(f"pagerank, {len(source)} edges", program, {"G": edges, "N": nodes}, by_hand)


def matmul(n: int) -> Case:
    generator = np.random.default_rng(1)
    a, b = generator.random((n, n)), generator.random((n, n))
    source = """
        input A: matrix[Double];  input B: matrix[Double];
        tensor*(A.rows,B.cols)[ ((i,j),+/v) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k,
                      let v = a*b, group by (i,j) ];
    """
    return Case(f"matmul, {n} x {n}", source, {"A": a, "B": b}, lambda: a @ b)


def sparse_vector_product(n: int) -> Case:
    generator = np.random.default_rng(2)
    a = sparse.random_array((n, n), density=2e-3, format="csr", rng=generator)
    x = generator.random(n)
    source = """
        input A: matrix[Double];  input x: vector[Double];
        tensor*(A.rows)[ (i,+/v) | ((i,j),a) <- A, (jj,b) <- x, jj == j, let v = a*b, group by i ];
    """
    name = f"sparse A x, {a.nnz} entries"
    return Case(name, source, {"A": a, "x": x}, lambda: a @ x)


def sparse_matrices(n: int, entries: int, what: str) -> Case:
    """Two of `n` x `n` with so many entries in a row: `A + B`, `A * B`, `A @ B`, `A.t`."""
    a, b = (
        sparse.random_array((n, n), density=entries / n, format="csr", rng=seed) for seed in (8, 9)
    )
    hands: dict[str, Callable[[], Any]] = {
        "A + B": lambda: a + b,
        "A * B": lambda: a * b,
        "A @ B": lambda: a @ b,
        "A.t": lambda: a.T.tocsr(),
    }
    inputs = {"A": a, "B": b} if "B" in what else {"A": a}
    source = "".join(f"input {name}: matrix[Double]; " for name in inputs) + what

    def stored(result: Any) -> Any:
        matrix = result.to_scipy() if hasattr(result, "to_scipy") else result
        matrix.sort_indices()
        return matrix.data

    return Case(f"sparse {what}, {a.nnz} entries", source, inputs, hands[what], stored)


def sparse_rows(n: int, rows: int) -> Case:
    generator = np.random.default_rng(10)
    i, j, v = generator.integers(0, n, rows), generator.integers(0, n, rows), generator.random(rows)
    source = """
        input n: Int; input L: list[(Int,Int,Double)];
        tensor()(n,n)[ ((i,j),+/v) | (i,j,v) <- L, group by (i,j) ]
    """

    def stored(result: Any) -> Any:
        matrix = result.to_scipy() if hasattr(result, "to_scipy") else result
        return matrix.data

    def by_hand() -> Any:
        return sparse.coo_array((v, (i, j)), shape=(n, n)).tocsr()

    return Case(f"sparse of {rows} rows", source, {"n": n, "L": (i, j, v)}, by_hand, stored)


def elementwise(n: int) -> Case:
    generator = np.random.default_rng(3)
    a, b, c = (generator.random((n, n)) for _ in range(3))
    source = """
        input A: matrix[Double];  input B: matrix[Double];  input C: matrix[Double];
        tensor*(A.rows,A.cols)[ ((i,j),(a*b+c)/(1.0+a*a)-b) | ((i,j),a) <- A, ((ii,jj),b) <- B,
                      ii == i, jj == j, ((k,l),c) <- C, k == i, l == j ];
    """
    inputs = {"A": a, "B": b, "C": c}
    return Case(
        f"(ab+c)/(1+aa)-b, {n} x {n}", source, inputs, lambda: (a * b + c) / (1.0 + a * a) - b
    )


def row_sums(n: int) -> Case:
    a = np.random.default_rng(4).random((n, n))
    source = """
        input A: matrix[Double];
        tensor*(A.rows)[ (i,+/a) | ((i,j),a) <- A, group by i ];
    """
    return Case(f"row sums, {n} x {n}", source, {"A": a}, lambda: a.sum(axis=1))


def histogram(rows: int, bins: int) -> Case:
    generator = np.random.default_rng(5)
    keys, values = generator.integers(0, bins, rows), generator.random(rows)
    source = """
        input V: list[(Int,Double)];  input n: Int;
        tensor*(n)[ (k,+/v) | (k,v) <- V, group by k ];
    """
    inputs = {"V": (keys, values), "n": bins}
    return Case(f"sum by key, {rows} rows", source, inputs, lambda: np.bincount(keys, values, bins))


def five_points(n: int) -> Case:
    a = np.random.default_rng(6).random((n, n))
    source = """
        input A: matrix[Double];  input n: Int;
        tensor*(n,n)[ ((i,j),(A[i-1,j]+A[i+1,j]+A[i,j-1]+A[i,j+1])/4.0)
                    | i <- 1..n-2, j <- 1..n-2 ];
    """

    def by_hand() -> np.ndarray:
        r = np.zeros((n, n))
        r[1:-1, 1:-1] = (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]) / 4
        return r

    return Case(f"five-point stencil, {n} x {n}", source, {"A": a, "n": n}, by_hand)


def smoothing(n: int) -> Case:
    a = np.random.default_rng(7).random((n, n))
    source = """
        input M: matrix[Double];  input n: Int;
        tensor*(n,n)[ ((ii,jj),(+/a)/a.length) | ((i,j),a) <- M,
                      ii <- i-1..i+1, jj <- j-1..j+1, group by (ii,jj) ];
    """

    def by_hand() -> np.ndarray:
        padded, ones = np.pad(a, 1), np.pad(np.ones((n, n)), 1)
        places = [(i, j) for i in range(3) for j in range(3)]
        total = sum(padded[i : i + n, j : j + n] for i, j in places)
        return total / sum(ones[i : i + n, j : j + n] for i, j in places)

    return Case(f"3 x 3 smoothing, {n} x {n}", source, {"M": a, "n": n}, by_hand)


def counts(elements: int, bins: int) -> Case:
    values = np.random.default_rng(8).integers(0, bins, elements)
    source = """
        input V: vector[Int];  input n: Int;
        var C: vector[Int] = tensor*(n)[ (i,0) | i <- 0..n-1 ];
        for i = 0, V.length-1 do C[V[i]] += 1;
        C;
    """
    inputs = {"V": values, "n": bins}
    return Case(
        f"histogram, {elements} elements", source, inputs, lambda: np.bincount(values, None, bins)
    )


def rotation(n: int) -> Case:
    a = np.random.default_rng(9).random((n, n))
    source = """
        input A: matrix[Double];  input n: Int;
        tensor*(n,n)[ (((i+1) % n,j),a) | ((i,j),a) <- A ];
    """
    return Case(
        f"rotation of rows, {n} x {n}", source, {"A": a, "n": n}, lambda: np.roll(a, 1, axis=0)
    )


def shortest_paths(n: int) -> Case:
    a = np.random.default_rng(10).random((n, n))
    source = """
        input A: matrix[Double];
        tensor*(A.rows,A.cols)[ ((i,j),min/v) | ((i,k),a) <- A, ((kk,j),b) <- A, kk == k,
                      let v = a+b, group by (i,j) ];
    """

    def by_hand() -> np.ndarray:
        r = np.full((n, n), np.inf)
        for k in range(n):
            np.minimum(r, a[:, k : k + 1] + a[k], out=r)
        return r

    return Case(f"min-plus product, {n} x {n}", source, {"A": a}, by_hand)


def filtered(rows: int) -> Case:
    generator = np.random.default_rng(11)
    keys, values = generator.integers(0, 1000, rows), generator.standard_normal(rows)
    source = "input L: list[(Int,Double)]; [ (k,x) | (k,x) <- L, x > 0.0 ]"

    def by_hand() -> tuple[np.ndarray, np.ndarray]:
        chosen = values > 0.0
        return keys[chosen], values[chosen]

    return Case(f"filter, {rows} rows", source, {"L": (keys, values)}, by_hand)


def conditional_sum(rows: int) -> Case:
    values = np.random.default_rng(12).standard_normal(rows)
    source = "input L: list[Double]; +/[ x*x | x <- L, x > 0.5 ]"
    inputs = {"L": values}
    return Case(
        f"conditional sum, {rows} rows",
        source,
        inputs,
        lambda: np.square(values[values > 0.5]).sum(),
    )


def groups(rows: int, keys: int) -> Case:
    generator = np.random.default_rng(13)
    first, second = generator.integers(0, keys, rows), generator.integers(0, keys, rows)
    values = generator.random(rows)
    source = """
        input L: list[(Int,Int,Double)];
        [ (i, j, +/x, x.length) | (i,j,x) <- L, group by (i,j) ]
    """

    def by_hand() -> tuple[np.ndarray, ...]:
        places = first * keys + second
        counts = np.bincount(places, minlength=keys * keys)
        found = np.flatnonzero(counts)
        sums = np.bincount(places, values, keys * keys)
        return found // keys, found % keys, sums[found], counts[found]

    name = f"sum, count by 2 keys, {rows} rows"
    return Case(name, source, {"L": (first, second, values)}, by_hand)


def joined(rows: int, others: int) -> Case:
    generator = np.random.default_rng(14)
    keys, values = generator.integers(0, others, rows), generator.random(rows)
    names, prices = generator.permutation(others), generator.random(others)
    source = """
        input L: list[(Int,Double)]; input M: list[(Int,Double)];
        +/[ x*y | (k,x) <- L, (j,y) <- M, j == k ]
    """

    def by_hand() -> float:
        order = np.argsort(names)
        found = order[np.searchsorted(names[order], keys)]
        return float(values @ prices[found])

    inputs = {"L": (keys, values), "M": (names, prices)}
    return Case(f"join, {rows} with {others} rows", source, inputs, by_hand)


def kmeans(points: int, centroids: int, steps: int) -> Case:
    generator = np.random.default_rng(15)
    x, y = generator.random(points), generator.random(points)
    start = np.arange(centroids), generator.random(centroids), generator.random(centroids)
    inputs = {"P": (x, y), "C": start, "K": centroids, "steps": steps}

    def by_hand() -> np.ndarray:
        cx, cy = start[1:]
        for _ in range(steps):
            near = ((x[:, None] - cx) ** 2 + (y[:, None] - cy) ** 2).argmin(1)
            count = np.maximum(np.bincount(near, minlength=centroids), 1)
            cx = np.bincount(near, x, centroids) / count
            cy = np.bincount(near, y, centroids) / count
        return np.array([cx, cy])

    name = f"k-means, {points} points x {centroids}"
    return Case(name, ROOT / "examples" / "kmeans.diablo", inputs, by_hand)


def least(elements: int) -> Case:
    values = np.random.default_rng(16).random(elements)
    source = "input V: vector[Double]; argmin([ (i, v*v - v) | (i,v) <- V ])"
    return Case(
        f"argmin of v*v - v, {elements}",
        source,
        {"V": values},
        lambda: (values**2 - values).argmin(),
    )


def whole(result: Any) -> Any:
    if isinstance(result, tuple):
        return [whole(part) for part in result]
    return result.to_numpy() if hasattr(result, "to_numpy") else np.asarray(result)


def in_order(result: Any) -> np.ndarray:
    """Rows as an array, in ascending order: that of groups is left open."""
    if not isinstance(result, tuple):
        return np.asarray(result)
    columns = np.array(result)
    return columns[:, np.lexsort(columns[::-1])]


def seconds(function: Callable[[], Any]) -> float:
    start = perf_counter()
    function()
    return perf_counter() - start


def measure(case: Case, repeats: int) -> str:
    started = perf_counter()
    program = diablo.compile(case.source, engine="local")
    take = case.stored or whole
    first = take(program(**case.inputs))
    first_call = perf_counter() - started
    expected = case.by_hand() if case.stored is None else case.stored(case.by_hand())
    np.testing.assert_allclose(in_order(first), in_order(expected), rtol=1e-9)
    ours, theirs = float("inf"), float("inf")
    for _ in range(repeats):
        ours = min(ours, seconds(lambda: take(program(**case.inputs))))
        theirs = min(theirs, seconds(case.by_hand))
    return (
        f"{case.name:<32}{ours * 1e3:>10.2f}{theirs * 1e3:>10.2f}"
        f"{theirs / ours:>8.2f}{first_call * 1e3:>14.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="cases whose name has this in it")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--graph", type=Path, default=next(g for g in GRAPHS if g.exists()))
    options = parser.parse_args()
    cases = [
        lambda: pagerank(options.graph),
        lambda: matmul(1000),
        lambda: sparse_vector_product(20_000),
        lambda: sparse_matrices(100_000, 10, "A + B"),
        lambda: sparse_matrices(100_000, 10, "A * B"),
        lambda: sparse_matrices(100_000, 10, "A @ B"),
        lambda: sparse_matrices(100_000, 10, "A.t"),
        lambda: sparse_rows(100_000, 1_000_000),
        lambda: elementwise(2000),
        lambda: row_sums(4000),
        lambda: histogram(2_000_000, 10_000),
        lambda: five_points(2000),
        lambda: smoothing(1000),
        lambda: counts(5_000_000, 1000),
        lambda: rotation(2000),
        lambda: shortest_paths(400),
        lambda: filtered(5_000_000),
        lambda: conditional_sum(10_000_000),
        lambda: groups(5_000_000, 100),
        lambda: joined(5_000_000, 100_000),
        lambda: kmeans(300_000, 10, 3),
        lambda: least(10_000_000),
    ]
    print(f"{'':<32}{'diablo ms':>10}{'hand ms':>10}{'ratio':>8}{'first call ms':>14}")
    for make in cases:
        case = make()
        if not options.names or any(name in case.name for name in options.names):
            print(measure(case, options.repeats), flush=True)


if __name__ == "__main__":
    main()
