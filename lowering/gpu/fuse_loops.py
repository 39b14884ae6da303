"""Fuse loops over the same points that follow one another, each of which would be a launch.

    scf.for %i … { … store %x, %z[%i] }           scf.for %i … iter_args(%s) {
    scf.for %j … iter_args(%s) {             =>     … store %x, %z[%i]
      %y = load %z[%j]                              yield %s + %x * %x
      yield %s + %y * %y                          }
    }

An iteration of the second may take what the same one of the first has stored, which it then need
not load, and nothing that another one stores. Neither may the first load elements of others where
the second stores: arrays may have the memory of each other where elements are read just where they
are written.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.effects import has_no_effect
from diablo.dialects.locations import located
from diablo.dialects.number_constants import ConstantOps
from diablo.lowering.gpu.loop_structure import Accesses, find_chain, is_scan, is_within, trip_bounds
from diablo.passes.analyses.refused import Refused


def fuse_loops(function: func.FuncOp) -> None:
    """Fuse the loops of a function, none of which is in another one, where that is possible."""
    first: scf.ForOp | None = None
    for op in list(function.body.block.ops):
        if isinstance(op, scf.ForOp):
            if not _is_plain(op):
                first = None
            elif first is not None and _are_fusible(first, op):
                first = _fused(first, op)
            else:
                first = op
        elif first is not None and not _may_stand_before(op, first):
            first = None


def _is_plain(loop: scf.ForOp) -> bool:
    """Return whether a loop has iterations that are apart, or folds them in an order that is free.

    Nothing but computing, loading and storing is in it, and of what is read before it is stored
    nothing is another iteration's.
    """
    index = loop.body.block.args[0]
    for op in loop.body.block.ops:
        is_access = isinstance(op, memref.LoadOp | memref.StoreOp)
        if not is_access and not isinstance(op, scf.YieldOp) and not has_no_effect(op):
            return False
        if isinstance(op, memref.StoreOp) and index not in op.indices:
            return False
    if any(isinstance(op, scf.ForOp | scf.WhileOp) for op in loop.body.walk()):
        return False
    try:
        trip_bounds(loop)
        return not loop.results or (not is_scan(loop) and not find_chain(loop).in_order)
    except Refused:
        return False


def _may_stand_before(op: Operation, loop: scf.ForOp) -> bool:
    """Return whether an op behind a loop may be done before it."""
    if any(is_within(operand, loop) for each in op.walk() for operand in each.operands):
        return False
    if isinstance(op, memref.LoadOp):
        return op.memref not in Accesses.of(loop).stores
    return isinstance(op, memref.AllocOp) or has_no_effect(op)


def _are_fusible(first: scf.ForOp, second: scf.ForOp) -> bool:
    """Return whether each iteration of a loop may be followed by the same one of the next."""
    if not all(map(_are_equal, first.operands[:3], second.operands[:3])):
        return False
    if any(is_within(operand, first) for op in second.walk() for operand in op.operands):
        return False
    try:
        before, after = Accesses.of(first), Accesses.of(second)
    except Refused:
        return False
    here, there = first.body.block.args[0], second.body.block.args[0]
    for buffer in [*before.stores, *after.stores]:
        if not (_touches(before, buffer) and _touches(after, buffer)):
            continue
        if not set(_axes(before, buffer, here)) & set(_axes(after, buffer, there)):
            return False
    stored = {_element(buffer) for buffer in after.stores}
    return all(
        _element(buffer) not in stored or _axes(before, buffer, here) or not _rank(buffer)
        for buffer in before.loads
    )


def _are_equal(left: SSAValue, right: SSAValue) -> bool:
    numbers = [
        value.owner.value.value.data
        for value in (left, right)
        if isinstance(value.owner, ConstantOps) and isinstance(value.owner.value, IntegerAttr)
    ]
    return left is right or (len(numbers) == 2 and numbers[0] == numbers[1])


def _touches(accesses: Accesses, buffer: SSAValue) -> bool:
    return buffer in accesses.loads or buffer in accesses.stores


def _axes(accesses: Accesses, buffer: SSAValue, index: SSAValue) -> Sequence[int]:
    """Return the axes along which a buffer is touched at an index alone."""
    places = accesses.at(buffer)
    return [axis for axis in range(_rank(buffer)) if all(place[axis] is index for place in places)]


def _rank(buffer: SSAValue) -> int:
    assert isa(buffer.type, MemRefType[Attribute])
    return buffer.type.get_num_dims()


def _element(buffer: SSAValue) -> Attribute:
    assert isa(buffer.type, MemRefType[Attribute])
    return buffer.type.element_type


def _fused(first: scf.ForOp, second: scf.ForOp) -> scf.ForOp:
    """Put a loop that does both where the second stands."""
    carried = [*first.iter_args, *second.iter_args]
    body = Block(arg_types=[IndexType(), *[value.type for value in carried]])
    body.args[0].name_hint = first.body.block.args[0].name_hint
    given: list[SSAValue] = []
    taken = 1
    for loop in (first, second):
        index, *held = loop.body.block.args
        index.replace_all_uses_with(body.args[0])
        for argument in held:
            body.args[taken].name_hint = argument.name_hint
            argument.replace_all_uses_with(body.args[taken])
            taken += 1
        end = loop.body.block.last_op
        assert isinstance(end, scf.YieldOp)
        given += end.operands
        end.detach()
        end.drop_all_references()
        for op in list(loop.body.block.ops):
            op.detach()
            body.add_op(op)
    body.add_op(located(scf.YieldOp(*given), second))
    both = scf.ForOp(second.lb, second.ub, second.step, carried, Region(body))
    block = second.parent
    assert block is not None
    block.insert_op_before(located(both, second), second)
    old = [*first.results, *second.results]
    for before, after in zip(old, both.results, strict=True):
        after.name_hint = before.name_hint
        before.replace_all_uses_with(after)
    for loop in (first, second):
        loop.detach()
        loop.erase()
    _forward(body)
    return both


def _forward(body: Block) -> None:
    """Let what is loaded where an iteration has stored be the value that it stored."""
    known: dict[SSAValue, memref.StoreOp] = {}
    for op in list(body.ops):
        if isinstance(op, memref.StoreOp):
            known[op.memref] = op
        elif isinstance(op, memref.LoadOp):
            store = known.get(op.memref)
            if store is not None and tuple(store.indices) == tuple(op.indices):
                op.res.replace_all_uses_with(store.value)
                body.erase_op(op)
