"""Make sums over arrays that a loop does not change before it.

Works at the tensor_block level.

```mlir
scf.while (%k = %zero, %v = %x) … {                %C = tensor_block.reduce add
  …                                                  … ins(%A[d0, d2], %B[d2, d1]) { … }
} do {                                        =>   scf.while (%k = %zero, %v = %x) … {
  %C = tensor_block.reduce add                       …
    … ins(%A[d0, d2], %B[d2, d1]) { … }            } do {
  %w = tensor_block.reduce add                       %w = tensor_block.reduce add
    … ins(%C[d0, d1], %v[d1]) { … }                    … ins(%C[d0, d1], %v[d1]) { … }
  …                                                  …
```

That is products and norms, with the numbers and elementwise operations that they need. They are far
more work than what comes of them, which is kept through the loop. An elementwise operation alone
stays, since to read what it makes is as much work as to make it, and so does what may fail. One
that makes a sparse array, as a transposed one, moves: which elements that stores is work as well.

What the program has tested counts for all that follows the test. A test moves as well, if the loop
surely has an iteration and nothing that may fail comes before it; where one stays, so does all
behind it but what goes through the whole of an array.

This is loop-invariant code motion (Aho, Lam, Sethi, Ullman: Compilers, section 9.5).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf, scf, tensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.effects import has_no_effect
from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import remark
from diablo.dialects.predicates import symbol_of
from diablo.passes.analyses.values.affine_values import constant_value, known_index, same_value
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.scalar_folding import Number, fold
from diablo.passes.analyses.values.speculation import can_trap


def _has_iteration(loop: scf.WhileOp) -> bool:
    """Return whether the condition of a loop is known to hold at first."""
    block = loop.before_region.block
    known: dict[SSAValue, Number | None] = {
        argument: constant_value(first)
        for argument, first in zip(block.args, loop.arguments, strict=True)
    }
    for op in block.ops:
        numbers = [known[v] if v in known else constant_value(v) for v in op.operands]
        if isinstance(op, scf.ConditionOp):
            return bool(numbers[0])
        operands = [number for number in numbers if number is not None]
        if len(op.results) == 1 and not op.regions and len(operands) == len(numbers):
            known[op.results[0]] = fold(op, operands)
    return False


def _holds(condition: SSAValue) -> bool:
    """Return whether a test is known to hold."""
    test = condition.owner
    if isinstance(test, arith.CmpiOp) and symbol_of(test) == "==":
        one, other = known_index(test.lhs), known_index(test.rhs)
        return same_value(test.lhs, test.rhs) or (one is not None and one == other)
    return bool(constant_value(condition))


def _may_move(op: Operation) -> bool:
    """Return whether an op gives the same before a loop if all that it uses is made there."""
    if can_trap(op):
        return False
    if isinstance(op, tensor_block.ReduceOp | tensor_block.MapOp):
        return True
    return not op.regions and bool(op.results) and has_no_effect(op)


def _is_worth_moving(op: Operation) -> bool:
    """Return whether it is more work to make what an op gives than to read it."""
    if isinstance(op, tensor_block.MapOp):
        return is_sparse(op.result.type)
    return isinstance(op, tensor_block.ReduceOp)


def _reads_all(op: Operation) -> bool:
    """Return whether a map goes through all of each array that it reads, whose extents it has.

    So no test is needed for it.
    """
    if not isinstance(op, tensor_block.MapOp) or op.offsets:
        return False
    for array, map in zip(op.inputs, op.indexing_maps, strict=True):
        picked = picked_dimensions(map.data)
        if picked is None:
            return False
        for axis, dimension in enumerate(picked):
            dim = op.extents[dimension].owner
            if not isinstance(dim, tensor.DimOp) or dim.source is not array:
                return False
            if constant_value(dim.index) != axis:
                return False
    return True


class _Hoisting:
    """Moves ops from the body of one loop to before it."""

    def __init__(self, loop: scf.WhileOp, body: Block):
        self.loop = loop
        self.body = body

    def needed(self, op: Operation) -> list[Operation] | None:
        """Return what has to move for the operands of an op, in order; None if it cannot."""
        needed: dict[Operation, None] = {}
        for value in used_values(op):
            if not is_made_inside(value, self.loop):
                continue
            maker = value.owner
            if not isinstance(maker, Operation) or maker.parent is not self.body:
                return None
            before = self.needed(maker) if _may_move(maker) else None
            if before is None:
                return None
            needed |= dict.fromkeys([*before, maker])
        return list(needed)

    def move(self, op: Operation) -> bool:
        """Move an op and what it needs; false if that cannot be."""
        needed = self.needed(op)
        for moved in [] if needed is None else [*needed, op]:
            moved.detach()
            Rewriter.insert_op(moved, InsertPoint.before(self.loop))
        return needed is not None

    def run(self) -> None:
        """Move tests and reductions up to the first test that stays, then what needs none."""
        tests_move, all_moved = _has_iteration(self.loop), True
        for op in list(self.body.ops):
            if op.parent is not self.body:
                continue
            if isinstance(op, cf.AssertOp):
                if not _holds(op.arg) and not (tests_move and self.move(op)):
                    tests_move = all_moved = False
            elif (
                _is_worth_moving(op)
                and _may_move(op)
                and (all_moved or (_reads_all(op) and not self.needed(op)))
                and self.move(op)
            ):
                remark(op, "this is the same in each iteration: made once, before the loop")
            else:
                tests_move = tests_move and not can_trap(op)


@dataclass(frozen=True)
class HoistReductionsPass(ModulePass):
    """Make sums over arrays that a loop does not change before it."""

    name = "hoist-reductions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Hoist from inner loops first, so that outer ones can pass on what they get."""
        for loop in list(op.walk(region_first=True)):
            if isinstance(loop, scf.WhileOp) and not _may_fail(loop.before_region.block):
                _Hoisting(loop, loop.after_region.block).run()


def _may_fail(block: Block) -> bool:
    return any(can_trap(op) for op in block.ops)
