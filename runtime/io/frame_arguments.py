"""Data frames of Spark as lists of rows, which stay with Spark.

    rows_of_frame(spark.read.parquet("edges"), WantedRows(("i8", "i8")), "G")    ->  Rows

Workers take the columns as Arrow has them, a batch for each partition, and look at them as at any
table: names, types, values that are not there. The driver looks at the names and types before.
"""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np

from diablo.diagnostics import InputError, RunError
from diablo.runtime.column_types import Code
from diablo.runtime.engines.arrow_frames import map_in_arrow
from diablo.runtime.engines.spark_errors import (
    JAVA_ENDED,
    check_there,
    is_of_a_connection,
    is_of_spark,
    java_has_ended,
    summary,
)
from diablo.runtime.io.parquet_files import tables_of_file
from diablo.runtime.io.row_arguments import (
    check_rows,
    columns_in,
    example_of,
    row_number,
    with_row_number,
    without_row_number,
    wrong_type,
)
from diablo.runtime.io.wanted import WantedRows
from diablo.runtime.results.result_types import Rows
from diablo.runtime.results.spark_frames import code_of_type
from diablo.runtime.rows.columns import AnyColumn

_WHOLE_DECIMAL = re.compile(r"decimal\(\d+,0\)")


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
    if find_spec("pyarrow") is None:
        raise InputError(f"{name}: a data frame of Spark needs pyarrow, which is not installed")
    pack = _Pack(wanted, name, file)
    with frame_errors(frame, name):
        names, types = zip(*frame.dtypes, strict=True) if frame.columns else ((), ())
    wrong = wrong_type(names, types, list(map(_example, types)), wanted, name)
    # A file without rows has no value that is wrong.
    if wrong is not None and (message := wrong if file is None else pack.first_of_file()):
        raise InputError(message)
    columns = _with_columns(frame, columns_in(names, wanted, name))
    with frame_errors(frame, name):  # Spark computes constants as it plans.
        packed = map_in_arrow(columns, pack, "batch binary").rdd
    rows = Rows(packed.map(_unpack), wanted.columns, name)
    rows.row = wanted.kind.row
    return rows


@contextmanager
def frame_errors(frame: Any, name: str) -> Generator[None]:
    """Say in one line what a data frame fails with, which is an input."""
    check_there(frame.sparkSession.sparkContext, "data frame", name)
    try:
        yield
    except Exception as error:
        if is_of_a_connection(error) and java_has_ended(patience=0.5):
            raise RunError(JAVA_ENDED) from None
        if not is_of_spark(error):
            raise
        message = summary(error).removeprefix("Spark: ")
        raise InputError(f"{name}: the data frame fails: {message}") from None


def _with_columns(frame: Any, places: Sequence[int]) -> Any:
    """Some columns of a data frame, so that Spark reads no others; all if names are ambiguous."""
    names: list[str] = frame.columns
    if len(places) == len(names) or len({name.lower() for name in names}) < len(names):
        return frame
    quoted = [names[place].replace("`", "``") for place in places]
    return frame.select(*[f"`{name}`" for name in quoted])


def _example(type: str) -> AnyColumn | None:
    """An example of what a column of a type of Spark SQL's holds; None of what is no scalar.

    >>> _example("decimal(20,0)"), _example("void"), _example("timestamp")
    (array([0]), array([], dtype=float64), None)
    """
    if type == "void":
        return np.empty(0)
    code = code_of_column(type)
    return None if code is None else example_of(code)


def code_of_column(type: str) -> Code | None:
    """The code for what a column of a type of Spark SQL's holds; None of what is no scalar."""
    if _WHOLE_DECIMAL.fullmatch(type):
        type = "bigint"
    return code_of_type(type.partition(" collate ")[0])


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
        if row_number(message) is not None:
            message = self.first_of_file() or without_row_number(message)
        raise InputError(message)

    def first_of_file(self) -> str | None:
        """Return what is wrong with the first row of the file that is wrong, if it is found."""
        before = 0
        for table in () if self.file is None else tables_of_file(self.file):
            try:
                check_rows(table, self.wanted, self.name)
            except InputError as error:
                message = str(error)
                number = row_number(message)
                return message if number is None else with_row_number(message, before + number)
            before += len(table)
        return None


def _unpack(row: Any) -> Any:
    return pickle.loads(row[0])
