"""Calls of kernels by the driver, on arrays of its own.

%z, %s = func.call @kernel_0(%n, %x)                =>    z, s = kernel_0(n, x)
%z = func.call @kernel_1(%n, %x) {in_place = 1}     =>    z = into(x, kernel_1, n, x)

Integers are NumPy's. The driver computes with Python's, which are exact until they are wrapped:

%s = func.call @kernel_2(%x)                        =>    s = int(kernel_2(x))
%t = arith.muli %s, %s                                    t = wrap(s * s)

Those of an outlined loop are Python's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1
from xdsl.ir import SSAValue
from xdsl.utils.hints import isa

from diablo.lowering.outlined_loops import called_loop
from diablo.lowering.pyspark.pyspark_lines import Chain
from diablo.lowering.pyspark.pyspark_scalars import python_value
from diablo.lowering.python_text import symbol_name

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver


def write_call(driver: Driver, op: func.CallOp) -> None:
    """Write a call; each of its results becomes a variable."""
    arguments = ", ".join(driver.text(value) for value in op.arguments)
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


def _is_computed_with(value: SSAValue) -> bool:
    """Return whether `value` is an integer that the driver computes with."""
    if value.type == i1 or not isa(value.type, IndexType | IntegerType):
        return False
    return not all(isinstance(use.operation, func.CallOp | func.ReturnOp) for use in value.uses)
