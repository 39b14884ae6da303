"""Reading a program's inputs from files.

    load("edges.csv.gz", WantedRows(("i64", "i64")))   ->  (array([0, 0, …]), array([1, 2, …]))
    load("matrix.mtx", WantedArray(2, "f64"))          ->  SparseTile

The suffix says what a file holds: `.csv` and `.txt` (also `.gz`, `.bz2`, `.xz`), `.npy`,
`.npz` (one array, or a SciPy sparse matrix), `.mtx` (also `.gz`), `.json` and, where pyarrow
is installed, `.parquet`. A `.txt` file for a list of strings is one string a line. Whatever is
wrong with a file is an `InputError` of one line.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.arrays.scipy_sparse import matrix_of_vectors, read_matrix_market
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.io.arguments import (
    Wanted,
    WantedArray,
    WantedMap,
    WantedRows,
    WantedScalar,
    check_argument,
    check_array,
    parse_scalar,
)
from diablo.runtime.io.csv_input import read_matrix
from diablo.runtime.io.file_checks import (
    check_matrix_market,
    read_archive,
    read_array,
    read_bytes,
)
from diablo.runtime.io.frame_arguments import rows_of_frame
from diablo.runtime.io.parquet_files import (
    SUFFIX,
    check_files,
    frame_of_file,
    is_elsewhere,
    read_parquet,
)
from diablo.runtime.io.text_input import read_lines, read_rows, read_text
from diablo.runtime.results.result_types import RowsOfSpark
from diablo.runtime.value_kinds import Kind, ScalarKind, TupleKind, field_paths, leaves

__all__ = [
    "Wanted",
    "WantedArray",
    "WantedMap",
    "WantedRows",
    "WantedScalar",
    "check_argument",
    "load",
    "load_for",
    "load_pattern",
    "parse_scalar",
]

_COMPRESSIONS = (".gz", ".bz2", ".xz")
_TEXTS = (".csv", ".txt", ".tsv")


def load(path: str | os.PathLike[str], wanted: Wanted) -> Any:
    """The contents of the file at `path` in the form that programs take."""
    path = os.fspath(path)
    is_text = isinstance(wanted, WantedScalar) and wanted.type.domain == "text"
    if isinstance(wanted, WantedScalar) and not is_text:
        raise InputError(f"{path}: a single {wanted} is wanted, not a file")
    _check_there(path)
    if not os.path.isfile(path) and file_kind(path) != SUFFIX:
        raise InputError(f"{path}: is not a file")
    kind = file_kind(path)
    if kind not in _READERS and not is_text and kind not in _TEXTS:
        known = ", ".join([*_TEXTS, *_READERS])
        raise InputError(
            f"{path}: unknown kind of file {kind or 'without a suffix'!r}; it may be {known}"
        )
    with _reading(path, kind):
        if isinstance(wanted, WantedScalar):
            return read_text(path)
        if kind in _TEXTS:
            return _load_text(path, kind, wanted)
        return check_argument(_READERS[kind](path), wanted, path)


def _check_there(path: str) -> None:
    if not os.path.exists(path):
        raise InputError(f"{path}: there is no such file")


@contextmanager
def _reading(path: str, kind: str) -> Generator[None]:
    """Fail with an `InputError`, whatever comes to the mind of readers of broken files."""
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise InputError(f"{path}: too large for the memory of this machine") from None
    except Exception as error:
        lines = str(error).splitlines() or [type(error).__name__]
        raise InputError(f"{path}: cannot be read as {kind}: {lines[0][:200]}") from None


def load_for(path: str, wanted: Wanted, on_spark: bool, master: str | None) -> Any:
    """The contents of a file for a program, which workers read if it runs on Spark and they can.

    That is what `.parquet` files are for where rows are wanted; they may be elsewhere, `hdfs://…`.
    """
    if on_spark and isinstance(wanted, WantedRows) and file_kind(path) == SUFFIX:
        file = None
        if not is_elsewhere(path):
            file = os.path.abspath(path)
            _check_there(path)
            with _reading(path, SUFFIX):
                check_files(path)
        frame = frame_of_file(path, master)
        with _reading(path, SUFFIX):  # Values of a column of another type are looked at.
            return RowsOfSpark(rows_of_frame(frame, wanted, path, file))
    if is_elsewhere(path):
        raise InputError(f"{path}: only lists on Spark are read from there, of .parquet files")
    return load(path, wanted)


def load_pattern(path: str, wanted: Wanted) -> Any:
    """The Boolean array that is true where the array in a file is not zero."""
    assert isinstance(wanted, WantedArray)
    numbers = WantedArray(wanted.rank, "f64", ScalarKind("f64"))
    array = load(path, numbers)
    if isinstance(array, SparseTile):
        return array.with_elements(array.elements != 0)
    return array != 0


def file_kind(path: str) -> str:
    """The suffix that says what a file holds, in lower case and without the compression's."""
    stem, suffix = os.path.splitext(path.lower())
    return os.path.splitext(stem)[1] if suffix in _COMPRESSIONS else suffix


def _load_text(path: str, kind: str, wanted: WantedRows | WantedMap | WantedArray) -> Any:
    string = ScalarKind("string")
    if isinstance(wanted, WantedArray):
        element = wanted.kind.element
        if wanted.rank == 1 and element == string:
            return check_array(_strings(path, kind)[0], wanted, path)
        if not isinstance(element, ScalarKind) or element.type.is_text:
            raise InputError(f"{path}: {wanted} is not read from text; give a .json file")
        matrix = read_matrix(path, element.element)
        if wanted.rank == 1 and 1 in matrix.shape:
            matrix = matrix.reshape(-1)
        return check_array(matrix, wanted, path)
    row: Kind = wanted.kind.row if isinstance(wanted, WantedRows) else _entry(wanted)
    if row == string:
        return _strings(path, kind)
    kinds = list(leaves(row))
    columns = [leaf.element for leaf in kinds if isinstance(leaf, ScalarKind)]
    if len(columns) < len(kinds):
        raise InputError(f"{path}: {wanted} is not read from text; give a .json file")
    names = field_paths(row) if isinstance(row, TupleKind) and row.names is not None else None
    batch = read_rows(path, columns, str(wanted), names)
    return check_argument(batch, wanted, path)


def _strings(path: str, kind: str) -> Any:
    """A column of strings: the lines of a text file, the only column of a table."""
    return read_lines(path) if kind == ".txt" else read_rows(path, ["string"], "list[String]")


def _entry(wanted: WantedMap) -> TupleKind:
    return TupleKind((wanted.kind.key, wanted.kind.value))


def _read_json(path: str) -> Any:
    try:
        return json.loads(read_text(path))
    except RecursionError:
        raise InputError(f"{path}: its lists and objects are nested too deeply") from None


def _read_npy(path: str) -> Any:
    with open(path, "rb") as file:
        if not file.read(6).startswith(b"\x93NUMPY"):
            raise ValueError("it is no file of NumPy's")
        file.seek(0)
        return read_array(file, os.path.getsize(path), "it")


def _read_matrix_market(path: str) -> Any:
    data = read_bytes(path)
    check_matrix_market(data)
    return read_matrix_market(data)


def _read_npz(path: str) -> Any:
    if not zipfile.is_zipfile(path):
        raise ValueError("it is no file of NumPy's")
    arrays = dict(read_archive(path))
    if "format" in arrays and "shape" in arrays:
        form = arrays["format"].reshape(-1).tolist()
        name = form[0].decode("ascii", "replace") if form and isinstance(form[0], bytes) else form
        return matrix_of_vectors(str(name), arrays)
    columns = tuple(arrays.values())
    if len(columns) == 1:
        return columns[0]
    if arrays.keys() >= {"indptr", "indices", "data"}:
        # Bare CSR vectors are a square matrix unless a `shape` beside them says otherwise.
        extent = len(arrays["indptr"]) - 1
        return matrix_of_vectors("csr", {"shape": np.array([extent, extent]), **arrays})
    if columns and all(c.ndim == 1 and len(c) == len(columns[0]) for c in columns):
        return columns
    names = list(arrays)
    shown = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
    raise ValueError(f"it holds {len(names)} arrays ({shown}) where one is wanted")


_READERS: dict[str, Callable[[str], Any]] = {
    ".npy": _read_npy,
    ".npz": _read_npz,
    ".mtx": _read_matrix_market,
    ".json": _read_json,
    SUFFIX: read_parquet,
}
