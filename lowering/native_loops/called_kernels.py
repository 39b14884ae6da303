"""Kernels that a loop of the driver calls, as parts of its machine code.

    %s = func.call @kernel_0(%n, %V, %i)            a fold to numbers, or a map that is computed
    %B = func.call @kernel_1(%n, %A) {in_place}     where an operand is

    %C, %t = func.call @kernel_2(%n, %A)            or a map into memory that the caller gives
    %q = func.call @kernel_3(%n, %m, %p, %S)        or a sparse matrix times a vector

Their loops are written where they are called, and no thread helps, but for products of sparse
matrices: those are calls of the loops that the runtime has, which threads share.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, f64
from xdsl.ir import Operation, OpResult, SSAValue

from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.comprehension.comprehension_monoids import monoids_used
from diablo.dialects.encodings import is_sparse
from diablo.dialects.tensor_block import ReduceOp
from diablo.kernel_signature import Dimension, Signature, Slot
from diablo.lowering.kernel_types import element_type, has_rows, is_tensor
from diablo.lowering.llvm.kernel_loops import convert_function, tensor_ops
from diablo.lowering.llvm.kernel_to_llvm import dense_signature
from diablo.lowering.llvm.signature_parts import dimension_of, number_name
from diablo.lowering.loops_over_points import put_fused_loops
from diablo.lowering.outlined_loops import loop_of
from diablo.passes.analyses.loops.products import is_product
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.refused import Refused
from diablo.passes.update_in_place import IN_PLACE


def called_kernel(op: Operation) -> func.FuncOp | None:
    """The kernel that an op calls, if it calls one and not a loop of the driver."""
    kernel = kernel_called(op) if isinstance(op, func.CallOp) else None
    return None if kernel is None or loop_of(kernel) is not None else kernel


def overwritten(call: func.CallOp) -> int | None:
    """The number of the operand whose memory the only result of a call takes."""
    number = call.attributes.get(IN_PLACE)
    return number.value.data if isinstance(number, IntegerAttr) else None


def check_called(call: func.CallOp) -> Signature:
    """Return what a called kernel takes; raises `Refused` if it cannot be a part of a loop."""
    kernel = called_kernel(call)
    assert kernel is not None
    if (product := sparse_product(kernel)) is not None:
        return product.signature
    if has_rows(kernel) or any(is_sparse(argument.type) for argument in kernel.args):
        raise Refused("a kernel is not over dense arrays")
    signature = _signature(kernel)
    if any(slot.positive for slot in signature.arguments):
        raise Refused("a kernel divides by a number that may be zero")
    arrays = [slot for slot in signature.outputs if slot.dimensions is not None]
    if any(slot.is_tuple for slot in (*signature.arguments, *arrays)):
        raise Refused("a kernel is over arrays of tuples")
    if any(slot.temporary for slot in signature.outputs):
        raise Refused("a kernel makes an array on the way")
    return signature


def made_arrays(call: func.CallOp) -> list[OpResult]:
    """The arrays that a kernel makes when it is called, for which there has to be memory."""
    if called_kernel(call) is None or overwritten(call) is not None:
        return []
    return [result for result in call.results if is_tensor(result.type)]


def _signature(kernel: func.FuncOp) -> Signature:
    # A dot product is no more work than other folds, and stands among what else is done.
    alone = [op for op in tensor_ops(kernel) if isinstance(op, ReduceOp)]
    dots = all(op.parallel.value.data == 0 and len(op.extents) == 1 for op in alone)
    return dense_signature(_as_loops(kernel), products=dots)


@dataclass(frozen=True)
class SparseProduct:
    """A kernel that is a sparse matrix times a dense array: the numbers of its arguments, and more.

    That is a vector, or a matrix.
    """

    matrix: int
    dense: int
    row: int
    """Which dimension of the sparse matrix the rows of the product are numbered by."""
    extents: tuple[Dimension, ...]
    """How far each dimension of the sparse matrix is read, and how many columns the other has."""
    signature: Signature

    @property
    def column(self) -> int:
        """Which dimension the terms are summed along."""
        return 1 - self.row


def sparse_product(kernel: func.FuncOp) -> SparseProduct | None:
    """The product of a sparse matrix and a vector that is all of a kernel, if it is one."""
    return _product(kernel, rank=1)


def sparse_product_with_matrix(kernel: func.FuncOp) -> SparseProduct | None:
    """The product of a sparse and a dense matrix that is all of a kernel, if it is one."""
    return _product(kernel, rank=2)


def _product(kernel: func.FuncOp, rank: int) -> SparseProduct | None:
    """The product of a sparse matrix and a dense array of a rank."""
    ops = tensor_ops(kernel)
    end = kernel.body.block.last_op
    if len(ops) != 1 or not isinstance(op := ops[0], ReduceOp) or end is None:
        return None
    if list(end.operands) != [op.result] or not is_product(op) or op.offsets or op.symbols:
        return None
    inputs = list(op.inputs)
    arguments = list[SSAValue](kernel.args)
    if any(value not in arguments or element_type(value.type) != f64 for value in inputs):
        return None
    if not is_tensor(op.result.type) or is_sparse(op.result.type):
        return None
    places = [picked_dimensions(map.data) for map in op.indexing_maps]
    matrices = [k for k, value in enumerate(inputs) if is_sparse(value.type)]
    summed = op.parallel.value.data
    if summed != rank or len(op.extents) != rank + 1 or len(matrices) != 1:
        return None
    place, other = places[matrices[0]], places[1 - matrices[0]]
    if place not in ([0, summed], [summed, 0]) or other != [summed, *range(1, rank)]:
        return None
    try:
        rows, *width, columns = (dimension_of(extent) for extent in op.extents)
        elements = [number_name(argument.type) for argument in arguments]
    except Refused:
        return None
    matrix, dense = (arguments.index(inputs[k]) for k in (matrices[0], 1 - matrices[0]))
    if any(d.axis is not None and d.argument == matrix for d in (rows, *width, columns)):
        return None  # Machine code is not told what extents the matrix has.
    slots = [
        Slot(element, (columns, *width) if k == dense else (None, None) if k == matrix else None)
        for k, element in enumerate(elements)
    ]
    return SparseProduct(
        matrix,
        dense,
        place.index(0),
        (rows, columns, *width) if place[0] == 0 else (columns, rows, *width),
        Signature(tuple(slots), (Slot("f64", (rows, *width)),), (Dimension(1),)),
    )


def loops_of(kernel: func.FuncOp, overwritten: int | None) -> func.FuncOp:
    """A copy of a kernel as loops over memrefs, which write to an argument if one is given."""
    copy = _as_loops(kernel)
    convert_function(copy, split=False, overwritten=overwritten)
    module = copy.parent_op()
    assert module is not None
    copy.detach()
    module.erase()
    return copy


def _as_loops(kernel: func.FuncOp) -> func.FuncOp:
    """A copy of a kernel as loops over points, in a module of its own."""
    copy = kernel.clone()
    module = ModuleOp([copy, *[monoid.clone() for monoid in monoids_used(kernel)]])
    put_fused_loops(module, copy)
    return copy
