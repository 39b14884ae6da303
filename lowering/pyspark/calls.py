"""Calls of kernels by the driver, on arrays of its own.

%z, %s = func.call @kernel_0(%n, %x)                =>    z, s = kernel_0(n, x)
%z = func.call @kernel_1(%n, %x) {in_place = 1}     =>    z = into(x, kernel_1, n, x)

Integers are NumPy's. The driver computes with Python's, which are exact until they are wrapped:

%s = func.call @kernel_2(%x)                        =>    s = int(kernel_2(x))
%t = arith.muli %s, %s                                    t = wrap(s * s)

Those of an outlined loop are Python's. An extent that may be below zero, as that of an array which
is computed where a kernel folds it, is given as zero: NumPy's slices begin at the end otherwise.

%s = func.call @kernel_3(%n, %x)                    =>    s = kernel_3(max(n, 0), x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1
from xdsl.ir import SSAValue, Use
from xdsl.utils.hints import isa

from diablo.dialects import tensor_block
from diablo.lowering.outlined_loops import called_loop
from diablo.lowering.pyspark.pyspark_lines import Chain
from diablo.lowering.pyspark.pyspark_scalars import python_value
from diablo.lowering.python_text import symbol_name
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.intervals import interval

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver


def write_call(driver: Driver, op: func.CallOp) -> None:
    """Write a call; each of its results becomes a variable."""
    extents = _folded_extents(op)
    arguments = ", ".join(
        _size(driver, value) if number in extents else driver.text(value)
        for number, value in enumerate(op.arguments)
    )
    names = [driver.name(result, "local") for result in op.results]
    driver.lines.comment(op)
    kernel = symbol_name(op.callee.string_value())
    call = Chain(f"{kernel}({arguments})")
    if isinstance(number := op.attributes.get("in_place"), IntegerAttr):
        dying = driver.text(op.arguments[number.value.data])
        call = Chain(f"into({dying}, {kernel}, {arguments})")
    counts = [result for result in op.results if _is_computed_with(result)]
    counts = [] if called_loop(op) is not None else counts  # Its integers are Python's.
    if len(op.results) == 1 and counts:
        call = Chain(python_value(call.text, counts[0].type).text)
    driver.lines.statement(f"{', '.join(names)} = " if names else "", call)
    for name, result in zip(names, op.results, strict=True):
        if result in counts and len(names) > 1:
            driver.lines.add(f"{name} = {python_value(name, result.type).text}")
        driver.bind(result, name)


def _folded_extents(op: func.CallOp) -> set[int]:
    """Return which arguments are nothing but extents of what a kernel computes and does not give.

    An array that is given cannot have an extent below zero, which NumPy says.
    """
    kernel = kernel_called(op)
    if kernel is None:
        return set()
    return {
        argument.index
        for argument in kernel.body.block.args
        if isinstance(argument.type, IndexType)
        and argument.first_use is not None
        and all(_is_extent_inside(use) for use in argument.uses)
    }


def _is_extent_inside(use: Use) -> bool:
    """Whether a use is as an extent that no array has which the kernel gives."""
    op = use.operation
    if not isinstance(op, tensor_block.IterationOps):
        return False
    dimension = use.index - len(op.inputs)
    if not 0 <= dimension < len(op.extents):
        return False
    if isinstance(op, tensor_block.ScatterReduceOp):
        return True
    if isinstance(op, tensor_block.ReduceOp) and dimension >= op.parallel.value.data:
        return True
    return not any(isinstance(use.operation, func.ReturnOp) for use in op.result.uses)


def _size(driver: Driver, extent: SSAValue) -> str:
    """An extent, or zero if it is below."""
    if interval(extent, {}).low >= 0:
        return driver.text(extent)
    known = constant_value(extent)
    return f"max({driver.text(extent)}, 0)" if known is None else "0"


def _is_computed_with(value: SSAValue) -> bool:
    """Return whether `value` is an integer that the driver computes with."""
    if value.type == i1 or not isa(value.type, IndexType | IntegerType):
        return False
    return not all(isinstance(use.operation, func.CallOp | func.ReturnOp) for use in value.uses)
