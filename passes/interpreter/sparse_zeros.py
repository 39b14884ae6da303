"""The zeros of sparse arrays, with which products are zero whatever the other factor is.

A `SparseZero` is read from a sparse array, or computed in the same row from nothing but such
zeros and constants. In what is written, or yielded by a comprehension, it is an ordinary zero.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects import complex as complex_dialect
from xdsl.ir import Operation

from diablo.dialects.number_constants import ConstantOps
from diablo.passes.interpreter.interpreted_values import Array, Row, Value
from diablo.passes.interpreter.scalar_evaluation import AnyNumber, evaluate


class SparseZero(float):
    """Zero as a sparse array has it."""


class SparseComplexZero(complex):
    """Zero as a sparse array of complex numbers has it."""


Zero = SparseZero | SparseComplexZero

_ZEROS: dict[type[float] | type[complex], Zero] = {
    float: SparseZero(0.0),
    complex: SparseComplexZero(0.0),
}


def _zero_for(value: Value | None) -> Zero | None:
    """The zero of a sparse array that a value is, if it is one."""
    if isinstance(value, complex):
        return _ZEROS[complex] if value == 0j else None
    return _ZEROS[float] if isinstance(value, float) and value == 0.0 else None


def element_of(array: Array, value: Value) -> Value:
    """A value that was read from an array."""
    zero = _zero_for(value) if array.dense < len(array.dims) else None
    return value if zero is None else zero


def evaluate_in_row(op: Operation, operands: Sequence[AnyNumber]) -> AnyNumber | None:
    """The result of a scalar operation, of which operands may be zeros of sparse arrays."""
    zeros = [isinstance(value, Zero) for value in operands]
    if not any(zeros) or isinstance(op, arith.SelectOp):
        return evaluate(op, operands)
    if isinstance(op, arith.MulfOp):
        return _ZEROS[float]
    if isinstance(op, complex_dialect.MulOp):
        return _ZEROS[complex]
    result = evaluate(op, operands)
    known = [
        zero or isinstance(operand.owner, ConstantOps)
        for zero, operand in zip(zeros, op.operands, strict=True)
    ]
    zero = _zero_for(result) if all(known) else None
    return result if zero is None else zero


def ordinary(value: Value) -> Value:
    """A value as others read it."""
    if isinstance(value, SparseZero):
        return 0.0
    if isinstance(value, SparseComplexZero):
        return 0j
    return tuple(map(ordinary, value)) if isinstance(value, tuple) else value


def ordinary_row(row: Row) -> Row:
    """The values of a row as others read them."""
    return tuple(map(ordinary, row))
