"""Let kernels over sparse tiles run over what these store: from `tensor_block` to regions.

Reads functions over local tensors, some of them sparse; writes loops over the regions of the
sparse ones, keeping the function's type. Dense arrays are read from buffers, results written to
buffers; ops over dense arrays alone become loops over points. A sparse argument is laid out as its
attribute `sparse_storage.layout` says, or else compressed with 32 bits.

    %y = tensor_block.reduce min parallel(d0 < %n) reduced(d1 < %m)
        ins(%A[d0, d1] : !sparse, %x[d1] : tensor<?xf64>) -> tensor<?xf64> { … }

becomes

    %R, %a = sparse_storage.unpack %A
    multiloop.loop range(%zero, %n : index, index) {
    ^bb0(%i: index):
      %row = sparse_storage.slice %R[%i, *]
      %least = multiloop.loop stored(%row : …) -> f64 {
      ^bb0(%j: index, %p: index, %acc: !multiloop.reduce<min : f64>):
        …

An op is converted if its body gives nothing where its sparse inputs store nothing (`drivers`),
and a fold of the rows of a sparse array if these are made one by one. What cannot be converted
leaves the function as it is; a remark says why. With `split`, a function with one loop gets two
more arguments, the part of its first dimension that a call computes. With `exact` the caller
promises that sparse arguments have just the extents of the iteration, that those which a sparse
result is zero beside have one region, and that a dense result which is an argument, or zero,
where nothing is stored begins as that.

With `merged` a map of several sparse arrays gives a sparse one that stores what it computes at the
indices of these: the ends of its rows, the indices and the values, which the function returns in
its place. Where the first entry goes is one more argument.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import bufferization, func, tensor
from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
)
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import remark
from diablo.dialects.sparse_storage import UnpackOp
from diablo.dialects.tensor_block import (
    FoldOp,
    IterationOps,
    MapOp,
    ToBagOp,
)
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.loops_over_points import loop_over_points
from diablo.lowering.sparse_storage.argument_layouts import (
    argument_layout,
    outer_dimension,
    split_attributes,
)
from diablo.lowering.sparse_storage.emitter import Emitter
from diablo.lowering.sparse_storage.kernel_plan import KernelPlan, plan_kernel
from diablo.lowering.sparse_storage.merged_nest import MergedNest
from diablo.lowering.sparse_storage.row_chains import RowOp, emit_chain
from diablo.lowering.sparse_storage.stored_nest import StoredNest
from diablo.lowering.sparse_storage.stored_operands import Operands
from diablo.lowering.sparse_storage.update_nest import UpdateNest
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.driving_regions import Drive, StoredOp


@dataclass
class KernelConversion:
    """Rewrites a function that `plan_kernel` accepts, in place."""

    function: func.FuncOp
    plan: KernelPlan
    split: bool
    exact: bool
    merged: bool
    plain: bool = False
    _made: dict[SSAValue, list[SSAValue]] = field(
        default_factory=dict[SSAValue, list[SSAValue]], init=False
    )
    """The buffers of results that have regions of their own."""

    def convert(self) -> None:
        """Replace the body, and with a split the type."""
        old, new = self.function.body.block, Block(arg_types=self.function.body.block.arg_types)
        operands = Operands()
        e = Emitter(new, self.function)
        for before, after in zip(old.args, new.args, strict=True):
            after.name_hint = before.name_hint
            operands.values[before] = after
            if not is_tensor(before.type):
                continue
            if is_sparse(before.type):
                unpack = UnpackOp(after, argument_layout(before))
                e.put(unpack)
                _name(unpack, before.name_hint)
                operands.regions[before] = (unpack.region, unpack.values)
            else:
                type = MemRefType(before.type.get_element_type(), before.type.get_shape())
                buffer = bufferization.ToBufferOp.build(operands=[after], result_types=[type])
                operands.buffers[before] = e.value(buffer, before.name_hint)
        bounds: tuple[SSAValue, SSAValue] | None = None
        if self.split and self.plan.split is not None:
            begin = new.insert_arg(IndexType(), len(new.args))
            end = new.insert_arg(IndexType(), len(new.args))
            begin.name_hint, end.name_hint = "begin", "end"
            bounds = begin, end
            if self.merged:
                self._place = new.insert_arg(IndexType(), len(new.args))
                self._place.name_hint = "place"
            self.function.arg_attrs = split_attributes(self.function, 3 if self.merged else 2)
        for op in list(old.ops):
            e.source = op
            self._op(op, e, operands, bounds)
        self.function.body.detach_block(old)
        old.drop_all_references()
        self.function.body.add_block(new)
        end = new.last_op
        assert end is not None
        self.function.function_type = FunctionType.from_lists(
            [argument.type for argument in new.args], [value.type for value in end.operands]
        )

    def _op(
        self,
        op: Operation,
        e: Emitter,
        operands: Operands,
        bounds: tuple[SSAValue, SSAValue] | None,
    ) -> None:
        if isinstance(op, ToBagOp | RowOp):
            return
        if isinstance(op, func.ReturnOp):
            results = [self._returned(value, e, operands) for value in op.arguments]
            e.put(func.ReturnOp(*[value for values in results for value in values]))
            return
        if op not in self.plan.works:
            new = op.clone(operands.values)
            e.put(new)
            for before, after in zip(op.results, new.results, strict=True):
                operands.values[before] = after
            return
        work = self.plan.works[op]
        if isinstance(op, FoldOp):
            assert isinstance(work, tuple)
            source, _ = work
            assert isinstance(source.input, BlockArgument)
            outer, extent = outer_dimension(source.input), None
            if outer is not None:
                array = operands.values[source.input]
                extent = outer, e.value(tensor.DimOp(array, e.index(outer)))
            total = emit_chain(e, op, work, operands, bounds, extent)
            total.name_hint = op.result.name_hint
            operands.values[op.result] = total
        elif isinstance(work, Drive) and self.merged:
            assert isinstance(op, MapOp)
            assert bounds is not None
            nest = MergedNest(op, work, operands, bounds, self._place)
            self._made[op.result] = nest.emit(e)
        elif isinstance(work, Drive) and work.kind == "update":
            assert isinstance(op, MapOp)
            update = UpdateNest(op, work, operands, bounds, self.exact)
            update.emit(e)
            operands.buffers[op.result] = update.buffer
        elif isinstance(work, Drive):
            assert isinstance(op, StoredOp)
            nest = StoredNest(op, work, operands, bounds, self.exact, self.plain)
            result = nest.emit(e)
            if result is not None:
                operands.values[op.result] = result
                result.name_hint = op.result.name_hint
            if nest.buffer is not None:
                operands.buffers[op.result] = nest.buffer
        else:
            assert isinstance(op, IterationOps)
            self._dense(op, e, operands)

    def _dense(self, op: IterationOps, e: Emitter, operands: Operands) -> None:
        """A loop over points; arrays that were made here are buffers."""
        arrays = {
            value: e.value(bufferization.ToTensorOp(buffer), buffer.name_hint)
            for value in op.inputs
            if (buffer := operands.buffers.get(value)) is not None and value not in operands.values
        }
        copy = op.clone({**operands.values, **arrays})
        e.put(copy)
        (made,) = loop_over_points(copy).made
        operands.values[op.result] = made
        if is_tensor(made.type):
            type = MemRefType(made.type.get_element_type(), made.type.get_shape())
            buffer = bufferization.ToBufferOp.build(operands=[made], result_types=[type])
            operands.buffers[op.result] = e.value(buffer, made.name_hint)

    def _returned(self, value: SSAValue, e: Emitter, operands: Operands) -> list[SSAValue]:
        if value in self._made:
            buffers = self._made[value]
            return [e.value(bufferization.ToTensorOp(b), b.name_hint) for b in buffers]
        if value in operands.values:
            return [operands.values[value]]
        made = bufferization.ToTensorOp(operands.buffers[value])
        return [e.value(made, value.name_hint)]


def _name(unpack: UnpackOp, hint: str | None) -> None:
    if hint is not None:
        unpack.region.name_hint = f"{hint}_region"
        if unpack.values is not None:
            unpack.values.name_hint = f"{hint}_values"


@dataclass(frozen=True)
class ConvertTensorBlockToSparseStoragePass(ModulePass):
    """Lets kernels over sparse tiles run over what these store."""

    name = "convert-tensor-block-to-sparse-storage"
    split: bool = False
    """Let a call compute a part of the first dimension, so that threads can share the work."""
    exact: bool = False
    """Take it that sparse arguments have just the extents of the iteration."""
    merged: bool = False
    """Let a sparse result have a region of its own, of which the function returns the vectors."""
    plain: bool = False
    """Write one loop for each dimension of ops over dense arrays and nothing else, and say of the
    rows of sparse results that they store apart from each other, as for a GPU."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every kernel over sparse tiles that can be; leave the others alone."""
        for function in list(op.ops):
            if not isinstance(function, func.FuncOp) or not function.body.blocks:
                continue
            if not any(is_tensor(a.type) and is_sparse(a.type) for a in function.args):
                continue
            try:
                plan = plan_kernel(function, shared=self.exact, merged=self.merged)
            except Refused as why:
                remark(function, f"'{function.sym_name.data}' does not run over regions: {why}")
                continue
            split = self.split or self.merged
            KernelConversion(function, plan, split, self.exact, self.merged, self.plain).convert()
