"""Rows that Spark has, as a data frame of Spark's, which workers make of them.

    frame_of(rdd, ("i8", "U"), ["k", "name"])      ->  DataFrame[k: bigint, name: string]

The batches of a partition cross from Python to Spark SQL as Arrow's; the driver sees none of them.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from diablo.diagnostics import InputError
from diablo.runtime.column_types import Code
from diablo.runtime.engines.arrow_frames import map_in_arrow
from diablo.runtime.rows.batches import Batch
from diablo.runtime.rows.string_column import plain_column
from diablo.scalar_table import SCALARS, Scalar

_COLUMNS: dict[Code, Scalar] = {row.code: row for row in SCALARS if row.sql}


def code_of_type(name: str) -> Code | None:
    """The code of the columns that Spark SQL calls so; None, if there are none."""
    return next((code for code, row in _COLUMNS.items() if row.sql == name), None)


def frame_of(rdd: Any, codes: Sequence[Code], names: Sequence[str]) -> Any:
    """The rows of an RDD of batches as a data frame with columns of these names.

    Raises
    ------
    InputError
        A column has other than signed integers, floats, Booleans or strings.
    """
    for code, name in zip(codes, names, strict=True):
        if code not in _COLUMNS:
            raise InputError(f"{name}: a data frame of Spark has no column for these values")
    columns = [f"`{name}` {_COLUMNS[code].sql}" for code, name in zip(codes, names, strict=True)]
    session: Any = import_module("pyspark.sql").SparkSession(rdd.ctx)
    packed = session.createDataFrame(rdd.map(_pack), "batch binary")
    unpack = _Unpack([_COLUMNS[code].arrow for code in codes], list(names))
    return map_in_arrow(packed, unpack, ", ".join(columns))


def _pack(batch: Batch) -> tuple[bytes]:
    return (pickle.dumps(batch, pickle.HIGHEST_PROTOCOL),)


class _Unpack:
    """For `mapInArrow`: the columns of each batch that a binary value holds."""

    def __init__(self, types: list[str], names: list[str]):
        self.types = types
        self.names = names

    def __call__(self, packed: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        arrow: Any = pyarrow
        for table in packed:
            for value in table.column(0):
                batch = pickle.loads(value.as_py())
                arrays = [
                    arrow.array(plain_column(column), getattr(arrow, type)())
                    for column, type in zip(batch, self.types, strict=True)
                ]
                yield arrow.RecordBatch.from_arrays(arrays, self.names)
