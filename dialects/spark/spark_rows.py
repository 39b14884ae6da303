"""The `spark` ops on rows that run no kernel: numbering them, uniting them, finding one.

`diablo.dialects.spark` exports them; `probe` finds an element of an array as well.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import IndexType, i1, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import BagType
from diablo.dialects.encodings import as_array
from diablo.dialects.ordered_rows_ops import OrderedRows
from diablo.dialects.sort_ops import SortRows
from diablo.dialects.spark.spark_types import (
    RDDType,
    columns_of_rows,
    rdd_type,
    row_columns,
    verify_dims,
    verify_same,
)
from diablo.dialects.verifier_checks import listed
from diablo.dialects.window_ops import WindowRows


@irdl_op_definition
class NumberOp(IRDLOperation):
    """Appends a column that holds a different number in every row.

    The numbers depend on how the rows are cut into batches, so that rows which are numbered
    again may get others.

    ```mlir
    %rows = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<f64>]>
    %numbered = spark.number %rows : !spark.rdd<[], [!comprehension.bag<f64>]>
        -> !spark.rdd<[], [!comprehension.bag<f64, i64>]>
    ```
    """

    name = "spark.number"
    input = operand_def(RDDType)
    result = result_def(RDDType)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue):
        columns = [*row_columns(input), i64]
        super().__init__(operands=[input], result_types=[RDDType([], [BagType(columns)])])

    def verify_(self) -> None:
        """Check the columns."""
        verify_same(self.result.type, [], [BagType([*row_columns(self.input), i64])])


class _RowsOfRDD(OrderedRows, ABC):
    """Rows that are the batches of an RDD."""

    @override
    @staticmethod
    def columns_of(type: Attribute) -> Sequence[Attribute]:
        return columns_of_rows(type)

    @override
    @staticmethod
    def rows_of(columns: Sequence[Attribute]) -> RDDType:
        return RDDType([], [BagType(columns)])


@irdl_op_definition
class SortOp(_RowsOfRDD, SortRows):
    """Puts rows in the order of some columns, across all batches, as `tensor_block.sort` does.

    With `limit` only that many of the first rows are left, for which each batch sends no more.
    `to` says which columns the result has, if it has not all; that behind the last one is the place
    of the row in all batches.

    ```mlir
    %k = "test.op"() : () -> index
    %rows = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
    %sorted = spark.sort %rows by [1 desc, 0] : !spark.rdd<[], [!comprehension.bag<i64, f64>]>
        -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
    %greatest = spark.sort %rows by [1 desc] limit(%k) to [0]
        : !spark.rdd<[], [!comprehension.bag<i64, f64>]>
        -> !spark.rdd<[], [!comprehension.bag<i64>]>
    ```
    """

    name = "spark.sort"
    input = operand_def(RDDType)
    result = result_def(RDDType)


@irdl_op_definition
class WindowRowsOp(_RowsOfRDD, WindowRows):
    """Appends to each row what functions give of its group, as `tensor_block.window` does.

    The rows of a group are brought together, and back to where they came from.

    ```mlir
    %n = "test.op"() : () -> index
    %rows = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<i64, f64>]>
    %before = spark.window_rows %rows keys [0] by [1 desc] functions [shift 1 by %n]
        : !spark.rdd<[], [!comprehension.bag<i64, f64>]>
        -> !spark.rdd<[], [!comprehension.bag<i64, f64, f64, i1>]>
    ```
    """

    name = "spark.window_rows"
    input = operand_def(RDDType)
    result = result_def(RDDType)


@irdl_op_definition
class UnionOp(IRDLOperation):
    """The records of both RDDs.

    ```mlir
    %a, %b = "test.op"() : () -> (!spark.rdd<[], [!comprehension.bag<f64>]>,
                                  !spark.rdd<[], [!comprehension.bag<f64>]>)
    %rows = spark.union %a, %b : !spark.rdd<[], [!comprehension.bag<f64>]>
    ```
    """

    T: ClassVar = VarConstraint("T", base(RDDType))

    name = "spark.union"
    left = operand_def(T)
    right = operand_def(T)
    result = result_def(T)
    assembly_format = "$left `,` $right attr-dict `:` type($result)"

    def __init__(self, left: SSAValue, right: SSAValue):
        super().__init__(operands=[left, right], result_types=[left.type])


@irdl_op_definition
class ProbeOp(IRDLOperation):
    """Brings an array's element, or the values of a row with a key, to the driver, if it is there.

    The keys of rows are their first columns; no two rows agree in them. An array is given
    with its dimensions. Where there is nothing, the values are the implicit ones and the last
    result is false.

    ```mlir
    %i, %n, %k = "test.op"() : () -> (index, index, !comprehension.string)
    %v = "test.op"() : () -> !spark.rdd<[index], [tensor<?xf64>]>
    %x, %inside = spark.probe %v[%i : index] dims(%n) : !spark.rdd<[index], [tensor<?xf64>]> -> f64
    %M = "test.op"() : () -> !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]>
    %m, %found = spark.probe %M[%k : !comprehension.string]
        : !spark.rdd<[], [!comprehension.bag<!comprehension.string, i64>]> -> i64
    ```
    """

    name = "spark.probe"
    input = operand_def(RDDType)
    keys = var_operand_def()
    dims = var_operand_def(IndexType)
    values = var_result_def()
    found = result_def(i1)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$input `[` $keys `:` type($keys) `]` (`dims` `(` $dims^ `)`)? attr-dict "
        "`:` type($input) `->` type($values)"
    )

    def __init__(self, input: SSAValue, keys: Sequence[SSAValue], dims: Sequence[SSAValue]):
        assert isinstance(input.type, RDDType)
        values = _probed(input, len(keys))[1]
        super().__init__(operands=[input, keys, dims], result_types=[values, i1])

    def verify_(self) -> None:
        """Check the keys, the dimensions and the values."""
        keys, values = _probed(self.input, len(self.keys))
        if self.keys.types != tuple(keys):
            raise VerifyException(f"the keys must be {listed(keys)}, got {listed(self.keys.types)}")
        if self.values.types != tuple(values):
            raise VerifyException(f"the values must be {listed(values)}")
        verify_dims(self.dims, len(rdd_type(self.input).keys), "coordinates of the key")


def _probed(rdd: SSAValue, keys: int) -> tuple[list[Attribute], list[Attribute]]:
    """The types of the keys and of the values of what is looked into."""
    type = rdd_type(rdd)
    array = as_array(type.values.data[0]) if len(type.values) == 1 else None
    if array is not None:
        return list(type.keys), [array.get_element_type()]
    columns = row_columns(rdd)
    return list(columns[:keys]), list(columns[keys:])
