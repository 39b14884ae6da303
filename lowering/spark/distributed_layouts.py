"""Layouts of sparse arrays: from the attributes of what makes them to the driver's program.

    %E = tensor_block.from_bag %rows … {sparse_storage.layout = #sparse_storage.layout<L>}
  ==>
    %0 = spark.map_groups @kernel_1(…)
    %E = spark.with_layout %0 as <L>

An input gets its layout before it is distributed, for all runs of loops that read it.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from diablo.dialects import spark
from diablo.dialects.sparse_storage import LayoutAttr
from diablo.lowering.spark.conversion import Conversion

LAYOUT = "sparse_storage.layout"


def layout_of_argument(argument: BlockArgument) -> LayoutAttr | None:
    """The layout that an argument of a function is to have."""
    function = argument.block.parent_op()
    if not isinstance(function, func.FuncOp) or function.arg_attrs is None:
        return None
    return _layout(function.arg_attrs.data[argument.index].data.get(LAYOUT))


def lay_out_result(conversion: Conversion, op: Operation) -> None:
    """Store the result of an op that is converted as its layout says."""
    layout = _layout(op.attributes.get(LAYOUT))
    if layout is not None and len(op.results) == 1:
        lay_out(conversion, op.results[0], layout, op)


def lay_out(conversion: Conversion, old: SSAValue, layout: LayoutAttr, like: Operation) -> None:
    """Store what stands for `old` in `layout`."""
    made = conversion.of(old)
    dims = conversion.dims.get(made, ())
    laid_out = conversion.add(spark.WithLayoutOp(made, layout), like)
    laid_out.name_hint = made.name_hint
    if isinstance(made.owner, Operation):
        made.name_hint = None  # The name is that of the array as it is stored.
    conversion.define(old, laid_out, dims)


def _layout(attribute: Attribute | None) -> LayoutAttr | None:
    return attribute if isinstance(attribute, LayoutAttr) else None
