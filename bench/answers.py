"""Whether two ways found the same: numbers, arrays, sparse arrays, and rows in any order.

    expected = Table((keys, sums))            # rows, whose order is left open
    difference(expected, result)              # None, or what differs

Rows are sorted and compared; where they are very many, their exact columns (integers, strings)
are compared by the sum of a hash of each row, and the floats of a row by their sum, weighted with
that hash, so that a value beside the wrong key changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse

TOLERANCE = 1e-8
_SORTED = 200_000
"""Up to how many rows are sorted to be compared."""


@dataclass
class Table:
    """Rows as columns, of which those that make a row unique come first; in any order."""

    columns: Sequence[Any]


_FRAMES = ("get_columns", "column_names", "reset_index")
"""What frames of Polars, tables of Arrow, and frames of pandas have."""


def difference(expected: Any, found: Any) -> str | None:
    """Return what differs, in a few words; `None` where both are the same up to rounding."""
    if isinstance(expected, Table) or any(hasattr(expected, name) for name in _FRAMES):
        return _rows_differ(columns_of(expected), columns_of(found))
    if isinstance(expected, tuple | list):
        parts = list(found)
        if len(parts) != len(expected):
            return f"{len(parts)} results, not {len(expected)}"
        wrong = [difference(e, f) for e, f in zip(expected, parts, strict=True)]
        return next((w for w in wrong if w is not None), None)
    if sparse.issparse(expected):
        return _sparse_differ(sparse.csr_array(expected), sparse.csr_array(_sparse(found)))
    return _arrays_differ(np.asarray(expected), _dense(found))


def columns_of(found: Any) -> list[np.ndarray]:
    """The columns of rows in any form."""
    if isinstance(found, Table):
        return [_column(c) for c in found.columns]
    of_polars, of_arrow, of_pandas = [hasattr(found, name) for name in _FRAMES]
    if of_polars:
        return [_column(c.to_numpy()) for c in found.get_columns()]
    if of_arrow:
        return [_column(c.to_numpy()) for c in found.columns]
    if of_pandas:
        frame = found if hasattr(found, "columns") else found.reset_index()
        return [_column(frame[name].to_numpy()) for name in frame.columns]
    if isinstance(found, dict):
        return [_column(list(found)), _column(list(found.values()))]
    return [_column(c) for c in (found.to_numpy() if hasattr(found, "to_numpy") else found)]


def _column(values: Any) -> np.ndarray:
    """A column of numbers, or of Python's strings."""
    array = np.asarray(values)
    if array.dtype.kind == "S":
        array = array.astype(str)
    if array.dtype.kind in "OUT":
        return array.astype(object)
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64)


def _rows_differ(expected: list[np.ndarray], found: list[np.ndarray]) -> str | None:
    if len(expected) != len(found):
        return f"{len(found)} columns, not {len(expected)}"
    lengths = {len(c) for c in found}
    if lengths != {len(expected[0])}:
        return f"{sorted(lengths)} rows, not {len(expected[0])}"
    if len(expected[0]) <= _SORTED:
        pairs = zip(_sorted(expected), _sorted(found), strict=True)
        differ = [_arrays_differ(e, f) for e, f in pairs]
        named = (f"column {k + 1}: {d}" for k, d in enumerate(differ) if d is not None)
        return next(named, None)
    (exact, sums), (exact_found, sums_found) = map(_fingerprint, (expected, found))
    if exact != exact_found:
        return "some of the integers or strings of the rows differ"
    near = np.isclose(sums_found, sums, rtol=TOLERANCE, atol=0.0)
    return None if near.all() else f"weighted sums are {sums_found}, not {sums}"


def _sorted(columns: list[np.ndarray]) -> list[np.ndarray]:
    order = np.lexsort([_ranks(c) for c in columns[::-1]])
    return [c[order] for c in columns]


def _ranks(column: np.ndarray) -> np.ndarray:
    if column.dtype != object:
        return column
    return np.unique(column.astype(str), return_inverse=True)[1]


def _fingerprint(columns: list[np.ndarray]) -> tuple[int, np.ndarray]:
    """Numbers that change when a row does, in whatever order the rows are."""
    mixed = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        if column.dtype.kind != "f":
            mixed = (mixed ^ _hashes(column)) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
    weights = 1.0 + (mixed >> np.uint64(11)) / 2.0**53
    # What is no number stands for one that is unlikely to be there.
    floats = [np.nan_to_num(c, nan=0.1234567) for c in columns if c.dtype.kind == "f"]
    # Of squares too, which do not cancel.
    sums = [weights @ c for c in floats] + [weights @ (c * c) for c in floats]
    return int(mixed.sum()), np.array(sums)


def _hashes(column: np.ndarray) -> np.ndarray:
    if column.dtype != object:
        return column.view(np.uint64)
    return np.fromiter(map(hash, column.tolist()), np.int64, len(column)).view(np.uint64)


def _dense(found: Any) -> np.ndarray:
    if type(found).__module__.startswith("graphblas"):
        return found.to_dense(0) if hasattr(found, "to_dense") else np.asarray(found.value)
    if hasattr(found, "columns") or hasattr(found, "get_columns"):
        return columns_of(found)[0]
    if sparse.issparse(found):
        return found.toarray()
    return np.asarray(found.to_numpy() if hasattr(found, "to_numpy") else found)


def _sparse(found: Any) -> Any:
    if type(found).__module__.startswith("graphblas"):
        return import_module("graphblas.io").to_scipy_sparse(found)
    return found.to_scipy() if hasattr(found, "to_scipy") else found


def _sparse_differ(expected: sparse.csr_array, found: sparse.csr_array) -> str | None:
    if expected.shape != found.shape:
        return f"shape {found.shape}, not {expected.shape}"
    most = abs(expected).max() if expected.nnz else 0.0
    apart = abs(expected - found)
    if apart.nnz and apart.max() > TOLERANCE * most:
        return f"elements differ by up to {apart.max():.3g}"
    return None


def _arrays_differ(expected: np.ndarray, found: np.ndarray) -> str | None:
    if expected.size == found.size == 1:
        expected, found = expected.reshape(()), found.reshape(())
    if expected.shape != found.shape:
        return f"shape {found.shape}, not {expected.shape}"
    if expected.dtype == object or found.dtype == object:
        differ = expected != found
    else:
        finite = np.isfinite(expected)
        most = np.abs(expected).max(initial=0.0, where=finite)
        near = np.isclose(found, expected, TOLERANCE, TOLERANCE * most, equal_nan=True)
        differ = ~near
    if not differ.any():
        return None
    place = tuple(int(k) for k in np.argwhere(differ)[0])
    return f"{found[place]} at {place}, not {expected[place]} ({int(differ.sum())} differ)"
