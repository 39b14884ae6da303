"""Arrays in files: `read` gives one that is read when, and as far as, somebody needs it.

    a = da.read("large.npy")
    da.write("means.npy", a - a.mean(axis=0))     # tile by tile, if it does not fit in memory

The libraries for formats that NumPy does not know are loaded when such a file is opened.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.array.evaluation import tiles
from diablo.array.expression_graph import leaf
from diablo.array.lazy_array import Array, known, node_of, options
from diablo.array.stored_arrays import Ranges, Source, stored
from diablo.diagnostics import InputError
from diablo.runtime.program.run_main import Engine

_PACKAGES = {"zarr": "zarr", "h5py": "h5py", "pyarrow.parquet": "pyarrow"}


def _library(name: str, path: Path) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        package = _PACKAGES[name]
        message = f"{path}: files of this kind need {package}: pip install {package}"
        raise InputError(message) from error


class _Chunked:
    """An array of Zarr's or HDF5's, of which boxes are read."""

    def __init__(self, array: Any, path: Path):
        self._array = array
        self._path = path
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.dtype: np.dtype[Any] = np.dtype(array.dtype)

    def read(self, ranges: Ranges) -> NDArray[Any]:
        """Read the chunks that have a part of the box."""
        try:
            return np.asarray(self._array[tuple([slice(*each) for each in ranges])])
        except (OSError, RuntimeError, ValueError) as error:  # What codecs raise is any of these.
            raise InputError(f"{self._path}: it cannot be read: {error}") from error


class _Columns:
    """Columns of a Parquet file as the columns of a matrix, or a vector if there is one."""

    def __init__(self, file: Any, columns: Sequence[str], is_vector: bool):
        self._file = file
        self._columns = list(columns)
        self._is_vector = is_vector
        groups = file.metadata.num_row_groups
        counts = [file.metadata.row_group(k).num_rows for k in range(groups)]
        self._starts = np.cumsum([0, *counts])
        types = [file.schema_arrow.field(name).type.to_pandas_dtype() for name in columns]
        self.dtype: np.dtype[Any] = np.result_type(*types)
        rows = int(self._starts[-1])
        self.shape: tuple[int, ...] = (rows,) if is_vector else (rows, len(columns))

    def read(self, ranges: Ranges) -> NDArray[Any]:
        """Read the groups of rows that have a part of the box."""
        start, stop = ranges[0]
        names = self._columns if self._is_vector else self._columns[slice(*ranges[1])]
        result = np.empty((stop - start, len(names)), self.dtype)
        first = int(np.searchsorted(self._starts, start, "right")) - 1
        while first < len(self._starts) - 1 and self._starts[first] < stop:
            begin, end = int(self._starts[first]), int(self._starts[first + 1])
            table = self._file.read_row_group(first, names)
            low, high = max(start, begin), min(stop, end)
            for number, name in enumerate(names):
                column = table.column(name)
                if column.null_count:
                    raise InputError(f"column {name!r} has nulls, which stand for no number")
                part = column.to_numpy()[low - begin : high - begin]
                result[low - start : high - start, number] = part
            first += 1
        return result[:, 0] if self._is_vector else result


def _numpy_file(path: Path, name: str | None, columns: Any) -> Array:
    with path.open("rb") as file:
        if not file.read(6).startswith(b"\x93NUMPY"):
            raise InputError(f"{path}: it is no file of NumPy's")
    return _mapped(path, lambda: np.load(path, mmap_mode="r", allow_pickle=False))


def _raw_file(path: Path, shape: Any, dtype: Any) -> Array:
    extents = None if shape is None else tuple(shape)
    return _mapped(path, lambda: np.memmap(path, np.dtype(dtype), "r", shape=extents))


def _mapped(path: Path, opened: Callable[[], Any]) -> Array:
    """Return an array that is mapped into memory; a wrong file is an `InputError`."""
    try:
        elements = opened()
    except ValueError as error:
        early = "mmap length is greater" in str(error)
        reason = "it ends before its array does" if early else error
        raise InputError(f"{path}: {reason}") from error
    _check_numbers(elements.dtype, path)
    return Array(leaf(elements))


def _zarr_folder(path: Path, name: str | None, columns: Any) -> Array:
    opened = _library("zarr", path).open(path, mode="r")
    if not hasattr(opened, "dtype"):
        opened = _named(opened, name, path)
    return _of(_Chunked(opened, path), path)


def _hdf5_file(path: Path, name: str | None, columns: Any) -> Array:
    array = _named(_library("h5py", path).File(path, "r"), name, path)
    return _of(_Chunked(array, path), path)


def _named(group: Any, name: str | None, path: Path) -> Any:
    """Return an array of a group: the one of a name, or the only one."""
    names = _array_names(group)
    if name is None and len(names) == 1:
        return group[names[0]]
    if name is None or name.strip("/") not in names:
        raise InputError(f"{path}: name one of its arrays: {', '.join(names) or 'there is none'}")
    return group[name]


def _array_names(group: Any, prefix: str = "") -> list[str]:
    """Return the names of the arrays of a group, and of the groups in it."""
    found: list[str] = []
    for key in group:
        member = group[key]
        if hasattr(member, "dtype"):
            found.append(prefix + key)
        elif hasattr(member, "keys"):
            found += _array_names(member, f"{prefix}{key}/")
    return found


def _parquet_file(path: Path, name: str | None, columns: Any) -> Array:
    file = _library("pyarrow.parquet", path).ParquetFile(path, memory_map=True)
    names = [name] if name is not None else list(columns or file.schema_arrow.names)
    for each in names:
        if each not in file.schema_arrow.names:
            raise InputError(f"{path}: there is no column {each!r}")
    return _of(_Columns(file, names, name is not None), path)


def _of(source: Source, path: Path) -> Array:
    _check_numbers(source.dtype, path)
    return Array(stored(source))


def _check_numbers(dtype: np.dtype[Any], path: Path) -> None:
    if dtype.kind not in "biufc":
        raise InputError(f"{path}: an array of numbers is wanted, not of {dtype}")


_READERS: dict[str, Callable[[Path, str | None, Any], Array]] = {
    ".npy": _numpy_file,
    ".zarr": _zarr_folder,
    ".h5": _hdf5_file,
    ".hdf5": _hdf5_file,
    ".parquet": _parquet_file,
}


def read(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    columns: Sequence[str] | None = None,
    dtype: Any = None,
    shape: Sequence[int] | None = None,
) -> Array:
    """Return the array in a file, of which nothing is read before somebody needs it.

    Parameters
    ----------
    path
        A file `.npy`, `.h5`, `.hdf5` or `.parquet`, a folder `.zarr`, or, with a `dtype`, a file
        that has the elements alone. Files of NumPy's, and such ones, are mapped into memory.
    name
        An array of an HDF5 file or a group of Zarr's, which may have several, or the column of a
        Parquet file that is wanted as a vector.
    columns
        The columns of a Parquet file that become those of a matrix, all if there are none.
    shape
        The extents of what is in a file of elements alone; one axis if there is none.

    Raises
    ------
    InputError
        If there is no such file, it is none of its kind, or it has no such array.
    """
    place = Path(path)
    if not place.exists():
        raise InputError(f"{place}: there is no such file")
    if dtype is not None:
        return _raw_file(place, shape, dtype)
    reader = _READERS.get(place.suffix)
    if reader is None:
        raise InputError(f"{place}: arrays are read from {', '.join(_READERS)}")
    try:
        return reader(place, name, columns)
    except (OSError, ValueError) as error:  # Arrow's errors are values'.
        raise InputError(f"{place}: {error}") from error


# ---- writing -------------------------------------------------------------------------


def write(
    path: str | os.PathLike[str],
    x: Any,
    /,
    *,
    name: str = "array",
    engine: Engine | None = None,
    master: str | None = None,
    block_size: int | None = None,
    memory: str | int | None = None,
) -> None:
    """Compute an array into a file, tile by tile: it need not fit in memory.

    The file is `.npy`, `.h5` or `.hdf5` (the array `name`), or a folder `.zarr`, and takes the
    place of another once it is written. The other options are those of `diablo.array.compute`.

    Raises
    ------
    InputError
        If files of that kind are not written, or there is no such folder.
    """
    place = Path(path)
    node = known(node_of(x))
    opened = _WRITERS.get(place.suffix)
    if opened is None:
        raise InputError(f"{place}: arrays are written to {', '.join(_WRITERS)}")
    if not place.parent.is_dir():
        raise InputError(f"{place}: there is no folder {place.parent}")
    partial_path = place.with_name(f".{place.stem}.{os.getpid()}{place.suffix}")
    try:
        target, close = opened(partial_path, node.shape, node.dtype, name)
        try:
            for ranges, value in tiles(node, options(engine, master, block_size, memory)):
                target[tuple([slice(*each) for each in ranges])] = value
        finally:
            close()
        if place.is_dir():
            _remove(place)
        os.replace(partial_path, place)
    finally:
        _remove(partial_path)


def _remove(path: Path) -> None:
    import shutil

    with suppress(FileNotFoundError):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


Opened = tuple[Any, Callable[[], None]]


def _numpy_target(path: Path, shape: Any, dtype: Any, name: str) -> Opened:
    mapped = np.lib.format.open_memmap(path, "w+", dtype, shape)
    return mapped, mapped.flush


def _hdf5_target(path: Path, shape: Any, dtype: Any, name: str) -> Opened:
    file = _library("h5py", path).File(path, "w")
    return file.create_dataset(name, shape, dtype), file.close


def _zarr_target(path: Path, shape: Any, dtype: Any, name: str) -> Opened:
    made: Any = _library("zarr", path).create_array(path, shape=shape, dtype=dtype)
    return made, lambda: None


_WRITERS: dict[str, Callable[[Path, Any, Any, str], Opened]] = {
    ".npy": _numpy_target,
    ".h5": _hdf5_target,
    ".hdf5": _hdf5_target,
    ".zarr": _zarr_target,
}
