"""Writing results to files.

    save(result, "ranks.npy")

The suffix says how: `.npy` and `.csv` (also `.csv.gz`) hold arrays densely, `.npz` and
`.mtx` (also `.mtx.gz`) hold sparse arrays sparsely; a list of rows is a row a line in
`.csv` and one array per column in `.npz`. The file appears whole or not at all.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from diablo.diagnostics import InputError, RunError
from diablo.runtime.arrays.scipy_sparse import (
    is_scipy_sparse,
    scipy_of_tile,
    tile_of_scipy,
    write_matrix_market,
    write_npz,
)
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.io.inputs import file_kind
from diablo.runtime.results import DistributedArray, Rows

Array = NDArray[Any]
KINDS = (".npy", ".npz", ".csv", ".mtx")


def check_output_path(path: str | os.PathLike[str]) -> None:
    """An `InputError` if `save` could not write to `path`: to be called before a long run."""
    path = os.fspath(path)
    if file_kind(path) not in KINDS or path.lower().endswith((".bz2", ".xz", ".npy.gz", ".npz.gz")):
        raise InputError(f"{path}: results are written as {', '.join(KINDS)} (.csv.gz, .mtx.gz)")
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise InputError(f"{path}: there is no folder {folder}")
    if os.path.isdir(path):
        raise InputError(f"{path}: is a folder")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{path}: the folder {folder} cannot be written to")


def save(value: Any, path: str | os.PathLike[str]) -> None:
    """Writes an array, a list of rows or a scalar, replacing the file at `path`."""
    path = os.fspath(path)
    check_output_path(path)
    if isinstance(value, DistributedArray):
        value = value.collect()
    elif isinstance(value, Rows):
        value = value.to_numpy()
    elif is_scipy_sparse(value):
        value = tile_of_scipy(value)
    kind = file_kind(path)
    try:
        with _replacing(path) as file:
            if path.lower().endswith(".gz"):
                # No time stamp: the same result is the same file.
                with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                    _WRITERS[kind](value, cast(BinaryIO, packed), path)
            else:
                _WRITERS[kind](value, file, path)
    except OSError as error:
        raise RunError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
def _replacing(path: str) -> Generator[BinaryIO]:
    """A file that takes the place of `path` when it is complete."""
    folder, name = os.path.split(os.path.realpath(path))
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        if os.path.exists(path):
            shutil.copymode(path, temporary)
        else:
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, os.path.realpath(path))
    except BaseException:
        os.unlink(temporary)
        raise


def _dense(value: Any, path: str) -> Array:
    if isinstance(value, SparseTile):
        return value.toarray()
    if isinstance(value, tuple):
        columns = cast("tuple[Any, ...]", value)
        if len({column.dtype for column in columns}) > 1:
            raise InputError(f"{path}: columns of several types are written as .npz or .csv")
        return np.stack(columns, axis=1)
    return np.asarray(value)


def _write_npy(value: Any, file: BinaryIO, path: str) -> None:
    np.save(file, _dense(value, path), allow_pickle=False)


def _write_npz(value: Any, file: BinaryIO, path: str) -> None:
    if isinstance(value, SparseTile) and value.ndim == 2:
        write_npz(file, scipy_of_tile(value))
    elif isinstance(value, tuple):
        columns = cast("tuple[Array, ...]", value)
        np.savez(file, **{f"column{i + 1}": c for i, c in enumerate(columns)})  # pyright: ignore[reportArgumentType]
    else:
        np.savez(file, array=_dense(value, path))


def _write_csv(value: Any, file: BinaryIO, path: str) -> None:
    if isinstance(value, tuple):
        columns = [column.tolist() for column in cast("tuple[Array, ...]", value)]
    else:
        array = _dense(value, path)
        if array.ndim > 2:
            raise InputError(f"{path}: an array of {array.ndim} dimensions is written as .npy")
        columns = np.atleast_1d(array).T.tolist() if array.ndim == 2 else [np.ravel(array).tolist()]
    columns = [
        [str(v).lower() for v in column] if column and isinstance(column[0], bool) else column
        for column in columns
    ]
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    # The shortest text that reads back as the same number, which is what repr gives.
    csv.writer(text, lineterminator="\n").writerows(zip(*columns, strict=True))
    text.detach()  # which flushes; closing is the caller's


def _write_mtx(value: Any, file: BinaryIO, path: str) -> None:
    if isinstance(value, SparseTile) and value.ndim == 2:
        matrix = scipy_of_tile(value)
    else:
        matrix = _dense(value, path)
        if matrix.ndim == 1:
            matrix = matrix.reshape(-1, 1)
        if matrix.ndim != 2:
            raise InputError(f"{path}: .mtx holds matrices, not arrays of {matrix.ndim} dimensions")
    write_matrix_market(file, matrix)


_WRITERS = {".npy": _write_npy, ".npz": _write_npz, ".csv": _write_csv, ".mtx": _write_mtx}
