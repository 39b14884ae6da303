"""What a caller's values are made of, and the columns that hold them.

A row is flattened: each scalar, list, map and array in it has a column of its own. As the
element of an array or the value of a map, a tuple is packed into one column, and as the element of
an array so is a list.

    kind = ListKind(TupleKind((ScalarKind("i64"), TupleKind((F64, F64)))))
    str(kind)             ->  list[(Int, (Double, Double))]
    codes_of(kind.row)    ->  ("i8", "f8", "f8")
    code_of_kind(kind)    ->  ("list", "i8", "f8", "f8")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from diablo.runtime.column_types import Code, code_of, is_list, storage
from diablo.scalar_table import BY_ELEMENT, SCALARS, Scalar


@dataclass(frozen=True)
class ScalarKind:
    """One value of a scalar type, by its name in the IR."""

    element: str

    @property
    def type(self) -> Scalar:
        """The row of its type in the table of scalar types."""
        return BY_ELEMENT[self.element]

    def __str__(self) -> str:
        return BY_ELEMENT[self.element].name


def is_character(kind: Kind) -> bool:
    """Return whether a kind is that of characters, which columns hold as code points."""
    return isinstance(kind, ScalarKind) and kind.type.domain == "character"


@dataclass(frozen=True)
class TupleKind:
    """A tuple, or with `names` a record."""

    items: tuple[Kind, ...]
    names: tuple[str, ...] | None = None

    def __str__(self) -> str:
        if self.names is None:
            return f"({', '.join(map(str, self.items))})"
        fields = [f"{n}: {item}" for n, item in zip(self.names, self.items, strict=True)]
        return f"<{', '.join(fields)}>"


@dataclass(frozen=True)
class ListKind:
    """A list of rows."""

    row: Kind

    def __str__(self) -> str:
        return f"list[{self.row}]"


@dataclass(frozen=True)
class MapKind:
    """A map."""

    key: Kind
    value: Kind

    def __str__(self) -> str:
        return f"map[{self.key}, {self.value}]"


@dataclass(frozen=True)
class ArrayKind:
    """An array of a rank."""

    rank: int
    element: Kind

    def __str__(self) -> str:
        name = {1: "vector", 2: "matrix"}.get(self.rank, f"array{self.rank}")
        return f"{name}[{self.element}]"


Kind = ScalarKind | TupleKind | ListKind | MapKind | ArrayKind


def leaves(kind: Kind) -> Iterator[Kind]:
    """The kinds of the columns that hold a row: its parts that are no tuples."""
    if isinstance(kind, TupleKind):
        for item in kind.items:
            yield from leaves(item)
    else:
        yield kind


def field_paths(row: Kind) -> tuple[str, ...]:
    """The names of the leaves of a tuple: `outer.inner` for a record that is in another.

    Parts of tuples, which have no names, are f0, f1, …, and so are all leaves of a row without any.
    """
    paths = tuple(_paths(row, ""))
    return paths if has_names(row) else tuple([f"f{k}" for k in range(len(paths))])


def _paths(kind: Kind, outer: str) -> Iterator[str]:
    if not isinstance(kind, TupleKind):
        yield outer
        return
    names = kind.names or [f"f{k}" for k in range(len(kind.items))]
    for name, item in zip(names, kind.items, strict=True):
        yield from _paths(item, f"{outer}.{name}" if outer else name)


def has_names(kind: Kind) -> bool:
    """Return whether a row is a record, or a tuple in which there is one."""
    if not isinstance(kind, TupleKind):
        return False
    return kind.names is not None or any(map(has_names, kind.items))


def same_names(given: Kind, wanted: Kind) -> bool:
    """Whether fields at equal places have equal names, however deep; tuples fit any record."""
    match given, wanted:
        case TupleKind(), TupleKind():
            if given.names is not None and wanted.names is not None and given.names != wanted.names:
                return False
            if len(given.items) != len(wanted.items):
                return not (has_names(given) and has_names(wanted))
            return all(map(same_names, given.items, wanted.items))
        case ListKind(), ListKind():
            return same_names(given.row, wanted.row)
        case MapKind(), MapKind():
            return same_names(given.key, wanted.key) and same_names(given.value, wanted.value)
        case ArrayKind(), ArrayKind():
            return same_names(given.element, wanted.element)
        case _:
            return True


def codes_of(row: Kind) -> tuple[Code, ...]:
    """The codes of the columns of a list of such rows."""
    return tuple([code_of_kind(leaf) for leaf in leaves(row)])


def map_codes(kind: MapKind) -> tuple[Code, ...]:
    """The codes of the columns of a map: its key's, then one for its value."""
    return (*codes_of(kind.key), code_of_kind(kind.value))


def code_of_kind(kind: Kind) -> Code:
    """The code of the one column that holds such values, in which tuples are packed.

    A tuple of one column is not packed.
    """
    match kind:
        case ScalarKind():
            return code_of(kind.element)
        case TupleKind():
            codes = codes_of(kind)
            return codes[0] if len(codes) == 1 else ("tuple", *codes)
        case ListKind():
            return ("list", *codes_of(kind.row))
        case MapKind():
            return ("map", len(codes_of(kind.key)), *map_codes(kind))
        case ArrayKind():
            return ("tile", kind.rank, element_code(kind.element))


def element_code(kind: Kind) -> Code:
    """The code of the elements of an array that are of a kind: lists are packed as well."""
    code = code_of_kind(kind)
    return ("tuple", code) if is_list(code) else code


_ELEMENTS = {scalar.code: scalar.element for scalar in SCALARS}
_OF_DTYPES = {storage(row.code): row.element for row in SCALARS if not row.is_text}


def row_of(elements: Sequence[Code]) -> Kind:
    """The row whose columns have these codes, or these names in the IR: flat if it is a tuple."""
    kinds = tuple([kind_of(element) for element in elements])
    return kinds[0] if len(kinds) == 1 else TupleKind(kinds)


def kind_of(element: Code) -> Kind:
    """The kind of the values that a code, or a name in the IR, stands for."""
    match code_of(element):
        case ("tuple", part):
            return kind_of(part)
        case ("tuple", *parts):
            return TupleKind(tuple([kind_of(part) for part in parts]))
        case ("list", *parts):
            return ListKind(row_of(parts))
        case ("map", int() as keys, *parts):
            return MapKind(row_of(parts[:keys]), row_of(parts[keys:]))
        case ("tile", int() as rank, part):
            return ArrayKind(rank, kind_of(part))
        case str() as code if code in _ELEMENTS:
            return ScalarKind(_ELEMENTS[code])
        case dtype:
            return ScalarKind(_OF_DTYPES[np.dtype(dtype)])


def kind_of_dtype(dtype: np.dtype[Any]) -> ScalarKind:
    """The kind of the numbers or Booleans that an array of NumPy's holds, whatever their bytes.

    Of floats and complex numbers that programs have not it is that which comes closest.

    >>> str(kind_of_dtype(np.dtype(">i2"))), str(kind_of_dtype(np.dtype(np.float16)))
    ('Int16', 'Float')
    """
    size = dtype.itemsize
    if dtype.kind == "f":
        size = 4 if size <= 4 else 8
    elif dtype.kind == "c":
        size = 8 if size <= 8 else 16
    return ScalarKind(_OF_DTYPES[np.dtype(f"{dtype.kind}{size}")])
