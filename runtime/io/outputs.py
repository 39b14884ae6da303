"""Writing results to files.

    save(result, "ranks.npy")

The suffix says how: `.npy` and `.csv` (also `.csv.gz`) hold arrays densely, `.npz` and
`.mtx` (also `.mtx.gz`) hold sparse arrays sparsely; a list of rows, or a map, is a row a line
in `.csv`, one array per column in `.npz`, and a table in `.parquet`, which workers write where
Spark has the rows. `.json` holds anything, `.txt` strings: one a line. The file appears whole or
not at all, and so do all files of one run:

    with saving_together() as save:
        save(ranks, "ranks.npy")
        save(names, "names.txt")
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol, cast

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
from diablo.runtime.column_types import OBJECT
from diablo.runtime.io.inputs import file_kind
from diablo.runtime.io.parquet_files import (
    SUFFIX,
    is_folder_of_parts,
    write_parquet,
    write_with_workers,
)
from diablo.runtime.results.result_types import DistributedArray, Map, Rows
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.tuples import unpack
from diablo.runtime.value_kinds import Kind, field_paths, has_names, is_character, kind_of

Array = NDArray[Any]
KINDS = (".npy", ".npz", ".csv", ".mtx", ".json", ".txt", SUFFIX)


_NOT_PACKED = (".bz2", ".xz", ".npy.gz", ".npz.gz", ".parquet.gz")


def check_output_path(path: str | os.PathLike[str]) -> None:
    """An `InputError` if `save` could not write to `path`: to be called before a long run."""
    path = os.fspath(path)
    if file_kind(path) not in KINDS or path.lower().endswith(_NOT_PACKED):
        raise InputError(f"{path}: results are written as {', '.join(KINDS)} (.csv.gz, …)")
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise InputError(f"{path}: there is no folder {folder}")
    if os.path.isdir(path) and not (file_kind(path) == SUFFIX and is_folder_of_parts(path)):
        raise InputError(f"{path}: is a folder")
    if not os.access(folder, os.W_OK):
        raise InputError(f"{path}: the folder {folder} cannot be written to")


def is_written_by_workers(path: str) -> bool:
    """Return whether workers write rows that they have to a path, so that they need not come."""
    return file_kind(path) == SUFFIX


def save(value: Any, path: str | os.PathLike[str]) -> None:
    """Writes an array, a list of rows, a map or a scalar, replacing the file at `path`."""
    with saving_together() as save_part:
        save_part(value, path)


@contextmanager
def saving_together() -> Generator[Callable[[Any, str | os.PathLike[str]], None]]:
    """A `save` for several results: their files take their places when all are written."""
    files: list[_New] = []
    try:
        yield lambda value, path: files.append(_written(value, os.fspath(path)))
        for file in files:
            with _as_run_errors(file.path):
                file.put_in_place()
    finally:
        for file in files:
            file.discard()


def _written(value: Any, path: str) -> _New:
    """The file that is to hold a result at `path`."""
    check_output_path(path)
    kind = file_kind(path)
    if kind == SUFFIX:
        return _parquet(value, path)
    if kind == ".txt":
        value = _python_value(value)
    elif kind == ".csv" and (isinstance(value, Rows) or _is_row(value) or _is_structured(value)):
        value = _table(value, path)
    elif kind == ".json":
        pass
    elif _is_row(value):
        raise InputError(f"{path}: {_noun(value)} is written as .csv or .json")
    elif isinstance(value, DistributedArray):
        remade = is_character(value.element) or value.dtype.names is not None
        value = value.to_numpy() if remade else value.collect()
    elif isinstance(value, Rows | Map):
        value = _flat_columns(value, path)
    elif is_scipy_sparse(value):
        value = tile_of_scipy(value)
    with _as_run_errors(path):
        return _NewFile(path, lambda file: _write(value, file, path))


def _parquet(value: Any, path: str) -> _New:
    """The file, or the folder of workers' files, that is to hold a list or a map at `path`."""
    if not isinstance(value, Rows | Map):
        raise InputError(f"{path}: {SUFFIX} holds lists and maps; arrays are written as .npy, .npz")
    with _as_run_errors(path):
        if value.is_with_spark:
            return _NewFolder(path, lambda folder: write_with_workers(value, folder))
        columns, names = _flat_columns(value, path), list(value.flat_columns()[1])
        return _NewFile(path, lambda file: write_parquet(columns, names, file, path))


def _write(value: Any, file: BinaryIO, path: str) -> None:
    kind = file_kind(path)
    if path.lower().endswith(".gz"):
        # No time stamp: the same result is the same file.
        with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
            _WRITERS[kind](value, cast(BinaryIO, packed), path)
    else:
        _WRITERS[kind](value, file, path)


@contextmanager
def _as_run_errors(path: str) -> Generator[None]:
    """Say of what keeps a file from being written which file it is."""
    try:
        yield
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        kind = file_kind(path)
        message = f"{half} is half of a character, which {kind} cannot hold; .json can"
        raise RunError(f"{path}: cannot be written: {message}") from error
    except OSError as error:
        raise RunError(f"{path}: cannot be written: {error.strerror or error}") from error


class _New(Protocol):
    """What takes its place at `path`, or goes."""

    path: str

    def put_in_place(self) -> None: ...

    def discard(self) -> None: ...


def _umask() -> int:
    """The permissions that this process gives to nothing new; it is asked for by setting it."""
    umask = os.umask(0)
    os.umask(umask)
    return umask


class _NewFolder:
    """A complete folder beside `path`, which takes its place or goes."""

    def __init__(self, path: str, write: Callable[[str], None]):
        self.path = path
        folder, name = os.path.split(os.path.realpath(path))
        self._temporary = tempfile.mkdtemp(prefix=f".{name}.", dir=folder)
        try:
            write(self._temporary)
            os.chmod(self._temporary, 0o777 & ~_umask())
        except BaseException:
            self.discard()
            raise

    def put_in_place(self) -> None:
        place = os.path.realpath(self.path)
        before = f"{self._temporary}.before"  # A folder does not take the place of another one.
        if os.path.exists(place):
            os.rename(place, before)
        os.rename(self._temporary, place)
        if os.path.isdir(before):
            shutil.rmtree(before)
        else:
            with suppress(FileNotFoundError):
                os.unlink(before)

    def discard(self) -> None:
        """Remove the folder, unless it is in its place."""
        shutil.rmtree(self._temporary, ignore_errors=True)


class _NewFile:
    """A complete file beside `path`, which takes its place or goes."""

    def __init__(self, path: str, write: Callable[[BinaryIO], None]):
        self.path = path
        folder, name = os.path.split(os.path.realpath(path))
        descriptor, self._temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                write(file)
            if os.path.exists(path):
                shutil.copymode(path, self._temporary)
            else:
                os.chmod(self._temporary, 0o666 & ~_umask())
        except BaseException:
            self.discard()
            raise

    def put_in_place(self) -> None:
        place = os.path.realpath(self.path)
        if os.path.isdir(place):  # Of files that workers have written.
            shutil.rmtree(place)
        os.replace(self._temporary, place)

    def discard(self) -> None:
        """Remove the file, unless it is in its place."""
        with suppress(FileNotFoundError):
            os.unlink(self._temporary)


def _python_value(value: Any) -> Any:
    """A result as Python's values: numbers, strings, lists, dictionaries."""
    if isinstance(value, Rows):
        return value.to_list()
    if isinstance(value, Map):
        return value.to_dict()
    if isinstance(value, DistributedArray):
        return value.to_numpy().tolist()
    if is_scipy_sparse(value) or isinstance(value, SparseTile):
        return value.toarray().tolist()
    return value.tolist() if hasattr(value, "tolist") else value


@dataclass(frozen=True)
class _Table:
    """Columns and, where they are fields, their names: the lines of a `.csv` file."""

    columns: Sequence[Array]
    names: Sequence[str] | None


def _is_row(value: object) -> bool:
    """Whether a value is a tuple or a record; the columns of a table are a tuple of arrays."""
    parts = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else ()
    return bool(parts) and not all(isinstance(part, np.ndarray) for part in parts)


def _is_structured(value: object) -> bool:
    """Return whether a value is a vector of records or tuples."""
    return isinstance(value, DistributedArray) and value.dtype.names is not None and value.ndim < 2


def _noun(value: object) -> str:
    return "a record" if hasattr(value, "_fields") else "a tuple"


def _table(value: Any, path: str) -> _Table:
    """A list or a vector of rows, or the one row that a tuple is."""
    if isinstance(value, Rows):
        return _Table(_flat_columns(value, path), _header(value.row))
    if isinstance(value, DistributedArray):
        array = value.to_numpy().reshape(-1)
        columns = [array[name] for name in array.dtype.names or ()]
        if not all(column.dtype != OBJECT or _is_text(column) for column in columns):
            raise InputError(f"{path}: lists and arrays inside of rows are written as .json")
        return _Table(columns, _header(value.element))
    names, parts = zip(*_leaves(value, ""), strict=True)
    if any(hasattr(part, "__len__") and not isinstance(part, str) for part in parts):
        message = f"lists and arrays inside of {_noun(value)} are written as .json"
        raise InputError(f"{path}: {message}")
    return _Table([np.array([part], OBJECT) for part in parts], names if _named(value) else None)


def _header(row: Kind) -> Sequence[str] | None:
    return field_paths(row) if has_names(row) else None


def _named(value: Any) -> bool:
    """Return whether a tuple is a record, or holds one."""
    if not isinstance(value, tuple):
        return False
    parts = cast("tuple[Any, ...]", value)
    return hasattr(parts, "_fields") or any(map(_named, parts))


def _leaves(value: Any, outer: str) -> Iterator[tuple[str, Any]]:
    """Return what a tuple consists of, with the names that `field_paths` gives."""
    if not isinstance(value, tuple):
        yield outer, value
        return
    parts = cast("tuple[Any, ...]", value)
    names = getattr(parts, "_fields", [f"f{k}" for k in range(len(parts))])
    for name, part in zip(names, parts, strict=True):
        yield from _leaves(part, f"{outer}.{name}" if outer else name)


def _flat_columns(rows: Rows | Map, path: str) -> tuple[Array, ...]:
    """The columns of a list or a map in which nothing is nested but tuples."""
    columns: list[Array] = []
    for column, code in zip(rows.to_numpy(), rows.codes, strict=True):
        if isinstance(column, Lists) or (column.dtype == OBJECT and not _is_text(column)):
            raise InputError(f"{path}: lists and arrays inside of rows are written as .json")
        is_tuple = column.dtype.names is not None
        parts, codes = (unpack(column), code[1:]) if is_tuple else ([column], [code])
        columns += [
            _characters(part) if is_character(kind_of(inner)) else part
            for part, inner in zip(parts, codes, strict=True)
        ]
    return tuple(columns)


def _is_text(column: Array) -> bool:
    return all(isinstance(value, str) for value in column.reshape(-1)[:1])


def _characters(column: Array) -> Array:
    return np.array(list(map(chr, column.tolist())), OBJECT)


def _portable(array: Array, path: str) -> Array:
    """The array as NumPy's files hold it: strings of one length instead of objects."""
    names = array.dtype.names
    if names is not None:
        fields = [_portable(array[name], path) for name in names]
        result = np.empty(array.shape, [(n, f.dtype) for n, f in zip(names, fields, strict=True)])
        for name, field in zip(names, fields, strict=True):
            result[name] = field
        return result
    if array.dtype.hasobject:
        if array.dtype != OBJECT or not _is_text(array):
            raise InputError(f"{path}: an array of lists or arrays is written as .json")
        return np.array(array.tolist(), np.str_).reshape(array.shape)
    return array


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
    np.save(file, _portable(_dense(value, path), path), allow_pickle=False)


def _write_npz(value: Any, file: BinaryIO, path: str) -> None:
    if isinstance(value, SparseTile) and value.ndim == 2 and not value.dtype.hasobject:
        write_npz(file, scipy_of_tile(value))
    elif isinstance(value, tuple):
        columns = [_portable(column, path) for column in cast("tuple[Array, ...]", value)]
        np.savez(file, **{f"column{i + 1}": c for i, c in enumerate(columns)})  # pyright: ignore[reportArgumentType]
    else:
        np.savez(file, array=_portable(_dense(value, path), path))


def _write_csv(value: Any, file: BinaryIO, path: str) -> None:
    header = None
    if isinstance(value, _Table):
        columns, header = [column.tolist() for column in value.columns], value.names
    elif isinstance(value, tuple):
        columns = [column.tolist() for column in cast("tuple[Array, ...]", value)]
    else:
        array = _dense(value, path)
        if array.ndim > 2:
            raise InputError(f"{path}: an array of {array.ndim} dimensions is written as .npy")
        if array.dtype.names is not None or not (array.dtype != OBJECT or _is_text(array)):
            raise InputError(f"{path}: an array of tuples, lists or arrays is written as .json")
        elif array.ndim == 2:
            columns = array.T.tolist()
        else:
            columns = [np.ravel(array).tolist()]
    columns = [
        [str(v).lower() for v in column] if column and isinstance(column[0], bool) else column
        for column in columns
    ]
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    # The shortest text that reads back as the same number, which is what repr gives.
    writer = csv.writer(text, lineterminator="\n")
    if header is not None:
        writer.writerow(header)
    writer.writerows(zip(*columns, strict=True))
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
    if matrix.dtype.kind not in "biufc":
        raise InputError(f"{path}: .mtx holds numbers; give a .json file")
    write_matrix_market(file, matrix)


def _write_json(value: Any, file: BinaryIO, path: str) -> None:
    text = json.dumps(_json_value(value), ensure_ascii=False)
    # Halves of characters are written as JSON writes them.
    file.write(text.encode("utf-8", "backslashreplace") + b"\n")


def _json_value(value: Any) -> Any:
    """Dictionaries have strings as keys, or become lists of pairs; all else is a list."""
    if isinstance(value, DistributedArray):
        value = value.to_numpy()
    if isinstance(value, np.ndarray):
        return _json_array(cast(Array, value))
    value = _python_value(value)
    if isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
        if all(isinstance(key, str) for key, _ in items):
            return {key: _json_value(part) for key, part in items}
        return [[_json_value(key), _json_value(part)] for key, part in items]
    if hasattr(value, "_asdict"):  # a record
        return _json_value(value._asdict())
    if isinstance(value, complex):
        return str(value)
    if isinstance(value, list | tuple):
        return [_json_value(part) for part in cast("list[Any]", value)]
    return value


def _json_array(array: Array) -> Any:
    names = array.dtype.names
    if names is not None:
        elements = [_nested(names, element) for element in array.reshape(-1).tolist()]
        array = np.fromiter(elements, OBJECT, len(elements)).reshape(array.shape)
    return _json_value(array.tolist())


def _nested(paths: Sequence[str], values: Sequence[Any]) -> Any:
    """Return what a packed tuple consists of: of a record a dictionary, by its fields' names."""
    places: dict[str, list[int]] = {}
    for place, path in enumerate(paths):
        places.setdefault(path.partition(".")[0], []).append(place)
    parts = {
        name: values[own[0]]
        if paths[own[0]] == name
        else _nested([paths[p].partition(".")[2] for p in own], [values[p] for p in own])
        for name, own in places.items()
    }
    return parts if list(parts) != [f"f{k}" for k in range(len(parts))] else list(parts.values())


def _write_txt(value: Any, file: BinaryIO, path: str) -> None:
    lines = cast("list[Any]", value) if isinstance(value, list) else [value]
    if not all(isinstance(line, str) for line in lines):
        raise InputError(f"{path}: .txt holds strings; give a .csv or a .json file")
    file.write("".join(f"{line}\n" for line in lines).encode())


_WRITERS = {
    ".npy": _write_npy,
    ".npz": _write_npz,
    ".csv": _write_csv,
    ".mtx": _write_mtx,
    ".json": _write_json,
    ".txt": _write_txt,
}
