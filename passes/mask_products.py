"""Compute products of sparse matrices only where what reads them looks at them.

Works at the tensor_block level.

```mlir
%p = tensor_block.reduce add parallel(d0, d1)          %p = tensor_block.reduce add parallel(d0, d1)
    reduced(d2) ins(%A[d0, d2], %B[d2, d1])                reduced(d2)
  { tensor_block.yield %a * %b }                             ins(%A[d0, d2], %B[d2, d1], %M[d0, d1])
%r = tensor_block.reduce add reduced(d0, d1)     ==>     { tensor_block.yield
    ins(%p[d0, d1], %M[d0, d1])                              select(%m != 0, %a * %b, 0) }
  { tensor_block.yield %x * %m }                       %r = tensor_block.reduce add reduced(d0, d1)
                                                           ins(%p[d0, d1], %M[d0, d1])
                                                         { tensor_block.yield %x * %m }
```

where A, B and the *mask* M are sparse, and the reader gives nothing where M stores no element: a
sparse map zero, a fold the identity of its monoid. The product is as sparse as M then: the paths of
length two in a graph that edges close to triangles, and not all of them. It stays whole where
something else reads it too, or it stands outside of a loop around its reader. Where A or B is dense
it stays as well, since BLAS computes a dense product in less time than it takes to gather the
elements of a row for each place that a mask of ordinary density has.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, TensorType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.rewriter import InsertPoint

from diablo.dialects import monoids
from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.encodings import array_type, as_array, is_sparse
from diablo.dialects.locations import located, named, remark
from diablo.dialects.number_constants import constant_op
from diablo.dialects.number_ops import unequal
from diablo.dialects.tensor_block import IterationOps, MapOp, ReduceOp, YieldOp
from diablo.passes.analyses.loops.products import is_product
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.stored_points import value_beside
from diablo.passes.analyses.values.monoid_identities import identity_constant, implicit_constant


def _reader(product: ReduceOp) -> IterationOps:
    """The one op that reads a product; raises `Refused` if there are others."""
    readers = [use.operation for use in product.result.uses]
    if len(readers) != 1:
        raise Refused("it is read more than once")
    (reader,) = readers
    if not isinstance(reader, MapOp | ReduceOp) or reader.offsets:
        raise Refused("all of it is read")
    if reader.parent is not product.parent:
        raise Refused("it is read in a loop that it stands outside of")
    return reader


def _mask(product: ReduceOp, reader: IterationOps) -> SSAValue:
    """The sparse array without whose elements the reader gives nothing; else raises `Refused`."""
    place = list(reader.inputs).index(product.result)
    dimensions = picked_dimensions(reader.indexing_maps.data[place].data)
    if dimensions is None or len(set(dimensions)) != len(dimensions):
        raise Refused("it is read beside the point")
    if [reader.extents[d] for d in dimensions] != list(product.extents[: len(dimensions)]):
        raise Refused("a part of it is read")
    nothing = _nothing(reader)
    for number, (value, map) in enumerate(zip(reader.inputs, reader.indexing_maps, strict=True)):
        if not is_sparse(value.type) or picked_dimensions(map.data) != dimensions:
            continue
        element = array_type(value).get_element_type()
        zero = implicit_constant(element)
        if number != place and zero is not None and not isinstance(zero, str | tuple):
            beside = value_beside(reader, [number])
            if nothing is not None and beside == nothing:
                return value
    raise Refused("what reads it looks at more than a sparse array stores")


def _nothing(reader: IterationOps) -> object:
    """Return what the body of a reader yields at a point that adds nothing to its result."""
    array = as_array(reader.result.type)
    element: Attribute = reader.result.type if array is None else array.get_element_type()
    if isinstance(reader, ReduceOp):
        return identity_constant(reader.monoid.data, element, reader)
    return implicit_constant(element) if is_sparse(reader.result.type) else None


def _masked(product: ReduceOp, mask: SSAValue) -> ReduceOp:
    """The product where `mask` is not zero."""
    old = product.body.block
    element = array_type(mask).get_element_type()
    block = Block(arg_types=[*(argument.type for argument in old.args), element])
    values: dict[SSAValue, SSAValue] = dict(zip(old.args, block.args, strict=False))
    for new, argument in zip(block.args, old.args, strict=False):
        named(new, argument)
    for op in old.ops:
        if not isinstance(op, YieldOp):
            block.add_op(op.clone(values))
            continue
        term = values[op.values[0]]
        zero = _zero(term.type)
        there = block.args[-1]
        if element != i1:
            none = _zero(element)
            test = unequal(there, none.results[0])
            block.add_ops([none, test])
            there = test.results[0]
        chosen = arith.SelectOp(there, term, zero.results[0])
        block.add_ops([zero, chosen, YieldOp(chosen.result)])
    rank = len(product.extents)
    parallel = product.parallel.value.data
    point = AffineMap(rank, 0, tuple(map(AffineExpr.dimension, range(parallel))))
    kept = array_type(product.result)
    type = TensorType(kept.get_element_type(), kept.get_shape(), array_type(mask).encoding)
    return ReduceOp(
        product.monoid.data,
        [*product.inputs, mask],
        product.extents,
        parallel,
        [*(map.data for map in product.indexing_maps), point],
        Region(block),
        type,
    )


def _zero(type: Attribute) -> Operation:
    zero = monoids.identity("add", type)
    assert zero is not None
    return constant_op(zero)


class MaskProduct(RewritePattern):
    """Compute a product of sparse matrices where a mask has elements."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReduceOp, rewriter: PatternRewriter) -> None:
        """Replace a product that is read under a mask, in front of what reads it."""
        sparse = all(is_sparse(value.type) for value in op.inputs)
        if not sparse or not is_product(op) or op.offsets or as_array(op.result.type) is None:
            return
        if not any(isinstance(use.operation, MapOp | ReduceOp) for use in op.result.uses):
            return
        try:
            reader = _reader(op)
            mask = _mask(op, reader)
        except Refused as refused:
            remark(op, f"the product of sparse arrays is computed everywhere: {refused}")
            return
        masked = located(_masked(op, mask), op)
        named(masked.result, op.result)
        remark(op, "the product is computed only where a sparse array that is read with it stores")
        rewriter.insert(masked, InsertPoint.before(reader))
        rewriter.replace_all_uses_with(op.result, masked.result)
        rewriter.erase(op)


@dataclass(frozen=True)
class MaskProductsPass(ModulePass):
    """Compute products of sparse matrices only where what reads them looks at them."""

    name = "mask-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at each product once."""
        PatternRewriteWalker(MaskProduct(), apply_recursively=False).rewrite_module(op)
