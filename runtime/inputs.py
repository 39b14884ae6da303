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
from typing import Any

import numpy as np
from scipy import io, sparse

from diablo.diagnostics import InputError
from diablo.runtime.arguments import (
    Wanted,
    WantedArray,
    WantedRows,
    WantedScalar,
    check_argument,
    check_array,
    check_rows,
    parse_scalar,
)
from diablo.runtime.csv_input import read_matrix, read_rows

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
_MATRIX_TRIPLE = {"indptr", "indices", "data"}


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
        names = list(file.keys())
        if "format" in names:
            return sparse.load_npz(path)
        if names and len(names) == 1:
            return file[names[0]]
        if set(names) >= _MATRIX_TRIPLE:
            return _csr_of_vectors(file)
        arrays = [file[name] for name in names]
    if arrays and all(a.ndim == 1 and len(a) == len(arrays[0]) for a in arrays):
        return tuple(arrays)
    raise ValueError(
        f"it holds {len(names)} arrays ({', '.join(names[:6])}{', …' if len(names) > 6 else ''})"
        " where one is wanted"
    )


def _csr_of_vectors(file: Mapping[str, Any]) -> Any:
    """The matrix of bare CSR vectors: square unless a `shape` beside them says otherwise."""
    indptr, indices, data = file["indptr"], file["indices"], file["data"]
    rows = len(indptr) - 1
    shape = tuple(int(d) for d in file["shape"]) if "shape" in file else (rows, rows)
    return sparse.csr_array((data, indices, indptr), shape=shape)


def _read_mtx(path: str) -> Any:
    return io.mmread(path)


_READERS = {".npy": _read_npy, ".npz": _read_npz, ".mtx": _read_mtx}
