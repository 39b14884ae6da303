"""Analysis: calls of kernels that make one array, and the operands that they may overwrite.

    %s = func.call @add(%n, %r, %v)          in the memory of %r, or of %v, where those die

A kernel may write where an operand is if it reads that only at the points at which it writes, or
where it keeps what is there: a neighbour might have been written already.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects import func, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.utils.hints import isa

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import LinearIndex, linear_indices
from diablo.linear_sums import term
from diablo.passes.analyses.loops.added_products import is_added_product
from diablo.passes.analyses.loops.kept_parts import KeptPart, given_at, kept_part
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.values.affine_values import constant_value


def _array_op(kernel: func.FuncOp) -> Operation | None:
    """The op of a kernel that makes its only result, if no other one touches arrays.

    A product that it adds to an array BLAS computes with it.
    """
    ops = [
        op
        for op in kernel.body.block.ops
        if op.name.startswith("tensor_block.") and not is_added_product(op)
    ]
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


def _is_alike(op: Operation, argument: SSAValue) -> bool:
    """Return whether the result of `op` is as `argument` is: dense, of the same elements."""
    types = (op.results[0].type, argument.type)
    dense = [type for type in types if isa(type, TensorType) and not tensor_block.is_sparse(type)]
    return len(dense) == 2 and dense[0].get_element_type() == dense[1].get_element_type()


class ArrayCall:
    """A call of a kernel that makes one array by one op."""

    def __init__(self, call: func.CallOp, kernel: func.FuncOp, op: Operation):
        self.call = call
        self.block = kernel.body.block
        self.op = op

    @cached_property
    def part(self) -> KeptPart | None:
        """The part that the kernel computes of an array, if it keeps the rest."""
        return kept_part(self.op) if isinstance(self.op, tensor_block.MapOp) else None

    @property
    def kept(self) -> int | None:
        """The operand that the result is, but for a part of it."""
        argument = None if self.part is None else self.part.map.inputs[self.part.number]
        return argument.index if isinstance(argument, BlockArgument) else None

    @cached_property
    def operands(self) -> Sequence[int]:
        """The operands in whose memory the result might be, by their numbers."""
        found: list[int] = []
        for number, value in enumerate(self.call.arguments):
            same = [k for k, other in enumerate(self.call.arguments) if other is value]
            if isinstance(value.type, TensorType) and all(map(self._may_overwrite, same)):
                found.append(number)
        return found

    def _may_overwrite(self, number: int) -> bool:
        """Return whether the result may be written over an operand as it is computed."""
        argument = self.block.args[number]
        if not _is_alike(self.op, argument):
            return False
        if isinstance(self.op, tensor_block.FromBagOp):
            return argument in self.op.dest and argument is not self.op.bag
        if not isinstance(self.op, tensor_block.MapOp):
            return False
        uses = [use.operation for use in argument.uses]
        return all(use is self.op or isinstance(use, tensor.DimOp) for use in uses) and all(
            _is_own_point(self.op, map.data, argument) or self._is_beside(number, map.data)
            for value, map in zip(self.op.inputs, self.op.indexing_maps, strict=True)
            if value is argument
        )

    def _is_beside(self, number: int, map: AffineMap) -> bool:
        """Return whether what is read of an operand is beside the part of it that is computed."""
        if self.part is None or self.kept is None:
            return False
        operands = self.call.arguments
        if operands[self.kept] is not operands[number]:
            return False
        place = linear_indices(map)
        return self.part.is_own_or_beside(place) or self.part.is_beside(
            place, given_at(self.call, self.block)
        )


def array_call(call: func.CallOp) -> ArrayCall | None:
    """Return what a call of such a kernel may overwrite, None for any other."""
    kernel = kernel_called(call)
    if kernel is None:
        return None
    op = _array_op(kernel)
    return None if op is None else ArrayCall(call, kernel, op)
