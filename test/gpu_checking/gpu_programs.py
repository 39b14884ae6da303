"""Programs of every kind of kernel, and the examples, with inputs to run them on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse

from gpu_checking.complex_programs import complex_programs
from gpu_checking.random_inputs import (
    EXTENTS,
    SHAPES,
    Inputs,
    Named,
    bins_of,
    matrices,
    matrix_with_long_rows,
    random_array,
    sparse_matrices,
    vectors,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_TYPES = {
    "Double": np.float64,
    "Float": np.float32,
    "Long": np.int64,
    "Int32": np.int32,
    "Int16": np.int16,
    "Int8": np.int8,
    "UInt64": np.uint64,
    "UInt32": np.uint32,
    "UInt16": np.uint16,
    "UInt8": np.uint8,
}


def kinds() -> Iterator[Named]:
    """A program for each way in which loops are dealt out to threads, and for each type."""
    for type, dtype in _TYPES.items():
        head = f"input x: vector[{type}]; var n = x.length;"
        yield f"points of {type}", f"{head} tensor*(n)[ (i,w*w+w) | (i,w) <- x ];", vectors(dtype)
        yield f"sum of {type}", f"{head} +/[ w | (i,w) <- x ];", vectors(dtype)
        yield f"maximum of {type}", f"{head} max/[ w | (i,w) <- x ];", vectors(dtype)[1:]
    vector = "input x: vector[Double]; var n = x.length;"
    matrix = "input A: matrix[Double]; var n = A.rows; var m = A.cols;"
    for name, body in {
        "exp": "exp(w/9.0)",
        "log": "log(abs(w)+1.0)",
        "sqrt": "sqrt(abs(w))",
        "tanh": "tanh(w)",
        "floor": "floor(w)",
        "sin": "sin(w*1.0e6)",
        "cos of large numbers": "cos(w*1.0e200)",
        "tan": "tan(w)",
        "exp2": "exp2(w)",
        "log2": "log2(abs(w)+0.1)",
        "log10": "log10(abs(w)+0.1)",
        "pow": "pow(abs(w),w)",
    }.items():
        yield f"function {name}", f"{vector} tensor*(n)[ (i,{body}) | (i,w) <- x ];", vectors()
    one_sum = "(+/[ w | (i,w) <- x ], +/[ w*w | (i,w) <- x ], max/[ w | (i,w) <- x ]);"
    texts: dict[str, tuple[str, Callable[[], Sequence[Inputs]]]] = {
        "several folds": (f"{vector} {one_sum}", lambda: vectors()[1:]),
        "points of a matrix": (
            f"{matrix} tensor*(n,m)[ ((i,j),a*2.0+i-j) | ((i,j),a) <- A ];",
            lambda: matrices("A"),
        ),
        "transposed": (
            f"{matrix} tensor*(m,n)[ ((j,i),a) | ((i,j),a) <- A ];",
            lambda: matrices("A"),
        ),
        "sums of rows": (
            f"{matrix} tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];",
            lambda: matrices("A"),
        ),
        "sums of columns": (
            f"{matrix} tensor*(m)[ (j,+/a) | ((i,j),a) <- A, group by j ];",
            lambda: matrices("A"),
        ),
        "sum of a matrix": (f"{matrix} +/[ a | ((i,j),a) <- A ];", lambda: matrices("A")),
        "stencil": (
            f"{matrix} tensor*(n,m)[ ((ii,jj),(+/a)/a.length) | ((i,j),a) <= A, "
            "ii <- i-1..i+1, jj <- j-1..j+1, group by (ii,jj) ];",
            lambda: matrices("A"),
        ),
        "wrapped": (
            f"{vector} tensor*(n)[ (i,x[(i+1)%n]-w+x[(i-3+n)%n]*x[(2*i+1)%n]) | (i,w) <- x ];",
            lambda: vectors()[1:],
        ),
        "wrapped on both sides": (
            f"{matrix} tensor*(n,m)[ ((i,j),A[(i+1)%n,(j-1+m)%m]+A[(i-2+n)%n,(j+3)%m]*a)"
            " | ((i,j),a) <- A ];",
            lambda: matrices("A"),
        ),
        "counts": (
            "input x: vector[Long]; var n = x.length;"
            "tensor(20)[ (k,+/c) | (i,w) <- x, let k = (w%20+20)%20, let c = 1, group by k ];",
            lambda: vectors(np.int64),
        ),
        "product of matrices": (
            "input A: matrix[Double]; input B: matrix[Double]; (A @ B.t, A.t @ B);",
            lambda: matrices("A", "B"),
        ),
        "matrix and vector": (
            "input A: matrix[Double]; input x: vector[Double]; A @ x;",
            lambda: [{"A": random_array(*shape), "x": random_array(shape[1])} for shape in SHAPES],
        ),
        "least sums": (
            "input A: matrix[Double]; var n = A.rows;"
            "tensor*(n,n)[ ((i,j),min/w) | ((i,k),a) <- A, ((kk,j),b) <- A, kk == k,"
            " let w = a+b, group by (i,j) ];",
            lambda: [{"A": random_array(n, n)} for n in (1, 7, 33, 100)],
        ),
        "sparse matrix and vector": (
            "input A: matrix[Double]; input x: vector[Double]; A @ x;",
            sparse_matrices,
        ),
        "sparse matrix and vector of Float": (
            "input A: matrix[Float]; input x: vector[Float]; A @ x;",
            lambda: [
                {key: v.astype(np.float32) for key, v in case.items()} for case in sparse_matrices()
            ],
        ),
        "long rows": (
            "input A: matrix[Double]; input x: vector[Double]; A @ x;",
            lambda: [matrix_with_long_rows(np.float64)],
        ),
        "long rows of Float": (
            "input A: matrix[Float]; input x: vector[Float]; A @ x;",
            lambda: [matrix_with_long_rows(np.float32)],
        ),
        "product of sparse matrices": (
            "input A: matrix[Double]; input x: vector[Double]; A @ A.t;",
            sparse_matrices,
        ),
        "sum of a sparse matrix": (
            "input A: matrix[Double]; input x: vector[Double]; +/[ a*a | ((i,j),a) <- A ];",
            sparse_matrices,
        ),
        "points of a sparse matrix": (
            "input A: matrix[Double]; input x: vector[Double]; var n = A.rows; var m = A.cols;"
            "tensor(n)(m)[ ((i,j),a*x[j]) | ((i,j),a) <- A ];",
            sparse_matrices,
        ),
        "loop": (
            f"{vector} input steps: Int = 9; var v = x; var s = 1.0; var k = 0;"
            "while (k < steps) { s = 1.0+max/[ abs(w) | (i,w) <- v ];"
            "v = tensor*(n)[ (i,w/s+0.5) | (i,w) <- v ]; k += 1; }; (v, s);",
            lambda: vectors()[1:],
        ),
        "running sums": (
            f"{vector} tensor*(n)[ (i,+/[ w | (j,w) <- x, j <= i ]) | i <- 0..n-1 ];",
            vectors,
        ),
        "running maxima of rows": (
            f"{matrix} tensor*(n,m)[ ((r,i),max/[ A[r,j] | j <- 0..i ])"
            " | r <- 0..n-1, i <- 0..m-1 ];",
            lambda: matrices("A"),
        ),
        "random numbers": (
            "input n: Int; tensor*(n)[ (i,random()) | i <- 0..n-1 ];",
            lambda: [{"n": n} for n in EXTENTS],
        ),
    }
    for name, (text, inputs) in texts.items():
        yield name, text, inputs()
    yield from complex_programs()
    yield from row_programs()


def row_programs() -> Iterator[Named]:
    """A program for each kind of kernel over rows, and for folds whose order matters."""
    least = "monoid least((Double,Int)) = ((inf,-1), (x,y) => if (x._1 <= y._1) x else y);"
    table = "input V: list[(Int,Double)];"
    two = f"{table} input W: list[(Int,Double)];"
    for name, text in {
        "filter of rows": f"{table} [ (k,v*2.0) | (k,v) <- V, v > 0.5 ];",
        "groups": f"{table} [ (k,+/v,max/v,count/v) | (k,v) <- V, group by k ];",
        "groups by two keys": f"{table} [ (k,b,+/v) | (k,v) <- V, let b = v > 0.0,"
        " group by (k,b) ];",
        "fold of rows": f"{table} +/[ v*v | (k,v) <- V, v > 0.5 ];",
        "own monoid": f"{table} {least} least/[ (v,k) | (k,v) <- V ];",
        "join": f"{two} [ (k,v*w) | (k,v) <- V, (l,w) <- W, k == l ];",
        "join and groups": f"{two} [ (k,+/w) | (k,v) <- V, (l,w) <- W, k == l, group by k ];",
    }.items():
        yield name, text, [_tables(n, two="W:" in text) for n in EXTENTS[1:]]
    head = "input k: vector[Long]; input x: vector[Double]; input n: Int;"
    for name, text in {
        "bins of floats": "tensor*(n)[ (j,+/w) | (i,j) <- k, (l,w) <- x, l == i, group by j ];",
        "bins of two kinds": "tensor*(n,2)[ ((j,q),+/w) | (i,j) <- k, (l,w) <- x, l == i,"
        " let q = i%2, group by (j,q) ];",
    }.items():
        yield name, f"{head} {text}", [bins_of(m, n) for m in EXTENTS for n in (1, 7, 3000)]


def _tables(n: int, *, two: bool) -> Inputs:
    """Tables of n rows and of half as many, whose keys have four rows each on average."""
    generator = np.random.default_rng(n)

    def table(count: int) -> Any:
        return generator.integers(-3, n // 4 + 1, count), generator.normal(size=count)

    return {"V": table(n), "W": table(n // 2 + 1)} if two else {"V": table(n)}


def tiled_programs() -> Iterator[Named]:
    """Programs over tiles that lie on several devices."""
    square = random_array(50, 50)
    loop = "var k = 0; while (k < 3) {{ {} k += 1; }};"
    head = "input A: matrix[Double]; var n = A.rows; var B = A;"
    yield (
        "element-wise on two devices",
        head + loop.format("B = 0.5*B + A;") + "B;",
        [{"A": square}],
    )
    yield (
        "stencil on two devices",
        head
        + loop.format(
            "B = tensor*(n,n)[ ((i,j),0.2*(B[i,j]+B[(i+1)%n,j]+B[i,(j+1)%n]))"
            " | i <- 0..n-1, j <- 0..n-1 ];"
        )
        + "B;",
        [{"A": square}],
    )
    yield (
        "products on two devices",
        head + loop.format("B = 0.1 * (A @ B);") + "B;",
        [{"A": square}],
    )
    yield (
        "sums on two devices",
        "input A: matrix[Double]; (tensor*(A.rows)[ (i,+/a) | ((i,j),a) <- A, group by i ],"
        "+/[ a | (_,a) <- A, a > 0.0 ]);",
        [{"A": square}],
    )
    sparse_matrix = sparse.csr_array(np.where(square > 1, square, 0))
    yield (
        "sparse products on two devices",
        "input A: matrix[Double]; input x: vector[Double]; A @ (A @ x);",
        [{"A": sparse_matrix, "x": random_array(50)}],
    )
    for name in ("jacobi", "factorization", "pagerank"):
        given = {key: (text, inputs) for key, text, inputs in example_programs()}
        if f"examples/{name}" in given:
            yield f"examples/{name} on two devices", *given[f"examples/{name}"]


def large_programs(scale: float) -> Iterator[Named]:
    """More elements than 31 bits count, where nothing is scaled."""
    count = round(scale * (1 << 31)) + 1001
    x = np.zeros(count, np.int8)
    x[:: max(count // 1000, 1)] = 1
    x[-1] = 1
    text = (
        "input x: vector[Int8]; var n = x.length; var y = tensor*(n)[ (i,a+a) | (i,a) <- x ];"
        "(y, +/[ 1 | (i,a) <- x, a == 1 ], max/[ i | (i,a) <- x, a == 1 ]);"
    )
    yield "more elements than 31 bits count", text, [{"x": x}]


def example_programs() -> Iterator[Named]:
    words = ["sea", "shell", "shore", "sea"]
    pairs = [(1, 2), (2, 3), (3, 1), (1, 3), (4, 1)]
    square = random_array(40, 40)
    inputs: dict[str, Inputs] = {
        "addition": {"n": 30},
        "addition_dense": {"n": 30, "m": 20},
        "average": {"V": [1.0, 2.0, 4.0]},
        "chain": {"A": random_array(5, 8), "B": random_array(8, 4), "C": random_array(4, 6)},
        "conditional_sum": {"V": [1.0, 200.0, 3.0]},
        "covariance": {"X": random_array(90, 12)},
        "equal": {"V": words, "x": "sea"},
        "factorization": {},
        "group_by": {"V": [(1, 2.0), (2, 3.0), (1, 4.0)]},
        "histogram": {"P": [(1, 2, 3), (255, 2, 0), (1, 0, 3)]},
        "jacobi": {"A": square + 80 * np.eye(40), "b": random_array(40)},
        "kmeans": {
            "P": [(0.1, 0.2), (0.9, 1.0), (0.2, 0.1), (1.0, 0.8)],
            "C": [(0, 0.0, 0.0), (1, 1.0, 1.0)],
            "K": 2,
        },
        "linear_regression": {"P": [(1.0, 2.1), (2.0, 3.9), (3.0, 6.2)]},
        "matmul": {"n": 40},
        "matmul_loops": {"n": 40},
        "neural_network": {
            "X": random_array(9, 4),
            "Y": random_array(9, 2),
            "W1": random_array(4, 5),
            "W2": random_array(5, 2),
        },
        "pagerank": {"G": pairs, "N": 5},
        "pagerank_boolean": {"E": sparse.csr_array(random_array(50, 50) > 1.5)},
        "product": {"A": square, "B": square},
        "reverse_index": {"links": [("a", "b"), ("c", "b")]},
        "rotation": {"M": random_array(8, 5)},
        "row_sums": {"n": 40, "m": 30},
        "shortest_paths": {"D": np.abs(random_array(30, 30))},
        "smoothing": {"M": square},
        "sparse_tensor": {},
        "stencil": {"A": square},
        "string_match": {"words": words},
        "word_count": {"lines": ["she sells sea shells", "sea shells"]},
    }
    for name, given in inputs.items():
        path = EXAMPLES / f"{name}.diablo"
        if path.exists():
            yield f"examples/{name}", path.read_text(encoding="utf-8"), [given]
