"""The programs that compute queries: one for each structure, which serves all tables and literals.

evaluated(plan, DEFAULT)    ->    the columns of the plan
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from diablo.array.evaluation import Options
from diablo.array.structure_programs import KeptPrograms, StructureProgram
from diablo.runtime.program.run_main import choose_engine
from diablo.runtime.results.result_types import Rows
from diablo.runtime.rows.string_column import Strings
from diablo.table.column_values import ColumnType, ColumnValues
from diablo.table.filter_pushdown import push_filters
from diablo.table.query_plans import Plan, Source
from diablo.table.query_structure import Structure, structure_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

FILE = "<table query>"

_programs = KeptPrograms[StructureProgram]()


def program_for(structure: Structure, *, distributed: bool) -> StructureProgram:
    """Return the program of a structure, compiled if it was not."""
    steps, types = structure.steps, structure.literal_types
    pipeline = "tensor-block-to-spark" if distributed else "tensor-block-to-local"
    key = ("table", structure.key)
    return _programs.get(
        (key, distributed),
        lambda: StructureProgram(FILE, key, pipeline, lambda: _written(steps, types)),
    )


def program_count() -> int:
    """Return how many programs this process keeps."""
    return len(_programs)


def _written(steps: Any, types: Any) -> ModuleOp:
    from diablo.table.query_to_tensor_block import write_query

    return write_query(steps, types)


def evaluated(root: Plan, options: Options) -> list[ColumnValues]:
    """Return the columns of a plan."""
    if isinstance(root, Source):
        root.columns.load(range(len(root.schema)))
        return [root.columns.column(k) for k in range(len(root.schema))]
    return _run(structure_of(push_filters(root)), root, options)


def _run(structure: Structure, root: Plan, options: Options) -> list[ColumnValues]:
    types = [step.types for step in structure.steps if step.operation == "table"]
    tables = [_argument(*table) for table in zip(structure.columns(), types, strict=True)]
    engine = options.engine or "local"
    if engine == "auto":
        engine = choose_engine({str(k): t for k, t in enumerate(tables)}, options.master)
    distributed = engine == "spark" or options.block_size is not None
    program = program_for(structure, distributed=distributed)
    literals = [
        _scalar(value, type)
        for value, type in zip(structure.literals, structure.literal_types, strict=True)
    ]
    rows = program.run(
        [*tables, *literals], engine, options.master, options.block_size, options.memory
    )
    assert isinstance(rows, Rows)
    return _columns(rows.batch, [field.type for field in root.schema])


def _argument(columns: Sequence[ColumnValues], types: Sequence[ColumnType]) -> tuple[Any, ...]:
    """Return the columns of a table as a program takes them: where there may be nulls two."""
    batch: list[Any] = []
    for column, type in zip(columns, types, strict=True):
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
