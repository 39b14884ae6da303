"""Analysis: the dimensions of an array value, from the ops that made it.

```mlir
%A = comprehension.build (%n, %m) : tensor<?x?xf64> { … }
%B = comprehension.merge %A : tensor<?x?xf64> { … }
```

`dimensions(%B)` is `[%n, %m]`. An array that a loop carries keeps its dimensions if every
iteration provably leaves them as they are. A dimension that no value in scope holds is
`None`; `tensor.dim` then reads it at run time.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.defining_blocks import block_of, is_made_inside
from diablo.dialects.number_constants import ConstantOps
from diablo.passes.analyses.values.affine_values import (
    constant_value,
    extent_of_name,
    known_index,
    same_value,
)
from diablo.passes.analyses.values.argument_facts import known_extent

Dimensions = list[SSAValue | None]


def dimensions(value: SSAValue) -> Dimensions:
    """The value that holds each dimension of the array `value`, as far as the IR tells."""
    found = _Resolution().resolve(value)
    return [d if d is not None and _is_in_scope(d, value) else None for d in found]


def known_extents(value: SSAValue) -> list[int | None]:
    """The dimensions of the array `value` that are constants."""
    found: list[int | None] = []
    for axis, extent in enumerate(_Resolution().resolve(value)):
        known = None if extent is None else known_index(extent)
        found.append(known_extent(value, axis) if known is None else known)
    return found


def same_shape(one: SSAValue, other: SSAValue) -> bool:
    """Return whether two arrays provably have the same dimensions."""
    extents, others = known_extents(one), known_extents(other)
    if len(extents) != len(others):
        return False
    known = zip(extents, others, strict=True)
    held = zip(dimensions(one), dimensions(other), strict=True)
    return all(
        (a is not None and a == b) or (c is not None and d is not None and same_value(c, d))
        for (a, b), (c, d) in zip(known, held, strict=True)
    )


def _unknown(value: SSAValue) -> Dimensions:
    return [None] * value.type.get_num_dims() if isa(value.type, TensorType) else []


def _read_at_entry(argument: BlockArgument) -> Dimensions:
    """The `tensor.dim` ops with which the entry block begins, for one argument."""
    found = _unknown(argument)
    for op in argument.block.ops:
        if isinstance(op, tensor.DimOp):
            axis = constant_value(op.index)
            if op.source is argument and isinstance(axis, int) and 0 <= axis < len(found):
                found[axis] = found[axis] or op.result
        elif not isinstance(op, ConstantOps | arith.IndexCastOp):
            break
    return [extent_of_name(argument, axis) or extent for axis, extent in enumerate(found)]


def read_argument_dimensions(function: func.FuncOp) -> None:
    """Read the dimensions of all array arguments at the function's entry.

    `dimensions` then knows them, also of the arrays that loops carry.
    """
    block = function.body.first_block
    entry = None if block is None else block.first_op
    if block is None or entry is None:
        return
    for argument in block.args:
        for axis, known in enumerate(_read_at_entry(argument)):
            if known is None:
                position = arith.ConstantOp.from_int_and_width(axis, IndexType())
                read = tensor.DimOp(argument, position.result)
                block.insert_ops_before([position, read], entry)


def read_dimensions_around(op: Operation) -> None:
    """Read the dimensions of the array arguments of the function that `op` stands in."""
    while (parent := op.parent_op()) is not None:
        if isinstance(parent, func.FuncOp):
            read_argument_dimensions(parent)
            return
        op = parent


def _agreeing(first: Dimensions, second: Dimensions) -> Dimensions:
    """The dimensions in which both sides hold the same value."""
    return [
        a if a is not None and b is not None and same_value(a, b) else None
        for a, b in zip(first, second, strict=True)
    ]


def _is_in_scope(dimension: SSAValue, value: SSAValue) -> bool:
    """Whether a dimension that is found for `value` is computed where that can be read."""
    own, block = block_of(dimension), block_of(value)
    while block is not own:
        around = None if block is None else block.parent_op()
        if around is None:
            return False
        block = around.parent_block()
    return True


def _visible(found: Dimensions, op: Operation) -> Dimensions:
    """The dimensions that are still in scope after `op`."""
    return [None if value is None or is_made_inside(value, op) else value for value in found]


class _Resolution:
    """One query. `assumed` holds what is taken for granted of the arguments of loops.

    A loop's arrays are assumed to keep the dimensions they come in with; the assumption is
    weakened until the yielded values agree with it.
    """

    def __init__(self) -> None:
        self.assumed: dict[SSAValue, Dimensions] = {}
        self._found: dict[SSAValue, tuple[dict[SSAValue, Dimensions], Dimensions]] = {}
        """What conditions choose, and under which assumptions: branches come to the same again."""

    def resolve(self, value: SSAValue) -> Dimensions:
        """The dimensions of `value` under the assumptions made so far."""
        if value in self.assumed:
            return self.assumed[value]
        if isinstance(value, BlockArgument):
            return self._of_argument(value)
        assert isinstance(value, OpResult)
        if not isinstance(value.op, scf.IfOp):
            return self._of_result(value)
        assumed, found = self._found.get(value, (None, None))
        if found is None or assumed is not self.assumed:
            assumed, found = self.assumed, self._of_result(value)
            if assumed is self.assumed:
                self._found[value] = assumed, found
        return list(found)

    def _of_result(self, value: OpResult) -> Dimensions:
        op = value.op
        match op:
            case comprehension.BuildOp():
                return list(op.dims)
            case comprehension.MergeOp():
                return self.resolve(op.dest)
            case comprehension.PlaceOp():
                return self.resolve(op.array)
            case tensor_block.MapOp():
                return list(op.extents)
            case tensor_block.ReduceOp():
                return list(op.extents[: op.parallel.value.data])
            case tensor_block.ScatterReduceOp():
                return list(op.into)
            case tensor_block.SliceOp():
                whole = self.resolve(op.array)
                return [whole[d] for d in op.kept]
            case tensor_block.ScanOp():
                return self.resolve(op.array)
            case tensor_block.FromBagOp():
                return self.resolve(op.dest[0]) if op.dest else list(op.extents)
            case scf.IfOp():
                ends = [region.block.last_op for region in op.regions if region.blocks]
                found = [
                    [self._read(extent) for extent in self.resolve(end.operands[value.index])]
                    for end in ends
                    if end is not None
                ]
                if len(found) != 2:
                    return _unknown(value)
                # What each branch computes for itself says what it is, though none reads it.
                agreed = _agreeing(*found)
                seen = (_visible(each, op) for each in found)
                return [same and (a or b or same) for same, a, b in zip(agreed, *seen, strict=True)]
            case scf.WhileOp():
                end = op.before_region.block.last_op
                assert isinstance(end, scf.ConditionOp)
                self._assume(op)
                return _visible(self.resolve(end.args[value.index]), op)
            case _:
                return _unknown(value)

    def _read(self, extent: SSAValue | None) -> SSAValue | None:
        """What an extent is that is read of an array, which may be one that a loop carries."""
        op = None if extent is None else extent.owner
        if not isinstance(op, tensor.DimOp):
            return extent
        source, axis = op.source, constant_value(op.index)
        if isinstance(source, BlockArgument) and isinstance(source.block.parent_op(), func.FuncOp):
            return extent
        known = self.resolve(source)
        return (known[axis] if isinstance(axis, int) and axis < len(known) else None) or extent

    def _of_argument(self, value: BlockArgument) -> Dimensions:
        loop = value.block.parent_op()
        if isinstance(loop, func.FuncOp):
            return _read_at_entry(value)
        if not isinstance(loop, scf.WhileOp):
            return _unknown(value)
        self._assume(loop)
        if value.block is loop.before_region.block:
            return self.assumed[value]
        end = loop.before_region.block.last_op
        assert isinstance(end, scf.ConditionOp)
        return self.resolve(end.args[value.index])

    def _assume(self, loop: scf.WhileOp) -> None:
        """Find the dimensions that the arrays of a loop have in every iteration."""
        arguments: Sequence[BlockArgument] = loop.before_region.block.args
        end = loop.after_region.block.last_op
        assert end is not None
        arrays = [
            (arg, end.operands[arg.index])
            for arg in arguments
            if isinstance(arg.type, TensorType) and arg not in self.assumed
        ]
        if not arrays:
            return
        # Looking for what comes in may have to do with a loop around this one, which forgets
        # all assumptions about the loops inside it: none is made before all is found.
        before = self.assumed
        coming = {arg: self.resolve(loop.arguments[arg.index]) for arg, _ in arrays}
        self.assumed = before | coming
        stable = False
        while not stable:
            stable = True
            # Assumptions about loops inside this one rest on those about this one.
            outer = {key: dims for key, dims in self.assumed.items() if not _inner(key, loop)}
            for arg, yielded in arrays:
                self.assumed = dict(outer)
                found = [self._read(extent) for extent in self.resolve(yielded)]
                agreed = _agreeing(outer[arg], found)
                if agreed != outer[arg]:
                    outer[arg] = agreed
                    stable = False
            self.assumed = outer


def _inner(argument: SSAValue, loop: scf.WhileOp) -> bool:
    """Return whether `argument` belongs to a loop inside `loop`."""
    owner = argument.owner
    parent = owner.parent_op() if isinstance(owner, Block) else None
    return parent is not None and parent is not loop and loop.is_ancestor(parent)
