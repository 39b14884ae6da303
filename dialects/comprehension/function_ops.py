"""From functions to the ops by which they stand in the IR, and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from xdsl.dialects.builtin import AnyFloat, ComplexType
from xdsl.dialects.complex import CreateOp
from xdsl.ir import Operation, SSAValue

from diablo.dialects.comprehension.comprehension_numbers import NumberCallOp
from diablo.dialects.functions.scalar_functions import FUNCTIONS, Overload


def function_op(function: str, arguments: Sequence[SSAValue]) -> Operation:
    """The op that computes a function on values of the one type that it has an overload for."""
    overload = FUNCTIONS[function].on(arguments[0].type)
    assert overload is not None
    if overload.operation is None:
        return NumberCallOp(function, arguments)
    if overload.operation is CreateOp:
        real, imaginary = arguments
        return CreateOp(real, imaginary, ComplexType(cast(AnyFloat, real.type)))
    return overload.operation(*arguments)


def function_of(op: Operation) -> str | None:
    """The name of the function that `op` stands for."""
    if isinstance(op, NumberCallOp):
        return op.function.data if op.function.data in FUNCTIONS else None
    name, _ = _by_operation().get(type(op), (None, None))
    return name


def overload_of(op: Operation) -> Overload | None:
    """The row of the table that `op` stands for."""
    if isinstance(op, NumberCallOp):
        function = FUNCTIONS.get(op.function.data)
        return None if function is None else function.on(op.arguments[0].type)
    _, overload = _by_operation().get(type(op), (None, None))
    return overload


@cache
def _by_operation() -> dict[type[Operation], tuple[str, Overload]]:
    return {
        overload.operation: (name, overload)
        for name, function in FUNCTIONS.items()
        for overload in function.overloads
        if overload.operation is not None
    }
