"""The seed programs on both engines against NumPy and SciPy, with blocks that do not divide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"

ENGINES = [
    pytest.param("local", None, id="local"),
    pytest.param("local", 1, id="local-1"),
    pytest.param("local", 3, id="local-3"),
    pytest.param("local", 7, id="local-7"),
    pytest.param("spark", 5, id="spark-5", marks=pytest.mark.spark),
    pytest.param("spark", None, id="spark", marks=pytest.mark.spark),
]


def run(source: str, engine: str, block_size: int | None, **inputs: Any) -> Any:
    """Compile and run a program; arrays come back as NumPy arrays."""
    master = "local[2]" if engine == "spark" else None
    program = diablo.compile(source, engine=engine, master=master, block_size=block_size)
    return as_numpy(program(**inputs))


def as_numpy(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(as_numpy(part) for part in result)
    return result.to_numpy() if hasattr(result, "to_numpy") else result


def example(name: str) -> str:
    return (ROOT / "examples" / f"{name}.diablo").read_text()


def pagerank(edges: np.ndarray, n: int, steps: int = 10, b: float = 0.85) -> np.ndarray:
    source, target = edges[:, 0], edges[:, 1]
    out = np.bincount(source, minlength=n)
    matrix = sparse.coo_array((1.0 / out[source], (target, source)), shape=(n, n)).tocsr()
    ranks = np.full(n, 1.0 / n)
    for _ in range(steps):
        ranks = (1 - b) / n + b * (matrix @ ranks)
    return ranks


def unique_edges(n: int, count: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    return np.unique(rng.integers(0, n, (count, 2)), axis=0)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_pagerank(engine: str, block: int | None) -> None:
    edges = unique_edges(20, 60)
    ranks = run(example("pagerank"), engine, block, G=edges, N=20)
    np.testing.assert_allclose(ranks, pagerank(edges, 20), rtol=1e-9)


@pytest.mark.parametrize(
    ("engine", "block"),
    [ENGINES[0], ENGINES[-1]],
)
def test_pagerank_on_a_real_graph(engine: str, block: int | None) -> None:
    path = DATA / "debian_deps.csv.gz"
    if not path.exists():
        pytest.skip("the large graph is not beside this checkout")
    edges = np.loadtxt(path, dtype=np.int64, delimiter=",")
    n = int(edges.max()) + 1
    ranks = run(example("pagerank"), engine, block, G=edges, N=n)
    np.testing.assert_allclose(ranks, pagerank(edges, n), rtol=1e-9)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
@pytest.mark.parametrize("storage", ["tensor*(n,n)", "tensor*(n)(n)"])
def test_multiplication_by_comprehension(storage: str, engine: str, block: int | None) -> None:
    source = f"""
        input n: Int;
        var A = tensor*(n,n)[ ((i,j),random()) | i <- 0..n-1, j <- 0..n-1 ];
        var B = {storage}[ ((i,j),random()) | i <- 0..n-1, j <- 0..n-1 ];
        var C = tensor*(n,n)[ ((i,j),+/v) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k,
                              let v = a*b, group by (i,j) ];
        (A, B, C);
    """
    a, b, c = run(source, engine, block, n=11)
    assert len(np.unique(a)) == 121
    assert not np.array_equal(a, b)
    np.testing.assert_allclose(c, a @ b, rtol=1e-12)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_multiplication_by_loops(engine: str, block: int | None) -> None:
    source = example("matmul_loops").replace("R;", "(M, N, R);")
    m, n, r = run(source, engine, block, n=10)
    np.testing.assert_allclose(r, m @ n, rtol=1e-12)


@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_addition_of_sparse_matrices(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input A: matrix[Double]; input B: matrix[Double];
        tensor*(n,n)[ ((i,j),a+b) | ((i,j),a) <= A, ((ii,jj),b) <= B, ii == i, jj == j ];
    """
    a = sparse.random_array((9, 9), density=0.2, rng=np.random.default_rng(1)).tocsr()
    b = sparse.random_array((9, 9), density=0.3, rng=np.random.default_rng(2)).tocsr()
    c = run(source, engine, block, n=9, A=a, B=b)
    np.testing.assert_allclose(c, (a + b).toarray())


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
@pytest.mark.parametrize("is_sparse", [False, True])
def test_row_sums(is_sparse: bool, engine: str, block: int | None) -> None:
    source = """
        input n: Int; input A: matrix[Double];
        tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];
    """
    a = np.random.default_rng(3).random((8, 13))
    a[a < 0.5] = 0.0
    sums = run(source, engine, block, n=8, A=sparse.csr_array(a) if is_sparse else a)
    np.testing.assert_allclose(sums, a.sum(axis=1), rtol=1e-12)


def factorization(
    r: np.ndarray, p: np.ndarray, q: np.ndarray, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    a, b = 0.002, 0.02
    n, m = r.shape
    for _ in range(steps):
        e = r - p @ q
        p = p + a * (2 * e @ q.T - m * b * p)
        q = q + a * (2 * p.T @ e - n * b * q)
    return p, q


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_factorization(engine: str, block: int | None) -> None:
    source = example("factorization")
    source = source.replace("steps < 10", "steps < 3")
    first = source.replace("steps < 3", "steps < 0").replace("(P,Q);", "(R,P,Q);")
    r, p, q = run(first, engine, block, n=9, m=8, l=4)
    result = run(source, engine, block, n=9, m=8, l=4)
    for got, wanted in zip(result, factorization(r, p, q, 3), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-9)


@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_a_guard_protects_an_integer_division(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input V: vector[Int]; input W: vector[Int];
        tensor*(n)[ (i,v/w) | (i,v) <- V, (ii,w) <- W, ii == i, w != 0 ];
    """
    v = np.array([7, -7, 9, 4, 5])
    w = np.array([2, 2, 0, -3, 0])
    result = run(source, engine, block, n=5, V=v, W=w)
    np.testing.assert_array_equal(result, [3, -3, 0, -1, 0])


@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_partial_updates(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input V: vector[Double];
        var W = V;
        for i = 1, n-2 do W[i] = V[i-1] + V[i+1];
        for i = 0, n-1 do if (V[i] > 0.5) W[i] += 1.0;
        W;
    """
    v = np.random.default_rng(5).random(12)
    w = v.copy()
    w[1:-1] = v[:-2] + v[2:]
    w[v > 0.5] += 1.0
    np.testing.assert_allclose(run(source, engine, block, n=12, V=v), w)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_scalars_and_totals(engine: str, block: int | None) -> None:
    source = """
        input V: vector[Double]; input L: list[(Int,Double)];
        var total = 0.0;
        for (i,v) in V do total += v*v;
        (total, +/[ x*v | (i,x) <- L, (ii,v) <- V, ii == i ], max/[ x | (i,x) <- L ]);
    """
    rng = np.random.default_rng(6)
    v, x, keys = rng.random(15), rng.random(20), rng.integers(0, 15, 20)
    rows = list(zip(keys.tolist(), x.tolist(), strict=True))
    total, dot, largest = run(source, engine, block, V=v, L=rows)
    assert total == pytest.approx(v @ v)
    assert dot == pytest.approx(float(x @ v[keys]))
    assert largest == pytest.approx(x.max())


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("engine", "block"), ENGINES)
def test_transpose_and_diagonal(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input m: Int; input A: matrix[Double];
        var T = tensor*(m,n)[ ((j,i),a) | ((i,j),a) <- A ];
        var D = tensor*(n)[ (i,a) | ((i,j),a) <- A, i == j ];
        (T, D);
    """
    a = np.random.default_rng(8).random((6, 10))
    transposed, diagonal = run(source, engine, block, n=6, m=10, A=a)
    np.testing.assert_array_equal(transposed, a.T)
    np.testing.assert_array_equal(diagonal, np.diag(a))


@pytest.mark.parametrize(("engine", "block"), ENGINES[:3])
def test_a_division_that_no_row_reaches(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input m: Int; input V: vector[Double];
        tensor*(n)[ (g,max/v) | (i,v) <- V, let t = 0, t != 0 && m / t < 2, group by g: i % n ];
    """
    result = run(source, engine, block, n=3, m=2, V=np.ones(3))
    np.testing.assert_array_equal(result, np.zeros(3))


@pytest.mark.parametrize(("engine", "block"), ENGINES[:3])
def test_guards_that_protect_a_reduction(engine: str, block: int | None) -> None:
    source = """
        input s: Double; input t: Int; input V: vector[Int];
        (+/[ v | (i,v) <- V, 0.5 > s ], max/[ s | (i,v) <- V, v != 0, 0.5 > s ],
         +/[ v | (i,v) <- V, v > 9, 3 / t > 0 ])
    """
    v = np.arange(4)
    assert run(source, engine, block, s=0.75, t=0, V=v) == (0, -np.inf, 0)
    assert run(source, engine, block, s=0.25, t=0, V=v) == (6, 0.25, 0)


@pytest.mark.parametrize(("engine", "block"), ENGINES[:3])
def test_zeros_of_a_sparse_array_are_no_entries(engine: str, block: int | None) -> None:
    source = """
        input n: Int;
        var A = tensor*()(n)[ (i,i % 2) | i <- 0..n-1 ];
        var B = tensor*()(n)[ (i,+/v) | (i,a) <- A, let v = a - 1, group by i ];
        (A.length, +/[ 1 | (i,a) <- A ], +/[ 1 | (i,b) <- B ])
    """
    assert run(source, engine, block, n=5) == (5, 2, 0)


@pytest.mark.parametrize(("engine", "block"), ENGINES[:3])
def test_an_unused_read_outside_an_array_drops_the_row(engine: str, block: int | None) -> None:
    source = """
        input n: Int; input V: vector[Int];
        tensor*(n)[ (i,v + V[i+1] * 0) | (i,v) <- V ];
    """
    np.testing.assert_array_equal(run(source, engine, block, n=3, V=np.array([5, 6, 7])), [5, 6, 0])
