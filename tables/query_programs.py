"""The programs that compute queries: one for each structure, which serves all tables and literals.

evaluated(plan, DEFAULT)    ->    the columns of the plan, and their types

Where Spark has rows already, it computes what is asked of them, and the rows that come of that stay
there too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from diablo.array.evaluation import Options
from diablo.array.structure_programs import ON_DEVICE, KeptPrograms, StructureProgram
from diablo.runtime.program.run_main import choose_engine
from diablo.runtime.results.result_types import Rows
from diablo.runtime.rows.string_column import Strings
from diablo.table.column_values import ColumnType, ColumnValues
from diablo.table.filter_pushdown import push_filters
from diablo.table.held_columns import HeldColumns, RowsColumns
from diablo.table.query_plans import Columns, Plan, Source
from diablo.table.query_structure import Structure, structure_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

FILE = "<table query>"

_programs = KeptPrograms[StructureProgram]()


def program_for(
    structure: Structure, *, distributed: bool, on_device: bool = False
) -> StructureProgram:
    """Return the program of a structure, compiled if it was not.

    It is for tables in blocks, or in one piece each, with kernels that a device may run.
    """
    steps, types = structure.steps, structure.literal_types
    pipeline = "tensor-block-to-local"
    if distributed or on_device:
        pipeline = "tensor-block-to-spark" if distributed else ON_DEVICE
    key = ("table", structure.key)
    return _programs.get(
        (key, pipeline),
        lambda: StructureProgram(FILE, key, pipeline, lambda: _written(steps, types)),
    )


def _written(steps: Any, types: Any) -> ModuleOp:
    from diablo.table.query_to_tensor_block import write_query

    return write_query(steps, types)


def evaluated(root: Plan, options: Options) -> tuple[Columns, list[ColumnType]]:
    """Return the columns of a plan, and their types, without nulls where there are none."""
    if isinstance(root, Source):
        root.columns.load(range(len(root.schema)))
        return root.columns, [field.type for field in root.schema]
    return _run(structure_of(push_filters(root)), root, options)


def _run(structure: Structure, root: Plan, options: Options) -> tuple[Columns, list[ColumnType]]:
    engine = options.engine
    if engine is None:
        is_there = options.block_size is None and any(_with_spark(s) for s, _ in structure.tables)
        engine = "spark" if is_there else "local"
    types = [step.types for step in structure.steps if step.operation == "table"]
    tables = [
        _with_spark_columns(source, positions, engine) or _argument(columns, type)
        for (source, positions), columns, type in zip(
            structure.tables, _columns_here(structure, engine), types, strict=True
        )
    ]
    if engine == "auto":
        engine = choose_engine({str(k): t for k, t in enumerate(tables)}, options.master)
    distributed = engine == "spark" or options.block_size is not None
    on_device = options.device != "cpu" and not distributed
    program = program_for(structure, distributed=distributed, on_device=on_device)
    literals = [
        _scalar(value, type)
        for value, type in zip(structure.literals, structure.literal_types, strict=True)
    ]
    rows = program.run(
        [*tables, *literals],
        engine,
        options.master,
        options.block_size,
        options.memory,
        options.device,
    )
    assert isinstance(rows, Rows)
    found = [field.type for field in root.schema]
    if rows.is_with_spark:
        return RowsColumns(rows.compute(), found), found
    columns = _columns(rows.batch, found)
    return HeldColumns(columns), [column.type for column in columns]


def _with_spark(source: Source) -> bool:
    """Return whether Spark has the rows of a table."""
    return isinstance(source.columns, RowsColumns) and source.columns.is_with_spark


def _with_spark_columns(source: Source, positions: Sequence[int], engine: str) -> Any:
    """Return columns that Spark has, for a program there; None of others."""
    columns = source.columns
    if engine == "local" or not isinstance(columns, RowsColumns) or not columns.is_with_spark:
        return None
    return columns.with_spark(positions)


def _columns_here(structure: Structure, engine: str) -> list[list[ColumnValues]]:
    """Return the columns of all tables, none of those that stay with Spark."""
    found: list[list[ColumnValues]] = []
    for source, positions in structure.tables:
        if engine != "local" and _with_spark(source):
            found.append([])
            continue
        source.columns.load(positions)
        found.append([source.columns.column(k) for k in positions])
    return found


def _argument(columns: Sequence[ColumnValues], types: Sequence[ColumnType]) -> tuple[Any, ...]:
    """Return the columns of a table as a program takes them: where there may be nulls two."""
    batch: list[Any] = []
    for column, type in zip(columns, types, strict=True):
        if type.is_text:
            column.take_bytes()
        batch.append(_contiguous(column.values))
        if type.nullable:
            valid = np.ones(len(column), np.bool_) if column.valid is None else column.valid
            batch.append(np.ascontiguousarray(valid))
    return tuple(batch)


def _contiguous(values: Any) -> Any:
    return values if isinstance(values, Strings) else np.ascontiguousarray(values)


def _scalar(value: Any, type: ColumnType) -> Any:
    """Return a literal as programs take one: integers and floats of 64 bits are Python's."""
    if type.is_text:
        return value
    number = type.storage.type(value)
    return number.item() if type.storage.name in ("bool", "int64", "float64") else number


def _columns(batch: Sequence[Any], types: Sequence[ColumnType]) -> list[ColumnValues]:
    """Return the columns of a result."""
    found = iter(batch)
    columns: list[ColumnValues] = []
    for type in types:
        values = next(found)
        valid = next(found) if type.nullable else None
        if valid is not None and valid.all():
            valid, type = None, type.with_nulls(False)
        columns.append(ColumnValues(type, values, valid))
    return columns
