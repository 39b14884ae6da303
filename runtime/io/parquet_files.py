"""Parquet files: read and written by this process, or by the workers of Spark.

    read_parquet("edges.parquet")                     # here: a table
    frame_of_file("edges.parquet", "local[4]")        # there: a data frame of Spark's
    write_parquet(rows, file, "sums.parquet")         # here: one file
    write_with_workers(rows, "sums.parquet.new")      # there: a folder with a file for each task

A folder of files, as Spark writes one, is read like a file; folders in it, `k=1/`, are a column.
What workers read or write has to be
where they see it by the same name as this process.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote

import numpy as np

from diablo.diagnostics import InputError, RunError
from diablo.runtime.available_memory import check_memory
from diablo.runtime.engines.spark_errors import summary
from diablo.runtime.io.arrow_tables import ArrowTable
from diablo.runtime.results.result_types import Map, Rows
from diablo.runtime.rows.batches import Batch

SUFFIX = ".parquet"
_Key = tuple[Any, str]
"""The value of a column that the name of a folder says, and its type, as Arrow calls that."""
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_NO_FILE = f"there is no {SUFFIX} file in this folder"


def is_elsewhere(path: str) -> bool:
    """Return whether a path names a file system of Hadoop's: `hdfs://…`, `s3a://…`."""
    return "://" in path


def is_folder_of_parts(path: str) -> bool:
    """Return whether a folder holds what workers have written, and nothing else."""
    with os.scandir(path) as entries:
        return all(entry.name.startswith(("part-", "_", ".")) for entry in entries)


def read_parquet(path: str) -> Any:
    """The table of a file, or of a folder of files."""
    parquet = _parquet(path)
    arrow: Any = import_module("pyarrow")
    tables: list[Any] = []
    for part in _parts(path):
        with parquet.ParquetFile(str(part.file)) as file:
            # A billion equal numbers are a few bytes of the file.
            check_memory(file.metadata.num_rows * file.metadata.num_columns * 8, "its columns")
            tables.append(part.with_keys(file.read()))
    _refuse_other_columns([table.schema for table in tables], path)
    return ArrowTable(arrow.concat_tables(tables))


def check_files(path: str) -> None:
    """Look at the columns of a file, or of those of a folder, which workers are going to read.

    Raises
    ------
    InputError
        There is none, or they have different columns. Others come from PyArrow.
    """
    parquet = _parquet(path)
    _refuse_other_columns([parquet.read_schema(part.file) for part in _parts(path)], path)


def _refuse_other_columns(schemas: Sequence[Any], path: str) -> None:
    if not all(schema.equals(schemas[0]) for schema in schemas[1:]):
        raise InputError(f"{path}: its files have columns of different names or types")


def tables_of_file(path: str) -> Iterator[Any]:
    """Generate the table of a file, or of a folder of files, in parts of some rows each."""
    parquet = _parquet(path)
    arrow: Any = import_module("pyarrow")
    for part in _parts(path):
        with parquet.ParquetFile(str(part.file)) as file:
            for batch in file.iter_batches():
                yield part.with_keys(arrow.Table.from_batches([batch]))


@dataclass(frozen=True)
class _Part:
    """A file of a folder, and the columns that the names of the folders around it say.

    Spark writes the rows with `k` = 1 to a folder `k=1`, without that column.
    """

    file: Path
    keys: Mapping[str, _Key] = field(default_factory=dict[str, "_Key"])

    def with_keys(self, table: Any) -> Any:
        """Return a table of the file with the columns of the folders behind its own, as Spark."""
        arrow: Any = import_module("pyarrow")
        for name, (value, type) in self.keys.items():
            column = arrow.repeat(arrow.scalar(value, type), len(table))
            if name in table.column_names:
                table = table.drop_columns([name])
            table = table.append_column(name, column)
        return table


def _parts(path: str) -> list[_Part]:
    """The files of a folder; an `InputError` if there is none."""
    if not os.path.isdir(path):
        return [_Part(Path(path))]
    files = sorted(
        file
        for file in Path(path).rglob("[!._]*.parquet")
        if not any(map(_is_hidden, file.relative_to(path).parts[:-1]))
    )
    if not files:
        raise InputError(f"{path}: {_NO_FILE}")
    keys = [_keys_of(file.relative_to(path).parts[:-1]) for file in files]
    if any(list(found) != list(keys[0]) for found in keys):
        raise InputError(f"{path}: its files are in folders for different columns")
    types = {name: _type_of([found[name] for found in keys]) for name in keys[0]}
    return [
        _Part(
            file, {name: (_value_of(text, types[name]), types[name]) for name, text in of.items()}
        )
        for file, of in zip(files, keys, strict=True)
    ]


def _is_hidden(folder: str) -> bool:
    """Return whether Spark reads nothing of a folder, as of `_temporary`."""
    return folder.startswith((".", "_")) and "=" not in folder


def _keys_of(folders: Sequence[str]) -> dict[str, str | None]:
    """The columns that names of folders say, as text; None is no value."""
    pairs = [map(unquote, folder.split("=", 1)) for folder in folders if "=" in folder]
    return {name: None if value == _NO_VALUE else value for name, value in pairs}


def _type_of(texts: Sequence[str | None]) -> str:
    """The type of a column that is said by names of folders, as Arrow calls it.

    >>> _type_of(["1", "02", None]), _type_of(["1", "0.5"]), _type_of(["1", "a"])
    ('int64', 'float64', 'string')
    """
    for type in ("int64", "float64"):
        with suppress(ValueError, OverflowError):
            for text in texts:
                np.dtype(type).type(_value_of(text, type) or 0)
            return type
    return "string"


def _value_of(text: str | None, type: str) -> int | float | str | None:
    if text is None or type == "string":
        return text
    if "_" in text:
        raise ValueError(text)
    return int(text) if type == "int64" else float(text)


def frame_of_file(path: str, master: str | None) -> Any:
    """The data frame of Spark's whose rows workers read of a file.

    Raises
    ------
    InputError
        It is elsewhere, and not there, or of another kind; of this machine see `check_files`.
    """
    from diablo.runtime.engines.spark import spark_context

    if not is_elsewhere(path):
        path = Path(path).absolute().as_uri()
    session: Any = import_module("pyspark.sql").SparkSession(spark_context(master))
    with _as_input_errors(path):
        return session.read.parquet(path)


@contextmanager
def _as_input_errors(path: str) -> Generator[None]:
    try:
        yield
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("py4j", "pyspark"):
            raise
        message = summary(error).removeprefix("Spark: ")
        if "UNABLE_TO_INFER_SCHEMA" in message:
            raise InputError(f"{path}: {_NO_FILE}") from None
        raise InputError(f"{path}: cannot be read as {SUFFIX}: {message[:200]}") from None


def write_parquet(columns: Batch, names: list[str], file: BinaryIO, path: str) -> None:
    """Write columns of NumPy's with these names into a file."""
    parquet = _parquet(path)
    arrow: Any = import_module("pyarrow")
    try:
        made = [
            arrow.array(column, arrow.string() if column.dtype.hasobject else None)
            for column in columns
        ]
        table = arrow.Table.from_arrays(made, names)
    except arrow.ArrowException as error:
        raise InputError(f"{path}: {SUFFIX} does not hold these values: {error}") from None
    parquet.write_table(table, file)


def write_with_workers(value: Rows | Map, path: str) -> None:
    """Have workers write the rows of a result that Spark has into a folder.

    Raises
    ------
    InputError
        The rows hold more than numbers, Booleans and strings.
    RunError
        They cannot be written, or are not where this process sees them.
    """
    sql: Any = import_module("pyspark.sql")
    frame = value.to_spark()
    written = sql.Observation()
    counted = frame.observe(written, sql.functions.count(sql.functions.lit(1)).alias("rows"))
    with value.records.as_in_the_run():
        counted.write.mode("overwrite").parquet(Path(path).absolute().as_uri())
    parquet = _parquet(path)
    parts = Path(path).glob("[!._]*.parquet")
    there = sum(parquet.read_metadata(part).num_rows for part in parts)
    rows = int(written.get["rows"])
    if there != rows:
        raise RunError(
            f"{path}: {there} of {rows} rows are there: workers write {SUFFIX} files to a folder"
            " that all machines see"
        )


def _parquet(path: str) -> Any:
    try:
        return import_module("pyarrow.parquet")
    except ImportError:
        raise InputError(f"{path}: {SUFFIX} files need pyarrow, which is not installed") from None
