"""Analysis: which values are still needed after an op, and where a region begins?

    %f = func.call @scaled(%e)              after it: %f; not %e
    %g = func.call @scaled(%f)              after it: %g, %n
    scf.yield %g, %n                        after it: what the next iteration reads

Regions are looked at as control goes through them: a branch leads to what follows its `scf.if`,
the body of a `scf.while` to its condition, and that to the body or to what follows the loop. Any
other op with regions may run them again and again, and has its operands until it is over.

A value is needed if an op reads it. Whether two values share memory does not matter: who lets
go of one drops a reference to it. Who gives memory away asks `ownership`.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from xdsl.dialects import func, scf
from xdsl.ir import Block, Operation, SSAValue

from diablo.passes.analyses.values.free_values import free_values

_NOTHING = frozenset[SSAValue]()


class Liveness:
    """The values that are needed at places of a function, found block by block when asked for."""

    def __init__(self) -> None:
        self._after: dict[Operation, frozenset[SSAValue]] = {}
        self._at_start: dict[Block, frozenset[SSAValue]] = {}

    def after(self, op: Operation) -> AbstractSet[SSAValue]:
        """Return what is needed once `op` is done: after a terminator, wherever control goes on."""
        if op.parent is None:
            return _NOTHING
        if op not in self._after:
            self._look_at(op.parent)
        return self._after[op]

    def at_start(self, block: Block) -> AbstractSet[SSAValue]:
        """Return what is needed where a block begins, its own arguments included."""
        if block not in self._at_start:
            self._look_at(block)
        return self._at_start[block]

    def _look_at(self, block: Block) -> None:
        live = set(self._at_end(block))
        for op in reversed(list(block.ops)):
            self._after[op] = frozenset(live)
            live.difference_update(op.results)
            if op is block.last_op:
                live.difference_update(_handed_over(block))
            live.update(op.operands)
            if op.regions:
                live.update(free_values(op.regions))
        self._at_start[block] = frozenset(live)

    def _at_end(self, block: Block) -> AbstractSet[SSAValue]:
        """Return what is needed after the last op of a block."""
        match block.parent_op():
            case None | func.FuncOp():
                return _NOTHING
            case scf.IfOp() as branch:
                return self.after(branch)
            case scf.WhileOp() as loop if block is loop.before_region.block:
                return self.after(loop) | self.at_start(loop.after_region.block)
            case scf.WhileOp() as loop:
                # Where the condition begins again: what the loop needs of what is around it, and
                # what it carries.
                carried = (arg for arg in loop.before_region.block.args if arg.first_use)
                around = self.after(loop) - set(loop.results)
                return around | {*carried, *free_values(loop.regions)}
            case op:
                return self.after(op) | {*op.operands, *free_values(op.regions)}


def _handed_over(block: Block) -> list[SSAValue]:
    """The values that the last op of a block gives those that it is handed."""
    match block.parent_op():
        case None:
            return []
        case scf.WhileOp() as loop if block is loop.before_region.block:
            return [*loop.results, *loop.after_region.block.args]
        case scf.WhileOp() as loop:
            return list(loop.before_region.block.args)
        case op:
            return list(op.results)
