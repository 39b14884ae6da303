"""Calls of kernels by the driver, on arrays of its own.

%z, %s = func.call @kernel_0(%n, %x)                =>    z, s = kernel_0(n, x)
%z = func.call @kernel_1(%n, %x) {in_place = 1}     =>    z = into(x, kernel_1, n, x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr

from diablo.lowering.pyspark.lines import Chain
from diablo.lowering.python_text import symbol_name

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver


def write_call(driver: Driver, op: func.CallOp) -> None:
    """Write a call; each of its results becomes a variable."""
    arguments = ", ".join(driver.text(value) for value in op.arguments)
    names = [driver.names.unique(result.name_hint, "local") for result in op.results]
    driver.lines.comment(op)
    kernel = symbol_name(op.callee.string_value())
    call = Chain(f"{kernel}({arguments})")
    if isinstance(number := op.attributes.get("in_place"), IntegerAttr):
        dying = driver.text(op.arguments[number.value.data])
        call = Chain(f"into({dying}, {kernel}, {arguments})")
    driver.lines.statement(f"{', '.join(names)} = ", call)
    for name, result in zip(names, op.results, strict=True):
        driver.bind(result, name)
