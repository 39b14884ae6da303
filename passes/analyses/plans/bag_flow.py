"""Analysis: where do the rows of a list come from, and what reads them?

A list flows from the ops that make it through `scf.if` and `scf.while` to the ops that read
it. All values on the way have the same columns:

```mlir
%a = comprehension.collect : !bag {…}
%r = scf.while (%b = %a) : (!bag) -> !bag {…}    // %a, %b, %r and what the loop passes on
comprehension.each %r
```
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects import func, scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects import comprehension

Source = (
    comprehension.CollectOp
    | comprehension.ListOp
    | comprehension.ConstantListOp
    | comprehension.GroupByOp
)
Reader = comprehension.EachOp | comprehension.LengthOp


@dataclass
class BagFlow:
    """The values that one list is, the ops that make it, and those that read it.

    It is `closed` if the analysis has seen all of these; else `why_open` has reasons.
    """

    values: list[SSAValue] = field(default_factory=list[SSAValue])
    sources: list[OpResult] = field(default_factory=list[OpResult])
    readers: list[Reader] = field(default_factory=list[Reader])
    why_open: list[str] = field(default_factory=list[str])

    @property
    def closed(self) -> bool:
        """Whether all makers and readers are known."""
        return not self.why_open


def bag_flow(value: SSAValue) -> BagFlow:
    """The flow that `value` is a part of."""
    flow = BagFlow()
    pending = [value]
    while pending:
        value = pending.pop()
        if value in flow.values:
            continue
        flow.values.append(value)
        pending += _made_from(value, flow)
        for use in value.uses:
            pending += _passed_on(use.operation, use.index, flow)
    return flow


def _made_from(value: SSAValue, flow: BagFlow) -> list[SSAValue]:
    """The values that `value` may be."""
    owner = value.owner
    if isinstance(value, BlockArgument):
        loop = value.block.parent_op()
        if isinstance(loop, scf.WhileOp):
            return _of_loop(loop, value.index, flow)
    elif isinstance(value, OpResult):
        if isinstance(owner, Source):
            flow.sources.append(value)
            return []
        if isinstance(owner, scf.IfOp):
            return _of_branches(owner, value.index, flow)
        if isinstance(owner, scf.WhileOp):
            return _of_loop(owner, value.index, flow)
    maker = f"'{owner.name}' makes it" if isinstance(owner, Operation) else "the caller passes it"
    flow.why_open.append(maker)
    return []


def _of_branches(branch: scf.IfOp, position: int, flow: BagFlow) -> list[SSAValue]:
    ends = [_end(region.block) for region in branch.regions if region.blocks]
    return [branch.results[position], *(end.operands[position] for end in ends)]


def _of_loop(loop: scf.WhileOp, position: int, flow: BagFlow) -> list[SSAValue]:
    """All values that a loop passes on at a position, if it is the same one everywhere."""
    condition, end = _end(loop.before_region.block), _end(loop.after_region.block)
    if not isinstance(condition, scf.ConditionOp) or len(loop.results) != len(loop.arguments):
        flow.why_open.append("a loop passes it on at another place")
        return []
    return [
        loop.arguments[position],
        loop.before_region.block.args[position],
        condition.args[position],
        loop.after_region.block.args[position],
        end.operands[position],
        loop.results[position],
    ]


def _end(block: Block) -> Operation:
    assert block.last_op is not None
    return block.last_op


def _passed_on(user: Operation, index: int, flow: BagFlow) -> list[SSAValue]:
    """The values that a use at operand `index` may become."""
    parent = user.parent_op()
    match user:
        case comprehension.EachOp() | comprehension.LengthOp():
            flow.readers.append(user)
            return []
        case scf.WhileOp():
            return _of_loop(user, index, flow)
        case scf.ConditionOp() if isinstance(parent, scf.WhileOp):
            return _of_loop(parent, index - 1, flow)
        case scf.YieldOp() if isinstance(parent, scf.WhileOp):
            return _of_loop(parent, index, flow)
        case scf.YieldOp() if isinstance(parent, scf.IfOp):
            return _of_branches(parent, index, flow)
        case func.ReturnOp():
            flow.why_open.append("it is a result")
            return []
        case _:
            flow.why_open.append(f"'{user.name}' reads all of it")
            return []
