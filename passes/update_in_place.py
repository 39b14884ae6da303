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

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from diablo.dialects.locations import remark
from diablo.passes.analyses.plans.array_calls import ArrayCall, array_call
from diablo.passes.analyses.plans.ownership import Ownership
from diablo.passes.arrays_of_loops import Given, copy_what_others_see, given_to_loops

IN_PLACE = "in_place"
"""The attribute of a `func.call`, or a `tensor.insert`, with the number of the operand that is
overwritten."""


def _operand_to_overwrite(
    function: func.FuncOp, read: ArrayCall, ownership: Ownership
) -> int | None:
    call = read.call
    # Where an array is given twice, it is the part of the one that is kept that is computed.
    for number in sorted(read.operands, key=lambda number: number != read.kept):
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


def _copies_before_loops(
    seen: Mapping[func.CallOp, ArrayCall], ownership: Ownership
) -> list[_Copy]:
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


def _ownership(function: func.FuncOp, seen: Mapping[func.CallOp, ArrayCall]) -> Ownership:
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
            calls = {
                o: read for o in inner if isinstance(o, func.CallOp) and (read := array_call(o))
            }
            ownership = _ownership(function, calls)
            for user in inner:
                if isinstance(user, tensor.InsertOp):
                    number = 1 if ownership.dies_at(user.dest, user) else None
                else:
                    read = calls.get(user)
                    number = read and _operand_to_overwrite(function, read, ownership)
                if number is not None:
                    user.attributes[IN_PLACE] = IntegerAttr(number, i64)
