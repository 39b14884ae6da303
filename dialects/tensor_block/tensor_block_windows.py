"""The row op that looks from each row at others of its group: `window`.

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
from diablo.dialects.window_ops import WindowRows


@irdl_op_definition
class WindowOp(WindowRows):
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

    @override
    @staticmethod
    def columns_of(type: Attribute) -> Sequence[Attribute]:
        if not isinstance(type, BagType):
            raise VerifyException("expected a bag of rows to look at")
        return type.columns.data

    @override
    @staticmethod
    def rows_of(columns: Sequence[Attribute]) -> BagType:
        return BagType(columns)
