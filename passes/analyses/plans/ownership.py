"""Analysis: which arrays of the driver are dead after an op, memory and all.

An array is *owned* by a value if no other array may share its memory: it is the result of a
kernel that computes it, passed on through loops and branches without being kept elsewhere. What
the caller gave, what was read out of another array, and what was put into one, is not.

    %u = func.call @sweep(%v)                      owned
    scf.while (%a = %u, %k = %zero) …              %a is, if all that the loop yields for it is
    %x = tensor.extract %R[%l]                     not owned: %R has it still

The answer for a whole function is the greatest fixpoint: values carried by a loop are owned
unless something says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import arith, bufferization, func, scf, tensor
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    IndexType,
    IntegerType,
    TensorType,
    TupleType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.utils.hints import isa

from diablo.dialects import tensor_block
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.number_constants import is_arithmetic
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.plans.row_reads import uses_until_collected

_FOLDS = tensor_block.ReduceOp | tensor_block.ScatterReduceOp


class Ownership:
    """The owned arrays of one function of the driver."""

    def __init__(self, function: func.FuncOp):
        values = [
            value
            for op in function.body.block.walk()
            for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args))
            if isinstance(value.type, TensorType)
        ]
        self.owned: set[SSAValue] = set(values)
        changed = True
        while changed:
            lost = [value for value in self.owned if not self._is_owned(value)]
            self.owned -= set(lost)
            changed = bool(lost)

    def dies_at(self, value: SSAValue, op: Operation) -> bool:
        """Whether `value` is owned and `op`, wherever it stands, is the last to look at it."""
        place = _path(op, value) if value in self.owned else None
        return place is not None and self._are_over(
            [use for use in value.uses if use.operation is not op], place
        )

    def _are_over(self, uses: Iterable[Use], place: dict[Block, Operation]) -> bool:
        """Return whether nothing looks at the used array any more from the op at `place` on.

        A use lies before that op and has kept nothing that is not dead by then, or beside it.
        """
        pending = list(uses)
        seen: set[Operation] = set()
        while pending:
            use = pending.pop()
            meeting: Operation | None = use.operation
            while meeting is not None and meeting.parent not in place:
                meeting = meeting.parent_op()
            if meeting is None or meeting.parent is None:
                return False
            reached = place[meeting.parent]
            if meeting is reached:
                if not isinstance(meeting, scf.IfOp):
                    return False
                continue  # Another branch.
            if not meeting.is_before_in_block(reached):
                return False
            if meeting is use.operation:
                later = uses_until_collected(use)
                if later is not None:
                    pending += later
                elif _keeps(meeting):
                    return False
            elif meeting not in seen:
                seen.add(meeting)
                # What was made in a branch or a loop that is over lives on only in its results.
                for result in meeting.results:
                    if _is_data(result.type) and result not in self.owned:
                        pending += result.uses
        return True

    def _is_owned(self, value: SSAValue) -> bool:
        if isinstance(value, BlockArgument):
            return self._is_argument_owned(value)
        assert isinstance(value, OpResult)
        match value.op:
            case func.CallOp() as call:
                return is_computed(call, value.index)
            case tensor.InsertOp() | bufferization.AllocTensorOp():
                return _has_numbers(value)
            case scf.IfOp() as branch:
                ends = [r.block.last_op for r in branch.regions if r.blocks]
                return len(ends) == 2 and all(
                    end is not None and self._passes(end.operands[value.index], end) for end in ends
                )
            case tensor.CollapseShapeOp() as collapse:
                return self._passes(collapse.src, collapse)
            case scf.WhileOp() as loop:
                condition = loop.before_region.block.last_op
                assert isinstance(condition, scf.ConditionOp)
                return self._passes(condition.args[value.index], condition)
            case _:
                return False

    def _is_argument_owned(self, argument: BlockArgument) -> bool:
        loop = argument.block.parent_op()
        if not isinstance(loop, scf.WhileOp):
            return False
        if argument.block is loop.after_region.block:
            condition = loop.before_region.block.last_op
            assert isinstance(condition, scf.ConditionOp)
            return self._passes(condition.args[argument.index], condition)
        end = loop.after_region.block.last_op
        assert isinstance(end, scf.YieldOp)
        first, next = loop.arguments[argument.index], end.operands[argument.index]
        return self._passes(first, loop) and self._passes(next, end)

    def _passes(self, value: SSAValue, op: Operation) -> bool:
        """Return whether `op` takes an owned value over: it is the last use, and takes it once."""
        once = sum(operand is value for operand in op.operands) == 1
        return once and self.dies_at(value, op)


def _path(op: Operation, value: SSAValue) -> dict[Block, Operation] | None:
    """The op that is or holds `op`, in each block out to that of `value`.

    None if a loop is on the way: its next iteration would need the value again.
    """
    path: dict[Block, Operation] = {}
    home = block_of(value)
    current = op
    while (block := current.parent) is not None:
        path[block] = current
        if block is home:
            return path
        parent = block.parent_op()
        if not isinstance(parent, scf.IfOp):
            return None
        current = parent
    return None


def _is_data(type: Attribute) -> bool:
    """Return whether values of a type have memory that they may share.

    A tuple of numbers is a copy of what an array has of it.
    """
    if isinstance(type, TupleType):
        return any(map(_is_data, type.types))
    return not isinstance(type, IntegerType | IndexType | AnyFloat | ComplexType)


def _has_numbers(array: SSAValue) -> bool:
    """Return whether the elements of an array are no references."""
    assert isa(array.type, TensorType)
    return not _is_data(array.type.element_type)


def _keeps(op: Operation) -> bool:
    """Return whether an array may live on in what `op`, which uses it, makes."""
    if isinstance(op, tensor.InsertOp | bufferization.AllocTensorOp):
        return not _has_numbers(op.results[0])
    if isinstance(op, func.CallOp):
        return not all(is_computed(op, k) for k in range(len(op.results)))
    return not op.results or any(_is_data(result.type) for result in op.results)


def is_computed(call: func.CallOp, number: int) -> bool:
    """Return whether a result of a kernel is no part of what the kernel is given."""
    if not _is_data(call.results[number].type):
        return True
    kernel = kernel_called(call)
    if kernel is None:
        return False
    end = kernel.body.block.last_op
    assert isinstance(end, func.ReturnOp)
    return _is_fresh(end.arguments[number])


def _is_fresh(value: SSAValue) -> bool:
    if not isinstance(value, OpResult):
        return False
    op = value.op
    if isinstance(op, tensor_block.FromBagOp):
        return not tensor_block.is_sparse(value.type)
    if isinstance(op, _FOLDS):
        return True
    if not isinstance(op, tensor_block.MapOp) or tensor_block.is_sparse(value.type):
        return False
    end = op.body.block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    return all(_is_arithmetic(v) for v in end.values)


def _is_arithmetic(value: SSAValue) -> bool:
    """Return whether an element is worked out, and not one of an input or of a choice of these."""
    if not isinstance(value, OpResult):
        return False
    match value.op:
        case scf.IfOp() as branch:
            ends = [r.block.last_op for r in branch.regions if r.blocks]
            return _varies(branch.cond) or all(
                end is not None and _is_arithmetic(end.operands[value.index]) for end in ends
            )
        case arith.SelectOp() as select:
            return _varies(select.cond) or all(map(_is_arithmetic, (select.lhs, select.rhs)))
        case op:
            return is_arithmetic(op)


def _varies(condition: SSAValue) -> bool:
    """Return whether a choice is another one at other points, so that no one array is chosen."""
    if isinstance(condition, BlockArgument):
        return isinstance(condition.block.parent_op(), tensor_block.MapOp)
    assert isinstance(condition, OpResult)
    return not condition.op.regions and any(map(_varies, condition.op.operands))
