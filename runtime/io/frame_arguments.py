"""Data frames of Spark as lists of rows, which stay with Spark.

    rows_of_frame(spark.read.parquet("edges"), WantedRows(("i8", "i8")), "G")    ->  Rows

Workers take the columns as Arrow has them, a batch for each partition, and look at them as at any
table: names, types, values that are not there. The driver looks at the names and types before.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from diablo.diagnostics import InputError
from diablo.runtime.io.row_arguments import check_rows
from diablo.runtime.io.wanted import WantedRows
from diablo.runtime.results.result_types import Rows


def is_spark_frame(value: Any) -> bool:
    """Return whether a value is a data frame of Spark's."""
    module = sys.modules.get("pyspark.sql")
    return module is not None and isinstance(value, module.DataFrame)


def rows_of_frame(frame: Any, wanted: WantedRows, name: str) -> Rows:
    """The rows of a data frame, read whenever something is computed of them.

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
    check_rows(example, wanted, name)
    packed = frame.mapInArrow(_Pack(wanted, name), "batch binary").rdd
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

    def __init__(self, wanted: WantedRows, name: str):
        self.wanted = wanted
        self.name = name

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        arrow: Any = pyarrow
        found = list(batches)
        if found:
            batch = check_rows(arrow.Table.from_batches(found), self.wanted, self.name)
            data = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
            yield arrow.RecordBatch.from_arrays([arrow.array([data], arrow.binary())], ["batch"])


def _unpack(row: Any) -> Any:
    return pickle.loads(row[0])
