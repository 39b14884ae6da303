"""The op on a bag whose rows are all written in the program: one op, however many there are.

`diablo.dialects.comprehension` exports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    IndexType,
    StringAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import BagType, bag_columns
from diablo.dialects.string_functions import StringType, character

Data = DenseArrayBase[Any] | ArrayAttr[Any]


@irdl_op_definition
class ConstantListOp(IRDLOperation):
    """The bag of the given rows of constants, column by column.

    A column of numbers or truth values is a dense array (of `i64` for indices, of `i32` for
    characters), one of strings an array of these. One of bags is where the rows of each bag begin,
    and where those of the last one end, and then the columns of all of them.

    ```mlir
    %rows = comprehension.constant_list [array<i64: 1, 2>, ["a", "b"]]
        : !comprehension.bag<i64, !comprehension.string>
    %nested = comprehension.constant_list [
        array<f64: 0.5, 1.5>, [array<i64: 0, 3, 3>, [array<i64: 7, 8, 9>]]]
        : !comprehension.bag<f64, !comprehension.bag<i64>>
    ```
    """

    name = "comprehension.constant_list"
    columns = prop_def(ArrayAttr)
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "$columns attr-dict `:` type($result)"

    def __init__(self, columns: Sequence[Attribute], result_type: BagType):
        super().__init__(properties={"columns": ArrayAttr(columns)}, result_types=[result_type])

    @property
    def count(self) -> int:
        """How many rows there are."""
        first = self.columns.data[0]
        return constant_count(first, bag_columns(self.result)[0])

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """The rows, with a list of rows for each bag."""
        return _rows(self.columns.data, bag_columns(self.result))

    def verify_(self) -> None:
        """Check the columns."""
        if self.result.type.is_map:
            raise VerifyException("a list is no map")
        _verify_columns(self.columns.data, bag_columns(self.result))


def constant_values(data: Attribute, type: Attribute) -> list[Any]:
    """The values of a column of numbers, truth values or strings."""
    if isinstance(type, StringType):
        texts = cast("ArrayAttr[StringAttr | BytesAttr]", data)
        return [t.data if isinstance(t, StringAttr) else t.data.decode() for t in texts]
    values = cast("DenseArrayBase[Any]", data).get_values()
    return [bool(value) for value in values] if type == i1 else list(values)


def constant_bags(data: Attribute) -> tuple[list[int], Sequence[Attribute]]:
    """Return where the rows of each bag of a column begin and end, and the columns of them all."""
    offsets, columns = cast("ArrayAttr[Any]", data).data
    return list(offsets.get_values()), columns.data


def constant_count(data: Attribute, type: Attribute) -> int:
    """Return how many rows a column has."""
    if isinstance(type, BagType):
        return len(constant_bags(data)[0]) - 1
    if isinstance(data, ArrayAttr):
        return len(cast("ArrayAttr[Attribute]", data).data)
    return len(cast("DenseArrayBase[Any]", data))


def _rows(columns: Sequence[Attribute], types: Sequence[Attribute]) -> list[tuple[Any, ...]]:
    values: list[list[Any]] = []
    for data, type in zip(columns, types, strict=True):
        if isinstance(type, BagType):
            offsets, inner = constant_bags(data)
            rows = _rows(inner, list(type.columns))
            values.append([rows[start:end] for start, end in pairwise(offsets)])
        else:
            values.append(constant_values(data, type))
    return list(zip(*values, strict=True))


def data_element(type: Attribute) -> Attribute:
    """The element type of the dense array that holds a column of numbers, truth values or such."""
    if isinstance(type, IndexType):
        return i64
    return i32 if type == character else type  # An array has elements of whole powers of bytes.


def _verify_columns(columns: Sequence[Attribute], types: Sequence[Attribute]) -> int:
    """Check columns, and return how many rows they have."""
    if not types or len(columns) != len(types):
        raise VerifyException(f"expected data for {len(types)} columns, got {len(columns)}")
    counts = {_verified_count(data, type) for data, type in zip(columns, types, strict=True)}
    if len(counts) > 1:
        raise VerifyException("the columns have different numbers of rows")
    return counts.pop()


def _verified_count(data: Attribute, type: Attribute) -> int:
    fits = False
    match type:
        case StringType():
            fits = _is_texts(data)
        case BagType():
            fits = _is_bags(data)
            if fits:
                offsets, inner = constant_bags(data)
                ascending = all(start <= end for start, end in pairwise(offsets))
                count = _verify_columns(inner, list(type.columns))
                if not offsets or offsets[0] != 0 or not ascending or offsets[-1] != count:
                    raise VerifyException(
                        f"the bags of {count} rows begin at 0, ascend, and end at {count}"
                    )
        case _:
            fits = _is_dense(data, data_element(type))
    if not fits:
        raise VerifyException(f"this is no column of {type}: {str(data)[:60]}")
    return constant_count(data, type)


def _is_texts(data: Attribute) -> bool:
    return isinstance(data, ArrayAttr) and all(map(_is_text, cast("ArrayAttr[Attribute]", data)))


def _is_text(text: Attribute) -> bool:
    if not isinstance(text, BytesAttr):
        return isinstance(text, StringAttr)
    try:  # The syntax of attributes takes a string with escapes for bytes.
        text.data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_bags(data: Attribute) -> bool:
    if not isinstance(data, ArrayAttr):
        return False
    parts = cast("ArrayAttr[Attribute]", data).data
    if len(parts) != 2:
        return False
    offsets, columns = parts
    return _is_dense(offsets, i64) and isinstance(columns, ArrayAttr)


def _is_dense(data: Attribute, element: Attribute) -> bool:
    found = cast("DenseArrayBase[Any]", data)
    return isinstance(data, DenseArrayBase) and found.elt_type == element
