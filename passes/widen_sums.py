"""Add up floats of 32 bits, and complex numbers of such parts, in 64, and round the sums.

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
(`scatter_reduce`), of rows (`fold`) and of groups (`group_reduce`), and for running sums (`scan`),
whose elements are widened before.

It holds back in products of matrices, which BLAS adds up in blocks and the loops for sparse
matrices in 64 bits whatever their elements are, and where the terms are a few, as in a window. Sums
over a part of their dimensions (`offsets`) stay as well: their rounding would be of that part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    ComplexType,
    IndexType,
    IntegerAttr,
    ModuleOp,
    TensorType,
    f32,
    f64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.complex_numbers import ToComplexOp
from diablo.dialects.encodings import as_array, element_type, is_sparse
from diablo.dialects.locations import located, named
from diablo.dialects.monoids import ANY, PLACE
from diablo.dialects.scalar_types import is_complex
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.loops.products import is_blas_product, is_product
from diablo.passes.analyses.values.affine_values import known_index

FEW = 64
"""So many terms, or fewer, are added up as they are."""
_WIDE: dict[Attribute, Attribute] = {f32: f64, ComplexType(f32): ComplexType(f64)}
"""In what numbers are added up that are narrow."""


def _converted_number(
    value: SSAValue, type: Attribute
) -> arith.ExtFOp | arith.TruncFOp | ToComplexOp:
    """Return the op that widens or rounds a number."""
    if is_complex(type):
        return ToComplexOp(value, type)
    return arith.ExtFOp(value, f64) if type == f64 else arith.TruncFOp(value, f32)


def _is_sum(monoid: str) -> bool:
    return monoid not in (ANY, PLACE) and monoid_named(monoid).is_sum


def _are_few(op: tensor_block.ReduceOp) -> bool:
    terms = [known_index(extent) for extent in op.extents[op.parallel.value.data :]]
    return prod(FEW + 1 if n is None else n for n in terms) <= FEW


def _widen_iteration(op: tensor_block.ReduceOp | tensor_block.ScatterReduceOp) -> None:
    """Let the body give numbers of 64 bits, and round the elements of the result."""
    body = op.body.clone()
    end = body.block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    narrow = element_type(op.result.type)
    wide_type = _WIDE[narrow]
    wide = _converted_number(end.values[-1], wide_type)
    body.block.insert_op_before(wide, end)
    end.operands[len(end.values) - 1] = wide.result
    array = as_array(op.result.type)
    fold = type(op).create(
        operands=op.operands,
        result_types=[_like(array, wide_type)],
        properties=op.properties,
        attributes=op.attributes,
        regions=[body],
    )
    if isinstance(op, tensor_block.ReduceOp):
        extents = op.extents[: op.parallel.value.data]
    else:
        extents = op.into
    total = fold.results[0]
    rounded = (
        _converted_number(total, narrow)
        if array is None
        else _converted_elements(total, extents, array, narrow)
    )
    _replace(op, [fold, rounded])


def _like(array: TensorType[Attribute] | None, element: Attribute) -> Attribute:
    """The type of an array with other elements; of a number that of the element."""
    return element if array is None else TensorType(element, array.get_shape(), array.encoding)


def _converted_elements(
    array: SSAValue, extents: Sequence[SSAValue], wanted: Attribute, element: Attribute
) -> tensor_block.MapOp:
    """Return an array of another type, whose elements are widened or rounded."""
    rank = len(extents)
    body = Block(arg_types=[*[IndexType()] * rank, element_type(array.type)])
    number = _converted_number(body.args[-1], element)
    body.add_ops([number, tensor_block.YieldOp(number.result)])
    return tensor_block.MapOp([array], extents, [AffineMap.identity(rank)], Region(body), wanted)


def _widen_scan(op: tensor_block.ScanOp) -> None:
    """Widen the elements before, and round what they come to."""
    array = as_array(op.array.type)
    assert array is not None
    sizes: list[Operation] = []
    extents = list(op.extents)
    for axis in range(0 if extents else array.get_num_dims()):
        number = arith.ConstantOp(IntegerAttr(axis, IndexType()))
        sizes += [number, tensor.DimOp(op.array, number.result)]
        extents.append(sizes[-1].results[0])
    narrow = array.get_element_type()
    wide_type = _like(array, _WIDE[narrow])
    wide = _converted_elements(op.array, extents, wide_type, _WIDE[narrow])
    scan = tensor_block.ScanOp.create(
        operands=[wide.result, *op.extents],
        result_types=[wide_type],
        properties=op.properties,
        attributes=op.attributes,
    )
    rounded = _converted_elements(scan.result, extents, array, narrow)
    _replace(op, [*sizes, wide, scan, rounded])


def _converted(bag: SSAValue, chosen: Mapping[int, Attribute]) -> list[Operation]:
    """Return the ops that convert some columns of a bag; the last one's result has them."""
    columns = bag_columns(bag)
    body = Block(arg_types=columns)
    numbers = [_converted_number(body.args[c], type) for c, type in chosen.items()]
    body.add_ops([*numbers, tensor_block.YieldOp(*[number.result for number in numbers])])
    extended = tensor_block.ExtendOp(bag, Region(body))
    places = {c: len(columns) + n for n, c in enumerate(chosen)}
    taken = [places.get(c, c) for c in range(len(columns))]
    return [extended, tensor_block.ProjectOp(extended.result, taken)]


def _widen_fold(op: tensor_block.FoldOp) -> None:
    narrow = bag_columns(op.bag)[0]
    wide = _converted(op.bag, {0: _WIDE[narrow]})
    fold = tensor_block.FoldOp(op.monoid.data, wide[-1].results[0])
    _replace(op, [*wide, fold, _converted_number(fold.results[0], narrow)])


def _widen_groups(op: tensor_block.GroupReduceOp) -> None:
    columns, keys = bag_columns(op.bag), op.keys.value.data
    monoids = [monoid.data for monoid in op.monoids]
    sums = {
        keys + n: columns[keys + n]
        for n, monoid in enumerate(monoids)
        if _is_sum(monoid) and columns[keys + n] in _WIDE
    }
    if not sums:
        return
    wide = _converted(op.bag, {column: _WIDE[type] for column, type in sums.items()})
    groups = tensor_block.GroupReduceOp(wide[-1].results[0], keys, monoids)
    _replace(op, [*wide, groups, *_converted(groups.result, sums)])


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
                case tensor_block.ReduceOp() if element_type(fold.result.type) in _WIDE:
                    if _is_widened(fold):
                        _widen_iteration(fold)
                case tensor_block.ScatterReduceOp() if element_type(fold.result.type) in _WIDE:
                    if _is_sum(fold.monoid.data):
                        _widen_iteration(fold)
                case tensor_block.ScanOp() if element_type(fold.result.type) in _WIDE:
                    if _is_sum(fold.monoid.data):
                        _widen_scan(fold)
                case tensor_block.FoldOp() if bag_columns(fold.bag)[0] in _WIDE:
                    if _is_sum(fold.monoid.data):
                        _widen_fold(fold)
                case tensor_block.GroupReduceOp():
                    _widen_groups(fold)
                case _:
                    pass
