"""The ops over an iteration space, each by what it reads and makes.

`arrays` converts those that are read at the point, `windows` those that are read beside it; here
are tables (`scatter_reduce`), and the choice.
"""

from __future__ import annotations

from diablo.dialects import spark, tensor_block
from diablo.dialects.locations import remark
from diablo.lowering.spark.arrays import IterationConversion
from diablo.lowering.spark.distributed_windows import convert_windows, reads_beside
from diablo.lowering.spark.state import Conversion
from diablo.passes.analyses.plans.free_values import free_values


def convert_iteration(conversion: Conversion, op: tensor_block.IterationOps) -> None:
    """Convert one op over an iteration space."""
    scatters = isinstance(op, tensor_block.ScatterReduceOp)
    if scatters and not reads_beside(op):
        _ScatterConversion(conversion, op).convert()
    elif not reads_beside(op):
        IterationConversion(conversion, op).convert()
    elif any(tensor_block.is_tiled(value.type) for value in (op.result, *op.inputs)):
        convert_windows(conversion, op)
    elif scatters:
        _ScatterConversion(conversion, op).convert()
    else:
        # The whole of each array is one tile.
        IterationConversion(conversion, op).convert()


class _ScatterConversion(IterationConversion):
    """A `scatter_reduce`: every tile makes a table, and the tables are combined by tiles."""

    def convert(self) -> None:
        """Write the tables, their tiles, and what combines these."""
        conversion, op = self.conversion, self.op
        assert isinstance(op, tensor_block.ScatterReduceOp)
        free = list(dict.fromkeys([*free_values([op.body]), *op.into]))
        captures = conversion.captures(op, free)
        dims = conversion.all_of(op.into)
        if not any(tensor_block.is_tiled(value.type) for value in (*self.inputs, op.result)):
            conversion.define(op.result, self._call(captures), dims)
            return
        plan = self._plan()
        remark(op, "every tile makes a table of the whole result; the tables are combined")
        tables = self._distribute(plan, captures)
        parts = conversion.add(spark.SplitOp(tables, dims), op)
        result = conversion.add(spark.ReduceByKeyOp(op.monoid.data, parts), op)
        if not tensor_block.is_tiled(op.result.type):
            result = conversion.add(spark.CollectOp(result, dims, op.result.type), op)
        conversion.define(op.result, result, dims)
