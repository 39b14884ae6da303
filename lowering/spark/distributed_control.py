"""Control flow around distributed values: `scf.while` and `scf.if` carry RDDs.

    scf.while (%P = %P0) : (tensor<?xf64, #tensor_block.tiles<dense = 1>>) -> ...
  ==>
    scf.while (%P = %P0) : (!spark.rdd<[index], [tensor<?xf64>]>) -> ...

An array keeps its dimensions through a loop or a branch in nearly every program. One that
does not has its dimensions carried beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.builder import Builder
from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.locations import named
from diablo.lowering.spark.conversion import (
    Conversion,
    Dims,
)
from diablo.passes.analyses.values.affine_values import same_value

ConvertBlock = Callable[[Conversion, Block], None]


def _same_dims(first: Dims, second: Dims) -> bool:
    return all(a is b or same_value(a, b) for a, b in zip(first, second, strict=True))


def convert_if(conversion: Conversion, op: scf.IfOp, convert_block: ConvertBlock) -> None:
    """Convert both branches; dimensions that differ or are made inside become results."""
    outer = conversion.builder
    blocks: list[Block] = []
    yielded: list[list[SSAValue]] = []
    for region in op.regions:
        block = Block()
        blocks.append(block)
        yielded.append([])
        if region.blocks:
            conversion.builder = Builder(InsertPoint.at_end(block))
            convert_block(conversion, region.block)
            assert region.block.last_op is not None
            yielded[-1] = conversion.all_of(region.block.last_op.operands)
    conversion.builder = outer
    count = len(op.results)
    carried: dict[int, range] = {}
    for k in range(count):
        then, otherwise = (conversion.dims.get(values[k], ()) for values in yielded)
        made_inside = any(is_made_in(d, block) for d in (*then, *otherwise) for block in blocks)
        if made_inside or not _same_dims(then, otherwise):
            start = len(yielded[0])
            carried[k] = range(start, start + len(then))
            yielded[0] += then
            yielded[1] += otherwise
    for block, values in zip(blocks, yielded, strict=True):
        if values or block is blocks[0] or block.ops:
            block.add_op(scf.YieldOp(*values))
    new = conversion.insert(
        scf.IfOp(
            conversion.of(op.cond),
            [value.type for value in yielded[0]],
            Region(blocks[0]),
            Region(blocks[1]) if blocks[1].ops else Region(),
        ),
        op,
    )
    for k, result in enumerate(op.results):
        dims = (
            [new.results[i] for i in carried[k]]
            if k in carried
            else conversion.dims.get(yielded[0][k], ())
        )
        conversion.define(result, new.results[k], dims)


def convert_while(conversion: Conversion, op: scf.WhileOp, convert_block: ConvertBlock) -> None:
    """Convert a loop, first as if all arrays kept their dimensions, then with those carried."""
    kernels = conversion.kernels.functions
    made = len(kernels)
    changing: set[int] = set()
    while True:
        found = _While(conversion, op, changing).convert(convert_block)
        if not found:
            return
        changing |= found
        del kernels[made:]


class _While:
    """One attempt at a loop, with the arguments in `changing` taking their dimensions along."""

    def __init__(self, conversion: Conversion, op: scf.WhileOp, changing: set[int]):
        self.conversion = conversion
        self.op = op
        self.changing = changing

    def _with_dims(self, values: Sequence[SSAValue], which: set[int]) -> list[SSAValue]:
        """`values`, then the dimensions of those that take them along."""
        dims = self.conversion.dims
        return [*values, *[d for k in sorted(which) for d in dims[values[k]]]]

    def _define(
        self,
        old: Sequence[SSAValue],
        new: Sequence[SSAValue],
        like: Sequence[SSAValue],
        which: set[int],
    ) -> None:
        """`new` stands for `old`, with the dimensions of `like` unless they come along."""
        extra = iter(new[len(old) :])
        for k, (value, replacement) in enumerate(zip(old, new, strict=False)):
            dims: Sequence[SSAValue] = self.conversion.dims.get(like[k], ())
            if k in which:
                dims = [next(extra) for _ in dims]
            self.conversion.define(value, replacement, dims)

    def _block(self, values: Sequence[SSAValue]) -> Block:
        block = Block(arg_types=[value.type for value in values])
        self.conversion.builder = Builder(InsertPoint.at_end(block))
        return block

    def convert(self, convert_block: ConvertBlock) -> set[int]:
        """Insert the loop; or return the arguments whose dimensions turn out to change."""
        conversion, op = self.conversion, self.op
        outer = conversion.builder
        old_before, old_after = op.before_region.block, op.after_region.block
        condition, end = old_before.last_op, old_after.last_op
        assert isinstance(condition, scf.ConditionOp)
        assert isinstance(end, scf.YieldOp)
        inits = conversion.all_of(op.arguments)
        for value, arg in zip(inits, old_before.args, strict=True):
            named(value, arg)
        operands = self._with_dims(inits, self.changing)

        before = self._block(operands)
        self._define(old_before.args, before.args, inits, self.changing)
        convert_block(conversion, old_before)
        passed = conversion.all_of(condition.args)
        inside = {
            k
            for k, value in enumerate(passed)
            if any(is_made_in(d, before) for d in conversion.dims.get(value, ()))
        }
        passed_on = self._with_dims(passed, inside)
        conversion.insert(
            scf.ConditionOp(conversion.of(condition.condition), *passed_on), condition
        )

        after = self._block(passed_on)
        self._define(old_after.args, after.args, passed, inside)
        convert_block(conversion, old_after)
        yielded = conversion.all_of(end.operands)
        for value, arg in zip(yielded, old_before.args, strict=True):
            named(value, arg)
        conversion.builder = outer
        found = {
            k
            for k, (init, value) in enumerate(zip(inits, yielded, strict=True))
            if k not in self.changing
            and not _same_dims(conversion.dims.get(init, ()), conversion.dims.get(value, ()))
        }
        if found:
            for block in (before, after):
                block.drop_all_references()  # They read what stands around the loop.
            return found
        after.add_op(scf.YieldOp(*self._with_dims(yielded, self.changing)))
        new = scf.WhileOp(
            operands, [value.type for value in passed_on], Region(before), Region(after)
        )
        conversion.insert(new, op)
        self._define(op.results, new.results, passed, inside)
        return set()
