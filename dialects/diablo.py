"""The `diablo` dialect: the source level, with mutable variables and bulk loops.

Control flow other than `for` is upstream's: `scf.if`, and `scf.while` without loop-carried
values (variables are mutable references here).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, Block, Dialect, ParametrizedAttribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import NoTerminator


@irdl_attr_definition
class RefType(ParametrizedAttribute, TypeAttribute):
    """A mutable variable that holds a value: `!diablo.ref<f64>`."""

    name = "diablo.ref"
    value: Attribute = param_def()


def _accessed_type(ref: SSAValue, indices: Sequence[SSAValue]) -> Attribute:
    assert isinstance(ref.type, RefType)
    value = ref.type.value
    if not indices:
        return value
    assert isinstance(value, TensorType)
    return value.get_element_type()


@irdl_op_definition
class VarOp(IRDLOperation):
    """Declares a variable and its first value."""

    name = "diablo.var"
    init = operand_def()
    sym_name = prop_def(StringAttr)
    ref = result_def(RefType)

    def __init__(self, name: str, init: SSAValue):
        super().__init__(
            operands=[init],
            properties={"sym_name": StringAttr(name)},
            result_types=[RefType(init.type)],
        )


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Reads a variable (no indices) or one element of the array it holds."""

    name = "diablo.load"
    ref = operand_def(RefType)
    indices = var_operand_def(IndexType)
    result = result_def()

    def __init__(self, ref: SSAValue, indices: Sequence[SSAValue] = ()):
        super().__init__(operands=[ref, indices], result_types=[_accessed_type(ref, indices)])


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes a variable (no indices) or one element of the array it holds."""

    name = "diablo.store"
    value = operand_def()
    ref = operand_def(RefType)
    indices = var_operand_def(IndexType)

    def __init__(self, value: SSAValue, ref: SSAValue, indices: Sequence[SSAValue] = ()):
        super().__init__(operands=[value, ref, indices])


@irdl_op_definition
class AccumulateOp(IRDLOperation):
    """Combines a value into a variable or an element with a monoid: `d += e`."""

    name = "diablo.accumulate"
    monoid = prop_def(StringAttr)
    value = operand_def()
    ref = operand_def(RefType)
    indices = var_operand_def(IndexType)

    def __init__(
        self, monoid: str, value: SSAValue, ref: SSAValue, indices: Sequence[SSAValue] = ()
    ):
        super().__init__(
            operands=[value, ref, indices], properties={"monoid": StringAttr(monoid)}
        )


@irdl_op_definition
class ForOp(IRDLOperation):
    """A bulk loop over `lower`, `lower + step`, … up to and including `upper`."""

    name = "diablo.for"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, lower: SSAValue, upper: SSAValue, body: Region | Block, step: int = 1):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            regions=[body if isinstance(body, Region) else Region(body)],
        )


@irdl_op_definition
class ForeachOp(IRDLOperation):
    """A bulk loop over the rows of a bag or the stored entries of a tensor.

    The block's arguments are what `comprehension.each` would bind.
    """

    name = "diablo.foreach"
    collection = operand_def()
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, collection: SSAValue, body: Region | Block):
        super().__init__(
            operands=[collection],
            regions=[body if isinstance(body, Region) else Region(body)],
        )


Diablo = Dialect("diablo", [VarOp, LoadOp, StoreOp, AccumulateOp, ForOp, ForeachOp], [RefType])
