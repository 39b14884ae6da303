"""`scatter_reduce`: the op whose points choose the element of the result that they go to.

`diablo.dialects.tensor_block` exports it; `tensor_block_iteration` has what iteration ops share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IndexType, StringAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.encodings import ARRAY, array_type
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.tensor_block.tensor_block_iteration import (
    IterationHeader,
    IterationOp,
    YieldOp,
)
from diablo.dialects.verifier_checks import verify_body


@irdl_op_definition
class ScatterReduceOp(IterationOp):
    """A dense array of reductions, in which every point adds to an element of its choice.

    The body yields an index, one value per dimension of the result, and the element that is
    combined with what is there by the monoid. Points whose index lies outside of the result,
    whose dimensions are `into`, are dropped; an element that no point goes to is the monoid's
    identity. All dimensions of the iteration space are reduced. See `map` for the other terms.

    ```mlir
    %n, %bins = "test.op"() : () -> (index, index)
    %v = "test.op"() : () -> tensor<?xi64>
    %histogram = tensor_block.scatter_reduce add reduced(d0 < %n) into(%bins)
        ins(%v[d0] : tensor<?xi64>) -> tensor<?xi64> {
    ^bb0(%i: index, %x: i64):
      %bin = arith.index_cast %x : i64 to index
      %one = arith.constant 1 : i64
      tensor_block.yield %bin, %one : index, i64
    }
    ```
    """

    FOLDS: ClassVar[bool] = True

    name = "tensor_block.scatter_reduce"
    monoid = prop_def(StringAttr)
    inputs = var_operand_def(ARRAY)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    symbols = var_operand_def(IndexType)
    into = var_operand_def(IndexType)
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    result = result_def(ARRAY)
    traits = traits_def(Pure())

    def __init__(
        self,
        monoid: str,
        inputs: Sequence[SSAValue],
        extents: Sequence[SSAValue],
        into: Sequence[SSAValue],
        indexing_maps: Sequence[AffineMap],
        body: Region,
        result_type: Attribute,
        offsets: Sequence[SSAValue] = (),
        symbols: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[inputs, extents, offsets, symbols, into],
            properties={
                "monoid": StringAttr(monoid),
                "indexing_maps": ArrayAttr([AffineMapAttr(m) for m in indexing_maps]),
            },
            regions=[body],
            result_types=[result_type],
        )

    @property
    def _header(self) -> IterationHeader:
        return IterationHeader(
            self.monoid.data,
            list(self.extents),
            0,
            list(self.offsets),
            list(self.inputs),
            [map.data for map in self.indexing_maps],
            self.result.type,
            list(self.symbols),
            list(self.into),
        )

    @classmethod
    def _from_header(cls, header: IterationHeader, body: Region) -> Self:
        assert header.monoid is not None
        return cls(
            header.monoid,
            header.inputs,
            header.extents,
            header.into,
            header.indexing_maps,
            body,
            header.result_type,
            header.offsets,
            header.symbols,
        )

    def _verify_result(self, header: IterationHeader, arguments: Sequence[Attribute]) -> None:
        array = array_type(self.result)
        if array.get_num_dims() != len(header.into):
            raise VerifyException(
                f"the result {array} must have one dimension for each of {len(header.into)} sizes"
            )
        element = array.get_element_type()
        verify_body(self.body, arguments, [*[IndexType()] * len(header.into), element], YieldOp)
        verify_monoid(self.monoid.data, element, self)
