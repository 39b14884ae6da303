"""One-off programs over what is there: `diablo.query("[ a.x | a <- A ]", A=table)`.

The inputs are declared as what is given, in a line before the text, which messages count out again:

    input A: list[<k: Int, x: Double>]; input n: Int;
    [ a.x * n | a <- A ]
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, cast

import numpy as np

from diablo.api import CompileWarning, Program
from diablo.array.creation_functions import asarray
from diablo.array.lazy_array import Array
from diablo.array.scalar_code import scalar_row
from diablo.array.sparse_array import SparseArray
from diablo.diagnostics import CompileError, Diagnostic, InputError, RunError
from diablo.frontend.parsing.lexer import tokenize
from diablo.frontend.parsing.tokens import Source
from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse
from diablo.runtime.io.arrow_tables import is_frame
from diablo.runtime.program.run_main import Engine
from diablo.runtime.results.result_types import DistributedArray, Map, Rows
from diablo.runtime.value_kinds import ListKind, ScalarKind, TupleKind
from diablo.scalar_table import OF_PYTHON
from diablo.table.column_values import ColumnType
from diablo.table.lazy_table import Table, table

_FILE = "<query>"
_MOST_PROGRAMS = 64


def query(
    text: str,
    /,
    *,
    engine: Engine = "local",
    master: str | None = None,
    block_size: int | None = None,
    **inputs: Any,
) -> Any:
    """Run a program over tables, arrays and numbers that are given by name.

    Parameters
    ----------
    text
        A program. What it reads needs no declaration: it is one of `inputs`.
    engine, master, block_size
        As of `diablo.compile`.
    inputs
        A table, a data frame, a table of Arrow's or a dictionary of columns is a list of records,
        without the columns whose names or types (dates) the language does not have; an array,
        lazy, sparse or NumPy's, an array; numbers, truth values and strings are themselves.

    Returns
    -------
    A list of records or tuples as a lazy table, an array as a lazy array (a sparse one as it is),
    other values as programs give them, and a tuple of results as a tuple.

    Examples
    --------
    >>> query("[ <k = a.k, y = 2.0 * a.x> | a <- A, a.x > 0.0 ]", A={"k": [1], "x": [1.5]})
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"the text of a program is a string, and not {type(text).__name__}")
    declared = _declared(text)
    values: dict[str, Any] = {}
    declarations: list[str] = []
    for name, given in inputs.items():
        if name in declared:
            values[name] = given
            continue
        input_type, values[name] = _typed(given, name)
        declarations.append(f"input {name}: {input_type};")
    program = _program(" ".join(declarations), text, engine, master, block_size)
    try:
        result = program(**values)
    except CompileError as error:
        raise _moved(error, text) from None
    except RunError as error:
        message = re.sub(_PLACE, lambda found: f"{_FILE}:{int(found[1]) - 1}:", str(error), count=1)
        raise RunError(message) from error.__cause__
    parts = cast("tuple[Any, ...]", result) if type(result) is tuple else None
    if parts is not None:
        return tuple([_wrapped(part) for part in parts])
    return _wrapped(result)


_PLACE = re.compile(rf"^{re.escape(_FILE)}:(\d+):")


@lru_cache(_MOST_PROGRAMS)
def _program(
    declarations: str, text: str, engine: Engine, master: str | None, block_size: int | None
) -> Program:
    def listener(diagnostic: Diagnostic) -> None:
        if diagnostic.severity == "warning":
            message = _above(diagnostic).render({_FILE: text})
            warnings.warn(message, CompileWarning, stacklevel=4)

    try:
        return Program(
            f"{declarations}\n{text}",
            _FILE,
            engine,
            master,
            block_size=block_size,
            listener=listener,
        )
    except CompileError as error:
        raise _moved(error, text) from None


def _moved(error: CompileError, text: str) -> CompileError:
    """Return an error with the places that its text has without the declarations."""
    return CompileError([_above(d) for d in error.diagnostics], {_FILE: text})


def _above(diagnostic: Diagnostic) -> Diagnostic:
    """Return a diagnostic of the text that stands a line further up."""
    span = diagnostic.span
    if span is not None:
        span = replace(span, line=span.line - 1) if span.line > 1 else None
    notes = tuple([_above(note) for note in diagnostic.notes])
    hint = _DECLARE.sub(r"give it by name: query(…, \1=…)", diagnostic.hint or "") or None
    return replace(diagnostic, span=span, notes=notes, hint=hint)


_DECLARE = re.compile(r"declare it: input (\w+): .*;")
"""What a program says of a name that it does not know: here inputs are arguments."""


def _declared(text: str) -> set[str]:
    """Return the names of the inputs that a text declares."""
    tokens, _ = tokenize(Source(text, _FILE))
    texts = [token.text for token in tokens]
    return {name for word, name in pairwise(texts) if word == "input"}


def _wrapped(result: Any) -> Any:
    """Return a result as a table or a lazy array, if there is one of it."""
    if isinstance(result, DistributedArray):
        is_plain = not result.is_sparse and isinstance(result.element, ScalarKind)
        return asarray(result) if is_plain and result.dtype.kind in "biufc" else result
    if isinstance(result, Rows):
        row = result.row
        kinds = row.items if isinstance(row, TupleKind) else (row,)
        return table(result) if all(isinstance(k, ScalarKind) for k in kinds) else result
    return result


# ---- types ---------------------------------------------------------------------------


def _typed(given: Any, name: str) -> tuple[str, Any]:
    """Return the type of an input in the language, and what a program is given for it."""
    if isinstance(given, str) or not isinstance(given, np.generic):
        for kind, scalar in OF_PYTHON.items():
            if isinstance(given, kind):
                return scalar.name, given
    if isinstance(given, np.generic):
        number = cast("Any", given)
        return _element(number.dtype, name), number.item() if number.dtype.kind == "b" else number
    if isinstance(given, Map):
        return str(given.kind), given
    if isinstance(given, Rows) and not isinstance(given.row, TupleKind):
        return str(ListKind(given.row)), given
    if isinstance(given, Array):
        if given.ndim:
            return _array(given.ndim, _element(given.dtype, name)), given
        given = given.to_numpy()
    if isinstance(given, DistributedArray):
        return _array(given.ndim, str(given.element)), given
    if isinstance(given, SparseArray):
        return _array(given.ndim, _element(given.dtype, name)), given
    array = cast("Any", given)
    is_array = isinstance(given, np.ndarray) or is_scipy_sparse(array)
    if is_array and getattr(array.dtype, "names", None) is None:
        return _array(array.ndim, _element(array.dtype, name)), array
    if isinstance(given, Mapping) and not _has_columns(cast("Mapping[Any, Any]", given)):
        return _map(cast("Mapping[Any, Any]", given), name)
    values = cast("list[Any]", given) if isinstance(given, list) else None
    if values is not None and not _has_rows(values):
        column = table({"value": values})
        return f"list[{_type(column.plan.schema[0].type)}]", values
    try:
        return _records(table(given), name)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _has_columns(given: Mapping[Any, Any]) -> bool:
    """Return whether a dictionary is one of columns, and no map."""
    columns = given.values()
    return bool(columns) and all(
        isinstance(column, list | np.ndarray | Array) or is_frame(column) or hasattr(column, "iloc")
        or hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__")
        for column in columns
    )  # fmt: skip


def _has_rows(given: list[Any]) -> bool:
    return bool(given) and all(isinstance(row, Mapping) for row in given)


def _records(given: Table, name: str) -> tuple[str, Any]:
    """Return a table as a list of records, of the columns that the language can name."""
    fields = [
        f
        for f in given.plan.schema
        if f.name.isidentifier() and f.name.isascii() and not f.type.is_time
    ]
    if not fields:
        raise InputError("no column has a name and a type that the language has")
    types = ", ".join([f"{field.name}: {_type(field.type)}" for field in fields])
    return f"list[<{types}>]", given


def _map(given: Mapping[Any, Any], name: str) -> tuple[str, Any]:
    pairs = table({"key": list(given), "value": list(given.values())})
    key, value = [_type(field.type) for field in pairs.plan.schema]
    return f"map[{key}, {value}]", given


def _array(rank: int, element: str) -> str:
    if rank == 0:
        return element
    return {1: "vector", 2: "matrix"}.get(rank, f"array{rank}") + f"[{element}]"


def _type(type: ColumnType) -> str:
    return "String" if type.is_text else _element(type.dtype, "a column")


def _element(dtype: Any, name: str) -> str:
    row = scalar_row(np.dtype(dtype))
    if row is None:
        raise InputError(f"{name}: there is no type for elements of {dtype}")
    return row.name
