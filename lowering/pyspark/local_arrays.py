"""What the driver does with whole arrays besides calling kernels on them.

%S = tensor.insert %A into %R[%k]                   =>    S = with_element(R, (k,), A)
%S = bufferization.alloc_tensor() copy(%R)          =>    S = copied(R)
%E = spark.with_layout %A as <form = full>          =>    E = with_layout(A, "form = full")
%r = spark.slice %A[%k, *]                          =>    r = slice_of(A, (k, None))
%v = comprehension.column 1 of %rows                =>    v = in_order.column(1)
%B = tensor.collapse_shape %A [[0, 1]] : …          =>    B = joined_axes(A, (2,))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.dialects import bufferization, tensor
from xdsl.ir import Operation

from diablo.dialects import comprehension, spark
from diablo.dialects.encodings import array_type
from diablo.lowering.collapsed_axes import collapsed_axes
from diablo.lowering.numpy.expressions import tuple_text
from diablo.lowering.pyspark.operations import index_text
from diablo.lowering.python_text import string_literal

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver


def _splat(driver: Driver, op: tensor.SplatOp) -> str:
    dims = tuple_text([driver.scalar(d) for d in op.dynamicSizes])
    return f"filled({dims}, {driver.text(op.input)})"


def _insert(driver: Driver, op: tensor.InsertOp) -> str:
    index = tuple_text([driver.scalar(i) for i in op.indices])
    array = driver.text(op.dest)
    arguments = f"{array}, {index}, {driver.text(op.scalar)}"
    if "in_place" in op.attributes:
        return f"into({array}, with_element, {arguments})"
    return f"with_element({arguments})"


def _alloc(driver: Driver, op: bufferization.AllocTensorOp) -> str:
    assert op.copy is not None
    return f"copied({driver.text(op.copy)})"


def _collapse(driver: Driver, op: tensor.CollapseShapeOp) -> str:
    widths = tuple_text([str(len(axes)) for axes in collapsed_axes(op)])
    return f"joined_axes({driver.text(op.src)}, {widths})"


def _with_layout(driver: Driver, op: spark.WithLayoutOp) -> str:
    return f"with_layout({driver.text(op.input)}, {string_literal(op.layout.text)})"


def _slice(driver: Driver, op: spark.SliceOp) -> str:
    index = index_text(driver, op, array_type(op.input).get_num_dims())
    return f"slice_of({driver.text(op.input)}, {index})"


def _column(driver: Driver, op: comprehension.ColumnOp) -> str:
    return f"{driver.text(op.rows)}.column({op.number.value.data})"


LOCAL_ARRAYS: dict[type[Operation], Callable[[Any, Any], str]] = {
    tensor.SplatOp: _splat,
    tensor.InsertOp: _insert,
    bufferization.AllocTensorOp: _alloc,
    tensor.CollapseShapeOp: _collapse,
    spark.WithLayoutOp: _with_layout,
    spark.SliceOp: _slice,
    comprehension.ColumnOp: _column,
}
"""The text of each op's result."""
