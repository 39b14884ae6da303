"""Small programs at every level that the interpreter runs, against NumPy."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from diablo.diagnostics import RunError
from diablo.frontend.importer import import_program
from diablo.passes.interpreter.interpreted_values import Array
from diablo.passes.interpreter.interpreter import interpret
from diablo.registry import available_passes, new_context

STAGES = (
    "convert-diablo-to-comprehension",
    "expand-reads",
    "canonicalize",
    "cse",
    "comprehension-normalize",
    "expand-random",
    "infer-sparsity",
    "resolve-dimensions",
    "canonicalize",
    "cse",
)


def plain(value: Any) -> Any:
    return value.to_numpy() if isinstance(value, Array) else value


def run_everywhere(text: str, inputs: Mapping[str, Any], check: Callable[..., None]) -> ModuleOp:
    """Call `check` with the results at the source level and after each pass."""
    module = import_program(text, "test.diablo")
    check(*map(plain, interpret(module, inputs)))
    context, passes = new_context(), available_passes()
    for stage in STAGES:
        passes[stage]()().apply(context, module)
        module.verify()
        check(*map(plain, interpret(module, inputs)))
    return module


def random_array(occurrence: int, *dims: int, seed: int = 0) -> np.ndarray:
    """Return what `random()` gives, computed with NumPy's 64-bit words."""

    def mix(z: np.ndarray) -> np.ndarray:
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    with np.errstate(over="ignore"):
        start = np.uint64(seed) * np.uint64(0xD1342543DE82EF95)
        start += np.uint64(occurrence) * np.uint64(0xAF251AF3B0F025B5)
        state = mix(np.full(dims, start + np.uint64(0x9E3779B97F4A7C15), dtype=np.uint64))
        for index in np.indices(dims, dtype=np.uint64):
            state = mix(state ^ (index * np.uint64(0x9E3779B97F4A7C15)))
    return (state >> np.uint64(11)).astype(np.float64) * 2.0**-53


def close_to(*expected: Any) -> Callable[..., None]:
    def check(*results: Any) -> None:
        assert len(results) == len(expected)
        for result, wanted in zip(results, expected, strict=True):
            np.testing.assert_allclose(result, wanted, rtol=1e-12, atol=1e-15)

    return check


def test_product_by_comprehension() -> None:
    text = """
    input n: Int; input m: Int;
    var A = tensor*(n,m)[ ((i,j),random()) | i <- 0..n-1, j <- 0..m-1 ]
    var B = tensor*(m)(n)[ ((i,j),random()) | i <- 0..m-1, j <- 0..n-1 ]
    tensor*(n,n)[ ((i,j),+/v) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k, let v = a*b,
                                group by (i,j) ];
    """
    expected = random_array(0, 4, 3) @ random_array(1, 3, 4)
    run_everywhere(text, {"n": 4, "m": 3}, close_to(expected))


def test_random_depends_on_the_seed() -> None:
    text = "input n: Int; tensor*(n)[ (i,random()) | i <- 0..n-1 ];"
    run_everywhere(text, {"n": 5}, close_to(random_array(0, 5)))
    run_everywhere(text, {"n": 5, "seed": 7}, close_to(random_array(0, 5, seed=7)))


def test_product_by_loops() -> None:
    text = """
    input M: matrix[Double]; input N: matrix[Double]; input n: Int; input l: Int;
    var R = tensor*(n,n)[ ((i,j),1.0) | i <- 0..n-1, j <- 0..n-1 ];
    for i = 0, n-1 do
        for j = 0, n-1 do {
             R[i,j] = 0.0;
             for k = 0, l-1 do
                 R[i,j] += M[i,k]*N[k,j];
        };
    R;
    """
    rng = np.random.default_rng(1)
    m, n = rng.random((4, 3)), rng.random((3, 4))
    run_everywhere(text, {"M": m, "N": n, "n": 4, "l": 3}, close_to(m @ n))


def test_addition_with_a_full_scan() -> None:
    text = """
    input n: Int;
    var A = tensor*(n)(n)[ ((i,j),random()) | i <- 0..n-1, j <- 0..n-1, i < j ]
    var B = tensor*(n)(n)[ ((i,j),random()) | i <- 0..n-1, j <- 0..n-1, j < 2 ]
    tensor*(n,n)[ ((i,j),a+b) | ((i,j),a) <= A, ((ii,jj),b) <= B, ii == i, jj == j ];
    """
    a, b = np.triu(random_array(0, 4, 4), 1), random_array(1, 4, 4)
    b[:, 2:] = 0
    run_everywhere(text, {"n": 4}, close_to(a + b))


def test_addition_of_stored_elements_only() -> None:
    text = """
    input n: Int;
    var A = tensor*(n)(n)[ ((i,j),1.0) | i <- 0..n-1, j <- 0..n-1, i < j ]
    var B = tensor*(n)(n)[ ((i,j),2.0) | i <- 0..n-1, j <- 0..n-1, j < 2 ]
    tensor*(n,n)[ ((i,j),a+b) | ((i,j),a) <- A, ((ii,jj),b) <- B, ii == i, jj == j ];
    """
    expected = np.zeros((4, 4))
    expected[0, 1] = 3.0
    run_everywhere(text, {"n": 4}, close_to(expected))


def test_row_sums() -> None:
    text = """
    input n: Int; input m: Int;
    var A = tensor*(n,m)[ ((i,j),random()) | i <- 0..n-1, j <- 0..m-1 ];
    tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];
    """
    run_everywhere(text, {"n": 4, "m": 3}, close_to(random_array(0, 4, 3).sum(axis=1)))


def test_factorization() -> None:
    text = """
    input R: matrix[Double]; input n: Int; input m: Int; input l: Int;
    var P = tensor*(n,l)[ ((i,j),0.0) | i <- 0..n-1, j <- 0..l-1 ];
    var Q = tensor*(l,m)[ ((i,j),0.0) | i <- 0..l-1, j <- 0..m-1 ];
    var pq = R;
    var E = R;
    var a: Double = 0.002;
    var b: Double = 0.02;
    for i = 0, n-1 do
        for k = 0, l-1 do
            P[i,k] = random();
    for k = 0, l-1 do
        for j = 0, m-1 do
            Q[k,j] = random();
    var steps: Int = 0;
    while ( steps < 3 ) {
      steps += 1;
      for i = 0, n-1 do
          for j = 0, m-1 do {
              pq[i,j] = 0.0;
              for k = 0, l-1 do
                  pq[i,j] += P[i,k]*Q[k,j];
              E[i,j] = R[i,j]-pq[i,j];
              for k = 0, l-1 do {
                  P[i,k] += a*(2*E[i,j]*Q[k,j]-b*P[i,k]);
                  Q[k,j] += a*(2*E[i,j]*P[i,k]-b*Q[k,j]);
              };
          };
    };
    (P,Q);
    """
    n, m, rank = 3, 4, 2
    r = np.random.default_rng(2).random((n, m))
    a, b = 0.002, 0.02
    p, q = random_array(0, n, rank), random_array(1, rank, m)
    for _ in range(3):
        e = r - p @ q
        p = p + a * (2 * e @ q.T - b * m * p)
        q = q + a * (2 * p.T @ e - b * n * q)
    run_everywhere(text, {"R": r, "n": n, "m": m, "l": rank}, close_to(p, q))


def test_pagerank() -> None:
    text = """
    input G: list[(Int,Int)]; input N: Int;
    var b = 0.85;
    var C = tensor*(N)[ (i,j.length) | (i,j) <- G, group by i ];
    var E = tensor*(N)(N)[ ((i,j),1.0/c) | (i,j) <- G, (ii,c) <- C, ii == i ];
    var P = tensor*(N)[ (i,1.0/N) | i <- 0..N-1 ];
    var k = 0;
    while (k < 10) {
      k += 1;
      var Q = P;
      for i = 0, N-1 do
          P[i] = (1-b)/N;
      for i = 0, N-1 do
          for j = 0, N-1 do
              P[i] += b*E[j,i]*Q[j];
    };
    P;
    """
    edges = [(0, 1), (0, 2), (1, 2), (2, 0), (3, 0), (3, 2), (4, 1)]
    size = 5
    matrix = np.zeros((size, size))
    for i, j in edges:
        matrix[i, j] = 1 / sum(edge[0] == i for edge in edges)
    ranks = np.full(size, 1 / size)
    for _ in range(10):
        ranks = 0.15 / size + 0.85 * matrix.T @ ranks
    module = run_everywhere(text, {"G": edges, "N": size}, close_to(ranks))
    names = [op.name for op in module.walk()]
    assert "tensor.extract" not in names
    assert "tensor.dim" not in names


def test_a_bulk_loop_reads_what_the_array_held_before() -> None:
    text = """
    input V: vector[Double]; input n: Int;
    var W = V;
    for i = 1, n-1 do
        W[i] = W[i-1];
    W;
    """
    run_everywhere(text, {"V": np.arange(4.0), "n": 4}, close_to([0.0, 0.0, 1.0, 2.0]))


def test_a_read_outside_the_array_drops_the_iteration() -> None:
    text = """
    input V: vector[Double]; input n: Int;
    var W = V;
    for i = 0, n-1 do
        W[i] = V[i+1] + V[i-1];
    W;
    """
    run_everywhere(text, {"V": np.arange(4.0), "n": 4}, close_to([0.0, 2.0, 4.0, 3.0]))


def test_branches_and_scalars_in_a_loop() -> None:
    text = """
    input V: vector[Double]; input n: Int;
    var W = V;
    var total = 0.0;
    var least = 100.0;
    for i = 0, n-1 do {
        if (V[i] > 1.5) W[i] = -V[i]
        else total += V[i];
        least min= W[i];
    };
    (W, total, least);
    """
    check = close_to([0.0, 1.0, -2.0, -3.0], 1.0, -3.0)
    run_everywhere(text, {"V": np.arange(4.0), "n": 4}, check)


def test_a_guard_protects_a_division() -> None:
    text = """
    input L: list[(Int,Int)];
    var s = 0;
    for (a,b) in L do
        if (b != 0 && a / b > 1) s += a / b;
    s;
    """
    run_everywhere(text, {"L": [(7, 2), (1, 0), (-9, -2), (3, 2)]}, close_to(3 + 4))


def test_division_by_zero_names_its_place() -> None:
    module = import_program("input n: Int;\n1 / n;\n", "test.diablo")
    with pytest.raises(RunError, match=r"^test\.diablo:2:\d+: .*division by zero"):
        interpret(module, {"n": 0})


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[ z | x <- L, let z = 10 / x, x > 0 ];", [(10,), (5,)]),
        ("var s = 0; for x in L do { var y = 10 / x; if (x > 0) s += y; }; s;", 15),
        ("var s = 0; for x in L do s += V[10 / x] + V[x - 9]; s;", 0),
        ("[ (b, +/x) | x <- L, let z = 10 / x, group by b: x > 0 ];", [(False, 0), (True, 3)]),
        ("[ z | x <- L, z <- [x, 10 / x], x > 0 ];", [(1,), (10,), (2,), (5,)]),
        ("[ x | x <- L, z <- [10 / x] ];", [(1,), (0,), (2,)]),
        ("[ z | (x,z) <- [ (x, 10 / x) | x <- L ], x > 0 ];", [(10,), (5,)]),
        ("[ z | (x,z) <- [ (x, 10 / x + V[x]) | x <- L ], x > 0 ];", [(14,)]),
    ],
)
def test_a_failure_of_what_nothing_needs_is_set_aside(body: str, expected: object) -> None:
    text = f"input L: list[Int]; input V: vector[Int];\n{body}"
    failures: list[RunError] = []
    inputs = {"L": [1, 0, 2], "V": [3, 4]}
    assert interpret(import_program(text, "test.diablo"), inputs, set_aside=failures) == [expected]
    assert {str(failure).partition(": ")[2] for failure in failures} == {"integer division by zero"}


@pytest.mark.parametrize(
    "body",
    [
        "[ z | x <- L, let z = 10 / x ];",
        "[ x | x <- L, let z = 10 / x, z > 0 ];",
        "[ y | x <- L, y <- 0 .. 10 / x ];",
        "[ (z, +/x) | x <- L, group by z: 10 / x ];",
        "[ (b, +/z) | x <- L, let z = 10 / x, group by b: x > 0 ];",
        "[ z | x <- L, z <- [x, 10 / x] ];",
        "[ x | x <- L, z <- [10 / x], z > 0 ];",
        "[ (x, [10 / x]) | x <- L ];",
        "[ z.length | x <- L, let z = [10 / x] ];",
        "[ z | (x,z) <- [ (x, 10 / x) | x <- L ] ];",
        "[ 10 / x | x <- L ].length;",
    ],
)
def test_a_failure_of_what_a_row_needs_is_one(body: str) -> None:
    module = import_program(f"input L: list[Int];\n{body}", "test.diablo")
    with pytest.raises(RunError, match=r"^test\.diablo:2:\d+: integer division by zero"):
        interpret(module, {"L": [1, 0, 2]})
