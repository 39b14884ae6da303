"""Write an element in any case, where a branch that nobody can predict chose whether to.

    %x = memref.load %D[%v]                        %x = memref.load %D[%v]
    scf.if %less {                                 %old = memref.load %D[%v]
      memref.store %y, %D[%v]               =>     %new = arith.select %less, %y, %old
    }                                              memref.store %new, %D[%v]

An element that has been read lies in the array, and may be written what it holds: the loop alone
has the array meanwhile. It is done in innermost loops, where what is written is there already or
takes a few instructions, none of which fails for any operands. What they give, and a condition
within another one, may be undefined where the branch was not taken, as a shift by too many bits is:
that is chosen by `arith.select`, which has nothing of what it does not choose.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.locations import located
from diablo.dialects.number_constants import constant_op, is_arithmetic
from diablo.passes.analyses.values.speculation import can_trap

_INSTRUCTIONS = 6
"""How many instructions are done in any case, at most."""
_LOOPS = (scf.WhileOp, scf.ForOp)


def store_without_branches(function: func.FuncOp) -> None:
    """Rewrite what can be in the innermost loops of a function."""
    for branch in [op for op in function.walk() if isinstance(op, scf.IfOp)]:
        if branch.parent is None or not _is_in_innermost(branch):
            continue
        found = _only_store(branch)
        if found is not None and _has_been_read(branch, found[1]):
            _rewrite(branch, *found)


def _is_in_innermost(op: Operation) -> bool:
    outer = op.parent_op()
    while outer is not None and not isinstance(outer, _LOOPS):
        outer = outer.parent_op()
    return outer is not None and not any(
        inner is not outer and isinstance(inner, (*_LOOPS, func.CallOp)) for inner in outer.walk()
    )


def _only_store(branch: scf.IfOp) -> tuple[list[Operation], memref.StoreOp, list[SSAValue]] | None:
    """Return the instructions of a branch and those within it, its only store, and conditions."""
    conditions: list[SSAValue] = []
    instructions: list[Operation] = []
    while True:
        if branch.results or any(len(block.ops) > 1 for block in branch.false_region.blocks):
            return None
        conditions.append(branch.cond)
        ops = [*branch.true_region.block.ops][:-1]
        if not ops:
            return None
        last = ops.pop()
        if any(not is_arithmetic(op) or can_trap(op) for op in ops):
            return None
        instructions += ops
        if len(instructions) > _INSTRUCTIONS:
            return None
        if isinstance(last, memref.StoreOp):
            return instructions, last, conditions
        if not isinstance(last, scf.IfOp):
            return None
        branch = last


def _has_been_read(branch: scf.IfOp, store: memref.StoreOp) -> bool:
    """Return whether the element that is written has been read wherever the branch stands."""
    places = [*store.indices]
    return any(
        isinstance(op, memref.LoadOp) and op.memref is store.memref and [*op.indices] == places
        for op in _before(branch)
    )


def _before(op: Operation) -> Iterator[Operation]:
    """The ops that are done before another one in its iteration of a loop."""
    place: Operation | None = op
    while place is not None and not isinstance(place, _LOOPS):
        before = place.prev_op
        while before is not None:
            yield before
            before = before.prev_op
        place = place.parent_op()


def _rewrite(
    branch: scf.IfOp,
    instructions: list[Operation],
    store: memref.StoreOp,
    conditions: list[SSAValue],
) -> None:
    here = InsertPoint.before(branch)
    for op in instructions:
        op.detach()
        Rewriter.insert_op(op, here)
    holds, *others = conditions
    for other in others:
        false = located(constant_op(IntegerAttr(0, i1)), branch)
        both = located(arith.SelectOp(holds, other, false.result), branch)
        Rewriter.insert_op([false, both], here)
        holds = both.result
    old = located(memref.LoadOp.get(store.memref, store.indices), store)
    new = located(arith.SelectOp(holds, store.value, old.res), store)
    write = located(memref.StoreOp.get(new.result, store.memref, store.indices), store)
    Rewriter.insert_op([old, new, write], here)
    Rewriter.erase_op(branch)
