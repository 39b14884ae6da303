"""Let what was put into an array of arrays stand for what is read of it, and loops carry that.

```mlir
%R1 = tensor.insert %A into %R[%c1]
%R2 = tensor.insert %B into %R1[%c2]
%x = tensor.extract %R2[%c1]                  // uses of %x become uses of %A

%1 = scf.while (%R1 = %R) … {                 %0 = tensor.extract %R[%c1]
  %x = tensor.extract %R1[%c1]                %1 = scf.while (%x = %0) … {
  %y = func.call @kernel_0(%n, %x)      ==>     %y = func.call @kernel_0(%n, %x)
  %R2 = tensor.insert %y into %R1[%c1]          scf.yield %y
  scf.yield %R2                               }
}                                             %R3 = tensor.insert %1 into %R[%c1]
```

Whoever reads the element knows then how large it is and whether its memory may be used again; of
a loop that carries the array, those elements are carried that it reads or writes, each at a place
that is a constant inside of the array (scalar replacement of aggregates). The extents of arrays
that kernels make of constants are constants, and what hangs on these is decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import func, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from diablo.dialects.encodings import holds_arrays
from diablo.dialects.locations import located, named
from diablo.dialects.number_constants import constant_op, index_attribute
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.values.affine_values import known_index
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.checkpoint_loops import CHECKPOINT
from diablo.passes.dead_ops import erase_dead
from diablo.passes.pattern_set import PatternSet, rewrite
from diablo.passes.simplify_scalars import scalar_patterns

MOST_ELEMENTS = 32
"""How many elements of an array a loop carries at most."""

Place = tuple[int, ...]
"""Where an element is, each index a constant."""


class ForwardElement(RewritePattern):
    """`extract (insert %A into %R[1])[1]` → `%A`, `extract (splat %A)[1]` → `%A`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.ExtractOp, rewriter: PatternRewriter) -> None:
        """Replace the op by what was put at its place last."""
        place = _place(op)
        if place is None or not holds_arrays(op.tensor.type):
            return
        array = op.tensor
        while isinstance(put := array.owner, tensor.InsertOp):
            other = _place(put)
            if other is None:
                return
            if other == place:
                rewriter.replace(op, (), (named(put.scalar, op.result),))
                return
            array = put.dest
        if isinstance(put, tensor.SplatOp) and _is_inside(place, array):
            rewriter.replace(op, (), (named(put.input, op.result),))


class FoldExtentOfCall(RewritePattern):
    """`dim (func.call @kernel_0(16, …)), 0` → `16`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tensor.DimOp, rewriter: PatternRewriter) -> None:
        """Replace the op by the number that its kernel makes the array with."""
        axis = known_index(op.index)
        if axis is not None and (extent := _extent(op.source, axis)) is not None:
            constant = located(constant_op(IntegerAttr(extent, IndexType())), op)
            rewriter.replace(op, constant)


class CarryElements(RewritePattern):
    """Let a loop carry the elements of an array of arrays that it reads and writes."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter) -> None:
        """Rebuild the loop, if it carries such an array."""
        if CHECKPOINT in op.attributes or len(op.results) != len(op.arguments):
            return
        for number, argument in enumerate(op.arguments):
            if holds_arrays(argument.type):
                accesses = _Accesses(op, number)
                if accesses.are_known() and len(accesses.written) <= MOST_ELEMENTS:
                    accesses.carry_elements(rewriter)
                    return


@dataclass
class _Accesses:
    """What a loop does with an array of arrays that it carries."""

    loop: scf.WhileOp
    number: int
    written: set[Place] = field(default_factory=set[Place])
    """The elements that it writes."""

    @property
    def _condition(self) -> scf.ConditionOp:
        condition = self.loop.before_region.block.last_op
        assert isinstance(condition, scf.ConditionOp)
        return condition

    @property
    def _end(self) -> Operation:
        end = self.loop.after_region.block.last_op
        assert end is not None
        return end

    def are_known(self) -> bool:
        """Whether all is done at constant places, and the loop passes the array on as it is."""
        before = self.loop.before_region.block.args[self.number]
        given = self._condition.args
        if given[self.number] is not before or sum(value is before for value in given) != 1:
            return False
        if not all(self._is_known(use, self._condition) for use in before.uses):
            return False
        pending: list[SSAValue] = [self.loop.after_region.block.args[self.number]]
        versions: set[SSAValue] = set()
        while pending:
            version = pending.pop()
            versions.add(version)
            for use in version.uses:
                if not self._is_known(use, self._end):
                    return False
                if isinstance(use.operation, tensor.InsertOp):
                    pending.append(use.operation.result)
        return self._end.operands[self.number] in versions

    def _is_known(self, use: Use, end: Operation) -> bool:
        """Whether a use reads or writes a constant place, or passes the array on at its number."""
        op = use.operation
        if op is end:
            return isinstance(op, scf.ConditionOp) or use.index == self.number
        if isinstance(op, tensor.InsertOp):
            if use.index != 1 or op.parent is not end.parent or isinstance(end, scf.ConditionOp):
                return False
        elif not isinstance(op, tensor.ExtractOp):
            return False
        place = _place(op)
        if place is None or not _is_inside(place, self.loop.arguments[self.number]):
            return False
        if isinstance(op, tensor.InsertOp):
            self.written.add(place)
        return True

    def carry_elements(self, rewriter: PatternRewriter) -> None:
        """Rebuild the loop: it carries what it writes.

        Each iteration begins with the array made anew of these elements, and ends with reading
        them: what goes through the array there is forwarded then, until nothing reads it.
        """
        loop, number = self.loop, self.number
        whole = loop.arguments[number]
        assert isa(whole.type, TensorType[Attribute])
        type = whole.type.element_type
        carried = sorted(self.written)
        condition, end = self._condition, self._end
        elements: list[SSAValue] = []
        for block in (loop.before_region.block, loop.after_region.block):
            argument = block.args[number]
            elements = [
                named(rewriter.insert_block_argument(block, len(block.args), type), argument)
                for _ in carried
            ]
            made = _with_elements(whole, carried, elements, loop)
            assert block.first_op is not None
            rewriter.insert(made, InsertPoint.before(block.first_op))
            rewriter.replace_all_uses_with(argument, _last(made, whole))
            rewriter.erase_block_argument(argument)
            if block is condition.parent:
                passed = [value for k, value in enumerate(condition.args) if k != number]
                test = scf.ConditionOp(condition.condition, *passed, *elements)
                rewriter.replace(condition, located(test, condition))
        last = end.operands[number]
        reads = _elements(last, carried, end)
        rewriter.insert(reads, InsertPoint.before(end))
        goes_on = [value for k, value in enumerate(end.operands) if k != number]
        rewriter.replace(end, located(scf.YieldOp(*goes_on, *_extracted(reads)), end))
        kept = [k for k in range(len(loop.results)) if k != number]
        reads = _elements(whole, carried, loop)
        regions = [loop.detach_region(region) for region in list(loop.regions)]
        new = scf.WhileOp(
            [*(loop.arguments[k] for k in kept), *_extracted(reads)],
            [*(loop.results[k].type for k in kept), *(type for _ in carried)],
            *regions,
        )
        new.attributes |= loop.attributes
        for result, k in zip(new.results, kept, strict=False):
            named(result, loop.results[k])
        found = [named(result, loop.results[number]) for result in new.results[len(kept) :]]
        made = _with_elements(whole, carried, found, loop)
        results: list[SSAValue | None] = list(new.results[: len(kept)])
        results.insert(number, _last(made, whole))
        rewriter.replace(loop, [*reads, located(new, loop), *made], results)


def _index(number: int, like: Operation) -> Operation:
    return located(constant_op(index_attribute(number)), like)


def _with_elements(
    array: SSAValue, places: Sequence[Place], elements: Sequence[SSAValue], like: Operation
) -> list[Operation]:
    """Return ops of which the last one makes an array with other elements at some places."""
    made: list[Operation] = []
    for place, element in zip(places, elements, strict=True):
        indices = [_index(number, like) for number in place]
        values = [index.results[0] for index in indices]
        put = located(tensor.InsertOp(element, array, values), like)
        array = put.result
        made += [*indices, put]
    return made


def _last(made: Sequence[Operation], array: SSAValue) -> SSAValue:
    """Return what the last op makes; the array itself if there is none."""
    return made[-1].results[0] if made else array


def _elements(array: SSAValue, places: Sequence[Place], like: Operation) -> list[Operation]:
    """Return ops that read an array at some places."""
    assert isa(array.type, TensorType[Attribute])
    made: list[Operation] = []
    for place in places:
        indices = [_index(number, like) for number in place]
        values = [index.results[0] for index in indices]
        made += [
            *indices,
            located(tensor.ExtractOp(array, values, array.type.element_type), like),
        ]
    return made


def _extracted(ops: Sequence[Operation]) -> list[SSAValue]:
    return [op.result for op in ops if isinstance(op, tensor.ExtractOp)]


def _place(op: tensor.ExtractOp | tensor.InsertOp) -> Place | None:
    """Return the place of an access, if it is a constant."""
    found = map(known_index, op.indices)
    place = tuple(index for index in found if index is not None)
    return place if len(place) == len(op.indices) else None


def _is_inside(place: Place, array: SSAValue) -> bool:
    """Whether an array is known to have a place."""
    sizes = _constant_extents(array)
    return len(sizes) == len(place) and all(
        size is not None and 0 <= index < size for index, size in zip(place, sizes, strict=True)
    )


def _constant_extents(array: SSAValue) -> list[int | None]:
    """The extents of an array of arrays, as far as they are constants."""
    while isinstance(array.owner, tensor.InsertOp):
        array = array.owner.dest
    if isinstance(array.owner, tensor.SplatOp):
        return [known_index(size) for size in array.owner.dynamicSizes]
    return []


def _extent(array: SSAValue, axis: int) -> int | None:
    """The extent of an array that a kernel makes, if that is a constant."""
    call = array.owner
    kernel = kernel_called(call) if isinstance(call, func.CallOp) else None
    if kernel is None or not isinstance(call, func.CallOp) or not isinstance(array, OpResult):
        return None
    block = kernel.body.block
    end = block.last_op
    if not isinstance(end, func.ReturnOp):
        return None
    found = dimensions(end.arguments[array.index])
    extent = found[axis] if 0 <= axis < len(found) else None
    if isinstance(extent, BlockArgument) and extent.block is block:
        extent = call.arguments[extent.index]
    return None if extent is None else known_index(extent)


@dataclass(frozen=True)
class ForwardElementsPass(ModulePass):
    """Let what was put into an array of arrays stand for what is read of it."""

    name = "forward-elements"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Forward what can be, and decide what hangs on it; only where there are such arrays."""
        if not any(holds_arrays(o.dest.type) for o in op.walk() if isinstance(o, tensor.InsertOp)):
            return
        patterns: list[RewritePattern] = [
            ForwardElement(),
            FoldExtentOfCall(),
            CarryElements(),
            *scalar_patterns(op),
        ]
        if rewrite(op, PatternSet(patterns)):
            erase_dead(op.body)
