"""What becomes of each op over regions, and of loops through them.

Each appends what stands for an op, and notes which values stand for its results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from xdsl.dialects import bufferization, func, memref, scf, tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from diablo.dialects import sparse_storage
from diablo.dialects.locations import remark
from diablo.dialects.monoids import identity, zero_of
from diablo.dialects.multiloop import EmitOp, LoopOp, ReduceType, ScanType
from diablo.dialects.number_constants import constant_op
from diablo.dialects.sparse_storage import iteration_order, region_type
from diablo.lowering.llvm.fused_nest import nests_of
from diablo.lowering.llvm.loop_plan import plan_loops
from diablo.lowering.llvm.monoid_folds import combine_freely
from diablo.lowering.sparse_storage.cell_forms import Full
from diablo.lowering.sparse_storage.coiteration import coiterate as coiterate_regions
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.function_conversion import FunctionConversion, Rule
from diablo.lowering.sparse_storage.parts import make_part
from diablo.lowering.sparse_storage.stored_region import StoredOrder, StoredRegion
from diablo.passes.analyses.loops.iterations import iterations_of


def return_(c: FunctionConversion, op: func.ReturnOp, e: Emitter) -> None:
    """Scalars go to their output arguments."""
    for value, output in c.outputs:
        e.put(memref.StoreOp.get(c.value(value), output, []))
    e.put(func.ReturnOp())


def alloc(c: FunctionConversion, op: memref.AllocOp, e: Emitter) -> None:
    """Make what the function makes at its level an output argument."""
    if op.memref not in c.values:
        c.copy(op, e)


def to_buffer(c: FunctionConversion, op: bufferization.ToBufferOp, e: Emitter) -> None:
    """The buffer of an argument."""
    c.values[op.memref] = c.value(op.tensor)


def to_tensor(c: FunctionConversion, op: bufferization.ToTensorOp, e: Emitter) -> None:
    """The buffer itself."""
    c.values[op.tensor] = c.value(op.memref)


def dim(c: FunctionConversion, op: tensor.DimOp, e: Emitter) -> None:
    """A dimension of an argument."""
    extents = c.extents.get(op.source)
    if extents is None:
        size = memref.DimOp(c.value(op.source), c.value(op.index))
        c.values[op.result] = e.value(size, op.result.name_hint)
        return
    axis = op.index.owner
    assert isinstance(axis, ConstantOp)
    assert isinstance(axis.value, IntegerAttr)
    c.values[op.result] = extents[axis.value.value.data]


def implicit(c: FunctionConversion, op: sparse_storage.ImplicitOp, e: Emitter) -> None:
    """The zero of numbers."""
    zero = constant_op(zero_of(op.value.type))
    c.values[op.value] = e.value(zero, op.value.name_hint)


def box(c: FunctionConversion, op: sparse_storage.BoxOp, e: Emitter) -> None:
    """Nothing is stored."""
    extents = [c.value(extent) for extent in op.extents]
    order = tuple(range(len(extents)))
    c.regions[op.region] = StoredRegion(extents, [StoredOrder(order, Full(extents))])


def region_where(c: FunctionConversion, op: sparse_storage.RegionWhereOp, e: Emitter) -> None:
    """Buffers of its own."""

    def predicate(e: Emitter, indices: Values, position: SSAValue) -> SSAValue:
        return c.inline(op.body.block, [*indices, position], e)[0]

    part = make_part(e, c.regions[op.base], region_type(op.region), predicate)
    c.regions[op.region] = part


def slice_(c: FunctionConversion, op: sparse_storage.SliceOp, e: Emitter) -> None:
    """The same buffers, with some indices fixed."""
    fixed = {d: c.value(index) for d, index in op.fixed.items()}
    c.regions[op.region] = c.regions[op.base].sliced(fixed)


def size(c: FunctionConversion, op: sparse_storage.SizeOp, e: Emitter) -> None:
    """The length of a range, where the indices lie in one."""
    size = c.regions[op.region].size(e)
    c.values[op.size] = size


def lookup(c: FunctionConversion, op: sparse_storage.LookupOp, e: Emitter) -> None:
    """A search, or a test."""
    indices = [c.value(index) for index in op.indices]
    position, found = c.regions[op.region].lookup(e, indices)
    c.values[op.position], c.values[op.found] = position, found


def step(c: FunctionConversion, op: sparse_storage.StepOp, e: Emitter) -> None:
    """A neighbour, or a search along the dimension."""
    position, found = c.regions[op.region].step(
        e,
        op.dimension.value.data,
        c.value(op.start),
        backwards=op.backwards is not None,
    )
    c.values[op.position], c.values[op.found] = position, found


def element(c: FunctionConversion, op: sparse_storage.ValueOp, e: Emitter) -> None:
    """A load."""
    load = memref.LoadOp.get(c.value(op.values), [c.value(op.position)])
    c.values[op.element] = e.value(load, op.element.name_hint)


def read_index(c: FunctionConversion, op: sparse_storage.ReadIndexOp, e: Emitter) -> None:
    """A load, widened."""
    c.values[op.index] = e.load(c.value(op.indices), c.value(op.place), op.index.name_hint)


def emit(c: FunctionConversion, op: EmitOp, e: Emitter) -> None:
    """Combine a value with those before it."""
    type = op.generator.type
    assert isinstance(type, ReduceType | ScanType)
    (value,) = op.values
    total = combine_freely(type.monoid.data, c.folded[op.generator], c.value(value))
    c.folded[op.generator] = e.value(total)
    for given in op.given:
        c.values[given] = c.folded[op.generator]


def loop(c: FunctionConversion, op: LoopOp, e: Emitter) -> None:
    """Loops of the form of a source, which carry what is emitted in them."""
    if op.is_over_points:
        points(c, op, e)
        return
    outer, own, block = c.emitted_in(op), list(op.generators), op.body.block
    generators = [*own, *outer]
    begun: list[SSAValue] = []
    for generator in own:
        type = generator.type
        assert isinstance(type, ReduceType | ScanType)
        neutral = constant_op(identity(type.monoid.data, type.element))
        begun.append(e.value(neutral, "identity"))
    begun += [c.folded[generator] for generator in outer]

    def body(e: Emitter, elements: Values, values: Values) -> Values:
        for generator, value in zip(generators, values, strict=True):
            if isinstance(value, BlockArgument):
                value.name_hint = generator.name_hint
            c.folded[generator] = value
        c.inline(block, [*elements, *own], e)
        return [c.folded[generator] for generator in generators]

    write = _range if op.source.data == "range" else _stored
    write = _several if op.source.data in ("union", "intersect") else write
    results = write(c, op, e, begun, body)
    for made, value in zip(op.made, results, strict=False):
        c.values[made] = value
        value.name_hint = made.name_hint
    for generator in own:
        c.folded.pop(generator, None)
    c.folded.update(zip(outer, results[len(own) :], strict=True))


Body = Callable[[Emitter, Values, Values], Values]
"""Writes an iteration, given what the source has and what is carried; returns the latter."""


def _range(c: FunctionConversion, op: LoopOp, e: Emitter, begun: Values, body: Body) -> Values:
    """One loop."""
    begin, end = (c.value(value) for value in op.inputs)

    def at(e: Emitter, index: SSAValue, values: Values) -> Values:
        return body(e, [index], values)

    backwards = op.reverse is not None
    hint = op.elements[0].name_hint
    results = e.loop(begin, end, begun, at, backwards=backwards, hint=hint)
    made = e.block.last_op
    assert isinstance(made, scf.ForOp)
    made.attributes |= op.attributes
    return results


def _stored(c: FunctionConversion, op: LoopOp, e: Emitter, begun: Values, body: Body) -> Values:
    """Loops of the form of an order."""
    region, type = c.regions[op.inputs[0]], region_type(op.inputs[0])
    order = iteration_order(type) if op.order is None else tuple(op.order.get_values())
    if not region.iterates(order):
        remark(op, f"every index of the box is looked up: no order {list(order)} is stored")
    return region.walk(
        e,
        order,
        begun,
        lambda e, indices, p, values: body(e, [*indices, p], values),
        backwards=op.reverse is not None,
        counting=not any(element.uses for element in op.elements[: type.rank.data]),
    )


def _several(c: FunctionConversion, op: LoopOp, e: Emitter, begun: Values, body: Body) -> Values:
    """Cursors that are moved on together, or searches."""

    def at(
        e: Emitter,
        indices: list[SSAValue],
        positions: list[SSAValue],
        present: list[SSAValue],
        values: Values,
    ) -> Values:
        return body(e, [*indices, *positions, *present], values)

    strategy = "auto" if op.strategy is None else op.strategy.data
    regions = [c.regions[region] for region in op.inputs]
    return coiterate_regions(e, op.source.data, strategy, regions, begun, at)


def points(c: FunctionConversion, op: LoopOp, e: Emitter) -> None:
    """The loops of a kernel over dense arrays."""
    for nest in nests_of(iterations_of(op), partial(plan_loops, plain=c.plain), c.values):
        nest.emit(e.block)


def nothing(c: FunctionConversion, op: Operation, e: Emitter) -> None:
    """Do nothing: what its users need is known already."""


RULES: Mapping[type[Operation], Rule] = {
    func.ReturnOp: return_,
    memref.AllocOp: alloc,
    bufferization.ToBufferOp: to_buffer,
    bufferization.ToTensorOp: to_tensor,
    tensor.DimOp: dim,
    sparse_storage.UnpackOp: nothing,
    sparse_storage.PackOp: nothing,
    sparse_storage.ImplicitOp: implicit,
    sparse_storage.BoxOp: box,
    sparse_storage.RegionWhereOp: region_where,
    sparse_storage.SliceOp: slice_,
    sparse_storage.SizeOp: size,
    sparse_storage.LookupOp: lookup,
    sparse_storage.StepOp: step,
    sparse_storage.ValueOp: element,
    sparse_storage.ReadIndexOp: read_index,
    LoopOp: loop,
    EmitOp: emit,
}
