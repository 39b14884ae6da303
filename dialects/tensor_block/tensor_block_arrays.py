"""The ops that compute arrays point by point, in their order: `map` and `reduce`.

`diablo.dialects.tensor_block` exports them; `tensor_block_iteration` has what they share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import Pure

from diablo.dialects.encodings import ARRAY
from diablo.dialects.tensor_block.tensor_block_iteration import IterationHeader, IterationOp


@irdl_op_definition
class MapOp(IterationOp, HasCanonicalizationPatternsInterface):
    """An elementwise op: each element of the result is computed from elements of the inputs.

    The *iteration space* has the result's dimensions: `parallel(d0 < %n, d1 < %m)` says that
    d0 runs from 0 to `%n`, exclusive, and d1 to `%m`. An input is read at the dimensions
    that follow it, `%B[d1, d0]`: so inputs may be transposed, or broadcast by leaving a
    dimension out. An input may be larger than the extents; the excess is not read. The
    body's arguments are the indices of the point, then one element per input. A sparse input
    is read with its implicit value, zero. `offsets`, if any, are added to the indices that
    the body sees (the origin of the tile that is computed).

    An input may also be read beside the point, `%A[d0 - 1]`, at the point's mirror image,
    `%A[s0 - d0]` with a symbol, on the diagonal, `%A[d0, d0]`, or in a fixed row, `%A[0, d0]`:
    at any linear expression. Outside of the array such an input has its implicit value.

    Without inputs the elements are computed from the indices alone.

    ```mlir
    %n, %m, %x, %y = "test.op"() : () -> (index, index, index, index)
    %A, %v = "test.op"() : () -> (tensor<?x?xf64>, tensor<?xf64>)
    %B = tensor_block.map parallel(d0 < %n, d1 < %m) offsets(%x, %y)
        ins(%A[d1, d0] : tensor<?x?xf64>, %v[d0] : tensor<?xf64>) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      tensor_block.yield %c : f64
    }
    %identity = tensor_block.map parallel(d0 < %n, d1 < %n) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index):
      %one = arith.constant 1.0 : f64
      %zero = arith.constant 0.0 : f64
      %diagonal = arith.cmpi eq, %i, %j : index
      %e = arith.select %diagonal, %one, %zero : f64
      tensor_block.yield %e : f64
    }
    %last = "test.op"() : () -> index
    %mean = tensor_block.map parallel(d0 < %n) symbols(%last)
        ins(%v[d0 - 1] : tensor<?xf64>, %v[-d0 + s0] : tensor<?xf64>) -> tensor<?xf64> {
    ^bb0(%i: index, %before: f64, %mirrored: f64):
      %sum = arith.addf %before, %mirrored : f64
      tensor_block.yield %sum : f64
    }
    ```
    """

    name = "tensor_block.map"
    inputs = var_operand_def(ARRAY)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    symbols = var_operand_def(IndexType)
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    result = result_def(ARRAY)
    traits = traits_def(Pure())

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        extents: Sequence[SSAValue],
        indexing_maps: Sequence[AffineMap],
        body: Region,
        result_type: Attribute,
        offsets: Sequence[SSAValue] = (),
        symbols: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[inputs, extents, offsets, symbols],
            properties={"indexing_maps": ArrayAttr([AffineMapAttr(m) for m in indexing_maps])},
            regions=[body],
            result_types=[result_type],
        )

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A fold that is only transposed is made so."""
        from diablo.dialects.tensor_block.tensor_block_products import FoldTransposed

        return (FoldTransposed(),)

    @property
    def _header(self) -> IterationHeader:
        extents = list(self.extents)
        indexing_maps = [map.data for map in self.indexing_maps]
        return IterationHeader(
            None,
            extents,
            len(extents),
            list(self.offsets),
            list(self.inputs),
            indexing_maps,
            self.result.type,
            list(self.symbols),
        )

    @classmethod
    def _from_header(cls, header: IterationHeader, body: Region) -> Self:
        return cls(
            header.inputs,
            header.extents,
            header.indexing_maps,
            body,
            header.result_type,
            header.offsets,
            header.symbols,
        )


@irdl_op_definition
class ReduceOp(IterationOp, HasCanonicalizationPatternsInterface):
    """A map whose trailing dimensions are folded: any number of inputs, read at any dimensions.

    The parallel dimensions are the result's; the values of the points that differ only in
    the *reduced* dimensions are combined with the monoid. See `map` for the other terms.
    Without parallel dimensions the result is a scalar. Without inputs it folds what the body
    computes from the indices.

    It is a *contraction* if it has two inputs, joined on the dimensions that they share: both
    are read at each reduced one. That is a BLAS call (or a sparse product) when the monoid is
    `add` and the body multiplies the two elements.

    ```mlir
    %n, %m, %l = "test.op"() : () -> (index, index, index)
    %B, %C = "test.op"() : () -> (tensor<?x?xf64>, tensor<?x?xf64>)
    %product = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
        ins(%B[d0, d2] : tensor<?x?xf64>, %C[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index, %k: index, %b: f64, %c: f64):
      %v = arith.mulf %b, %c : f64
      tensor_block.yield %v : f64
    }
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %rows = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
        ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>)
        -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
    ^bb0(%i: index, %j: index, %a: f64):
      tensor_block.yield %a : f64
    }
    %largest = tensor_block.reduce max reduced(d0 < %n, d1 < %m)
        ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
    ^bb0(%i: index, %j: index, %a: f64):
      tensor_block.yield %a : f64
    }
    ```
    """

    FOLDS: ClassVar[bool] = True

    name = "tensor_block.reduce"
    monoid = prop_def(StringAttr)
    parallel = prop_def(IntegerAttr[I64])
    inputs = var_operand_def(ARRAY)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    symbols = var_operand_def(IndexType)
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    result = result_def()
    traits = traits_def(Pure())

    def __init__(
        self,
        monoid: str,
        inputs: Sequence[SSAValue],
        extents: Sequence[SSAValue],
        parallel: int,
        indexing_maps: Sequence[AffineMap],
        body: Region,
        result_type: Attribute,
        offsets: Sequence[SSAValue] = (),
        symbols: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[inputs, extents, offsets, symbols],
            properties={
                "monoid": StringAttr(monoid),
                "parallel": IntegerAttr(parallel, i64),
                "indexing_maps": ArrayAttr([AffineMapAttr(m) for m in indexing_maps]),
            },
            regions=[body],
            result_types=[result_type],
        )

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """Factors have an order."""
        from diablo.dialects.tensor_block.tensor_block_products import OrderFactors

        return (OrderFactors(),)

    @property
    def _header(self) -> IterationHeader:
        return IterationHeader(
            self.monoid.data,
            list(self.extents),
            self.parallel.value.data,
            list(self.offsets),
            list(self.inputs),
            [map.data for map in self.indexing_maps],
            self.result.type,
            list(self.symbols),
        )

    @classmethod
    def _from_header(cls, header: IterationHeader, body: Region) -> Self:
        assert header.monoid is not None
        return cls(
            header.monoid,
            header.inputs,
            header.extents,
            header.parallel,
            header.indexing_maps,
            body,
            header.result_type,
            header.offsets,
            header.symbols,
        )
