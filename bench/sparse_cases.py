"""Cases of sparse arrays: products and sums, graphs, and matrices made of lists of entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from case_table import ROOT, Work, by_hand, case, random_of, rows, shown
from peers import graphblas_way
from scipy import sparse

_DAMPING, _STEPS = 0.85, 10


def _random(name: str, n: int, per_row: int) -> sparse.csr_array:
    density = min(per_row / n, 1.0)
    return sparse.random_array((n, n), density=density, format="csr", rng=random_of(name))


def _size(matrix: sparse.csr_array) -> str:
    return f"{shown(matrix.shape[0])} rows, {shown(matrix.nnz)} entries"


@case("sparse", "sparse A x")
def sparse_vector(scale: float) -> Work:
    n = rows(2e5, scale)
    a, x = _random("spmv", n, 10), random_of("spmv x").random(n)
    source = "input A: matrix[Double]; input x: vector[Double]; A @ x"
    graphblas = graphblas_way(lambda gb, m, v: lambda: m.mxv(v).new(), a, x)
    ways = {"SciPy": by_hand(lambda: a @ x), "GraphBLAS": graphblas}
    return Work(_size(a), source, {"A": a, "x": x}, ways)


@case("sparse", "sparse x dense")
def sparse_dense(scale: float) -> Work:
    n = rows(1e5, scale)
    a, b = _random("spmm", n, 10), random_of("spmm b").random((n, 32))
    source = "input A: matrix[Double]; input B: matrix[Double]; A @ B"
    size = f"{_size(a)}, 32 columns"
    return Work(size, source, {"A": a, "B": b}, {"SciPy": by_hand(lambda: a @ b)})


@case("sparse", "sparse x sparse")
def sparse_sparse(scale: float) -> Work:
    n = rows(5e4, scale)
    a, b = _random("spgemm a", n, 10), _random("spgemm b", n, 10)
    source = "input A: matrix[Double]; input B: matrix[Double]; A @ B"
    graphblas = graphblas_way(lambda gb, m, k: lambda: m.mxm(k).new(), a, b)
    ways = {"SciPy": by_hand(lambda: a @ b), "GraphBLAS": graphblas}
    return Work(_size(a), source, {"A": a, "B": b}, ways)


@case("sparse", "sparse + sparse")
def sparse_sum(scale: float) -> Work:
    n = rows(2e5, scale)
    a, b = _random("spadd a", n, 10), _random("spadd b", n, 10)
    source = "input A: matrix[Double]; input B: matrix[Double]; A + B"
    graphblas = graphblas_way(lambda gb, m, k: lambda: m.ewise_add(k, gb.binary.plus).new(), a, b)
    ways = {"SciPy": by_hand(lambda: a + b), "GraphBLAS": graphblas}
    return Work(_size(a), source, {"A": a, "B": b}, ways)


@case("sparse", "sparse * sparse")
def sparse_elements(scale: float) -> Work:
    n = rows(2e5, scale)
    a, b = _random("spmul a", n, 10), _random("spmul b", n, 10)
    b = sparse.csr_array(a.multiply(0.5) + b)
    source = "input A: matrix[Double]; input B: matrix[Double]; A * B"
    graphblas = graphblas_way(lambda gb, m, k: lambda: m.ewise_mult(k, gb.binary.times).new(), a, b)
    ways = {"SciPy": by_hand(lambda: a.multiply(b)), "GraphBLAS": graphblas}
    return Work(_size(a), source, {"A": a, "B": b}, ways)


@case("sparse", "sampled product")
def sampled_product(scale: float) -> Work:
    n, rank = rows(1e5, scale), 16
    generator = random_of("sampled")
    a, b = generator.random((2, n, rank))
    s = _random("sampled s", n, 20)
    source = """
        input A: matrix[Double]; input B: matrix[Double]; input S: matrix[Double];
        tensor*()(S.rows,S.cols)[ ((i,j), s * +/[ A[i,k]*B[j,k] | k <- 0..A.cols-1 ])
                                | ((i,j),s) <- S ]
    """

    def scipy() -> sparse.csr_array:
        lines = np.repeat(np.arange(n), np.diff(s.indptr))
        values = s.data * np.einsum("ij,ij->i", a[lines], b[s.indices])
        return sparse.csr_array((values, s.indices, s.indptr), shape=s.shape)

    size = f"{_size(s)}, {rank} factors"
    return Work(size, source, {"A": a, "B": b, "S": s}, {"SciPy": by_hand(scipy)})


@case("sparse", "matrix from entries")
def from_entries(scale: float) -> Work:
    n = rows(1e5, scale)
    generator = random_of("entries")
    i, j = generator.integers(0, n, (2, 10 * n))
    v = generator.random(10 * n)
    source = """
        input L: list[(Int,Int,Double)]; input n: Int;
        tensor*()(n,n)[ ((i,j),+/v) | (i,j,v) <- L, group by (i,j) ]
    """

    def scipy() -> sparse.csr_array:
        return sparse.coo_array((v, (i, j)), shape=(n, n)).tocsr()

    size = f"{shown(n)} rows, {shown(len(v))} entries"
    return Work(size, source, {"L": (i, j, v), "n": n}, {"SciPy": by_hand(scipy)})


def _edges(name: str, nodes: int, per_node: int) -> tuple[np.ndarray, np.ndarray]:
    """Edges of a graph in which few nodes have many, each edge once and none to itself."""
    generator = random_of(name)
    count = nodes * per_node
    source = generator.integers(0, nodes, count)
    target = (nodes * generator.random(count) ** 3).astype(np.int64)
    apart = source != target
    keys = np.unique(source[apart] * nodes + target[apart])
    keys = generator.permutation(keys)
    return keys // nodes, keys % nodes


def _transition(source: np.ndarray, target: np.ndarray, nodes: int) -> sparse.csr_array:
    degrees = np.bincount(source, minlength=nodes)
    return sparse.coo_array((1.0 / degrees[source], (source, target)), shape=(nodes, nodes)).tocsr()


def _ranks(transposed: sparse.csr_array) -> np.ndarray:
    nodes = transposed.shape[0]
    ranks = np.full(nodes, 1.0 / nodes)
    for _ in range(_STEPS):
        ranks = (1 - _DAMPING) / nodes + _DAMPING * (transposed @ ranks)
    return ranks


def _graphblas_ranks(gb: Any, matrix: Any) -> Callable[[], Any]:
    nodes = matrix.nrows

    def call() -> Any:
        ranks = gb.Vector.from_scalar(1.0 / nodes, nodes)
        for _ in range(_STEPS):
            added = ranks.vxm(matrix).new()
            ranks = gb.Vector.from_scalar((1 - _DAMPING) / nodes, nodes)
            ranks(gb.binary.plus) << added.apply(gb.binary.times, right=_DAMPING)
        return ranks

    return call


@case("sparse", "PageRank, matrix")
def pagerank(scale: float) -> Work:
    nodes = rows(1e5, scale)
    matrix = _transition(*_edges("pagerank", nodes, 10), nodes)
    source = """
        input E: matrix[Double]; input N: Int;
        var b = 0.85;
        var P = tensor*(N)[ (i,1.0/N) | i <- 0..N-1 ];
        var k = 0;
        while (k < 10) {
          k += 1;
          var Q = P;
          for i = 0, N-1 do P[i] = (1-b)/N;
          for i = 0, N-1 do for j = 0, N-1 do P[i] += b*E[j,i]*Q[j];
        };
        P
    """
    ways = {
        "SciPy": by_hand(lambda: _ranks(matrix.T.tocsr())),
        "GraphBLAS": graphblas_way(_graphblas_ranks, matrix),
    }
    size = f"{shown(nodes)} nodes, {shown(matrix.nnz)} edges, {_STEPS} steps"
    return Work(size, source, {"E": matrix, "N": nodes}, ways)


@case("sparse", "PageRank, edges")
def pagerank_of_edges(scale: float) -> Work:
    nodes = rows(1e5, scale)
    edges = _edges("pagerank", nodes, 10)
    ways = {"SciPy": by_hand(lambda: _ranks(_transition(*edges, nodes).T.tocsr()))}
    size = f"{shown(nodes)} nodes, {shown(len(edges[0]))} edges, {_STEPS} steps"
    program = ROOT / "examples" / "pagerank.diablo"
    return Work(size, program, {"G": edges, "N": nodes}, ways)


def _definite(n: int, per_row: int) -> sparse.csr_array:
    """A symmetric positive definite matrix."""
    part = _random("conjugate gradients", n, per_row // 2)
    matrix = part + part.T
    diagonal = np.asarray(matrix.sum(axis=1)).ravel() + 1.0
    return sparse.csr_array(matrix + sparse.diags_array(diagonal))


@case("sparse", "conjugate gradients")
def conjugate_gradients(scale: float) -> Work:
    n, steps = rows(2e4, scale), 25
    a, b = _definite(n, 100), random_of("right side").random(n)
    source = """
        input A: matrix[Double]; input b: vector[Double]; input steps: Int;
        var x = tensor*(b.length)[ (i,0.0) | i <- 0..b.length-1 ];
        var r = b; var p = b;
        var rho = +/[ v*v | (i,v) <- r ];
        for s = 1, steps do {
          var q = A @ p;
          var alpha = rho / +/[ v*q[i] | (i,v) <- p ];
          x = x + alpha*p;
          r = r - alpha*q;
          var next = +/[ v*v | (i,v) <- r ];
          p = r + (next/rho)*p;
          rho = next;
        };
        x
    """

    def scipy() -> np.ndarray:
        return conjugate_gradient(lambda p: a @ p, b, steps)

    size = f"{_size(a)}, {steps} steps"
    return Work(size, source, {"A": a, "b": b, "steps": steps}, {"SciPy": by_hand(scipy)})


def conjugate_gradient(
    product: Callable[[np.ndarray], np.ndarray], b: np.ndarray, steps: int
) -> np.ndarray:
    """The solution after some steps, given what multiplies a vector by the matrix."""
    x, r, p = np.zeros_like(b), b.copy(), b.copy()
    rho = r @ r
    for _ in range(steps):
        q = product(p)
        alpha = rho / (p @ q)
        x += alpha * p
        r -= alpha * q
        rho, before = r @ r, rho
        p = r + (rho / before) * p
    return x


@case("sparse", "triangles")
def triangles(scale: float) -> Work:
    nodes = rows(2e4, scale)
    source_nodes, target_nodes = _edges("triangles", nodes, 8)
    low, high = np.minimum(source_nodes, target_nodes), np.maximum(source_nodes, target_nodes)
    low, high = np.divmod(np.unique(low * nodes + high), nodes)
    # Each edge once, from the lower to the higher node, so that a triangle is found once.
    upper = sparse.coo_array((np.ones(len(low)), (low, high)), shape=(nodes, nodes)).tocsr()
    source = """
        input E: matrix[Double];
        +/[ a*b*E[i,k] | ((i,j),a) <- E, ((jj,k),b) <- E, jj == j ]
    """

    def graphblas(gb: Any, matrix: Any) -> Callable[[], Any]:
        def call() -> Any:
            paths = gb.Matrix(float, nodes, nodes)
            paths(matrix.S) << matrix.mxm(matrix, gb.semiring.plus_pair)
            return paths.reduce_scalar().new()

        return call

    ways = {
        "SciPy": by_hand(lambda: (upper @ upper).multiply(upper).sum()),
        "GraphBLAS": graphblas_way(graphblas, upper),
    }
    return Work(f"{shown(nodes)} nodes, {shown(upper.nnz)} edges", source, {"E": upper}, ways)
