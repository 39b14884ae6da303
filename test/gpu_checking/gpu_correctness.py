"""Programs of every kind of kernel, and the examples, on the device against the processor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
import scipy.sparse as sparse

from diablo.api import Program
from diablo.diagnostics import Diagnostic
from diablo.runtime.device.device import Device
from diablo.runtime.results.result_types import DistributedArray, Map, Rows

Inputs = Mapping[str, Any]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_EXTENTS = (0, 1, 31, 32, 33, 1023, 1025, 70_000)
_SHAPES = ((0, 5), (5, 0), (1, 1025), (1025, 1), (33, 31), (513, 3), (3, 1030), (300, 300))
_TYPES = {
    "Double": np.float64,
    "Float": np.float32,
    "Long": np.int64,
    "Int32": np.int32,
    "Int16": np.int16,
    "Int8": np.int8,
}
_REFUSED = " does not run on a GPU: "
_TOLERANCE = 1e-9
_SINGLE = 1e-4
_SINGLE_TYPES = ("[Float]", "[Complex64]")


@dataclass(frozen=True)
class Checked:
    """What came of one program: nothing wrong, or what is; and what was left to the processor."""

    name: str
    failure: str = ""
    launches: int = 0
    left: list[str] = field(default_factory=list[str])


def checks(device: Device, only: Sequence[str] = (), scale: float = 1.0) -> Iterator[Checked]:
    """Check every kind of kernel, then the examples, where these are at hand, and large arrays."""
    for name, text, inputs in (*_kinds(), *_examples(), *_large(scale)):
        if not only or any(part in name for part in only):
            yield _check(device, name, text, inputs)
    for name, text, inputs in _rows():
        if "bins of" in name or name == "groups":
            name = f"{name}, added as threads come"
            if not only or any(part in name for part in only):
                yield _check(device, name, text, inputs, fast_atomics=True)
    for name, text, inputs in _tiled():
        if not only or any(part in name for part in only):
            # Two contexts of one GPU, whose tiles go from one to the other as between two GPUs.
            yield _check(device, name, text, inputs, on="gpu:0,0", block_size=16)


def _check(
    device: Device,
    name: str,
    text: str,
    cases: Sequence[Inputs],
    *,
    on: str = "gpu",
    block_size: int | None = None,
    fast_atomics: bool = False,
) -> Checked:
    said: list[Diagnostic] = []
    before = device.traffic.launches
    try:
        options = {"device": on, "block_size": block_size, "fast_atomics": fast_atomics}
        there = Program(text, listener=said.append, **cast(Any, options))
        here = Program(text, listener=lambda _: None)
        single = any(type in text for type in _SINGLE_TYPES)
        tolerance = _SINGLE if single else _TOLERANCE
        for inputs in cases:
            _compare(_plain(there(**inputs)), _plain(here(**inputs)), tolerance)
    except AssertionError as error:
        return Checked(name, " ".join(str(error).split()))
    except Exception as error:
        # Whatever a driver raises is a line of the report, and the next program is run.
        return Checked(name, f"{type(error).__name__}: {' '.join(str(error).split())}")
    reasons = [d.message.partition(_REFUSED)[2] for d in said if _REFUSED in d.message]
    left = list(dict.fromkeys(reasons))
    return Checked(name, "", device.traffic.launches - before, left)


def _plain(value: Any) -> Any:
    """A result as NumPy arrays, numbers, sorted lists and dictionaries."""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, Map):
        return {key: _plain(item) for key, item in value.to_dict().items()}
    if isinstance(value, list | Rows):
        return sorted(map(_plain, value))  # pyright: ignore[reportUnknownArgumentType]
    return value.to_numpy() if isinstance(value, DistributedArray) else value


def _compare(found: Any, expected: Any, tolerance: float) -> None:
    """Compare two results; sums may be added up in another order."""
    if getattr(expected, "dtype", None) == np.int8:
        assert np.array_equal(found, expected), "other elements"  # In little memory.
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys(), "other keys"
        for key, value in expected.items():  # pyright: ignore[reportUnknownVariableType]
            _compare(found[key], value, tolerance)
    elif isinstance(expected, list):
        assert len(found) == len(expected), "another length"  # pyright: ignore
        for part, wanted in zip(found, expected, strict=True):  # pyright: ignore
            _compare(part, wanted, tolerance)
    elif isinstance(expected, str | bool):
        assert found == expected, f"{found} where {expected} is right"
    else:
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def _random(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).normal(size=shape)


def _vectors(type: Any = np.float64) -> list[Inputs]:
    return [{"x": (_random(n) * 9).astype(type)} for n in _EXTENTS]


def _matrices(*names: str) -> list[Inputs]:
    return [{name: _random(*shape) for name in names} for shape in _SHAPES]


def _sparse() -> list[Inputs]:
    cases: list[Inputs] = []
    for n, density in ((1, 1.0), (40, 0.0), (500, 0.01), (500, 0.2), (2000, 0.0005)):
        generator = np.random.default_rng(n)
        matrix: Any = cast(Any, sparse).random_array(
            (n, n), density=density, format="csr", rng=generator
        )
        cases.append({"A": matrix, "x": _random(n)})
    return cases


def _kinds() -> Iterator[tuple[str, str, Sequence[Inputs]]]:
    """A program for each way in which loops are dealt out to threads, and for each type."""
    for type, dtype in _TYPES.items():
        head = f"input x: vector[{type}]; var n = x.length;"
        yield f"points of {type}", f"{head} tensor*(n)[ (i,w*w+w) | (i,w) <- x ];", _vectors(dtype)
        yield f"sum of {type}", f"{head} +/[ w | (i,w) <- x ];", _vectors(dtype)
        yield f"maximum of {type}", f"{head} max/[ w | (i,w) <- x ];", _vectors(dtype)[1:]
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
        yield f"function {name}", f"{vector} tensor*(n)[ (i,{body}) | (i,w) <- x ];", _vectors()
    one_sum = "(+/[ w | (i,w) <- x ], +/[ w*w | (i,w) <- x ], max/[ w | (i,w) <- x ]);"
    texts: dict[str, tuple[str, Callable[[], Sequence[Inputs]]]] = {
        "several folds": (f"{vector} {one_sum}", lambda: _vectors()[1:]),
        "points of a matrix": (
            f"{matrix} tensor*(n,m)[ ((i,j),a*2.0+i-j) | ((i,j),a) <- A ];",
            lambda: _matrices("A"),
        ),
        "transposed": (
            f"{matrix} tensor*(m,n)[ ((j,i),a) | ((i,j),a) <- A ];",
            lambda: _matrices("A"),
        ),
        "sums of rows": (
            f"{matrix} tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];",
            lambda: _matrices("A"),
        ),
        "sums of columns": (
            f"{matrix} tensor*(m)[ (j,+/a) | ((i,j),a) <- A, group by j ];",
            lambda: _matrices("A"),
        ),
        "sum of a matrix": (f"{matrix} +/[ a | ((i,j),a) <- A ];", lambda: _matrices("A")),
        "stencil": (
            f"{matrix} tensor*(n,m)[ ((ii,jj),(+/a)/a.length) | ((i,j),a) <= A, "
            "ii <- i-1..i+1, jj <- j-1..j+1, group by (ii,jj) ];",
            lambda: _matrices("A"),
        ),
        "wrapped": (
            f"{vector} tensor*(n)[ (i,x[(i+1)%n]-w+x[(i-3+n)%n]*x[(2*i+1)%n]) | (i,w) <- x ];",
            lambda: _vectors()[1:],
        ),
        "wrapped on both sides": (
            f"{matrix} tensor*(n,m)[ ((i,j),A[(i+1)%n,(j-1+m)%m]+A[(i-2+n)%n,(j+3)%m]*a)"
            " | ((i,j),a) <- A ];",
            lambda: _matrices("A"),
        ),
        "counts": (
            "input x: vector[Long]; var n = x.length;"
            "tensor(20)[ (k,+/c) | (i,w) <- x, let k = (w%20+20)%20, let c = 1, group by k ];",
            lambda: _vectors(np.int64),
        ),
        "product of matrices": (
            "input A: matrix[Double]; input B: matrix[Double]; (A @ B.t, A.t @ B);",
            lambda: _matrices("A", "B"),
        ),
        "matrix and vector": (
            "input A: matrix[Double]; input x: vector[Double]; A @ x;",
            lambda: [{"A": _random(*shape), "x": _random(shape[1])} for shape in _SHAPES],
        ),
        "least sums": (
            "input A: matrix[Double]; var n = A.rows;"
            "tensor*(n,n)[ ((i,j),min/w) | ((i,k),a) <- A, ((kk,j),b) <- A, kk == k,"
            " let w = a+b, group by (i,j) ];",
            lambda: [{"A": _random(n, n)} for n in (1, 7, 33, 100)],
        ),
        "sparse matrix and vector": (
            "input A: matrix[Double]; input x: vector[Double]; A @ x;",
            _sparse,
        ),
        "sum of a sparse matrix": (
            "input A: matrix[Double]; input x: vector[Double]; +/[ a*a | ((i,j),a) <- A ];",
            _sparse,
        ),
        "points of a sparse matrix": (
            "input A: matrix[Double]; input x: vector[Double]; var n = A.rows; var m = A.cols;"
            "tensor(n)(m)[ ((i,j),a*x[j]) | ((i,j),a) <- A ];",
            _sparse,
        ),
        "loop": (
            f"{vector} input steps: Int = 9; var v = x; var s = 1.0; var k = 0;"
            "while (k < steps) { s = 1.0+max/[ abs(w) | (i,w) <- v ];"
            "v = tensor*(n)[ (i,w/s+0.5) | (i,w) <- v ]; k += 1; }; (v, s);",
            lambda: _vectors()[1:],
        ),
        "random numbers": (
            "input n: Int; tensor*(n)[ (i,random()) | i <- 0..n-1 ];",
            lambda: [{"n": n} for n in _EXTENTS],
        ),
    }
    for name, (text, inputs) in texts.items():
        yield name, text, inputs()
    yield from _complex()
    yield from _rows()


def _complex() -> Iterator[tuple[str, str, Sequence[Inputs]]]:
    """A program for each way in which complex numbers are dealt out to threads."""
    for type, dtype in (("Complex128", np.complex128), ("Complex64", np.complex64)):
        vectors = [{"x": _complex_numbers(dtype, n)} for n in _EXTENTS]
        matrices = [{"A": _complex_numbers(dtype, *shape)} for shape in _SHAPES]
        vector = f"input x: vector[{type}]; var n = x.length;"
        matrix = f"input A: matrix[{type}]; var n = A.rows; var m = A.cols;"
        for name, body in {
            "points": "w*conj(w)/(w+2.5)-w",
            "magnitudes": "abs(w)+arg(w)",
            "roots and logarithms": "sqrt(w)+log(w+3)",
            "waves": "exp(w)*sin(w)+cosh(w)/tanh(w)",
        }.items():
            text = f"{vector} tensor*(n)[ (i,{body}) | (i,w) <- x ];"
            yield f"{name} of {type}", text, vectors
        numbers = (
            "(+/[ w*w | (i,w) <- x ], +/[ abs(w) | (i,w) <- x ], */[ w/abs(w) | (i,w) <- x ]);"
        )
        yield f"folds of {type}", f"{vector} {numbers}", vectors[1:]
        normed = "var s = +/[ w*w | (i,w) <- x ]; tensor*(n)[ (i,w/s+s) | (i,w) <- x ];"
        yield f"a number of {type} that stays", f"{vector} {normed}", vectors[1:]
        bins = "input k: vector[Long]; input n: Int; tensor*(n)[ (j,+/w) | (i,j) <- k, (l,w) <- x,"
        given = [_bins(m, n) for m in _EXTENTS for n in (1, 7, 3000)]
        parts = [{**case, "x": (case["x"] * (1 - 2j)).astype(dtype)} for case in given]
        text = f"input x: vector[{type}]; {bins} l == i, group by j ];"
        yield f"bins of {type}", text, parts
        for name, text in {
            "sums of rows": "tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];",
            "sums of columns": "tensor*(m)[ (j,+/a) | ((i,j),a) <- A, group by j ];",
            "stencil": "tensor*(n,m)[ ((i,j),A[(i+1)%n,j]*a-A[i,(j-1+m)%m]) | ((i,j),a) <- A ];",
            "products": "A @ A.t;",
        }.items():
            yield f"{name} of {type}", f"{matrix} {text}", matrices


def _complex_numbers(dtype: Any, *shape: int) -> Any:
    return (_random(*shape) + 1j * _random(*shape[::-1]).reshape(shape)).astype(dtype)


def _rows() -> Iterator[tuple[str, str, Sequence[Inputs]]]:
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
        yield name, text, [_tables(n, two="W:" in text) for n in _EXTENTS[1:]]
    head = "input k: vector[Long]; input x: vector[Double]; input n: Int;"
    for name, text in {
        "bins of floats": "tensor*(n)[ (j,+/w) | (i,j) <- k, (l,w) <- x, l == i, group by j ];",
        "bins of two kinds": "tensor*(n,2)[ ((j,q),+/w) | (i,j) <- k, (l,w) <- x, l == i,"
        " let q = i%2, group by (j,q) ];",
    }.items():
        yield name, f"{head} {text}", [_bins(m, n) for m in _EXTENTS for n in (1, 7, 3000)]


def _tables(n: int, *, two: bool) -> Inputs:
    """Tables of n rows and of half as many, whose keys have four rows each on average."""
    generator = np.random.default_rng(n)

    def table(count: int) -> Any:
        return generator.integers(-3, n // 4 + 1, count), generator.normal(size=count)

    return {"V": table(n), "W": table(n // 2 + 1)} if two else {"V": table(n)}


def _bins(m: int, n: int) -> Inputs:
    """Vectors of m numbers, and of places for them, of which there are n."""
    generator = np.random.default_rng((m, n))
    return {"k": generator.integers(-1, n + 1, m), "x": generator.normal(size=m), "n": n}


def _tiled() -> Iterator[tuple[str, str, Sequence[Inputs]]]:
    """Programs over tiles that lie on several devices."""
    square = _random(50, 50)
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
        [{"A": sparse_matrix, "x": _random(50)}],
    )
    for name in ("jacobi", "factorization", "pagerank"):
        given = {key: (text, inputs) for key, text, inputs in _examples()}
        if f"examples/{name}" in given:
            yield f"examples/{name} on two devices", *given[f"examples/{name}"]


def _large(scale: float) -> Iterator[tuple[str, str, Sequence[Inputs]]]:
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


def _examples() -> Iterator[tuple[str, str, Sequence[Inputs]]]:
    words = ["sea", "shell", "shore", "sea"]
    pairs = [(1, 2), (2, 3), (3, 1), (1, 3), (4, 1)]
    square = _random(40, 40)
    inputs: dict[str, Inputs] = {
        "addition": {"n": 30},
        "addition_dense": {"n": 30, "m": 20},
        "average": {"V": [1.0, 2.0, 4.0]},
        "chain": {"A": _random(5, 8), "B": _random(8, 4), "C": _random(4, 6)},
        "conditional_sum": {"V": [1.0, 200.0, 3.0]},
        "covariance": {"X": _random(90, 12)},
        "equal": {"V": words, "x": "sea"},
        "factorization": {},
        "group_by": {"V": [(1, 2.0), (2, 3.0), (1, 4.0)]},
        "histogram": {"P": [(1, 2, 3), (255, 2, 0), (1, 0, 3)]},
        "jacobi": {"A": square + 80 * np.eye(40), "b": _random(40)},
        "kmeans": {
            "P": [(0.1, 0.2), (0.9, 1.0), (0.2, 0.1), (1.0, 0.8)],
            "C": [(0, 0.0, 0.0), (1, 1.0, 1.0)],
            "K": 2,
        },
        "linear_regression": {"P": [(1.0, 2.1), (2.0, 3.9), (3.0, 6.2)]},
        "matmul": {"n": 40},
        "matmul_loops": {"n": 40},
        "neural_network": {
            "X": _random(9, 4),
            "Y": _random(9, 2),
            "W1": _random(4, 5),
            "W2": _random(5, 2),
        },
        "pagerank": {"G": pairs, "N": 5},
        "pagerank_boolean": {"E": sparse.csr_array(_random(50, 50) > 1.5)},
        "product": {"A": square, "B": square},
        "reverse_index": {"links": [("a", "b"), ("c", "b")]},
        "rotation": {"M": _random(8, 5)},
        "row_sums": {"n": 40, "m": 30},
        "shortest_paths": {"D": np.abs(_random(30, 30))},
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
