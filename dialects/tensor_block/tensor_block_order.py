"""The row ops that compare rows: `sort` puts them in order, `window` looks from each at others.

`diablo.dialects.tensor_block` exports them.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from typing_extensions import override
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.bags import BagType
from diablo.dialects.ordered_rows_ops import OrderedRows
from diablo.dialects.sort_ops import SortRows
from diablo.dialects.window_ops import WindowRows


class _RowsOfBag(OrderedRows, ABC):
    """Rows that are a bag."""

    @override
    @staticmethod
    def columns_of(type: Attribute) -> Sequence[Attribute]:
        if not isinstance(type, BagType):
            raise VerifyException("expected a bag of rows")
        return type.columns.data

    @override
    @staticmethod
    def rows_of(columns: Sequence[Attribute]) -> BagType:
        return BagType(columns)


@irdl_op_definition
class SortOp(_RowsOfBag, SortRows):
    """The rows in the order of some columns, which are compared one after the other.

    Rows ascend by a column, or descend by one that is called `desc`: numbers, of which NaN comes
    last either way and -0.0 is 0.0, false before true, strings by their characters. Rows that
    agree in all of these columns stay in the order that they have.

    With `limit` the result has as many of the first rows, all if there are no more of them, and
    none if it is negative; without columns these are the first ones in the order that they have.
    `to` says which columns the result has, and in which order, if it has not all: as if it were
    projected. The column behind the last one is there, too: the place of the row in the bag.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64, i1>
    %k = "test.op"() : () -> index
    %sorted = tensor_block.sort %rows by [0, 1 desc]
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
    %greatest = tensor_block.sort %rows by [1 desc] limit(%k) to [1, 0]
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<f64, i64>
    %first = tensor_block.sort %rows by [] limit(%k)
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<i64, f64, i1>
    %order = tensor_block.sort %rows by [1] to [3]
        : !comprehension.bag<i64, f64, i1> -> !comprehension.bag<index>
    ```
    """

    name = "tensor_block.sort"
    bag = operand_def(BagType)
    result = result_def(BagType)
    traits = traits_def(Pure())


@irdl_op_definition
class WindowOp(_RowsOfBag, WindowRows):
    """Appends to each row what functions give of the rows of its group; rows stay as they are.

    A group are the rows that agree in the columns `keys`, all rows if there are none. They are
    looked at in the order of the columns after `by`, as by `tensor_block.sort`, and those that
    agree in these as they stand; those are *peers*. All these places are counted from 0.

    | | |
    |---|---|
    | `number` | the place of the row in its group |
    | `size` | how many rows the group has |
    | `first_peer`, `last_peer` | the places of the first and the last row that agree with the row |
    | `peers_before` | how many different values of the columns `by` come before those of the row |
    | `shift C by %n` | column C of the row `%n` places before, and whether there is one |
    | `first C`, `last C` | column C of the first row of the group, or of the last one |
    | `whole M C` | column C folded over the group |
    | `scan M C` | column C folded up to the row, itself included |
    | `fold M C of %n` | column C folded over the last `%n` rows, itself included, or fewer |
    | `quantile I C at %q` | the value in column C of the group below which a part of 0 to 1 lies |

    Where there is no such row, a value is that of the first row of the group, or of the last one.
    Monoids are built-in ones. A fold of 0 rows, or fewer, is the identity. A quantile is the value
    at place `%q` times the last one in ascending order, and between two places `linear` what is
    that far from one to the other, `midpoint` their mean, `lower`, `higher` or `nearest` one of
    them, of two that are equally near the one at an even place. It is NaN if a value is.

    ```mlir
    %n = "test.op"() : () -> index
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %running = tensor_block.window %rows keys [0] by [] functions [number, scan add 1]
        : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, i64, f64>
    %before = tensor_block.window %rows keys [] by [1 desc, 0] functions [shift 1 by %n]
        : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, f64, i1>
    %half = arith.constant 0.5 : f64
    %medians = tensor_block.window %rows keys [0] by [] functions [quantile linear 1 at %half]
        : !comprehension.bag<i64, f64> -> !comprehension.bag<i64, f64, f64>
    ```
    """

    name = "tensor_block.window"
    bag = operand_def(BagType)
    result = result_def(BagType)
    traits = traits_def(Pure())
