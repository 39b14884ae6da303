"""`tensor.collapse_shape` of an array whose dimensions were taken apart, put back together.

    %B = tensor.collapse_shape %A [[0, 1]] : tensor<?x?xf64, …> into tensor<?xf64, …>
  ==>
    %B = spark.interleave %A [2] dims(%n)

On the driver it stays: the elements lie in memory as they should.
"""

from __future__ import annotations

from xdsl.dialects import tensor
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from diablo.dialects import spark
from diablo.lowering.spark.driver_indices import DriverIndices
from diablo.lowering.spark.state import Conversion
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.affine_values import constant_value


def collapsed_axes(op: tensor.CollapseShapeOp) -> list[list[int]]:
    """The axes of the source that make each axis of the result."""
    assert isa(op.reassociation, ArrayAttr[ArrayAttr[IntegerAttr]])
    return [[axis.value.data for axis in group] for group in op.reassociation]


def convert_collapse(conversion: Conversion, op: tensor.CollapseShapeOp) -> None:
    """Let groups of dimensions be one each."""
    array = conversion.of(op.src)
    driver = DriverIndices(conversion, op)
    own = conversion.dims[array]
    factors: list[int] = []
    dims: list[SSAValue] = []
    for group in collapsed_axes(op):
        outer, *inner = [own[axis] for axis in group]
        factor = 1
        for extent in inner:
            known = constant_value(extent)
            if len(inner) > 1 or not isinstance(known, int):
                raise unsupported(op, "only two dimensions, the second of known size, become one")
            factor = known
        factors.append(factor)
        dims.append(driver.times(outer, factor))
    if isinstance(array.type, spark.RDDType):
        result = conversion.add(spark.InterleaveOp(array, factors, dims), op)
    else:
        new = tensor.CollapseShapeOp(
            operands=[array], properties=op.properties.copy(), result_types=[op.result.type]
        )
        result = conversion.add(new, op)
    conversion.define(op.result, result, dims)
