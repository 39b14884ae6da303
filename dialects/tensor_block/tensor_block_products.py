"""One form for products that are the same: rules for `canonicalize`.

    (B.t @ A.t).t   =   A @ B   =   the sum of B[k,j]*A[i,k]

What is folded in another order of its dimensions, and then transposed, is folded in the right one;
and of two factors the one that goes along the first dimensions of the result comes first. So equal
products are equal ops, of which `cse` leaves one, and none is transposed in memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import MulfOp, MuliOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import located
from diablo.dialects.tensor_block import MapOp, ReduceOp, YieldOp


class FoldTransposed(RewritePattern):
    """A fold that is only read transposed is made so.

    ```
    %p = tensor_block.reduce add parallel(d0 < %m, d1 < %n) reduced(d2 < %l)
        ins(%B[d2, d0] : …, %A[d1, d2] : …) -> … { … }
    %q = tensor_block.map parallel(d0 < %n, d1 < %m) ins(%p[d1, d0] : …) -> … { … }
    // becomes
    %q = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
        ins(%B[d2, d1] : …, %A[d0, d2] : …) -> … { … }
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MapOp, rewriter: PatternRewriter) -> None:
        """Fold along the dimensions of the result."""
        if len(op.inputs) != 1 or op.offsets or not _gives_its_element(op):
            return
        fold = op.inputs[0].owner
        if not isinstance(fold, ReduceOp) or fold.offsets or not fold.result.has_one_use():
            return
        if fold.parent is not op.parent:  # A loop would fold in each iteration.
            return
        if op.attributes or fold.attributes:  # Passes have said how these are computed.
            return
        rank, parallel = len(fold.extents), fold.parallel.value.data
        order = picked_dimensions(op.indexing_maps.data[0].data)
        if order is None or sorted(order) != list(range(parallel)) or order == sorted(order):
            return
        if [op.extents[k] for k in order] != list(fold.extents[:parallel]):
            return
        if is_sparse(fold.result.type) or is_sparse(op.result.type):
            return
        # Dimension k of the fold is dimension new[k] of what it becomes.
        new = [*order, *range(parallel, rank)]
        dims: list[AffineExpr] = [AffineExpr.dimension(k) for k in new]
        symbols: list[AffineExpr] = [AffineExpr.symbol(k) for k in range(len(fold.symbols))]
        maps = [
            map.data.replace_dims_and_symbols(dims, symbols, rank, len(symbols))
            for map in fold.indexing_maps
        ]
        places = [*new, *range(rank, rank + len(fold.inputs))]
        made = ReduceOp(
            fold.monoid.data,
            fold.inputs,
            [fold.extents[new.index(k)] for k in range(rank)],
            parallel,
            maps,
            _with_arguments(fold.body.block, places),
            op.result.type,
            symbols=fold.symbols,
        )
        made.result.name_hint = op.result.name_hint
        rewriter.replace(op, located(made, fold))
        rewriter.erase(fold)


class OrderFactors(RewritePattern):
    """The factor that goes along the first dimensions of a product comes first.

    ```
    %p = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
        ins(%B[d2, d1] : …, %A[d0, d2] : …) -> … {
    ^bb0(%i: index, %j: index, %k: index, %b: f64, %a: f64):
      %v = arith.mulf %b, %a : f64
      tensor_block.yield %v : f64
    }
    // becomes ins(%A[d0, d2] : …, %B[d2, d1] : …) { … arith.mulf %a, %b }
    ```
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ReduceOp, rewriter: PatternRewriter) -> None:
        """Exchange the factors, or the operands of their product."""
        if op.attributes or len(op.inputs) != 2 or len(ops := list(op.body.block.ops)) != 2:
            return
        product, end = ops
        if not isinstance(product, MulfOp | MuliOp) or not isinstance(end, YieldOp):
            return
        factors = list(op.body.block.args)[-2:]
        if list(end.values) != [product.result] or {product.lhs, product.rhs} != {*factors}:
            return
        if _order(op, 1) < _order(op, 0):
            rank = len(op.extents)
            made = ReduceOp(
                op.monoid.data,
                list(op.inputs)[::-1],
                op.extents,
                op.parallel.value.data,
                [map.data for map in op.indexing_maps][::-1],
                _with_arguments(op.body.block, [*range(rank), rank + 1, rank]),
                op.result.type,
                op.offsets,
                op.symbols,
            )
            made.result.name_hint = op.result.name_hint
            rewriter.replace(op, located(made, op))
        elif product.lhs is factors[1]:
            product.operands[0], product.operands[1] = factors
            rewriter.notify_op_modified(op)


def _gives_its_element(op: MapOp) -> bool:
    """Whether the elements of a map are those of its only input."""
    end = op.body.block.last_op
    return isinstance(end, YieldOp) and list(end.values) == [op.body.block.args[-1]]


def _order(op: ReduceOp, number: int) -> tuple[int, ...]:
    """Where among the factors of a product one of them stands: by the dimensions it goes along."""
    map, parallel = op.indexing_maps.data[number].data, op.parallel.value.data
    used = sorted(k for k in map.used_dims() if k < parallel)
    return (*used, parallel)


def _with_arguments(block: Block, places: Sequence[int]) -> Region:
    """A copy of a body, of which argument k has become argument `places[k]`."""
    arguments = list(block.args)
    copy = Block(arg_types=[arguments[places.index(k)].type for k in range(len(arguments))])
    values: dict[SSAValue, SSAValue] = {}
    for argument, place in zip(arguments, places, strict=True):
        values[argument] = copy.args[place]
        copy.args[place].name_hint = argument.name_hint
    copy.add_ops([op.clone(values) for op in block.ops])
    return Region(copy)
