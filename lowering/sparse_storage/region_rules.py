"""What becomes of each op over regions: the rules of `convert-sparse-storage-to-loops`.

Each appends what stands for an op, and notes which values stand for its results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import bufferization, func, memref, tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, SSAValue

from diablo.dialects import sparse_storage
from diablo.dialects.locations import remark
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import constant_op
from diablo.dialects.sparse_storage import region_type
from diablo.lowering.sparse_storage.cell_forms import Full
from diablo.lowering.sparse_storage.coiteration import coiterate as coiterate_regions
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.function_conversion import FunctionConversion, Rule
from diablo.lowering.sparse_storage.parts import make_part
from diablo.lowering.sparse_storage.stored_region import StoredOrder, StoredRegion


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


def iterate(c: FunctionConversion, op: sparse_storage.IterateOp, e: Emitter) -> None:
    """Loops of the form of an order."""
    region, order = c.regions[op.region], op.dimension_order
    if not region.iterates(order):
        remark(op, f"every index of the box is looked up: no order {list(order)} is stored")
    block, rank = op.body.block, len(order)

    def body(e: Emitter, indices: list[SSAValue], p: SSAValue, values: Values) -> Values:
        return c.inline(block, [*indices, p, *values], e)

    results = region.walk(
        e,
        order,
        [c.value(value) for value in op.inits],
        body,
        backwards=op.backwards is not None,
        counting=not any(argument.uses for argument in block.args[:rank]),
    )
    _results(c, op.results_, results)


def coiterate(c: FunctionConversion, op: sparse_storage.CoiterateOp, e: Emitter) -> None:
    """Cursors that are moved on together, or searches."""
    block = op.body.block

    def body(
        e: Emitter,
        indices: list[SSAValue],
        positions: list[SSAValue],
        present: list[SSAValue],
        values: Values,
    ) -> Values:
        return c.inline(block, [*indices, *positions, *present, *values], e)

    results = coiterate_regions(
        e,
        op.kind.data,
        op.strategy.data,
        [c.regions[region] for region in op.regions_],
        [c.value(value) for value in op.inits],
        body,
    )
    _results(c, op.results_, results)


def _results(c: FunctionConversion, old: Sequence[SSAValue], new: Values) -> None:
    for result, value in zip(old, new, strict=True):
        c.values[result] = value
        value.name_hint = result.name_hint


def nothing(c: FunctionConversion, op: Operation, e: Emitter) -> None:
    """Do nothing: what its users need is known already."""


RULES: Mapping[type[Operation], Rule] = {
    func.ReturnOp: return_,
    memref.AllocOp: alloc,
    bufferization.ToBufferOp: to_buffer,
    bufferization.ToTensorOp: nothing,
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
    sparse_storage.IterateOp: iterate,
    sparse_storage.CoiterateOp: coiterate,
}
