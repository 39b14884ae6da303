"""The zeros of sparse arrays, with which products are zero whatever the other factor is.

A `SparseZero` is read from a sparse array, or computed in the same row from nothing but such
zeros and constants. In what is written, or yielded by a comprehension, it is an ordinary zero.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Operation

from diablo.dialects.number_constants import ConstantOps
from diablo.passes.interpreter.interpreted_values import Array, Row, Value
from diablo.passes.interpreter.scalar_evaluation import Number, evaluate


class SparseZero(float):
    """Zero as a sparse array has it."""


_ZERO = SparseZero(0.0)


def element_of(array: Array, value: Value) -> Value:
    """A value that was read from an array."""
    is_sparse = array.dense < len(array.dims)
    return _ZERO if is_sparse and isinstance(value, float) and value == 0.0 else value


def evaluate_in_row(op: Operation, operands: Sequence[Number]) -> Number | None:
    """The result of a scalar operation, of which operands may be zeros of sparse arrays."""
    zeros = [isinstance(value, SparseZero) for value in operands]
    if not any(zeros) or isinstance(op, arith.SelectOp):
        return evaluate(op, operands)
    if isinstance(op, arith.MulfOp):
        return _ZERO
    result = evaluate(op, operands)
    known = [
        zero or isinstance(operand.owner, ConstantOps)
        for zero, operand in zip(zeros, op.operands, strict=True)
    ]
    return _ZERO if isinstance(result, float) and result == 0.0 and all(known) else result


def ordinary(value: Value) -> Value:
    """A value as others read it."""
    if isinstance(value, SparseZero):
        return 0.0
    return tuple(map(ordinary, value)) if isinstance(value, tuple) else value


def ordinary_row(row: Row) -> Row:
    """The values of a row as others read them."""
    return tuple(map(ordinary, row))
