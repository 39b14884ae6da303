"""Compute arrays of the driver in the memory of others that die with it.

    %r = func.call @residual(%u)                %r = func.call @residual(%u)
    %s = func.call @add(%n, %r, %v)      =>     %s = func.call @add(%n, %r, %v) {in_place = 1}

`in_place` is the number of the operand whose memory the result takes, if it has the result's
shape. That is right if nothing looks at the array afterwards, if no other array shares its
memory (passes/analyses/plans/ownership.py), and if the kernel reads its elements only at the
points at which it writes, or where it keeps what is there: a neighbour might have been written
already.

A loop that computes a part of an array in its memory, and keeps the rest, is given a copy of the
array if that is not the loop's alone. Otherwise each step would copy the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.context import Context
from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, TensorType, i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import LinearIndex, linear_indices
from diablo.dialects.locations import remark
from diablo.linear_sums import term
from diablo.passes.analyses.loops.kept_parts import KeptPart, given_at, kept_part
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.plans.ownership import Ownership
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.arrays_of_loops import Given, copy_what_others_see, given_to_loops

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


def _is_alike(op: Operation, argument: SSAValue) -> bool:
    """Return whether the result of `op` is as `argument` is: dense, of the same elements."""
    types = (op.results[0].type, argument.type)
    dense = [type for type in types if isa(type, TensorType) and not tensor_block.is_sparse(type)]
    return len(dense) == 2 and dense[0].get_element_type() == dense[1].get_element_type()


class _Call:
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
            for value, map in zip(self.op.inputs, self.op.maps, strict=True)
            if value is argument
        )

    def _is_beside(self, number: int, map: AffineMap) -> bool:
        """Return whether what is read of an operand is beside the part of it that is computed."""
        if self.part is None or self.kept is None:
            return False
        operands = self.call.arguments
        if operands[self.kept] is not operands[number]:
            return False
        return self.part.is_beside(linear_indices(map), given_at(self.call, self.block))


def _read(call: func.CallOp) -> _Call | None:
    kernel = kernel_called(call)
    if kernel is None:
        return None
    op = _array_op(kernel)
    return None if op is None else _Call(call, kernel, op)


def _operand_to_overwrite(function: func.FuncOp, read: _Call, ownership: Ownership) -> int | None:
    call = read.call
    for number in read.operands:
        value = call.arguments[number]
        if ownership.dies_at(value, call):
            remark(call, f"computed in the memory of {value.name_hint or 'an array'}: it dies here")
            return number
        if not isinstance(value.owner, Block) or value.owner.parent_op() is not function:
            name = value.name_hint or "an array"
            remark(call, f"not computed in the memory of {name}: it is used or kept elsewhere")
    return None


@dataclass
class _Copy:
    """A copy of an array that a loop is given, for calls that compute a part of it in place."""

    loop: scf.WhileOp
    number: int
    array: SSAValue
    calls: list[tuple[func.CallOp, int]]

    def helps(self, ownership: Ownership) -> bool:
        """Return whether a call may compute in the copy's memory."""
        return any(ownership.dies_at(call.arguments[n], call) for call, n in self.calls)

    def undo(self) -> None:
        """Give the loop the array itself."""
        copy = self.loop.arguments[self.number].owner
        assert isinstance(copy, Operation)
        self.loop.operands[self.number] = self.array
        Rewriter.erase_op(copy)


def _copies_before_loops(seen: Mapping[func.CallOp, _Call], ownership: Ownership) -> list[_Copy]:
    """Give loops copies of arrays of which they compute parts, and which are not theirs alone."""

    def written(call: func.CallOp) -> SSAValue | None:
        number = seen[call].kept if call in seen else None
        return None if number is None else call.arguments[number]

    found: dict[Given, list[tuple[func.CallOp, int]]] = {}
    for call, read in seen.items():
        number = read.kept
        if number is not None and number in read.operands:
            place = given_to_loops(call.arguments[number], call, written)
            if place is not None:
                found.setdefault(place, []).append((call, number))
    before = {place: place[0].arguments[place[1]] for place in found}
    return [
        _Copy(*place, before[place], found[place])
        for place, _ in copy_what_others_see(found, ownership)
    ]


def _ownership(function: func.FuncOp, seen: Mapping[func.CallOp, _Call]) -> Ownership:
    """Return what is owned in a function, once loops have the copies that let them own more."""
    ownership = Ownership(function)
    copies = _copies_before_loops(seen, ownership)
    if not copies:
        return ownership
    ownership = Ownership(function)
    useless = [copy for copy in copies if not copy.helps(ownership)]
    for copy in useless:
        copy.undo()
    for copy in copies:
        if copy not in useless:
            name = copy.array.name_hint or "an array"
            remark(copy.loop, f"{name} is copied once, so that the loop writes to its memory")
    return Ownership(function) if useless else ownership


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
            calls = {o: read for o in inner if isinstance(o, func.CallOp) and (read := _read(o))}
            ownership = _ownership(function, calls)
            for user in inner:
                if isinstance(user, tensor.InsertOp):
                    number = 1 if ownership.dies_at(user.dest, user) else None
                else:
                    read = calls.get(user)
                    number = read and _operand_to_overwrite(function, read, ownership)
                if number is not None:
                    user.attributes[IN_PLACE] = IntegerAttr(number, i64)
