"""Decides what may be computed where it is not evaluated, and what has to be.

* What is the same for every row of a comprehension is computed *once*, before it.
* A comprehension in a branch of an `if` inside a comprehension or loop is *lifted* before the
  `if`, with all that it is computed from. It could fail where the branch is not taken, so then
  the condition guards its rows:

    if (c) +/[ x / y | … ] else 0   ->   %s = comprehension.aggregate add { guard %c; … }
                                         scf.if %c { yield %s } else { yield 0 }

* A read that finds nothing drops the row or the iteration: the rest is *required* to be
  behind a guard, or in a loop behind an `scf.if`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from xdsl.dialects import arith, cf, scf, tensor
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from diablo.dialects.comprehension import (
    AggregateOp,
    BuildOp,
    CollectOp,
    GuardOp,
    MergeOp,
    StringCallOp,
)
from diablo.dialects.diablo import LoadOp
from diablo.dialects.strings import STRING_FUNCTIONS
from diablo.frontend.emission.emitter import Frame
from diablo.frontend.emission.ir_types import local_type
from diablo.frontend.emission.placement import owner_block
from diablo.frontend.emission.storage import StorageEmitter

Root = BuildOp | MergeOp | CollectOp | AggregateOp


class BranchEmitter(StorageEmitter):
    """The part of the importer that knows what is evaluated under a condition."""

    def once(self, emit: Callable[[], SSAValue]) -> SSAValue:
        """What `emit` computes: before the outermost comprehension, if it does not vary there.

        What could fail stays where it is evaluated. An array that varies is local to its row.
        """
        if self.rows_from is None:
            return self._settled(emit())
        scratch = Block()
        with self.into(scratch):
            value = emit()
        rows = {frame.block for frame in self.frames[self.rows_from + 1 :]}
        ops = list(scratch.ops)
        varies = any(
            isinstance(op, GuardOp)
            or can_trap(op)
            or any(owner_block(operand) in rows for operand in operands_of(op))
            for op in ops
        )
        target = self.block if varies else self.frames[self.rows_from].block
        for op in ops:
            op.detach()
            target.add_op(op)
        return self._settled(value) if varies or self.loops else value

    def _settled(self, value: SSAValue) -> SSAValue:
        """A value that is computed for each row: arrays are local, and outside of branches."""
        if not self.in_rows:
            return value
        root, local = value.owner, local_type(value.type)
        if isinstance(root, BuildOp) and local != value.type:
            block = root.parent
            assert block is not None
            new = BuildOp(root.dims, root.detach_region(root.body), local)
            new.location = root.location
            block.insert_op_before(new, root)
            block.erase_op(root)
            value = new.result
        return self.lift(value)

    # --- Branches --------------------------------------------------------------------------

    @contextmanager
    def branch(self, block: Block, condition: SSAValue, *, holds: bool) -> Generator[None]:
        """Append ops to a branch that is run where `condition` is `holds`."""
        outer = self.branches_from
        if outer is None and self.in_rows:
            self.branches_from = len(self.frames) - 1
        try:
            with self.into(Frame(block, condition, holds)):
                yield
        finally:
            self.branches_from = outer

    def path(self, depth: int | None = None) -> SSAValue:
        """Whether the branches up to frame `depth` are taken; computed before them all."""
        assert self.branches_from is not None
        result: SSAValue | None = None
        end = len(self.frames) if depth is None else depth + 1
        for frame in self.frames[self.branches_from + 1 : end]:
            if frame.condition is None:
                continue
            condition = self.lift(frame.condition)
            with self.into(self.frames[self.branches_from]):
                if not frame.holds:
                    condition = self.negated(condition)
                both = result and self.add(arith.AndIOp(result, condition)).result
                result = both or condition
        assert result is not None
        return result

    def negated(self, condition: SSAValue) -> SSAValue:
        """Whether `condition` does not hold."""
        return self.add(arith.XOrIOp(condition, self.constant(True, i1))).result

    def lift(self, value: SSAValue) -> SSAValue:
        """`value`, computed before the branches that are being imported."""
        if self.branches_from is None or not isinstance(value, OpResult):
            return value
        depth = next(
            (
                number
                for number in range(self.branches_from + 1, len(self.frames))
                if self.frames[number].block is value.op.parent
            ),
            None,
        )
        if depth is None or value.op.parent is self.frames[self.branches_from].block:
            return value
        op, position = value.op, value.index
        for operand in list(dict.fromkeys(operands_of(op))):
            self.lift(operand)
        target = self.frames[self.branches_from]
        if can_trap(op):
            path = self.path(depth)
            if isinstance(op, Root):
                first = op.body.block.first_op
                assert first is not None
                op.body.block.insert_op_before(GuardOp(path), first)
            else:
                return self._lift_behind(op, path, target).results[position]
        op.detach()
        target.block.add_op(op)
        return value

    def _lift_behind(self, op: Operation, path: SSAValue, target: Frame) -> Operation:
        """Compute `op`, which can fail, before the branches, but only where they are taken."""
        then, otherwise = Block(), Block()
        results = list(op.results)
        types = [result.type for result in results]
        with self.into(otherwise):
            self.add(scf.YieldOp(*map(self.implicit, types)))
        with self.into(target):
            test = self.add(scf.IfOp(path, types, Region(then), Region(otherwise)))
        for old, new in zip(results, test.results, strict=True):
            old.replace_all_uses_with(new)
        op.detach()
        then.add_op(op)
        with self.into(then):
            self.add(scf.YieldOp(*results))
        return test

    def require(self, condition: SSAValue, message: str) -> None:
        """Go on only where `condition` holds: the row or iteration is dropped elsewhere.

        Outside of comprehensions and loops the program fails with `message`.
        """
        if not self.in_rows and not self.stepwise:
            self.add(cf.AssertOp(condition, message))
            return
        frame = self.frames[-1 if self.branches_from is None else self.branches_from]
        if self.rows_from is not None:
            with self.into(frame):
                self.add(GuardOp(condition))
        else:
            outer, inner = frame.block, Block()
            self.required.append((outer, condition, inner))
            for other in self.frames:
                if other.block is outer:
                    other.block = inner

    @contextmanager
    def statement(self) -> Generator[None]:
        """A statement: what it requires ends with it."""
        outer, self.required = self.required, []
        frame, block = self.frames[-1], self.block
        try:
            yield
        finally:
            for before, condition, inner in reversed(self.required):
                with self.into(inner):
                    self.add(scf.YieldOp())
                with self.into(before):
                    self.add(scf.IfOp(condition, [], Region(inner), Region()))
            self.required = outer
            frame.block = block


def can_trap(op: Operation) -> bool:
    """Whether `op` fails for some operands where it is evaluated."""
    for inner in op.walk():
        match inner:
            case arith.DivSIOp() | arith.RemSIOp():
                if not _is_nonzero(inner.operands[1]):
                    return True
            case LoadOp() if inner.indices:
                return True
            case StringCallOp() if STRING_FUNCTIONS[inner.function.data].can_fail:
                return True
            case cf.AssertOp():
                return True
            case tensor.ExtractOp() if not isinstance(inner.parent_op(), Root):
                return True
            case _:
                pass
    return False


def operands_of(op: Operation) -> list[SSAValue]:
    """The operands of `op` and of the ops in its regions."""
    return [operand for inner in op.walk() for operand in inner.operands]


def is_total(block: Block) -> bool:
    """Whether a branch's ops may as well be evaluated where it is not taken."""
    return not any(can_trap(op) or isinstance(op, scf.YieldOp) for op in block.ops)


def _is_nonzero(divisor: SSAValue) -> bool:
    if not isinstance(divisor.owner, arith.ConstantOp):
        return False
    constant = divisor.owner.value
    return isinstance(constant, IntegerAttr) and constant.value.data != 0
