"""Reading a program's inputs from files.

    load("edges.csv.gz", WantedRows(("i64", "i64")))   ->  (array([0, 0, …]), array([1, 2, …]))
    load("matrix.mtx", WantedArray(2, "f64"))          ->  SparseTile

The suffix says what a file holds: `.csv` and `.txt` (also `.gz`, `.bz2`, `.xz`), `.npy`,
`.npz` (one array, or a SciPy sparse matrix), `.mtx` (also `.gz`). Whatever is wrong with a
file is an `InputError` of one line.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import InputError
from diablo.runtime.arrays.scipy_sparse import csr_of_vectors, read_matrix_market, read_npz
from diablo.runtime.io.arguments import (
    Wanted,
    WantedArray,
    WantedRows,
    WantedScalar,
    check_argument,
    check_array,
    check_rows,
    parse_scalar,
)
from diablo.runtime.io.csv_input import read_matrix, read_rows

__all__ = [
    "Wanted",
    "WantedArray",
    "WantedRows",
    "WantedScalar",
    "check_argument",
    "load",
    "parse_scalar",
]

_COMPRESSIONS = (".gz", ".bz2", ".xz")


def load(path: str | os.PathLike[str], wanted: Wanted) -> Any:
    """The contents of the file at `path` in the form that programs take."""
    path = os.fspath(path)
    if isinstance(wanted, WantedScalar):
        raise InputError(f"{path}: a single {wanted} is wanted, not a file")
    if not os.path.exists(path):
        raise InputError(f"{path}: there is no such file")
    if not os.path.isfile(path):
        raise InputError(f"{path}: is not a file")
    kind = file_kind(path)
    if kind in (".csv", ".txt", ".tsv"):
        return _load_text(path, wanted)
    try:
        value = _READERS[kind](path)
    except KeyError:
        raise InputError(
            f"{path}: unknown kind of file {kind or 'without a suffix'!r};"
            " .csv, .npy, .npz and .mtx can be read"
        ) from None
    except MemoryError:
        raise InputError(f"{path}: too large for the memory of this machine") from None
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        raise InputError(f"{path}: cannot be read as {kind}: {lines[0]}") from None
    return check_argument(value, wanted, path)


def file_kind(path: str) -> str:
    """The suffix that says what a file holds, in lower case and without the compression's."""
    stem, suffix = os.path.splitext(path.lower())
    return os.path.splitext(stem)[1] if suffix in _COMPRESSIONS else suffix


def _load_text(path: str, wanted: WantedRows | WantedArray) -> Any:
    if isinstance(wanted, WantedRows):
        return check_rows(read_rows(path, wanted.columns, str(wanted)), wanted, path)
    matrix = read_matrix(path, wanted.element)
    if wanted.rank == 1 and 1 in matrix.shape:
        matrix = matrix.reshape(-1)
    return check_array(matrix, wanted, path)


def _read_npy(path: str) -> Any:
    return np.load(path, allow_pickle=False)


def _read_npz(path: str) -> Any:
    with np.load(path, allow_pickle=False) as file:
        if not isinstance(file, Mapping):
            raise ValueError("not an archive of arrays")
        if "format" in file:
            return read_npz(path)
        arrays: dict[str, NDArray[Any]] = dict(cast("Mapping[str, NDArray[Any]]", file))
    columns = tuple(arrays.values())
    if len(columns) == 1:
        return columns[0]
    if arrays.keys() >= {"indptr", "indices", "data"}:
        # Bare CSR vectors are a square matrix unless a `shape` beside them says otherwise.
        extent = len(arrays["indptr"]) - 1
        shape = arrays.get("shape", np.array([extent, extent])).tolist()
        return csr_of_vectors(arrays["indptr"], arrays["indices"], arrays["data"], shape)
    if columns and all(c.ndim == 1 and len(c) == len(columns[0]) for c in columns):
        return columns
    names = list(arrays)
    shown = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
    raise ValueError(f"it holds {len(names)} arrays ({shown}) where one is wanted")


_READERS = {".npy": _read_npy, ".npz": _read_npz, ".mtx": read_matrix_market}
