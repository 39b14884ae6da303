"""Decides what may be computed where it is not evaluated, and what has to be.

* What is the same for every row of a comprehension is computed *once*, before it.
* A comprehension in a branch of an `if` inside a comprehension or loop is *lifted* before the
  `if`, with all that it is computed from. It could fail where the branch is not taken, so then
  the condition guards its rows:

    if (c) +/[ x / y | … ] else 0   ->   %s = comprehension.aggregate add { guard %c; … }
                                         scf.if %c { yield %s } else { yield 0 }

* A read that finds nothing drops the row or the iteration: in a comprehension a guard is before
  the rest, and in a loop the value that is read is *required* to be there.
* So does an index that a loop leaves out: the rest is behind a guard, or in a loop an `scf.if`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial

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
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.diablo import LoadOp, RequireOp
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.string_functions import STRING_FUNCTIONS
from diablo.frontend.emission.builder import Builder, Frame
from diablo.frontend.emission.ir_types import local_type
from diablo.frontend.emission.stored_values import implicit

Root = BuildOp | MergeOp | CollectOp | AggregateOp


def once(build: Builder, emit: Callable[[], SSAValue]) -> SSAValue:
    """Return what `emit` computes: before the outermost comprehension, if it does not vary there.

    What could fail stays where it is evaluated. An array that varies is local to its row.
    """
    if build.rows_from is None:
        return _settled(build, emit())
    scratch = Block()
    with build.into(scratch):
        value = emit()
    rows = {frame.block for frame in build.frames[build.rows_from + 1 :]}
    ops = list(scratch.ops)
    varies = any(
        isinstance(op, GuardOp)
        or can_trap(op)
        or any(block_of(operand) in rows for operand in operands_of(op))
        for op in ops
    )
    target = build.block if varies else build.frames[build.rows_from].block
    for op in ops:
        op.detach()
        target.add_op(op)
    return _settled(build, value) if varies or build.loops else value


def _settled(build: Builder, value: SSAValue) -> SSAValue:
    """A value that is computed for each row: arrays are local, and outside of branches."""
    if not build.in_rows:
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
    return lift(build, value)


@contextmanager
def into_branch(
    build: Builder, block: Block, condition: SSAValue, *, holds: bool
) -> Generator[None]:
    """Append ops to a branch that is run where `condition` is `holds`."""
    outer = build.branches_from
    if outer is None and build.in_rows:
        build.branches_from = len(build.frames) - 1
    try:
        with build.into(Frame(block, condition, holds)):
            yield
    finally:
        build.branches_from = outer


def path_condition(build: Builder, depth: int | None = None) -> SSAValue:
    """Return whether the branches up to frame `depth` are taken; computed before them all."""
    assert build.branches_from is not None
    result: SSAValue | None = None
    end = len(build.frames) if depth is None else depth + 1
    for frame in build.frames[build.branches_from + 1 : end]:
        if frame.condition is None:
            continue
        condition = lift(build, frame.condition)
        with build.into(build.frames[build.branches_from]):
            if not frame.holds:
                condition = negated(build, condition)
            both = result and build.add(arith.AndIOp(result, condition)).result
            result = both or condition
    assert result is not None
    return result


def negated(build: Builder, condition: SSAValue) -> SSAValue:
    """Return whether `condition` does not hold."""
    return build.add(arith.XOrIOp(condition, build.constant(True, i1))).result


def lift(build: Builder, value: SSAValue) -> SSAValue:
    """`value`, computed before the branches that are being imported."""
    value = build.current(value)
    if build.branches_from is None or not isinstance(value, OpResult):
        return value
    depth = next(
        (
            number
            for number in range(build.branches_from + 1, len(build.frames))
            if build.frames[number].block is value.op.parent
        ),
        None,
    )
    if depth is None or value.op.parent is build.frames[build.branches_from].block:
        return value
    op, position = value.op, value.index
    for operand in list(dict.fromkeys(operands_of(op))):
        lift(build, operand)
    target = build.frames[build.branches_from]
    if can_trap(op):
        path = path_condition(build, depth)
        if isinstance(op, Root):
            first = op.body.block.first_op
            assert first is not None
            op.body.block.insert_op_before(GuardOp(path), first)
        else:
            return _lift_behind(build, op, path, target).results[position]
    op.detach()
    target.block.add_op(op)
    return value


def _lift_behind(build: Builder, op: Operation, path: SSAValue, target: Frame) -> Operation:
    """Compute `op`, which can fail, before the branches, but only where they are taken."""
    then, otherwise = Block(), Block()
    results = list(op.results)
    types = [result.type for result in results]
    with build.into(otherwise):
        build.add(scf.YieldOp(*map(partial(implicit, build), types)))
    with build.into(target):
        test = build.add(scf.IfOp(path, types, Region(then), Region(otherwise)))
    for old, new in zip(results, test.results, strict=True):
        old.replace_all_uses_with(new)
    op.detach()
    then.add_op(op)
    with build.into(then):
        build.add(scf.YieldOp(*results))
    # Whoever emits what is around may hold the results still, as conditions of branches.
    build.lifted |= dict(zip(results, test.results, strict=True))
    return test


def require(build: Builder, condition: SSAValue, message: str) -> None:
    """Go on only where `condition` holds: the row or iteration is dropped elsewhere.

    Outside of comprehensions and loops the program fails with `message`.
    """
    if not build.in_rows and not build.stepwise:
        build.add(cf.AssertOp(condition, message))
        return
    frame = build.frames[-1 if build.branches_from is None else build.branches_from]
    if build.rows_from is not None:
        with build.into(frame):
            build.add(GuardOp(condition))
    else:
        outer, inner = frame.block, Block()
        build.required.append((outer, condition, inner))
        for other in build.frames:
            if other.block is outer:
                other.block = inner


def required(build: Builder, value: SSAValue, condition: SSAValue, message: str) -> SSAValue:
    """`value`, which is there only where `condition` holds: what names it is dropped elsewhere.

    Outside of comprehensions and loops the program fails with `message`.
    """
    in_loop = build.rows_from is None and (build.in_rows or build.stepwise)
    if not in_loop:
        require(build, condition, message)
        return value
    with build.into(build.frames[-1 if build.branches_from is None else build.branches_from]):
        return build.add(RequireOp(value, condition)).result


@contextmanager
def in_statement(build: Builder) -> Generator[None]:
    """A statement: what it requires ends with it."""
    outer, build.required = build.required, []
    frame, block = build.frames[-1], build.block
    try:
        yield
    finally:
        for before, condition, inner in reversed(build.required):
            with build.into(inner):
                build.add(scf.YieldOp())
            with build.into(before):
                build.add(scf.IfOp(condition, [], Region(inner), Region()))
        build.required = outer
        frame.block = block


def can_trap(op: Operation) -> bool:
    """Return whether `op` fails for some operands where it is evaluated."""
    for inner in op.walk():
        match inner:
            case arith.DivSIOp() | arith.RemSIOp() | arith.DivUIOp() | arith.RemUIOp():
                if not _is_nonzero(inner.operands[1]):
                    return True
            case LoadOp() if inner.indices:
                return True
            case RequireOp():
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
    """Return whether a branch's ops may as well be evaluated where it is not taken."""
    return not any(can_trap(op) or isinstance(op, scf.YieldOp) for op in block.ops)


def _is_nonzero(divisor: SSAValue) -> bool:
    if not isinstance(divisor.owner, ConstantOps):
        return False
    constant = divisor.owner.value
    return isinstance(constant, IntegerAttr) and constant.value.data != 0
