"""Data frames of Spark as lists of rows, which stay with Spark.

    rows_of_frame(spark.read.parquet("edges"), WantedRows(("i8", "i8")), "G")    ->  Rows

Workers take the columns as Arrow has them, a batch for each partition, and look at them as at any
table: names, types, values that are not there. The driver looks at the names and types before.
"""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from diablo.diagnostics import InputError
from diablo.runtime.io.parquet_files import tables_of_file
from diablo.runtime.io.row_arguments import check_rows
from diablo.runtime.io.wanted import WantedRows
from diablo.runtime.results.result_types import Rows

_NUMBER = re.compile(r" in row (\d+)")
_BEFORE_COLUMN = re.compile(r" in row \d+(?: of|,) column")


def is_spark_frame(value: Any) -> bool:
    """Return whether a value is a data frame of Spark's."""
    module = sys.modules.get("pyspark.sql")
    return module is not None and isinstance(value, module.DataFrame)


def rows_of_frame(frame: Any, wanted: WantedRows, name: str, file: str | None = None) -> Rows:
    """The rows of a data frame, read whenever something is computed of them.

    Where it reads a file, or a folder of files, workers look there for the number of a wrong row.

    Raises
    ------
    InputError
        Its columns are not those that are wanted, or PyArrow is not there.
    """
    try:
        types: Any = import_module("pyspark.sql.pandas.types")
        example = _example(types.to_arrow_schema(frame.schema))
    except ImportError:
        message = f"{name}: a data frame of Spark needs pyarrow, which is not installed"
        raise InputError(message) from None
    pack = _Pack(wanted, name, file)
    pack.checked(example)
    packed = frame.mapInArrow(pack, "batch binary").rdd
    rows = Rows(packed.map(_unpack), wanted.columns, name)
    rows.row = wanted.kind.row
    return rows


def _example(schema: Any) -> Any:
    """A table of one row, or of none if there is no obvious value for some column."""
    import pyarrow

    arrow: Any = pyarrow
    columns: list[Any] = []
    for field in schema:
        value = "" if arrow.types.is_string(field.type) else 0
        value = False if arrow.types.is_boolean(field.type) else value
        try:
            columns.append(arrow.array([value], field.type))
        except arrow.ArrowException:
            return schema.empty_table()
    return arrow.Table.from_arrays(columns, schema.names)


class _Pack:
    """For `mapInArrow`: the rows of a partition as one batch, in a binary value."""

    def __init__(self, wanted: WantedRows, name: str, file: str | None):
        self.wanted = wanted
        self.name = name
        self.file = file

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        arrow: Any = pyarrow
        found = list(batches)
        if found:
            batch = self.checked(arrow.Table.from_batches(found))
            data = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
            yield arrow.RecordBatch.from_arrays([arrow.array([data], arrow.binary())], ["batch"])

    def checked(self, table: Any) -> Any:
        """Return the columns of a table.

        A row that is wrong is told of with its number in the file that is read. A partition knows
        no other than its own, so that without a file there is none.
        """
        try:
            return check_rows(table, self.wanted, self.name)
        except InputError as error:
            message = str(error)
        if _NUMBER.search(message):
            message = self._first_of_file() or _without_row(message)
        raise InputError(message)

    def _first_of_file(self) -> str | None:
        """Return what is wrong with the first row of the file that is wrong, if it is found."""
        before = 0
        for table in () if self.file is None else tables_of_file(self.file):
            try:
                check_rows(table, self.wanted, self.name)
            except InputError as error:
                found = _NUMBER.search(str(error))
                if found is None:
                    return None
                return _NUMBER.sub(f" in row {before + int(found[1])}", str(error), 1)
            before += len(table)
        return None


def _without_row(message: str) -> str:
    """Return what is wrong with a row of nobody knows which number.

    >>> _without_row("there is no value in row 4 of column 'k'")
    "there is no value in column 'k'"
    >>> _without_row("2.5 in row 2 is not an integer")
    '2.5 is not an integer'
    """
    return _NUMBER.sub("", _BEFORE_COLUMN.sub(" in column", message, count=1), count=1)


def _unpack(row: Any) -> Any:
    return pickle.loads(row[0])
