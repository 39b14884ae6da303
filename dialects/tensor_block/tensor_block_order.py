"""The row op that puts rows in order, and keeps the first ones of them.

`diablo.dialects.tensor_block` exports it.
"""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import BagType
from diablo.dialects.sort_ops import SortRows


@irdl_op_definition
class SortOp(SortRows):
    """The rows in the order of some columns, which are compared one after the other.

    Rows ascend by a column, or descend by one that is called `desc`: numbers, of which NaN comes
    last either way and -0.0 is 0.0, false before true, strings by their characters. Rows that
    agree in all of these columns stay in the order that they have.

    With `limit` the result has as many of the first rows, all if there are no more of them, and
    none if it is negative; without columns these are the first ones in the order that they have.
    `to` says which columns the result has, and in which order, if it has not all: as if it were
    projected.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64, i1>
    %k = "test.op"() : () -> index
    %sorted = tensor_block.sort %rows by [0, 1 desc]
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
    %greatest = tensor_block.sort %rows by [1 desc] limit(%k) to [1, 0]
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<f64, i64>
    %first = tensor_block.sort %rows by [] limit(%k)
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
    ```
    """

    name = "tensor_block.sort"
    bag = operand_def(BagType)
    result = result_def(BagType)
    traits = traits_def(Pure())

    @override
    @staticmethod
    def columns_of(type: Attribute) -> Sequence[Attribute]:
        if not isinstance(type, BagType):
            raise VerifyException("expected a bag of rows to sort")
        return type.columns.data

    @override
    @staticmethod
    def rows_of(columns: Sequence[Attribute]) -> BagType:
        return BagType(columns)
