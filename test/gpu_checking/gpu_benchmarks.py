"""How fast kernels are on the device: bytes and operations each second, and a library's time.

Programs do in a loop what is measured, so that launches follow one another as they do where work is
large; the time of one iteration is the difference between many and few of them, of which there are
more until it is larger than what equal runs differ by. Arrays are on the device beforehand, and
results stay there.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from types import ModuleType
from typing import Any, cast

import numpy as np
import scipy.sparse as sparse

from diablo.api import Program
from diablo.diagnostics import RunError
from diablo.runtime.device.device import Device, OutOfDeviceMemoryError
from diablo.runtime.device.sliced_matrices import LATER
from gpu_checking import by_hand
from gpu_checking.card_peaks import peaks_of
from gpu_checking.gpu_programs import EXAMPLES
from gpu_checking.kernel_times import KernelTime, watched
from gpu_checking.random_inputs import complex_numbers

_FEW, _MANY, _MOST = 4, 24, 1600
_REPEATS = 3
_CLEAR = 8
"""How many times what equal runs differ by a difference has to be."""


@dataclass(frozen=True)
class Measured:
    """The time of one iteration, and what it did."""

    name: str
    size: str
    seconds: float = 0.0
    bytes: int = 0
    operations: int = 0
    copying: float = 0.0
    """Bytes each second that a copy on the device reads and writes."""
    library: float = 0.0
    """Seconds that the library takes for the same, called by hand."""
    of_peak: float = 0.0
    """The share of what the card could do by its clocks; 0 if that is not known."""
    failure: str = ""
    kernels: tuple[KernelTime, ...] = ()
    """Where the time goes, if that was asked for."""

    def figures(self) -> dict[str, Any]:
        """All of it, with what follows."""
        figures: dict[str, Any] = asdict(self)
        if self.seconds > 0 and self.bytes:
            figures["gigabytes_per_second"] = self.bytes / self.seconds / 1e9
            if self.copying:
                figures["of_copying"] = self.bytes / self.seconds / self.copying
        if self.seconds > 0 and self.operations:
            figures["gigaflops"] = self.operations / self.seconds / 1e9
        if self.seconds > 0 and self.library:
            figures["of_library"] = self.seconds / self.library
        return figures

    def __str__(self) -> str:
        if self.failure:
            return f"{self.name}: failed: {self.failure}"
        figures = self.figures()
        parts = [f"{self.name} ({self.size}): {self.seconds * 1e3:.4g} ms"]
        if "gigabytes_per_second" in figures:
            parts.append(f"{figures['gigabytes_per_second']:.0f} GB/s")
        if "of_copying" in figures:
            parts.append(f"{100 * figures['of_copying']:.0f} % of a copy")
        if self.of_peak:
            parts.append(f"{100 * self.of_peak:.0f} % of the card's peak")
        if "gigaflops" in figures:
            parts.append(f"{figures['gigaflops']:.0f} GFLOP/s")
        if "of_library" in figures:
            parts.append(f"{figures['of_library']:.2f} of the library's time")
        return ", ".join(parts)


Case = Callable[["Bench"], Iterator[Measured]]


def measurements(
    device: Device, scale: float, problem: str, only: Sequence[str] = (), *, profile: bool = False
) -> Iterator[Measured]:
    """Measure one case after the other, with `profile` its kernels too; failures are lines."""
    bench = Bench(device, scale, problem, profile=profile)
    for name, case in _CASES.items():
        if only and name != "copy" and not any(part in name for part in only):
            continue
        try:
            yield from case(bench)
        except (RunError, OutOfDeviceMemoryError, OSError, ValueError, ArithmeticError) as error:
            yield Measured(name, "", failure=f"{type(error).__name__}: {error}")
        except Exception as error:
            # CuPy's errors have classes of their own, which cannot be named here.
            yield Measured(name, "", failure=f"{type(error).__name__}: {error}")


class Bench:
    """Measures on a device: how large arrays are, how fast it copies, whether kernels are timed."""

    def __init__(self, device: Device, scale: float, problem: str, *, profile: bool):
        self.device = device
        self.scale = scale
        self.problem = problem
        self.profile = profile
        self.copying = 0.0
        self.peaks = peaks_of(device)
        self._kernels: tuple[KernelTime, ...] = ()

    def extent(self, most: int, dimensions: int = 1) -> int:
        """An extent of arrays of `dimensions` dimensions with `most` elements by default."""
        return max(2, round((most * self.scale) ** (1 / dimensions)))

    def here(self, *shape: int) -> Any:
        """An array of the device with random elements."""
        return self.device.copy_in(np.random.default_rng(1).random(shape))

    def seconds(self, run: Callable[[], Any]) -> float:
        """The least time of a call, all that it launches included."""
        return self._times(run)[0]

    def _times(self, run: Callable[[], Any]) -> list[float]:
        """The times of several calls, the least first."""
        found: list[float] = []
        for _ in range(_REPEATS):
            self.device.synchronize()
            begin = perf_counter()
            result = run()
            self.device.synchronize()
            found.append(perf_counter() - begin)
            del result
        return sorted(found)

    def each(self, run: Callable[[int], Any], before: int = 0) -> float:
        """The time of one of the things that `run` does so many of, with so many `before` them.

        Raises
        ------
        ArithmeticError
            If there is none: many take no longer than few.
        """
        least = _FEW + before
        few = self._times(lambda: run(least))
        many = _MANY + before
        while True:
            found = self._times(lambda times=many: run(times))
            difference = found[0] - few[0]
            clear = difference > _CLEAR * max(few[1] - few[0], found[1] - found[0])
            if clear or 4 * many > _MOST:
                break
            many *= 4
        if difference <= 0:
            raise ArithmeticError(f"{many} take no longer than {least}")
        return difference / (many - least)

    def watch(self, run: Callable[[], Any]) -> None:
        """Time the kernels of a call, if that is asked for, for what is measured next."""
        if self.profile:
            with watched(self.device) as times:
                run()
            self._kernels = times.found()

    def iteration(
        self, text: str, inputs: Mapping[str, Any], before: int = 0, *, fast_atomics: bool = False
    ) -> float:
        """The time of one iteration of a program that has `steps` of them, so many `before` it."""
        program = Program(text, device="gpu", fast_atomics=fast_atomics)
        program(**inputs, steps=1)
        self.watch(lambda: program(**inputs, steps=_FEW + before))
        return self.each(lambda steps: program(**inputs, steps=steps), before)

    def by_hand(self, function: Callable[..., Any], *arrays: Any) -> float:
        """The time of a call of the library, of several in a row."""

        def run(times: int) -> None:
            for _ in range(times):
                self.device.call_library(function, arrays)

        run(1)
        return self.each(run)

    def measured(self, name: str, size: str, seconds: float, **figures: Any) -> Measured:
        """Return what was measured, with the speed of a copy."""
        kernels, self._kernels = self._kernels, ()
        counted = figures.get("bytes", 0), figures.get("operations", 0)
        known = {"copying": self.copying, "of_peak": self.peaks.share(seconds, *counted)}
        return Measured(name, size, seconds, kernels=kernels, **known, **figures)


def _copy(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(100_000_000)
    x = bench.here(n)
    # A copy of the library's may be slower than the card is.
    seconds = min(bench.by_hand(np.copy, x), bench.by_hand(_overwritten, bench.here(n), x))
    bench.copying = 16 * n / seconds
    yield bench.measured("copy", f"{n}", seconds, bytes=16 * n)
    host = np.ones(n)
    into = bench.seconds(lambda: bench.device.copy_in(host))
    yield Measured("copy to the device", f"{n}", into, bytes=8 * n)
    back = bench.seconds(lambda: bench.device.copy_out(x))
    yield Measured("copy from the device", f"{n}", back, bytes=8 * n)


def _overwritten(a: Any, b: Any) -> Any:
    np.copyto(a, b)
    return a


_LOOP = "var k = 0; while (k < steps) {{ {} k += 1; }};"


def _of_two_vectors(type: str, body: str) -> str:
    """A loop that computes a vector of its elements `a` and those of another one, `b`."""
    step = f"z = tensor*(n)[ (i,{body}) | (i,a) <- z, (j,b) <- y, i == j ];"
    head = f"input x: vector[{type}]; input y: vector[{type}]; input steps: Int;"
    return f"{head} var n = x.length; var z = x; {_LOOP.format(step)} z;"


def _points(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(100_000_000)
    x, y = bench.here(n), bench.here(n)
    text = _of_two_vectors("Double", "0.5*a+b")
    seconds = bench.iteration(text, {"x": x, "y": y})
    library = bench.by_hand(by_hand.scaled_sum, x, y)
    yield bench.measured(
        "element-wise", f"{n}", seconds, bytes=24 * n, operations=2 * n, library=library
    )


def _fused(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(50_000_000)
    x, y = bench.here(n), bench.here(n)
    text = _of_two_vectors("Double", "(a*b+0.5)/(a*a+b*b+1.0)-sqrt(abs(a-b))")
    seconds = bench.iteration(text, {"x": x, "y": y})
    library = bench.by_hand(by_hand.expression, x, y)
    yield bench.measured(
        "fused expression", f"{n}", seconds, bytes=24 * n, operations=10 * n, library=library
    )


def _complex_points(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(50_000_000)
    z, w = map(bench.device.copy_in, complex_numbers(np.complex128, 2, n))
    text = _of_two_vectors("Complex128", "a*conj(b)/(abs(a)+abs(b)+1.0)+0.5*a")
    seconds = bench.iteration(text, {"x": z, "y": w})
    library = bench.by_hand(by_hand.complex_expression, z, w)
    yield bench.measured("complex expression", f"{n}", seconds, bytes=48 * n, library=library)


def _stencil(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(64_000_000, 2)
    a = bench.here(n, n)
    text = (
        "input A: matrix[Double]; input steps: Int; var n = A.rows; var m = A.cols; var B = A;"
        + _LOOP.format(
            "B = tensor*(n,m)[ ((i,j),0.2*(B[i,j]+B[(i+1)%n,j]+B[(i-1+n)%n,j]"
            "+B[i,(j+1)%m]+B[i,(j-1+m)%m])) | i <- 0..n-1, j <- 0..m-1 ];"
        )
        + "B;"
    )
    seconds = bench.iteration(text, {"A": a})
    library = min(
        bench.by_hand(way, a) for way in (by_hand.cross_of_slices, by_hand.cross_filtered)
    )
    yield bench.measured(
        "stencil of 5 points",
        f"{n} x {n}",
        seconds,
        bytes=16 * n * n,
        operations=5 * n * n,
        library=library,
    )


def _fold(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(100_000_000)
    x = bench.here(n)
    # Each fold takes what the one before left, so that none can be left out. That is a choice, or
    # it would be taken out of the fold, for the driver, which waits for what it computes with.
    text = (
        "input x: vector[Double]; input steps: Int; var s = 1.0;"
        + _LOOP.format("s = +/[ (if (a < s) a else 0.5*a) | (i,a) <- x ];")
        + "s;"
    )
    seconds = bench.iteration(text, {"x": x})
    library = bench.by_hand(np.sum, x)
    yield bench.measured("reduction", f"{n}", seconds, bytes=8 * n, operations=n, library=library)


def _rows(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(100_000_000, 2)
    a, x = bench.here(n, n), bench.here(n)
    text = (
        "input A: matrix[Double]; input x: vector[Double]; input steps: Int; var n = A.rows;"
        "var v = x;"
        + _LOOP.format(
            "v = tensor*(n)[ (i,(+/w)/n) | ((i,j),a) <- A, let w = a*v[j], group by i ];"
        )
        + "v;"
    )
    seconds = bench.iteration(text, {"A": a, "x": x})
    library = bench.by_hand(by_hand.multiplied, a, x)
    yield bench.measured(
        "row reduction",
        f"{n} x {n}",
        seconds,
        bytes=8 * n * n,
        operations=2 * n * n,
        library=library,
    )


def _product(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(64_000_000, 2)
    a = bench.here(n, n)
    text = (
        "input A: matrix[Double]; input steps: Int; var B = A;" + _LOOP.format("B = A @ B;") + "B;"
    )
    seconds = bench.iteration(text, {"A": a})
    library = bench.by_hand(by_hand.multiplied, a, a)
    yield bench.measured("contraction", f"{n} x {n}", seconds, operations=2 * n**3, library=library)


_SPMV = (
    "input A: matrix[Double]; input x: vector[Double]; input steps: Int; var v = x;"
    + _LOOP.format("v = A @ v;")
    + "v;"
)


def _sparse_product(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(4_000_000)
    each = min(16, n)
    generator = np.random.default_rng(2)
    columns = generator.integers(0, n, (n, each), dtype=np.int32)
    columns.sort(axis=1)
    starts = np.arange(0, n * each + 1, each, dtype=np.int32)
    matrix: Any = cast(Any, sparse).csr_array(
        (np.ones(n * each), columns.ravel(), starts), shape=(n, n)
    )
    matrix.sum_duplicates()
    yield _vector_times(bench, "sparse matrix and vector", matrix)
    narrow = matrix.astype(np.float32)
    yield _vector_times(bench, "sparse matrix and vector of Float", narrow)


def _long_rows(bench: Bench) -> Iterator[Measured]:
    """Few rows that hold a quarter of the entries, among many short ones."""
    n = bench.extent(2_000_000)
    each = min(12, n)
    generator = np.random.default_rng(2)
    counts = np.full(n, each)
    counts[:: max(n // 4, 1)] = n
    columns = generator.integers(0, n, int(np.sum(counts)), dtype=np.int32)
    starts = np.append(0, np.cumsum(counts)).astype(np.int32)
    entries = np.ones(len(columns)), columns, starts
    matrix: Any = cast(Any, sparse).csr_array(entries, shape=(n, n))
    matrix.sum_duplicates()
    yield _vector_times(bench, "sparse matrix with long rows", matrix)


def _vector_times(bench: Bench, name: str, matrix: Any) -> Measured:
    """The product of a sparse matrix with a vector; each part of both is counted as read once."""
    device = bench.device
    n, size = matrix.shape[0], matrix.dtype.itemsize
    vector: Any = np.random.default_rng(1).random(int(n))
    x = device.copy_in(vector.astype(matrix.dtype))
    text = _SPMV.replace("Double", "Float") if size == 4 else _SPMV
    # The first ones are made by another kernel, since it takes time to put a matrix into slices.
    seconds = bench.iteration(text, {"A": matrix, "x": x}, 2 * LATER)
    starts, indices, values = map(device.copy_in, (matrix.indptr, matrix.indices, matrix.data))
    library = bench.by_hand(device.sparse_product(starts, indices, values, matrix.shape), x)
    return bench.measured(
        name,
        f"{n} rows, {matrix.nnz} entries",
        seconds,
        bytes=(4 + size) * matrix.nnz + 4 * n + 2 * size * n,
        operations=2 * matrix.nnz,
        library=library,
    )


def _generator(name: str) -> ModuleType:
    """The module that makes the inputs of a benchmark of the NAS suite."""
    path = EXAMPLES / "nas" / f"{name}.py"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None or not path.exists():
        raise OSError(f"{path} is in a clone of the repository")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def _cg(bench: Bench) -> Iterator[Measured]:
    make: Any = _generator("make_cg")
    problem = make.CLASSES[bench.problem]
    matrix = make.make_matrix(problem)
    yield _vector_times(bench, "sparse matrix and vector of CG", matrix)
    program = Program((EXAMPLES / "nas" / "cg.diablo").read_text(encoding="utf-8"), device="gpu")

    def run() -> Any:
        return program(A=matrix, shift=problem.shift, niter=problem.niter)

    zeta, _ = run()
    bench.watch(run)
    seconds = bench.seconds(run)
    library = bench.seconds(lambda: by_hand.cg(bench.device, matrix, problem))
    wrong = abs(zeta - problem.zeta) > 1e-10
    yield bench.measured(
        "CG",
        f"class {bench.problem}",
        seconds,
        library=library,
        failure=f"zeta is {zeta}, and should be {problem.zeta}" if wrong else "",
    )


def _mg(bench: Bench) -> Iterator[Measured]:
    make: Any = _generator("make_mg")
    problem = make.CLASSES[bench.problem]
    charges = make.dense_charges(problem)
    given = make.inputs(problem)
    program = Program((EXAMPLES / "nas" / "mg.diablo").read_text(encoding="utf-8"), device="gpu")

    def run() -> Any:
        return program(V=charges, **given)

    norm, _ = run()
    bench.watch(run)
    seconds = bench.seconds(run)
    library = min(
        bench.seconds(lambda way=way: by_hand.mg(bench.device, charges, problem, make.A, way))
        for way in (by_hand.cube_of_slices, by_hand.cube_filtered)
    )
    wrong = abs(norm - problem.norm) > 1e-8 * problem.norm
    yield bench.measured(
        "MG",
        f"class {bench.problem}",
        seconds,
        library=library,
        failure=f"the norm is {norm}, and should be {problem.norm}" if wrong else "",
    )


_ROWS: dict[str, str] = {
    "filter": "s += +/[ w | (k,w) <- [ (k,v*2.0) | (k,v) <- V, v > 0.5+step*0.00001 ] ];",
    "group-by": "s += +/[ w | (k,w) <- [ (k,+/v) | (k,v) <- V, v > step*0.00001, group by k ] ];",
    "join": "s += +/[ v*w | (k,v) <- V, v > step*0.00001, (l,w) <- W, k == l ];",
}


_ROWS_BY_HAND: dict[str, Callable[..., Any]] = {
    "filter": by_hand.filtered_sum,
    "group-by": by_hand.group_sums,
    "join": by_hand.matched_sum,
}


def _tables(bench: Bench) -> Iterator[Measured]:
    """Rows each second, as operations; columns are copied once, and go round in a loop."""
    n = bench.extent(50_000_000)
    for groups in (100, 1_000_000):
        keys = max(1, min(groups, n // 2))
        generator = np.random.default_rng(1)
        tables = {
            "V": (generator.integers(0, keys, n), generator.random(n)),
            "W": (generator.permutation(keys), generator.random(keys)),
        }
        for name, body in _ROWS.items():
            given = {key: tables[key] for key in ("V", "W") if f"- {key}" in body}
            head = " ".join(f"input {key}: list[(Int,Double)];" for key in given)
            text = f"{head} input steps: Int; var s = 0.0; var step = 0;"
            text += f"while (step < steps) {{ {body} step += 1; }}; s;"
            seconds = bench.iteration(text, given)
            columns = [bench.device.copy_in(c) for table in given.values() for c in table]
            library = bench.by_hand(_ROWS_BY_HAND[name], *columns)
            size = f"{n} rows, {keys} keys"
            figures = {"bytes": 16 * n, "operations": n, "library": library}
            yield bench.measured(name, size, seconds, **figures)


def _bins(bench: Bench) -> Iterator[Measured]:
    n = bench.extent(50_000_000)
    for count in (100, 1_000_000):
        bins = max(1, min(count, n))
        places = bench.device.copy_in(np.random.default_rng(1).integers(0, bins, n))
        text = (
            "input p: vector[Long]; input x: vector[Double]; input n: Int; input steps: Int;"
            "var h = tensor*(n)[ (j,0.0) | j <- 0..n-1 ];"
            + _LOOP.format(
                "h = tensor*(n)[ (j,+/v) | (i,j) <- p, (l,w) <- x, l == i, let v = w+h[0],"
                " group by j ];"
            )
            + "h;"
        )
        x = bench.here(n)
        library = bench.by_hand(by_hand.bins, places, x)
        figures = {"bytes": 16 * n, "operations": n, "library": library}
        given = {"p": places, "x": x, "n": bins}
        for name, fast in {"bins": False, "bins, added as threads come": True}.items():
            seconds = bench.iteration(text, given, fast_atomics=fast)
            yield bench.measured(name, f"{n}, {bins} bins", seconds, **figures)


_KMEANS = (
    "monoid nearest((Double,Int)) = ((inf,-1), (x,y) => if (x._1 <= y._1) x else y);"
    "input P: matrix[Double]; input C: matrix[Double]; input steps: Int;"
    "var n = P.rows; var m = P.cols; var K = C.rows; var X = C;"
    + _LOOP.format(
        "var D = tensor*(n,K)[ ((i,c),+/t) | ((i,j),a) <- P, ((c,l),b) <- X, l == j,"
        " let t = (a-b)*(a-b), group by (i,c) ];"
        "var best = tensor*(n)[ (i,(nearest/v)._2) | ((i,c),e) <- D, let v = (e,c), group by i ];"
        "var N = tensor*(K)[ (c,+/o) | (i,c) <- best, let o = 1, group by c ];"
        "var M = tensor*(n,K)[ ((i,c),if (b == c) 1.0 else 0.0) | (i,b) <- best, c <- 0..K-1 ];"
        "var S = M.t @ P;"
        "X = tensor*(K,m)[ ((c,j),s/N[c]) | ((c,j),s) <- S ];"
    )
    + "X;"
)


def _kmeans(bench: Bench) -> Iterator[Measured]:
    n, dimensions, count = bench.extent(10_000_000), 10, 10
    points = bench.here(n, dimensions)
    centres = bench.device.copy_in(np.random.default_rng(2).random((count, dimensions)))
    seconds = bench.iteration(_KMEANS, {"P": points, "C": centres})
    numbers = bench.device.copy_in(np.arange(count))
    library = bench.by_hand(by_hand.centres, points, centres, numbers)
    yield bench.measured(
        "k-means",
        f"{n} points of {dimensions} dimensions, {count} centres",
        seconds,
        bytes=8 * n * dimensions,
        operations=3 * n * dimensions * count,
        library=library,
    )


_CASES: dict[str, Case] = {
    "copy": _copy,
    "element-wise": _points,
    "fused expression": _fused,
    "complex expression": _complex_points,
    "stencil": _stencil,
    "reduction": _fold,
    "row reduction": _rows,
    "sparse matrix and vector": _sparse_product,
    "sparse matrix with long rows": _long_rows,
    "contraction": _product,
    "tables": _tables,
    "bins": _bins,
    "k-means": _kmeans,
    "CG": _cg,
    "MG": _mg,
}
"""The copy comes first, by which others are measured."""
