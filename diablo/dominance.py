"""Is every SSA value defined before it is used?

xDSL's own verifier does not ask. A use is right when its value is defined earlier in the
same block, in a block that dominates it, or in a block around it:

    %y = arith.addi %x, %x : i64      // error: %x does not dominate this use
    %x = arith.constant 1 : i64
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl.dominance import DominanceInfo
from xdsl.traits import IsolatedFromAbove


@dataclass(frozen=True)
class DominanceError:
    """The use of a value that is not defined there."""

    op: Operation
    operand_index: int

    @property
    def message(self) -> str:
        """The sentence for the user."""
        name = self.op.operands[self.operand_index].name_hint
        value = f" (%{name})" if name else ""
        return f"operand #{self.operand_index}{value} does not dominate this use"


def find_dominance_error(module: ModuleOp) -> DominanceError | None:
    """Return the first use in textual order that is not dominated by its definition."""
    # The order of the operations directly inside a module means nothing.
    visible: set[SSAValue] = set()
    for op in module.ops:
        visible.update(op.results)
    for op in module.ops:
        if (error := _check_op(op, visible)) is not None:
            return error
    return None


def _check_op(op: Operation, visible: set[SSAValue]) -> DominanceError | None:
    for index, operand in enumerate(op.operands):
        if operand not in visible:
            return DominanceError(op, index)
    inside: set[SSAValue] = set() if op.has_trait(IsolatedFromAbove) else visible
    for region in op.regions:
        if (error := _check_region(region, inside)) is not None:
            return error
    return None


def _check_region(region: Region, visible: set[SSAValue]) -> DominanceError | None:
    blocks = tuple(region.blocks)
    if len(blocks) == 1:
        return _check_block(blocks[0], visible)
    dominance = DominanceInfo(region)
    reachable = _reachable(region)
    values = {block: _values_of(block) for block in blocks}
    for block in blocks:
        if block not in reachable:
            continue  # Nothing there is ever executed, so nothing is wrong there.
        before = visible.union(
            *(values[b] for b in reachable if b is not block and dominance.dominates(b, block))
        )
        if (error := _check_block(block, before)) is not None:
            return error
    return None


def _check_block(block: Block, visible: set[SSAValue]) -> DominanceError | None:
    added: list[SSAValue] = list(block.args)
    visible.update(added)
    for op in block.ops:
        if (error := _check_op(op, visible)) is not None:
            return error
        visible.update(op.results)
        added += op.results
    visible.difference_update(added)
    return None


def _values_of(block: Block) -> set[SSAValue]:
    return {*block.args, *(result for op in block.ops for result in op.results)}


def _reachable(region: Region) -> set[Block]:
    first = region.first_block
    found: set[Block] = set()
    pending = [] if first is None else [first]
    while pending:
        block = pending.pop()
        if block not in found:
            found.add(block)
            if block.last_op is not None:
                pending += block.last_op.successors
    return found
