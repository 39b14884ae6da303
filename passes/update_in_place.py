"""Compute arrays of the driver in the memory of others that die with it.

    %r = func.call @residual(%u)                %r = func.call @residual(%u)
    %s = func.call @add(%n, %r, %v)      =>     %s = func.call @add(%n, %r, %v) {in_place = 1}

`in_place` is the number of the operand whose memory the result takes, if it has the result's
shape. That is right if nothing looks at the array afterwards, if no other array shares its
memory (passes/analyses/plans/ownership.py), and if the kernel reads its elements only at the
points at which it writes: a neighbour might have been written already.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import LinearIndex, linear_indices
from diablo.dialects.locations import remark
from diablo.linear_sums import term
from diablo.passes.analyses.plans.ownership import Ownership
from diablo.passes.analyses.values.affine_values import constant_value

IN_PLACE = "in_place"
"""The attribute of a `func.call`, or a `tensor.insert`, with the number of the operand that is
overwritten."""


def _array_op(kernel: func.FuncOp) -> Operation | None:
    """The op of a kernel that makes its only result, if no other one touches arrays."""
    ops = [op for op in kernel.body.block.ops if op.name.startswith("tensor_block.")]
    end = kernel.body.block.last_op
    assert isinstance(end, func.ReturnOp)
    if len(ops) != 1 or list(end.arguments) != list(ops[0].results):
        return None
    return ops[0]


def _is_own_point(op: tensor_block.MapOp, map: AffineMap, argument: SSAValue) -> bool:
    """Whether an input is read where the result is written, in an array of the same elements.

    In an interleaved array (lowering/tensor_block/arrays/interleaved_keys.py) the point (i, a) is
    the element `f * i + a`.
    """
    assert isa(argument.type, TensorType)
    rank, axes = len(op.extents), linear_indices(map)
    position = 0
    for index in axes:
        if position < rank and index.alone == position:
            position += 1
            continue
        if position + 1 >= rank:
            return False
        factor = constant_value(op.extents[position + 1])
        if not isinstance(factor, int):
            return False
        if index != LinearIndex(term(position, factor) + term(position + 1)):
            return False
        position += 2
    return position == rank


def _may_overwrite(op: Operation, argument: SSAValue) -> bool:
    """Return whether the result of `op` may be written over `argument` as it is computed."""
    result = op.results[0].type
    if not isa(result, TensorType) or tensor_block.is_sparse(result):
        return False
    if not isa(argument.type, TensorType) or tensor_block.is_sparse(argument.type):
        return False
    if result.get_element_type() != argument.type.get_element_type():
        return False
    if isinstance(op, tensor_block.FromBagOp):
        return argument in op.dest and argument is not op.bag
    if not isinstance(op, tensor_block.MapOp):
        return False
    uses = [use.operation for use in argument.uses]
    return all(use is op or isinstance(use, tensor.DimOp) for use in uses) and all(
        _is_own_point(op, map.data, argument)
        for value, map in zip(op.inputs, op.maps, strict=True)
        if value is argument
    )


def _operand_to_overwrite(
    function: func.FuncOp, call: func.CallOp, ownership: Ownership
) -> int | None:
    kernel = SymbolTable.lookup_symbol(call, call.callee)
    if not isinstance(kernel, func.FuncOp) or len(kernel.body.blocks) != 1:
        return None
    op = _array_op(kernel)
    if op is None:
        return None
    arguments = kernel.body.block.args
    for number, value in enumerate(call.arguments):
        if not isinstance(value.type, TensorType):
            continue
        same = [k for k, other in enumerate(call.arguments) if other is value]
        if not all(_may_overwrite(op, arguments[k]) for k in same):
            continue
        if ownership.dies_at(value, call):
            remark(call, f"computed in the memory of {value.name_hint or 'an array'}: it dies here")
            return number
        if not isinstance(value.owner, Block) or value.owner.parent_op() is not function:
            name = value.name_hint or "an array"
            remark(call, f"not computed in the memory of {name}: it is used or kept elsewhere")
    return None


@dataclass(frozen=True)
class UpdateInPlacePass(ModulePass):
    """Mark the calls of kernels whose result may take the memory of an operand."""

    name = "update-in-place"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Mark the calls of every public function."""
        for function in op.ops:
            if not isinstance(function, func.FuncOp) or len(function.body.blocks) != 1:
                continue
            inner = [o for o in function.walk() if isinstance(o, func.CallOp | tensor.InsertOp)]
            if not inner:
                continue
            ownership = Ownership(function)
            for user in inner:
                if isinstance(user, tensor.InsertOp):
                    number = 1 if ownership.dies_at(user.dest, user) else None
                else:
                    number = _operand_to_overwrite(function, user, ownership)
                if number is not None:
                    user.attributes[IN_PLACE] = IntegerAttr(number, i64)
