"""Reading text: the lines of a file, and tables (CSV) with columns of strings.

    read_lines("words.txt")                      ->  (array(["one line", "another"]),)
    read_table("people.csv", ("string", "i64"))  ->  (array(["Ada", …]), array([36, …]))

In a table without any number a line is a header only if it names the columns that are wanted,
and `#` begins no comment. A quoted field may hold the delimiter.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence

import numpy as np

from diablo.diagnostics import InputError, quantity
from diablo.runtime.arrays.elements import DTYPES, Array
from diablo.runtime.column_types import OBJECT
from diablo.runtime.io.csv_input import (
    BOOLEANS,
    READ_ERRORS,
    mistake,
    open_text,
    places_of,
    quoted_records,
    read_numbers,
    reason,
)
from diablo.runtime.rows.batches import Batch, empty
from diablo.runtime.rows.string_column import Strings
from diablo.scalar_table import BY_ELEMENT

_DELIMITERS = ",\t;"


def read_text(path: str) -> str:
    """The whole text of a file."""
    try:
        with open_text(path) as file:
            return file.read()
    except READ_ERRORS as error:
        raise InputError(f"{path}: {reason(error)}") from None


def read_lines(path: str) -> Batch:
    """The lines of a file, without what ends them."""
    text = read_text(path).replace("\r\n", "\n")
    column = Strings.lines(text)
    if column is not None:
        return (column,)
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return (np.array(lines, OBJECT),)


def read_rows(
    path: str, columns: Sequence[str], wanted: str, names: Sequence[str] | None = None
) -> Batch:
    """The columns of a file whose rows have the given element types.

    `wanted` is how the program spells the type, for messages. If the file has a header with
    all of `names`, the columns are those, in that order; there may be others.
    """
    is_table = any(BY_ELEMENT[column].is_text for column in columns)
    return (read_table if is_table else read_numbers)(path, columns, wanted, names)


def read_table(
    path: str, columns: Sequence[str], wanted: str, names: Sequence[str] | None = None
) -> Batch:
    """The columns of a table whose rows have the given element types, strings among them.

    If the first line has all of `names`, the columns are those, in that order.
    """
    numbered = _records(path, len(columns))
    if not numbered:
        return empty([DTYPES[c] for c in columns])
    line, first = numbered[0]
    if names is not None and set(names) <= set(first):
        places = [first.index(name) for name in names]
        numbered = [(line, _picked(path, line, record, places)) for line, record in numbered[1:]]
    elif len(first) == len(columns) and _is_header(first, columns):
        places_of(names, first, f"{path}:{line}", wanted)  # for its error
        del numbered[0]
    for line, record in numbered:
        if len(record) != len(columns):
            found, are = quantity(len(record), "column"), "is" if len(columns) == 1 else "are"
            message = f"{found} where {len(columns)} {are} wanted: {wanted}"
            raise InputError(f"{path}:{line}: {message}")
    if not numbered:
        return empty([DTYPES[c] for c in columns])
    lines = [line for line, _ in numbered]
    fields = zip(*[record for _, record in numbered], strict=True)
    return tuple(
        [
            _column(path, lines, position, field, element)
            for position, (field, element) in enumerate(zip(fields, columns, strict=True))
        ]
    )


def _records(path: str, columns: int) -> list[tuple[int, list[str]]]:
    """The lines that are not blank, with their numbers."""
    try:
        with open_text(path) as file:
            first = next((line for line in file if line.strip()), "")
            delimiter = next((c for c in _DELIMITERS if c in first), None)
            file.seek(0)
            if delimiter is None and columns > 1:
                lines = enumerate(file, 1)
                return [(number, line.split()) for number, line in lines if line.strip()]
            rows = quoted_records(file, delimiter or ",", path)
            return [(line, record) for line, record in rows if record]
    except READ_ERRORS as error:
        raise InputError(f"{path}: {reason(error)}") from None
    except csv.Error as error:
        raise InputError(f"{path}: {error}") from None


def _picked(path: str, line: int, record: list[str], places: list[int]) -> list[str]:
    if len(record) <= max(places):
        found = quantity(len(record), "column")
        raise InputError(f"{path}:{line}: {found} where the header has more than {max(places)}")
    return [record[place] for place in places]


def _is_header(record: Sequence[str], columns: Sequence[str]) -> bool:
    """Return whether there are columns of numbers, and no number in them."""
    wrong = [
        mistake(field.strip(), element) is not None
        for field, element in zip(record, columns, strict=True)
        if not BY_ELEMENT[element].is_text
    ]
    return bool(wrong) and all(wrong)


def _column(
    path: str, lines: Sequence[int], position: int, fields: Sequence[str], element: str
) -> Array:
    """One column, whose fields are strings so far."""
    scalar = BY_ELEMENT[element]
    if scalar.domain == "text":
        return np.array(fields, OBJECT)
    stripped = fields if scalar.is_text else [field.strip() for field in fields]
    for line, field in zip(lines, stripped, strict=True):
        wrong = mistake(field, element)
        if wrong is not None:
            raise InputError(f"{path}:{line}, column {position + 1}: {wrong}")
    if scalar.domain == "character":
        return np.fromiter(map(ord, stripped), np.int32, len(stripped))
    if scalar.domain == "boolean":
        return np.array([BOOLEANS[field.lower()] for field in stripped])
    with np.errstate(over="ignore"):  # What is too large for 32 bits is infinite.
        return np.array(list(map(scalar.python, stripped)), DTYPES[element])
