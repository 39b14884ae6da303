"""Who the programs are compared with besides NumPy and SciPy, each where it is installed.

    installed()                                        {"Polars": "2.1.0", …}
    missing()                                          {"Numba": "numba", …}
    queries({"x": columns}, sql="select …", polars=lambda pl, t: t["x"].group_by(…))

A peer is imported by the process of a case that it takes part in, so that no run depends on it.
Tables are made of the same columns for all peers, in the form that each reads fastest, and
preparing them is not timed: DuckDB has a table of its own, strings are Arrow's everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import numpy as np
from case_table import Way

PEERS: dict[str, tuple[str, ...]] = {
    "pandas": ("pandas",),
    "Polars": ("polars",),
    "DuckDB": ("duckdb", "pyarrow"),
    "Dask": ("dask", "pandas"),
    "Numba": ("numba",),
    "GraphBLAS": ("graphblas",),
    "JAX": ("jax",),
}
"""The modules that each optional peer needs, its own first."""
_LOADED = {**PEERS, "Dask": ("dask.dataframe",), "GraphBLAS": (), "JAX": ()}
_PACKAGES = {"graphblas": "python-graphblas"}
ALWAYS = ("NumPy", "SciPy", "Python")
"""What every run has."""

THREADS = (
    "DIABLO_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "NUMBA_NUM_THREADS",
    "NPROC",
)
"""The variables that say to each how many threads it may use, `NPROC` to JAX; they are read at
imports."""


def environment(threads: int) -> dict[str, str]:
    """The environment of a process in which everything uses so many threads.

    Bytecode is kept, as for users: without it a first call would be the compilation of modules.
    """
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, **dict.fromkeys(THREADS, str(threads))}


def thread_count() -> int:
    """Return how many threads a peer that is told so in its code may use."""
    return int(os.environ.get("DIABLO_THREADS", "0")) or len(os.sched_getaffinity(0))


def missing() -> dict[str, str]:
    """The peers that are not installed, with the modules that they lack."""
    lacking = {
        peer: ", ".join(m for m in modules if find_spec(m) is None)
        for peer, modules in PEERS.items()
    }
    return {peer: modules for peer, modules in lacking.items() if modules}


def load(chosen: Iterable[str]) -> None:
    """Import what peers need, as far as that starts no threads; a fork then has it already."""
    for peer in chosen:
        for module in _LOADED.get(peer, ()):
            import_module(module)


def installed() -> dict[str, str]:
    """The peers that can be used, with their versions."""
    lacking = missing()
    packages = {"NumPy": "numpy", "SciPy": "scipy"}
    packages |= {
        peer: _PACKAGES.get(modules[0], modules[0])
        for peer, modules in PEERS.items()
        if peer not in lacking
    }
    return {peer: _version(package) for peer, package in packages.items()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


@dataclass
class Text:
    """A column of strings: which of the words each row has."""

    words: list[str]
    codes: np.ndarray

    def __len__(self) -> int:
        return len(self.codes)

    def objects(self) -> np.ndarray:
        """Python's strings."""
        return np.array(self.words, object)[self.codes]

    def fixed(self) -> np.ndarray:
        """NumPy's bytes of one length, which it sorts fastest."""
        return np.array(self.words, "S")[self.codes]

    def arrow(self) -> Any:
        arrow: Any = import_module("pyarrow")
        return arrow.array(self.words, arrow.string()).take(arrow.array(self.codes))


Column = np.ndarray | Text
Columns = Mapping[str, Column]


def given(columns: Columns) -> tuple[Any, ...]:
    """The columns of a list of rows, as a program takes them."""
    return tuple([given_strings(c) if isinstance(c, Text) else c for c in columns.values()])


def given_strings(text: Text) -> Any:
    """A column of strings as a program takes it: Arrow's, as its peers do, where that is there."""
    return text.objects() if find_spec("pyarrow") is None else text.arrow()


def polars_frame(columns: Columns) -> Any:
    polars: Any = import_module("polars")
    found = {
        name: polars.Series(c.words)[c.codes] if isinstance(c, Text) else c
        for name, c in columns.items()
    }
    return polars.DataFrame(found)


def pandas_frame(columns: Columns) -> Any:
    pandas: Any = import_module("pandas")
    found = {
        name: pandas.array(c.words, "str").take(c.codes) if isinstance(c, Text) else c
        for name, c in columns.items()
    }
    return pandas.DataFrame(found)


def dask_frame(columns: Columns) -> Any:
    frames: Any = import_module("dask.dataframe")
    return frames.from_pandas(pandas_frame(columns), npartitions=2 * thread_count())


def duckdb_connection(tables: Mapping[str, Columns]) -> Any:
    duckdb: Any = import_module("duckdb")
    arrow: Any = import_module("pyarrow")
    connection = duckdb.connect()
    connection.execute(f"set threads = {thread_count()}")
    for name, columns in tables.items():
        found = {
            field: c.arrow() if isinstance(c, Text) else arrow.array(c)
            for field, c in columns.items()
        }
        connection.register("given", arrow.table(found))
        connection.execute(f"create table {name} as select * from given")
        connection.unregister("given")
    return connection


def queries(
    tables: Mapping[str, Columns],
    sql: str | None = None,
    polars: Callable[[Any, Mapping[str, Any]], Any] | None = None,
    pandas: Callable[[Any, Mapping[str, Any]], Any] | None = None,
    dask: Callable[[Mapping[str, Any]], Any] | None = None,
) -> dict[str, Way]:
    """The ways of those that answer questions about tables.

    Each but SQL is a function of the peer's module (Dask's of none) and its tables by name. What
    Polars gets is lazy, and collected; Dask's is computed on threads.
    """

    def in_duckdb() -> Callable[[], Any]:
        connection = duckdb_connection(tables)
        return lambda: connection.sql(sql).to_arrow_table()

    def in_polars() -> Callable[[], Any]:
        module = import_module("polars")
        frames = {name: polars_frame(columns).lazy() for name, columns in tables.items()}
        assert polars is not None
        return lambda: polars(module, frames).collect()

    def in_pandas() -> Callable[[], Any]:
        module = import_module("pandas")
        frames = {name: pandas_frame(columns) for name, columns in tables.items()}
        assert pandas is not None
        return lambda: pandas(module, frames)

    def in_dask() -> Callable[[], Any]:
        frames = {name: dask_frame(columns) for name, columns in tables.items()}
        assert dask is not None
        return lambda: dask(frames).compute(scheduler="threads", num_workers=thread_count())

    ways = {
        "Polars": (polars, in_polars),
        "DuckDB": (sql, in_duckdb),
        "pandas": (pandas, in_pandas),
        "Dask": (dask, in_dask),
    }
    return {peer: way for peer, (question, way) in ways.items() if question is not None}


def numba_way(function: Callable[..., Any], *arguments: Any) -> Way:
    """A loop in Python that Numba compiles, with `prange` in place of the name `parallel`."""

    def prepare() -> Callable[[], Any]:
        numba: Any = import_module("numba")
        space = {**function.__globals__, "parallel": numba.prange}
        rebuilt = type(function)(function.__code__, space, function.__name__)
        compiled = numba.njit(rebuilt, parallel=True)
        return lambda: compiled(*arguments)

    return prepare


parallel = range
"""In a loop that Numba compiles, the range whose iterations its threads share."""


def graphblas_way(question: Callable[..., Callable[[], Any]], *matrices: Any) -> Way:
    """A computation on GraphBLAS matrices and vectors; `question` is given the module, and them."""

    def prepare() -> Callable[[], Any]:
        graphblas: Any = import_module("graphblas")
        io: Any = import_module("graphblas.io")
        made = [
            io.from_scipy_sparse(m) if hasattr(m, "nnz") else graphblas.Vector.from_dense(m)
            for m in matrices
        ]
        return question(graphblas, *made)

    return prepare
