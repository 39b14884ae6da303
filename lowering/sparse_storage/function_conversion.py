"""Rewrites one function from iteration over regions to loops over buffers, op by op."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import arith, bufferization, func, memref, tensor
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import FunctionType, IntegerAttr, MemRefType, UnitAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from diablo.dialects import sparse_storage
from diablo.dialects.encodings import as_array, is_sparse
from diablo.dialects.locations import remark
from diablo.dialects.monoids import identity
from diablo.dialects.sparse_storage import LayoutAttr, region_type
from diablo.dialects.sparse_storage_layout import AUTO
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.convert_tensor_block_to_loops import memref_type
from diablo.lowering.sparse_storage.buffers import SparseArgument
from diablo.lowering.sparse_storage.cell_forms import Full
from diablo.lowering.sparse_storage.coiteration import coiterate
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.parts import make_part
from diablo.lowering.sparse_storage.stored_region import StoredOrder, StoredRegion

SPLIT = "sparse_storage.split"
"""Marks a function whose last two arguments are the range that a call computes."""


def argument_layouts(function: func.FuncOp) -> dict[SSAValue, SparseArgument] | str:
    """The buffers of each sparse argument, or why there are none."""
    found: dict[SSAValue, SparseArgument] = {}
    for argument in function.body.block.args:
        type = as_array(argument.type)
        if type is None or not is_sparse(type):
            continue
        layouts: list[LayoutAttr] = []
        for op in function.body.walk():
            if isinstance(op, sparse_storage.UnpackOp) and op.array is argument:
                layout = region_type(op.region).layout
                if layout not in layouts:
                    layouts.append(layout)
        if len(layouts) > 1:
            return f"an argument is unpacked as {layouts[0].text} and as {layouts[1].text}"
        found[argument] = SparseArgument(type, layouts[0] if layouts else AUTO)
        why = found[argument].refusal()
        if why is not None:
            return why
    return found


@dataclass
class FunctionConversion:
    """Rewrites a function that `convert_sparse_storage_to_loops.refusal` accepts, in place."""

    function: func.FuncOp
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    regions: dict[SSAValue, StoredRegion] = field(default_factory=dict[SSAValue, StoredRegion])
    extents: dict[SSAValue, Sequence[SSAValue]] = field(
        default_factory=dict[SSAValue, Sequence[SSAValue]]
    )

    def convert(self) -> None:
        """Replace the body and the type of the function."""
        old, new = self.function.body.block, Block()
        self._arguments(old, new)
        e = Emitter(new, self.function)
        self._ops(old, e)
        self.function.body.detach_block(old)
        old.drop_all_references()
        self.function.body.add_block(new)
        inputs = [argument.type for argument in new.args]
        self.function.function_type = FunctionType.from_lists(inputs, [])
        self.function.properties.pop("arg_attrs", None)
        self.function.properties.pop("res_attrs", None)

    def _arguments(self, old: Block, new: Block) -> None:
        """The buffers that stand for the arguments and for what is made."""

        def add(type: Attribute, hint: str | None) -> SSAValue:
            argument = new.insert_arg(type, len(new.args))
            argument.name_hint = hint
            return argument

        layouts = argument_layouts(self.function)
        assert not isinstance(layouts, str)
        split = isinstance(self.function.attributes.get(SPLIT), UnitAttr)
        given = list(old.args[:-2] if split else old.args)
        for argument in given:
            sparse = layouts.get(argument)
            if sparse is not None:
                prefix = f"{argument.name_hint}_" if argument.name_hint else ""
                buffers = [add(type, prefix + name) for name, type in sparse.arguments()]
                region, values = sparse.region(buffers)
                self.extents[argument] = region.extents
                for use in list(argument.uses):
                    if isinstance(use.operation, sparse_storage.UnpackOp):
                        self.regions[use.operation.region] = region
                        if use.operation.values is not None and values is not None:
                            self.values[use.operation.values] = values
            elif is_tensor(argument.type):
                self.values[argument] = add(memref_type(argument.type), argument.name_hint)
            else:
                self.values[argument] = add(argument.type, argument.name_hint)
        end = old.last_op
        assert isinstance(end, func.ReturnOp)
        self._outputs: list[tuple[SSAValue, SSAValue]] = []
        for value in end.arguments:
            if not is_tensor(value.type):
                output = add(MemRefType(value.type, []), value.name_hint or "result")
                self._outputs.append((value, output))
                continue
            owner = value.owner
            assert isinstance(owner, sparse_storage.PackOp | bufferization.ToTensorOp)
            buffer = owner.memref if isinstance(owner, bufferization.ToTensorOp) else owner.values
            assert buffer is not None
            self.values[buffer] = add(buffer.type, value.name_hint or "result")
        for op in old.ops:
            if isinstance(op, memref.AllocOp) and op.memref not in self.values:
                self.values[op.memref] = add(op.memref.type, op.memref.name_hint)
        if split:
            for argument in old.args[-2:]:
                self.values[argument] = add(argument.type, argument.name_hint)

    def _ops(self, block: Block, e: Emitter) -> None:
        """Append what the ops of `block` become, but for its terminator."""
        source = e.source
        for op in block.ops:
            e.source = op
            rule = RULES.get(type(op))
            if rule is not None:
                rule(self, op, e)
            elif op is block.last_op and not isinstance(op, func.ReturnOp):
                break
            else:
                self._copy(op, e)
        e.source = source

    def _inline(self, block: Block, arguments: Values, e: Emitter) -> Values:
        """Append the ops of the body of a loop, and return what it yields."""
        for old, new in zip(block.args, arguments, strict=True):
            self.values[old] = new
            if new.name_hint is None or isinstance(new, BlockArgument):
                new.name_hint = old.name_hint
        self._ops(block, e)
        end = block.last_op
        assert end is not None
        return [self.value(value) for value in end.operands]

    def value(self, old: SSAValue) -> SSAValue:
        """What stands for a value."""
        return self.values.get(old, old)

    def _copy(self, op: Operation, e: Emitter) -> None:
        """An op of another level, its regions converted."""
        new = op.clone_without_regions(self.values)
        for old_region, region in zip(op.regions, new.regions, strict=True):
            for old_block in old_region.blocks:
                block = Block(arg_types=old_block.arg_types)
                for old, argument in zip(old_block.args, block.args, strict=True):
                    argument.name_hint = old.name_hint
                    self.values[old] = argument
                region.add_block(block)
                inner = Emitter(block, op, e)
                self._ops(old_block, inner)
                end = old_block.last_op
                assert end is not None
                inner.put(end.clone(self.values))
        e.put(new)
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
            self.values[old] = result

    # The rules: what becomes of each op

    def return_(self, op: func.ReturnOp, e: Emitter) -> None:
        """Scalars go to their output arguments."""
        for value, output in self._outputs:
            e.put(memref.StoreOp.get(self.value(value), output, []))
        e.put(func.ReturnOp())

    def alloc(self, op: memref.AllocOp, e: Emitter) -> None:
        """What the function makes at its level is an output argument."""
        if op.memref not in self.values:
            self._copy(op, e)

    def to_buffer(self, op: bufferization.ToBufferOp, e: Emitter) -> None:
        """The buffer of an argument."""
        self.values[op.memref] = self.value(op.tensor)

    def dim(self, op: tensor.DimOp, e: Emitter) -> None:
        """A dimension of an argument."""
        extents = self.extents.get(op.source)
        if extents is None:
            size = memref.DimOp(self.value(op.source), self.value(op.index))
            self.values[op.result] = e.value(size, op.result.name_hint)
            return
        axis = op.index.owner
        assert isinstance(axis, ConstantOp)
        assert isinstance(axis.value, IntegerAttr)
        self.values[op.result] = extents[axis.value.value.data]

    def implicit(self, op: sparse_storage.ImplicitOp, e: Emitter) -> None:
        """The zero of numbers."""
        zero = arith.ConstantOp(identity("add", op.value.type))
        self.values[op.value] = e.value(zero, op.value.name_hint)

    def box(self, op: sparse_storage.BoxOp, e: Emitter) -> None:
        """Nothing is stored."""
        extents = [self.value(extent) for extent in op.extents]
        order = tuple(range(len(extents)))
        self.regions[op.region] = StoredRegion(extents, [StoredOrder(order, Full(extents))])

    def region_where(self, op: sparse_storage.RegionWhereOp, e: Emitter) -> None:
        """Buffers of its own."""

        def predicate(e: Emitter, indices: Values, position: SSAValue) -> SSAValue:
            return self._inline(op.body.block, [*indices, position], e)[0]

        part = make_part(e, self.regions[op.base], region_type(op.region), predicate)
        self.regions[op.region] = part

    def slice(self, op: sparse_storage.SliceOp, e: Emitter) -> None:
        """The same buffers, with some indices fixed."""
        fixed = {d: self.value(index) for d, index in op.fixed.items()}
        self.regions[op.region] = self.regions[op.base].sliced(fixed)

    def size(self, op: sparse_storage.SizeOp, e: Emitter) -> None:
        """The length of a range, where the indices lie in one."""
        size = self.regions[op.region].size(e)
        self.values[op.size] = size

    def lookup(self, op: sparse_storage.LookupOp, e: Emitter) -> None:
        """A search, or a test."""
        indices = [self.value(index) for index in op.indices]
        position, found = self.regions[op.region].lookup(e, indices)
        self.values[op.position], self.values[op.found] = position, found

    def step(self, op: sparse_storage.StepOp, e: Emitter) -> None:
        """A neighbour, or a search along the dimension."""
        position, found = self.regions[op.region].step(
            e,
            op.dimension.value.data,
            self.value(op.start),
            backwards=op.backwards is not None,
        )
        self.values[op.position], self.values[op.found] = position, found

    def element(self, op: sparse_storage.ValueOp, e: Emitter) -> None:
        """A load."""
        load = memref.LoadOp.get(self.value(op.values), [self.value(op.position)])
        self.values[op.element] = e.value(load, op.element.name_hint)

    def iterate(self, op: sparse_storage.IterateOp, e: Emitter) -> None:
        """Loops of the form of an order."""
        region, order = self.regions[op.region], op.dimension_order
        if not region.iterates(order):
            remark(op, f"every index of the box is looked up: no order {list(order)} is stored")
        block, rank = op.body.block, len(order)

        def body(e: Emitter, indices: list[SSAValue], p: SSAValue, values: Values) -> Values:
            return self._inline(block, [*indices, p, *values], e)

        results = region.walk(
            e,
            order,
            [self.value(value) for value in op.inits],
            body,
            backwards=op.backwards is not None,
            counting=not any(argument.uses for argument in block.args[:rank]),
        )
        self._results(op.results_, results)

    def coiterate(self, op: sparse_storage.CoiterateOp, e: Emitter) -> None:
        """Cursors that are moved on together, or searches."""
        block = op.body.block

        def body(
            e: Emitter,
            indices: list[SSAValue],
            positions: list[SSAValue],
            present: list[SSAValue],
            values: Values,
        ) -> Values:
            return self._inline(block, [*indices, *positions, *present, *values], e)

        results = coiterate(
            e,
            op.kind.data,
            op.strategy.data,
            [self.regions[region] for region in op.regions_],
            [self.value(value) for value in op.inits],
            body,
        )
        self._results(op.results_, results)

    def _results(self, old: Sequence[SSAValue], new: Values) -> None:
        for result, value in zip(old, new, strict=True):
            self.values[result] = value
            value.name_hint = result.name_hint

    def nothing(self, op: Operation, e: Emitter) -> None:
        """What its users need is known already."""


RULES: dict[type[Operation], Callable[[FunctionConversion, Any, Emitter], None]] = {
    func.ReturnOp: FunctionConversion.return_,
    memref.AllocOp: FunctionConversion.alloc,
    bufferization.ToBufferOp: FunctionConversion.to_buffer,
    bufferization.ToTensorOp: FunctionConversion.nothing,
    tensor.DimOp: FunctionConversion.dim,
    sparse_storage.UnpackOp: FunctionConversion.nothing,
    sparse_storage.PackOp: FunctionConversion.nothing,
    sparse_storage.ImplicitOp: FunctionConversion.implicit,
    sparse_storage.BoxOp: FunctionConversion.box,
    sparse_storage.RegionWhereOp: FunctionConversion.region_where,
    sparse_storage.SliceOp: FunctionConversion.slice,
    sparse_storage.SizeOp: FunctionConversion.size,
    sparse_storage.LookupOp: FunctionConversion.lookup,
    sparse_storage.StepOp: FunctionConversion.step,
    sparse_storage.ValueOp: FunctionConversion.element,
    sparse_storage.IterateOp: FunctionConversion.iterate,
    sparse_storage.CoiterateOp: FunctionConversion.coiterate,
}
