"""How each `vector` op that loops use is said in the `llvm` dialect: a table of conversions.

These are for loops that are written with the vectors of the processor in mind; of other loops LLVM
makes vectors by itself. A reduction adds the elements in their order, the first one first.

    %v = vector.insert %x, %u[1] : …       =>    %one = llvm.mlir.constant(1 : i64)
                                                 %v = llvm.insertelement %x, %u[%one : i64]
    %s = vector.reduction <add>, %v : …          %s = llvm.intr.vector.reduce.fadd(%zero, %v)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import AnyFloat, DenseArrayBase, VectorType, f32, f64, i32
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.lowering.llvm.convert_scalars_to_llvm import CONVERSIONS, Builder, Conversion


def _insert(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    assert isinstance(op, vector.InsertOp)
    value, into = operands
    (place,) = op.static_position.get_values()
    return build.add(llvm.InsertElementOp(into, value, build.integer(place)))


def _shuffle(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    assert isinstance(op, vector.ShuffleOp)
    mask = DenseArrayBase.from_list(i32, op.mask.get_values())
    return build.add(llvm.ShuffleVectorOp(operands[0], operands[1], mask, op.result.type))


def _reduce(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue:
    """From the accumulator, or else from -0.0, which changes no sum."""
    type = op.results[0].type
    assert isinstance(type, AnyFloat)
    elements, *given = operands
    start = given[0] if given else build.floating(-0.0, type)
    return build.add(llvm.VectorReduceFAddOp(start, elements))


_CONVERSIONS: dict[str, Conversion] = {
    "vector.insert": _insert,
    "vector.shuffle": _shuffle,
    "vector.reduction": _reduce,
    **{
        name: CONVERSIONS[name]
        for name in (
            "arith.constant",
            "arith.addf",
            "arith.subf",
            "arith.mulf",
            "arith.divf",
            "arith.negf",
        )
    },
}
"""Arithmetic on vectors is spelled like that on floats."""


def has_vectors(op: Operation) -> bool:
    """Return whether an op takes or gives a vector."""
    return any(isinstance(type, VectorType) for type in (*op.operand_types, *op.result_types))


def vector_conversion_of(op: Operation) -> Conversion | None:
    """Return how an op on vectors is said in the `llvm` dialect, if it can be."""
    if not has_float_vectors(op):
        return None
    match op:
        case vector.InsertOp() if op.dynamic_position or isinstance(op.source.type, VectorType):
            return None
        case vector.ShuffleOp() if min(op.mask.get_values()) < 0:
            return None
        case vector.ReductionOp() if op.kind.data != "add" or any(op.fastmath.data):
            return None
        case _:
            return _CONVERSIONS.get(op.name)


def has_float_vectors(op: Operation) -> bool:
    """Whether all vectors of an op are of floats, and have one dimension and a known length."""
    types = [value.type for value in (*op.operands, *op.results)]
    # `isa` of a generic class takes longer than all else that is asked of an op.
    vectors = [cast("VectorType[Attribute]", t) for t in types if isinstance(t, VectorType)]
    return all(
        type.element_type in (f32, f64)
        and type.get_num_dims() == 1
        and not type.get_num_scalable_dims()
        for type in vectors
    )
