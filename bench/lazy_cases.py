"""Cases of lazy arrays: expressions as users of NumPy write them, beside NumPy, Dask and JAX."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from case_table import Way, Work, by_hand, case, random_of, rows, shown, side
from peers import thread_count
from scipy import sparse

import diablo.array as da

Expression = Callable[[Any, Mapping[str, Any]], Any]
"""Computes with the arrays of a namespace: NumPy, Dask's, JAX's, or ours."""


def _work(
    size: str, inputs: Mapping[str, np.ndarray], expression: Expression, chunk: int = 1 << 20
) -> Work:
    """The work of an expression that all namespaces have."""

    def dask() -> Callable[[], Any]:
        arrays: Any = import_module("dask.array")
        given = {name: arrays.from_array(x, _chunks(x, chunk)) for name, x in inputs.items()}

        def call() -> Any:
            made = expression(arrays, given)
            return made.compute(scheduler="threads", num_workers=thread_count())

        return call

    def jax() -> Callable[[], Any]:
        library: Any = import_module("jax")
        library.config.update("jax_platforms", "cpu")
        library.config.update("jax_enable_x64", True)
        arrays: Any = import_module("jax.numpy")
        given = {name: arrays.asarray(x) for name, x in inputs.items()}
        compiled = library.jit(lambda held: expression(arrays, held))
        return lambda: np.asarray(compiled(given).block_until_ready())

    def source(**given: Any) -> Any:
        lazy = {name: da.asarray(x) for name, x in given.items()}
        return _elements(expression(da, lazy))

    ways: dict[str, Way] = {
        "NumPy": by_hand(lambda: expression(np, inputs)),
        "Dask": dask,
        "JAX": jax,
    }
    return Work(size, source, inputs, ways)


def _chunks(x: Any, most: int) -> tuple[int, ...]:
    """Rows at a time, so that a chunk has about so many elements."""
    length = max(1, min(len(x), most * len(x) // max(x.size, 1)))
    return (length, *x.shape[1:])


def _elements(lazy: Any) -> Any:
    value = lazy.to_numpy()
    return value[()] if not value.ndim else value


@case("lazy arrays", "lazy expression")
def fused_expression(scale: float) -> Work:
    count = rows(2e7, scale)
    generator = random_of("lazy expression")
    inputs = {"x": generator.random(count), "y": generator.random(count)}

    def expression(xp: Any, a: Any) -> Any:
        x, y = a["x"], a["y"]
        return xp.sqrt(x * x + y * y) * 2.0 - xp.exp(-x) / (1.0 + y)

    return _work(shown(count), inputs, expression)


@case("lazy arrays", "lazy reductions")
def fused_reduction(scale: float) -> Work:
    n = side(5000, scale)
    inputs = {"x": random_of("lazy reductions").random((n, n))}

    def expression(xp: Any, a: Any) -> Any:
        x = a["x"]
        return ((x - x.mean(axis=0)) ** 2).sum(axis=1)

    return _work(f"{n} x {n}", inputs, expression)


@case("lazy arrays", "lazy stencil")
def stencil(scale: float) -> Work:
    n = side(4000, scale)
    inputs = {"u": random_of("lazy stencil").random((n, n))}

    def expression(xp: Any, a: Any) -> Any:
        u = a["u"]
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        return u[1:-1, 1:-1] + 0.1 * (around - 4.0 * u[1:-1, 1:-1])

    return _work(f"{n} x {n}", inputs, expression)


@case("lazy arrays", "lazy matrix chain")
def matrix_chain(scale: float) -> Work:
    n = side(1200, scale, power=3)
    generator = random_of("lazy matrix chain")
    inputs = {name: generator.random((n, n)) for name in "abc"}

    def expression(xp: Any, a: Any) -> Any:
        return (a["a"] @ a["b"] - 0.5 * a["c"]) @ a["a"].T

    return _work(f"{n} x {n}", inputs, expression)


@case("lazy arrays", "lazy sparse expression")
def sparse_expression(scale: float) -> Work:
    n = rows(2e5, scale)
    density = min(10 / n, 1.0)
    generator = random_of("lazy sparse expression")
    a, b, c = [
        sparse.random_array((n, n), density=density, format="csr", rng=generator) for _ in "abc"
    ]
    held = [da.sparse(matrix) for matrix in (a, b, c)]

    def source() -> Any:
        x, y, z = held
        return (x + 2 * y - z * x).to_scipy()

    ways: dict[str, Way] = {"SciPy": by_hand(lambda: a + 2 * b - c.multiply(a))}
    return Work(f"{shown(n)} rows, 3 x {shown(a.nnz)} entries", source, {}, ways)


@case("lazy arrays", "lazy sum of a file")
def sum_of_a_file(scale: float) -> Work:
    """A file that is read by tiles: each contender may hold a part of it only."""
    count = rows(2.5e7, scale, least=4000)
    folder = Path(tempfile.mkdtemp(prefix="lazy_cases_"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "x.npy"
    np.save(path, random_of("lazy sum of a file").random(count))
    part = max(count // 32, 1)

    def numpy() -> Any:
        x = np.load(path, mmap_mode="r")
        return sum(
            float((np.sqrt(x[k : k + part]) * 2.0 - 1.0).sum()) for k in range(0, count, part)
        )

    def dask() -> Callable[[], Any]:
        arrays: Any = import_module("dask.array")

        def call() -> Any:
            x = arrays.from_array(np.load(path, mmap_mode="r"), part)
            made = (arrays.sqrt(x) * 2.0 - 1.0).sum()
            return float(made.compute(scheduler="threads", num_workers=thread_count()))

        return call

    def source() -> Any:
        x = da.read(path)
        total = (da.sqrt(x) * 2.0 - 1.0).sum()
        return float(total.compute(memory=max(8 * count // 3, 1 << 20)))

    ways: dict[str, Way] = {"NumPy": by_hand(numpy), "Dask": dask}
    return Work(f"{shown(count)}, a third at once", source, {}, ways)
