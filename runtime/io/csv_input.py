"""Reading numbers from CSV files, plain or compressed.

NumPy's parser reads the file; only when it refuses is the file read a second time, slowly,
to say which line is wrong and why:

    edges.csv:7: 3 columns where 2 are wanted: list[(Int, Int)]

A first line without any number is a header; what follows a `#` is a comment. Fields are
separated by the first of comma, tab and semicolon that the first line has, otherwise by white
space. Files with other fields than numbers are read by `text_input`.
"""

from __future__ import annotations

import csv
import gzip
import io
import lzma
import warnings
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

import numpy as np

from diablo.diagnostics import InputError, quantity
from diablo.runtime.arrays.elements import DTYPES, NOUNS, Array
from diablo.runtime.io.file_checks import open_bytes
from diablo.runtime.rows.batches import Batch, empty
from diablo.scalar_table import BY_ELEMENT

BOOLEANS = {"true": True, "false": False, "1": True, "0": False}
READ_ERRORS = (OSError, EOFError, UnicodeError, zlib.error, lzma.LZMAError)


@dataclass(frozen=True)
class _Layout:
    """What the first lines of a file show."""

    delimiter: str | None  # None: white space
    skipped_lines: int  # up to and with the header
    columns: int
    first_line: int
    has_data: bool
    header: tuple[str, ...] = ()


def read_numbers(
    path: str, columns: Sequence[str], wanted: str, names: Sequence[str] | None = None
) -> Batch:
    """The columns of a file whose rows have the given element types, none of them text.

    `wanted` is how the program spells the type, for messages. If the file has a header with
    all of `names`, the columns are those, in that order; there may be others.
    """
    layout = _layout(path)
    places = places_of(names, layout.header, f"{path}:{layout.skipped_lines}", wanted)
    if places is None and layout.columns != len(columns):
        found = quantity(layout.columns, "column")
        are = "is" if len(columns) == 1 else "are"
        where = f"{path}:{layout.first_line}"
        raise InputError(f"{where}: {found} where {len(columns)} {are} wanted: {wanted}")
    if not layout.has_data:
        return empty([DTYPES[c] for c in columns])
    fields = [(f"c{i}", _parsed(c)) for i, c in enumerate(columns)]
    table = _parse(path, layout, np.dtype(fields), columns, 1, places)
    batch = [np.ascontiguousarray(table[name]) for name, _ in fields]
    for position, element in enumerate(columns):
        if _is_boolean(element):
            batch[position] = _booleans(path, layout, batch[position], columns)
    return tuple(batch)


def places_of(
    names: Sequence[str] | None, header: Sequence[str], where: str, wanted: str
) -> list[int] | None:
    """The columns with these names, or None if the header has none of them.

    A field `outer.inner` of a record in a record may be called `inner` alone if no other one is.
    A header with only some of the names is an error: one is misspelt, or of another table.
    """
    inner = [name.rpartition(".")[2] for name in names or ()]
    found = [
        name if name in header else own if own in header and inner.count(own) == 1 else None
        for name, own in zip(names or (), inner, strict=True)
    ]
    if names is None or not any(found):
        return None
    places = [None if name is None else header.index(name) for name in found]
    for name, place in zip(names, places, strict=True):
        if place is None or places.count(place) > 1:
            raise InputError(f"{where}: the header has no column {name!r}: {wanted}")
    return [place for place in places if place is not None]


def read_matrix(path: str, element: str) -> Array:
    """The numbers of a file as an array of two dimensions."""
    layout = _layout(path)
    if not layout.has_data:
        return np.zeros((0, layout.columns), DTYPES[element])
    elements = (element,) * layout.columns
    matrix = _parse(path, layout, _parsed(element), elements, 2)
    return _booleans(path, layout, matrix, elements) if _is_boolean(element) else matrix


def _is_boolean(element: str) -> bool:
    return BY_ELEMENT[element].domain == "boolean"


def _parsed(element: str) -> np.dtype[Any]:
    """The type in which the fields of a column are parsed: Booleans as text at first."""
    return np.dtype("U8") if _is_boolean(element) else DTYPES[element]


def open_text(path: str) -> TextIO:
    """A text file, plain or compressed."""
    # The first character of some files is a byte order mark.
    return io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", newline="")


def quoted_records(
    file: TextIO, delimiter: str, path: str, comments: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table whose fields may be quoted, with the numbers of their last lines.

    Raises
    ------
    InputError
        Where a quote takes all that is left of the file because nothing closes it.
    """
    ended = False

    def lines() -> Iterator[str]:
        nonlocal ended
        for line in file:
            yield _without_comment(line) if comments else line
        ended = True

    reader = csv.reader(lines(), delimiter=delimiter)
    first = 1
    for record in reader:
        if ended:  # A row ends with its line, which is not the end of the file.
            raise _unclosed(path, first)
        yield reader.line_num, record
        first = reader.line_num + 1


def _without_comment(line: str) -> str:
    """A line up to the first `#` that is in no quoted field which the line opens."""
    start = line.find("#")
    while start >= 0:
        before = line[:start]
        if before.count('"') % 2 == 0:
            return before + "\n"
        start = line.find("#", start + 1)
    return line


def _unclosed(path: str, line: int) -> InputError:
    return InputError(f"{path}:{line}: a quote is opened in this row and never closed")


def _records(file: TextIO, delimiter: str | None, path: str) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not blank nor comments, as line number and stripped fields."""
    if delimiter is None:
        for number, line in enumerate(file, 1):
            if line.strip() and not line.lstrip().startswith("#"):
                text = line.partition("#")[0]
                if text.count('"') % 2:
                    raise _unclosed(path, number)
                yield number, text.split()
        return
    for number, record in quoted_records(file, delimiter, path, comments=True):
        if record and (len(record) > 1 or record[0].strip()):
            yield number, [field.strip() for field in record]


def _is_comment(text: str) -> bool:
    return text.lstrip().startswith("#")


def _layout(path: str) -> _Layout:
    try:
        with open_text(path) as file:
            lines = (line for line in file if line.strip() and not _is_comment(line))
            first = next(lines, None)
            if first is None:
                raise InputError(f"{path}: the file is empty")
            delimiter = next((c for c in ",\t;" if c in first), None)
            file.seek(0)
            records = _records(file, delimiter, path)
            line, record = next(records)
            if any(_is_value(field) for field in record):
                return _Layout(delimiter, 0, len(record), line, True)
            second = next(records, None)
            header = tuple(record)
            if second is None:
                return _Layout(delimiter, line, len(record), line, False, header)
            return _Layout(delimiter, line, len(second[1]), second[0], True, header)
    except READ_ERRORS as error:
        raise InputError(f"{path}: {reason(error)}") from None
    except csv.Error as error:
        raise InputError(f"{path}: {error}") from None


def _is_value(field: str) -> bool:
    if not field or field.lower() in BOOLEANS:
        return True
    try:
        _complex_number(field)
    except ValueError:
        return False
    return True


def _complex_number(field: str) -> complex:
    """The number that a text spells; `j` alone is the name of a column."""
    if field.strip(" ()+-") in ("j", "J"):
        raise ValueError
    return complex(field)


def _parse(
    path: str,
    layout: _Layout,
    dtype: np.dtype[Any],
    elements: Sequence[str],
    ndmin: int,
    places: Sequence[int] | None = None,
) -> Array:
    try:
        with open_text(path) as file, warnings.catch_warnings():
            # NumPy may only warn where it reads 1.5 as an integer.
            warnings.simplefilter("error", DeprecationWarning)
            last = ""

            def lines() -> Iterator[str]:
                nonlocal last
                for line in file:
                    last = line
                    yield line

            table = np.loadtxt(
                lines(),
                dtype,
                comments="#",
                delimiter=layout.delimiter,
                skiprows=layout.skipped_lines,
                usecols=places,
                quotechar='"',
                ndmin=1 if ndmin == 1 else 2,
            )
        if '"' in last:  # NumPy closes a quote at the end of the file.
            with open_text(path) as file:
                for _ in _records(file, layout.delimiter, path):
                    pass
        return table
    except READ_ERRORS as error:
        if isinstance(error, UnicodeError | OSError | EOFError | zlib.error):
            raise InputError(f"{path}: {reason(error)}") from None
        raise
    except (ValueError, DeprecationWarning, OverflowError) as error:
        _find_mistake(path, layout, elements, places)
        raise InputError(f"{path}: {error}") from None


def _find_mistake(
    path: str, layout: _Layout, elements: Sequence[str], places: Sequence[int] | None = None
) -> None:
    """Raises the error for the first line that is not as it should be."""
    with open_text(path) as file:
        for line, record in _records(file, layout.delimiter, path):
            if line <= layout.skipped_lines:
                continue
            if places is not None and len(record) > max(places):
                record = [record[place] for place in places]
            if len(record) != len(elements):
                found = quantity(len(record), "column")
                raise InputError(f"{path}:{line}: {found} where the first row has {len(elements)}")
            for column, (field, element) in enumerate(zip(record, elements, strict=True), 1):
                wrong = mistake(field, element)
                if wrong is not None:
                    where = f", column {column}" if len(elements) > 1 else ""
                    raise InputError(f"{path}:{line}{where}: {wrong}")


def mistake(field: str, element: str) -> str | None:
    """Return what is wrong with the text of a field, if anything is."""
    domain = BY_ELEMENT[element].domain
    if domain == "character" and len(field) == 1:
        return None
    if not field:
        return f"nothing where {NOUNS[element]} is wanted"
    try:
        if domain == "character":
            raise ValueError
        if domain == "boolean":
            BOOLEANS[field.lower()]
        elif domain == "floating":
            float(field)
        elif domain == "complex":
            _complex_number(field)
        elif not BY_ELEMENT[element].holds(int(field)):
            return f"{field} does not fit in {BY_ELEMENT[element].room}"
    except (ValueError, KeyError):
        shown = field if len(field) <= 40 else field[:40] + "…"
        return f"{shown!r} is not {NOUNS[element]}"
    return None


def _booleans(path: str, layout: _Layout, texts: Array, elements: Sequence[str]) -> Array:
    lowered = np.char.lower(np.char.strip(texts))
    true = np.isin(lowered, [text for text, value in BOOLEANS.items() if value])
    false = np.isin(lowered, [text for text, value in BOOLEANS.items() if not value])
    if not (true | false).all():
        _find_mistake(path, layout, elements)
    return true


def reason(error: BaseException) -> str:
    """Why a file cannot be read, in a few words."""
    if isinstance(error, UnicodeError):
        return "the file is not UTF-8 text"
    if isinstance(error, EOFError | zlib.error | gzip.BadGzipFile | lzma.LZMAError):
        return f"the compressed file is damaged: {error}"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error)
