"""Read before a loop, where a kernel overwrites an array, what of that array is the same in it.

    scf.for %j = %low to %high {                   %any = arith.cmpi slt, %low, %high
      %a = memref.load %U[%i, %k]                  %a = scf.if %any { memref.load %U[%i, %k] }
      … memref.store %x, %U[%i, %j]          =>                 else { 0 }
    }                                              scf.for %j = %low to %high {
                                                     … memref.store %x, %U[%i, %j]

A kernel reads what its operand held before it. Where it may take the memory of that, it writes
nothing else to what it reads elsewhere (`passes/analyses/loops/kept_parts.py`), so such a read
may be done earlier. LLVM cannot know that: to it each store may have written what is read.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.locations import located
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import constant_op


def hoist_kept_reads(kernel: Operation, buffer: SSAValue) -> None:
    """Read elements of the `buffer` that a kernel overwrites before loops that do not vary them."""
    for loop in reversed([op for op in kernel.walk() if isinstance(op, scf.ForOp)]):
        if any(_is_same_in(loop, op) for op in loop.walk() if _writes(op, buffer)):
            continue  # What is folded there is read as well.
        for load in list(loop.body.block.ops):
            if not isinstance(load, memref.LoadOp) or load.memref is not buffer:
                continue
            if _is_same_in(loop, load):
                _read_before(loop, load)


def _writes(op: Operation, buffer: SSAValue) -> bool:
    return isinstance(op, memref.StoreOp) and op.memref is buffer


def _is_same_in(loop: scf.ForOp, access: Operation) -> bool:
    """Return whether an element that is read or written is the same in each step of a loop."""
    assert isinstance(access, memref.LoadOp | memref.StoreOp)
    return not any(is_made_inside(index, loop) for index in access.indices)


def _read_before(loop: scf.ForOp, load: memref.LoadOp) -> None:
    """Read an element before a loop, if that has any step: a loop without may be given none."""
    any_step = arith.CmpiOp(loop.lb, loop.ub, "slt")
    zero = constant_op(zero_of(load.res.type))
    Rewriter.insert_op([any_step, zero], InsertPoint.before(loop))
    load.detach()
    uses = list(load.res.uses)
    read = Region(Block([load, scf.YieldOp(load.res)]))
    ends = Region(Block([scf.YieldOp(zero.result)]))
    first = scf.IfOp(any_step.result, [load.res.type], read, ends)
    first.results[0].name_hint = load.res.name_hint
    Rewriter.insert_op(located(first, load), InsertPoint.before(loop))
    for use in uses:
        use.operation.operands[use.index] = first.results[0]
