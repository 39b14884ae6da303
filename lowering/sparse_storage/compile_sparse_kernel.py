"""Compiles kernels over sparse tiles: through regions and loops to LLVM IR text.

    compile_sparse_kernel(…)  =>  NativeKernel("kernel_3", "define void @kernel_3(...",
                                               "f64{1}[1,2] i64 i64 -> f64[1] rows @0 of 1*2")

Sparse tiles are passed compressed by rows, their indices in 32 bits, unless an attribute of the
argument says otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, SSAValue

from diablo.dialects.access_maps import linear_indices, picks_dimensions
from diablo.dialects.encodings import as_array, dense_rank, is_sparse
from diablo.dialects.tensor_block import (
    FoldOp,
    IterationOps,
    MapOp,
    ReduceOp,
    ScatterReduceOp,
)
from diablo.kernel_signature import Dimension, Slot
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.convert_kernel_to_llvm import is_convertible
from diablo.lowering.llvm.expand_complex import check_expandable, expand_complex
from diablo.lowering.llvm.kernel_to_llvm import CHECKED_DIVISIONS, is_safe_divisor, native_text
from diablo.lowering.llvm.native_kernel import NativeKernel
from diablo.lowering.llvm.signature_parts import (
    dimension_of,
    dimensions_read,
    number_name,
    read_extents,
)
from diablo.lowering.sparse_storage.argument_layouts import (
    COMPRESSED,
    argument_layout,
    outer_dimension,
)
from diablo.lowering.sparse_storage.buffers import SparseArgument
from diablo.lowering.sparse_storage.convert_tensor_block_to_sparse_storage import (
    ConvertTensorBlockToSparseStoragePass,
)
from diablo.lowering.sparse_storage.kernel_plan import KernelPlan, Work, plan_kernel
from diablo.lowering.sparse_storage.region_functions import convert_functions
from diablo.passes.analyses.loops.products import is_masked_product, is_product
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.driving_regions import Drive, StoredOp, is_over_stored_points
from diablo.passes.analyses.sparsity.stored_points import stored_points
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot, StoredLayout


def compile_sparse_kernel(
    context: Context, module: ModuleOp, *, merged: bool = False
) -> NativeKernel:
    """The only function of `module` as LLVM IR; raises `Refused` if it is not compiled.

    With `merged` its result is a sparse array with a region of its own.
    """
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    signature = sparse_signature(function, merged=merged)
    ConvertTensorBlockToSparseStoragePass(split=True, exact=True, merged=merged).apply(
        context, module
    )
    convert_functions(module)
    loops = module.body.block.first_op
    assert isinstance(loops, func.FuncOp)
    check_expandable(loops)
    expand_complex(loops)
    if not is_convertible(loops):
        raise Refused("an op has no machine code")
    name = function.sym_name.data
    return NativeKernel(name, signature, lambda: native_text(context, module.clone()))


def sparse_signature(
    function: func.FuncOp, *, merged: bool = False, products: bool = False
) -> SparseSignature:
    """Return what a kernel over sparse tiles takes and gives as loops.

    Raises
    ------
    Refused
        If it does not become loops, or is a product that a library computes, unless `products`.
    """
    plan = plan_kernel(function, shared=not merged, merged=merged)
    _check(function, plan, products)
    signature = _signature(function, plan, merged)
    for argument in function.args:
        _check_layout(argument)
    return signature


def _check_layout(argument: BlockArgument) -> None:
    type = as_array(argument.type)
    if type is not None and is_sparse(type):
        SparseArgument(type, argument_layout(argument)).check()


def _check(function: func.FuncOp, plan: KernelPlan, products: bool) -> None:
    """Raise `Refused` if machine code is worse than NumPy, or may fail."""
    for op, work in plan.works.items():
        library = (
            isinstance(op, ReduceOp)
            and isinstance(work, Drive)
            and _is_library_product(op, work)
            and not products
        )
        if library:
            raise Refused("a library's sparse product is faster")
        if isinstance(work, Drive) and work.joined is not None:
            assert isinstance(op, StoredOp)
            joined = op.inputs[work.joined]
            assert isinstance(joined, BlockArgument)
            outer = outer_dimension(joined)
            if outer is None or work.dimensions[work.joined][outer] not in work.axes:
                raise Refused("an array that is joined has no lists at the indices of the other")
    for op in function.walk():
        if isinstance(op, CHECKED_DIVISIONS) and not is_safe_divisor(op.rhs):
            raise Refused("an integer division may fail")
    for value in (*function.args, *(result for op in plan.works for result in op.results)):
        number_name(value.type)


def _is_library_product(op: ReduceOp, drive: Drive) -> bool:
    """Whether a library multiplies these; it does not do many products at once, or inner ones."""
    if is_masked_product(op):
        return True
    if not is_product(op) or not all(picks_dimensions(map.data) for map in op.indexing_maps):
        return False
    left, right = (set(dimensions) for dimensions in drive.dimensions)
    batch = left & right & set(range(op.parallel.value.data))
    return not batch and len(drive.inputs) == 1 and is_tensor(op.result.type)


def _signature(function: func.FuncOp, plan: KernelPlan, merged: bool) -> SparseSignature:
    """Return what the compiled function takes and gives."""
    read, shared = _read_extents(plan), _shared_regions(plan)
    arguments = tuple(_argument(argument, read, shared) for argument in function.args)
    end = function.body.block.last_op
    assert isinstance(end, func.ReturnOp)
    output = _merged_output if merged else _output
    outputs = [output(value, plan) for value in end.arguments]
    for op in plan.works:
        for result in op.results:
            if is_tensor(result.type) and result not in end.arguments:
                slot, beginning = _output(result, plan)
                if isinstance(slot, SparseSlot):
                    raise Refused("a sparse array is made that is no result")
                outputs.append((replace(slot, temporary=True), beginning))
    slots, beginnings = zip(*outputs, strict=True) if outputs else ((), ())
    source, factors = _work(plan)
    return SparseSignature(
        arguments, slots, beginnings, source, factors, _all_points(plan), plan.split is not None
    )


def _argument(
    argument: BlockArgument,
    read: dict[tuple[SSAValue, int], Dimension],
    shared: dict[SSAValue, int],
) -> Slot | SparseSlot:
    element = number_name(argument.type)
    if not is_tensor(argument.type):
        return Slot(element)
    dimensions = dimensions_read(argument, read)
    if not is_sparse(argument.type):
        return Slot(element, dimensions)
    return SparseSlot(
        element,
        dense_rank(argument.type),
        dimensions,
        like=shared.get(argument),
        layout=_stored(argument),
    )


def _shared_regions(plan: KernelPlan) -> dict[SSAValue, int]:
    """The arguments that have to have the region of another one, which is numbered."""
    found: dict[SSAValue, int] = {}
    for op, work in plan.works.items():
        if isinstance(work, Drive) and work.kind == "shared":
            assert isinstance(op, StoredOp)
            first, *others = (op.inputs[number] for number in work.inputs)
            assert isinstance(first, BlockArgument)
            for other in others:
                if found.setdefault(other, first.index) != first.index:
                    raise Refused("an input shares the regions of two others")
    return found


def _stored(argument: BlockArgument) -> StoredLayout | None:
    """Return how a sparse argument is passed, if not compressed by rows."""
    layout = argument_layout(argument)
    if layout == COMPRESSED:
        return None
    order = tuple(d for order in layout.dimension_orders[:1] for d in order)
    return StoredLayout(layout.form.data, order, layout.width.data)


def _output(value: SSAValue, plan: KernelPlan) -> tuple[Slot | SparseSlot, str]:
    """A result, and what it begins as."""
    element = number_name(value.type)
    op = value.owner
    if not is_tensor(value.type):
        monoid = ""
        if op is plan.split and isinstance(op, ReduceOp | FoldOp):
            monoid = op.monoid.data
        return Slot(element, monoid=monoid), ""
    assert isinstance(op, IterationOps)
    work = plan.works[op]
    if is_sparse(value.type):
        assert isinstance(work, Drive)
        argument = op.inputs[work.inputs[0]]
        assert isinstance(argument, BlockArgument)
        return SparseSlot(element, dense_rank(value.type), over=argument.index), ""
    rank = value.type.get_num_dims()
    sizes = op.into if isinstance(op, ScatterReduceOp) else op.extents[:rank]
    slot = Slot(element, tuple(dimension_of(size) for size in sizes))
    return slot, _beginning(op, work) if _is_update(work) else ""


def _merged_output(value: SSAValue, plan: KernelPlan) -> tuple[Slot | SparseSlot, str]:
    """A result that has a region of its own, and what it begins as."""
    op = value.owner
    assert isinstance(op, MapOp)
    work = plan.works[op]
    assert isinstance(work, Drive)
    assert is_tensor(value.type)
    numbers: list[int] = []
    for number in work.inputs:
        argument = op.inputs[number]
        assert isinstance(argument, BlockArgument)
        numbers.append(argument.index)
    slot = SparseSlot(
        number_name(value.type),
        dense_rank(value.type),
        merges=tuple(numbers),
        all=work.kind == "union",
    )
    return slot, ""


def _is_update(work: Work) -> TypeGuard[Drive]:
    return isinstance(work, Drive) and work.kind == "update"


def _beginning(op: IterationOps, update: Drive) -> str:
    """Return what a result is that is changed at some points: an argument, or zero."""
    if update.kept is None:
        return "0"
    argument = op.inputs[update.kept]
    if not isinstance(argument, BlockArgument):
        raise Refused("an array that is made in the kernel is updated")
    return f"@{argument.index}"


def _work(plan: KernelPlan) -> tuple[int, tuple[Dimension, ...]]:
    """Return the argument whose entries are the work, and how often."""
    op = plan.split or next(op for op, work in plan.works.items() if work is not None)
    work = plan.works[op]
    factors: tuple[Dimension, ...] = ()
    if isinstance(work, Drive):
        assert isinstance(op, IterationOps)
        source = op.inputs[work.inputs[0]]
        rest = [extent for d, extent in enumerate(op.extents) if d not in work.visited]
        factors = tuple(dimension_of(extent) for extent in rest)
    else:
        assert work is not None
        source = work[0].input
    assert isinstance(source, BlockArgument)
    return source.index, factors


def _all_points(plan: KernelPlan) -> tuple[Dimension, ...]:
    """The extents of the largest op that NumPy computes at every point of its space."""
    dense = [
        op
        for op, work in plan.works.items()
        if isinstance(work, Drive)
        and not _is_update(work)
        and not (isinstance(op, MapOp) and stored_points(op))
        and not is_over_stored_points(op, work)
    ]
    spaces = [op.extents for op in dense if isinstance(op, StoredOp)]
    return tuple(dimension_of(extent) for extent in max(spaces, key=len, default=()))


def _read_extents(plan: KernelPlan) -> dict[tuple[SSAValue, int], Dimension]:
    """Return how much of each dimension of each argument is read, where the ops say so."""
    return read_extents(
        (value, linear_indices(map.data), op.extents)
        for op, work in plan.works.items()
        if isinstance(op, IterationOps)
        for value, map in zip(op.inputs, op.indexing_maps, strict=True)
        # Beyond the extents of the array that is updated nothing is stored.
        if not (_is_update(work) and is_sparse(value.type))
    )
