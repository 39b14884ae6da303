"""Add up floats of 32 bits in 64, and round the sums.

Works at the tensor_block level.

```mlir
%s = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : tensor<?xf32>) -> f32 {
^bb0(%i: index, %a: f32):
  tensor_block.yield %a : f32
}
```

becomes

```mlir
%0 = tensor_block.reduce add reduced(d0 < %n) ins(%A[d0] : tensor<?xf32>) -> f64 {
^bb0(%i: index, %a: f32):
  %1 = arith.extf %a : f32 to f64
  tensor_block.yield %1 : f64
}
%s = arith.truncf %0 : f64 to f32
```

A running sum of n terms of 32 bits is wrong by up to n times 6e-8 of the sum of their magnitudes
(Higham, Accuracy and Stability of Numerical Algorithms, section 4.2). NumPy adds up in pairs, which
machine code, folds of tiles and groups of rows do not. The same for the sums of cells
(`scatter_reduce`), of rows (`fold`) and of groups (`group_reduce`).

It holds back in products of matrices, which BLAS adds up in blocks and libraries of sparse matrices
in the type of their elements, and where the terms are a few, as in a window. Sums over a part of
their dimensions (`offsets`) stay as well: their rounding would be of that part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, ModuleOp, TensorType, f32, f64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.encodings import as_array, element_type, is_sparse
from diablo.dialects.locations import located, named
from diablo.dialects.monoids import ANY, PLACE
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.loops.products import is_blas_product, is_product
from diablo.passes.analyses.values.affine_values import known_index

FEW = 64
"""So many terms, or fewer, are added up as they are."""


def _is_sum(monoid: str) -> bool:
    return monoid not in (ANY, PLACE) and monoid_named(monoid).is_sum


def _are_few(op: tensor_block.ReduceOp) -> bool:
    terms = [known_index(extent) for extent in op.extents[op.parallel.value.data :]]
    return prod(FEW + 1 if n is None else n for n in terms) <= FEW


def _widen_iteration(op: tensor_block.ReduceOp | tensor_block.ScatterReduceOp) -> None:
    """Let the body give floats of 64 bits, and round the elements of the result."""
    body = op.body.clone()
    end = body.block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    wide = arith.ExtFOp(end.values[-1], f64)
    body.block.insert_op_before(wide, end)
    end.operands[len(end.values) - 1] = wide.result
    array = as_array(op.result.type)
    fold = type(op).create(
        operands=op.operands,
        result_types=[f64 if array is None else TensorType(f64, array.get_shape(), array.encoding)],
        properties=op.properties,
        attributes=op.attributes,
        regions=[body],
    )
    if isinstance(op, tensor_block.ReduceOp):
        extents = op.extents[: op.parallel.value.data]
    else:
        extents = op.into
    rounded = (
        _rounded(fold) if array is None else _rounded_elements(fold.results[0], extents, array)
    )
    _replace(op, [fold, rounded])


def _rounded(op: Operation) -> Operation:
    return arith.TruncFOp(op.results[0], f32)


def _rounded_elements(
    array: SSAValue, extents: Sequence[SSAValue], wanted: Attribute
) -> tensor_block.MapOp:
    """Return the elements of an array as floats of 32 bits."""
    rank = len(extents)
    body = Block(arg_types=[*[IndexType()] * rank, f64])
    number = arith.TruncFOp(body.args[-1], f32)
    body.add_ops([number, tensor_block.YieldOp(number.result)])
    return tensor_block.MapOp([array], extents, [AffineMap.identity(rank)], Region(body), wanted)


def _converted(
    bag: SSAValue, chosen: Sequence[int], conversion: type[arith.ExtFOp | arith.TruncFOp]
) -> list[Operation]:
    """Return the ops that convert the chosen columns of a bag; the last one's result has them."""
    columns = bag_columns(bag)
    body = Block(arg_types=columns)
    target = f64 if conversion is arith.ExtFOp else f32
    numbers = [conversion(body.args[c], target) for c in chosen]
    body.add_ops([*numbers, tensor_block.YieldOp(*[number.result for number in numbers])])
    extended = tensor_block.ExtendOp(bag, Region(body))
    places = {c: len(columns) + n for n, c in enumerate(chosen)}
    taken = [places.get(c, c) for c in range(len(columns))]
    return [extended, tensor_block.ProjectOp(extended.result, taken)]


def _widen_fold(op: tensor_block.FoldOp) -> None:
    wide = _converted(op.bag, [0], arith.ExtFOp)
    fold = tensor_block.FoldOp(op.monoid.data, wide[-1].results[0])
    _replace(op, [*wide, fold, _rounded(fold)])


def _widen_groups(op: tensor_block.GroupReduceOp) -> None:
    columns, keys = bag_columns(op.bag), op.keys.value.data
    monoids = [monoid.data for monoid in op.monoids]
    sums = [
        keys + n for n, monoid in enumerate(monoids) if _is_sum(monoid) and columns[keys + n] == f32
    ]
    if not sums:
        return
    wide = _converted(op.bag, sums, arith.ExtFOp)
    groups = tensor_block.GroupReduceOp(wide[-1].results[0], keys, monoids)
    _replace(op, [*wide, groups, *_converted(groups.result, sums, arith.TruncFOp)])


def _replace(op: Operation, ops: Sequence[Operation]) -> None:
    """Put ops in the place of another; the last one has its result."""
    for new in ops:
        located(new, op)
    named(ops[-1].results[0], op.results[0])
    Rewriter.insert_op(ops, InsertPoint.before(op))
    op.results[0].replace_all_uses_with(ops[-1].results[0])
    Rewriter.erase_op(op)


def _is_widened(op: tensor_block.ReduceOp) -> bool:
    """Return whether the terms of a sum are many, and no library adds them up."""
    if not _is_sum(op.monoid.data) or op.offsets:
        return False
    is_sparse_product = is_product(op) and any(is_sparse(value.type) for value in op.inputs)
    is_of_matrices = op.parallel.value.data > 0 and (is_blas_product(op) or is_sparse_product)
    return not is_of_matrices and not _are_few(op)


@dataclass(frozen=True)
class WidenSumsPass(ModulePass):
    """Add up floats of 32 bits in 64, and round the sums."""

    name = "widen-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at every fold of such floats."""
        for fold in list(op.walk()):
            match fold:
                case tensor_block.ReduceOp() if element_type(fold.result.type) == f32:
                    if _is_widened(fold):
                        _widen_iteration(fold)
                case tensor_block.ScatterReduceOp() if element_type(fold.result.type) == f32:
                    if _is_sum(fold.monoid.data):
                        _widen_iteration(fold)
                case tensor_block.FoldOp() if bag_columns(fold.bag)[0] == f32:
                    if _is_sum(fold.monoid.data):
                        _widen_fold(fold)
                case tensor_block.GroupReduceOp():
                    _widen_groups(fold)
                case _:
                    pass
