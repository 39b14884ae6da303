"""Test each condition as soon as its variables are bound.

Works at the comprehension level.

```mlir
%i = comprehension.range %zero to %last          %i = comprehension.range %zero to %last
%j = comprehension.range %zero to %last    ==>   %p = arith.cmpi ne, %i, %k : index
%p = arith.cmpi ne, %i, %k : index               comprehension.guard %p
comprehension.guard %p                           %j = comprehension.range %zero to %last
```

A guard moves, with the ops that its condition needs, right behind the last generator that
binds one of its variables; guards behind the same generator keep their order. It stays where
it is if its condition can fail, for a guard in front of it may be there to protect it, and it
never passes a `group_by`, an op that can fail, a guard whose condition can, or a range whose ends
can and differ from row to row.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.locations import remark
from diablo.passes.analyses.values.comprehension_structure import Generator, roots_in
from diablo.passes.analyses.values.determined_values import is_generator
from diablo.passes.analyses.values.speculation import can_trap


def _slice(op: Operation, block: Block) -> tuple[set[Operation], set[Operation]]:
    """The ops of `block` that `op` needs, and the generators that these rest on."""
    lets: set[Operation] = set()
    generators: set[Operation] = set()
    pending = [op]
    while pending:
        for inner in pending.pop().walk():
            for operand in inner.operands:
                owner = operand.owner
                if not isinstance(owner, Operation) or owner.parent is not block:
                    continue
                if is_generator(owner):
                    generators.add(owner)
                elif owner not in lets:
                    lets.add(owner)
                    pending.append(owner)
    return lets, generators


def _passed(guard: Operation, point: Operation | None) -> list[Operation]:
    """The ops between `point` (or the start of the block) and `guard`, last one first."""
    ops: list[Operation] = []
    op = guard.prev_op
    while op is not None and op is not point:
        ops.append(op)
        op = op.prev_op
    return ops


def _fails_for_some_rows(op: Operation) -> bool:
    """Return whether an op is a guard that can fail, or a range with such ends of each row."""
    block = op.parent
    assert block is not None
    if not isinstance(op, comprehension.GuardOp | comprehension.RangeOp):
        return False
    lets, generators = _slice(op, block)
    varies = bool(generators) or isinstance(op, comprehension.GuardOp)
    return varies and any(map(can_trap, lets))


def _place(guard: comprehension.GuardOp, last_placed: dict[Operation | None, Operation]) -> None:
    """Move one guard; `last_placed` has the guard last moved behind each generator."""
    block = guard.parent
    assert block is not None
    lets, generators = _slice(guard, block)
    binder = guard.prev_op
    while binder is not None and binder not in generators:
        if isinstance(binder, comprehension.GroupByOp):
            break
        binder = binder.prev_op
    before = _passed(guard, binder)
    if any(can_trap(op) for op in lets):
        if any(isinstance(op, Generator) for op in before):
            remark(guard, "this test stays where it is: it can fail")
        return
    barrier = next((op for op in before if can_trap(op) or _fails_for_some_rows(op)), binder)
    point = last_placed.get(barrier, barrier)
    passed = _passed(guard, point)
    if any(isinstance(op, Generator) for op in before) and barrier is not binder:
        remark(guard, "this test stays behind an operation that can fail")
    if not any(isinstance(op, Generator) for op in passed):
        last_placed[barrier] = guard
        return
    remark(guard, "this test is moved up to where its variables are bound")
    for op in (*[op for op in reversed(passed) if op in lets], guard):
        op.detach()
        if point is not None:
            block.insert_op_after(op, point)
        elif block.first_op is not None:
            block.insert_op_before(op, block.first_op)
        point = op
    last_placed[barrier] = guard


def move_guards(block: Block) -> None:
    """Move the guards of one comprehension."""
    last_placed: dict[Operation | None, Operation] = {}
    for guard in list(block.ops):
        if isinstance(guard, comprehension.GuardOp):
            _place(guard, last_placed)


@dataclass(frozen=True)
class MoveGuardsPass(ModulePass):
    """Test each condition as soon as its variables are bound."""

    name = "move-guards"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Move the guards of every comprehension."""
        for root in roots_in(op):
            move_guards(root.body.block)
